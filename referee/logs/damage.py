"""Damage in a log: what struck each ship, and what its display came to show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from referee.adjudicator.fire import volleys_of
from referee.adjudicator.flights import Flown, Impact
from referee.adjudicator.hits_on_ship import Displayed, Strike
from referee.adjudicator.repairs import Marking, Unpaid, reinforced_by_turn
from referee.adjudicator.rolled_fire import Row, came_through, loose_in, struck
from referee.adjudicator.table import GameTable
from referee.adjudicator.volley import plays_reinforcement
from referee.core.account import DAMAGED, MISMARKED, Event
from referee.core.combat import VolleyAt
from referee.core.finding import Finding, Report, merge_reports
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.orders import Hit
from referee.core.play import When
from referee.core.state import ShipState
from referee.formats.vassal.gathered import Logged
from referee.logs.chart_dice import on_chart
from referee.logs.dice_owners import Throw
from referee.logs.displays import play_begins, unread_mark
from referee.logs.fire import FireInLog, HeardOrder, Orders
from referee.logs.owners import not_his, not_understood
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.logs.spoken_results import HitSaid, hits_said, volley_said
from referee.sources.ssd_display import seen_state

if TYPE_CHECKING:
    from referee.logs.damage_on_wrong_ship import Mismarked


@frozen
class Damage:
    """The damage of a log: the report on it, and by ship what struck it and what was taken off for nothing."""

    report: Report
    unpaid: Mapping[str, tuple[Unpaid, ...]] = field(default_factory=dict)
    strikes: Mapping[str, tuple[Strike, ...]] = field(default_factory=dict)


@frozen
class CameTo:
    """What a log comes to by a reading of its dice, and the table on which that was judged: what is against the
    results players gave (`on_results`), how seekers flew, and the damage."""

    table: GameTable
    on_results: Report
    flown: Flown
    damage: Damage


def damage_marked(
    table: GameTable,
    logged: Logged,
    judged: list[ShipUnderAudit],
    orders: Orders,
    fired: FireInLog,
    rows: tuple[Row, ...],
    spare: Mapping[int, Sequence[Throw]],
    flown: Flown,
    marks: Mapping[str, tuple[Marking, ...]],
) -> Damage:
    """The damage of all ships, told to the table; `marks` are what was marked of each."""
    findings: list[Finding] = []
    hits = list(orders.of(Hit))
    seekers = frozenset(shot.target.name for shot in fired.launched)
    struck: dict[str, list[Strike]] = {}
    for ship in judged:
        own = [impact for impact in flown.impacts if impact.target == ship.ship.name]
        row, wrong = _strikes(table, ship, rows, spare, hits, seekers, own)
        struck[ship.ship.name] = sorted(
            [*row, *_may_strike(ship, flown, hits)], key=lambda strike: strike.step
        )
        findings += wrong
    shown = {ship.ship.name: _displayed(ship, logged.final.step) for ship in judged}
    astray = tuple(_mismarked(struck, marks, shown)) if any(marks.values()) else ()
    rulebooks = {ship.ship.name: ship.rulebook for ship in judged}
    for other in astray:
        data = {"ship": other.marked, "struck": other.struck, "strike": other.strike, "marks": other.marks}
        table.take(Event(0, MISMARKED, {**data, "rulebook": rulebooks[other.marked]}))
    elsewhere = [slip.strike for slip in astray]
    amiss = [mark for slip in astray for mark in slip.marks]
    # Where no display is ever marked, the table keeps its SSDs on paper.
    played_to = logged.end.turn if any(marks.values()) else None
    for ship in judged:
        name = ship.ship.name
        suffered = {
            "display": shown[name],
            "strikes": [strike for strike in struck[name] if not any(strike is other for other in elsewhere)],
            "marks": [mark for mark in marks[name] if not any(mark is other for other in amiss)],
        }
        table.take(Event(0, DAMAGED, {**suffered, "turn": played_to, "rulebook": ship.rulebook}))
    seen = table.beside.damage
    report = merge_reports([Report(tuple(findings)), seen.report()])
    return Damage(report, dict(seen.unpaid), {name: tuple(row) for name, row in struck.items()})


def _mismarked(
    struck: Mapping[str, list[Strike]],
    marks: Mapping[str, tuple[Marking, ...]],
    shown: Mapping[str, Displayed],
) -> Iterator[Mismarked]:
    """What was marked on another ship than was struck, of those whose displays show their shields."""
    from referee.logs.damage_on_wrong_ship import mismarked  # Most mark no damage in a log, or their own.

    seen = [name for name, display in shown.items() if display.shows_shields]
    return mismarked({name: struck[name] for name in seen}, {name: marks[name] for name in seen})


def markings(ship: ShipUnderAudit, logged: Logged) -> list[Marking]:
    """What a ship's display came to show, step by step, but for what VASSAL's undo took back at once."""
    labels = ship.rulebook.table("box_labels")
    begun = play_begins(logged)
    found: list[Marking] = []
    for read in ship.shown.reads:
        marked = read.marked
        if read.before == read.after and not read.meant:
            continue
        states = [
            seen_state(ship.chosen, *counts, labels, ship.used).state for counts in (read.before, read.after)
        ]
        same = (states[0].destroyed, states[0].shields) == (states[1].destroyed, states[1].shields)
        if same and not read.meant:
            continue  # what changed is no box known here
        if marked.step < begun and _only_restores(*states):
            continue  # put in place before play began
        when = When(marked.clock.turn, marked.clock.impulse)
        undone = [n for n, mark in enumerate(found) if (mark.before, mark.when) == (states[1], when)]
        if marked.undo and undone:
            del found[undone[-1] :]
        else:
            found.append(Marking(marked.step, when, states[0], states[1]))
    return found


def misread(ship: ShipUnderAudit, logged: Logged) -> Iterator[Finding]:
    """Findings on what a ship's display came to show that cannot be read, or cannot be, in play. Boxes of a shield
    beyond its own may be reinforcement."""
    if not ship.shown.gaps:
        return
    begun, reinforced = play_begins(logged), reinforced_by_turn(ship.rulebook, ship.energy)
    plays = plays_reinforcement(ship.rulebook)
    for gap in ship.shown.gaps:
        if not gap.reported or (gap.until is not None and gap.until < begun):
            continue
        bought = reinforced.get(gap.turn or 0, {}) if plays else {}
        if not 0 < gap.beyond <= bought.get(0, 0) + bought.get(gap.shield, 0):
            place = Location(logged.file, piece=ship.ship.name, step=gap.since or None)
            yield unread_mark(ship.ship.name, gap, place)


def _only_restores(before: ShipState, after: ShipState) -> bool:
    weaker = any(after.shields.get(n, 0) < left for n, left in before.shields.items())
    return not weaker and after.destroyed <= before.destroyed


def _displayed(ship: ShipUnderAudit, end: int) -> Displayed:
    """What is known of a ship as the log stands just before its `end`."""
    boxes_left, shields = ship.shown.filled(ship.ship.boxes_left, ship.ship.shields, end)
    seen = seen_state(ship.chosen, boxes_left, shields, ship.rulebook.table("box_labels"))
    boxes = {box for system in ship.chosen.systems for box in ship.chosen.box_ids(system)}
    return Displayed(
        ship.ship.name,
        ship.chosen,
        shows_shields=set(shields) >= set(ship.chosen.shields),
        hidden=len(boxes - seen.boxes) + sum(max(0, known - total) for _, total, known in seen.disagree),
        agrees=not seen.disagree and boxes <= seen.boxes,
    )


def _strikes(
    table: GameTable,
    ship: ShipUnderAudit,
    rows: tuple[Row, ...],
    spare: Mapping[int, Sequence[Throw]],
    hits: list[HeardOrder],
    seekers: frozenset[str],
    impacts: list[Impact],
) -> tuple[list[Strike], list[Finding]]:
    """What struck a ship, by the dice, by the `impacts` of seekers and as its owner said; and where they are
    not the same.

    Where it is not known what the dice came to, or `seekers` were launched at the ship and no less is said than
    the fire of the impulse came to, what is said counts.
    """
    name = ship.ship.name
    stated: dict[When, list[HeardOrder]] = {}
    for hit in hits:
        if isinstance(hit.order, Hit) and hit.order.ship == name:
            stated.setdefault(hit.when, []).append(hit)
    by_fire = {row.declared[0].when: _by_shield(ship, row) for row in rows if _aimed_at(name, row)}
    strikes, findings = _struck_by_seekers(table, ship, impacts, stated, by_fire)
    for number, row in enumerate(rows):
        if not _aimed_at(name, row):
            continue
        when, through = row.declared[0].when, came_through(ship.rulebook, row)
        alone = all(points == 0 for target, points in through.items() if target != name)
        chart = on_chart(ship.rulebook, spare.get(number, ())) if alone else ()
        volleys, unknown = struck(ship.rulebook, row)
        volleys = tuple(volley for volley in volleys if volley.target == name)
        reported = [_hit(hit) for hit in stated.pop(when, ())]
        as_said = tuple(volley_said(name, hit, when) for hit in reported)
        why, loose = "", None
        if name in unknown:
            loose = None if reported else loose_in(ship.rulebook, row, name)
            why = "" if reported or loose else "what its fire came to is not known"
            volleys = loose[0] if loose else as_said
        elif name in seekers and reported and _no_less(reported, by_fire[when] or {}):
            volleys = as_said
        else:
            findings += _stated(table, hits_said(name, reported, volleys, when))
        strikes.append(Strike(row.step, when, volleys, why, chart, loose=loose[1] if loose else ()))
    for when, row_said in stated.items():
        others = [hit for hit in row_said if hit.owner]
        findings += [
            not_understood(not_his(hit.sentence, name, hit.owner), hit.sentence, hit.place) for hit in others
        ]
        own = [hit for hit in row_said if not hit.owner]
        if own:
            volleys = tuple(volley_said(name, _hit(hit), when) for hit in own)
            strikes.append(Strike(own[0].sentence.step, when, volleys))
    return sorted(strikes, key=lambda strike: strike.step), findings


def _stated(table: GameTable, events: Iterable[Event]) -> Iterator[Finding]:
    return (found for event in events for found in table.take(event))


def strikes_said(orders: Orders) -> dict[str, tuple[Strike, ...]]:
    """What owners say struck their ships, by ship, as it stands."""
    found: dict[str, tuple[Strike, ...]] = {}
    for hit in orders.of(Hit):
        if isinstance(hit.order, Hit) and not hit.owner:
            name = hit.order.ship
            strike = Strike(hit.sentence.step, hit.when, (volley_said(name, _hit(hit), hit.when),))
            found[name] = (*found.get(name, ()), strike)
    return found


def _aimed_at(name: str, row: Row) -> bool:
    return any(shot.target.name == name for shot in row.declaration.shots)


def _by_shield(ship: ShipUnderAudit, row: Row) -> dict[int, int] | None:
    """The points of a row's fire at a ship by shield; None where that is not known."""
    volleys, unknown = struck(ship.rulebook, row)
    own = [volley.order for volley in volleys if volley.target == ship.ship.name]
    if ship.ship.name in unknown or any(order.shield is None for order in own):
        return None
    return {order.shield: order.points for order in own if order.shield is not None}


