"""The screens of the umpire's guide, as pictures: `python -m tests.unit.live.pictures` writes them."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import tempfile
from pathlib import Path

from referee.cli.main import run
from referee.live.screen.page import TablePage
from referee.live.screen.styled import Line
from referee.play.desk import Desk
from tests.conftest import ROOT
from tests.unit.live.keys import SCENARIO, keys_of, pressed
from tests.write_picture import terminal_svg

FOLDER = ROOT / "docs" / "pictures"
PICTURES = {
    "table.svg": (50, "", 80, 24, "referee table"),
    "table-fire.svg": (51, "f12", 80, 24, "referee table: f declares fire"),
    "table-refused.svg": (15, "n", 80, 24, "referee table: against the rules"),
    "table-undo.svg": (8, "u", 80, 24, "referee table: u takes back"),
    "table-wide.svg": (69, "", 120, 40, "referee table on a larger terminal"),
}
"""Each picture: after so many lines of scenario 4, with these keys, in so many columns and rows."""
_CODES = {"bold": "1", "dim": "2", "good": "1;32", "warn": "33", "bad": "1;31", "gone": "2", "now": "1;32", "bar": "1;36", "mark": "1;36"}  # fmt: skip
_HEAD = re.compile(r"#(\d+) (?:[A-Z2-7]{4}-){6}[A-Z2-7]{2}")


def pictures() -> dict[str, str]:
    """Every picture, as SVG. The head code, which is another in each game, is always the same there."""
    made = {}
    with tempfile.TemporaryDirectory() as folder:
        before = Path.cwd()
        os.chdir(folder)
        try:
            for name, (count, keys, width, height, title) in PICTURES.items():
                rows = _page(count, keys).rows(width, height)
                text = "\n".join(map(_ansi, rows))
                made[name] = terminal_svg(
                    _HEAD.sub(r"#\1 7B5Z-5W46-7A57-SEHH-IPFJ-2OPN-24", text), title, width
                )
        finally:
            os.chdir(before)
    return made


def _page(count: int, keys: str) -> TablePage:
    """The screen of scenario 4 after so many lines of the script, and some keys."""
    Path("duel.jsonl").unlink(missing_ok=True)
    shutil.rmtree("duel.secrets", ignore_errors=True)
    shutil.copy(Path(__file__).parent / "dakota.csv", ".")
    new = ["init", "game", "--scenario", "4", "--record", "duel.jsonl", "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]  # fmt: skip
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert run(new) == 0
    page = TablePage(Desk("duel.jsonl"))
    for line in SCENARIO[:count]:
        pressed(page, keys_of(page, line))
    pressed(page, keys)
    return page


def _ansi(row: Line) -> str:
    return "".join(f"\x1b[{_CODES[style]}m{text}\x1b[0m" if style else text for text, style in row).rstrip()


if __name__ == "__main__":
    for name, drawn in pictures().items():
        (FOLDER / name).write_text(drawn, encoding="utf-8")
