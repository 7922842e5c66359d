"""Damage allocation as the cadet and the standard game share it (D4.0).

A volley is absorbed by whatever stands in its way, then scored point by point on a chart row, from
the left, at the first cell that still has a box to lose. The rules that absorb, close a cell or
narrow the owner's choice are taken from the rulebook in force, in the order of the book.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from referee.core.dice import Dice
from referee.core.errors import BadInput
from referee.core.events import BoxDestroyed, Event, Reinforced, ShieldHit, ShipDestroyed
from referee.core.frozen import frozen
from referee.core.hexgrid import Offset
from referee.core.once import Same
from referee.core.ship import ShipClass
from referee.core.state import ShipState, apply, live_boxes
from referee.core.volley import Choice, Chooser, Hit, VolleyOrder, VolleyResult
from referee.rulebooks.base import Rulebook, resolves


class IllegalChoice(BadInput):
    """The owner picked a box that a rule does not let him pick: exit 1."""

    exit_code = 1

    def __init__(self, rule: str, reason: str, hint: str) -> None:
        super().__init__(f"[{rule}] {reason}", hint=hint)
        self.rule = rule


@dataclass
class VolleyInProgress:
    """A volley while it is being resolved; lives for one call and is never shared."""

    ship: ShipClass
    state: ShipState
    order: VolleyOrder
    rulebook: Rulebook
    used_cells: set[str] = field(default_factory=set)
    weapon_hits: dict[str, int] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    reinforcement: int = 0
    internal_points: int = 0
    shields_work: bool = True
    """Do shields and their reinforcement stop anything? A rule that absorbs may say that they do not."""

    def record(self, event: Event) -> None:
        """Something happened: kept, and applied."""
        self.events.append(event)
        self.state = apply(self.state, event)

    def direction(self) -> Offset | None:
        """Where the point being scored came from, by D4.34: of several firers the heaviest first."""
        scored = self.internal_points
        for points, origin in self._origins_inside():
            if scored < points:
                return origin
            scored -= points
        return None

    def _origins_inside(self) -> list[tuple[int, Offset]]:
        """The origins with the points each has left once shields and armor took the first ones."""
        total = sum(points for points, _ in self.order.origins)
        absorbed = max(0, total - self.points_inside)
        left = []
        for points, origin in self.order.origins:
            taken = min(points, absorbed)
            absorbed -= taken
            left.append((points - taken, origin))
        return left

    points_inside: int = 0


CHART_SUBJECTS = ("absorb", "point", "row", "cell", "entry", "boxes", "choice", "marked", "excess")
"""What the rules of a volley on a chart are about."""

WARP = ("left_warp", "right_warp", "center_warp")
BRIDGES = ("bridge", "emergency_bridge", "aux_control")

Groups = tuple[tuple[str, ...], ...]
"""Systems a hit may be scored on: the owner chooses within the first group that has a live box."""


@frozen
class Cell:
    """A cell of the chart: its place, its entry, and what the table says the entry may cost.

    `rule` is the number under which the table gives `takes`; `by_option` adds systems to the first
    group where an option is on.
    """

    name: str
    entry: str
    once: bool
    takes: Groups
    rule: str = ""
    by_option: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def unruled(self) -> Groups:
        """What the entry may cost before the rule that says so has spoken, or where it is switched off: warp
        any engine, a bridge nothing, anything else the system of its name."""
        if not self.rule:
            return self.takes
        return () if self.entry in BRIDGES else (WARP,) if self.entry in WARP else ((self.entry,),)

    def under(self, number: str, groups: Groups, volley: VolleyInProgress) -> Groups:
        """The groups the table gives this entry under a rule; those given where it is not that rule's."""
        if self.rule != number:
            return groups
        added = tuple(
            system
            for option, systems in self.by_option
            if volley.rulebook.allows(option)
            for system in systems
        )
        return ((*self.takes[0], *added), *self.takes[1:])


@frozen
class Chart:
    """A damage allocation chart: its dice, and its cells by roll from left to right."""

    dice: tuple[int, int]
    rows: Mapping[int, tuple[Cell, ...]]


def chart_of(rulebook: Rulebook) -> Chart:
    """The damage allocation chart of a rulebook."""
    return _chart(Same(rulebook.table("damage_chart")))


