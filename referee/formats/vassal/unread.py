"""Commands of a step that are not as VASSAL writes its own."""

from __future__ import annotations

from collections.abc import Iterator

from referee.formats.vassal import leaves as lv
from referee.formats.vassal.game import Step

_OWN = {
    "M/": "a move",
    "D/": "a change of a piece",
    "+/": "a new piece",
    "UNDO": "an undo",
    "TURN": "a turn tracker",
}
"""How VASSAL's own commands that change the game begin; others are a module's."""


def unread_in(step: Step) -> Iterator[str]:
    """The commands of VASSAL's own in a step that are not as VASSAL writes them."""
    for leaf in step.commands:
        if isinstance(leaf, lv.Unknown):
            yield from (
                f"{what} that is not written as VASSAL does"
                for begins, what in _OWN.items()
                if leaf.raw.startswith(begins)
            )
    undone = [leaf.begins for leaf in step.commands if isinstance(leaf, lv.Undo)]
    if undone.count(True) != undone.count(False):
        yield "an undo that does not begin or does not end"
