"""`referee fire`: one weapon at a range, one ship's broadside, or all fire declared for a step."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import (
    Ask,
    Choices,
    Colour,
    DataFolder,
    House,
    JsonFormat,
    Result,
    Seed,
    options_given,
    picked,
)
from referee.cli.output import chosen_format, json_text, write_result
from referee.cli.rulebook_verbs import AnswerForm, own_way, refuse_unless_own
from referee.core.dice import seeded_dice
from referee.core.errors import BadInput
from referee.judging.fire_table import FireTable
from referee.judging.fired import fired
from referee.rulebooks.base import nearest
from referee.sources.dice_cup import AskOwner, chosen_dice, must_be_used_up
from referee.sources.inputs import read_input
from referee.sources.settings import read_settings

if TYPE_CHECKING:
    from referee.judging.fired import FireResolved

FORMATS = ("full", "json")
ENTRY = {
    "firer": str, "ship": str, "at": str, "state": str, "cloak": str, "form": str,
    "target": str, "target_ship": str, "target_at": str, "target_state": str, "target_cloak": str,
    "target_damage": int,
    "weapons": (list, str), "range": int, "turn": int, "impulse": int, "last_fired": (dict, str),
    "paid": bool, "battery": str, "lock_on": bool, "scanner": int, "mode": str, "shield": int,
}  # fmt: skip
"""What one entry of a declarations file may say, by `schemas/fire-declarations.schema.json`: the same as
the options of a broadside."""
DECLARATIONS = f"All fire of a step: a JSON list of {{{', '.join(ENTRY)}}}; referee schema fire-declarations."

_HOW = [
    "volley",
    "dice",
    "seed",
    "ask",
    "data",
    "rulebook",
    "option",
    "house",
    "format",
    "json",
    "output",
    "color",
]
"""Options that say nothing of the fire itself."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("fire")(fire)


def fire(
    context: typer.Context,
    ship: Annotated[str, typer.Argument(help="The ship that fires: an id, a name, or a ship file.")] = "",
    weapon: Annotated[str, typer.Option(help="One weapon type alone, such as phaser-1.")] = "",
    range: Annotated[int | None, typer.Option(help="True range in hexes, where no hexes are given.")] = None,
    times: Annotated[int, typer.Option(help="How many such weapons fire (with --weapon).")] = 1,
    at: Annotated[str, typer.Option(help="Where the ship is and faces: 0915C.")] = "",
    target: Annotated[str, typer.Option(help="The ship that is fired at, or drone.")] = "",
    target_at: Annotated[str, typer.Option(help="Where the target is and faces: 1114D.")] = "",
    weapons: Annotated[str, typer.Option(help="What fires: PH-1A,PHOT-B, or all.")] = "",
    turn: Annotated[int | None, typer.Option(help="The turn.")] = None,
    impulse: Annotated[int | None, typer.Option(help="The impulse.")] = None,
    last_fired: Annotated[
        list[str] | None, typer.Option(help="Turn and impulse a weapon last fired: PH-1A@1.16; or none.")
    ] = None,
    paid: Annotated[bool, typer.Option("--paid", help="All energy was paid.")] = False,
    form: Annotated[str, typer.Option(help="The firing ship's energy form; it says what was paid.")] = "",
    battery: Annotated[str, typer.Option(help="Charged batteries used in the turn: 1 for PH-1A.")] = "",
    state: Annotated[str, typer.Option(help="The firing ship's state (JSON).")] = "",
    target_state: Annotated[str, typer.Option(help="The target's state (JSON).")] = "",
    target_damage: Annotated[
        int | None, typer.Option(help="Points scored on the drone before (with --target drone).")
    ] = None,
    lock_on: Annotated[bool | None, typer.Option("--lock-on/--no-lock-on", help="Is lock-on held?")] = None,
    scanner: Annotated[int | None, typer.Option(help="Scanner factor, instead of the ship's own.")] = None,
    cloak: Annotated[str, typer.Option(help="The firing ship's cloak, as --target-cloak.")] = "",
    target_cloak: Annotated[str, typer.Option(help="cloaked, fading-out:2 or fading-in:3.")] = "",
    mode: Annotated[str, typer.Option(help="standard, or a way of fire_modes=captain.")] = "standard",
    shield: Annotated[int | None, typer.Option(help="The shield struck, on a corner of two.")] = None,
    declarations: Annotated[str, typer.Option(help=DECLARATIONS)] = "",
    volley: Annotated[bool, typer.Option("--volley", help="Resolve the damage on the target.")] = False,
    reinforcement: Annotated[str, typer.Option(help="The target's general and specific, as G,S.")] = "0,0",
    choose: Annotated[str, typer.Option(help="Who picks boxes: a policy, or ask.")] = "protect-weapons",
    dice: Annotated[str, typer.Option(help="Rolls made at the table, in order.")] = "",
    seed: Seed = "",
    ask: Ask = False,
    data: DataFolder = "",
    rulebook: Annotated[str, typer.Option(help="Judge by this rulebook instead of the ship's.")] = "",
    option: Choices = None,
    house: House = "",
    format: Annotated[str, typer.Option(help="full or json.")] = "",
    json: JsonFormat = False,
    output: Result = "",
    color: Colour = "",
) -> None:
    """Fire weapons: what the rules say of each shot, then the dice, the damage, and its volley."""
    settings = read_settings(rulebook, option, house, color)
    given = options_given(context)
    if way := own_way("fire", settings, ship):
        files = picked(given, "ship target state target_state choose")
        asked = {name: value for name, value in given.items() if name not in (*files, *_HOW)}
        way.tell(asked, files, chosen_dice(dice, seed, ask), AnswerForm(format, json, output, data))
        return
    refuse_unless_own("fire", data=data)
    kind = chosen_format("json" if json else format, output, FORMATS)
    if sum(map(bool, (ship, weapon, declarations))) != 1:
        hint = "--weapon TYPE --range N, or SHIP --weapons LIST --target SHIP2, or --declarations FILE"
        raise BadInput("say what fires", hint=hint)
    facts = {**picked(given, " ".join(ENTRY)), "mode": mode}
    if last_fired:
        facts["last_fired"] = _last_fired(last_fired)
    table = FireTable(settings)
    if weapon:
        declaration = table.alone(weapon, times, facts)
    elif declarations:
        declaration = table.declared(_entries(declarations), declarations)
    else:
        declaration = table.declared([{**facts, "target_ship": target}], "")
    cup = chosen_dice(dice, seed, ask)
    done = fired(table, declaration, cup, _chooser(choose, seed), volley=volley, reinforcement=reinforcement)
    inputs = () if done.is_illegal else (declarations, state, target_state, form)
    if not done.is_illegal:
        must_be_used_up(cup, None)
    rendered = partial(_render, done, cup, table.rulebook, settings.colour)
    write_result(rendered, kind, "json" if json else format, output, [path for path in inputs if path])
    if done.is_illegal:
        raise typer.Exit(1)


