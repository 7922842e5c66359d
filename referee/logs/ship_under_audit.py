"""A ship of a log as it is judged: how it stood, its weapons by the names they are ordered by; and the steps of its clock
by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

from referee.adjudicator.capacitor import EnergyFacts
from referee.adjudicator.fire import weapons_named
from referee.adjudicator.repairs import Unpaid
from referee.core.combat import Unit
from referee.core.frozen import frozen
from referee.core.naming import folded
from referee.core.orders import Fire, Launch
from referee.core.ship import Mount, ShipClass
from referee.core.state import ShipState
from referee.formats.modulemap import ModuleMap
from referee.formats.vassal.gathered import ChatOrder
from referee.formats.vassal.recognise import Clock, ShipOnTable, as_it_stood
from referee.logs.displays import DisplayRead
from referee.rulebooks.base import NamedRules, Rulebook
from referee.sources.asked import Asked
from referee.sources.forms import form_rulebook
from referee.sources.ssd_display import seen_state


@frozen
class ShipUnderAudit:
    """A ship of a log: what it is by the rules, the facts of its energy turn by turn, and the marks of damage
    that were taken off its display for nothing. `filed` says that it has a form, filled in or not; `shown` is
    its display through the log, `used` the step each weapon was paid for or fired in last."""

    ship: ShipOnTable
    chosen: ShipClass
    rulebook: Rulebook
    energy: tuple[EnergyFacts, ...] = ()
    module_map: ModuleMap | None = None
    unpaid: tuple[Unpaid, ...] = ()
    filed: bool = False
    shown: DisplayRead = DisplayRead()
    used: Mapping[str, int] = field(default_factory=dict)

    def truly(self, state: ShipState, step: int) -> ShipState:
        """A state as the display showed it just before a step, with what is lost all the same."""
        for loss in self.unpaid:
            state = loss.still_lost(state) if loss.step < step else state
        return state


def step_name(clock: Clock) -> str:
    """What the tracker calls the step, its number where it has no name; nothing where it tells none."""
    return clock.step or (str(clock.step_number) if clock.step_number is not None else "")


def rules_named(judged: Sequence[ShipUnderAudit], asked: Asked) -> NamedRules:
    """The rules that what is not judged in a log is named by: those of its ships, or of the forms looked for in it."""
    return (judged[0].rulebook if judged else form_rulebook(asked)).named


def unit_seen(
    audited: ShipUnderAudit, chat: ChatOrder, began: ChatOrder, stood: dict[str, ShipOnTable]
) -> Unit:
    """A ship as it stood when an order was given, and as its display showed it when the fire of the impulse
    `began`; `stood` holds how ships were seen last."""
    name = audited.ship.name
    ship = as_it_stood(audited.ship, began.pieces, "", audited.module_map, like=stood.get(name, audited.ship))
    stood[name] = ship
    counts = audited.shown.filled(ship.boxes_left, ship.shields, began.step)
    seen = seen_state(audited.chosen, *counts, audited.rulebook.table("box_labels"), audited.used)
    stand = chat.stands.get(audited.ship.counter.id) if audited.ship.counter else None
    known = seen.power_seen and not audited.shown.unknown(began.step)
    state = audited.truly(seen.state, began.step) if known else None
    return Unit(name, audited.chosen, state, stand.hex if stand else None, stand.facing if stand else None)


# -- its weapons -------------------------------------------------------------------------


def shuttle_named(rulebook: Rulebook, name: str) -> Mount | None:
    """The shuttle a name means, by the book's name of it or its mark: `suicide shuttle`, `SS2`; None for what
    is no shuttle."""
    wording = folded(name)
    for type_, entry in rulebook.table("weapons")["weapons"].items():
        if entry.get("system") == "shuttle":
            mark = re.fullmatch(rf"(?:{folded(entry['name'])}|{folded(entry['prefix'])})([0-9a-z]?)", wording)
            if mark:
                return Mount(f"{entry['prefix']}/{mark[1].upper() or 1}", type_, "shuttle", "360")
    return None


def weapons_of(order: Fire | Launch, firer: ShipUnderAudit) -> tuple[Mount, ...]:
    """The weapons of an order. Raises BadInput for one the ship does not have."""
    shuttle = shuttle_named(firer.rulebook, order.weapon) if isinstance(order, Launch) else None
    if shuttle is not None:
        return (shuttle,)
    named = order.weapons if isinstance(order, Fire) else (order.weapon,)
    return weapons_named(firer.rulebook, firer.chosen, named)


def with_ids(text: str, speaker: str, ships: Mapping[str, ShipUnderAudit]) -> str:
    """An order with the ids of weapons in place of the names a map says the module gives them."""
    module_map = next(iter(ships.values())).module_map
    if module_map is None or not any(ship.weapons for ship in module_map.ships):
        return text
    named, colon, _ = text.partition(":")
    meant = folded(named if colon else speaker)
    own = [ship for name, ship in ships.items() if folded(name) == meant]
    own = own or [ship for name, ship in ships.items() if meant and meant in folded(name)]
    listed = module_map.listed(own[0].ship.counter) if len(own) == 1 else None
    weapons = {folded(name): id for name, id in listed.weapons.items()} if listed else {}
    if not weapons:
        return text
    longest = sorted(listed.weapons if listed else (), key=len, reverse=True)
    names = "|".join(re.escape(name) for name in longest)
    weapon, at, target = text.partition(" at ")
    found = re.sub(rf"(?i)(?<!\w)(?:{names})(?!\w)", lambda match: weapons[folded(match[0])], weapon)
    return f"{found}{at}{target}"
