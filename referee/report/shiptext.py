"""A ship's data sheet as text: what it has, what is left of it, and how sure each number is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from referee.core.energy import show_energy
from referee.core.safe import safe_line
from referee.core.ship import STATUSES, Mount, ShipClass, Sourced
from referee.core.state import ShipState, live_boxes
from referee.report.battletext import table_lines
from referee.report.blocks import TextTable
from referee.report.paint import hung, window

WIDTH = 79
_HEAD = 12
_ACROSS = 3
_SIGNS = {"single-source": "*", "provisional": "?"}
_FRACTION = re.compile(r"[0-9]{1,9}(/[1-9][0-9]{0,8})?")
_SECTIONS = {"shields": ("shield ", ""), "boxes": ("", " boxes"), "tracks": ("", " track")}
_WHOLE = {"mounts": "weapons", "boxes": "all boxes", "tracks": "all tracks"}
_POWER = (("warp", ("left_warp", "right_warp", "center_warp")), ("impulse", ("impulse",)), ("apr", ("apr",)))
_SHOWN_ABOVE = {"move_cost", "turn_mode"}


LISTED = """Numbers that are not sure:
  homebrew       of no book: made for play with this program
  missing        no source has them: what needs them is not judged
  single-source  one source has them, a sound one; not counted here
  provisional    one unsure source has them: findings that rest on them say so
