"""Fire, launches and cloaks of an orders file: judged from where the ships stand when they are ordered."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.cli.main import run
from referee.core.finding import Report, Verdict
from referee.formats.orders import parse_orders
from referee.judging.orders import judge_orders
from referee.rulebooks.registry import load_rulebook, load_ship

CADET = """rulebook sfb-cadet
impulses 16
ship Fed = cadet/federation-ca at 1010D speed 16
ship Kli = cadet/klingon-d6 at 1016A speed 16
turn 1
impulse 1
  Fed: ahead
  Kli: ahead
"""
STANDARD = """rulebook sfb-standard
ship Rom = standard/romulan-kr at 1010D speed 0
ship Kli = standard/klingon-d7 at 1016A speed 0
turn 1
"""


def judged(text: str) -> Report:
    orders = parse_orders(text, "o", load_ship)
    return judge_orders(load_rulebook(orders.rulebook), orders, load_ship)


def found(text: str) -> list[tuple[int, str, str]]:
    """Line, severity and key of each finding."""
    return [(f.location.line or 0, str(f.severity), f.key) for f in judged(text).findings]


def test_fire_that_is_in_order() -> None:
    report = judged(CADET + "  Fed: fire PH-1/A, PHOT/A at Kli\n  Kli: launch DRN/1 at Fed\n")
    assert report.verdict is Verdict.LEGAL
    assert {"E1.2", "D2.1", "FD4.21", "C1.4"} <= set(report.checked)
    assert {item.key for item in report.not_checked} == {"E1.2/energy", "MAP/hex"}


def test_a_weapon_bears_from_where_its_ship_stands_then() -> None:
    turned = "impulse 2\n  Fed: left\n  Kli: right\n"
    assert found(CADET + turned + "  Fed: fire PHOT/A at Kli\n") == [], "left of dead ahead is in FA"
    assert found(CADET + turned + "  Fed: fire PH-1/A at Kli\n") == [(12, "error", "D2.2")]


def test_once_a_turn_and_a_quarter_turn_between() -> None:
    again = "impulse 2\n  Fed: ahead\n  Kli: ahead\n  Fed: fire PH-1/C at Kli\n"
    assert found(CADET + "  Fed: fire PH-1/C at Kli\n" + again) == [(13, "error", "E2.23")]


def test_one_drone_a_turn() -> None:
    later = "impulse 2\n  Fed: ahead\n  Kli: ahead\n  Kli: launch DRN/1 at Fed\n"
    assert found(CADET + "  Kli: launch DRN/1 at Fed\n" + later) == [(13, "error", "FD4.21")]


def test_a_drone_is_not_fired_nor_a_phaser_launched() -> None:
    said = "  Kli: fire DRN/1 at Fed\n  Kli: launch PH-2/A at Fed\n"
    assert {key for _, _, key in found(CADET + said)} >= {"D1.3", "D1.3/launch"}


def test_a_ship_that_fades_out_does_not_fire_and_is_lost_to_lock_on() -> None:
    cloak = "impulse 5\n  Rom: cloak\n  Rom: fire PH-1/1 at Kli\n"
    assert found(STANDARD + cloak) == [(7, "error", "G13.0/fire")]
    drone = "impulse {n}\n  Kli: launch DRN/1 at Rom\n"
    assert found(STANDARD + "impulse 5\n  Rom: cloak\n" + drone.format(n=8)) == [], "still fading"
    assert found(STANDARD + "impulse 5\n  Rom: cloak\n" + drone.format(n=9)) == [(8, "error", "D6.121")]
    stays = "impulse 5\n  Rom: cloak\nturn 2\nimpulse 1\n  Kli: launch DRN/1 at Rom\n"
    assert found(STANDARD + stays) == [(9, "error", "D6.121")], "taken as paid for until it uncloaks"


def test_what_may_be_announced_when() -> None:
    early = "impulse 5\n  Rom: cloak\nimpulse 6\n  Rom: uncloak\n"
    assert found(STANDARD + early) == [(8, "undecided", "G13.0/announce"), (8, "error", "G13.0/remains")]
    report = judged(STANDARD + "impulse 5\n  Rom: cloak\nturn 2\nimpulse 1\n  Rom: uncloak\n")
    assert report.verdict is Verdict.LEGAL
    assert "G13.0/paid" in {item.key for item in report.not_checked}
    assert "G13.0/paid" not in report.checked
    assert found(STANDARD + "impulse 3\n  Rom: uncloak\n") == [(6, "error", "G13.0/announce")]


def test_what_cannot_be_judged_is_said() -> None:
    unknown = CADET.replace("cadet/federation-ca", "cadet/federation-cx")
    report = judged(unknown + "  Fed: fire PH-1/A at Kli\n  Kli: hit 4 on 1\n")
    assert {("E1.0", "Fed"), ("D4.22", "Kli")} <= {(item.key, item.subject) for item in report.not_checked}


@pytest.mark.parametrize("first", [1, 3])
def test_a_file_from_the_middle_of_a_game_does_not_know_what_fired_before(first: int) -> None:
    text = CADET.replace("turn 1", f"turn {first}") + "  Fed: fire PH-1/C at Kli\n"
    unknown = {item.key for item in judged(text).not_checked}
    assert ("E1.5" in unknown) == (first == 3)


def test_check_judges_the_whole_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "orders.txt"
    path.write_text(CADET + "  Fed: fire PH-1/C at Kli\n  Fed: fire PH-1/C at Kli\n")
    assert run(["check", str(path)]) == 1
    out = capfd.readouterr().out
    assert "E1.2" in out and "only the movement" not in out


def test_no_ship_fires_or_launches_at_itself() -> None:
    said = "  Kli: fire PH-2/A at Kli\n  Kli: launch DRN/1 at Kli\n"
    assert {(line, key) for line, _, key in found(CADET + said)} >= {(9, "D1.0"), (10, "D1.0/launch")}


def test_nor_at_a_ship_of_its_own_side_where_sides_are_told() -> None:
    told = CADET.replace("1010D speed 16", "1010D speed 16 side alice")
    same = told.replace("1016A speed 16", "1016A speed 16 side alice")
    other = told.replace("1016A speed 16", "1016A speed 16 side bob")
    fire = "  Fed: fire PH-1/A at Kli\n"
    assert found(same + fire) == [(9, "error", "D1.0")]
    assert found(other + fire) == []


def test_a_ship_without_a_device_does_not_cloak() -> None:
    cloak = "impulse 5\n  {ship}: cloak\n"
    assert found(STANDARD + cloak.format(ship="Kli")) == [(6, "error", "G13.0/device")]
    assert found(STANDARD + cloak.format(ship="Rom")) == []
    fire = cloak.format(ship="Kli") + "  Kli: fire PH-2/1 at Rom\n"
    assert [key for _, _, key in found(STANDARD + fire)] == ["G13.0/device"], "so it does not fade out"
