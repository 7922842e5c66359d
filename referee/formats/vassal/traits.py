"""What a trait's definition and state say, for the kinds a referee reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import lru_cache

from referee.core.frozen import frozen
from referee.core.once import pattern
from referee.formats.limits import MAX_TABLE_CELLS
from referee.formats.vassal.chain import Trait
from referee.formats.vassal.command_types import Secret
from referee.formats.vassal.sequence import decode

_INTEGER = pattern(r"[+-]?[0-9]{1,9}")
_DECIMAL = pattern(r"[+-]?[0-9]{1,9}(?:\.[0-9]{1,20})?(?:E[+-]?[0-9]{1,2})?")

LABEL_ONLY, MULTILINE = 2, 1
TICK_TYPES = (3, 4, 5, 6)


@frozen
class BasicPiece:
    """The piece itself: `stored` are the properties VASSAL keeps with its position."""

    name: str
    image: str
    map: str | None
    x: int
    y: int
    stored: tuple[tuple[str, str], ...] = ()


@frozen
class Stack:
    """Pieces at one place, bottom to top."""

    map: str | None
    x: int
    y: int
    members: tuple[str, ...]
    layer: int | None = None


@frozen
class Deck:
    """A deck of pieces, bottom to top."""

    name: str
    map: str | None
    x: int
    y: int
    face_down: bool
    members: tuple[str, ...]


@frozen
class Facing:
    """A rotation, clockwise from the artwork as drawn; `of` is 1 when any angle is possible."""

    name: str
    index: int
    of: int
    degrees: float


@frozen
class Layer:
    """An image layer: `level` counts from 1, whether shown or not."""

    name: str
    level: int
    active: bool
    level_name: str = ""
    levels: int = 0


@frozen
class Markers:
    """Fixed named values."""

    values: tuple[tuple[str, str], ...]


@frozen
class Label:
    """A text label; `name_format` says how it changes the piece's name, `property` under which name it is found.

    The text is as written: it may hold `$name$`.
    """

    text: str
    name_format: str
    property: str = "TextLabel"


@frozen
class Spreadsheet:
    """A spreadsheet trait; `complete` is false when the cells stored are not rows × columns.

    A cell that ends in a backslash swallows the next one, which shifts all that follow.
    """

    title: str
    description: str
    rows: tuple[tuple[str, ...], ...]
    complete: bool = True

    @property
    def swallowing(self) -> tuple[int, int] | None:
        """Row and column, from 0, of the first cell that swallowed the next one; None where none did."""
        cells = (
            (row, column)
            for row, texts in enumerate(self.rows)
            for column, text in enumerate(texts)
            if "," in text
        )
        return None if self.complete else next(cells, None)


@frozen
class SheetField:
    """A field of a property sheet; tick fields also give their marks as value and maximum."""

    name: str
    type: int
    value: str

    @property
    def ticks(self) -> tuple[int, int] | None:
        """Value and maximum of a tick field; None for another, and where they cannot be read or cannot be."""
        value, slash, most = self.value.partition("/")
        if self.type not in TICK_TYPES or not slash:
            return None
        left, total = integer(value), integer(most)
        return (left, total) if left is not None and total is not None and 0 <= left <= total else None


@frozen
class PropertySheet:
    """A form of named fields."""

    title: str
    fields: tuple[SheetField, ...]


@frozen
class DynamicProperty:
    """A named value that players change; bounds only for numeric ones that have them."""

    name: str
    value: str
    numeric: bool = False
    least: int | None = None
    most: int | None = None


@frozen
class Owner:
    """Who masked, hid or owns a piece: a stored id, or the name of a side."""

    access: str
    _text: str = field(repr=False)

    @property
    def side(self) -> str | None:
        """The side's name when the owner is a side."""
        return self._text if self.access.startswith("side") else None

    @property
    def player(self) -> Secret | None:
        """The stored id when the owner is a player."""
        return None if self.access.startswith("side") else Secret(self._text)


@frozen
class Mask:
    """A mask; `owner` is None while the piece is face up."""

    owner: Owner | None
    shown_name: str


