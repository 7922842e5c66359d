"""The records that are made of generated logs, frozen as one line each: what kinds of entries, what was left out, and a
digest of all that is in them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from referee.formats.vassal.game import read_save
from referee.formats.vassal.module import read_module
from referee.logs.account import log_shown
from referee.play.rulebook import rulebook_of
from referee.play.start import Source, entries_taken
from referee.sources.asked import Asked
from referee.sources.settings import Settings
from referee.sources.ships import Reading
from tests.frozen.games import module
from tests.property.test_logs_properties import any_game
from tests.unit.formats.vassal import battle_logs, flight_logs, game_logs, odd_logs, war_logs

TAKEN = Path(__file__).parent / "takeovers.jsonl"
PLAYERS = ("alice", "bob")
Maker = Callable[[int], bytes | None]


def battle(seed: int, spoil: str = "") -> bytes | None:
    side = (battle_logs.CADET, battle_logs.STANDARD)[seed % 2]
    fought = battle_logs.battle(Random(seed), side, spoil)
    return fought.data if fought else None


def war(seed: int, spoil: str = "", *, odd: bool = False) -> bytes | None:
    fought = war_logs.war(Random(seed), spoil, odd=odd)
    return fought.data if fought else None


def flight(seed: int) -> bytes:
    return flight_logs.Flights(Random(seed)).fought()


def odd_moves(seed: int, by: type[odd_logs.OddWriter] = odd_logs.OddWriter) -> bytes:
    random = Random(seed)
    game = any_game(random)
    by.random = random
    return game_logs.write_log(game, by=by).data


def logs() -> Iterator[tuple[str, Maker, int]]:
    """What is taken over: the name of a kind of log, its maker, and from how many seeds."""
    yield "battle", battle, 10
    yield "battle taken-off", partial(battle, spoil="taken-off"), 4
    yield "war", war, 10
    yield "odd war", partial(war, odd=True), 10
    yield "flight", flight, 10
    yield "odd moves", odd_moves, 8
    yield "veiled moves", partial(odd_moves, by=odd_logs.VeilWriter), 8


def taken(data: bytes) -> tuple[list[Any], tuple[str, ...]]:
    """The entries of a record of a log, from the first, and what they do not hold."""
    path = module()
    asked = Asked(Settings(options={"previous_speed": "8"}), module=path, digests=False)
    of_module = read_module(Path(path).read_bytes(), "generated.vmod")
    shown = log_shown(Reading(read_save(data, "game.vlog"), asked, None, of_module))
    owners = {ship["ship"]: PLAYERS[n % 2] for n, ship in enumerate(shown.account.ships)}
    genesis: dict[str, Any] = {
        "format": 1,
        "game": "frozen",
        "rulebook": shown.settings.rulebook,
        "players": list(PLAYERS),
        "dice": {"mode": "seed", "text": "frozen"},
        "fold": 2,
        "options": dict(shown.settings.options),
    }
    source = Source("game.vlog", "0" * 64, shown.account, owners, shown.left_out)
    genesis, entries, left_out = entries_taken(source, genesis, rulebook_of(genesis))
    return [["genesis", genesis], *entries], left_out


def in_line(name: str, data: bytes) -> str:
    """A record as one line of JSON."""
    entries, left_out = taken(data)
    digest = hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()
    kinds = dict(sorted(Counter(kind for kind, _ in entries).items()))
    line = {"game": name, "entries": kinds, "left_out": list(left_out), "digest": digest}
    return json.dumps(line, ensure_ascii=False)


def lines() -> Iterator[str]:
    """All lines as the program takes logs over now."""
    for name, maker, seeds in logs():
        made = ((seed, maker(seed)) for seed in range(seeds))
        yield from (in_line(f"{name} {seed}", data) for seed, data in made if data is not None)
