"""Energy in a game record: a ship's forms, with what the record itself knows of their turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from referee.adjudicator.capacitor import EnergyFacts, lost_points, phaser_energy
from referee.adjudicator.check import EnergyTurns
from referee.adjudicator.played_energy import PlayedTurn, energy_by_turn
from referee.core.bought_energy import Reinforcement
from referee.core.combat import Moment
from referee.core.energy import parse_energy
from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.core.forms import EnergyAllocation, Figure, FormLines, field_of
from referee.core.frozen import replace
from referee.core.game import DueVolley, GameState, ShipInGame
from referee.core.location import Location
from referee.core.once import Same
from referee.core.ship import Mount, ShipClass
from referee.core.state import ShipState
from referee.core.volley import VolleyOrder
from referee.rulebooks.base import Rulebook

PLAYED = "fired:"
"""What begins the entry of a heavy weapon that fired in a turn: no line of a form."""
_KEPT = 1024  # forms and damage of a record that are not read again
_SHIPS = 64  # ships as they stood lately, whose energy is not worked out again


def allocation_from(data: Mapping[str, Any], turn: int, place: Location) -> EnergyAllocation:
    """An allocation from what a record holds. Raises BadInput for anything else."""
    return _allocation(Same(data), turn, place)


@lru_cache(maxsize=_KEPT)
def _allocation(held: Same[Mapping[str, Any]], turn: int, place: Location) -> EnergyAllocation:
    data, entries = held.held, {}
    for key, row in data.items():
        try:
            amount: Fraction = parse_energy(row["amount"])
            line = str(row["line"])
        except (KeyError, TypeError, AttributeError, ValueError):
            raise BadInput("is not a line of an energy form", file=place.file, place=f"/{key}") from None
        entries[line] = Figure(amount, place.within(pointer=f"/data/form/{key}"))
    return EnergyAllocation(turn, dict(sorted(entries.items(), key=lambda item: _in_book(item[0]))), place)


def _in_book(line: str) -> tuple[int, str]:
    """Where a line stands in the order of the book; what has no number comes last."""
    number = line.partition(":")[0]
    return int(number) if number.isdecimal() else 99, line


def not_to_be_filed(lines: FormLines, ship: ShipClass, allocation: EnergyAllocation) -> str:
    """Why a record cannot hold an allocation: what of it is not known would count as nought; nothing where it can."""
    for line in allocation.unread:
        return f"turn {allocation.turn}: {allocation.why_unknown(line)}"
    for row in allocation.strange:
        return f"turn {allocation.turn}: which line the row {row.label} is, at {row.location.cell or row.location}, is not known"
    paid = allocation.entries.get(lines.movement)
    if paid is not None and paid.unit.startswith("hex") and not ship.hex_costs_a_point:
        return f"turn {allocation.turn}: {lines.named(lines.movement)} is in hexes, and a hex does not cost {ship.name} a point: write the points"
    return ""


def as_played(
    rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, allocation: EnergyAllocation
) -> EnergyAllocation:
    """An earlier turn's allocation with what fired in it: the record knows, whatever the form says."""
    turn, lines = allocation.turn, rulebook.lines
    overfired = any((rule, turn) in ship.broken for rule in rulebook.named.overfired)
    if not (overfired or turn in ship.filed_elsewhere or any(then.turn == turn for then, _ in ship.fired)):
        return _fed(lines, allocation, ship)
    weapons, entries = rulebook.table("weapons")["weapons"], dict(allocation.entries)
    for mount in _fired_in(allocation.turn, ship_class, ship.fired):
        if weapons[mount.type].get("arming"):
            entries[f"{PLAYED}{mount.id}"] = Figure(Fraction(1), allocation.place)
    if spent := phasers_fired(rulebook, ship_class, ship, allocation.turn):
        entries[lines.phasers_fired] = Figure(spent, allocation.place)
    # Phasers fired more than they had: batteries nobody ordered gave nothing to that.
    if overfired:
        entries.setdefault(lines.used_in_turn, Figure(Fraction(0), allocation.place))
    return _fed(lines, replace(allocation, entries=entries), ship)


