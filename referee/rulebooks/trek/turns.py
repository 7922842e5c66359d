"""A combat file played through: turns, rounds, order of action, declarations judged and then resolved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from referee.core.dice import Dice
from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.rulebooks.base import Rulebook
from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.acts import moves, sensors
from referee.rulebooks.trek.acts.fire import fire
from referee.rulebooks.trek.acts.repairs import repair, repairs_due
from referee.rulebooks.trek.charts import Charts
from referee.rulebooks.trek.combatfile import CombatFile, Orders, TurnSheet
from referee.rulebooks.trek.facts import Action, Declared, EndOfRound, Enrolled, RoundWritten
from referee.rulebooks.trek.play import Play
from referee.rulebooks.trek.sequence import action_order, alternate, new_turn_power, npc_crew
from referee.rulebooks.trek.shooting import shield_reset

Act = Callable[[Play, str, Mapping[str, Any]], None]
ACTS: Mapping[str, Act] = {
    "move": moves.move,
    "reverse": moves.reverse,
    "warp": moves.warp,
    "lock": sensors.lock,
    "scan": sensors.scan,
    "cloak": sensors.cloak,
    "decloak": sensors.decloak,
    "fire": fire,
    "raise": sensors.raise_shields,
    "lower": sensors.lower_shields,
    "communicate": sensors.communicate,
    "transport": sensors.transport,
    "repair": repair,
    "surrender": lambda play, ship, action: sensors.leave(play, ship, "surrendered"),
    "flee": lambda play, ship, action: sensors.leave(play, ship, "fled"),
}
QUIET = ("repair", "surrender", "flee")
"""What is no action of a round."""


@dataclass
class OutOfDice(Exception):
    """Raised by dice that are not there, where a file is only judged."""

    what: str = ""


class NoDice:
    """No dice at all: declarations are judged up to where a die decides."""

    source = "none"

    def roll(self, count: int, sides: int) -> int:
        """Raises OutOfDice."""
        raise OutOfDice(f"{count}d{sides}")


def play_combat(rulebook: Rulebook, charts: Charts, combat: CombatFile, dice: Dice) -> Play:
    """A combat file to its end, or to where its dice run out if they are NoDice."""
    play = Play(rulebook, charts, dice, combat.start)
    try:
        enrol(play, combat.unrated)
        for sheet in combat.turns:
            begin_turn(play, sheet)
            for number, orders in enumerate(sheet.rounds, 1):
                _round(play, number, orders, sheet)
    except OutOfDice as missing:
        where = f"turn {play.state.turn}, round {play.state.round}"
        play.warn(7, "", f"judged up to {where}: a roll of {missing.what} decides what follows")
    _unused_replies(play)
    return play


def enrol(play: Play, unrated: tuple[str, ...]) -> None:
    """The ships are entered, and crews that are to be rolled for are."""
    for vessel in play.state.vessels.values():
        play.judge("enrolled", Enrolled(vessel, play.charts, play.rulebook, Location()), vessel.name)
    rate_crews(play, unrated)


def rate_crews(play: Play, names: tuple[str, ...]) -> None:
    """Crews the game master has the dice decide."""
    count, sides = play.charts.n("npc_dice"), play.charts.n("table_die")
    for name in names:
        captain, efficiency = npc_crew(
            play.charts, play.dice.roll(count, sides), play.dice.roll(count, sides)
        )
        play.emit(5, e.CrewRated(name, captain, efficiency), play.own(name))


def begin_turn(play: Play, sheet: TurnSheet) -> None:
    """The next turn, up to its first round: rulings, repairs due, the order, locks kept, power."""
    judge_order(play, sheet)
    play.emit(7, e.TurnBegan(play.state.turn + 1))
    for name in sheet.crippled:
        play.emit(12, e.Crippled(name))
    for name, vessel in play.state.vessels.items():
        if vessel.active:
            repairs_due(play, name)
    _set_order(play, sheet)
    sensors.keep_locks(play, sheet.give_up)
    for name in play.state.vessels:
        _power(play, name)


def _power(play: Play, name: str) -> None:
    """The turn's power, less what a cloak goes on taking."""
    vessel = play.vessel(name)
    power = new_turn_power(play.charts, vessel.engines, bool(vessel.out), vessel.crippled)
    play.emit(12, e.PowerProduced(name, power), play.own(name))
    if vessel.cloaked and play.allows("cloak_upkeep"):
        cost = vessel.ship.cloak or 0
        if power < cost:
            sensors.uncover(play, 32, name, "too little power for the device")
        else:
            play.spend(31, name, Fraction(cost), "cloak")


