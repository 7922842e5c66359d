"""The files that are meant by a folder, and by a pattern that no shell has written out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from referee.core.errors import BadInput
from referee.formats.sheets import SUFFIXES as SHEETS

SUFFIXES = (*SHEETS, ".json", ".jsonl", ".txt", ".log", ".vsav", ".vlog", ".sav")
"""What files of a game are called."""


def files_meant(given: Iterable[str], output: str) -> tuple[list[str], list[str]]:
    """The files, those of a folder or a pattern by name; and what in the folders is called otherwise. Hidden files, the
    output and folders within are left out. Raises BadInput for a folder without files of a game."""
    files: list[str] = []
    others: list[str] = []
    for name in given:
        path = Path(name)
        try:
            if name != "-" and path.is_dir():
                inside = _seen(path.iterdir(), output)
                meant = [each for each in inside if each.lower().endswith(SUFFIXES)]
                if not meant:
                    hint = f"looked for {', '.join(SUFFIXES)}"
                    raise BadInput("no file of a game is in this folder", file=name, hint=hint)
                files += meant
                others += [each for each in inside if each not in meant]
            elif any(sign in path.name for sign in "*?[") and not path.exists():
                files += _seen(path.parent.glob(path.name), output) or [name]
            else:
                files.append(name)
        except OSError as error:
            raise BadInput(f"cannot be looked into ({error.strerror})", file=name) from None
    return files, others


def _seen(paths: Iterable[Path], output: str) -> list[str]:
    seen = (path for path in paths if path.is_file() and path.name[0] not in ".~")
    return sorted(str(path) for path in seen if path.resolve() != Path(output or "-").resolve())
