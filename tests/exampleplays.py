"""How each kind of worked example is worked out here: what it says is put in, and what comes out is held
against what it says comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from referee.adjudicator.fire import attempt_lock_on, check_shots, resolve_shots
from referee.adjudicator.policies import Policy
from referee.adjudicator.volley import resolve, volley_order
from referee.core.arcs import bears
from referee.core.combat import LockAttempt, Moment, ShotResult
from referee.core.dice import ScriptedDice
from referee.core.finding import Severity, Verdict
from referee.core.hexgrid import FACINGS, Hex, parse_position, relative_offset, struck_shields
from referee.core.play import ShipInPlay, moved, turn_begun
from referee.core.state import ShipState, best_of_track, new_state
from referee.core.volley import VolleyResult
from referee.formats.orders import parse_orders
from referee.judging.orders import judge_orders
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.casefile import Case, form_from, judge, turns_of
from tests.unit.rulebooks.sfb.firecases import shot_of

Vector = Mapping[str, Any]
CADET, STANDARD = load_rulebook("sfb-cadet"), load_rulebook("sfb-standard")
FED, D6, D7 = (load_ship(id) for id in ("cadet/federation-ca", "cadet/klingon-d6", "standard/klingon-d7"))


# -- damage ------------------------------------------------------------------------------


def struck(ship: str, state: ShipState, rolls: list[int], **said: Any) -> VolleyResult:
    """A volley from dead ahead, by the rulebook of the ship."""
    book = load_rulebook(f"sfb-{ship.partition('/')[0]}")
    order = volley_order(directions=((None, "row:A"),), **said)
    dice = ScriptedDice(rolls)
    result = resolve(book, load_ship(ship), state, order, dice, Policy("protect-weapons"))
    dice.finish()
    return result


def shields(vector: Vector) -> None:
    state = new_state(D6)
    given = {int(number): boxes for number, boxes in vector["input"]["klingon_d6_shields"].items()}
    assert {number: state.shields[number] for number in given} == given
    for number, points in vector["input"]["hits"]:
        dice = ScriptedDice([1] * 40)
        order = volley_order(points, shield=int(number))
        result = resolve(CADET, D6, state, order, dice, Policy("protect-weapons"))
        state = result.state
    assert result.internals == vector["expect"]["internals"]
    wanted = vector["expect"]["shields"]
    assert {number: state.shields[int(number)] for number in wanted} == wanted


def cadet_dac(vector: Vector) -> None:
    rolls, pools = vector["input"]["rolls"], vector["input"]["pools"]
    assert len(D6.box_ids("forward_hull") + D6.box_ids("aft_hull")) == pools["hull"]
    assert len(D6.box_ids("impulse")) == pools["engine_impulse"]
    assert len(D6.box_ids("left_warp") + D6.box_ids("right_warp")) == pools["engine_warp"]
    hits = struck(D6.id, new_state(D6), rolls, points=len(rolls), internal=True).hits
    assert [hit.result for hit in hits] == vector["expect"]["hits"]
    assert hits[11].cell.endswith("B") and vector["expect"]["hit12"].startswith("column B")


def standard_dac(vector: Vector) -> None:
    given, wanted = vector["input"], vector["expect"]
    ship = load_ship(given.get("ship", D7.id))
    said = (
        {"points": given["damage"], "shield": 1}
        if "damage" in given
        else {"points": len(given["rolls"]), "internal": True}
    )
    assert new_state(ship).shields[1] == given.get("shield1", new_state(ship).shields[1])
    result = struck(ship.id, new_state(ship), given["rolls"], **said)
    assert result.internals == wanted.get("internals", len(given["rolls"]))
    assert [hit.system for hit in result.hits] == wanted["hits"]
    assert "cells" not in wanted or [hit.cell for hit in result.hits] == wanted["cells"]


def fast_damage(vector: Vector) -> None:
    order = volley_order(vector["input"]["internals"], internal=True)
    fast = CADET.with_options({"damage": "fast"})
    result = resolve(fast, D6, new_state(D6), order, ScriptedDice([]), Policy("protect-weapons"))
    weapon, warp, anything = (hit.system for hit in result.hits)
    assert weapon in {mount.system for mount in D6.mounts} and warp in {"left_warp", "right_warp"}
    assert anything and vector["expect"]["order"] == ["weapon", "warp", "any internal"]


def phaser_direction(vector: Vector) -> None:
    at, _, _ = vector["input"]["target"].partition(" ")
    fired_from, _ = parse_position(vector["input"]["from"])
    hex, facing = parse_position(at)
    assert facing
    toward = relative_offset(hex, facing, fired_from)
    assert struck_shields(toward) == (vector["expect"]["shield"],)
    where = {"FH": "forward", "RF+R+row:D": "right", "LF+L+row:D": "left"}
    phasers = [mount for mount in load_ship("standard/federation-ca").mounts if mount.type == "phaser-1"]
    may = {where[mount.arc] for mount in phasers if bears(mount.arc, toward)}
    assert may == set(vector["expect"]["may_take"]) and not bears("RA", toward)
    assert set(vector["expect"]["may_not"]) == {*where.values(), "rear"} - may


# -- fire --------------------------------------------------------------------------------


def one(roll: int, **said: Any) -> ShotResult:
    """One shot by the standard rulebook."""
    return resolve_shots(STANDARD, [shot_of(said)], ScriptedDice([roll]))[0]


def effective_range(vector: Vector) -> None:
    given, wanted = vector["input"], vector["expect"]
    lost = [f"sensor/{n + 1}" for n in range(given["sensor_hits"])]
    lost += [f"scanner/{n + 1}" for n in range(given["scanner_hits"])]
    state = {"destroyed": lost}
    facts = {"ship": D7.id, "weapon": "PH-2/1", "range": given["true"], "state": state}
    found = shot_of(facts).firer.state
    assert found and best_of_track(D7, found, "sensor") == wanted["sensor"]
    lock = attempt_lock_on(STANDARD, LockAttempt(wanted["sensor"]), ScriptedDice([given["lock_roll"]]))
    assert lock.held is wanted["lock_on"] and lock.roll == given["lock_roll"]
    assert one(1, **facts, lock_on=lock.held).effective_range == wanted["effective"]
    cloaked = one(1, **facts, lock_on=lock.held, target_cloak="cloaked")
    assert cloaked.effective_range == wanted["if_target_cloaked"]


def cloak_range_add(vector: Vector) -> None:
    ((name, impulses),) = vector["input"].items()
    fade = {"fade_in_impulses": "fading-in", "fade_out_impulses": "fading-out"}[name]
    for impulse, added in zip(impulses, vector["expect"]["add"], strict=True):
        shot = one(1, type="phaser-1", range=10, target_cloak=f"{fade}:{impulse}")
        assert shot.effective_range == 10 + added
    if "after" in vector["expect"]:
        assert vector["expect"]["after"] == "lock-on lost: x2 then +5"
        assert one(1, type="phaser-1", range=10, target_cloak="cloaked").effective_range == 25


def refire(vector: Vector) -> None:
    impulses = vector["input"]["impulses"]
    last = Moment(*vector["input"].get("fired", (1, impulses)))
    free = next(n for n in range(1, impulses + 1) if not too_soon(impulses, last, Moment(2, n)))
    if "min_gap" in vector["expect"]:
        assert Moment(2, free).impulses_since(last, impulses) == vector["expect"]["min_gap"]
    else:
        assert [2, free] == vector["expect"]["earliest"]


def too_soon(impulses: int, last: Moment, now: Moment) -> bool:
    """Is a shot less than a quarter of a turn after the last of its weapon?"""
    said = {"type": "phaser-1", "range": 1, "impulses": impulses, "turn": now.turn, "impulse": now.impulse}
    report = check_shots(STANDARD, [shot_of({**said, "last_fired": str(last)})])
    return any(finding.key == "E1.5" for finding in report.findings)


def arc(vector: Vector) -> None:
    given = vector["input"]
    start, _ = parse_position(given["ship"])
    arcs = vector["expect"] if "arc" not in given else {given["arc"]: vector["expect"]["in"]}
    for hex in given["hexes"]:
        offset = relative_offset(start, given["facing"], parse_position(hex)[0])
        assert {name: bears(name, offset) for name in arcs} == arcs


def phaser(vector: Vector) -> None:
    given = vector["input"]
    shot = one(given["die"], type=f"phaser-{given['type']}", range=given["range"])
    assert shot.damage == vector["expect"]["damage"]


# -- movement ----------------------------------------------------------------------------


def facing(vector: Vector) -> None:
    for at, ahead in zip(vector["input"], vector["expect"], strict=True):
        hex, bow = parse_position(at)
        assert bow and str(hex.step(bow)) == ahead


def shield_direction(vector: Vector) -> None:
    here, _ = parse_position(vector["input"]["hex"])
    for number, letter in vector["expect"].items():
        offset = relative_offset(here, vector["input"]["facing"], here.step(letter))
        assert struck_shields(offset) == (int(number),)


def turn_mode(vector: Vector) -> None:
    movement = CADET.offers.movement(CADET)
    ship = load_ship(vector["input"]["ship"])
    assert movement.turn_mode(ship, vector["input"]["speed"]) == vector["expect"]["hexes"]


def turn_credit(vector: Vector) -> None:
    """The moves of a turn, then straight ahead in the next until a turn is allowed."""
    movement = STANDARD.offers.movement(STANDARD)
    mode = vector["input"]["mode"]
    speed = next(n for n in range(1, 32) if movement.turn_mode(D7, n) == mode)
    unit = ShipInPlay("X", D7.id, Hex(20, 60), "A", speed=speed)
    for bow in vector["input"]["moved"]:
        assert unit.hex
        unit = moved(unit, unit.hex.step(bow), bow, None)
    unit = turn_begun(unit)
    credit = movement.count(D7, unit).hexes
    assert (credit, mode - credit) == (vector["expect"]["credit"], vector["expect"]["needed"])


def reverse(vector: Vector) -> None:
    mode, turns = vector["input"]["turn_mode"], vector["input"]["turns"]
    ways = [way for _ in range(turns) for way in ("right", *["ahead"] * (mode - 1))][
        : turns * mode - mode + 1
    ]
    said = "".join(f"impulse {n}\n X: {way}\n" for n, way in enumerate(ways, 1))
    text = f"impulses 8\nship X = {FED.id} at 1010A speed 8\nturn 1\n{said}"
    assert judge_orders(CADET, parse_orders(text, "x", load_ship), load_ship).verdict is Verdict.LEGAL
    here, bow, columns = Hex(10, 10), 0, {10}
    for way in ways:
        bow = (bow + (way == "right")) % 6
        here = here.step(FACINGS[bow])
        columns.add(here.column)
    assert FACINGS[bow] == "D" and len(columns) == vector["expect"]["columns_across"]


# -- energy ------------------------------------------------------------------------------


def errors(ship: str, form: str, **says: Any) -> set[str]:
    """The rules with an error against a cadet form."""
    case = Case("sfb-cadet", "", "", "", {"ship": ship, "form": form, **says}, Path())
    return {finding.key for finding in judge(case).findings if finding.severity is Severity.ERROR}


def sheet(**rows: Any) -> str:
    """A form of one or several turns: `Movement=[8, 4]`."""
    lists = {name.replace("_", " "): row if isinstance(row, list) else [row] for name, row in rows.items()}
    turns = max(len(row) for row in lists.values())
    lines = [["Turn", *range(1, turns + 1)], *([name, *row] for name, row in lists.items())]
    return "".join(",".join(map(str, line)) + "\n" for line in lines)


POWER = {"Warp_Power": 16, "Impulse_Power": 2, "Reactor_Power": 2}


def power(vector: Vector) -> None:
    given, total = vector["input"], vector["expect"]["total"]
    ship = FED.id if given["apr"] else "cadet/romulan-we"
    lines = {"Warp_Power": given["warp"], "Impulse_Power": given["impulse"], "Reactor_Power": given["apr"]}
    assert not errors(ship, sheet(**lines, Total_Power=total))
    assert "B3.0-4" in errors(ship, sheet(**lines, Total_Power=total + 1))


def speed(vector: Vector) -> None:
    low, high = vector["expect"]["allowed"]
    before = {"options": {"previous_speed": vector["input"]["previous"]}}
    key = "B3.0-14/acceleration"
    allowed = [n for n in range(17) if key not in errors(FED.id, sheet(**POWER, Movement=n), **before)]
    assert allowed == list(range(low, high + 1))


def movement_energy(vector: Vector) -> None:
    speed = vector["input"]["speed"]
    for option in vector["expect"]["options"]:
        lines = {"Warp_Power": option["warp"], "Impulse_Power": option.get("impulse", 0), "Reactor_Power": 0}
        assert not errors(FED.id, sheet(**lines, Movement=speed))
        assert option["warp"] + option.get("impulse", 0) == speed
        less = lines | {"Warp_Power": option["warp"] - 1}
        assert "B3.0-14" in errors(FED.id, sheet(**less, Movement=speed, Batteries_Discharged=1))


def max_speed(vector: Vector) -> None:
    photons = {f"Photon_{mark}": 2 for mark in "AB"[: vector["input"]["photons_arming"]]}
    lines = POWER | {"Warp_Power": vector["input"]["warp"]} | photons
    legal = [n for n in range(17) if not errors(FED.id, sheet(**lines, Movement=n))]
    assert max(legal) == vector["expect"]["max_speed"]


def battery(vector: Vector) -> None:
    given, wanted = vector["input"], vector["expect"]
    used = given["turn1_used"] - given["turn1_power"]
    lines = {name: [row] * 3 for name, row in POWER.items()}
    lines |= {"Movement": [given["turn1_power"] - 4, 8, 8], "Charge_Phasers": [3, 0, 0]}
    lines |= {"Reinforcement_1": [used + 1, 0, 0]}
    lines |= {"BttyUsedEA": [used, 0, 0], "BttyRecharge": [0, given["recharge_turn2"], 0]}
    says = {"options": {"reinforcement": True, "previous_speed": 16}}
    right = sheet(**lines, Battery_Avail=[used, 0, wanted["turn3_batteries"]])
    assert not errors(FED.id, right, **says)
    assert "B3.0-5" in errors(FED.id, sheet(**lines, Battery_Avail=[used, 1, 2]), **says)
    assert wanted["turn2_available_power"] == sum(POWER.values())


def capacitor(vector: Vector) -> None:
    types = {"ph1": "phaser-1", "ph2": "phaser-2", "ph3": "phaser-3", "phG": "phaser-g"}
    weapons = CADET.table("weapons")["weapons"]
    for phasers, holds in zip(vector["input"], vector["expect"], strict=True):
        boxes = [types[kind] for kind, count in phasers.items() for _ in range(count)]
        assert sum(Fraction(weapons[type]["energy"]) for type in boxes) == Fraction(holds)
        if set(phasers) == {"ph1"}:
            (turn,) = turns_of(CADET, FED, form_from(sheet(Movement=8), CADET))
            assert turn.capacity == holds


def capacitor_flow(vector: Vector) -> None:
    given, wanted = vector["input"], vector["expect"]
    before = [0, *wanted["after"][:-1]]
    lines = {name: [row] * len(given["add"]) for name, row in POWER.items()} | {"Movement": [8] * 3}
    lines |= {"Phas_Cap": before, "PhasFired": given["fire"]}
    assert not errors(FED.id, sheet(**lines, Charge_Phasers=given["add"]))
    turns = list(turns_of(CADET, FED, form_from(sheet(**lines, Charge_Phasers=given["add"]), CADET)))
    after = [CADET.offers.carry_over(turn).capacitor for turn in turns]
    assert after == wanted["after"] and turns[0].capacity == given["cap"]
    assert given["cap"] - wanted["after"][0] == wanted["max_add_turn2"]
    more = [given["add"][0], wanted["max_add_turn2"] + 1, 0]
    assert "H6.2" in errors(FED.id, sheet(**lines, Charge_Phasers=more))


def photon(vector: Vector) -> None:
    paid = [vector["input"][turn] for turn in ("turn5", "turn6", "turn7")]
    lines = {name: [row] * 3 for name, row in POWER.items()} | {"Movement": [8] * 3}

    def tube(amounts: list[int]) -> tuple[set[str], list[Any]]:
        form = sheet(**lines, Photon_A=amounts)
        turns = turns_of(CADET, FED, form_from(form, CADET))
        return errors(FED.id, form), [CADET.offers.carry_over(turn).tubes["PHOT/A"] for turn in turns]

    found, states = tube(paid)
    assert not found and vector["expect"]["armed"] == "turn 6"
    again, lost = tube([paid[0], 0, paid[2]])
    assert again, "half armed and not paid it is lost, and nothing is there to hold"
    assert lost[1] == tube([0, 0, 0])[1][1] != states[1]
    assert tube([*paid[:2], 0])[1][2] == lost[1] != states[2], "armed and not held it is ejected"


def ea_sum(vector: Vector) -> None:
    given = vector["input"]
    assert given["power"] == sum(POWER.values())
    lines = {"Movement": 16, "Charge_Phasers": 3, "Photon_A": 2, "BttyUsedEA": given["battery"]}
    lines["Reinforcement_1"] = given["spent"] - 21
    found = errors(FED.id, sheet(**POWER, **lines), options={"reinforcement": True, "previous_speed": 16})
    assert ("B3.0-20" in found) is not vector["expect"]["legal"]


def ea(vector: Vector) -> None:
    given = vector["input"]
    lines = {"Warp_Power": given["warp"], "Impulse_Power": 0, "Reactor_Power": 0}
    lines |= {"Movement": given["move"], "Photon_A": given["photon"]}
    if "recharge" not in given:
        found = errors(FED.id, sheet(**lines, BttyUsedEA=given["battery"]))
        assert {"B3.0-14", "E4.23"} & found and vector["expect"]["rules_say"].startswith("ILLEGAL")
        return
    used, after = given["in_turn_used"], vector["expect"]["next_btty_avail"]
    whole = {name: [row] * 2 for name, row in lines.items()}
    whole |= {"BttyRecharge": [given["recharge"], 0], "BttyUsedInTurn": [used, 0]}
    whole |= {"Total_Used": [vector["expect"]["sum"], given["move"] + given["photon"]]}
    gone = ["left_warp/*", "impulse/*", "apr/*"]
    says = {"state": {"batteries": given["btty_avail"], "destroyed": gone}, "options": {"previous_speed": 8}}
    right = sheet(**whole, Battery_Avail=[given["btty_avail"], after])
    assert not errors(FED.id, right, **says)
    assert "B3.0-5" in errors(FED.id, sheet(**whole, Battery_Avail=[given["btty_avail"], after + 1]), **says)


PLAYS: Mapping[str, Callable[[Vector], None]] = {
    play.__name__: play
    for play in (
        *(shields, cadet_dac, standard_dac, fast_damage, phaser_direction),
        *(effective_range, cloak_range_add, refire, arc, phaser),
        *(facing, shield_direction, turn_mode, turn_credit, reverse),
        *(power, speed, movement_energy, max_speed, battery, capacitor, capacitor_flow, photon, ea_sum, ea),
    )
}
"""Each kind of example, by its name in `worked_examples.json`."""
