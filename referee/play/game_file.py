"""A game record opened for a command: its entries verified, its state folded, its players and step asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput, IntegrityFailure, RefereeError, Refused
from referee.core.finding import Severity
from referee.core.frozen import frozen
from referee.core.game import GameState, ShipInGame, foul_data
from referee.core.gamefold import GameFold
from referee.core.own_sheets import own_id
from referee.core.ship import plain_id
from referee.play.telling import telling
from referee.play.way_back import WayBack, stands_in, takes_back
from referee.rulebooks.registry import load_ship, ruleset_digest

if TYPE_CHECKING:
    from referee.adjudicator.ordering import Ordering
    from referee.core.combat import FreeDrone
    from referee.core.finding import Finding
    from referee.core.ship import ShipClass
    from referee.record.chain import Entry
    from referee.record.diceledger import DiceLedger
    from referee.record.seals import SealLedger
    from referee.rulebooks.base import Rulebook
    from referee.sources.inputs import InputBytes

NewEntry = tuple[str, dict[str, Any]]
SEAL_TYPES = frozenset(("genesis", "seal", "reveal", "umpire_ack", "umpire_reject"))


@frozen
class Game:
    """A record and what it comes to."""

    path: str
    entries: list[Entry]
    state: GameState
    dice: DiceLedger
    seals: SealLedger
    fold: GameFold | None = field(default=None, compare=False, repr=False)
    """What made the state of the entries: those that follow are folded on a fork of it."""

    @property
    def head(self) -> str:
        """The head code of the last entry."""
        from referee.record.headcode import head_code

        return head_code(self.entries[-1].seq, self.entries[-1].hash)

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook of the game, with the options and house rules of its first entry and no others."""
        from referee.play.rulebook import rulebook_of

        return rulebook_of(self.state.genesis)

    @property
    def other_rules(self) -> str:
        """What to say where this installation has other rules, or this folder other numbers of the game's ships, than
        the game was begun with."""
        genesis = self.state.genesis
        if ruleset_digest(str(genesis["rulebook"]), self.classes) == genesis["ruleset"]:
            return ""
        if differing := self.other_numbers:
            return differing
        return f"the rules of this installation are not those of the game (begun with {genesis['tool']})"

    @property
    def other_numbers(self) -> str:
        """What to say where other numbers of the game's ships are confirmed in this folder than in the game."""
        from referee.play.confirmed import other_numbers

        return other_numbers(self.state.genesis, self.classes)

    @property
    def who_rules(self) -> list[str]:
        """The umpire, or all players where there is none."""
        return [self.state.umpire] if self.state.umpire else list(self.state.players)

    @property
    def classes(self) -> frozenset[str]:
        """The classes of its ships, and of those whose numbers were confirmed as it was begun."""
        from referee.core.confirmed import rows_in

        confirmed = {id for id, _, _ in rows_in(self.state.genesis.get("confirmed"))}
        return frozenset(confirmed | {ship.state.ship for ship in self.state.ships.values()})

    def must_have_its_rules(self) -> None:
        """Raises IntegrityFailure where this installation would judge by other rules or numbers."""
        if reason := self.other_rules:
            hint = _THE_GAMES if self.other_numbers else "play on with that version"
            raise IntegrityFailure(reason, file=self.path, place="line 1", hint=hint)

    def must_have_its_numbers(self) -> None:
        """Raises BadInput where what happened would be held against other numbers than the game's: that accuses
        nobody."""
        if reason := self.other_numbers:
            raise BadInput(reason, file=self.path, place="line 1", hint=_THE_GAMES)

    @property
    def ship_classes(self) -> dict[str, ShipClass]:
        """The classes of all ships of the game, by name."""
        return {name: self.ship_class(ship) for name, ship in self.state.ships.items()}

    def ship_class(self, ship: ShipInGame) -> ShipClass:
        """The class of a ship of the game."""
        return load_ship(ship.state.ship)


_THE_GAMES = "play with the confirmed-ships.json of who began it, or with none if he had none"


def open_game(path: str) -> Game:
    """A verified record. Raises IntegrityFailure, TornTail or BadInput."""
    from referee.record.reading import read

    return game_of(path, read(path))


def game_in(source: InputBytes) -> Game:
    """The verified record in a file, or that came through standard input. Raises as `open_game`."""
    if not source.piped:
        return open_game(source.name)
    from referee.record.reading import read_piped

    return game_of(source.name, read_piped(source.data, source.name))


_last: WayBack[Game] = WayBack()
"""The game that was worked out last, since a command asks for it as it opens the record, and once more under the lock;
and games before it."""


def game_of(path: str, entries: Sequence[Entry]) -> Game:
    """The game that some entries make. Raises IntegrityFailure or BadInput where they do not hold together."""
    found = _last.last(path, entries, lambda taken, known: _goes_on(taken, known, entries))
    if found is not None and found[0] == len(entries):
        game = replace(found[1], entries=list(entries))
    else:
        game = _worked_out(path, entries, found)
    _last.keep(path, entries, replace(game, entries=[]))  # Each would hold a row of all entries of its own.
    return game


def _goes_on(taken: int, known: Game, entries: Sequence[Entry]) -> bool:
    """Is nothing of a game taken back by the entries that follow on its own? A table that a rulebook keeps itself is
    worked out anew by each undo."""
    new = entries[taken:]
    if known.fold is None or known.state.own is not None:
        return not takes_back(new)
    return _have_shape(new) and stands_in(known.fold, entries)


