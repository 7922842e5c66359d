"""What is done on the map of a room, brought into the record: moves, the tracker, forms.

In `umpire` mode what is against the rules is held, and what is done on the map after it waits behind it in its order: it
is entered when the one is let stand, or taken back.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Protocol

from referee.core.errors import BadInput, RefereeError
from referee.core.frozen import frozen
from referee.play.acting import Answer
from referee.room.desk import against
from referee.room.forms_shown import forms_shown
from referee.room.names import Mode
from referee.room.pace import Pace

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.formats.vassal.course import Stand
    from referee.formats.vassal.recognise import Clock
    from referee.room.desk import RoomDesk
    from referee.room.following import MovedShip, RoomGame
    from referee.room.held import Holds
    from referee.room.orders import RoomOrders, Waiting
    from referee.sources.asked import Asked

TRACKER = "the tracker"
"""What is held about the tracker."""
MOST_LATER = 1_000
"""Things done on the map that wait behind what is held."""
_AT_ONCE = 20
"""Of these, how many are looked at in one tick."""
_MOST_TURNS = 20
_CHANGED = "the map shows something else by now"


@frozen
class Put:
    """A ship's counter was put somewhere."""

    ship: str
    stand: Stand
    by: str


class Voice(Protocol):
    """How what is found on the map is said."""

    def say(self, *lines: str) -> None:
        """To all in the room."""
        ...

    def warn(self, ship: str, by: str, *lines: str) -> None:
        """To the player who moved a ship."""
        ...

    def log(self, line: str) -> None:
        """To nobody there."""
        ...

    def odd(self, what: str) -> None:
        """What makes no sense."""
        ...


