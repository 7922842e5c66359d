"""The volleys of an account against which the rules have nothing, each told by a few of its facts.

Most shots of a game are so: by an unhurt ship at one of another side, in its arc and reach, from a weapon that has rested,
with the range and the damage stated that map, dice and tables give. What such a shot is held against hangs on its ship's
class, the weapon and the range alone, and is asked once; a rule that may find more has not said `passes="plain"`, and then
every shot is judged by itself. Of volleys of which anything is not plain, all is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from referee.adjudicator.check import judge_all
from referee.adjudicator.declared_fire import Declared
from referee.adjudicator.record_fire import PlainShot, RecordFire
from referee.adjudicator.stated import SHIELDS, StatedFigures
from referee.core.account import STATED, Event
from referee.core.arcs import bears
from referee.core.combat import NOT_KNOWN, Moment, Unit
from referee.core.finding import NotChecked, Report
from referee.core.frozen import maker, replace
from referee.core.game import FireOrdered, ShipInGame
from referee.core.hexgrid import Offset, relative_offset, struck_shields, true_range
from referee.core.once import Same
from referee.core.play import When
from referee.core.ship import Mount, ShipClass
from referee.core.stretch import FireStretch
from referee.core.takenover import ELSEWHERE
from referee.core.toldfold import TakenFold
from referee.rulebooks.base import Rulebook

_ORDER = {"text", "player", "turn", "impulse", "fire"}
_FIRE, _ON_SHIELD = {"ship", "weapons", "target"}, {"ship", "weapons", "target", "shield"}
_MARKED = {"text", "events", "turn", "impulse", "step"}
_FELL = _MARKED | {"fire"}
_MARK = {"ship", "event", "shield", "points"}
_ASKED = ("shot", "step", "range stated", "damage stated", "shields stated", "timed")
_WORKED_OUT = ("firing table", "dice", "outcome", "roll", "range", "lock-on", "struck")

_order, _declared, _shot = maker(FireOrdered), maker(Declared), maker(PlainShot)


class _FireKnown:
    """What is known of plain shots by a rulebook, whatever game they are of."""

    def __init__(self, rulebook: Rulebook) -> None:
        asked = [rule for on in _ASKED for rule in rulebook.rules_on(on, "check")]
        others = [rule for on in _WORKED_OUT for rule in rulebook.rules_on(on)]
        self.is_sure = (
            all(rule.passes == "plain" for rule in asked)
            and all(rule.origin in rulebook.chain for rule in others)
            and rulebook.has("rested", "points_stated")
            and not rulebook.option("map")
        )
        """Are its rules sure of what is plain? Where they are the players' own they cannot be."""
        self.rules = [
            (rulebook.rules_on("shot", "check"), "shot"),
            (rulebook.rules_on("step", "check"), "step"),
        ]
        keys = tuple(dict.fromkeys(rule.key for rules, _ in self.rules for rule in rules))
        self.report = Report(checked=keys, rulebook=rulebook.id, options=rulebook.chosen)
        self.ships: dict[Same[ShipClass], _OfClass] = {}
        self.points: dict[tuple[Any, ...], int] = {}

    def of_class(self, ship: ShipClass) -> _OfClass:
        """What is known of the shots of a class of ships."""
        known = self.ships.get(key := Same(ship))
        if known is None:
            known = self.ships[key] = _OfClass(ship)
        return known


class _OfClass:
    """What is known of the shots of a class of ships."""

    def __init__(self, ship: ShipClass) -> None:
        self.mounts = {mount.id: mount for mount in reversed(ship.mounts)}
        kinds: dict[Mount, str] = {}
        self.kinds = {
            mark: kinds.setdefault(replace(mount, id=""), mark) for mark, mount in self.mounts.items()
        }
        """The weapon that stands for each that differs from it by its mark alone."""
        self.shots: dict[tuple[str, int], tuple[int, list[NotChecked]] | None] = {}
        """By kind of weapon and range: the effective range, and what is left open; None where something is found."""


class _Line(NamedTuple):
    """The line of fire from one ship to another."""

    firer: Unit
    target: Unit
    known: _OfClass
    """What is known of the firer's shots."""
    offset: Offset
    """Where the target lies as seen from the firer."""
    hexes: int
    facing: tuple[int, ...]
    """The shields it may strike."""


