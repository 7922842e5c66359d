"""What happened, told again as it was told when it happened: for a desk that is opened anew, and what others wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from referee.core.entry_words import entry_text
from referee.play.fallen_dice import dice_text
from referee.play.game_file import game_of
from referee.play.shots_told import entry_told, struck_line

if TYPE_CHECKING:
    from referee.core.game import EntryLike
    from referee.record.chain import Entry

UNTOLD = frozenset(("declare", "key", "nonce", "confirm"))
"""Entries of which nobody is told as they are made: what they are for is told when the dice fall."""


def act_told(path: str, entries: Sequence[Entry], entry: EntryLike) -> str:
    """An entry in a line with its number, as it is listed where something is to be taken back."""
    text = entry_text(entry)
    if entry.type == "result":
        text = dice_text(game_of(path, entries), entry)
    if entry.type == "events":
        text = "; ".join(_fell(path, entries, entry)) or text
    return f"#{entry.seq:<4} {text}"


def told_again(path: str, entries: Sequence[Entry], first: int = 0) -> Iterator[tuple[int, str]]:
    """The entries of a record from number `first` on in the words of the table, each line with the number of its
    entry. A volley is told where it is carried out."""
    carried = {
        tuple(entry.data["volley"].get("of", ())) for entry in entries[first:] if "volley" in entry.data
    }
    for entry in entries[first:]:
        if entry.type in ("result", "events"):
            volleys = entry.data.get("volleys", ())
            later = {struck_line(volley) for n, volley in enumerate(volleys) if (entry.seq, n) in carried}
            for text in _fell(path, entries, entry):
                if text not in later:
                    yield entry.seq, text
        elif not _untold(entries, entry):
            yield entry.seq, entry_text(entry)


def _untold(entries: Sequence[Entry], entry: Entry) -> bool:
    """Was nobody told of an entry by itself: it came with dice, or is a step of its impulse that an order went on
    to?"""
    if entry.type == "step" and "impulse" in entry.data:
        before = next((each.data for each in reversed(entries[: entry.seq]) if each.type == "step"), {})
        same = all(before.get(part) == entry.data[part] for part in ("turn", "impulse"))
        after = entries[entry.seq + 1 : entry.seq + 2]
        return same and any(each.type in ("order", "declare") for each in after)
    return entry.type in UNTOLD or (entry.type == "order" and "of" in entry.data.get("volley", {}))


def _fell(path: str, entries: Sequence[Entry], entry: EntryLike) -> list[str]:
    """What dice made of the game as they fell."""
    before = entries[: entry.seq]
    rolls = entry.data.get("rolls", ())
    results = [each for each in before if each.type == "result" and each.data["roll"] in rolls]
    return entry_told(game_of(path, before), entry, results)
