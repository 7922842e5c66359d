"""Forms that count damage which was told and not marked on the display: undecided, and only as far as it goes."""

from __future__ import annotations

import pytest

from tests.unit.formats.vassal.game_logs import LogWriter
from tests.unit.logs.test_logs_marks import CA, D6, check, errors, hit, logged, show
from tests.unit.logs.test_logs_notes import Check, impulses

__all__ = ["check"]


def fought(points: int, warp: str, *, missed: bool = False) -> tuple[LogWriter, int]:
    """A log in which the Klingon is hit in turn 1, and files so much warp power for turn 2; and the step of that."""
    writer = logged()
    total = str(int(warp) + 4)
    writer.game.written[D6, 2] = {"Warp Power": warp, "Total Power": total}
    impulses(writer, 1, 1, 3)
    hit(writer, points)
    if missed:
        show(writer, shield=max(0, 16 - points))
    impulses(writer, 1, 4, 16)
    writer.form(CA, 2)
    form = writer.form(D6, 2)
    impulses(writer, 2, 1, 3)
    return writer, form


def test_a_form_that_counts_damage_nobody_marked_is_undecided(check: Check) -> None:
    ran = check(fought(20, "13")[0])
    found = [one for one in ran.findings("undecided") if one["key"] == "B3.0-1"]
    assert errors(ran) == [] and len(found) == 1
    assert (
        "13 from warp engine boxes, of which 16 are left; damage by the fire of step" in found[0]["message"]
    )
    assert ran.json["verdict"] == "cannot-tell"


@pytest.mark.parametrize(
    ("points", "warp", "missed", "expected", "found"),
    [
        (14, "13", False, "16", "13"),  # no more than the shield takes
        (20, "17", False, "≤ 16", "17"),  # more than the ship ever had
        (20, "13", True, "16", "13"),  # the damage is marked, and none of it inside
    ],
)
def test_what_no_damage_can_explain_is_an_error(
    check: Check, points: int, warp: str, missed: bool, expected: str, found: str
) -> None:
    writer, form = fought(points, warp, missed=missed)
    assert ("B3.0-1", form, expected, found) in errors(check(writer))
