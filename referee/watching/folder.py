"""Which saves and logs of a folder were written, replaced, renamed or removed since it was looked at last.

The folder is looked at again and again: network folders tell nobody of a change, and a look at some hundred names
takes less than a millisecond.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from referee.core.errors import BadInput

SUFFIXES = (".vsav", ".vlog", ".sav")
"""The names VASSAL gives to what it writes; `.log` is the name of much else."""
MOST_FILES = 2_000
"""Files of a folder that are followed; more are named in one line."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What changes when a file is written again: by which inode it is, its size and its times."""

    inode: int
    size: int
    written: int
    changed: int


def look_into(folder: str) -> tuple[dict[str, Stamp], int]:
    """The files there are now, by path, and how many more than are followed. Raises BadInput where the folder cannot
    be read."""
    found: dict[str, Stamp] = {}
    left_out = 0
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not _is_followed(entry.name):
                    continue
                if len(found) >= MOST_FILES:
                    left_out += 1
                elif (stamp := _stamp(entry)) is not None:
                    found[str(Path(folder) / entry.name)] = stamp
    except ValueError:
        raise BadInput("its name holds a NUL character", file=folder.replace("\0", "\\0")) from None
    except OSError as error:
        hint = "give the folder VASSAL saves in" if isinstance(error, NotADirectoryError) else ""
        reason = f"cannot be looked into ({error.strerror})"
        raise BadInput(reason, file=folder, hint=hint) from None
    return found, left_out


def _is_followed(name: str) -> bool:
    """Has a file the name of a save or log? Hidden files are halves that others are still writing."""
    return not name.startswith((".", "~")) and name.lower().endswith(SUFFIXES)


def _stamp(entry: os.DirEntry[str]) -> Stamp | None:
    """The stamp of a file, None of a folder and of a file already gone. A link has a stamp of its own, so that its
    reader can say it is a link."""
    try:
        status = entry.stat(follow_symlinks=False)
        if os.name == "nt":  # the folder's own entry has no inode there, and may be older than the file
            status = Path(entry.path).lstat()
    except OSError:
        return None
    if stat.S_ISDIR(status.st_mode):
        return None
    return Stamp(status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
