"""Dice thrown on the table and typed in: all at once, or one after another until a roll has all it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from referee.core.errors import AnswerAwaited, BadInput
from referee.core.naming import how_many
from referee.play.append import append, thrown
from referee.play.dice import dice_to_type, die_after, needs_no_faces
from referee.play.hand import NoSuchFace
from referee.play.telling import telling
from referee.play.typed_faces import forget_faces, keep_faces, kept_faces
from referee.record.machine import random_number

if TYPE_CHECKING:
    from referee.play.game_file import Game
    from referee.record.rolls import DeclaredRoll


def entered(game: Game, faces: Sequence[int], by: str, *, again: bool = False) -> Game | None:
    """The game with the faces of its open roll, those typed in before with them; with `again` those are forgotten.
    None where more are asked for, or none were given: it is said which comes next. Raises BadInput."""
    roll = game.dice.open_roll
    if roll is not None and roll.source == "physical" and not needs_no_faces(game):
        if again:
            game = set_faces_aside(game, roll)
        before, new = kept_faces(game, roll), list(faces)
        try:
            next_die = die_after(game, roll, [*before, *new]) if before or new else ""
        except AnswerAwaited as asked:
            next_die = f"{asked.reason}? ({asked.hint})"
        except BadInput as error:
            error.hint = faces_wanted(game) or error.hint
            raise error.at(file=game.path) from None
        if next_die:
            if new:
                keep_faces(game, roll, new)
            telling().line(f"{' '.join(map(str, [*before, *new]))}; next: {next_die}")
            return None
        faces = [*before, *new]
    game = thrown(game.path, list(faces) or None, by)
    if faces and roll is not None:
        forget_faces(game, roll)
    return game if faces else None


def entered_as_far(game: Game, text: str) -> None:
    """The faces of the open roll that are typed in a row; of one with a face that its die does not have those before
    it are kept. Raises BadInput."""
    roll, faces = game.dice.open_roll, numbers_in(text)
    if roll is None:
        raise BadInput("no dice are asked for")
    before = len(kept_faces(game, roll))
    try:
        entered(game, faces, roll.who)
    except NoSuchFace as wrong:
        if good := faces[: max(wrong.good - before, 0)]:
            entered(game, good, roll.who)
            kept = f"{' '.join(map(str, good))} {'is' if len(good) == 1 else 'are'} kept"
            raise BadInput(wrong.reason, hint=f"{kept}: {faces_wanted(game)}") from None
        raise


def throw_for(game: Game, roll: DeclaredRoll) -> None:
    """Throws the dice of an open roll that are not typed in yet, for players who have none at hand; a note says so."""
    before = kept_faces(game, roll)
    new: list[int] = []
    # A box is asked for when its point is scored: the dice behind it are thrown after that.
    with suppress(AnswerAwaited):
        while die := die_after(game, roll, [*before, *new]):
            count, _, rest = die.partition("d")
            new += [1 + random_number(int(rest.split()[0])) for _ in range(int(count))]
    entered(game, new, roll.who)
    if not new:
        return
    text = f"dice {roll.number}: thrown by the program ({len(new)} of {len(before) + len(new)} dice)"
    append(game.path, lambda _: [("note", {"text": text, "by": game.state.umpire or roll.who})])


def set_faces_aside(game: Game, roll: DeclaredRoll, first: int = 0) -> Game:
    """The game without the faces kept from the `first` on, and the boxes: a note says which faces they were."""
    kept = kept_faces(game, roll)
    if faces := kept[first:]:
        text = f"dice {roll.number}: {' '.join(map(str, faces))} typed in and set aside"
        note = {"text": text, "by": game.state.umpire or roll.who}
        game = append(game.path, lambda _: [("note", note)])
    forget_faces(game, roll)
    if kept[:first]:
        keep_faces(game, roll, kept[:first])
    return game


def faces_wanted(game: Game) -> str:
    """How many faces are still to be typed in, where that is known; else the dice that are."""
    roll = game.dice.open_roll
    if roll is None or not roll.order:
        return dice_to_type(game)
    wanted = sum(group["count"] for group in roll.order) - len(kept_faces(game, roll))
    return f"{how_many(wanted, 'face')} wanted"


def numbers_in(text: str) -> list[int]:
    """The faces in `3 4 6`, `3,4,6` or `346`. Raises BadInput."""
    parts = text.replace(",", " ").split()
    if not parts or not all(part.isascii() and part.isdecimal() for part in parts):
        raise BadInput(f"{text.strip()[:40]!r} are no dice", hint="the faces as they fell: 3 4 6")
    return [int(face) for part in parts for face in (part if len(part) > 1 else (part,))]
