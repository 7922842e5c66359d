"""Names match ignoring case, spaces and punctuation: `ph1a`, `PH-1A` and `PH-1/A` are one weapon."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from referee.core.ship import Mount


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """A name's letters and digits in lower case."""
    return "".join(character for character in name.casefold() if character.isalnum())


def find_mounts(name: str, mounts: Iterable[Mount]) -> tuple[Mount, ...]:
    """The weapons a name may mean: one where it is clear, none or several where it is not."""
    wanted = folded(name)
    return tuple(mount for mount in mounts if folded(mount.id) == wanted)
