"""Who plays which ship of a log: whom an order without a ship is for, orders and drags by somebody else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.naming import folded
from referee.core.orders import WAYS, DroneHit, Help, Hit, Order, OrderProblem, Status
from referee.formats.vassal.gathered import ChatOrder, Logged
from referee.formats.vassal.players import Player
from referee.logs.lock_on import LockSaid
from referee.logs.ship_under_audit import ShipUnderAudit
from referee.sources.asked import note

_MANY = 12  # steps named one by one
_SHOWN = 60  # characters of a line that are said again
_ANYBODYS = Hit | DroneHit | Status | Help


@frozen
class Owners:
    """The players with a side and the ships of a log."""

    players: Sequence[Player] = ()
    ships: Mapping[str, ShipUnderAudit] = field(default_factory=dict)
    _known: dict[str, list[str]] = field(default_factory=dict, repr=False, compare=False)

    def ships_of(self, player: str) -> list[str]:
        """The ships of a player's sides; or those called as the player is, by the map."""
        if player not in self._known:
            self._known[player] = self._found_of(player)
        return self._known[player]

    def _found_of(self, player: str) -> list[str]:
        module_map = next(iter(self.ships.values())).module_map if self.ships else None
        if module_map and module_map.speaker == "name":
            return [name for name in self.ships if folded(player) and folded(player) in folded(name)]
        sides = {folded(seat.side) for seat in self.players if seat.name == player and not seat.observes}
        return [name for name, ship in self.ships.items() if sides & _sides(ship)]

    def speaker(self, player: str) -> str:
        """The ship a player's orders are for where they name none: the only one of his."""
        own = self.ships_of(player)
        return own[0] if len(own) == 1 else ""

    def other(self, player: str, ship: str) -> str:
        """The player who has a ship that another, who has ships too, gives orders to; empty where that cannot
        be told, or the ship is his."""
        own = self.ships_of(player)
        if not own or ship in own:
            return ""
        names = dict.fromkeys(seat.name for seat in self.players if not seat.observes)
        return next((name for name in names if ship in self.ships_of(name)), "")

    def stranger(self, player: str) -> bool:
        """Is somebody no player of the game, or one without a side, where others have sides?"""
        module_map = next(iter(self.ships.values())).module_map if self.ships else None
        if module_map and module_map.speaker == "name":
            return False
        names = {seat.name for seat in self.players if not seat.observes}
        return bool(names) and player not in names

    def of_another(self, order: Order | OrderProblem | LockSaid, sentence: ChatOrder) -> str:
        """The player whose ship it is, of an order given by another. What a ship was hit by anyone may say, and
        ask how it stands."""
        ship = "" if isinstance(order, _ANYBODYS) else getattr(order, "ship", "")
        return self.other(sentence.line.player, ship) if ship else ""


def _sides(ship: ShipUnderAudit) -> set[str]:
    if ship.ship.side:
        return {folded(ship.ship.side)}
    return {folded(ship.chosen.race), *(folded(hint) for hint in ship.ship.hints)}


def not_his(sentence: ChatOrder, ship: str, owner: str) -> OrderProblem:
    """What is said of an order for a ship of another player's: it is not taken as one."""
    reason = f"{sentence.line.player} does not play {ship}, {owner} does: not taken as its order"
    return OrderProblem(sentence.line.text, reason, f"{owner} gives the orders of {ship}")


def by_stranger(problem: OrderProblem, sentence: ChatOrder, place: Location) -> Finding:
    """A warning on a line begun as an order is by somebody who plays no ship, which names none."""
    reason = f"'{problem.text[:_SHOWN]}' was typed by {sentence.line.player}, who plays no ship: not taken as an order"
    problem = replace(problem, reason=reason, hint="name the ship it is for")
    return not_understood(problem, sentence, place, "NOTE/order-by-stranger", Severity.WARNING)


def without_counter(problem: OrderProblem) -> OrderProblem:
    """What is said, once something was launched, of a line that moves or hits what no counter is called."""
    name, _, rest = problem.text.partition(":")
    verb = rest.split()[0].casefold() if rest.strip() else ""
    if verb not in (*WAYS, "hit") or not problem.reason.startswith("no ship "):
        return problem
    reason = f"the log has no counter for {name.strip()[:40]}: it is not followed"
    return replace(problem, reason=reason, hint="put a counter of that name on the map as it is launched")


def not_understood(
    problem: OrderProblem,
    sentence: ChatOrder,
    place: Location,
    key: str = "NOTE/order",
    severity: Severity = Severity.UNDECIDED,
) -> Finding:
    """The finding on a line that is not taken as an order."""
    return Finding(
        key,
        severity,
        problem.reason,
        sentence.line.player,
        sentence.clock.turn,
        sentence.clock.impulse,
        place,
        found=problem.text,
        fix=problem.hint,
    )


def drags_by_others(logged: Logged, owners: Owners) -> Iterator[Finding]:
    """Notes on ships that were dragged by another player than their own."""
    names = {ship.ship.counter.id: name for name, ship in owners.ships.items() if ship.ship.counter}
    found: dict[tuple[str, str, str], list[int]] = {}
    for drag in logged.dragged:
        name = names.get(drag.piece, "")
        if name and (owner := owners.other(drag.player, name)):
            found.setdefault((drag.player, name, owner), []).append(drag.step)
    for (player, name, owner), steps in found.items():
        more = f" and {len(steps) - _MANY} more" if len(steps) > _MANY else ""
        which = f"step{'s' if len(steps) > 1 else ''} {', '.join(map(str, steps[:_MANY]))}{more}"
        yield note(
            "dragged-by-other",
            f"{player} moved it in {which}; {owner} plays it",
            name,
            location=Location(logged.file, piece=name, step=steps[0]),
        )


def hands_not_told(logged: Logged, players: Sequence[Player]) -> Iterator[NotChecked]:
    """What a log of several players with sheets cannot tell: VASSAL writes who moved a piece, not who changed
    one."""
    seated = {seat.name for seat in players if not seat.observes}
    if len(seated) > 1 and (logged.edits or logged.marked):
        yield NotChecked("NOTE", "who wrote a form or marked a display is not known by a log")
