"""How each kind of worked example is worked out here: what it says is put to the program, and what comes out is held
against what it says comes out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from tests.net.command import command
from tests.net.corpuscases import CORPUS, answer

Vector = Mapping[str, Any]
FED, D6, D7 = "cadet/federation-ca", "cadet/klingon-d6", "standard/klingon-d7"
LETTERS = "ABCDEF"


def ask(rule: str, input: Mapping[str, Any], book: str = "standard", **options: Any) -> Any:
    """What the program answers to a question of the corpus's protocol."""
    told = {name: str(value).lower() for name, value in options.items()}
    return answer({"id": "", "rulebook": f"sfb-{book}", "rule": rule, "options": told, "input": input})


@cache
def ships() -> dict[str, Any]:
    """The ships of the corpus, by id."""
    return {ship["id"]: ship for ship in json.loads((CORPUS / "ships.json").read_bytes())["ships"]}


def own_ship(mounts: Mapping[str, tuple[str, str]], cost: str = "1") -> str:
    """A file of a ship with weapons of such types and arcs, by id, and a cost of movement."""
    ship = json.loads((CORPUS.parent / "examples" / "duel" / "my-ship.json").read_bytes())
    kept = ship["mounts"][0] | {"note": ""}
    ship["mounts"] = [kept | {"id": id, "type": type, "arc": arc} for id, (type, arc) in mounts.items()]
    ship["figures"]["move_cost"]["value"] = cost
    Path("own.ship.json").write_text(json.dumps(ship))
    return "own.ship.json"


# -- damage ------------------------------------------------------------------------------


def struck(ship: str, rolls: list[int], *more: str) -> Any:
    """A volley, its owner's choices in the order in which weapons are kept."""
    dice = ["--dice", " ".join(map(str, rolls))] if rolls else []
    ran = command("volley", ship, "--json", *dice, *more)
    assert ran.code == 0, ran
    return ran.json


def shields(vector: Vector) -> None:
    given = vector["input"]["klingon_d6_shields"]
    assert {number: ships()[D6]["shields"][number] for number in given} == given
    state: list[str] = []
    for number, points in vector["input"]["hits"]:
        more = ("--damage", str(points), "--shield", number, "--seed", "a")
        result = struck(D6, [], *more, *state, "--state-out", "after.json")
        state = ["--state", str(Path("after.json").rename("before.json"))]
    assert result["internals"] == vector["expect"]["internals"]
    wanted = vector["expect"]["shields"]
    assert {number: result["state"]["shields"][number] for number in wanted} == wanted


def cadet_dac(vector: Vector) -> None:
    rolls, pools, boxes = vector["input"]["rolls"], vector["input"]["pools"], ships()[D6]["boxes"]
    assert boxes["forward_hull"] + boxes["aft_hull"] == pools["hull"]
    assert boxes["impulse"] == pools["engine_impulse"]
    assert boxes["left_warp"] + boxes["right_warp"] == pools["engine_warp"]
    hits = struck(D6, rolls, "--internals", str(len(rolls)), "--direction", "row:A")["hits"]
    assert [hit["result"] for hit in hits] == vector["expect"]["hits"]
    assert hits[11]["cell"].endswith("B") and vector["expect"]["hit12"].startswith("column B")


def standard_dac(vector: Vector) -> None:
    given, wanted = vector["input"], vector["expect"]
    ship = given.get("ship", D7)
    assert "shield1" not in given or ships()[ship]["shields"]["1"] == given["shield1"]
    inside = ("--internals", str(len(given["rolls"])))
    said = ("--damage", str(given["damage"]), "--shield", "1") if "damage" in given else inside
    result = struck(ship, given["rolls"], *said, "--direction", "row:A")
    assert result["internals"] == wanted.get("internals", len(given["rolls"]))
    assert [hit["system"] for hit in result["hits"]] == wanted["hits"]
    assert "cells" not in wanted or [hit["cell"] for hit in result["hits"]] == wanted["cells"]


def fast_damage(vector: Vector) -> None:
    internals = str(vector["input"]["internals"])
    result = struck(D6, [], "--internals", internals, "--option", "damage=fast", "--direction", "row:A")
    weapon, warp, anything = (hit["box"] for hit in result["hits"])
    assert weapon in {mount["id"] for mount in ships()[D6]["mounts"]} and warp.partition("/")[0].endswith(
        "_warp"
    )
    assert anything and vector["expect"]["order"] == ["weapon", "warp", "any internal"]


