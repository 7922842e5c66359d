"""Seekers of a log in the record begun from it: on the map with the ship that launched them, and ready to fly on;
repairs, tries for lock-on and seals said in chat with them."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.hexgrid import FACINGS, Hex
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from referee.formats.vassal.commands import encode_leaf
from referee.formats.vassal.container import write_save_bytes
from referee.play.game_file import Game, open_game
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import MODULE_DATA, module_bytes
from tests.unit.logs.test_logs_seekers import CA, CS, DRONE, Table, flown, somewhere

WHO = ("--players", "ann,cy", "--dice", "seed", "--seed", "x", "--option", "previous_speed=0")
SHIPS = (
    "--ship", f"{CA}=cadet/federation-ca", "--ship", f"{CS}=cadet/kzinti",
    "--player", f"{CA}=ann", "--player", f"{CS}=cy",
)  # fmt: skip


def begun(referee: Run, writer: Table, record: str = "g.jsonl", *more: str) -> tuple[Game, Ran]:
    """The record begun from a log."""
    Path("game.vlog").write_bytes(writer.finish())
    Path("m.vmod").write_bytes(module_bytes())
    ran = referee("game", "new", record, "--from", "game.vlog", "--module", "m.vmod", *WHO, *SHIPS, *more)
    assert ran.code == 0, ran.err
    assert referee("record", "verify", record).code == 0
    return open_game(record), ran


def left_out(ran: Ran) -> list[str]:
    """What was not taken, but for displays that have other boxes than the ships known here."""
    lines = [
        line.removeprefix("not taken: ") for line in ran.out.splitlines() if line.startswith("not taken")
    ]
    return [line for line in lines if "boxes that the ship known here" not in line]


def aloft(writer: Table, facing: str, impulses: int) -> None:
    """Launched in impulse 1, and flown straight ahead in those after it; the clock goes by steps."""
    writer.advance((1, 1, 0), (1, 1, 2))
    writer.launch(facing)
    writer.advance((1, 1, 2), (1, 2, 0))
    for impulse in range(2, impulses + 1):
        writer.advance((1, impulse, 0), (1, impulse, 1))
        writer.go(0)
        writer.advance((1, impulse, 1), (1, impulse + 1, 0))


@pytest.mark.parametrize("name", [DRONE, "CS Ship1 DRN/1 t1"])
def test_a_drone_in_flight_flies_on_in_the_record(referee: Run, name: str) -> None:
    writer = Table(Hex(40, 38), name)
    aloft(writer, "D", 4)
    game, ran = begun(referee, writer)
    (seeker,) = game.state.seekers.values()
    assert (seeker.name, seeker.owner, seeker.target) == (name, CS, CA)
    assert (str(seeker.hex), seeker.facing, seeker.hexes) == (str(Hex(40, 33)), "D", 3)
    assert (seeker.type, str(seeker.launched)) == ("drone", "1.1") and seeker.straight == 4
    assert game.state.fouls == () and not [line for line in left_out(ran) if name in line]
    assert [mark for _, mark in game.state.ships[CS].fired] == ["DRN/1"]
    # The game goes on: it moves by itself, and may be fired at.
    assert referee("game", "next", "g.jsonl", "--to", "1.5.fire", "--as", "cy", "--force").code in (0, 1)
    now = open_game("g.jsonl").state
    assert str(now.seekers[name].hex) == str(Hex(40, 34))
    shot = ("game", "say", "g.jsonl", f"{CA}: fire PH-1/A at {name}", "--as", "ann", "--force")
    assert referee(*shot).code in (0, 1)
    assert "0 wrong" in referee("dice", "verify", "g.jsonl").out


def test_a_drone_goes_back_into_its_save(referee: Run) -> None:
    """A save of the log's end takes the drone where the record has it; one without its counter is listed."""
    writer = Table(Hex(40, 38))
    aloft(writer, "D", 4)
    begun(referee, writer)
    assert referee("game", "next", "g.jsonl", "--to", "1.6.fire", "--as", "cy", "--force").code in (0, 1)
    types = [
        "rotate;6;93,130;91,130;Rotate right;Rotate left;;;Heading;facing;;;;true",
        f"piece;;;d.png;{DRONE}",
    ]
    chains = join_chain(types), join_chain(writer.states(Hex(40, 33), "D"))
    drone = encode_leaf(lv.AddPiece(writer.ids[DRONE], *chains))
    start = writer._start
    for name, text in (("with.vsav", f"{drone}\x1b"), ("without.vsav", "")):
        save = start.replace("begin_save\x1b", f"begin_save\x1b{text}", 1)
        Path(name).write_bytes(write_save_bytes(save, key=3, module_data=MODULE_DATA))
    write = ("vassal", "write", "--game", "g.jsonl", "--module", "m.vmod", *SHIPS[:4])
    ran = referee(*write, "with.vsav", "-o", "new.vsav")
    assert ran.code == 0 and DRONE not in ran.err, ran.err
    shown = referee("show", "new.vsav", "--module", "m.vmod", "--json").json
    assert [p["location"] for p in shown["pieces"] if p["basic_name"] == DRONE] == [str(Hex(40, 35))]
    ran = referee(*write, "without.vsav", "-o", "new2.vsav")
    assert (
        f"not written: {DRONE} at {Hex(40, 35)}D: no counter in it, or more than one, is called so" in ran.err
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(4))
def test_a_drone_that_struck_is_gone_and_its_damage_is_the_displays(referee: Run, seed: int) -> None:
    target = somewhere(seed)
    writer = Table(target)
    _, struck = flown(writer, target)
    writer.mark(1, 5)
    if seed % 2:
        writer.off()
    game, ran = begun(referee, writer)
    assert struck and game.state.seekers == {} and game.state.due == ()
    assert game.state.ships[CA].state.shields[1] == 15 - 5 or game.state.ships[CA].state.shields[1] == 12 - 5
    text = [entry.data["text"] for entry in game.entries if entry.type == "taken"]
    assert f"{DRONE} struck {CA} (step {struck})" in text
    assert not [line for line in left_out(ran) if DRONE in line]


