"""Drones on the map of a log: flown by the rules they are clean, and each thing spoilt is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.adjudicator.flights import Flight
from referee.adjudicator.seekers_seen import SeenSeekers
from referee.core.combat import Moment, Seeker, Unit
from referee.core.hexgrid import FACINGS, Hex, true_range
from referee.core.location import Location
from referee.core.play import Move, When
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from referee.rulebooks.registry import load_rulebook
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import (
    FED,
    STEPS,
    Class,
    Game,
    LogWriter,
    Placed,
    module_bytes,
    moved,
    pixels,
)

CA, CS, DRONE = "CA Ship0", "CS Ship1", "Drone A"
KZINTI = Class(
    "Kzinti", "CS", (7,), (15, 2, 2, 2), boxes=(("Warp L", 5), ("Warp R", 5), ("Warp C", 5), ("Excess", 3))
)
Check = Callable[..., Ran]
LAUNCH = 5


class Table(LogWriter):
    """Two ships that stand still, the Kzinti's drone and what is done with it."""

    def __init__(self, target: Hex, name: str = DRONE) -> None:
        ships = {CA: Placed(FED, target, "A", 0), CS: Placed(KZINTI, Hex(40, 30), "D", 0)}
        super().__init__(Game(ships, 4, {(n, t): 0 for n in ships for t in range(1, 5)}, ()))
        self.drone, self.at = name, Hex(40, 30)
        self.ids[name] = "180000000001"
        self.bow = "D"
        self.stood: dict[str, Hex] = {}
        for turn in range(1, 5):
            for ship in ships:
                self.form(ship, turn)

    def states(self, hex: Hex, facing: str) -> list[str]:
        x, y = pixels(reversed=False)[str(hex)]
        return [str(FACINGS.index(facing)), f"Space;{x};{y};1;4"]

    def launch(self, facing: str, at: Hex | None = None) -> int:
        self.bow, self.at = facing, at or self.at
        said = self.say("!CS Ship1: launch DRN/1 at CA Ship0")
        self.appear()
        return said

    def appear(self) -> int:
        """The drone's counter is put on the map."""
        types = [
            "rotate;6;93,130;91,130;Rotate right;Rotate left;;;Heading;facing;;;;true",
            f"piece;;;d.png;{self.drone}",
        ]
        chains = join_chain(types), join_chain(self.states(self.at, self.bow))
        return self.log(lv.AddPiece(self.ids[self.drone], *chains))

    def say(self, text: str, player: str = "Cy") -> int:
        return self.log(lv.Chat(f"<{player}> - {text}"))

    def go(self, way: int) -> int:
        hex, facing = moved(self.at, self.bow, way)
        if way:
            old, new = self.states(self.at, self.bow), self.states(self.at, facing)
            self.log(self.change(self.ids[self.drone], old, new))
        leaf = self.move_leaf(self.drone, self.at, hex)
        self.at, self.bow = hex, facing
        return self.log(leaf)

    def put(self, hex: Hex) -> int:
        """The drone is dragged to a hex."""
        leaf, self.at = self.move_leaf(self.drone, self.at, hex), hex
        return self.log(leaf)

    def ship_goes(self, name: str, hex: Hex) -> int:
        """A ship is dragged to a hex."""
        old = self.game.ships[name].hex if name not in self.stood else self.stood[name]
        self.stood[name] = hex
        return self.log(self.move_leaf(name, old, hex))

    def off(self) -> int:
        return self.log(lv.RemovePiece(self.ids[self.drone]))

    def mark(self, shield: int, count: int) -> int:
        old = self.display_states(CA)
        self.shields[CA][shield - 1] -= count
        return self.log(self.change(f"{self.ids[CA]}9", old, self.display_states(CA)))


def fewest(hex: Hex, facing: str, target: Hex) -> int:
    """The fewest hexes to a target for one that may turn 60 degrees before each, by trying all ways."""
    seen = {(hex, facing)}
    ring = [(hex, facing)]
    for count in range(60):
        if any(here == target for here, _ in ring):
            return count
        ring = [moved(here, bow, way) for here, bow in ring for way in (0, 1, -1)]
        ring = list({place for place in ring if place not in seen and true_range(place[0], target) < 40})
        seen.update(ring)
    raise AssertionError("no way")


