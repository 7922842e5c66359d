"""A game's movement while it is judged: the units, the moment, and what was found so far."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.core.account import NOWHERE
from referee.core.finding import Finding, NotChecked, Report
from referee.core.forked import Forked
from referee.core.frozen import replace
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import Move, ShipInPlay, at_speed, moved, put_by_ruling, turn_begun
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook

if TYPE_CHECKING:
    from referee.core.stretch import Stretch

_Rated = tuple[ShipClass | None, ShipInPlay]


class Track(Forked):
    """A game's movement as it is judged: feed it turns, impulses, speeds and moves in their order.

    With `at_once` the order of movement is judged with each move, by who has still to move in its impulse;
    else when the impulse ends, by who moved after whom.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        movers: Iterable[tuple[ShipClass | None, ShipInPlay]],
        *,
        absent: frozenset[str] = frozenset(),
        seals_shown: bool = True,
        at_once: bool = False,
    ) -> None:
        self.rulebook = rulebook
        self.movement = rulebook.offers.movement(rulebook)
        self.units: dict[str, ShipInPlay] = {}
        self.classes: dict[str, ShipClass | None] = {}
        for ship, unit in movers:
            self.units[unit.name], self.classes[unit.name] = unit, ship
        self.ships_moved: Callable[[Location], None] | None = None
        """Is called where all ships have moved that do in an impulse: then seekers do."""
        self.turn: int | None = None
        self.impulse: int | None = None
        self.findings: list[Finding] = []
        self.lapsed: list[Finding] = []
        """What was wrong only until an impulse was over: a foul may say it, and nobody owes one."""
        self.not_checked: dict[NotChecked, None] = {}
        self._untold_in: dict[NotChecked, set[tuple[int | None, int | None]]] = {}
        """The impulses in which something of a record is not known that no file tells: it is named once."""
        self.checked: dict[str, None] = {}
        self._judged: set[str] = set()
        self._silent = set(absent)
        self._untold = set(absent)
        self.seals_shown = seals_shown
        """Is it told of moves whether they were sealed?"""
        self._at_once = at_once
        self.movers: Callable[[], Collection[str] | None] | None = None
        """Tells the units that move in this impulse at all, where that is known beforehand."""
        self._rules = {
            subject: rulebook.rules_on(subject, "check")
            for subject in ("move", "impulse", "sequence", "turn", "hex named")
        }
        self._asked_always = {
            subject: [rule for rule in rules if not rule.passes] for subject, rules in self._rules.items()
        }
        """The rules that may have something against what is plain."""
        self._step_of = rulebook.offers.step_of
        self._moves: list[Any] = []
        """The moves of the impulse as its rules look at them, where they are judged when it is over."""
        self._moved: set[str] = set()
        self._before: tuple[tuple[ShipClass | None, ShipInPlay], ...] = ()
        self._steps: dict[str, str] = {}

    def _judge(self, subject: str, facts: Any, place: Location | None = None, *, plain: bool = False) -> None:
        """Asks the rules on a subject; of what is `plain` only those that may have something against it."""
        self._note_asked(subject)
        for rule in (self._asked_always if plain else self._rules)[subject]:
            for found in rule.decide(facts):
                item = rule.signed(found, self.rulebook.chain)
                if isinstance(item, Finding):
                    self.findings.append(replace(item, location=place) if place else item)
                else:
                    self.not_checked[item] = None
                    if subject == "impulse" and self._at_once and not self.seals_shown:
                        self._untold_in.setdefault(item, set()).add((self.turn, self.impulse))

    def _note_asked(self, subject: str) -> None:
        """The rules on a subject are among those that were checked from now on."""
        if subject not in self._judged:
            self._judged.add(subject)
            self.checked.update(dict.fromkeys(rule.key for rule in self._rules[subject]))

    def hex_named(self, subject: str, what: str, hex: Hex, place: Location) -> None:
        """A hex is named in words: a unit `is placed in` it, or `is struck from` it."""
        facts = self.rulebook.offers.hex_named(self.rulebook, subject, what, hex)
        self._judge("hex named", facts, place)

    def begin_turn(self, turn: int | None) -> None:
        """The next turn of play; call `end_impulse` before."""
        self.turn, self.impulse = turn, None
        self.units = {name: turn_begun(unit) for name, unit in self.units.items()}

    @property
    def taking_part(self) -> bool:
        """Is there a unit that is asked for its moves?"""
        return len(self._silent) < len(self.units)

    @property
    def all_take_part(self) -> bool:
        """Are all units asked for their moves?"""
        return not self._silent and not self._untold

    def stand_aside(self, name: str) -> None:
        """A unit is not asked for its moves until it takes part."""
        self._silent.add(name)

    def take_part(self, name: str) -> None:
        """From now on a unit is asked for its moves."""
        self._silent.discard(name)
        self._untold.discard(name)

    def ask(self, name: str) -> None:
        """A unit has a speed, and whether its moves are told is not known: the first one that is not, is."""
        self._untold.add(name)

    @property
    def asking(self) -> bool:
        """Is there a unit that is asked for its moves, or whose first move that is not known is?"""
        return self.taking_part or bool(self._untold)

    def left_out(self, impulse: int, names: Iterable[str], place: Location) -> None:
        """An impulse that is over, in which units that take part only now have not moved."""
        now, self.impulse = self.impulse, impulse
        units = [(self.classes[name], self.units[name]) for name in names]
        self._judge("impulse", self._impulse(place, units, ()))
        self.impulse = now

    def remove(self, name: str) -> None:
        """A unit is gone."""
        self.units.pop(name, None)
        self._silent.discard(name)
        self._untold.discard(name)
        self.excuse(name)

    def excuse(self, name: str) -> None:
        """A unit is not asked for its move of this impulse."""
        self._before = tuple(entry for entry in self._before if entry[1].name != name)

    def set_speed(self, name: str, speed: int | None) -> None:
        """A unit's speed of this turn, hexes a turn."""
        self.units[name] = at_speed(self.units[name], speed)

    def judge_speeds(self, places: Mapping[str, Location]) -> None:
        """Holds the speed of this turn of the units named, each said somewhere, against the one before."""
        for name, place in places.items():
            unit = self.units.get(name)
            if unit is not None and unit.speed is not None:
                facts = self.rulebook.offers.speed_facts(
                    self.movement, name, self.turn, None, place, self.classes[name], unit, unit.previous_speed
                )
                self._judge("turn", facts)

    def begin_impulse(self, impulse: int | None) -> None:
        """The next impulse of the turn."""
        self.impulse = impulse
        self._moves = []
        self._moved = set()
        self._steps = {}
        self._before = tuple([(self.classes[name], unit) for name, unit in self.units.items()])

    def seal(self, name: str, code: str) -> None:
        """A unit's owner has sealed its next move."""
        self.units[name] = replace(self.units[name], sealed=code)

    def sequence(
        self, verb: str, place: Location, ship: str = "", *, turn: int = 0, impulse: int = 0
    ) -> None:
        """Holds an order or marker against the sequence of play; `turn` and `impulse` are the last ones."""
        step = self._step_of(verb)
        done = self._steps.get(ship, "")
        facts = self.rulebook.offers.sequence_facts(
            self.movement, ship, self.turn, self.impulse, place, verb, step, done, turn, impulse
        )
        self._judge("sequence", facts)
        steps = self.movement.steps
        if step and (not done or steps.index(step) > steps.index(done)):
            self._steps[ship] = step

    def passed_over(self, ship: str) -> None:
        """What a ship did in this impulse is told of elsewhere, and its next order is held against none of it."""
        self._steps.pop(ship, None)

    def move(self, move: Move) -> None:
        """One move."""
        self._note_asked("move")
        unit = self.units[move.ship]
        again = unit.moved_on is not None and unit.moved_on == self.impulse
        plain = not again and self.movement.plain(unit, move, self.impulse)
        if not plain or self._asked_always["move"] or not self._at_once:
            facts = self._move_facts(unit, move, again)
            self._judge("move", facts, plain=plain)
            if not self._at_once:
                self._moves.append(facts)
        self._moved.add(move.ship)
        if self._at_once and not again and (plain or self.movement.called(unit, self.impulse) is not False):
            self._judge_order(unit, move)
        if unit.hex != move.from_hex or unit.facing != move.facing_before:
            unit = replace(unit, hex=move.from_hex, facing=move.facing_before)
        self.units[move.ship] = moved(unit, move.to_hex, move.facing_after, self.impulse)

    def put(self, name: str, hex: Hex, facing: str, *, to_move: bool) -> None:
        """A unit stands where a ruling says; in another hex it has moved in this impulse, unless it has still `to_move`."""
        before = self.units[name]
        self.units[name] = put_by_ruling(before, hex, facing, self.impulse, to_move=to_move)
        if hex != before.hex and not to_move:
            self._moved.add(name)
            self.excuse(name)

    def run(self, stretch: Stretch) -> None:
        """Units move as they are called, each in its turn: nothing is against that."""
        for subject in stretch.asked:
            self._note_asked(subject)
        self.units.update(stretch.units)
        if stretch.step is not None and stretch.step.data["impulse"] != self.impulse:
            self.begin_impulse(stretch.step.data["impulse"])
        self._moved |= stretch.moved

    def begin(self, turn: int, speeds: Mapping[str, int], *, over: bool) -> None:
        """A turn begins when all units have moved as they were called, with speeds against which there is nothing. Is
        an impulse `over` by that?"""
        if over:
            self._note_asked("impulse")
        if self.impulse is not None and self.impulse < self.movement.of:
            self.begin_impulse(self.movement.of)
        self.begin_turn(turn)
        for name, speed in speeds.items():
            self.set_speed(name, speed)
        if speeds:
            self._note_asked("turn")

    def fits(self, turn: int, unit: ShipInPlay, speed: int) -> bool:
        """Has no rule anything against a speed that a unit says as a turn begins?"""
        unit = at_speed(turn_begun(unit), speed)
        facts = self.rulebook.offers.speed_facts(
            self.movement, unit.name, turn, None, NOWHERE, self.classes[unit.name], unit, unit.previous_speed
        )
        return not any(True for rule in self._rules["turn"] for _ in rule.decide(facts))

    def _move_facts(self, unit: ShipInPlay, move: Move, again: bool) -> Any:
        return self.rulebook.offers.move_facts(
            self.movement,
            move.ship,
            self.turn,
            self.impulse,
            move.location,
            self.classes[move.ship],
            unit,
            move,
            again,
        )

    def _judge_order(self, unit: ShipInPlay, move: Move) -> None:
        """Judges whether a unit moves before those who have still to."""
        all_waiting = self._waiting(move.ship)
        # Where nobody waits there is no order: what an impulse alone tells is judged when it is over.
        known = self.movers() if self.movers is not None and all_waiting else None
        waiting = [each for each in all_waiting if known is None or each[1].name in known]
        plain = self._goes_first(unit, all_waiting)
        if plain and not self._asked_always["impulse"]:
            return
        facts = self._move_facts(unit, move, again=False)
        if waiting:
            self._judge("impulse", self._impulse(move.location, (), (facts,), waiting), plain=plain)
        if len(all_waiting) > len(waiting):
            self._note_lapsed(self._impulse(move.location, (), (facts,), all_waiting), move.location)

    def _goes_first(self, unit: ShipInPlay, waiting: Iterable[_Rated]) -> bool:
        """Does a unit come before all these for certain, and at the same time with none of them?"""
        rating = self.movement.rating
        own = rating(self.classes[unit.name], unit)
        others = (rating(ship, other) for ship, other in waiting)
        return own is not None and all(other is not None and own < other for other in others)

    def end_impulse(self, place: Location, complete: bool = True) -> None:
        """The moves of the impulse were made; with `complete` nobody moves in it any more.

        A unit none of whose moves are recorded is reported once.
        """
        if complete:
            self.seekers_move(place)
        moves = () if self._at_once else tuple(self._moves)
        self._over(place, self._before if complete else (), moves)

    def stayed(self, place: Location) -> None:
        """Judges who has not moved in an impulse that was ended incomplete."""
        self._over(place, self._before, ())

    def _over(self, place: Location, before: Sequence[_Rated], moves: Sequence[Any]) -> None:
        if self._silent:
            before = tuple(
                (ship, unit)
                for ship, unit in before
                if unit.name in self._untold or unit.name not in self._silent
            )
        called, impulse = self.movement.called, self.impulse
        waits = [unit for _, unit in before if unit.name not in self._moved and called(unit, impulse)]
        plain = not waits and len(moves) < 2
        if not plain or self._asked_always["impulse"] or "impulse" not in self._judged:
            self._judge("impulse", self._impulse(place, before, moves), plain=plain)
        if self._untold:
            self._untold -= {unit.name for _, unit in before if self.movement.called(unit, self.impulse)}

    def _impulse(
        self, place: Location, ships: Sequence[_Rated], moves: Sequence[Any], waiting: Sequence[_Rated] = ()
    ) -> Any:
        """An impulse as its rules look at it."""
        return self.rulebook.offers.impulse_facts(
            self.movement,
            "",
            self.turn,
            self.impulse,
            place,
            tuple(ships),
            tuple(moves),
            frozenset(self._silent),
            self.seals_shown,
            frozenset(self._moved),
            tuple(waiting),
        )

    def _note_lapsed(self, facts: Any, place: Location) -> None:
        """What was against a move when it was made, by units that then did not move at all."""
        for rule in self._rules["impulse"]:
            for found in rule.decide(facts):
                item = rule.signed(found, self.rulebook.chain)
                if isinstance(item, Finding) and item not in self.findings:
                    self.lapsed.append(replace(item, location=place))

    def _waiting(self, mover: str) -> list[_Rated]:
        """The units beside one that are called in this impulse and have not moved in it."""
        waiting = []
        for ship, before in self._before:
            if before.name == mover:
                continue
            unit = self.units[before.name]
            if (
                unit.moved_on != self.impulse
                and unit.name not in self._silent
                and self.movement.called(unit, self.impulse) is not False
                and unit.hex is not None
                and not self.movement.has_left(unit.hex)
            ):
                waiting.append((ship, unit))
        return waiting

    @property
    def to_move(self) -> tuple[str, ...]:
        """The units that are called in this impulse for certain, take part, and have not moved in it."""
        known = self.movers() if self.movers is not None else None
        waiting = (unit for _, unit in self._waiting("") if known is None or unit.name in known)
        return tuple(unit.name for unit in waiting if self.movement.called(unit, self.impulse))

    def seekers_move(self, place: Location) -> None:
        """The ships of the impulse have moved: its seekers move, those that have not."""
        if self.ships_moved is not None:
            self.ships_moved(place)

    def _counted(self, item: NotChecked) -> NotChecked:
        """What is not known, and in how many impulses where that is so in several."""
        count = len(self._untold_in.get(item, ()))
        return replace(item, reason=f"{item.reason} (in {count} impulses)") if count > 1 else item

    def report(self, extra: Iterable[Finding] = ()) -> Report:
        """All that was found."""
        rulebook = self.rulebook
        return Report(
            findings=(*extra, *self.findings),
            checked=tuple(self.checked),
            not_checked=tuple(map(self._counted, self.not_checked)),
            rulebook=rulebook.id,
            ships=tuple(
                {"name": name, "rulebook": rulebook.id}
                | ({"ship": ship.id, "class": ship.name} if ship else {})
                for name, ship in self.classes.items()
            ),
            options=rulebook.chosen,
        )


