"""The record of a room's game, acted on for the players in it: each gives orders for his own ships alone."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

from referee.core.dice import parse_notation
from referee.core.errors import BadInput
from referee.core.finding import Severity
from referee.core.frozen import replace
from referee.core.gameorders import after
from referee.core.orders import WAYS
from referee.play.acting import Answer
from referee.play.append import append, thrown
from referee.play.desk import Desk
from referee.play.dice import declaration
from referee.play.dice_calls import awaits, waited_for
from referee.play.forms import must_be_known
from referee.play.game_file import open_game
from referee.play.moving_on import carry_out, file_allocation, next_step, stop_after
from referee.play.say import no_order, play
from referee.play.sealing import new_seal_allowed
from referee.play.seat import take_seat
from referee.play.short_orders import orders_meant, ship_meant
from referee.play.standing_elsewhere import moves_to
from referee.play.table import awaited_in
from referee.play.telling import telling
from referee.play.undo import last_played
from referee.play.whose import movers_in
from referee.record.keychains import parse_key_line
from referee.record.secretfiles import secrets_folder
from referee.record.signatures import followed
from referee.record.signkeys import kept_key

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.core.forms import EnergyForm
    from referee.formats.vassal.course import Stand
    from referee.play.game_file import Game

_DIGEST = re.compile("[0-9a-fA-F]{64}")
_SEALED = ("eaf", "moves", "fire")
_MOST_STEPS = 40
"""Steps of a turn that are gone through to the next move of a ship."""


_FIRST = (
    "referee.adjudicator.record_volley",
    "referee.play.dice_calls",
    "referee.play.moving_on",
    "referee.play.say",
    "referee.play.short_orders",
    "referee.play.typed_faces",
)
"""What the first order asks for."""


class RoomDesk(Desk):
    """A desk at which players speak for themselves."""

    def make_ready(self) -> None:
        """Loads, while nobody waits, what the first order would wait for."""
        for name in _FIRST:
            import_module(name)
        _ = self.sight

    asked_of_all = ""
    """Nothing: what all must agree to each says in chat himself."""
    asks_for_forms = False  # They are filed as they stand on the displays of the table.

    def here(self, text: str) -> str:
        """What is said of commands: those who play in a room have a command line of their own."""
        return text

    def order(self, player: str, text: str, *, force: bool = False) -> Answer:
        """Orders of a player's, short or long: his ship is meant where he names none. With `force` they stand against
        the rules, with their fouls."""

        def do() -> None:
            game = self.game
            orders = orders_meant(game.state, text, self.ship_of(player))
            self._must_be_his(game, player, orders)
            if play(game, orders, "", player, force=force) is None:
                raise no_order(game, orders)

        return self._act(do, text)

    def ruled(self, act: Callable[[], Answer], ruling: str) -> Answer:
        """What is done by an act stands, with a ruling beside its foul."""
        before = len(self.game.entries)
        answer = act()
        if not answer.entered or len(self.game.entries) == before:
            return answer
        foul = next((entry.seq for entry in self.game.entries[before:] if entry.type == "foul"), before)
        remark = self.rule(ruling, on=foul)
        return Answer((*answer.lines, *remark.lines), answer.findings, remark.error, asks=answer.asks)

    def _must_be_his(self, game: Game, player: str, orders: str) -> None:
        """Raises BadInput for orders, damage too, for a ship of somebody else."""
        for line in orders.splitlines():
            ship = game.state.ships.get(line.partition(":")[0].strip())
            if ship is not None and ship.player != player:
                raise BadInput(f"{player} does not play {ship.name}", hint=f"{ship.player} does")

    def ship_of(self, player: str) -> str:
        """The one ship of a player's that is still there; empty for none, and for several."""
        state = self._game.state
        own = [ship for ship in state.ships.values() if ship.player == player]
        there = [ship.name for ship in own if not ship.state.dead and not state.has_left(ship)]
        return there[0] if len(there) == 1 else ""

    def roll(self, player: str, dice: str) -> Answer:
        """Dice that a player throws, declared before they fall."""

        def do() -> None:
            game = self.game
            count, sides, _ = parse_notation(dice)
            declare = declaration(game, player, [{"for": "roll", "count": count, "sides": sides}], dice)
            game = append(self.path, lambda _: [declare])
            if awaits(game):
                telling().line(f"declared: roll {game.dice.next_roll - 1}; awaited: {waited_for(game)}")
            else:
                thrown(self.path, head=False)

        answer = self._act(do)
        who = f"{player} rolls {dice}"
        return answer if answer.error else replace(answer, lines=(who, *answer.lines))

    def resolve(self) -> Answer:
        """Throws the dice that are due, and carries out what they do."""

        def do() -> None:
            if not self._due():
                raise BadInput("nothing is to be rolled", hint="!roll 2d6 rolls dice for the table")
            carry_out(self.game, "", False, self.typed)

        return self._act(do)

    def join(self, player: str, words: str) -> Answer:
        """A player takes his seat, with his part of the dice."""

        def do() -> None:
            if self.game.state.dice_mode == "peer":
                hint = "referee game join on your own machine, then send your record"
                raise BadInput("a key of your own is made where nobody else sees it", hint=hint)
            take_seat(self.path, player, words)

        return self._act(do, done=f"{player} has joined")

    @property
    def unsigned(self) -> tuple[str, ...]:
        """The players whose orders cannot be written down here, for their signing keys are kept elsewhere."""
        game = self._game
        signers, folder = followed(game.entries), secrets_folder(self.path)
        if not signers.signed:
            return ()
        return tuple(
            player for player in game.state.players if not kept_key(folder, player, signers.keys[player])
        )

    def key(self, player: str, line: str) -> Answer:
        """A key line of a player's own for the declared roll; with the last one the dice fall."""

        def do() -> None:
            key_text, _, signature = line.partition(" signed ")
            key = parse_key_line(key_text)
            if key.player != player:
                raise BadInput(f"{key.player} gives his own key", hint="each from his own seat")
            signed = {key.player: signature.strip()} if signature else {}
            game = append(self.path, lambda _: [("key", key.data)], signed)
            if not game.dice.waiting_for():
                thrown(self.path, head=False)

        return self._act(do, done="the key is entered")

    def note_seal(self, player: str, text: str) -> Answer:
        """Takes note of a code by which a player seals orders on his own machine: 64 hex digits are a seal, which can
        be shown in the record; any other words a remark, which can be compared by eye."""
        words = text.split()
        code = next((word.casefold() for word in words if _DIGEST.fullmatch(word)), "")
        kind = next((word for word in words if word in _SEALED), "")

        def do() -> None:
            game = self.game
            if not words:
                raise BadInput("seal what?", hint="!seal CODE, or !seal moves CODE")
            if not code:
                note = {"text": f"seals {' '.join(words)}", "by": player}
                append(self.path, lambda _: [("note", note)])
                return
            named = " ".join(word for word in words if word != kind and word.casefold() != code)
            ship = game.state.ship(
                (ship_meant(game.state, named) or named) if named else self.ship_of(player)
            )
            if ship.player != player:
                raise BadInput(f"{player} does not play {ship.name}")
            what = kind or ("moves" if game.state.impulse else "eaf")
            turn, impulse = game.state.turn, 0 if what == "eaf" else game.state.impulse or 0
            new_seal_allowed(game, player, ship, what, impulse)
            data: dict[str, Any] = {
                "v": 1,
                "kind": what,
                "digest": code,
                "game": str(game.state.genesis["game"]),
                "turn": turn,
            }
            data |= {"player": player, "ship": ship.name}
            data["seq"] = game.seals.next_revision(turn, player, ship.name, what, impulse)
            data |= {"impulse": impulse} if impulse else {}
            append(self.path, lambda _: [("seal", data)])

        return self._act(do, done=f"{player} has sealed {code[:8] or 'a remark'}")

    # -- what is done on the map ---------------------------------------------------------

    def is_a_move(self, ship: str, stand: Stand) -> bool:
        """Does one move take a ship to where its counter stands?"""
        unit = self.game.state.ship(ship).unit
        if unit.hex is None or unit.facing is None:
            return False
        return any(after(unit.hex, unit.facing, way) == (stand.hex, stand.facing) for way in WAYS)

    def accept(self, ship: str, where: str, ruling: str = "") -> Answer:
        """As at a table, once the record has gone on to where the ship moves."""
        brought = self._act(lambda: self._bring_on(ship))
        answer = self._accept(ship, where, ruling, force=True)  # Whoever says it has ruled already.
        return replace(answer, lines=(*brought.lines, *answer.lines))

    def moved(self, ship: str, stand: Stand, *, force: bool) -> Answer:
        """A counter stands elsewhere than its ship in the record: its move is entered; against the rules only with
        `force`, with the foul. A few moves at most are entered at once."""
        unit = self.game.state.ship(ship).unit
        try:
            ways = moves_to(ship, unit.hex, unit.facing, f"{stand.hex}{stand.facing}")
        except BadInput as error:
            return Answer(error=str(error))
        if len(ways) != 1 and not force:
            went = f"from {unit.hex}{unit.facing} to {stand.hex}{stand.facing}"
            return Answer(error=f"{ship} went {len(ways)} hexes at once, {went}")
        text = "\n".join(f"{ship}: {way}" for way in ways)

        def do() -> None:
            self._bring_on(ship)
            play(self.game, text, "", "", force)

        answer = self._act(do, text)
        return self._act(do, text) if force and answer.pending else answer

    def _bring_on(self, ship: str) -> None:
        """Goes on in the turn to where a ship moves, as long as nothing is awaited of others."""
        turn = self.game.state.turn
        for _ in range(_MOST_STEPS):
            game = self.game
            if ship in movers_in(game) or awaited_in(game) or self._due() or game.state.turn != turn:
                return
            next_step(game, stop_after(game), game.state.umpire, [], False)

    def back(self, ship: str, seq: int) -> Answer:
        """Takes back a ship's move that its player took back on the map; refused where more was done since."""
        if (last_played(self.game) or 0) > seq:
            return Answer(error=f"{ship} went back, but more was done since: say !undo")
        return self.undo(seq - 1, reason=f"{ship} was put back on the map")

    def go_to(self, turn: int, impulse: int | None, *, force: bool) -> Answer:
        """The tracker on the map was put on: the record goes on to that moment, with what is due on the way."""

        def do() -> None:
            game = self.game
            if self._due():
                game = carry_out(game, "", force, self.typed)
            if (game.state.turn, game.state.impulse or 0) >= (turn, impulse or 0):
                return
            umpire = game.state.umpire
            who = umpire or game.state.players[0]
            agreed = [] if umpire else list(game.state.players)
            moments = game.rulebook.offers.moments(game.rulebook, turn)
            step = next((m for m in moments if m[1] == impulse), moments[0])
            at = "" if step[1] is None else f"{step[1]}."
            next_step(game, f"{turn}.{at}{step[2].replace(' ', '-')}", who, agreed if force else [], force)

        return self._act(do, "next")

    def file_forms(self, forms: Mapping[str, EnergyForm]) -> Answer:
        """Files the energy forms of this turn that stand on the displays of the table, as movement begins; what is
        against one is entered with it, for it cannot be called back."""

        def do() -> None:
            for name, form in forms.items():
                game = self.game
                target, turn = game.state.ships.get(name), game.state.turn
                columns = [column for column in form.allocations if column.turn == turn]
                if target is None or turn in target.forms or not columns:
                    continue
                try:
                    must_be_known(game, target, columns[0], self.path)
                except BadInput as error:
                    telling().line(f"the form of {name} is not filed: {error.reason}")
                    continue
                file_allocation(game, target, columns[0], "", force=True)

        return self._act(do)

    @property
    def wants_forms(self) -> bool:
        """Is this the step in which forms are filed?"""
        return self.game.state.impulse is None

    def reopened(self) -> Game:
        """The record, read again from the disk."""
        self._game = open_game(self.path)
        return self._game


def accused(rule: str, subject: str) -> str:
    """How a line on a foul begins: with its rule, and whose it is where it is a ship's."""
    return f"[{rule}] {subject}".rstrip()


def against(answer: Answer) -> list[str]:
    """What is against an act, a line each, errors first."""
    found = sorted(answer.findings, key=lambda finding: finding.severity is not Severity.ERROR)
    lines = []
    for finding in found:
        fix = f"; {finding.fix}" if finding.fix else ""
        lines.append(f"{accused(finding.rule, finding.subject)} {finding.message}{fix}")
    return lines
