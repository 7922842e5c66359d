"""What happened in a game, as a source tells it: the account that the one table judges.

Whatever a game is read from (an orders file, a record, a log, a form, a keyboard), an adapter turns it into an account: a
row of events, and what the source tells of at all. `adjudicator.table` takes the events one by one, judges each and folds
it; it does not know what they were read from. An account that tells of energy alone needs only the part that judges it
(`adjudicator.tables`).

An event says what an entry of a game record says: its kind (`ship`, `step`, `form`, `order`, `events`, `seal`,
`reveal`...) and data of the same shape, so that the record is its own account (`sources.record`) and one fold
(`core.gamefold`) serves all. What an event adds is where it stands, who did it, when, and how sure it is:

>>> from referee.core.location import Location
>>> begun = Event(0, "genesis", {"players": ["alice"], "dice": {"mode": "seed"}, "fold": 2})
>>> ship = Event(1, "ship", {"ship": "Enterprise", "class": "cadet/federation-ca", "player": "alice", "at": "1010D"})
>>> turn = Event(2, "step", {"turn": 1, "impulse": 1, "step": "fire"}, at=Location("game.vlog", step=7))
>>> shot = {"ship": "Enterprise", "weapons": ["PH-1/A"], "target": "Enterprise"}
>>> fire = Event(3, "order", {"text": ["!fire"], "player": "alice", "turn": 1, "impulse": 1, "fire": shot},
...              at=Location("game.vlog", step=9), by="alice", sure=Perhaps("it may have been taken back"))
>>> account = Account((begun, ship, turn, fire), Coverage(energy="no energy form"), "game.vlog")
>>> [ship["ship"] for ship in account.ships], account.coverage.energy, str(fire.at), fire.sure.why
(['Enterprise'], 'no energy form', 'game.vlog:step 9', 'it may have been taken back')

The kinds of orders an event of the kind `order` may hold, one at a time, are those of a record: `speed`, `move`,
`place`, `fire`, `launch`, `cloak`, `battery`, `seeker`, `strike`, `volley`, `choose`. A record never holds what dice
and boxes tell better there, and another source may: `hit` (damage said of a ship), `scored` (points on a seeker),
`lock` (a try for lock-on), `seal` (the code of a sealed move), `word` (what does nothing by itself). Of counters that are
only seen it tells where they stand, on maps that may be larger than a record's: `seen` (a `core.play.Move`), `turned`
(on the spot), `left` (the map, or sight) and `back`.

Who takes a game from a file into a record asks for more than the table judges. The orders of a log's account then
also tell how seekers `flew`, that they are `gone`, and every `word` that is no other order, as it was spoken. It has
events of more kinds: `form` (a column as it was filled in), `display` (what a ship's display came to show) and `dice`
(what was rolled).

What a source tells beside orders the table takes as events of kinds of their own (`BESIDE_ORDERS`): it changes nothing
that a record would hold. A form is one of them with all its turns (`FORMS`): its cells are where a finding stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from referee.core.finding import SURE, Certainty, Finding, Perhaps, Severity, Sure, Unknown
from referee.core.frozen import frozen
from referee.core.location import Location, When

if TYPE_CHECKING:
    from referee.core.gap import Gap
    from referee.core.orders import OrderProblem

__all__ = ["SURE", "Account", "Certainty", "Coverage", "Event", "Perhaps", "Sure", "Unknown"]
STATED, ROLLED, FLEW, GUIDED = "stated", "rolled", "flew", "guided"
DISPLAYED, DAMAGED, MISMARKED, PLAYED = "displayed", "damaged", "mismarked", "played"
TURN_PLAYED, TURNS_PASSED, TURN_RUN, TURNED_BACK = "turn played", "turns passed", "turn run", "turned back"
UNTOLD = "untold"
FILED, HELD = "form filed", "form held"
PROPOSED, SHOWN, STANDING, TRIED = "form proposed", "form shown", "forms standing", "form tried"
IN_GAME = frozenset((PROPOSED, SHOWN, STANDING, TRIED))
"""Forms of a ship in a game record, which knows what the turns before left over."""
FORMS = frozenset((FILED, HELD)) | IN_GAME
"""Forms with the cells they stand in: what is found in them has a place of its own."""
BESIDE_ORDERS = frozenset(
    {
        *(STATED, ROLLED, FLEW, GUIDED, DISPLAYED, DAMAGED, MISMARKED, PLAYED),
        *(TURN_PLAYED, TURNS_PASSED, TURN_RUN, TURNED_BACK, UNTOLD, *FORMS),
    }
)
"""The kinds of events that no record holds. Of fire and flight: a figure that was stated, dice that fell for fire,
how a seeker flew as its counter is seen, the drones a ship guided. Of displays: what one showed, what struck its ship
and was marked on it, what was marked on another's, its form as it was played. Of turns: one that a ship played, those
that the clock passed over or only ran through, a ship that turned on the spot and back, a gap that shows only in dice
and displays. Of forms: one that was filed with all its turns and cells, and one that a ship holds and its player goes
on filling in."""
NOWHERE = Location()
NO_TIME = When()


@frozen
class Event:
    """One thing that happened: its place in the row, its kind and what a record would hold of it; where the source
    says so, who did or said it, when, and whether that is sure."""

    seq: int
    type: str
    data: Mapping[str, Any]
    hash: str = ""
    at: Location = NOWHERE
    by: str = ""
    when: When = NO_TIME
    sure: Certainty = SURE


@frozen
class Coverage:
    """What a source tells of at all. Of each topic it says why the source tells nothing of it, in words that a report
    lists under what was not checked; nothing where it tells of it."""

    energy: str = ""
    """What ships paid for: their forms."""
    dice: str = ""
    damage: str = ""
    """What damage did: the boxes that are left."""
    moves: str = ""
    ways: str = ""
    """Which way ships move: where it is silent their counters are seen to stand somewhere."""
    steps: str = ""
    """In which step of an impulse a thing was done."""
    seekers: str = ""
    """How seekers moved: where it is silent they fly by the rules."""
    start: str = ""
    """What was before its first event: where it is silent the game may have begun earlier."""
    secrets: str = ""
    """The forms of the other side."""

    @property
    def is_of_energy_alone(self) -> bool:
        """Does the source tell of energy, and of nothing else?"""
        played = (self.dice, self.damage, self.moves, self.ways, self.steps, self.seekers)
        return not self.energy and all((*played, self.start, self.secrets))


TELLS_ALL = Coverage()


@frozen
class Account:
    """A game from its first event, which is its genesis."""

    events: tuple[Event, ...]
    coverage: Coverage = field(default=TELLS_ALL)
    file: str = ""
    """What it was read from."""
    remarks: tuple[Finding, ...] = ()
    """What is found in the source itself, such as a line that was not understood."""
    kept: bool = True
    """Is it a record? Nobody writes in one but by right, and more may come."""
    proved: bool = False
    """Was every event held against the rights of its author before?"""
    end: Location = NOWHERE
    """Where an account that is no record ends."""
    gaps: tuple[Gap, ...] = ()
    """What it does not wholly tell of what it tells at all."""
    goes_on: bool = False
    """Is its last impulse still being played?"""
    over: Mapping[tuple[int, int], Location] = field(default_factory=dict)
    """Where an impulse was over, by turn and impulse, where the source tells that."""
    since: When = NO_TIME
    until: When = NO_TIME
    """The moments between which it tells the game."""
    until_step: str = ""
    """The step of the last impulse it ends in, as the source calls it; empty for the first."""

    @property
    def genesis(self) -> Mapping[str, Any]:
        """Who plays by what: rulebook, options, players, how dice are rolled."""
        return self.events[0].data

    @property
    def taken(self) -> int:
        """How many of its first events are of a file that the game was taken from."""
        return int(self.genesis.get("from", {}).get("lines", 0))

    @property
    def ships(self) -> tuple[Mapping[str, Any], ...]:
        """The ships as they enter."""
        return tuple(event.data for event in self.events if event.type == "ship")


def not_understood(problem: OrderProblem) -> Finding:
    """A remark on an order that could not be understood, or carried out."""
    return Finding(
        "NOTE/order",
        Severity.UNDECIDED,
        problem.reason,
        location=problem.location,
        found=problem.text,
        fix=problem.hint,
    )


def order_in(data: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The kind of an order that an event holds, and what it says."""
    for kind, order in data.items():
        if isinstance(order, dict):
            return kind, order
    raise KeyError("an order that orders nothing")
