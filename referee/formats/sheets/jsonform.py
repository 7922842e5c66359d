"""The JSON form of an energy allocation (`referee/energy-allocation/1`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from referee.core.energy import parse_energy
from referee.core.errors import BadInput
from referee.core.forms import EnergyAllocation, EnergyForm, Figure, FormLines, FormProblem
from referee.core.location import Location
from referee.formats.strictjson import load_json

SCHEMA = "referee/energy-allocation/1"

_LAST_LINE = 21
_MOST_ENERGY = 999_999
_MOST_TURNS = 999
_LONGEST_NAME = 200
_LINE = re.compile(r"[1-9]|1[0-9]|2[01]|speed")
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ._/-]{0,30}[A-Za-z0-9])?")


def read_json_form(data: bytes, file: str, lines: FormLines) -> EnergyForm:
    """The form in a JSON file, each figure with its JSON pointer.

    Lines are `"1"` to `"21"` and `"speed"`; a line in parts is an object (`"10": {"PHOT/A": 2}`), or
    its parts are keys of their own (`"9": 3, "9:held": 1`). Figures are whole numbers, decimals, or
    texts as in a sheet. Fields that are not known are refused; figures that are not amounts of
    energy become problems, all of them.
    """
    return _JsonForm(file, lines).form(load_json(data, file))


class _JsonForm:
    """One file being read."""

    __slots__ = ("_lines", "_parts", "_place", "_problems")

    def __init__(self, file: str, lines: FormLines) -> None:
        self._place = Location(file=file)
        self._lines = lines
        held, fired = (line.partition(":")[2] for line in (lines.capacitor_held, lines.phasers_fired))
        # The lines of the form that have parts, and what those may be called.
        self._parts = {
            lines.phasers: re.compile(f"{held}|{fired}"),
            lines.heavy_weapons: _NAME,
            lines.reinforcement_specific: re.compile("[1-6]"),
            lines.other: _NAME,
        }
        self._problems: list[FormProblem] = []

    def form(self, value: object) -> EnergyForm:
        if isinstance(value, dict) and (given := value.get("schema")) != SCHEMA:
            reason = f"is {str(given or 'missing')[:90]}"
            hint = f"of an energy form it is {SCHEMA}; referee form blank SHIP -o form.csv starts one"
            raise BadInput(reason, file=self._place.file, place="/schema", hint=hint)
        form = self._object(value, "", required=("schema", "turns"), allowed=("schema", "ship", "turns"))
        ship = form.get("ship")
        if ship is not None and not (isinstance(ship, str) and 0 < len(ship) <= _LONGEST_NAME):
            raise self._bad("/ship", "is not the name of a ship")
        turns = form["turns"]
        if not isinstance(turns, list) or len(turns) > _MOST_TURNS:
            raise self._bad("/turns", f"is not a list of at most {_MOST_TURNS} turns")
        allocations = tuple(self._allocations(turns))
        return EnergyForm(
            ship if isinstance(ship, str) else None, allocations, self._place, tuple(self._problems)
        )

    def _allocations(self, turns: list[object]) -> list[EnergyAllocation]:
        found: dict[int, EnergyAllocation] = {}
        for number, value in enumerate(turns):
            pointer = f"/turns/{number}"
            allocation = self._turn(value, pointer)
            first = found.setdefault(allocation.turn, allocation)
            if first is not allocation:
                reason = f"turn {first.turn} is given twice, first at {first.place}; the first is taken"
                self._problem("heading", f"{pointer}/turn", str(first.turn), reason)
        return [found[turn] for turn in sorted(found) if found[turn].entries or found[turn].unread]

    def _turn(self, value: object, pointer: str) -> EnergyAllocation:
        turn = self._object(value, pointer, required=("turn", "lines"), allowed=("turn", "lines"))
        number = turn["turn"]
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= _MOST_TURNS:
            raise self._bad(f"{pointer}/turn", f"is not a turn number from 1 to {_MOST_TURNS}")
        lines = self._object(turn["lines"], f"{pointer}/lines")
        entries: dict[str, Figure] = {}
        unread: dict[str, Location] = {}
        seen: dict[str, Location] = {}
        for line, where, figure in self._figures(lines, f"{pointer}/lines"):
            place = self._place.within(pointer=where)
            entry = self._entry(figure, where)
            blank = isinstance(figure, str) and not figure.strip()
            if line in seen:
                reason = f"{self._lines.named(line)} is given twice, at {seen[line]} and here; where they differ neither is taken"
                self._problem("given-twice", where, line, reason)
                first = entries.pop(line, None)
                if first and entry and first.amount == entry.amount:
                    entries[line] = first
                else:
                    unread.setdefault(line, place)
                continue
            seen[line] = place
            if entry is not None:
                entries[line] = entry
            elif not blank:
                unread[line] = place
        return EnergyAllocation(
            number, entries, self._place.within(pointer=pointer), {}, unread, (), self._lines
        )

    def _figures(self, lines: dict[str, object], pointer: str) -> Iterator[tuple[str, str, object]]:
        """Line key, pointer and value of every figure, lines in parts taken apart."""
        for key, value in lines.items():
            where = f"{pointer}/{_escape(key)}"
            line, colon, part = key.partition(":")
            if not _LINE.fullmatch(line):
                raise self._bad(where, f"is not a line of the form, 1 to {_LAST_LINE} or speed")
            if colon:
                yield self._key(line, part, where), where, value
            elif isinstance(value, dict):
                for name, figure in value.items():
                    inner = f"{where}/{_escape(name)}"
                    yield self._key(line, name, inner), inner, figure
            else:
                yield line, where, value

    def _key(self, line: str, part: str, where: str) -> str:
        if line not in self._parts:
            hint = f"lines with parts are {', '.join(self._parts)}"
            raise self._bad(where, f"{self._lines.named(line)} has no parts: give one figure", hint)
        if not self._parts[line].fullmatch(part):
            raise self._bad(where, f"is not a part of {self._lines.named(line)}")
        return f"{line}:{part.upper() if line == self._lines.heavy_weapons else part.lower()}"

    def _entry(self, value: object, where: str) -> Figure | None:
        """The figure, or None if it is blank or a problem."""
        location = self._place.within(pointer=where)
        if isinstance(value, str):
            if not value.strip():
                return None
            try:
                return Figure(parse_energy(value), location)
            except ValueError as error:
                self._problem("unreadable", where, value, str(error))
                return None
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise self._bad(where, "is not a number of energy points")
        if not 0 <= value <= _MOST_ENERGY:
            reason = "negative energy is refused" if value < 0 else "not a number of energy points"
            self._problem("unreadable", where, str(value), reason)
            return None
        return Figure(Fraction(value), location)

    def _object(
        self,
        value: object,
        where: str,
        *,
        required: tuple[str, ...] = (),
        allowed: tuple[str, ...] | None = None,
    ) -> dict[str, object]:
        if not isinstance(value, dict):
            raise self._bad(where, "is not an object")
        for key in value:
            if allowed is not None and key not in allowed:
                raise self._bad(f"{where}/{_escape(key)}", "unknown field", f"known are {', '.join(allowed)}")
        for key in required:
            if key not in value:
                raise self._bad(f"{where}/{key}", "is missing")
        return value

    def _problem(self, kind: str, where: str, text: str, reason: str) -> None:
        location = self._place.within(pointer=where)
        self._problems.append(FormProblem(kind, location, text, reason))  # type: ignore[arg-type]

    def _bad(self, where: str, reason: str, hint: str = "") -> BadInput:
        # The pointer of the whole file is empty, and says nothing.
        return BadInput(reason, file=self._place.file, place=where, hint=hint)


def _escape(key: str) -> str:
    """A key as it stands in a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")
