"""Logs of the online client at the command line: checked, shown, taken into a record, stripped, parted."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Run, own_folder, referee
from tests.conftest import ROOT
from tests.unit.sources.sfbol_judged import duel, written
from tests.unit.sources.sfbol_written import orders_of

__all__ = ["own_folder", "referee"]

SPEEDS = ({"Kharg": 8, "Sabre": 12}, {"Kharg": 16, "Sabre": 20})
ACTS = {
    (1, 16): ("Kharg: fire PH-2/1, PH-2/2 at Sabre", "Sabre: fire PH-1/1 at Kharg"),
    (1, 24): ("Kharg: launch DRN/1 at Sabre", "Kharg: fire DISR/A, DISR/B at Sabre"),
    **{(1, impulse): ("Kharg DRN/1 t1: ahead",) for impulse in range(25, 29)},
}


def log(name: str = "game.log", extra: str = "") -> list[str]:
    lines = written(duel(SPEEDS, ACTS), own_names=False)
    Path(name).write_text("\n".join(lines) + "\n" + extra)
    return lines


def test_check_judges_a_log_whatever_it_is_called(referee: Run) -> None:
    log("report of the game.txt")
    ran = referee("check", "report of the game.txt")
    assert ran.code == 0 and "LEGAL" in ran.out
    broken = log("broken.log")
    n = next(n for n, line in enumerate(broken) if "Disruptor #A" in line)
    broken[n] = broken[n].rpartition("(")[0] + "(Range: 99)"
    Path("broken.log").write_text("\n".join(broken) + "\n")
    ran = referee("check", "broken.log", "--json")
    assert ran.code == 1
    (found,) = ran.findings("error")
    assert found["rule"] == "D1.4" and found["location"] == {"file": "broken.log", "line": n + 1}
    assert referee("explain", found["key"]).code == 0


def test_a_log_from_standard_input(referee: Run) -> None:
    lines = log()
    ran = referee("check", "-", "--stdin-name", "SFB_Game.log", stdin=("\n".join(lines) + "\n").encode())
    assert ran.code == 0 and "SFB_Game.log" not in ran.err


def test_a_form_beside_a_log_is_judged_with_it_and_of_nothing_else(referee: Run) -> None:
    log()
    Path("form.csv").write_text("Ship,Kharg\nTurn,1\nMovement,12\n")
    ran = referee("check", "game.log", "--form", "Kharg=form.csv", "--json")
    assert ran.code == 1
    assert "B3.0-14/said" in {one["key"] for one in ran.findings("error")}
    for arguments, told in (
        (("check", "game.log", "--form", "Klaa=form.csv"), "no one ship of known class is called so"),
        (("check", "game.log", "--form", "form.csv"), "write --form"),
        (("check", "form.csv", "--form", "Kharg=form.csv"), "logs of the online client"),
    ):
        ran = referee(*arguments)
        assert ran.code == 2 and told in ran.err and ran.err.count("\n") == 1, ran


def test_show_lists_games_ships_and_what_is_not_understood(referee: Run) -> None:
    log(extra="IKV Kharg raises 3 shields\nIKV 1017 Kharg raises 12 shields\n")
    ran = referee("show", "game.log")
    assert ran.code == 0
    assert "IKV 1017 Kharg (Type:Klingon D7): standard/klingon-d7" in ran.out
    assert "2 x SHIP raises 9 shields" in ran.out
    shown = referee("show", "game.log", "--json").json
    assert shown["schema"] == "referee/play-by-play/1"
    assert shown["games"][0]["lines"]["shots"] == 5 and shown["games"][0]["unread"][0]["count"] == 2


def test_a_record_goes_on_from_a_log(referee: Run) -> None:
    log()
    new = ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x")
    ran = referee(*new)
    assert ran.code == 0, ran
    status = referee("game", "status", "game.jsonl", "--json").json
    assert [(ship["name"], ship["player"]) for ship in status["ships"]] == [
        ("IKV 1017 Kharg", "skylark"),
        ("USS Sabre", "bob"),
    ]
    assert (status["turn"], status["impulse"]) == (2, 32)
    assert referee("record", "verify", "game.jsonl").code == 0
    assert referee("check", "game.jsonl").code == 0
    replay = referee("game", "replay", "game.jsonl")
    assert replay.code == 0 and "IKV 1017 Kharg: fire DISR/A at USS Sabre" in replay.out
    assert referee("game", "next", "game.jsonl", "--to", "3").code in (0, 1)


def test_a_foul_of_the_log_is_in_the_record(referee: Run) -> None:
    lines = log()
    n = lines.index("Impulse 1.8:")
    lines[n + 1], lines[n + 2] = lines[n + 2], lines[n + 1]
    Path("game.log").write_text("\n".join(lines) + "\n")
    new = ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x")
    assert referee(*new, "--players", "ann,ben", "--player", "Kharg=ann", "--player", "Sabre=ben").code == 0
    found = referee("check", "game.jsonl", "--json").findings("error")
    assert [one["key"] for one in found] == ["C1.3"]


def test_a_log_of_two_games_goes_on_in_a_record_from_one(referee: Run) -> None:
    lines = log()
    text = "\n".join(lines) + "\n"
    Path("two.log").write_text(text + text)
    new = ("game", "new", "game.jsonl", "--dice", "seed", "--seed", "x", "--from")
    ran = referee(*new, "two.log")
    assert ran.code == 2 and "holds 2 games" in ran.err and "--part 1" in ran.err
    assert referee("replay", "two.log").code == 2
    assert f"line {len(lines) + 1}" in referee("replay", "two.log", "--part", "2").out
    assert "has no game 3" in referee("map", "two.log", "--part", "3").err
    assert referee(*new, "two.log", "--part", "2").code == 0


def test_who_plays_must_be_told_where_the_dice_do_not(referee: Run) -> None:
    log()
    new = ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x")
    ran = referee(*new, "--players", "ann,ben")
    assert ran.code == 2 and '--player "IKV 1017 Kharg=ann or ben"' in ran.err
    ran = referee(*new, "--players", "ann,ben", "--player", "Klaa=ann")
    assert ran.code == 2 and "IKV 1017 Kharg" in ran.err


def test_a_log_is_stripped_to_be_sent_in(referee: Run) -> None:
    log(extra="<Carol> hello Zachary\n")
    ran = referee("log", "strip", "game.log", "-o", "clean.log")
    assert ran.code == 0 and "read it before you send it" in ran.err
    clean = Path("clean.log").read_text()
    assert "Kharg" not in clean and "Skylark" not in clean and "Zachary" not in clean
    assert referee("log", "strip", "game.log", "-o", "game.log").code == 2
    assert referee("show", "clean.log").code == 0
    Path("form.csv").write_text("Ship,Kharg\n")
    assert referee("log", "strip", "form.csv").code == 2


@pytest.mark.parametrize(
    "key", ["unread", "name", "ship", "speed-untold", "hexes", "outside", "game", "weapon", "chat"]
)
def test_remarks_on_a_log_are_explained(referee: Run, key: str) -> None:
    assert referee("explain", f"NOTE/{key}").code == 0


def test_a_record_written_in_the_language_of_the_client_is_judged_alike(referee: Run) -> None:
    """Record to log: a game that is played here, written as the client would, has the same errors."""
    from referee.play.game_file import open_game
    from tests.unit.sources.sfbol_written import Style, Written

    new = [
        "game",
        "new",
        "game.jsonl",
        "--rulebook",
        "sfb-standard",
        "--dice",
        "seed",
        "--seed",
        "x",
        "--players",
        "a,b",
    ]
    new += [
        "--ship",
        "Kharg=standard/klingon-d7:a@2020A/8",
        "--ship",
        "Sabre=standard/federation-ca:b@2008D/12",
    ]
    assert referee(*new).code == 0
    orders = ["turn 1", "Kharg: speed 8", "Sabre: speed 12"]
    rows = [
        row
        for row in duel([{"Kharg": 8, "Sabre": 12}], last=12).split("\n")
        if ": " not in row or "speed" not in row
    ]
    orders += [row for row in rows if row.startswith(("impulse ", "Kharg: ahead", "Sabre: ahead"))]
    orders += ["Kharg: fire PH-2/6 at Sabre"]
    assert referee("game", "say", "game.jsonl", *orders, "--force").code == 0
    assert referee("game", "resolve", "game.jsonl", "--force").code == 0
    told = orders_of(open_game("game.jsonl").entries)
    Path("game.log").write_text(Written(told, Style(every_impulse=True)).text())
    record = {
        (one["key"], one["subject"]) for one in referee("check", "game.jsonl", "--json").findings("error")
    }
    play = {(one["key"], one["subject"]) for one in referee("check", "game.log", "--json").findings("error")}
    assert play == record and ("D2.1", "Kharg PH-2/6") in play


def test_the_commands_of_the_page_on_these_logs_run_as_written(referee: Run) -> None:
    lines = written(duel(SPEEDS, ACTS), own_names=False, labels={}, short={})
    Path("SFB_Game.log").write_text("\n".join(lines + lines) + "\n")
    Path("kharg.csv").write_text("Ship,Kharg\nTurn,1\nMovement,8\n")
    text = (ROOT / "docs" / "sfbol.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    commands = [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]
    assert len(commands) >= 7
    for command in commands:
        ran = referee(*command[1:])
        assert ran.code in (0, 1), (command, ran)
    assert Path("game.jsonl").exists() and Path("clean.log").exists()


def test_the_python_interface_reads_and_judges_a_log() -> None:
    import referee as api

    log()
    Path("form.csv").write_text("Ship,Kharg\nTurn,1\nMovement,12\n")
    (game,) = api.read("game.log")  # type: ignore[misc]
    assert game.lines > 100
    assert api.check("game.log").verdict.value == "legal"
    assert "B3.0-14/said" in {one.key for one in api.check("game.log", form="Kharg=form.csv").findings}


def test_a_form_beside_a_log_comes_into_the_record_that_goes_on_from_it(referee: Run) -> None:
    log()
    Path("form.csv").write_text("Ship,Kharg\nTurn,1\nMovement,12\n")
    new = ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x")
    assert referee(*new, "--form", "Klaa=form.csv").code == 2
    assert referee(*new, "--form", "Kharg=form.csv").code == 0
    found = {one["key"] for one in referee("check", "game.jsonl", "--json").findings("error")}
    assert "B3.0-14/said" in found
    ran = referee("game", "new", "b.jsonl", "--players", "a,b", "--form", "Kharg=form.csv")
    assert ran.code == 2 and "--form without --from" in ran.err
