"""Sealed fire and moves bind whoever sealed them, shown before or after they are carried out, or never."""

from __future__ import annotations

from typing import Any

import pytest

from referee.record.reading import read
from tests.cli.conftest import Ran, Run
from tests.unit.play.test_game_forging import forge
from tests.unit.play.test_game_order_of_movement import GAME, TWINS, begin, said, say, seal

DUEL = ("Con=cadet/federation-ca:alice@1004D/8", "Des=cadet/klingon-d6:bob@1007A/8")
CON = "Con: fire PH-1A, PHOT/A at Des"
DES = "Des: fire PH-2A, PH-2B, DISR/A, DISR/B at Con"
SEVEN = ("--impulse", "7")


def in_the_fight(referee: Run, con: str = CON, des: str = DES, at: tuple[str, ...] = SEVEN) -> None:
    """Both have sealed their fire of impulse 7."""
    begin(referee, DUEL)
    assert referee("game", "next", GAME, "--to", "1.7.fire").code == 0
    for ship, order in (("Con", con), ("Des", des)):
        seal(referee, ship, order, *at, kind="fire")


def reveal(referee: Run, ship: str, *more: str, kind: str = "fire") -> Ran:
    return referee("reveal", "--game", GAME, "--kind", kind, "--ship", ship, *more)


def refused(referee: Run, rule: str, *orders: str) -> None:
    before = GAME.read_bytes()
    ran = referee("game", "say", GAME, *orders)
    assert ran.code == 1 and f"[{rule}]" in ran.err and GAME.read_bytes() == before, ran


def fouls(referee: Run) -> list[tuple[str, str, str]]:
    found = (entry.data for entry in read(GAME) if entry.type == "foul")
    return [(foul["player"], foul["key"], foul["subject"]) for foul in found]


def not_checked(referee: Run) -> list[tuple[str, str]]:
    """Rule and reason of what of seals could not be checked."""
    rows: list[dict[str, Any]] = referee("check", GAME, "--json").json["not_checked"]
    return [(row["key"], row["reason"]) for row in rows if "seal" in row["reason"]]


# -- fire --------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [SEVEN, ()])
def test_other_fire_than_was_sealed(referee: Run, at: tuple[str, ...]) -> None:
    """Whether it is shown before the fire or after it, and whether the impulse is named or not."""
    in_the_fight(referee, at=at)
    say(referee, "Des: fire PH-2A at Con")
    assert reveal(referee, "Con", *at).code == 0
    refused(referee, "E1.1/kept", "Con: fire PH-1C at Des")
    refused(referee, "E1.1/kept", "Con: fire PH-1A, PH-1C at Des")
    ran = referee("game", "resolve", GAME)
    assert ran.code == 1 and "Con: turn 1, does not fire PH-1/A at Des, PHOT/A at Des" in ran.err, ran
    say(referee, "Con: fire PH-1A, PHOT-A at Des")
    assert referee("game", "resolve", GAME).code == 0
    assert ("E1.1/kept", "what was sealed as fire for turn 1, impulse 7 is not shown yet") in not_checked(
        referee
    )
    ran = reveal(referee, "Des", *at)
    assert ran.code == 1 and "does not fire PH-2/B at Con, DISR/A at Con, DISR/B at Con" in ran.out, ran
    assert fouls(referee) == [("bob", "E1.1/kept", "Des")]
    assert ("error", "E1.1/kept", "Des") in said(referee) and referee("check", GAME).code == 1
    assert not_checked(referee) == []


def test_fire_is_not_sealed_anew_once_the_other_has_fired(referee: Run) -> None:
    in_the_fight(referee)
    seal(referee, "Con", "fire PHOT-A at Des", *SEVEN, kind="fire")
    say(referee, DES)
    again = ("--kind", "fire", "--ship", "Con", "--order", "hold fire")
    ran = referee("seal", "--game", GAME, *again)
    assert ran.code == 2 and "seals fire anew after Des fired" in ran.err, ran


def test_both_shown_before_anybody_fires(referee: Run) -> None:
    in_the_fight(referee)
    assert reveal(referee, "Con").code == 0 and reveal(referee, "Des").code == 0
    refused(referee, "E1.1/kept", "Con: fire PH-1C at Des")
    ran = referee("game", "say", GAME, "Con: fire PH-1C at Des", "--force")
    assert ran.code == 0 and fouls(referee) == [("alice", "E1.1/kept", "Con")], ran
    say(referee, CON, DES)
    assert referee("game", "resolve", GAME).code == 0


