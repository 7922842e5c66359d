"""Figures that a source states of its own accord: ranges, the damage of fire, shields left. They are no play, and are
held against what was played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from referee.adjudicator.check import judge_all
from referee.adjudicator.record_fire import RecordFire
from referee.adjudicator.record_forms import reinforcement_known
from referee.core.account import Event
from referee.core.finding import Finding, NotChecked, Report
from referee.core.forked import Forked
from referee.core.game import GameState
from referee.core.hexgrid import true_range
from referee.rulebooks.base import Rulebook

STATED = "stated"
"""The kind of an event that states a figure. No record holds it: it changes nothing."""


SHIELDS = range(1, 7)


class StatedFigures(Forked):
    """The figures stated in a game, each held against the game as it stands by then."""

    def __init__(self, rulebook: Rulebook, fire: RecordFire) -> None:
        self.rulebook = rulebook
        self.fire = fire
        self._checked: dict[str, None] = {}
        self._not_checked: dict[NotChecked, None] = {}
        self._seen: dict[str, int] = {}
        """The turn in which each ship's shields were last stated."""

    def take(self, event: Event, state: GameState) -> list[Finding]:
        """What is against a figure that is stated now."""
        return list(_HELD[event.data["what"]](self, event.data, state))

    def report(self) -> Report:
        """Which rules were asked, and what could not be told."""
        return Report(checked=tuple(self._checked), not_checked=tuple(self._not_checked))

    def _range(self, data: Mapping[str, Any], state: GameState) -> Iterator[Finding]:
        ordered, stated = self.fire.ordered(data["fire"]), data["range"]
        if ordered is None:
            return
        declared = ordered.declared
        if declared.firer.hex is None or declared.target.hex is None:
            return
        counted = true_range(declared.firer.hex, declared.target.hex)
        # What the tables count is worked out only where the map does not bear the stated range out.
        aims = self._aims(data["fire"], state) if stated != counted else ()
        facts = self.rulebook.offers.range_stated(
            self.rulebook,
            f"{declared.firer.name} {declared.mounts[0].id}",
            declared.target.name,
            declared.when.turn,
            declared.when.impulse,
            str(declared.firer.hex),
            str(declared.target.hex),
            counted,
            aims[0].effective_range if aims else None,
            stated,
        )
        yield from self._asked("range stated", facts)

    def _damage(self, data: Mapping[str, Any], state: GameState) -> Iterator[Finding]:
        thrown: list[tuple[Any, ...]] = []
        facing: list[tuple[int, ...]] = []
        first = None
        for seq, roll, mode in data["shots"]:
            for aim in self._aims(seq, state):
                first = first or aim.shot
                thrown.append((aim.shot.weapon, aim.shot.type, aim.effective_range, roll, mode))
                facing.append(aim.shot.facing_shields)
        if first is None or len(thrown) < len(data["shots"]):
            return
        facts = self.rulebook.offers.damage_stated(
            self.rulebook,
            first.firer.name,
            data["ship"],
            first.turn,
            first.impulse,
            tuple(thrown),
            data["total"],
            dice=tuple(data.get("dice", ())),
            silent=data.get("silent", False),
            facing=tuple(facing),
            struck=data.get("struck", ()),
        )
        yield from self._asked("damage stated", facts)

    def _shields(self, data: Mapping[str, Any], state: GameState) -> Iterator[Finding]:
        name = data["ship"]
        mended = self._seen.get(name, state.turn) != state.turn
        self._seen[name] = state.turn
        bought = reinforcement_known(self.rulebook, state, name)
        left = state.ships[name].state.shields
        facts = self.rulebook.offers.shields_stated(
            self.rulebook,
            name,
            state.turn,
            state.impulse,
            [left[n] for n in SHIELDS],
            data["damage"],
            data["left"],
            mended,
            None if bought is None else [bought.get(n, 0) for n in (0, *SHIELDS)],
            self.fire.load_ship(state.ships[name].state.ship).shields,
        )
        yield from self._asked("shields stated", facts)

    def _aims(self, seq: int, state: GameState) -> Sequence[Any]:
        """The shots of an order of fire with all that the tables ask, as the ships stood; none where it was not taken."""
        ordered = self.fire.ordered(seq)
        stands = any(one.seq == seq for one in reversed(state.fire))
        return ordered.aims if ordered is not None and stands else ()

    def _asked(self, subject: str, facts: Any) -> Iterator[Finding]:
        rules = self.rulebook.rules_on(subject, "check")
        self._checked.update(dict.fromkeys(rule.key for rule in rules))
        for item in judge_all(rules, self.rulebook, facts):
            if isinstance(item, Finding):
                yield item
            else:
                self._not_checked[item] = None


_HELD: Mapping[str, Callable[[StatedFigures, Mapping[str, Any], GameState], Iterator[Finding]]] = {
    "range": StatedFigures._range,
    "damage": StatedFigures._damage,
    "shields": StatedFigures._shields,
}
