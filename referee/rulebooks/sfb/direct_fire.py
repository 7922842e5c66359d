"""Direct fire (E1.0-E4.0): what may fire, how often and with what energy, and what the dice do.

Checks read an `Aim`; those on "step" all shots of a declaration. The first rule on "outcome" that
knows the weapon decides what its roll does.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from referee.core.combat import NOT_KNOWN, Declaration, Moment, Outcome, Paid, Shot, ShotResult
from referee.core.energy import show_energy
from referee.core.errors import BadInput
from referee.core.forms import LineNotRead
from referee.core.frozen import frozen
from referee.core.naming import how_many
from referee.rulebooks.base import Rulebook, check, resolves
from referee.rulebooks.sfb.arming import readings
from referee.rulebooks.sfb.sensors import Aim, Findings, no_form, when

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.rulebooks.sfb.allocation import EnergyTurn

# -- may it fire at all? -----------------------------------------------------------------


@check("E1.0", "A destroyed weapon does not fire", on="shot", passes="plain")
def weapon_works(aim: Aim) -> Findings:
    """A weapon destroyed in an earlier step fires no more, nor does a ship that is gone. One destroyed in
    the very step it fires in still counts: all damage of a step is worked out before any is applied.

    Legal: a disruptor lost to fire of the same step. Illegal: one lost an impulse ago.
    """
    state = aim.shot.firer.state
    if state and state.dead:
        yield aim.error(f"{aim.shot.firer.name} is destroyed")
    elif state and aim.weapon.get("system") != "phaser" and aim.shot.weapon in state.destroyed:
        yield aim.error(f"{aim.shot.weapon} is destroyed", fix="fire another weapon")


@check("E2.24", "Each phaser box by itself", on="shot", passes="plain")
def phaser_works(aim: Aim) -> Findings:
    """Every phaser box fires, or is destroyed, by itself, however boxes are drawn together.

    Legal: PH-1/2 when PH-1/1 is destroyed. Illegal: PH-1/1.
    """
    state = aim.shot.firer.state
    if state and aim.weapon.get("system") == "phaser" and aim.shot.weapon in state.destroyed:
        yield aim.error(f"{aim.shot.weapon} is destroyed", fix="fire another phaser")


@check("E2.1/type", "Weapon types of the game", on="shot", passes="plain")
def type_in_play(aim: Aim) -> Findings:
    """There are phasers of types 1, 2, 3, 4 and G. Type 4 stands on bases, and not in the cadet game.

    Legal: a phaser-4 by sfb-standard. Illegal: a phaser-4 by sfb-cadet.
    """
    if not aim.weapon:
        yield aim.error(f"no weapon type {aim.shot.type}", fix="name a type of the weapons table")
    for rulebook in aim.rulebook.chain:
        if aim.shot.type in aim.rulebook.table("combat")["not_played"].get(rulebook, ()):
            yield aim.error(f"{aim.weapon['name']} is not used in {rulebook}")


# -- energy and rate ---------------------------------------------------------------------


@check("E1.2/energy", "Energy for the weapon", on="shot", passes="plain")
def energy_paid(aim: Aim) -> Findings:
    """A direct-fire weapon fires only if its energy was paid. Weapons of shuttles and fighters need none.

    Legal: a disruptor with 2 points on its line this turn. Illegal: a photon armed for one turn only.
    """
    if aim.shot.firer.kind in ("shuttle", "fighter") or aim.weapon.get("system") == "shuttle":
        return
    energy = energy_held(aim.shot, aim.rulebook)
    if energy == "partly":
        yield half_armed(aim)
    elif energy == "unpaid":
        yield aim.error("its energy was not paid", expected="paid", found="unpaid", fix="arm it first")
    elif energy == NOT_KNOWN and not (aim.weapon.get("system") == "phaser" and capacitor(aim) is not None):
        yield aim.unknown(f"whether it was paid for is not known: {no_form(aim)}")


def half_armed(aim: Aim) -> Finding:
    """The finding on a weapon that has some of the energy its arming takes."""
    steps = (aim.weapon.get("arming") or {}).get("steps", ())
    state = aim.shot.firer.state
    paid = state.tubes.get(aim.shot.weapon) if state else None
    return aim.error(
        "it is armed in part only",
        expected=f"{' and '.join(steps)} points on consecutive turns" if steps else "all of its energy",
        found="part of them" if paid is None else f"{how_many(show_energy(sum(paid, Fraction(0))), 'point')}",
        fix="arm it first",
    )


def capacitor(aim: Aim) -> Fraction | None:
    """The points a ship's phasers may draw on, None where neither the declaration nor its state says."""
    declared = dict(aim.step.capacitors)
    state = aim.shot.firer.state
    return declared.get(aim.shot.firer.name, state.capacitor if state else None)


