"""Trek in the record: acts judged and resolved by the record's dice, secrets kept, forgers found out."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from referee.record.reading import read
from tests.cli.conftest import Run
from tests.cli.test_trek_verbs import fits
from tests.conftest import ROOT
from tests.unit.play.test_game_forging import forge, rewritten

GAMES = ROOT / "examples" / "games"
RECORD = GAMES / "trek-duel.jsonl"
DUEL = ROOT / "examples" / "trek" / "duel.json"
HEAD = "#118 W5M5-3XPB-GN7U-O52H-UTSE-ELRZ-W2"
STATE = "8d2b7addbd7e5678857db2aafb1ea277"
SEED = ("--dice", "seed", "--seed", "a duel")
ORDER = {"act": "turn", "order": ["Lancer", "Shade"]}


def setup(change: Any = None) -> str:
    """The duel's ships as a setup file, changed."""
    data = json.loads(DUEL.read_bytes()) | {"turns": []}
    del data["dice"]
    if change:
        change(data)
    Path("setup.json").write_text(json.dumps(data), encoding="utf-8")
    return "setup.json"


def begin(referee: Run, *more: str, change: Any = None, dice: tuple[str, ...] = SEED) -> str:
    """A game of alpha and beta, in round 1 of turn 1, Lancer before Shade."""
    terms = ("--rulebook", "trek", "--players", "alpha,beta", "--setup", setup(change))
    ran = referee("game", "new", "g.jsonl", *terms, *dice, *more)
    assert ran.code == 0, ran.err
    assert referee("game", "apply", "g.jsonl", orders(ORDER, {"act": "round"})).code == 0
    return "g.jsonl"


def orders(*acts: dict[str, Any]) -> str:
    """A file of acts."""
    document = {"schema": "referee/trek-orders/1", "acts": list(acts)}
    fits(document)
    Path("orders.json").write_text(json.dumps(document), encoding="utf-8")
    return "orders.json"


def own(referee: Run, path: str | Path) -> dict[str, Any]:
    """The combat of a record, as the umpire knows it."""
    status = fits(referee("game", "status", path, "--json").json)
    document: dict[str, Any] = fits(status["own"])
    return document


# -- the example -----------------------------------------------------------------------------


def test_the_recorded_duel_is_whole_and_ends_as_the_combat_file(referee: Run) -> None:
    before = RECORD.read_bytes()
    assert referee("record", "verify", RECORD, "--head", HEAD).code == 0
    replayed = referee("game", "replay", RECORD)
    assert replayed.code == 0 and replayed.out.splitlines()[-1] == f"state {STATE}"
    combat = own(referee, RECORD)
    expected = json.loads((DUEL.parent / "EXPECTED.json").read_bytes())
    assert combat["state_hash"] == expected["state_hash"] and combat["state"] == expected["state"]
    kinds = {event["event"] for event in combat["log"]}
    assert {"cloaked", "decloaked", "repaired", "left_play", "absorbed", "told"} <= kinds
    rolled = {event["what"] for event in combat["log"] if event["event"] == "rolled"}
    assert "banked weapons" in rolled and any("plasma-1" in str(event) for event in combat["log"])
    ran = referee("dice", "verify", RECORD)
    assert ran.code == 0 and "16 throws, 0 recomputed, 16 typed in by hand, 0 wrong" in ran.out
    judged = referee("check", RECORD, "--json").json
    assert judged["verdict"] == "legal" and {"trek-34", "trek-1"} <= set(judged["checked"])
    assert RECORD.read_bytes() == before


def test_its_log_is_the_one_of_the_combat_file(referee: Run) -> None:
    played = referee("trek", "play", DUEL, "--json").json
    assert own(referee, RECORD)["log"] == played["log"]


