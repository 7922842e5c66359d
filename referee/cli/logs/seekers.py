"""Seekers of a log: which counter a launch put on the map, where it flew, what it struck."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.cli.logs.judged import seeker_kind
from referee.core.finding import NotChecked, Report, merge_reports

if TYPE_CHECKING:
    from referee.adjudicator.firelog import Declared
    from referee.adjudicator.guidancelog import Guide
    from referee.adjudicator.resultlog import Row
    from referee.adjudicator.seekerlog import Flight, Flown, Harm
    from referee.cli.logs.guidance import Sensors
    from referee.cli.logs.judged import Judged
    from referee.core.combat import Unit
    from referee.core.ship import Mount
    from referee.formats.modulemap import ModuleMap
    from referee.formats.vassal.gathered import Logged
    from referee.formats.vassal.recognise import ShipOnTable

Launched = tuple["Declared", "Mount"]


def judge_seekers(
    logged: Logged,
    judged: list[Judged],
    counters: Iterable[ShipOnTable],
    launched: Iterable[Declared],
    rows: Iterable[Row],
    sensors: Sensors,
) -> Flown:
    """What is to be said of the seekers of a log, and of the ships that guide them."""
    from referee.adjudicator.guidancelog import judge_guides
    from referee.adjudicator.seekerlog import Flown, judge_flights

    everything = [(one, mount) for one in launched for mount in one.mounts]
    shuttles = [one for one, mount in everything if mount.system == "shuttle"]
    unfollowed = tuple(
        NotChecked(
            "F2.0",
            f"the shuttle launched in step {one.place.step} is not followed: the sources say too little of it",
            one.firer.name,
        )
        for one in shuttles
    )
    waiting = [(one, mount) for one, mount in everything if mount.system != "shuttle"]
    if not waiting:
        return Flown(Report(not_checked=unfollowed))
    launches = tuple(waiting)
    flights: list[Flight] = []
    lacking: list[NotChecked] = []
    rows = tuple(rows)
    for ship in counters:
        of = _launch_of(ship, logged, waiting)
        if of is None:
            reason = "which launch put it on the map is not told: its flight is not judged"
            lacking.append(NotChecked("F2.0", reason, ship.name))
            continue
        waiting.remove(of)
        flights.append(_flight(ship, of, logged, rows, sensors))
    strange = len(lacking)
    for name in dict.fromkeys(one.firer.name for one, _ in waiting):
        lacking.append(NotChecked("F2.0", "what became of the seekers it launched is not followed", name))
    flown = judge_flights(judged[0].book, flights, logged.ends, logged.file)
    report = replace(flown.report, not_checked=(*flown.report.not_checked, *lacking, *unfollowed))
    guides = _guides(launches, flown, strange, sensors)
    on_guides = judge_guides(judged[0].book, guides, logged.ends, logged.file)
    return replace(flown, report=merge_reports([report, on_guides]))


def _guides(launches: tuple[Launched, ...], flown: Flown, strange: int, sensors: Sensors) -> Iterator[Guide]:
    """The ships that launched drones, each with its own; `strange` counters of drones are nobody's."""
    from referee.adjudicator.guidancelog import Guide
    from referee.adjudicator.guidancelog import Launched as Drone

    flights = {one.flight.launch: one for one in flown.followed}
    drones = [(one, mount) for one, mount in launches if mount.system == "drone"]
    for name in dict.fromkeys(one.firer.name for one, _ in drones):
        own = [(one, mount) for one, mount in drones if one.firer.name == name]
        players = frozenset(one.speaker for one, _ in own)
        out = (
            Drone(one.place.step or 0, one.when, flights.get((one.place.step or 0, mount.id)))
            for one, mount in own
        )
        yield Guide(
            name,
            partial(sensors.rating, name),
            partial(sensors.tried, name, players),
            tuple(out),
            strange,
            sensors.hidden(name),
        )


