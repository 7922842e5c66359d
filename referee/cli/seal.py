"""`referee seal` and `referee reveal`: orders that stay secret until shown and cannot change after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.core.errors import RefereeError

if TYPE_CHECKING:
    from referee.adjudicator.table import GameTable
    from referee.core.finding import Finding
    from referee.core.forms import FormLines
    from referee.core.game import ShipInGame
    from referee.play.game_file import Game, NewEntry
    from referee.record.chain import Entry
    from referee.record.seals import Opening

As = Annotated[str, typer.Option("--as", help="The player this is for.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command("seal")(seal)
    app.command("reveal")(reveal)


def seal(
    game: Annotated[str, typer.Option(help="The record.")],
    form: Annotated[
        str, typer.Argument(help="An energy form; for --kind other than eaf a text file of orders.")
    ] = "",
    order: Annotated[list[str] | None, typer.Option(help="An order in words, instead of a file.")] = None,
    ship: Annotated[str, typer.Option(help="The ship of the game it is for.")] = "",
    kind: Annotated[str, typer.Option(help="eaf (an energy form), moves, fire, or a name of yours.")] = "eaf",
    impulse: Annotated[
        int, typer.Option(help="The impulse the orders are for; of moves and fire this one if not said.")
    ] = 0,
    per_field: Annotated[
        bool, typer.Option("--per-field", help="So that single lines can be shown.")
    ] = False,
    to_umpire: Annotated[str, typer.Option(help="Also encrypt to the umpire: age1... (referee[age]).")] = "",
    player: As = "",
    force: Annotated[bool, typer.Option("--force", help="Seal it though it is illegal.")] = False,
) -> None:
    """Seal an energy form or orders: the record holds only a digest, the opening stays with you."""
    from referee.cli.game_status import say_head
    from referee.core.errors import BadInput
    from referee.play.append import append
    from referee.play.game_file import foul_entries, open_game, owner_in
    from referee.play.start import set_aside
    from referee.record.seals import save_opening, seal_orders
    from referee.record.secretfiles import secrets_folder

    opened = open_game(game)
    opened.must_have_its_rules()
    if to_umpire and not opened.state.umpire:
        raise BadInput("has no umpire", file=game, hint="without --to-umpire, or game new --umpire NAME")
    if to_umpire:
        from referee.record.umpirebox import check_recipient

        check_recipient(to_umpire)
    of = [moment[1] for moment in opened.rulebook.offers.moments(opened.rulebook, 1)]
    if impulse and impulse not in of:
        raise BadInput(f"no impulse {impulse} in a turn", hint=f"1 to {max(filter(None, of))}")
    if kind in ("moves", "fire"):
        impulse = impulse or opened.state.impulse or 0
    target, body = _content(opened, form, order or [], ship, kind, force)
    me = owner_in(opened, player, target)
    turn = opened.state.turn
    late = _late(opened, kind, target.name, force)
    if kind == "fire" and impulse == (opened.state.impulse or 0) and not force:
        _must_strike(opened, target, body, impulse)
    new_seal_allowed(opened, me, target, kind, impulse)
    opening = seal_orders(
        body,
        kind=kind,
        game=str(opened.state.genesis["game"]),
        ruleset=str(opened.state.genesis["ruleset"]),
        turn=turn,
        player=me,
        ship=target.name,
        seq=opened.seals.next_revision(turn, me, target.name, kind, impulse),
        impulse=impulse,
        per_field=per_field,
    )
    # Of a seal that never came into the record, or another game of this name.
    set_aside(secrets_folder(game), opening_name(opening.body))
    secret = save_opening(secrets_folder(game), opening)
    if to_umpire:
        from referee.record.secretfiles import write_new
        from referee.record.umpirebox import box_opening

        box = write_new(secret.parent, f"{secret.stem}.age", box_opening(opening, to_umpire))
        typer.echo(f"for the umpire: {box}")
    entries: list[NewEntry] = [("seal", opening.seal_data), *foul_entries(late, me)]
    opened = append(game, lambda _: entries)
    typer.echo(f"sealed: {kind} of {target.name}, turn {turn}, revision {opening.body['seq']}")
    typer.echo(
        f"what opens it is in {secret}: keep it, and keep it to yourself; lost, it counts as not filed"
    )
    say_head(opened)


def _content(
    game: Game, form: str, order: list[str], ship: str, kind: str, force: bool
) -> tuple[ShipInGame, dict[str, Any]]:
    """The ship and what is sealed for it; an illegal form is refused unless forced."""
    from referee.adjudicator.record_forms import form_data
    from referee.core.errors import BadInput
    from referee.play.forms import allocation_in, judge_turn
    from referee.play.game_file import refuse

    if kind == "eaf":
        if not form:
            raise BadInput("no form to seal", hint="name a csv, xlsx, ods or json file")
        target, allocation = allocation_in(game, form, ship)
        refuse(judge_turn(game, target, allocation), force)
        return target, form_data(allocation)
    from referee.sources.inputs import read_input

    try:
        text = read_input(form).data.decode("utf-8") if form else ""
    except UnicodeDecodeError:
        raise BadInput("is not text in UTF-8", file=form) from None
    lines = [line.strip() for line in text.splitlines()] if form else order
    lines = [line for line in lines if line]
    if form and order:
        raise BadInput("orders in a file and in words", hint="one or the other")
    if not lines or not ship:
        raise BadInput("no orders to seal", hint='--ship NAME and --order "left", or a text file')
    return game.state.ship(ship), {f"line_{n}": line for n, line in enumerate(lines, 1)}


def _late(game: Game, kind: str, ship: str, force: bool) -> list[Finding]:
    """What the sequence of play says against sealing now; refused unless forced."""
    from referee.play.game_file import in_step, refuse

    found = in_step(game, "energy allocation", ship, game.state.turn) if kind == "eaf" else []
    refuse(found, force)
    return found


def _must_strike(game: Game, ship: ShipInGame, body: Mapping[str, Any], impulse: int) -> None:
    """Raises BadInput where fire of this impulse is sealed for a shield that it does not strike, once no ship of
    the impulse moves any more."""
    from referee.core.errors import BadInput
    from referee.core.seals import Seal
    from referee.play.table import table_of

    state = game.state
    draft = Seal("", len(game.entries), "fire", state.turn, ship.name, ship.player, 1, impulse or None, body)
    seals = table_of(game).seals
    for (weapon, target, shield), struck in seals.amiss(seals.said(draft, state), state):
        either = " or ".join(map(str, struck))
        raise BadInput(
            f"{weapon} strikes {target} on shield {either}, not {shield}",
            file=game.path,
            hint=f"fire {weapon} at {target}; nothing was sealed",
        )


def new_seal_allowed(game: Game, player: str, ship: ShipInGame, kind: str, impulse: int) -> None:
    """Raises BadInput where a seal would be refused, before its secret is written."""
    from referee.core.errors import BadInput, IntegrityFailure
    from referee.core.rights import check_seal

    if not 0 <= impulse < 1000:
        raise BadInput(f"--impulse {impulse}")
    revision = game.seals.next_revision(game.state.turn, player, ship.name, kind, impulse)
    data = {"ship": ship.name, "turn": game.state.turn, "kind": kind, "player": player, "seq": revision}
    try:
        check_seal(game.state, data | ({"impulse": impulse} if impulse else {}))
    except IntegrityFailure as error:
        raise BadInput(error.reason, file=game.path, hint="nothing was sealed") from None


def opening_name(body: dict[str, Any]) -> str:
    """The name of the file that opens a seal."""
    from referee.record.secretfiles import slug

    when = f"{body['turn']}-{body['impulse']}" if body.get("impulse") else f"{body['turn']}"
    return f"{when}-{slug(body['ship'])}-{body['kind']}-{body['seq']}.json"


def _latest(game: Game, ship: ShipInGame, kind: str, turn: int) -> int:
    """The last impulse of a turn for which orders of a ship are sealed and not shown; 0 for the turn itself."""
    sealed = game.state.seals.about(turn, ship.name, kind)
    hidden = [seal for seal in sealed if not seal.revealed] or sealed
    return max((seal.impulse or 0 for seal in hidden), default=0)


def _opening(game: Game, entry: Entry, secret: str) -> Opening:
    """What opens a seal of this game, from its file. Raises BadInput."""
    from pathlib import Path

    from referee.core.errors import BadInput
    from referee.record.seals import load_opening
    from referee.record.secretfiles import secrets_folder

    path = Path(secret) if secret else secrets_folder(game.path) / opening_name(entry.data)
    if not path.exists():
        hint = "--secret FILE if it is elsewhere; orders whose secret is lost count as not filed"
        raise BadInput("what opens the seal is not here", file=str(path), hint=hint)
    return load_opening(path)


def reveal(
    game: Annotated[str, typer.Option(help="The record.")],
    ship: Annotated[str, typer.Option(help="The ship whose orders are shown.")],
    kind: Annotated[str, typer.Option(help="eaf, moves, fire, ...")] = "eaf",
    turn: Annotated[int, typer.Option(help="The turn; the current one if not said.")] = 0,
    impulse: Annotated[
        int, typer.Option(help="The impulse the orders were for; the latest if not said.")
    ] = 0,
    line: Annotated[
        list[str] | None, typer.Option(help="Show only these lines (sealed --per-field).")
    ] = None,
    secret: Annotated[str, typer.Option(help="The file that opens it, if it is elsewhere.")] = "",
) -> None:
    """Show sealed orders: held against the seal, then judged at once, a form with what was done in its turn."""
    from referee.cli.game_status import say_head
    from referee.core.errors import BadInput
    from referee.core.finding import Severity
    from referee.core.game import at_fault
    from referee.core.seals import shown_by
    from referee.play.append import append
    from referee.play.forms import judge_shown
    from referee.play.game_file import foul_entries, open_game
    from referee.play.table import table_of
    from referee.record.seals import reveal_all, reveal_fields

    opened = open_game(game)
    opened.must_have_its_rules()
    target = opened.state.ship(ship)
    turn = turn or opened.state.turn
    entry = opened.seals.latest.get(
        (turn, impulse or _latest(opened, target, kind, turn), target.player, target.name, kind)
    )
    seal = opened.state.seals.get(entry.hash) if entry else None
    if entry is None or seal is None:
        reason, hint = _not_sealed(opened, target, kind, turn)
        raise BadInput(reason, file=game, hint=hint)
    opening = _opening(opened, entry, secret)
    data = reveal_fields(opening, entry, line) if line else reveal_all(opening, entry)
    try:
        opened.seals.check_reveal(data)
    except RefereeError as error:
        raise error.at(file=game) from None
    body, whole = shown_by(seal, data)
    findings = judge_shown(opened, target, turn, body) if whole and kind == "eaf" else []
    illegal = [finding.turn for finding in findings if finding.severity is Severity.ERROR]
    table = table_of(opened)
    try:
        findings += table.add("reveal", data)
    except RefereeError as error:
        raise BadInput(error.reason, file=game, hint="nothing was recorded") from None
    new: list[NewEntry] = [("reveal", data)]
    for finding in findings:
        whose = at_fault(opened.state.ships, finding, target.player)
        new += foul_entries([finding], whose, seal=entry.hash)
    if (order := speed_shown(table, target.name, turn)) is not None:
        against = table.add("order", order)
        findings += against
        new += [("order", order), *foul_entries(against, target.player)]
    opened = append(game, lambda _: new)
    part = "" if whole else f" ({len(body)} of {len(data['fields'])} lines)"
    typer.echo(f"matches the seal in line {entry.line_number}: {kind} of {target.name}, turn {turn}{part}")
    tell_orders(kind, body, opened.rulebook.lines)
    if order is not None:
        typer.echo(f"  order: {order['text'][0]}")
    _tell(findings)
    say_head(opened)
    if any(finding.severity is Severity.ERROR for finding in findings):
        what = "the form is illegal" if turn in illegal else "what was done in its turn is not legal by it"
        what = f"the form of turn {illegal[0]} is illegal by it" if illegal and turn not in illegal else what
        typer.echo(f"matches the seal, but {what}: the foul is recorded", err=True)
        raise typer.Exit(1)


def _not_sealed(opened: Game, target: ShipInGame, kind: str, turn: int) -> tuple[str, str]:
    """Why there is nothing to show, and a hint: the turns for which orders of the kind are sealed, the latest
    first."""
    turns = {seal.turn for seal in opened.state.seals if (seal.ship, seal.kind) == (target.name, kind)}
    if turn not in turns and any(
        (key[0], *key[2:]) == (turn, target.player, target.name, kind) for key in opened.seals.latest
    ):
        return f"the {kind} of {target.name} sealed for turn {turn} was taken back", "seal it anew"
    hint = " or ".join(f"--turn {number}" for number in sorted(turns, reverse=True)[:3])
    return f"no {kind} of {target.name} for turn {turn} is sealed", hint


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
    said = {"ship": name, "speed": speed}
    return {"text": [f"{name}: speed {speed}"], "player": ship.player, "turn": turn, "speed": said}


def tell_orders(kind: str, body: Mapping[str, Any], lines: FormLines) -> None:
    """Prints sealed orders, a line each; those of an energy form with what the form calls them."""
    from referee.core.safe import safe_line

    for name, said in body.items():
        told = (
            f"{lines.named(str(said.get('line')))}: {said.get('amount')}"
            if isinstance(said, dict)
            else str(said)
        )
        typer.echo(f"| {safe_line(told if kind == 'eaf' else f'{name}: {told}')}")


def judged(game: Game, ship: ShipInGame, form: Mapping[str, Any], turn: int) -> list[Finding]:
    """What the rules say of a form that was sealed."""
    from referee.adjudicator.record_forms import allocation_from
    from referee.core.location import Location
    from referee.play.forms import judge_turn

    return judge_turn(game, ship, allocation_from(form, turn, Location(file=game.path)))


def _tell(findings: list[Finding]) -> None:
    if findings:
        from referee.report.checktext import findings_text
        from referee.report.paint import Paint

        typer.echo(findings_text(findings, Paint(False)))
