"""The formulas of a workbook, worked out again when some cells change: what forms use of them, and no more.

Figures are floats, as spreadsheets have them. A formula that says more than this knows is `NotWorkedOut`, and so is one
that hangs on it: its saved value is then old.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal

from referee.core.frozen import frozen
from referee.core.location import cell_name
from referee.formats.sheets.grid import cell_position

Value = float | str | None
Place = tuple[str, int, int]
"""Sheet, row and column of a cell, both from 0."""
_MOST_CELLS, _DEEPEST, _LONGEST = 20_000, 60, 4_000
_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>[0-9]+(?:\.[0-9]+)?)
    | "(?P<text>(?:[^"]|"")*)"
    | (?:(?:'(?P<quoted>(?:[^']|'')+)'|(?P<sheet>[^\W\d]\w*))[!.])?
      (?P<first>\$?[A-Z]{1,3}\$?[1-9][0-9]{0,6})(?::(?P<last>\$?[A-Z]{1,3}\$?[1-9][0-9]{0,6}))?(?![\w(])
    | (?P<name>[A-Z]+)(?=\()
    | (?P<sign><=|>=|<>|[-+*/&=<>(),;])
    )""",
    re.VERBOSE,
)
_ODS_CELLS = re.compile(r"\[(?:\$?(?P<sheet>'(?:[^']|'')+'|[^\W\d]\w*))?\.(?P<first>[^\[\]:.']+)(?::(?:\$?(?:'(?:[^']|'')+'|[^\W\d]\w*))?\.(?P<last>[^\[\]:.']+))?\]")  # fmt: skip
_REFERENCE = re.compile(
    r"""(?P<text>"(?:[^"]|"")*"|'(?:[^']|'')*')|(?<![\w$])(?P<fast>\$?)(?P<letters>[A-Z]{1,3})(?P<still>\$?)(?P<digits>[1-9][0-9]{0,6})(?![\w(])"""
)
_CELL_PARTS = re.compile("([A-Z]+)([0-9]+)")


class NotWorkedOut(Exception):
    """A formula says something that is not known here, or hangs on one that does."""


@frozen
class Workbook:
    """The values and the formulas of all sheets by place; formulas as XLSX writes them, without their `=`."""

    values: Mapping[Place, Value]
    formulas: Mapping[Place, str]


def moved(formula: str, rows: int, columns: int) -> str:
    """A formula of XLSX as it stands so many rows and columns further on: what bears no `$` moves with it."""

    def rewritten(found: re.Match[str]) -> str:
        if found["text"]:
            return found[0]
        position = cell_position(found["letters"] + found["digits"])
        if position is None:
            return found[0]
        name = cell_name(
            position[0] + (0 if found["still"] else rows), position[1] + (0 if found["fast"] else columns)
        )
        return _CELL_PARTS.sub(lambda cell: f"{found['fast']}{cell[1]}{found['still']}{cell[2]}", name)

    return _REFERENCE.sub(rewritten, formula)


def as_in_xlsx(formula: str) -> str:
    """A formula of an ODS workbook as XLSX writes it."""
    text = formula.removeprefix("of:").removeprefix("=")

    def rewritten(found: re.Match[str]) -> str:
        sheet = f"{found['sheet']}!" if found["sheet"] else ""
        return sheet + found["first"] + (f":{found['last']}" if found["last"] else "")

    return _ODS_CELLS.sub(rewritten, text)


def worked_out(workbook: Workbook, changed: Mapping[Place, Value]) -> dict[Place, Value]:
    """What each formula comes to that hangs on the changed cells, or may; None where that is not known."""
    working = _Working(workbook, changed)
    old: dict[Place, Value] = {}
    for place in workbook.formulas:
        if place not in changed and working.hangs(place):
            try:
                old[place] = working.value(place)
            except NotWorkedOut:
                old[place] = None
    return old


class _Working:
    """One working out: the new value of each cell, as far as it was asked for."""

    def __init__(self, workbook: Workbook, changed: Mapping[Place, Value]) -> None:
        self._workbook, self._changed = workbook, changed
        self._new: dict[Place, Value] = dict(changed)
        self._hangs: dict[Place, bool] = {}
        self._asked: list[Place] = []
        self._left = _MOST_CELLS

    def hangs(self, place: Place) -> bool:
        """Does a formula hang on a changed cell? One that cannot be read may."""
        if place in self._changed:
            return True
        if place not in self._workbook.formulas:
            return False
        if place not in self._hangs:
            self._hangs[place] = True  # while it is asked for: what goes in a circle is not known
            self._hangs[place] = self._hangs_anew(place)
        return self._hangs[place]

    def _hangs_anew(self, place: Place) -> bool:
        if len(self._asked) > _DEEPEST:
            return True
        self._asked.append(place)
        try:
            named = (cell for token in self._tokens(place) for cell in self._cells(token, place[0]))
            return any(self.hangs(cell) for cell in named)
        except NotWorkedOut:
            return True
        finally:
            self._asked.pop()

    def value(self, place: Place) -> Value:
        """What stands in a cell now. Raises NotWorkedOut."""
        if place in self._new:
            return self._new[place]
        if not self.hangs(place):
            return self._workbook.values.get(place)
        if place in self._asked or len(self._asked) > _DEEPEST:
            raise NotWorkedOut
        self._asked.append(place)
        try:
            found = _Formula(self, place, list(self._tokens(place))).whole()
        except (ArithmeticError, ValueError):
            raise NotWorkedOut from None
        finally:
            self._asked.pop()
        self._new[place] = found
        return found

    def _tokens(self, place: Place) -> Iterator[re.Match[str]]:
        formula, at = self._workbook.formulas[place].strip(), 0
        if not formula or len(formula) > _LONGEST:
            raise NotWorkedOut
        while at < len(formula):
            found = _TOKEN.match(formula, at)
            if found is None:
                raise NotWorkedOut
            yield found
            at = found.end()

    def _cells(self, token: re.Match[str], sheet: str) -> Iterator[Place]:
        """The cells a token names. Raises NotWorkedOut for too many."""
        if not token["first"]:
            return
        sheet = (token["quoted"] or "").replace("''", "'") or token["sheet"] or sheet
        first = cell_position(token["first"].replace("$", ""))
        last = cell_position((token["last"] or token["first"]).replace("$", ""))
        if first is None or last is None:
            raise NotWorkedOut
        (top, low), (left, right) = sorted((first[0], last[0])), sorted((first[1], last[1]))
        self._left -= (low - top + 1) * (right - left + 1)
        if self._left < 0:
            raise NotWorkedOut
        for row in range(top, low + 1):
            for column in range(left, right + 1):
                yield sheet, row, column

    def named(self, token: re.Match[str], sheet: str) -> list[Value]:
        """The values of the cells a token names."""
        return [self.value(cell) for cell in self._cells(token, sheet)]


