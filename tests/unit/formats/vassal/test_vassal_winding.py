"""Turn trackers wound to another moment: only their own levels change, and what is not known is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.errors import BadInput
from referee.formats.vassal.command_types import Turn
from referee.formats.vassal.commands import decode_command
from referee.formats.vassal.edit import Draft
from referee.formats.vassal.game import Save, read_save
from referee.formats.vassal.recognise import read_clock, roles_of
from referee.formats.vassal.sequence import encode
from referee.formats.vassal.set_tracker import Dial, dials, wind, wound
from referee.formats.vassal.turns import LevelDefinition, TrackerDefinition, read_turn
from tests.unit.formats.vassal.vassal_saves import ESC, SAVES, game_text

STEPS = ("Move", "Seekers", "Launch", "Fire")
NAMES = TrackerDefinition(
    "T",
    "Turn",
    (
        LevelDefinition(
            "counter", "Turn", (), (LevelDefinition("counter", "Impulse", (), (LevelDefinition("list", "Step", STEPS),)),)
        ),
    ),
)  # fmt: skip
SAVED = [path for path in SAVES if path.suffix in (".vsav", ".sav")]
Opens = Callable[[str], Save]


def counter(number: int, *below: str, most: int | None = None, active: int = 0) -> str:
    loops = "false" if most is None else "true"
    return encode([str(number), str(active), loops, str(-1 if most is None else most), *below], ";")


def listed(number: int, *below: str, of: int = 4, first: int = 0, off: tuple[int, ...] = ()) -> str:
    flags = ",".join("false" if n in off else "true" for n in range(of))
    return encode([str(number), "0", str(first), flags, *below], ";")


def tracker(*levels: str, active: int = 0) -> Turn:
    return Turn("T", encode([str(active), *levels], "|"))


def usual(turn: int = 1, impulse: int = 1, step: int = 0, **steps: Any) -> Turn:
    return tracker(counter(turn, counter(impulse, listed(step, **steps), most=16)))


def at(leaf: Turn, definition: TrackerDefinition | None = None) -> tuple[Any, ...]:
    state = read_turn(leaf, definition)
    assert state is not None
    clock = read_clock(state)
    return clock.turn, clock.impulse, clock.step_number


def turned(
    leaf: Turn,
    turn: int,
    impulse: int | None,
    step: int | None = None,
    definition: TrackerDefinition | None = None,
    *,
    ending: bool = False,
) -> Turn:
    """The tracker at another moment."""
    state = read_turn(leaf, definition)
    assert state is not None
    row = dials(leaf, definition)
    numbers = wind(row, roles_of(state), turn, impulse, lambda dial: step, ending=ending)
    return replace(leaf, state=wound(leaf, numbers))


@given(
    st.tuples(st.integers(1, 40), st.integers(1, 16), st.integers(0, 3)),
    st.tuples(st.integers(1, 40), st.integers(1, 16), st.integers(0, 3)),
)
def test_a_tracker_is_wound_to_any_moment(now: tuple[int, int, int], then: tuple[int, int, int]) -> None:
    wanted = usual(*then)
    assert turned(usual(*now), *then) == wanted
    assert at(wanted, NAMES) == (*then[:2], then[2] + 1)


def test_before_the_impulses_it_stands_at_its_beginning_and_after_them_at_its_end() -> None:
    assert turned(usual(2, 9, 3), 3, None) == usual(3, 1, 0)
    assert turned(usual(2, 9, 3, first=2), 3, None) == usual(3, 1, 2, first=2)
    assert turned(usual(2, 9, 3, first=2), 2, 16, ending=True) == usual(2, 16, 1, first=2)
    # A counter that begins with 0 stands there while energy is allocated, as the module tells or it does.
    from_nought = replace(NAMES.levels[0].levels[0], first=0)
    named = replace(NAMES, levels=(replace(NAMES.levels[0], levels=(from_nought,)),))
    assert turned(usual(2, 9, 3), 3, None, None, named) == usual(3, 0, 0)
    assert turned(usual(2, 0, 0), 3, None) == usual(3, 0, 0)


def test_a_list_of_impulses_and_a_tracker_of_turns_alone() -> None:
    named = TrackerDefinition(
        "T", "", (LevelDefinition("counter", "Turn", (), (LevelDefinition("list", "Impulse", ("1", "2", "3")),)),)
    )  # fmt: skip
    leaf = tracker(counter(1, listed(0, of=3)))
    state = read_turn(leaf, named)
    assert state is not None
    numbers = wind(dials(leaf, named), ("turn", "impulse"), 2, 3, lambda dial: None)
    assert wound(leaf, numbers) == tracker(counter(2, listed(2, of=3))).state
    assert turned(tracker(counter(4)), 7, 5) == tracker(counter(7))


@pytest.mark.parametrize(
    ("leaf", "to", "reason"),
    [
        (usual(), (2, 17, 0), "counts its counter from 1 to 16, not 17"),
        (usual(off=(2,)), (1, 2, 2), "entry 3 of its list is switched off"),
        (usual(), (1, 2, 4), "its list has 4 entries, none 5"),
        (usual(), (1, 2, None), "what its steps are called is not known"),
        (tracker(counter(1, counter(1, counter(3, listed(0))))), (2, 1, 0), "its counter would stand is not known"),
        (tracker(counter(1, listed(0), counter(1))), (1, 4, 0), "lie beside the level it stands in"),
        (tracker(counter(1, listed(0), counter(5), active=1)), (2, None, None), "levels side by side"),
        (Turn("T", "0|1;0"), (1, 2, 0), "not understood"),
        (Turn("T", "7|" + counter(1)), (2, 1, 0), "not understood"),
        (Turn("T", "0|'1;0;false;-1'"), (2, 1, 0), "not written as VASSAL writes it"),
    ],
)  # fmt: skip
def test_what_a_tracker_cannot_show_is_refused(
    leaf: Turn, to: tuple[int, int | None, int | None], reason: str
) -> None:
    with pytest.raises(BadInput, match=reason):
        read = read_turn(leaf)
        wind(dials(leaf), roles_of(read) if read else (), *to[:2], lambda dial: to[2])


def test_a_step_that_none_of_the_names_is() -> None:
    with pytest.raises(BadInput, match="none of its steps stands for that one"):
        turned(usual(), 1, 2, None, NAMES)


def test_levels_beside_the_one_it_stands_in_stay() -> None:
    leaf = tracker(counter(1, listed(2), counter(5, most=16), active=1), counter(9))
    assert turned(leaf, 3, 6) == tracker(counter(3, listed(2), counter(6, most=16), active=1), counter(9))


def test_levels_that_stand_there_are_not_written() -> None:
    state = read_turn(usual(2, 3, 1))
    assert state is not None
    assert wind(dials(usual(2, 3, 1)), roles_of(state), 2, 3, lambda dial: None) == {}


def test_names_of_levels_come_from_the_module() -> None:
    assert [(dial.called, dial.names) for dial in dials(usual(), NAMES)] == [
        ("Turn", ()),
        ("Impulse", ()),
        ("Step", STEPS),
    ]
    assert Dial("list", 0, "", (), 2, None, (True,) * 4, True).last == 1


def opened(path: Path) -> Save:
    return read_save(path.read_bytes(), path.name)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("path", SAVED or [None], ids=lambda p: p.name if p else "absent")
def test_of_every_save_the_tracker_alone_is_changed(path: Path | None) -> None:
    if path is None:
        pytest.skip("the shared saves are not here")
    save = opened(path)
    for leaf in save.turn_leaves:
        random = Random(path.name)
        for _ in range(20):
            turn, impulse, step = random.randint(1, 12), random.randint(1, 16), random.randint(0, 3)
            new = turned(leaf, turn, impulse, step)
            draft = Draft(save)
            draft.set_tracker(leaf.tracker, new.state)
            before, after = (list(decode_command(text).walk()) for text in (Draft(save).text, draft.text))
            different = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
            assert len(different) == (new != leaf) and all(b.startswith("TURN") for _, b in different)
            assert at(new)[:2] == (turn, impulse) and at(new)[2] in (None, step + 1)
            # And back again: the save to the byte.
            old = turned(new, *(at(leaf)[0], at(leaf)[1], (at(leaf)[2] or 1) - 1))
            assert old == leaf


@pytest.mark.parametrize("count", [0, 2])
def test_a_tracker_that_is_not_stored_once_is_refused(count: int, make_save: Callable[..., Save]) -> None:
    save = make_save(*["TURNTurnTracker0\t0|1;0;false;-1"] * count)
    with pytest.raises(BadInput, match="more than once" if count else "not stored as"):
        Draft(save).set_tracker("TurnTracker0", "0|2;0;false;-1")


def test_a_global_property_takes_a_value(make_save: Callable[..., Save]) -> None:
    save = make_save("GlobalProperty\t;Turn;3;Module", "GlobalProperty\t;Odd\\;one;x;Module")
    draft = Draft(save)
    draft.set_global("Turn", "4")
    assert draft.text == game_text("GlobalProperty\t;Turn;4;Module", "GlobalProperty\t;Odd\\;one;x;Module")
    with pytest.raises(BadInput, match="not stored in it"):
        draft.set_global("Nothing", "4")
    assert ESC in draft.text
