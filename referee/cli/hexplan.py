"""`referee hex reach`: where a ship can legally be after some impulses, drawn."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from json import dumps
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import Choices, Colour, House, JsonFormat, Result
from referee.cli.output import chosen_format, write_result
from referee.core.errors import BadInput
from referee.core.hexgrid import parse_map_position, true_range

if TYPE_CHECKING:
    from referee.core.hexgrid import Hex
    from referee.core.play import Leg, Plan, Reached, ShipInPlay
    from referee.sources.settings import Settings

FORMATS = ("full", "json", "svg")
WIDEST = 200


def hex_reach(
    ship: Annotated[
        str, typer.Argument(help="A ship: an id, a name or a ship file; with --orders a ship of that file.")
    ],
    at: Annotated[str, typer.Option(help="Where it is and faces: 2801E.")] = "",
    speed: Annotated[int | None, typer.Option(help="Hexes a turn.")] = None,
    straight: Annotated[
        int | None,
        typer.Option(
            help="Hexes since its last turn, counting the hex of the turn. Without it the ship may turn at once."
        ),
    ] = None,
    orders: Annotated[
        str, typer.Option(help="Play this orders file first, and plan from where it ends.")
    ] = "",
    game: Annotated[str, typer.Option(help="Plan from where a game record stands.")] = "",
    impulse: Annotated[
        str,
        typer.Option(
            help="One impulse, or several as 3-8 (with --then, 8 of the last turn); else to its end."
        ),
    ] = "",
    then: Annotated[
        list[int] | None,
        typer.Option(help="Plan on through the next turn at this speed; again for the one after it."),
    ] = None,
    to: Annotated[str, typer.Option(help="Show the way to this hex and facing: 2204B.")] = "",
    ways: Annotated[bool, typer.Option("--ways", help="With one way to each hex and facing.")] = False,
    within: Annotated[str, typer.Option(help="The corners of the map, as 0101-4230.")] = "",
    rulebook: Annotated[str, typer.Option(help="Plan by this rulebook instead of the ship's.")] = "",
    option: Choices = None,
    house: House = "",
    format: Annotated[str, typer.Option(help="full, json or svg; else by the output's ending.")] = "",
    json: JsonFormat = False,
    output: Result = "",
    color: Colour = "",
) -> None:
    """Say which hexes a ship can legally reach, by its turn mode and the impulse chart, and draw them."""
    from referee.adjudicator.planner import WHOLE_MAP, plan
    from referee.sources.settings import read_settings

    settings = read_settings(rulebook, option, house, color)
    kind = chosen_format("json" if json else format, output, FORMATS)
    if (source := orders or game) and (at or speed is not None or straight is not None or (orders and game)):
        raise BadInput(f"the ship's place is given twice: {source} says it", hint="leave the others out")
    if game:
        standing = _in_game(game, ship, settings, bool(then))
    elif orders:
        standing = _ordered(orders, ship, settings, bool(then))
    else:
        standing = _placed(ship, at, speed, straight, settings)
    in_force, ship_class, unit, turn, first = standing
    start, last = _impulses(impulse) if impulse else (first, None)
    if start < first and not then:
        raise BadInput(f"impulse {start} is over", hint=f"plan from impulse {first}")
    edges = _corners(within or in_force.option("map"))
    found = plan(
        in_force,
        ship_class,
        unit,
        turn=turn,
        first=max(start, first),
        last=last,
        then=then or (),
        within=edges or WHOLE_MAP,
    )
    rendered = partial(_render, found, _wanted(found, to), settings.colour, ways)
    write_result(rendered, kind, "json" if json else format, output, [source] if source else [])


def _placed(name: str, at: str, speed: int | None, straight: int | None, settings: Settings) -> Any:
    """The ship where the options put it, before the first impulse of a turn."""
    from referee.core.play import ShipInPlay
    from referee.sources.settings import rulebook_in_force
    from referee.sources.ship_files import find_ship

    ship = find_ship(name, settings.rulebook)
    rulebook = rulebook_in_force(settings.rulebook or ship.rulebook, settings)
    if not at or speed is None:
        raise BadInput(f"where {ship.name} is, and how fast, is not given", hint="--at 2801E --speed 16")
    hex, facing = _position(at)
    if facing is None:
        raise BadInput(f"{at} has no facing", hint=f"write {at}A, or whichever way it faces")
    if not 0 <= speed <= int(rulebook.option("impulses")):
        raise BadInput(
            f"speed {speed}", hint=f"0 to {rulebook.option('impulses')}, or another --option impulses=N"
        )
    if straight is not None and not 0 <= straight <= 99:
        raise BadInput(f"--straight {straight}", hint="0 to 99")
    unit = ShipInPlay(ship.name, ship.id, hex, facing, speed=speed)
    if straight is not None:
        unit = replace(unit, counting="turn", turn_hex=min(1, straight), straight=max(0, straight - 1))
    return rulebook, ship, unit, 1, 1


def _ordered(file: str, name: str, settings: Settings, on: bool) -> Any:
    """The ship as an orders file leaves it, and the first impulse it may still move in."""
    from referee.formats.orders import read_orders
    from referee.judging.next_moves import named
    from referee.judging.orders import orders_on_table
    from referee.rulebooks.registry import load_ship
    from referee.sources.inputs import read_input
    from referee.sources.settings import rulebook_in_force

    source = read_input(file)
    orders = read_orders(source.data, source.name, load_ship)
    id = settings.rulebook or orders.rulebook
    if not id:
        raise BadInput("names no rulebook", file=file, hint="rulebook sfb-cadet, or --rulebook")
    table = orders_on_table(rulebook_in_force(id, settings), orders, load_ship, goes_on=True)
    track = table.course.track
    known = named(name, track.units, file)
    unit, ship = track.units[known], track.classes[known]
    if ship is None:
        raise BadInput(f"the class of {unit.name} is not known", file=file)
    found = (*table.remarks, *track.findings)
    if any(finding.severity != "note" for finding in found):
        typer.echo(f"referee: {file}: the orders so far are not all in order: referee check {file}", err=True)
    first = _first(unit, track.impulse or 0, track.turn or 1, track.movement.of, file, on=on)
    return track.rulebook, ship, unit, track.turn or 1, first


def _in_game(file: str, name: str, settings: Settings, on: bool) -> Any:
    """The ship as a game record has it now, and the first impulse it may still move in."""
    from referee.judging.next_moves import named
    from referee.play.game_file import open_game

    if settings.rulebook or settings.options or settings.house.file:
        raise BadInput("--game with --rulebook, --option or --house", hint="the record has its own rules")
    record = open_game(file)
    state, rulebook = record.state, record.rulebook
    ship = state.ships[named(name, state.ships, file)]
    steps = rulebook.descriptor["sequence_of_play"]["impulse"]
    moving = rulebook.offers.step_of("Advance")
    passed = state.step in steps and steps.index(state.step) > steps.index(moving)
    of = int(rulebook.option("impulses"))
    first = _first(ship.unit, state.impulse or 0, state.turn, of, file, passed=passed, on=on)
    return rulebook, record.ship_class(ship), ship.unit, state.turn, first


def _first(
    unit: ShipInPlay, impulse: int, turn: int, of: int, file: str, *, passed: bool = False, on: bool = False
) -> int:
    """The first impulse a ship may still move in. Raises BadInput where its turn is over, unless the plan goes
    on into the next."""
    from referee.judging.next_moves import first_impulse

    first = first_impulse(unit, impulse, passed=passed)
    if first > of and not on:
        hint = "go on to the next turn, or say its speed: --then 8"
        raise BadInput(f"turn {turn} is over for {unit.name}", file=file, hint=hint)
    return first


def _position(text: str) -> tuple[Hex, str | None]:
    try:
        return parse_map_position(text)
    except ValueError as error:
        raise BadInput(str(error)) from None


def _corners(text: str) -> tuple[Hex, Hex] | None:
    """Two corners of a map, `0101-4230`."""
    if not text:
        return None

    low, _, high = text.partition("-")
    first, last = _position(low)[0], _position(high)[0]
    if first.column > last.column or first.row > last.row:
        raise BadInput(f"--within {text}", hint="the upper left corner, then the lower right: 0101-4230")
    return first, last


def _impulses(text: str) -> tuple[int, int]:
    """One impulse, or several as `3-8`."""
    low, dash, high = text.partition("-")
    if not all(part.isascii() and part.isdigit() and len(part) < 3 for part in (low, high if dash else low)):
        raise BadInput(f"--impulse {text}", hint="an impulse, or several as 3-8")
    return int(low), int(high if dash else low)


def _wanted(found: Plan, to: str) -> Reached | None:
    """The place whose way is asked for. Raises BadInput where the ship cannot be there."""
    if not to:
        return None
    if found.must_leave:
        raise BadInput(f"{found.ship} cannot be at {to} then", hint="every way it may move leads off the map")
    hex, facing = _position(to)
    for reached in found.reached:
        if reached.hex == hex and facing in (None, reached.facing):
            return reached
    nearby = sorted(found.reached, key=lambda place: (true_range(place.hex, hex), place.facing != facing))
    near = ", ".join(f"{place.hex}{place.facing}" for place in nearby[:3])
    raise BadInput(f"{found.ship} cannot be at {to} then", hint=f"it can be at {near}" if near else "")


def _render(found: Plan, to: Reached | None, colour: str, ways: bool, kind: str, to_file: bool) -> str:
    if kind == "json":
        return dumps(_plan_json(found, to, ways), indent=2) + "\n"
    if kind == "svg":
        from referee.report.plansvg import plan_svg

        return plan_svg(found, to)

    from referee.report.paint import Paint, paint_for
    from referee.report.planmap import plan_map

    paint = Paint(False) if to_file else paint_for(sys.stdout, colour)
    width = min(WIDEST, get_terminal_size((110, 40)).columns)
    return plan_map(found, to, paint=paint, width=width, ways=ways)


def _plan_json(found: Plan, to: Reached | None, ways: bool) -> dict[str, Any]:
    """A plan by `schemas/hex-reach.schema.json`; the moves to each place only where they are asked for."""
    status = {"data_status": found.data_status} if found.data_status not in ("", "verified") else {}
    return {
        "schema": "referee/hex-reach/1",
        "ship": found.ship,
        "hex": str(found.hex),
        "facing": found.facing,
        "speed": found.speed,
        "turn": found.turn,
        "impulses": {"first": found.first, "last": found.last, "of": found.of},
        "turn_mode": found.turn_mode,
        "straight": found.count,
        **({"then": [_leg(leg) for leg in found.then]} if found.then else {}),
        **status,
        **({"must_leave": True} if found.must_leave else {}),
        "reached": [
            {"hex": str(place.hex), "facing": place.facing}
            | ({"moves": _moves(found, place)} if ways or place is to else {})
            for place in found.reached
        ],
    }


def _leg(leg: Leg) -> dict[str, int]:
    return {"turn": leg.turn, "speed": leg.speed, "turn_mode": leg.turn_mode}


def _moves(found: Plan, place: Reached) -> list[dict[str, Any]]:
    return [
        ({"turn": step.turn} if found.then else {}) | {"impulse": step.impulse, "way": step.way}
        for step in place.track
    ]
