"""Forms, the facts of a single rule and volleys, as a case writes them: what our own program makes of each."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from fractions import Fraction
from typing import Any

from referee.adjudicator.check import judge as rule_says
from referee.adjudicator.policies import Listed, Policy
from referee.adjudicator.tables import table_of
from referee.adjudicator.volley import resolve, volley_order
from referee.core.account import HELD
from referee.core.dice import ScriptedDice
from referee.core.errors import BadInput
from referee.core.events import ArmorHit, Reinforced, ShieldHit
from referee.core.finding import Finding, NotChecked, Report
from referee.core.forms import EnergyForm
from referee.core.naming import find_mounts
from referee.core.ship import ShipClass
from referee.core.state import ShipState
from referee.core.volley import VolleyResult
from referee.formats.eaform import read_form, read_json_form
from referee.formats.sheets.csvsheet import read_csv
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_ship
from referee.sources.asked import form_labels
from referee.sources.forms import account_of

CaseFacts = Mapping[str, Any]
"""What a case says, by name."""


# -- forms -------------------------------------------------------------------------------


def form_from(text: str, rulebook: Rulebook) -> EnergyForm:
    """A form from the text of a CSV or JSON file."""
    if text.lstrip().startswith("{"):
        return read_json_form(text.encode(), "case", rulebook.lines)
    return read_form(read_csv(text.encode(), "case"), form_labels(rulebook))


def rows_of(text: str) -> list[list[str]]:
    """The cells of a form, row by row."""
    return [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text.strip()))]


def text_of(rows: Sequence[Sequence[str]]) -> str:
    """The text of a form from its cells."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def report_on(rulebook: Rulebook, facts: CaseFacts) -> Report:
    """The report on a form as far as it is filled in."""
    ship = load_ship(facts["ship"])
    known = None
    if "state" in facts or "after" in facts:
        after = state_of({"state": facts["after"]}, ship) if "after" in facts else None
        known = rulebook.offers.known_damage(state_of(facts, ship), after, exact_start="state" in facts)
    form = form_from(facts["form"], rulebook)
    account = account_of(form, ship, rulebook, known=known, kind=HELD, begun=(), to_come=())
    return table_of(rulebook, {ship.id: ship}.__getitem__, account).report()


def facts_judged(rulebook: Rulebook, key: str, facts: CaseFacts) -> list[Finding | NotChecked]:
    """What a rule says of facts that are no form: what the rulebook's procedure of that name takes."""
    rule = rulebook.rules[key]
    given = {name: tuple(v) if isinstance(v, list) else v for name, v in facts.items()}
    ask = getattr(rulebook.offers, rule.on.replace(" ", "_").replace("-", "_"))
    return list(rule_says(rule, rulebook, ask(rulebook, **given)))


def state_of(facts: CaseFacts, ship: ShipClass) -> ShipState:
    """The ship as a case finds it. `destroyed`, less `spared`, names boxes or many of them."""
    state = facts.get("state", {})
    destroyed = _boxes(ship, state.get("destroyed", ()))
    spared = _boxes(ship, state.get("spared", ()))
    shields = {int(number): boxes_left for number, boxes_left in state.get("shields", {}).items()}
    return ShipState(
        ship=ship.id,
        shields={**ship.shields, **shields},
        destroyed=frozenset(destroyed - spared),
        shuttles_away=frozenset(state.get("shuttles_away", ())),
        batteries=_fraction(state.get("batteries")),
        capacitor=_fraction(state.get("capacitor")),
        tubes={tube: tuple(map(Fraction, paid)) for tube, paid in state.get("tubes", {}).items()},
        speed=_fraction(state.get("speed")),
        shields_down=state.get("shields_down", False),
    )


def _boxes(ship: ShipClass, patterns: Iterable[str]) -> set[str]:
    """The boxes that patterns such as `apr/*`, `PH-1/A` or `phaser/*` name. Raises BadInput for none."""
    named: set[str] = set()
    systems = {box: system for system in ship.systems for box in ship.box_ids(system)}
    for pattern in patterns:
        found = {box for box in systems if fnmatchcase(box, pattern) or f"{systems[box]}/*" == pattern}
        if not found:
            raise BadInput(f"{ship.id} has no box {pattern}")
        named |= found
    return named


def _fraction(value: Any) -> Fraction | None:
    return None if value is None else Fraction(value)


# -- volleys -----------------------------------------------------------------------------


def strike(rulebook: Rulebook, facts: CaseFacts) -> VolleyResult:
    """The volley of a case, resolved; all its dice and choices must be needed."""
    ship = load_ship(facts["ship"])
    directions = facts.get("direction", [])
    if isinstance(directions, str):
        directions = [[None, directions]]
    order = volley_order(
        facts.get("damage", facts.get("internals", 0)),
        shield=facts.get("shield"),
        internal="internals" in facts,
        reinforcement=tuple(facts.get("reinforcement", (0, 0))),
        directions=tuple((points, where) for points, where in directions),
    )
    picks = {int(hit): _box(name, ship) for hit, name in facts.get("choose", {}).items()}
    chooser = Listed(picks, Policy("protect-weapons"))
    dice = ScriptedDice([int(total) for total in facts.get("dice", "").split()])
    result = resolve(rulebook, ship, state_of(facts, ship), order, dice, chooser)
    dice.finish()
    return result


def _box(name: str, ship: ShipClass) -> str:
    mounts = find_mounts(name, ship.mounts)
    return mounts[0].id if mounts else name


def absorbed(result: VolleyResult) -> Iterator[str]:
    """What stood in the way of a volley, in order: `general 2`, `shield 8`, `armor 5`."""
    for event in result.events:
        match event:
            case Reinforced(kind=kind, points=points):
                yield f"{kind} {points}"
            case ShieldHit(points=points):
                yield f"shield {points}"
            case ArmorHit(boxes=boxes):
                yield f"armor {len(boxes)}"
