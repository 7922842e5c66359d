"""Seals that are made anew too late, whatever span they name, by a cheat with a writer of his own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.conftest import mostly_long
from tests.unit.play.cheat import Writer

NAMES = ("alice", "bob", "carol", "dave")
PLACES = ("1001D", "1012A", "1501D", "1512A")
GAME = Path("g.jsonl")
TABLES = pytest.mark.parametrize(
    ("count", "umpire"),
    mostly_long(
        [(n, u) for n in (2, 3, 4) for u in ("", "ump")],
        # A table of two alone, and one where a third may speak and an umpire be asked.
        lambda count, umpire: (count, umpire) in ((2, ""), (3, "ump")),
    ),
)
DICE = pytest.mark.parametrize("dice", [("solo", "--alone"), ("peer",), ("physical",), ("umpire",)])


def begin(referee: Run, count: int, umpire: str, dice: tuple[str, ...] = ("peer",)) -> None:
    """A ship for each; the speeds are said, and nobody has moved."""
    umpire = umpire or ("ump" if dice == ("umpire",) else "")
    ships = [
        part
        for n, player in enumerate(NAMES[:count])
        for part in ("--ship", f"S{n}=cadet/klingon-d6:{player}@{PLACES[n]}/8")
    ]
    more = ("--umpire", umpire) if umpire else ()
    terms = ("--players", ",".join(NAMES[:count]), "--option", "impulses=16", "--dice", *dice)
    ran = referee("game", "new", GAME, *terms, *ships, *more)
    assert ran.code == 0, ran


def say(referee: Run, *orders: str, agreed: tuple[str, ...] = ()) -> None:
    """Orders, with the agreement of those whose moves they pass."""
    ran = referee(
        "game", "say", GAME, *orders, "--force", *(("--agreed", ",".join(agreed)) if agreed else ())
    )
    assert ran.code == 0, ran


def speeds(count: int) -> tuple[str, ...]:
    return tuple(f"S{n}: speed 8" for n in range(count))


def refused(referee: Run, cheat: Writer, reason: str) -> None:
    forged = cheat.save(Path("forged.jsonl"))
    line = f"line {len(cheat.lines)}"
    for command in (("game", "status"), ("game", "replay"), ("check",), ("dice", "verify")):
        ran = referee(*command, forged)
        assert ran.code == 3 and reason in ran.err and line in ran.err, (command, ran)
    before = GAME.read_bytes()
    ran = referee("record", "sync", GAME, forged, "--as", "bob")
    assert ran.code == 3 and GAME.read_bytes() == before, ran


SPANS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({}, {"seq": 2}),
    ({}, {"seq": 2, "impulse": 0}),
    ({}, {"impulse": 2}),
    ({"impulse": 2}, {}),
]
"""What the first seal and the one that would replace it say of their span."""


@TABLES
@pytest.mark.parametrize(("first", "again"), SPANS)
def test_moves_of_the_turn_are_sealed_anew_once_others_have_moved(
    referee: Run, count: int, umpire: str, first: dict[str, Any], again: dict[str, Any]
) -> None:
    begin(referee, count, umpire)
    cheat = Writer(GAME)
    cheat.seal("S0", "alice", "moves", "ahead", **first)
    cheat.save(GAME)
    say(referee, *speeds(count), "impulse 2", *(f"S{n}: ahead" for n in range(1, count)))
    cheat = Writer(GAME)
    cheat.seal("S0", "alice", "moves", "left", **again)
    refused(referee, cheat, "the seal in line" if again.get("impulse") != 0 else "impulse 0")


@TABLES
@pytest.mark.parametrize(("first", "again"), SPANS)
def test_fire_of_the_turn_is_sealed_anew_once_others_have_shown_theirs(
    referee: Run, count: int, umpire: str, first: dict[str, Any], again: dict[str, Any]
) -> None:
    """Before any impulse: nothing has begun but that it is known what the others do."""
    begin(referee, count, umpire)
    cheat = Writer(GAME)
    cheat.seal("S0", "alice", "fire", "fire PH-2A at S1", **first)
    others = [cheat.seal(f"S{n}", NAMES[n], "fire", f"fire PH-2B at S0, {n}")[1] for n in range(1, count)]
    for reveal in others:
        cheat.add("reveal", **reveal)
    cheat.save(GAME)
    assert referee("game", "status", GAME).code == 0
    cheat.seal("S0", "alice", "fire", "fire PH-2C at S1", **again)
    refused(referee, cheat, "after S1's were shown" if again.get("impulse") != 0 else "impulse 0")


@TABLES
@DICE
def test_fire_of_the_turn_is_sealed_anew_once_another_has_fired(
    referee: Run, count: int, umpire: str, dice: tuple[str, ...]
) -> None:
    begin(referee, count, umpire, dice)
    cheat = Writer(GAME)
    cheat.seal("S0", "alice", "fire", "fire PH-2A at S1")
    cheat.save(GAME)
    last = count - 1
    say(referee, *speeds(count), "impulse 1", f"S{last}: fire PH-2A at S0")
    cheat = Writer(GAME)
    cheat.seal("S0", "alice", "fire", "hold fire", seq=2)
    refused(referee, cheat, "after what it is for began: the seal in line")


@TABLES
def test_what_was_held_back_is_not_sealed_as_if_it_had_been(referee: Run, count: int, umpire: str) -> None:
    """Nobody does anything, and an impulse of the turn is over: what was sealed for it stands."""
    begin(referee, count, umpire)
    cheat = Writer(GAME)
    cheat.seal("S0", "alice", "fire", "fire PH-2A at S1")
    cheat.seal("S0", "alice", "plot", "we ram them")
    cheat.save(GAME)
    say(referee, *speeds(count), "impulse 2")
    for kind in ("fire", "plot"):
        cheat = Writer(GAME)
        cheat.seal("S0", "alice", kind, "hold", seq=2)
        refused(referee, cheat, "after what it is for began")


@TABLES
@pytest.mark.parametrize("span", [{}, {"impulse": 3}])
def test_the_game_is_set_back_to_seal_anew(
    referee: Run, count: int, umpire: str, span: dict[str, Any]
) -> None:
    """An illegal step with its foul takes nobody's time back."""
    begin(referee, count, umpire)
    say(referee, *speeds(count))
    cheat = Writer(GAME)
    cheat.seal("S0", "alice", "fire", "fire PH-2A at S1", **span)
    cheat.save(GAME)
    before = next(line["data"] for line in reversed(cheat.lines) if line["type"] == "step")
    players = NAMES[:count]
    say(referee, "impulse 3", "impulse 4", agreed=players)
    # Alone, and with friends: whoever agrees to the step does not agree to the seal.
    for agreed in ({}, {"agreed_by": list(players)}):
        cheat = Writer(GAME)
        cheat.add("step", **{**before, "player": "alice", **agreed})
        cheat.add("foul", player="alice", reason="sets the game back", rule="B2.0")
        cheat.seal("S0", "alice", "fire", "hold fire", seq=2, **span)
        refused(referee, cheat, "after what it is for began")


