"""`referee hex` and `referee impulses`: geometry and the impulse chart."""

from __future__ import annotations

from json import dumps
from typing import Annotated, Any

import typer

from referee.cli.options import AsJson
from referee.core.errors import BadInput
from referee.core.hexgrid import parse_map_position, relative_offset, struck_shields, true_range


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="Range and arcs.", no_args_is_help=True)
    group.command("range")(hex_range)
    group.command("arcs")(hex_arcs)
    app.add_typer(group, name="hex")
    app.command("impulses")(impulses)


def _position(text: str) -> Any:
    try:
        return parse_map_position(text)
    except ValueError as error:
        raise BadInput(str(error)) from None


def hex_range(
    start: Annotated[str, typer.Argument(help="A hex, such as 0915.")],
    end: Annotated[str, typer.Argument(help="Another.")],
    json: AsJson = False,
) -> None:
    """Count the hexes between two hexes (D1.4)."""
    distance = true_range(_position(start)[0], _position(end)[0])
    typer.echo(dumps({"schema": "referee/hex-range/1", "range": distance}) if json else f"range {distance}")


def hex_arcs(
    ship: Annotated[str, typer.Argument(help="Where a ship is and faces: 0915C.")],
    target: Annotated[str, typer.Argument(help="The target's hex, with its facing if known: 1114D.")],
    json: AsJson = False,
) -> None:
    """Name the arcs a target lies in, and the shield of it that faces the ship (D2.1, C1.2)."""
    from referee.core.arcs import arcs_toward

    (here, facing), (there, target_facing) = _position(ship), _position(target)
    if facing is None:
        raise BadInput(f"{ship} has no facing", hint=f"write {ship}A, or whichever way it faces")
    found: dict[str, Any] = {
        "range": true_range(here, there),
        "arcs": list(arcs_toward(relative_offset(here, facing, there))),
    }
    if target_facing:
        shields = struck_shields(relative_offset(there, target_facing, here))
        found["shield"] = shields[0] if len(shields) == 1 else list(shields)
    if json:
        typer.echo(dumps({"schema": "referee/hex-arcs/1", **found}))
        return
    shield = found.get("shield")
    struck = (
        "" if shield is None else f", strikes shield {' or '.join(f'#{n}' for n in shields) or 'as it came'}"
    )
    typer.echo(f"range {found['range']}, in {' and '.join(found['arcs'])}{struck}")


def _impulses_of_a_turn(rulebook: str) -> int:
    """The impulses of a turn by settings or rulebook. Raises BadInput where neither says."""
    from referee.sources.settings import read_settings, rulebook_in_force

    settings = read_settings(rulebook)
    option = settings.options.get("impulses", "")
    if settings.rulebook:
        in_force = rulebook_in_force(settings.rulebook, settings, lenient=True)
        option = in_force.option("impulses") if "impulses" in in_force.options else ""
    if not option.isdecimal():
        hint = "--of 16, or --rulebook sfb-cadet"
        raise BadInput("how many impulses a turn has is not given", hint=hint)
    return int(option)


def impulses(
    speed: Annotated[int, typer.Option(help="Hexes a turn.")],
    of: Annotated[int, typer.Option(help="Impulses a turn: 8, 16 or 32; as settings or rulebook say.")] = 0,
    rulebook: Annotated[str, typer.Option(help="Impulses a turn as this rulebook has them.")] = "",
    json: AsJson = False,
) -> None:
    """Say on which impulses a unit moves (C1.4)."""
    from referee.rulebooks.registry import load_rulebook

    charts = load_rulebook("sfb").table("movement")["charts"]
    of = of or _impulses_of_a_turn(rulebook)
    if str(of) not in charts:
        raise BadInput(f"no chart of {of} impulses", hint=f"there are {', '.join(charts)}")
    if not 0 <= speed <= of:
        raise BadInput(f"speed {speed} on {of} impulses", hint=f"0 to {of}")
    calls = charts[str(of)]["speeds_by_impulse"]
    called = [int(impulse) for impulse, speeds in calls.items() if speed in speeds]
    if json:
        typer.echo(dumps({"schema": "referee/impulses/1", "impulses": called}))
    else:
        typer.echo(f"speed {speed} of {of}: " + (", ".join(map(str, called)) or "never moves"))
