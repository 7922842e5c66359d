"""The files that are meant by a folder, and by a pattern that no shell has written out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from referee.core.errors import BadInput
from referee.formats.sheets import SUFFIXES as SHEETS

SUFFIXES = (*SHEETS, ".json", ".jsonl", ".txt", ".log", ".vsav", ".vlog", ".sav")
"""What files of a game are called."""
_LOOKED_FOR = f"looked for {', '.join(SUFFIXES)}"


def files_meant(given: Iterable[str], output: str) -> tuple[list[str], list[str], list[str]]:
    """The files, those of a folder or a pattern by name; what in the folders is called otherwise; and the folders in them,
    which are not looked into. What is hidden and the output are left out. Raises BadInput where no file is of a game."""
    files: list[str] = []
    others: list[str] = []
    folders: list[str] = []
    for name in given:
        path = Path(name)
        try:
            inside = None
            if name != "-" and path.is_dir():
                within = sorted(str(each) for each in path.iterdir() if each.is_dir() and _is_seen(each))
                folders += within
                checks = "".join(f"; referee check {each}" for each in within[:3])
                hint = f"there are folders in it{checks}" if within else _LOOKED_FOR
                inside, none = (
                    path.iterdir(),
                    BadInput("no file of a game is in this folder", file=name, hint=hint),
                )
            elif set("*?[") & set(name) and not path.exists():
                inside, none = (
                    _matching(path),
                    BadInput("no file of a game matches this", file=name, hint=_LOOKED_FOR),
                )
            if inside is None:
                files.append(name)
                continue
            seen = sorted(str(each) for each in inside if each.is_file() and _is_seen(each, output))
        except OSError as error:
            raise BadInput(f"cannot be looked into ({error.strerror})", file=name) from None
        meant = [each for each in seen if each.lower().endswith(SUFFIXES)]
        if not meant:
            raise none
        files += meant
        others += [each for each in seen if each not in meant]
    return files, others, folders


def _matching(path: Path) -> Iterable[Path]:
    """What a pattern matches; `**` is any folder, and at its end all that is in them."""
    signs = next(n for n, part in enumerate(path.parts) if set("*?[") & set(part))
    wanted = [*path.parts[signs:], *(["*"] if path.name == "**" else [])]
    return Path(*path.parts[:signs]).glob("/".join(wanted))


def _is_seen(path: Path, output: str = "") -> bool:
    return path.name[0] not in ".~" and path.resolve() != Path(output or "-").resolve()
