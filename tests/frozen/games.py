"""The games, logs and forms whose judgement is frozen, each made from a seed of its own."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from random import Random

from referee.adjudicator.check import check_form
from referee.adjudicator.robot_duel import play_out
from referee.core.dice import seeded_dice
from referee.core.finding import Report
from referee.core.location import Location
from referee.formats.orders import format_orders, parse_orders
from referee.judging.files import judge_file
from referee.judging.orders import judge_orders
from referee.rulebooks.registry import load_rulebook, load_scenario, load_ship, ship_ids
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes, read_input
from referee.sources.settings import Settings
from tests.property import test_cancelled_fire as cancelled
from tests.property import test_energy_properties as energy
from tests.property import test_movement_properties as movement
from tests.property.test_game_play import played
from tests.property.test_logs_properties import any_game
from tests.unit.formats.vassal import battle_logs, flight_logs, game_logs, odd_dice, odd_logs, war_logs

Maker = Callable[[int], Report | None]
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHARED = Path(__file__).resolve().parents[3] / "shared" / "vassal" / "saves" / "duel"


@cache
def module() -> str:
    """The path of the module of generated logs."""
    path = Path(tempfile.mkdtemp()) / "generated.vmod"
    path.write_bytes(game_logs.module_bytes())
    return str(path)


def audit(data: bytes, **options: str) -> Report:
    """The report on a log."""
    asked = Asked(Settings(options=options), module=module(), digests=False)
    return judge_file(InputBytes("game.vlog", data, "save"), asked)


def battle(seed: int, spoil: str = "") -> Report | None:
    side = (battle_logs.CADET, battle_logs.STANDARD)[seed % 2]
    fought = battle_logs.battle(Random(seed), side, spoil)
    return audit(fought.data, previous_speed="8") if fought else None


def war(seed: int, spoil: str = "", *, odd: bool = False) -> Report | None:
    fought = war_logs.war(Random(seed), spoil, odd=odd)
    return audit(fought.data) if fought else None


def flight(seed: int, spoil: str = "") -> Report:
    writer = flight_logs.Flights(Random(seed), spoil) if spoil else flight_logs.Flights(Random(seed))
    return audit(writer.fought())


def moves(seed: int, how: str = "") -> Report | None:
    """Moves of ships, all legal or one of them spoilt: early, extra, twice, left out."""
    random = Random(seed)
    game = any_game(random)
    n = random.randrange(len(game.plays))
    play = game.plays[n]
    if how == "early":
        game = replace(game, plays=(*game.plays[:n], replace(play, way=1), *game.plays[n + 1 :]))
        if not game_logs.keeps_to_map(game):
            return None
    elif how == "extra":
        extra = game_logs.Play(play.ship, play.turn, random.randint(1, game.impulses), 0, 0)
        game = replace(game, plays=(*game.plays, extra))
    elif how == "twice":
        game = replace(game, plays=(*game.plays, replace(play, way=0, undone=False)))
    elif how == "skipped":
        game = game_logs.without(game, n)
    return audit(game_logs.write_log(game).data)


def odd_moves(seed: int, by: type[odd_logs.OddWriter] = odd_logs.OddWriter) -> Report:
    random = Random(seed)
    game = any_game(random)
    by.random = random
    return audit(game_logs.write_log(game, by=by).data)


def cancelled_fire(seed: int) -> Report:
    random, table = Random(seed), cancelled.Table()
    free = list(cancelled.WEAPONS)
    for _ in range(4):
        for fired in cancelled.impulse(table, random, free):
            free.remove(fired)
        table.next()
    return cancelled.audit(table, module())


def _mutated(seed: int, how: str) -> movement.Game:
    game = movement.legal_game(Random(seed))
    n = seed % len(game.steps)
    if how == "way":
        way = ("left", "right", "ahead")[seed % 3]
        return replace(game, steps=(*game.steps[:n], replace(game.steps[n], way=way), *game.steps[n + 1 :]))
    if how == "missed":
        return replace(game, steps=(*game.steps[:n], *game.steps[n + 1 :]))
    if how == "speed":
        name, turn = sorted(game.speeds)[seed % len(game.speeds)]
        return replace(game, speeds={**game.speeds, (name, turn): game.of})
    return game


def orders(seed: int, how: str = "") -> Report:
    """An orders file of moves."""
    game = _mutated(seed, how)
    return judge_orders(
        load_rulebook(game.rulebook), parse_orders(game.text(), "orders.txt", load_ship), load_ship
    )


def record(seed: int, how: str = "") -> Report:
    """The same orders played into a record."""
    ordering, _ = played(_mutated(seed, how))
    return ordering.table.report()


def form(seed: int) -> Report:
    """A form of any figures, mostly illegal."""
    random = Random(seed)
    ship = random.choice([load_ship(id) for id in sorted(ship_ids()) if not id.startswith("trek/")])
    lines = energy.lines_of(ship)
    turns = [
        {
            line: Fraction(random.randint(0, 24), random.choice((1, 1, 1, 2, 3)))
            for line in random.sample(lines, random.randint(0, min(10, len(lines))))
        }
        for _ in range(random.randint(1, 4))
    ]
    return check_form(load_rulebook(ship.rulebook), ship, energy.form_of(*turns))


def robots(seed: int) -> Report:
    """A scenario played out by robots, as the orders file they leave."""
    scenario = load_scenario("4567"[seed % 4])
    book = load_rulebook(scenario.rulebook)
    text = format_orders(play_out(book, scenario, load_ship, seeded_dice(str(seed)), 6).orders)
    return judge_orders(book, parse_orders(text, "duel.txt", load_ship), load_ship)


FILES = (
    (EXAMPLES, "*.csv"), (EXAMPLES, "*.xlsx"), (EXAMPLES, "*.vsav"), (EXAMPLES, "*.jsonl"),
    (SHARED, "*.vsav"), (SHARED, "*.vlog"),
)  # fmt: skip


def files() -> Iterator[tuple[str, Report]]:
    """Files of the examples and, where they are there, the public duel's."""
    for folder, pattern in FILES:
        for path in sorted(folder.rglob(pattern)):
            asked = Asked(Settings(options={"previous_speed": "8"}), digests=False)
            yield (
                f"{folder.name}/{path.relative_to(folder).as_posix()}",
                judge_file(read_input(str(path)), asked),
            )


