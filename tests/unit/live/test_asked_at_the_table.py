"""What a table asks before it does it, and what it says of what was taken back: line by line and on the screen."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import check
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
FIRED = (*MOVED, "s f ph1a,ph1b,ph1c,phota,photb w", "stand", "n")


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


# -- dice that were typed in and are typed anew ------------------------------------------------

SET_ASIDE = "dice 1: 6 typed in and set aside"


def report() -> str:
    assert run(["game", "report", GAME, "-o", "report.txt"]) == 0
    return " ".join(Path("report.txt").read_text(encoding="utf-8").split())


def test_dice_typed_anew_before_all_were_in_leave_their_faces_in_the_record() -> None:
    spoken(*FIRED, "6")
    said = spoken("again", "1 1 1 1 1", "h")
    assert "6 set aside: type the dice anew" in said
    assert f"note: uma: {SET_ASIDE}" in said
    assert f"gone: {SET_ASIDE}" in report() and "Nothing was taken back" not in report()


def test_an_undo_that_gives_up_dice_typed_in_part_leaves_them_too() -> None:
    spoken(*FIRED, "6")
    said = spoken("u", "u", "y", "h")
    assert "taken back: the die that showed 6; 5 faces wanted" in said
    assert "dice 1 are given up, no die of it was entered" in said and f"{SET_ASIDE}  (taken back)" in said
    assert SET_ASIDE in report()


def test_of_dice_typed_in_the_last_is_taken_back_by_itself() -> None:
    spoken(*FIRED, "1 2 6")
    assert "1 2 3; next: 1d6 (Saratoga PHOT/A at War)" in spoken("u", "3")
    assert [entry.data["text"] for entry in read(GAME) if entry.type == "note"] == [SET_ASIDE]


def test_the_note_on_them_is_nothing_to_take_back_by_itself() -> None:
    spoken(*FIRED, "6", "again", "1 1 1 1 1")
    assert "order: Saratoga: fire" in spoken("u", "x").partition("goes:")[2]


def test_dice_typed_anew_by_a_command_leave_them_too() -> None:
    spoken(*FIRED)
    assert run(["dice", "enter", GAME, "6", "--as", "ann"]) == 0
    assert run(["dice", "enter", GAME, "1", "1", "--again", "--as", "ann"]) == 0
    assert [entry.data["text"] for entry in read(GAME) if entry.type == "note"] == [SET_ASIDE]
    assert run(["dice", "enter", GAME, "1", "1", "1", "--as", "ann"]) == 0


# -- several counters in one hex ---------------------------------------------------------------

TOGETHER = {
    "Saratoga": "cadet/federation-ca:ann@1012A/16",
    "War": "cadet/klingon-d6:bob@1012D/16",
    "Kestrel": "cadet/romulan-kr:ann@1004D/16",
}


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_all_counters_of_a_hex_are_told_on_the_map(size: tuple[int, int]) -> None:
    begun(TOGETHER)
    spoken("s s 1", "w s 1", "k s 1", "n", "n", "w la drn1 k")
    page = TablePage(Desk(GAME))
    if size == (80, 24):
        page.press("v", "v")
    told = " ".join(" ".join(row.rpartition("│")[2] for row in shown(page, *size).splitlines()).split())
    assert "S+ Saratoga 1012A, War 1012D, War DRN/1 t1 1012" in told
    assert "K↓" in told and "W↓" not in told


def test_counters_that_a_small_map_puts_in_one_place_are_told_with_their_hexes() -> None:
    begun({name: stands.replace("1004", "4020") for name, stands in TOGETHER.items()})
    page = TablePage(Desk(GAME))
    page.press("v", "v")
    told = shown(page)
    assert "S+ Saratoga 1012A, War 1012D" in told and "K↓" in told


def test_in_words_it_is_said_who_is_in_a_hex_together() -> None:
    begun(TOGETHER)
    said = spoken("s s 1", "w s 1", "k s 1", "n", "n", "w la drn1 k", "map")
    assert "together in 1012: Saratoga, War, War DRN/1 t1" in said and "together in 1004" not in said


# -- one wording -------------------------------------------------------------------------------


def test_a_ship_off_the_edge_is_told_in_the_same_words_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    begun(BEHIND | {"War": "cadet/klingon-d6:bob@1001A/16"})
    words = "off the map, beyond 1001, facing A"
    said = spoken("s s 16", "w s 16", "n", "n", "s a", "w a", "ships", "map")
    assert f"War is {words}" in said and f"War (bob) {words}, speed 16" in said
    assert said.count(words) > 2 and "1000" not in said
    assert words in shown(TablePage(Desk(GAME)))
    capsys.readouterr()
    assert run(["game", "status", GAME]) == 0
    assert f"War (cadet/klingon-d6, bob) {words}, speed 16" in capsys.readouterr().out
    told = report()
    assert f"War goes ahead {words}" in told and told.count(words) > 1 and "1000A" not in told


# -- dice that the program threw, thrown again -------------------------------------------------

SEED = ("--dice", "seed", "--seed", "s")
DICE = "dice that the program threw count no more: ann's roll 1: Saratoga PH-1/A at War "
ALL = "ann and bob: do all agree?"
SHOT = (*MOVED, "s f ph1a w", "n")


def findings(severity: str) -> list[str]:
    return [f"{each.key} {each.message}" for each in check(GAME).findings if each.severity.value == severity]


def test_dice_that_the_program_threw_are_given_up_by_a_word_of_the_umpires() -> None:
    begun(BEHIND, "--umpire", "uma", *SEED)
    spoken(*SHOT)
    count = len(read(GAME))
    said = spoken("u", "y")
    assert "counts no more: #" in said and DICE in said and len(read(GAME)) == count and ALL not in said
    assert "not entered; stand [RULING], or x" in said
    spoken("u", "y", "stand the die fell off the table")
    undo = read(GAME)[count]
    assert (undo.data["agreed_by"], undo.data["reason"]) == (["uma"], "the die fell off the table")


def test_without_an_umpire_all_are_asked_by_name() -> None:
    begun(BEHIND, *SEED)
    spoken(*SHOT)
    count = len(read(GAME))
    said = spoken("u", "y")
    assert f"{ALL} take that back? y (all agree), or n" in said
    assert DICE in said and f"{ALL}\n" in said and "stand (all agree), or x" in said
    assert len(read(GAME)) == count
    spoken("u", "y", "stand")
    assert read(GAME)[count].data["agreed_by"] == ["ann", "bob"]
    assert read(GAME)[count].data["reason"] == "taken back, though its dice had fallen"


def test_on_the_screen_too() -> None:
    begun(BEHIND, *SEED)
    spoken(*SHOT)
    count = len(read(GAME))
    page = TablePage(Desk(GAME))
    page.press("u", "u")
    assert "dice that the program threw count no more" in " ".join(shown(page).split())
    page.press("enter")
    assert ALL in shown(page) and "not done yet: taking back (u)" in shown(page)
    assert len(read(GAME)) == count
    page.press("s", "s")
    assert f"{ALL} Enter: all agree" in shown(page)
    page.press("enter")
    assert read(GAME)[count].type == "undo"


def test_what_goes_without_dice_names_who_is_asked_too() -> None:
    begun(BEHIND, *SEED)
    assert f"{ALL} take that back? y (all agree), or n" in spoken(*MOVED, "u")
    page = TablePage(Desk(GAME))
    page.press("u", "u")
    assert f"{ALL} Enter: all agree" in " ".join(shown(page).split())


def test_check_and_report_show_the_dice_that_were_thrown_before() -> None:
    begun(BEHIND, "--umpire", "uma", *SEED)
    spoken(*SHOT, "u", "y", "stand", "s f ph1a w", "n", "u", "y", "stand", "s f ph1a w", "n")
    rolled = [entry.data["dice"] for entry in read(GAME) if entry.type == "result" and entry.data["dice"]]
    first, second, _ = (dice[0]["faces"][0] for dice in rolled)
    again = [text for text in findings("warning") if text.startswith("NOTE/thrown-again")]
    assert len(again) == 2
    told = f"for which 1 die had been thrown before: ann's roll 1: Saratoga PH-1/A at War {first}; taken back by #"
    assert f"roll 3 is for fire at War, {told}" in again[0]
    assert "(agreed by uma: taken back, though its dice had fallen)" in again[0]
    assert f"ann's roll 3: Saratoga PH-1/A at War {second};" in again[1]
    for roll, face in ((1, first), (3, second)):
        assert f"ann's roll {roll}: Saratoga PH-1/A at War {face} (counts no more)" in report()


def test_other_fire_after_an_undo_is_not_the_same_thrown_again() -> None:
    begun(BEHIND, "--umpire", "uma", *SEED)
    spoken(*SHOT, "u", "y", "stand", "s f ph1b w", "n")
    assert not [text for text in findings("warning") if "thrown-again" in text]


def test_dice_that_were_typed_in_wrongly_are_no_throw() -> None:
    spoken(*SHOT, "6", "again", "1")
    assert not [text for text in (*findings("warning"), *findings("note")) if "thrown-again" in text]
    told = report()
    assert "ann: 1 die of 6 sides, mean 1.00" in told and "dice typed in wrongly" in told
    assert "ann's dice 1: Saratoga PH-1/A at War 6 (counts no more)" in told


def test_dice_that_were_typed_in_and_taken_back_are_a_note() -> None:
    spoken(*SHOT, "6", "u", "y", "s f ph1a w", "n", "1")
    (note,) = (text for text in findings("note") if "thrown-again" in text)
    assert "dice 2 are for fire at War" in note and "typed in before: ann's dice 1: Saratoga" in note
    assert "ann: 2 dice of 6 sides" in report()


def test_without_an_umpire_all_are_asked_before_dice_are_typed_anew() -> None:
    begun(BEHIND, "--dice", "physical")
    spoken(*SHOT, "6")
    count = len(read(GAME))
    said = spoken("again")
    assert "typed in anew: ann's dice 1: Saratoga PH-1/A at War 6" in said and ALL in said
    assert len(read(GAME)) == count
    assert "dice 1 are typed in anew" in spoken("again", "stand") and len(read(GAME)) > count


def test_without_an_umpire_all_are_asked_before_a_redo() -> None:
    begun(BEHIND, "--dice", "physical")
    spoken(*MOVED, "u", "y")
    count = len(read(GAME))
    assert ALL in spoken("redo") and len(read(GAME)) == count
    assert "order: War: ahead" not in spoken("u", "n").partition("goes:")[2]
    assert "back to where it was" in spoken("redo", "stand") and len(read(GAME)) == count + 1
