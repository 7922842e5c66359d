"""Figures that a source states of its own accord: ranges, what shots scored, the damage of fire, shields left. They are no
play, and are held against what was played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.adjudicator.check import judge_all
from referee.adjudicator.flight_end import points_to_destroy
from referee.adjudicator.record_fire import RecordFire
from referee.adjudicator.record_forms import reinforcement_known
from referee.adjudicator.record_seekers import left_standing, strike_of
from referee.core.account import Event
from referee.core.combat import Moment, Shot, ShotResult
from referee.core.finding import About, Finding, NotChecked, Report
from referee.core.forked import Forked
from referee.core.game import GameState
from referee.core.hexgrid import true_range
from referee.core.naming import how_many
from referee.core.play import When
from referee.core.takenover import position
from referee.rulebooks.base import Rule, Rulebook

if TYPE_CHECKING:
    from referee.adjudicator.rolled_fire import RolledFire

SHIELDS = range(1, 7)


class StatedFigures(Forked):
    """The figures stated in a game, each held against the game as it stands by then."""

    def __init__(self, rulebook: Rulebook, fire: RecordFire, rolled: RolledFire | None = None) -> None:
        """`rolled` is fire whose dice are found beside it, row by row."""
        self.rulebook = rulebook
        self.fire = fire
        self.rolled = rolled
        self._checked: dict[str, None] = {}
        self._not_checked: dict[NotChecked, None] = {}
        self._seen: dict[str, int] = {}
        """The turn in which each ship's shields were last stated."""
        self._scored_on: dict[str, int] = {}
        """The points that fire is known to have scored on each seeker."""
        self._stood: dict[tuple[str, Moment], None] = {}
        """The impulses in which seekers did not move, that are found already."""

    def take(self, event: Event, now: Callable[[], GameState]) -> list[Finding]:
        """What is against a figure that is stated now."""
        if of_shots := _OF_SHOTS.get(event.data["what"]):
            return list(of_shots(self, event))
        return list(_HELD[event.data["what"]](self, event, now()))

    def pass_plain(self, subjects: Iterable[str], shields_of: Iterable[str], turn: int) -> None:
        """Figures were stated in a turn against which the rules have nothing, among them the shields of some ships."""
        for subject in subjects:
            self._note_asked(self.rulebook.rules_on(subject, "check"))
        self._seen.update(dict.fromkeys(shields_of, turn))

    def report(self) -> Report:
        """Which rules were asked, and what could not be told."""
        return Report(checked=tuple(self._checked), not_checked=tuple(self._not_checked))

    def _range(self, event: Event, state: GameState) -> Iterator[Finding]:
        data = event.data
        ordered, stated = self.fire.ordered(data["fire"]), data["range"]
        if ordered is None:
            return
        declared = ordered.declared
        if declared.firer.hex is None or declared.target.hex is None:
            return
        counted = true_range(declared.firer.hex, declared.target.hex)
        # What the tables count is worked out only where the map does not bear the stated range out.
        aims = self._aims(data["fire"], state) if stated != counted else ()
        facts = self.rulebook.offers.range_stated(
            self.rulebook,
            f"{declared.firer.name} {declared.mounts[0].id}",
            declared.target.name,
            declared.when.turn,
            declared.when.impulse,
            str(declared.firer.hex),
            str(declared.target.hex),
            counted,
            aims[0].effective_range if aims else None,
            stated,
        )
        yield from self._asked("range stated", facts)

    def _damage(self, event: Event, state: GameState) -> Iterator[Finding]:
        data = event.data
        thrown: list[tuple[Any, ...]] = []
        facing: list[tuple[int, ...]] = []
        first = None
        for seq, roll, mode in data["shots"]:
            for aim in self._aims(seq, state):
                if aim.shot.fire_control == "unpaid":
                    return  # It may not fire at all, and that is found at the shot.
                first = first or aim.shot
                thrown.append((aim.shot.weapon, aim.shot.type, aim.effective_range, roll, mode))
                facing.append(aim.shot.facing_shields)
        if first is None or len(thrown) < len(data["shots"]):
            return
        found: list[list[Finding]] = []
        may_be = [(sum(struck), struck) for struck in data.get("or", ())]
        for total, struck in ((data["total"], data.get("struck", ())), *may_be):
            facts = self.rulebook.offers.damage_stated(
                self.rulebook,
                first.firer.name,
                data["ship"],
                first.turn,
                first.impulse,
                tuple(thrown),
                total,
                dice=tuple(data.get("dice", ())),
                silent=data.get("silent", False),
                facing=tuple(facing),
                struck=struck,
            )
            found.append(list(self._asked("damage stated", facts)))
            if not found[-1]:
                return
        yield from found[0]

    def _flight(self, event: Event, state: GameState) -> Iterator[Finding]:
        """A seeker of which no move is told until a moment: the moves that were called are held against it."""
        data = event.data
        to = (data["turn"], data["impulse"], data["step"])
        for seeker, now in left_standing(self.rulebook, state, (state.turn, state.impulse, state.step), to):
            if seeker.name == data["name"] and (seeker.name, now) not in self._stood:
                self._stood[seeker.name, now] = None
                about = About(seeker.name, now.turn, now.impulse)
                yield self.rulebook.offers.seen_flights.stood_still(about)

    def _leap(self, event: Event, state: GameState) -> Iterator[Finding]:
        """A seeker is told to be where no move leads it."""
        seeker, (hex, facing) = state.seekers.get(event.data["name"]), position(event.data["to"])
        if seeker is not None:
            about = About(seeker.name, state.turn, state.impulse)
            stood = seeker.hex, seeker.facing
            yield self.rulebook.offers.seen_flights.leapt(about, stood, (hex, facing))

    def _at_launch(self, event: Event, state: GameState) -> Iterator[Finding]:
        """A seeker is told to move in the impulse of its launch."""
        about = About(event.data["name"], state.turn, state.impulse)
        hex, _ = position(event.data["to"])
        yield self.rulebook.offers.seen_flights.moved_at_launch(about, hex)

    def _put_down(self, event: Event, state: GameState) -> Iterator[Finding]:
        """A seeker is told to be put down elsewhere than where its ship launched it."""
        seeker, (hex, _) = state.seekers.get(event.data["name"]), position(event.data["to"])
        if seeker is not None:
            about = About(seeker.name, state.turn, state.impulse)
            yield self.rulebook.offers.seen_flights.put_down_elsewhere(about, hex, seeker.hex, seeker.owner)

    def _facing(self, event: Event, state: GameState) -> Iterator[Finding]:
        """How a ship is said to face after a move that leaves it facing otherwise."""
        data = event.data
        about = About(data["ship"], state.turn, state.impulse)
        facings = data["worked_out"], data["facing"]
        found = self.rulebook.offers.seen_moves.misfaced(self.rulebook, about, facings, data["hex"])
        if found is not None:
            yield found

    def _move_untold(self, event: Event, state: GameState) -> Iterator[Finding]:
        """A ship is called, and what is told later shows that it moved: the line of that is missing."""
        data = event.data
        about = About(data["ship"], state.turn, state.impulse)
        moves = self.rulebook.offers.seen_moves
        yield from filter(None, [moves.move_untold(self.rulebook, about, data["speed"], data["shown"])])

    def _move_out_of_place(self, event: Event, state: GameState) -> Iterator[Finding]:
        """A ship moves in another impulse than the one that calls for it."""
        data = event.data
        about = About(data["ship"], state.turn, state.impulse)
        moves = self.rulebook.offers.seen_moves
        yield from filter(None, [moves.out_of_place(self.rulebook, about, data["called"], data["speed"])])

    def _turn_untold(self, event: Event, state: GameState) -> Iterator[Finding]:
        """A ship goes ahead to one side, and on from there: no line tells that it turned."""
        data = event.data
        about = About(data["ship"], state.turn, state.impulse)
        hexes, facings = (data["from"], data["to"]), (data["before"], data["after"])
        moves = self.rulebook.offers.seen_moves
        yield from filter(None, [moves.turn_untold(self.rulebook, about, hexes, facings)])

    def _misplaced(self, event: Event, state: GameState) -> Iterator[Finding]:
        """A ship is told to be in a hex where no move leads, and it goes on from another one."""
        data = event.data
        about = About(data["ship"], state.turn, state.impulse)
        hexes = data["from"], data["to"], data["expected"]
        moves = self.rulebook.offers.seen_moves
        yield from filter(None, [moves.misplaced(self.rulebook, about, hexes, data["hexes"])])

    def _of_the_dead(self, event: Event, state: GameState) -> Iterator[Finding]:
        """What a ship is said to do in an impulse after that of its end."""
        when = event.when if event.when.turn is not None else When(state.turn, state.impulse)
        about = About(event.data["ship"], when.turn, when.impulse, event.at)
        yield self.rulebook.offers.seen_damage.ordered_when_destroyed(about, event.data["order"])

    def _unguided(self, event: Event, state: GameState) -> Iterator[Finding]:
        """A drone is told to fly on when the ship that guided it is destroyed."""
        data = event.data
        about = About(data["name"], state.turn, state.impulse)
        yield self.rulebook.offers.seen_flights.flew_without_ship(about, data["to"], data["guide"])

    def _at_seeker(self, event: Event, state: GameState) -> Iterator[Finding]:
        """Dice of fire at a seeker: the points that phasers score by them are counted."""
        name = event.data["name"]
        aims = [(aim, roll) for seq, roll in event.data["shots"] for aim in self._aims(seq, state)]
        scored = [
            self.rulebook.offers.points_stated(
                self.rulebook,
                aim.shot.type,
                aim.effective_range,
                roll,
                aim.shot.mode,
                tuple(event.data["dice"]),
            )
            for aim, roll in aims
            if aim.phaser
        ]
        self._scored_on[name] = self._scored_on.get(name, 0) + sum(filter(None, scored))
        yield from ()

    def _flies_on(self, event: Event, state: GameState) -> Iterator[Finding]:
        """A seeker is told to fly on after fire at it."""
        name = event.data["name"]
        seeker, scored = state.seekers.get(name), self._scored_on.get(name, 0)
        needed = points_to_destroy(self.rulebook, seeker) if seeker is not None else None
        if needed is not None and scored >= needed:
            about = About(name, state.turn, state.impulse)
            yield self.rulebook.offers.seen_flights.flew_on_hurt(about, event.data["to"], scored, needed)

    def _strike(self, event: Event, state: GameState) -> Iterator[Finding]:
        """Points by shield that seekers in a ship's hex are said to have scored: one of them, or several."""
        data, struck = event.data, tuple(event.data["struck"])
        seekers = [state.seekers[name] for name in data["seekers"] if name in state.seekers]
        hits = [strike_of(self.rulebook, self.fire.load_ship, state, seeker) for seeker in seekers]
        about, flights = About(data["ship"], state.turn, state.impulse), self.rulebook.offers.seen_flights
        if not hits:
            return
        if struck in _sums([(hit.shields or SHIELDS, (hit.damage,), True) for hit in hits]):
            gone, total = data.get("perhaps_gone", ()), data.get("in_all")
            rows = [
                (hit.shields or SHIELDS, (hit.damage,), seeker.name in gone)
                for hit, seeker in zip(hits, seekers, strict=True)
            ]
            if total is not None and tuple(total) not in _sums(rows):
                yield flights.strike_untold(about, total, hits)
            if sum(struck) != data["total"]:
                yield flights.strike_total_misread(about, data["total"], struck)
            return
        others = tuple(data["others"])
        rows = [(hit.shields or SHIELDS, (hit.damage, *others), True) for hit in hits]
        other = bool(others) and struck in _sums(rows)
        yield flights.strike_misread(about, struck, hits, other=other)

    def _shields(self, event: Event, state: GameState) -> Iterator[Finding]:
        data = event.data
        name = data["ship"]
        mended = self._seen.get(name, state.turn) != state.turn
        self._seen[name] = state.turn
        bought = reinforcement_known(self.rulebook, state, name)
        if data.get(
            "borne_out"
        ):  # What is stated next goes on from the sum: nothing was absorbed, nor repaired.
            bought, mended = {}, False
        left = state.ships[name].state.shields
        facts = self.rulebook.offers.shields_stated(
            self.rulebook,
            name,
            state.turn,
            state.impulse,
            [left[n] for n in SHIELDS],
            data["damage"],
            data["left"],
            mended,
            None if bought is None else [bought.get(n, 0) for n in (0, *SHIELDS)],
            self.fire.load_ship(state.ships[name].state.ship).shields,
        )
        yield from self._asked("shields stated", facts)

    def _score(self, event: Event) -> Iterator[Finding]:
        """A hit or a miss, or points, that a shot of a row is said to have scored."""
        data = event.data
        shot, result = self._shot(data["row"], data["shot"])
        if result is None:
            lacks = f"what {shot.weapon} came to is not known (step {event.at.step})"
            self._not_checked[NotChecked(self.rulebook.named.firing_tables, lacks, shot.firer.name)] = None
            return
        hit, points = data["hit"], data["points"]
        stated = points if points is not None else 0 if hit is False else None
        wrong_hit = hit is not None and hit != result.hit
        if wrong_hit or stated not in (None, result.damage):
            wording = how_many(points, "point") if points is not None else "a hit" if hit else "a miss"
            yield self.rulebook.offers.seen_fire.score_misread(result, wording, event.at)

    def _total(self, event: Event) -> Iterator[Finding]:
        """The points that some shots of a row are said to come to together."""
        data = event.data
        results = [self._shot(data["row"], place)[1] for place in data["shots"]]
        came_to = sum(result.damage for result in results if result is not None)
        if None not in results and came_to != data["points"]:
            about = About(data["ship"], event.when.turn, event.when.impulse, event.at)
            yield self.rulebook.offers.seen_fire.total_misread(about, data["step"], came_to, data["points"])

    def _hit(self, event: Event) -> Iterator[Finding]:
        """The points that are said to have struck a shield in an impulse, and those that did."""
        data = event.data
        shield, points, struck = data["shield"], data["points"], data["struck"]
        if points != struck.get(shield, 0):
            came_to = " and ".join(f"{n} on shield {k}" for k, n in struck.items()) or "nothing"
            about = About(data["ship"], event.when.turn, event.when.impulse, event.at)
            yield self.rulebook.offers.seen_fire.hit_misread(about, points, shield, came_to)

    def _shot(self, row: int, place: int) -> tuple[Shot, ShotResult | None]:
        """A shot of a row, and what it came to."""
        assert self.rolled is not None
        rolled = self.rolled.rows[row]
        return rolled.declaration.shots[place], rolled.results[place]

    def _aims(self, seq: int, state: GameState) -> Sequence[Any]:
        """The shots of an order of fire with all that the tables ask, as the ships stood; none where it was not taken."""
        ordered = self.fire.ordered(seq)
        stands = any(order.seq == seq for order in reversed(state.fire))
        return ordered.aims if ordered is not None and stands else ()

    def _asked(self, subject: str, facts: Any) -> Iterator[Finding]:
        rules = self.rulebook.rules_on(subject, "check")
        self._note_asked(rules)
        for item in judge_all(rules, self.rulebook, facts):
            if isinstance(item, Finding):
                yield item
            else:
                self._not_checked[item] = None

    def _note_asked(self, rules: Iterable[Rule]) -> None:
        self._checked.update(dict.fromkeys([rule.key for rule in rules]))


