"""Which table an account is put on: what it tells of decides, and not what it was read from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.adjudicator.energy_table import EnergyTable
from referee.core.account import Account
from referee.rulebooks.base import Rulebook

if TYPE_CHECKING:
    from referee.adjudicator.table import GameTable
    from referee.core.board import LoadShip


def table_of(rulebook: Rulebook, load_ship: LoadShip, account: Account) -> EnergyTable | GameTable:
    """The table of an account, by what it tells of."""
    if account.coverage.is_of_energy_alone:
        return EnergyTable(rulebook, load_ship, account)
    from referee.adjudicator.table import GameTable  # Who checks a form waits for no game.

    return GameTable(rulebook, load_ship, account)
