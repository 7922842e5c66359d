"""Plays a log forward: the pieces and trackers after every step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.frozen import frozen, replace
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import Trait, pair_traits, split_chain
from referee.formats.vassal.formatted import is_formatted
from referee.formats.vassal.game import Property, Save, StepForward
from referee.formats.vassal.open_pile import OpenPile, place_of, placed
from referee.formats.vassal.pieces import PILES, Piece, Pile, Place, moved_piece, read_piece, rewritten_piece
from referee.formats.vassal.sequence import decode
from referee.formats.vassal.traits import View, view
from referee.formats.vassal.turns import TrackerReader, TurnState
from referee.formats.vassal.unreadable_steps import UnreadCommand

if TYPE_CHECKING:
    from referee.formats.vassal.module import Module


@frozen
class StepPlayed:
    """The game after a step; `changed` are the ids of pieces the step touched."""

    step: StepForward
    pieces: Mapping[str, Piece]
    turns: Mapping[str, TurnState]
    properties: Mapping[tuple[str, str], str]
    boards: Mapping[str, lv.Boards]
    changed: tuple[str, ...]


def replay(save: Save, module: Module | None = None, *, reveal: bool = False) -> Iterator[StepPlayed]:
    """One moment a step, in order; steps that undo are played like any other."""
    board = Board(save, module, reveal=reveal)
    for step in save.steps:
        changed = board.play(step)
        states = dict(board.pieces), dict(board.turns), dict(board.properties), dict(board.boards)
        yield StepPlayed(step, *states, changed)


def state_at(save: Save, n: int, module: Module | None = None) -> Save:
    """The game after step `n` of a log, as a save; 0 is its start. Raises BadInput for a step it lacks.

    Chat is what was said up to then; steps are those still to come.
    """
    if not 0 <= n <= len(save.steps):
        raise BadInput(f"has no step {n}", file=save.file, hint=f"it has steps 0 to {len(save.steps)}")
    board = Board(save, module)
    for step in save.steps[:n]:
        board.play(step)
    later = sum(isinstance(leaf, lv.Chat) for step in save.steps[n:] for leaf in step.commands)
    return replace(
        save,
        pieces=tuple(board.pieces.values()),
        boards=tuple(board.boards.values()),
        properties=tuple([Property(key[1], value, key[0]) for key, value in board.properties.items()]),
        turns=tuple(board.turns.values()),
        turn_leaves=tuple(board.turn_leaves.values()),
        chat=save.chat[: len(save.chat) - later],
        steps=save.steps[n:],
        _chains=dict(board._chains),
    )


class Board:
    """The game as it stands: plays steps one by one. Its mappings change as it plays.

    `replaced` are the pieces the last step touched, as they were before it. `altered` says whether it changed more
    of any than its place, and `clocked` whether it set a tracker. `odd` says whether it has commands that may not be
    as VASSAL writes them. `unread` is what of the step could not be played. Without `stacks` no view is made of stacks, which come and go with every drag, and
    what touches one of them alone is not known. On a `live` board of a room, where the others' clients make stacks
    that nobody is sent, a piece that was moved into one is not put elsewhere by its own state.
    """

    def __init__(
        self,
        save: Save,
        module: Module | None = None,
        *,
        reveal: bool = False,
        stacks: bool = True,
        live: bool = False,
    ) -> None:
        self._save, self._module, self._reveal, self._stacks = save, module, reveal, stacks
        self._chains: dict[str, tuple[Trait, ...]] = dict(save._chains)
        self._trackers: dict[str, TrackerReader] = {}
        self.pieces = {piece.id: piece for piece in save.pieces}
        self._stack_of = {i: piece.stack for i, piece in self.pieces.items() if piece.stack}
        self._piles: dict[str, OpenPile] = {}
        self._decks: set[str] = set()
        self._live = live
        self._stacked_unseen: set[str] = set()
        # The pieces whose labels show what may change without them.
        self._formatted: set[str] = set()
        for identity, chain in self._chains.items():
            self._pile_up(identity)
            self._see_labels(identity, chain)
        self.turns = {state.tracker: state for leaf in save.turn_leaves if (state := self._turn(leaf))}
        self.properties = {(item.container, item.name): item.value for item in save.properties}
        self.boards = {boards.map: boards for boards in save.boards}
        self.turn_leaves = {leaf.tracker: leaf for leaf in save.turn_leaves}
        self.replaced: dict[str, Piece] = {}
        self.altered = self.clocked = self.odd = False
        self.unread: list[UnreadCommand] = []
        # The pieces the step touches: true where more than place and stack may have changed.
        self._stale: dict[str, bool] = {}
        self._moved: dict[str, Place] = {}
        self._viewed: dict[str, tuple[tuple[Trait, ...], list[View | None]]] = {}

    def play(self, step: StepForward) -> tuple[str, ...]:
        """Plays a step; gives the ids of the pieces it touched."""
        self.unread, self.replaced = [], {}
        self.altered = self.clocked = self.odd = False
        for leaf in step.commands:
            if handler := _HANDLERS.get(type(leaf)):
                handler(self, leaf)
        if not self._stale:
            return ()
        stale, self._stale = self._stale, {}
        for identity, whole in stale.items():
            before = self.pieces.pop(identity, None)
            if before:
                self.replaced[identity] = before
            if whole or not before:
                self.altered = True
            if identity in self._chains and (self._stacks or identity not in self._piles):
                self.pieces[identity] = self._view(identity, before, whole=whole)
        self._moved = {}
        return tuple(stale)

    @property
    def chains(self) -> dict[str, tuple[Trait, ...]]:
        """The traits of all pieces, stacks and decks as they are now, by the ids they have now."""
        piles = self._piles
        return {i: piles[i].onto(chain) if i in piles else chain for i, chain in self._chains.items()}

    def forget_readings(self) -> None:
        """Lets go of what was read of trackers, which in a game that goes on for days is never asked for again."""
        self._trackers.clear()

    def lying_in(self, identity: str) -> tuple[str, ...]:
        """The pieces a command of an id is about: itself, or those that lie in the stack; none where there is
        no such piece."""
        return tuple(self._members(identity)) or ((identity,) if identity in self._chains else ())

    def let_go(self, identity: str, state: str) -> None:
        """Takes a piece out of its stack where a state of it, which tells the pixel it lies at, shows that it left."""
        around, count = self._around(identity), len(self._chains.get(identity, ()))
        if around and place_of(decode(split_chain(state, count)[-1], ";")[:3])[1:] != around.place[1:]:
            self._lie(identity, self._piles[around.id].tokens, around.place)
            self._leave_stack(identity)

    def fits(self, identity: str, state: str) -> bool:
        """Does a state say something of every trait of a piece?"""
        many = len(self._chains.get(identity, ()))
        return many == 1 or (many > 1 and len(split_chain(state, many)) >= many)

    def _wonder(self, leaf: lv.Unknown | lv.Undo) -> None:
        self.odd = True

    def _tell(self, leaf: lv.Turn) -> None:
        self.clocked = True
        self.turn_leaves[leaf.tracker] = leaf
        reader = self._trackers.get(leaf.tracker)
        if state := reader.read(leaf.state) if reader else self._turn(leaf):
            self.turns[leaf.tracker] = state
        elif leaf.tracker in self.turns:
            self.unread.append(UnreadCommand("a turn tracker set to what it cannot show", "clock"))

    def _set(self, leaf: lv.MutableProperty) -> None:
        self.properties[leaf.container or "Module", leaf.name] = leaf.new
        self._stale.update(dict.fromkeys(self._formatted, True))

    def _see_labels(self, identity: str, chain: tuple[Trait, ...], before: tuple[Trait, ...] = ()) -> None:
        """Takes note whether a piece's labels may change without it; those that are as `before` are known."""
        labels = [trait for trait in chain if trait.kind == "label"]
        if before and labels == [trait for trait in before if trait.kind == "label"]:
            return
        if not labels:
            self._formatted.discard(identity)
            return
        views = [view(trait) for trait in labels]
        (self._formatted.add if is_formatted(views) else self._formatted.discard)(identity)

    def _lay(self, leaf: lv.Boards) -> None:
        self.boards[leaf.map] = leaf

    def _view(self, identity: str, before: Piece | None, *, whole: bool) -> Piece:
        """A piece as it is now; one that only moved, or of which only tables, facing and place changed, is made from
        what it was `before`."""
        if pile := self._piles.get(identity):
            self._chains[identity] = pile.onto(self._chains[identity])
        chain, around = self._chains[identity], self._around(identity)
        plain = chain[-1].kind == "piece" and identity not in self._formatted
        if before and before.kind == "piece" and plain:
            if not whole:
                return moved_piece(before, chain[-1], around, self._moved.get(identity))
            if rewritten := rewritten_piece(before, chain, around):
                return rewritten
        views = self._views(identity, chain)
        roster = self._save.roster
        return read_piece(
            identity,
            chain,
            roster.owner_name,
            around,
            reveal=self._reveal,
            views=views,
            known=self.properties,
        )

    def _around(self, identity: str) -> Pile | None:
        """The stack or deck a piece lies in, as it lies now."""
        stack = self._stack_of.get(identity)
        pile = self._piles.get(stack) if stack else None
        return Pile(stack, pile.place, pile.deck) if stack and pile else None

    def _views(self, identity: str, chain: tuple[Trait, ...]) -> list[View | None]:
        """What the traits of a piece say; those that are as they were when it was last viewed are not read."""
        before, known = self._viewed.get(identity, ((), []))
        if len(before) == len(chain):
            rows = zip(chain, before, known, strict=True)
            views = [seen if trait is old else view(trait) for trait, old, seen in rows]
        else:
            views = [view(trait) for trait in chain]
        if len(chain) > 1:
            self._viewed[identity] = chain, views
        return views

    def _turn(self, leaf: lv.Turn) -> TurnState | None:
        reader = self._trackers.get(leaf.tracker)
        if reader is None:
            definition = self._module.tracker(leaf.tracker) if self._module else None
            reader = self._trackers[leaf.tracker] = TrackerReader(leaf.tracker, definition)
        return reader.read(leaf.state)

    def _add(self, leaf: lv.AddPiece) -> None:
        identity = leaf.id
        chain = self._chains[identity] = pair_traits(leaf.type, leaf.state)
        self._see_labels(identity, chain)
        pile = self._pile_up(identity)
        if pile is None:
            self._stale[identity] = True
            return
        self._stir(identity)
        self._gather(identity, pile)

    def _gather(self, identity: str, pile: OpenPile) -> None:
        """Takes note of what lies in a pile; none of it lies in another any more."""
        self._stacked_unseen.difference_update(pile.members)
        for member in pile.members:
            if self._stack_of.get(member) != identity:
                self._leave_stack(member)
                self._stack_of[member] = identity
            self._stale.setdefault(member, False)

    def _remove(self, leaf: lv.RemovePiece) -> None:
        identity = leaf.id
        pile = self._piles.pop(identity, None)
        for member in pile.members if pile else ():
            # It stays where its pile lay.
            self._lie(member, pile.tokens, pile.place)  # type: ignore[union-attr]
            self._stack_of.pop(member, None)
        self._leave_stack(identity)
        self._chains.pop(identity, None)
        self._formatted.discard(identity)
        self._decks.discard(identity)
        self._stacked_unseen.discard(identity)
        self._stale[identity] = True

    def _change(self, leaf: lv.ChangePiece) -> None:
        identity, state = leaf.id, leaf.state
        old = self._chains.get(identity)
        if old is None:
            self.unread.append(UnreadCommand("a change of a piece that is not there", "change", identity))
            return
        states = split_chain(state, len(old)) if len(old) > 1 else [state]
        if len(states) < len(old):
            what = "a change of a piece that leaves out what its traits say"
            self.unread.append(UnreadCommand(what, "change", identity))
            return
        chain = self._chains[identity] = tuple(
            [
                trait if trait.state == new else Trait(trait.kind, trait.type, new)
                for trait, new in zip(old, states, strict=True)
            ]
        )
        self._see_labels(identity, chain, old)
        if pile := self._pile_up(identity):
            self._gather(identity, pile)
        else:
            self._stay(identity, old[-1])
        self._stale[identity] = True

    def _stay(self, identity: str, before: Trait) -> None:
        """Puts a changed piece where its new state says. One with another map takes it out of its stack. One without
        a map is of a piece in a stack: where that is not in the log, the piece stays on its map."""
        chain, around = self._chains[identity], self._around(identity)
        if before.kind != "piece" or before.state == chain[-1].state:
            return
        now, was = (decode(core.state, ";")[:3] for core in (chain[-1], before))
        if around and now[0] not in ("null", around.place[0]):
            self._leave_stack(identity)
        elif around is None and (now[0] == "null" or identity in self._stacked_unseen):
            there = was if identity in self._stacked_unseen else [was[0], *now[1:]]
            state = placed(chain[-1].state, there)
            self._chains[identity] = (*chain[:-1], replace(chain[-1], state=state))

    def _move(self, leaf: lv.MovePiece) -> None:
        identity = leaf.id
        if identity not in self._chains:
            self.unread.append(UnreadCommand("a move of a piece that is not there", "move", identity))
            return
        tokens = [leaf.map, str(leaf.x), str(leaf.y)]
        place = place_of(tokens)
        stacked = identity in self._stack_of or identity in self._stacked_unseen
        for moved in (identity, *self._members(identity)):
            self._lie(moved, tokens, place)
        if identity in self._piles:
            return
        self._leave_stack(identity)
        under = self._stack_of.get(leaf.under, leaf.under)
        piles = [i for i in (under, *self._decks) if i in self._piles and self._piles[i].place == place]
        if piles:
            self._piles[piles[0]].take(identity)
            self._stir(piles[0])
            self._stack_of[identity] = piles[0]
        if self._live:
            self._stack_unseen(identity, leaf.under, alone=stacked or bool(piles))

    def _stack_unseen(self, identity: str, under: str, *, alone: bool) -> None:
        """A client lays a moved piece that lay in no stack into a new one, and beneath it the piece it was laid on; one
        from a stack lies alone."""
        if alone:
            self._stacked_unseen.discard(identity)
        else:
            self._stacked_unseen.add(identity)
        if under in self._chains and under not in self._piles and under not in self._stack_of:
            self._stacked_unseen.update((identity, under))

    def _lie(self, identity: str, tokens: list[str], place: Place) -> None:
        """A piece or a pile lies elsewhere now: on a map, at a pixel."""
        chain = self._chains.get(identity)
        if chain is None:
            return
        if pile := self._piles.get(identity):
            pile.lie(tokens, place)
        else:
            core = chain[-1]
            state = placed(core.state, tokens)
            self._chains[identity] = (*chain[:-1], Trait(core.kind, core.type, state))
            self._moved[identity] = place
        self._stale.setdefault(identity, False)

    def _leave_stack(self, identity: str) -> None:
        stack = self._stack_of.pop(identity, None)
        if stack in self._piles:
            self._piles[stack].lose(identity)
            self._stir(stack)

    def _members(self, identity: str) -> list[str]:
        pile = self._piles.get(identity)
        return pile.members if pile else []

    def _pile_up(self, identity: str) -> OpenPile | None:
        """Takes note of which pieces lie in a stack or deck; None for what is neither."""
        core = self._chains[identity][-1]
        if core.kind not in PILES:
            self._piles.pop(identity, None)
            return None
        pile = self._piles[identity] = OpenPile(core)
        if pile.deck is not None:
            self._decks.add(identity)
        return pile

    def _stir(self, stack: str) -> None:
        """A stack has changed, which is nothing to a board without views of stacks."""
        if self._stacks or stack in self.pieces:
            self._stale[stack] = True


_HANDLERS: Mapping[type, Callable[[Board, Any], None]] = {
    lv.AddPiece: Board._add,
    lv.RemovePiece: Board._remove,
    lv.ChangePiece: Board._change,
    lv.MovePiece: Board._move,
    lv.Turn: Board._tell,
    lv.MutableProperty: Board._set,
    lv.Boards: Board._lay,
    lv.Unknown: Board._wonder,
    lv.Undo: Board._wonder,
}
"""What changes the game, or may; chat, sounds and the like do not."""
