"""`referee replay`: a record, a save and a log as one page."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import html

from tests.cli.conftest import Run

pytestmark = pytest.mark.net

ROOT = Path(__file__).resolve().parents[2]


def test_a_record_becomes_a_page_with_every_entry_that_is_play(referee: Run, own_folder: Path) -> None:
    assert referee("replay", ROOT / "examples" / "games" / "cadet-duel.jsonl", "-o", "game.html").code == 0
    page = html.fromstring((own_folder / "game.html").read_text(encoding="utf-8"))
    rows = page.get_element_by_id("log")
    assert len(rows) > 200 and rows[0].text_content().split()[0] == "0"
    assert [sheet.get("data-ship") for sheet in page.find_class("ssds")[0]] == ["0", "1"]
    assert "Legal" in page.find_class("verdict")[0].text_content()


def test_it_is_told_in_the_words_of_the_desk(referee: Run) -> None:
    game = ROOT / "examples" / "games" / "cadet-duel.jsonl"
    page = html.fromstring(referee("replay", game).out).get_element_by_id("log").text_content()
    retold = referee("game", "replay", game).out
    report = referee("game", "report", game).out
    for told in (page, retold):
        assert "Destruction: 3 points on #6: 12 to 9, nothing inside (no dice needed)" in told
    assert "Destruction: 3 points on #6 from Constellation: 12 to 9, nothing inside." in report
    for told in (page, retold, report):
        assert "Constellation PH-1/A at Destruction: range 2, die 6: hit, 3 points on #6" in told
        assert "Constellation shows its form of turn 1: speed 12, phasers 3, PHOT A 2, PHOT B 2" in told
        assert not any(words in told for words in ("1 event", "eaf", "#6 -3", "lab/1"))


def test_a_save_is_a_page_of_one_moment_with_what_its_check_finds(referee: Run) -> None:
    ran = referee("replay", ROOT / "examples" / "duel" / "duel.vsav")
    page = html.fromstring(ran.out)
    (row,) = page.get_element_by_id("log")
    assert ran.code == 0 and "B3.0-20/sum" in row.text_content()
    assert "Illegal" in page.find_class("verdict")[0].text_content()


def test_a_form_is_no_game(referee: Run) -> None:
    ran = referee("replay", ROOT / "examples" / "duel" / "constellation.csv")
    assert ran.code == 2 and "no game to look at" in ran.err


def test_a_log_becomes_a_page_with_its_findings_at_their_steps(
    referee: Run, shared: Path, own_folder: Path
) -> None:
    log = shared / "vassal" / "saves" / "duel" / "p05_turn_mode.vlog"
    assert referee("replay", log, "-o", "log.html").code == 0
    page = html.fromstring((own_folder / "log.html").read_text(encoding="utf-8"))
    assert "Illegal" in page.find_class("verdict")[0].text_content()
    (row,) = [row for row in page.get_element_by_id("log") if "C3." in row.text_content()]
    audit = referee("check", log, "--json").json["findings"]
    (error,) = [finding for finding in audit if finding["severity"] == "error"]
    assert f"step {error['location']['step']}" in row.text_content()


def test_an_orders_file_becomes_a_page_and_a_map(referee: Run, own_folder: Path) -> None:
    orders = """rulebook sfb-cadet
impulses 16
ship Const = cadet/federation-ca at 2801E speed 16
turn 1
Const: speed 13
impulse 2
Const: left
impulse 3
Const: left
"""
    (own_folder / "duel.txt").write_text(orders)
    assert referee("replay", "duel.txt", "-o", "duel.html").code == 0
    page = html.fromstring((own_folder / "duel.html").read_text(encoding="utf-8"))
    (row,) = [row for row in page.get_element_by_id("log") if "C3.2" in row.text_content()]
    first = page.get_element_by_id("log")[0].text_content()
    assert "ship Const = cadet/federation-ca at 2801E speed 16" in first and "=Const" not in first
    assert "line 9" in row.text_content() and "Illegal" in page.find_class("verdict")[0].text_content()
    ran = referee("map", "duel.txt", "--at", "1.2")
    assert ran.code == 0 and "Const at 2801" not in ran.out and 'class="track t0"' in ran.out


def test_what_an_orders_file_says_of_hits_is_shown_in_its_own_words(referee: Run, own_folder: Path) -> None:
    lines = (
        "rulebook sfb-cadet", "option map=0101-0606",
        "ship Alpha = cadet/federation-ca at 0505A speed 10 side Federation",
        "turn 1", "impulse 1", "  Alpha: hit 5 on 1",
    )  # fmt: skip
    (own_folder / "orders.txt").write_text("\n".join(lines), encoding="utf-8")
    drawn = referee("map", "orders.txt")
    assert drawn.code == 0 and "Alpha: hit 5 on 1" in drawn.out and 'class="edge"' in drawn.out
    assert "Alpha: hit 5 on 1" in referee("replay", "orders.txt").out


def test_a_side_is_told_that_nothing_in_a_record_of_ships_is_hidden_from_it(referee: Run) -> None:
    ran = referee("replay", ROOT / "examples" / "games" / "cadet-duel.jsonl", "--as", "fed")
    assert (ran.code, ran.out) == (2, "") and "nothing in it is secret to one side" in ran.err
    log = referee("replay", ROOT / "examples" / "duel" / "duel.vsav", "--as", "fed")
    assert log.code == 2 and "is no record" in log.err