Which they are: referee ship show ID"""
"""What a list of ships says below itself."""


def ships_text(tables: Mapping[str, Iterable[tuple[str, ...]]]) -> str:
    """Lists of ships, each under the title of its rulebook, and what their words mean."""
    blocks = []
    for title, rows in tables.items():
        table = TextTable(("Id", "Name", "Numbers"), tuple(rows), frozenset((1, 2)))
        blocks.append("\n".join((title, "", *(line.rstrip() for line in table_lines(table, window())))))
    return "\n\n".join((*blocks, LISTED))


def ship_row(ship: ShipClass) -> tuple[str, str, str]:
    """A ship in a list: id, name, and how many numbers are missing or unsure."""
    unsure = sum(number.status == "provisional" for number in ship.sources.values())
    remarks = [f"{len(ship.missing)} missing"] if ship.missing else []
    remarks += [f"{unsure} provisional"] if unsure else []
    remarks += [f"{ship.confirmed} confirmed from your SSD"] if ship.confirmed else []
    return ship.id, ship.name, ", ".join(remarks)


def ship_card(ship: ShipClass, state: ShipState) -> str:
    """The whole sheet, without a newline at its end.

    A number that is not verified bears a sign, and "How sure" lists it with its source.
    """
    sections = [
        _title(ship, state),
        [
            *_power(ship, state),
            *_movement(ship, state),
            *_shields(ship, state),
        ],
        _systems(ship, state),
        _weapons(ship, state),
        _figures(ship),
        _how_sure(ship),
    ]
    return "\n\n".join("\n".join(section) for section in sections if section)


def _title(ship: ShipClass, state: ShipState) -> list[str]:
    kind = " ".join(part for part in (safe_line(ship.race), safe_line(ship.type)) if part)
    lines = [
        f"{safe_line(ship.name)}  ({safe_line(ship.id)})",
        *_entry("Class", kind or "not known"),
        *_entry("Rulebook", safe_line(ship.rulebook)),
    ]
    if ship.aliases:
        lines += _entry("Also called", ", ".join(map(safe_line, ship.aliases)))
    if ship.note:
        lines += _entry("Note", safe_line(ship.note))
    if state.dead:
        lines += _entry("State", "DESTROYED")
    return lines


def _entry(head: str, text: str) -> list[str]:
    return hung(text, f"{head:<{_HEAD}}", " " * _HEAD)


def _words(name: str) -> str:
    return safe_line(name).replace("_", " ")


def _sign(ship: ShipClass, *paths: str) -> str:
    """The sign of the least sure of these numbers; none for a verified one."""
    return _SIGNS.get(ship.status_of(*paths), "")


def _missing(ship: ShipClass, *paths: str) -> bool:
    """Whether one of these paths, or the section it is in, is said to be missing."""
    return any(lack in (path, path.partition("/")[0]) for path in paths for lack in ship.missing)


def _power(ship: ShipClass, state: ShipState) -> list[str]:
    parts, total, printed = [], 0, 0
    unknown = []
    for source, systems in _POWER:
        there = [system for system in systems if system in ship.boxes]
        if there:
            live = sum(len(live_boxes(ship, state, system)) for system in there)
            boxes = sum(ship.boxes[system] for system in there)
            total, printed = total + live, printed + boxes
            parts.append(f"{source} {_left(live, boxes)}{_sign(ship, *(f'boxes/{s}' for s in there))}")
        elif _missing(ship, f"boxes/{source}", *(f"boxes/{system}" for system in systems)):
            unknown.append(source)
    whole = " + ".join(parts) + (f" = {_left(total, printed)} a turn" if parts and not unknown else "")
    lacking = f"{', '.join(unknown)} not known" if unknown else ""
    lines = _entry("Power", "; ".join(filter(None, (whole, lacking))) or "none")
    if "battery" in ship.boxes:
        lines += _entry("Batteries", _batteries(ship, state))
    if state.capacitor is not None:
        lines += _entry("Capacitor", f"{show_energy(state.capacitor)} held")
    return lines


def _batteries(ship: ShipClass, state: ShipState) -> str:
    live = len(live_boxes(ship, state, "battery"))
    held = "" if state.batteries is None else f", {show_energy(state.batteries)} charged"
    return f"{_left(live, ship.boxes['battery'])}{_sign(ship, 'boxes/battery')}{held}"


def _left(live: int, printed: int) -> str:
    return str(printed) if live == printed else f"{live}/{printed}"


def _movement(ship: ShipClass, state: ShipState) -> list[str]:
    if "move_cost" in ship.figures:
        sign = _sign(ship, "figures/move_cost")
        lines = _entry("Movement", f"{show_energy(ship.move_cost)}{sign} energy a hex")
    else:
        lines = _entry("Movement", "cost of a hex not known")
    lines += _entry("Turn mode", _turn_mode(ship) + _sign(ship, "figures/turn_mode"))
    return lines + (_entry("Speed", show_energy(state.speed)) if state.speed is not None else [])


def _turn_mode(ship: ShipClass) -> str:
    mode = ship.turn_mode
    if isinstance(mode, str):
        return safe_line(mode) or "not known"
    return ", ".join(
        f"speed {low}-{high}: {straight} hex{'es' * (straight != 1)}" for low, high, straight in mode
    )


def _shields(ship: ShipClass, state: ShipState) -> list[str]:
    """The six shields where they are, the bow upwards; those not known as `-`."""
    if not ship.shields:
        return _entry("Shields", "not known")

    def shown(number: int) -> str:
        if number not in ship.shields:
            return f"{number}: -"
        left = _left(state.shields.get(number, 0), ship.shields[number])
        return f"{number}: {left}{_sign(ship, f'shields/{number}')}"

    rows = ((1,), (6, 2), (5, 3), (4,))
    lines = []
    for row in rows:
        cells = [f"{shown(number):<12}" for number in row]
        drawn = f"{'':<10}{cells[0]}" if len(cells) == 1 else f"{cells[0]:<20}{cells[1]}"
        lines.append(f"{'Shields' if row == (1,) else '':<{_HEAD}}{drawn}".rstrip())
    return lines


def _systems(ship: ShipClass, state: ShipState) -> list[str]:
    """Boxes left and printed, three systems to a line, then the tracks with lost boxes as `x`."""
    cells = []
    for system, boxes in ship.boxes.items():
        live = len(live_boxes(ship, state, system))
        cells.append(f"{_words(system)} {live}/{boxes}{_sign(ship, f'boxes/{system}')}")
    lines = _in_columns("Boxes", cells) if cells else _entry("Boxes", "not known")
    for track, numbers in ship.tracks.items():
        shown = (
            "x" if box in state.destroyed else str(number)
            for box, number in zip(ship.box_ids(track), numbers, strict=True)
        )
        lines.append(f"{'':<{_HEAD}}{_words(track)}{_sign(ship, f'tracks/{track}')}: {' '.join(shown)}")
    return lines


def _in_columns(head: str, cells: Sequence[str]) -> list[str]:
    wide = (WIDTH - _HEAD) // _ACROSS
    lines = []
    for start in range(0, len(cells), _ACROSS):
        row = "".join(f"{cell:<{wide}}" for cell in cells[start : start + _ACROSS])
        lines.append(f"{head if not start else '':<{_HEAD}}{row}".rstrip())
    return lines


def _weapons(ship: ShipClass, state: ShipState) -> list[str]:
    """A line a weapon: mark, type, arc, what limits it, what is known of it now."""
    if not ship.mounts:
        return _entry("Weapons", "not known" if _missing(ship, "mounts") else "none")
    names = [(safe_line(mount.id), safe_line(mount.type), safe_line(mount.arc)) for mount in ship.mounts]
    wide = [max(map(len, column)) for column in zip(*names, strict=True)]
    lines: list[str] = []
    for mount, (id, kind, arc) in zip(ship.mounts, names, strict=True):
        row = f"{id:<{wide[0]}}  {kind:<{wide[1]}}  {arc + _SIGNS.get(mount.status, ''):<{wide[2] + 1}}"
        remarks = "; ".join(_weapon_remarks(mount, state))
        lines.append(f"{'' if lines else 'Weapons':<{_HEAD}}{row}  {remarks}".rstrip())
    for limit, most in ship.limits.items():
        lines.append(f"{'':<{_HEAD}}{_words(limit)}: {most}{_sign(ship, f'limits/{limit}')}")
    return lines


def _weapon_remarks(mount: Mount, state: ShipState) -> Iterable[str]:
    if mount.id in state.destroyed:
        yield "LOST"
    if mount.max_range is not None:
        yield f"to range {mount.max_range}"
    if paid := state.tubes.get(mount.id):
        yield f"energy so far {' + '.join(map(show_energy, paid))}"


def _figures(ship: ShipClass) -> list[str]:
    """Every other number of the sheet."""
    cells = [
        f"{_words(name)} {_value(value)}{_sign(ship, f'figures/{name}')}"
        for name, value in ship.figures.items()
        if name not in _SHOWN_ABOVE
    ]
    return _in_columns("Figures", cells) if cells else []


def _value(value: object) -> str:
    """A number of the sheet as text; a turn mode chart as its brackets."""
    if isinstance(value, list | tuple):
        return " ".join(_value(part) for part in value)
    text = safe_line(str(value))
    return show_energy(Fraction(text)) if _FRACTION.fullmatch(text) else text


def _how_sure(ship: ShipClass) -> list[str]:
    """Every number that is not verified, together with those of the same source and note; what is missing."""
    lines = ["How sure"]
    for status in reversed(STATUSES[1:]):
        groups: dict[tuple[tuple[str, ...], str], list[str]] = {}
        for path, number in ship.sources.items():
            if number.status == status:
                groups.setdefault((number.source, number.note), []).append(_number(path, number))
        if groups:
            lines.append(f"  {_SIGNS[status]} {status}")
        for (source, note), numbers in groups.items():
            sentence = f"{', '.join(numbers)}: from {', '.join(map(safe_line, source)) or 'no source'}"
            lines += _indented(sentence + (f"; {safe_line(note)}" if note else ""))
    if len(lines) == 1 and ship.sources:
        lines.append("  every number given is verified")
    lines += [f"  {ship.confirmed} numbers are confirmed from your SSD"] if ship.confirmed else []
    if ship.missing:
        lines += ["  missing", *_indented(", ".join(_lacking(lack) for lack in ship.missing))]
    return lines if len(lines) > 1 else []


def _number(path: str, number: Sourced) -> str:
    section, _, name = path.partition("/")
    if section == "mounts":
        return f"{safe_line(name)} arc {safe_line(str(number.value))}"
    return f"{_named(section, name)} = {_value(number.value)}"


def _lacking(path: str) -> str:
    """What a path in `missing` is called: `shields/1` is `shield 1`, `mounts` is `weapons`."""
    section, _, name = path.partition("/")
    return _named(section, name) if name else _WHOLE.get(section, _words(section))


def _named(section: str, name: str) -> str:
    before, after = _SECTIONS.get(section, ("", ""))
    return f"{before}{_words(name)}{after}"


def _indented(text: str) -> list[str]:
    return hung(text, "    ", "      ")
