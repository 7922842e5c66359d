"""Draws `examples/duel/check.svg`, the picture at the head of the README, from what the program really prints:
`python -m tests.write_picture`."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from xml.etree import ElementTree

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from tests.conftest import ROOT

PICTURE = ROOT / "examples" / "duel" / "check.svg"
COMMAND = ["check", "examples/duel/duel.vsav", "--color", "always"]
_LOADED = re.compile(r"@font-face \{\{.*?\}\}\s*", re.DOTALL)
_ROW = "{http://www.w3.org/2000/svg}text"


def terminal_svg(text: str, title: str, columns: int) -> str:
    """Text with ANSI colours as a picture of a terminal that loads no font from elsewhere."""
    console = Console(record=True, file=io.StringIO(), width=columns, force_terminal=True)
    console.print(Text.from_ansi(text))
    return console.export_svg(title=title, code_format=_LOADED.sub("", CONSOLE_SVG_FORMAT))


def words_in(svg: str) -> list[str]:
    """The words of such a picture."""
    rows = ElementTree.fromstring(svg).iter(_ROW)
    return " ".join((row.text or "").replace("\u00a0", " ") for row in rows).split()


def drawn() -> str:
    """The first findings of the command, and its verdict."""
    run = [sys.executable, "-m", "referee", *COMMAND]
    printed = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    blocks = printed.strip().split("\n\n")
    shown = "\n\n".join([*blocks[:5], "...", blocks[-1]])
    return terminal_svg(f"$ referee check examples/duel/duel.vsav\n\n{shown}", "referee check", 128)


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
