"""The turn tracker of a save, wound to where a record stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.naming import folded
from referee.formats.vassal.recognise import (
    Clock,
    read_clock,
    read_properties,
    recognise,
    roles_of,
    tracker_told,
)
from referee.formats.vassal.trackers import named_turns
from referee.formats.vassal.turns import read_turn

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.edit import Draft
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.module import Module
    from referee.formats.vassal.set_tracker import Dial
    from referee.play.game_file import Game
    from referee.rulebooks.base import Rulebook


@frozen
class TrackerShown:
    """Where a record stands, as a tracker shows it: before the impulses there is none; the end of a turn is
    the last impulse's."""

    turn: int
    impulse: int | None
    step: str
    ending: bool = False

    @property
    def clock(self) -> tuple[int, int]:
        """Turn and impulse; a tracker that begins with impulse 1 stands there while energy is allocated."""
        return self.turn, self.impulse or 1


def wind_tracker(
    draft: Draft, save: Save, game: Game, module: Module | None, module_map: ModuleMap | None
) -> Iterator[str]:
    """Winds the tracker to the record's turn, impulse and step. Yields why where it stays as it is, and what it
    is wound to where it has none of that name."""
    held = module_map.properties if module_map else {}
    state, wanted = game.state, standing(game)
    if not save.turn_leaves and not held:
        if wanted is not None:
            at = f"turn {state.turn}, " + (
                f"impulse {state.impulse}" if state.impulse else state.step.replace("-", " ")
            )
            yield f"the time: the record is at {at}, and there is no turn tracker in the save"
        return
    clock = recognise(save, module, module_map).clock
    try:
        if wanted is None:
            raise BadInput("no turn of it has begun")
        nearest = _wind(draft, save, game.rulebook, wanted, module, module_map)
    except BadInput as error:
        hint = f" ({error.hint})" if error.hint else ""
        reached = f"the record is at turn {state.turn}, impulse {state.impulse or 0}"
        yield f"the turn tracker: it shows {_shown(clock)}, {reached}: {error.reason}{hint}"
        return
    if nearest is not None:
        step = wanted.step.replace("-", " ")
        as_shown = f"impulse {nearest.impulse or 0}" + (f", {nearest.step}" if nearest.step else "")
        yield f"the turn tracker: turn {wanted.turn}, {step}: it has no such step, the nearest is shown: {as_shown}"


def standing(game: Game) -> TrackerShown | None:
    """Where a record stands; None before its first turn."""
    state = game.state
    if not state.turn:
        return None
    found = TrackerShown(state.turn, state.impulse, state.step)
    if state.impulse is not None or not _after_impulses(game.rulebook, found):
        return found
    return replace(found, impulse=int(game.rulebook.option("impulses")), ending=True)


def _after_impulses(rulebook: Rulebook, at: TrackerShown) -> bool:
    moments = rulebook.offers.moments(rulebook, at.turn)
    row = [impulse for _, impulse, _ in moments]
    places = [n for n, moment in enumerate(moments) if moment[1:] == (None, at.step)]
    return bool(places) and any(impulse is not None for impulse in row[: places[0]])