def phaser_direction(vector: Vector) -> None:
    at, _, _ = vector["input"]["target"].partition(" ")
    ship, there = "standard/federation-ca", vector["input"]["from"]
    assert struck_shields(at, there) == [vector["expect"]["shield"]]
    where = {"FH": "forward", "RF+R+row:D": "right", "LF+L+row:D": "left"}
    phasers = {
        mount["id"]: where[mount["arc"]] for mount in ships()[ship]["mounts"] if mount["type"] == "phaser-1"
    }
    may = {name for id, name in phasers.items() if bears(ship, id, at, there)}
    assert may == set(vector["expect"]["may_take"])
    own = own_ship({"PH-1/1": ("phaser-1", "RA")})
    assert not bears(own, "PH-1/1", at, there)
    assert set(vector["expect"]["may_not"]) == {*where.values(), "rear"} - may


# -- fire --------------------------------------------------------------------------------


def one(roll: int, **said: Any) -> Any:
    """What one shot by the standard rulebook comes to."""
    (shot,) = ask("E2.4", {"fire": {"shots": [said], "dice": [roll]}})["values"]["shots"]
    return shot


def struck_shields(at: str, there: str) -> Any:
    """The shields of a ship that a shot from a hex strikes."""
    return one(1, type="phaser-1", at=f"{there}A", target_at=at)["shields"]


def bears(ship: str, weapon: str, at: str, there: str) -> bool:
    """Does a weapon of a ship bear on a hex?"""
    aim = ("--at", at, "--target", "drone", "--target-at", f"{there}A", "--dice", "1", "--weapons", weapon)
    ran = command("fire", ship, *aim, "--json")
    assert ran.code in (0, 1), ran
    return not any(found["key"].startswith("D2.") for found in ran.findings("error"))


def effective_range(vector: Vector) -> None:
    given, wanted = vector["input"], vector["expect"]
    lost = [f"sensor/{n + 1}" for n in range(given["sensor_hits"])]
    lost += [f"scanner/{n + 1}" for n in range(given["scanner_hits"])]
    facts = {"ship": D7, "weapon": "PH-2/1", "range": given["true"], "state": {"destroyed": lost}}
    lock = ask("D6.11", {"lock": {"rating": wanted["sensor"], "roll": given["lock_roll"]}})["values"]
    held = {"yes": True, "no": False}[lock["held"]]
    assert held is wanted["lock_on"]
    assert one(1, **facts, lock_on=held)["effective"] == wanted["effective"]
    cloaked = one(1, **facts, lock_on=held, target_cloak="cloaked")
    assert cloaked["effective"] == wanted["if_target_cloaked"]


def cloak_range_add(vector: Vector) -> None:
    ((name, impulses),) = vector["input"].items()
    fade = {"fade_in_impulses": "fading-in", "fade_out_impulses": "fading-out"}[name]
    for impulse, added in zip(impulses, vector["expect"]["add"], strict=True):
        shot = one(1, type="phaser-1", range=10, target_cloak=f"{fade}:{impulse}")
        assert shot["effective"] == 10 + added
    if "after" in vector["expect"]:
        assert vector["expect"]["after"] == "lock-on lost: x2 then +5"
        assert one(1, type="phaser-1", range=10, target_cloak="cloaked")["effective"] == 25


def refire(vector: Vector) -> None:
    impulses = vector["input"]["impulses"]
    turn, impulse = vector["input"].get("fired", (1, impulses))
    free = next(n for n in range(1, impulses + 1) if not too_soon(impulses, f"{turn}.{impulse}", n))
    if "min_gap" in vector["expect"]:
        assert free + impulses - impulse == vector["expect"]["min_gap"]
    else:
        assert [2, free] == vector["expect"]["earliest"]


def too_soon(impulses: int, last: str, now: int) -> bool:
    """Is a shot of turn 2 less than a quarter of a turn after the last of its weapon?"""
    said = {
        "type": "phaser-1",
        "range": 1,
        "impulses": impulses,
        "turn": 2,
        "impulse": now,
        "last_fired": last,
    }
    return bool(ask("E1.5", {"fire": {"shots": [said]}})["verdict"] == "illegal")


