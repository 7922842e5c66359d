"""A kernel lock on the record itself: nothing is left behind when its holder dies."""

from __future__ import annotations

import errno
import os
import sys
import time

from referee.core.errors import RecordInUse
from referee.record.limits import LOCK_POLL, LOCK_SECONDS

_BUSY = {errno.EAGAIN, errno.EACCES, errno.EDEADLK}
# Some network shares know no locks. A reader can do without; a writer cannot.
_UNSUPPORTED = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.EBADF}

if sys.platform == "win32":
    import msvcrt

    # Windows locks are mandatory: lock one byte far behind the end of the longest record, so that readers still
    # read; below 2 GiB, for older C libraries take the offset as 32 bits.
    _FAR = (1 << 31) - 2

    def _try(descriptor: int, shared: bool) -> None:
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def unlock(descriptor: int) -> None:
        """Gives the lock back."""
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _try(descriptor: int, shared: bool) -> None:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)

    def unlock(descriptor: int) -> None:
        """Gives the lock back."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def lock(descriptor: int, file: str, *, shared: bool = False, seconds: float = LOCK_SECONDS) -> bool:
    """Waits for the lock; whether it was got. False only for a reader where there are no locks.

    Raises RecordInUse when another holds it for longer than `seconds`, OSError where a writer
    cannot lock at all.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            _try(descriptor, shared)
        except OSError as error:
            if shared and error.errno in _UNSUPPORTED:
                return False
            if error.errno not in _BUSY:
                raise
        else:
            return True
        if time.monotonic() >= end:
            raise RecordInUse("another program is writing to the record", file=file, hint="try again later")
        time.sleep(LOCK_POLL)
