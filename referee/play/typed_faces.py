"""Faces typed in one after another: kept beside the record until all that a roll asks for are there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.record.secretfiles import read_secret, secrets_folder, write_secret

if TYPE_CHECKING:
    from referee.play.game_file import Game
    from referee.record.rolls import DeclaredRoll


def kept_faces(game: Game, roll: DeclaredRoll) -> list[int]:
    """The faces of an open roll that were typed in before, in their order."""
    return [int(face) for path in _files(game, roll) for face in read_secret(path)["faces"]]


def keep_faces(game: Game, roll: DeclaredRoll, faces: list[int]) -> None:
    """Keeps some more faces of a roll."""
    name = f"faces-{roll.declaration[:16]}-{len(_files(game, roll)):04}.json"
    write_secret(secrets_folder(game.path), name, {"declaration": roll.declaration, "faces": faces})


def kept_picks(game: Game, roll: DeclaredRoll) -> dict[str, str]:
    """The boxes chosen so far of the volley that an open roll is for, by hit: `hit_3`."""
    picks: dict[str, str] = {}
    for path in _files(game, roll, "picks"):
        picks |= read_secret(path)["picks"]
    return picks


def keep_pick(game: Game, roll: DeclaredRoll, hit: int, box: str) -> None:
    """Keeps one box more."""
    name = f"picks-{roll.declaration[:16]}-{len(_files(game, roll, 'picks')):04}.json"
    answer = {"declaration": roll.declaration, "picks": {f"hit_{hit}": box}}
    write_secret(secrets_folder(game.path), name, answer)


def forget_pick(game: Game, roll: DeclaredRoll) -> str:
    """Forgets the box that was chosen last, and gives its name; an empty text where none was."""
    picked = _files(game, roll, "picks")
    if not picked:
        return ""
    box = next(iter(read_secret(picked[-1])["picks"].values()))
    picked[-1].unlink()
    return str(box)


def forget_faces(game: Game, roll: DeclaredRoll) -> None:
    """Forgets the faces kept, and the boxes: they are in the record, or were typed in by mistake."""
    for path in (*_files(game, roll), *_files(game, roll, "picks")):
        path.unlink(missing_ok=True)


def _files(game: Game, roll: DeclaredRoll, kind: str = "faces") -> list[Path]:
    return sorted(secrets_folder(game.path).glob(f"{kind}-{roll.declaration[:16]}-*.json"))
