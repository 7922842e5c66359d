"""Ships of a log that are masked or hidden for a while: held against where they come back, and called from then on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.adjudicator.out_of_sight import Hidden, Seen, judge_return
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.registry import load_rulebook
from tests.cli.conftest import Ran
from tests.unit.formats.vassal.game_logs import FED, Play, moved
from tests.unit.logs.test_logs_oddly_legal import CA, Table, check, found, lacking

__all__ = ["check"]
Check = Callable[..., Ran]
CALLED = 2, 4, 6, 8, 10, 12, 14, 16
"""The impulses that call speed 8 on a chart of 16."""
START = Hex(40, 40)


class Dark(Table):
    """A ship that makes 8 hexes a turn, dead ahead unless told, and may be masked or hidden."""

    def __init__(self, speed: int | None = 8) -> None:
        self.veil = {4: "null;", 5: "null"}
        super().__init__({CA: (FED, START, "A")}, speed=speed or 0, turns=2)
        if speed is None:
            self.steps.clear()

    def counter_states(self, name: str, at: tuple[Hex, str] | None = None) -> list[str]:
        states = super().counter_states(name, at)
        return [self.veil.get(n, state) for n, state in enumerate(states)]

    def hide(self, way: int = 4) -> int:
        return self._veil({4: "ann;", 5: "null"} if way == 4 else {4: "null;", 5: "ann"})

    def show(self) -> int:
        return self._veil({4: "null;", 5: "null"})

    def _veil(self, veil: dict[int, str]) -> int:
        old, self.veil = self.counter_states(CA), veil
        return self.log(self.change(self.ids[CA], old, self.counter_states(CA)))

    def go(self, way: int = 0) -> int:
        return self.play(Play(CA, 1, self.now, way, 0))[1]

    def put(self, hex: Hex) -> int:
        old, bow = self.where[CA]
        self.where[CA] = hex, bow
        return self.log(self.move_leaf(CA, old, hex))

    def until(self, impulse: int, *, still: bool = False) -> None:
        """Play goes on to an impulse, the ship's moves made on the way."""
        while self.now < impulse:
            self.next()
            if self.now < impulse and self.now in CALLED and not still:
                self.go()


def told(ran: Ran) -> list[tuple[str, str, Any]]:
    return [(severity, key, step) for severity, key, _, step in found(ran)]


@pytest.mark.parametrize("way", [4, 5])
def test_a_ship_dragged_far_while_it_is_out_of_sight(check: Check, way: int) -> None:
    writer = Dark()
    writer.until(3)
    writer.hide(way)
    writer.until(4)
    writer.put(Hex(40, 34))
    writer.next()
    step = writer.show()
    ran = check(writer)
    assert told(ran) == [("error", "C1.1/continues", step)]
    (finding,) = ran.findings("error")
    assert (finding["expected"], finding["found"]) == ("1 hex from 4039A", "4034A")
    assert any("out of sight from step" in reason for reason in lacking(ran, "C1.4"))


@pytest.mark.parametrize("way", [4, 5])
def test_a_ship_that_moves_unseen_as_it_is_called_is_clean(check: Check, way: int) -> None:
    writer = Dark()
    writer.until(3)
    writer.hide(way)
    writer.until(9)
    writer.show()
    writer.until(16)
    ran = check(writer)
    assert told(ran) == [] and any("out of sight" in reason for reason in lacking(ran, "C1.4"))


@pytest.mark.parametrize("moves_in", ["unseen", "seen"])
def test_the_hex_of_the_impulse_it_is_shown_in(check: Check, moves_in: str) -> None:
    writer = Dark()
    writer.until(3)
    writer.hide()
    writer.until(6)
    if moves_in == "unseen":
        writer.go()
    writer.show()
    if moves_in == "seen":
        writer.go()
    writer.until(9)
    assert told(check(writer)) == []


@pytest.mark.parametrize("moved_before", [True, False])
def test_the_hex_of_the_impulse_it_is_hidden_in(check: Check, moved_before: bool) -> None:
    writer = Dark()
    writer.until(4)
    if moved_before:
        writer.go()
    writer.hide()
    if not moved_before:
        writer.go()
    writer.until(7)
    writer.show()
    writer.until(9)
    assert told(check(writer)) == []


def test_a_ship_that_is_called_and_stays_is_found(check: Check) -> None:
    writer = Dark()
    writer.until(3)
    writer.hide()
    writer.until(5, still=True)
    step = writer.show()
    ran = check(writer)
    assert told(ran) == [("error", "C1.4/missed", step)]


def test_a_ship_is_called_again_once_it_is_seen(check: Check) -> None:
    writer = Dark()
    writer.until(3)
    writer.hide()
    writer.until(5)
    writer.show()
    writer.until(9, still=True)
    messages = [message for _, key, message, _ in found(check(writer)) if key == "C1.4/missed"]
    assert [message.split()[5].strip(",") for message in messages] == ["6", "8"]


