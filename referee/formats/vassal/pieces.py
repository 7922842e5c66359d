"""Pieces as an outsider sees them: what a mask or invisibility hides is not in the view.

VASSAL stores hidden things in the clear and trusts its own screen not to draw them; so does this
module: a mask covers the traits inside it, an invisibility everything but the place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Literal

from referee.core.frozen import frozen, replace
from referee.core.location import Location, cell_name
from referee.core.sheet import Sheet
from referee.formats.vassal import traits as tr
from referee.formats.vassal.chain import Trait
from referee.formats.vassal.command_types import Secret
from referee.formats.vassal.formatted import NO_GLOBALS, Globals, Properties, shown_name
from referee.formats.vassal.players import STRUCK_OUT
from referee.formats.vassal.sequence import decode, encode

Kind = Literal["piece", "stack", "deck"]
PILES = ("stack", "deck")
"""The kinds of pieces in which others lie."""


@frozen
class Piece:
    """A counter, a stack or a deck.

    `name` is what VASSAL shows, labels included; `basic_name` is the name of the counter itself.
    A masked piece is named by its mask; a hidden one has no name, and neither has more than what
    its owner's opponent sees. `members` are ids, bottom to top. A piece in a stack or deck lies where
    that lies, whatever its own state says; `deck` is the name of the deck it lies in.
    """

    id: str
    kind: Kind
    name: str
    basic_name: str
    map: str | None
    x: int
    y: int
    stack: str | None = None
    members: tuple[str, ...] = ()
    markers: Mapping[str, str] = field(default_factory=dict)
    facings: tuple[tr.Facing, ...] = ()
    layers: tuple[tr.Layer, ...] = ()
    labels: tuple[str, ...] = ()
    dynamic: tuple[tr.DynamicProperty, ...] = ()
    tables: tuple[tr.Spreadsheet, ...] = ()
    sheets: tuple[tr.PropertySheet, ...] = ()
    masked: bool = False
    masked_by: str | None = None
    hidden: bool = False
    hidden_by: str | None = None
    trail: tuple[tuple[int, int], ...] = ()
    traits: tuple[Trait, ...] = field(default=(), repr=False)
    deck: str | None = None

    @property
    def facing(self) -> tr.Facing | None:
        """The outermost rotation."""
        return self.facings[0] if self.facings else None

    @property
    def properties(self) -> Mapping[str, str]:
        """Values of the dynamic properties by name."""
        return {item.name: item.value for item in reversed(self.dynamic)}

    def table_sheet(self, index: int, file: str) -> Sheet:
        """A table as a sheet with a place."""
        table = self.tables[index]
        place = Location(file, member="savedGame", piece=self.basic_name, sheet=table.title or None)
        return TableSheet(table.rows, place, table.title)


@frozen
class TableSheet(Sheet):
    """A table of a piece as a sheet."""

    def at(self, row: int, column: int) -> Location:
        """Where a cell is; rows and columns count from 0."""
        place = self.place
        return Location(place.file, place.member, place.sheet, cell_name(row, column), piece=place.piece)


Place = tuple[str | None, int, int]
"""A map and a pixel on it."""


@frozen
class Pile:
    """A stack or deck as what lies in it needs it: its id, where it lies, the name of a deck."""

    id: str
    place: Place
    deck: str | None = None


OwnerName = Callable[[tr.Owner | None], str | None]


def read_piece(
    identity: str,
    traits: tuple[Trait, ...],
    owner_name: OwnerName,
    pile: Pile | None,
    *,
    reveal: bool = False,
    views: list[tr.View | None] | None = None,
    known: Globals = NO_GLOBALS,
) -> Piece:
    """The view of a piece that may lie in a pile; with `reveal` as its owner sees it.

    `views` are those of its traits if they are known already, `known` the properties of the game.
    """
    views = [tr.view(trait) for trait in traits] if views is None else views
    core = views[-1]
    if isinstance(core, tr.Stack):
        return Piece(identity, "stack", "", "", core.map, core.x, core.y, members=core.members, traits=traits)
    if isinstance(core, tr.Deck):
        name = core.name
        return Piece(
            identity, "deck", name, name, core.map, core.x, core.y, members=core.members, traits=traits
        )
    itself = core if isinstance(core, tr.BasicPiece) else tr.BasicPiece("", "", None, 0, 0)
    place = pile.place if pile else (itself.map, itself.x, itself.y)
    stack, deck = (pile.id, pile.deck) if pile else (None, None)
    of_type = _by_type(views)
    mask, hide = _cover(views, of_type)
    hidden_by = owner_name(hide.owner) if hide else None
    masked_by = owner_name(views[mask].owner) if mask is not None else None  # type: ignore[union-attr]
    if hide and not reveal:
        return Piece(
            identity, "piece", "", "", *place, stack,
            masked=mask is not None, hidden=True, hidden_by=hidden_by, deck=deck,
        )  # fmt: skip
    covered = len(views) if mask is None or reveal else mask
    seen, basic_name = views, itself.name
    if covered < len(views):
        seen, basic_name = views[:covered], views[covered].shown_name  # type: ignore[union-attr]
        of_type = _by_type(seen)
    trails = of_type.get(tr.Footprint)
    names = any(map(_may_name, (*of_type.get(tr.Label, ()), *of_type.get(tr.Layer, ()))))
    labels = of_type.get(tr.Label, ())
    name, texts = basic_name, tuple([label.text for label in labels])
    if names:
        basic = _basic(itself, basic_name, place, deck)
        properties = Properties(seen, basic, place[0], known)
        name = shown_name(seen, basic_name, properties)
        texts = tuple([properties.filled(text) for text in texts])
    owned = mask is not None or hide is not None or tr.Restricted in of_type
    return Piece(
        identity, "piece", name, basic_name, *place, stack,
        markers=_markers(of_type.get(tr.Markers, [])),
        facings=tuple(of_type.get(tr.Facing, ())),
        layers=tuple(of_type.get(tr.Layer, ())),
        labels=texts,
        dynamic=tuple(of_type.get(tr.DynamicProperty, ())),
        tables=tuple(of_type.get(tr.Spreadsheet, ())),
        sheets=tuple(of_type.get(tr.PropertySheet, ())),
        masked=mask is not None, masked_by=masked_by, hidden=hide is not None, hidden_by=hidden_by,
        trail=trails[0].points if trails else (),
        traits=_without_ids(traits[:covered], seen) if owned else traits[:covered],
        deck=deck,
    )  # fmt: skip


def moved_piece(piece: Piece, core: Trait, pile: Pile | None, place: Place | None) -> Piece:
    """A piece of which nothing changed but its place, None where it lies as it did, and the pile it is in."""
    place = pile.place if pile else place or (piece.map, piece.x, piece.y)
    stack, deck = (pile.id, pile.deck) if pile else (None, None)
    traits = piece.traits
    if traits and traits[-1].kind == core.kind:
        traits = (*traits[:-1], core)
    return Piece(
        piece.id, piece.kind, piece.name, piece.basic_name, *place, stack, piece.members,
        piece.markers, piece.facings, piece.layers, piece.labels, piece.dynamic, piece.tables, piece.sheets,
        piece.masked, piece.masked_by, piece.hidden, piece.hidden_by, piece.trail, traits,
        deck,
    )  # fmt: skip


def rewritten_piece(piece: Piece, chain: tuple[Trait, ...], pile: Pile | None) -> Piece | None:
    """A piece of which nothing changed but what its tables say, which way it faces and where it lies, in a pile or
    not; None where more may have."""
    old = piece.traits
    if piece.masked or piece.hidden or len(old) != len(chain) or chain[-1].type != old[-1].type:
        return None
    if any(new is not was and new.kind not in _ONLY_SHOWN for new, was in zip(chain, old, strict=True)):
        return None
    tables = _seen_again(piece.tables, chain, old, "table")
    facings = _seen_again(piece.facings, chain, old, "rotate")
    if tables is None or facings is None:
        return None
    place, stack, deck = (piece.map, piece.x, piece.y), None, None
    if pile:
        place, stack, deck = pile.place, pile.id, pile.deck
    elif chain[-1] is not old[-1] or piece.stack:
        itself = tr.view(chain[-1])
        assert isinstance(itself, tr.BasicPiece)
        place = itself.map, itself.x, itself.y
    return Piece(
        piece.id, piece.kind, piece.name, piece.basic_name, *place, stack,
        piece.members, piece.markers, facings, piece.layers, piece.labels, piece.dynamic, tables,
        piece.sheets, trail=piece.trail, traits=chain, deck=deck,
    )  # fmt: skip


_ONLY_SHOWN = ("table", "rotate", "piece")
"""The kinds of traits that change neither a piece's name nor who sees it."""


