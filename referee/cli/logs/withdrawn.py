"""Orders of chat that were taken back, by VASSAL's undo or by saying so: withdrawn, or standing all the same."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from referee.cli.judging import note
from referee.core.finding import Finding, Severity
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.orders import Fire

if TYPE_CHECKING:
    from referee.cli.logs.lock import LockSaid
    from referee.core.orders import Order, OrderProblem
    from referee.formats.vassal.gathered import Logged, Said
    from referee.formats.vassal.recognise import Clock

    Meant = Order | OrderProblem | LockSaid

_TOLD = 60  # characters of an order in a note
_FIX = "take an order back before dice are rolled for it, and before others act"
_LATELY = 100  # orders among which the one is looked for that a player says he takes back
_Key = tuple[tuple[int, int] | None, str, str]


class _OfStep(Protocol):
    @property
    def step(self) -> int: ...


_Row = TypeVar("_Row", bound=_OfStep)


@frozen
class _Back:
    """The step in which an order was taken back, and when; `undo` where VASSAL's undo did it."""

    step: int
    clock: Clock
    undo: bool


class Withdrawn:
    """The orders of a log that were taken back, asked for one by one in their order; `findings` tell of each."""

    def __init__(self, logged: Logged) -> None:
        self._logged = logged
        self._backs = dict(_taken_back(logged))
        self._put_back = {(taken.piece, taken.first): taken.step for taken in logged.taken_back}
        self._stood: set[_Key] = set()
        self.findings: list[Finding] = []

    def leaves_out(self, said: Said, order: Meant) -> bool:
        """Does an order not count: one taken back before a die fell for it and before another acted, or one that
        only says again what was taken back too late, and stands?"""
        key = (said.clock.moment, said.line.player, said.line.text)
        back = self._backs.get(id(said))
        if back is None:
            again = key in self._stood
            self._stood.discard(key)
            return again
        place = Location(self._logged.file, step=back.step)
        who = getattr(order, "ship", "") or said.line.player
        what = f"'{said.line.text[1:].strip()[:_TOLD]}' of step {said.step}"
        if stands := self._stands(said, order, back):
            if back.undo:
                self._stood.add(key)
                kind, reason = stands
                told = f"{what} was undone {reason}: it stands"
                rule, turn = f"NOTE/{kind}", said.clock.turn
                self.findings.append(
                    Finding(rule, Severity.WARNING, told, who, turn, location=place, fix=_FIX)
                )
            return False
        how = "VASSAL's undo" if back.undo else "a line of chat"
        self.findings.append(
            note("order-taken-back", f"{what} was taken back by {how} before anything came of it: it is not judged",
                 who, location=place)
        )  # fmt: skip
        return True

    def _stands(self, said: Said, order: Meant, back: _Back) -> tuple[str, str] | None:
        """Why an order stands though it was taken back, and what kind of finding that is; None where it does not."""
        from referee.cli.logs.lock import LockSaid

        if said.clock.moment != back.clock.moment:
            return "undone-late", "when its impulse was over"
        if isinstance(order, Fire | LockSaid):
            if isinstance(order, LockSaid) and order.roll is not None:
                return "undo-over-dice", "when its die had been told"
            if (fell := self._die(said, back)) is not None:
                return "undo-over-dice", f"when a die had fallen in step {fell}"
        acted = min(self._acts(said, back), default=None)
        return (
            None if acted is None else ("undone-late", f"when something else had been done in step {acted}")
        )

    def _die(self, said: Said, back: _Back) -> int | None:
        """The step of a die that may be for an order: any that fell before it was taken back, undone or not; one
        that its player rolled after he said so, and ordered nothing else first."""
        end = back.step
        if not back.undo:
            final = self._logged.final.step
            later = _between(self._logged.said, back.step, final)
            end = next((one.step for one in later if _same(one, said)), final)
        for rolled in _between(self._logged.rolled, said.step, end):
            if rolled.roll.player in ("", said.line.player) and rolled.clock.moment == said.clock.moment:
                return rolled.step
        return None

    def _acts(self, said: Said, back: _Back) -> Iterator[int]:
        """The steps in which somebody else did something before an order was taken back, but for what was undone
        by then as well."""
        from referee.formats.vassal.spoken import is_played

        logged, player = self._logged, said.line.player

        def stood(undone: int | None) -> bool:
            return undone is None or undone > back.step

        for one in _between(logged.said, said.step, back.step):
            told = one.note is None and one.line.player != player and is_played(one.line.text)
            if told and stood(one.undone[0] if one.undone else None):
                yield one.step
        for rolled in _between(logged.rolled, said.step, back.step):
            if rolled.roll.player not in ("", player) and stood(rolled.taken_back):
                yield rolled.step
        for drag in _between(logged.dragged, said.step, back.step):
            if drag.player != player and stood(self._put_back.get((drag.piece, drag.step))):
                yield drag.step
        marks = _between(logged.marked, said.step, back.step)
        if marks and not any(marked.undo for marked in marks):
            yield marks[0].step


def _taken_back(logged: Logged) -> Iterator[tuple[int, _Back]]:
    """Each order that was taken back, by its identity: what a player says he takes back is the last he ordered in
    that impulse."""
    from referee.formats.vassal.spoken import is_played

    said_so: set[int] = set()
    for said in logged.said:
        if said.undone is not None:
            yield id(said), _Back(*said.undone, True)
    for cancel in logged.cancels:
        for said in reversed(_between(logged.said, 0, cancel.step)[-_LATELY:]):
            if (
                said.line.player != cancel.line.player
                or said.note is not None
                or said.undone is not None
                or id(said) in said_so
            ):
                continue
            if said.clock.moment == cancel.clock.moment and is_played(said.line.text):
                said_so.add(id(said))
                yield id(said), _Back(cancel.step, cancel.clock, False)
            break


def _between(rows: Sequence[_Row], after: int, before: int) -> Sequence[_Row]:
    """Those of some rows, in the order of their steps, that lie between two steps."""
    first = bisect_right(rows, after, key=_step)
    return rows[first : bisect_left(rows, before, lo=first, key=_step)]


def _step(row: _OfStep) -> int:
    return row.step


def _same(one: Said, said: Said) -> bool:
    return one.note is None and one.undone is None and one.line.player == said.line.player
