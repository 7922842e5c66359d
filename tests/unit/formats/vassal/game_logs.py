"""Games played by the rules and written as VASSAL logs, with the step of everything in them.

The rules are written down again here, by hand: the chart by its formula, turn modes by their brackets.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random

from referee.core.hexgrid import FACINGS, Hex, true_range
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from referee.formats.vassal.commands import Command, encode_command, encode_leaf
from referee.formats.vassal.container import write_save_bytes, write_zip
from referee.formats.vassal.game import read_save
from referee.formats.vassal.grid import BoardLayout, BoardPlace, HexGrid, Numbering, Size, lay_out
from referee.formats.vassal.sequence import encode

IMPULSES = 16
GROWS = 8
MIDDLE = Hex(45, 45)
EDGE = 43  # hexes from the middle that are on the map with all their neighbours, whichever way it lies
STEPS = ("Move", "Seekers", "Launch", "Fire")
SIZE = Size(42 * 92, 48 * 92)
GRID = HexGrid(28, 27, 42.0, 48.0, False, Numbering(stagger=False))
NAME = "Generated Duel"
MODULE_DATA = (
    f'<data version="1"><version>1</version><VassalVersion>3.7.0</VassalVersion><name>{NAME}</name></data>'
).encode()
ROWS = (
    "Turn", "Warp Power", "Impulse Power", "Atomic Power", "Total Power", "Btty Avail", "BttyUsedEA",
    "BttyRecharge", "Life Support", "Fire Control", "Phas Cap", "Phasrecharge", "PhasFired", "Photon A",
    "Photon B", "Disr A", "Disr B", "Shields", "Gen Reinf", "Spec Reinf", "Movement", "HET/EM", "ECM",
    "ECCM", "Dam Con", "Tractor", "Transporter", "WW/SS", "Total Used", "BttyUsedInTurn",
)  # fmt: skip
COLUMNS = 13


@dataclass(frozen=True)
class Class:
    """A class of ship: how counters name it, the highest speeds at which its turn mode asks for 1, 2, 3 ...
    hexes, its power by row of the form, what it pays for beside movement, and the boxes its display shows."""

    race: str
    type: str
    modes: tuple[int, ...]
    power: tuple[int, int, int, int] = (16, 2, 2, 2)
    housekeeping: tuple[int, int, int] = (0, 0, 0)
    impulses: int = 16
    fastest: int = 16
    boxes: tuple[tuple[str, int], ...] = (
        ("Warp L", 8), ("Warp R", 8), ("Impulse", 2), ("APR", 2), ("Battery", 2),
    )  # fmt: skip

    def needs(self, speed: int) -> int:
        return next((n for n, most in enumerate(self.modes, 1) if speed <= most), len(self.modes) + 1)

    def reaches(self, before: int) -> int:
        """The greatest speed after a speed."""
        grown = max(2 * before, before + 10) if self.impulses == 32 else before + GROWS
        return min(self.fastest, grown)


FED, KLINGON = Class("Federation", "CA", (6,)), Class("Klingon", "D6", (8,))
STANDARD_BOXES = (("Warp L", 15), ("Warp R", 15))
BIG_FED = Class(
    "Federation", "CA", (4, 8, 12, 17, 24), (30, 4, 0, 4), (1, 1, 2), 32, 30,
    (*STANDARD_BOXES, ("Impulse", 4), ("Battery", 4)),
)  # fmt: skip
BIG_KLINGON = Class(
    "Klingon", "D7", (5, 10, 15, 21, 28), (30, 5, 4, 3), (1, 1, 2), 32, 31,
    (*STANDARD_BOXES, ("Impulse", 5), ("APR", 4), ("Battery", 3)),
)  # fmt: skip
CADETS, STANDARDS = (FED, KLINGON), (BIG_FED, BIG_KLINGON)


@dataclass(frozen=True)
class Placed:
    """A ship at the start."""

    cls: Class
    hex: Hex
    facing: str
    speed: int


@dataclass(frozen=True)
class Play:
    """One move: `way` sixths clockwise (0, 1, -1) turned before the hex. `count` hexes straight were counted
    before it. `undone` is a wrong turn and hex made first and taken back; `joined` turn and hex in one step."""

    ship: str
    turn: int
    impulse: int
    way: int
    count: int
    undone: bool = False
    joined: bool = False


@dataclass(frozen=True)
class Game:
    """A game, legal until it is mutated; `written` are more figures of forms, `said` chat in fire steps."""

    ships: dict[str, Placed]
    turns: int
    speeds: dict[tuple[str, int], int]
    plays: tuple[Play, ...]
    written: dict[tuple[str, int], dict[str, str]] = field(default_factory=dict)
    said: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    reversed: bool = False

    @property
    def impulses(self) -> int:
        return next(iter(self.ships.values())).cls.impulses


@dataclass(frozen=True)
class Written:
    """A log and the steps of what is in it: of each play its turn and its hex, of each form, of the
    tracker's leaving each impulse."""

    data: bytes
    plays: dict[int, tuple[int | None, int]]
    forms: dict[tuple[str, int], int]
    over: dict[tuple[int, int], int]
    said: dict[tuple[int, int], list[int]]
    steps: int


