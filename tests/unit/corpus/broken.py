"""Our own program broken on purpose: `python -m tests.unit.corpus.broken NAME` answers as it would with one fault in it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from referee.core.arcs import COMBINATIONS
from referee.corpus import adapter, answering, movement
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook

Spoil = Callable[[Rulebook], Rulebook]


@dataclass(frozen=True)
class Fault:
    """A fault: in which rulebook, what it does to it, and the rule whose case must catch it."""

    rulebook: str
    caught_by: str
    spoil: Spoil


def lost(key: str) -> Spoil:
    """A rule that is forgotten: it finds nothing, and works nothing out."""

    def spoil(book: Rulebook) -> Rulebook:
        rule = book.rules[key]
        if rule.kind == "check":
            return other(key, lambda said: [])(book)
        return replace(book, rules={**book.rules, key: replace(rule, on="nobody asks")})

    return spoil


def other(key: str, change: Callable[[Any], Any]) -> Spoil:
    """A rule of which something else comes out."""

    def spoil(book: Rulebook) -> Rulebook:
        rule = book.rules[key]

        @wraps(rule.decide)
        def decide(*facts: Any, **named: Any) -> Any:
            return change(rule.decide(*facts, **named))

        return replace(book, rules={**book.rules, key: replace(rule, decide=decide)})

    return spoil


def table(name: str, change: Callable[[Any], None]) -> Spoil:
    """A table of the book with a number copied wrong."""

    def spoil(book: Rulebook) -> Rulebook:
        change(book.table(name))
        return book

    return spoil


def half_an_arc(book: Rulebook) -> Rulebook:
    """The forward arc without its right half."""
    COMBINATIONS["FA"] = ("LF",)
    return book


def _set(*path: str, to: Any) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for part in path[:-1]:
            data = data[part]
        data[path[-1]] = to

    return change


def _no_once(chart: Any) -> None:
    for row in chart["rows"].values():
        for cell in row:
            cell["once"] = False


def _bands_shifted(weapons: Any) -> None:
    weapon = weapons["weapons"]["phaser-1"]
    weapon["bands"] = [[low + 1 if low else 0, high + 1] for low, high in weapon["bands"]]


def _hits_easier(weapons: Any) -> None:
    mode = weapons["weapons"]["photon"]["modes"]["standard"]
    mode["hit_on_or_under"] = [number and number + 1 for number in mode["hit_on_or_under"]]


def _columns_swapped(chart: Any) -> None:
    row = chart["rows"]["1"]
    row[0], row[1] = row[1], row[0]


def _chart_wrong(data: Any) -> None:
    data["charts"]["8"]["speeds_by_impulse"]["2"].remove(4)


FAULTS = {
    "a hex too few between turns": Fault(
        "sfb-cadet", "C3.2", other("C3.3", lambda hexes: hexes and hexes - 1)
    ),
    "the turn mode is not looked up": Fault("sfb-standard", "C3.2", other("C3.3", lambda hexes: 1)),
    "the hex of the turn does not count": Fault("sfb-cadet", "C3.4", lost("C3.4")),
    "the count does not carry over": Fault("sfb-standard", "C3.41", lost("C3.41")),
    "turn modes are not satisfied at the start": Fault("sfb-cadet", "C3.43", lost("C3.43")),
    "an impulse of the chart copied wrong": Fault("sfb-cadet", "C1.4", table("movement", _chart_wrong)),
    "the phaser-1 table a hex out": Fault("sfb-cadet", "E2.4", table("weapons", _bands_shifted)),
    "photons hit too easily": Fault("sfb-standard", "E4.0", table("weapons", _hits_easier)),
    "a photon reaches a hex further": Fault(
        "sfb-cadet", "E4.0/range", table("weapons", _set("weapons", "photon", "bands", 5, to=[13, 31]))
    ),
    "fusion reaches 25": Fault(
        "sfb-standard", "E1.3/range", table("weapons", _set("weapons", "fusion", "bands", -1, 1, to=25))
    ),
    "a bold result scores again": Fault("sfb-standard", "D4.31", table("damage_chart", _no_once)),
    "two columns of the cadet chart swapped": Fault(
        "sfb-cadet", "D4.3", table("damage_chart", _columns_swapped)
    ),
    "a fifth of a turn between shots": Fault(
        "sfb-cadet", "E1.5", table("combat", _set("refire", "parts_of_a_turn", to=5))
    ),
    "once a turn is lost": Fault("sfb-standard", "E1.5/once", lost("E1.5/once")),
    "half of the forward arc is lost": Fault("sfb-cadet", "D2.2", half_an_arc),
    "general reinforcement is forgotten": Fault("sfb-standard", "B3.0-12/absorbs", lost("B3.0-12/absorbs")),
    "batteries arm photons": Fault("sfb-cadet", "E4.23", lost("E4.23")),
    "any acceleration": Fault("sfb-standard", "B3.0-14/acceleration", lost("B3.0-14/acceleration")),
    "the total is not added up": Fault("sfb-cadet", "B3.0-20/sum", lost("B3.0-20/sum")),
    "a cloak fades in five impulses": Fault(
        "sfb-standard", "G13.0/fade", table("combat", _set("cloak", "fade_impulses", to=5))
    ),
    "no lock-on trebles the range": Fault(
        "sfb-standard", "D6.123", table("combat", _set("lock_on", "range_factor", to=3))
    ),
    "any number of drones": Fault("sfb-cadet", "FD4.21", lost("FD4.21")),
    "the robot forgets an instruction": Fault("sfb-cadet", "ROBOT-4", lost("ROBOT-4")),
    "once a round is lost": Fault("trek", "trek-15", lost("trek-15")),
    "a grazing hit is a point more": Fault("trek", "trek-50", other("trek-50", lambda points: points + 1)),
    "casualties end at six points": Fault(
        "trek", "trek-62", table("numbers", _set("numbers", "casualty_points", to=6))
    ),
}
"""More than twenty ways to be wrong, each in one thing."""


def main() -> None:
    """Answers with the fault that is named."""
    fault = FAULTS[sys.argv[1]]
    spoilt = {fault.rulebook: fault.spoil(load_rulebook(fault.rulebook))}

    def load(id: str) -> Rulebook:
        return spoilt.get(id) or load_rulebook(id)

    answering.load_rulebook = movement.load_rulebook = load  # type: ignore[attr-defined]
    adapter.main()


if __name__ == "__main__":
    main()
