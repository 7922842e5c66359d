"""An umpire plays scenario 5 with forms on paper and dice thrown by hand: few keys, and nothing that stops him."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.table_keys import TURN, whole_turn
from referee.cli.main import run
from referee.live.screen.page import TablePage
from referee.live.screen.styled import plain
from referee.play.desk import Desk
from referee.record.headcode import head_code
from referee.record.reading import read
from tests.unit.live.keys import pressed, typed
from tests.unit.live.onascreen import OnAScreen

GAME = "table.jsonl"
NEW = ("--players", "ann,ben", "--umpire", "uma", "--dice", "physical")
NORTH = "Constellation of the North=cadet/federation-ca:ann@1010D/16"
EMPIRE = "Destruction of the Empire=cadet/klingon-d6:ben@1018A/16"
SPEEDS = ("1", "6", "enter", "1", "6", "enter", "n")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def scenario() -> TablePage:
    assert run(["init", "game", "--scenario", "5", "--record", GAME, *NEW]) == 0
    return TablePage(Desk(GAME))


def shown(page: TablePage, width: int = 80, height: int = 24) -> str:
    return "\n".join(map(plain, page.rows(width, height)))


def test_a_turn_in_which_both_fire_takes_few_keys() -> None:
    assert whole_turn() <= TURN
    assert run(["check", GAME]) == 0


def test_forms_on_paper_warn_of_nothing() -> None:
    page = scenario()
    pressed(page, SPEEDS)
    assert page.desk.sight.impulse == 1 and not page.panel and "warning" not in shown(page)
    assert page.desk.game.state.ships["Destruction"].speeds[1] == 16


def test_a_tube_that_takes_two_turns_to_arm_is_asked_about() -> None:
    page = scenario()
    pressed(page, (*SPEEDS, "*", "f", "*"))
    assert "PHOT/A,B: 2 turns of arming" in shown(page) and "2 chosen" in shown(page)
    assert "3 [?] PHOT/A" in shown(page, 60, 20)
    pressed(page, ("3", "enter"))
    assert "PHOT/A: 2 turns of arming, so on turn 1 only where armed before" in shown(page)
    assert not page.desk.unrolled
    pressed(page, ("s", "enter"))
    assert len(page.desk.unrolled) == 1


def test_wrong_dice_are_answered_in_a_line_and_taken_back_one_by_one() -> None:
    page = scenario()
    pressed(page, (*SPEEDS, "*", "f", "*", "tab", "*", "enter", "n", *typed("7"), "enter"))
    assert "no die shows 7; 4 faces wanted" in shown(page)
    pressed(page, (*typed("23"), "enter", "u"))
    assert "taken back: the die that showed 3; 3 faces wanted" in shown(page)
    pressed(page, ("1", "up"))
    assert page.prompt is not None and page.prompt.text == "23"


def test_c_is_a_ship_before_it_is_a_clock() -> None:
    page = scenario()
    pressed(page, ("c", *typed(" s 8"), "enter"))
    assert page.desk.game.state.ships["Constellation"].speeds == {1: 8} and not page.desk.clock_told


@pytest.mark.parametrize("keys", ["", "f", "f*", "f*\tu", "f*\rn", "f*\rnu", "i", "h"])
def test_no_name_is_cut(keys: str) -> None:
    assert run(["game", "new", GAME, *NEW, "--ship", NORTH, "--ship", EMPIRE]) == 0
    page = TablePage(Desk(GAME))
    pressed(page, (*SPEEDS, "*"))
    pressed(page, ({"\t": "tab", "\r": "enter"}.get(key, key) for key in keys))
    for size in ((60, 20), (80, 24), (200, 60)):
        told = shown(page, *size).replace("\n", " ")
        words = " ".join(told.split())
        assert "Constellation of the North" in words and "Empire" in words, (size, words)
        assert "impulse 1 of 16" in words or keys in ("i", "h")


def test_a_wide_terminal_is_used() -> None:
    rows = shown(scenario(), 200, 60).splitlines()
    assert sum(len(row.rstrip()) > 160 for row in rows) > 30


@pytest.mark.parametrize("keys", ["\x03", "qq", ":quit\r", "f1\x03"])
def test_however_it_is_left_the_head_code_is_said(keys: str) -> None:
    scenario()
    screen = OnAScreen(GAME, 60, 20)
    screen.until("energy forms to come")
    screen.press(*SPEEDS, "*", *keys)
    assert screen.end() == 0
    *_, last = read(GAME)
    said = screen.written.decode().rpartition("\x1b[?1049l")[2]
    assert last.data["impulse"] == 1 and f"head {head_code(last.seq, last.hash)}  (paste it" in said
    undeclared = "not declared, so not in the record: Constellation PH-1/A"
    assert (undeclared in " ".join(said.split())) is (keys[0] == "f")


def test_what_waits_offers_no_key_that_it_refuses() -> None:
    page = scenario()
    pressed(page, (*SPEEDS, "*", "n", "n"))
    assert "not entered: going on (n)" in shown(page) and "a ahead" not in shown(page)
    pressed(page, ("escape", "*"))
    assert (
        "not entered" not in shown(page)
        and "Enter the only way" not in shown(page)
        and "f fire" in shown(page)
    )
    pressed(page, ("f", "1", "enter", "n", "1", "enter"))
    assert "f fire" not in shown(page)
    pressed(page, (":", *typed("D"), "tab", "f", "i", "tab"))
    assert page.prompt is not None and page.prompt.text == "Destruction fire "


def test_the_rule_that_is_broken_is_explained() -> None:
    page = scenario()
    pressed(page, (":", *typed("c s 19"), "enter", "e"))
    assert "explain C1.4/limit" in shown(page) and "No unit moves faster than its chart" in shown(page)


def test_a_seeker_is_shot_at_where_it_will_stand() -> None:
    page = scenario()
    assert (
        page.desk.accept("Constellation", "1208E").entered
        and page.desk.accept("Destruction", "1212B").entered
    )
    pressed(page, (*SPEEDS, "*", ":", *typed("d la drn1 c"), "enter", "n", "*"))
    (seeker,) = page.desk.sight.seekers
    before = {shot.range for shot in page.desk.shots("Constellation") if "DRN" in shot.target}
    assert page.desk.sight.seekers == (seeker,)
    page.desk.say("c f ph1a Destruction DRN/1 t1")
    assert before == {shot.range for shot in page.desk.shots("Constellation") if "DRN" in shot.target}
    assert page.desk.sight.seekers != (seeker,)


def test_ctrl_c_leaves_the_plain_table_so_too(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario()

    class Interrupted(io.StringIO):
        def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted())
    assert run(["table", "--plain", GAME]) == 0
