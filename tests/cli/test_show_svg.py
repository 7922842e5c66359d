"""`referee show --svg`: the ships of a class, a save and a record drawn as on their SSDs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lxml import etree

from referee.rulebooks.registry import load_ship, ship_ids
from tests.cli.conftest import Run
from tests.cli.test_play_by_play import ACTS, SPEEDS
from tests.unit.sources.sfbol_judged import duel, written

ROOT = Path(__file__).resolve().parents[2]
GAME = ROOT / "examples" / "games" / "cadet-duel.jsonl"
SVG = "{http://www.w3.org/2000/svg}"


def titles(picture: str) -> list[str]:
    drawn = etree.fromstring(picture.encode())
    return [str(text.text) for text in drawn.iter(f"{SVG}text") if text.get("class") == "title"]


def test_a_class_is_drawn_to_standard_output(referee: Run) -> None:
    ran = referee("show", "cadet/federation-ca", "--svg")
    assert ran.code == 0 and titles(ran.out) == ["Federation cadet cruiser"]


def test_the_ships_of_a_save_and_of_a_record_are_drawn_into_a_file(referee: Run, own_folder: Path) -> None:
    for name in ("duel/duel.vsav", "games/cadet-duel.jsonl"):
        out = own_folder / f"{Path(name).stem}.svg"
        assert referee("show", ROOT / "examples" / name, "-o", out).code == 0
        names = [name.split()[-1] for name in titles(out.read_text(encoding="utf-8"))]
        assert names == ["Constellation", "Destruction"]


ORDERS = """rulebook sfb-cadet
ship <b>Hood</b> = cadet/federation-ca at 1805D speed 8
ship Kestrel = cadet/klingon-d6 at 1809A speed 8
turn 1
impulse 2
  <b>Hood</b>: ahead
