"""Turns of a record follow each other one by one, each with its forms; what is in flight flies in all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.record.reading import read
from tests.cli.conftest import Run
from tests.unit.play.test_game_forging import forge
from tests.unit.play.test_game_order_of_movement import GAME, begin, say
from tests.unit.play.test_game_play import form
from tests.unit.play.test_game_sealed_fire import refused

NEAR = ("Con=cadet/federation-ca:alice@1404D/0", "War=cadet/klingon-d6:bob@1407A/0")
FAR = ("Con=cadet/federation-ca:alice@1401D/0", "War=cadet/klingon-d6:bob@1428A/0")
EAGLE = ("Con=cadet/federation-ca:alice@1404D/0", "Eagle=cadet/romulan-kr:bob@1428A/0")
STILL = {"Movement": 0}
NAMES = {"Con": "Constellation", "War": "Destruction", "Eagle": "Eagle"}


def said(referee: Run) -> list[tuple[str, str]]:
    """Severity and key of what a check finds."""
    return [(found["severity"], found["key"]) for found in referee("check", GAME, "--json").json["findings"]]


def filed(referee: Run, ship: str, turn: int, spent: dict[str, int] = STILL, *more: str) -> None:
    ran = referee("game", "apply", GAME, form(NAMES[ship], turn, spent), "--ship", ship, *more)
    assert ran.code == 0, ran


def both_filed(referee: Run, turn: int) -> None:
    for ship in ("Con", "War"):
        filed(referee, ship, turn)


# -- turns passed over -------------------------------------------------------------------


def test_a_turn_is_not_passed_over(referee: Run) -> None:
    begin(referee, NEAR)
    both_filed(referee, 1)
    refused(referee, "B2.0/order", "turn 3")
    assert referee("game", "say", GAME, "turn 3", "--force").code == 0
    assert ("error", "B2.0/order") in said(referee)


def test_turns_one_by_one_are_legal_and_one_said_again_is_the_same(referee: Run) -> None:
    begin(referee, NEAR)
    for turn in (1, 2, 3):
        both_filed(referee, turn)
        say(referee, f"turn {turn}", f"turn {turn + 1}")
    assert said(referee) == [] and referee("check", GAME).code == 0


def test_seekers_fly_before_a_turn_is_passed_over(referee: Run) -> None:
    """A drone three hexes off strikes in this turn, whatever turn is said to come next."""
    begin(referee, NEAR)
    both_filed(referee, 1)
    say(referee, "impulse 1", "War: launch DRN/1 at Con")
    before = GAME.read_bytes()
    for turn in ("turn 2", "turn 3", "turn 40"):
        ran = referee("game", "say", GAME, turn)
        assert ran.code == 2 and "Con is struck for" in ran.err and GAME.read_bytes() == before, ran


def test_seekers_that_are_still_in_flight_are_told_of(referee: Run) -> None:
    begin(referee, FAR, "--option", "map=0101-2830")
    both_filed(referee, 1)
    say(referee, "impulse 1", "War: launch DRN/1 at Con")
    ran = referee("game", "say", GAME, "turn 3")
    assert ran.code == 1 and "[B2.0/order]" in ran.err, ran
    assert "the flight of War DRN/1 t1 in turn 2" in ran.err and "[B2.0/resolved]" in ran.err
    assert referee("game", "say", GAME, "turn 3", "--force").code == 0
    keys = {entry.data["key"] for entry in read(GAME) if entry.type == "foul"}
    assert keys == {"B2.0/order", "B2.0/resolved"}
    assert referee("check", GAME).code == 1


def test_a_record_that_passes_a_turn_over_without_its_foul_is_found(referee: Run) -> None:
    begin(referee, NEAR)
    both_filed(referee, 1)
    ran = referee("check", forge(GAME, ("step", {"turn": 3, "step": "energy allocation"})))
    assert ran.code == 3 and "breaks B2.0" in ran.err, ran


@pytest.mark.parametrize(
    "to", [{"turn": 1, "impulse": 4}, {"turn": 1, "impulse": 16}, {"turn": 2, "impulse": 1}]
)
def test_a_record_in_which_a_seeker_stands_still_is_found(referee: Run, to: dict[str, int]) -> None:
    """The game moves seekers as it moves on; a line that was put in by hand does not."""
    begin(referee, NEAR)
    both_filed(referee, 1)
    say(referee, "impulse 1", "War: launch DRN/1 at Con")
    ran = referee("check", forge(GAME, ("step", {**to, "step": "move ships"})))
    assert ran.code == 3 and "breaks B2.0, and no foul is recorded" in ran.err, ran


def test_a_seeker_that_the_game_moves_stands_still_nowhere(referee: Run) -> None:
    begin(referee, FAR, "--option", "map=0101-2830")
    both_filed(referee, 1)
    say(referee, "impulse 1", "War: launch DRN/1 at Con")
    say(referee, "impulse 3", "impulse 9", "turn 2")
    both_filed(referee, 2)
    say(referee, "impulse 2")
    moves = [entry for entry in read(GAME) if "seeker" in entry.data]
    assert len(moves) > 4 and not [row for row in said(referee) if row[0] == "error"]


def test_nothing_was_paid_in_a_turn_that_was_passed_over(referee: Run) -> None:
    """Plasma armed in turns 1 and 3 was not armed on consecutive turns."""
    begin(referee, EAGLE, "--option", "map=0101-2830")
    filed(referee, "Con", 1)
    filed(referee, "Eagle", 1, {**STILL, "Plasma A": 2})
    assert referee("game", "say", GAME, "turn 3", "--force").code == 0
    sheet = form("Eagle", 3, {**STILL, "Plasma A": 2})
    ran = referee("game", "apply", GAME, sheet, "--ship", "Eagle")
    assert ran.code == 0, "arming begins again"
    sheet = form("Con", 3, STILL)
    assert referee("game", "apply", GAME, sheet, "--ship", "Con").code == 0
    say(referee, "turn 4")
    ran = referee("game", "apply", GAME, form("Eagle", 4, {**STILL, "Plasma A": 4}), "--ship", "Eagle")
    assert ran.code == 1 and "[FP1.2]" in ran.err, ran


@pytest.mark.parametrize("sealed", [False, True])
def test_nothing_was_paid_in_a_turn_that_went_by_without_its_form(referee: Run, sealed: bool) -> None:
    """The other's form was in. What is sealed and not yet shown may have paid."""
    begin(referee, EAGLE, "--option", "map=0101-2830")
    filed(referee, "Con", 1)
    filed(referee, "Eagle", 1, {**STILL, "Plasma A": 2})
    say(referee, "turn 2")
    filed(referee, "Con", 2)
    sheet = form("Eagle", 2, {**STILL, "Plasma A": 2})
    if sealed:
        assert referee("seal", "--game", GAME, sheet, "--ship", "Eagle").code == 0
    assert referee("game", "say", GAME, "turn 3", *(() if sealed else ("--force",))).code == 0
    # The third step: due only if the second was paid.
    filed(referee, "Con", 3)
    ran = referee("game", "apply", GAME, form("Eagle", 3, {**STILL, "Plasma A": 4}), "--ship", "Eagle")
    assert ran.code == 0 if sealed else ran.code == 1 and "[FP1.2]" in ran.err, ran


