"""What holds in every Trek combat: the power ledger, shields, casualties, folding, and secrets."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from referee.core.dice import ScriptedDice, seeded_dice
from referee.core.finding import Severity
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.combatfile import CombatFile, in_force, read_combat
from referee.rulebooks.trek.play import Play
from referee.rulebooks.trek.recordfold import CombatFold
from referee.rulebooks.trek.shipyard import library
from referee.rulebooks.trek.state import fold, state_hash
from referee.rulebooks.trek.turns import play_combat
from referee.rulebooks.trek.views import entry_json, findings_for, report_json, seen_by, side_json
from tests.conftest import examples

BOOK = load_rulebook("trek")
WEAPONS = {
    "Lancer": ("beam-A1", "beam-A2", "beam-B1", "torp-1"),
    "Shade": ("beam-1", "plasma-1", "laser-1"),
    "Bastion": ("beam-1", "torp-1"),
}
NAMES = tuple(WEAPONS)
SIDES = {"Lancer": "alpha", "Shade": "beta", "Bastion": "alpha"}
WAYS = ("ahead", "ahead-left", "ahead-right", "left", "right", "astern")
SYSTEMS = ("sensors", "helm", "weapons", "shield 2", "grid shield", "grid weaponry")


def actions_of(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Anything a ship may think of, allowed or not."""
    others = st.sampled_from([other for other in NAMES if other != name])
    use = st.fixed_dictionaries({"weapon": st.sampled_from(WEAPONS[name]), "power": st.integers(1, 6)})
    plain = st.fixed_dictionaries({"weapon": st.sampled_from(WEAPONS[name])})
    half = st.fixed_dictionaries({"weapon": st.sampled_from(WEAPONS[name]), "half": st.just(True)})
    return st.one_of(
        st.fixed_dictionaries({"do": st.just("move"), "way": st.sampled_from(WAYS)}),
        st.fixed_dictionaries(
            {"do": st.just("move"), "way": st.just("ahead"), "emergency": st.sampled_from(["left", "right"])}
        ),
        st.fixed_dictionaries({"do": st.just("warp"), "to": st.integers(0, 9)}),
        st.fixed_dictionaries({"do": st.just("lock"), "on": others, "arc": st.integers(1, 6)}),
        st.fixed_dictionaries(
            {
                "do": st.just("fire"),
                "at": others,
                "weapons": st.lists(use | plain | half, min_size=1, max_size=3),
            }
        ),
        st.fixed_dictionaries(
            {"do": st.just("repair"), "repair": st.sampled_from(["superstructure", "casualties"])}
        ),
        st.fixed_dictionaries(
            {
                "do": st.just("repair"),
                "repair": st.just("engines"),
                "engine": st.sampled_from(["port", "impulse"]),
            }
        ),
        st.fixed_dictionaries(
            {"do": st.just("repair"), "repair": st.just("system"), "system": st.sampled_from(SYSTEMS)}
        ),
        st.fixed_dictionaries(
            {"do": st.just("repair"), "repair": st.just("weapons"), "weapon": st.sampled_from(WEAPONS[name])}
        ),
        st.fixed_dictionaries(
            {"do": st.just("scan"), "ask": st.sampled_from(["engines", "superstructure", "ratios"])}
        ),
        *(
            st.just({"do": do})
            for do in ("reverse", "cloak", "decloak", "raise", "raise", "lower", "transport")
        ),
        st.fixed_dictionaries({"do": st.just("communicate"), "to": others}),
    )


REPLIES = st.lists(st.fixed_dictionaries({"absorb": st.integers(0, 20)}), max_size=2)