def arc(vector: Vector) -> None:
    given = vector["input"]
    arcs = vector["expect"] if "arc" not in given else {given["arc"]: vector["expect"]["in"]}
    for name, is_in in arcs.items():
        own = own_ship({"PH-1/1": ("phaser-1", name)})
        assert all(
            bears(own, "PH-1/1", given["ship"] + given["facing"], hex) is is_in for hex in given["hexes"]
        )


def phaser(vector: Vector) -> None:
    given = vector["input"]
    shot = one(given["die"], type=f"phaser-{given['type']}", range=given["range"])
    assert shot["damage"] == vector["expect"]["damage"]


# -- movement ----------------------------------------------------------------------------


def step(hex: str, letter: str) -> str:
    """The hex next to another, as docs/corpus.md numbers them."""
    column, row = int(hex[:2]), int(hex[2:])
    even = column % 2 == 0
    across = {"A": (0, -1), "D": (0, 1)}
    across |= {"B": (1, 0 if even else -1), "C": (1, 1 if even else 0)}
    across |= {"F": (-1, 0 if even else -1), "E": (-1, 1 if even else 0)}
    by, down = across[letter]
    return f"{column + by:02}{row + down:02}"


def moved(lines: list[str], ship: str = FED, speed: int = 8, at: str = "2030A") -> str:
    """The verdict on the moves of a ship that moves in every impulse, each a line: `2.1 right`."""
    text = [f"impulses {speed}", f"ship X = {ship} at {at} speed {speed}"]
    turn = ""
    for line in lines:
        moment, way = line.split()
        if moment.partition(".")[0] != turn:
            turn = moment.partition(".")[0]
            text += [f"turn {turn}", f"X: speed {speed}"]
        text += [f"impulse {moment.partition('.')[2]}", f"X: {way}"]
    given = {"orders": {"lines": text, "goes_on": True}}
    return str(ask("C3.2", given, ship.partition("/")[0])["verdict"])


def facing(vector: Vector) -> None:
    for at, ahead in zip(vector["input"], vector["expect"], strict=True):
        move = f"1.1 X {at} {ahead}{at[4]}"
        units = {"X": {"ship": FED, "speeds": {"1": 8}, "before": 8}}
        assert ask("C1.2", {"moves": {"units": units, "moves": [move]}}, "cadet")["verdict"] == "legal"


def shield_direction(vector: Vector) -> None:
    here = vector["input"]["hex"]
    for number, letter in vector["expect"].items():
        assert struck_shields(here + vector["input"]["facing"], step(here, letter)) == [int(number)]


def turn_mode(vector: Vector) -> None:
    speed = vector["input"]["speed"]

    def turned(after: int) -> str:
        ways = ["right", *["ahead"] * (after - 1), "right"]
        return moved([f"1.{n} {way}" for n, way in enumerate(ways, 1)], vector["input"]["ship"], speed)

    assert next(n for n in range(1, speed) if turned(n) == "legal") == vector["expect"]["hexes"]


def turn_credit(vector: Vector) -> None:
    """The moves of a turn, then straight ahead in the next until a turn is allowed."""
    mode = vector["input"]["mode"]
    speed = next(low for low, _, hexes in ships()[D7]["turn_mode"] if hexes == mode)
    ways = [
        "ahead" if bow == last else "right"
        for last, bow in zip("A" + "".join(vector["input"]["moved"]), vector["input"]["moved"], strict=False)
    ]
    ways = ["ahead"] * (speed - len(ways)) + ways

    def turned(after: int) -> str:
        begun = [f"1.{n} {way}" for n, way in enumerate(ways, 1)]
        more = [f"2.{n} {way}" for n, way in enumerate([*["ahead"] * after, "right"], 1)]
        return moved([*begun, *more], D7, speed, "2060A")

    needed = next(n for n in range(speed) if turned(n) == "legal")
    assert (mode - needed, needed) == (vector["expect"]["credit"], vector["expect"]["needed"])


def reverse(vector: Vector) -> None:
    mode, turns = vector["input"]["turn_mode"], vector["input"]["turns"]
    ways = [way for _ in range(turns) for way in ("right", *["ahead"] * (mode - 1))][
        : turns * mode - mode + 1
    ]
    assert moved([f"1.{n} {way}" for n, way in enumerate(ways, 1)], FED, 8, "1010A") == "legal"
    here, bow, columns = "1010", 0, {"10"}
    for way in ways:
        bow = (bow + (way == "right")) % 6
        here = step(here, LETTERS[bow])
        columns.add(here[:2])
    assert LETTERS[bow] == "D" and len(columns) == vector["expect"]["columns_across"]


