"""A package of one folder, installed beside the program, brings a rulebook and its ships."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from json import dumps, loads
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT

RULES = '''
from referee.core.finding import Finding, Severity
from referee.rulebooks.base import check


@check("H1.0", "House: no tractor", on="allocation")
def no_tractor(turn):
    """Tractors are not used in this league."""
    if turn.form.amount("17"):
        yield Finding("H1.0", Severity.ERROR, "energy for a tractor", expected="0", found="some")
'''
ENTRY_POINTS = "[referee.rulebooks]\nleague = league_rules\n"
METADATA = "Metadata-Version: 2.1\nName: league-rules\nVersion: 1.0\n"
Program = Callable[..., Any]


@pytest.fixture
def league(tmp_path: Path, program: Run) -> Program:
    """The program with a package installed that brings the rulebook `league`."""
    site = tmp_path / "site"
    folder, info = site / "league_rules", site / "league_rules-1.0.dist-info"
    (folder / "ships").mkdir(parents=True)
    info.mkdir()
    descriptor = {"id": "league", "title": "League rules", "summary": "No tractors.", "extends": "sfb-cadet"}
    (folder / "rulebook.json").write_text(dumps(descriptor))
    (folder / "__init__.py").write_text(
        "from league_rules.rules import no_tractor\nMODULES = {'allocation': ('rules',)}\n"
    )
    (folder / "rules.py").write_text(RULES)
    ship = loads((ROOT / "referee/rulebooks/cadet/ships/federation-ca.json").read_bytes())
    ship |= {"id": "league_rules/scout", "name": "League scout", "rulebook": "league", "aliases": []}
    (folder / "ships" / "scout.json").write_text(dumps(ship))
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (info / "METADATA").write_text(METADATA)

    def once(*arguments: str) -> Any:
        return program(*arguments, PYTHONPATH=f"{ROOT}:{site}")

    return once


def form(**lines: str) -> str:
    rows = {"Warp Engines": "16", "Impulse Power": "2", "Life Support": "1", **lines}
    return "\n".join(["Turn,1", *(f"{label},{value}" for label, value in rows.items()), ""])


def test_it_is_listed_and_shown(league: Program) -> None:
    listed = league("rulebook", "list").out
    assert "league" in listed and "No tractors." in listed and "sfb-cadet" in listed
    assert "H1.0" in league("rulebook", "show", "league").out
    assert "not used in this league" in league("explain", "H1.0", "--rulebook", "league").out


def test_its_rules_judge_beside_its_parents(league: Program, own_folder: Path) -> None:
    (own_folder / "f.csv").write_text(form(Tractor="1"))
    asked = ("check", "f.csv", "--ship", "cadet/federation-ca", "--json")
    assert "H1.0" in {f["rule"] for f in league(*asked, "--rulebook", "league").json["findings"]}
    assert "H1.0" not in {f["rule"] for f in league(*asked).json["findings"]}


def test_its_ships_fly(league: Program, own_folder: Path) -> None:
    assert (
        league("volley", "league_rules/scout", "--internals", "3", "--seed", "a", "--json").json["rulebook"]
        == "league"
    )
    (own_folder / "f.csv").write_text(form(Tractor="1"))
    judged = league("check", "f.csv", "--ship", "league_rules/scout", "--json").json
    assert judged["rulebook"] == "league" and "H1.0" in {f["rule"] for f in judged["findings"]}


def test_a_package_that_is_broken_is_named_in_one_line(league: Program, tmp_path: Path) -> None:
    (tmp_path / "site" / "league_rules" / "rulebook.json").write_text("{")
    ran = league("rulebook", "show", "league")
    assert ran.code == 2 and "the package of rulebook league has no rulebook.json" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_who_asks_for_a_rulebook_that_is_here_never_looks_for_packages(program: Run) -> None:
    code = (
        "import sys; from referee.cli.main import run; run(['rulebook', 'show', 'sfb-cadet']); "
        "sys.stderr.write(str('importlib.metadata' in sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert ran.stderr == "False"
