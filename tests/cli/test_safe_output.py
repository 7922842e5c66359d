"""Names, notes and file names are their players' to choose: none moves the cursor or turns the direction."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from referee.core.safe import safe_text
from tests.cli.conftest import Ran, Run
from tests.conftest import ROOT

ONE, TWO = "A\u202eXX\u2066\u200b", "B\u202eYY\u009b31m"
GAME = "g\u202e.jsonl"
SHIPS = (
    *("--ship", f"{ONE}=cadet/federation-ca:alice@0505A/16"),
    *("--ship", f"{TWO}=cadet/klingon-d6:bob@0510D/16"),
)
ORDERS = f"""rulebook sfb-cadet
impulses 16
ship {ONE} = cadet/federation-ca at 0505A speed 16
ship {ONE}2 = cadet/klingon-d6 at 0510D speed 16
turn 1
impulse 2
  {ONE}: ahead
  {ONE}: fire PH-1/A at {ONE}2
"""


def is_safe(ran: Ran) -> None:
    hidden = [c for c in ran.out + ran.err if c != "\n" and unicodedata.category(c)[0] == "C"]
    assert not hidden and ran.code in (0, 1, 2), (ran.code, hidden)
    assert ran.out or ran.err


def test_a_game_shows_no_hidden_character(referee: Run) -> None:
    form = "form\u202e.csv"
    Path(form).write_text("Ship,cadet/federation-ca\nTurn,1\nWarp Power,30\nMovement,8\n", encoding="utf-8")
    seed = ("--dice", "seed", "--seed", "s\u202e")
    mine = ("--players", "alice,bob", "--title", "T\u202e", *SHIPS)
    fire = f"{ONE}: fire PH-1/A at {TWO}"
    for said in (
        ("game", "new", GAME, *mine, *seed),
        ("game", "new", "p.jsonl", *mine, "--dice", "peer"),
        ("game", "join", "p.jsonl", "--as", "alice"),
        ("seal", form, "--game", GAME, "--as", "alice", "--ship", ONE, "--force"),
        ("game", "say", GAME, "impulse 4", f"{ONE}: ahead", "--force"),
        ("reveal", "--game", GAME, "--ship", ONE),
        ("game", "say", GAME, fire, "--as", "alice", "--force"),
        ("game", "resolve", GAME),
        ("volley", TWO, "--game", GAME, "--damage", "30", "--shield", "1", "--as", "bob", "--force"),
        ("game", "status", GAME),
        ("game", "report", GAME),
        ("game", "replay", GAME),
        ("game", "chat", GAME),
        ("check", GAME),
        ("robot", GAME, "--ship", TWO),
        ("roll", "2d6", "--seed", "\u202e"),
        ("form", "blank", "cadet/federation-ca", "-o", "b\u202e.csv"),
    ):
        is_safe(referee(*said))


@pytest.mark.parametrize("asked", [("robot", "--ship", f"{ONE}2"), ("check",), ("check", "--format", "html")])
def test_an_orders_file_shows_none(referee: Run, asked: tuple[str, ...]) -> None:
    Path("o\u202e.txt").write_text(ORDERS, encoding="utf-8")
    is_safe(referee(asked[0], "o\u202e.txt", *asked[1:]))


def test_a_trek_game_shows_none(referee: Run) -> None:
    duel = json.loads((ROOT / "examples" / "trek" / "duel.json").read_bytes()) | {"turns": []}
    duel.pop("dice")
    said = json.dumps(duel).replace("Lancer", "Lan\\u202ecer").replace('"Shade"', '"Sha\\u202ede"')
    Path("setup.json").write_text(said, encoding="utf-8")
    begun = ("--rulebook", "trek", "--players", "alpha,beta", "--setup", "setup.json", "--dice", "seed")
    for asked in (
        ("game", "new", "t.jsonl", *begun, "--seed", "a"),
        ("game", "next", "t.jsonl"),
        ("game", "next", "t.jsonl"),
        ("game", "say", "t.jsonl", "Sha\u202ede: lock Lan\u202ecer"),
        ("game", "say", "t.jsonl", "Lan\u202ecer: lock Sha\u202ede"),
        ("game", "report", "t.jsonl"),
        ("show", "t.jsonl"),
    ):
        is_safe(referee(*asked))


def test_what_is_spelt_out_and_what_stays() -> None:
    kept = "é ½ — 日本 👍 ￥\tpoints\r\nnext\n"
    assert safe_text(kept) == kept and safe_text("\ufeffTurn,1\r\n") == "\ufeffTurn,1\r\n"
    assert safe_text("a\rb\x1b[31m\u202e\ud800") == "a\\x0db\\x1b[31m\\u202e\\ud800"
    painted = "\x1b[31mred\x1b[0m"
    assert safe_text(painted, painted=True) == painted and "\x1b" not in safe_text(painted)
    assert "\x1b" not in safe_text("\x1b[8mhidden \x1b[2J", painted=True)
