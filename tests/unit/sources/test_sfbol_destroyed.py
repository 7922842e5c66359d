"""Ships and seekers that are said to be destroyed: what rests on it is as sure as that, and no surer."""

from __future__ import annotations

from tests.unit.sources.sfbol_judged import errors, judged, said

SHIPS = [
    "Kharg (Type:Klingon D7) has been added at 2040, direction A, speed 8",
    "Sabre (Type:Federation CA) has been added at 2015, direction D, speed 4",
]
LAUNCHED = "D001(1).1.1 (Type:Klingon Drone) has been added at 2040, direction A, was launched by Kharg"


def flight(*ends: tuple[int, str], kharg: bool = True) -> list[str]:
    """A drone that flies ahead while its ship goes on; a line more at the end of some impulses."""
    lines = [*SHIPS, "Impulse 1.1:", LAUNCHED]
    row = 40
    for impulse in range(2, 13):
        lines.append(f"Impulse 1.{impulse}:")
        if impulse == 8:
            lines.append("Sabre has moved to 2016")
        if impulse % 4 == 0 and (kharg or impulse < 5):
            row -= 1
            lines.append(f"Kharg has moved to 20{row}")
        lines.append(f"D001(1).1.1 has moved to 20{41 - impulse}")
        lines += [line for at, line in ends if at == impulse]
    return lines


def test_the_base_is_legal() -> None:
    assert not errors(judged(flight()))


def test_a_ship_that_goes_on_after_it_was_destroyed_leaves_all_of_it_undecided_once() -> None:
    report = judged(flight((5, "Kharg has been destroyed")))
    assert [one.key for one in report.findings if one.severity != "note"] == ["NOTE/destroyed"]
    report = judged(flight((2, "Sabre has been destroyed")))
    assert [one.key for one in report.findings if one.severity != "note"] == ["NOTE/destroyed"]


def test_a_drone_that_flies_on_without_its_ship_is_named_once() -> None:
    """D4.41, and not that it moves again in each impulse."""
    lines = flight((5, "Kharg has been destroyed"), kharg=False)
    report = judged(lines)
    n = lines.index("Impulse 1.6:") + 2
    assert errors(report) == {("D4.41", n)} and len(said(report, "F2.0")) == 0


def test_a_drone_that_is_taken_off_with_its_ship_is_by_the_rules() -> None:
    lines = flight((5, "Kharg has been destroyed"), kharg=False)
    assert not errors(judged([line for line in lines if "D001" not in line or lines.index(line) < 14]))


# -- a drone that was shot down ------------------------------------------------------------

STAND = [
    SHIPS[0].replace("speed 8", "speed 0"),
    "Sabre (Type:Federation CA) has been added at 2035, direction D, speed 0",
]


def shot_at(*dice: int) -> list[str]:
    shots = [f"Sabre fires Phaser-1 #{n} (FH) at D001(1).1.1 (Range: 3)" for n in range(1, len(dice) + 1)]
    return [
        *STAND,
        "Impulse 1.1:",
        LAUNCHED,
        "Impulse 1.2:",
        "D001(1).1.1 has moved to 2039",
        "Impulse 1.3:",
        "D001(1).1.1 has moved to 2038",
        *shots,
        f"Bob Rolls 1d6: {', '.join(map(str, dice))}",
    ]


def on(*rows: int) -> list[str]:
    return [
        text
        for n, row in enumerate(rows, 4)
        for text in (f"Impulse 1.{n}:", f"D001(1).1.1 has moved to 20{row}")
    ]


def test_a_drone_with_four_points_of_damage_that_flies_on_is_in_error_once() -> None:
    strike = [
        "Allocation of damage for: Sabre",
        "Damage: 12/0/0/0/0/0 (Total: 12)",
        "Remaining Shield: 18/24/20/20/20/24",
    ]
    lines = [*shot_at(1), *on(37, 36, 35), *strike, "Impulse 1.7:"]
    assert errors(judged(lines)) == {("F2.0/destroyed", lines.index("Impulse 1.4:") + 2)}
    assert not errors(judged([*shot_at(6), *on(37, 36, 35), *strike, "Impulse 1.7:"]))


def test_the_points_of_several_volleys_add_up() -> None:
    again = ["Sabre fires Phaser-1 #2 (FH) at D001(1).1.1 (Range: 2)", "Bob Rolls 1d6: 6"]
    lines = [*shot_at(6), *on(37), *again, "Impulse 1.5:", "D001(1).1.1 has moved to 2036", "Impulse 1.6:"]
    found = errors(judged(lines))
    assert found in ({("F2.0/destroyed", len(lines) - 1)}, set())


def test_a_drone_that_is_gone_after_the_fire_that_destroyed_it_is_by_the_rules() -> None:
    assert (
        judged([*shot_at(1), "D001(1).1.1 has been destroyed", "Impulse 1.4:", "Impulse 1.5:"]).verdict
        == "legal"
    )
