"""`referee dice`: rolls of a game, from the declaration to the proof."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.cli.options import As, Json, Reason, RecordFile
from referee.core.errors import BadInput
from referee.core.naming import how_many
from referee.core.safe import safe_line
from referee.core.undoing import hinders_undo
from referee.play.game_file import agreeing, game_of, open_game, player_in
from referee.record.reading import read
from referee.record.secretfiles import secrets_folder

if TYPE_CHECKING:
    from referee.play.game_file import Game

Agreed = Annotated[str, typer.Option(help="Who agrees: alice,bob.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="Dice of a game: keys, throws, and their proof.", no_args_is_help=True)
    for name, command in (
        ("key", dice_key),
        ("throw", dice_throw),
        ("enter", dice_enter),
        ("confirm", dice_confirm),
        ("void", dice_void),
        ("forfeit", dice_forfeit),
        ("reroll", dice_reroll),
        ("show-seed", dice_show_seed),
        ("verify", dice_verify),
        ("stats", dice_stats),
    ):
        group.command(name)(command)
    app.add_typer(group, name="dice")


def dice_key(
    path: RecordFile,
    player: As = "",
    paste: Annotated[str, typer.Option(help="A key line from chat or mail, instead of your own.")] = "",
    show: Annotated[
        bool, typer.Option("--show", help="Only show your key line; whoever pastes it records it.")
    ] = False,
) -> None:
    """Give your key for the declared roll, or paste another player's; with the last one the dice fall."""
    from referee.cli.game_status import say_head
    from referee.play.append import append, thrown
    from referee.record.keychains import answer, parse_key_line
    from referee.record.signkeys import signed_key

    game = open_game(path)
    game.must_have_its_rules()
    key_text, _, signature = paste.partition(" signed ")
    if key_text:
        line = parse_key_line(key_text)
    else:
        folder = secrets_folder(path)
        line = answer(folder, player_in(game, player), game.entries)
        signature = signed_key(folder, game.entries, line.data)
    typer.echo(f"{line} signed {signature}" if signature else f"{line}")
    if show:
        return
    given = {line.player: signature.strip()} if signature else {}
    game = append(path, lambda _: [("key", line.data)], given)
    if game.dice.waiting_for():
        typer.echo(f"awaited from {', '.join(game.dice.waiting_for())}: key for roll {line.roll} (dice key)")
        say_head(game)
        return
    thrown(path)


def dice_throw(path: RecordFile) -> None:
    """Throw the declared roll when all keys are in, and apply what it does."""
    from referee.play.append import thrown

    thrown(path)


def dice_enter(
    path: RecordFile,
    faces: Annotated[
        list[int] | None,
        typer.Argument(help="The faces as they fell, die by die. Without them: lists the dice to come."),
    ] = None,
    player: As = "",
    again: Annotated[
        bool, typer.Option("--again", help="Forget the faces of this roll that were typed in before.")
    ] = False,
) -> None:
    """Type in dice thrown by hand; another player, or the umpire, confirms them before the next roll. Where
    one after another is easier, some may be typed in now and the rest later: it is said which is next."""
    from referee.play.typed_dice import entered

    game = open_game(path)
    me = player_in(game, player)
    after = entered(game, faces or (), me, again=again)
    if after is None:
        return
    others = [name for name in game.state.players if name != me]
    others += [game.state.umpire] if game.state.umpire else []
    typer.echo(f"awaited from {' or '.join(others)}: to confirm them (dice confirm)")


def dice_confirm(path: RecordFile, player: As = "") -> None:
    """Confirm dice that another player typed in; the umpire may confirm any."""
    from referee.cli.game_status import say_head
    from referee.play.append import append

    game = open_game(path)
    me = player_in(game, player)
    due = [roll for roll in game.dice.rolls.values() if roll.typed and not roll.confirmed]
    if not due:
        raise BadInput("no typed dice wait to be confirmed", file=path)
    if me == due[-1].entered_by and me != game.state.umpire:
        raise BadInput(f"{me} typed them in; somebody else confirms them", file=path)
    data = {"roll": due[-1].number, "by": me, "result": due[-1].result}
    say_head(append(path, lambda _: [("confirm", data)]))


def _open_roll(game: Game) -> Any:
    if game.dice.open_roll is None:
        raise BadInput("no roll is declared", file=game.path)
    return game.dice.open_roll


def dice_void(path: RecordFile, reason: Reason, agreed: Agreed) -> None:
    """Give up a declared roll; its number is used up, so nothing is gained by it."""
    from referee.cli.game_status import say_head
    from referee.play.append import append

    roll = _open_roll(open_game(path))
    who = agreeing(agreed)
    data = {"roll": roll.number, "declaration": roll.declaration, "reason": reason, "agreed_by": who}
    say_head(append(path, lambda _: [("void", data)]))


def dice_forfeit(
    path: RecordFile,
    refuser: Annotated[str, typer.Option(help="Who keeps back the key.")],
    player: As = "",
    agreed: Annotated[
        str, typer.Option(help="Who agrees, if the refuser declared the roll: all who gave a key.")
    ] = "",
) -> None:
    """A key was refused: the dice are made without it; who declared and keeps back the last key gets none."""
    from referee.cli.game_status import say_awaited, say_head
    from referee.play.append import append
    from referee.play.dice import forfeit

    game = open_game(path)
    me, roll = player_in(game, player), _open_roll(game)
    new = forfeit(game, roll, refuser, me, agreeing(agreed))
    game = append(path, lambda _: new)
    if game.dice.open_roll is None:
        typer.echo(f"roll {roll.number} is forfeited by {refuser}")
    else:
        typer.echo(f"roll {roll.number} is made without the key of {refuser}")
        say_awaited(game)
    say_head(game)


