"""Damage stated in several blocks, ships moved in the set-up, and a file that ends in the midst of a line."""

from __future__ import annotations

import pytest

from tests.unit.sources.sfbol_judged import errors, judged, said

SHIPS = [
    "D7 Kharg (Type:Klingon D7) has been added at 2020, direction A, speed 0",
    "USS Sabre (Type:Federation CA) has been added at 2012, direction D, speed 0",
]
THIRD = "D7 Vengeance (Type:Klingon D7) has been added at 2812, direction F, speed 0"
FIRE = [
    "D7 Kharg fires Phaser-2 #1 (FX) at USS Sabre (Range: 8)",
    "Bob Rolls 1d6: 1",
    "D7 Vengeance fires Phaser-2 #1 (FX) at USS Sabre (Range: 8)",
    "Bob Rolls 1d6: 2",
]


def block(*points: int, left: str) -> list[str]:
    """Damage of the Sabre, by shield."""
    return [
        "Allocation of damage for: USS Sabre",
        f"Damage: {'/'.join(map(str, points))} (Total: {sum(points)})",
        f"Remaining Shield: {left}",
    ]


SECOND = block(0, 0, 0, 0, 0, 2, left="27/24/20/20/20/22")


def fired(*after: str) -> list[str]:
    """Two ships fire at the Sabre, 3 points and 2, in one impulse."""
    return [*SHIPS, THIRD, "Impulse 1.4:", *FIRE, *after, "Impulse 1.5:"]


def test_the_fire_of_an_impulse_may_be_stated_in_several_blocks() -> None:
    assert judged(fired(*block(3, 0, 0, 0, 0, 2, left="27/24/20/20/20/22"))).verdict == "legal"
    parts = judged(fired(*block(3, 0, 0, 0, 0, 0, left="27/24/20/20/20/24"), *SECOND))
    assert not errors(parts)
    (found,) = said(parts, "NOTE/unexplained-volley")
    assert found.severity == "undecided" and "may be of the fire before" in found.message


def test_blocks_that_dice_do_not_come_to_in_any_way_are_found() -> None:
    wrong = judged(
        fired(
            *block(9, 0, 0, 0, 0, 0, left="21/24/20/20/20/24"),
            *block(0, 0, 0, 0, 0, 2, left="21/24/20/20/20/22"),
        )
    )
    assert {key for key, _ in errors(wrong)} == {"E2.4/stated"}


def test_damage_that_does_not_add_up_leaves_the_shields_after_it_undecided() -> None:
    one = [*SHIPS, "Impulse 1.4:", *FIRE[:2]]
    odd = [
        "Allocation of damage for: USS Sabre",
        "Damage: 2/0/0/0/0/0 (Total: 3)",
        "Remaining Shield: {}",
        "Impulse 1.5:",
    ]
    lines = [*one, *odd]
    report = judged([line.format("27/24/20/20/20/24") for line in lines])
    assert not errors(report) and [one.severity for one in said(report, "D4.1/stated")] == ["undecided"]
    sure = [*one, *block(3, 0, 0, 0, 0, 0, left="26/24/20/20/20/24"), "Impulse 1.5:"]
    assert {key for key, _ in errors(judged(sure))} == {"D4.1/stated"}


@pytest.mark.parametrize(("moved", "verdict"), [("2020", "legal"), ("2018", "illegal")])
def test_a_ship_stands_where_the_set_up_moved_it(moved: str, verdict: str) -> None:
    put = SHIPS[0].replace("2020", "2030").replace("speed 0", "speed 8")
    lines = [put, SHIPS[1], "D7 Kharg has moved to 2021A", "Impulse 1.4:", f"D7 Kharg has moved to {moved}"]
    report = judged([*lines, "Impulse 1.5:"])
    assert report.verdict == verdict, report.findings


def test_the_end_of_a_cut_line_is_held_against_nobody() -> None:
    told = [*SHIPS, "Impulse 1.4:", *FIRE[:2], *block(3, 0, 0, 0, 0, 0, left="27/24/20/20/20/2")]
    text = "\n".join(told)
    cut = judged(text.encode())
    (found,) = said(cut, "D4.1/stated")
    assert found.severity == "undecided" and "in the midst of this line" in found.message
    assert {key for key, _ in errors(judged(f"{text}\n".encode()))} == {"D4.1/stated"}


def test_a_launch_from_no_known_weapon_leaves_the_game_undecided() -> None:
    lines = [
        *SHIPS,
        "Impulse 1.4:",
        "D1 (Type:Klingon Drone) has been added at 2012, D1 was launched by USS Sabre",
    ]
    report = judged([*lines, "Impulse 1.5:"])
    (found,) = said(report, "NOTE/flights")
    assert found.severity == "undecided" and report.verdict == "cannot-tell"


@pytest.mark.parametrize("damage", [block(6, 0, 0, 0, 0, 0, left="24/24/20/20/20/24"), []])
def test_a_ship_that_fires_at_itself_by_a_slip_of_the_pen_is_held_to_that_alone(damage: list[str]) -> None:
    """What range and shield it would be at, and whose the damage is, nobody knows."""
    shots = [
        FIRE[0],
        "D7 Kharg fires Disruptor #A (FA) at D7 Kharg using Standard mode (Range: 8)",
        "Bob Rolls 1d6: 1, 1",
    ]
    lines = [*SHIPS, "Impulse 1.4:", *shots, *damage, "Impulse 1.5:"]
    report = judged(lines)
    assert errors(report) == {("D1.0", 5)}
    if damage:
        assert "fires at itself in line 5" in said(report, "E2.4/stated")[0].message
