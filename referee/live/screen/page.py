"""The table as a page of text: what stands on it, and what each key does. It knows no terminal, and no rules: all it
shows and does is the desk's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.core.errors import RefereeError
from referee.core.finding import Severity
from referee.live.desk_text import finding_lines, told_once
from referee.live.screen.drawn import Drawn
from referee.live.screen.firing import Fire
from referee.live.screen.hexes import map_lines
from referee.live.screen.keys import KEYS, ORDERS
from referee.live.screen.panels import Against, Boxes, Pages, Undo
from referee.live.screen.prompt import Prompt, completions, to_type
from referee.live.screen.shield import Shield
from referee.live.screen.ships import ship_whole
from referee.live.screen.spoken import spoken
from referee.live.screen.styled import Line, line, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.play.acting import Answer
    from referee.play.desk import Desk


_MANY = 6
"""More lines than these may not be in sight at once."""
_MAP = 20
"""Rows of the map and what its letters mean, where it is looked at: on the least terminal it goes in."""
_TYPED = 50
"""So many of the orders that were typed come back by `↑`."""
_EARLIER = 20
"""So many of the last entries are told again where a desk is opened."""


class TablePage(Drawn):
    """A desk on a screen."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.done = False
        """Is the screen left?"""
        self._leaving = False
        self._stray = False
        """Were digits typed for which no dice are asked? Then the `Enter` behind them is no word to go on."""
        self._retold: tuple[int, int, tuple[tuple[int, str], ...]] | None = None
        """What was told again of the entries from one on, and of how many."""
        self._orders: list[str] = []
        """The orders that were typed."""
        self._faces: list[str] = []
        """The dice, or the box, that were typed last: `↑` brings them back."""
        self._noted: set[str] = set()
        """The notes that were told: of numbers that are not verified once is enough."""
        for seq, text in desk.happened(max(desk.count - _EARLIER, 0)):
            self._log(_coloured(text), range(seq, seq + 1))
        self._acts_shown = desk.count
        """So many entries of the record were told."""
        self.add(desk.told_at_first, "good")

    # -- keys ----------------------------------------------------------------------------

    def press(self, key: str, letter: str = "") -> None:
        """What a key does: in the line that is typed, in what is open, or on the table."""
        try:
            self._press(key, letter)
        except RefereeError as error:
            # The record itself: it is gone, or was cut while it was written.
            self.tell(str(error), "bad")

    def _press(self, key: str, letter: str) -> None:
        if self.unseen or key == "ctrl+c":
            self.done = letter == "q" or key == "ctrl+c"
            return
        leaving, self._leaving = self._leaving, False
        stray, self._stray = self._stray, False
        self._message = ()
        if self.prompt is not None:
            self._typed(key, letter)
        elif self.panel is not None:
            if letter == "?" and self.panel.asks_keys:
                self.help()
            else:
                self.panel.press(key, letter)
        elif key == "enter" and stray:
            self.tell("no dice are asked for, and nothing was done; Enter again goes on", "warn")
        elif key == "enter":
            self._enter()
        elif letter == "q":
            self.done = leaving
            self._leaving = True
            self.tell("q again leaves; all is in the record", "warn")
        elif letter.isdecimal() and letter.isascii():
            self._dice(letter)
        elif key == "tab" and self.desk.sight.fires and not self.desk.mover:
            self.fire("")
        elif (act := _ACTS.get(letter)) is not None:
            act(self)
        elif letter:
            self.tell(f"{letter} does nothing here: ? shows the keys", "warn")

    def put(self, text: str) -> None:
        """A text that is pasted: into the line that is typed, which opens for it."""
        if self.unseen:
            return
        if self.panel is not None and self.prompt is None:
            if isinstance(self.panel, Shield):
                self.panel.put(text)
            return
        if self.prompt is None:
            self.order()
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
            self._settle()
        elif key == "backspace" and not prompt.text:
            self.prompt = None
        else:
            prompt.press(key, letter)

    def ask(self, label: str, done: Callable[[str], None], text: str = "", hint: str = "") -> None:
        """Asks for a line."""
        self.prompt = Prompt(label, done, text, hint=lambda _: hint)

    # -- what came of it -----------------------------------------------------------------

    def tell(self, text: str, style: str = "") -> None:
        """A word to whoever sits at the keyboard."""
        self._message = line((text, style))

    def add(self, texts: Iterable[str], style: str = "") -> None:
        """Lines that happened."""
        for each in texts:
            self._log(line((each, style)))

    def _log(self, row: Line, entries: range = range(0)) -> None:
        self._lines.append(row)
        self._acts.append(entries)

    def did(self, answer: Answer) -> None:
        """Shows what came of an act."""
        if answer.pending:
            self.panel = Against(self, answer)
            return
        act = range(self._acts_shown, self.desk.count)
        self._acts_shown = self.desk.count
        for text in told_once(answer.lines):
            # The line behind a step says the same, and the head code stands above.
            if not text.startswith(("step: ", "head #")):
                self._log(_coloured(text), act)
        for finding in answer.findings:
            if finding.severity is Severity.NOTE:
                if finding.message in self._noted:
                    continue
                self._noted.add(finding.message)
            self.add(finding_lines(finding), "warn")
        if answer.error:
            self.tell(f"not entered: {answer.error}", "bad")
        elif len(answer.lines) + len(answer.findings) > _MANY:
            self.tell("h shows all that happened")

    def _settle(self) -> None:
        """Closes what was refused, once it does not wait any more."""
        if isinstance(self.panel, Against) and not self.desk.pending:
            self.panel = None

    def leave(self) -> None:
        """Leaves what was refused: nothing is entered. What was said of it stays to be read."""
        if not self.desk.pending:
            self.tell("nothing was refused", "warn")
            return
        if isinstance(self.panel, Against):
            self.add(self.panel.lines)
        self.desk.take_back()
        self.panel = None
        self.tell("nothing of it was entered")

    def quit(self) -> None:
        """Leaves the screen."""
        self.done = True

    @property
    def lost(self) -> str:
        """What is lost where the screen is left now, in words."""
        chosen = self.panel.undeclared if isinstance(self.panel, Fire) else ""
        return f"chosen and not declared, so not in the record: {chosen}" if chosen else ""

    def say(self, text: str) -> None:
        """Says an order."""
        self.did(self.desk.say(text))

    def close(self) -> None:
        """Closes what is open; what it was opened over is there again."""
        self.panel = self.panel.under if isinstance(self.panel, Pages) else None

    def read(self, title: str, lines: Callable[[int], list[Line]]) -> None:
        """Opens a text to be read, over whatever is open."""
        self.panel = Pages(self, title, lines, under=self.panel)

    def look_again(self) -> None:
        """Looks at what others have written into the record. A record that cannot be read now is read later."""
        known = self.desk.count
        try:
            entries = self.desk.happened(known)
        except RefereeError as error:
            self.tell(str(error), "bad")
            return
        for seq, text in entries:
            self._log(_coloured(text), range(seq, seq + 1))
        self._acts_shown = self.desk.count

    # -- acts ----------------------------------------------------------------------------

    def _enter(self) -> None:
        if self.desk.box:
            self.tell("type the number of the box, and Enter", "warn")
        elif self.desk.asks:
            self.tell("type the dice as they fell, or t: the program throws them", "warn")
        elif not self.desk.only:
            self.tell(f"several things may be done: {self.desk.whose}", "warn")
        else:
            self.did(self.desk.enter())

    def _move(self, way: str) -> None:
        if not self.desk.mover:
            self.tell(f"{self.desk.sight.nobody_moves}: {self.desk.whose}", "warn")
            return
        self.say(way)

    def _next(self) -> None:
        self.did(self.desk.next())

    def _fire(self) -> None:
        self.fire("")

    def fire(self, ship: str) -> None:
        """Opens the declarations of a ship: where none is named, of the first that has something to fire."""
        ships = [each for each in self.desk.sight.ships if not each.gone]
        if not self.desk.sight.fires:
            when = "outside the impulses" if self.desk.sight.impulse is None else "any more in this impulse"
            self.tell(f"nobody fires {when}", "warn")
            return
        ready = [each.name for each in ships if each.may_fire] or [each.name for each in ships]
        if not ready:
            self.tell("there is no ship", "warn")
            return
        declared = self.desk.fire_said
        self.panel = Fire(self, ship or next((name for name in ready if name not in declared), ready[0]))

    def undo(self, to: int | None = None) -> None:
        """Shows what an undo takes back: the last act, or all after entry `to`. A box that was chosen last is alone
        taken back at once."""
        if to is None and self.desk.picked:
            self.did(self.desk.unpick())
            return
        try:
            first = self.desk.last_act if to is None else self.desk.going(to).target
            self.panel = Undo(self, first)
        except RefereeError as error:
            self.tell(str(error.reason), "warn")

    def _redo(self) -> None:
        self.did(self.desk.redo())

    def _dice(self, digit: str) -> None:
        if self.desk.asks:
            self.prompt = Prompt("box" if self.desk.box else "dice", self._fell, digit, earlier=self._faces)
        elif ship := self.desk.sight.speed_of:
            self.ask(
                f"speed of {ship}, its form on paper:", lambda text: self.say(f"{ship}: speed {text}"), digit
            )
        else:
            self._stray = True
            self.tell("no dice are asked for: f chooses the weapons that fire, n asks for their dice", "warn")

    def _fell(self, text: str) -> None:
        self._faces = [text]
        spoken(self, text)

    def _throw(self) -> None:
        self.did(self.desk.throw())

    def _typed_dice(self) -> None:
        self.tell(self.desk.dice_are())

    def order(self, text: str = "") -> None:
        """Asks for an order."""

        def done(typed: str) -> None:
            self._orders = (
                [*(order for order in self._orders if order != typed), typed][-_TYPED:]
                if typed.strip()
                else self._orders
            )
            spoken(self, typed)

        self.prompt = Prompt(
            ":", done, text, lambda text: completions(self.desk.sight, text), self._orders, to_type
        )

    def seal(self, ship: str = "") -> None:
        """Puts the shield over the screen for what a ship seals."""
        sight = self.desk.sight
        there = [each.name for each in sight.ships if not each.gone]
        waits = [name for name in there if any(name in what and "seal" in what for _, what in sight.awaited)]
        if there:
            first = [*waits, *sight.ties, *sight.movers, *there]
            open_yet = [name for name in first if name not in self.desk.sealed]
            self.panel = Shield(self, ship or next(iter([*open_yet, *there])))

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
        self.panel = Pages(
            self,
            "the map and the SSDs",
            lambda width: [*map_lines(self.desk.sight, width, _MAP), *self._ssds(width)],
            under=self.panel,
            covers=True,
        )

    def happened(self) -> None:
        """Opens what happened, the last of it in sight."""
        self.panel = Pages(self, "what happened", self._marked, covers=True, at_end=True)

    def _marked(self, width: int) -> list[Line]:
        """All lines, those of acts that were taken back with that behind them."""
        back = self.desk.taken_back
        parted = [act for act in self._acts if len({seq in back for seq in act}) > 1]
        happened = self._happened_from(min(act[0] for act in parted)) if parted else ()
        rows: list[Line] = []
        for row, act in zip(self._lines, self._acts, strict=True):
            # Of an act that went in part what it told of one entry goes with that, and the rest stands.
            mine = [seq for seq, text in happened if seq in act and text == plain(row)]
            went = bool(act) and all(seq in back for seq in mine[:1] or act)
            rows.append(line(*row, ("  (taken back)", "dim")) if went else row)
        return rows

    def _happened_from(self, first: int) -> tuple[tuple[int, str], ...]:
        """What happened from an entry on, told again once for each length of the record: each page down asks for it."""
        if self._retold is None or self._retold[:2] != (first, self.desk.count):
            self._retold = first, self.desk.count, self.desk.happened(first)
        return self._retold[2]

    def help(self) -> None:
        """Opens the keys."""

        def rows(width: int) -> list[Line]:
            keys = [line((f"{key:<10}", "bold"), what) for key, what in KEYS]
            orders = [line((f"{order:<24}", "bold"), what) for order, what in ORDERS]
            return [*keys, line(), line(("behind :", "bold")), *orders]

        self.panel = Pages(self, "keys", rows, under=self.panel, covers=True)


def _coloured(text: str) -> Line:
    """A line that was entered or came of it, with what struck and missed made plain."""
    if ": hit" in text or "is struck" in text:
        return line((text, "warn"))
    if ": miss" in text or "no damage" in text or text.startswith(("order:", "step:")):
        return line(text)
    if text.startswith(("foul", "taken back")) or "destroyed" in text:
        return line((text, "bad" if "destroyed" in text else "warn"))
    return line(text)


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
    ":": TablePage.order,
    "w": lambda page: page.order("accept "),
    "e": lambda page: page.order("form "),
    "c": lambda page: page.order("c" if page.desk.sight.c_is_a_ship else "clock "),
    "*": lambda page: page._move("\n".join(f"{name}: ahead" for name in page.desk.sight.movers)),
    "k": lambda page: page.order("note "),
    "g": lambda page: page.order("rule "),
    "x": lambda page: page.order("explain "),
    "s": TablePage.seal,
    "o": TablePage._open,
    "b": TablePage._boxes,
    "i": TablePage.ships,
    "v": TablePage._view,
    "h": TablePage.happened,
    "?": TablePage.help,
}
"""What a key does on the table."""