def _fed(lines: FormLines, allocation: EnergyAllocation, ship: ShipInGame) -> EnergyAllocation:
    """A turn's allocation with what orders of the turn took from batteries, where it says less itself."""
    ordered, line = ship.fed_in(allocation.turn), lines.used_in_turn
    if ordered <= allocation.amount(line):
        return allocation
    used = Figure(ordered, allocation.place_of(line))
    return replace(allocation, entries={**allocation.entries, line: used})


def phasers_fired(rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, turn: int) -> Fraction:
    """The points a ship's phasers took out of their capacitor in a turn. Where a file tells of the turn that
    the game was taken from, as much was fired there as it tells or as the form in it says, whichever is more."""
    elsewhere = phaser_energy(rulebook, _fired_in(turn, ship_class, ship.fired[: ship.elsewhere]))
    if turn in ship.filed_elsewhere:
        elsewhere = max(elsewhere, _amounts(ship.forms[turn]).get(rulebook.lines.phasers_fired, Fraction(0)))
    return elsewhere + phaser_energy(rulebook, _fired_in(turn, ship_class, ship.fired[ship.elsewhere :]))


def _fired_in(turn: int, ship_class: ShipClass, fired: Iterable[tuple[Moment, str]]) -> Iterator[Mount]:
    for moment, mark in fired:
        if moment.turn == turn and (mount := ship_class.mount(mark)) is not None:
            yield mount


def turns_before(
    rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, turn: int, place: Location
) -> list[EnergyAllocation]:
    """The allocations of the turns before one, as they were played. In a turn that was passed over, or that went
    by without its form while others had theirs in, a ship paid for nothing but its speed, which is taken to be
    that before."""
    filed = sorted(number for number in ship.forms if number < turn)
    found: list[EnergyAllocation] = []
    moves_by = rulebook.lines.movement, rulebook.lines.speed
    for number in range(filed[0], turn) if filed else ():
        if number in ship.forms:
            form = allocation_from(ship.forms[number], number, place)
            found.append(as_played(rulebook, ship_class, ship, form))
        elif number not in ship.begun or number in ship.unfiled:
            speed = {line: figure for line, figure in found[-1].entries.items() if line in moves_by}
            found.append(EnergyAllocation(number, speed, place))
    return found


def known_damage(rulebook: Rulebook, ship: ShipInGame, turn: int) -> Any:
    """What the record knows of a ship's damage when a turn began: everything."""
    return _known(Same(rulebook), Same(ship.when_begun(turn)))


@lru_cache(maxsize=_KEPT)
def _known(rulebook: Same[Rulebook], begun: Same[ShipState]) -> Any:
    then = replace(begun.held, dead=False)
    return rulebook.held.offers.known_damage(then, then, settled=True)


def energy_of_turns(
    rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, turns: Iterable[EnergyAllocation]
) -> tuple[EnergyFacts, ...]:
    """The facts of each turn's energy, each by what was left of the ship as that turn began."""
    played = [PlayedTurn(allocation, known_damage(rulebook, ship, allocation.turn)) for allocation in turns]
    return energy_by_turn(rulebook, ship_class, ship.name, played)


def as_struck(rulebook: Rulebook, state: GameState, ship: ShipInGame) -> ShipState:
    """A ship as a volley of this turn finds it: without shields where what is shown of its form of the turn
    does not pay for them."""
    line, cost = rulebook.lines.shields, _cost_of_shields(rulebook)
    if cost is None or not _is_shown(state, ship.name, line):
        return ship.state
    paid = _amounts(_lines_shown(state, ship.name)).get(line, Fraction(0))
    return replace(ship.state, shields_down=paid < cost)


def _cost_of_shields(rulebook: Rulebook) -> Fraction | None:
    """What shields cost a turn; None in a game in which they cost nothing."""
    cost = rulebook.descriptor["form"]["lines"][rulebook.lines.shields].get("cost")
    return None if cost is None else Fraction(cost)


