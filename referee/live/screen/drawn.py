"""How the table stands on the screen: the moment, who moves, the ships, what happened last; at every size."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.core.errors import RefereeError
from referee.live.screen.hexes import map_lines
from referee.live.screen.panels import Panel
from referee.live.screen.prompt import Prompt
from referee.live.screen.ships import FULL, SHORT, ships_in
from referee.live.screen.ssd import ssd_lines
from referee.live.screen.styled import Line, columns, fitted, line, spread, width_of, wrapped

if TYPE_CHECKING:
    from referee.play.desk import Desk

WIDTH, HEIGHT = 60, 20
"""The least terminal."""
WIDE, HIGH = 112, 32
"""From here on the map and the SSDs stand beside the table."""
_BESIDE, _ENOUGH = 47, 100
"""Columns that the map and the SSDs have at least; those of the table, of which they have the rest."""
_MAP, _PAIR = 12, 2
"""Rows that the map has at least, and the ships whose SSDs go before more of it."""
_LOG, _LEAST_LOG = 5, 3
"""Rows of what happened last; fewer, the last rulings among them, where that gives each ship a second row."""
_AWAITED = 4
"""Rows of what is awaited of whom."""
_DICE = 6
_OPEN = 16
"""Rows that are kept for what is open, where there are as many."""
_WORDS = 4
"""Rows of a word to whoever sits at the keyboard."""
_KEPT = 200
_WAYS = (("ahead", "a"), ("left", "l"), ("right", "r"))


class Drawn:
    """A desk as lines of text."""

    def __init__(self, desk: Desk) -> None:
        self.desk: Desk = desk
        self.panel: Panel | None = None
        self.unseen = False
        """Is the window too small for the table?"""
        self.prompt: Prompt | None = None
        self._message: Line = ()
        self._lines: deque[Line] = deque(maxlen=_KEPT)
        self._acts: deque[range] = deque(maxlen=_KEPT)
        """Of each line the entries it tells of."""

    def rows(self, width: int, height: int) -> list[Line]:
        """The whole screen: so many lines of so many columns."""
        try:
            rows = self._rows(width, height)
        except RefereeError as error:
            # The record itself: it is gone, or was cut while it was written.
            rows = wrapped(line((str(error), "bad")), max(width, 2))
        return [fitted(row, width) for row in self._filled(rows, height)]

    def _rows(self, width: int, height: int) -> list[Line]:
        self.unseen = width < WIDTH or height < HEIGHT
        if self.unseen:
            message = f"the table needs {WIDTH} × {HEIGHT}; this window is {width} × {height}"
            rows = [
                line((message, "bold")),
                line("make it greater: it goes on"),
                line("only q counts: it leaves"),
            ]
        elif self.panel is not None and self.panel.covers:
            foot = self._foot(width)
            rows = [*self._filled(self.panel.rows(width, height - len(foot)), height - len(foot)), *foot]
        elif width >= WIDE and height >= HIGH:
            head, foot = self._head(width), self._foot(width)
            beside, high = max(_BESIDE, width - _ENOUGH), height - len(head) - len(foot)
            at = width - beside - 2
            rows = [*head, *columns(self._middle(at, high), self._beside(beside, high), width, at), *foot]
        else:
            head, foot = self._head(width), self._foot(width)
            rows = [*head, *self._middle(width, height - len(head) - len(foot)), *foot]
        return rows

    @staticmethod
    def _filled(rows: list[Line], height: int) -> list[Line]:
        return [*rows[:height], *([()] * (height - len(rows)))]

    def _head(self, width: int) -> list[Line]:
        sight = self.desk.sight
        impulse = "" if sight.impulse is None else f"  impulse {sight.impulse} of {sight.impulses}"
        left = line((f" turn {sight.turn}{impulse}  {sight.step}", "bar"))
        code = line((f"{sight.head} ", "bar"))
        if width_of(left) + width_of(code) > width:  # The moment is whole; `:head` says the code.
            code = line((f"{sight.head.split()[0]} ", "bar"))
        bar = tuple((text, "bar") for text, _ in spread(left, code, width))
        clock = self.desk.clock_told
        timed = line((f"  {clock}", "bad" if "up" in clock else "bold")) if clock else ()
        whose = wrapped(line((self.desk.whose_dice or self.desk.whose, "bold")), width - len(clock) - 3)
        if len(whose) > _AWAITED:
            whose = [*whose[: _AWAITED - 1], line(*whose[_AWAITED - 1], (" …", "dim"))]
        first = spread(whose[0] if whose else (), timed, width)
        return [bar, first, *whose[1:], *self._now(width), self._rule(width)]

    def _now(self, width: int) -> list[Line]:
        """What may be done now: the ways of the mover, or the dice."""
        if self.desk.box is not None:
            # It is said above of whom it is asked, with the boxes.
            return [line(("its number, and Enter", "warn"))]
        if asks := self.desk.asks:
            rows = wrapped(line(("dice  ", "warn"), asks), width, 6)
            return rows if len(rows) <= _DICE else [*rows[: _DICE - 1], line(*rows[_DICE - 1], (" …", "dim"))]
        robot = self.desk.mover and self.desk.sight.ship(self.desk.mover).robot
        if self.desk.pending:  # Its keys stand below.
            return [line((":robot", "bold"), (" plays it", "good"))] if robot else []
        ways = self.desk.ways()
        if not ways:
            return [row for each in self._without_movers() for row in wrapped(each, width)]
        pieces = [(f"{self.desk.mover}: ", "")]
        for way, key in _WAYS:
            against = ways.get(way, ())
            if against:
                pieces += [(f"{way} no [{against[0].rule}]   ", "dim")]
            else:
                pieces += [(f"{key}", "bold"), (f" {way}   ", "good")]
        if len(self.desk.sight.movers) > 1 and not self.desk.sight.ties:
            pieces += [("*", "bold"), (" all ahead   ", "good")]
        if robot:
            pieces += [(":robot", "bold"), (" plays it   ", "good")]
        if rules := dict.fromkeys(doubt.rule for doubt in self.desk.doubts):
            pieces += [(f"moved openly: undecided [{', '.join(rules)}]   ", "warn")]
        lines = wrapped(line(*pieces, *(("Enter: the only one", "dim"),) if self.desk.only else ()), width)
        if all(ways.get(way) for way, _ in _WAYS):
            lines += wrapped(line((_NO_WAY, "warn")), width)
        return lines

    def _without_movers(self) -> list[Line]:
        """What may be done where no ship is to move: forms, fire, or to go on."""
        sight, only = self.desk.sight, self.desk.only
        if not only and sight.impulse is None:
            robots = ((":robot", "bold"), " plays") if any(ship.robot for ship in sight.ships) else ()
            forms = (("e", "bold"), " files a form   ", ("s", "bold"), " seals one   ")
            paper = (
                (("n", "bold"), " goes on   ")
                if sight.all_said
                else (("0-9", "bold"), f" {sight.speed_of}'s speed, on paper  ")
            )
            return [line(*forms, *paper, *robots)]
        if not only:
            return []
        declared = bool(self.desk.unrolled)
        pieces = [("f", "bold"), (" fires   ", "good")] if self._fires else []
        return [line(*pieces, ("Enter: ", "good"), "the dice" if declared else only)]

    @property
    def _fires(self) -> bool:
        """May a ship still declare fire, that has not?"""
        sight, declared = self.desk.sight, self.desk.fire_said
        return sight.fires and any(ship.may_fire and ship.name not in declared for ship in sight.ships)

    @staticmethod
    def _rule(width: int, name: str = "") -> Line:
        title = f"─ {name} " if name else ""
        return line((title + "─" * (width - len(title)), "dim"))

    def _middle(self, width: int, height: int) -> list[Line]:
        """The ships; below them what is open, or the last rulings and what happened last."""
        sight = self.desk.sight
        if self.panel is not None:
            most = min(FULL * len(sight.ships), max(height - _OPEN, self.panel.ships))
            few = ships_in(sight, width, most, self.panel.about)
            lines = self.panel.rows(width, height - len(few) - 1)
            # What it leaves of its room is the ships'.
            few = ships_in(sight, width, height - len(lines) - 1, self.panel.about)
            return self._filled([*few, self._rule(width), *lines], height)
        if (box := self.desk.box) is not None:
            few = ships_in(sight, width, SHORT * len(sight.ships))
            ship, shown = self.desk.ssd(box.ship)
            boxes = ssd_lines(box.ship, shown, ship.state, width)
            room = height - len(boxes) - 2
            few = few if len(few) <= room else ships_in(sight, width, max(room, 3))
            lines = self._last_rows(height - len(few) - len(boxes) - 2, width)
            return self._filled([*few, self._rule(width), *boxes, self._rule(width), *lines], height)
        seekers = (
            wrapped(line(("  seekers: ", ""), ("; ".join(sight.seekers), "warn")), width)
            if sight.seekers
            else []
        )
        ruled = [
            *(f"ruling {text}" for text in sight.rulings[-1:]),
            *(f"foul {text}" for text in sight.fouls[-1:]),
        ]
        rulings = [row for each in ruled for row in wrapped(line((each, "warn")), width)]
        room = height - len(seekers) - len(rulings) - 1 - _LOG
        short = SHORT * len(sight.ships)
        room = short if room < short <= height - len(seekers) - 1 - _LEAST_LOG else room
        ships = ships_in(sight, width, max(room, 3))
        left = height - len(ships) - len(seekers) - len(rulings) - 1
        return [
            *ships,
            *seekers,
            self._rule(width),
            *rulings,
            *self._filled(self._last_rows(left, width), left),
        ]

    def _last_rows(self, height: int, width: int) -> list[Line]:
        """What happened last, in so many rows at most."""
        rows: list[Line] = []
        for each in reversed(self._lines):
            if len(rows) >= height:
                break
            rows[:0] = wrapped(each, width)
        return rows[-height:] if height > 0 else []

    def _beside(self, width: int, height: int) -> list[Line]:
        sheets = self._ssds(width, height)
        least = _MAP if len(self.desk.sight.ships) <= _PAIR else max(height // 2, _MAP)
        chart = map_lines(self.desk.sight, width, max(height - len(sheets) - 1, least))
        return [*chart, self._rule(width), *sheets][:height]

    def _ssds(self, width: int, most: int = 10_000) -> list[Line]:
        """The SSDs, those that move now first, until so many lines are full."""
        ships = sorted(self.desk.sight.ships, key=lambda ship: (bool(ship.gone), not ship.moves))
        rows: list[Line] = []
        for seen in ships:
            if len(rows) > most:
                break
            ship, shown = self.desk.ssd(seen.name)
            rows += [*ssd_lines(seen.name, shown, ship.state, width), ()]
        return rows

    def _foot(self, width: int) -> list[Line]:
        """The line that is typed or a word to whoever sits there, and the keys."""
        if self.prompt is not None:
            offers = self.prompt.offers()
            hint = line((f"Tab: {'  '.join(offers[:9])}" if offers else self.prompt.hint, "dim"))
            hints = [fitted(hint, width)] if offers else wrapped(hint, width)
            return [*wrapped(self._message, width), self.prompt.row(), *hints]
        message = wrapped(self._message, width)[:_WORDS] or [()]
        if self.panel is not None:
            return [*message, *wrapped(line((self.panel.hint, "dim")), width)]
        return [*message, *wrapped(self._keys(), width)]

    def _keys(self) -> Line:
        keys: Sequence[tuple[str, str]] = _WITHOUT_MOVERS
        if self.desk.box:
            keys = _WITH_BOX
        elif self.desk.asks:
            keys = _WITH_DICE
        elif self.desk.sight.impulse is None:
            keys = [each for each in _WITH_FORMS if each[0] != "c" or not self.desk.sight.c_is_a_ship]
        elif self.desk.mover:
            keys = _WITH_MOVERS
        if not self.desk.only:
            keys = [each for each in keys if each[0] != "Enter"]
        if not self._fires:
            keys = [each for each in keys if each[0] != "f"]
        return line(*(piece for key, what in keys for piece in ((key, "bold"), (f" {what}  ", "dim"))))


_WITH_BOX = (
    ("1-9", "the box, by its number"),
    ("u", "undo"),
    (":", "order, or the box by its name"),
    ("?", "keys"),
)
_WITH_DICE = (
    *(("0-9", "dice as they fell"), ("t", "thrown by the program"), ("u", "undo"), (":", "order")),
    ("?", "keys"),
)
_WITH_FORMS = (
    *(
        ("e", "form"),
        ("s", "seal"),
        ("o", "open"),
        ("c", "clock"),
        ("n", "next"),
        ("u", "undo"),
        (":", "order"),
    ),
    *(("b", "boxes"), ("?", "keys")),
)
_WITH_MOVERS = (
    *(("a l r", "move"), ("Enter", "the only way"), ("n", "next"), ("u", "undo"), (":", "order")),
    *(("s", "seal"), ("v", "map"), ("?", "keys")),
)
_WITHOUT_MOVERS = (
    *(("f", "fire"), ("n", "next"), ("u", "undo"), (":", "order"), ("s", "seal"), ("i", "ships")),
    *(("v", "map"), ("h", "log"), ("?", "keys")),
)
_NO_WAY = "nothing is legal: u takes back, :le leaves the map, or press a way, and s lets it stand"
