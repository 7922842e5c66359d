"""What the chain, the dice and the fold of a record cannot tell, and only the rules can.

Every volley is resolved again from its order and its recorded faces, on the ship as it then was; every
form that is filed or shown, and every step, is judged again. What is against the rules must be followed
by its foul.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput, IntegrityFailure, RefereeError
from referee.core.seals import shown_by
from referee.play.game_file import Game, game_of, in_step, take_own_ships
from referee.record.entrytypes import check_shapes
from referee.record.signatures import verify_signatures

if TYPE_CHECKING:
    from referee.adjudicator.table import GameTable
    from referee.core.finding import Finding
    from referee.core.game import EntryLike
    from referee.core.gamefold import GameFold
    from referee.record.chain import Entry

Data = Mapping[str, Any]
Wrong = tuple[int, str]
"""A line and what is wrong with it."""


def wrong_lines(game: Game) -> list[Wrong]:
    """Lines that the rules do not bear out, with the reason, in order."""
    if game.state.own is not None:
        from referee.play.self_kept_table import wrong_lines as wrong_acts

        return sorted(wrong_acts(game))
    return judged(game)[1]


def judged(game: Game) -> tuple[GameTable, list[Wrong]]:
    """A game on the table, and its lines that the rules do not bear out. Raises BadInput where its ships have other
    numbers here."""
    from referee.play.fouls import wrong_fouls
    from referee.play.table import table_of

    game.must_have_its_numbers()
    again = _Again(game)
    table = table_of(game, again.before)
    errors: dict[int, list[Finding]] = {}
    for seq, finding in [*((entry.seq, finding) for entry, finding in table.found), *again.found()]:
        if finding.severity == "error":
            errors.setdefault(seq, []).append(finding)
    lapsed: dict[int, list[Finding]] = {}
    for entry, finding in table.lapsed:
        lapsed.setdefault(entry.seq, []).append(finding)
    wrong = [*again.wrong, *wrong_fouls(game, errors, lapsed)]
    for entry, players in table.passed_over:
        reason = f"moves on without {' and '.join(players)}, who still has something to do and has not agreed"
        wrong.append((entry.seq + 1, reason))
    return table, sorted(wrong)


class _Again:
    """What a table does not judge, held against the game as it then was: volleys are worked out again, and forms, seals
    and volleys must be in their step. What was taken back is not."""

    def __init__(self, game: Game) -> None:
        self.wrong: list[Wrong] = []
        self._game = game
        self._found: list[tuple[int, Finding]] = []
        self._failed: RefereeError | None = None

    def found(self) -> list[tuple[int, Finding]]:
        """What the rules say, by entry. Raises what an entry was refused for."""
        if self._failed is not None:
            raise self._failed
        return self._found

    def before(self, entry: EntryLike, fold: GameFold) -> None:
        """The next entry. One that cannot be judged is refused when the table has taken them all."""
        if self._failed is not None or entry.seq in fold.taken_back or not _to_be_judged(entry):
            return
        try:
            self._judge(replace(self._game, state=fold.whole), entry)
        except RefereeError as error:
            self._failed = error

    def _judge(self, then: Game, entry: EntryLike) -> None:
        from referee.play.dice import cannot_be_resolved

        line = entry.seq + 1
        if entry.type == "events":
            if reason := _effect(then, entry.data):
                self.wrong.append((line, reason))
            return
        if "volley" in entry.data and (reason := cannot_be_resolved(then, entry.data["volley"])):
            self.wrong.append((line, f"orders a volley that cannot be resolved: {reason}"))
        if "volley" in entry.data and (reason := _reinforced(then, entry.data["volley"])):
            self.wrong.append((line, reason))
        self._found += [(entry.seq, finding) for finding in _JUDGED[entry.type](then, entry.data)]


def _reinforced(game: Game, volley: Data) -> str:
    """Why a due volley may not have this reinforcement, or an empty text. Players give that of a volley they made up
    themselves."""
    from referee.adjudicator.record_forms import reinforcement

    if "of" not in volley:
        return ""
    points = reinforcement(game.rulebook, game.state, volley["ship"], volley["shield"])
    if points == (volley["general"], volley["specific"]):
        return ""
    return "takes other reinforcement than the form of the ship shows"


def _to_be_judged(entry: EntryLike) -> bool:
    if entry.type == "order":
        return "volley" in entry.data
    return entry.type == "events" or entry.type in _JUDGED


def _effect(game: Game, data: Data) -> str:
    """Why the events of a volley are not what the rules make of its dice, or an empty text."""
    from referee.adjudicator.record_shots import with_sensors_as_now
    from referee.play.dice import applied

    roll = game.dice.rolls[data["rolls"][0]]
    parts = ("events", "volleys", "seekers_hit")
    for state in (game.state, with_sensors_as_now(game.state)):
        try:
            (again,) = applied(replace(game, state=state), roll)
        except BadInput as error:
            return f"roll {roll.number} cannot be resolved: {error.reason}"
        if all(again[1].get(part) == data.get(part) for part in parts):
            return ""
    return f"not what roll {roll.number} does by the rules"


def _form(game: Game, data: Data) -> list[Finding]:
    found = in_step(game, "energy allocation", data["ship"], data["turn"])
    return [*found, *_judged(game, data["ship"], data["turn"], data["form"])]


def _reveal(game: Game, data: Data) -> list[Finding]:
    """A form is judged when the last of its lines is shown."""
    seal = game.state.seals.known(data["seal"])
    form, whole = shown_by(seal, data)
    return _judged(game, seal.ship, seal.turn, form) if whole and seal.kind == "eaf" else []


def _judged(game: Game, ship: str, turn: int, form: Data) -> list[Finding]:
    from referee.play.forms import on_form_shown

    return on_form_shown(game, game.state.ship(ship), turn, form)


def _seal(game: Game, data: Data) -> list[Finding]:
    return in_step(game, "energy allocation", data["ship"], data["turn"]) if data["kind"] == "eaf" else []


def _order(game: Game, data: Data) -> list[Finding]:
    return in_step(game, "damage", data["volley"]["ship"]) if "volley" in data else []


_JUDGED: dict[str, Callable[[Game, Data], list[Finding]]] = {
    "form": _form,
    "reveal": _reveal,
    "seal": _seal,
    "order": _order,
}


def held(path: str, entries: Sequence[Entry]) -> None:
    """Raises unless entries are a game that holds together: dice, seals, rights, volleys and fouls. Whether they
    are signed is for `signatures_hold`."""
    for line, reason in wrong_lines(game_of(path, entries)):
        raise IntegrityFailure(reason, file=path, place=f"line {line}")


def signatures_hold(path: str, entries: Sequence[Entry]) -> bool:
    """Whether a record is signed. Raises IntegrityFailure where one that is lacks a signature or holds one that
    is wrong, as `apart` and `take_own_ships`, and BadInput for entries of which nobody knows who must sign them."""
    take_own_ships(path, entries, entries)
    if "signers" not in entries[0].data and not any(entry.sigs for entry in entries):
        return False
    try:
        check_shapes(entries)
        apart(entries)
        return verify_signatures(entries).signed
    except RefereeError as error:
        raise error.at(file=path) from None


def proved(path: str, entries: Sequence[Entry]) -> None:
    """Raises as `signatures_hold`; an unsigned record, read by its shapes already, as `apart`."""
    try:
        if not signatures_hold(path, entries):
            apart(entries)
    except RefereeError as error:
        raise error.at(file=path) from None


def apart(entries: Sequence[Entry]) -> None:
    """Raises IntegrityFailure for two names that look alike, and for anchors of one key chain."""
    from referee.record.anchors import check_anchors
    from referee.record.names import check_names

    check_names(entries)
    check_anchors(entries)
