"""Legal things done in odd ways in a log: at once, out of order, undone and redone, stacked, renamed, spelt oddly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.core.hexgrid import Hex
from referee.core.ship import ShipClass
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from referee.rulebooks.registry import load_ship
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.chat_logs import boxes_of
from tests.unit.formats.vassal.game_logs import (
    FED,
    KLINGON,
    Class,
    Game,
    LogWriter,
    Placed,
    Play,
    module_bytes,
    pixels,
)

CA, D6 = "CA Ship0", "D6 Ship1"
IDS = {"CA": "cadet/federation-ca", "D6": "cadet/klingon-d6"}
PLAYERS = {"CA": "Ann", "D6": "Ben"}
Check = Callable[..., Ran]


class Table(LogWriter):
    """Ships with all their boxes and their phasers charged; nobody moves unless told."""

    def __init__(
        self, ships: dict[str, tuple[Class, Hex, str]] | None = None, speed: int = 0, turns: int = 1
    ) -> None:
        there = ships or {CA: (FED, Hex(40, 34), "A"), D6: (KLINGON, Hex(40, 30), "D")}
        self.classes: dict[str, ShipClass] = {
            name: load_ship(IDS[cls.type]) for name, (cls, _, _) in there.items()
        }
        placed = {
            name: Placed(replace(cls, boxes=boxes_of(self.classes[name])), hex, facing, speed)
            for name, (cls, hex, facing) in there.items()
        }
        speeds = {(name, turn): speed for name in placed for turn in range(1, turns + 1)}
        written = {(n, 1): {"Phasrecharge": "3", "Total Used": str(speed + 3)} for n in placed}
        super().__init__(Game(placed, turns, speeds, (), written))
        for name, ship in self.classes.items():
            self.shields[name] = [ship.shields[n] for n in range(1, 7)]
        self._start = self.start()
        for name in placed:
            self.form(name, 1)
        self.now = 1

    def say(self, name: str, text: str) -> int:
        return self.log(lv.Chat(f"&lt;{PLAYERS[name[:2]]}&gt; - !{name}: {text}"))

    def roll(self, name: str, *faces: int) -> int:
        button, shown = f"{len(faces)}d6", ",".join(map(str, faces))
        return self.log(
            lv.Chat(f"*** {button} = {shown} *** <{PLAYERS[name[:2]]}>"),
            lv.MutableProperty(f"{button}_result", "1", shown, "Module"),
        )

    def change_of(self, name: str, shields: dict[int, int], *boxes: str) -> lv.ChangePiece:
        old = self.display_states(name)
        for shield, count in shields.items():
            self.shields[name][shield - 1] -= count
        for box in boxes:
            self.left[name][box] -= 1
        return self.change(f"{self.ids[name]}9", old, self.display_states(name))

    def mark(self, name: str, shields: dict[int, int], *boxes: str) -> int:
        return self.log(self.change_of(name, shields, *boxes))

    def next(self) -> int:
        self.now += 1
        return self.advance((1, self.now - 1, 0), (1, self.now, 0))


@pytest.fixture
def check(referee: Run, tmp_path: Path) -> Check:
    def once(writer: LogWriter, *options: str) -> Ran:
        path, vmod = tmp_path / "game.vlog", tmp_path / "other.vmod"
        path.write_bytes(writer.finish())
        vmod.write_bytes(module_bytes())
        named = [part for name in writer.game.ships for part in ("--ship", f"{name}={IDS[name[:2]]}")]
        option = "--option", "previous_speed=8"
        return referee("check", path, "--json", "--module", vmod, *named, *option, *options)

    return once


def found(ran: Ran) -> list[tuple[str, str, str, Any]]:
    assert ran.err == ""
    return [
        (f["severity"], f["key"], f["message"], f["location"].get("step"))
        for f in ran.findings()
        if f["severity"] != "note"
    ]


def lacking(ran: Ran, *rules: str) -> list[str]:
    return [
        item["reason"] for item in ran.json["not_checked"] if item["rule"].startswith(rules or ("D4", "E"))
    ]


# -- fire at once ------------------------------------------------------------------------


@pytest.mark.parametrize("order", ["declared first", "answered at once", "answered after the marks"])
def test_a_weapon_hit_in_the_same_step_still_fires(check: Check, order: str) -> None:
    """A phaser-1 scores 5 at range 4 with a 1: shield 1 of the Klingon was at 3, two boxes are lost."""
    writer = Table()
    writer.shields[D6][0] = 3
    writer._start = writer.start()
    if order == "declared first":
        writer.say(CA, "fire PH-1/A at D6 Ship1")
        writer.say(D6, "fire PH-2/A at CA Ship0")
        writer.roll(CA, 1)
        writer.roll(D6, 6)
        writer.mark(D6, {1: 3}, "PH-2/A", "left_warp")
    else:
        writer.say(CA, "fire PH-1/A at D6 Ship1")
        writer.roll(CA, 1)
        if order == "answered at once":
            writer.say(D6, "fire PH-2/A at CA Ship0")
            writer.roll(D6, 6)
            writer.mark(D6, {1: 3}, "PH-2/A", "left_warp")
        else:
            writer.mark(D6, {1: 3}, "PH-2/A", "left_warp")
            writer.say(D6, "fire PH-2/A at CA Ship0")
            writer.roll(D6, 6)
    writer.next()
    assert [row for row in found(check(writer)) if row[1].startswith(("E1", "E2"))] == []


def test_a_weapon_lost_in_an_earlier_impulse_does_not_fire(check: Check) -> None:
    writer = Table()
    writer.say(D6, "hit 17 on 1")
    writer.mark(D6, {1: 16}, "PH-2/A")
    writer.next()
    step = writer.say(D6, "fire PH-2/A at CA Ship0")
    assert ("E2.24", step) in [(row[1], row[3]) for row in found(check(writer))]


def test_dice_rolled_when_the_clock_had_gone_on(check: Check) -> None:
    writer = Table()
    writer.say(CA, "fire PH-1/A at D6 Ship1")
    writer.next()
    writer.roll(CA, 1)
    writer.mark(D6, {1: 5})
    ran = check(writer)
    assert found(ran) == [] and lacking(ran, "E1.1", "D4") == []


def test_two_volleys_marked_together_in_the_next_impulse(check: Check) -> None:
    writer = Table()
    writer.say(CA, "fire PH-1/A at D6 Ship1")
    writer.roll(CA, 1)
    writer.next()
    writer.say(CA, "fire PH-1/B at D6 Ship1")
    writer.roll(CA, 1)
    writer.mark(D6, {1: 10})
    assert found(check(writer)) == []


# -- undone and redone -------------------------------------------------------------------


def undo(writer: Table, text: str, *leaves: lv.Leaf) -> int:
    return writer.log(lv.Undo(True), lv.Chat(f"* UNDO: {text}"), *leaves, lv.Undo(False))


def test_marks_undone_and_made_again(check: Check) -> None:
    writer = Table()
    writer.say(CA, "fire PH-1/A at D6 Ship1")
    writer.roll(CA, 1)
    writer.mark(D6, {2: 5})
    undo(writer, "marks", writer.change_of(D6, {2: -5}))
    writer.mark(D6, {1: 5})
    assert found(check(writer)) == []


def test_a_move_undone_and_made_again(check: Check) -> None:
    writer = Table(speed=16)
    for again in (False, True):
        hex, facing = writer.where[CA]
        writer.play(Play(CA, 1, 1, 1, 0))
        if not again:
            new, turned = writer.where[CA]
            undo(writer, "move", writer.move_leaf(CA, new, hex))
            states = writer.counter_states(CA, (hex, turned)), writer.counter_states(CA, (hex, facing))
            undo(writer, "turn", writer.change(writer.ids[CA], *states))
            writer.where[CA] = hex, facing
    writer.play(Play(D6, 1, 1, 0, 0))
    writer.next()
    assert found(check(writer)) == []


def test_turned_too_far_and_back_before_the_hex(check: Check) -> None:
    writer = Table(speed=16)
    hex, facing = writer.where[CA]
    for then in ("B", "C", "B"):
        old, new = (writer.counter_states(CA, (hex, way)) for way in (facing, then))
        writer.log(writer.change(writer.ids[CA], old, new))
        facing = then
    writer.where[CA] = hex, "B"
    writer.play(Play(CA, 1, 1, 0, 0))
    writer.play(Play(D6, 1, 1, 0, 0))
    writer.next()
    assert found(check(writer)) == []


def test_a_counter_deleted_and_brought_back_by_an_undo(check: Check) -> None:
    writer = Table(speed=16)
    for name in (CA, D6):
        writer.play(Play(name, 1, 1, 0, 0))
    writer.next()
    chains = join_chain(writer.counter_types(CA)), join_chain(writer.counter_states(CA))
    writer.log(lv.RemovePiece(writer.ids[CA]))
    undo(writer, "delete", lv.AddPiece(writer.ids[CA], *chains))
    for name in (CA, D6):
        writer.play(Play(name, 1, 2, 0, 0))
    writer.next()
    ran = check(writer)
    assert found(ran) == [] and lacking(ran, "C1.4") == []


# -- stacks and names --------------------------------------------------------------------


def test_two_ships_dragged_as_one_stack(check: Check) -> None:
    """Side by side in one hex, both facing the same way."""
    ships = {CA: (FED, Hex(40, 34), "A"), "CA Ship2": (FED, Hex(40, 34), "A")}
    writer = Table(ships, speed=16)  # type: ignore[arg-type]
    x, y = pixels(reversed=False)["4034"]
    members = ";".join(writer.ids[name] for name in ships)
    writer.log(lv.AddPiece("777", "stack", f"Space;{x};{y};{members};@@1"))
    go = writer.move_leaf(CA, Hex(40, 34), Hex(40, 33))
    writer.log(replace(go, id="777"))
    writer.next()
    ran = check(writer)
    assert found(ran) == []
    moved = [event["who"] for event in ran.json["events"] if event["kind"] == "move"]
    assert sorted(moved) == sorted(ships)


def test_a_counter_that_is_given_a_label(check: Check) -> None:
    writer = Table(speed=16)
    for name in (CA, D6):
        writer.play(Play(name, 1, 1, 0, 0))
    writer.next()
    old = writer.counter_states(CA)
    new = [*old[:3], "Old Faithful", *old[4:]]
    writer.log(writer.change(writer.ids[CA], old, new))
    writer.say(CA, "fire PH-1/A at D6 Ship1")
    for name in (CA, D6):
        writer.play(Play(name, 1, 2, 0, 0))
    writer.next()
    assert found(check(writer)) == []


@pytest.mark.parametrize(
    "text",
    [
        "!ca ship0: FIRE ph-1 a, PH1B at d6ship1",
        "!CA Ship0: fire PH-1/A,PH-1/B at D6",
        "  !Ship0 :fire ph1a , ph1b   at   Ship1",
        "!CA Ship0:fire PH-1A and nothing else",
    ],
)
def test_fire_spelt_in_other_ways(check: Check, text: str) -> None:
    writer = Table()
    writer.log(lv.Chat(f"&lt;Ann&gt; - {text}"))
    ran = check(writer)
    fired = [row["fired"] for row in ran.json["turns"] if row["ship"] == CA]
    if "nothing" in text:
        assert [row[1] for row in found(ran)] == ["NOTE/order"]
    else:
        assert found(ran) == [] and len(fired[0]) == 2


def test_ships_of_one_name(check: Check) -> None:
    """Both are called the same: told apart by a number, and each moves by its own form."""
    writer = Table({"CA Twin": (FED, Hex(40, 34), "A"), "CA Twin2": (FED, Hex(44, 34), "A")}, speed=16)  # type: ignore[dict-item]
    for name in writer.game.ships:
        writer.play(Play(name, 1, 1, 0, 0))
    writer.next()
    assert found(check(writer)) == []


@pytest.mark.parametrize("names", [(CA, D6), (D6, CA)])
def test_ships_of_other_speeds_dragged_in_one_step(check: Check, names: tuple[str, str]) -> None:
    """They moved at once: nobody moved first, whichever is written first."""
    writer = Table(speed=16)
    writer.game.speeds[D6, 1] = 8
    writer.form(D6, 1)
    writer.write(D6, 1, {"Total Used": "11"})
    writer.play(Play(CA, 1, 1, 0, 0))
    writer.next()
    hexes = {name: writer.where[name] for name in names}
    writer.log(*(writer.move_leaf(name, hex, hex.step(bow)) for name, (hex, bow) in hexes.items()))
    writer.next()
    assert found(check(writer)) == []


# -- put right by hand -------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [Hex(40, 32), Hex(41, 33), Hex(41, 31), Hex(39, 36)])
def test_a_counter_dragged_too_far_and_put_right(check: Check, wrong: Hex) -> None:
    writer = Table(speed=16)
    writer.log(writer.move_leaf(CA, Hex(40, 34), wrong))
    right = writer.log(writer.move_leaf(CA, wrong, Hex(40, 33)))
    writer.where[CA] = Hex(40, 33), "A"
    writer.play(Play(D6, 1, 1, 0, 0))
    writer.next()
    for name in (CA, D6):
        writer.play(Play(name, 1, 2, 0, 0))
    writer.next()
    ran = check(writer)
    assert found(ran) == []
    notes = [(f["key"], f["location"]["step"]) for f in ran.findings("note")]
    assert ("NOTE/put-right", right) in notes


def test_two_hexes_in_an_impulse_are_not_put_right(check: Check) -> None:
    writer = Table(speed=16)
    writer.play(Play(CA, 1, 1, 0, 0))
    step = writer.play(Play(CA, 1, 1, 0, 0))[1]
    writer.play(Play(D6, 1, 1, 0, 0))
    writer.next()
    assert [(row[1], row[3]) for row in found(check(writer))] == [("C1.1", step)]


def test_a_counter_dragged_off_the_board_and_put_back(check: Check) -> None:
    writer = Table(speed=16)
    x, y = pixels(reversed=False)["4034"]
    id = writer.ids[CA]
    writer.log(lv.MovePiece(id, "Space", -500, 5, "null", "Space", x, y, "null"))
    writer.log(lv.MovePiece(id, "Space", x, y, "null", "Space", -500, 5, "null"))
    for name in (CA, D6):
        writer.play(Play(name, 1, 1, 0, 0))
    writer.next()
    assert found(check(writer)) == []


def test_a_ship_that_comes_onto_the_map_later(check: Check) -> None:
    writer = Table(speed=16)
    id = writer.ids[CA]
    x, y = pixels(reversed=False)["4034"]
    away = writer.counter_states(CA)
    place = away[-1].split(";")
    away[-1] = ";".join(["Space", "-500", "5", *place[3:]])
    chains = join_chain(writer.counter_types(CA)), join_chain(away)
    from referee.formats.vassal.commands import encode_leaf

    whole = encode_leaf(
        lv.AddPiece(id, join_chain(writer.counter_types(CA)), join_chain(writer.counter_states(CA)))
    )
    writer._start = writer._start.replace(whole, encode_leaf(lv.AddPiece(id, *chains)))
    for number in (1, 2, 3):
        if number == 2:
            writer.log(lv.MovePiece(id, "Space", x, y, "null", "Space", -500, 5, "null"))
        for name in (CA, D6) if number == 3 else (D6,):
            writer.play(Play(name, 1, number, 0, 0))
        writer.next()
    ran = check(writer)
    assert found(ran) == []


# -- marked late -------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "told"), [(5, "NOTE/marked-late"), (4, "D4.1")])
def test_marks_out_of_turn(check: Check, count: int, told: str) -> None:
    """The first of three volleys is marked last: all is marked, or a box too few."""
    writer = Table()
    volleys = ((1, 5), (2, 3), (1, 2))
    for number, (shield, points) in enumerate(volleys):
        writer.say(D6, f"hit {points} on {shield}")
        if number:
            writer.mark(D6, {shield: points})
        writer.next()
    last = writer.mark(D6, {1: count})
    writer.next()
    found_now = [(severity, key, step) for severity, key, _, step in found(check(writer))]
    if count == 5:
        assert found_now == [("warning", told, last)]
    else:
        assert found_now and {key for _, key, _ in found_now} == {told}


# -- the clock put back ------------------------------------------------------------------


@pytest.mark.parametrize("how", ["undone", "by hand"])
def test_a_clock_put_on_too_early(check: Check, how: str) -> None:
    """Before the forms are filled in, and before both have moved."""
    writer = Table(speed=16)
    filled, writer.steps = writer.steps, []

    def early(now: int) -> None:
        writer.advance((1, now, 0), (1, now + 1, 0))
        if how == "undone":
            back = lv.Chat("* UNDO: Turn updated"), writer.tracker(1, now, 0)
            writer.log(lv.Undo(True), *back, lv.Undo(False))
        else:
            writer.advance((1, now + 1, 0), (1, now, 0))

    early(1)
    writer.steps += filled
    for number in (1, 2, 3):
        writer.play(Play(CA, 1, number, 0, 0))
        if number == 2:
            early(2)
        writer.play(Play(D6, 1, number, 0, 0))
        writer.next()
    assert found(check(writer)) == []


def test_a_turn_that_was_fired_in_is_not_begun_anew(check: Check) -> None:
    """The clock goes back over a shot: what is written then is written late."""
    writer = Table()
    writer.next()
    writer.say(CA, "fire PH-1/A at D6 Ship1")
    writer.advance((1, 2, 0), (1, 1, 0))
    step = writer.write(CA, 1, {"Movement": "2"})
    writer.advance((1, 1, 0), (1, 2, 0))
    assert ("NOTE/changed-later", step) in [(row[1], row[3]) for row in found(check(writer))]
