"""A game record on the table, judged entry by entry; what it waits for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from referee.adjudicator.waiting_for import awaited
from referee.core.errors import RefereeError
from referee.play.game_file import game_of
from referee.play.sealed import orders_read
from referee.play.way_back import WayBack, moments_kept, stands_in, takes_back
from referee.record.reading import read
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.adjudicator.table import GameTable
    from referee.adjudicator.waiting_for import Wait
    from referee.core.toldfold import Before
    from referee.play.game_file import Game


def table_of(game: Game, before: Before | None = None) -> GameTable:
    """The game on the table; `before` looks at each entry that is judged by itself, and at the game before it."""
    from referee.adjudicator.table import GameTable
    from referee.sources.record import account_of

    account = account_of(game.entries, game.path, proved=True)
    return GameTable(game.rulebook, load_ship, account, orders_read, before=before)


_standing: WayBack[GameTable] = WayBack()
"""The table of the game that was asked for last, and tables before it."""


def standing_table(game: Game) -> GameTable:
    """The game on a table of one's own, to be played on: entries that a table has taken before are not judged
    again."""
    from referee.sources.record import event_of

    entries = game.entries

    found = _standing.last(game.path, entries, lambda _, known: stands_in(known.fold, entries))
    if found is None:
        table = table_of(game)
    else:
        taken, known = found
        new = entries[taken:]
        table = known.fork() if new else known
        if takes_back(new):
            table.fold.look_ahead(entries)
        for entry in new:
            table.take(event_of(entry, game.path))
    _standing.keep(game.path, entries, table)
    return table.fork()


def stood_earlier(path: str) -> None:
    """Works out where a record stood at some moments before now, for the undos of who plays on in it."""
    entries = read(path)
    # What the whole record is refused for, is said where it is opened.
    with suppress(RefereeError):
        for count in moments_kept(len(entries)):
            standing_table(game_of(path, entries[:count]))


def awaited_in(game: Game) -> list[Wait]:
    """What a game waits for, and from whom: fire that was sealed and shown is to be declared, too."""
    from referee.play.dice import dice_to_type, needs_no_faces
    from referee.play.dice_calls import asked_now

    state = game.state
    if (asked := asked_now(game)) is not None:
        ship = state.ships.get(asked.ship)
        player = ship.player if ship else getattr(state.own, "players", {}).get(asked.ship, "")
        return [(player, f"{asked.reason}? ({asked.hint})")]
    shown = state.own is None and any(
        seal.kind == "fire" and seal.revealed for seal in state.seals.of_turn(state.turn)
    )
    # Only the table can tell which of the sealed shots may still be fired.
    sealed = list(standing_table(game).seals.undeclared(state)) if shown and state.impulse is not None else ()
    due, faceless, dice = game.dice.waiting_for(), needs_no_faces(game), dice_to_type(game)
    waits = awaited(state, game.rulebook, due, sealed, faceless=faceless, dice=dice)
    return [*waits, *_idle_seals(game)]


def _idle_seals(game: Game) -> Iterator[Wait]:
    """Orders of the turn that were sealed and shown, and hold nobody to anything."""
    if not any(seal.revealed and seal.kind != "eaf" for seal in game.state.seals.of_turn(game.state.turn)):
        return
    from referee.adjudicator.record_seals import SealedOrders

    seals = SealedOrders(game.rulebook, load_ship, orders_read, lambda order, state: False)
    for seal, reason in seals.idle(game.state):
        when = f"turn {seal.turn}" + (f", impulse {seal.impulse}" if seal.impulse is not None else "")
        wait = f"what {seal.ship}'s {seal.kind} of {when} were to be: as sealed they hold it to nothing ({reason})"
        yield seal.player, wait
