"""Energy for weapons: the phaser capacitor (H6.0) and the heavy weapons (E3.2, E4.2, FP1.2)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from referee.core.energy import show_energy as show
from referee.core.finding import Finding, NotChecked
from referee.core.forms import Figure
from referee.core.ship import Mount
from referee.rulebooks.base import check
from referee.rulebooks.sfb.allocation import NOTHING, EnergyTurn, points
from referee.rulebooks.sfb.arming import Outcome, may_mean
from referee.rulebooks.sfb.overspent import amounts, payable, settled, within

Findings = Iterator[Finding | NotChecked]


@check("H6.1", "Charge kept in the capacitor", on="allocation")
def capacitor_carried(turn: EnergyTurn) -> Findings:
    """The capacitor keeps its charge from turn to turn: what it held, plus line 9, Phasers, less what was
    fired. It gives energy to phasers only.

    Legal: 3 charged, 2 fired, 1 held next turn. Illegal: 2 held next turn.
    Fix: charge before + line 9 - fired. Batteries used in the turn may add to what is fired: line 21,
    Batteries Used In Turn, shows how much. Where it is blank, charged batteries are assumed to have
    given it.
    """
    held, fired = turn.stated("9:held"), turn.form.amount("9:fired")
    if turn.unknown_weapons:
        yield turn.unknown(f"the phasers of {turn.ship.name} are not known")
        return
    if held is None and not fired:
        return
    carried = min(turn.before.capacitor, turn.capacity)
    if held is not None and turn.before.capacitor_certain and held <= turn.capacity:
        if held > turn.most_carried:
            yield turn.error(
                f"{show(held)} in the capacitor, but {show(carried)} was carried into the turn",
                "9:held",
                expected=show(carried),
                found=show(held),
                fix=turn.write(carried, "9:held"),
            )
        elif held > turn.surely_carried:
            yield turn.undecided(
                f"{show(held)} in the capacitor, {show(turn.surely_carried)} or {show(turn.most_carried)} carried: "
                f"{turn.rulebook.lines.named('21')} of turn {turn.before.turn} may be what batteries gave after the allocation, or the turn's total",
                "9:held",
                expected=f"≤ {show(turn.surely_carried)} or {show(turn.most_carried)}",
                found=show(held),
                fix=turn.which_total,
            )
        elif held < min(carried, turn.least_capacity or carried):
            yield turn.warning(
                f"{show(held)} in the capacitor of {show(carried)} carried: was some fire not written down?",
                "9:held",
                expected=show(carried),
                found=show(held),
                fix="record what was fired in the turn before",
            )
    if not turn.before.fresh and held is not None and not turn.before.capacitor_certain:
        yield turn.unknown("the turn before is not on the form, so the charge it left is not known")
    if fired and fired % (shot := min(turn.shots, default=Fraction(1))):
        yield turn.error(
            f"{points(fired)} of phasers fired, by phasers that take {show(shot)} a shot",
            "9:fired",
            expected=f"a multiple of {show(shot)}",
            found=show(fired),
            fix="count a whole shot for each phaser that fired",
        )
    charged, (least, most) = turn.charge_before + turn.form.amount("9"), turn.used_in_turn
    there = charged + most
    if charged + least < fired <= there:
        yield turn.undecided(
            f"{points(fired)} of phasers fired from {show(charged)} in the capacitor and {show(most)} on "
            f"{turn.line('21')}: right if batteries gave it after the allocation, wrong if it is the turn's total",
            "9:fired",
            expected=f"≤ {show(charged + least)} or {show(there)}",
            found=show(fired),
            fix=turn.which_total,
        )
    if fired > there + turn.lent:
        short = fired - there + turn.form.amount("21")
        cure = f", or write {show(short)} on {turn.line('21')}: batteries can have given it"
        yield turn.error(
            f"{points(fired)} of phasers fired from {show(there)} in the capacitor",
            "9:fired",
            expected=f"≤ {show(there)}",
            found=show(fired),
            fix=turn.write(there, "9:fired") + (cure if short <= turn.batteries_left else ""),
        )
    elif fired > there:
        say = turn.note if turn.last else turn.warning
        yield say(
            f"{points(fired)} of phasers fired from {show(there)} in the capacitor: "
            f"{show(turn.lent)} of battery power is counted as used in the turn",
            "9:fired",
            expected=f"{show(turn.lent)} on {turn.rulebook.lines.named('21')}",
            fix=turn.write(turn.lent, "21"),
        )
    if held is not None:
        turn.carried("capacitor")


@check("H6.2", "Capacity of the capacitor", on="allocation")
def capacitor_filled(turn: EnergyTurn) -> Findings:
    """The capacitor holds one shot of each phaser: 1 point a phaser-1, -2 or -G, a half a phaser-3.

    Legal: three phaser-1, 1 held, 2 added. Illegal: 3 added. Fix: add what still fits.
    """
    added = turn.form.amount("9")
    if not added:
        return
    fits = turn.fits
    if turn.unknown_weapons:
        yield turn.unknown(f"the phasers of {turn.ship.name} are not known")
    elif added > fits:
        lost, may = turn.capacity < turn.ship_capacity, within(turn).figures.get("9", fits)
        yield turn.error(
            f"{points(added)} added to a capacitor of {show(turn.capacity)} that holds {show(turn.charge_before)}",
            "9",
            expected=f"≤ {show(fits)}",
            found=show(added),
            fix=turn.with_sum(
                f"{turn.write(may, '9')}: no more fits"
                + (", destroyed phasers took their share with them (H6.3)" if lost else ""),
                {"9": may},
            ),
        )


@check("H6.3", "Capacitor of destroyed phasers", on="allocation")
def capacitor_lost(turn: EnergyTurn) -> Findings:
    """A destroyed phaser takes its share of the capacitor with it, the empty part first.

    Legal: three phaser-1, 3 held, one destroyed: 2 held. Illegal: 3 still held.
    Fix: hold no more than the phasers left can.
    """
    held = turn.stated("9:held")
    if held is not None and held > turn.capacity:
        yield turn.error(
            f"{show(held)} in a capacitor that holds {show(turn.capacity)}",
            "9:held",
            expected=f"≤ {show(turn.capacity)}",
            found=show(held),
            fix=f"{turn.write(turn.charge_before, '9:held')}: no more than one shot of each phaser left",
        )


def _tubes(turn: EnergyTurn, *kinds: str) -> Iterator[tuple[str, Mount, Figure | None, frozenset[Outcome]]]:
    """Each heavy weapon of some kinds of arming, its entry, and what that may have done."""
    for heavy in turn.heavy:
        if heavy.kind in kinds:
            yield heavy.line, heavy.mount, heavy.entry, heavy.outcomes


def _surely_lost(turn: EnergyTurn, mount: Mount, outcomes: frozenset[Outcome]) -> bool:
    """Was arming surely given up, with no reading in which the tube was held or fired?"""
    lost = bool(outcomes) and all(outcome.what == "lost" for outcome in outcomes)
    return lost and turn.before.fresh and turn.may_work(mount.id)


@check("B3.0-10", "A line for each heavy weapon", on="allocation")
def each_tube_its_line(turn: EnergyTurn) -> Findings:
    """Line 10, Heavy Weapons, records the energy of each heavy weapon box by itself; only undestroyed boxes
    take any.

    Legal: 2 on photon A. Illegal: 2 on photon C of a ship with tubes A and B. Not decided: 2 on photon A
    and 2 on torpedo A, which is the same tube. Fix: put the energy on a tube the ship has.
    """
    if turn.unknown_weapons:
        if any(line.startswith("10") for line in turn.uses):
            yield turn.unknown(f"the weapons of {turn.ship.name} are not known")
        return
    has = [mount.id for mount in turn.ship.mounts if mount.system in ("torpedo", "other_weapon")]
    first: dict[str, str] = {}
    for line, entry in turn.uses.items():
        if line == "10":
            yield turn.undecided(
                f"{points(entry.amount)} to heavy weapons without saying which",
                "10",
                fix="one row for each tube",
            )
        elif line.startswith("10:"):
            tube = turn.tubes_named[line]
            if tube is not None and first.setdefault(tube, line) != line:
                yield turn.undecided(
                    f"{tube} is given twice, as {first[tube][3:]} and as {line[3:]}",
                    line,
                    fix="one row for each tube",
                )
            meant = [mount.id for mount in turn.ship.mounts if may_mean(line, mount)]
            rows = " or ".join(f'{{"{entry.label}": "10:{mark}"}}' for mark in meant)
            if tube is None and meant:
                yield turn.undecided(
                    f"{points(entry.amount)} to {line[3:]}: {turn.ship.name} has {', '.join(meant)}, and the row does "
                    "not say which it is for",
                    line,
                    expected=", ".join(meant),
                    found=line[3:],
                    fix=f"say which in a map file, under form.rows: {rows}"
                    if entry.label
                    else f"name it {' or '.join(meant)}",
                )
            elif tube is None:
                yield turn.error(
                    f"{points(entry.amount)} to {line[3:]}, which {turn.ship.name} does not have",
                    line,
                    expected=", ".join(has) or "no heavy weapons",
                    found=line[3:],
                    fix="put the energy on a tube the ship has",
                )
            elif not turn.may_work(tube):
                yield turn.error(
                    f"{points(entry.amount)} to {tube}, which is destroyed",
                    line,
                    expected="0",
                    found=show(entry.amount),
                    fix=turn.with_sum(
                        f"{turn.write(NOTHING, line)}: a destroyed weapon takes no energy", {line: NOTHING}
                    ),
                )
            elif not turn.arming_of(tube):
                yield turn.unknown(f"no source says how {tube} is armed")
    for tube, why in turn.unread_tubes.items():
        if turn.arming_of(tube) and not turn.form.is_whole:
            yield turn.unknown(f"what {tube} was given is not known: {why}")


@check("E3.2", "Energy for disruptors", on="allocation")
def disruptor_energy(turn: EnergyTurn) -> Findings:
    """A disruptor bolt takes 2 points, from any source, in the turn it is fired; they are not kept.

    Legal: 2 on disruptor A. Illegal: 1 on disruptor A. Fix: 2 points or none.
    """
    for line, mount, entry, outcomes in _tubes(turn, "same-turn"):
        if entry and not outcomes:
            needed = turn.arming_of(mount.id)["amount"]
            yield turn.error(
                f"{points(entry.amount)} to {mount.id}, which takes {needed}",
                line,
                expected=f"{needed} or 0",
                found=show(entry.amount),
                fix=payable(turn, line, amounts(turn, mount)),
            )


@check("E4.21", "Arming photon torpedoes", on="allocation")
def photon_arming(turn: EnergyTurn) -> Findings:
    """Arming a photon tube costs 2 points on each of two consecutive turns; it may fire on the second.

    Legal: 2 on turn 1, 2 on turn 2. Illegal: 3 on turn 1, or 1 on turn 2 of arming.
    Fix: 2 points or none.
    """
    for line, mount, entry, outcomes in _tubes(turn, "photon"):
        held_now = any(tube.armed for tube in turn.before.tubes.get(mount.id, ()))
        if entry and not outcomes and not held_now:
            yield turn.error(
                f"{points(entry.amount)} to {mount.id}, armed by {' and '.join(_steps(turn, mount))} on consecutive turns",
                line,
                expected=_due(turn, mount),
                found=show(entry.amount),
                fix=payable(turn, line, amounts(turn, mount)),
            )


@check("E4.22", "Holding photon torpedoes", on="allocation")
def photon_holding(turn: EnergyTurn) -> Findings:
    """An armed photon that is not fired costs 1 point a turn to hold, from any source, or is ejected;
    a half-armed one that is not paid is lost and arming starts again.

    Legal: 2, 2, then 1 a turn. To note: 2, then nothing: lost. Illegal: an armed tube takes 3.
    Fix: 1 to hold, 2 to arm again after firing, 0 to let go.
    """
    for line, mount, entry, outcomes in _tubes(turn, "photon"):
        states = turn.before.tubes.get(mount.id, frozenset())
        armed = any(tube.armed for tube in states)
        if any(outcome.what == "held" for outcome in outcomes) and not turn.before.fresh:
            yield turn.unknown(f"the turn before is not on the form, so what {mount.id} held is not known")
        if entry and not outcomes and armed:
            yield turn.error(
                f"{points(entry.amount)} to {mount.id}, which is armed",
                line,
                expected=_due(turn, mount),
                found=show(entry.amount),
                fix=payable(turn, line, amounts(turn, mount)),
            )
        elif _surely_lost(turn, mount, outcomes):
            yield turn.note(
                f"{mount.id} was half armed and is not paid: its energy is lost",
                line,
                found="0",
                fix="pay the step that is due",
            )


@check("E4.23", "Photon arming energy is warp energy", on="allocation")
def photon_energy_is_warp(turn: EnergyTurn) -> Findings:
    """The points that arm photons come from the warp engines; those that hold them from anywhere.
    With line 14, Movement, they take no more than the warp engines give, and one impulse point.

    Legal: 16 warp, 4 to two photons, speed 13 (12 warp and 1 impulse). Illegal: speed 14.
    Fix: slow down or arm fewer tubes.
    """
    arming = sum((entry.amount for entry in turn.warp_arming.values()), NOTHING)
    if not arming:
        return
    if turn.unknown_boxes("warp") and turn.stated("1") is None:
        yield turn.unknown(f"the warp engines of {turn.ship.name} are not known")
        return
    warp, paid = turn.power("warp"), turn.form.amount("14")
    impulse = turn.impulse_hex(paid)
    left = warp + impulse - arming
    if arming > warp or (paid > left and paid <= warp + impulse):
        slow = f"with this arming {settled(turn)}; or " if arming <= warp else ""
        yield turn.error(
            f"{points(arming)} to arm photons and {show(paid)} to move: both take warp energy, and there is {show(warp)}: "
            f"warp short by {show(paid - left)}",
            *turn.warp_arming,
            expected=f"arming ≤ {show(max(NOTHING, warp + impulse - paid))} at this speed",
            found=show(arming),
            fix=f"{slow}arm fewer tubes",
        )


@check("FP1.2", "Arming plasma torpedoes", on="allocation")
def plasma_arming(turn: EnergyTurn) -> Findings:
    """A plasma tube is armed over three turns by the steps of its type (type S: 2, 2, 4), from any
    source, and then held at the type's cost where it can be held.

    Arming that is left unpaid is taken as lost, as the sources say of photons.
    Legal: 2, 2, 4. Illegal: 2, 3. Fix: pay the step that is due, or nothing.
    """
    for line, mount, entry, outcomes in _tubes(turn, "steps"):
        if entry and not outcomes:
            yield turn.error(
                f"{points(entry.amount)} to {mount.id}, armed by {', '.join(_steps(turn, mount))} on consecutive turns",
                line,
                expected=_due(turn, mount),
                found=show(entry.amount),
                fix=payable(turn, line, amounts(turn, mount)),
                leans_on=(f"mounts/{mount.id}",),
            )
        elif _surely_lost(turn, mount, outcomes):
            yield turn.note(
                f"{mount.id} was partly armed and is not paid: its energy is taken as lost", line, found="0"
            )


def _steps(turn: EnergyTurn, mount: Mount) -> list[str]:
    steps: list[str] = turn.rulebook.table("weapons")["weapons"][mount.type]["arming"]["steps"]
    return steps


def _due(turn: EnergyTurn, mount: Mount) -> str:
    """The same in words: `1 to hold, 2 or 0`."""
    return ", ".join(amounts(turn, mount)) + " or 0"
