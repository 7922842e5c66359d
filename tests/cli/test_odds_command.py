"""`referee odds`, as a player and a script use it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT, mostly_long

pytest.importorskip("numpy")
D7 = ("odds", "standard/klingon-d7")
FIVE = (*D7, "--internals", "5")


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is in the table."""
    from referee.cli import app

    monkeypatch.setitem(app.COMMANDS, "odds", "odds")


def test_exact_table(referee: Run) -> None:
    ran = referee(*FIVE, "--color", "never")
    assert ran.code == 0
    assert ran.out.startswith("Klingon D7 battlecruiser (standard/klingon-d7): 5 points inside\n")
    assert "exact; owner's choices by protect-weapons" in ran.out
    assert "Power next turn: 38.09 of 39" in ran.out
    assert "Destroyed: 0.0%" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 84


def test_exact_json(referee: Run, holds: Callable[[Any], None]) -> None:
    found = referee(*FIVE, "--json").json
    holds(found)
    assert found["method"] == "exact"
    assert "volleys" not in found
    assert sum(found["mean"].values()) == pytest.approx(5)
    assert found["exact"]["mean"]["phaser"].endswith("/36") or "/" in found["exact"]["mean"]["phaser"]
    assert found["distribution"]["bridge"]["0"] + found["distribution"]["bridge"]["1"] == pytest.approx(1)


def test_sampled_json(referee: Run, holds: Callable[[Any], None]) -> None:
    shot = (*D7, "--damage", "55", "--shield", "1", "--volleys", "100000", "--seed", "a", "--json")
    found = referee(*shot).json
    holds(found)
    assert (found["method"], found["volleys"], found["seed"]) == ("sampled", 100_000, "a")
    assert found["internals"] == 25
    assert found["shield"] == {"number": 1, "before": 30, "after": 0}
    assert abs(found["mean"]["aft_hull"] - 5.036) < 6 * found["standard_error"]["aft_hull"]
    assert referee(*shot).json == found


def test_seed_is_drawn_and_shown(referee: Run) -> None:
    out = referee(*D7, "--internals", "20", "--volleys", "1000").out
    flags = out.rpartition("again with ")[2].split()
    again = referee(*D7, "--internals", "20", *flags).out
    assert again == out


def test_svg(referee: Run, own_folder: Path) -> None:
    for name, extra in (("one", ()), ("curve", ("--curve",)), ("two", ("--compare", "standard/klingon-d6"))):
        path = own_folder / f"{name}.svg"
        assert referee(*FIVE, *extra, "-o", path).code == 0
        root = ElementTree.parse(path).getroot()
        assert root.tag.endswith("svg")


def test_curve(referee: Run, holds: Callable[[Any], None]) -> None:
    found = referee(*FIVE, "--curve", "--json").json
    holds(found)
    assert [step["internals"] for step in found["curve"]] == [0, 1, 2, 3, 4, 5]
    assert "internals   power" in referee(*FIVE, "--curve").out


def test_compare(referee: Run, holds: Callable[[Any], None]) -> None:
    found = referee(
        *D7, "--internals", "15", "--compare", "standard/klingon-d6", "--volleys", "1000", "--json"
    ).json
    holds(found)
    assert found["comparison"]["other"]["ship"] == "standard/klingon-d6"
    assert "difference" in referee(*FIVE, "--compare", "standard/klingon-d6").out


def test_state_and_policy(referee: Run, own_folder: Path) -> None:
    state = own_folder / "state.json"
    referee("volley", "standard/klingon-d7", "--internals", "20", "--seed", "a", "--state-out", state)
    found = referee(*FIVE, "--state", state, "--policy", "spread", "--json").json
    assert found["policy"] == "spread"
    assert sum(boxes["before"] for boxes in found["boxes"].values()) == 92


@pytest.mark.long
def test_workers(referee: Run) -> None:
    sample = (*D7, "--internals", "6", "--volleys", "600000", "--seed", "a", "--json")
    assert referee(*sample, "--workers", "2").json == referee(*sample).json


