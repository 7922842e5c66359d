"""A game on a rulebook's own table, played act by act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from referee.core.dice import seeded_dice
from referee.core.errors import AnswerAwaited, BadInput, IntegrityFailure
from referee.core.order_text import act_text
from referee.play.append import append
from referee.play.dice import declaration, throw
from referee.play.dice_calls import awaits
from referee.play.game_file import foul_entries, open_game, player_in, refuse
from referee.play.self_kept_table import decides_alone, fold_of, takes_turns
from referee.play.telling import telling

if TYPE_CHECKING:
    from referee.core.finding import Finding
    from referee.play.game_file import Game, NewEntry

TRIALS = 24
"""How many throws an act is tried with before its dice are asked for."""


# -- acts --------------------------------------------------------------------------------


class NeedsDice(Exception):
    """Raised when an act on trial comes to its first die."""


class _NoDice:
    source = "none"

    def roll(self, count: int, sides: int) -> int:
        """Raises NeedsDice."""
        raise NeedsDice


def tried(game: Game, who: str, act: Mapping[str, Any]) -> tuple[dict[str, Any] | None, list[Finding]]:
    """An act judged before any die is thrown: what it does, None if dice decide, and what was found."""
    fold, number = fold_of(game), len(game.entries)
    order = SimpleNamespace(seq=number, type="order", data={"player": who, "act": dict(act)}, hash="")
    try:
        table = fold.take(game.state.own, order, game.state.umpire)
    except IntegrityFailure as error:
        raise BadInput(error.reason, file=game.path, hint="nothing was recorded") from None
    found: list[Finding] = []
    before = len(found)
    try:
        return fold.resolve(table, number, _NoDice(), found), found[before:]
    except NeedsDice:
        return None, found[before:]


def parted(
    game: Game, who: str, act: dict[str, Any], *, behind: bool
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """An act up to where dice decide what follows, and what is left of it to be judged when they have fallen;
    `behind` dice of its own also up to where the rules say no, for what came before stands."""
    actions = act["actions"] if act["act"] == "ship" else []
    for count in range(1, len(actions) + 1):
        done, found = tried(game, who, act | {"actions": actions[:count]})
        refused = behind and count > 1 and any(finding.severity.value == "error" for finding in found)
        if refused or (done is None and count < len(actions)):
            cut = count - refused
            return act | {"actions": actions[:cut]}, act | {"actions": actions[cut:]}
    return act, None


def act_entries(game: Game, who: str, act: Mapping[str, Any], force: bool, kept: str = "") -> list[NewEntry]:
    """An act declared: with what it does where no die is needed, else with the roll for it."""
    if getattr(game.state.own, "pending", {}) and act["act"] == "answers":
        _take_answer(game, who, act)
        return [("order", {"text": [act_text(act)], "player": who, "act": dict(act)})]
    done, found = tried(game, who, act)
    refuse(found, force, kept)
    if takes_turns(game, who, act, found):
        others = ",".join(game.state.players)
        hint = f"--agreed {others}; {kept or 'nothing was recorded'}"
        raise BadInput(
            "moves on without another player, who still has something to do and has not agreed",
            file=game.path,
            hint=hint,
        )
    if decided := decides_alone(game, who, act):
        hint = (
            f"agreed_by of the act names all players, or the umpire says it; {kept or 'nothing was recorded'}"
        )
        raise BadInput(
            f"decides for all players, but not all have agreed: {decided}", file=game.path, hint=hint
        )
    number = len(game.entries)
    order: NewEntry = ("order", {"text": [act_text(act)], "player": who, "act": dict(act)})
    if done is None:
        _must_be_carried_out(game, who, act)
        return [order, declaration(game, _thrower(game, who), [], f"act of entry {number}")]
    return [order, ("events", done | {"turn": game.state.turn}), *foul_entries(found, who)]


def _take_answer(game: Game, who: str, act: Mapping[str, Any]) -> None:
    """Raises BadInput for an answer that is not the player's to give."""
    order = SimpleNamespace(
        seq=len(game.entries), type="order", data={"player": who, "act": dict(act)}, hash=""
    )
    try:
        fold_of(game).take(game.state.own, order, game.state.umpire)
    except IntegrityFailure as error:
        raise BadInput(error.reason, file=game.path, hint="nothing was recorded") from None


