"""Ships, crews, charts, volleys and fire of the Trek rules as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from referee.core.naming import how_many
from referee.core.order_text import action_words
from referee.core.safe import safe_line
from referee.report.trektext import finding_line, log_lines

Document = Mapping[str, Any]
NOT_KNOWN = "not known"


def _lines(lines: Iterator[str]) -> str:
    return "\n".join(safe_line(line, 300) for line in lines) + "\n"


def _words(value: Any) -> str:
    return NOT_KNOWN if value is None else str(value)


# -- ships, crews, charts --------------------------------------------------------------------


def ship_row(id: str, ship: Document) -> tuple[str, str, str]:
    """A ship in a list: id, name, and what is homebrew, missing or unsure."""
    remarks = ["homebrew"] if ship.get("homebrew") else []
    remarks += [f"{len(ship['missing'])} missing"] if ship.get("missing") else []
    remarks += ["provisional"] if ship.get("status") == "provisional" and not remarks else []
    return id, ship["name"], ", ".join(remarks)


def ship_text(ship: Document) -> str:
    """A ship's data sheet."""
    return _lines(_ship(ship))


def _ship(ship: Document) -> Iterator[str]:
    yield f"{ship['name']}  ({ship['id']})"
    yield f"Kind         {' '.join(str(ship[part]) for part in ('race', 'kind') if ship.get(part))}"
    if ship.get("homebrew"):
        yield "HOMEBREW, not the book's"
    if ship.get("note"):
        yield f"Note         {ship['note']}"
    engines = ship.get("engines") or {}
    made = ", ".join(f"{name} {power}" for name, power in engines.items())
    yield f"Engines      {made or NOT_KNOWN}; {sum(engines.values()) or _words(ship.get('total_power'))} power a turn"
    yield f"Movement     {_words(ship.get('movement_point_ratio'))} power a move"
    shields = _words(ship.get("max_shield_power"))
    yield f"Shields      {shields} each, {_words(ship.get('shield_point_ratio'))} power a point absorbed"
    yield f"Hull         superstructure {_words(ship.get('superstructure'))}, damage chart {_words(ship.get('damage_chart'))}"
    if ship.get("cloak"):
        yield f"Cloak        {ship['cloak']} power"
    for name in ("engine_stress", "superstructure_stress"):
        yield f"Stress       {_stress(name.removesuffix('_stress'), ship.get(name))}"
    yield ""
    yield "Weapons"
    for weapon in ship["weapons"]:
        yield f"  {weapon['id']:<12} {_weapon(weapon)}"
    if ship.get("missing"):
        yield ""
        yield "Not known: " + ", ".join(ship["missing"])
    if ship.get("status"):
        yield f"Status       {ship['status']}; source {', '.join(ship.get('source', ())) or NOT_KNOWN}"


def _stress(what: str, chart: Any) -> str:
    if not isinstance(chart, Mapping):
        return f"{what} {_words(chart)}"
    return f"{what} " + ", ".join(f"warp {warp}: {points}" for warp, points in chart.items())


def _weapon(weapon: Document) -> str:
    parts = [
        weapon["kind"],
        f"chart {_words(weapon['firing_chart'])}",
        " ".join(weapon.get("arcs") or ["arcs not known"]),
    ]
    parts += [f"bank {weapon['bank']}"] if weapon.get("bank") else []
    if "max_power" in weapon:
        parts.append(f"power 1 to {weapon['max_power']}")
    if "power_to_arm" in weapon:
        parts.append(f"{weapon['power_to_arm']} to arm")
    if "damage" in weapon:
        parts.append(f"damage {weapon['damage']}")
    if weapon.get("damage_table"):
        parts.append(f"plasma table {weapon['damage_table']}")
    bands = weapon.get("damage_modifiers", ())
    parts += [f"+{band['bonus']} at {band['from']}-{band['to']}" for band in bands]
    return ", ".join(parts)


def crew_text(crew: Document) -> str:
    """A crew: its skills, or captain and efficiency."""
    skills = crew.get("skills") or {name: crew[name] for name in ("captain", "efficiency") if name in crew}
    rows = [f"  {name.replace('_', ' '):<24} {score}" for name, score in skills.items()]
    return _lines(iter([f"Crew {crew['id']}", *rows]))


