"""Who sees what: the log and the ships as one side knows them, or the umpire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.rulebooks.base import nearest
from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.play import LogLine, Play
from referee.rulebooks.trek.ships import TrekShip
from referee.rulebooks.trek.state import CombatState, state_hash, state_json, vessel_json

SCHEMA = "referee/trek-play/1"


def sides_of(state: CombatState) -> tuple[str, ...]:
    """The sides of a combat."""
    return tuple(sorted({vessel.side for vessel in state.vessels.values()}))


def seen_by(log: Iterable[LogLine], side: str) -> list[LogLine]:
    """The entries one side is told of."""
    return [entry for entry in log if not entry.audience or side in entry.audience]


def entry_json(entry: LogLine, number: int, *, umpire: bool) -> dict[str, Any]:
    """A line of the log; to whom it was told only the umpire learns."""
    when = {"n": number, "turn": entry.turn, "round": entry.round, "rule": entry.rule}
    audience = {"only": list(entry.audience)} if umpire and entry.audience else {}
    return {**when, **audience, **e.event_json(entry.event)}


def report_json(
    play: Play, title: str, findings: Iterable[Mapping[str, Any]], verdict: str
) -> dict[str, Any]:
    """The whole combat, for the umpire."""
    return {
        **_head(play, title, verdict),
        "homebrew": homebrew(play),
        "log": [entry_json(entry, n, umpire=True) for n, entry in enumerate(play.log, 1)],
        "findings": list(findings),
        "state": state_json(play.state),
        "state_hash": state_hash(play.state),
        "dice": {"source": play.dice.source, "rolls": list(getattr(play.dice, "rolls", []))},
    }


def side_json(
    play: Play, title: str, side: str, findings: Iterable[Mapping[str, Any]], verdict: str
) -> dict[str, Any]:
    """The combat as one side knows it. Raises BadInput for a side there is not.

    Left out: the other sides' ships but for where they are in the open, their dice, the seed or
    number of dice rolled, and the hash of a state that could be guessed at.
    """
    sides = sides_of(play.state)
    if side not in sides:
        raise BadInput(f"no side {side}", hint=nearest(side, sides))
    own = [vessel for vessel in play.state.vessels.values() if vessel.side == side]
    known = {vessel.lock for vessel in own if vessel.active}
    return {
        **_head(play, title, verdict),
        "as": side,
        "homebrew": homebrew(play, {vessel.name for vessel in own}),
        "log": [entry_json(entry, n, umpire=False) for n, entry in enumerate(seen_by(play.log, side), 1)],
        "findings": list(findings),
        "state": {
            "turn": play.state.turn,
            "round": play.state.round,
            "order": list(play.state.order),
            "vessels": {vessel.name: vessel_json(vessel) for vessel in own},
            "others": {
                vessel.name: _from_outside(vessel.name, play.state, vessel.name in known)
                for vessel in play.state.vessels.values()
                if vessel.side != side
            },
        },
    }


def findings_for(findings: Iterable[Finding], state: CombatState, side: str) -> list[Finding]:
    """The findings about a side's own ships, and about the file as a whole."""
    names = {vessel.name for vessel in state.vessels.values() if vessel.side == side}
    return [
        finding
        for finding in findings
        if finding.subject in names or (not finding.subject and finding.location.file)
    ]


def _from_outside(name: str, state: CombatState, locked: bool) -> dict[str, Any]:
    vessel = state.vessels[name]
    if vessel.out:
        return {"side": vessel.side, "out": vessel.out}
    if vessel.cloaked and not locked:
        return {"side": vessel.side, "cloaked": True}
    return {"side": vessel.side, "cloaked": vessel.cloaked, "hex": str(vessel.hex), "facing": vessel.facing}


def _head(play: Play, title: str, verdict: str) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "rulebook": play.rulebook.id,
        "title": title,
        "verdict": verdict,
        "options": {name: play.rulebook.option(name) for name in play.rulebook.options},
    }


def homebrew(play: Play, names: Iterable[str] | None = None) -> list[str]:
    """Everything in use that is this project's own and not the book's."""
    wanted = set(play.state.vessels if names is None else names)
    used: dict[str, None] = {}
    if play.charts.is_homebrew("moves"):
        used["moves (Figure 3 is lost)"] = None
    if play.charts.is_homebrew("arcs"):
        used["arcs (Figure 2 is lost)"] = None
    for vessel in play.state.vessels.values():
        if vessel.name in wanted:
            used |= dict.fromkeys(_homebrew_of(play, vessel.ship))
    return list(used)


def _homebrew_of(play: Play, ship: TrekShip) -> Iterable[str]:
    if ship.homebrew:
        yield f"ship {ship.id}"
    elif ship.status == "provisional":
        yield f"ship {ship.id} (provisional, one transcription)"
    if not ship.outpost:
        chart = play.charts.chart_for(ship.damage_chart)
        if play.charts.is_homebrew(f"location {chart}"):
            yield f"damage location {chart}" + (
                "" if chart == ship.damage_chart else f" for {ship.damage_chart or 'an unknown one'}"
            )
    for weapon in ship.weapons:
        known = weapon.firing_chart in play.charts.to_hit
        if known and play.charts.is_homebrew(f"firing {weapon.firing_chart}"):
            yield f"firing chart {weapon.firing_chart}"
        known = weapon.damage_table in play.charts.plasma
        if known and play.charts.is_homebrew(f"plasma {weapon.damage_table}"):
            yield f"plasma table {weapon.damage_table}"
