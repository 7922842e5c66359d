"""What a play-by-play tells of ships that cannot be as it stands there, as events: lost lines of moves and turns, lines out
of their place, false facings."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.finding import SURE, Finding, Perhaps, Severity, Unknown
from referee.core.gameorders import way_between
from referee.core.hexgrid import Hex, true_range
from referee.core.location import Location
from referee.core.naming import how_many
from referee.sources.sfbol_course import Leg
from referee.sources.sfbol_flights import FlightsTold
from referee.sources.sfbol_lost_lines import Cut, InDoubt, LineLost, OutOfPlace, OutOfSight, SpeedAgain


class StraysTold(FlightsTold):
    """A row of events with what is amiss in the lines of ships' moves."""

    misfaced: dict[int, str]
    """Facings that are stated of ships and that neither their moves nor those after them bear out, by the line."""
    missing: set[str]
    """Ships of which it is not known where they are."""
    speeds: dict[str, int | None]
    """How fast ships were last."""

    def _say_cuts(self, cuts: Iterable[Cut]) -> None:
        """Pieces of the log that are missing are named."""
        for cut in cuts:
            self.cuts.add(cut.line)
            count = how_many(cut.left_out, "impulse is", "impulses are")
            sentence = f"{count} not told before impulse {cut.impulse}, and ships moved meanwhile: is a piece of the log missing? How they moved is not judged"
            place, fix = Location(self.file, line=cut.line), "give the whole log"
            self.findings.append(
                Finding("NOTE/clock", Severity.UNDECIDED, sentence, "", cut.turn, cut.impulse, place, fix=fix)
            )

    def _out_of_sight(self, name: str, line: int) -> None:
        """A line may be of a ship: where it is now is not known."""
        if name in self.classes and name not in self.dead and name in self.here:
            self._order(name, "place", {"ship": name, "to": ""}, line)
            del self.here[name]
            self.missing.add(name)

    def _astray(self, fact: LineLost | OutOfPlace | InDoubt | OutOfSight | SpeedAgain) -> None:
        """A move of a ship is lost, or stands in another impulse than the one that calls for it."""
        name = fact.ship
        if isinstance(fact, OutOfSight):
            self._out_of_sight(name, fact.line)
            return
        if name in self.dead or name not in self.here or self.moment[1] is None:
            return
        self.unsure.pop(name, None)
        sure = self.twins.get(name, SURE)
        if isinstance(fact, InDoubt):
            if fact.why:
                self.unsure[name] = Perhaps(fact.why)
        elif isinstance(fact, OutOfPlace):
            stated = {"what": "move out of place", "ship": name, "called": fact.called, "speed": fact.speed}
            self._put("stated", stated, fact.at, sure)
        elif isinstance(fact, SpeedAgain):
            again = {"ship": name, "speed": fact.speed}
            self._order(name, "speed", again, fact.at, Unknown("a piece of the log is missing"))
            self.speeds[name] = fact.speed
        elif way := way_between(self.here[name], fact.to):
            stated = {"what": "move untold", "ship": name, "speed": fact.speed, "shown": fact.shown}
            self._put("stated", stated, fact.at, sure)
            lost = "the line of its move is missing"
            self._order(name, "move", {"ship": name, "way": way}, fact.at, Unknown(lost))
            self.here[name] = fact.to
            self.unsure[name] = Perhaps(f"{lost} in impulse {self.moment[1]}")

    def _turns_untold(self, name: str, stood: Hex, leg: Leg, line: int) -> None:
        """A ship goes to one side of the way ahead, and on from there: no line tells that it turned."""
        facings = {"before": leg.turned_from, "after": leg.facing}
        stated = {"what": "turn untold", "ship": name, "from": str(stood), "to": str(leg.hex), **facings}
        self._put("stated", stated, line, self.twins.get(name, SURE))

    def _misplaced(self, name: str, stood: Hex, hex: Hex, leg: Leg, line: int) -> None:
        """A ship is told to be in a hex where no move leads, and it goes on from another one."""
        hexes = {
            "from": str(stood),
            "to": str(hex),
            "expected": str(leg.hex),
            "hexes": true_range(stood, hex),
        }
        self._put("stated", {"what": "misplaced", "ship": name, **hexes}, line, self.twins.get(name, SURE))

    def _faces_otherwise(self, name: str, leg: Leg, line: int) -> None:
        """A ship is said to face as its move does not leave it: which is so nobody knows till it goes on."""
        facing = self.misfaced[line]
        sure = self.unsure.get(name, self.twins.get(name, SURE))
        facings = {"worked_out": leg.facing, "facing": facing}
        self._put("stated", {"what": "facing", "ship": name, "hex": str(leg.hex), **facings}, line, sure)
        self.unsure[name] = Perhaps(
            f"it is said to face {facing} in line {line}, and its move leaves it otherwise"
        )
