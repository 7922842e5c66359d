"""The facts of one ship's energy allocation in one turn, and what it carries to the next (B3.0).

Rules read an `EnergyTurn` and yield findings from it; nothing here judges.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from referee.core.energy import either, energy_total, left_over, show_energy
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.forms import EnergyAllocation, Figure, LineNotRead
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.once import Remembers, once
from referee.core.ship import ShipClass
from referee.core.state import ShipState, best_of_track, live_boxes, new_state
from referee.rulebooks.base import Rulebook
from referee.rulebooks.sfb.arming import Heavy, figure, heavy_weapons, readings, tube_of, unread_tubes
from referee.rulebooks.sfb.carried import Carried, Knowledge

NOTHING = Fraction(0)
UNBOUNDED = Fraction(1_000_000)
POWER_LINES = {"warp": "1", "impulse": "2", "apr": "3"}
WARP_ENGINES = ("left_warp", "right_warp", "center_warp")


@frozen
class Movement:
    """One way line 14 may have been paid: warp and impulse points, and the hexes they make."""

    warp: Fraction
    impulse: Fraction
    speed: Fraction

    @property
    def hexes(self) -> Fraction:
        """The whole hexes that are moved; a part of a hex is not."""
        top, bottom = self.speed.as_integer_ratio()
        return self.speed if bottom == 1 else figure(top // bottom)


@frozen
class EnergyTurn(Remembers):
    """One column of a form with all a rule may ask about it. Energy in points, speed in hexes a turn."""

    ship: ShipClass
    rulebook: Rulebook
    form: EnergyAllocation
    before: Carried
    known: Knowledge
    subject: str
    last: bool
    hexes: Figure | None = None
    """What line 14 says in hexes, where a hex of the ship does not cost a point: the points are not known."""

    # -- what the ship has ---------------------------------------------------------------

    @once
    def _most(self) -> ShipState:
        """The state that holds the most boxes the ship can still have had."""
        settled = self.last and self.known.settled and self.known.at_end is not None
        return self.known.at_end if settled and self.known.at_end else self.known.at_start

    def most(self, system: str) -> int:
        """The most live boxes of a system the ship can have had when it allocated."""
        return self._live(self._most, system)

    def _live(self, state: ShipState, system: str) -> int:
        if system != "warp":
            return len(live_boxes(self.ship, state, system))
        return sum([len(live_boxes(self.ship, state, engine)) for engine in WARP_ENGINES])

    def least(self, system: str) -> int | None:
        """The fewest it can have had; None where damage is not known."""
        if self.known.at_end is None:
            first = self.before.turn is None and self.known.exact_start
            return self.most(system) if first else None
        return self._live(self.known.at_end, system)

    def unknown_boxes(self, system: str) -> bool:
        """Is the number of a system's boxes not known at all? (The SSD of the ship was not found.)"""
        if not self.ship.missing:
            return False
        known, lacking = _box_paths(system)
        if lacking.isdisjoint(self.ship.missing):
            return False
        return not any(path in self.ship.sources for path in known)

    @once
    def unknown_weapons(self) -> bool:
        """Are there weapons of the ship that are not known?"""
        # `mounts` or `mounts/option A`; a path one deeper is a figure of a weapon that is known.
        return any(path.startswith("mounts") and path.count("/") < 2 for path in self.ship.missing)

    def may_work(self, weapon: str) -> bool:
        """Can the weapon of that mark have been working when energy was allocated?"""
        return weapon not in self._most.destroyed

    def rating(self, track: str) -> int | None:
        """The best rating a track can have had; None where the SSD's track is not known."""
        return best_of_track(self.ship, self._most, track)

    # -- what the form says --------------------------------------------------------------

    def stated(self, line: str) -> Fraction | None:
        """A line's figure, None where it is blank. Raises LineNotRead where it is not known."""
        return self.form.stated(line)

    def read(self, line: str) -> Fraction | None:
        """A line's figure, None where it is blank or not known."""
        entry = self.form.entries.get(line)
        return entry.amount if entry else None

    def carried(self, what: str) -> None:
        """Raises LineNotRead where that hangs on a figure of an earlier turn that could not be read."""
        if why := self.before.unread.get(what):
            raise LineNotRead(why, earlier=True)

    def power(self, source: str) -> Fraction:
        """Points a source gives: what the form states, bounded by the boxes the ship can have; where its line could
        not be read, the most the ship can have. Raises LineNotRead where that is not known."""
        if source not in self._powers:
            self._powers[source] = self._power(source)
        return self._powers[source]

    @once
    def _powers(self) -> dict[str, Fraction]:
        """Points by source, of those that were asked for: a dozen rules ask for each."""
        return {}

    def _power(self, source: str) -> Fraction:
        if self.unknown_boxes(source):
            return self.stated(POWER_LINES[source]) or NOTHING
        stated = self.read(POWER_LINES[source])
        most = figure(self.most(source))
        return most if stated is None else min(stated, most)

    def right_power(self, source: str) -> Fraction:
        """The points a source gives once its line is put right."""
        return max(self.power(source), figure(self.least(source) or 0))

    def power_read(self, source: str) -> bool:
        """Is the power line of a source read, or blank?"""
        return not self.form.why_unknown(POWER_LINES[source])

    @property
    def power_is_read(self) -> bool:
        """Are all the lines of power and line 5 read, or blank?"""
        return all(map(self.power_read, POWER_LINES)) and not any(map(self.form.unread.get, ("4", "5")))

    @once
    def power_unknown(self) -> bool:
        """Is a line of power blank, of which nobody knows how many boxes the ship has?"""
        return any(
            self.unknown_boxes(source) and self.read(line) is None for source, line in POWER_LINES.items()
        )

    @once
    def total_power(self) -> Fraction:
        """Warp, impulse and reactor points together (line 4)."""
        made = energy_total(map(self.power, POWER_LINES))
        stated = self.read("4")
        # A form that gives only the total is held to it.
        only_total = all(line not in self.form.entries for line in POWER_LINES.values())
        return min(made, stated) if only_total and stated is not None else made

    @once
    def batteries(self) -> Fraction:
        """Charged batteries at the start of the turn (line 5): the form's figure where it can be right; where it
        could not be read, the most there can be."""
        if self.unknown_boxes("battery"):
            stated = self.stated("5")
            if stated is None:
                self.carried("batteries")
            return self.before.batteries[0] if stated is None else stated
        stated, most = self.read("5"), figure(self.most("battery"))
        if stated is None:
            return min(self.before.batteries[0], most)
        if not self.before.fresh:
            return min(stated, most)
        return min(stated, max((*self.before.batteries, *self.before.righted)), most)

    @once
    def begun(self) -> Fraction:
        """The same at most, where the turn before is to be put right."""
        if not self.before.righted or self.read("5") is not None:
            return self.batteries
        return min(max(self.before.righted), figure(self.most("battery")))

    @once
    def charged(self) -> Fraction:
        """The points of batteries that allocation may discharge."""
        recharged = self.form.amount("16") if self.rulebook.allows("recharge_same_turn") else NOTHING
        return self.begun + recharged

    @once
    def ready(self) -> Fraction:
        """The same once the turn before is put right."""
        spoken_for = left_over(self.begun, min(self.before.righted)) if self.before.righted else NOTHING
        return self.charged - spoken_for

    @once
    def fits(self) -> Fraction:
        """The points that still fit into the capacitor. Raises LineNotRead where that is not known."""
        return self.capacity - self.charge_before

    @once
    def empty(self) -> Fraction:
        """The batteries that line 16 can fill. Raises LineNotRead where that is not known."""
        if self.unknown_boxes("battery"):
            return UNBOUNDED
        empty = max(NOTHING, self.most("battery") - self.batteries_told)
        return empty + self.form.amount("6") if self.rulebook.allows("recharge_same_turn") else empty

    @property
    def batteries_told(self) -> Fraction:
        """The same. Raises LineNotRead where it is not known."""
        if self.stated("5") is None:
            self.carried("batteries")
        return self.batteries

    @once
    def charge_before(self) -> Fraction:
        """Points in the phaser capacitor before line 9. Raises LineNotRead where that is not known."""
        held = self.stated("9:held")
        if held is None:
            self.carried("capacitor")
            return min(self.before.capacitor, self.capacity)
        return min(held, self.capacity if not self.before.capacitor_certain else self.most_carried)

    @property
    def one_record(self) -> bool:
        """Does the form keep one record of batteries, line 21? Without a row for line 6 that is the turn's total."""
        return "6" not in self.form.entries and "6" not in self.form.blanks

    @once
    def used_in_turn(self) -> tuple[Fraction, Fraction]:
        """The points that line 21 says batteries gave after the allocation: at least, where the line is the turn's
        total and counts line 6 again, and at most. The same where it can be read in one way."""
        stated = self.form.amount("21")
        if not stated:
            return stated, stated
        before = self.form.amount("6") or self.excess
        least = left_over(stated, before) if stated >= before else stated
        return least, least if self.one_record else stated

    @property
    def most_carried(self) -> Fraction:
        """The most the capacitor can have been carried into the turn with."""
        most = self.before.capacitor_most
        return min(self.before.capacitor if most is None else most, self.capacity)

    @property
    def surely_carried(self) -> Fraction:
        """The most the capacitor can have been carried into the turn with, whichever way line 21 is read."""
        most = self.before.capacitor_sure
        return self.most_carried if most is None else min(most, self.capacity)

    @once
    def capacity(self) -> Fraction:
        """The most the phaser capacitor can hold: one shot of each phaser that may work (H6.0); without
        bound where the weapons are not known."""
        return UNBOUNDED if self.unknown_weapons else self._capacity(self._most)

    @once
    def shots(self) -> tuple[Fraction, ...]:
        """The points each phaser of the ship takes for a shot."""
        weapons = self.rulebook.table("weapons")["weapons"]
        return tuple(figure(weapons[m.type]["energy"]) for m in self.ship.mounts if m.system == "phaser")

    @once
    def ship_capacity(self) -> Fraction:
        """What the capacitor of the whole ship holds."""
        return self._capacity(new_state(self.ship))

    @once
    def least_capacity(self) -> Fraction:
        """The least it can hold, where the damage since is known; else nothing is promised."""
        return self._capacity(self.known.at_end) if self.known.at_end else NOTHING

    def _capacity(self, state: ShipState) -> Fraction:
        weapons = self.rulebook.table("weapons")["weapons"]
        live = (m for m in self.ship.mounts if m.system == "phaser" and m.id not in state.destroyed)
        return energy_total(figure(weapons[mount.type]["energy"]) for mount in live)

    # -- where it went -------------------------------------------------------------------

    def counts(self, line: str) -> bool:
        """Is a form line part of this game, or turned on by an option?"""
        use = self.rulebook.descriptor["form"]["lines"].get(line.partition(":")[0], {}).get("counts", "yes")
        part = self.rulebook.descriptor["form"]["lines"].get(line, {}).get("counts", use)
        return part == "yes" or (part.startswith("option:") and self.rulebook.allows(part[7:]))

    @once
    def uses(self) -> dict[str, Figure]:
        """The entries of lines 7 to 19 that spend energy in this game, with something in them."""
        return {line: entry for line, entry in self._spending.items() if line not in self.uncounted}

    @once
    def uncounted(self) -> dict[str, Figure]:
        """The entries of lines 7 to 19 that this game does not use."""
        return {line: entry for line, entry in self._spending.items() if not self.counts(line)}

    @once
    def _spending(self) -> dict[str, Figure]:
        return {line: entry for line, entry in self.form.entries.items() if spends(line) and entry.amount}

    @once
    def tubes_named(self) -> dict[str, str | None]:
        """The ship's weapon that each line of `uses` means, where it means one."""
        return {line: self.tube_named(line) for line in self.uses}

    @once
    def given(self) -> dict[str | None, Fraction]:
        """The energy of each of the ship's weapons that a line of `uses` means."""
        first: dict[str | None, Fraction] = {}
        for line, entry in self.uses.items():
            first.setdefault(self.tubes_named[line], entry.amount)
        return first

    @once
    def spending(self) -> dict[str, Fraction]:
        """The points of each line of `uses`."""
        return {line: entry.amount for line, entry in self.uses.items()}

    @once
    def spent_at_least(self) -> Fraction:
        """The sum of what could be read of lines 7 to 19."""
        return energy_total(self.spending.values())

    @once
    def spent(self) -> Fraction:
        """The sum of lines 7 to 19 (line 20). Raises LineNotRead where any of them is not known."""
        for line in self.form.unread:
            if spends(line) and self.counts(line):
                raise LineNotRead(self.form.why_unknown(line))
        for row in self.form.strange:
            if not row.like or any(spends(line) for line in row.like):
                raise LineNotRead(
                    f"the row {row.label} at {row.location.cell or row.location} may be one of lines 7 to 19"
                )
        return self.spent_at_least

    @once
    def unread_tubes(self) -> Mapping[str, str]:
        """Why it is not known what a heavy weapon was given, by its mark."""
        return dict(unread_tubes(self.form, self.ship))

    @once
    def excess(self) -> Fraction:
        """Points spent beyond line 4, which only batteries can give. Raises LineNotRead where that is not known."""
        return left_over(self.spent, self.total_power)

    @once
    def batteries_left(self) -> Fraction:
        """Points charged batteries can give in the turn: those charged, less what allocation took, and those
        that line 16 recharges. Raises LineNotRead where a line of these is not known."""
        taken = self.form.amount("6") or self.excess
        return left_over(self.batteries + self.form.amount("16"), taken)

    @once
    def batteries_known_left(self) -> Fraction | None:
        """The same; None where it is not known."""
        try:
            return self.batteries_left
        except LineNotRead:
            return None

    @once
    def lent(self) -> Fraction:
        """What batteries must have given to phasers that fired, where line 21 is blank (B3.0-21): what the
        capacitor lacks, as far as they have it."""
        fired = self.form.amount("9:fired")
        if self.stated("21") is not None or not fired:
            return NOTHING
        short = left_over(fired, self.charge_before + self.form.amount("9"))
        return min(short, self.batteries_left)

    @once
    def warp_arming(self) -> dict[str, Figure]:
        """The tube lines whose energy must be warp energy this turn (E4.23)."""
        weapons = self.rulebook.table("weapons")["weapons"]
        found = {}
        for line, entry in self.uses.items():
            mount = self.ship.mount(self.tubes_named[line] or "")
            arming = weapons[mount.type].get("arming", {}) if mount else {}
            if mount and arming.get("source_power") == "warp" and self._arms(mount.id, entry.amount):
                found[line] = entry
        return found

    @once
    def heavy(self) -> tuple[Heavy, ...]:
        """Each heavy weapon that the book's data say how to arm, in the order of the ship's weapons."""
        entries = {self.tubes_named[line]: (line, entry) for line, entry in self.uses.items()}
        weapons = self.rulebook.table("weapons")["weapons"]
        mounts = [mount for mount in self.ship.mounts if mount.id not in self.unread_tubes]
        return tuple(heavy_weapons(mounts, weapons, entries, self.before.tubes))

    def _arms(self, tube: str, amount: Fraction) -> bool:
        """Can the amount only have armed the tube? What held it may come from anywhere, and what did
        neither is judged by the rules on the tube."""
        outcomes = readings(self.arming_of(tube), self.before.tubes.get(tube, frozenset()), amount)
        return bool(outcomes) and all(outcome.what in ("arming", "armed") for outcome in outcomes)

    def arming_of(self, tube: str) -> Mapping[str, object]:
        """How the weapon of that mark is armed; empty where the book's data do not say."""
        mount = self.ship.mount(tube)
        arming: Mapping[str, object] = (
            self.rulebook.table("weapons")["weapons"][mount.type].get("arming", {}) if mount else {}
        )
        return arming

    def tube_named(self, line: str) -> str | None:
        """The ship's weapon a line 10 entry means: by its mark, or by the letter where that is enough."""
        return tube_of(line, self.ship)

    @once
    def movements(self) -> tuple[Movement, ...]:
        """The ways line 14 may have been paid: all warp, or one point of it from impulse."""
        paid, cost = self.form.amount("14"), self.ship.move_cost
        hexes = paid if cost == 1 else paid / cost
        ways = [Movement(paid, NOTHING, hexes)]
        if paid >= 1 and self.power("impulse") >= 1:
            warp = paid - 1
            ways.append(Movement(warp, figure(1), hexes if cost == 1 else warp / cost + 1))
        return tuple(ways)

    @once
    def warp_for_movement(self) -> Fraction:
        """Warp points left, at most, when photon arming has been paid."""
        arming = energy_total(entry.amount for entry in self.warp_arming.values())
        return left_over(self.power("warp"), arming)

    def impulse_hex(self, paid: Fraction) -> Fraction:
        """The impulse point that may be among those paid for movement."""
        return min(figure(1), self.power("impulse")) if paid >= 1 else NOTHING

    @once
    def movement(self) -> Movement:
        """The way line 14 is read: one the warp engines can pay, in whole hexes, the fastest such;
        a speed the sheet states decides where it can be right."""
        stated = self.read("speed")

        def merit(way: Movement) -> tuple[Fraction, bool, bool, Fraction]:
            lacking = left_over(way.warp, self.warp_for_movement)
            return -lacking, way.speed == stated, way.speed.denominator == 1, way.speed

        return max(self.movements, key=merit)

    @once
    def slowest(self) -> Fraction:
        """The speed of the slowest way line 14 can have been paid: what limits of speed are held against."""
        if self.read("speed") is not None:
            return self.movement.hexes
        payable = [way.hexes for way in self.movements if way.warp <= self.warp_for_movement]
        return min(payable, default=self.movement.hexes)

    @property
    def whole_hexes(self) -> Fraction:
        """What line 14 pays for the whole hexes that are moved, without the part of one."""
        way, cost = self.movement, self.ship.move_cost
        return way.impulse + (way.hexes - way.impulse) * cost

    # -- saying so -----------------------------------------------------------------------

    def line(self, line: str) -> str:
        """A line as the player finds it: `line 14 Movement (C16)`."""
        return self.form.named(line, self.rulebook.lines)

    def write(self, amount: Fraction, line: str) -> str:
        """What puts a line right: `write 2 on line 6 Batteries Discharged (B8)`."""
        return f"write {show_energy(amount)} on {self.line(line)}"

    @property
    def discharged(self) -> Fraction:
        """The points that batteries give to the allocation, as the form says."""
        return self.read("6") or (self.one_record and self.read("21")) or NOTHING

    def discharge(self, amount: Fraction) -> str:
        """The same of batteries, on the line where the form keeps what they give to the allocation."""
        return self.write(amount, self.form.first_of("6", "21") or "6")

    def written(self, amounts: Mapping[str, Fraction]) -> str:
        """What puts some lines right."""
        return " and ".join(self.write(amount, line) for line, amount in amounts.items())

    def with_sum(self, fix: str, *changes: Mapping[str, Fraction]) -> str:
        """A fix that changes what is spent, in one of some ways, and then line 20 where the player has filled it in."""
        total = self.form.entries.get("20")
        sums = dict.fromkeys(energy_total({**self.spending, **change}.values()) for change in changes)
        if not fix or not total or total.computed or [*sums] == [total.amount]:
            return fix
        return f"{fix}; then {self.sum_written(either(sums))}"

    def with_total(self, fix: str) -> str:
        """A fix of lines 1 to 3, and then line 4 where the player has filled it in."""
        total = self.form.entries.get("4")
        if not total or total.computed:
            return fix
        try:
            right = energy_total(map(self.right_power, POWER_LINES))
        except LineNotRead:
            return fix
        return fix if right == total.amount else f"{fix}; then {self.write(right, '4')}"

    def sum_written(self, total: str) -> str:
        """What puts line 20 right; without its figure where a line that it counts is not known."""
        try:
            self.spent  # noqa: B018
        except LineNotRead:
            return f"write the sum of lines 7 to 19 on {self.line('20')}"
        return f"write {total} on {self.line('20')}, the sum of lines 7 to 19"

    @property
    def which_total(self) -> str:
        """What to say where line 21 can be read in two ways."""
        return (
            f"say what {self.line('21')} is: what batteries gave after the allocation, or all that they gave in the "
            f"turn, {self.line('6')} included"
        )

    def finding(
        self,
        severity: Severity,
        message: str,
        *lines: str,
        expected: str = "",
        found: str = "",
        fix: str = "",
        place: Location | None = None,
        leans_on: tuple[str, ...] = (),
    ) -> Finding:
        """A finding about this turn, placed at the first of some lines that is filled in."""
        status = self.ship.status_of(*leans_on)
        about = self.form.first_of(*lines)
        return Finding(
            key="",
            severity=severity,
            message=message,
            subject=self.subject,
            turn=self.form.turn,
            location=place or self.form.place_of(*lines),
            expected=expected,
            found=found,
            fix=fix,
            data_status="" if status == "verified" else status,
            line=self.rulebook.lines.named(about) if about and place is None else "",
        )

    def error(self, message: str, *lines: str, **rest: object) -> Finding:
        """Against the rule."""
        return self.finding(Severity.ERROR, message, *lines, **rest)  # type: ignore[arg-type]

    def undecided(self, message: str, *lines: str, **rest: object) -> Finding:
        """Two readings, and nothing here decides between them."""
        return self.finding(Severity.UNDECIDED, message, *lines, **rest)  # type: ignore[arg-type]

    def warning(self, message: str, *lines: str, **rest: object) -> Finding:
        """Legal, but hardly meant."""
        return self.finding(Severity.WARNING, message, *lines, **rest)  # type: ignore[arg-type]

    def note(self, message: str, *lines: str, **rest: object) -> Finding:
        """Legal; something the players should know."""
        return self.finding(Severity.NOTE, message, *lines, **rest)  # type: ignore[arg-type]

    def unknown(self, reason: str) -> NotChecked:
        """The rule cannot be judged for want of a fact."""
        return NotChecked("", reason, f"{self.subject}, turn {self.form.turn}")


@lru_cache(maxsize=64)
def _box_paths(system: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Where a ship's data tell a system's boxes, and what they list where they lack them."""
    known = tuple(f"boxes/{name}" for name in (WARP_ENGINES if system == "warp" else (system,)))
    return known, frozenset(("boxes", f"boxes/{system}", *known))


@lru_cache(maxsize=256)
def spends(line: str) -> bool:
    """Is this one of lines 7 to 19, where energy goes? What the capacitor holds is not spent."""
    number = line.partition(":")[0]
    return number.isdigit() and 7 <= int(number) <= 19 and line not in ("9:held", "9:fired")


def points(amount: Fraction) -> str:
    """Energy with its unit: `1 point`, `2½ points`."""
    return f"{show_energy(amount)} point{'' if amount == 1 else 's'}"
