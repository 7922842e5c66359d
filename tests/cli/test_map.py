"""`referee map`: a save, a log's step and a record's moment as a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree

from tests.cli.conftest import Run

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
    entry = referee("map", GAME, "--at", "#35")
    assert "turn 1, impulse 8, move ships: Constellation: ahead" in texts(entry.out)


def test_a_record_as_it_stands_shows_what_a_ship_may_enter_next(referee: Run, own_folder: Path) -> None:
    assert referee("map", GAME, "--next", "Constellation", "-o", "map.svg").code == 0
    picture = (own_folder / "map.svg").read_text(encoding="utf-8")
    assert 'class="next"' in picture


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
        (["--next", "Constellation", "--at", "1.2"], "as it stands now"),
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
