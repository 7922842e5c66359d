"""A module map: one JSON file that says what the names in a VASSAL module mean.

Without one everything is recognised by names and labels; what a map does not say is still recognised.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.hexgrid import FACINGS, Hex, parse_position

if TYPE_CHECKING:
    from referee.formats.vassal.pieces import Piece

SCHEMA = "referee/module-map/1"
UNUSED = ("damage", "shields", "orders", "speed")
"""Parts of a map that are read and not used yet: damage and orders are recognised by their labels."""


@frozen
class Match:
    """Conditions on a piece; all that are given must hold."""

    map: str = ""
    markers: Mapping[str, str] = field(default_factory=dict)
    prefix: str = ""
    suffix: str = ""
    names: tuple[str, ...] = ()
    has_table: bool | None = None

    def fits(self, piece: Piece) -> bool:
        """Whether a piece is meant."""
        name = piece.basic_name
        return (
            (not self.map or piece.map == self.map)
            and all(piece.markers.get(marker) == value for marker, value in self.markers.items())
            and name.startswith(self.prefix)
            and name.endswith(self.suffix)
            and (not self.names or name in self.names)
            and self.has_table in (None, bool(piece.tables))
        )


@frozen
class MappedShip:
    """A ship by name: its counter, its display, what class it is."""

    counter: str
    ship: str
    ssd: str = ""
    name: str = ""


@frozen
class FacingMap:
    """How a counter shows its facing; `states` 0 means as many as the trait has."""

    trait: str
    name: str
    states: int = 0
    letters: str = FACINGS
    by_state: Mapping[str, str] = field(default_factory=dict)
    reversed_adds: int = -3

    def of(self, piece: Piece, *, turned: bool) -> str | None:
        """The facing of a piece, on a board that may lie reversed; None where it is not told."""
        state, states = self._state(piece)
        letter = self.by_state.get(state)
        if letter is None and state.isdecimal() and states:
            sixths, rest = divmod(int(state) * 6, states)
            letter = None if rest else self.letters[sixths % 6]
        if letter is None or not turned:
            return letter
        return FACINGS[(FACINGS.index(letter) + self.reversed_adds) % 6]

    def _state(self, piece: Piece) -> tuple[str, int]:
        if self.trait == "rotate":
            for facing in piece.facings:
                if facing.name == self.name:
                    return str(facing.index), self.states or facing.of
        elif self.trait == "layer":
            for layer in piece.layers:
                if layer.name == self.name:
                    return str(layer.level - 1), self.states or layer.levels
        else:
            values = piece.properties if self.trait == "property" else piece.markers
            return values.get(self.name, "").strip(), self.states or 6
        return "", 0


@frozen
class ModuleMap:
    """What a map says; empty parts leave recognition to names and labels."""

    module: str
    versions: tuple[str, ...] = ()
    rulebook: str = ""
    impulses: int | None = None
    counter: Match | None = None
    ssd: Match | None = None
    ignore: tuple[Match, ...] = ()
    pairing: Mapping[str, str] = field(default_factory=dict)
    type_marker: str = ""
    classes: Mapping[str, str] = field(default_factory=dict)
    ships: tuple[MappedShip, ...] = ()
    facing: FacingMap | None = None
    rows_first: bool = False
    prefix: str = ""
    suffix: str = ""
    levels: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)
    speed: int | None = None
    unused: tuple[str, ...] = ()

    def ignores(self, piece: Piece) -> bool:
        """Whether a piece has no say in the game."""
        return any(match.fits(piece) for match in self.ignore)

    def class_of(self, counter: Piece | None) -> str:
        """The id of the ship class of a counter, or nothing."""
        if counter is None:
            return ""
        listed = (ship.ship for ship in self.ships if ship.counter == counter.basic_name)
        of_type = self.classes.get(counter.markers.get(self.type_marker, ""), "")
        return next(listed, self.classes.get(counter.basic_name, of_type))

    def paired(self, counter: Piece, display: Piece) -> bool | None:
        """Are counter and display one ship? None where the map leaves it open."""
        for ship in self.ships:
            if ship.ssd and counter.basic_name == ship.counter:
                return display.basic_name == ship.ssd
        by = self.pairing.get("by")
        if by == "marker":
            marker = self.pairing["marker"]
            return bool(counter.markers.get(marker)) and counter.markers.get(marker) == display.markers.get(
                marker
            )
        if by == "name":
            own, other = (self._bare(piece.basic_name, kind) for piece, kind in ((counter, "counter"), (display, "ssd")))  # fmt: skip
            return own == other
        return False if by == "list" else None

    def _bare(self, name: str, kind: str) -> str:
        prefix, suffix = self.pairing.get(f"{kind}_prefix", ""), self.pairing.get(f"{kind}_suffix", "")
        return name.removeprefix(prefix).removesuffix(suffix).strip()

    def hex(self, location: str) -> Hex | None:
        """The hex a location names."""
        digits = location.removeprefix(self.prefix).removesuffix(self.suffix)
        try:
            found = parse_position(digits)[0]
        except ValueError:
            return None
        return Hex(found.row, found.column) if self.rows_first else found


def read_module_map(data: bytes, file: str) -> ModuleMap:
    """A map from its file. Raises BadInput, with the place, for what does not fit its schema."""
    from referee.formats.schemas import hold_against
    from referee.formats.strictjson import load_json

    said: Any = load_json(data, file)
    if not isinstance(said, dict) or said.get("schema") != SCHEMA:
        raise BadInput(f"is no module map: its schema is not {SCHEMA}", file=file)
    hold_against(said, "module-map", file)
    pieces, identify, hexes = (said.get(part, {}) for part in ("pieces", "identify", "hexes"))
    return ModuleMap(
        module=said["module"]["name"],
        versions=tuple(said["module"].get("versions", ())),
        rulebook=said.get("rulebook", ""),
        impulses=said.get("impulses"),
        counter=_match(pieces.get("counter")),
        ssd=_match(pieces.get("ssd")),
        ignore=tuple(match for given in pieces.get("ignore", ()) if (match := _match(given))),
        pairing=said.get("pairing", {}),
        type_marker=identify.get("type_marker", ""),
        classes=identify.get("classes", {}),
        ships=tuple(
            MappedShip(ship["counter"], ship["ship"], ship.get("ssd", ""), ship.get("name", ""))
            for ship in said.get("ships", ())
        ),
        facing=_facing(said.get("facing")),
        rows_first=hexes.get("label") == "RRCC",
        prefix=hexes.get("prefix", ""),
        suffix=hexes.get("suffix", ""),
        levels=said.get("tracker", {}).get("levels", {}),
        rows={
            **said.get("form", {}).get("rows", {}),
            **{label: line for ship in said.get("ships", ()) for label, line in ship.get("rows", {}).items()},
        },
        speed=said.get("start", {}).get("speed"),
        unused=tuple(part for part in UNUSED if part in said),
    )


def _match(said: Mapping[str, Any] | None) -> Match | None:
    if said is None:
        return None
    return Match(**{**said, "names": tuple(said.get("names", ()))})


def _facing(said: Mapping[str, Any] | None) -> FacingMap | None:
    if said is None:
        return None
    return FacingMap(
        said["trait"],
        said["name"],
        said.get("states", 0),
        said.get("letters", FACINGS),
        said.get("states_to_facing", {}),
        said.get("reversed_board_adds", -3),
    )
