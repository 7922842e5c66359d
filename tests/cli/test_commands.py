"""Every other command of the program on real files: ships, rules, forms, schemas, templates, saves, hexes."""

from __future__ import annotations

import csv
from collections.abc import Callable
from json import dumps, loads
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT

pytestmark = pytest.mark.net

Holds = Callable[[Any], None]

COMMANDS = [
    "check", "show", "volley", "roll", "hex range", "hex arcs", "impulses", "form blank", "form next", "vassal dump", "vassal write", "game new", "game chat",
    "ship list", "ship show", "ship check", "rulebook list", "rulebook show", "explain", "schema", "init ship",
    "init form", "init house", "config", "version",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_it_does(referee: Run, command: str) -> None:
    ran = referee(*command.split(), "--help")
    assert ran.code == 0 and ran.err == "" and f"referee {command}" in ran.out


def test_help_lists_every_command(program: Run) -> None:
    ran = program("--help")
    assert ran.code == 0 and ran.err == ""
    for command in COMMANDS:
        assert f"  {command.split()[0]} " in ran.out, command


@pytest.mark.parametrize(
    "arguments", [(), ("ship",), ("form",), ("hex",), ("rulebook",), ("init",), ("vassal",)]
)
def test_a_command_left_open_is_wrong_usage(referee: Run, arguments: tuple[str, ...]) -> None:
    ran = referee(*arguments)
    assert ran.code == 2 and "sage" in ran.out + ran.err


@pytest.mark.parametrize("arguments", [(), ("ship",)])
def test_the_help_of_an_open_command_can_be_read(referee: Run, arguments: tuple[str, ...]) -> None:
    ran = referee(*arguments)
    assert "\\x0a" not in ran.out + ran.err and "list" in ran.out + ran.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("chekc", "x"), "check"), (("check",), "FILE"), (("check",), "referee check --help"), (("game", "say"), "referee game say --help"), (("check", "--no-such-option", "x"), "--no-such-option"),
        (("ship", "lits"), "list"), (("volley", "cadet/klingon-d6", "--damage"), "--damage"),
    ],
)  # fmt: skip
def test_wrong_usage_is_one_line(referee: Run, arguments: tuple[str, ...], says: str) -> None:
    ran = referee(*arguments)
    assert (ran.code, ran.out) == (2, "") and ran.err.count("\n") == 1 and says in ran.err


def test_version(program: Run, referee: Run) -> None:
    from referee import __version__

    assert program("--version").out == program("version").out == f"referee {__version__}\n"
    assert referee("version").out == f"referee {__version__}\n"


def test_ships(referee: Run, holds: Holds, duel: Path) -> None:
    ships = referee("ship", "list", "--json").json["ships"]
    ids = [ship["id"] for ship in ships]
    assert len(ids) == len(set(ids)) >= 20 and {"cadet/federation-ca", "standard/klingon-d7"} <= set(ids)
    listed = referee("ship", "list", "--rulebook", "sfb-standard").out.splitlines()
    assert listed[0].endswith("(sfb-standard)") and listed[2].split() == ["Id", "Name", "Numbers"]
    ships = [line for line in listed if line.startswith("standard/")]
    names = {line.index(referee("ship", "show", line.split()[0], "--json").json["name"]) for line in ships}
    assert ships and names == {listed[2].index("Name")}, "the columns are straight"
    assert any(line.split()[:1] == ["provisional"] for line in listed), "a legend says what the words mean"
    for id in ids:
        ran = referee("ship", "show", id, "--json")
        assert ran.code == 0 and ran.json["id"] == id
        holds(ran.json)
        assert referee("show", id, "--json").json == ran.json
    card = referee("ship", "show", "D7").out
    assert "Klingon D7" in card and "30" in card and "\x1b" not in card
    hurt = referee("ship", "show", "standard/klingon-d7", "--state", duel / "state.json").out
    assert hurt != card
    assert referee("ship", "show", duel / "my-ship.json", "--json").json["id"] == "my/my-ship"
    assert referee("show", duel / "my-ship.json").code == 0
    wrong = referee("ship", "show", "standard/klingon-d77")
    assert (wrong.code, wrong.out) == (2, "") and "standard/klingon-d7" in wrong.err


@pytest.mark.parametrize(
    ("wrote", "meant"),
    [
        ("D77", "standard/klingon-d7"), ("Kligon D7", "standard/klingon-d7"),
        ("federation-cc", "cadet/federation-ca"), ("standard/klingon-d77", "standard/klingon-d7"),
    ],
)  # fmt: skip
def test_a_ship_that_is_none_is_answered_with_those_like_it(referee: Run, wrote: str, meant: str) -> None:
    ran = referee("ship", "show", wrote)
    assert (ran.code, ran.out) == (2, "") and f"did you mean {meant}" in ran.err