def flown(writer: Table, target: Hex, spoil: str = "", at: int = 0) -> tuple[int, int]:
    """A launch and its flight over the turns, one thing spoilt in an impulse; the step of what is wrong, and of
    the hex that struck."""
    facing = min(FACINGS, key=lambda bow: fewest(writer.at, bow, target))
    wrong = struck = 0
    for number in range(1, 49):
        turn, impulse = 1 + (number - 1) // 16, 1 + (number - 1) % 16
        if number > LAUNCH and not struck:
            ways = (0, 1, -1)
            best = min(ways, key=lambda way: fewest(*moved(writer.at, writer.bow, way), target))
            if spoil == "astray" and number == at:
                worst = max(ways, key=lambda way: fewest(*moved(writer.at, writer.bow, way), target))
                wrong = writer.go(worst)
                break
            if spoil == "stands" and number == at:
                wrong = -1
            else:
                struck = writer.go(best) if true_range(writer.at, target) == 1 else writer.go(best) * 0
            if spoil == "twice" and number == at:
                best = min(ways, key=lambda way: fewest(*moved(writer.at, writer.bow, way), target))
                wrong = writer.go(best)
                break
        if number == LAUNCH:
            writer.launch(facing)
        if struck:
            break
        following = (turn, impulse + 1) if impulse < 16 else (turn + 1, 1)
        step = writer.advance((turn, impulse, 0), (*following, 0))
        if wrong == -1:
            wrong = step
            break
    return wrong, struck


@pytest.fixture
def check(referee: Run, tmp_path: Path) -> Check:
    def once(writer: LogWriter, *options: str) -> Ran:
        path, vmod = tmp_path / "game.vlog", tmp_path / "other.vmod"
        path.write_bytes(writer.finish())
        vmod.write_bytes(module_bytes())
        named = "--ship", f"{CA}=cadet/federation-ca", "--ship", f"{CS}=cadet/kzinti"
        option = "--option", "previous_speed=0"
        return referee("check", path, "--json", "--module", vmod, *named, *option, *options)

    return once


def errors(ran: Ran) -> list[tuple[str, str, Any]]:
    assert ran.err == ""
    return [
        (f["key"], f.get("subject", ""), f["location"].get("step"))
        for f in ran.findings()
        if f["severity"] == "error"
    ]


def reasons(ran: Ran, rule: str = "F2.0") -> list[str]:
    return [item["reason"] for item in ran.json["not_checked"] if item["rule"] == rule]


def somewhere(seed: int, least: int = 4) -> Hex:
    random = Random(seed)
    while True:
        target = Hex(random.randint(28, 52), random.randint(20, 40))
        if least <= true_range(target, Hex(40, 30)) <= 11:
            return target


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(12))
def test_a_drone_flown_by_the_rules_is_clean(check: Check, seed: int) -> None:
    target = somewhere(seed)
    writer = Table(target)
    _, struck = flown(writer, target)
    writer.off()
    ran = check(writer)
    assert struck and errors(ran) == [] and reasons(ran) == [] and "F2.0" in ran.json["checked"]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("spoil", ["astray", "twice", "stands"])
@pytest.mark.parametrize("seed", range(4))
def test_a_drone_that_is_not_flown_by_the_rules(check: Check, spoil: str, seed: int) -> None:
    target = somewhere(seed, least=6)
    writer = Table(target)
    wrong, _ = flown(writer, target, spoil, at=LAUNCH + Random(seed).randint(1, 3))
    assert errors(check(writer)) == [("F2.0", DRONE, wrong)]


def strike(shield: int = 1, count: int = 0, hit: str = "") -> tuple[Table, int]:
    """A drone that comes in from ahead; what is marked of it and what is said of it."""
    target = Hex(40, 38)
    writer = Table(target)
    flown(writer, target)
    step = writer.say(hit, "Ann") if hit else 0
    if count:
        step = writer.mark(shield, count)
    writer.off()
    return writer, step


def test_the_damage_of_a_drone(check: Check) -> None:
    writer, _ = strike(1, 0, "!CA Ship0: hit 1 on 1")
    (said,) = (f for f in check(writer).findings() if f["key"] == "D4.22")
    points = int(said["expected"].split()[0])
    assert points > 1 and "shield 1" in said["expected"]
    assert errors(check(strike(1, points, f"!CA Ship0: hit {points} on 1")[0])) == []
    assert errors(check(strike(1, points)[0])) == []
    writer, step = strike(1, points - 1)
    assert ("D4.1", CA, step) in errors(check(writer))
    writer, step = strike(4, points)
    assert ("D4.1", CA, step) in errors(check(writer))


