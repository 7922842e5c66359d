"""The holder of an SSD is walked through the numbers of a ship that are not verified, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from referee.core.confirmed import Numbers, UnverifiedNumber, read_answer, show_answer
from referee.core.errors import BadInput
from referee.sources.confirmed import hold_numbers

GUIDE = "Enter keeps a number, a figure changes it; b goes back, ? tells more, q leaves and keeps what you answered."
_WARP = ("left_warp", "right_warp", "center_warp")


def walk(
    asked: Iterable[UnverifiedNumber],
    numbers: dict[str, Any],
    ask: Callable[[str], str | None],
    say: Callable[[str], None],
    keep: Callable[[Numbers], None],
) -> bool:
    """Asks for each number and keeps each answer at once; whether all were gone through. `ask` answers None where
    nobody answers any more."""
    rows, n, step = tuple(asked), 0, 1
    while n < len(rows):
        number = rows[n]
        if numbers.get(arc_of(number.path), "") is None and not number.path.endswith("/arc"):
            n += step if n + step >= 0 else 1  # The SSD has no such weapon, and so no range of it.
            continue
        value = numbers.get(number.path, number.value)
        gone = number.path in numbers and value is None
        shown = "none" if gone else show_answer(value) or "not known"
        sure = "confirmed" if number.path in numbers else number.status
        reply = ask(f"{n + 1}/{len(rows)} {number.words} [{shown}] ({sure}): ")
        word = "q" if reply is None else reply.strip()
        if word == "q":
            return False
        step = -1 if word == "b" and n else 1
        if word == "?":
            say(f"  {f'{number.note}. ' if number.note else ''}Write {number.takes}")
        elif word == "b":
            n = max(n - 1, 0)
        elif word or value is not None or gone:
            try:
                numbers[number.path] = read_answer(number.path, word) if word else value
            except ValueError as error:
                say(f"  {error}; write {number.takes}")
                continue
            _drop_ranges_of_none(numbers)
            keep(numbers)
            n += 1
        else:
            n += 1  # What the sheet does not know stays unknown.
    return True


def arc_of(path: str) -> str:
    """The path of the arc of the weapon that a path is about."""
    return f"{path.rpartition('/')[0]}/arc" if path.startswith("mounts/") else ""


def _drop_ranges_of_none(numbers: dict[str, Any]) -> None:
    """A weapon that the SSD does not have has no range."""
    for path in [path for path in numbers if numbers.get(arc_of(path), "") is None and path != arc_of(path)]:
        del numbers[path]


def set_numbers(
    id: str, asked: Iterable[UnverifiedNumber], numbers: dict[str, Any], settings: Iterable[str], yes: bool
) -> None:
    """Numbers as they are said by a script, `shields/3=8`; with `yes` every other one is as the sheet says. Raises
    BadInput."""
    rows = {number.path: number for number in asked}
    for setting in settings:
        path, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise BadInput(f"--set {setting[:60]} has no number", hint="--set shields/3=8")
        if path not in rows:
            hold_numbers(id, {path: text})
        try:
            numbers[path] = read_answer(path, text)
        except ValueError as error:
            raise BadInput(f"--set {setting[:60]}: {error}", hint=f"write {rows[path].takes}") from None
    if yes:
        numbers.update(
            {
                path: number.value
                for path, number in rows.items()
                if number.value is not None and path not in numbers
            }
        )
    _drop_ranges_of_none(numbers)


def contradictions(sheet: Mapping[str, Any]) -> Iterator[str]:
    """Sums of a data sheet that do not fit its totals."""
    boxes = {name: number["value"] for name, number in sheet.get("boxes", {}).items()}
    totals = {name: number["value"] for name, number in sheet.get("figures", {}).items()}
    warp = sum(boxes.get(name, 0) for name in _WARP)
    power = warp + boxes.get("impulse", 0) + boxes.get("apr", 0)
    for name, total, what in (("warp_total", warp, "warp boxes"), ("power_total", power, "power boxes")):
        if name in totals and totals[name] != total and any(part in boxes for part in _WARP):
            yield f"{total} {what} do not fit {name.replace('_', ' ')} {totals[name]}: look again"
