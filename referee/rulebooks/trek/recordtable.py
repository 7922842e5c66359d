"""A combat at a moment of its record: the ships, what is told, who acts next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.core.errors import IntegrityFailure
from referee.core.finding import Finding, Report
from referee.rulebooks.base import Rulebook
from referee.rulebooks.trek.play import LogLine, Play
from referee.rulebooks.trek.shipyard import Library
from referee.rulebooks.trek.state import CombatState, state_hash
from referee.rulebooks.trek.views import findings_for, report_json, side_json

Replies = Mapping[str, tuple[Mapping[str, Any], ...]]


class RecordedDice:
    """The dice of a combat in a record: they are in its other entries."""

    source = "the record"

    def roll(self, count: int, sides: int) -> int:
        """Raises IntegrityFailure: what has happened is not rolled for again."""
        raise IntegrityFailure(f"{count}d{sides} without dice of the record")


@dataclass(frozen=True, slots=True)
class DeclaredAct:
    """What was declared, and by whom; `alone` where neither the umpire nor all players said it."""

    act: Mapping[str, Any]
    player: str
    alone: bool


@dataclass(frozen=True)
class CombatTable:
    """The combat at a moment of its record. `acted` are the ships that acted this round or left it
    out, the last of them last; `pending` the acts whose events are not recorded yet."""

    rulebook: Rulebook
    shelf: Library
    title: str
    state: CombatState
    players: Mapping[str, str] = field(default_factory=dict)
    unrated: tuple[str, ...] = ()
    log: tuple[LogLine, ...] = ()
    findings: tuple[Finding, ...] = ()
    acted: tuple[str, ...] = ()
    answers: Replies = field(default_factory=dict)
    acts: tuple[Mapping[str, Any], ...] = ()
    pending: Mapping[int, DeclaredAct] = field(default_factory=dict)

    @property
    def turn(self) -> int:
        """The turn, 0 before the first."""
        return self.state.turn

    @property
    def step(self) -> str:
        """Which round it is."""
        return (
            f"round {self.state.round}" if self.state.round else "before round 1" if self.turn else "set-up"
        )

    @property
    def digest(self) -> str:
        """The hash of the combat's state."""
        return state_hash(self.state)

    def document(self, side: str = "") -> dict[str, Any]:
        """The combat so far: all of it, or as one side knows it."""
        play = self.play(RecordedDice())
        findings = findings_for(self.findings, self.state, side) if side else self.findings
        verdict = Report(tuple(findings)).verdict.value
        found = [finding_json(finding) for finding in findings]
        if side:
            return side_json(play, self.title, side, found, verdict)
        report = report_json(play, self.title, found, verdict)
        return {name: part for name, part in report.items() if name != "dice"}

    def to_act(self) -> list[str]:
        """The ships that are still to act in the round, in the order of action."""
        if not self.state.round:
            return []
        order = (name for name in self.state.order if name not in self.acted)
        return [name for name in order if self.state.vessels[name].active]

    def awaited(self) -> list[tuple[str, str]]:
        """Who acts next in the round; when all have, the next round or turn is anybody's to begin."""
        if self.pending:
            # Who declared an act has its dice thrown; what needs none stands at once.
            number, act = min(self.pending.items())
            return [(act.player, f"what the act of entry {number} does to be worked out (game resolve)")]
        left = self.to_act()
        return (
            [(self.players[left[0]], f'{left[0]} to act, or to leave it ("{left[0]}: pass")')] if left else []
        )

    def play(self, dice: Any) -> Play:
        """The combat, ready to be played on with some dice."""
        play = Play(self.rulebook, self.shelf.charts, dice, self.state, list(self.log))
        play.replies = {name: list(replies) for name, replies in self.answers.items()}
        return play


def finding_json(finding: Finding) -> dict[str, Any]:
    """A finding as a record keeps it: without its place in a file."""
    parts = {"subject": finding.subject, "turn": finding.turn, "impulse": finding.impulse}
    signed = {"rule": finding.rule, "key": finding.key, "severity": finding.severity.value}
    return {**signed, "message": finding.message, **{name: part for name, part in parts.items() if part}}
