"""Dice asked for by name in a record: a volley on a ship, a try for lock-on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.core.errors import AnswerAwaited, BadInput
from referee.core.game import is_unexplained
from referee.play.telling import telling

if TYPE_CHECKING:
    from referee.adjudicator.ordering import Ordering
    from referee.core.finding import Finding
    from referee.core.game import DueVolley, GameState, ShipInGame
    from referee.core.orders import Hit
    from referee.core.volley import VolleyOrder
    from referee.play.game_file import Game, NewEntry

DEFAULT_POLICY = "protect-weapons"
"""By which boxes are picked where their owner has said nothing."""


def awaits(game: Game) -> bool:
    """Does the open roll wait for a key, for dice thrown by hand, or for whoever keeps the seed? Never one that
    needs no faces."""
    from referee.play.dice import needs_no_faces

    if needs_no_faces(game):
        return False
    roll = game.dice.open_roll
    by_hand = game.state.dice_mode == "physical" if roll is None else roll.source == "physical"
    return by_hand or bool(game.dice.waiting_for()) or seed_is_elsewhere(game)


def seed_is_elsewhere(game: Game) -> bool:
    """Does somebody else keep the seed that the game's dice come from?"""
    from referee.play.dice import secret_seed

    return game.state.dice_mode in ("umpire", "solo") and secret_seed(game) is None


def waited_for(game: Game) -> str:
    """Whom, or what, the open roll waits for."""
    if keys := ", ".join(game.dice.waiting_for()):
        return keys
    roll = game.dice.open_roll
    if roll is not None and roll.source != "physical" and seed_is_elsewhere(game):
        return f"{game.state.umpire or 'whoever keeps the seed'}, to throw the dice (dice throw)"
    return "the dice, by hand (dice enter)"


def thrown_later(game: Game, by_hand: bool) -> str:
    """Why dice declared now are not thrown at once, or an empty text."""
    if by_hand or game.state.dice_mode == "physical":
        return "are thrown by hand"
    if game.state.dice_mode == "peer":
        return "wait for the key of every player"
    if waits := game.dice.waiting_for():
        return f"wait until {' and '.join(waits)} has joined"
    return "are thrown by whoever keeps their seed" if seed_is_elsewhere(game) else ""


def volley_called(
    game: Game,
    struck: ShipInGame,
    order: VolleyOrder,
    me: str,
    found: Sequence[Finding],
    choose: str = "",
    picks: Mapping[int, str] | None = None,
    before: int = 0,
    onward: str = "",
) -> list[NewEntry]:
    """The entries that declare a volley a player calls for: its order, its roll, and the fouls of what was
    found; `before` entries come ahead of them, and `onward` is the step the game has yet to go on to for them. One that is due is the one that is due, said by a player.
    Raises BadInput where another has to be marked first."""
    from referee.adjudicator.record_forms import reinforced, volley_due
    from referee.adjudicator.record_volley import volley_entry
    from referee.play.dice import declaration
    from referee.play.game_file import foul_entries

    due = _settled(game, struck, order, onward)
    if due is None:
        order = reinforced(game.rulebook, game.state, struck.name, order)
    elif (known := volley_due(game.rulebook, game.state, due)) is not None:
        order = known
    else:
        raise BadInput(
            f"what the form of {struck.name} pays for shields is still sealed",
            hint="reveal the lines that game status names",
        )
    choose = "file" if picks else choose or game.state.choices.get(struck.name, DEFAULT_POLICY)
    ordered = volley_entry(struck.name, me, order, choose, dict(picks or {}))
    if due is not None:
        ordered[1]["volley"]["of"] = [due.seq, due.n]
    purpose = f"volley of entry {len(game.entries) + before}"
    return [ordered, declaration(game, me, [], purpose, ship=struck.name), *foul_entries(found, me)]


def _settled(game: Game, struck: ShipInGame, order: VolleyOrder, onward: str = "") -> DueVolley | None:
    """The volley due that a player says; None where nothing is due on the ship. Raises BadInput where something
    else strikes it: what a player says is then either that, or comes after it."""
    from referee.adjudicator.volleys_due import volleys_to_roll

    state, hint = game.state, "referee game resolve carries that out; a `hit` says only what comes besides"
    hint = f"referee game next RECORD --to {onward}, then {hint}" if onward else hint
    stated = struck.name, order.points, order.shield
    for due in volleys_to_roll(game.rulebook, state):
        if not order.internal and (due.ship, due.points, due.shield) == stated:
            return due
    for due in state.volleys_due:
        if due.ship == struck.name:
            raise BadInput(
                f"{due.ship} is struck for {due.points} on {due.shield}: that comes first", hint=hint
            )
    for fire in state.unrolled:
        if fire.target == struck.name:
            raise BadInput(f"the dice of {fire.ship}'s fire at {struck.name} come first", hint=hint)
    return None


