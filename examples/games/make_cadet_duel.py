"""Plays the three turns of `cadet-duel.jsonl` anew, into a folder of its own: `python make_cadet_duel.py FOLDER`.

Scenario 5, one person for both sides. The orders are in `cadet-duel/turn-N.txt`, the dice wait where a line
is empty. Since the dice fall otherwise each time, what is shot away is left out of the orders, and the
energy forms are made of the power that is left.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PROGRAM = os.environ.get("REFEREE", "referee").split()
SPEEDS = {"Constellation": (12, 8, 8), "Destruction": (14, 10, 8)}
TUBES = {"PHOT/A": "Photon A", "PHOT/B": "Photon B", "DISR/A": "Disr A", "DISR/B": "Disr B"}
PHASERS = {"Constellation": 3, "Destruction": 4}
ARMS = {"Constellation": ("PHOT/A", "PHOT/B"), "Destruction": ("DISR/A", "DISR/B")}


def referee(*arguments, exits=0):
    """Runs a command; another exit code than the one foreseen ends the script."""
    print("$ referee", *arguments, flush=True)
    done = subprocess.run([*PROGRAM, *map(str, arguments)], check=False)
    if done.returncode != exits:
        sys.exit(f"exit {done.returncode} where {exits} was foreseen")


def status(game):
    """The game as `game status --json` tells it."""
    done = subprocess.run(
        [*PROGRAM, "game", "status", str(game), "--json"], check=True, stdout=subprocess.PIPE
    )
    return json.loads(done.stdout)


def lost_boxes(game):
    """What is shot away, by ship."""
    return {ship["name"]: set(ship["state"]["destroyed"]) for ship in status(game)["ships"]}


def is_over(game):
    """Is a ship destroyed?"""
    return any(ship["state"].get("dead") for ship in status(game)["ships"])


class Captain:
    """Allocates the energy of a ship, and remembers what is left in its phaser capacitor."""

    def __init__(self, ship):
        self.ship = ship
        self.held = 0

    def form(self, turn, lost, file):
        """Writes the energy form of a turn: movement first, then heavy weapons, then phasers."""
        counts = {"warp": 16, "impulse": 2, "apr": 2, "battery": 2, "PH": PHASERS[self.ship]}
        for box in lost:
            system = re.sub(r"^(left|right)_|/.*|-.*", "", box)
            counts[system] = counts.get(system, 0) - 1
        power = counts["warp"] + counts["impulse"] + counts["apr"]
        battery = counts["battery"] if turn == 1 else 0
        rows = {
            "Warp Power": counts["warp"],
            "Impulse Power": counts["impulse"],
            "Atomic Power": counts["apr"],
            "Total Power": power,
        }
        used = spent = SPEEDS[self.ship][turn - 1]
        rows["Movement"] = used
        for tube in ARMS[self.ship]:
            # Photons are armed by warp alone, disruptors by anything.
            free = (
                min(counts["warp"] - spent, power - used)
                if tube.startswith("PHOT")
                else power + battery - used
            )
            if tube not in lost and free >= 2:
                rows[TUBES[tube]] = 2
                used, spent = used + 2, spent + 2
        self.held = min(self.held, counts["PH"])
        charged = max(0, min(counts["PH"] - self.held, power + battery - used))
        rows["Phasrecharge"] = charged
        self.held += charged
        rows["Total Used"] = used + charged
        rows["Batteries Discharged"] = max(0, used + charged - power)
        text = [f"Ship,{self.ship}", f"Turn,{turn}", *(f"{name},{amount}" for name, amount in rows.items())]
        file.write_text("\n".join(text) + "\n")


def adapted(block, game, captains):
    """The lines of some orders that can still be given, without weapons that are gone."""
    lost = lost_boxes(game)
    for line in block.splitlines():
        order = re.fullmatch(r" *(\w+): (fire|launch) (.*?) (at .*)", line)
        if not order:
            yield line
            continue
        ship, verb, weapons, target = order.groups()
        ready = [weapon for weapon in weapons.split(", ") if weapon not in lost[ship]]
        if verb == "fire":
            captains[ship].held -= sum(weapon.startswith("PH-") for weapon in ready)
        if ready:
            yield f"  {ship}: {verb} {', '.join(ready)} {target}"


def play(game, turn, captains):
    """The orders of a turn; what strikes is rolled where a line is empty."""
    for number, block in enumerate((HERE / "cadet-duel" / f"turn-{turn}.txt").read_text().split("\n\n")):
        if (turn, number) == (2, 3):
            referee("game", "say", game, "impulse 4", "Constellation: left")
            last = status(game)["entries"] - 1
            referee("game", "undo", game, last, "--reason", "ahead was meant", "--agreed", "fed,kli")
        if orders := list(adapted(block, game, captains)):
            referee("game", "say", game, *orders)
        if "fire" not in block:
            impulse = re.findall(r"impulse (\d+)", block)[-1]
            referee("game", "next", game, "--to", f"{turn}.{impulse}.resolve-seekers")
        referee("game", "resolve", game)
        if is_over(game):
            return


def main():
    folder = Path(sys.argv[1])
    game, papers = folder / "cadet-duel.jsonl", folder / "cadet-duel"
    papers.mkdir(parents=True, exist_ok=True)
    captains = {ship: Captain(ship) for ship in SPEEDS}
    referee("init", "game", "--scenario", 5, "--record", game, "--players", "fed,kli", "--alone")
    referee("game", "choose", game, "Destruction", "protect-power", "--as", "kli")
    for turn in (1, 2, 3):
        if turn > 1:
            referee("game", "next", game, "--to", turn)
        for ship, captain in captains.items():
            form = papers / f"{ship.lower()}-{turn}.csv"
            captain.form(turn, lost_boxes(game)[ship], form)
            referee("seal", "--game", game, form)
        play(game, turn, captains)
        referee("game", "next", game, "--to", f"{turn}.end-of-turn")
        for ship in captains:
            referee("reveal", "--game", game, "--ship", ship)
        if is_over(game):
            break
    referee("dice", "show-seed", game)
    referee("dice", "verify", game)
    referee("record", "verify", game)
    referee("check", game)
    told = status(game)
    replayed = subprocess.run(
        [*PROGRAM, "game", "replay", str(game)], check=True, stdout=subprocess.PIPE, text=True
    )
    (folder / "cadet-duel.txt").write_text(f"head {told['head']}\n{replayed.stdout.splitlines()[-1]}\n")


if __name__ == "__main__":
    main()
