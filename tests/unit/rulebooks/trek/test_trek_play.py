"""What happens in play: small combats with dice rolled beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from referee.core.dice import ScriptedDice
from referee.core.errors import BadInput
from referee.core.finding import Severity
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.trek.combatfile import in_force, read_combat
from referee.rulebooks.trek.play import Play
from referee.rulebooks.trek.shipyard import library
from referee.rulebooks.trek.turns import play_combat

PLACES = {"Lancer": "0510A", "Shade": "0505D", "Bastion": "1212A"}
SIDES = {"Lancer": "alpha", "Shade": "beta", "Bastion": "alpha", "Second": "beta"}
ORDER = ["Lancer", "Shade", "Bastion"]


def combat(
    *turns: Any, at: dict[str, str] | None = None, shields: str = "down", **more: Any
) -> dict[str, Any]:
    """A combat of the three ships: a turn is a list of rounds, a round a dictionary of actions by ship."""
    places = PLACES | (at or {})
    return {
        "ships": [
            {
                "name": name,
                "ship": "shade" if name == "Second" else name.lower(),
                "side": SIDES[name],
                "at": place,
                "warp": 6,
                "shields": shields,
                "crew": {"captain": 50, "efficiency": 50},
            }
            for name, place in places.items()
        ],
        "turns": [
            {
                "order": list(places),
                "rounds": [
                    [
                        {
                            "ship": name,
                            "actions": [x for x in said if "do" in x],
                            "replies": [x for x in said if "do" not in x],
                        }
                        for name, said in round.items()
                    ]
                    for round in turn
                ],
            }
            for turn in turns
        ],
        **more,
    }


def played(data: dict[str, Any], dice: Sequence[int], *, legal: bool = True) -> Play:
    book = in_force(load_rulebook("trek"), data, {})
    shelf = library(book)
    cup = ScriptedDice(dice)
    play = play_combat(
        book, shelf.charts, read_combat(data, shelf.ships, shelf.crews, shelf.charts, "x"), cup
    )
    cup.finish()
    assert legal == (not [f for f in play.findings if f.severity is Severity.ERROR]), play.findings
    return play


def fire(at: str, *weapons: Any, **more: Any) -> dict[str, Any]:
    said = [{"weapon": w} if isinstance(w, str) else {"weapon": w[0], "power": w[1]} for w in weapons]
    return {"do": "fire", "at": at, "weapons": said, **more}


TORPEDO = fire("Shade", "torp-1")
HIT = [99, 1]
"""A Weaponry roll that fails and a D10 that hits."""
FULL = [99]
"""A Strategy/Tactics roll that fails: no grazing hit."""


@pytest.mark.parametrize(
    ("location", "check"),
    [
        ([1], lambda v: v.damage == {"shield 2": (10,)}),
        ([2], lambda v: v.damage == {"weapon beam-1": (10,)}),
        ([3], lambda v: v.damage == {"weapon plasma-1": (10,)}),
        ([4, 99], lambda v: (v.superstructure, v.casualties) == (9, 35)),
        ([7, 1], lambda v: (v.superstructure, v.casualties) == (5, 70)),
        ([8, 1], lambda v: (v.engines["port"], v.left, v.lost) == (2, 20, 10)),
        ([9], lambda v: v.damage == {"sensors": (10,)}),
        ([10, 99, 4], lambda v: (v.superstructure, v.casualties, v.damage) == (13, 20, {"helm": (10,)})),
        ([10, 1, 7, 2, 9, 4], lambda v: (v.casualties, v.damage) == (10, {"sensors": (5,), "helm": (5,)})),
        ([10, 1, 10], lambda v: (v.casualties, v.damage) == (10, {})),
    ],
)
def test_where_a_torpedo_strikes(location: list[int], check: Any) -> None:
    play = played(combat([{"Lancer": [TORPEDO]}]), [*HIT, *FULL, *location])
    assert check(play.vessel("Shade")), play.vessel("Shade")


def test_engineering_takes_power_grids() -> None:
    play = played(combat([{"Lancer": [TORPEDO]}], at={"Shade": "0505A"}), [*HIT, *FULL, 10, 8])
    hit = play.vessel("Shade")
    assert set(hit.damage) == {"grid shield", "grid maneuver"} and hit.casualties == 35


def test_no_weapon_bears_so_the_hull_takes_half() -> None:
    play = played(combat([{"Lancer": [TORPEDO]}], at={"Shade": "0505A"}), [*HIT, *FULL, 3, 99])
    assert play.vessel("Shade").superstructure == 14 - 5


def test_a_banked_weapon_is_picked_by_the_one_who_is_hit() -> None:
    shot = fire("Lancer", ("beam-1", 5))
    play = played(combat([{"Shade": [shot], "Lancer": [{"weapon": "beam-A2"}]}]), [*HIT, 2, 6])
    assert play.vessel("Lancer").damage == {"weapon beam-A2": (6,)}
    play = played(combat([{"Shade": [shot], "Lancer": [{"weapon": "beam-A2"}]}]), [*HIT, 2, 7])
    assert set(play.vessel("Lancer").damage) == {"weapon beam-A1", "weapon beam-A2"}


def test_a_bank_larger_than_the_table_is_read_as_its_largest_and_said_so() -> None:
    """Table 5 knows banks of two and of three: which of four are hit is this project's reading."""
    start = combat([{"Shade": [fire("Lancer", ("beam-1", 5))]}])
    book = in_force(load_rulebook("trek"), start, {})
    shelf = library(book)
    lancer = shelf.ships["lancer"]
    beams = tuple(replace(lancer.weapons[0], id=f"beam-{n}") for n in range(4))
    ships = {**shelf.ships, "lancer": replace(lancer, weapons=(*beams, *lancer.weapons[3:]))}
    file = read_combat(start, ships, shelf.crews, shelf.charts, "x")
    play = play_combat(book, shelf.charts, file, ScriptedDice([*HIT, 2, 6]))
    assert set(play.vessel("Lancer").damage) == {"weapon beam-0", "weapon beam-1"}
    assert any("no table has a bank of 4" in finding.message for finding in play.findings)


