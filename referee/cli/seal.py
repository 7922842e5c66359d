"""`referee seal` and `referee reveal`: orders that stay secret until shown and cannot change after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from referee.cli.gamefile import Game, NewEntry
    from referee.core.game import ShipInGame

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
    impulse: Annotated[int, typer.Option(help="The impulse the orders are for.")] = 0,
    per_field: Annotated[
        bool, typer.Option("--per-field", help="So that single lines can be shown.")
    ] = False,
    to_umpire: Annotated[str, typer.Option(help="Also encrypt to the umpire: age1... (referee[age]).")] = "",
    player: As = "",
    force: Annotated[bool, typer.Option("--force", help="Seal it though it is illegal.")] = False,
) -> None:
    """Seal an energy form or orders: the record holds only a digest, the opening stays with you."""
    from referee.cli.gamefile import append, open_game, player_in, say_head
    from referee.record.seals import save_opening, seal_orders
    from referee.record.secretfiles import secrets_folder

    opened = open_game(game)
    target, body = _content(opened, form, order or [], ship, kind, force)
    me = player_in(opened, player or target.player)
    turn = opened.state.turn
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
    secret = save_opening(secrets_folder(game), opening)
    if to_umpire:
        from referee.record.secretfiles import write_new
        from referee.record.umpirebox import box_opening

        box = write_new(secret.parent, f"{secret.stem}.age", box_opening(opening, to_umpire))
        typer.echo(f"for the umpire: {box}")
    entry: NewEntry = ("seal", opening.seal_data)
    opened = append(game, lambda _: [entry])
    typer.echo(f"sealed: {kind} of {target.name}, turn {turn}, revision {opening.body['seq']}")
    typer.echo(
        f"what opens it is in {secret}: keep it, and keep it to yourself; lost, it counts as not filed"
    )
    say_head(opened)


def _content(
    game: Game, form: str, order: list[str], ship: str, kind: str, force: bool
) -> tuple[ShipInGame, dict[str, Any]]:
    """The ship and what is sealed for it; an illegal form is refused unless forced."""
    from referee.cli.gamefile import refuse
    from referee.cli.gameforms import allocation_in, form_data, judge_turn
    from referee.core.errors import BadInput

    if kind == "eaf":
        if not form:
            raise BadInput("no form to seal", hint="name a csv, xlsx, ods or json file")
        target, allocation = allocation_in(game, form, ship)
        refuse(judge_turn(game, target, allocation), force)
        return target, form_data(allocation)
    from referee.cli.inputs import read_input

    lines = [line.strip() for line in read_input(form).data.decode("utf-8").splitlines()] if form else order
    lines = [line for line in lines if line]
    if not lines or not ship:
        raise BadInput("no orders to seal", hint='--ship NAME and --order "left", or a text file')
    return game.state.ship(ship), {f"line_{n}": line for n, line in enumerate(lines, 1)}


def reveal(
    game: Annotated[str, typer.Option(help="The record.")],
    ship: Annotated[str, typer.Option(help="The ship whose orders are shown.")],
    kind: Annotated[str, typer.Option(help="eaf, moves, fire, ...")] = "eaf",
    turn: Annotated[int, typer.Option(help="The turn; the current one if not said.")] = 0,
    impulse: Annotated[int, typer.Option(help="The impulse the orders were for.")] = 0,
    line: Annotated[
        list[str] | None, typer.Option(help="Show only these lines (sealed --per-field).")
    ] = None,
    secret: Annotated[str, typer.Option(help="The file that opens it, if it is elsewhere.")] = "",
) -> None:
    """Show sealed orders: held against the seal, then judged at once."""
    from pathlib import Path

    from referee.cli.gamefile import append, foul_entries, open_game, say_head
    from referee.core.errors import BadInput
    from referee.core.finding import Severity
    from referee.record.seals import load_opening, reveal_all, reveal_fields
    from referee.record.secretfiles import secrets_folder, slug

    opened = open_game(game)
    target = opened.state.ship(ship)
    turn = turn or opened.state.turn
    key = (turn, impulse, target.player, target.name, kind)
    entry = opened.seals.latest.get(key)
    if entry is None:
        raise BadInput(f"no {kind} of {target.name} for turn {turn} is sealed", file=game)
    when = f"{turn}-{impulse}" if impulse else f"{turn}"
    name = f"{when}-{slug(target.name)}-{kind}-{entry.data['seq']}.json"
    opening = load_opening(Path(secret) if secret else secrets_folder(game) / name)
    data = reveal_fields(opening, entry, line) if line else reveal_all(opening, entry)
    opened.seals.check_reveal(data)
    findings = [] if kind != "eaf" or line else _judged(opened, target, dict(opening.body["form"]), turn)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    new: list[NewEntry] = [
        ("reveal", data),
        *foul_entries(findings, target.player, seal=entry.hash, turn=turn),
    ]
    opened = append(game, lambda _: new)
    typer.echo(f"matches the seal in line {entry.line_number}: {kind} of {target.name}, turn {turn}")
    _tell(findings)
    say_head(opened)
    if errors:
        typer.echo("matches the seal, but the form is illegal: the foul is recorded", err=True)
        raise typer.Exit(1)


def _judged(game: Game, ship: ShipInGame, form: dict[str, Any], turn: int) -> list[Any]:
    from referee.cli.gameforms import allocation_from, judge_turn
    from referee.core.location import Location

    return judge_turn(game, ship, allocation_from(form, turn, Location(file=game.path)))


def _tell(findings: list[Any]) -> None:
    if findings:
        from referee.report.checktext import findings_text
        from referee.report.paint import Paint

        typer.echo(findings_text(findings, Paint(False)))
