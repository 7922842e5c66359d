"""`referee map`: a save, a log's step and a record's moment as a picture."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from lxml import etree

from referee.core.hexgrid import true_range
from referee.judging.map_scene import tracks_of
from referee.judging.played_games import played_game
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from tests.cli.conftest import Run
from tests.cli.test_play_by_play import log as play_by_play
from tests.net.gamefiles import MODULE, log_of
from tests.property.test_logs_properties import any_game
from tests.unit.formats.vassal.game_logs import module_bytes, write_log

ROOT = Path(__file__).resolve().parents[2]
GAME = ROOT / "examples" / "games" / "cadet-duel.jsonl"
SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    return [str(text.text) for text in etree.fromstring(picture.encode()).iter(f"{SVG}text")]


def test_a_moment_of_a_record_is_drawn_with_the_ways_of_its_turn(referee: Run) -> None:
    ran = referee("map", GAME, "--at", "2.8", "--weapon", "constellation ph1a")
    assert ran.code == 0
    told = texts(ran.out)
    assert (
        "turn 2, impulse 8, move ships: Destruction: left" in told and "dashed: the way of this turn" in told
    )
    assert any("PH-1/A of Constellation (LS) bears" in text for text in told)
    entry = referee("map", GAME, "--at", "#33")
    assert "turn 1, impulse 8, move ships: Constellation: ahead" in texts(entry.out)


ORDERS = """rulebook sfb-cadet
impulses 16
ship Constellation = cadet/federation-ca at 2801E speed 16
ship Destruction = cadet/klingon-d6 at 0216B speed 16
turn 1
  Constellation: speed 13
  Destruction: speed 13
impulse 2
  Constellation: ahead
  Destruction: ahead
impulse 3
  Constellation: left
  Destruction: ahead
