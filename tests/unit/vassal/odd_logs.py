"""A table at which legal things are done in odd ways: overshot, undone, redone, at once, late, with slips mended."""

from __future__ import annotations

from random import Random

from referee.core.hexgrid import FACINGS
from referee.formats.vassal import leaves as lv
from tests.unit.vassal.game_logs import LogWriter, Play, moved


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
