"""Charts that an owner typed in: complete, falling with range, mirror-symmetric, and in proportion."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from statistics import median
from typing import Any

from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.core.naming import how_many
from referee.rulebooks.base import Rulebook

MOST_TO_HIT = 10
EFFECTS = frozenset(
    [
        "shield_generator",
        "beam_weapon",
        "missile_weapon",
        "warp_port",
        "warp_starboard",
        "warp_either",
        "impulse",
        "superstructure",
        "warp_port+superstructure",
        "warp_starboard+superstructure",
        "warp_either+superstructure",
        "engineering",
        "sensors",
        "bridge",
        "antimatter",
        "antimatter+superstructure",
        "beam_or_missile",
    ]
)


def check_charts(rulebook: Rulebook, data: Mapping[str, Any], file: str = "") -> list[Finding]:
    """Everything odd about a chart file that fits its schema."""
    place = Location(file)
    checks = rulebook.table("firing_chart_checks")
    found: list[Finding] = []
    firing = data.get("firing_charts", {})
    for name, chart in firing.items():
        where = place.within(pointer=f"/firing_charts/{name}")
        found += _firing(name, chart["to_hit"], checks, where)
    found += _proportions(firing, checks, place)
    for name, damage in data.get("plasma", {}).items():
        found += _falling(f"plasma table {name}", damage, place.within(pointer=f"/plasma/{name}"))
    mirror = rulebook.table("shields")["mirror"]
    for name, location in data.get("damage_location", {}).items():
        found += _location(name, location, mirror, place.within(pointer=f"/damage_location/{name}"))
    for name, stress in data.get("stress", {}).items():
        found += _stress(name, stress, place.within(pointer=f"/stress/{name}"))
    for name, rows in data.get("banked_weapons", {}).items():
        found += _banks(rows, place.within(pointer=f"/banked_weapons/{name}"))
    return found


def _say(key: str, severity: Severity, message: str, place: Location, **parts: str) -> Finding:
    return Finding(key, severity, message, location=place, **parts)  # type: ignore[arg-type]


def _firing(
    name: str, numbers: Sequence[int], checks: Mapping[str, Any], place: Location
) -> Iterator[Finding]:
    for range, number in enumerate(numbers, 1):
        if not 0 <= number <= MOST_TO_HIT:
            yield _say(
                "trek-46",
                Severity.ERROR,
                f"chart {name}: {number} at range {range}",
                place,
                expected="0 to 10",
            )
    yield from _falling(f"firing chart {name}", numbers, place)
    longest = checks["longest_range"].get(name)
    if longest and len(numbers) != longest:
        yield _say(
            "trek-46",
            Severity.WARNING,
            f"chart {name} goes to range {len(numbers)}; one transcription has {longest}",
            place,
            expected=str(longest),
            found=str(len(numbers)),
            data_status="provisional",
        )


def _falling(what: str, numbers: Sequence[int], place: Location) -> Iterator[Finding]:
    for range, (near, far) in enumerate(itertools.pairwise(numbers), 1):
        if far > near:
            yield _say(
                "trek-46",
                Severity.ERROR,
                f"{what} rises from {near} at range {range} to {far} at {range + 1}",
                place,
                expected=f"≤ {near}",
                found=str(far),
                fix="look at both numbers again",
            )


def _proportions(firing: Mapping[str, Any], checks: Mapping[str, Any], place: Location) -> Iterator[Finding]:
    """The WDF checksum: sums of hit chances should keep the same proportion to the printed factors."""
    factors = checks["wdf_per_damage"]
    ratios = {}
    for name, chart in firing.items():
        if factors.get(name) and any(chart["to_hit"]):
            factor = Fraction(median(Fraction(text) for text in factors[name]))
            ratios[name] = Fraction(sum(chart["to_hit"]), MOST_TO_HIT) / factor
    if len(ratios) < 3:
        return
    middle, tolerance = Fraction(median(ratios.values())), Fraction(checks["tolerance"])
    for name, ratio in ratios.items():
        if abs(ratio / middle - 1) > tolerance:
            yield _say(
                "trek-46",
                Severity.WARNING,
                f"chart {name}: its hit chances do not fit the weapon damage factors as the other charts do",
                place.within(pointer=f"/firing_charts/{name}"),
                expected=f"{float(middle):.1f} ± {float(middle * tolerance):.1f}",
                found=f"{float(ratio):.1f}",
                data_status="provisional",
            )


def _location(
    name: str, chart: Mapping[str, Any], mirror: Sequence[Sequence[int]], place: Location
) -> Iterator[Finding]:
    for shield in map(str, range(1, 7)):
        for die in map(str, range(1, 11)):
            cell = chart.get(shield, {}).get(die)
            if cell is None:
                yield _say(
                    "trek-55", Severity.ERROR, f"chart {name}: shield {shield} has no roll {die}", place
                )
            elif cell["effect"] not in EFFECTS:
                yield _say(
                    "trek-55",
                    Severity.ERROR,
                    f"chart {name}: {cell['effect']!a} at shield {shield}, roll {die}",
                    place.within(pointer=f"{place.pointer}/{shield}/{die}"),
                    expected=", ".join(sorted(EFFECTS)),
                )
    for port, starboard in mirror:
        ours, theirs = chart.get(str(port), {}), chart.get(str(starboard), {})
        for die in sorted(set(ours) & set(theirs), key=int):
            if _mirrored(ours[die]) != dict(theirs[die]):
                yield _say(
                    "trek-55",
                    Severity.WARNING,
                    f"chart {name}: shields {port} and {starboard} are no mirror of each other at roll {die}",
                    place,
                    expected=str(_mirrored(ours[die])["effect"]),
                    found=str(theirs[die]["effect"]),
                )


def _mirrored(cell: Mapping[str, Any]) -> dict[str, Any]:
    swap = {"port": "starboard", "starboard": "port"}
    parts = [
        "_".join(swap.get(word, word) for word in part.split("_")) for part in str(cell["effect"]).split("+")
    ]
    return {**cell, "effect": "+".join(parts)}


def _stress(name: str, stress: Mapping[str, int], place: Location) -> Iterator[Finding]:
    levels = sorted(map(int, stress))
    for low, high in itertools.pairwise(levels):
        if stress[str(high)] < stress[str(low)]:
            yield _say(
                "trek-19", Severity.WARNING, f"stress chart {name} falls from warp {low} to {high}", place
            )
        if high != low + 1:
            yield _say("trek-19", Severity.ERROR, f"stress chart {name}: warp {low + 1} is missing", place)


def _banks(rows: Sequence[Mapping[str, Any]], place: Location) -> Iterator[Finding]:
    due: int | None = 1
    for first, last in (row["damage"] for row in rows):
        if first != due:
            yield _say(
                "trek-66",
                Severity.ERROR,
                f"a row begins at {how_many(first, 'point')} of damage",
                place,
                expected=str(due) if due else "no row after one without an end",
            )
        due = None if last is None else last + 1
    if due is not None:
        yield _say(
            "trek-66", Severity.ERROR, f"no row for {how_many(due, 'point')} of damage and more", place
        )
    for column in ("bank2", "bank3"):
        for before, after in itertools.pairwise(rows):
            if any(new > old for old, new in zip(before[column], after[column], strict=True)):
                yield _say(
                    "trek-66",
                    Severity.WARNING,
                    f"{column}: {after['damage'][0]} points of damage hit fewer weapons than fewer points do",
                    place,
                )