def test_absorption_by_choice_and_on_a_corner() -> None:
    corner = {"Lancer": "0409A", "Shade": "0508D"}
    start = combat(
        [{"Lancer": [TORPEDO], "Shade": [{"absorb": 9}, {"corner": 3}]}], at=corner, shields="raised"
    )
    play = played(start, [*HIT, *FULL, 1])
    hit = play.vessel("Shade")
    assert hit.damage == {"shield 3": (1,)} and hit.shield_power[3] == 1 and hit.spent == 9


def test_an_aimed_shot_needs_no_table() -> None:
    play = played(combat([{"Lancer": [fire("Shade", "torp-1", aim="engine port")]}]), [*HIT, *FULL, 25])
    assert play.vessel("Shade").engines["port"] == 2
    play = played(combat([{"Lancer": [fire("Shade", "torp-1", aim="engine port")]}]), [*HIT, *FULL, 26, 1])
    assert play.vessel("Shade").engines["port"] == 12


def test_half_plasma_and_five_points_a_group() -> None:
    half = {"do": "fire", "at": "Lancer", "weapons": [{"weapon": "plasma-1", "half": True}]}
    play = played(combat([{"Shade": [half]}], at={"Lancer": "0508A"}), [*HIT, *FULL, 1, 1, 1])
    assert play.vessel("Lancer").damage == {"shield 2": (5, 5, 2)} and play.vessel("Shade").spent == 4


def test_a_laser_over_its_maximum_shoots_twice() -> None:
    play = played(
        combat([{"Shade": [fire("Lancer", ("laser-1", 4))]}], at={"Shade": "0505A"}), [99, 1, 1, 99, 1, 1]
    )
    assert play.vessel("Lancer").damage == {"shield 2": (2, 2)} and play.vessel("Shade").spent == 4


def test_an_explosion_sets_off_another() -> None:
    near = {"Shade": "0505D", "Second": "0504D"}
    turn = [{"Lancer": [TORPEDO]}]
    play = played(combat(turn, turn, at=near), [*HIT, *FULL, 7, 99, *HIT, *FULL, 7, 99, 50, 41])
    assert play.vessel("Shade").out == play.vessel("Second").out == "destroyed"
    assert play.vessel("Second").superstructure == 14 - 15, "30 points at 1 hex"
    assert play.vessel("Lancer").superstructure == 20 - 1 - 1, "at 5 and at 6 hexes"
    play = played(combat(turn, turn, at=near), [*HIT, *FULL, 7, 99, *HIT, *FULL, 7, 99, 50, 40])
    assert play.vessel("Second").out == "", "50 less 10 is 40"


def test_a_cloak_without_power_ends() -> None:
    start = combat(
        [
            {"Shade": [{"do": "cloak"}]},
            {"Lancer": [{"do": "lock", "on": "Shade", "arc": 2}]},
            {"Lancer": [TORPEDO]},
        ],
        [{"Shade": []}],
    )
    # Located on an engine: 12 of 30 are gone, 18 are enough for 14; the lock is rolled for again.
    play = played(start, [99, 3, *[99, 1], *FULL, 8, 1, 99, 10])
    assert play.vessel("Shade").cloaked and play.vessel("Shade").left == 20 - 14
    assert not play.vessel("Lancer").lock


