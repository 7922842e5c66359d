"""What a map shows of a game: the ways of the turn, shields that were struck, where a weapon bears, hexes to enter next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.core.arcs import bears
from referee.core.errors import BadInput
from referee.core.hexgrid import Hex, relative_offset, true_range
from referee.core.naming import folded, names_like
from referee.core.positions import PlayedGame, Position, UnitShown
from referee.core.ship import Mount
from referee.rulebooks.base import Rulebook

_FURTHEST = 30
"""Hexes a map shows a weapon's bands to: beyond them a phaser scores a point at most."""


def position_at(game: PlayedGame, when: str) -> tuple[int, Position]:
    """The position at a moment (`2.14`, `turn 2`) or a place (`#12`, `step 4`) with its number, by default the last; where
    nothing was done in an impulse, as it stood then. Raises BadInput for a moment before or after the game."""
    asked = when.strip().removeprefix("turn ").removeprefix("entry ")
    if not asked:
        return len(game.positions) - 1, game.positions[-1]
    places = [n for n, position in enumerate(game.positions) if position.place == asked]
    turn, _, impulse = asked.partition(".")
    if not places and turn.isdecimal() and (not impulse or impulse.isdecimal()):
        until = (int(turn), int(impulse) if impulse else _END)
        last = game.positions[-1].turn
        places = [n for n, shown in enumerate(game.positions) if (shown.turn, shown.impulse or 0) <= until]
        # The end of a turn comes after its impulses, and has none itself.
        places = [n for n in places if int(turn) <= last and (not impulse or not _over(game, n, until))]
    if not places:
        first, final = game.positions[0].when, game.positions[-1].when
        hint = f"a moment is a turn or turn.impulse, from {first} to {final}; an entry is #12"
        raise BadInput(f"has no moment {when[:20]}", file=game.file, hint=hint)
    return places[-1], game.positions[places[-1]]


_END = 1_000


def _over(game: PlayedGame, n: int, until: tuple[int, int]) -> bool:
    """Does a position without an impulse come after impulses of its turn that are later than the one asked for?"""
    position = game.positions[n]
    return position.impulse is None and any(
        before.turn == position.turn == until[0] and before.impulse is not None
        for before in game.positions[:n]
    )


def tracks_of(game: PlayedGame, n: int) -> Mapping[str, Sequence[Hex]]:
    """The hexes each unit passed in the turn up to position `n`, the one it stood in before included."""
    turn = game.positions[n].turn
    tracks: dict[str, list[Hex]] = {}
    before: dict[str, Hex] = {}
    for position in game.positions[: n + 1]:
        for unit in position.units if not position.taken_back else ():
            if unit.hex is None:
                continue
            if position.turn != turn:
                before[unit.name] = unit.hex
                continue
            track = tracks.setdefault(unit.name, [before.get(unit.name, unit.hex)])
            if track[-1] != unit.hex:
                track.append(unit.hex)
    return tracks


def struck_in_turn(game: PlayedGame, n: int) -> Mapping[str, tuple[int, ...]]:
    """The shields each ship lost boxes of in the turn up to position `n`."""
    turn = game.positions[n].turn
    earlier = [position for position in game.positions[: n + 1] if position.turn < turn]
    first = next(position for position in game.positions if position.turn == turn)
    begun = {unit.name: unit.state for unit in (earlier[-1] if earlier else first).units}
    found = {}
    for unit in game.positions[n].units:
        then = begun.get(unit.name)
        if unit.state is None or then is None:
            continue
        now = unit.state.shields
        if lost := tuple(
            number for number, left in sorted(then.shields.items()) if now.get(number, 0) < left
        ):
            found[unit.name] = lost
    return found


def weapon_named(game: PlayedGame, position: Position, called: str) -> tuple[UnitShown, Mount]:
    """The ship and the weapon of `Constellation PH-1/A`. Raises BadInput where either is not there."""
    ships = [unit for unit in position.units if unit.kind == "ship" and unit.name in game.classes]
    ship = max(
        (unit for unit in ships if folded(called).startswith(folded(unit.name))),
        key=lambda unit: len(unit.name),
        default=None,
    )
    if ship is None:
        hint = names_like(called[:60], [unit.name for unit in ships])
        raise BadInput(f"no ship in {called[:60]}", file=game.file, hint=hint or 'as "Constellation PH-1/A"')
    mounts = game.classes[ship.name].mounts
    wanted = folded(called)[len(folded(ship.name)) :]
    for mount in mounts:
        if folded(mount.id) == wanted:
            return ship, mount
    raise BadInput(
        f"{ship.name} has no weapon {called[len(ship.name) :].strip()[:30] or 'named'}",
        file=game.file,
        hint=", ".join(mount.id for mount in mounts),
    )


def bands_of(rulebook: Rulebook, ship: UnitShown, mount: Mount) -> Mapping[Hex, int]:
    """The range band of every hex a weapon bears into, from 0; none for a ship off the map. Its bands are those of the
    rulebook's table, or a hex each where it has a column for every range."""
    if ship.hex is None or ship.facing is None:
        return {}
    ends = _band_ends(rulebook, mount)
    most = min(max(ends, default=0), _FURTHEST)
    found: dict[Hex, int] = {}
    for hex in _around(ship.hex, most):
        range_ = true_range(ship.hex, hex)
        if bears(mount.arc, relative_offset(ship.hex, ship.facing, hex)):
            found[hex] = next(n for n, end in enumerate(ends) if range_ <= end)
    return found


def ranges_of(rulebook: Rulebook, mount: Mount) -> list[str]:
    """The range bands of a weapon as its table heads them: 0, 1, 2, 3-5."""
    return [f"{low}-{high}" if low < high else str(high) for low, high in _bands(rulebook, mount)]


def is_launched(rulebook: Rulebook, mount: Mount) -> bool:
    """Is a weapon a seeker, which is launched and not fired?"""
    return bool(rulebook.table("weapons")["weapons"][mount.type].get("seeking"))


def _bands(rulebook: Rulebook, mount: Mount) -> list[tuple[int, int]]:
    """The first and last hex of each band of a weapon's table; none for a weapon that is launched."""
    weapons = rulebook.table("weapons")["weapons"]
    chart = weapons[mount.type]
    chart = weapons.get(chart.get("uses_table", ""), chart)
    limit = mount.max_range
    return [
        (low, high if limit is None else min(high, limit))
        for low, high in chart.get("bands", ())
        if limit is None or low <= limit
    ]


def _band_ends(rulebook: Rulebook, mount: Mount) -> list[int]:
    """The last hex of each band, as far as a picture goes."""
    return [min(high, _FURTHEST) for low, high in _bands(rulebook, mount) if low <= _FURTHEST]


def _around(hex: Hex, most: int) -> Iterator[Hex]:
    for column in range(max(1, hex.column - most), hex.column + most + 1):
        for row in range(max(1, hex.row - most), hex.row + most + 1):
            if 0 < true_range(hex, Hex(column, row)) <= most:
                yield Hex(column, row)
