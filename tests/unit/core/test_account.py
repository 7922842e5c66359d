"""A game's account: what a source tells, and how sure it is."""

from __future__ import annotations

import doctest

import pytest

import referee.core.account
from referee.adjudicator.table import GameTable
from referee.core.account import SURE, Account, Certainty, Coverage, Event, Perhaps, Unknown
from referee.core.location import Location
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.sources.record import account_of

GENESIS = {"fold": 2, "players": ["ann"], "rulebook": "sfb-cadet", "dice": {"mode": "solo"}}


def table(sure: Certainty) -> GameTable:
    """A ship of speed 4 moves in impulse 1 of 8, which does not call it."""
    told: list[tuple[str, dict[str, object]]] = [
        ("genesis", GENESIS),
        ("ship", {"ship": "A", "class": "cadet/klingon-d6", "player": "ann", "at": "0915C", "speed": "4"}),
        ("step", {"turn": 1, "step": "energy allocation"}),
        ("step", {"turn": 1, "impulse": 1, "step": "move ships"}),
    ]
    events = [Event(n, kind, data) for n, (kind, data) in enumerate(told)]
    moved = {
        "text": ["A: ahead"],
        "player": "ann",
        "turn": 1,
        "impulse": 1,
        "move": {"ship": "A", "way": "ahead"},
    }
    events.append(Event(4, "order", moved, at=Location("game.vlog", step=9), sure=sure))
    return GameTable(load_rulebook("sfb-cadet"), load_ship, Account(tuple(events), file="game.vlog"))


def test_the_example_of_the_page() -> None:
    assert doctest.testmod(referee.core.account).failed == 0


@pytest.mark.parametrize(
    ("sure", "severity", "open_"),
    [(SURE, ["error"], []), (Perhaps("or not"), ["undecided"], []), (Unknown("not read"), [], ["not read"])],
)
def test_a_finding_is_as_sure_as_its_event_and_stands_where_it_does(
    sure: Certainty, severity: list[str], open_: list[str]
) -> None:
    played = table(sure)
    report = played.report()
    assert [one.severity for one in report.findings] == severity
    assert [one.key for one in report.findings] == ["C1.4"] * len(severity)
    assert all(str(one.location) == "game.vlog:step 9" for one in report.findings)
    assert all(one.message.endswith(sure.why) for one in report.findings)
    assert [one.reason for one in report.not_checked if one.key == "C1.4"] == open_


def test_an_entry_of_a_record_is_an_event_at_its_line() -> None:
    entry = Event(3, "note", {"player": "ann", "text": "hello"}, "abc")
    (event,) = account_of([entry], "game.jsonl").events
    assert (event.seq, event.type, event.data, event.hash) == (3, "note", entry.data, "abc")
    assert (str(event.at), event.by, event.sure) == ("game.jsonl:record line 4", "ann", SURE)


def test_a_source_that_says_nothing_of_what_it_lacks_tells_all() -> None:
    assert Account(()).coverage == Coverage()
    assert Coverage(energy="no form").energy == "no form" and not Coverage(energy="no form").dice
