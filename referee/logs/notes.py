"""Secret notes of a log: what they are about, judged as sealed declarations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from referee.adjudicator.impulse_steps import own_step
from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Report
from referee.core.orders import Cloak, Fire, Launch, OrderProblem, Uncloak
from referee.core.play import When
from referee.formats.vassal.game import Save
from referee.formats.vassal.gathered import Logged, Noted
from referee.formats.vassal.module import Module
from referee.formats.vassal.spoken import TypedLine, as_order
from referee.logs.fire import HeardOrder, Orders, is_sealed, moment_of, order_of
from referee.logs.owners import Owners
from referee.logs.secret_notes import AimedOrder, NoteSeen, held_to_notes, judge_notes
from referee.logs.ship_under_audit import ShipUnderAudit, step_name, weapons_of
from referee.logs.steps import KINDS, steps_told
from referee.rulebooks.base import NamedRules


def as_noted(
    orders: Orders, named: NamedRules, logged: Logged, judged: list[ShipUnderAudit], module: Module | None
) -> Orders:
    """The orders of a log, without those of secret notes that were said in chat too, or not given in the
    impulse they were sealed for; a module names the steps of the tracker."""
    ships = {ship.ship.name: ship for ship in judged}
    heard = orders.heard
    aimed: dict[int, AimedOrder] = {}
    in_step = _in_own_step(heard, ships, logged, module)
    for index, spoken in enumerate(heard):
        order, note = spoken.order, spoken.sentence.note
        if not isinstance(order, Fire | Launch | Cloak | Uncloak) or order.ship not in ships:
            continue
        aims: frozenset[tuple[str, str]] = frozenset()
        if isinstance(order, Fire | Launch):
            try:
                aims = frozenset((mount.id, order.target) for mount in weapons_of(order, ships[order.ship]))
            except BadInput:
                continue  # said with the order itself
        about = moment_of(note) if note else When()
        place = spoken.place.within(piece=order.ship)
        what = type(order).__name__.casefold()
        aimed[index] = AimedOrder(order.ship, what, spoken.when, aims, place, note.name if note else "", about, in_step(spoken))  # fmt: skip
    end = When(logged.end.turn, logged.end.impulse)
    held = held_to_notes(named, tuple(aimed.values()), When(logged.start.turn, logged.start.impulse), end)
    dropped = {index for n, index in enumerate(aimed) if n in held.dropped}
    return replace(
        orders,
        heard=tuple(spoken for index, spoken in enumerate(heard) if index not in dropped),
        findings=(*orders.findings, *(item for item in held.found if isinstance(item, Finding))),
        not_checked=(*(item for item in held.found if isinstance(item, NotChecked)), *orders.not_checked),
    )


def _in_own_step(
    heard: Iterable[HeardOrder], ships: Mapping[str, ShipUnderAudit], logged: Logged, module: Module | None
) -> Callable[[HeardOrder], bool]:
    """Whether an order was said in a step in which it is carried out, as far as the tracker tells steps."""
    rulebook = next(iter(ships.values())).rulebook
    names = filter(None, (step_name(spoken.sentence.clock) for spoken in heard))
    steps = steps_told(rulebook, logged, module, names) if logged.steps_taken else ()
    return lambda spoken: (
        own_step(rulebook, KINDS[type(spoken.order)], step_name(spoken.sentence.clock), steps) is not False
    )


def judge_secrets(named: NamedRules, logged: Logged, save: Save, judged: Sequence[ShipUnderAudit]) -> Report:
    """The report on all secret notes; private ones are named, and read by nobody."""
    ships = {ship.ship.name: ship for ship in judged}
    owners = Owners(save.players, ships)

    def seen(noted: Noted) -> NoteSeen:
        when = When(noted.clock.turn, noted.clock.impulse)
        about = moment_of(noted)
        return NoteSeen(
            noted.step,
            when,
            noted.name,
            noted.owner,
            noted.hidden,
            about,
            noted.text,
            _kinds(noted, owners, logged),
        )

    writers = ", ".join(name for name in logged.private if name) or "players"
    unread = NotChecked(named.sequence, f"private notes of {writers} are not read")
    end = When(logged.end.turn, logged.end.impulse)
    acted = _both_acted(logged, judged)
    found = list(
        judge_notes(named, map(seen, logged.noted), end, logged.file, lambda about: about.turn in acted)
    )
    return Report(
        findings=tuple(item for item in found if isinstance(item, Finding)),
        not_checked=(
            *(item for item in found if isinstance(item, NotChecked)),
            *((unread,) if logged.private else ()),
        ),
    )


def _both_acted(logged: Logged, judged: Sequence[ShipUnderAudit]) -> frozenset[int | None]:
    """The turns in which more than one ship moved, or more than one player gave orders in chat."""
    ships: dict[int | None, set[str]] = {}
    players: dict[int | None, set[str]] = {}
    for ship in judged:
        for change in logged.changes.get(ship.ship.counter.id, ()) if ship.ship.counter else ():
            ships.setdefault(change.clock.turn, set()).add(ship.ship.name)
    for sentence in logged.chat_orders:
        if sentence.note is None:
            players.setdefault(sentence.clock.turn, set()).add(sentence.line.player)
    return frozenset(turn for who in (ships, players) for turn, names in who.items() if len(names) > 1)


def _kinds(noted: Noted, owners: Owners, logged: Logged) -> frozenset[str]:
    """The kinds of orders in a secret note, `unclear` for what is begun as one and cannot be followed."""
    ships = owners.ships
    if not ships:
        return frozenset()
    speaker = owners.speaker(noted.owner)
    there = tuple(ship.name for ship in logged.ships)
    found = set()
    for text in filter(None, map(str.strip, noted.text.splitlines())):
        line = as_order(text, logged.module_map)
        order = order_of(TypedLine(noted.owner, line or f"!{text}"), speaker, ships, there)
        if is_sealed(order, bare=line is None):
            found.add("unclear" if isinstance(order, OrderProblem) else type(order).__name__.casefold())
    return frozenset(found)
