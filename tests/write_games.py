"""Writes the games of the log cases and of the doors, which are made by tools, as files for the net: `python -m tests.write_games`."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from referee.formats.vassal.container import open_save
from referee.rulebooks.registry import load_ship
from tests.doors import commonest, games, generated
from tests.doors.games import ASIDE, HEAD, STANDARD, STILL, Excuse
from tests.doors.played import DOORS, Played, Refused, as_log, as_record
from tests.logtable import LogTable
from tests.net.command import Ran, command
from tests.net.gamefiles import GAMES, Game, kept
from tests.net.logcases import Case, asked_of, cases, digest
from tests.unit.formats.vassal.game_logs import module_bytes
from tests.unit.play.test_game_forging import rewritten

PLAYED = {**games.GAMES, **commonest.GAMES}
EXCUSED = {**games.EXCUSED, **commonest.EXCUSED}
Plays = Callable[[Any], object]


class Written:
    """Runs commands in this folder, and writes down each with the files that were put there before it."""

    def __init__(self) -> None:
        self.does: list[Any] = []
        self._seen: dict[str, bytes] = {}
        self.ended = 0

    def __call__(self, *arguments: str | Path) -> Ran:
        """Runs a command."""
        files = {name: data for name, data in _folder().items() if self._seen.get(name) != data}
        if files:
            self.does.append({name: packed(data) for name, data in files.items()})
        self.does.append([str(argument) for argument in arguments])
        ran = command(*arguments)
        self._seen, self.ended = _folder(), ran.code
        return ran


def _folder() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(Path().iterdir()) if path.is_file()}


def packed(data: bytes) -> Any:
    """A file as a line of games holds it."""
    if data == module_bytes():
        return {"like": "generated.vmod"}
    if data.startswith(b"PK"):
        return {"vassal": open_save(data, "game.vlog").text}
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def written(name: str, plays: Plays, /, **more: Any) -> Game:
    """A game that is played by commands, written down."""
    with TemporaryDirectory() as folder, chdir(folder):
        game = Written()
        try:
            plays(game)
        except Refused:
            more["refused"] = game.ended
        return {"game": name, **more, "does": game.does}


# -- the doors -----------------------------------------------------------------------------


def source(game: Played) -> str:
    """A digest of what a game is made of: is it written anew where that is changed?"""
    parts = (
        game.text,
        *(
            [sorted((str(key), dict(rows)) for key, rows in each.items())]
            for each in (game.forms, game.struck)
        ),
        game.thrown,
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def aside(door: str) -> list[str]:
    """The keys a door is excused from in all games."""
    return sorted(key for at, key in ASIDE if at == door)


def of_doors() -> Iterator[Game]:
    """Each game at each door, with what is to be found there."""
    for name, (game, expected) in PLAYED.items():
        for door, does in DOORS.items():
            excuse = EXCUSED.get((name, door), Excuse(""))
            assert excuse.lacks <= expected, f"{name}, {door}: it excuses what is not expected"
            found = sorted((expected - excuse.lacks) | excuse.adds, key=str)
            more = {"name": name, "door": door, "of": source(game), "found": found, "aside": aside(door)}
            more |= {"why": excuse.why, "lacks": sorted(excuse.lacks, key=str)} if excuse.why else {}
            yield written(f"{name}: {door}", partial(_at, does, game), **more)


def _at(does: Any, game: Played, referee: Any) -> None:
    does(referee, game)


def further() -> Iterator[Game]:
    """Games of a question of their own."""
    for weapon in ("DRN/1", "PH-1/1"):
        order = f"launch {weapon}" if weapon == "DRN/1" else f"fire {weapon}"
        ships = "Const = standard/federation-ca at 2020A speed 8\nship Destr = standard/kzinti-cs at 2012D speed 8"
        game = Played(f"{STANDARD}ship {ships}\n{STILL}Destr: {order} at Const\nimpulse 3\n")
        for door, does in DOORS.items():
            yield written(f"fire control untold for {weapon}: {door}", partial(_at, does, game))
    for name in ("general reinforcement and a hit", "reinforcement of the shield that is hit"):
        game = PLAYED[name][0]
        marked = game.struck["Const"]["1"] - 1
        left = load_ship("cadet/federation-ca").shields[1] - marked
        less = replace(game, struck={"Const": {"1": marked}})
        yield written(f"{name}, and a box less marked: log", partial(_at, as_log, less), left=left)
    yield written("more drones than sensors control: older", _older)
    by_the_rules = Played(PLAYED["by the rules"][0].text.partition("impulse 4")[0])
    yield written("as impulse 4 begins: record", partial(_at, as_record, by_the_rules))
    for at in ("2217D", "2020D"):
        game = Played(f"{HEAD}{STILL}Const: fire PH-1/C at Destr\n".replace("2030A", at))
        for door in ("orders", "log"):
            yield written(f"a shield that is not said at {at}: {door}", partial(_at, DOORS[door], game))
    for name in ("a speed above what is paid", "a speed below what is paid", "no speed, and one is paid for"):
        yield written(f"{name}: taken", partial(_taken, PLAYED[name][0]))


def _older(referee: Any) -> None:
    """A record from before the rule was asked, which holds no foul."""
    as_record(command, PLAYED["more drones than sensors control"][0])
    rewritten(Path("game.jsonl"), lambda kind, data: None if kind == "foul" else (kind, data))
    for path in Path().iterdir():
        if path.name != "game.jsonl" and path.is_file():
            path.unlink()
    referee("record", "verify", "game.jsonl")
    referee("check", "game.jsonl", "--json")


def _taken(game: Played, referee: Any) -> None:
    """A record that is taken from the log of a game."""
    as_log(referee, game)
    ships = [part for ship in game.orders.ships for part in ("--ship", f"{ship.ship}={ship.class_id}")]
    players = ["--players", "ann,ben", "--player", "Const=ann", "--player", "Destr=ben"]
    options = ["--option", "impulses=16", "--option", "previous_speed=8", "--dice", "seed", "--seed", "doors"]
    asked = ["--from", "game.vlog", "--module", "game.vmod", "--rulebook", "sfb-cadet", *ships, *options]
    referee("game", "new", "taken.jsonl", *asked, *players)
    referee("check", "taken.jsonl", "--json")


def by_chance() -> Iterator[Game]:
    """Generated games of movement at every door."""
    for seed in range(generated.SEEDS):
        game = generated.spoilt(seed)
        still = sorted(set(game.ships) - {step.ship for step in game.steps})
        more = {
            "seed": seed,
            "spoil": generated.SPOILS[seed % len(generated.SPOILS)],
            "still": still,
            "turns": game.turns,
        }
        played = Played(f"{game.text()}turn {game.turns + 1}\n")
        for door, does in DOORS.items():
            yield written(
                f"generated {seed}: {door}", partial(_at, does, played), door=door, aside=aside(door), **more
            )


# -- the log cases -------------------------------------------------------------------------


def of_logs() -> Iterator[Game]:
    """Each log case, with the step of the log that each of its lines wrote last."""
    for name, case in cases().items():
        table, log = _log_of(case)
        files = {"game.vlog": packed(log), "generated.vmod": {"like": "generated.vmod"}}
        ships = {name: ship.id for name, ship in table.classes.items()}
        asked = asked_of(case, ships, set(table.speeds.values()))
        yield {"game": name, "of": digest(case), "steps": table.steps, "does": [files, asked]}


def _log_of(case: Case) -> tuple[LogTable, bytes]:
    table = LogTable(case["ships"], case.get("lost", {}), case.get("clock", "1.1"))
    table.begun(case.get("begun", ""))
    return table, table.played(case.get("before", "") + case["log"], case.get("ended", True))


def main() -> None:
    """Writes all of them."""
    (GAMES / "generated.vmod").write_bytes(module_bytes())
    kept("doors", of_doors())
    kept("doors-further", further())
    kept("doors-generated", by_chance())
    kept("logs", of_logs())


if __name__ == "__main__":
    main()
