"""What a desk says names nothing that cannot be typed there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from referee.play.typed_here import typed_here
from tests.conftest import ROOT
from tests.program_text import nodes_of

ROOMS = ("core", "rulebooks", "adjudicator", "play")
COMMAND = re.compile(
    r"referee (check|dice|explain|fire|form|game|init|join|log|odds|record (?!recover|verify)|replay|reveal|robot|schema|seal|ship|show|table|umpire|volley|watch)\b|\b(game|dice) (say|next|resolve|join|status|undo|apply|enter|throw|confirm|void|reroll)\b|(?<![\w-])--[a-z]"
)


def texts() -> Iterator[str]:
    """Every text of the rooms whose words reach a desk, that names a command or an option of one; `X` stands for what
    is put into it."""
    for room in ROOMS:
        for path in sorted((ROOT / "referee" / room).rglob("*.py")):
            nodes = nodes_of(path)
            inside = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
            told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
            for node in nodes:
                if id(node) in inside | told or path.name == "typed_here.py":
                    continue
                if isinstance(node, ast.JoinedStr):
                    parts = (part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
                    text = "".join(str(part) for part in parts)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    text = node.value
                else:
                    continue
                if COMMAND.search(text):
                    yield text


def test_no_text_names_a_command_once_it_is_said_at_a_desk() -> None:
    found = sorted(set(texts()))
    assert len(found) > 60
    named = {text: said for text in found if COMMAND.search(said := typed_here(f"it is so; {text}"))}
    assert named == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("to join (game join)", "to join (`join`)"),
        ("War's fire at C to be rolled (game resolve), when all have fired", "War's fire at C to be rolled (`n`), when all have fired"),
        ("War is struck for 9 on #1: referee game resolve", "War is struck for 9 on #1: `n`"),
        (
            "first the move of War; to go on without it: referee game next RECORD --to 1.2.fire",
            "first the move of War; to go on without it: `n`, and let it stand",
        ),
        ("refused; --force records it with the foul", "refused"),
        ("not confirmed (dice confirm)", "not confirmed (`n`)"),
        ("the record is cut; `referee record recover` sets it aside", "the record is cut; leave the table, then `referee record recover` sets it aside"),
        ("nothing to change here; C1.3", "nothing to change here; C1.3"),
    ],
)  # fmt: skip
def test_what_stands_for_a_command(text: str, said: str) -> None:
    assert typed_here(text) == said
