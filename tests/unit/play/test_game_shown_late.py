"""What was rolled while a form was a secret is judged again when the form is shown: volleys, fire, launches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.record.reading import read
from tests.cli.conftest import Ran, Run
from tests.unit.play.test_game_play import FED, GAME, begin, form, say

D7 = "standard/klingon-d7"
TURN = {
    "Warp Engines": 30,
    "Impulse Power": 5,
    "Reactor Power": 4,
    "Total Power": 39,
    "Batteries Available": 3,
    "Life Support": 1,
    "Fire Control": 1,
    "Shields": 2,
    "Charge Phasers": 6,
    "Movement": 18,
}


def d7s(referee: Run, *more: str, **of_b: int) -> None:
    """Two Klingon cruisers face to face at four hexes, both forms of the first turn sealed."""
    ships = ("--ship", f"A={D7}:alice@2010D/18", "--ship", f"B={D7}:bob@2014A/18")
    dice = ("--dice", "seed", "--seed", "hits")
    begun = ("--players", "alice,bob", *dice, "--rulebook", "sfb-standard", *ships, *more)
    assert referee("game", "new", GAME, *begun).code == 0
    spent: dict[str, Any] = {name.replace("_", " "): amount for name, amount in of_b.items()}
    for ship, rows in (("A", TURN), ("B", TURN | spent)):
        lines = [f"Ship,{D7}", "Turn,1", *(f"{name},{amount}" for name, amount in rows.items())]
        Path(f"{ship}.csv").write_text("\n".join(lines) + "\n")
        assert referee("seal", f"{ship}.csv", "--ship", ship, "--game", GAME, "--per-field").code == 0


def struck(referee: Run, *said: str, ship: str = "B") -> int:
    """A volley that players fired on the table and tell the record; the entry that orders it."""
    if "impulse" not in referee("game", "status", GAME, "--json").json:
        assert referee("game", "next", GAME, "--to", "1.1.resolve-fire").code == 0
    ran = referee("volley", ship, "--game", GAME, "--as", "bob", *said)
    assert ran.code == 0, ran.err
    return max(entry.seq for entry in read(GAME) if "volley" in entry.data)


def shown(referee: Run, ship: str, *more: str) -> Ran:
    return referee("reveal", "--game", GAME, "--ship", ship, *more)


def held_against(referee: Run, ran: Ran, key: str) -> list[str]:
    """What a rule has against what was done, as it was told when the form was shown; the record has a foul
    for each, and is whole."""
    assert ran.code == 1 and f"[{key}]" in ran.out, ran
    rule = key.partition("/")[0]
    fouls = [entry.data for entry in read(GAME) if entry.type == "foul"]
    told = [foul["reason"] for foul in fouls if foul["rule"] == rule]
    checked = referee("check", GAME, "--json")
    kept = [found["message"] for found in checked.findings("error") if found["rule"] == rule]
    assert checked.code == 1 and kept == told
    assert referee("dice", "verify", GAME).code == 0
    return told


def test_shields_that_stopped_points_and_were_not_paid_for(referee: Run) -> None:
    d7s(referee, Shields=0)
    entry = struck(referee, "--damage", "4", "--shield", "1")
    second = struck(referee, "--damage", "3", "--shield", "2")
    assert referee("check", GAME).code == 0, "while the form is sealed nobody can tell"
    ran = shown(referee, "B")
    first, other = held_against(referee, ran, "B3.0-11/shown")
    assert f"the volley of entry {entry} on #1" in first and "line 11 Shields pays for none" in first
    assert f"the volley of entry {second} on #2" in other
    assert "expected nothing of 4 stopped; 4 inside" in ran.out
    assert "found 4 by the shield's boxes of 4 stopped; 0 inside" in ran.out


def test_shields_that_were_paid_for_stay_as_they_were_rolled(referee: Run) -> None:
    d7s(referee)
    struck(referee, "--damage", "4", "--shield", "1")
    assert shown(referee, "B").code == 0 and referee("check", GAME).code == 0


def test_a_volley_that_is_taken_back_is_held_against_nobody(referee: Run) -> None:
    d7s(referee, Shields=0)
    struck(referee, "--damage", "4", "--shield", "1")
    marked = max(entry.seq for entry in read(GAME) if entry.type == "events")
    undo = ("game", "undo", GAME, str(marked), "--reason", "no shields", "--agreed", "alice,bob")
    assert referee(*undo).code == 0
    assert shown(referee, "B").code == 0


@pytest.mark.parametrize(
    ("bought", "said", "rules"),
    [
        ({"General_Reinforcement": 4, "Shield_Reinforcement_1": 1}, "2,1", ()),
        ({"General_Reinforcement": 2}, "2,0", ("B3.0-12/shown",)),
        ({"Shield_Reinforcement_2": 3}, "0,3", ("B3.0-13/shown",)),
        ({}, "1,1", ("B3.0-12/shown", "B3.0-13/shown")),
    ],
)
def test_reinforcement_that_was_said_and_not_paid_for(
    referee: Run, bought: dict[str, int], said: str, rules: tuple[str, ...]
) -> None:
    d7s(referee, **bought)
    struck(referee, "--damage", "5", "--shield", "1", "--reinforcement", said)
    ran = shown(referee, "B")
    assert (ran.code == 0) == (not rules)
    for rule in rules:
        assert len(held_against(referee, ran, rule)) == 1


def test_reinforcement_is_spent_by_the_first_volley(referee: Run) -> None:
    d7s(referee, General_Reinforcement=4)
    struck(referee, "--damage", "5", "--shield", "1", "--reinforcement", "2,0")
    second = struck(referee, "--damage", "5", "--shield", "3", "--reinforcement", "2,0")
    (found,) = held_against(referee, shown(referee, "B"), "B3.0-12/shown")
    assert f"entry {second} on #3" in found and "took 2 of its points, and the form has 0" in found


def test_reinforcement_paid_for_and_not_said_cannot_be_told(referee: Run) -> None:
    """Players may have used it up against points that the record never heard of."""
    d7s(referee, General_Reinforcement=4)
    struck(referee, "--damage", "5", "--shield", "1")
    assert shown(referee, "B").code == 0
    (found,) = referee("check", GAME, "--json").findings("undecided")
    assert found["key"] == "B3.0-12/shown"


def test_reinforcement_of_a_form_filed_too_late_was_not_used(referee: Run) -> None:
    """A volley that was due is rolled without what a form pays for that nobody had sealed."""
    begin(referee, "--option", "reinforcement=true")
    say(referee, "impulse 1", "Constellation: fire PH-1A, PH-1C at Destruction on 6")
    assert referee("game", "resolve", GAME).code == 0
    late = form("Destruction", 1, {"Movement": 8, "Shield Reinforcement 6": 1})
    ran = referee("game", "apply", GAME, late, "--force")
    assert ran.code == 0, ran.err
    told = [entry.data["reason"] for entry in read(GAME) if entry.type == "foul"]
    assert any("took 0 of its points, and the form has 1" in reason for reason in told), told


def test_a_volley_waits_for_what_was_paid_for_shields(referee: Run) -> None:
    d7s(referee, "--option", "reinforcement=false", Shields=0)
    say(referee, "impulse 1", "A: fire PH-21, PH-22 at B")
    ran = referee("game", "resolve", GAME)
    assert ran.code == 0 and "line 11 of B's form" in ran.out
    assert shown(referee, "B", "--line", "line_11").code == 0
    assert referee("game", "resolve", GAME).code == 0
    status = referee("game", "status", GAME, "--json").json["ships"][1]["state"]
    assert status["shields"]["1"] == 30, "it has none, and its boxes stopped nothing"
    assert referee("check", GAME).code == 0
    assert shown(referee, "B").code == 0, "it was rolled by what the form says"


# -- fire and launches -------------------------------------------------------------------


def test_fire_without_fire_control_is_found_when_the_form_is_shown(referee: Run) -> None:
    d7s(referee, Fire_Control=0)
    say(referee, "impulse 1", "B: fire PH-21 at A")
    ran = shown(referee, "B")
    assert "B PH-2/1" in ran.out and len(held_against(referee, ran, "B3.0-8/fire")) == 1
    unknown = referee("check", GAME, "--json").json.get("not_checked", ())
    assert "B3.0-8" not in [item["rule"] for item in unknown], "now it is known"


@pytest.mark.parametrize(("charged", "over"), [(2, False), (1, True)])
def test_phasers_fired_before_in_the_turn_drew_on_the_same_capacitor(
    referee: Run, charged: int, over: bool
) -> None:
    """Each time alone there is enough; together there is not."""
    spent = {"Shield_Reinforcement_1": 20 - charged, "Batteries_Discharged": 3}  # no battery is left to add
    d7s(referee, Charge_Phasers=charged, **spent)
    say(referee, "impulse 1", "B: fire PH-21 at A")
    assert referee("game", "resolve", GAME).code == 0
    say(referee, "impulse 2", "B: fire PH-22 at A")
    ran = shown(referee, "B")
    assert (ran.code == 1) is over
    if over:
        assert held_against(referee, ran, "E2.21") == ["phasers for 1 point with 0 in the capacitor"]


def test_a_launch_without_fire_control_is_found_too(referee: Run) -> None:
    d7s(referee, Fire_Control=0)
    say(referee, "impulse 1", "B: launch DRN/1 at A")
    assert held_against(referee, shown(referee, "B"), "D6.121")


SHIPS = (
    *("--ship", "Constellation=cadet/federation-ca:fed@1605D/16"),
    *("--ship", "Eagle=cadet/romulan-kr:rom@1609A/16"),
)


def romulan(referee: Run, spent: dict[str, int]) -> None:
    """A Federation cruiser and a cloaking ship at four hexes, both forms of the first turn sealed."""
    begun = ("--players", "fed,rom", "--alone", *SHIPS)
    assert referee("game", "new", GAME, *begun).code == 0
    rows = {"Ship": "cadet/romulan-kr", "Turn": 1, **spent}
    Path("Eagle.csv").write_text("".join(f"{name},{amount}\n" for name, amount in rows.items()))
    for ship, sheet in (("Constellation", form("Constellation", 1, FED)), ("Eagle", Path("Eagle.csv"))):
        ran = referee("seal", sheet, "--ship", ship, "--game", GAME)
        assert ran.code == 0, ran.out + ran.err


def test_a_torpedo_that_was_not_armed_is_found_when_the_form_is_shown(referee: Run) -> None:
    romulan(referee, {"Movement": 8})
    say(referee, "impulse 1", "Eagle: launch PL-S/A at Constellation")
    ran = shown(referee, "Eagle")
    assert "Eagle PL-S/A" in ran.out and held_against(referee, ran, "FP1.2/launch")


def test_fire_at_a_ship_that_was_cloaked_in_secret(referee: Run) -> None:
    romulan(referee, {"Movement": 4, "Cloak": 8})
    say(referee, "impulse 1", "Constellation: fire PH-1A at Eagle")
    fired = max(entry.seq for entry in read(GAME) if "fire" in entry.data)
    say(referee, "Eagle: fire PH-1A at Constellation")
    assert referee("game", "resolve", GAME).code == 0
    ran = shown(referee, "Eagle")
    told = " ".join(held_against(referee, ran, "G13.0/shown"))
    assert f"entry {fired}, fire at Eagle, was rolled at effective range 4" in told
    assert "by the form of Eagle it is 13" in told, "4 x 2 + 5"
    assert "fired while cloaked" in told, "and a cloaked ship fires nothing"


def two_turns(referee: Run, first: int, second: int) -> None:
    """A photon torpedo fired in the second turn, both turns' forms still sealed, with what was put into it."""
    begun = ("--players", "fed,rom", "--alone", *SHIPS)
    assert referee("game", "new", GAME, *begun).code == 0
    for turn, arming in ((1, first), (2, second)):
        if turn > 1:
            assert referee("game", "next", GAME, "--to", "2", "--as", "fed", "--force").code == 0
        sheet = form("Constellation", turn, {"Movement": 4, "Life Support": 1, "Photon A": arming})
        ran = referee("seal", sheet, "--ship", "Constellation", "--game", GAME)
        assert ran.code == 0, ran.out + ran.err
    say(referee, "impulse 1", "Constellation: fire PHOT-A at Eagle", "--force")


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
@pytest.mark.parametrize(
    ("first", "second", "told"), [(2, 2, ""), (0, 2, "armed in part"), (2, 0, "was not paid")]
)
def test_an_earlier_form_shown_after_a_later_one_counts_as_well(
    referee: Run, order: tuple[int, int], first: int, second: int, told: str
) -> None:
    two_turns(referee, first, second)
    ran = [shown(referee, "Constellation", "--turn", str(turn)) for turn in order]
    found = [row for row in ran if "E1.2/energy" in row.out]
    assert bool(found) is bool(told), ran
    if told:
        # Before both are shown nobody can tell, unless the form of the turn it was fired in alone does.
        alone = second == 0
        assert len(found) == 1 and told in found[0].out
        assert found[0] is ran[order.index(2) if alone else 1]
    kept = referee("check", GAME, "--json").findings("error")
    assert len([row for row in kept if row["key"] == "E1.2/energy"]) == bool(told)


