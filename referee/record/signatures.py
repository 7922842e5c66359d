"""Who must sign an entry, and by which key: followed through the record, from the first entry on.

A record whose first entry names no keys is unsigned and stays so. A key of the first entry was made by whoever
began the game; the player may put his own in its place once, when he joins, before it has signed anything.
After that a key is replaced only if everybody else agrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referee.core.errors import IntegrityFailure
from referee.record.chain import Data, Entry
from referee.record.signing import check_public, holds, message_of

AUTHORS: Mapping[str, tuple[str, ...]] = {
    "ship": ("player",),
    "drone": ("player",),
    "anchor": ("player",),
    "nonce": ("player",),
    "signer": ("player",),
    "declare": ("who",),
    "key": ("player",),
    "result": ("entered_by", "picked_by"),
    "confirm": ("by",),
    "void": (),
    "forfeit_roll": ("by",),
    "reroll": (),
    "dice_seed": (),
    "seal": ("player",),
    "umpire_ack": ("by",),
    "umpire_reject": ("by",),
    "form": ("player",),
    "order": ("player",),
    "step": ("player",),
    "undo": (),
    "ruling": ("by",),
    "note": ("by",),
}
"""The fields of an entry that name who says it; who agrees to it stands in `agreed_by`, whatever its type. Who
throws dice from a seed, and shows it, keeps the seed."""

NOBODYS = frozenset(("genesis", "reveal", "foul", "events", "taken"))
"""What nobody says: the terms, what opens a seal, and what the rules make of all the rest."""


_AGREED = "agreed_by"
_THROWERS = {"umpire": "umpire", "solo": "operator"}
"""Who keeps the seed of dice: nobody else can tell them from any others until it is shown."""
_SETUP = frozenset(("ship", "drone"))
"""What whoever begins a game says for everybody: it takes no seat."""
KEYED = frozenset(("genesis", "anchor", "nonce", "signer"))
"""The entries that may hold a signing key."""


def sayers(entry_type: str, data: Data) -> tuple[str, ...]:
    """Who says an entry himself, as its own fields name him."""
    authors = [data[part] for part in AUTHORS.get(entry_type, ()) if part in data]
    return tuple(dict.fromkeys(name for name in authors if isinstance(name, str)))


def agreeing(entry_type: str, data: Data) -> tuple[str, ...]:
    """Who agrees to an entry, in itself or in the act it holds."""
    acts = [data] if entry_type in AUTHORS else []
    acts += [data["act"]] if entry_type == "order" and isinstance(data.get("act"), dict) else []
    lists = [part[_AGREED] for part in acts if isinstance(part.get(_AGREED), list)]
    return tuple(dict.fromkeys(name for names in lists for name in names if isinstance(name, str)))


class Signers:
    """The keys of a game as they stand after the entries followed so far."""

    def __init__(self) -> None:
        self.game = ""
        self.keys: dict[str, str] = {}
        self.first: set[str] = set()
        self._used: set[str] = set()
        self._passed: list[Entry] = []
        """Entries whose signatures are not counted among the used ones yet: only a change of keys asks for them."""
        self._owners: dict[str, str] = {}
        self._thrower = ""

    @property
    def signed(self) -> bool:
        """Is the record one of signatures?"""
        return bool(self.keys)

    @property
    def used(self) -> set[str]:
        """Who has signed anything with the key he has now, but to set the game up."""
        for entry in self._passed:
            if entry.type not in _SETUP:
                self._used.update(entry.sigs)
        self._passed.clear()
        return self._used

    def may_join(self, name: str) -> bool:
        """May somebody put a key of his own in the place of the one made when the game was begun? Not in that of
        who keeps the seed of the dice: he began the game, and may have nothing to sign before the first roll."""
        return name in self.first and name not in self.used and name != self._thrower

    def follow(self, entry: Entry) -> tuple[str, ...]:
        """Takes in an entry, its signatures unread, and gives the names that must sign it.

        Raises IntegrityFailure for a key that may not be taken, and for the name of a stranger.
        """
        if entry.type == "genesis":
            self._begin(entry.data)
        if not self.keys:
            return ()
        new = entry.data.get("signer") if entry.type in KEYED else None
        if new is not None:
            self._take(entry.data["player"], new, entry.data.get("agreed_by"))
        due = self._due(entry)
        if entry.type not in _SETUP:
            self._used.update(due)
        return due

    def passed(self, entries: Sequence[Entry]) -> None:
        """Takes in entries that were verified before and change no key."""
        self._passed += entries

    def check(self, entry: Entry, *, proposed: bool = False) -> list[str]:
        """Follows an entry and raises IntegrityFailure unless exactly those signed it who must; where it is only
        `proposed`, gives the names of those who have not agreed to it yet."""
        due = self.follow(entry)
        missing = [name for name in due if name not in entry.sigs]
        sayers_due = sayers(entry.type, entry.data) if proposed else due
        for name in missing:
            if name in sayers_due or name not in agreeing(entry.type, entry.data):
                raise IntegrityFailure(f"{entry.type} in the name of {name} without the signature of {name}")
        for name, sig in entry.sigs.items():
            if name not in due:
                raise IntegrityFailure(f"{entry.type} is signed by {name}, in whose name it is not")
            if not holds(self.keys[name], message_of(entry, self.game), sig):
                raise IntegrityFailure(f"{entry.type} in the name of {name}: the signature does not hold")
        return missing

    def _begin(self, data: Data) -> None:
        keys, names = data.get("signers", {}), first_names(data)
        if not isinstance(keys, dict) or ("signers" in data and set(keys) != set(names)):
            raise IntegrityFailure("the signing keys are not those of the players and the umpire")
        self.game = data["game"]
        self._thrower = data["dice"].get(_THROWERS.get(str(data["dice"].get("mode")), ""), "")
        for name, key in keys.items():
            self._own(name, key)
        self.first = set(keys)

    def _own(self, name: str, key: object) -> None:
        check_public(key)
        assert isinstance(key, str)
        if self._owners.setdefault(key, name) != name:
            raise IntegrityFailure(f"the signing key of {name} is that of {self._owners[key]}")
        self.keys[name] = key

    def _take(self, name: str, key: object, agreed_by: list[str] | None) -> None:
        """A player's own key, when he joins, or a new one for a key that is lost."""
        if name not in self.keys:
            raise IntegrityFailure(f"{name[:40]} is no player")
        if key in self._owners:
            raise IntegrityFailure(f"the new signing key of {name} is an old one of {self._owners[str(key)]}")
        others = set(self.keys) - {name}
        if agreed_by is None:
            if not self.may_join(name):
                raise IntegrityFailure(
                    f"{name} has a signing key already",
                    hint=f"a lost one is replaced if {' and '.join(sorted(others)) or 'nobody'} agree",
                )
        elif missing := sorted(others - set(agreed_by)):
            raise IntegrityFailure(f"{missing[0]} has not agreed to a new signing key of {name}")
        elif name in agreed_by:
            raise IntegrityFailure(f"{name} agrees to a signing key of {name}")
        self.first.discard(name)
        self.used.discard(name)
        self._own(name, key)

    def _due(self, entry: Entry) -> tuple[str, ...]:
        due = tuple(dict.fromkeys((*sayers(entry.type, entry.data), *agreeing(entry.type, entry.data))))
        thrown = entry.type == "result" and entry.data.get("dice") and "entered_by" not in entry.data
        if self._thrower and (thrown or entry.type == "dice_seed"):
            due = tuple(dict.fromkeys((self._thrower, *due)))
        for name in due:
            if name not in self.keys:
                raise IntegrityFailure(f"{name[:40]} is no player")
        return due


def verify_signatures(entries: Iterable[Entry]) -> Signers:
    """Follows all entries; raises IntegrityFailure, with its line, for one that is not signed as it must be."""
    signers = Signers()
    for entry in entries:
        try:
            signers.check(entry)
        except IntegrityFailure as error:
            raise error.at(place=f"line {entry.line_number}") from None
    return signers


def followed(entries: Sequence[Entry]) -> Signers:
    """The keys at the end of entries that were verified once: whoever signed them had to."""
    signers, start = Signers(), 0
    for n, entry in enumerate(entries):
        if entry.type in KEYED:
            signers.passed(entries[start:n])
            signers.follow(entry)
            start = n + 1
    signers.passed(entries[start:])
    return signers


def first_names(genesis: Data) -> Sequence[str]:
    """Everybody who has a key from the first entry on: the players, and the umpire."""
    return [*genesis["players"], *([genesis["umpire"]] if genesis.get("umpire") else [])]
