"""What the acts of a record do: a turn or a round begun, a ship's actions, its passing, answers beforehand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from referee.core.errors import BadInput
from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.rulebooks.base import nearest
from referee.rulebooks.trek.combatfile import TurnSheet
from referee.rulebooks.trek.facts import Action
from referee.rulebooks.trek.play import Play
from referee.rulebooks.trek.recordtable import CombatTable, DeclaredAct
from referee.rulebooks.trek.turns import ACTS, begin_round, begin_turn, declare, end_round, enrol, may_act


def _turn(table: CombatTable, play: Play, act: DeclaredAct) -> None:
    declared = act.act
    rounds = table.shelf.charts.n("rounds")
    if table.turn and table.state.round < rounds and act.alone:
        _against(play, 7, "", f"turn {table.turn} ends before its {rounds} rounds", "begin the next round")
    _leaves_awaited(table, play, act)
    if not table.turn:
        enrol(play, table.unrated)
    elif table.state.round:
        end_round(play)
    order = tuple(declared.get("order", ()))
    names = (*order, *declared.get("crippled", ()), *declared.get("give_up_locks", ()))
    if strange := next((name for name in names if name not in table.players), None):
        raise BadInput(f"no ship {strange}", hint=nearest(strange, table.players))
    for name, vessel in play.state.vessels.items():
        if order and vessel.active and name not in order:
            _against(play, 8, name, f"{name} is left out of the order of action", "name every ship")
    sheet = TurnSheet(
        order=order,
        crippled=tuple(declared.get("crippled", ())),
        give_up=tuple(declared.get("give_up_locks", ())),
        rounds=(),
        place=Location(),
    )
    begin_turn(play, sheet)


def _round(table: CombatTable, play: Play, act: DeclaredAct) -> None:
    if not table.turn:
        raise BadInput("no turn has begun", hint="begin one: referee game next")
    _leaves_awaited(table, play, act)
    if table.state.round:
        end_round(play)
    if may_act(play, table.state.round + 1, (), Location()):
        begin_round(play, table.state.round + 1)


def _leaves_awaited(table: CombatTable, play: Play, act: DeclaredAct) -> None:
    """Nobody passes over a ship of another that is still to act (trek-7)."""
    for name in table.to_act():
        if act.alone and table.players[name] != act.player:
            reason = f"{name} is still to act: {table.players[name]} is awaited"
            _against(play, 7, name, reason, f'"{name}: pass", or all agree')


def _ship_acts(table: CombatTable, play: Play, act: DeclaredAct) -> None:
    name = _in_order(table, act)
    if name in table.acted and table.acted[-1] != name:
        may_act(play, table.state.round, (name, name), Location())
        return
    ahead = table.to_act()
    for other in ahead[: ahead.index(name)] if name in ahead else ():
        reason = f"{name} acts before {other}, which comes earlier in the order of action and is awaited"
        _against(play, 8, name, reason, f'"{other}: pass", or act after it')
    # As the record spells them, so that whoever works it out again finds the same words.
    for number, action in enumerate(json.loads(json.dumps(act.act["actions"], sort_keys=True))):
        if action["do"] not in ACTS:
            raise BadInput(f"no action {str(action['do'])[:40]!a}", hint=nearest(str(action["do"]), ACTS))
        declare(play, name, Action(action["do"], action, Location(pointer=f"/actions/{number}")))


def _passes(table: CombatTable, play: Play, act: DeclaredAct) -> None:
    name = _in_order(table, act)
    if name in table.acted:
        raise BadInput(f"{name} has acted in this round", hint="nothing more is awaited from it")


def _in_order(table: CombatTable, act: DeclaredAct) -> str:
    """The ship of an act. Raises BadInput outside a round, or for a ship that has no place in the order."""
    name, order = str(act.act["ship"]), table.state.order
    if not table.state.round:
        raise BadInput("no round has begun", hint="begin one: referee game next")
    if name not in order:
        raise BadInput(f"{name} is not in the order of action", hint=", ".join(order))
    return name


def _against(play: Play, rule: int, name: str, message: str, fix: str) -> None:
    """Something against the sequence of play."""
    when = (play.state.turn or None, play.state.round or None)
    play.findings.append(Finding(f"{play.rulebook.id}-{rule}", Severity.ERROR, message, name, *when, fix=fix))


def _answers(table: CombatTable, play: Play, act: DeclaredAct) -> None:
    given = act.act
    play.replies[given["ship"]] = [*play.replies.get(given["ship"], []), *given["replies"]]


CARRIED_OUT: Mapping[str, Callable[[CombatTable, Play, DeclaredAct], None]] = {
    "turn": _turn,
    "round": _round,
    "ship": _ship_acts,
    "pass": _passes,
    "answers": _answers,
}