def _last_fired(words: list[str]) -> dict[str, str] | str:
    """`PH-1A@1.16` as an entry has it; `none` for every weapon."""
    if words == ["none"]:
        return "none"
    parts = [each.partition("@") for each in words]
    if not all(between for _, between, _ in parts):
        raise BadInput(f"--last-fired {' '.join(words)}", hint="write PH-1A@1.16, or none")
    return {weapon: when for weapon, _, when in parts}


def _entries(path: str) -> list[Mapping[str, Any]]:
    """The entries of a declarations file. Raises BadInput, with its place, for anything else."""
    data = read_input(path).as_json("no list of shots", '[{"ship": ..., "weapons": [...], ...}]')
    if not isinstance(data, list) or not data:
        raise BadInput("is not a list of shots", file=path, hint='[{"ship": ..., "weapons": [...], ...}]')
    for n, entry in enumerate(data):
        if not isinstance(entry, dict):
            raise BadInput("is not an object", file=path, place=f"/{n}")
        for name, value in entry.items():
            place = f"/{n}/{name}"
            if name not in ENTRY:
                named = 'a ship that fires is named in "firer", one fired at in "target"'
                hint = named if name == "name" else nearest(name, ENTRY)
                raise BadInput(f"unknown {name}", file=path, place=place, hint=hint)
            wrong_bool = isinstance(value, bool) and ENTRY[name] is not bool
            if wrong_bool or not isinstance(value, ENTRY[name]):  # type: ignore[arg-type]
                raise BadInput(f"{name} is of the wrong kind", file=path, place=place)
    return data


def _chooser(choose: str, seed: str) -> Any:
    from referee.adjudicator.policies import policy

    return AskOwner() if choose == "ask" else policy(choose, seeded_dice(f"choices {seed}"))


def _render(done: FireResolved, cup: Any, rulebook: Any, colour: str, kind: str, to_file: bool) -> str:
    from referee.report.firetext import fire_json, fire_table
    from referee.report.paint import Paint, paint_for

    if kind == "json":
        from referee.report.volleyjson import volley_json

        each = [
            {**volley_json(result, rulebook.id, cup.source, cup.rolls), "target": volley.target}
            for volley, result in done.struck
        ]
        dice = {"dice_source": cup.source, "rolls": cup.rolls}
        document = fire_json(done.results, done.volleys, each, done.report, hits=done.hits, **dice)
        return json_text(document)
    paint = Paint(False) if to_file else paint_for(sys.stdout, colour)
    if done.is_illegal:
        from referee.report.checktext import full

        return full(done.report, paint)
    from referee.report.volleytext import volley_table

    facts = {"dice_source": cup.source, "rolls": cup.rolls, "paint": paint}
    text = fire_table(done.results, done.volleys, done.report, title=rulebook.title, hits=done.hits, **facts)
    tables = (
        volley_table(result, rulebook_title=rulebook.title, name=volley.target, **facts)
        for volley, result in done.struck
    )
    return "\n".join([text, *tables])
