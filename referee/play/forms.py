"""Energy forms of a game, from the files of players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.adjudicator.record_forms import not_to_be_filed
from referee.adjudicator.tables import table_of
from referee.core.account import PROPOSED, SHOWN
from referee.core.errors import BadInput, Refused
from referee.core.naming import folded
from referee.core.ship import plain_id
from referee.play.game_file import refuse
from referee.play.telling import telling
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked
from referee.sources.forms import account_in_game, must_be_readable, read_forms
from referee.sources.inputs import read_input
from referee.sources.settings import Settings

if TYPE_CHECKING:
    from referee.core.finding import Finding, Report
    from referee.core.forms import EnergyAllocation, EnergyForm
    from referee.core.game import ShipInGame
    from referee.play.game_file import Game
    from referee.rulebooks.base import Rulebook


def allocation_in(game: Game, file: str, ship: str) -> tuple[ShipInGame, EnergyAllocation, str]:
    """The ship of the game and the allocation of the current turn in a form's file; and what ship the form names where
    that is another one of the game. Raises BadInput."""
    source = read_input(file)
    asked = Asked(Settings(rulebook=game.rulebook.id))
    for form in read_forms(source, asked):
        target = ship_meant(game, form, ship)
        must_be_readable(form)
        for allocation in form.allocations:
            if target is not None and allocation.turn == game.state.turn:
                must_be_known(game, target, allocation, file)
                return target, allocation, _another_named(game, target, form.ship or "")
    raise BadInput(
        f"has no form of turn {game.state.turn} for a ship of this game",
        file=file,
        hint=f"--ship {' or '.join(game.state.ships)}",
    )


def _another_named(game: Game, target: ShipInGame, named: str) -> str:
    """What a form calls its ship where that is another ship of the game than the one it is given for; else nothing."""
    others = {
        folded(text) for each in game.state.ships.values() for text in (each.name, plain_id(each.state.ship))
    }
    own = {folded(target.name), folded(plain_id(target.state.ship))}
    return named if folded(named) in others - own else ""


def refuse_form(target: ShipInGame, another: str, findings: Sequence[Finding], force: bool) -> None:
    """Says what is against a form, and that it names another ship; raises Refused unless forced."""
    asked = f"the form names {another}, another ship of the game, and is given for {target.name}"
    if another:
        telling().aside(f"{asked}; --force takes it as it is given")
    refuse(findings, force)
    if another and not force:
        raise Refused(asked, announced=True)


def must_be_known(game: Game, ship: ShipInGame, allocation: EnergyAllocation, file: str) -> None:
    """Raises BadInput for a form of which something is not known: in a record that would count as nought."""
    if why := not_to_be_filed(game.rulebook.lines, game.ship_class(ship), allocation):
        hint = (
            "name its rows as `referee form blank` does, once each, and write figures as 3, 2.5, 2 1/2 or 5/2"
        )
        raise BadInput(why, file=file, hint=hint)


def ship_meant(game: Game, form: EnergyForm, ship: str) -> ShipInGame | None:
    """The ship of a game that a form is for: the one named, or else the one the form names by its name or, where
    it is the only one, by its class."""
    if ship:
        return game.state.ship(ship)
    wanted = folded(form.ship or "")
    by_name = [found for name, found in game.state.ships.items() if folded(name) == wanted]
    by_class = [found for found in game.state.ships.values() if folded(plain_id(found.state.ship)) == wanted]
    return (by_name or by_class)[0] if len(by_name or by_class) == 1 else None


def on_form(rulebook: Rulebook, ship: ShipInGame, kind: str, file: str, **known: Any) -> Report:
    """The report on a form of a ship in a game, by the table; `known` is what the kind of event says of it."""
    return table_of(rulebook, load_ship, account_in_game(rulebook, ship, kind, file, **known)).report()


def on_form_proposed(game: Game, ship: ShipInGame, allocation: EnergyAllocation) -> list[Finding]:
    """The findings on one turn's allocation, all earlier turns in the record taken with it."""
    return list(on_form(game.rulebook, ship, PROPOSED, game.path, form=allocation).findings)


def on_form_shown(game: Game, ship: ShipInGame, turn: int, form: Mapping[str, Any]) -> list[Finding]:
    """The findings on a form that is filed or shown now, and what is new against those of later turns."""
    return list(on_form(game.rulebook, ship, SHOWN, game.path, turn=turn, form=form).findings)
