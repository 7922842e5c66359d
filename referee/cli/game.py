"""`referee game`: a game record and what happens in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from referee.cli.gamefile import Game, NewEntry

MODES = ("peer", "umpire", "solo", "physical", "seed")
As = Annotated[str, typer.Option("--as", help="The player this is for.")]
Force = Annotated[
    bool, typer.Option("--force", help="Record it though it is against the rules, with the foul.")
]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="A game record: begun, played on, looked at.", no_args_is_help=True)
    for name, command in (
        ("new", game_new),
        ("join", game_join),
        ("status", game_status),
        ("next", game_next),
        ("apply", game_apply),
        ("undo", game_undo),
        ("rule", game_rule),
        ("replay", game_replay),
        ("report", game_report),
    ):
        group.command(name)(command)
    app.add_typer(group, name="game")


def game_new(
    path: Annotated[str, typer.Argument(help="The record to begin: duel.jsonl.")],
    players: Annotated[str, typer.Option(help="Who plays: alice,bob (a-z, 0-9, _).")],
    rulebook: Annotated[str, typer.Option(help="The rulebook.")] = "sfb-cadet",
    dice: Annotated[str, typer.Option(help=f"How dice are rolled: {', '.join(MODES)}.")] = "solo",
    umpire: Annotated[str, typer.Option(help="The umpire, who does not play.")] = "",
    seed: Annotated[str, typer.Option(help="The text of practice dice (mode seed).")] = "",
    ship: Annotated[
        list[str] | None, typer.Option(help="NAME=CLASS:PLAYER[@2801E][/SPEED], once for each.")
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="A choice about the rules, as key=value.")] = None,
    title: Annotated[str, typer.Option(help="What the game is called.")] = "",
    alone: Annotated[
        bool, typer.Option("--alone", help="Draw every player's nonce here (solo dice).")
    ] = False,
) -> None:
    """Begin a record: players, rules, ships and the kind of dice, which never change."""
    from referee import __version__
    from referee.cli.gamefile import append, now, say_head
    from referee.cli.settings import read_settings, rulebook_in_force
    from referee.core.game import FOLD_VERSION
    from referee.record import journal
    from referee.record.dicekeys import new_game_id, nonce_of_text, self_test
    from referee.rulebooks.registry import ruleset_digest

    self_test()
    names = [name.strip() for name in players.split(",") if name.strip()]
    settings = read_settings(rulebook, option)
    book = rulebook_in_force(settings.rulebook, settings)
    game_id = new_game_id()
    genesis: dict[str, Any] = {
        "format": 1,
        "game": game_id,
        "ruleset": ruleset_digest(book.id),
        "rulebook": book.id,
        "players": names,
        "dice": _dice_terms(path, game_id, dice, names, umpire, seed),
        "fold": FOLD_VERSION,
        "tool": f"referee {__version__}",
    }
    genesis |= {"umpire": umpire} if umpire else {}
    genesis |= {"title": title} if title else {}
    genesis |= {"options": dict(settings.options)} if settings.options else {}
    entries: list[NewEntry] = [("ship", _ship_data(said, names, book)) for said in ship or []]
    turn, _, step = book.procedure("first moment")(book)
    entries.append(("step", {"turn": turn, "step": step}))
    if alone and dice == "solo":
        import secrets

        texts = {name: secrets.token_hex(16) for name in names}
        entries += [("nonce", {"player": n, "nonce": nonce_of_text(t), "text": t}) for n, t in texts.items()]
    journal.create(path, genesis, now())
    game = append(path, lambda _: entries)
    typer.echo(f"began {path}: {book.title}; dice {dice}")
    _say_awaited(game)
    say_head(game)


def _dice_terms(
    path: str, game_id: str, mode: str, players: list[str], umpire: str, seed: str
) -> dict[str, Any]:
    """What the first entry says about dice; a secret it commits to is on the disk before it."""
    from pathlib import Path

    from referee.core.errors import BadInput
    from referee.record.dicekeys import new_secret, seed_commitment
    from referee.record.secretfiles import secrets_folder, write_secret
    from referee.rulebooks.base import nearest

    if mode not in MODES:
        raise BadInput(f"no dice {mode}", hint=nearest(mode, MODES))
    if Path(path).exists():
        raise BadInput("already exists", file=path, hint="a record is never overwritten")
    if mode == "seed":
        if not seed:
            raise BadInput("practice dice need their text", hint="--seed TEXT")
        return {"mode": mode, "text": seed}
    if mode in ("umpire", "solo"):
        if mode == "umpire" and (not umpire or umpire in players):
            raise BadInput("umpire dice need an umpire who does not play", hint="--umpire NAME")
        keeper, secret = umpire if mode == "umpire" else "", new_secret()
        write_secret(secrets_folder(path), "dice-seed.json", {"game": game_id, "seed": secret})
        terms = {"mode": mode, "commitment": seed_commitment(game_id, keeper, secret)}
        return terms | ({"umpire": umpire} if mode == "umpire" else {})
    return {"mode": mode}


def _ship_data(said: str, players: list[str], book: Any) -> dict[str, Any]:
    """A `ship` entry from `NAME=CLASS:PLAYER[@2801E][/SPEED]`."""
    import re

    from referee.cli.shipfiles import find_ship
    from referee.core.errors import BadInput

    match = re.fullmatch(
        r"([^=]{1,60})=([^:@]{1,60}):([a-z0-9_]{1,32})(?:@([0-9]{4}[A-Fa-f]))?(?:/([0-9]{1,2}))?", said
    )
    if not match:
        raise BadInput(f"--ship {said}", hint='write "Constellation=cadet/federation-ca:alice@2801E/16"')
    name, wanted, player, place, speed = match.groups()
    if player not in players:
        raise BadInput(f"{player} is no player", hint=f"players are {', '.join(players)}")
    found = find_ship(wanted, book.id)
    data = {"ship": name.strip(), "class": found.id, "player": player}
    data |= {"at": place.upper()} if place else {}
    return data | ({"speed": speed} if speed else {})


def game_join(
    path: Annotated[str, typer.Argument(help="The record.")],
    player: As = "",
    text: Annotated[str, typer.Option(help="Any words of yours, for umpire and solo dice.")] = "",
) -> None:
    """Take your seat: your part of the dice, committed before the first roll."""
    from referee.cli.gamefile import append, open_game, player_in, say_head
    from referee.core.errors import BadInput
    from referee.record.dicekeys import new_chain, new_secret, nonce_of_text
    from referee.record.keychains import save_chain
    from referee.record.secretfiles import secrets_folder

    game = open_game(path)
    me = player_in(game, player)
    if me not in game.dice.waiting_for():
        raise BadInput(f"{me} has joined already, or these dice need nothing of a player", file=path)
    entry: NewEntry
    if game.state.dice_mode == "peer":
        chain = new_chain()
        save_chain(secrets_folder(path), me, chain)
        entry = ("anchor", {"player": me, "anchor": chain.anchor, "length": chain.length})
    elif text:
        entry = ("nonce", {"player": me, "nonce": nonce_of_text(text), "text": text})
    else:
        entry = ("nonce", {"player": me, "nonce": new_secret()})
    game = append(path, lambda _: [entry])
    typer.echo(f"{me} has joined")
    _say_awaited(game)
    say_head(game)


def game_status(
    path: Annotated[str, typer.Argument(help="The record.")],
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show where the turn stands, the ships, and what is awaited from whom."""
    from json import dumps

    from referee.adjudicator.awaited import awaited
    from referee.cli.gamefile import open_game
    from referee.report.gametext import status_json, status_text

    game = open_game(path)
    waits = awaited(game.state, game.rulebook, game.dice.waiting_for())
    classes = {name: game.ship_class(ship) for name, ship in game.state.ships.items()}
    if json:
        typer.echo(dumps(status_json(game.state, classes, waits, game.head), indent=2))
    else:
        typer.echo(status_text(game.state, classes, waits, game.head))


