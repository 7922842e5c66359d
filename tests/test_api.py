"""The public API: what its page and its docstrings show is so, and importing it costs nothing."""

from __future__ import annotations

import doctest
import runpy
import subprocess
import sys
from importlib import import_module
from json import loads
from pathlib import Path

import pytest

import referee
from referee.core.orders import OrdersFile
from tests.conftest import ROOT

MODULES = sorted(f"referee.api.{path.stem}" for path in (ROOT / "referee" / "api").glob("*.py"))


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", ["referee", *MODULES])
def test_docstrings_show_what_is_so(name: str) -> None:
    assert not doctest.testmod(import_module(name.removesuffix(".__init__"))).failed


def test_the_page_shows_what_is_so() -> None:
    assert not doctest.testfile(str(ROOT / "docs" / "api.md"), module_relative=False).failed


def test_every_name_is_there_and_documented() -> None:
    for name in referee.__all__:
        assert getattr(referee, name).__doc__, name
    assert set(referee.__all__) <= set(dir(referee))
    with pytest.raises(AttributeError, match="no attribute 'chekc'"):
        referee.chekc  # noqa: B018


def test_importing_it_loads_nothing_else() -> None:
    code = "import sys, referee; print(*(name for name in sys.modules if name.startswith('referee')))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.split() == ["referee"]


def test_a_volley_is_that_of_the_command_line() -> None:
    asked = ["volley", "standard/klingon-d7", "--damage", "55", "--shield", "1", "--seed", "x", "--json"]
    ran = subprocess.run(
        [sys.executable, "-m", "referee", *asked], capture_output=True, text=True, check=True, cwd=ROOT
    )
    volley = referee.volley("standard/klingon-d7", damage=55, shield=1, seed="x")
    assert volley.json() == loads(ran.stdout)


def test_a_volley_goes_on_from_the_state_of_another() -> None:
    first = referee.volley("cadet/klingon-d6", damage=22, shield=1, seed="a")
    second = referee.volley("cadet/klingon-d6", damage=22, shield=1, seed="b", state=first.state)
    assert second.result.shield_before == first.result.shield_after
    assert second.internals > first.internals


@pytest.mark.parametrize(
    "wrong",
    [{}, {"damage": 5}, {"damage": 5, "internals": 5}, {"internals": 2, "dice": [7], "seed": "a"}],
    ids=["nothing", "no shield", "both", "dice and seed"],
)
def test_what_is_no_volley_is_bad_input(wrong: dict[str, object]) -> None:
    with pytest.raises(referee.BadInput):
        referee.volley("standard/klingon-d7", **wrong)  # type: ignore[arg-type]


def test_dice_left_over_are_bad_input() -> None:
    assert referee.volley("standard/klingon-d7", internals=1, dice=[7]).hits[0].roll == 7
    with pytest.raises(referee.BadInput, match="left over"):
        referee.volley("standard/klingon-d7", internals=1, dice=[7, 8])


def test_files_are_read_as_what_they_are(tmp_path: Path) -> None:
    (form,) = referee.read("examples/duel/constellation.csv")  # type: ignore[misc]
    assert form.allocations[0].turn == 1  # type: ignore[union-attr]
    orders = tmp_path / "o.txt"
    orders.write_text(
        "rulebook sfb-cadet\nship A = cadet/federation-ca at 2801E speed 8\nturn 1\n  A: speed 8\n"
    )
    assert isinstance(referee.read(orders), OrdersFile)
    entries = referee.read("examples/games/cadet-duel.jsonl")
    assert entries[0].type == "genesis"  # type: ignore[index,union-attr]
    with pytest.raises(referee.BadInput):
        referee.read(tmp_path / "none.csv")


def test_options_are_those_of_the_command_line() -> None:
    shown = referee.check(
        "examples/duel/constellation.csv", option={"previous_speed": 10, "reinforcement": True}
    )
    assert shown.options["previous_speed"] == "10" and shown.options["reinforcement"] == "true"
    with pytest.raises(referee.BadInput, match="no option previous_sped"):
        referee.check("examples/duel/constellation.csv", option={"previous_sped": 10})


def test_a_record_is_verified() -> None:
    found = referee.verify("examples/games/cadet-duel.jsonl")
    assert found.lines > 100
    assert referee.verify("examples/games/cadet-duel.jsonl", head=found.head).named == found.seq


def test_fire_is_judged_before_it_is_rolled() -> None:
    far = referee.fire(
        "cadet/federation-ca",
        weapons="PH-1A",
        target="cadet/klingon-d6",
        at="0915A",
        target_at="0912D",
        paid=True,
        lock_on=True,
        turn=1,
        impulse=1,
        seed="a",
    )
    assert not far.is_illegal and far.results[0].weapon == "PH-1/A"
    behind = referee.fire(
        "cadet/federation-ca",
        weapons="PHOT-A",
        target="cadet/klingon-d6",
        at="0915A",
        target_at="0918D",
        paid=True,
        seed="a",
    )
    assert behind.is_illegal and not behind.results


def test_odds_name_their_method() -> None:
    assert referee.odds("cadet/klingon-d6", internals=6, exact=True).method == "exact"
    sampled = referee.odds("cadet/klingon-d6", internals=6, volleys=4096, seed="a")
    assert (sampled.method, sampled.volleys) == ("sampled", 4096)
    with pytest.raises(referee.BadInput):
        referee.odds("cadet/klingon-d6", internals=6, volleys=4096, exact=True)


BOT = ROOT / "examples" / "bot.py"


def test_the_bot_is_short_and_uses_nothing_else() -> None:
    text = BOT.read_text()
    assert len(text.splitlines()) <= 60
    assert [line for line in text.splitlines() if "import" in line and "referee" in line] == [
        "import referee"
    ]


def test_the_bot_answers_each_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples" / "duel")
    answer = runpy.run_path(str(BOT))["answer"]
    assert answer("hello") == ""
    assert "25 internals" in answer("!volley standard/klingon-d7 55 on 1")
    assert "phaser" in answer("!odds cadet/klingon-d6 9 inside")
    assert answer("!fire photon at 1").startswith("illegal") and "(E4.0)" in answer("!fire photon at 1")
    assert answer("!fire phaser-1 at 0").endswith("points")
    assert "B3.0-20" in answer("!check constellation.csv")
    assert "no ship foo" in answer("!volley foo 3 inside")
    assert "!volley SHIP" in answer("!help")
    assert "no such file" in answer("!check ../../pyproject.toml")
