"""Drones of a log held against the sensors of the ship that guides them: tries, lock-on lost, how many."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.core.hexgrid import FACINGS, Hex
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import BIG_FED, Class, Game, LogWriter, Placed, module_bytes, pixels

CA, CS = "CA Ship0", "CS Ship1"
SENSORS = (6, 6, 6, 4, 1, 0)
"""The track of the cruiser's class."""
KZINTI = Class(
    "Kzinti", "CS", (4, 8, 12, 17, 24), (27, 3, 3, 5), (1, 1, 2), 32, 30,
    (("Warp L", 9), ("Warp R", 9), ("Warp C", 9), ("Impulse", 3), ("APR", 3), ("Battery", 5), ("Sensor", 6)),
)  # fmt: skip
FIRST = 30
Check = Callable[..., Ran]


class Table(LogWriter):
    """A cruiser with drones, of whose sensors so many boxes are left, and a target far ahead; both stand still.
    The log begins near the end of a turn."""

    def __init__(self, left: int = 6, shown: bool = True, control: bool = True) -> None:
        boxes = KZINTI.boxes if shown else KZINTI.boxes[:-1]
        cls = Class(  # type: ignore[call-arg]
            *(getattr(KZINTI, name) for name in KZINTI.__dataclass_fields__ if name != "boxes"), boxes
        )
        ships = {CA: Placed(BIG_FED, Hex(40, 80), "A", 0), CS: Placed(cls, Hex(40, 20), "D", 0)}
        written = {} if control else {(CS, 2): {"Fire Control": "", "Total Used": "3"}}
        super().__init__(
            Game(ships, 3, {(n, t): 0 for n in ships for t in (1, 2, 3)}, (), written), (1, FIRST, 0)
        )
        if shown:
            self.left[CS]["Sensor"] = left
        self.now = (1, FIRST)
        self.drones: dict[str, Hex] = {}
        for turn in (1, 2, 3):
            for name in ships:
                self.form(name, turn)
        self.steps.clear()
        self._start = self.start()

    def say(self, text: str) -> int:
        return self.log(lv.Chat(f"<Cy> - !CS Ship1: {text}"))

    def roll(self, face: int, player: str = "Cy") -> int:
        shown = lv.MutableProperty("1d6_result", "1", str(face), "Module")
        return self.log(lv.Chat(f"*** 1d6 = {face} *** <{player}>"), shown)

    def launch(self, rack: int) -> int:
        name = f"Drone {len(self.drones) + 1}"
        self.ids[name] = f"18000000{len(self.drones):04d}"
        x, y = pixels(reversed=False)["4020"]
        types = [
            "rotate;6;93,130;91,130;Rotate right;Rotate left;;;Heading;facing;;;;true",
            f"piece;;;d.png;{name}",
        ]
        step = self.say(f"launch DRN/{rack} at CA Ship0")
        states = [str(FACINGS.index("D")), f"Space;{x};{y};1;4"]
        self.log(lv.AddPiece(self.ids[name], join_chain(types), join_chain(states)))
        self.drones[name] = Hex(40, 20)
        return step

    def next(self, fly: bool = True) -> list[int]:
        """The next impulse: all drones move; the steps of their moves."""
        turn, impulse = self.now
        self.now = (turn, impulse + 1) if impulse < 32 else (turn + 1, 1)
        self.advance((turn, impulse, 0), (*self.now, 0))
        return [self.fly(name) for name in self.drones] if fly else []

    def fly(self, name: str) -> int:
        old = self.drones[name]
        self.drones[name] = Hex(old.column, old.row + 1)
        return self.log(self.move_leaf(name, old, self.drones[name]))

    def off(self, name: str) -> int:
        del self.drones[name]
        return self.log(lv.RemovePiece(self.ids[name]))

    def hurt(self, left: int) -> int:
        old = self.display_states(CS)
        self.left[CS]["Sensor"] = left
        return self.log(self.change(f"{self.ids[CS]}9", old, self.display_states(CS)))


@pytest.fixture
def check(referee: Run, tmp_path: Path) -> Check:
    def once(writer: LogWriter, *options: str) -> Ran:
        path, vmod = tmp_path / "game.vlog", tmp_path / "other.vmod"
        path.write_bytes(writer.finish())
        vmod.write_bytes(module_bytes())
        named = "--ship", f"{CA}=standard/federation-ca", "--ship", f"{CS}=standard/kzinti-cs"
        return referee("check", path, "--json", "--module", vmod, *named, *options)

    return once


def errors(ran: Ran) -> list[tuple[str, str, Any]]:
    assert ran.err == ""
    return [
        (f["key"], f["subject"], f["location"].get("step"))
        for f in ran.findings()
        if f["severity"] == "error"
    ]


def reasons(ran: Ran, *rules: str) -> list[str]:
    rules = rules or ("D6.131", "D6.132", "F2.0")
    return [item["reason"] for item in ran.json["not_checked"] if item["rule"] in rules]


# -- how many ----------------------------------------------------------------------------


@pytest.mark.parametrize(("left", "most"), [(6, 4), (4, 4), (3, 4), (2, 1), (1, 0)])
def test_no_more_drones_than_the_sensors_control(check: Check, left: int, most: int) -> None:
    writer = Table(left)
    if SENSORS[6 - left] < 6:
        writer.say("lock on CA Ship0 1")
    steps = [writer.launch(rack) for rack in (1, 2, 3, 4)]
    ran = check(writer)
    found = [row for row in errors(ran) if row[0] == "D6.132"]
    assert found == [("D6.132", CS, step) for step in steps[most:]], ran.json["not_checked"]
    assert "D6.132" in ran.json["checked"]