def test_own_ships_are_checked(referee: Run, duel: Path, own_folder: Path, holds: Holds) -> None:
    ship = loads((duel / "my-ship.json").read_bytes())
    ran = referee("ship", "check", duel / "my-ship.json", "--json")
    assert ran.code == 0
    holds(ran.json)
    ship["mounts"][0]["arc"] = "SIDEWAYS"
    (own_folder / "bad.json").write_text(dumps(ship))
    bad = referee("ship", "check", "bad.json")
    assert bad.code in (1, 2) and "SIDEWAYS" in bad.out + bad.err
    taken = {
        **loads((ROOT / "referee/rulebooks/standard/ships/klingon-d7.json").read_bytes()),
        "name": "Mine",
    }
    (own_folder / "taken.json").write_text(dumps(taken))
    assert any(f["key"] == "SHIP/id" for f in referee("ship", "check", "taken.json", "--json").findings())
    both = referee("ship", "check", "taken.json", "none.json")
    assert both.code == 2 and "none.json   UNREADABLE: no such file" in both.out and "Mine" in both.out


def test_rulebooks(referee: Run) -> None:
    books = referee("rulebook", "list", "--json").json["rulebooks"]
    assert referee("rulebook", "list").out.startswith("Id            Game")
    assert [book["id"] for book in books][:2] == ["sfb-cadet", "sfb-standard"]
    for book in books:
        shown = referee("rulebook", "show", book["id"], "--json").json
        assert shown["rules"] and all(rule["title"] for rule in shown["rules"])
        assert referee("rulebook", "show", book["id"]).out.startswith(book["id"])
    assert referee("rulebook", "show", "sfb-cadett").code == 2


@pytest.mark.parametrize(("name", "key"), [("STACKING", "E1.3/target"), ("note", "E4.22")])
def test_what_the_book_names_without_a_number_is_explained(referee: Run, name: str, key: str) -> None:
    ran = referee("explain", name)
    assert ran.code == 0 and any(line.startswith(f"{key} ") for line in ran.out.splitlines())


def test_explain(referee: Run, duel: Path) -> None:
    every = referee("explain").out.splitlines()
    keys = [line.split()[0] for line in every]
    assert len(keys) > 40 and "B3.0-20/sum" in keys
    prefix = [
        line.split()[0] for line in referee("explain", "D4.3").out.splitlines() if line.startswith("D4.3")
    ]
    assert prefix
    for key in ("B3.0-14/acceleration", "E4.21", "H6.1"):
        ran = referee("explain", key.lower())
        assert ran.code == 0 and ran.out.startswith(key) and "Legal" in ran.out and "Illegal" in ran.out
    number = referee("explain", "B3.0-20").out
    assert "B3.0-20 " in number and "B3.0-20/sum" in number
    wrong = referee("explain", "B3.0-99")
    assert (wrong.code, wrong.out) == (2, "") and "did you mean" in wrong.err
    assert referee("explain", "E4.21", "--json").json["rules"][0]["rule"] == "E4.21"
    assert referee("explain", "B3.0-7", "--rulebook", "sfb-standard").code == 0
    for finding in referee("check", duel / "duel.vsav", "--json").findings():
        assert referee("explain", finding["key"]).code == 0


def test_schemas(referee: Run, own_folder: Path) -> None:
    names = referee("schema").out.split()
    assert names == sorted(
        path.name.removesuffix(".schema.json") for path in (ROOT / "schemas").glob("*.schema.json")
    )
    for name in names:
        ran = referee("schema", name)
        assert ran.code == 0 and ran.json["$id"].startswith("referee/")
    assert referee("schema", "ship", "-o", "ship.schema.json").code == 0
    assert loads((own_folder / "ship.schema.json").read_text())["$id"] == "referee/ship/1"
    wrong = referee("schema", "shipp")
    assert (wrong.code, wrong.out) == (2, "") and "ship" in wrong.err


JSON = [
    ("config",), ("ship", "list"), ("rulebook", "list"), ("rulebook", "show", "sfb-cadet"), ("explain", "E4.21"),
    ("roll", "2d6", "--seed", "s"),
]  # fmt: skip