def _wind(
    draft: Draft,
    save: Save,
    rulebook: Rulebook,
    at: TrackerShown,
    module: Module | None,
    module_map: ModuleMap | None,
) -> Clock | None:
    """Changes the draft; what it then shows where that is only the nearest to the moment, None where it is the
    moment itself or nothing changed. Raises BadInput, before any change, where the tracker cannot show it."""
    from referee.formats.vassal.set_tracker import dials, wind, wound

    tracker_seen = tracker_told(named_turns(save, module), module_map)
    if save.turn_leaves and tracker_seen is None:
        raise BadInput("its state is not understood")
    clock, tracker, state = Clock(), "", ""
    values = {item.name: item.value for item in save.properties}
    named = bool(module_map and module_map.properties.get("step") in values)
    if tracker_seen is not None:
        leaf = next(leaf for leaf in save.turn_leaves if leaf.tracker == tracker_seen.tracker)
        definition = module.tracker(leaf.tracker) if module else None
        row, roles = dials(leaf, definition), roles_of(tracker_seen, module_map)
        _hold_impulses(rulebook, row, roles)
        step = _step_told(rulebook, at, module_map)
        numbers = wind(row, roles, at.turn, at.impulse, step, ending=at.ending)
        lists = [dial for dial, role in zip(row, roles, strict=True) if role == "step"]
        named = named or any(step(dial) is not None for dial in lists)
        tracker, state = (leaf.tracker, wound(leaf, numbers)) if numbers else ("", "")
        new = read_turn(replace(leaf, state=state), definition) if numbers else tracker_seen
        clock = read_clock(new, module_map) if new else clock
    properties = _properties(rulebook, at, module_map, values)
    clock = read_properties(clock, {**values, **properties}, module_map)
    if clock.turn != at.turn or (clock.impulse is not None and (clock.impulse or 1) != (at.impulse or 1)):
        raise BadInput("none of its levels tells the turn" if clock.turn is None else "it cannot show that")
    for name, value in properties.items():
        draft.set_global(name, value)
    if tracker:
        draft.set_tracker(tracker, state)
    # Before and after the impulses an impulse is shown, the first or the last, where no name says which it is.
    outside = at.ending or at.impulse is None
    return clock if (tracker or properties) and outside and clock.impulse and not named else None


def _hold_impulses(rulebook: Rulebook, row: Sequence[Dial], roles: Sequence[str]) -> None:
    """Raises BadInput for a tracker of another turn than the record's."""
    of = int(rulebook.option("impulses"))
    for dial, role in zip(row, roles, strict=True):
        if role == "impulse" and dial.most not in (None, of):
            raise BadInput(f"it counts {dial.most} impulses a turn, the record {of}")


def _step_told(
    rulebook: Rulebook, at: TrackerShown, module_map: ModuleMap | None
) -> Callable[[Dial], int | None]:
    """Tells the entry of a list that stands for the record's step, None where its names do not."""

    def found(dial: Dial) -> int | None:
        return next((dial.names.index(name) for name in _called(rulebook, at, dial.names, module_map)), None)

    return found


def _called(
    rulebook: Rulebook, at: TrackerShown, names: Sequence[str], module_map: ModuleMap | None
) -> Iterator[str]:
    """Those of a tracker's names that stand for the record's step."""
    from referee.adjudicator.impulse_steps import steps_named

    for step in steps_named(rulebook, names, module_map.steps if module_map else {}):
        if folded(at.step) in map(folded, step.stands_for):
            yield step.name


def _properties(
    rulebook: Rulebook, at: TrackerShown, module_map: ModuleMap | None, values: Mapping[str, str]
) -> dict[str, str]:
    """The global properties that a map says hold the time, where they must change."""
    held = {
        role: name for role, name in (module_map.properties if module_map else {}).items() if name in values
    }
    impulse = held.get("impulse", "")
    first = "0" if values.get(impulse, "").strip() == "0" else "1"
    wanted = {held.get("turn", ""): str(at.turn), impulse: str(at.impulse or first)}
    wanted = {name: value for name, value in wanted.items() if name and values[name].strip() != value}
    name = held.get("step", "")
    called = (
        next(_called(rulebook, at, tuple(module_map.steps), module_map), "") if module_map and name else ""
    )
    if name and values[name].strip() != called:
        if not called and not wanted:
            return {}
        if not called:
            raise BadInput(f"what its step {at.step} is called is not known", hint="tracker.steps of the map")
        wanted[name] = called
    return wanted


def _shown(clock: Clock) -> str:
    return "is not known" if clock.turn is None else f"turn {clock.turn}, impulse {clock.impulse or 0}"
