"""The acts of a game on a rulebook's own table, worked out: by new dice, and again by those of the record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.core.errors import AnswerAwaited, BadInput
from referee.core.finding import Report, Severity
from referee.core.game import are_opponents, foul_data
from referee.core.gamefold import states_before
from referee.play.game_file import foul_entries
from referee.play.rulebook import own_fold
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.core.game import EntryLike
    from referee.core.ownfold import OwnFold
    from referee.play.game_file import Game, NewEntry
    from referee.record.chain import Entry
    from referee.record.rolls import DeclaredRoll


def fold_of(game: Game) -> OwnFold:
    """The fold of a game that is on a rulebook's own table."""
    fold = own_fold(game.entries)
    assert fold is not None
    return fold


def effect(game: Game, roll: DeclaredRoll, cup: Any) -> list[NewEntry]:
    """What the dice of a roll do: those of an act its events and fouls; other dice nothing."""
    number = game.state.rolls[roll.number].volley
    if number is None:
        from referee.play.hand import thrown_group

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
    from referee.play.hand import TypedFaces

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
        ordered = game.entries[entry.data["act"]].data
        if takes_turns(game, str(ordered["player"]), ordered["act"], found):
            yield (
                entry.seq + 1,
                "moves on without another player, who still has something to do and has not agreed",
            )
        if decided := decides_alone(game, str(ordered["player"]), ordered["act"]):
            yield entry.seq + 1, f"decides for all players, but not all have agreed: {decided}"
        yield from _wrong_fouls(game, entry, found, str(ordered["player"]))
    yield from _stray_fouls(game)
    yield from _left_waiting(game)


def _left_waiting(game: Game) -> Iterator[tuple[int, str]]:
    """An act without its events that can never have any: it would hold the game, in which nothing else is ordered
    until they stand. Judged as far as the first die."""
    from referee.play.hand import DieNeeded, NoDice

    for number in getattr(game.state.own, "pending", {}):
        ordered, found = game.entries[number].data, list[Any]()
        try:
            fold_of(game).resolve(game.state.own, number, NoDice(), found)
        except (DieNeeded, AnswerAwaited):
            pass
        except BadInput as error:
            yield number + 1, f"cannot be worked out: {error.reason}"
        if takes_turns(game, str(ordered["player"]), ordered["act"], found):
            yield (
                number + 1,
                "moves on without another player, who still has something to do and has not agreed",
            )
        if decided := decides_alone(game, str(ordered["player"]), ordered["act"]):
            yield number + 1, f"decides for all players, but not all have agreed: {decided}"


def told_rolls(game: Game, side: str) -> set[int]:
    """The rolls of which a side is told all they did. Raises BadInput where nothing is hidden from anybody."""
    if game.state.own is None:
        raise BadInput("nothing in this game is secret to one side", hint="leave --as out")
    game.state.own.document(side)
    return {
        number
        for entry in game.entries
        if entry.type == "events"
        and all(side in event.get("only", (side,)) for event in entry.data["events"])
        for number in entry.data.get("rolls", ())
    }


def takes_turns(game: Game, author: str, act: Mapping[str, Any], found: Sequence[Finding]) -> bool:
    """Does an act that is no ship's, a round or a turn, move on against a rule without those it passes over? Where
    several players keep the record all agree to it, or the umpire does it."""
    if "ship" in act or not are_opponents(game.state.genesis) or author == game.state.umpire:
        return False
    agreed = {author, *act.get("agreed_by", ())}
    return bool(_errors(found)) and not agreed.issuperset(game.state.players)


def decides_alone(game: Game, author: str, act: Mapping[str, Any]) -> str:
    """What an act says that dice, or an umpire, decide for all: a given order of action, who is crippled, who gives
    up locks. Where several players keep the record all agree to that, or the umpire says it."""
    genesis = game.state.genesis
    if "ship" in act or not are_opponents(genesis) or author == game.state.umpire:
        return ""
    agreed = {author, *act.get("agreed_by", ())}
    decided = [name.replace("_", " ") for name in ("order", "crippled", "give_up_locks") if act.get(name)]
    return "" if agreed.issuperset(game.state.players) else " and ".join(decided)


def _errors(found: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in found if finding.severity is Severity.ERROR]


def _wrong_fouls(
    game: Game, events: EntryLike, found: Sequence[Finding], author: str
) -> Iterator[tuple[int, str]]:
    """Errors of an act without their foul, and fouls behind it that none of them bears out."""
    owed = [foul_data(finding, author) for finding in _errors(found)]
    for entry in game.entries[events.seq + 1 :]:
        if entry.type != "foul":
            break
        if dict(entry.data) in owed:
            owed.remove(dict(entry.data))
        elif entry.seq not in game.state.undone and not game.other_rules:
            yield entry.seq + 1, f"a foul with no cause in the record, against {entry.data['player']}"
    for reason in sorted({str(foul["reason"]) for foul in owed}):
        yield events.seq + 1, f"breaks a rule, and no foul is recorded: {reason}"


def _stray_fouls(game: Game) -> Iterator[tuple[int, str]]:
    """Fouls that stand behind no events."""
    before: Entry | None = None
    for entry in game.entries:
        if entry.type != "foul":
            before = entry
        elif before is not None and before.type != "events" and entry.seq not in game.state.undone:
            yield entry.seq + 1, f"a foul with no cause in the record, against {entry.data['player']}"


def own_report(game: Game, fouls: Sequence[Finding]) -> Report:
    """The report of the rules on a game: its fouls, and findings that are no errors."""
    findings: list[Finding] = []
    for _, _, found in worked_again(game):
        findings += [finding for finding in found if finding.severity is not Severity.ERROR]
    kinds = {entry.data["act"]["act"] for entry in game.entries if entry.type == "order"}
    subjects = {"turn": ("enrolled", "standing"), "round": ("sheet",), "ship": ("action",)}
    on = [subject for kind, about in subjects.items() if kind in kinds for subject in about]
    checked = [rule.key for subject in on for rule in game.rulebook.rules_on(subject, "check")]
    entered = [
        entry.data for entry in game.entries if entry.type == "ship" and entry.seq not in game.state.undone
    ]
    ships = tuple(
        {"name": ship["ship"], "ship": ship["class"], "rulebook": game.rulebook.id} for ship in entered
    )
    return Report((*fouls, *findings), tuple(checked), rulebook=game.rulebook.id, ships=ships)
