"""What is said and written in a log: orders, notes and their showing, lines that may tell what dice came to, and the dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.core.naming import folded
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.course import Stand
from referee.formats.vassal.game import Save, StepForward
from referee.formats.vassal.gathered import ChatLine, ChatOrder, LoggedRoll, Noted
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.players import Roster
from referee.formats.vassal.recognise import Clock
from referee.formats.vassal.spoken import (
    ORDER,
    TypedLine,
    as_order,
    imitates_roll,
    is_played,
    reads_as_order,
    rolls_of,
    taken_back,
    tells_result,
    tells_speed,
    typed,
    undone_line,
)

if TYPE_CHECKING:
    from referee.formats.modulemap import ModuleMap

_RECENT = 100  # lines among which one that is undone is looked for
Look = Callable[[], tuple[Mapping[str, Piece], Mapping[str, Stand]]]
"""Shows the pieces of the table, and where its counters stand, by id."""


class Notebook:
    """All notes of a log but those for everyone; `private` are the owners of private ones."""

    def __init__(self, roster: Roster, private: Iterable[str | None]) -> None:
        self._roster = roster
        self._sealed: set[tuple[str, str]] = set()
        self._shown: set[tuple[str, str, str]] = set()
        self.noted: list[Noted] = []
        self.private = dict.fromkeys(owner or "" for owner in private)

    def write(self, n: int, clock: Clock, leaf: lv.SecretNote) -> Noted | None:
        """Takes note of a secret note; gives it where it is now shown and was sealed till then."""
        owner = self._roster.name_of(leaf.owner) or self._called(leaf)
        noted = Noted(n, clock, leaf.name, owner, leaf.hidden, leaf.text)
        self.noted.append(noted)
        if leaf.hidden:
            self._sealed.add((owner, leaf.name))
            return None
        sealed, known = (owner, leaf.name) in self._sealed, (owner, leaf.name, leaf.text) in self._shown
        self._shown.add((owner, leaf.name, leaf.text))
        return noted if sealed and not known else None

    def _called(self, leaf: lv.SecretNote) -> str:
        """The player whose name a note bears, where its owner's id is nobody's."""
        names = {player.name for player in self._roster.players}
        return next((name for name in (leaf.owner.reveal(), *leaf.rest[1:2]) if name in names), "")

    def write_own(self, leaf: lv.PrivateNotes) -> None:
        """Takes note of who wrote for himself."""
        self.private[self._roster.name_of(leaf.owner) or ""] = None


class Talk:
    """All that was said, written and rolled so far; `look` shows the table as it stands, `order_given` is told of
    the step of an order that is given in play only, before the table is looked at."""

    def __init__(
        self, save: Save, module_map: ModuleMap | None, look: Look, order_given: Callable[[StepForward], None]
    ) -> None:
        self._module_map, self._look, self._order_given = module_map, look, order_given
        self.chat_orders: list[ChatOrder] = []
        self._orders: dict[TypedLine, list[int]] = {}
        self._speeds: list[int] = []
        self.rolled: list[LoggedRoll] = []
        self.heard: list[ChatLine] = []
        self.cancels: list[ChatLine] = []
        self.imitated: list[ChatLine] = []
        self.notes = Notebook(save.roster, (n.owner for n in save.notes if n.kind == "private"))

    @property
    def speed_said(self) -> bool:
        """Was it said at what speed a ship goes?"""
        return any(self.chat_orders[n].undone is None for n in self._speeds)

    def listen(self, step: StepForward, clock: Clock) -> None:
        """Takes what a step says."""
        if step.undo:
            self._undo_dice(step)
            self._undo_lines(step, clock)
            return
        for roll in rolls_of(step):
            self.rolled.append(LoggedRoll(step.n, clock, roll))
        for leaf in step.commands:
            if isinstance(leaf, lv.Chat):
                if line := typed(leaf.text):
                    self._hear(step, clock, line)
            elif isinstance(leaf, lv.SecretNote):
                self._read_note(step, clock, leaf)
            elif isinstance(leaf, lv.PrivateNotes):
                self.notes.write_own(leaf)

    def _hear(self, step: StepForward, clock: Clock, line: TypedLine) -> None:
        order = as_order(line.text, self._module_map)
        if taken_back(line.text) is not None and (order is None or folded(order) != "undo"):
            self.cancels.append(ChatLine(step.n, clock, line))
        elif order is not None:
            if is_played(order):
                self._order_given(step)
            self._say(step, clock, replace(line, text=order))
        elif imitates_roll(line.text):
            self.imitated.append(ChatLine(step.n, clock, line))
        elif (self.rolled and tells_result(line.text)) or reads_as_order(line.text):
            self.heard.append(ChatLine(step.n, clock, line))

    def _say(
        self,
        step: StepForward,
        clock: Clock,
        line: TypedLine,
        note: Noted | None = None,
        *,
        bare: bool = False,
    ) -> None:
        if note is None:
            self._orders.setdefault(line, []).append(len(self.chat_orders))
        if tells_speed(line.text):
            self._speeds.append(len(self.chat_orders))
        self.chat_orders.append(ChatOrder(step.n, clock, line, *self._look(), note, bare))

    def _read_note(self, step: StepForward, clock: Clock, leaf: lv.SecretNote) -> None:
        """A secret note written or shown: what was sealed in it is said when it is shown."""
        shown = self.notes.write(step.n, clock, leaf)
        for text in filter(None, map(str.strip, shown.text.splitlines() if shown else ())):
            order = as_order(text, self._module_map)
            line = TypedLine(shown.owner if shown else "", order or f"{ORDER}{text}")
            self._say(step, clock, line, shown, bare=order is None)

    def _undo_dice(self, step: StepForward) -> None:
        for undone in rolls_of(step):
            for index in range(len(self.rolled) - 1, -1, -1):
                rolled = self.rolled[index]
                if rolled.roll.button == undone.button and rolled.taken_back is None:
                    self.rolled[index] = replace(rolled, taken_back=step.n)
                    break

    def _undo_lines(self, step: StepForward, clock: Clock) -> None:
        """Orders that are undone are kept, and marked so; of what else is said nothing remains."""
        for leaf in step.commands:
            line = undone_line(leaf.text) if isinstance(leaf, lv.Chat) else None
            if line is None:
                continue
            order = as_order(line.text, self._module_map)
            meant = line if order is None else replace(line, text=order)
            if index := self._orders.get(meant):
                last = index.pop()
                self.chat_orders[last] = replace(self.chat_orders[last], undone=(step.n, clock))
            for lines in (self.heard, self.cancels):
                lately = range(len(lines) - 1, max(-1, len(lines) - 1 - _RECENT), -1)
                found = next((n for n in lately if lines[n].line == line), None)
                if found is not None:
                    del lines[found]
