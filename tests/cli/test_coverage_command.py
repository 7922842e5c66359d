"""`referee rulebook show --coverage`: the numbered rules of a book, judged or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.rulebooks.coverage import SWITCHED_OFF, coverage_of
from referee.rulebooks.registry import load_rulebook, rulebook_ids
from tests.cli.conftest import Run
from tests.unit.rulebooks.test_data_files import complaints


def numbers(id: str) -> int:
    return len(coverage_of(load_rulebook(id)).numbered)


@pytest.mark.parametrize("id", rulebook_ids())
def test_the_command(referee: Run, id: str) -> None:
    ran = referee("rulebook", "show", id, "--coverage", "--json")
    assert ran.code == 0 and complaints("rule-coverage", ran.json) == []
    assert len(ran.json["rules"]) == numbers(id)
    assert sum(ran.json["cases"].values()) > numbers(id)
    text = referee("rulebook", "show", id, "--coverage").out
    assert text.startswith(f"{id}: ") and "\x1b" not in text
    for entry in ran.json["rules"]:
        assert entry["title"] in text
        assert entry.get("why", "")[:30] in text


def test_the_command_with_house_rules(referee: Run, own_folder: Path) -> None:
    house = 'id = "ours"\ntitle = "Ours"\nextends = "sfb-cadet"\noff = ["C3.43"]\n'
    (own_folder / "house.toml").write_text(house, encoding="utf-8")
    ran = referee("rulebook", "show", "sfb-cadet", "--coverage", "--house", "house.toml", "--json")
    assert ran.code == 0, ran.err
    assert next(entry for entry in ran.json["rules"] if entry["number"] == "12")["status"] == SWITCHED_OFF
