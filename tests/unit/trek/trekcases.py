"""Case files of the Trek rules: a declaration or some numbers, and what the rule says of them.

A file `tests/cases/trek/trek-N.toml` (`trek-N-slug.toml` for a second check of a number) names its rule
and holds its cases. A case's `kind` is

- `legal`, `illegal`, `undecided`, `warned`, `unknown`: the check on `do` by `ship`, where `set` changes
  the ships of the standing scene (Lancer at 0510A, Shade at 0505D, both with full power in round 1 of
  turn 1), `class` its data sheet, `options` the options and `obstacles` the map; or on `acting` in round `round`; or on the
  entry of a ship changed by `class`; or on where the ships stand;
- `resolves`: from `given` comes what `expect` says;
- `wrong`: somebody claims `claim`, and it does not.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from referee.core.finding import Finding, NotChecked
from referee.core.hexgrid import parse_position
from referee.core.location import Location
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.trek.facts import Action, Declared, Enrolled, Sheet, Standing
from referee.rulebooks.trek.ships import ship_from_json
from referee.rulebooks.trek.shipyard import Library, fleet_json, library
from referee.rulebooks.trek.state import CombatState, Crew, Vessel
from referee.rulebooks.trek.working import work_out

CASES = Path(__file__).parents[2] / "cases" / "trek"
CHECK_KINDS = ("legal", "illegal", "undecided", "warned", "unknown")
KINDS = (*CHECK_KINDS, "resolves", "wrong")
FACTS = {
    *("name", "kind", "do", "ship", "set", "options", "obstacles", "acting", "round", "order", "class"),
    *("given", "expect", "claim", "vector"),
}


@dataclass(frozen=True)
class Case:
    """One case of one rule."""

    rule: str
    name: str
    kind: str
    says: dict[str, Any] = field(repr=False)

    @property
    def id(self) -> str:
        """What pytest calls it."""
        return f"{self.rule}:{self.kind}: {self.name}"


def all_cases() -> list[Case]:
    """Every case, in the order of the files. Raises ValueError for a misspelling."""
    return [case for path in sorted(CASES.glob("*.toml")) for case in _cases(path)]


def _cases(path: Path) -> Iterator[Case]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    if path.stem != data["rule"].replace("/", "-"):
        raise ValueError(f"{path} holds cases of {data['rule']}")
    for case in data["case"]:
        if unknown := set(case) - FACTS:
            raise ValueError(f"{path}: {case['name']}: no such line: {', '.join(sorted(unknown))}")
        if case["kind"] not in KINDS:
            raise ValueError(f"{path}: {case['name']}: no kind {case['kind']}")
        yield Case(data["rule"], case["name"], case["kind"], case)


def book_of(case: Case) -> Rulebook:
    """The rulebook in the options of a case."""
    return load_rulebook("trek").with_options(case.says.get("options", {}))


def scene(shelf: Library) -> CombatState:
    """Two ships at five hexes, bow to bow, and an outpost aside, with the power of a turn."""
    places = {
        "Lancer": ("lancer", "alpha", "0510A", 4),
        "Shade": ("shade", "beta", "0505D", 5),
        "Bastion": ("bastion", "alpha", "1212A", 0),
    }
    vessels = {}
    for name, (id, side, at, warp) in places.items():
        ship, (hex, facing) = shelf.ships[id], parse_position(at)
        power = Fraction(sum(ship.engines.values()))
        vessels[name] = Vessel(
            name=name,
            ship=ship,
            side=side,
            crew=Crew({}, 60, 40),
            hex=hex,
            facing=facing or "A",
            warp=warp,
            engines=dict(ship.engines),
            superstructure=ship.superstructure,
            shield_power=dict.fromkeys(range(1, 7), Fraction(ship.max_shield_power)),
            produced=power,
            left=power,
        )
    return CombatState(vessels, turn=1, round=1, order=tuple(places))


def changed(vessel: Vessel, says: dict[str, Any]) -> Vessel:
    """A ship of the scene with what a case sets."""
    parts: dict[str, Any] = dict(says)
    if "at" in parts:
        parts["hex"], facing = parse_position(parts.pop("at"))
        parts["facing"] = facing or vessel.facing
    if "left" in parts:
        parts["left"] = Fraction(parts["left"])
        parts["spent"] = vessel.produced - parts["left"]
    for name in ("fired", "repairs"):
        if name in parts:
            parts[name] = frozenset(parts[name])
    if "damage" in parts:
        parts["damage"] = {part: tuple(hits) for part, hits in parts["damage"].items()}
    if "done" in parts:
        parts["done"] = tuple(parts["done"])
    if "engines" in parts:
        parts["engines"] = {**vessel.engines, **parts["engines"]}
    return replace(vessel, **parts)


def judge(case: Case) -> list[Finding | NotChecked]:
    """What the rule of a case says of its facts."""
    book, says = book_of(case), case.says
    shelf = library(book)
    state = scene(shelf)
    vessels = {
        name: changed(vessel, says.get("set", {}).get(name, {})) for name, vessel in state.vessels.items()
    }
    obstacles = frozenset(parse_position(text)[0] for text in says.get("obstacles", ()))
    state = replace(state, vessels=vessels, obstacles=obstacles)
    rule = book.rules[case.rule]
    name = says.get("ship", "Lancer")
    if "class" in says:
        sheet = {**fleet_json(book)[name.lower()], **says["class"]}
        vessels[name] = replace(vessels[name], ship=ship_from_json(sheet, {}))
    facts: Any
    if rule.on == "action":
        facts = Declared(state, vessels[name], Action(says["do"]["do"], says["do"]), shelf.charts, book)
    elif rule.on == "sheet":
        round, acting, order = says.get("round", 1), tuple(says["acting"]), tuple(says.get("order", ()))
        facts = Sheet(1, round, acting, frozenset(vessels), shelf.charts, Location(), order)
    elif rule.on == "enrolled":
        facts = Enrolled(vessels[name], shelf.charts, book, Location())
    else:
        facts = Standing(state, book)
    return list(rule.decide(facts))


def outcome(case: Case) -> Any:
    """What a resolving rule gives."""
    book = book_of(case)
    return work_out(book, library(book).charts, case.rule, case.says["given"])
