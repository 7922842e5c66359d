"""`referee seal` and `referee reveal`: orders that stay secret until shown and cannot change after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.adjudicator.record_forms import allocation_from
from referee.cli.game_status import say_head
from referee.cli.options import As
from referee.core.errors import BadInput
from referee.core.finding import Severity
from referee.core.location import Location
from referee.core.safe import safe_line
from referee.core.seals import seal_text
from referee.play.forms import allocation_in, on_form_proposed, refuse_form
from referee.play.game_file import open_game, owner_in
from referee.play.sealing import must_strike, seal_body, sealed_late, show
from referee.record.secretfiles import write_new
from referee.sources.default_game import named_or_only
from referee.sources.inputs import read_input

if TYPE_CHECKING:
    from pathlib import Path

    from referee.core.finding import Finding
    from referee.core.forms import FormLines
    from referee.core.game import ShipInGame
    from referee.play.game_file import Game
    from referee.record.seals import Opening

RecordOption = Annotated[
    str, typer.Option("--game", help="The record, or the only one in the folder.", callback=named_or_only)
]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command("seal")(seal)
    app.command("reveal")(reveal)


def seal(
    game: RecordOption = "",
    form: Annotated[
        str, typer.Argument(help="An energy form; for --kind other than eaf a text file of orders.")
    ] = "",
    order: Annotated[list[str] | None, typer.Option(help="An order in words, instead of a file.")] = None,
    ship: Annotated[str, typer.Option(help="The ship of the game it is for.")] = "",
    kind: Annotated[str, typer.Option(help="eaf (an energy form), moves, fire, or a name of yours.")] = "eaf",
    impulse: Annotated[
        int, typer.Option(help="The impulse the orders are for; of moves and fire this one unless given.")
    ] = 0,
    per_field: Annotated[
        bool, typer.Option("--per-field", help="So that single lines can be shown.")
    ] = False,
    to_umpire: Annotated[str, typer.Option(help="Also encrypt to the umpire: age1... (referee[age]).")] = "",
    player: As = "",
    force: Annotated[bool, typer.Option("--force", help="Seal it though it is illegal.")] = False,
) -> None:
    """Seal an energy form or orders: the record holds only a digest, the opening stays with you."""
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
    late = sealed_late(opened, kind, target.name, force)
    if kind == "fire" and impulse == (opened.state.impulse or 0) and not force:
        must_strike(opened, target, body, impulse)

    def boxed(opening: Opening, secret: Path) -> None:
        if to_umpire:
            from referee.record.umpirebox import box_opening

            box = write_new(secret.parent, f"{secret.stem}.age", box_opening(opening, to_umpire))
            typer.echo(f"for the umpire: {box}")

    opened, opening, secret = seal_body(
        opened, target, kind, impulse, body, late, me=me, per_field=per_field, force=force, beside=boxed
    )
    again = f", revision {opening.body['seq']}" if opening.body["seq"] > 1 else ""
    typer.echo(f"sealed: {seal_text(kind, target.name, turn, impulse)}{again}")
    typer.echo(
        f"{secret} opens the seal: keep it safe and secret; orders whose file is lost count as not filed"
    )
    say_head(opened)


def _content(
    game: Game, form: str, order: list[str], ship: str, kind: str, force: bool
) -> tuple[ShipInGame, dict[str, Any]]:
    """The ship and what is sealed for it; an illegal form is refused unless forced."""
    if kind == "eaf":
        if not form:
            raise BadInput("no form to seal", hint="name a csv, xlsx, ods or json file")
        target, allocation, another = allocation_in(game, form, ship)
        refuse_form(target, another, on_form_proposed(game, target, allocation), force)
        return target, allocation.fields

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


def reveal(
    ship: Annotated[str, typer.Option(help="The ship whose orders are shown.")],
    game: RecordOption = "",
    kind: Annotated[str, typer.Option(help="eaf, moves, fire, ...")] = "eaf",
    turn: Annotated[int, typer.Option(help="The turn; the current one unless given.")] = 0,
    impulse: Annotated[
        int, typer.Option(help="The impulse the orders were for; the latest unless given.")
    ] = 0,
    line: Annotated[
        list[str] | None, typer.Option(help="Show only these lines (sealed --per-field).")
    ] = None,
    secret: Annotated[str, typer.Option(help="The file that opens it, if it is elsewhere.")] = "",
) -> None:
    """Show sealed orders: compared with the seal, then judged at once; a form together with what was done in its turn."""
    from referee.play.opened_too_soon import known_by_opening

    opened = open_game(game)
    opened.must_have_its_rules()
    target = opened.state.ship(ship)
    turn = turn or opened.state.turn
    known = known_by_opening(opened, kind) if turn == opened.state.turn else ""
    shown = show(opened, target, kind, turn, impulse, line or (), secret)
    about = seal_text(kind, target.name, turn, shown.entry.data.get("impulse"))
    part = "" if shown.whole else f" ({len(shown.body)} of {shown.lines} lines)"
    typer.echo(f"matches the seal in line {shown.entry.line_number}: {about}{part}")
    tell_orders(kind, shown.body, opened.rulebook.lines)
    if known:
        typer.echo(known, err=True)
    if shown.order is not None:
        typer.echo(f"  order: {shown.order['text'][0]}")
    _tell(shown.findings)
    say_head(shown.game)
    if any(finding.severity is Severity.ERROR for finding in shown.findings):
        illegal = shown.illegal
        what = "the form is illegal" if turn in illegal else "what was done in its turn is not legal by it"
        what = f"the form of turn {illegal[0]} is illegal by it" if illegal and turn not in illegal else what
        typer.echo(f"matches the seal, but {what}: the foul is recorded", err=True)
        raise typer.Exit(1)


def tell_orders(kind: str, body: Mapping[str, Any], lines: FormLines) -> None:
    """Prints sealed orders, a line each; those of an energy form with what the form calls them."""
    for name, value in body.items():
        text = (
            f"{lines.named(str(value.get('line')))}: {value.get('amount')}"
            if isinstance(value, dict)
            else str(value)
        )
        typer.echo(f"| {safe_line(text if kind == 'eaf' else f'{name}: {text}')}")


def judged(game: Game, ship: ShipInGame, form: Mapping[str, Any], turn: int) -> list[Finding]:
    """What the rules say of a form that was sealed."""
    return on_form_proposed(game, ship, allocation_from(form, turn, Location(file=game.path)))


def _tell(findings: Sequence[Finding]) -> None:
    if findings:
        from referee.report.checktext import findings_text
        from referee.report.paint import Paint

        typer.echo(findings_text(findings, Paint(False)))
