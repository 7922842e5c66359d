"""What was done in a log, worked out once from its reading: moves, speeds, fire with its dice, flights and damage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from referee.adjudicator.fire_seen import SeenFire
from referee.adjudicator.flights import Flown
from referee.adjudicator.repairs import Marking
from referee.adjudicator.rolled_fire import Row
from referee.adjudicator.table import GameTable
from referee.core.account import ROLLED, UNTOLD, Account, Event
from referee.core.finding import Finding, Report
from referee.core.forked import Forked
from referee.core.frozen import frozen
from referee.core.gap import Gap
from referee.core.orders import DroneHit, SetSpeed, UseBattery
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.moves import Moves
from referee.formats.vassal.recognise import ShipOnTable
from referee.logs.course import account_told, any_moves, classes_of, for_fire
from referee.logs.damage import CameTo, Damage, damage_marked, markings, strikes_said
from referee.logs.dice import Dice, Paired, Spare, by_rows, statements_of, without_dice
from referee.logs.fire import FireInLog, OrderForTable, Orders, fired_on, orders_told
from referee.logs.for_record import ForRecord
from referee.logs.gaps import called_off, perhaps_lost
from referee.logs.moves import moves_told
from referee.logs.reading import LogRead
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.logs.spoken_results import results_said
from referee.sources.counters import is_seeker

if TYPE_CHECKING:
    from referee.logs.speeds import SpeedTold
    from referee.logs.standing import Standing


@frozen
class Volleys:
    """The fire of a log by what its dice came to: row by row, how they were paired, what is against the results
    players gave of it (`on_results`), and what it did."""

    rows: tuple[Row, ...]
    paired: Paired
    on_results: Report
    flown: Flown
    damage: Damage


@frozen
class PlayedLog:
    """What was done with the ships of a log. Of `volleys` there are none where nothing was fired, rolled or marked.
    The `seekers` are counters that launches put on the map, `others` are strange. Of the `table` and the `account` it
    judges there is none where no ship is known."""

    ships: list[ShipUnderAudit]
    moves: Moves
    speeds: tuple[SpeedTold, ...]
    fired: FireInLog
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


def played(
    read: LogRead,
    ships: Iterable[ShipUnderAudit],
    standing: Standing | None = None,
    *,
    for_record: bool = False,
) -> PlayedLog:
    """What was done in a log with ships whose energy is known; how they moved as far as that is `standing`. What is done
    `for_record` has all in its account that a record takes, and moves are not judged."""
    judged, logged, orders = list(ships), read.logged, read.orders
    moves, speeds = (
        moves_told(logged, judged, standing.walked if standing else None),
        _speeds(logged, judged, orders),
    )
    more = ForRecord(read) if for_record else None
    table, account, fired = _on_the_table(read, judged, moves, speeds, standing, more)
    seekers = [ship for ship in read.strangers if fired.launched and is_seeker(ship, logged.module_map)]
    others = [ship for ship in read.strangers if ship not in seekers]
    if table is None or not (fired.rows or orders.heard or logged.marked or logged.rolled):
        return PlayedLog(judged, moves, speeds, fired, seekers, others, table, account)
    marks = {ship.ship.name: tuple(markings(ship, logged)) for ship in judged}
    table, volleys = _volleys(table, read, judged, fired, seekers, marks)
    for gap in _left_open(judged, moves, orders, marks, volleys):
        table.take(Event(0, UNTOLD, {"gap": gap}))
    return PlayedLog(judged, moves, speeds, fired, seekers, others, table, account, marks, volleys)


def _left_open(
    judged: list[ShipUnderAudit],
    moves: Moves,
    orders: Orders,
    marks: Mapping[str, tuple[Marking, ...]],
    volleys: Volleys,
) -> Iterator[Gap]:
    """What the dice and the displays leave open."""
    yield from called_off(volleys.rows, volleys.paired, orders.unclear)
    yield from perhaps_lost(judged, marks, volleys.damage.strikes, moves.moves)


def _speeds(logged: Logged, judged: list[ShipUnderAudit], orders: Orders) -> tuple[SpeedTold, ...]:
    """The speeds that stand elsewhere than on forms."""
    if not orders.has(SetSpeed) and not (logged.module_map and logged.module_map.speed_shown):
        return ()
    from referee.logs.speeds import speeds_told

    return speeds_told(logged, judged, orders)


def _batteries(
    judged: list[ShipUnderAudit], orders: Orders, misheard: list[Finding]
) -> Iterable[OrderForTable]:
    """The batteries ordered in chat, for the table; those that are `misheard` are findings."""
    if not orders.has(UseBattery):
        return ()
    from referee.logs.batteries import batteries_told

    return batteries_told(judged, orders, misheard)


def _on_the_table(
    read: LogRead,
    judged: list[ShipUnderAudit],
    moves: Moves,
    speeds: tuple[SpeedTold, ...],
    standing: Standing | None,
    for_record: ForRecord | None,
) -> tuple[GameTable | None, Account | None, FireInLog]:
    """The game of a log judged on the table, its account, and what was fired in it."""
    logged, orders = read.logged, read.orders
    spoken = orders_told(logged, judged, orders)
    if not judged:
        return None, None, FireInLog((), (), spoken.remarks)
    misheard: list[Finding] = []
    on_map = moves if read.module is not None and any_moves(logged) else None
    events = (*spoken.events, *_batteries(judged, orders, misheard))
    before = standing.events if standing else ()
    account = account_told(logged, judged, read.asked, on_map, speeds, events, before, for_record)
    rulebook, classes = judged[0].rulebook, classes_of(judged)
    if for_record is None:
        course = standing.course(rulebook, classes, account) if standing else None
        table = GameTable(rulebook, classes.__getitem__, account, course=course)
    else:
        table = GameTable(rulebook, classes.__getitem__, for_fire(account))
    assert isinstance(table.fire, SeenFire)
    return table, account, fired_on(table.fire, orders, spoken, misheard)


def _second(table: GameTable) -> GameTable:
    """A second table of the same game, for another reading of what is told beside its orders: all else is shared."""
    parts = [part for part in vars(table).values() if isinstance(part, Forked)]
    return table.fork({id(part): part for part in parts if part is not table.beside})


def _volleys(
    table: GameTable,
    read: LogRead,
    judged: list[ShipUnderAudit],
    fired: FireInLog,
    seekers: list[ShipOnTable],
    marks: Mapping[str, tuple[Marking, ...]],
) -> tuple[GameTable, Volleys]:
    """Fire, flights and damage by the reading of the dice that fits best what was said and marked, and the table on
    which it is judged."""
    logged, orders = read.logged, read.orders
    fly = _flights(table, read, judged, fired, seekers, marks)
    lines = statements_of(logged)
    rolled = table.beside.rolled
    assert rolled is not None

    def judge(rows: tuple[Row, ...], dice: Dice, spare: Spare) -> CameTo:
        """The log with these dice, on a table of its own."""
        by_dice = _second(table)
        for number, of_row in enumerate(by_rows(dice, len(rows))):
            by_dice.take(Event(number, ROLLED, {"row": number, "dice": of_row}))
        stated = results_said(rows, lines, logged.file) if rows and lines else ()
        wrong = [found for event in stated for found in by_dice.take(event)]
        results = Report(tuple(wrong), (), by_dice.beside.report().not_checked)
        flown = fly(by_dice, rows)
        damage = damage_marked(by_dice, logged, judged, orders, fired, rows, spare, flown, marks)
        return CameTo(by_dice, results, flown, damage)

    if logged.rolled:
        from referee.logs.hypotheses import Readings, dice_read  # Without dice there is one reading.

        readings = Readings(logged, marks, rolled, judge)
        dice, paired = dice_read(fired, judged[0].rulebook, readings, read.module)
        best, rows = readings.came_to(dice, paired.spare), readings.with_dice(dice)
    else:
        paired = without_dice(judged[0].rulebook) if fired.rows else Paired({}, {})
        rows = tuple([rolled.row(number, {}) for number in range(len(fired.rows))])
        best = judge(rows, {}, {})
    return best.table, Volleys(rows, paired, best.on_results, best.flown, best.damage)


def _flights(
    table: GameTable,
    read: LogRead,
    judged: list[ShipUnderAudit],
    fired: FireInLog,
    seekers: list[ShipOnTable],
    marks: Mapping[str, tuple[Marking, ...]],
) -> Callable[[GameTable, tuple[Row, ...]], Flown]:
    """How seekers flew, where any was launched, by what fire came to with some dice."""
    if not fired.launched:
        return lambda by_dice, rows: Flown()
    from referee.logs.guidance import Guiding, displays_shown
    from referee.logs.seekers import seekers_flown

    logged, orders = read.logged, read.orders
    ships = {ship.ship.name: ship for ship in judged}
    guiding = Guiding(logged, ships, marks, orders.locks, fired.cloaks, strikes_said(orders))
    for shown in displays_shown(judged, marks):
        table.take(shown)
    misheard = [found for found in fired.report.findings if found.key == "NOTE/order"]
    hurt = tuple(orders.of(DroneHit))

    def fly(by_dice: GameTable, rows: tuple[Row, ...]) -> Flown:
        return seekers_flown(by_dice, logged, judged, seekers, fired.launched, rows, guiding, misheard, hurt)

    return fly
