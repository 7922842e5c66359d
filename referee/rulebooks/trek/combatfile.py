"""A combat file as values: ships where they start, options, dice, and what is declared, round by round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from referee.core.errors import BadInput
from referee.core.hexgrid import Hex, parse_position
from referee.core.location import Location
from referee.rulebooks.base import Rulebook, nearest
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.facts import Action
from referee.rulebooks.trek.ships import TrekShip, plain_id
from referee.rulebooks.trek.state import CombatState, Crew, Vessel

MAX_WARP = 99
MOST_SKILL = 200
"""A roll is a d100: nobody needs more to succeed always."""


@dataclass(frozen=True, slots=True)
class Orders:
    """What one ship does in a round, and how it answers what is asked of it."""

    ship: str
    actions: tuple[Action, ...]
    replies: tuple[Mapping[str, Any], ...]
    place: Location


@dataclass(frozen=True, slots=True)
class TurnSheet:
    """One turn as it was written down."""

    order: tuple[str, ...]
    crippled: tuple[str, ...]
    give_up: tuple[str, ...]
    rounds: tuple[tuple[Orders, ...], ...]
    place: Location


@dataclass(frozen=True)
class CombatFile:
    """A combat: what it starts from and what is declared."""

    title: str
    start: CombatState
    unrated: tuple[str, ...]
    """Ships whose crew is rolled for."""
    turns: tuple[TurnSheet, ...]
    dice: tuple[int, ...] | None
    seed: str


def options_of(data: Mapping[str, Any]) -> Mapping[str, str]:
    """The options a combat file sets."""
    options: Mapping[str, str] = data.get("options", {})
    return options


def read_combat(
    data: Mapping[str, Any],
    ships: Mapping[str, TrekShip],
    crews: Mapping[str, Crew],
    charts: Charts,
    file: str,
) -> CombatFile:
    """A combat from JSON that fits its schema. Raises BadInput for what the schema cannot say."""
    vessels: dict[str, Vessel] = {}
    unrated = []
    for index, row in enumerate(data["ships"]):
        place = f"/ships/{index}"
        if row["name"] in vessels:
            raise BadInput(f"two ships are called {row['name']}", file=file, place=place)
        vessels[row["name"]] = vessel_from_json(row, ships, crews, charts, file, place)
        if not isinstance(row["crew"], str) and row["crew"].get("roll"):
            unrated.append(row["name"])
    obstacles = frozenset(
        _hex(text, file, f"/obstacles/{n}") for n, text in enumerate(data.get("obstacles", ()))
    )
    turns = tuple(_turn(turn, Location(file, pointer=f"/turns/{n}")) for n, turn in enumerate(data["turns"]))
    for turn in turns:
        _know_names(turn, frozenset(vessels), file)
    dice = data.get("dice")
    return CombatFile(
        title=data.get("title", ""),
        start=CombatState(vessels, obstacles=obstacles),
        unrated=tuple(unrated),
        turns=turns,
        dice=None if dice is None else tuple(dice),
        seed=data.get("seed", ""),
    )


def _know_names(turn: TurnSheet, known: frozenset[str], file: str) -> None:
    """Raises BadInput if a turn's lists name ships there are not, or leave one out of the order."""
    lists = {"order": turn.order, "crippled": turn.crippled, "give_up_locks": turn.give_up}
    for part, names in lists.items():
        if strange := next((name for name in names if name not in known), None):
            place = f"{turn.place.pointer}/{part}"
            raise BadInput(f"no ship {strange}", file=file, place=place, hint=nearest(strange, known))
    acting = {orders.ship for round in turn.rounds for orders in round} & known
    if turn.order and (left_out := sorted(acting - set(turn.order))):
        place = f"{turn.place.pointer}/order"
        raise BadInput(f"{', '.join(left_out)} acts, but is not in the order", file=file, place=place)


