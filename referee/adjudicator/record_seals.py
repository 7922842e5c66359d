"""Sealed orders of a game record against what was done: moves (C1.3) and fire (E1.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Any

from referee.adjudicator.check import judge
from referee.adjudicator.chosen_anew import done_for, found_anew
from referee.adjudicator.fire import weapons_named
from referee.adjudicator.record_shots import other_shields
from referee.core.board import LoadShip
from referee.core.combat import Moment
from referee.core.errors import BadInput
from referee.core.finding import About, Finding, NotChecked, Report, Severity
from referee.core.forked import Forked
from referee.core.frozen import frozen
from referee.core.game import FireOrdered, GameState
from referee.core.location import Location
from referee.core.naming import folded
from referee.core.orders import Advance, Fire, ImpulseBegins, OrderProblem, ReadOrders, TurnBegins
from referee.core.seals import Seal
from referee.rulebooks.base import Rulebook

Made = Mapping[int, Mapping[tuple[str, int | None], str]]
"""How each ship moved in an impulse, by turn."""
Shot = tuple[str, str, int | None]
"""Weapon, target and the shield it was aimed at, where one was said."""


@frozen
class Sealed:
    """What a ship's sealed orders say, by impulse, and what of them was not understood. Fire is None where
    they say nothing of it."""

    seal: Seal
    moves: Mapping[int | None, tuple[str, ...]] = field(default_factory=dict)
    fire: Mapping[int | None, tuple[Shot, ...]] | None = None
    problems: tuple[OrderProblem, ...] = ()


class SealedOrders(Forked):
    """The sealed orders of a record as they are judged. `breaks` says whether fire ordered in a state would
    be against a rule, whoever orders it."""

    def __init__(
        self,
        rulebook: Rulebook,
        load_ship: LoadShip,
        read: ReadOrders,
        breaks: Callable[[FireOrdered, GameState], bool],
    ) -> None:
        self.rulebook = rulebook
        self.load_ship = load_ship
        self._read = read
        self._breaks = breaks
        self._then: dict[Moment, GameState] = {}
        self._left: list[Moment] = []
        """The impulses whose fire is declared no more, and which are not over."""
        self._passed: list[tuple[Seal, Moment]] = []
        """Shown orders whose impulse was over when the record held no fire as yet."""
        self._asked: dict[str, None] = {}
        self.filed: dict[tuple[str, int], int] = {}
        """The entries of the forms that were filed openly, where what was sealed before counts no more."""

    # -- as things are done --------------------------------------------------------------

    def moved(self, ship: str, way: str, state: GameState) -> list[Finding]:
        """What sealed orders that are shown already say against a move ordered now."""
        shown = (self.read_in(seal, state) for seal in _of_turn(state) if seal.ship == ship and seal.revealed)
        found = [self._move(sealed_orders, state.impulse, way) for sealed_orders in shown]
        return [finding for row in found for finding in row]

    def fired(self, order: FireOrdered, state: GameState) -> list[Finding]:
        """What sealed orders that are shown already say against fire ordered now."""
        found: list[Finding] = []
        shots = [(weapon, order.target, order.shield) for weapon in order.weapons]
        for seal in _of_turn(state):
            if seal.ship == order.ship and seal.revealed:
                found += self._fire(self.read_in(seal, state), state.impulse, shots, (), over=False)
        return found

    def leaving(self, state: GameState, to: tuple[int, int | None, str]) -> list[Finding]:
        """What is against moving on to a moment: fire that was sealed and shown and is not declared."""
        found: list[Finding] = []
        seals = _of_turn(state)
        for moment in self._fire_left(state, to) if seals else ():
            self._then[moment] = state
            self._left.append(moment)
        # Who fires on a table of his own tells what struck before the impulse is over.
        over = [moment for moment in self._left if state.fire or tuple(moment) != to[:2]]
        self._left = [moment for moment in self._left if moment not in over]
        for moment in over:
            for seal in seals:
                if not seal.revealed:
                    continue
                if _holds_fire(state):
                    found += self._missed(seal, moment, state)
                else:
                    self._passed.append((seal, moment))
        return found

    def _missed(self, seal: Seal, moment: Moment, state: GameState) -> list[Finding]:
        """What fire sealed for an impulse that is over says of the fire there was."""
        sealed_orders = self.read_in(seal, state)
        sealed = (sealed_orders.fire or {}).get(moment.impulse, ())
        shots = _shots_of(state, seal.ship, moment)
        made = [shot for shot in shots if any(_same(shot, sealed_shot) for sealed_shot in sealed)]
        # A weapon that fired otherwise than it was sealed to was told of when it did.
        used = {weapon for weapon, *_ in shots}
        possible = self._possible(sealed_orders, moment, self._then[moment])
        could = [shot for shot in possible if shot[0] not in used]
        return self._fire(sealed_orders, moment.impulse, made, could, over=True)

    def undeclared(self, state: GameState) -> Iterator[tuple[str, str]]:
        """Fire of the impulse that was sealed and shown and is still to be declared: of which ship, and what."""
        steps = self.rulebook.descriptor["sequence_of_play"]["steps_of"]["fire"]
        row = self.rulebook.offers.moments(self.rulebook, state.turn) if state.turn else []
        now = state.turn, state.impulse, state.step
        ahead = row[row.index(now) :] if now in row else []
        if state.impulse is None or not any(at == state.impulse and step in steps for _, at, step in ahead):
            return
        moment = Moment(state.turn, state.impulse)
        for seal in _of_turn(state):
            if not seal.revealed or seal.kind != "fire":
                continue
            used = {weapon for weapon, *_ in _shots_of(state, seal.ship, moment)}
            possible = self._possible(self.read_in(seal, state), moment, state)
            amiss = [shot for shot, _ in self.amiss(self.read_in(seal, state), state)]
            shots = [(*shot[:2], None) if shot in amiss else shot for shot in possible]
            if left := [_shot_text(shot) for shot in shots if shot[0] not in used]:
                yield seal.ship, ", ".join(left)

    def shown(self, seal: Seal, state: GameState, made: Made) -> list[Finding]:
        """Findings on moves and fire that differ from the sealed orders, now that these are shown in whole (C1.3,
        E1.1)."""
        sealed_orders = self.read_in(seal, state)
        found = [*self._problems(sealed_orders), *self._misses(sealed_orders, state)]
        then = made.get(seal.turn, {})
        for impulse in sealed_orders.moves:
            way = then.get((seal.ship, impulse))
            found += self._move(sealed_orders, impulse, way) if way is not None else []
        for impulse in sealed_orders.fire or {}:
            moment = Moment(seal.turn, impulse or 0)
            over = moment in self._then and moment not in self._left
            if over and not _holds_fire(state):
                self._passed.append((seal, moment))
                continue
            shots = _shots_of(state, seal.ship, moment)
            could = self._possible(sealed_orders, moment, self._then[moment]) if over else ()
            found += self._fire(sealed_orders, impulse, shots, could, over=over)
        return found

    def report(self, state: GameState, made: Made) -> Report:
        """The rules that were asked, and what is still sealed though its moment is past: not checked in its
        turn, and undecided after it. And what was shown and cannot be compared with anything."""
        found: list[Finding] = []
        unknown: list[NotChecked] = []
        sealed = state.in_force
        for form in sealed:
            if form.kind == "eaf" and not form.revealed:
                reason = f"the energy form of turn {form.turn} is sealed, and not all of it is shown"
                unknown.append(NotChecked(self.rulebook.named.energy, reason, form.ship))
        for seal in (seal for seal in sealed if seal.kind != "eaf"):
            key = self.rulebook.named.sealed.get(seal.kind, "NOTE/sealed")
            if seal.revealed:
                unknown += self._idle(self.read_in(seal, state), state, made)
            elif seal.turn < state.turn:
                found.append(_never_shown(seal, key))
            elif seal.impulse is None or seal.impulse <= (state.impulse or 0) or state.step == "end of turn":
                unknown.append(NotChecked(key, f"{_what(seal)} is not shown yet", seal.ship))
        if state.released:
            orders = partial(done_for, state=state, made=made, filed=self.filed)
            found += found_anew(
                self.rulebook, state, lambda seal: _acts(self.read_in(seal, state)), orders, self._by
            )
        return Report(tuple(found), tuple(self._asked), tuple(unknown))

    def passed(self, state: GameState) -> list[Finding]:
        """What sealed fire says of impulses that were over before the record told of any fire."""
        passed = self._passed if _holds_fire(state) else ()
        return [missed for seal, moment in passed for missed in self._missed(seal, moment, state)]

    def idle(self, state: GameState) -> Iterator[tuple[Seal, str]]:
        """Orders of the turn that were sealed and shown and hold their ship to nothing, or not to all they say,
        with the first reason."""
        for seal in _of_turn(state):
            if not seal.revealed:
                continue
            sealed_orders = self.read_in(seal, state)
            reasons = [finding.message.rpartition(": ")[2] for finding in self._problems(sealed_orders)]
            if seal.kind == "moves" and not (
                sealed_orders.moves if seal.impulse is None else seal.impulse in sealed_orders.moves
            ):
                reasons.append("no move is stated")
            if reasons:
                yield seal, reasons[0]

    # -- what they say -------------------------------------------------------------------

    def read_in(self, seal: Seal, state: GameState) -> Sealed:
        """What orders that are shown in whole say, read as the order language."""
        moves: dict[int | None, tuple[str, ...]] = {}
        fire: dict[int | None, tuple[Shot, ...]] = {}
        problems: list[OrderProblem] = []
        impulse = seal.impulse
        if seal.kind == "fire" and impulse is not None:
            fire[impulse] = ()  # who seals no fire holds it
        for order in self._read(_lines(seal), seal.ship, (*state.ships, *state.launched)):
            try:
                match order:
                    case OrderProblem():
                        problems.append(order)
                    case ImpulseBegins(impulse=number):
                        impulse = number
                    case TurnBegins(turn=turn) if turn == seal.turn:
                        impulse = seal.impulse
                    case Advance(ship=ship, way=way) if ship == seal.ship:
                        moves[impulse] = (*moves.get(impulse, ()), way)
                    case Fire(ship=ship) if ship == seal.ship:
                        fire[impulse] = (*fire.get(impulse, ()), *self._aimed(order, state))
                    case _:
                        name = type(order).__name__.casefold()
                        problems.append(OrderProblem(name, f"`{name}` is compared with nothing here"))
            except BadInput as error:
                problems.append(OrderProblem("fire", error.reason, error.hint))
        return Sealed(seal, moves, fire or None, tuple(problems))

    def _aimed(self, order: Fire, state: GameState) -> list[Shot]:
        """The shots of sealed fire, as the record names weapons and targets. Raises BadInput."""
        shown = self.load_ship(state.ship(order.ship).state.ship)
        marks = [mount.id for mount in weapons_named(self.rulebook, shown, order.weapons)]
        names = [name for name in (*state.ships, *state.launched) if folded(name) == folded(order.target)]
        if not names:
            raise BadInput(f"no ship {order.target}", hint=f"there are {', '.join(state.ships)}")
        return [(mark, names[0], order.shield) for mark in marks]

    def _problems(self, sealed_orders: Sealed) -> Iterator[Finding]:
        """What of moves and fire that were sealed cannot be compared with anything: of orders of a kind of
        the players' own nothing needs to be understood."""
        key = self.rulebook.named.sealed.get(sealed_orders.seal.kind, "")
        problems = (
            [(problem.text, problem.reason, problem.hint) for problem in sealed_orders.problems]
            if key
            else []
        )
        if (
            None in sealed_orders.moves
            or None in (sealed_orders.fire or ())
            or (key and not sealed_orders.moves and sealed_orders.fire is None)
        ):
            hint = "write `impulse N` above it, or seal it with --impulse"
            problems.append((sealed_orders.seal.kind, "for which impulse is not given", hint))
        problems += [
            (" and ".join(ways), f"{len(ways)} moves are sealed for impulse {impulse}", "")
            for impulse, ways in sealed_orders.moves.items()
            if len(ways) > 1 and impulse is not None
        ]
        for text, reason, hint in problems:
            yield Finding(
                key or "NOTE/sealed",
                Severity.UNDECIDED,
                f"what was sealed cannot be compared with what was done: {reason}",
                sealed_orders.seal.ship,
                sealed_orders.seal.turn,
                sealed_orders.seal.impulse,
                found=text,
                fix=hint,
            )

    def amiss(self, sealed_orders: Sealed, state: GameState) -> Iterator[tuple[Shot, tuple[int, ...]]]:
        """The sealed shots of this impulse that name a shield they do not strike, with those they do. Until its
        fire is declared nobody can tell: ships may still move."""
        steps = self.rulebook.descriptor["sequence_of_play"]["steps_of"]["fire"]
        if sealed_orders.seal.turn != state.turn or state.impulse is None or state.step not in steps:
            return
        moment = Moment(state.turn, state.impulse)
        for shot in (sealed_orders.fire or {}).get(state.impulse, ()):
            order = FireOrdered(0, sealed_orders.seal.ship, (shot[0],), shot[1], moment, shot[2])
            if struck := other_shields(self.rulebook, self.load_ship, state, order):
                yield shot, struck

    def _misses(self, sealed_orders: Sealed, state: GameState) -> Iterator[Finding]:
        for (weapon, target, shield), struck in self.amiss(sealed_orders, state):
            about = About(sealed_orders.seal.ship, sealed_orders.seal.turn, state.impulse)
            yield self.rulebook.offers.seen_fire.sealed_shield(about, weapon, target, shield, struck)

    # -- against what was done -----------------------------------------------------------

    def _move(self, sealed_orders: Sealed, impulse: int | None, way: str) -> list[Finding]:
        ways = sealed_orders.moves.get(impulse, ())
        if impulse is None or len(ways) != 1:
            return []
        seal = sealed_orders.seal
        facts = self.rulebook.offers.sealed_move(self.rulebook, seal.ship, seal.turn, impulse, ways[0], way)
        return self._by("sealed move", facts)

    def _fire(
        self,
        sealed_orders: Sealed,
        impulse: int | None,
        fired: Iterable[Shot],
        could: Iterable[Shot],
        *,
        over: bool,
    ) -> list[Finding]:
        """Fire against what was sealed; of that, once it is `over`, only shots that could be fired are missed."""
        if impulse is None or sealed_orders.fire is None or impulse not in sealed_orders.fire:
            return []
        sealed, fired = sealed_orders.fire[impulse], list(fired)
        if over:
            possible = set(could)
            sealed = tuple(
                shot for shot in sealed if shot in possible or any(_same(shot, other) for other in fired)
            )
        as_sealed = [next((other for other in sealed if _same(other, shot)), shot) for shot in fired]
        seal = sealed_orders.seal
        facts = self.rulebook.offers.sealed_fire(
            self.rulebook,
            seal.ship,
            seal.turn,
            impulse,
            tuple(map(_shot_text, sealed)),
            tuple(map(_shot_text, as_sealed)),
            over,
        )
        return self._by("sealed fire", facts)

    def _possible(self, sealed_orders: Sealed, moment: Moment, then: GameState) -> list[Shot]:
        """The sealed shots of an impulse that broke no rule as things stood when its fire was declared."""
        if sealed_orders.fire is None or then.ships[sealed_orders.seal.ship].state.dead:
            return []
        orders = [
            (shot, FireOrdered(0, sealed_orders.seal.ship, (shot[0],), shot[1], moment, shot[2]))
            for shot in sealed_orders.fire.get(moment.impulse, ())
        ]
        return [shot for shot, order in orders if not self._breaks(order, then)]

    def _by(self, subject: str, facts: Any) -> list[Finding]:
        rules = self.rulebook.rules_on(subject, "check")
        self._asked |= dict.fromkeys(rule.key for rule in rules)
        found = (item for rule in rules for item in judge(rule, self.rulebook, facts))
        return [item for item in found if isinstance(item, Finding)]

    def _fire_left(self, state: GameState, to: tuple[int, int | None, str]) -> list[Moment]:
        """The impulses whose fire is declared no more once the game has moved on."""
        steps = self.rulebook.descriptor["sequence_of_play"]["steps_of"]["fire"]
        now = state.turn, state.impulse, state.step
        row = self.rulebook.offers.moments(self.rulebook, state.turn) if state.turn else []
        if now not in row:
            return []
        end = row.index(to) if to in row else len(row) if to[0] > state.turn else 0
        return [
            Moment(state.turn, impulse)
            for _, impulse, step in row[row.index(now) : end]
            if step in steps and impulse is not None
        ]

    def _idle(self, sealed_orders: Sealed, state: GameState, made: Made) -> Iterator[NotChecked]:
        """What was sealed and shown in a record that does not hold the moves or the fire themselves."""
        seal = sealed_orders.seal
        if any(
            (seal.ship, impulse) not in made.get(seal.turn, ())
            for impulse in sealed_orders.moves
            if impulse is not None
        ):
            reason = "a sealed move was shown, and no move is in the record"
            yield NotChecked(self.rulebook.named.sealed["moves"], reason, seal.ship)
        if sealed_orders.fire is not None and any(sealed_orders.fire.values()) and not _holds_fire(state):
            reason = "sealed fire was shown, and no fire is in the record"
            yield NotChecked(self.rulebook.named.sealed["fire"], reason, seal.ship)


