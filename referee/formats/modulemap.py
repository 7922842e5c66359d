"""A module map: one JSON file that says what the names in a VASSAL module mean.

Without one everything is recognised by names and labels; what a map does not say is still recognised.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.hexgrid import FACINGS, Hex, parse_position
from referee.formats.sheets.labels import fold

if TYPE_CHECKING:
    from referee.formats.vassal.pieces import Piece

SCHEMA = "referee/module-map/1"


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
    """A ship by name: its counter, its display, what class it is and where it is not quite that; `weapons`
    are ids by the names the module gives them."""

    counter: str
    ship: str
    ssd: str = ""
    name: str = ""
    side: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)
    weapons: Mapping[str, str] = field(default_factory=dict)


@frozen
class Marks:
    """A way in which boxes or shields are shown: `names` are the module's, with what each is here.

    `counts` says whether a number is of those left or of those lost. A layer is destroyed at level
    `destroyed`, where 0 is not shown, or at all but `whole`; one that counts begins to count at `first`. A marker counts for the
    display that lies nearest, at most `within` pixels away.
    """

    way: Literal["layers", "layer-count", "sheet", "properties", "markers"]
    counts: Literal["left", "lost"] = "left"
    names: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    destroyed: int = 2
    whole: int | None = None
    first: int = 0
    within: int = 300
    pointer: str = ""


@frozen
class Where:
    """What of a counter holds a number: a property, a marker, or a label that begins with the name."""

    way: Literal["property", "marker", "label"]
    name: str

    def number(self, piece: Piece) -> int | None:
        """The number a piece shows, None where it shows none."""
        if self.way == "label":
            texts = [text.partition(self.name)[2] for text in piece.labels if self.name in text]
        else:
            values = piece.properties if self.way == "property" else piece.markers
            texts = [values.get(self.name, "")]
        digits = next((text.strip(" :=") for text in texts), "")
        return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 4 else None


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
        """The facing of a piece, on a board that may lie reversed; None where it is not known."""
        state, states = self._state(piece)
        letter = self.by_state.get(state)
        if letter is None and state.isdecimal() and len(state) < 10 and states:
            sixths, rest = divmod(int(state) * 6, states)
            letter = None if rest else self.letters[sixths % 6]
        if letter is None or not turned:
            return letter
        return FACINGS[(FACINGS.index(letter) + self.reversed_adds) % 6]

    def state_of(self, piece: Piece) -> str:
        """The state the trait of a piece is in, as text; nothing where it has none."""
        return self._state(piece)[0]

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
class Beginning:
    """What holds before the first turn; nothing where a map does not say. `batteries` and `capacitor` are
    `full`, `empty` or energy."""

    turn: int | None = None
    impulse: int | None = None
    speed: int | None = None
    batteries: str = ""
    capacitor: str = ""
    turn_mode_satisfied: bool | None = None


@frozen
class ModuleMap:
    """What a map says; empty parts leave recognition to names and labels."""

    module: str
    file: str = ""
    versions: tuple[str, ...] = ()
    rulebook: str = ""
    impulses: int | None = None
    counter: Match | None = None
    ssd: Match | None = None
    seeker: Match | None = None
    ignore: tuple[Match, ...] = ()
    pairing: Mapping[str, str] = field(default_factory=dict)
    type_marker: str = ""
    race_marker: str = ""
    classes: Mapping[str, str] = field(default_factory=dict)
    ships: tuple[MappedShip, ...] = ()
    facing: FacingMap | None = None
    rows_first: bool = False
    prefix: str = ""
    suffix: str = ""
    space: tuple[str, ...] = ()
    displays: tuple[str, ...] = ()
    title: str = ""
    label_column: int = 0
    header_row: int | None = None
    tracker: str = ""
    levels: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)
    row_places: Mapping[str, str] = field(default_factory=dict)
    side_marker: str = ""
    damage: tuple[Marks, ...] = ()
    shields: Marks | None = None
    order_prefix: str = "!"
    lock_on: tuple[str, ...] = ()
    speaker: str = "side"
    start: Beginning = field(default_factory=Beginning)
    speed_shown: Where | None = None

    def ignores(self, piece: Piece) -> bool:
        """Whether a piece has no say in the game."""
        return any(match.fits(piece) for match in self.ignore)

    def is_counter(self, piece: Piece) -> bool | None:
        """Whether a piece is a ship's counter; None where the map leaves it open."""
        if self.counter:
            return self.counter.fits(piece) or (self.seeker is not None and self.seeker.fits(piece))
        return False if self.space and piece.map not in self.space else None

    def is_display(self, piece: Piece) -> bool | None:
        """Whether a piece is a ship's display; None where the map leaves it open."""
        if self.ssd:
            return self.ssd.fits(piece)
        return False if self.displays and piece.map not in self.displays else None

    def is_mark(self, piece: Piece) -> bool:
        """Whether a piece is a mark of damage that is laid on a display."""
        return any(way.way == "markers" and piece.basic_name in way.names for way in self.damage)

    def listed(self, counter: Piece | None) -> MappedShip | None:
        """The entry of a counter in the list of ships."""
        name = counter.basic_name if counter else ""
        return next((ship for ship in self.ships if ship.counter == name), None)

    def side_of(self, counter: Piece | None) -> str:
        """The side a counter is on, or nothing."""
        listed = self.listed(counter)
        if listed and listed.side:
            return listed.side
        return counter.markers.get(self.side_marker, "") if counter else ""

    def race_of(self, counter: Piece | None) -> str:
        """The race a counter's marker names, or nothing."""
        return counter.markers.get(self.race_marker, "") if counter else ""

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

    document: Any = load_json(data, file)
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise BadInput(f"is no module map: its schema is not {SCHEMA}", file=file)
    hold_against(document, "module-map", file)
    _hold_together(document, file)
    pieces, identify, hexes, maps, orders = (
        document.get(part, {}) for part in ("pieces", "identify", "hexes", "maps", "orders")
    )
    tracker, form, rows = document.get("tracker", {}), document.get("form", {}), _rows(document, file)
    return ModuleMap(
        module=document["module"]["name"],
        file=file,
        versions=tuple(document["module"].get("versions", ())),
        rulebook=document.get("rulebook", ""),
        impulses=document.get("impulses"),
        counter=_match(pieces.get("counter")),
        ssd=_match(pieces.get("ssd")),
        seeker=_match(pieces.get("seeker")),
        ignore=tuple(match for given in pieces.get("ignore", ()) if (match := _match(given))),
        pairing=document.get("pairing", {}),
        type_marker=identify.get("type_marker", ""),
        race_marker=identify.get("race_marker", ""),
        classes=identify.get("classes", {}),
        ships=tuple(
            MappedShip(**{part: value for part, value in ship.items() if part != "rows"})
            for ship in document.get("ships", ())
        ),
        facing=_facing(document.get("facing")),
        rows_first=hexes.get("label") == "RRCC",
        prefix=hexes.get("prefix", ""),
        suffix=hexes.get("suffix", ""),
        space=tuple(maps.get("space", ())),
        displays=tuple(maps.get("ssd", ())),
        title=form.get("title", ""),
        label_column=form.get("label_column", 0),
        header_row=form.get("header_row"),
        tracker=tracker.get("name", ""),
        levels=tracker.get("levels", {}),
        properties=tracker.get("properties", {}),
        steps=tracker.get("steps", {}),
        rows={label: line for label, (line, _) in rows.items()},
        row_places={label: place for label, (_, place) in rows.items()},
        side_marker=identify.get("side_marker", ""),
        damage=tuple(_marks(way, f"/damage/{n}") for n, way in enumerate(document.get("damage", ()))),
        shields=_marks(document["shields"], "/shields") if "shields" in document else None,
        order_prefix=orders.get("prefix", "!"),
        lock_on=tuple(orders.get("lock_on", ())),
        speaker=orders.get("speaker", "side"),
        start=Beginning(**document.get("start", {})),
        speed_shown=Where(document["speed"]["as"], document["speed"]["name"])
        if "speed" in document
        else None,
    )


