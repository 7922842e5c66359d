"""What fire could do and what fell, and how a game's dice fell: of a record, of orders, and of the logs of either client."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.adjudicator.fire import scores
from referee.adjudicator.record_shots import shots_of
from referee.core.beside import Broadside, DiceFallen
from referee.core.board import LoadShip
from referee.core.combat import Shot
from referee.core.errors import BadInput
from referee.core.game import GameState
from referee.rulebooks.base import Rulebook

if TYPE_CHECKING:
    from referee.adjudicator.rolled_fire import Row

_FACES = 6


def chances_of(rulebook: Rulebook, shots: Iterable[Shot]) -> Mapping[int, float]:
    """The chance of each number of points that some shots score together. Raises BadInput for a shot that cannot be
    resolved."""
    total: dict[int, float] = {0: 1.0}
    for shot in shots:
        (count, sides), by_total = scores(rulebook, shot)
        thrown = {0: 1.0}
        for _ in range(count):
            thrown = _added(thrown, dict.fromkeys(range(1, sides + 1), 1 / sides))
        total = _added(total, _by_points(by_total, thrown))
    return dict(sorted(total.items()))


def broadsides(
    rulebook: Rulebook, shots: Iterable[tuple[Shot, int | None]], *, diced: bool = True
) -> Iterator[Broadside]:
    """The fire of a step, by who fired at whom: the shots with the points each scored, None where that is not known. Of
    fire that cannot be resolved by the rules there are no chances. Of a game that is not
    `diced` nothing fell."""
    groups: dict[tuple[str, str], list[tuple[Shot, int | None]]] = {}
    for shot, points in shots:
        groups.setdefault((shot.firer.name, shot.target.name), []).append((shot, points))
    for (firer, target), group in groups.items():
        fell = [points for _, points in group if points is not None]
        if diced and len(fell) < len(group):
            continue
        try:
            chances = chances_of(rulebook, [shot for shot, _ in group])
        except BadInput:
            continue
        first = group[0][0]
        yield Broadside(
            first.turn, first.impulse, firer, target, _sentence(group), chances, sum(fell) if fell else None
        )


def of_log(rulebook: Rulebook, rows: Iterable[Row]) -> Iterator[Broadside]:
    """The fire of a log."""
    for row in rows:
        yield from broadsides(
            rulebook, ((shot, None if done is None else done.damage) for _, shot, done in row.shots())
        )


class FireSeen:
    """The fire of a game, seen event by event, and its dice."""

    def __init__(self, rulebook: Rulebook, load_ship: LoadShip) -> None:
        self.found: list[Broadside] = []
        self.dice: dict[str, Counter[int]] = {}
        self._rulebook, self._load_ship = rulebook, load_ship

    def see(self, kind: str, data: Mapping[str, Any], before: GameState) -> None:
        """An entry, and the game before it."""
        roll = before.rolls.get(data["roll"]) if kind == "result" else None
        if roll is None:
            return
        for group in data["dice"]:
            if group["sides"] == _FACES:
                self.dice.setdefault(roll.who, Counter()).update(group["faces"])
        orders = [order for order in before.fire if order.seq in roll.fire]
        shots = shots_of(self._rulebook, self._load_ship, before, orders) if orders else ()
        self.found += broadsides(self._rulebook, self._scored(shots, data["dice"]))

    def order(self, seq: int, after: GameState) -> None:
        """Fire that is ordered where no dice are recorded, and the game with the order in it."""
        shots = self._shots(after, (seq,))
        self.found += broadsides(self._rulebook, ((shot, None) for shot in shots), diced=False)

    def state_damage(self, data: Mapping[str, Any], state: GameState) -> None:
        """The damage that a log states of some shots, each with its throw, and the game as it stands by then."""
        rolls = {seq: roll for seq, roll, _ in data["shots"]}
        shots = self._shots(state, tuple(rolls))
        if not shots or len(shots) != len(rolls):
            return
        # Each shot has what its throw came to: that is a face where it was thrown with one die.
        if tuple(data["dice"]) == (1, _FACES):
            self.dice.setdefault(shots[0].firer.name, Counter()).update(rolls.values())
        scored = (
            (shot, scores(self._rulebook, shot)[1].get(roll))
            for shot, roll in zip(shots, rolls.values(), strict=True)
        )
        self.found += broadsides(self._rulebook, scored)

    def _shots(self, state: GameState, wanted: Collection[int]) -> Sequence[Shot]:
        """The shots of some orders of fire; none where one was not taken."""
        orders = [order for order in state.fire if order.seq in wanted]
        if len(orders) < len(wanted):
            return ()
        return shots_of(self._rulebook, self._load_ship, state, orders)

    def _scored(
        self, shots: Sequence[Shot], groups: Sequence[Mapping[str, Any]]
    ) -> Iterator[tuple[Shot, int | None]]:
        """The shots with the points that the faces of their group make; none where there are other groups than shots."""
        if len(shots) == len(groups):
            for shot, group in zip(shots, groups, strict=True):
                yield shot, scores(self._rulebook, shot)[1].get(sum(group["faces"]))


def fallen(dice: Mapping[str, Mapping[int, int]]) -> tuple[DiceFallen, ...]:
    """How often each face fell, by who rolled."""
    return tuple(
        DiceFallen(who, tuple(counts.get(face, 0) for face in range(1, _FACES + 1)))
        for who, counts in dice.items()
    )


def _added(first: Mapping[int, float], second: Mapping[int, float]) -> dict[int, float]:
    found: dict[int, float] = {}
    for a, chance_a in first.items():
        for b, chance_b in second.items():
            found[a + b] = found.get(a + b, 0.0) + chance_a * chance_b
    return found


def _by_points(by_total: Mapping[int, int], thrown: Mapping[int, float]) -> dict[int, float]:
    found: dict[int, float] = {}
    for total, chance in thrown.items():
        found[by_total[total]] = found.get(by_total[total], 0.0) + chance
    return found


def _sentence(group: Sequence[tuple[Shot, int | None]]) -> str:
    shots = [shot for shot, _ in group]
    weapons = ", ".join(shot.weapon for shot in shots)
    first = shots[0]
    ranges = {shot.range if shot.range is not None else shot.hexes for shot in shots}
    away = f", range {min(r for r in ranges if r is not None)}" if None not in ranges else ""
    return f"{first.firer.name} fires {weapons} at {first.target.name}{away}"
