"""Which counter and which display are one ship: by a map, by markers they share, by words of their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from referee.core.once import pattern
from referee.formats.vassal.pieces import Piece

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap

Pair = tuple[Piece | None, Piece | None]
"""A ship's counter and display, None where it has none."""
_WORD = pattern(r"[^\W_]+")
_ID_LIKE = pattern(r"(?i)(?:id|name|ship|unit|hull|registry)$")
_GENERIC = frozenset(("ssd", "ship", "sheet", "uss", "iks", "hms", "counter", "display", "form", "data"))
_ID_SCORE, _MARKER_SCORE, _WORD_SCORE = 100, 2, 10


def pair_up(
    counters: list[Piece],
    displays: list[Piece],
    both: list[Piece],
    module_map: ModuleMap | None,
    known: Mapping[str, str],
) -> list[Pair]:
    """Counters with their displays; of counters that fit a display alike it has the `known` one, told by ids.

    A piece that may be `both` is the display of a counter elsewhere that fits it by name, else a counter, and
    its own display where no other is.
    """
    if not both:
        return _pair(counters, displays, module_map, known)
    elsewhere = {piece.map for piece in counters}
    of_others = [piece for piece in both if piece.map not in elsewhere]
    fits = _pair(counters, of_others, module_map, known, _WORD_SCORE) if counters else []
    taken = [display for counter, display in fits if counter and display]
    units = [piece for piece in both if piece not in taken]
    pairs = _pair([*counters, *units], [*displays, *taken], module_map, known)
    return [(counter, display or (counter if counter in units else None)) for counter, display in pairs]


def _pair(
    counters: list[Piece],
    displays: list[Piece],
    module_map: ModuleMap | None,
    known: Mapping[str, str],
    least: int = 1,
) -> list[Pair]:
    """Counters with their displays, best matches first decided; the rest stand alone."""
    unique = _unique_markers(counters), _unique_markers(displays)
    scores = [
        (score, known.get(counter.id) == display.id, -i, -j)
        for i, counter in enumerate(counters)
        for j, display in enumerate(displays)
        if (score := _as_mapped(counter, display, module_map, _score(counter, display, unique))) >= least
    ]
    display_of: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, i, j in sorted(scores, reverse=True):
        if -i not in display_of and -j not in taken:
            display_of[-i] = -j
            taken.add(-j)
    pairs: list[Pair] = []
    for i, counter in enumerate(counters):
        pairs.append((counter, displays[display_of[i]] if i in display_of else None))
    return pairs + [(None, display) for j, display in enumerate(displays) if j not in taken]


def _unique_markers(pieces: Iterable[Piece]) -> set[tuple[str, str]]:
    counts = Counter(pair for piece in pieces for pair in piece.markers.items())
    return {pair for pair, count in counts.items() if count == 1}


def _score(counter: Piece, display: Piece, unique: tuple[set[tuple[str, str]], set[tuple[str, str]]]) -> int:
    score = 0
    for name, value in counter.markers.items():
        other = display.markers.get(name)
        if not value or not other:
            continue
        pair = (name, value)
        if _ID_LIKE.search(name):
            if other != value:
                return 0
            score += _ID_SCORE if pair in unique[0] and pair in unique[1] else _MARKER_SCORE
        elif other == value and pair in unique[0] and pair in unique[1]:
            score += _MARKER_SCORE
    shared = _words(counter.basic_name) & _words(display.basic_name)
    return score + _WORD_SCORE * len(shared)


def _as_mapped(counter: Piece, display: Piece, module_map: ModuleMap | None, score: int) -> int:
    """The score, unless a map decides."""
    paired = module_map.paired(counter, display) if module_map else None
    return score if paired is None else _ID_SCORE * 2 * paired


def _words(name: str) -> set[str]:
    return {word for word in map(str.lower, _WORD.findall(name)) if len(word) > 2} - _GENERIC
