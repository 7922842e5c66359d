"""`referee.Game`: a game record, played on by a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import fspath

from referee.api.asking import Names, Options, names_in, settings_for
from referee.api.judging import Path, check
from referee.core.errors import BadInput, Refused
from referee.core.finding import Finding
from referee.core.game import GameState, Ruling
from referee.core.orders import Order
from referee.core.place_words import standing_text
from referee.formats.orders import format_order
from referee.play import game_file
from referee.play.append import append_begun
from referee.play.moving_on import carry_out, next_step
from referee.play.rulebook_verbs import play_lines
from referee.play.say import no_order, play
from referee.play.start import Terms, begin, rulebook_of_ships
from referee.play.telling import Silent, told_to
from referee.play.undo import agreed_by, said_once, take_back, what_goes
from referee.sources.confirmed import use_folder


class Game:
    """A game record: each order is judged and written to it before the call returns, as `referee game` does.

    >>> game = Game.open("examples/games/cadet-duel.jsonl")
    >>> game.state.turn, sorted(game.state.ships)
    (3, ['Constellation', 'Destruction'])

    Where nothing is recorded BadInput is raised, or Refused with the findings for what is against the rules and was
    not forced.
    """

    def __init__(self, game: game_file.Game) -> None:
        self._game = game

    @classmethod
    def open(cls, path: Path) -> Game:
        """A record that is there. Raises BadInput for none, IntegrityFailure for one that does not verify."""
        use_folder()
        return cls(game_file.open_game(fspath(path)))

    @classmethod
    def new(
        cls,
        path: Path,
        *,
        players: Names,
        ship: Names,
        dice: str = "solo",
        seed: str = "",
        umpire: str = "",
        rulebook: str = "",
        option: Options | None = None,
        house: str = "",
        title: str = "",
        alone: bool = False,
    ) -> Game:
        """Begins a record; ships are named as for `game new`: `Kestrel=cadet/klingon-d6:bob@2812B/12`."""
        use_folder()
        ships = list(names_in(ship))
        settings = settings_for(rulebook or rulebook_of_ships(ships), option, house)
        file = fspath(path)
        terms = Terms(file, list(names_in(players)), dice, umpire, seed, title, alone)
        begun = begin(terms, settings, ships)
        return cls(append_begun(file, begun))

    def __str__(self) -> str:
        """Where the game stands, in a line."""
        state = self.state
        at = f"turn {state.turn}" + (f", impulse {state.impulse}" if state.impulse is not None else "")
        ships = ", ".join(
            f"{name} {standing_text(ship.position)}".rstrip() for name, ship in state.ships.items()
        )
        return f"{self.path}: {at}, {state.step}; {ships}"

    def __repr__(self) -> str:
        return f"<Game {self}>"

    @property
    def path(self) -> str:
        """The record."""
        return self._game.path

    @property
    def state(self) -> GameState:
        """Where the game stands: turn, step, ships, what is due. As of the last call."""
        return self._game.state

    @property
    def head(self) -> str:
        """The head code of the last entry, for the other players."""
        return self._game.head

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """What the umpire decided, but for what was taken back."""
        ruled = ((seq, self._game.entries[seq].data) for seq, _ in self.state.rulings)
        return tuple(Ruling(seq, data["by"], data["text"], data.get("target")) for seq, data in ruled)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What `check` finds in the record."""
        return check(self.path).findings

    def say(self, text: str, player: str = "", *, force: bool = False, agreed: Names = ()) -> list[Finding]:
        """Gives orders, a line each, for a player or, where none is named, for the ships' owners; what was found.
        With `force` they are recorded though they are against the rules, with the foul."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if not lines:
            raise BadInput("no order is given", hint='name the ship: "SHIP: ahead"')

        def ordered(game: game_file.Game) -> game_file.Game:
            if game.state.own is not None:
                return play_lines(game.path, lines, player, force)
            played = play(game, "\n".join(lines), "", player, force, agreed=names_in(agreed))
            if played is None:
                raise no_order(game, lines[0])
            return played

        return self._play(ordered)

    def take(
        self, order: Order, player: str = "", *, force: bool = False, agreed: Names = ()
    ) -> list[Finding]:
        """Gives one order that was read before, such as one of `referee.read("orders.txt").orders`."""
        return self.say(format_order(order), player, force=force, agreed=agreed)

    def next(
        self, to: str = "", player: str = "", *, force: bool = False, agreed: Names = ()
    ) -> list[Finding]:
        """Moves on to the next step, or to one named: `2`, `1.4.fire`."""
        return self._play(lambda game: next_step(game, to, player, names_in(agreed), force))

    def resolve(self, player: str = "", *, force: bool = False) -> list[Finding]:
        """Rolls what is due: fire that was ordered, volleys, seekers that strike."""
        return self._play(lambda game: carry_out(game, player, force, False))

    def undo(
        self,
        target: int | None = None,
        *,
        to: int | None = None,
        back: int | None = None,
        last: bool = False,
        reason: str = "",
        agreed: Names = (),
    ) -> None:
        """Takes back one entry, all after entry `to`, or the last `back` of them; all stay in the record."""
        said_once(target, to, back, last)

        def undone(game: game_file.Game) -> game_file.Game:
            going = what_goes(game, target, to, 1 if last else back)
            return take_back(game.path, going, reason, agreed_by(game, list(names_in(agreed)), going))

        self._play(undone)

    def _play(self, does: Callable[[game_file.Game], game_file.Game]) -> list[Finding]:
        """Plays on in the record as it is on the disk now; what was found meanwhile."""
        heard = _Heard()
        use_folder()
        try:
            with told_to(heard):
                self._game = does(game_file.open_game(self.path))
        except (BadInput, Refused):
            self._game = game_file.open_game(self.path)  # What came before the order refused may be recorded.
            raise
        return heard.found


class _Heard(Silent):
    """Keeps what is found."""

    def __init__(self) -> None:
        self.found: list[Finding] = []

    def findings(self, findings: Sequence[Finding], *, refused: bool) -> None:
        self.found += findings