@pytest.mark.parametrize(("face", "shot"), [(1, True), (None, False)])
def test_a_drone_that_was_shot_down(check: Check, face: int | None, shot: bool) -> None:
    """A phaser at a hex's range scores more than the four points a drone takes, if its die is known."""
    writer = Table(Hex(40, 33))
    for name, figures in ((CA, {"Phasrecharge": "3", "Total Used": "3"}), (CS, {})):
        writer.write(name, 1, figures)
    writer.launch("D")
    for impulse in (1, 2):
        writer.advance((1, impulse, 0), (1, impulse + 1, 0))
        writer.go(0)
    writer.say("!CA Ship0: fire PH-1A at Drone A", "Ann")
    if face:
        shown = lv.MutableProperty("1d6_result", "1", str(face), "Module")
        writer.log(lv.Chat(f"*** 1d6 = {face} *** <Ann>"), shown)
    writer.off()
    ran = check(writer)
    assert (reasons(ran) == []) is shot and errors(ran) == []


def test_a_standard_drone_past_its_endurance() -> None:
    """Launched on impulse 5 of turn 1 it flies for three turns of 32 impulses; cadet drones fly on."""
    there = Hex(60, 30)

    def flight(turn: int, impulse: int) -> Flight:
        seeker = Seeker(DRONE, "drone", CS, CA, Hex(40, 30), "C", Moment(1, 5))
        hex, facing = moved(Hex(40, 30), "C", 0)
        place = Location("a.vlog", step=9)
        move = Move(DRONE, When(turn, impulse), Hex(40, 30), hex, "C", facing, place)
        return Flight(seeker, (move,), lambda step: Unit(CA, hex=there, facing="A"))

    def found(rulebook: str, turn: int, impulse: int) -> list[str]:
        seen = SeenSeekers(load_rulebook(rulebook), {}, "a.vlog")
        return [finding.key for finding in seen.take(flight(turn, impulse))]

    assert found("sfb-standard", 4, 4) == []
    assert found("sfb-standard", 4, 5) == ["F2.0/endurance"]
    assert found("sfb-cadet", 7, 5) == []


def test_seekers_by_the_map(check: Check) -> None:
    said = '{"schema": "referee/module-map/1", "module": {"name": "Generated Duel"}, "pieces": {"seeker": {"prefix": "Bee"}}}'
    Path("map.json").write_text(said)
    target = Hex(40, 38)
    writer = Table(target, "Bee 7")
    wrong, _ = flown(writer, target, "stands", at=LAUNCH + 2)
    assert errors(check(writer, "--map", "map.json")) == [("F2.0", "Bee 7", wrong)]
    assert errors(check(writer)) == []


# -- the step of the impulse -------------------------------------------------------------


def flown_in_steps(odd: tuple[int, int]) -> tuple[Table, int]:
    """A drone that moves in the step of seekers, but in one impulse in another step; the step of that move."""
    target = Hex(40, 38)
    writer = Table(target)
    wrong = 0
    for impulse in range(1, 5):
        own = odd[1] if impulse == odd[0] else 1
        for step in range(len(STEPS)):
            if impulse == 1 and step == 2:
                writer.launch("D")
            if impulse > 1 and step == own:
                moved = writer.go(0)
                wrong = moved if impulse == odd[0] else wrong
            following = (1, impulse, step + 1) if step < len(STEPS) - 1 else (1, impulse + 1, 0)
            writer.advance((1, impulse, step), following)
    return writer, wrong


@pytest.mark.parametrize("step", [0, 1, 2, 3])
def test_a_drone_moves_in_the_step_of_seekers(check: Check, step: int) -> None:
    writer, moved = flown_in_steps((3, step))
    ran = check(writer)
    assert errors(ran) == ([] if step <= 1 else [("B2.0", DRONE, moved)])
    if step != 1:
        # After all ships, a step early, it is in its order.
        (found,) = (f for f in ran.findings() if f["rule"] == "B2.0")
        assert found["severity"] == ("error" if step else "warning")
        assert (found["expected"], found["found"]) == ("move seekers", STEPS[step])


def test_a_drone_moved_too_early_and_taken_back_moves_in_its_step(check: Check) -> None:
    writer = Table(Hex(40, 38))
    writer.advance((1, 1, 0), (1, 1, 2))
    writer.launch("D")
    writer.advance((1, 1, 2), (1, 2, 0))
    start = writer.at
    writer.go(0)
    writer.put(start)
    writer.advance((1, 2, 0), (1, 2, 1))
    writer.go(0)
    writer.advance((1, 2, 1), (1, 3, 0))
    assert errors(check(writer)) == []