@check("E1.5/once", "Once a turn", on="shot", passes="plain", rests_on=("earlier fire",))
def once_a_turn(aim: Aim) -> Findings:
    """A weapon fires once a turn, a PPD excepted. Phasers and disruptors have it in rules of their own.

    Legal: a photon in turns 2 and 4. Illegal: a photon twice in turn 2.
    """
    if aim.weapon.get("system") != "phaser" and aim.shot.type != "disruptor":
        yield from _once(aim)


@check("E2.23", "A phaser once a turn", on="shot", passes="plain", rests_on=("earlier fire",))
def phaser_once_a_turn(aim: Aim) -> Findings:
    """Each phaser fires at most once a turn, phaser-G excepted.

    Legal: PH-1/A in turns 1 and 2. Illegal: PH-1/A on impulses 3 and 11 of one turn.
    """
    if aim.weapon.get("system") == "phaser":
        yield from _once(aim)


@check("E3.23", "A disruptor once a turn", on="shot", passes="plain", rests_on=("earlier fire",))
def disruptor_once_a_turn(aim: Aim) -> Findings:
    """A disruptor fires at most once a turn.

    Legal: DISR/A and DISR/B. Illegal: DISR/A twice.
    """
    if aim.shot.type == "disruptor":
        yield from _once(aim)


def _once(aim: Aim) -> Findings:
    last, now = aim.shot.last_fired, aim.shot.moment
    if aim.weapon.get("exempt_from_once_per_turn") or last is None:
        return
    if last == NOT_KNOWN or now is None:
        yield aim.unknown("when it last fired is not known")
    elif isinstance(last, Moment) and last.turn == now.turn:
        yield aim.error(
            f"it fired on {when(last)} already{counted(aim, last)}",
            expected="one shot a turn",
            found=f"shots on {when(last)} and {when(now)}",
            fix=f"wait for turn {now.turn + 1}",
        )


def counted(aim: Aim, last: Moment) -> str:
    """What to say where the shot before was itself against a rule."""
    fouled = aim.step.fouled
    about = aim.shot.firer.name, aim.shot.weapon, last
    rule = next((foul.rule for foul in fouled if (foul.ship, foul.weapon, foul.moment) == about), "")
    return f" (that shot was itself against {rule}, and counts as fired)" if rule else ""


