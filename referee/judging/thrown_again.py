"""Dice of a record that were thrown again: what they were thrown for was taken back, and done once more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.core.naming import how_many
from referee.core.takenback import taken_back
from referee.play.fallen_dice import dice_text, is_program_thrown, mistyped, orders_rolled

if TYPE_CHECKING:
    from referee.core.game import EntryLike
    from referee.play.game_file import Game

_KEY = "NOTE/thrown-again"


def thrown_again(game: Game, file: str) -> Iterator[Finding]:
    """Findings on rolls for shots whose dice had been thrown before in the same impulse: the faces of those, and who
    agreed to take them back. It is a warning where the program had thrown them, a note where they were typed in; dice
    that were typed in wrongly are no throw."""
    back = taken_back(game.entries)
    if not back.stayed:
        return
    declared = {entry.data["roll"]: entry for entry in game.entries if entry.type == "declare"}
    wrong = mistyped(game)
    before: dict[object, EntryLike] = {}
    for entry in game.entries:
        if entry.type not in ("result", "forfeit_roll") or not entry.data.get("dice"):
            continue
        orders = orders_rolled(str(declared[entry.data["roll"]].data.get("purpose", "")))
        things = [thing for number in orders for thing in _rolled_for(game.entries[number])]
        again = [before[thing] for thing in things if thing in before]
        if again:
            yield _finding(game, game.entries[orders[0]], entry, again[-1], file)
        if (
            entry.data["roll"] not in wrong
            and entry.seq in back.stayed
            and any(number in back.gone for number in orders)
        ):
            before |= dict.fromkeys(things, entry)


def _rolled_for(order: EntryLike) -> Iterator[object]:
    """What dice are thrown for, the same where it is ordered again: a weapon's fire at a target in an impulse, or
    damage that was due."""
    data = order.data
    if fire := data.get("fire"):
        when = data.get("turn"), data.get("impulse")
        yield from ((*when, fire["ship"], weapon, fire["target"]) for weapon in fire["weapons"])
    elif "of" in data.get("volley", {}):
        yield ("volley", *data["volley"]["of"])


def _finding(game: Game, order: EntryLike, now: EntryLike, old: EntryLike, file: str) -> Finding:
    fire = order.data.get("fire")
    what = f"fire at {fire['target']}" if fire else f"the damage of {order.data['volley']['ship']}"
    undo = next(
        each
        for each in game.entries[old.seq :]
        if each.type == "undo" and each.seq not in game.state.undone and each.data["target"] <= old.seq
    )
    agreed = ", ".join(undo.data["agreed_by"])
    dice = how_many(sum(len(group["faces"]) for group in old.data["dice"]), "die", "dice")
    program = is_program_thrown(game, old.data["roll"])
    return Finding(
        _KEY,
        Severity.WARNING if program else Severity.NOTE,
        f"{'roll' if program else 'dice'} {now.data['roll']} {'is' if program else 'are'} for {what}, for which {dice} had been {'thrown' if program else 'typed in'} before: "
        f"{dice_text(game, old)}; taken back by #{undo.seq} (agreed by {agreed}: {undo.data['reason']})",
        fire["ship"] if fire else order.data["volley"]["ship"],
        order.data.get("turn"),
        order.data.get("impulse"),
        Location(file, record_line=now.seq + 1),
    )
