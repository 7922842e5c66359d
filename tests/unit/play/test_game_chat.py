"""`referee game chat`: what is pasted into chat is read back as the same orders, and plays the same game."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.gamefold import fold_game
from referee.core.gameorders import order_said
from referee.core.orders import (
    Advance,
    Cloak,
    Fire,
    Hit,
    ImpulseBegins,
    Launch,
    Order,
    Seal,
    SetSpeed,
    TurnBegins,
    Uncloak,
)
from referee.core.takenback import undone_by
from referee.formats.orderfiles import MAX_ORDERS_LINE
from referee.formats.orderlines import parse_chat_order
from referee.play.chat import _spoken
from referee.record.reading import read
from referee.rulebooks.registry import load_ship
from tests.cli.conftest import Run
from tests.conftest import ROOT, examples
from tests.unit.formats.vassal.game_logs import legal_game, module_bytes, write_log

names = st.text(min_size=1, max_size=60)
marks = st.sampled_from([f"PH-1/{mark}" for mark in "ABCDEFGHIJ"] + ["PHOT/A", "DRN/1"])
orders: st.SearchStrategy[Order] = st.one_of(
    st.builds(SetSpeed, names, st.integers(0, 99)),
    st.builds(Advance, names, st.sampled_from(["ahead", "left", "right"])),
    st.builds(
        Fire,
        names,
        st.lists(marks, min_size=1, max_size=60).map(tuple),
        names,
        st.one_of(st.none(), st.integers(1, 6)),
    ),
    st.builds(Launch, names, marks, names),
    st.builds(Cloak, names),
    st.builds(Uncloak, names),
)


def joined(said: list[Order]) -> Order:
    """Fire that was said in several lines, as one order."""
    first = said[0]
    if isinstance(first, Fire):
        weapons = tuple(mark for one in said if isinstance(one, Fire) for mark in one.weapons)
        return Fire(first.ship, weapons, first.target, first.shield)
    assert len(said) == 1
    return first


@given(orders, names)
@examples(300)
def test_a_line_is_read_back_as_its_order_or_not_written(order: Order, other: str) -> None:
    known = tuple(
        dict.fromkeys([order.ship, getattr(order, "target", other), other])  # type: ignore[union-attr]
    )
    lines = list(_spoken(order, known))
    assert all(len(line) <= MAX_ORDERS_LINE and line.isprintable() for line in lines)
    said = [parse_chat_order(line, "", known) for line in lines]
    assert not lines or joined(said) == order  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["Constellation", "IKS Qo'noS", "D6 (2)", "Étoile"])
def test_ordinary_names_are_spoken(name: str) -> None:
    target = "Another " * 6 + "one"
    fire = Fire(name, tuple(f"PH-1/{n}" for n in range(1, 61)), target, 2)
    lines = list(_spoken(fire, (name, target)))
    assert len(lines) == 2 and all(len(line) <= MAX_ORDERS_LINE for line in lines)


@pytest.mark.parametrize("name", ["A: B", "A; B", "A#B # C", "\u202eA", "!"])
def test_names_that_an_order_cannot_hold_are_not_spoken(name: str) -> None:
    for line in _spoken(Advance(name, "ahead"), (name,)):
        assert parse_chat_order(line, "", (name,)) == Advance(name, "ahead")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(4))
def test_the_chat_of_a_record_plays_the_same_game(referee: Run, seed: int) -> None:
    game = legal_game(Random(seed), ships=3, turns=2)
    Path("m.vmod").write_bytes(module_bytes())
    Path("game.vlog").write_bytes(write_log(game).data)
    begin = ("--players", "ann,ben", "--dice", "seed", "--seed", "x")
    assert referee("game", "new", "a.jsonl", "--from", "game.vlog", "--module", "m.vmod", *begin).code == 0
    ran = referee("game", "chat", "a.jsonl")
    assert ran.code == 0 and ran.err == ""
    lines = ran.out.splitlines()
    assert lines[-1].startswith("head #") and all(line.startswith(("!", "#")) for line in lines[:-1])
    entries = read("a.jsonl")
    known = [entry.data["ship"] for entry in entries if entry.type == "ship"]
    said = [parse_chat_order(line, "", known) for line in lines if line.startswith("!")]
    held = [order_said(entry.data) for entry in entries if entry.type == "order"]
    assert [order for order in said if isinstance(order, SetSpeed | Advance)] == held
    # Pasted into an orders file, they are played again from the beginning to the same hexes.
    ships = [
        f"{entry.data['ship']}={entry.data['class']}:{entry.data['player']}@{entry.data['at']}"
        for entry in entries
        if entry.type == "ship"
    ]
    given = [part for ship in ships for part in ("--ship", ship)]
    assert referee("game", "new", "b.jsonl", *begin, "--option", "impulses=16", *given).code == 0
    Path("said.txt").write_text("".join(f"{line[1:]}\n" for line in lines if line.startswith("!")))
    ran = referee("game", "apply", "b.jsonl", "said.txt")
    assert ran.code == 0, ran
    states = [fold_game(read(path), load_ship) for path in ("a.jsonl", "b.jsonl")]
    places = [{name: ship.position for name, ship in state.ships.items()} for state in states]
    assert places[0] == places[1]


def test_what_is_no_order_is_told_plainly(referee: Run) -> None:
    new = ("game", "new", "g.jsonl", "--players", "ann,ben", "--dice", "seed", "--seed", "x")
    ships = ("A=cadet/federation-ca:ann@0915C/8", "B=cadet/klingon-d6:ben@1114F/8")
    assert referee(*new, "--ship", ships[0], "--ship", ships[1]).code == 0
    assert referee("game", "next", "g.jsonl", "--to", "1.1.resolve-fire").code == 0
    strike = ("volley", "B", "--game", "g.jsonl", "--as", "ann", "--damage", "21", "--shield", "1")
    assert referee(*strike).code == 0
    assert (
        referee("game", "rule", "g.jsonl", "!B: ahead is <b>no</b> order " + "x" * 900, "--by", "ann").code
        == 0
    )
    assert referee("game", "undo", "g.jsonl", "9", "--reason", "y", "--agreed", "ann,ben").code == 0
    lines = referee("game", "chat", "g.jsonl").out.splitlines()
    assert all(len(line) <= MAX_ORDERS_LINE for line in lines)
    ruling = [line for line in lines if " ruling (taken back)" in line]
    assert ruling[0].startswith("#") and "<b>no</b>" in ruling[0] and "x" * 900 not in "".join(ruling)
    assert sum(line.count("x") for line in lines) >= 900
    assert [line for line in lines if line.startswith("!")] == ["!turn 1", "!impulse 1", "!B: hit 21 on 1"]
    (outcome,) = (line for line in lines if " outcome: " in line)
    assert "outcome: B: 21 points on #1: " in outcome and "inside: lab, forward hull" in outcome
    assert lines[0].startswith("#0 game: ")
    dice = next(line for line in lines if " result: roll 1: " in line)
    assert lines[-2].startswith("#10 undo: takes back #9")
    faces = [face for group in read("g.jsonl")[7].data["dice"] for face in group["faces"]]
    assert faces and all(str(face) in dice for face in faces)
    since = referee("game", "chat", "g.jsonl", "--since", "7", "-o", "said.txt")
    assert since.code == 0 and Path("said.txt").read_text().splitlines() == lines[lines.index(dice) + 1 :]
    assert referee("game", "chat", "g.jsonl", "--since", "99").code == 2


@pytest.mark.parametrize("name", ["cadet-duel", "solo-duel"])
def test_every_order_of_the_example_games_is_read_back(referee: Run, name: str) -> None:
    path = ROOT / "examples" / "games" / f"{name}.jsonl"
    entries = read(str(path))
    lines = referee("game", "chat", path).out.splitlines()
    known = [entry.data["ship"] for entry in entries if entry.type == "ship"]
    known += [entry.data["launch"]["name"] for entry in entries if "launch" in entry.data]
    said = [parse_chat_order(line, "", known) for line in lines if line.startswith("!")]
    orders = [one for one in said if not isinstance(one, TurnBegins | ImpulseBegins | Seal | Hit)]
    gone = undone_by(entries)
    counts = {f"volley of entry {entry.seq}": entry.seq for entry in entries}
    rerolled = {entry.data["roll"] for entry in entries if entry.type == "reroll"}
    rerolled = {
        counts.get(entry.data["purpose"])
        for entry in entries
        if entry.type == "declare" and entry.data["roll"] in rerolled
    }
    volleys = [e.data["volley"] for e in entries if "volley" in e.data and e.seq not in {*gone, *rerolled}]
    struck = [(one.ship, one.points, one.shield) for one in said if isinstance(one, Hit)]
    assert struck == [(one["ship"], one["points"], one["shield"]) for one in volleys] and struck
    held = [order_said(entry.data) for entry in entries if entry.type == "order" and entry.seq not in gone]
    held = [order for order in held if order is not None]
    assert orders == held and (len(held) > 5 or name == "solo-duel")
    rolled = [entry for entry in entries if entry.type == "result"]
    assert sum(" result: roll " in line for line in lines) == len(rolled) > 0


def test_a_game_of_secrets_is_not_told_to_all(referee: Run) -> None:
    ran = referee("game", "chat", ROOT / "examples" / "games" / "trek-duel.jsonl")
    assert ran.code == 2 and "not all in it is for everybody's eyes" in ran.err and ran.out == ""
