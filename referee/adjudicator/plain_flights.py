"""Seekers that follow their targets as they must, in a plain stretch of play: the rules that say where a seeker goes have
nothing against one that goes there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from referee.adjudicator.flight import speed_of
from referee.core.combat import Seeker
from referee.core.flight import flown
from referee.core.gameorders import TURNED, after
from referee.core.hexgrid import Hex, relative_offset
from referee.core.orders import WAYS, Way
from referee.core.toldfold import TakenFold
from referee.rulebooks.base import Rulebook

_MOVE_DATA = len(("name", "way"))
"""How many things an order says of a move."""
_WORKED_OUT = ("seeker course", "seeker reached", "seeker speed")


class Target(Protocol):
    """A ship on the move that seekers may go after."""

    player: str

    @property
    def hex(self) -> Hex:
        """Where it is now."""


class _Flier:
    """A seeker while a stretch is looked through."""

    def __init__(self, seeker: Seeker, player: str, speed: int, last: int) -> None:
        self.player, self.speed = player, speed
        self.last = last
        """The impulse it moved in last, or was launched in."""
        self.type, self.target = seeker.type, seeker.target
        self._stand(seeker)

    def _stand(self, seeker: Seeker) -> None:
        self._seeker, self.hex, self.facing, self.straight = (
            seeker,
            seeker.hex,
            seeker.facing,
            seeker.straight,
        )

    def moves(self, way: Way, impulse: int) -> None:
        """Moves a hex."""
        if way == "ahead":
            self.hex = self.hex.step(self.facing)
            self.straight += 1
        else:
            self._stand(flown(self.seeker, *after(self.hex, self.facing, way)))
        self.last = impulse

    @property
    def seeker(self) -> Seeker:
        """The seeker as it is now."""
        seeker = self._seeker
        return flown(seeker, self.hex, self.facing, self.straight - seeker.straight)


class PlainFlights:
    """Whether seekers move as the rules let them, in a game that is a fold."""

    def __init__(self, rulebook: Rulebook, movement: Any, fold: TakenFold) -> None:
        self._rulebook, self._movement, self._fold = rulebook, movement, fold
        self._calls = movement.chart.calls
        self.steps = rulebook.descriptor["sequence_of_play"]["steps_of"].get("seekers' movement", ())
        """The steps in which seekers move."""
        self.possible = all(
            rule.passes == "plain" for rule in rulebook.rules_on("seeker move", "check")
        ) and all(rule.origin in rulebook.chain for on in _WORKED_OUT for rule in rulebook.rules_on(on))
        """Are the rules sure of what is plain? Where they are the players' own they cannot be."""
        if self.possible:
            self._turns = rulebook.offers.seeker_turns
        self._speeds: dict[tuple[str, int | None], int] = {}
        """How fast seekers are, by their type and the speed that was given to them."""
        self._fliers: dict[str, _Flier] = {}

    def begin(self, turn: int, impulse: int) -> None:
        """A stretch begins at a moment."""
        self._begun = turn, impulse
        self._fliers = {}

    def goes_on(self, stated: Any, player: object, impulse: int, ships: Mapping[str, Target]) -> bool:
        """Does what is stated make a seeker move as it must? Then it has moved."""
        if type(stated) is not dict or len(stated) != _MOVE_DATA:
            return False
        name, way = stated.get("name"), stated.get("way")
        if type(name) is not str or way not in WAYS:
            return False
        flier = self._fliers.get(name) or self._flier(name, ships)
        if flier is None or flier.last == impulse or player != flier.player:
            return False
        target = ships[flier.target].hex
        if flier.hex == target or not self._calls(flier.speed, impulse):
            return False
        offset = relative_offset(flier.hex, flier.facing, target)
        if TURNED[way] not in self._turns(self._rulebook, flier.type, flier.straight, offset):
            return False
        flier.moves(way, impulse)
        return True

    def _flier(self, name: str, ships: Mapping[str, Target]) -> _Flier | None:
        """A seeker as it is when a stretch begins; None for one that no ship of the game launched, or that goes after none."""
        seeker = self._fold.seekers.get(name) if self.possible else None
        if seeker is None or seeker.owner not in ships or seeker.target not in ships:
            return None
        about = seeker.type, seeker.speed
        if about not in self._speeds:
            self._speeds[about] = speed_of(self._rulebook, self._movement, seeker)
        moved = name in self._fold.seekers_moved or seeker.launched == self._begun
        last = self._begun[1] if moved else 0
        flier = self._fliers[name] = _Flier(seeker, ships[seeker.owner].player, self._speeds[about], last)
        return flier

    @property
    def seekers(self) -> dict[str, Seeker]:
        """The seekers that have moved in the stretch, as they are after it."""
        return {name: flier.seeker for name, flier in self._fliers.items()}

    def moved_in(self, impulse: int) -> frozenset[str]:
        """The seekers that have moved in an impulse of the stretch."""
        return frozenset([name for name, flier in self._fliers.items() if flier.last == impulse])