"""


def test_the_ships_of_an_orders_file_and_of_a_log_of_the_online_client_are_drawn(
    referee: Run, own_folder: Path
) -> None:
    (own_folder / "orders.txt").write_text(ORDERS)
    lines = written(duel(SPEEDS, ACTS), own_names=False)
    (own_folder / "game.log").write_text("\n".join(lines) + "\n")
    assert titles(referee("show", "orders.txt", "--svg").out) == ["<b>Hood</b>", "Kestrel"]
    assert titles(referee("show", "game.log", "--svg").out) == ["IKV 1017 Kharg", "USS Sabre"]
    assert "Klingon D7  (standard/klingon-d7)" in referee("show", "game.log", "--ssd").out
    kestrel = referee("show", "game.log", "--svg", "--ship", "USS Sabre=standard/klingon-d6")
    assert kestrel.code == 0 and "standard/klingon-d6" in kestrel.out
    told = referee("show", "orders.txt")
    assert told.code == 0 and "<b>Hood</b> (cadet/federation-ca) at 1806D, speed 8" in told.out
    assert "power 20, shields #1 15/15" in told.out
    data = referee("show", "orders.txt", "--json")
    assert data.code == 2 and "orders are shown in words" in data.err


@pytest.mark.parametrize(
    ("what", "ships", "words"),
    [
        ("cadet/federation-ca", 1, "Turn mode"),
        ("duel/duel.vsav", 2, "Movement"),
        ("games/cadet-duel.jsonl", 2, "turn 3, end of turn"),
        ("games/trek-duel.jsonl", 0, "Lancer"),
        ("duel/constellation.csv", 0, "Movement"),
        ("vassal/cadet-duel.vlog", 2, "Pieces"),
        ("orders.txt", 2, "&lt;b&gt;Hood&lt;/b&gt;"),
    ],
)
def test_show_writes_a_page_with_the_ships_and_what_is_in_a_file(
    referee: Run, own_folder: Path, what: str, ships: int, words: str
) -> None:
    (own_folder / "orders.txt").write_text(ORDERS)
    asked = ROOT / "examples" / what if (ROOT / "examples" / what).exists() else what
    assert referee("show", asked, "-o", "page.html").code == 0
    page = (own_folder / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == ships and words in page
    assert "default-src 'none'" in page and "<script" not in page and "<b>" not in page
    assert page == referee("show", asked, "--html").out


def test_a_page_shows_a_side_no_more_than_it_knows(referee: Run) -> None:
    record = ROOT / "examples" / "games" / "trek-duel.jsonl"
    page = referee("show", record, "--html", "--as", "alpha")
    assert page.code == 0 and "as side alpha knows it" in page.out


@pytest.mark.parametrize("way", ["--svg", "--ssd", "--html"])
def test_what_nobody_knows_of_a_ship_is_not_shown_as_if_it_had_none(referee: Run, way: str) -> None:
    drawn = referee("show", "cadet/freighter", way).out
    assert "power not known" in drawn and "not known here: shields, boxes, tracks" in drawn
    assert "power 0" not in drawn
    whole = referee("show", "cadet/federation-ca", way).out
    assert "power 20" in whole and "not known here" not in whole


def test_what_has_no_ships_is_refused_in_one_line(referee: Run) -> None:
    form = referee("show", ROOT / "examples" / "duel" / "constellation.csv", "--svg")
    assert form.code == 2 and "has no ships to draw" in form.err
    steps = referee("show", ROOT / "examples" / "duel" / "duel.vsav", "--svg", "--step", "3")
    assert steps.code == 2 and "has no steps" in steps.err
    both = referee("show", "cadet/federation-ca", "--svg", "--json")
    assert both.code == 2 and "two formats" in both.err


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--as", "fed"), "--as with a picture"),
        (("--ship", "cadet/klingon-d6"), "--ship with what is no save or log"),
        (("--step", "3"), "--step with what is no save or log"),
    ],
)
@pytest.mark.parametrize("way", ["--svg", "--ssd"])
def test_what_a_picture_has_no_use_for_is_refused_and_not_passed_over(
    referee: Run, way: str, more: tuple[str, ...], told: str
) -> None:
    ran = referee("show", GAME, way, *more)
    assert (ran.code, ran.out) == (2, "") and told in ran.err


@pytest.mark.parametrize(
    ("asked", "instead"),
    [
        (("map", GAME, "-o", "x.png"), "-o x.svg"),
        (("replay", GAME, "-o", "x.pdf"), "-o x.html"),
        (("show", GAME, "--svg", "-o", "x.PNG"), "-o x.svg"),
        (("check", GAME, "-o", "x.pdf"), "-o x.html"),
        (("odds", "cadet/federation-ca", "--damage", "9", "--shield", "1", "-o", "x.jpg"), "-o x.svg"),
    ],
)
def test_a_file_is_never_something_else_than_its_suffix_says(
    referee: Run, own_folder: Path, asked: tuple[str | Path, ...], instead: str
) -> None:
    ran = referee(*asked)
    assert ran.code == 2 and instead in ran.err and "is not written" in ran.err
    assert list(own_folder.iterdir()) == []


@pytest.mark.parametrize("id", sorted(one for one in ship_ids() if not one.startswith("trek/")))
def test_an_ssd_in_the_terminal_has_every_box_and_shield_within_its_width(referee: Run, id: str) -> None:
    ship = load_ship(id)
    ran = referee("show", id, "--ssd")
    assert ran.code == 0 and all(len(line) <= 79 for line in ran.out.splitlines()), id
    boxes = sum(len(ship.box_ids(system)) for system in ship.boxes) + len(ship.mounts)
    boxes += sum(len(ship.box_ids(track)) for track in ship.tracks)
    assert len(re.findall(r"\[[^\]]{1,3}\]", ran.out)) == boxes + ran.out.count("[X] and x")
    for number, printed in ship.shields.items():
        assert re.search(rf"shield {number}[?*]? {printed}/{printed}\b", ran.out) or not printed


def test_the_terminal_shows_what_is_lost_as_the_picture_does(referee: Run) -> None:
    drawn, written = referee("show", GAME, "--svg").out, referee("show", GAME, "--ssd").out
    lost = len(re.findall(r'class="gone[^"]*" data-box="(?!shield)', drawn))
    assert written.count("[X]") - written.count("[X] and x") == lost > 0
    assert written.count("x") - written.count("and x: lost") >= len(
        re.findall(r'class="gone[^"]*" data-box="shield', drawn)
    )
