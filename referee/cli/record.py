"""`referee record`: the integrity of a game record."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import Json, RecordFile
from referee.core.entry_words import entry_line
from referee.core.errors import IntegrityFailure
from referee.core.naming import how_many
from referee.core.safe import safe_line
from referee.record.headcode import parse_head
from referee.record.reading import read
from referee.record.reading import verify as verified

if TYPE_CHECKING:
    from referee.record.chain import Entry


MANY = 9
"""As many more reasons are told at once."""


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="A record's integrity: verify, recover, head, sync.", no_args_is_help=True)
    group.command("verify")(verify)
    group.command("recover")(recover)
    group.command("head")(head_code_of)
    group.command("sync")(sync)
    app.add_typer(group, name="record")


def verify(
    path: RecordFile,
    head: Annotated[str, typer.Option(help="A head code or hash that the record must hold.")] = "",
    json: Json = False,
) -> None:
    """Check every line of the chain; with --head also that nobody rewrote or cut it since."""
    from referee.play.audit import signatures_hold

    found = verified(path, parse_head(head) if head else None)
    entries = read(path)
    signed = signatures_hold(path, entries)
    if json:
        document = {
            "schema": "referee/record-verified/1",
            "entries": found.lines,
            "head": found.head,
            "hash": found.hash,
            "signed": signed,
            "signatures": sum(len(entry.sigs) for entry in entries),
        }
        typer.echo(dumps(document | ({"named": found.named} if head else {})))
        return
    typer.echo(f"whole: {how_many(found.lines, 'entry', 'entries')}, head {found.head}")
    typer.echo(_signatures(entries))
    if head:
        after = found.seq - (found.named or 0)
        typer.echo(
            f"the head given is entry #{found.named}"
            + (f"; {how_many(after, 'entry', 'entries')} came after it" if after else "")
        )
    else:
        typer.echo(
            "a record rewritten from its beginning would pass too: compare heads (--head, record sync)"
        )


def recover(path: RecordFile) -> None:
    """Set aside a torn tail, and nothing else."""
    from referee.record.recovery import recover as recovered

    done = recovered(path)
    if done.aside:
        typer.echo(
            f"{how_many(done.bytes_aside, 'byte')} set aside in {done.aside}; {how_many(done.lines, 'entry stays', 'entries stay')}"
        )
    else:
        typer.echo(f"nothing to recover: {how_many(done.lines, 'entry', 'entries')}, whole")


def head_code_of(
    path: RecordFile,
    json: Json = False,
) -> None:
    """Show the head code, for pasting into VASSAL chat."""
    found = verified(path)
    typer.echo(
        dumps({"schema": "referee/head/1", "head": found.head, "hash": found.hash}) if json else found.head
    )


def sync(
    path: Annotated[str, typer.Argument(help="Your copy, which is brought up to date.")],
    other: Annotated[str, typer.Argument(help="The other player's copy; only read.")],
    player: Annotated[str, typer.Option("--as", help="Who you are, if your key chain does not say.")] = "",
    agree: Annotated[
        bool,
        typer.Option(
            "--agree",
            help="Sign what others propose, and accept any number of new entries, also unsigned ones in your name.",
        ),
    ] = False,
) -> None:
    """Take in what the other copy has beyond yours; two that differ are named, and nothing is changed.

    Whatever stands in either copy is verified: chain, signatures, dice and rules, also where nothing is new.
    What lacks the signature of somebody in whose name it is, he never said: it is refused, in a record of no
    signatures what is said in yours. So is a claim that you kept back a key, giving up a roll alone for which
    you gave one, and typing dice in where the game's are not typed. Far more than a
    game grows by between two syncs is refused too. What others propose, --agree signs.
    """
    from referee.cli.game_status import say_head, warn_of_rules
    from referee.play.audit import held, proved
    from referee.play.claims import claims, holders_of_keys
    from referee.play.game_file import open_game, player_in
    from referee.play.told_again import lines_again
    from referee.record.copies import Fork
    from referee.record.copies import sync as synced

    mine = open_game(path)
    known = len(mine.entries)
    signed = "signers" in mine.state.genesis
    mes = [player_in(mine, player)] if player else holders_of_keys(path, mine.entries)

    def check(entries: Sequence[Entry]) -> Sequence[Entry]:
        if _signed_otherwise(mine.entries, entries):
            proved(path, mine.entries)
        held(other, entries)
        against = [] if agree else claims(path, entries, known, mes)
        return _signed(path, other, entries, known, against, agree=agree)

    try:
        stood = synced(path, other, check, however_much=agree)
    except Fork as fork:
        for whose, line in (("yours ", fork.ours), ("theirs", fork.theirs)):
            typer.echo(f"{whose}: {safe_line(line.decode('utf-8', 'replace'))}", err=True)
        raise
    if stood.state == "behind":
        typer.echo(f"took in {how_many(stood.theirs - stood.common, 'entry', 'entries')}")
        for entry_lines in lines_again(open_game(path), stood.common):
            typer.echo(indent(entry_lines, "  "))
        if not mes and not signed:
            typer.echo("you did not say who you are (--as): entries in your name were not checked")
    else:
        held(path, mine.entries)
        proved(path, mine.entries)
        if _signed_otherwise(mine.entries, theirs := read(other)):
            proved(other, theirs)
        sentence = (
            "both copies are the same"
            if stood.state == "same"
            else f"yours is {how_many(stood.ours - stood.common, 'entry', 'entries')} ahead"
        )
        typer.echo(f"{sentence}, and whole: chain, dice and rules hold")
        typer.echo(_signatures(mine.entries))
    game = open_game(path)
    warn_of_rules(game)
    say_head(game)


def _signatures(entries: Sequence[Entry]) -> str:
    """What the signatures of a verified record prove."""
    if "signers" not in entries[0].data:
        return "unsigned: it does not prove who said what"
    return f"signed: all {sum(len(entry.sigs) for entry in entries)} signatures hold"


def _signed_otherwise(ours: Sequence[Entry], theirs: Sequence[Entry]) -> bool:
    """Do other signatures stand in the entries that both copies have? The chain does not hold them."""
    return any(mine.sigs != other.sigs for mine, other in zip(ours, theirs, strict=False))


def _signed(
    path: str,
    other: str,
    entries: Sequence[Entry],
    known: int,
    against: Sequence[tuple[int, str]],
    *,
    agree: bool,
) -> Sequence[Entry]:
    """The entries, with the signatures that are asked for here. Raises IntegrityFailure where one does not hold,
    and for all that needs a word of whoever takes the copy in, so that he gives it knowing what for; ends the
    command where others have to sign first what is agreed to."""
    from referee.play.audit import apart
    from referee.record.secretfiles import secrets_folder
    from referee.record.signkeys import agreed_to

    try:
        apart(entries)
        taken, asked, missing = agreed_to(secrets_folder(path), entries, known, agree=agree)
    except IntegrityFailure as error:
        error.hint = error.hint or "nothing was taken in"
        raise error.at(file=other) from None
    if not agree and (against or asked):
        wants = [
            (
                unsigned.entry.line_number,
                f"{unsigned.entry.type} in the name of {unsigned.names[0]} without the signature of {unsigned.names[0]}",
            )
            for unsigned in asked
        ]
        (line, reason), *more = sorted((*against, *wants))
        for number in sorted({number for number, _ in (*against, *wants)}):
            typer.echo(f"  {entry_line(entries[number - 1])}")
        hint = "nothing was taken in; --agree takes it in" if against else "--agree signs it in your name"
        if against and wants:
            hint = "nothing was taken in; --agree takes it all in, and signs in your name"
        reason += "".join(f"; line {number}: {what}" for number, what in more[:MANY])
        reason += f"; and {len(more) - MANY} more" if len(more) > MANY else ""
        raise IntegrityFailure(reason, file=other, place=f"line {line}", hint=hint)
    if missing:
        from referee.play.append import propose

        propose(path, taken, missing)
    return taken
