"""An energy form as a table for people, and as the JSON that `referee check` reads."""

from __future__ import annotations

from typing import Any

from referee.core.energy import show_energy
from referee.core.forms import EnergyForm
from referee.core.safe import safe_line

_NAMES = {
    "1": "warp engines",
    "2": "impulse",
    "3": "reactors",
    "4": "total power",
    "5": "batteries available",
    "6": "batteries discharged",
    "7": "life support",
    "8": "fire control",
    "9:held": "capacitor held",
    "9": "phasers charged",
    "9:fired": "phasers fired",
    "10": "heavy weapons",
    "11": "shields",
    "12": "general reinforcement",
    "13": "shield reinforcement",
    "14": "movement",
    "15": "damage control",
    "16": "recharge batteries",
    "17": "tractor",
    "18": "transporter",
    "20": "total used",
    "21": "batteries used in the turn",
}
_BEFORE = {"9:held": 0, "9": 1, "9:fired": 2}


def _order(line: str) -> tuple[int, int, str]:
    number, _, part = line.partition(":")
    return int(number) if number.isdigit() else 99, _BEFORE.get(line, 3), part


def form_text(form: EnergyForm) -> str:
    """The form as lines by turns; what could not be read is listed below."""
    lines = sorted({line for a in form.allocations for line in a.entries}, key=_order)
    head = f"{'line':<30}" + "".join(f"{f'turn {a.turn}':>9}" for a in form.allocations)
    rows = [f"Energy form of {safe_line(form.ship or 'a ship not named')}", head]
    for line in lines:
        number, _, part = line.partition(":")
        name = f"{number:>2} {_NAMES.get(line) or f'{_NAMES.get(number, number)} {part}'}"
        cells = [show_energy(a.entries[line].amount) if line in a.entries else "" for a in form.allocations]
        rows.append(f"{safe_line(name):<30}" + "".join(f"{cell:>9}" for cell in cells))
    for problem in form.problems:
        rows.append(
            f"{safe_line(str(problem.location))}: {safe_line(problem.text)}: {safe_line(problem.reason)}"
        )
    return "\n".join(rows) + "\n"


def form_json(form: EnergyForm) -> dict[str, Any]:
    """The form by `schemas/energy-allocation.schema.json`."""
    turns = []
    for allocation in form.allocations:
        lines: dict[str, Any] = {}
        for line in sorted(allocation.entries, key=_order):
            number, _, part = line.partition(":")
            amount = str(allocation.entries[line].amount)
            if part and number in ("10", "13"):
                parts = lines.setdefault(number, {})
                if isinstance(parts, dict):
                    parts[part] = amount
            else:
                lines[line] = amount
        turns.append({"turn": allocation.turn, "lines": lines})
    document: dict[str, Any] = {"schema": "referee/energy-allocation/1"}
    if form.ship:
        document["ship"] = form.ship
    return {**document, "turns": turns}
