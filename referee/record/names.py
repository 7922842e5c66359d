"""Names that is not known apart by eye are refused where they enter: by Unicode's table of confusables.

A name is of one script, holds letters, digits, marks, punctuation and single blanks, none of them invisible, and
is its own compatibility form (so no full width letters). Two names that look alike are one name too many.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from referee.core.errors import IntegrityFailure
from referee.core.naming import folded
from referee.record.chain import Entry

TABLE = Path(__file__).with_name("confusables.json")

_SEEN = "LNPSM"
_EAST = {"CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"}
_COMMON = {"MODIFIER"}
# What Unicode says may be drawn as nothing, among marks, letters and signs.
_BLANK = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810)))
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))


def unfit(name: str) -> str:
    """Why a name cannot be taken, or an empty text."""
    if name != " ".join(name.split(" ")).strip(" ") or "  " in name or not name:
        return "begins or ends with a blank, or holds two in a row"
    for letter in name:
        if letter != " " and (unicodedata.category(letter)[0] not in _SEEN or letter in _BLANK):
            return f"holds U+{ord(letter):04X}, which cannot be seen"
        if unicodedata.category(letter) == "Me":
            return f"holds U+{ord(letter):04X}, which is drawn around a letter"
    if unicodedata.normalize("NFKC", name) != name:
        odd = next((c for c in name if unicodedata.normalize("NFKC", c) != c), name[0])
        return f"holds U+{ord(odd):04X}, which looks like {unicodedata.normalize('NFKC', odd)}"
    if len(found := list(dict.fromkeys(_scripts(name)))) > 1:
        return f"mixes scripts: {' and '.join(found).lower()}"
    return ""


def looks(name: str) -> frozenset[str]:
    """What a name looks like, in either case of its letters; two names that share one look alike."""
    shapes = {_shape(name), _shape(name.casefold())}
    return frozenset(_bare(shape.casefold()) for shape in shapes)


def _bare(shape: str) -> str:
    """Without blanks, and without the punctuation it begins or ends with."""
    marks = "".join({letter for letter in shape if unicodedata.category(letter)[0] == "P"})
    return shape.strip(marks + " ").replace(" ", "") or shape


def check_names(entries: Iterable[Entry]) -> None:
    """Raises IntegrityFailure, with its line, for the name of a player, a ship or a drone that is not known
    from another. A record of no signatures is older than this rule."""
    people: dict[str, frozenset[str]] = {}
    things: dict[str, frozenset[str]] = {}
    spellings: dict[str, str] = {}
    for entry in entries:
        if entry.type == "genesis":
            if "signers" not in entry.data:
                return
            for name in (*entry.data["players"], *([entry.data["umpire"]] if "umpire" in entry.data else [])):
                _enter(name, people, entry)
        elif name := _named(entry):
            _enter(name, things, entry)
            if entry.type != "order":
                _said_apart(name, spellings, entry)


def _said_apart(name: str, spellings: dict[str, str], entry: Entry) -> None:
    """Raises IntegrityFailure for a ship or a drone that orders would take for another: they are read by letters and
    digits alone. What is launched has its name from the program."""
    shown, place = name.encode("ascii", "backslashreplace").decode()[:60], f"line {entry.line_number}"
    if not (key := folded(name)):
        raise IntegrityFailure(f"the name '{shown}' holds neither letter nor digit", place=place)
    if (other := spellings.setdefault(key, name)) != name:
        reason = f"the name '{shown}' is read in orders as '{other.encode('ascii', 'backslashreplace').decode()[:60]}'"
        raise IntegrityFailure(reason, place=place, hint="choose another")


def _named(entry: Entry) -> str:
    """The name that an entry brings in, or an empty text."""
    data = entry.data
    launch = data.get("launch") if entry.type == "order" else None
    name = data.get("ship") if entry.type == "ship" else data.get("name") if entry.type == "drone" else None
    name = launch.get("name") if isinstance(launch, dict) else name
    return name if isinstance(name, str) else ""


def _enter(name: str, known: dict[str, frozenset[str]], entry: Entry) -> None:
    if name in known:
        return
    shown = name.encode("ascii", "backslashreplace").decode()[:60]
    if reason := unfit(name):
        raise IntegrityFailure(f"the name '{shown}' {reason}", place=f"line {entry.line_number}")
    shape = looks(name)
    for other, its in known.items():
        if shape & its:
            twin = other.encode("ascii", "backslashreplace").decode()[:60]
            reason = f"the name '{shown}' looks like '{twin}'"
            raise IntegrityFailure(reason, place=f"line {entry.line_number}", hint="choose another")
    known[name] = shape


def _scripts(name: str) -> Iterator[str]:
    for letter in name:
        if unicodedata.category(letter)[0] == "L":
            script = unicodedata.name(letter, "UNKNOWN").split(" ")[0]
            if script not in _COMMON:
                yield "EAST ASIAN" if script in _EAST else script


def _shape(text: str) -> str:
    table = _table()
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(table.get(letter, letter) for letter in apart))


@lru_cache(1)
def _table() -> dict[str, str]:
    """Each character of the table, with what it looks like."""
    classes: dict[str, str] = json.loads(TABLE.read_bytes())["looks_like"]
    return {letter: shape for shape, letters in classes.items() for letter in letters}
