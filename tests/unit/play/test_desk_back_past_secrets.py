"""A desk that goes back past orders that were sealed and shown: nobody chooses anew unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from referee.cli.main import run
from referee.play.audit import wrong_lines
from referee.play.desk import Desk

UMPIRE = ("--umpire", "ump")


def opened(tmp_path: Path, *more: str) -> Desk:
    """Both ships have moved at one time in impulse 2, as it was sealed: from the entry 8 on."""
    path = str(tmp_path / "game.jsonl")
    ships = ["Constellation=cadet/federation-ca:ann@1010D/16", "Destruction=cadet/klingon-d6:ben@1014A/16"]
    given = [part for ship in ships for part in ("--ship", ship)]
    assert run(["game", "new", path, "--players", "ann,ben", "--dice", "physical", *given, *more]) == 0
    desk = Desk(path)
    desk.say("c s 13; d s 13")
    while desk.sight.impulse != 2:
        desk.next()
        assert not desk.pending
    assert desk.seal("Constellation", "a").entered and desk.seal("Destruction", "l").entered
    assert desk.open_all().entered
    return desk


def sealed_from(desk: Desk) -> int:
    return next(entry.seq for entry in desk.game.entries if entry.type == "seal")


@pytest.mark.parametrize("more", [UMPIRE, ()])
def test_going_back_past_shown_moves_takes_a_word(tmp_path: Path, more: tuple[str, ...]) -> None:
    desk = opened(tmp_path, *more)
    first, count = sealed_from(desk), len(desk.game.entries)
    answer = desk.undo(first - 1)
    assert answer.pending and len(desk.game.entries) == count
    assert answer.lines[0].endswith("shown already: others choose anew knowing that")
    assert answer.lines[1:] == (() if more else ("ann and ben: do all agree?",))
    answer = desk.let_stand("both wanted it")
    assert any(line.startswith(f"counts no more: #{first} ") for line in answer.lines)
    assert not any(line.startswith(f"stays: #{first} ") for line in answer.lines)
    last = desk.game.entries[-1]
    assert (last.type, last.data["reason"]) == ("undo", "both wanted it")
    assert not desk.sealed and desk.seal("Constellation", "l").entered, "what was sealed there is sealed anew"


def test_going_back_past_shown_moves_is_brought_back(tmp_path: Path) -> None:
    desk = opened(tmp_path, *UMPIRE)
    desk.undo(sealed_from(desk) - 1)
    assert desk.let_stand().entered and desk.redo().entered
    assert desk.say("d r").error or desk.sight.movers == (), "both have moved"


def test_going_back_to_what_was_sealed_takes_none(tmp_path: Path) -> None:
    desk = opened(tmp_path, *UMPIRE)
    assert desk.undo().entered
    assert desk.undo().entered
    assert desk.say("d r").pending, "a sealed move that is shown still binds"


def test_a_move_that_is_chosen_anew_is_found(tmp_path: Path) -> None:
    desk = opened(tmp_path, *UMPIRE)
    desk.undo(sealed_from(desk) - 1)
    desk.let_stand()
    desk.say("c a")
    desk.say("d r")
    found = [each for each in referee.check(desk.path).findings if each.key == "C1.3/kept"]
    assert [(each.subject, each.severity.value) for each in found] == [("Destruction", "warning")]
    assert "knowing" in found[0].message


def test_a_move_as_it_was_shown_is_not(tmp_path: Path) -> None:
    desk = opened(tmp_path, *UMPIRE)
    desk.undo(sealed_from(desk) - 1)
    desk.let_stand()
    desk.say("c a")
    desk.say("d l")
    assert not [each for each in referee.check(desk.path).findings if each.key == "C1.3/kept"]


def test_the_report_says_of_them_what_the_desk_says(tmp_path: Path) -> None:
    desk = opened(tmp_path, *UMPIRE)
    first = sealed_from(desk)
    desk.undo(first - 1)
    desk.let_stand("both wanted it")
    report = tmp_path / "report.md"
    assert run(["game", "report", desk.path, "-o", str(report)]) == 0
    told = next(line for line in report.read_text(encoding="utf-8").splitlines() if "; gone: " in line)
    assert f"#{first} ann seals the moves of Constellation for turn 1, impulse 2 (counts no more)" in told
    assert "revealed" not in told and "both wanted it (agreed by ump)" in told


# -- energy forms --------------------------------------------------------------------------


def form(folder: Path, ship: str, speed: int) -> str:
    path = folder / f"{ship}{speed}.csv"
    path.write_text(f"Ship,{ship}\nTurn,1\nMovement,{speed}\n", encoding="utf-8")
    return str(path)


def forms_shown(tmp_path: Path) -> Desk:
    """Both forms are sealed, as the entries 4 and 5, and opened."""
    path = str(tmp_path / "game.jsonl")
    ships = ["Hood=cadet/federation-ca:ann@1010C/12", "War=cadet/klingon-d6:ben@1310E/12"]
    given = [part for ship in ships for part in ("--ship", ship)]
    assert run(["game", "new", path, "--players", "ann,ben", "--dice", "physical", *given, *UMPIRE]) == 0
    desk = Desk(path)
    for ship in ("Hood", "War"):
        assert desk.seal_form(ship, form(tmp_path, ship, 12)).entered
    assert desk.open_all().entered and sealed_from(desk) == 4
    return desk


def kept(desk: Desk) -> list[tuple[str, str, str]]:
    found = [each for each in referee.check(desk.path).findings if each.key == "B3.0/kept"]
    assert all(each.severity.value == "warning" for each in found)
    return [(each.subject, each.expected, each.found) for each in found]


def test_forms_written_anew_once_they_were_shown_are_found(tmp_path: Path) -> None:
    desk = forms_shown(tmp_path)
    assert not kept(desk)
    assert desk.undo(3).pending and desk.let_stand("ok").entered
    assert not kept(desk), "none is in"
    for ship, speed in (("Hood", 8), ("War", 6)):
        assert desk.seal_form(ship, form(tmp_path, ship, speed)).entered
    assert not kept(desk), "none is shown"
    assert desk.open_all().entered
    assert kept(desk) == [
        ("Hood", "line 14: 12", "line 14: 8"),
        ("War", "line 14: 12", "line 14: 6"),
    ]


def test_the_same_forms_again_are_not(tmp_path: Path) -> None:
    desk = forms_shown(tmp_path)
    desk.undo(3)
    desk.let_stand("ok")
    for ship in ("Hood", "War"):
        desk.seal_form(ship, form(tmp_path, ship, 12))
    desk.open_all()
    assert not kept(desk)


def test_an_open_form_in_the_place_of_a_shown_one_is_found_and_all_tell_what_was_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = forms_shown(tmp_path)
    answer = desk.undo(4)
    assert answer.lines[-1].startswith("Hood's form (#4), War's form (#5) shown already")
    desk.let_stand("ok")
    assert desk.file_form(form(tmp_path, "War", 6), "War").entered
    assert kept(desk) == [("War", "line 14: 12", "line 14: 6")]
    marks = {entry.seq: desk.taken_back.mark(entry).strip() for entry in desk.game.entries}
    assert {seq: mark for seq, mark in marks.items() if mark} == {
        5: "(counts no more)",
        6: "(stays shown)",
        7: "(taken back)",
        8: "(counts no more)",
        9: "(taken back)",
    }
    report = tmp_path / "report.md"
    assert run(["game", "report", desk.path, "-o", str(report)]) == 0
    told = next(line for line in report.read_text(encoding="utf-8").splitlines() if "; gone: " in line)
    assert "#6 Hood shows its energy form (stays shown)" in told
    assert "#5 ben seals the energy form of War for turn 1 (counts no more), which was shown" in told


def test_forms_that_nobody_had_shown_are_written_anew_freely(tmp_path: Path) -> None:
    path = str(tmp_path / "game.jsonl")
    ships = ["Hood=cadet/federation-ca:ann@1010C/12", "War=cadet/klingon-d6:ben@1310E/12"]
    given = [part for ship in ships for part in ("--ship", ship)]
    assert run(["game", "new", path, "--players", "ann,ben", "--dice", "physical", *given, *UMPIRE]) == 0
    desk = Desk(path)
    desk.seal_form("Hood", form(tmp_path, "Hood", 12))
    desk.seal_form("War", form(tmp_path, "War", 12))
    desk.say("h s 12")
    assert desk.undo(4).entered, "nobody has shown anything"
    assert desk.seal_form("War", form(tmp_path, "War", 6)).entered
    desk.open_all()
    assert not kept(desk)


def test_opened_fire_of_which_nothing_is_entered_is_gone_back_past_alone(tmp_path: Path) -> None:
    desk = opened(tmp_path, *UMPIRE)
    before = desk.count
    assert desk.seal("Destruction", "f ph2c c").pending and desk.let_stand().entered, "it bears on nobody"
    assert desk.seal("Constellation", "h").entered
    assert desk.open_all().pending
    desk.take_back()
    sealed = next(e.seq for e in desk.game.entries[before:] if e.type == "seal")
    assert desk.undo().entered, "Constellation holds fire"
    assert desk.last_act == sealed, "the ruling on what was sealed against the rules goes with it"
    assert desk.undo().pending, "others know it"
    assert desk.let_stand("chosen anew by both").entered
    assert not desk.sealed and desk.seal("Constellation", "h").entered
    moved = {
        ship.name: ship.position for ship in desk.sight.ships for ship in (desk.game.state.ships[ship.name],)
    }
    assert all(moved.values()) and not desk.mover, "what was played before it stands"
    assert not wrong_lines(desk.game)
