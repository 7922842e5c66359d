"""Seekers of an account that does not tell how they move: they fly by the rules, after the ships of each impulse
have moved, and strike (F2.0)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from referee.adjudicator.record_seekers import called, judge_move, strike_of, target_of, unlocked, ways
from referee.core.account import not_understood
from referee.core.board import LoadShip
from referee.core.combat import Moment, Seeker
from referee.core.finding import Finding, NotChecked, Severity
from referee.core.game import GameState
from referee.core.hexgrid import Hex, true_range
from referee.core.location import Location
from referee.core.naming import how_many
from referee.core.orders import OrderProblem, Way
from referee.core.ship import Mount
from referee.core.toldfold import ToldFold
from referee.rulebooks.base import Rulebook

Data = Mapping[str, Any]


class SeekersByRule:
    """The seekers of a game: straight ahead, or after their ship on a shortest course; where several are as short, the
    account may say which. `game` is the game now, `tell` takes what they do, and `strikes` is told of each ship
    struck."""

    def __init__(
        self,
        rulebook: Rulebook,
        load_ship: LoadShip,
        game: ToldFold,
        tell: Callable[[str, Data], None],
        strikes: Callable[[str], None],
        unresolved: str,
    ) -> None:
        self.rulebook = rulebook
        self.load_ship = load_ship
        self._game = game
        self._tell = tell
        self._strikes = strikes
        self._unresolved = unresolved  # Why damage is not known.
        self.unfollowed: dict[str, str] = {}
        """What was launched and is not followed, by its name, and why."""
        self.gone: dict[str, Moment] = {}
        """When what was launched left the map."""
        self.guessed: set[str] = set()
        """Seekers that had several ways as short, and it is not known which they took."""
        self.doubtful: set[str] = set()
        """Those of them that by another of these ways may have reached their target by now."""
        self._from: dict[str, Hex] = {}
        self._stood: object = None
        self._aimed: dict[tuple[str, object], set[str]] = {}
        self._untold: set[tuple[str, object]] = set()
        self.findings: list[Finding] = []
        self.checked: dict[str, None] = {}
        self.not_checked: dict[NotChecked, None] = {}

    @property
    def flying(self) -> Mapping[str, Seeker]:
        """Those on the map."""
        return self._game.seekers

    # -- launching -----------------------------------------------------------------------

    def launched(self, launch: Data, mount: Mount | None, state: GameState) -> bool:
        """Is what a ship launches followed? It stands in the ship's hex then, and moves from the next impulse on."""
        name, here = launch["name"], state.ships[launch["ship"]].unit.hex
        lacks = self._not_followed(mount, launch, state)
        target = state.ships.get(launch["target"])
        there = target.unit.hex if target is not None and not target.state.dead else None
        taken = name in state.seekers or name in state.drones or name in self.gone or name in self.unfollowed
        if not lacks and (here is None or there is None or taken):
            lacks = "where it was launched, and at what, is not known"
        if not lacks and state.impulse is None:
            lacks = "when it was launched is not known"
        if lacks:
            self.unfollowed[name] = lacks
            self.not_checked[NotChecked(self.rulebook.named.seekers, lacks, name)] = None
        elif here is not None:
            self._from[name] = here
        return not lacks

    def _not_followed(self, mount: Mount | None, launch: Data, state: GameState) -> str:
        """Why the flight of what a ship launches is not followed; empty where it is."""
        if mount is None:
            return f"the class of {launch['ship']} is not known"
        weapon = self.rulebook.table("weapons")["weapons"].get(mount.type, {})
        if mount.system == "shuttle":
            return "a shuttle that is launched is not followed: the sources say too little of it"
        if not weapon.get("seeking") or not self.rulebook.rules_on("seeker speed"):
            return f"{mount.id} launches no seeker known here"
        target = state.ships.get(launch["target"])
        followed = target is not None and not target.state.dead
        return "" if followed else f"it goes after {launch['target']}, which is no ship"

    # -- moving --------------------------------------------------------------------------

    def known(self, name: str, place: Location) -> bool:
        """Is, or was, there such a seeker? Not where its launch was against a rule, and did not take place."""
        if name in self.unfollowed or name in self.gone or name in self._game.state.launched:
            return True
        problem = OrderProblem(name, f"no ship {name} is placed", location=place)
        self.findings.append(not_understood(problem))
        return False

    def moves(self, stated: Data, place: Location) -> None:
        """The account says which way a seeker moves: held against its course."""
        name, state = stated["name"], self._game.state
        if not self.known(name, place) or name in self.unfollowed:
            return
        if name not in state.seekers:
            self._say(Severity.ERROR, f"{name} is on the map no more", name, place)
        elif state.impulse is not None:
            for rule in self.rulebook.rules_on("seeker move", "check"):
                self.checked[rule.key] = None
            self.findings += [
                replace(found, location=place)
                for found in judge_move(self.rulebook, state, name, stated["way"])
            ]
            self._move(state, state.seekers[name], stated["way"], place)

    def fly(self, place: Location) -> None:
        """All seekers that the chart calls and that have not moved in the impulse move now, and those that are gone
        by a rule leave the map."""
        stood = self._now, self._game.places
        if self._now[1] is None or self._stood == stood:
            return
        self._stood, state = stood, self._game.state
        due = {seeker.name for seeker in called(self.rulebook, state)}
        for seeker in state.seekers.values():
            if seeker.name in due:
                self._move(state, seeker, self._way(state, seeker), place)
            elif any(rule.decide(seeker, target_of(state, seeker)) for rule in self._rules("seeker reached")):
                self._arrives(state, seeker, place)
        self._doubt(state)
        for seeker in tuple(self.flying.values()):
            if seeker.owner and (how := self._over(state, seeker)):
                self._leaves(seeker, how, place)

    def _rules(self, subject: str) -> tuple[Any, ...]:
        return self.rulebook.rules_on(subject)

    def _way(self, state: GameState, seeker: Seeker) -> Way:
        fits = ways(self.rulebook, state, seeker)
        if len(fits) > 1:
            lacks = (
                f"several ways are as short: {fits[0]} is taken; for another write {seeker.name}: {fits[1]}"
            )
            self.not_checked[NotChecked(self.rulebook.named.seeker_course, lacks, seeker.name)] = None
            self.guessed.add(seeker.name)
        return fits[0]

    def _doubt(self, state: GameState) -> None:
        """Which way a seeker took is not known of some: whichever it was, it has come no farther than it has moved."""
        flying = self.flying
        for name in self.guessed - self.doubtful:
            seeker, begun = flying.get(name), self._from.get(name)
            there = target_of(state, seeker) if seeker else None
            if seeker is None or begun is None or there is None or true_range(begun, there) <= seeker.hexes:
                self.doubtful.add(name)  # fmt: skip

    def _over(self, state: GameState, seeker: Seeker) -> str:
        """How the flight of what was launched in an earlier impulse is over without a strike; empty where it goes on."""
        now = Moment(state.turn, state.impulse or 1)
        if seeker.launched == now:
            return ""
        if how := self._unlocked(state, seeker):
            return how
        of = int(self.rulebook.option("impulses"))
        if any(rule.decide(seeker, now, of, self.rulebook) for rule in self._rules("seeker spent")):
            return f"has flown as far as it goes ({self.rulebook.named.seeker_endurance})"
        target = state.ships.get(seeker.target)
        left = target is not None and state.has_left(target)
        return f"is lost: {seeker.target} has left the map" if left else ""

    def _unlocked(self, state: GameState, seeker: Seeker) -> str:
        """How a seeker is lost whose ship has lost the lock-on it is guided by; empty where it has not."""
        owner = state.ships.get(seeker.owner)
        if owner is None or owner.state.dead or seeker.target not in state.ships:
            return ""  # What guides itself flies on.
        lost = list(unlocked(self.rulebook, self.load_ship, state, (seeker,)))
        rule = self.rulebook.named.lost_with_lock
        return f"is lost: {seeker.owner} has no lock-on on {seeker.target} ({rule})" if lost else ""

    def _move(self, state: GameState, seeker: Seeker, way: Way, place: Location) -> None:
        self._tell("order", {"seeker": {"name": seeker.name, "way": way}})
        there = self.flying[seeker.name]
        if there.hex == target_of(state, seeker):
            self._arrives(state, there, place)
        elif any(rule.decide(there, self.rulebook) for rule in self._rules("drone off map")):
            self._leaves(seeker, f"leaves the map in {there.hex}", place)

    def _arrives(self, state: GameState, seeker: Seeker, place: Location) -> None:
        if not seeker.owner:
            self._leaves(seeker, f"reaches {seeker.target} in {seeker.hex}", place)
        elif how := self._unlocked(state, seeker):
            self._leaves(seeker, how, place)
        else:
            self._leaves(seeker, self._strike(state, seeker), place)
            self._strikes(seeker.target)

    def _strike(self, state: GameState, seeker: Seeker) -> str:
        """What a seeker that was launched does to its target, in words."""
        hit = strike_of(self.rulebook, self.load_ship, state, seeker)
        on = f" on its shield {hit.shield}" if hit.shield else ""
        scored = f"for {hit.damage}{on}"
        if self.is_doubtful(seeker.name):
            scored = f"{on.strip()}, for what is left of {hit.damage} after the fire at it".strip(", ")
        lacks = f"{self._unresolved}: {seeker.name} strikes it {scored}"
        self.not_checked[NotChecked(self.rulebook.named.volley, lacks, seeker.target)] = None
        return f"strikes {seeker.target} in {seeker.hex} {scored}"

    def ship_lost(self, ship: str, lost: Iterable[str], place: Location) -> None:
        """A ship is destroyed: the seekers that are `lost` with it leave the map at the instant (D4.41), plasma flies
        on (D4.42), and what goes after it has nothing to strike."""
        lost = set(lost)
        gone = f"leaves the map with {ship}, which is destroyed ({self.rulebook.named.lost_with_guide})"
        for seeker in tuple(self.flying.values()):
            if seeker.name in lost:
                self._leaves(seeker, gone, place)
            elif seeker.target == ship:
                self._leaves(seeker, f"is lost: {ship} is destroyed", place)

    # -- fired at ------------------------------------------------------------------------

    def fired_at(self, name: str, systems: Iterable[str]) -> None:
        """Weapons of some systems were fired at a seeker, in this impulse."""
        at = name, self._now
        self._aimed.setdefault(at, set()).update(systems)
        self._untold.add(at)

    @property
    def _now(self) -> tuple[int, int | None]:
        return self._game.moment[:2]

    def is_doubtful(self, name: str) -> bool:
        """Was a seeker fired at, and what that scored on it is not known?"""
        return any(seeker == name for seeker, _ in self._untold)

    def scored(self, stated: Data, place: Location) -> None:
        """Fire scored points on a seeker: with enough of them it is gone."""
        name, points = stated["name"], stated["points"]
        if name in self.unfollowed:
            return
        if name not in self.flying:
            self._say(Severity.ERROR, f"{name} is on the map no more", name, place)
            return
        aimed = self._aimed.get((name, self._now), set())
        by_phasers = points if aimed == {"phaser"} else 0
        hit = {"seeker": name, "points": points, "phasers": by_phasers, "gone": False}
        self._tell("events", {"events": [], "seekers_hit": [hit]})
        hurt = self.flying[name]
        if len(aimed) == 1 or not hurt.type.startswith("plasma"):
            self._untold.discard((name, self._now))
        if self.rulebook.offers.warhead_left(self.rulebook, hurt) <= 0:
            self._leaves(hurt, f"is destroyed by {how_many(hurt.damage, 'point')}", place)

    # -- saying so -----------------------------------------------------------------------

    def _leaves(self, seeker: Seeker, how: str, place: Location) -> None:
        turn, impulse = self._now
        self._tell("order", {"strike": {"seekers": [seeker.name], "volleys": []}})
        if seeker.owner:
            self.gone[seeker.name] = Moment(turn or 1, impulse or 1)
        self._say(Severity.NOTE, f"{how}, and is gone", seeker.name, place)

    def _say(self, severity: Severity, message: str, seeker: str, place: Location) -> None:
        self.findings.append(
            Finding(self.rulebook.named.seekers, severity, message, seeker, *self._now, place)
        )