def _seen_again(
    seen: tuple[Any, ...], chain: tuple[Trait, ...], before: tuple[Trait, ...], kind: str
) -> tuple[Any, ...] | None:
    """What the traits of a kind say, those read anew that are others than before; None where not all were seen."""
    rows = [(new, was) for new, was in zip(chain, before, strict=True) if new.kind == kind]
    if len(rows) != len(seen):
        return None
    if all(new is was for new, was in rows):
        return seen
    return tuple([old if new is was else tr.view(new) for old, (new, was) in zip(seen, rows, strict=True)])


def _basic(itself: tr.BasicPiece, name: str, place: Place, deck: str | None) -> Mapping[str, str]:
    """The properties every piece has, and those VASSAL keeps with its place."""
    of_place = {"CurrentMap": place[0] or "", "CurrentX": str(place[1]), "CurrentY": str(place[2])}
    return {**dict(itself.stored), "BasicName": name, "DeckName": deck or "", **of_place}


def pile_of(identity: str, core: tr.View | None) -> tuple[Pile, tuple[str, ...]] | None:
    """A stack or deck and the ids of what lies in it; None for what is neither."""
    if not isinstance(core, tr.Stack | tr.Deck):
        return None
    deck = core.name if isinstance(core, tr.Deck) else None
    return Pile(identity, (core.map, core.x, core.y), deck), core.members