# -- energy ------------------------------------------------------------------------------


def errors(ship: str, form: str, state: Mapping[str, Any] | None = None, **options: Any) -> set[str]:
    """The rules with an error against a cadet form."""
    rows = [line.split(",") for line in form.splitlines()]
    given = {"ship": ship, "rows": rows} | ({"state": state} if state else {})
    told = ask("B3.0-20", {"form": given}, "cadet", **options)
    return {found["key"] for found in told["findings"] if found["severity"] == "error"}


def carried(form: str, ship: str = FED, *more: str) -> list[Any]:
    """What each turn of a form hands on to the next."""
    Path("form.csv").write_text(form)
    ran = command("check", "form.csv", "--ship", ship, "--json", *more)
    assert ran.code in (0, 1), ran
    return [turn["carried"] for turn in ran.json["ledgers"]]


def sheet(**rows: Any) -> str:
    """A form of one or several turns: `Movement=[8, 4]`."""
    lists = {name.replace("_", " "): row if isinstance(row, list) else [row] for name, row in rows.items()}
    turns = max(len(row) for row in lists.values())
    lines = [["Turn", *range(1, turns + 1)], *([name, *row] for name, row in lists.items())]
    return "".join(",".join(map(str, line)) + "\n" for line in lines)


POWER = {"Warp_Power": 16, "Impulse_Power": 2, "Reactor_Power": 2}


def power(vector: Vector) -> None:
    given, total = vector["input"], vector["expect"]["total"]
    ship = FED if given["apr"] else "cadet/romulan-we"
    lines = {"Warp_Power": given["warp"], "Impulse_Power": given["impulse"], "Reactor_Power": given["apr"]}
    assert not errors(ship, sheet(**lines, Total_Power=total))
    assert "B3.0-4" in errors(ship, sheet(**lines, Total_Power=total + 1))


def speed(vector: Vector) -> None:
    low, high = vector["expect"]["allowed"]
    before = {"previous_speed": vector["input"]["previous"]}
    key = "B3.0-14/acceleration"
    allowed = [n for n in range(17) if key not in errors(FED, sheet(**POWER, Movement=n), **before)]
    assert allowed == list(range(low, high + 1))


def movement_energy(vector: Vector) -> None:
    speed = vector["input"]["speed"]
    for option in vector["expect"]["options"]:
        lines = {"Warp_Power": option["warp"], "Impulse_Power": option.get("impulse", 0), "Reactor_Power": 0}
        assert not errors(FED, sheet(**lines, Movement=speed))
        assert option["warp"] + option.get("impulse", 0) == speed
        less = lines | {"Warp_Power": option["warp"] - 1}
        assert "B3.0-14" in errors(FED, sheet(**less, Movement=speed, Batteries_Discharged=1))


def max_speed(vector: Vector) -> None:
    photons = {f"Photon_{mark}": 2 for mark in "AB"[: vector["input"]["photons_arming"]]}
    lines = POWER | {"Warp_Power": vector["input"]["warp"]} | photons
    legal = [n for n in range(17) if not errors(FED, sheet(**lines, Movement=n))]
    assert max(legal) == vector["expect"]["max_speed"]


def battery(vector: Vector) -> None:
    given, wanted = vector["input"], vector["expect"]
    used = given["turn1_used"] - given["turn1_power"]
    lines = {name: [row] * 3 for name, row in POWER.items()}
    lines |= {"Movement": [given["turn1_power"] - 4, 8, 8], "Charge_Phasers": [3, 0, 0]}
    lines |= {"Reinforcement_1": [used + 1, 0, 0]}
    lines |= {"BttyUsedEA": [used, 0, 0], "BttyRecharge": [0, given["recharge_turn2"], 0]}
    says = {"reinforcement": True, "previous_speed": 16}
    right = sheet(**lines, Battery_Avail=[used, 0, wanted["turn3_batteries"]])
    assert not errors(FED, right, **says)
    assert "B3.0-5" in errors(FED, sheet(**lines, Battery_Avail=[used, 1, 2]), **says)
    assert wanted["turn2_available_power"] == sum(POWER.values())


