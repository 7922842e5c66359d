"""Reads a player's file without following links or waiting on pipes; writes one whole or not at all."""

from __future__ import annotations

import codecs
import errno
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from referee.core.errors import BadInput

# O_NOFOLLOW and O_NONBLOCK do not exist on Windows, where neither danger does.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)

_REASONS = {
    errno.ENOENT: "no such file",
    errno.EACCES: "not allowed to read it",
    errno.EISDIR: "is a folder, not a file",
    errno.ENOTDIR: "no such file",
    errno.ENXIO: "is not a regular file",
    errno.ENAMETOOLONG: "name too long",
}


_WIDE = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
"""What text begins with that Windows saved as `Unicode`."""


_SIGNS = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a zip archive, as saves and workbooks are",
}


def other_than_text(data: bytes) -> str:
    """What a file is that is known by its first bytes and holds no text; of text nothing."""
    return next((what for sign, what in _SIGNS.items() if data.startswith(sign)), "")


def as_utf8(data: bytes) -> bytes:
    """Text without its mark of order, and where that says UTF-16 as UTF-8; of a character that is cut a sign stays."""
    wide = _WIDE.get(data[:2])
    return data[2:].decode(wide, "replace").encode() if wide else data.removeprefix(codecs.BOM_UTF8)


def in_lines(data: bytes) -> bytes:
    """Text as UTF-8 whose lines all end with a line feed: in other files CR LF ends them, or CR alone."""
    data = as_utf8(data)
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def as_text(data: bytes, file: str, hint: str = "") -> str:
    """The text of a player's file: UTF-8 or, by its mark, UTF-16. Raises BadInput, with the byte, for what is neither,
    and for a character that is cut."""
    wide = data[:2] in _WIDE
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        reason = f"is {other_than_text(data) or ('not UTF-16 text' if wide else 'not UTF-8 text')}"
        raise BadInput(reason, file=file, place=f"byte {error.start}", hint=hint) from None


def read_bytes(path: str | os.PathLike[str], limit: int) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; anything else is BadInput."""
    name = os.fspath(path)
    descriptor = _open(name)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise BadInput("is a folder, not a file", file=name)
        if not stat.S_ISREG(status.st_mode):
            raise BadInput("is not a regular file", file=name)
        if status.st_size > limit:
            raise _too_large(name, limit)
        data = _read(descriptor, limit + 1, name)
    finally:
        os.close(descriptor)
    # The file may have grown between the look and the read.
    if len(data) > limit:
        raise _too_large(name, limit)
    return data


def _open(name: str) -> int:
    try:
        return os.open(name, _FLAGS)
    except ValueError:
        raise BadInput("file name holds a NUL character", file=name.replace("\0", "\\0")) from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise BadInput("is a symbolic link", file=name, hint="give the file it points to") from None
        reason = _REASONS.get(error.errno or 0) or f"cannot be opened ({error.strerror})"
        hint = _beside(Path(name)) if error.errno == errno.ENOENT else ""
        raise BadInput(reason, file=name, hint=hint) from None


def _beside(file: Path) -> str:
    """A hint with the files of its kind in its folder, those named most like one that is not there before all."""
    from referee.core.naming import names_like

    with suppress(OSError):
        alike = sorted(other.name for other in file.parent.iterdir() if other.suffix == file.suffix)
        if file.suffix and alike:
            return names_like(file.name, alike)
    return ""


def _read(descriptor: int, most: int, name: str) -> bytes:
    parts: list[bytes] = []
    try:
        while most > 0 and (part := os.read(descriptor, min(most, 1 << 20))):
            parts.append(part)
            most -= len(part)
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror})", file=name) from None
    return b"".join(parts)


def _too_large(name: str, limit: int) -> BadInput:
    size = f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit} bytes"
    return BadInput(f"larger than {size}", file=name)


def hold_apart(output: str, inputs: Iterable[str], *, new: bool = False) -> None:
    """Raises BadInput for an output that is one of the inputs, by this name or another, and with `new` for
    one that is there already."""
    there = os.path.exists
    for path in inputs:
        if path != "-" and there(output) and there(path) and os.path.samefile(path, output):  # noqa: PTH121
            raise BadInput(
                "is one of the inputs and is not written over", file=output, hint="choose another -o"
            )
    if new and os.path.lexists(output):
        hint = "choose another name, or --force (-f) to replace it"
        raise BadInput("is there already", file=output, hint=hint)


def _write_through(path: Path, data: bytes) -> None:
    """Writes into a pipe or a device. Raises BadInput if it cannot."""
    try:
        with path.open("wb", buffering=0) as stream:
            stream.write(data)
    except OSError as error:
        raise BadInput(f"cannot be written ({error.strerror})", file=str(path)) from None


def write_file(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Writes a file beside its place and puts it there in one step: whole or not at all. A link stays one, and what it
    leads to is written; a pipe or a device is written to as it stands. Raises BadInput if it cannot."""
    import secrets

    if path.is_symlink():
        path = path.resolve()
    if path.exists() and not path.is_file() and not path.is_dir():
        _write_through(path, data)
        return
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except OSError as error:
        # Windows lets nobody replace a file that a spreadsheet has open.
        hint = (
            "is it open in another program?" if isinstance(error, PermissionError) and path.exists() else ""
        )
        raise BadInput(f"cannot be written ({error.strerror})", file=str(path), hint=hint) from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
