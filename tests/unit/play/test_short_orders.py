"""Short orders, as they are said at a table."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from referee.cli.main import run
from referee.core.errors import BadInput
from referee.core.game import GameState
from referee.play.game_file import open_game
from referee.play.short_orders import line_meant, orders_meant, orders_of


@pytest.fixture
def state(tmp_path: Path) -> GameState:
    path = str(tmp_path / "duel.jsonl")
    ships = ["Constellation=cadet/federation-ca:ann@1015A/8", "War=cadet/klingon-d6:bob@1010D/8"]
    more = ["Cairo=cadet/federation-ca:ann@1115A/8", "Fed A=cadet/federation-ca:ann@1215A/8"]
    given = [part for ship in (*ships, *more) for part in ("--ship", ship)]
    assert run(["game", "new", path, "--players", "ann,bob", "--dice", "physical", *given]) == 0
    return open_game(path).state


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("co a", "Constellation: ahead"),
        ("w l", "War: left"),
        ("Constellation: ahead", "Constellation: ahead"),
        ("co: r", "Constellation: right"),
        ("co f ph1a,b w", "Constellation: fire PH-1/A, PH-1/B at War"),
        ("co f ph1a, b at w on 2", "Constellation: fire PH-1/A, PH-1/B at War on 2"),
        ("co f phota w #1", "Constellation: fire PHOT/A at War on 1"),
        ("co f all", "Constellation: fire all at War"),
        ("w la drn1 cai", "War: launch DRN/1 at Cairo"),
        ("w f disra,b fed a", "War: fire DISR/A, DISR/B at Fed A"),
        ("fed a a", "Fed A: ahead"),
        ("fed a f ph1a w", "Fed A: fire PH-1/A at War"),
        ("co s 13", "Constellation: speed 13"),
        ("co b 1 ph1a", "Constellation: battery 1 for PH-1/A"),
        ("w h", "War: hold fire"),
        ("w lo co", "War: lock on Constellation"),
        ("w c", "War: cloak"),
        ("w u", "War: uncloak"),
        ("w le", "War: leave the map"),
        ("w hit 7 on 1", "War: hit 7 on 1"),
        ("impulse 4", "impulse 4"),
        ("help", "help"),
        ("co a\nw a", "Constellation: ahead\nWar: ahead"),
        ("co f ph1a w; h", "Constellation: fire PH-1/A at War; hold fire"),
        ("co a; w l", "Constellation: ahead\nWar: left"),
        (
            "co f ph1a w; h; w r; f ph2a co",
            "Constellation: fire PH-1/A at War; hold fire\nWar: right; fire PH-2/A at Constellation",
        ),
        ("Constellation: ahead; War: left", "Constellation: ahead\nWar: left"),
        ("w c; fed a a; h;", "War: cloak\nFed A: ahead; hold fire"),
        ("co f ph1a w; b 1 ph1a", "Constellation: fire PH-1/A at War; battery 1 for PH-1/A"),
        ("co a # first; w l", "Constellation: ahead # first; w l"),
    ],
)
def test_a_short_order_is_written_out(state: GameState, said: str, meant: str) -> None:
    assert orders_meant(state, said) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [("a", "War: ahead"), ("f ph2a co", "War: fire PH-2/A at Constellation"), ("s 12", "War: speed 12"),
     ("l", "War: left"), ("co a", "Constellation: ahead"), ("fed a r", "Fed A: right")],
)  # fmt: skip
def test_what_names_no_ship_is_the_movers(state: GameState, said: str, meant: str) -> None:
    assert orders_meant(state, said, "War") == meant


def test_a_beginning_of_several_names_is_asked_back(state: GameState) -> None:
    with pytest.raises(BadInput, match="c may be Constellation or Cairo"):
        orders_meant(state, "c a")


def test_a_part_that_begins_several_names_is_asked_back(state: GameState) -> None:
    with pytest.raises(BadInput, match="c may be Constellation or Cairo"):
        orders_meant(state, "w a; ca l; c: a")


@pytest.mark.parametrize("said", ["zebra a", "co xyzzy", "nonsense"])
def test_what_is_no_short_order_is_left_to_the_order_language(state: GameState, said: str) -> None:
    assert orders_meant(state, said).rpartition(": ")[2] in (said, "xyzzy")


def test_the_beginning_of_two_names_and_a_letter_is_not_the_beginning_of_one() -> None:
    ships = dict.fromkeys(("Destruction", "Decius"))
    state = cast("Any", SimpleNamespace(ships=ships, launched=(), drones={}, seekers={}))
    with pytest.raises(BadInput, match="de may be Destruction or Decius"):
        line_meant(state, "de s 16")
    assert line_meant(state, "des s 16") == "Destruction: speed 16"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("w f ph2a co", ["fire PH-2/A at Constellation"]),
        ("War: fire PH-2/A at Constellation", ["fire PH-2/A at Constellation"]),
        ("w: f ph2a co; w h", ["fire PH-2/A at Constellation", "hold fire"]),
        ("f ph2a co; hold fire", ["fire PH-2/A at Constellation", "hold fire"]),
        ("l", ["left"]),
        ("impulse 4\nl", ["impulse 4", "left"]),
        ("lefft", ["lefft"]),
    ],
)
def test_orders_of_one_ship_may_begin_with_its_name(state: GameState, said: str, meant: list[str]) -> None:
    assert orders_of(state, "War", said) == meant


@pytest.mark.parametrize("said", ["b s 12", "b a", "Alpha: ahead; b s 12"])
def test_a_beginning_of_two_ships_is_no_order_of_the_mover(tmp_path: Path, said: str) -> None:
    ships = ("Alpha=cadet/federation-ca:ann@1015A/8", "Bravo=cadet/klingon-d6:bob@1010D/8", "Brute=cadet/klingon-d6:bob@1110D/8")  # fmt: skip
    given = [part for ship in ships for part in ("--ship", ship)]
    path = str(tmp_path / "six.jsonl")
    assert run(["game", "new", path, "--players", "ann,bob", "--dice", "physical", *given]) == 0
    state = open_game(path).state
    with pytest.raises(BadInput, match="b may be Bravo or Brute; say more of the name"):
        orders_meant(state, said, "Alpha")
    assert orders_meant(state, "b 1 ph1a", "Alpha") == "Alpha: battery 1 for PH-1/A"
    assert orders_meant(state, "bra a", "Alpha") == "Bravo: ahead"


def test_orders_of_another_ship_are_not_taken_for_this_one(state: GameState) -> None:
    with pytest.raises(BadInput, match="'co a' is for Constellation; orders of War alone"):
        orders_of(state, "War", "co a")
