"""The record as a file: opened without following links, written at its end, synced, or put back as it was."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from referee.core.errors import BadInput, RecordInUse, RefereeError
from referee.record.kernellock import lock, unlock
from referee.record.limits import LOCK_SECONDS, MAX_FILE

_BASE = (
    getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_BINARY", 0)
)
_REASONS = {
    errno.ENOENT: "no such file",
    errno.EACCES: "not allowed to open it",
    errno.EROFS: "is on a read-only disk",
    errno.EISDIR: "is a folder, not a file",
    errno.ENOTDIR: "no such file",
    errno.ENXIO: "is not a regular file",
    errno.ENAMETOOLONG: "name too long",
    errno.ELOOP: "is a symbolic link",
    errno.EEXIST: "already exists",
}
_FULL = {
    errno.ENOSPC: "disk full",
    errno.EFBIG: "file size limit reached",
    getattr(errno, "EDQUOT", -1): "disk quota reached",
}


def open_file(name: str, flags: int) -> int:
    """A descriptor of a regular file. Raises BadInput for links, pipes, folders and what cannot be opened."""
    try:
        descriptor = os.open(name, flags | _BASE, 0o600)
    except ValueError:
        raise BadInput("file name holds a NUL character", file=name.replace("\0", "\\0")) from None
    except OSError as error:
        reason = _REASONS.get(error.errno or 0) or f"cannot be opened ({error.strerror})"
        raise BadInput(reason, file=name) from None
    status = os.fstat(descriptor)
    refusal = ""
    if stat.S_ISDIR(status.st_mode):
        refusal = _REASONS[errno.EISDIR]
    elif not stat.S_ISREG(status.st_mode):
        refusal = _REASONS[errno.ENXIO]
    elif status.st_size > MAX_FILE:
        refusal = "is larger than 256 MiB"
    if refusal:
        os.close(descriptor)
        raise BadInput(refusal, file=name)
    return descriptor


@contextlib.contextmanager
def locked(name: str, flags: int, *, seconds: float = LOCK_SECONDS) -> Iterator[int]:
    """The record opened under the writer's lock. Raises BadInput or RecordInUse."""
    descriptor = _open_locked(name, flags, seconds)
    try:
        yield descriptor
    finally:
        with contextlib.suppress(OSError):
            unlock(descriptor)
        os.close(descriptor)


def _open_locked(name: str, flags: int, seconds: float) -> int:
    while True:
        descriptor = open_file(name, flags)
        try:
            lock(descriptor, name, seconds=seconds)
            # While we waited, the name may have come to mean another file.
            if _same_file(descriptor, name):
                return descriptor
        except OSError as error:
            os.close(descriptor)
            raise BadInput(f"cannot be locked ({error.strerror})", file=name) from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _same_file(descriptor: int, name: str) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(name))
    except FileNotFoundError:
        return False


def settled_size(descriptor: int, name: str) -> int:
    """The file's size at a moment when nobody was writing to it."""
    try:
        held = lock(descriptor, name, shared=True)
    except OSError:
        held = False
    size = os.fstat(descriptor).st_size
    if held:
        unlock(descriptor)
    return size


def read_at(descriptor: int, start: int, length: int) -> bytes:
    """Up to `length` bytes from `start`; fewer only at the end of the file."""
    parts: list[bytes] = []
    os.lseek(descriptor, start, os.SEEK_SET)
    while length > 0 and (part := os.read(descriptor, min(length, 1 << 20))):
        parts.append(part)
        length -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def write_at_end(descriptor: int, name: str, size: int, data: bytes) -> None:
    """Writes at the old end, syncs, and reads it back. On failure the file is cut back to `size` and BadInput
    says so. Raises RecordInUse where another wrote meanwhile, as happens where locks do nothing."""
    if os.fstat(descriptor).st_size != size:
        raise _not_alone(name)
    try:
        _write(descriptor, size, data)
    except OSError as error:
        restored = _cut_back(descriptor, size)
        raise _write_failure(name, error, restored) from None
    except BaseException:
        _cut_back(descriptor, size)
        raise
    try:
        # Bytes and length, all that reading needs; a new file's first line gets a full sync.
        (os.fdatasync if size and hasattr(os, "fdatasync") else os.fsync)(descriptor)
    except OSError as error:
        # No second try: Linux may have dropped the bytes and call the next sync a success.
        _cut_back(descriptor, size)
        raise BadInput(
            f"storage error, entry not confirmed ({error.strerror})",
            file=name,
            hint="check the disk, then `referee record verify`",
        ) from None
    _read_back(descriptor, name, size, data)


def _read_back(descriptor: int, name: str, size: int, data: bytes) -> None:
    """Raises unless what was written stands where it was written, as whoever opens the file now sees it.

    On some network drives everybody gets the lock. Then two programs write at once, and the one whose entry
    does not stand behind the tail it was made for takes it out again.
    """
    again = open_file(name, os.O_RDONLY)
    try:
        if read_at(again, size, len(data)) == data:
            return
        start = os.fstat(again).st_size - len(data)
        if start > size and read_at(again, start, len(data)) == data and _cut_back(descriptor, start):
            raise _not_alone(name)
    except OSError as error:
        raise BadInput(f"cannot be read back ({error.strerror}), entry not confirmed", file=name) from None
    finally:
        os.close(again)
    raise BadInput(
        "another program wrote over it, entry not confirmed: locks do nothing on this drive",
        file=name,
        hint="`referee record verify`, and keep the record on a drive of your own",
    )


def _not_alone(name: str) -> RecordInUse:
    return RecordInUse(
        "another program wrote to it in the same moment, nothing was recorded: locks do nothing on this drive",
        file=name,
        hint="give it again, and keep the record on a drive of your own",
    )


def _write(descriptor: int, start: int, data: bytes) -> None:
    os.lseek(descriptor, start, os.SEEK_SET)
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _cut_back(descriptor: int, size: int) -> bool:
    try:
        os.ftruncate(descriptor, size)
        os.fsync(descriptor)
    except OSError:
        return False
    return True


def _write_failure(name: str, error: OSError, restored: bool) -> RefereeError:
    cause = _FULL.get(error.errno or 0) or f"cannot be written ({error.strerror})"
    if restored:
        return BadInput(f"{cause}: nothing was recorded", file=name, hint="the file is as it was")
    reason = f"{cause}, and the file could not be put back"
    return BadInput(reason, file=name, hint="`referee record recover`")


def sync_folder(name: str) -> None:
    """Makes a new file's name durable. Windows has no such call and needs none."""
    if os.name == "nt":
        return
    descriptor = os.open(Path(name).parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
