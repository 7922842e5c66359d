"""Fire, launches and cloaks of ships that are seen as they stood, on the one table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from referee.adjudicator.declared_fire import Declared
from referee.adjudicator.fire_seen import SeenFire, fire_of
from referee.adjudicator.table import GameTable
from referee.core.account import Account, Coverage, Event
from referee.core.combat import Unit
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.registry import load_rulebook, load_ship

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
FED = load_ship("cadet/federation-ca")
SEEN = Coverage(ways="counters are seen", steps="no steps")
GENESIS = Event(0, "genesis", {"players": ["ann"], "dice": {"mode": "seed"}, "fold": 2})
SHIPS = tuple(
    Event(n, "ship", {"ship": name, "class": "cadet/federation-ca", "player": "ann", "on_map": False})
    for n, name in enumerate(("Hood", "Excalibur"), 1)
)


def fires(step: int, weapons: str, impulse: int, facing: str = "A") -> Event:
    """The Hood fires at the Excalibur, four hexes ahead of it where it faces A."""
    firer = Unit("Hood", FED, None, Hex(20, 20), facing)
    target = Unit("Excalibur", FED, None, Hex(20, 16), "D")
    mounts = tuple(mount for mark in weapons.split() if (mount := FED.mount(mark)))
    place = Location("g.vlog", step=step)
    declared = Declared(firer, target, mounts, When(1, impulse), place)
    said = {"ship": "Hood", "target": "Excalibur", "declared": declared}
    return Event(step, "order", {"fire": said}, at=place, when=declared.when)


def account(*told: Event, **more: Any) -> Account:
    return Account((GENESIS, *SHIPS, *told), SEEN, "g.vlog", kept=False, since=When(1, 1), **more)


def seen_fire(*told: Event) -> SeenFire:
    found = GameTable(BOOK, load_ship, account(*told)).fire
    assert isinstance(found, SeenFire)
    return found


def errors(*told: Event) -> list[tuple[str, int | None]]:
    found = GameTable(BOOK, load_ship, account(*told)).report().findings
    return [(one.key, one.location.step) for one in found if one.severity == "error"]


def test_what_is_fired_in_one_impulse_is_a_row_of_shots() -> None:
    fired = seen_fire(fires(10, "PH-1/A", 3), fires(11, "PH-1/B", 3), fires(20, "PH-1/C", 4))
    assert [[shot.weapon for shot in shots.shots] for _, shots in fired.rows] == [
        ["PH-1/A", "PH-1/B"],
        ["PH-1/C"],
    ]


def test_a_weapon_fires_once_a_turn() -> None:
    assert errors(fires(10, "PH-1/A", 3)) == []
    (found,) = errors(fires(10, "PH-1/A", 3), fires(20, "PH-1/A", 4))
    assert found[1] == 20


def test_a_target_is_in_the_arc_of_the_ship_as_it_was_seen() -> None:
    assert errors(fires(10, "PHOT/A", 3, facing="D")) != []


def test_what_a_cloak_cost_is_not_known_without_a_form() -> None:
    order: Mapping[str, Any] = {"cloak": {"ship": "Hood", "to": "cloak"}}
    cloaks = Event(9, "order", order, at=Location("g.vlog", step=9), when=When(1, 3))
    (report,) = seen_fire(cloaks).reports
    assert [item.key for item in report.not_checked] == [BOOK.named.cloak_paid]


def test_where_ways_are_told_fire_is_judged_as_the_game_stands() -> None:
    told = Account((GENESIS,), Coverage(steps="no steps"), kept=False)
    assert type(fire_of(BOOK, load_ship, told)).__name__ == "RecordFire"


def test_a_battery_gives_only_to_weapons_that_take_it() -> None:
    said = {"ship": "Hood", "points": Fraction(1), "weapons": ("PHOT/A",)}
    order = Event(9, "order", {"battery": said}, at=Location("g.vlog", step=9), when=When(1, 3))
    found = seen_fire(order)
    assert [one.location.step for report in found.on_batteries for one in report.findings] == [9]
    assert found.on_fire == []
