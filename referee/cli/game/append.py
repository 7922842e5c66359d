"""New entries of a record: held to account before a byte is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import typer

from referee.cli.game.file import Game, NewEntry, game_of, now
from referee.core.errors import BadInput


def append(path: str, build: Callable[[Game], Sequence[NewEntry]], *, by_hand: bool = False) -> Game:
    """Appends what `build` makes of the game under the record's lock; the game after it, on the disk.

    Everything new is held against the dice, the seals and the fold before a byte is written. A game is
    played on by its own rules only. With `by_hand` the dice that are declared are thrown on the table and
    typed in, whatever the game's are.
    """
    from referee.record import journal

    when = now()
    after: list[Game] = []

    def checked(tail: Any) -> Sequence[NewEntry]:
        game = game_of(path, list(tail.entries()))
        game.must_have_its_rules()
        new = list(build(game))
        new = _by_hand(game, new) if by_hand else new
        after.append(_with_new(game, new, when))
        return new

    journal.append(path, checked, when)
    return after[-1]


def _by_hand(game: Game, new: Sequence[NewEntry]) -> list[NewEntry]:
    """The entries with every roll declared as one thrown by hand. Raises BadInput where nobody could confirm it."""
    state = game.state
    if len(state.players) < 2 and not state.umpire:
        hint = "leave --by-hand out, or play with an umpire"
        raise BadInput("typed dice need somebody else to confirm them", file=game.path, hint=hint)
    mark = {} if state.dice_mode == "physical" else {"physical": True}
    return [(kind, data | mark if kind == "declare" else data) for kind, data in new]


def _with_new(game: Game, new: Sequence[NewEntry], when: str) -> Game:
    """The game with new entries. What the record could not hold is refused as wrong usage; keys, faces
    and orders that do not fit what was committed to stay what they are, an IntegrityFailure."""
    from referee.cli.game.dice import cannot_be_resolved
    from referee.core.errors import IntegrityFailure
    from referee.record.chain import make_entry
    from referee.record.entrytypes import check_shape
    from referee.record.rolls import DiceFault

    last = game.entries[-1]
    prev, seq = last.hash, last.seq + 1
    entries = list(game.entries)
    for kind, data in new:
        check_shape(kind, data)
        entries.append(make_entry(prev, seq, kind, data, when))
        prev, seq = entries[-1].hash, seq + 1
        if "volley" in data and (reason := cannot_be_resolved(game, data["volley"])):
            raise BadInput(reason, file=game.path, hint="nothing was recorded")
    try:
        return game_of(game.path, entries)
    except IntegrityFailure as error:
        forged = error.kind in ("key", "faces") if isinstance(error, DiceFault) else "match" in error.reason
        if forged:
            raise
        raise BadInput(error.reason, file=game.path, hint="nothing was recorded") from None


def thrown(path: str, faces: list[int] | None = None, by: str = "", *, head: bool = True) -> Game:
    """Throws the open roll of a record and says what fell, with the head unless others say it; shown only
    when it is on the disk."""
    from referee.cli.game.dice import throw
    from referee.cli.game.file import say_head
    from referee.report.gametext import entry_line

    before: list[int] = []

    def build(game: Game) -> Any:
        before.append(len(game.entries))
        return throw(game, faces, by)

    game = append(path, build)
    for entry in game.entries[before[-1] :]:
        typer.echo(entry_line(entry, False))
    if head:
        say_head(game)
    return game