@lru_cache(maxsize=8)
def _chart(held: Same[Mapping[str, Any]]) -> Chart:
    table = held.held
    count, _, sides = table["dice"].partition("d")
    entries = table["entries"]
    cells = {
        entry: (
            tuple(tuple(group) for group in terms["takes"]),
            terms.get("rule", ""),
            tuple((option, tuple(systems)) for option, systems in terms.get("by_option", {}).items()),
        )
        for entry, terms in entries.items()
    }
    rows = {}
    for roll, row in table["rows"].items():
        rows[int(roll)] = tuple(
            Cell(f"{roll}{column}", cell["entry"], cell.get("once", False), *cells[cell["entry"]])
            for column, cell in zip(table["columns"], row, strict=True)
        )
    return Chart((int(count), int(sides)), rows)


# -- what stands in the way --------------------------------------------------------------


@resolves("B3.0-12/absorbs", "General reinforcement absorbs first", on="absorb")
def general_reinforcement_absorbs(points: int, volley: VolleyInProgress) -> int:
    """General reinforcement takes points of a volley before specific reinforcement and shield boxes.

    Legal: 2 of general reinforcement leave 8 of 10 points. Illegal: letting the shield box go first.
    """
    return _reinforce(points, volley, "general", volley.order.general_reinforcement)


@resolves("B3.0-13/absorbs", "Specific reinforcement absorbs next", on="absorb")
def specific_reinforcement_absorbs(points: int, volley: VolleyInProgress) -> int:
    """Reinforcement of the struck shield takes points before the boxes of that shield.

    Legal: 3 of specific reinforcement leave 7 of 10 points. Illegal: using that of another shield.
    """
    return _reinforce(points, volley, "specific", volley.order.specific_reinforcement)


def _reinforce(points: int, volley: VolleyInProgress, kind: str, available: int) -> int:
    taken = 0 if volley.order.internal or not volley.shields_work else min(points, available)
    if taken:
        volley.reinforcement += taken
        volley.record(Reinforced(kind, taken))
    return points - taken


@resolves("D4.1", "Shields absorb before the inside", on="absorb")
def shield_absorbs(points: int, volley: VolleyInProgress) -> int:
    """Points strike the boxes of the shield they hit; only those beyond it are internal damage.

    Legal: 55 points on a shield of 30 are 25 internals. Illegal: scoring all 55 on the chart.
    """
    shield = volley.order.shield
    if volley.order.internal or shield is None or not volley.shields_work:
        return points
    taken = min(points, volley.state.shields.get(shield, 0))
    if taken:
        volley.record(ShieldHit(shield, taken))
    return points - taken


# -- the chart ---------------------------------------------------------------------------


@resolves("D4.221", "A roll for each point", on="point")
def roll_for_point(chart: Chart, dice: Dice) -> int:
    """Each point that came through is rolled for by itself, with the dice of the chart: one in the cadet
    game, two for standard ships (D4.21).

    Legal: 13 points, 13 rolls. Illegal: one roll for the whole volley.
    """
    return dice.roll(*chart.dice)


@resolves("D4.222", "To the right until a box is left", on="row")
def row_of_roll(chart: Chart, roll: int) -> tuple[Cell, ...]:
    """A point is scored at the first column of the rolled row that has a box left, from column A to the
    right; the last column is excess damage.

    Legal: hull, and with no hull left the engine in column B. Illegal: the engine while hull is left.
    """
    return chart.rows[roll]


# -- which box of a cell -----------------------------------------------------------------


@resolves("D4.223", "The owner picks the box", on="choice")
def owner_picks(choice: Choice, chooser: Chooser) -> str:
    """The owner of the struck ship marks one box of the system hit, whichever he likes of those the
    rules leave.

    Legal: on a phaser hit any phaser that bears. Illegal: a box of another system, or one marked already.
    """
    box = chooser.choose(choice)
    if box not in choice.boxes:
        rule = dict(choice.refused).get(box, choice.rule)
        raise IllegalChoice(
            rule,
            f"hit {choice.n} ({choice.result}): {box} cannot be marked",
            f"it can be {', '.join(choice.boxes)}",
        )
    return box