def test_a_drone_that_was_shot_at_keeps_what_was_scored_on_it(referee: Run) -> None:
    """One point is scored by a phaser whose die is known: the drone flies on with it."""
    writer = Table(Hex(40, 38))
    aloft(writer, "D", 3)
    writer.advance((1, 4, 0), (1, 4, 3))
    writer.say(f"!{CA}: fire PH-1/A at {DRONE}", "Ann")
    writer.log(lv.Chat("*** 1d6 = 4 *** <Ann>"), lv.MutableProperty("1d6_result", "1", "4", "Module"))
    writer.advance((1, 4, 3), (1, 5, 0))
    game, _ = begun(referee, writer)
    (seeker,) = game.state.seekers.values()
    assert 0 < seeker.damage < 4 and seeker.phaser_damage == seeker.damage
    assert not game.state.unrolled


def test_a_drone_taken_off_by_hand_left_the_map(referee: Run) -> None:
    writer = Table(Hex(40, 38))
    aloft(writer, "D", 3)
    step = writer.off()
    game, _ = begun(referee, writer)
    assert game.state.seekers == {}
    gone = [entry.data for entry in game.entries if entry.data.get("seekers")]
    assert [(data["text"], data["seekers"]) for data in gone] == [
        (f"{DRONE} left the map (step {step})", [DRONE])
    ]


def test_a_drone_dragged_elsewhere_is_put_there(referee: Run) -> None:
    writer = Table(Hex(40, 38))
    aloft(writer, "D", 3)
    there = Hex(44, 36)
    writer.advance((1, 4, 0), (1, 4, 1))
    writer.log(writer.move_leaf(DRONE, writer.at, there))
    writer.at = there
    writer.advance((1, 4, 1), (1, 5, 0))
    game, _ = begun(referee, writer)
    assert str(game.state.seekers[DRONE].hex) == str(there)
    (put,) = [entry.data for entry in game.entries if "place" in entry.data]
    assert put["place"] == {"ship": DRONE, "to": f"{there}D"}


def test_seekers_that_move_before_the_ships_where_no_step_is_told(referee: Run) -> None:
    """A clock without steps does not say that a drone moved first: no foul is made of it."""
    writer = Table(Hex(40, 38))
    writer.launch("D")
    writer.advance((1, 1, 0), (1, 2, 0))
    writer.go(0)
    hex, facing = writer.where[CS]
    writer.log(writer.move_leaf(CS, hex, hex.step(facing)))
    writer.where[CS] = hex.step(facing), facing
    writer.advance((1, 2, 0), (1, 3, 0))
    game, _ = begun(referee, writer)
    assert [foul.rule for foul in game.state.fouls if foul.rule == "B2.0"] == []
    assert str(game.state.seekers[DRONE].hex) == str(Hex(40, 31))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("spoil", ["astray", "twice", "stands"])
