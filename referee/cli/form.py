"""`referee form`: blank energy forms, and the next turn's with what is known filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from referee.core.forms import EnergyForm, FormLines
    from referee.core.ship import ShipClass
    from referee.formats.sheets.writeform import BlankForm, FormRow

TURNS = 11


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="Energy allocation forms to fill in.", no_args_is_help=True)
    group.command("blank")(form_blank)
    group.command("next")(form_next)
    app.add_typer(group, name="form")


def form_blank(
    ship: Annotated[str, typer.Argument(help="The ship: an id, a name, or a ship file.")],
    output: Annotated[str, typer.Option("-o", "--output", help="Write it here: .xlsx, .ods or .csv.")] = "",
    state: Annotated[str, typer.Option(help="What is left of the ship (JSON).")] = "",
    rulebook: Annotated[str, typer.Option(help="The form of this rulebook.")] = "",
    option: Annotated[list[str] | None, typer.Option(help="A choice about the rules, as key=value.")] = None,
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
    book = rulebook_in_force(settings.rulebook or found.rulebook, settings)
    figures = first_turn(book.lines, found, whole_or_read(state, found))
    known = {line: {1: figure} for line, figure in figures.items()}
    _write(_form(found, book, known), output)


def form_next(
    file: Annotated[str, typer.Argument(help="The form so far (csv, xlsx, ods, json), or a game record.")],
    output: Annotated[str, typer.Option("-o", "--output", help="Write it here: .xlsx, .ods or .csv.")] = "",
    ship: Annotated[str, typer.Option(help="The ship, if the form does not say.")] = "",
    state: Annotated[str, typer.Option(help="What is left of the ship now (JSON).")] = "",
    rulebook: Annotated[str, typer.Option(help="The form of this rulebook.")] = "",
    option: Annotated[list[str] | None, typer.Option(help="A choice about the rules, as key=value.")] = None,
) -> None:
    """Write the form again with the next turn begun: power, batteries and capacitor as they carry over.

    A workbook written to one of its kind is copied: only the cells of the turn change, and the totals that hang on
    them. Its notes, comments, colours and other sheets stay. Your own file is never written over. Of a game record it
    is the form of the turn now played, by all that happened before it.
    """
    if file.endswith(".jsonl"):
        _of_record(file, ship, state, output)
        return
    from referee.cli.output import write_output
    from referee.core.energy import show_energy
    from referee.core.errors import BadInput
    from referee.core.forms import turns_only_begun
    from referee.formats.sheets.written import notes_of
    from referee.play.form_copy import copied_with, same_workbook, sheet_of
    from referee.play.turn_begun import turn_begun
    from referee.sources.asked import Asked
    from referee.sources.forms import label_index, must_be_readable, read_forms, ship_of_form
    from referee.sources.inputs import read_input
    from referee.sources.settings import read_settings, rulebook_in_force
    from referee.sources.states import whole_or_read

    settings = read_settings(rulebook, option)
    asked = Asked(settings, (ship,) if ship else ())
    source = read_input(file)
    forms = read_forms(source, asked)
    if len(forms) != 1 or not forms[0].allocations:
        raise BadInput("is not one form with a turn filled in", file=file, hint="one ship at a time")
    must_be_readable(forms[0])
    copies = same_workbook(source, output)
    for problem in () if copies else forms[0].problems:
        typer.echo(f"not copied: {problem.text} ({problem.location}): {problem.reason}", err=True)
    found = ship_of_form(forms[0], asked)
    book = rulebook_in_force(settings.rulebook or found.rulebook, settings)
    turn, begun, not_known = turn_begun(book, found, forms[0], whole_or_read(state, found))
    for told in not_known:
        typer.echo(f"left blank: {told}", err=True)
    if copies:
        copy = copied_with(source, forms[0], label_index(asked), turn, begun)
        write_output(copy.data, output, [file])
        for said in (*copy.said, f"wrote {output}"):
            typer.echo(said, err=True)
        return
    known: dict[str, dict[int, Fraction]] = {}
    movement = book.lines.movement
    open_turns = frozenset(one.turn for one in turns_only_begun(forms[0], book.lines))
    for allocation in forms[0].allocations:
        for line, entry in allocation.entries.items():
            if allocation.turn in open_turns and line in book.lines.sums:
                continue  # its saved sum is one of nothing: it is worked out, or left blank
            if line == movement and entry.unit.startswith("hex") and not found.hex_costs_a_point:
                told = f"{show_energy(entry.amount)} {entry.unit}"
                typer.echo(f"not copied: {told} ({entry.location}): a hex does not cost a point", err=True)
                continue
            known.setdefault(line, {})[allocation.turn] = entry.amount
    for line, amount in begun.items():
        known.setdefault(line, {})[turn] = amount
    notes = {} if source.kind == "json" else notes_of(sheet_of(source, forms[0]), label_index(asked))
    one_record = _keeps_one_record(forms[0], book.lines)
    written = _form(found, book, known, last=turn, notes=notes, one_record=one_record, open_turns=open_turns)
    _write(written, output, [file])
    if source.kind == "workbook":
        typer.echo(
            f"not copied: comments, colours and other sheets of {file}, if it has any; "
            "-o to a workbook of its kind keeps them",
            err=True,
        )


def _of_record(path: str, ship: str, state: str, output: str) -> None:
    """The form of a ship of a game for the turn now played, or the next where that is filed already."""
    from referee.adjudicator.record_forms import PLAYED, turn_filed_next, turn_to_come, turns_before
    from referee.core.errors import BadInput
    from referee.core.location import Location
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
    alike = [other for other in ships.values() if other.state.ship == target.state.ship]
    name = target.name if len(alike) > 1 else ""
    _write(_form(found, game.rulebook, known, last=turn, name=name), output, [path])


def _write(form: BlankForm, output: str, inputs: list[str] | None = None) -> None:
    from referee.cli.output import write_output

    content: str | bytes
    if output.lower().endswith(".xlsx"):
        from referee.formats.sheets.writexlsx import blank_form_xlsx

        content = blank_form_xlsx(form)
    elif output.lower().endswith(".ods"):
        from referee.formats.sheets.writeods import blank_form_ods

        content = blank_form_ods(form)
    elif output in ("", "-") or output.lower().endswith(".csv"):
        from referee.formats.sheets.writeform import blank_form_csv

        content = blank_form_csv(form)
    else:
        from referee.core.errors import BadInput

        raise BadInput("is no .xlsx, .ods or .csv", file=output, hint="choose one of the three")
    write_output(content, output, inputs or [])
    if output:
        typer.echo(f"wrote {output}", err=True)


def _form(
    ship: ShipClass,
    book: Any,
    known: dict[str, dict[int, Fraction]],
    last: int = 1,
    name: str = "",
    notes: Mapping[str, str] = MappingProxyType({}),
    *,
    one_record: bool = False,
    open_turns: frozenset[int] = frozenset(),
) -> BlankForm:
    """The form of a rulebook for a ship, one row for each line, tube and shield it uses, with notes by line.

    Every turn that is known stands in it: what a turn carries over hangs on all turns before it. With `one_record`
    of batteries it has no row for line 6, beside which line 21 could be read in two ways. Turns before the last that
    are only begun are `open_turns`: their sums go on with what is filled in.
    """
    from referee.formats.sheets.writeform import BlankForm

    lines = [line for line in _lines(ship, book) if line != book.lines.discharged or not one_record]
    known = _by_row(known, ship, book)
    notes = {_row_of(line, ship, book): text for line, text in notes.items()}
    lines += [line for line in (*known, *notes) if line not in lines]
    spending = [n for n, line in enumerate(lines) if _spends(line, book.lines)]
    rows = tuple(
        replace(_row(line, lines, spending, known, ship, book), note=notes.get(line, "")) for line in lines
    )
    over = frozenset(turn for figures in known.values() for turn in figures if turn < last) - open_turns
    first = min(over | open_turns, default=1)
    turns = tuple(range(first, max(first + TURNS, last + 1)))
    names = book.lines
    # A form that keeps one record of batteries says on line 21 what they gave to the allocation too.
    batteries = names.discharged if names.discharged in lines else names.used_in_turn
    given = tuple(lines.index(line) for line in (names.power, batteries) if line in lines)
    spent = lines.index(names.spent) if names.spent in lines else None
    return BlankForm(
        ship=name or ship.id, turns=turns, rows=rows, title=ship.name, over=over, given=given, spent=spent
    )


def _keeps_one_record(form: EnergyForm, lines: FormLines) -> bool:
    """Does a form say what batteries gave in the turn, and has no row for what allocation took out of them?"""
    rows = {line for turn in form.allocations for line in (*turn.entries, *turn.blanks)}
    return lines.used_in_turn in rows and lines.discharged not in rows


def _by_row(
    known: dict[str, dict[int, Fraction]], ship: ShipClass, book: Any
) -> dict[str, dict[int, Fraction]]:
    """What is known by the rows of the form that is written: a weapon's under its own mark, however it was
    called, and parts that have no label with their line. Two rows of one weapon stay two where both have energy
    in a turn: which is meant is not known."""
    rows: dict[str, dict[int, Fraction]] = {}
    for line, figures in known.items():
        number = line.partition(":")[0]
        there = rows.setdefault(_row_of(line, ship, book), {})
        if number == book.lines.heavy_weapons and any(
            there.get(turn) and amount for turn, amount in figures.items()
        ):
            rows[line] = dict(figures)
            continue
        for turn, amount in figures.items():
            there[turn] = there.get(turn, Fraction(0)) + amount
    return rows


def _row_of(line: str, ship: ShipClass, book: Any) -> str:
    """The row of the form that is written for a line: a weapon's bears its own mark."""
    from referee.core.naming import tube_named

    number, _, part = line.partition(":")
    lines = book.lines
    if number == lines.heavy_weapons and part:
        tube = tube_named(part, ship.mounts)
        return lines.tube(tube.id) if tube else line
    named = line in book.table("form_labels")["lines"] or number == lines.reinforcement_specific
    return number if part and not named else line