"""


@pytest.mark.parametrize(
    ("ship", "at", "impulse", "hexes"),
    [("Constellation", "1.2", 3, 3), ("Constellation", "", 4, 1), ("destruction", "1.3", 4, 3)],
)
def test_an_orders_file_shows_what_a_ship_may_enter_next_at_any_moment(
    referee: Run, own_folder: Path, ship: str, at: str, impulse: int, hexes: int
) -> None:
    (own_folder / "duel.txt").write_text(ORDERS, encoding="utf-8")
    ran = referee("map", "duel.txt", "--next", ship, *(("--at", at) if at else ()))
    assert ran.code == 0 and ran.out.count('class="next"') == hexes
    told = f"green edge: a hex that {ship.title()} may enter in impulse {impulse}, at speed 13"
    assert told in texts(ran.out)


def test_a_record_shows_what_a_ship_may_enter_next_at_a_moment_that_is_past(referee: Run) -> None:
    ran = referee("map", GAME, "--next", "Constellation", "--at", "2.5")
    assert ran.code == 0 and ran.out.count('class="next"') == 3
    assert "green edge: a hex that Constellation may enter in impulse 6, at speed 8" in texts(ran.out)


def test_a_log_shows_what_a_ship_may_enter_next_as_its_moves_tell(referee: Run, own_folder: Path) -> None:
    (own_folder / "game.vlog").write_bytes(log_of("battle 0"))
    (own_folder / "game.vmod").write_bytes(module_bytes())
    ran = referee("map", "game.vlog", "--module", "game.vmod", "--next", "CA Ship0", "--at", "1.4")
    assert ran.code == 0, ran.err
    assert 1 <= ran.out.count('class="next"') <= 3
    assert any("that CA Ship0 may enter in impulse" in text for text in texts(ran.out))


def test_a_log_of_the_online_client_shows_what_a_ship_may_enter_next(referee: Run, own_folder: Path) -> None:
    play_by_play()
    ran = referee("map", "game.log", "--next", "IKV 1017 Kharg", "--at", "1.9")
    assert ran.code == 0 and ran.out.count('class="next"') == 3
    assert "a hex that IKV 1017 Kharg may enter in impulse 12, at speed 8" in " ".join(texts(ran.out))


def test_a_save_does_not_tell_what_a_ship_may_enter_next_and_says_so(referee: Run) -> None:
    ran = referee("map", ROOT / "examples" / "duel" / "duel.vsav", "--next", "CA Constellation")
    assert ran.code == 2 and ran.err.count("\n") == 1
    assert "how CA Constellation moved before is not told, and its next hexes hang on it" in ran.err


def test_a_record_as_it_stands_shows_what_a_ship_may_enter_next(referee: Run, own_folder: Path) -> None:
    assert referee("map", GAME, "--next", "Constellation", "-o", "map.svg").code == 0
    picture = (own_folder / "map.svg").read_text(encoding="utf-8")
    assert 'class="next"' in picture


@pytest.mark.one_in(3)
@pytest.mark.parametrize("asked", [("map",), ("replay",), ("check", "--json"), ("show",), ("show", "--svg")])
def test_a_piped_record_is_read_as_its_file_is(referee: Run, asked: tuple[str, ...]) -> None:
    of_file = referee(asked[0], GAME, *asked[1:])
    named = referee(asked[0], "-", *asked[1:], "--stdin-name", GAME.name, stdin=GAME.read_bytes())
    assert (named.code, named.out.replace(str(GAME), GAME.name)) == (
        0,
        of_file.out.replace(str(GAME), GAME.name),
    )
    nameless = referee(asked[0], "-", *asked[1:], stdin=GAME.read_bytes())
    assert nameless.code == 0 and len(nameless.out.splitlines()) == len(of_file.out.splitlines())


def test_the_ships_of_a_log_are_drawn_by_the_class_that_its_later_forms_tell(
    referee: Run, own_folder: Path
) -> None:
    (own_folder / "game.vlog").write_bytes(log_of("battle 0"))
    (own_folder / "game.vmod").write_bytes(module_bytes())
    early = referee("map", "game.vlog", "--module", "game.vmod", "--step", "0")
    assert early.code == 0 and {"CA Ship0", "D6 Ship1"} <= set(texts(early.out))
    drawn = referee("show", "game.vlog", "--module", "game.vmod", "--step", "0", "--svg")
    assert drawn.code == 0 and "Federation" in drawn.out
    last = referee("map", "game.vlog", "--module", "game.vmod", "--step", "9999")
    assert last.code == 2 and "has no step 9999; it has steps 0 to" in last.err


def test_a_move_that_was_taken_back_leaves_no_stub_in_a_track_and_is_told() -> None:
    games = (any_game(Random(seed)) for seed in range(99))
    game = next(one for one in games if any(play.undone for play in one.plays))
    looked_at = played_game(
        InputBytes("game.vlog", write_log(game).data, "save"), Asked(Settings(), module=str(MODULE))
    )
    assert all(position.happened for position in looked_at.positions)
    back = [n for n, position in enumerate(looked_at.positions) if position.taken_back]
    assert back and "takes back step" in looked_at.positions[back[-1] + 1].happened
    for n in range(back[-1] + 1, len(looked_at.positions)):
        for track in tracks_of(looked_at, n).values():
            assert all(true_range(one, other) == 1 for one, other in pairwise(track))
            assert not any(track[k] == track[k + 2] for k in range(len(track) - 2))


def test_a_save_is_drawn(referee: Run) -> None:
    ran = referee("map", ROOT / "examples" / "duel" / "duel.vsav")
    assert ran.code == 0 and any("Constellation" in text for text in texts(ran.out))


@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("turn 2", "turn 2, end of turn"),
        ("entry #35", "turn 1, impulse 8"),
        ("3.1", "turn 3"),
        ("2.9", "turn 2, impulse 8"),
    ],
)
def test_a_moment_in_which_nothing_was_done_is_the_game_as_it_stood(referee: Run, at: str, told: str) -> None:
    ran = referee("map", GAME, "--at", at)
    assert ran.code == 0 and any(text.startswith(told) for text in texts(ran.out))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--at", "9.1"], "has no moment 9.1"),
        (["--weapon", "Constellation PH-9"], "has no weapon PH-9"),
        (["--weapon", "Enterprise PH-1/A"], "no ship in Enterprise"),
        (["--step", "3"], "has no steps"),
        (["--next", "Enterprise"], "no ship Enterprise"),
        (["--next", "Constellation", "--at", "1.16"], "does not move again in turn 1, at speed 12"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(referee: Run, arguments: list[str], told: str) -> None:
    ran = referee("map", GAME, *arguments)
    assert ran.code == 2 and told in ran.err and ran.err.count("\n") == 1


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(referee: Run, own_folder: Path) -> None:
    (own_folder / "real.svg").write_text("old")
    (own_folder / "link.svg").symlink_to("real.svg")
    assert referee("map", GAME, "-o", "link.svg").code == 0
    assert (own_folder / "link.svg").is_symlink() and "<svg" in (own_folder / "real.svg").read_text()


def test_a_device_is_written_to_and_stays_one(referee: Run) -> None:
    assert referee("map", GAME, "-o", "/dev/null").code == 0
    assert Path("/dev/null").is_char_device()


def test_hexes_are_named_as_the_module_of_a_log_names_them(referee: Run, own_folder: Path) -> None:
    game = any_game(Random(3))
    (own_folder / "game.vlog").write_bytes(write_log(game).data)
    (own_folder / "game.vmod").write_bytes(module_bytes())
    plain = referee("map", "game.vlog", "--module", "game.vmod")
    says = {"schema": "referee/module-map/1", "module": {"name": "Cadet Duel"}, "hexes": {"label": "RRCC"}}
    (own_folder / "map.json").write_text(json.dumps(says), encoding="utf-8")
    turned = referee("map", "game.vlog", "--module", "game.vmod", "--map", "map.json")
    assert plain.code == turned.code == 0, turned.err
    # The same names stand in the picture, in the hexes that the map says they mean: columns and rows change places.
    names = {text for text in texts(turned.out) if re.fullmatch(r"\d{4}", text)}
    assert names and names != {text for text in texts(plain.out) if re.fullmatch(r"\d{4}", text)}


def test_the_picture_names_the_range_bands_of_a_weapon(referee: Run) -> None:
    phaser = referee("map", GAME, "--weapon", "Constellation PH-1/A").out
    assert "range bands: 0, 1, 2, 3, 4, 5, 6-8, 9-15, 16-25" in phaser
    disruptor = referee("map", GAME, "--weapon", "Destruction DISR/A").out
    assert "range bands: 0, 1, 2, 3-4, 5-8, 9-15, 16-22<" in disruptor


def test_a_weapon_that_is_launched_says_so_instead_of_range_bands(referee: Run) -> None:
    drone = " ".join(texts(referee("map", GAME, "--weapon", "Destruction DRN/1", "--at", "1.8").out))
    assert "DRN/1 of Destruction (360): launched, and follows its target; it has no range bands" in drone
    assert "small arrowhead: a drone or another seeker that was launched" in drone and "tinted" not in drone
    page = referee("replay", GAME).out
    assert "Small arrowhead: a drone or another seeker that was launched." in page
