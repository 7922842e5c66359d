"""What an account leaves open that tells neither dice nor damage: what is left of a ship that is struck, which
seekers still fly, and which of them it guides. It is said what is not known, and nothing is found by a guess."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from referee.adjudicator.damage_told import Struck
from referee.adjudicator.declared_fire import Battery, Declared
from referee.adjudicator.fire import totals
from referee.adjudicator.flight import dies_with
from referee.adjudicator.guidance_told import GuidedDrones
from referee.adjudicator.movement_told import VERBS
from referee.adjudicator.record_seekers import leaving_with_ships
from referee.adjudicator.seekers_by_rule import SeekersByRule
from referee.adjudicator.tracker import Track
from referee.adjudicator.volley import volley_order
from referee.core.account import Coverage, Event, not_understood, order_in
from referee.core.board import LoadShip
from referee.core.combat import Moment, Unit
from referee.core.errors import BadInput
from referee.core.finding import About, Finding, NotChecked, Report, Severity
from referee.core.game import GameState
from referee.core.hexgrid import parse_position
from referee.core.location import Location
from referee.core.naming import how_many
from referee.core.orders import Launch, OrderProblem
from referee.core.play import When
from referee.core.ship import ShipClass
from referee.core.toldfold import ToldFold
from referee.rulebooks.base import Rulebook

Data = Mapping[str, Any]


class Unresolved:
    """Fire, hits, launches and seekers of an account as far as they can be followed without dice. `tell` takes what
    is inferred to have happened; `coverage` says why the account is silent on dice and damage."""

    def __init__(
        self,
        rulebook: Rulebook,
        load_ship: LoadShip,
        game: ToldFold,
        track: Track,
        tell: Callable[[str, Data], None],
        coverage: Coverage,
    ) -> None:
        self.coverage = coverage
        self.rulebook = rulebook
        self.load_ship = load_ship
        self._game = game
        self._track = track
        self._tell = tell
        self._struck = Struck(rulebook)
        self._guided = GuidedDrones(rulebook, coverage.damage)
        self.seekers = SeekersByRule(rulebook, load_ship, game, tell, self._struck_by_seeker, coverage.damage)
        self._guided.follow(self.seekers)
        self._fired: dict[tuple[str, When], list[Declared]] = {}
        """The fire at each seeker, by impulse."""
        self._scored: set[tuple[str, When]] = set()
        self._dead: set[str] = set()
        self._first: int | None = None
        self._findings: list[Finding] = []
        self._not_checked: dict[NotChecked, None] = {}

    def found(self) -> list[Finding]:
        """What was found since this was last asked."""
        if not self._findings and not self.seekers.findings:
            return []
        every = [*self._findings, *self.seekers.findings]
        self._findings.clear()
        self.seekers.findings.clear()
        return every

    def of_the_dead(self, event: Event) -> list[Finding]:
        """What is against an order of a ship that is destroyed."""
        if not self._dead or event.type != "order":
            return []
        kind, stated = order_in(event.data)
        name = stated.get("ship", "")
        if name not in self._dead:
            return []
        verb = {"cloak": stated.get("to"), "word": stated.get("says")}.get(kind, _CALLED.get(kind, kind))
        turn, impulse, _ = self._game.moment
        about = About(name, turn, impulse, event.at)
        return [self.rulebook.offers.seen_damage.ordered_when_destroyed(about, str(verb))]

    # -- fire and launches ---------------------------------------------------------------

    def open(self, key: str, lacks: str, subject: str) -> None:
        """A rule that cannot be judged for want of a fact."""
        self._not_checked[NotChecked(key, lacks, subject)] = None

    def lacks(self, order: Data, state: GameState) -> str:
        """Why fire or a launch cannot be judged; empty where it can."""
        if not state.ships[order["ship"]].state.ship:
            return f"the class of {order['ship']} is not known"
        name = order["target"]
        ship = state.ships.get(name)
        if name in state.seekers or (ship is not None and not ship.state.dead):
            return ""
        reason = self.seekers.unfollowed.get(name)
        return f"where {name} is, is not known: {reason}" if reason else f"{name} is not on the map"

    def fired(self, declared: Declared) -> None:
        """A ship fires: what it fires at may be damaged, or gone."""
        self._first = self._first or declared.when.turn
        name, when = declared.target.name, declared.when
        self._guided.struck(name, _moment(when))
        self._hurt(name)
        if name in self.seekers.flying:
            known = self.rulebook.table("weapons")["weapons"]
            systems = {str(known.get(mount.type, {}).get("system", "")) for mount in declared.mounts}
            self.seekers.fired_at(name, systems)
            self._fired.setdefault((name, when), []).append(declared)

    def launched(self, declared: Declared, data: Data) -> None:
        """A ship launches: its sensors may control no more (D6.132)."""
        firer, target, now = declared.firer, declared.target, _moment(declared.when)
        order = Launch(firer.name, data["weapon"], target.name, declared.place, data["name"])
        for mount in declared.mounts:
            self._guided.launched(firer, order, mount, now, target.hex, self._strange(firer))

    def _strange(self, firer: Unit) -> int:
        """The drones that were placed, still flying, of which it is not given that they are another side's."""
        there = self.seekers.flying.values()
        side = self._game.state.ships[firer.name].unit.side
        sides = [drone.side for drone in there if not drone.owner and drone.target != firer.name]
        return sum(not other or not side or other == side for other in sides)

    def cloaks(self, ship: str) -> None:
        """A ship says that it cloaks, or that it does no more: lock-on to it may be lost."""
        self._guided.hidden(ship)

    def tries(self, ship: str) -> None:
        """A ship tries for lock-on; no die is told."""
        self._guided.tried(ship, self._game.moment[0])
        lacks = f"a try for lock-on is not resolved: {self.coverage.dice}"
        self._not_checked[NotChecked(self.rulebook.named.lock_on, lacks, ship)] = None

    # -- damage --------------------------------------------------------------------------

    def hit(self, order: Data, ship: ShipClass | None, place: Location) -> None:
        """Points are said to strike a ship."""
        name = order["ship"]
        self._guided.struck(name)
        self._from(order, place)
        if order["from"].isdecimal():
            self._track.hex_named(name, "is struck from", parse_position(order["from"])[0], place)
        self._may_be_lost(order, ship, place)
        if name not in self._dead:
            self._hurt(name)
        self._not_checked[NotChecked(self.rulebook.named.volley, self.coverage.damage, name)] = None

    def _struck_by_seeker(self, ship: str) -> None:
        self._hurt(ship)
        self._guided.struck(ship)

    def _from(self, order: Data, place: Location) -> None:
        """Holds the shield damage is said to strike against where it is said to come from (D4.22)."""
        unit, where = self._track.units[order["ship"]], order["from"]
        if where.isdecimal():
            where = f"{where}>{unit.hex}{unit.facing}" if unit.hex and unit.facing else ""
        directions = ((None, where),) if where else ()
        try:
            volley_order(order["points"], shield=order["shield"], directions=directions)
        except BadInput as error:
            said_so = f"hit {order['points']} on {order['shield']} from {order['from']}"
            reason = f"damage said to come from {order['from']}: {error.reason}"
            turn, impulse, _ = self._game.moment
            wrong = not_understood(OrderProblem(said_so, reason, error.hint, location=place))
            self._findings.append(replace(wrong, subject=order["ship"], turn=turn, impulse=impulse))

    def _hurt(self, name: str) -> None:
        """A ship may be damaged: whether it goes on guiding its drones, and is there to be struck, is not known."""
        flying = self.seekers.flying.values()
        if any(name == drone.owner and drone.type == "drone" for drone in flying):
            lacks = f"whether it keeps its lock-on is not known: {self.coverage.damage}; its drones fly on"
            self._not_checked[NotChecked(self.rulebook.named.lost_with_lock, lacks, name)] = None

    def _may_be_lost(self, order: Data, ship: ShipClass | None, place: Location) -> None:
        """Damage that destroys a ship for sure takes it off the map at the instant; where it may have, and the
        account has no more orders of it, it is not asked for any."""
        name = order["ship"]
        fate = self._struck.hit(name, ship, order["points"], order["shield"])
        if fate == "destroyed":
            self._destroy(name, place)
        elif fate == "perhaps destroyed" and order.get("last"):
            lacks = (
                f"whether it is destroyed is not known: {self.coverage.damage}; nothing more is ordered of it"
            )
            self._not_checked[NotChecked(self.rulebook.named.destroyed, lacks, name)] = None
            if any(dies_with(self.rulebook, drone, name) for drone in self.seekers.flying.values()):
                lacks = "whether it is destroyed, and its drones gone with it, is not known; they fly on"
                self._not_checked[NotChecked(self.rulebook.named.lost_with_guide, lacks, name)] = None
            self._track.stand_aside(name)
            self._track.excuse(name)

    def _destroy(self, name: str, place: Location) -> None:
        turn, impulse, _ = self._game.moment
        about = About(name, turn, impulse, place)
        self._findings.append(self.rulebook.offers.seen_damage.destroyed_at_once(about))
        self._dead.add(name)
        self._track.remove(name)
        self._tell(
            "events",
            {"events": [{"ship": name, "event": "ship_destroyed", "by_rule": self.rulebook.named.destroyed}]},
        )
        gone = leaving_with_ships(self.rulebook, self._game.state)
        self.seekers.ship_lost(name, gone["seekers"] if gone else (), place)

    def scored(self, order: Data, place: Location) -> None:
        """Holds the points said to be scored on a seeker against what the fire at it in the impulse can score."""
        name, points = order["name"], order["points"]
        turn, impulse, _ = self._game.moment
        when = When(turn, impulse)
        self._scored.add((name, when))
        fired = self._fired.get((name, when), ())
        if not fired:
            reason = f"{how_many(points, 'point')}, and no fire of this impulse at it explains them"
            self._findings.append(
                Finding("NOTE/unexplained-hit", Severity.UNDECIDED, reason, name, turn, impulse, place)
            )
            return
        battery = Battery(self.rulebook, {}, When(self._first, 1))
        shots = [battery.shot(declared, mount) for declared in fired for mount in declared.mounts]
        possible = totals(self.rulebook, shots)
        if points not in possible:
            weapons = ", ".join(shot.weapon for shot in shots)
            about = About(name, turn, impulse, place)
            cannot = self.rulebook.offers.seen_fire.cannot_score(about, points, weapons, possible)
            self._findings.append(cannot)

    # -- all of it -----------------------------------------------------------------------

    def _untold(self) -> Iterator[NotChecked]:
        """Seekers of which it is not known what the fire at them came to."""
        for name, when in self._fired:
            if (name, when) not in self._scored:
                at = f"turn {when.turn}, impulse {when.impulse}"
                lacks = f"what the fire of {at} did is not known: {name}: hit 5"
                yield NotChecked(self.rulebook.named.seeker_destroyed, lacks, name)

    def reports(self) -> Iterable[Report]:
        """What was checked and what could not be, up to where the game stands."""
        seekers, guided = self.seekers, self._guided.report(self._game.moment[0])
        yield Report((), tuple(seekers.checked), tuple(seekers.not_checked))
        yield guided
        yield Report((), (), (*self._not_checked, *self._untold()))


_CALLED = {"battery": "usebattery", "lock": "lockon"} | {
    kind: verb.casefold() for kind, verb in VERBS.items()
}
"""What the orders of ships are called in a finding."""


def _moment(when: When) -> Moment | None:
    return None if when.turn is None or when.impulse is None else Moment(when.turn, when.impulse)