class MapPlay:
    """The map of a game beside its record."""

    def __init__(
        self, game: RoomGame, desk: RoomDesk, orders: RoomOrders, mode: Mode, asked: Asked, voice: Voice
    ) -> None:
        self.game, self.desk, self.orders, self.mode, self.asked = game, desk, orders, mode, asked
        self._held: Holds = orders.held
        self._voice = voice
        self._acts = Pace(40, 20)
        self._now = 0.0
        self._clock_due = False
        self._unsettled: dict[str, Put] = {}
        self._entered: dict[str, tuple[int, Stand]] = {}
        self._astray: set[str] = set()
        self._stuck = ""
        self._later: deque[Put | Clock] = deque()

    # -- what happens there --------------------------------------------------------------

    def moved(self, moved: MovedShip, now: float) -> None:
        """A ship's counter stands elsewhere."""
        self._now = now
        put = Put(moved.ship, moved.after, moved.by)
        if put.stand.hex is None or put.stand.facing is None:
            self._unsettled.pop(put.ship, None)
        elif self._waits(put):
            pass
        elif put.ship in self._unsettled or not self._acts.lets(now):
            self._unsettled[put.ship] = put
        else:
            self._settle(put)

    def clock(self, now: float) -> None:
        """The tracker was put on."""
        self._now = now
        if self._stuck or self._later:
            self._put_off(self.game.clock)
        else:
            self._go_on()

    def tick(self, now: float) -> None:
        """What was put off is looked at."""
        self._now = now
        if self._clock_due:
            self._go_on()
        for ship in list(self._unsettled):
            if self._stuck or not self._acts.lets(now):
                break
            self._settle(self._unsettled.pop(ship))
        for _ in range(_AT_ONCE):
            if self._stuck or not self._later:
                return
            waiting = self._later.popleft()
            if isinstance(waiting, Put):
                if not self._went_back(waiting):
                    self._settle(waiting, later=True)
            else:
                self._to(waiting)

    def acted(self) -> None:
        """The record went on by an order in chat: what was held may stand by now."""
        self._entered.clear()
        if self._stuck and self._stuck not in self._held.about:
            self._stuck = ""

    def taken(self, game: RoomGame) -> None:
        """The game on the map is another one."""
        self.game = game
        self._unsettled.clear()
        self._later.clear()

    def meanwhile(self) -> tuple[str, ...]:
        """Enters the moves that were made while nobody followed the game, as far as they are by the rules; gives the
        ships that stand elsewhere than in the record still."""
        elsewhere = self._elsewhere()
        # One may have waited for another.
        while any(self._moves_by_the_rules(ship, self.game.stand(ship)) for ship in elsewhere):
            elsewhere = self._elsewhere()
        return elsewhere

    def _elsewhere(self) -> tuple[str, ...]:
        ships = self.desk.game.state.ships.items()
        return tuple(name for name, ship in ships if self.game.stand(name).hex not in (None, ship.unit.hex))

    def _moves_by_the_rules(self, ship: str, stand: Stand) -> bool:
        """Enters the move of a ship to where it stands, if nothing is against it."""
        answers: list[Answer] = []

        def move() -> Answer:
            answers.append(self.desk.moved(ship, stand, force=False))
            return answers[-1]

        if stand.facing is not None and stand.hex != self.desk.game.state.ship(ship).unit.hex:
            self.orders.carry_out(move)
        return bool(answers) and answers[-1].entered

    @property
    def waiting(self) -> str:
        """What has to be ruled on before orders count; empty where nothing has."""
        return self._held.of(self._stuck).line if self._stuck and self._later else ""

    # -- what is held --------------------------------------------------------------------

    def _waits(self, put: Put) -> bool:
        """Is a move to wait behind what is held? Put back, it is held no longer; behind a tracker that was put on too
        early ships may still make their moves."""
        if self._stuck == put.ship and self.desk.game.state.ship(put.ship).unit.hex == put.stand.hex:
            self._held.drop(put.ship)
            self._stuck = ""
            self._forget(put.ship)
            return True
        waits = {waiting.ship for waiting in self._later if isinstance(waiting, Put)}
        # To try it also ends what was agreed on before it.
        if self._stuck == TRACKER and put.ship not in waits and self._moves_by_the_rules(put.ship, put.stand):
            self._stuck = ""
            self._to(self.game.clock, again=True)
            return True
        if not self._stuck and not self._later:
            return False
        self._put_off(put)
        return True

    def _put_off(self, waiting: Put | Clock) -> None:
        if len(self._later) >= MOST_LATER:
            self._voice.odd(f"more than {MOST_LATER} things on the map wait behind what is held")
            return
        self._later.append(waiting)

    def _went_back(self, put: Put) -> bool:
        """Was a ship put back where it came from, before the tracker went on? Then nothing of that is entered."""
        from_hex = self.desk.game.state.ship(put.ship).unit.hex
        row = list(takewhile(lambda waiting: isinstance(waiting, Put), self._later))
        back = [waiting for waiting in row if isinstance(waiting, Put) and waiting.ship == put.ship]
        last = next((waiting for waiting in reversed(back) if waiting.stand.hex == from_hex), None)
        if last is None:
            return False
        gone = back[: back.index(last) + 1]
        self._later = deque(waiting for waiting in self._later if all(waiting is not other for other in gone))
        return True

    def _forget(self, ship: str) -> None:
        """What waits of a ship is of no account any more."""
        self._later = deque(
            waiting for waiting in self._later if not (isinstance(waiting, Put) and waiting.ship == ship)
        )

    def _hold(self, waiting: Waiting, *lines: str) -> None:
        """Something on the map is held, and all that comes after waits."""
        self._stuck = waiting[0]
        if held := self._held.hold(*waiting):
            self._voice.say(*lines, held)

    def ship(self, name: str) -> Waiting:
        """Where a ship stands now. Raises BadInput where that is not seen, or the record has it there."""
        stand, unit = self.game.stand(name), self.desk.game.state.ship(name).unit
        if stand.hex is None or stand.facing is None:
            raise BadInput(f"{name} is not seen on the map")
        if stand.hex == unit.hex:
            raise BadInput(
                f"{name} stands at {unit.hex} in the record, too", hint="turned in place is no move"
            )

        def stands(ruling: str) -> Answer:
            if self.game.stand(name) != stand:
                return Answer(error=_CHANGED)
            answer = self.desk.accept(name, f"{stand.hex}{stand.facing}", ruling)
            if answer.entered:
                self._forget(name)
            return answer

        return name, f"{name} stands at {stand.hex}{stand.facing} on the map", stands

    def _stands(self, ship: str, stand: Stand, ruling: str) -> Answer:
        """A held move stands with its foul; where it is more than a move its ship stands there by the ruling alone."""
        if self.desk.is_a_move(ship, stand):
            return self.desk.ruled(partial(self.desk.moved, ship, stand, force=True), ruling)
        return self.desk.accept(ship, f"{stand.hex}{stand.facing}", ruling)

    def tracker(self) -> Waiting:
        """What the tracker shows. Raises BadInput where the record stands there, or further on."""
        shown, state = self.game.clock, self.desk.game.state
        if shown.turn is None or (shown.turn, shown.impulse or 0) <= (state.turn, state.impulse or 0):
            raise BadInput("the record is as far as the tracker", hint="!undo takes an act back")
        if shown.turn - state.turn > _MOST_TURNS:
            raise BadInput(f"the tracker shows turn {shown.turn}, the record turn {state.turn}")
        return self._tracker_at(shown)

    def _tracker_at(self, shown: Clock) -> Waiting:
        turn, impulse = shown.turn or 0, shown.impulse
        at = f"turn {turn}" + (f", impulse {impulse}" if impulse else "")
        goes = partial(self._turn_by_turn, turn, impulse)
        return TRACKER, f"the tracker shows {at}", lambda ruling: self.desk.ruled(goes, ruling)

    def _turn_by_turn(self, last: int, impulse: int | None) -> Answer:
        """The record goes on to a moment, against whatever rule."""
        desk, answer = self.desk, Answer()
        for turn in range(desk.game.state.turn, last + 1):
            at = impulse if turn == last else None
            state = desk.game.state
            if (turn, at or 0) > (state.turn, state.impulse or 0):
                answer = desk.go_to(turn, at, force=True)
            if not answer.entered:
                break
        return answer

    # -- into the record -----------------------------------------------------------------

    def _settle(self, put: Put, *, later: bool = False) -> None:
        """Brings the record to where a ship's counter stands."""
        desk, ship, stand = self.desk, put.ship, put.stand
        unit = desk.game.state.ship(ship).unit
        if unit.hex == stand.hex:
            self._held.drop(ship)
            return  # it turned in place, which is a move when it goes on; or it is back where the record has it
        last = self._entered.get(ship)
        if last is not None and last[1].hex == stand.hex:
            self._entered.pop(ship)
            self._act(lambda: desk.back(ship, last[0]), put)
            return
        if not later:
            self._go_on()  # the tracker may have stood there before the record was begun
            if self._stuck:
                self._put_off(put)
                return
        seq = len(desk.game.entries)
        stood = type(stand)(unit.hex, unit.facing)
        force = self.mode is not Mode.UMPIRE
        answer = self._act(lambda: desk.moved(ship, stand, force=force), put)
        if answer is not None and answer.entered:
            self._held.drop(ship)
            self._entered[ship] = seq, stood
            self._astray.discard(ship)

    def _act(self, act: Callable[[], Answer], put: Put) -> Answer | None:
        """Does what a player did on the map; warns him of what is against it, unless nobody wants to hear."""
        ship, stand = put.ship, put.stand
        answers: list[Answer] = []

        def do() -> Answer:
            answers.append(act())
            return answers[-1]

        reply = self.orders.carry_out(do)
        answer = answers[-1] if answers else None
        if answer is None or self.mode is Mode.QUIET:
            return answer
        fouls = self.orders.fouls(reply)
        if self.mode is Mode.UMPIRE and not answer.entered:
            why = answer.error or "does not move so; put it back, or the umpire rules"
            about = f"{ship} stands at {stand.hex}{stand.facing} on the map"
            self._hold((ship, about, partial(self._stands, ship, stand)), *against(answer), _of(ship, why))
        elif answer.error and ship in self._astray:
            pass  # that it stands elsewhere than in the record was said
        elif words := (*against(answer), *fouls, *_astray(ship, answer)):
            self._voice.warn(ship, put.by, *words)
            self._astray.update((ship,) if answer.error else ())
        return answer

    def _go_on(self) -> None:
        """The record goes on to where the tracker stands."""
        if self.game.clock.turn is None:
            return
        self._clock_due = not self._acts.lets(self._now)
        if not self._clock_due:
            self._to(self.game.clock)

    def _to(self, clock: Clock, *, again: bool = False) -> None:
        """The record goes on to a moment that the tracker shows, or showed; what is against it was said where it is
        tried `again`."""
        desk, turn, impulse = self.desk, clock.turn, clock.impulse
        state = desk.game.state
        if turn is None or (turn, impulse or 0) <= (state.turn, state.impulse or 0):
            self._held.drop(TRACKER)
            return
        if turn > state.turn + 1:
            sentence = f"the tracker went from turn {state.turn} to turn {turn}"
            self._voice.odd(sentence)
            if self.mode is not Mode.QUIET and turn - state.turn <= _MOST_TURNS:
                self._hold_tracker(clock, sentence)
            return
        force = self.mode is not Mode.UMPIRE
        answers: list[Answer] = []

        def to(impulse: int | None) -> Answer:
            answers.append(desk.go_to(turn, impulse, force=force))
            return answers[-1]

        if turn > state.turn and impulse:
            self.orders.carry_out(lambda: to(None))
        if desk.wants_forms and impulse:
            self._file_forms()
        reply = self.orders.carry_out(lambda: to(impulse))
        self._entered.clear()
        answer = answers[-1]
        if answer.entered:
            self._held.drop(TRACKER)
        if self.mode is Mode.UMPIRE and not answer.entered:
            self._hold_tracker(clock, *(() if again else (*against(answer), answer.error or desk.whose)))
        elif self.mode is not Mode.QUIET and (found := against(answer)):
            self._voice.say(*found)
        rolled = [
            line
            for line in reply.lines
            if "roll" in line or "hit" in line or line.startswith(("declared", "head"))
        ]
        if any("roll" in line for line in rolled):
            self._voice.say(*rolled)

    def _hold_tracker(self, clock: Clock, *lines: str) -> None:
        """The tracker is held; in another mode than `umpire` nothing waits behind it."""
        self._hold(self._tracker_at(clock), *lines)
        if self.mode is not Mode.UMPIRE:
            self._stuck = ""

    def _file_forms(self) -> None:
        """Files the forms that stand on the table, and says what is against them."""
        desk = self.desk
        try:
            forms = forms_shown(self.game, desk.game, self.asked)
        except RefereeError as error:
            self._voice.log(f"the forms on the table cannot be read: {error}")
            return
        reply = self.orders.carry_out(lambda: desk.file_forms(forms))
        fouls = self.orders.fouls(reply)
        if reply.acted and self.mode is not Mode.QUIET:
            self._voice.say(*(line for line in reply.lines if not line.startswith("declared")), *fouls)


def _astray(ship: str, answer: Answer) -> tuple[str, ...]:
    """Why a ship's move is not in the record, and how it comes into it."""
    error = answer.error
    return (f"{_of(ship, error)}; !accept {ship} takes over where it stands",) if error else ()


def _of(ship: str, why: str) -> str:
    """What is said of a ship, with its name once."""
    return why if why.startswith(f"{ship} ") else f"{ship}: {why}"
