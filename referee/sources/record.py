"""A game record as an account of its game: entry by entry, at the line each stands in."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.account import Account, Event
from referee.core.game import EntryLike
from referee.core.location import Location


def event_of(entry: EntryLike, file: str = "") -> Event:
    """An entry as an event. Nothing in it changes: the bytes of a record are what it says."""
    place = Location(file, record_line=entry.seq + 1)
    return Event(entry.seq, entry.type, entry.data, entry.hash, place, str(entry.data.get("player", "")))


def account_of(entries: Iterable[EntryLike], file: str = "", *, proved: bool = False) -> Account:
    """The account that a record is; `proved` is one whose entries made a game already."""
    return Account(tuple(event_of(entry, file) for entry in entries), file=file, proved=proved)
