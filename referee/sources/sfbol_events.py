"""The events of one game of a play-by-play as they are put down, at their lines and in the steps they belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.core.account import NO_TIME, Event
from referee.core.finding import SURE, Certainty, Finding, Perhaps, Severity
from referee.core.forms import EnergyAllocation
from referee.core.frozen import maker
from referee.core.location import Location
from referee.core.ship import ShipClass
from referee.formats.sfbol import ImpulseBegun
from referee.rulebooks.base import Rulebook

_event, _place = maker(Event), maker(Location)
MAY_GO_ON = Perhaps("the log ends in this impulse, and it may still move")
MAY_BE_CUT = Perhaps("the file ends in the midst of this line, and more may have stood there")


class EventRow:
    """A row of events, and the moment it has come to."""

    def __init__(self, file: str, rulebook: Rulebook, classes: Mapping[str, ShipClass]) -> None:
        self.file, self.rulebook, self.classes = file, rulebook, classes
        self.of = int(rulebook.option("impulses"))
        sequence = rulebook.descriptor["sequence_of_play"]
        self._steps: list[str] = sequence["impulse"]
        self._steps_of: Mapping[str, Sequence[str]] = sequence["steps_of"]
        self.events: list[Event] = []
        self.findings: list[Finding] = []
        self.players = {name: f"player{n}" for n, name in enumerate(classes, 1)}
        self._line, self._at = 0, Location(file)
        """The line that was told of last, and its place."""
        self.moment: tuple[int, int | None, str] = (0, None, "")
        self.ending = False
        """Does the log end in this impulse?"""
        self.to_move = 0
        """The moves of ships still to come in the impulse."""
        self.doubt: Certainty = SURE
        """Why nothing is sure any more: another game may have begun, or till it is told again in which impulse all is."""
        self.passing = False
        """Is that doubt over with the next impulse?"""
        self.twins: dict[str, Certainty] = {}
        """Ships under whose name another one may play, too: nothing of them is sure."""
        self.cut = 0
        """The last line, where it has no end."""

    def _put(self, kind: str, data: dict[str, Any], line: int, sure: Certainty = SURE) -> int:
        seq = len(self.events)
        if sure is SURE:
            sure = MAY_BE_CUT if line == self.cut and line and self.doubt is SURE else self.doubt
        if line != self._line:
            self._line, self._at = line, _place(self.file, None, None, None, line or None)
        self.events.append(_event(seq, kind, data, "", self._at, "", NO_TIME, sure))
        return seq

    def _undecided(self, key: str, sentence: str, name: str, line: int, fix: str = "") -> None:
        """Something of a line that is not known, at this moment."""
        turn, impulse, _ = self.moment
        place = Location(self.file, line=line)
        self.findings.append(Finding(key, Severity.UNDECIDED, sentence, name, turn, impulse, place, fix=fix))

    def _say_no_speed(self, name: str, turn: int, why: str, line: int) -> None:
        sentence = f"its speed of turn {turn} is not known: {why}; its calls are not judged"
        self._undecided("NOTE/speed-untold", sentence, name, line, "give its energy form: --form")

    def _say_no_impulse(self, begun: ImpulseBegun, after: int) -> None:
        """The first impulse that cannot come next is named; from there on nothing is sure."""
        if self.doubt is not SURE and not self.passing:
            return
        self.passing = False
        sentence = f"impulse {begun.impulse} after impulse {after}, with no set-up before it: another game may begin here"
        if begun.impulse > self.of:
            sentence = (
                f"impulse {begun.impulse}, and a turn has {self.of}: say which chart, --option impulses=32"
            )
        sentence = f"{sentence}; what follows is judged as of the same, and nothing of it is sure"
        self._undecided("NOTE/clock", sentence, "", begun.line)
        self.doubt = Perhaps(
            f"from line {begun.line} on another game may be played, or the impulse is not known"
        )

    def _begins_perhaps(self, line: int) -> None:
        """A line that is not understood may begin an impulse: nothing is sure until one is told."""
        if self.doubt is SURE:
            self.doubt = Perhaps(f"line {line} is not understood, and may begin an impulse")
            self.passing = True

    def _may_be_two(self, name: str, line: int) -> None:
        """A ship is put on the map elsewhere than it stands."""
        if name not in self.twins and self.doubt is SURE:
            sentence = (
                "it is put on the map elsewhere, and two units may be called so: what it does is not sure"
            )
            self._undecided(
                "NOTE/name", sentence, name, line, "if there are two, give each a name of its own"
            )
            self.twins[name] = Perhaps(f"by line {line} two units may be called so")

    def _say_anew(self, why: str, line: int) -> None:
        sentence = f"{why}: another game may begin here, and what follows is judged as of the same"
        fix = "if it does, cut the file here"
        place = Location(self.file, line=line)
        self.findings.append(Finding("NOTE/game", Severity.UNDECIDED, sentence, location=place, fix=fix))
        self.doubt = Perhaps(f"from line {line} on another game may be played")

    def _order(
        self, name: str, kind: str, facts: dict[str, Any], line: int, sure: Certainty = SURE, **more: Any
    ) -> int:
        turn, impulse, _ = self.moment
        player = self.players.get(name, "")
        data = {"text": [], "player": player, "turn": turn, "impulse": impulse, kind: facts, **more}
        if impulse is None:
            del data["impulse"]
        return self._put("order", data, line, sure)

    def _step(self, to: tuple[int, int | None, str], line: int, sure: Certainty = SURE) -> None:
        turn, impulse, step = self.moment = to
        data = {"turn": turn, "step": step, "impulse": impulse}
        if impulse is None:
            del data["impulse"]
        self._put("step", data, line, sure)

    def _reach(self, kind: str, line: int) -> None:
        """On, within the impulse, to the step of a kind of thing; never back, and not while ships have still to move."""
        turn, impulse, step = self.moment
        wanted = self._steps_of[kind]
        if step in wanted or impulse is None or self.to_move:
            return
        steps = self._steps
        if step in steps:
            ahead = [next_step for next_step in steps[steps.index(step) :] if next_step in wanted]
            if ahead:
                self._step((turn, impulse, ahead[0]), line, MAY_GO_ON if self.ending else SURE)

    def _taken(self, text: str, events: list[dict[str, Any]], line: int, **parts: Any) -> None:
        turn, impulse, step = self.moment
        at: dict[str, Any] = {"turn": turn, "step": step} | ({} if impulse is None else {"impulse": impulse})
        self._put("taken", {"text": text, "events": events, **at, **parts}, line)

    def _file(self, name: str, form: EnergyAllocation, line: int) -> None:
        data = {
            "ship": name,
            "turn": form.turn,
            "player": self.players[name],
            "form": form.fields,
        }
        seq = self._put("form", data, line)
        self.events[seq] = replace(self.events[seq], at=form.place)