def test_the_script_plays_the_same_moves(referee: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    source = importlib.util.spec_from_file_location("make_trek_duel", GAMES / "make_trek_duel.py")
    assert source and source.loader
    script = importlib.util.module_from_spec(source)
    source.loader.exec_module(script)

    def run(*arguments: Any, exits: int = 0) -> None:
        ran = referee(*arguments)
        assert ran.code == exits, (arguments, ran.err)

    monkeypatch.setattr(script, "referee", run)
    monkeypatch.setattr(script.sys, "argv", ["make_trek_duel.py", "."])
    script.main()
    again, before = read(Path("trek-duel.jsonl")), read(RECORD)
    assert [entry.type for entry in again] == [entry.type for entry in before]
    assert [e.data for e in again if e.type == "events"] == [e.data for e in before if e.type == "events"]
    assert own(referee, "trek-duel.jsonl")["state_hash"] == own(referee, RECORD)["state_hash"]


@pytest.mark.parametrize("to", [0, 2, 10, 40, 80])
def test_the_game_after_some_entries_is_that_of_the_record_cut_there(referee: Run, to: int) -> None:
    lines = RECORD.read_bytes().splitlines(keepends=True)
    Path("cut.jsonl").write_bytes(b"".join(lines[: to + 1]))
    shown = referee("game", "replay", RECORD, "--to", str(to)).out.splitlines()[-1]
    assert referee("game", "replay", "cut.jsonl").out.splitlines()[-1] == shown


# -- playing ---------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_game(referee: Run) -> None:
    hashes = []
    for text in ("one", "one", "two"):
        Path("g.jsonl").unlink(missing_ok=True)
        path = begin(referee, dice=("--dice", "seed", "--seed", text))
        ran = referee("game", "say", path, "Lancer: lock Shade; fire beam-A1=4,beam-A2=2 at Shade")
        assert ran.code == 0, ran.err
        hashes.append(own(referee, path)["state_hash"])
    assert hashes[0] == hashes[1] != hashes[2]


def test_an_illegal_act_is_refused_with_its_rule_before_any_die(referee: Run) -> None:
    path = begin(referee)
    before = Path(path).read_bytes()
    ran = referee("game", "say", path, "Lancer: raise; fire beam-A1=9 at Shade")
    assert ran.code == 1 and "[trek-35]" in ran.err and "nothing was recorded" in ran.err
    assert Path(path).read_bytes() == before
    assert referee("game", "say", path, "Lancer: raise; fire beam-A1=9 at Shade", "--force").code == 0
    combat = own(referee, path)
    refused = [event for event in combat["log"] if event["event"] == "refused"]
    assert [event["by_rule"] for event in refused] == ["trek-35"]
    assert combat["state"]["vessels"]["Lancer"]["raised"]
    judged = referee("check", path, "--json")
    assert judged.code == 1 and judged.json["findings"][0]["rule"] == "trek-35"


@pytest.mark.parametrize("torpedo", ["torp-1", "Torp 1"])
def test_what_turns_out_illegal_behind_the_dice_stops_there(referee: Run, torpedo: str) -> None:
    path = begin(referee)
    assert referee("game", "say", path, "Shade answers: graze no").code == 0
    twice = f"Lancer: lock Shade; fire torp-1 at Shade; raise; fire {torpedo} at Shade; move ahead"
    ran = referee("game", "say", path, twice)
    assert ran.code == 1 and "torp-1 fires twice in a turn" in ran.err
    assert "what came before it is recorded, up to Lancer: raise" in ran.err
    assert "nothing was recorded" not in ran.err
    lancer = own(referee, path)["state"]["vessels"]["Lancer"]
    assert lancer["raised"] and lancer["done"] == ["lock", "fire", "raise"]
    status = referee("game", "status", path, "--json").json
    assert status["fouls"] == [] and referee("check", path).code == 0
    assert referee("game", "say", path, f"Lancer: fire {torpedo} at Shade; move ahead", "--force").code == 0
    status = referee("game", "status", path, "--json").json
    assert [foul["reason"] for foul in status["fouls"]] == ["torp-1 fires twice in a turn"]
    assert referee("dice", "verify", path).code == 0


def test_dice_thrown_by_hand_are_typed_in_one_after_another(referee: Run) -> None:
    path = begin(referee, dice=("--dice", "physical"))
    ran = referee("game", "say", path, "Lancer: lock Shade; fire torp-1 at Shade; move ahead")
    assert ran.code == 0 and "Lancer: fire torp-1 at Shade; move ahead" in ran.out
    assert "1d100 (Lancer: Starship Sensors) first" in referee("game", "status", path).out
    assert referee("dice", "enter", path, "1", "--as", "alpha").code == 0
    assert referee("dice", "confirm", path, "--as", "beta").code == 0
    assert referee("game", "say", path, "Shade answers: graze yes").code == 0
    assert referee("game", "say", path, "Lancer: fire torp-1 at Shade; move ahead").code == 0
    before = Path(path).read_bytes()
    for face, told in (("41", "41; next: 1d10 (Lancer: torp-1 to hit)"), ("1", "41 1; next: 1d100 (Shade")):
        ran = referee("dice", "enter", path, face, "--as", "alpha")
        assert ran.code == 0 and told in ran.out and Path(path).read_bytes() == before
    assert "41 1; next: 1d100" in referee("dice", "enter", path, "--as", "alpha").out
    ran = referee("dice", "enter", path, "101", "--as", "alpha")
    assert ran.code == 2 and "no die shows 101; 1d100" in ran.err
    ran = referee("dice", "enter", path, "41", "--again", "--as", "alpha")
    assert "41; next: 1d10" in ran.out
    ran = referee("dice", "enter", path, "10", "--as", "alpha")
    assert ran.code == 0 and "awaited from beta: to confirm them" in ran.out
    assert not list(Path("g.secrets").glob("faces-*"))
    assert referee("dice", "confirm", path, "--as", "beta").code == 0
    assert referee("dice", "verify", path).code == 0


def asked_of_shade(path: str, referee: Run) -> None:
    """Shade's shields are up, and Lancer fires a beam that hits."""
    assert referee("game", "say", path, "Lancer: pass", "Shade: raise").code == 0
    assert referee("game", "next", path).code == 0
    assert referee("game", "say", path, "Lancer: fire beam-A1=6 at Shade", "--as", "alpha").code == 0


def test_what_a_shield_absorbs_is_asked_when_the_damage_is_known(referee: Run) -> None:
    path = begin(referee, dice=("--dice", "physical"))
    asked_of_shade(path, referee)
    assert referee("game", "say", path, "Shade answers: absorb 4", "--as", "alpha").code == 2, "not his"
    ran = referee("dice", "enter", path, "41", "1", "--as", "alpha")
    question = "Shade is asked: 7 points strike shield 2: how many does it absorb? "
    assert ran.code == 0 and question in ran.out, ran.out
    ran = referee("dice", "enter", path, "1", "--as", "alpha")
    assert ran.code == 2 and "left over" in ran.err and "first Shade is asked" in ran.err, (
        "not before the answer"
    )
    told = referee("game", "status", path).out
    assert f"awaited from beta: {question}" in told and '"Shade answers: absorb 0 to 7"' in told
    assert referee("game", "say", path, "Shade: move ahead", "--as", "beta").code == 2, "the act is not done"
    ran = referee("game", "say", path, "Shade answers: absorb 3", "--as", "beta")
    assert ran.code == 0, ran.err
    assert "next: 1d10 (Shade: damage location)" in referee("dice", "enter", path, "--as", "alpha").out
    assert referee("dice", "enter", path, "1", "--as", "alpha").code == 0
    assert referee("dice", "confirm", path, "--as", "beta").code == 0
    shade = own(referee, path)["state"]["vessels"]["Shade"]
    assert shade["damage"] == {"shield 2": [4]}
    assert referee("check", path).code == 0 and referee("dice", "verify", path).code == 0


def fired_at_raised_shields(referee: Run, mode: str, path: str, seed: str) -> int:
    """A game in which Lancer fires at Shade, whose shields are raised, and all its keys are given: how many entries
    it had before the shot."""
    if mode == "seed":
        assert begin(referee, dice=("--dice", "seed", "--seed", seed)) == path
    else:
        terms = ("--rulebook", "trek", "--players", "alpha,beta", "--setup", setup(), "--dice", "peer")
        assert referee("game", "new", path, *terms).code == 0
        for player in ("alpha", "beta"):
            assert referee("game", "join", path, "--as", player).code == 0
        assert referee("game", "apply", path, orders(ORDER, {"act": "round"})).code == 0
    for said in ("Lancer: pass", "Shade: raise"):
        assert referee("game", "say", path, said).code == 0
    assert referee("game", "next", path).code == 0
    before = len(read(Path(path)))
    ran = referee("game", "say", path, "Lancer: fire beam-A1=6 at Shade")
    assert ran.code == 0, ran.err
    for player in ("beta", "alpha") if mode == "peer" else ():
        assert referee("dice", "key", path, "--as", player).code == 0
    return before


@pytest.mark.parametrize("mode", ["seed", "peer"])
def test_it_is_asked_with_dice_that_nobody_types_in(referee: Run, mode: str) -> None:
    path = "g.jsonl"
    for n in range(12):  # A shot may miss: then nobody is asked, and the game is begun anew.
        before = fired_at_raised_shields(referee, mode, path, f"seed {n}")
        if read(Path(path))[-1].type != "events":
            break
        Path(path).unlink()
        shutil.rmtree("g.secrets", ignore_errors=True)
    assert len(read(Path(path))) > before
    assert "Shade is asked" in referee("game", "status", path).out
    ran = referee("game", "say", path, "Shade answers: absorb 99")
    assert ran.code == 0 and "absorbs" in ran.out, ran.out
    assert read(Path(path))[-1].type == "events"
    assert referee("check", path).code == 0 and referee("dice", "verify", path).code == 0


def test_the_report_says_what_is_against_the_rules_to_whom_it_concerns(referee: Run) -> None:
    path = begin(referee)
    assert referee("game", "say", path, "Lancer: decloak", "--force").code == 0
    assert own(referee, path)["verdict"] == "illegal"
    for side, verdict in (("alpha", "illegal"), ("beta", "legal")):
        told = referee("show", path, "--as", side, "--json").json
        assert told["verdict"] == verdict and bool(told["findings"]) == (side == "alpha")
    assert "Lancer is not cloaked" in referee("game", "report", path).out
    assert referee("show", path).out == referee("game", "status", path).out


def test_ships_act_once_a_round_and_in_their_order(referee: Run) -> None:
    path = begin(referee)
    assert "awaited from alpha: Lancer to act" in referee("game", "status", path).out
    assert referee("game", "say", path, "Lancer: raise").code == 0
    assert referee("game", "say", path, "Lancer: move ahead").code == 0, "still its turn to act"
    assert referee("game", "say", path, "Shade: raise").code == 0
    late = referee("game", "say", path, "Lancer: move ahead")
    assert late.code == 1 and "[trek-7]" in late.err
    for _ in (2, 3):
        assert referee("game", "next", path).code == 0
        early = referee("game", "say", path, "Shade: move ahead")
        assert early.code == 1 and "[trek-8]" in early.err
        assert referee("game", "say", path, "Lancer: pass").code == 0
        assert referee("game", "say", path, "Shade: move ahead").code == 0
    assert "Turn 2" in referee("game", "next", path).out
    assert referee("game", "say", path, "Lancer: raise").code == 2, "no round has begun"


def test_nobody_acts_ahead_of_a_ship_that_is_awaited_or_passes_over_it(referee: Run) -> None:
    path = begin(referee)
    before = Path(path).read_bytes()
    early = referee("game", "say", path, "Shade: move ahead", "--as", "beta")
    assert early.code == 1 and "[trek-8]" in early.err and "acts before Lancer" in early.err
    for said in (("next",), ("say", "next turn")):
        ran = referee("game", said[0], path, *said[1:], "--as", "beta")
        assert ran.code == 1 and "[trek-7]" in ran.err and "alpha is awaited" in ran.err
    assert referee("game", "say", path, "Lancer: pass", "--as", "beta").code == 2, "not his to pass"
    assert referee("game", "next", path, "--as", "beta", "--agreed", "beta").code == 2
    assert Path(path).read_bytes() == before
    left_out = orders({"act": "turn", "order": ["Lancer"]})
    ran = referee("game", "apply", path, left_out, "--as", "alpha")
    assert ran.code == 1 and "Shade is left out of the order" in ran.err
    assert Path(path).read_bytes() == before
    assert referee("game", "say", path, "Lancer: pass", "--as", "alpha").code == 0
    assert referee("game", "say", path, "Shade: move ahead", "--as", "beta").code == 0
    assert referee("game", "next", path, "--as", "alpha").code == 0, "nobody is awaited"
    assert referee("game", "next", path, "--as", "beta", "--agreed", "alpha,beta").code == 0
    assert referee("game", "say", path, "Lancer: raise", "--as", "alpha").code == 0
    assert referee("game", "next", path, "--as", "beta").code == 0, "he leaves the round out himself"
    assert referee("check", path).code == 0


def test_the_umpire_passes_for_a_ship_and_moves_on(referee: Run) -> None:
    path = begin(referee, "--umpire", "zoe")
    assert referee("game", "say", path, "Lancer: pass", "--as", "zoe").code == 0
    assert referee("game", "next", path, "--as", "alpha").code == 1
    assert referee("game", "next", path, "--as", "zoe").code == 0
    assert referee("check", path).code == 0


@pytest.mark.parametrize("done", [("say", "Shade: move ahead"), ("next",)])
def test_what_passes_over_a_ship_is_a_foul_of_its_author(referee: Run, done: tuple[str, ...]) -> None:
    path = begin(referee)
    assert referee("game", done[0], path, *done[1:], "--as", "beta", "--force").code == 0
    foul = read(Path(path))[-1]
    assert (foul.type, foul.data["player"]) == ("foul", "beta")
    assert referee("check", path).code == 1 and referee("dice", "verify", path).code == 0
    kept = [(entry.type, dict(entry.data)) for entry in read(Path(path))]
    short = Path(begin_again(Path(path)))
    new = kept[len(read(short)) :]
    for fouls in ([], [("foul", new[-1][1] | {"player": "alpha"})]):
        ran = referee("check", forge(short, *new[:-1], *fouls))
        assert ran.code == 3 and "no foul is recorded" in ran.err
    if done[0] == "say":
        assert referee("game", "say", path, "Lancer: raise", "--as", "alpha").code == 0, "still to act"


def test_answers_are_given_beforehand(referee: Run) -> None:
    path = begin(referee, dice=("--dice", "physical"))
    assert referee("game", "say", path, "Lancer: pass", "Shade: raise").code == 0
    assert referee("game", "next", path).code == 0
    assert referee("game", "say", path, "Shade answers: graze no; absorb 2", "--as", "beta").code == 0
    assert referee("game", "say", path, "Lancer: fire torp-1 at Shade", "--as", "alpha").code == 0
    for faces, code in (("41 1 1 1", 2), ("41 1 1", 0)):
        assert referee("dice", "enter", path, *faces.split(), "--as", "alpha").code == code
    shade = own(referee, path)["state"]["vessels"]["Shade"]
    assert shade["damage"] == {"shield 2": [8]} and shade["shield_power"]["2"] == "8"
    assert referee("dice", "confirm", path, "--as", "alpha").code == 2
    assert referee("dice", "confirm", path, "--as", "beta").code == 0


def test_parts_are_named_in_any_order_and_spelling_and_unknown_ones_are_refused(referee: Run) -> None:
    path = begin(referee, dice=("--dice", "physical"))
    assert referee("game", "say", path, "lancer: lock shade").code == 0
    assert referee("dice", "enter", path, "1", "--as", "alpha").code == 0
    assert referee("dice", "confirm", path, "--as", "beta").code == 0
    refused = referee("game", "say", path, "Lancer: scan status of banana")
    assert refused.code == 1 and "Shade has no part banana" in refused.err
    assert "beam-1" in refused.err and "shield 1 to 6" in refused.err
    for said, told in (("SHIELD-2", "shield 2 operative, 10 points"), ("1 Beam", "beam-1 operative")):
        ran = referee("game", "say", path, f"Lancer: scan status of {said}")
        assert ran.code == 0 and told in ran.out, ran.out + ran.err
        assert referee("game", "say", path, "Shade: pass").code == 0
        assert referee("game", "next", path).code == 0
    for said, reason in (
        ("weapons banana", "Lancer has no weapon banana"),
        ("system banana", "Lancer has no system banana"),
        ("engines banana", "Lancer has no engine banana"),
        ("weapons A1 beam", "beam-A1 is not damaged"),
        ("system Shield-2", "shield 2 is not out of action"),
        ("engines Port", "engine port is not damaged"),
    ):
        ran = referee("game", "say", path, f"Lancer: repair {said}")
        assert ran.code == 1 and reason in ran.err, ran.err
    ran = referee("game", "say", path, "Lancer: fire banana at Shade")
    assert ran.code == 1 and "expected beam-A1, beam-A2, beam-B1, torp-1" in ran.err, ran.err
    for said in ("help", "Lancer: help"):
        assert "SHIP: pass" in referee("game", "say", path, said).out
    told = referee("game", "status", path).out.splitlines()[0]
    assert referee("game", "say", path, "Lancer: status").out.startswith(told)


def test_a_lock_on_what_is_no_ship_and_transport_through_shields_at_the_other_end(referee: Run) -> None:
    path = begin(referee, dice=("--dice", "physical"))
    ran = referee("game", "say", path, "Lancer: lock wreck")
    assert ran.code == 1 and "lock object wreck" in ran.err
    assert referee("game", "say", path, "Lancer: lock object wreck at 0515").code == 0
    assert referee("dice", "enter", path, "1", "--as", "alpha").code == 0
    assert referee("dice", "confirm", path, "--as", "beta").code == 0
    assert own(referee, path)["state"]["vessels"]["Lancer"]["lock"] == "wreck"
    ran = referee("game", "say", path, "Lancer: scan mass")
    assert ran.code == 0 and "as the game master says" in ran.out
    assert referee("game", "say", path, "Lancer: transport landing party to the wreck").code == 0
    assert referee("game", "say", path, "Shade: raise").code == 0
    assert referee("game", "next", path).code == 0
    ran = referee("game", "say", path, "Lancer: transport landing party to shade")
    assert ran.code == 1 and "[trek-43/target]" in ran.err and "whose shields are up" in ran.err
    for name in ("report", "status", "replay"):
        assert referee("game", name, path).code == 0
    assert referee("show", path, "--as", "alpha").code == 0
    assert referee("check", path).code == 0


def test_each_player_acts_for_his_own_ships(referee: Run) -> None:
    path = begin(referee, "--umpire", "zoe")
    ran = referee("game", "say", path, "Lancer: raise", "--as", "beta")
    assert ran.code == 2 and "beta does not play Lancer, alpha does" in ran.err
    assert referee("game", "say", path, "Lancer: raise", "--as", "zoe").code == 0
    crippled = orders({"act": "turn", "crippled": ["Shade"]})
    assert referee("game", "apply", path, crippled, "--as", "alpha").code == 2
    assert referee("game", "apply", path, crippled, "--as", "zoe").code == 0
    assert own(referee, path)["state"]["vessels"]["Shade"]["left"] == "0"


def test_with_peer_dice_every_key_is_awaited(referee: Run) -> None:
    terms = ("--rulebook", "trek", "--players", "alpha,beta", "--setup", setup(), "--dice", "peer")
    assert referee("game", "new", "g.jsonl", *terms).code == 0
    for player in ("alpha", "beta"):
        assert referee("game", "join", "g.jsonl", "--as", player).code == 0
    ran = referee("game", "next", "g.jsonl", "--as", "alpha")
    assert ran.code == 0 and "awaited from beta" in ran.out
    assert referee("game", "next", "g.jsonl", "--as", "alpha").code == 2
    assert referee("dice", "key", "g.jsonl", "--as", "beta").code == 0
    assert referee("dice", "key", "g.jsonl", "--as", "alpha").code == 0
    assert own(referee, "g.jsonl")["state"]["turn"] == 1
    assert "1 recomputed" in referee("dice", "verify", "g.jsonl").out
    assert referee("game", "next", "g.jsonl", "--as", "beta").code == 0
    first = own(referee, "g.jsonl")["state"]["order"][0]
    player = {"Lancer": "alpha", "Shade": "beta"}[first]
    other = {"alpha": "beta", "beta": "alpha"}[player]
    foe = {"Lancer": "Shade", "Shade": "Lancer"}[first]
    assert referee("game", "say", "g.jsonl", f"{first}: lock {foe}", "--as", player).code == 0
    refused = ("dice", "forfeit", "g.jsonl", "--refuser", other, "--as", player)
    assert referee(*refused, "--faces", "1").code == 2, "nobody names them"
    assert referee(*refused).code == 0
    # Now who declared does not answer: what the act is worth to whom nobody can tell.
    last = ("dice", "forfeit", "g.jsonl", "--refuser", player, "--as", other)
    ran = referee(*last)
    assert ran.code == 2 and "it waits for the key, or is given up (void)" in ran.err
    assert referee("dice", "void", "g.jsonl", "--reason", "no answer", "--agreed", other).code == 0
    assert referee("game", "resolve", "g.jsonl", "--as", other).code == 0
    assert referee("dice", "forfeit", "g.jsonl", "--refuser", player, "--as", other).code == 0
    ran = referee("dice", "key", "g.jsonl", "--as", other)
    assert ran.code == 0, ran
    held = own(referee, "g.jsonl")["state"]["vessels"][first]
    assert "lock" in held and referee("dice", "verify", "g.jsonl").code == 0
    assert foe and referee("game", "status", "g.jsonl").code == 0


def test_with_umpire_dice_the_umpire_keeps_the_seed(referee: Run) -> None:
    terms = ("--rulebook", "trek", "--players", "alpha,beta", "--setup", setup())
    assert referee("game", "new", "g.jsonl", *terms, "--dice", "umpire", "--umpire", "zoe").code == 0
    for player in ("alpha", "beta"):
        assert referee("game", "join", "g.jsonl", "--as", player).code == 0
    for _ in range(2):
        assert referee("game", "next", "g.jsonl", "--as", "zoe").code == 0
    combat = own(referee, "g.jsonl")
    first = combat["state"]["order"][0]
    assert referee("game", "say", "g.jsonl", f"{first}: raise", "--as", "zoe").code == 0
    assert referee("dice", "show-seed", "g.jsonl").code == 0
    assert ", 0 wrong (umpire dice)" in referee("dice", "verify", "g.jsonl").out


def test_dice_that_are_given_up_are_declared_anew(referee: Run) -> None:
    path = begin(referee, dice=("--dice", "physical"))
    assert referee("game", "say", path, "Lancer: lock Shade").code == 0
    voided = ("dice", "void", path, "--reason", "off the table", "--agreed", "alpha,beta")
    assert referee(*voided).code == 0
    blocked = referee("game", "next", path)
    assert blocked.code == 2 and "comes before what the act" in blocked.err
    assert referee("game", "resolve", path).code == 0
    assert referee("dice", "enter", path, "1", "--as", "alpha").code == 0
    assert own(referee, path)["state"]["vessels"]["Lancer"]["lock"] == "Shade"
    assert referee("game", "resolve", path).code == 2


def test_an_act_is_taken_back_with_what_it_did(referee: Run) -> None:
    path = begin(referee)
    before = own(referee, path)["state_hash"]
    assert referee("game", "say", path, "Lancer: move ahead").code == 0
    done = len(read(Path(path))) - 1
    undo = ("game", "undo", path, str(done), "--reason", "wrong way", "--agreed", "alpha,beta")
    assert referee(*undo).code == 0
    assert own(referee, path)["state_hash"] == before
    assert referee("game", "say", path, "Lancer: lock Shade").code == 0
    locked = next(entry.seq for entry in reversed(read(Path(path))) if entry.type == "events")
    assert referee("game", "say", path, "Shade: raise").code == 0
    undo = ("game", "undo", path, str(locked), "--reason", "?", "--agreed", "alpha,beta")
    blocked = referee(*undo)
    assert blocked.code == 2 and "must be taken back first" in blocked.err
    raised = len(read(Path(path))) - 1
    assert referee("game", "undo", path, str(raised), "--reason", "!", "--agreed", "alpha,beta").code == 0
    assert referee("game", "undo", path, str(raised - 1), "--reason", "!", "--agreed", "alpha,beta").code == 0
    assert referee(*undo).code == 0
    assert own(referee, path)["state_hash"] == before
    assert referee("game", "say", path, "Lancer: lock Shade").code == 0, "declared anew, with other dice"
    assert referee("check", path).code == 0


def test_an_owners_charts_stay_with_the_record(referee: Run) -> None:
    Path("own").mkdir()
    chart = {"schema": "referee/trek-charts/1", "firing_charts": {"HB-16": {"to_hit": [10] * 16}}}
    Path("own/charts.json").write_text(json.dumps(chart), encoding="utf-8")
    path = begin(referee, "--data", "own")
    Path("own/charts.json").unlink()
    assert "firing chart HB-16" not in own(referee, path)["homebrew"]
    assert referee("game", "say", path, "Lancer: fire beam-A1=4 at Shade").code == 0
    aimed = [event for event in own(referee, path)["log"] if event["event"] == "aimed"]
    assert aimed[0]["needed"] >= 10


def test_ships_named_on_the_command_line_have_their_crews_rolled_for(referee: Run) -> None:
    ships = ("--ship", "Lancer=trek/lancer:alice@0510A/4", "--ship", "Shade=trek/shade:bob@0505D")
    terms = ("--rulebook", "trek", "--players", "alice,bob", *SEED)
    assert referee("game", "new", "g.jsonl", *terms, *ships).code == 0
    assert referee("game", "next", "g.jsonl").code == 0
    crew = own(referee, "g.jsonl")["state"]["vessels"]["Shade"]["crew"]
    assert 48 <= crew["captain"] <= 75 and 28 <= crew["efficiency"] <= 55
    for wrong in ("Odd=trek/odd:alice@0510A", "Odd=trek/lancer:alice"):
        assert referee("game", "new", "h.jsonl", *terms, "--ship", wrong).code == 2
    assert not Path("h.jsonl").exists()


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Lancer ahead", "is no order"),
        ("Lancr: raise", "did you mean Lancer?"),
        ("Lancer: mov ahead", "did you mean move"),
        ("Lancer: warp fast", "is not understood; warp 6"),
        ("Lancer: fire beam-A1=x at Shade", "gives no power"),
        ("Shade answers: absorb some", "is no answer"),
        ("Lancer:", "gives nothing to do"),
    ],
)
def test_what_is_not_understood_is_answered(referee: Run, said: str, reason: str) -> None:
    ran = referee("game", "say", begin(referee), said)
    assert ran.code == 2 and reason in ran.err and ran.err.count("\n") == 1


