"""Orders of chat that were taken back, by VASSAL's undo or by saying so: withdrawn, or standing all the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile

from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.core.naming import folded
from referee.core.once import pattern
from referee.core.orders import Fire
from referee.formats.vassal.gathered import Logged, Rolled, Said
from referee.formats.vassal.spoken import is_played
from referee.logs.cancellations import Back, Meant, between, taken_back_in
from referee.logs.lock_on import LockSaid
from referee.sources.asked import note

_TOLD = 60  # characters of an order in a note
_FIX = "take an order back before dice are rolled for it, and before others act"
_MANY = 99  # shots of `fire all`
_FACE = pattern(r"[0-9]+")
_DICE_OF = pattern(r"([0-9]{1,3})d[0-9]")
_Key = tuple[tuple[int, int] | None, str, str]


class Withdrawn:
    """The orders of a log that were taken back, asked for one by one in their order; `findings` tell of each,
    `unclear` are the steps of fire that may have been taken back."""

    def __init__(self, logged: Logged, meant: Iterable[tuple[Said, Meant]]) -> None:
        self._logged = logged
        orders = tuple(meant)
        self._backs = taken_back_in(logged, orders)
        self._fire = [(said, order) for said, order in orders if isinstance(order, Fire)]
        self._put_back = {(taken.piece, taken.first): taken.step for taken in logged.taken_back}
        self._stood: set[_Key] = set()
        self.findings: list[Finding] = []
        self.unclear: set[int] = set()

    def standing(self, said: Said, order: Meant) -> Meant | None:
        """What stands of an order: all of it, or the shots that were not taken back; None where it does not
        count, as one taken back before a die fell for it and before another acted, or one that only says again
        what was taken back too late, and stands."""
        key = (said.clock.moment, said.line.player, said.line.text)
        backs = self._backs.get(id(said), ())
        if not backs:
            again = key in self._stood
            self._stood.discard(key)
            return None if again else order
        left: Meant | None = order
        for back in backs:
            left = self._after(said, left, back) if left is not None else None
        return left

    def _after(self, said: Said, order: Meant, back: Back) -> Meant | None:
        """What stands of an order after it was taken back, in whole or in part."""
        if back.unclear and not self._fires_again(said, back):
            if self._stands(said, order, back) is None:
                self.unclear.add(said.step)
            return order
        what = f"'{said.line.text[1:].strip()[:_TOLD]}' of step {said.step}"
        if stands := self._stands(said, order, back):
            if back.undo:
                self._stood.add((said.clock.moment, said.line.player, said.line.text))
                kind, reason = stands
                self._tell(f"NOTE/{kind}", f"{what} was undone {reason}: it stands", said, order, back)
            elif (self._die(said, back) or 0) > back.step and not self._marked_after(said, back):
                self.unclear.add(said.step)
            return order
        left = _left(order, back)
        how = "VASSAL's undo" if back.undo else "a line of chat"
        which = f"{', '.join(back.weapons)} of {what}" if left else what
        told = f"{which} was taken back by {how} before anything came of it: it is not judged"
        self._tell("NOTE/order-taken-back", told, said, order, back)
        return left

    def _tell(self, key: str, told: str, said: Said, order: Meant, back: Back) -> None:
        place = Location(self._logged.file, step=back.step)
        who = getattr(order, "ship", "") or said.line.player
        if key == "NOTE/order-taken-back":
            self.findings.append(note("order-taken-back", told, who, location=place))
        else:
            turn = said.clock.turn
            self.findings.append(Finding(key, Severity.WARNING, told, who, turn, location=place, fix=_FIX))

    def _stands(self, said: Said, order: Meant, back: Back) -> tuple[str, str] | None:
        """Why an order stands though it was taken back, and what kind of finding that is; None where it does not."""
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

    def _die(self, said: Said, back: Back) -> int | None:
        """The step of a die that may be for an order: any that fell before it was undone, undone or not. Where a
        line of chat takes it back, one its player rolled by then or before he ordered again, if his other fire
        of the impulse does not take it; none that fell after where he fires the same again."""
        if back.undo:
            return next((one.step for one in self._his_dice(said, said.step, back.step)), None)
        later = back.step if self._fires_again(said, back) else self._orders_again(said, back)
        first = sum(map(_count, self._his_dice(said, 0, said.step)))
        fell = min(first, self._shots_standing(said, said.step, said.step))
        for rolled in self._his_dice(said, said.step, later):
            fell += _count(rolled)
            ordered = said.step + 1 if rolled.step < back.step else back.step
            if fell > self._shots_standing(said, ordered, rolled.step):
                return rolled.step
        return None

    def _his_dice(self, said: Said, after: int, before: int) -> Iterator[Rolled]:
        """Dice of whoever ordered, or of nobody known, that fell in that impulse between two steps."""
        for rolled in between(self._logged.rolled, after, before):
            if rolled.roll.player in ("", said.line.player) and rolled.clock.moment == said.clock.moment:
                yield rolled

    def _his_fire(self, said: Said) -> Iterator[tuple[Said, Fire]]:
        """What the same player ordered to fire in the impulse of an order."""
        for one, order in self._fire:
            if one.clock.moment == said.clock.moment and _same(one, said):
                yield one, order

    def _shots_standing(self, said: Said, before: int, step: int) -> int:
        """The shots its player ordered in the impulse before a step that stand at another."""
        return sum(
            _shots(order, self._backs.get(id(one), ()), step)
            for one, order in self._his_fire(said)
            if one.step < before
        )

    def _orders_again(self, said: Said, back: Back) -> int:
        """The step in which the player ordered anything after he took an order back; the last where he did not."""
        end = self._logged.final.step
        return next((one.step for one in between(self._logged.said, back.step, end) if _same(one, said)), end)

    def _fires_again(self, said: Said, back: Back) -> bool:
        """Does he order any of the same weapons to fire once more in that impulse after he took them back?"""
        ordered = [order for one, order in self._his_fire(said) if one is said]
        gone = {folded(name) for order in ordered for name in back.weapons or order.weapons}
        return any(
            one.step > back.step and not gone.isdisjoint(map(folded, order.weapons))
            for one, order in self._his_fire(said)
        )

    def _marked_after(self, said: Said, back: Back) -> bool:
        """Was damage marked, or a result told, in the impulse after an order was taken back?"""
        logged, end = self._logged, self._logged.final.step
        clocks = [one.clock for one in between(logged.marked, back.step, end)]
        clocks += [one.clock for one in between(logged.told, back.step, end)]
        return any(clock.moment == said.clock.moment for clock in clocks)

    def _acts(self, said: Said, back: Back) -> Iterator[int]:
        """The steps in which somebody else did something before an order was taken back, but for what was undone
        by then as well."""
        logged, player = self._logged, said.line.player

        def stood(undone: int | None) -> bool:
            return undone is None or undone > back.step

        for one in between(logged.said, said.step, back.step):
            told = one.note is None and one.line.player != player and is_played(one.line.text)
            if told and stood(one.undone[0] if one.undone else None):
                yield one.step
        for rolled in between(logged.rolled, said.step, back.step):
            if rolled.roll.player not in ("", player) and stood(rolled.taken_back):
                yield rolled.step
        for drag in between(logged.dragged, said.step, back.step):
            if drag.player != player and stood(self._put_back.get((drag.piece, drag.step))):
                yield drag.step
        marks = between(logged.marked, said.step, back.step)
        if marks and not any(marked.undo for marked in marks):
            yield marks[0].step


def _left(order: Meant, back: Back) -> Meant | None:
    """What is left of an order: the shots of weapons that were not named as taken back."""
    if not back.weapons or not isinstance(order, Fire):
        return None
    left = tuple(one for one in order.weapons if one not in back.weapons)
    return replace(order, weapons=left) if left else None


def _shots(order: Fire, backs: Iterable[Back], step: int) -> int:
    """The shots of an order that stand at a step. Dice come to shots in their order: of some that are taken back
    later only those ahead of them are sure of theirs."""
    gone = {
        weapon: back.step
        for back in reversed([back for back in backs if not back.unclear])
        for weapon in back.weapons or order.weapons
    }
    standing = [weapon for weapon in order.weapons if gone.get(weapon, step + 1) > step]
    sure = list(takewhile(lambda weapon: weapon not in gone, standing))
    return _MANY if sure == ["all"] else len(sure)


def _count(rolled: Rolled) -> int:
    """The dice of a roll, by its faces, or by the name of a button that tells their sum."""
    faces, named = _FACE.findall(rolled.roll.faces), _DICE_OF.search(rolled.roll.button)
    return len(faces) if len(faces) > 1 or not named else int(named[1])


def _same(one: Said, said: Said) -> bool:
    return one.note is None and one.undone is None and one.line.player == said.line.player
