"""`referee game undo`: one entry taken back, or all after one as a single act."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.core.game import EntryLike
    from referee.play.game_file import Game

REMARKS = ("foul", "note")
"""Entries that go with what they are about, and are not counted by `--back`."""


def game_undo(
    path: Annotated[str, typer.Argument(help="The record.")],
    reason: Annotated[str, typer.Option(help="Why.")],
    target: Annotated[int | None, typer.Argument(help="One entry to take back, by its number (#).")] = None,
    to: Annotated[int | None, typer.Option(help="Take back all after this entry (#), which stays.")] = None,
    back: Annotated[
        int | None, typer.Option(help="Take back the last so many entries; fouls and notes go with theirs.")
    ] = None,
    last: Annotated[bool, typer.Option("--last", help="Take back the last entry: --back 1.")] = False,
    agreed: Annotated[str, typer.Option(help="Who agrees: alice,bob; all players, or the umpire.")] = "",
) -> None:
    """Take entries out of the replay; they stay in the record, and dice stay rolled. To redo, undo the undo."""
    from referee.core.undoing import hinders_undo
    from referee.play.append import append
    from referee.play.game_file import agreeing, open_game, say_head

    said = [target is not None, to is not None, back is not None, last]
    if said.count(True) != 1:
        raise BadInput(
            "say what is taken back, in one way", hint="one of: an entry's number, --to N, --back K, --last"
        )
    game = open_game(path)
    who = _agreed(game, agreeing(agreed))
    data: dict[str, Any] = {"reason": reason, "agreed_by": who}
    if target is not None:
        if hindrance := hinders_undo(game.entries, target):
            hint = f"--to {target - 1} takes back all from it on" if "rests on it" in hindrance else ""
            raise BadInput(hindrance, file=path, place=f"#{target}", hint=hint)
        told = f"#{target} is taken back"
    else:
        target = _first(game, to, 1 if last else back)
        told = _going(game, target)
        data["onward"] = True
    game = append(path, lambda _: [("undo", {"target": target, **data})])
    typer.echo(told)
    typer.echo(f"redo: referee game undo {path} {game.entries[-1].seq} --reason WHY")
    say_head(game)


def _agreed(game: Game, who: list[str]) -> list[str]:
    """Who agrees; who plays alone need not say so. Raises BadInput where somebody has not."""
    players = game.state.players
    who = who or (list(players) if len(players) == 1 else [])
    missing = [name for name in players if name not in who]
    if missing and game.state.umpire not in who:
        hint = f"--agreed {','.join(players)}"
        raise BadInput(f"{missing[0]} has not agreed", file=game.path, hint=hint)
    return who


def _first(game: Game, to: int | None, back: int | None) -> int:
    """The first entry that goes: that after entry `to`, or that of the last `back` that count. Raises BadInput."""
    from referee.core.undoing import going

    if to is not None:
        if not 0 <= to < len(game.entries) - 1:
            raise BadInput(
                f"nothing comes after entry #{to}", file=game.path, hint=f"0 to {len(game.entries) - 2}"
            )
        return to + 1
    assert back is not None
    counted = [entry.seq for entry in going(game.entries, 1) if entry.type not in REMARKS]
    if not 0 < back <= len(counted):
        raise BadInput(f"--back {back}", file=game.path, hint=f"1 to {len(counted)}")
    return counted[-back]


def _going(game: Game, target: int) -> str:
    """Lists what goes and what stays, asks on a terminal; what to say once it is done. Raises BadInput."""
    from referee.core.takenback import LASTING, taken_back
    from referee.core.undoing import going, hinders_going_back

    goes = going(game.entries, target)
    stayed = taken_back(game.entries).stayed
    stays = [e for e in game.entries[target:] if e.type in LASTING and e.seq not in stayed]
    if hindrance := hinders_going_back(game.entries, target):
        named = ", ".join(f"#{entry.seq} {entry.type}" for entry in stays[:8])
        hint = f"dice and seals stay: {named}" if stays and not goes else ""
        raise BadInput(hindrance, file=game.path, place=f"#{target}", hint=hint)
    _list("taken back:", goes)
    _list("stays in the record, dice as they were rolled; orders sealed here count no more:", stays)
    if sys.stdin.isatty() and sys.stdout.isatty() and not typer.confirm(f"Take {_count(goes)} back?"):
        typer.echo("nothing was recorded")
        raise typer.Exit(1)
    return f"back to #{target - 1}: {_count(goes)} taken back"


def _list(heading: str, entries: Sequence[EntryLike]) -> None:
    from referee.core.entry_words import entry_line

    if entries:
        typer.echo(heading)
    for entry in entries:
        typer.echo(f"  {entry_line(entry, False)}")


def _count(entries: Sequence[EntryLike]) -> str:
    return f"{len(entries)} entries" if len(entries) != 1 else "1 entry"