@pytest.mark.parametrize("arguments", JSON)
def test_other_documents_name_their_schema(referee: Run, arguments: tuple[str, ...]) -> None:
    ran = referee(*arguments, "--json")
    assert ran.code == 0 and ran.json["schema"].startswith("referee/")


@pytest.mark.parametrize(
    "arguments", [*JSON, ("hex", "range", "0915", "1114"), ("impulses", "--speed", "4", "--of", "8")]
)
def test_other_documents_hold_to_their_schema(referee: Run, holds: Holds, arguments: tuple[str, ...]) -> None:
    holds(referee(*arguments, "--json").json)


def test_init(referee: Run, own_folder: Path) -> None:
    assert referee("init", "ship", "my-ship").code == 0
    assert referee("ship", "check", "my-ship.json").code == 0
    assert referee("init", "ship", "other", "--like", "cadet/klingon-d6", "-o", "k.json").code == 0
    assert loads((own_folder / "k.json").read_text())["rulebook"] == "sfb-cadet"
    assert referee("init", "house").code == 0
    assert referee("check", own_folder / "k.json", "--house", "house.toml").code == 0
    assert referee("init", "form", "cadet/klingon-d6", "-o", "form.csv").code == 0
    for again in (
        ("ship", "my-ship"),
        ("ship", "other", "-o", "k.json"),
        ("house",),
        ("house", "house.toml"),
    ):
        ran = referee("init", *again)
        assert (ran.code, ran.out) == (2, "") and "there already" in ran.err
    for name in ("My Ship", "../evil", "", "a" * 41, "ship.json"):
        assert referee("init", "ship", name).code == 2, name
    assert sorted(path.name for path in own_folder.iterdir()) == [
        "form.csv",
        "house.toml",
        "k.json",
        "my-ship.json",
    ]


def test_init_form_replaces_nothing(referee: Run, own_folder: Path) -> None:
    (own_folder / "form.csv").write_text("mine")
    assert referee("init", "form", "cadet/klingon-d6", "-o", "form.csv").code == 2
    assert (own_folder / "form.csv").read_text() == "mine"


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
@pytest.mark.parametrize(
    "ship", ["cadet/federation-ca", "cadet/romulan-we", "standard/klingon-d7", "standard/federation-ca"]
)
def test_a_blank_form_has_no_errors_and_is_not_called_legal(referee: Run, ship: str, suffix: str) -> None:
    name = f"form.{suffix}"
    made = referee("form", "blank", ship, "-o", name)
    assert made.code == 0 and made.out == ""
    ran = referee("check", name, "--json")
    # Turn 1 has only what the ship has: what it pays for, life support among it, is still to be filled in.
    assert ran.findings("error", "warning") == [] and ran.json["verdict"] == "cannot-tell"
    assert [f["key"] for f in ran.findings("undecided")] == ["NOTE/begun"]


def test_a_blank_form_on_standard_output(referee: Run, duel: Path) -> None:
    rows = list(csv.reader(referee("form", "blank", "cadet/federation-ca").out.splitlines()))
    assert rows[0] == ["Ship", "cadet/federation-ca"] and rows[1][:4] == ["Turn", "1", "2", "3"]
    assert {"PHOT A", "PHOT B", "Movement"} <= {row[0] for row in rows}
    hurt = list(
        csv.reader(
            referee(
                "form", "blank", "standard/klingon-d7", "--state", str(duel / "state.json")
            ).out.splitlines()
        )
    )
    assert {row[0]: row[1] for row in hurt}["Warp Engines"] == "28"


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_the_next_turn_carries_over(referee: Run, duel: Path, suffix: str) -> None:
    assert referee("form", "next", duel / "standard-form.csv", "-o", f"next.{suffix}").code == 0
    ran = referee("check", f"next.{suffix}", "--json")
    assert ran.findings("error") == [] and ran.json["verdict"] == "legal"
    assert "turn 3 is only begun: its spending is not filled in" in str(ran.json["not_checked"])
    shown = referee("show", f"next.{suffix}", "--json").json
    third = next(turn for turn in shown["turns"] if turn["turn"] == 3)["lines"]
    assert str(third["1"]) == "30" and str(third["5"]) == "3"


def test_the_next_turn_of_a_json_form(referee: Run, duel: Path) -> None:
    ran = referee("form", "next", duel / "constellation.json")
    assert ran.code == 0
    rows = {row[0]: row for row in csv.reader(ran.out.splitlines())}
    assert rows["Turn"][4] == "4" and rows["Warp Engines"][4] == "16"
    over = referee("form", "next", duel / "constellation.csv", "-o", duel / "constellation.csv")
    assert over.code == 2 and (duel / "constellation.csv").read_bytes().startswith(b"Ship,cadet")


