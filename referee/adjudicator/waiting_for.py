"""What a game waits for, and from whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from referee.adjudicator.standing import has_forms, is_over
from referee.adjudicator.volleys_due import volleys_to_roll
from referee.core.finding import Finding, Severity
from referee.core.game import GameState, ShipInGame
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_ship

Wait = tuple[str, str]
TO_JOIN = "to join (game join)"
"""What a player has to do before his part of the dice is there."""
TO_BE_SEALED, TO_BE_ROLLED = " to be sealed", " to be rolled (game resolve)"
OWED = "none of "
"""How the finding begins, in what was found, that forms of a turn are not in."""
FORM_OF, SPEED_OF = "energy form of ", "the speed of "
REVEAL_OF = "reveal of "
"""What a wait for a form, for a speed and for what is sealed begins with; the ship stands behind it."""


def awaited(
    state: GameState,
    rulebook: Rulebook,
    dice_due: Iterable[str],
    sealed: Iterable[tuple[str, str]] = (),
    *,
    faceless: bool = False,
    dice: str = "",
) -> list[Wait]:
    """Player and what is due from him: seats and dice, forms and seals, reveals; in that order. `sealed` is the
    fire that was sealed and shown and is not yet declared: of which ship, and what. The open roll may be one that
    needs no dice (`faceless`): it waits for nobody's key or hand; or `dice` says which are typed in."""
    allocation = rulebook.descriptor["sequence_of_play"].get("steps_of", {}).get("energy allocation", ())
    forms = _forms(state) if state.step in allocation else ()
    acting = any(roll.volley is not None for roll in state.open_rolls) or state.unapplied is not None
    own = state.own.awaited() if state.own is not None and not acting else ()
    ties = dict(_ties(state, rulebook))
    return [
        *_dice(state, [] if faceless else list(dice_due), faceless, dice),
        *(
            (state.ships[ship].player, f"{ship}'s sealed fire to be declared: {shots} (game say)")
            for ship, shots in sealed
        ),
        *_due(state, rulebook),
        *forms,
        *_speeds(state, rulebook),
        *own,
        *ties.values(),
        *_unsealed(state, frozenset(ties)),
        *_reveals(state),
    ]


def _due(state: GameState, rulebook: Rulebook) -> Iterator[Wait]:
    """Fire whose dice are not declared, and volleys not yet rolled."""
    if state.open_rolls or state.unapplied is not None:
        return
    for ship, target in dict.fromkeys((order.ship, order.target) for order in state.unrolled):
        wait = f"{ship}'s fire at {target}{TO_BE_ROLLED}, when all have fired"
        yield state.ships[ship].player, wait
    ready = volleys_to_roll(rulebook, state)
    for due in state.volleys_due:
        from referee.adjudicator.record_forms import lines_awaited

        struck = state.ships[due.ship]
        what = f"{due.points} on #{due.shield} of {struck.name}"
        if lines := lines_awaited(rulebook, state, due.ship, due.shield):
            named = " and ".join(filter(None, (", ".join(lines[:-1]), lines[-1])))
            wait = f"line{'s' * (len(lines) > 1)} {named} of {struck.name}'s form"
            yield struck.player, f"{wait}, for the volley of {what} (reveal)"
        elif due not in ready:
            yield struck.player, f"the volley of {what} to be rolled with the fire of the impulse"
        else:
            yield struck.player, f"the volley of {what} to be rolled (game resolve)"


