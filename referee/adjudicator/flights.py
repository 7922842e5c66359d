"""The flights of seekers whose counters are seen: what is known of each, what it struck, and how it ended (F2.0)."""

from __future__ import annotations

from collections.abc import Callable

from referee.adjudicator.flight_end import GuideLost, HitOnSeeker, Left, MayStrike
from referee.adjudicator.seekers_out_of_sight import Unseen
from referee.core.combat import Seeker, ShotResult, Unit
from referee.core.finding import Report
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.core.play import Move, When


@frozen
class Unlocked:
    """A ship lost lock-on on the target of its drone, in a step, and how."""

    step: int
    why: str


@frozen
class Flight:
    """A seeker as it was put on the map, and the moves its counter made. `launch` is the step of its launch and the
    rack or tube; `left` is its leaving the map. `target_at` tells the target as it stood in a step. `launched_from`
    is where its ship stood, None where its counter was put down there. `unseen` is the first time it was out of
    sight. `excuse` tells what may take it off the map when its counter is dragged, after it moved in a step.
    `aimless` is the step by which its target was gone, or may have been destroyed."""

    seeker: Seeker
    moves: tuple[Move, ...]
    target_at: Callable[[int], Unit]
    left: Left | None = None
    hits: tuple[HitOnSeeker, ...] = ()
    launch: tuple[int, str] = (0, "")
    unlocked: Unlocked | None = None
    guide: GuideLost | None = None
    launched_from: Hex | None = None
    unseen: Unseen | None = None
    excuse: Callable[[Move, int], Left] | None = None
    aimless: int | None = None

    @property
    def in_sight(self) -> tuple[Move, ...]:
        """Its moves, up to where it went out of sight."""
        dark = self.unseen.seen.step if self.unseen else None
        return tuple(move for move in self.moves if dark is None or (move.location.step or 0) < dark)


@frozen
class Impact:
    """A seeker reached its target; `result` is None where it is not known what it scores, and `why`."""

    target: str
    step: int
    when: When
    result: ShotResult | None
    why: str = ""


@frozen
class Followed:
    """A flight, and the step it was over in: it struck, was destroyed or left the map. `sure` is false where
    it may have been destroyed before. Drags of its counter once it was no more, to a heap, are none of its moves
    but `put_away`."""

    flight: Flight
    over: int | None = None
    sure: bool = True
    put_away: tuple[Move, ...] = ()


@frozen
class Flown:
    """What is to be said of all seekers, where they struck or may have, and how each flew."""

    report: Report = Report()
    impacts: tuple[Impact, ...] = ()
    followed: tuple[Followed, ...] = ()
    perhaps: tuple[MayStrike, ...] = ()
