"""Plays the duel of `trek-duel.jsonl` anew, into a folder of its own: `python make_trek_duel.py FOLDER`.

Two captains at one table, with dice of ten and a hundred sides thrown by hand: one types them in, the other
confirms them. What the ships do is in `../trek/duel.json`; the dice are those below, in the order they fell,
a line for each act that needed any. A wish that the rules refuse is typed at the prompt, and refused.
"""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
DUEL = HERE.parent / "trek" / "duel.json"
PROGRAM = os.environ.get("REFEREE", "referee").split()
DICE = [
    "87 4",
    "3",
    "4 9 8 1 5 18",
    "10 6",
    "63 49 88 3",
    "6 1 1",
    "92 8",
    "4 2 97 2 2 5 66 8 2 5 8",
    "4",
    "22",
    "10 73",
    "38",
    "5 9",
    "99 9 67 7",
    "70 5 7 35 95 4 94 6 1 87",
    "3",
]


def referee(*arguments, exits=0):
    """Runs a command; another exit code than the one foreseen ends the script."""
    print("$ referee", *arguments, flush=True)
    done = subprocess.run([*PROGRAM, *map(str, arguments)], check=False)
    if done.returncode != exits:
        sys.exit(f"exit {done.returncode} where {exits} was foreseen")


def main():
    game = Path(sys.argv[1]) / "trek-duel.jsonl"
    terms = ("--rulebook", "trek", "--players", "alpha,beta", "--dice", "physical")
    referee("game", "new", game, *terms, "--setup", DUEL)
    for faces in DICE:
        referee("game", "apply", game, DUEL)
        referee("dice", "enter", game, *faces.split(), "--as", "alpha")
        referee("dice", "confirm", game, "--as", "beta")
    referee("game", "say", game, "Shade: fire beam-1=5 at Lancer", "--as", "beta", exits=1)  # it is no more
    referee("game", "report", game, "--as", "beta")


if __name__ == "__main__":
    main()
