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
from referee.cli.main import run
from referee.core.hexgrid import Hex
from referee.core.orders import OrdersFile
from referee.report.gametext import state_hash
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


def test_what_is_printed_is_a_line() -> None:
    odds, ship = str(referee.odds("cadet/klingon-d6", internals=6)), str(referee.ship("cadet/klingon-d6"))
    assert odds.startswith(
        "Klingon cadet battlecruiser D6: 6 inside, exact; lost on average: forward hull 1.56, aft"
    )
    assert odds.endswith("drone 0.67; destroyed 0.0%")
    assert ship.startswith("Klingon cadet battlecruiser D6 (cadet/klingon-d6): warp 16; shields #1 16 #2 12")
    assert ship.endswith("DISR/B FA, DRN/1 360")


def test_a_folder_is_judged_as_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("constellation.csv", "standard-form.csv", "state.json"):
        (tmp_path / name).write_bytes((ROOT / "examples" / "duel" / name).read_bytes())
    (tmp_path / "broken.csv").touch()
    report = referee.check(tmp_path)
    assert run(["check", str(tmp_path), "--json"]) == 2
    told = loads(capsys.readouterr().out)["files"]
    assert [Path(file.file).name for file in report.files] == [Path(file["file"]).name for file in told]
    assert [file.report and file.report.verdict.value for file in report.files] == [None, "illegal", "legal"]
    assert report.files[0].error.startswith("is empty") and report.passed_by == (
        str(tmp_path / "state.json"),
    )


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


def test_what_came_of_it_is_printed_in_a_line_or_a_few() -> None:
    volley = referee.volley("cadet/klingon-d6", damage=20, shield=1, dice=[6, 1, 6, 2])
    assert str(volley) == (
        "Klingon cadet battlecruiser D6: 20 points on #1: 16 to 0, 4 inside: lab, 2 forward hull, shuttle"
    )
    assert (
        str(referee.fire(weapon="phaser-1", range=3, dice=[2])) == "phaser-1: range 3, die 2: hit, 5 points"
    )
    verdict, *findings, more = str(referee.check(ROOT / "examples" / "duel" / "duel.vsav")).splitlines()
    assert verdict == "ILLEGAL: 8 errors" and len(findings) == 5 and more == "and 3 more: .findings"
    assert findings[0].startswith("error [B3.0-20/sum] CA Constellation: turn 1, total used 19, but")
    assert findings[0].endswith("write 20 on line 20 Total Power Used (B24), the sum of lines 7 to 19")


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


BOTH = ("alice", "bob")
FIRST_MOVES = """
turn 1
  Constellation: speed 8
  Kestrel: speed 8
impulse 2
  Constellation: ahead
  Kestrel: ahead
"""


def begun(path: Path) -> referee.Game:
    """A game that the command line began."""
    ships = ("Constellation=cadet/federation-ca:alice@2801D/8", "Kestrel=cadet/klingon-d6:bob@2812A/8")
    said = ["--players", "alice,bob", "--dice", "seed", "--seed", "a", "--ship", ships[0], "--ship", ships[1]]
    assert run(["game", "new", str(path), *said]) == 0
    return referee.Game.open(path)


@pytest.fixture
def duel(tmp_path: Path) -> referee.Game:
    """A game moved on to impulse 2 by the API."""
    game = begun(tmp_path / "duel.jsonl")
    assert game.say(FIRST_MOVES, agreed=BOTH) == []
    return game


def said_in(path: str) -> list[tuple[str, object]]:
    """What was recorded behind the ships."""
    return [(entry.type, entry.data) for entry in referee.read(path)[3:]]  # type: ignore[index,union-attr]


