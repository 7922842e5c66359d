"""A game for people: where it stands, what happened, and how anybody can check it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.core.combat import CloakState
from referee.core.game import Foul, GameState, Roll, ShipInGame
from referee.core.place_words import LEFT, standing_text
from referee.core.safe import safe_line
from referee.core.scenario import Victory
from referee.core.ship import ShipClass
from referee.core.state import live_boxes
from referee.report.documents import status_lines
from referee.report.sealtext import seal_json, seal_line
from referee.report.seekertext import FATES, drone_json, seeker_json, seeker_line
from referee.report.statejson import state_json

FAIRNESS = {
    "peer": "every player's keys together; nobody alone could look ahead or choose",
    "umpire": "the umpire's key with every player's nonce; the umpire could look ahead",
    "solo": "a key on the operator's machine; the operator could have looked ahead",
    "physical": "thrown by hand and typed in",
    "seed": "NOT FAIR: practice dice that everybody can know beforehand",
}
Waits = Sequence[tuple[str, str]]
Classes = Mapping[str, ShipClass]
Cloaks = Mapping[str, CloakState]
"""The ships that are cloaked or fading; those that are plain to see are left out."""


def status_json(
    state: GameState,
    classes: Classes,
    waits: Waits,
    head: str,
    stands: Victory | None = None,
    cloaks: Cloaks | None = None,
) -> dict[str, Any]:
    """The state of a game as JSON."""
    hidden = cloaks or {}
    moment = {"turn": state.turn, "impulse": state.impulse, "step": state.step}
    return {
        "schema": "referee/game-status/1",
        "game": state.genesis["game"],
        "rulebook": state.genesis["rulebook"],
        "players": list(state.players),
        **({"umpire": state.umpire} if state.umpire else {}),
        "options": dict(state.genesis.get("options", {})),
        **({"from": dict(state.genesis["from"])} if state.genesis.get("from") else {}),
        **({"house": dict(state.genesis["house"])} if state.genesis.get("house") else {}),
        **({"documents": own} if (own := _documents(state)) else {}),
        "dice": {"mode": state.dice_mode, "means": _fairness(state)},
        "signed": "signers" in state.genesis,
        **{name: value for name, value in moment.items() if value not in (None, "")},
        "ships": [
            _ship_json(ship, classes[name], state.has_left(ship), hidden.get(name))
            for name, ship in state.ships.items()
        ],
        "seekers": [seeker_json(seeker) for seeker in state.seekers.values()],
        **({"drones": [drone_json(drone) for drone in state.drones.values()]} if state.drones else {}),
        "volleys_due": [
            {"ship": due.ship, "points": due.points, "shield": due.shield} for due in state.volleys_due
        ],
        "awaited": [{"player": player, "what": what} for player, what in waits],
        "seals": [seal_json(seal) for seal in state.seals],
        "rolls": [_roll_json(roll) for roll in state.rolls.values()],
        "fouls": [_foul_json(foul) for foul in state.fouls],
        "rulings": [{"entry": seq, "text": text} for seq, text in state.rulings],
        "unexplained": [
            {"entry": seq, "ship": volley["ship"], "points": volley["points"]}
            for seq, volley in state.unexplained
        ],
        **({} if stands is None else {"victory": _victory_json(stands)}),
        "undone": sorted(state.undone),
        "entries": state.lines,
        "head": head,
        **({} if state.own is None else {"own": state.own.document()}),
    }


def _roll_json(roll: Roll) -> dict[str, Any]:
    rolled = {"roll": roll.number, "who": roll.who, "status": roll.status, "for": roll.purpose}
    kept = [{"player": player, "said_by": by} for player, by in roll.kept_back]
    return rolled | ({"kept_back": kept} if kept else {})


def _foul_json(foul: Foul) -> dict[str, Any]:
    fields = {name: getattr(foul, name) for name in ("rule", "key", "player", "subject", "turn", "impulse")}
    known = {name: value for name, value in fields.items() if value not in (None, "")}
    return {"entry": foul.seq, "reason": foul.reason, **known}


def _when(foul: Foul) -> str:
    if foul.turn is None:
        return ""
    return f" (turn {foul.turn}" + (")" if foul.impulse is None else f", impulse {foul.impulse})")


def _victory_json(stands: Victory) -> dict[str, Any]:
    return {
        "over": stands.over,
        "winner": stands.winner,
        "why": stands.why,
        "decided": stands.decided,
        **({"loser": stands.loser} if stands.loser else {}),
    }


def victory_line(stands: Victory) -> str:
    """How a game of a scenario stands, in one line."""
    return safe_line(stands.sentence)


def _ship_json(
    ship: ShipInGame, ship_class: ShipClass, left: bool, cloak: CloakState | None
) -> dict[str, Any]:
    return {
        "name": ship.name,
        "player": ship.player,
        **({"robot": True} if ship.robot else {}),
        "class": ship.state.ship,
        **({"at": ship.position} if ship.position else {}),
        **({"left_map": True} if left else {}),
        **({} if ship.unit.speed is None else {"speed": int(ship.unit.speed)}),
        **({} if cloak is None else {"cloak": _cloak_json(cloak)}),
        "fired": {mark: str(moment) for moment, mark in ship.fired},
        "power": _power(ship, ship_class),
        "forms": sorted(ship.forms),
        "state": state_json(ship.state),
    }


def _cloak_json(cloak: CloakState) -> dict[str, Any]:
    return {"phase": cloak.phase} | ({"impulse": cloak.impulse} if cloak.impulse else {})


def _power(ship: ShipInGame, ship_class: ShipClass) -> int:
    made = ("left_warp", "right_warp", "center_warp", "impulse", "apr")
    return sum(len(live_boxes(ship_class, ship.state, system)) for system in made)


def state_hash(state: GameState) -> str:
    """A hash that two replays of the same entries share and different states do not."""
    hashed = {
        "moment": [state.turn, state.impulse, state.step],
        "ships": {
            name: [
                ship.player,
                ship.position,
                state_json(ship.state),
                {str(t): f for t, f in ship.forms.items()},
            ]
            for name, ship in sorted(state.ships.items())
        },
        "rolls": {str(number): roll.status for number, roll in sorted(state.rolls.items())},
        "orders": [[seq, dict(data)] for seq, data in state.orders],
        "seals": [
            [seal.ship, seal.turn, seal.impulse, seal.kind, seal.revision, seal.revealed, dict(seal.shown)]
            for seal in state.seals
        ],
        **_in_flight(state),
        "choices": dict(state.choices),
        "rulings": state.rulings,
        "fouls": [[foul.seq, foul.charge] for foul in state.fouls],
    }
    if state.own is not None:
        hashed["own"] = state.own.digest
    return hashlib.sha256(json.dumps(hashed, sort_keys=True, ensure_ascii=True).encode()).hexdigest()[:32]


def _in_flight(state: GameState) -> dict[str, Any]:
    """What of a game with moves and fire is not known by its ships: nothing, for one without."""
    seekers = [seeker_json(seeker) for seeker in state.seekers.values()]
    due = [[due.seq, due.n, due.ship, due.points, due.shield] for due in state.due]
    drones = [drone_json(drone) for drone in state.drones.values()]
    lists = (("seekers", seekers), ("due", due), ("drones", drones))
    return {name: value for name, value in lists if value}


def status_text(
    state: GameState,
    classes: Classes,
    waits: Waits,
    stands: Victory | None = None,
    cloaks: Cloaks | None = None,
) -> str:
    """The state of a game in a few lines."""
    return "\n".join(_status_lines(state, classes, waits, stands, cloaks or {}))


def _status_lines(
    state: GameState, classes: Classes, waits: Waits, stands: Victory | None, cloaks: Cloaks
) -> Iterator[str]:
    at = f"turn {state.turn}" + (f", impulse {state.impulse}" if state.impulse is not None else "")
    yield f"{safe_line(state.genesis.get('title', '') or 'game')} ({state.genesis['rulebook']}): {at}, {state.step}"
    if stands is not None:
        yield victory_line(stands)
    yield f"dice: {state.dice_mode}: {_fairness(state)}"
    if "signers" not in state.genesis:
        yield "unsigned: the record does not prove who said what"
    if source := state.genesis.get("from"):
        sentence = (
            f"taken from {source['file']} (sha256 {source['sha256'][:16]}...), entries 1 to {source['lines']}"
        )
        yield safe_line(f"{sentence}: played elsewhere, with dice that cannot be checked here")
    if state.umpire:
        yield f"umpire: {state.umpire}"
    if options := state.genesis.get("options"):
        yield safe_line("options: " + ", ".join(f"{name}={value}" for name, value in options.items()))
    if house := state.genesis.get("house"):
        changed = [
            *house.get("off", ()),
            *(f"{rule} ({weight})" for rule, weight in house.get("severity", ())),
        ]
        yield safe_line(f"house rules, off or of other weight: {', '.join(changed)}")
    if own := _documents(state):
        yield safe_line(
            f"ships, crews and charts of whoever began it, in the place of any so called: {', '.join(own)}"
        )
    if sheets := [each["sheet"] for each in state.genesis.get("ships", ())]:
        called = ", ".join(f"{sheet['name']} ({sheet['id']})" for sheet in sheets)
        yield safe_line(f"ships of players' own, by the data in its first entry: {called}")
    for name, ship in state.ships.items():
        yield from _ship_lines(ship, classes[name], state.has_left(ship), cloaks.get(name))
    for seeker in state.seekers.values():
        yield f"  {safe_line(seeker_line(seeker))}"
    for drone in state.drones.values():
        if drone.fate != "flying":
            yield f"  {safe_line(drone.name)} (drone): {FATES[drone.fate]}"
    if state.own is not None:
        yield from status_lines(state.own.document())
    for seal in state.seals:
        if seal.turn == state.turn:
            umpire = f"; the umpire: {seal.umpire}" if seal.umpire else ""
            line = seal_line(seal, state) + umpire
            yield f"  {safe_line(seal.ship)}: {safe_line(line)}"
    for roll in state.rolls.values():
        for player, by in roll.kept_back:
            yield f"  roll {roll.number} by {safe_line(roll.who)}: {safe_line(player)} kept back the key, says {safe_line(by)}"
    for foul in state.fouls:
        yield f"  foul #{foul.seq}: {safe_line(foul.charge)}{_when(foul)}"
    for seq, volley in state.unexplained:
        sentence = f"{volley['points']} on {volley['ship']}: no fire in the record explains it"
        yield f"  volley #{seq}: {safe_line(sentence)}"
    for seq, text in state.rulings:
        yield f"  ruling #{seq}: {safe_line(text)}"
    if waits:
        yield from (f"awaited from {safe_line(player)}: {safe_line(what)}" for player, what in waits)


def _documents(state: GameState) -> list[str]:
    """What an owner put into the first entry, by its kind and name."""
    found = (json.loads(text) for text in state.genesis.get("documents", ()))
    kinds = ((str(data.get("schema", "")).split("/"), data) for data in found)
    return [
        f"{kind[1].rpartition('-')[2]} {data.get('id', '')}".strip() for kind, data in kinds if len(kind) > 1
    ]


def _fairness(state: GameState) -> str:
    """Where the dice come from, and who could know them."""
    operator = state.genesis["dice"].get("operator")
    remark = f" (it is kept by {safe_line(str(operator))}, who gives no part of the dice)" if operator else ""
    return FAIRNESS.get(state.dice_mode, "") + remark


def _ship_lines(
    ship: ShipInGame, ship_class: ShipClass, left: bool, cloak: CloakState | None
) -> Iterator[str]:
    state = ship.state
    fate = "DESTROYED" if state.dead else f"power {_power(ship, ship_class)}"
    fate += f", {LEFT}" if left else ""
    place = f" {standing_text(ship.position)}" if ship.position else ""
    place += f", speed {ship.unit.speed}" if ship.unit.speed is not None else ""
    if cloak is not None:
        place += f", {cloak.phase.replace('-', ' ')}" + (
            f", impulse {cloak.impulse}" if cloak.impulse else ""
        )
    robot = ", a robot" if ship.robot else ""
    yield f"  {safe_line(ship.name)} ({state.ship}, {ship.player}{robot}){place}: {fate}"
    shields = "  ".join(
        f"#{n} {left}/{ship_class.shields.get(n, 0)}" for n, left in sorted(state.shields.items())
    )
    yield f"    shields {shields}"
    if state.destroyed:
        lost: dict[str, int] = {}
        for box in sorted(state.destroyed):
            mount = ship_class.mount(box)
            system = mount.type if mount else box.partition("/")[0]
            lost[system] = lost.get(system, 0) + 1
        yield "    lost " + ", ".join(f"{count} {system.replace('_', ' ')}" for system, count in lost.items())
