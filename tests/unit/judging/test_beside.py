"""What a report to look at shows beside its findings: the cell among its rows, the ship a volley struck, fire and dice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.adjudicator.table import GameTable
from referee.core.beside import Beside
from referee.core.finding import Report
from referee.judging import log_positions
from referee.judging.beside import judged_with_pictures
from referee.judging.files import judge_file
from referee.logs import audit
from referee.report.dicesvg import broadside_svg
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes, read_input
from referee.sources.settings import Settings
from tests.cli.conftest import Run
from tests.cli.test_play_by_play import ACTS, SPEEDS
from tests.conftest import ROOT
from tests.net.gamefiles import MODULE, log_of
from tests.unit.sources.sfbol_judged import duel, written

EXAMPLES = ROOT / "examples"


def shown(source: InputBytes, **asked: object) -> tuple[Report, Beside]:
    how = Asked(Settings(), **asked)  # type: ignore[arg-type]
    report = judged_with_pictures(source, how)
    return report, report.beside[0]


def fought(game: str) -> InputBytes:
    return InputBytes("game.vlog", log_of(f"battle {game}"), "save")


@pytest.mark.parametrize("name", ["duel/constellation.csv", "duel/destruction.xlsx", "duel/duel.vsav"])
def test_the_cell_of_every_finding_stands_in_its_row_between_its_neighbours(name: str) -> None:
    report, beside = shown(read_input(str(EXAMPLES / name)))
    assert report.findings
    for finding in report.findings:
        part = beside.forms[finding.location]
        number = part.rows[part.row].cells[part.column]
        assert part.rows[part.row].place in str(finding.location.cell)
        assert part.heads[part.column] == str(finding.turn)
        assert part.rows[part.row].line and 3 <= len(part.rows) <= 5
        if finding.found.isdecimal() and number.isdecimal() and finding.key.startswith("E"):
            assert number == finding.found


def test_a_form_without_rows_shows_the_lines_about_the_one(tmp_path: Path) -> None:
    report, beside = shown(read_input(str(EXAMPLES / "duel" / "constellation.json")))
    places = [finding.location for finding in report.findings if finding.location.pointer]
    assert places and all(beside.forms[place].rows[beside.forms[place].row].line for place in places)


def test_the_boxes_a_volley_took_are_marked_though_each_was_marked_in_a_step_of_its_own() -> None:
    report, beside = shown(fought("mark-system 6"), module=str(MODULE))
    wrong = [finding for finding in report.findings if finding.key == "D4.223"]
    (struck,) = beside.ships[wrong[0].location]
    assert struck.name == wrong[0].subject and len(struck.boxes) == 4
    assert struck.boxes <= struck.state.destroyed and "from step" in struck.summary


def test_fire_is_shown_with_what_it_could_do_beside_what_fell() -> None:
    report, beside = shown(fought("total 0"), module=str(MODULE))
    (finding,) = report.findings
    (fired,) = beside.fire[finding.location]
    assert fired.firer == finding.subject and fired.fell == 2
    assert sum(fired.chances.values()) == pytest.approx(1) and fired.chances[fired.fell] > 0
    assert {dice.who: sum(dice.counts) for dice in beside.dice} == {"Ann": 2, "Ben": 1}


def test_fire_of_an_orders_file_is_shown_with_what_it_could_do() -> None:
    orders = """rulebook sfb-cadet
impulses 16
ship Constellation = cadet/federation-ca at 2004D speed 8
ship Destruction = cadet/klingon-d6 at 2010A speed 8
turn 1
  Constellation: speed 8
  Destruction: speed 8
impulse 1
  Constellation: fire PH-1/A, PH-1/B at Destruction
  Constellation: fire PH-1/A at Destruction
"""
    report, beside = shown(InputBytes("duel.txt", orders.encode(), "text"))
    again = next(finding for finding in report.findings if finding.key == "E1.2")
    both, one = beside.fire[again.location]
    assert (both.summary, both.fell) == ("Constellation fires PH-1/A, PH-1/B at Destruction, range 6", None)
    assert sum(both.chances.values()) == pytest.approx(1) and max(one.chances) == 4
    assert "0 to 4 points, 2.17 on average" in broadside_svg(one)


def test_a_finding_on_movement_shows_no_fire_of_its_impulse() -> None:
    orders = """rulebook sfb-cadet
impulses 16
ship Constellation = cadet/federation-ca at 2004D speed 16
ship Destruction = cadet/klingon-d6 at 2010A speed 8
turn 1
  Constellation: speed 16
  Destruction: speed 8
impulse 1
  Constellation: left
  Constellation: fire PH-1/A at Destruction
impulse 2
  Constellation: left
  Constellation: fire PH-1/A at Destruction