@lru_cache(maxsize=8)
def _known(rulebook: Same[Rulebook]) -> _FireKnown:
    return _FireKnown(rulebook.held)


class PlainFire:
    """Finds the plain volleys of a game, and carries them out."""

    def __init__(self, rulebook: Rulebook, fire: RecordFire, stated: StatedFigures, fold: TakenFold) -> None:
        self.rulebook, self.fold, self.fire = rulebook, fold, fire
        self._stated, self._known = stated, _known(Same(rulebook))
        steps = rulebook.descriptor["sequence_of_play"]["steps_of"]
        self._steps: Sequence[str] = steps.get("fire", ())
        self.possible = self._known.is_sure and not (fold.taken_back.gone or fold.taken_back.stayed)
        self._remarked: set[tuple[str, str]] = set()
        """The ships and weapons of which it is said what is left open of their shots."""
        self._next = 0

    def passed(self, events: Sequence[Event], at: int) -> int:
        """Carries out the volleys that begin with an event, up to where their dice have fallen, and gives where they
        end; `at` where anything of them is not plain."""
        if at < self._next or events[at].type != "order" or "fire" not in events[at].data:
            return at
        turn, impulse, step = self.fold.moment
        if impulse is None or step not in self._steps or not self.fold.is_open:
            return at
        volleys = _Volleys(self, Moment(turn, impulse))
        end = at
        while end < len(events) and volleys.goes_on(events[end]):
            end += 1
        self._next = end + 1
        if not volleys.over:
            return at
        for shot in volleys.shots.values():
            about = shot.order.ship, shot.mount.id
            left_open = None if about in self._remarked else self._left_open(shot)
            self._remarked.add(about)
            self.fire.pass_plain(shot, left_open)
        self._stated.pass_plain(volleys.asked, volleys.stated_of, turn)
        self.fold.fire(volleys.stretch)
        return end

    def line(self, firer: Unit, target: Unit) -> _Line | None:
        """The line of fire from one ship to another; None within a hex."""
        assert firer.ship is not None and firer.hex is not None and firer.facing is not None
        assert target.hex is not None and target.facing is not None
        if firer.hex == target.hex:
            return None
        offset = relative_offset(firer.hex, firer.facing, target.hex)
        facing = struck_shields(relative_offset(target.hex, target.facing, firer.hex))
        hexes = true_range(firer.hex, target.hex)
        return _Line(firer, target, self._known.of_class(firer.ship), offset, hexes, facing)

    def shot(self, event: Event, order: FireOrdered, line: _Line, when: When) -> PlainShot | None:
        """A shot as it is ordered, if it is plain."""
        (mark,) = order.weapons
        mount = line.known.mounts.get(mark)
        if mount is None or not bears(mount.arc, line.offset):
            return None
        if order.shield is not None and order.shield not in line.facing:
            return None
        last = self.fire.last_fired_by(order.ship, mount, when)
        if last == NOT_KNOWN or not self._has_rested(mount.type, last, order.moment):
            return None
        declared = _declared(line.firer, line.target, (mount,), when, event.at)
        about = line.known.kinds[mark], line.hexes
        if about not in line.known.shots:
            shot = _shot(order, declared, last, line.hexes, line.hexes, line.facing)
            line.known.shots[about] = self._asked(shot)
        known = line.known.shots[about]
        return known and _shot(order, declared, last, line.hexes, known[0], line.facing)

    def _has_rested(self, type: str, last: Moment | None, now: Moment) -> bool:
        return last is None or self.rulebook.offers.rested(self.rulebook, type, last, now)

    def _asked(self, shot: PlainShot) -> tuple[int, list[NotChecked]] | None:
        """What all rules say of a shot by such a ship with such a weapon at such a range."""
        step = self.fire.step_of(shot)
        (aim,) = step.aims
        facts = {"shot": aim, "step": step}
        found = [
            item for rules, on in self._known.rules for item in judge_all(rules, self.rulebook, facts[on])
        ]
        left_open = [item for item in found if isinstance(item, NotChecked)]
        plain = len(left_open) == len(found) and aim.effective_range is not None
        return (aim.effective_range, left_open) if plain else None

    def _left_open(self, shot: PlainShot) -> Report:
        """What is left open of a shot, the first time that its weapon is fired."""
        firer = shot.declared.firer
        assert firer.ship is not None
        of_class = self._known.of_class(firer.ship)
        known = of_class.shots[of_class.kinds[shot.mount.id], shot.hexes]
        assert known is not None
        subject = f"{firer.name} {shot.mount.id}"
        open_ = tuple([NotChecked(item.key, item.reason, subject) for item in known[1]])
        return replace(self._known.report, not_checked=open_)

    def scored(self, shot: PlainShot, roll: int, mode: str, dice: Sequence[int]) -> int | None:
        """The points a shot scores with its die in the mode a log gives it; None where that is not one figure."""
        key = shot.mount.type, shot.reach, roll, mode, tuple(dice)
        if key not in self._known.points:
            points: int | None = self.rulebook.offers.points_stated(self.rulebook, *key)
            if points is None:
                return None
            self._known.points[key] = points
        return self._known.points[key]


