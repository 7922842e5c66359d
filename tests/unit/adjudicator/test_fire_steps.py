"""A whole step: all shots rolled before any damage, volleys by target and shield, energy from a form."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from referee.adjudicator.fire import (
    apply_volleys,
    check_launches,
    check_shots,
    fire_energy,
    resolve_shots,
    volleys_of,
    weapon_type,
    weapons_named,
)
from referee.adjudicator.policies import Policy
from referee.core.combat import (
    CloakState,
    Declaration,
    Moment,
    ShotResult,
    parse_cloak,
    parse_moment,
)
from referee.core.dice import ScriptedDice
from referee.core.errors import BadInput
from referee.core.finding import Verdict
from referee.core.state import new_state
from referee.formats.eaform import read_json_form
from referee.rulebooks.base import rules_in
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.rulebooks.sfb import cloak, direct_fire, seekers, sensors
from tests.unit.rulebooks.sfb.firecases import shot_of

CADET, STANDARD = load_rulebook("sfb-cadet"), load_rulebook("sfb-standard")
FED = {
    "firer": "Fed",
    "ship": "cadet/federation-ca",
    "at": "0915D",
    "target": "Klingon",
    "target_at": "0916A",
}
D6 = {"firer": "Klingon", "ship": "cadet/klingon-d6", "at": "0916A", "target": "Fed", "target_at": "0915D"}


def test_a_weapon_lost_in_the_step_has_fired_all_the_same() -> None:
    shots = [shot_of({**FED, "weapon": weapon}) for weapon in ("PH-1A", "PH-1B", "PH-1C")]
    shots += [shot_of({**D6, "weapon": weapon}) for weapon in ("PH-2A", "PH-2B", "DISR-A", "DISR-B")]
    results = resolve_shots(CADET, shots, ScriptedDice([1, 1, 1, 1, 1, 1, 1]))
    assert [result.damage for result in results] == [8, 8, 8, 5, 5, 5, 5]
    volleys = volleys_of(CADET, results)
    assert [(v.target, v.order.points) for v in volleys] == [("Klingon", 24), ("Fed", 20)]
    ships = {"Klingon": load_ship("cadet/klingon-d6"), "Fed": load_ship("cadet/federation-ca")}
    states = {name: (ship, new_state(ship)) for name, ship in ships.items()}
    inside = [max(0, v.order.points - states[v.target][1].shields[1]) for v in volleys]
    dice = ScriptedDice([5] * sum(inside))
    struck = apply_volleys(CADET, volleys, states, dice, Policy("protect-power"))
    dice.finish()
    assert [result.internals for _, result in struck] == inside
    assert any(hit.system in ("phaser", "torpedo", "drone") for hit in struck[0][1].hits)


def test_a_destroyed_target_takes_no_more() -> None:
    ship = load_ship("cadet/klingon-d6")
    from dataclasses import replace

    shots = [shot_of({**FED, "weapon": "PH-1C", "turn": n, "impulse": 1}) for n in (1, 2)]
    volleys = volleys_of(CADET, resolve_shots(CADET, shots, ScriptedDice([1, 1])))
    dead = {"Klingon": (ship, replace(new_state(ship), dead=True))}
    assert len(volleys) == 2
    assert apply_volleys(CADET, volleys, dead, ScriptedDice([]), Policy("spread")) == ()
    with pytest.raises(BadInput, match="class of Klingon"):
        apply_volleys(CADET, volleys, {}, ScriptedDice([]), Policy("spread"))


def test_a_corner_must_be_told() -> None:
    shot = {**FED, "weapon": "PH-1C", "at": "0713E", "target_at": "0614D"}
    results = resolve_shots(CADET, [shot_of(shot)], ScriptedDice([1]))
    assert results[0].shields == (4, 5) and results[0].shield is None
    with pytest.raises(BadInput, match="#4 or #5"):
        volleys_of(CADET, results)
    told = resolve_shots(CADET, [shot_of({**shot, "shield": 4})], ScriptedDice([1]))
    assert volleys_of(CADET, told)[0].order.shield == 4


def test_dice_are_rolled_in_the_order_declared() -> None:
    shots = [shot_of({**FED, "weapon": weapon}) for weapon in ("PH-1A", "PH-1B", "PH-1C")]
    dice = ScriptedDice([2, 4, 6])
    assert [result.roll for result in resolve_shots(CADET, shots, dice)] == [2, 4, 6]


def test_an_unknown_range_cannot_be_rolled() -> None:
    with pytest.raises(BadInput, match="range"):
        resolve_shots(CADET, [shot_of({"type": "phaser-1"})], ScriptedDice([1]))


def test_a_report_names_what_was_judged() -> None:
    report = check_shots(CADET, [shot_of({**FED, "weapon": "PH-1A", "energy": "unknown"})])
    assert report.verdict is Verdict.LEGAL
    assert {"D1.4", "D2.1", "D2.2", "E1.2", "E1.5", "E2.21", "G13.0/fire"} <= set(report.checked)
    assert {item.key for item in report.not_checked} == {"E1.2/energy"}


def test_launches() -> None:
    d7 = {"firer": "D7", "ship": "standard/klingon-d7", "at": "0915C", "target_at": "1114"}
    racks = [shot_of({**d7, "weapon": rack}) for rack in ("DRN/1", "DRN/2")]
    assert check_launches(STANDARD, racks[:1]).verdict is Verdict.LEGAL
    assert [f.key for f in check_launches(STANDARD, racks).findings] == ["FD4.21"]


FIRE = sorted(rule.key for rule in rules_in(cloak, direct_fire, seekers, sensors))


@pytest.mark.parametrize("key", FIRE)
def test_any_rule_of_fire_can_be_switched_off(key: str) -> None:
    """Fire is then judged and rolled without it, or refused in a line."""
    book = STANDARD.without([key])
    near = {"ship": "standard/federation-ca", "at": "0915D", "target_at": "0918A", "turn": 2, "impulse": 5}
    types = ("phaser-1", "phaser-g", "disruptor", "photon", "fusion", "ppd", "admin-shuttle")
    shots = [shot_of({**near, "weapon": mark}) for mark in ("PH-1/1", "PHOT/A")]
    shots += [
        shot_of({"type": type, "range": 5, "target_cloak": "fading-in:2", "shield": 1}) for type in types
    ]
    for shot in shots:
        check_shots(book, [shot])
        check_launches(book, [shot])
        try:
            volleys_of(book, resolve_shots(book, [shot], ScriptedDice([2])))
        except BadInput as error:
            assert key in ("E1.1", "E1.3", "E1.4", "E2.1", "E2.4", "E3.0", "E4.0"), error


FORM = """{"schema": "referee/energy-allocation/1", "ship": "cadet/federation-ca", "turns": [
 {"turn": 1, "lines": {"9": "3", "10": {"PHOT/A": "2", "PHOT/B": "2"}}},
 {"turn": 2, "lines": {"10": {"PHOT/A": "2"}}},
 {"turn": 3, "lines": {"9": "1", "10": {"PHOT/A": "1"}}}]}"""


def test_energy_from_a_form() -> None:
    ship, form = load_ship("cadet/federation-ca"), read_json_form(FORM.encode(), "form", STANDARD.lines)
    first = fire_energy(CADET, ship, form, 1)
    assert (first.tubes, first.capacitor) == ({"PHOT/A": "partly", "PHOT/B": "partly"}, Fraction(3))
    assert fire_energy(CADET, ship, form, 2).tubes == {"PHOT/A": "paid", "PHOT/B": "unpaid"}
    assert fire_energy(CADET, ship, form, 3).tubes["PHOT/A"] == "paid"
    assert first.fire_control == "paid"
    with pytest.raises(BadInput, match="turn 4"):
        fire_energy(CADET, ship, form, 4)


def test_fire_control_from_a_standard_form() -> None:
    text = FORM.replace("cadet/federation-ca", "standard/federation-ca")
    energy = fire_energy(
        STANDARD, load_ship("standard/federation-ca"), read_json_form(text.encode(), "f", STANDARD.lines), 1
    )
    assert energy.fire_control == "unpaid"


def test_too_little_in_the_capacitor() -> None:
    shots = tuple(shot_of({**FED, "weapon": w, "energy": "unknown"}) for w in ("PH-1A", "PH-1C"))
    report = check_shots(CADET, Declaration(shots, capacitors=(("Fed", Fraction(1)),)))
    assert [f.key for f in report.findings] == ["E2.21"] and report.findings[0].subject == "Fed"
    assert not report.not_checked


@pytest.mark.parametrize("name", ["ph1a", "PH-1A", "PH-1/A", " ph 1 a "])
def test_weapon_names(name: str) -> None:
    assert [mount.id for mount in weapons_named(CADET, load_ship("cadet/federation-ca"), [name])] == [
        "PH-1/A"
    ]


def test_nearest_weapons() -> None:
    ship = load_ship("cadet/federation-ca")
    with pytest.raises(BadInput, match="did you mean PH-1A"):
        weapons_named(CADET, ship, ["PH-1X"])
    with pytest.raises(BadInput, match="did you mean phaser"):
        weapon_type(CADET, "phasor-1")
    assert len(weapons_named(CADET, load_ship("cadet/klingon-d6"), ["all"])) == 6
    assert weapon_type(CADET, "PHOT") == "photon"


@pytest.mark.parametrize("text", ["1", "1.0", "0.1", "a.b", "1.100", "1.1.1", "", "١.١"])
def test_no_moment(text: str) -> None:
    with pytest.raises(ValueError, match="turn and an impulse"):
        parse_moment(text)


def test_moments_and_cloaks_are_read() -> None:
    assert parse_moment("3.16") == Moment(3, 16)
    assert parse_cloak("fading-in:2") == CloakState("fading-in", 2)
    assert parse_cloak("") == CloakState() and parse_cloak("cloaked").active
    with pytest.raises(ValueError, match="not a cloak"):
        parse_cloak("hidden")


def test_overload_by_option() -> None:
    book = STANDARD.with_options({"fire_modes": "captain"})
    tube: dict[str, Any] = {"ship": "cadet/federation-ca", "weapon": "PHOT-A", "range": 4, "mode": "overload"}
    armed = shot_of({**tube, "state": {"tubes": {"PHOT/A": ["4", "2"]}}})
    assert resolve_shots(book, [armed], ScriptedDice([4]))[0].damage == 12
    with pytest.raises(BadInput, match="energy in PHOT/A"):
        resolve_shots(book, [shot_of(tube)], ScriptedDice([4]))


def test_damage_leans_on_unsure_numbers() -> None:
    result: ShotResult = resolve_shots(CADET, [shot_of({**FED, "weapon": "PH-1A"})], ScriptedDice([1]))[0]
    assert result.data_status == load_ship("cadet/federation-ca").mounts[0].status
