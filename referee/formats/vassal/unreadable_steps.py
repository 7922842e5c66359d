"""Commands of a step that are not as VASSAL writes its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from referee.formats.vassal import command_types as lv
from referee.formats.vassal.sequence import decode

if TYPE_CHECKING:
    from referee.formats.vassal.game import StepForward

Kind = Literal["move", "change", "clock", "other"]
_OWN: dict[str, tuple[str, Kind]] = {
    "M/": ("a move", "move"),
    "D/": ("a change of a piece", "change"),
    "+/": ("a new piece", "other"),
    "UNDO": ("an undo", "other"),
    "TURN": ("a turn tracker", "clock"),
}
"""How VASSAL's own commands that change the game begin; others are a module's."""


class UnreadCommand(NamedTuple):
    """A command that could not be read or played: in words, what it would have changed, and the id of the piece
    it names, empty where it names none."""

    what: str
    kind: Kind = "other"
    piece: str = ""


def unread_in(step: StepForward) -> Iterator[UnreadCommand]:
    """The commands of VASSAL's own in a step that are not as VASSAL writes them."""
    for leaf in step.commands:
        if isinstance(leaf, lv.Unknown):
            yield from (
                UnreadCommand(
                    f"{what} that is not written as VASSAL does", kind, _named(leaf.raw, begins, kind)
                )
                for begins, (what, kind) in _OWN.items()
                if leaf.raw.startswith(begins)
            )
    undone = [leaf.begins for leaf in step.commands if isinstance(leaf, lv.Undo)]
    if undone.count(True) != undone.count(False):
        yield UnreadCommand("an undo that does not begin or does not end")


def _named(raw: str, begins: str, kind: Kind) -> str:
    """The id of the piece that is moved or changed."""
    return decode(raw.removeprefix(begins), "/")[0] if kind in ("move", "change") else ""
