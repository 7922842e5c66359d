"""A VASSAL log from the lines of a player: what was typed, rolled, moved and marked, each line a step of the log.

Ships stand in a list, `NAME  class  hex and facing  speed N`. Ann plays the Federation, Ben the Klingons; others have
no seat. The lines of a game, of which what follows ` # ` is a remark:

    form Const: Phasrecharge 3      the form of this turn (`form Const 2:` of another); power, movement and what is used
                                    in all are filled in where they are not said
    impulse 4                       the clock goes on to it, by the steps of the impulse before
    step fire                       or move, seekers, launch
    clock 3.1                       the clock is set, whatever is between
    play on to impulse 6            the ships move straight ahead in each impulse that calls for it
    Const ahead | left | right      a move of a hex; `Const turns right` in its place; `Const put at 4031A`
    Ben drags Const to 4031         a drag by another player
    Const is masked | hidden | shown
    Ann: !fire PH-1/A at Destr      a line of chat
    Ann rolls 3                     a die of a button; `rolls 3 4` two dice, `rolls 9 with 1d10` other dice
    Ann sees 3 and types 4          a button whose line of chat says something else than it shows
    Destr marks shield 1: 4, PH-2/A: 1    boxes on its display; `takes off` the same again
    Drone 1 at 4030A                a drone is put on the map; `Drone 1 ahead`, `put at 0808`, `taken off`
    Ann notes plan: left            a secret note; `Ann shows plan: left`
    undo Ann: !fire PH-1/A at Destr       VASSAL takes that step back
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from referee.core.hexgrid import FACINGS, Hex, parse_position
from referee.core.ship import ShipClass
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.formats.vassal.chat_logs import boxes_of
from tests.unit.formats.vassal.game_logs import (
    BIG_FED,
    BIG_KLINGON,
    FED,
    KLINGON,
    STEPS,
    Class,
    Game,
    LogWriter,
    Placed,
    called,
    moved,
    order,
    pixels,
)

WAYS = {"ahead": 0, "right": 1, "left": -1}
VEILS = {"masked": ("ann;", "null"), "hidden": ("null;", "ann"), "shown": ("null;", "null")}
UNCOUNTED = ("Btty Avail", "BttyUsedEA", "BttyUsedInTurn", "Phas Cap", "PhasFired", "Total Used")
"""Rows whose amounts are no part of what is used in all."""
MODES = {
    ("cadet", "Federation"): FED,
    ("cadet", "Klingon"): KLINGON,
    ("standard", "Federation"): BIG_FED,
    ("standard", "Klingon"): BIG_KLINGON,
}
_SHIP = re.compile(r"(\S+) +(\S+) +([0-9]{4}[A-F]) +speed ([0-9]+)")


class LogTable:
    """A game at a VASSAL table; `steps` are the steps that each line wrote last, by the line."""

    def __init__(self, ships: str, lost: Mapping[str, Mapping[str, int]], clock: str = "1.1") -> None:
        """`lost` are boxes that were lost before."""
        self.classes: dict[str, ShipClass] = {}
        self.speeds: dict[str, int] = {}
        placed = {}
        for line in ships.strip().splitlines():
            match = _SHIP.fullmatch(line.strip())
            assert match, f"no ship: {line}"
            name, ship = match[1], load_ship(match[2])
            hex, facing = parse_position(match[3])
            assert facing
            self.classes[name], self.speeds[name] = ship, int(match[4])
            cls = MODES.get((match[2].partition("/")[0], ship.race)) or Class(ship.race, name, (9,))
            impulses = int(load_rulebook(ship.rulebook).option("impulses"))
            cls = replace(cls, boxes=boxes_of(ship), impulses=impulses)
            placed[name] = Placed(cls, hex, facing, self.speeds[name])
        turn, _, impulse = clock.partition(".")
        self.now = int(turn), int(impulse), 0
        game = Game(placed, 9, {(name, n): at for name, at in self.speeds.items() for n in range(1, 10)}, ())
        self.writer = LogWriter(game, self.now)
        for name, ship in self.classes.items():
            self.writer.printed[name] = [ship.shields[n] for n in range(1, 7)]
            self.writer.shields[name] = list(self.writer.printed[name])
            self._lose(name, lost.get(name, {}))
        self.writer._start = self.writer.start()
        self.flying: dict[str, tuple[Hex, str]] = {}
        self.veils: dict[str, str] = {}
        self.steps: dict[str, int] = {}

    def begun(self, lines: str) -> None:
        """What these lines do is done as the log begins."""
        self._lines(lines)
        self.writer.steps.clear()
        self.writer._start = self.writer.start()

    def played(self, lines: str, ended: bool = True) -> bytes:
        """The log of some lines; the clock goes on past the last impulse where the game has `ended` there."""
        self._lines(lines)
        if ended:
            self._to_impulse(*self._after())
        return self.writer.finish()

    def _lines(self, lines: str) -> None:
        for row in lines.strip().splitlines():
            if line := row.partition(" # ")[0].strip():
                self._line(line)
                self.steps[line] = len(self.writer.steps)

    def _line(self, line: str) -> None:
        for pattern, does in _LINES:
            if match := pattern.fullmatch(line):
                does(self, *match.groups())
                return
        raise AssertionError(f"no line of a log: {line}")

    def _log(self, *leaves: Any) -> None:
        self.writer.log(*leaves)

    # -- the clock

    def _impulses(self) -> int:
        return self.writer.game.impulses

    def _after(self) -> tuple[int, int]:
        turn, impulse, _ = self.now
        return (turn, impulse + 1) if impulse < self._impulses() else (turn + 1, 1)

    def _clock(self, turn: int, impulse: int, step: int = 0) -> None:
        if (turn, impulse, step) != self.now:
            self.writer.advance(self.now, (turn, impulse, step))
            self.now = turn, impulse, step

    def _to_step(self, step: int) -> None:
        for passed in range(self.now[2] + 1, step + 1):
            self._clock(*self.now[:2], passed)

    def _to_impulse(self, turn: int, impulse: int) -> None:
        self._to_step(len(STEPS) - 1)
        self._clock(turn, impulse)

    def impulse(self, number: str) -> None:
        there = int(number)
        self._to_impulse(self.now[0] + (there <= self.now[1]), there)

    def step(self, name: str) -> None:
        self._to_step([one.lower() for one in STEPS].index(name))

    def clock(self, turn: str, impulse: str) -> None:
        self._clock(int(turn), int(impulse))

    def play_on(self, number: str) -> None:
        while self.now[1] != int(number):
            self._to_impulse(*self._after())
            game, turn = self.writer.game, self.now[0]
            for name in order(game.ships, game.speeds, turn):
                if called(self.speeds[name], self.now[1], self._impulses()):
                    self.go(name, "ahead")

    # -- forms and displays

    def form(self, name: str, turn: str | None, text: str | None) -> None:
        at = int(turn or self.now[0])
        boxes, cls = self.classes[name].boxes, self.classes[name]
        power = {
            "Warp Power": cls.warp,
            "Impulse Power": boxes["impulse"],
            "Atomic Power": boxes.get("apr", 0),
        }
        rows = {row: str(amount) for row, amount in power.items()}
        rows |= {"Total Power": str(sum(power.values())), "Btty Avail": str(boxes.get("battery", 0))}
        said = dict(pair.strip().rsplit(" ", 1) for pair in text.split(",")) if text else {}
        used = {"Movement": str(self.speeds[name]), **said}
        amounts = [float(amount) for row, amount in used.items() if row not in (*rows, *UNCOUNTED)]
        total = {"Total Used": f"{sum(amounts):g}"}
        self.writer.write(name, at, {**rows, **total, **used})

    def _lose(self, name: str, boxes: Mapping[str, int]) -> None:
        for box, count in boxes.items():
            if box.startswith("shield "):
                self.writer.shields[name][int(box[7:]) - 1] -= count
            else:
                self.writer.left[name][box] -= count

    def marks(self, name: str, verb: str, text: str) -> None:
        old, sign = self.writer.display_states(name), 1 if verb == "marks" else -1
        pairs = (pair.rpartition(":") for pair in text.split(","))
        self._lose(name, {box.strip(): sign * int(count) for box, _, count in pairs})
        self._log(self.writer.change(f"{self.writer.ids[name]}9", old, self.writer.display_states(name)))

    # -- pieces

    def _place(self, name: str) -> tuple[Hex, str]:
        return self.flying.get(name) or self.writer.where[name]

    def _stands(self, name: str, hex: Hex, facing: str) -> None:
        (self.flying if name in self.flying else self.writer.where)[name] = hex, facing

    def _states(self, name: str, hex: Hex, facing: str) -> list[str]:
        if name in self.flying:
            x, y = pixels(reversed=False)[str(hex)]
            return [str(FACINGS.index(facing)), f"Space;{x};{y};1;4"]
        states = self.writer.counter_states(name, (hex, facing))
        states[4:6] = VEILS[self.veils.get(name, "shown")]
        return states

    def turns(self, name: str, way: str) -> None:
        hex, facing = self._place(name)
        bow = FACINGS[(FACINGS.index(facing) + WAYS[way]) % 6]
        self._change(name, self._states(name, hex, facing), self._states(name, hex, bow))
        self._stands(name, hex, bow)

    def _change(self, name: str, old: list[str], new: list[str]) -> None:
        self._log(self.writer.change(self.writer.ids[name], old, new))

    def go(self, name: str, way: str) -> None:
        hex, facing = self._place(name)
        there, bow = moved(hex, facing, WAYS[way])
        if way != "ahead":
            self.turns(name, way)
        self._drag(name, there)
        self._stands(name, there, bow)

    def _drag(self, name: str, there: Hex, player: str = "Ann") -> None:
        hex, facing = self._place(name)
        player = player if player != "Ann" or name in self.flying else self._owner(name)
        leaf = replace(self.writer.move_leaf(name, hex, there), player=self._seat(player))
        self._log(leaf, lv.Chat(f"* {name} moves {hex} -> {there} *"))
        self._stands(name, there, facing)

    def _owner(self, name: str) -> str:
        return "Ben" if self.classes[name].race == "Klingon" else "Ann"

    def _seat(self, player: str) -> lv.Secret:
        return lv.Secret(f"secret-{player}")

    def drags(self, player: str, name: str, at: str) -> None:
        hex, _ = parse_position(at)
        here, facing = self._place(name)
        self._log(replace(self.writer.move_leaf(name, here, hex), player=self._seat(player)))
        self._stands(name, hex, facing)

    def put(self, name: str, at: str) -> None:
        hex, facing = parse_position(at)
        self._drag(name, hex)
        while facing and self._place(name)[1] != facing:
            self.turns(name, "right")

    def veil(self, name: str, how: str) -> None:
        place = self._place(name)
        old = self._states(name, *place)
        self.veils[name] = how
        self._change(name, old, self._states(name, *place))

    def drone(self, drone: str, at: str) -> None:
        hex, facing = parse_position(at)
        assert facing
        self.writer.ids[drone] = f"18{len(self.writer.ids):09d}"
        types = [
            "rotate;6;93,130;91,130;Rotate right;Rotate left;;;Heading;facing;;;;true",
            f"piece;;;d.png;{drone}",
        ]
        self.flying[drone] = hex, facing
        chains = join_chain(types), join_chain(self._states(drone, hex, facing))
        self._log(lv.AddPiece(self.writer.ids[drone], *chains))

    def off(self, name: str) -> None:
        self._log(lv.RemovePiece(self.writer.ids[name]))

    # -- what is said and rolled

    def chat(self, player: str, text: str) -> None:
        self._log(lv.Chat(f"&lt;{player}&gt; - {text}"))

    def rolls(self, player: str, faces: str, button: str | None) -> None:
        shown = ",".join(faces.split())
        self._roll(player, button or f"{len(faces.split())}d6", shown, shown)

    def two_rolls(self, player: str, shown: str, said: str) -> None:
        self._roll(player, "1d6", said, shown)

    def _roll(self, player: str, button: str, said: str, shown: str) -> None:
        chat = lv.Chat(f"*** {button} = {said} *** <{player}>")
        self._log(chat, lv.MutableProperty(f"{button}_result", "1", shown, "Module"))

    def note(self, player: str, verb: str, name: str, text: str) -> None:
        secret = lv.Secret(f"secret-{player}")
        self._log(lv.SecretNote(name, secret, verb == "notes", text, ("1", player)))

    def undo(self, line: str) -> None:
        if match := re.fullmatch(r"(\w+) rolls ([0-9]+)", line):
            back = lv.MutableProperty("1d6_result", match[2], "1", "Module")
            self._log(
                lv.Undo(True), lv.Chat(f"* UNDO: *** 1d6 = {match[2]} *** <{match[1]}>"), back, lv.Undo(False)
            )
        elif match := re.fullmatch(r"(\w+) ahead", line):
            name, (hex, facing) = match[1], self._place(match[1])
            before = moved(hex, FACINGS[(FACINGS.index(facing) + 3) % 6], 0)[0]
            chat = lv.Chat(f"* UNDO: * {name} moves {before} -> {hex} *")
            self._log(lv.Undo(True), chat, self.writer.move_leaf(name, hex, before), lv.Undo(False))
            self._stands(name, before, facing)
        else:
            player, _, text = line.partition(": ")
            chat = lv.Chat(f"* UNDO: &lt;{player}&gt; - {text}")
            self._log(lv.Undo(True), chat, lv.Undo(False))


_PIECE = r"(Drone \w+|\w+)"
_LINES: list[tuple[re.Pattern[str], Callable[..., None]]] = [
    (re.compile(pattern), does)
    for pattern, does in (
        (r"undo (.+)", LogTable.undo),
        (r"form (\w+)(?: ([0-9]+))?(?:: (.+))?", LogTable.form),
        (r"impulse ([0-9]+)", LogTable.impulse),
        (r"step (\w+)", LogTable.step),
        (r"clock ([0-9]+)\.([0-9]+)", LogTable.clock),
        (r"play on to impulse ([0-9]+)", LogTable.play_on),
        (_PIECE + r" (ahead|left|right)", LogTable.go),
        (_PIECE + r" turns (left|right)", LogTable.turns),
        (_PIECE + r" put at (\w+)", LogTable.put),
        (r"(\w+) drags (\w+) to (\w+)", LogTable.drags),
        (_PIECE + r" is (masked|hidden|shown)", LogTable.veil),
        (r"(Drone \w+) at (\w+)", LogTable.drone),
        (_PIECE + r" taken off", LogTable.off),
        (r"(\w+) (marks|takes off) (.+)", LogTable.marks),
        (r"(\w+) rolls ([0-9 ]+?)(?: with (\w+))?", LogTable.rolls),
        (r"(\w+) sees ([0-9]+) and types ([0-9]+)", LogTable.two_rolls),
        (r"(\w+) (notes|shows) (.+?): (.+)", LogTable.note),
        (r"(\w+): (.+)", LogTable.chat),
    )
]
