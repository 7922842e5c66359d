"""One played game as data, and the three doors it is judged at: an orders file, a game record, a VASSAL log."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from referee.core.hexgrid import FACINGS, Hex
from referee.core.orders import (
    Advance,
    Cloak,
    Fire,
    Hit,
    ImpulseBegins,
    Launch,
    Order,
    OrdersFile,
    ShipOrder,
    TurnBegins,
    Uncloak,
)
from referee.formats.orders import format_order, parse_orders
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from referee.rulebooks.registry import load_ship
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.chat_logs import boxes_of
from tests.unit.formats.vassal.game_logs import (
    ROWS,
    Class,
    Game,
    LogWriter,
    Placed,
    module_bytes,
    moved,
    pixels,
)
from tests.unit.sources.sfbol_written import Style, Written

MOVE, SEEKERS, LAUNCH, FIRE = range(4)
STEPS = {Launch: LAUNCH, Fire: FIRE, Cloak: SEEKERS, Uncloak: SEEKERS, Hit: FIRE}
UNCOUNTED = (
    "Warp Power",
    "Impulse Power",
    "Atomic Power",
    "Total Power",
    "Btty Avail",
    "BttyUsedEA",
    "BttyUsedInTurn",
    "Phas Cap",
    "PhasFired",
    "Total Used",
)
"""Rows whose amounts are no part of what is used in all."""
OWN_ROWS = {"Cloak": "WW/SS", "Shield Reinforcement 1": "Spec Reinf", "PL-S A": "Photon A"}
"""Rows of these forms that the module of the logs has none of, and the rows that bear their names."""
STEP_NAMES = {Launch: "launch", Fire: "fire"}
TURNS = {"ahead": 0, "right": 1, "left": -1}
Told = tuple[str, str, str, int | None, int | None]
"""Severity, key, subject, turn and impulse of a finding."""


class Refused(Exception):
    """A record does not take what is played, forced or not."""


@dataclass(frozen=True)
class Thrown:
    """What players do with the dice of the one fire of a game: the faces they throw, the points they state, by shot and
    in all, and the boxes of the shield that its owner marks."""

    faces: tuple[int, ...]
    scored: str = ""
    total: int = 0
    marked: int = 0


@dataclass(frozen=True)
class Played:
    """A game: its orders file, and what each ship's form of a turn pays for beside its power (row and amount)."""

    text: str
    forms: Mapping[tuple[str, int], Mapping[str, int]] = field(default_factory=dict)
    struck: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """What owners mark on the displays of ships that are hit: boxes by name, or by number those of a shield."""
    thrown: Thrown | None = None

    @property
    def orders(self) -> OrdersFile:
        """The orders file, read."""
        return parse_orders(self.text, "game.txt", load_ship)

    @property
    def impulses(self) -> int:
        """The impulses of a turn."""
        return self.orders.impulses or 16


# -- at an orders file ---------------------------------------------------------------------


def as_orders(referee: Run, game: Played) -> list[Ran]:
    """The report on the game as an orders file, with its forms beside it."""
    Path("game.txt").write_text(game.text)
    said = game.orders
    ran = [referee("check", "game.txt", "--json")]
    for (ship, turn), paid in game.forms.items():
        form = (_form(game, ship, turn, paid), "--ship", _class(said, ship), "--rulebook", said.rulebook)
        ran.append(referee("check", *form, "--json", *_options(_told_options(said))))
    return ran


# -- at a record ---------------------------------------------------------------------------


