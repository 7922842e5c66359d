"""The report on a battle: its sums are those of the record, its words are what happened, at every kind of file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from referee.core.battle import Battle, gunnery_of, who_did_what
from referee.core.errors import BadInput
from referee.judging.battles import battle_in
from referee.judging.files import judge_file
from referee.record.chain import Entry
from referee.record.reading import read
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings
from tests.cli.conftest import Run
from tests.conftest import ROOT
from tests.net.gamefiles import log_of
from tests.unit.formats.vassal.game_logs import legal_game, module_bytes, write_log

GAMES = ROOT / "examples" / "games"
DUELS = [GAMES / f"{name}.jsonl" for name in ("cadet-duel", "solo-duel", "trek-duel")]
MOVES = ("ahead", "ahead", "left", "right")
FIRE = {"One": ("PH-1/A", "PH-1/B", "PH-1/C", "PHOT/A"), "Two": ("PH-2/A", "PH-2/B", "PH-2/C", "DISR/A")}


def told(path: Path | str, side: str = "") -> Battle:
    return battle_in(read_input(str(path)), Asked(Settings()), side)


def standing(path: Path | str) -> list[Entry]:
    """The entries of a record that are not taken back alone."""
    entries = read(str(path))
    gone = {entry.data["target"] for entry in entries if entry.type == "undo"}
    return [entry for entry in entries if entry.seq not in gone]


def holds_with_the_record(path: Path | str) -> None:
    """Sums, dice and shots of a report against the bytes of its record."""
    battle, entries = told(path), standing(path)
    marked = [
        event
        for entry in entries
        if entry.type == "events"
        for event in entry.data["events"]
        if "event" in event
    ]
    done = who_did_what(battle.volleys)
    assert sum(row.points for row in done) == sum(volley.points for volley in battle.volleys)
    for volley in battle.volleys:
        parts = volley.reinforced + volley.shielded + volley.armored + volley.internals
        assert volley.points == parts >= len(volley.boxes), volley
    assert sum(row.shielded for row in done) == sum(e["points"] for e in marked if e["event"] == "shield_hit")
    assert sum(row.armored for row in done) == sum(
        len(e["boxes"]) for e in marked if e["event"] == "armor_hit"
    )
    boxes = Counter((e["ship"], e["box"]) for e in marked if e["event"] == "box_destroyed")
    assert Counter((v.target, box) for v in battle.volleys for box, _ in v.boxes) == boxes
    fired = [(e["ship"], e["weapon"]) for e in marked if e["event"] == "weapon_fired"]
    assert [(shot.ship, shot.weapon) for shot in battle.shots] == fired
    due = sum(v["points"] for e in entries if e.type == "events" for v in e.data.get("volleys", ()))
    at_seekers = sum(hit.points for hit in battle.seeker_hits)
    assert sum(g.points for g in gunnery_of(battle.shots)) == due + at_seekers
    ends = {ship.name: ship.state for ship in battle.turns[-1].ships}
    for name, known in battle.classes.items():
        state = ends[name]
        assert state is not None
        lost = sum(v.shielded for v in battle.volleys if v.target == name)
        assert sum(known.shields.values()) - sum(state.shields.values()) == lost


def dice_are_those_of(path: Path | str) -> None:
    """Every die of the record is counted once, by its face, for whose ship fired, else for who declared it, and for all."""
    battle, entries = told(path), read(str(path))
    who = {entry.data["roll"]: entry.data["who"] for entry in entries if entry.type == "declare"}
    owners = {entry.data["ship"]: entry.data["player"] for entry in entries if entry.type == "ship"}
    fell: Counter[tuple[str, int, int]] = Counter()
    for entry in entries:
        if entry.type == "result":
            for group in entry.data["dice"]:
                fired = (
                    owner
                    for ship, owner in owners.items()
                    if str(group.get("for", "")).startswith(f"{ship} ")
                )
                player = next(fired, who[entry.data["roll"]])
                fell.update((player, group["sides"], face) for face in group["faces"])
    said = {
        (one.player, one.sides, face.face): face.count
        for one in battle.dice
        for face in one.faces
        if one.player and face.count
    }
    assert said == dict(fell)
    for one in battle.dice:
        assert one.dice == sum(face.count for face in one.faces) == sum(face.expected for face in one.faces)
    for sides in {sides for _, sides, _ in fell}:
        alone = [one for one in battle.dice if one.sides == sides and one.player]
        together = [one for one in battle.dice if one.sides == sides and not one.player]
        assert len(together) == (len(alone) > 1)
        assert all(one.dice == sum(each.dice for each in alone) for one in together)


@pytest.mark.parametrize("path", DUELS, ids=lambda path: path.stem)
def test_dice_are_counted_as_the_record_has_them(path: Path) -> None:
    dice_are_those_of(path)


@pytest.mark.parametrize("path", DUELS[:2], ids=lambda path: path.stem)
def test_sums_are_those_of_the_record(path: Path) -> None:
    holds_with_the_record(path)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(4))
def test_sums_of_a_brawl_are_those_of_its_record(referee: Run, seed: int) -> None:
    """Two ships close by that fire whatever they have, legal or not, each impulse."""
    random = Random(seed)
    ships = ("One=cadet/federation-ca:a@1010D/8", "Two=cadet/klingon-d6:b@1012A/8")
    begun = referee(
        *("game", "new", "g.jsonl", "--players", "a,b", "--dice", "seed", "--seed", f"brawl {seed}"),
        *(word for ship in ships for word in ("--ship", ship)),
    )
    assert begun.code == 0
    fired = 0
    for impulse in (2, 4, 6, 8, 10, 12):
        orders = [f"impulse {impulse}", *(f"{ship}: {random.choice(MOVES)}" for ship in FIRE)]
        referee("game", "say", "g.jsonl", *orders, "--force")
        for ship, other in (("One", "Two"), ("Two", "One")):
            weapons = random.sample(FIRE[ship], random.randint(1, 4))
            for shield in ("", " on 1", " on 2", " on 3", " on 4", " on 5", " on 6"):
                order = f"{ship}: fire {', '.join(weapons)} at {other}{shield}"
                if referee("game", "say", "g.jsonl", order, "--force").code == 0:
                    fired += 1
                    break
        referee("game", "resolve", "g.jsonl")
    assert fired > 3
    holds_with_the_record("g.jsonl")
    dice_are_those_of("g.jsonl")
    battle = told("g.jsonl")
    assert battle.fouls and all(foul.rule for foul in battle.fouls)
    assert all(shot.hit is not None and shot.average is not None for shot in battle.shots)


def test_who_struck_is_told_of_shots_and_seekers() -> None:
    battle = told(DUELS[0])
    assert [
        (row.by, row.target, row.points, row.shielded, row.internals) for row in who_did_what(battle.volleys)
    ] == [
        ("Constellation", "Destruction", 39, 32, 7),
        ("Destruction", "Constellation", 53, 45, 8),
    ]
    assert "seekers: Destruction DRN/1 t2; Constellation is struck for 6 points on #5." in sentences(battle)
    assert [lead.leader for lead in battle.leads] == ["kli", "fed", "kli"]


def sentences(battle: Battle) -> list[str]:
    return [one.text for turn in battle.turns for moment in turn.moments for one in moment.sentences]


def test_what_was_taken_back_is_told_once_and_never_as_done() -> None:
    battle = told(DUELS[0])
    (back,) = battle.retractions
    assert (back.reason, back.agreed, back.gone) == (
        "ahead was meant",
        ("fed", "kli"),
        ("#129 Constellation: left",),
    )
    places = [one.place for turn in battle.turns for moment in turn.moments for one in moment.sentences]
    assert "#129" not in places and "#131" in places


def test_each_turn_ends_with_its_head(referee: Run) -> None:
    lines = DUELS[0].read_bytes().splitlines(keepends=True)
    for turn in told(DUELS[0]).turns:
        Path("part.jsonl").write_bytes(b"".join(lines[: int(turn.place[1:]) + 1]))
        assert referee("record", "head", "part.jsonl").out.strip().startswith(turn.head)


def test_a_side_is_told_only_what_it_may_know() -> None:
    for side, other in (("alpha", "beta"), ("beta", "alpha")):
        battle = told(DUELS[2], side)
        assert battle.document is not None and battle.document["as"] == side
        hidden = [event for event in battle.document["log"] if event.get("only") == [other]]
        assert not hidden and not battle.fouls and not battle.retractions
    with pytest.raises(BadInput, match="gamma"):
        told(DUELS[2], "gamma")
    with pytest.raises(BadInput, match="does not play"):
        told(DUELS[0], "gamma")
    assert told(DUELS[0], "fed").volleys == told(DUELS[0]).volleys


def test_a_log_says_what_it_cannot_tell(own_folder: Path) -> None:
    (own_folder / "game.vlog").write_bytes(write_log(legal_game(Random(3), ships=2, turns=2)).data)
    (own_folder / "game.vmod").write_bytes(module_bytes())
    battle = told("game.vlog")
    assert battle.untold and not battle.volleys and not battle.dice and not battle.head
    assert {turn.turn for turn in battle.turns} >= {1, 2} and sentences(battle)


def test_dice_and_damage_of_a_log_are_told_as_far_as_it_shows_them(own_folder: Path) -> None:
    (own_folder / "game.vlog").write_bytes(log_of("battle 0"))
    (own_folder / "game.vmod").write_bytes(module_bytes())
    report = judge_file(read_input("game.vlog"), Asked(Settings()))
    battle = told("game.vlog")
    thrown = sum(
        len(event.what.partition(" = ")[2].partition(",  ")[0].split(", taken")[0].split(","))
        for event in report.events
        if event.kind == "dice"
    )
    assert thrown and sum(one.dice for one in battle.dice if one.player) == thrown
    shields = sum(sum(turn.shields_lost.values()) for turn in report.turns)
    boxes = sum(sum(turn.boxes_lost.values()) for turn in report.turns)
    done = who_did_what(battle.volleys)
    assert shields + boxes and {row.by for row in done} == {"not told"}
    assert sum(row.shielded for row in done) == shields
    assert sum(row.internals + row.armored for row in done) == boxes


def test_an_orders_file_is_told(own_folder: Path) -> None:
    orders = "rulebook sfb-cadet\nship War = cadet/federation-ca at 2801E speed 8\nturn 1\nWar: speed 8\nimpulse 2\nWar: ahead\n"
    (own_folder / "orders.txt").write_text(orders, encoding="utf-8")
    battle = told("orders.txt")
    assert "War: ahead" in sentences(battle) and battle.turns[-1].ships[0].position == "2702E"
    with pytest.raises(BadInput, match="secret to one side"):
        told("orders.txt", "fed")