BAD = [
    (D7, "say how many points strike"),
    ((*D7, "--internals", "-3"), "0 to 100000"),
    ((*D7, "--damage", "9"), "which shield"),
    ((*FIVE, "--policy", "bold"), "choose protect-weapons, protect-power, spread, random"),
    ((*D7, "--internals", "25", "--exact"), "leave --exact out to have it sampled"),
    ((*FIVE, "--exact", "--volleys", "9"), "leave one of them out"),
    ((*FIVE, "--volleys", "0"), "1 to"),
    ((*FIVE, "--volleys", "many"), "a number"),
    ((*FIVE, "--volleys", "9", "--precision", "1%"), "when to stop"),
    ((*FIVE, "--precision", "900%"), "such as 0.1%"),
    ((*FIVE, "--precision", "nan"), "such as 0.1%"),
    ((*FIVE, "--workers", "0"), "1 to 512"),
    ((*FIVE, "--compare", "cadet/klingon-d6"), "compare ships of one rulebook"),
    ((*FIVE, "--compare", "standard/klingon-d6", "--curve"), "one after the other"),
    ((*D7, "--fire", "PH-1 x3", "--shield", "1"), "--range N"),
    ((*D7, "--fire", "PH-1 x3", "--range", "4", "--internals", "3"), "--shield"),
    ((*D7, "--internals", "0", "--volleys", "9"), "the answer is exact"),
    ((*FIVE, "standard/klingon-d6"), "one ship too many"),
    (("odds", "--internals", "5"), "which ship is struck"),
    (("odds", "nosuch", "--internals", "5"), "no ship nosuch"),
    (("odds", "standard/tholian-ca", "--internals", "5"), "cannot be damaged"),
    ((*FIVE, "--seed", "x" * 300), "200 characters"),
]


SLOW = "leave --exact out to have it sampled"
"""What is refused once two million states are counted."""


