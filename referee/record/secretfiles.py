"""What a player must not share: files of mode 0600 in `<game>.secrets/`, beside the record.

Losing them loses the game's sealed orders and keys: tell the player to keep a copy.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from referee.core.errors import BadInput
from referee.record.canonical import canonical, parse_strict
from referee.record.chain import Data
from referee.record.limits import MAX_SECRET_FILE
from referee.record.reading import Name
from referee.record.recordfile import open_file, read_at, sync_folder

_NAME = re.compile(r"[a-z0-9_-]{1,128}\.(json|age|key)")


def secrets_folder(record: Name) -> Path:
    """The folder of a record's secrets: `duel.jsonl` has `duel.secrets`."""
    return Path(record).with_suffix(".secrets")


def slug(text: str) -> str:
    """A file name's part made of a text: 1 to 40 of a-z, 0-9 and `-`."""
    words = re.findall("[a-z0-9]+", text.lower())
    return "-".join(words)[:40].strip("-") or "x"


def write_secret(folder: Path, name: str, secret: Data) -> Path:
    """Writes a secret to a new file, durable when this returns.

    Raises BadInput if the file exists (a secret is never overwritten) or cannot be written.
    """
    return write_new(folder, name, canonical(secret) + b"\n")


def write_new(folder: Path, name: str, data: bytes) -> Path:
    """Writes bytes to a new private file in the folder of secrets. Raises as `write_secret`."""
    if not _NAME.fullmatch(name):
        raise BadInput(f"{name[:60]!a} is not a name of a secret file")
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot be made ({error.strerror})", file=str(folder)) from None
    return write_private(folder / name, data)


def write_private(path: Path, data: bytes) -> Path:
    """Writes bytes to a new file that only its owner can read. Raises as `write_secret`."""
    descriptor = open_file(str(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
        sync_folder(str(path))
    except OSError as error:
        path.unlink(missing_ok=True)
        raise BadInput(f"cannot be written ({error.strerror})", file=str(path)) from None
    finally:
        os.close(descriptor)
    return path


def read_secret(path: Name) -> Data:
    """The object in a secret file. Raises BadInput for anything else."""
    name = os.fspath(path)
    descriptor = open_file(name, os.O_RDONLY)
    try:
        data = read_at(descriptor, 0, MAX_SECRET_FILE + 1)
    finally:
        os.close(descriptor)
    if len(data) > MAX_SECRET_FILE:
        raise BadInput(f"larger than {MAX_SECRET_FILE} bytes", file=name)
    try:
        value = parse_strict(data.decode("utf-8"))
    except ValueError as error:
        raise BadInput(str(error), file=name) from None
    if not isinstance(value, dict):
        raise BadInput("is not an object", file=name)
    return value
