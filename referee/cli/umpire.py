"""`referee umpire`: an umpire's key, and the orders that players sealed to it (with referee[age])."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.game_status import say_head
from referee.cli.options import Reason
from referee.cli.seal import RecordOption, judged, tell_orders
from referee.core.errors import BadInput, RefereeError
from referee.core.finding import Severity
from referee.core.safe import safe_line
from referee.core.seals import seal_text
from referee.formats.files import read_bytes
from referee.play.append import append
from referee.play.game_file import open_game
from referee.record.limits import MAX_SECRET_FILE
from referee.record.seals import reveal_all
from referee.record.secretfiles import write_new
from referee.record.umpirebox import identity_in, new_identity, unbox_opening

if TYPE_CHECKING:
    from referee.play.game_file import Game
    from referee.record.chain import Entry

MOST_REASON = 300
_Ship = Annotated[str, typer.Option(help="The ship whose orders they are.")]
_Kind = Annotated[str, typer.Option(help="eaf, moves, fire, ...")]
_Turn = Annotated[int, typer.Option(help="The turn; the current one unless given.")]
_Impulse = Annotated[int, typer.Option(help="The impulse the orders are for.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="For an umpire: read what was sealed to you.", no_args_is_help=True)
    group.command("key")(key)
    group.command("open")(open_box)
    group.command("reject")(reject)
    app.add_typer(group, name="umpire")


def key(output: Annotated[str, typer.Option("-o", "--output", help="The new key file.")]) -> None:
    """Make a key: the file stays with you, the name that begins with age1 goes to the players."""
    secret, public = new_identity()
    path = Path(output)
    write_new(path.parent, path.name, f"{secret}\n".encode())
    typer.echo(f"wrote {path}: keep it to yourself")
    typer.echo(f"players seal with: --to-umpire {public}")


def open_box(
    box: Annotated[str, typer.Argument(help="The .age file a player sent.")],
    identity: Annotated[str, typer.Option("--key", help="Your key file.")],
    ship: _Ship,
    game: RecordOption = "",
    kind: _Kind = "eaf",
    turn: _Turn = 0,
    impulse: _Impulse = 0,
) -> None:
    """Read orders sealed to you, hold them against their seal, judge them, and record what you found.

    What opens the seal and is legal is acknowledged; anything else is rejected with its reason (exit 1).
    A box that your key does not open is not recorded: it may be the wrong key.
    """
    opened = open_game(game)
    entry = _seal(opened, ship, kind, turn, impulse)
    try:
        secret = identity_in(read_bytes(identity, 4096).decode("ascii", "replace"))
    except BadInput as error:
        raise error.at(file=identity) from None
    try:
        opening = unbox_opening(read_bytes(box, MAX_SECRET_FILE), secret)
    except BadInput as error:
        hint = error.hint or "is it your key? if the box is junk: referee umpire reject"
        raise BadInput(error.reason, file=box, hint=hint) from None
    _is_about(opening.body, entry, box)
    try:
        shown = opened.seals.check_reveal(reveal_all(opening, entry))
    except RefereeError as error:
        _record(game, entry, error.reason)
    tell_orders(kind, shown.form, opened.rulebook.lines)
    _record(game, entry, _illegal(opened, entry, shown.form))


def reject(
    ship: _Ship,
    reason: Reason,
    game: RecordOption = "",
    kind: _Kind = "eaf",
    turn: _Turn = 0,
    impulse: _Impulse = 0,
) -> None:
    """Record that what a player sent you does not open his seal."""
    if not 0 < len(reason.strip()) <= MOST_REASON:
        raise BadInput("--reason says nothing, or too much", hint=f"at most {MOST_REASON} characters")
    _record(game, _seal(open_game(game), ship, kind, turn, impulse), reason.strip())


def _is_about(body: Any, entry: Entry, box: str) -> None:
    """Raises BadInput where a box holds other orders than those asked for: that is nobody's foul."""
    asked = ("game", "player", "ship", "kind", "turn", "impulse", "seq")
    if wrong := next((name for name in asked if body.get(name) != entry.data.get(name)), ""):
        what = "revision" if wrong == "seq" else wrong
        reason = f"is for {what} {body.get(wrong)}, not {entry.data.get(wrong)}"
        hint = "name the orders it holds; if he sent you the wrong ones: referee umpire reject"
        raise BadInput(safe_line(reason), file=box, hint=hint)


def _seal(game: Game, ship: str, kind: str, turn: int, impulse: int) -> Entry:
    if not game.state.umpire:
        raise BadInput("has no umpire", file=game.path, hint="one is named with game new --umpire")
    target = game.state.ship(ship)
    turn = turn or game.state.turn
    found = game.seals.latest.get((turn, impulse, target.player, target.name, kind))
    if found is None:
        raise BadInput(f"no {seal_text(kind, target.name, turn, impulse)} is sealed", file=game.path)
    return found


def _illegal(game: Game, entry: Entry, form: Any) -> str:
    """The first error in a sealed form; empty where it is legal, or no energy form."""
    if entry.data["kind"] != "eaf":
        return ""

    ship = game.state.ship(entry.data["ship"])
    errors = [f for f in judged(game, ship, form, entry.data["turn"]) if f.severity is Severity.ERROR]
    return f"illegal: {errors[0].rule} {errors[0].message}" if errors else ""


def _record(game: str, entry: Entry, reason: str) -> None:
    """Appends the acknowledgement, or the rejection where there is a reason, and ends the command."""

    def entries(opened: Game) -> Any:
        data = {"seal": entry.hash, "digest": entry.data["digest"], "by": opened.state.umpire}
        return [("umpire_reject", data | {"reason": reason}) if reason else ("umpire_ack", data)]

    opened = append(game, entries)
    line = f"line {entry.line_number}"
    reason = safe_line(reason, MOST_REASON)
    typer.echo(f"rejected: seal in {line}: {reason}" if reason else f"acknowledged: fits the seal in {line}")
    say_head(opened)
    raise typer.Exit(1 if reason else 0)
