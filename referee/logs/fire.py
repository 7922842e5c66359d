"""Orders in the chat of a log: who gave them, and fire, launches and cloaks judged by their rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from referee.adjudicator.capacitor import phaser_energy
from referee.adjudicator.declared_fire import Cloaks, Declared
from referee.adjudicator.fire_seen import SeenFire
from referee.core.combat import Declaration, Unit
from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Report, merge_reports
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.orders import (
    Advance,
    Cloak,
    DroneHit,
    Fire,
    Help,
    Hit,
    HoldFire,
    ImpulseBegins,
    Launch,
    Order,
    OrderProblem,
    Seal,
    SetSpeed,
    Status,
    TurnBegins,
    Uncloak,
    Undo,
    UseBattery,
    orders_and_undone,
)
from referee.core.play import When
from referee.formats.orderlines import parse_chat_order
from referee.formats.vassal.game import Save
from referee.formats.vassal.gathered import ChatOrder, Logged, Noted
from referee.formats.vassal.recognise import ShipOnTable
from referee.formats.vassal.spoken import TypedLine, moment_named, tells_lock_on
from referee.logs.lock_on import LockSaid, lock_said, rolls_of_locks, with_dice
from referee.logs.owners import Owners, by_stranger, not_his, not_understood, without_counter
from referee.logs.ship_under_audit import ShipUnderAudit, shuttle_named, unit_seen, weapons_of, with_ids
from referee.rulebooks.base import NamedRules
from referee.sources.counters import seeker_kind

if TYPE_CHECKING:
    from referee.logs.retractions import Withdrawn

_DECLARED = Fire | Launch | Cloak | Uncloak | SetSpeed | Advance
"""What may be sealed in a secret note."""
_FOLLOWED = Fire | Launch | Hit | UseBattery | DroneHit | Cloak | Uncloak | HoldFire | SetSpeed | Advance
_OF_SHIPS = SetSpeed | Hit | UseBattery | Cloak | Uncloak | Seal


@frozen
class HeardOrder:
    """An order that stands, and the line it was said in."""

    order: Order
    sentence: ChatOrder
    place: Location
    owner: str = ""
    """The player who has the ship, where it is another than who said it."""

    @property
    def when(self) -> When:
        """When it was said."""
        return When(self.sentence.clock.turn, self.sentence.clock.impulse)


@frozen
class Undone:
    """Something said for a ship that was taken back: the line it was said in, and that of the `undo`."""

    order: Order | LockSaid
    sentence: ChatOrder
    undo: ChatOrder


@frozen
class Orders:
    """The orders in the chat of a log, and findings on those that were not understood; `unclear` are the steps of
    fire that was perhaps called off."""

    heard: tuple[HeardOrder, ...] = ()
    findings: tuple[Finding, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    locks: tuple[LockSaid, ...] = ()
    undone: tuple[Undone, ...] = ()
    unclear: frozenset[int] = frozenset()

    def of(self, *kinds: type) -> Iterator[HeardOrder]:
        """The orders of some kinds."""
        return (heard for heard in self.heard if isinstance(heard.order, kinds))

    def has(self, *kinds: type) -> bool:
        """Is there an order of some kinds?"""
        return any(isinstance(heard.order, kinds) for heard in self.heard)


OrderForTable = tuple[str, Mapping[str, Any], Location, When]
"""An order for the table: its kind, what it says, where and when."""


@frozen
class OrdersTold:
    """The orders of a log for the table, and what is said of those that are not."""

    events: tuple[OrderForTable, ...]
    remarks: Report


@frozen
class FireInLog:
    """What was fired in a log, impulse by impulse, with its shots, and the report on it. `locks_rolled` are the steps
    whose dice were for lock-on. `batteries` is the report on those ordered for fire."""

    rows: tuple[tuple[tuple[Declared, ...], Declaration], ...]
    launched: tuple[Declared, ...]
    report: Report
    locks_rolled: frozenset[int] = frozenset()
    cloaks: Cloaks | None = None
    batteries: Report = Report()


def hear(named: NamedRules, save: Save, logged: Logged, judged: list[ShipUnderAudit]) -> Orders:
    """The orders said in a log, less those taken back with `undo`."""
    if not logged.chat_orders:
        return Orders()
    if not judged:
        return Orders(
            not_checked=(NotChecked(named.fire, "no ship known here is in it: orders are not judged"),)
        )
    ships = {ship.ship.name: ship for ship in judged}
    owners = Owners(save.players, ships)
    there = tuple(ship.name for ship in logged.ships)
    meant = [(chat, _meant(chat, owners, ships, there, logged.file)) for chat in logged.chat_orders]
    back = _withdrawn(logged, meant)
    hearing = _Hearing(owners, back, logged.file)
    for sentence, order in meant:
        hearing.take(sentence, order)
    standing, undone = hearing.standing()
    heard, strange = hearing.by_ships(standing, ships)
    locks = list(_locks_said(standing, undone))
    return Orders(
        tuple(heard),
        (*hearing.findings, *(back.findings if back else ())),
        (*_notes_not_read(named, hearing.unread), *_not_of_ships(named, strange)),
        tuple(with_dice(locks, logged)) if locks else (),
        tuple(undone),
        frozenset(back.unclear if back else ()),
    )


Meant = Order | OrderProblem | LockSaid | None
"""What a sentence means; None for what is no order."""


class _Hearing:
    """Orders as they are heard, sentence by sentence, with those that are not understood, and the secret notes that say
    what is no order."""

    def __init__(self, owners: Owners, back: Withdrawn | None, file: str) -> None:
        self._owners, self._back, self._file = owners, back, file
        self._orders: list[Order | LockSaid] = []
        self._sentences: dict[int, ChatOrder] = {}
        self._moment: tuple[int, int] | None = None
        self.findings: list[Finding] = []
        self.unread: dict[tuple[str, str], None] = {}

    def take(self, sentence: ChatOrder, order: Meant) -> None:
        """The next sentence, unless its order was called off."""
        if sentence.clock.moment != self._moment:
            self._moment = sentence.clock.moment
            self._orders.append(ImpulseBegins(0))
        if order is not None:
            order = self._back.standing(sentence, order) if self._back is not None else order
            if order is None:
                return
            if owner := self._owners.of_another(order, sentence):
                order = not_his(sentence, order.ship, owner)  # type: ignore[union-attr]
        if sentence.note and not is_sealed(order, bare=sentence.bare):
            self.unread[sentence.note.name, sentence.note.owner] = None
        elif isinstance(order, OrderProblem):
            self._not_understood(order, sentence)
        elif order is not None:
            place = Location(self._file, step=sentence.step)
            self._orders.append(order if isinstance(order, LockSaid) else replace(order, location=place))
            self._sentences[id(self._orders[-1])] = sentence

    def _not_understood(self, problem: OrderProblem, sentence: ChatOrder) -> None:
        launched = any(isinstance(earlier, Launch) for earlier in self._orders)
        problem = without_counter(problem) if launched else problem
        lost = ":" not in problem.text and self._owners.stranger(sentence.line.player)
        place = Location(self._file, step=sentence.step)
        self.findings.append((by_stranger if lost else not_understood)(problem, sentence, place))

    def standing(self) -> tuple[list[Order | LockSaid], list[Undone]]:
        """The orders less those taken back with `undo`, and these."""
        if not any(isinstance(order, Undo) for order in self._orders):
            return self._orders, []
        standing, undone = orders_and_undone(self._orders)
        taken_back = []
        for undo, order in undone:
            sentence = self._sentences[id(undo)]
            if order is None:
                nothing = OrderProblem("undo", f"{undo.ship} has nothing to undo in this impulse")
                self.findings.append(not_understood(nothing, sentence, undo.location))
            else:
                taken_back.append(Undone(order, self._sentences[id(order)], sentence))
        return standing, taken_back

    def by_ships(
        self, standing: Iterable[Order | LockSaid], ships: Collection[str]
    ) -> tuple[list[HeardOrder], dict[str, list[str]]]:
        """The orders that stand, each with its sentence; and the steps of those for what is no ship known here."""
        heard: list[HeardOrder] = []
        strange: dict[str, list[str]] = {}
        for order in standing:
            sentence = self._sentences.get(id(order))
            if isinstance(order, LockSaid) or sentence is None:
                continue
            if isinstance(order, _OF_SHIPS) and order.ship not in ships:
                strange.setdefault(order.ship, []).append(str(sentence.step))
                continue
            player = sentence.line.player
            owner = self._owners.other(player, order.ship) if isinstance(order, Hit) else ""
            heard.append(HeardOrder(order, sentence, order.location, owner))
        return heard, strange


def _locks_said(standing: Iterable[Order | LockSaid], undone: Iterable[Undone]) -> Iterator[LockSaid]:
    """The tries for lock-on that stand, then those that were taken back: their dice stay rolled."""
    yield from (order for order in standing if isinstance(order, LockSaid))
    for back in undone:
        if isinstance(back.order, LockSaid):
            yield replace(back.order, undone=back.undo.step)


def _notes_not_read(named: NamedRules, unread: Iterable[tuple[str, str]]) -> Iterator[NotChecked]:
    for name, owner in unread:
        reason = f"what the secret note {name} says is judged only where it is an order"
        yield NotChecked(named.sequence, reason, owner)


def _not_of_ships(named: NamedRules, strange: Mapping[str, Sequence[str]]) -> Iterator[NotChecked]:
    for name, steps in strange.items():
        reason = f"the orders of step {', '.join(steps)} are for no ship known here"
        yield NotChecked(named.sequence, reason, name)


def _withdrawn(logged: Logged, meant: Iterable[tuple[ChatOrder, Meant]]) -> Withdrawn | None:
    """The orders of a log that were taken back, if any was."""
    if not logged.cancels and all(sentence.undone is None for sentence in logged.chat_orders):
        return None
    from referee.logs.retractions import Withdrawn

    return Withdrawn(logged, ((sentence, order) for sentence, order in meant if order is not None))


def _meant(
    chat: ChatOrder, owners: Owners, ships: Mapping[str, ShipUnderAudit], there: tuple[str, ...], file: str
) -> Meant:
    speaker = owners.speaker(chat.line.player)
    lock = lock_said(chat, speaker, there, file) if tells_lock_on(chat.line.text) else None
    return lock or order_of(chat.line, speaker, ships, there)


def is_sealed(order: Meant, *, bare: bool) -> bool:
    """Is a line of a secret note an order; one that is not begun as orders are, if it can be read as one?"""
    return isinstance(order, _DECLARED) or (isinstance(order, OrderProblem) and not bare)


def moment_of(noted: Noted) -> When:
    """The turn, and perhaps the impulse, a secret note is about, by its title or else its text."""
    turn, impulse = moment_named(noted.name)
    return When(turn, impulse) if turn is not None else When(*moment_named(noted.text))


def order_of(
    line: TypedLine, speaker: str, ships: Mapping[str, ShipUnderAudit], there: tuple[str, ...]
) -> Order | OrderProblem | None:
    """The order of a line; counters that are no ship known here, as drones, are `there` to be fired at."""
    chosen = ships[speaker].chosen if speaker else None
    text = with_ids(line.text, speaker, ships)
    names = tuple(dict.fromkeys((*ships, *there)))
    strange = [name for name in there if name not in ships]
    order = parse_chat_order(text, speaker, names, chosen, strange)
    if isinstance(order, OrderProblem) and chosen is not None:
        # A shuttle is no weapon box: what is launched is read as it was written.
        plain = parse_chat_order(text, speaker, names, counters=strange)
        if isinstance(plain, Launch) and shuttle_named(ships[speaker].rulebook, plain.weapon):
            return plain
    return order


def phasers_fired(orders: Orders, ship: ShipUnderAudit) -> dict[int, Fraction]:
    """The points a ship's phasers fired by the chat, turn by turn."""
    found: dict[int, Fraction] = {}
    for heard in orders.of(Fire):
        order, turn = heard.order, heard.when.turn
        assert isinstance(order, Fire)
        if order.ship != ship.ship.name or turn is None:
            continue
        try:
            mounts = weapons_of(order, ship)
        except BadInput:
            continue  # said with the fire itself
        found[turn] = found.get(turn, Fraction(0)) + phaser_energy(ship.rulebook, mounts)
    return found


