"""What a rule says, asked at the table: by its number, or in words."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.wordsearch import best, strange
from referee.rulebooks.base import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.rulebooks.base import Rule, Rulebook

_WHOLE = 3
"""As many rules are told whole; of more, what they are."""
_LISTED = 20
_BEGINS = re.compile(r"\n(?=Legal: |Illegal: |To note: |Fix: |- )")


def explained(rulebook: Rulebook, asked: str) -> list[str]:
    """A rule of the game's rulebook in our words, line by line; where several are meant, what they are. Raises
    BadInput, with the nearest, for none."""
    asked = question(asked)
    wanted = asked.casefold()
    rules = list(rulebook.rules.values())
    found = [rule for rule in rules if wanted in (rule.key.casefold(), rule.number.casefold())]
    if not found and wanted:
        found = [rule for rule in rules if rule.key.casefold().startswith(wanted)]
    if not found:
        numbers, asides = by_words(asked, [(rule.key, rule.title, rule.text) for rule in rules])
        found = [rules[n] for n in numbers]
        return [*asides, *(_in_our_words(found) if len(found) <= _WHOLE else _listed(found))]
    if len(found) <= _WHOLE:
        return _in_our_words(found)
    exact = [rule for rule in found if rule.key.casefold() == wanted]
    others = _listed([rule for rule in found if rule not in exact])
    return [*_in_our_words(exact), "", *others] if exact else others


def question(asked: str) -> str:
    """What is asked, without the mark behind it."""
    return asked.strip().rstrip("? ")


def by_words(asked: str, known: Sequence[tuple[str, str, str]]) -> tuple[list[int], list[str]]:
    """Which of the rules, each with its key, title and text, some words are about, best first, and what is to be said
    of words that none has. Raises BadInput, with words like them, where they lead nowhere."""
    if " " not in asked and (not asked or "." in asked or "/" in asked):
        raise BadInput(f"no rule {asked}".strip(), hint=nearest(asked, {key for key, _, _ in known}))
    texts = [(f"{key} {title}", text) for key, title, text in known]
    asides = [
        f"{word}: did you mean {' or '.join(near)}?" if near else f"{word}: no word like it"
        for word, near in strange(asked, texts)
    ]
    if found := best(asked, texts):
        return sorted(found, key=lambda n: _beside_the_rules(known[n][0], asked)), asides
    hint = "; ".join([*asides, "such as: referee explain turn mode"])
    raise BadInput(f"no rule {asked}, and none with these words", hint=hint)


def _beside_the_rules(key: str, asked: str) -> bool:
    """Is this of a chapter without numbers, as the robot's, that was not asked for? It stands behind the rules."""
    chapter = key.partition("/")[0].partition("-")[0]
    return chapter.isalpha() and chapter.isupper() and chapter.casefold() not in asked.casefold()


def _listed(rules: list[Rule]) -> list[str]:
    """Rules by their titles."""
    titles = [f"{rule.key}  {rule.title}" for rule in rules[:_LISTED]]
    more = len(rules) - len(titles)
    return [
        *titles,
        *([f"and {more} more"] if more else []),
        f"explain {rules[0].key} tells the first of them",
    ]


def _in_our_words(rules: list[Rule]) -> list[str]:
    """Rules in our words, line by line, with an empty line between them."""
    return [line for rule in rules for line in (f"{rule.key}  {rule.title}", *_whole_lines(rule.text))][:-1]


def _whole_lines(text: str) -> Iterator[str]:
    """A text with each paragraph in a line, and each of its examples: the screen it is read on breaks them."""
    return (
        " ".join(part.split())
        for paragraph in cleandoc(text).split("\n\n")
        for part in (*_BEGINS.split(paragraph), "")
    )