def test_a_volley_is_rolled_in_a_step_for_it_or_with_its_foul(referee: Run) -> None:
    """The game moved on without it, since its ship's form was a secret; then the form is shown, outside that step."""
    d7s(referee)
    assert referee("game", "next", GAME, "--to", "1.1.fire").code == 0
    assert (
        referee("game", "say", GAME, "A: fire PH-2/1, PH-2/2, PH-2/3 at B", "--as", "alice", "--force").code
        == 0
    )
    assert referee("game", "resolve", GAME).code == 0
    on = ("--as", "alice", "--agreed", "alice,bob", "--force")
    assert referee("game", "next", GAME, "--to", "1.2.fire", *on).code == 0
    shown(referee, "B")
    before = GAME.read_bytes()
    ran = referee("game", "resolve", GAME)
    assert ran.code == 1 and "[B2.0]" in ran.err and "nothing was recorded" in ran.err, ran
    assert GAME.read_bytes() == before
    ran = referee("game", "resolve", GAME, "--force")
    assert ran.code == 0 and "[B2.0]" in ran.err, ran
    fouls = [entry.data.get("key", entry.data["rule"]) for entry in read(GAME) if entry.type == "foul"]
    assert fouls.count("B2.0") == 1
    assert referee("dice", "verify", GAME).code == 0