def test_a_ship_was_called_until_it_was_hidden(check: Check) -> None:
    writer = Dark()
    writer.until(5, still=True)
    writer.hide()
    writer.until(7)
    writer.show()
    messages = [message for _, key, message, _ in found(check(writer)) if key == "C1.4/missed"]
    assert [message.split()[5].strip(",") for message in messages] == ["2", "4"]


def test_a_ship_hidden_by_mistake_is_clean(check: Check) -> None:
    writer = Dark()
    writer.until(4)
    writer.hide()
    writer.show()
    writer.go()
    writer.until(9)
    ran = check(writer)
    assert told(ran) == [] and not any("out of sight" in reason for reason in lacking(ran, "C1.4"))


def test_a_reinforcement_that_was_never_seen_may_come_anywhere(check: Check) -> None:
    """Masked from the start, it is not in play: it is put on the map and shown."""
    writer = Dark()
    writer.veil = {4: "ann;", 5: "null"}
    writer._start = writer.start()
    writer.until(7, still=True)
    writer.put(Hex(50, 50))
    writer.show()
    writer.until(12, still=True)
    assert told(check(writer)) == []


@pytest.mark.parametrize(("row", "far"), [(28, False), (26, True)])
def test_a_ship_that_goes_out_of_sight_over_turns(check: Check, row: int, far: bool) -> None:
    """From 4032 on it may make a hex an impulse at most, where its speed of the next turn is not known."""
    writer = Dark()
    writer.until(16)
    writer.go()
    writer.hide()
    writer.advance((1, 16, 0), (2, 1, 0))
    writer.advance((2, 1, 0), (2, 4, 0))
    writer.put(Hex(40, row))
    step = writer.show()
    assert told(check(writer)) == ([("error", "C1.1/continues", step)] if far else [])


# -- out of sight more than once, and from the start ----------------------------------------


def blinking(way: int, hexes: int) -> Dark:
    """Out of sight from impulse 3 on, shown for a moment in 6 after its moves of 4 and 6, seen again in 8 so many
    hexes on."""
    writer = Dark()
    writer.until(3)
    writer.hide(way)
    writer.until(6)
    writer.go()
    writer.show()
    writer.hide(way)
    writer.until(8)
    for _ in range(hexes):
        writer.go()
    return writer


@pytest.mark.parametrize("way", [4, 5])
@pytest.mark.parametrize("hexes", [1, 2])
def test_a_ship_shown_for_a_moment_has_made_the_move_of_that_impulse(
    check: Check, way: int, hexes: int
) -> None:
    writer = blinking(way, hexes)
    step = writer.show()
    writer.until(9)
    ran = check(writer)
    assert told(ran) == ([("error", "C1.1/continues", step)] if hexes == 2 else [])
    reasons = lacking(ran, "C1.4")
    assert len(reasons) == 2 and all("turn mode" in reason for reason in reasons)


@pytest.mark.parametrize("hexes", [2, 3])
def test_a_ship_shown_for_a_moment_before_its_move_may_still_make_it(check: Check, hexes: int) -> None:
    """Called in 4, 6 and 8: of those it made one before it was shown in 6."""
    writer = Dark()
    writer.until(3)
    writer.hide()
    writer.until(6)
    writer.show()
    writer.hide()
    writer.until(8, still=True)
    for _ in range(hexes):
        writer.go()
    step = writer.show()
    writer.until(9)
    assert told(check(writer)) == ([("error", "C1.1/continues", step)] if hexes == 3 else [])


def test_a_ship_shown_and_hidden_twice_in_an_impulse_makes_one_move_in_it(check: Check) -> None:
    writer = Dark()
    writer.until(5)
    writer.hide()
    writer.until(6)
    for _ in range(2):
        writer.show()
        writer.hide()
    writer.go()
    writer.show()
    writer.until(9)
    assert told(check(writer)) == []


@pytest.mark.parametrize(("row", "far"), [(39, False), (36, True)])
@pytest.mark.parametrize("moved_before", [True, False])
@pytest.mark.parametrize("way", [4, 5])
def test_a_log_that_begins_with_a_ship_out_of_sight(
    check: Check, way: int, moved_before: bool, row: int, far: bool
) -> None:
    """From impulse 7 on it was in 4040, and 8 calls it; seen in 9."""
    writer = Dark()
    writer.veil = {4: "ann;", 5: "null"} if way == 4 else {4: "null;", 5: "ann"}
    writer.steps.clear()
    writer.at = 1, 7, 3 if moved_before else 0
    writer._start = writer.start()
    writer.now = 7
    writer.until(9, still=True)
    writer.put(Hex(40, row))
    step = writer.show()
    ran = check(writer)
    assert told(ran) == ([("error", "C1.1/continues", step)] if far else [])
    assert any("out of sight from the start" in reason for reason in lacking(ran, "C1.4"))
    if far:
        assert "where it was out of sight at the start" in ran.findings("error")[0]["message"]