@st.composite
def combats(draw: st.DrawFn) -> dict[str, Any]:
    """A combat of three ships near each other, with all kinds of declarations."""
    places = draw(st.lists(st.integers(5, 9), min_size=3, max_size=3))
    rounds = st.tuples(
        *(
            st.fixed_dictionaries(
                {"ship": st.just(name), "actions": st.lists(actions_of(name), max_size=3), "replies": REPLIES}
            )
            for name in NAMES
        )
    ).map(list)
    turns = draw(st.lists(st.lists(rounds, min_size=3, max_size=3), min_size=1, max_size=3))
    facings = draw(st.lists(st.sampled_from("ABCDEF"), min_size=3, max_size=3))
    return {
        "options": draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "shield_cap": st.just("points"),
                    "shield_cost": st.just("ceil"),
                    "shield_reset": st.just("turn"),
                    "cloaked_fire": st.just("true"),
                    "cloak_upkeep": st.just("false"),
                    "stress_engines": st.just("all"),
                    "repair_per_five": st.just("true"),
                    "order_by": st.just("sides"),
                    "blast_power": st.just("left"),
                },
            )
        ),
        "ships": [
            {
                "name": name,
                "ship": name.lower(),
                "side": SIDES[name],
                "at": f"05{row:02d}{facing}" if name != "Bastion" else f"07{row:02d}{facing}",
                "warp": 6,
                "shields": draw(st.sampled_from(["raised", "down"])),
                "crew": {"captain": 60, "efficiency": draw(st.integers(30, 90))},
            }
            for name, row, facing in zip(NAMES, places, facings, strict=True)
        ],
        "turns": [{"rounds": turn} for turn in turns],
    }


VOLLEYS = {
    "Lancer": [{"weapon": "beam-A1"}, {"weapon": "beam-A2"}, {"weapon": "beam-B1"}, {"weapon": "torp-1"}],
    "Shade": [{"weapon": "beam-1"}, {"weapon": "plasma-1"}],
}
POWERED = ("beam-A1", "beam-A2", "beam-B1", "beam-1")


@st.composite
def fights(draw: st.DrawFn) -> dict[str, Any]:
    """Lancer and Shade bow to bow and close by, shields raised, each firing in every turn."""

    def shot(name: str) -> dict[str, Any]:
        weapons = draw(st.lists(st.sampled_from(VOLLEYS[name]), min_size=1, unique_by=lambda w: w["weapon"]))
        powered = [
            w | ({"power": draw(st.integers(1, 5))} if w["weapon"] in POWERED else {}) for w in weapons
        ]
        return {"do": "fire", "at": "Shade" if name == "Lancer" else "Lancer", "weapons": powered}

    def orders(name: str, round: int) -> dict[str, Any]:
        replies = draw(st.lists(st.fixed_dictionaries({"absorb": st.integers(0, 99)}), max_size=3))
        fires = round == draw(st.integers(0, 2))
        mends = draw(st.sampled_from(["superstructure", "casualties"]))
        turns = [{"do": "move", "way": "left"}, {"do": "move", "way": "right"}] * draw(st.integers(0, 5))
        actions = [*turns, shot(name)] if fires else [*turns, {"do": "repair", "repair": mends}]
        return {"ship": name, "actions": actions, "replies": replies}

    data = draw(combats())
    ships = [ship | {"shields": "raised"} for ship in data["ships"] if ship["name"] in VOLLEYS]
    for ship, at in zip(ships, ("0508A", f"05{draw(st.integers(4, 6)):02d}D"), strict=True):
        ship["at"] = at
    turns = [{"rounds": [[orders(name, n) for name in VOLLEYS] for n in range(3)]} for _ in range(3)]
    return data | {"ships": ships, "turns": turns}


class Handful:
    """A few dice thrown over and over: low ones hit and mend, high ones miss and explode."""

    source = "handful"

    def __init__(self, faces: list[int]) -> None:
        self.rolls: list[int] = []
        self._faces = faces

    def roll(self, count: int, sides: int) -> int:
        total = sum(self._faces[(len(self.rolls) + n) % len(self._faces)] % sides + 1 for n in range(count))
        self.rolls.append(total)
        return total


HANDFULS = st.lists(st.one_of(st.integers(0, 5), st.integers(0, 99)), min_size=3, max_size=40).map(Handful)


