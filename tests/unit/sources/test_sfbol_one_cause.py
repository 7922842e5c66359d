"""One line of a legal log lost, doubled or in the place of its neighbour: one finding at most, which names the place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest

from benchmarks.play_speed import game, written
from referee.core.finding import Finding
from tests.cli.conftest import Run, own_folder, referee
from tests.unit.sources.sfbol_judged import duel, errors, judged, line_of, said
from tests.unit.sources.sfbol_judged import written as log_of

__all__ = ["own_folder", "referee"]
MOVE = re.compile(r"(.+) has (?:moved|turned) to ")
TURN = re.compile(r"(.+) has (?:turned to|moved to \d{4}[A-F]$)")
EACH = 12
"""Lines tried of each game."""
GAMES = [(seed, 2) for seed in range(6)] + [(seed, 4) for seed in range(20, 22)]
Lines = Sequence[str]


@cache
def played(seed: int, ships: int) -> tuple[str, ...]:
    """A legal game of three turns."""
    return tuple(written(game(seed, 3, ships), seed).splitlines())


def some(lines: Lines, seed: int, shape: str) -> Iterator[int]:
    """The places of some lines of a shape, after the set-up and before the last impulse."""
    last = max(n for n, line in enumerate(lines) if line.startswith("Impulse"))
    fits = [n for n, line in enumerate(lines) if 4 < n < last and re.match(shape, line)]
    yield from Random(seed).sample(fits, min(EACH, len(fits)))


def accused(lines: Lines) -> list[Finding]:
    return [one for one in judged(lines).findings if one.severity == "error"]


def impulse_of(lines: Lines, place: int) -> tuple[int, int]:
    """The turn and impulse that a line stands in."""
    header = next(line for line in reversed(lines[: place + 1]) if line.startswith("Impulse"))
    turn, impulse = re.findall(r"\d+", header)
    return int(turn), int(impulse)


@pytest.mark.parametrize(("seed", "ships"), GAMES)
@pytest.mark.parametrize("shape", [MOVE.pattern, TURN.pattern])
def test_a_lost_move_is_one_finding_in_its_impulse(seed: int, ships: int, shape: str) -> None:
    lines = played(seed, ships)
    assert judged(lines).verdict == "legal"
    for n in some(lines, seed, shape):
        (found,) = accused([*lines[:n], *lines[n + 1 :]])
        assert found.key == "C1.4/missed" and (found.turn, found.impulse) == impulse_of(lines, n), lines[n]
        assert n <= (found.location.line or 0) <= n + 30
        ship = re.match(MOVE, lines[n])
        assert ship and set(ship[1].split()) <= set(found.subject.split())


@pytest.mark.parametrize(("seed", "ships"), GAMES)
def test_a_lost_header_is_no_error(seed: int, ships: int) -> None:
    lines = played(seed, ships)
    for n in some(lines, seed, "Impulse "):
        report = judged([*lines[:n], *lines[n + 1 :]])
        assert not errors(report), lines[n]
        assert len([one for one in report.findings if one.severity == "undecided"]) <= 1


@pytest.mark.parametrize(("seed", "ships"), GAMES)
def test_a_line_that_stands_there_twice_is_one_error_at_most(seed: int, ships: int) -> None:
    lines = played(seed, ships)
    for n in some(lines, seed, ""):
        assert len(accused([*lines[: n + 1], *lines[n:]])) <= 1, lines[n]


@pytest.mark.parametrize(("seed", "ships"), GAMES)
def test_two_lines_that_changed_places_are_one_error_at_most(seed: int, ships: int) -> None:
    lines = played(seed, ships)
    for n in some(lines, seed, ""):
        swapped = [*lines[:n], lines[n + 1], lines[n], *lines[n + 2 :]]
        found = accused(swapped)
        assert len(found) <= 1, lines[n]
        moves = [one for one in found if one.key.startswith("C")]
        assert all(n < (one.location.line or 0) <= n + 3 for one in moves)


# -- what a finding says -------------------------------------------------------------------

SPEEDS = ({"Kharg": 8, "Sabre": 12}, {"Kharg": 16, "Sabre": 20})
SHOT = {(1, 14): ("Sabre: fire PH-1/1 at Kharg",)}


def without(lines: Lines, begins: str, after: str) -> tuple[list[str], int]:
    """A log without the first line that begins so after another, and where it stood."""
    n = line_of(lines, begins, lines.index(after))
    return [*lines[: n - 1], *lines[n:]], n


def test_a_stated_range_bears_out_that_a_move_was_made() -> None:
    lines, n = without(log_of(duel(SPEEDS, SHOT)), "IKV", "Impulse 1.12:")
    shot = line_of(lines, "USS Sabre fires Phaser-1 #1")
    (found,) = accused(lines)
    moved = line_of(lines, "IKV", n)
    assert found.location.line is not None and n <= found.location.line < shot
    assert f"the range of line {shot} is that from there: only its line may be missing" in found.message
    assert f"line {moved} has it where that move leads" in found.message


def test_a_range_that_says_it_stood_still_bears_nothing_out() -> None:
    lines, _ = without(log_of(duel(SPEEDS, SHOT)), "IKV", "Impulse 1.12:")
    n = line_of(lines, "USS Sabre fires Phaser-1 #1")
    reach = int(lines[n - 1].rpartition("Range: ")[2].rstrip(")"))
    lines[n - 1] = lines[n - 1].replace(f"Range: {reach}", f"Range: {reach + 1}")
    report = judged(lines)
    assert {key for key, _ in errors(report)} == {"C1.4/missed"}
    (ranged,) = said(report, "D1.4/stated")
    assert ranged.severity == "undecided" and "missing" in ranged.message
    (found,) = accused(lines)
    assert "the range of" not in found.message


def test_a_range_tells_of_a_last_move_that_is_lost() -> None:
    """No later line tells where the ship is."""
    lines = log_of(duel([{"Kharg": 8, "Sabre": 12}], {(1, 32): ("Sabre: fire PH-1/1 at Kharg",)}))
    lines, n = without([*lines, "Impulse 2.1:"], "IKV", "Impulse 1.32:")
    (found,) = accused(lines)
    shot = line_of(lines, "USS Sabre fires Phaser-1 #1")
    assert found.key == "C1.4/missed" and f"the range of line {shot}" in found.message
    assert n <= shot


def test_two_lost_moves_are_two_findings() -> None:
    lines, _ = without(log_of(duel(SPEEDS)), "USS Sabre", "Impulse 1.14:")
    lines, _ = without(lines, "USS Sabre", "Impulse 1.16:")
    assert [(one.key, one.impulse) for one in accused(lines)] == [("C1.4/missed", 14), ("C1.4/missed", 16)]
    lines, _ = without(lines, "IKV", "Impulse 1.24:")
    assert len(accused(lines)) == 3
    # Where so few moves are left that they tell no speed, the leap is found.
    lines, _ = without(log_of(duel(SPEEDS)), "IKV", "Impulse 1.12:")
    lines, _ = without(lines, "IKV", "Impulse 1.16:")
    assert [(one.key, one.impulse) for one in accused(lines)] == [("C1.1", 20)]


def test_a_turn_without_a_line_is_one_finding() -> None:
    """The line that says the turn, and no place, is lost: the ship goes on as it turned."""
    ways = {(1, 12, "Kharg"): "right"}
    lines = log_of(duel(SPEEDS, ways=ways), turns_by_compass=1.0, letters=0.0)
    assert judged(lines).verdict == "legal"
    n = next(n for n, line in enumerate(lines) if " has turned to NE" in line or " facing B " in line)
    del lines[n]
    (found,) = accused(lines)
    assert found.key == "C1.2" and found.location.line == n + 1
    assert "no line tells that it turned" in found.message


def test_a_move_told_late_is_judged_where_it_is_called() -> None:
    """Fire between is of a ship that stands there only perhaps, and what comes after is sure."""
    lines = log_of(duel(SPEEDS, {(1, 12): ("Sabre: fire PH-1/1 at Kharg",), (1, 14): SHOT[1, 14]}))
    n = line_of(lines, "IKV", lines.index("Impulse 1.12:"))
    move = lines.pop(n - 1)
    at = lines.index("Impulse 1.13:") + 1
    lines.insert(at, move)
    (found,) = [one for one in accused(lines) if one.key != "E2.23"]
    assert (found.key, found.location.line) == ("C1.4", at + 1)
    assert found.message == "moves on impulse 13, and not on impulse 12, which calls speed 8"


def test_headers_that_changed_places_are_named_once() -> None:
    lines = log_of(duel(SPEEDS))
    n = lines.index("Impulse 1.9:")
    assert lines[n + 1] == "Impulse 1.10:" or lines[n - 1].startswith("Impulse")
    k = n if lines[n + 1] == "Impulse 1.10:" else n - 1
    lines[k], lines[k + 1] = lines[k + 1], lines[k]
    report = judged(lines)
    (found,) = said(report, "NOTE/clock")
    assert not errors(report) and "changed places" in found.message and found.location.line == k + 1


def test_a_header_that_is_left_out_while_seekers_fly_is_named_once() -> None:
    from tests.unit.sources.test_sfbol_flights import ALL, flown, hits

    lines = [*flown(*ALL), *hits(12, 18), *(f"Impulse 1.{n}:" for n in range(6, 20))]
    assert judged(lines).verdict == "legal"
    lines.remove("Impulse 1.4:")
    report = judged(lines)
    assert not errors(report) and len(said(report, "NOTE/clock")) == 1


def test_a_record_has_one_foul_of_a_lost_line(referee: Run) -> None:
    lines, _ = without(log_of(duel(SPEEDS, SHOT)), "IKV", "Impulse 1.12:")
    Path("game.log").write_text("\n".join(lines) + "\n")
    new = ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x")
    names = ("--player", "IKV 1017 Kharg=ann", "--player", "USS Sabre=ben")
    assert referee(*new, "--players", "ann,ben", *names).code == 0
    ran = referee("check", "game.jsonl", "--json")
    assert [(one["key"], one["impulse"]) for one in ran.findings("error")] == [("C1.4/missed", 12)]


def test_a_seeker_that_moves_an_impulse_early_is_found_once() -> None:
    from tests.unit.sources.test_sfbol_flights import ALL, DRONE, flown, hits

    lines = [*flown(*ALL), *hits(12, 18), "Impulse 1.6:"]
    n = lines.index("Impulse 1.4:")
    lines[n], lines[n + 1] = lines[n + 1], lines[n]
    assert lines[n].startswith(DRONE) and lines[n - 1].startswith(DRONE)
    found = [one for one in judged(lines).findings if one.key.startswith("F2.0") and one.severity != "note"]
    assert [one.location.line for one in found] == [n + 1]


def test_the_last_header_is_missed_where_several_ships_move_as_in_it() -> None:
    lines = list(played(0, 2))
    n = max(n for n, line in enumerate(lines) if line.startswith("Impulse"))
    assert lines[n] == "Impulse 3.32:" and len(lines) == n + 3
    del lines[n]
    report = judged(lines)
    assert not errors(report) and len(said(report, "NOTE/clock")) == 1
    # One alone may be early, or late.
    assert len(accused(lines[:-1])) == 1


@pytest.mark.parametrize(("seed", "ships"), GAMES)
def test_a_false_hex_is_one_error_at_its_line(seed: int, ships: int) -> None:
    """The ship goes on from the hex it was in, and what hangs on that is undecided until then."""
    lines, random = played(seed, ships), Random(seed)
    for n in some(lines, seed, MOVE.pattern):
        column, row = re.findall(r" to (\d\d)(\d\d)", lines[n])[0]
        false = f"{int(column) + random.choice((-1, 0, 1)):02}{int(row) + random.choice((-1, 1)):02}"
        wrong = lines[n].replace(f" to {column}{row}", f" to {false}")
        (found,) = accused([*lines[:n], wrong, *lines[n + 1 :]])
        assert found.location.line == n + 1 and found.key.startswith("C1."), found


def test_a_false_hex_names_the_one_a_ship_goes_on_from() -> None:
    lines = log_of(duel(SPEEDS, {(1, 14): ("Kharg: fire PH-2/1 at Sabre",)}))
    n = line_of(lines, "IKV", lines.index("Impulse 1.12:"))
    true = lines[n - 1].rpartition(" to ")[2][:4]
    lines[n - 1] = lines[n - 1].replace(true, f"{true[:2]}{int(true[2:]) - 1}")
    (found,) = accused(lines)
    assert (found.key, found.location.line) == ("C1.1", n) and f"goes on from {true}" in found.message


@pytest.mark.parametrize(("seed", "ships"), GAMES)
def test_a_false_letter_is_one_error_at_its_line(seed: int, ships: int) -> None:
    lines, random = played(seed, ships), Random(seed)
    for n in some(lines, seed, r".+ to \d{4}[A-F]$"):
        letter = random.choice(sorted({*"ABCDEF"} - {lines[n][-1]}))
        (found,) = accused([*lines[:n], lines[n][:-1] + letter, *lines[n + 1 :]])
        assert found.location.line == n + 1 and found.key in ("C1.2", "C3.1"), found


@pytest.mark.parametrize(("seed", "ships"), GAMES)
@pytest.mark.parametrize("off", [-1, 1, 2])
def test_a_header_with_another_number_is_named_once(seed: int, ships: int, off: int) -> None:
    lines = played(seed, ships)
    for n in some(lines, seed, r"Impulse 2\.(?:[4-9]|1[0-9]|2[0-8]):"):
        number = int(lines[n].rpartition(".")[2].rstrip(":"))
        report = judged([*lines[:n], f"Impulse 2.{number + off}:", *lines[n + 1 :]])
        (found,) = said(report, "NOTE/clock")
        assert not errors(report) and found.location.line == n + 1
        assert f"where only impulse {number} can" in found.message or "changed places" in found.message


def test_a_leap_after_a_line_that_stands_out_of_place_is_no_fault_of_ours() -> None:
    """The line before the leap is judged in another impulse than its own."""
    lines = log_of(duel(SPEEDS))
    n = max(n for n, line in enumerate(lines) if line.startswith("Impulse 1.32"))
    first = [k for k in range(n, len(lines)) if "Sabre has moved" in lines[k]]
    # Its move of impulse 32 stands in 31, and the next one is two hexes on where none was missed.
    move = lines.pop(first[0])
    lines.insert(n, move)
    later = line_of(lines, "USS Sabre has moved", lines.index("Impulse 2.1:"))
    hex = lines[later - 1].rpartition(" to ")[2][:4]
    leapt = f"{hex[:2]}{int(hex[2:]) + 1:02}"
    lines[later - 1] = lines[later - 1].replace(hex, leapt)
    column = leapt[:2]
    for k in range(later, len(lines)):
        if re.match(r"USS Sabre has moved", lines[k]):
            row = int(lines[k].rpartition(" to ")[2][2:4]) + 1
            lines[k] = f"USS Sabre has moved to {column}{row:02}"
    assert accused(lines)


@pytest.mark.parametrize(("seed", "ships"), GAMES)
@pytest.mark.parametrize("size", [5, 20])
def test_a_missing_piece_that_begins_with_a_header_is_named_and_accuses_nobody(
    seed: int, ships: int, size: int
) -> None:
    """It ends anywhere in an impulse: what stands there without its header is of one of those that are left out."""
    lines = played(seed, ships)
    first, last = lines.index("Impulse 1.8:"), lines.index("Impulse 3.20:")
    for n in some(lines, seed, "Impulse "):
        gone = lines[n : n + size]
        if not first < n < last or any("Range" in line or "Allocation" in line for line in gone):
            continue
        report = judged([*lines[:n], *lines[n + size :]])
        assert not errors(report), lines[n]
        clock = said(report, "NOTE/clock")
        assert len(clock) <= 2 and all(n < (one.location.line or 0) <= n + 40 for one in clock)
        if any(MOVE.match(line) for line in gone):
            assert clock and report.verdict == "cannot-tell"


def test_ships_are_judged_again_after_a_missing_piece() -> None:
    lines = log_of(duel(SPEEDS, {(1, 16): ("Sabre: fire PH-1/1 at Kharg",)}))
    first, last = lines.index("Impulse 1.6:"), lines.index("Impulse 1.9:")
    lines[first:last] = []
    assert not accused(lines)
    for n, line in enumerate(lines):
        if line.startswith("USS Sabre fires Phaser-1 #1"):
            reach = int(line.rpartition("Range: ")[2].rstrip(")"))
            wrong = line.replace(f"Range: {reach}", f"Range: {reach + 1}")
            (found,) = accused([*lines[:n], wrong, *lines[n + 1 :]])
            assert (found.key, found.location.line) == ("D1.4/stated", n + 1)
    late = line_of(lines, "USS Sabre has moved", lines.index("Impulse 1.22:"))
    (found,) = accused([*lines[: late - 1], *lines[late:]])
    assert found.key in ("C1.1", "C1.4/missed")


@pytest.mark.parametrize(("seed", "ships"), GAMES)
def test_a_move_that_names_another_ship_is_taken_to_be_of_the_one_that_can_have_made_it(
    seed: int, ships: int
) -> None:
    lines, random = played(seed, ships), Random(seed)
    names = sorted({found[1] for line in lines if (found := re.match(MOVE, line))})
    for n in some(lines, seed, r".+ has moved to "):
        own = lines[n].partition(" has ")[0]
        other = random.choice([name for name in names if name.split()[-1] != own.split()[-1]])
        report = judged([*lines[:n], lines[n].replace(own, other, 1), *lines[n + 1 :]])
        (found,) = said(report, "NOTE/name")
        assert not errors(report) and found.location.line == n + 1 and found.severity == "undecided"
        assert set(own.split()) <= set(found.message.rpartition(" of ")[2].split())


def test_a_long_log_of_nothing_but_slips_is_judged_in_time() -> None:
    """What is looked for around each slip does not grow with the log."""
    from time import process_time

    lines = written(game(7, 120), 7).splitlines()
    random = Random(7)
    kept = [line for line in lines if not MOVE.match(line) or random.random() < 0.7]
    begun = process_time()
    judged(lines)
    plain = process_time() - begun
    begun = process_time()
    judged(kept)
    assert process_time() - begun < 20 * plain + 5
