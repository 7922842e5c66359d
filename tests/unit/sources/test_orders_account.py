"""An orders file as an account of its game, and what the one table makes of it."""

from __future__ import annotations

import pytest

from referee.core.account import Account
from referee.core.finding import Report
from referee.formats.orders import parse_orders
from referee.judging.orders import judge_orders, orders_on_table
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.sources.orders import account_of

HEAD = """rulebook sfb-cadet
impulses 16
ship Con = cadet/federation-ca at 2020A speed 8 side Fed
ship War = cadet/klingon-d6 at 2030A speed 8
drone D at 0101A speed 4
"""
BOOK = load_rulebook("sfb-cadet")


def account(text: str) -> Account:
    return account_of(parse_orders(text, "game.txt", load_ship), BOOK, load_ship)


def judged(text: str, *, goes_on: bool = False) -> Report:
    return judge_orders(BOOK, parse_orders(text, "game.txt", load_ship), load_ship, goes_on=goes_on)


def test_every_order_that_stands_is_an_event_at_its_line() -> None:
    told = account(
        HEAD + "Con: ahead\nimpulse 2\nCon: fire PH-1/A at War; cloak\nCon: undo\nWar: launch DRN/1 at Con\n"
    )
    assert [(event.type, event.at.line) for event in told.events] == [
        *[("genesis", None), ("ship", 3), ("ship", 4), ("drone", 5)],
        *[("step", 6), ("order", 6), ("step", 7), ("order", 8), ("order", 10)],
    ]
    turn, move, impulse, fire, launch = told.events[4:]
    assert (turn.data, impulse.data) == ({"turn": 1}, {"turn": 1, "impulse": 2})
    assert move.data == {"turn": 1, "impulse": None, "move": {"ship": "Con", "way": "ahead"}}
    assert fire.data["fire"] == {"ship": "Con", "weapons": ["PH-1/A"], "target": "War"}
    assert launch.data["launch"]["name"] == "War DRN/1 t1" and launch.data["launch"]["type"] == "drone"
    assert (fire.by, launch.by) == ("Fed", "=War"), "a ship whose side is not given is on its own"
    assert [ship["side"] for ship in told.ships] == ["Fed", ""]
    assert not told.kept and (told.end.line, told.file) == (7, "game.txt")


def test_its_coverage_says_what_it_tells_nothing_of() -> None:
    coverage = account(HEAD).coverage
    assert coverage.energy == "no energy form" and coverage.dice and coverage.damage and coverage.steps
    assert not coverage.moves, "it tells every move"


def test_what_is_not_understood_is_a_remark() -> None:
    told = account(HEAD + "turn 1\nCon: undo\nD: cloak\n")
    assert [(one.key, one.location.line) for one in told.remarks] == [("NOTE/order", 7), ("NOTE/order", 8)]
    unknown = account(HEAD.replace("klingon-d6", "klingon-d60"))
    assert [ship["class"] for ship in unknown.ships] == ["cadet/federation-ca", ""]


MISSED = HEAD.replace("drone", "# drone") + (
    "turn 1\nCon: speed 8\nWar: speed 8\nimpulse 2\nCon: ahead\nWar: ahead\nimpulse 4\nWar: ahead\n"
)


@pytest.mark.parametrize(
    ("more", "goes_on", "severity"),
    [("", False, ["undecided"]), ("impulse 5\n", False, ["error"]), ("", True, [])],
)
def test_who_has_not_moved_in_the_last_impulse_may_yet(more: str, goes_on: bool, severity: list[str]) -> None:
    found = [one for one in judged(MISSED + more, goes_on=goes_on).findings if one.key == "C1.4/missed"]
    assert [one.severity for one in found] == severity
    assert all((one.subject, one.impulse) == ("Con", 4) for one in found)
    assert all(one.message.endswith("may go on") == (not more) for one in found)


DYING = """rulebook sfb-cadet
impulses 16
ship Con = cadet/federation-ca at 2020A speed 8
ship War = cadet/klingon-d6 at 2030A speed 8
turn 1
Con: speed 8
War: speed 8
impulse 2
Con: ahead
War: ahead
War: hit 250 on 1
impulse 4
War: ahead
Con: ahead
"""


def test_an_order_of_a_ship_that_is_destroyed_is_nothing_done_too_early() -> None:
    found = [(one.key, one.subject, one.location.line) for one in judged(DYING).findings]
    assert found == [("D4.4", "War", 11), ("D4.41", "War", 13)]


def test_a_seeker_of_a_dead_ship_was_never_launched() -> None:
    text = DYING.replace("impulse 4\nWar: ahead\n", "impulse 4\nWar: launch DRN/1 at Con\n")
    found = judged(text + "impulse 5\nWar DRN/1 t1: ahead\n").findings
    assert [(one.key, one.location.line) for one in found] == [
        ("D4.4", 11),
        ("D4.41", 13),
        ("NOTE/order", 16),
    ]


def test_a_weapon_that_first_fires_in_a_later_turn_of_a_whole_game_never_fired_before() -> None:
    text = (
        HEAD.replace("speed 8", "speed 0").replace("drone", "# drone") + "turn 1\nturn 2\nturn 3\nimpulse 1\n"
    )
    lacking = {item.key for item in judged(text + "Con: fire PH-1/C at War\n").not_checked}
    assert "E1.5" not in lacking and "E1.2/energy" in lacking


def test_fire_in_the_hex_of_a_ship_strikes_the_shield_it_came_in_on() -> None:
    """As in a record: the firer moved in, so its direction is known."""
    text = """rulebook sfb-cadet
impulses 16
ship Con = cadet/federation-ca at 2021A speed 16 side A
ship War = cadet/klingon-d6 at 2020D speed 0 side B
turn 1
War: speed 0
impulse 1
Con: ahead
Con: fire PH-1/C at War
"""
    assert "E1.4" not in {item.key for item in judged(text).not_checked}
    still = text.replace("2021A speed 16", "2020A speed 0").replace("Con: ahead\n", "")
    assert "E1.4" in {item.key for item in judged(still).not_checked}


def test_ships_stand_where_they_were_moved_to() -> None:
    orders = parse_orders(MISSED, "game.txt", load_ship)
    table = orders_on_table(BOOK, orders, load_ship, goes_on=True)
    war = table.state.ships["War"]
    assert war.position == "2028A" and war.unit is table.course.track.units["War"]