def awaited(referee: Run) -> list[str]:
    """The sealed fire that is to be declared."""
    rows = referee("game", "status", GAME, "--json").json["awaited"]
    return [f"{row['player']}: {row['what']}" for row in rows if "sealed fire" in row["what"]]


@pytest.mark.parametrize("at", [SEVEN, ()])
def test_shown_fire_is_awaited_until_it_is_declared(referee: Run, at: tuple[str, ...]) -> None:
    in_the_fight(referee, at=at)
    assert awaited(referee) == []  # not before it is shown
    assert reveal(referee, "Con", *at).code == 0
    both = "alice: Con's sealed fire to be declared: PH-1/A at Des, PHOT/A at Des (game say)"
    assert awaited(referee) == [both]
    say(referee, "Con: fire PH-1A at Des")
    assert awaited(referee) == ["alice: Con's sealed fire to be declared: PHOT/A at Des (game say)"]
    say(referee, "Con: fire PHOT-A at Des")
    assert awaited(referee) == []


def test_held_fire_and_fire_that_is_over_are_not_awaited(referee: Run) -> None:
    in_the_fight(referee, con="Con: hold fire")
    assert reveal(referee, "Con", *SEVEN).code == 0 and awaited(referee) == []
    assert reveal(referee, "Des", *SEVEN).code == 0 and len(awaited(referee)) == 1
    assert referee("game", "next", GAME, "--as", "bob", "--force").code == 0
    assert awaited(referee) == []


def test_hold_fire_is_said_as_it_is_sealed(referee: Run) -> None:
    in_the_fight(referee, con="hold fire", des="Des: fire PH-2A at Con")
    assert reveal(referee, "Con").code == 0
    ran = referee("game", "say", GAME, "Con: hold fire", "--as", "alice")
    assert ran.code == 0 and "order: Con: hold fire" in ran.out, ran
    say(referee, "Des: fire PH-2A at Con")
    before = GAME.read_bytes()
    for player, order, code, told in (
        ("bob", "Des: hold fire", 2, "Des fires in this impulse already"),
        ("bob", "Con: hold fire", 2, "bob does not play Con"),
        ("alice", "Con: hold speed", 2, "what is held is fire"),
        ("alice", "Con: fire PH-1A at Des", 1, "E1.1/kept"),
    ):
        ran = referee("game", "say", GAME, order, "--as", player)
        assert (ran.code, told in ran.err) == (code, True) and GAME.read_bytes() == before, ran
    assert reveal(referee, "Des").code == 0 and referee("game", "resolve", GAME).code == 0
    assert referee("check", GAME).code == 0 and fouls(referee) == []


def test_fire_sealed_for_a_shield_that_it_does_not_strike(referee: Run) -> None:
    """In the step of fire it is refused; sealed before, it is told of when it is shown, with the way out."""
    begin(referee, DUEL)
    seal(referee, "Con", "fire PH-1A at Des on 4", *SEVEN, kind="fire")
    assert referee("game", "next", GAME, "--to", "1.7.fire").code == 0
    seal(referee, "Des", "fire PH-2A at Con on 1", *SEVEN, kind="fire")
    again = ("seal", "--game", GAME, "--kind", "fire", "--ship", "Con", "--order", "fire PH-1A at Des on 4")
    before = GAME.read_bytes()
    ran = referee(*again)
    assert ran.code == 2 and GAME.read_bytes() == before, ran
    assert "PH-1/A strikes Des on shield 1, not 4; fire PH-1/A at Des; nothing was sealed" in ran.err
    ran = reveal(referee, "Con", *SEVEN)
    assert ran.code == 0 and "PH-1/A was sealed for shield 4 of Des, and strikes shield 1" in ran.out, ran
    assert "fix: declare it without a shield: fire PH-1/A at Des" in ran.out
    assert awaited(referee) == ["alice: Con's sealed fire to be declared: PH-1/A at Des (game say)"]
    ran = referee("game", "say", GAME, "Con: fire PH-1A at Des on 4")
    assert ran.code == 1 and "[E1.4]" in ran.err and "strikes shield 1, said to strike 4" in ran.err
    say(referee, "Con: fire PH-1A at Des")
    assert reveal(referee, "Des", *SEVEN).code == 0
    say(referee, "Des: fire PH-2A at Con on 1")
    assert referee("game", "resolve", GAME).code == 0 and fouls(referee) == []
    assert referee("check", GAME).code == 0


