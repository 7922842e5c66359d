"""`referee record`: the integrity of a game record."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="A record's integrity: verify, recover, head, sync.", no_args_is_help=True)
    group.command("verify")(verify)
    group.command("recover")(recover)
    group.command("head")(head_code_of)
    group.command("sync")(sync)
    app.add_typer(group, name="record")


def verify(
    path: Annotated[str, typer.Argument(help="The record.")],
    head: Annotated[str, typer.Option(help="A head code or hash that the record must hold.")] = "",
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Check every line of the chain; with --head also that nobody rewrote or cut it since."""
    from json import dumps

    from referee.record.headcode import parse_head
    from referee.record.reading import verify as verified

    found = verified(path, parse_head(head) if head else None)
    if json:
        document = {
            "schema": "referee/record-verified/1",
            "entries": found.lines,
            "head": found.head,
            "hash": found.hash,
        }
        typer.echo(dumps(document | ({"named": found.named} if head else {})))
        return
    typer.echo(f"whole: {found.lines} entries, head {found.head}")
    if head:
        after = found.seq - (found.named or 0)
        typer.echo(
            f"the head given is entry #{found.named}" + (f"; {after} entries came after it" if after else "")
        )
    else:
        typer.echo(
            "a record rewritten from its beginning would pass too: compare heads (--head, record sync)"
        )


def recover(path: Annotated[str, typer.Argument(help="The record.")]) -> None:
    """Set aside a torn tail, and nothing else."""
    from referee.record.recovery import recover as recovered

    done = recovered(path)
    if done.aside:
        typer.echo(f"{done.bytes_aside} bytes set aside in {done.aside}; {done.lines} entries stay")
    else:
        typer.echo(f"nothing to recover: {done.lines} entries, whole")


def head_code_of(
    path: Annotated[str, typer.Argument(help="The record.")],
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show the head code, for pasting into VASSAL chat."""
    from json import dumps

    from referee.record.reading import verify as verified

    found = verified(path)
    typer.echo(
        dumps({"schema": "referee/head/1", "head": found.head, "hash": found.hash}) if json else found.head
    )


def sync(
    path: Annotated[str, typer.Argument(help="Your copy, which is brought up to date.")],
    other: Annotated[str, typer.Argument(help="The other player's copy; only read.")],
) -> None:
    """Take in what the other copy has beyond yours; two that differ are named, and nothing is changed."""
    from functools import partial

    from referee.cli.gamefile import held, open_game, say_head
    from referee.record.copies import Fork
    from referee.record.copies import sync as synced
    from referee.report.safe import safe_line

    try:
        stood = synced(path, other, partial(held, other))
    except Fork as fork:
        for whose, line in (("yours ", fork.ours), ("theirs", fork.theirs)):
            typer.echo(f"{whose}: {safe_line(line.decode('utf-8', 'replace'))}", err=True)
        raise
    if stood.state == "behind":
        typer.echo(f"took in {stood.theirs - stood.common} entries")
    else:
        told = (
            "both copies are the same"
            if stood.state == "same"
            else f"yours is {stood.ours - stood.common} entries ahead"
        )
        typer.echo(told)
    say_head(open_game(path))
