"""A log of the online client as it is looked at: the game after every line that is play, with what is against it."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.account import BESIDE_ORDERS, Account
from referee.core.finding import Finding
from referee.core.gamefold import GameFold
from referee.core.positions import PlayedGame, Position, findings_by, looked_at
from referee.judging.boards import board_of
from referee.judging.broadsides import FireSeen, fallen
from referee.judging.files import judge_file
from referee.judging.record_positions import units_of
from referee.play.play_taken import one_game, words_of
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes


def play_played(source: InputBytes, asked: Asked) -> PlayedGame:
    """A log's positions. Raises BadInput for a log of several games, or of no ship known here."""
    game = one_game(source, asked)
    assert game.account is not None and game.rulebook is not None
    report = judge_file(source, asked)
    by_line = findings_by(report, lambda place: place.line)
    classes = {name: load_ship(id) for name, id in game.classes.items()}
    seen = FireSeen(game.rulebook, load_ship)
    positions = tuple(_positions(game.account, by_line, seen))
    return looked_at(
        report,
        source.name,
        positions,
        classes,
        game.rulebook.id,
        fire=seen.found,
        dice=fallen(seen.dice),
        board=board_of(game.rulebook),
        in_force=game.rulebook,
    )


def _positions(
    account: Account, by_line: dict[int | None, list[Finding]], seen: FireSeen
) -> Iterator[Position]:
    fold = GameFold(account.events, load_ship)
    events = account.events[1:]
    last = {event.at.line: event.seq for event in events if event.type not in {"step", *BESIDE_ORDERS}}
    for event in events:
        if event.type in BESIDE_ORDERS:
            if event.data.get("what") == "damage":
                seen.state_damage(event.data, fold.state)
            continue
        fold.take(event)
        state = fold.state
        found = by_line.get(event.at.line, []) if last.get(event.at.line) == event.seq else []
        yield Position(
            turn=state.turn,
            impulse=state.impulse,
            step=state.step,
            happened=words_of(event),
            place=f"line {event.at.line}" if event.at.line else "",
            units=tuple(units_of(state)),
            findings=tuple(found),
        )