def as_record(referee: Run, game: Played) -> list[Ran]:
    """The report on the game as a record, in which everything is forced that is refused."""
    said = game.orders
    options = {"impulses": str(game.impulses), **dict(said.options)}
    new = ["game", "new", "game.jsonl", "--rulebook", said.rulebook, "--dice", "seed", "--seed", "doors"]
    new += ["--players", ",".join(_player(ship.ship) for ship in said.ships)]
    for ship in said.ships:
        at = f"{ship.hex}{ship.facing}" + ("" if ship.speed is None else f"/{ship.speed}")
        new += ["--ship", f"{ship.ship}={ship.class_id}:{_player(ship.ship)}@{at}"]
    ran = referee(*new, *_options(options))
    assert ran.code == 0, ran
    rows: list[str] = []
    for n, order in enumerate(said.orders):
        first = not any(isinstance(one, Fire | Launch) for one in _impulse_of(said.orders, n))
        if isinstance(order, Fire | Launch) and first and not _moves(said.orders[n:]):
            # Ships that do not move in the impulse are passed over, as the refusal of the order says.
            _say(referee, rows)
            now = referee("game", "status", "game.jsonl", "--json").json
            step = STEP_NAMES[type(order)]
            to = ("--to", f"{now['turn']}.{now['impulse']}.{step}", "--as", _player(order.ship), "--force")
            assert now["step"] == step or referee("game", "next", "game.jsonl", *to).code == 0
        rows.append(format_order(order))
        if isinstance(order, TurnBegins):
            _say(referee, rows)
            for (ship, turn), paid in game.forms.items():
                if turn == order.turn:
                    filed = referee("game", "apply", "game.jsonl", _form(game, ship, turn, paid), "--force")
                    assert filed.code == 0, filed
        elif _fires(rows) and _ends_impulse(said.orders[n + 1 :]):
            _say(referee, rows)
            assert referee("game", "resolve", "game.jsonl", "--force").code == 0
    _say(referee, rows)
    return [referee("check", "game.jsonl", "--json")]


def _told_options(said: OrdersFile) -> dict[str, str]:
    """The options of a game, told to a door whose file does not hold them."""
    options = {"impulses": str(said.impulses or 16), **dict(said.options)}
    speeds = {ship.speed for ship in said.ships}
    if len(speeds) == 1 and None not in speeds:
        options["previous_speed"] = str(speeds.pop())
    return options


def _class(said: OrdersFile, name: str) -> str:
    return next(ship.class_id for ship in said.ships if ship.ship == name)


def _options(options: Mapping[str, str]) -> list[str]:
    return [part for key, value in options.items() for part in ("--option", f"{key}={value}")]


def _say(referee: Run, rows: list[str]) -> None:
    """Says what has gathered, whatever it is against."""
    ran = referee("game", "say", "game.jsonl", *rows, "--force") if rows else None
    if ran is not None and ran.code:
        raise Refused(ran.err)
    rows.clear()


def _fires(rows: list[str]) -> bool:
    return any(": fire " in row for row in rows)


def _impulse_of(orders: Sequence[Order], n: int) -> Sequence[Order]:
    """The orders of an impulse that come before one of its orders."""
    begun = [at for at in range(n) if isinstance(orders[at], TurnBegins | ImpulseBegins)]
    return orders[(begun or [0])[-1] : n]


def _moves(orders: Sequence[Order]) -> bool:
    """Does a ship move in what is left of an impulse?"""
    for order in orders:
        if isinstance(order, TurnBegins | ImpulseBegins):
            return False
        if isinstance(order, Advance):
            return True
    return False


def _ends_impulse(after: Sequence[Order]) -> bool:
    return not after or isinstance(after[0], TurnBegins | ImpulseBegins)


def _player(ship: str) -> str:
    return ship.lower()


def _form(game: Played, ship: str, turn: int, rows: Mapping[str, int]) -> Path:
    path = Path(f"{ship}-{turn}.csv")
    figures: dict[str, object] = {"Ship": ship, "Turn": turn, **figures_of(game, ship, rows)}
    path.write_text("".join(f"{row},{amount}\n" for row, amount in figures.items()))
    return path


def figures_of(game: Played, name: str, rows: Mapping[str, int]) -> dict[str, str]:
    """The rows of a form: the power of the ship, and what is paid."""
    cls = load_ship(_class(game.orders, name))
    boxes = cls.boxes
    figures = {"Warp Power": cls.warp, "Impulse Power": boxes["impulse"], "Atomic Power": boxes.get("apr", 0)}
    figures["Total Power"] = sum(figures.values())
    figures["Btty Avail"] = boxes.get("battery", 0)
    figures["Total Used"] = sum(amount for row, amount in rows.items() if row not in UNCOUNTED)
    figures |= rows
    return {row: str(amount) for row, amount in figures.items()}


# -- at a log ------------------------------------------------------------------------------


def as_log(referee: Run, game: Played) -> list[Ran]:
    """The report on the game as a VASSAL log, with the module it was played in."""
    said = game.orders
    Path("game.vlog").write_bytes(logged(game))
    Path("game.vmod").write_bytes(module_bytes())
    told = [part for ship in said.ships for part in ("--ship", f"{ship.ship}={ship.class_id}")]
    file = ("game.vlog", "--module", "game.vmod", "--rulebook", said.rulebook)
    return [referee("check", *file, "--json", *told, *_options(_told_options(said)))]