def _of_turn(state: GameState) -> list[Seal]:
    """The sealed orders of the turn that are in force, but energy forms."""
    return [seal for seal in state.in_force_in(state.turn) if seal.kind != "eaf"]


def _holds_fire(state: GameState) -> bool:
    """Is the fire of the game in its record? It is once any is; and from the first speed, move or launch on, as
    long as no volley is told of that no fire in the record accounts for."""
    if state.fire:
        return True
    by_word = any("of" not in data["volley"] for _, data in state.orders if "volley" in data)
    return state.keeps_play and not by_word


def _lines(seal: Seal) -> list[str]:
    """The lines of orders, in their order."""

    def number(name: str) -> tuple[int, str]:
        last = name.rpartition("_")[2]
        return (int(last) if last.isascii() and last.isdecimal() and len(last) < 9 else 0, name)

    return [str(seal.shown[name]) for name in sorted(seal.shown, key=number)]


def _shots_of(state: GameState, ship: str, moment: Moment) -> list[Shot]:
    """What a ship was ordered to fire in an impulse."""
    return [
        (weapon, order.target, order.shield)
        for order in state.fire
        if order.ship == ship and order.moment == moment
        for weapon in order.weapons
    ]


def _same(shot: Shot, other: Shot) -> bool:
    """Is it the same shot? A shield that one of them leaves open may be any."""
    return shot[:2] == other[:2] and (None in (shot[2], other[2]) or shot[2] == other[2])


