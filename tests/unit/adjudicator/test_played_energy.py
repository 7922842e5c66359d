"""A logged game judged: its turns of energy, and the course of its ships."""

from __future__ import annotations

from fractions import Fraction

from referee.adjudicator.played_energy import (
    PlayedTurn,
    Span,
    Vanished,
    energy_turns,
    form_remarks,
    judge_course,
    judge_energy,
)
from referee.adjudicator.track import Mover
from referee.core.finding import Report
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import Move, When
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.casefile import form_from

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
FED = load_ship("cadet/federation-ca")
POWER = "Warp Power,16,16\nImpulse Power,2,2\nAtomic Power,2,2\nTotal Power,20,20\nBtty Avail,2,2\n"


def turns(rows: str) -> list[PlayedTurn]:
    form = form_from(f"Turn,1,2\n{POWER}{rows}", BOOK)
    return [PlayedTurn(allocation) for allocation in form.allocations]


def energy(rows: str, fired: dict[int, int] | None = None) -> Report:
    shots = {turn: Fraction(points) for turn, points in (fired or {}).items()}
    return judge_energy(BOOK, FED, energy_turns(BOOK, FED, turns(rows), "A", shots), "A")


def test_the_capacitor_goes_from_turn_to_turn() -> None:
    rows = "Phasrecharge,3,3\n"
    assert [one.key for one in energy(rows).findings if one.severity == "error"] == ["H6.2"]
    after_fire = energy(rows, {1: 3})
    assert [one.key for one in after_fire.findings if one.severity == "error"] == []
    assert [ledger.turn for ledger in after_fire.ledgers] == [1, 2]


def test_what_cannot_be_read_is_remarked_on_whatever_its_figures_are() -> None:
    form = form_from("Turn,1\nWarp Power,lots\n", BOOK)
    assert form_remarks(BOOK, FED, form, "A") != ()
    whole = form_from(f"Turn,1,2\n{POWER}", BOOK)
    assert [one for one in form_remarks(BOOK, FED, whole, "A") if one.severity == "error"] == []


START = Hex(20, 20)
MOVER = Mover("A", FED, hex=START, facing="A", speeds={1: 8, 2: 8}, previous_speed=8)
UP_TO_4 = Span(When(1, 1), When(1, 4), end_moved=True)


def ahead(*impulses: int) -> list[Move]:
    moves, here = [], START
    for n, impulse in enumerate(impulses, 1):
        there = here.step("A")
        moves.append(Move("A", When(1, impulse), here, there, "A", "A", Location("g.vlog", step=10 * n)))
        here = there
    return moves


def course(moves: list[Move], *vanished: Vanished) -> list[tuple[str, int | None]]:
    report = judge_course(BOOK, [MOVER], moves, UP_TO_4, vanished=vanished)
    return [(one.key, one.impulse) for one in report.findings]


def test_a_course_by_the_chart() -> None:
    assert course(ahead(2, 4)) == []


def test_a_move_missed_and_one_too_many() -> None:
    assert course(ahead(2)) == [("C1.4/missed", 4)]
    assert course(ahead(2, 3, 4)) == [("C1.4", 3)]


def test_a_ship_out_of_sight_comes_back_where_it_may_be() -> None:
    two_on = START.step("A", 2)

    def seen_at(hex: Hex) -> list[str]:
        hides = Vanished("A", When(1, 1), 1, hidden=True, hex=START, facing="A")
        back = Vanished("A", When(1, 4), 50, hidden=True, hex=hex, facing="A")
        return [key for key, _ in course([], hides, back)]

    assert seen_at(two_on) == []
    assert seen_at(START.step("A", 6)) == ["C1.1/continues"]
