"""Orders sealed and shown: a form, moves or fire, unseen by the others until it is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput, IntegrityFailure, RefereeError
from referee.core.finding import Severity
from referee.core.frozen import frozen
from referee.core.game import at_fault
from referee.core.rights import check_seal
from referee.core.seals import Seal, seal_text, shown_by
from referee.play.append import append
from referee.play.game_file import foul_entries, in_step, owner_in, refuse
from referee.play.telling import telling
from referee.record.seals import load_opening, reveal_all, reveal_fields, save_opening, seal_orders
from referee.record.secretfiles import secrets_folder, slug

if TYPE_CHECKING:
    from referee.adjudicator.table import GameTable
    from referee.core.finding import Finding
    from referee.core.game import GameState, ShipInGame
    from referee.play.game_file import Game, NewEntry
    from referee.record.chain import Entry
    from referee.record.seals import Opening


# -- sealing -----------------------------------------------------------------------------


def seal_body(
    game: Game,
    target: ShipInGame,
    kind: str,
    impulse: int,
    body: Mapping[str, Any],
    late: Sequence[Finding] = (),
    *,
    me: str,
    per_field: bool = False,
    force: bool = False,
    beside: Callable[[Opening, Path], None] = lambda opening, secret: None,
) -> tuple[Game, Opening, Path]:
    """Seals what a ship does: the game after it, what opens the seal, and the file that holds it. `beside` is done
    once that file is written, and before the seal is in the record. Raises BadInput."""
    from referee.play.start import set_aside

    turn = game.state.turn
    new_seal_allowed(game, me, target, kind, impulse)
    if impulse and impulse == game.state.impulse and not force:
        must_be_to_come(game, target, kind)
    opening = seal_orders(
        dict(body),
        kind=kind,
        game=str(game.state.genesis["game"]),
        ruleset=str(game.state.genesis["ruleset"]),
        turn=turn,
        player=me,
        ship=target.name,
        seq=game.seals.next_revision(turn, me, target.name, kind, impulse),
        impulse=impulse,
        per_field=per_field,
    )
    # Of a seal that never came into the record, or another game of this name.
    set_aside(secrets_folder(game.path), opening_name(opening.body))
    secret = save_opening(secrets_folder(game.path), opening)
    beside(opening, secret)
    entries: list[NewEntry] = [("seal", opening.seal_data), *foul_entries(late, me)]
    return append(game.path, lambda _: entries), opening, secret


def sealed_late(game: Game, kind: str, ship: str, force: bool) -> list[Finding]:
    """What the sequence of play says against sealing now; refused unless forced."""
    found = in_step(game, "energy allocation", ship, game.state.turn) if kind == "eaf" else []
    refuse(found, force)
    return found


def must_strike(game: Game, ship: ShipInGame, body: Mapping[str, Any], impulse: int) -> None:
    """Raises BadInput where fire of this impulse is sealed for a shield that it does not strike, once no ship of
    the impulse moves any more."""
    from referee.play.table import standing_table

    state = game.state
    draft = Seal("", len(game.entries), "fire", state.turn, ship.name, ship.player, 1, impulse or None, body)
    seals = standing_table(game).seals
    for (weapon, target, shield), struck in seals.amiss(seals.read_in(draft, state), state):
        either = " or ".join(map(str, struck))
        raise BadInput(
            f"{weapon} strikes {target} on shield {either}, not {shield}",
            file=game.path,
            hint=f"fire {weapon} at {target}; nothing was sealed",
        )


def new_seal_allowed(game: Game, player: str, ship: ShipInGame, kind: str, impulse: int) -> None:
    """Raises BadInput where a seal would be refused, before its secret is written."""
    if not 0 <= impulse < 1000:
        raise BadInput(f"--impulse {impulse}")
    revision = game.seals.next_revision(game.state.turn, player, ship.name, kind, impulse)
    data = {"ship": ship.name, "turn": game.state.turn, "kind": kind, "player": player, "seq": revision}
    try:
        check_seal(game.state, data | ({"impulse": impulse} if impulse else {}))
    except IntegrityFailure as error:
        raise BadInput(error.reason, file=game.path, hint="nothing was sealed") from None


def opening_name(body: Mapping[str, Any]) -> str:
    """The name of the file that opens a seal."""
    when = f"{body['turn']}-{body['impulse']}" if body.get("impulse") else f"{body['turn']}"
    return f"{when}-{slug(body['ship'])}-{body['kind']}-{body['seq']}.json"


def must_be_to_come(game: Game, ship: ShipInGame, kind: str) -> None:
    """Raises BadInput for a move of this impulse that is sealed once its ship has moved, or the step of moves is over,
    and for fire once that is over: it could not be made any more."""
    state = game.state
    steps = game.rulebook.descriptor["sequence_of_play"]
    at, late = f"in impulse {state.impulse}", "nothing was sealed"
    moving, firing = (steps["steps_of"].get(of, ()) for of in ("movement", "fire"))
    row = list(steps["impulse"])
    fires = not firing or row.index(state.step) <= max(map(row.index, firing))
    fire = f"{late}; its fire may still be" if fires else late
    if kind == "fire" and not fires:
        raise BadInput(f"the fire {at} is over", hint=late)
    if kind == "moves" and ship.unit.moved_on == state.impulse:
        raise BadInput(f"{ship.name} has moved {at}", hint=fire)
    if kind == "moves" and moving and state.step not in moving:
        raise BadInput(f"the moves {at} are over", hint=fire)


def seal_form(game: Game, ship: str, file: str, force: bool = False) -> Game:
    """Seals an energy form of a ship for this turn, from a file. Raises BadInput, and Refused for an illegal one unless
    forced: what is against it is then a foul when it is shown."""
    from referee.play.forms import allocation_in, on_form_proposed, refuse_form

    game.must_have_its_rules()
    target, allocation, another = allocation_in(game, file, ship)
    refuse_form(target, another, on_form_proposed(game, target, allocation), force)
    late = sealed_late(game, "eaf", target.name, force)
    form = allocation.fields
    game, _, _ = seal_body(game, target, "eaf", 0, form, late, me=owner_in(game, "", target))
    telling().line(f"sealed: {seal_text('eaf', target.name, game.state.turn)}")
    return game


# -- showing -----------------------------------------------------------------------------


@frozen
class SealShown:
    """What was shown of a seal: the game after it, the seal's entry, its orders, whether they are whole, what was
    found, the turns whose form is illegal by it, and the order of a speed that came with it."""

    game: Game
    entry: Entry
    body: Mapping[str, Any]
    whole: bool
    lines: int
    findings: tuple[Finding, ...]
    illegal: tuple[int, ...]
    order: Mapping[str, Any] | None


def show(
    game: Game,
    target: ShipInGame,
    kind: str,
    turn: int,
    impulse: int = 0,
    line: Sequence[str] = (),
    secret: str = "",
) -> SealShown:
    """Shows sealed orders: compared with the seal, then judged at once. Raises BadInput."""
    from referee.play.forms import on_form_shown
    from referee.play.table import standing_table

    at = impulse or latest(game, target, kind, turn)
    entry = game.seals.latest.get((turn, at, target.player, target.name, kind))
    seal = game.state.seals.get(entry.hash) if entry else None
    if entry is None or seal is None:
        reason, hint = _not_sealed(game, target, kind, turn)
        raise BadInput(reason, file=game.path, hint=hint)
    opening = _opening(game, entry, secret)
    data = reveal_fields(opening, entry, list(line)) if line else reveal_all(opening, entry)
    try:
        game.seals.check_reveal(data)
    except RefereeError as error:
        raise error.at(file=game.path) from None
    body, whole = shown_by(seal, data)
    findings = on_form_shown(game, target, turn, body) if whole and kind == "eaf" else []
    illegal = [finding.turn for finding in findings if finding.severity is Severity.ERROR]
    table = standing_table(game)
    try:
        findings += table.add("reveal", data)
    except RefereeError as error:
        raise BadInput(error.reason, file=game.path, hint="nothing was recorded") from None
    new: list[NewEntry] = [("reveal", data)]
    for finding in findings:
        whose = at_fault(game.state.ships, finding, target.player)
        new += foul_entries([finding], whose, seal=entry.hash)
    if (order := speed_shown(table, target.name, turn)) is not None:
        against = table.add("order", order)
        findings += against
        new += [("order", order), *foul_entries(against, target.player)]
    count = len(data.get("fields", body))
    game = append(game.path, lambda _: new)
    wrong = tuple(turn for turn in illegal if turn is not None)
    return SealShown(game, entry, body, whole, count, tuple(findings), wrong, order)


def sealed_for_now(state: GameState) -> list[Seal]:
    """What is sealed for now and not shown: in an impulse its moves and fire, else the forms of the turn."""
    impulse = state.impulse
    return [
        seal
        for seal in state.in_force
        if not seal.revealed
        and seal.turn == state.turn
        and (seal.kind == "eaf" if impulse is None else (seal.kind != "eaf" and seal.impulse == impulse))
    ]


def open_all(game: Game) -> None:
    """Shows together what was sealed for now and is not shown: in an impulse its moves and fire, else the forms of the
    turn. Raises BadInput."""
    from referee.adjudicator.waiting_for import REVEAL_OF
    from referee.play.table import awaited_in

    due = sealed_for_now(game.state)
    if not due:
        hint = "secret SHIP seals a move, secret SHIP FILE a form"
        past = [what.removeprefix(REVEAL_OF) for _, what in awaited_in(game) if what.startswith(REVEAL_OF)]
        if past:
            hint = f"{', '.join(past)}: not opened in time; `u` goes back to where it was sealed"
        raise BadInput("nothing is sealed for now", hint=hint)
    for seal in due:
        shown = show(game, game.state.ship(seal.ship), seal.kind, seal.turn, seal.impulse or 0)
        game = shown.game
        telling().findings(shown.findings, refused=False)
        shown_text = (
            ", ".join(str(value) for value in shown.body.values())
            if seal.kind != "eaf"
            else "as it was sealed"
        )
        what = "form" if seal.kind == "eaf" else seal.kind
        telling().line(f"opened: {what} of {seal.ship}: {shown_text}")
        for finding in shown.findings:
            if finding.severity is Severity.ERROR:
                telling().line(f"a foul, in the record: [{finding.rule}] {finding.message}")


def left_to_enter(game: Game, movers: Sequence[str]) -> dict[str, str]:
    """The orders that were sealed and shown for this impulse and are still to be entered, by ship, as they were sealed:
    the move of a ship that is among the `movers`, in their order, and fire of which nothing is declared."""
    state = game.state
    shown = [
        seal
        for seal in state.seals.of_turn(state.turn)
        if seal.revealed and seal.impulse is not None and seal.impulse == state.impulse
    ]
    moves = {seal.ship: seal for seal in shown if seal.kind == "moves"}
    fired = {
        order.ship
        for order in state.fire
        if (order.moment.turn, order.moment.impulse) == (state.turn, state.impulse)
    }
    left = [moves[name] for name in movers if name in moves]
    left += [seal for seal in shown if seal.kind == "fire" and seal.ship not in fired | state.fire_held]
    orders: dict[str, list[str]] = {}
    for seal in left:
        orders.setdefault(seal.ship, []).extend(f"{seal.ship}: {line}" for line in seal.shown.values())
    return {ship: "\n".join(lines) for ship, lines in orders.items()}


def latest(game: Game, ship: ShipInGame, kind: str, turn: int) -> int:
    """The last impulse of a turn for which orders of a ship are sealed and not shown; 0 for the turn itself."""
    sealed = game.state.seals.about(turn, ship.name, kind)
    hidden = [seal for seal in sealed if not seal.revealed] or sealed
    return max((seal.impulse or 0 for seal in hidden), default=0)


def _opening(game: Game, entry: Entry, secret: str) -> Opening:
    """What opens a seal of this game, from its file. Raises BadInput."""
    path = Path(secret) if secret else secrets_folder(game.path) / opening_name(entry.data)
    if not path.exists():
        hint = "--secret FILE if it is elsewhere; orders whose secret is lost count as not filed"
        raise BadInput("what opens the seal is not here", file=str(path), hint=hint)
    return load_opening(path)


def _not_sealed(game: Game, target: ShipInGame, kind: str, turn: int) -> tuple[str, str]:
    """Why there is nothing to show, and a hint: the turns for which orders of the kind are sealed, the latest
    first."""
    about = seal_text(kind, target.name, turn)
    turns = {seal.turn for seal in game.state.seals if (seal.ship, seal.kind) == (target.name, kind)}
    if turn not in turns and any(
        (key[0], *key[2:]) == (turn, target.player, target.name, kind) for key in game.seals.latest
    ):
        return f"the {about} was sealed and taken back", "seal it again"
    hint = " or ".join(f"--turn {number}" for number in sorted(turns, reverse=True)[:3])
    return f"no {about} is sealed", hint


def speed_shown(table: GameTable, name: str, turn: int) -> dict[str, Any] | None:
    """The order of the speed that a form pays for which is shown before the impulses of its turn; None where
    its ship has said one, or is not on the map."""
    from referee.adjudicator.record_forms import speed_paid
    from referee.adjudicator.waiting_for import unsaid

    state = table.state
    ship = state.ships[name]
    early = table.rulebook.descriptor["sequence_of_play"]["steps_of"]["speed"]
    due = (state.turn, state.impulse) == (turn, None) and state.step in early and turn in ship.forms
    speed = speed_paid(table.rulebook, table.load_ship(ship.state.ship), ship, turn) if due else None
    if speed is None or ship not in unsaid(state):
        return None
    stated = {"ship": name, "speed": speed}
    return {"text": [f"{name}: speed {speed}"], "player": ship.player, "turn": turn, "speed": stated}
