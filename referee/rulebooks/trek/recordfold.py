"""A combat kept in a game record: its entries folded, its acts worked out by the dice of the record.

An act is the beginning of a turn, of a round, what a ship does, that it leaves the round out, or the answers
it gives beforehand:

    {"act": "turn", "order": [...], "crippled": [...], "give_up_locks": [...]}
    {"act": "round"}
    {"act": "ship", "ship": "Lancer", "actions": [...]}
    {"act": "pass", "ship": "Lancer"}
    {"act": "answers", "ship": "Shade", "replies": [...]}

A turn or round that all players want to begin, though ships are awaited, names them in `agreed_by`. What an
act does is worked out once, recorded as events, and worked out again by whoever checks the record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.core.errors import BadInput, IntegrityFailure
from referee.core.finding import Finding, Severity
from referee.core.hexgrid import parse_position
from referee.rulebooks.base import Rulebook, nearest
from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.actshape import check_act
from referee.rulebooks.trek.combatfile import vessel_from_json
from referee.rulebooks.trek.play import LogLine
from referee.rulebooks.trek.recordacts import CARRIED_OUT
from referee.rulebooks.trek.recordtable import CombatTable, DeclaredAct, RecordedDice, finding_json
from referee.rulebooks.trek.shipyard import library
from referee.rulebooks.trek.spoken import acts_said, help_lines
from referee.rulebooks.trek.state import CombatState, apply
from referee.rulebooks.trek.turns import enrol

OF_A_SHIP = ("ship", "pass", "answers")
MISSHAPEN = (KeyError, TypeError, ValueError, AttributeError, IndexError, AssertionError)


class CombatFold:
    """How a record of this rulebook is folded: see `referee.core.ownfold`."""

    orders_schema = "referee/trek-orders/1"

    def __init__(self, rulebook: Rulebook, genesis: Mapping[str, Any]) -> None:
        self._rulebook = rulebook
        self._players = tuple(genesis["players"])
        self._title = str(genesis.get("title", ""))
        documents = [json.loads(text) for text in genesis.get("documents", ())]
        self._shelf = library(rulebook, [(f"document {n}", data) for n, data in enumerate(documents, 1)])
        obstacles = genesis.get("obstacles", ())
        self._start = CombatState({}, obstacles=_hexes(obstacles))

    def begun(self) -> CombatTable:
        """An empty map."""
        return CombatTable(self._rulebook, self._shelf, self._title, self._start)

    def unfit(self, table: CombatTable) -> Sequence[Finding]:
        """What the rules say against the ships as they are entered."""
        play = table.play(RecordedDice())
        enrol(play, ())
        return play.findings

    def take(self, table: CombatTable, entry: Any, umpire: str) -> CombatTable:
        """The table after a ship, an act or what it did."""
        steps = {"ship": self._ship, "order": self._order, "events": self._events}
        if entry.type not in steps:
            raise BadInput(f"{self._rulebook.id} has no {entry.type} entries")
        try:
            return steps[entry.type](table, entry, umpire)
        except MISSHAPEN as error:
            raise BadInput(f"{entry.type} is malformed ({type(error).__name__})") from None

    # -- ships -------------------------------------------------------------------------------

    def _ship(self, table: CombatTable, entry: Any, umpire: str) -> CombatTable:
        data = entry.data
        name, player = str(data["ship"]), data["player"]
        if table.turn:
            raise IntegrityFailure(f"{name} enters when play has begun")
        if player not in self._players:
            raise IntegrityFailure(f"{player} is no player")
        if name.casefold().endswith(" answers"):
            raise IntegrityFailure(f"{name} has the name of a ship's answers")
        if any(name.casefold() == known.casefold() for known in table.players):
            raise IntegrityFailure(f"{name} is in the game already")
        row = {**data, "name": name, "ship": data["class"], "side": data.get("side", player)}
        shelf = self._shelf
        vessel = vessel_from_json(row, shelf.ships, shelf.crews, shelf.charts, "", "")
        state = replace(table.state, vessels={**table.state.vessels, name: vessel})
        rolled = () if isinstance(data["crew"], str) or not data["crew"].get("roll") else (name,)
        return replace(
            table,
            state=state,
            players={**table.players, name: player},
            unrated=(*table.unrated, *rolled),
        )

    # -- acts --------------------------------------------------------------------------------

    def _order(self, table: CombatTable, entry: Any, umpire: str) -> CombatTable:
        act, player = entry.data["act"], entry.data["player"]
        check_act(act)
        if table.pending and act["act"] != "answers":
            raise IntegrityFailure(f"comes before what the act of entry {min(table.pending)} does")
        if act["act"] in OF_A_SHIP:
            owner = table.players.get(act["ship"])
            if owner is None:
                raise BadInput(
                    f"no ship {act['ship'][:40]!a} in the game", hint=nearest(act["ship"], table.players)
                )
            if player not in (owner, umpire or owner):
                raise IntegrityFailure(f"{player} does not play {act['ship']}, {owner} does")
        if act.get("crippled") and umpire and player != umpire:
            raise IntegrityFailure(f"{player} does not rule a ship crippled, {umpire} does")
        missing = [name for name in self._players if name not in (player, *act.get("agreed_by", ()))]
        if "agreed_by" in act and missing:
            raise IntegrityFailure(f"{missing[0]} has not agreed")
        if table.pending:
            # What was asked in the middle of an act: it goes on by this, and the act's events tell of both.
            given = {**table.answers, act["ship"]: (*table.answers.get(act["ship"], ()), *act["replies"])}
            return replace(table, answers=given)
        declared = DeclaredAct(act, player, alone=bool(missing) and (not umpire or player != umpire))
        return replace(table, pending={**table.pending, entry.seq: declared}, acts=(*table.acts, act))

    def _events(self, table: CombatTable, entry: Any, umpire: str) -> CombatTable:
        data = entry.data
        declared = table.pending.get(data["act"])
        if declared is None:
            raise IntegrityFailure(f"events of entry {data['act']}, which is no act that waits for them")
        state, log, act = table.state, list(table.log), declared.act
        for row in data["events"]:
            event = e.event_from_json({k: v for k, v in row.items() if k not in ("rule", "only")})
            state = apply(state, event)
            log.append(
                LogLine(
                    len(log) + 1,
                    state.turn,
                    state.round,
                    str(row["rule"]),
                    tuple(row.get("only", ())),
                    event,
                )
            )
        fresh = state.round != table.state.round or state.turn != table.state.turn
        acted = () if fresh else table.acted
        if act["act"] == "pass" or (act["act"] == "ship" and data["events"]):
            acted = (*(name for name in acted if name != act["ship"]), act["ship"])
        return replace(
            table,
            state=state,
            log=tuple(log),
            findings=(*table.findings, *map(_finding, data["findings"])),
            acted=acted,
            unrated=() if state.turn else table.unrated,
            answers={str(name): tuple(replies) for name, replies in data["answers"]},
            pending={},
        )

    def passed_over(self, table: CombatTable, entry: Any) -> CombatTable:
        """An act whose events are taken back is as if it had not been declared; its dice stay rolled."""
        act = table.pending.get(entry.data.get("act"))
        if act is None:
            return table
        return replace(table, pending={}, acts=tuple(other for other in table.acts if other is not act.act))

    # -- what an act does --------------------------------------------------------------------

    def resolve(self, table: CombatTable, act: int, dice: Any, found: list[Finding]) -> dict[str, Any]:
        """The events of an act by these dice; what the rules say to it is added to `found`. Raises BadInput
        for an act that cannot be carried out whatever the dice."""
        declared = table.pending[act]
        play = table.play(dice)
        play.asking = declared.act.get("ask") is True
        try:
            CARRIED_OUT[declared.act["act"]](table, play, declared)
        except MISSHAPEN as error:
            reason = f"{type(error).__name__}: {error}"
            raise BadInput(f"the act of entry {act} cannot be carried out ({reason})") from None
        finally:
            found += play.findings
        events = [
            {
                "rule": entry.rule,
                **({"only": list(entry.audience)} if entry.audience else {}),
                **e.event_json(entry.event),
            }
            for entry in play.log[len(table.log) :]
        ]
        answers = [[name, list(left)] for name, left in sorted(play.replies.items()) if left]
        said_of_it = [finding_json(finding) for finding in play.findings]
        return {"events": events, "act": act, "answers": answers, "findings": said_of_it}

    def acts_of(
        self, table: CombatTable, document: Mapping[str, Any], file: str
    ) -> Sequence[tuple[str, dict[str, Any]]]:
        """The acts a file declares. Of a combat file that has been played in part, those that are left."""
        if "acts" in document:
            acts = [dict(act) for act in document["acts"]]
        elif "turns" in document:
            acts = _left([group for turn in document["turns"] for group in _acts_of_turn(turn)], table.acts)
        else:
            raise BadInput(f"is {document['schema']}: it declares nothing", file=file, place="/schema")
        anybody = self._players[0]
        return [(table.players.get(act.get("ship", ""), anybody), act) for act in acts]

    def acts_said(self, table: CombatTable, lines: Sequence[str]) -> Sequence[tuple[str, dict[str, Any]]]:
        """The acts that are typed at the prompt."""
        anybody = self._players[0]
        acts = acts_said(lines, table.players)
        return [(table.players.get(act.get("ship", ""), anybody), act) for act in acts]

    def help_lines(self) -> Sequence[str]:
        """What is understood at the prompt."""
        return help_lines()

    def first_of(self, table: CombatTable, acts: Sequence[Mapping[str, Any]]) -> int:
        """The first act; of ships that act one after the other, the one that comes first in the order."""
        together = 0
        while together < len(acts) and acts[together]["act"] == "ship":
            together += 1
        order = {name: place for place, name in enumerate(table.state.order)}
        ships = [order.get(acts[n]["ship"], len(order)) for n in range(together)]
        return ships.index(min(ships)) if ships else 0

    def passes_before(
        self, table: CombatTable, act: Mapping[str, Any]
    ) -> Sequence[tuple[str, dict[str, Any]]]:
        """The ships a combat file means to leave a round out, since it goes on with an act without them."""
        ahead = table.to_act() if act["act"] in ("turn", "round", "ship") else []
        if act["act"] == "ship":
            ahead = ahead[: ahead.index(act["ship"])] if act["ship"] in ahead else []
        return [(table.players[name], {"act": "pass", "ship": name}) for name in ahead]

    def next_act(self, table: CombatTable) -> dict[str, Any]:
        """The next round; after the last, or before the first, the next turn."""
        last = table.state.round >= self._shelf.charts.n("rounds")
        return {"act": "round"} if table.turn and not last else {"act": "turn"}


def _finding(row: Mapping[str, Any]) -> Finding:
    return Finding(
        str(row["key"]),
        Severity(row["severity"]),
        str(row["message"]),
        str(row.get("subject", "")),
        row.get("turn"),
        row.get("impulse"),
    )


def _left(groups: Sequence[list[dict[str, Any]]], done: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The acts of a file that are not done, where what is done is the file's beginning; else all of them."""
    waiting, left = [_plain(act) for act in done if act["act"] != "pass"], []
    for group in groups:
        rest = list(group)
        while (
            waiting
            and (place := next((n for n, act in enumerate(rest) if _begins(act, waiting[0])), -1)) >= 0
        ):
            rest[place : place + 1] = _behind(rest[place], waiting.pop(0))
        if rest and waiting:
            break
        left += rest
    return [act for group in groups for act in group] if waiting else left


