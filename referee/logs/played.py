"""What was done in a log, worked out once from its reading: moves, speeds, fire with its dice, flights and damage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from referee.adjudicator.fire_seen import SeenFire
from referee.adjudicator.table import GameTable
from referee.core.account import Account
from referee.core.finding import Finding, Report
from referee.core.frozen import frozen
from referee.core.orders import DroneHit
from referee.formats.vassal.moves import Moves
from referee.formats.vassal.recognise import ShipOnTable
from referee.logs.batteries import batteries_told
from referee.logs.course import account_told, any_moves, classes_of
from referee.logs.damage import Damage, judge_marks, markings, strikes_said
from referee.logs.dice_pairing import Paired
from referee.logs.fire import Fired, fired_on, orders_told
from referee.logs.flights import Flown
from referee.logs.guidance import Sensors
from referee.logs.hypotheses import Spare, Table, rows_fired
from referee.logs.moves import moves_told
from referee.logs.reading import LogRead
from referee.logs.repairs import Marking
from referee.logs.seekers import judge_seekers
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.logs.speeds import SpeedTold, speeds_told
from referee.logs.spoken_results import Row
from referee.logs.standing import Standing
from referee.sources.counters import is_seeker


@frozen
class Volleys:
    """The fire of a log by what its dice came to: row by row, how they were paired, and what it did."""

    rows: tuple[Row, ...]
    paired: Paired
    flown: Flown
    damage: Damage


@frozen
class Played:
    """What was done with the ships of a log. Of `volleys` there are none where nothing was fired, rolled or marked.
    The `seekers` are counters that launches put on the map, `others` are strange. Of the `table` and the `account` it
    judges there is none where no ship is known."""

    ships: list[ShipUnderAudit]
    told: Moves
    speeds: tuple[SpeedTold, ...]
    fired: Fired
    seekers: list[ShipOnTable]
    others: list[ShipOnTable]
    table: GameTable | None = None
    account: Account | None = None
    marks: Mapping[str, tuple[Marking, ...]] = field(default_factory=dict)
    volleys: Volleys | None = None

    @property
    def flown(self) -> Flown:
        """How seekers flew."""
        return self.volleys.flown if self.volleys else Flown()

    @property
    def damage(self) -> Damage:
        """What struck the ships, and what was taken off their displays for nothing."""
        return self.volleys.damage if self.volleys else Damage(Report())


def played(read: LogRead, ships: Iterable[ShipUnderAudit], standing: Standing) -> Played:
    """What was done in a log with ships whose energy is known; how they moved as far as that is `standing`."""
    judged, logged, orders = list(ships), read.logged, read.orders
    told, speeds = moves_told(logged, judged, standing.walked), speeds_told(logged, judged, orders)
    table, account, fired = _on_the_table(read, judged, told, speeds, standing)
    seekers = [ship for ship in read.strangers if fired.launched and is_seeker(ship, logged.says)]
    others = [ship for ship in read.strangers if ship not in seekers]
    if not judged or not (fired.rows or orders.heard or logged.marked or logged.rolled):
        return Played(judged, told, speeds, fired, seekers, others, table, account)
    marks = {one.ship.name: tuple(markings(one, logged)) for one in judged}
    volleys = _volleys(read, judged, fired, seekers, marks)
    return Played(judged, told, speeds, fired, seekers, others, table, account, marks, volleys)


def _on_the_table(
    read: LogRead,
    judged: list[ShipUnderAudit],
    told: Moves,
    speeds: tuple[SpeedTold, ...],
    standing: Standing,
) -> tuple[GameTable | None, Account | None, Fired]:
    """The game of a log judged on the table, its account, and what was fired in it."""
    logged, orders = read.logged, read.orders
    spoken = orders_told(logged, judged, orders)
    if not judged:
        return None, None, Fired((), (), spoken.remarks)
    misheard: list[Finding] = []
    batteries = batteries_told(judged, orders, misheard)
    moves = told if read.module is not None and any_moves(logged) else None
    said = (*spoken.told, *batteries)
    account = account_told(logged, judged, read.asked, moves, speeds, said, standing.events)
    book, classes = judged[0].book, classes_of(judged)
    table = GameTable(book, classes.__getitem__, account, course=standing.course(book, classes, account))
    assert isinstance(table.fire, SeenFire)
    return table, account, fired_on(table.fire, orders, spoken, misheard)


def _volleys(
    read: LogRead,
    judged: list[ShipUnderAudit],
    fired: Fired,
    seekers: list[ShipOnTable],
    marks: Mapping[str, tuple[Marking, ...]],
) -> Volleys:
    """Fire, flights and damage by the reading of the dice that fits best what was said and marked."""
    logged, orders = read.logged, read.orders
    sensors = Sensors(logged, judged, marks, orders.locks, fired.cloaks, strikes_said(orders))
    misheard = [found for found in fired.report.findings if found.key == "NOTE/order"]
    hurt = tuple(orders.of(DroneHit))

    def flights_and_damage(rows: tuple[Row, ...], spare: Spare) -> tuple[Flown, Damage]:
        flown = judge_seekers(logged, judged, seekers, fired.launched, rows, sensors, misheard, hurt)
        return flown, judge_marks(logged, judged, orders, fired, rows, spare, flown, marks)

    table = Table(logged, marks, flights_and_damage)
    rows, paired = rows_fired(fired, judged[0].book, table, read.module)
    return Volleys(rows, paired, *table.came_to(rows, paired.spare))
