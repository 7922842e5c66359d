"""The worked examples that concern fire, as the shared vectors have them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.adjudicator.fire import attempt_lock_on, check_shots, resolve_shots, volleys_of
from referee.core.arcs import bears
from referee.core.combat import LockAttempt, Moment, ShotResult
from referee.core.dice import ScriptedDice
from referee.core.hexgrid import parse_position, relative_offset
from referee.core.state import best_of_track, new_state
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.combat.firecases import shot_of

BOOK = load_rulebook("sfb-standard")


@pytest.fixture
def vectors(shared: Path) -> dict[str, Any]:
    return {
        vector["id"]: vector for vector in json.loads((shared / "rules/sfb/test_vectors.json").read_bytes())
    }


def one(roll: int, **said: Any) -> ShotResult:
    return resolve_shots(BOOK, [shot_of(said)], ScriptedDice([roll]))[0]


def test_range_of_the_damaged_d7(vectors: dict[str, Any]) -> None:
    given, wanted = vectors["D6.21-range"]["input"], vectors["D6.21-range"]["expect"]
    lost = [f"sensor/{n + 1}" for n in range(given["sensor_hits"])]
    lost += [f"scanner/{n + 1}" for n in range(given["scanner_hits"])]
    facts = {
        "ship": "standard/klingon-d7",
        "weapon": "PH-2/1",
        "range": given["true"],
        "state": {"destroyed": lost},
    }
    d7 = load_ship("standard/klingon-d7")
    state = shot_of(facts).firer.state
    assert state and best_of_track(d7, state, "sensor") == wanted["sensor"]
    lock = attempt_lock_on(BOOK, LockAttempt(wanted["sensor"]), ScriptedDice([given["lock_roll"]]))
    assert lock.held is wanted["lock_on"] and lock.roll == given["lock_roll"]
    assert one(1, **facts, lock_on=lock.held).effective_range == wanted["effective"]
    cloaked = one(1, **facts, lock_on=lock.held, target_cloak="cloaked")
    assert cloaked.effective_range == wanted["if_target_cloaked"]


def test_an_undamaged_ship_does_not_roll_for_lock_on() -> None:
    d7 = load_ship("standard/klingon-d7")
    rating = best_of_track(d7, new_state(d7), "sensor")
    dice = ScriptedDice([])
    assert attempt_lock_on(BOOK, LockAttempt(rating), dice).held is True
    assert attempt_lock_on(BOOK, LockAttempt(rating, "unpaid"), dice).held is False


@pytest.mark.parametrize(("id", "facts", "fade"), [
    ("cloak-fade", "fade_in_impulses", "fading-in"),
    ("cloak-fadeout", "fade_out_impulses", "fading-out"),
])  # fmt: skip
def test_cloak_range(vectors: dict[str, Any], id: str, facts: str, fade: str) -> None:
    for impulse, added in zip(vectors[id]["input"][facts], vectors[id]["expect"]["add"], strict=True):
        result = one(1, type="phaser-1", range=10, target_cloak=f"{fade}:{impulse}")
        assert result.effective_range == 10 + added


def test_after_the_fade_out(vectors: dict[str, Any]) -> None:
    assert vectors["cloak-fadeout"]["expect"]["after"] == "lock-on lost: x2 then +5"
    assert one(1, type="phaser-1", range=10, target_cloak="cloaked").effective_range == 25


@pytest.mark.parametrize("id", ["E2.4-1", "E2.4-2"])
def test_phaser_tables(vectors: dict[str, Any], id: str) -> None:
    given = vectors[id]["input"]
    result = one(given["die"], type=f"phaser-{given['type']}", range=given["range"])
    assert result.damage == vectors[id]["expect"]["damage"]


def illegal(impulses: int, last: Moment, now: Moment) -> bool:
    said = {"type": "phaser-1", "range": 1, "impulses": impulses, "turn": now.turn, "impulse": now.impulse}
    report = check_shots(BOOK, [shot_of({**said, "last_fired": str(last)})])
    return any(finding.key == "E1.5" for finding in report.findings)


def test_quarter_turn_gap(vectors: dict[str, Any]) -> None:
    eight = vectors["E1.5-8"]
    last = Moment(*eight["input"]["fired"])
    open_on = [n for n in range(1, 9) if not illegal(eight["input"]["impulses"], last, Moment(2, n))]
    assert [2, open_on[0]] == eight["expect"]["earliest"]
    robot = vectors["robot-gap"]
    n = robot["input"]["impulses"]
    open_on = [i for i in range(1, n + 1) if not illegal(n, Moment(1, n), Moment(2, i))]
    assert open_on[0] == robot["expect"]["min_gap"]


def test_arcs_of_the_example(vectors: dict[str, Any]) -> None:
    given = vectors["D2.1-in"]["input"]
    start, _ = parse_position(given["ship"])
    for hex in given["hexes"]:
        assert bears(given["arc"], relative_offset(start, given["facing"], parse_position(hex)[0]))
    given = vectors["D2.1-out"]["input"]
    for hex in given["hexes"]:
        for arc, wanted in vectors["D2.1-out"]["expect"].items():
            assert bears(arc, relative_offset(start, given["facing"], parse_position(hex)[0])) is wanted


def test_struck_shield_of_the_example(vectors: dict[str, Any]) -> None:
    given, wanted = vectors["D4.321-direction"]["input"], vectors["D4.321-direction"]["expect"]
    result = one(1, type="phaser-1", at=f"{given['from']}A", target_at=given["target"].split()[0])
    assert result.shield == wanted["shield"]


def test_the_shots_of_source_000_make_one_volley() -> None:
    """8 photon and 13 phaser points from range 3: one volley of 21 on shield 1."""
    fed = {
        "ship": "cadet/federation-ca",
        "at": "0915D",
        "target_at": "0918A",
        "target_ship": "cadet/klingon-d6",
    }
    shots = [shot_of({**fed, "weapon": weapon}) for weapon in ("PHOT-A", "PH-1A", "PH-1B", "PH-1C")]
    results = resolve_shots(load_rulebook("sfb-cadet"), shots, ScriptedDice([4, 1, 3, 6]))
    assert [result.damage for result in results] == [8, 6, 4, 3]
    (volley,) = volleys_of(load_rulebook("sfb-cadet"), results)
    assert (volley.order.points, volley.order.shield) == (21, 1)
