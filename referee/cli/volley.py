"""`referee volley`: what damage does to a ship, point by point."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from json import dumps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.adjudicator.volley import resolve
from referee.cli.options import (
    Ask,
    ByHand,
    Choices,
    Colour,
    Damage,
    DataFolder,
    Direction,
    House,
    Internals,
    JsonFormat,
    Result,
    Roller,
    Seed,
    Shield,
    StateBefore,
    options_given,
    picked,
)
from referee.cli.output import chosen_format, must_be_writable_as, one_format, write_output, write_result
from referee.cli.rulebook_verbs import AnswerForm, own_way, refuse_unless_own
from referee.cli.volleys import FORMATS as MANY
from referee.cli.volleys import refuse_beside, refuse_rows, show
from referee.core.dice import seeded_dice
from referee.core.errors import BadInput
from referee.core.naming import find_mounts
from referee.judging.volley_order import order_from_options
from referee.judging.volleys_planned import Planned, repeated
from referee.judging.volleys_planned import batch as planned_batch
from referee.play.dice_calls import DEFAULT_POLICY, awaits, volley_called, waited_for
from referee.sources.dice_cup import AskOwner, chosen_dice, must_be_used_up
from referee.sources.inputs import read_input
from referee.sources.settings import read_settings, rulebook_in_force
from referee.sources.ship_files import find_ship, is_file
from referee.sources.states import whole_or_read

if TYPE_CHECKING:
    from referee.core.ship import ShipClass
    from referee.core.volley import Chooser, VolleyOrder, VolleyResult

FORMATS = ("full", "json", "svg")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("volley")(volley)


def volley(
    context: typer.Context,
    ship: Annotated[str, typer.Argument(help="The ship that is struck: an id, a name, or a ship file.")] = "",
    damage: Damage = None,
    internals: Internals = None,
    shield: Shield = None,
    reinforcement: Annotated[
        str, typer.Option(help="General and specific reinforcement, as G,S; in a game its form says it.")
    ] = "0,0",
    direction: Direction = None,
    state: StateBefore = "",
    state_out: Annotated[str, typer.Option(help="Write the state after to this file.")] = "",
    choose: Annotated[
        str, typer.Option(help="A policy, ask, or a file of choices (JSON); protect-weapons unless given.")
    ] = "",
    kind: Annotated[
        str, typer.Option(help="What struck, where a rulebook asks: beam, missile, plasma.")
    ] = "",
    data: DataFolder = "",
    dice: Annotated[str, typer.Option(help="Totals rolled at the table, in order.")] = "",
    seed: Seed = "",
    ask: Ask = False,
    repeat: Annotated[
        int | None, typer.Option(help="Roll it so many times, each on the ship as it is.")
    ] = None,
    batch: Annotated[
        str, typer.Option(help="A file of volleys (CSV or JSON lines: ship,damage,shield,seed,label).")
    ] = "",
    rulebook: Annotated[str, typer.Option(help="Resolve by this rulebook instead of the ship's.")] = "",
    option: Choices = None,
    house: House = "",
    game: Annotated[str, typer.Option(help="Roll it in this record; SHIP is then a ship of the game.")] = "",
    player: Roller = "",
    force: Annotated[
        bool, typer.Option("--force", help="In a game: out of its step, with the foul.")
    ] = False,
    by_hand: ByHand = False,
    format: Annotated[str, typer.Option(help="full, json or svg; jsonl for several volleys.")] = "",
    json: JsonFormat = False,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="For several volleys: one JSON document a line.")
    ] = False,
    output: Result = "",
    color: Colour = "",
) -> None:
    """Roll a damage volley on a ship and mark every box it costs."""
    asked = one_format(format, json=json, jsonl=jsonl)
    given = options_given(context)
    if batch:
        refuse_beside("--batch", given, "ship damage internals shield state direction repeat reinforcement")
    elif not ship:
        raise BadInput("which ship is struck", hint="name one, or --batch FILE")
    if batch or repeat is not None:
        many = "--batch" if batch else "--repeat"
        refuse_beside(many, given, f"dice ask game state_out kind data {'choose' * (choose == 'ask')}")
        if repeat is not None and "svg" in (asked, output.rpartition(".")[2].lower()):
            hint = (
                f"referee odds {ship}, with the same points, -o {output or 'odds.svg'} draws the distribution"
            )
            raise BadInput("many volleys are no picture", file=output, hint=hint)
        form = chosen_format(asked, output, MANY)
        settings = read_settings(rulebook, option, house, color)
        if own_way("volley", settings, ship):
            raise BadInput(f"{many} is for ships with an SSD")
        base = chosen_dice("", seed, False).source.removeprefix("seed ")
        if batch:
            planned, wrong = planned_batch(batch, settings, base)
            refuse_rows(wrong)
        else:
            struck = find_ship(ship, settings.rulebook)
            in_force = rulebook_in_force(settings.rulebook or struck.rulebook, settings)
            order = order_from_options(damage, internals, shield, reinforcement, direction or [])
            planned = repeated(
                Planned(struck, in_force, whole_or_read(state, struck), order, base), repeat or 0
            )
        inputs = [path for path in (ship, house, choose, state, batch) if path and is_file(path)]
        show(planned, choose or DEFAULT_POLICY, _chooser, form, output, inputs, tallied=not batch)
        return
    if game:
        _stands_alone(given)
        _in_game(
            game,
            ship,
            order_from_options(damage, internals, shield, reinforcement, direction or []),
            choose,
            player,
            force,
            by_hand,
        )
        return
    if by_hand:
        raise BadInput("--by-hand without --game", hint="--game RECORD; without one: --ask, or --dice")
    settings = read_settings(rulebook, option, house, color)
    if way := own_way("volley", settings, ship):
        blow = picked(given, "damage internals shield kind direction reinforcement")
        files = picked(given, "ship state choose")
        cup = chosen_dice(dice, seed, ask)
        way.tell(blow, files, cup, AnswerForm(format, json, output, data, state_out))
        return
    refuse_unless_own("volley", kind=kind, data=data)
    form = chosen_format(asked, output, FORMATS)
    must_be_writable_as(state_out, "json")
    struck = find_ship(ship, settings.rulebook)
    in_force = rulebook_in_force(settings.rulebook or struck.rulebook, settings)
    before = whole_or_read(state, struck)
    order = order_from_options(damage, internals, shield, reinforcement, direction or [])
    cup = chosen_dice(dice, seed, ask)
    choose = choose or DEFAULT_POLICY
    chooser = _chooser(choose, cup.source, struck)
    result = resolve(in_force, struck, before, order, cup, chooser)
    must_be_used_up(cup, chooser)
    inputs = [path for path in (ship, house, choose) if is_file(path)]
    rendered = partial(_render, result, cup, in_force, settings.colour)
    write_result(rendered, form, asked, output, [*inputs, *([state] if state else [])])
    if state_out:
        from referee.report.statejson import state_json

        # The state before may make way for the state after: that is what a player names it twice for.
        after = dumps(state_json(result.state), indent=2) + "\n"
        before_it = [*inputs, *([output] if output else [])]
        write_output(after, state_out, before_it, instead_of="referee/ship-state/1")


def _stands_alone(given: Mapping[str, object]) -> None:
    """Raises BadInput for an option that a volley in a game cannot have: the record decides these."""
    for name in picked(given, "dice seed ask state state_out house option rulebook format json output"):
        hint = "dice, rules and the ship's state are the record's"
        raise BadInput(f"--{name.replace('_', '-')} with --game", hint=hint)


def _in_game(
    path: str, ship: str, order: VolleyOrder, choose: str, player: str, force: bool, by_hand: bool
) -> None:
    """Declares a volley in a record; where no other key is awaited, throws it at once."""
    from referee.cli.game_status import say_head
    from referee.play.append import append, thrown
    from referee.play.game_file import in_step, open_game, player_in, refuse

    game = open_game(path)
    target = game.state.ship(ship)
    me = player_in(game, player)
    findings = in_step(game, "damage", target.name)
    refuse(findings, force)
    picks = _picks(choose, game.ship_class(target)) if choose.endswith(".json") else {}
    entries = volley_called(game, target, order, me, findings, choose, picks)
    game = append(path, lambda _: entries, by_hand=by_hand)
    typer.echo(f"declared: roll {game.dice.next_roll - 1}, {entries[0][1]['text'][0]}")
    if awaits(game):
        typer.echo(f"awaited: {waited_for(game)}")
        say_head(game)
        return
    thrown(path)


def _chooser(choose: str, source: str, ship: ShipClass) -> Chooser:
    from referee.adjudicator.policies import POLICY_NAMES, Listed, Policy, policy

    if choose == "ask":
        return AskOwner()
    if choose not in POLICY_NAMES and (choose.endswith(".json") or "/" in choose):
        return Listed(_picks(choose, ship), Policy("protect-weapons"))
    return policy(choose, seeded_dice(f"choices of {source}"))


def _picks(path: str, ship: ShipClass) -> dict[int, str]:
    """The choices of a file: `{"3": "PH-2/4", "17": "lab"}`, hits counted from 1."""
    data = read_input(path).as_json("no list of hits and boxes", 'write {"3": "PH-2/4"}')
    if not isinstance(data, dict):
        raise BadInput("is not an object of hits and boxes", file=path, hint='write {"3": "PH-2/4"}')
    picks = {}
    for hit, box in data.items():
        if not (hit.isascii() and hit.isdecimal() and len(hit) < 10) or not isinstance(box, str):
            raise BadInput("is not a hit and a box", file=path, place=f"/{hit}", hint='write {"3": "PH-2/4"}')
        mounts = find_mounts(box, ship.mounts)
        picks[int(hit)] = mounts[0].id if mounts else box
    return picks


def _render(result: VolleyResult, cup: Any, rulebook: Any, colour: str, form: str, to_file: bool) -> str:
    if form == "json":
        from referee.report.volleyjson import volley_json

        return dumps(volley_json(result, rulebook.id, cup.source, cup.rolls), indent=2) + "\n"
    if form == "svg":
        from referee.report.volleysvg import volley_svg

        return volley_svg(result, rulebook_title=rulebook.title, dice_source=cup.source)
    from referee.report.paint import Paint, paint_for
    from referee.report.volleytext import volley_table

    paint = Paint(False) if to_file else paint_for(sys.stdout, colour)
    return volley_table(
        result, dice_source=cup.source, rolls=cup.rolls, paint=paint, rulebook_title=rulebook.title
    )
