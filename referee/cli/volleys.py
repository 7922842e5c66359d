"""Many volleys in one run: `volley --repeat`, and `volley --batch` with a file of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from json import dumps
from typing import TYPE_CHECKING, Any

import typer

from referee.adjudicator.volley import resolve
from referee.cli.options import picked
from referee.cli.output import json_text, write_output
from referee.cli.progress import ProgressBar
from referee.core.dice import seeded_dice
from referee.core.errors import BadInput, RefereeError
from referee.core.naming import how_many
from referee.core.safe import safe_line
from referee.core.volley import hits_by_system
from referee.judging.volleys_planned import RolledVolley
from referee.report.paint import fitted

if TYPE_CHECKING:
    from referee.core.volley import Chooser
    from referee.judging.volleys_planned import Planned

SCHEMA = "referee/volleys/1"
FORMATS = ("full", "json", "jsonl")
MOST_TOLD = 50
"""Rows of a batch of which it is told what is wrong."""


def roll_all(
    planned: Sequence[Planned], choose: str, chooser: Callable[..., Chooser]
) -> Iterator[RolledVolley]:
    """All volleys, one after the other, with a bar on a terminal."""
    with ProgressBar("rolling") as bar:
        for done, plan in enumerate(planned, 1):
            cup = seeded_dice(plan.seed)
            owner = chooser(choose, cup.source, plan.ship)
            result = resolve(plan.rulebook, plan.ship, plan.state, plan.order, cup, owner)
            yield RolledVolley(plan, result, cup.source, tuple(cup.rolls))
            bar(done, len(planned))


def rendered(volleys: Iterator[RolledVolley], form: str, *, tallied: bool) -> str:
    """The volleys as text, `tallied` if they are one again and again; one JSON document, or a JSON document a line."""
    if form == "json":
        each = [_document(rolled) for rolled in volleys]
        return json_text({"schema": SCHEMA, "volleys": each})
    if form == "jsonl":
        return "".join(dumps(_document(rolled), ensure_ascii=False) + "\n" for rolled in volleys)
    return fitted("".join(f"{line}\n" for line in _lines(volleys, tallied)))


def _document(rolled: RolledVolley) -> dict[str, Any]:
    from referee.report.volleyjson import volley_json

    planned = rolled.planned
    document = volley_json(rolled.result, planned.rulebook.id, rolled.source, rolled.rolls)
    beside = {"label": planned.label, "others": dict(planned.others)}
    return {**document, "seed": planned.seed, **{name: value for name, value in beside.items() if value}}


def _lines(volleys: Iterator[RolledVolley], tallied: bool) -> Iterator[str]:
    from referee.report.volleytext import words

    n = internals = destroyed = 0
    blow = ""
    boxes: Counter[str] = Counter()
    for n, rolled in enumerate(volleys, 1):
        result, order = rolled.result, rolled.planned.order
        where = "inside" if order.internal else f"on shield {order.shield}"
        blow = f"{result.ship.id}: {order.points} {where}"
        systems = hits_by_system(result.hits)
        lost = ", ".join(f"{words(system)} {count}" for system, count in systems.items())
        internals, destroyed = internals + result.internals, destroyed + result.destroyed
        boxes.update(systems)
        end = "; destroyed" if result.destroyed else ""
        name = safe_line(rolled.planned.label or rolled.planned.seed)
        came = f"{result.internals} internals{lost and f': {lost}'}{end}"
        yield f"{n:>4}  {name}  {came if tallied else f'{blow}, {came}'}"
    if tallied:
        mean = ", ".join(f"{words(system)} {count / n:.2f}" for system, count in boxes.most_common())
        yield f"\n{how_many(n, 'volley')} on {blow}"
        yield f"mean {internals / n:.2f} internals; destroyed {how_many(destroyed, 'time')}"
        yield f"mean boxes lost: {mean or 'none'}"


def refuse_beside(many: str, given: Mapping[str, object], names: str) -> None:
    """Raises BadInput for an option that is of one volley alone."""
    for name in picked(given, names):
        raise BadInput(f"--{name.replace('_', '-')} with {many}", hint="each has seeded dice of its own")


def refuse_rows(wrong: Sequence[RefereeError]) -> None:
    """Says what is wrong with each row of a batch, and ends the command; where nothing is, it goes on."""
    if len(wrong) == 1:
        raise wrong[0]
    for error in wrong[:MOST_TOLD]:
        typer.echo(f"referee: {safe_line(str(error))}", err=True)
    if len(wrong) > MOST_TOLD:
        typer.echo(f"referee: and {len(wrong) - MOST_TOLD} more", err=True)
    if wrong:
        raise typer.Exit(2)


def show(
    planned: Sequence[Planned],
    choose: str,
    chooser: Callable[..., Chooser],
    form: str,
    output: str,
    inputs: list[str],
    *,
    tallied: bool,
) -> None:
    """Rolls the volleys and shows them where they go."""
    text = rendered(roll_all(planned, choose, chooser), form, tallied=tallied)
    write_output(text, output, inputs)
