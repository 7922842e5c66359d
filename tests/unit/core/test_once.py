"""What is worked out once: facts of frozen objects, and regular expressions compiled at their first use."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from referee.core.frozen import frozen
from referee.core.once import Remembers, Uncompiled, once, pattern
from tests.conftest import ROOT


@frozen
class Bill(Remembers):
    """What was asked of it, by name."""

    points: int
    asked: list[str]

    @once
    def double(self) -> int:
        self.asked.append("double")
        return 2 * self.points


def test_a_frozen_object_remembers_what_was_worked_out() -> None:
    bill = Bill(4, [])
    assert (bill.double, bill.double, bill.asked) == (8, 8, ["double"])
    assert Bill(4, ["double"]) == bill and Bill(5, []).double == 10
    with pytest.raises(AttributeError):
        bill.points = 5  # type: ignore[misc]


def test_asked_it_answers_as_a_regular_expression() -> None:
    word = pattern(r"([a-z]+)-(?P<n>[0-9])", re.IGNORECASE)
    match = word.fullmatch("PH-1")
    assert match and (match[1], match["n"]) == ("PH", "1")
    assert word.fullmatch("PH-x") is None
    assert word.findall("a-1 b-2 c") == [("a", "1"), ("b", "2")]
    assert (word.sub("?", "a-1 b"), word.split("xa-1y"), word.flags & re.IGNORECASE) == (
        "? b",
        ["", "xa", "1", "y"],
        re.IGNORECASE,
    )
    assert pattern(rb"^#").search(b"# note") is not None


def test_a_mistake_shows_at_the_first_use() -> None:
    wrong = pattern("(")
    with pytest.raises(re.error):
        wrong.match("a")


def test_all_of_the_program_can_be_compiled() -> None:
    files = sorted((ROOT / "referee").rglob("*.py"))
    named = [
        file for file in files if "import pattern\n" in file.read_text("utf-8") and file.stem != "pattern"
    ]
    assert len(named) > 20
    for file in named:
        module = import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
        held = {name: value for name, value in vars(module).items() if isinstance(value, Uncompiled)}
        assert held, file
        for name, value in held.items():
            assert value.pattern, (file, name)
