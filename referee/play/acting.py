"""Acts on a record at a table: each is in it the moment it is made, and answered in words; undo, rulings, notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from referee.core.errors import BadInput, RefereeError, Refused
from referee.core.finding import Severity, joined
from referee.core.frozen import frozen, replace
from referee.core.takenback import taken_back
from referee.core.undoing import going
from referee.play.append import append
from referee.play.choosing import box_asked
from referee.play.dice import dice_to_type, needs_no_faces
from referee.play.explained import explained
from referee.play.game_file import open_game
from referee.play.heard import Heard
from referee.play.open_map import gone_beyond
from referee.play.telling import told_to
from referee.play.told_again import act_told, told_again
from referee.play.typed_dice import set_faces_aside
from referee.play.typed_faces import kept_faces
from referee.play.typed_here import typed_here
from referee.play.undo import last_act, take_back, what_goes, with_its_dice

if TYPE_CHECKING:
    from referee.core.errors import BoxAwaited
    from referee.core.finding import Finding
    from referee.core.game import EntryLike
    from referee.core.takenback import UndoneEntries
    from referee.play.game_file import Game
    from referee.play.sight import Sight
    from referee.play.undo import Going
    from referee.record.rolls import DeclaredRoll


@frozen
class Answer:
    """What came of an act. `lines` tell what was entered, and what it did. Where nothing was, either `error` says in
    one line what was not understood, or `findings` what is against the rules: then `pending` is what the umpire may
    let stand (`Desk.let_stand`). `asks` are the dice that are to be typed in (`Desk.faces`)."""

    lines: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    error: str = ""
    pending: str = ""
    asks: str = ""

    @property
    def entered(self) -> bool:
        """Is it in the record?"""
        return not self.error and not self.pending


_BY_ALL = ("undo", "redo", "again", "accept")
"""Acts that all agree to, where no umpire does."""


class Acting:
    """A record that is acted on. `pending` is what waits for the umpire's word, since it is against the rules."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.pending = ""
        self._game = open_game(path)
        self._seen: tuple[str, Sight] | None = None
        self._lines: list[str] = []

    @property
    def game(self) -> Game:
        """The record as it stands, with what others have written meanwhile."""
        self._game = open_game(self.path)
        return self._game

    @property
    def asks(self) -> str:
        """The dice that are to be typed in now, in their order, or the box that is to be chosen; empty where neither
        is."""
        if (box := self.box) is not None:
            return self.here(f"{box.reason}? {box.hint}")
        roll = self._game.dice.open_roll
        by_hand = roll is not None and roll.source == "physical" and not needs_no_faces(self._game)
        return dice_to_type(self._game) if by_hand else ""

    @property
    def box(self) -> BoxAwaited | None:
        """The box that its owner has to choose, since a point was scored on it: `faces` or `pick` take it."""
        return None if self._game.dice.open_roll is None else box_asked(self._game)

    def here(self, text: str) -> str:
        """What is said of commands, in the words that are typed here."""
        return typed_here(text)

    def why(self, error: RefereeError) -> str:
        """What went wrong, in a line: with its file where that is not the record itself."""
        place = error.place if error.place not in ("", "line 1") else ""
        file = "" if error.file == self.path else error.file
        return self.here(str(RefereeError(error.reason, file=file, place=place, hint=error.hint)))

    # -- words ---------------------------------------------------------------------------

    def rule(self, text: str, on: int | None = None) -> Answer:
        """A ruling of the umpire, or of the first player where there is none; `on` an entry."""

        def do() -> None:
            game = self.game
            data: dict[str, Any] = {"by": game.state.umpire or game.state.players[0], "text": text}
            data |= {} if on is None else {"target": on}
            append(self.path, lambda _: [("ruling", data)])

        return self._act(do, done=f"ruled: {text}", keeps=True)

    def note(self, text: str) -> Answer:
        """A remark without effect."""

        def do() -> None:
            game = self.game
            data = {"text": text, "by": game.state.umpire or game.state.players[0]}
            append(self.path, lambda _: [("note", data)])

        return self._act(do, done=f"noted: {text}", keeps=True)

    def explain(self, text: str) -> Answer:
        """What a rule says, by its number or by words of its title; nothing is entered."""
        try:
            return Answer(tuple(explained(self._game.rulebook, text)))
        except BadInput as error:
            return Answer(error=self.here(str(error)))

    def happened(self, first: int = 0) -> tuple[tuple[int, str], ...]:
        """All that happened from entry `first` on as it was told, each line with the number of its entry."""
        return tuple((seq, self.here(text)) for seq, text in told_again(self.path, self.game.entries, first))

    @property
    def taken_back(self) -> UndoneEntries:
        """The entries that undos took back, and those that stay though they count no more."""
        return taken_back(self._game.entries)

    def act_told(self, entry: EntryLike) -> str:
        """An entry in a line with its number."""
        return act_told(self.path, self._game.entries, entry)

    # -- back ----------------------------------------------------------------------------

    def going(self, to: int | None = None) -> Going:
        """What would go back: all after entry `to`, with the fire or the volley that dice were thrown for where what
        they did goes, else the last act. Raises BadInput where nothing can."""
        game = self.game
        last = last_act(game) - 1 if to is None else with_its_dice(game, to + 1) - 1
        roll = self._given_up_after(last)
        return what_goes(game, None, last, None, given_up=roll.declaration if roll else "")

    def acts(self, most: int = 20) -> tuple[EntryLike, ...]:
        """The last entries that can be gone back to, the newest first."""
        entries = self._game.entries
        return tuple(reversed(going(entries, max(1, len(entries) - most))))

    @property
    def asked_of_all(self) -> str:
        """What is asked of all players by name where there is no umpire: the record says that they agreed. Nothing of
        one who plays alone."""
        players = self._game.state.players
        alone = self._game.state.umpire or len(players) < 2
        return "" if alone else f"{', '.join(players[:-1])} and {players[-1]}: do all agree?"

    @property
    def word_asked(self) -> str:
        """What is asked where that which is pending may be let stand."""
        if self.pending.split(" ")[0] in _BY_ALL and self.asked_of_all:
            return f"{self.asked_of_all} Enter: all agree"
        return "your ruling (Enter: stands as it was played)"

    def undo(self, to: int | None = None, reason: str = "", *, force: bool = False) -> Answer:
        """Takes back all after entry `to`, or the last act with what came of it: all are at the table, and agree. Where
        orders were sealed and shown since, or the program threw dice, it is pending: others would choose anew knowing
        them, or dice that fell badly would be thrown again."""

        def do() -> None:
            game = self.game
            last = last_act(game) - 1 if to is None else with_its_dice(game, to + 1) - 1
            who = game.who_rules
            roll = self._given_up_after(last)
            meant = what_goes(game, None, last, None, given_up=roll.declaration if roll else "")
            if meant.asks and not force:
                self._ask(meant.asks)
            why = reason or (meant.reason if force else "taken back at the table")
            game = self._without_open_roll(last, why)
            going = what_goes(game, None, last, None)
            heard = take_back(self.path, going, why, who)
            for becomes, entries in going.parts:
                word = "taken back" if becomes == "goes" else becomes
                self._lines += [f"{word}: {self.act_told(entry)}" for entry in entries]
            self._game = heard

        return self._act(do, "undo" if to is None else f"undo {to}")

    def _ask(self, reasons: Sequence[str]) -> NoReturn:
        """What takes a word of the umpire's, or of all players. Raises Refused."""
        self._lines += [*reasons, *filter(None, (self.asked_of_all,))]
        raise Refused("; ".join(reasons), announced=True)

    def _given_up_after(self, last: int) -> DeclaredRoll | None:
        """The open roll that an undo of all after entry `last` gives up: its dice are thrown by hand, and none is
        entered: nobody has seen them fall, so nothing is gained by it."""
        roll = self._game.dice.open_roll
        if roll is None or roll.source != "physical" or roll.typed:
            return None
        declared = next(e.seq for e in self._game.entries if e.hash == roll.declaration)
        return roll if declared > last else None

    def _without_open_roll(self, last: int, reason: str) -> Game:
        """The game with the roll given up that is asked for after entry `last`, if it may be. Its number stays used
        up."""
        game = self.game
        roll = self._given_up_after(last)
        if roll is None:
            return game
        faces = " ".join(map(str, kept_faces(game, roll)))
        game = set_faces_aside(game, roll)
        who = list(game.state.players)
        data = {"roll": roll.number, "declaration": roll.declaration, "reason": reason, "agreed_by": who}
        append(self.path, lambda _: [("void", data)])
        typed = f"{faces} set aside" if faces else "no die of it was entered"
        self._lines.append(f"dice {roll.number} are given up, {typed}")
        return self.game

    def redo(self, *, force: bool = False) -> Answer:
        """Takes the last undo back, where nothing was done since."""

        def do() -> None:
            game = self.game
            last = game.entries[-1]
            if last.type != "undo" or "onward" not in last.data:
                raise BadInput("there is nothing to redo", hint="only right after an undo")
            if self.asked_of_all and not force:
                self._ask([f"back to where it was before #{last.seq}"])
            who = game.who_rules
            take_back(self.path, what_goes(game, last.seq, None, None), "played as it was", who)
            self._lines.append(f"back to where it was before #{last.seq}")

        return self._act(do, "redo")

    # -- inside --------------------------------------------------------------------------

    def _act(self, do: Callable[[], None], order: str = "", done: str = "", *, keeps: bool = False) -> Answer:
        """What an act came to. What is against the rules is pending where it is an `order` in words; an act that `keeps`
        leaves what is pending as it is."""
        heard = Heard()
        self._lines = heard.lines
        pending, held, self.pending = "", self.pending, ""
        stood = self._game.state
        error = ""
        with told_to(heard):
            try:
                do()
            except Refused as refused:
                pending = order
                error = "" if order else self.here(str(refused))
            except RefereeError as failed:
                error = self.why(failed)
        self._game, self._seen = open_game(self.path), None
        self.pending = held if keeps else pending
        heard.lines += gone_beyond(stood, self._game)
        lines = (*map(self.here, heard.lines), *((done,) if done and not error else ()))
        against = [
            replace(finding, message=self.here(finding.message), fix=self.here(finding.fix))
            for finding in heard.found
            if pending or finding.severity is not Severity.ERROR
        ]
        return Answer(lines, joined(against), error, pending, self.asks)