def legal_game(
    random: Random, *, ships: int = 2, turns: int = 1, classes: tuple[Class, ...] = CADETS
) -> Game:
    """A random game that breaks no rule."""
    placed = {
        f"{cls.type} Ship{n}": Placed(
            cls,
            Hex(random.randint(38, 52), random.randint(38, 52)),
            random.choice(FACINGS),
            random.randint(4, 12),
        )
        for n, cls in ((n, classes[n % len(classes)]) for n in range(ships))
    }
    speeds: dict[tuple[str, int], int] = {}
    plays: list[Play] = []
    where = {name: (ship.hex, ship.facing) for name, ship in placed.items()}
    counts: dict[str, int] = {}
    for turn in range(1, turns + 1):
        for name, ship in placed.items():
            before = speeds.get((name, turn - 1), ship.speed)
            speeds[name, turn] = random.randint(1, ship.cls.reaches(before))
        for impulse in range(1, classes[0].impulses + 1):
            for name in order(placed, speeds, turn):
                if not called(speeds[name, turn], impulse, classes[0].impulses):
                    continue
                need = placed[name].cls.needs(speeds[name, turn])
                counts.setdefault(name, need)  # satisfied at the start, at the speed of the first move
                way = _way(random, *where[name], may_turn=counts[name] >= need)
                play = Play(
                    name, turn, impulse, way, counts[name], random.random() < 0.05, random.random() < 0.3
                )
                plays.append(play)
                where[name] = moved(*where[name], way)
                counts[name] = counts[name] + 1 if way == 0 else 1
    return Game(placed, turns, speeds, tuple(plays), reversed=random.random() < 0.2)


def called(speed: int, impulse: int, of: int = IMPULSES) -> bool:
    return impulse * speed // of > (impulse - 1) * speed // of


def order(ships: dict[str, Placed], speeds: dict[tuple[str, int], int], turn: int) -> list[str]:
    """Who moves first: the slower, then the worse turn mode, now and at all speeds."""

    def rank(name: str) -> tuple[int, int, int]:
        cls, speed = ships[name].cls, speeds[name, turn]
        return speed, -cls.needs(speed), -sum(cls.needs(s) for s in range(1, cls.impulses + 1))

    return sorted(ships, key=rank)


def moved(hex: Hex, facing: str, way: int) -> tuple[Hex, str]:
    facing = FACINGS[(FACINGS.index(facing) + way) % 6]
    return hex.step(facing), facing


def keeps_to_map(game: Game) -> bool:
    """Whether no ship leaves the map; one turned elsewhere than it was played may."""
    where = {name: (ship.hex, ship.facing) for name, ship in game.ships.items()}
    for play in game.plays:
        where[play.ship] = moved(*where[play.ship], play.way)
        if true_range(where[play.ship][0], MIDDLE) > EDGE:
            return False
    return True


def _way(random: Random, hex: Hex, facing: str, *, may_turn: bool) -> int:
    """A way to go that keeps to the map."""
    ways = (0, 1, -1) if may_turn else (0,)

    def strays(way: int) -> tuple[int, bool]:
        there, bow = moved(hex, facing, way)
        # Outward bound, three ways of six lead equally far from the middle: only turns lead back.
        return true_range(there.step(bow, 3), MIDDLE), way == 0

    return min(ways, key=strays) if true_range(hex, MIDDLE) > 28 else random.choice((*ways, 0))


# -- as VASSAL writes it -----------------------------------------------------------------