def _must_be_carried_out(game: Game, who: str, act: Mapping[str, Any]) -> None:
    """Raises BadInput for an act that some dice could not carry out: its roll would stay open for ever."""
    fold, number = fold_of(game), len(game.entries)
    unasked = {**act, "ask": False} if "ask" in act else dict(act)
    order = SimpleNamespace(seq=number, type="order", data={"player": who, "act": unasked}, hash="")
    table = fold.take(game.state.own, order, game.state.umpire)
    for trial in range(TRIALS):
        try:
            fold.resolve(table, number, seeded_dice(f"trial {trial}"), [])
        except BadInput as error:
            hint = "nothing was recorded; a chart or a ship lacks what it needs"
            raise BadInput(error.reason, file=game.path, hint=hint) from None


def _thrower(game: Game, who: str) -> str:
    """Who throws the dice of an act: whoever declares it, but for an umpire whose dice these are not."""
    return who if who in (*game.state.players, game.dice.umpire) else game.state.players[0]


def do_act(
    game: Game,
    who: str,
    act: Mapping[str, Any],
    force: bool,
    side: str = "",
    kept: str = "",
    *,
    by_hand: bool = False,
) -> Game:
    """Records an act and, where no key or hand is awaited, throws its dice and says what happened, as far
    as a side is told. `kept` is what a refusal says was recorded before it."""
    before = len(game.entries)
    entries = act_entries(game, who, act, force, kept)
    game = append(game.path, lambda _: entries, by_hand=by_hand)
    if game.dice.open_roll is not None and not awaits(game):
        # Where a choice is asked for the roll stays open, and the game says who is awaited.
        with suppress(AnswerAwaited):
            game = append(game.path, throw)
    told_since(game, before, side)
    return game


def told_since(game: Game, before: int, side: str = "") -> None:
    """Says what happened in the entries from one on, to a side or to the umpire."""
    for entry in game.entries[before:]:
        if entry.type == "order":
            telling().line(entry.data["text"][0])
        elif entry.type == "events":
            events = [
                event for event in entry.data["events"] if not side or side in event.get("only", (side,))
            ]
            telling().events([{"n": n, "turn": 0, "round": 0, **event} for n, event in enumerate(events, 1)])
        elif entry.type == "foul":
            telling().line(f"  foul [{entry.data.get('rule', '')}]: {entry.data['reason']}")


def play_file(path: str, file: str, player: str, force: bool) -> Game:
    """Plays what a file declares into a record, until it ends or a player is awaited."""
    from referee.sources.own_documents import own_document

    game, document = open_game(path), own_document(file)
    left = fold_of(game).acts_of(game.state.own, document, file)
    if not left:
        raise BadInput("nothing in it is left to do", file=file)
    # A combat file says what every ship does in a round: those it does not name leave it out.
    return _play(game, left, player, force, whole=document["schema"] != fold_of(game).orders_schema)


def play_lines(path: str, lines: Sequence[str], player: str, force: bool, by_hand: bool = False) -> Game:
    """Plays what is typed at the prompt into a record."""
    from referee.formats.schemas import hold_against

    game = open_game(path)
    fold = fold_of(game)
    orders = [line.strip().removeprefix("!").strip() for line in lines]
    # Said for a ship they are the same questions: `Lancer: help`.
    asked = [line.rpartition(":")[2].strip().casefold() for line in orders]
    for word in asked:
        if word in ("help", "status"):
            _answer(game, word, player)
    acts = fold.acts_said(
        game.state.own,
        [line for line, word in zip(orders, asked, strict=True) if word not in ("help", "status")],
    )
    if not acts:
        return game
    for _, act in acts:
        if any(action["do"] == "fire" for action in act.get("actions", ())):
            act["ask"] = True
        document = {"schema": fold.orders_schema, "acts": [act]}
        hold_against(document, fold.orders_schema.split("/")[1], act_text(act))
    return _play(game, acts, player, force, by_hand=by_hand)