def test_who_holds_back_sealed_fire_holds_up_nobody_for_ever(referee: Run) -> None:
    """The others go on, and the foul is his; one foul for one shot."""
    in_the_fight(referee, con="Con: fire PH-1A, PHOT-A at Des")
    say(referee, DES)
    assert reveal(referee, "Con").code == 0 and reveal(referee, "Des").code == 0
    ran = referee("game", "say", GAME, "Con: fire PH-1A at Des", "Con: fire PHOT-B at Des", "--force")
    assert ran.code == 0 and fouls(referee) == [("alice", "E1.1/kept", "Con")], ran
    assert referee("game", "resolve", GAME).code == 1
    ran = referee("game", "next", GAME, "--as", "bob", "--force")
    assert ran.code == 0 and "does not fire PHOT/A at Des" in ran.out + ran.err, ran
    assert "PH-1/A at Des, which was sealed" not in ran.out + ran.err
    assert fouls(referee) == [("alice", "E1.1/kept", "Con")] * 2
    assert referee("game", "resolve", GAME).code == 0
    assert referee("check", GAME).code == 1


def test_a_weapon_fired_at_another_shield_than_sealed_is_told_once(referee: Run) -> None:
    begin(referee, DUEL)
    seal(referee, "Con", "Con: fire PH-1A at Des on 3", *SEVEN, kind="fire")
    assert referee("game", "next", GAME, "--to", "1.7.fire").code == 0
    seal(referee, "Des", DES, *SEVEN, kind="fire")
    say(referee, "Con: fire PH-1A at Des on 1")
    assert reveal(referee, "Con").code == 1
    say(referee, DES)
    assert reveal(referee, "Des").code == 0
    assert referee("game", "resolve", GAME).code == 0
    assert fouls(referee) == [("alice", "E1.1/kept", "Con")]


def test_fire_as_it_was_sealed_is_legal_in_any_order(referee: Run) -> None:
    in_the_fight(referee)
    say(referee, "Des: fire DISR/B, DISR/A at Con", "Des: fire PH-2B, PH-2A at Con")
    assert reveal(referee, "Des").code == 0 and reveal(referee, "Con").code == 0
    say(referee, CON)
    assert referee("game", "resolve", GAME).code == 0
    assert referee("game", "next", GAME).code == 0
    report = referee("check", GAME, "--json")
    assert report.code == 0 and report.json["verdict"] == "legal" and "E1.1" in report.json["checked"]
    assert not_checked(referee) == []


def test_who_seals_that_he_holds_his_fire_does_not_fire(referee: Run) -> None:
    in_the_fight(referee, con="hold fire")
    assert reveal(referee, "Con").code == 0
    refused(referee, "E1.1/kept", CON)
    say(referee, DES)
    assert reveal(referee, "Des").code == 0
    assert referee("game", "resolve", GAME).code == 0 and fouls(referee) == []


def test_what_could_not_be_fired_is_not_missed(referee: Run) -> None:
    """PH-2/C does not bear: it can be sealed, and its owner need not break a rule to keep his word."""
    in_the_fight(referee, con="Con: fire PH-1A at Des", des="Des: fire PH-2A, PH-2C at Con")
    say(referee, "Con: fire PH-1A at Des", "Des: fire PH-2A at Con")
    assert reveal(referee, "Con").code == 0
    assert referee("game", "resolve", GAME).code == 0
    assert reveal(referee, "Des").code == 0 and fouls(referee) == []


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("Con: everything at once", "no order 'everything'"),
        ("Con: fire PH-9 at Des", "no weapon PH-9"),
        ("Con: fire PH-1A at Dakota", "no ship Dakota"),
        ("Des: fire PH-2A at Con", "compared with nothing here"),
    ],
)
def test_sealed_fire_that_is_not_understood_is_not_decided(referee: Run, order: str, told: str) -> None:
    in_the_fight(referee, con=order)
    ran = reveal(referee, "Con")
    assert ran.code == 0 and "undecided [E1.1/kept] Con" in ran.out and told in ran.out, ran
    assert ("undecided", "E1.1/kept", "Con") in said(referee)


def test_where_no_fire_is_ordered_in_the_record_it_is_not_held_against_any(referee: Run) -> None:
    """Players may fire on a table of their own and tell the record what struck."""
    in_the_fight(referee)
    assert reveal(referee, "Con").code == 0 and reveal(referee, "Des").code == 0
    assert referee("game", "next", GAME, "--to", "1.7.resolve-fire").code == 0
    assert referee("volley", "Des", "--game", GAME, "--as", "bob", "--damage", "8", "--shield", "1").code == 0
    assert not_checked(referee) == [("E1.1/kept", "sealed fire was shown, and no fire is in the record")] * 2
    assert fouls(referee) == []