def is_seeker(ship: ShipOnTable, says: ModuleMap | None) -> bool:
    """Is a counter a seeker: by the map, else by its name?"""
    if says and says.seeker and ship.counter:
        return says.seeker.fits(ship.counter)
    return bool(seeker_kind(ship.name))


def _launch_of(ship: ShipOnTable, logged: Logged, waiting: list[Launched]) -> Launched | None:
    """The launch after which a counter came onto the map, where the ship that launched it stood."""
    entry = _entry(ship, logged)
    if entry is None:
        return None
    when, stand = entry
    fits = (
        (one, mount)
        for one, mount in waiting
        if (one.when.turn, one.when.impulse) == when and one.firer.hex == stand.hex and _alike(ship, mount)
    )
    return next(fits, None)


def _alike(ship: ShipOnTable, mount: Mount) -> bool:
    """May a counter be what a rack or tube launches?"""
    kind = seeker_kind(ship.name)
    return kind not in ("plasma", "drone") or (kind == "plasma") == mount.type.startswith("plasma")


def _entry(ship: ShipOnTable, logged: Logged) -> tuple[tuple[int, int], Any] | None:
    """When and where a counter came onto the map, the last time before it moved."""
    id = ship.counter.id if ship.counter else ""
    arrived, began = logged.arrived.get(id), logged.began.get(id)
    found = (arrived.moment, began) if arrived and arrived.moment and began and began.hex else None
    for change in logged.changes.get(id, ()):
        if change.before.hex is None and change.after.hex and change.clock.moment:
            found = (change.clock.moment, change.after)
        elif change.before.hex and change.after.hex and change.before.hex != change.after.hex:
            break
    return found


def _flight(
    ship: ShipOnTable, of: Launched, logged: Logged, rows: tuple[Row, ...], sensors: Sensors
) -> Flight:
    from referee.adjudicator.seekerlog import Flight
    from referee.core.combat import Moment, Seeker
    from referee.formats.vassal.moves import moves_of

    one, mount = of
    assert ship.counter and one.firer.hex
    told = moves_of({ship.name: logged.changes.get(ship.counter.id, ())}, logged.file)
    entry = _entry(ship, logged)
    facing = (entry[1].facing if entry else None) or "A"
    launched = Moment(one.when.turn or 0, one.when.impulse or 0)
    seeker = Seeker(ship.name, mount.type, one.firer.name, one.target.name, one.firer.hex, facing, launched)
    last = told.moves[-1].location.step if told.moves else one.place.step
    left = next((gone.step for gone in told.gone if not gone.came and gone.step > (last or 0)), None)
    step = one.place.step or 0
    return Flight(
        seeker,
        told.moves,
        _Target(one, logged),
        left,
        tuple(_harm(ship.name, rows)),
        (step, mount.id),
        sensors.unlocked(seeker, step),
    )


def _harm(name: str, rows: Iterable[Row]) -> Iterator[Harm]:
    """What was fired at a seeker."""
    from referee.adjudicator.seekerlog import Harm

    for row in rows:
        for declared, shot, result in row.shots():
            if shot.target.name == name:
                points = None if result is None else result.damage
                phaser = bool(shot.mount and shot.mount.system == "phaser")
                yield Harm(declared.place.step or 0, points, phaser)


class _Target:
    """Where the target of a launch stood, step by step."""

    def __init__(self, one: Declared, logged: Logged) -> None:
        self.unit = one.target
        counters = [ship.counter for ship in logged.ships if ship.name == one.target.name]
        id = counters[0].id if counters and counters[0] else ""
        self.began = logged.began.get(id)
        self.changes = logged.changes.get(id, ())
        self.steps = [change.step for change in self.changes]

    def __call__(self, step: int) -> Unit:
        before = bisect_left(self.steps, step)
        stand = self.changes[before - 1].after if before else self.began
        return replace(self.unit, hex=stand.hex if stand else None, facing=stand.facing if stand else None)
