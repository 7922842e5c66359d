"""`referee trek odds`: what damage through a shield is likely to strike."""

from __future__ import annotations

from typing import Annotated

import typer

KINDS = ("beam", "missile", "plasma")
MOST_POINTS = 1000


def trek_odds(
    damage: Annotated[int, typer.Option(help="Points that come through the shield.")],
    shield: Annotated[int, typer.Option(help="The shield they come through, 1 to 6.")] = 1,
    kind: Annotated[str, typer.Option(help="What struck: beam, missile or plasma.")] = "beam",
    chart: Annotated[str, typer.Option(help="The ship's damage chart, or outpost.")] = "HB",
    data: Annotated[str, typer.Option(help="A folder with your own ships, crews and charts (JSON).")] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", help="A choice about the rules, as key=value.")
    ] = None,
    house: Annotated[str, typer.Option(help="A house-rules file (TOML).")] = "",
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    output: Annotated[str, typer.Option("-o", "--output", help="Write the result here.")] = "",
) -> None:
    """Chance and mean points of every part that damage through a shield may strike, exactly."""
    from json import dumps

    from referee.cli.output import chosen_format, write_output
    from referee.cli.settings import read_settings, rulebook_in_force
    from referee.cli.trek import library_at
    from referee.core.errors import BadInput
    from referee.rulebooks.trek.charts import OUTPOST_CHART
    from referee.rulebooks.trek.located import location_odds

    if not 0 < damage <= MOST_POINTS:
        raise BadInput(f"--damage {damage}", hint=f"1 to {MOST_POINTS}")
    if not 1 <= shield <= 6 or kind not in KINDS:
        raise BadInput(f"--shield {shield} --kind {kind}", hint=f"a shield of 1 to 6; {', '.join(KINDS)}")
    book = rulebook_in_force("trek", read_settings("trek", option, house))
    charts = library_at(book, data).charts
    # For those of the books whose tables are not in force, the homebrew one stands in (trek-55).
    known = dict.fromkeys((*book.table("damage_location_printed")["charts"], OUTPOST_CHART, *charts.location))
    if chart not in known:
        raise BadInput(f"no damage chart {chart[:20]!a}", hint=", ".join(known))
    name = chart if chart == OUTPOST_CHART else charts.chart_for(chart)
    halve = book.option("half_location") == "damage"
    found = location_odds(
        charts, name, shield, kind, damage, halve=halve, halving=str(book.option("halving"))
    )
    parts = [
        {"part": row.part, "chance": str(row.chance), "mean": str(row.mean)} for row in found if row.chance
    ]
    head = {"schema": "referee/trek-odds/1", "chart": name, "shield": shield, "kind": kind, "points": damage}
    form = chosen_format("json" if json else "", output, ("full", "json"))
    if form == "json":
        write_output(dumps({**head, "parts": parts}, indent=2) + "\n", output)
        return
    own = name == OUTPOST_CHART or not charts.is_homebrew(f"location {name}")
    homebrew = "" if own else " (homebrew, not the lost printed one)"
    lines = [f"{damage} points of {kind} through shield {shield}, chart {name}{homebrew}: trek-55, exact", ""]
    lines += [f"{'':24}{'struck':>8}{'mean points':>13}"]
    lines += [
        f"  {row.part.replace('_', ' '):<22}{float(row.chance):>8.1%}{float(row.mean):>13.2f}"
        for row in found
    ]
    lines += ["", "Not counted: damage control, which weapon is picked, what a ship does not have."]
    write_output("\n".join(lines) + "\n", output)
