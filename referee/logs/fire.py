"""Orders in the chat of a log: who gave them, and fire, launches and cloaks judged by their rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from referee.adjudicator.capacitor import phaser_energy
from referee.adjudicator.declared_fire import Cloaks, Declared
from referee.adjudicator.fire import weapons_named
from referee.adjudicator.fire_seen import SeenFire
from referee.core.combat import Declaration, Unit
from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Report, merge_reports
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.naming import folded
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
from referee.core.ship import Mount
from referee.formats.orderlines import parse_chat_order
from referee.formats.vassal.game import Save
from referee.formats.vassal.gathered import ChatOrder, Logged, Noted
from referee.formats.vassal.recognise import ShipOnTable, as_it_stood
from referee.formats.vassal.spoken import TypedLine, moment_named, tells_lock_on
from referee.logs.lock_on import LockSaid, lock_said, rolls_of_locks, with_dice
from referee.logs.owners import Owners, by_stranger, not_his, not_understood, without_counter
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.rulebooks.base import NamedRules, Rulebook
from referee.sources.counters import seeker_kind
from referee.sources.ssd_display import seen_state

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
    """What was fired in a log: as declared, impulse by impulse, with its shots; the report on it; and the steps
    whose dice were rolled for lock-on. `batteries` is the report on those that were ordered for it."""

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
    orders: list[Order | LockSaid] = []
    sentences: dict[int, ChatOrder] = {}
    findings: list[Finding] = []
    unread: dict[tuple[str, str], None] = {}
    moment = None
    for sentence, ordered in meant:
        place = Location(logged.file, step=sentence.step)
        if sentence.clock.moment != moment:
            moment = sentence.clock.moment
            orders.append(ImpulseBegins(0))
        order = back.standing(sentence, ordered) if back is not None and ordered is not None else ordered
        if order is None is not ordered:
            continue
        if order is not None and (owner := owners.of_another(order, sentence)):
            order = not_his(sentence, order.ship, owner)  # type: ignore[union-attr]
        if sentence.note and not is_sealed(order, bare=sentence.bare):
            unread[sentence.note.name, sentence.note.owner] = None
        elif isinstance(order, OrderProblem):
            launched = any(isinstance(earlier, Launch) for earlier in orders)
            problem = without_counter(order) if launched else order
            lost = ":" not in problem.text and owners.stranger(sentence.line.player)
            findings.append((by_stranger if lost else not_understood)(problem, sentence, place))
        elif order is not None:
            orders.append(order if isinstance(order, LockSaid) else replace(order, location=place))
            sentences[id(orders[-1])] = sentence
    undoes = any(isinstance(order, Undo) for order in orders)
    standing, undone = orders_and_undone(orders) if undoes else (orders, [])
    locks = [order for order in standing if isinstance(order, LockSaid)]
    taken_back = []
    strange: dict[str, list[str]] = {}
    for undo, order in undone:
        said_in = sentences[id(undo)]
        if order is None:
            reason = f"{undo.ship} has nothing to undo in this impulse"
            findings.append(not_understood(OrderProblem("undo", reason), said_in, undo.location))
            continue
        taken_back.append(Undone(order, sentences[id(order)], said_in))
        if isinstance(order, LockSaid):
            locks.append(replace(order, undone=said_in.step))
    heard = []
    for order in standing:
        said_here = sentences.get(id(order))
        if isinstance(order, LockSaid) or said_here is None:
            continue
        if isinstance(order, _OF_SHIPS) and order.ship not in ships:
            strange.setdefault(order.ship, []).append(str(said_here.step))
            continue
        owner = owners.other(said_here.line.player, order.ship) if isinstance(order, Hit) else ""
        heard.append(HeardOrder(order, said_here, order.location, owner))
    lacks = [
        NotChecked(
            named.sequence, f"what the secret note {name} says is judged only where it is an order", owner
        )
        for name, owner in unread
    ]
    lacks += [
        NotChecked(named.sequence, f"the orders of step {', '.join(steps)} are for no ship known here", name)
        for name, steps in strange.items()
    ]
    tried = tuple(with_dice(locks, logged)) if locks else ()
    if back is None:
        return Orders(tuple(heard), tuple(findings), tuple(lacks), tried, tuple(taken_back))
    found, unclear = (*findings, *back.findings), frozenset(back.unclear)
    return Orders(tuple(heard), found, tuple(lacks), tried, tuple(taken_back), unclear)


def _withdrawn(
    logged: Logged, meant: Iterable[tuple[ChatOrder, Order | OrderProblem | LockSaid | None]]
) -> Withdrawn | None:
    """The orders of a log that were taken back, if any was."""
    if not logged.cancels and all(sentence.undone is None for sentence in logged.chat_orders):
        return None
    from referee.logs.retractions import Withdrawn

    return Withdrawn(logged, ((sentence, order) for sentence, order in meant if order is not None))


def _meant(
    chat: ChatOrder, owners: Owners, ships: Mapping[str, ShipUnderAudit], there: tuple[str, ...], file: str
) -> Order | OrderProblem | LockSaid | None:
    speaker = owners.speaker(chat.line.player)
    lock = lock_said(chat, speaker, there, file) if tells_lock_on(chat.line.text) else None
    return lock or order_of(chat.line, speaker, ships, there)


def is_sealed(order: Order | OrderProblem | LockSaid | None, *, bare: bool) -> bool:
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
    text = _by_id(line.text, speaker, ships)
    names = tuple(dict.fromkeys((*ships, *there)))
    strange = [name for name in there if name not in ships]
    order = parse_chat_order(text, speaker, names, chosen, strange)
    if isinstance(order, OrderProblem) and chosen is not None:
        # A shuttle is no weapon box: what is launched is read as it was written.
        plain = parse_chat_order(text, speaker, names, counters=strange)
        if isinstance(plain, Launch) and shuttle_named(ships[speaker].rulebook, plain.weapon):
            return plain
    return order


def _by_id(text: str, speaker: str, ships: Mapping[str, ShipUnderAudit]) -> str:
    """An order with the ids of weapons in place of the names a map says the module gives them."""
    module_map = next(iter(ships.values())).module_map
    if module_map is None or not any(ship.weapons for ship in module_map.ships):
        return text
    named, colon, _ = text.partition(":")
    meant = folded(named if colon else speaker)
    own = [ship for name, ship in ships.items() if folded(name) == meant]
    own = own or [ship for name, ship in ships.items() if meant and meant in folded(name)]
    listed = module_map.listed(own[0].ship.counter) if len(own) == 1 else None
    weapons = {folded(name): id for name, id in listed.weapons.items()} if listed else {}
    if not weapons:
        return text
    longest = sorted(listed.weapons if listed else (), key=len, reverse=True)
    names = "|".join(re.escape(name) for name in longest)
    weapon, at, target = text.partition(" at ")
    found = re.sub(rf"(?i)(?<!\w)(?:{names})(?!\w)", lambda match: weapons[folded(match[0])], weapon)
    return f"{found}{at}{target}"


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
            _unit(target, heard.sentence, began, stood)
            if target
            else _stranger(heard.order.target, others, heard.sentence)
        )
        place = heard.place.within(piece=heard.order.ship)
        shield = heard.order.shield if isinstance(heard.order, Fire) else None
        player = heard.sentence.line.player
        by = _unit(firer, heard.sentence, first.get((heard.when, heard.order.ship), heard.sentence), stood)
        yield heard.order, Declared(by, at, mounts, heard.when, place, player, shield)


def _firer(heard: HeardOrder, ships: Mapping[str, ShipUnderAudit]) -> ShipUnderAudit:
    assert isinstance(heard.order, Fire | Launch)
    firer = ships.get(heard.order.ship)
    if firer is None:
        player = heard.sentence.line.player
        raise BadInput(f"which ship {player} speaks for is not known", hint="name it: SHIP: fire ...")
    return firer


def shuttle_named(rulebook: Rulebook, name: str) -> Mount | None:
    """The shuttle a name means, by the book's name of it or its mark: `suicide shuttle`, `SS2`; None for what
    is no shuttle."""
    wording = folded(name)
    for type_, entry in rulebook.table("weapons")["weapons"].items():
        if entry.get("system") == "shuttle":
            mark = re.fullmatch(rf"(?:{folded(entry['name'])}|{folded(entry['prefix'])})([0-9a-z]?)", wording)
            if mark:
                return Mount(f"{entry['prefix']}/{mark[1].upper() or 1}", type_, "shuttle", "360")
    return None


def weapons_of(order: Fire | Launch, firer: ShipUnderAudit) -> tuple[Mount, ...]:
    """The weapons of an order. Raises BadInput for one the ship does not have."""
    shuttle = shuttle_named(firer.rulebook, order.weapon) if isinstance(order, Launch) else None
    if shuttle is not None:
        return (shuttle,)
    named = order.weapons if isinstance(order, Fire) else (order.weapon,)
    return weapons_named(firer.rulebook, firer.chosen, named)


def _stranger(name: str, others: Mapping[str, ShipOnTable], chat: ChatOrder) -> Unit:
    """A target that is no ship known here: where it stands, and whether it is a drone."""
    counter = others[name].counter if name in others else None
    stand = chat.stands.get(counter.id) if counter else None
    kind = "drone" if seeker_kind(name) == "drone" else "ship"
    return Unit(name, hex=stand.hex if stand else None, facing=stand.facing if stand else None, kind=kind)


def _unit(audited: ShipUnderAudit, chat: ChatOrder, began: ChatOrder, stood: dict[str, ShipOnTable]) -> Unit:
    """A ship as it stood when an order was given, and as its display showed it when the fire of the impulse
    `began`; `stood` holds how ships were seen last."""
    name = audited.ship.name
    ship = as_it_stood(audited.ship, began.pieces, "", audited.module_map, like=stood.get(name, audited.ship))
    stood[name] = ship
    counts = audited.shown.filled(ship.boxes_left, ship.shields, began.step)
    seen = seen_state(audited.chosen, *counts, audited.rulebook.table("box_labels"), audited.used)
    stand = chat.stands.get(audited.ship.counter.id) if audited.ship.counter else None
    known = seen.power_seen and not audited.shown.unknown(began.step)
    state = audited.truly(seen.state, began.step) if known else None
    return Unit(name, audited.chosen, state, stand.hex if stand else None, stand.facing if stand else None)