def module_bytes() -> bytes:
    """The module the logs belong to."""
    numbering = 'first="H" hLeading="1" vLeading="1" hOff="1" vOff="1" sep="" stagger="false"'
    text = f"""<VASSAL.build.GameModule name="{NAME}" version="1" VassalVersion="3.7.0">
<VASSAL.build.module.turn.TurnTracker name="Turn"><VASSAL.build.module.turn.CounterTurnLevel name="Turn">
<VASSAL.build.module.turn.CounterTurnLevel name="Impulse" loop="true" loopLimit="16">
<VASSAL.build.module.turn.ListTurnLevel name="Step" list="{",".join(STEPS)}"/>
</VASSAL.build.module.turn.CounterTurnLevel></VASSAL.build.module.turn.CounterTurnLevel>
</VASSAL.build.module.turn.TurnTracker>
<VASSAL.build.module.Map mapName="Space" edgeWidth="0" edgeHeight="0">
<VASSAL.build.module.map.BoardPicker><VASSAL.build.module.map.boardPicker.Board name="Sector" reversible="true"
 width="{SIZE.width}" height="{SIZE.height}"><VASSAL.build.module.map.boardPicker.board.HexGrid x0="28" y0="27"
 dx="42.0" dy="48.0"><VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering {numbering}/>
</VASSAL.build.module.map.boardPicker.board.HexGrid></VASSAL.build.module.map.boardPicker.Board>
</VASSAL.build.module.map.BoardPicker></VASSAL.build.module.Map></VASSAL.build.GameModule>"""
    return write_zip({"buildFile.xml": text.encode(), "moduledata": MODULE_DATA})


@lru_cache(maxsize=2)
def pixels(*, reversed: bool) -> dict[str, tuple[int, int]]:
    layout: BoardLayout = lay_out([BoardPlace("Sector", 0, 0, reversed, SIZE, GRID)], 0, 0)
    return {name: (x, y) for name, x, y in layout.boards[0].centres()}


def _layer(name: str) -> str:
    """A layer of two pictures, the second of a box that is destroyed."""
    fields = [""] * 31
    fields[15], fields[16], fields[18] = "whole.png,gone.png", ",", name
    return encode(["emb2", *fields], ";")


