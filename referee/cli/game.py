"""`referee game`: a game record and what happens in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from referee.play.start import MODES

if TYPE_CHECKING:
    from referee.play.start import Begun, Terms

As = Annotated[str, typer.Option("--as", help="The player this is for.")]
Side = Annotated[str, typer.Option("--as", help="Only what this side knows, where sides have secrets.")]
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
        ("apply", game_apply),
        ("choose", game_choose),
        ("rule", game_rule),
        ("replay", game_replay),
    ):
        group.command(name)(command)
    from referee.cli.game_key import game_key
    from referee.cli.game_next import game_lock, game_next, game_resolve
    from referee.cli.game_report import game_report
    from referee.cli.game_say import game_chat, game_say
    from referee.cli.game_undo import game_undo

    group.command("chat")(game_chat)
    group.command("say")(game_say)
    group.command("key")(game_key)
    group.command("undo")(game_undo)
    group.command("report")(game_report)
    group.command("next")(game_next)
    group.command("resolve")(game_resolve)
    group.command("lock")(game_lock)
    app.add_typer(group, name="game")


def game_new(
    path: Annotated[str, typer.Argument(help="The record to begin: duel.jsonl.")],
    players: Annotated[str, typer.Option(help="Who plays: alice,bob (a-z, 0-9, _).")] = "",
    rulebook: Annotated[str, typer.Option(help="The rulebook; that of the ships, or sfb-cadet.")] = "",
    dice: Annotated[str, typer.Option(help=f"How dice are rolled: {', '.join(MODES)}.")] = "solo",
    umpire: Annotated[str, typer.Option(help="The umpire, who does not play.")] = "",
    seed: Annotated[str, typer.Option(help="The text of practice dice (mode seed).")] = "",
    ship: Annotated[
        list[str] | None,
        typer.Option(help="NAME=CLASS:PLAYER[@2801E][/SPEED], once for each; with --from NAME=CLASS."),
    ] = None,
    source: Annotated[
        str, typer.Option("--from", help="Go on from a VASSAL save or log, or a log of the online client.")
    ] = "",
    player: Annotated[
        list[str] | None, typer.Option(help="Who plays a ship or side of the file: Federation=alice.")
    ] = None,
    module: Annotated[str, typer.Option(help="The module of the file, for the names of hexes.")] = "",
    map: Annotated[str, typer.Option(help="What the module's names mean (referee init map).")] = "",
    option: Annotated[list[str] | None, typer.Option(help="A choice about the rules, as key=value.")] = None,
    house: Annotated[str, typer.Option(help="A house-rules file (TOML).")] = "",
    title: Annotated[str, typer.Option(help="What the game is called.")] = "",
    setup: Annotated[str, typer.Option(help="A combat file: its ships, crews, options, obstacles.")] = "",
    data: Annotated[str, typer.Option(help="A folder with your own ships, crews and charts (JSON).")] = "",
    form: Annotated[
        list[str] | None,
        typer.Option(help="Its energy form beside a log of the online client: SHIP=form.csv."),
    ] = None,
    targets: Annotated[
        list[str] | None, typer.Option("--target", help="SEEKER=SHIP: what it goes after, in such a log.")
    ] = None,
    robot: Annotated[
        list[str] | None, typer.Option(help="A ship that a robot plays: it fills in no form.")
    ] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="One person plays all sides: nobody has to join (solo dice).")
    ] = False,
    operator: Annotated[
        str,
        typer.Option(help="Who keeps the seed of solo dice; the umpire or the first player unless given."),
    ] = "",
) -> None:
    """Begin a record: players, rules, ships and the kind of dice, which never change."""
    from dataclasses import replace

    from referee.core.errors import BadInput
    from referee.play.game_file import agreeing
    from referee.play.start import Terms, begin, rulebook_of_ships
    from referee.play.taken import begin_from, hold_together
    from referee.sources.asked import Asked
    from referee.sources.own_documents import own_document
    from referee.sources.settings import read_settings

    only = {"--player": player, "--module": module, "--map": map, "--form": form, "--target": targets}
    hold_together(source, players, only, {"--setup": setup, "--data": data})
    settings = read_settings(rulebook, option, house)
    document = own_document(setup) if setup else {}
    title = title or str(document.get("title", ""))
    terms = Terms(path, agreeing(players), dice, umpire, seed, title, alone, document, data, setup)
    terms = replace(terms, robots=tuple(robot or ()), operator=operator)
    if source and robot:
        raise BadInput(
            "--robot with --from", hint="leave --robot out: its forms are in the file, or asked for"
        )
    if source:
        asked = Asked(settings, tuple(ship or ()), module=module, map=map, forms=tuple(form or ()))
        asked = replace(asked, targets=tuple(targets or ()))
        begun = begin_from(source, terms, asked, player or [])
    else:
        settings = replace(settings, rulebook=settings.rulebook or rulebook_of_ships(ship or []))
        begun = begin(terms, settings, ship or [])
    say_begun(terms, begun)


def say_begun(terms: Terms, begun: Begun) -> None:
    """Writes the entries of a game that is begun, and says what comes next."""
    from referee.cli.game_status import say_awaited, say_head
    from referee.play.append import append_begun

    game = append_begun(terms.path, begun)
    typer.echo(f"began {terms.path}: {begun.rulebook.title}; dice {terms.dice}")
    if rows := game.state.genesis.get("confirmed"):
        from referee.core.naming import how_many

        typer.echo(
            f"its ships have {how_many(len(rows), 'number')} confirmed from an SSD, written in its first entry"
        )
    for item in begun.left_out:
        typer.echo(f"not taken: {item}")
    say_awaited(game)
    say_head(game)


def game_join(
    path: Annotated[str, typer.Argument(help="The record.")],
    player: As = "",
    text: Annotated[str, typer.Option(help="Any words of yours, for umpire and solo dice.")] = "",
) -> None:
    """Take your seat: a signing key of your own, and your part of the dice, before the first roll."""
    from referee.cli.game_status import say_awaited, say_head
    from referee.play.seat import take_seat

    game, me = take_seat(path, player, text)
    typer.echo(f"{me} has joined")
    say_awaited(game)
    say_head(game)


def game_status(
    path: Annotated[str, typer.Argument(help="The record.")],
    side: Side = "",
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show where the turn stands, the ships, and what is awaited from whom."""
    from referee.cli.game_status import status_of

    typer.echo(status_of(path, side, "json" if json else "full"), nl=False)