def _dice(state: GameState, due: list[str], faceless: bool, dice: str) -> Iterator[Wait]:
    rolls = state.open_rolls
    for player in due:
        yield player, f"key for roll {rolls[-1].number} (dice key --as {player})" if rolls else TO_JOIN
    if rolls and not due:
        by_hand = state.dice_mode == "physical" or bool(dice)
        how = "typed in (dice enter)" if by_hand else "thrown (dice throw)"
        how = "carried out: it needs no dice (game resolve)" if faceless else how
        # Only who keeps the seed can throw umpire's dice; where none are needed anybody carries it out.
        who = state.umpire if state.dice_mode == "umpire" and not (faceless or by_hand) else rolls[-1].who
        what = f"{'dice' if by_hand and not faceless else 'roll'} {rolls[-1].number}"
        yield who, f"{what} to be {how}" + (f": {dice}" if dice else "")
    if state.unapplied is not None:
        roll = state.rolls[state.unapplied]
        yield roll.who, f"what roll {roll.number} does to be marked (dice throw)"
    for roll in state.rolls.values():
        if roll.typed_by and roll.status == "rolled" and not roll.confirmed:
            others = [name for name in (*state.players, state.umpire) if name not in (roll.typed_by, "")]
            yield " or ".join(others), f"the typed dice {roll.number} to be confirmed (dice confirm)"


def filers(state: GameState) -> list[ShipInGame]:
    """The ships that fill in energy forms; robots fill in none (ROBOT-1). None once the game is over, nor where
    its scenario is played without forms."""
    ships = [
        ship
        for ship in state.ships.values()
        if not ship.robot and not ship.state.dead and not state.has_left(ship)
    ]
    return [] if ships and (is_over(state) or not has_forms(state)) else ships


def unfiled(state: GameState, among: Iterable[ShipInGame] | None = None) -> list[Wait]:
    """Player and ship of every form of the turn that is neither sealed nor filed; `among` are the game's filers,
    where they are known."""
    return [
        (ship.player, ship.name)
        for ship in (filers(state) if among is None else among)
        if state.turn not in ship.forms and state.sealed(ship.name, state.turn, "eaf") is None
    ]


def not_agreed(
    state: GameState, act: Mapping[str, Any], found: Iterable[Finding], steps_in_order: str
) -> tuple[str, ...]:
    """The players past whom somebody goes on who have not agreed to it: with what is another's to do, as was `found`,
    of which forms owed are named by the rule on `steps_in_order`. The umpire agrees for all."""
    author, agreed = str(act.get("player", "")), act.get("agreed_by", [])
    if state.umpire and state.umpire in (author, *agreed):
        return ()
    passed: set[str] = set()
    for finding in found:
        if finding.severity is not Severity.ERROR:
            continue
        if finding.subject in state.ships:
            passed.add(state.ships[finding.subject].player)
        elif finding.key == steps_in_order and finding.found.startswith(OWED):
            passed.update(player for player, _ in unfiled(state))
        else:
            passed.update(state.players)
    return tuple(sorted(passed - {author, *agreed}))


def files_forms(state: GameState) -> bool:
    """Has a form been filed or sealed in the game?"""
    return any(ship.forms for ship in state.ships.values()) or any(seal.kind == "eaf" for seal in state.seals)


def _forms(state: GameState) -> Iterator[Wait]:
    for player, ship in unfiled(state):
        yield (
            player,
            f"{FORM_OF}{ship} for turn {state.turn} (referee game apply FORM.csv, or seal it: referee seal FORM.csv)",
        )


def unsaid(state: GameState) -> list[ShipInGame]:
    """The ships on the map whose form of the turn is sealed or filed, so that it pays for a speed, and whose
    speed was not said; robots, which fill in none, where another ship has its form in or its speed said."""
    known = any(state.turn in ship.speeds or _has_form(state, ship) for ship in state.ships.values())
    return [
        ship
        for ship in state.ships.values()
        if not ship.state.dead
        and ship.unit.hex is not None
        and not state.has_left(ship)
        and state.turn not in ship.speeds
        and (_has_form(state, ship) or (ship.robot and known))
    ]


def _has_form(state: GameState, ship: ShipInGame) -> bool:
    """Is a ship's form of the turn filed or sealed?"""
    return state.turn in ship.forms or state.sealed(ship.name, state.turn, "eaf") is not None


