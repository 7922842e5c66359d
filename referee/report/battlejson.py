"""The report on a battle as JSON, by `schemas/battle-report.schema.json`."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from referee.core.battle import LEAD_MEANS, Battle, gunnery_of, turning_points, who_did_what
from referee.core.state import ShipState
from referee.report.battleblocks import result_line
from referee.report.checkjson import finding_json
from referee.report.statejson import state_json

SCHEMA = "referee/battle-report/1"


def battle_json(battle: Battle) -> str:
    """The report as one JSON document; figures that are not told are left out."""
    document = {
        "schema": SCHEMA,
        "title": battle.title,
        "file": battle.file,
        **({"as": battle.side} if battle.side else {}),
        "result": result_line(battle),
        **({"victory": _plain(battle.victory)} if battle.victory is not None else {}),
        **({"verdict": battle.verdict} if battle.verdict else {}),
        "facts": [{"name": name, "value": value} for name, value in battle.facts],
        "turning_points": _plain(turning_points(battle.volleys, battle.leads)),
        "turns": _plain(battle.turns),
        **({"own": battle.document} if battle.document is not None else {}),
        "shots": _plain(battle.shots),
        "volleys": _plain(battle.volleys),
        "seeker_hits": _plain(battle.seeker_hits),
        "broadsides": [
            {
                **{
                    name: at
                    for name, at in (("turn", broadside.turn), ("impulse", broadside.impulse))
                    if at is not None
                },
                "firer": broadside.firer,
                "target": broadside.target,
                "told": broadside.summary,
                "points": broadside.fell,
                "mean": round(sum(points * chance for points, chance in broadside.chances.items()), 6),
            }
            for broadside in battle.broadsides
        ],
        "damage": _plain(who_did_what(battle.volleys)),
        "gunnery": _plain(gunnery_of(battle.shots)),
        "dice": [_plain(fell) | {"says": fell.word} for fell in battle.dice],
        "lead_means": LEAD_MEANS,
        "findings": [finding_json(finding) for finding in battle.findings],
        "fouls": _plain(battle.fouls),
        "rulings": _plain(battle.rulings),
        "taken_back": _plain(battle.retractions),
        "not_checked": _plain(battle.not_checked),
        "not_told": list(battle.untold),
        **({"head": battle.head} if battle.head else {}),
    }
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _plain(value: Any) -> Any:
    """A part of the model as JSON: an object by its fields, a fraction as text."""
    if isinstance(value, ShipState):
        return state_json(value)
    if is_dataclass(value):
        parts = {part.name: getattr(value, part.name) for part in fields(value)}
        return {name: _plain(part) for name, part in parts.items() if part is not None}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return str(value) if isinstance(value, Fraction) else value
