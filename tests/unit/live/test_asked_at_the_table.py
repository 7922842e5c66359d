"""What a table asks before it does it, and what it says of what was taken back: line by line and on the screen."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.live.plain import PlainTable
from referee.live.screen.page import TablePage
from referee.live.screen.styled import plain
from referee.play.desk import Desk
from referee.record.reading import read
from tests.conftest import ROOT
from tests.unit.live.keys import pressed, typed

GAME = "g.jsonl"
BY_MAIL = ROOT / "examples" / "by_mail"
BEHIND = {"Saratoga": "cadet/federation-ca:ann@1012A/16", "War": "cadet/klingon-d6:bob@1006A/16"}
"""Saratoga follows War, four hexes behind it."""
MOVED = ("s s 16", "w s 16", "n", "n", "s a", "w a")
FIRED = (*MOVED, "s f ph1a,ph1b,ph1c,phota,photb w", "n")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    begun(BEHIND)
    yield tmp_path


def begun(ships: dict[str, str], *more: str) -> None:
    Path(GAME).unlink(missing_ok=True)
    given = [part for name, stands in ships.items() for part in ("--ship", f"{name}={stands}")]
    told = more or ("--umpire", "uma", "--dice", "physical")
    assert run(["game", "new", GAME, "--players", "ann,bob", *told, *given]) == 0


def spoken(*lines: str) -> str:
    """What a table says to some lines."""
    out = io.StringIO()
    PlainTable(Desk(GAME), io.StringIO("".join(f"{line}\n" for line in lines)), out).run()
    return out.getvalue()


def shown(page: TablePage, width: int = 80, height: int = 24) -> str:
    return "\n".join(plain(row) for row in page.rows(width, height))


def test_no_is_no() -> None:
    spoken(*MOVED)
    count = len(read(GAME))
    for no in ("n", "no", "N"):
        said = spoken("u", no)
        assert "nothing is taken back" in said and len(read(GAME)) == count
    assert "impulse 2" in spoken("u", "n", "n"), "the next `n` goes on"


# -- a form that names another ship ----------------------------------------------------------

ASKED = "the form names Destruction, another ship of the game, and is given for Constellation"
BOTH = {
    "Constellation": "cadet/federation-ca:ann@1010D/16",
    "Destruction": "cadet/klingon-d6:ben@1014A/16",
}
FILE = BY_MAIL / "destruction.csv"


def two_by_mail() -> int:
    Path(GAME).unlink()
    given = [part for name, stands in BOTH.items() for part in ("--ship", f"{name}={stands}")]
    assert run(["game", "new", GAME, "--players", "ann,ben", "--umpire", "uma", *given]) == 0
    return len(read(GAME))


@pytest.mark.parametrize("line", [f"form {FILE} c", f"secret c {FILE}"])
def test_a_form_that_names_another_ship_is_asked_about(line: str) -> None:
    count = two_by_mail()
    said = spoken(line)
    assert ASKED in said and "not entered; stand [RULING], or x" in said and "--force" not in said
    assert "Movement" not in said and "Warp" not in said
    assert len(read(GAME)) == count
    spoken(line, "stand he wrote the wrong name")
    assert read(GAME)[count].type == ("form" if line.startswith("form") else "seal")
    assert read(GAME)[count].data["ship"] == "Constellation"


def test_a_form_of_its_own_ship_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    two_by_mail()
    said = spoken(f"form {FILE} d", f"form {BY_MAIL / 'constellation.csv'} c")
    assert "names" not in said and "filed: Constellation, turn 1" in said


@pytest.mark.parametrize("command", [("game", "apply", GAME, FILE), ("seal", FILE, "--game", GAME)])
def test_commands_ask_too(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    count = two_by_mail()
    given = [*map(str, command), "--ship", "Constellation"]
    assert run(given) == 1 and len(read(GAME)) == count
    assert ASKED in capsys.readouterr().err
    assert run([*given, "--force"]) == 0 and len(read(GAME)) > count


def test_behind_the_shield_it_is_asked_of_its_player() -> None:
    count = two_by_mail()
    page = TablePage(Desk(GAME))
    pressed(page, ("s", "enter", *typed(str(FILE)), "enter"))
    assert "the form names Destruction" in shown(page) and "s let it stand" in shown(page)
    assert len(read(GAME)) == count
    pressed(page, ("s", "enter"))
    assert read(GAME)[count].type == "seal"


# -- what was taken back -----------------------------------------------------------------------


def test_shots_that_stand_are_not_marked_where_the_dice_of_damage_are_typed_anew() -> None:
    spoken(*FIRED)
    page = TablePage(Desk(GAME))
    page.press("1", "1")
    pressed(page, (*typed("1111"), "enter"))
    assert "points inside" in page.desk.asks
    pressed(page, (*typed("3" * 21), "enter"))
    while page.desk.asks:
        pressed(page, (*typed("3"), "enter"))
    pressed(page, ("u", "d", "h"))
    told = [row.rstrip() for row in shown(page, 200, 60).splitlines()]
    shots = [row for row in told if row.startswith("Saratoga PH") and "range" in row]
    assert len(shots) == 5 and not any("taken back" in row for row in shots), told
    assert any(row.startswith("War: ") and row.endswith("(taken back)") for row in told), told
