"""What a record holds that goes into no save or log: told line by line, so that nothing is left out in silence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from referee.core.naming import folded, weapon_line

if TYPE_CHECKING:
    from referee.cli.game.file import Game
    from referee.core.forms import EnergyAllocation, EnergyForm
    from referee.core.game import ShipInGame

_LOG = "a log keeps its own steps (write it into a save)"
"""Why a fact of the record does not go into a log, and what takes it."""


def not_in_a_log(game: Game) -> Iterator[str]:
    """Everything of a record but its rulings, fouls and head code: none of it goes into a log."""
    from referee.core.state import new_state

    state = game.state
    for name, ship in state.ships.items():
        if ship.unit.hex is not None:
            yield f"{name} at {ship.position}: {_LOG}"
        if ship.state != new_state(game.ship_class(ship)):
            yield f"{name}: its damage: {_LOG}"
        for what, turns in (("form", ship.forms), ("speed", ship.speeds)):
            if turns:
                yield f"{name}: its {what} of {_turns(turns)}: a log keeps its own steps (game chat tells it)"
    for seeker in state.seekers.values():
        yield f"{seeker.name} at {seeker.hex}{seeker.facing}: {_LOG}"
    if state.own is not None:
        yield "its ships, which its rulebook keeps itself: they are not VASSAL's"
    if state.turn:
        yield f"the turn tracker at turn {state.turn}, impulse {state.impulse or 0}: {_LOG}"
    standing = [entry for entry in game.entries if entry.seq not in state.undone]
    for what, kinds in (("orders", ("order",)), ("rolls", ("result",)), ("sealed orders", ("seal",))):
        if count := sum(entry.type in kinds for entry in standing):
            yield f"its {what}, {count} in all: a log keeps its own steps (game chat tells them)"


def not_on_sheets(sheets: Mapping[str, EnergyForm | None], game: Game) -> Iterator[str]:
    """The forms filed and speeds said in a record that the sheets of a save do not show. `sheets` has the form
    of each ship of the save by its folded name, None where it has no sheet."""
    for name, ship in game.state.ships.items():
        if folded(name) not in sheets:
            continue
        sheet = sheets[folded(name)]
        shown = {each.turn: each for each in sheet.allocations} if sheet else {}
        same = [turn for turn in ship.forms if turn in shown and _is_same(game, ship, turn, shown[turn])]
        why = "its sheet does not show it so" if sheet else "it has no sheet"
        if lacking := [turn for turn in ship.forms if turn not in same]:
            yield f"{name}: its form of {_turns(lacking)}: {why}"
        if lacking := [turn for turn in ship.speeds if not _tells_speed(game, ship, turn, shown, same)]:
            speeds = ", ".join(f"{ship.speeds[turn]} in turn {turn}" for turn in sorted(lacking))
            yield f"{name}: its speed, {speeds}: {why}"


def _is_same(game: Game, ship: ShipInGame, turn: int, shown: EnergyAllocation) -> bool:
    """Does a sheet say of a turn what was filed for it? Blank lines and lines of 0 are the same, and so are the
    names of a weapon; what phasers fired in the turn is filed by nobody."""
    from referee.adjudicator.chargelog import FIRED
    from referee.adjudicator.gameforms import allocation_from

    filed = allocation_from(ship.forms[turn], turn, shown.place)
    mounts = game.ship_class(ship).mounts
    figures = [
        {
            weapon_line(line, mounts): entry.amount
            for line, entry in form.entries.items()
            if entry.amount and line != FIRED
        }
        for form in (filed, shown)
    ]
    return figures[0] == figures[1]


def _tells_speed(
    game: Game, ship: ShipInGame, turn: int, shown: dict[int, EnergyAllocation], same: Iterable[int]
) -> bool:
    """Does a sheet tell the speed of a turn, in so many words or by what is paid for it?"""
    from referee.adjudicator.gameforms import speed_paid

    if turn in same:
        return speed_paid(game.rulebook, game.ship_class(ship), ship, turn) == ship.speeds[turn]
    return (
        turn in shown and "speed" in shown[turn].entries and shown[turn].amount("speed") == ship.speeds[turn]
    )


def _turns(turns: Iterable[int]) -> str:
    row = sorted(turns)
    return f"turn{'s' if len(row) > 1 else ''} {', '.join(map(str, row))}"
