"""What an order of a record orders, in words made of what it does: its own text is only how it was said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.core.gameorders import order_said
from referee.core.orders import in_words

_GONE = re.compile(r" gone with their ship \([A-Z]{1,2}[0-9.]+\)")
"""What a record says behind the names of seekers that do not strike, with the number of the rule."""


def order_text(data: Mapping[str, Any]) -> str:
    """An order in words."""
    if (order := order_said(data)) is not None:
        return in_words(order)
    if "volley" in data:
        volley = data["volley"]
        where = "inside" if volley["internal"] else f"on {volley.get('shield')}"
        return f"{volley['ship']}: hit {volley['points']} {where}"
    if "choose" in data:
        return f"{data['choose']['ship']}: choose {data['choose']['policy']}"
    if "place" in data:
        return f"{data['place']['ship']} at {data['place']['to'] or 'no hex: off the map'}"
    if "strike" in data:
        seekers = f"seekers: {', '.join(data['strike']['seekers'])}"
        gone = [text for text in data["text"] if _GONE.fullmatch(text.removeprefix(seekers))]
        return gone[0] if gone == data["text"] else seekers
    if "act" in data:
        return act_text(data["act"])
    return "; ".join(data["text"])


def act_text(act: Mapping[str, Any]) -> str:
    """An act in words."""
    if act["act"] == "pass":
        return f"{act['ship']}: pass"
    if act["act"] == "ship":
        return f"{act['ship']}: " + "; ".join(action_words(action) for action in act["actions"])
    if act["act"] == "answers":
        return f"{act['ship']} answers: " + "; ".join(
            action_words({"do": "", **reply}) for reply in act["replies"]
        )
    order = f", order {', '.join(act['order'])}" if act.get("order") else ""
    return f"next {act['act']}{order}" + (", all agree" if act.get("agreed_by") else "")


def action_words(action: Mapping[str, Any]) -> str:
    """An action as it is said at the table."""
    weapons = ", ".join(
        weapon["weapon"]
        + (f" with {weapon['power']}" if "power" in weapon else " at half" if weapon.get("half") else "")
        for weapon in action.get("weapons", ())
    )
    ends = ("to", "from") if action["do"] == "transport" else ()
    rest = " ".join(
        name if value is True else f"{name} {value}" if name in ("arc", *ends) else str(value)
        for name, value in sorted(action.items(), key=lambda part: part[0] in ends)
        if name not in ("do", "weapons", "at") and value is not False
    )
    at = f"at {action['at']}" if "at" in action else ""
    parts = (action["do"], rest, at) if action["do"] == "lock" else (action["do"], weapons, at, rest)
    return " ".join(part for part in parts if part)