class Clock(Forked):
    """Carries a track from marker to marker; impulses nobody names are played too, empty."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.turn = 0
        self.furthest = 0
        self.is_open = False
        """Is an impulse begun that is still to be judged?"""

    def to_turn(self, turn: int, place: Location) -> None:
        """The next turn, once the rest of this one was played."""
        if self.turn:
            self.fill(self.track.movement.of, place)
        self.track.begin_turn(turn)
        self.turn, self.furthest = turn, 0

    def to_impulse(self, impulse: int, place: Location) -> None:
        """An impulse, once those before it were played. One played before is not judged again."""
        if impulse == self.track.impulse:
            return
        fits = self.furthest < impulse <= self.track.movement.of
        self.fill(impulse - 1 if fits else 0, place)
        self.track.begin_impulse(impulse)
        self.is_open = fits
        self.furthest = max(self.furthest, impulse) if fits else self.furthest

    def to_some_impulse(self, place: Location) -> None:
        """An impulse of this turn, nobody says which; what the turn's chart calls is no longer judged."""
        self.end(place)
        self.track.begin_impulse(None)
        self.furthest = self.track.movement.of

    def fill(self, last: int, place: Location) -> None:
        """Ends the impulse begun and plays those up to `last` without a move."""
        self.end(place)
        for impulse in range(self.furthest + 1, last + 1):
            self.track.begin_impulse(impulse)
            self.track.end_impulse(place)
            self.furthest = impulse

    def end(self, place: Location, complete: bool = True) -> None:
        """Ends the impulse begun, if it is still to be judged."""
        if self.is_open:
            self.track.end_impulse(place, complete)
        self.is_open = False
