"""Players at a table with dice: who rolls what, by slip, for fun, for each other, once more; the dice of a volley
are always those that count by the rules."""

from __future__ import annotations

import re
from random import Random

from referee.formats.vassal import command_types as lv
from tests.unit.formats.vassal.game_logs import LogWriter

PLAYERS = ("Ann", "Ben")
WAYS = ("own",) * 8 + (
    "lent", "slip", "slip, lent", "other's slip", "other's die", "undone", "slip undone", "lent, again",
)  # fmt: skip
"""How the dice of a volley fall: by whoever fired or `lent` by the other, after a slip of either, or taken back."""
TOLD = frozenset(
    {
        "NOTE/dice-aside",  # dice that are not the shots': a slip, or of the other player
        "NOTE/dice-again",  # after every shot had its die, or for one whose die was undone
        "NOTE/dice-first",  # in the step of fire before it is declared
        "NOTE/dice-taken-back",  # undone
        "NOTE/mark-taken-back",  # a slip put right where what struck is not known
    }
)
"""What is told of dice that fall in these ways, none of it an error."""

CHEATS = {
    "second-die": ("D4.1",), "die-again-undone": ("D4.1",), "pair-picked": ("E1.1",), "neither's": ("D4.1",),
}  # fmt: skip
"""Ways to take another die than counts, and the rule that tells."""


def other(player: str) -> str:
    """The player across the table."""
    return PLAYERS[1 - PLAYERS.index(player)]


class Hands:
    """The players of a log being written and their dice."""

    def __init__(self, writer: LogWriter, random: Random) -> None:
        self.writer, self.random = writer, random

    def says(self, player: str, text: str) -> int:
        return self.writer.log(lv.Chat(f"&lt;{player}&gt; - {text}"))

    def rolls(self, player: str, faces: list[int], *, undone: bool = False) -> int:
        """Dice thrown with one press of a button; `undone` at once."""
        button, shown = f"{len(faces)}d6", ",".join(map(str, faces))
        said = lv.Chat(f"*** {button} = {shown} *** <{player}>")
        step = self.writer.log(said, lv.MutableProperty(f"{button}_result", "1", shown, "Module"))
        if undone:
            back = lv.MutableProperty(f"{button}_result", shown, "1", "Module")
            step = self.writer.log(lv.Undo(True), lv.Chat(f"* UNDO: {said.text}"), back, lv.Undo(False))
        return step

    def any(self, count: int) -> list[int]:
        """Faces that count for nothing."""
        return [self.random.randint(1, 6) for _ in range(count)]

    def volley(self, player: str, dice: list[int]) -> None:
        """The dice of shots, together or one by one."""
        together = self.random.random() < 0.5
        for faces in [dice] if together else [[face] for face in dice]:
            self.rolls(player, faces)

    def initiative(self) -> None:
        """Both roll for who goes first; rolled over where they are equal."""
        if self.random.random() < 0.5:
            self.says(self.random.choice(PLAYERS), "who goes first? I roll")
        for player in self.random.sample(PLAYERS, 2):
            self.rolls(player, self.any(1))

    def plays_with_dice(self, player: str) -> None:
        """A die for fun, with a word."""
        words = self.random.choice(("testing the dice button", "oops, wrong window", "a die for luck"))
        late = self.random.random() < 0.3
        if not late:
            self.says(player, words)
        self.rolls(player, self.any(1))
        if late:
            self.says(player, words)

    def way(self, *, alone: bool, free: bool) -> str:
        """A way the dice of a volley may fall: one that slips only where whoever fired has no other shots that
        wait (`alone`), one of the other's dice only where he has none either, nor were any lent (`free`). Dice undone
        that would do for the shots of both are those of both."""
        ways = [way for way in WAYS if alone or way in ("own", "undone")]
        return self.random.choice(
            [way for way in ways if free or not re.search("lent|other|slip undone", way)]
        )

    def fall(self, way: str, player: str, dice: list[int]) -> None:
        """The dice of a volley fall in one of the `WAYS`."""
        count, across = len(dice), other(player)
        if way in ("slip", "slip, lent"):
            self.rolls(player, self.any(count + 1))
        elif way == "slip undone":
            self.rolls(player, self.any(count + 1), undone=True)
        elif way == "other's slip":
            self.rolls(across, self.any(count + 1))
        elif way == "other's die":
            self.rolls(across, self.any(count))
        elif way == "undone":
            self.rolls(player, dice, undone=True)
            self.rolls(player, self.any(count))
            return
        elif way == "lent, again":
            self.rolls(across, dice, undone=True)
            self.rolls(across, self.any(count))
            return
        self.volley(across if "lent" in way else player, dice)

    def cheats(self, way: str, player: str, counts: int, suits: int, others: int) -> int:
        """The die that counts and the one that suits whoever fired; the step that is wrong itself, 0 where only what is
        marked by it is. Neither the other player's die nor his own gives what he marks in `neither's`."""
        if way == "pair-picked":
            return self.rolls(player, [counts, suits])
        if way == "neither's":
            self.rolls(other(player), [others])
        self.rolls(player, [counts], undone=way == "die-again-undone")
        if way != "neither's":
            self.rolls(player, [suits])
        return 0
