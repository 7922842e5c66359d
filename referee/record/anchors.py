"""Anchors of key chains that are not apart: whose anchor is a link of another's chain gives no key of his own."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.errors import IntegrityFailure
from referee.record.chain import Entry
from referee.record.dicekeys import leads
from referee.record.limits import DEFAULT_CHAIN, MAX_CHAIN


def check_anchors(entries: Iterable[Entry]) -> None:
    """Raises IntegrityFailure, with its line, for an anchor that another player's leads to, hash by hash, within
    the length of a chain: its keys would be known to all, or be those of the other a roll later."""
    known: dict[str, tuple[str, int]] = {}
    for entry in entries:
        if entry.type == "genesis":
            anchors = entry.data["dice"].get("anchors", {})
            new = [(name, anchors[name], DEFAULT_CHAIN) for name in anchors if isinstance(anchors[name], str)]
        elif entry.type == "anchor":
            new = [(entry.data["player"], entry.data["anchor"], entry.data["length"])]
        else:
            continue
        for name, anchor, length in new:
            for other, (its, longest) in known.items():
                steps = min(max(length, longest, DEFAULT_CHAIN), MAX_CHAIN)
                if leads(its, anchor, steps) or leads(anchor, its, steps):
                    reason = f"the anchors of {name} and {other} are of one chain"
                    raise IntegrityFailure(reason, place=f"line {entry.line_number}")
            known[name] = anchor, length
