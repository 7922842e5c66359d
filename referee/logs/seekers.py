"""Seekers of a log: which counter a launch put on the map, where it flew, what it struck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from referee.adjudicator.declared_fire import Declared
from referee.adjudicator.flights import Flight, Flown
from referee.adjudicator.guidance_seen import Guide
from referee.adjudicator.guidance_seen import Launched as Drone
from referee.adjudicator.rolled_fire import Row
from referee.adjudicator.table import GameTable
from referee.core.account import FLEW, GUIDED, Event
from referee.core.combat import Moment, Seeker, Unit
from referee.core.finding import Finding, NotChecked, Report, merge_reports
from referee.core.play import Move
from referee.core.ship import Mount
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.moves import moves_of
from referee.formats.vassal.recognise import ShipOnTable
from referee.logs.damage_to_seekers import hits_on_seeker, unexplained
from referee.logs.fire import HeardOrder
from referee.logs.flight_ends import Ends, PutOnMap, stand_at
from referee.logs.guidance import Guiding
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.sources.asked import note
from referee.sources.counters import seeker_kind

Launched = tuple["Declared", "Mount"]


def seekers_flown(
    table: GameTable,
    logged: Logged,
    judged: list[ShipUnderAudit],
    counters: Iterable[ShipOnTable],
    launched: Iterable[Declared],
    rows: Iterable[Row],
    guiding: Guiding,
    misheard: Iterable[Finding] = (),
    reported: Sequence[HeardOrder] = (),
) -> Flown:
    """The flights of the seekers of a log, and of what ships guide them, told to the table; with what is to be said of
    them. `misheard` are findings on orders that were not understood, `reported` the damage players said fire did to
    seekers."""
    everything = [(declared, mount) for declared in launched for mount in declared.mounts]
    shuttles = [declared for declared, mount in everything if mount.system == "shuttle"]
    unfollowed = tuple(
        NotChecked(
            judged[0].rulebook.named.seekers,
            f"the shuttle launched in step {declared.place.step} is not followed: the sources say too little of it",
            declared.firer.name,
        )
        for declared in shuttles
    )
    waiting = [(declared, mount) for declared, mount in everything if mount.system != "shuttle"]
    if not waiting:
        return Flown(Report(not_checked=unfollowed))
    launches = tuple(waiting)
    lacking: list[NotChecked] = []
    rows = tuple(rows)
    found, strays = _launches_of(tuple(counters), logged, waiting)
    for ship in strays:
        reason = "which launch put it on the map is not known: its flight is not judged"
        lacking.append(NotChecked(judged[0].rulebook.named.seekers, reason, ship.name))
    ends = Ends(logged, guiding, table.beside.sensors, launches, strays, misheard)
    flights = [_flight(ship, entry, of, logged, rows, ends, reported) for ship, (entry, of) in found]
    strange = len(lacking)
    lacking += unexplained(judged[0].rulebook, rows, reported)
    for name in dict.fromkeys(declared.firer.name for declared, _ in waiting):
        lacking.append(
            NotChecked(
                judged[0].rulebook.named.seekers,
                "what became of the seekers it launched is not followed",
                name,
            )
        )
    for flight in flights:
        table.take(Event(flight.launch[0], FLEW, {"flight": flight}))
    flown = table.beside.seekers.flown
    report = replace(
        flown.report,
        findings=(*flown.report.findings, *_put_away(flown)),
        not_checked=(*flown.report.not_checked, *lacking, *unfollowed),
    )
    guides = _guides(launches, flown, strange, guiding)
    for guide in guides:
        table.take(Event(guide.drones[0].step, GUIDED, {"guide": guide}))
    return replace(flown, report=merge_reports([report, table.beside.guides.report()]))


def _put_away(flown: Flown) -> Iterator[Finding]:
    """Notes on the counters of seekers that are no more, dragged to a heap."""
    for followed in flown.followed:
        for move in followed.put_away:
            what = f"dragged to {move.to_hex} when it was no more: taken as put away"
            yield note("put-away", what, move.ship, location=move.location)


def _guides(launches: tuple[Launched, ...], flown: Flown, strange: int, guiding: Guiding) -> Iterator[Guide]:
    """The ships that launched drones, each with its own; `strange` counters of drones are nobody's."""
    flights = {followed.flight.launch: followed for followed in flown.followed}
    drones = [(declared, mount) for declared, mount in launches if mount.system == "drone"]
    for name in dict.fromkeys(declared.firer.name for declared, _ in drones):
        own = [(declared, mount) for declared, mount in drones if declared.firer.name == name]
        players = frozenset(declared.speaker for declared, _ in own)
        out = (
            Drone(declared.place.step or 0, declared.when, flights.get((declared.place.step or 0, mount.id)))
            for declared, mount in own
        )
        yield Guide(
            name,
            partial(guiding.tried, name, players),
            tuple(out),
            strange,
        )


