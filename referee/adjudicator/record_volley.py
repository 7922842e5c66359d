"""A volley of a game record: how it is ordered, and what it does to its ship as that stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.adjudicator.policies import POLICIES, Policy
from referee.adjudicator.record_forms import as_struck
from referee.adjudicator.volley import resolve
from referee.core.board import LoadShip
from referee.core.dice import Dice
from referee.core.errors import BadInput, BoxAwaited
from referee.core.eventjson import event_json
from referee.core.game import DueVolley, GameState
from referee.core.hexgrid import Offset
from referee.core.volley import Choice, Chooser, VolleyOrder, VolleyResult
from referee.rulebooks.base import Rulebook

Entry = tuple[str, dict[str, Any]]
ASK = "ask"
"""The policy of an owner who is asked for each box as its point is scored."""


def volley_entry(ship: str, player: str, order: VolleyOrder, choose: str, picks: Mapping[int, str]) -> Entry:
    """The order entry of a volley, before its dice."""
    data: dict[str, Any] = {
        "ship": ship,
        "points": order.points,
        "internal": order.internal,
        "general": order.general_reinforcement,
        "specific": order.specific_reinforcement,
        "origins": [[points, offset.x, offset.z] for points, offset in order.origins],
        "choose": choose,
        "picks": {f"hit_{n}": box for n, box in picks.items()},
    }
    data |= {} if order.shield is None else {"shield": order.shield}
    where = "inside" if order.internal else f"on {order.shield}"
    return "order", {"text": [f"{ship}: hit {order.points} {where}"], "player": player, "volley": data}


def entry_of_due(state: GameState, due: DueVolley, order: VolleyOrder, player: str = "") -> Entry:
    """The order entry of a volley that is due, by a player or, where none is named, the owner of its ship; boxes are
    picked by the policy he has said."""
    policy = state.choices.get(due.ship, "protect-weapons")
    kind, data = volley_entry(due.ship, player or state.ships[due.ship].player, order, policy, {})
    data["volley"]["of"] = [due.seq, due.n]
    return kind, data


def resolve_said(
    rulebook: Rulebook,
    load_ship: LoadShip,
    state: GameState,
    volley: Mapping[str, Any],
    dice: Dice,
    *,
    asks: bool = False,
) -> VolleyResult:
    """The volley of an order entry on its ship as that now is. Raises BadInput for a policy that is none and, where
    it `asks`, BoxAwaited for the first box that its owner has still to choose."""
    ship = state.ship(str(volley["ship"]))
    order = VolleyOrder(
        points=volley["points"],
        shield=volley.get("shield"),
        internal=volley["internal"],
        general_reinforcement=volley["general"],
        specific_reinforcement=volley["specific"],
        origins=tuple((points, Offset(x, z)) for points, x, z in volley["origins"]),
    )
    if ship.robot and "robot_ship" in rulebook.options:
        rulebook = rulebook.with_options({"robot_ship": "true"})
    struck = as_struck(rulebook, state, ship)
    return resolve(rulebook, load_ship(ship.state.ship), struck, order, dice, _chooser(volley, asks=asks))


def marks_of(volley: Mapping[str, Any], result: VolleyResult) -> list[dict[str, Any]]:
    """What a volley did, as the events of its ship."""
    return [{"ship": str(volley["ship"]), **event_json(event)} for event in result.events]


class _Willing:
    """The owner's picks, hit by hit; where there is none, or it may not be taken, his policy.

    A pick that the rules refuse must not keep a roll from being resolved: its dice are known by then.
    """

    name = "record"

    def __init__(self, picks: Mapping[int, str], policy: Policy) -> None:
        self._picks = picks
        self._policy = policy

    def choose(self, choice: Choice) -> str:
        """The box picked."""
        pick = self._picks.get(choice.n, "")
        return pick if pick in choice.boxes else self._policy.choose(choice)


class _Asked:
    """The owner, box by box, of those that differ: what he has picked so far; else he is asked."""

    name = ASK

    def __init__(self, ship: str, picks: Mapping[int, str]) -> None:
        self._ship = ship
        self._picks = picks

    def choose(self, choice: Choice) -> str:
        """The box picked. Raises BoxAwaited where there is none yet."""
        unlike = {
            box if choice.ship.mount(box) else box.partition("/")[0]: box for box in reversed(choice.boxes)
        }
        boxes = [box for box in choice.boxes if box in unlike.values()]
        pick = self._picks.get(choice.n, "")
        if pick in choice.boxes or len(boxes) == 1:
            return pick if pick in choice.boxes else boxes[0]
        raise BoxAwaited(self._ship, choice.n, choice.result, boxes, choice.state)


def _chooser(volley: Mapping[str, Any], *, asks: bool) -> Chooser:
    name = str(volley["choose"])
    if name not in (*POLICIES, ASK) and not (name == "file" and volley["picks"]):
        raise BadInput(
            f"--choose {name} cannot be recorded", hint=f"{', '.join((*POLICIES, ASK))}, or a .json file"
        )
    picks = {int(hit.removeprefix("hit_")): str(box) for hit, box in volley["picks"].items()}
    if name == ASK and asks:
        return _Asked(str(volley["ship"]), picks)
    return _Willing(picks, Policy(name if name in POLICIES else "protect-weapons"))
