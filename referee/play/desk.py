"""A desk on a record, for an umpire at a live table: what is in sight, and acts, each an entry the moment it is made."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from referee.core.errors import BadInput, Refused
from referee.core.finding import Severity
from referee.core.frozen import replace
from referee.core.orders import WAYS
from referee.play.acting import Answer
from referee.play.choosing import choose
from referee.play.dice_at_table import DiceAtTable
from referee.play.fire_told import fire_said
from referee.play.form_clock import FormClock
from referee.play.game_file import open_game
from referee.play.keys_here import seats_taken
from referee.play.moving_on import file_form, next_step, stop_after
from referee.play.open_map import OPEN, map_is_open
from referee.play.opened_too_soon import known_by_opening
from referee.play.openly import armed_before, beside_sealed
from referee.play.robot_turn import robots_play
from referee.play.say import no_order, play
from referee.play.scenario_begun import robot_told
from referee.play.sealed_judged import seal_words
from referee.play.sealing import left_to_enter, open_all, seal_form, sealed_for_now
from referee.play.short_orders import orders_meant, ship_meant, verb_meant
from referee.play.sight import shots_in, sight_of
from referee.play.standing_elsewhere import accept_parts, accepted
from referee.play.still_to_come import (
    forms_owed,
    forms_sealed,
    forms_unwritten,
    left_sealed,
    moves_unasked,
    must_be_opened,
)
from referee.play.table import stood_earlier
from referee.play.undo import last_act
from referee.play.ways import ways_of
from referee.play.whose import move_order, mover_in, movers_in

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.core.game import FireOrdered
    from referee.play.sight import ShotSight, Sight
    from referee.play.ways import WayOpen

UMPIRE_ALLOWS = "stands as it was played"
"""The ruling beside a foul that the umpire lets stand without words of his own."""
STANDS_THERE = "so it is on the table"
"""The ruling on where a ship stands, without words of the umpire's own."""


