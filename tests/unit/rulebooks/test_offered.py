"""What each rulebook offers is what others may ask it for, with the types they ask it with: mypy says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from referee.core.gap import Fact
from referee.rulebooks.registry import load_rulebook, rulebook_ids
from tests.conftest import ROOT

CHECK = """
from referee.rulebooks.base import Rulebook
from referee.rulebooks.offered import {protocol}
import {offers}

offers: {protocol}[Rulebook] = {offers}
"""


def as_module(id: str) -> str:
    """The procedures of a rulebook as a module that has them by their names."""
    lines, names = [], []
    for name, place in load_rulebook(id).procedures.items():
        assert isinstance(place, str), f"{name} is a function: say where it is"
        module, _, attribute = place.partition(":")
        if not attribute:
            module, _, attribute = module.rpartition(".")
        lines.append(f"from {module} import {attribute} as {name}")
        names.append(name)
    return "\n".join([*lines, f"__all__ = {names!r}", ""])


def complaints(folder: Path, **modules: tuple[str, str]) -> str:
    """What mypy says of modules that hold procedures, each with the protocol they are for."""
    pytest.importorskip("mypy")
    for name, (text, protocol) in modules.items():
        (folder / f"{name}.py").write_text(text)
        (folder / f"{name}_fits.py").write_text(CHECK.format(offers=name, protocol=protocol))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *(f"{name}_fits.py" for name in modules)],
        capture_output=True, text=True, timeout=600, cwd=folder, check=False,
        env={"MYPYPATH": f"{ROOT}:{folder}", "PATH": ""},
    )  # fmt: skip
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.long
def test_what_a_rulebook_offers_fits_what_is_asked_for_and_what_does_not_is_found(tmp_path: Path) -> None:
    ships = {id for id in rulebook_ids() if load_rulebook(id).has("open_turn")}
    modules = {
        f"of_{id.replace('-', '_')}": (as_module(id), "ShipsOffer" if id in ships else "OwnTableOffers")
        for id in rulebook_ids()
    }
    other = as_module("sfb-cadet").replace(
        "import warhead_left as warhead_left", "import full_warhead as warhead_left"
    )
    said = complaints(tmp_path, **modules, wrong=(other, "ShipsOffer"))
    errors = [line for line in said.splitlines() if ": error:" in line]
    assert errors and all(line.startswith("wrong_fits.py") for line in errors), said
    assert "warhead_left" in said


@pytest.mark.parametrize("id", rulebook_ids())
def test_every_procedure_is_one_that_is_asked_for(id: str) -> None:
    """What nobody can ask for by a name with types nobody asks for."""
    from referee.rulebooks.offered import Offered

    asked = {name for base in Offered.__mro__ for name in vars(base) if not name.startswith("_")}
    assert set(load_rulebook(id).procedures) <= asked


@pytest.mark.parametrize("id", rulebook_ids())
def test_rules_that_are_named_are_rules_of_the_book_or_chapters_of_them(id: str) -> None:
    book = load_rulebook(id)
    known = {*book.rules, *(key for parent in book.chain for key in load_rulebook(parent).rules)}
    for name in type(book.named).__annotations__.keys() - {"rests_on"}:
        said = getattr(book.named, name)
        keys = [said] if isinstance(said, str) else list(said.values() if name == "sealed" else said)
        for key in filter(None, keys):
            begins = key.removesuffix("0") if key.endswith(".0") else key
            assert any(rule.startswith(begins) for rule in known), f"{name}: {key}"


@pytest.mark.parametrize("id", rulebook_ids())
def test_facts_are_named_for_subjects_that_rules_are_on(id: str) -> None:
    book = load_rulebook(id)
    known = {
        *book.rules.values(),
        *(rule for parent in book.chain for rule in load_rulebook(parent).rules.values()),
    }
    assert book.named.rests_on.keys() <= {rule.on for rule in known}
    assert {fact for facts in book.named.rests_on.values() for fact in facts} <= set(get_args(Fact))
    assert {fact for rule in known for fact in rule.rests_on} <= set(get_args(Fact))


def test_a_rulebook_without_energy_forms_names_no_rule_and_no_line() -> None:
    trek = load_rulebook("trek")
    assert trek.named == type(trek.named)() and trek.lines == type(trek.lines)()