class _Formula:
    """One formula being read, from the weakest sign to the strongest."""

    def __init__(self, working: _Working, place: Place, tokens: list[re.Match[str]]) -> None:
        self._working, self._sheet, self._tokens = working, place[0], tokens
        self._at = 0

    def whole(self) -> Value:
        """What the formula comes to."""
        found = self._compared()
        if self._at != len(self._tokens):
            raise NotWorkedOut
        return found

    def _sign(self, *signs: str) -> str:
        """The next token, taken, if it is one of some signs."""
        sign = self._tokens[self._at]["sign"] if self._at < len(self._tokens) else None
        if sign is None or sign not in signs:
            return ""
        self._at += 1
        return sign

    def _compared(self) -> Value:
        found = self._joined()
        while sign := self._sign("=", "<", ">", "<=", ">=", "<>"):
            other = self._joined()
            if isinstance(found, str) != isinstance(other, str):
                raise NotWorkedOut
            left, right = (found or 0.0, other or 0.0) if not isinstance(found, str) else (found, other)
            less, same = left < right, left == right  # type: ignore[operator]
            held = {"=": same, "<>": not same, "<": less, ">": not less and not same, "<=": less or same}
            found = float(held.get(sign, not less))
        return found

    def _joined(self) -> Value:
        found = self._added()
        while self._sign("&"):
            found = _text(found) + _text(self._added())
        return found

    def _added(self) -> Value:
        found = self._times()
        while sign := self._sign("+", "-"):
            other = _number(self._times())
            found = _number(found) + (other if sign == "+" else -other)
        return found

    def _times(self) -> Value:
        found = self._signed()
        while sign := self._sign("*", "/"):
            other = _number(self._signed())
            found = _number(found) * other if sign == "*" else _number(found) / other
        return found

    def _signed(self) -> Value:
        if sign := self._sign("+", "-"):
            return (-1 if sign == "-" else 1) * _number(self._signed())
        return self._single()

    def _single(self) -> Value:
        if self._sign("("):
            found = self._compared()
            self._must(")")
            return found
        if self._at >= len(self._tokens):
            raise NotWorkedOut
        token = self._tokens[self._at]
        self._at += 1
        if token["number"]:
            return float(token["number"])
        if token["text"] is not None:
            return token["text"].replace('""', '"')
        if token["first"] and not token["last"]:
            return self._working.named(token, self._sheet)[0]
        if token["name"]:
            self._must("(")
            return self._function(token["name"])
        raise NotWorkedOut

    def _must(self, sign: str) -> None:
        if not self._sign(sign):
            raise NotWorkedOut

    def _function(self, name: str) -> Value:
        if name in ("SUM", "MIN", "MAX", "COUNT"):
            figures = [each for each in self._listed() if isinstance(each, float)]
            if name == "COUNT":
                return float(len(figures))
            if name == "SUM":
                return float(sum(figures))
            return (min if name == "MIN" else max)(figures, default=0.0)
        given = self._arguments()
        if name == "N" and len(given) == 1:
            return given[0] if isinstance(given[0], float) else 0.0
        if name == "IF" and len(given) == 3:
            return given[1] if _number(given[0]) else given[2]
        if name == "ROUND" and len(given) == 2:
            places = Decimal(1).scaleb(-int(_number(given[1])))
            return float(Decimal(repr(_number(given[0]))).quantize(places, ROUND_HALF_UP))
        if name == "ABS" and len(given) == 1:
            return abs(_number(given[0]))
        raise NotWorkedOut

    def _arguments(self) -> list[Value]:
        given = [] if self._sign(")") else [self._compared()]
        while given and not self._sign(")"):
            if not self._sign(",", ";"):
                raise NotWorkedOut
            given.append(self._compared())
        return given

    def _listed(self) -> Iterator[Value]:
        """The arguments of a sum, ranges cell by cell."""
        while True:
            token = self._tokens[self._at] if self._at < len(self._tokens) else None
            if token is not None and token["last"]:
                self._at += 1
                yield from self._working.named(token, self._sheet)
            else:
                yield self._compared()
            if self._sign(")"):
                return
            if not self._sign(",", ";"):
                raise NotWorkedOut


def _number(value: Value) -> float:
    if isinstance(value, str):
        raise NotWorkedOut
    return value or 0.0


def _text(value: Value) -> str:
    return value if isinstance(value, str) else "" if value is None else f"{value:.15g}"
