"""What players order in chat with `!`, answered from the record: lines to say, and whether the record went on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from referee.core.errors import BadInput, RefereeError
from referee.core.frozen import frozen, replace
from referee.core.safe import safe_line
from referee.live.desk_text import decimal, percent
from referee.play.acting import Answer
from referee.play.short_orders import ship_meant
from referee.record.headcode import head_code
from referee.room.desk import accused, against

if TYPE_CHECKING:
    from referee.play.sight import ShipSight
    from referee.room.desk import RoomDesk
    from referee.room.held import Holds

RULES = ("allow", "accept", "rule")
"""The words of who rules."""
HELP = (
    "orders for your own ship: !speed 13, !ahead, !left, !right, !fire PH-1A,PH-1B at TARGET, !launch DRN/1 at TARGET,"
    " !hit 21 on 1, !battery 1 for PH-1A, !cloak, !lock on TARGET, !seal CODE; with more ships: !SHIP: ahead",
    "!roll 2d6 dice; !roll what is due; !next the next step; !odds shots and their odds; !status; !head; !undo (all"
    " players); !join WORDS your part of the dice; !key LINE a key of peer dice",
    "!allow NUMBER lets stand what is held under it, and WORDS after it are the ruling; !accept SHIP takes over where it"
    " stands on the map, !accept turn what the tracker shows; !rule WORDS; for the umpire, or all players together",
    "nothing here proves who speaks: an order counts from the player whose ship it is; for dice that need no trust in"
    " me begin the record with peer dice, and compare the head codes with your own copy",
)


@frozen
class Reply:
    """What an order is answered with: `lines` for the room; `acted` where the record went on."""

    lines: tuple[str, ...] = ()
    acted: bool = False
    struck: bool = False
    """Were boxes scored?"""
    begins: int = 0
    """The first entry of what was done."""
    pending: bool = False
    """Was it understood, and is it against the rules?"""


Waiting = tuple[str, str, Callable[[str], "Answer"]]
"""What is waited for: what it is about, a line that tells it, and what lets it stand with a ruling's words."""


class OnMap(Protocol):
    """What the map shows that the record may take over."""

    def ship(self, name: str) -> Waiting:
        """Where a ship stands. Raises BadInput where the record has it there."""
        ...

    @property
    def waiting(self) -> str:
        """What has to be ruled on before orders count."""
        ...

    def tracker(self) -> Waiting:
        """What the tracker shows. Raises BadInput where the record stands there."""
        ...


