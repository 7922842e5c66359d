"""A live table line by line: a whole game through it, and the same game through the commands."""

from __future__ import annotations

import io
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO, cast

import pytest

from referee.cli.main import run
from referee.cli.output import SafeStream
from referee.live.plain import PlainTable
from referee.play.append import append
from referee.play.desk import Desk
from referee.play.game_file import open_game
from referee.play.moving_on import stop_after
from referee.play.undo import last_act
from referee.record.reading import read
from tests.conftest import ROOT

HERE = Path(__file__).parent
LINES = (HERE / "dakota.txt").read_text(encoding="utf-8").splitlines()
"""Scenario 4, the Dakota Incident: three turns, with mistakes taken back and a quarrel settled."""
GAME = "duel.jsonl"
NEW = ["init", "game", "--scenario", "4", "--record", GAME, "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]  # fmt: skip
_MOVED = (line for _ in range(9) for line in ("w a", "c a", "n"))
NEAR = ("c s 16", "w s 16", "n", "n", *_MOVED, "c a", "w a")
"""Both ships have moved in impulse 10, and are 7 hexes apart."""
HASHES = ("declaration", "result", "game", "signers")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    shutil.copy(HERE / "dakota.csv", tmp_path)
    assert run(NEW) == 0
    yield tmp_path


def spoken(*lines: str) -> str:
    """What a table says to some lines."""
    out = io.StringIO()
    PlainTable(Desk(GAME), io.StringIO("".join(f"{line}\n" for line in lines)), out).run()
    return out.getvalue()


def entries() -> list[tuple[str, dict[str, Any]]]:
    """The entries of the game, but for what is another in every game."""
    return [
        (entry.type, {name: "" if name in HASHES else value for name, value in entry.data.items()})
        for entry in read(GAME)
    ]


class ByCommands:
    """The same lines as commands of `referee game` and `referee dice`."""

    def __init__(self) -> None:
        self.refused: list[str] = []

    def line(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        refused, self.refused = self.refused, []
        game = open_game(GAME)
        if word == "n":
            self.next()
        elif word in ("x", "u"):
            pass
        elif word == "stand":
            before = len(game.entries)
            assert run([*refused, "--force"]) == 0
            fouls = [entry.seq for entry in read(GAME)[before:] if entry.type == "foul"]
            assert run(["game", "rule", GAME, rest, "--by", "uma", "--on", str(fouls[0])]) == 0
        elif word == "form":
            self.do(["game", "apply", GAME, rest.split()[0], "--ship", "Constellation"])
        elif word == "note":
            append(GAME, lambda _: [("note", {"text": rest, "by": "uma"})])
        elif word == "y":
            to, why = str(last_act(game) - 1), "taken back at the table"
            assert run(["game", "undo", GAME, "--to", to, "--reason", why, "--agreed", "uma"]) == 0
        elif word == "redo":
            last, why = str(game.entries[-1].seq), "played as it was"
            assert run(["game", "undo", GAME, last, "--reason", why, "--agreed", "uma"]) == 0
        elif word == "again":
            assert run(["dice", "enter", GAME, "--again", "--as", "ann"]) == 2
        elif word.isdecimal():
            self.faces(line.split())
        else:
            self.do(["game", "say", GAME, line])

    def do(self, arguments: list[str]) -> None:
        if run(arguments):
            self.refused = arguments

    def faces(self, faces: list[str]) -> None:
        roll = open_game(GAME).dice.open_roll
        assert roll is not None
        assert run(["dice", "enter", GAME, *faces, "--as", roll.who]) == 0
        if open_game(GAME).dice.open_roll is None:
            assert run(["dice", "confirm", GAME, "--as", "uma"]) == 0
            assert run(["game", "resolve", GAME]) == 0

    def next(self) -> None:
        game = open_game(GAME)
        if game.state.unrolled or game.state.volleys_due:
            assert run(["game", "resolve", GAME]) == 0
        else:
            self.do(["game", "next", GAME, "--to", stop_after(game), "--as", "uma"])


def test_scenario_4_for_three_turns_is_the_game_the_commands_write(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = spoken(*LINES)
    assert "not entered:" not in said
    at_the_table = entries()
    state = open_game(GAME).state
    assert (state.turn, state.step) == (4, "energy allocation")
    (folder / GAME).unlink()
    shutil.rmtree(folder / "duel.secrets", ignore_errors=True)
    assert run(NEW) == 0
    commands = ByCommands()
    for line in LINES:
        commands.line(line)
    assert entries() == at_the_table
    assert run(["check", GAME]) in (0, 1) and run(["dice", "verify", GAME]) == 0
    capsys.readouterr()


def test_the_prompt_says_who_is_awaited() -> None:
    said = spoken("c s 13", "w s 12", "n", "n", "w a")
    assert "1 energy allocation: energy forms to come: Constellation (ann)>" in said
    assert "1.2 move ships: War moves, then Constellation>" in said
    assert said.rstrip().endswith("1.2 move ships: Constellation moves>")


def test_what_is_refused_is_not_entered_by_the_next_line() -> None:
    """A line that comes is never taken for an answer nobody asked for."""
    spoken("c s 13", "w s 12", "n", "n")
    before = len(read(GAME))
    said = spoken("c a", "", "y", "yes", "ok")
    assert "error [C1.3]" in said and "not entered; stand [RULING], or x" in said
    assert len(read(GAME)) == before


def test_what_is_left_by_the_next_line_is_named() -> None:
    said = spoken("c s 13", "w s 12", "n", "n", "c a", "ships", "n")
    assert "left, and not entered: next" not in said
    assert said.count("left, and not entered: c a") == 1
    assert "left, and not entered" not in spoken("c a", "x") + spoken("c a", "u")


def test_where_more_than_one_thing_may_be_done_it_is_named() -> None:
    assert "War may go ahead, left, right" in spoken("c s 13", "w s 12", "n", "n", ".")
    assert "what was refused may stand, or is left" in spoken("c a", ".")


def test_a_ship_is_named_once_in_what_is_said_of_it() -> None:
    two_with_forms()
    said = spoken("c s 16", "s s 16", "n", "n", "c a")
    assert "undecided [C1.3] Constellation and Saratoga move at the same time" in said


def test_a_robot_may_be_flown_by_its_player() -> None:
    assert (
        "War is a robot, which fills in no form: `robot` plays it; or bob flies it as any other, with a form"
        in spoken()
    )
    spoken("c s 13", "w s 12", "n")
    assert "is a robot" not in spoken()


def test_what_happened_is_told_again_as_it_was_told() -> None:
    """A desk that is opened anew tells shots and volleys in the words in which they fell, typed dice among them."""
    begun = spoken(*NEAR)
    fired = spoken("c f ph1a,c w", "w f ph2a c", "n", "2 3 4")
    shots = [line for line in fired.splitlines() if ": range " in line or ", nothing inside" in line]
    again = [line.partition("  ")[2].strip() for line in spoken("h").splitlines() if line.startswith("#")]
    assert len(shots) == 5 and [line for line in again if line in shots] == shots
    assert not [line for line in again if "events" in line] and "order: War: ahead" in begun
    back = spoken("back", "u")
    assert " events" not in back and "War: 6 points on #2" in back


def test_a_ship_whose_fire_is_sealed_is_not_said_to_fire_still() -> None:
    said = spoken(*NEAR)
    assert said.rstrip().endswith("may still fire: Constellation, War; launch, before fire: War>")
    said = spoken("secret c", "f ph1a w")
    assert "sealed: fire of Constellation" in said and "may still fire: War; launch" in said


def test_an_undo_lists_what_goes_before_it_goes() -> None:
    spoken("c s 13", "w s 12", "n", "n", "w a")
    before = len(read(GAME))
    said = spoken("u", "c a")
    assert "goes: " in said and "take that back? y, or n" in said and "taken back" not in said
    assert [entry.type for entry in read(GAME)][before:] == ["order"]
    said = spoken("u", "y", f"u to {before - 2}", "yes", "redo")
    assert said.count("taken back: ") >= 2 and "back to where it was" in said
    assert spoken("y").count("taken back") == 0


def test_dice_and_a_throw_of_the_rest_stand_in_one_line() -> None:
    said = spoken("c s 13", "w s 12", "n", "n", "w a", "a", "c f ph1a,c w", "n", "3t")
    assert "die 3" in said and not open_game(GAME).dice.open_roll


def test_an_illegal_sealed_form_may_stand() -> None:
    two_with_forms()
    Path("bad.csv").write_text(
        (HERE / "dakota.csv").read_text(encoding="utf-8").replace("Movement,13", "Movement,14"),
        encoding="utf-8",
    )
    said = spoken("secret c bad.csv", "stand he may", "secret s dakota.csv", "o")
    assert "ruled: he may" in said and "all forms are in: `o` opens them" in said
    assert "foul" in [entry.type for entry in read(GAME)]


def test_what_is_against_a_sealed_form_is_for_its_player_alone() -> None:
    two_with_forms()
    form = (HERE / "dakota.csv").read_text(encoding="utf-8")
    Path("bad.csv").write_text(form.replace("Movement,13", "Movement,14"), encoding="utf-8")
    said = spoken("secret c bad.csv", "stand", "secret s bad.csv")
    assert said.count("is against the rules, and was not sealed") == 2
    assert "E4.23" not in said and "available" not in said and "14" not in said
    assert "error [E4.23" in spoken("secret s bad.csv", "why")


def test_what_a_player_reads_alone_goes_from_his_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    two_with_forms()
    form = (HERE / "dakota.csv").read_text(encoding="utf-8")
    Path("bad.csv").write_text(form.replace("Movement,13", "Movement,14"), encoding="utf-8")
    out = Terminal()
    monkeypatch.setattr("getpass.getpass", lambda prompt: "")
    PlainTable(Desk(GAME), Terminal("secret c bad.csv\nwhy\n"), cast("TextIO", SafeStream(out))).run()
    before, _, rest = out.getvalue().partition("\x1b[?1049h")
    alone, _, after = rest.partition("\x1b[?1049l")
    assert "E4.23" in alone and "E4.23" not in before + after


class Terminal(io.StringIO):
    """A text that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_keys_of_the_screen_are_words_of_the_plain_table() -> None:
    said = spoken(
        "h", "i", "k well", "g it stands", "d", "e dakota.csv Constellation", "q", "note never read"
    )
    assert "not entered" not in said and "not understood" not in said
    assert "game: sfb-cadet" in said and "noted: well" in said and "ruled: it stands" in said
    assert "filed: Constellation, turn 1" in said and "never read" not in said


def test_every_word_of_the_plain_table_is_a_word_behind_the_colon() -> None:
    from referee.live.plain import _COMMANDS
    from referee.live.screen.spoken import _WORDS

    assert set(_COMMANDS) <= set(_WORDS)


def test_moves_are_sealed_unseen_and_opened_together() -> None:
    said = spoken("c s 13", "w s 12", "n", "n", "secret c", "a", "secret w", "a", "open")
    assert "opened: moves of Constellation: ahead" in said and "order: War: ahead" in said
    kinds = [entry.type for entry in read(GAME)][-6:]
    assert kinds == ["seal", "seal", "reveal", "reveal", "order", "order"]


def test_what_is_sealed_may_begin_with_its_ship() -> None:
    said = spoken("c s 13", "w s 12", "n", "n", "secret c", "c a", "secret w", "War: ahead", "open")
    assert "opened: moves of Constellation: ahead" in said
    assert "opened: moves of War: ahead" in said


def test_a_key_of_the_table_with_an_order_behind_it_is_a_ship(folder: Path) -> None:
    ships = ("Uhlan=cadet/klingon-d6:bob@1010D/16", "Essex=cadet/federation-ca:ann@1020A/16", "Elan=cadet/federation-ca:ann@1021A/16")  # fmt: skip
    given = [part for ship in ships for part in ("--ship", ship)]
    (folder / GAME).unlink()
    assert run(["game", "new", GAME, "--players", "ann,bob", "--dice", "physical", *given]) == 0
    assert "order: Uhlan: speed 16" in spoken("u s 16")
    assert "e may be Essex or Elan; say more of the name" in spoken("e s 16")
    assert "none.csv" in spoken("e none.csv")
    assert "u takes back, to before #" in spoken("u to 3") and "u, or u to N" in spoken("u 5x")


def test_what_was_taken_back_is_marked_among_what_happened() -> None:
    said = spoken("c s 16", "w s 16", "n", "n", "w a", "c a", "u to 7", "y", "u", "y", "w a", "h")
    told = re.findall(r"#(\d+) +(order: War: ahead|order: Constellation: ahead)(.*)", said)
    marks = [back for _, text, back in told if text == "order: War: ahead"]
    assert marks[-2:] == ["  (taken back)", ""]


def test_the_faces_before_a_wrong_one_are_kept() -> None:
    spoken(*NEAR, "c f ph1a,c w", "w f ph2a c", "n")
    said = spoken("3 9 4")
    assert "not entered: no die shows 9; 3 is kept: 2 faces wanted" in said
    assert "next: 1d6 (Constellation PH-1/C at War)" in said
    said = spoken("3 4 2")
    assert "1 of 4 faces left over; 2 faces wanted" in said
    assert (
        "PH-1/C at War: range 7, die 4" in (said := spoken("42")) and "PH-1/A at War: range 7, die 3" in said
    )


def test_a_row_that_begins_with_a_wrong_face_keeps_none() -> None:
    spoken(*NEAR, "c f ph1a,c w", "w f ph2a c", "n")
    assert "not entered: no die shows 9; 3 faces wanted" in spoken("934")
    assert "PH-1/C at War: range 7, die 3" in spoken("234")


def test_what_something_costs_is_answered_first_by_the_rule_on_it() -> None:
    said = spoken("x what does a photon cost").splitlines()
    titles = [text for text in said if re.match(r"[A-Z]+[\d.-]+\S*  ", text)]
    assert titles == ["E4.21  Arming photon torpedoes", "E4.22  Holding photon torpedoes"]
    assert all(re.search(r"[.:>?]$", text) for text in said[3:] if text and text not in titles)


FIRE_SEALED = ("c s 13", "w s 12", "n", "n", "w a", "c a", "secret c", "f ph1a w")


def test_sealed_fire_is_not_passed_over_unopened() -> None:
    said = spoken(*FIRE_SEALED, "n")
    assert "sealed fire is not opened (`o`): Constellation's fire" in said and "impulse 3" not in said
    said = spoken("o")
    assert "the fire is still to be sealed, or held, of War: it would be written knowing the others" in said
    assert "not entered; stand [RULING], or x" in said and "PH-1" not in said
    said = spoken("w h", "o", "n")
    assert "order: Constellation: fire PH-1/A at War" in said and "dice: 1d6 for Constellation PH-1/A" in said


def test_sealed_fire_is_opened_before_open_fire_is_rolled() -> None:
    assert "dice: 1d6" not in spoken(*FIRE_SEALED, "w f ph2a c", "stand", "n")
    assert "dice: 1d6 for War PH-2/A at Constellation, 1d6 for Constellation PH-1/A" in spoken("o", "n")


def test_sealed_fire_that_was_passed_over_is_come_back_to() -> None:
    """The umpire may pass it over; from then on `o` is not offered, and names the way back."""
    said = spoken(*FIRE_SEALED, "n", "stand he holds his fire", "o")
    assert "turn 1, impulse 3, move ships" in said
    later = said.partition("turn 1, impulse 3, move ships")[2]
    assert "sealed and not opened in time: Constellation's fire" in later and "`o` opens" not in later
    assert "Constellation's fire of turn 1, impulse 2: not opened in time; `u` goes back" in later
    assert "opened: fire of Constellation: fire PH-1/A at War" in spoken("u", "y", "w h", "o")


def test_a_sealed_move_is_not_passed_over_unopened_and_its_foul_is_told() -> None:
    said = spoken("c s 13", "w s 12", "n", "n", "secret c", "l", "w a", "c a", "stand seen", "n")
    assert "Constellation's moves are sealed and not opened, and Constellation moves openly" in said
    assert "sealed moves are not opened (`o`): Constellation's moves" in said
    assert "may still seal" not in said.splitlines()[-1]
    said = spoken("o", "n")
    assert "a foul, in the record: [C1.3] left was sealed for impulse 2, and ahead was moved" in said
    assert "turn 1, impulse 3, move ships" in said


def test_a_move_is_not_sealed_once_it_is_made() -> None:
    said = spoken("c s 13", "w s 12", "n", "n", "w a", "secret w", "l", "why")
    assert "War has moved in impulse 2; nothing was sealed" in said
    assert "sealed: moves of Constellation" in spoken("secret c", "a")


def test_no_move_is_sealed_once_the_moves_are_over() -> None:
    said = spoken("c s 13", "w s 12", "n", "c f ph1a w", "secret c", "l", "why")
    assert "the moves in impulse 1 are over; nothing was sealed" in said and "sealed: moves" not in said


def two_with_forms() -> None:
    """A game of two players, each with a form to seal."""
    Path(GAME).unlink()
    ships = ("Constellation=cadet/federation-ca:ann@1010D/16", "Saratoga=cadet/federation-ca:bob@1013A/16")
    begin = ["game", "new", GAME, "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]
    assert run([*begin, *(word for ship in ships for word in ("--ship", ship))]) == 0


def test_what_is_no_order_is_not_sealed() -> None:
    said = spoken("c s 13", "w s 12", "n", "n", "secret c", "lefft", "secret c", "f phz w")
    assert said.count("not entered: nothing was sealed") == 2
    assert "lefft" not in said and "phz" not in said
    assert "lefft" in spoken("secret c", "lefft", "why")
    assert not [entry for entry in read(GAME) if entry.type == "seal"]
    said = spoken("secret c", "a")
    assert "sealed, `o` opens: Constellation's moves" in said


def test_no_sealed_form_is_opened_while_another_is_still_being_written() -> None:
    """Who has still to write his form would read the speed of the others."""
    two_with_forms()
    said = spoken("secret c dakota.csv", "open")
    assert "the form is still to come of Saratoga" in said and "opened:" not in said
    assert [entry.type for entry in read(GAME)][-1] == "seal"
    said = spoken("secret s dakota.csv", "open")
    assert "opened: form of Constellation" in said and "opened: form of Saratoga" in said


def test_no_sealed_move_is_opened_while_one_that_moves_with_it_is_to_come() -> None:
    two_with_forms()
    said = spoken("c s 16", "s s 16", "n", "secret c", "l", "o")
    assert "Constellation and Saratoga move together" in said
    assert "the move is still to be sealed of Saratoga" in said and "opened:" not in said
    said = spoken("secret s", "a", "o")
    assert "opened: moves of Constellation: left" in said and "order: Saratoga: ahead" in said


def test_an_umpire_may_have_a_form_opened_before_all_are_in() -> None:
    two_with_forms()
    said = spoken("secret c dakota.csv", "open", "stand ann showed it")
    assert "opened: form of Constellation" in said and "ruled: ann showed it" in said


def test_a_desk_speaks_of_no_option_of_a_command() -> None:
    """A form that may not be sealed is refused in words that fit the table."""
    two_with_forms()
    Path("bad.csv").write_text(
        (HERE / "dakota.csv").read_text(encoding="utf-8").replace("Movement,13", "Movement,14"),
        encoding="utf-8",
    )
    said = spoken("secret c bad.csv", "why")
    assert "error [E4.23" in said and "not entered; stand [RULING], or x" in said and "--force" not in said
    assert [entry.type for entry in read(GAME)][-1] != "seal"


def test_what_happened_is_accepted_as_one_act_with_its_ruling() -> None:
    said = spoken("c s 13", "w s 12", "n", "accept w 0215B he had moved it before anybody saw")
    assert "ruled: War stands at 0215B: he had moved it before anybody saw" in said
    assert open_game(GAME).state.ships["War"].position == "0215B"
    last = read(GAME)[-1]
    assert last.data["place"] == {"ship": "War", "to": "0215B"}
    assert "foul" not in [entry.type for entry in read(GAME)]


@pytest.mark.parametrize(
    "line",
    ["accept w 9Z", "accept w 0514", "accept x 0514C", "accept w"],
)
def test_what_is_accepted_names_a_ship_a_hex_and_a_facing(line: str) -> None:
    spoken("c s 13", "w s 12", "n")
    before = len(read(GAME))
    assert "not entered" in spoken(line)
    assert len(read(GAME)) == before


def test_a_ship_may_stand_far_from_where_the_record_has_it() -> None:
    said = spoken("c s 13", "w s 12", "n", "accept w 0514C a sleeve swept it along")
    assert "War stands at 0514C: a sleeve swept it along" in said
    assert open_game(GAME).state.ships["War"].position == "0514C"
    assert "not entered: War stands there" in spoken("accept w 0514C")


def test_a_line_may_order_several_ships() -> None:
    said = spoken("c s 13; w s 12", "n", "n", "w a; c a")
    assert "War: ahead" in said and "Constellation: ahead" in said
    before = len(read(GAME))
    assert "not entered" in spoken("c a; w zork")
    assert len(read(GAME)) == before


def test_where_a_ship_stands_is_taken_back_as_one_act() -> None:
    spoken("c s 13", "w s 12", "n", "n", "a", "a")
    before = open_game(GAME).state.ships["War"].position
    spoken("accept w 0514C swept along", "note who was it", "rule no more talk")
    assert open_game(GAME).state.ships["War"].position == "0514C"
    said = spoken("u", "y", "u", "y")
    assert open_game(GAME).state.ships["War"].position == "0514C" and "swept along" not in said
    said = spoken("u", "y")
    assert open_game(GAME).state.ships["War"].position == before and "swept along" in said
    assert [entry.type for entry in read(GAME)][-1] == "undo"


def test_a_step_and_a_volley_are_told_once() -> None:
    said = spoken(
        "c s 13", "w s 12", "n", "n", "w a", "a", "accept w 2516C there", "c f ph1a,c w", "n", "1 1"
    )
    assert "\nturn 1, impulse 2, move ships\n" in said and "step: turn 1, impulse 2, move ships" not in said
    assert "is struck for" not in said and "War: 14 points on #1: 16 to 2" in said


def test_the_clock_is_in_sight_while_forms_are_awaited() -> None:
    said = spoken("clock 5", "e dakota.csv c", "n", "a")
    assert "[5:00 for forms]" in said and "[5:00 for forms]" not in said.partition("filed: ")[2]


def test_nobody_may_fire_once_the_dice_of_the_impulse_fell() -> None:
    said = spoken("c s 13", "w s 12", "n", "n", "a", "a", "c f ph1a w", "n", "3")
    assert "may still fire: Constellation, War" in said
    assert "may still fire" not in said.splitlines()[-1]


def test_the_file_that_is_not_there_is_named_and_the_record_is_not() -> None:
    said = spoken("form nofile.csv c", "u to 500")
    assert "not entered: nofile.csv: no such file" in said and "duel.jsonl" not in said


@pytest.mark.parametrize("line", ["zork", "c zork", "u to 99", "dice", "explain Z9", "secret zork", "accept c 99",
                                  "form none.csv", "t", "3", "open", "clock x", "redo"])  # fmt: skip
def test_what_is_not_understood_is_said_and_enters_nothing(line: str) -> None:
    before = (Path(GAME)).read_bytes()
    said = spoken(line)
    assert "not entered" in said or "not understood" in said
    assert Path(GAME).read_bytes() == before


@pytest.mark.parametrize(
    "line", ["?", "ships", "f c", "rulings", "head", "back", "explain C1.3", "clock 5", "dice typed"]
)
def test_what_is_asked_is_answered_and_enters_nothing(line: str) -> None:
    before = Path(GAME).read_bytes()
    said = spoken(line)
    assert "not entered" not in said and len(said.splitlines()) > 3 and Path(GAME).read_bytes() == before


def kill_and_go_on(times: int, seed: int) -> None:
    """Plays the game through a process that is killed at random moments, and begun anew."""
    chance = random.Random(seed)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    lines = list(LINES)
    acknowledged = [entry.hash for entry in read(GAME)]
    at = 0
    for _ in range(times):
        process = subprocess.Popen(
            [sys.executable, "-m", "referee", "table", GAME, "--plain"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=environment,
        )  # fmt: skip
        assert process.stdin is not None and process.stdout is not None
        until_prompt(process.stdout)
        for _ in range(chance.randint(0, 12)):
            process.stdin.write(f"{lines[at % len(lines)]}\n")
            until_prompt(process.stdout)
            at += 1
        acknowledged = [entry.hash for entry in read(GAME)]
        process.stdin.write(f"{lines[at % len(lines)]}\n")
        process.stdin.flush()
        time.sleep(chance.random() * 0.08)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout):
            stream.close()
        after = [entry.hash for entry in read(GAME)]
        assert after[: len(acknowledged)] == acknowledged
        sight = Desk(GAME).sight
        assert (sight.turn, sight.impulse) == (lambda state: (state.turn, state.impulse))(
            open_game(GAME).state
        )
        at += len(after) > len(acknowledged)


def until_prompt(stream: Any) -> None:
    """Reads up to where the next line is awaited."""
    for line in stream:
        if line.endswith(">\n"):
            return


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("seed", [1, *[pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 41)]])
def test_what_was_acknowledged_outlives_a_kill(seed: int) -> None:
    kill_and_go_on(5, seed)


# -- for whoever hears the table ---------------------------------------------------------


def test_who_tells_all_that_stands_at_the_head_of_the_screen() -> None:
    said = spoken("c s 16", "w s 16", "n", "n", "who")
    assert "turn 1, impulse 1 of 16, move ships" in said and "Constellation left: no: " in said
    assert "Constellation ahead: yes" in said and "head #" in said
    said = spoken("c a", "w a", "c f ph1a w", "n", "who")
    assert "awaited of ann: " in said and "typed in" in said


def test_the_last_box_that_was_chosen_is_taken_back_alone() -> None:
    asked = ("c a", "w a", "choose c ask", "c hit 22 on 1")
    said = spoken("c s 16", "w s 16", "n", "n", *asked, "1", "ssd c", "u", "ssd c")
    costs = re.findall(r"hit 1 costs (\S+)", said)
    assert len(costs) == 1 and f"taken back: {costs[0]} is not the box" in said
    assert "u takes back" not in said
    assert said.count("shields: #1 0 of ") == 2


def test_the_map_and_the_boxes_are_told_in_words() -> None:
    said = spoken(*NEAR, "map", "ssd w", "v")
    assert said.count("War: range 7, off its shield #") == 2, "`v` is the key of the screen"
    assert "Constellation: range 7, off its shield #" in said
    assert "weapons: PH-2/A, PH-2/B" in said and "left warp 8 of 8" in said
    assert "shields: #1 16 of 16" in said and "Constellation, Federation" not in said
    assert "no ship zz" in spoken("ssd zz") and "no ship zz" in spoken("ships zz")
    assert "Constellation, Federation" in spoken("ssd")


def test_a_ship_is_told_with_its_player_and_alone_where_it_is_named() -> None:
    said = spoken("ships w")
    assert "War (bob) at 0117B" in said and "a robot" in said and "Constellation (ann) at" not in said
    assert "Constellation (ann) at" in spoken("ships")


def test_x_explains_as_on_the_screen_and_leaves_what_was_refused_where_it_stands_alone() -> None:
    said = spoken("x C3.2", "n", "x")
    assert "C3.2  Hexes straight ahead" in said and "nothing was entered" in said


def test_odds_outside_the_impulses_say_that_nobody_fires() -> None:
    assert "nobody fires now; from here and so charged" in spoken("f c")
    assert "nobody fires now" not in spoken(*NEAR, "f c")


BEGUN = ("c s 13", "w s 12", "n", "n")
"""What is said before the piece of a game that the guide shows."""


def as_shown_in_the_guide() -> tuple[list[str], str]:
    """The lines that are typed in the guide, and all that stands there as a table tells it."""
    guide = (ROOT / "docs" / "umpire.md").read_text(encoding="utf-8")
    shown = guide.partition("```text\n")[2].partition("```")[0]
    return re.findall(r"> (.+)$", shown, re.MULTILINE), re.sub(r"> .+$", ">", shown, flags=re.MULTILINE)


def test_the_game_in_the_guide_is_what_the_table_says() -> None:
    spoken(*BEGUN)
    typed, shown = as_shown_in_the_guide()
    told = re.sub(r"(?m)^head #.*\n", "", spoken(*typed))
    assert len(typed) > 5 and told.partition("\n")[2] == shown