# -- turns without forms -----------------------------------------------------------------


@pytest.mark.parametrize("to", ["impulse 1", "turn 2"])
def test_a_turn_waits_for_all_its_forms_whatever_comes_next(referee: Run, to: str) -> None:
    begin(referee, NEAR)
    filed(referee, "War", 1)
    ran = referee("game", "say", GAME, to)
    assert ran.code == 1 and "[B2.0/order]" in ran.err and "without the form of Con (alice)" in ran.err, ran


@pytest.mark.parametrize("to", ["3", "2.1.fire", "3.1.fire"])
def test_a_turn_without_forms_after_one_with_them_is_not_decided(referee: Run, to: str) -> None:
    begin(referee, NEAR)
    both_filed(referee, 1)
    if to != "2.1.fire":
        say(referee, "turn 2")
    ran = referee("game", "next", GAME, "--to", to)
    assert ran.code == 0 and "undecided [B2.0/forms]" in ran.out, ran
    assert ("undecided", "B2.0/forms") in said(referee)
    assert "CANNOT TELL" in referee("check", GAME).out


def test_a_form_that_is_sealed_is_in(referee: Run) -> None:
    begin(referee, NEAR)
    for turn in (1, 2):
        for ship in ("Con", "War"):
            sheet = form(NAMES[ship], turn, STILL)
            assert referee("seal", sheet, "--game", GAME, "--ship", ship).code == 0
            Path(sheet).unlink()
        say(referee, f"{ship}: speed 0", "Con: speed 0", f"turn {turn + 1}")
    assert not [row for row in said(referee) if row[1].startswith("B2.0")]


