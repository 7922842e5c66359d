"""Ships on the screen: in as many lines as there is room for, always with speed, turn, shields, and what may fire."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from referee.live.desk_text import if_armed
from referee.live.screen.styled import Line, Piece, fitted, flowed, line, spread, width_of

if TYPE_CHECKING:
    from referee.play.sight import ShipSight, Sight

FULL, SHORT = 5, 2
"""Rows of a ship where there is room, and the least in which its weapons have a row."""
_NAMED = 3
_WHY = " (i: why)"
"""What is said behind weapons that may not fire, where there is no room for the reason."""


def ships_in(sight: Sight, width: int, rows: int, about: Collection[str] = ()) -> list[Line]:
    """All ships, in no more rows than given; each has the same room. Where there is not room for all, those that what is
    open is `about` stand first, then those that move now."""
    ships = list(sight.ships)
    if not ships or rows < 1:
        return []
    each = rows // len(ships)
    if each >= SHORT:
        panels = [_ship(sight, ship, width, min(each, FULL)) for ship in ships]
        spare = rows - sum(len(lines) for lines in panels)
        for n, ship in enumerate(ships):
            # What a quiet ship leaves of its room is another's.
            whole = _ship(sight, ship, width, len(panels[n]) + spare)
            spare -= len(whole) - len(panels[n])
            panels[n] = whole
        return [row for rows in panels for row in rows]
    if len(ships) > rows:
        ships.sort(key=lambda ship: (ship.name not in about, not ship.moves, bool(ship.gone)))
        hidden = len(ships) - rows + 1
        shown = [_least(sight, ship, width) for ship in ships[: rows - 1]]
        return [*shown, line(f"  and {hidden} more ships: i shows all", style="dim")]
    return [_least(sight, ship, width) for ship in ships]


def ship_whole(sight: Sight, ship: ShipSight, width: int) -> list[Line]:
    """A ship with all that is known of it."""
    return _ship(sight, ship, width, 99)


def _ship(sight: Sight, ship: ShipSight, width: int, rows: int) -> list[Line]:
    """A ship in at most so many rows."""
    if ship.gone:
        return [fitted(line(("  ", ""), (ship.name, "dim"), (f"  {ship.gone}", "dim")), width)]
    if rows < 3:
        shields, whose = _shields_short(ship), line(("  ", ""), (ship.player, "dim"))
        first, below = (*_head(sight, ship), *whose), line("    ", *_fires(ship))
        if width_of((*first, *shields)) >= width:
            first, below = first[: -len(whose)], (*line("  "), *whose, *line("  "), *below[1:])
        second = [(*below, *nots) for nots in _nots(ship)]
        fits = (row for row in second if width_of(row) <= width)
        return [spread(first, shields, width), fitted(next(fits, second[-1]), width)]
    head = [spread(_head(sight, ship), line((ship.player, "dim")), width), _shield_row(ship, width)]
    may = flowed(
        line("    fires    "), [line(each) for each in _may(ship)] or [line(("nothing", "dim"))], width
    )
    room = max(rows - len(head) - len(may), 1)
    return [*head, *may[: rows - 2], *_reasons(ship, width, room)][: max(rows, 3)]


def _head(sight: Sight, ship: ShipSight) -> Line:
    mark = "▸ " if ship.name == sight.mover else "· " if ship.moves else "  "
    speed = "no speed" if ship.speed is None else f"speed {ship.speed}"
    return line(
        (mark, "good"),
        (ship.name, "bold"),
        f" {ship.place}",
        f"  {speed}  ",
        (_turn(ship), "good" if ship.to_turn == 0 else ""),
        (f"  {ship.cloak}", "warn") if ship.cloak else "",
        ("  robot", "dim") if ship.robot else "",
    )


def _turn(ship: ShipSight) -> str:
    if ship.to_turn is None:
        return ""
    return "may turn" if not ship.to_turn else f"turns after {ship.to_turn} more"


def _shield_row(ship: ShipSight, width: int) -> Line:
    """Shields in as many words as go in."""
    label, inside = "    shields  ", f"{ship.inside} inside gone" if ship.inside else ""
    ways = ("#{n} {left}/{whole}  ", "#{n} {left}/{whole} ", "#{n} {left}  ", "{left} ")
    rows = [line(label, *_shields(ship, way), (inside, "warn")) for way in ways]
    return next((row for row in rows if width_of(row) <= width), rows[-1])


def _shields(ship: ShipSight, way: str) -> Line:
    """The six shields, each as `way` says; one that is struck or down in its colour."""
    return tuple(
        (
            way.format(n=n, left=left, whole=whole),
            "bad" if whole and not left else "warn" if left < whole else "",
        )
        for n, (left, whole) in enumerate(ship.shields, 1)
    )


def _shields_short(ship: ShipSight) -> Line:
    gone: Line = ((f"-{ship.inside}", "warn"),) if ship.inside else ()
    return (*_shields(ship, "{left} "), *gone)


def _least(sight: Sight, ship: ShipSight, width: int) -> Line:
    """A ship in one row."""
    if ship.gone:
        return fitted(line(("  ", ""), (f"{ship.name}  {ship.gone}", "dim")), width)
    turn = "turns" if ship.to_turn == 0 else "" if ship.to_turn is None else f"turn in {ship.to_turn}"
    mark = "▸ " if ship.name == sight.mover else "· " if ship.moves else "  "
    speed = "-" if ship.speed is None else str(ship.speed)
    wide = max(14, *(width_of(line(each.name)) for each in sight.ships))
    left = line(
        (mark, "good"),
        *fitted(line((ship.name, "bold")), wide),
        f" {ship.at:<6}{speed:>2} ",
        *fitted(line(turn), 10),
    )
    middle = line(" ", *_shields_short(ship))
    cloak = line((f"{ship.cloak} ", "warn")) if ship.cloak else ()
    return fitted(
        (
            *fitted(left, wide + 23),
            *fitted(middle, 23),
            *cloak,
            *line(*_fires(ship), *_not_so_many(ship)),
        ),
        width,
    )


# -- weapons -----------------------------------------------------------------------------


def marks_told(marks: Iterable[str]) -> str:
    """Weapons with what begins alike said once: `PH-1/A,B PHOT/A`."""
    by_type: dict[str, list[str]] = {}
    for mark in marks:
        type, _, letter = mark.rpartition("/")
        by_type.setdefault(type, []).append(letter)
    return " ".join(
        f"{type}/{','.join(letters)}" if type else ",".join(letters) for type, letters in by_type.items()
    )


def _may(ship: ShipSight) -> list[tuple[str, str]]:
    """The weapons that may fire now, by whom they bear on; then those that may be launched."""
    by_target: dict[tuple[bool, int, tuple[str, ...]], list[str]] = {}
    for weapon in ship.weapons:
        if weapon.may:
            by_target.setdefault((weapon.seeks, weapon.arms, weapon.targets), []).append(weapon.mark)
    return [
        (
            f"{'launches ' if seeks else ''}{marks_told(marks)} at {_either(targets)}{if_armed(arms)}",
            "warn" if arms else "good",
        )
        for (seeks, arms, targets), marks in sorted(by_target.items(), key=lambda item: item[0][:2])
    ]


def _either(targets: Sequence[str]) -> str:
    """Targets, the first of them by name."""
    if len(targets) <= _NAMED:
        return " or ".join(targets)
    return f"{' or '.join(targets[: _NAMED - 1])} or {len(targets) - _NAMED + 1} others"


def _fires(ship: ShipSight) -> Sequence[Piece]:
    marks = marks_told(
        weapon.mark for weapon in ship.weapons if weapon.may and not (weapon.seeks or weapon.arms)
    )
    fires: Sequence[Piece] = (("fires ", ""), (marks, "good")) if marks else (("fires nothing", "dim"),)
    launched = marks_told(ship.may_launch)
    return (*fires, ("  launches ", ""), (launched, "good")) if launched else fires


def _not_so_many(ship: ShipSight) -> Sequence[Piece]:
    number = sum(not weapon.may for weapon in ship.weapons)
    return ((f"  not {number}", "dim"),) if number else ()


def _nots(ship: ShipSight) -> Iterable[Line]:
    """The weapons that may not fire in ever fewer words: each with its reason, without it, how many they are."""
    reasons = _against(ship)
    for whole in range(len(reasons), -1, -1):
        parts = [f"{marks_told(marks)} {why}" for why, marks in [*reasons.items()][:whole]]
        rest = [mark for marks in [*reasons.values()][whole:] for mark in marks]
        for which in (f"{marks_told(rest)}{_WHY}", f"{len(rest)}{' more' * bool(parts)}"):
            text = "; ".join(parts + [which] * bool(rest))
            yield line((f"  not {text}", "dim")) if text else ()


def _against(ship: ShipSight) -> dict[str, list[str]]:
    """Why the others may not fire: the weapons by the reason."""
    reasons: dict[str, list[str]] = {}
    for weapon in ship.weapons:
        if not weapon.may:
            why = f"{weapon.why} [{weapon.rule}]" if weapon.rule else weapon.why
            reasons.setdefault(why, []).append(weapon.mark)
    return reasons


def _reasons(ship: ShipSight, width: int, rows: int) -> list[Line]:
    """Why the others may not fire, in so many rows; where there is not room the last row says of some only which."""
    reasons = _against(ship)
    parts = [line((marks_told(marks), "bold"), (f" {why}", "dim")) for why, marks in reasons.items()]
    if not parts:
        return []
    label = line(("    not      ", "dim"))
    lines: list[Line] = []
    for whole in range(len(parts), -1, -1):
        lines = flowed(label, parts[:whole], width, "; ") if whole else []
        if len(lines) + (whole < len(parts)) <= rows:
            marks = marks_told(mark for each in [*reasons.values()][whole:] for mark in each)
            rest = line((marks, "bold"), (_WHY, "dim")) if marks else ()
            lines += [((" " * width_of(label), "") if whole else label[0], *rest)] if rest else []
            break
    return [fitted(each, width) for each in lines]