# -- judged ------------------------------------------------------------------------------


def orders_told(logged: Logged, judged: list[ShipUnderAudit], orders: Orders) -> OrdersTold:
    """The fire, launches and cloaks among the orders as events of an account, with what was rolled for lock-on; what is
    not judged is named."""
    if not judged:
        return OrdersTold((), Report(not_checked=orders.not_checked))
    ships = {ship.ship.name: ship for ship in judged}
    findings = list(orders.findings)
    others = {ship.name: ship for ship in logged.ships if ship.name not in ships}
    events: list[OrderForTable] = [
        (
            kind,
            {"ship": fire.firer.name, "target": fire.target.name, "declared": fire, "order": ordered},
            fire.place,
            fire.when,
        )
        for kind, order in (("fire", Fire), ("launch", Launch))
        for ordered, fire in _declared(orders.of(order), ships, others, findings)
    ]
    events += _announced(orders)
    events += _locks(orders.locks, logged.file) if orders.locks else ()
    not_checked = (*orders.not_checked, *_not_judged(judged[0].rulebook.named, orders))
    return OrdersTold(tuple(events), Report(tuple(findings), not_checked=not_checked))


def fired_on(
    fire: SeenFire, orders: Orders, spoken: OrdersTold, misheard: Iterable[Finding] = ()
) -> FireInLog:
    """What was fired in a log, by the table it was judged on; orders of batteries that were `misheard` are not on it."""
    rolled = frozenset(lock.dice for lock in orders.locks if lock.dice)
    report = merge_reports([spoken.remarks, *fire.on_fire])
    batteries = merge_reports([Report(tuple(misheard)), *fire.on_batteries])
    return FireInLog(tuple(fire.rows), tuple(fire.launched), report, rolled, fire.cloaks, batteries)