def _say_awaited(game: Game) -> None:
    from referee.adjudicator.awaited import awaited

    for player, what in awaited(game.state, game.rulebook, game.dice.waiting_for()):
        typer.echo(f"awaited from {player}: {what}")


def game_next(
    path: Annotated[str, typer.Argument(help="The record.")],
    to: Annotated[str, typer.Option(help="TURN, TURN.STEP or TURN.IMPULSE.STEP: 2, 1.4.fire.")] = "",
    force: Force = False,
) -> None:
    """Move on in the sequence of play: to the next step, or to one named."""
    from referee.adjudicator.check import judge
    from referee.cli.gamefile import append, open_game, refuse, say_head
    from referee.core.finding import Finding

    game = open_game(path)
    book, state = game.rulebook, game.state
    now_at = (state.turn, state.impulse, state.step)
    moment = _moment(book, to) if to else book.procedure("next moment")(book, now_at)
    facts = book.procedure("progress")(book, now_at, moment)
    found = [item for rule in book.rules_on("progress", "check") for item in judge(rule, book, facts)]
    refuse([item for item in found if isinstance(item, Finding)], force)
    turn, impulse, step = moment
    data: dict[str, Any] = {"turn": turn, "step": step}
    data |= {} if impulse is None else {"impulse": impulse}
    game = append(path, lambda _: [("step", data)])
    at = f"impulse {impulse}, " if impulse is not None else ""
    typer.echo(f"turn {turn}, {at}{step}")
    _say_awaited(game)
    say_head(game)


