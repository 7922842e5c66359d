"""Turns as they are seen to go by: played without a form, passed over by the clock, and turns on the spot put right
again (B2.0, B3.0, C3.1)."""

from __future__ import annotations

from dataclasses import replace

from referee.adjudicator.check import judge
from referee.core.account import Event
from referee.core.finding import About, Finding, NotChecked, Report
from referee.core.forked import Forked
from referee.rulebooks.base import Rulebook


class SeenTurns(Forked):
    """What is against the turns that are seen."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self._findings: list[Finding] = []
        self._lacking: dict[NotChecked, None] = {}
        self._checked: dict[str, None] = {}

    def played(self, event: Event) -> list[Finding]:
        """A ship was there in a turn, or did something, and its form of it is filled in or not."""
        data, rulebook = event.data, event.data["rulebook"]
        facts = rulebook.offers.turn_played(
            rulebook, data["ship"], data["turn"], data["deeds"], data["filed"]
        )
        rules = rulebook.rules_on("turn played", "check")
        self._checked.update({rule.key: None for rule in rules})
        items = [item for rule in rules for item in judge(rule, rulebook, facts)]
        self._lacking.update({item: None for item in items if isinstance(item, NotChecked)})
        found = [replace(item, location=event.at) for item in items if isinstance(item, Finding)]
        self._findings += found
        return found

    def passed_over(self, event: Event) -> list[Finding]:
        """The clock goes from a turn in which something was done to a later one than the next."""
        rulebook, last, to = self._rulebook, event.data["last"], event.data["to"]
        facts = rulebook.offers.sequence_facts(
            rulebook.offers.movement(rulebook), "", to, None, event.at, "TurnBegins", "", "", last, 0
        )
        rules = [
            rule
            for rule in rulebook.rules_on("sequence", "check")
            if rule.key == rulebook.named.turns_in_order
        ]
        turns = f"turn {last + 1}" if to == last + 2 else f"turns {last + 1} to {to - 1}"
        fix = f"play {turns}, then turn {to}"
        items = [item for rule in rules for item in judge(rule, rulebook, facts)]
        return [replace(item, location=event.at, fix=fix) for item in items if isinstance(item, Finding)]

    def ran_through(self, event: Event) -> list[Finding]:
        """The clock only ran through a turn in which others have forms."""
        about = About("", event.data["turn"], location=event.at)
        return [self._rulebook.offers.seen_moves.turn_ran_through(about, event.data["last"])]

    def turned_back(self, event: Event) -> list[Finding]:
        """A ship turned on the spot and back later, and fought between."""
        data, when = event.data, event.when
        about = About(data["ship"], when.turn, when.impulse, event.at)
        facings, later, fought = data["facings"], data["later"], data["fought"]
        found = self._rulebook.offers.seen_moves.turned_back(self._rulebook, about, facings, later, fought)
        return [] if found is None else [found]

    def report(self) -> Report:
        """What was found of turns that were played, and could not be."""
        return Report(tuple(self._findings), tuple(self._checked), tuple(self._lacking))
