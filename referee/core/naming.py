"""Names match ignoring case, spaces and punctuation: `ph1a`, `PH-1A` and `PH-1/A` are one weapon."""

from __future__ import annotations

from collections.abc import Container, Iterable
from difflib import SequenceMatcher
from functools import lru_cache

from referee.core.forms import FormLines
from referee.core.once import pattern
from referee.core.ship import Mount

MOST_SEEKERS = 500
_LABEL = pattern(r" \S+ t[0-9]{1,4}(?:\.[0-9]{1,3})?")


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """A name's letters and digits in lower case."""
    return "".join(filter(str.isalnum, name.casefold()))


def most_like(name: str, names: Iterable[str], least: float = 0.5) -> list[str]:
    """The names most like a mistyped one: three at most, those that are nearly as like it as the first, of
    equals the first given; none where none is like it by `least` (1 is the same)."""
    alike = {known: _likeness(folded(name), folded(known)) for known in names}
    best = max(alike.values(), default=0.0)
    near = (known for known in alike if alike[known] >= max(least, best - 0.2))
    return sorted(near, key=lambda known: -alike[known])[:3]


def _likeness(wanted: str, known: str) -> float:
    """How like one word is to another; letters that changed places are nearly no mistake."""
    swapped = sorted(wanted) == sorted(known) and wanted != known
    return max(SequenceMatcher(None, wanted, known).ratio(), 0.95 * swapped)


def names_like(name: str, names: Iterable[str]) -> str:
    """A hint for a name nobody has: those most like it, else those there are."""
    known = list(dict.fromkeys(names))
    if near := most_like(name, known):
        return f"did you mean {' or '.join(near)}?"
    more = f" and {len(known) - 12} more" if len(known) > 12 else ""
    there = "there are" if known[1:] else "there is"
    return f"{there} {', '.join(known[:12])}{more}" if known else "there are none"


def find_mounts(name: str, mounts: Iterable[Mount]) -> tuple[Mount, ...]:
    """The weapons a name may mean: one where it is clear, none or several where it is not."""
    wanted = folded(name)
    return tuple(mount for mount in mounts if folded(mount.id) == wanted)


def launch_label(ship: str, weapon: str, turn: int, taken: Container[str] = ()) -> str:
    """What a seeker is called that a ship launches in a turn, from a rack or tube: `War DRN/1 t2`; numbered from
    the second on (`War DRN/1 t2.2`) where the name is taken, as it may be by `MOST_SEEKERS`."""
    name = f"{ship} {weapon} t{turn}"
    if name not in taken:
        return name
    return next(label for n in range(2, MOST_SEEKERS + 2) if (label := f"{name}.{n}") not in taken)


def launcher_in(label: str, ships: Iterable[str]) -> str | None:
    """The ship, of some, by which a seeker that is called so was launched; None where it is none of theirs."""
    return next(
        (ship for ship in ships if label.startswith(ship) and _LABEL.fullmatch(label, len(ship))), None
    )


def tube_named(label: str, mounts: Iterable[Mount]) -> Mount | None:
    """The weapon a row of line 10 means: by its mark (`PL-S/A`), or by its letter where only one weapon may be
    meant (`PL/A`, `TORP/A`); None where none or several may."""
    mounts = tuple(mounts)
    if marked := find_mounts(label, mounts):
        return marked[0] if len(marked) == 1 else None
    prefix, _, mark = label.partition("/")
    named = [
        mount
        for mount in mounts
        if mount.system not in ("phaser", "drone")
        and mount.mark == mark
        and (prefix == "TORP" or mount.id.startswith(f"{prefix}-"))
    ]
    return named[0] if len(named) == 1 else None


def weapon_line(line: str, mounts: Iterable[Mount], lines: FormLines) -> str:
    """A line of a form under the weapon's own mark (`10:TORP/A` is `10:DISR/A` of a D6); others as they are."""
    number, _, part = line.partition(":")
    tube = tube_named(part, mounts) if number == lines.heavy_weapons and part else None
    return lines.tube(tube.id) if tube else line


MAY_BE_NAMED = "a name holds no : ; , or =, and does not begin with #"


def ends_a_name(name: str) -> str:
    """The sign in a unit's name at which an order would take the name to end; nothing where orders can name it."""
    if name.startswith("#") or " #" in name:
        return "#"
    return next((sign for sign in ":;,=" if sign in name), "")


def how_many(number: int | str, noun: str, many: str = "") -> str:
    """A number and what is counted: `1 point`, `2 points`, `1 hex`, `2 hexes`; it may be written as energy is."""
    return f"{number} {noun if str(number) in ('1', '½') else many or noun + 's'}"
