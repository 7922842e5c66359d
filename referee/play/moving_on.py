"""Playing on in a record: the next step, what is due, tries for lock-on, forms filed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.adjudicator.volleys_due import volleys_to_roll
from referee.core.errors import BadInput
from referee.core.naming import folded
from referee.play.append import append, thrown
from referee.play.game_file import flies_in, foul_entries, in_step, owner_in, player_in, refuse
from referee.play.table import standing_table
from referee.play.telling import telling
from referee.rulebooks.base import nearest
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.adjudicator.ordering import Ordering
    from referee.core.forms import EnergyAllocation
    from referee.core.game import DueVolley, ShipInGame
    from referee.play.game_file import Game, NewEntry


def ordering_in(game: Game, player: str, agreed: Sequence[str] = ()) -> Ordering:
    """A game ready for orders, given by a player or, where none is named, by the ships' owners; `agreed` are the
    players who agree that it moves on past what is theirs to do."""
    from referee.adjudicator.ordering import Ordering

    def acts(name: str) -> str:
        drone = game.state.drones.get(name)
        if drone is not None:
            return flies_in(game, player, drone)
        return owner_in(game, player, game.state.ship(name), umpire=True)

    return Ordering(standing_table(game), acts, agreed=agreed)


def recorded(game: Game, ordering: Ordering, force: bool, kept: str = "", *, by_hand: bool = False) -> Game:
    """Appends what an ordering made, unless something in it is against the rules and not forced; `kept` tells
    what of the same orders is recorded by then. With `by_hand` its dice are thrown on the table."""
    refuse(ordering.findings, force, kept)
    if ordering.passed_over:
        reason = f"moves on without {' and '.join(ordering.passed_over)}, who still has something to do and has not agreed"
        hint = kept or f"--agreed {','.join(ordering.passed_over)} (game next or say); nothing was recorded"
        if game.state.umpire:
            hint = f"{hint}; or the umpire moves on: --as {game.state.umpire}"
        raise BadInput(reason, file=game.path, hint=hint)
    try:
        ordering.must_be_resolvable()
    except BadInput as error:
        raise error.at(file=game.path) from None
    new = ordering.new
    return append(game.path, lambda _: new, by_hand=by_hand) if new else game


# -- forms -------------------------------------------------------------------------------


def file_form(game: Game, file: str, ship: str, player: str, force: bool) -> Game:
    """Files an energy form openly; its speed is said with it where the ship is on the map."""
    from referee.play.forms import allocation_in

    target, allocation, another = allocation_in(game, file, ship)
    return file_allocation(game, target, allocation, player, force, another)


def file_allocation(
    game: Game, target: ShipInGame, allocation: EnergyAllocation, player: str, force: bool, another: str = ""
) -> Game:
    """Files a turn of a ship's energy form openly, wherever it was read; `another` is the ship that it names."""
    from referee.adjudicator.record_forms import speed_paid
    from referee.play.forms import on_form_shown, refuse_form

    me = owner_in(game, player, target, umpire=True)
    judged = in_step(game, "energy allocation", target.name, allocation.turn)
    form = allocation.fields
    judged += on_form_shown(game, target, allocation.turn, form)
    refuse_form(target, another, judged, force)
    ordering = ordering_in(game, player)
    data: dict[str, Any] = {"ship": target.name, "turn": allocation.turn, "player": me, "form": form}
    if target.unit.hex is not None and allocation.turn not in target.speeds:
        shown = game.ship_class(target)
        filed = replace(target, forms={**target.forms, allocation.turn: form})
        data |= {"speed": speed_paid(game.rulebook, shown, filed, allocation.turn)}
    ordering.add("form", data)
    ordering.fouls(judged, me)
    game = recorded(game, ordering, force)
    telling().line(f"filed: {target.name}, turn {allocation.turn}")
    return game


# -- moving on ---------------------------------------------------------------------------


