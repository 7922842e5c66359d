"""Fire, launches and cloaks of an orders file, judged from where the ships stand when they are ordered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from referee.adjudicator.capacitor import battery_order, check_batteries
from referee.adjudicator.cloak import Announcement, cloak_at, history_of, judge_announcement
from referee.adjudicator.declared_fire import Battery, Declared, judge_fire, judge_launches, lock_on
from referee.adjudicator.fire import totals, weapons_named
from referee.adjudicator.flight import dies_with
from referee.adjudicator.order_damage import Struck
from referee.adjudicator.order_guidance import GuidedDrones
from referee.adjudicator.track import LoadShip, play_orders
from referee.adjudicator.tracker import Track
from referee.adjudicator.volley import volley_order
from referee.core.combat import Cloak, CloakHistory, Moment, Unit
from referee.core.errors import BadInput
from referee.core.finding import About, Finding, NotChecked, Report, Severity, merge_reports
from referee.core.hexgrid import parse_position
from referee.core.naming import how_many
from referee.core.orders import Cloak as CloakOrdered
from referee.core.orders import DroneHit, Fire, Hit, Launch, LockOn, Order, OrdersFile, Uncloak, UseBattery
from referee.core.play import When
from referee.core.state import new_state
from referee.rulebooks.base import Rulebook


def judge_orders(rulebook: Rulebook, orders: OrdersFile, load_ship: LoadShip) -> Report:
    """Plays an orders file and judges all that it orders: movement, fire, launches and cloaks.
    Raises BadInput where the file asks for an option the rulebook does not have."""
    fire: list[OrderedFire] = []

    def heard(order: Order, track: Track) -> None:
        fire[:] = fire or [OrderedFire(track.rulebook)]
        fire[0].take(order, track)

    track, extra = play_orders(rulebook, orders, load_ship, heard=heard)
    report = merge_reports([track.report(extra), *(each.report(track.turn) for each in fire)])
    return replace(report, findings=tuple(sorted(report.findings, key=lambda each: each.location.line or 0)))


class OrderedFire:
    """What an orders file has ships do besides moving: give it each order while the ships stand as they do.

    Nothing is known of energy: a cloak is taken as paid for from its announcement on.
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._impulses = int(rulebook.option("impulses"))
        self._fired: list[Declared] = []
        self._launched: list[Declared] = []
        self._histories: dict[str, CloakHistory] = {}
        self._findings: list[Finding] = []
        self._checked: dict[str, None] = {}
        self._not_checked: dict[NotChecked, None] = {}
        self._first_turn: int | None = None
        self._told: set[tuple[str, When]] = set()
        self._guided = GuidedDrones(rulebook)
        self._struck = Struck(rulebook)
        self._fed: dict[tuple[str, int | None], Fraction] = {}

    def take(self, order: Order, track: Track) -> None:
        """One order, at the moment and in the places of the track."""
        if self._first_turn is None:
            self._first_turn = track.turn
            self._watch(track)
        match order:
            case Fire(ship=ship, weapons=weapons, target=target):
                self._declare(self._fired, order, ship, weapons, target, track)
            case Launch(ship=ship, weapon=weapon, target=target):
                self._declare(self._launched, order, ship, (weapon,), target, track)
            case CloakOrdered(ship=ship) | Uncloak(ship=ship):
                self._guided.hidden(ship)
                self._announce(order, ship, track)
            case UseBattery():
                self._feed(order, track)
            case DroneHit():
                self._drone_hit(order, track)
            case LockOn(ship=ship):
                self._guided.tried(ship, track.turn)
                lacks = "a try for lock-on in an orders file is not resolved: no die is rolled in it"
                self._not_checked[NotChecked(self._rulebook.named.lock_on, lacks, ship)] = None
            case Hit(ship=ship, direction=direction):
                self._guided.struck(ship)
                self._from(order, track)
                if direction.isdecimal():
                    track.hex_named(ship, "is struck from", parse_position(direction)[0], order.location)
                self._may_be_lost(order, track)
                if ship in track.units:
                    self._hurt(ship, track)
                self._not_checked[
                    NotChecked(
                        self._rulebook.named.volley, "damage said in an orders file is not resolved", ship
                    )
                ] = None

    def _feed(self, order: UseBattery, track: Track) -> None:
        """Holds batteries that are ordered against those the ship has; a file says nothing of their charge."""
        ship = track.classes[order.ship]
        marks = (
            tuple(mount.id for mount in weapons_named(self._rulebook, ship, order.weapons)) if ship else ()
        )
        used = self._fed.get((order.ship, track.turn), Fraction(0)) + order.points
        self._fed[order.ship, track.turn] = used
        when = track.turn, track.impulse
        facts = battery_order(self._rulebook, ship, order.ship, when, order.points, marks, None)
        if facts.boxes is not None:
            # Those ordered before in the turn are gone.
            facts = replace(facts, boxes=max(Fraction(0), facts.boxes - (used - order.points)))
        self._checked |= {rule.key: None for rule in self._rulebook.rules_on("battery order", "check")}
        found, lacking = check_batteries(self._rulebook, [facts])
        self._findings += [replace(item, location=order.location) for item in found]
        self._not_checked |= dict.fromkeys(lacking)

    def _from(self, order: Hit, track: Track) -> None:
        """Holds the shield damage is said to strike against where it is said to come from (D4.22)."""
        unit, where = track.units[order.ship], order.direction
        if where.isdecimal():
            where = f"{where}>{unit.hex}{unit.facing}" if unit.hex and unit.facing else ""
        try:
            volley_order(order.points, shield=order.shield, directions=((None, where),) if where else ())
        except BadInput as error:
            self._findings.append(
                Finding(
                    "NOTE/order",
                    Severity.UNDECIDED,
                    f"damage said to come from {order.direction}: {error.reason}",
                    order.ship,
                    track.turn,
                    track.impulse,
                    order.location,
                    found=f"hit {order.points} on {order.shield} from {order.direction}",
                    fix=error.hint,
                )
            )

    def _watch(self, track: Track) -> None:
        """Seekers that are launched are guided by what is known here, and what they strike is damaged."""
        if track.drones is None:
            return
        self._guided.follow(track.drones)

        def holds(ship: str, target: str) -> bool | None:
            if not {ship, target} <= set(track.units):
                return None  # Destroyed: what guides itself flies on.
            firer, aim = self._unit(ship, track), self._unit(target, track)
            return lock_on(self._rulebook, firer, aim, None)

        def strikes(ship: str) -> None:
            self._hurt(ship, track)
            self._guided.struck(ship)

        track.drones.holds, track.drones.strikes = holds, strikes

    def _hurt(self, name: str, track: Track) -> None:
        """A ship may be damaged: whether it goes on guiding its drones, and is there to be struck, is not known."""
        flying = track.drones.flying.values() if track.drones else ()
        if any(name == drone.owner and drone.type == "drone" for drone in flying):
            lacks = "whether it keeps its lock-on is not known: damage is not resolved in an orders file; its drones fly on"
            self._not_checked[NotChecked(self._rulebook.named.lost_with_lock, lacks, name)] = None

    def _may_be_lost(self, order: Hit, track: Track) -> None:
        """Damage that destroys a ship for sure takes it off the map at the instant; where it may have, and the
        file has no more orders of it, it is not asked for any."""
        name = order.ship
        fate = self._struck.hit(name, track.classes[name], order.points, order.shield)
        if fate == "destroyed":
            about = About(name, track.turn, track.impulse, order.location)
            self._findings.append(self._rulebook.offers.seen_damage.destroyed_at_once(about))
            track.destroy(name, order.location)
        elif fate == "perhaps destroyed" and track.last_order.get(name, 0) < (order.location.line or 0):
            lacks = "whether it is destroyed is not known: damage is not resolved in an orders file; nothing more is ordered of it"
            self._not_checked[NotChecked(self._rulebook.named.destroyed, lacks, name)] = None
            flying = track.drones.flying.values() if track.drones else ()
            if any(dies_with(self._rulebook, drone, name) for drone in flying):
                lacks = "whether it is destroyed, and its drones gone with it, is not known; they fly on"
                self._not_checked[NotChecked(self._rulebook.named.lost_with_guide, lacks, name)] = None
            track.stand_aside(name)
            track.excuse(name)

    def _declare(
        self,
        row: list[Declared],
        order: Fire | Launch,
        name: str,
        weapons: tuple[str, ...],
        target: str,
        track: Track,
    ) -> None:
        ship = track.classes[name]
        if ship is None or (target not in track.units and self._drone(target, track) is None):
            told = track.drones.unfollowed.get(target) if track.drones else None
            absent = f"where {target} is, is not known: {told}" if told else f"{target} is not on the map"
            lacks = f"the class of {name} is not known" if ship is None else absent
            self._not_checked[NotChecked(self._rulebook.named.fire, lacks, name)] = None
            return
        mounts = tuple(mount for mark in weapons if (mount := ship.mount(mark)) is not None)
        firer, at = self._unit(name, track), self._drone(target, track) or self._unit(target, track)
        if track.drones is not None and at.name in track.drones.flying and not (firer.side or at.side):
            # Where no sides are said every ship is on one of its own, and so are the seekers it launched.
            firer, at = replace(firer, side=name), replace(at, side=track.drones.flying[at.name].owner or "-")
        shield = order.shield if isinstance(order, Fire) else None
        row.append(
            Declared(firer, at, mounts, When(track.turn, track.impulse), order.location, shield=shield)
        )
        now = None if track.turn is None or track.impulse is None else Moment(track.turn, track.impulse)
        if isinstance(order, Fire):
            self._guided.struck(at.name, now)
            self._hurt(at.name, track)
            if track.drones is not None and at.name in track.drones.flying:
                known = self._rulebook.table("weapons")["weapons"]
                systems = {str(known.get(mount.type, {}).get("system", "")) for mount in mounts}
                track.drones.fired_at(at.name, systems)
            return
        for mount in mounts:
            self._guided.launched(firer, order, mount, now, at.hex, self._strange(firer, track))

    def _strange(self, firer: Unit, track: Track) -> int:
        """The drones the file places, still flying, of which it is not said that they are another side's."""
        flying = track.drones.flying.values() if track.drones else ()
        sides = [drone.side for drone in flying if not drone.owner and drone.target != firer.name]
        return sum(not side or not firer.side or side == firer.side for side in sides)

    def _drone(self, name: str, track: Track) -> Unit | None:
        """A seeker of the file as it stands now, where it is one still on the map."""
        drone = track.drones.flying.get(name) if track.drones else None
        if drone is None:
            return None
        return Unit(name, hex=drone.hex, facing=drone.facing, kind=drone.type, side=drone.side)

    def _drone_hit(self, order: DroneHit, track: Track) -> None:
        """Holds the points said to be scored on a drone against what the fire at it in the impulse can score."""
        when = When(track.turn, track.impulse)
        fired = [one for one in self._fired if one.target.name == order.ship and one.when == when]
        self._told.add((order.ship, when))
        if not fired:
            told = f"{how_many(order.points, 'point')}, and no fire of this impulse at it explains them"
            about = About(order.ship, track.turn, track.impulse, order.location)
            self._findings.append(about.finding("NOTE/unexplained-hit", Severity.UNDECIDED, told))
            return
        battery = Battery(self._rulebook, {}, When(self._first_turn, 1))
        shots = [battery.shot(one, mount) for one in fired for mount in one.mounts]
        possible = totals(self._rulebook, shots)
        if order.points not in possible:
            weapons = ", ".join(shot.weapon for shot in shots)
            about = About(order.ship, track.turn, track.impulse, order.location)
            cannot = self._rulebook.offers.seen_fire.cannot_score(about, order.points, weapons, possible)
            self._findings.append(cannot)

    def _untold(self) -> Iterator[NotChecked]:
        """Drones of which it is not told what the fire at them came to."""
        for one in self._fired:
            name = one.target.name
            if one.target.kind != "ship" and (name, one.when) not in self._told:
                at = f"turn {one.when.turn}, impulse {one.when.impulse}"
                lacks = f"what the fire of {at} did is not told: {name}: hit 5"
                yield NotChecked(self._rulebook.named.seeker_destroyed, lacks, name)

    def _unit(self, name: str, track: Track) -> Unit:
        unit, ship = track.units[name], track.classes[name]
        speed = None if unit.speed is None else Fraction(unit.speed)
        state = replace(new_state(ship), speed=speed) if ship else None
        cloak = self._cloak(name, track)
        return Unit(name, ship, state, unit.hex, unit.facing, cloak, side=unit.side)

    # -- cloaks --------------------------------------------------------------------------

    def _cloak(self, name: str, track: Track) -> Cloak:
        history = self._histories.get(name)
        if history is None or track.turn is None or track.impulse is None:
            return Cloak()
        paid = frozenset(range(min(history.paid), track.turn + 1))
        return cloak_at(self._rulebook, replace(history, paid=paid), Moment(track.turn, track.impulse))

    def _announce(self, order: CloakOrdered | Uncloak, name: str, track: Track) -> None:
        """Holds an announcement against the rules on cloaks, but for what it costs."""
        if track.turn is None or track.impulse is None:
            self._not_checked[
                NotChecked(self._rulebook.named.cloak, "when it was announced is not known", name)
            ] = None
            return
        moment = Moment(track.turn, track.impulse)
        before = self._histories.get(name) or history_of(self._rulebook, name)
        paid = before.paid or frozenset((track.turn,))
        known = replace(before, paid=frozenset(range(min(paid), track.turn + 1)))
        says: Announcement = "cloak" if isinstance(order, CloakOrdered) else "uncloak"
        rules = self._rulebook.rules_on("cloak order", "check")
        self._checked |= {rule.key: None for rule in rules if rule.key != self._rulebook.named.cloak_paid}
        for item in judge_announcement(self._rulebook, known, moment, says, track.classes[name]):
            if isinstance(item, Finding):
                self._findings.append(replace(item, location=order.location))
            else:
                self._not_checked[item] = None
        self._not_checked[
            NotChecked(
                self._rulebook.named.cloak_paid, "whether its cloak was paid for is not known: no form", name
            )
        ] = None
        ship = track.classes[name]
        if ship is not None and ship.cloak_cost is None:
            return
        self._histories[name] = replace(known, announced=(*before.announced, (moment, says)))

    # -- all of it -----------------------------------------------------------------------

    def report(self, last: int | None) -> Report:
        """All that was found, checked and not checked of it, up to its last turn."""
        battery = Battery(self._rulebook, {}, When(self._first_turn, 1))
        reports = [judge_fire(battery, self._fired)[0]] if self._fired else []
        reports += [judge_launches(battery, self._launched)] if self._launched else []
        lacking = dict.fromkeys((*self._not_checked, *self._untold()))
        cloaks = Report(tuple(self._findings), tuple(self._checked), tuple(lacking))
        return merge_reports([*reports, self._guided.report(last), cloaks])
