"""What a record holds that goes into no save or log: told line by line, so that nothing is left out in silence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.adjudicator.record_forms import speed_paid
from referee.core.naming import folded, weapon_line
from referee.core.state import new_state
from referee.play.recorded_columns import Columns
from referee.rulebooks.sfb.allocation import spends

if TYPE_CHECKING:
    from referee.core.forms import EnergyAllocation, EnergyForm, FormLines
    from referee.core.game import ShipInGame
    from referee.core.ship import Mount
    from referee.play.game_file import Game

_LOG = "a log keeps its own steps (write it into a save)"
"""Why a fact of the record does not go into a log, and what takes it."""


def not_in_a_log(game: Game) -> Iterator[str]:
    """Everything of a record but its rulings, fouls and head code: none of it goes into a log."""
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
        columns, mounts = Columns(game, ship), game.ship_class(ship).mounts
        same = [
            turn
            for turn in ship.forms
            if turn in shown and _is_same(columns, mounts, game.rulebook.lines, shown[turn])
        ]
        why = "its sheet does not show it so" if sheet else "it has no sheet"
        if lacking := [turn for turn in ship.forms if turn not in same]:
            yield f"{name}: its form of {_turns(lacking)}: {why}"
        if lacking := [
            turn
            for turn in ship.speeds
            if not _tells_speed(game, columns, ship, turn, shown.get(turn), turn in same)
        ]:
            speeds = ", ".join(f"{ship.speeds[turn]} in turn {turn}" for turn in sorted(lacking))
            yield f"{name}: its speed, {speeds}: {why}"


def _is_same(columns: Columns, mounts: Sequence[Mount], lines: FormLines, shown: EnergyAllocation) -> bool:
    """Does a sheet say of a turn what was filed for it? Blank lines and lines of 0 are the same, and so are the
    names of a weapon; what phasers fired in the turn is filed by nobody. Beside it may stand what is known as
    the turn begins and sums that are right, where the form says nothing of them; its own sums need not."""
    if shown.unread:
        return False
    filed = _named(columns.filed(shown.turn), mounts, lines)
    there = _named({line: entry.amount for line, entry in shown.entries.items()}, mounts, lines)
    differs = {line for line in {*filed, *there} if filed.get(line) != there.get(line)} - {
        lines.phasers_fired
    }
    differs -= lines.sums - there.keys()
    if not differs:
        return True
    known: dict[str, Fraction] = {**columns.begins(shown.turn), lines.spent: _spent(filed)}
    return all(line in there and line not in filed and there[line] == known.get(line) for line in differs)


def _named(figures: Mapping[str, Fraction], mounts: Sequence[Mount], lines: FormLines) -> dict[str, Fraction]:
    """The lines that are not 0, each weapon's under its own mark."""
    return {weapon_line(line, mounts, lines): amount for line, amount in figures.items() if amount}


def _spent(figures: Mapping[str, Fraction]) -> Fraction:
    """What the lines 7 to 19 of a form come to."""
    return sum((amount for line, amount in figures.items() if spends(line)), Fraction(0))


def _tells_speed(
    game: Game, columns: Columns, ship: ShipInGame, turn: int, shown: EnergyAllocation | None, same: bool
) -> bool:
    """Does a sheet tell the speed of a turn, in so many words or by what is paid for it?"""
    speed, lines = ship.speeds[turn], game.rulebook.lines
    if not same and (shown is None or lines.speed in shown.entries):
        return shown is not None and shown.amount(lines.speed) == speed
    paid = shown.known(lines.movement) if shown else None
    if same or (turn in ship.forms and paid == columns.filed(turn).get(lines.movement)):
        return speed_paid(game.rulebook, game.ship_class(ship), ship, turn) == speed
    return bool(paid) and paid == speed * game.ship_class(ship).move_cost


def _turns(turns: Iterable[int]) -> str:
    row = sorted(turns)
    return f"turn{'s' if len(row) > 1 else ''} {', '.join(map(str, row))}"
