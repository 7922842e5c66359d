"""Damage marked on displays, held against the volleys that struck (D4.1, D4.223)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from referee.adjudicator.hits_on_ship import Displayed, Strike, unmarked
from referee.adjudicator.repairs import INSIDE, Marking, Repairs, Tally, Unpaid, tally
from referee.adjudicator.rolled_fire import Loose
from referee.adjudicator.volley import plays_reinforcement, resolve
from referee.core.dice import ScriptedDice
from referee.core.errors import BadInput
from referee.core.finding import About, Finding, NotChecked, Severity
from referee.core.location import Location
from referee.core.naming import how_many
from referee.core.state import live_boxes
from referee.core.volley import Choice, VolleyOrder
from referee.rulebooks.base import Rulebook

_LATE = 4  # strikes with marks of their own that may be marked out of turn
_LOOSE = 3  # ships' fire that may strike any shield, each tried on each
_WAYS = 300  # ways for an owner to choose that are tried before giving up


@dataclass
class _Bout:
    """Strikes and the marks that followed them, before anything else struck."""

    strikes: list[Strike] = field(default_factory=list)
    marks: list[Marking] = field(default_factory=list)


def judge_damage(
    rulebook: Rulebook,
    shown: Displayed,
    strikes: Iterable[Strike],
    marks: Sequence[Marking],
    file: str,
    turn: int | None = None,
) -> Iterator[Finding | NotChecked | Unpaid]:
    """Findings on one ship's damage, and what of it was taken off again for nothing.

    Damage that is not marked is late at first. When the `turn` the log has come to is a later one than that
    of the fire, the ship plays on unhurt: undecided, as the boxes may have been crossed out elsewhere. With
    no `turn` that is not asked.
    """
    fired = list(strikes)
    hits = [strike for strike in fired if strike.points or strike.why]
    if hits and not marks:
        yield from unmarked(rulebook, shown, hits, file, turn)
        return
    # Fire that missed tells something of what is marked at once, and of nothing that is marked later.
    at_once = [each for each in fired if each.perhaps or any(mark.when == each.when for mark in marks)]
    missed = [strike for strike in at_once if strike not in hits]
    repairs = Repairs(rulebook, shown.ship, shown.name, shown.purse, file)
    bouts = _bouts([*hits, *missed], marks)
    while bouts:
        joined = _joined(rulebook, shown, bouts, repairs, file)
        bout = _together(bouts[:joined])
        if joined > 1:
            yield _late(shown, bout, file)
        bouts = bouts[joined:]
        total = tally(bout.marks)
        judged = _Judged(rulebook, shown, bout, total, repairs, file) if bout.strikes and bout.marks else None
        if judged and all(strike.perhaps for strike in bout.strikes) and judged.fits() is False:
            judged = None  # what may have struck is no measure of what did
        least, most = judged.bounds() if judged else (None, None)
        yield from repairs.judge(total, least)
        repairs.marked_again(total, most)
        if judged:
            yield from judged.findings()
        elif bout.marks:
            if any(total.lost.values()):
                step = bout.marks[0].step
                yield NotChecked(
                    rulebook.named.absorbed,
                    f"no fire is known for the damage marked from step {step} on",
                    shown.name,
                )
        elif due := [strike for strike in bout.strikes if strike in hits]:
            yield from unmarked(rulebook, shown, due, file, turn)
    yield from repairs.unpaid


def _bouts(strikes: Iterable[Strike], marks: Iterable[Marking]) -> list[_Bout]:
    """Strikes without a mark between them are marked together."""
    events: list[tuple[int, int, Strike | Marking]] = [(strike.step, 0, strike) for strike in strikes]
    events += [(mark.step, 1, mark) for mark in marks]
    bouts = [_Bout()]
    for _, _, event in sorted(events, key=lambda item: item[:2]):
        if isinstance(event, Marking):
            bouts[-1].marks.append(event)
        elif bouts[-1].marks:
            bouts.append(_Bout([event]))
        else:
            bouts[-1].strikes.append(event)
    return [bout for bout in bouts if bout.strikes or bout.marks]


def _together(bouts: Sequence[_Bout]) -> _Bout:
    return _Bout(
        [each for bout in bouts for each in bout.strikes], [each for bout in bouts for each in bout.marks]
    )


def _joined(rulebook: Rulebook, shown: Displayed, bouts: Sequence[_Bout], repairs: Repairs, file: str) -> int:
    """How many bouts from the first on are marked out of turn: their marks fit what struck in all of them, and
    that of the first do not. One where there are no such."""
    for many in range(1, min(_LATE, len(bouts)) + 1):
        bout = _together(bouts[:many])
        if not bout.strikes or not bout.marks:
            return 1
        total = tally(bout.marks)
        judged = _Judged(rulebook, shown, bout, total, repairs, file)
        mended = bool(total.earlier) or any(back.late for back in total.own)
        if mended or judged.fits() is not False:
            return 1 if mended or not judged.fits() else many
    return 1


def _late(shown: Displayed, bout: _Bout, file: str) -> Finding:
    steps, last = ", ".join(str(strike.step) for strike in bout.strikes), bout.marks[-1]
    return Finding(
        "NOTE/marked-late",
        Severity.WARNING,
        f"the fire of steps {steps} is marked out of turn; all of it is marked",
        shown.name,
        last.when.turn,
        last.when.impulse,
        Location(file, piece=shown.name, step=last.step),
        fix="mark damage as it is scored: what strikes next finds other shields",
    )


class _Judged:
    """One bout being judged: what its marks come to is in its `total`."""

    def __init__(
        self, rulebook: Rulebook, shown: Displayed, bout: _Bout, total: Tally, repairs: Repairs, file: str
    ) -> None:
        self.rulebook, self.shown, self.file = rulebook, shown, file
        self.total, self.repairs = total, repairs
        self.strikes, self.marks = bout.strikes, bout.marks
        self.fire = bout.strikes[0].step
        self.seen = rulebook.offers.seen_damage
        self.before = bout.marks[0].before
        self.points: Counter[int] = Counter()
        for volley in (volley for strike in bout.strikes for volley in strike.volleys):
            self.points[volley.order.shield or 0] += volley.order.points
        self.perhaps = sum(strike.perhaps for strike in bout.strikes)
        self.loose = [hit for strike in bout.strikes for hit in strike.loose]
        if self.loose and not self._lacks():
            self._place()

    def _place(self) -> None:
        """Puts the points of which it is not known what shield they strike on those that fit the marks, or else on
        the shield that most of is marked."""
        marked = sorted(self.before.shields, key=lambda shield: -self.total.lost[shield])
        sure, first = self.points, None
        for shields in product(*(self._open_to(hit, marked) for hit in self.loose)):
            self.points = sure.copy()
            for shield, hit in zip(shields, self.loose, strict=True):
                self.points[shield] += hit.points
            if self.fits():
                return
            first = first or self.points
        self.points = first or sure

    def _open_to(self, hit: Loose, shields: Iterable[int]) -> list[int]:
        return [shield for shield in shields if not hit.shields or shield in hit.shields]

    def bounds(self) -> tuple[dict[int, int] | None, dict[int, int] | None]:
        """The fewest and the most boxes the fire can have cost, by shield and INSIDE; None where that cannot
        be told."""
        if self._lacks():
            return None, None
        of = {shield: self._of_shield(shield) for shield in self.before.shields} | {INSIDE: self._through()}
        return {part: low for part, (low, _) in of.items()}, {part: high for part, (_, high) in of.items()}

    def fits(self) -> bool | None:
        """Is as much marked as the fire can have cost, part by part? None where that is not known."""
        least, most = self.bounds()
        if least is None or most is None:
            return None
        return all(low <= self.total.lost[part] <= most[part] for part, low in least.items())

    def _lacks(self) -> str:
        """Why the fire cannot be compared with the marks; nothing where it can."""
        if why := next((strike.why for strike in self.strikes if strike.why), ""):
            return why
        if self.shown.reinforced is None and plays_reinforcement(self.rulebook):
            return "its reinforcement is not known: no form"
        if len(self.loose) > _LOOSE:
            return "which shields it struck is not known"
        return "" if self.shown.shows_shields else "its display shows no shields"

    def findings(self) -> Iterator[Finding | NotChecked]:
        """What is wrong with the marks."""
        if lacks := self._lacks():
            step = self.strikes[0].step
            yield NotChecked(
                self.rulebook.named.absorbed,
                f"what struck it in step {step} cannot be compared with its marks: {lacks}",
                self.shown.name,
            )
            return
        wrong = list(self._shields())
        strays = [finding for shield, finding in wrong if not self.points[shield]]
        # What is marked on the wrong shield is missing on the right one: one mistake.
        yield from strays or [finding for _, finding in wrong]
        inside = list(self._inside()) if not wrong else []
        yield from inside
        yield from self._boxes(counted=not wrong and not inside)

    def _absorbed(self, shield: int) -> int:
        """The most points reinforcement can have taken."""
        turns = {strike.when.turn for strike in self.strikes}
        given = self.shown.reinforced or {}
        if not plays_reinforcement(self.rulebook):
            return 0
        return sum(given.get(t or 0, {}).get(0, 0) + given.get(t or 0, {}).get(shield, 0) for t in turns)

    # -- counts --------------------------------------------------------------------------

    def _of_shield(self, shield: int) -> tuple[int, int]:
        """The fewest and the most boxes of a shield that the fire can have cost."""
        left, struck = self.before.shields[shield], self.points[shield]
        return min(left, max(0, struck - self._absorbed(shield))), min(left, struck + self.perhaps)

    def _shields(self) -> Iterator[tuple[int, Finding]]:
        for shield in sorted(self.before.shields):
            struck, found = self.points[shield], self.total.lost[shield]
            least, most = self._of_shield(shield)
            if least <= found <= most:
                continue
            self.repairs.too_many(shield, max(0, found - most))
            expected = str(most) if least == most else f"{least} to {most}"
            about = self._about(self._step_of(shield))
            if struck:
                on = "one shield" if self.loose else "it"
                finding = self.seen.shield_marked(about, self.fire, shield, struck, on, expected, found)
            else:
                finding = self.seen.other_shield_marked(
                    about, self.fire, shield, self._struck(), expected, found
                )
            yield shield, finding

    def _struck(self) -> str:
        if self.loose:
            return "one other"
        return " and ".join(f"shield {n}" for n in sorted(self.points) if self.points[n]) or "none"

    def _inside(self) -> Iterator[Finding | NotChecked]:
        least, most = self._through()
        found = len(self.total.gone)
        if least <= found <= most:
            return
        expected = through = str(most) if least == most else f"{least} to {most}"
        if found < least and self._is_gone():
            return
        if found < least <= found + self.shown.hidden:
            reason = f"{how_many(least, 'point comes', 'points come')} through in step {self.strikes[0].step}; its display does not show every box"
            yield NotChecked(self.rulebook.named.absorbed, reason, self.shown.name)
            return
        self.repairs.too_many(INSIDE, max(0, found - most))
        lacking = self.shown.hidden if found < least else 0
        if lacking:
            expected = f"{least - lacking} to {most}"
        about = self._about(self.marks[-1].step)
        yield self.seen.inside_marked(about, self.fire, through, found, expected, lacking)

    def _is_gone(self) -> bool:
        """Was it destroyed by what struck it (D4.4)? What was left of the volley then strikes nothing."""
        ship, after = self.shown.ship, self.marks[-1].after
        return bool(ship.box_ids("excess")) and not live_boxes(ship, after, "excess")

    def _through(self) -> tuple[int, int]:
        """The fewest and the most points that come through the shields."""
        most = least = 0
        for shield, struck in self.points.items():
            left = self.before.shields.get(shield, 0)
            most += max(0, struck - left)
            least += max(0, struck - self._absorbed(shield) - left)
        return least, most + self.perhaps

    # -- boxes ---------------------------------------------------------------------------

    def _boxes(self, *, counted: bool) -> Iterator[Finding | NotChecked]:
        gone = frozenset(self.total.gone)
        volleys = [volley for strike in self.strikes for volley in strike.volleys]
        if gone and self.loose:
            reason = "which shield was struck is not known: which boxes were hit is not judged"
            yield NotChecked(self.rulebook.named.owner_picks, reason, self.shown.name)
            return
        if (
            not gone
            or not volleys
            or (self.rulebook.options.get("damage") and self.rulebook.option("damage") == "fast")
        ):
            return
        if len(volleys) == 1 and not self.perhaps:
            closed = list(self._closed(gone, volleys[0].order))
            yield from closed
            if closed:
                return
        if not counted:
            return
        chart = [total for strike in self.strikes for total in strike.chart]
        least, most = (
            max(0, n - len(live_boxes(self.shown.ship, self.before, "armor"))) for n in self._through()
        )
        if not chart:
            reason = "the dice for the damage chart are not in the log: which boxes were hit is not known"
            yield NotChecked(self.rulebook.named.owner_picks, reason, self.shown.name)
        elif not self.shown.agrees or len(volleys) > 1 or least != most or len(chart) != most:
            step = self.strikes[0].step
            reason = f"{len(chart)} dice on the damage chart do not tell the {how_many(most, 'point')} of step {step} apart"
            yield NotChecked(self.rulebook.named.owner_picks, reason, self.shown.name)
        else:
            yield from self._scored(gone, volleys[0].order, chart)

    def _closed(self, gone: frozenset[str], order: VolleyOrder) -> Iterator[Finding]:
        """Boxes of systems no roll can cost."""
        may = self.rulebook.offers.systems_open(self.rulebook, self.shown.ship, self.before, order)
        for system, count in sorted(self._systems(gone).items()):
            if system not in may and system != "armor":
                name = system.replace("_", " ")
                about = self._about(self._step_of_system(system))
                yield self.seen.closed_marked(about, self.fire, name, count)

    def _scored(
        self, gone: frozenset[str], order: VolleyOrder, chart: list[int]
    ) -> Iterator[Finding | NotChecked]:
        """The volley scored with the dice of the log, its owner choosing what is marked wherever he may."""
        marked = self._systems(gone)
        owner = _AsMarked(gone)
        hit: Counter[str] = Counter()
        for _ in range(_WAYS):
            try:
                result = resolve(
                    self.rulebook, self.shown.ship, self.before, order, ScriptedDice(chart), owner
                )
            except BadInput as error:
                yield NotChecked(
                    self.rulebook.named.owner_picks,
                    f"the volley cannot be scored: {error.reason}",
                    self.shown.name,
                )
                return
            found = self._systems(result.state.destroyed - self.before.destroyed)
            if found == marked:
                return
            hit = hit or found
            if not owner.turn_back():
                break
        else:
            reason = "its owner had too many choices to try them all against what is marked"
            yield NotChecked(self.rulebook.named.owner_picks, reason, self.shown.name)
            return
        for system in sorted({*hit, *marked}):
            if hit[system] != marked[system]:
                name = system.replace("_", " ")
                too_many = marked[system] > hit[system]
                step = self._step_of_system(system) if too_many else self.marks[-1].step
                about = self._about(step)
                yield self.seen.otherwise_marked(about, self.fire, name, marked[system], hit[system])

    def _systems(self, boxes: Iterable[str]) -> Counter[str]:
        return Counter(self._system(box) for box in boxes)

    def _system(self, box: str) -> str:
        mount = self.shown.ship.mount(box)
        return mount.system if mount else box.partition("/")[0]

    # -- findings ------------------------------------------------------------------------

    def _step_of(self, shield: int) -> int:
        """The last step a shield was marked in; the last of the bout where none was, or some was taken off."""
        lost = (
            m.step for m in self.marks if m.after.shields.get(shield, 0) < m.before.shields.get(shield, 0)
        )
        taken_off = any(back.part == shield for back in self.total.own)
        end = self.marks[-1].step
        return end if taken_off else max(lost, default=end)

    def _step_of_system(self, system: str) -> int:
        steps = [
            mark.step
            for mark in self.marks
            if any(self._system(box) == system for box in mark.after.destroyed - mark.before.destroyed)
        ]
        return (steps or [self.marks[-1].step])[-1]

    def _about(self, step: int) -> About:
        when = next((mark.when for mark in self.marks if mark.step == step), self.strikes[-1].when)
        place = Location(self.file, piece=self.shown.name, step=step)
        return About(self.shown.name, when.turn, when.impulse, place)


class _AsMarked:
    """An owner who picks boxes that are marked, each once, and else the first. Where several would do, one is
    tried after the other: `turn_back` goes to the last choice that can be made otherwise."""

    name = "as marked"

    def __init__(self, marked: frozenset[str]) -> None:
        self._marked = marked
        self._left = set(marked)
        self._path: list[tuple[int, int]] = []
        self._made = 0

    def choose(self, choice: Choice) -> str:
        """A box that is marked if there is one."""
        marked = [box for box in choice.boxes if box in self._left]
        # Boxes of a system that are no weapons are all alike.
        kinds = {box if choice.ship.mount(box) else box.partition("/")[0]: box for box in reversed(marked)}
        ways = list(kinds.values())[::-1] or [choice.boxes[0]]
        if self._made == len(self._path):
            self._path.append((0, len(ways)))
        box = ways[min(self._path[self._made][0], len(ways) - 1)]
        self._made += 1
        self._left.discard(box)
        return box

    def turn_back(self) -> bool:
        """Whether there is another way to choose; it is the one tried next."""
        while self._path and self._path[-1][0] + 1 >= self._path[-1][1]:
            self._path.pop()
        if self._path:
            taken, ways = self._path[-1]
            self._path[-1] = taken + 1, ways
        self._left, self._made = set(self._marked), 0
        return bool(self._path)
