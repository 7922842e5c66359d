"""What seekers go after where several ships may be meant: said by the player, shown by a hit, or not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.errors import BadInput
from referee.core.finding import Report
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from tests.unit.sources.sfbol_judged import said

DRONE = "D001(1).1.1"
FLIGHT = [
    "Kharg (Type:Klingon D7) has been added at 2020, direction A, speed 0",
    "USS Sabre (Type:Federation CA) has been added at 2016, direction D, speed 0",
    "Marauder (Type:Federation CA) has been added at 3020, direction D, speed 0",
    "Impulse 1.1:",
    f"{DRONE} (Type:Klingon Drone) has been added at 2020A, {DRONE} was launched by Kharg",
    *(
        line
        for impulse, hex in ((2, 2019), (3, 2018), (4, 2017), (5, 2016))
        for line in (f"Impulse 1.{impulse}:", f"{DRONE} has moved to {hex}")
    ),
]
STRUCK = [
    "Allocation of damage for: Sabre",
    "Damage: 12/0/0/0/0/0 (Total: 12)",
    "Remaining Shield: 18/24/20/20/20/24",
]
OVER = ["Impulse 1.6:"]


def judged(lines: list[str], *targets: str) -> Report:
    source = InputBytes("SFB_Game.log", "\n".join(lines).encode(), "text")
    return judge_file(source, Asked(Settings(), targets=targets))


def courses(report: Report) -> list[str]:
    return [str(one.severity) for one in said(report, "F2.0")]


def test_without_a_hit_it_is_not_known_and_the_seeker_is_named() -> None:
    report = judged([*FLIGHT, *OVER])
    (found,) = said(report, "NOTE/flights")
    assert report.verdict == "cannot-tell" and DRONE in found.message
    assert found.fix == f'say --target "{DRONE}=SHIP"' and found.location.line == 5


def test_a_hit_shows_whom_it_was_after() -> None:
    assert judged([*FLIGHT, *STRUCK, *OVER]).verdict == "legal"
    lines = [*FLIGHT, *STRUCK, *OVER]
    for row in range(2016, 2020):
        lines = [line.replace(f"moved to {row}", f"moved to {row + 101}") for line in lines]
    report = judged(lines)
    assert report.verdict == "cannot-tell"
    assert set(courses(report)) == {"undecided"}  # It may have gone after another one.


def test_damage_of_fire_or_of_a_ship_elsewhere_shows_nothing() -> None:
    fired = [
        "USS Sabre fires Phaser-1 #1 (FX) at Sabre (Range: 4)",
        "Marauder fires Phaser-1 #1 (LF+L) at Sabre (Range: 11)",
        "Bob Rolls 1d6: 1",
    ]
    assert said(judged([*FLIGHT, *fired[1:], *STRUCK, *OVER]), "NOTE/flights")
    elsewhere = [line.replace("Sabre", "Marauder") for line in STRUCK]
    assert said(judged([*FLIGHT, *elsewhere, *OVER]), "NOTE/flights")


def test_the_player_says_it() -> None:
    assert judged([*FLIGHT, *STRUCK, *OVER], f"{DRONE}=Sabre").verdict == "legal"
    report = judged([*FLIGHT, *OVER], f"{DRONE.lower()} = marauder")
    assert courses(report) == ["error"] * 4
    assert judged([*FLIGHT, *STRUCK, *OVER], f"{DRONE}=Marauder").verdict == "illegal"


def test_of_several_games_it_is_said_of_each_that_launches_such_a_seeker() -> None:
    lines = [*FLIGHT, "Impulse 2.1:", *FLIGHT, *OVER]
    assert len(said(judged(lines), "NOTE/flights")) == 2
    assert courses(judged(lines, f"{DRONE}=Marauder")) == ["error"] * 8


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("D9=Sabre", "nothing is launched that is called so"),
        (f"{DRONE}=Klaa", "no such ship"),
        (f"{DRONE}=", "--target"),
        (f"{DRONE}=USS", "may be"),
    ],
)
def test_a_target_that_cannot_be_is_refused(target: str, why: str) -> None:
    lines = [line.replace("Marauder", "USS Marauder") for line in [*FLIGHT, *OVER]]
    with pytest.raises(BadInput, match=why):
        judged(lines, target)


def test_a_target_is_for_logs_of_the_client_alone() -> None:
    form = Path(__file__).parents[3] / "examples/duel/constellation.csv"
    with pytest.raises(BadInput, match="by what it tells itself"):
        judge_file(
            InputBytes("form.csv", form.read_bytes(), "text"), Asked(Settings(), targets=("D1=Sabre",))
        )
