"""What is known under a rule's number, its beginning, or words."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from referee.core.finding import rule_number
from referee.play.explained import by_words, question
from referee.report.remarks import REMARKS
from referee.rulebooks.registry import load_rulebook, rulebook_ids
from referee.sources.default_game import folder_rulebook

Known = tuple[Any, list[str]]
"""A rule, or a finding of none, with the rulebooks that have it."""


@dataclass
class Explained:
    """What was found: `exact` is told whole, what is `listed` by its title, and `asides` say what was not found."""

    exact: list[Known]
    listed: list[Known]
    asides: list[str]
    by_words: bool = False


def explained(asked: str, rulebook: str = "") -> Explained:
    """The rules and findings that a number, the beginning of one, or words lead to; best first. Raises BadInput where
    they lead nowhere."""
    asked = question(asked)
    rulebooks = [load_rulebook(id) for id in ([rulebook] if rulebook else rulebook_ids())]
    found = _matching(asked, rulebooks)
    remarks = [] if rulebook else _remarks(asked)
    if not (found or asked.isdigit()) and (named := _named_in_the_book(asked, rulebooks)):
        return Explained(named, remarks, [])
    found += remarks
    if not found:
        return _by_words(asked, _matching("", rulebooks) + ([] if rulebook else _remarks("")))
    wanted = asked.casefold()
    exact = [rule for rule in found if wanted in (rule[0].key.casefold(), rule[0].number.casefold())]
    return Explained(exact, [] if exact else found, [])


def _by_words(asked: str, known: list[Known]) -> Explained:
    """What some words are about. Raises BadInput, with words like them, where they lead nowhere."""
    numbers, asides = by_words(asked, [item for item, _ in known])
    if asked.isdigit():  # It says nothing of whose rule is meant: that of the game here is told first.
        home = folder_rulebook().partition("-")[0]
        numbers.sort(key=lambda n: all(id.partition("-")[0] != home for id in known[n][1]))
    return Explained([], [known[n] for n in numbers], asides, by_words=True)


def meanings() -> dict[str, tuple[str, str]]:
    """What keys of no rule mean: of findings on a file, and of the chapters that rulebooks name."""
    named = (load_rulebook(id).named.chapters for id in rulebook_ids())
    return {key: meaning for chapters in named for key, meaning in chapters.items()} | REMARKS


def _remarks(key: str) -> list[tuple[Any, list[str]]]:
    """What findings of no rule mean whose key begins as asked."""
    wanted = key.casefold()
    return [
        (SimpleNamespace(key=key, number=rule_number(key), title=title, text=text), [])
        for key, (title, text) in meanings().items()
        if key.casefold().startswith(wanted)
    ]


def _matching(rule: str, rulebooks: list[Any]) -> list[tuple[Any, list[str]]]:
    """Rules whose key begins as asked, each with the rulebooks that have it in the same form."""
    found: dict[tuple[str, int], tuple[Any, list[str]]] = {}
    for rulebook in rulebooks:
        for item in rulebook.rules.values():
            if item.key.casefold().startswith(rule.casefold()):
                found.setdefault((item.key, id(item.decide)), (item, []))[1].append(rulebook.id)
    return list(found.values())


def _named_in_the_book(name: str, rulebooks: list[Any]) -> list[tuple[Any, list[str]]]:
    """The rules that carry what the book gives a name and no number: STACKING, NOTE."""
    from referee.rulebooks.coverage import coverage_of

    keys = {
        carried.rule.key
        for rulebook in rulebooks
        for covered in coverage_of(rulebook).numbered
        if name.casefold() in [part.strip().casefold() for part in covered.in_book.split(",")]
        for carried in covered.rules
    }
    return [found for found in _matching("", rulebooks) if found[0].key in keys]
