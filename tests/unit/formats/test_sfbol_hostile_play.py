"""Hostile logs: a one-line error or a finding, never a fault of ours, in bounded memory and time."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from random import Random
from time import process_time

import pytest

from referee.core.errors import BadInput
from referee.formats.sfbol_games import read_play
from referee.sources.sfbol_strip import stripped
from tests.cli.conftest import Run, own_folder, referee
from tests.unit.sources.sfbol_judged import duel, judged, written

__all__ = ["own_folder", "referee"]

HEAD = b"Kharg (Type:Klingon D7) has been added at 2020, direction A, speed 8\nImpulse 1.1:\n"
SPEEDS = ({"Kharg": 8, "Sabre": 12},)


def test_a_nul_byte_is_an_error_at_its_line(referee: Run) -> None:
    Path("a.log").write_bytes(HEAD + b"Kh\0arg has moved to 2019\n")
    ran = referee("check", "a.log")
    assert ran.code == 2 and ran.err.count("\n") == 1 and "line 3" in ran.err and "NUL" in ran.err


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "bad",
    [
        "\x1b[2J\x1b]0;gone\x07 has moved to 2019",
        "\u202egrahK has moved to 2019",
        "Kharg\u200b\u2066 fires Phaser-1 #1 (FX) at \u202eerbaS (Range: 3)",
        "\x08\x08\x08Impulse 1.2:",
        "\ud7ff\ufeff has been destroyed",
        "Kharg has moved to 0000",
        "Kharg has moved to 9999F",
        "Kharg has been destroyed",
        "D1 (Type:Klingon Drone) has been added at 2020, D1 was launched by Kharg",
        "Kharg (Type:Klingon Drone) has been added at 2020, Kharg was launched by Kharg",
        "Kharg fires Phaser-2 #1 (FX) at Kharg (Range: 0)",
        "Damage: 9999/9999/9999/9999/9999/9999 (Total: 99999)",
        "Remaining Shield: 9999/9999/9999/9999/9999/9999",
        "Impulse 999.32:",
        "Impulse 1.64:",
        "Kharg has turned to SE",
        "Kharg Rolls 99d999: 1, 2, 3",
    ],
)
def test_a_hostile_line_is_shown_safely_and_never_a_fault(referee: Run, bad: str) -> None:
    text = (
        HEAD.decode()
        + f"Kharg has moved to 2019\nAllocation of damage for: Kharg\n{bad}\n{bad}\nImpulse 1.3:\nKharg has moved to 2018\n"
    )
    Path("a.log").write_bytes(text.encode("utf-8", "surrogatepass"))
    for command in (
        ("check", "a.log"),
        ("check", "a.log", "--json"),
        ("show", "a.log"),
        ("log", "strip", "a.log"),
    ):
        ran = referee(*command)
        assert ran.code in (0, 1, 2), (command, ran)
        if "--json" not in command:
            assert not set(ran.out + ran.err) & {"\x1b", "\x07", "\x08", "\u202e", "\u200b", "\u2066"}, ran


def test_lines_that_are_too_long_and_files_of_too_many_are_errors(referee: Run) -> None:
    Path("long.log").write_bytes(HEAD + b"x" * 200_000)
    ran = referee("check", "long.log")
    assert ran.code == 2 and ran.err.count("\n") == 1 and "line 3" in ran.err
    with pytest.raises(BadInput, match="lines"):
        list(read_play(HEAD + b"\n" * 1_000_001, "x"))
    with pytest.raises(BadInput, match="one game has more than 300,000 lines"):
        judged(HEAD + b"hello\n" * 300_001)
    with pytest.raises(BadInput, match="names of ships"):
        judged(HEAD + b"".join(b"Ship%d has moved to 2019\n" % n for n in range(600)))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "unit",
    [
        b" has " * 6,
        b"a (Type:" * 20,
        b"(Range: " * 20 + b" fires ",
        b" fires x #1 (FX) at " * 8,
        b"1/" * 100,
        b" using x mode" * 20,
        b"Impulse 1.1:",
        b"<" * 60,
        b"a: " * 40,
    ],
)
def test_text_made_to_be_slow_is_not(unit: bytes) -> None:
    """Thirty thousand lines of what a careless pattern would try again and again; time bounds it in the benchmark."""
    line = unit[:590] + b"\n"
    games = list(read_play(HEAD + line * 30_000, "x"))
    assert sum(game.lines for game in games) >= 1
    stripped(HEAD + line * 200, "x")


def test_lines_like_impulses_that_there_are_not_take_no_longer_than_others() -> None:
    """Eight times as many take about eight times as long, not sixty."""

    def taken(count: int) -> float:
        begun = process_time()
        judged(HEAD + b"".join(b"Impulse 1000.%d:\n" % (n % 32 + 1) for n in range(count)))
        return process_time() - begun

    taken(100)
    assert taken(16_000) < 24 * taken(2_000)


@pytest.mark.long
def test_memory_is_bounded() -> None:
    data = HEAD + b"Kharg does something that is not known here, for the %dth time\n" * 60_000
    tracemalloc.start()
    judged(data[: 4 * 1024 * 1024])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 120 * 1024 * 1024


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(30))
def test_lines_shuffled_cut_and_changed_are_never_a_fault(seed: int) -> None:
    random = Random(seed)
    acts = {
        (1, n): ("Kharg: fire PH-2/1, DISR/A at Sabre", "Kharg: launch DRN/1 at Sabre\nKharg: hit 9 on 2")
        for n in (8, 16)
    }
    lines = written(duel(SPEEDS, acts), own_names=False)
    for _ in range(random.randint(1, 40)):
        n = random.randrange(len(lines))
        what = random.randrange(5)
        if what == 0:
            lines.insert(random.randrange(len(lines)), lines.pop(n))
        elif what == 1:
            lines[n] = lines[n][: random.randrange(len(lines[n]) + 1)]
        elif what == 2:
            lines[n] = "".join(
                random.choice("0123456789ABCDEF") if c.isdigit() and random.random() < 0.4 else c
                for c in lines[n]
            )
        elif what == 3:
            del lines[n]
        else:
            lines.insert(
                n, random.choice(["USS Sabre has been destroyed", "IKV Kharg has been destroyed", lines[n]])
            )
    try:
        judged(lines)
    except BadInput as error:
        assert error.reason
