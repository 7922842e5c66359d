"""Damage: every point goes somewhere, no box dies twice, and the events tell the whole story."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from referee.adjudicator.policies import POLICY_NAMES, policy
from referee.adjudicator.volley import resolve, volley_order
from referee.core.arcs import direction_offset
from referee.core.dice import seeded_dice
from referee.core.events import ArmorHit, BoxDestroyed, Reinforced, ShieldHit, ShipDestroyed
from referee.core.hexgrid import struck_shields
from referee.core.ship import TRACKS, ShipClass
from referee.core.state import ShipState, fold, live_boxes, new_state
from referee.core.volley import VolleyResult
from referee.rulebooks.registry import load_rulebook, load_ship, ship_ids
from tests.conftest import examples

SHIPS = [id for id in ship_ids() if load_ship(id).boxes.get("excess") and load_ship(id).shields]
FEW = examples(25, derandomize=True)
DIRECTIONS = [f"row:{letter}" for letter in "ABCDEF"]
SECTORS = ["LF", "RF", "R", "RR", "LR", "L"]


@st.composite
def volleys(draw: st.DrawFn) -> tuple[int, dict[str, object], bool]:
    """Points, how they strike, and whether they are resolved fast where the game knows that."""
    points = draw(st.integers(0, 160))
    shield = draw(st.integers(1, 6))
    strikes = [where for where in DIRECTIONS + SECTORS if shield in struck_shields(direction_offset(where))]
    how: dict[str, object] = {"shield": shield}
    match draw(st.sampled_from(["shield", "internal", "direction", "two firers"])):
        case "internal":
            how = {"internal": True}
        case "direction":
            how["directions"] = ((None, draw(st.sampled_from(strikes))),)
        case "two firers":
            first = draw(st.integers(0, points))
            froms = draw(st.lists(st.sampled_from(strikes), min_size=2, max_size=2))
            how["directions"] = ((first, froms[0]), (points - first, froms[1]))
    how["reinforcement"] = (draw(st.integers(0, 6)), draw(st.integers(0, 6)))
    return points, how, draw(st.booleans())


def all_boxes(ship: ShipClass) -> list[str]:
    return [box for system in ship.systems for box in ship.box_ids(system)]


def strike(
    ship: ShipClass, state: ShipState, volley: tuple[int, dict[str, object], bool], chooser: str, seed: int
) -> VolleyResult:
    points, how, fast = volley
    book = load_rulebook(ship.rulebook).with_options({"reinforcement": "true"})
    if fast and "damage" in book.options:
        book = book.with_options({"damage": "fast", "robot_ship": "true" if seed % 2 else "false"})
    dice, choices = seeded_dice(f"dice {seed}"), seeded_dice(f"choices {seed}")
    return resolve(book, ship, state, volley_order(points, **how), dice, policy(chooser, choices))  # type: ignore[arg-type]


def accounts_for_every_point(result: VolleyResult, before: ShipState, points: int) -> None:
    absorbed = sum(event.points for event in result.events if isinstance(event, Reinforced | ShieldHit))
    armor = sum(len(event.boxes) for event in result.events if isinstance(event, ArmorHit))
    assert points == absorbed + armor + len(result.hits) + result.wasted
    assert result.internals == len(result.hits) + result.wasted
    assert result.armor_before - result.armor_after == armor
    assert result.wasted == 0 or result.destroyed
    assert result.wasted >= 0
    if result.shield_before is not None and result.shield_after is not None:
        shot = sum(event.points for event in result.events if isinstance(event, ShieldHit))
        assert result.shield_before - result.shield_after == shot
    assert fold(before, result.events) == result.state


def destroys_only_what_is_there(result: VolleyResult, ship: ShipClass, before: ShipState) -> None:
    struck = [event.box for event in result.events if isinstance(event, BoxDestroyed)]
    gone = struck + [box for event in result.events if isinstance(event, ArmorHit) for box in event.boxes]
    assert len(gone) == len(set(gone)), "no box twice"
    assert not before.destroyed & set(gone), "no box that was gone before"
    assert set(gone) <= set(all_boxes(ship)), "no box the ship has not got"
    assert result.state.destroyed == before.destroyed | set(gone)
    assert all(left >= 0 for left in result.state.shields.values())
    assert [hit.box for hit in result.hits if hit.box] == struck
    assert [hit.n for hit in result.hits] == list(range(1, len(result.hits) + 1))
    assert sum(isinstance(event, ShipDestroyed) for event in result.events) == result.destroyed
    for track in TRACKS:
        assert not ship.tracks.get(track) or live_boxes(ship, result.state, track), "the last box stays"


@FEW
@given(st.data())
def test_volleys_on_every_ship_by_every_policy(data: st.DataObject) -> None:
    """Two volleys one after the other on each ship, each by each policy."""
    first, second = data.draw(volleys()), data.draw(volleys())
    seed = data.draw(st.integers(0, 10**6))
    for id in SHIPS:
        ship = load_ship(id)
        chooser = POLICY_NAMES[(seed + len(id)) % len(POLICY_NAMES)]
        state = new_state(ship)
        for volley in (first, second):
            if state.dead:
                break
            result = strike(ship, state, volley, chooser, seed)
            accounts_for_every_point(result, state, volley[0])
            destroys_only_what_is_there(result, ship, state)
            state = result.state


def test_each_ship_by_each_policy_until_it_is_gone() -> None:
    for id in SHIPS:
        ship = load_ship(id)
        for n, chooser in enumerate(POLICY_NAMES):
            for fast in (False, True):
                state, volleys_taken = new_state(ship), 0
                while not state.dead:
                    volley = (37, {"shield": 1 + volleys_taken % 6}, fast)
                    result = strike(ship, state, volley, chooser, n)
                    accounts_for_every_point(result, state, 37)
                    destroys_only_what_is_there(result, ship, state)
                    state, volleys_taken = result.state, volleys_taken + 1
                assert volleys_taken < 20


def test_cadet_bridges_outlive_everything() -> None:
    for id in SHIPS:
        ship = load_ship(id)
        if ship.rulebook != "sfb-cadet":
            continue
        result = strike(ship, new_state(ship), (2000, {"internal": True}, False), "random", 7)
        left = set(all_boxes(ship)) - result.state.destroyed
        assert result.destroyed
        assert "bridge/1" in left
        assert not result.state.destroyed & set(ship.box_ids("security"))


@FEW
@given(st.integers(0, 10**6), st.integers(1, 60))
def test_bold_cells_are_scored_once_a_volley(seed: int, points: int) -> None:
    chart = load_rulebook("sfb-standard").table("damage_chart")
    bold = {
        f"{roll}{column}"
        for roll, row in chart["rows"].items()
        for column, cell in zip(chart["columns"], row, strict=True)
        if cell["once"]
    }
    ship = load_ship("standard/klingon-d7")
    result = strike(ship, new_state(ship), (points, {"internal": True}, False), "random", seed)
    cells = Counter(hit.cell for hit in result.hits)
    assert all(cells[cell] == 1 for cell in bold & set(cells))


@FEW
@given(st.integers(0, 10**6), st.integers(1, 80), st.sampled_from(SHIPS))
def test_the_same_again_is_the_same(seed: int, points: int, id: str) -> None:
    ship = load_ship(id)
    volley = (points, {"shield": 1}, False)
    assert strike(ship, new_state(ship), volley, "random", seed) == strike(
        ship, new_state(ship), volley, "random", seed
    )