def game_apply(
    path: Annotated[str, typer.Argument(help="The record.")],
    files: Annotated[list[str], typer.Argument(help="Orders, or energy forms: csv, xlsx, ods or json.")],
    ship: Annotated[str, typer.Option(help="The ship of the game a form is for.")] = "",
    player: As = "",
    force: Force = False,
) -> None:
    """Play orders from a file, or file energy forms openly: judged with all the record holds, then recorded."""
    from referee.cli.game_status import say_awaited, say_head
    from referee.play.game_file import open_game
    from referee.play.moving_on import file_form
    from referee.play.say import play
    from referee.sources.inputs import read_input

    for file in files:
        game = open_game(path)
        if game.state.own is not None:
            from referee.play.rulebook_verbs import play_file

            game = play_file(path, file, player, force)
            continue
        source = read_input(file)
        text = source.data.decode("utf-8", "replace") if source.kind == "text" else ""
        played = play(game, text, file, player, force) if text else None
        game = played or file_form(game, file, ship, player, force)
    say_awaited(game)
    say_head(game)


def game_choose(
    path: Annotated[str, typer.Argument(help="The record.")],
    ship: Annotated[str, typer.Argument(help="The ship of yours.")],
    policy: Annotated[
        str,
        typer.Argument(
            help="protect-weapons, protect-power, spread, or ask: you are asked for each box; then the box."
        ),
    ],
    player: As = "",
) -> None:
    """Say how the boxes of your ship are picked when others roll damage on it (D4.223); or, asked for one, which box."""
    from referee.cli.game_status import say_head
    from referee.play.choosing import choose
    from referee.play.game_file import open_game

    say_head(choose(open_game(path), ship, policy, player))


def game_rule(
    path: Annotated[str, typer.Argument(help="The record.")],
    text: Annotated[str, typer.Argument(help="The ruling.")],
    by: Annotated[str, typer.Option(help="Who rules: the umpire, or a player if there is none.")],
    on: Annotated[int | None, typer.Option(help="The entry it is about (#).")] = None,
) -> None:
    """Record an umpire's ruling; it stands beside what was found, and changes nothing in it."""
    from referee.cli.game_status import say_head
    from referee.core.errors import BadInput
    from referee.play.append import append
    from referee.play.game_file import open_game

    game = open_game(path)
    umpire = game.state.umpire
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
    side: Side = "",
    json: Annotated[bool, typer.Option("--json", help="The state as JSON.")] = False,
) -> None:
    """Step through a game: every entry in a line, or the state after one of them."""
    from dataclasses import replace
    from json import dumps

    from referee.adjudicator.standing import standing_of
    from referee.cli.game_status import hidden_in, side_only, warn_of_rules
    from referee.core.entry_words import entry_line
    from referee.core.errors import BadInput
    from referee.core.gamefold import fold_game
    from referee.core.takenback import taken_back
    from referee.play.game_file import open_game
    from referee.play.rulebook import own_fold
    from referee.record.headcode import head_code
    from referee.report.gametext import state_hash, status_json, status_text
    from referee.rulebooks.registry import load_ship

    game = open_game(path)
    warn_of_rules(game)
    if to is None and not json and not side:
        back = taken_back(game.entries)
        for entry in game.entries:
            typer.echo(entry_line(entry) + back.mark(entry))
        typer.echo(f"state {state_hash(game.state)}")
        return
    last = len(game.entries) - 1 if to is None else to
    if not 0 <= last < len(game.entries):
        raise BadInput(f"no entry #{last}", file=path, hint=f"0 to {len(game.entries) - 1}")
    state = fold_game(game.entries[: last + 1], load_ship, own_fold(game.entries))
    if side:
        typer.echo(side_only(replace(game, state=state), side, "json" if json else "full"), nl=False)
        return
    classes = {name: game.ship_class(ship) for name, ship in state.ships.items()}
    cloaks = hidden_in(replace(game, state=state))
    if json:
        head = head_code(last, game.entries[last].hash)
        document = status_json(state, classes, [], head, standing_of(state), cloaks) | {
            "state_hash": state_hash(state)
        }
        typer.echo(dumps(document, indent=2))
    else:
        typer.echo(status_text(state, classes, [], "", standing_of(state), cloaks))
        typer.echo(f"state {state_hash(state)}")