def test_power_returned_pays_what_the_engines_still_owe() -> None:
    shade = [{"do": "cloak"}]
    move = {"do": "move", "way": "ahead"}
    start = combat(
        [{"Shade": [*shade, *[move] * 8]}],
        [{"Shade": [{"do": "decloak"}]}],
        at={"Shade": "0530D", "Lancer": "0501A"},
    )
    play = played(start, [])
    assert play.vessel("Shade").left == 30


def test_repairs_take_effect_next_turn_and_hits_undo_them() -> None:
    repair = {"do": "repair", "repair": "system", "system": "shield 2"}
    start = combat([{"Lancer": [TORPEDO]}, {"Shade": [repair]}], [{"Shade": []}])
    play = played(start, [*HIT, *FULL, 1, 50])
    assert play.vessel("Shade").damage == {}
    again = combat(
        [{"Lancer": [TORPEDO], "Shade": [repair]}, {"Lancer": [fire("Shade", ("beam-A1", 2))]}],
        [{"Shade": []}],
    )
    play = played(again, [*HIT, *FULL, 1, 50, *HIT, 1])
    assert play.vessel("Shade").damage == {"shield 2": (10, 4)}


def test_repairs_by_five_points() -> None:
    repair = {"do": "repair", "repair": "system", "system": "shield 2"}
    turns = [[{"Lancer": [TORPEDO], "Shade": [repair]}], [{"Shade": [repair]}], [{"Shade": []}]]
    play = played(combat(*turns, options={"repair_per_five": "true"}), [*HIT, *FULL, 1, 50, 50])
    assert play.vessel("Shade").damage == {}
    play = played(combat(*turns[:2], options={"repair_per_five": "true"}), [*HIT, *FULL, 1, 50, 51])
    assert play.vessel("Shade").progress == {"shield 2": 1}


def test_order_by_sides_alternates() -> None:
    data = combat([{"Lancer": []}], options={"order_by": "sides"})
    del data["turns"][0]["order"]
    play = played(data, [10, 20])
    assert play.state.order == ("Shade", "Lancer", "Bastion")


def test_an_outpost_has_a_table_of_its_own() -> None:
    start = combat([{"Shade": [fire("Bastion", ("beam-1", 5))]}], at={"Bastion": "0508A"})
    play = played(start, [*HIT, 3])
    assert play.vessel("Bastion").engines["antimatter"] == 17


def test_a_surrendered_ship_acts_no_more() -> None:
    play = played(combat([{"Shade": [{"do": "surrender"}, {"do": "cloak"}]}]), [], legal=False)
    assert [f.key for f in play.findings if f.severity is Severity.ERROR] == ["trek-13"]


def test_jammed_messages_need_a_roll() -> None:
    said = {"do": "communicate", "to": "base", "jammed": True}
    play = played(combat([{"Lancer": [said]}]), [51])
    assert [x.event.success for x in play.log if type(x.event).__name__ == "Communicated"] == [False]  # type: ignore[attr-defined]


@pytest.mark.parametrize("part", ["order", "crippled", "give_up_locks"])
def test_ships_there_are_not(part: str) -> None:
    data = combat([{"Lancer": []}])
    data["turns"][0][part] = ["Lancer", "Nobody"]
    with pytest.raises(BadInput, match="no ship Nobody"):
        played(data, [])


def test_nobody_is_left_out_of_the_order_unsaid() -> None:
    data = combat([{"Lancer": [], "Shade": []}])
    data["turns"][0]["order"] = ["Lancer"]
    with pytest.raises(BadInput, match="Shade acts, but is not in the order"):
        played(data, [])


def test_a_ship_acts_once_though_it_is_twice_in_the_order() -> None:
    data = combat([{"Lancer": [{"do": "move", "way": "ahead"}]}])
    data["turns"][0]["order"] = ["Lancer", "Shade", "Lancer"]
    play = played(data, [], legal=False)
    (found,) = [finding for finding in play.findings if finding.severity is Severity.ERROR]
    assert (found.rule, found.location.pointer) == ("trek-7", "/turns/0/order")
    assert play.state.order == ("Lancer", "Shade")
    assert [entry.event.ship for entry in play.log if type(entry.event).__name__ == "Moved"] == ["Lancer"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arc", "die", "found"), [(2, 1, True), (2, 10, False), (5, 1, False), (5, 10, False)]
)
def test_a_search_asks_for_the_same_dice_in_any_arc(arc: int, die: int, found: bool) -> None:
    search = {"do": "lock", "on": "Shade", "arc": arc}
    play = played(combat([{"Shade": [{"do": "cloak"}]}, {"Lancer": [search]}]), [50, die])
    assert (play.vessel("Lancer").lock == "Shade") is found
    told = [entry for entry in play.log if entry.rule == "trek-26"]
    assert [type(entry.event).__name__ for entry in told] == ["Rolled", *([] if found else ["Told"])]
    assert told[0].audience == ("beta",)
