"""Things that change in place, and of which a second one goes its own way from here on."""

from __future__ import annotations

from types import MethodType
from typing import Any, Self, cast

Known = dict[int, Any]


class Forked:
    """What changes in place, such as a game on the table. A fork of it takes other entries than the first one does,
    and neither sees the other's: lists, sets and dictionaries are copied, and what is frozen is shared."""

    def fork(self, known: Known | None = None) -> Self:
        """A second one that stands where this one does; `known` are the parts forked so far."""
        known = {} if known is None else known
        made: Any = known.get(id(self))
        if made is None:
            held: Any = self
            made = known[id(self)] = type(self).__new__(type(self))
            if isinstance(held, dict):
                dict.update(made, held)
            made.__dict__.update({name: _forked(value, known) for name, value in held.__dict__.items()})
        return cast("Self", made)


def _forked(value: Any, known: Known) -> Any:
    if isinstance(value, Forked):
        return value.fork(known)
    if isinstance(value, MethodType) and isinstance(value.__self__, Forked):
        return MethodType(value.__func__, value.__self__.fork(known))
    if type(value) not in (dict, list, set):
        return value
    if id(value) not in known:
        made = known[id(value)] = value.copy()
        if isinstance(made, dict):
            made.update({key: part.copy() for key, part in made.items() if type(part) in (list, set)})
    return known[id(value)]
