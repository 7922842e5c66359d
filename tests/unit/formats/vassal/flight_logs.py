"""Games in which a ship's drones fly by the rules at another, and players treat their counters as players do: put on
a heap once they are no more, nudged there, masked for a while, dragged too far and put right."""

from __future__ import annotations

from random import Random

from referee.core.hexgrid import FACINGS, Hex, true_range
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from tests.unit.formats.vassal.game_logs import EDGE, MIDDLE, STEPS, LogWriter, legal_game, moved, pixels

DRONE = "Drone 1"
OPEN = ("null;", "null")
VEILS = (("ann;", "null"), ("null;", "ann"))
_Place = tuple[Hex, str]


def fewest(place: _Place, target: Hex) -> int:
    """The fewest hexes to a target for one that may turn 60 degrees before each, by trying all ways."""
    ring = seen = {place}
    for count in range(70):
        if any(hex == target for hex, _ in ring):
            return count
        ring = {moved(hex, bow, way) for hex, bow in ring for way in (0, 1, -1)} - seen
        ring = {one for one in ring if true_range(one[0], target) <= true_range(place[0], target) + 3}
        seen = seen | ring
    raise AssertionError("no way")


class Flights(LogWriter):
    """One drone's flight in a legal game of two ships; `ended` says how it came to be no more, `doubtful` that only
    a player knows, `wrong` the step of what is spoilt: a hex too many, or one made once it is no more."""

    def __init__(self, random: Random, spoil: str = "") -> None:
        super().__init__(legal_game(random, turns=2))
        self.random, self.spoil = random, spoil
        self.target, self.owner = self.game.ships
        self.ids[DRONE] = "180000000001"
        self.at: _Place = Hex(1, 1), "A"
        self.veil = OPEN
        self.flies = self.doubtful = self.put_away = False
        self.hexes = self.wrong = self.dark = 0
        self.ended = ""
        self.owed: Hex | None = None

    # -- its counter

    def _types(self) -> str:
        return join_chain(
            [
                "obs;77,130;mask.png;Mask;B;?;player:;Peek;desc;false;;",
                "hide;73,130;Invisible;255,255,255;side:;0.3;desc;false",
                "rotate;6;93,130;91,130;Rotate right;Rotate left;;;Heading;facing;;;;true",
                f"piece;;;d.png;{DRONE}",
            ]
        )

    def _states(self) -> list[str]:
        (hex, bow), turned = self.at, 3 * self.game.reversed
        x, y = pixels(reversed=self.game.reversed)[str(hex)]
        return [*self.veil, str((FACINGS.index(bow) + turned) % 6), f"Space;{x};{y};1;4"]

    def turn(self, bow: str) -> int:
        old, self.at = self._states(), (self.at[0], bow)
        return self.log(self.change(self.ids[DRONE], old, self._states()))

    def drag(self, hex: Hex) -> int:
        old, self.at = self.at[0], (hex, self.at[1])
        return self.log(self.move_leaf(DRONE, old, hex))

    def show(self, veil: tuple[str, str] = OPEN) -> int:
        old, self.veil = self._states(), veil
        return self.log(self.change(self.ids[DRONE], old, self._states()))

    def say(self, player: str, text: str) -> int:
        return self.log(lv.Chat(f"&lt;{player}&gt; - {text}"))

    # -- the game

    def fought(self) -> bytes:
        last = len(STEPS) - 1
        for turn in range(1, self.game.turns + 1):
            for name in self.game.ships:
                self.form(name, turn)
            for impulse in range(1, self.game.impulses + 1):
                self._put_right()
                for play in self.game.plays:
                    if (play.turn, play.impulse) == (turn, impulse):
                        self.play(play)
                for step in range(last):
                    self.advance((turn, impulse, step), (turn, impulse, step + 1))
                    (self._fly, self._launch, self._fire)[step]((turn, impulse))
                following = (turn, impulse + 1) if impulse < self.game.impulses else (turn + 1, 1)
                self.advance((turn, impulse, last), (*following, 0))
        return self.finish()

    def _put_right(self) -> None:
        if self.owed is not None:
            self.drag(self.owed)
            self.owed = None
        elif self.flies and self.veil == OPEN and self.random.random() < 0.1:
            hex, bow = self.at  # moved too early, and taken back
            self.drag(hex.step(bow))
            if self.random.random() < 0.5:
                self.drag(hex)
            else:
                self.at = hex, bow
                back = self.move_leaf(DRONE, hex.step(bow), hex)
                self.log(lv.Undo(True), lv.Chat("* UNDO: a move"), back, lv.Undo(False))

    def _launch(self, now: tuple[int, int]) -> None:
        there, (hex, bow) = self.where[self.target][0], self.where[self.owner]
        if self.flies or self.ended or self.random.random() > 0.4 or not 4 <= true_range(there, hex) <= 16:
            return
        bow = min(FACINGS, key=lambda bow: fewest((hex, bow), there))
        self.at, self.flies = (hex, bow), True
        self.say("Ben", f"!{self.owner}: launch DRN/1 at {self.target}")
        self.log(lv.AddPiece(self.ids[DRONE], self._types(), join_chain(self._states())))
        if self.random.random() < 0.2:
            self.show(self.random.choice(VEILS))
            self.dark = 1

    def _fly(self, now: tuple[int, int]) -> None:
        there = self.where[self.target][0]
        if not self.flies:
            if self.spoil == "dead" and self.ended == "shot down" and not (self.wrong or self.dark):
                self.wrong = self.drag(moved(*self.at, 0)[0])
            self._tidy()
            return
        if self.veil != OPEN and self.random.random() < 0.2:
            self.show()
        elif self.veil == OPEN and self.random.random() < 0.05:
            self.show(self.random.choice(VEILS))
            self.dark = 1
        if self.at[0] == there and self.hexes:
            self._ends("flown into")
            return
        way = min((0, 1, -1), key=lambda way: fewest(moved(*self.at, way), there))
        hex, bow = moved(*self.at, way)
        if true_range(hex, MIDDLE) > EDGE - 2:
            self.flies, self.doubtful = False, True
            return
        if bow != self.at[1]:
            self.turn(bow)
        slip = self.random.random() if hex != there and self.veil == OPEN else 1
        if slip < 0.05:
            self.drag(hex.step(bow))
        elif slip < 0.1 and not self.dark:
            self.drag(hex.step(bow))
            self.owed = hex
            self.hexes += 1
            return
        if hex == there and self.random.random() < 0.2 and self.veil == OPEN:
            self.drag(Hex(8, 8))  # straight to the heap: it struck
            self.put_away = True
        else:
            self.drag(hex)
        self.hexes += 1
        if self.spoil == "hex" and not self.wrong and hex != there and not self.dark and self.hexes > 1:
            ahead = moved(hex, bow, 0)[0]
            self.wrong = self.drag(ahead)
        if hex == there:
            self._ends("struck")

    def _fire(self, now: tuple[int, int]) -> None:
        if not self.flies or self.hexes < 2 or self.owed or self.random.random() > 0.08:
            return
        if self.random.random() < 0.3 and not self.spoil:
            self.say("Ann", f"!{self.target}: fire PH-1A at {DRONE}")
            self.doubtful = True
        else:
            self.say("Ann", f"!{self.target}: hit 9 on {DRONE}")
        self._ends("shot down")

    def _ends(self, how: str) -> None:
        self.flies, self.ended = False, how
        if not self.spoil:
            self._tidy()

    def _tidy(self) -> None:
        """The counter of a drone that is no more lies there, is put on a heap, nudged on it, or taken off."""
        if not self.ended or self.ended == "off" or self.owed or (self.wrong and not self.put_away):
            return
        what = self.random.choice(("lie", "heap", "nudge", "off", "veil"))
        if what == "heap":
            self.drag(Hex(self.random.randint(5, 12), self.random.randint(5, 12)))
            self.put_away = True
        elif what == "nudge" and self.put_away:
            self.drag(self.at[0].step(self.random.choice(FACINGS)))
        elif what == "veil":
            self.show(OPEN if self.veil != OPEN else VEILS[0])
        elif what == "off":
            self.log(lv.RemovePiece(self.ids[DRONE]))
            self.ended = "off"