@pytest.mark.parametrize("seed", range(2))
def test_a_drone_that_is_not_flown_by_the_rules_is_taken_with_its_foul(
    referee: Run, spoil: str, seed: int
) -> None:
    target = somewhere(seed, least=6)
    writer = Table(target)
    flown(writer, target, spoil, at=5 + 1 + seed)
    if spoil != "stands":
        writer.advance((1, 6 + seed, 0), (1, 7 + seed, 0))
    game, _ = begun(referee, writer)
    wrong = {(foul.subject, foul.turn, foul.impulse) for foul in game.state.fouls if foul.rule == "F2.0"}
    assert wrong == {(DRONE, 1, 6 + seed)}
    assert referee("check", "g.jsonl").code == 1
    assert "0 wrong" in referee("dice", "verify", "g.jsonl").out


def test_a_drone_nobody_launched_is_named_and_left_out(referee: Run) -> None:
    writer = Table(Hex(40, 38))
    types = (
        "rotate;6;93,130;91,130;Rotate right;Rotate left;;;Heading;facing;;;;true",
        "piece;;;d.png;Drone A",
    )
    chains = join_chain(list(types)), join_chain(writer.states(Hex(40, 34), FACINGS[3]))
    writer.log(lv.AddPiece(writer.ids[DRONE], *chains))
    game, ran = begun(referee, writer)
    assert game.state.seekers == {}
    assert left_out(ran) == [
        f"{DRONE}: a seeker in 4034D as the log ends: which ship launched it, and at whom, is not known"
    ]


def test_a_seal_said_in_chat_is_noted(referee: Run) -> None:
    writer = Table(Hex(40, 38))
    writer.advance((1, 1, 0), (1, 1, 1))
    step = writer.say(f"!{CA}: seal abc123", "Ann")
    game, ran = begun(referee, writer)
    notes = [entry.data["text"] for entry in game.entries if entry.type == "note"]
    assert notes == [f"step {step} of the log: {CA} sealed abc123; no seal of this record"]
    assert left_out(ran) == []


# -- what is whole again ---------------------------------------------------------------------


def shields(game: Game, name: str = CA) -> dict[int, int]:
    return dict(game.state.ships[name].state.shields)


def restored(game: Game) -> list[dict[str, Any]]:
    events = [event for entry in game.entries for event in entry.data.get("events", ())]
    return [event for event in events if event["event"] in ("shield_restored", "box_restored")]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_mark_that_was_put_right_is_taken_as_it_is(referee: Run, at_once: bool) -> None:
    """Six boxes of a shield marked, then two taken off again: in the same breath they never were marked."""
    writer = Table(Hex(40, 38))
    writer.advance((1, 1, 0), (1, 1, 3))
    before = writer.shields[CA][0]
    writer.say(f"!{CA}: hit 4 on 1", "Ann")
    writer.mark(1, 6)
    if not at_once:
        writer.say(f"!{CA}: cloak", "Ann")
    writer.mark(1, -2)
    writer.advance((1, 1, 3), (1, 2, 0))
    game, ran = begun(referee, writer)
    assert writer.shields[CA][0] == before - 4
    told = [(event["shield"], event["points"]) for event in restored(game)]
    assert told == ([] if at_once else [(1, 2)])
    assert shields(game)[1] == 15 - 4
    assert not [line for line in left_out(ran) if "whole" in line]


def test_shields_that_were_paid_for_are_mended_in_the_record(referee: Run) -> None:
    """Line 15 of the first turn pays for two boxes, which come back as the second begins."""
    writer = Table(Hex(40, 38))
    writer.write(CA, 1, {"Dam Con": "4", "Total Used": "4"})
    writer.advance((1, 1, 0), (1, 1, 3))
    writer.say(f"!{CA}: hit 6 on 1", "Ann")
    writer.mark(1, 6)
    for impulse in range(1, 16):
        writer.advance((1, impulse, 3 if impulse == 1 else 0), (1, impulse + 1, 0))
    writer.advance((1, 16, 0), (2, 1, 0))
    writer.mark(1, -2)
    writer.advance((2, 1, 0), (2, 2, 0))
    game, ran = begun(referee, writer, "g.jsonl", "--option", "shield_repair=true")
    assert [(event["shield"], event["points"]) for event in restored(game)] == [(1, 2)]
    assert shields(game)[1] == 15 - 4 and left_out(ran) == []