def _sums(hits: Iterable[tuple[Iterable[int], Iterable[int], bool]]) -> set[tuple[int, ...]]:
    """What hits may come to by shield: each strikes one of some shields for some points, or perhaps does not strike."""
    sums = {(0,) * len(SHIELDS)}
    for shields, points, may_fail in hits:
        more = {
            (*so_far[: shield - 1], so_far[shield - 1] + scored, *so_far[shield:])
            for so_far in sums
            for shield in shields
            for scored in points
        }
        sums = sums | more if may_fail else more
    return sums


_HELD: Mapping[str, Callable[[StatedFigures, Event, GameState], Iterator[Finding]]] = {
    "facing": StatedFigures._facing,
    "move untold": StatedFigures._move_untold,
    "move out of place": StatedFigures._move_out_of_place,
    "turn untold": StatedFigures._turn_untold,
    "misplaced": StatedFigures._misplaced,
    "flight": StatedFigures._flight,
    "order of the dead": StatedFigures._of_the_dead,
    "leap": StatedFigures._leap,
    "unguided": StatedFigures._unguided,
    "fire at seeker": StatedFigures._at_seeker,
    "flies on": StatedFigures._flies_on,
    "at launch": StatedFigures._at_launch,
    "put down": StatedFigures._put_down,
    "range": StatedFigures._range,
    "damage": StatedFigures._damage,
    "strike": StatedFigures._strike,
    "shields": StatedFigures._shields,
}
_OF_SHOTS: Mapping[str, Callable[[StatedFigures, Event], Iterator[Finding]]] = {
    "score": StatedFigures._score,
    "total": StatedFigures._total,
    "hit": StatedFigures._hit,
}
"""What is stated of shots whose dice are known: the game as it stands by then has no part in it."""
