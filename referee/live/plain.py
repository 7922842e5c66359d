"""The desk of a live table line by line, on standard input and output: for pipes, ssh, screen readers and tests."""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

from referee.adjudicator.policies import POLICIES
from referee.core.errors import BadInput, RefereeError
from referee.core.naming import folded
from referee.core.safe import safe_line
from referee.live.desk_text import finding_lines, pending_told, ship_lines, shot_lines, told_once
from referee.live.help_on import help_on
from referee.live.plain_help import HELP
from referee.live.read_out import box_lines, map_words, ruling_lines, who_lines
from referee.play.acting import Answer
from referee.play.choosing import ASK
from referee.play.desk import Desk
from referee.play.dice_at_table import is_dice
from referee.play.short_orders import begins_order, ship_meant
from referee.play.standing_elsewhere import accept_parts
from referee.report.paint import Paint
from referee.report.ssdtext import ssd_text

ON_WINDOWS = os.name == "nt"


class PlainTable:
    """A table read and told line by line."""

    def __init__(self, desk: Desk, lines: TextIO, out: TextIO) -> None:
        self.desk = desk
        self._lines = lines
        self._out = out
        # A command's output spells out what moves the cursor: what does so on purpose goes beneath it.
        self._bare: TextIO = getattr(out, "beneath", out)
        self._terminal = lines.isatty() and out.isatty()
        self._back_to: int | None = None
        """After which entry all is taken back, if the next line says yes."""
        self._doubted: tuple[int, int | None] = (0, None)
        """The impulse for which it was said that its moves stay undecided."""
        self._drawn = ""
        """The ship whose boxes were drawn for the boxes that are asked for now."""

    def run(self) -> None:
        """Reads and answers lines until there are no more, or `quit`."""
        if isinstance(self._lines, TextIOWrapper):
            # A line in another encoding than the terminal's is not understood; it ends nothing.
            self._lines.reconfigure(errors="replace")
        self._say(f"{safe_line(self.desk.sight.title)}; ? for help")
        for text in self.desk.told_at_first:
            self._say(safe_line(text))
        with suppress(KeyboardInterrupt):  # Ctrl-C leaves as `quit` does.
            self._answer_all()
        if self._terminal:
            self._say("")

    def _answer_all(self) -> None:
        while True:
            self._prompt()
            line = self._lines.readline()
            if not line:
                return
            words = line.strip()
            if words.casefold() in ("quit", "exit", "q"):
                return
            held = self.desk.pending
            for text in self.answer(words):
                self._say(text)
            if held and self.desk.pending != held and words.partition(" ")[0].casefold() not in _SETTLES:
                dropped = safe_line(pending_told(held))
                self._say(f"left, and not entered: {dropped}")

    def answer(self, line: str) -> Iterator[str]:
        """What comes of a line."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        back_to, self._back_to = self._back_to, None
        try:
            command = self._command(word.casefold(), rest)
            if back_to is not None and word.casefold() in ("y", "yes"):
                yield from self._lines_of(self.desk.undo(back_to))
                return
            if back_to is not None and word.casefold() in ("n", "no"):
                yield "nothing is taken back"
                return
            if not line and not self._terminal:
                return
            if back_to is not None and line in ("", "."):
                self._back_to = back_to
                yield "y takes it back, n leaves it as it is"
                return
            if line in ("", "."):
                yield from self._lines_of(self.desk.enter())
            elif command is not None:
                yield from command(self, rest)
            elif self.desk.box is not None and (line.isdecimal() or folded(line) in self._boxes()):
                yield from self._lines_of(self.desk.pick(line))
            elif is_dice(line):
                yield from self._lines_of(self.desk.faces(line))
            elif word.casefold() == "f" and rest and (ship := self._ship(rest)):
                yield from self._shots(ship)
            else:
                yield from self._lines_of(self.desk.say(line))
        except RefereeError as error:
            reason = self.desk.why(error)
            yield f"not understood: {reason}" if isinstance(error, BadInput) else reason

    def _command(self, word: str, rest: str) -> Callable[[PlainTable, str], Iterator[str]] | None:
        """The command that a line says; a key of the screen with more behind it only where it begins no ship's name."""
        long = _KEYS.get(word, word)
        order = (word in _KEYS or word == "u") and begins_order(self.desk.game.state, word, rest)
        order = order or (word == "c" and self.desk.sight.c_is_a_ship)
        if order or (rest and long not in _WITH_MORE):
            return None
        return _COMMANDS.get(long)

    def _boxes(self) -> set[str]:
        box = self.desk.box
        return set() if box is None else {folded(name) for name in box.boxes}

    def _ship(self, text: str) -> str:
        """The ship that is all that a text names; an empty text where it names more."""
        return ship_meant(self.desk.game.state, text) or ""

    def _prompt(self) -> None:
        sight = self.desk.sight
        impulse = "" if sight.impulse is None else f".{sight.impulse}"
        asks = self.desk.asks
        whose = (asks if self.desk.box else f"dice: {asks}") if asks else self.desk.whose
        only = f" [Enter: {self.desk.only}]" if self._terminal and self.desk.only else ""
        clock = self.desk.clock_told
        clock = f" [{clock}]" if clock else ""
        if self._back_to is not None:
            only = ""
            asked = self.desk.asked_of_all
            whose = f"{asked} take that back? y{' (all agree)' if asked else ''}, or n".strip()
        elif self.desk.pending:
            ruled = (
                "stand [RULING]" if "Enter: all agree" not in self.desk.word_asked else "stand (all agree)"
            )
            whose = f"{self.desk.whose}; not entered; {ruled}, or x"
        moment = (sight.turn, sight.impulse)
        if sight.ties and self._doubted != moment:
            self._doubted = moment
            for doubt in self.desk.doubts:
                for text in finding_lines(doubt):
                    self._say(text)
        prompt = safe_line(f"{sight.turn}{impulse} {sight.step}{clock}: {whose}{only}", 400)
        self._out.write(f"{prompt}> " if self._terminal else f"{prompt}>\n")
        self._out.flush()

    def _say(self, text: str) -> None:
        self._out.write(f"{text}\n")
        self._out.flush()

    def _lines_of(self, answer: Answer) -> Iterator[str]:
        """An answer, line by line."""
        for line in told_once(answer.lines):
            yield safe_line(line)
        for finding in answer.findings:
            yield from finding_lines(finding)
        if answer.entered and (box := self.desk.box) is not None and box.ship != self._drawn:
            self._drawn = box.ship
            yield from self._ssd(box.ship)
        elif self.desk.box is None:
            self._drawn = ""
        if answer.error:
            yield f"not entered: {safe_line(answer.error)}"

    # -- commands ------------------------------------------------------------------------

    def _help(self, rest: str) -> Iterator[str]:
        if not rest:
            yield from HELP
            return
        entries: list[str] = []
        for text in HELP:
            if text.startswith(" "):
                entries[-1] += f" {text.strip()}"
            else:
                entries.append(text)
        yield from map(safe_line, help_on(rest, entries))

    def _next(self, _: str) -> Iterator[str]:
        yield from self._lines_of(self.desk.next())

    def _robot(self, rest: str) -> Iterator[str]:
        yield from self._lines_of(self.desk.robot(rest))

    def _join(self, _: str) -> Iterator[str]:
        yield from self._lines_of(self.desk.join_all())

    def _undo(self, rest: str) -> Iterator[str]:
        number = rest.removeprefix("to").strip().removeprefix("#")
        if not rest and (self.desk.pending or self.desk.picked):
            yield from self._lines_of(self.desk.take_back() if self.desk.pending else self.desk.unpick())
            return
        if rest and not number.isdecimal():
            raise BadInput(f"u {rest}", hint="u, or u to N")
        yield from self._listed(int(number) if rest else self.desk.last_act - 1)

    def _listed(self, to: int) -> Iterator[str]:
        """What an undo would take back; nothing is, before the next line says yes."""
        going = self.desk.going(to)
        yield f"u takes back, to before #{going.target}: {going.count}"
        for becomes, entries in going.parts:
            for entry in entries:
                yield f"  {becomes}: {self.desk.act_told(entry)}"
        self._back_to = to

    def _happened(self, _: str) -> Iterator[str]:
        happened = self.desk.happened()
        back, entries = self.desk.taken_back, self.desk.game.entries
        for seq, text in happened:
            yield f"#{seq:<4} {text}{back.mark(entries[seq])}"

    def _why(self, _: str) -> Iterator[str]:
        """What was found in what was sealed last: on a terminal it is gone again once it is read."""
        unseen = self.desk.unseen
        reasons = [safe_line(line) for line in unseen.lines if unseen.pending]
        reasons += [line for finding in unseen.findings for line in finding_lines(finding)]
        reasons += [safe_line(unseen.error)] if unseen.error else []
        if not self._terminal or not reasons:
            yield from reasons or ("nothing was refused",)
            return
        if ON_WINDOWS:
            os.system(
                ""
            )  # From then on a console of Windows follows the codes beneath, and does not print them.
        self._bare.write("\x1b[?1049h\x1b[H")
        for line in reasons:
            self._say(line)
        getpass.getpass("Enter: it goes from the screen ")
        self._bare.write("\x1b[?1049l")
        self._bare.flush()

    def _back(self, _: str) -> Iterator[str]:
        for entry in self.desk.acts():
            yield self.desk.act_told(entry)

    def _redo(self, _: str) -> Iterator[str]:
        yield from self._lines_of(self.desk.redo())

    def _throw(self, _: str) -> Iterator[str]:
        yield from self._lines_of(self.desk.throw())

    def _again(self, _: str) -> Iterator[str]:
        yield from self._lines_of(self.desk.forget_faces())

    def _dice(self, rest: str) -> Iterator[str]:
        if not rest:
            raise BadInput("dice", hint="dice typed, or dice program")
        yield self.desk.dice_are(rest)

    def _turn_dice(self, _: str) -> Iterator[str]:
        yield self.desk.dice_are()

    def _let_stand(self, rest: str) -> Iterator[str]:
        yield from self._lines_of(self.desk.let_stand(rest))

    def _leave(self, rest: str) -> Iterator[str]:
        if rest:  # On the screen `x` explains.
            yield from self._explained(rest)
            return
        yield from self._lines_of(self.desk.take_back())

    def _accept(self, rest: str) -> Iterator[str]:
        yield from self._lines_of(self.desk.accept(*accept_parts(rest)))

    def _shots(self, rest: str) -> Iterator[str]:
        if not self.desk.sight.fires:
            yield "nobody fires now; from here and so charged it would be:"
        named = self._ship(rest) if rest else self.desk.mover
        for ship in self.desk.sight.ships:
            if ship.name == named or not (named or ship.gone):
                yield from () if named else (safe_line(f"{ship.name}:"),)
                yield from shot_lines(self.desk.shots(ship.name), ship)

    def _ships(self, rest: str) -> Iterator[str]:
        named = self._named(rest, "ships SHIP") if rest else ""
        for ship in self.desk.sight.ships:
            if ship.name == named or not named:
                yield from ship_lines(ship)
        if not named:
            yield from (safe_line(f"seeker {seeker}") for seeker in self.desk.sight.seekers)

    def _named(self, text: str, hint: str) -> str:
        ship = self._ship(text)
        if not ship:
            raise BadInput(f"no ship {text}".strip(), hint=hint)
        return ship

    def _who(self, _: str) -> Iterator[str]:
        yield from who_lines(self.desk)

    def _map(self, _: str) -> Iterator[str]:
        yield from map_words(self.desk.sight)

    def _boxes_told(self, rest: str) -> Iterator[str]:
        names = [self._named(rest, "ssd SHIP")] if rest else [ship.name for ship in self.desk.sight.ships]
        for name in names:
            ship, shown = self.desk.ssd(name)
            yield from box_lines(name, shown, ship.state)

    def _rulings(self, _: str) -> Iterator[str]:
        yield from ruling_lines(self.desk)

    def _choose(self, rest: str) -> Iterator[str]:
        name, _, policy = rest.rpartition(" ")
        ship = self._ship(name or rest)
        if not ship:
            raise BadInput(f"choose {rest}".strip(), hint="choose SHIP, or choose SHIP spread")
        if not name:
            yield from self._ssd(ship)
            yield f"boxes by {self.desk.choice_of(ship)}; choose {ship} {', '.join((*POLICIES, ASK))}"
            return
        yield from self._lines_of(self.desk.choose(ship, policy))

    def _ssd(self, ship: str) -> Iterator[str]:
        """A ship's boxes, drawn."""
        found, shown = self.desk.ssd(ship)
        yield from ssd_text([(shown, found.state, ship)], Paint(False)).splitlines()

    def _note(self, rest: str) -> Iterator[str]:
        yield from self._lines_of(self.desk.note(rest) if rest else Answer(error="note TEXT"))

    def _rule(self, rest: str) -> Iterator[str]:
        yield from self._lines_of(self.desk.rule(rest) if rest else Answer(error="rule TEXT"))

    def _explained(self, rest: str) -> Iterator[str]:
        yield from self._lines_of(self.desk.explain(rest))

    def _head(self, _: str) -> Iterator[str]:
        yield f"head {self.desk.game.head}"

    def _form(self, rest: str) -> Iterator[str]:
        if not rest:
            raise BadInput("form", hint="form FILE [SHIP]")
        file, _, ship = rest.partition(" ")
        yield from self._lines_of(self.desk.file_form(file, ship.strip()))

    def _clock(self, rest: str) -> Iterator[str]:
        yield self.desk.set_clock(rest)

    def _secret(self, rest: str) -> Iterator[str]:
        name, _, file = rest.partition(" ")
        ship = self._named(name, "secret SHIP")
        if file.strip():
            answer = self.desk.seal_form(ship, file.strip())
        else:
            answer = self.desk.seal(ship, self._unseen(f"{ship}, unseen: "))
        yield from self._lines_of(answer)
        if not answer.entered:
            yield "why: its player alone reads the reason; the others look away"

    def _open(self, _: str) -> Iterator[str]:
        yield from self._lines_of(self.desk.open_all())

    def _unseen(self, prompt: str) -> str:
        """A line that does not stand on the screen."""
        if self._terminal:
            return getpass.getpass(prompt)
        self._say(prompt.strip())
        return self._lines.readline().strip()