def crew_from_json(data: Mapping[str, Any], charts: Charts, file: str = "", place: str = "") -> Crew:
    """A crew. Raises BadInput for a crew of characters without every skill the rules ask for."""
    skills = data.get("skills")
    rated = (
        skills
        if isinstance(skills, Mapping)
        else {name: data.get(name, 0) for name in ("captain", "efficiency")}
    )
    for name, value in rated.items():
        if type(value) is not int or not 0 <= value <= MOST_SKILL:
            raise BadInput(f"{name} of {str(value)[:40]}", file=file, place=place, hint=f"0 to {MOST_SKILL}")
    if not skills:
        return Crew({}, data.get("captain", 0), data.get("efficiency", 0))
    missing = [name for name in charts.skills if name not in skills]
    if missing:
        raise BadInput(f"skills missing: {', '.join(missing)}", file=file, place=place)
    return Crew(dict(skills))


def vessel_from_json(
    row: Mapping[str, Any],
    ships: Mapping[str, TrekShip],
    crews: Mapping[str, Crew],
    charts: Charts,
    file: str,
    place: str,
) -> Vessel:
    """A ship where it starts. Raises BadInput for a class or a crew there is not, or a place without facing."""
    ship = ships.get(plain_id(row["ship"]))
    if ship is None:
        hint = f"one of your own, by its id: --data FOLDER; {nearest(row['ship'], ships)}"
        raise BadInput(f"no ship {row['ship']}", file=file, place=f"{place}/ship", hint=hint)
    crew = row["crew"]
    if isinstance(crew, str):
        if crew not in crews:
            raise BadInput(f"no crew {crew}", file=file, place=f"{place}/crew", hint=nearest(crew, crews))
        made = crews[crew]
    else:
        made = crew_from_json(crew, charts, file, f"{place}/crew")
    hex, facing = parse_position(row["at"])
    warp = row.get("warp", 0)
    if type(warp) is not int or not 0 <= warp <= MAX_WARP:
        raise BadInput(f"warp {str(warp)[:40]}", file=file, place=f"{place}/warp", hint=f"0 to {MAX_WARP}")
    if facing is None:
        raise BadInput(f"{row['at']} has no facing", file=file, place=f"{place}/at", hint="write 0915C")
    return Vessel(
        name=row["name"],
        ship=ship,
        side=row["side"],
        crew=made,
        hex=hex,
        facing=facing,
        warp=warp,
        motion=row.get("motion", "forward"),
        engines=dict(ship.engines),
        superstructure=ship.superstructure,
        raised=row.get("shields") == "raised",
        shield_power=dict.fromkeys(range(1, 7), Fraction(ship.max_shield_power)),
    )


def _hex(text: str, file: str, place: str) -> Hex:
    try:
        return parse_position(text)[0]
    except ValueError as error:
        raise BadInput(str(error), file=file, place=place) from None


def _turn(row: Mapping[str, Any], place: Location) -> TurnSheet:
    rounds = row["rounds"]
    return TurnSheet(
        order=tuple(row.get("order", ())),
        crippled=tuple(row.get("crippled", ())),
        give_up=tuple(row.get("give_up_locks", ())),
        rounds=tuple(
            tuple(
                _orders(orders, place.within(pointer=f"{place.pointer}/rounds/{n}/{m}"))
                for m, orders in enumerate(round)
            )
            for n, round in enumerate(rounds)
        ),
        place=place,
    )


def _orders(row: Mapping[str, Any], place: Location) -> Orders:
    actions = tuple(
        Action(action["do"], action, place.within(pointer=f"{place.pointer}/actions/{n}"))
        for n, action in enumerate(row.get("actions", ()))
    )
    return Orders(row["ship"], actions, tuple(row.get("replies", ())), place)


def in_force(rulebook: Rulebook, data: Mapping[str, Any], more: Mapping[str, str]) -> Rulebook:
    """The rulebook with a combat file's options, and others that win over them."""
    return rulebook.with_options({**options_of(data), **more})