class Desk(DiceAtTable):
    """A record on the desk of a live table. `Desk(path)` opens it; raises RefereeError where it cannot be played on.

    To look: `sight` has moment, mover and movers, what is awaited, every ship with its weapons, rulings, dice to type
    and head; `whose` is that in a line. `mover` and its legal moves, `ways()`. `only` is the only thing that may be
    done, for Enter. `shots(ship)` may be declared, with odds. `game` is the record itself.

    To act: `say(text)` takes any order, short or long (`a`, `l`, `r` alone are the mover's), and `enter()` gives the
    only one. `next()` takes dice that are due, else goes on to where something can be done. `faces(text)` and `throw()`
    are dice. `let_stand` and `take_back` are of what is pending. `rule`, `note`, `undo`, `redo`, too. Each gives an `Answer`, and is in the
    record, on the disk, before it does. Nothing is kept here that is not in the record, but for what is pending and
    how dice are thrown: killed at any moment, a desk that is opened anew stands where it stood. What others write into
    the record meanwhile is read before each act.
    """

    asks_for_forms = True
    """Is energy allocation left only with a word of the umpire's while forms are to come, and a move or fire said openly
    beside sealed ones?"""

    def __init__(self, path: str, *, typed: bool = False) -> None:
        stood_earlier(path)
        super().__init__(path)
        self.typed = typed
        self.unseen = Answer()
        """The answer on the orders sealed last, or refused, for their player alone."""
        self._unsealed: tuple[str, str, str] | None = None
        """The orders that were to be sealed last and are against the rules: ship, words and kind."""
        self._openly = False
        """Is what is pending asked about only since other orders are sealed?"""
        self.clock = FormClock()
        """The clock for forms: `clock.start(turn, minutes)`, `clock.left(turn)`."""
        self._ways: tuple[str, dict[str, WayOpen]] | None = None
        if self._game.state.own is not None:
            hint = "referee game say GAME"
            raise BadInput("is played in rounds, without a map of impulses", file=path, hint=hint)
        self._game.must_have_its_rules()

    # -- in sight ------------------------------------------------------------------------

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
        return self.here(self.sight.whose)

    @property
    def clock_told(self) -> str:
        """The clock for forms in words, while forms are awaited."""
        return self.clock.reading(self._game.state.turn) if forms_unwritten(self._game) else ""

    def set_clock(self, minutes: str) -> str:
        """Begins the clock for the forms that are awaited, five minutes where no number is said, or stops it; says so.
        Raises BadInput for what is no number."""
        return self.clock.set(minutes.strip(), self._game.state.turn, bool(forms_unwritten(self._game)))

    @property
    def mover(self) -> str:
        """The ship that moves now; of ships that move at one time the first whose move is not sealed. Empty where none
        does."""
        if self._seen is not None and self._seen[0] == self._game.head:
            return self._seen[1].mover
        return mover_in(self._game, move_order(self._game))

    def ways(self) -> dict[str, tuple[Finding, ...]]:
        """Each way the mover may go, with what is against it: a way without findings is legal."""
        return {way: found.against for way, found in self._open().items()}

    @property
    def doubts(self) -> tuple[Finding, ...]:
        """What cannot be decided of the legal moves of the mover: it is said before one is entered."""
        found = (doubt for open in self._open().values() if not open.against for doubt in open.doubts)
        findings = (
            replace(doubt, message=self.here(doubt.message), fix=self.here(doubt.fix)) for doubt in found
        )
        return tuple(dict.fromkeys(findings))

    def _open(self) -> dict[str, WayOpen]:
        mover = self.mover
        if mover and (self._ways is None or self._ways[0] != self._game.head):
            self._ways = self._game.head, ways_of(self._game, mover)
        return self._ways[1] if mover and self._ways is not None else {}

    @property
    def only(self) -> str:
        """The only thing that may be done now, as it is said: a move, `next`; empty where there are several, or dice
        are to be typed in."""
        if self.pending or self.asks or (self.sight.movers and not self.mover):
            return ""
        ways = self.ways()
        if ways:
            legal = [way for way, against in ways.items() if not against]
            return f"{self.mover}: {legal[0]}" if len(legal) == 1 else ""
        return "next" if not self.sight.awaited or self._due() else ""

    @property
    def count(self) -> int:
        """How many entries the record had when it was read last."""
        return len(self._game.entries)

    @property
    def unrolled(self) -> tuple[FireOrdered, ...]:
        """The fire that is declared and whose dice have not been thrown."""
        return tuple(self._game.state.unrolled)

    @property
    def fire_said(self) -> frozenset[str]:
        """The ships that have said what they fire in this impulse, openly or sealed."""
        return fire_said(self._game.state)

    @property
    def told_at_first(self) -> tuple[str, ...]:
        """The dice typed in already; before the game has begun who may play the robots, and that the map is open."""
        state = self._game.state
        if self.typed_so_far:
            return (self.typed_so_far,)
        if state.turn > 1 or state.impulse is not None:
            return ()
        robots = (ship for ship in state.ships.values() if ship.robot)
        robot_words = (robot_told(ship.name, ship.player, "`robot` plays it") for ship in robots)
        return (*robot_words, *((OPEN,) if map_is_open(self._game) else ()))

    @property
    def last_act(self) -> int:
        """The entry that the last act begins with, which `undo()` takes back. Raises BadInput where there is none."""
        return last_act(self._game)

    def shots(self, ship: str = "") -> tuple[ShotSight, ...]:
        """The shots a ship may declare now, each with its odds; the mover's where no ship is named."""
        return shots_in(self._game, self._game.state.ship(ship or self.mover))

    # -- acts ----------------------------------------------------------------------------

    def say(self, text: str) -> Answer:
        """Orders, short or long, all of them or none: `c a`, `w l`, `c f ph1a,b w`. What is against the rules is not
        entered: it is pending. So are moves and fire said openly beside what is sealed and not opened."""
        return self._say(text, force=False)

    def _say(self, text: str, *, force: bool, openly: bool = False) -> Answer:
        def do() -> None:
            game = self.game
            if not self.mover and verb_meant(text.strip()) in WAYS:
                hint = "n goes on; SHIP a moves a ship against the rules"
                if self.sight.movers:
                    hint = "`o` opens what is sealed"
                raise BadInput(self.sight.nobody_moves, hint=hint)
            orders = orders_meant(game.state, text, self.mover)
            asks = self.asks_for_forms and not (openly or force)
            if asks and (why := beside_sealed(game, orders) or armed_before(game, orders)):
                self._openly = True
                raise self._waits(why)
            if play(game, orders, "", "", force, self.typed) is None:
                raise no_order(game, orders)

        said_before = {(each.key, each.message) for each in self.doubts} if self.sight.ties else set()
        self._openly = False
        answer = self._act(do, text)
        new = tuple(each for each in answer.findings if (each.key, each.message) not in said_before)
        return replace(answer, findings=new)

    @property
    def _open_ways(self) -> str:
        """What may be done where there is more than one thing."""
        if self.pending:
            return "what was refused may stand, or is left"
        legal = [way for way, against in self.ways().items() if not against]
        if legal:
            return f"{self.mover} may go {', '.join(legal)}"
        return self.asks or self.whose

    def enter(self) -> Answer:
        """The only thing that may be done."""
        only = self.only
        if not only:
            return Answer(error=f"more than one thing may be done: {self._open_ways}")
        return self.next() if only == "next" else self.say(only)

    def next(self) -> Answer:
        """Carries out what is due; else goes on to where something can be done: dice, the next impulse, the next
        turn. What is passed over against the rules is pending."""
        return self._next(force=False)

    def _next(self, *, force: bool) -> Answer:
        def do() -> None:
            game = self.game
            umpire = game.state.umpire
            if self.asks:
                what = "a box is to be chosen" if self.box else "dice are to be typed in"
                raise BadInput(f"{what}: {self.asks}")
            game = self._confirmed()
            asks = self.asks_for_forms and not force
            rolls_first = bool(game.state.unrolled) and game.dice.open_roll is None
            if self._due() and not (asks and rolls_first and left_sealed(game)):
                self._carry_out(force)
                return
            if asks and (owed := forms_owed(game)):
                paper = "where forms stay on paper, say each speed: SHIP s 16"
                raise self._waits(f"still to come: the form of {', '.join(owed)}; {paper}")
            if asks and (hidden := forms_sealed(game)):
                raise self._waits(f"still sealed: the form of {', '.join(hidden)}; `o` opens what is sealed")
            must_be_opened(game, force=not asks)
            if not force and (unasked := moves_unasked(game)):
                raise self._waits(f"still to move: {', '.join(unasked)}")
            to = stop_after(game)
            agreed = [] if umpire else list(game.state.players)
            who = umpire or (game.state.players[0] if force else "")
            next_step(game, to, who, agreed if force else [], force)
            self._game = open_game(self.path)
            if self._due():
                self._carry_out(force)

        return self._act(do, "next")

    def _waits(self, reason: str) -> Refused:
        """What is refused till the umpire lets it stand, and said."""
        self._lines.append(reason)
        return Refused(reason, announced=True)

    def robot(self, ship: str = "") -> Answer:
        """A robot does what it has to do now, by its instructions: its move, its fire; the first of the robot ships
        that has something to do, or the ship named."""

        def do() -> None:
            game = self.game
            named = (ship_meant(game.state, ship) or ship) if ship else ""
            if robots_play(game, named) is None:
                raise BadInput(f"{named or 'no robot'} has {'nothing' if named else 'anything'} to do now")

        return self._act(do)

    def accept(self, ship: str, where: str, ruling: str = "") -> Answer:
        """Accepts what happened: a ship or a seeker stands in a hex and facing, `1512B`, by a ruling, or a ship is
        `out` of the game, since its player left. How it came there is not judged. Where a ship is called and has not
        moved that is its move of the impulse, unless the ruling begins with `to move`. Fire whose dice have not fallen is
        judged from there; what is against it is pending, and so is a place further off than a map is wide."""
        return self._accept(ship, where, ruling, force=False)

    def _accept(self, ship: str, where: str, ruling: str, *, force: bool) -> Answer:
        def do() -> None:
            asked = self.asked_of_all
            self._lines += accepted(self.game, ship, where, ruling, STANDS_THERE, asked=asked, force=force)

        return self._act(do, f"accept {ship} {where} {ruling}".strip())

    def let_stand(self, ruling: str = "") -> Answer:
        """What is pending is entered as it was played: with the foul, and the umpire's ruling beside it."""
        pending = self.pending
        if not pending:
            return Answer(error="nothing waits for a word of the umpire's")
        if (words := pending.split())[0] == "undo":  # It holds the ruling: it may be brought back.
            return self.undo(int(words[1]) if words[1:] else None, ruling, force=True)
        before = len(self._game.entries)
        answer = self._forced(pending)
        if not answer.entered:
            return answer
        new = self._game.entries[before:]
        fouls = [entry for entry in new if entry.type == "foul"]
        # Of an order that is not the steps it went on by.
        acts = fouls or [each for each in new if each.type == "order" and pending != "next"] or new
        sealed = pending.startswith("secret ")
        if not fouls and not ruling and not sealed:
            return answer
        ruled = self.rule(ruling or UMPIRE_ALLOWS, on=acts[0].seq)
        return Answer((*answer.lines, *ruled.lines), answer.findings, ruled.error, asks=answer.asks)

    def _forced(self, pending: str) -> Answer:
        word, _, rest = pending.partition(" ")
        if pending == "next":
            return self._next(force=True)
        if pending == "again":
            return self.forget_faces(force=True)
        if pending == "redo":
            return self.redo(force=True)
        if pending == "open":
            return self._open_all(force=True)
        if word == "secret" and self._unsealed is not None:
            return self._seal(*self._unsealed, force=True)
        if word == "secret":
            file, _, ship = rest.rpartition(" ")
            return self._seal_form(ship, file, force=True)
        if word == "accept":
            return self._accept(*accept_parts(rest), force=True)
        if word == "form":
            return self._file_form(*rest.partition(" ")[::2], force=True)
        # What was asked about is not judged as yet: what is against a rule is asked about by itself.
        return self._say(pending, force=not self._openly, openly=True)

    def take_back(self) -> Answer:
        """What is pending is not entered."""
        self.pending = ""
        return Answer(("nothing was entered",))

    def choose(self, ship: str, policy: str) -> Answer:
        """Says how the boxes of a ship are given up where its owner may choose (D4.223)."""
        return self._act(lambda: _done(choose(self.game, ship, policy)))

    def join_all(self) -> Answer:
        """The seats that are still free are taken: all players sit at this laptop."""
        return self._act(lambda: seats_taken(self.path))

    # -- forms and secrets ---------------------------------------------------------------

    @property
    def sealed(self) -> frozenset[str]:
        """The ships of which a form, or a move or fire of this impulse, is sealed and not opened."""
        return frozenset(seal.ship for seal in sealed_for_now(self._game.state))

    def file_form(self, file: str, ship: str = "") -> Answer:
        """Files an energy form openly, from a file."""
        return self._file_form(file, ship, force=False)

    def _file_form(self, file: str, ship: str, *, force: bool) -> Answer:
        def do() -> None:
            game = self.game
            file_form(game, file, (ship_meant(game.state, ship) or ship) if ship else "", "", force)

        return self._act(do, f"form {file} {ship}".strip())

    def seal(self, ship: str, orders: str, kind: str = "") -> Answer:
        """Seals orders of a ship for this impulse, unseen: its move, or its fire. What opens them is kept beside the
        record, and `open_all` shows them together. Illegal ones, by what the table shows now, are pending. Why they were not
        sealed is in `unseen` only, and so is what they are."""
        return self._seal(ship, orders, kind, force=False)

    def _seal(self, ship: str, orders: str, kind: str, *, force: bool) -> Answer:
        sealing = partial(seal_words, self.game, ship, orders, kind, force=force)
        self.unseen = answer = self._act(lambda: _done(sealing()), f"secret {ship}")
        self._unsealed = (ship, orders, kind) if answer.pending else None
        if answer.pending:
            return replace(
                answer, findings=(), lines=(f"what {ship} seals is against the rules, and was not sealed",)
            )
        return replace(answer, findings=(), error="nothing was sealed" if answer.error else "")

    def seal_form(self, ship: str, file: str) -> Answer:
        """Seals an energy form of a ship for this turn. An illegal one is pending: where the umpire lets it stand its
        fouls are entered when it is opened. What was found in it is in `unseen` only."""
        return self._seal_form(ship, file, force=False)

    def _seal_form(self, ship: str, file: str, *, force: bool) -> Answer:
        answer = self._act(lambda: _done(seal_form(self.game, ship, file, force)), f"secret {file} {ship}")
        self.unseen, self._unsealed = answer, None
        against = any(finding.severity is Severity.ERROR for finding in answer.findings)
        reason = f"the form of {ship} is against the rules, and was not sealed"
        against_rules = (reason,) if against and answer.pending else ()
        return replace(answer, findings=(), lines=(*answer.lines, *against_rules))

    def open_all(self) -> Answer:
        """Shows together all that was sealed for now and is not shown: forms, moves and fire; the moves and fire are
        then entered as they were sealed, ship by ship: what is against the rules is pending, and hinders nobody else.
        Forms are shown when all are in: till then it is pending, since whoever has still to write one would read the
        others."""
        return self._open_all(force=False)

    def _open_all(self, *, force: bool) -> Answer:
        def do() -> None:
            hidden = sealed_for_now(self.game.state)
            if not force and (known := known_by_opening(self._game)):
                raise self._waits(known)
            if hidden or not left_to_enter(self.game, movers_in(self.game)):
                open_all(self.game)

        shown = self._act(do, "open")
        return self._as_sealed(shown) if shown.entered else shown

    def _as_sealed(self, shown: Answer) -> Answer:
        """Enters what was sealed and opened, each ship's by itself; all that is against the rules is then pending."""
        lines, found, held, errors = [*shown.lines], [*shown.findings], [], [shown.error]
        tried: set[str] = set()
        while orders := {
            ship: text
            for ship, text in left_to_enter(self._game, movers_in(self._game)).items()
            if ship not in tried
        }:
            ship, text = next(iter(orders.items()))
            tried.add(ship)
            answer = self.say(text)
            lines += answer.lines
            found += answer.findings
            held += [answer.pending] if answer.pending else []
            errors.append(answer.error)
        self.pending = "\n".join(held)
        error = "; ".join(filter(None, errors))
        return Answer(tuple(lines), tuple(found), error, self.pending, self.asks)


def _done(_: object) -> None:
    """What an act gives besides its entries is not asked for."""