def test_every_action_can_be_said(referee: Run) -> None:
    path = begin(referee)
    said = (
        "Lancer: raise; move ahead-left emergency right; warp 5; lock Shade; communicate base jammed;"
        " repair engines port; repair superstructure; repair system sensors; lower; transport landing party"
    )
    ran = referee("game", "say", path, said, "--force")
    assert ran.code == 0, ran.err
    acts = [entry.data["act"] for entry in read(Path(path)) if entry.type == "order"]
    actions = [action for act in acts if act["act"] == "ship" for action in act["actions"]]
    assert len(actions) == 10
    assert actions[1] == {"do": "move", "way": "ahead-left", "emergency": "right"}
    assert actions[4] == {"do": "communicate", "to": "base", "jammed": True}
    assert actions[9] == {"do": "transport", "what": "landing party"}


# -- secrets ---------------------------------------------------------------------------------


def test_each_side_is_told_its_own(referee: Run) -> None:
    for side, other in (("alpha", "beta"), ("beta", "alpha")):
        told = fits(referee("game", "status", RECORD, "--as", side, "--json").json)
        assert told["as"] == side and "state_hash" not in told and "dice" not in told
        assert {ship["side"] for ship in told["state"]["vessels"].values()} == {side}
        whole = own(referee, RECORD)["log"]
        hidden = [event for event in whole if event.get("only") == [other]]
        shown = [{k: v for k, v in event.items() if k != "n"} for event in told["log"]]
        assert hidden
        for event in hidden:
            assert {k: v for k, v in event.items() if k not in ("n", "only")} not in shown
        assert len(told["log"]) == len([e for e in whole if side in e.get("only", [side])])
        assert referee("game", "report", RECORD, "--as", side, "-o", f"{side}.txt").code == 0
    assert referee("game", "report", RECORD, "--as", "gamma").code == 2


