"""Fire of a log is judged from where ships truly stood: not from where a counter was put for the shot."""

from __future__ import annotations

from typing import Any

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from tests.cli.conftest import Ran
from tests.unit.formats.vassal.game_logs import FED, KLINGON, Play
from tests.unit.logs.test_logs_oddly_legal import CA, D6, Check, Table, check, found, lacking, undo

__all__ = ["check"]

HERE, THERE, NEAR = Hex(40, 34), Hex(40, 30), Hex(40, 31)
BACK = ("by hand", "undone")
PLACED = "NOTE/placed-for-fire"


def put(writer: Table, name: str, hex: Hex, facing: str = "", how: str = "by hand") -> int:
    """A counter is dragged or turned by hand, or an undo does it."""
    old, before = writer.where[name], writer.counter_states(name)
    writer.where[name] = hex, facing or old[1]
    leaf: lv.Leaf = (
        writer.move_leaf(name, old[0], hex)
        if hex != old[0]
        else writer.change(writer.ids[name], before, writer.counter_states(name))
    )
    return writer.log(leaf) if how == "by hand" else undo(writer, "a move", leaf)


def shot(writer: Table, weapon: str = "PH-1A", points: int | None = None) -> int:
    """The cruiser fires and rolls a 1: at range 4 a phaser-1 does 5 points, at range 1 it does 8."""
    step = writer.say(CA, f"fire {weapon} at {D6}")
    writer.roll(CA, 1)
    if points is not None:
        writer.log(lv.Chat(f"&lt;Ann&gt; - {weapon} hits for {points}"))
    return step


def odd(ran: Ran) -> list[tuple[str, Any]]:
    """What is told of the fire, and of where it was declared."""
    told = [(key, step) for _, key, _, step in found(ran) if key[0] in "DEF" or key == PLACED]
    return sorted(told, key=lambda one: (one[1], one[0]))


def expected(ran: Ran, key: str) -> str:
    (one,) = (f for f in ran.findings() if f["key"] == key)
    return str(one["expected"])


@pytest.mark.parametrize("how", BACK)
def test_a_range_that_was_taken_back_is_no_range(check: Check, how: str) -> None:
    writer = Table()
    put(writer, CA, NEAR)
    step = shot(writer, points=8)
    put(writer, CA, HERE, how=how)
    ran = check(writer)
    assert odd(ran) == [(PLACED, step), ("E2.4", step + 2)] and expected(ran, "E2.4") == "5 points"
    told = next(f["message"] for f in ran.findings() if f["key"] == PLACED)
    assert told.startswith(f"put in {NEAR}A when the fire of step {step}") and f"judged in {HERE}A" in told


@pytest.mark.parametrize("how", BACK)
def test_an_arc_that_was_taken_back_is_no_arc(check: Check, how: str) -> None:
    """A phaser of the left side does not bear on what is right and behind; and the other way round."""
    ships = {
        name: (ship.cls, ship.hex, "E" if name == CA else "D") for name, ship in Table().game.ships.items()
    }
    away = Table(ships)
    put(away, CA, HERE, "A")
    step = shot(away)
    put(away, CA, HERE, "E", how)
    assert odd(check(away)) == [("D2.2", step), (PLACED, step)]
    home = Table()
    put(home, CA, HERE, "E")
    step = shot(home)
    put(home, CA, HERE, "A", how)
    assert odd(check(home)) == [(PLACED, step)]


@pytest.mark.parametrize("how", BACK)
def test_the_target_stands_where_it_stood(check: Check, how: str) -> None:
    writer = Table()
    put(writer, D6, Hex(40, 33))
    step = shot(writer, points=8)
    put(writer, D6, THERE, how=how)
    ran = check(writer)
    assert odd(ran) == [(PLACED, step), ("E2.4", step + 2)] and expected(ran, "E2.4") == "5 points"


def test_ships_that_are_moved_together(check: Check) -> None:
    """Both are dragged in one step, and back: each stands where it stood; both are told."""
    writer = Table()
    near, far = Hex(41, 34), Hex(41, 33)
    writer.log(writer.move_leaf(CA, HERE, near), writer.move_leaf(D6, THERE, far))
    step = shot(writer, points=8)
    undo(writer, "moves", writer.move_leaf(D6, far, THERE), writer.move_leaf(CA, near, HERE))
    assert odd(check(writer)) == [(PLACED, step), (PLACED, step), ("E2.4", step + 2)]


@pytest.mark.parametrize("how", BACK)
def test_measuring_before_the_fire_is_only_a_note(check: Check, how: str) -> None:
    writer = Table()
    put(writer, CA, NEAR)
    put(writer, CA, HERE, how=how)
    shot(writer, points=5)
    put(writer, CA, Hex(40, 35))
    put(writer, CA, HERE, how=how)
    assert odd(check(writer)) == []