def capacitor(vector: Vector) -> None:
    """Just what it holds can be charged into an empty one, and not half a point more."""
    types = {"ph1": "phaser-1", "ph2": "phaser-2", "ph3": "phaser-3", "phG": "phaser-g"}
    for phasers, holds in zip(vector["input"], vector["expect"], strict=True):
        kinds = [kind for kind, count in phasers.items() for _ in range(count)]
        own = own_ship({f"PH-{kind[2:]}/{n}": (types[kind], "FA") for n, kind in enumerate(kinds, 1)})
        for points, is_legal in ((holds, True), (holds + 0.5, False)):
            Path("form.csv").write_text(sheet(Warp_Power=30, Phas_Cap=0, Charge_Phasers=points))
            found = command("check", "form.csv", "--ship", own, "--json").findings("error")
            assert ("H6.2" not in {one["key"] for one in found}) is is_legal


def capacitor_flow(vector: Vector) -> None:
    given, wanted = vector["input"], vector["expect"]
    before = [0, *wanted["after"][:-1]]
    lines = {name: [row] * len(given["add"]) for name, row in POWER.items()} | {"Movement": [8] * 3}
    lines |= {"Phas_Cap": before, "PhasFired": given["fire"]}
    right = sheet(**lines, Charge_Phasers=given["add"])
    assert not errors(FED, right)
    assert [int(turn.get("capacitor", 0)) for turn in carried(right)] == wanted["after"]
    assert given["cap"] - wanted["after"][0] == wanted["max_add_turn2"]
    more = [given["add"][0], wanted["max_add_turn2"] + 1, 0]
    assert "H6.2" in errors(FED, sheet(**lines, Charge_Phasers=more))
    over = sheet(Phas_Cap=0, Charge_Phasers=given["cap"] + 1)
    assert "H6.2" in errors(FED, over) and "H6.2" not in errors(
        FED, over.replace(str(given["cap"] + 1), str(given["cap"]))
    )


def photon(vector: Vector) -> None:
    """Paid twice it is armed, and held by one; not paid, it is to be armed anew."""
    paid = [vector["input"][turn] for turn in ("turn5", "turn6", "turn7")]
    lines = {name: [row] * 4 for name, row in POWER.items()} | {"Movement": [8] * 4}

    def found(*amounts: int) -> set[str]:
        return errors(FED, sheet(**lines, Photon_A=list(amounts)))

    assert not found(*paid, 1) and vector["expect"]["armed"] == "turn 6"
    assert found(paid[0], 0, paid[2], 0), "half armed and not paid it is lost, and nothing is there to hold"
    assert not found(paid[0], 0, 2, 2)
    assert found(*paid[:2], 0, 1), "armed and not held it is ejected"
    assert not found(*paid[:2], 0, 2)


def ea_sum(vector: Vector) -> None:
    given = vector["input"]
    assert given["power"] == sum(POWER.values())
    lines = {"Movement": 16, "Charge_Phasers": 3, "Photon_A": 2, "BttyUsedEA": given["battery"]}
    lines["Reinforcement_1"] = given["spent"] - 21
    found = errors(FED, sheet(**POWER, **lines), reinforcement=True, previous_speed=16)
    assert ("B3.0-20" in found) is not vector["expect"]["legal"]


def ea(vector: Vector) -> None:
    given = vector["input"]
    lines = {"Warp_Power": given["warp"], "Impulse_Power": 0, "Reactor_Power": 0}
    lines |= {"Movement": given["move"], "Photon_A": given["photon"]}
    if "recharge" not in given:
        found = errors(FED, sheet(**lines, BttyUsedEA=given["battery"]))
        assert {"B3.0-14", "E4.23"} & found and vector["expect"]["rules_say"].startswith("ILLEGAL")
        return
    used, after = given["in_turn_used"], vector["expect"]["next_btty_avail"]
    whole = {name: [row] * 2 for name, row in lines.items()}
    whole |= {"BttyRecharge": [given["recharge"], 0], "BttyUsedInTurn": [used, 0]}
    whole |= {"Total_Used": [vector["expect"]["sum"], given["move"] + given["photon"]]}
    state = {"batteries": given["btty_avail"], "destroyed": ["left_warp/*", "impulse/*", "apr/*"]}
    right = sheet(**whole, Battery_Avail=[given["btty_avail"], after])
    assert not errors(FED, right, state, previous_speed=8)
    wrong = sheet(**whole, Battery_Avail=[given["btty_avail"], after + 1])
    assert "B3.0-5" in errors(FED, wrong, state, previous_speed=8)


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
