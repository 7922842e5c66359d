"""`referee odds`: what a volley is likely to do, exact or sampled."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from json import dumps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import (
    Choices,
    Colour,
    Damage,
    DataFolder,
    Direction,
    House,
    Internals,
    JsonFormat,
    Result,
    Shield,
    StateBefore,
    options_given,
    picked,
)
from referee.cli.output import chosen_format, one_format, write_result
from referee.cli.rulebook_verbs import AnswerForm, own_way, refuse_unless_own
from referee.core.errors import BadInput
from referee.core.ship import plain_id
from referee.core.state import new_state
from referee.sources.inputs import read_input
from referee.sources.settings import read_settings, rulebook_in_force
from referee.sources.ship_files import find_ship

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from referee.chances.forecast import Forecast, Inquiry, Sampling
    from referee.cli.progress import ProgressBar
    from referee.core.ship import ShipClass
    from referee.core.state import ShipState

FORMATS = ("full", "json", "svg")
MOST_WORKERS = 512
POLICY = "protect-weapons"
WEAPONS = 'say which weapons: --fire "PH-1 x3, PHOT x2"'

APART: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    (("exact",), ("volleys", "precision"), "leave one of them out: the others sample"),
    (("volleys",), ("precision",), "one of them says when to stop"),
    (("compare",), ("curve",), "ask for one after the other"),
    (("cluster",), ("workers",), "a cluster has its own workers"),
)
"""Options that cannot be answered together, and what to do instead."""

_QUESTION = (
    "more damage internals fire range mode shield reinforcement direction state policy volleys precision seed curve"
    " compare workers cluster kind"
)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("odds")(odds)


def odds(
    context: typer.Context,
    ship: Annotated[str, typer.Argument(help="The ship that is struck.")] = "",
    more: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    damage: Damage = None,
    internals: Internals = None,
    fire: Annotated[str | None, typer.Option(help='Weapons that fire: "PH-1 x3, PHOT x2".')] = None,
    range: Annotated[int | None, typer.Option(help="Range in hexes, for --fire.")] = None,
    mode: Annotated[str, typer.Option(help="Way of firing, for --fire: standard, overload ...")] = "standard",
    shield: Shield = None,
    reinforcement: Annotated[str, typer.Option(help="General and specific reinforcement, as G,S.")] = "0,0",
    direction: Direction = None,
    state: StateBefore = "",
    policy: Annotated[str, typer.Option(help="How the owner chooses.")] = POLICY,
    exact: Annotated[bool, typer.Option("--exact", help="Exact or not at all.")] = False,
    volleys: Annotated[str, typer.Option(help="Sample so many volleys (1e6).")] = "",
    precision: Annotated[str, typer.Option(help="Sample until means are known to this: 0.1%.")] = "",
    seed: Annotated[str, typer.Option(help="Sample from this text.")] = "",
    curve: Annotated[bool, typer.Option("--curve", help="Every number of points up to these.")] = False,
    compare: Annotated[str, typer.Option(help="Another ship, struck alike with the same dice.")] = "",
    workers: Annotated[int, typer.Option(help="Processes that share the work.")] = 1,
    cluster: Annotated[str, typer.Option(help="Address of a Dask scheduler that shares the work.")] = "",
    kind: Annotated[
        str, typer.Option(help="What strikes, where a rulebook asks: beam, missile, plasma.")
    ] = "",
    data: DataFolder = "",
    rulebook: Annotated[str, typer.Option(help="Use this rulebook instead of the ship's.")] = "",
    option: Choices = None,
    house: House = "",
    format: Annotated[str, typer.Option(help="full, json or svg.")] = "",
    json: JsonFormat = False,
    svg: Annotated[bool, typer.Option("--svg", help="The same as --format svg.")] = False,
    output: Result = "",
    color: Colour = "",
) -> None:
    """Work out what a volley is likely to cost a ship."""
    asked = one_format(format, json=json, svg=svg)
    if fire is not None and not fire.strip():
        raise BadInput("--fire names no weapon", hint=WEAPONS)
    given = options_given(context)
    _hold_apart({*given})
    settings = read_settings(rulebook, option, house, color)
    if way := own_way("odds", settings, ship):
        way.tell(picked(given, _QUESTION), {"ship": ship}, None, AnswerForm(asked, False, output, data))
        return
    refuse_unless_own("odds", kind=kind, data=data)
    form = chosen_format(asked, output, FORMATS)
    if more or not ship:
        raise BadInput(f"{more[0]} is one ship too many" if more else "which ship is struck", hint="name one")
    struck = (damage, internals, fire or "", range, mode, shield, reinforcement, direction or [])
    how = _sampling(volleys, precision, seed, workers)
    method = "exact" if exact else "sampled" if volleys or precision else ""
    forecasts = _forecasts([name for name in (ship, compare) if name], settings, struck, state, policy, curve)
    from referee.cli.progress import ProgressBar

    with _workers(workers, cluster) as executor, ProgressBar("sampling") as bar:
        how = _with(how, executor, workers if not cluster else 64, bar)
        document = _answer(forecasts, how, method, precision)
    _say_what_decides_nothing(document, seed=seed, workers=workers > 1, cluster=cluster)
    rendered = partial(_shown, document, settings.colour)
    write_result(rendered, form, asked, output, [state] if state else [])


def _shown(document: dict[str, Any], colour: str, form: str, to_file: bool) -> str:
    """Odds in the form asked for."""
    if form == "json":
        return dumps(document, indent=2) + "\n"
    if form == "svg":
        from referee.report.oddssvg import odds_svg

        return odds_svg(document)
    from referee.report.oddstext import odds_table
    from referee.report.paint import Paint, paint_for

    return odds_table(document, paint=Paint(False) if to_file else paint_for(sys.stdout, colour))


def _hold_apart(given: set[str]) -> None:
    """Raises BadInput for options of which one would be dropped."""
    for names, others, hint in APART:
        met = next(
            ((name, other) for name in names for other in others if name in given and other in given),
            None,
        )
        if met:
            raise BadInput(f"--{met[0]} with --{met[1]}", hint=hint)
    for needs in ("range", "mode"):
        if needs in given and "fire" not in given:
            raise BadInput(f"--{needs} without --fire", hint=WEAPONS)


def _say_what_decides_nothing(document: dict[str, Any], **given: object) -> None:
    """Of an answer that is exact, the options that only a sample heeds: said on stderr."""
    ships = (document, document.get("comparison", {}).get("other", document))
    idle = [f"--{name}" for name, value in given.items() if value]
    if idle and all(ship["method"] == "exact" for ship in ships):
        sys.stderr.write(f"referee: the answer is exact, so {' and '.join(idle)} decided nothing\n")


def _sampling(volleys: str, precision: str, seed: str, workers: int) -> Sampling:
    from referee.chances.forecast import DEFAULT_VOLLEYS, Sampling, volleys_of

    if not 1 <= workers <= MOST_WORKERS:
        raise BadInput(f"{workers} workers", hint=f"1 to {MOST_WORKERS}")
    if len(seed) > 200:
        raise BadInput("a seed of more than 200 characters", hint="a shorter one does as well")
    if not seed:
        from referee.record.machine import random_bytes

        seed = random_bytes(8).hex()
    return Sampling(seed, volleys_of(volleys) if volleys else DEFAULT_VOLLEYS, _fraction(precision))


def _fraction(precision: str) -> float:
    """A precision as `0.1%` or `0.001`."""
    if not precision:
        return 0.0
    try:
        part = float(precision.removesuffix("%")) / (100 if precision.endswith("%") else 1)
    except ValueError:
        part = 0.0
    if not 1e-5 <= part <= 0.5:
        raise BadInput(f"--precision {precision}", hint="0.001% to 50%, such as 0.1%")
    return part


def _with(how: Sampling, executor: Executor | None, workers: int, progress: ProgressBar) -> Sampling:
    return replace(how, executor=executor, workers=workers, progress=progress)


def _forecasts(
    names: list[str], settings: Any, struck: tuple[Any, ...], state: str, policy: str, curve: bool
) -> list[Forecast]:
    """What is asked about each ship. A state is that of the ship it names; another ship is whole."""
    from referee.sources.states import read_state

    ships = [find_ship(name, settings.rulebook) for name in names]
    states = [new_state(ship) for ship in ships]
    if state:
        place = 1 if len(ships) == 2 and _is_of(state, ships[1]) and not _is_of(state, ships[0]) else 0
        states[place] = read_state(state, ships[place])
    return [
        _forecast(ship, before, settings, struck, policy, curve)
        for ship, before in zip(ships, states, strict=True)
    ]


def _forecast(
    ship: ShipClass, before: ShipState, settings: Any, struck: tuple[Any, ...], policy: str, curve: bool
) -> Forecast:
    from referee.chances.forecast import Forecast, Inquiry
    from referee.judging.volley_order import order_from_options

    damage, internals, fire, distance, mode, *where = struck
    rulebook = rulebook_in_force(settings.rulebook or ship.rulebook, settings)
    hits: tuple[tuple[int, int], ...] = ()
    if fire:
        _require_one_direction(where[-1])
        hits = _hits(rulebook, fire, distance, mode, damage, internals)
        damage = max(points for points, _ in hits)
        fire = f"{' '.join(fire.split())} at range {distance}" + (f" ({mode})" if mode != "standard" else "")
    order = order_from_options(damage, internals, *where)
    inquiry: Inquiry = Inquiry(rulebook, ship, before, order, policy, curve, fire, hits)
    return Forecast(inquiry)


def _require_one_direction(directions: list[str]) -> None:
    """Raises BadInput where weapons whose damage is rolled are to come from several sides."""
    if len(directions) > 1:
        raise BadInput("--fire from several directions", hint="say one --direction, without points")


def _is_of(state: str, ship: ShipClass) -> bool:
    """Is a state file of this ship?"""
    data = read_input(state).as_json("no ship's state", "referee volley --state-out writes one")
    return isinstance(data, dict) and plain_id(str(data.get("ship"))) == ship.id


def _hits(
    rulebook: Any, fire: str, distance: int | None, mode: str, damage: int | None, internals: int | None
) -> tuple[tuple[int, int], ...]:
    from referee.chances.fire import beyond_its_table, damage_of, parse_fire

    if internals is not None:
        raise BadInput("--fire with --internals", hint="say which shield is struck with --shield")
    if distance is None:
        raise BadInput("at which range is fired", hint="--range N")
    weapons = parse_fire(rulebook, fire)
    found = damage_of(rulebook, weapons, distance, mode)
    for type in beyond_its_table(rulebook, weapons, distance, mode):
        sys.stderr.write(f"referee: range {distance} is beyond the table of {type}: it does 0 there\n")
    # Points given beside are added: a seeking weapon's warhead, another ship's fire.
    return tuple((points + (damage or 0), weight) for points, weight in found)


def _workers(workers: int, cluster: str) -> Any:
    """The executor asked for as a context: none, processes here, or a cluster."""
    if cluster:
        from referee.chances.workers import cluster_executor

        return cluster_executor(cluster)
    if workers > 1:
        from referee.chances.workers import local_executor

        return local_executor(workers)
    return nullcontext()


def _answer(forecasts: list[Forecast], how: Sampling, method: str, precision: str) -> dict[str, Any]:
    """The document that answers: of one ship, or of two compared."""
    from referee.chances.comparison import compare
    from referee.chances.document import comparison_document, odds_document

    if len(forecasts) == 2:
        found = compare(forecasts[0], forecasts[1], how, method)
        own, other = (replace(r, precision=precision if r.seed else "") for r in (found.first, found.second))
        return comparison_document(replace(found, first=own, second=other))
    forecast = forecasts[0]
    if method == "exact":
        result = forecast.exact()
    else:
        result = forecast.sampled(how) if method else forecast.by_itself(how)
    return odds_document(replace(result, precision=precision if result.seed else ""))