def test_whoever_acts_is_shown_what_his_side_is_told(referee: Run) -> None:
    path = begin(referee)
    assert referee("game", "say", path, "Lancer: move ahead; move ahead; move ahead").code == 0
    ran = referee("game", "say", path, "Shade: cloak", "--as", "beta")
    assert "uses 14 power" in ran.out
    assert referee("game", "next", path).code == 0
    ran = referee("game", "say", path, "Lancer: lock Shade arc 2", "--as", "alpha")
    assert "found by Lancer?" not in ran.out and "Starship Sensors" in ran.out
    assert "found by Lancer?" in str(own(referee, path)["log"])


def test_the_umpire_types_in_secret_dice_that_read_alike(referee: Run) -> None:
    lines = []
    for arc in (2, 5):
        Path("g.jsonl").unlink(missing_ok=True)
        path = begin(referee, "--umpire", "gm", dice=("--dice", "physical"))
        assert referee("game", "say", path, "Lancer: raise", "--as", "alpha").code == 0
        assert referee("game", "say", path, "Shade: cloak", "--as", "beta").code == 0
        assert referee("game", "next", path, "--as", "gm").code == 0
        assert referee("game", "say", path, f"Lancer: lock Shade arc {arc}", "--as", "alpha").code == 0
        ran = referee("dice", "enter", path, "50", "--as", "gm")
        assert "50; next: 1d10 (Shade: found by Lancer?)" in ran.out, "the captain's die is missing"
        assert referee("dice", "enter", path, "10", "--as", "gm").code == 0
        assert referee("dice", "confirm", path, "--as", "gm").code == 0
        lines.append(referee("game", "status", path, "--as", "alpha").out)
        assert "1 throw, 0 recomputed, 1 typed in by hand, 0 wrong" in referee("dice", "verify", path).out
    right, wrong = lines
    assert right == wrong and "nothing found" in right