def _shot_text(shot: Shot) -> str:
    return f"{shot[0]} at {shot[1]}" + ("" if shot[2] is None else f" on {shot[2]}")


def _acts(sealed_orders: Sealed) -> Sequence[str]:
    """What was sealed for the impulse of a seal: its move, or its shots."""
    seal = sealed_orders.seal
    if seal.kind == "moves":
        return sealed_orders.moves.get(seal.impulse, ())
    return [_shot_text((*shot[:2], None)) for shot in (sealed_orders.fire or {}).get(seal.impulse, ())]


def _what(seal: Seal) -> str:
    when = f"turn {seal.turn}" + ("" if seal.impulse is None else f", impulse {seal.impulse}")
    return f"what was sealed as {seal.kind} for {when}"


def _never_shown(seal: Seal, key: str) -> Finding:
    return Finding(
        key,
        Severity.UNDECIDED,
        f"{_what(seal)} was never shown: it counts as not sealed",
        seal.ship,
        seal.turn,
        seal.impulse,
        Location(record_line=seal.seq + 1),
        expected="shown in their turn",
        found="still sealed",
        fix=f'referee reveal --game RECORD --ship "{seal.ship}" --kind {seal.kind} --turn {seal.turn}'
        + ("" if seal.impulse is None else f" --impulse {seal.impulse}"),
    )