def _have_shape(entries: Sequence[Entry]) -> bool:
    """Can the undos among some entries be read? One that cannot is refused where the game is worked out."""
    from referee.record.entrytypes import check_shapes

    try:
        check_shapes(entry for entry in entries if entry.type == "undo")
    except BadInput:
        return False
    return True


def _worked_out(path: str, entries: Sequence[Entry], found: tuple[int, Game] | None = None) -> Game:
    """The game that some entries make; each is taken once, the first so many of a game that was `found` are not taken
    again."""
    from referee.play.rulebook import own_fold
    from referee.record.diceledger import DICE_TYPES, DiceLedger
    from referee.record.entrytypes import check_shapes
    from referee.record.seals import SealLedger

    fold: GameFold | None = None
    taken, known = (0, None) if found is None else found
    if known is not None and known.fold is not None:
        new = entries[taken:]
        dice, seals, fold = known.dice.fork(), known.seals.fork(), known.fold.fork()
    else:
        new, dice, seals = entries, DiceLedger(), SealLedger()
    try:
        check_shapes(new)
    except BadInput as error:
        raise error.at(file=path) from None
    take_own_ships(path, entries, new)
    for entry in new:
        try:
            if entry.type in DICE_TYPES:
                dice.take(entry)
            if entry.type in SEAL_TYPES:
                seals.take(entry)
        except RefereeError as error:
            raise error.at(file=path, place=f"line {entry.line_number}") from None
    try:
        if fold is None:
            fold, new = GameFold(entries, load_ship, own_fold(entries)), entries[1:]
        elif takes_back(new):
            fold.look_ahead(entries)
        for entry in new:
            fold.take(entry)
        return Game(path, list(entries), fold.whole, dice, seals, fold)
    except RefereeError as error:
        raise error.at(file=path) from None


def take_own_ships(path: str, entries: Sequence[Entry], new: Sequence[Entry]) -> None:
    """The players' own ships that a record carries are known from now on. Raises IntegrityFailure or BadInput where they
    are not as they have to be, or a new entry names another."""
    carried = entries[0].data.get("ships", ()) if entries else ()
    try:
        if not isinstance(carried, list | tuple):
            raise BadInput("its own ships are no list", place="line 1")
        if carried and new[:1] == entries[:1]:
            from referee.play.own_ships import enter_own_ships

            enter_own_ships(entries[0].data)
        ids = {own_id(ship["sheet"], ship["sha256"]) for ship in carried}
        for entry in new:
            id = str(entry.data.get("class", "")) if entry.type == "ship" else ""
            if plain_id(id) != id and id not in ids:
                reason = f"the record does not hold the data of {id[:80]}"
                raise IntegrityFailure(reason, place=f"line {entry.line_number}", hint="ask for another copy")
    except RefereeError as error:
        raise error.at(file=path) from None


def agreeing(names: str) -> list[str]:
    """The names in `alice,bob`."""
    return [name.strip() for name in names.split(",") if name.strip()]


def player_in(game: Game, name: str) -> str:
    """The player a command is given for: named with `--as`, or the only one. Raises BadInput."""
    known = (*game.state.players, *((game.state.umpire,) if game.state.umpire else ()))
    if not name and len(game.state.players) == 1:
        return game.state.players[0]
    if name not in known:
        wrong = f"{name} is no player" if name else "say for whom"
        raise BadInput(wrong, file=game.path, hint=f"--as {' or '.join(known)}")
    return name


def owner_in(game: Game, name: str, ship: ShipInGame, *, umpire: bool = False) -> str:
    """The player a command acts for on a ship: its owner, or the umpire where he may. Raises BadInput."""
    me = player_in(game, name or ship.player)
    if me == ship.player or (umpire and me == game.state.umpire):
        return me
    raise BadInput(f"{me} does not play {ship.name}", file=game.path, hint=f"{ship.player} does")


def flies_in(game: Game, name: str, drone: FreeDrone) -> str:
    """The player a command acts for on a drone of the start: the one who orders it, or the umpire; anybody for one
    that flies by itself. Raises BadInput."""
    me = player_in(game, name or drone.player or game.state.players[0])
    if drone.player in ("", me) or me == game.state.umpire:
        return me
    raise BadInput(f"{me} does not order {drone.name}", file=game.path, hint=f"{drone.player} does")


def in_step(game: Game, kind: str, subject: str = "", turn: int | None = None) -> list[Finding]:
    """What the sequence of play says against doing something now (B2.0)."""
    from referee.adjudicator.check import timed

    state = game.state
    return timed(game.rulebook, (state.turn, state.impulse, state.step), kind, subject, turn)


def refuse(findings: Sequence[Finding], force: bool, kept: str = "") -> None:
    """Says what is against the rules; raises Refused unless forced, saying what was recorded: nothing, or what
    `kept` tells."""
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if findings:
        telling().findings(findings, refused=bool(errors))
    if errors and not force:
        raise Refused(f"{kept or 'nothing was recorded'}; --force records it with the foul", errors)


def must_be_meant(ordering: Ordering, force: bool, kept: str = "") -> None:
    """Says what breaks no rule and is recorded only where it is said in so many words; raises Refused unless
    forced."""
    if ordering.asked and not force:
        telling().findings(ordering.asked, refused=True)
        raise Refused(f"{kept or 'nothing was recorded'}; --force records it as it was said", ordering.asked)


def foul_entries(findings: Sequence[Finding], player: str, **parts: Any) -> list[NewEntry]:
    """What a forced action leaves in the record: which rule it breaks."""
    return [
        ("foul", {**foul_data(finding, player), **parts})
        for finding in findings
        if finding.severity is Severity.ERROR
    ]