def _lines(ship: ShipClass, book: Any) -> list[str]:
    lines: list[str] = []
    names = book.lines
    weapons = book.table("weapons")["weapons"]
    for number, use in book.descriptor["form"]["lines"].items():
        counts = use.get("counts", "yes")
        if number == names.cloak:
            lines += [names.cloak] if ship.cloak_cost is not None else []
        elif counts != "yes" and not book.allows(counts.removeprefix("option:")):
            continue
        elif number == names.phasers:
            lines += [names.capacitor_held, names.phasers, names.phasers_fired]
        elif number == names.heavy_weapons:
            lines += [names.tube(mount.id) for mount in ship.mounts if weapons[mount.type].get("arming")]
        elif number == names.reinforcement_specific:
            lines += [names.reinforced(shield) for shield in sorted(ship.shields)]
        elif number == names.other:
            lines += [names.ecm, names.eccm] + ([names.cloak] if ship.cloak_cost is not None else [])
        else:
            lines.append(number)
    return list(dict.fromkeys(lines))


def _spends(line: str, lines: FormLines) -> bool:
    number = line.partition(":")[0]
    return (
        number.isdigit()
        and 7 <= int(number) <= 19
        and line not in (lines.capacitor_held, lines.phasers_fired)
    )


def _row(
    line: str,
    lines: list[str],
    spending: list[int],
    known: dict[str, dict[int, Fraction]],
    ship: ShipClass,
    book: Any,
) -> FormRow:
    from referee.formats.sheets.writeform import FormRow

    number = line.partition(":")[0]
    sums: tuple[int, ...] = ()
    if line == book.lines.power:
        sums = tuple(lines.index(made) for made in book.lines.sources)
    elif line == book.lines.spent:
        sums = tuple(spending)
    names = book.lines
    gives = (*names.sources, names.power, names.batteries, names.discharged, names.used_in_turn)
    kind: Literal["power", "spending", ""] = (
        "power" if line in gives else "spending" if _spends(line, names) or line == names.spent else ""
    )
    most = _most(line, ship, names)
    return FormRow(
        label=book.lines.title(line) or f"Line {line}",
        figures=known.get(line, {}),
        sums=sums,
        number=number if number.isdigit() else "",
        part=kind,
        most=most,
        help=_help(number, most, book),
    )


def _help(number: str, most: Fraction | None, book: Any) -> str:
    """A word of help on a line: what its rule says first, and what a whole ship has of it."""
    from referee.core.energy import show_energy

    rule = book.rules.get(f"{book.named.energy}-{number}")
    said = " ".join(rule.text.split("\n\n")[0].split()) if rule else ""
    first = said.partition(". ")[0].rstrip(".")
    there = "" if most is None else f"Undamaged, this ship has {show_energy(most)} at most."
    return " ".join(filter(None, (first and f"{first}.", there)))


def _most(line: str, ship: ShipClass, lines: FormLines) -> Fraction | None:
    """The energy points a line of a whole ship holds at most, where its SSD says so."""
    boxes = dict(
        zip(lines.sources, (ship.warp, ship.boxes.get("impulse"), ship.boxes.get("apr")), strict=True)
    )
    boxes |= dict.fromkeys((lines.batteries, lines.discharged), ship.boxes.get("battery"))
    boxes |= {lines.used_in_turn: ship.boxes.get("battery")}
    found = boxes.get(line)
    return None if found is None else Fraction(found)
