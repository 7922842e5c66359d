"""A record as it is looked at: the game after every entry, with what the rules say against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.entry_words import chat_text
from referee.core.finding import Finding
from referee.core.gamefold import GameFold
from referee.core.positions import PlayedGame, Position, UnitShown, findings_by, looked_at
from referee.judging.boards import board_of
from referee.judging.broadsides import FireSeen, fallen
from referee.judging.files import judge_file
from referee.judging.own_positions import own_played
from referee.play.game_file import game_in
from referee.play.told_again import told_in_order
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.core.game import GameState
    from referee.play.game_file import Game

_SILENT = frozenset(("signer", "nonce", "key", "declare", "confirm", "umpire_ack", "anchor"))
"""Entries that keep dice and seals honest, and change nothing on the map."""


def record_played(source: InputBytes, asked: Asked) -> PlayedGame:
    """A record's positions. Raises as `check` does for a record that does not hold."""
    game = game_in(source)
    if game.state.own is not None:
        return own_played(source, asked, game)
    report = judge_file(source, asked)
    by_line = findings_by(report, lambda place: place.record_line)
    classes = game.ship_classes
    seen = FireSeen(game.rulebook, load_ship)
    positions = tuple(_positions(game, by_line, seen))
    return looked_at(
        report,
        source.name,
        positions,
        classes,
        game.rulebook.id,
        game.head,
        fire=seen.found,
        dice=fallen(seen.dice),
        board=board_of(game.rulebook),
        in_force=game.rulebook,
    )


def _positions(game: Game, by_line: dict[int | None, list[Finding]], seen: FireSeen) -> Iterator[Position]:
    fold = GameFold(game.entries, load_ship)
    before = fold.state
    for entry, words in told_in_order(game, fold):
        if entry.seq not in game.state.undone:
            seen.see(entry.type, entry.data, before)
        before = state = fold.state
        found = tuple(by_line.get(entry.seq + 1, ()))
        if (entry.type in _SILENT or words == []) and not found:
            continue
        yield Position(
            turn=state.turn,
            impulse=state.impulse,
            step=state.step,
            happened="" if entry.type == "step" else "; ".join(words or [chat_text(entry)]),
            place=f"#{entry.seq}",
            units=tuple(units_of(state)),
            findings=found,
            taken_back=entry.seq in game.state.undone,
        )


def units_of(state: GameState) -> Iterator[UnitShown]:
    """The units of a game as they stand: its ships, then the seekers on the map."""
    for ship in state.ships.values():
        speed = "" if ship.unit.speed is None else str(ship.unit.speed)
        hex = None if state.has_left(ship) else ship.unit.hex
        yield UnitShown(
            ship.name, "ship", hex, ship.unit.facing, ship.player, speed, "", ship.state, ship.unit
        )
    for seeker in state.seekers.values():
        owner = state.ships.get(seeker.owner)
        side = owner.player if owner is not None else seeker.player or seeker.side
        yield UnitShown(seeker.name, "seeker", seeker.hex, seeker.facing, side, "", seeker.target)