def _begins(act: Mapping[str, Any], done: Mapping[str, Any]) -> bool:
    """Is what was done the beginning of an act, or all of it? What stands behind dice is an act of its own."""
    if act["act"] != "ship" or done["act"] != "ship":
        return act == done
    declared, first = act["actions"], done["actions"]
    return bool(act["ship"] == done["ship"] and declared[: len(first)] == first)


def _behind(act: Mapping[str, Any], done: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is left of an act."""
    left = act["actions"][len(done["actions"]) :] if act["act"] == "ship" else []
    return [{**act, "actions": left}] if left else []


def _plain(act: Mapping[str, Any]) -> dict[str, Any]:
    """An act as a file has it: who agreed to it, and whether choices are asked for, is not in the file."""
    return {name: part for name, part in act.items() if name not in ("agreed_by", "ask")}


def _acts_of_turn(turn: Mapping[str, Any]) -> list[list[dict[str, Any]]]:
    """A turn of a combat file as acts; those of a group may come in any order."""
    begin = {"act": "turn"} | {
        name: turn[name] for name in ("order", "crippled", "give_up_locks") if name in turn
    }
    groups: list[list[dict[str, Any]]] = [[begin]]
    for orders in turn["rounds"]:
        answers = [(order["ship"], order["replies"]) for order in orders if order.get("replies")]
        acting = [(order["ship"], order["actions"]) for order in orders if order.get("actions")]
        groups.append([{"act": "round"}])
        groups.append([{"act": "answers", "ship": ship, "replies": replies} for ship, replies in answers])
        groups.append([{"act": "ship", "ship": ship, "actions": actions} for ship, actions in acting])
    return groups


def _hexes(texts: Sequence[str]) -> frozenset[Any]:
    try:
        return frozenset(parse_position(text)[0] for text in texts)
    except (ValueError, TypeError, AttributeError):
        raise BadInput("obstacles are malformed") from None


def game_fold(rulebook: Rulebook, genesis: Mapping[str, Any]) -> CombatFold:
    """The fold of a record of this rulebook. Raises BadInput for a first entry with malformed data of an owner."""
    try:
        return CombatFold(rulebook, genesis)
    except MISSHAPEN as error:
        raise BadInput(f"genesis: documents are malformed ({type(error).__name__})", place="line 1") from None
