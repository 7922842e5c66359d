"""What a screen of 80 × 24 cannot hold at once is wrapped or scrolled, and none of it is lost; what is behind the shield
says what the table says."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import run
from referee.core.finding import Finding, Severity
from referee.live.screen.page import TablePage
from referee.live.screen.panels import Against
from referee.play.acting import Answer
from referee.play.desk import Desk
from tests.unit.live.keys import pressed
from tests.unit.live.test_screen import GAME, duel, folder, shown, types

__all__ = ["folder"]
SHOT = "PH-1/A it fired on turn 1, impulse 1 already"


def words(text: str) -> str:
    """A screen as running text."""
    return " ".join(text.split())


def fired() -> TablePage:
    """Both have fired a phaser in impulse 1, and stand in one hex."""
    page = duel(at=("1010D", "1014A"))
    pressed(page, "aa")
    types(page, ":sar f ph1a war; war f ph2a sar")
    pressed(page, ("enter", "n", "n", "a", "a"))
    return page


def test_why_a_weapon_may_not_fire_is_told_whole_over_the_declarations() -> None:
    page = fired()
    page.press("f", "f")
    for _ in range(2):
        assert "…" not in shown(page).splitlines()[-2]
        told = words(shown(page))
        assert "it fired on turn 1, impulse 1 already [E2.23]" in told
        assert "effective range 0 is outside its reach" in told
        page.press("tab")


def test_a_long_reason_is_wrapped_and_what_does_not_go_in_is_scrolled() -> None:
    page = fired()
    page.press("f", "f")
    panel = page.panel
    assert panel is not None
    seen = set()
    for _ in range(9):
        rows = panel.rows(30, 8)
        assert len(rows) <= 8
        seen |= {"".join(text for text, _ in row).strip() for row in rows}
        panel.press("pagedown", "")
    assert "already [E2.23]" in words(" ".join(sorted(seen))) or any("[E2.23]" in row for row in seen)
    assert any("[E4.0]" in row for row in seen) and any("PH-1/C" in row for row in seen)
    for _ in range(9):
        panel.press("pageup", "")
    assert any("PH-1/B" in text for row in panel.rows(30, 8) for text, _ in row)


def test_a_refusal_is_read_whole_with_its_order_and_to_its_end() -> None:
    page = fired()
    orders = "; ".join(["war a", "sar a"] * 12)
    types(page, f":{orders}")
    page.press("enter")
    assert orders in words(shown(page))
    found = tuple(
        Finding("C1.1", Severity.ERROR, f"reason {n} " + "and more of it " * 6, "War", fix="none")
        for n in range(9)
    )
    page.panel = Against(page, Answer(findings=found, pending="war a"))
    assert "reason 8" not in shown(page) and "more lines: ↓" in shown(page)
    seen = ""
    for _ in range(40):
        seen += shown(page)
        page.press("down")
    assert all(f"reason {n}" in seen for n in range(9)) and "more lines" not in shown(page)
    page.press("u", "u")
    assert page.panel is None


def test_the_shield_says_what_may_be_sealed_in_the_step() -> None:
    page = duel(at=("1030A", "1010D"))
    pressed(page, ("s", "enter"))
    told = shown(page)
    assert "a move: a, l, r; or fire" in told
    assert "may fire once all have moved; from where it stands now it would be:" in told
    page.press("escape")
    pressed(page, "aa")
    pressed(page, ("s", "enter"))
    assert "a move:" not in shown(page) and "may fire now:" in shown(page)
    page.press("escape")


def test_behind_the_shield_nothing_may_be_fired_once_fire_is_over() -> None:
    page = duel(at=("1010D", "1014A"))
    pressed(page, "aa")
    types(page, ":sar f ph1a war")
    pressed(page, ("enter", "n"))
    assert page.desk.sight.step == "resolve fire"
    pressed(page, ("s", "enter"))
    assert "may fire" not in shown(page) and "the fire of this impulse are over" in shown(page)


def test_w_has_said_accept_already() -> None:
    page = duel()
    page.press("w", "w")
    types(page, "accept war 1214E both had agreed")
    page.press("enter")
    assert "War stands at 1214E, its move of the impulse: both had agreed" in shown(page)


def test_help_with_a_word_is_a_page_of_the_screen() -> None:
    page = duel()
    types(page, ":? fire")
    page.press("enter")
    assert "type: SHIP: fire PH-1/A, PHOT/B at TARGET" in shown(page)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_letters_of_six_ships_are_explained_beside_their_map(size: tuple[int, int]) -> None:
    names = ("Constellation", "Constitution", "Concordance", "Devastation", "Destruction", "Desolation")
    ships = [
        part
        for n, name in enumerate(names)
        for part in (
            "--ship",
            f"{name}=cadet/federation-ca:{'ann' if n % 2 else 'bob'}@{10 + n}{10 + 2 * n}A/8",
        )
    ]
    Path(GAME).unlink()
    assert run(["game", "new", GAME, "--players", "ann,bob", "--dice", "physical", *ships]) == 0
    page = TablePage(Desk(GAME))
    page.press("v", "v")
    told = shown(page, *size)
    for letter, name in zip("CONDES", names, strict=True):
        assert f"{letter} {name}" in told and f"{letter}↑" in told


def test_what_stays_undecided_is_in_sight_before_the_move() -> None:
    ships = ("Saratoga=cadet/federation-ca:ann@1010A/16", "Texas=cadet/federation-ca:bob@1005D/16")
    Path(GAME).unlink()
    given = [part for ship in ships for part in ("--ship", ship)]
    assert run(["game", "new", GAME, "--players", "ann,bob", "--dice", "physical", *given]) == 0
    page = TablePage(Desk(GAME))
    for name in ("s", "t"):
        page.desk.say(f"{name} s 16")
    page.press("n", "n")
    assert "moved openly: undecided [C1.3]" in shown(page)
    page.press("a", "a")
    assert "undecided" not in shown(page)


def test_an_undo_says_what_of_it_stands_above_the_list() -> None:
    page = duel()
    pressed(page, "aa")
    for n in range(12):
        page.desk.note(f"note {n}")
    page.press("u", "u")
    for _ in range(12):
        page.press("down")
    told = shown(page)
    assert "13 entries, 12 notes among them; " in told and "7 above: ↑" in told
    for _ in range(12):
        page.press("up")
    assert "note 11" in shown(page) and "above" not in shown(page)