@TABLES
def test_a_form_is_sealed_anew_once_another_has_said_his_speed(referee: Run, count: int, umpire: str) -> None:
    begin(referee, count, umpire)
    cheat = Writer(GAME)
    cheat.seal("S0", "alice", "eaf", "8")
    cheat.save(GAME)
    say(referee, "S1: speed 8")
    cheat = Writer(GAME)
    cheat.seal("S0", "alice", "eaf", "12", seq=2)
    refused(referee, cheat, "anew after")


@TABLES
@pytest.mark.parametrize("kind", ["moves", "fire"])
@pytest.mark.parametrize("first", [{}, {"impulse": 2}])
def test_of_two_seals_for_one_impulse_the_later_alone_is_shown(
    referee: Run, count: int, umpire: str, first: dict[str, Any], kind: str
) -> None:
    """Sealed in one step, for the turn and for an impulse of it: whoever could show either would choose."""
    begin(referee, count, umpire)
    cheat = Writer(GAME)
    line = {"moves": ("ahead", "left"), "fire": ("fire PH-2A at S1", "hold fire")}[kind]
    _, one = cheat.seal("S0", "alice", kind, line[0], **first)
    _, other = cheat.seal("S0", "alice", kind, line[1], **({} if first else {"impulse": 2}))
    cheat.save(GAME)
    told = referee("game", "status", GAME).out
    assert f"; replaced by #{len(cheat.lines) - 1}" in told
    cheat.add("reveal", **one)
    refused(referee, cheat, "was replaced by the one in line")
    cheat = Writer(GAME)
    cheat.add("reveal", **other)
    assert referee("game", "status", cheat.save(Path("shown.jsonl"))).code == 0


@TABLES
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("as it pleases me", "no order"),
        ("fire PH-2A at S1", "no move is stated"),
        ("hold", "for which impulse is not given"),
        ("S1: ahead", "compared with nothing"),
    ],
)
def test_status_tells_what_was_sealed_so_that_it_holds_nobody(
    referee: Run, count: int, umpire: str, line: str, reason: str
) -> None:
    """What is sealed is hidden until it is shown: then it says nothing, and its ship moves as it likes."""
    begin(referee, count, umpire)
    say(referee, *speeds(count), "impulse 2")
    cheat = Writer(GAME)
    _, shown = cheat.seal("S0", "alice", "moves", line, impulse=2)
    cheat.add("reveal", **shown)
    cheat.save(GAME)
    told = referee("game", "status", GAME)
    assert told.code == 0 and "as sealed they hold it to nothing" in told.out and reason in told.out, told


def test_a_second_thought_in_time_and_status_tells_of_both(referee: Run) -> None:
    begin(referee, 2, "")
    say(referee, *speeds(2))
    past_bob = ("--force", "--as", "alice", "--agreed", "bob")
    for order in ("fire PH-2A at S1", "hold fire"):
        sealed = ("--kind", "fire", "--ship", "S0", "--impulse", "3", "--order", order)
        assert referee("seal", "--game", GAME, *sealed).code == 0
        assert referee("game", "next", GAME, "--to", "1.2.fire", *past_bob).code == 0
    told = referee("game", "status", GAME).out
    assert "fire of turn 1, impulse 3 sealed; made in turn 1" in told and "; replaced by revision 2" in told
    assert "(revision 2); made in turn 1, impulse 2, fire" in told
    seals = referee("game", "status", GAME, "--json").json["seals"]
    assert [seal["sealed_at"]["turn"] for seal in seals] == [1, 1]
    assert seals[1]["sealed_at"] == {"turn": 1, "impulse": 2, "step": "fire"}
    assert referee("game", "next", GAME, "--to", "1.3.fire", *past_bob).code == 0
    sealed = ("--kind", "fire", "--ship", "S0", "--impulse", "3", "--order", "fire PH-2B at S1")
    ran = referee("seal", "--game", GAME, *sealed)
    assert ran.code == 2 and "the seal in line" in ran.err and "nothing was sealed" in ran.err