def _launches_of(
    counters: tuple[ShipOnTable, ...], logged: Logged, waiting: list[Launched]
) -> tuple[list[tuple[ShipOnTable, tuple[PutOnMap, Launched]]], list[ShipOnTable]]:
    """The launch after which each counter came onto the map, taken off those `waiting`, and the counters of which it
    is not known. First come those put down where a ship stood that launched in the impulse. Then come those put down
    where no ship stood, in an impulse where a launch has no counter."""
    entries = {ship.name: _entries(ship, logged) for ship in counters}
    found: dict[str, tuple[PutOnMap, Launched]] = {}
    for elsewhere in (False, True):
        for ship in counters:
            if ship.name in found:
                continue
            fits = (
                (entry, (declared, mount))
                for entry in (reversed(entries[ship.name]) if elsewhere else entries[ship.name])
                for declared, mount in waiting
                if (declared.when.turn, declared.when.impulse) == entry.moment
                and declared.firer.hex is not None
                and _may_start(entry, declared, counters, logged, elsewhere=elsewhere)
                and _alike(ship, mount)
            )
            if pair := next(fits, None):
                found[ship.name] = pair
                waiting.remove(pair[1])
    both = [(ship, found[ship.name]) for ship in counters if ship.name in found]
    return both, [ship for ship in counters if ship.name not in found]


def _may_start(
    entry: PutOnMap, declared: Declared, counters: tuple[ShipOnTable, ...], logged: Logged, *, elsewhere: bool
) -> bool:
    """Did the ship of a launch stand where a counter was put down, or, `elsewhere`, no ship that is seen?"""
    if not elsewhere:
        return declared.firer.hex == entry.stand.hex
    step, seekers = declared.place.step or 0, {ship.name for ship in counters}
    ships = (ship.counter.id for ship in logged.ships if ship.counter and ship.name not in seekers)
    return all((stand := stand_at(logged, id, step)) is None or stand.hex != entry.stand.hex for id in ships)


def _alike(ship: ShipOnTable, mount: Mount) -> bool:
    """May a counter be what a rack or tube launches?"""
    kind = seeker_kind(ship.name)
    return kind not in ("plasma", "drone") or (kind == "plasma") == mount.type.startswith("plasma")


def _entries(ship: ShipOnTable, logged: Logged) -> list[PutOnMap]:
    """When and where a counter came onto the map, the last time before it moved in another impulse, and where it
    was dragged in that impulse; one that was masked or hidden since it came may have come when it was seen again."""
    id = ship.counter.id if ship.counter else ""
    arrived, began = logged.arrived.get(id), logged.began.get(id)
    found = [PutOnMap(arrived.moment, began)] if arrived and arrived.moment and began and began.hex else []
    strayed = True
    for change in logged.changes.get(id, ()):
        before, after = change.before.hex, change.after.hex
        moment = change.clock.moment
        if after is None:
            strayed = (id, change.step) in logged.strayed
        if before is None and after and moment:
            entry = PutOnMap(moment, change.after, change.step)
            found = [entry] if strayed else [*found, entry]
        elif before and after and before != after:
            if not found or moment is None or moment != found[-1].moment:
                break
            found.append(PutOnMap(moment, change.after, change.step))
    return found


def _flight(
    ship: ShipOnTable,
    entry: PutOnMap,
    of: Launched,
    logged: Logged,
    rows: tuple[Row, ...],
    ends: Ends,
    reported: Sequence[HeardOrder],
) -> Flight:
    declared, mount = of
    assert ship.counter and declared.firer.hex and entry.stand.hex
    since = tuple(c for c in logged.changes.get(ship.counter.id, ()) if c.step > entry.step)
    taken = [back for back in logged.taken_back if back.piece == ship.counter.id and back.first > entry.step]
    moves = moves_of({ship.name: since}, logged.file, {ship.name: taken})
    moves = replace(moves, moves=tuple(map(_without_taken_back, moves.moves)))
    facing = entry.stand.facing or "A"
    launched = Moment(declared.when.turn or 0, declared.when.impulse or 0)
    names = ship.name, mount.type, declared.firer.name, declared.target.name
    seeker = Seeker(*names, entry.stand.hex, facing, launched, at_launch=declared.target.hex)
    last = (moves.moves[-1].location.step if moves.moves else declared.place.step) or 0
    step = declared.place.step or 0
    away = entry.stand.hex != declared.firer.hex
    return Flight(
        seeker,
        moves.moves,
        _Target(declared, logged),
        ends.left(seeker, moves.gone, last),
        tuple(hits_on_seeker(ship.name, rows, reported)),
        (step, mount.id),
        guide=ends.guide_lost(seeker.owner),
        launched_from=declared.firer.hex if away else None,
        unseen=ends.unseen(seeker, moves),
        excuse=partial(ends.dragged, seeker),
        aimless=ends.aimless(seeker.target),
    )


def _without_taken_back(move: Move) -> Move:
    """A move of a seeker, without the drags taken back before: no order among seekers is held against them."""
    return replace(move, drags=tuple(drag for drag in move.drags if drag.until == move.location.step))


class _Target:
    """Where the target of a launch stood, step by step."""

    def __init__(self, declared: Declared, logged: Logged) -> None:
        self.unit, self.logged = declared.target, logged
        counters = [ship.counter for ship in logged.ships if ship.name == declared.target.name]
        self.id = counters[0].id if counters and counters[0] else ""

    def __call__(self, step: int) -> Unit:
        stand = stand_at(self.logged, self.id, step)
        return replace(self.unit, hex=stand.hex if stand else None, facing=stand.facing if stand else None)
