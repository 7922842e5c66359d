"""What a rule says, asked at the table: by its number, or in words."""

from __future__ import annotations

import re
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.naming import most_like
from referee.core.wordsearch import best, strange
from referee.rulebooks.base import nearest
from referee.rulebooks.messages import saying

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
        numbers, asides = by_words(asked, rules)
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


def by_words(asked: str, known: Sequence[Any]) -> tuple[list[int], list[str]]:
    """Which of the rules some words are about, or say as a finding, best first, and what is to be said of words that
    none has. A bare number is a line of the form first. Raises BadInput, with words like them, where they lead nowhere."""
    if " " not in asked and (not asked or "." in asked or "/" in asked):
        raise BadInput(
            f"no rule {asked}".strip(), hint=_nearest_rule(asked, sorted({rule.key for rule in known}))
        )
    if found := saying(asked, known):
        return found, []
    lines = _on_line(asked, known) if asked.isdigit() else []
    texts = [(f"{rule.key} {rule.title}", rule.text) for rule in known]
    asides = [
        f"{word}: did you mean {' or '.join(near)}?" if near else f"{word}: no word like it"
        for word, near in strange(asked, texts)
    ]
    if found := best(asked, texts):
        found.sort(key=lambda n: _beside_the_rules(known[n].key, asked))
    if found := list(dict.fromkeys((*lines, *found))):
        return found, [] if lines else asides
    hint = "; ".join([*asides, "such as: referee explain turn mode"])
    raise BadInput(f"no rule {asked}, and none with these words", hint=hint)


def _on_line(number: str, known: Sequence[Any]) -> list[int]:
    """The rules of a line of the form, else those that speak of it."""
    of_line = [n for n, rule in enumerate(known) if re.fullmatch(rf".*\..*-{number}", rule.number)]
    return of_line or [n for n, rule in enumerate(known) if re.search(rf"\bline {number}\b", rule.text)]


def _nearest_rule(asked: str, keys: list[str]) -> str:
    """The rules most like one that is none, of its chapter if there is one."""
    chapter = [key for key in keys if key[0].casefold() == asked[:1].casefold()]
    if chapter and not most_like(asked, chapter):
        return f"referee explain {chapter[0][0]} lists its chapter"
    return nearest(asked, chapter or keys)


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