class LogWriter:
    """A game being written step by step; each method gives the number of the step it wrote."""

    def __init__(
        self,
        game: Game,
        at: tuple[int, int, int] = (1, 1, 0),
        filled: tuple[int, ...] = (),
        shown: str = "sheet",
    ) -> None:
        """`shown` is how displays show boxes: on a `sheet`, as `layers` or as `properties`."""
        self.game, self.at, self.shown = game, at, shown
        self.where = {name: (ship.hex, ship.facing) for name, ship in game.ships.items()}
        self.cells = {name: self._blank() for name in game.ships}
        self.ids = {name: f"17000000000{n:02d}" for n, name in enumerate(game.ships)}
        self.beside = {name: 100 + 800 * n for n, name in enumerate(game.ships)}
        self.left = {name: dict(ship.cls.boxes) for name, ship in game.ships.items()}
        self.shields = {name: [12] * 6 for name in game.ships}
        self.printed: dict[str, list[int]] = {}
        self.steps: list[Command] = []
        self.stacks = 0
        self._start = self.start()
        if filled:
            for name in game.ships:
                for turn in filled:
                    self.form(name, turn)
            self.steps.clear()
            self._start = self.start()

    def _blank(self) -> list[list[str]]:
        rows = [[label, *([""] * (COLUMNS - 1))] for label in ROWS]
        rows[0][1:] = [*(str(n) for n in range(1, COLUMNS - 1)), "Notes"]
        return rows

    # -- pieces

    def counter_types(self, name: str) -> list[str]:
        return [
            "translate;Forward;38,130;0;48;false;0;0;0;0;one hex ahead",
            "rotate;6;93,130;91,130;Rotate right;Rotate left;;;Heading;facing;;;;true",
            "PROP;Speed;true,0,31,false;;plotted speed",
            "label;76,130;Change Label;10;;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$);Dialog;0;0;TextLabel;desc;false",
            "obs;77,130;mask.png;Mask;B;?;player:;Peek;desc;false;;",
            "hide;73,130;Invisible;255,255,255;side:;0.3;desc;false",
            "mark;Race,Type,ShipId",
            f"piece;;;ship.png;{name}",
        ]

    def counter_states(self, name: str, at: tuple[Hex, str] | None = None) -> list[str]:
        hex, facing = at or self.where[name]
        cls = self.game.ships[name].cls
        x, y = pixels(reversed=self.game.reversed)[str(hex)]
        state = (FACINGS.index(facing) + 3 * self.game.reversed) % 6
        stored = f"1;4;OldZone;;UniqueID;{self.ids[name]};OldLocationName;{hex};OldMap;Space"
        marks = f"{cls.race},{cls.type},{name[-5:]}"
        return ["", str(state), "0", "", "null;", "null", marks, f"Space;{x};{y};{stored}"]

    def display_types(self, name: str) -> list[str]:
        boxes = self.game.ships[name].cls.boxes
        labels = [*(dict(boxes) if self.shown == "sheet" else ()), *(f"Shield {n}" for n in range(1, 7))]
        sheet = encode(["~".join(f"6{label}" for label in labels), "Damage", "", "2"], ";")
        layers = [_layer(f"{label} {n}") for label, most in boxes for n in range(1, most + 1)]
        counts = [encode(["PROP", label, f"true,0,{most},false", "", "left"], ";") for label, most in boxes]
        return [
            f"table;{len(ROWS)};{COLUMNS};Show Data;83,130;EA form",
            f"propertysheet;{sheet}",
            *(layers if self.shown == "layers" else counts if self.shown == "properties" else ()),
            "mark;Race,Type,ShipId",
            f"piece;;;ssd.png;SSD {name}",
        ]

    def display_states(self, name: str) -> list[str]:
        cls, left = self.game.ships[name].cls, self.left[name]
        cells = encode([text for row in self.cells[name] for text in row], ",")
        boxes = [f"{left[box]}/{most}" for box, most in cls.boxes] if self.shown == "sheet" else []
        most = self.printed.get(name) or [max(left, 12) for left in self.shields[name]]
        shields = (f"{left}/{printed}" for left, printed in zip(self.shields[name], most, strict=True))
        ticks = encode([*boxes, *shields], "~")
        layers = ["1" if n <= left[box] else "2" for box, most in cls.boxes for n in range(1, most + 1)]
        counts = [str(left[box]) for box, _ in cls.boxes]
        more = layers if self.shown == "layers" else counts if self.shown == "properties" else []
        return [cells, ticks, *more, f"{cls.race},SSD,{name[-5:]}", f"SSD;{self.beside[name]};100;4;0"]

    def start(self) -> str:
        pieces = []
        for name, id in self.ids.items():
            types, states = join_chain(self.counter_types(name)), join_chain(self.counter_states(name))
            pieces.append(encode_leaf(lv.AddPiece(id, types, states)))
            display = self.display_types(name)
            pieces.append(
                encode_leaf(lv.AddPiece(f"{id}9", join_chain(display), join_chain(self.display_states(name))))
            )
        pieces += [
            encode_leaf(lv.PlayerSeat(lv.Secret(f"secret-{name}"), name, side))
            for name, side in (("Ann", FED.race), ("Ben", KLINGON.race))
        ]
        boards = encode_leaf(lv.Boards("Space", (lv.PlacedBoard("Sector", self.game.reversed, 0, 0),)))
        return "\x1b".join(("begin_save", *pieces, boards, self.tracker(*self.at), "end_save"))

    def tracker(self, turn: int, impulse: int, step: int) -> str:
        steps = encode([str(step), "0", "0", ",".join(["true"] * len(STEPS))], ";")
        impulses = encode([str(impulse), "0", "true", str(self.game.impulses), steps], ";")
        turns = encode([str(turn), "0", "false", "-1", impulses], ";")
        return encode_leaf(lv.Turn("TurnTracker0", encode(["0", turns], "|")))

    # -- steps

    def log(self, *leaves: lv.Leaf | str) -> int:
        texts = ["LOG\t" + (leaf if isinstance(leaf, str) else encode_leaf(leaf)) for leaf in leaves]
        self.steps.append(Command(texts[0], tuple(Command(text) for text in texts[1:])))
        return len(self.steps)

    def change(self, id: str, old: list[str], new: list[str]) -> lv.ChangePiece:
        return lv.ChangePiece(id, join_chain(new), join_chain(old))

    def move_leaf(self, name: str, old: Hex, new: Hex) -> lv.MovePiece:
        there = pixels(reversed=self.game.reversed)
        places = "Space", *there[str(new)], "null", "Space", *there[str(old)], "null"
        return lv.MovePiece(self.ids[name], *places, lv.Secret("secret-ann"))

    def finish(self) -> bytes:
        """The log."""
        steps = (encode_command(Command("", (step,)))[1:] for step in self.steps)
        return write_save_bytes("\x1b".join((self._start, *steps)), key=7, module_data=MODULE_DATA)

    def advance(self, now: tuple[int, int, int], then: tuple[int, int, int]) -> int:
        texts = [f"Turn {turn} Impulse {impulse} {STEPS[step]}" for turn, impulse, step in (now, then)]
        return self.log(lv.Chat(f"* Turn updated from {texts[0]} to {texts[1]}"), self.tracker(*then))

    def form(self, name: str, turn: int) -> int:
        speed, cls = self.game.speeds[name, turn], self.game.ships[name].cls
        warp, impulse, reactor, batteries = cls.power
        life, control, shields = cls.housekeeping
        figures = {
            "Warp Power": str(warp), "Impulse Power": str(impulse), "Atomic Power": str(reactor or ""),
            "Total Power": str(warp + impulse + reactor), "Btty Avail": str(batteries),
            "Life Support": str(life or ""), "Fire Control": str(control or ""), "Shields": str(shields or ""),
            "Movement": str(speed), "Total Used": str(speed + sum(cls.housekeeping)),
        }  # fmt: skip
        return self.write(name, turn, {**figures, **self.game.written.get((name, turn), {})})

    def write(self, name: str, turn: int, figures: dict[str, str]) -> int:
        old = self.display_states(name)
        for label, text in figures.items():
            self.cells[name][ROWS.index(label)][turn] = text
        return self.log(self.change(f"{self.ids[name]}9", old, self.display_states(name)))

    def play(self, play: Play) -> tuple[int | None, int]:
        if play.undone:
            self._wrong_and_undone(play.ship)
        (hex, facing), name = self.where[play.ship], play.ship
        new_hex, new_facing = moved(hex, facing, play.way)
        turn = self.change(
            self.ids[name], self.counter_states(name), self.counter_states(name, (hex, new_facing))
        )
        go = self.move_leaf(name, hex, new_hex)
        self.stacks += 1
        stack = lv.AddPiece(f"16{self.stacks:09d}", "stack", f"Space;{go.x};{go.y};{self.ids[name]};@@1")
        self.where[name] = new_hex, new_facing
        said = lv.Chat(f"* {name} moves {hex} -> {new_hex} *")
        if play.way and play.joined:
            step = self.log(turn, go, stack, said)
            return step, step
        turned = self.log(turn) if play.way else None
        # VASSAL writes the word null for parts of a drag that did nothing.
        return turned, self.log("null", go, stack, said)

    def _wrong_and_undone(self, name: str) -> None:
        hex, facing = self.where[name]
        wrong = hex.step(FACINGS[(FACINGS.index(facing) + 2) % 6])
        self.log(self.move_leaf(name, hex, wrong), lv.Chat(f"* {name} moves {hex} -> {wrong} *"))
        back = self.move_leaf(name, wrong, hex)
        self.log(lv.Undo(True), lv.Chat(f"* UNDO: * {name} moves {hex} -> {wrong} *"), back, lv.Undo(False))