def test_a_game_that_never_files_goes_on_without_a_word(referee: Run) -> None:
    begin(referee, NEAR)
    say(referee, "turn 2", "turn 3", "impulse 4", "turn 4")
    # That nothing is played here is all there is to say.
    assert said(referee) == [("undecided", "NOTE/nothing-judged")]
    still = ("Con: speed 0", "War: speed 0")
    say(referee, *still, "turn 5", *still, "impulse 4", "turn 6")
    assert said(referee) == [] and [e.type for e in read(GAME)].count("foul") == 0


def test_who_files_no_form_because_a_robot_plays_it_holds_up_nobody(referee: Run) -> None:
    begin(referee, NEAR, "--robot", "War")
    for turn in (1, 2):
        filed(referee, "Con", turn)
        say(referee, "War: speed 0", f"turn {turn + 1}")
    assert not [row for row in said(referee) if row[1].startswith("B2.0")]


# -- moves left out ----------------------------------------------------------------------

FAST = {"Movement": 8}


def both_fast(referee: Run) -> None:
    """Both forms say speed 8, and nobody says it: 8 of 16 is called on even impulses."""
    begin(referee, FAR)
    for ship in ("Con", "War"):
        filed(referee, ship, 1, FAST)


def missed(referee: Run, severity: str) -> list[tuple[str, int]]:
    rows = referee("check", GAME, "--json").findings(severity)
    return [(row["subject"], row["impulse"]) for row in rows if row["key"] == "C1.4/missed"]


def test_a_turn_without_a_move_at_a_filed_speed_is_not_decided(referee: Run) -> None:
    """The ships may be moved on a table; it is told once a turn."""
    both_fast(referee)
    ran = say(referee, "turn 2")
    assert "undecided [C1.4/missed] Con" in ran.out, ran
    assert missed(referee, "undecided") == [("Con", 2), ("War", 2)]
    for ship in ("Con", "War"):
        filed(referee, ship, 2, FAST)
    say(referee, "turn 3")
    assert len(missed(referee, "undecided")) == 4 and missed(referee, "error") == []
    assert "CANNOT TELL" in referee("check", GAME).out


@pytest.mark.parametrize("orders", [("impulse 4", "Con: ahead", "War: ahead"), ("impulse 3", "War: speed 8")])
def test_the_first_move_of_a_record_leaves_no_called_one_out(referee: Run, orders: tuple[str, ...]) -> None:
    both_fast(referee)
    before = GAME.read_bytes()
    ran = referee("game", "say", GAME, *orders)
    assert ran.code == 1 and "error [C1.4/missed] Con: turn 1, does not move on impulse 2" in ran.err, ran
    assert GAME.read_bytes() == before
    assert referee("game", "say", GAME, *orders, "--force").code == 0
    ran = referee("check", GAME)
    assert [ship for ship, _ in missed(referee, "error")] == ["Con", "War"] and ran.code == 1
    assert "does not move on impulse 2, which calls speed 8" in ran.out, ran


def test_moves_on_all_called_impulses_at_a_filed_speed_are_legal(referee: Run) -> None:
    both_fast(referee)
    for impulse in range(2, 17, 2):
        say(referee, f"impulse {impulse}", "Con: ahead", "War: ahead")
    say(referee, "turn 2")
    assert missed(referee, "error") == missed(referee, "undecided") == []
    for ship in ("Con", "War"):
        filed(referee, ship, 2, FAST)
    ran = referee("game", "say", GAME, "impulse 3")
    assert ran.code == 1 and "[C1.4/missed]" in ran.err, "from then on they are in the record"


def test_who_stands_still_by_his_form_is_not_asked_for_a_move(referee: Run) -> None:
    begin(referee, NEAR)
    both_filed(referee, 1)
    say(referee, "turn 2")
    assert said(referee) == []


def test_forms_of_ships_on_no_map_say_no_speed(referee: Run) -> None:
    begin(referee, tuple(ship.partition("@")[0] for ship in NEAR))
    for ship in ("Con", "War"):
        filed(referee, ship, 1, FAST)
    say(referee, "turn 2")
    assert missed(referee, "undecided") == []


def test_an_early_turn_is_answered_in_a_few_lines(referee: Run) -> None:
    """What a ship misses impulse after impulse is one line; a turn without forms is another."""
    begin(referee, NEAR)
    say(referee, "Con: speed 8", "War: speed 8")
    ran = referee("game", "say", GAME, "turn 2")
    assert ran.code == 1 and ran.err.count("C1.4/missed") == 2 and len(ran.err.splitlines()) <= 4, ran.err
    assert "so too on impulses 4, 6, 8" in ran.err
