"""The commonest violations that a log of the online client can tell, planted in one that is legal, each found by line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.unit.sources.sfbol_judged import duel, errors, judged, line_of, said, written

SPEEDS = ({"Kharg": 8, "Sabre": 12}, {"Kharg": 16, "Sabre": 20})
ACTS = {
    (1, 16): ("Kharg: fire PH-2/1, PH-2/2 at Sabre", "Sabre: fire PH-1/1, PH-1/2 at Kharg"),
    (1, 24): ("Kharg: fire DISR/A, DISR/B at Sabre", "Sabre: fire PHOT/A, PHOT/B at Kharg"),
}
Lines = list[str]


def base() -> Lines:
    """A duel of two whole turns in which all is by the rules."""
    return written(duel(SPEEDS, ACTS))


def test_the_base_is_legal() -> None:
    report = judged(base())
    assert report.verdict == "legal", report.findings
    assert len(report.checked) > 30


# -- planted in the lines ------------------------------------------------------------------


def shifted(lines: Lines) -> int:
    """A move in the impulse after the one that calls it."""
    n = lines.index("Impulse 1.12:")
    k = next(k for k in range(n, n + 4) if "Kharg has moved" in lines[k])
    move = lines.pop(k)
    lines.insert(lines.index("Impulse 1.13:") + 1, move)
    return lines.index("Impulse 1.13:") + 2


def left_out(lines: Lines) -> int:
    """A move less: found when its impulse is over."""
    n = lines.index("Impulse 1.12:")
    sabre = line_of(lines, "USS Sabre has moved", lines.index("Impulse 2.10:"))
    assert sabre and n
    del lines[sabre - 1]
    return -1


def sideways(lines: Lines) -> int:
    """Ahead by its words, into the hex beside it."""
    n = line_of(lines, "IKV", lines.index("Impulse 1.32:"))
    lines[n - 1] = "IKV Kharg has moved to 2123"
    return n


def two_hexes(lines: Lines) -> int:
    n = line_of(lines, "IKV", lines.index("Impulse 1.32:"))
    lines[n - 1] = "IKV Kharg has moved to 2021"
    return n


def told_apart(lines: Lines, begins: str, old: str, new: str, after: str = "") -> int:
    """A figure of a line changed."""
    n = line_of(lines, begins, lines.index(after) if after else 0)
    assert old in lines[n - 1], lines[n - 1]
    lines[n - 1] = lines[n - 1].replace(old, new)
    return n


def wrong_range(lines: Lines) -> int:
    n = next(n for n, line in enumerate(lines, 1) if "Disruptor #A" in line)
    reach = lines[n - 1].rpartition("Range: ")[2].rstrip(")")
    lines[n - 1] = lines[n - 1].replace(f"Range: {reach}", f"Range: {int(reach) - 1}")
    return n


def dice(lines: Lines, shots: str, faces: str, damage: int) -> int:
    """The dice of a volley set, and the damage that is stated of it."""
    n = next(n for n, line in enumerate(lines) if shots in line)
    n = next(k for k in range(n, len(lines)) if "Rolls" in lines[k])
    lines[n] = f"{lines[n].partition(':')[0]}: {faces}"
    while lines[n + 1].startswith(("Allocation", "Damage", "Remaining")):
        del lines[n + 1]
    firer = "Kharg" if "Skylark" in lines[n] else "Sabre"
    whole = [30, 24, 20, 20, 20, 24] if firer == "Kharg" else [30, 22, 15, 13, 15, 22]
    name = "USS Sabre" if firer == "Kharg" else "IKV 1017 Kharg"
    left = [whole[0] - damage, *whole[1:]]
    lines[n + 1 : n + 1] = [
        f"Allocation of damage for: {name}",
        f"Damage: {damage}/0/0/0/0/0 (Total: {damage})",
        f"Remaining Shield: {'/'.join(map(str, left))}",
    ]
    # What is stated later of the same ship goes on from there.
    for k in range(n + 4, len(lines)):
        if lines[k].startswith("Allocation"):
            while k < len(lines) and lines[k].startswith(("Allocation", "Damage", "Remaining")):
                del lines[k]
            break
    return n + 3


def phaser_damage(lines: Lines) -> int:
    """At range 10 two phaser-2s with 1 and 6 score 2."""
    return dice(lines, "Phaser-2 #2", "1, 6", 4)


def disruptor_damage(lines: Lines) -> int:
    return dice(lines, "Disruptor #B", "1, 6", 5)


def photon_damage(lines: Lines) -> int:
    return dice(lines, "Photon #B", "1, 6", 17)


def shield_left(lines: Lines) -> int:
    n = dice(lines, "Phaser-2 #2", "1, 6", 2) + 1
    lines[n - 1] = "Remaining Shield: 25/24/20/20/20/24"
    return n


def other_shield_less(lines: Lines) -> int:
    n = dice(lines, "Phaser-2 #2", "1, 6", 2) + 1
    lines[n - 1] = "Remaining Shield: 28/24/20/19/20/24"
    return n


PLANTED: dict[str, tuple[str, Callable[[Lines], int]]] = {
    "a move where the chart calls none": ("C1.4", shifted),
    "a move that the chart calls left out": ("C1.4/missed", left_out),
    "straight ahead, but sideways": ("C1.2", sideways),
    "two hexes at once": ("C1.1", two_hexes),
    "a range that is not the one on the map": ("D1.4/stated", wrong_range),
    "phaser damage that no die gives": ("E2.4/stated", phaser_damage),
    "disruptor damage that no row gives": ("E3.0/stated", disruptor_damage),
    "photon damage that no row gives": ("E4.0/stated", photon_damage),
    "too few boxes left of a shield": ("D4.1/stated", shield_left),
    "a shield less that nothing struck": ("D4.1/stated", other_shield_less),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_violation_is_found_at_its_line(name: str) -> None:
    key, plant = PLANTED[name]
    lines = base()
    line = plant(lines)
    found = errors(judged(lines))
    assert key in {one for one, _ in found}, found
    if line > 0:
        assert (key, line) in found, found


# -- planted in the orders -----------------------------------------------------------------

ORDERED: dict[str, tuple[str, str, str]] = {
    "a turn before the turn mode is satisfied": (
        "C3.2",
        duel(SPEEDS, ways={(1, 12, "Kharg"): "left", (1, 16, "Kharg"): "left"}),
        "Impulse 1.16:",
    ),
    "a weapon out of its arc": (
        "D2.1",
        duel(SPEEDS, {(1, 8): ["Kharg: fire PH-2/6 at Sabre"]}),
        "Impulse 1.8:",
    ),
    "a weapon out of its combined arc": (
        "D2.2",
        duel(SPEEDS, {(1, 8): ["Sabre: fire PHOT/A at Kharg"]}, at={"Kharg": "2050A", "Sabre": "2045A"}),
        "Impulse 1.8:",
    ),
    "a disruptor beyond its range": (
        "E3.0/range",
        duel(SPEEDS, {(1, 4): ["Kharg: fire DISR/A at Sabre"]}, at={"Kharg": "2060A", "Sabre": "2010D"}),
        "Impulse 1.4:",
    ),
    "a phaser twice in a turn": (
        "E2.23",
        duel(SPEEDS, {(1, 8): ["Kharg: fire PH-2/1 at Sabre"], (1, 24): ["Kharg: fire PH-2/1 at Sabre"]}),
        "Impulse 1.24:",
    ),
    "a disruptor twice in a turn": (
        "E3.23",
        duel(SPEEDS, {(1, 8): ["Kharg: fire DISR/A at Sabre"], (1, 24): ["Kharg: fire DISR/A at Sabre"]}),
        "Impulse 1.24:",
    ),
    "within a quarter of a turn": (
        "E1.5",
        duel(SPEEDS, {(1, 30): ["Kharg: fire PH-2/1 at Sabre"], (2, 2): ["Kharg: fire PH-2/1 at Sabre"]}),
        "Impulse 2.2:",
    ),
    "another shield than the one that faces the firer": (
        "E1.4/stated",
        duel(SPEEDS, {(1, 24): ["Kharg: fire DISR/A, DISR/B, DISR/C, DISR/D at Sabre on 4"]}),
        "Impulse 1.24:",
    ),
    "too great an acceleration": (
        "B3.0-14/track",
        duel(({"Kharg": 4, "Sabre": 12}, {"Kharg": 24, "Sabre": 28})),
        "Impulse 2.1:",
    ),
    "more drones than racks launch": (
        "FD4.21",
        duel(SPEEDS, {(1, n): [f"Kharg: launch DRN/{1 + n // 8 % 2} at Sabre"] for n in (8, 16, 24)}),
        "Impulse 1.24:",
    ),
}


@pytest.mark.parametrize("name", ORDERED)
def test_a_violation_that_is_ordered_is_found_in_its_impulse(name: str) -> None:
    key, orders, header = ORDERED[name]
    lines = written(orders)
    found = errors(judged(lines))
    first = lines.index(header) + 1
    until = next(
        (n for n, line in enumerate(lines, 1) if n > first and line.startswith("Impulse")), len(lines) + 1
    )
    assert any(one == key and line and first <= line < until for one, line in found), found


def test_the_slower_ship_moves_first() -> None:
    lines = base()
    n = lines.index("Impulse 1.8:")
    assert "Kharg" in lines[n + 1] and "Sabre" in lines[n + 2]
    lines[n + 1], lines[n + 2] = lines[n + 2], lines[n + 1]
    assert errors(judged(lines)) == {("C1.3", n + 2)}


def test_fire_before_a_ship_has_moved() -> None:
    lines = base()
    n = lines.index("Impulse 1.16:")
    fire = next(k for k in range(n, len(lines)) if "Kharg fires" in lines[k])
    sabre = next(k for k in range(n, fire) if "Sabre has" in lines[k])
    lines.insert(next(k for k in range(fire, len(lines)) if "Rolls" in lines[k]), lines.pop(sabre))
    found = errors(judged(lines))
    assert "B2.0" in {key for key, line in found if line and n < line < n + 8}, found


def test_a_drone_off_its_course_and_one_that_moves_when_it_is_not_called() -> None:
    orders = duel(
        SPEEDS,
        {
            (1, 8): ["Kharg: launch DRN/1 at Sabre"],
            (1, 9): ["Kharg DRN/1 t1: ahead"],
            (1, 10): ["Kharg DRN/1 t1: left"],
        },
    )
    lines = written(orders, own_names=False)
    drone = line_of(lines, "D001(1).1.8 has", line_of(lines, "D001(1).1.8 has"))
    assert ("F2.0", drone) in errors(judged(lines))
    twice = list(lines)
    twice[drone - 1 : drone] = ["D001(1).1.8 has moved to 2026", "D001(1).1.8 has moved to 2025"]
    assert ("F2.0", drone + 1) in errors(judged(twice))


FORM = {
    "Ship": "Kharg",
    "Turn": 1,
    "Warp Power": 30,
    "Impulse Power": 5,
    "Atomic Power": 4,
    "Total Power": 39,
    "Life Support": 1,
    "Fire Control": 1,
    "Shields": 2,
    "Movement": 8,
}


@pytest.mark.parametrize(
    ("paid", "key"),
    [
        ({"Movement": 12}, "B3.0-14/said"),
        ({"Disr A": 2}, "E1.2/energy"),
        ({"Phasrecharge": 1, "BttyUsedEA": 3}, "E2.21"),
    ],
)
def test_a_form_beside_the_log_tells_what_was_not_paid(
    tmp_path: Path, paid: dict[str, int], key: str
) -> None:
    rows = {**FORM, **paid}
    used = ("Life Support", "Fire Control", "Shields", "Movement", "Disr A", "Phasrecharge")
    rows["Total Used"] = sum(int(rows.get(row, 0)) for row in used)
    path = tmp_path / "kharg.csv"
    path.write_text("".join(f"{row},{amount}\n" for row, amount in rows.items()))
    acts = {(1, 20): ["Kharg: fire DISR/B, PH-2/1, PH-2/2, PH-2/3 at Sabre"]}
    lines = written(duel(SPEEDS, acts))
    assert not said(judged(lines), key)
    report = judged(lines, forms=[f"Kharg={path}"])
    assert key in {one for one, _ in errors(report)}, report.findings


def test_fire_without_fire_control_is_found_at_the_shots_and_not_at_their_damage(tmp_path: Path) -> None:
    path = tmp_path / "kharg.csv"
    rows = {**FORM, "Fire Control": 0, "Total Used": 11}
    path.write_text("".join(f"{row},{amount}\n" for row, amount in rows.items()))
    lines = written(duel(SPEEDS, {(1, 20): ["Kharg: fire PH-2/1, PH-2/2, PH-2/3 at Sabre"]}))
    found = errors(judged(lines, forms=[f"Kharg={path}"]))
    assert [key for key, _ in found] == ["B3.0-8/fire"] * 3


def test_a_tag_of_a_mode_may_be_wrong_and_is_no_error() -> None:
    """Dice and damage decide: the page has shots tagged Standard that scored as overloads."""
    acts = {(1, 28): ["Kharg: fire DISR/A, DISR/B at Sabre"]}
    honest = written(duel(SPEEDS, acts), overload=True, seed=5)
    liar = written(duel(SPEEDS, acts), overload=True, lie=True, seed=5)
    assert any("Overloaded" in line for line in honest) and not any("Overloaded" in line for line in liar)
    assert any(line.startswith("Damage") for line in liar)
    assert judged(honest).verdict == "legal"
    report = judged(liar)
    assert report.verdict == "legal" and said(report, "E3.0/stated")[0].severity == "note"
    assert len(said(judged(honest), "NOTE/outside")) == 1