def test_an_umpire_confirms_dice_of_players_and_players_those_of_others(referee: Run) -> None:
    path = begin(referee, "--umpire", "gm", dice=("--dice", "physical"))
    for who, confirms in (("alpha", "gm"), ("beta", "alpha"), ("gm", "beta")):
        assert referee("game", "say", path, "Lancer: lock Shade", "--as", "alpha").code == 0
        assert referee("dice", "enter", path, "99", "--as", who).code == 0
        if who != "gm":
            assert referee("dice", "confirm", path, "--as", who).code == 2
        ran = referee("dice", "confirm", path, "--as", confirms)
        assert ran.code == 0, ran.err
        assert referee("game", "next", path, "--as", "gm").code == 0


# -- forgers ---------------------------------------------------------------------------------


def act(player: str, **said: Any) -> tuple[str, dict[str, Any]]:
    return "order", {"text": ["forged"], "player": player, "act": said}


MOVED = {"rule": "trek-18", "event": "moved", "ship": "Lancer", "hex": "0509", "facing": "A"}


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([act("beta", act="ship", ship="Lancer", actions=[{"do": "raise"}])], "does not play Lancer"),
        ([act("gamma", act="round")], "is no player"),
        ([act("alpha", act="dance")], "malformed"),
        ([act("alpha", act="ship", ship="Nobody", actions=[])], "no ship"),
        ([("events", {"events": [MOVED], "act": 3, "answers": [], "findings": []})], "no act that waits"),
        ([("events", {"events": [MOVED], "act": 3, "answers": [], "rolls": [1]})], "neither dice nor"),
        ([act("alpha", act="round"), act("alpha", act="round")], "comes before what the act"),
        ([("ship", {"ship": "Late", "class": "trek/lancer", "player": "alpha"})], "when play has begun"),
        ([("form", {"ship": "Lancer", "turn": 1, "form": {}, "player": "alpha"})], "has no form entries"),
        ([("step", {"turn": 2})], "has no step entries"),
    ],
)
def test_forged_entries_are_refused(referee: Run, entries: list[Any], reason: str) -> None:
    path = Path(begin(referee))
    ran = referee("game", "status", forge(path, *entries))
    assert ran.code in (2, 3) and reason in ran.err and ran.err.count("\n") == 1