def _hold_together(document: Mapping[str, Any], file: str) -> None:
    """Raises BadInput for what fits the schema and contradicts itself."""
    letters = document.get("facing", {}).get("letters", FACINGS)
    if set(letters) != set(FACINGS):
        raise BadInput("does not name each of A to F", file=file, place="/facing/letters")


def _rows(document: Mapping[str, Any], file: str) -> Mapping[str, tuple[str, str]]:
    """What labels mean, and where that is said. Raises BadInput for one without a letter or digit, or that is said to be two lines."""
    places = [("/form/rows", document.get("form", {}).get("rows", {}))]
    places += [(f"/ships/{n}/rows", ship.get("rows", {})) for n, ship in enumerate(document.get("ships", ()))]
    meant: dict[str, tuple[str, str]] = {}
    found: dict[str, tuple[str, str]] = {}
    for pointer, rows in places:
        for label, line in rows.items():
            place = f"{pointer}/{pointer_part(label)}"
            first, where = meant.setdefault(fold(label), (line, place))
            if not fold(label):
                raise BadInput("is a label without a letter or digit", file=file, place=place)
            if first != line:
                hint = "a label means one line on every form of a game"
                reason = f"{label} is line {line}, and {first} at {where}"
                raise BadInput(reason, file=file, place=place, hint=hint)
            found.setdefault(label, (line, place))
    return found


def _marks(entry: Mapping[str, Any], pointer: str) -> Marks:
    return Marks(
        entry["as"],
        entry.get("counts", "left"),
        entry.get("names", {}),
        entry.get("title", ""),
        entry.get("destroyed_level", 2),
        entry.get("whole_level"),
        entry.get("first_level", 0),
        entry.get("within", 300),
        pointer,
    )


def _match(entry: Mapping[str, Any] | None) -> Match | None:
    if entry is None:
        return None
    return Match(**{**entry, "names": tuple(entry.get("names", ()))})


def _facing(entry: Mapping[str, Any] | None) -> FacingMap | None:
    if entry is None:
        return None
    return FacingMap(
        entry["trait"],
        entry["name"],
        entry.get("states", 0),
        entry.get("letters", FACINGS),
        entry.get("states_to_facing", {}),
        entry.get("reversed_board_adds", -3),
    )


def pointer_part(name: str) -> str:
    """A name as a part of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")
