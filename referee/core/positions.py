"""A game as it is looked at: its units and what happened, position by position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any, Literal

from referee.core.beside import Broadside, DiceFallen
from referee.core.finding import Finding, NotChecked, Report
from referee.core.frozen import frozen
from referee.core.hexgrid import Hex
from referee.core.location import Location
from referee.core.play import ShipInPlay
from referee.core.ship import ShipClass
from referee.core.state import ShipState

UnitKind = Literal["ship", "seeker"]


@frozen
class UnitShown:
    """A unit on the map: its name, where it stands and faces, whose it is, what a seeker goes after, and what is left of
    a ship. A unit that is off the map has no hex. Of a ship whose moves before are told, `moves` says how it may go on."""

    name: str
    kind: UnitKind
    hex: Hex | None = None
    facing: str | None = None
    side: str = ""
    speed: str = ""
    target: str = ""
    state: ShipState | None = None
    moves: ShipInPlay | None = field(default=None, compare=False)

    @property
    def at(self) -> str:
        """Its hex and facing, `0915C`; an empty text off the map."""
        return "" if self.hex is None else f"{self.hex}{self.facing or ''}"


@frozen
class Position:
    """The game after something happened: when, what in words, where the source tells it (`#12`, `step 4`, `line 7`), the
    units then, and what the rules say against it. What was taken back later says so."""

    turn: int
    impulse: int | None
    step: str
    happened: str
    place: str
    units: tuple[UnitShown, ...]
    findings: tuple[Finding, ...] = ()
    taken_back: bool = False
    log: Mapping[str, Any] = field(default_factory=dict)
    """What happened where the rulebook keeps the table itself: the new part of its document's log, with its schema."""

    @property
    def when(self) -> str:
        """The moment as a player writes it: `2.14`, `2` before the impulses of a turn."""
        return str(self.turn) if self.impulse is None else f"{self.turn}.{self.impulse}"


@frozen
class MapBounds:
    """What is known of the map: its first and its last hex, and its hexes that its own module calls otherwise."""

    edges: tuple[Hex, Hex] | None = None
    names: Mapping[Hex, str] = field(default_factory=dict)

    def named(self, hex: Hex) -> str:
        """A hex as the players' board has it."""
        return self.names.get(hex) or str(hex)


NO_BOARD = MapBounds()


@frozen
class PlayedGame:
    """A whole game to be looked at: its positions in order, the classes of its ships by name, findings of no position, and
    what was not checked."""

    title: str
    file: str
    rulebook: str
    positions: tuple[Position, ...]
    classes: Mapping[str, ShipClass]
    verdict: str = ""
    findings: tuple[Finding, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    head: str = ""
    fire: tuple[Broadside, ...] = ()
    dice: tuple[DiceFallen, ...] = ()
    board: MapBounds = NO_BOARD
    in_force: Any = None
    """The rulebook in force, with the options of the game."""
    report: Report | None = field(default=None, compare=False)


def findings_by(report: Report, place: Callable[[Location], int | None]) -> dict[int | None, list[Finding]]:
    """The findings of a report by where they are, as a source counts its places: lines, steps."""
    found: dict[int | None, list[Finding]] = {}
    for finding in report.findings:
        found.setdefault(place(finding.location), []).append(finding)
    return found


def looked_at(
    report: Report,
    file: str,
    positions: Iterable[Position],
    classes: Mapping[str, ShipClass],
    rulebook: str = "",
    head: str = "",
    fire: Iterable[Broadside] = (),
    dice: Iterable[DiceFallen] = (),
    board: MapBounds = NO_BOARD,
    in_force: Any = None,
) -> PlayedGame:
    """A game that was judged, with what was found of no position beside it."""
    row = tuple(positions)
    placed = [finding for position in row for finding in position.findings]
    return PlayedGame(
        title=file.replace("\\", "/").rpartition("/")[2],
        file=file,
        rulebook=rulebook or report.rulebook,
        positions=row,
        classes=classes,
        verdict=report.verdict.value,
        findings=tuple(finding for finding in report.findings if finding not in placed),
        not_checked=report.not_checked,
        head=head,
        fire=tuple(fire),
        dice=tuple(dice),
        board=board,
        in_force=in_force,
        report=report,
    )
