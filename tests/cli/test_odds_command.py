"""`referee odds`, as a player and a script use it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run

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


def test_replay_is_a_volley(referee: Run, holds: Callable[[Any], None]) -> None:
    shot = (*D7, "--damage", "40", "--shield", "2", "--seed", "a", "--replay", "777")
    found = referee(*shot, "--json").json
    holds(found)
    assert len(found["hits"]) == found["internals"] == 18
    rolls = " ".join(map(str, found["dice"]["rolls"]))
    again = referee("volley", *shot[1:6], "--dice", rolls, "--json").json
    assert again["hits"] == found["hits"]
    assert "volley 777 of odds seed a" in referee(*shot).out
    assert referee(*shot, "--policy", "random").code == 0


def test_parts(referee: Run, own_folder: Path) -> None:
    sample = (*D7, "--internals", "6", "--volleys", "600000", "--seed", "a")
    for name, span in (("a", "0:1"), ("b", "1:3")):
        assert referee(*sample, "--chunks", span, "-o", own_folder / f"{name}.json").code == 0
    whole = referee(*sample, "--json").json
    merged = referee("odds", "--merge", "a.json", "b.json", "--json").json
    assert merged == whole
    part = referee("odds", "--merge", "b.json", "--json")
    assert "1 chunks of this sample are in none of these parts" in part.err
    assert referee("odds", "--merge", "a.json", "a.json").code == 2
    broken = json.loads((own_folder / "a.json").read_text())
    broken["weights"][0]["total"] = 1
    (own_folder / "a.json").write_text(json.dumps(broken))
    assert referee("odds", "--merge", "a.json").err.startswith("referee: a.json: ")


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
    ((*FIVE, "--chunks", "3:1", "-o", "x"), "a part of 0:4"),
    ((*FIVE, "--chunks", "all", "-o", "x"), "as 0:8"),
    ((*FIVE, "--chunks", "0:1"), "-o PART"),
    ((*FIVE, "--replay", "99999999"), "numbered 0 to 1048575"),
    ((*FIVE, "--compare", "cadet/klingon-d6"), "compare ships of one rulebook"),
    ((*FIVE, "--compare", "standard/klingon-d6", "--curve"), "one after the other"),
    ((*D7, "--fire", "PH-1 x3", "--shield", "1"), "--range N"),
    ((*D7, "--fire", "PH-1 x3", "--range", "4", "--internals", "3"), "--shield"),
    ((*D7, "--internals", "0", "--volleys", "9"), "the answer is exact"),
    ((*FIVE, "standard/klingon-d6"), "one ship too many"),
    (("odds", "--internals", "5"), "which ship is struck"),
    (("odds", "nosuch", "--internals", "5"), "no ship nosuch"),
    (("odds", "standard/tholian-ca", "--internals", "5"), "cannot be damaged"),
    (("odds", "--merge", "missing.json"), "missing.json"),
    ((*FIVE, "--seed", "x" * 300), "200 characters"),
]


@pytest.mark.parametrize(("arguments", "told"), BAD)
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

    code = (
        "import sys, referee.cli.app, referee.cli.odds, referee.odds.forecast; print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_comparison_is_not_dropped_unsaid(referee: Run) -> None:
    asked = ("odds", "cadet/klingon-d6", "--internals", "9", "--compare", "cadet/federation-ca")
    for more in (("--chunks", "0:1", "-o", "part.json"), ("--replay", "3", "--seed", "a")):
        ran = referee(*asked, *more)
        assert ran.code == 2 and "--compare with" in ran.err, ran
