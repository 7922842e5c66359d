"""Documents that say by `schema` what they are, as people read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from referee.core.safe import safe_line

if TYPE_CHECKING:
    from referee.core.positions import Position

TEXTS = {
    "referee/trek-play/1": "trektext:combat_text",
    "referee/trek-volley/1": "treksheets:volley_text",
    "referee/trek-fire/1": "treksheets:fire_text",
    "referee/trek-odds/1": "treksheets:odds_text",
    "referee/trek-combat/1": "treksheets:combat_file_text",
    "referee/trek-ship/1": "treksheets:ship_text",
    "referee/trek-crew/1": "treksheets:crew_text",
    "referee/trek-charts/1": "treksheets:charts_text",
}
"""Where in this room a kind of document is put into words."""


STATUS = {"referee/trek-play/1": "trektext:ship_lines"}
"""Where the few lines are made that say how a game of a kind stands."""


LOGS = {"referee/trek-play/1": "trektext:event_words"}
"""Where the words are made for what a part of a game's log tells."""


def happened(position: Position) -> str:
    """What happened before a position, in a line: one as players write it, or all that an act on a rulebook's own table
    did."""
    if position.log:
        return safe_line(_called(LOGS[position.log["schema"]], position.log), 4000)
    return safe_line(position.happened, 1000)


def status_lines(document: Mapping[str, Any]) -> Sequence[str]:
    """How a game stands, in a few lines."""
    lines: Sequence[str] = _called(STATUS[document["schema"]], document)
    return lines


def has_text(schema: str) -> bool:
    """Is there a reading for people of this kind of document?"""
    return schema in TEXTS


def as_text(document: Mapping[str, Any]) -> str:
    """A document as plain text. Raises KeyError for a kind that has no reading."""
    text: str = _called(TEXTS[document["schema"]], document)
    return text


def _called(place: str, document: Mapping[str, Any]) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(f"referee.report.{module}"), name)(document)
