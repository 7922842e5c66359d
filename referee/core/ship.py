"""Ship classes: what the SSD prints. What is left of a ship is `referee.core.state`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any

from referee.core.frozen import frozen

STATUSES = ("verified", "single-source", "provisional")
"""How sure a number of the book is, best first."""

OWN = "my/"
"""How the id of a player's own ship begins."""

SECTIONS = ("figures", "shields", "boxes", "tracks", "limits")
"""The parts of a data sheet that hold numbers by name."""

CONFIRMED = "your SSD"
"""The source of a number that the holder of the SSD confirmed."""

TRACKS = ("sensor", "scanner", "damage_control")
"""Special function tracks whose last box is never destroyed (D4.33)."""

Brackets = tuple[tuple[int, int, int], ...]
"""A turn mode chart: low speed, high speed, hexes straight before a turn."""


@frozen
class Sourced:
    """A number of the book, where it comes from and how sure it is."""

    value: Any
    source: tuple[str, ...]
    status: str
    note: str = ""


@frozen
class Mount:
    """One weapon box: its mark on the SSD (`PH-2/4`), its type, its arc, and its limits in hexes."""

    id: str
    type: str
    system: str
    arc: str
    max_range: int | None = None
    status: str = "verified"
    note: str = ""

    @property
    def mark(self) -> str:
        """The mark alone: `4` of `PH-2/4`."""
        return self.id.partition("/")[2]


@frozen
class ShipClass:
    """What the SSD of a class prints.

    `boxes` counts the boxes of each system that is neither weapon nor track, `tracks` gives the
    numbers printed in a track from best to worst, `figures` all single numbers with their source.
    `sources` holds the provenance of each of them by path (`boxes/apr`, `shields/1`).
    """

    id: str
    name: str
    rulebook: str
    race: str
    type: str
    aliases: tuple[str, ...]
    shields: Mapping[int, int]
    boxes: Mapping[str, int]
    tracks: Mapping[str, tuple[int, ...]]
    mounts: tuple[Mount, ...]
    figures: Mapping[str, Any]
    limits: Mapping[str, int]
    sources: Mapping[str, Sourced]
    missing: tuple[str, ...] = ()
    note: str = ""
    _ids: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)
    _marks: dict[str, Mount] = field(default_factory=dict, repr=False, compare=False)

    @property
    def kind(self) -> str:
        """Whose it is, and its type."""
        return " ".join(filter(None, (self.race, self.type)))

    @property
    def move_cost(self) -> Fraction:
        """Warp energy points a hex of movement costs."""
        return Fraction(self.figures.get("move_cost", 1))

    @property
    def hex_costs_a_point(self) -> bool:
        """Is it known that a hex costs one point, so that hexes are points?"""
        return self.move_cost == 1 and "figures/move_cost" not in self.missing

    @property
    def turn_mode(self) -> str | Brackets:
        """The turn mode category (`D`), or the chart printed on the SSD."""
        mode = self.figures.get("turn_mode", "")
        return mode if isinstance(mode, str) else tuple(tuple(bracket) for bracket in mode)

    @property
    def cloak_cost(self) -> Fraction | None:
        """Energy points a turn of cloaking costs; None for a ship without a cloak."""
        cost = self.figures.get("cloak_cost")
        return None if cost is None else Fraction(cost)

    @property
    def warp(self) -> int:
        """Warp engine boxes of all engines."""
        return sum(self.boxes.get(f"{side}_warp", 0) for side in ("left", "right", "center"))

    @property
    def systems(self) -> tuple[str, ...]:
        """Every system the ship has boxes of."""
        weapons = dict.fromkeys(mount.system for mount in self.mounts)
        return (*self.boxes, *self.tracks, *weapons)

    def __str__(self) -> str:
        shields = " ".join(f"#{number} {boxes}" for number, boxes in self.shields.items())
        weapons = ", ".join(f"{mount.id} {mount.arc}" for mount in self.mounts)
        return (
            f"{self.name} ({self.id}): warp {self.warp}; shields {shields}; weapons {weapons or 'not known'}"
        )

    def box_ids(self, system: str) -> tuple[str, ...]:
        """The names of a system's boxes, in the order of the SSD: `apr/1`, `PH-2/4`."""
        if system not in self._ids:
            count = self.boxes.get(system, len(self.tracks.get(system, ())))
            numbered = tuple(f"{system}/{n}" for n in range(1, count + 1))
            self._ids[system] = numbered or tuple(m.id for m in self.mounts if m.system == system)
        return self._ids[system]

    def mount(self, id: str) -> Mount | None:
        """The weapon of that mark, or None."""
        if not self._marks:
            self._marks.update({mount.id: mount for mount in reversed(self.mounts)})
        return self._marks.get(id)

    def unsure(self, *sections: str) -> tuple[str, ...]:
        """The numbers in some sections of the data sheet (`boxes`, `figures/move_cost`) that are not
        verified, by path."""
        return tuple(
            path
            for path, number in self.sources.items()
            if number.status != "verified" and (path in sections or path.partition("/")[0] in sections)
        )

    @property
    def confirmed(self) -> int:
        """How many numbers the holder of the SSD confirmed."""
        return sum(number.source == (CONFIRMED,) for number in self.sources.values())

    def status_of(self, *paths: str) -> str:
        """The least sure status among these numbers; `verified` where all are."""
        found = [self.sources[path].status for path in paths if path in self.sources]
        return max(found, key=STATUSES.index, default="verified")