def test_shields_mended_without_a_point_stay_lost(referee: Run) -> None:
    """In a later turn boxes are taken off for which no line of the form pays: as the audit has it, they stay."""
    writer = Table(Hex(40, 38))
    writer.advance((1, 1, 0), (1, 1, 3))
    writer.say(f"!{CA}: hit 6 on 1", "Ann")
    writer.mark(1, 6)
    for impulse in range(1, 16):
        writer.advance((1, impulse, 3 if impulse == 1 else 0), (1, impulse + 1, 0))
    writer.advance((1, 16, 0), (2, 1, 0))
    writer.advance((2, 1, 0), (2, 2, 0))
    step = writer.mark(1, -6)
    writer.advance((2, 2, 0), (2, 3, 0))
    Path("game.vlog").write_bytes(writer.finish())
    Path("m.vmod").write_bytes(module_bytes())
    report = referee("check", "game.vlog", "--module", "m.vmod", "--json", *SHIPS[:4]).json
    unpaid = [f for f in report["findings"] if f["location"].get("step") == step and f["severity"] == "error"]
    game, ran = begun(referee, writer)
    told = [line for line in left_out(ran) if "stay lost" in line]
    assert unpaid and told == [
        f"step {step}: {CA}: 6 of shield 1 shown whole again, which nothing paid for: they stay lost"
    ]
    assert restored(game) == []


@pytest.mark.parametrize("seed", range(3))
def test_displays_that_go_up_and_down_end_as_they_show(referee: Run, seed: int) -> None:
    """Whatever is marked and taken off again within an impulse, the record ends with what the display shows."""
    random = Random(seed)
    writer = Table(Hex(40, 38))
    writer.advance((1, 1, 0), (1, 1, 3))
    start = list(writer.shields[CA])
    for _ in range(8):
        shield = random.randint(1, 6)
        now = writer.shields[CA][shield - 1]
        step = random.randint(now - start[shield - 1], now)
        if step:
            writer.mark(shield, step)
    writer.advance((1, 1, 3), (1, 2, 0))
    game, ran = begun(referee, writer)
    whole = shields(game, CA)
    gone = {n: start[n - 1] - writer.shields[CA][n - 1] for n in range(1, 7)}
    printed = {1: 15, 2: 12, 3: 10, 4: 10, 5: 10, 6: 12}
    assert {n: printed[n] - whole[n] for n in printed} == gone, left_out(ran)


@pytest.mark.parametrize("gone", [False, True])
def test_a_seeker_nobody_is_seen_to_launch_is_said_not_to_be_taken(referee: Run, gone: bool) -> None:
    """With the place where it was seen last: whoever knows whose it is can put it right."""
    writer = Table(Hex(40, 38))
    writer.advance((1, 1, 0), (1, 2, 0))
    writer.at = Hex(40, 33)
    writer.appear()
    writer.advance((1, 2, 0), (1, 3, 0))
    writer.go(0)
    step = writer.off() if gone else 0
    writer.advance((1, 3, 0), (1, 4, 0))
    game, ran = begun(referee, writer)
    where = f"that was on the map until step {step}" if gone else "in 4034D as the log ends"
    assert left_out(ran) == [f"{DRONE}: a seeker {where}: which ship launched it, and at whom, is not known"]
    assert game.state.seekers == {}


def test_a_seeker_in_a_save_is_said_not_to_be_taken(referee: Run) -> None:
    writer = Table(Hex(40, 38))
    types = [
        "rotate;6;93,130;91,130;Rotate right;Rotate left;;;Heading;facing;;;;true",
        f"piece;;;d.png;{DRONE}",
    ]
    chains = join_chain(types), join_chain(writer.states(Hex(40, 33), "D"))
    drone = encode_leaf(lv.AddPiece(writer.ids[DRONE], *chains))
    save = writer._start.replace("begin_save\x1b", f"begin_save\x1b{drone}\x1b", 1)
    Path("a.vsav").write_bytes(write_save_bytes(save, key=3, module_data=MODULE_DATA))
    Path("m.vmod").write_bytes(module_bytes())
    ran = referee("game", "new", "g.jsonl", "--from", "a.vsav", "--module", "m.vmod", *WHO, *SHIPS)
    assert ran.code == 0, ran.err
    assert f"{DRONE}: a seeker in 4033D: which ship launched it, and at whom, is not known" in left_out(ran)