def _marked(game: Game, ordering: Ordering, order: Hit) -> int | None:
    """The entry that marked, in this impulse, just what a `hit` says: of a strike or of fire in the record."""
    now = ordering.table.moment[:2]
    stated = game.state.ship(order.ship).name, order.points, order.shield
    for entry in reversed(game.entries):
        if entry.type == "step" and (entry.data["turn"], entry.data.get("impulse")) != now:
            return None
        volley = entry.data.get("volley", {}) if entry.type == "order" else {}
        of_record = "of" in volley and entry.seq not in game.state.undone
        if of_record and (volley["ship"], volley["points"], volley.get("shield")) == stated:
            return entry.seq
    return None


def strike(game: Game, ordering: Ordering, order: Hit, player: str) -> None:
    """Puts `SHIP: hit N on S` behind what was ordered: the volley `referee volley --game` would declare.
    Raises BadInput where the ship or the direction is none."""
    from referee.adjudicator.volley import volley_order
    from referee.play.game_file import in_step, player_in

    struck = ordering.table.state.ship(order.ship)
    me = player_in(game, player or struck.player)
    ordering.reach("damage")
    now = replace(game, state=ordering.table.state)
    where = ((None, _from(order, now.state)),) if order.direction else ()
    volley = volley_order(order.points, shield=order.shield, directions=where)
    if (marked := _marked(game, ordering, order)) is not None:
        raise BadInput(
            f"{order.points} on {order.shield} of {struck.name} struck and was marked in this impulse (entry {marked})",
            hint=f"leave it out; if it struck again: referee volley {struck.name} --game RECORD",
        )
    found = [replace(finding, location=order.location) for finding in in_step(now, "damage", struck.name)]
    ordering.findings += found
    turn, impulse, step = ordering.table.moment
    is_there = (game.state.turn, game.state.impulse, game.state.step) == (turn, impulse, step)
    onward = "" if is_there else f"{turn}.{impulse}.{step.replace(' ', '-')}"
    called = volley_called(now, struck, volley, me, found, before=len(ordering.new), onward=onward)
    kept = now.state.keeps_play
    if any(is_unexplained(now.state, data, kept=kept) for _, data in called):
        telling().line(
            f"no fire in the record explains the {order.points} on {struck.name}: check leaves it undecided"
        )
    ordering.new += called


def _from(order: Hit, state: GameState) -> str:
    """The direction damage comes from, that of a hex as seen from where the ship stands."""
    if not order.direction.isdecimal():
        return order.direction
    unit = state.ship(order.ship).unit
    if unit.hex is None:
        raise BadInput(f"{order.ship} is nowhere on the map", hint="say the direction: from LF, or row:B")
    return f"{order.direction}>{unit.hex}{unit.facing}"


def try_lock(game: Game, ordering: Ordering, ship: str, targets: Sequence[str], player: str) -> None:
    """Puts a ship's tries for lock-on behind what was ordered, in the step for them (D6.11). Raises BadInput."""
    from referee.core.game import LOCK_ON
    from referee.play.dice import declaration
    from referee.play.game_file import owner_in

    rulebook, state = game.rulebook, ordering.table.state
    firer = state.ship(ship)
    named = [state.ship(target).name for target in targets]
    me = owner_in(game, player, firer, umpire=True)
    sides = rulebook.lock_on_sides
    dice = [{"for": name, "count": 1, "sides": sides} for name in named]
    moments = rulebook.offers.moments(rulebook, state.turn)
    steps = rulebook.descriptor["sequence_of_play"]["steps_of"]["lock-on"]
    now_at = (state.turn, state.impulse, state.step)
    later = moments[moments.index(now_at) + 1 :] if now_at in moments else []
    if state.step not in steps and (found := [moment for moment in later if moment[2] in steps]):
        ordering.step_to(found[0])
    now = replace(game, state=ordering.table.state)
    kind, data = declaration(now, me, dice, LOCK_ON, ship=firer.name, targets=named)
    ordering.add(kind, data)


def asked_now(game: Game) -> AnswerAwaited | None:
    """What a ship's owner is asked in the middle of an act whose dice have fallen so far, if anything."""
    from referee.play.dice import die_after, throw, volley_of
    from referee.play.typed_faces import kept_faces

    roll = game.dice.open_roll
    if roll is None or game.dice.waiting_for() or seed_is_elsewhere(game):
        return None
    if game.state.own is None and (volley_of(game, roll) or {}).get("choose") != "ask":
        return None
    try:
        if roll.source == "physical":
            die_after(game, roll, kept_faces(game, roll))
        else:
            throw(game)
    except AnswerAwaited as asked:
        return asked
    except BadInput:
        return None
    return None
