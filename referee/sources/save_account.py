"""A VASSAL save as facts of a game: ships where they stand, their forms, and the damage their displays show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.core.forms import is_only_begun
from referee.core.play import When
from referee.formats.vassal.course import MapChart
from referee.formats.vassal.recognise import recognise
from referee.sources.saves import labels_of
from referee.sources.settings import rulebook_in_force
from referee.sources.ships import (
    Reading,
    display_of,
    say_where,
    ships_in_save,
    sides_of,
    unread,
    why_left_out,
)
from referee.sources.shown import GameShown, account_shown, forms_shown, ship_shown
from referee.sources.unmapped_pieces import damage_left_out

if TYPE_CHECKING:
    from referee.core.account import Event
    from referee.core.forms import EnergyAllocation, EnergyForm, FormLines
    from referee.core.ship import ShipClass
    from referee.formats.vassal.recognise import ShipOnTable, TableState
    from referee.sources.settings import Settings

Known = list[tuple["ShipOnTable", "ShipClass", "EnergyForm | None"]]


def save_shown(reading: Reading) -> GameShown:
    """What a save shows of its game."""
    table = recognise(reading.save, reading.module, reading.module_map)
    left: dict[str, None] = {}
    known = _known(reading, table, left)
    _say_where(reading, table, left)
    settings = _settings(reading, known, table.clock.impulses)
    turn = table.clock.turn or _last_filled(form for _, _, form in known) or 1
    left.update(dict.fromkeys(_damage_left_out(reading, table, known, settings)))
    forms = _forms(reading, known, turn)
    ships = list(_ships(reading, known, settings, forms, left))
    if known and table.clock.turn is None:
        left[f"the turn: its tracker does not tell it, so this is turn {turn}"] = None
    if known and reading.module is None:
        left["where the ships stand: hex names need --module"] = None
    without = (name for name, filled in forms.items() if not filled)
    left.update((f"{name}: no energy form was found for it", None) for name in without)
    now = When(turn, table.clock.impulse)
    later = (table.clock.step_number or 1) > 1
    account = account_shown(
        reading.save.file,
        ships,
        since=now,
        until=now,
        until_step=(table.clock.step or "later") if later else "",
        fresh=(now.impulse or 0) <= 1 and not later,
    )
    classes = {ship.name: chosen for ship, chosen, _ in known}
    return GameShown(account, classes, settings, tuple(left))


def _say_where(reading: Reading, table: TableState, left: dict[str, None]) -> None:
    """Says where the seekers stand that are left out."""
    chart, boards = (
        MapChart(reading.module, reading.module_map),
        {leaf.map: leaf for leaf in reading.save.boards},
    )
    for ship in table.ships:
        stand = chart.stand(ship.counter, boards)
        say_where(left, ship.name, f"a seeker in {stand.hex}{stand.facing or ''}" if stand.hex else "")


def _known(reading: Reading, table: TableState, left: dict[str, None]) -> Known:
    """The ships whose class is known, with their forms; `left` takes why the others are not."""
    known: Known = []
    for read in ships_in_save(reading, table.ships):
        if read.chosen is None:
            left[why_left_out(read, reading.module_map)] = None
        else:
            known.append((read.ship, read.chosen, read.form))
    return known


def _forms(reading: Reading, known: Known, turn: int) -> dict[str, Mapping[int, EnergyAllocation]]:
    lines = labels_of(reading.asked, reading.module_map).form
    return {ship.name: _columns(form, lines, turn) for ship, _, form in known}


def _ships(
    reading: Reading,
    known: Known,
    settings: Settings,
    forms: Mapping[str, Mapping[int, EnergyAllocation]],
    left: dict[str, None],
) -> Iterator[Event]:
    """The ships where they stand and as their displays show them, with their forms."""
    chart, boards = (
        MapChart(reading.module, reading.module_map),
        {leaf.map: leaf for leaf in reading.save.boards},
    )
    for ship, chosen, _ in known:
        labels = rulebook_in_force(settings.rulebook, settings, lenient=True).table("box_labels")
        left.update(dict.fromkeys(unread(ship, chosen, labels)))
        stand = chart.stand(ship.counter, boards)
        yield ship_shown(
            ship.name,
            chosen,
            sides=sides_of(ship, chosen),
            stand=(stand.hex, stand.facing),
            speed=settings.options.get("previous_speed", ""),
            state=display_of(ship, chosen, labels),
        )
        yield from forms_shown(ship.name, forms[ship.name])


def _damage_left_out(reading: Reading, table: TableState, known: Known, settings: Settings) -> Iterable[str]:
    if not known:
        return ()
    rulebook = rulebook_in_force(settings.rulebook, settings, lenient=True)
    of_class = [(ship, chosen, rulebook) for ship, chosen, _ in known]
    save = reading.save
    return damage_left_out(save.pieces, table.ships, of_class, reading.module_map, save.file)


def _columns(form: EnergyForm | None, lines: FormLines, turn: int) -> Mapping[int, EnergyAllocation]:
    """The columns up to a turn; its own only if more is filled in than what a turn begins with."""
    columns = form.allocations if form else ()
    filled = (column for column in columns if column.turn < turn or not is_only_begun(column, lines))
    return {column.turn: column for column in filled if column.turn <= turn}


def _last_filled(forms: Iterable[EnergyForm | None]) -> int:
    return max((column.turn for form in forms if form for column in form.allocations), default=0)


def _settings(reading: Reading, known: Known, impulses: int | None) -> Settings:
    """The rulebook of the first ship, and the impulses that the tracker counts, where the player said
    nothing."""
    settings = reading.asked.settings
    if not known:
        return settings
    settings = replace(settings, rulebook=settings.rulebook or known[0][1].rulebook)
    option = rulebook_in_force(settings.rulebook, settings, lenient=True).options.get("impulses")
    if option is None or "impulses" in settings.options or str(impulses) not in option.values:
        return settings
    return replace(settings, options={**settings.options, "impulses": str(impulses)})
