"""Energy forms given beside a play-by-play of the closed online client, with `--form SHIP=FILE`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.core.errors import BadInput
from referee.core.forms import EnergyForm
from referee.core.naming import folded, most_like
from referee.sources.asked import Asked
from referee.sources.forms import must_be_readable, read_forms
from referee.sources.inputs import read_input


def forms_given(asked: Asked) -> dict[str, EnergyForm]:
    """The forms given with `--form SHIP=FILE`, by the ship's name as it was written. Raises BadInput."""
    given: dict[str, EnergyForm] = {}
    for form in asked.forms:
        name, equals, path = form.partition("=")
        if not equals or not name.strip() or not path:
            raise BadInput(f"--form {form[:60]}", hint='write --form "Kharg=form.csv"')
        forms = read_forms(read_input(path), asked)
        if len(forms) != 1:
            raise BadInput(f"has {len(forms)} forms", file=path, hint="give one ship's form in a file")
        must_be_readable(forms[0])
        if name.strip() in given:
            raise _given_twice(f"{name.strip()[:60]}: it has one")
        given[name.strip()] = forms[0]
    return given


def hold_forms(given: Mapping[str, EnergyForm], ships: Iterable[str], file: str) -> None:
    """Raises BadInput for a form of a ship that is none of those of known class, that may be several, or that has
    another form."""
    known = list(ships)
    held: dict[str, str] = {}
    for name in given:
        ship = ship_meant(name, known)
        if not ship:
            near = most_like(name, known) or known[:12]
            reason = f"--form {name[:60]}: no one ship of known class is called so"
            raise BadInput(reason, file=file, hint=f"there are {', '.join(near)}" if near else "")
        if ship in held:
            raise _given_twice(f"{name[:60]}: {ship} has that of {held[ship][:60]}")
        held[ship] = name


def _given_twice(form: str) -> BadInput:
    return BadInput(f"--form {form} already", hint="give one form of a ship, with all its turns")


def ship_meant(name: str, ships: Iterable[str]) -> str:
    """The ship a form is of by the name it was given with; nothing where none or several may be."""
    known = list(ships)
    exact = [ship for ship in known if folded(ship) == folded(name)]
    words = frozenset(name.casefold().split())
    fits = exact or [ship for ship in known if words <= frozenset(ship.casefold().split())]
    return fits[0] if len(fits) == 1 else ""
