"""An orders file to its report: its account on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from referee.adjudicator.table import GameTable
from referee.core.finding import Report
from referee.core.forms import EnergyForm
from referee.core.orders import OrdersFile
from referee.rulebooks.base import Rulebook
from referee.sources.orders import LoadShip, account_of, rulebook_of

NO_FORMS: Mapping[str, EnergyForm] = MappingProxyType({})


def orders_on_table(
    rulebook: Rulebook,
    orders: OrdersFile,
    load_ship: LoadShip,
    *,
    goes_on: bool = False,
    forms: Mapping[str, EnergyForm] = NO_FORMS,
) -> GameTable:
    """The game of an orders file. Where it `goes_on` its last impulse is still being played. Raises BadInput where it
    asks for an option the rulebook does not have."""
    in_force = rulebook_of(orders, rulebook)
    return GameTable(
        in_force, load_ship, account_of(orders, in_force, load_ship, goes_on=goes_on, forms=forms)
    )


def judge_orders(
    rulebook: Rulebook,
    orders: OrdersFile,
    load_ship: LoadShip,
    *,
    goes_on: bool = False,
    forms: Mapping[str, EnergyForm] = NO_FORMS,
) -> Report:
    """Plays an orders file and judges all that it orders: movement, fire, launches and cloaks, with the energy forms of
    its ships beside it. Raises BadInput where it asks for an option the rulebook does not have."""
    report = orders_on_table(rulebook, orders, load_ship, goes_on=goes_on, forms=forms).report()
    by_line = sorted(report.findings, key=lambda each: each.location.line or 0)
    return replace(report, findings=tuple(by_line))