def _announced(orders: Orders) -> Iterator[OrderForTable]:
    for heard in orders.of(Cloak, Uncloak):
        assert isinstance(heard.order, Cloak | Uncloak)
        to = "cloak" if isinstance(heard.order, Cloak) else "uncloak"
        yield "cloak", {"ship": heard.order.ship, "to": to, "order": heard.order}, heard.place, heard.when


def _locks(locks: Iterable[LockSaid], file: str) -> Iterator[OrderForTable]:
    for (ship, target, turn), (step, roll) in rolls_of_locks(locks).items():
        lock = {"ship": ship, "target": target, "turn": turn, "roll": roll}
        yield "lock", lock, Location(file, step=step), When(turn)


def _not_judged(named: NamedRules, orders: Orders) -> Iterator[NotChecked]:
    steps: dict[str, list[str]] = {}
    for heard in orders.heard:
        marker = isinstance(heard.order, TurnBegins | ImpulseBegins)
        if marker and not _agrees(heard):
            steps.setdefault("set the clock, which stands elsewhere", []).append(str(heard.sentence.step))
        elif not marker and not isinstance(heard.order, _FOLLOWED | Status | Help):
            steps.setdefault(type(heard.order).__name__.lower(), []).append(str(heard.sentence.step))
    for what, numbers in steps.items():
        yield NotChecked(named.sequence, f"the orders of step {', '.join(numbers)} to {what} are not judged")


