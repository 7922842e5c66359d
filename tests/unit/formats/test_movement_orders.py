"""The order language: what is understood, what is asked back, what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.core.errors import BadInput
from referee.core.orders import (
    Advance,
    Fire,
    Help,
    Hit,
    ImpulseBegins,
    Launch,
    OrderProblem,
    SetSpeed,
    Status,
    TurnBegins,
)
from referee.formats.orderfiles import HEADERS, MARKERS, VERBS, is_orders
from referee.formats.orderlines import ORDER_FORMS, parse_chat_order
from referee.formats.orders import MAX_HINTS, format_orders, parse_orders, read_orders
from referee.rulebooks.registry import load_ship

EXAMPLE = """
rulebook sfb-cadet
impulses 16
ship Constellation = cadet/federation-ca at 2801E speed 16
ship Destruction   = cadet/klingon-d6 at 0216B speed 16
turn 1
  Constellation: speed 13
impulse 2
  Constellation: ahead                        # also: left, right (60 degrees, then ahead)
  Constellation: fire PH-1/A, PHOT/B at Destruction
  Destruction: launch DRN/1 at Constellation
  Constellation: hit 21 on 1 from LF          # damage to itself: answered with a volley
"""
NAMES = ("Constellation", "Destruction", "D6 Devastation")


def one_problem(line: str) -> OrderProblem:
    orders = parse_orders(EXAMPLE + line + "\n", "o", load_ship)
    assert len(orders.orders) == 7
    (problem,) = orders.problems
    assert problem.location.line == 13
    return problem


def test_the_example_of_the_contract() -> None:
    orders = parse_orders(EXAMPLE, "orders.txt", load_ship)
    assert not orders.problems
    assert (orders.rulebook, orders.impulses) == ("sfb-cadet", 16)
    assert [f"{ship.ship} {ship.hex}{ship.facing} {ship.speed}" for ship in orders.ships] == [
        "Constellation 2801E 16",
        "Destruction 0216B 16",
    ]
    assert orders.orders == (
        TurnBegins(1),
        SetSpeed("Constellation", 13),
        ImpulseBegins(2),
        Advance("Constellation", "ahead"),
        Fire("Constellation", ("PH-1/A", "PHOT/B"), "Destruction"),
        Launch("Destruction", "DRN/1", "Constellation"),
        Hit("Constellation", 21, 1, "LF"),
    )
    ahead = orders.orders[3].location
    assert (ahead.file, ahead.line, ahead.column) == ("orders.txt", 9, 18)
    assert parse_orders(format_orders(orders), "again") == orders


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("Constellation: forward", "did you mean NAME: ahead"),
        ("Constellation: fier PH-1/A at Destruction", "NAME: fire"),
        ("Constelation: ahead", "did you mean Constellation"),
        ("Constellation: fire PH-1D at Destruction", "did you mean PH-1/"),
        ("Constellation: fire PH-1 at Destruction", "PH-1/A or PH-1/B"),
        ("Constellation: fire PH-1/A at Destroyer", "Destruction"),
        ("Constellation: fire PH-1/A", "a target"),
        ("Constellation: hit 21 on 7", "1 to 6"),
        ("Constellation: hit 21 on 1 from nowhere", "row:A"),
        ("Constellation: speed fast", "speed 13"),
        ("Constellation: speed -3", "no number"),
        ("Constellation: speed 99999", "no number"),
        ("Constellation: left twice", "nothing more"),
        ("Constellation:", "no order"),
        ("ahead", "no ship is named"),
        ("hit 3 on 1 from row:B", "no ship is named"),
        ("impulse", "lacks its number"),
        ("Constellation: impulse 3", "line of their own"),
        ("impulses 8", "at the head"),
        ("gibberish here", "orders are"),
        ("Constellation: ahead \x07", "plain text"),
        ("x" * 501, "501 characters"),
        ("Constellation: " + "ahead;" * 30, "lines of their own"),
    ],
)
def test_what_is_not_understood_says_what_would_be(line: str, says: str) -> None:
    assert says in str(one_problem(line))


@pytest.mark.parametrize(
    "header",
    [
        "ship Constellation = cadet/federation-ca at 2801E",
        "ship X = cadet/federation-ca at 2801",
        "ship X = cadet/federation-ca at 28010A",
        "ship X = cadet/federaton-ca at 2801A",
        "ship --- = cadet/federation-ca at 2801A",
        "ship X cadet/federation-ca",
        "rulebook trek",
        "impulses 8",
        "option x",
    ],
)
def test_headers_that_are_refused(header: str) -> None:
    text = EXAMPLE.replace("turn 1", header + "\nturn 1")
    (problem,) = parse_orders(text, "o", load_ship).problems
    assert problem.location.line == 6
    assert problem.hint


def test_names_match_ignoring_case_and_punctuation() -> None:
    text = EXAMPLE + "CONSTEL-lation: fire ph1a at d6 destruction; right\n"
    orders = parse_orders(text, "o", load_ship)
    assert not orders.problems
    assert orders.orders[-2:] == (
        Fire("Constellation", ("PH-1/A",), "Destruction"),
        Advance("Constellation", "right"),
    )
    assert [order.location.column for order in orders.orders[-2:]] == [17, 46]


def test_chat() -> None:
    ship = load_ship("cadet/federation-ca")
    said = parse_chat_order("!fire PH-1A,PH-1B at D6 Destruction", "Constellation", NAMES[:2], ship)
    assert said == Fire("Constellation", ("PH-1/A", "PH-1/B"), "Destruction")
    assert parse_chat_order("hello", "Constellation") is None
    assert parse_chat_order("!hit 3 on #1 from row:b", "Constellation") == Hit("Constellation", 3, 1, "row:B")
    assert parse_chat_order("!Destruction: ahead", "Constellation", NAMES) == Advance("Destruction", "ahead")
    assert parse_chat_order("!help") == Help("")
    assert parse_chat_order("!status", "Constellation") == Status("Constellation")
    assert parse_chat_order("!turn 3") == TurnBegins(3)
    for line, hint in (
        ("!", "orders are"),
        ("!ahead", "NAME: ahead"),
        ("!fire PH-1A at D6", "Devastation"),
        ("!fly", "orders are"),
        ("!ahead\nturn 3", "plain"),
    ):
        problem = parse_chat_order(line, "" if line == "!ahead" else "Constellation", NAMES[:3:2], ship)
        if line == "!fire PH-1A at D6":
            assert problem == Fire("Constellation", ("PH-1/A",), "D6 Devastation")
        else:
            assert isinstance(problem, OrderProblem), line
            assert hint in str(problem)
    asked = parse_chat_order("!fire PH-1A at D6", "Constellation", ("D6 Destruction", "D6 Devastation"), ship)
    assert isinstance(asked, OrderProblem)
    assert asked.hint == "say which"


def test_every_order_of_a_ship_is_written_as_it_is_read() -> None:
    said = (
        "speed 8", "ahead", "leave the map left", "fire PH-1/A at Destruction on 2", "hit 3 on 1", "cloak", "uncloak",
        "battery 1 for PH-1/A", "lock on Destruction", "hold fire", "undo", "status", "help",
    )  # fmt: skip
    rows = "".join(f"Constellation: {row}\n" for row in said)
    orders = parse_orders(EXAMPLE + rows, "o", load_ship)
    assert not orders.problems
    assert parse_orders(format_orders(orders), "o", load_ship) == orders


def test_names_like_verbs_and_headers() -> None:
    text = "ship Ship of Fools = a/b at 0101A\nship turn = a/b at 0101A\nship hit 3 = a/b at 0101A\nturn 1\nimpulse 1\n"
    text += "Ship of Fools: ahead\nturn: left\nhit 3: hit 3 on 1 from row:B\n"
    orders = parse_orders(text, "o")
    assert not orders.problems
    assert parse_orders(format_orders(orders), "o") == orders


def test_limits(tmp_path: Path) -> None:
    for text in ("a\n" * 20_001, "#" * (1024 * 1024 + 1)):
        with pytest.raises(BadInput):
            parse_orders(text, "o")
    with pytest.raises(BadInput):
        read_orders(b"\xffturn 1\n", "o")
    with pytest.raises(BadInput):
        read_orders(b"#" * (1024 * 1024 + 1), "o")
    many = parse_orders("nonsense\n" * 20_000, "o")
    assert len(many.problems) == 20_000
    assert many.problems[0].hint
    assert not many.problems[MAX_HINTS].hint
    assert read_orders(b"\xef\xbb\xbfturn 1\r\n", "o").orders == (TurnBegins(1),)


def test_what_is_an_orders_file() -> None:
    assert is_orders("# a duel\n\nrulebook sfb-cadet\n")
    assert is_orders("turn 1\n")
    assert is_orders(
        "# turn 1 of a game\nConstellation: speed 12\nimpulse 2\n  Constellation: fire PH-1/A, PH-1/B at D6\n"
    )
    assert is_orders("Constellation: fire PH-1/A, PH-1/B at D6")
    assert not is_orders("Note: fire late\nTurn,1,2\nMovement,8,8\n")
    assert not is_orders("Movement: 12\n")
    assert is_orders("ship X = cadet/gorn at 0101A")
    assert not is_orders("Ship, Constellation\nTurn,1,2\n")
    assert not is_orders("Turn,1\n")
    assert not is_orders("")


def test_the_verbs_that_tell_orders_from_a_form_are_those_that_are_understood() -> None:
    assert set(VERBS) == ORDER_FORMS.keys() - {*HEADERS, *MARKERS}


def test_problems_are_not_written_back() -> None:
    orders = parse_orders(EXAMPLE + "nonsense\n", "o")
    assert parse_orders(format_orders(orders), "o") == replace(orders, problems=())


def test_a_ship_that_is_placed_wrongly_is_known_by_its_name_all_the_same() -> None:
    text = "ship Constellation = cadet/federation-ca at 28010E\nship Destruction = cadet/klingon-d6 at 0216B\nturn 1\n"
    orders = parse_orders(
        text + "impulse 1\nConstellation: ahead\nConstelation: fire PH-1Z at D\n", "o", load_ship
    )
    placed, misspelt = orders.problems
    assert "did you mean 2801E" in placed.reason
    assert misspelt.hint == "did you mean Constellation?"
    assert orders.orders[-1] == Advance("Constellation", "ahead")


@pytest.mark.parametrize(
    ("impulses", "speed", "status"),
    [(8, 8, ""), (8, 5, "provisional"), (16, 16, ""), (16, 4, "provisional"), (32, 4, "")],
)
def test_a_move_missed_leans_on_the_chart_only_where_another_could_call_it_otherwise(
    impulses: int, speed: int, status: str
) -> None:
    from referee.judging.orders import judge_orders
    from referee.rulebooks.registry import load_rulebook

    text = (
        f"rulebook sfb-standard\nimpulses {impulses}\nship A = standard/federation-ca at 1015A speed {speed}\n"
        f"turn 1\nA: speed {speed}\nimpulse {impulses}\nA: ahead\n"
    )
    report = judge_orders(load_rulebook("sfb-standard"), parse_orders(text, "o", load_ship), load_ship)
    missed = [found for found in report.findings if found.key == "C1.4/missed"]
    assert missed and {found.data_status for found in missed} == {status}
