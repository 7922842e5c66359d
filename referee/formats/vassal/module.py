"""What a module says that a save does not: names of hexes, turn levels, sides and dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.once import pattern
from referee.formats.archive import Archive
from referee.formats.limits import MAX_BUILD_ATTRIBUTES, MAX_BUILD_FILE, MAX_IMAGE_HEADER, MAX_METADATA
from referee.formats.vassal import grid as gr
from referee.formats.vassal.command_types import Boards, PlacedBoard
from referee.formats.vassal.container import MODULE_DATA, open_module
from referee.formats.vassal.images import image_size
from referee.formats.vassal.sequence import decode
from referee.formats.vassal.traits import integer
from referee.formats.vassal.turns import LevelDefinition, TrackerDefinition
from referee.formats.vassal.xml import Metadata, parse_xml, read_metadata

if TYPE_CHECKING:
    from lxml.etree import _Element

_ROOTS = ("VASSAL.build.GameModule", "VASSAL.launch.BasicModule")
_DECIMAL = pattern(r"[0-9]{1,6}(?:\.[0-9]{1,20})?")
_MAPS = ("Map", "PrivateMap", "PlayerHand")
_LEVELS = {"CounterTurnLevel": "counter", "ListTurnLevel": "list"}


@frozen
class BoardDefinition:
    """A board; `size` is None when neither the build file nor the picture tells it."""

    name: str
    size: gr.Size | None
    reversible: bool
    grid: gr.Grid | None


@frozen
class MapDefinition:
    """A map window and the boards that may be laid on it."""

    name: str
    edge_width: int
    edge_height: int
    boards: tuple[BoardDefinition, ...]

    def layout(self, chosen: Boards | None) -> gr.BoardLayout:
        """The boards a save has chosen in their places; the only board when it has chosen none."""
        known = {board.name: board for board in self.boards}
        places = chosen.boards if chosen else ()
        if not places and len(self.boards) == 1:
            places = (PlacedBoard(self.boards[0].name, False, 0, 0),)
        laid = [
            gr.BoardPlace(p.name, p.column, p.row, p.reversed, known[p.name].size, known[p.name].grid)
            for p in places
            if p.name in known
        ]
        return gr.lay_out(laid, self.edge_width, self.edge_height)


@frozen
class DiceButton:
    """A dice button and how its result is reported in chat."""

    name: str
    dice: int
    sides: int
    plus: int
    report_format: str


@frozen
class Module:
    """A decoded module."""

    file: str
    name: str
    version: str
    vassal_version: str
    description: str
    maps: tuple[MapDefinition, ...] = field(repr=False)
    trackers: tuple[TrackerDefinition, ...]
    dice: tuple[DiceButton, ...]
    sides: tuple[str, ...]
    properties: tuple[tuple[str, str], ...]

    def map(self, name: str | None) -> MapDefinition | None:
        """The map with a name."""
        return next((found for found in self.maps if found.name == name), None)

    @property
    def steps(self) -> tuple[str, ...]:
        """The names of the steps of its turn trackers, as read off their lists."""

        def listed(levels: Iterable[LevelDefinition]) -> Iterator[str]:
            for level in levels:
                yield from level.values if level.kind == "list" else ()
                yield from listed(level.levels)

        return tuple(dict.fromkeys(name for tracker in self.trackers for name in listed(tracker.levels)))

    def tracker(self, identity: str) -> TrackerDefinition | None:
        """The turn tracker with the id saves use."""
        return next((found for found in self.trackers if found.id == identity), None)


def read_module(data: bytes, file: str) -> Module:
    """Decodes a module; its pictures are not read but for the sizes of boards."""
    archive, build_file = open_module(data, file)
    stored = archive.read(MODULE_DATA, MAX_METADATA) if MODULE_DATA in archive else None
    metadata = read_metadata(stored, file, MODULE_DATA) or Metadata()
    text = archive.read(build_file, MAX_BUILD_FILE)
    root = parse_xml(text, file, build_file, max_attributes=MAX_BUILD_ATTRIBUTES)
    if root.tag not in _ROOTS:
        raise BadInput("does not start with a VASSAL game module", file=file, place=build_file)
    by_class: dict[str, list[_Element]] = {}
    for element in root.iter():
        by_class.setdefault(_class(element), []).append(element)
    maps = [element for name in _MAPS for element in by_class.get(name, [])]
    trackers = enumerate(by_class.get("TurnTracker", []))
    return Module(
        file=file,
        name=root.get("name") or metadata.name,
        version=root.get("version") or metadata.version,
        vassal_version=root.get("VassalVersion") or metadata.vassal_version,
        description=root.get("description") or metadata.description,
        maps=tuple([_map(element, archive) for element in maps]),
        trackers=tuple([_tracker(element, number) for number, element in trackers]),
        dice=tuple([_dice(element) for element in by_class.get("DiceButton", [])]),
        sides=tuple(
            [entry.text or "" for r in by_class.get("PlayerRoster", []) for entry in r.iter("entry")]
        ),
        properties=tuple(
            [(e.get("name", ""), e.get("initialValue", "")) for e in by_class.get("GlobalProperty", [])]
        ),
    )


def _class(element: _Element) -> str:
    return str(element.tag).rpartition(".")[2]


def _children(element: _Element, *classes: str) -> Iterator[_Element]:
    return (child for child in element if _class(child) in classes)


def _int(element: _Element, name: str, default: int = 0) -> int:
    found = integer(element.get(name, ""))
    return default if found is None else found


def _length(element: _Element, name: str, default: float) -> float:
    text = element.get(name, "")
    value = float(text) if _DECIMAL.fullmatch(text) else 0.0
    # A grid of less than a pixel would have millions of cells.
    return value if value >= 1 else default


def _flag(element: _Element, name: str, default: bool = False) -> bool:
    text = element.get(name)
    return default if text is None else text == "true"


def _map(element: _Element, archive: Archive) -> MapDefinition:
    boards = [
        _board(board, archive)
        for picker in element
        if _class(picker).endswith("BoardPicker")
        for board in picker
        if _class(board).endswith("Board")
    ]
    name = element.get("mapName", "")
    return MapDefinition(name, _int(element, "edgeWidth"), _int(element, "edgeHeight"), tuple(boards))


def _board(element: _Element, archive: Archive) -> BoardDefinition:
    grids = [grid for child in element if (grid := _grid(child))]
    size = None
    if image := element.get("image"):
        entry = f"images/{image.removeprefix('/images/')}"
        size = image_size(archive.peek(entry, MAX_IMAGE_HEADER)) if entry in archive else None
    elif element.get("width") and element.get("height"):
        size = gr.Size(_int(element, "width"), _int(element, "height"))
    return BoardDefinition(
        element.get("name", ""), size, _flag(element, "reversible"), grids[0] if grids else None
    )


def _grid(element: _Element) -> gr.Grid | None:
    match _class(element):
        case "HexGrid":
            return _hex_grid(element)
        case "SquareGrid":
            dx, dy = _length(element, "dx", 48.0), _length(element, "dy", 48.0)
            x0, y0 = _int(element, "x0", 24), _int(element, "y0", 24)
            return gr.SquareGrid(x0, y0, dx, dy, _numbering(element))
        case "RegionGrid":
            regions = _children(element, "Region")
            return gr.RegionGrid(
                tuple((r.get("name", ""), _int(r, "originx"), _int(r, "originy")) for r in regions)
            )
        case "ZonedGrid":
            inner = [grid for child in element if (grid := _grid(child))]
            zones = tuple(_zone(zone) for zone in _children(element, "Zone"))
            return gr.ZonedGrid(zones, inner[0] if inner else None)
    return None


def _hex_grid(element: _Element) -> gr.HexGrid:
    dy = _length(element, "dy", 64.0)
    dx = _length(element, "dx", dy * 3**0.5 / 2)
    x0, y0 = _int(element, "x0"), _int(element, "y0", 32)
    return gr.HexGrid(x0, y0, dx, dy, _flag(element, "sideways"), _numbering(element))


def _zone(element: _Element) -> gr.Zone:
    corners = []
    for corner in element.get("path", "").split(";"):
        x, _, y = corner.partition(",")
        corners.append((integer(x.strip()) or 0, integer(y.strip()) or 0))
    grids = [grid for child in element if (grid := _grid(child))]
    return gr.Zone(
        element.get("name", ""),
        tuple(corners),
        element.get("locationFormat") or "$name$",
        _flag(element, "useParentGrid"),
        grids[0] if grids else None,
    )


def _numbering(element: _Element) -> gr.Numbering | None:
    for child in _children(element, "HexGridNumbering", "SquareGridNumbering"):
        return gr.Numbering(
            first=child.get("first", "H"),
            separator=child.get("sep", ""),
            h_type=child.get("hType", "N"),
            v_type=child.get("vType", "N"),
            h_leading=_int(child, "hLeading", 1),
            v_leading=_int(child, "vLeading", 1),
            h_offset=_int(child, "hOff", 1),
            v_offset=_int(child, "vOff", 1),
            h_descending=_flag(child, "hDescend"),
            v_descending=_flag(child, "vDescend"),
            stagger=_flag(child, "stagger", True),
            location_format=child.get("locationFormat") or "$gridLocation$",
        )
    return None


def _tracker(element: _Element, number: int) -> TrackerDefinition:
    return TrackerDefinition(f"TurnTracker{number}", element.get("name", ""), _levels(element))


def _levels(element: _Element) -> tuple[LevelDefinition, ...]:
    found = []
    for child in _children(element, *_LEVELS):
        name = child.get("name") or child.get("property") or ""
        if _class(child) == "ListTurnLevel":
            values = tuple(decode(child.get("list", ""), ","))
            found.append(LevelDefinition("list", name, values, _levels(child)))
        else:
            found.append(LevelDefinition("counter", name, (), _levels(child), _int(child, "start", 1)))
    return tuple(found)


def _dice(element: _Element) -> DiceButton:
    return DiceButton(
        element.get("name", ""),
        _int(element, "nDice", 2),
        _int(element, "nSides", 6),
        _int(element, "plus"),
        element.get("reportFormat", ""),
    )