def logged(game: Played) -> bytes:
    """The game as a VASSAL log."""
    return _Table(game).played()


class _Table:
    """Plays the orders at a VASSAL table: what is ordered is typed, and the pieces go with it."""

    def __init__(self, game: Played) -> None:
        self.game, self.orders = game, game.orders
        ships = {}
        for placed in self.orders.ships:
            ship = load_ship(placed.class_id)
            cls = Class(ship.race, placed.ship, (9,), impulses=game.impulses, boxes=boxes_of(ship))
            ships[placed.ship] = Placed(cls, placed.hex, placed.facing, placed.speed or 0)
        self.writer = LogWriter(Game(ships, 1, {}, ()))
        for placed in self.orders.ships:
            ship = load_ship(placed.class_id)
            self.writer.shields[placed.ship] = [ship.shields[n] for n in range(1, 7)]
            self.writer.printed[placed.ship] = list(self.writer.shields[placed.ship])
        for cells in self.writer.cells.values():
            for own, row in OWN_ROWS.items():
                if any(own in rows for rows in self.game.forms.values()):
                    cells[ROWS.index(row)][0] = own
        self.writer._start = self.writer.start()
        self.now = (1, 1, MOVE)
        self.flying: dict[str, tuple[Hex, str]] = {}

    def played(self) -> bytes:
        """The log."""
        orders = self.orders.orders
        for n, order in enumerate(orders):
            if isinstance(order, TurnBegins):
                self._to(order.turn, 1, MOVE)
                self._fill(order.turn)
            elif isinstance(order, ImpulseBegins):
                self._to(self.now[0], order.impulse, MOVE)
            else:
                self._step(order, orders[n + 1 :])
                self._do(order)
        last = self.now[1] + 1
        self._to(self.now[0] + (last > self.game.impulses), 1 if last > self.game.impulses else last, MOVE)
        return self.writer.finish()

    def _to(self, turn: int, impulse: int, step: int) -> None:
        for passed in range(self.now[2] + 1, FIRE + 1) if (turn, impulse) != self.now[:2] else ():
            self._to(*self.now[:2], passed)
        if (turn, impulse, step) != self.now:
            self.writer.advance(self.now, (turn, impulse, step))
            self.now = turn, impulse, step

    def _step(self, order: Order, after: tuple[Order, ...]) -> None:
        """The tracker goes on to the step of an order, unless something of an earlier step follows."""
        step = self._step_of(order)
        for later in after:
            if isinstance(later, TurnBegins | ImpulseBegins):
                break
            step = min(step, self._step_of(later))
        if step > self.now[2]:
            self._to(*self.now[:2], step)

    def _step_of(self, order: Order) -> int:
        if isinstance(order, Advance) and order.ship in self.flying:
            return SEEKERS
        return STEPS.get(type(order), MOVE)

    def _fill(self, turn: int) -> None:
        for (name, of), rows in self.game.forms.items():
            if of == turn:
                figures = figures_of(self.game, name, rows)
                self.writer.write(name, turn, {OWN_ROWS.get(row, row): figures[row] for row in figures})

    def _do(self, order: ShipOrder) -> None:
        if isinstance(order, Advance):
            if order.ship in self.flying:
                self._fly(order.ship, TURNS[order.way])
            else:
                self._go(order.ship, TURNS[order.way])
            return
        who = "Ann" if load_ship(_class(self.orders, order.ship)).race == "Federation" else "Ben"
        self.writer.log(lv.Chat(f"&lt;{who}&gt; - !{format_order(order).strip()}"))
        if isinstance(order, Launch):
            self._put(order)
        elif isinstance(order, Fire) and self.game.thrown is not None:
            self._throw(order, self.game.thrown, who)
        elif isinstance(order, Hit):
            self._strike(order, self.game.struck.get(order.ship, {}))

    def _throw(self, order: Fire, thrown: Thrown, who: str) -> None:
        """The dice of fire, what is said of them, and the boxes its target marks."""
        writer, button, shown = self.writer, f"{len(thrown.faces)}d6", ",".join(map(str, thrown.faces))
        property = lv.MutableProperty(f"{button}_result", "1", shown, "Module")
        writer.log(lv.Chat(f"*** {button} = {shown} *** <{who}>"), property)
        for said in (thrown.scored, f"total {thrown.total}" if thrown.total else ""):
            if said:
                writer.log(lv.Chat(f"&lt;{who}&gt; - {said}"))
        if thrown.marked:
            old = writer.display_states(order.target)
            writer.shields[order.target][0] -= thrown.marked
            new = writer.display_states(order.target)
            writer.log(writer.change(f"{writer.ids[order.target]}9", old, new))

    def _strike(self, order: Hit, boxes: Mapping[str, int]) -> None:
        """The boxes of a hit are marked; drones of a ship without excess boxes are taken off, if they do not fly on."""
        writer, name, orders = self.writer, order.ship, self.orders.orders
        old = writer.display_states(name)
        for box, marked in boxes.items():
            if box.isdecimal():
                writer.shields[name][int(box) - 1] -= marked
            else:
                writer.left[name][box] -= marked
        if boxes:
            writer.log(writer.change(f"{writer.ids[name]}9", old, writer.display_states(name)))
        if writer.left[name].get("excess") == 0:
            moving = {one.ship for one in orders[orders.index(order) :] if isinstance(one, Advance)}
            for seeker in self.flying:
                if seeker.startswith(f"{name} DRN") and seeker not in moving:
                    writer.log(lv.RemovePiece(writer.ids[seeker]))

    def _go(self, name: str, way: int) -> None:
        writer = self.writer
        hex, facing = writer.where[name]
        there, bow = moved(hex, facing, way)
        if way:
            old, new = writer.counter_states(name), writer.counter_states(name, (hex, bow))
            writer.log(writer.change(writer.ids[name], old, new))
        writer.log(writer.move_leaf(name, hex, there))
        writer.where[name] = there, bow

    # -- drones

    def _states(self, hex: Hex, facing: str) -> list[str]:
        x, y = pixels(reversed=False)[str(hex)]
        return [str(FACINGS.index(facing)), f"Space;{x};{y};1;4"]

    def _put(self, order: Launch) -> None:
        from referee.core.combat import soonest_facing

        name, (hex, facing) = order.name, self.writer.where[order.ship]
        bow = soonest_facing(hex, self.writer.where[order.target][0], facing)
        self.writer.ids[name] = f"18{len(self.writer.ids):09d}"
        types = [
            "rotate;6;93,130;91,130;Rotate right;Rotate left;;;Heading;facing;;;;true",
            f"piece;;;d.png;{name}",
        ]
        chains = join_chain(types), join_chain(self._states(hex, bow))
        self.writer.log(lv.AddPiece(self.writer.ids[name], *chains))
        self.flying[name] = hex, bow

    def _fly(self, name: str, way: int) -> None:
        writer = self.writer
        hex, facing = self.flying[name]
        there, bow = moved(hex, facing, way)
        if way:
            writer.log(writer.change(writer.ids[name], self._states(hex, facing), self._states(hex, bow)))
        writer.log(writer.move_leaf(name, hex, there))
        self.flying[name] = there, bow