@frozen
class Hide:
    """An invisibility; `owner` is None while the piece is visible."""

    owner: Owner | None


@frozen
class Restricted:
    """Who may use a piece."""

    sides: tuple[str, ...]
    owner: Owner | None


@frozen
class Footprint:
    """Where a piece has been, oldest first, in map pixels."""

    visible: bool
    points: tuple[tuple[int, int], ...]


@frozen
class Moved:
    """Whether a piece is marked as moved."""

    moved: bool


@frozen
class Immobilized:
    """A piece that does not move or select like others."""

    select: str
    move: str


@frozen
class Prototype:
    """A reference to a shared definition, in old saves."""

    name: str


View = (
    BasicPiece | Stack | Deck | Facing | Layer | Markers | Label | Spreadsheet | PropertySheet | DynamicProperty
    | Mask | Hide | Restricted | Footprint | Moved | Immobilized | Prototype
)  # fmt: skip


def view(trait: Trait) -> View | None:
    """What a trait says, or None for kinds that are kept as text only."""
    reader = _READERS.get(trait.kind)
    return reader(trait) if reader else None


@lru_cache(maxsize=4096)
def integer(text: str) -> int | None:
    """A plain decimal integer, or None; never other digits, signs or separators."""
    return int(text) if _INTEGER.fullmatch(text) else None


@lru_cache(maxsize=1024)
def _split(text: str) -> tuple[str, ...]:
    return tuple(decode(text, ";")[1:])


class _Fields:
    """Fields by position; any of them may be missing in files of older versions."""

    __slots__ = ("_tokens",)

    def __init__(self, trait: Trait) -> None:
        self._tokens = _split(trait.type)

    def text(self, index: int, default: str = "") -> str:
        return self._tokens[index] if index < len(self._tokens) else default

    def number(self, index: int, default: int = 0) -> int:
        found = integer(self.text(index))
        return default if found is None else found

    def items(self, index: int) -> list[str]:
        return decode(text, ",") if (text := self.text(index)) else []


def _token(tokens: list[str], index: int) -> str:
    return tokens[index] if index < len(tokens) else ""


def _place(tokens: list[str]) -> tuple[str | None, int, int]:
    map_name = None if tokens[0] == "null" else tokens[0]
    return map_name, integer(_token(tokens, 1)) or 0, integer(_token(tokens, 2)) or 0


def _basic_piece(trait: Trait) -> BasicPiece:
    fields = _Fields(trait)
    tokens = decode(trait.state, ";")
    stored = tuple(zip(tokens[5::2], tokens[6::2], strict=False))
    return BasicPiece(fields.text(3), fields.text(2), *_place(tokens), stored)


def _stack(trait: Trait) -> Stack:
    tokens = decode(trait.state, ";")
    layer = None
    if len(tokens) > 3 and tokens[-1].startswith("@@"):
        layer = integer(tokens.pop()[2:])
    return Stack(*_place(tokens), tuple(token for token in tokens[3:] if token), layer)


def _deck(trait: Trait) -> Deck:
    tokens = decode(trait.state, ";")
    members = decode(tokens[4], ",") if len(tokens) > 4 and tokens[4] else []
    return Deck(_Fields(trait).text(12), *_place(tokens), _token(tokens, 3) == "true", tuple(members))


def _rotate(trait: Trait) -> Facing:
    fields = _Fields(trait)
    of = max(fields.number(0, 1), 1)
    if of > 1:
        index = integer(trait.state) or 0
        return Facing(fields.text(7), index, of, (index * 360 / of) % 360)
    angle = float(trait.state) if _DECIMAL.fullmatch(trait.state) else 0.0
    # Free rotation is stored counter-clockwise.
    return Facing(fields.text(5), 0, 1, -angle % 360)


def _layer(trait: Trait) -> Layer:
    fields = _Fields(trait)
    value = integer(decode(trait.state, ";")[0]) or 0
    if trait.kind == "emb":  # the oldest form of layer: its definition names nothing
        return Layer("", abs(value), value > 0)
    names = fields.items(16)
    level = abs(value)
    level_name = names[level - 1] if 0 < level <= len(names) else ""
    active = value > 0 or fields.text(25) == "true"
    return Layer(fields.text(18), level, active, level_name, len(fields.items(15)))


