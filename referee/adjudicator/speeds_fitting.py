"""Turns of which not all is told, in which several speeds fit the moves of a ship: by each of them it is judged, and only
what all make an error is one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

from referee.adjudicator.record_forms import speed_paid
from referee.adjudicator.record_movement import movers_known
from referee.adjudicator.table import GameTable
from referee.core.account import Account, Event
from referee.core.board import LoadShip
from referee.core.finding import SURE, Finding, Perhaps, Severity
from referee.core.frozen import frozen
from referee.rulebooks.base import Rulebook

Speeds = Mapping[int, Sequence[int]]
"""The speeds that fit, by the event that says the first of them."""
MOST_TRIED, ENOUGH = 1_200, 60
"""Ways in which the ships of a turn may be as fast that are tried; and those after which one without an error will do."""
OTHER_SPEED = Perhaps("its turn is not told to the end, and at another speed that fits its moves it is legal")
_Sign = tuple[str, str, int | None]
"""An error: its rule, its ship and its line."""


def settled(rulebook: Rulebook, load_ship: LoadShip, account: Account, open_: Speeds) -> Account:
    """An account in which ships of several possible speeds have those that forms pay for, and else those against which
    the rules have least. What is an error by some of them is no more sure."""
    for turn in sorted({event.data["turn"] for event in account.events if event.seq in open_}):
        account = _Trial(rulebook, load_ship, account, turn, open_).outcome()
    return account


@frozen
class _Tried:
    """The errors that some speeds of the open turn make, and how much else is undecided."""

    speeds: Mapping[int, int]
    errors: frozenset[_Sign]
    undecided: int

    @property
    def amiss(self) -> tuple[int, int]:
        """How much is against it."""
        return len(self.errors), self.undecided


class _Trial:
    """One turn, played by several speeds."""

    def __init__(
        self, rulebook: Rulebook, load_ship: LoadShip, account: Account, turn: int, open_: Speeds
    ) -> None:
        events = account.events
        self._account = account
        speeds_at = [n for n, event in enumerate(events) if event.seq in open_ and event.data["turn"] == turn]
        first, rest = speeds_at[0], events[speeds_at[0] :]
        over = next(
            (n for n, event in enumerate(rest) if event.type == "step" and event.data["turn"] > turn), None
        )
        self._rest = list(rest[:over])
        self._table = GameTable(rulebook, load_ship, replace(account, events=events[:first]))
        self.open = {
            events[n].seq: self._not_against_form(rulebook, load_ship, events[n], open_[events[n].seq])
            for n in speeds_at
        }

    def _not_against_form(
        self, rulebook: Rulebook, load_ship: LoadShip, event: Event, speeds: Sequence[int]
    ) -> Sequence[int]:
        ship = self._table.state.ships[event.data["speed"]["ship"]]
        paid = speed_paid(rulebook, load_ship(ship.state.ship), ship, event.data["turn"])
        return speeds if paid is None or paid not in speeds else (paid,)

    def outcome(self) -> Account:
        """The account with the speeds that have least against them."""
        self._best = self._played({seq: speeds[0] for seq, speeds in self.open.items()})
        always, count = self._best.errors, 1
        for speeds in self._ways():
            amiss, errors = any(self._best.amiss), self._best.errors
            if not amiss or count == MOST_TRIED or (not errors and count >= ENOUGH):
                break
            played, count = self._played(speeds), count + 1
            always &= played.errors
            self._best = min(self._best, played, key=lambda tried: tried.amiss)
        doubted = self._best.errors - always
        return _changed(self._account, self._best.speeds, {line for _, _, line in doubted if line})

    def _ways(self) -> Iterator[Mapping[int, int]]:
        """All ways in which the ships may be as fast: first those in which one is faster or slower than in the best so
        far, then two, and so on."""
        for count in range(1, len(self.open) + 1):
            for ships in combinations(self.open, count):
                for row in product(*(self.open[seq] for seq in ships)):
                    yield {**self._best.speeds, **dict(zip(ships, row, strict=True))}

    def _played(self, speeds: Mapping[int, int]) -> _Tried:
        table, rest = self._table.fork(), [_at_speed(event, speeds) for event in self._rest]
        movers = movers_known(rest, (), to_end=True)
        table.course.only(lambda: movers(table.moment[:2]))
        found = [finding for event in rest for finding in table.take(event)]
        errors = frozenset(_sign(finding) for finding in found if finding.severity is Severity.ERROR)
        # What is against a move only if another ship still moves in the last impulse is not sure, either.
        last = table.moment[:2]
        lapsed = sum((finding.turn, finding.impulse) == last for finding in table.course.track.lapsed)
        return _Tried(
            speeds, errors, lapsed + sum(finding.severity is Severity.UNDECIDED for finding in found)
        )


def _sign(finding: Finding) -> _Sign:
    return finding.key, finding.subject, finding.location.line


def _at_speed(event: Event, speeds: Mapping[int, int]) -> Event:
    if event.seq not in speeds:
        return event
    return replace(event, data={**event.data, "speed": {**event.data["speed"], "speed": speeds[event.seq]}})


def _changed(account: Account, speeds: Mapping[int, int], doubted: set[int]) -> Account:
    """An account with other speeds, in which what some lines tell is not sure."""
    events = [
        replace(event, sure=OTHER_SPEED) if event.at.line in doubted and event.sure is SURE else event
        for event in (_at_speed(event, speeds) for event in account.events)
    ]
    return replace(account, events=tuple(events))
