"""The names said in orders: which ship, or which seeker in flight, a name means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from referee.core.naming import folded, launcher_in, names_like
from referee.core.once import pattern
from referee.core.ship import ShipClass

MAX_NAME = 60  # characters of a ship's name
MAX_BEFORE = 4  # words, of a class or the like, that may stand before a name

_MORE = pattern(r"[;,&+]|\s/\s")
"""What shows that more than a name was said; so do these words before it, and those that name a part of a ship."""
_JOINS = pattern(
    "about|after|against|all|along|also|and|any|anything|around|at|away|before|behind|beside|both|but|by|either|except"
    "|for|from|if|in|instead|into|near|neither|nor|not|of|off|on|onto|or|other|over|past|than|then|to|towards?|under"
    "|unless|until|with|without",
    re.IGNORECASE,
)
_PARTS = pattern(
    "armor|battery|bridge|drones?|engines?|fighters?|hull|missiles?|nacelle|phasers?|photons?|plasmas?|probe|racks?"
    "|seekers?|shields?|shuttles?|torpedo(?:es)?|tubes?|weapons?",
    re.IGNORECASE,
)
_WEAPON = pattern(
    r"[a-z]{2,4}(?:-[a-z0-9])?/[a-z0-9]{1,2}|drn\W?[0-9]{1,2}|pl-?[rsgf]\W?[a-z]?", re.IGNORECASE
)
_SHIELD = pattern(r"shield #?([1-6])", re.IGNORECASE)
_OWN = pattern(r"(?P<ship>.+?)['’]s? (?P<part>.+)")
_KINDS = {
    "drone": ("DRN",),
    "missile": ("DRN",),
    "plasma": ("PL-",),
    "torpedo": ("PL-",),
    "plasmatorpedo": ("PL-",),
    "seeker": ("DRN", "PL-"),
}
"""What a launched seeker may be called beside its rack or tube, and how the marks of those begin."""


class OrderRefused(Exception):
    """Why one line was not understood; `hint` works out what would have been."""

    def __init__(self, reason: str, hint: str | Callable[[], str] = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self._hint = hint

    @property
    def hint(self) -> str:
        """What would have been understood."""
        return self._hint if isinstance(self._hint, str) else self._hint()


class UnitNames:
    """The ships and seekers that can be named, and the ships' classes where those are known. Of the names `drones`
    are seekers, `counters` what else is no ship, and `gone` what is on the map no more."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.classes: dict[str, ShipClass] = {}
        self.drones: set[str] = set()
        self.counters: set[str] = set()
        self.gone: set[str] = set()
        self._by_fold: dict[str, str] = {}
        self._words: dict[str, frozenset[str]] = {}
        self._found: dict[str, str] = {}
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """One more ship or seeker."""
        self._found.clear()
        if folded(name):
            self._by_fold.setdefault(folded(name), name)
            self._words.setdefault(name, _words(name))

    def forget(self, name: str) -> None:
        """There is no such seeker after all."""
        self._found.clear()
        self._words.pop(name, None)
        self.drones.discard(name)
        if self._by_fold.get(folded(name)) == name:
            del self._by_fold[folded(name)]

    def exact(self, text: str) -> str | None:
        """The unit called just so, case and punctuation aside."""
        return self._by_fold.get(folded(text))

    def __contains__(self, name: object) -> bool:
        return name in self._words

    def __len__(self) -> int:
        return len(self._words)

    def meant(self, text: str) -> str:
        """The unit a name means: one called so, else the one whose words hold all of it, or which it ends with; of
        a ship and its seekers the ship. What is said to be a ship's (`DRN/1 of War`) is its seeker, never the ship.

        Where no ships are known the name is taken as it stands. Raises Refused for none or several.
        """
        text = tidy(text)
        if (exact := self.exact(text)) is not None:
            return exact
        if not folded(text) or len(text) > MAX_NAME:
            raise OrderRefused("no ship is named", "write NAME: and an order")
        if not self._words:
            return text
        if text in self._found:
            return self._found[text]
        wanted = _words(text)
        near = [name for name, words in self._words.items() if wanted <= words]
        near = self._told_apart(near) or self._behind_others(text)
        if len(near) == 1:
            self._found[text] = near[0]
            return near[0]
        if near:
            raise OrderRefused(f"{text[:40]} may be {one_of(near)}", "say which")
        raise OrderRefused(f"no ship {text[:40]}", partial(names_like, text, self._words))

    def _told_apart(self, near: list[str]) -> list[str]:
        """The names among several that a player means first: a ship rather than its seekers, a flying seeker rather
        than one that is gone."""
        if len(near) > 1:
            near = [name for name in near if launcher_in(name, near) is None]
        return [name for name in near if name not in self.gone] or near

    def _behind_others(self, text: str) -> list[str]:
        """The units of a name with other words before it, as its class. Raises Refused where those name something
        of a ship that is no seeker of it, or another ship."""
        found = _OWN.fullmatch(text)
        if found and (owner := self.exact(found["ship"])) is not None:
            return self._of(owner, found["part"])
        ends = {name: behind for name in self._words if (behind := _behind(text, name)) is not None}
        longest = min((len(before) for before in ends.values()), default=0)
        near = [name for name, before in ends.items() if len(before) == longest]
        if len(near) != 1:
            return near
        owner, before = near[0], ends[near[0]]
        if "of" in (low := [word.casefold() for word in before]):
            return self._of(owner, " ".join(before[: len(low) - 1 - low[::-1].index("of")]))
        # A drone cruiser is a class; a drone is none.
        part = bool(before) and _PARTS.fullmatch(before[-1])
        if part or any(map(_WEAPON.fullmatch, before)) or self._has_mount(owner, before):
            return self._of(owner, " ".join(before))
        strange = self.drones | self.counters
        others = [other for other in self._words if other not in strange and _within(before, other)]
        if others:
            raise OrderRefused(f"{text[:40]} may be {one_of([*others, owner])}", "say which")
        joined = _MORE.search(" ".join(before)) or any(map(_JOINS.fullmatch, low))
        return [] if joined or len(before) > MAX_BEFORE else near

    def _has_mount(self, ship: str, words: Sequence[str]) -> bool:
        """Is one of some words a weapon of a ship?"""
        known = self.classes.get(ship)
        marks = {folded(mount.id) for mount in known.mounts} if known else set()
        return any(folded(word) in marks for word in words)

    def _of(self, ship: str, part: str) -> list[str]:
        """The seekers that are meant by something of a ship. Raises Refused where there is none."""
        exact = self.exact(part)
        if exact is not None and (exact in self.drones or exact in self.counters):
            return [exact]
        part = re.sub(r"(?i)^(?:an?|the|that|this)\s+", "", part)
        own = [name for name in self._words if launcher_in(name, (ship,)) is not None]
        wanted = _words(part)
        near = [name for name in own if wanted and _is_called(name[len(ship) :], part, wanted)]
        if not near:
            flying = (name for name in own if name not in self.gone)
            shield = _SHIELD.fullmatch(part)
            like = f"{ship} on {shield[1]}" if shield else one_of([ship, *flying])
            raise OrderRefused(f"no such {part[:40]} of {ship}", f"did you mean {like}?")
        return self._told_apart(near)


