"""The table as a page of text: what stands on it, and what each key does. It knows no terminal, and no rules: all it
shows and does is the desk's."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.core.entry_words import entry_line
from referee.core.errors import RefereeError
from referee.live.desk_text import finding_lines
from referee.live.screen.hexes import map_lines
from referee.live.screen.keys import KEYS, ORDERS
from referee.live.screen.panels import Against, Boxes, Fire, Pages, Panel, Undo
from referee.live.screen.prompt import Prompt, completions
from referee.live.screen.shield import Shield
from referee.live.screen.ships import FULL, ship_whole, ships_in
from referee.live.screen.spoken import spoken
from referee.live.screen.ssd import ssd_lines
from referee.live.screen.styled import Line, columns, fitted, line, spread, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.play.acting import Answer
    from referee.play.desk import Desk

WIDTH, HEIGHT = 80, 24
"""The least terminal."""
WIDE, HIGH = 112, 32
"""From here on the map and the SSDs stand beside the table."""
_BESIDE = 47
_MAP, _PAIR = 12, 2
"""Rows that the map has at least, and the ships whose SSDs go before more of it."""
_LOG = 5
_DICE = 3
_OPEN = 16
"""Rows that are kept for what is open, where there are as many."""
_WORDS = 4
"""Rows of a word to whoever sits at the keyboard."""
_KEPT = 200
_COMMAND = re.compile(r" \(game \w+\)")
"""What a line says to those who type commands."""
_WAYS = (("ahead", "a"), ("left", "l"), ("right", "r"))


class TablePage:
    """A desk on a screen."""

    def __init__(self, desk: Desk) -> None:
        self.desk: Desk = desk
        self.panel: Panel | None = None
        self.prompt: Prompt | None = None
        self.done = False
        """Is the screen left?"""
        self._message: Line = ()
        self._lines: deque[Line] = deque(maxlen=_KEPT)
        self._leaving = False
        for entry in desk.game.entries[-12:]:
            self._lines.append(line((entry_line(entry, False), "dim")))

    # -- keys ----------------------------------------------------------------------------

    def press(self, key: str, letter: str = "") -> None:
        """What a key does: in the line that is typed, in what is open, or on the table."""
        leaving, self._leaving = self._leaving, False
        self._message = ()
        if self.prompt is not None:
            self._typed(key, letter)
        elif self.panel is not None:
            self.panel.press(key, letter)
        elif key == "enter":
            self._enter()
        elif letter == "q":
            self.done = leaving
            self._leaving = True
            self.tell("q again leaves; all is in the record", "warn")
        elif letter.isdecimal() and letter.isascii():
            self._dice(letter)
        elif (act := _ACTS.get(letter)) is not None:
            act(self)
        elif letter:
            self.tell(f"{letter} does nothing here: ? shows the keys", "warn")

    def put(self, text: str) -> None:
        """A text that is pasted: into the line that is typed, which opens for it."""
        if self.panel is not None and self.prompt is None:
            if isinstance(self.panel, Shield):
                self.panel.put(text)
            return
        if self.prompt is None:
            self._order()
        if self.prompt is not None:
            self.prompt.put(text.rstrip("\r\n"))

    def _typed(self, key: str, letter: str) -> None:
        prompt = self.prompt
        assert prompt is not None
        if key == "escape":
            self.prompt = None
        elif key == "enter":
            self.prompt = None
            prompt.done(prompt.text)
        elif key == "backspace" and not prompt.text:
            self.prompt = None
        else:
            prompt.press(key, letter)

    def ask(self, label: str, done: Callable[[str], None], text: str = "") -> None:
        """Asks for a line."""
        self.prompt = Prompt(label, done, text)

    # -- what came of it -----------------------------------------------------------------

    def tell(self, text: str, style: str = "") -> None:
        """A word to whoever sits at the keyboard."""
        self._message = line((text, style))

    def add(self, told: Iterable[str], style: str = "") -> None:
        """Lines that happened."""
        self._lines.extend(line((each, style)) for each in told)

    def did(self, answer: Answer) -> None:
        """Shows what came of an act."""
        if answer.pending:
            self.panel = Against(self, answer)
            return
        for told in answer.lines:
            # The line behind a step says the same, and the head code stands above.
            if not told.startswith(("step: ", "head #")):
                self._lines.append(_coloured(told))
        for finding in answer.findings:
            self.add(finding_lines(finding), "warn")
        if answer.error:
            self.tell(f"not entered: {answer.error}", "bad")

    def say(self, text: str) -> None:
        """Says an order."""
        self.did(self.desk.say(text))

    def close(self) -> None:
        """Closes what is open."""
        self.panel = None

    def read(self, title: str, told: Callable[[int], list[Line]]) -> None:
        """Opens a text to be read."""
        self.panel = Pages(self, title, told)

    def look_again(self) -> None:
        """Looks at what others have written into the record. A record that cannot be read now is read later."""
        known = self.desk.count
        try:
            entries = self.desk.game.entries
        except RefereeError as error:
            self.tell(str(error), "bad")
            return
        for entry in entries[known:]:
            self._lines.append(line((entry_line(entry, False), "dim")))

    # -- acts ----------------------------------------------------------------------------

    def _enter(self) -> None:
        if self.desk.asks:
            self.tell("type the dice as they fell, or t: the program throws them", "warn")
        elif not self.desk.only:
            self.tell(f"several things may be done: {self.desk.whose}", "warn")
        else:
            self.did(self.desk.enter())

    def _move(self, way: str) -> None:
        if not self.desk.mover:
            self.tell(f"no ship moves now: {self.desk.whose}", "warn")
            return
        self.say(way)

    def _next(self) -> None:
        self.did(self.desk.next())

    def _fire(self) -> None:
        self.fire("")

    def fire(self, ship: str) -> None:
        """Opens the declarations of a ship: where none is named, of the first that has something to fire."""
        ships = [one for one in self.desk.sight.ships if not one.gone]
        ready = [one.name for one in ships if one.may_fire] or [one.name for one in ships]
        if not ready:
            self.tell("there is no ship", "warn")
            return
        fired = {order.ship for order in self.desk.unrolled}
        self.panel = Fire(self, ship or next((name for name in ready if name not in fired), ready[0]))

    def undo(self) -> None:
        """Shows what an undo takes back."""
        try:
            self.panel = Undo(self, self.desk.last_act)
        except RefereeError as error:
            self.tell(str(error.reason), "warn")

    def _redo(self) -> None:
        self.did(self.desk.redo())

    def _dice(self, digit: str) -> None:
        if not self.desk.asks:
            self.tell("no dice are asked for", "warn")
            return
        self.ask("dice", lambda text: self.did(self.desk.faces(text)) if text.strip() else None, digit)

    def _throw(self) -> None:
        self.did(self.desk.throw())

    def _typed_dice(self) -> None:
        self.desk.typed = not self.desk.typed
        self.tell(f"dice are {'typed in' if self.desk.typed else 'thrown by the program'} from now on")

    def _order(self, text: str = "") -> None:
        self.prompt = Prompt(
            ":", lambda said: spoken(self, said), text, lambda said: completions(self.desk.sight, said)
        )

    def seal(self, ship: str = "") -> None:
        """Puts the shield over the screen for what a ship seals."""
        sight = self.desk.sight
        there = [one.name for one in sight.ships if not one.gone]
        waits = [name for name in there if any(name in what and "seal" in what for _, what in sight.awaited)]
        self.panel = Shield(self, ship or next(iter([*waits, *sight.ties, *sight.movers, *there])))

    def _open(self) -> None:
        self.did(self.desk.open_all())

    def _boxes(self) -> None:
        self.panel = Boxes(self, self.desk.mover or self.desk.sight.ships[0].name)

    def ships(self) -> None:
        """Opens all ships."""
        self.read(
            "the ships",
            lambda width: [
                each for ship in self.desk.sight.ships for each in ship_whole(self.desk.sight, ship, width)
            ],
        )

    def _view(self) -> None:
        self.read(
            "the map and the SSDs", lambda width: [*map_lines(self.desk.sight, width, 16), *self._ssds(width)]
        )

    def _help(self) -> None:
        def told(width: int) -> list[Line]:
            keys = [line((f"{key:<10}", "bold"), what) for key, what in KEYS]
            said = [line((f"{order:<24}", "bold"), what) for order, what in ORDERS]
            return [*keys, line(), line(("behind :", "bold")), *said]

        self.read("keys", told)

    # -- the page ------------------------------------------------------------------------

    def rows(self, width: int, height: int) -> list[Line]:
        """The whole screen: so many lines of so many columns."""
        if width < WIDTH or height < HEIGHT:
            told = f"the table needs {WIDTH} × {HEIGHT}; this window is {width} × {height}"
            rows = [line((told, "bold")), line("make it greater: it goes on")]
        elif self.panel is not None and self.panel.covers:
            foot = self._foot(width)
            rows = [*self._filled(self.panel.rows(width, height - len(foot)), height - len(foot)), *foot]
        elif width >= WIDE and height >= HIGH:
            head, foot = self._head(width), self._foot(width)
            at, high = width - _BESIDE - 2, height - len(head) - len(foot)
            rows = [*head, *columns(self._middle(at, high), self._beside(_BESIDE, high), width, at), *foot]
        else:
            head, foot = self._head(width), self._foot(width)
            rows = [*head, *self._middle(width, height - len(head) - len(foot)), *foot]
        return [fitted(row, width) for row in self._filled(rows, height)]

    @staticmethod
    def _filled(rows: list[Line], height: int) -> list[Line]:
        return [*rows[:height], *([()] * (height - len(rows)))]

    def _head(self, width: int) -> list[Line]:
        sight = self.desk.sight
        impulse = "" if sight.impulse is None else f"  impulse {sight.impulse} of {sight.impulses}"
        left = line((f" turn {sight.turn}{impulse}  {sight.step}", "bar"))
        bar = tuple((text, "bar") for text, _ in spread(left, line((f"{sight.head} ", "bar")), width))
        clock = self.desk.clock.told(sight.turn)
        timed = line((f"  {clock}", "bad" if "up" in clock else "bold")) if clock else ()
        typing = next((player for player, what in sight.awaited if "typed in" in what), "")
        awaited = f"{typing} types in the dice as they fell" if self.desk.asks and typing else sight.whose
        whose = wrapped(line((_COMMAND.sub("", awaited), "bold")), width - len(clock) - 3)
        first = spread(whose[0] if whose else (), timed, width)
        rest = [fitted(tuple(piece for row in whose[1:] for piece in row), width)] if whose[1:] else []
        return [bar, first, *rest, *self._now(width), self._rule(width)]

    def _now(self, width: int) -> list[Line]:
        """What may be done now: the ways of the mover, or the dice."""
        if asks := self.desk.asks:
            rows = wrapped(line(("dice  ", "warn"), asks), width, 6)
            return rows if len(rows) <= _DICE else [*rows[: _DICE - 1], line(*rows[_DICE - 1], (" …", "dim"))]
        ways = self.desk.ways()
        if not ways:
            only = self.desk.only
            if not only and self.desk.sight.impulse is None:
                return [line(("e", "bold"), " files a form openly   ", ("s", "bold"), " seals one, unseen   ", ("n", "bold"), " goes on")]  # fmt: skip
            return [line(("Enter: ", "good"), only)] if only else []
        pieces = [(f"{self.desk.mover}: ", "")]
        for way, key in _WAYS:
            against = ways.get(way, ())
            if against:
                pieces += [(f"{way} no [{against[0].rule}]   ", "dim")]
            else:
                pieces += [(f"{key}", "bold"), (f" {way}   ", "good")]
        return [line(*pieces, *(("Enter: the only one", "dim"),) if self.desk.only else ())]

    @staticmethod
    def _rule(width: int, name: str = "") -> Line:
        told = f"─ {name} " if name else ""
        return line((told + "─" * (width - len(told)), "dim"))

    def _middle(self, width: int, height: int) -> list[Line]:
        """The ships; below them what is open, or the last rulings and what happened last."""
        sight = self.desk.sight
        if self.panel is not None:
            few = ships_in(sight, width, min(FULL * len(sight.ships), max(height - _OPEN, self.panel.ships)))
            room = height - len(few) - 1
            return self._filled([*few, self._rule(width), *self.panel.rows(width, room)], height)
        seekers = (
            [fitted(line(("  seekers: ", ""), ("; ".join(sight.seekers), "warn")), width)]
            if sight.seekers
            else []
        )
        ruled = [
            *(f"ruling {told}" for told in sight.rulings[-1:]),
            *(f"foul {told}" for told in sight.fouls[-1:]),
        ]
        rulings = [fitted(line((each, "warn")), width) for each in ruled]
        room = height - len(seekers) - len(rulings) - 1 - _LOG
        ships = ships_in(sight, width, max(room, 3))
        left = height - len(ships) - len(seekers) - len(rulings) - 1
        told: list[Line] = []
        for each in reversed(self._lines):
            told[:0] = wrapped(each, width)
            if len(told) >= left:
                break
        return [
            *ships,
            *seekers,
            self._rule(width),
            *rulings,
            *self._filled(told[-left:] if left > 0 else [], left),
        ]

    def _beside(self, width: int, height: int) -> list[Line]:
        sheets = self._ssds(width, height)
        least = _MAP if len(self.desk.sight.ships) <= _PAIR else max(height // 2, _MAP)
        chart = map_lines(self.desk.sight, width, max(height - len(sheets) - 1, least))
        return [*chart, self._rule(width), *sheets][:height]

    def _ssds(self, width: int, most: int = 10_000) -> list[Line]:
        """The SSDs, those that move now first, until so many lines are full."""
        ships = sorted(self.desk.sight.ships, key=lambda ship: (bool(ship.gone), not ship.moves))
        told: list[Line] = []
        for one in ships:
            if len(told) > most:
                break
            ship, shown = self.desk.ssd(one.name)
            told += [*ssd_lines(one.name, shown, ship.state, width), ()]
        return told

    def _foot(self, width: int) -> list[Line]:
        """The line that is typed or a word to whoever sits there, and the keys."""
        if self.prompt is not None:
            offers = self.prompt.offers()
            hint = (
                line((f"Tab: {'  '.join(offers[:9])}", "dim"))
                if offers
                else line(("Enter   Esc leaves", "dim"))
            )
            return [self.prompt.row(), fitted(hint, width)]
        told = wrapped(self._message, width)[:_WORDS] or [()]
        if self.panel is not None:
            return [*told, fitted(line((self.panel.hint, "dim")), width)]
        return [*told, fitted(self._keys(), width)]

    def _keys(self) -> Line:
        told = _WITH_DICE if self.desk.asks else _WITH_FORMS if self.desk.sight.impulse is None else _WITHOUT
        return line(*(piece for key, what in told for piece in ((key, "bold"), (f" {what}  ", "dim"))))


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
_WITHOUT = (
    *(("a l r", "move"), ("Enter", "only one"), ("f", "fire"), ("n", "next"), ("u", "undo")),
    *((":", "order"), ("s", "seal"), ("?", "keys")),
)


def _coloured(told: str) -> Line:
    """A line that was entered or came of it, with what struck and missed made plain."""
    if ": hit" in told or "is struck" in told:
        return line((told, "warn"))
    if ": miss" in told or "no damage" in told or told.startswith(("order:", "step:")):
        return line(told)
    if told.startswith(("foul", "taken back")) or "destroyed" in told:
        return line((told, "bad" if "destroyed" in told else "warn"))
    return line(told)


_ACTS: dict[str, Callable[[TablePage], None]] = {
    "a": lambda page: page._move("a"),
    "l": lambda page: page._move("l"),
    "r": lambda page: page._move("r"),
    "n": TablePage._next,
    "f": TablePage._fire,
    "u": TablePage.undo,
    "U": TablePage._redo,
    "t": TablePage._throw,
    "d": TablePage._typed_dice,
    ":": TablePage._order,
    "w": lambda page: page._order("stands "),
    "e": lambda page: page._order("form "),
    "c": lambda page: page._order("clock 5"),
    "k": lambda page: page._order("note "),
    "g": lambda page: page._order("rule "),
    "x": lambda page: page._order("explain "),
    "s": TablePage.seal,
    "o": TablePage._open,
    "b": TablePage._boxes,
    "i": TablePage.ships,
    "v": TablePage._view,
    "?": TablePage._help,
}
"""What a key does on the table."""
