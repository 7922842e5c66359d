"""Judges the shots and launches of a step, rolls them, and joins what strikes into volleys (E1.0, D4.22).

Two passes: every shot of a step is rolled from how things stood when it began, and only then is any
damage applied, so that a weapon lost in the step has fired all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from referee.adjudicator.check import judge_all, turns_of
from referee.adjudicator.volley import resolve
from referee.core.combat import (
    CloakState,
    Declaration,
    Paid,
    Seeker,
    Shot,
    ShotResult,
    VolleyAt,
)
from referee.core.dice import Dice
from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Report
from referee.core.forms import EnergyForm
from referee.core.frozen import frozen, replace
from referee.core.naming import find_mounts, folded, most_like
from referee.core.ship import Mount, ShipClass
from referee.core.state import ShipState
from referee.core.volley import Chooser, VolleyOrder, VolleyResult
from referee.rulebooks.base import Rulebook, nearest


@frozen
class FireEnergy:
    """What a form gives a ship for fire in one turn, in points: tubes by mark, fire control, and the capacitor with
    what line 21 says batteries gave. The capacitor is None where it is not known. `batteries` is what charged
    batteries can add to it though the form does not say so. `charged` is what they can give in the turn, said by the
    form or not."""

    tubes: Mapping[str, Paid]
    capacitor: Fraction | None
    fire_control: Paid
    batteries: Fraction = Fraction(0)
    charged: Fraction = Fraction(0)


# -- what is meant -----------------------------------------------------------------------


def weapon_type(rulebook: Rulebook, name: str) -> str:
    """The weapon type of an id, a name or a prefix. Raises BadInput, with the nearest, for none."""
    weapons = rulebook.table("weapons")["weapons"]
    for type, weapon in weapons.items():
        if folded(name) in (folded(type), folded(weapon["name"]), folded(weapon["prefix"])):
            return str(type)
    raise BadInput(f"no weapon type {name}", hint=nearest(name, weapons))


def weapons_named(rulebook: Rulebook, ship: ShipClass, names: Iterable[str]) -> tuple[Mount, ...]:
    """The weapons of a ship that are named, or all that are fired for `all`. Raises BadInput, with the
    nearest, for one the ship does not have."""
    wanted = [name.strip() for name in map(str, names) if name.strip()]
    if not wanted:
        raise BadInput(f"which weapons of {ship.name} fire is not given", hint="name PH-1A, or all")
    if wanted == ["all"]:
        table = rulebook.table("weapons")["weapons"]
        return tuple(mount for mount in ship.mounts if not table[mount.type].get("seeking"))
    found = []
    for name in wanted:
        mounts = find_mounts(name, ship.mounts)
        if len(mounts) != 1:
            raise BadInput(f"{ship.name} has no weapon {name}", hint=weapons_like(name, ship))
        found.append(mounts[0])
    return tuple(found)


def weapons_like(name: str, ship: ShipClass) -> str:
    """A hint with the marks of a ship's weapons most like a mistyped one, of equals the first on the SSD:
    `PH-1A` as the book writes it, but `PH-1/1`, which without the stroke would read as another weapon."""
    written = (mount.id if mount.id[-1].isdigit() else mount.id.replace("/", "") for mount in ship.mounts)
    marks = most_like(name, written, least=0)
    return f"did you mean {' or '.join(marks)}?" if marks else "no weapon of it is known"


def check_fade(rulebook: Rulebook, cloak: CloakState) -> None:
    """Raises BadInput for a fade that goes on for longer than one takes (G13.0), or in a game without fading."""
    if not cloak.impulse:
        return
    stated, longest = (
        f"{cloak.phase}:{cloak.impulse}",
        int(rulebook.table("combat")["cloak"]["fade_impulses"]),
    )
    if not any(rule in rulebook.rules for rule in rulebook.named.fades):
        raise BadInput(f"{stated}: ships do not fade in {rulebook.id}", hint="cloaked, or visible")
    if cloak.impulse > longest:
        after = "cloaked" if cloak.phase == "fading-out" else "visible"
        raise BadInput(f"{stated}: a fade takes {longest} impulses", hint=f"after it the ship is {after}")


# -- judging -----------------------------------------------------------------------------


def check_shots(rulebook: Rulebook, shots: Declaration | Sequence[Shot]) -> Report:
    """All findings on the shots of one step, each by itself and all together."""
    declaration = shots if isinstance(shots, Declaration) else Declaration(tuple(shots))
    return _check(rulebook, rulebook.offers.fire_step(rulebook, declaration), "shot", "step")


def check_fire(rulebook: Rulebook, declaration: Declaration) -> Report:
    """All that is found on the fire of one step: its shots, and the shields they are said to strike."""
    return check_aimed(rulebook, rulebook.offers.fire_step(rulebook, declaration))


def check_aimed(rulebook: Rulebook, step: Any) -> Report:
    """As `check_fire`, of a step whose facts there are already."""
    report = _check(rulebook, step, "shot", "step")
    astray = rulebook.offers.shields_astray(rulebook, step.declaration)
    return replace(report, findings=(*report.findings, *astray)) if astray else report


def check_launches(rulebook: Rulebook, launches: Declaration | Sequence[Shot]) -> Report:
    """All findings on the seekers launched in one step."""
    declaration = launches if isinstance(launches, Declaration) else Declaration(tuple(launches))
    return _check(rulebook, rulebook.offers.fire_step(rulebook, declaration), "launch", "launch step")


def _check(rulebook: Rulebook, step: Any, each: str, together: str) -> Report:
    facts = [(each, aim) for aim in step.aims]
    return _report(rulebook, [*facts, (together, step)])


def _report(rulebook: Rulebook, facts: list[tuple[str, Any]]) -> Report:
    findings: list[Finding] = []
    not_checked: list[NotChecked] = []
    checked: dict[str, None] = {}
    for subject, fact in facts:
        rules = rulebook.rules_on(subject, "check")
        checked.update(dict.fromkeys([rule.key for rule in rules]))
        for item in judge_all(rules, rulebook, fact):
            if isinstance(item, Finding):
                findings.append(item)
            else:
                not_checked.append(item)
    return Report(
        findings=tuple(findings),
        checked=tuple(checked),
        not_checked=tuple(dict.fromkeys(not_checked)),
        rulebook=rulebook.id,
        options=rulebook.chosen,
    )


def fire_energy(rulebook: Rulebook, ship: ShipClass, form: EnergyForm, turn: int) -> FireEnergy:
    """What the form gives for fire in a turn. Raises BadInput where that turn is not filled in."""
    if not any(allocation.turn == turn for allocation in form.allocations):
        raise BadInput(f"turn {turn} is not filled in", file=form.place.file, hint="name another with --turn")
    facts = next(facts for facts, _ in turns_of(rulebook, ship, form) if facts.form.turn == turn)
    tubes, capacitor, control = rulebook.offers.fire_energy(facts)
    used, left = facts.form.known(rulebook.lines.used_in_turn), facts.batteries_known_left
    if capacitor is None or used is None or left is None:
        return FireEnergy(tubes, None, control)
    return FireEnergy(tubes, capacitor + used, control, Fraction(0) if used else left, left)


# -- rolling -----------------------------------------------------------------------------


def resolve_shots(
    rulebook: Rulebook, shots: Declaration | Sequence[Shot], dice: Dice
) -> tuple[ShotResult, ...]:
    """Every shot rolled, in the order declared; nothing is applied. Raises BadInput where the range or the
    table of a weapon is not known."""
    declaration = shots if isinstance(shots, Declaration) else Declaration(tuple(shots))
    step = rulebook.offers.fire_step(rulebook, declaration)
    result_of = rulebook.offers.fire
    return tuple(result_of(aim, dice.roll(*dice_for(rulebook, aim))) for aim in step.aims)


def dice_for(rulebook: Rulebook, aim: Any) -> tuple[int, int]:
    """Which dice decide a shot: how many, and their sides. Raises BadInput where no rule says."""
    rules = rulebook.rules_on("dice")
    if not rules:
        raise BadInput("no rule says which dice are rolled", hint=f"switch {rulebook.named.dice} on again")
    count, sides = rules[0].decide(aim)
    return count, sides


def scores(rulebook: Rulebook, shot: Shot) -> tuple[tuple[int, int], dict[int, int]]:
    """Which dice decide a shot, and the points it scores by each total of them. Raises as `resolve_shots`."""
    aim = rulebook.offers.fire_step(rulebook, Declaration((shot,))).aims[0]
    count, sides = dice_for(rulebook, aim)
    result_of = rulebook.offers.fire
    return (count, sides), {total: result_of(aim, total).damage for total in range(count, count * sides + 1)}


def totals(rulebook: Rulebook, shots: Sequence[Shot]) -> frozenset[int]:
    """All the points that shots can score together, whatever their dice. Raises as `resolve_shots`."""
    sums = {0}
    for shot in shots:
        _, by_total = scores(rulebook, shot)
        sums = {so_far + points for so_far in sums for points in by_total.values()}
    return frozenset(sums)


def struck_by(
    rulebook: Rulebook, seekers: Iterable[Seeker], results: Iterable[ShotResult]
) -> tuple[tuple[ShotResult, ...], tuple[dict[str, Any], ...]]:
    """What some shots strike: the shots at ships, and what those at seekers did to each."""
    there, fired = {seeker.name: seeker for seeker in seekers}, tuple(results)
    hits = tuple(seeker_hit_by(rulebook, seeker, fired) for seeker in there.values())
    return tuple(result for result in fired if result.target not in there), hits


def seeker_hit_by(rulebook: Rulebook, seeker: Seeker, results: Iterable[ShotResult]) -> dict[str, Any]:
    """What some shots did to a seeker, and whether it is gone."""
    weapons = rulebook.table("weapons")["weapons"]
    own = [result for result in results if result.target == seeker.name]
    points = sum(result.damage for result in own)
    phasers = sum(result.damage for result in own if weapons[result.type].get("system") == "phaser")
    after = replace(seeker, damage=seeker.damage + points, phaser_damage=seeker.phaser_damage + phasers)
    left: int = rulebook.offers.warhead_left(rulebook, after)
    return {"seeker": seeker.name, "points": points, "phasers": phasers, "gone": left <= 0}


# -- volleys -----------------------------------------------------------------------------


def volleys_of(rulebook: Rulebook, results: Iterable[ShotResult]) -> tuple[VolleyAt, ...]:
    """What struck, joined into volleys, in the order first struck. Raises BadInput where it is not known
    which shield was struck."""
    groups: dict[tuple[object, ...], list[ShotResult]] = {}
    for result in results:
        if not result.damage:
            continue
        if result.shield is None:
            raise BadInput(_which_shield(result), place=result.weapon, hint="say which with --shield")
        key = tuple(
            part for rule in rulebook.rules_on("volley group") for part in rule.decide(result, rulebook)
        )
        groups.setdefault(key, []).append(result)
    return tuple(_volley(rulebook, group) for group in groups.values())


def _which_shield(result: ShotResult) -> str:
    if not result.shields:
        return "which shield it strikes is not known"
    return "it strikes shield " + " or ".join(f"#{number}" for number in result.shields)


def _volley(rulebook: Rulebook, group: list[ShotResult]) -> VolleyAt:
    points = sum(result.damage for result in group)
    rules = rulebook.rules_on("volley origins")
    origins = rules[0].decide(group) if rules and all(result.origin for result in group) else ()
    first = group[0]
    return VolleyAt(
        target=first.target,
        order=VolleyOrder(points=points, shield=first.shield, origins=origins),
        firers=tuple(dict.fromkeys(result.firer for result in group)),
        turn=first.turn,
        impulse=first.impulse,
        step=first.step,
    )


def reinforced(volleys: Iterable[VolleyAt], points_given: str) -> tuple[VolleyAt, ...]:
    """Volleys met by general and specific reinforcement, said as `2,1`: general points protect all shields of
    one ship and are used up by the volleys in their order, specific ones are of one shield. Raises BadInput for
    anything else, and where several ships or shields are struck and it is not given whose they are."""
    volleys = tuple(volleys)
    general, _, specific = (part.strip() for part in points_given.partition(","))
    if not all(part.isascii() and part.isdecimal() and len(part) < 5 for part in (general, specific)):
        raise BadInput(f"reinforcement {points_given}", hint="general and specific points, as 2,3")
    left, more = int(general), int(specific)
    ships = dict.fromkeys(volley.target for volley in volleys)
    if (left or more) and len(ships) > 1:
        whose = " or ".join(ships)
        raise BadInput(f"reinforcement {points_given} of {whose}", hint="give the fire at one ship by itself")
    shields = dict.fromkeys(volley.order.shield for volley in volleys)
    if more and len(shields) > 1:
        which = " or ".join(f"#{shield}" for shield in shields)
        raise BadInput(f"{more} of specific reinforcement for {which}", hint="resolve each shield by itself")
    met = []
    for volley in volleys:
        order = replace(volley.order, general_reinforcement=left, specific_reinforcement=more)
        met.append(replace(volley, order=order))
        left, more = left - min(left, order.points), max(0, more - max(0, order.points - left))
    return tuple(met)


def apply_volleys(
    rulebook: Rulebook,
    volleys: Iterable[VolleyAt],
    targets: Mapping[str, tuple[ShipClass, ShipState]],
    dice: Dice,
    chooser: Chooser,
) -> tuple[tuple[VolleyAt, VolleyResult], ...]:
    """The second pass: each volley on its target, one after the other; a target that is gone takes no more.
    Raises BadInput for a target of which the ship is not known."""
    states = {name: state for name, (_, state) in targets.items()}
    done = []
    for volley in volleys:
        if volley.target not in targets:
            raise BadInput(
                f"the class of {volley.target or 'the target'} is not known", hint="say which ship it is"
            )
        if states[volley.target].dead:
            continue
        ship = targets[volley.target][0]
        result = resolve(rulebook, ship, states[volley.target], volley.order, dice, chooser)
        states[volley.target] = result.state
        done.append((volley, result))
    return tuple(done)
