"""Ships whose counters are seen, on the one table: their moves, and what they did out of sight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.adjudicator.movement_seen import SeenCourse, course_of
from referee.adjudicator.table import GameTable
from referee.core.account import NO_TIME, Account, Coverage, Event
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import Move, When
from referee.rulebooks.registry import load_rulebook, load_ship

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
START = Hex(20, 20)
SEEN = Coverage(ways="counters are seen", steps="no steps")
FILE = Location("g.vlog")
Told = tuple[str, Mapping[str, Any], Location, When]


def step(turn: int, **data: int) -> Told:
    return "step", {"turn": turn, **data}, FILE, NO_TIME


def speed(points: int, *, paid: bool = True) -> Told:
    said = {"ship": "A", "speed": points} | ({"pays": points} if paid else {})
    return "order", {"speed": said}, Location("g.vlog", step=1), NO_TIME


def counter(kind: str, impulse: int, n: int, **data: Any) -> Told:
    return "order", {kind: {"ship": "A", **data}}, Location("g.vlog", step=n), When(1, impulse)


def ahead(*impulses: int, turned: int | None = None) -> list[Told]:
    """Moves straight ahead, each in an impulse that begins with it."""
    told, here = [], START
    for n, impulse in enumerate(impulses, 1):
        move = Move("A", When(1, impulse), here, here.step("A"), "A", "A", Location("g.vlog", step=10 * n))
        told += [step(1, impulse=impulse), counter("seen", impulse, 10 * n, move=move, turned=turned)]
        here = move.to_hex
    return told


def judged(told: Iterable[Told], begins: int = 1, last: int = 4, **account: Any) -> GameTable:
    """The game of ship A, at speed 8 in turn 1, from an impulse on."""
    ship = {
        "ship": "A", "class": "cadet/federation-ca", "player": "ann", "speed": 8,
        "on_map": True, "hex": START, "facing": "A", "counting": "start",
    }  # fmt: skip
    genesis = {"players": ["ann"], "dice": {"mode": "seed"}, "fold": 2}
    row: list[Told] = [("genesis", genesis, FILE, NO_TIME), ("ship", ship, FILE, NO_TIME)]
    row += [step(1, untold=begins - 1), speed(8), *told, step(1, over=last)]
    events = (Event(n, kind, data, at=at, when=when) for n, (kind, data, at, when) in enumerate(row))
    coverage = account.pop("coverage", SEEN)
    account = {"since": When(1, begins), "until": When(1, last + 1), **account}
    return GameTable(BOOK, load_ship, Account(tuple(events), coverage, "g.vlog", kept=False, **account))


def found(*told: Told, **more: Any) -> list[tuple[str, int | None]]:
    return [(one.key, one.impulse) for one in judged(told, **more).report().findings]


def test_a_course_by_the_chart() -> None:
    assert found(*ahead(2, 4)) == []


def test_a_move_missed_and_one_too_many() -> None:
    assert found(*ahead(2)) == [("C1.4/missed", 4)]
    assert found(*ahead(2, 3, 4)) == [("C1.4", 3)]


def test_a_move_that_is_missed_stands_where_its_impulse_was_over() -> None:
    (missed,) = judged([], last=2).report().findings
    assert missed.location.step is None
    (missed,) = judged([], last=2, over={(1, 2): Location("g.vlog", step=7)}).report().findings
    assert (missed.location.step, missed.fix) == (7, "move its counter a hex on impulse 2")


def test_who_had_moved_before_the_account_began_is_not_told() -> None:
    midway = Coverage(ways="counters are seen", steps="no steps", start="it begins in the midst")
    table = judged([], begins=2, last=3, coverage=midway)
    assert table.report().findings == ()
    (open_,) = (item for item in table.report().not_checked if item.key == "C1.4/missed")
    assert open_.reason == "the log begins in impulse 2: whether it had moved in it before is not known"
    assert found(begins=2, last=3) == [("C1.4/missed", 2)]


def test_a_ship_out_of_sight_comes_back_where_it_may_be() -> None:
    two_on = START.step("A", 2)
    sight = {"hidden": True, "strayed": False, "in_play": True}

    def seen_at(hex: Hex) -> list[str]:
        hides = counter("left", 1, 1, hex=START, facing="A", **sight)
        back = counter("back", 4, 50, hex=hex, facing="A")
        return [key for key, _ in found(hides, step(1, impulse=4), back)]

    assert seen_at(two_on) == []
    assert seen_at(START.step("A", 6)) == ["C1.1/continues"]


def test_the_game_knows_where_the_ships_stand() -> None:
    assert judged(ahead(2, 4)).state.ships["A"].unit.hex == START.step("A", 2)


def test_only_a_speed_that_no_form_pays_for_is_judged_as_said() -> None:
    assert found(speed(99), last=0) == []
    assert found(speed(99, paid=False), last=0) != []


def test_what_a_source_tells_of_moves_says_how_they_are_judged() -> None:
    def course(coverage: Coverage, *, kept: bool = False) -> str:
        account = Account((Event(0, "genesis", {}),), coverage, kept=kept)
        return type(course_of(BOOK, load_ship, account)).__name__

    assert course(SEEN) == SeenCourse.__name__
    assert course(Coverage(steps="no steps")) == "ToldCourse"
    assert course(Coverage()) == course(SEEN, kept=True) == "GameCourse"


def test_a_ship_that_moves_as_it_said_pays_for_that() -> None:
    said = {"ship": "A", "speed": 16, "pays": 8, "how": "said", "kept": True}
    table = judged([("order", {"unpaid": said}, Location("g.vlog", step=5), When(1))], last=0)
    (unpaid,) = table.course.on_speeds
    assert (unpaid.severity, unpaid.location.step) == ("error", 5)
    assert unpaid in table.report().findings


def test_a_speed_stands_for_its_turn() -> None:
    table = judged([counter("changed", 3, 9, speed=10, stands=8)], last=0)
    (changed,) = table.course.on_speeds
    assert (changed.rule, changed.impulse, changed.found) == ("B2.0", 3, "impulse 3")


def test_a_clock_may_show_more_impulses_than_a_turn_has() -> None:
    assert {impulse for _, impulse in found(last=999_999_999)} == {2, 4, 6, 8, 10, 12, 14, 16}
    hides = {"hex": START, "facing": "A", "hidden": True, "strayed": False, "in_play": True}
    assert found(counter("left", 999_999_999, 1, **hides), last=0) != []
