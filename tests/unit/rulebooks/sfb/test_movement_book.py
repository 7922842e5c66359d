"""Charts against the table, the worked examples of the book, the next hexes against the judge, speed."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from referee.core.errors import BadInput
from referee.core.finding import Verdict
from referee.core.hexgrid import FACINGS, Hex, relative_offset, struck_shields
from referee.core.impulses import called_impulses, chart_from_table, moves_on
from referee.core.location import Location
from referee.core.orders import Advance, OrdersFile, SetSpeed, TurnBegins, Undo, without_undone
from referee.core.play import (
    ImpulseBegun,
    Move,
    OrderSealed,
    Play,
    ShipInPlay,
    ShipMoved,
    SpeedSet,
    TurnBegun,
    When,
    apply,
    fold,
    moved,
)
from referee.core.scenario import WHOLE_MAP
from referee.corpus.movement import Mover, judge_moves
from referee.judging.next_moves import entered
from referee.report.paint import Paint
from referee.rulebooks.registry import load_ship
from referee.rulebooks.sfb.motion import Movement
from tests.unit.rulebooks.sfb.movement_book import book, judged, keys

FED = load_ship("cadet/federation-ca")
D7 = load_ship("standard/klingon-d7")
WAYS = {"ahead": 0, "left": 5, "right": 1}


@pytest.mark.parametrize("of", [8, 16, 32])
def test_the_formula_and_the_table_agree_in_every_cell(of: int) -> None:
    table = book().table("movement")["charts"]
    chart = chart_from_table(table, of)
    for speed, impulse in product(range(of + 1), range(1, of + 1)):
        literal = speed in table[str(of)]["speeds_by_impulse"][str(impulse)]
        assert moves_on(speed, impulse, of) is literal
        assert chart.calls(speed, impulse) is literal
    for speed in range(of + 1):
        assert len(chart.called(speed)) == speed
        assert chart.called(speed) == called_impulses(speed, of)
    assert not chart.calls(1, of + 1)
    assert not chart.calls(1, 0)


def test_facings_c1_2() -> None:
    assert Hex(17, 2).step("A") == Hex(17, 1)
    assert Hex(22, 1).step("C") == Hex(23, 2)


def test_shields_c1_2() -> None:
    here = Hex(3, 16)
    struck = {struck_shields(relative_offset(here, "A", here.step(facing))): facing for facing in FACINGS}
    assert struck == {(1,): "A", (2,): "B", (3,): "C", (4,): "D", (5,): "E", (6,): "F"}


def test_turn_mode_c3_3() -> None:
    movement = Movement(book())
    assert movement.turn_mode(FED, 8) == 2
    assert [movement.turn_mode(D7, speed) for speed in (1, 5, 6, 28, 29)] == [1, 1, 2, 5, 6]
    assert movement.turn_mode(FED, 17) is None
    assert movement.turn_mode(load_ship("cadet/freighter"), 4) is None


def test_count_carries_over_c3_41() -> None:
    """Turn mode 4: seven hexes in A, one in B; three more in B, then a turn to C or A."""
    events = [TurnBegun(1), SpeedSet("X", 16)]
    here = Hex(20, 40)
    for impulse, facing in enumerate("AAAAAAAB", 1):
        here = here.step(facing)
        events += [ImpulseBegun(impulse), ShipMoved("X", here, facing)]
    ship = load_ship("standard/federation-ca")
    play = fold(Play((ShipInPlay("X", ship.id, Hex(20, 40), "A", speed=16),)), [*events, TurnBegun(2)])
    movement = Movement(book("sfb-standard"))
    unit = play.ships[0]
    assert movement.turn_mode(ship, unit.speed) == 4
    assert movement.count(ship, unit) == (1, True)
    assert movement.turn_mode(ship, 8) == 2, "a slower speed lowers the need"


def test_half_circle_c3_1() -> None:
    """To reverse at turn mode 2 takes three turns, a half-circle some five hexes across."""
    ways = ["right", "ahead", "right", "ahead", "right"]
    text = "impulses 8\nship X = cadet/federation-ca at 1010A speed 8\nturn 1\n" + "".join(
        f"impulse {n}\n X: {way}\n" for n, way in enumerate(ways, 1)
    )
    assert judged(text).verdict is Verdict.LEGAL
    here, facing, columns = Hex(10, 10), 0, {10}
    for way in ways:
        facing = (facing + (way == "right")) % 6
        here = here.step(FACINGS[facing])
        columns.add(here.column)
    assert FACINGS[facing] == "D"
    assert max(columns) - min(columns) + 1 == 5


def test_each_finding_says_where_and_when() -> None:
    text = "impulses 8\nship X = cadet/federation-ca at 1010A speed 8\nturn 1\nimpulse 1\n X: right\nimpulse 2\n X: right\n"
    (finding,) = judged(text).findings
    assert (finding.rule, finding.turn, finding.impulse) == ("C3.2", 1, 2)
    assert (finding.location.file, finding.location.line, finding.location.column) == ("orders.txt", 7, 5)
    assert (finding.expected, finding.found) == ("2 hexes straight ahead (turn mode at speed 8, C3.3)", "1")
    assert finding.fix


def test_what_is_not_understood_is_no_legal_track() -> None:
    text = "impulses 8\nship X = cadet/federation-ca at 1010A speed 8\nturn 1\nimpulse 1\n X: ahead\n X: flie\n X: undo\n X: undo\n"
    report = judged(text)
    assert keys(report).count(("undecided", "NOTE/order")) == 2
    assert report.verdict is Verdict.CANNOT_TELL, "its only move was undone"


def test_unknown_class_and_options() -> None:
    report = judged("ship X = cadet/federation at 1010A speed 4\nturn 1\nimpulse 1\n")
    assert any("federation-ca" in finding.fix for finding in report.findings)
    with pytest.raises(BadInput):
        judged("impulses 12\nturn 1\n")
    with pytest.raises(BadInput):
        judged("option nonsense=1\nturn 1\n")


def test_undo_takes_back_the_last_order_of_the_ship_in_the_impulse() -> None:
    orders = (TurnBegins(1), SetSpeed("A", 4), Advance("B", "left"), Undo("A"), Undo("A"))
    assert without_undone(orders) == ((TurnBegins(1), Advance("B", "left")), (Undo("A"),))


def test_play_is_a_fold() -> None:
    start = Play((ShipInPlay("X", "c", Hex(5, 5), "A", speed=4), ShipInPlay("Y", "c")))
    after = fold(
        start,
        [
            TurnBegun(1),
            SpeedSet("X", 8),
            ImpulseBegun(1),
            OrderSealed("X", "K"),
            ShipMoved("X", Hex(5, 4), "A"),
        ],
    )
    unit = after.ship("X")
    assert unit is not None
    assert (after.turn, after.impulse) == (1, 1)
    assert (unit.previous_speed, unit.speed, unit.straight, unit.moved, unit.sealed) == (4, 8, 1, 1, "")
    assert start.ships[0].speed == 4
    with pytest.raises(KeyError):
        apply(start, SpeedSet("Z", 1))


@pytest.mark.parametrize("before", list(product(WAYS, repeat=2)))
def test_the_next_hexes_are_those_that_the_judge_allows(before: tuple[str, ...]) -> None:
    """At turn mode 2 what was moved before says whether it may turn."""
    text = "impulses 8\nship X = cadet/federation-ca at 1010B speed 8\nturn 1\n"
    unit = ShipInPlay("X", FED.id, Hex(10, 10), "B", speed=8)
    for n, way in enumerate(before, 1):
        text += f"impulse {n}\n X: {way}\n"
        assert unit.hex is not None and unit.facing is not None
        bow = FACINGS[(FACINGS.index(unit.facing) + WAYS[way]) % 6]
        unit = moved(unit, unit.hex.step(bow), bow, n)
    if judged(text).verdict is not Verdict.LEGAL:
        return
    assert unit.hex is not None and unit.facing is not None
    allowed = {
        unit.hex.step(FACINGS[(FACINGS.index(unit.facing) + turned) % 6])
        for way, turned in WAYS.items()
        if judged(f"{text}impulse 3\n X: {way}\n").verdict is Verdict.LEGAL
    }
    hexes, free = entered(book().with_options({"impulses": "8"}), FED, unit, WHOLE_MAP)
    assert set(hexes) == allowed and free is (len(allowed) == 3)


def test_the_next_hexes_keep_to_the_map() -> None:
    rules, edge = book().with_options({"impulses": "8"}), (Hex(1, 1), Hex(10, 10))
    at_edge = ShipInPlay("X", FED.id, Hex(1, 1), "A", speed=8, counting="turn", turn_hex=1)
    assert entered(rules, FED, at_edge, edge) == ((), False)
    free = ShipInPlay("X", FED.id, Hex(3, 3), "A", speed=8)
    assert [str(hex) for hex in entered(rules, FED, free, edge)[0]] == ["0202", "0302", "0402"]
    with pytest.raises(BadInput, match="is not on the map 0101-1010"):
        entered(rules, FED, replace(free, hex=Hex(11, 3)), edge)


def test_many_moves_are_judged() -> None:
    """12 ships, 10 turns of 32 impulses at speed 31."""
    ships = [Mover(f"S{n}", D7, dict.fromkeys(range(1, 11), 31), 31, side="Red") for n in range(12)]
    moves = []
    places = [Hex(10 + 2 * n, 500) for n in range(12)]
    for turn, impulse in product(range(1, 11), called_impulses(31, 32)):
        for n, place in enumerate(places):
            places[n] = place.step("A")
            moves.append(
                Move(f"S{n}", When(turn, impulse), place, places[n], "A", "A", Location(step=len(moves)))
            )
    assert judge_moves(book("sfb-standard"), ships, moves).verdict is Verdict.LEGAL
    moves[-1] = replace(moves[-1], to_hex=moves[-1].from_hex.step("B"))
    assert judge_moves(book("sfb-standard"), ships, moves).verdict is Verdict.ILLEGAL


def test_a_log_without_speeds_is_judged_as_far_as_it_goes() -> None:
    move = Move("X", When(None, None), Hex(5, 5), Hex(5, 4), "A", "A")
    report = judge_moves(book(), [], [move])
    assert report.verdict is Verdict.LEGAL
    assert {item.key for item in report.not_checked} == {"C1.4"}
    assert judge_moves(book(), [], []).verdict is Verdict.LEGAL
    assert OrdersFile().orders == ()


def test_a_class_nobody_knows_is_said_once_and_named_in_the_report() -> None:
    from referee.report.checktext import full

    report = judged("ship X = cadet/klingon-d66 at 1010A speed 4\nturn 1\nimpulse 1\n")
    assert keys(report).count(("undecided", "NOTE/order")) == 1
    assert (
        full(report, Paint(False)).splitlines()[2] == "X: of a class that is not known, judged by sfb-cadet"
    )
