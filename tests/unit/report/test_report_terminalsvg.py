"""A terminal drawn as SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable

from referee.report.paint import Paint
from referee.report.terminalsvg import terminal_svg

SVG = "{http://www.w3.org/2000/svg}"


def _spans(text: str, columns: int = 100) -> list[tuple[str, dict[str, str]]]:
    root = ET.fromstring(terminal_svg(text, "t", columns))
    return [((span.text or "").replace("\u00a0", " "), span.attrib) for span in root.iter(f"{SVG}tspan")]


def test_golden(golden: Callable[[str, str], None]) -> None:
    paint = Paint(True)
    lines = [f"$ referee check {paint('turn2.csv', 'bold')}"]
    lines += [
        f"  {paint(style, style)}  plain" for style in ("red", "green", "yellow", "magenta", "cyan", "dim")
    ]
    golden("terminal.svg", terminal_svg("\n".join([*lines, "", "end"]) + "\n", "duel <1>", 40))


def test_styles_add_up_and_end() -> None:
    (one, two, three) = _spans("\x1b[1mbold\x1b[31m both\x1b[0m plain")
    assert one[1]["font-weight"] == "700"
    assert two[1]["fill"].startswith("#")
    assert two[1]["font-weight"] == "700"
    assert "fill" not in three[1]


def test_a_style_goes_on_in_the_next_line() -> None:
    assert all("opacity" in look for _, look in _spans("\x1b[2ma\nb\x1b[0m"))


def test_columns_are_held_and_long_lines_go_on() -> None:
    assert [text for text, _ in _spans("abcdef", 4)] == ["abcd", "ef"]
    ((text, look),) = _spans("   x")
    assert (text, float(look["x"])) == ("x", 16 + 3 * 8.4)


def test_a_full_line_leaves_no_empty_row() -> None:
    assert terminal_svg("abcd\nef", "t", 4).count("<text y=") == 2
    assert 'height="88"' in terminal_svg("abcd\nef", "t", 4)


def test_hostile_text_is_spelt_out(hostile: str) -> None:
    drawn = terminal_svg(hostile + "\x1b]8;;http://x.y\x07link\x1b[5;200000000000m", hostile)
    assert not any(sign in drawn for sign in ("\x1b", "\u202e", "\x9b", "\x00", "<script"))
    ET.fromstring(drawn)
