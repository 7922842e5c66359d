"""The classes of ships in a log by what the client and the players call them: taken where one fits, else asked for."""

from __future__ import annotations

import pytest

from referee.core.finding import Report
from referee.sources.sfbol_classes import classes_called
from tests.unit.sources.sfbol_judged import judged, said
from tests.unit.sources.test_sfbol_games import FIRE

OTHER = "Sabre (Type:Federation CA) has been added at 2010, direction D, speed 8"


def called(name: str, type: str, file: str = "SFB_Game.log") -> Report:
    """The report on a log with one ship called so, in which nothing is against the rules."""
    put = f"{name} (Type:{type}) has been added at 2020, direction A, speed 8"
    return judged([put, OTHER, *(line.replace("Kharg", name) for line in FIRE)], name=file)


@pytest.mark.parametrize("name", ["D7 Kharg", "d7 kharg", "Kharg (D7)", "D-7 Kharg"])
@pytest.mark.parametrize("type", ["User-Defined Ship", "Ship"])
def test_a_type_alone_is_taken_where_one_class_is_of_it_and_that_is_said(name: str, type: str) -> None:
    report = called(name, type)
    (found,) = said(report, "NOTE/class")
    assert found.severity == "note" and "taken to be standard/klingon-d7" in found.message
    assert found.subject == name and f'--ship "{name}=CLASS"' in found.fix
    assert report.verdict == "legal"


def test_a_class_told_with_its_race_needs_no_note() -> None:
    assert not said(called("Kharg", "Klingon D7"), "NOTE/class")
    assert called("D7 Kharg", "Klingon").verdict == "legal"


def test_a_type_that_several_classes_have_is_left_open_and_they_are_named() -> None:
    report = called("CA Kharg", "User-Defined Ship")
    (found,) = said(report, "NOTE/ship")
    choices = ("standard/federation-ca", "standard/gorn-ca", "standard/lyran-ca", "standard/tholian-ca")
    assert found.severity == "undecided" and ", ".join(choices) in found.message
    assert found.fix == 'say --ship "CA Kharg=CLASS"' and report.verdict == "cannot-tell"


def test_the_rulebook_of_the_game_decides_between_classes_of_one_type() -> None:
    """A D6 is in both rulebooks: the other ship, or what the client's Cadet games are called, tells which."""
    for file, id in (("SFB_Game.log", "standard/klingon-d6"), ("SFBCadet_Game.log", "cadet/klingon-d6")):
        put = "D6 Kharg (Type:User-Defined Ship) has been added at 2020, direction A, speed 8"
        (found,) = said(judged([put, "Impulse 1.1:"], name=file), "NOTE/class")
        assert id in found.message


@pytest.mark.parametrize(
    ("name", "type"),
    [
        ("D7 Kharg", "Klingon D7C"),
        ("Kharg", "Klingon D7 TC"),
        ("Kharg", "Federation CA+"),
        ("Kharg", "Klingon"),
        ("Romulan D7 Kharg", "User-Defined Ship"),
        ("WYN CS Kharg", "User-Defined Ship"),
        ("WE COME IN PEACE", "User-Defined Ship"),
        ("We Come In Peace", "User-Defined Ship"),
        ("Raider", "User-Defined Ship"),
        ("Lancer", "User-Defined Ship"),
        ("D77 Kharg", "User-Defined Ship"),
    ],
)
def test_a_variant_another_race_or_a_word_that_is_no_type_is_not_guessed(name: str, type: str) -> None:
    report = called(name, type)
    assert [one.subject for one in said(report, "NOTE/ship")] == [name]
    assert not said(report, "NOTE/class") and report.verdict == "cannot-tell"


@pytest.mark.parametrize(
    ("type", "id"),
    [
        ("Klingon D7 Battlecruiser", "standard/klingon-d7"),
        ("Romulan War Eagle", "standard/romulan-we"),
        ("Federation Constitution class", "standard/federation-ca"),
        ("Fed CA", "standard/federation-ca"),
        ("Hydran Ranger", "standard/hydran-rn"),
    ],
)
def test_the_words_of_a_class_fit_it_in_full_or_not(type: str, id: str) -> None:
    assert [ship.id for ship in classes_called("Kharg", type, "sfb-standard").fits] == [id]