@pytest.mark.parametrize(("arguments", "told"), mostly_long(BAD, lambda arguments, told: told != SLOW))
def test_bad_input_is_one_line(referee: Run, arguments: tuple[str, ...], told: str) -> None:
    ran = referee(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert ran.err.count("\n") == 1


def test_fire(referee: Run, holds: Callable[[Any], None]) -> None:
    """Damage dice and to-hit included; a weapon out of reach is illegal."""
    shot = (*D7, "--fire", "PH-1 x3, PHOT x2", "--range", "4", "--shield", "1")
    found = referee(*shot, "--volleys", "5000", "--json").json
    holds(found)
    assert found["damage"] == 31
    assert found["damage_mean"] == pytest.approx(3 * 23 / 6 + 16 * 4 / 6)
    assert "points on average" in referee(*shot, "--exact").out
    assert referee(*D7, "--fire", "PHOT", "--range", "1", "--shield", "1").code == 1
    assert referee(*shot[:3], "LASER", *shot[4:]).code == 2


def test_start_up_stays_light(program: Run) -> None:
    """Nothing but odds loads numpy."""
    import subprocess

    code = "import sys, referee.cli.app, referee.cli.odds, referee.chances.forecast; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


COMPARED = ("odds", "cadet/klingon-d6", "--compare", "cadet/federation-ca")


def test_a_shield_that_holds_is_answered_exactly(referee: Run, holds: Callable[[Any], None]) -> None:
    """One ship's shield holds everything, the other's does not: exact beside sampled, whichever is first."""
    held = ("--damage", "25", "--shield", "1", "--volleys", "300000", "--seed", "a")
    asked = ("odds", "standard/klingon-d7", "--compare", "cadet/klingon-d6", *held)
    found = referee(*asked, "--json").json
    holds(found)
    other = found["comparison"]["other"]
    assert (found["method"], found["internals"], other["method"]) == ("exact", 0, "sampled")
    assert other["internals"] and other == referee("odds", "cadet/klingon-d6", *held, "--json").json
    difference = found["comparison"]["difference"]["phaser"]
    assert difference["mean"] == pytest.approx(-other["mean"]["phaser"])
    assert difference["standard_error"] == pytest.approx(other["standard_error"]["phaser"])
    out = referee(*asked).out
    assert "exact; owner's" in out and "from 300,000 volleys" in out and "again with --seed a" in out
    turned = ("odds", asked[3], "--compare", asked[1], *held)
    back = referee(*turned, "--json").json["comparison"]
    assert (back["other"]["method"], back["difference"]["phaser"]["mean"]) == ("exact", -difference["mean"])
    assert referee(*asked, "--svg").code == 0


def test_a_state_is_of_a_ship_that_is_asked_about(referee: Run, own_folder: Path) -> None:
    """A state goes with the ship it names, first or second; that of any other ship is refused."""
    hurt = ("volley", "cadet/klingon-d6", "--internals", "9", "--seed", "a", "--state-out", "d6.json")
    assert referee(*hurt).code == 0
    wrong = referee("odds", "cadet/gorn", "--internals", "5", "--state", "d6.json")
    assert (wrong.code, wrong.out) == (2, "") and "is of cadet/klingon-d6" in wrong.err
    for first, second in (("klingon-d6", "gorn"), ("gorn", "klingon-d6")):
        asked = ("odds", f"cadet/{first}", "--compare", f"cadet/{second}", "--internals", "5", "--json")
        ships = [found := referee(*asked, "--state", "d6.json").json, found["comparison"]["other"]]
        whole = [found := referee(*asked).json, found["comparison"]["other"]]
        for ship, before in zip(ships, whole, strict=True):
            assert (ship["boxes"] == before["boxes"]) is (ship["ship"] == "cadet/gorn")


APART = [
    ((*FIVE, "--json", "--svg"), "two formats, json and svg"),
    ((*FIVE, "--format", "full", "--json"), "two formats, full and json"),
    (("volley", *FIVE[1:], "--format", "svg", "--json"), "two formats, svg and json"),
    ((*FIVE, "--damage", "5"), "--damage with --internals; --damage strikes a shield first"),
    ((*FIVE, "--range", "4"), "--range without --fire"),
    ((*FIVE, "--mode", "overload"), "--mode without --fire"),
    ((*FIVE, "--cluster", "tcp://here:1", "--workers", "2"), "its own workers"),
    ((*D7, "--internals", "9", "--reinforcement", f"{'9' * 5000},0"), "--reinforcement"),
]


@pytest.mark.parametrize(("arguments", "told"), APART)
def test_nothing_is_dropped_unsaid(referee: Run, arguments: tuple[str, ...], told: str) -> None:
    """Options that cannot be answered together are refused, not forgotten."""
    ran = referee(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("patience", "bar"), [(0.0, True), (60.0, False)])
def test_a_bar_on_a_terminal_after_a_while(own_folder: Path, patience: float, bar: bool) -> None:
    """Work that takes long says on a terminal how far it is; the answer stays clean."""
    import os
    import pty
    import subprocess

    code = (
        f"import sys, referee.cli.progress as p; p.PATIENCE = {patience}\n"
        "from referee.cli.main import run; sys.exit(run(sys.argv[1:]))"
    )
    sample = (*D7, "--internals", "6", "--volleys", "600000", "--seed", "a")
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"}
        done = subprocess.run(
            [sys.executable, "-c", code, *sample],
            check=False,
            stdout=subprocess.PIPE,
            stderr=theirs,
            env=environment,
        )
        os.write(theirs, b"end")
        shown = b""
        while not shown.endswith(b"end"):
            shown += terminal.read(4096)
        os.close(theirs)
    assert done.returncode == 0
    assert (b"sampling" in shown) is bar
    assert done.stdout.startswith(b"Klingon D7") and b"\x1b" not in done.stdout


def test_a_difference_speaks_of_standard_errors_only_where_there_are_any(referee: Run) -> None:
    exact = referee(*COMPARED, "--damage", "20", "--shield", "2", "--svg").out
    sampled = referee(*COMPARED, "--damage", "20", "--shield", "2", "--volleys", "1000", "--svg").out
    assert "The difference" in exact and "standard errors" not in exact
    assert "two standard errors" in sampled


def test_a_difference_names_what_only_one_of_the_ships_has(referee: Run) -> None:
    drawn = referee(
        *D7, "--internals", "15", "--compare", "standard/federation-ca", "--volleys", "1000", "--svg"
    ).out
    assert "only Klingon D7 battlecruiser has: apr, security, drone" in drawn
    assert "only Federation CA" not in drawn