def _set_order(play: Play, sheet: TurnSheet) -> None:
    """The order the game master gave, or the one rolled for, once a combat or each turn."""
    if sheet.order:
        play.emit(8, e.OrderSet(tuple(dict.fromkeys(sheet.order))))
    elif not play.state.order or play.option("action_order") == "turn":
        by_side = play.option("order_by") == "sides"
        play.emit(9 if by_side else 8, e.OrderSet(tuple(_by_side(play) if by_side else _by_ship(play))))


def _score(play: Play, name: str) -> tuple[int, int]:
    vessel = play.vessel(name)
    return vessel.crew.skill("strategy_tactics"), play.die(
        8, name, "action order", play.charts.n("skill_die")
    )


def _by_ship(play: Play) -> list[str]:
    scores = {name: _score(play, name) for name, vessel in play.state.vessels.items() if vessel.active}
    return [name for tied in _ranked(play, scores) for name in tied]


def _ranked(play: Play, scores: Mapping[str, tuple[int, int]]) -> list[list[str]]:
    """Groups of one, those that is not known apart put in order by further dice."""
    ranks: list[list[str]] = []
    for tied in action_order(play.charts, scores, play.option("tie")):
        left = list(tied)
        while len(left) > 1:
            ranks.append([left.pop(play.die(8, left[0], "tie", len(left)) - 1)])
        ranks.append(left)
    return ranks


def _by_side(play: Play) -> list[str]:
    sides: dict[str, list[str]] = {}
    for name, vessel in play.state.vessels.items():
        if vessel.active:
            sides.setdefault(vessel.side, []).append(name)
    captains = {
        side: max(names, key=lambda name: play.vessel(name).crew.skill("strategy_tactics"))
        for side, names in sides.items()
    }
    scores = {captains[side]: _score(play, captains[side]) for side in sides}
    order = [play.vessel(name).side for tied in _ranked(play, scores) for name in tied]
    return alternate(play.charts, [sides[side] for side in order], play.option("uneven_sides"))


def _round(play: Play, number: int, orders: tuple[Orders, ...], sheet: TurnSheet) -> None:
    names = tuple(order.ship for order in orders)
    if not may_act(play, number, names, sheet.place):
        return
    begin_round(play, number)
    by_ship = {order.ship: order for order in orders}
    play.replies = {name: list(order.replies) for name, order in by_ship.items()}
    for name in play.state.order:
        if name in by_ship:
            for action in by_ship[name].actions:
                declare(play, name, action)
    end_round(play)


def may_act(play: Play, number: int, names: tuple[str, ...], place: Location) -> bool:
    """May these ships act in a round, one after the other (trek-7)?"""
    known = frozenset(play.state.vessels)
    return not _against(
        play.judge("sheet", RoundWritten(play.state.turn, number, names, known, play.charts, place))
    )


def judge_order(play: Play, sheet: TurnSheet) -> None:
    """Is a ship in the order of action once (trek-7)? It acts where it is named first."""
    place = sheet.place.within(pointer=f"{sheet.place.pointer}/order") if sheet.place.pointer else sheet.place
    known = frozenset(play.state.vessels)
    play.judge("sheet", RoundWritten(play.state.turn + 1, 0, (), known, play.charts, place, sheet.order))


def begin_round(play: Play, number: int) -> None:
    """A round of the turn; shield power is restored as the option says."""
    restored = shield_reset(play.charts, 1, number, play.option("shield_reset")) is not None
    play.emit(52, e.RoundBegan(number, restored))


def end_round(play: Play) -> None:
    """A round is over: where everybody stands, and answers that nothing asked for."""
    play.judge("standing", EndOfRound(play.state, play.rulebook))
    _unused_replies(play)


def _unused_replies(play: Play) -> None:
    for name, left in play.replies.items():
        if left:
            kinds = ", ".join(sorted({kind for reply in left for kind in reply}))
            play.warn(7, name, f"answers that nothing asked for: {kinds}")
    play.replies = {}


def _against(found: Any) -> Finding | None:
    return next((finding for finding in found if finding.severity is Severity.ERROR), None)


def declare(play: Play, name: str, action: Action) -> bool:
    """One action, judged, and if the rules allow it taken."""
    facts = Declared(play.state, play.vessel(name), action, play.charts, play.rulebook)
    wrong = _against(play.judge("action", facts, name))
    if wrong:
        play.emit(
            int(wrong.rule.removeprefix("trek-")),
            e.Refused(name, str(action), wrong.key, wrong.message),
            play.own(name),
        )
        return False
    if action.do not in QUIET:
        play.emit(15, e.ActionTaken(name, action.do), play.own(name))
    ACTS[action.do](play, name, action.details)
    return True
