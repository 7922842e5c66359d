"""The replay page in a real browser: the script runs under its policy, opens at the moment of its address, and shows the
game as it stood; nothing is asked of a network."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from lxml import html

from referee.judging.played_games import played_game
from referee.report.volleytext import power_left
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings
from tests.cli.conftest import Run
from tests.conftest import ROOT

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
GAME = ROOT / "examples" / "games" / "cadet-duel.jsonl"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(BROWSER is None, reason="no Chromium here"),
]


@pytest.fixture
def page(referee: Run, own_folder: Path) -> Path:
    assert referee("replay", GAME, "-o", "game.html").code == 0
    return own_folder / "game.html"


def opened(page: Path, at: str, profile: Path) -> tuple[html.HtmlElement, str]:
    """The page as the browser has it once its script has run, and what the browser said meanwhile."""
    assert BROWSER
    switches = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        "--v=0",
        "--dump-dom",
    ]
    asked = [BROWSER, *switches, f"--user-data-dir={profile}", f"{page.as_uri()}{at}"]
    ran = subprocess.run(asked, capture_output=True, text=True, timeout=120, check=True)
    return html.fromstring(ran.stdout), ran.stderr


def test_the_address_opens_a_moment_and_the_ships_are_drawn_as_they_stood(page: Path, tmp_path: Path) -> None:
    tree, said = opened(page, "#t2.8", tmp_path / "profile")
    assert not re.findall(r"CONSOLE.*", said)
    (row,) = [row for row in tree.iter("li") if row.get("aria-current")]
    assert row.text_content().split()[0] == "2.8" and "live" in tree.get("class", "")
    game = played_game(read_input(str(GAME)), Asked(Settings()))
    position = game.positions[int(row.get("data-n"))]
    for sheet, unit in zip(
        tree.find_class("ssds")[0], [u for u in position.units if u.kind == "ship"], strict=True
    ):
        assert unit.state is not None
        boxes = {
            box.get("data-box"): str(box.get("class")).split()[0]
            for box in sheet.iter("rect")
            if box.get("data-box")
        }
        gone = {box for box, kind in boxes.items() if kind != "box" and not box.startswith("shield")}
        assert gone == unit.state.destroyed
        power = sum(power_left(game.classes[unit.name], unit.state).values())
        assert f"power {power}, speed {unit.speed}" in [text.text for text in sheet.iter("text")]
        left = sum(kind == "box" for box, kind in boxes.items() if box.startswith("shield"))
        assert left == sum(unit.state.shields.values())


def test_a_step_of_four_hundred_moments_changes_what_is_shown(page: Path, tmp_path: Path) -> None:
    first, _ = opened(page, "#m0", tmp_path / "profile")
    last, said = opened(page, "#m200", tmp_path / "profile")
    places = [
        [one.get("transform") for one in tree.iter("g") if one.get("data-unit")] for tree in (first, last)
    ]
    assert places[0] != places[1] and not re.findall(r"CONSOLE.*", said)
