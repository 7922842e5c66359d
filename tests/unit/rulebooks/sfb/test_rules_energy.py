"""Energy: what is carried from turn to turn, the capacitor, arming, and who pays what."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from referee.adjudicator.check import check_form
from referee.core.finding import Severity
from referee.core.forms import EnergyAllocation, EnergyForm, Figure
from referee.core.location import Location
from referee.core.ship import Mount
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.rulebooks.sfb.arming import Tube, readings, starting_tubes
from tests.casefile import form_from, turns_of

CADET = load_rulebook("sfb-cadet")
FEDERATION = load_ship("cadet/federation-ca")
ORION = load_ship("cadet/orion")
HALF = Fraction(1, 2)


def turns(*rows: str, ship: Any = FEDERATION, known: Any = None) -> list[Any]:
    """The turns of a form given by its rows, `Movement: 8, 8`."""
    numbers = range(1, rows[0].count(",") + 2)
    text = "\n".join(["Turn," + ",".join(map(str, numbers)), *(row.replace(":", ",") for row in rows)])
    return list(turns_of(CADET, ship, form_from(text, CADET), known))


def carried(turn: Any) -> Any:
    return CADET.offers.carry_over(turn)


def ledger_of(turn: Any) -> Any:
    """Who pays what in a turn, and what it leaves to the next."""
    return CADET.offers.ledger(turn, carried(turn))


def power(turn: Any) -> dict[str, Fraction]:
    return {source: turn.power(source) for source in ("warp", "impulse", "apr")}


@pytest.mark.parametrize(
    ("weapons", "capacity"),
    [
        ({"phaser-1": 3}, Fraction(3)),
        ({"phaser-1": 1, "phaser-3": 5}, Fraction(7, 2)),
        ({"phaser-1": 1, "phaser-2": 2, "phaser-g": 1, "phaser-3": 3}, Fraction(11, 2)),
    ],
    ids=["H6-capacity-1", "H6-capacity-2", "H6-capacity-3"],
)
def test_h6_capacity(weapons: dict[str, int], capacity: Fraction) -> None:
    mounts = tuple(
        Mount(f"{type}/{n}", type, "phaser", "360") for type, count in weapons.items() for n in range(count)
    )
    (turn,) = turns("Movement: 8", ship=replace(FEDERATION, mounts=mounts, _ids={}, _marks={}))
    assert turn.capacity == turn.ship_capacity == capacity


def test_h6_3_flow() -> None:
    flow = turns("Charge Phasers: 3, 2, 0", "PhasFired: 2, 1, 2", "Movement: 8, 8, 8")
    assert [carried(turn).capacitor for turn in flow] == [1, 2, 0]
    assert flow[1].capacity - flow[1].charge_before == 2


def test_b3_power_fed_and_rom() -> None:
    (federation,) = turns("Movement: 8")
    assert (power(federation), federation.total_power) == ({"warp": 16, "impulse": 2, "apr": 2}, 20)
    (romulan,) = turns("Movement: 8", ship=load_ship("cadet/romulan-we"))
    assert (power(romulan), romulan.total_power) == ({"warp": 16, "impulse": 2, "apr": 0}, 18)


def test_b3_16_battery() -> None:
    first, second = turns(
        "Disr A: 2, 0",
        "Disr B: 2, 0",
        "Charge Phasers: 4, 0",
        "Movement: 14, 8",
        "BttyUsedEA: 2, 0",
        "BttyRecharge: 0, 2",
        ship=load_ship("cadet/klingon-d6"),
    )
    assert (first.spent, first.total_power) == (22, 20)
    assert (second.batteries, second.total_power) == (0, 20)
    assert carried(second).batteries == (2,)


def test_module_note_turn_b() -> None:
    rows = (
        "Warp Power: 8",
        "Impulse Power: 0",
        "Reactor Power: 0",
        "Btty Avail: 0",
        "BttyRecharge: 2",
        "Photon A: 2",
        "Movement: 4",
        "BttyUsedInTurn: 1",
    )
    (turn,) = turns(*rows)
    assert turn.spent == 8
    assert carried(turn).batteries == (1,)


@pytest.mark.parametrize(
    ("rows", "ways"),
    [
        (("Movement: 8",), {(8, 0, 8), (7, 1, 8)}),
        (("Impulse Power: 0", "Movement: 8"), {(8, 0, 8)}),
        (("Movement: 1",), {(1, 0, 1), (0, 1, 1)}),
        (("Movement: 0",), {(0, 0, 0)}),
        (("Movement: 1/2",), {(HALF, 0, HALF)}),
    ],
)
def test_b3_14_move(rows: tuple[str, ...], ways: set[tuple[Fraction, Fraction, Fraction]]) -> None:
    (turn,) = turns(*rows)
    assert {(way.warp, way.impulse, way.speed) for way in turn.movements} == ways


def test_impulse_moves_any_ship_one_hex() -> None:
    (turn,) = turns("Movement: 7", ship=ORION)
    assert {(way.warp, way.impulse): way.speed for way in turn.movements} == {
        (7, 0): Fraction(21, 2),
        (6, 1): 10,
    }
    assert turn.movement.speed == 10


def test_a_stated_speed_decides_between_readings() -> None:
    raider = load_ship("standard/orion-lr")
    for stated in (12, 10):
        (turn,) = turns(f"Speed: {stated}", "Movement: 4", ship=raider)
        assert turn.movement.speed == stated


STEPS = {"kind": "photon", "steps": ["2", "2"], "hold": "1"}


def after(*amounts: int) -> set[str]:
    """What the last of some payments to one photon tube may have done."""
    tubes = starting_tubes(STEPS, None, fresh=True)
    outcomes: frozenset[Any] = frozenset()
    for amount in amounts:
        outcomes = readings(STEPS, tubes, Fraction(amount))
        tubes = frozenset(outcome.tube for outcome in outcomes)
    return {outcome.what for outcome in outcomes}


@pytest.mark.parametrize(
    ("amounts", "what"),
    [
        ((2,), {"arming"}),
        ((2, 2), {"armed"}),
        ((2, 2, 1), {"held"}),
        ((2, 0), {"lost"}),
        ((2, 0, 2), {"arming"}),
        ((2, 2, 0), {"emptied"}),
        ((2, 2, 2), {"arming"}),
        ((2, 2, 2, 2), {"armed"}),
        ((2, 1), set()),
        ((1,), set()),
        ((2, 2, 1, 1, 1), {"held"}),
    ],
)
def test_e4_22(amounts: tuple[int, ...], what: set[str]) -> None:
    assert after(*amounts) == what


def test_what_is_not_known_of_a_tube_may_be_anything() -> None:
    assert starting_tubes(STEPS, None, fresh=False) == {Tube(0), Tube(1), Tube(2, armed=True)}
    assert starting_tubes(STEPS, (Fraction(2),), fresh=True) == {Tube(1)}
    assert starting_tubes(STEPS, (Fraction(2), Fraction(2)), fresh=False) == {Tube(2, armed=True)}


def test_the_ledger_keeps_warp_for_what_needs_it() -> None:
    (turn,) = turns("Warp Power: 8", "Charge Phasers: 3", "Photon A: 2", "Movement: 7", "BttyUsedEA: 0")
    ledger = ledger_of(turn)
    assert ledger.available == {"warp": "8", "impulse": "2", "apr": "2", "battery": "2"}
    assert {line.line: dict(line.sources) for line in ledger.lines} == {
        "9": {"apr": "2", "impulse": "1"},
        "10:PHOT/A": {"warp": "2"},
        "14": {"impulse": "1", "warp": "6"},
    }
    assert ledger.left == {"battery": "2"}
    assert (ledger.ship, ledger.turn) == (turn.subject, 1)
    assert [(line.name, line.amount) for line in ledger.lines if line.line == "9"] == [("Phasers", "3")]


def test_what_nothing_can_pay_stands_as_unpaid() -> None:
    (turn,) = turns("Warp Power: 4", "Impulse Power: 0", "Photon A: 2", "Movement: 5")
    ledger = ledger_of(turn)
    assert {line.line: dict(line.sources) for line in ledger.lines}["14"] == {"warp": "2", "unpaid": "3"}


def test_the_ledger_carries_over() -> None:
    first, second = turns("Charge Phasers: 3, 0", "PhasFired: 1, 0", "BttyUsedInTurn: 1, 0", "Movement: 8, 0")
    carries = ledger_of(first).carried
    assert (carries["batteries"], carries["speed"]) == ("1", "8")
    assert ledger_of(second).carried["speed"] == "0"


def test_b3_0_13_a_seventh_shield() -> None:
    """No file can say it, as no label means it; the rule answers those who build forms themselves."""
    place = Location("form", cell="B9")
    entries = {"13:7": Figure(Fraction(3), place), "14": Figure(Fraction(8), place)}
    form = EnergyForm(None, (EnergyAllocation(1, entries, place),), place)
    report = check_form(CADET.with_options({"reinforcement": "true"}), FEDERATION, form)
    (found,) = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    assert (found.key, found.location.cell, found.found) == ("B3.0-13", "B9", "7")


def test_a_form_without_turns_is_not_judged() -> None:
    report = check_form(CADET, FEDERATION, EnergyForm(None, (), Location("form")))
    assert (report.checked, [item.key for item in report.not_checked]) == ((), ["B3.0"])


def test_a_turn_left_out_makes_what_was_carried_unknown() -> None:
    text = "Turn,1,3\nCharge Phasers,3,0\nPhas Cap,0,3\nPhoton A,2,1\nBtty Avail,2,2\nMovement,16,16"
    form = form_from(text, CADET)
    first, third = turns_of(CADET, FEDERATION, form)
    assert (third.before.speed, third.before.fresh) == (None, False)
    report = check_form(CADET, FEDERATION, form)
    assert not [
        finding for finding in report.findings if finding.turn == 3 and finding.severity is Severity.ERROR
    ]
    assert first.before.fresh


def test_findings_lean_on_the_status_of_the_numbers() -> None:
    eagle = load_ship("standard/romulan-we")
    book = load_rulebook("sfb-standard")
    report = check_form(book, eagle, form_from("Turn,1\nWarp Power,99\nLife Support,1\nMovement,1", book))
    (found,) = [finding for finding in report.findings if finding.key == "B3.0-1"]
    assert found.data_status == eagle.status_of("boxes/left_warp", "boxes/right_warp").replace("verified", "")


def test_e4_23_is_not_judged_where_the_warp_engines_are_not_known() -> None:
    engines = [system for system in FEDERATION.boxes if system.endswith("_warp")]
    unknown = replace(
        FEDERATION,
        boxes={system: boxes for system, boxes in FEDERATION.boxes.items() if system not in engines},
        sources={at: source for at, source in FEDERATION.sources.items() if "warp" not in at},
        missing=(*FEDERATION.missing, "boxes/warp"),
        _ids={},
    )
    form = form_from("Turn,1\nImpulse Power,2\nReactor Power,2\nPhoton A,2\nMovement,8", CADET)
    report = check_form(CADET, unknown, form)
    assert not [finding for finding in report.findings if finding.severity is Severity.ERROR]
    assert {"B3.0-1", "B3.0-14", "E4.23"} <= {item.key for item in report.not_checked}


def test_what_reinforcement_a_form_buys() -> None:
    """One calculation for a record, whose volleys take what is sure, and for a log, which asks for the most."""
    book = CADET.with_options({"reinforcement": "true"})
    lines = {"12": Fraction(4), "13": Fraction(3), "13:1": Fraction(2)}
    bought = book.offers.reinforcement(book, lines)
    assert bought.left({}, 1) == (2, 2) and bought.left({0: 1, 1: 5}, 1) == (1, 0)
    assert bought.left({}, 2) == (2, 0), "nobody can tell what shield line 13 is for"
    assert bought.most == {0: 2 + 3, 1: 2}
    without = CADET.with_options({"reinforcement": "false"})
    assert without.offers.reinforcement(without, lines).most == {0: 0}