def test_a_counter_dragged_wrongly_and_corrected_before_the_fire(check: Check) -> None:
    writer = Table(speed=16)
    put(writer, CA, Hex(40, 32))
    put(writer, CA, Hex(40, 33))
    writer.play(Play(D6, 1, 1, 0, 0))
    shot(writer)
    writer.next()
    assert odd(check(writer)) == []


@pytest.mark.parametrize("how", BACK)
def test_a_move_taken_back_and_made_again_was_made(check: Check, how: str) -> None:
    """The fire between is from where the ship moved to, in the end."""
    writer = Table(speed=16)
    for name in (CA, D6):
        writer.play(Play(name, 1, 1, 0, 0))
    shot(writer, points=7)
    put(writer, CA, HERE, how=how)
    put(writer, CA, Hex(40, 33))
    writer.next()
    assert odd(check(writer)) == []


@pytest.mark.parametrize("how", BACK)
def test_a_move_and_the_fire_after_it_are_both_taken_back(check: Check, how: str) -> None:
    writer = Table(speed=16)
    for name in (CA, D6):
        writer.play(Play(name, 1, 1, 0, 0))
    writer.say(CA, f"fire PH-1A at {D6}")
    writer.say(CA, "undo")
    put(writer, CA, HERE, how=how)
    put(writer, CA, Hex(40, 33))
    writer.next()
    assert odd(check(writer)) == []


def test_fire_between_a_turn_and_the_hex_it_leads_to(check: Check) -> None:
    """Turn and hex are two steps of one move: what is said between is of that move."""
    writer = Table(speed=16)
    for _ in range(5):
        for name in (CA, D6):
            writer.play(Play(name, 1, writer.now, 0, 0))
        writer.next()
    assert odd(check(writer)) == []
    hex = writer.where[CA][0]
    put(writer, CA, hex, "B")
    shot(writer)
    put(writer, CA, hex.step("B"))
    writer.play(Play(D6, 1, writer.now, 0, 0))
    writer.next()
    assert PLACED not in [key for key, _ in odd(check(writer))]


@pytest.mark.parametrize("way", ["hex", "facing"])
def test_what_is_put_right_after_the_fire_was_never_there(check: Check, way: str) -> None:
    """Dragged next to its target, or turned about, for a shot, and then to where its move leads."""
    writer = Table(speed=16)
    writer.play(Play(D6, 1, 1, 0, 0))
    if way == "hex":
        put(writer, CA, Hex(40, 32))
        step = shot(writer, points=8)
        put(writer, CA, Hex(40, 33))
    else:
        writer.play(Play(CA, 1, 1, 0, 0))
        put(writer, CA, Hex(40, 33), "D")
        step = shot(writer, "PH-1B", points=8)
        put(writer, CA, Hex(40, 33), "F")
    writer.next()
    ran = check(writer)
    assert (PLACED, step) in odd(ran) and expected(ran, "E2.4") == "7 points"


@pytest.mark.parametrize("dice", [False, True])
def test_a_move_that_is_made_another_after_the_dice(check: Check, dice: bool) -> None:
    """Where it stood when it fired a move led to as well: the fire is judged from there, and it is told."""
    writer = Table(speed=16)
    for name in (CA, D6):
        writer.play(Play(name, 1, 1, 0, 0))
    if dice:
        shot(writer, points=7)
    last = put(writer, CA, Hex(39, 34))
    put(writer, CA, Hex(39, 34), "F")
    writer.next()
    ran = check(writer)
    over = [
        (f["severity"], f["location"]["step"]) for f in ran.findings() if f["key"] == "NOTE/undo-over-dice"
    ]
    assert odd(ran) == [] and over == ([("warning", last)] if dice else [])


def test_a_launch_is_judged_from_where_its_ship_stood(check: Check) -> None:
    writer = Table()
    put(writer, D6, Hex(41, 30), how="by hand")
    step = writer.say(D6, f"launch DRN/1 at {CA}")
    put(writer, D6, THERE)
    ran = check(writer)
    assert (PLACED, step) in odd(ran)


@pytest.mark.parametrize("facing", ["A", "D"])
@pytest.mark.parametrize("way", [4, 5])
def test_a_ship_masked_or_hidden_for_its_shot_fires_from_where_it_is(
    check: Check, facing: str, way: int
) -> None:
    """Shown again in its hex in the same impulse: a phaser that does not bear astern is out of arc."""
    writer = Table({CA: (FED, HERE, facing), D6: (KLINGON, THERE, "D")})
    plain = writer.counter_states(CA)
    veiled = [("ann" if way == 5 else "ann;") if n == way else state for n, state in enumerate(plain)]
    writer.log(writer.change(writer.ids[CA], plain, veiled))
    shot(writer, "PH-1C")
    writer.log(writer.change(writer.ids[CA], veiled, plain))
    ran = check(writer)
    wrong = [key for severity, key, *_ in found(ran) if severity == "error"]
    assert wrong == ([] if facing == "A" else ["D2.2"])
    assert lacking(ran, "D1.4", "D2") == [] and not any(f["key"] == PLACED for f in ran.findings())
