"""A Merkle tree over a form's fields, so that one of them can be shown without the others.

Leaf: SHA-256 of `referee.leaf.v1`, a newline, and canonical `[field, value, salt]`. Node: SHA-256
of `referee.node.v1`, a newline, and both children; an odd one at the end of a row moves up as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from referee.record.canonical import canonical

_LEAF = b"referee.leaf.v1\n"
_NODE = b"referee.node.v1\n"


def leaf(field: str, value: object, salt: str) -> bytes:
    """The hash of one field; the salt of 128 random bits keeps its value from being guessed."""
    return hashlib.sha256(_LEAF + canonical([field, value, salt])).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The hash of the whole tree."""
    row = list(leaves)
    while len(row) > 1:
        row = _above(row)
    return row[0]


def path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The siblings from a leaf up to the root."""
    row, siblings = list(leaves), []
    while len(row) > 1:
        if index ^ 1 < len(row):
            siblings.append(row[index ^ 1])
        row, index = _above(row), index // 2
    return siblings


def root_from(start: bytes, index: int, count: int, siblings: Sequence[bytes]) -> bytes | None:
    """The root that a leaf at `index` of `count` and its siblings give; None if there are too many or few."""
    value, left = start, list(siblings)
    while count > 1:
        if index ^ 1 < count:
            if not left:
                return None
            other = left.pop(0)
            value = _node(other, value) if index & 1 else _node(value, other)
        index, count = index // 2, (count + 1) // 2
    return None if left else value


def _above(row: list[bytes]) -> list[bytes]:
    pairs = [_node(row[k], row[k + 1]) for k in range(0, len(row) - 1, 2)]
    return pairs + row[len(pairs) * 2 :]


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(_NODE + left + right).digest()
