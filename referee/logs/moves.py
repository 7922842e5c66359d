"""Moves of a log: judged by the rules of movement, and held against what was ordered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import zip_longest

from referee.adjudicator.table import GameTable
from referee.core.finding import About, Finding, NotChecked, Report, Severity
from referee.core.frozen import replace
from referee.core.hexgrid import FACINGS
from referee.core.location import Location
from referee.core.orders import Advance, Fire, Launch
from referee.core.play import Move, When
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.moves import Moves, PutRight, Walked, moves_of
from referee.formats.vassal.recognise import ShipOnTable
from referee.logs.course import any_moves, lurked
from referee.logs.dice import warning
from referee.logs.fire import Orders, moment_of
from referee.logs.ship_under_audit import ShipUnderAudit, rules_named
from referee.rulebooks.base import NamedRules
from referee.sources.asked import Asked, note

_WAYS = {0: "ahead", 1: "right", 5: "left"}


def moves_told(logged: Logged, judged: Iterable[ShipUnderAudit], walked: Walked | None = None) -> Moves:
    """The moves of the ships that are known; those that were `walked` before are as they were."""
    ids = {ship.ship.name: ship.ship.counter.id for ship in judged if ship.ship.counter}
    return _moves_of(logged, ids, walked)


def moves_seen(logged: Logged, counters: Iterable[ShipOnTable]) -> tuple[Move, ...]:
    """The moves of counters that are no ship known here, as drones."""
    return _moves_of(logged, {ship.name: ship.counter.id for ship in counters if ship.counter}).moves


def _moves_of(logged: Logged, ids: Mapping[str, str], walked: Walked | None = None) -> Moves:
    taken = {name: [back for back in logged.taken_back if back.piece == id] for name, id in ids.items()}
    return moves_of(
        {name: logged.changes.get(id, ()) for name, id in ids.items()}, logged.file, taken, walked
    )


def judge_moves(
    logged: Logged,
    judged: list[ShipUnderAudit],
    table: GameTable | None,
    strangers: list[ShipOnTable],
    asked: Asked,
    moves: Moves,
    *,
    named: bool,
) -> Report:
    """The report on all moves, once hexes have names."""
    rules = rules_named(judged, asked)
    if not any_moves(logged):
        return Report(not_checked=(NotChecked(rules.movement, _nothing_moves(logged)),))
    if not named:
        return Report(not_checked=(NotChecked(rules.movement, "hex names need --module"),))
    if table is None:
        return Report(not_checked=(NotChecked(rules.movement, "no ship known here moves in it"),))
    report = table.course.report()
    findings = (*report.findings, *_remarks(logged, judged, moves))
    ids = {ship.ship.name: ship.ship.counter.id for ship in judged if ship.ship.counter}
    not_checked = (
        *report.not_checked,
        *_not_judged(rules, moves, logged, strangers, _off_board(logged, judged), lurked(logged, ids, moves)),
    )
    return replace(report, findings=findings, not_checked=not_checked, ships=())


def _nothing_moves(logged: Logged) -> str:
    """Why no move is judged in a log in which no ship moves after play began."""
    placed = [ship.name for ship in logged.ships if ship.counter and ship.counter.id in logged.set_up]
    if not logged.set_up:
        return "no counter moves in it"
    who = ", ".join(placed) or "counters"
    return f"{who} moved before a form was filled in or the clock went on: taken as put in place, not judged; --start says when play begins"


def _remarks(logged: Logged, judged: list[ShipUnderAudit], moves: Moves) -> Iterator[Finding]:
    """Notes on what was taken as put in place, put right or taken back by hand, and warnings on a move put right
    after dice had been rolled."""
    for right in moves.put_right:
        place = Location(logged.file, piece=right.ship, step=right.step)
        passed = sum(right.first <= step < right.step for step in logged.ends.values())
        yield _righted(right, max(passed, right.late), place)
        if fell := [rolled.step for rolled in logged.rolled if right.first < rolled.step < right.step]:
            what = f"the move of step {right.first} was corrected after dice were rolled in step {fell[0]}"
            yield warning("undo-over-dice", what, right.ship, place)
    ids = {ship.ship.name: ship.ship.counter.id for ship in judged if ship.ship.counter}
    by_id = {id: name for name, id in ids.items()}
    if placed := [by_id[id] for id in logged.set_up if id in by_id]:
        yield note(
            "set-up",
            f"{', '.join(placed)} put in place before play began: not judged as moves",
            "",
            location=Location(logged.file),
        )
    righted = {(ids.get(right.ship), right.step) for right in moves.put_right}
    for back in logged.taken_back:
        if not back.undo and (back.piece, back.first) not in righted:
            yield note(
                "taken-back",
                f"the move of step {back.first} was taken back by hand",
                "",
                location=Location(logged.file, step=back.step),
            )


def _righted(right: PutRight, passed: int, place: Location) -> Finding:
    """What is said of a move put right after so many impulses had passed. In the same impulse it is a note, in the
    next a warning. Later it is undecided, and so it is where another hex was chosen then."""
    what = f"the move of step {right.first} was corrected"
    if not passed:
        return note("put-right", f"{what}: one move is judged", right.ship, location=place)
    message = f"{what} {passed} impulse{'s' * (passed != 1)} later: one move is judged"
    message += "; the first drag does not show where it was to go" if right.anew else ""
    late = passed > 1 or right.anew
    return About(right.ship, right.when.turn, right.when.impulse, place).finding(
        "NOTE/put-right-late",
        Severity.UNDECIDED if late else Severity.WARNING,
        message,
        fix="the umpire decides" if late else "correct a counter in its own impulse",
    )


def placed_for_fire(logged: Logged, orders: Orders) -> Iterator[Finding]:
    """Warnings on fire and launches declared while a counter was somewhere it was taken away from again."""
    ids = {ship.name: ship.counter.id for ship in logged.ships if ship.counter}
    for heard in orders.of(Fire, Launch):
        order = heard.order
        assert isinstance(order, Fire | Launch)
        what = "fire" if isinstance(order, Fire) else "launch"
        for name in dict.fromkeys((order.ship, order.target)):
            put = heard.sentence.misplaced.get(ids.get(name, ""))
            if put is None:
                continue
            seen, true = (f"{stand.hex}{stand.facing or ''}" for stand in (put.seen, put.true))
            found = warning(
                "placed-for-fire",
                f"put in {seen} when the {what} of step {heard.sentence.step} was declared, and taken away again: it is "
                f"judged in {true}",
                name,
                heard.place.within(piece=order.ship),
                fix="what was taken back is no place to fire from",
                turn=heard.when.turn,
            )
            yield replace(found, impulse=heard.when.impulse)


def _off_board(logged: Logged, judged: Iterable[ShipUnderAudit]) -> Iterator[str]:
    """The ships that lie on no hex of a board from first to last."""
    for ship in judged:
        id = ship.ship.counter.id if ship.ship.counter else ""
        if not id or logged.began[id].hex is not None:
            continue
        if all(change.after.hex is None for change in logged.changes.get(id, ())):
            yield ship.ship.name


def _not_judged(
    named: NamedRules,
    moves: Moves,
    logged: Logged,
    strangers: Iterable[ShipOnTable],
    lost: Iterable[str],
    lurked: Collection[str],
) -> Iterator[NotChecked]:
    for ship in dict.fromkeys(gone.ship for gone in moves.gone):
        away = [gone for gone in moves.gone if gone.ship == ship]
        if away[0].came:
            step = away.pop(0).step
            if ship in lurked:
                yield NotChecked(named.called, _out_of_sight("the start", step), ship)
            else:
                reason = (
                    f"comes to the table in step {step}: which impulses call it in that turn is not judged"
                )
                yield NotChecked(named.called, reason, ship)
        for gone, back in zip_longest(away[::2], away[1::2]):
            if back is None:
                reason = (
                    f"out of sight from step {gone.step}: which impulses call it in that turn is not judged"
                )
                yield NotChecked(named.called, reason, ship)
            else:
                yield NotChecked(named.called, _out_of_sight(f"step {gone.step}", back.step), ship)
    for name in lost:
        yield NotChecked(
            named.movement, "its counter lies on no hex of a board: its moves are not judged", name
        )
    if logged.unseen:
        which = "a hidden piece" if logged.unseen == 1 else f"{logged.unseen} hidden pieces"
        yield NotChecked(named.movement, f"what is done with {which} is not judged")
    moved = [
        ship.name
        for ship in strangers
        if ship.counter and any(change.before.hex for change in logged.changes.get(ship.counter.id, ()))
    ]
    if moved:
        reason = f"what {', '.join(sorted(set(moved)))} are is not known: their moves are not judged"
        yield NotChecked(named.movement, reason)


def _out_of_sight(since: str, back: int) -> str:
    return (
        f"out of sight from {since} to step {back}: in which impulses it moved between is not judged, and whether it "
        "turned as its turn mode lets it only by where it came back"
    )


# -- moves that were ordered -------------------------------------------------------------


def judge_ordered(moves: Iterable[Move], orders: Orders, logged: Logged) -> Iterator[Finding]:
    """Findings on moves of ships and seekers that differ from their orders, and on orders without a move. Orders in
    chat give warnings, orders sealed for an impulse undecided findings."""
    ordered = tuple(orders.of(Advance))
    made: dict[tuple[str, When], list[Move]] = {}
    for move in moves if ordered else ():
        made.setdefault((move.ship, move.when), []).append(move)
    followed: dict[tuple[str, str, When], int] = {}
    start, end = (When(clock.turn, clock.impulse) for clock in (logged.start, logged.end))
    for heard in ordered:
        order, sealed = heard.order, heard.sentence.note
        assert isinstance(order, Advance)
        about = moment_of(sealed) if sealed else heard.when
        named = about.turn is not None and about.impulse is not None
        when = about if named else heard.when
        if sealed and named and (_before(when, start) or not _before(when, end)):
            continue  # it is of another log, or not over
        # An order sealed and said in chat too is of one move.
        key = sealed.name if sealed else "", order.ship, when
        number = followed[key] = followed.get(key, -1) + 1
        row = made.get((order.ship, when), [])[number:]
        went = _way(row[0]) if row else None
        if not row and when.impulse is not None and logged.end.moment != (when.turn, when.impulse):
            message = f"ordered to go {order.way}, did not move"
        elif went is not None and went != order.way:
            message = f"ordered to go {order.way}, went {went}"
        else:
            continue
        of = About(order.ship, when.turn, when.impulse, heard.place)
        if sealed and named:
            yield _not_as_sealed(of, message, order.way, went, sealed.name)
        else:
            yield of.finding("NOTE/not-as-ordered", Severity.WARNING, message, fix="move as was said")


def _before(moment: When, other: When) -> bool:
    """Is a moment before another, as far as both are known?"""
    if moment.turn is None or other.turn is None:
        return False
    return (moment.turn, moment.impulse or 0) < (other.turn, other.impulse or 0)


def _way(move: Move) -> str | None:
    if move.facing_before is None or move.facing_after is None:
        return None
    turned = (FACINGS.index(move.facing_after) - FACINGS.index(move.facing_before)) % len(FACINGS)
    return _WAYS.get(turned, "about")


def _not_as_sealed(about: About, message: str, way: str, went: str | None, name: str) -> Finding:
    """What is found of a move that was sealed in a secret note of a name."""
    return about.finding(
        "NOTE/not-as-sealed",
        Severity.UNDECIDED,
        f"{message}: the secret note {name} was sealed for that impulse",
        expected=way,
        found=went or "no move",
        fix="what was sealed stands; the umpire decides",
    )
