"""The racks and tubes of a play-by-play: its lines do not say which of a ship's a seeker left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.arcs import bears
from referee.core.finding import SURE, Certainty, Perhaps
from referee.core.hexgrid import Offset
from referee.core.ship import Mount, ShipClass
from referee.rulebooks.base import Rulebook


class Tubes:
    """The racks and tubes of all ships, as they launch."""

    def __init__(self, rulebook: Rulebook, classes: Mapping[str, ShipClass]) -> None:
        self._weapons = rulebook.table("weapons")["weapons"]
        self._classes = classes
        self._launched: dict[tuple[str, str], tuple[tuple[int, int], tuple[str, ...]]] = {}
        """When each launched last, and which of its ship bore on the target then."""

    def of_type(self, owner: str, type: str) -> list[Mount]:
        """Those of a ship that something may have left, by what the client calls it."""
        words = type.casefold().replace("-", " ").split()
        fits = []
        for mount in self._classes[owner].mounts if owner in self._classes else ():
            plasma = mount.type.startswith("plasma-") and "plasma" in words
            if (self._is_rack(mount) and "drone" in words) or (plasma and mount.type[-1] in words):
                fits.append(mount)
        return fits

    def launches(
        self, owner: str, mounts: Sequence[Mount], when: tuple[int, int], seen: Offset | None
    ) -> tuple[Mount, Certainty]:
        """The one of some mounts that launches at a target `seen` there from the bow: of those that bear, the one that
        has been idle longest. Where it launched in this turn already, that launch may have been of another that bore
        then, and is idle."""
        bearing = [
            mount for mount in mounts if seen is None or self._is_rack(mount) or bears(mount.arc, seen)
        ]
        last = {mount.id: self._launched.get((owner, mount.id), ((0, 0), ())) for mount in mounts}
        mount = min(bearing or mounts, key=lambda mount: last[mount.id][0])
        (turn, _), might = last[mount.id]
        doubted = turn == when[0] and any(last[id][0][0] != turn for id in might)
        self._launched[owner, mount.id] = when, tuple(other.id for other in bearing)
        return mount, Perhaps(f"which tube of {owner} launched before is not told") if doubted else SURE

    def _is_rack(self, mount: Mount) -> bool:
        """Is it a drone rack, which has no arc?"""
        return str(self._weapons[mount.type].get("system", "")) == "drone"
