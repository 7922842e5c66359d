"""The fire of a play-by-play as events: shots, what is stated of them, and the shields that are left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.core.finding import SURE, Certainty, Perhaps, Unknown
from referee.core.frozen import replace
from referee.core.hexgrid import Hex, relative_offset, struck_shields, true_range
from referee.core.naming import how_many
from referee.core.ship import Mount, ShipClass
from referee.formats.sfbol import Fact, Fired, Unread
from referee.rulebooks.base import Rulebook
from referee.sources.sfbol_events import EventRow
from referee.sources.sfbol_haze import Haze
from referee.sources.sfbol_lost_lines import Happened
from referee.sources.sfbol_names import Names
from referee.sources.sfbol_seekers import Flight, Launches
from referee.sources.sfbol_volleys import Block, Volley, fire_of, volleys_untold
from referee.sources.sfbol_weapons import Weapons

_HEADER = re.compile(r"(?i)\W*(?:impul|turn\b)|.{0,12}\b[0-9]{1,3}[.,:][0-9]{1,2}\W*$")


def may_begin(text: str) -> bool:
    """May a line that is not understood begin an impulse?"""
    return _HEADER.match(text) is not None


def _shared(block: Block) -> list[tuple[int, ...]]:
    """The points that fire may have done, by shield, where several blocks state damage and nobody says which is of
    fire. It is any one of the other blocks, or all of them together."""
    together = tuple(map(sum, zip(block.damage, *block.others, strict=True)))
    return [*block.others, together]


def _bears_out(after: Iterable[Block], shield: int, left: int, stated: int) -> bool:
    """Does what is stated of a shield next follow from what is left of it by the running sum, and not from what is
    stated of it now?"""
    for block in after:
        left, stated = (max(0, points - block.damage[shield - 1]) for points in (left, stated))
        if block.left:
            return block.left[shield - 1] == left != stated
    return False


def _on_shield_left(block: Block, known: Mapping[int, int]) -> Block:
    """The damage on the shield that is the less for it, where it is stated of one shield and another is left with
    as much less: the figures of what is left are true then, and those of the damage are judged by themselves."""
    struck = [n for n, points in enumerate(block.damage, 1) if points]
    less = [n for n, left in enumerate(block.left, 1) if left != known[n]]
    if len(struck) != 1 or len(less) != 1 or struck == less:
        return block
    points = block.damage[struck[0] - 1]
    if max(0, known[less[0]] - points) != block.left[less[0] - 1]:
        return block
    return replace(block, damage=tuple(points if n == less[0] else 0 for n in sorted(known)))


class FireTold(EventRow):
    """A row of events with the fire in it, and where ships stand as it is told."""

    launches: Launches

    def __init__(self, file: str, rulebook: Rulebook, classes: Mapping[str, ShipClass], names: Names) -> None:
        super().__init__(file, rulebook, classes)
        self.names = names
        self.here: dict[str, tuple[Hex, str]] = {}
        self.dead: dict[str, tuple[int, int | None]] = {}
        """The turn and impulse in which each ship was destroyed that was."""
        self.doomed: dict[str, tuple[int, int | None]] = {}
        """The turn and impulse in which each ship is said to be destroyed that goes on after it."""
        self.damaged: set[str] = set()
        self.unsure: dict[str, Certainty] = {}
        """Ships that stand where they do only perhaps, and why."""
        self.shields: dict[str, dict[int, int]] = {}
        self.fired: list[tuple[int, str, str]] = []
        self._seen_shields: set[str] = set()
        self.unfired: dict[str, list[Block]] = {}
        """The damage stated in this impulse of each ship that comes of no fire."""
        self.at_itself: dict[str, int] = {}
        """The last line of the impulse in which a ship fires at itself: another target may have been meant."""
        self.fire_at: dict[int, int] = {}
        """The event of each shot, by its line."""
        self.in_other_modes: dict[str, list[int]] = {}
        """The lines of shots that reach so far only in some mode, and do not say it."""
        self._of_ship: dict[str, list[Block]] = {}
        """The damage stated of each ship, in its order."""

    def _told_fire(self, facts: Sequence[Fact]) -> None:
        self.weapons = Weapons(self.rulebook, self.classes)
        self.haze = Haze(facts, self.names)
        self.fire = fire_of(facts, self.names, self.file, self.weapons.misses, self.cut)
        self.findings += (*volleys_untold(self.fire, self.file), *self.fire.odd)

    def _not_understood(self, fact: Unread) -> None:
        """A line that is not understood may explain what is stated later, and may begin an impulse."""
        self.haze.takes(fact)
        for name in self.haze.over_end(fact, self.dead) if self.dead else ():
            self.unsure[name] = Perhaps(f"line {fact.line} is not understood, and may explain it")
        for word in fact.text.split() if self.launches.known else ():
            if (flight := self.launches.known.get(word)) is not None:
                flight.sure = flight.doubted = Perhaps(f"line {fact.line} is not understood, and names it")
        if may_begin(fact.text):
            self._begins_perhaps(fact.line)

    def _after_its_end(self, name: str, line: int, does: str) -> None:
        self._undecided("NOTE/destroyed", f"it {does}, and was destroyed before", name, line)
        self.unsure[name] = Perhaps(f"it {does} in line {line}, though it was destroyed before")

    def _said_destroyed(self, name: str, line: int, later: int) -> None:
        """A ship to which no damage was recorded is said to be destroyed, and goes on: what rests on either is not sure."""
        if name in self.doomed:
            return
        sentence = f"it is destroyed, and goes on in line {later}"
        self._undecided("NOTE/destroyed", sentence, name, line)
        sure = Perhaps(f"{name} is said to be destroyed in line {line}, and goes on")
        self.doomed[name] = self.moment[:2]
        self.twins[name] = sure
        for flight in self.launches.known.values():
            if name in (flight.owner, flight.target):
                flight.sure = flight.doubted = sure

    def _acts_when_dead(self, name: str, line: int, does: str) -> None:
        """What is fired in the impulse of a ship's end may be fired at the same time, and its move told after it."""
        if self.dead[name] == self.moment[:2]:
            self._after_its_end(name, line, does)
            return
        end = SURE if name in self.damaged else Perhaps("no damage to it was recorded before its end")
        sure = self.unsure.get(name, self.twins.get(name, end))
        self._put("stated", {"what": "order of the dead", "ship": name, "order": does}, line, sure)

    def _fires(self, fact: Fired) -> None:
        firers, targets = self.names.means(fact.ship), self.names.means(fact.target)
        if len(firers) != 1 or len(targets) != 1:
            return
        firer, target = firers[0], targets[0]
        seeker = self.launches.known.get(target)
        if firer not in self.classes or firer not in self.here or self.moment[1] is None:
            return
        if firer in self.dead:
            self._acts_when_dead(firer, fact.line, "fires")
            return
        if firer in self.doomed and self.doomed[firer] != self.moment[:2]:
            stated = {"what": "order of the dead", "ship": firer, "order": "fires"}
            self._put("stated", stated, fact.line, self.twins[firer])
            return
        if target in self.dead:
            self._after_its_end(target, fact.line, "is fired at")
            return
        if target not in self.classes and (seeker is None or not seeker.flying):
            return
        if target in self.classes and target not in self.here:
            return
        mount, sure = self.weapons.mount(firer, fact)
        if mount is None:
            return
        self._reach("fire", fact.line)
        if seeker is not None:
            seeker.fired_at = fact.line
        shot: dict[str, Any] = {"ship": firer, "weapons": [mount.id], "target": target}
        shield = self.fire.shield.get(fact.line, 0) if target in self.classes else 0
        if shield and self._may_face(firer, target, shield):
            shot["shield"] = shield
        for name in (firer, target):
            sure = self.unsure.get(name, self.twins.get(name, sure))
        there = self.here.get(target) if target != firer else None
        outside = self._outside_mode(mount, fact, self.here[firer][0], there)
        if firer == target:
            shot.pop("shield", None)
            self.at_itself[firer] = fact.line
        seq = self._order(firer, "fire", shot, fact.line, outside if sure is SURE and outside else sure)
        self.fired.append((seq, firer, mount.id))
        if firer == target:
            return
        self.fire_at[fact.line] = seq
        self._put("stated", {"what": "range", "fire": seq, "range": fact.range}, fact.line, sure)

    def _may_face(self, firer: str, target: str, shield: int) -> bool:
        """May fire of one ship at another strike a shield? Where it cannot, the damage stated of that shield is wrong,
        and the shot is none the worse."""
        hex, facing = self.here[target]
        faced = struck_shields(relative_offset(hex, facing, self.here[firer][0])) if facing else ()
        return not faced or shield in faced

    def _outside_mode(
        self, mount: Mount, fact: Fired, hex: Hex, target: tuple[Hex, str] | None
    ) -> Unknown | None:
        """Why a shot is not judged by itself that reaches so far only in a mode that the rulebooks here do not have."""
        mode = self.weapons.mode_reaching(mount.type, true_range(hex, target[0])) if target else ""
        if not mode:
            return None
        if self.weapons.mode(fact) != mode:
            self.in_other_modes.setdefault(mode, []).append(fact.line)
        return Unknown(f"only in {mode} mode does it reach so far, which the rulebooks here do not have")

    def _struck(self, block: Block) -> None:
        """Damage stated of a ship: held against the dice, and the shields against what was left."""
        if block.ship in self.dead:
            self._after_its_end(block.ship, block.line, "is damaged")
            return
        self.damaged.add(block.ship)
        strikes = not block.is_of_fire and bool(self.launches.there(block.ship, self.here))
        if sum(block.damage) != block.total and not strikes:
            sentence = (
                f"the damage by shield adds up to {sum(block.damage)}, and {block.total} is stated in all"
            )
            self._undecided("NOTE/sum", sentence, block.ship, block.line)
        shots = [(self.fire_at.get(shot.line), roll, self.weapons.mode(shot)) for shot, roll in block.shots]
        judged = bool(shots) and all(seq is not None for seq, _, _ in shots)
        if block.missed and self._strikes(block):
            if judged:
                nothing = {"total": 0, "silent": True}
                self._damage_said(block.ship, shots, block.thrown, block.line, nothing, block.doubt)
        elif judged:
            damage = {"total": block.total, "struck": list(block.damage)}
            if block.others:
                damage["or"] = [list(points) for points in _shared(block)]
            self._damage_said(block.ship, shots, block.thrown, block.line, damage, self._doubt_over(block))
        elif block.missed or not self._strikes(block):
            why = block.why or "a shot of it is not judged here"
            sentence = f"{how_many(block.total, 'point')} stated, and what caused it is not known: {why}"
            self._undecided("NOTE/unexplained-volley", sentence, block.ship, block.line)
        if block.left:
            self._left(block)
        else:
            known = self.shields[block.ship]
            self._mark(block.ship, {n: max(0, known[n] - block.damage[n - 1]) for n in known}, block.line)

    def _doubt_over(self, block: Block) -> str:
        """Why damage may be of something else than the fire before it."""
        if block.doubt:
            return block.doubt
        if self.launches.arrived(block.ship, self.here) > len(self.unfired.get(block.ship, ())):
            return "what flew at it may have struck it with this fire"
        if self.launches.may_strike_unseen(block.ship):
            return "a seeker whose flight is not in the log may have struck it with this fire"
        if block.late and self.launches.hunt(block.ship):
            return "what flew at it may have struck it since this fire"
        return ""

    def _strikes(self, block: Block) -> bool:
        """Damage of no fire: is it what seekers do? Those that have reached the ship are held to it."""
        there = self.launches.there(block.ship, self.here)
        if not there:
            return self.launches.strikes(block.ship, self.here, self.moment[:2])
        for flight in there:
            flight.end_known = True
        damage: dict[str, Any] = {
            "what": "strike",
            "ship": block.ship,
            "seekers": [flight.name for flight in there],
            "struck": list(block.damage),
            "total": block.total,
            "others": self.launches.other_warheads(there),
        }
        row = self.unfired[block.ship]
        if block is row[-1]:
            damage["in_all"] = list(map(sum, zip(*(each.damage for each in row), strict=True)))
            damage["perhaps_gone"] = [
                flight.name
                for flight in there
                if flight.fired_at or flight.sure is not SURE or flight.name in self.launches.destroyed
            ]
        self._put("stated", damage, block.line, self._over_strike(block, there))
        return True

    def _over_strike(self, block: Block, there: Sequence[Flight]) -> Certainty:
        """How sure it is that damage is what seekers did that are in a ship's hex."""
        for flight in there:
            if flight.sure is not SURE:
                return flight.sure
            if flight.fired_at:
                return Perhaps(f"{flight.name} was fired at in line {flight.fired_at}")
            if flight.astray:
                return Perhaps(f"{flight.name} went where no move leads in line {flight.astray}")
            if flight.moved != self.moment[:2]:
                return Perhaps(f"{block.ship} came into the hex of {flight.name}")
        return self.haze.over_damage(block.ship, (flight.owner for flight in there))

    def _damage_said(
        self,
        ship: str,
        shots: Sequence[tuple[int | None, int, str]],
        thrown: tuple[int, int],
        line: int,
        damage: Mapping[str, Any],
        doubt: str,
    ) -> None:
        doubts = [self.events[seq].sure for seq, _, _ in shots if seq is not None]
        doubts = [sure for sure in doubts if not isinstance(sure, Unknown)]
        doubts += [Perhaps(doubt)] if doubt else []
        firers = [self.events[seq].data["fire"]["ship"] for seq, _, _ in shots if seq is not None]
        doubts += [
            Perhaps(f"{firer} fires at itself in line {self.at_itself[firer]}, and may have meant {ship}")
            for firer in firers
            if firer in self.at_itself
        ]
        doubts.append(self.haze.over_damage(ship, firers))
        stated = {"what": "damage", "ship": ship, "shots": shots, "dice": list(thrown), **damage}
        self._put(
            "stated", stated, line, next((certainty for certainty in doubts if certainty is not SURE), SURE)
        )

    def _silent(self, fact: Fired) -> None:
        """A volley of which no damage is stated: its dice are held against that."""
        volley = self.fire.silent.get(fact.line)
        if volley is not None and volley.target in self.launches.known:
            self._scored_on(self.launches.known[volley.target], volley)
        if volley is None or volley.target not in self.classes or volley.target in self.dead:
            return
        seqs = [self.fire_at.get(shot.line) for shot in volley.shots]
        if None in seqs:
            return
        if not volley.dice:
            sentence = f"fire at {volley.target}, and what it came to is not known: {volley.why}"
            self._undecided("NOTE/dice-untold", sentence, volley.firer, fact.line)
            return
        modes = (self.weapons.mode(shot) for shot in volley.shots)
        shots = list(zip(seqs, volley.dice, modes, strict=True))
        damage = {"total": 0, "silent": True}
        self._damage_said(volley.target, shots, volley.thrown, fact.line, damage, volley.doubt)

    def _scored_on(self, flight: Flight, volley: Volley) -> None:
        """Dice of fire at a seeker are told: what it must have scored is counted."""
        shots = [
            (seq, roll)
            for shot, roll in zip(volley.shots, volley.dice, strict=False)
            if (seq := self.fire_at.get(shot.line)) is not None and self.events[seq].sure is SURE
        ]
        sure = self.haze.over_damage(volley.target, (volley.firer,))
        if not shots or volley.doubt or sure is not SURE:
            return
        flight.hurt_in = self.moment[:2]
        stated = {"what": "fire at seeker", "name": flight.name, "shots": shots, "dice": list(volley.thrown)}
        self._put("stated", stated, volley.shots[-1].line)

    def _left(self, block: Block) -> None:
        known = self.shields[block.ship]
        if not self._reaches_shield(block):
            block = _on_shield_left(block, known)
        stated = dict(enumerate(block.left, 1))
        odd = [n for n in known if not block.damage[n - 1] and stated[n] != known[n]]
        slips = self._slips_of_the_pen(block, {n: max(0, known[n] - block.damage[n - 1]) for n in known})
        if block.ship not in self._seen_shields and len(odd) > 1:
            sentence = f"shields {', '.join(map(str, odd))} were never struck, and are not those of {self.classes[block.ship].name}: is it that class?"
            fix = f'say --ship "{block.ship}=CLASS"'
            self._undecided("NOTE/ship", sentence, block.ship, block.left_line, fix)
        else:
            shields = {
                "what": "shields",
                "ship": block.ship,
                "damage": list(block.damage),
                "left": list(block.left),
                "borne_out": bool(slips),
            }
            sure = self.twins.get(block.ship) or self.haze.over_shields(block.ship)
            if sum(block.damage) != block.total:
                sure = Perhaps(f"the damage of line {block.line} does not add up")
            self._put("stated", shields, block.left_line, sure)
        self._seen_shields.add(block.ship)
        self._mark(block.ship, {**stated, **slips}, block.left_line)

    def _reaches_shield(self, block: Block) -> bool:
        """May what did the damage have struck a shield that it is stated of? Then what is left is held to that."""
        hex, facing = self.here.get(block.ship, (None, ""))
        if hex is None or not facing:
            return True
        if block.is_of_fire:
            firers = [fits[0] for shot, _ in block.shots if len(fits := self.names.means(shot.ship)) == 1]
            origins = [self.here[firer][0] for firer in firers if firer in self.here]
        else:
            origins = [flight.came_from for flight in self.launches.there(block.ship, self.here)]
        faced = {n for origin in origins for n in struck_shields(relative_offset(hex, facing, origin))}
        return not faced or any(points and n in faced for n, points in enumerate(block.damage, 1))

    def _slips_of_the_pen(self, block: Block, sums: Mapping[int, int]) -> Mapping[int, int]:
        """What is truly left of the shields that a line states otherwise, where what is stated of them next bears out
        the running sum for all of them; else nothing."""
        wrong = {n: left for n, left in sums.items() if block.left[n - 1] != left}
        if not wrong:
            return wrong
        if not self._of_ship:
            for each in self.fire.blocks.values():
                self._of_ship.setdefault(each.ship, []).append(each)
        rows = self._of_ship[block.ship]
        after = rows[[each.line for each in rows].index(block.line) + 1 :]
        return (
            wrong if all(_bears_out(after, n, left, block.left[n - 1]) for n, left in wrong.items()) else {}
        )

    def _mark(self, ship: str, stated: Mapping[int, int], line: int) -> None:
        """The shields of a ship are as they are stated to be, or as damage leaves them where nothing is stated."""
        known = self.shields[ship]
        marks = []
        for n, shown in stated.items():
            left = min(shown, self.classes[ship].shields.get(n, 0))
            if left != known.get(n, left):
                event, points = (
                    ("shield_hit", known[n] - left)
                    if left < known[n]
                    else ("shield_restored", left - known[n])
                )
                marks.append({"ship": ship, "event": event, "shield": n, "points": points})
                known[n] = left
        if marks:
            self._taken(f"{ship}: its shields as stated", marks, line)

    def _settle(self, facts: Sequence[Happened]) -> None:
        """An impulse is told: the dice of its fire fell on the client."""
        for fact in facts if self.fire.silent else ():
            if isinstance(fact, Fired):
                self._silent(fact)
        if self.fired:
            events = [{"ship": ship, "event": "weapon_fired", "weapon": mark} for _, ship, mark in self.fired]
            self._taken(
                "the dice of this fire fell on the client",
                events,
                max(fact.line for fact in facts),
                fire=[seq for seq, _, _ in self.fired],
            )
        self.fired = []
        self.at_itself = {}