def kinds() -> Iterator[tuple[str, Maker, int]]:
    """What is made: the name of a kind, its maker, and from how many seeds."""
    yield "battle", battle, 200
    for spoil in battle_logs.SPOILS:
        yield f"battle {spoil}", partial(battle, spoil=spoil), 16
    yield "war", war, 150
    for spoil in (*war_logs.SPOILS, *war_logs.DOUBTS):
        yield f"war {spoil}", partial(war, spoil=spoil), 12
    yield "odd war", partial(war, odd=True), 150
    for cheat in odd_dice.CHEATS:
        yield f"odd war {cheat}", partial(war, spoil=cheat, odd=True), 12
    yield "flight", flight, 100
    for spoil in ("hex", "dead"):
        yield f"flight {spoil}", partial(flight, spoil=spoil), 30
    yield "moves", moves, 150
    for how in ("early", "extra", "twice", "skipped"):
        yield f"moves {how}", partial(moves, how=how), 60
    yield "odd moves", odd_moves, 60
    yield "veiled moves", partial(odd_moves, by=odd_logs.VeilWriter), 60
    yield "cancelled fire", cancelled_fire, 60
    for how in ("", "way", "missed", "speed"):
        yield f"orders {how}".strip(), partial(orders, how=how), 120
        yield f"record {how}".strip(), partial(record, how=how), 60
    yield "form", form, 500
    yield "robots", robots, 20


def in_line(name: str, report: Report) -> str:
    """What was found in a game as one line of JSON: no word of it, but each rule, place, figure and doubt."""
    findings = [
        [f.key, f.severity.value, f.subject, f.turn, f.impulse, _place(f.location), f.expected, f.found]
        for f in report.findings
    ]
    asked = sorted({f"{item.key} {item.subject}".strip() for item in report.not_checked})
    line = {
        "game": name, "verdict": report.verdict.value, "findings": findings,
        "checked": len(report.checked), "not_checked": asked,
    }  # fmt: skip
    return json.dumps(line, ensure_ascii=False)


def _place(location: Location) -> str:
    parts = (location.cell, location.line, location.step, location.record_line, location.pointer)
    return " ".join(str(part) for part in parts if part)


def made(kind: tuple[str, Maker, int]) -> list[str]:
    """The lines of one kind."""
    name, maker, seeds = kind
    reports = ((seed, maker(seed)) for seed in range(seeds))
    return [in_line(f"{name} {seed}", report) for seed, report in reports if report is not None]