def plain_id(id: str) -> str:
    """The id in a ship's file; that of a player's own ship in a game has the digest of its data behind it."""
    return id.partition("#")[0]


def ship_from_json(data: Mapping[str, Any], systems: Mapping[str, str]) -> ShipClass:
    """A ship class from the JSON of `schemas/ship.schema.json`, already validated in shape.

    `systems` says which system the boxes of a weapon type belong to: `{"phaser-1": "phaser"}`.
    """
    sources: dict[str, Sourced] = {}

    def read(section: str) -> dict[str, Any]:
        values = {}
        for name, number in data.get(section, {}).items():
            sourced = _sourced(number["value"], number)
            sources[f"{section}/{name}"] = sourced
            values[name] = sourced.value
        return values

    mounts = tuple(
        Mount(
            id=mount["id"],
            type=mount["type"],
            system=systems.get(mount["type"], "other_weapon"),
            arc=mount["arc"],
            max_range=mount.get("max_range"),
            status=_sourced("", mount).status,
            note=mount.get("note", ""),
        )
        for mount in data.get("mounts", ())
    )
    for mount, raw in zip(mounts, data.get("mounts", ()), strict=True):
        sources[f"mounts/{mount.id}"] = _sourced(mount.arc, raw)
    return ShipClass(
        id=data["id"],
        name=data["name"],
        rulebook=data["rulebook"],
        race=data.get("race", ""),
        type=data.get("type", ""),
        aliases=tuple(data.get("aliases", ())),
        figures=read("figures"),
        shields={int(number): boxes for number, boxes in read("shields").items()},
        boxes=read("boxes"),
        tracks={name: tuple(track) for name, track in read("tracks").items()},
        mounts=mounts,
        limits=read("limits"),
        sources=sources,
        missing=tuple(data.get("missing", ())),
        note=data.get("note", ""),
    )


def _sourced(value: Any, number: Mapping[str, Any]) -> Sourced:
    """A value with what its sheet says of it; where that is nothing, it is its player's own."""
    source, status = tuple(number.get("source", ("own",))), number.get("status", "verified")
    return Sourced(value, source, status, number.get("note", ""))


OWN_SHEETS: dict[str, Mapping[str, Any]] = {}
"""Data sheets of players' own ships that are in games here, by id: the digest in its id makes it one sheet's for ever."""