def _said_by_shield(hits: Iterable[HitSaid]) -> dict[int, int]:
    points: dict[int, int] = {}
    for hit in hits:
        points[hit.shield] = points.get(hit.shield, 0) + hit.points
    return points


def _no_less(hits: Iterable[HitSaid], fire: Mapping[int, int]) -> bool:
    """Is as much said on each shield as fire alone did to it? What is more may be a seeker's."""
    points = _said_by_shield(hits)
    return all(points.get(shield, 0) >= came_to for shield, came_to in fire.items())


def _may_strike(ship: ShipUnderAudit, flown: Flown, hits: list[HeardOrder]) -> Iterator[Strike]:
    """Seekers that may have struck a ship, in impulses in which its owner says of nothing that it did."""
    reported = {hit.when for hit in hits if isinstance(hit.order, Hit) and hit.order.ship == ship.ship.name}
    for may in flown.perhaps:
        if may.target == ship.ship.name and may.when not in reported and may.points:
            yield Strike(may.step, may.when, perhaps=may.points)


def _struck_by_seekers(
    table: GameTable,
    ship: ShipUnderAudit,
    impacts: list[Impact],
    stated: dict[When, list[HeardOrder]],
    by_fire: Mapping[When, Mapping[int, int] | None],
) -> tuple[list[Strike], list[Finding]]:
    """What seekers did to a ship, impulse by impulse, and where its owner said otherwise. What was said of them is
    taken off `stated`; where there was fire too it may be said of both at once, and counts."""
    strikes: list[Strike] = []
    findings: list[Finding] = []
    for when in dict.fromkeys(impact.when for impact in impacts):
        row = [impact for impact in impacts if impact.when == when]
        why = next((impact.why for impact in row if impact.result is None), "")
        known = () if why else volleys_of(ship.rulebook, [impact.result for impact in row if impact.result])
        if when in by_fire and when in stated:
            rest = None if why else _but_for(stated[when], known, by_fire[when])
            if rest is None:
                continue
            stated[when] = rest
            strikes.append(Strike(row[0].step, when, tuple(known)))
            continue
        reported = [_hit(hit) for hit in stated.pop(when, ())]
        if why:
            volleys = tuple(volley_said(ship.ship.name, hit, when) for hit in reported)
            strikes.append(Strike(row[0].step, when, volleys, "" if reported else why))
            continue
        findings += _stated(table, hits_said(ship.ship.name, reported, known, when))
        strikes.append(Strike(row[0].step, when, tuple(known)))
    return strikes, findings


def _but_for(
    hits: Sequence[HeardOrder], volleys: Iterable[VolleyAt], fire: Mapping[int, int] | None
) -> list[HeardOrder] | None:
    """The hits players told of fire, in an impulse in which seekers struck too. A hit of just a seeker's points is
    left out. All hits stay where they add up to just what the fire did. None where a hit is of both at once."""
    rest = list(hits)
    for volley in volleys:
        own = (hit for hit in rest if _is_of(hit, volley))
        if (mine := next(own, None)) is None:
            return list(hits) if fire is not None and _said_by_shield(map(_hit, hits)) == fire else None
        rest.remove(mine)
    return rest


def _is_of(hit: HeardOrder, volley: VolleyAt) -> bool:
    stated = _hit(hit)
    return (stated.shield, stated.points) == (volley.order.shield, volley.order.points)


def _hit(heard: HeardOrder) -> HitSaid:
    order = heard.order
    assert isinstance(order, Hit)
    return HitSaid(order.points, order.shield, order.direction, heard.place.within(piece=order.ship))