def _agrees(heard: HeardOrder) -> bool:
    if isinstance(heard.order, TurnBegins):
        return heard.order.turn == heard.when.turn
    return isinstance(heard.order, ImpulseBegins) and heard.order.impulse == heard.when.impulse


def _declared(
    orders: Iterable[HeardOrder],
    ships: Mapping[str, ShipUnderAudit],
    others: Mapping[str, ShipOnTable],
    findings: list[Finding],
) -> Iterator[tuple[Order, Declared]]:
    """Fire and launches with what was known of firer and target; those that cannot be are reported."""
    # Fire of an impulse is at once: what it did to a ship by then is not yet felt, by itself or by other fire.
    first: dict[tuple[When, str], ChatOrder] = {}
    stood: dict[str, ShipOnTable] = {}
    for heard in orders:
        assert isinstance(heard.order, Fire | Launch)
        try:
            firer = _firer(heard, ships)
            mounts = weapons_of(heard.order, firer)
        except BadInput as error:
            problem = OrderProblem(heard.sentence.line.text, error.reason, error.hint)
            findings.append(not_understood(problem, heard.sentence, heard.place))
            continue
        target = ships.get(heard.order.target)
        if isinstance(heard.order, Fire) and heard.when.impulse is not None:
            first.setdefault((heard.when, heard.order.target), heard.sentence)
        began = first.get((heard.when, heard.order.target), heard.sentence)
        at = (
            unit_seen(target, heard.sentence, began, stood)
            if target
            else _stranger(heard.order.target, others, heard.sentence)
        )
        place = heard.place.within(piece=heard.order.ship)
        shield = heard.order.shield if isinstance(heard.order, Fire) else None
        player = heard.sentence.line.player
        by = unit_seen(
            firer, heard.sentence, first.get((heard.when, heard.order.ship), heard.sentence), stood
        )
        yield heard.order, Declared(by, at, mounts, heard.when, place, player, shield)


def _firer(heard: HeardOrder, ships: Mapping[str, ShipUnderAudit]) -> ShipUnderAudit:
    assert isinstance(heard.order, Fire | Launch)
    firer = ships.get(heard.order.ship)
    if firer is None:
        player = heard.sentence.line.player
        raise BadInput(f"which ship {player} speaks for is not known", hint="name it: SHIP: fire ...")
    return firer


def _stranger(name: str, others: Mapping[str, ShipOnTable], chat: ChatOrder) -> Unit:
    """A target that is no ship known here: where it stands, and whether it is a drone."""
    counter = others[name].counter if name in others else None
    stand = chat.stands.get(counter.id) if counter else None
    kind = "drone" if seeker_kind(name) == "drone" else "ship"
    return Unit(name, hex=stand.hex if stand else None, facing=stand.facing if stand else None, kind=kind)
