"""An energy form as a table for people, and as the JSON that `referee check` reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.core.energy import show_energy
from referee.core.forms import EnergyForm, FormLines
from referee.core.safe import safe_line


def _in_order(written: Iterable[str], lines: FormLines) -> list[str]:
    """Lines in the order of the form; what the capacitor holds stands before what charges it."""
    phasers = {lines.capacitor_held: 0, lines.phasers: 1, lines.phasers_fired: 2}

    def place(line: str) -> tuple[int, int, str]:
        number, _, part = line.partition(":")
        return int(number) if number.isdigit() else 99, phasers.get(line, 3), part

    return sorted(written, key=place)


def form_text(form: EnergyForm, lines: FormLines) -> str:
    """The form as lines by turns; what could not be read is listed below."""
    head = f"{'line':<30}" + "".join(f"{f'turn {a.turn}':>9}" for a in form.allocations)
    rows = [f"Energy form of {safe_line(form.ship or 'a ship not named')}", head]
    for line in _in_order({line for a in form.allocations for line in a.entries}, lines):
        number, _, name = lines.numbered(line).partition(" ")
        name = f"{number:>2} {name}" if number.isdigit() else f"   {number}"
        cells = [show_energy(a.entries[line].amount) if line in a.entries else "" for a in form.allocations]
        rows.append(f"{safe_line(name):<30}" + "".join(f"{cell:>9}" for cell in cells))
    for problem in form.problems:
        rows.append(
            f"{safe_line(str(problem.location))}: {safe_line(problem.text)}: {safe_line(problem.reason)}"
        )
    return "\n".join(rows) + "\n"


def form_json(form: EnergyForm, lines: FormLines) -> dict[str, Any]:
    """The form by `schemas/energy-allocation.schema.json`."""
    turns = []
    in_parts = lines.heavy_weapons, lines.reinforcement_specific
    for allocation in form.allocations:
        figures: dict[str, Any] = {}
        for line in _in_order(allocation.entries, lines):
            number, _, part = line.partition(":")
            amount = str(allocation.entries[line].amount)
            if part and number in in_parts:
                parts = figures.setdefault(number, {})
                if isinstance(parts, dict):
                    parts[part] = amount
            else:
                figures[line] = amount
        turns.append({"turn": allocation.turn, "lines": figures})
    document: dict[str, Any] = {"schema": "referee/energy-allocation/1"}
    if form.ship:
        document["ship"] = form.ship
    return {**document, "turns": turns}
