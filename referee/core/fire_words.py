"""Fire and what it did, in the words of every screen, command and report: shots, volleys, hits on seekers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from referee.core.combat import ShotResult, rolls_that_hit
from referee.core.frozen import frozen
from referee.core.naming import how_many


@frozen
class ShotFired:
    """A weapon fired: at which range (`effective` is what the rules count it as), on which total of its dice it hits
    (`needed`; None for a weapon that always does), what was rolled, and what came of it. `average` is what fair dice
    score. Where a figure is None it is not known, and so is whether it hit."""

    turn: int
    impulse: int | None
    ship: str
    player: str
    weapon: str
    target: str
    place: str
    die: int | None = None
    range: int | None = None
    effective: int | None = None
    needed: int | None = None
    hit: bool | None = None
    damage: int | None = None
    shield: int | None = None
    average: Fraction | None = None

    @property
    def text(self) -> str:
        """The shot in words: range, what it needed, the die, and what came of it."""
        counted = f" (counts as {self.effective})" if self.effective != self.range else ""
        facts = [f"range {self.range}{counted}"] if self.range is not None else []
        facts += [f"needs {rolls_that_hit(self.needed)}"] if self.needed is not None else []
        facts += [f"die {self.die}"] if self.die is not None else []
        shot = " at ".join(filter(None, (f"{self.ship} {self.weapon}".strip(), self.target)))
        return ": ".join(filter(None, (shot, ", ".join(facts), self.outcome)))

    @property
    def outcome(self) -> str:
        """What came of it, in words."""
        if self.hit is None:
            return "what it did is not known"
        if self.damage:
            return f"hit, {how_many(self.damage, 'point')}{f' on #{self.shield}' if self.shield else ''}"
        return "no damage" if self.hit or self.needed is None else "miss"


def shot_fired(
    result: ShotResult,
    *,
    on_ship: bool = True,
    player: str = "",
    place: str = "",
    average: Fraction | None = None,
) -> ShotFired:
    """A shot that was resolved; a seeker has no shields."""
    return ShotFired(
        result.turn or 0,
        result.impulse,
        result.firer,
        player,
        result.weapon,
        result.target,
        place,
        result.roll,
        result.true_range,
        result.effective_range,
        result.needed,
        result.hit,
        result.damage,
        result.shield if on_ship else None,
        average,
    )


@frozen
class VolleyTaken:
    """Points that struck a ship together: whose (`by`; nobody where it is not known), what reinforcement, shield and
    armor took, how many came inside, and the boxes they cost, each with the roll that picked it where one did."""

    turn: int
    impulse: int | None
    target: str
    points: int
    place: str
    by: tuple[str, ...] = ()
    shield: int | None = None
    reinforced: int = 0
    shielded: int = 0
    shield_left: int | None = None
    armored: int = 0
    internals: int = 0
    boxes: tuple[tuple[str, int | None], ...] = ()
    weapons: tuple[str, ...] = ()
    destroyed: bool = False

    @property
    def source(self) -> str:
        """Whose points they are, in words; `not told` where nobody says."""
        return " and ".join(self.by) or "not told"

    @property
    def text(self) -> str:
        """The volley in words, each box with the roll that picked it where that is known."""
        on = (f" on #{self.shield}" if self.shield else "") + self.whose
        parts = [f"{self.reinforced} off by reinforcement"] if self.reinforced else []
        if self.shielded and self.shield_left is not None:
            parts.append(f"{self.shield_left + self.shielded} to {self.shield_left}")
        parts += [f"{self.armored} on armor"] if self.armored else []
        rolled = [f"{box_name(box)} ({roll})" for box, roll in self.boxes if roll is not None]
        boxes = ", ".join(rolled) or boxes_text(box for box, _ in self.boxes)
        inside = f"{self.internals} inside{': ' * bool(boxes)}{boxes}" if self.internals else "nothing inside"
        end = "; destroyed" if self.destroyed else ""
        return f"{self.target}: {how_many(self.points, 'point')}{on}: {', '.join((*parts, inside))}{end}"

    @property
    def whose(self) -> str:
        """Who fired, behind the points; nothing where it is not known."""
        return f" from {self.source}" if self.by else ""


def volley_taken(
    ordered: Mapping[str, Any], events: Iterable[Mapping[str, Any]], shields: Mapping[int, int]
) -> VolleyTaken:
    """A volley by the events that mark it, on a ship that had these shields."""
    of_kind: dict[str, list[Mapping[str, Any]]] = {}
    for event in events:
        of_kind.setdefault(event["event"], []).append(event)
    reinforced, shielded = (
        sum(event["points"] for event in of_kind.get(kind, ())) for kind in ("reinforced", "shield_hit")
    )
    armored = sum(len(event["boxes"]) for event in of_kind.get("armor_hit", ()))
    shield = ordered.get("shield")
    return VolleyTaken(
        0,
        None,
        str(ordered["ship"]),
        ordered["points"],
        "",
        shield=None if ordered["internal"] else shield,
        reinforced=reinforced,
        shielded=shielded,
        shield_left=None if shield is None else shields.get(shield, 0) - shielded,
        armored=armored,
        internals=ordered["points"] - reinforced - shielded - armored,
        boxes=tuple((str(event["box"]), None) for event in of_kind.get("box_destroyed", ())),
        destroyed="ship_destroyed" in of_kind,
    )


@frozen
class SeekerHit:
    """Points scored on a seeker on its way, by whom, and whether it is gone."""

    turn: int
    impulse: int | None
    seeker: str
    points: int
    gone: bool
    by: tuple[str, ...] = ()
    place: str = ""

    @property
    def text(self) -> str:
        """The hit in words."""
        by = f" from {' and '.join(self.by)}" if self.by else ""
        return seeker_hit_text(self.seeker, self.points, self.gone, by)


def struck_text(ship: str, points: int, shield: int | None) -> str:
    """Points that are still to be marked on a ship."""
    return f"{ship} is struck for {how_many(points, 'point')} on #{shield}"


def seeker_hit_text(seeker: str, points: int, gone: bool, by: str = "") -> str:
    """Points on a seeker on its way."""
    return f"{how_many(points, 'point')} on {seeker}{by}{', which is gone' if gone else ''}"


def boxes_text(boxes: Iterable[str]) -> str:
    """Boxes as players count them: `2 lab, PH-1/A`."""
    names = Counter(map(box_name, boxes)).items()
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in names)


def box_name(box: str) -> str:
    """A box as players say it: `forward hull`; a weapon by its mark."""
    system = box.partition("/")[0]
    return box if system.upper() == system else system.replace("_", " ")
