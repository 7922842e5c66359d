"""References of a workbook to cells, as they read when a column is put in on one of its sheets."""

from __future__ import annotations

import re
from collections.abc import Callable

from referee.core.location import cell_name
from referee.formats.sheets.grid import cell_position

_CELL = r"\$?[A-Z]{1,3}\$?[1-9][0-9]{0,6}"
_WHOLE = r"\$?[A-Z]{1,3}:\$?[A-Z]{1,3}"
_SHEET = r"'(?:[^']|'')+'|[^\W\d][\w.]*"
_IN_XLSX = re.compile(
    rf'"(?:[^"]|"")*"|(?:(?P<sheet>{_SHEET})!)?(?<![\w$.])(?P<cells>{_WHOLE}(?![\w(!])|{_CELL}(?::{_CELL})?(?![\w(!]))'
)
_IN_ODS = re.compile(
    rf'"(?:[^"]|"")*"|(?:\$?(?P<sheet>{_SHEET}))?\.(?P<first>{_CELL})(?::(?:\$?(?:{_SHEET}))?\.(?P<last>{_CELL}))?(?![\w(])'
)
_PART = re.compile(r"(\$?)([A-Z]{1,3})(?=\$?[1-9]|:|$)")


def in_xlsx(formula: str, sheet: str, at: int, *, on_it: bool) -> str:
    """A formula of XLSX when a column is put in at `at` (from 0) of a sheet; whether it stands `on_it`."""

    def rewritten(found: re.Match[str]) -> str:
        if not found["cells"] or not _means(found["sheet"], sheet, on_it):
            return found[0]
        kept = found[0][: -len(found["cells"])]
        return kept + _PART.sub(_moved_behind(at), found["cells"])

    return _IN_XLSX.sub(rewritten, formula)


def in_ods(text: str, sheet: str, at: int, *, on_it: bool) -> str:
    """A formula, an address or a condition of ODS when a column is put in at `at` of a sheet."""

    def rewritten(found: re.Match[str]) -> str:
        if not found["first"] or not _means(found["sheet"], sheet, on_it):
            return found[0]
        return re.sub(rf"(?<=\.){_CELL}", lambda cell: _PART.sub(_moved_behind(at), cell[0]), found[0])

    return _IN_ODS.sub(rewritten, text)


def one_further_in_ods(formula: str) -> str:
    """A formula of ODS as it stands a column further on: what bears no `$` moves with it."""

    def rewritten(found: re.Match[str]) -> str:
        if not found["first"]:
            return found[0]
        return re.sub(rf"(?<=\.){_CELL}", lambda cell: _PART.sub(_moved_on, cell[0]), found[0])

    return _IN_ODS.sub(rewritten, formula)


def _moved_on(found: re.Match[str]) -> str:
    return found[0] if found[1] else _after(found[2], 1)


def _after(letters: str, columns: int) -> str:
    """The letters of a column so many further on."""
    position = cell_position(f"{letters}1")
    return letters if position is None else cell_name(0, position[1] + columns)[:-1]


def of_ranges(text: str, at: int, *, grows: bool) -> str:
    """The ranges of a mark or a rule, `B3:L9 N3`. One that `grows` goes on over the new column where it ended before it, or
    stood in that column alone."""
    return " ".join(_range(each, at, grows) for each in text.split())


def _range(text: str, at: int, grows: bool) -> str:
    first, colon, last = text.partition(":")
    start, end = cell_position(first.replace("$", "")), cell_position((last or first).replace("$", ""))
    if start is None or end is None:
        return text
    left, right = start[1] + (start[1] >= at), end[1] + (end[1] >= at or (grows and end[1] == at - 1))
    named = cell_name(start[0], left)
    return named if not colon and left == right else f"{named}:{cell_name(end[0], right)}"


def _means(named: str | None, sheet: str, on_it: bool) -> bool:
    """Does a reference mean a cell of the sheet?"""
    if named is None:
        return on_it
    bare = named[1:-1].replace("''", "'") if named.startswith("'") else named
    return bare.casefold() == sheet.casefold()


def _moved_behind(at: int) -> Callable[[re.Match[str]], str]:
    """A column as it is called now, one more where it stands behind the new one."""

    def rewritten(found: re.Match[str]) -> str:
        position = cell_position(f"{found[2]}1")
        return found[1] + _after(found[2], int(position is not None and position[1] >= at))

    return rewritten