@resolves("D4.4", "Excess damage destroys the ship", on="excess")
def excess_beyond_track(volley: VolleyInProgress) -> bool:
    """When no excess damage box is left, one more point of excess damage destroys the ship (D4.41).

    Legal: four excess boxes, five excess hits: destroyed. Illegal: destroyed by the fourth.
    """
    return not live_boxes(volley.ship, volley.state, "excess")


# -- the volley --------------------------------------------------------------------------


def resolve_volley(
    rulebook: Rulebook, ship: ShipClass, state: ShipState, order: VolleyOrder, dice: Dice, chooser: Chooser
) -> VolleyResult:
    """One volley on one ship, by the rulebook's chart and rules. Raises IllegalChoice for a box the
    owner may not pick, BadInput where the SSD is too incomplete to score on."""
    volley = VolleyInProgress(ship, state, order, rulebook)
    points = apply_absorption(volley)
    return result_of(volley, state, points, _score(points, volley, dice, chooser), chooser)


def apply_absorption(volley: VolleyInProgress) -> int:
    """The points left when everything that absorbs has taken its share. Raises BadInput where the SSD
    is too incomplete to be damaged, or the ship is gone already."""
    _require_ssd(volley.ship, volley.state)
    points = volley.order.points
    for rule in volley.rulebook.rules_on("absorb"):
        points = rule.decide(points, volley)
    volley.points_inside = points
    return points


def points_stopped(
    rulebook: Rulebook, ship: ShipClass, state: ShipState, order: VolleyOrder
) -> tuple[int, int, int]:
    """The points of a volley that never come inside: what general reinforcement takes of them, the shield's
    own reinforcement, and its boxes. Raises BadInput as `apply_absorption`."""
    volley = VolleyInProgress(ship, state, order, rulebook)
    apply_absorption(volley)
    return stopped_by(volley.events)


def stopped_by(events: Iterable[Event]) -> tuple[int, int, int]:
    """The same of a volley that was resolved, by its events."""
    taken = {"general": 0, "specific": 0, "shield": 0}
    for event in events:
        if isinstance(event, Reinforced):
            taken[event.kind] += event.points
        elif isinstance(event, ShieldHit):
            taken["shield"] += event.points
    return taken["general"], taken["specific"], taken["shield"]


def result_of(
    volley: VolleyInProgress,
    before: ShipState,
    points: int,
    hits: list[Hit],
    chooser: Chooser,
    subjects: tuple[str, ...] = CHART_SUBJECTS,
) -> VolleyResult:
    """What a finished volley comes to, by the rules on some subjects."""
    shield = None if volley.order.internal else volley.order.shield
    return VolleyResult(
        ship=volley.ship,
        order=volley.order,
        reinforcement=volley.reinforcement,
        shield_before=None if shield is None else before.shields.get(shield, 0),
        shield_after=None if shield is None else volley.state.shields.get(shield, 0),
        armor_before=len(live_boxes(volley.ship, before, "armor")),
        armor_after=len(live_boxes(volley.ship, volley.state, "armor")),
        internals=points,
        hits=tuple(hits),
        wasted=points - len(hits),
        destroyed=volley.state.dead,
        state=volley.state,
        events=tuple(volley.events),
        chooser=chooser.name,
        rules=tuple(rule.key for subject in subjects for rule in volley.rulebook.rules_on(subject)),
    )


def _require_ssd(ship: ShipClass, state: ShipState) -> None:
    if not ship.boxes.get("excess") or not ship.shields:
        lacks = ", ".join(ship.missing) or "shields or excess damage boxes"
        raise BadInput(
            f"{ship.name} cannot be damaged: {lacks} not known",
            hint="complete its SSD with `referee init ship`",
        )
    if state.dead:
        raise BadInput(f"{ship.name} is destroyed already", hint="name another ship or state")


def _score(points: int, volley: VolleyInProgress, dice: Dice, chooser: Chooser) -> list[Hit]:
    chart = chart_of(volley.rulebook)
    hits: list[Hit] = []
    for n in range(1, points + 1):
        if volley.state.dead:
            break
        roll = the_rule(volley.rulebook, "point")(chart, dice)
        row = the_rule(volley.rulebook, "row")(chart, roll)
        hits.append(_score_point(n, roll, row, volley, chooser))
        volley.internal_points += 1
    return hits