class _Volleys:
    """The volleys of an impulse while they are looked through; nothing is changed by them yet."""

    def __init__(self, play: PlainFire, now: Moment) -> None:
        self._play, self._now = play, now
        self._ships = play.fold.ships
        self.shots: dict[int, PlainShot] = {}
        self.shields: dict[str, dict[int, int]] = {}
        """The shields of the ships of which something is stated, as they stand by then."""
        self.asked: dict[str, None] = {}
        """What was stated: the subjects of the rules on it."""
        self.over = False
        self._lines = 0
        self._when = When(*now)
        self._units: dict[str, Unit | None] = {}
        self._lines_of_fire: dict[tuple[str, str], _Line | None] = {}
        self._fired: set[tuple[str, str]] = set()
        self._orders: list[tuple[int, Mapping[str, Any]]] = []
        self._stated_of: set[str] = set()

    def goes_on(self, event: Event) -> bool:
        """Is an event of these volleys, and plain? After the one in which their dice fall there is none."""
        if self.over:
            return False
        self._lines += event.type != STATED
        if event.type == "order":
            return self._fires(event)
        if event.type == STATED:
            held = _HELD.get(event.data["what"])
            return held is not None and held(self, event.data)
        if event.type != "taken":
            return False
        if event.data.keys() == _FELL:
            self.over = self._dice_fall(event.data)
            return self.over
        return event.data.keys() == _MARKED and all(map(self._marked, event.data["events"]))

    def _fires(self, event: Event) -> bool:
        data = event.data
        stated = data.get("fire")
        if data.keys() != _ORDER or type(stated) is not dict or event.at.record_line is not None:
            return False
        if (stated.keys() != _FIRE and stated.keys() != _ON_SHIELD) or data["player"] != self._player(
            stated["ship"]
        ):
            return False
        weapons, shield = stated["weapons"], stated.get("shield", 1)
        if data["turn"] != self._now.turn or data["impulse"] != self._now.impulse:
            return False
        if type(weapons) is not list or len(weapons) != 1 or type(weapons[0]) is not str:
            return False
        if type(shield) is not int:
            return False
        name, target = stated["ship"], stated["target"]
        line = self._line(name, target)
        # A weapon that fires again has not rested.
        if line is None or (name, weapons[0]) in self._fired:
            return False
        order = _order(event.seq, name, (weapons[0],), target, self._now, stated.get("shield"), ELSEWHERE)
        shot = self._play.shot(event, order, line, self._when)
        if shot is None:
            return False
        self._fired.add((name, weapons[0]))
        self.shots[event.seq] = shot
        self._orders.append((event.seq, data))
        return True

    def _player(self, name: object) -> str | None:
        ship = self._ships.get(name) if type(name) is str else None
        return None if ship is None else ship.player

    def _line(self, firer: object, target: object) -> _Line | None:
        """The line of fire from a ship to one of another side."""
        if type(firer) is not str or type(target) is not str:
            return None
        if (firer, target) not in self._lines_of_fire:
            own, other = self._unit(firer), self._unit(target)
            if own is None or other is None or own.side == other.side:
                self._lines_of_fire[firer, target] = None
            else:
                self._lines_of_fire[firer, target] = self._play.line(own, other)
        return self._lines_of_fire[firer, target]

    def _unit(self, name: object) -> Unit | None:
        """A ship where it stands, if it is whole and on the map, and nobody has told anything of its energy."""
        if type(name) is not str:
            return None
        if name not in self._units:
            ship = self._ships.get(name)
            self._units[name] = None if ship is None or not _is_plain(ship) else self._seen(ship)
        return self._units[name]

    def _seen(self, ship: ShipInGame) -> Unit:
        unit = ship.unit
        return Unit(ship.name, self._class_of(ship), ship.state, unit.hex, unit.facing, side=ship.player)

    def _class_of(self, ship: ShipInGame) -> ShipClass:
        return self._play.fire.load_ship(ship.state.ship)

    def _shot(self, seq: int) -> PlainShot | None:
        return self.shots.get(seq) or self._play.fire.plain.get(seq)

    def _range(self, data: Mapping[str, Any]) -> bool:
        shot = self._shot(data["fire"])
        self.asked["range stated"] = None
        return shot is not None and data["range"] == shot.hexes

    def _damage(self, data: Mapping[str, Any]) -> bool:
        """Is the damage stated what the dice come to, by all shots on a shield that faces them?"""
        facing, points = set(), 0
        for seq, roll, mode in data["shots"]:
            shot = self._shot(seq)
            scored = None if shot is None else self._play.scored(shot, roll, mode, data.get("dice", ()))
            if shot is None or scored is None:
                return False
            points += scored
            facing.add(shot.facing)
        self.asked["damage stated"] = None
        if points != data["total"] or len(facing) != 1:
            return False
        (shields,) = facing
        return all(n in shields for n, struck in enumerate(data.get("struck", ()), 1) if struck)

    def _left(self, data: Mapping[str, Any]) -> bool:
        """Is what is left of the shields what was left before, less what struck them?"""
        ship = self._ships.get(data["ship"])
        damage, left = data["damage"], data["left"]
        if ship is None or not len(damage) == len(left) == len(SHIELDS):
            return False
        before = self.shields.get(ship.name) or ship.state.shields
        self._stated_of.add(ship.name)
        self.asked["shields stated"] = None
        return all(
            max(0, before.get(n, -1) - points) == stated
            for n, points, stated in zip(SHIELDS, damage, left, strict=True)
        )

    def _marked(self, stated: Any) -> bool:
        """Boxes of a shield that are marked, or whole again, and no more of them than there are."""
        if type(stated) is not dict or stated.keys() != _MARK or type(stated["ship"]) is not str:
            return False
        ship, shield, points = self._ships.get(stated["ship"]), stated["shield"], stated["points"]
        if ship is None or ship.state.dead or not type(shield) is type(points) is int:
            return False
        shields = self.shields.get(ship.name)
        if shields is None:
            shields = self.shields[ship.name] = dict(ship.state.shields)
        if shield not in shields:
            return False
        if stated["event"] == "shield_hit":
            shields[shield] -= points
            return 0 <= points <= shields[shield] + points
        shields[shield] += points
        most = self._class_of(ship).shields.get(shield, 0)
        return bool(stated["event"] == "shield_restored") and points >= 0 and shields[shield] <= most

    def _dice_fall(self, data: Mapping[str, Any]) -> bool:
        """Did all these shots fall, and no others?"""
        fired = [
            {"ship": shot.order.ship, "event": "weapon_fired", "weapon": shot.mount.id}
            for shot in self.shots.values()
        ]
        return bool(data["fire"] == [*self.shots] and data["events"] == fired)

    @property
    def stated_of(self) -> frozenset[str]:
        """The ships whose shields are stated."""
        return frozenset(self._stated_of)

    @property
    def stretch(self) -> FireStretch:
        """What they do to the game."""
        return FireStretch(
            self._lines, self._orders, [shot.order for shot in self.shots.values()], self.shields
        )


_HELD: Mapping[str, Callable[[_Volleys, Mapping[str, Any]], bool]] = {
    "range": _Volleys._range,
    "damage": _Volleys._damage,
    "shields": _Volleys._left,
}


def _is_plain(ship: ShipInGame) -> bool:
    state, unit = ship.state, ship.unit
    stated = ship.forms or ship.announced or ship.formless or ship.robot or state.tubes
    hurt = state.dead or state.destroyed or state.capacitor is not None or state.batteries is not None
    return bool(state.ship) and unit.hex is not None and unit.facing is not None and not (stated or hurt)
