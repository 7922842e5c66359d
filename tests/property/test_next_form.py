"""The form with its next turn begun: what is found in the turns before it stays as it was."""

from __future__ import annotations

import json
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from referee.cli.main import run
from tests.conftest import examples
from tests.property.test_energy_properties import FLEET, SHIPS, lines_of

FEW = examples(25, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
POINTS = st.sampled_from(["0", "1", "2", "4", "30", "1/2", "5/4"])
Turns = list[dict[str, str]]


@st.composite
def turns(draw: st.DrawFn) -> tuple[str, Turns]:
    """A ship and one to fourteen turns of its form: with sums, with wrong ones, or with none."""
    ship = draw(st.sampled_from(SHIPS + FLEET))
    columns = st.dictionaries(st.sampled_from([*lines_of(ship), "4", "20"]), POINTS, max_size=8)
    # A turn of nothing but empty sums is none.
    listed = draw(st.lists(columns, min_size=1, max_size=14))
    return ship.id, [{"14": "1", **lines} for lines in listed]


def said(*arguments: str) -> str:
    """What the program printed. A wrong form is no reason to stop."""
    with redirect_stdout(TextIOWrapper(BytesIO())) as out, redirect_stderr(StringIO()) as err:
        assert run(list(arguments)) in (0, 1), err.getvalue()
        out.flush()
    return bytes(out.buffer.getvalue()).decode()  # type: ignore[attr-defined]


def found(file: Path, last: int) -> list[tuple[Any, ...]]:
    """The errors of a form's turns up to one."""
    report = json.loads(said("check", str(file), "--json"))
    return sorted(
        (one["turn"], one["rule"], str(one.get("expected")), str(one.get("found")))
        for one in report["findings"]
        if one["severity"] == "error" and one["turn"] is not None and one["turn"] <= last
    )


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
@FEW
@given(turns())
@example(("standard/federation-ca", [{"7": "1", "8": "1", "11": "2", "14": "8"}]))
@example(("cadet/federation-ca", [{"1": "16", "14": "12"}] * 13))
def test_the_turns_before_are_judged_as_they_were(
    tmp_path: Path, suffix: str, form: tuple[str, Turns]
) -> None:
    ship, columns = form
    before, after = tmp_path / "before.json", tmp_path / f"after.{suffix}"
    listed = [{"turn": number, "lines": lines} for number, lines in enumerate(columns, 1)]
    before.write_text(json.dumps({"schema": "referee/energy-allocation/1", "ship": ship, "turns": listed}))
    after.unlink(missing_ok=True)
    said("form", "next", str(before), "-o", str(after))
    assert found(after, len(columns)) == found(before, len(columns))