def write_log(game: Game, *, chatter: int = 0, by: type[LogWriter] = LogWriter) -> Written:
    """The game as a log; `chatter` characters are said in each impulse."""
    writer = by(game)
    plays: dict[int, tuple[int | None, int]] = {}
    forms: dict[tuple[str, int], int] = {}
    over: dict[tuple[int, int], int] = {}
    said: dict[tuple[int, int], list[int]] = {}
    at: dict[tuple[int, int], list[int]] = {}
    for n, play in enumerate(game.plays):
        at.setdefault((play.turn, play.impulse), []).append(n)
    for turn in range(1, game.turns + 1):
        forms |= {(name, turn): writer.form(name, turn) for name in game.ships}
        for impulse in range(1, game.impulses + 1):
            for n in at.get((turn, impulse), ()):
                plays[n] = writer.play(game.plays[n])
            if chatter:
                writer.log(lv.Chat("&lt;Ann&gt; - " + "x" * chatter))
            for step in range(1, len(STEPS)):
                writer.advance((turn, impulse, step - 1), (turn, impulse, step))
            for line in game.said.get((turn, impulse), ()):
                said.setdefault((turn, impulse), []).append(writer.log(lv.Chat(line)))
            following = (turn, impulse + 1) if impulse < game.impulses else (turn + 1, 1)
            over[turn, impulse] = writer.advance((turn, impulse, len(STEPS) - 1), (*following, 0))
    return Written(writer.finish(), plays, forms, over, said, len(writer.steps))


def without(game: Game, n: int) -> Game:
    """The game without one of its moves."""
    return replace(game, plays=(*game.plays[:n], *game.plays[n + 1 :]))


__all__ = ["Game", "Play", "Written", "legal_game", "module_bytes", "read_save", "without", "write_log"]
