"""The chat of a record played at a VASSAL table: the lines are typed, and what they say is done with the pieces.

Counters move as the orders say, seekers are put on the map and taken off it, boxes are marked; the turn tracker
goes with the lines. What is typed is all that is known of the game, but for the boxes that owners mark and the
figures they write into their sheets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.core.entry_words import kind_of
from referee.core.game import EntryLike, GameState
from referee.core.hexgrid import FACINGS, Hex, parse_position
from referee.core.ship import ShipClass
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from referee.rulebooks.registry import load_ship
from tests.unit.formats.vassal.game_logs import ROWS, Class, Game, LogWriter, Placed, moved, pixels

MOVE, SEEKERS, LAUNCH, FIRE = range(4)
_SAID = re.compile(r"!(?P<ship>.+?): (?P<verb>[a-z]+)(?: (?P<rest>.*))?")
_LAUNCHED = re.compile(r"#[0-9]+ launch: (?P<name>.+), facing (?P<facing>[A-F])")
_LINES = {
    "1": "Warp Power", "2": "Impulse Power", "3": "Atomic Power", "4": "Total Power", "5": "Btty Avail",
    "6": "BttyUsedEA", "7": "Life Support", "8": "Fire Control", "9": "Phasrecharge", "9:held": "Phas Cap",
    "9:fired": "PhasFired", "10:PHOT/A": "Photon A", "10:PHOT/B": "Photon B", "10:DISR/A": "Disr A",
    "10:DISR/B": "Disr B", "11": "Shields", "12": "Gen Reinf", "14": "Movement", "15": "Dam Con",
    "16": "BttyRecharge", "20": "Total Used", "21": "BttyUsedInTurn", "19": "ECM",
}  # fmt: skip


@dataclass(frozen=True)
class Pasted:
    """A log, and what of the record it could not be given."""

    data: bytes
    steps: Mapping[str, int]
    """The step each line was typed in."""
    lost: tuple[str, ...]


def pasted(
    lines: Sequence[str], state: GameState, entries: Iterable[EntryLike], impulses: int = 16
) -> Pasted:
    """The log of a game of so many impulses a turn that is played as its chat says."""
    return _Table(lines, state, list(entries), impulses).played()


def boxes_of(ship: ShipClass) -> tuple[tuple[str, int], ...]:
    """Every box of a ship: weapons one by one, the others by system."""
    found: list[tuple[str, int]] = []
    for system in ship.systems:
        boxes = ship.box_ids(system)
        if system in ("phaser", "torpedo", "drone"):
            found += [(box, 1) for box in boxes]
        elif boxes:
            found.append((system, len(boxes)))
    return tuple(found)


class _Table:
    def __init__(
        self, lines: Sequence[str], state: GameState, entries: list[EntryLike], impulses: int
    ) -> None:
        self.lines, self.state = lines, state
        self.entries = {entry.seq: entry for entry in entries}
        self.lost: list[str] = []
        ships = {}
        for entry in entries:
            if entry.type == "ship":
                data = entry.data
                hex, facing = parse_position(data["at"])
                ship = load_ship(data["class"])
                cls = Class(ship.race, data["ship"], (9,), impulses=impulses, boxes=boxes_of(ship))
                assert facing
                ships[data["ship"]] = Placed(cls, hex, facing, int(data.get("speed", 0)))
        self.classes = {name: load_ship(state.ships[name].state.ship) for name in ships}
        self.writer = LogWriter(Game(ships, 1, {}, ()))
        for name, ship in self.classes.items():
            self.writer.shields[name] = [ship.shields[n] for n in range(1, 7)]
            self.writer.printed[name] = list(self.writer.shields[name])
        self.writer._start = self.writer.start()
        self.now = (1, 1, MOVE)
        self.flying: dict[str, tuple[Hex, str]] = {}
        self.launching: tuple[str, Hex] | None = None
        self.steps: dict[str, int] = {}

    def played(self) -> Pasted:
        for line in self.lines:
            if (said := _SAID.fullmatch(line)) is not None:
                self._in_step(said["ship"], said["verb"])
            if match := re.fullmatch(r"!turn ([0-9]+)", line):
                self._to(int(match[1]), 1, MOVE)
                self._fill(int(match[1]))
            elif match := re.fullmatch(r"!impulse ([0-9]+)", line):
                self._to(self.now[0], int(match[1]), MOVE)
            self.steps[line] = self.writer.log(lv.Chat(f"&lt;Referee&gt; - {line}"))
            if said is not None:
                self._do(said["ship"], said["verb"])
            elif launched := _LAUNCHED.fullmatch(line):
                self._put(launched["name"], launched["facing"])
            elif numbered := re.match(r"#([0-9]+) ", line):
                self._mark(self.entries[int(numbered[1])], line)
        return Pasted(self.writer.finish(), self.steps, tuple(self.lost))

    def _to(self, turn: int, impulse: int, step: int) -> None:
        if (turn, impulse, step) != self.now:
            self.writer.advance(self.now, (turn, impulse, step))
            self.now = turn, impulse, step

    def _in_step(self, name: str, verb: str) -> None:
        """The tracker is in the step an order belongs to; never back."""
        step = {"launch": LAUNCH, "fire": FIRE, "cloak": SEEKERS, "uncloak": SEEKERS}.get(verb, MOVE)
        if name in self.flying:
            step = SEEKERS
        if step > self.now[2]:
            self._to(self.now[0], self.now[1], step)

    def _fill(self, turn: int) -> None:
        """The column of a turn, in one step a ship."""
        for name, ship in self.state.ships.items():
            form = ship.forms.get(turn, {})
            figures: dict[str, str] = {}
            for said in form.values():
                row = _LINES.get(said["line"])
                if row is None:
                    self.lost.append(f"line {said['line']} of {name}")
                else:
                    figures[row] = said["amount"]
            if figures:
                self.writer.write(name, turn, {row: figures[row] for row in ROWS if row in figures})

    def _do(self, name: str, verb: str) -> None:
        ways = {"ahead": 0, "right": 1, "left": -1}
        if verb == "launch":
            self.launching = name, self.writer.where[name][0]
        elif verb in ways and name in self.flying:
            self._fly(name, ways[verb])
        elif verb in ways:
            self._go(name, ways[verb])

    def _go(self, name: str, way: int) -> None:
        writer = self.writer
        hex, facing = writer.where[name]
        there, bow = moved(hex, facing, way)
        if way:
            old, new = writer.counter_states(name), writer.counter_states(name, (hex, bow))
            writer.log(writer.change(writer.ids[name], old, new))
        writer.log(writer.move_leaf(name, hex, there))
        writer.where[name] = there, bow

    # -- seekers

    def _states(self, hex: Hex, facing: str) -> list[str]:
        x, y = pixels(reversed=False)[str(hex)]
        return [str(FACINGS.index(facing)), f"Space;{x};{y};1;4"]

    def _put(self, name: str, facing: str) -> None:
        assert self.launching
        hex = self.launching[1]
        self.writer.ids[name] = f"18{len(self.writer.ids):09d}"
        types = [
            "rotate;6;93,130;91,130;Rotate right;Rotate left;;;Heading;facing;;;;true",
            f"piece;;;d.png;{name}",
        ]
        chains = join_chain(types), join_chain(self._states(hex, facing))
        self.writer.log(lv.AddPiece(self.writer.ids[name], *chains))
        self.flying[name] = hex, facing

    def _fly(self, name: str, way: int) -> None:
        writer = self.writer
        hex, facing = self.flying[name]
        there, bow = moved(hex, facing, way)
        if way:
            writer.log(writer.change(writer.ids[name], self._states(hex, facing), self._states(hex, bow)))
        writer.log(writer.move_leaf(name, hex, there))
        self.flying[name] = there, bow

    def _gone(self, name: str) -> None:
        del self.flying[name]
        self.writer.log(lv.RemovePiece(self.writer.ids[name]))

    # -- damage

    def _mark(self, entry: EntryLike, line: str) -> None:
        data = entry.data
        if entry.seq in self.state.undone or not line.startswith(f"#{entry.seq} {kind_of(entry)}"):
            return
        for hit in data.get("seekers_hit", ()):
            if hit["gone"]:
                self._gone(hit["seeker"])
        for name in data.get("strike", {}).get("seekers", ()):
            self._gone(name)
        by_ship: dict[str, list[Mapping[str, Any]]] = {}
        for event in data.get("events", ()):
            by_ship.setdefault(event["ship"], []).append(event)
        for name, events in by_ship.items():
            self._box(name, events)

    def _box(self, name: str, events: list[Mapping[str, Any]]) -> None:
        writer = self.writer
        old = writer.display_states(name)
        for event in events:
            if event["event"] == "shield_hit":
                writer.shields[name][event["shield"] - 1] -= event["points"]
            elif event["event"] == "box_destroyed":
                box = event["box"]
                label = box if self.classes[name].mount(box) else box.partition("/")[0]
                writer.left[name][label] -= 1
        new = writer.display_states(name)
        if new != old:
            writer.log(writer.change(f"{writer.ids[name]}9", old, new))
