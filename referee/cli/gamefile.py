"""A game record opened for a command: its entries verified, its state folded, new entries held to account."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput, RefereeError
from referee.core.frozen import frozen
from referee.core.game import GameState, ShipInGame, fold_game

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.core.ship import ShipClass
    from referee.record.chain import Entry
    from referee.record.diceledger import DiceLedger
    from referee.record.seals import SealLedger
    from referee.rulebooks.base import Rulebook

NewEntry = tuple[str, dict[str, Any]]


def now() -> str:
    """The time for an entry; a claim, never an order."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


@frozen
class Game:
    """A record and what it comes to."""

    path: str
    entries: list[Entry]
    state: GameState
    dice: DiceLedger
    seals: SealLedger

    @property
    def head(self) -> str:
        """The head code of the last entry."""
        from referee.record.headcode import head_code

        return head_code(self.entries[-1].seq, self.entries[-1].hash)

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook of the game with its options. Raises BadInput if this installation has other rules."""
        from referee.rulebooks.registry import load_rulebook

        return load_rulebook(str(self.state.genesis["rulebook"])).with_options(
            self.state.genesis.get("options", {})
        )

    def ship_class(self, ship: ShipInGame) -> ShipClass:
        """The class of a ship of the game."""
        from referee.rulebooks.registry import load_ship

        return load_ship(ship.state.ship)


def open_game(path: str) -> Game:
    """A verified record. Raises IntegrityFailure, TornTail or BadInput."""
    from referee.record.reading import read

    return game_of(path, read(path))


def held(path: str, entries: Sequence[Entry]) -> None:
    """Raises unless entries are a game that holds together: dice, seals, fold, and every volley as its
    dice make it."""
    from referee.cli.gamedice import wrong_effects
    from referee.core.errors import IntegrityFailure

    game_of(path, entries)
    for line, reason in wrong_effects(path, list(entries)):
        raise IntegrityFailure(reason, file=path, place=f"line {line}", hint="nothing was taken in")


def game_of(path: str, entries: Sequence[Entry]) -> Game:
    """The game that some entries make. Raises IntegrityFailure or BadInput where they do not hold together."""
    from referee.record.diceledger import DiceLedger
    from referee.record.seals import SealLedger
    from referee.rulebooks.registry import load_ship

    dice, seals = DiceLedger(), SealLedger()
    for entry in entries:
        try:
            dice.apply(entry)
            seals.apply(entry)
        except RefereeError as error:
            raise error.at(file=path, place=f"line {entry.line_number}") from None
    try:
        return Game(path, list(entries), fold_game(entries, load_ship), dice, seals)
    except BadInput as error:
        raise error.at(file=path) from None


def append(path: str, build: Callable[[Game], Sequence[NewEntry]]) -> Game:
    """Appends what `build` makes of the game under the record's lock; the game after it, on the disk.

    Everything new is held against the dice, the seals and the fold before a byte is written.
    """
    from referee.record import journal
    from referee.record.chain import make_entry

    when = now()
    after: list[Game] = []

    def checked(tail: Any) -> Sequence[NewEntry]:
        game = game_of(path, list(tail.entries()))
        new = list(build(game))
        entries, prev, seq = list(game.entries), tail.hash, tail.seq + 1
        for kind, data in new:
            entry = make_entry(prev, seq, kind, data, when)
            entries.append(entry)
            prev, seq = entry.hash, seq + 1
        after.append(game_of(path, entries))
        return new

    journal.append(path, checked, when)
    return after[-1]


def player_in(game: Game, name: str) -> str:
    """The player a command is given for: named with `--as`, or the only one. Raises BadInput."""
    known = (*game.state.players, *((str(game.dice.umpire),) if game.dice.umpire else ()))
    if not name and len(game.state.players) == 1:
        return game.state.players[0]
    if name not in known:
        wrong = f"{name} is no player" if name else "say for whom"
        raise BadInput(wrong, file=game.path, hint=f"--as {' or '.join(known)}")
    return name


def in_step(game: Game, kind: str, subject: str = "", turn: int | None = None) -> list[Finding]:
    """What the sequence of play says against doing something now (B2.0)."""
    from referee.adjudicator.check import judge
    from referee.core.finding import Finding

    book, state = game.rulebook, game.state
    if "timed" not in book.procedures:
        return []
    facts = book.procedure("timed")(book, kind, (state.turn, state.impulse, state.step), subject, turn)
    found = (item for rule in book.rules_on("timed", "check") for item in judge(rule, book, facts))
    return [item for item in found if isinstance(item, Finding)]


def refuse(findings: Sequence[Finding], force: bool) -> None:
    """Says what is against the rules; exits 1 unless forced."""
    import typer

    from referee.core.finding import Severity
    from referee.report.checktext import findings_text
    from referee.report.paint import Paint

    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    if findings:
        typer.echo(findings_text(findings, Paint(False)), err=bool(errors))
    if errors and not force:
        typer.echo("nothing was recorded; --force records it with the foul", err=True)
        raise typer.Exit(1)


def foul_entries(findings: Sequence[Finding], player: str, **parts: Any) -> list[NewEntry]:
    """What a forced action leaves in the record: which rule it breaks."""
    from referee.core.finding import Severity

    return [
        ("foul", {"player": player, "reason": finding.message, "rule": finding.rule, **parts})
        for finding in findings
        if finding.severity is Severity.ERROR
    ]


def say_head(game: Game) -> None:
    """The head code, for pasting into chat."""
    import typer

    typer.echo(f"head {game.head}  (paste it into chat)")