def _is_called(label: str, part: str, wanted: frozenset[str]) -> bool:
    """Is a seeker, labelled by its rack or tube and its turn, what is said?"""
    mark = label.split()[0]
    kind = folded(part).removesuffix("s") if len(wanted) < 3 else ""
    return (
        wanted <= _words(label) or folded(part) == folded(mark) or mark.startswith(_KINDS.get(kind, ("?",)))
    )


def _behind(text: str, name: str) -> list[str] | None:
    """The words of a text before a name that it ends with; None where it does not."""
    words, parts = [folded(word) for word in name.split() if folded(word)], text.split()
    tail = [folded(word) for word in parts if folded(word)][-len(words) :] if words else []
    if not words or tail != words:
        return None
    left = len(words)
    while left:
        left -= bool(folded(parts.pop()))
    return parts


def _within(words: Sequence[str], name: str) -> bool:
    """Do some words hold a name, whole?"""
    phrase, row = [folded(word) for word in words], [folded(word) for word in name.split() if folded(word)]
    return bool(row) and any(phrase[n : n + len(row)] == row for n in range(len(phrase)))


def _words(name: str) -> frozenset[str]:
    return frozenset(folded(word) for word in name.split() if folded(word))


def tidy(text: str) -> str:
    """The words with single spaces between them."""
    return " ".join(text.split())


def one_of(names: Iterable[str]) -> str:
    """Names to choose from, four at most."""
    return " or ".join(list(dict.fromkeys(names))[:4])