_SETTLES = ("stand", "x", "u", "undo")
"""What settles an order that was refused; any other line that acts leaves it."""
_COMMANDS: dict[str, Callable[[PlainTable, str], Iterator[str]]] = {
    "?": PlainTable._help,
    "help": PlainTable._help,
    "n": PlainTable._next,
    "next": PlainTable._next,
    "robot": PlainTable._robot,
    "join": PlainTable._join,
    "u": PlainTable._undo,
    "undo": PlainTable._undo,
    "back": PlainTable._back,
    "d": PlainTable._turn_dice,
    "h": PlainTable._happened,
    "why": PlainTable._why,
    "redo": PlainTable._redo,
    "t": PlainTable._throw,
    "again": PlainTable._again,
    "dice": PlainTable._dice,
    "stand": PlainTable._let_stand,
    "accept": PlainTable._accept,
    "x": PlainTable._leave,
    "f": PlainTable._shots,
    "who": PlainTable._who,
    "map": PlainTable._map,
    "ssd": PlainTable._boxes_told,
    "ships": PlainTable._ships,
    "status": PlainTable._ships,
    "rulings": PlainTable._rulings,
    "choose": PlainTable._choose,
    "note": PlainTable._note,
    "rule": PlainTable._rule,
    "explain": PlainTable._explained,
    "head": PlainTable._head,
    "form": PlainTable._form,
    "clock": PlainTable._clock,
    "secret": PlainTable._secret,
    "o": PlainTable._open,
    "open": PlainTable._open,
}
_KEYS = {"i": "ships", "k": "note", "g": "rule", "e": "form", "c": "clock", "v": "map"}
"""Keys of the screen that begin no order here."""
_WITH_MORE = frozenset(
    (
        "?",
        "help",
        "u",
        "undo",
        "dice",
        "stand",
        "accept",
        "note",
        "rule",
        "explain",
        "form",
        "clock",
        "secret",
        "choose",
        "robot",
        "ships",
        "ssd",
        "x",
    )
)
