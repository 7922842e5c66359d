"""Dice at a live table: what is due, what fell and is typed in, what the program throws."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from referee.adjudicator.volleys_due import volleys_to_roll
from referee.core.errors import BadInput
from referee.core.frozen import replace
from referee.play.acting import Acting, Answer
from referee.play.append import append, thrown
from referee.play.choosing import pick
from referee.play.dice_anew import asked_anew, typed_wrongly
from referee.play.dice_calls import DEFAULT_POLICY
from referee.play.fallen_dice import WRONG, dice_text, shooter
from referee.play.game_file import open_game
from referee.play.keys_here import keys_given, must_be_seated
from referee.play.moving_on import carry_out
from referee.play.typed_dice import entered_as_far, faces_wanted, set_faces_aside, throw_for
from referee.play.typed_faces import forget_pick, kept_faces, kept_picks

if TYPE_CHECKING:
    from referee.core.game import ShipInGame
    from referee.core.ship import ShipClass
    from referee.play.game_file import Game
    from referee.record.rolls import DeclaredRoll

_DICE = re.compile(r"[0-9][0-9, ]*t?|t", re.IGNORECASE)


def is_dice(text: str) -> bool:
    """Are these dice as they fell, `3 4 6` or `346`, with a `t` behind them where the program throws the rest?"""
    return _DICE.fullmatch(text) is not None


class DiceAtTable(Acting):
    """A record whose dice are typed in, or thrown."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.typed = False
        """Are dice thrown on the table and typed in, whatever the game's are?"""
        self.thrown = False
        """Does the program throw them, also in a game with dice by hand?"""

    def dice_are(self, kind: str = "") -> str:
        """Dice are `typed` in or thrown by the `program` from now on; the other way than now where neither is said. Says
        so. Raises BadInput for another word."""
        if kind not in ("", "typed", "program"):
            raise BadInput(f"dice {kind}", hint="dice typed, or dice program")
        now = self.typed or (self._game.state.dice_mode == "physical" and not self.thrown)
        self.typed = kind == "typed" if kind else not now
        self.thrown = not self.typed
        sentence = f"dice are {'typed in' if self.typed else 'thrown by the program'} from now on"
        return (
            f"{sentence}; `t` throws those asked for now"
            if self.thrown and self.asks and not self.box
            else sentence
        )

    @property
    def whose_dice(self) -> str:
        """Whose dice are typed in now, as they fell; empty where none are, or a box is chosen."""
        roll = self._game.dice.open_roll
        if roll is None or self.box or not self.asks:
            return ""
        dice = [shooter(self._game, roll, group) for group in roll.order for _ in range(group["count"])]
        of = dict.fromkeys(f"{player}'s" for player in dice[len(kept_faces(self._game, roll)) :])
        volley = self._game.state.rolls[roll.number].volley
        struck = "" if volley is None else self._game.entries[volley].data["volley"]["ship"]
        return f"the dice as they fell: {', then '.join(of) or f'for the damage to {struck}'}"

    @property
    def typed_so_far(self) -> str:
        """The dice asked for that are typed in already, in a line; empty where none is."""
        roll = self._game.dice.open_roll
        kept = kept_faces(self._game, roll) if roll is not None and self.asks else []
        return (
            f"dice typed in already: {' '.join(map(str, kept))}; {faces_wanted(self._game)}" if kept else ""
        )

    def _due(self) -> bool:
        """Is anything to be rolled or carried out?"""
        state = self._game.state
        rolling = self._game.dice.open_roll is not None or state.unapplied is not None
        return rolling or bool(state.unrolled) or bool(volleys_to_roll(self._game.rulebook, state))

    def faces(self, text: str) -> Answer:
        """Dice that fell on the table, typed in as they are asked for, some or all of them: `3 4 6`, or `346`; where a
        box is asked for, its number. With a `t` behind them the program throws the rest: `34t`."""
        answer = text.strip()
        if answer[-1:].casefold() == "t" and is_dice(answer):
            typed = self.faces(answer[:-1]) if answer[:-1].strip(" ,") else Answer()
            if not typed.entered or not self.asks:
                return typed
            thrown = self.throw()
            return replace(thrown, lines=(*typed.lines, *thrown.lines))
        if self.box is not None:
            return self.pick(text)

        def do() -> None:
            entered_as_far(self.game, text)
            self._carried_out()

        return self._act(do)

    def pick(self, box: str) -> Answer:
        """The box that is asked for (`box`), by its number or its name."""

        def do() -> None:
            pick(self.game, box)
            self._carried_out()

        return self._act(do)

    def ssd(self, ship: str) -> tuple[ShipInGame, ShipClass]:
        """A ship as it is, in the middle of a volley as that has left it so far, and what its SSD prints."""
        found, box = self._game.state.ship(ship), self.box
        if box is not None and box.ship == ship:
            found = replace(found, state=box.state)
        return found, self._game.ship_class(found)

    def choice_of(self, ship: str) -> str:
        """How a ship's boxes are given up where its owner may choose."""
        return self._game.state.choices.get(ship, DEFAULT_POLICY)

    @property
    def picked(self) -> bool:
        """Is a die of the open roll typed in, or a box chosen, that may be taken back by itself?"""
        roll = self._game.dice.open_roll
        if roll is None or roll.source != "physical":
            return False
        return bool(kept_picks(self._game, roll) or (not self.box and kept_faces(self._game, roll)))

    def unpick(self) -> Answer:
        """The box that was chosen last, else the die typed in last, is asked for anew; those before it stay."""

        def do() -> None:
            roll = self.game.dice.open_roll
            if roll is None or not self.picked:
                raise BadInput("no die is typed in, and no box chosen, that may be taken back by itself")
            if box := forget_pick(self._game, roll):
                self._lines.append(f"taken back: {box} is not the box")
                return
            *before, last = kept_faces(self._game, roll)
            set_faces_aside(self._game, roll, len(before))
            self._lines.append(f"taken back: the die that showed {last}; {faces_wanted(self._game)}")

        return self._act(do)

    def throw(self) -> Answer:
        """The program throws the dice that are asked for; a note says so where the game's are thrown by hand."""

        def do() -> None:
            roll = self.game.dice.open_roll
            if roll is None:
                raise BadInput("no dice are asked for", hint="`n` asks for those that are due")
            if roll.source != "physical":
                thrown(self.path, head=False)
                return
            self._throw_for(roll)

        return self._act(do)

    def _throw_for(self, roll: DeclaredRoll) -> None:
        """The program throws the dice of an open roll that are thrown by hand, and they are carried out."""
        throw_for(self.game, roll)
        self._carried_out()

    def forget_faces(self, *, force: bool = False) -> Answer:
        """Forgets the dice of the open roll that were typed in so far. Where none is open, or no die of it is typed
        in, those that were typed in last are forgotten, if nothing was done since. What they did is taken back, and
        they are asked for anew."""

        def do() -> None:
            roll = self.game.dice.open_roll
            if roll is not None and (kept_faces(self._game, roll) or kept_picks(self._game, roll)):
                faces = " ".join(map(str, kept_faces(self._game, roll)))
                set_faces_aside(self._game, roll)
                self._lines.append(f"{faces or 'the boxes chosen'} set aside: type the dice anew")
                return
            anew = typed_wrongly(self._game, roll.declaration if roll else "")
            if self.asked_of_all and not force:
                fell = anew.going.fallen
                self._ask([f"typed in anew: {'; '.join(dice_text(self._game, entry) for entry in fell)}"])
            if roll is not None:
                self._without_open_roll(anew.going.target - 1, WRONG)
            self._lines.append(asked_anew(open_game(self.path), anew))
            self._game = open_game(self.path)
            self._carry_out(False)

        return self._act(do, "again")

    def _confirmed(self) -> Game:
        """The game with typed dice confirmed: who sits at the table saw them fall."""
        game = self.game
        due = [roll for roll in game.dice.rolls.values() if roll.typed and not roll.confirmed]
        if not due:
            return game
        others = [name for name in game.state.players if name != due[-1].entered_by]
        by = game.state.umpire or next(iter(others), due[-1].entered_by)
        data = {"roll": due[-1].number, "by": by, "result": due[-1].result}
        self._game = append(self.path, lambda _: [("confirm", data)])
        return self._game

    def _carried_out(self) -> None:
        """Typed dice are confirmed, and what they did is carried out."""
        if self.game.dice.open_roll is None:
            self._confirmed()
            if self._due():
                self._carry_out(False)

    def _carry_out(self, force: bool) -> None:
        """What is due is carried out; where the dice are made of the players' keys, those kept here are given."""
        must_be_seated(self._game)
        carry_out(self._game, "", force, self.typed)
        while keys_given(self.path):
            self._game = open_game(self.path)
            if self._due():
                carry_out(self._game, "", force, self.typed)
        if self.thrown and (roll := self.game.dice.open_roll) is not None and self.asks and not self.box:
            self._throw_for(roll)