def test_a_drone_moves_with_the_ships_where_the_tracker_has_one_step_for_both(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("tests.unit.formats.vassal.game_logs", "tests.unit.logs.test_logs_seekers"):
        monkeypatch.setattr(f"{module}.STEPS", ("Move", "Launch", "Fire"))
    target = Hex(40, 38)
    writer = Table(target)
    for impulse in (1, 2):
        if impulse == 2:
            writer.go(0)
        writer.advance((1, impulse, 0), (1, impulse, 1))
        if impulse == 1:
            writer.launch("D")
        writer.advance((1, impulse, 1), (1, impulse, 2))
        writer.advance((1, impulse, 2), (1, impulse + 1, 0))
    ran = check(writer)
    assert errors(ran) == [] and "B2.0" in ran.json["checked"]


@pytest.mark.parametrize("name", [DRONE, "CS Ship1 DRN/1 t1"])
def test_a_drone_is_ordered_by_its_name(check: Check, name: str) -> None:
    """An order for a drone is held against what its counter did, and not against the steps of ships; a counter
    may be called as a record calls it."""
    target = Hex(40, 38)
    writer = Table(target, name)
    writer.advance((1, 1, 0), (1, 1, 2))
    writer.launch("D")
    writer.advance((1, 1, 2), (1, 2, 0))
    writer.advance((1, 2, 0), (1, 2, 1))
    writer.say(f"!{name}: ahead")
    writer.go(0)
    writer.advance((1, 2, 1), (1, 3, 0))
    writer.advance((1, 3, 0), (1, 3, 1))
    wrong = writer.say(f"!{name}: left")
    writer.go(0)
    writer.advance((1, 3, 1), (1, 4, 0))
    ran = check(writer)
    assert errors(ran) == [] and reasons(ran) == [], ran.out
    said = [f for f in ran.findings("warning") if f["key"] == "NOTE/not-as-ordered"]
    assert [(f["subject"], f["message"], f["location"]["step"]) for f in said] == [
        (name, "ordered to go left, went ahead", wrong)
    ]


def fire_beside_a_strike(drone: str, fire: str, *, phaser: int, marked: int) -> Table:
    """A drone strikes for 6 and is marked; its ship fires in the same impulse; what is said of both."""
    writer, _ = strike(1, 6, drone)
    writer.say("!CS Ship1: fire PH-1/A at CA Ship0")
    writer.log(
        lv.Chat(f"*** 1d6 = {phaser} *** <Cy>"), lv.MutableProperty("1d6_result", "", str(phaser), "Module")
    )
    if fire:
        writer.say(fire, "Ann")
    if marked:
        writer.mark(1, marked)
    return writer


def of_damage(ran: Ran) -> list[str]:
    return [key for key, subject, _ in errors(ran) if key.startswith("D4") and subject == CA]


@pytest.mark.parametrize("drone", ["!CA Ship0: hit 6 on 1", ""])
def test_a_drone_and_fire_strike_at_once_and_each_is_told_by_itself(check: Check, drone: str) -> None:
    (said,) = (
        f["expected"]
        for f in check(fire_beside_a_strike(drone, "!CA Ship0: hit 1 on 1", phaser=1, marked=1)).findings()
        if f["key"] == "D4.22"
    )
    points = int(said.split()[0])
    assert points > 1 and "on shield 1" in said
    for fire in (f"!CA Ship0: hit {points} on 1", ""):
        assert of_damage(check(fire_beside_a_strike(drone, fire, phaser=1, marked=points))) == []
    assert "D4.1" in of_damage(check(fire_beside_a_strike(drone, "", phaser=1, marked=points - 1)))


def test_what_is_said_of_fire_counts_no_more_since_a_drone_was_launched(check: Check) -> None:
    """The drone is still on its way, or another was: the owner says less than the fire came to, or another shield."""
    for said, shield in (("hit 1 on 1", 1), ("hit 2 on 4", 4)):
        writer = Table(Hex(40, 38))
        writer.launch("D")
        writer.say("!CS Ship1: fire PH-1/A at CA Ship0")
        writer.log(lv.Chat("*** 1d6 = 1 *** <Cy>"), lv.MutableProperty("1d6_result", "", "1", "Module"))
        writer.say(f"!CA Ship0: {said}", "Ann")
        writer.mark(shield, int(said.split()[1]))
        assert {"D4.1", "D4.22"} <= set(of_damage(check(writer)))
