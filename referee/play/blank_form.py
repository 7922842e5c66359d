"""The rows of an energy form to fill in: a line, tube or shield each, what is known of it, and what it may hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

from referee.adjudicator.capacitor import phaser_energy
from referee.core.energy import show_energy
from referee.core.forms import EnergyForm, FormLines
from referee.core.naming import tube_named
from referee.core.ship import ShipClass, plain_id
from referee.formats.sheets.writeform import BlankForm, FormRow

TURNS = 11


def blank_form(
    ship: ShipClass,
    rulebook: Any,
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
    lines = [line for line in _lines(ship, rulebook) if line != rulebook.lines.discharged or not one_record]
    known = _by_row(known, ship, rulebook)
    notes = {_row_of(line, ship, rulebook): text for line, text in notes.items()}
    lines += [line for line in (*known, *notes) if line not in lines]
    spending = [n for n, line in enumerate(lines) if _spends(line, rulebook.lines)]
    rows = tuple(
        replace(_row(line, lines, spending, known, ship, rulebook), note=notes.get(line, ""))
        for line in lines
    )
    over = frozenset(turn for figures in known.values() for turn in figures if turn < last) - open_turns
    first = min(over | open_turns, default=1)
    turns = tuple(range(first, max(first + TURNS, last + 1)))
    names = rulebook.lines
    # A form that keeps one record of batteries says on line 21 what they gave to the allocation too.
    batteries = names.discharged if names.discharged in lines else names.used_in_turn
    # Where batteries give what they are charged with in the same turn, line 5 is not all that they hold.
    charged = batteries if rulebook.allows("recharge_same_turn") else names.batteries
    given = tuple(lines.index(line) for line in (names.power, charged, batteries))
    spent = lines.index(names.spent) if names.spent in lines else None
    return BlankForm(
        ship=name or plain_id(ship.id),
        turns=turns,
        rows=rows,
        title=ship.name,
        over=over,
        given=given,
        spent=spent,
    )


def keeps_one_record(form: EnergyForm, lines: FormLines) -> bool:
    """Does a form say what batteries gave in the turn, and has no row for what allocation took out of them?"""
    rows = {line for turn in form.allocations for line in (*turn.entries, *turn.blanks)}
    return lines.used_in_turn in rows and lines.discharged not in rows


def _by_row(
    known: dict[str, dict[int, Fraction]], ship: ShipClass, rulebook: Any
) -> dict[str, dict[int, Fraction]]:
    """What is known by the rows of the form that is written: a weapon's under its own mark, however it was
    called, and parts that have no label with their line. Two rows of one weapon stay two where both have energy
    in a turn: which is meant is not known."""
    rows: dict[str, dict[int, Fraction]] = {}
    for line, figures in known.items():
        number = line.partition(":")[0]
        there = rows.setdefault(_row_of(line, ship, rulebook), {})
        if number == rulebook.lines.heavy_weapons and any(
            there.get(turn) and amount for turn, amount in figures.items()
        ):
            rows[line] = dict(figures)
            continue
        for turn, amount in figures.items():
            there[turn] = there.get(turn, Fraction(0)) + amount
    return rows


def _row_of(line: str, ship: ShipClass, rulebook: Any) -> str:
    """The row of the form that is written for a line: a weapon's bears its own mark."""
    number, _, part = line.partition(":")
    lines = rulebook.lines
    if number == lines.heavy_weapons and part:
        tube = tube_named(part, ship.mounts)
        return lines.tube(tube.id) if tube else line
    named = line in rulebook.table("form_labels")["lines"] or number == lines.reinforcement_specific
    return number if part and not named else line


def _lines(ship: ShipClass, rulebook: Any) -> list[str]:
    lines: list[str] = []
    names = rulebook.lines
    weapons = rulebook.table("weapons")["weapons"]
    for number, use in rulebook.descriptor["form"]["lines"].items():
        counts = use.get("counts", "yes")
        if number == names.cloak:
            lines += [names.cloak] if ship.cloak_cost is not None else []
        elif counts != "yes" and not rulebook.allows(counts.removeprefix("option:")):
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
    rulebook: Any,
) -> FormRow:
    number = line.partition(":")[0]
    sums: tuple[int, ...] = ()
    if line == rulebook.lines.power:
        sums = tuple(lines.index(made) for made in rulebook.lines.sources)
    elif line == rulebook.lines.spent:
        sums = tuple(spending)
    names = rulebook.lines
    gives = (*names.sources, names.power, names.batteries, names.discharged, names.used_in_turn)
    kind: Literal["power", "spending", ""] = (
        "power" if line in gives else "spending" if _spends(line, names) or line == names.spent else ""
    )
    most = _most(line, ship, rulebook)
    return FormRow(
        label=rulebook.lines.title(line) or f"Line {line}",
        figures=known.get(line, {}),
        sums=sums,
        number=number if number.isdigit() else "",
        part=kind,
        most=most,
        help=_help(line, most, rulebook),
    )


def _help(line: str, most: Fraction | None, rulebook: Any) -> str:
    """A word of help on a line: what its rule says first, and what a whole ship has of it."""
    number = line.partition(":")[0]
    key = (
        f"{rulebook.named.energy}-{number}" if number != rulebook.lines.phasers else rulebook.named.capacitor
    )
    rule = rulebook.rules.get(key)
    unruled = f"Line {number}, {rulebook.lines.title(line)}: what is paid is added up; no rule here limits it"
    first = " ".join(rule.text.split("\n\n")[0].split()).partition(". ")[0].rstrip(".") if rule else unruled
    there = "" if most is None else f"Undamaged, this ship has {show_energy(most)} at most."
    return f"{first}. {there}".rstrip()


def _most(line: str, ship: ShipClass, rulebook: Any) -> Fraction | None:
    """The energy points a line of a whole ship holds at most, where its SSD says so."""
    lines: FormLines = rulebook.lines
    if line == lines.capacitor_held:
        return phaser_energy(rulebook, ship.mounts)
    boxes = dict(
        zip(lines.sources, (ship.warp, ship.boxes.get("impulse"), ship.boxes.get("apr")), strict=True)
    )
    boxes |= dict.fromkeys((lines.batteries, lines.discharged), ship.boxes.get("battery"))
    boxes |= {lines.used_in_turn: ship.boxes.get("battery")}
    found = boxes.get(line)
    return None if found is None else Fraction(found)
