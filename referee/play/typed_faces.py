"""Faces typed in one after another: kept beside the record until all that a roll asks for are there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.play.game_file import Game
    from referee.record.rolls import Roll


def kept_faces(game: Game, roll: Roll) -> list[int]:
    """The faces of an open roll that were typed in before, in their order."""
    from referee.record.secretfiles import read_secret

    return [int(face) for path in _files(game, roll) for face in read_secret(path)["faces"]]


def keep_faces(game: Game, roll: Roll, faces: list[int]) -> None:
    """Keeps some more faces of a roll."""
    from referee.record.secretfiles import secrets_folder, write_secret

    name = f"faces-{roll.declaration[:16]}-{len(_files(game, roll)):04}.json"
    write_secret(secrets_folder(game.path), name, {"declaration": roll.declaration, "faces": faces})


def forget_faces(game: Game, roll: Roll) -> None:
    """Forgets the faces kept: they are in the record, or were typed in by mistake."""
    for path in _files(game, roll):
        path.unlink(missing_ok=True)


def _files(game: Game, roll: Roll) -> list[Path]:
    from referee.record.secretfiles import secrets_folder

    return sorted(secrets_folder(game.path).glob(f"faces-{roll.declaration[:16]}-*.json"))
