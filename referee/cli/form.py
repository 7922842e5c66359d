"""`referee form`: blank energy forms, and the next turn's with what is known filled in."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import Choices, FormFile
from referee.cli.output import Force, write_output
from referee.core.energy import show_energy
from referee.core.errors import BadInput
from referee.core.forms import turns_only_begun
from referee.core.location import Location
from referee.core.ship import plain_id
from referee.formats.sheets.writeform import PLAIN, blank_form_csv
from referee.play.blank_form import blank_form, keeps_one_record
from referee.sources.default_game import named_or_only

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.formats.sheets.csvsheet import Dialect
    from referee.formats.sheets.writeform import BlankForm


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="Energy allocation forms to fill in.", no_args_is_help=True)
    group.command("blank")(form_blank)
    group.command("next")(form_next)
    app.add_typer(group, name="form")


def form_blank(
    ship: Annotated[str, typer.Argument(help="The ship: an id, a name, or a ship file.")],
    output: FormFile = "",
    state: Annotated[str, typer.Option(help="What is left of the ship (JSON).")] = "",
    rulebook: Annotated[str, typer.Option(help="The form of this rulebook.")] = "",
    option: Choices = None,
    force: Force = False,
) -> None:
    """Write an empty form for a ship, its power and batteries of turn 1 filled in.

    A workbook prints on one landscape page, numbers its lines as the rulebook does, locks labels and totals, says what
    each line may hold, and shows at once what is over or left of a turn's energy.
    """
    from referee.play.turn_begun import first_turn
    from referee.sources.settings import read_settings, rulebook_in_force
    from referee.sources.ship_files import find_ship
    from referee.sources.states import whole_or_read

    settings = read_settings(rulebook, option)
    found = find_ship(ship, settings.rulebook)
    in_force = rulebook_in_force(settings.rulebook or found.rulebook, settings)
    figures = first_turn(in_force.lines, found, whole_or_read(state, found))
    known = {line: {1: figure} for line, figure in figures.items()}
    _write(blank_form(found, in_force, known), output, [ship, state], force)


def form_next(
    file: Annotated[
        str, typer.Argument(help="The form so far (csv, xlsx, ods, json), or a record; the only record here.")
    ] = "",
    output: FormFile = "",
    ship: Annotated[str, typer.Option(help="The ship, if the form does not say.")] = "",
    state: Annotated[str, typer.Option(help="What is left of the ship now (JSON).")] = "",
    rulebook: Annotated[str, typer.Option(help="The form of this rulebook.")] = "",
    option: Choices = None,
    force: Force = False,
) -> None:
    """Write the form again with the next turn begun: power, batteries and capacitor as they carry over.

    It is a form of ours, with your figures and notes. A CSV is written as the one it continues: separator, decimal sign,
    encoding, line ends. Your own file is never written over. Of a game record it is the form of the turn now played,
    by all that happened before it.
    """
    file = named_or_only(file)
    if file.endswith(".jsonl"):
        _of_record(file, ship, state, output, force)
        return
    from referee.formats.sheets import read_sheets
    from referee.formats.sheets.csvsheet import dialect_of
    from referee.formats.sheets.written import notes_of
    from referee.play.turn_begun import turn_begun
    from referee.sources.asked import Asked
    from referee.sources.forms import label_index, must_be_readable, read_forms, ship_of_form
    from referee.sources.inputs import read_input
    from referee.sources.settings import read_settings, rulebook_in_force
    from referee.sources.states import whole_or_read

    settings = read_settings(rulebook, option)
    asked = Asked(settings, (ship,) if ship else ())
    source = read_input(file)
    if source.kind == "save":
        hint = "referee vassal write SAVE -o NEW --next-form all"
        raise BadInput("is a file of VASSAL", file=file, hint=hint)
    forms = read_forms(source, asked)
    if len(forms) != 1 or not forms[0].allocations:
        raise BadInput("is not one form with a turn filled in", file=file, hint="one ship at a time")
    must_be_readable(forms[0])
    for problem in forms[0].problems:
        typer.echo(f"not copied: {problem.text} ({problem.location}): {problem.reason}", err=True)
    found, beside = ship_of_form(forms[0], asked)
    if beside:
        typer.echo(f"read the ship {found.id} from {beside}", err=True)
    in_force = rulebook_in_force(settings.rulebook or found.rulebook, settings)
    turn, begun, not_known = turn_begun(in_force, found, forms[0], whole_or_read(state, found))
    for blank in not_known:
        typer.echo(f"left blank: {blank}", err=True)
    known: dict[str, dict[int, Fraction]] = {}
    movement = in_force.lines.movement
    open_turns = frozenset(begun_turn.turn for begun_turn in turns_only_begun(forms[0], in_force.lines))
    for allocation in forms[0].allocations:
        for line, entry in allocation.entries.items():
            if allocation.turn in open_turns and line in in_force.lines.sums:
                continue  # its saved sum is one of nothing: it is worked out, or left blank
            if line == movement and entry.unit.startswith("hex") and not found.hex_costs_a_point:
                cost = f"{show_energy(entry.amount)} {entry.unit}"
                typer.echo(f"not copied: {cost} ({entry.location}): a hex does not cost a point", err=True)
                continue
            known.setdefault(line, {})[allocation.turn] = entry.amount
    for line, amount in begun.items():
        known.setdefault(line, {})[turn] = amount
    notes: Mapping[str, str] = {}
    if source.kind != "json":
        sheets = read_sheets(source.data, source.name, source.suffix)
        sheet = next((sheet for sheet in sheets if sheet.place == forms[0].place), sheets[0])
        notes = notes_of(sheet, label_index(asked))
    one_record = keeps_one_record(forms[0], in_force.lines)
    written = blank_form(
        found, in_force, known, last=turn, notes=notes, one_record=one_record, open_turns=open_turns
    )
    _write(written, output, [file], force, dialect_of(source.data, file) if source.kind == "text" else PLAIN)
    if source.kind == "workbook":
        lost = "comments, colours, formulas and other sheets"
        typer.echo(f"not copied: {lost} of {file}, if you put any in", err=True)


def _of_record(path: str, ship: str, state: str, output: str, force: bool) -> None:
    """The form of a ship of a game for the turn now played, or the next where that is filed already."""
    from referee.adjudicator.record_forms import PLAYED, turn_filed_next, turn_to_come, turns_before
    from referee.play.game_file import open_game

    if state:
        raise BadInput("--state with a game record", hint="the record knows the state of its ships")
    game = open_game(path)
    ships = game.state.ships
    if not ship and len(ships) != 1:
        raise BadInput("which ship is not given", file=path, hint=f"--ship {' or '.join(ships)}")
    target = game.state.ship(ship or next(iter(ships)))
    found = game.ship_class(target)
    turn = turn_filed_next(game.state, target)
    place = Location(file=path)
    known: dict[str, dict[int, Fraction]] = {}
    for allocation in turns_before(game.rulebook, found, target, turn, place):
        for line, entry in allocation.entries.items():
            if allocation.turn in target.forms and not line.startswith(PLAYED):
                known.setdefault(line, {})[allocation.turn] = entry.amount
    begun = turn_to_come(game.rulebook, found, target, turn)
    lines = game.rulebook.lines
    if lines.batteries not in begun:
        hangs = f"it depends on what {lines.named(lines.used_in_turn)} of turn {turn - 1} is"
        typer.echo(f"left blank: {lines.named(lines.batteries)} of turn {turn}: {hangs}", err=True)
    for line, amount in begun.items():
        known.setdefault(line, {})[turn] = amount
    alike = [other for other in ships.values() if plain_id(other.state.ship) == plain_id(found.id)]
    name = target.name if len(alike) > 1 else ""
    _write(blank_form(found, game.rulebook, known, last=turn, name=name), output, [path], force)


def _write(form: BlankForm, output: str, inputs: list[str], force: bool, dialect: Dialect = PLAIN) -> None:
    content: str | bytes
    if output.lower().endswith(".xlsx"):
        from referee.formats.sheets.writexlsx import blank_form_xlsx

        content = blank_form_xlsx(form)
    elif output in ("", "-"):
        content = blank_form_csv(form)
    elif output.lower().endswith(".csv"):
        content = dialect.as_bytes(blank_form_csv(form, dialect))
    else:
        hint = "LibreOffice opens .xlsx" if output.lower().endswith(".ods") else "choose one of the two"
        raise BadInput("is no .xlsx or .csv", file=output, hint=hint)
    write_output(content, output, inputs, new=not force)
