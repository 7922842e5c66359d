"""A save or log as a whole: its start, and for a log the steps that follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Literal

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.formats.limits import MAX_PIECES
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import Trait, pair_traits
from referee.formats.vassal.commands import LOGGED, NOTHING_LOGGED, Command, decode_command, parse_leaf
from referee.formats.vassal.container import MODULE_DATA, SAVE_DATA, open_save
from referee.formats.vassal.formatted import Globals
from referee.formats.vassal.pieces import PILES, Piece, Pile, owners, pile_of, read_piece
from referee.formats.vassal.players import Player, Roster
from referee.formats.vassal.traits import view
from referee.formats.vassal.turns import TurnState, read_turn
from referee.formats.vassal.xml import Metadata, read_metadata


@frozen
class Note:
    """A note; `text` is None where it is not for all eyes."""

    kind: Literal["scenario", "public", "private", "secret"]
    text: str | None
    title: str = ""
    owner: str | None = None


@frozen
class Property:
    """A global property; the container is `Module`, a map or a zone."""

    name: str
    value: str
    container: str = "Module"


@frozen
class StepForward:
    """One step forward of a log, counted from 1; `undo` when it takes something back."""

    n: int
    commands: tuple[lv.Leaf, ...]
    undo: bool = False


@frozen
class Save:
    """A decoded save or log. Of a log, everything but chat and steps is as at its start.

    `_root` and `_chains` are the texts it was stored as, passwords included.
    """

    kind: Literal["save", "log"]
    file: str
    encoding: str
    header: str
    metadata: Metadata | None
    module: Metadata | None
    players: tuple[Player, ...]
    boards: tuple[lv.Boards, ...]
    pieces: tuple[Piece, ...]
    properties: tuple[Property, ...]
    turns: tuple[TurnState, ...]
    notes: tuple[Note, ...]
    chat: tuple[str, ...]
    steps: tuple[StepForward, ...]
    extensions: tuple[lv.Extension, ...]
    unknown: tuple[str, ...]
    roster: Roster = field(repr=False)
    turn_leaves: tuple[lv.Turn, ...] = field(repr=False)
    secret_notes: tuple[lv.SecretNote, ...] = field(repr=False)
    _root: Command = field(repr=False)
    _chains: Mapping[str, tuple[Trait, ...]] = field(repr=False)

    @property
    def turn(self) -> TurnState | None:
        """The first turn tracker."""
        return self.turns[0] if self.turns else None

    def piece(self, identity: str) -> Piece | None:
        """The piece with an id."""
        return next((piece for piece in self.pieces if piece.id == identity), None)


def read_save(data: bytes, file: str, encoding: str | None = None, *, reveal: bool = False) -> Save:
    """Decodes a save or log; `reveal` shows masked and hidden pieces as their owners see them."""
    saved = open_save(data, file, encoding)
    metadata = read_metadata(saved.save_data, file, SAVE_DATA)
    module = read_metadata(saved.module_data, file, MODULE_DATA)
    root = decode_command(saved.text, file)
    start, steps = _parts(root)
    if not any(isinstance(leaf, lv.EndSave) for leaf in start):
        raise BadInput("has no end_save command: cut short", file=file, place="savedGame")
    roster = _roster(start, steps)
    traits = _traits(start, roster, file)
    roster.check_size(file)
    strike = roster.striker()
    is_log = bool(steps) or file.lower().endswith((".vlog", ".log"))
    turn_leaves = tuple({leaf.tracker: leaf for leaf in start if isinstance(leaf, lv.Turn)}.values())
    steps = [_with_struck(step, strike) if _has_chat(step) else step for step in steps]
    logged = [leaf for step in steps for leaf in step.commands]
    properties = _properties(start, strike)
    return Save(
        kind="log" if is_log else "save",
        file=file,
        encoding=saved.encoding,
        header=saved.header,
        metadata=metadata,
        module=module,
        players=roster.players,
        boards=tuple({leaf.map: leaf for leaf in start if isinstance(leaf, lv.Boards)}.values()),
        pieces=_pieces(traits, roster, reveal, {(p.container, p.name): p.value for p in properties}),
        properties=properties,
        turns=tuple([state for leaf in turn_leaves if (state := read_turn(leaf))]),
        notes=tuple(_notes(start, roster)),
        chat=tuple([leaf.text for leaf in (*_struck(start, strike), *logged) if isinstance(leaf, lv.Chat)]),
        steps=tuple(steps),
        extensions=tuple([leaf for leaf in start if isinstance(leaf, lv.Extension)]),
        unknown=tuple([strike(leaf.raw) for leaf in (*start, *logged) if isinstance(leaf, lv.Unknown)]),
        roster=roster,
        turn_leaves=turn_leaves,
        secret_notes=tuple([leaf for leaf in start if isinstance(leaf, lv.SecretNote)]),
        _root=root,
        _chains=traits,
    )


def _parts(root: Command) -> tuple[list[lv.Leaf], list[StepForward]]:
    """The leaves of the start, and the steps of a log."""
    start: list[lv.Leaf] = [parse_leaf(root.text)] if root.nested is None else list(root.nested.leaves())
    steps: list[StepForward] = []
    for sub in root.subs:
        texts = list(sub.walk())
        if texts and texts[0].startswith(LOGGED):
            steps.append(_step(len(steps) + 1, texts))
        else:
            start += map(parse_leaf, texts)
    return start, steps


def _step(n: int, texts: Iterable[str]) -> StepForward:
    """The step of a log that some leaves make: what was logged, whatever wraps it."""
    commands = []
    for text in texts:
        logged = text
        if text.startswith(LOGGED):
            while logged.startswith(LOGGED):
                logged = logged[len(LOGGED) :]
            if logged == NOTHING_LOGGED:
                continue
        if logged:
            commands.append(parse_leaf(logged))
    first = commands[0] if commands else None
    return StepForward(n, tuple(commands), isinstance(first, lv.Undo) and first.begins)


def live_step(n: int, text: str) -> StepForward:
    """The step that a command string of a live room makes, which is taken apart whole before any of it is played; what
    a log would wrap does nothing there."""
    leaves = decode_command(text, "room").leaves()
    commands = tuple([_as_set(leaf) for leaf in leaves if type(leaf) is not lv.Null])
    return StepForward(n, commands, any(isinstance(leaf, lv.Undo) and leaf.begins for leaf in commands))


def _as_set(leaf: lv.Leaf) -> lv.Leaf:
    """A command as it acts in a game that goes on: there the value of a saved property is set."""
    if isinstance(leaf, lv.GlobalProperty):
        return lv.MutableProperty(leaf.name, "", leaf.value, leaf.container)
    return leaf


def _has_chat(step: StepForward) -> bool:
    return lv.Chat in map(type, step.commands)


def _with_struck(step: StepForward, strike: Callable[[str], str]) -> StepForward:
    """A step with ids struck out of its chat; most lines hold none."""
    struck = _struck(step.commands, strike)
    return step if struck == step.commands else StepForward(step.n, struck, step.undo)


def _struck(leaves: Iterable[lv.Leaf], strike: Callable[[str], str]) -> tuple[lv.Leaf, ...]:
    """The commands with ids struck out of what players read; writing uses the stored text."""
    return tuple([_line_struck(leaf, strike) if type(leaf) is lv.Chat else leaf for leaf in leaves])


def _line_struck(line: lv.Chat, strike: Callable[[str], str]) -> lv.Chat:
    text = strike(line.text)
    return line if text is line.text else lv.Chat(text)


def _roster(start: list[lv.Leaf], steps: list[StepForward]) -> Roster:
    roster = Roster()
    commands = [leaf for leaves in (start, *[step.commands for step in steps]) for leaf in leaves]
    for leaf in [leaf for leaf in commands if type(leaf) in _OF_PLAYERS]:
        match leaf:
            case lv.PlayerSeat():
                roster.seat(leaf)
            case lv.PlayerLeft():
                roster.leave(leaf.id)
            case lv.MovePiece() if leaf.player:
                roster.knows(leaf.player)
            case lv.Unmask():
                for player in leaf.players:
                    roster.knows(player)
            case lv.PrivateNotes() | lv.SecretNote():
                roster.knows(leaf.owner)
            case _:
                pass
    return roster


_OF_PLAYERS = {lv.PlayerSeat, lv.PlayerLeft, lv.MovePiece, lv.Unmask, lv.PrivateNotes, lv.SecretNote}
"""The commands that name players."""


def _traits(start: list[lv.Leaf], roster: Roster, file: str) -> dict[str, tuple[Trait, ...]]:
    """Traits of every piece in the game at the start, by id."""
    types: dict[str, tuple[str, ...]] = {}
    pieces: dict[str, tuple[Trait, ...]] = {}
    for leaf in start:
        if isinstance(leaf, lv.AddPiece):
            try:
                pieces[leaf.id] = pair_traits(leaf.type, leaf.state, types)
            except BadInput as error:
                raise error.at(file=file, place=f"savedGame piece {leaf.id[:40]}") from None
            if len(pieces) > MAX_PIECES:
                raise BadInput(f"more than {MAX_PIECES} pieces", file=file, place="savedGame")
        elif isinstance(leaf, lv.RemovePiece):
            pieces.pop(leaf.id, None)
    for traits in pieces.values():
        for identity in owners(traits):
            roster.knows(identity)
    return pieces


def _pieces(
    traits: dict[str, tuple[Trait, ...]], roster: Roster, reveal: bool, known: Globals
) -> tuple[Piece, ...]:
    """The pieces; what lies in a stack or deck lies where that does."""
    pile_with: dict[str, Pile] = {}
    for identity, chain in traits.items():
        if chain[-1].kind in PILES and (found := pile_of(identity, view(chain[-1]))):
            pile_with.update(dict.fromkeys(found[1], found[0]))
    return tuple(
        [
            read_piece(i, chain, roster.owner_name, pile_with.get(i), reveal=reveal, known=known)
            for i, chain in traits.items()
        ]
    )


def _properties(start: list[lv.Leaf], strike: Callable[[str], str]) -> tuple[Property, ...]:
    found: dict[tuple[str, str], str] = {}
    for leaf in start:
        if isinstance(leaf, lv.GlobalProperty):
            found[leaf.container or "Module", leaf.name] = leaf.value
        elif isinstance(leaf, lv.MutableProperty):
            found[leaf.container or "Module", leaf.name] = leaf.new
    return tuple([Property(name, strike(value), container) for (container, name), value in found.items()])


def _notes(start: list[lv.Leaf], roster: Roster) -> Iterator[Note]:
    shared: dict[bool, str] = {}
    for leaf in start:
        match leaf:
            case lv.SharedNotes():
                shared[leaf.public] = leaf.text
            case lv.PrivateNotes():
                yield Note("private", None, owner=roster.name_of(leaf.owner))
            case lv.SecretNote():
                text = None if leaf.hidden else leaf.text
                yield Note("secret", text, leaf.name, roster.name_of(leaf.owner))
            case _:
                pass
    for public, text in shared.items():
        if text:
            yield Note("public" if public else "scenario", text)