@pytest.mark.parametrize(("hexes", "wrong"), [(4, False), (6, True)])
@pytest.mark.parametrize("sets_up", [False, True])
@pytest.mark.parametrize("way", [4, 5])
def test_a_game_that_begins_with_a_ship_out_of_sight(
    check: Check, way: int, sets_up: bool, hexes: int, wrong: bool
) -> None:
    """Seen in impulse 9, when 2, 4, 6 and 8 have called it; put in place before the form was filled in, or not. It
    moves unseen as a ship in play does, yet it may be no more than a reinforcement."""
    writer = Dark()
    writer.veil = {4: "ann;", 5: "null"} if way == 4 else {4: "null;", 5: "ann"}
    writer.steps.clear()
    if sets_up:
        writer.cells[CA] = writer._blank()
    writer._start = writer.start()
    if sets_up:
        writer.put(Hex(30, 30))
        writer.form(CA, 1)
        writer.form(CA, 2)
    start = writer.where[CA][0]
    writer.until(4, still=True)
    writer.put(start.step("A", 2))
    writer.until(9, still=True)
    writer.put(start.step("A", hexes))
    step = writer.show()
    writer.until(10)
    ran = check(writer)
    assert told(ran) == ([("undecided", "C1.1/continues", step)] if wrong else [])
    assert any("out of sight from the start" in reason for reason in lacking(ran, "C1.4"))


def test_a_ship_seen_again_in_a_new_turn_missed_no_call_before(check: Check) -> None:
    """The turn begins with its coming back, for nobody moved in it; impulse 2 called it out of sight."""
    writer = Dark()
    writer.until(16)
    writer.go()
    writer.hide()
    writer.advance((1, 16, 0), (2, 1, 0))
    writer.advance((2, 1, 0), (2, 2, 0))
    writer.go()
    writer.advance((2, 2, 0), (2, 3, 0))
    writer.show()
    writer.advance((2, 3, 0), (2, 4, 0))
    assert told(check(writer)) == []


@pytest.mark.parametrize(
    ("ways", "legal"), [((1, 1), False), ((1, 0), True), ((1, 0, 1), True), ((1, 1, 0), False)]
)
def test_a_ship_that_turns_out_of_sight_keeps_to_its_turn_mode(
    check: Check, ways: tuple[int, ...], legal: bool
) -> None:
    """At speed 8 it needs two hexes from one turn to the next."""
    writer = Dark()
    writer.until(3)
    writer.hide()
    for way in ways:
        writer.until(2 * ((writer.now + 2) // 2), still=True)
        writer.go(way)
    writer.next()
    step = writer.show()
    ran = check(writer)
    assert told(ran) == ([] if legal else [("error", "C3.2", step)])


# -- facts alone ---------------------------------------------------------------------------

BOOK = load_rulebook("sfb-cadet")


def back(hexes: int, *ways: int, sure: bool = True, facing: str = "", hex: Hex | None = None) -> str:
    """What is found on a ship called for some hexes that comes back where moves of some ways lead."""
    gone = Hidden(Seen(START, "A", 3, When(1, 3)))
    for impulse in range(4, 4 + hexes):
        gone.passes(True if sure else None, impulse)
    here, bow = START, "A"
    for way in ways:
        here, bow = moved(here, bow, way)
    seen = Seen(hex or here, facing or bow, 9, When(1, 9))
    finding = judge_return(BOOK, CA, gone, seen, Location("a.vlog", step=9))
    return f"{finding.severity} {finding.key}" if finding else ""


def test_where_a_ship_may_come_back() -> None:
    assert back(0) == back(1, 0) == back(1, 1) == back(3, 1, 0, -1) == back(6, 1, 1, 1, 1, 1, 1) == ""
    # It may have turned already for its next hex, and of a speed that is not known fewer hexes are no fault.
    assert back(1, 0, facing="B") == back(4, 0, sure=False) == back(0, facing="F") == ""
    assert back(1, 0, 0) == back(1, 0, 0, sure=False) == back(0, 0) == "error C1.1/continues"
    assert back(1) == "error C1.4/missed"
    # Only turns made at once lead there.
    assert back(2) == back(3, 0) == back(1, 0, facing="D") == back(1, 3) == "undecided C1.1/continues"
    assert back(40, 0) == ""


def test_a_ship_out_of_sight_from_the_start_may_not_have_been_in_play() -> None:
    """Only where its speed is not known: then nothing tells that it was."""
    for called, severity in ((True, "error"), (None, "undecided")):
        gone = Hidden(Seen(START, None, 0, When(1, 7)))
        gone.passes(called, 8)
        seen = Seen(Hex(40, 30), "A", 9, When(1, 9))
        finding = judge_return(BOOK, CA, gone, seen, Location("a.vlog", step=9))
        assert finding and (finding.severity, finding.key) == (severity, "C1.1/continues")
