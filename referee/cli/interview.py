"""`referee init game` on a terminal: a few questions, each with a default, and the game is begun."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import typer

from referee.cli.asking import ask
from referee.core.errors import BadInput
from referee.core.hexgrid import parse_map_position
from referee.core.naming import names_like
from referee.formats.files import hold_apart
from referee.play.game_file import agreeing, open_game
from referee.play.scenario_begun import open_places, with_places
from referee.play.start import MODES
from referee.record.canonical import KEY
from referee.rulebooks.base import nearest
from referee.rulebooks.registry import (
    descriptors,
    load_scenario,
    load_ship,
    own_ships,
    rulebook_ids,
    scenario_ids,
    ship_ids,
)

if TYPE_CHECKING:
    from referee.core.scenario import Scenario

NONE = "none"
STARTS = ("1010D/8", "1025A/8", "1510D/8", "1525A/8")
"""Where ships of no scenario start unless it is said: two and two, bow to bow."""


def asked_for(question: str, default: str, hold: Callable[[str], str]) -> str:
    """The answer to a question, Enter for its default, as `hold` has it; asked again for what it refuses."""
    while True:
        reply = ask(f"{question} [{default}]: ")
        if reply is None or reply.strip() == "q":
            raise typer.Abort
        try:
            return hold(reply.strip() or default)
        except BadInput as error:
            typer.echo(f"  {error}")


def one_of(known: Iterable[str]) -> Callable[[str], str]:
    """Holds an answer against what there is."""
    names = list(known)

    def hold(name: str) -> str:
        if name not in names:
            raise BadInput(f"there is no {name}", hint=names_like(name, names))
        return name

    return hold


def interview(begin: Callable[..., None], file: str) -> None:
    """Asks for rulebook, listed, ships, players, dice and file, and begins the game by what is answered."""
    typer.echo("A new game. Enter takes what stands in brackets, q leaves and writes nothing.")
    for id in rulebook_ids():
        typer.echo(f"  {id:<13} {descriptors()[id]['title']}")
    rulebook = asked_for("Rulebook", "sfb-cadet", one_of(rulebook_ids()))
    there = [load_scenario(id) for id in scenario_ids()]
    there = [listed for listed in there if listed.rulebook == rulebook]
    for listed in there:
        typer.echo(f"  {listed.id:<4} {listed.title}: {listed.objective}")
    number = NONE
    if there:
        typer.echo(f"  {NONE} ships of your own choice")
        plain = [listed.id for listed in there if not listed.seekers and not open_places(listed.units)]
        default = next(iter(plain), there[0].id)
        number = asked_for("Scenario", default, one_of([NONE, *(listed.id for listed in there)]))

    def names(text: str) -> str:
        if wrong := [name for name in agreeing(text) if not KEY.fullmatch(name)]:
            raise BadInput(f"{wrong[0][:40]} is no player's name", hint="a-z, 0-9 and _: alice,bob")
        return ",".join(agreeing(text))

    scenario = load_scenario(number) if number != NONE else None
    players = asked_for("Who plays", "alice,bob", names)
    places, ships = (_places(scenario), []) if scenario else ([], _ships(rulebook, players.split(",")))
    leave_out = scenario is not None and any(unit.optional for unit in scenario.units)
    whole = leave_out and asked_for("With the optional ships", "no", one_of(("yes", "no"))) == "yes"
    typer.echo(
        "  peer: all make the dice together; solo: one keeps the seed; umpire: he does; seed: practice dice"
    )
    alone = "," not in players
    dice = asked_for("Dice", "solo" if alone else "peer", one_of(MODES))
    umpire = asked_for("Who is the umpire", "umpire", names) if dice == "umpire" else ""
    seed = asked_for("A text that makes the practice dice", "practice", str) if dice == "seed" else ""
    path = asked_for("File", file or "game.jsonl", _new_name)
    begin(
        scenario=number if scenario else "",
        rulebook=rulebook,
        at=places,
        ship=ships,
        all=whole,
        record=path,
        players=players,
        dice=dice,
        umpire=umpire,
        seed=seed,
        alone=alone and dice == "solo",
    )
    typer.echo(f"next: {_next(path)}")


def _next(path: str) -> str:
    """The command that goes on with a game that is just begun."""
    game = open_game(path)
    if waited := game.dice.waiting_for():
        return f"referee game join {path} --as {waited[0]}"
    return f"referee game status {path}"


def _new_name(name: str) -> str:
    hold_apart(name, (), new=True)
    return name


def _places(scenario: Scenario) -> list[str]:
    """Where the units start whose place the book leaves to the players."""
    places: list[str] = []
    for n, name in enumerate(open_places(scenario.units)):

        def hold(place: str, name: str = name) -> str:
            with_places(scenario, [f"{name}={place}"])
            return f"{name}={place}"

        places.append(
            asked_for(f"{name} starts at", f"{5 + 2 * n:02}{10 + n % 2 * 4:02}{'DA'[n % 2]}/8", hold)
        )
    return places


def _start(start: str) -> str:
    """Holds a hex, a facing and a speed."""
    at, _, speed = start.partition("/")
    hint = "hex, facing and speed: 1010D/8"
    try:
        _, facing = parse_map_position(at)
    except ValueError as error:
        raise BadInput(str(error), hint=hint) from None
    if facing is None or not (speed.isascii() and speed.isdecimal() and len(speed) < 3):
        raise BadInput(f"{start[:40]} is no start", hint=hint)
    return start


def _ships(rulebook: str, players: list[str]) -> list[str]:
    """Ships of the players' own choice, one each."""
    known = [id for id in ship_ids() if load_ship(id).rulebook == rulebook]
    known += [id for id, of in own_ships().items() if of == rulebook]
    whole = [id for id in known if id in own_ships() or "mounts" not in load_ship(id).missing]
    ships = []
    for n, player in enumerate(players):

        def hold(text: str, n: int = n, player: str = player) -> str:
            name, equals, id = (part.strip() for part in text.partition("="))
            if not equals or not name or id not in known:
                raise BadInput(f"{text[:60]} is no NAME=SHIP", hint=nearest(id or text, known))
            return f"{name}={id}:{player}"

        default = f"{player.title()}={whole[min(n, len(whole) - 1)]}"
        ship = asked_for(f"The ship of {player}, and what it is called", default, hold)
        start = asked_for("Where it starts, and how fast", STARTS[n % len(STARTS)], _start)
        ships.append(f"{ship}@{start}")
    return ships
