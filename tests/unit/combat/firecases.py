"""Cases of the rules of fire: shots, launches, fades and seekers a player could have declared.

A file `cases/sfb/<chapter>/shots/<rule>.toml` (or here under `cases/`) names its rule; `given` holds for
every case in it. A case has one of these

- `shots`, with `dice` where they are rolled, and what they come to in `gives`, one entry a shot, or
  `volleys` of points by target and shield;
- `launch`, drones or torpedoes declared in one step, with `launched` earlier in the turn;
- `cloak`: a history, with `order` for an announcement that is judged, or `phases` by moment;
- `lock`: an attempt for lock-on;
- `guidance`, `move`, `seeker`: what a ship guides, where a seeker moved, what becomes of one.

Kinds are those of `tests/casefile.py`: legal, illegal, undecided, unknown; resolves, switched-off.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from referee.adjudicator.check import judge
from referee.adjudicator.fire import resolve_shots, volleys_of
from referee.core import combat
from referee.core.combat import (
    CloakHistory,
    Declaration,
    Guidance,
    LockAttempt,
    Seeker,
    SeekerMove,
    Shot,
    Unit,
    parse_cloak,
    parse_moment,
)
from referee.core.dice import ScriptedDice
from referee.core.finding import Finding, NotChecked
from referee.core.hexgrid import Hex, parse_position
from referee.core.naming import find_mounts
from referee.core.state import ShipState, new_state
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.rulebooks.sfb.seekers import SeekerMoved, full_warhead

HERE = Path(__file__).parent
FOLDERS = (HERE.parents[1] / "cases" / "sfb", HERE / "cases")
BOOKS = ("sfb-cadet", "sfb-standard")
CHECKS = ("legal", "illegal", "undecided", "noted", "unknown")
RESOLVES = ("resolves", "switched-off")
SHOT = {
    *("firer", "ship", "weapon", "type", "at", "state", "kind", "crippled", "cloak", "side", "target_side"),
    *("target", "target_ship", "target_at", "target_cloak", "target_kind"),
    *("range", "turn", "impulse", "impulses", "last_fired", "energy", "fire_control", "lock_on", "scanner"),
    *("mode", "shield"),
}


@dataclass(frozen=True)
class FireCase:
    """One case of one rule, played by one rulebook."""

    rulebook: str
    rule: str
    name: str
    kind: str
    says: dict[str, Any] = field(repr=False)

    @property
    def id(self) -> str:
        """What pytest calls the case."""
        return f"{self.rulebook}:{self.rule}:{self.kind}: {self.name}"


def fire_cases() -> list[FireCase]:
    """Every case, in the order of the files, once for each rulebook that plays it."""
    paths = sorted(path for folder in FOLDERS for path in folder.glob("**/*.toml") if _mine(path))
    return [case for path in paths for case in _read(path)]


def _mine(path: Path) -> bool:
    return path.parent.name == "shots" or path.is_relative_to(HERE)


def _read(path: Path) -> Iterator[FireCase]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    rule, given = data["rule"], data.get("given", {})
    assert path.stem == rule.replace("/", "-"), f"{path} holds cases of {rule}"
    for case in data["case"]:
        assert case["kind"] in (*CHECKS, *RESOLVES), f"{path}: {case['kind']}"
        says = {**case, "given": given}
        for rulebook in case.get("rulebooks", data.get("rulebooks", BOOKS)):
            yield FireCase(rulebook, rule, case["name"], case["kind"], says)


def book_of(case: FireCase) -> Rulebook:
    """The rulebook of a case, without its rule where it is switched off."""
    options = {name: str(value).lower() for name, value in case.says.get("options", {}).items()}
    book = load_rulebook(case.rulebook).with_options(options)
    return book.without([case.rule]) if case.kind == "switched-off" else book


# -- what is declared --------------------------------------------------------------------


def shot_of(said: Mapping[str, Any]) -> Shot:
    """A shot from the facts of a case. Raises ValueError for a misspelling."""
    if unknown := set(said) - SHOT:
        raise ValueError(f"no such fact: {', '.join(sorted(unknown))}")
    ship = load_ship(said["ship"]) if "ship" in said else None
    mount = find_mounts(said["weapon"], ship.mounts)[0] if ship and "weapon" in said else None
    weapon = mount.id if mount else said.get("weapon", said.get("type", ""))
    firer = _unit(said, "", said.get("firer", "firer"), said.get("kind", "ship"))
    target = _unit(said, "target_", said.get("target", "target"), said.get("target_kind", "ship"))
    last = said.get("last_fired", "none")
    return Shot(
        weapon=weapon,
        type=said.get("type", mount.type if mount else ""),
        firer=firer,
        target=target,
        mount=mount,
        last_fired=None if last == "none" else last if last == "unknown" else parse_moment(last),
        energy=said.get("energy", "paid"),
        **{
            name: said[name]
            for name in (
                "range",
                "turn",
                "impulse",
                "impulses",
                "fire_control",
                "lock_on",
                "scanner",
                "mode",
                "shield",
            )
            if name in said
        },
    )


def _unit(said: Mapping[str, Any], prefix: str, name: str, kind: str) -> Unit:
    ship = load_ship(said[f"{prefix}ship"]) if f"{prefix}ship" in said else None
    at = said.get(f"{prefix}at")
    hex, facing = parse_position(at) if at else (None, None)
    state: ShipState | None = None
    if ship:
        marks = {} if prefix else said.get("state", {})
        whole = new_state(ship)
        state = ShipState(
            ship.id,
            whole.shields,
            frozenset(marks.get("destroyed", ())),
            marks.get("dead", False),
            capacitor=Fraction(marks["capacitor"]) if "capacitor" in marks else None,
            tubes={tube: tuple(map(Fraction, paid)) for tube, paid in marks.get("tubes", {}).items()},
            speed=Fraction(marks["speed"]) if "speed" in marks else None,
        )
    cloak = parse_cloak(said.get(f"{prefix}cloak", ""))
    crippled, side = not prefix and said.get("crippled", False), said.get(f"{prefix}side", "")
    return Unit(name, ship, state, hex, facing, cloak, kind, crippled, side)


def declaration_of(case: FireCase, what: str) -> Declaration:
    """All shots or launches of a case."""
    shots = tuple(shot_of({**case.says["given"], **said}) for said in case.says[what])
    launched = tuple((ship, rack) for ship, rack in case.says.get("launched", ()))
    return Declaration(shots, launched=launched)


def seeker_of(said: Mapping[str, Any]) -> Seeker:
    """A seeker from the facts of a case."""
    hex, facing = parse_position(said.get("at", "0101C"))
    assert facing
    told = ("hexes", "damage", "phaser_damage", "straight", "speed")
    rest = {name: said[name] for name in told if name in said}
    if "target_at_launch" in said:
        rest["at_launch"] = _hex(said["target_at_launch"])
    launched = parse_moment(said.get("launched", "1.1"))
    names = (
        said.get("name", "A"),
        said.get("type", "drone"),
        said.get("owner", "firer"),
        said.get("target", "target"),
    )
    return Seeker(*names, hex, facing, launched, **rest)


def history_of(said: Mapping[str, Any]) -> CloakHistory:
    """A cloak's history from the facts of a case."""
    announced = tuple((parse_moment(when), order) for when, order in said.get("announced", ()))
    return CloakHistory(
        "cloaker",
        said.get("impulses", 32),
        frozenset(said.get("paid", ())),
        announced,
        said.get("cloaked", False),
    )


