"""The replay page: every moment in it, nothing from elsewhere, nothing of a player's that runs."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace

from lxml import html

from referee.core.finding import Finding, Severity
from referee.core.hexgrid import Hex
from referee.core.positions import PlayedGame, Position, UnitShown
from referee.core.state import new_state
from referee.report.replayhtml import replay_html
from referee.rulebooks.registry import load_ship

CA = load_ship("cadet/federation-ca")


def game(name: str = "Const", happened: str = "Const: ahead") -> PlayedGame:
    whole = new_state(CA)
    hurt = replace(whole, destroyed=frozenset({"lab/1"}), shields={**CA.shields, 1: 9})
    units = [UnitShown(name, "ship", Hex(10, row), "A", "fed", "8", state=whole) for row in (12, 11)]
    struck = replace(units[1], state=hurt)
    error = Finding("C3.0", Severity.ERROR, "turned too early", name, 1, 2, expected="2", found="1")
    positions = (
        Position(1, None, "speeds", "Const: speed 8", "#5", (units[0],)),
        Position(1, 2, "move", happened, "#7", (units[1],), (error,)),
        Position(1, 2, "fire", "Const: hit", "#9", (struck,)),
    )
    note = Finding("NOTE/x", Severity.NOTE, "of no moment")
    return PlayedGame(
        "duel.jsonl", "duel.jsonl", "sfb-cadet", positions, {name: CA}, "illegal", (note,), head="9-abc"
    )


def data(page: str) -> dict[str, object]:
    text = html.fromstring(page).get_element_by_id("game").text
    found: dict[str, object] = json.loads(text)
    return found


def test_every_moment_has_its_row_its_changes_and_its_mark() -> None:
    page = replay_html(game())
    assert page == replay_html(game())
    tree = html.fromstring(page)
    assert [row.get("id") for row in tree.get_element_by_id("log")] == ["m0", "m1", "m2"]
    assert [mark.get("data-go") for mark in tree.find_class("marks")[0]] == ["1"]
    assert "C3.0" in tree.get_element_by_id("m1").text_content()
    assert "expected 2" in tree.get_element_by_id("m1").text_content()
    moments = data(page)["moments"]
    assert isinstance(moments, list)
    assert moments[0]["u"]["0"]["at"] == "1012A" and moments[1]["u"] == {"0": {"at": "1011A"}}
    assert moments[2]["u"] == {"0": {"lost": ["lab/1"], "shields": {"1": 9}}}
    assert moments[1]["found"].startswith("error C3.0")


def test_without_a_script_the_page_is_still_the_report() -> None:
    tree = html.fromstring(replay_html(game()))
    for script in list(tree.iter("script")):
        script.getparent().remove(script)
    told = tree.text_content()
    for words in ("Illegal", "C3.0", "turned too early", "of no moment", "head 9-abc"):
        assert words in told
    boxes = {box.get("data-box"): box.get("class") for box in tree.iter("rect") if box.get("data-box")}
    assert boxes["lab/1"] == "gone unsure" and boxes["lab/2"] == "box unsure"


def test_without_a_script_the_page_says_that_it_shows_the_end_and_has_no_dead_buttons() -> None:
    page = replay_html(game())
    assert html.fromstring(page).get_element_by_id("now").text == "At the end, 1.2: fire: Const: hit"
    assert "html:not(.live) .row" in page and 'classList.add("live")' in page


def test_a_turn_or_an_impulse_that_begins_is_told() -> None:
    positions = (Position(1, None, "", "", "line 4", ()), Position(1, 2, "", "", "", ()))
    begun = PlayedGame("o.txt", "o.txt", "sfb-cadet", positions, {}, "legal")
    page = replay_html(begun)
    rows = [" ".join(row.text_content().split()) for row in html.fromstring(page).get_element_by_id("log")]
    assert rows == ["1 turn 1 line 4", "1.2 impulse 2"]
    moments = data(page)["moments"]
    assert isinstance(moments, list) and [one["text"] for one in moments] == ["turn 1", "impulse 2"]


def test_only_its_own_script_may_run_and_nothing_is_loaded() -> None:
    page = replay_html(game())
    tree = html.fromstring(page)
    policy = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    scripts = [one for one in tree.iter("script") if not one.get("type")]
    digest = base64.b64encode(hashlib.sha256(scripts[0].text.encode()).digest()).decode()
    assert len(scripts) == 1 and f"script-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy
    assert not re.search(r"""(?:src|href)=["'](?!#)""", page)


def test_names_and_words_of_players_are_never_markup() -> None:
    bad = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\u202e{{ 7*7 }}"
    page = replay_html(game(bad, bad))
    tree = html.fromstring(page)
    assert len(list(tree.iter("script"))) == 2 and not list(tree.iter("img"))
    assert "\u202e" not in page and "49" not in tree.get_element_by_id("m1").text_content()
    moments = data(page)["moments"]
    assert isinstance(moments, list) and "</script>" in moments[1]["text"]
