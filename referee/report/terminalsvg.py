"""Text with ANSI colours as a picture of a terminal, for the README."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from itertools import groupby
from operator import itemgetter

from referee.core.frozen import frozen
from referee.core.safe import safe_line

_SGR = re.compile(r"\x1b\[([0-9;]{0,20})m")
_COLOURS = {
    31: "#ff7b72",
    32: "#7ee787",
    33: "#e3b341",
    34: "#79c0ff",
    35: "#d2a8ff",
    36: "#56d4dd",
}
_INK, _PAPER, _EDGE = "#e6edf3", "#161b22", "#30363d"
_SIZE, _STEP, _LEAD = 14, 8.4, 19
_MARGIN, _BAR = 16, 34
_FONTS = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


@frozen
class _Style:
    colour: int | None = None
    bold: bool = False
    dim: bool = False

    def after(self, codes: str) -> _Style:
        """This style changed by the numbers of an escape sequence; others are ignored."""
        style = self
        for code in (int(part or 0) for part in codes.split(";")):
            if code == 0:
                style = _Style()
            elif code in _COLOURS:
                style = replace(style, colour=code)
            elif code in (1, 2):
                style = replace(style, bold=style.bold or code == 1, dim=style.dim or code == 2)
        return style


@frozen
class _Run:
    """A piece of one row in one style, beginning at a column."""

    column: int
    text: str
    style: _Style


_Letter = tuple[str, _Style]


def terminal_svg(text: str, title: str, columns: int = 100) -> str:
    """The text as an SVG terminal of so many columns; longer lines go on in the next row, broken between
    words.

    Colours 31 to 36, bold and dim are drawn. Any other control character is spelt out.
    """
    rows = list(_rows(text, columns))
    width = round(columns * _STEP + 2 * _MARGIN)
    height = _BAR + len(rows) * _LEAD + _MARGIN
    lines = [_row(row, _BAR + n * _LEAD + _SIZE) for n, row in enumerate(rows) if row]
    name = escape(safe_line(title, columns))
    dots = "".join(f'<circle cx="{18 + 18 * n}" cy="17" r="5.5" fill="{_EDGE}"/>' for n in range(3))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-label="{name}">\n'
        f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8" fill="{_PAPER}" stroke="{_EDGE}"/>\n'
        f'{dots}\n<text x="{width / 2:g}" y="21" text-anchor="middle" fill="#8b949e"'
        f' font-family="system-ui, sans-serif" font-size="12">{name}</text>\n'
        f'<g font-family="{_FONTS}" font-size="{_SIZE}" fill="{_INK}">\n'
        + "\n".join(lines)
        + "\n</g>\n</svg>\n"
    )


def _rows(text: str, columns: int) -> Iterator[list[_Run]]:
    style = _Style()
    for line in text.rstrip("\n").split("\n"):
        letters: list[_Letter] = []
        for n, part in enumerate(_SGR.split(line.expandtabs())):
            if n % 2:
                style = style.after(part)
            else:
                letters += [(letter, style) for letter in safe_line(part, max(len(part) * 10, 1))]
        yield from map(_runs, _wrapped(letters, columns))


def _wrapped(letters: list[_Letter], columns: int) -> Iterator[list[_Letter]]:
    """A line as rows, broken between words; a word longer than a row is cut."""
    while len(letters) > columns:
        begins = next((n for n, (letter, _) in enumerate(letters) if letter != " "), 0)
        gap = next((n for n in range(columns, begins, -1) if letters[n][0] == " "), 0)
        yield letters[: gap or columns]
        letters = letters[gap + 1 if gap else columns :]
    yield letters


def _runs(letters: list[_Letter]) -> list[_Run]:
    """The pieces of a row that have one style."""
    runs = []
    column = 0
    for style, row in groupby(letters, key=itemgetter(1)):
        text = "".join(letter for letter, _ in row)
        runs.append(_Run(column, text, style))
        column += len(text)
    return runs


def _row(runs: list[_Run], y: int) -> str:
    spans = "".join(_span(run) for run in runs if run.text.strip())
    return f'<text y="{y}">{spans}</text>'


def _span(run: _Run) -> str:
    """A run held to its columns, whatever monospace font there is."""
    text = run.text.rstrip(" ")
    start = len(text) - len(text.lstrip(" "))
    text = text[start:]
    x = _MARGIN + (run.column + start) * _STEP
    look = f' fill="{_COLOURS[run.style.colour]}"' if run.style.colour else ""
    look += ' font-weight="700"' if run.style.bold else ""
    look += ' opacity=".62"' if run.style.dim else ""
    long = len(text) * _STEP
    drawn = escape(text).replace(" ", "\u00a0")  # viewers run plain spaces together
    return f'<tspan x="{x:g}" textLength="{long:g}" lengthAdjust="spacingAndGlyphs"{look}>{drawn}</tspan>'
