"""Generated logs become records: each ship ends where its counter does, and what was illegal is a foul."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cli.main import run
from referee.core.gamefold import fold_game
from referee.formats.vassal.game import read_save
from referee.formats.vassal.logged import read_log
from referee.formats.vassal.module import read_module
from referee.formats.vassal.recognise import as_it_stood
from referee.judging.files import judge_file
from referee.record.reading import read
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from referee.sources.ships import display_of
from tests.conftest import examples
from tests.unit.formats.vassal.battle_logs import CADET, STANDARD, Side, battle
from tests.unit.formats.vassal.game_logs import (
    Game,
    LogWriter,
    Play,
    Written,
    legal_game,
    module_bytes,
    without,
    write_log,
)
from tests.unit.formats.vassal.war_logs import war

Take = Callable[..., Path]
few = examples(15)
seeds = st.integers(0, 2**32)


@pytest.fixture(scope="module")
def take(tmp_path_factory: pytest.TempPathFactory) -> Take:
    """Makes a record of a log, and checks it as a reader of it would."""
    folder = tmp_path_factory.mktemp("taken")
    (folder / "m.vmod").write_bytes(module_bytes())
    made = iter(range(100_000))

    def once(written: Written, *more: str) -> Path:
        name = folder / f"g{next(made)}"
        log, record = name.with_suffix(".vlog"), name.with_suffix(".jsonl")
        log.write_bytes(written.data)
        begin = ("game", "new", record, "--from", log, "--module", folder / "m.vmod")
        assert run([*map(str, begin), "--dice", "seed", "--seed", "x", "--players", "ann,ben", *more]) == 0
        assert run(["record", "verify", str(record)]) == 0
        report = judge_file(InputBytes(str(record), record.read_bytes(), "json"), Asked(Settings()))
        assert report.rulebook in ("sfb-cadet", "sfb-standard")
        return record

    return once


def in_the_log(data: bytes) -> dict[str, str]:
    logged = read_log(read_save(data, "game.vlog"), read_module(module_bytes(), "m.vmod"))
    ends: dict[str, str] = {}
    for ship in logged.ships:
        assert ship.counter
        changes = logged.changes[ship.counter.id]
        stand = changes[-1].after if changes else logged.began[ship.counter.id]
        ends[ship.name] = f"{stand.hex}{stand.facing}"
    return ends


def in_the_record(path: Path) -> dict[str, str]:
    state = fold_game(read(str(path)), load_ship)
    return {name: ship.position for name, ship in state.ships.items()}


def fouls(path: Path) -> list[str]:
    return [entry.data["rule"] for entry in read(str(path)) if entry.type == "foul"]


def any_game(random: Random) -> Game:
    return legal_game(random, ships=random.randint(1, 4), turns=random.randint(1, 2))


@given(seeds)
@few
def test_a_legal_log_is_a_record_without_fouls(take: Take, seed: int) -> None:
    written = write_log(any_game(Random(seed)))
    record = take(written)
    assert in_the_record(record) == in_the_log(written.data)
    assert fouls(record) == []


@given(seeds, st.sampled_from(["early", "extra", "twice", "skipped"]))
@few
def test_what_was_illegal_is_a_foul(take: Take, seed: int, how: str) -> None:
    random = Random(seed)
    game = any_game(random)
    n = random.randrange(len(game.plays))
    play = game.plays[n]
    idle = [i for i in range(1, 17) if not any((p.ship, p.turn, p.impulse) == (play.ship, play.turn, i) for p in game.plays)]  # fmt: skip
    rule = {"early": "", "extra": "C1.4", "twice": "C1.1", "skipped": "C1.4"}[how]
    if how == "early":
        game = replace(game, plays=(*game.plays[:n], replace(play, way=1), *game.plays[n + 1 :]))
    elif how == "extra":
        if not idle:
            return
        game = replace(game, plays=(*game.plays, Play(play.ship, play.turn, random.choice(idle), 0, 0)))
    elif how == "twice":
        game = replace(game, plays=(*game.plays, replace(play, way=0, undone=False)))
    else:
        game = without(game, n)
    written = write_log(game)
    record = take(written)
    assert in_the_record(record) == in_the_log(written.data)
    assert not rule or rule in fouls(record), fouls(record)


@pytest.mark.parametrize("side", [CADET, STANDARD], ids=["cadet", "standard"])
@given(seed=seeds)
@few
def test_a_battle_is_taken_with_its_damage(take: Take, side: Side, seed: int) -> None:
    fought = battle(Random(seed), side)
    if fought is None:
        return
    record = take(Written(fought.data, {}, {}, {}, {}, 0), "--option", "previous_speed=8")
    assert in_the_record(record) == in_the_log(fought.data)
    assert fouls(record) == []
    state = fold_game(read(str(record)), load_ship)
    assert not state.unrolled and not state.volleys_due
    log = read_log(read_save(fought.data, "game.vlog"), read_module(module_bytes(), "m.vmod"))
    labels = load_rulebook(side.rulebook).table("box_labels")
    for ship in log.ships:
        in_game = state.ships[ship.name]
        stood = as_it_stood(ship, log.final.pieces, "")
        shown = display_of(stood, load_ship(in_game.state.ship), labels)
        assert shown is not None and in_game.state.destroyed == shown.destroyed
        assert dict(in_game.state.shields) == dict(shown.shields)
    assert any(ship.fired for ship in state.ships.values())


def war_cut_short(random: Random) -> bytes:
    """A legal war, logged up to any step of it."""
    finish = LogWriter.finish

    def cut(writer: LogWriter) -> bytes:
        writer.steps = writer.steps[: random.randrange(len(writer.steps) // 4, len(writer.steps))]
        return finish(writer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LogWriter, "finish", cut)
        fought = war(random)
    assert fought is not None
    return fought.data


@given(seeds)
@few
def test_all_that_a_log_cut_short_tells_was_fired_is_fired_in_the_record(take: Take, seed: int) -> None:
    """In each turn, that which the log stops in too."""
    data = war_cut_short(Random(seed))
    record = take(Written(data, {}, {}, {}, {}, 0))
    module = str(record.parent / "m.vmod")
    asked = Asked(Settings(), module=module, digests=False)
    audit = judge_file(InputBytes("game.vlog", data, "save"), asked)
    told = {
        (turn.ship, turn.turn): sorted(mark for mark, *_ in turn.fired) for turn in audit.turns if turn.fired
    }
    state = fold_game(read(str(record)), load_ship)
    fired: dict[tuple[str, int], list[str]] = {}
    shots = [(ship.name, moment.turn, mark) for ship in state.ships.values() for moment, mark in ship.fired]
    # Dice that had not fallen when the log stopped are still to be rolled.
    shots += [(order.ship, order.moment.turn, mark) for order in state.unrolled for mark in order.weapons]
    for ship, turn, mark in shots:
        fired.setdefault((ship, turn), []).append(mark)
    assert {at: sorted(marks) for at, marks in fired.items()} == told
    # A wrong move the log was cut after, before it was taken back, is one in both. Of a war of three ships two
    # are one player's here.
    errors = {finding.rule for finding in audit.findings if finding.severity == "error"}
    assert set(fouls(record)) - {"D1.0"} <= errors