def next_step(game: Game, to: str, player: str, agreed: Sequence[str], force: bool) -> Game:
    """Moves on in the sequence of play: to the next step, or to one named. Seekers move and strike on the way."""
    if game.state.own is not None:
        return _own_next(game.path, to, player, force, agreed)
    rulebook, state = game.rulebook, game.state
    now_at = (state.turn, state.impulse, state.step)
    moment = _moment(rulebook, to) if to else rulebook.offers.next_moment(rulebook, now_at)
    me = player_in(game, player) if player else ""
    if force and not me:
        me = player_in(game, player)
    ordering = ordering_in(game, player, agreed)
    ordering.step_to(moment, me)
    game = recorded(game, ordering, force)
    telling().orders(ordering.new)
    turn, impulse, step = game.state.turn, game.state.impulse, game.state.step
    at = f"impulse {impulse}, " if impulse is not None else ""
    telling().line(f"turn {turn}, {at}{step}")
    for due in game.state.volleys_due:
        telling().line(f"{due.ship} is struck for {due.points} on #{due.shield}: referee game resolve")
    return game


def _own_next(path: str, to: str, player: str, force: bool, agreed: Sequence[str]) -> Game:
    """The next round or turn, on a rulebook's own table."""
    from referee.play.rulebook_verbs import move_on

    if to:
        raise BadInput(f"--to {to}", hint="leave it out: the next round, or the next turn")
    return move_on(path, player, force, agreed)


def stop_after(game: Game) -> str:
    """The next moment in which something can be done, as `game next --to` names it."""
    rulebook, state = game.rulebook, game.state
    steps = rulebook.descriptor["sequence_of_play"]
    now = state.turn, state.impulse, state.step
    row = [
        moment
        for turn in (state.turn, state.turn + 1)
        for moment in rulebook.offers.moments(rulebook, max(turn, 1))
    ]
    after = row[row.index(now) + 1 :] if now in row else row
    first = steps["impulse"][0]
    skipped = set(steps["steps_of"].get("lock-on", ())) if not _sensors_hit(game) else set()
    skipped |= set(steps["steps_of"].get("speed", ())) - set(steps["steps_of"].get("energy allocation", ()))
    for turn, impulse, step in after:
        if (impulse is None and step not in skipped) or (impulse is not None and step == first):
            return f"{turn}.{'' if impulse is None else f'{impulse}.'}{step.replace(' ', '-')}"
    return ""


def _sensors_hit(game: Game) -> bool:
    """Is a sensor box of a ship in play destroyed, so that lock-on is rolled for?"""
    return any(
        box.startswith("sensor/")
        for ship in game.state.ships.values()
        if not ship.state.dead
        for box in ship.state.destroyed
    )


def _moment(rulebook: Any, to: str) -> Any:
    """A moment as a player names it; a turn alone is its first step. Raises BadInput."""
    turn, _, rest = to.partition(".")
    if not (turn.isascii() and turn.isdecimal() and len(turn) < 4 and int(turn)):
        raise BadInput(f"--to {to}", hint="2, 2.energy-allocation or 1.4.fire")
    moments = rulebook.offers.moments(rulebook, int(turn))
    if not rest:
        return moments[0]
    names = {
        f"{'' if i is None else f'{i}.'}{step.replace(' ', '-')}": (t, i, step) for t, i, step in moments
    }
    match = [moment for name, moment in names.items() if folded(name) == folded(rest)]
    if not match:
        last = max(moment[1] or 0 for moment in moments)
        hint = f"impulses are 1 to {last}" if rest.isdecimal() else nearest(rest, names)
        raise BadInput(f"no step {rest} in turn {turn}", hint=hint)
    return match[0]


# -- dice --------------------------------------------------------------------------------


def carry_out(game: Game, player: str, force: bool, by_hand: bool) -> Game:
    """Carries out what is due: the dice of all fire ordered, then every volley; seekers that strike."""
    if game.state.own is not None:
        from referee.play.rulebook_verbs import roll_again

        return roll_again(game.path, player, by_hand=by_hand)
    done = False
    while (after := _resolve_one(game, player, force, by_hand)) is not None:
        game, done = after, True
        if game.dice.open_roll is not None:
            break
    if not done and not game.state.volleys_due and game.dice.open_roll is None:
        telling().line(f"nothing is due{_strike_to_come(game)}")
    return game


