"""The files that are meant by a folder, and by a pattern that no shell has written out."""

from __future__ import annotations

from collections.abc import Iterable
from glob import glob
from pathlib import Path

from referee.core.errors import BadInput
from referee.formats.sheets import SUFFIXES as SHEETS

SUFFIXES = (*SHEETS, ".json", ".jsonl", ".txt", ".log", ".vsav", ".vlog", ".sav")
"""What files of a game are called."""


def files_meant(given: Iterable[str], output: str = "") -> tuple[list[str], list[str]]:
    """The files, those of a folder or a pattern by name; and those of the folders that are called otherwise. Folders in
    them, hidden files and the output are passed over. Raises BadInput where there is none."""
    files: list[str] = []
    others: list[str] = []
    for name in given:
        if name == "-" or "\0" in name:
            files.append(name)
        elif Path(name).is_dir():
            inside = _inside(name, output)
            meant = [path for path in inside if path.lower().endswith(SUFFIXES)]
            if not meant:
                known = ", ".join(SUFFIXES)
                raise BadInput(
                    "there is no file of a game in this folder", file=name, hint=f"looked for {known}"
                )
            files += meant
            others += [path for path in inside if path not in meant]
        elif any(sign in name for sign in "*?[") and not Path(name).exists():
            files += sorted(glob(name)) or [name]
        else:
            files.append(name)
    return files, others


def _inside(folder: str, output: str) -> list[str]:
    try:
        paths = sorted(path for path in Path(folder).iterdir() if path.is_file())
    except OSError as error:
        raise BadInput(f"cannot be looked into ({error.strerror})", file=folder) from None
    written = Path(output).resolve() if output else None
    return [str(path) for path in paths if path.name[0] not in ".~" and path.resolve() != written]
