"""What an order of a record orders, in words made of what it does: its own text is only how it was said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.core.gameorders import order_said
from referee.core.orders import in_words


def order_text(data: Mapping[str, Any]) -> str:
    """An order in words."""
    if (said := order_said(data)) is not None:
        return in_words(said)
    if "volley" in data:
        volley = data["volley"]
        where = "inside" if volley["internal"] else f"on {volley.get('shield')}"
        return f"{volley['ship']}: hit {volley['points']} {where}"
    if "choose" in data:
        return f"{data['choose']['ship']}: choose {data['choose']['policy']}"
    if "place" in data:
        return f"{data['place']['ship']} at {data['place']['to'] or 'no hex: off the map'}"
    if "strike" in data:
        return f"seekers: {', '.join(data['strike']['seekers'])}"
    if "act" in data:
        return act_text(data["act"])
    return "; ".join(data["text"])


def act_text(act: Mapping[str, Any]) -> str:
    """An act in words."""
    from referee.report.treksheets import action_words

    if act["act"] == "pass":
        return f"{act['ship']}: pass"
    if act["act"] == "ship":
        return f"{act['ship']}: " + "; ".join(action_words(action) for action in act["actions"])
    if act["act"] == "answers":
        return f"{act['ship']} answers: " + "; ".join(
            action_words({"do": "", **said}) for said in act["replies"]
        )
    order = f", order {', '.join(act['order'])}" if act.get("order") else ""
    return f"next {act['act']}{order}" + (", all agree" if act.get("agreed_by") else "")