def _score_point(n: int, roll: int, row: tuple[Cell, ...], volley: VolleyInProgress, chooser: Chooser) -> Hit:
    passed: list[str] = []
    for cell in row:
        closed = next((r for r in volley.rulebook.rules_on("cell") if not r.decide(cell, volley)), None)
        if closed:
            passed.append(f"{cell.name} scored already")
            continue
        if cell.entry == "excess" and the_rule(volley.rulebook, "excess")(volley):
            volley.record(ShipDestroyed("D4.4"))
            return Hit(n, roll, cell.name, "excess", "", "", "no excess damage box is left: destroyed")
        boxes, refused = _allowed(cell, volley)
        if boxes:
            rule = cell.rule or "D4.223"
            choice = Choice(n, cell.entry, boxes, volley.ship, volley.state, refused, rule)
            box = the_rule(volley.rulebook, "choice")(choice, chooser)
            return _mark(n, roll, cell, box, volley, passed)
        passed.append(_why_passed(cell, volley, bool(refused)))
    raise AssertionError("a chart row ends in excess damage")  # the table's shape test holds this


def _why_passed(cell: Cell, volley: VolleyInProgress, refused: bool) -> str:
    """Why a cell took no point: nothing left of it, nothing that bears, or a number nobody knows."""
    name, missing = cell.entry.replace("_", " "), volley.ship.missing
    if f"boxes/{cell.entry}" in missing or f"tracks/{cell.entry}" in missing:
        return f"{name} not known"
    return f"no {name}" + (" that bears" if refused else "")


def the_rule(rulebook: Rulebook, subject: str) -> Callable[..., Any]:
    """The one rule a volley cannot do without. Raises BadInput if it is switched off."""
    rules = rulebook.rules_on(subject)
    if not rules:
        raise BadInput(
            f"the rule on {subject} is switched off", hint="a volley cannot be resolved without it"
        )
    return rules[0].decide


def _allowed(cell: Cell, volley: VolleyInProgress) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """The boxes a cell may cost, of the first group of systems with any, and what rules took out."""
    refused: list[tuple[str, str]] = []
    groups = cell.unruled
    for rule in volley.rulebook.rules_on("entry"):
        groups = rule.decide(groups, cell, volley)
    for group in groups:
        boxes = tuple(box for system in group for box in live_boxes(volley.ship, volley.state, system))
        for rule in volley.rulebook.rules_on("boxes"):
            left = rule.decide(boxes, cell, volley)
            refused += [(box, rule.key) for box in boxes if box not in left]
            boxes = left
        if boxes:
            return boxes, tuple(refused)
    return (), tuple(refused)


def systems_open(rulebook: Rulebook, ship: ShipClass, state: ShipState, order: VolleyOrder) -> frozenset[str]:
    """The systems some roll on the chart may cost a box of, whatever was lost before it in the volley."""
    volley = VolleyInProgress(ship, state, order, rulebook)
    found: set[str] = set()
    cells = (cell for row in chart_of(rulebook).rows.values() for cell in row)
    # An entry may cost the same wherever on the chart it stands.
    alike = {(cell.entry, cell.takes, cell.rule, cell.by_option): cell for cell in cells}
    for cell in alike.values():
        groups = cell.unruled
        for rule in rulebook.rules_on("entry"):
            groups = rule.decide(groups, cell, volley)
        for system in (system for group in groups for system in group):
            boxes = live_boxes(ship, state, system)
            for rule in rulebook.rules_on("boxes"):
                boxes = rule.decide(boxes, cell, volley)
            found |= {system} if boxes else set()
    return frozenset(found)


def _mark(n: int, roll: int, cell: Cell, box: str, volley: VolleyInProgress, passed: list[str]) -> Hit:
    mount = volley.ship.mount(box)
    system = mount.system if mount else box.partition("/")[0]
    volley.record(BoxDestroyed(box))
    if cell.once:
        volley.used_cells.add(cell.name)
    if mount:
        volley.weapon_hits[system] = volley.weapon_hits.get(system, 0) + 1
    remarks = [rule.decide(box, volley) for rule in volley.rulebook.rules_on("marked")]
    notes = [*passed, *(remark for remark in remarks if remark)]
    return Hit(n, roll, cell.name, cell.entry, system, box, "; ".join(notes))
