"""What people look at, in a real browser: the replay page and check reports run under their policy, ask nothing of a
network, work by keyboard alone, fit a phone and paper, and are fit for readers of every kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.core.beside import Beside, Broadside, DiceFallen, FormPart, RowShown, ShipStruck
from referee.core.finding import Report
from referee.core.hexgrid import Hex
from referee.core.positions import PlayedGame, Position, UnitShown
from referee.core.state import new_state
from referee.judging.played_games import played_game
from referee.report import checkhtml
from referee.report.replayhtml import replay_html
from referee.report.volleytext import power_left
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings
from tests.browser import AXE, CHROMIUM, Page, chromium
from tests.cli.conftest import Run
from tests.conftest import ROOT
from tests.net.gamefiles import MODULE
from tests.unit.judging.test_beside import fought
from tests.unit.report.conftest import HOSTILE, of_an_adversary

GAME = ROOT / "examples" / "games" / "cadet-duel.jsonl"
ILLEGAL = ROOT / "examples" / "duel" / "duel.vsav"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here"),
]
PAGES = ("replay", "log", "form", "save", "volley")
A4 = 718
"""Pixels across a printed page, between the browser's margins."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with chromium(tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.fixture
def page_of(referee: Run, own_folder: Path) -> Iterator[dict[str, Path]]:
    """The pages that are looked at: replays of a record and of a log, and reports on a form, a save and volleys."""
    log = own_folder / "game.vlog"
    log.write_bytes(fought("mark-system 6").data)
    asked = {
        "replay": ("replay", GAME),
        "log": ("replay", log, "--module", str(MODULE)),
        "form": ("check", ROOT / "examples" / "duel" / "constellation.csv"),
        "save": ("check", ILLEGAL),
        "volley": ("check", log, "--module", str(MODULE)),
    }
    for name, arguments in asked.items():
        assert referee(*arguments, "-o", f"{name}.html").code in (0, 1)
    yield {name: own_folder / f"{name}.html" for name in asked}


def shown_moment(browser: Page) -> str:
    told = browser.run("document.querySelector('#log li[aria-current]').dataset.n")
    return str(told)


def test_the_address_opens_a_moment_and_the_ships_are_drawn_as_they_stood(
    browser: Page, page_of: dict[str, Path]
) -> None:
    browser.open(page_of["replay"], "#t2.8")
    assert browser.run("document.querySelector('#log li[aria-current] .at').textContent") == "2.8"
    game = played_game(read_input(str(GAME)), Asked(Settings()))
    position = game.positions[int(shown_moment(browser))]
    sheets = browser.run(
        "[...document.querySelectorAll('.ssds [data-ship]')].map(sheet => ({"
        "text: [...sheet.querySelectorAll('text')].map(t => t.textContent),"
        "boxes: [...sheet.querySelectorAll('rect[data-box]')].map(b => [b.dataset.box, b.getAttribute('class').split(' ')[0]])}))"
    )
    ships = [unit for unit in position.units if unit.kind == "ship"]
    for sheet, unit in zip(sheets, ships, strict=True):
        assert unit.state is not None
        boxes = dict(sheet["boxes"])
        gone = {box for box, kind in boxes.items() if kind != "box" and not box.startswith("shield")}
        assert gone == unit.state.destroyed
        power = sum(power_left(game.classes[unit.name], unit.state).values())
        assert f"power {power}, speed {unit.speed}" in sheet["text"]
        left = sum(kind == "box" for box, kind in boxes.items() if box.startswith("shield"))
        assert left == sum(unit.state.shields.values())


def test_ways_and_struck_shields_are_those_of_the_picture_of_the_map(
    browser: Page, page_of: dict[str, Path], referee: Run
) -> None:
    browser.open(page_of["replay"], "#t2.14")
    last = int(shown_moment(browser))
    place = played_game(read_input(str(GAME)), Asked(Settings())).positions[last].place
    picture = referee("map", GAME, "--at", place).out
    ways = browser.run(
        "[...document.querySelectorAll('[data-track]')].map(t => t.getAttribute('points').split(' ').filter(p => p).length)"
    )
    drawn = [
        line.partition('points="')[2].count(",") for line in picture.splitlines() if 'class="track' in line
    ]
    assert sorted(count for count in ways if count) == sorted(drawn) and drawn
    struck = "[...document.querySelectorAll('[data-struck]')].filter(e => e.style.display !== 'none').length"
    assert browser.run(struck) == picture.count('class="struck"') > 0


@pytest.mark.parametrize("name", PAGES)
def test_no_request_leaves_a_page_and_its_console_is_silent(
    browser: Page, page_of: dict[str, Path], name: str
) -> None:
    browser.open(page_of[name])
    if name in ("replay", "log"):
        browser.press("ArrowRight", 3)
        browser.run("document.getElementById('last').click()")
    assert browser.said == [] and browser.asked == [page_of[name].resolve().as_uri()]