# -- judging and resolving ---------------------------------------------------------------


def judged(case: FireCase) -> list[Finding | NotChecked]:
    """What the case's own rule says."""
    book = book_of(case)
    rule = book.rules[case.rule]
    asked = _facts(case, book, rule.on)
    assert asked, f"{case.id}: the case never comes to its rule"
    return [item for facts in asked for item in judge(rule, book, facts)]


def _facts(case: FireCase, book: Rulebook, subject: str) -> list[Any]:
    says = case.says
    if "shots" in says or "launch" in says:
        what = "shots" if "shots" in says else "launch"
        step = book.offers.fire_step(book, declaration_of(case, what))
        return [step] if subject.endswith("step") else list(step.aims)
    if "cloak" in says:
        moment, order = says["cloak"]["order"]
        history, ship = history_of(says["cloak"]), says["cloak"].get("ship")
        shown = load_ship(ship) if ship else None
        return [book.offers.cloak_order(book, history, parse_moment(moment), order, shown)]
    if "move" in says:
        hex, facing = parse_position(says["move"]["to"])
        assert facing
        target = _hex(says["move"]["target_at"])
        seeker, now = seeker_of(says["move"]), parse_moment(says["move"].get("now", "1.2"))
        due = says["move"].get("due", True)
        return [SeekerMoved(SeekerMove(seeker, hex, facing, target, now, 16, due), book)]
    guidance = says["guidance"]
    seekers = tuple(seeker_of(said) for said in guidance["seekers"])
    return [Guidance("firer", guidance.get("rating"), seekers, guidance.get("attempted"), 2)]


