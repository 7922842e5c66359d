"""The speed a secret form pays for is said before the impulses: asked for, warned of, taken from a form that is shown."""

from __future__ import annotations

from tests.cli.conftest import Run
from tests.unit.play.test_game_order_of_movement import GAME, awaited, begin, say
from tests.unit.play.test_game_play import form
from tests.unit.play.test_game_sealed_fire import fouls

DUEL = ("Con=cadet/federation-ca:alice@1001D/8", "Des=cadet/klingon-d6:bob@1012A/8")
FORMS = {
    "Constellation": {"Movement": 8, "Phasrecharge": 3},
    "Destruction": {"Movement": 12, "Phasrecharge": 4},
}


def asked(ship: str) -> str:
    """How the speed of a ship is asked for."""
    return f'the speed of {ship} for turn 1, as its form pays for it (game say "{ship}: speed N")'


def sealed(referee: Run, *ships: str) -> None:
    begin(referee, DUEL)
    for ship, name in (("Con", "Constellation"), ("Des", "Destruction")):
        if ship in ships or not ships:
            ran = referee("seal", form(name, 1, FORMS[name]), "--game", GAME, "--ship", ship)
            assert ran.code == 0, ran


def speeds(referee: Run) -> dict[str, int]:
    return {ship["name"]: ship["speed"] for ship in referee("game", "status", GAME, "--json").json["ships"]}


def test_once_all_forms_are_sealed_the_speeds_are_asked_for(referee: Run) -> None:
    sealed(referee, "Con")
    assert not [what for _, what in awaited(referee) if "speed" in what], "forms first"
    GAME.unlink()
    sealed(referee)
    assert awaited(referee) == [("alice", asked("Con")), ("bob", asked("Des"))]
    ran = say(referee, "Con: speed 8")
    assert f"awaited from bob: {asked('Des')}" in ran.out and "speed of Con" not in ran.out
    assert referee("game", "next", GAME).code == 0
    assert awaited(referee) == [("bob", asked("Des"))]
    say(referee, "Des: speed 12")
    assert awaited(referee) == []
    assert "C1.4/said" not in say(referee, "impulse 2", "Con: ahead", "Des: ahead").out


def test_without_a_word_the_impulses_begin_with_a_warning(referee: Run) -> None:
    sealed(referee)
    say(referee, "Con: speed 8")
    ran = say(referee, "impulse 2")
    assert "warning [C1.4/said] Des" in ran.out and "it counts as 8, as before" in ran.out, ran
    assert "[C1.4/said] Con" not in ran.out
    assert "C1.4/said" not in say(referee, "Con: ahead", "Des: ahead", "impulse 3").out, "told once"
    report = referee("check", GAME, "--json")
    told = [found["subject"] for found in report.findings("warning") if found["key"] == "C1.4/said"]
    assert report.code == 0 and told == ["Des"]


def test_a_form_shown_before_the_impulses_says_the_speed(referee: Run) -> None:
    sealed(referee)
    say(referee, "Con: speed 8")
    ran = referee("reveal", "--game", GAME, "--ship", "Des")
    assert ran.code == 0 and "order: Des: speed 12" in ran.out, ran
    assert speeds(referee) == {"Con": 8, "Des": 12} and awaited(referee) == []
    assert referee("reveal", "--game", GAME, "--ship", "Con").code == 0
    assert "C1.4/said" not in say(referee, "impulse 2", "Con: ahead", "Des: ahead").out
    assert fouls(referee) == [] and referee("check", GAME).code == 0


def test_a_form_shown_later_is_held_against_the_speed_it_counts_at(referee: Run) -> None:
    """A ship that said none moves as before, and its form may pay for another."""
    sealed(referee)
    say(referee, "Con: speed 8", "impulse 1")
    ran = referee("reveal", "--game", GAME, "--ship", "Des")
    assert ran.code == 1 and "[B3.0-14/said] Des" in ran.out and "line 14 Movement pays for 12" in ran.out, (
        ran
    )
    assert fouls(referee) == [("bob", "B3.0-14/said", "Des")]


def test_nor_does_it_move_at_another_speed_than_its_shown_form_pays_for(referee: Run) -> None:
    sealed(referee)
    say(referee, "Con: speed 8")
    assert referee("game", "next", GAME, "--to", "1.sensor-lock-on").code == 0
    assert referee("reveal", "--game", GAME, "--ship", "Des").code == 0
    say(referee, "impulse 2", "Con: ahead")
    ran = referee("game", "say", GAME, "Des: ahead")
    assert ran.code == 1 and "[B3.0-14/said] Des" in ran.err, ran


def test_who_plays_without_forms_is_asked_for_no_speed(referee: Run) -> None:
    begin(referee, DUEL)
    assert "C1.4/said" not in say(referee, "impulse 2", "Con: ahead", "Des: ahead").out
    assert not [what for _, what in awaited(referee) if "speed" in what]


def test_a_form_that_is_still_sealed_is_not_checked(referee: Run) -> None:
    sealed(referee)
    reason = "the energy form of turn 1 is sealed, and not all of it is shown"
    rows = referee("check", GAME, "--json").json["not_checked"]
    assert [(row["key"], row["subject"]) for row in rows if row["reason"] == reason] == [
        ("B3.0", "Con"),
        ("B3.0", "Des"),
    ]
    assert referee("reveal", "--game", GAME, "--ship", "Des").code == 0
    rows = referee("check", GAME, "--json").json["not_checked"]
    assert [row["subject"] for row in rows if row["reason"] == reason] == ["Con"]