def test_orders_are_recorded_as_the_command_line_records_them(
    duel: referee.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What they say goes to nobody here, also after a command line has listened in the same process."""
    other = begun(tmp_path / "other.jsonl").path
    lines = [line.strip() for line in FIRST_MOVES.split("\n") if line.strip()]
    capsys.readouterr()
    assert run(["game", "say", other, *lines, "--agreed", "alice,bob"]) == 0
    assert "Constellation: ahead" in capsys.readouterr().out
    assert said_in(other) == said_in(duel.path)
    duel.next(agreed=BOTH)
    assert capsys.readouterr() == ("", "")


def test_what_is_against_the_rules_is_refused_or_forced(duel: referee.Game) -> None:
    duel.say("impulse 4\nConstellation: left\nKestrel: ahead", agreed=BOTH)
    head = duel.head
    with pytest.raises(referee.Refused) as refused:
        duel.say("impulse 6\nConstellation: left", agreed=BOTH)
    assert [finding.key for finding in refused.value.findings] == ["C3.2"]
    assert (
        str(refused.value).startswith("C3.2 turns to ")
        and "nothing was recorded" in str(refused.value)
        and refused.value.exit_code == 1
    )
    assert duel.head == head == referee.Game.open(duel.path).head
    found = duel.say("impulse 6\nConstellation: left", agreed=BOTH, force=True)
    assert [finding.key for finding in found] == ["C3.2"]
    assert [finding.key for finding in duel.findings if finding.severity.value == "error"] == ["C3.2"]
    assert [foul.rule for foul in duel.state.fouls] == ["C3.2"]


@pytest.mark.parametrize(
    "wrong", ["", "hello", "Konstellation: ahead", "Constellation: ahaed", "Constellation: fire at Kestrel"]
)
def test_what_is_no_order_is_bad_input(duel: referee.Game, wrong: str) -> None:
    head = duel.head
    with pytest.raises(referee.BadInput):
        duel.say(wrong)
    assert duel.head == head


def test_one_order_that_was_read_is_taken(duel: referee.Game, tmp_path: Path) -> None:
    said = tmp_path / "orders.txt"
    ship = "ship Constellation = cadet/federation-ca at 2802D speed 8\n"
    said.write_text(f"rulebook sfb-cadet\n{ship}turn 1\nimpulse 4\n  Constellation: ahead\n")
    orders = referee.read(said).orders  # type: ignore[union-attr]
    for order in orders:
        assert duel.take(order, agreed=BOTH) == []
    assert (duel.state.impulse, duel.state.ships["Constellation"].unit.hex) == (4, Hex(28, 3))


def test_fire_is_resolved_and_taken_back(duel: referee.Game) -> None:
    hash_before, last = state_hash(duel.state), len(referee.read(duel.path)) - 1  # type: ignore[arg-type]
    duel.say("Constellation: fire PH-1/A at Kestrel", agreed=BOTH)
    duel.resolve()
    assert duel.state.step == "resolve fire" and 1 in duel.state.rolls
    with pytest.raises(referee.BadInput, match="bob has not agreed"):
        duel.undo(to=last, reason="too early", agreed="alice")
    with pytest.raises(referee.BadInput, match="in one way"):
        duel.undo(to=last, last=True, agreed=BOTH)
    duel.undo(to=last, reason="too early", agreed=BOTH)
    assert duel.state.ships["Kestrel"].state.shields[1] == 16 and duel.state.step == "move ships"
    assert state_hash(duel.state) != hash_before, "the dice stay rolled"


def test_rulings_are_kept_beside_findings(duel: referee.Game) -> None:
    assert run(["game", "rule", duel.path, "The map is open", "--by", "alice", "--on", "1"]) == 0
    game = referee.Game.open(duel.path)
    assert str(game).startswith(f"{duel.path}: turn ") and "\n" not in str(game) and "0x" not in repr(game)
    (ruling,) = game.rulings
    assert isinstance(ruling, referee.Ruling)
    assert (ruling.by, ruling.text, ruling.target) == ("alice", "The map is open", 1)
    game.undo(last=True, reason="it is not", agreed=BOTH)
    assert game.rulings == ()


def test_a_game_on_a_rulebooks_own_table_is_played_too(tmp_path: Path) -> None:
    path = tmp_path / "trek.jsonl"
    setup = ROOT / "examples" / "trek" / "duel.json"
    assert run(["game", "new", str(path), "--setup", str(setup), "--rulebook", "trek", "--dice", "seed",
                "--seed", "a", "--players", "alpha,beta"]) == 0  # fmt: skip
    game = referee.Game.open(path)
    head = game.head
    game.next(agreed=("alpha", "beta"))
    assert game.head != head and game.state.turn == 1


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