def _markers(trait: Trait) -> Markers:
    names = decode(trait.type.partition(";")[2], ",")
    values = decode(trait.state, ",")
    values += [""] * (len(names) - len(values))
    return Markers(tuple(zip(names, values, strict=False)))


def _label(trait: Trait) -> Label:
    fields = _Fields(trait)
    name = fields.text(15, "TextLabel")
    # VASSAL strikes out a label's name of itself, which has no end.
    text = trait.state.strip().replace(f"${name}$", "")
    return Label(text, fields.text(11, "$pieceName$ ($label$)"), name)


def _table(trait: Trait) -> Spreadsheet:
    fields = _Fields(trait)
    height, width = fields.number(0), fields.number(1)
    title, description = fields.text(2), fields.text(4)
    if height <= 0 or width <= 0 or height * width > MAX_TABLE_CELLS:
        return Spreadsheet(title, description, (), complete=False)
    cells = decode(trait.state, ",")
    complete = len(cells) == height * width
    cells += [""] * (height * width - len(cells))
    rows = tuple(zip(*[iter(cells[: height * width])] * width, strict=True))
    return Spreadsheet(title, description, rows, complete)


def _property_sheet(trait: Trait) -> PropertySheet:
    fields = _Fields(trait)
    definitions = [item for item in decode(fields.text(0), "~") if item]
    values = decode(trait.state, "~")
    return PropertySheet(
        fields.text(1),
        tuple([_sheet_field(item, _token(values, index)) for index, item in enumerate(definitions)]),
    )


def _sheet_field(definition: str, value: str) -> SheetField:
    kind = integer(definition[0])
    kind = 0 if kind is None else kind
    return SheetField(definition[1:], kind, value.replace("|", "\n") if kind == MULTILINE else value)


def _dynamic_property(trait: Trait) -> DynamicProperty:
    fields = _Fields(trait)
    bounds = [*fields.items(1), "", "", ""]
    if bounds[0] != "true":
        return DynamicProperty(fields.text(0), trait.state)
    return DynamicProperty(fields.text(0), trait.state, True, integer(bounds[1]), integer(bounds[2]))


def _owner(text: str, access: str) -> Owner | None:
    return None if text == "null" else Owner(access, text)


def _mask(trait: Trait) -> Mask:
    fields = _Fields(trait)
    text = decode(trait.state, ";")[0] if trait.state else "null"
    return Mask(_owner(text, fields.text(5, "player:")), fields.text(4, "?") or "?")


def _hide(trait: Trait) -> Hide:
    return Hide(_owner(trait.state or "null", _Fields(trait).text(3, "player:")))


def _restricted(trait: Trait) -> Restricted:
    return Restricted(tuple(_Fields(trait).items(0)), _owner(trait.state or "null", "player:"))


def _footprint(trait: Trait) -> Footprint:
    tokens = decode(trait.state, ";")
    points = []
    for token in tokens[3 : 3 + (integer(_token(tokens, 2)) or 0)]:
        x, _, y = token.partition(",")
        points.append((integer(x) or 0, integer(y) or 0))
    return Footprint(tokens[0] == "true", tuple(points))


def _immobilized(trait: Trait) -> Immobilized:
    fields = _Fields(trait)
    return Immobilized(fields.text(0), fields.text(1))


_READERS: dict[str, Callable[[Trait], View]] = {
    "piece": _basic_piece,
    "stack": _stack,
    "deck": _deck,
    "rotate": _rotate,
    "emb2": _layer,
    "emb": _layer,
    "mark": _markers,
    "label": _label,
    "table": _table,
    "propertysheet": _property_sheet,
    "PROP": _dynamic_property,
    "obs": _mask,
    "hide": _hide,
    "restrict": _restricted,
    "footprint": _footprint,
    "markmoved": lambda trait: Moved(trait.state == "true"),
    "immob": _immobilized,
    "prototype": lambda trait: Prototype(_Fields(trait).text(0)),
}
