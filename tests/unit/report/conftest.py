"""Small hand-made reports, ships and volleys to render, and the golden texts they are held against."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from referee import __version__
from referee.core.events import BoxDestroyed, Event, ShieldHit, ShipDestroyed
from referee.core.finding import (
    Finding,
    InputFile,
    LedgerLine,
    NotChecked,
    Report,
    Severity,
    TurnLedger,
)
from referee.core.location import Location
from referee.core.ship import ShipClass, ship_from_json
from referee.core.state import ShipState, fold, new_state
from referee.core.volley import Hit, VolleyOrder, VolleyResult

GOLDEN = Path(__file__).parent / "golden"
HOSTILE = "a\x1b[31m\u202eb<script>alert(1)</script>[/x]|`c`\n# d &lt; ![p](http://x.y) @all {{7*7}} *e* \x9b\x00\ud800"


@pytest.fixture
def hostile() -> str:
    """What an adversary may write for a name."""
    return HOSTILE


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Holds a text against a golden file; REFEREE_WRITE_GOLDEN=1 writes it instead."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        shown = text.replace(__version__, "VERSION")
        if os.environ.get("REFEREE_WRITE_GOLDEN"):
            path.write_text(shown, encoding="utf-8")
        assert shown == path.read_text(encoding="utf-8")

    return compare


def _in(cell: str, line: int) -> Location:
    return Location(file="turn2.csv", cell=cell, line=line)


@pytest.fixture
def report() -> Report:
    """One ship, two turns, a finding of each severity, a rule not checked, two ledgers."""
    return Report(
        findings=(
            Finding(
                key="NOTE/unknown-label",
                severity=Severity.NOTE,
                message="referee does not know this row, so it is not judged",
                subject="Constellation",
                location=_in("A9", 9),
                found="Tea",
            ),
            Finding(
                key="B3.0-20",
                severity=Severity.ERROR,
                message="22½ points spent, 22 available",
                subject="Constellation",
                turn=1,
                location=_in("C14", 14),
                expected="≤ 22",
                found="22½",
                fix="cut ½ point on lines 7 to 19",
                data_status="provisional",
            ),
            Finding(
                key="B3.0-14/given-twice",
                severity=Severity.UNDECIDED,
                message="this line is given twice",
                subject="Constellation",
                turn=2,
                location=Location(file="turns/forms 1.xlsx", sheet="Turn 2", cell="B7"),
            ),
            Finding(
                key="H6.2",
                severity=Severity.WARNING,
                message="the capacitor is full",
                subject="Constellation",
                turn=2,
                impulse=3,
                location=Location(file="game.json", pointer="/turns/1/lines/9"),
                house_rule="duel.toml",
            ),
        ),
        checked=("B3.0-20", "B3.0-14/given-twice", "H6.2", "C5.2"),
        not_checked=(
            NotChecked("B3.0-14/acceleration", "the speed before is not known", "Constellation, turn 1"),
        ),
        ledgers=(
            TurnLedger(
                ship="Constellation",
                turn=1,
                available={"warp": "16", "impulse": "2", "apr": "2", "battery": "2"},
                lines=(
                    LedgerLine("9", "5/2", {"apr": "2", "impulse": "1/2"}),
                    LedgerLine("10:PHOT/A", "2", {"warp": "2"}),
                    LedgerLine("14", "16", {"warp": "14", "unpaid": "2"}),
                ),
                left={"impulse": "3/2", "battery": "2"},
                carried={"batteries": "2", "speed": "16"},
            ),
        ),
        inputs=(InputFile("turn2.csv", "ab" * 32), InputFile("turns/forms 1.xlsx", "cd" * 32)),
        rulebook="sfb-cadet",
        ships=({"name": "Constellation", "ship": "cadet/federation-ca", "rulebook": "sfb-cadet"},),
        options={"reinforcement": "false"},
    )


@pytest.fixture
def hostile_report() -> Report:
    """A report whose every text was written by an adversary."""
    return of_an_adversary()


def of_an_adversary() -> Report:
    """A report whose every text was written by an adversary."""
    location = Location(file=HOSTILE, sheet=HOSTILE, cell=HOSTILE, piece=HOSTILE, pointer=HOSTILE, line=1)
    finding = Finding(
        key="B3.0-20",
        severity=Severity.ERROR,
        message=HOSTILE,
        subject=HOSTILE,
        turn=1,
        location=location,
        expected=HOSTILE,
        found=HOSTILE,
        fix=HOSTILE,
        house_rule=HOSTILE,
    )
    ledger = TurnLedger(
        HOSTILE,
        1,
        {HOSTILE: "2"},
        (LedgerLine(f"10:{HOSTILE}", "1", {HOSTILE: "1"}),),
        {HOSTILE: "1"},
        {HOSTILE: "1"},
    )
    return Report(
        findings=(finding,),
        checked=("B3.0-20",),
        not_checked=(NotChecked("C5.2", HOSTILE, HOSTILE),),
        ledgers=(ledger,),
        inputs=(InputFile(HOSTILE, "ab" * 32),),
        rulebook=HOSTILE,
        ships=({"name": HOSTILE, "ship": HOSTILE, "rulebook": HOSTILE},),
        options={"option": HOSTILE},
    )


def _number(
    value: object, status: str = "verified", source: str = "ssd", note: str = ""
) -> dict[str, object]:
    return {"value": value, "source": [source], "status": status} | ({"note": note} if note else {})


@pytest.fixture
def ship() -> ShipClass:
    """A small cruiser with one of everything."""
    return ship_from_json(
        {
            "id": "cadet/test-ca",
            "name": "Test cruiser",
            "rulebook": "sfb-cadet",
            "race": "Testers",
            "type": "CA",
            "aliases": ["Tester"],
            "figures": {
                "move_cost": _number("2/3"),
                "turn_mode": _number([[1, 6, 1], [7, 16, 2]]),
                "crew": _number(30, "single-source", "list"),
            },
            "shields": {str(n): _number(10 + n, "provisional", "derived", "half") for n in range(1, 7)},
            "boxes": {
                "forward_hull": _number(2),
                "left_warp": _number(4),
                "right_warp": _number(4),
                "impulse": _number(2),
                "apr": _number(1),
                "battery": _number(2),
                "excess": _number(1),
            },
            "tracks": {"sensor": _number([6, 3, 0])},
            "mounts": [
                {"id": "PH-1/A", "type": "phaser-1", "arc": "FX", "source": ["ssd"], "status": "verified"},
                {
                    "id": "DISR/A",
                    "type": "disruptor",
                    "arc": "FA",
                    "source": ["list"],
                    "status": "single-source",
                    "max_range": 22,
                },
            ],
            "limits": {"drones_per_turn": _number(1)},
            "missing": ["boxes/tractor"],
            "note": "Made for tests.",
        },
        {"phaser-1": "phaser", "disruptor": "torpedo"},
    )


@pytest.fixture
def damaged(ship: ShipClass) -> ShipState:
    """The cruiser with some of it gone and its energy known."""
    return ShipState(
        ship=ship.id,
        shields={1: 4, 2: 12, 3: 13, 4: 14, 5: 15, 6: 16},
        destroyed=frozenset({"PH-1/A", "left_warp/1", "sensor/1", "forward_hull/2"}),
        batteries=Fraction(3, 2),
        capacitor=Fraction(1),
        tubes={"DISR/A": (Fraction(2), Fraction(1, 2))},
        speed=Fraction(12),
    )


@pytest.fixture
def volley(ship: ShipClass) -> VolleyResult:
    """Eighteen points on shield 1 after 2 of reinforcement: six internals, the last destroys."""
    hits = (
        Hit(1, 6, "6A", "hull", "forward_hull", "forward_hull/1"),
        Hit(2, 5, "5B", "weapon", "phaser", "PH-1/A", "5A scored already; no cargo; no lab; left the ship"),
        Hit(3, 3, "3A", "engine", "left_warp", "left_warp/1"),
        Hit(4, 3, "3A", "engine", "impulse", "impulse/1"),
        Hit(5, 1, "1E", "excess", "excess", "excess/1", "no hull; no engine; no other; no weapon"),
        Hit(6, 2, "2E", "excess", "", "", "no excess damage box is left: destroyed"),
    )
    events: tuple[Event, ...] = (
        ShieldHit(1, 11),
        *(BoxDestroyed(hit.box) for hit in hits if hit.box),
        ShipDestroyed("D4.4"),
    )
    return VolleyResult(
        ship=ship,
        order=VolleyOrder(19, shield=1, specific_reinforcement=2),
        reinforcement=2,
        shield_before=11,
        shield_after=0,
        armor_before=0,
        armor_after=0,
        internals=6,
        hits=hits,
        wasted=0,
        destroyed=True,
        state=fold(new_state(ship), events),
        events=events,
        chooser="in-order",
        rules=("D4.1", "D4.4"),
    )