def combat_of(data: dict[str, Any]) -> tuple[Any, Any, CombatFile]:
    book = in_force(BOOK, data, {})
    shelf = library(book)
    return book, shelf, read_combat(data, shelf.ships, shelf.crews, shelf.charts, "combat")


def played(data: dict[str, Any], seed: str) -> tuple[Play, CombatFile]:
    book, shelf, combat = combat_of(data)
    return play_combat(book, shelf.charts, combat, seeded_dice(seed)), combat


def fought(data: dict[str, Any], dice: Handful) -> tuple[Play, CombatFile]:
    book, shelf, combat = combat_of(data)
    return play_combat(book, shelf.charts, combat, dice), combat


@given(combats(), st.text("abc", min_size=1, max_size=4))
@examples(60)
def test_power_shields_and_casualties_at_every_event(data: dict[str, Any], seed: str) -> None:
    hold_at_every_event(*played(data, seed))


@given(fights(), HANDFULS)
@examples(120)
def test_power_shields_and_casualties_in_a_fight(data: dict[str, Any], dice: Handful) -> None:
    hold_at_every_event(*fought(data, dice))


def hold_at_every_event(play: Play, combat: CombatFile) -> None:
    """Power, shields, casualties, engines and hull within their bounds after each event."""
    state = combat.start
    for entry in play.log:
        before = state
        if isinstance(entry.event, e.Absorbed):
            struck = before.vessels[entry.event.ship]
            assert struck.raised
            assert entry.event.power <= struck.left
            assert entry.event.shield_power <= struck.shield_power[entry.event.shield]
        state = fold(state, (entry.event,))
        for vessel in state.vessels.values():
            assert vessel.spent + vessel.left + vessel.lost == vessel.produced
            assert min(vessel.spent, vessel.left, vessel.lost, vessel.owed) >= 0
            assert 0 <= vessel.casualties <= 100
            assert all(
                Fraction(0) <= power <= vessel.ship.max_shield_power for power in vessel.shield_power.values()
            )
            assert all(0 <= power <= vessel.ship.engines[engine] for engine, power in vessel.engines.items())
            assert vessel.superstructure <= vessel.ship.superstructure
            assert not (vessel.out and vessel.lock)
    assert state == play.state


@given(combats(), st.text("abc", min_size=1, max_size=4))
@examples(60)
def test_the_same_dice_give_the_same_combat(data: dict[str, Any], seed: str) -> None:
    play, _ = played(data, seed)
    book, shelf, combat = combat_of(data)
    dice = ScriptedDice(play.dice.rolls)  # type: ignore[attr-defined]
    again = play_combat(book, shelf.charts, combat, dice)
    dice.finish()
    assert again.log == play.log
    assert state_hash(again.state) == state_hash(play.state)


@given(combats(), st.text("abc", min_size=1, max_size=4))
@examples(60)
def test_a_log_as_json_folds_to_the_same_state(data: dict[str, Any], seed: str) -> None:
    play, combat = played(data, seed)
    lines = [json.loads(json.dumps(e.event_json(entry.event))) for entry in play.log]
    assert fold(combat.start, map(e.event_from_json, lines)) == play.state


@given(combats(), st.text("abc", min_size=1, max_size=4))
@examples(60)
def test_no_side_is_shown_what_only_the_other_is_told(data: dict[str, Any], seed: str) -> None:
    """Whatever is only the other side's, in its entries, findings or state, is nowhere in a report."""
    keep_their_secrets(played(data, seed)[0])


@given(fights(), HANDFULS)
@examples(60)
def test_no_side_is_shown_the_others_damage(data: dict[str, Any], dice: Handful) -> None:
    """The same where ships are hit, and parts and crews are lost."""
    keep_their_secrets(fought(data, dice)[0])