@check("E1.5", "A quarter of a turn between shots", on="shot", passes="plain", rests_on=("earlier fire",))
def quarter_turn_gap(aim: Aim) -> Findings:
    """From one turn to the next at least a quarter of a turn's impulses lie between two shots of a weapon;
    phaser-G and PPD are excepted.

    Legal: impulse 8 of 8, then impulse 2. Illegal: impulse 8 of 8, then impulse 1. Fix: wait.
    """
    last, now, impulses = aim.shot.last_fired, aim.shot.moment, aim.shot.impulses
    if aim.weapon.get("exempt_from_once_per_turn") or last is None:
        return
    if not isinstance(last, Moment) or now is None or impulses is None:
        yield aim.unknown("when it last fired is not known")
        return
    parts = int(aim.rulebook.table("combat")["refire"]["parts_of_a_turn"])
    gap = now.impulses_since(last, impulses)
    if gap < 0:
        yield aim.unknown(f"it is recorded as having fired later than now, on {when(last)}")
    elif last.turn != now.turn and gap * parts < impulses:
        first = last.impulse - impulses + -(-impulses // parts)
        yield aim.error(
            f"it fired {gap} impulse{'s' * (gap != 1)} ago, on {when(last)}{counted(aim, last)}",
            expected=f"≥ {Fraction(impulses, parts)}",
            found=str(gap),
            fix=f"wait for impulse {first} of turn {last.turn + 1}",
        )


def rested(rulebook: Rulebook, type: str, last: Moment | None, now: Moment) -> bool:
    """Has a weapon of a type that fired last at a moment rested for certain? In an earlier turn, a quarter of one ago, and
    long enough to be armed anew: rules on how often it fires have nothing against it then."""
    if last is None:
        return True
    impulses = int(rulebook.option("impulses"))
    parts = int(rulebook.table("combat")["refire"]["parts_of_a_turn"])
    arming = rulebook.table("weapons")["weapons"][type].get("arming") or {}
    turns = len(arming["steps"]) if arming.get("kind") == "photon" else 1
    return now.turn - last.turn >= turns and now.impulses_since(last, impulses) * parts >= impulses


@check("E1.3/mode", "Ways of firing", on="shot", passes="plain")
def mode_in_play(aim: Aim) -> Findings:
    """Photons, disruptors and the like fire in their standard way; overloads and proximity fuses are not in
    the sources, and are played by option `fire_modes=captain`.

    Legal: a standard photon. Illegal: an overloaded one without the option.
    """
    modes = aim.chart.get("modes", {})
    mode = modes.get(aim.shot.mode)
    if mode is None and aim.shot.mode != "standard":
        yield aim.error(
            f"{aim.shot.type} has no mode {aim.shot.mode}", expected=" or ".join(modes) or "standard"
        )
    elif mode and mode.get("optional") and aim.rulebook.option("fire_modes") != "captain":
        yield aim.error(
            f"{aim.shot.mode} is not in the sources", fix="play it with --option fire_modes=captain"
        )


# -- all shots of a step -----------------------------------------------------------------


@frozen
class DeclaredShots:
    """The shots declared for one step, each with its facts."""

    declaration: Declaration
    aims: tuple[Aim, ...]
    rulebook: Rulebook


def step_of(rulebook: Rulebook, declaration: Declaration) -> DeclaredShots:
    """The facts of a whole step."""
    aims = tuple(Aim(shot, rulebook, declaration) for shot in declaration.shots)
    return DeclaredShots(declaration, aims, rulebook)


@check("E1.2", "A weapon is declared once", on="step", passes="plain")
def declared_once(step: DeclaredShots) -> Findings:
    """In one step a weapon is declared once, phaser-G and PPD excepted.

    Legal: PH-1/A and PH-1/B. Illegal: PH-1/A and PH-1/A.
    """
    seen: set[tuple[str, str, str]] = set()
    for aim in step.aims:
        key = (aim.shot.firer.name, aim.shot.weapon, aim.shot.target.name)
        if aim.shot.mount and key in seen and not aim.weapon.get("exempt_from_once_per_turn"):
            yield aim.error("it is declared twice in this step", fix="take one out")
        seen.add(key)


@check("E1.3/target", "One shot, one target", on="step", passes="plain")
def one_target(step: DeclaredShots) -> Findings:
    """One shot strikes one target. Units between firer and target, or in the target's hex, are not struck.

    Legal: PH-1/A at one ship and PH-1/B at another. Illegal: PH-1/A at both.
    """
    targets: dict[tuple[str, str], str] = {}
    for aim in step.aims:
        key = (aim.shot.firer.name, aim.shot.weapon)
        first = targets.setdefault(key, aim.shot.target.name)
        exempt = aim.weapon.get("exempt_from_once_per_turn")
        if aim.shot.mount and first != aim.shot.target.name and not exempt:
            yield aim.error(f"it is fired at {first} and at {aim.shot.target.name}", fix="choose one target")


# -- what the dice do --------------------------------------------------------------------


@resolves("E2.1", "Which table a weapon fires by", on="firing table")
def firing_table(chart: Mapping[str, Any], aim: Aim) -> Mapping[str, Any]:
    """Each type of phaser has a table of its own, but phaser-G and the phasers of administrative shuttles
    use that of the phaser-3.

    Legal: a phaser-G at range 1 by the phaser-3 table. Illegal: a phaser-2 by the phaser-1 table.
    """
    other = chart.get("uses_table")
    return aim.rulebook.table("weapons")["weapons"][other] if other else chart


@resolves("E1.1", "A die for each weapon", on="dice")
def die_per_weapon(aim: Aim) -> tuple[int, int]:
    """A die of its own is rolled for every weapon fired; a few weapons roll two.

    Legal: three phasers, three dice. Illegal: one die for all three.
    """
    count, _, sides = str(aim.chart.get("dice", aim.rulebook.table("combat")["die"]["value"])).partition("d")
    return int(count), int(sides)


@resolves("E2.4", "Phaser damage", on="outcome")
def phaser_damage(aim: Aim, roll: int) -> Outcome | None:
    """A phaser scores what its table says for the die and the effective range; beyond the table, nothing.

    Legal: phaser-2, range 3, die 2: 4 points. Illegal: phaser-1, range 1, die 1: anything but 8.
    """
    return _by_die(aim, roll) if aim.phaser and "damage" in aim.chart else None


@resolves("E3.0", "Disruptors hit or miss", on="outcome")
def disruptor_outcome(aim: Aim, roll: int) -> Outcome | None:
    """A disruptor hits by rolling no more than its table says for the range; a hit scores less the farther
    the target.

    Legal: range 8, die 4: hit, 3 points. Illegal: 3 points at range 1.
    """
    return _hit_or_miss(aim, roll) if aim.shot.type == "disruptor" else None


@resolves("E4.0", "Photon torpedoes hit or miss", on="outcome")
def photon_outcome(aim: Aim, roll: int) -> Outcome | None:
    """A photon torpedo hits by rolling no more than its table says for the range; a hit scores the same at
    any range.

    Legal: range 8, die 3: hit, 8 points. Illegal: 4 points at range 12.
    """
    return _hit_or_miss(aim, roll) if aim.shot.type == "photon" else None


@resolves("E1.3", "Effects of other weapons", on="outcome")
def other_outcome(aim: Aim, roll: int) -> Outcome | None:
    """Other direct-fire weapons score by die and range, or hit and miss, as their tables say.

    Legal: fusion, range 1, die 1: 8 points. Illegal: the same at range 11.
    """
    if aim.phaser or aim.launched or aim.shot.type in ("disruptor", "photon") or aim.band is None:
        return None
    return _hit_or_miss(aim, roll) if "modes" in aim.chart else _by_die(aim, roll)


def _by_die(aim: Aim, roll: int) -> Outcome:
    damage = 0 if aim.band is None else int(aim.chart["damage"][str(roll)][aim.band])
    return Outcome(damage, damage > 0)


def _hit_or_miss(aim: Aim, roll: int) -> Outcome:
    mode = aim.chart["modes"][aim.shot.mode]
    band = aim.band
    needed = None if band is None else mode["hit_on_or_under"][band]
    if band is None or needed is None:
        return Outcome(0, False)
    return Outcome(_full_damage(aim, mode, band) if roll <= needed else 0, roll <= needed, int(needed))


def _full_damage(aim: Aim, mode: Mapping[str, Any], band: int) -> int:
    if "damage_per_energy" not in mode:
        return int(mode["damage"][band])
    state = aim.shot.firer.state
    energy = sum(state.tubes.get(aim.shot.weapon, ()), Fraction(0)) if state else Fraction(0)
    if not energy:
        raise BadInput(f"the energy in {aim.shot.weapon} is not known", hint="give it with --state")
    return min(int(energy * mode["damage_per_energy"]), int(mode["damage_max"]))


def resolve_shot(aim: Aim, roll: int) -> ShotResult:
    """One shot with its die. Raises BadInput where the range or the weapon's table is not known."""
    shot, reach, true = aim.shot, aim.effective_range, aim.true_range
    if reach is None or true is None:
        raise BadInput(f"the range of {aim.subject} is not known", hint="--range N, or --at and --target-at")
    counted = roll
    for rule in aim.rulebook.rules_on("roll"):
        counted = rule.decide(counted, aim)
    rules = aim.rulebook.rules_on("outcome")
    outcome = next((found for rule in rules if (found := rule.decide(aim, counted)) is not None), None)
    if outcome is None and aim.launched:
        outcome = Outcome(0, False)  # Fired by force against D1.3: it does nothing, and its rack has fired.
    if outcome is None:
        raise BadInput(f"there is no firing table for {shot.type} at range {reach}", place=aim.subject)
    shields: tuple[int, ...] = ()
    for rule in aim.rulebook.rules_on("struck"):
        shields = rule.decide(shot)
    return ShotResult(
        weapon=shot.weapon,
        type=shot.type,
        firer=shot.firer.name,
        target=shot.target.name,
        true_range=true,
        effective_range=reach,
        roll=roll,
        needed=outcome.needed,
        hit=outcome.hit,
        damage=outcome.damage,
        turn=shot.turn,
        impulse=shot.impulse,
        shields=shields,
        shield=shields[0] if len(shields) == 1 else None,
        origin=shot.origin,
        assumed=("lock-on",) if aim.lock_on is None else (),
        data_status=aim.data_status,
    )


def weapon_energy(turn: EnergyTurn) -> tuple[dict[str, Paid], Fraction | None, Paid]:
    """What a turn's form gives for fire: each heavy weapon's energy, the capacitor, fire control. What hangs on a
    figure that could not be read is not known: None for the capacitor."""
    tubes: dict[str, Paid] = {}
    for tube, states in turn.before.tubes.items():
        if tube in turn.unread_tubes:
            tubes[tube] = NOT_KNOWN
            continue
        outcomes = readings(turn.arming_of(tube), states, turn.given.get(tube, Fraction(0)))
        ready = {outcome.what in ("armed", "held") for outcome in outcomes}
        begun = {outcome.what == "arming" for outcome in outcomes} == {True}
        tubes[tube] = (
            NOT_KNOWN if len(ready) > 1 else "paid" if ready == {True} else "partly" if begun else "unpaid"
        )
    charge: Fraction | None
    try:
        charge = min(turn.capacity, turn.charge_before + turn.form.amount("9"))
    except LineNotRead:
        charge = None
    cost = Fraction(turn.rulebook.descriptor["form"]["lines"]["8"].get("cost", 0))
    paid_for = turn.form.known("8")
    control: Paid = "paid"
    if turn.counts("8") and (paid_for is None or paid_for < cost):
        control = NOT_KNOWN if paid_for is None else "unpaid"
    return tubes, charge, control


def energy_held(shot: Shot, rulebook: Rulebook) -> Paid:
    """Whether a ship's state shows a heavy weapon ready: all steps of its arming are in the tube."""
    arming = rulebook.table("weapons")["weapons"].get(shot.type, {}).get("arming")
    state = shot.firer.state
    paid = state.tubes.get(shot.weapon) if state else None
    if shot.energy != NOT_KNOWN or not arming or paid is None:
        return shot.energy
    steps = [arming["amount"]] if arming["kind"] == "same-turn" else arming.get("steps", ())
    return "paid" if len(paid) >= len(steps) and all(paid) else "partly" if any(paid) else "unpaid"