def found(case: FireCase) -> dict[str, Any]:
    """What a case that is worked out comes to, under the names it may expect."""
    book, says = book_of(case), case.says
    if "shots" in says:
        dice = ScriptedDice([int(total) for total in says["dice"].split()])
        results = resolve_shots(book, declaration_of(case, "shots"), dice)
        dice.finish()
        gives = [
            {
                "effective": result.effective_range,
                "needed": result.needed,
                "hit": result.hit,
                "damage": result.damage,
                "shields": list(result.shields),
            }
            for result in results
        ]
        if "volleys" not in says:
            return {"gives": gives}
        hits = [_impact(said, book) for said in says.get("impacts", ())]
        return {
            "gives": gives,
            "volleys": [_volley(volley) for volley in volleys_of(book, [*hits, *results])],
        }
    if "cloak" in says:
        history = history_of(says["cloak"])
        cloaks = ((when, book.offers.cloak_at(book, history, parse_moment(when))) for when in says["phases"])
        return {
            "phases": {when: f"{cloak.phase}:{cloak.impulse}".removesuffix(":0") for when, cloak in cloaks}
        }
    if "lock" in says:
        lock = says["lock"]
        attempt = LockAttempt(
            lock.get("rating"),
            lock.get("fire_control", "paid"),
            parse_cloak(lock.get("target_cloak", "")),
            lock.get("roll"),
        )
        return {"held": {True: "yes", False: "no", None: "unknown"}[book.offers.lock_on(book, attempt)]}
    return _seekers_found(case, book)


def _hex(said: str) -> Hex | None:
    """A hex; None for nothing said: a seeker that goes after nothing."""
    return parse_position(said)[0] if said else None


def _seekers_found(case: FireCase, book: Rulebook) -> dict[str, Any]:
    says = case.says
    if "lost" in says:
        seekers = tuple(seeker_of(said) for said in says["seekers"])
        gone: tuple[Seeker, ...] = ()
        if says.get("when") == "destroyed":
            for rule in book.rules_on("ship lost"):
                gone = rule.decide(gone, seekers, "firer")
        else:
            for rule in book.rules_on("seekers lost"):
                gone = rule.decide(seekers, "firer", book)
        return {"lost": [seeker.name for seeker in gone]}
    seeker = seeker_of(says["seeker"])
    values: dict[str, Any] = {}
    for rule in book.rules_on("seeker speed"):
        values["speed"] = rule.decide(seeker, says.get("impulses", 16), book)
    for rule in book.rules_on("seeker course"):
        target = _hex(says.get("target_at", "0101"))
        values["course"] = [f"{hex}{facing}" for hex, facing in rule.decide(seeker, target, book)]
    for rule in book.rules_on("seeker spent"):
        values["spent"] = rule.decide(
            seeker, parse_moment(says.get("now", "1.1")), says.get("impulses", 16), book
        )
    for rule in book.rules_on("seeker reached"):
        values["reached"] = rule.decide(seeker, _hex(says.get("target_at", "0101")))
    for rule in book.rules_on("drone off map"):
        values["left"] = rule.decide(seeker, book)
    points = full_warhead(seeker, book)
    for rule in book.rules_on("warhead"):
        points = rule.decide(points, seeker, book)
    return {**values, "warhead": points}


def _impact(said: Mapping[str, Any], book: Rulebook) -> combat.ShotResult:
    target = _unit(said, "target_", said.get("target", "target"), "ship")
    came_from, _ = parse_position(said["from"])
    moment = parse_moment(said.get("now", "2.5"))
    result: combat.ShotResult = book.offers.seeker_hit(book, seeker_of(said), target, came_from, moment)
    return result


def _volley(volley: combat.VolleyAt) -> list[Any]:
    return [
        volley.target,
        volley.order.shield,
        volley.order.points,
        [points for points, _ in volley.order.origins],
    ]
