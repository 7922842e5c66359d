"""Energy forms in files: which can be read, whose ship they are of, and what they tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from referee.core.account import FILED, Account, Coverage, Event
from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.core.forms import EnergyForm
from referee.core.location import Location
from referee.core.naming import how_many
from referee.core.ship import OWN, ShipClass, plain_id
from referee.sources.asked import Asked, label_index_of
from referee.sources.inputs import InputBytes

if TYPE_CHECKING:
    from referee.core.game import ShipInGame
    from referee.formats.sheets.labels import LabelIndex
    from referee.rulebooks.base import Rulebook

_ALONE = "an energy form tells of energy alone"
TELLS = Coverage(
    dice=_ALONE,
    damage=_ALONE,
    moves=_ALONE,
    ways=_ALONE,
    steps=_ALONE,
    seekers=_ALONE,
    start=_ALONE,
    secrets=_ALONE,
)
"""What a form tells of by itself."""


def account_of(
    form: EnergyForm,
    ship: ShipClass,
    rulebook: Rulebook,
    *,
    name: str = "",
    known: Any = None,
    kind: str = FILED,
    remarks: Iterable[Finding] = (),
    **more: Any,
) -> Account:
    """The account that a form is which stands by itself: its ship, of which the damage may be `known`, and the form,
    filed or told of in another way, with what `more` is known of it."""
    name = name or form.ship or ship.name
    data = {"form": form, "known": known, **more}
    return _of_energy(rulebook, name, ship.id, (kind, data), form.place, remarks)


def account_in_game(rulebook: Rulebook, ship: ShipInGame, kind: str, file: str, **more: Any) -> Account:
    """The account that a form of a ship in a game is: proposed, shown, standing or tried, with what `more` is known of
    it."""
    return _of_energy(rulebook, ship.name, ship.state.ship, (kind, {"in_game": ship, **more}), Location(file))


def _of_energy(
    rulebook: Rulebook,
    name: str,
    ship: str,
    event: tuple[str, Mapping[str, Any]],
    place: Location,
    remarks: Iterable[Finding] = (),
) -> Account:
    """An account of one ship, of which one thing is told."""
    options = {option: rulebook.option(option) for option in rulebook.options if rulebook.option(option)}
    game = {"players": [name], "rulebook": rulebook.id, "options": options, "dice": {"mode": ""}, "fold": 2}
    entering = {"ship": name, "class": ship, "player": name}
    kind, data = event
    events = (
        Event(0, "genesis", game, at=place),
        Event(1, "ship", entering, at=place),
        Event(2, kind, {"ship": name, **data}, at=place),
    )
    return Account(events, TELLS, place.file, tuple(remarks), kept=False)


def form_rulebook(asked: Asked) -> Rulebook:
    """The rulebook whose forms are looked for in a file: the one asked for, or what the SFB rulebooks share."""
    from referee.rulebooks.registry import load_rulebook

    return load_rulebook(asked.settings.rulebook or "sfb")


def read_forms(source: InputBytes, asked: Asked, labels: LabelIndex | None = None) -> tuple[EnergyForm, ...]:
    """The forms of a file: a JSON file has one, a CSV file or a workbook one for each sheet; `labels` before the usual
    ones."""
    from referee.formats.eaform import read_forms as forms_of
    from referee.formats.eaform import read_json_form
    from referee.formats.sheets import read_sheets

    labels = labels or label_index(asked)
    if source.kind == "json":
        if source.is_record:
            raise source.no("no energy form", source.taken_by)
        return (read_json_form(source.data, source.name, labels.form),)
    try:
        return forms_of(read_sheets(source.data, source.name, source.suffix), labels)
    except BadInput:
        if source.kind == "save" or (source.kind == "text" and source.what != "text"):
            hint = source.taken_by or "referee form blank SHIP -o form.csv starts one"
            raise source.no("no energy form", hint) from None
        if source.kind != "text" or source.suffix != ".log":
            raise
        reason = "has no line that the online client writes of a game, and is no energy form"
        raise BadInput(reason, file=source.name, hint="a log of it has lines such as Impulse 1.1:") from None


def label_index(asked: Asked) -> LabelIndex:
    """The row labels of the rulebook asked for, or of those SFB rulebooks share, ready for reading."""
    return label_index_of(asked.settings.rulebook or "sfb")


def must_be_readable(form: EnergyForm) -> None:
    """Raises BadInput for a form with a cell that cannot be read as energy."""
    unreadable = [problem for problem in form.problems if problem.kind == "unreadable"]
    if unreadable:
        first, more = unreadable[0], len(unreadable) - 1
        place = first.location.cell or first.location.pointer or ""
        also = f" (and {how_many(more, 'more cell')})" if more else ""
        row = (
            f", {each.lines.named(line)}, turn {each.turn}"
            for each in form.allocations
            for line, at in each.unread.items()
            if at == first.location
        )
        raise BadInput(
            f"{first.text!r}: {first.reason}{also}",
            file=form.place.file,
            place=(f"{form.place.sheet}:{place}" if form.place.sheet else place) + next(row, ""),
            hint=first.fix or "write energy as 3, 2.5, 2 1/2, 2½ or 5/2",
        )


def ship_of_form(form: EnergyForm, asked: Asked) -> tuple[ShipClass, str]:
    """The ship class of a form, and the ship's file beside the form where it is read from there. Raises BadInput where
    neither the form nor the player says."""
    from referee.sources.ship_files import find_ship, known_ship, ship_asked_for, ship_files_beside

    named = [name for name in asked.ships if "=" not in name]
    if named:
        return ship_asked_for(named[0], asked.settings.rulebook, find_ship), ""
    if not form.ship:
        raise BadInput(
            "the form does not name its ship",
            file=form.place.file,
            hint="add a Ship row, or name it with --ship cadet/federation-ca",
        )
    try:
        return known_ship(form.ship, asked.settings.rulebook, file=form.place.file), ""
    except BadInput as error:
        beside = ship_files_beside(form.place.file, form.ship)
        if len(beside) == 1:
            return beside[0]
        if beside:
            hint = f"--ship {' or --ship '.join(file for _, file in beside)}"
            raise BadInput(f"several files here are of {form.ship}", file=error.file, hint=hint) from None
        hint, own = error.hint, f"with its own file: --ship {plain_id(form.ship).rpartition('/')[2]}.json"
        if form.ship.startswith(OWN):
            hint = own
        elif hint.startswith("known"):
            hint = f"{own}; if it is one of a game: check FILE --game GAME"
        raise BadInput(error.reason, file=error.file, place=error.place, hint=hint) from None