def _lines_shown(state: GameState, ship: str) -> Mapping[str, Any]:
    """What is shown of a ship's form of this turn: all of it, some of its lines, or none."""
    form = state.ships[ship].forms.get(state.turn)
    if form is not None:
        return form
    seal = state.sealed(ship, state.turn, "eaf")
    return {} if seal is None else seal.shown


def _is_shown(state: GameState, ship: str, line: str) -> bool:
    """Is it known what a ship's form of this turn says on a line? The names of all lines of a sealed form are
    known once any of them is shown, and so is that it has none of this name."""
    if state.turn in state.ships[ship].forms:
        return True
    seal = state.sealed(ship, state.turn, "eaf")
    name = field_of(line)
    return seal is not None and bool(seal.fields) and (name not in seal.fields or name in seal.shown)


def _amounts(lines: Mapping[str, Any]) -> dict[str, Fraction]:
    return {str(figure["line"]): parse_energy(str(figure["amount"])) for figure in lines.values()}


def lines_awaited(rulebook: Rulebook, state: GameState, ship: str, shield: int) -> tuple[str, ...]:
    """The lines of a ship's sealed form that must be shown before a volley on a shield is rolled: what it paid
    for shields, where they cost something, and for reinforcement, where the game has it."""
    if state.sealed(ship, state.turn, "eaf") is None:
        return ()
    lines = rulebook.lines
    costs = _cost_of_shields(rulebook) is not None and not _is_shown(state, ship, lines.shields)
    secret = reinforcement(rulebook, state, ship, shield) is None
    return ((lines.shields,) if costs else ()) + (lines.reinforcement if secret else ())


def beyond(found: Iterable[Finding], known: Iterable[Finding]) -> list[Finding]:
    """The findings that were not known yet, wherever they stand."""
    seen = {
        (finding.key, finding.severity, finding.subject, finding.turn, finding.message) for finding in known
    }
    return [
        finding
        for finding in found
        if (finding.key, finding.severity, finding.subject, finding.turn, finding.message) not in seen
    ]


def without_form(state: GameState, ship: str, turn: int) -> GameState:
    """The game as it was known while a ship's form of a turn was a secret."""
    found = state.ships[ship]
    forms = {number: form for number, form in found.forms.items() if number != turn}
    return replace(state, ships={**state.ships, ship: replace(found, forms=forms)})


def energy_of(
    rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, turn: int
) -> Mapping[int, EnergyFacts]:
    """The facts of each turn's energy up to one; without it where that turn's form is not in the record."""
    return _energy_to(Same(rulebook), Same(ship_class), Same(ship), turn) if turn in ship.forms else {}


@lru_cache(maxsize=_SHIPS)
def _energy_to(
    of: Same[Rulebook], of_class: Same[ShipClass], asked: Same[ShipInGame], turn: int
) -> Mapping[int, EnergyFacts]:
    rulebook, ship_class, ship, place = of.held, of_class.held, asked.held, Location()
    turns = turns_before(rulebook, ship_class, ship, turn, place)
    turns.append(_fed(rulebook.lines, allocation_from(ship.forms[turn], turn, place), ship))
    worked_out = energy_of_turns(rulebook, ship_class, ship, turns)
    return {facts.turn: _by_order(rulebook, ship_class, ship, facts) for facts in worked_out}


def _by_order(rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, facts: EnergyFacts) -> EnergyFacts:
    """A turn's energy with what its orders took from batteries."""
    fed = [(points, weapons) for moment, points, weapons in ship.fed if moment.turn == facts.turn]
    return replace(facts, ordered=ship.fed_in(facts.turn), lost=lost_points(rulebook, ship_class, fed))


def turn_filed_next(state: GameState, ship: ShipInGame) -> int:
    """The turn whose form a ship files next: the one now played, or that after it where it is filed already."""
    return max(state.turn, 1) + (state.turn in ship.forms)


