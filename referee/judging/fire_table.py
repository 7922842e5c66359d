"""The units in play and the shots between them, as a declaration of fire says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from referee.core.combat import NOT_KNOWN, Declaration, Moment, Seeker, Shot, Unit, parse_cloak, parse_moment
from referee.core.errors import BadInput
from referee.core.hexgrid import Hex, parse_map_position
from referee.core.naming import folded, most_like
from referee.rulebooks.registry import read_ship_json, ship_ids
from referee.sources.inputs import read_input
from referee.sources.settings import rulebook_in_force
from referee.sources.ship_files import find_ship

if TYPE_CHECKING:
    from referee.core.bought_energy import BatteryOrder
    from referee.core.ship import ShipClass
    from referee.core.state import ShipState
    from referee.sources.settings import Settings

MOST_SHOTS = 10_000
LIKE_ANOTHER = 0.8
"""How like a declared ship or a class (1 is the same) a name is taken for a slip of the pen."""
BOUNDS = {
    "range": (0, 10_000),
    "scanner": (0, 99),
    "turn": (1, 9_999),
    "impulse": (1, 99),
    "shield": (1, 6),
    "target_damage": (0, 9_999),
}


class FireTable:
    """The units in play and the shots between them, put together from what was said."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._units: dict[str, Unit] = {}
        self._hurt: dict[str, int] = {}
        self.fed: list[BatteryOrder] = []
        """The batteries that are ordered, each with what was left of them by then."""
        self._rulebook: Any = None

    @property
    def rulebook(self) -> Any:
        """The rulebook in force: the one asked for, else that of the first ship."""
        if self._rulebook is None:
            ships = [unit.ship for unit in self._units.values() if unit.ship]
            own = ships[0].rulebook if ships else "sfb-standard"
            self._rulebook = rulebook_in_force(self._settings.rulebook or own, self._settings)
        return self._rulebook

    def targets(self) -> dict[str, tuple[ShipClass, ShipState]]:
        """The ships that can be damaged, by name."""
        units = self._units.items()
        return {name: (unit.ship, unit.state) for name, unit in units if unit.ship and unit.state}

    @property
    def units(self) -> tuple[Unit, ...]:
        """All that is in play."""
        return tuple(self._units.values())

    def seekers(self) -> list[Seeker]:
        """The seekers that are fired at, with what was scored on them before."""
        nowhere = Hex(1, 1)
        return [
            Seeker(
                name,
                unit.kind,
                "",
                "",
                unit.hex or nowhere,
                "A",
                Moment(1, 1),
                damage=self._hurt.get(name, 0),
            )
            for name, unit in self._units.items()
            if unit.kind != "ship"
        ]

    def alone(self, weapon: str, times: int, entry: Mapping[str, Any]) -> Declaration:
        """So many weapons of a type at a range; of who fires them nothing is known."""
        from referee.adjudicator.fire import weapon_type

        if "range" not in entry:
            raise BadInput("say at which range", hint="--range N")
        if ours := {"at", "battery", "cloak", "form", "last_fired", "state", "target_at", "weapons"} & set(
            entry
        ):
            raise BadInput(
                f"--weapon goes without {', '.join(sorted(ours))}", hint="name the ship that fires"
            )
        if "target_damage" in entry and "target" not in entry:
            raise BadInput("target damage is of a seeker", hint="--target drone")
        target = Unit(cloak=_read(entry.get("target_cloak", ""), parse_cloak))
        if "target" in entry:
            target = self._units[
                self._unit({**entry, "target_ship": entry["target"]}, "target", "target_", "")
            ]
        self._may_be(target, entry)
        type = weapon_type(self.rulebook, weapon)
        if not 1 <= times <= MOST_SHOTS:
            raise BadInput(f"--times {times}", hint=f"1 to {MOST_SHOTS}")
        shot = Shot(
            weapon=type,
            type=type,
            firer=Unit(),
            target=target,
            energy="paid",
            fire_control="paid",
            last_fired=None,
            **_plain(entry),
        )
        return Declaration((shot,) * times)

    def declared(self, entries: list[Mapping[str, Any]], file: str) -> Declaration:
        """All shots of the entries, in their order."""
        sides = self._sides(entries, file)
        shots: list[Shot] = []
        energies: dict[str, Any] = {}
        for n, (entry, (firer, target)) in enumerate(zip(entries, sides, strict=True)):
            with _located(file, n):
                more, energy = self._shots(entry, firer, target)
                self._known(target, entry)
                self._may_be(self._units[target], entry)
            shots += more
            energies |= {firer: energy} if energy is not None else {}
        known = {firer: energy for firer, energy in energies.items() if energy.capacitor is not None}
        used = {firer: self._used(firer) for firer in known}
        capacitors = tuple(
            (firer, energy.capacitor + used[firer] - self._lost(firer)) for firer, energy in known.items()
        )
        batteries = tuple(
            (firer, max(energy.batteries - used[firer], Fraction(0))) for firer, energy in known.items()
        )
        return Declaration(tuple(shots), capacitors, batteries=batteries)

    def _used(self, firer: str) -> Fraction:
        return sum((order.points for order in self.fed if order.ship == firer), Fraction(0))

    def _lost(self, firer: str) -> Fraction:
        """The points ordered of a ship's batteries that no phaser takes."""
        from referee.adjudicator.capacitor import lost_points

        ship = self._units[firer].ship
        assert ship is not None
        return lost_points(
            self.rulebook, ship, ((order.points, order.weapons) for order in self.fed if order.ship == firer)
        )

    def _feed(self, order: str, entry: Mapping[str, Any], firer: str, energy: Any) -> Any:
        """Notes what is ordered of a ship's batteries, `1 for PH-1A`; what its capacitor and batteries hold, where
        its form or its state tells. Raises BadInput."""
        from referee.adjudicator.capacitor import battery_order
        from referee.adjudicator.fire import FireEnergy, weapons_named
        from referee.formats.orderlines import read_battery
        from referee.formats.ordernames import OrderRefused

        unit = self._units[firer]
        assert unit.ship is not None
        try:
            points, names = read_battery(order)
        except OrderRefused as refused:
            raise BadInput(f"battery {order}: {refused.reason}", hint="1 for PH-1A") from None
        marks = tuple(mount.id for mount in weapons_named(self.rulebook, unit.ship, names))
        state = unit.state
        if (
            energy is None
            and state is not None
            and state.capacitor is not None
            and state.batteries is not None
        ):
            energy = FireEnergy({}, state.capacitor, NOT_KNOWN, state.batteries, state.batteries)
        unknown = energy is None or energy.capacitor is None
        left = None if unknown else max(energy.charged - self._used(firer), Fraction(0))
        when = entry.get("turn"), entry.get("impulse")
        self.fed.append(battery_order(self.rulebook, unit.ship, firer, when, points, marks, left))
        return energy

    def _sides(self, entries: list[Mapping[str, Any]], file: str) -> list[tuple[str, str]]:
        """Who fires and at whom in each entry. Firers and targets of a given class are put on the table first:
        the other targets may mean one of them."""
        firers = []
        for n, entry in enumerate(entries):
            with _located(file, n):
                firers.append(self._unit(entry, "firer", "", ""))
        targets = {}
        for declared in (True, False):
            for n, entry in enumerate(entries):
                if bool(entry.get("target_ship")) is declared:
                    with _located(file, n):
                        meant = entry if declared else self._meant(entry, firers[n])
                        targets[n] = self._unit(meant, "target", "target_", firers[n])
        return [(firer, targets[n]) for n, firer in enumerate(firers)]

    def _meant(self, entry: Mapping[str, Any], firer: str) -> Mapping[str, Any]:
        """An entry with its target as it is called on the table; a class that nobody there has is its ship.
        Raises BadInput for a target that may be several, or is only like one there is."""
        name: str = entry.get("target", "")
        if not folded(name) or (name in self._units and (name != firer or entry.get("firer"))):
            return entry
        others = {each: unit.ship for each, unit in self._units.items() if each != firer}
        ids = self._classes_called(name, firer)
        alike = [each for each in others if folded(each) == folded(name)] or [
            each
            for each, ship in others.items()
            if ship and (ship.id in ids or folded(name) in (folded(ship.id), folded(ship.name)))
        ]
        choices = alike or ids
        if len(choices) > 1:
            hint = 'tell the ships apart by "firer", and say which one in "target"'
            raise BadInput(f"the target {name} may be {', '.join(choices)}", hint=hint)
        if alike:
            return {**entry, "target": alike[0]}
        if ids:
            return {**entry, "target": "", "target_ship": ids[0]}
        if not entry.get("target_state"):
            self._refuse_misspelt(name, others)
        return entry

    def _classes_called(self, name: str, firer: str) -> list[str]:
        """The packaged classes of an id or a name; of several, those of the firer's rulebook if it has any."""
        asked = self._settings.rulebook
        found = {}
        for id in ship_ids():
            sheet = read_ship_json(id)
            called = (id, id.partition("/")[2], sheet["name"])
            if asked in ("", sheet["rulebook"]) and folded(name) in map(folded, called):
                found[id] = sheet["rulebook"]
        ship = self._units[firer].ship
        same = [id for id, rulebook in found.items() if ship and rulebook == ship.rulebook]
        return same or list(found)

    def _refuse_misspelt(self, name: str, others: Iterable[str]) -> None:
        """Raises BadInput for an undeclared target whose name is nearly that of a ship on the table or a class."""
        classes = [called for id in ship_ids() for called in (id, read_ship_json(id)["name"])]
        if near := most_like(name, [*others, *classes], LIKE_ANOTHER):
            meant = " or ".join(dict.fromkeys(near))
            hint = f'did you mean {meant}? A ship of its own has its class in "target_ship"'
            raise BadInput(f"no ship {name} is declared", hint=hint)

    def _known(self, target: str, entry: Mapping[str, Any]) -> None:
        """Raises BadInput, with the names most like it, for a target of which nothing at all is said."""
        unit = self._units[target]
        if unit.ship is None and unit.kind == "ship" and unit.hex is None and "range" not in entry:
            raise BadInput(f"nothing is known of {target}", hint=self._called_like(target))

    def _may_be(self, target: Unit, entry: Mapping[str, Any]) -> None:
        """Raises BadInput for a fade that no ship is in, and for the shield of a target that has none."""
        from referee.adjudicator.fire import check_fade

        for field in ("cloak", "target_cloak"):
            check_fade(self.rulebook, _read(entry.get(field, ""), parse_cloak))
        if target.kind != "ship" and "shield" in entry:
            raise BadInput(f"a {target.kind} has no shields", hint="leave the shield out")

    def _called_like(self, name: str) -> str:
        """The declared ships with a name like this one."""
        known = (each for each, unit in self._units.items() if each != name and unit.ship)
        near = most_like(name, known, 0.6)
        return f"did you mean {' or '.join(near)}?" if near else ""

    def _unit(self, entry: Mapping[str, Any], role: str, prefix: str, firer: str) -> str:
        """Puts a unit of an entry on the table, or adds to what is known of it; gives its name."""
        from referee.sources.states import whole_or_read

        called: str = entry.get(f"{prefix}ship", "")
        seeker = self._seeker(called, entry) if role == "target" else ""
        ship = find_ship(called, self._settings.rulebook) if called and not seeker else None
        name: str = entry.get(role, "") or seeker
        if ship and name in ("", called):
            name = f"{ship.name} (target)" if ship.name == firer else ship.name
        if not name:
            raise BadInput(f"which ship is the {role} is not given", hint=f"name it: {prefix}ship")
        unit = self._units.get(name, Unit(name))
        if seeker:
            unit = replace(unit, kind=seeker)
            self._hurt[name] = max(self._hurt.get(name, 0), entry.get("target_damage", 0))
        if ship and unit.ship and unit.ship.id != ship.id:
            raise BadInput(f"{name} is a {unit.ship.id} and a {ship.id}", hint="give each ship its own name")
        if ship and (unit.ship is None or entry.get(f"{prefix}state")):
            unit = replace(unit, ship=ship, state=whole_or_read(entry.get(f"{prefix}state", ""), ship))
        if said_at := entry.get(f"{prefix}at", ""):
            hex, facing = _read(said_at, parse_map_position)
            if unit.hex not in (None, hex) or unit.facing not in (None, facing):
                hint = 'two ships of one class are told apart by "firer" and "target"'
                place = f"{unit.hex}{unit.facing or ''}"
                raise BadInput(f"{name} is at {place} and at {said_at}", hint=hint)
            unit = replace(unit, hex=hex, facing=facing)
        if hidden := entry.get(f"{prefix}cloak", ""):
            unit = replace(unit, cloak=_read(hidden, parse_cloak))
        self._units[name] = unit
        return name

    def _seeker(self, called: str, entry: Mapping[str, Any]) -> str:
        """The type of seeker a target is, where it is called by that: `drone`; else an empty text."""
        weapons = self.rulebook.table("weapons")["weapons"]
        found = [type for type in weapons if weapons[type].get("seeking") and folded(type) == folded(called)]
        if "target_damage" in entry and not found:
            raise BadInput(
                "target damage is of a seeker", hint="--target drone, or --target-state for a ship"
            )
        return found[0] if found else ""

    def _shots(self, entry: Mapping[str, Any], firer: str, target: str) -> tuple[list[Shot], Any]:
        from referee.adjudicator.fire import weapons_like, weapons_named

        unit = self._units[firer]
        if unit.ship is None:
            hint = self._called_like(firer) or 'say "ship": "cadet/federation-ca"'
            raise BadInput(f"which class {firer} is of is not given", hint=hint)
        energy = self._energy(entry, unit.ship)
        held = self._feed(entry["battery"], entry, firer, energy) if entry.get("battery") else energy
        fired = entry.get("last_fired", {})
        times = {folded(name): str(when) for name, when in fired.items()} if isinstance(fired, dict) else {}
        shots = []
        names = entry.get("weapons", "")
        for mount in weapons_named(
            self.rulebook, unit.ship, names.split(",") if isinstance(names, str) else names
        ):
            paid = energy.tubes.get(mount.id, NOT_KNOWN) if energy else NOT_KNOWN
            when = times.pop(folded(mount.id), "none" if fired == "none" else "")
            shots.append(
                Shot(
                    weapon=mount.id,
                    type=mount.type,
                    firer=unit,
                    target=self._units[target],
                    mount=mount,
                    impulses=int(self.rulebook.option("impulses")),
                    energy="paid" if entry.get("paid") else paid,
                    fire_control=energy.fire_control
                    if energy
                    else "paid"
                    if entry.get("paid")
                    else NOT_KNOWN,
                    last_fired=_read(when, parse_moment)
                    if when not in ("", "none")
                    else None
                    if when
                    else NOT_KNOWN,
                    **_plain(entry),
                )
            )
        if times:
            odd = [name for name in fired if folded(name) in times]
            raise BadInput(
                f"last fired: {', '.join(odd)} does not fire here", hint=weapons_like(odd[0], unit.ship)
            )
        return shots, held if held and not entry.get("paid") else None

    def _energy(self, entry: Mapping[str, Any], ship: ShipClass) -> Any:
        """What the ship's form gives for fire, None without a form."""
        if not entry.get("form"):
            return None
        from referee.adjudicator.fire import fire_energy
        from referee.sources.asked import Asked
        from referee.sources.forms import must_be_readable, read_forms

        source = read_input(entry["form"])
        asked = Asked(self._settings, ships=(ship.id,))
        form = read_forms(source, asked)[0]
        must_be_readable(form)
        turn = entry.get("turn", form.allocations[-1].turn if form.allocations else 1)
        return fire_energy(self.rulebook, ship, form, turn)


@contextmanager
def _located(file: str, n: int) -> Iterator[None]:
    """Says of an error in which entry of which file it is."""
    try:
        yield
    except BadInput as error:
        raise error.at(file=file, place=f"/{n}" if file else "") from None


def _plain(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What of an entry goes into a shot as it is, held within bounds."""
    for name, (least, most) in BOUNDS.items():
        if not least <= entry.get(name, least) <= most:
            raise BadInput(f"{name} {entry[name]}", hint=f"{least} to {most}")
    kept = {*BOUNDS, "lock_on", "mode"} - {"target_damage"}
    return {name: value for name, value in entry.items() if name in kept}


def _read(text: str, reader: Callable[[str], Any]) -> Any:
    """What a reader of the core makes of a text. Raises BadInput where it makes nothing of it."""
    try:
        return reader(text)
    except ValueError as error:
        raise BadInput(str(error)) from None