def test_forged_effects_are_found_out(referee: Run) -> None:
    path = Path(begin(referee))
    move = act("alpha", act="ship", ship="Lancer", actions=[{"do": "move", "way": "ahead"}])
    number = len(read(path))
    for events in ([], [MOVED], [{**MOVED, "hex": "0101"}]):
        forged = forge(
            path, move, ("events", {"events": events, "act": number, "answers": [], "findings": []})
        )
        ran = referee("check", forged)
        assert ran.code == 3 and "not what the act does" in ran.err, ran
        assert referee("dice", "verify", forged).code == 3
    lock = act("alpha", act="ship", ship="Lancer", actions=[{"do": "lock", "on": "Shade"}])
    forged = forge(path, lock, ("events", {"events": [], "act": number, "answers": [], "findings": []}))
    assert referee("check", forged).code == 3, "an act that needs dice, without them"
    wrong = act("alpha", act="ship", ship="Lancer", actions=[{"do": "fire", "at": "Shade"}])
    forged = forge(path, wrong, ("events", {"events": [], "act": number, "answers": [], "findings": []}))
    assert referee("check", forged).code == 3


@pytest.mark.parametrize("documents", [["{"], ["{}"], [5], ['{"schema": "referee/trek-ship/1"}'], ["[]"]])
def test_forged_data_of_an_owner_is_refused(referee: Run, documents: list[Any]) -> None:
    path = Path(begin(referee))

    def change(kind: str, data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return kind, data | ({"documents": documents} if kind == "genesis" else {})

    ran = referee("game", "status", rewritten(path, change))
    assert ran.code == 2 and ran.err.count("\n") == 1


def test_a_foul_kept_quiet_is_found_out(referee: Run) -> None:
    path = Path(begin(referee))
    assert referee("game", "say", path, "Lancer: decloak", "--force").code == 0
    kept = [(entry.type, dict(entry.data)) for entry in read(path) if entry.type != "foul"]
    whole = Path(begin_again(path))
    forged = forge(whole, *kept[len(read(whole)) :])
    ran = referee("check", forged)
    assert ran.code == 3 and "no foul is recorded" in ran.err


def begin_again(path: Path) -> str:
    """The record as it was before its last act."""
    lines = path.read_bytes().splitlines(keepends=True)
    last = max(entry.seq for entry in read(path) if entry.type == "order")
    Path("before.jsonl").write_bytes(b"".join(lines[:last]))
    return "before.jsonl"


# -- the other game's commands ---------------------------------------------------------------


@pytest.mark.parametrize(
    "asked",
    [
        ("game", "choose", "g.jsonl", "Lancer", "spread", "--as", "alpha"),
        ("volley", "Lancer", "--game", "g.jsonl", "--damage", "3", "--shield", "1", "--as", "alpha"),
        ("game", "next", "g.jsonl", "--to", "2"),
        ("game", "apply", "g.jsonl", str(DUEL.parent / "charts.json")),
    ],
)
def test_what_a_trek_record_has_no_use_for(referee: Run, asked: tuple[str, ...]) -> None:
    begin(referee)
    ran = referee(*asked)
    assert ran.code == 2 and ran.err.count("\n") == 1


def test_dice_for_the_table_are_rolled_as_in_any_game(referee: Run) -> None:
    path = begin(referee)
    assert referee("roll", "d100", "--game", path, "--as", "alpha", "--for", "a skill").code == 0
    assert "2 rolls" in referee("dice", "verify", path).out or "1 roll" in referee("dice", "verify", path).out
    assert referee("game", "rule", path, "stands", "--by", "alpha").code == 0


def test_the_ships_of_a_setup_are_its_players(referee: Run) -> None:
    terms = ("--rulebook", "trek", "--players", "alice,bob", "--setup", setup())
    ran = referee("game", "new", "h.jsonl", *terms)
    assert ran.code == 2 and "side alpha is no player; --players alpha,beta" in ran.err
    assert not Path("h.jsonl").exists()


# -- an owner's data -------------------------------------------------------------------------


def test_an_owners_defective_data_are_refused_with_their_place(referee: Run) -> None:
    Path("own").mkdir()
    lancer = json.loads((ROOT / "referee/rulebooks/trek/fleet/lancer.json").read_bytes())
    lancer["weapons"][0]["firing_chart"] = "QQ"
    rising = {"schema": "referee/trek-charts/1", "firing_charts": {"HB-16": {"to_hit": [5, 9, 3]}}}
    terms = ("--rulebook", "trek", "--players", "alpha,beta", "--setup", setup(), *SEED)
    for data, reason in ((lancer, "no firing chart QQ"), (rising, "/firing_charts/HB-16: firing chart")):
        Path("own/one.json").write_text(json.dumps(data), encoding="utf-8")
        for asked in (
            ("game", "new", "g.jsonl", *terms, "--data", "own"),
            ("volley", "trek/lancer", "--damage", "5", "--shield", "2", "--data", "own"),
            ("trek", "play", DUEL, "--data", "own"),
        ):
            ran = referee(*asked)
            assert ran.code == 2 and ran.err.count("\n") == 1, ran
            assert "one.json" in ran.err and reason in ran.err
        assert not Path("g.jsonl").exists()


def test_a_setup_that_cannot_be_played_is_refused(referee: Run) -> None:
    def refuse_charts(data: dict[str, Any]) -> None:
        data["options"] = {"lost_charts": "refuse"}

    terms = ("--rulebook", "trek", "--players", "alpha,beta", *SEED)
    ran = referee("game", "new", "g.jsonl", *terms, "--setup", setup(refuse_charts))
    assert ran.code == 2 and "setup.json: /ships/0: Lancer: beam-A1: firing chart" in ran.err
    assert ran.err.count("\n") == 1 and not Path("g.jsonl").exists()


def test_what_no_dice_could_carry_out_is_never_recorded(
    referee: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.rulebooks.trek.acts import sensors

    path = begin(referee, dice=("--dice", "physical"))
    before = Path(path).read_bytes()

    def lacks(*_: Any) -> None:
        raise KeyError("a chart's row")

    monkeypatch.setattr(sensors, "gain_lock", lacks)
    ran = referee("game", "say", path, "Lancer: lock Shade")
    assert ran.code == 2 and "cannot be carried out" in ran.err and ran.err.count("\n") == 1
    assert Path(path).read_bytes() == before


# -- names and words -------------------------------------------------------------------------


def test_the_prefix_of_an_owners_ship_says_the_rulebook(referee: Run) -> None:
    Path("own").mkdir()
    mine = json.loads((ROOT / "referee/rulebooks/trek/fleet/lancer.json").read_bytes()) | {"id": "mine"}
    Path("own/mine.json").write_text(json.dumps(mine | {"name": "Mine"}), encoding="utf-8")
    places = ("--at", "0510A", "--target", "trek/shade", "--target-at", "0505D", "--weapons", "beam-A1=4")
    for asked in (
        ("volley", "trek/mine", "--damage", "5", "--shield", "2", "--seed", "x"),
        ("fire", "trek/mine", *places, "--seed", "x"),
        ("odds", "trek/mine", "--damage", "5"),
        ("ship", "show", "trek/mine"),
        ("show", "trek/mine"),
        ("ship", "check", "own/mine.json"),
    ):
        ran = referee(*asked, "--data", "own")
        assert ran.code == 0, (asked, ran.err)
    ran = referee("volley", "trek/mime", "--damage", "5", "--shield", "2", "--data", "own")
    assert ran.code == 2 and "no ship trek/mime in trek" in ran.err and ran.err.count("\n") == 1


def test_a_lock_is_on_a_ship_and_help_and_status_are_said(referee: Run) -> None:
    path = begin(referee)
    before = Path(path).read_bytes()
    told = referee("game", "say", path, "help")
    assert told.code == 0 and "SHIP: lock Shade arc 2" in told.out and "SHIP: pass" in told.out
    status = referee("game", "say", path, "status", "--as", "beta").out
    assert "Shade" in status and "state hash" not in status and "  Lancer (alpha)" in status
    assert Path(path).read_bytes() == before
    assert "Lancer: lock Shade arc 2" in referee("game", "say", path, "Lancer: Lock on Shade arc 2").out
    act = next(entry.data["act"] for entry in reversed(read(Path(path))) if entry.type == "order")
    assert act["actions"] == [{"do": "lock", "on": "Shade", "arc": 2}]


def test_every_action_is_in_the_table_of_the_document() -> None:
    from referee.rulebooks.trek.spoken import SHAPES

    page = (ROOT / "docs" / "trek.md").read_text(encoding="utf-8")
    rows = [row for row in page.splitlines() if row.startswith("| ") and "`" in row]
    named = {word.strip() for row in rows for word in row.split("|")[1].replace("`", "").split(",")}
    assert set(SHAPES) <= named


def test_replay_check_and_statistics_tell_a_side_its_own(referee: Run) -> None:
    path = begin(referee)
    acts = ("Lancer: lock Shade; move ahead", "Shade: cloak", "next round")
    assert referee("game", "say", path, *acts).code == 0
    wrong = referee("game", "say", path, "Lancer: lock Shade arc 5", "Shade: raise; raise", "--force")
    assert wrong.code == 0, wrong.err
    whole = referee("dice", "stats", path, "--json").json["stats"]
    for side, other in (("alpha", "Shade"), ("beta", "Lancer")):
        replayed = fits(referee("game", "replay", path, "--as", side, "--json").json)
        assert replayed["as"] == side and "state_hash" not in replayed
        judged = referee("check", path, "--as", side, "--json")
        assert judged.code == (1 if side == "beta" else 0)
        assert other not in str(judged.json["findings"]) or side == "beta"
        told = referee("dice", "stats", path, "--as", side, "--json").json["stats"]
        assert sum(row["dice"] for row in told) < sum(row["dice"] for row in whole)
        assert referee("game", "replay", path, "--to", "4", "--as", side).code == 0
    for asked in (("game", "replay", path), ("check", path), ("dice", "stats", path)):
        ran = referee(*asked, "--as", "gamma")
        assert ran.code == 2 and "no side gamma" in ran.err and ran.err.count("\n") == 1
    assert referee("check", DUEL, "--as", "alpha").code == 2


def test_refusals_and_lines_of_the_log_read_as_at_the_table(referee: Run) -> None:
    path = begin(referee)
    ran = referee("game", "say", path, "Lancer: fire beam-A1 at Shade")
    assert ran.code == 1 and "beam-A1 without a power" in ran.err and "None" not in ran.err
    ran = referee("game", "say", path, "Lancer: fire beam-A1=9,plasma-1=half at Shade", "--force")
    assert "fire beam-A1 with 9, plasma-1 at half at Shade is refused" in ran.out and "True" not in ran.out
    from referee.report.trektext import log_lines, ship_lines

    told = {"event": "told", "ship": "S", "about": "S", "facts": [["cloak", "too little power"]], "rule": "x"}
    assert log_lines([told]) == ["    S: too little power (cloak)  [x]"]
    end = own(referee, RECORD)
    gone = next(name for name, ship in end["state"]["vessels"].items() if ship["out"] == "destroyed")
    shown = ship_lines(end)
    assert shown[next(n for n, line in enumerate(shown) if gone in line) :][0].endswith("destroyed")
    assert sum("power" in line for line in shown) == 1


def test_without_the_rulebook_its_verbs_say_so(referee: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.cli import trek

    monkeypatch.setattr(trek, "RULEBOOK", "gone")
    for asked in (("trek", "play", "x"), ("trek", "work", "trek-51")):
        ran = referee(*asked)
        assert ran.code == 2 and "gone" in ran.err and ran.err.count("\n") == 1
