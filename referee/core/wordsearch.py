"""Which of many short texts some words are about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import pairwise
from math import log

Titled = tuple[str, str]
"""A title and the text below it."""

MOST = 8
_WORD = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")
_SMALL = frozenset(
    (
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "has",
        "have",
        "how",
        "i",
        "in",
    )
) | {
    *("if", "is", "it", "may", "must", "my", "no", "of", "on", "or", "that", "the", "there", "to"),
    *("about", "explain", "happens", "me", "mean", "means", "rule", "rules", "tell", "work", "works"),
    *("what", "when", "where", "which", "who", "why", "with", "you"),
}
_ENDINGS = ("ings", "ing", "ed", "es", "s")
_TITLE, _TEXT = 4.0, 1.0


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, parts of joined ones too."""
    found = []
    for word in _WORD.findall(text.casefold()):
        parts = re.split("[.-]", word)
        found += [word, *(parts if len(parts) > 1 else ())]
    return found


def stem(word: str) -> str:
    """A word without its ending: `turning`, `turned` and `turns` are one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)].rstrip("e") if ending != "s" else word[:-1].rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def best(asked: str, texts: Sequence[Titled]) -> list[int]:
    """The numbers of the texts that have the words asked for, those with most of them first. Of these, those with one
    in the title are taken alone where there are any. A word in the title counts more, and so does a word that few
    texts have. Words that stand together count more, too."""
    wanted = list(dict.fromkeys(stem(word) for word in _WORD.findall(asked.casefold()) if word not in _SMALL))
    stems = [tuple([stem(word) for word in words_of(part)] for part in text) for text in texts]
    rare = {
        word: log(1 + len(texts) / (1 + sum(word in t or word in b for t, b in stems))) for word in wanted
    }
    scores = []
    for n, (title, body) in enumerate(stems):
        there = [word for word in wanted if word in title or word in body]
        if not there:
            continue
        score = sum(
            rare[word] * (_TITLE * (word in title) + _TEXT * (1 + log(1 + body.count(word))) * (word in body))
            for word in there
        )
        together = sum(pair in _pairs(part) for part in (title, body) for pair in _pairs(wanted))
        scores.append((-len(there), -score * (1 + together / 2) / (4 + len(title)) ** 0.5, n))
    scores.sort()
    most = [n for missing, _, n in scores if missing == scores[0][0]]
    # What has them in its text alone only speaks of them beside something else.
    titled = [n for n in most if not set(wanted).isdisjoint(stems[n][0])]
    return (titled or most)[:MOST]


def _pairs(words: Sequence[str]) -> list[tuple[str, str]]:
    """The words that stand one behind the other."""
    return list(pairwise(words))


def strange(asked: str, texts: Sequence[Titled]) -> list[tuple[str, list[str]]]:
    """The words asked for that no text has, each with those most like it."""
    words = {word for text in texts for part in text for word in words_of(part)}
    known, stems = {word for word in words if len(word) > 2}, {stem(word) for word in words}
    return [
        (word, [] if word.isdigit() else get_close_matches(word, sorted(known), 3, 0.7))
        for word in dict.fromkeys(_WORD.findall(asked.casefold()))
        if word not in _SMALL and stem(word) not in stems
    ]
