"""The fouls of a record against what judging its entries gives: no more of them and no fewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from referee.core.frozen import frozen
from referee.core.game import at_fault, volley_number
from referee.core.takenback import taken_back
from referee.core.takenover import is_taken

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.play.game_file import Game
    from referee.record.chain import Entry

Wrong = tuple[int, str]


@frozen
class Act:
    """An entry, or the order of a volley with its declaration, and the fouls that stand behind it; `turn` and
    `impulse` are where the game stood after it."""

    entries: list[Entry]
    turn: int
    impulse: int | None
    fouls: list[Entry] = field(default_factory=list)


def wrong_fouls(
    game: Game, errors: Mapping[int, Sequence[Finding]], lapsed: Mapping[int, Sequence[Finding]]
) -> Iterator[Wrong]:
    """Errors without their foul, at the line of their entry, and fouls that no error bears out, at their own. What
    was wrong only then (`lapsed`) bears a foul out, and owes none.

    What was taken back, and what the game went back past, owes none. Of entries that a file told when the game was
    taken from it each rule that is broken is named, and by other rules than those of the game no foul is too many.
    """
    back, genesis = taken_back(game.entries), game.state.genesis
    free = bool(game.other_rules)
    # Where a rule that came later is broken and no foul is recorded the record is older, and no forgery.
    later = game.rulebook.named.later
    for act in _acts(game):
        left = [
            (entry, finding)
            for entry in act.entries
            for finding in errors.get(entry.seq, ())
            if entry.seq not in back
        ]
        taken = is_taken(genesis, act.entries[0].seq)
        named = {str(foul.data.get("rule")) for foul in act.fouls} if taken else set()
        left = [(entry, finding) for entry, finding in left if finding.rule not in named]
        moved_on = any(entry.seq in back for entry in act.entries)
        then = [(entry, finding) for entry in act.entries for finding in lapsed.get(entry.seq, ())]
        for foul in act.fouls:
            cause = next((pair for pair in (*left, *then) if _names(game, act, foul.data, *pair)), None)
            if cause is not None:
                (left if cause in left else then).remove(cause)
            elif not (taken or free or moved_on or foul.seq in back):
                yield foul.seq + 1, f"a foul with no cause in the record: {_in_words(foul.data)}"
        owed = ((entry.seq + 1, finding.rule) for entry, finding in left if finding.rule not in later)
        for line, rule in dict.fromkeys(owed):
            yield line, f"breaks {rule}, and no foul is recorded"


def _acts(game: Game) -> list[Act]:
    """The entries of a record, each with the fouls behind it."""
    back = taken_back(game.entries)
    turn, impulse = 0, None
    acts: list[Act] = []
    for entry in game.entries:
        if entry.type == "foul":
            acts[-1].fouls.append(entry)
            continue
        if entry.type == "step" and entry.seq not in back:
            turn, impulse = entry.data["turn"], entry.data.get("impulse")
        number = volley_number(str(entry.data.get("purpose", ""))) if entry.type == "declare" else None
        if number is not None and acts[-1].entries[-1].seq == number and not acts[-1].fouls:
            acts[-1].entries.append(entry)
        else:
            acts.append(Act([entry], turn, impulse))
    return acts


def _names(game: Game, act: Act, foul: Mapping[str, Any], entry: Entry, finding: Finding) -> bool:
    """Does a foul name the rule, subject, moment and player that judging an entry gives? The moment may be that of
    the entry, and the player its author."""
    rule = foul.get("rule", "")
    key = foul.get("key", rule)
    if (rule, key, foul.get("subject", "")) != (finding.rule, finding.key, finding.subject):
        return False
    seal = game.state.seals.get(str(entry.data.get("seal", "")))
    turns = {finding.turn, act.turn} | ({seal.turn} if seal else set())
    impulses = {finding.impulse, act.impulse}
    if foul.get("turn") not in turns or foul.get("impulse") not in impulses:
        return False
    if "seal" in foul and foul["seal"] != entry.data.get("seal"):
        return False
    author = seal.player if seal else entry.data.get("player") or entry.data.get("who")
    author = str(author or game.state.players[0])
    return foul["player"] in (author, at_fault(game.state.ships, finding, author))


def _in_words(foul: Mapping[str, Any]) -> str:
    rule, about = foul.get("key", foul.get("rule", "no rule")), foul.get("subject", "")
    return f"{rule}{f' of {about}' if about else ''}, against {foul['player']}"