@pytest.mark.parametrize("late", [False, True])
def test_fire_dropped_before_any_was_in_the_record_is_undecided_once_some_is(
    referee: Run, late: bool
) -> None:
    """It may have been told on a table of their own; that the record holds other fire does not make it kept."""
    in_the_fight(referee, con="Con: fire PH-1A at Des", des="hold fire")
    assert late or reveal(referee, "Con").code == 0
    assert reveal(referee, "Des").code == 0
    assert referee("game", "next", GAME, "--to", "1.8.fire", "--agreed", "alice").code == 0
    assert not late or reveal(referee, "Con", *SEVEN).code == 0
    assert not_checked(referee) == [("E1.1/kept", "sealed fire was shown, and no fire is in the record")]
    say(referee, "Des: fire PH-2A at Con")
    assert referee("game", "resolve", GAME).code == 0
    assert ("undecided", "E1.1/kept", "Con") in said(referee) and not_checked(referee) == []
    assert fouls(referee) == []


STOP = ("Con: speed 0", "Des: speed 0")


def played_here(referee: Run, con: str = CON) -> None:
    """A record with the ships' speeds, in which nobody has fired: Con's fire is sealed, Des holds its fire."""
    begin(referee, DUEL)
    say(referee, *STOP, "impulse 7")
    for ship, order in (("Con", con), ("Des", "hold fire")):
        seal(referee, ship, order, *SEVEN, kind="fire")


@pytest.mark.parametrize("to", ["impulse 8", "turn 2"])
def test_fire_that_is_shown_is_not_dropped(referee: Run, to: str) -> None:
    """Though it would be the first of the record."""
    played_here(referee)
    assert reveal(referee, "Con").code == 0 and reveal(referee, "Des").code == 0
    assert not_checked(referee) == []
    refused(referee, "E1.1/kept", to)
    assert referee("game", "say", GAME, to, "--force").code == 0
    assert fouls(referee) == [("alice", "E1.1/kept", "Con")] and not_checked(referee) == []
    assert ("error", "E1.1/kept", "Con") in said(referee) and referee("check", GAME).code == 1


def test_fire_that_is_dropped_and_then_shown_is_told_when_it_is(referee: Run) -> None:
    played_here(referee)
    assert reveal(referee, "Des").code == 0
    assert referee("game", "next", GAME, "--to", "1.7.resolve-fire", "--as", "alice").code == 0
    say(referee, "impulse 8")
    ran = reveal(referee, "Con", *SEVEN)
    assert ran.code == 1 and "does not fire PH-1/A at Des" in ran.out, ran
    assert fouls(referee) == [("alice", "E1.1/kept", "Con")]


def test_fire_shown_between_its_step_and_the_next_impulse_is_told_once(referee: Run) -> None:
    played_here(referee)
    to = ("game", "next", GAME, "--to", "1.7.resolve-fire")
    assert referee(*to, "--agreed", "alice,bob").code == 0
    assert reveal(referee, "Con").code == 0
    refused(referee, "E1.1/kept", "impulse 8")
    assert referee("game", "say", GAME, "impulse 8", "--force").code == 0
    assert fouls(referee) == [("alice", "E1.1/kept", "Con")]


def test_fire_shown_that_is_fired_in_its_impulse_is_legal(referee: Run) -> None:
    played_here(referee)
    assert reveal(referee, "Con").code == 0 and reveal(referee, "Des").code == 0
    say(referee, CON)
    assert referee("game", "resolve", GAME).code == 0
    say(referee, "impulse 8")
    assert said(referee) == [] and fouls(referee) == []


def test_fire_that_its_player_rolls_on_a_table_of_his_own_is_not_dropped(referee: Run) -> None:
    played_here(referee)
    assert reveal(referee, "Con").code == 0 and reveal(referee, "Des").code == 0
    assert referee("game", "next", GAME, "--to", "1.7.resolve-fire").code == 0
    assert referee("volley", "Des", "--game", GAME, "--as", "bob", "--damage", "8", "--shield", "1").code == 0
    say(referee, "impulse 8")
    assert fouls(referee) == []
    assert not_checked(referee) == [("E1.1/kept", "sealed fire was shown, and no fire is in the record")]


def test_a_foul_of_a_reveal_that_is_left_out_is_found(referee: Run) -> None:
    in_the_fight(referee)
    say(referee, "Des: fire PH-2A at Con")
    assert referee("game", "resolve", GAME).code == 0
    assert reveal(referee, "Des").code == 1
    entries = read(GAME)
    assert [entry.type for entry in entries][-2:] == ["reveal", "foul"]
    lines = GAME.read_bytes().splitlines(keepends=True)
    GAME.write_bytes(b"".join(lines[:-2]))
    ran = referee("check", forge(GAME, ("reveal", entries[-2].data)))
    assert ran.code == 3 and "breaks E1.1" in ran.err, ran