@pytest.mark.parametrize("name", ["replay", "log"])
def test_every_control_works_by_keyboard(browser: Page, page_of: dict[str, Path], name: str) -> None:
    browser.open(page_of[name], "#m0")
    last = int(browser.run("document.getElementById('slider').max"))
    browser.press("ArrowRight", 2)
    assert shown_moment(browser) == "2"
    browser.press("ArrowLeft")
    assert shown_moment(browser) == "1"
    browser.press("End")
    assert shown_moment(browser) == str(last)
    browser.press("Home")
    assert shown_moment(browser) == "0"
    browser.press("n")
    found = [
        n for n, _ in enumerate(range(last + 1)) if browser.run(f"!!document.querySelector('#m{n} .finding')")
    ]
    assert shown_moment(browser) == str(found[0] if found else 0)
    browser.press("End")
    browser.press("p")
    assert shown_moment(browser) == str(next((n for n in reversed(found) if n < last), last))
    browser.press(" ")
    assert browser.run("document.getElementById('play').textContent") == "Pause"
    browser.press(" ")
    assert browser.run("document.getElementById('play').textContent") == "Play"
    # Every control is reached with Tab, shows that it is, and does with Enter or Space what it does by a click.
    browser.open(page_of[name], "#t1")
    reached = {}
    for _ in range(16):
        browser.press("Tab")
        id = browser.run("document.activeElement.id")
        reached[id] = browser.run("getComputedStyle(document.activeElement).outlineStyle")
        if id in ("first", "back", "next", "last"):
            before = int(shown_moment(browser))
            browser.press("Enter")
            expected = {"first": 0, "back": max(0, before - 1), "next": min(last, before + 1), "last": last}[
                id
            ]
            assert shown_moment(browser) == str(expected), id
    # Where nothing was found there is nothing to go to, and the button says so.
    finding = {"finding"} if found else set()
    assert browser.run("document.getElementById('finding').disabled") is not bool(found)
    assert {"first", "back", "play", "next", "last", "slider"} | finding <= set(reached)
    assert all(reached[id] != "none" for id in ("first", "play", "slider", *finding))
    assert browser.said == []


def test_a_finding_on_the_slider_leads_to_its_moment(browser: Page, page_of: dict[str, Path]) -> None:
    browser.open(page_of["log"], "#m0")
    wanted = browser.run("document.querySelector('.marks a').dataset.go")
    browser.run("document.querySelector('.marks a').click()")
    assert shown_moment(browser) == wanted and browser.run("location.hash").startswith("#t")
    assert browser.run("document.getElementById('live').textContent")


def hostile_game() -> PlayedGame:
    """A game whose every text was written by an adversary."""
    ship = load_ship("cadet/federation-ca")
    units = (UnitShown(HOSTILE, "ship", Hex(10, 10), "A", HOSTILE, "8", "", new_state(ship)),)
    found = of_an_adversary().findings
    moments = [Position(1, n, HOSTILE, HOSTILE, HOSTILE, units, found) for n in (1, 2, 3)]
    return PlayedGame(HOSTILE, HOSTILE, HOSTILE, tuple(moments), {HOSTILE: ship}, "illegal", found)


def hostile_page() -> Report:
    """A report whose texts, and what stands beside them, were written by an adversary."""
    report = of_an_adversary()
    ship = load_ship("cadet/federation-ca")
    place = report.findings[0].location
    part = FormPart((HOSTILE,), (RowShown(HOSTILE, HOSTILE, (HOSTILE,)),), 0, 0)
    struck = ShipStruck(HOSTILE, ship, new_state(ship), frozenset(("lab/1",)), {1: 2}, HOSTILE)
    fired = Broadside(1, 1, HOSTILE, HOSTILE, HOSTILE, {0: 0.5, 1: 0.5}, 1)
    dice = (DiceFallen(HOSTILE, (1, 2, 3, 4, 5, 6)),)
    beside = Beside({place: part}, {place: (struck,)}, {place: (fired,)}, dice)
    return replace(report, beside=(beside,))


def test_what_adversaries_write_stays_text(browser: Page, tmp_path: Path) -> None:
    pages = {"replay.html": replay_html(hostile_game()), "check.html": checkhtml.render(hostile_page())}
    for name, text in pages.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        browser.open(tmp_path / name)
        browser.press("ArrowRight", 2)
        assert browser.said == [], name
        assert browser.asked == [(tmp_path / name).as_uri()]
        strangers = "document.querySelectorAll('script[src], img, iframe, object, link, form, base, [onerror], [onload]').length"
        assert browser.run(strangers) == 0
        assert browser.run("document.querySelectorAll('script').length") == (
            2 if name == "replay.html" else 0
        )