def test_sensors_hit_while_drones_fly(check: Check) -> None:
    """Four fly on with a rating of one: the second that moves is one too many, said once a turn."""
    writer = Table()
    for rack in (1, 2, 3, 4):
        writer.launch(rack)
    writer.hurt(2)
    steps = [writer.next(), writer.next(), writer.next()]
    found = [row for row in errors(check(writer)) if row[0] == "D6.132"]
    assert found == [("D6.132", CS, row[1]) for row in (steps[0], steps[2])]


def test_drones_nobody_follows(check: Check) -> None:
    writer = Table(left=2)
    writer.say("lock on CA Ship0 1")
    writer.say("launch DRN/1 at CA Ship0")
    writer.launch(2)
    ran = check(writer)
    assert [row for row in errors(ran) if row[0] == "D6.132"] == []
    assert any("that may be its own is not followed" in reason for reason in reasons(ran, "D6.132"))


def test_a_display_without_sensors(check: Check) -> None:
    writer = Table(shown=False)
    writer.launch(1)
    assert reasons(check(writer), "D6.131", "D6.132") == ["its display does not show its sensors"] * 2


# -- tries -------------------------------------------------------------------------------


def into_turn_2(left: int = 3) -> Table:
    """A drone launched in impulse 31; now it is impulse 1 of turn 2 and nothing has moved in it."""
    writer = Table(left)
    writer.next()
    if SENSORS[6 - left] < 6:
        writer.say("lock on CA Ship0 1")
    writer.launch(1)
    writer.next()
    writer.next(fly=False)
    return writer


def test_sensors_without_damage_need_no_try(check: Check) -> None:
    writer = into_turn_2(left=6)
    writer.fly("Drone 1")
    writer.next()
    ran = check(writer)
    assert errors(ran) == [] and reasons(ran) == [] and "D6.131" in ran.json["checked"]


def test_lock_on_is_tried_every_turn(check: Check) -> None:
    writer = into_turn_2()
    writer.say("lock on CA Ship0 3")
    writer.fly("Drone 1")
    writer.next()
    assert errors(check(writer)) == [] and reasons(check(writer)) == []
    idle = into_turn_2()
    idle.fly("Drone 1")
    over = len(idle.steps) + 1
    idle.next()
    assert errors(check(idle)) == [("D6.131", CS, over)]


def test_a_die_that_may_be_the_try(check: Check) -> None:
    writer = into_turn_2()
    writer.roll(2)
    writer.fly("Drone 1")
    writer.next()
    ran = check(writer)
    assert errors(ran) == [] and reasons(ran) == ["whether lock-on was tried is not known"]


def test_a_try_as_the_turn_before_ends(check: Check) -> None:
    """The clock was put on after the try: whether it is of the new turn is not known."""
    writer = Table(left=3)
    writer.next()
    writer.say("lock on CA Ship0 1")
    writer.launch(1)
    writer.next()
    writer.say("lock on CA Ship0 2")
    writer.next()
    writer.next()
    ran = check(writer)
    assert errors(ran) == [] and reasons(ran) == ["whether lock-on was tried is not known"]


def test_a_player_who_never_says_so(check: Check) -> None:
    writer = Table()
    writer.launch(1)
    for _ in range(2):
        writer.next()
    writer.hurt(3)
    for _ in range(3):
        writer.next()
    ran = check(writer)
    assert errors(ran) == [] and reasons(ran) == ["whether lock-on was tried is not known"]


def test_a_drone_taken_off_as_the_turn_began_needs_no_try(check: Check) -> None:
    writer = into_turn_2()
    writer.off("Drone 1")
    writer.next()
    assert errors(check(writer)) == []


# -- lock-on lost ------------------------------------------------------------------------


@pytest.mark.parametrize("said", [True, False])
def test_a_drone_flies_on_after_a_try_that_failed(check: Check, said: bool) -> None:
    writer = into_turn_2()
    writer.say("lock on CA Ship0 5" if said else "lock on CA Ship0")
    if not said:
        writer.roll(5)
    step = writer.fly("Drone 1")
    writer.next()
    assert errors(check(writer)) == [("D6.122", "Drone 1", step)]


def test_a_drone_taken_off_after_a_try_that_failed(check: Check) -> None:
    writer = into_turn_2()
    writer.say("lock on CA Ship0 5")
    writer.off("Drone 1")
    writer.next()
    ran = check(writer)
    assert errors(ran) == [] and reasons(ran) == []


def test_fire_control_that_is_not_paid(check: Check) -> None:
    def log() -> Table:
        writer = Table(control=False)
        writer.next()
        writer.launch(1)
        writer.next()
        writer.next(fly=False)
        return writer

    writer = log()
    step = writer.fly("Drone 1")
    writer.next()
    assert errors(check(writer)) == [("D6.122", "Drone 1", step)]
    writer = log()
    writer.off("Drone 1")
    writer.next()
    ran = check(writer)
    assert errors(ran) == [] and reasons(ran) == []


def test_an_order_for_a_drone_without_a_counter_says_so(check: Check) -> None:
    writer = Table()
    before = writer.say("launch DRN/1 at CA Ship0")
    early = writer.log(lv.Chat("<Cy> - !Drone 1: ahead"))
    late = writer.log(lv.Chat("<Cy> - !Drone 1: speed 3"))
    found = {
        f["location"]["step"]: f["message"] for f in check(writer).findings() if f["key"] == "NOTE/order"
    }
    assert before not in found
    assert found[early] == "the log has no counter for Drone 1: it is not followed"
    assert found[late] == "no ship Drone 1"
