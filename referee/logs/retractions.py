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
from referee.formats.vassal.gathered import ChatOrder, Logged, LoggedRoll
from referee.formats.vassal.spoken import is_played
from referee.logs.cancellations import Meant, OrderTakenBack, between, taken_back_in
from referee.logs.lock_on import LockSaid
from referee.sources.asked import note

_SHOWN = 60  # characters of an order in a note
_FIX = "take an order back before dice are rolled for it, and before others act"
_MANY = 99  # shots of `fire all`
_FACE = pattern(r"[0-9]+")
_DICE_OF = pattern(r"([0-9]{1,3})d[0-9]")
_Key = tuple[tuple[int, int] | None, str, str]


class Withdrawn:
    """The orders of a log that were taken back, asked for one by one in their order; `findings` tell of each,
    `unclear` are the steps of fire that may have been taken back."""

    def __init__(self, logged: Logged, meant: Iterable[tuple[ChatOrder, Meant]]) -> None:
        self._logged = logged
        orders = tuple(meant)
        self._backs = taken_back_in(logged, orders)
        self._fire = [(sentence, order) for sentence, order in orders if isinstance(order, Fire)]
        self._put_back = {(taken.piece, taken.first): taken.step for taken in logged.taken_back}
        self._stood: set[_Key] = set()
        self.findings: list[Finding] = []
        self.unclear: set[int] = set()

    def standing(self, sentence: ChatOrder, order: Meant) -> Meant | None:
        """What stands of an order: all of it, or the shots that were not taken back. It is None where the order does
        not count: it was taken back before a die fell for it and before another acted. Or it only says again what was
        taken back too late, and stands."""
        key = (sentence.clock.moment, sentence.line.player, sentence.line.text)
        backs = self._backs.get(id(sentence), ())
        if not backs:
            again = key in self._stood
            self._stood.discard(key)
            return None if again else order
        left: Meant | None = order
        for back in backs:
            left = self._after(sentence, left, back) if left is not None else None
        return left

    def _after(self, sentence: ChatOrder, order: Meant, back: OrderTakenBack) -> Meant | None:
        """What stands of an order after it was taken back, in whole or in part."""
        if back.unclear and not self._fires_again(sentence, back):
            if self._stands(sentence, order, back) is None:
                self.unclear.add(sentence.step)
            return order
        what = f"'{sentence.line.text[1:].strip()[:_SHOWN]}' of step {sentence.step}"
        if stands := self._stands(sentence, order, back):
            if back.undo:
                self._stood.add((sentence.clock.moment, sentence.line.player, sentence.line.text))
                kind, reason = stands
                self._tell(f"NOTE/{kind}", f"{what} was undone {reason}: it stands", sentence, order, back)
            elif (self._die(sentence, back) or 0) > back.step and not self._marked_after(sentence, back):
                self.unclear.add(sentence.step)
            return order
        left = _left(order, back)
        how = "VASSAL's undo" if back.undo else "a line of chat"
        which = f"{', '.join(back.weapons)} of {what}" if left else what
        message = f"{which} was taken back by {how} before anything came of it: it is not judged"
        self._tell("NOTE/order-taken-back", message, sentence, order, back)
        return left

    def _tell(self, key: str, message: str, sentence: ChatOrder, order: Meant, back: OrderTakenBack) -> None:
        place = Location(self._logged.file, step=back.step)
        who = getattr(order, "ship", "") or sentence.line.player
        if key == "NOTE/order-taken-back":
            self.findings.append(note("order-taken-back", message, who, location=place))
        else:
            turn = sentence.clock.turn
            self.findings.append(Finding(key, Severity.WARNING, message, who, turn, location=place, fix=_FIX))

    def _stands(self, sentence: ChatOrder, order: Meant, back: OrderTakenBack) -> tuple[str, str] | None:
        """Why an order stands though it was taken back, and what kind of finding that is; None where it does not."""
        if sentence.clock.moment != back.clock.moment:
            return "undone-late", "when its impulse was over"
        if isinstance(order, Fire | LockSaid):
            if isinstance(order, LockSaid) and order.roll is not None:
                return "undo-over-dice", "when its die had been told"
            if (fell := self._die(sentence, back)) is not None:
                return "undo-over-dice", f"when a die had fallen in step {fell}"
        acted = min(self._acts(sentence, back), default=None)
        return (
            None if acted is None else ("undone-late", f"when something else had been done in step {acted}")
        )

    def _die(self, sentence: ChatOrder, back: OrderTakenBack) -> int | None:
        """The step of a die that may be for an order: any that fell before it was undone, undone or not. Where a
        line of chat takes it back, one its player rolled by then or before he ordered again, if his other fire
        of the impulse does not take it; none that fell after where he fires the same again."""
        if back.undo:
            return next((die.step for die in self._his_dice(sentence, sentence.step, back.step)), None)
        later = back.step if self._fires_again(sentence, back) else self._orders_again(sentence, back)
        first = sum(map(_count, self._his_dice(sentence, 0, sentence.step)))
        fell = min(first, self._shots_standing(sentence, sentence.step, sentence.step))
        for rolled in self._his_dice(sentence, sentence.step, later):
            fell += _count(rolled)
            ordered = sentence.step + 1 if rolled.step < back.step else back.step
            if fell > self._shots_standing(sentence, ordered, rolled.step):
                return rolled.step
        return None

    def _his_dice(self, sentence: ChatOrder, after: int, before: int) -> Iterator[LoggedRoll]:
        """Dice of whoever ordered, or of nobody known, that fell in that impulse between two steps."""
        for rolled in between(self._logged.rolled, after, before):
            if (
                rolled.roll.player in ("", sentence.line.player)
                and rolled.clock.moment == sentence.clock.moment
            ):
                yield rolled

    def _his_fire(self, sentence: ChatOrder) -> Iterator[tuple[ChatOrder, Fire]]:
        """What the same player ordered to fire in the impulse of an order."""
        for fired, order in self._fire:
            if fired.clock.moment == sentence.clock.moment and _same(fired, sentence):
                yield fired, order

    def _shots_standing(self, sentence: ChatOrder, before: int, step: int) -> int:
        """The shots its player ordered in the impulse before a step that stand at another."""
        return sum(
            _shots(order, self._backs.get(id(fired), ()), step)
            for fired, order in self._his_fire(sentence)
            if fired.step < before
        )

    def _orders_again(self, sentence: ChatOrder, back: OrderTakenBack) -> int:
        """The step in which the player ordered anything after he took an order back; the last where he did not."""
        end = self._logged.final.step
        return next(
            (
                later.step
                for later in between(self._logged.chat_orders, back.step, end)
                if _same(later, sentence)
            ),
            end,
        )

    def _fires_again(self, sentence: ChatOrder, back: OrderTakenBack) -> bool:
        """Does he order any of the same weapons to fire once more in that impulse after he took them back?"""
        ordered = [order for fired, order in self._his_fire(sentence) if fired is sentence]
        gone = {folded(name) for order in ordered for name in back.weapons or order.weapons}
        return any(
            fired.step > back.step and not gone.isdisjoint(map(folded, order.weapons))
            for fired, order in self._his_fire(sentence)
        )

    def _marked_after(self, sentence: ChatOrder, back: OrderTakenBack) -> bool:
        """Was damage marked, or a result told, in the impulse after an order was taken back?"""
        logged, end = self._logged, self._logged.final.step
        clocks = [marked.clock for marked in between(logged.marked, back.step, end)]
        clocks += [chat_line.clock for chat_line in between(logged.chat_lines, back.step, end)]
        return any(clock.moment == sentence.clock.moment for clock in clocks)

    def _acts(self, sentence: ChatOrder, back: OrderTakenBack) -> Iterator[int]:
        """The steps in which somebody else did something before an order was taken back, but for what was undone
        by then as well."""
        logged, player = self._logged, sentence.line.player

        def stood(undone: int | None) -> bool:
            return undone is None or undone > back.step

        for other in between(logged.chat_orders, sentence.step, back.step):
            ordered = other.note is None and other.line.player != player and is_played(other.line.text)
            if ordered and stood(other.undone[0] if other.undone else None):
                yield other.step
        for rolled in between(logged.rolled, sentence.step, back.step):
            if rolled.roll.player not in ("", player) and stood(rolled.taken_back):
                yield rolled.step
        for drag in between(logged.dragged, sentence.step, back.step):
            if drag.player != player and stood(self._put_back.get((drag.piece, drag.step))):
                yield drag.step
        marks = between(logged.marked, sentence.step, back.step)
        if marks and not any(marked.undo for marked in marks):
            yield marks[0].step


def _left(order: Meant, back: OrderTakenBack) -> Meant | None:
    """What is left of an order: the shots of weapons that were not named as taken back."""
    if not back.weapons or not isinstance(order, Fire):
        return None
    left = tuple(weapon for weapon in order.weapons if weapon not in back.weapons)
    return replace(order, weapons=left) if left else None


def _shots(order: Fire, backs: Iterable[OrderTakenBack], step: int) -> int:
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


def _count(rolled: LoggedRoll) -> int:
    """The dice of a roll, by its faces, or by the name of a button that tells their sum."""
    faces, named = _FACE.findall(rolled.roll.faces), _DICE_OF.search(rolled.roll.button)
    return len(faces) if len(faces) > 1 or not named else int(named[1])


def _same(other: ChatOrder, sentence: ChatOrder) -> bool:
    return other.note is None and other.undone is None and other.line.player == sentence.line.player
