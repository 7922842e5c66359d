"""Which line of the energy form a row's label means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from referee.core.forms import FormLabels
from referee.core.naming import most_like
from referee.core.once import pattern

# "1. ", "14 ", "Line 14: ", "19A) ": the number is not important, the label is (B3.0).
_LINE_NUMBER = pattern(r"\s*(?:line|no\.?|#)?\s*[0-9]{1,2}[a-z]?(?:\s*[.:)\-]\s*|\s+)(?=\S)", re.IGNORECASE)
# "Movement (warp)": what stands in brackets at the end is a remark.
_REMARK = pattern(r"(.*\S)\s*\([^()]{0,60}\)\s*")
# "14", "Line 14", "L14.": a row that is named by the line's number alone.
_BARE_LINE = pattern(r"\s*(?:line|l)?\s*[.#]?\s*([0-9]{1,2})\s*[.:)]?\s*", re.IGNORECASE)
_WORD = pattern(r"[^\W_]+")
_MARK = pattern(r"[a-z]|[0-9]{1,2}")
_TURN_NUMBER = pattern(r"0{0,3}([1-9][0-9]{0,2})")
_ROMAN = pattern("(?=.)(x{0,3})(ix|iv|v?i{0,3})")
_ROMAN_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SHIELDS = "123456"
_ALIKE = 0.75
"""How like a spelling a mistyped label must be."""


@lru_cache(maxsize=1024)
def fold(text: str) -> str:
    """A label without case, spaces and punctuation."""
    return "".join(_WORD.findall(text)).casefold()


def folds(label: str) -> frozenset[str]:
    """The label as it may be known: folded, with and without the number before it and a remark behind."""
    return frozenset(fold(text) for text in _readings(label)) - {""}


class LabelIndex:
    """The labels of a form, indexed once for reading many rows."""

    __slots__ = (
        "_blanks", "_either", "_ignored", "_known", "_lines", "_names", "_shields", "_ship", "_stated", "_turn", "_units",
        "_weapons", "chapter", "form", "usual",
    )  # fmt: skip

    def __init__(self, labels: FormLabels, stated: Mapping[str, str] | None = None) -> None:
        """`stated` are labels and what they mean before all others: a line, or `ignored`."""
        self._stated = {fold(label): line for label, line in (stated or {}).items()}
        self._lines = _index(labels.lines)
        self._either = {fold(label): lines for label, lines in labels.either.items()}
        self._units = {line: frozenset(map(fold, words)) for line, words in labels.units.items()}
        self._names = {line: texts[0] for line, texts in labels.lines.items() if texts}
        self.usual = tuple(texts[0] for texts in labels.lines.values() if texts)
        """A spelling of each line, to tell people what is looked for."""
        self.form = labels.form
        self.chapter = labels.chapter
        self._known: dict[str, str | None] = {}
        self._weapons = _index(labels.weapons)
        self._shields = frozenset(map(fold, labels.shields))
        self._ship = frozenset(map(fold, labels.ship))
        turns = frozenset(map(fold, labels.turn))
        # "T1" is as good as "Turn 1".
        self._turn = turns | {spelling[:1] for spelling in turns}
        self._ignored = frozenset(map(fold, labels.ignored))
        self._blanks = frozenset(blank.strip().casefold() for blank in labels.blanks) | {""}

    def line(self, label: str) -> str | None:
        """The line a label means: `14`, `10:PHOT/A`, `13:2`; None if it means none."""
        if label not in self._known:
            self._known[label] = self._line(label)
        return self._known[label]

    def _line(self, label: str) -> str | None:
        for text in _readings(label):
            words = [word.casefold() for word in _WORD.findall(text)]
            whole = "".join(words)
            if line := self._stated.get(whole):
                return None if line == "ignored" else line
            if found := self._lines.get(whole) or self._weapon(words) or self._shield(words):
                return found
        bare = _BARE_LINE.fullmatch(label)
        number = str(int(bare[1])) if bare else ""
        return number if number in self._lines.values() else None

    def either(self, label: str) -> tuple[str, ...]:
        """The lines a label may mean, where it may mean several and nobody said which; else none."""
        if self.line(label) is not None or self.is_ignored(label):
            return ()
        return next((found for text in _readings(label) if (found := self._either.get(fold(text)))), ())

    def like(self, label: str) -> tuple[str, ...]:
        """The lines with a spelling much like a label that is none, those most like it first."""
        near: tuple[str, ...] = ()
        *kind, mark = _WORD.findall(label) or [""]
        if kind and _MARK.fullmatch(mark.casefold()):
            weapons = (self._weapons[name] for name in most_like(fold("".join(kind)), self._weapons, 0.7))
            near = tuple(self.form.tube(f"{weapon}/{mark.upper()}") for weapon in weapons)
        near = near or tuple(self._lines[name] for name in most_like(fold(label), self._lines, _ALIKE))
        return tuple(dict.fromkeys(near))

    def called(self, line: str) -> str:
        """What a line is usually called."""
        return self._names.get(line) or line.partition(":")[2] or f"line {line}"

    def unit(self, line: str, word: str) -> str:
        """A word behind a figure, folded, where it may stand behind those of the line; else nothing."""
        own = self._units.get(line, self._units.get(line.partition(":")[0], frozenset()))
        folded = fold(word)
        return folded if folded in own or folded in self._units.get("", ()) else ""

    def is_ignored(self, label: str) -> bool:
        """Whether a row of this label is known and has no say in the rules."""
        for folded in map(fold, _readings(label)):
            if line := self._stated.get(folded):
                return line == "ignored"
            if folded in self._ignored:
                return True
        return False

    def is_turn(self, label: str) -> bool:
        """Whether this is what stands over the labels in a header row."""
        folded = fold(label)
        return len(folded) > 1 and folded in self._turn

    def is_weapon(self, label: str) -> bool:
        """Whether a label names a kind of weapon but not which of them."""
        return any(fold(text) in self._weapons for text in _readings(label))

    def is_ship(self, label: str) -> bool:
        """Whether this row says which ship the form is for."""
        return fold(label) in self._ship

    def turn_number(self, heading: str, *, of_turns: bool = False) -> int | None:
        """The turn a heading names: `1`, `Turn 1`, `T1`, `turn 01`; None if it names none.

        `Turn II` and `Turn Two` do too, and `II` and `Two` where the row is `of_turns`.
        """
        words = "".join(_WORD.findall(heading)).casefold()
        name = words.rstrip("0123456789")
        match = _TURN_NUMBER.fullmatch(words[len(name) :])
        if heading.strip().startswith(("-", "\u2212")) or len(re.findall("[0-9]+", heading)) > 1:
            return None  # "1.5" folds to 15, and is no turn
        if match is not None:
            return int(match[1]) if not name or name in self._turn else None
        return self._turn_in_words([word.casefold() for word in _WORD.findall(heading)], of_turns)

    def _turn_in_words(self, words: list[str], of_turns: bool) -> int | None:
        others = [word for word in words if word not in self._turn]
        if len(others) != 1 or len(words) > 2 or not (of_turns or len(words) == 2):
            return None
        if roman := _ROMAN.fullmatch(others[0]):
            return 10 * len(roman[1]) + _ROMAN_ONES.index(roman[2])
        return _COUNTED.index(others[0]) + 1 if others[0] in _COUNTED else None

    def is_blank(self, cell: str) -> bool:
        """Whether a cell says "not used"."""
        return cell.strip().casefold() in self._blanks

    def _weapon(self, words: list[str]) -> str | None:
        whole = "".join(words)
        if whole in self._weapons:
            return None
        if len(words) > 1 and _MARK.fullmatch(words[-1]):
            stem = "".join(words[:-1])
            # "Torpedoes A" is one of them.
            singular = (stem, stem.removesuffix("s"), stem.removesuffix("es"))
            kind = next((self._weapons[name] for name in singular if name in self._weapons), None)
            if kind:
                return self.form.tube(f"{kind}/{words[-1].upper()}")
        for length in (2, 1):
            kind, mark = self._weapons.get(whole[:-length]), whole[-length:]
            # "Torps" is a plural, not tube S.
            if kind and _MARK.fullmatch(mark) and mark != "s":
                return self.form.tube(f"{kind}/{mark.upper()}")
        return None

    def _shield(self, words: list[str]) -> str | None:
        if "".join(words) in self._shields:
            return self.form.reinforcement_specific
        numbers = [place for place, word in enumerate(words) if word in _SHIELDS and len(word) == 1]
        if len(numbers) == 1:
            rest = "".join(words[: numbers[0]] + words[numbers[0] + 1 :])
            return self.form.reinforced(words[numbers[0]]) if rest in self._shields else None
        whole = "".join(words)
        return (
            self.form.reinforced(whole[-1]) if whole[:-1] in self._shields and whole[-1] in _SHIELDS else None
        )


def _readings(label: str) -> Iterable[str]:
    """The label, then the label without a line number before it, then without a remark in brackets."""
    yield label
    if match := _LINE_NUMBER.match(label):
        yield label[match.end() :]
        label = label[match.end() :]
    if bare := _REMARK.fullmatch(label):
        yield bare[1]


def _index(spellings: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Folded spelling to key. One spelling for two keys is a mistake in the data."""
    index: dict[str, str] = {}
    for key, texts in spellings.items():
        for text in texts:
            folded = fold(text)
            if not folded or index.setdefault(folded, key) != key:
                raise ValueError(f"label {text!r} of {key} is empty or means {index.get(folded)} too")
    return index