@pytest.mark.parametrize(
    "name", ["constellation.csv", "constellation.json", "destruction.xlsx", "standard-form.csv"]
)
def test_forms_are_shown(referee: Run, duel: Path, holds: Holds, name: str) -> None:
    ran = referee("show", duel / name)
    assert ran.code == 0 and ran.err == "" and "16" in ran.out
    document = referee("show", duel / name, "--json").json
    holds(document)
    assert [turn["turn"] for turn in document["turns"]][:2] == [1, 2]


def test_what_is_shown_of_a_form_can_be_checked(referee: Run, duel: Path, own_folder: Path) -> None:
    for name in ("constellation.csv", "destruction.xlsx", "standard-form.csv"):
        (own_folder / "form.json").write_text(referee("show", duel / name, "--json").out)
        ours, theirs = referee("check", "form.json", "--json"), referee("check", duel / name, "--json")
        assert [f["key"] for f in ours.findings("error")] == [f["key"] for f in theirs.findings("error")], (
            name
        )


def test_saves_are_shown(referee: Run, duel: Path, holds: Holds, own_folder: Path) -> None:
    text = referee("show", duel / "duel.vsav")
    assert text.code == 0 and "CA Constellation" in text.out and "Show Data" in text.out and "| " in text.out
    dump = referee("vassal", "dump", duel / "duel.vsav")
    holds(dump.json)
    assert referee("vassal", "dump", duel / "duel.vsav", "--json").json == dump.json
    assert referee("show", duel / "duel.vsav", "--json").json == dump.json
    assert referee("vassal", "dump", "-", stdin=(duel / "duel.vsav").read_bytes()).json == dump.json
    assert referee("vassal", "dump", duel / "duel.vsav", "-o", "d.json").code == 0
    assert loads((own_folder / "d.json").read_text()) == dump.json
    for secret in ("secret-of-ann", "secret-of-ben"):
        assert secret not in text.out and secret not in dump.out
    assert referee("vassal", "dump", duel / "constellation.csv").code == 2


def test_the_notes_and_the_boxes_are_shown(referee: Run, duel: Path) -> None:
    out = referee("show", duel / "duel.vsav").out
    assert "scenario 5" in out and "7/8" in out


def test_no_such_file(referee: Run) -> None:
    for command in (("show",), ("check",), ("vassal", "dump"), ("form", "next"), ("ship", "check")):
        ran = referee(*command, "no-such-file.vsav")
        assert (ran.code, ran.out) == (2, "") and "no-such-file.vsav" in ran.err and ran.err.count("\n") == 1


def test_hexes(referee: Run) -> None:
    assert referee("hex", "range", "0915", "1114", "--json").json["range"] == 2
    assert referee("hex", "range", "0101", "0101").out == "range 0\n"
    arcs = referee("hex", "arcs", "0915A", "0914", "--json").json
    assert arcs["range"] == 1 and "shield" not in arcs
    assert referee("hex", "arcs", "0915C", "1114D", "--json").json["shield"]
    for wrong in (
        ("range", "0915", "9Z"),
        ("arcs", "0915", "1114"),
        ("range", "0", "0"),
        ("arcs", "0915G", "1114"),
    ):
        ran = referee("hex", *wrong)
        assert (ran.code, ran.out) == (2, "") and ran.err.count("\n") == 1, wrong


def test_impulses(referee: Run) -> None:
    said = referee("impulses", "--speed", "4", "--of", "8", "--json").json
    assert said == {"schema": "referee/impulses/1", "impulses": [2, 4, 6, 8]}
    for of in (8, 16, 32):
        for speed in (0, 1, of // 2, of):
            assert (
                len(referee("impulses", "--speed", str(speed), "--of", str(of), "--json").json["impulses"])
                == speed
            )
    assert referee("impulses", "--speed", "17", "--of", "16").code == 2
    assert referee("impulses", "--speed", "4", "--of", "10").code == 2


def test_an_internal_fault_is_one_line(referee: Run, duel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("boom \x1b[31m")

    monkeypatch.setattr("referee.cli.vassal.read_input", fails)
    ran = referee("vassal", "dump", duel / "duel.vsav")
    assert (ran.code, ran.out) == (70, "") and ran.err.count("\n") == 1
    assert "Traceback" not in ran.err and "\x1b" not in ran.err
    with pytest.raises(RuntimeError):
        referee("--debug", "vassal", "dump", duel / "duel.vsav")
