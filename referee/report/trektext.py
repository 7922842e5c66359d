"""A Trek combat as players read it: what happened round by round, who stands how, what was homebrew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from referee.core.naming import how_many
from referee.core.safe import safe_line

Event = Mapping[str, Any]


def combat_text(report: Mapping[str, Any]) -> str:
    """The report of a combat, the umpire's or one side's, as plain text."""
    blocks = [_head(report), log_lines(report["log"]), _ships(report["state"])]
    if report["findings"]:
        blocks.append(["Findings", *map(finding_line, report["findings"])])
    blocks.append(list(_foot(report)))
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _head(report: Mapping[str, Any]) -> list[str]:
    lines = [safe_line(str(report["title"])) or "A combat"]
    if "as" in report:
        lines.append(f"as side {safe_line(str(report['as']))} knows it")
    if report["homebrew"]:
        lines.append("HOMEBREW, not the book's: " + safe_line(", ".join(report["homebrew"])))
    return lines


def log_lines(entries: Sequence[Event]) -> list[str]:
    """What happened, turn by turn and round by round."""
    lines: list[str] = []
    for entry in entries:
        say = _SAY.get(entry["event"])
        if say is None:
            continue
        text = safe_line(say(entry), 300)
        if entry["event"] in ("turn_began", "round_began"):
            lines += ([""] if lines and entry["event"] == "turn_began" else []) + [text]
            continue
        secret = f"  ({', '.join(entry['only'])} only)" if entry.get("only") else ""
        lines.append(f"    {text}  [{entry['rule']}]{safe_line(secret)}")
    return lines


def act_lines(entries: Sequence[Event]) -> list[str]:
    """What came of one act, line by line."""
    return [line.strip() for line in log_lines(entries) if line] or ["nothing more"]


def event_words(report: Mapping[str, Any]) -> str:
    """What a part of the log tells, in one line."""
    entries = ((entry, _SAY.get(entry["event"])) for entry in report["log"])
    return "; ".join(say(entry).strip() for entry, say in entries if say is not None)


def _power(text: str) -> str:
    return f"{text} power"


def _rolled(x: Event) -> str:
    die = f"D{x['sides']}"
    if "needed" not in x:
        return f"{x['ship']}: {x['what']}: {die} {x['roll']}"
    outcome = "made" if x["success"] else "failed"
    return f"{x['ship']}: {x['what']}: {die} {x['roll']} against {x['needed']}, {outcome}"


def _message(x: Event) -> str:
    facts = ", ".join(f"{name} {fact}" for name, fact in x["facts"])
    if x["about"] == x["ship"]:
        return f"{x['ship']}: " + ", ".join(f"{fact} ({name})" for name, fact in x["facts"])
    return f"{x['ship']} learns of {x['about']}: {facts}"


def _located(x: Event) -> str:
    roll = f"roll {x['roll']}, " if "roll" in x else ""
    return f"{x['ship']}: shield {x['shield']}, {roll}{x['effect'].replace('_', ' ')}: {x['points']}"


_SAY: dict[str, Callable[[Event], str]] = {
    "turn_began": lambda x: f"Turn {x['turn']}",
    "round_began": lambda x: f"  Round {x['round']}",
    "order_set": lambda x: "order of action: " + ", ".join(x["order"]),
    "crew_rated": lambda x: f"{x['ship']}: captain {x['captain']}, crew efficiency {x['efficiency']}",
    "rolled": _rolled,
    "told": _message,
    "refused": lambda x: f"{x['ship']}: {x['action']} is refused: {x['why']}",
    "power_produced": lambda x: f"{x['ship']} has {_power(x['points'])}",
    "power_spent": lambda x: f"{x['ship']} uses {_power(x['points'])}: {x['on']}",
    "power_returned": lambda x: f"{x['ship']} has {_power(x['points'])} back",
    "engine_damaged": lambda x: f"{x['ship']}: {x['engine']} engine loses {x['points']}",
    "engine_repaired": lambda x: f"{x['ship']}: {x['engine']} engine gains {x['points']}",
    "moved": lambda x: f"{x['ship']} moves to {x['hex']}{x['facing']}",
    "emergency_turned": lambda x: f"{x['ship']} turns in an emergency, to {x['facing']}",
    "reversed": lambda x: f"{x['ship']} changes over to {x['motion']}",
    "warp_changed": lambda x: f"{x['ship']} is at warp {x['warp']}",
    "lock_gained": lambda x: f"{x['ship']} has a lock on {x['on']}",
    "lock_lost": lambda x: f"{x['ship']} has lost its lock: {x['why']}",
    "cloaked": lambda x: f"{x['ship']} cloaks and is gone from the map",
    "decloaked": lambda x: f"{x['ship']} is on the map again at {x['hex']}{x['facing']}",
    "shields_raised": lambda x: f"{x['ship']} raises shields",
    "shields_lowered": lambda x: f"{x['ship']} lowers shields",
    "communicated": lambda x: (
        f"{x['ship']} {'jams' if x['jam'] else 'signals'} {x['to']}"
        f"{'' if x['success'] else ', without success'}"
    ),
    "transported": lambda x: f"{x['ship']} uses the transporter: {x['what']}",
    "fired": lambda x: f"{x['ship']} fires {x['weapon']} at {x['at']}",
    "aimed": lambda x: (
        f"{x['ship']}: {x['weapon']} at range {x['range']} needs {x['needed']}, rolled {x['roll']}"
    ),
    "landed": lambda x: f"{x['weapon']} of {x['ship']} {'hits' if x['hit'] else 'misses'} {x['at']}",
    "struck": lambda x: f"{x['ship']}: {x['points']} damage on shield {x['shield']}",
    "absorbed": lambda x: f"{x['ship']}: shield {x['shield']} absorbs {x['points']} for {_power(x['power'])}",
    "located": _located,
    "superstructure_damaged": lambda x: f"{x['ship']}: superstructure loses {x['points']}",
    "superstructure_repaired": lambda x: f"{x['ship']}: superstructure gains {x['points']}",
    "crew_hurt": lambda x: f"{x['ship']}: {x['percent']} percent casualties",
    "crew_healed": lambda x: f"{x['ship']}: {x['percent']} percent of the crew back",
    "damaged": lambda x: f"{x['ship']}: {x['part']} out of action ({x['points']})",
    "repaired": lambda x: f"{x['ship']}: {x['part']} works again",
    "repair_pending": lambda x: f"{x['ship']}: {x['part']} repaired, from the next turn",
    "repair_cancelled": lambda x: f"{x['ship']}: the repair of {x['part']} is undone",
    "repair_advanced": lambda x: f"{x['ship']}: {x['part']}: {x['done']} of {x['needed']} repairs",
    "left_play": lambda x: (
        f"*** {x['ship']} EXPLODES ***" if x["how"] == "destroyed" else f"{x['ship']} has {x['how']}"
    ),
    "crippled": lambda x: f"{x['ship']} is crippled, the game master rules",
}


def ship_lines(report: Mapping[str, Any]) -> list[str]:
    """How the ships of a combat stand."""
    homebrew = ["HOMEBREW, not the book's: " + safe_line(", ".join(report["homebrew"]))]
    return [*_ships(report["state"])[1:], *(homebrew if report["homebrew"] else [])]


def _ships(state: Mapping[str, Any]) -> list[str]:
    lines = ["Ships"]
    for name, ship in state["vessels"].items():
        lines += [safe_line(line) for line in _ship(name, ship)]
    for name, ship in state.get("others", {}).items():
        seen = f"{ship['hex']}{ship['facing']}" if "hex" in ship else "not on the map"
        lines.append(safe_line(f"  {name} ({ship['side']}): {ship.get('out') or seen}"))
    return lines


def _ship(name: str, ship: Mapping[str, Any]) -> Iterator[str]:
    place = ship["out"] or f"{ship['hex']}{ship['facing']}" + (" cloaked" if ship["cloaked"] else "")
    yield f"  {name} ({ship['ship']}, {ship['side']}): {place}"
    if ship["out"] == "destroyed":
        return
    engines = ", ".join(f"{engine} {power}" for engine, power in ship["engines"].items())
    yield f"    engines {engines}; power {ship['left']} left, {ship['spent']} spent, {ship['lost']} lost"
    shields = "up" if ship["raised"] else "down"
    yield f"    superstructure {ship['superstructure']}, casualties {ship['casualties']} percent, shields {shields}"
    if ship["damage"]:
        hits = ", ".join(f"{part} ({sum(points)})" for part, points in ship["damage"].items())
        yield f"    out of action: {hits}"


def finding_line(finding: Mapping[str, Any]) -> str:
    """One finding in one line."""
    when = f" turn {finding['turn']}" if "turn" in finding else ""
    when += f".{finding['impulse']}" if "impulse" in finding else ""
    subject = f"{finding['subject']}: " if finding.get("subject") else ""
    return safe_line(f"  {finding['severity']} [{finding['rule']}]{when} {subject}{finding['message']}", 300)


def _foot(report: Mapping[str, Any]) -> Iterator[str]:
    yield "Options in force: " + safe_line(
        ", ".join(f"{name}={value}" for name, value in report["options"].items()), 4000
    )
    if "dice" in report:
        yield safe_line(f"Dice: {report['dice']['source']}, {how_many(len(report['dice']['rolls']), 'roll')}")
    if "state_hash" in report:
        yield f"State: {report['state_hash']}"
    yield f"Verdict: {report['verdict']}"
