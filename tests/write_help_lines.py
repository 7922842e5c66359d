"""Writes what the help says of each command in a line: `python -m tests.write_help_lines`.

The program lists its commands without loading them; what it says of each is written down here, from the commands.
"""

from __future__ import annotations

import json
from typing import Any

from referee.cli.app import COMMANDS, OF_A_GAME, whole_program
from tests.conftest import ROOT

PLACE = ROOT / "referee" / "cli" / "help_lines.json"


def lines_of(command: Any, order: tuple[str, ...] = ()) -> Any:
    """A command's line, or those of a group: its own under the empty name."""
    inside = getattr(command, "commands", None)
    line = command.get_short_help_str(limit=200)
    if inside is None:
        return line
    return {"": line} | {name: lines_of(inside[name]) for name in order or inside}


def written() -> str:
    """The file as it has to be."""
    lines = lines_of(whole_program(), tuple(COMMANDS))
    del lines[""]
    lines["game"] = {name: lines["game"][name] for name in ("", *OF_A_GAME)}
    return json.dumps(lines, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PLACE.write_text(written(), encoding="utf-8")