def _answer(game: Game, asked: str, player: str) -> None:
    """Says what can be said, or how the game stands, as far as a player is told."""
    if asked == "help":
        for line in fold_of(game).help_lines():
            telling().line(line)
        return
    side = _side(game, player_in(game, player)) if player else ""
    telling().status(game.path, side)


def _play(
    game: Game,
    acts: Sequence[tuple[str, dict[str, Any]]],
    player: str,
    force: bool,
    *,
    whole: bool = False,
    by_hand: bool = False,
) -> Game:
    """Plays acts one after the other, until a player is awaited."""
    path, left = game.path, list(acts)
    me = player_in(game, player) if player else ""
    answered = all(act["act"] == "answers" for _, act in left) and bool(
        getattr(game.state.own, "pending", {})
    )
    if game.dice.open_roll is not None and not answered:
        raise BadInput(
            f"roll {game.dice.open_roll.number} is still open", file=path, hint="game status says for whom"
        )
    fold, kept, behind = fold_of(game), "", False
    while left:
        who, act = left.pop(fold.first_of(game.state.own, [act for _, act in left]))
        for owner, leaving in fold.passes_before(game.state.own, act) if whole else ():
            game = do_act(game, me or owner, leaving, force, _side(game, me))
        ahead = act["act"] == "turn" != fold.next_act(game.state.own)["act"]
        if not me and ((whole and ahead) or decides_alone(game, who, act)):
            act = act | {"agreed_by": list(game.state.players)}
        act, rest = parted(game, me or who, act, behind=behind and not force)
        game = do_act(game, me or who, act, force, _side(game, me), kept, by_hand=by_hand)
        kept, behind = f"what came before it is recorded, up to {act_text(act)}; this was not", bool(rest)
        left = [(who, rest), *left] if rest else left
        if game.dice.open_roll is not None and left:
            telling().line("left, to be given again when the dice have fallen:")
            for _, act in left:
                telling().line(f"  {act_text(act)}")
            break
    return game


def _side(game: Game, player: str) -> str:
    """The side a player is told as: his own; the umpire, and whoever names nobody, is told everything."""
    return player if player != game.state.umpire else ""


def move_on(path: str, player: str, force: bool, agreed: Sequence[str] = ()) -> Game:
    """The next round or turn, for a player, or agreed by all."""
    game = open_game(path)
    me = player_in(game, player) if player else game.state.players[0]
    act = fold_of(game).next_act(game.state.own) | ({"agreed_by": list(agreed)} if agreed else {})
    return do_act(game, me, act, force, _side(game, player))


def roll_again(path: str, player: str = "", *, by_hand: bool = False) -> Game:
    """Declares a roll for an act whose dice were given up, for whose act it is or for `player`. Raises BadInput
    where none waits for any."""
    game = open_game(path)
    pending = getattr(game.state.own, "pending", {})
    if not pending or game.dice.open_roll is not None:
        raise BadInput("nothing is due", file=path)
    number = min(pending)
    who = str(game.entries[number].data["player"])
    given_up = any(roll.volley == number for roll in game.state.rolls.values())
    who = player if player and given_up else who
    before = len(game.entries)
    declare = declaration(game, _thrower(game, who), [], f"act of entry {number}")
    game = append(path, lambda _: [declare], by_hand=by_hand)
    if not awaits(game):
        with suppress(AnswerAwaited):
            game = append(path, throw)
    told_since(game, before)
    return game