def keep_their_secrets(play: Play) -> None:
    """Neither side's report shows what only the other is told."""
    for side, foe in (("alpha", "beta"), ("beta", "alpha")):
        report = side_json(play, "", side, [], "legal")
        assert "dice" not in report and "state_hash" not in report
        shown = [{k: v for k, v in entry.items() if k != "n"} for entry in report["log"]]
        kept = [entry for entry in play.log if not entry.audience or side in entry.audience]
        assert shown == [{k: v for k, v in entry_json(x, 1, umpire=False).items() if k != "n"} for x in kept]
        assert [entry["n"] for entry in report["log"]] == list(range(1, len(kept) + 1))
        for entry in kept:
            private = (
                *(e.Rolled, e.Refused, e.PowerSpent, e.PowerProduced, e.PowerReturned, e.Told, e.Aimed),
                *(e.Absorbed, e.Located, e.Damaged, e.EngineDamaged, e.SuperstructureDamaged, e.CrewHurt),
                *(e.RepairPending, e.RepairTried, e.Repaired, e.EngineRepaired, e.SuperstructureRepaired),
                *(e.CrewHealed, e.RepairCancelled, e.WarpChanged, e.LockGained, e.LockLost),
            )
            if isinstance(entry.event, private):
                assert SIDES[entry.event.ship] == side
        assert {SIDES[name] for name in report["state"]["vessels"]} == {side}
        assert {SIDES[name] for name in report["state"]["others"]} <= {foe}
        for name, seen in report["state"]["others"].items():
            hidden = play.state.vessels[name]
            locked = any(v.lock == name for v in play.state.vessels.values() if v.side == side)
            assert SIDES[name] == foe and ("hex" in seen) == (
                not hidden.out and (not hidden.cloaked or locked)
            )
        assert all(SIDES.get(f.subject, side) == side for f in findings_for(play.findings, play.state, side))


@given(st.one_of(combats(), fights()), st.text("abc", min_size=1, max_size=4))
@examples(60)
def test_acts_of_a_record_come_to_the_same_combat(data: dict[str, Any], seed: str) -> None:
    """Act by act, through the entries of a record and back, with the same dice: the same log, the same end."""
    play, _ = played(data, seed)
    fold = CombatFold(in_force(BOOK, data, {}), {"players": ["alpha", "beta"], "fold": 2})
    table, dice, seq = fold.begun(), seeded_dice(seed), 0
    for said in data["ships"]:
        entered = {name: value for name, value in said.items() if name not in ("name", "ship")}
        ship = {**entered, "ship": said["name"], "class": f"trek/{said['ship']}", "player": said["side"]}
        table = fold.take(table, SimpleNamespace(type="ship", data=ship, seq=seq), "")
    left = [act for _, act in fold.acts_of(table, data, "")]
    while left:
        act, seq = left.pop(fold.first_of(table, left)), seq + 2
        player = table.players.get(act.get("ship", ""), "alpha")
        order = json.loads(json.dumps({"act": act, "player": player}, sort_keys=True))
        table = fold.take(table, SimpleNamespace(type="order", data=order, seq=seq), "")
        done = json.loads(json.dumps(fold.resolve(table, seq, dice, []), sort_keys=True))
        table = fold.take(table, SimpleNamespace(type="events", data=done, seq=seq + 1), "")
    assert table.state == play.state

    def told(log: Any) -> list[Any]:
        lines = [entry_json(entry, 1, umpire=True) for entry in log]
        return [{**line, "action": ""} for line in lines]

    assert told(table.log) == told(play.log)


HIDDEN = {
    "options": {},
    "ships": [
        {
            "name": "Lancer",
            "ship": "lancer",
            "side": "alpha",
            "at": "0510A",
            "warp": 4,
            "crew": {"captain": 60, "efficiency": 40},
        },
        {
            "name": "Shade",
            "ship": "shade",
            "side": "beta",
            "at": "0505D",
            "warp": 4,
            "crew": {"captain": 60, "efficiency": 40},
        },
    ],
}