def test_the_policy_stops_a_script_that_is_not_the_pages_own(
    browser: Page, tmp_path: Path, page_of: dict[str, Path]
) -> None:
    for name in ("replay", "form"):
        text = page_of[name].read_text(encoding="utf-8")
        spoilt = text.replace(
            "</body>", '<script>document.title = "mine"</script><img src="http://127.0.0.1:9/x"></body>'
        )
        (tmp_path / "spoilt.html").write_text(spoilt, encoding="utf-8")
        browser.open(tmp_path / "spoilt.html")
        assert browser.run("document.title") != "mine" and browser.said, "the browser says what it refused"
        assert not [address for address in browser.asked if address.startswith("http")]


@pytest.mark.skipif(not AXE.exists(), reason="no axe-core here: .ci/seen brings it")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("wide", [390, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_serious_fault(
    browser: Page, page_of: dict[str, Path], name: str, wide: int, scheme: str
) -> None:
    browser.open(page_of[name], wide=wide, scheme=scheme)
    browser.run(AXE.read_text(encoding="utf-8") + "; 0")
    found = json.loads(
        browser.run(
            "axe.run().then(done => JSON.stringify(done.violations.map(v =>"
            " [v.impact, v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160))])))"
        )
    )
    assert [one for one in found if one[0] in ("serious", "critical")] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone(browser: Page, page_of: dict[str, Path], name: str) -> None:
    browser.open(page_of[name], wide=390, high=844)
    assert browser.run("document.documentElement.scrollWidth") <= 390
    letters = (
        "Math.min(...[...document.querySelectorAll('svg.ssd text')].map(t => {"
        " const b = t.getBoundingClientRect(); return b.height; }).filter(h => h))"
    )
    if name in ("replay", "log", "volley"):
        assert browser.run(letters) >= 9, "the text of an SSD can be read"


@pytest.mark.parametrize("name", PAGES)
def test_a_printed_page_has_nothing_cut_off(browser: Page, page_of: dict[str, Path], name: str) -> None:
    browser.open(page_of[name], wide=A4, high=1000, kind="print")
    cut = browser.run(
        "[...document.querySelectorAll('body *')].filter(e => {"
        " const style = getComputedStyle(e), box = e.getBoundingClientRect();"
        " if (!box.width || style.position === 'absolute' || e.closest('svg svg')) return false;"
        " const hides = style.overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1 && !(e instanceof SVGElement);"
        f" return hides || box.right > {A4} + 1; }}).map(e => e.outerHTML.slice(0, 120))"
    )
    assert cut == []
    controls = (
        "[...document.querySelectorAll('button, input')].filter(e => e.getBoundingClientRect().width).length"
    )
    assert browser.run(controls) == 0
    assert browser.printed().startswith(b"%PDF")


def test_without_script_the_replay_is_still_the_report(
    browser: Page, page_of: dict[str, Path], tmp_path: Path
) -> None:
    text = page_of["log"].read_text(encoding="utf-8")
    head, _, _ = text.rpartition("<script>")
    (tmp_path / "bare.html").write_text(head + "</body></html>", encoding="utf-8")
    browser.open(tmp_path / "bare.html")
    said = browser.run("document.body.innerText")
    assert (
        "D4.223" in said
        and "Illegal" in said
        and browser.run("document.querySelectorAll('svg.ssd').length") == 2
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1700, 950)])
def test_map_ships_and_log_are_in_sight_beside_each_other(
    browser: Page, page_of: dict[str, Path], width: int, height: int
) -> None:
    browser.open(page_of["replay"], "#t1.5", wide=width, high=height)
    inside = (
        "(s => { const r = document.querySelector(s).getBoundingClientRect();"
        f" return r.top >= 0 && r.left >= 0 && r.bottom <= {height} && r.right <= {width}; }})"
    )
    for part in (".board", "#log", ".ssds .sheet", "#log li[aria-current]"):
        assert browser.run(f"{inside}('{part}')"), part
    # Both ships stand at opposite ends of the map, and both are seen.
    seen = browser.run(
        "(() => { const b = document.querySelector('.board').getBoundingClientRect();"
        " return [...document.querySelectorAll('#units [data-unit]')].filter(u => u.style.display !== 'none')"
        ".map(u => u.querySelector('.counter').getBoundingClientRect())"
        ".map(r => r.left >= b.left && r.right <= b.right && r.top >= b.top && r.bottom <= b.bottom); })()"
    )
    assert seen == [True, True]


def test_a_ship_that_is_not_yet_placed_has_its_whole_power(browser: Page, page_of: dict[str, Path]) -> None:
    browser.open(page_of["replay"], "#m0")
    told = browser.run("[...document.querySelectorAll('[data-power]')].map(t => t.textContent.split(',')[0])")
    assert told == ["power 20", "power 20"]