def charts_text(charts: Document) -> str:
    """What tables a chart file has."""
    rows = ["Charts of an owner"] + ([f"  {charts['note']}"] if charts.get("note") else [])
    for name, chart in charts.get("firing_charts", {}).items():
        rows.append(f"  firing {name}: " + " ".join(map(str, chart["to_hit"])))
    for name, damage in charts.get("plasma", {}).items():
        rows.append(f"  plasma {name}: " + " ".join(map(str, damage)))
    for part in ("damage_location", "stress", "banked_weapons", "arcs", "moves"):
        if charts.get(part):
            rows.append(f"  {part.replace('_', ' ')}: {', '.join(charts[part])}")
    return _lines(iter(rows))


# -- a combat as it is written ---------------------------------------------------------------


def combat_file_text(combat: Document) -> str:
    """The ships where they start, and what is declared, round by round."""
    return _lines(_combat(combat))


def _combat(combat: Document) -> Iterator[str]:
    yield combat.get("title") or "A combat"
    if combat.get("options"):
        yield "Options: " + ", ".join(f"{name}={value}" for name, value in combat["options"].items())
    yield "Ships"
    for ship in combat["ships"]:
        motion = " in reverse" if ship.get("motion") == "reverse" else ""
        shields = ", shields raised" if ship.get("shields") == "raised" else ""
        yield f"  {ship['name']} ({ship['ship']}, {ship['side']}) at {ship['at']}, warp {ship.get('warp', 0)}{motion}{shields}"
    if combat.get("obstacles"):
        yield "Obstacles: " + ", ".join(combat["obstacles"])
    for number, turn in enumerate(combat["turns"], 1):
        yield f"Turn {number}" + (f", order {', '.join(turn['order'])}" if turn.get("order") else "")
        for place, round in enumerate(turn["rounds"], 1):
            yield f"  Round {place}"
            for orders in round:
                actions = "; ".join(action_words(action) for action in orders.get("actions", ())) or "nothing"
                yield f"    {orders['ship']}: {actions}"
    dice = "none in the file"
    if "dice" in combat:
        dice = f"{how_many(len(combat['dice']), 'roll')} in the file"
    yield f"Dice: {combat['seed'] if combat.get('seed') else dice}"


# -- a volley, fire, odds --------------------------------------------------------------------


def volley_text(report: Document) -> str:
    """Damage on one shield, point by point of the log."""
    shield = report["shield"]
    head = [
        f"{how_many(report['damage'], 'point')} of {report['kind']} on shield {shield['number']} of {report['ship']}"
    ]
    head.append(f"  {shield['absorbed']} absorbed for {shield['power']} power, {report['internals']} inside")
    return _resolved(report, head)


def fire_text(report: Document) -> str:
    """A ship's fire at another, shot by shot."""
    head = [f"{report['ship']} fires at {report['target']}"]
    for shot in report["shots"]:
        result = f"hits shield {shot['shield']} for {shot['damage']}" if shot["hit"] else "misses"
        head.append(
            f"  {shot['weapon']:<12} range {shot['range']['true']:>2}  needs {shot['needed']}, rolled {shot['roll']}: {result}"
        )
    return _resolved(report, head)


def _resolved(report: Document, head: list[str]) -> str:
    lines = [safe_line(line) for line in head]
    if report["homebrew"]:
        lines.append("HOMEBREW, not the book's: " + safe_line(", ".join(report["homebrew"])))
    lines += ["", *log_lines(report["log"])]
    lines += ["", "Findings", *map(finding_line, report["findings"])] if report["findings"] else []
    source = safe_line(report["dice"]["source"])
    return "\n".join([*lines, "", f"Dice: {source}, {how_many(len(report['dice']['rolls']), 'roll')}"]) + "\n"


def odds_text(report: Document) -> str:
    """Chances and mean points of every part."""
    lost = " (homebrew, not the lost printed one)" if report["homebrew"] else ""
    head = f"{how_many(report['points'], 'point')} of {report['kind']} through shield {report['shield']}"
    lines = [
        f"{head}, chart {report['chart']}{lost}: trek-55, exact",
        "",
        f"{'':24}{'struck':>8}{'mean points':>13}",
    ]
    for row in report["parts"]:
        part = row["part"].replace("_", " ")
        lines.append(
            f"  {part:<22}{float(Fraction(row['chance'])):>8.1%}{float(Fraction(row['mean'])):>13.2f}"
        )
    lines += ["", "Not counted: damage control, which weapon is picked, what a ship does not have."]
    return "\n".join(lines) + "\n"
