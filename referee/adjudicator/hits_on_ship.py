"""What struck a ship, what its display can show of it, and what of it nobody marked (D4.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from referee.adjudicator.capacitor import EnergyFacts
from referee.adjudicator.check import judge
from referee.adjudicator.repairs import Marking, Purse
from referee.adjudicator.rolled_fire import Loose
from referee.adjudicator.volley import plays_reinforcement
from referee.core.combat import VolleyAt
from referee.core.finding import About, Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.play import When
from referee.core.ship import ShipClass
from referee.rulebooks.base import Rulebook


@frozen
class Strike:
    """All that struck a ship in an impulse; `known` is false where some of it is not known, and `why`.

    `chart` are the totals rolled for it on the damage chart. `perhaps` are the points of a seeker that may have
    struck it besides, on whichever shield; `loose` is fire of which it is not known what shield it strikes.
    """

    step: int
    when: When
    volleys: tuple[VolleyAt, ...] = ()
    why: str = ""
    chart: tuple[int, ...] = ()
    perhaps: int = 0
    loose: tuple[Loose, ...] = ()

    @property
    def points(self) -> int:
        """All points."""
        return sum(hit.order.points for hit in self.volleys) + sum(hit.points for hit in self.loose)


@frozen
class Displayed:
    """What is known of a ship and of what its display can show: shields at all, and, where it `agrees`, just the
    boxes the ship is known to have. `hidden` is how many of these it lacks. `reinforced` are the most points of
    reinforcement by turn: general under 0, else by shield. It is None where there is no form. `purse` is what the
    form paid for repairs."""

    name: str
    ship: ShipClass
    shows_shields: bool
    agrees: bool
    hidden: int = 0
    reinforced: Mapping[int, Mapping[int, int]] | None = None
    purse: Purse = Purse()


# -- what is not marked ------------------------------------------------------------------


def unmarked(
    rulebook: Rulebook, shown: Displayed, hits: Sequence[Strike], file: str, turn: int | None
) -> Iterator[Finding | NotChecked]:
    """Says which fire is not marked on a display that shows shields: as a finding where it surely cost boxes and
    its turn is over."""
    over = [hit for hit in hits if turn and hit.when.turn and hit.when.turn < turn]
    sure = [hit for hit in over if shown.shows_shields and _costs(rulebook, shown, hit)]
    rest = [hit for hit in hits if not any(hit is each for each in sure)]
    for hit in sure:
        place = Location(file, piece=shown.name, step=hit.step)
        about = About(shown.name, hit.when.turn, hit.when.impulse, place)
        yield rulebook.offers.seen_damage.not_marked(about, hit.step, hit.points, turn)
    if rest:
        steps = ", ".join(str(hit.step) for hit in rest[:12])
        reason = f"damage by the fire of step {steps} is not marked in the log"
        yield NotChecked(rulebook.named.absorbed, reason, shown.name)


def _costs(rulebook: Rulebook, shown: Displayed, hit: Strike) -> bool:
    """Does a strike surely cost the ship a box, whatever its reinforcement took?"""
    if hit.why:
        return False
    points: Counter[int] = Counter()
    for volley in hit.volleys:
        points[volley.order.shield or 0] += volley.order.points
    if not plays_reinforcement(rulebook):
        return hit.points > 0
    if shown.reinforced is None:
        return False
    given = shown.reinforced.get(hit.when.turn or 0, {})
    # What strikes a shield that is not known meets all that was bought, at the most.
    if sum(loose.points for loose in hit.loose) > sum(given.values()):
        return True
    return any(struck > given.get(0, 0) + given.get(shield, 0) for shield, struck in points.items())


# -- forms that may count it -------------------------------------------------------------


def waiting(strikes: Iterable[Strike], marks: Iterable[Marking], step: int) -> list[Strike]:
    """What had struck a ship before a step, and nothing was marked since."""
    last = max((mark.step for mark in marks if mark.step < step), default=0)
    return [strike for strike in strikes if last < strike.step < step and (strike.points or strike.why)]


def comes_through(strikes: Iterable[Strike], shields: Mapping[int, int]) -> bool:
    """May some of it have gone through the shields, that had so many boxes before? It may where the points or
    the shield are not known."""
    points: Counter[int] = Counter()
    for strike in strikes:
        if strike.why or strike.loose:
            return True
        for volley in strike.volleys:
            points[volley.order.shield or 0] += volley.order.points
    return any(struck > shields.get(shield, 0) for shield, struck in points.items())


def if_boxes_were_lost(
    rulebook: Rulebook, energy: EnergyFacts, found: Collection[Finding]
) -> Iterator[Finding]:
    """Those errors on a turn's form that are none if boxes were lost that its ship's display shows whole."""
    shown = energy.facts.known.at_start
    if not any(item.severity is Severity.ERROR for item in found):
        return
    facts = replace(energy.facts, known=rulebook.offers.known_damage(shown))
    rules = rulebook.rules_on("allocation", "check")
    judged = [item for rule in rules for item in judge(rule, rulebook, facts)]
    sure = {
        (item.key, item.message)
        for item in judged
        if isinstance(item, Finding) and item.severity is Severity.ERROR
    }
    keys = {rule.key for rule in rules}
    for item in found:
        if item.severity is Severity.ERROR and item.key in keys and (item.key, item.message) not in sure:
            yield item