def _speeds(state: GameState, rulebook: Rulebook) -> Iterator[Wait]:
    """Speeds that are still to be said, once all forms are in and before the impulses begin."""
    steps = rulebook.descriptor["sequence_of_play"].get("steps_of", {}).get("speed", ())
    if state.step in steps and state.impulse is None and not unfiled(state) and not is_over(state):
        for ship in unsaid(state):
            source = "as its form pays for it" if _has_form(state, ship) else "by its instructions"
            yield (
                ship.player,
                f'{SPEED_OF}{ship.name} for turn {state.turn}, {source} (game say "{ship.name}: speed N")',
            )


def _ties(state: GameState, rulebook: Rulebook) -> Iterator[tuple[str, Wait]]:
    """The ships that move at the same time as another player's and whose move is not sealed (C1.3), with what
    is due. Where nobody has said a speed or moved, the record does not know the movement."""
    steps = rulebook.descriptor["sequence_of_play"].get("steps_of", {}).get("movement", ())
    moves = state.step in steps and any(ship.speeds for ship in state.ships.values())
    if state.impulse is None or not moves or is_over(state):
        return
    from referee.adjudicator.movement_order import tied

    sealed = state.seals.of_turn(state.turn)
    now = [seal for seal in sealed if seal.settles_moves and seal.impulse == state.impulse]
    for group in tied(state, rulebook.offers.movement(rulebook), load_ship):
        for ship in group:
            if ship.name not in {seal.ship for seal in now}:
                others = " and ".join(other.name for other in group if other is not ship)
                wait = f"{ship.name}'s move of impulse {state.impulse}{TO_BE_SEALED}: {others} moves at the same time"
                yield ship.name, (ship.player, wait)


def _unsealed(state: GameState, tied: frozenset[str]) -> Iterator[Wait]:
    """Ships that have not yet sealed what others have for this impulse, while it is still hidden; of moves
    those in `tied` are asked already, and who has moved is not.

    Once one is shown it is too late to seal, and a ship that sealed nothing has nothing to show.
    """
    sealed = state.seals.of_turn(state.turn)
    now = [seal for seal in sealed if seal.kind != "eaf" and seal.impulse == state.impulse]
    moved = {
        name
        for name, ship in state.ships.items()
        if state.impulse is not None and ship.unit.moved_on == state.impulse
    }
    done = {"moves": tied | moved, "fire": state.fire_held | {order.ship for order in state.unrolled}}
    for kind in sorted({seal.kind for seal in now} - {seal.kind for seal in now if seal.shown}):
        have = {seal.ship for seal in now if seal.kind == kind} | done.get(kind, frozenset())
        for ship in state.ships.values():
            if ship.name not in have and not ship.state.dead and not state.has_left(ship):
                yield ship.player, f"{ship.name}'s {kind} of impulse {state.impulse}{TO_BE_SEALED}, if any"


def _reveals(state: GameState) -> Iterator[Wait]:
    """Sealed orders whose time is past: what is never shown stays on the list."""
    for seal in state.in_force:
        later = seal.turn < state.turn or (seal.turn == state.turn and state.step == "end of turn")
        now = seal.impulse is not None and (seal.turn, seal.impulse) == (state.turn, state.impulse)
        passed = seal.impulse is not None and seal.turn == state.turn and seal.impulse < (state.impulse or 0)
        if not seal.revealed and (later or passed):
            when = f"turn {seal.turn}" + (f", impulse {seal.impulse}" if seal.impulse is not None else "")
            what = "form" if seal.kind == "eaf" else seal.kind
            yield seal.player, f"{REVEAL_OF}{seal.ship}'s {what} of {when}"
        elif not seal.revealed and now:
            yield (
                seal.player,
                f"{REVEAL_OF}{seal.ship}'s {seal.kind} of impulse {seal.impulse}, when all have sealed",
            )