def owners(traits: tuple[Trait, ...]) -> list[Secret]:
    """The stored player ids in a piece's traits."""
    found = []
    for trait in traits:
        if trait.kind in _OWNED and (owner := tr.view(trait).owner) and owner.player:  # type: ignore[union-attr]
            found.append(owner.player)
    return found


def _without_ids(traits: tuple[Trait, ...], views: list[tr.View | None]) -> tuple[Trait, ...]:
    """The traits with owners' ids struck out."""
    return tuple(
        [
            _without_id(trait, found) if trait.kind in _OWNED else trait
            for trait, found in zip(traits, views, strict=True)
        ]
    )


def _without_id(trait: Trait, found: tr.View | None) -> Trait:
    owner = found.owner  # type: ignore[union-attr]
    if owner is None or owner.player is None:
        return trait
    if trait.kind != "obs":
        return replace(trait, state=STRUCK_OUT)
    return replace(trait, state=encode([STRUCK_OUT, *decode(trait.state, ";")[1:]], ";"))


_OWNED = ("obs", "hide", "restrict")


def _by_type(views: list[tr.View | None]) -> dict[type, list[Any]]:
    """What traits say, outermost first, by what kind of thing it is."""
    of_type: dict[type, list[Any]] = {}
    for found in views:
        of_type.setdefault(type(found), []).append(found)
    return of_type


def _cover(
    views: list[tr.View | None], of_type: Mapping[type, list[Any]]
) -> tuple[int | None, tr.Hide | None]:
    """The outermost mask in force by position, and the invisibility in force."""
    mask = next((mask for mask in of_type.get(tr.Mask, ()) if mask.owner), None)
    hide = next((hide for hide in of_type.get(tr.Hide, ()) if hide.owner), None)
    return None if mask is None else views.index(mask), hide


def _markers(views: list[tr.Markers]) -> Mapping[str, str]:
    pairs = [pair for view in views for pair in view.values]
    # The outermost marker of a name is the one VASSAL finds.
    return dict(reversed(pairs)) if len(pairs) > len({name for name, _ in pairs}) else dict(pairs)


def _may_name(found: tr.Label | tr.Layer) -> bool:
    """Can a label or layer make a piece be called otherwise?"""
    return bool(found.text) if isinstance(found, tr.Label) else found.active and bool(found.level_name)
