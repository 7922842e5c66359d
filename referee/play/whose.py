"""Whose turn it is at a table, in a line: who moves now and in which order, what is awaited of whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from referee.adjudicator.movement_order import tied, to_move
from referee.adjudicator.waiting_for import FORM_OF, REVEAL_OF, SPEED_OF, TO_BE_ROLLED, TO_BE_SEALED, TO_JOIN
from referee.play.sealing import sealed_for_now
from referee.play.table import awaited_in
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.adjudicator.waiting_for import Wait
    from referee.core.game import GameState
    from referee.core.seals import Seal
    from referee.play.game_file import Game


def movers_in(game: Game) -> list[str]:
    """The ships that are called in this impulse and have not moved, in the order in which they move (C1.3)."""
    return [name for group in move_order(game) for name in group]


def move_order(game: Game) -> list[list[str]]:
    """The ships that have still to move in this impulse, in their order; those that move at one time together."""
    state = game.state
    steps = game.rulebook.descriptor["sequence_of_play"].get("steps_of", {}).get("movement", ())
    if state.own is not None or state.impulse is None or state.step not in steps:
        return []
    movement = game.rulebook.offers.movement(game.rulebook)
    called = to_move(state, movement, load_ship)
    called.sort(key=lambda call: (call[1] is None, call[1] or ()))
    together = [{ship.name for ship in group} for group in tied(state, movement, load_ship)]
    groups: list[list[str]] = []
    for ship, _ in called:
        mine = next((group for group in together if ship.name in group), None)
        if mine is not None and groups and groups[-1][0] in mine:
            groups[-1].append(ship.name)
        else:
            groups.append([ship.name])
    return groups


def mover_in(game: Game, groups: Sequence[Sequence[str]]) -> str:
    """The ship that moves next, of a row of `groups` that move at one time: one whose move is sealed waits for all to be
    opened. Empty where none does."""
    sealed = {seal.ship for seal in sealed_for_now(game.state) if seal.kind == "moves"}
    return next((name for group in groups[:1] for name in group if name not in sealed), "")


def movers_told(game: Game, *, at_a_desk: bool = True) -> str:
    """Who moves now and in which order: `Constellation moves, then War`; empty where nobody does, and away from a desk
    where the record does not know the movement: nobody has said a speed."""
    known = at_a_desk or any(ship.speeds for ship in game.state.ships.values())
    order = move_order(game) if known else []
    if not order:
        return ""
    now, *later = order
    first = f"{_all(now)} move together" if len(now) > 1 else f"{now[0]} moves"
    then = [f"{_all(group)} together" if len(group) > 1 else group[0] for group in later]
    return f"{first}, then {', '.join(then)}" if then else first


def _all(names: Sequence[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def ties_in(game: Game) -> tuple[str, ...]:
    """The ships of different players that move at one time, so that each is sealed (C1.3)."""
    return tuple(name for group in move_order(game) if len(group) > 1 for name in group)


def whose_turn(game: Game, waits: Sequence[Wait] | None = None) -> str:
    """What is awaited of whom, in a line; where nothing is, what comes next. Who moves, and in which order, is always
    said; then who has still to seal, and to join."""
    awaited = awaited_in(game) if waits is None else waits
    movers, ties = movers_told(game), ties_in(game)
    joining = [player for player, what in awaited if what == TO_JOIN]
    sealing = [(player, what) for player, what in awaited if TO_BE_SEALED in what]
    paper = set(on_paper(game))
    forms = [wait for wait in awaited if wait[1].startswith(FORM_OF)]
    owed = [wait for wait in forms if _ship(game, wait[1].removeprefix(FORM_OF)) not in paper]
    speeds = [(player, what) for player, what in awaited if what.startswith(SPEED_OF)]
    sealed = [(player, what) for player, what in awaited if what.startswith(REVEAL_OF)]
    fire = [(player, what) for player, what in awaited if f"{TO_BE_ROLLED}, when" in what]
    grouped = {*sealing, *forms, *speeds, *sealed, *fire}
    phrases = [
        f"{player}: {what}" for player, what in awaited if what != TO_JOIN and (player, what) not in grouped
    ]
    phrases += filter(None, [movers])
    if owed:
        phrases.append(f"energy forms to come: {_of(game, owed, FORM_OF)}")
    elif forms:
        phrases.append("all speeds are said, for forms on paper: go on")
    if not forms and hidden_forms(game.state):
        phrases.append("all forms are in: `o` opens them, and says their speeds")
    elif speeds:
        phrases.append(f"speeds to be said: {_of(game, speeds, SPEED_OF)}")
    must = [(player, what) for player, what in sealing if _ship(game, what) in ties]
    if must:
        phrases.append(f"still to seal (`secret SHIP`): {_of(game, must)}")
    if may := [wait for wait in sealing if wait not in must]:
        phrases.append(f"may still seal: {_of(game, may)}")
    if fire:
        shots = ", ".join(what.partition(TO_BE_ROLLED)[0].replace("'s fire at ", " at ") for _, what in fire)
        phrases.append(f"fire declared: {shots}; `n` goes on to the dice, when all have fired")
    if sealed:
        named = dict.fromkeys(what.removeprefix(REVEAL_OF).partition(" of ")[0] for _, what in sealed)
        now = {
            f"{seal.ship}'s {'form' if seal.kind == 'eaf' else seal.kind}"
            for seal in sealed_for_now(game.state)
        }
        if opens := [name for name in named if name in now]:
            phrases.append(f"sealed, `o` opens: {', '.join(opens)}")
        if past := [name for name in named if name not in now]:
            phrases.append(f"sealed and not opened in time: {', '.join(past)}")
    if not phrases:
        phrases.append(_onward(game))
    if joining:
        phrases.append(f"still to join (`join`): {', '.join(dict.fromkeys(joining))}")
    return "; ".join(phrases)


def _of(game: Game, waits: Sequence[Wait], begins: str = "") -> str:
    """The ships that some waits are about, each with its player: `Constellation (ann), War (bob)`."""
    return ", ".join(f"{_ship(game, what.removeprefix(begins))} ({player})" for player, what in waits)


def _ship(game: Game, what: str) -> str:
    """The ship that what is awaited begins with; of names that begin alike the longest."""
    return max((name for name in game.state.ships if what.startswith(name)), key=len, default="")


def hidden_forms(state: GameState) -> list[Seal]:
    """The forms of the turn that are sealed and not opened, before its impulses."""
    if state.own is not None or state.impulse is not None:
        return []
    return [
        seal
        for seal in state.in_force
        if seal.kind == "eaf" and seal.turn == state.turn and not seal.revealed
    ]


def fire_to_come(game: Game) -> bool:
    """May fire still be declared in this impulse?"""
    return _to_come(game, "fire")


def launch_to_come(game: Game) -> bool:
    """May seekers still be launched in this impulse?"""
    return _to_come(game, "launch")


def _to_come(game: Game, kind: str) -> bool:
    """Is the step of a kind of thing not over yet in this impulse?"""
    state = game.state
    if state.own is not None or state.impulse is None:
        return False
    steps = list(game.rulebook.descriptor["sequence_of_play"]["impulse"])
    its = game.rulebook.descriptor["sequence_of_play"]["steps_of"].get(kind, ())
    return state.step in steps and any(steps.index(step) >= steps.index(state.step) for step in its)


def on_paper(game: Game) -> list[str]:
    """The ships whose speed of the turn was said, in the step of energy allocation: their forms may be kept on paper. None
    once a form of the turn is in: the rules then wait for all."""
    state = game.state
    steps = game.rulebook.descriptor["sequence_of_play"].get("steps_of", {}).get("energy allocation", ())
    if state.own is not None or state.step not in steps or is_form_in(state):
        return []
    return [name for name, ship in state.ships.items() if state.turn in ship.speeds]


def is_form_in(state: GameState) -> bool:
    """Is a form of the turn filed or sealed?"""
    filed = any(state.turn in ship.forms for ship in state.ships.values())
    return filed or any(seal.kind == "eaf" for seal in state.seals.of_turn(state.turn))


def _onward(game: Game) -> str:
    """What comes where nobody is awaited."""
    return "fire may be declared; else go on" if fire_to_come(game) else "nothing is awaited: go on"
