"""Every bound on a record and its secret files. Sizes are bytes unless a comment says otherwise."""

from __future__ import annotations

KIB = 1024
MIB = 1024 * KIB

MAX_FILE = 256 * MIB
MAX_LINE = 256 * KIB
MAX_SECRET_FILE = 1 * MIB
MAX_DEPTH = 16  # levels of objects and arrays in one line, its outermost object included
MAX_INT = 2**53 - 1  # magnitude
MAX_INT_DIGITS = 16  # digits

MAX_TAKEN = 4 * MIB  # by one sync, unless it is agreed to
MAX_TAKEN_LINES = 5_000  # likewise: a game is some thousands of entries
MAX_REMEMBERED = 16 * MIB  # of a record that was verified, so that the same command need not again

LOCK_SECONDS = 10.0  # how long a writer waits for another
LOCK_POLL = 0.005  # seconds between two looks

MAX_DICE = 10_000  # dice of one roll
MAX_CHAIN = 1_000_000  # links of one player's key chain
DEFAULT_CHAIN = 4096  # rolls one chain lasts
MAX_FIELDS = 512  # fields of a form sealed field by field