class RoomOrders:
    """The orders of a room's chat, for a record."""

    def __init__(self, desk: RoomDesk, held: Holds) -> None:
        self.desk, self.held = desk, held
        self.on_map: OnMap | None = None
        self._takes_back: set[str] = set()

    def answer(self, player: str, order: str, umpire: str = "", why: str = "") -> Reply:
        """What comes of an order, which stands without its `!`. `player` is empty for who has no seat, and `why` says
        why. `umpire` is the name of who rules alone."""
        word, _, rest = order.strip().partition(" ")
        rest = rest.strip()
        looks = _LOOKS.get(word.casefold())
        try:
            if looks is not None:
                return Reply(looks(self, player, rest))
            if word.casefold() in RULES:
                return self._ruling(player, umpire, word.casefold(), rest, why)
            if not player:
                return Reply((f"not entered: {why}",))
            waits = (
                self.on_map.waiting if self.on_map is not None and word.casefold() not in _AT_ANY_TIME else ""
            )
            if waits:
                return Reply((f"not entered: {waits}; that is ruled on first",))
            does = _DOES.get(word.casefold()) if word.casefold() != "roll" or not rest else RoomOrders._dice
            if does is not None:
                return self.carry_out(lambda: does(self, player, rest))
            return self._order(player, order.strip())
        except RefereeError as error:
            return Reply(
                (
                    f"not entered: {safe_line(error.reason)}{f'; {safe_line(error.hint)}' if error.hint else ''}",
                )
            )

    def _order(self, player: str, text: str) -> Reply:
        """Orders of a player's own; what is against the rules is held."""
        reply = self.carry_out(lambda: self.desk.order(player, text))
        if not reply.pending:
            return reply
        about = f"an order of {player}"
        stand = partial(self.desk.order, player, text, force=True)
        held = self.held.hold(about, f"{player}: {text}", lambda ruling: self.desk.ruled(stand, ruling))
        return replace(reply, lines=(*reply.lines, held or self.held.of(about).line))

    # -- ruling --------------------------------------------------------------------------

    def _ruling(self, player: str, umpire: str, word: str, rest: str, why: str) -> Reply:
        """A word of who rules: at once from the umpire, and from players when all have said so."""
        if not umpire and self.held.umpire:
            return Reply((f"not entered: {self.held.umpire} may rule here, and nobody else",))
        if not umpire and not player:
            return Reply((f"not entered: {why}",))
        if word == "allow":
            number, _, words = rest.partition(" ")
            hold, words = self.held.meant(number), words.strip()
        else:
            about, sentence, stand = self._rule(rest) if word == "rule" else self._accept(rest)
            self.held.hold(about, sentence, stand)
            hold, words = self.held.of(about), ""
        if not umpire and (missing := self.held.missing(hold, player, self.desk.game.state.players)):
            waits = " and ".join(missing)
            return Reply(
                (
                    f"{player} lets {hold.number} stand: {hold.sentence}; {waits}: !allow {hold.number}, if you agree",
                )
            )
        by = umpire or "all players"
        reply = self.carry_out(lambda: hold.stand(f"{by} let it stand: {words or hold.sentence}"))
        if not reply.acted:
            return reply
        self.held.drop(hold.about)
        return replace(reply, lines=(f"{by} let {hold.number} stand: {hold.sentence}", *reply.lines))

    def _rule(self, words: str) -> Waiting:
        if not words:
            raise BadInput("rule what?", hint="!rule WORDS")
        by = self.held.umpire or "all players"
        return "a ruling", words, lambda _: self.desk.rule(f"{by}: {words}")

    def _accept(self, what: str) -> Waiting:
        """Where a ship stands on the map, or what the tracker shows, is taken over as it is."""
        if self.on_map is None:
            raise BadInput("there is no game on the map")
        state = self.desk.reopened().state
        if what.casefold() in ("turn", "tracker", "clock"):
            return self.on_map.tracker()
        own = [name for name in state.ships if len(state.ships) == 1]
        if not what and not own:
            raise BadInput("accept what?", hint=f"!accept turn, or !accept {' or '.join(state.ships)}")
        return self.on_map.ship(state.ship(ship_meant(state, what) or what or own[0]).name)

    def carry_out(self, act: Callable[[], Answer]) -> Reply:
        """Does an act; what it came to, with the head codes of what was declared and of all."""
        before = len(self.desk.reopened().entries)
        answer = act()
        game = self.desk.reopened()
        new = game.entries[before:]
        lines = [" ".join(line.split()) for line in answer.lines]
        lines += against(answer)
        if answer.error:
            lines.append(f"not entered: {answer.error}")
        elif answer.pending:
            lines.append("not entered: it is against the rules")
        if answer.asks:
            lines.append(f"dice to type: {answer.asks}")
        lines += [
            f"declared: head {head_code(entry.seq, entry.hash)}" for entry in new if entry.type == "declare"
        ]
        if new:
            self._takes_back.clear()
            lines.append(f"head {game.head}")
        struck = any(entry.type == "events" for entry in new)
        return Reply(tuple(lines), bool(new), struck, before, bool(answer.pending))

    def fouls(self, reply: Reply) -> tuple[str, ...]:
        """The fouls that were entered with an act, a line each."""
        fouls = [entry.data for entry in self.desk.game.entries[reply.begins :] if entry.type == "foul"]
        return tuple(
            f"{accused(foul.get('rule', ''), foul.get('subject', ''))} {foul['reason']}" for foul in fouls
        )

    # -- looking -------------------------------------------------------------------------

    def _help(self, player: str, rest: str) -> tuple[str, ...]:
        return HELP

    def _head(self, player: str, rest: str) -> tuple[str, ...]:
        return (f"head {self.desk.game.head}",)

    def _status(self, player: str, rest: str) -> tuple[str, ...]:
        self.desk.reopened()
        sight = self.desk.sight
        impulse = "" if sight.impulse is None else f", impulse {sight.impulse}"
        lines = [f"turn {sight.turn}{impulse}, {sight.step}; {sight.whose}"]
        lines += [_ship_line(ship) for ship in sight.ships]
        return (*lines, *sight.seekers, *self.held.lines, f"head {sight.head}")

    def _odds(self, player: str, rest: str) -> tuple[str, ...]:
        state = self.desk.reopened().state
        ship = (ship_meant(state, rest) or rest) if rest else self.desk.ship_of(player) or self.desk.mover
        if not ship:
            return ("of which ship? !odds SHIP",)
        shots = self.desk.shots(ship)
        return tuple(
            f"{shot.mark} at {shot.target}: range {shot.range}, {percent(shot.hits)} do damage, {decimal(shot.mean)} points"
            for shot in shots
        ) or (f"{ship} may fire nothing now",)

    # -- doing ---------------------------------------------------------------------------

    def _dice(self, player: str, rest: str) -> Answer:
        return self.desk.roll(player, rest)

    def _resolve(self, player: str, rest: str) -> Answer:
        return self.desk.resolve()

    def _next(self, player: str, rest: str) -> Answer:
        return self.desk.next()

    def _join(self, player: str, rest: str) -> Answer:
        return self.desk.join(player, rest)

    def _key(self, player: str, rest: str) -> Answer:
        return self.desk.key(player, rest)

    def _seal(self, player: str, rest: str) -> Answer:
        return self.desk.note_seal(player, rest)

    def _undo(self, player: str, rest: str) -> Answer:
        """The last act is taken back once all players have said so."""
        self._takes_back.add(player)
        missing = [name for name in self.desk.game.state.players if name not in self._takes_back]
        if missing:
            return Answer(
                (f"{player} takes back the last act; {' and '.join(missing)}: !undo too, if you agree",)
            )
        self._takes_back.clear()
        return self.desk.undo(reason="all players agreed in chat", force=True)


def _ship_line(ship: ShipSight) -> str:
    """A ship in one line."""
    if ship.gone:
        return f"{ship.name}: {ship.gone}"
    speed = "" if ship.speed is None else f", speed {ship.speed}"
    shields = " ".join(f"#{n} {left}" for n, (left, _) in enumerate(ship.shields, 1))
    inside = f"; {ship.inside} boxes inside destroyed" if ship.inside else ""
    return f"{ship.name} ({ship.player}) {ship.stands}{speed}; shields {shields}{inside}"


_LOOKS: dict[str, Callable[[RoomOrders, str, str], tuple[str, ...]]] = {
    "help": RoomOrders._help,
    "?": RoomOrders._help,
    "head": RoomOrders._head,
    "status": RoomOrders._status,
    "odds": RoomOrders._odds,
}
_AT_ANY_TIME = ("undo", "join", "key", "seal")
"""What players say that does not wait for a ruling."""
_DOES: dict[str, Callable[[RoomOrders, str, str], Answer]] = {
    "roll": RoomOrders._resolve,
    "next": RoomOrders._next,
    "join": RoomOrders._join,
    "key": RoomOrders._key,
    "seal": RoomOrders._seal,
    "undo": RoomOrders._undo,
}
