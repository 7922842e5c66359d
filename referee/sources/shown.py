"""A game as a VASSAL save or log shows it, as an account: where counters stand and what displays show, not how it came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.core.account import NO_TIME, Account, Coverage, Event
from referee.core.forms import EnergyAllocation
from referee.core.frozen import frozen, replace
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import When
from referee.core.ship import ShipClass
from referee.core.state import ShipState
from referee.sources.settings import Settings

WAYS = "a save or log shows where counters stand"
NO_MOVES = "what is not a log tells no moves"
MIDWAY = "it begins in the midst of a turn"


@frozen
class GameShown:
    """The account of a file, its ships' classes by their names, the settings of its game, and what of it no record
    can hold, in words."""

    account: Account
    classes: Mapping[str, ShipClass]
    settings: Settings
    left_out: tuple[str, ...] = ()


def shown(kind: str, data: Mapping[str, Any], when: When = NO_TIME, step: int | None = None) -> Event:
    """Something the file shows, from a moment on; its place in the row comes with the account."""
    return Event(0, kind, data, at=Location(step=step), when=when)


def ship_shown(
    name: str,
    ship: ShipClass,
    *,
    sides: tuple[str, ...],
    stand: tuple[Hex | None, str | None],
    speed: str,
    state: ShipState | None,
) -> Event:
    """A ship as the file begins: what its side may be called, where it stands, the speed before the first turn, and
    what its display shows."""
    hex, facing = stand
    data = {
        "ship": name,
        "class": ship.id,
        "sides": sides,
        "at": "" if hex is None else f"{hex}{facing or ''}",
        "hex": hex,
        "facing": facing if hex else None,
        "previous_speed": int(speed) if speed.isdecimal() else None,
        "state": state,
        "shows": state is not None,
    }
    return shown("ship", data)


def came_to_stand(event: Event) -> tuple[str, Hex | None, str | None] | None:
    """Which ship came to stand where by an event of its counter, and how it faces; None where it tells of no counter."""
    data = event.data
    if (seen := data.get("seen")) is not None:
        return seen["ship"], seen["move"].to_hex, seen["move"].facing_after
    if (turned := data.get("turned")) is not None:
        return turned["ship"], turned["hex"], turned["to"]
    if (left := data.get("left")) is not None:
        return left["ship"], None, None
    back = data.get("back")
    return None if back is None else (back["ship"], back["hex"], back["facing"] if back["hex"] else None)


def forms_shown(name: str, forms: Mapping[int, EnergyAllocation]) -> Iterator[Event]:
    """The forms of a ship, turn by turn."""
    for turn, form in forms.items():
        yield shown("form", {"ship": name, "turn": turn, "form": form}, When(turn))


def account_shown(
    file: str,
    events: Iterable[Event],
    *,
    since: When,
    until: When,
    until_step: str = "",
    fresh: bool = True,
    log: bool = False,
) -> Account:
    """The account of a file from when to when; `fresh` where it begins with a turn, `log` where it tells every move."""
    row = [shown("genesis", {}), *events]
    return Account(
        tuple(replace(event, seq=seq, at=replace(event.at, file=file)) for seq, event in enumerate(row)),
        Coverage(ways=WAYS, moves="" if log else NO_MOVES, start="" if fresh else MIDWAY),
        file,
        kept=False,
        since=since,
        until=until,
        until_step=until_step,
    )