def _moment(book: Any, to: str) -> Any:
    """A moment as a player names it; a turn alone is its first step. Raises BadInput."""
    from referee.core.errors import BadInput
    from referee.core.naming import folded
    from referee.rulebooks.base import nearest

    turn, _, rest = to.partition(".")
    if not (turn.isascii() and turn.isdecimal() and 0 < int(turn) < 1000):
        raise BadInput(f"--to {to}", hint="2, 2.energy-allocation or 1.4.fire")
    moments = book.procedure("moments")(book, int(turn))
    if not rest:
        return moments[0]
    names = {
        f"{'' if i is None else f'{i}.'}{step.replace(' ', '-')}": (t, i, step) for t, i, step in moments
    }
    match = [moment for name, moment in names.items() if folded(name) == folded(rest)]
    if not match:
        raise BadInput(f"no step {rest} in turn {turn}", hint=nearest(rest, names))
    return match[0]


def game_apply(
    path: Annotated[str, typer.Argument(help="The record.")],
    files: Annotated[list[str], typer.Argument(help="Energy forms, or volleys (JSON of referee volley).")],
    ship: Annotated[str, typer.Option(help="The ship of the game a form is for.")] = "",
    player: As = "",
    force: Force = False,
) -> None:
    """File energy forms openly: judged with all turns in the record, then recorded."""
    from functools import partial

    from referee.cli.gamefile import append, foul_entries, in_step, open_game, player_in, refuse, say_head
    from referee.cli.gameforms import allocation_in, form_data, judge_turn

    game = open_game(path)
    for file in files:
        target, allocation = allocation_in(game, file, ship)
        me = player_in(game, player or target.player)
        findings = [*in_step(game, "energy allocation", target.name, allocation.turn)]
        findings += judge_turn(game, target, allocation)
        refuse(findings, force)
        entries: list[NewEntry] = [
            (
                "form",
                {"ship": target.name, "turn": allocation.turn, "player": me, "form": form_data(allocation)},
            )
        ]
        entries += foul_entries(findings, me, turn=allocation.turn)
        game = append(path, partial(_same, entries))
        typer.echo(f"filed: {target.name}, turn {allocation.turn}")
    _say_awaited(game)
    say_head(game)


def _same(entries: list[NewEntry], _: Game) -> list[NewEntry]:
    return entries


