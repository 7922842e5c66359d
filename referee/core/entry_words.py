"""The entries of a record in words: in one line, as they are said in chat, as they are told when they are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.core.fire_words import seeker_hit_text, struck_text
from referee.core.game import EntryLike
from referee.core.naming import how_many
from referee.core.order_text import order_text
from referee.core.place_words import LEFT
from referee.core.safe import safe_line
from referee.core.seals import Seal, kind_text, seal_text
from referee.core.takenover import MOVE_MADE, MOVE_TO_COME

WHOLE = 1 << 16  # characters of an entry told whole


def entry_line(entry: EntryLike, words: str = "") -> str:
    """An entry in one line; in other words than its own where more of it is known."""
    words = words or _TELL.get(entry.type, lambda d: "")(entry.data)
    words += f" (on #{entry.data['target']})" if entry.type == "ruling" and "target" in entry.data else ""
    return f"#{entry.seq:<4} {kind_of(entry):<12} {safe_line(words)}"


def kind_of(entry: EntryLike) -> str:
    """What an entry is, in a word of people."""
    return _KINDS.get(entry.type, entry.type)


_KINDS = {"genesis": "game", "anchor": "seat", "nonce": "seat", "events": "outcome", "dice_seed": "seed"}


def entry_text(entry: EntryLike) -> str:
    """An entry as it is told at a table: a step says itself, of others stands what they are."""
    words = safe_line(_TELL.get(entry.type, lambda d: "")(entry.data))
    return words if entry.type == "step" else f"{kind_of(entry)}: {words}"


def ruling_text(data: Mapping[str, Any]) -> str:
    """What was ruled: where a ship stands, whether that is its move of the impulse, and the words."""
    put = data.get("place")
    if not put:
        return str(data["text"])
    if not put["to"]:
        return f"{put['ship']} {LEFT}, and is out of the game: {data['text']}"
    move = _PUT.get(put.get("move", ""), "")
    return f"{put['ship']} stands at {put['to']}{move}: {data['text']}"


_PUT = {MOVE_MADE: ", its move of the impulse", MOVE_TO_COME: ", and has still to move"}


def chat_text(entry: EntryLike) -> str:
    """What an entry says to the other side of a table: of dice what each is for."""
    words = _TELL.get(entry.type, lambda d: "")(entry.data)
    if entry.type == "result":
        dice = [f"{group.get('for', '')} {_groups([group])}".strip() for group in entry.data["dice"]]
        words = f"{_throw(entry.data)} {entry.data['roll']}: {'; '.join(dice) or _groups(())}"
    return safe_line(words, WHOLE)


def reveal_text(seal: Seal, reveal: Mapping[str, Any]) -> str:
    """What a reveal shows of sealed orders that are no form: their lines."""
    rows = {item["field"]: item["value"] for item in reveal.get("shown", ())}
    shown = reveal["body"]["form"] if reveal["v"] == 1 else rows
    fields = ", ".join(f"{name} {shown[name]}" for name in sorted(shown))
    about = seal_text(seal.kind, seal.ship, seal.turn, seal.impulse)
    return safe_line(f"{about}, shown: {fields}", WHOLE)


def order_lines(new: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    """New orders and steps of a game, a line each."""
    for kind, data in new:
        if kind in ("order", "step", "foul"):
            yield f"  {kind}: {safe_line(_TELL[kind](data))}"


def _picked(picks: Mapping[str, str]) -> str:
    """The boxes that were chosen, hit by hit."""
    boxes = ", ".join(f"{hit.replace('_', ' ')} {box}" for hit, box in picks.items())
    return f"; chosen: {boxes}" if boxes else ""


def _throw(data: Mapping[str, Any]) -> str:
    """What dice are called: those that a hand threw and somebody typed in are not rolled."""
    return "dice" if "entered_by" in data else "roll"


def _groups(dice: Sequence[Mapping[str, Any]]) -> str:
    return "; ".join(" ".join(str(face) for face in group["faces"]) for group in dice) or "no dice needed"


def _moment(data: Mapping[str, Any]) -> str:
    at = f"impulse {data['impulse']}, " if "impulse" in data else ""
    return f"turn {data['turn']}, {at}{data.get('step', '')}"


_TELL: dict[str, Any] = {
    "genesis": lambda d: f"{d['rulebook']}, players {', '.join(d['players'])}, dice {d['dice']['mode']}",
    "ship": lambda d: (
        f"{d['ship']} is {d.get('class', '')} ({d.get('player', '')}) {d.get('at', '')}{_entered(d)}"
    ),
    "drone": lambda d: (
        f"{d['name']} at {d['at']}, speed {d['speed']}, "
        + (f"after {d['target']}" if d.get("target") else "straight ahead")
        + (f" ({d['player']})" if d.get("player") else "")
    ),
    "anchor": lambda d: f"{d['player']} joins",
    "nonce": lambda d: f"{d['player']} joins",
    "signer": lambda d: f"{d['player']} signs with {d['signer'][:16]} {d.get('reason', '')}".rstrip(),
    "declare": lambda d: f"dice {d['roll']} by {d['who']}: {d.get('purpose', '')}",
    "dice_seed": lambda d: "the secret of the dice is shown: every roll can be worked out again",
    "key": lambda d: f"roll {d['roll']}: key of {d['player']}",
    "result": lambda d: f"{_throw(d)} {d['roll']}: {_groups(d['dice'])}{_picked(d.get('picks', {}))}",
    "confirm": lambda d: f"dice {d['roll']} confirmed by {d['by']}",
    "void": lambda d: f"roll {d['roll']} void: {d['reason']}",
    "forfeit_roll": lambda d: f"roll {d['roll']}: {d['refuser']} kept back the key, says {d['by']}",
    "reroll": lambda d: f"roll {d['roll']} does not count: {d['reason']}",
    "seal": lambda d: (
        f"{d['player']} seals the {seal_text(d['kind'], d['ship'], d['turn'], d.get('impulse'))}"
    ),
    "reveal": lambda d: (
        f"{d['body']['ship']} shows its {kind_text(d['body']['kind'])}"
        if "body" in d
        else "sealed lines are shown"
    ),
    "umpire_ack": lambda d: f"{d['by']}: what is sealed as {d['digest'][:8]} fits",
    "umpire_reject": lambda d: f"{d['by']}: what is sealed as {d['digest'][:8]} is rejected: {d['reason']}",
    "form": lambda d: (
        f"{d['ship']} filed its form of turn {d['turn']}" + (f": speed {d['speed']}" if "speed" in d else "")
    ),
    "order": lambda d: order_text(d) + _struck(d.get("strike", {})),
    "events": lambda d: f"what came of #{d['act']}" if "act" in d else f"{_events(d['events'])}{_struck(d)}",
    "taken": lambda d: d["text"] + (f": {words}" if (words := _events(d["events"])) else ""),
    "step": _moment,
    "undo": lambda d: f"takes back #{d['target']}{' and all after' * ('onward' in d)}: {d['reason']}",
    "ruling": lambda d: (
        f"{d['by']}: {ruling_text(d)}" + (f": {words}" if (words := _events(d.get("events", ()))) else "")
    ),
    "foul": lambda d: f"{d['player']} [{d.get('rule', '')}]: {_by(d)}{d['reason']}",
    "note": lambda d: f"{d['by']}: {d['text']}" if "by" in d else f"(no name) {d['text']}",
}


def _entered(ship: Mapping[str, Any]) -> str:
    """What else a ship is given as it enters: that a robot plays it, what it flew before, its crew."""
    details = ["a robot, which fills in no form"] if ship.get("robot") else []
    details += [f"warp {ship['warp']}"] if ship.get("warp") else []
    details += [f"{ship['midway']} straight ahead before"] if "midway" in ship else []
    crew = ship.get("crew")
    if isinstance(crew, Mapping):
        rated = dict(crew["skills"]) if isinstance(crew.get("skills"), Mapping) else dict(crew)
        parts = [f"{name.replace('_', ' ')} {value}" for name, value in sorted(rated.items())]
        details.append("a crew that is rolled for" if rated.get("roll") else f"crew: {', '.join(parts)}")
    elif crew:
        details.append(f"crew {crew}")
    return "".join(f", {part}" for part in details)


def _by(foul: Mapping[str, Any]) -> str:
    return f"{foul['subject']}: " if foul.get("subject") else ""


def _events(events: Sequence[Mapping[str, Any]]) -> str:
    of_kind: dict[str, list[str]] = {kind: [] for kind in _EVENTS}
    for event in events:
        kind = str(event.get("event"))
        if kind in _EVENTS:
            of_kind[kind].append(_EVENTS[kind](event))
    return ", ".join(words for row in of_kind.values() for words in row)


_EVENTS: dict[str, Any] = {
    "weapon_fired": lambda e: f"{e['ship']} {e['weapon']} fired",
    "reinforced": lambda e: f"{e['points']} off by {e['kind']} reinforcement",
    "shield_hit": lambda e: f"{how_many(e['points'], 'point')} on #{e['shield']}",
    "armor_hit": lambda e: f"armor {', '.join(e['boxes'])}",
    "box_destroyed": lambda e: str(e["box"]),
    "shuttle_lost": lambda e: f"the shuttle in {e['box']}",
    "ship_destroyed": lambda e: "destroyed",
    "shield_restored": lambda e: f"{how_many(e['points'], 'point')} back on #{e['shield']}",
    "box_restored": lambda e: f"{e['box']} whole again",
}
"""What each kind of event is told as, in the order they are told in."""


def _struck(data: Mapping[str, Any]) -> str:
    """What an entry of fire leaves to be marked."""
    volleys = [struck_text(v["ship"], v["points"], v["shield"]) for v in data.get("volleys", ())]
    hits = [seeker_hit_text(h["seeker"], h["points"], h["gone"]) for h in data.get("seekers_hit", ())]
    return "".join(f"; {damage}" for damage in (*volleys, *hits))
