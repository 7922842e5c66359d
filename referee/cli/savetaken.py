"""A VASSAL save as facts of a game: ships where they stand, their forms, and the damage their displays show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.cli.gamefrom import Reading, class_in, display_of, sides_of, unread
from referee.cli.saves import hold_names, labels_of
from referee.cli.settings import rulebook_in_force
from referee.core.forms import is_only_begun
from referee.core.play import When
from referee.core.shown import ShipTaken, Shown

if TYPE_CHECKING:
    from referee.cli.settings import Settings
    from referee.core.forms import EnergyAllocation, EnergyForm


def save_shown(reading: Reading) -> tuple[Shown, Settings]:
    """What a save shows, and the settings of its game."""
    from referee.formats.eaform import form_on
    from referee.formats.vassal.course import Chart
    from referee.formats.vassal.logged import named_apart
    from referee.formats.vassal.recognise import recognise

    save, asked, says = reading.save, reading.asked, reading.says
    table = recognise(save, reading.module, says)
    ships_there = named_apart(table.ships)
    hold_names(asked, ships_there, save.file)
    labels = labels_of(asked, says)
    chart, boards = Chart(reading.module, says), {leaf.map: leaf for leaf in save.boards}
    settings = asked.settings
    option = settings.options.get("previous_speed", "")
    left: dict[str, None] = {}
    ships: list[ShipTaken] = []
    forms: dict[str, EnergyForm | None] = {}
    for ship in ships_there:
        form = form_on(ship.table, labels) if ship.table is not None else None
        chosen, why = class_in(reading, ship, form)
        left.update(dict.fromkeys(why))
        if chosen is None:
            continue
        settings = replace(settings, rulebook=settings.rulebook or chosen.rulebook)
        book = rulebook_in_force(settings.rulebook, settings, lenient=True)
        stand = chart.stand(ship.counter, boards)
        forms[ship.name] = form
        left.update(dict.fromkeys(unread(ship, chosen, book.table("box_labels"))))
        ships.append(
            ShipTaken(
                ship.name,
                chosen,
                sides=sides_of(ship, chosen),
                hex=stand.hex,
                facing=stand.facing if stand.hex else None,
                speed=int(option) if option.isdecimal() else None,
                shown=display_of(ship, chosen, book.table("box_labels")),
            )
        )
    turn = table.clock.turn or _last_filled(forms) or 1
    if table.clock.turn is None and ships:
        left[f"the turn: its tracker does not tell it, so this is turn {turn}"] = None
    if reading.module is None and ships:
        left["where the ships stand: hex names need --module"] = None
    formed = [replace(ship, forms=_columns(forms[ship.name], turn)) for ship in ships]
    left.update((f"{ship.name}: no energy form was found for it", None) for ship in formed if not ship.forms)
    now = When(turn, table.clock.impulse)
    later = (table.clock.step_number or 1) > 1
    shown = Shown(
        save.file,
        tuple(formed),
        now,
        now,
        step=(table.clock.step or "later") if later else "",
        fresh=(now.impulse or 0) <= 1 and not later,
        left_out=tuple(left),
    )
    return shown, _with_impulses(settings, table.clock.impulses)


def _columns(form: EnergyForm | None, turn: int) -> Mapping[int, EnergyAllocation]:
    """The columns up to a turn; its own only if more is filled in than what a turn begins with."""
    columns = form.allocations if form else ()
    filled = (column for column in columns if column.turn < turn or not is_only_begun(column))
    return {column.turn: column for column in filled if column.turn <= turn}


def _last_filled(forms: Mapping[str, EnergyForm | None]) -> int:
    return max((column.turn for form in forms.values() if form for column in form.allocations), default=0)


def _with_impulses(settings: Settings, impulses: int | None) -> Settings:
    """The settings with the impulses that the tracker counts, where the player said nothing."""
    if not settings.rulebook or "impulses" in settings.options:
        return settings
    book = rulebook_in_force(settings.rulebook, settings, lenient=True)
    option = book.options.get("impulses")
    if option is None or str(impulses) not in option.values:
        return settings
    return replace(settings, options={**settings.options, "impulses": str(impulses)})
