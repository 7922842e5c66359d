"""What happened, told again as it was told when it happened: for a desk that is opened anew, and what others wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.core.entry_words import entry_line, entry_text
from referee.core.frozen import replace
from referee.core.gamefold import GameFold
from referee.core.order_text import order_text
from referee.play.fallen_dice import dice_text, orders_rolled
from referee.play.game_file import game_of
from referee.play.rulebook import own_fold
from referee.play.shots_told import entry_told, struck_line
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.core.game import EntryLike
    from referee.play.game_file import Game
    from referee.record.chain import Entry

UNTOLD = frozenset(("declare", "key", "nonce", "confirm"))
"""Entries of which nobody is told as they are made: what they are for is told when the dice fall."""


def act_told(path: str, entries: Sequence[Entry], entry: EntryLike) -> str:
    """An entry in a line with its number, as it is listed where something is to be taken back."""
    text = entry_text(entry)
    if entry.type == "result":
        text = dice_text(game_of(path, entries), entry)
    elif lines := _as_made(path, entries, entry):
        text = "; ".join(lines)
    return f"#{entry.seq:<4} {text}"


def told_again(path: str, entries: Sequence[Entry], first: int = 0) -> Iterator[tuple[int, str]]:
    """The entries of a record from number `first` on in the words of the table, each line with the number of its
    entry. A volley is told where it is carried out."""
    carried = {
        tuple(entry.data["volley"].get("of", ())) for entry in entries[first:] if "volley" in entry.data
    }
    for entry in entries[first:]:
        lines = _as_made(path, entries, entry)
        if lines is None and not _untold(entries, entry):
            lines = [entry_text(entry)]
        volleys = entry.data.get("volleys", ())
        later = {struck_line(volley) for n, volley in enumerate(volleys) if (entry.seq, n) in carried}
        yield from ((entry.seq, text) for text in lines or () if text not in later)


def lines_again(
    game: Game, first: int = 0, of_act: Callable[[Sequence[Mapping[str, Any]]], list[str]] = lambda _: []
) -> Iterator[str]:
    """The entries of a record from number `first` on in lines, with what came of each below it; `of_act` tells what came
    of an act of a rulebook's own table."""
    fold = _fold(game)
    if not first:
        yield entry_line(game.entries[0])
    for entry, words in told_in_order(game, fold):
        if entry.seq >= first:
            if "act" in entry.data and "events" in entry.data:
                lines = of_act(entry.data["events"])
            elif entry.type == "declare":
                lines = _declared(game, entry)
            else:
                gone = entry.seq in fold.taken_back
                lines = (_as_made(game.path, game.entries, entry) if gone else words) or []
            first_line, *more = lines or [""]
            line = entry_line(entry, first_line)
            below = f"\n{' ' * line.find(first_line)}"
            yield below.join((line + fold.taken_back.mark(entry), *more))


def _declared(game: Game, entry: Entry) -> list[str]:
    """What dice are declared for: the orders that they decide; nothing of others, which say it."""
    orders = orders_rolled(str(entry.data.get("purpose", "")))
    decides = "; ".join(order_text(game.entries[number].data) for number in orders)
    return [f"dice {entry.data['roll']} by {entry.data['who']} for {decides}"] if decides else []


def _fold(game: Game) -> GameFold:
    return GameFold(game.entries, load_ship, own_fold(game.entries))


def told_in_order(game: Game, fold: GameFold | None = None) -> Iterator[tuple[Entry, list[str] | None]]:
    """The entries of a record after the first, each with what the table was told of what it made; none of what is told by
    itself or was taken back. `fold` takes an entry before it is given."""
    fold = fold or _fold(game)
    results: dict[int, Entry] = {}
    for entry in game.entries[1:]:
        lines = None
        if entry.seq not in fold.taken_back:
            if entry.type == "result":
                results[entry.data["roll"]] = entry
            fell = [results[roll] for roll in entry.data.get("rolls", ()) if roll in results]
            lines = entry_told(replace(game, state=fold.state), entry, fell)
        fold.take(entry)
        yield entry, lines


def _untold(entries: Sequence[Entry], entry: Entry) -> bool:
    """Was nobody told of an entry by itself: it came with dice, or is a step of its impulse that an order went on
    to?"""
    if entry.type == "step" and "impulse" in entry.data:
        before = next((each.data for each in reversed(entries[: entry.seq]) if each.type == "step"), {})
        same = all(before.get(part) == entry.data[part] for part in ("turn", "impulse"))
        after = entries[entry.seq + 1 : entry.seq + 2]
        return same and any(each.type in ("order", "declare") for each in after)
    return entry.type in UNTOLD or (entry.type == "order" and "of" in entry.data.get("volley", {}))


def _as_made(path: str, entries: Sequence[Entry], entry: EntryLike) -> list[str] | None:
    """What the table was told of what an entry made; None of what is told by itself."""
    if entry.type not in ("result", "events", "form", "reveal"):
        return None
    before = entries[: entry.seq]
    rolls = entry.data.get("rolls", ())
    results = [each for each in before if each.type == "result" and each.data["roll"] in rolls]
    return entry_told(game_of(path, before), entry, results)
