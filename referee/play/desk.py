"""A desk on a record, for an umpire at a live table: what is in sight, and acts, each an entry the moment it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from referee.core.entry_words import entry_line
from referee.core.errors import BadInput, RefereeError, Refused
from referee.core.finding import Severity
from referee.core.frozen import frozen
from referee.core.orders import WAYS
from referee.play.form_clock import FormClock
from referee.play.game_file import open_game
from referee.play.heard import Heard
from referee.play.sight import movers_in, shots_in, sight_of
from referee.play.telling import told_to

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.core.game import EntryLike
    from referee.play.game_file import Game
    from referee.play.sight import ShotSight, Sight
    from referee.play.undo import Going

UMPIRE_ALLOWS = "stands as it was played"
"""The ruling beside a foul that the umpire lets stand without words of his own."""


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


class Desk:
    """A record on the desk of a live table. `Desk(path)` opens it; raises RefereeError where it cannot be played on.

    To look: `sight` (a `Sight`: moment, mover and movers, what is awaited, every ship with its weapons, rulings, dice
    to type, head), `whose` (that in a line), `mover`, `ways()` (the legal moves of the mover), `only` (the only thing
    that may be done, for Enter), `shots(ship)` (what may be declared, with odds), `game` (the record itself).

    To act: `say(text)` (any order, short or long; `a`, `l`, `r` alone are the mover's), `enter()` (the only order),
    `next()` (dice that are due, else on to where something can be done), `faces(text)` and `throw()` (dice), `rule`,
    `note`, `undo`, `redo`, `let_stand` and `take_back` (of what is pending). Each gives an `Answer`, and is in the
    record, on the disk, before it does. Nothing is kept here that is not in the record, but for what is pending and
    how dice are thrown: killed at any moment, a desk that is opened anew stands where it stood. What others write into
    the record meanwhile is read before each act.
    """

    def __init__(self, path: str, *, typed: bool = False) -> None:
        self.path = path
        self.pending: str = ""
        """An order against the rules that waits for the umpire's word."""
        self.typed = typed
        """Are dice thrown on the table and typed in? Those of a game with dice by hand always are, or thrown with
        `throw`."""
        self.clock = FormClock()
        """The clock for forms: `clock.start(turn, minutes)`, `clock.left(turn)`."""
        self._game = open_game(path)
        self._seen: tuple[str, Sight] | None = None
        self._ways: tuple[str, dict[str, tuple[Finding, ...]]] | None = None
        if self._game.state.own is not None:
            raise BadInput(
                "is played in rounds, without a map of impulses", file=path, hint="referee game say GAME"
            )
        self._game.must_have_its_rules()

    # -- in sight ------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The record as it stands, with what others have written meanwhile."""
        self._game = open_game(self.path)
        return self._game

    @property
    def sight(self) -> Sight:
        """All that must be in sight; worked out once for each head."""
        game = self._game
        if self._seen is None or self._seen[0] != game.head:
            self._seen = game.head, sight_of(game)
        return self._seen[1]

    @property
    def whose(self) -> str:
        """What is awaited of whom, in a line."""
        return self.sight.whose

    @property
    def mover(self) -> str:
        """The ship that moves now; of ships that move at one time the first. Empty where none does."""
        movers = movers_in(self._game)
        return movers[0] if movers else ""

    def ways(self) -> dict[str, tuple[Finding, ...]]:
        """Each way the mover may go, with what is against it: a way without findings is legal."""
        mover = self.mover
        if not mover:
            return {}
        if self._ways is None or self._ways[0] != self._game.head:
            self._ways = self._game.head, {way: self._against(mover, way) for way in WAYS}
        return self._ways[1]

    def _against(self, ship: str, way: str) -> tuple[Finding, ...]:
        from referee.core.orders import Advance
        from referee.play.moving_on import ordering_in

        ordering = ordering_in(self._game, "")
        try:
            ordering.order(Advance(ship, next(known for known in WAYS if known == way)))
        except RefereeError:
            return ()
        found = (*ordering.findings, *ordering.asked)
        return tuple(one for one in found if one.severity is Severity.ERROR or one in ordering.asked)

    @property
    def only(self) -> str:
        """The only thing that may be done now, as it is said: a move, `next`; empty where there are several, or dice
        are to be typed in."""
        if self.pending or self.asks:
            return ""
        ways = self.ways()
        if ways:
            legal = [way for way, against in ways.items() if not against]
            return f"{self.mover}: {legal[0]}" if len(legal) == 1 else ""
        return "next" if not self.sight.awaited or self._due() else ""

    @property
    def asks(self) -> str:
        """The dice that are to be typed in now, in their order; empty where none are."""
        from referee.play.dice import dice_to_type, needs_no_faces

        roll = self._game.dice.open_roll
        by_hand = roll is not None and roll.source == "physical" and not needs_no_faces(self._game)
        return dice_to_type(self._game) if by_hand else ""

    def shots(self, ship: str = "") -> tuple[ShotSight, ...]:
        """The shots a ship may declare now, each with its odds; the mover's where no ship is named."""
        return shots_in(self._game, self._game.state.ship(ship or self.mover))

    def _due(self) -> bool:
        """Is anything to be rolled or carried out?"""
        from referee.adjudicator.volleys_due import volleys_to_roll

        state = self._game.state
        rolling = self._game.dice.open_roll is not None or state.unapplied is not None
        return rolling or bool(state.unrolled) or bool(volleys_to_roll(self._game.rulebook, state))

    # -- acts ----------------------------------------------------------------------------

    def say(self, text: str) -> Answer:
        """Orders, short or long, all of them or none: `c a`, `w l`, `c f ph1a,b w`. What is against the rules is not
        entered: it is pending."""
        return self._say(text, force=False)

    def _say(self, text: str, *, force: bool) -> Answer:
        from referee.play.say import no_order, play
        from referee.play.short_orders import orders_meant

        def do() -> None:
            game = self.game
            orders = orders_meant(game.state, text, self.mover)
            if play(game, orders, "", "", force, self.typed) is None:
                raise no_order(game, orders)

        return self._act(do, text)

    def enter(self) -> Answer:
        """The only thing that may be done."""
        only = self.only
        if not only:
            return Answer(error="there is more than one thing to do; ? lists them")
        return self.next() if only == "next" else self.say(only)

    def next(self) -> Answer:
        """Carries out what is due; else goes on to where something can be done: dice, the next impulse, the next
        turn. What is passed over against the rules is pending."""
        return self._next(force=False)

    def _next(self, *, force: bool) -> Answer:
        from referee.play.moving_on import carry_out, next_step, stop_after

        def do() -> None:
            game = self.game
            umpire = game.state.umpire
            if self.asks:
                raise BadInput(f"dice are to be typed in: {self.asks}")
            if self._due():
                carry_out(game, "", force, self.typed)
                return
            if not force and self.mover and not any(ship.speeds for ship in game.state.ships.values()):
                # A record that holds no moves asks for none; at a table somebody has forgotten to say his.
                self._lines.append(f"still to move: {', '.join(movers_in(game))}")
                raise Refused("not all have moved", told=True)
            to = stop_after(game)
            agreed = [] if umpire else list(game.state.players)
            who = umpire or (game.state.players[0] if force else "")
            next_step(game, to, who, agreed if force else [], force)
            self._game = open_game(self.path)
            if self._due():
                carry_out(self._game, "", force, self.typed)

        return self._act(do, "next")

    def stands(self, ship: str, where: str, ruling: str = "") -> Answer:
        """Accepts what happened: a ship stands in a hex and facing, `1512B`. The moves that lead there are entered
        against whatever rule, with their fouls and the ruling."""
        from referee.play.short_orders import ship_meant
        from referee.play.standing_elsewhere import moves_to

        state = self.game.state
        try:
            named = state.ship(ship_meant(state, ship) or ship)
            ways = moves_to(named.name, named.unit.hex, named.unit.facing, where)
        except BadInput as error:
            return Answer(error=str(error))
        self.pending = "\n".join(f"{named.name}: {way}" for way in ways)
        told = ruling or f"{named.name} stands at {where} on the table, and stays there"
        return self.let_stand(told) if ways else Answer(error=f"{named.name} stands there")

    def let_stand(self, ruling: str = "") -> Answer:
        """What is pending is entered as it was played: with the foul, and the umpire's ruling beside it."""
        pending = self.pending
        if not pending:
            return Answer(error="nothing waits for a word of the umpire's")
        before = len(self._game.entries)
        answer = self._next(force=True) if pending == "next" else self._say(pending, force=True)
        if not answer.entered:
            return answer
        fouls = [entry for entry in self._game.entries[before:] if entry.type == "foul"]
        if not fouls and not ruling:
            return answer
        ruled = self.rule(ruling or UMPIRE_ALLOWS, on=fouls[0].seq if fouls else before)
        return Answer((*answer.lines, *ruled.lines), answer.findings, ruled.error, asks=answer.asks)

    def take_back(self) -> Answer:
        """What is pending is not entered."""
        self.pending = ""
        return Answer(("nothing was entered",))

    # -- dice ----------------------------------------------------------------------------

    def faces(self, text: str) -> Answer:
        """Dice that fell on the table, typed in as they are asked for, some or all of them: `3 4 6`, or `346`."""
        from referee.play.typed_dice import entered, numbers_in

        def do() -> None:
            game = self.game
            roll = game.dice.open_roll
            if roll is None:
                raise BadInput("no dice are asked for")
            entered(game, numbers_in(text), roll.who)
            self._confirmed()

        return self._act(do)

    def throw(self) -> Answer:
        """The program throws the dice that are asked for; a note says so where the game's are thrown by hand."""
        from referee.play.append import thrown
        from referee.play.typed_dice import throw_for

        def do() -> None:
            game = self.game
            roll = game.dice.open_roll
            if roll is None:
                raise BadInput("no dice are asked for", hint="`n` rolls what is due")
            if roll.source != "physical":
                thrown(self.path, head=False)
                return
            throw_for(game, roll)
            self._confirmed()

        return self._act(do)

    def forget_faces(self) -> Answer:
        """Forgets the dice of the open roll that were typed in so far."""
        from referee.play.typed_faces import forget_faces

        def do() -> None:
            roll = self.game.dice.open_roll
            if roll is None:
                raise BadInput("no dice are asked for")
            forget_faces(self._game, roll)

        return self._act(do, done="the dice typed in so far are forgotten")

    def _confirmed(self) -> None:
        """Typed dice are confirmed at once: who sits at the table saw them fall. What they did is then carried out."""
        from referee.play.append import append
        from referee.play.moving_on import carry_out

        game = self.game
        due = [roll for roll in game.dice.rolls.values() if roll.typed and not roll.confirmed]
        if not due:
            return
        others = [name for name in game.state.players if name != due[-1].entered_by]
        by = game.state.umpire or next(iter(others), due[-1].entered_by)
        data = {"roll": due[-1].number, "by": by, "result": due[-1].result}
        self._game = append(self.path, lambda _: [("confirm", data)])
        if self._due():
            carry_out(self._game, "", False, self.typed)

    # -- words ---------------------------------------------------------------------------

    def rule(self, text: str, on: int | None = None) -> Answer:
        """A ruling of the umpire, or of the first player where there is none; `on` an entry."""
        from referee.play.append import append

        def do() -> None:
            game = self.game
            data: dict[str, Any] = {"by": game.state.umpire or game.state.players[0], "text": text}
            data |= {} if on is None else {"target": on}
            append(self.path, lambda _: [("ruling", data)])

        return self._act(do, done=f"ruled: {text}")

    def note(self, text: str) -> Answer:
        """A remark without effect."""
        from referee.play.append import append

        def do() -> None:
            game = self.game
            data = {"text": text, "by": game.state.umpire or game.state.players[0]}
            append(self.path, lambda _: [("note", data)])

        return self._act(do, done=f"noted: {text}")

    def explain(self, text: str) -> Answer:
        """What a rule says, by its number or by words of its title; nothing is entered."""
        from referee.play.explained import explained

        try:
            return Answer(tuple(explained(self._game.rulebook, text)))
        except BadInput as error:
            return Answer(error=str(error))

    # -- forms and secrets ---------------------------------------------------------------

    def file_form(self, file: str, ship: str = "") -> Answer:
        """Files an energy form openly, from a file."""
        from referee.play.moving_on import file_form

        return self._act(lambda: self._put_form(file_form, file, ship))

    def _put_form(self, put: Callable[..., object], file: str, ship: str) -> None:
        game = self.game
        put(game, file, game.state.ship(ship).name if ship else "", "", False)

    # -- back ----------------------------------------------------------------------------

    def going(self, to: int | None = None, back: int | None = None) -> Going:
        """What would go back: all after entry `to`, or the last `back` acts. Raises BadInput where nothing can."""
        from referee.play.undo import what_goes

        return what_goes(self.game, None, to, back)

    def acts(self, most: int = 20) -> tuple[EntryLike, ...]:
        """The last entries that can be gone back to, the newest first."""
        from referee.core.undoing import going

        entries = self._game.entries
        return tuple(reversed(going(entries, max(1, len(entries) - most))))

    def undo(self, to: int | None = None, reason: str = "taken back at the table") -> Answer:
        """Takes back all after entry `to`, or the last act with what came of it: all are at the table, and agree."""
        from referee.play.undo import last_act, take_back, what_goes

        def do() -> None:
            game = self.game
            last = last_act(game) - 1 if to is None else to
            going = what_goes(game, None, last, None)
            who = [game.state.umpire] if game.state.umpire else list(game.state.players)
            heard = take_back(self.path, going, reason, who)
            self._lines += [f"taken back: {entry_line(entry, False).strip()}" for entry in going.goes]
            self._lines += [f"stays: {entry_line(entry, False).strip()}" for entry in going.stays]
            self._game = heard

        return self._act(do)

    def redo(self) -> Answer:
        """Takes the last undo back, where nothing was done since."""
        from referee.play.undo import take_back, what_goes

        def do() -> None:
            game = self.game
            last = game.entries[-1]
            if last.type != "undo" or "onward" not in last.data:
                raise BadInput("there is nothing to redo", hint="only right after an undo")
            who = [game.state.umpire] if game.state.umpire else list(game.state.players)
            take_back(self.path, what_goes(game, last.seq, None, None), "played as it was", who)
            self._lines.append(f"back to where it was before #{last.seq}")

        return self._act(do)

    # -- inside --------------------------------------------------------------------------

    _lines: list[str]

    def _act(self, do: Callable[[], None], said: str = "", done: str = "") -> Answer:
        """What an act came to. What is against the rules is pending where it is `said` in words."""
        heard = Heard()
        self._lines = heard.lines
        pending, self.pending = "", ""
        error = ""
        with told_to(heard):
            try:
                do()
            except Refused as refused:
                pending = said
                error = "" if said else str(refused)
            except RefereeError as failed:
                place = failed.place if failed.place not in ("", "line 1") else ""
                error = str(RefereeError(failed.reason, place=place, hint=failed.hint))
        self._game, self._seen = open_game(self.path), None
        self.pending = pending
        lines = (*heard.lines, *((done,) if done and not error else ()))
        against = [one for one in heard.found if pending or one.severity is not Severity.ERROR]
        return Answer(lines, tuple(against), error, pending, self.asks)
