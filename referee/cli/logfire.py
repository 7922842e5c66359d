"""Orders in the chat of a log: who gave them, and fire declared in them judged by the rules of fire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.core.location import Location
from referee.core.naming import folded
from referee.core.orders import Fire, Help, OrderProblem, Status
from referee.core.play import When

if TYPE_CHECKING:
    from referee.adjudicator.logaudit import Declared
    from referee.cli.logs import Judged
    from referee.core.combat import Unit
    from referee.core.orders import Order
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.logged import Logged, Said


def judge_chat(save: Save, logged: Logged, judged: list[Judged]) -> Report:
    """The report on the orders in chat."""
    from dataclasses import replace

    from referee.adjudicator.logaudit import judge_fire

    if not judged:
        return Report(not_checked=(NotChecked("E1.0", "no ship known here is in it: orders are not judged"),))
    ships = {one.ship.name: one for one in judged}
    declared: list[Declared] = []
    findings: list[Finding] = []
    others: dict[str, None] = {}
    for said in logged.said:
        order = _order(said, save, ships)
        place = Location(logged.file, step=said.step)
        if isinstance(order, OrderProblem):
            findings.append(_not_understood(order, said, place))
        elif isinstance(order, Fire):
            try:
                declared.append(_declared(order, said, ships, logged.file))
            except BadInput as error:
                findings.append(
                    _not_understood(OrderProblem(said.line.text, error.reason, error.hint), said, place)
                )
        elif order is not None and not isinstance(order, Status | Help):
            others[type(order).__name__.lower()] = None
    book = judged[0].book
    energy = {name: {facts.turn: facts for facts in one.energy} for name, one in ships.items()}
    report = judge_fire(book, declared, energy, When(logged.start.turn, logged.start.impulse))
    return replace(
        report,
        findings=(*findings, *report.findings),
        not_checked=(*report.not_checked, *_not_judged(declared, others)),
    )


def _not_judged(declared: list[Declared], others: dict[str, None]) -> Iterator[NotChecked]:
    if declared:
        yield NotChecked(
            "E1.1", "which dice were rolled for which shot is not followed, nor the damage marked"
        )
    if others:
        yield NotChecked("B2.0", f"orders in chat to {', '.join(others)} are not judged")


def _order(said: Said, save: Save, ships: dict[str, Judged]) -> Order | OrderProblem | None:
    from referee.formats.orders import parse_chat_order

    speaker = _speaker(said.line.player, save, ships)
    chosen = ships[speaker].chosen if speaker else None
    return parse_chat_order(said.line.text, speaker, tuple(ships), chosen)


def _speaker(player: str, save: Save, ships: dict[str, Judged]) -> str:
    """The ship of a player's side, if it has only one."""
    sides = {folded(found.side) for found in save.players if found.name == player and not found.observes}
    own = [
        name
        for name, one in ships.items()
        if sides & {folded(one.chosen.race), *(folded(hint) for hint in one.ship.hints)}
    ]
    return own[0] if len(own) == 1 else ""


def _declared(order: Fire, said: Said, ships: dict[str, Judged], file: str) -> Declared:
    from referee.adjudicator.fire import weapons_named
    from referee.adjudicator.logaudit import Declared

    firer = ships.get(order.ship)
    if firer is None:
        raise BadInput(
            f"which ship {said.line.player} speaks for is not known", hint="name it: SHIP: fire ..."
        )
    target = ships.get(order.target)
    mounts = weapons_named(firer.book, firer.chosen, order.weapons)
    place = Location(file, piece=order.ship, step=said.step)
    when = When(said.clock.turn, said.clock.impulse)
    return Declared(_unit(firer, said), _unit(target, said) if target else _named(order), mounts, when, place)


def _named(order: Fire) -> Unit:
    from referee.core.combat import Unit

    return Unit(order.target)


def _unit(one: Judged, said: Said) -> Unit:
    """A ship as it stood, and as its display showed it, when the order was given."""
    from referee.adjudicator.seen import seen_state
    from referee.core.combat import Unit
    from referee.formats.vassal.recognise import as_it_stood

    ship = as_it_stood(one.ship, said.pieces, "", one.says)
    seen = seen_state(one.chosen, ship.boxes_left, ship.shields, one.book.table("box_labels"))
    stand = said.stands.get(one.ship.counter.id) if one.ship.counter else None
    state = seen.state if seen.power_seen else None
    return Unit(
        one.ship.name, one.chosen, state, stand.hex if stand else None, stand.facing if stand else None
    )


def _not_understood(problem: OrderProblem, said: Said, place: Location) -> Finding:
    return Finding(
        "NOTE/order",
        Severity.UNDECIDED,
        problem.reason,
        said.line.player,
        said.clock.turn,
        said.clock.impulse,
        place,
        found=problem.text,
        fix=problem.hint,
    )
