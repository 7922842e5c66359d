"""A record's chat, pasted at a VASSAL table where the pieces go with it, is a log that tells the same game."""

from __future__ import annotations

import lzma
import re
from collections import Counter
from pathlib import Path

import pytest

from referee.core.game import GameState
from referee.core.orders import Fire
from referee.formats.orderlines import parse_chat_order
from referee.play.chat import chat_lines
from referee.play.game_file import Game, open_game
from referee.rulebooks.registry import load_ship
from tests.cli.conftest import Ran, Run
from tests.conftest import ROOT, mostly_long
from tests.unit.formats.vassal.chat_logs import Pasted, pasted
from tests.unit.formats.vassal.game_logs import module_bytes

EXAMPLE = ROOT / "examples" / "games" / "cadet-duel.jsonl"
DUELS = sorted(Path(__file__).with_name("duels_of_robots").glob("*.jsonl.xz"))
"""Records that robots on both sides played, by scenario: the program can no longer make them."""
PLAYED = mostly_long(
    [(EXAMPLE,), *((duel,) for duel in DUELS)], lambda duel: duel.name[:3] in ("cad", "4-a", "7-s")
)
"""The example, a duel of cadet ships and one of standard ones with seekers; the long run takes the others."""
SEED = ("--dice", "seed", "--seed", "x")
STANDARD = (
    "--players", "ann", *SEED, "--rulebook", "sfb-standard",
    "--ship", "Eagle=standard/romulan-we:ann@2015D/6", "--ship", "Fed=standard/federation-ca:ann@2024A/6",
)  # fmt: skip


def unpacked(record: Path) -> Path:
    """A record, as a file that can be read."""
    if record.suffix != ".xz":
        return record
    Path("d.jsonl").write_bytes(lzma.decompress(record.read_bytes()))
    return Path("d.jsonl")


def paste(path: str | Path) -> tuple[Game, Pasted]:
    """The log that the chat of a record makes, beside its module."""
    game = open_game(str(path))
    log = pasted(list(chat_lines(game)), game.state, game.entries, int(game.rulebook.option("impulses")))
    Path("game.vlog").write_bytes(log.data)
    Path("m.vmod").write_bytes(module_bytes())
    return game, log


def told(game: Game) -> list[str]:
    """What the log does not show: the classes of its ships, the options of the game, the speeds before it."""
    options = [f"{name}={value}" for name, value in game.state.genesis.get("options", {}).items()]
    named = [part for option in options if "map" not in option for part in ("--option", option)]
    for name, ship in game.state.ships.items():
        named += ["--ship", f"{name}={ship.state.ship}"]
    return named


def check(referee: Run, game: Game) -> Ran:
    return referee("check", "game.vlog", "--module", "m.vmod", "--json", *told(game))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("duel", PLAYED, ids=lambda duel: duel.name.partition(".")[0])
def test_the_chat_of_a_legal_game_is_audited_clean(referee: Run, duel: Path) -> None:
    game, log = paste(unpacked(duel))
    assert log.lost == ()
    ran = check(referee, game)
    assert ran.code == 0 and ran.json["verdict"] == "legal", ran.findings("error", "undecided", "warning")
    assert not ran.findings("error", "undecided", "warning")
    assert {"C1.4", "C3.2", "E1.2"} <= {key.partition("/")[0] for key in ran.json["checked"]}


def begun_again(referee: Run, game: Game, path: str = "back.jsonl") -> tuple[Game, Ran]:
    """The record that is begun from the log."""
    players = ["--players", ",".join(game.state.players)]
    players += [part for n, s in game.state.ships.items() for part in ("--player", f"{n}={s.player}")]
    begin = ("game", "new", path, "--from", "game.vlog", "--module", "m.vmod", *told(game), *players, *SEED)
    ran = referee(*begin)
    assert ran.code == 0, ran.err
    return open_game(path), ran


def as_told(state: GameState) -> dict[str, object]:
    """What of a game a log can tell. Boxes of a system that has no marks of their own are counted."""
    ships = {}
    for name, ship in state.ships.items():
        chosen = load_ship(ship.state.ship)
        lost = Counter(box if chosen.mount(box) else box.partition("/")[0] for box in ship.state.destroyed)
        ships[name] = (
            ship.position,
            dict(ship.state.shields),
            lost,
            sorted((str(moment), mark) for moment, mark in ship.fired),
            [(str(moment), to) for moment, to in ship.announced],
            {turn: {n: str(v["amount"]) for n, v in form.items()} for turn, form in ship.forms.items()},
        )
    seekers = {
        name: (s.type, s.owner, s.target, str(s.hex), s.facing, str(s.launched), s.hexes, s.straight)
        for name, s in state.seekers.items()
    }
    return {"ships": ships, "seekers": seekers, "locks": dict(state.locks)}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("duel", PLAYED, ids=lambda duel: duel.name.partition(".")[0])
def test_a_record_begun_from_the_log_is_the_same_game(referee: Run, duel: Path) -> None:
    game, _ = paste(unpacked(duel))
    back, ran = begun_again(referee, game)
    assert as_told(back.state) == as_told(game.state)
    assert (back.state.turn, back.state.fouls) == (game.state.turn, ())
    assert referee("record", "verify", "back.jsonl").code == 0
    # A miss leaves no mark: that its dice fell is nowhere in the log.
    left = [line for line in ran.out.splitlines() if line.startswith("not taken")]
    assert [line for line in left if "what the fire at" not in line] == []


