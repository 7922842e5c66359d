"""The map, a ship's boxes and what is awaited in words, for whoever hears the table and does not see it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from referee.core.hexgrid import parse_open_position, relative_offset, struck_shields, true_range
from referee.core.safe import safe_line
from referee.core.state import live_boxes
from referee.live.desk_text import finding_lines, turn_told

if TYPE_CHECKING:
    from referee.core.hexgrid import Hex
    from referee.core.ship import ShipClass
    from referee.core.state import ShipState
    from referee.play.desk import Desk
    from referee.play.sight import ShipSight, Sight


def who_lines(desk: Desk) -> Iterator[str]:
    """Lines for turn, impulse and step, for who moves now and next, for what each player still owes, and for the
    mover's legal moves."""
    sight = desk.sight
    impulse = "" if sight.impulse is None else f", impulse {sight.impulse} of {sight.impulses}"
    yield safe_line(f"turn {sight.turn}{impulse}, {sight.step}")
    yield safe_line(desk.whose, 2000)
    for player, what in sight.awaited:
        yield safe_line(f"awaited of {player}: {desk.here(what)}")
    for way, against in desk.ways().items():
        why = f"no: {against[0].message} [{against[0].rule}]" if against else "yes"
        yield safe_line(f"{sight.mover} {way}: {why}")
    for doubt in desk.doubts:
        yield from finding_lines(doubt)
    if clock := desk.clock_told:
        yield clock
    yield from (safe_line(f"ruling {text}") for text in sight.rulings[-1:])
    yield from (safe_line(f"foul {text}") for text in sight.fouls[-1:])
    yield f"head {sight.head}"


def ruling_lines(desk: Desk) -> Iterator[str]:
    """All rulings and fouls of the game, in their order."""
    state = desk.game.state
    rulings = [(seq, f"ruling #{seq} {text}") for seq, text in state.rulings]
    rulings += [(foul.seq, f"foul #{foul.seq} {foul.charge}") for foul in state.fouls]
    yield from (safe_line(each) for _, each in sorted(rulings)) if rulings else ("none",)


def map_words(sight: Sight) -> Iterator[str]:
    """Where each ship stands, and how far from each other and on which shield it is seen by it."""
    there = [(ship, place) for ship in sight.ships if not ship.gone and (place := _place(ship)) is not None]
    for ship, (hex, facing) in there:
        yield safe_line(f"{ship.name} ({ship.player}) {ship.stands}{turn_told(ship)}")
        for other, (where, _) in there:
            if other is ship:
                continue
            away = true_range(hex, where)
            if not away:
                yield safe_line(f"  {other.name}: in the same hex")
                continue
            shields = struck_shields(relative_offset(hex, facing, where)) if facing else ()
            side = f", off its shield {' or '.join(f'#{n}' for n in shields)}" if shields else ""
            yield safe_line(f"  {other.name}: range {away}{side}")
    for seeker in sight.seekers:
        yield safe_line(f"seeker {seeker}")
    for hex, names in _by_hex(sight).items():
        if len(names) > 1:
            yield safe_line(f"together in {hex}: {', '.join(names)}")


def _by_hex(sight: Sight) -> dict[Hex, list[str]]:
    """The counters in each hex: ships, then seekers."""
    here: dict[Hex, list[str]] = {}
    for ship in sight.ships:
        if not ship.gone and (place := _place(ship)) is not None:
            here.setdefault(place[0], []).append(ship.name)
    for seeker in sight.seekers:
        name, _, stands = seeker.partition(" at ")
        with suppress(ValueError):
            here.setdefault(parse_open_position(stands.partition(",")[0])[0], []).append(name)
    return here


def _place(ship: ShipSight) -> tuple[Hex, str | None] | None:
    try:
        return parse_open_position(ship.at)
    except ValueError:
        return None


def box_lines(name: str, ship: ShipClass, state: ShipState) -> Iterator[str]:
    """A ship's boxes in words: of each system those that are left, then each weapon."""
    yield safe_line(f"{name}, {ship.name}{': destroyed' if state.dead else ''}")
    shields = (f"#{n} {state.shields.get(n, 0)} of {whole}" for n, whole in sorted(ship.shields.items()))
    yield f"  shields: {', '.join(shields)}"
    mounts = {mount.system for mount in ship.mounts}
    systems = [system for system in ship.systems if system not in mounts]
    boxes = (
        f"{system.replace('_', ' ')} {len(live_boxes(ship, state, system))} of {len(ship.box_ids(system))}"
        for system in systems
    )
    yield f"  boxes: {', '.join(boxes)}"
    gone = [mount.id for mount in ship.mounts if mount.id in state.destroyed]
    whole = [mount.id for mount in ship.mounts if mount.id not in state.destroyed]
    yield f"  weapons: {', '.join(whole) or 'none'}{f'; destroyed: {chr(44).join(gone)}' if gone else ''}"
