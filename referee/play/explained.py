"""What a rule says, asked at the table: by its number, or by words of its title."""

from __future__ import annotations

from inspect import cleandoc
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.rulebooks.base import nearest

if TYPE_CHECKING:
    from referee.rulebooks.base import Rule, Rulebook


def explained(book: Rulebook, asked: str) -> list[str]:
    """A rule of the game's rulebook in our words, line by line; where several are meant, what they are. Raises
    BadInput, with the nearest, for none."""
    said = asked.casefold().strip()
    found = [rule for rule in book.rules.values() if said in (rule.key.casefold(), rule.number.casefold())]
    if not found:
        found = [rule for rule in book.rules.values() if rule.key.casefold().startswith(said)]
    if not found:
        found = [rule for rule in book.rules.values() if all(w in _words(rule) for w in said.split())]
    if not found or not said:
        raise BadInput(f"no rule {asked}", hint=nearest(asked, book.rules))
    if len(found) > 3 and (exact := [rule for rule in found if rule.key.casefold() == said]):
        others = [f"{rule.key}  {rule.title}" for rule in found if rule not in exact]
        return [*_told(exact), "", *others]
    if len(found) > 3:
        return [f"{rule.key}  {rule.title}" for rule in found[:20]]
    return _told(found)


def _told(rules: list[Rule]) -> list[str]:
    """Rules in our words, line by line, with an empty line between them."""
    return [
        line
        for rule in rules
        for line in (f"{rule.key}  {rule.title}", *cleandoc(rule.decide.__doc__ or "").splitlines(), "")
    ][:-1]


def _words(rule: Rule) -> str:
    return f"{rule.title} {rule.key}".casefold()