# -- moves -------------------------------------------------------------------------------


def tied(referee: Run) -> None:
    """Twins in impulse 2, and both have sealed a move to the left."""
    begin(referee, TWINS)
    say(referee, "A1: speed 8", "B1: speed 8", "impulse 2")
    for ship in ("A1", "B1"):
        seal(referee, ship, f"{ship}: left")


def test_a_move_shown_before_it_is_made_is_the_one_made(referee: Run) -> None:
    tied(referee)
    assert reveal(referee, "A1", kind="moves").code == 0
    refused(referee, "C1.3/kept", "A1: ahead")
    say(referee, "A1: left", "B1: left")
    assert reveal(referee, "B1", kind="moves").code == 0 and said(referee) == []


def test_a_sealed_move_that_is_never_shown_is_no_kept_one(referee: Run) -> None:
    tied(referee)
    assert reveal(referee, "A1", kind="moves").code == 0
    say(referee, "A1: left", "B1: right", "impulse 3")
    hidden = ("C1.3/kept", "what was sealed as moves for turn 1, impulse 2 is not shown yet")
    assert not_checked(referee) == [hidden] and said(referee) == []
    for turn in ("2", "3"):
        assert referee("game", "next", GAME, "--to", turn, "--force", "--as", "alice").code == 0
    report = referee("check", GAME)
    assert "undecided [C1.3/kept] B1: turn 1" in report.out and "--turn 1 --impulse 2" in report.out, report
    assert ("undecided", "C1.3/kept", "B1") in said(referee)
    ran = reveal(referee, "B1", "--turn", "1", kind="moves")
    assert ran.code == 1 and "left was sealed for impulse 2, and right was moved" in ran.out, ran
    assert ("undecided", "C1.3/kept", "B1") not in said(referee)
    assert ("bob", "C1.3/kept", "B1") in fouls(referee)


def test_moves_of_several_impulses_are_sealed_under_their_impulses(referee: Run) -> None:
    begin(referee, TWINS)
    say(referee, "A1: speed 8", "B1: speed 8", "impulse 1")
    lines = ("--order", "A1: left", "--order", "impulse 4", "--order", "right")
    assert (
        referee("seal", "--game", GAME, "--kind", "moves", "--ship", "A1", *SEVEN[:1], "2", *lines).code == 0
    )
    assert reveal(referee, "A1", kind="moves").code == 0
    say(referee, "impulse 2", "A1: left", "B1: ahead")
    refused(referee, "C1.3/kept", "impulse 4", "A1: ahead")


def test_two_moves_for_one_impulse_are_not_decided(referee: Run) -> None:
    begin(referee, TWINS)
    say(referee, "A1: speed 8", "B1: speed 8", "impulse 2")
    both = ("--order", "left", "--order", "right")
    assert referee("seal", "--game", GAME, "--kind", "moves", "--ship", "A1", *both).code == 0
    ran = reveal(referee, "A1", kind="moves")
    assert ran.code == 0 and "2 moves are sealed for impulse 2" in ran.out, ran


def test_sealed_fire_is_not_passed_over_unopened_but_where_who_sealed_it_agrees(referee: Run) -> None:
    """As at a desk, by the same code."""
    played_here(referee)
    to = ("game", "next", GAME, "--to", "1.7.resolve-fire")
    before = GAME.read_bytes()
    for more in ((), ("--agreed", "alice"), ("--as", "bob")):
        ran = referee(*to, *more)
        assert ran.code == 1 and "sealed fire is not opened (referee reveal): " in ran.out, ran
        assert "Des's fire" in ran.out or more[-1] == "bob"
        assert "--agreed alice,bob goes on without it" in ran.err or more[-1] == "bob"
    assert GAME.read_bytes() == before
    assert referee(*to, "--agreed", "alice,bob").code == 0


def test_fire_is_not_sealed_once_fire_is_over(referee: Run) -> None:
    begin(referee, DUEL)
    assert referee("game", "next", GAME, "--to", "1.7.resolve-fire").code == 0
    sealed = ("seal", "--game", GAME, "--kind", "fire", "--ship", "Con", "--order", "fire PH-1A at Des")
    ran = referee(*sealed)
    assert ran.code == 2 and "the fire in impulse 7 is over; nothing was sealed" in ran.err, ran
    assert referee(*sealed, "--impulse", "8").code == 0
    assert referee(*sealed, "--force").code == 0
