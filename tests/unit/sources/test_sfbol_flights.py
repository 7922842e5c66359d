"""Flights told by a log: the impulses in which a seeker must move, and what it strikes together with fire."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.frozen import replace
from referee.judging.sfbol import _but_for, _on_the_table
from referee.rulebooks.registry import load_rulebook
from referee.sources.asked import Asked
from referee.sources.settings import Settings
from referee.sources.sfbol import games_told
from tests.cli.conftest import Run, own_folder, referee
from tests.unit.sources.sfbol_judged import errors, judged, said
from tests.unit.sources.test_sfbol_targets import DRONE, FLIGHT

__all__ = ["own_folder", "referee"]

HEAD = [line for line in FLIGHT[:5] if "Marauder" not in line]
HITS = [
    "Allocation of damage for: Sabre",
    "Damage: {0}/0/0/0/0/0 (Total: {0})",
    "Remaining Shield: {1}/24/20/20/20/24",
]
FIRE = ["Kharg fires Phaser-2 #1 (FX) at Sabre (Range: 4)", "Skylark Rolls 1d6: 1"]


def flown(*moves: tuple[int, int]) -> list[str]:
    """A log in which the drone moves in some impulses."""
    return HEAD + [
        line for impulse, hex in moves for line in (f"Impulse 1.{impulse}:", f"{DRONE} has moved to {hex}")
    ]


def hits(points: int, left: int) -> list[str]:
    """Damage of the Sabre on its first shield."""
    return [line.format(points, left) for line in HITS]


ALL = ((2, 2019), (3, 2018), (4, 2017), (5, 2016))


def test_a_seeker_that_does_not_move_when_it_is_called_is_found_where_the_impulse_is_over(
    referee: Run,
) -> None:
    assert judged([*flown(*ALL), *hits(12, 18), "Impulse 1.6:"]).verdict == "legal"
    lines = [*flown((2, 2019), (3, 2018), (5, 2017), (6, 2016)), "Impulse 1.7:"]
    assert errors(judged(lines)) == {("F2.0", lines.index("Impulse 1.5:") + 1)}
    stood = [
        *flown((2, 2019), (3, 2018)),
        "Impulse 1.4:",
        *flown((5, 2017), (6, 2016))[3 + 1 :],
        "Impulse 1.7:",
    ]
    assert {key for key, _ in errors(judged(stood))} == {"F2.0"}
    Path("game.log").write_text("\n".join(lines) + "\n")
    new = ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x")
    assert referee(*new, "--players", "ann,ben", "--player", "Kharg=ann", "--player", "Sabre=ben").code == 0
    ran = referee("check", "game.jsonl", "--json")
    assert [(one["key"], one["impulse"]) for one in ran.findings("error")] == [("F2.0", 4)]


@pytest.mark.parametrize(("impulses", "speed"), [((2, 4, 6, 8), 16), ((4, 8, 12, 16), 8)])
def test_one_that_moves_at_another_speed_all_the_time_may_be_of_another_kind(
    impulses: tuple[int, ...], speed: int
) -> None:
    lines = flown(*zip(impulses, (hex for _, hex in ALL), strict=True))
    report = judged([*lines, *hits(12, 18), f"Impulse 1.{impulses[-1] + 1}:"])
    assert not errors(report) and report.verdict == "cannot-tell"
    (found,) = said(report, "NOTE/seeker")
    assert found.severity == "undecided" and f"it moves at speed {speed}" in found.message


def test_a_seeker_that_a_line_not_understood_names_is_in_doubt() -> None:
    lines = flown((2, 2019), (3, 2018), (5, 2017), (6, 2016))
    lines.insert(lines.index("Impulse 1.5:"), f"{DRONE} loses its lock")
    report = judged([*lines, "Impulse 1.7:"])
    assert not errors(report) and [one.severity for one in said(report, "F2.0")] == ["undecided"]


def test_fire_and_a_seeker_may_strike_in_one_volley() -> None:
    lines = flown(*ALL)
    both = judged([*lines, *FIRE, *hits(15, 15), "Impulse 1.6:"])
    (found,) = said(both, "E2.4/stated")
    assert found.severity == "undecided" and "may have struck it with this fire" in found.message
    # Where its damage stands apart, that of the fire is sure; and so it is where no seeker has come.
    for apart in ([*FIRE, *hits(3, 27), *hits(12, 15)], [*hits(12, 18), *FIRE, *hits(3, 15)]):
        assert judged([*lines, *apart, "Impulse 1.6:"]).verdict == "legal"
    for wrong in ([*FIRE, *hits(4, 26), *hits(12, 14)], [*hits(12, 18), *FIRE, *hits(4, 14)]):
        assert {key for key, _ in errors(judged([*lines, *wrong, "Impulse 1.6:"]))} == {"E2.4/stated"}
    early = judged([*flown(*ALL[:2]), *FIRE, *hits(15, 15), "Impulse 1.4:"])
    assert {key for key, _ in errors(early)} == {"E2.4/stated"}


def test_a_ship_that_faces_nobody_knows_where_launches_what_is_not_followed() -> None:
    lines = [line.replace(", direction A", "") for line in flown(*ALL)]
    report = judged([*lines, "Impulse 1.6:"])
    (found,) = said(report, "NOTE/flights")
    assert "which way Kharg faces is not known" in found.message and not errors(report)
    assert not said(judged([*flown(*ALL), "Impulse 1.6:"]), "NOTE/flights")


def test_a_launch_that_cannot_be_is_left_out_with_its_flight() -> None:
    """Nothing moves that was never launched."""
    (game,) = games_told("\n".join([*flown(*ALL), "Impulse 1.6:"]).encode(), "x", Asked(Settings()))
    assert game.account is not None
    launch = next(event.seq for event in game.account.events if "launch" in event.data)
    left = list(_but_for(game.account.events, launch))
    assert any(DRONE in str(event.data) for event in game.account.events if event.seq > launch)
    assert not any(DRONE in str(event.data) for event in left)


def test_a_seeker_that_was_shot_down_before_and_moves_is_a_contradiction() -> None:
    """A line that is out of its place, as a player may have copied it: named, and no fault of ours."""
    dead = f"{DRONE} has been destroyed"
    lines = flown(*ALL)
    assert judged([*lines, dead, "Impulse 1.6:"]).verdict == "legal"
    report = judged([*lines[:2], dead, *lines[2:], "Impulse 1.6:"])
    assert report.verdict in ("legal", "cannot-tell") and not errors(report)
    account = games_told("\n".join([*lines, "Impulse 1.6:"]).encode(), "x", Asked(Settings()))[0].account
    book = load_rulebook("sfb-standard").with_options({"impulses": "32"})
    assert account is not None
    early = next(event for event in account.events if "seeker" in event.data)
    launch = next(event for event in account.events if "launch" in event.data)
    swapped = {early.seq: launch, launch.seq: early}
    events = tuple(
        replace(swapped.get(event.seq, event), seq=event.seq, at=event.at) for event in account.events
    )
    _, _, refused = _on_the_table(replace(account, events=events), book)
    assert any("no seeker" in one.message for one in refused.findings)


def test_a_move_of_a_seeker_that_may_correct_the_one_before_is_held_against_nobody() -> None:
    lines = flown(*ALL)
    at = lines.index(f"{DRONE} has moved to 2017")
    report = judged([*lines[:at], f"{DRONE} has moved to 2117", *lines[at:], "Impulse 1.6:"])
    assert not errors(report) and report.verdict == "cannot-tell"
    # Two hexes in one impulse are no correction.
    ahead = judged([*lines[:at], f"{DRONE} has moved to 2017", f"{DRONE} has moved to 2016", "Impulse 1.5:"])
    assert errors(ahead)
