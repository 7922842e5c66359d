"""A table at which legal things are done in odd ways: overshot, undone, redone, at once, late, with slips mended."""

from __future__ import annotations

from random import Random
from typing import Any

from referee.core.hexgrid import FACINGS, Hex, true_range
from referee.formats.vassal import command_types as lv
from tests.unit.formats.vassal.game_logs import EDGE, MIDDLE, LogWriter, Play, moved


class OddWriter(LogWriter):
    """Writes each move in one of many ways that come to the same."""

    random: Random = Random(0)

    def play(self, play: Play) -> tuple[int | None, int]:
        way = self.random.choice(
            ("plain", "plain", "overturn", "overshoot", "redo", "label", "facing first", "delete", "chatter")
        )
        name = play.ship
        hex, facing = self.where[name]
        if way == "overturn":
            turned = FACINGS[(FACINGS.index(facing) + 2) % 6]
            self._turn(name, facing, turned)
            self._turn(name, turned, facing)
        elif way == "redo":
            undone = super().play(play)
            new, bow = self.where[name]
            self.log(lv.Undo(True), lv.Chat("* UNDO: move"), self.move_leaf(name, new, hex), lv.Undo(False))
            if bow != facing:
                back = self.change(
                    self.ids[name],
                    self.counter_states(name, (hex, bow)),
                    self.counter_states(name, (hex, facing)),
                )
                self.log(lv.Undo(True), lv.Chat("* UNDO: turn"), back, lv.Undo(False))
            self.where[name] = hex, facing
            assert undone
        elif way == "label":
            old = self.counter_states(name)
            self.log(self.change(self.ids[name], old, [*old[:3], f"now {self.random.random()}", *old[4:]]))
        elif way == "delete":
            from referee.formats.vassal.chain import join_chain

            chains = join_chain(self.counter_types(name)), join_chain(self.counter_states(name))
            self.log(lv.RemovePiece(self.ids[name]))
            self.log(lv.Undo(True), lv.AddPiece(self.ids[name], *chains), lv.Undo(False))
        elif way == "chatter":
            self.log(lv.Chat("<Ann> - I would fire 3 phasers at you for 5 points, if I hit!"))
        elif way == "overshoot":
            new, bow = moved(hex, facing, play.way)
            if play.way:
                self._turn(name, facing, bow)
            far = new.step(bow)
            self.log(self.move_leaf(name, hex, far))
            self.where[name] = new, bow
            return None, self.log(self.move_leaf(name, far, new))
        elif way == "facing first" and play.way:
            # Turned back and forth, then the hex.
            _, bow = moved(hex, facing, play.way)
            for one, two in ((facing, bow), (bow, facing)):
                self._turn(name, one, two)
        return super().play(play)

    def _turn(self, name: str, old: str, new: str) -> None:
        hex = self.where[name][0]
        states = self.counter_states(name, (hex, old)), self.counter_states(name, (hex, new))
        self.log(self.change(self.ids[name], *states))


class VeilWriter(OddWriter):
    """Masks and hides ships between their moves, and puts moves right a whole impulse late. A `spoil` is a jump of
    a ship out of sight, farther than any moves a hex an impulse; `wrong` is the step in which it is seen."""

    spoil: bool = False
    late: bool = True

    def __init__(self, *args: Any, **options: Any) -> None:
        self.veils: dict[str, tuple[str, str]] = {}
        self.astray: dict[str, Hex] = {}
        self.went: dict[str, tuple[Hex, int]] = {}
        self.impulses = self.wrong = 0
        self.spoilt = ""
        super().__init__(*args, **options)

    def counter_states(self, name: str, at: tuple[Hex, str] | None = None) -> list[str]:
        states = super().counter_states(name, at)
        return [*states[:4], *self.veils.get(name, ("null;", "null")), *states[6:]]

    def veil(self, name: str, *veil: str) -> int:
        old = self.counter_states(name)
        self.veils[name] = veil[0], veil[1]
        return self.log(self.change(self.ids[name], old, self.counter_states(name)))

    def show(self, name: str) -> int:
        return self.veil(name, "null;", "null")

    def advance(self, now: tuple[int, int, int], then: tuple[int, int, int]) -> int:
        self._blink()
        step = super().advance(now, then)
        if then[2] == 0:
            self.impulses += 1
            for name, far in self.astray.items():
                self.log(self.move_leaf(name, far, self.where[name][0]))
            self.astray.clear()
        self._blink()
        return step

    def _blink(self) -> None:
        random = self.random
        for name in self.game.ships:
            dark = self.veils.get(name, ("null;", "null")) != ("null;", "null")
            if name in self.astray or random.random() > (0.15 if dark else 0.03):
                continue
            if name == self.spoilt:
                continue  # the call its jump was held against is used up: out of sight it would be found again
            if not dark:
                self.went[name] = self.where[name][0], self.impulses
                self.veil(name, *random.choice((("ann;", "null"), ("null;", "ann"))))
                continue
            jumps = self.spoil and not self.spoilt and self._jump(name)
            step = self.show(name)
            if jumps:
                self.wrong, self.spoilt = step, name
                continue
            if random.random() < 0.2:
                self.went[name] = self.where[name][0], self.impulses
                self.veil(name, "ann;", "null")

    def _jump(self, name: str) -> bool:
        """Puts a ship farther away than it may be; not near the edge of the map, for it moves on from there."""
        (went, since), (hex, bow) = self.went[name], self.where[name]
        far = went.step(bow, self.impulses - since + 2)
        if true_range(far, MIDDLE) > EDGE - 16 or far == hex:
            return False
        self.log(self.move_leaf(name, hex, far))
        self.where[name] = far, bow
        return True

    def play(self, play: Play) -> tuple[int | None, int]:
        name = play.ship
        if self.random.random() < 0.3:
            self._blink()
        dark = self.veils.get(name, ("null;", "null")) != ("null;", "null")
        if not self.late or dark or self.random.random() > 0.1 or play.undone:
            return super().play(play)
        hex, facing = self.where[name]
        new, bow = moved(hex, facing, play.way)
        if play.way:
            self._turn(name, facing, bow)
        self.where[name], self.astray[name] = (new, bow), new.step(bow)
        return None, self.log(self.move_leaf(name, hex, new.step(bow)))