# -- at a log of the online client ---------------------------------------------------------


def as_play(referee: Run, game: Played) -> list[Ran]:
    """The report on the game as the closed client's play-by-play, with the forms beside it."""
    said = game.orders
    thrown = game.thrown
    style = Style(
        struck=game.struck,
        faces=thrown.faces if thrown else (),
        total=thrown.total if thrown else 0,
        marked=thrown.marked if thrown else 0,
    )
    Path("game.log").write_text(Written(said, style).text())
    told = [part for ship in said.ships for part in ("--ship", f"{ship.ship}={ship.class_id}")]
    forms: dict[str, dict[str, object]] = {}
    for (ship, turn), paid in game.forms.items():
        rows = forms.setdefault(ship, {"Ship": ship})
        rows |= {"Turn": turn, **figures_of(game, ship, paid)}
    for ship, figures in forms.items():
        path = Path(f"{ship}.csv")
        path.write_text("".join(f"{row},{amount}\n" for row, amount in figures.items()))
        told += ["--form", f"{ship}={path}"]
    return [
        referee(
            "check", "game.log", "--rulebook", said.rulebook, "--json", *told, *_options(_told_options(said))
        )
    ]


# -- what a door says ----------------------------------------------------------------------

DOORS = {"orders": as_orders, "record": as_record, "log": as_log, "play": as_play}


def told(reports: Sequence[Ran], but: Container[str] = ()) -> set[Told]:
    """What reports find, `but` some keys."""
    assert all(ran.code in (0, 1) for ran in reports), reports
    return {
        (one["severity"], one["key"], one.get("subject", ""), one.get("turn"), one.get("impulse"))
        for ran in reports
        for one in ran.json["findings"]
        if one["key"] not in but
    }