@given(st.sampled_from(("ahead", "left", "right", "ahead-left")), st.booleans(), st.integers(4, 10))
@examples(60)
def test_a_wrong_arc_and_a_failed_search_read_the_same(way: str, in_arc: bool, found: int) -> None:
    """Where the hidden ship went, what it spent, and why it was not found: nothing of it is told."""

    def reading(way: str, arc: int, secret_die: list[int]) -> Any:
        data = HIDDEN | {
            "turns": [
                {
                    "order": ["Shade", "Lancer"],
                    "rounds": [
                        [{"ship": "Shade", "actions": [{"do": "cloak"}, {"do": "move", "way": way}]}],
                        [{"ship": "Lancer", "actions": [{"do": "lock", "on": "Shade", "arc": arc}]}],
                        [{"ship": "Shade", "actions": [{"do": "raise"}]}],
                    ],
                }
            ]
        }
        book, shelf, combat = combat_of(data)
        dice = ScriptedDice([90, *secret_die])
        play = play_combat(book, shelf.charts, combat, dice)
        dice.finish()
        assert not [f for f in play.findings if f.severity is Severity.ERROR]
        return side_json(play, "", "alpha", [], "legal")

    # At 4 or 5 hexes a moving ship is found on 5 or less; arc 2 is the one it is in, if it did not turn off.
    searched = reading(way, 2, [max(6, found)]) if in_arc else reading("ahead", 2, [max(6, found)])
    assert searched == reading("left", 2, [10])
    log = reading("ahead", 5, [found])["log"]
    assert [x for x in log if x["event"] != "rolled"] == [
        x for x in searched["log"] if x["event"] != "rolled"
    ]
    assert log == searched["log"]


@given(
    st.sampled_from(("ahead", "left", "right", "ahead-left")), st.integers(4, 9), st.sampled_from("ABCDEF")
)
@examples(60)
def test_what_is_tried_on_a_hidden_ship_tells_nothing_of_where_it_is(way: str, row: int, facing: str) -> None:
    """Fire, locks and scans at a cloaked ship are answered alike wherever it went."""

    def reading(way: str, start: str) -> Any:
        fires = {
            "do": "fire",
            "at": "Shade",
            "weapons": [{"weapon": "torp-1"}, {"weapon": "beam-A1", "power": 2}],
        }
        tries = [fires, {"do": "scan", "ask": "engines"}, {"do": "lock", "on": "Shade"}]
        hides = [{"do": "cloak"}, {"do": "move", "way": way}]
        rounds = [[{"ship": "Shade", "actions": hides}], [{"ship": "Lancer", "actions": tries}]]
        ships = [HIDDEN["ships"][0], {**HIDDEN["ships"][1], "at": start}]  # type: ignore[index, dict-item]
        turn = {"order": ["Shade", "Lancer"], "rounds": rounds}
        data = HIDDEN | {"ships": ships, "obstacles": ["0509", "0609", "0409"], "turns": [turn]}
        book, shelf, combat = combat_of(data)
        play = play_combat(book, shelf.charts, combat, ScriptedDice([]))
        found = findings_for(play.findings, play.state, "alpha")
        log = side_json(play, "", "alpha", [], "legal")["log"]
        return [(f.key, f.message, f.expected, f.found) for f in found], [x for x in log if x["round"] == 2]

    assert reading(way, f"05{row:02d}{facing}") == reading("left", "3030A")


@given(combats(), st.text("abc", min_size=1, max_size=4), st.integers(1, 60))
@examples(40)
def test_the_umpire_sees_everything(data: dict[str, Any], seed: str, efficiency: int) -> None:
    play, _ = played(data, seed)
    report = report_json(play, "", [], "legal")
    assert len(report["log"]) == len(play.log)
    assert len(seen_by(play.log, "alpha")) <= len(play.log)
    assert report["state_hash"] == state_hash(play.state)
    other = replace(play.state, turn=play.state.turn + 1)
    assert state_hash(other) != report["state_hash"]
