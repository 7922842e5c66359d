"""The plain script that odds are measured against: one volley after the other, as one would write it.

The rules of the standard chart: a bold cell once a volley, phaser hits by direction, every third hit on
the better phaser, tracks that keep their last box, any weapon, any warp, excess damage. The owner
protects his weapons. Nothing is slowed down on purpose: boxes are counted, rows are lists, and what
does not change is looked up before the first volley.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from pathlib import Path

BOOKS = Path(__file__).parent.parent / "referee" / "rulebooks"
TRACKS = ("sensor", "scanner", "damage_control")
WARP = ("left_warp", "right_warp", "center_warp")
SECTORS_AHEAD = {"FX", "FA", "LF", "RF", "FH", "360", "LS", "RS", "row:A"}
PHASERS = ("phaser-3", "phaser-2", "phaser-g", "phaser-1")


def load(ship_name):
    """The chart, the ship's boxes, and its phasers that bear ahead, each type's count, weakest first."""
    chart = json.loads((BOOKS / "standard/tables/damage_chart.json").read_text())
    weapons = json.loads((BOOKS / "sfb/tables/weapons.json").read_text())["weapons"]
    ship = json.loads((BOOKS / f"standard/ships/{ship_name}.json").read_text())
    rows = {
        int(roll): [(cell["entry"], f"{roll}{n}" if cell["once"] else None) for n, cell in enumerate(row)]
        for roll, row in chart["rows"].items()
    }
    boxes = Counter({name: number["value"] for name, number in ship["boxes"].items()})
    for track, numbers in ship["tracks"].items():
        boxes[track] = len(numbers["value"]) - 1
    phasers = Counter()
    for mount in ship["mounts"]:
        system = weapons[mount["type"]]["system"]
        if system == "phaser":
            bears = bool(SECTORS_AHEAD & set(mount["arc"].split("+")))
            phasers[mount["type"], bears] += 1
        else:
            boxes[system] += 1
    return rows, boxes, phasers


def volley(rows, boxes, phasers, points, randint=random.randint):
    """The boxes lost by one volley, and whether it destroyed the ship."""
    left = dict(boxes)
    guns = dict(phasers)
    used = set()
    lost = {}
    phaser_hits = 0
    for _ in range(points):
        system = score(rows[randint(1, 6) + randint(1, 6)], left, guns, used, phaser_hits)
        if system is None:
            return lost, True
        phaser_hits += system == "phaser"
        lost[system] = lost.get(system, 0) + 1
    return lost, False


def score(row, left, guns, used, phaser_hits):
    """Takes the box that a row of the chart costs; the system it is of, nothing for a destroyed ship."""
    for entry, bold in row:
        if bold and bold in used:
            continue
        system = entry
        if entry == "phaser":
            gun = pick_phaser(guns, phaser_hits, True)
            if not gun:
                continue
            guns[gun] -= 1
        elif entry == "any_weapon":
            gun = pick_phaser(guns, phaser_hits, False)
            if not (gun or left.get("drone") or left.get("torpedo")):
                continue
            if left.get("shuttle"):
                system = "shuttle"
                left["shuttle"] -= 1
            elif left.get("drone"):
                system = "drone"
                left["drone"] -= 1
            elif gun:
                system = "phaser"
                guns[gun] -= 1
            else:
                system = "torpedo"
                left["torpedo"] -= 1
        elif entry == "any_warp":
            system = max(WARP, key=lambda engine: left.get(engine, 0))
            if not left.get(system):
                continue
            left[system] -= 1
        else:
            if not left.get(system):
                if entry in ("forward_hull", "aft_hull") and left.get("center_hull"):
                    system = "center_hull"
                elif entry == "flag_bridge" and left.get("security"):
                    system = "security"
                elif entry == "excess":
                    return None
                else:
                    continue
            left[system] -= 1
        if bold:
            used.add(bold)
        return system
    raise AssertionError("a row that does not end in excess damage")


def pick_phaser(guns, hits, directional):
    """The phaser that goes: the weakest that bears, but every third time the best."""
    order = reversed(PHASERS) if hits % 3 == 2 else PHASERS
    for kind in order:
        for bears in (True,) if directional else (True, False):
            if guns.get((kind, bears)):
                return kind, bears
    return None


def simulate(ship_name, points, volleys, seed=None):
    """Mean losses and the number of volleys for each loss, by system; and how many destroyed the ship."""
    if seed is not None:
        random.seed(seed)
    rows, boxes, phasers = load(ship_name)
    histograms = {}
    destroyed = 0
    for _ in range(volleys):
        lost, dead = volley(rows, boxes, phasers, points)
        destroyed += dead
        for system, count in lost.items():
            histogram = histograms.setdefault(system, Counter())
            histogram[count] += 1
    means = {s: sum(n * times for n, times in h.items()) / volleys for s, h in histograms.items()}
    return means, histograms, destroyed


if __name__ == "__main__":
    name, hits, times = (sys.argv[1:] + ["klingon-d7", "25", "20000"][len(sys.argv) - 1 :])[:3]
    for system, mean in sorted(simulate(name, int(hits), int(times))[0].items()):
        print(f"{system:18} {mean:.3f}")