def _strike_to_come(game: Game) -> str:
    """What seekers do later in the impulse, where they are at their targets already."""
    from referee.adjudicator.record_seekers import strike_to_come

    step, names = strike_to_come(game.rulebook, load_ship, game.state)
    if not names:
        return ""
    to = f"{game.state.turn}.{game.state.impulse}.{step.replace(' ', '-')}"
    return f" yet: {', '.join(names)} in the step {step} (game next --to {to})"


def _resolve_one(game: Game, player: str, force: bool, by_hand: bool) -> Game | None:
    """The next thing due, carried out as far as the dice allow; None where there is none."""
    from referee.play.dice import needs_no_faces

    if game.dice.open_roll is not None:
        # An open roll that needs no dice is nobody's to throw.
        return thrown(game.path, head=False) if needs_no_faces(game) else None
    due = next(iter(volleys_to_roll(game.rulebook, game.state)), None)
    if due is not None:
        return _roll_volley(game, due, player, force, by_hand)
    if again := _again(game, player):
        return _declared(game, [again], by_hand)
    ordering = ordering_in(game, player)
    ordering.seekers_act()
    if ordering.new:
        return recorded(game, ordering, force)
    found = ordering.fire_to_roll()
    if found is None:
        return None
    from referee.play.dice import declaration

    purpose, dice = found
    first = ordering.table.state.unrolled[0]
    who = player or game.state.ships[first.ship].player
    game = recorded(game, ordering, force)
    kind, data = declaration(game, who, dice, purpose)
    return _declared(game, [(kind, data)], by_hand)


def _again(game: Game, player: str) -> NewEntry | None:
    """The declaration of a volley whose roll was given up or set aside. Raises BadInput where what it did
    was only taken back: its dice stay until all agree that they do not count."""
    from referee.play.dice import declaration

    number = next(iter(game.state.volleys_open), None)
    if number is None:
        return None
    last = [roll for roll in game.state.rolls.values() if roll.volley == number][-1]
    if last.status not in ("void", "reroll"):
        hint = f"take the undo back, or referee dice reroll {game.path} {last.number}"
        raise BadInput(f"what roll {last.number} did was taken back", file=game.path, hint=hint)
    order = game.entries[number].data
    ship = order["volley"]["ship"]
    who = player if player and game.dice.version > 1 else order["player"]
    return declaration(game, who, [], f"volley of entry {number}", ship=ship)


def _roll_volley(game: Game, due: DueVolley, player: str, force: bool, by_hand: bool) -> Game | None:
    """Orders and declares a volley that is due; None while what shields and reinforcement its ship has is a
    secret of its owner. Raises Refused, unless forced, where the game has moved on past the step for it."""
    from referee.adjudicator.record_forms import volley_due
    from referee.adjudicator.record_volley import entry_of_due
    from referee.play.dice import declaration

    ship = game.state.ships[due.ship]
    order = volley_due(game.rulebook, game.state, due)
    if order is None:
        return None
    late = in_step(game, "damage", ship.name)
    refuse(late, force)
    me = player or ship.player
    kind, data = entry_of_due(game.state, due, order, me)
    declare = declaration(game, me, [], f"volley of entry {len(game.entries)}", ship=ship.name)
    return _declared(game, [(kind, data), declare, *foul_entries(late, me)], by_hand)


def _declared(game: Game, entries: list[tuple[str, dict[str, Any]]], by_hand: bool) -> Game:
    """Declares a roll and, where no key is awaited, throws it."""
    from referee.play.dice_calls import awaits

    game = append(game.path, lambda _: entries, by_hand=by_hand)
    if awaits(game):
        return game
    return thrown(game.path, head=False)


def lock(game: Game, ship: str, targets: Sequence[str], player: str, force: bool, by_hand: bool) -> Game:
    """Rolls for lock-on with a damaged sensor (D6.11): in the step for it, once a turn for each target."""
    from referee.play.dice_calls import awaits, try_lock

    ordering = ordering_in(game, player)
    try_lock(game, ordering, ship, targets, player)
    game = recorded(game, ordering, force, by_hand=by_hand)
    return game if awaits(game) else thrown(game.path)
