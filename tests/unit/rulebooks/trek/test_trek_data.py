"""The Trek tables and ships: shape, provenance, agreement with where they came from, and independence."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.core.finding import Severity
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.trek.chartcheck import check_charts
from referee.rulebooks.trek.charts import charts_of

ROOT = Path(__file__).resolve().parents[4]
FOLDER = ROOT / "referee" / "rulebooks" / "trek"
SHARED = ROOT.parent / "shared" / "rules" / "trek"
TABLES = sorted((FOLDER / "tables").glob("*.json"))
SHIPS = sorted((FOLDER / "fleet").glob("*.json"))
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the shared rules folder is not beside the project"
)


def load(path: Path) -> Any:
    return json.loads(path.read_bytes())


def table(name: str) -> Any:
    return load(FOLDER / "tables" / f"{name}.json")


def complaints(data: Any) -> list[str]:
    name = data["schema"].split("/")[1]
    schema = load(ROOT / "schemas" / f"{name}.schema.json")
    return [f"{x.json_path}: {x.message}" for x in Draft202012Validator(schema).iter_errors(data)]


@pytest.mark.parametrize("path", [*TABLES, *SHIPS], ids=lambda path: path.stem)
def test_shape_and_provenance(path: Path) -> None:
    data = load(path)
    assert complaints(data) == []
    assert set(data["source"]) <= set(table("sources")["sources"])
    assert not re.search(r'"/[a-z]', path.read_text(encoding="utf-8")), "a path of somebody's machine"
    if data.get("homebrew"):
        assert data["status"] == "provisional"
        assert "HOMEBREW" in data.get("label", data.get("note", ""))


def test_the_descriptor_names_every_ship() -> None:
    assert load_rulebook("trek").descriptor["ships"] == [path.stem for path in SHIPS]


def test_the_packaged_charts_pass_their_own_check() -> None:
    book = load_rulebook("trek")
    data = {
        "firing_charts": table("firing_charts")["charts"],
        "plasma": table("firing_charts")["plasma"],
        "damage_location": table("damage_location")["charts"],
        "banked_weapons": {"reconciled": table("banked_weapons")["rows"]},
    }
    assert check_charts(book, data) == []
    rising = [*table("banked_weapons")["rows"][:1], {"damage": [6, None], "bank2": [9], "bank3": [3, 6]}]
    assert len(check_charts(book, {"banked_weapons": {"mine": rising}})) == 1
    for gone in (0, 2, -1):
        rows = list(table("banked_weapons")["rows"])
        del rows[gone]
        found = check_charts(book, {"banked_weapons": {"mine": rows}})
        assert [(one.rule, one.severity) for one in found] == [("trek-66", Severity.ERROR)], gone


def test_charts_out_of_proportion_are_noticed() -> None:
    """Charts whose sums keep one proportion to the factors pass; one that is twice as good does not."""
    book = load_rulebook("trek")
    flat = {"F": [2, 2, 2, 2, 2, 2, 1, 1], "H": [2] * 10, "Q": [3] * 8 + [2] * 6, "R": [3] * 8 + [2] * 8}
    fits = {name: {"to_hit": numbers} for name, numbers in flat.items()}
    said = [finding.message for finding in check_charts(book, {"firing_charts": fits})]
    assert not [message for message in said if "factors" in message]
    fits["F"] = {"to_hit": [9] * 8}
    said = [finding.message for finding in check_charts(book, {"firing_charts": fits})]
    assert [message for message in said if "factors" in message]


def test_every_option_is_used_and_about_a_rule() -> None:
    book = load_rulebook("trek")
    code = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py"))
    single = {"power_budget", "die_zero"}
    for name, option in book.options.items():
        assert option.rule in {rule.number for rule in book.rules.values()}
        assert f'"{name}"' in code or name in single, f"option {name} changes nothing"
        assert (len(option.values) == 1 and option.values != ("number",)) == (name in single)
    named = {int(n) for option in book.options.values() for n in re.findall(r"AMB-([0-9]+)", option.means)}
    assert named == set(range(1, 33)), "ambiguities without an option"


@needs_shared
def test_tables_agree_with_the_shared_tables() -> None:
    shared, firing = load(SHARED / "tables.json"), load(SHARED / "firing.json")
    assert table("cloak_detection")["rows"] == shared["cloak_detection"]["rows"]
    assert table("engineering")["rows"] == shared["engineering"]["rows"]
    assert table("crew_casualties")["rows"] == shared["crew_casualties"]["printed_table"]
    assert table("damage_location")["charts"]["HB"] == shared["ddl_reconstruction_homebrew"]["shields"]
    assert [chart["to_hit"] for chart in table("firing_charts")["charts"].values()] == list(
        firing["homebrew"]["charts"].values()
    )
    shaken = [row.get("system", row.get("reroll")) for row in table("system_shaken")["rows"]]
    theirs = [row.get("system", row.get("reroll")) for row in shared["system_shaken"]["rows"]]
    assert shaken[1:] == theirs[1:]
    for ours, row in zip(
        table("banked_weapons")["rows"], shared["banked_weapons"]["reconciled"], strict=True
    ):
        assert ours["bank2"] == [row["bank2_one_max"]]
        assert ours["bank3"] == [row["bank3_one_max"], row["bank3_two_max"]]
    printed = table("damage_location_printed")["charts"]
    cells = shared["ddl_cells"]
    assert len(cells) == sum(len(rows) for chart in printed.values() for rows in chart.values()) == 180
    for cell in cells:
        ours = printed[cell["chart"]][str(cell["shield"])][str(cell["die"])]
        assert ours == {
            "value": cell["value"],
            "confidence": str(cell["confidence"]),
            "status": cell["status"],
        }


def test_every_chart_loads() -> None:
    charts = charts_of(load_rulebook("trek"))
    assert set(charts.location) == {"HB"} and set(charts.outpost) == set(range(1, 11))
    assert charts.chart_for("A") == "HB" and charts.is_homebrew("location HB")