def game_undo(
    path: Annotated[str, typer.Argument(help="The record.")],
    target: Annotated[int, typer.Argument(help="The entry to take back, by its number (#).")],
    reason: Annotated[str, typer.Option(help="Why.")],
    agreed: Annotated[str, typer.Option(help="Who agrees: alice,bob; all players, or the umpire.")] = "",
) -> None:
    """Take an entry out of the replay; it stays in the record, and its dice stay rolled."""
    from referee.adjudicator.awaited import hinders_undo
    from referee.cli.gamefile import append, open_game, say_head
    from referee.core.errors import BadInput

    game = open_game(path)
    who = [name.strip() for name in agreed.split(",") if name.strip()]
    missing = [name for name in game.state.players if name not in who]
    umpire = str(game.state.genesis.get("umpire", ""))
    if missing and umpire not in who:
        raise BadInput(
            f"{missing[0]} has not agreed", file=path, hint=f"--agreed {','.join(game.state.players)}"
        )
    hindrance = hinders_undo(game.entries, game.state, target)
    if hindrance:
        raise BadInput(hindrance, file=path, place=f"#{target}")
    game = append(path, lambda _: [("undo", {"target": target, "reason": reason, "agreed_by": who})])
    typer.echo(f"#{target} is taken back")
    say_head(game)


def game_rule(
    path: Annotated[str, typer.Argument(help="The record.")],
    text: Annotated[str, typer.Argument(help="The ruling.")],
    by: Annotated[str, typer.Option(help="Who rules: the umpire, or a player if there is none.")],
    on: Annotated[int | None, typer.Option(help="The entry it is about (#).")] = None,
) -> None:
    """Record an umpire's ruling; it stands beside what was found, and changes nothing in it."""
    from referee.cli.gamefile import append, open_game, say_head
    from referee.core.errors import BadInput

    game = open_game(path)
    umpire = str(game.state.genesis.get("umpire", ""))
    if (umpire and by != umpire) or (not umpire and by not in game.state.players):
        raise BadInput(f"{by} does not rule here", file=path, hint=f"--by {umpire or game.state.players[0]}")
    if on is not None and not 0 <= on < len(game.entries):
        raise BadInput(f"no entry #{on}", file=path)
    data: dict[str, Any] = {"by": by, "text": text} | ({} if on is None else {"target": on})
    game = append(path, lambda _: [("ruling", data)])
    typer.echo("ruled")
    say_head(game)


def game_replay(
    path: Annotated[str, typer.Argument(help="The record.")],
    to: Annotated[int | None, typer.Option(help="Stop after this entry (#) and show the game there.")] = None,
    json: Annotated[bool, typer.Option("--json", help="The state as JSON.")] = False,
) -> None:
    """Step through a game: every entry in a line, or the state after one of them."""
    from json import dumps

    from referee.cli.gamefile import open_game
    from referee.core.errors import BadInput
    from referee.core.game import fold_game
    from referee.report.gametext import entry_line, state_hash, status_json, status_text
    from referee.rulebooks.registry import load_ship

    game = open_game(path)
    if to is None and not json:
        for entry in game.entries:
            typer.echo(entry_line(entry, entry.seq in game.state.undone))
        typer.echo(f"state {state_hash(game.state)}")
        return
    last = len(game.entries) - 1 if to is None else to
    if not 0 <= last < len(game.entries):
        raise BadInput(f"no entry #{last}", file=path, hint=f"0 to {len(game.entries) - 1}")
    state = fold_game(game.entries[: last + 1], load_ship)
    classes = {name: game.ship_class(ship) for name, ship in state.ships.items()}
    if json:
        document = status_json(state, classes, [], "") | {"state_hash": state_hash(state)}
        typer.echo(dumps(document, indent=2))
    else:
        typer.echo(status_text(state, classes, [], ""))
        typer.echo(f"state {state_hash(state)}")


def game_report(
    path: Annotated[str, typer.Argument(help="The record.")],
    output: Annotated[str, typer.Option("-o", "--output", help="Write it here.")] = "",
) -> None:
    """Tell the whole game as Markdown: terms, turns, fouls, rulings, and how to check it."""
    from referee.adjudicator.awaited import awaited
    from referee.cli.gamefile import open_game
    from referee.cli.output import write_output
    from referee.report.gametext import report_markdown

    game = open_game(path)
    classes = {name: game.ship_class(ship) for name, ship in game.state.ships.items()}
    waits = awaited(game.state, game.rulebook, game.dice.waiting_for())
    write_output(report_markdown(game.state, game.entries, classes, waits, game.head, path), output, [path])
