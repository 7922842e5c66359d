"""Draws `check.svg`, the picture at the head of the README, from what the program really prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from referee.report.terminalsvg import terminal_svg

HERE = Path(__file__).parent
COMMAND = ["check", "examples/duel/duel.vsav", "--color", "always"]


def main() -> None:
    """Runs the command from the top folder and draws its first findings and its verdict."""
    run = [sys.executable, "-m", "referee", *COMMAND]
    top = HERE.parent.parent
    printed = subprocess.run(run, cwd=top, capture_output=True, text=True, check=False).stdout
    blocks = printed.strip().split("\n\n")
    shown = "\n\n".join([*blocks[:5], "...", blocks[-1]])
    picture = terminal_svg(f"$ referee check examples/duel/duel.vsav\n\n{shown}", "referee check", columns=82)
    (HERE / "check.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
