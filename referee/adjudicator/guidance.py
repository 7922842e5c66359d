"""The drones a ship guides, held against its sensors: tries for lock-on, how many at once (D6.131, D6.132).

Who tells which drones are out and what the sensors are is another matter: an orders file, a log and a record ask here.
"""

from __future__ import annotations

from collections.abc import Iterator

from referee.adjudicator.check import judge
from referee.core.combat import Guidance, LockAttempt
from referee.core.finding import Finding, NotChecked
from referee.rulebooks.base import Rule, Rulebook


def rules_of(rulebook: Rulebook, key: str) -> tuple[Rule, ...]:
    """The rule of a number on guidance, where it is in force."""
    return tuple(rule for rule in rulebook.rules_on("guidance", "check") if rule.key == key)


def holds_without_roll(rulebook: Rulebook, rating: int | None) -> bool:
    """Do sensors of a rating hold lock-on without a die?"""
    return bool(rulebook.offers.lock_on(rulebook, LockAttempt(rating)))


def judge_tried(rulebook: Rulebook, guidance: Guidance) -> Iterator[Finding | NotChecked]:
    """What is against a ship's tries for lock-on in a turn."""
    for rule in rules_of(rulebook, rulebook.named.lock_on_tried):
        yield from judge(rule, rulebook, guidance)


def judge_controlled(
    rulebook: Rulebook, guidance: Guidance, most: int = 0, unsure: str = ""
) -> Iterator[Finding | NotChecked]:
    """What is against the drones a ship guides, which are those that are out for sure; `most` may be out, and `unsure`
    says why it is not known how many are. Where the rating is not known either, it is at most that of sensors without
    damage."""
    rating = guidance.rating
    bound = _undamaged(rulebook) if rating is None else rating
    if len(guidance.seekers) > bound:
        for rule in rules_of(rulebook, rulebook.named.controlled):
            yield from judge(rule, rulebook, guidance)
    elif most > bound:
        yield NotChecked(rulebook.named.controlled, unsure, guidance.ship)


def _undamaged(rulebook: Rulebook) -> int:
    """The rating of sensors without damage, by which lock-on is had without a roll."""
    return rulebook.lock_on_sides
