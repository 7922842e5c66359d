"""Seekers of a play-by-play: which rack or tube they left, what they go after, and how they flew."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from referee.core.combat import soonest_facing
from referee.core.finding import SURE, Certainty, Finding, Perhaps, Severity
from referee.core.frozen import replace
from referee.core.hexgrid import Hex, relative_offset, true_range
from referee.core.location import Location
from referee.core.naming import how_many
from referee.core.ship import Mount, ShipClass
from referee.formats.sfbol import Added, Destroyed, Fact, Fired, ImpulseBegun, Moved, Turned
from referee.rulebooks.base import Rulebook
from referee.sources.sfbol_course import Grid, Leg, toward
from referee.sources.sfbol_names import Names
from referee.sources.sfbol_speeds import steady_speeds
from referee.sources.sfbol_tubes import Tubes

SLOW = frozenset((8, 12, 16, 20))
"""Speeds of other drones of the game, which the rulebooks here do not have."""
LONGEST_FLIGHT, FARTHEST = 3, 15
"""The turns that a seeker flies at most, and the hexes that plasma torpedoes of some type do."""
OTHER_WARHEADS = (8, 24)
"""What other drones of the game score, which the rulebooks here do not have."""
LAST_LINE = 10**9
"""More than any file has."""
_new = tuple.__new__
Stands = Mapping[str, tuple[Hex, str]]


class Flight:
    """One thing that was launched: by whom, after what, and its places by line."""

    def __init__(self, name: str, type: str, owner: str, line: int) -> None:
        self.name = name
        self.type = type
        self.owner = owner
        self.line = line
        self.legs: dict[int, Leg] = {}
        self.at: dict[int, tuple[int, int]] = {}
        """The turn and impulse of each of its places, by line; of those told before the first impulse none."""
        self.target = ""
        self.sure: Certainty = SURE
        self.doubted: Certainty = SURE
        """Why what is told of it may be otherwise, whatever it goes after."""
        self.told_at = line
        """The last line that told where it is."""
        self.slipped = False
        """Did it slip, or turn without a word of where, so that how it faces is not known?"""
        self.here: tuple[Hex, str] | None = None
        self.came_from = Hex(1, 1)
        """The hex that it left last."""
        self.flying = False
        self.corrected = 0
        """The line of a move that may put right another one of its impulse; 0 where there is none."""
        self.launched: tuple[int, int | None] = (0, None)
        """The turn and impulse in which it was launched."""
        self.moved: tuple[int, int | None] = (0, None)
        """The turn and impulse in which it moved last."""
        self.ahead = False
        """Did it move twice in that impulse: once, perhaps, for the next one?"""
        self.astray = self.fired_at = 0
        """The last line in which it went where no move leads, and in which it was fired at; 0 for none."""
        self.faces = ""
        """How it faces by the way it went, where it is told to face otherwise than any move leaves it."""
        self.waits = False
        """Is it told of no more, but perhaps struck later?"""
        self.end_known = False
        """Is it told, or plain, what became of it?"""
        self.hurt_in: tuple[int, int | None] | None = None
        """The turn and impulse in which fire at it was last counted."""
        self.mount_type = ""
        """What it was launched from."""
        self.slow = 0
        """The speed of another kind of seekers that it moves at all the time; 0 where it does not."""
        self.moves = False
        """Does any line tell a move of it?"""
        self.untold = False
        """Does no line tell a move of it, though it must have flown?"""


class Launches:
    """The launches of a game."""

    def __init__(
        self, rulebook: Rulebook, classes: Mapping[str, ShipClass], names: Names, grid: Grid
    ) -> None:
        self._tubes = Tubes(rulebook, classes)
        self._classes = classes
        self._names = names
        self._grid = grid
        self.known: dict[str, Flight] = {}
        self.moved_at: dict[int, Flight] = {}
        """What moves in each line in which something launched does."""
        self._aloft: list[Flight] = []
        for name, fact in names.launched.items():
            owner = names.means(fact.launcher) if fact.launcher else ()
            self.known[name] = Flight(name, fact.type, owner[0] if len(owner) == 1 else "", fact.line)
        self._last: dict[str, int] = {}
        self._over: dict[int, list[str]] = {}
        self._landed: dict[str, tuple[int, int | None]] = {}
        self._astray: dict[str, list[Flight]] = {}
        """Seekers that neither struck nor were destroyed as far as is told, by their targets."""
        self.destroyed: set[str] = set()
        self._findings: list[Finding] = []
        self._left: dict[str, list[Flight]] = {}
        self._aimless: list[Flight] = []
        """Things launched of which it is not known what they go after."""
        self._unseen: list[Flight] = []
        """Those in flight of which no line tells a move: where they are is not known."""

    def flights(self, facts: Iterable[Fact]) -> Iterator[Flight]:
        """All flights, each with its places; a seeker faces the way it went."""
        here: dict[str, tuple[Hex, str]] = {}
        now: tuple[int, int] | None = None
        for fact in facts if self.known else ():
            if isinstance(fact, ImpulseBegun):
                now = fact[1:]
                continue
            if isinstance(fact, (Moved, Turned, Destroyed)):
                named = fact.ship
            elif isinstance(fact, Added):
                named = fact.name
            elif isinstance(fact, Fired):
                named = fact.target
            else:
                continue
            flight = self.known.get(named)
            if flight is None:
                continue
            line = self._last[named] = fact.line
            if isinstance(fact, (Added, Moved)):
                hex, before = self._grid.hex(fact), here.get(named)
                facing = fact.facing
                if before is not None:
                    facing = facing or toward(before[0], hex) or before[1]
                    if not before[1] and facing:
                        first = flight.legs[min(flight.legs)]
                        flight.legs[min(flight.legs)] = Leg(first.hex, facing, first.how)
                how = "put" if isinstance(fact, Added) else fact.how
                flight.legs[line] = _new(Leg, (hex, facing, how, SURE, 0, (), "", None))
                here[named] = hex, facing
                if now is not None:
                    flight.at[line] = now
                if isinstance(fact, Moved):
                    flight.moves, self.moved_at[line] = True, flight
            elif isinstance(fact, Turned):
                flight.moves = True
                here[named] = here[named][0] if named in here else Hex(1, 1), fact.facing
            elif isinstance(fact, Destroyed):
                self.destroyed.add(named)
        for name, line in self._last.items():
            self._over.setdefault(line, []).append(name)
        yield from self.known.values()

    def last_line(self, name: str) -> int:
        """The last line that is of a thing launched."""
        return self._last.get(name, 0)

    def leaves_later(self, name: str, line: int) -> None:
        """Something launched stays till a later line, though nothing more is told of it."""
        self._over.setdefault(line, []).append(name)

    def over_at(self, line: int) -> Sequence[str]:
        """What is not spoken of any more after a line."""
        return self._over.get(line, ())

    def begin(
        self,
        flight: Flight,
        moment: tuple[int, int | None, str],
        here: Stands,
        dead: Iterable[str],
        known: tuple[str, Certainty],
    ) -> Mount | None:
        """A launch: the rack or tube that has been idle longest, and the ship it goes after, `known` or the only other
        one. None where no weapon of the ship known here launches such a thing."""
        mounts = self._tubes.of_type(flight.owner, flight.type)
        if not mounts or flight.owner not in here or flight.owner in dead:
            if flight.owner in self._classes:
                self._left.setdefault("what it was launched from is not known here", []).append(flight)
            elif not flight.owner:
                named = self._names.launched[flight.name].launcher
                why = (
                    f"no one ship is called {named}, which launched it"
                    if named
                    else "who launched it is not told"
                )
                self._left.setdefault(why, []).append(flight)
            return None
        target, flight.sure = known
        if flight.corrected:
            flight.doubted = Perhaps(f"its move of line {flight.corrected} may correct the one before it")
            flight.sure = flight.sure if flight.sure is not SURE else flight.doubted
        others = [name for name in self._names.ships if name != flight.owner and name not in dead]
        if not target and len(others) == 1:
            target = others[0]
            if any(other.owner != flight.owner for other in self.flying()):
                flight.sure = Perhaps(f"it is taken to go after {target}, the only other ship")
        ship, faces = here[flight.owner]
        seen = relative_offset(ship, faces, here[target][0]) if faces and target in here else None
        mount, tube = self._tubes.launches(flight.owner, mounts, (moment[0], moment[1] or 0), seen)
        flight.sure = flight.sure if flight.sure is not SURE else tube
        if flight.untold:
            flight.target = target
            self._unseen.append(flight)
        if not target:
            if not flight.untold:
                self._aimless.append(flight)
            return mount
        if not faces:
            self._left.setdefault(f"which way {flight.owner} faces is not known", []).append(flight)
            return mount
        if target not in self._classes or target not in here:
            self._left.setdefault(f"where {target} stands is not known", []).append(flight)
            return mount
        flight.target, flight.flying, flight.launched = target, True, moment[:2]
        flight.mount_type = mount.type
        if flight not in self._aloft:
            self._aloft = [*self._aloft, flight]
        if flight.slow:
            sentence = f"it moves at speed {flight.slow}, and seekers here in every impulse: is it of another kind? Whether it moves when it must is not judged"
            self._say(flight, sentence, flight.line, moment[0], moment[1])
        leg = flight.legs[flight.line]
        facing = leg.facing or soonest_facing(ship, here[target][0], faces)
        flight.here = ship, facing
        return mount

    def find_slow(self, calls: Mapping[int, int], of: int) -> None:
        """Finds those that move by the calls of a slower speed all the time: that is not held against them."""
        known = {speed: called for speed, called in calls.items() if speed in SLOW or speed == of}
        for flight in self.known.values():
            at = flight.at
            flight.corrected = _corrected(flight)
            first = at.get(flight.line)
            moved = {at[line] for line, leg in flight.legs.items() if leg.how != "put" and line in at}
            if first is None or not moved:
                continue
            speeds = steady_speeds(known, moved, first, max(moved), of)
            flight.slow = min(SLOW & set(speeds), default=0) if of not in speeds else 0

    def find_untold(self, rows: Sequence[tuple[ImpulseBegun, Sequence[Fact]]]) -> None:
        """Finds those of which no line tells a move, though an impulse begins while they fly."""
        begun = [row.line for row, _ in rows] if self.known else []
        for flight in self.known.values():
            n = bisect_right(begun, flight.line)
            until = self._last[flight.name] if flight.name in self.destroyed else LAST_LINE
            flight.untold = not flight.moves and n < len(begun) and begun[n] < until

    @property
    def flights_untold(self) -> str:
        """Why no flight is judged, where no line of the game tells a move of any seeker; else nothing."""
        untold = [flight for flight in self.known.values() if flight.untold]
        if not untold or any(flight.moves for flight in self.known.values()):
            return ""
        count = how_many(len(untold), "seeker")
        return f"no line tells a move of a seeker: the flights of {count} launched, and their strikes, are not in the log"

    def shot_down(self, name: str) -> None:
        """Something launched is destroyed: it strikes nobody."""
        self._unseen = [flight for flight in self._unseen if flight.name != name]

    def may_strike_unseen(self, ship: str) -> bool:
        """Flies something of which no line tells a move, that may strike a ship?"""
        return any(_may_strike(flight, ship) for flight in self._unseen)

    def flying(self) -> list[Flight]:
        """What is followed and flies."""
        if self._aloft:
            self._aloft = [flight for flight in self._aloft if flight.flying]
        return self._aloft

    def hunt(self, ship: str) -> bool:
        """Was something launched that goes after a ship, or may?"""
        return any(flight.target in (ship, "") and flight.owner != ship for flight in self.known.values())

    def arrived(self, ship: str, here: Stands) -> int:
        """How many seekers that go after a ship are in its hex."""
        return len(self.there(ship, here))

    def there(self, ship: str, here: Stands) -> list[Flight]:
        """The seekers that go after a ship and are in its hex."""
        return [flight for flight in self.flying() if flight.target == ship and _is_there(flight, here)]

    def other_warheads(self, flights: Iterable[Flight]) -> Sequence[int]:
        """What drones of other kinds score, where all of some flights are drones."""
        return OTHER_WARHEADS if all("drone" in flight.type.casefold() for flight in flights) else ()

    def _say(self, flight: Flight, sentence: str, line: int, turn: int | None, impulse: int | None) -> None:
        place = Location("", line=line)
        self._findings.append(
            Finding("NOTE/seeker", Severity.UNDECIDED, sentence, flight.name, turn, impulse, place)
        )

    def landed(self, flight: Flight, here: Stands, moment: tuple[int, int | None]) -> None:
        """A seeker is gone: if it was in the hex of its target it may have struck it."""
        if _is_there(flight, here):
            self._landed[flight.target] = moment
            self.ends(flight, here, moment)
        elif flight.here is not None and flight.name not in self.destroyed:
            self._astray.setdefault(flight.target, []).append(flight)
            flight.end_known |= flight.sure is not SURE or self._is_spent(flight, moment)

    def _is_spent(self, flight: Flight, moment: tuple[int, int | None]) -> bool:
        """May it have flown as far as it goes?"""
        far = len(flight.legs) > FARTHEST and "plasma" in flight.type.casefold()
        return far or moment[0] - flight.launched[0] >= LONGEST_FLIGHT

    def ends(self, flight: Flight, here: Stands, moment: tuple[int, int | None]) -> None:
        """Nothing more is told of a seeker: where it has reached its target, it is said that no strike is told."""
        if not flight.end_known and flight.name not in self.destroyed and _is_there(flight, here):
            sentence = (
                f"it reaches {flight.target}, and no damage of it is stated: what it did is not checked"
            )
            self._say(flight, sentence, self._last[flight.name], *moment)
            flight.end_known = True

    def strikes(self, ship: str, here: Stands, moment: tuple[int, int | None]) -> bool:
        """May a seeker have struck a ship in this impulse?"""
        stands = here.get(ship)
        if self.arrived(ship, here) or self._landed.get(ship) == moment:
            return True
        # A target may move into the hex of a seeker, or it into that of the target, and only the damage tells.
        waiting = [flight for flight in self.flying() if flight.waits and flight.target == ship]
        for flight in [*waiting, *self._astray.get(ship, ())]:
            if not flight.end_known and stands and flight.here and true_range(flight.here[0], stands[0]) <= 1:
                flight.end_known = True
                sentence = f"{ship} may be struck by it: by which shield and how much is not checked"
                self._say(flight, sentence, self._last[flight.name], *moment)
                return True
        unseen = next((flight for flight in self._unseen if _may_strike(flight, ship)), None)
        if unseen is not None:
            self._unseen.remove(unseen)
        return unseen is not None

    def findings(self, file: str) -> Iterator[Finding]:
        """What was found of launches and flights, and which of them are not followed."""
        for flight in [flight for row in self._astray.values() for flight in row if not flight.end_known]:
            sentence = f"no later line is of it, and it has not reached {flight.target}: what became of it is not known"
            self._say(flight, sentence, self._last[flight.name], flight.moved[0] or None, flight.moved[1])
        for finding in self._findings:
            yield replace(finding, location=Location(file, line=finding.location.line))
        if self._aimless:
            first, count = self._aimless[0], how_many(len(self._aimless), "thing")
            more = f", {', '.join(flight.name for flight in self._aimless[1:6])}" if self._aimless[1:] else ""
            sentence = f"{count} launched, {first.name}{more}: which ship it goes after is not known; the flight is not judged"
            yield Finding(
                "NOTE/flights",
                Severity.UNDECIDED,
                sentence,
                first.owner,
                location=Location(file, line=first.line),
                fix=f'say --target "{first.name}=SHIP"',
            )
        still = [] if self.flights_untold else [flight for flight in self.known.values() if flight.untold]
        rest = {"no line tells a move of it": still} if still else {}
        for why, flights in {**self._left, **rest}.items():
            sentence = f"{len(flights)} {'thing' if len(flights) == 1 else 'things'} launched, {flights[0].name} first: {why}; the flight is not followed"
            place = Location(file, line=flights[0].line)
            yield Finding("NOTE/flights", Severity.UNDECIDED, sentence, flights[0].owner, location=place)


def _is_there(flight: Flight, here: Stands) -> bool:
    """Is a seeker in the hex of its target?"""
    stands = here.get(flight.target)
    return flight.here is not None and stands is not None and flight.here[0] == stands[0]


def _may_strike(flight: Flight, ship: str) -> bool:
    """May something strike a ship, by what it goes after?"""
    return flight.owner != ship and flight.target in (ship, "")


def _corrected(flight: Flight) -> int:
    """The line of a flight's second move in one impulse that, like the first, begins where it stood before."""
    at = flight.at
    if len(set(at.values())) == len(at):
        return 0
    rows = sorted(flight.legs.items())
    for (_, stood), (first, _), (second, leg) in zip(rows, rows[1:], rows[2:], strict=False):
        if first in at and at[first] == at.get(second) and true_range(stood.hex, leg.hex) == 1:
            return second
    return 0