def test_a_foul_of_the_record_is_found_in_the_line_that_says_it(referee: Run) -> None:
    assert referee("game", "new", "g.jsonl", *STANDARD).code == 0
    assert referee("game", "say", "g.jsonl", "Eagle: speed 10", "--as", "ann", "--force").code in (0, 1)
    assert referee("game", "say", "g.jsonl", "Fed: speed 10", "--as", "ann", "--force").code in (0, 1)
    for impulse, way in ((4, "ahead"), (7, "left"), (10, "right"), (13, "ahead")):
        said = (f"impulse {impulse}", f"Eagle: {way}", "Fed: ahead")
        assert referee("game", "say", "g.jsonl", *said, "--as", "ann", "--force").code in (0, 1)
    game, log = paste("g.jsonl")
    turned = [foul for foul in game.state.fouls if foul.rule.startswith("C3")]
    assert [foul.subject for foul in turned] == ["Eagle"]
    found = [f for f in check(referee, game).findings("error") if f["rule"].startswith("C3")]
    assert [(f["rule"], f["subject"], f["turn"], f["impulse"]) for f in found] == [
        (turned[0].rule, "Eagle", 1, turned[0].impulse)
    ]
    line = log.steps["!Eagle: right"]
    assert line < found[0]["location"]["step"] <= line + 2


def lines_of(path: str) -> list[str]:
    return list(chat_lines(open_game(path)))


def test_everything_a_record_holds_is_said(referee: Run) -> None:
    """Cloaks, lock-ons with their rolls, launches with the seeker's name, volleys with what was reinforced,
    what sealed orders came to, figures of forms, rulings, notes."""
    assert referee("game", "new", "g.jsonl", *STANDARD).code == 0
    Path("plot.txt").write_text("ahead\nleft\n")
    Path("eagle.csv").write_text("Turn,1\nWarp Power,24\nImpulse Power,3\nTotal Power,27\nMovement,4\n")
    seal = ("seal", "--game", "g.jsonl", "--as", "ann", "--ship", "Eagle", "--force")
    assert referee(*seal, "plot.txt", "--kind", "moves").code == 0
    assert referee(*seal, "eagle.csv", "--fields").code == 0 or referee(*seal, "eagle.csv").code == 0
    assert referee("game", "say", "g.jsonl", "Eagle: speed 4", "--as", "ann", "--force").code in (0, 1)
    assert referee("game", "lock", "g.jsonl", "Fed", "Eagle", "--as", "ann", "--force").code in (0, 1)
    said = ("impulse 1", "Eagle: cloak")
    assert referee("game", "say", "g.jsonl", *said, "--as", "ann", "--force").code in (0, 1)
    said = ("impulse 8", "Eagle: ahead")
    assert referee("game", "say", "g.jsonl", *said, "--as", "ann", "--force").code in (0, 1)
    launch = ("Eagle: launch PL-R/A at Fed",)
    assert referee("game", "say", "g.jsonl", *launch, "--as", "ann", "--force").code in (0, 1)
    assert referee("game", "next", "g.jsonl", "--to", "1.8.resolve-fire", "--force", "--as", "ann").code in (
        0,
        1,
    )
    strike = ("volley", "Fed", "--game", "g.jsonl", "--as", "ann", "--damage", "9", "--shield", "2")
    assert referee(*strike, "--reinforcement", "2,1", "--force").code in (0, 1)
    assert referee("game", "rule", "g.jsonl", "play on", "--by", "ann").code == 0
    lines = lines_of("g.jsonl")
    text = "\n".join(lines)
    (rolled,) = (line for line in lines if "lock on" in line)
    assert re.fullmatch("!Fed: lock on Eagle [1-6]", rolled)
    roll = rolled[-1]
    assert f"result: roll 1: Eagle {roll}" in text
    assert "!Eagle: cloak" in lines and "!Fed: hit 9 on 2" in lines
    assert "2 general reinforcement, 1 specific reinforcement" in text and "3 off by reinforcement" in text
    launched = next(n for n, line in enumerate(lines) if line.startswith("!Eagle: launch"))
    assert re.fullmatch(r"#[0-9]+ launch: Eagle PL-R/A t1, facing [A-F]", lines[launched + 1])
    assert re.search(r"#[0-9]+ seal: moves of Eagle for turn 1", text) and "!Eagle: seal " in text
    assert "ruling: ann: play on" in text


def test_a_volley_whose_dice_do_not_count_is_no_hit(referee: Run) -> None:
    lines = lines_of(str(ROOT / "examples" / "games" / "solo-duel.jsonl"))
    assert [line for line in lines if "hit 14" in line and line.startswith("!")] == [
        "!Constellation: hit 14 on 2"
    ]
    assert any(line.endswith(" order: Constellation: hit 14 on 3") for line in lines)


def test_what_a_reveal_shows_is_told(referee: Run) -> None:
    lines = lines_of(str(EXAMPLE))
    shown = [line for line in lines if " reveal: " in line]
    assert len(shown) == 6
    assert "Constellation shows its form of turn 1: speed 12, phasers 3, PHOT A 2" in shown[0]


@pytest.mark.parametrize("name", ["Fire", "Hit", "Cloak", "Turn"])
def test_a_ship_called_after_a_verb_is_spoken_of(name: str) -> None:
    """Scenario 4 has a ship called Fire."""
    order = parse_chat_order(f"!{name}: fire PH-1/A at War", "", (name, "War"))
    assert order == Fire(name, ("PH-1/A",), "War")
    assert parse_chat_order("!fire PH-1/A at War", "Other", ("Other", "War")) == Fire(
        "Other", ("PH-1/A",), "War"
    )
