"""A VASSAL save as it is looked at: one position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.positions import PlayedGame, Position, UnitShown, looked_at
from referee.formats.vassal.course import MapChart
from referee.judging.boards import board_in
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.modules import module_beside
from referee.sources.save_account import save_shown
from referee.sources.saves import map_of, with_map
from referee.sources.settings import rulebook_in_force
from referee.sources.ships import Reading

if TYPE_CHECKING:
    from referee.formats.vassal.game import Save


def save_played(source: InputBytes, asked: Asked, save: Save) -> PlayedGame:
    """The position a save holds. Raises BadInput where no ship is known."""
    module_map = map_of(asked)
    module, _ = module_beside(save, asked)
    report = judge_file(source, asked)
    game = save_shown(Reading(save, with_map(asked, module_map), module_map, module))
    account = game.account
    if not account.ships:
        hint = '--ship "NAME=CLASS" names one'
        raise BadInput("has no ship whose class is known", file=source.name, hint=hint)
    units = tuple(
        UnitShown(
            ship["ship"],
            "ship",
            ship["hex"],
            ship["facing"],
            " ".join(ship["sides"][:1]),
            state=ship["state"],
        )
        for ship in account.ships
    )
    end = account.until
    position = Position(
        end.turn or 0, end.impulse, account.until_step, "as saved", "", units, report.findings
    )
    chart, boards = MapChart(module, module_map), {leaf.map: leaf for leaf in save.boards}
    maps = [piece.map for piece in save.pieces if piece.map and chart.stand(piece, boards).hex]
    board = board_in(chart, boards, maps)
    rulebook = rulebook_in_force(game.settings.rulebook, game.settings, lenient=True)
    return looked_at(
        report, source.name, (position,), game.classes, rulebook.id, board=board, in_force=rulebook
    )
