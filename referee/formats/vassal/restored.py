"""The game on a board as VASSAL sends it to somebody who joins: one command string that restores it whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import state_text, type_text
from referee.formats.vassal.commands import (
    LOGGED,
    Command,
    decode_command,
    encode_command,
    encode_leaf,
    parse_leaf,
)
from referee.formats.vassal.pieces import PILES
from referee.formats.vassal.sequence import decode

if TYPE_CHECKING:
    from referee.formats.vassal.chain import Trait
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.replay import Board


def game_text(save: Save, board: Board, later: Iterable[lv.Leaf] = ()) -> str:
    """The command string that restores a game as it stands on a board: what it began with, with pieces, trackers,
    boards and properties as they are now, and what was written since (`later`: seats and notes). Raises BadInput
    where it would not be read back as it is."""
    replaced = {_key(leaf): leaf for leaf in later}
    rest: list[Command] = []
    known: set[tuple[str, ...]] = set()
    for text in save._root.walk():
        if text.startswith((LOGGED, "+/", "-/", "CHAT", "UNDO")) or text in ("", "begin_save", "end_save"):
            continue
        leaf = _now(parse_leaf(text), board)
        key = _key(leaf)
        leaf = replaced.get(key, leaf)
        if key:
            known.add(key)
        if not isinstance(leaf, lv.PlayerLeft):
            rest.append(Command(encode_leaf(leaf)))
    added = [
        leaf for key, leaf in replaced.items() if key not in known and not isinstance(leaf, lv.PlayerLeft)
    ]
    rest += [Command(encode_leaf(leaf)) for leaf in (*added, *_properties(save, board))]
    pieces = Command("", tuple(_pieces(board.chains)))
    inside = (Command(""), *((pieces,) if pieces.subs else ()), *rest, Command("end_save"))
    text = encode_command(Command("begin_save", inside))
    wanted = ["begin_save", *(command for sub in inside for command in sub.walk())]
    if list(decode_command(text).walk()) != wanted:
        raise BadInput("the game cannot be sent so that it is read back: a text in it ends with a backslash")
    return text


def _pieces(chains: dict[str, tuple[Trait, ...]]) -> Iterator[Command]:
    """The pieces, each before the stack or deck it lies in; stacks from which all have gone are left out."""
    for piles in (False, True):
        for identity, chain in chains.items():
            core = chain[-1]
            if (core.kind in PILES) is not piles:
                continue
            if core.kind == "stack" and not any(
                member and member[:2] != "@@" for member in decode(core.state, ";")[3:]
            ):
                continue
            yield Command(encode_leaf(lv.AddPiece(identity, type_text(chain), state_text(chain))))


def _now(leaf: lv.Leaf, board: Board) -> lv.Leaf:
    """What a command of the start says now."""
    match leaf:
        case lv.Turn():
            return board.turn_leaves.get(leaf.tracker, leaf)
        case lv.Boards():
            return board.boards.get(leaf.map, leaf)
        case lv.GlobalProperty():
            value = board.properties.get((leaf.container or "Module", leaf.name), leaf.value)
            return lv.GlobalProperty(leaf.name, value, leaf.container)
        case lv.MutableProperty():
            value = board.properties.get((leaf.container or "Module", leaf.name), leaf.new)
            return lv.MutableProperty(leaf.name, leaf.old, value, leaf.container)
    return leaf


def _properties(save: Save, board: Board) -> Iterator[lv.Leaf]:
    """Properties that were set since and are not in the start."""
    known = {(item.container, item.name) for item in save.properties}
    for (container, name), value in board.properties.items():
        if (container, name) not in known:
            yield lv.MutableProperty(name, "", value, container)


def _key(leaf: lv.Leaf) -> tuple[str, ...]:
    """What a seat or note is kept by: one written later stands in its place."""
    match leaf:
        case lv.PlayerSeat() | lv.PlayerLeft():
            return "seat", leaf.id.reveal()
        case lv.SharedNotes():
            return ("public notes",) if leaf.public else ("notes",)
        case lv.PrivateNotes():
            return "private notes", leaf.owner.reveal()
        case lv.SecretNote():
            return "secret note", leaf.owner.reveal(), leaf.name
    return ()


def is_kept(leaf: lv.Leaf) -> bool:
    """Is it a seat or a note, which stays in the game though it is no piece?"""
    return bool(_key(leaf))


def kept(leaves: Iterable[lv.Leaf], before: Iterable[lv.Leaf] = ()) -> tuple[lv.Leaf, ...]:
    """Seats and notes, each as it was written last."""
    found = {_key(leaf): leaf for leaf in before}
    for leaf in leaves:
        if key := _key(leaf):
            found.pop(key, None)
            found[key] = leaf
    return tuple(found.values())
