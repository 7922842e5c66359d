"""How a ship's boxes are given up where its owner may choose: said once for all volleys to come, or asked (D4.223)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.adjudicator.policies import POLICIES
from referee.core.errors import BadInput, BoxAwaited
from referee.core.naming import folded
from referee.play.append import append, thrown
from referee.play.dice import volley_of
from referee.play.dice_calls import asked_now
from referee.play.game_file import owner_in
from referee.play.telling import telling
from referee.play.typed_dice import entered
from referee.play.typed_faces import forget_faces, keep_pick
from referee.rulebooks.base import nearest

if TYPE_CHECKING:
    from referee.play.game_file import Game

ASK = "ask"


def choose(game: Game, ship: str, policy: str, player: str = "") -> Game:
    """The game with a ship's policy said; `ask` asks for each box as its point is scored. While a box of the ship is
    awaited, it is a box that is said. Raises BadInput."""
    asked = box_asked(game)
    target = game.state.ship(ship)
    if policy not in (*POLICIES, ASK):
        if asked is not None and asked.ship == target.name:
            return pick(game, policy, player) or game
        raise BadInput(f"no policy {policy}", hint=nearest(policy, (*POLICIES, ASK)))
    me = owner_in(game, player, target, umpire=True)
    chosen = {"ship": target.name, "policy": policy}
    data = {"text": [f"{target.name}: choose {policy}"], "player": me, "choose": chosen}
    game = append(game.path, lambda _: [("order", data)])
    choice = "its owner is asked for each box" if policy == ASK else f"boxes by {policy}"
    telling().line(f"{target.name}: {choice}{_from_when(game, target.name, policy)}")
    return game


def _from_when(game: Game, ship: str, policy: str) -> str:
    """A volley whose dice are awaited is rolled as was said before it: whether the policy holds after it only."""
    roll = game.dice.open_roll
    volley = volley_of(game, roll) if roll is not None and game.state.own is None else None
    waits = volley is not None and volley["ship"] == ship and volley["choose"] != policy
    return ", from the next volley on" if waits else ""


def box_asked(game: Game) -> BoxAwaited | None:
    """The box that the open roll waits for."""
    asked = asked_now(game)
    return asked if isinstance(asked, BoxAwaited) else None


def pick(game: Game, box: str, player: str = "") -> Game | None:
    """The game with the box that is awaited chosen, by its number or its name: its dice are thrown on, where they are
    all there. None where more is asked for, which is said. Raises BadInput."""
    asked, roll = box_asked(game), game.dice.open_roll
    if asked is None or roll is None:
        raise BadInput("no box is asked for", file=game.path)
    owner_in(game, player, game.state.ship(asked.ship), umpire=True)
    answer = box.strip()
    named = [each for each in asked.boxes if folded(each) == folded(answer)]
    if answer.isascii() and answer.isdecimal() and 1 <= int(answer) <= len(asked.boxes):
        named = [asked.boxes[int(answer) - 1]]
    if not named:
        raise BadInput(f"{answer[:40]!r} is none of the boxes", hint=asked.hint)
    keep_pick(game, roll, asked.n, named[0])
    telling().line(f"hit {asked.n} costs {named[0]}")
    if roll.source == "physical":
        if box_asked(game) is not None:
            return None
        return entered(game, [], roll.who)
    after = thrown(game.path, head=False)
    if after.dice.open_roll is None:
        forget_faces(game, roll)
        return after
    return None
