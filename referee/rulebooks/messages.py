"""Which rule says a sentence: what findings say is read off the rules' own functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any

_VALUE = "#"
"""What stands for a number or a name."""
_NUMBER = re.compile(r"\b(?:[A-Z]\b|\S*[0-9]\S*)")
_WORD = re.compile(r"[a-z]+|#")
_ALIKE = 0.6
"""As much of a sentence a rule must say."""


def saying(sentence: str, rules: Sequence[Any]) -> list[int]:
    """The numbers of the rules whose findings say a sentence, whatever its numbers and names; none where it is none."""
    asked = _words(sentence)
    if len(asked) < 4:
        return []
    pairs_of = [
        {pair for text in _texts(getattr(rule, "decide", None)) for pair in pairwise(_words(text))}
        for rule in rules
    ]
    shares = [_share(asked, pairs) for pairs in pairs_of]
    best = max(_ALIKE, *shares)
    found = [n for n, share in enumerate(shares) if share == best]
    # Of equals, those that say little else.
    return sorted(found, key=lambda n: len(pairs_of[n]))


def _words(text: str) -> list[str]:
    return _WORD.findall(_NUMBER.sub(_VALUE, text).casefold())


def _share(asked: list[str], pairs: set[tuple[str, str]]) -> float:
    """How much of a sentence is what a rule says; words that it never says are names."""
    known = {word for pair in pairs for word in pair}
    there = [word if word in known else _VALUE for word in asked]
    joined = [word for word, _ in groupby(there)]
    return len(pairs.intersection(pairwise(joined))) / (len(asked) - 1)


def _texts(function: Any, deep: int = 1) -> Iterator[str]:
    """The texts in a function and in those it calls; a value stands where a text is open at an end."""
    code = getattr(function, "__code__", None)
    for text in code.co_consts if code else ():
        if isinstance(text, str) and text != function.__doc__:
            yield _VALUE * text.startswith(" ") + text + _VALUE * text.endswith(" ")
    for name in code.co_names if code and deep else ():
        yield from _texts(function.__globals__.get(name), deep - 1)
