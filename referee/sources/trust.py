"""Files that bend the rules, found in the folder: they count once the player trusts them, and as they were then."""

from __future__ import annotations

import os
from pathlib import Path

HOME = "REFEREE_HOME"
"""The variable that names another folder for what the program keeps of a user."""


def is_trusted(file: str) -> bool:
    """Did the user trust this file as it is now?"""
    return Path(file).is_file() and _mark(file) in _marks()


def trust(file: str) -> None:
    """From now on the file counts as it is. Its digest is kept outside the folder, whence nobody can plant it."""
    from referee.formats.files import write_file

    place = Path(file).resolve().as_uri()
    others = [mark for mark in _marks() if mark.partition(" ")[2] != place]
    kept = _kept()
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_file(kept, "".join(f"{mark}\n" for mark in (*others, _mark(file))).encode())


def _mark(file: str) -> str:
    from hashlib import sha256

    from referee.formats.files import read_bytes
    from referee.formats.limits import MAX_JSON_FILE

    return f"{sha256(read_bytes(file, MAX_JSON_FILE)).hexdigest()} {Path(file).resolve().as_uri()}"


def _marks() -> list[str]:
    kept = _kept()
    return kept.read_text("utf-8").splitlines() if kept.is_file() else []


def _kept() -> Path:
    """The list of what is trusted, in the folder where the system keeps a user's data."""
    places = (os.environ.get(name) for name in (HOME, "LOCALAPPDATA", "XDG_DATA_HOME"))
    return Path(next(filter(None, places), Path.home() / ".local" / "share")) / "referee" / "trusted"
