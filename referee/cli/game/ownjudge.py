"""The acts of a game on a rulebook's own table, worked out: by new dice, and again by those of the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from referee.cli.game.rulebook import own_fold
from referee.core.errors import BadInput

if TYPE_CHECKING:
    from referee.cli.game.file import Game, NewEntry
    from referee.core.finding import Finding, Report
    from referee.core.game import EntryLike
    from referee.core.ownfold import OwnFold
    from referee.record.chain import Entry
    from referee.record.rolls import Roll


def fold_of(game: Game) -> OwnFold:
    """The fold of a game that is on a rulebook's own table."""
    fold = own_fold(game.entries)
    assert fold is not None
    return fold


def effect(game: Game, roll: Roll, cup: Any) -> list[NewEntry]:
    """What the dice of a roll do: those of an act its events and fouls; other dice nothing."""
    from referee.cli.game.file import foul_entries

    number = game.state.rolls[roll.number].volley
    if number is None:
        from referee.cli.game.hand import thrown_group

        for group in roll.order:
            thrown_group(cup, group)
        return []
    found: list[Finding] = []
    data = fold_of(game).resolve(game.state.own, number, cup, found)
    who = str(game.entries[number].data["player"])
    return [("events", data | {"rolls": [roll.number], **_now(game)}), *foul_entries(found, who)]


def _now(game: Game) -> dict[str, int]:
    return {"turn": game.state.turn}


def worked_again(game: Game) -> Iterator[tuple[EntryLike, dict[str, Any] | str, list[Finding]]]:
    """The events of every act, worked out again from the dice of the record: what they should be, or why
    they cannot be worked out; and what the rules say to them."""
    from referee.cli.game.hand import TypedFaces
    from referee.core.gamefold import states_before
    from referee.rulebooks.registry import load_ship

    fold = fold_of(game)
    for entry, state in states_before(game.entries, load_ship, lambda entry: entry.type == "events", fold):
        rolls = [game.dice.rolls[number] for number in entry.data.get("rolls", ())]
        hand = TypedFaces([face for roll in rolls for group in roll.dice for face in group["faces"]])
        found: list[Finding] = []
        try:
            again = fold.resolve(state.own, entry.data["act"], hand, found)
            hand.finish()
        except BadInput as error:
            yield entry, error.reason, found
            continue
        yield entry, again, found


def wrong_lines(game: Game) -> Iterator[tuple[int, str]]:
    """Lines of events that are not what their act does by the dice recorded, or that lack their fouls."""
    for entry, again, found in worked_again(game):
        if isinstance(again, str):
            yield entry.seq + 1, f"cannot be worked out: {again}"
            continue
        if any(again[part] != entry.data.get(part) for part in again):
            yield entry.seq + 1, "not what the act does by the rules and its dice"
        author = str(game.entries[entry.data["act"]].data["player"])
        for reason in sorted(_errors(found) - _fouls_after(game.entries, entry.seq, author)):
            yield entry.seq + 1, f"breaks a rule, and no foul says so: {reason}"


def told_rolls(game: Game, side: str) -> set[int]:
    """The rolls of which a side is told all they did. Raises BadInput where nothing is hidden from anybody."""
    if game.state.own is None:
        raise BadInput("nothing in this game is told to one side only", hint="leave --as out")
    game.state.own.document(side)
    return {
        number
        for entry in game.entries
        if entry.type == "events" and all(side in said.get("only", (side,)) for said in entry.data["events"])
        for number in entry.data.get("rolls", ())
    }


def _errors(found: Sequence[Finding]) -> set[str]:
    from referee.core.finding import Severity

    return {finding.message for finding in found if finding.severity is Severity.ERROR}


def _fouls_after(entries: Sequence[Entry], seq: int, author: str) -> set[str]:
    """The fouls of an act's author recorded with its events."""
    reasons: set[str] = set()
    for entry in entries[seq + 1 :]:
        if entry.type != "foul":
            break
        if entry.data.get("player") == author:
            reasons.add(str(entry.data["reason"]))
    return reasons


def own_report(game: Game, fouls: Sequence[Finding]) -> Report:
    """What the rules say to a game: its fouls, and what was found that is no error."""
    from referee.core.finding import Report, Severity

    said: list[Finding] = []
    for _, _, found in worked_again(game):
        said += [finding for finding in found if finding.severity is not Severity.ERROR]
    kinds = {entry.data["act"]["act"] for entry in game.entries if entry.type == "order"}
    subjects = {"turn": ("enrolled", "standing"), "round": ("sheet",), "ship": ("action",)}
    on = [subject for kind, about in subjects.items() if kind in kinds for subject in about]
    checked = [rule.key for subject in on for rule in game.rulebook.rules_on(subject, "check")]
    return Report((*fouls, *said), tuple(checked), rulebook=game.rulebook.id)
