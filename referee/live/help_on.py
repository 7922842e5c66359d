"""Help with one word: the order to type, and the lines of the help that have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.core.naming import folded
from referee.formats.orderlines import ORDER_FORMS
from referee.play.short_orders import LETTERS, verb_meant


def help_on(asked: str, entries: Iterable[str]) -> Iterator[str]:
    """What is to be typed for a word, `fire`, and what the `entries` of a table's help say of it; where nothing does,
    how rules are asked for."""
    word = asked.strip().rstrip("? ").casefold()
    found = False
    if verb := verb_meant(word):
        found = True
        short = next(
            (f", in short `SHIP {letter} ...`" for letter, whole in LETTERS.items() if whole == verb), ""
        )
        yield f"type: {ORDER_FORMS[verb].replace('NAME', 'SHIP')}{short}; SHIP, TARGET: a name or its beginning"
    known = [*entries]
    about = [entry for entry in known if word in map(folded, entry.replace(",", " ").split())]
    about = about or [entry for entry in known if len(word) > 2 and word in entry.casefold()]
    yield from about
    if not found and not about:
        yield f"no help on {asked}: ? lists what may be typed, explain {asked} looks in the rules"
