"""A speed beyond twice the one before: the finding names the option, and what the other reading allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

OTHER = "read as literal (--option acceleration=literal) the rule allows up to 36"


@pytest.mark.parametrize("door", ["orders", "form"])
def test_the_other_reading_is_named(referee: Run, door: str) -> None:
    if door == "orders":
        file = Path("game.txt")
        file.write_text(
            "rulebook sfb-standard\nship A = standard/federation-ca at 2020A speed 12\nturn 1\nA: speed 25\n"
        )
        more: tuple[str, ...] = ()
    else:
        file = Path("form.csv")
        rows = (
            "Ship,A\nTurn,1\nWarp Power,30\nImpulse Power,4\nTotal Power,34\nLife Support,1\nFire Control,1\n"
        )
        file.write_text(f"{rows}Shields,2\nMovement,25\nTotal Used,29\n")
        more = (
            "--ship",
            "standard/federation-ca",
            "--rulebook",
            "sfb-standard",
            "--option",
            "previous_speed=12",
        )
    (found,) = referee("check", file, "--json", *more).findings("error")
    assert found["rule"] == "B3.0-14" and found["expected"] == "≤ 24" and OTHER in found["fix"]
    literal = referee("check", file, "--json", *more, "--option", "acceleration=literal")
    assert literal.findings("error") == []


def test_where_there_is_one_reading_no_other_is_named(referee: Run) -> None:
    Path("game.txt").write_text(
        "rulebook sfb-cadet\nship A = cadet/federation-ca at 2020A speed 2\nturn 1\nA: speed 11\n"
    )
    (found,) = referee("check", "game.txt", "--json").findings("error")
    assert found["fix"] == "move no faster than 10"