"""
    report, beside = shown(InputBytes("duel.txt", orders.encode(), "text"))
    turned = next(finding for finding in report.findings if finding.key == "C3.2")
    again = next(finding for finding in report.findings if finding.key == "E2.23")
    assert turned.location not in beside.fire and beside.fire[again.location]


def test_fire_of_a_log_of_the_online_client_is_shown_with_the_dice_it_tells() -> None:
    lines = written(duel(SPEEDS, ACTS), own_names=False)
    n = next(n for n, line in enumerate(lines) if "Disruptor #A" in line)
    lines[n] = lines[n].rpartition("(")[0] + "(Range: 99)"
    report, beside = shown(InputBytes("game.log", "\n".join(lines).encode(), "text"))
    wrong = next(finding for finding in report.findings if finding.key.startswith("D1.4"))
    (fired,) = beside.fire[wrong.location]
    assert fired.fell in fired.chances and sum(fired.chances.values()) == pytest.approx(1)
    assert {dice.who: sum(dice.counts) for dice in beside.dice} == {"IKV 1017 Kharg": 4, "USS Sabre": 1}


@pytest.mark.parametrize("kind", ["log", "orders", "record", "play"])
def test_a_game_is_judged_once_though_it_is_drawn(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = {
        "log": lambda: fought("total 0"),
        "orders": lambda: InputBytes(
            "o.txt", b"rulebook sfb-cadet\nship A = cadet/gorn-ca at 0505A speed 8\n", "text"
        ),
        "record": lambda: read_input(str(EXAMPLES / "games" / "cadet-duel.jsonl")),
        "play": lambda: InputBytes(
            "game.log", "\n".join(written(duel(SPEEDS, ACTS), own_names=False)).encode(), "text"
        ),
    }
    places: tuple[Any, ...] = (audit, log_positions) if kind == "log" else (GameTable,)
    name = "judge_game" if kind == "log" else "report"
    told, judged = getattr(places[0], name), []

    def counted(one: Any) -> Report:
        judged.append(one)
        report: Report = told(one)
        return report

    for where in places:
        monkeypatch.setattr(where, name, counted)
    source = made[kind]()
    judge_file(source, Asked(Settings()))
    once = len(judged)
    judged_with_pictures(source, Asked(Settings()))
    assert once and len(judged) == 2 * once


def test_the_volleys_of_a_record_are_drawn_by_what_its_dice_did() -> None:
    report, beside = shown(read_input(str(EXAMPLES / "games" / "solo-duel.jsonl")))
    volleys = [f.location for f in report.findings if f.key == "NOTE/unexplained-volley"]
    assert len(volleys) == 4
    second = beside.ships[volleys[1]][0]
    assert (len(second.boxes), dict(second.shields)) == (9, {1: 7})


@pytest.mark.parametrize("name", ["games/trek-duel.jsonl", "trek/duel.json", "duel/my-ship.json"])
def test_what_has_no_map_of_ships_has_no_pictures_and_is_judged_as_ever(name: str) -> None:
    source = read_input(str(EXAMPLES / name))
    report, beside = shown(source)
    assert not beside.ships and not beside.forms
    assert report.findings == judge_file(source, Asked(Settings())).findings


def test_a_form_filed_in_a_record_shows_the_line_that_is_wrong(referee: Run, own_folder: Path) -> None:
    ships = (
        "--ship",
        "Constellation=cadet/federation-ca:fed@1010A",
        "--ship",
        "Destruction=cadet/klingon-d6:kli@1510D",
    )
    form = EXAMPLES / "duel" / "constellation.csv"
    dice = ("--dice", "seed", "--seed", "a")
    assert referee("game", "new", "duel.jsonl", "--players", "fed,kli", *ships, *dice).code == 0
    assert referee("game", "next", "duel.jsonl").code == 0
    assert referee("game", "apply", "duel.jsonl", form, "--force", "--as", "fed").code == 0
    report, beside = shown(read_input("duel.jsonl"))
    (wrong,) = [finding for finding in report.findings if finding.key == "B3.0-20/sum"]
    part = beside.forms[wrong.location]
    assert (part.rows[part.row].line, part.rows[part.row].cells[part.column]) == ("20 Total Power Used", "19")


def test_the_dice_of_the_online_client_are_the_faces_its_lines_tell() -> None:
    lines = written(duel(SPEEDS, ACTS), own_names=False)
    thrown = [line.partition("Rolls 1d6:")[2] for line in lines if "Rolls 1d6:" in line]
    faces = sorted(int(face) for row in thrown for face in row.replace(",", " ").split())
    _, beside = shown(InputBytes("game.log", "\n".join(lines).encode() + b"\n", "text"))
    told = sorted(face for one in beside.dice for face, n in enumerate(one.counts, 1) for _ in range(n))
    assert faces and told == faces
