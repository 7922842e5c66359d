"""How much damage a broadside does: each weapon asked of the rules of fire for each of its rolls."""

from __future__ import annotations

import re
from collections.abc import Mapping

from referee.adjudicator.fire import check_shots, scores, weapon_type
from referee.chances.exact import ways
from referee.core.combat import Shot, Unit
from referee.core.errors import BadInput
from referee.core.finding import Severity
from referee.rulebooks.base import Rulebook

MOST_WEAPONS = 60
_ITEM = re.compile(
    r"(?:(?P<before>[0-9]{1,12})\s*[xX×*]\s*)?(?P<name>[^,×*]+?)(?:\s*[xX×*]\s*(?P<after>[0-9]{1,12}))?"
)


class OutOfReach(BadInput):
    """A weapon that may not fire at that range, or not in that way: exit 1."""

    exit_code = 1


def parse_fire(rulebook: Rulebook, text: str) -> tuple[tuple[str, int], ...]:
    """Weapon types and how many of each: `PH-1 x3, PHOT x2`. Raises BadInput."""
    found: dict[str, int] = {}
    for item in text.split(","):
        match = _ITEM.fullmatch(item.strip())
        if not match:
            raise BadInput(f"--fire {item.strip() or 'nothing'}", hint='write "PH-1 x3, PHOT x2"')
        times = int(match["before"] or match["after"] or 1)
        name = weapon_type(rulebook, match["name"].strip())
        found[name] = found.get(name, 0) + times
    if not 1 <= sum(found.values()) <= MOST_WEAPONS or not all(found.values()):
        raise BadInput(f"{sum(found.values())} weapons", hint=f"1 to {MOST_WEAPONS}, each type at least once")
    return tuple(found.items())


def damage_of(
    rulebook: Rulebook, weapons: tuple[tuple[str, int], ...], distance: int, mode: str = "standard"
) -> tuple[tuple[int, int], ...]:
    """Amounts of damage a broadside does at a range, each with the number of rolls that do it.

    Raises OutOfReach, by the rules of fire, for a weapon that cannot fire there.
    """
    if not 0 <= distance <= 1000:
        raise BadInput(f"range {distance}", hint="0 to 1000 hexes")
    # Beside a weapon that fires in that way the others fire as always; alone they are refused.
    some = any(_way(rulebook, type, mode) == mode for type, _ in weapons)
    total = {0: 1}
    for type, times in weapons:
        scored = _one_weapon(rulebook, type, distance, _way(rulebook, type, mode) if some else mode)
        for _ in range(times):
            total = _both(total, scored)
    return tuple(sorted(total.items()))


def beyond_its_table(
    rulebook: Rulebook, weapons: tuple[tuple[str, int], ...], distance: int, mode: str = "standard"
) -> tuple[str, ...]:
    """The weapons that may fire at a range and do nothing there, whatever is rolled."""
    scored = {type: _one_weapon(rulebook, type, distance, _way(rulebook, type, mode)) for type, _ in weapons}
    return tuple(type for type in scored if not any(scored[type]))


def _way(rulebook: Rulebook, type: str, mode: str) -> str:
    """How a weapon fires in a broadside: in the way asked for if it has such ways."""
    return mode if "modes" in _weapon(rulebook, type) else "standard"


def _weapon(rulebook: Rulebook, type: str) -> Mapping[str, object]:
    weapon: Mapping[str, object] = rulebook.table("weapons")["weapons"][type]
    return weapon


def _one_weapon(rulebook: Rulebook, type: str, distance: int, mode: str) -> dict[int, int]:
    if _weapon(rulebook, type).get("seeking"):
        raise OutOfReach(f"{type} is a seeking weapon", hint="add what it does with --damage")
    # Whatever else the rules ask of a shot is taken as given: energy, lock-on, no cloak.
    shot = Shot(
        type, type, Unit("firer"), Unit("target"), range=distance, energy="paid", fire_control="paid",
        lock_on=True, last_fired=None, mode=mode, shield=1, scanner=0,
    )  # fmt: skip
    report = check_shots(rulebook, (shot,))
    wrong = next((finding for finding in report.findings if finding.severity is Severity.ERROR), None)
    if wrong:
        raise OutOfReach(f"[{wrong.rule}] {type} at range {distance}: {wrong.message}", hint=wrong.fix)
    found: dict[int, int] = {}
    (count, sides), by_total = scores(rulebook, shot)
    for roll, rolls in ways(count, sides).items():
        found[by_total[roll]] = found.get(by_total[roll], 0) + rolls
    return found


def _both(first: Mapping[int, int], second: Mapping[int, int]) -> dict[int, int]:
    total: dict[int, int] = {}
    for a, rolls_a in first.items():
        for b, rolls_b in second.items():
            total[a + b] = total.get(a + b, 0) + rolls_a * rolls_b
    return total