def turn_to_come(
    rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, turn: int
) -> dict[str, Fraction]:
    """The lines of a turn's form that the record fills in: power, batteries and the phaser capacitor, by
    what is left of the ship and what the turns before left over. Raises BadInput where a turn before it is
    not shown."""
    lacking = [number for number in range(1, turn) if number not in ship.forms]
    if lacking:
        hint = "reveal it, or file it: referee reveal, referee game apply"
        raise BadInput(f"the form of {ship.name} for turn {lacking[0]} is not in the record", hint=hint)
    place = Location()
    known = known_damage(rulebook, ship, turn)
    energy = EnergyTurns(rulebook, ship_class, 1, known, ship.name)
    if played := energy_of_turns(
        rulebook, ship_class, ship, turns_before(rulebook, ship_class, ship, turn, place)
    ):
        energy.before = played[-1].after
    now = energy.open(EnergyAllocation(turn, {}, place), last=True)
    lines = rulebook.lines
    named = ((lines.warp, "warp"), (lines.impulse, "impulse"), (lines.reactors, "apr"))
    power = {line: now.power(source) for line, source in named}
    # Of batteries that may be two counts, by what they gave in the turn before, none is known.
    charged = {lines.batteries: now.batteries} if len(energy.before.batteries) == 1 else {}
    return {**power, **charged, lines.capacitor_held: now.charge_before}


def speed_paid(rulebook: Rulebook, ship_class: ShipClass, ship: ShipInGame, turn: int) -> int | None:
    """The speed a turn's form pays for, hexes a turn; None where there is no form of it."""
    facts = energy_of(rulebook, ship_class, ship, turn).get(turn)
    return None if facts is None else facts.speed


def reinforcement(rulebook: Rulebook, state: GameState, ship: str, shield: int) -> tuple[int, int] | None:
    """General and specific points left for a shield this turn; None while its form is sealed and not all
    that it says of them was shown, nor that it says nothing."""
    sealed = state.sealed(ship, state.turn, "eaf") is not None
    lines = (*rulebook.lines.reinforcement, rulebook.lines.reinforced(shield))
    if (
        sealed
        and rulebook.allows("reinforcement")
        and not all(_is_shown(state, ship, line) for line in lines)
    ):
        return None
    bought: Reinforcement = rulebook.offers.reinforcement(rulebook, _amounts(_lines_shown(state, ship)))
    absorbed = {
        n: points for (name, turn, n), points in state.absorbed.items() if (name, turn) == (ship, state.turn)
    }
    return bought.left(absorbed, shield)


def reinforcement_known(rulebook: Rulebook, state: GameState, ship: str) -> Mapping[int, int] | None:
    """The most points of reinforcement a ship has for each shield this turn, under 0 for any; None where it is in the
    game and no form of the turn is shown."""
    if not rulebook.allows("reinforcement"):
        return {}
    if state.turn not in state.ships[ship].forms:
        return None
    bought: Reinforcement = rulebook.offers.reinforcement(rulebook, _amounts(_lines_shown(state, ship)))
    return bought.most


def volley_due(rulebook: Rulebook, state: GameState, due: DueVolley) -> VolleyOrder | None:
    """A volley that is due, met by what its ship's form pays for; None while that is a secret of its owner."""
    points = reinforcement(rulebook, state, due.ship, due.shield)
    if points is None or lines_awaited(rulebook, state, due.ship, due.shield):
        return None
    return VolleyOrder(
        points=due.points,
        shield=due.shield,
        internal=False,
        general_reinforcement=points[0],
        specific_reinforcement=points[1],
        origins=due.origins,
    )


def reinforced(rulebook: Rulebook, state: GameState, ship: str, order: VolleyOrder) -> VolleyOrder:
    """A volley that players say, met by the reinforcement that what is shown of the ship's form pays for. Where
    nothing of the form is shown it is met by what they say. Raises BadInput where they say another than the form."""
    if order.shield is None or order.internal or not _lines_shown(state, ship):
        return order
    points = reinforcement(rulebook, state, ship, order.shield)
    stated = order.general_reinforcement, order.specific_reinforcement
    if points is None:
        return order
    if stated not in ((0, 0), points):
        reason = f"the form of {ship} leaves {points[0]} general and {points[1]} for shield {order.shield}"
        raise BadInput(
            f"reinforcement {stated[0]},{stated[1]}: {reason}", hint="leave it out: the form is in the record"
        )
    return replace(order, general_reinforcement=points[0], specific_reinforcement=points[1])
