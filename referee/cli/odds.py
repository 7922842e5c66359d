"""`referee odds`: what a volley is likely to do, exact or sampled."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from referee.core.volley import VolleyOrder
    from referee.odds.forecast import Forecast, Inquiry, Sampling

FORMATS = ("full", "json", "svg")
MOST_WORKERS = 512


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("odds")(odds)


def odds(
    ship: Annotated[str, typer.Argument(help="The ship that is struck; with --merge, more parts.")] = "",
    more: Annotated[list[str] | None, typer.Argument(hidden=True)] = None,
    damage: Annotated[int | None, typer.Option(help="Points striking, before anything absorbs.")] = None,
    internals: Annotated[int | None, typer.Option(help="Points that are inside already.")] = None,
    fire: Annotated[str, typer.Option(help='Weapons that fire: "PH-1 x3, PHOT x2".')] = "",
    range: Annotated[int | None, typer.Option(help="Range in hexes, for --fire.")] = None,
    mode: Annotated[str, typer.Option(help="Way of firing, for --fire: standard, overload ...")] = "standard",
    shield: Annotated[int | None, typer.Option(help="The shield struck, 1 to 6.")] = None,
    reinforcement: Annotated[str, typer.Option(help="General and specific reinforcement, as G,S.")] = "0,0",
    direction: Annotated[
        list[str] | None, typer.Option(help="From where: row:B, LF, 0719>0619A; of several, POINTS:WHERE.")
    ] = None,
    state: Annotated[str, typer.Option(help="The ship's state before (JSON).")] = "",
    policy: Annotated[str, typer.Option(help="How the owner chooses.")] = "protect-weapons",
    exact: Annotated[bool, typer.Option("--exact", help="Exact or not at all.")] = False,
    volleys: Annotated[str, typer.Option(help="Sample so many volleys (1e6).")] = "",
    precision: Annotated[str, typer.Option(help="Sample until means are known to this: 0.1%.")] = "",
    seed: Annotated[str, typer.Option(help="Sample from this text.")] = "",
    curve: Annotated[bool, typer.Option("--curve", help="Every number of points up to these.")] = False,
    compare: Annotated[str, typer.Option(help="Another ship, struck alike with the same dice.")] = "",
    replay: Annotated[int | None, typer.Option(help="Show this sampled volley, hit by hit.")] = None,
    workers: Annotated[int, typer.Option(help="Processes that share the work.")] = 1,
    cluster: Annotated[str, typer.Option(help="Address of a Dask scheduler that shares the work.")] = "",
    chunks: Annotated[str, typer.Option(help="Only chunks a:b of the sample, written as a part.")] = "",
    merge: Annotated[str, typer.Option(help="Put parts together: --merge PART PART ...")] = "",
    kind: Annotated[
        str, typer.Option(help="What strikes, where a rulebook asks: beam, missile, plasma.")
    ] = "",
    data: Annotated[str, typer.Option(help="A folder with your own ships, crews and charts (JSON).")] = "",
    rulebook: Annotated[str, typer.Option(help="Use this rulebook instead of the ship's.")] = "",
    option: Annotated[list[str] | None, typer.Option(help="A choice about the rules, as key=value.")] = None,
    house: Annotated[str, typer.Option(help="A house-rules file (TOML).")] = "",
    format: Annotated[str, typer.Option(help="full, json or svg.")] = "",
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    svg: Annotated[bool, typer.Option("--svg", help="The same as --format svg.")] = False,
    output: Annotated[str, typer.Option("-o", "--output", help="Write the result here.")] = "",
    color: Annotated[str, typer.Option(help="auto, always or never.")] = "",
) -> None:
    """Work out what a volley is likely to cost a ship."""
    from referee.cli.output import chosen_format
    from referee.cli.ownway import Shown, own_way, refuse_unless_own
    from referee.cli.settings import read_settings
    from referee.core.errors import BadInput

    settings = read_settings(rulebook, option, house, color)
    if way := own_way("odds", settings, ship):
        said = {"damage": damage, "internals": internals, "shield": shield, "kind": kind}
        others = {"more": more, "fire": fire, "range": range, "direction": direction, "state": state}
        others |= {"volleys": volleys, "precision": precision, "seed": seed, "curve": curve, "svg": svg}
        others |= {"compare": compare, "replay": replay, "cluster": cluster, "chunks": chunks, "merge": merge}
        others |= {"mode": mode.removeprefix("standard"), "reinforcement": reinforcement.removeprefix("0,0")}
        way.tell(said | others, {"ship": ship}, None, Shown(format, json, output, data))
        return
    refuse_unless_own("odds", kind=kind, data=data)
    form = chosen_format("json" if json else "svg" if svg else format, "" if chunks else output, FORMATS)
    show = _Show(form, settings.colour, output)
    if merge:
        _merge([merge, *([ship] if ship else []), *(more or [])], show)
        return
    if more or not ship:
        raise BadInput(f"{more[0]} is one ship too many" if more else "which ship is struck", hint="name one")
    if compare and (chunks or replay is not None):
        raise BadInput(f"--compare with {'--chunks' if chunks else '--replay'}", hint="ask for one ship")
    struck = (damage, internals, fire, range, mode, shield, reinforcement, direction or [])
    how = _sampling(volleys, precision, seed, workers)
    method = _method(exact, bool(volleys or precision or chunks or replay is not None), compare, curve)
    forecasts = [_forecast(name, settings, struck, state, policy, curve) for name in (ship, compare) if name]
    if replay is not None:
        _replay(forecasts[0], how, replay, show)
        return
    with _workers(workers, cluster) as executor:
        how = _with(how, executor, workers if not cluster else 64)
        if chunks:
            _part(forecasts[0], how, chunks, show)
        else:
            _answer(forecasts, how, method, precision, show, state)


class _Show:
    """Where the answer goes, and in which form."""

    def __init__(self, form: str, colour: str, output: str) -> None:
        self.form, self.colour, self.output = form, colour, output

    def document(self, document: dict[str, Any], repeat: str, inputs: list[str]) -> None:
        """Shows odds."""
        from referee.cli.output import write_output

        write_output(self._rendered(document, repeat), self.output, inputs)

    def _rendered(self, document: dict[str, Any], repeat: str) -> str:
        if self.form == "json":
            from json import dumps

            return dumps(document, indent=2) + "\n"
        if self.form == "svg":
            from referee.report.oddssvg import odds_svg

            return odds_svg(document)
        from referee.report.oddstext import odds_table
        from referee.report.paint import Paint, paint_for

        paint = Paint(False) if self.output else paint_for(sys.stdout, self.colour)
        return odds_table(document, paint=paint, repeat=repeat)


def _method(exact: bool, sampled: bool, compare: str, curve: bool) -> str:
    from referee.core.errors import BadInput

    if exact and sampled:
        raise BadInput("--exact with an option that samples", hint="leave one of them out")
    if compare and curve:
        raise BadInput("--compare with --curve", hint="ask for one after the other")
    return "exact" if exact else "sampled" if sampled else ""


def _sampling(volleys: str, precision: str, seed: str, workers: int) -> Sampling:
    from referee.core.errors import BadInput
    from referee.odds.forecast import DEFAULT_VOLLEYS, Sampling, volleys_of

    if volleys and precision:
        raise BadInput("--volleys and --precision", hint="one of them says when to stop")
    if not 1 <= workers <= MOST_WORKERS:
        raise BadInput(f"{workers} workers", hint=f"1 to {MOST_WORKERS}")
    if len(seed) > 200:
        raise BadInput("a seed of more than 200 characters", hint="a shorter one does as well")
    if not seed:
        import secrets

        seed = secrets.token_hex(8)
    return Sampling(seed, volleys_of(volleys) if volleys else DEFAULT_VOLLEYS, _fraction(precision))


def _fraction(precision: str) -> float:
    """A precision as `0.1%` or `0.001`."""
    from referee.core.errors import BadInput

    if not precision:
        return 0.0
    try:
        part = float(precision.removesuffix("%")) / (100 if precision.endswith("%") else 1)
    except ValueError:
        part = 0.0
    if not 1e-5 <= part <= 0.5:
        raise BadInput(f"--precision {precision}", hint="0.001% to 50%, such as 0.1%")
    return part


def _with(how: Sampling, executor: Executor | None, workers: int) -> Sampling:
    from dataclasses import replace

    return replace(how, executor=executor, workers=workers)


def _forecast(
    name: str, settings: Any, struck: tuple[Any, ...], state: str, policy: str, curve: bool
) -> Forecast:
    from referee.cli.settings import rulebook_in_force
    from referee.cli.shipfiles import find_ship
    from referee.cli.states import whole_or_read
    from referee.core.state import new_state
    from referee.odds.forecast import Forecast, Inquiry

    damage, internals, fire, distance, mode, *where = struck
    ship = find_ship(name, settings.rulebook)
    book = rulebook_in_force(settings.rulebook or ship.rulebook, settings)
    before = whole_or_read(state, ship) if not state or _is_of(state, ship) else new_state(ship)
    hits: tuple[tuple[int, int], ...] = ()
    if fire:
        hits = _hits(book, fire, distance, mode, damage, internals)
        damage = max(points for points, _ in hits)
        fire = f"{' '.join(fire.split())} at range {distance}" + (f" ({mode})" if mode != "standard" else "")
    order = _order(damage, internals, *where)
    inquiry: Inquiry = Inquiry(book, ship, before, order, policy, curve, fire, hits)
    return Forecast(inquiry)


def _is_of(state: str, ship: Any) -> bool:
    """Is a state file of this ship? That of the first ship says nothing of another it is compared with."""
    from referee.cli.inputs import read_input
    from referee.formats.strictjson import load_json

    data = load_json(read_input(state).data, state)
    return not isinstance(data, dict) or data.get("ship") == ship.id


def _hits(
    book: Any, fire: str, distance: int | None, mode: str, damage: int | None, internals: int | None
) -> tuple[tuple[int, int], ...]:
    from referee.core.errors import BadInput
    from referee.odds.fire import damage_of, parse_fire

    if internals is not None:
        raise BadInput("--fire with --internals", hint="say which shield is struck with --shield")
    if distance is None:
        raise BadInput("at which range is fired", hint="--range N")
    found = damage_of(book, parse_fire(book, fire), distance, mode)
    # Points given beside are added: a seeking weapon's warhead, another ship's fire.
    return tuple((points + (damage or 0), weight) for points, weight in found)


def _order(damage: int | None, internals: int | None, *where: Any) -> VolleyOrder:
    from referee.cli.volley import _order as order_of

    return order_of(damage, internals, *where)


def _workers(workers: int, cluster: str) -> Any:
    """The executor asked for as a context: none, processes here, or a cluster."""
    from contextlib import nullcontext

    if cluster:
        from referee.odds.workers import cluster_executor

        return cluster_executor(cluster)
    if workers > 1:
        from referee.odds.workers import local_executor

        return local_executor(workers)
    return nullcontext()


def _answer(
    forecasts: list[Forecast], how: Sampling, method: str, precision: str, show: _Show, state: str
) -> None:
    from dataclasses import replace

    from referee.odds.document import comparison_document, odds_document
    from referee.odds.forecast import compare

    if len(forecasts) == 2:
        comparison = compare(forecasts[0], forecasts[1], how, method)
        document = comparison_document(comparison)
    else:
        forecast = forecasts[0]
        result = (
            forecast.exact()
            if method == "exact"
            else forecast.sampled(how)
            if method == "sampled"
            else forecast.by_itself(how)
        )
        document = odds_document(replace(result, precision=precision) if result.seed else result)
    show.document(document, _repeat(document), [state] if state else [])


def _repeat(document: dict[str, Any]) -> str:
    import shlex

    if document["method"] != "sampled":
        return ""
    return f"--seed {shlex.quote(document['seed'])} --volleys {document['volleys']}"


def _replay(forecast: Forecast, how: Sampling, number: int, show: _Show) -> None:
    from json import dumps

    from referee.cli.output import write_output
    from referee.odds.replay import replay, trace

    job = forecast.job(how)
    traced = trace(forecast, job, number)
    result = replay(forecast, traced)
    source = f"volley {number} of odds seed {job.seed}"
    title = forecast.facts.title
    if show.form == "json":
        from referee.report.volleyjson import volley_json

        text = dumps(volley_json(result, forecast.facts.rulebook, source, traced.rolls), indent=2) + "\n"
    elif show.form == "svg":
        from referee.report.volleysvg import volley_svg

        text = volley_svg(result, rulebook_title=title, dice_source=source)
    else:
        from referee.report.paint import Paint, paint_for
        from referee.report.volleytext import volley_table

        paint = Paint(False) if show.output else paint_for(sys.stdout, show.colour)
        text = volley_table(result, dice_source=source, rolls=traced.rolls, paint=paint, rulebook_title=title)
    write_output(text, show.output, [])


def _part(forecast: Forecast, how: Sampling, chunks: str, show: _Show) -> None:
    from json import dumps

    from referee.cli.output import write_output
    from referee.core.errors import BadInput
    from referee.odds.parts import part_document, part_of
    from referee.odds.sampling import sample

    first, colon, last = chunks.partition(":")
    if not colon or not (first.isascii() and first.isdecimal() and last.isascii() and last.isdecimal()):
        raise BadInput(f"--chunks {chunks}", hint="first and last, the last not included, as 0:8")
    if not show.output:
        raise BadInput("where the part is written to", hint="-o PART")
    span = (int(first), int(last))
    job = forecast.job(how)
    found = sample(job, how.executor, how.workers, span)
    part = part_of(forecast.result_of(job, found.ships[0]), job, span)
    write_output(dumps(part_document(part)) + "\n", show.output, [])


def _merge(files: list[str], show: _Show) -> None:
    from referee.cli.inputs import read_input
    from referee.formats.strictjson import load_json
    from referee.odds.document import odds_document
    from referee.odds.parts import merge_parts, missing_chunks, read_part

    parts = []
    for file in files:
        source = read_input(file)
        parts.append((source.name, read_part(load_json(source.data, source.name), source.name)))
    document = odds_document(merge_parts(parts))
    missing = missing_chunks(parts)
    if missing:
        sys.stderr.write(f"referee: {missing} chunks of this sample are in none of these parts\n")
    show.document(document, _repeat(document), files)
