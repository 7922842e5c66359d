"""Section 6.1: moves, emergency heading changes, reverse, warp speed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from referee.core.hexgrid import FACINGS, Hex
from referee.rulebooks.base import check, resolves
from referee.rulebooks.trek.charts import BasicMove, Charts
from referee.rulebooks.trek.facts import Declared, Findings
from referee.rulebooks.trek.quantities import ChartedFor, OptionValue, Points, Warp
from referee.rulebooks.trek.state import Vessel

Stress = Annotated[Mapping[Warp, Points], ChartedFor("warp", "success", "emergency_levels")]
"""A stress chart: what each warp speed gives."""
LAST = 99
"""The last column and row that a hex number can name."""


def turned(facing: str, sixths: int) -> str:
    """A facing turned clockwise by sixths of a circle."""
    return FACINGS[(FACINGS.index(facing) + sixths) % len(FACINGS)]


def destination(vessel: Vessel, move: BasicMove) -> Hex:
    """The hex a basic move ends in."""
    towards = turned(vessel.facing, 3) if move.motion == "reverse" else vessel.facing
    return vessel.hex.step(towards, move.hexes)


@check("trek-18", "Basic moves", on="action")
def basic_move(act: Declared) -> Findings:
    """A move is one of the listed ones. The figure is lost: the list is this project's own (ahead or
    astern, then perhaps one side left or right; or a turn in place) until the owner gives another.

    Legal: ahead-left. Illegal: sideways, or off the map. Fix: use a move of the list.
    """
    if act.kind != "move":
        return
    way = act.detail("way")
    if act.rulebook.option("move_list") == "owner" and act.charts.is_homebrew("moves"):
        yield act.tell.unknown("the owner's list of moves was not given")
    elif way not in act.charts.moves:
        yield act.tell.error(f"no move {way}", expected=" or ".join(act.charts.moves), found=str(way))
    else:
        there = destination(act.vessel, act.charts.moves[way])
        if not (0 <= there.column <= LAST and 0 <= there.row <= LAST):
            yield act.tell.error("moves off the map", fix="flee, if the ship is to leave")


@resolves("trek-19", "Emergency heading change", on="move")
def emergency_stress(
    charts: Charts, warp: Warp, success: bool, engine: Stress, superstructure: Stress
) -> dict[str, int]:
    """After a move the ship turns one side more. Each warp engine takes one point and what the stress
    chart gives for the warp speed, superstructure what its chart gives. A Helm roll, less casualties,
    takes the one point away and reads the charts one warp lower.

    Legal: warp 8 with charts of 3 and 1: engines 4, superstructure 1. Illegal: engines 3.
    Fix: add the automatic point.
    """
    read = warp - charts.n("emergency_levels") if success else warp
    automatic = 0 if success else charts.n("emergency_automatic")
    stress = {int(level): value for level, value in engine.items()}
    strain = {int(level): value for level, value in superstructure.items()}
    return {"engine": automatic + stress.get(read, 0), "superstructure": strain.get(read, 0)}


@check("trek-19/chart", "Stress charts for an emergency turn", on="action")
def emergency_possible(act: Declared) -> Findings:
    """An emergency heading change goes left or right, and needs the stress charts for the warp speed.

    Legal: emergency left at warp 4 on a chart from 1 to 10. Illegal: emergency up; or at warp 12 on
    that chart. Fix: say left or right; add the chart.
    """
    way = act.detail("emergency")
    if act.kind != "move" or not way:
        return
    if way not in ("left", "right"):
        yield act.tell.error(f"emergency {way}", expected="left or right", found=str(way))
    warp = act.vessel.warp
    if warp and not (warp in act.ship.engine_stress and warp in act.ship.superstructure_stress):
        yield act.tell.error(f"no stress is charted for warp {warp}", fix="add the stress charts to the ship")


@check("trek-20", "Nothing else moves in the round of a reversal", on="action")
def reversal_alone(act: Declared) -> Findings:
    """Changing the engines over costs no power, but the ship does not otherwise move in that round,
    neither before nor after.

    Legal: reverse and fire. Illegal: ahead, then reverse. Fix: move in the next round.
    """
    if act.kind == "reverse" and "move" in act.vessel.done:
        yield act.tell.error("reverses after moving in the same round", fix="reverse next round")
    if act.kind == "move" and "reverse" in act.vessel.done:
        yield act.tell.error("moves after reversing in the same round", fix="move next round")


@check("trek-21", "Forward and backward", on="action")
def motion_matches(act: Declared) -> Findings:
    """A ship going forward does not go astern without reversing first, and the other way round.

    Legal: reverse in round 1, astern in round 2. Illegal: astern at once. Fix: reverse first.
    """
    move = act.charts.moves.get(str(act.detail("way"))) if act.kind == "move" else None
    if move and move.motion and move.motion != act.vessel.motion:
        yield act.tell.error(
            f"{act.detail('way')} while going {act.vessel.motion}",
            expected=act.vessel.motion,
            found=move.motion,
            fix="reverse first; that takes a round",
        )


@resolves("trek-22", "Warp speed", on="warp")
def warp_after(
    charts: Charts,
    now: Warp,
    wanted: Warp,
    success: bool,
    failed: Annotated[str, OptionValue("failed_warp")] = "one",
) -> int:
    """An action changes the warp speed by one level, or by two with a Warp Drive roll less casualties.
    A failed roll for two gives one. Nobody gets more levels than that.

    Legal: from 4 to 6 with the roll made. Illegal: 6 with the roll failed. Fix: it is 5.
    """
    plain = charts.n("warp_plain")
    most = charts.n("warp_rolled") if success else plain
    if abs(wanted - now) > plain and not success and failed != "one":
        return now
    return now + max(-most, min(most, wanted - now))


@check("trek-22/levels", "Levels of warp in one action", on="action")
def warp_levels(act: Declared) -> Findings:
    """No action changes the warp speed by more than two levels, nor below zero; an outpost has none.

    Legal: from 4 to 6. Illegal: from 4 to 7. Fix: go on next round.
    """
    if act.kind != "warp":
        return
    wanted, now, most = int(act.detail("to", 0)), act.vessel.warp, act.charts.n("warp_rolled")
    if act.ship.outpost:
        yield act.tell.error("an outpost has no warp speed")
    elif wanted < 0 or not 1 <= abs(wanted - now) <= most:
        yield act.tell.error(
            f"from warp {now} to {wanted}", expected=f"1 to {most} levels", found=str(abs(wanted - now))
        )