def dice_reroll(
    path: RecordFile,
    roll: Annotated[int, typer.Argument(help="The roll that does not count.")],
    reason: Reason,
    agreed: Agreed,
) -> None:
    """By agreement of all, set a result aside with what it did; a new roll may be declared for it."""
    from referee.cli.game_status import say_head
    from referee.play.append import append

    game, who = open_game(path), agreeing(agreed)
    known = game.state.rolls.get(roll)
    new: list[Any] = [("reroll", {"roll": roll, "agreed_by": who, "reason": reason})]
    if known and known.applied is not None:
        if hindrance := hinders_undo(game.entries, known.applied):
            raise BadInput(hindrance, file=path, place=f"#{known.applied}")
        undo = {"target": known.applied, "reason": reason, "agreed_by": who}
        new.insert(0, ("undo", undo))
    game = append(path, lambda _: new)
    typer.echo(f"roll {roll} does not count")
    say_head(game)


def dice_show_seed(path: RecordFile) -> None:
    """At the end of a game: show the umpire's or operator's seed, so that every roll can be recomputed."""
    from referee.cli.game_status import say_head
    from referee.play.append import append
    from referee.play.dice import secret_seed

    seed = secret_seed(open_game(path))
    if seed is None:
        raise BadInput("the seed of these dice is not here", file=path)
    say_head(append(path, lambda _: [("dice_seed", {"seed": seed})]))


def dice_verify(path: RecordFile, json: Json = False) -> None:
    """Recompute every roll from the record alone: keys, order, faces, what volleys did, and every foul."""
    from referee.record.recompute import recompute

    entries = read(path)
    report = recompute(entries)
    rules = [] if report.mismatches else _by_the_rules(path, entries)
    if json:
        wrong = [
            {"line": m.line, "roll": m.roll, "kind": m.kind, "reason": m.reason} for m in report.mismatches
        ]
        document = {
            "schema": "referee/dice-verified/1",
            "mode": report.mode,
            "rolls": len(report.rolls),
            "recomputed": list(report.recomputed),
            "pending": list(report.pending),
            "typed": list(report.typed),
            "mismatches": wrong,
            "effects": [{"line": line, "reason": reason} for line, reason in rules],
        }
        typer.echo(dumps(document))
    else:
        for mismatch in report.mismatches:
            typer.echo(f"{path}: line {mismatch.line}: roll {mismatch.roll}: {mismatch.reason}", err=True)
        for line, reason in rules:
            typer.echo(f"{path}: line {line}: {safe_line(reason)}", err=True)
        text = f"{how_many(len(report.rolls), 'throw' if report.typed else 'roll')}, {len(report.recomputed)} recomputed"
        text += f", {len(report.typed)} typed in by hand" if report.typed else ""
        text += f", {len(report.pending)} to be recomputed when the seed is shown" if report.pending else ""
        typer.echo(f"{text}, {len(report.mismatches) + len(rules)} wrong ({report.mode} dice)")
    if report.mismatches or rules:
        raise typer.Exit(3)


def _by_the_rules(path: str, entries: list[Any]) -> list[tuple[int, str]]:
    """Lines that the rules do not bear out."""
    from referee.cli.game_status import warn_of_rules
    from referee.play.audit import proved, wrong_lines

    game = game_of(path, entries)
    warn_of_rules(game)
    wrong = wrong_lines(game)
    if not wrong:
        proved(path, entries)
    return wrong


def dice_stats(
    path: RecordFile,
    side: Annotated[
        str, typer.Option("--as", help="Only rolls this side may see in full, where sides have secrets.")
    ] = "",
    json: Json = False,
) -> None:
    """Count how the dice fell, beside the range to expect of fair ones."""
    from referee.play.fallen_dice import as_counted
    from referee.record.recompute import recompute
    from referee.record.stats import dice_stats as counted

    entries = read(path)
    game, rolls = game_of(path, entries), recompute(entries).rolls
    if side:
        from referee.play.self_kept_table import told_rolls

        numbers = told_rolls(game, side)
        rolls = tuple(roll for roll in rolls if roll.number in numbers)
    stats = counted(as_counted(game, rolls))
    if json:
        rows = [
            {
                "player": s.player,
                "sides": s.sides,
                "source": s.source,
                "dice": s.dice,
                "p": s.p,
                "exact": s.exact,
                "faces": [
                    {"face": f.face, "count": f.count, "low": f.low, "high": f.high, "p": f.p}
                    for f in s.faces
                ],
            }
            for s in stats
        ]
        typer.echo(dumps({"schema": "referee/dice-stats/1", "stats": rows}))
        return
    for s in stats:
        typer.echo(
            f"{s.player}, d{s.sides} ({s.source}): {s.dice} dice, mean {float(s.mean):.2f} ({s.mean_low:.2f} to {s.mean_high:.2f} in 95 of 100 games)"
        )
        for f in s.faces:
            typer.echo(f"  {f.face:>3}: {f.count:>4}   fair dice: {f.low} to {f.high}")
        typer.echo(f"  dice as uneven as these or more: {s.p:.1%} of fair games")
    if not stats:
        typer.echo("no dice have been thrown")
