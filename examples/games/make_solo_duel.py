"""Plays the short game of `solo-duel.jsonl` anew, into a folder of its own: `python make_solo_duel.py FOLDER`.

One player at one table, for both sides. Every move is a command, as he would have typed it; the dice are
drawn anew each time, so the record here differs from the one beside this script.
"""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
FORMS = HERE.parent / "by_mail"
PROGRAM = os.environ.get("REFEREE", "referee").split()


def referee(*arguments, exits=0):
    """Runs a command; another exit code than the one foreseen ends the script."""
    print("$ referee", *arguments, flush=True)
    done = subprocess.run([*PROGRAM, *map(str, arguments)], check=False)
    if done.returncode != exits:
        sys.exit(f"exit {done.returncode} where {exits} was foreseen")


def lines_of(game):
    """How many entries a record has."""
    return len(game.read_bytes().splitlines())


def main():
    game = Path(sys.argv[1]) / "solo-duel.jsonl"
    ships = (
        *("--ship", "Constellation=cadet/federation-ca:fed@2801E/16"),
        *("--ship", "Destruction=cadet/klingon-d6:kli@0216B/16"),
    )
    referee("game", "new", game, "--players", "fed,kli", "--alone", "--title", "A duel played alone", *ships)
    referee("game", "choose", game, "Destruction", "protect-power", "--as", "kli")

    # Turn 1. The Klingon's form is filed, taken back, and filed again.
    referee("game", "apply", game, FORMS / "constellation.csv")
    referee("game", "apply", game, FORMS / "destruction.csv")
    referee("game", "undo", game, lines_of(game) - 1, "--reason", "the wrong sheet", "--agreed", "fed,kli")
    referee("game", "next", game, exits=1)  # the turn waits for every form
    referee("game", "apply", game, FORMS / "destruction.csv")

    # Impulse 8: phasers on shield 1 of the Destruction.
    referee("game", "next", game, "--to", "1.8.fire")
    referee("roll", "3d6", "--game", game, "--as", "fed", "--for", "three phaser-1 at range 8")
    referee("game", "next", game, "--to", "1.8.resolve-fire")
    owners = ("--choose", "protect-power")
    referee("volley", "Destruction", "--game", game, "--as", "fed", "--damage", 9, "--shield", 1, *owners)

    # Impulse 11: photons through what is left of it.
    referee("game", "next", game, "--to", "1.11.fire")
    referee("roll", "2d6", "--game", game, "--as", "fed", "--for", "two photons at range 4")
    referee("game", "next", game, "--to", "1.11.resolve-fire")
    referee("volley", "Destruction", "--game", game, "--as", "fed", "--damage", 16, "--shield", 1, *owners)

    # Impulse 12: the answer. A shield was misread: the roll is set aside, and made again for the right one.
    referee("game", "next", game, "--to", "1.12.resolve-fire")
    referee("volley", "Constellation", "--game", game, "--as", "kli", "--damage", 14, "--shield", 3)
    referee("dice", "reroll", game, 5, "--reason", "it was shield 2", "--agreed", "fed,kli")
    referee("volley", "Constellation", "--game", game, "--as", "kli", "--damage", 14, "--shield", 2)
    referee(
        "game",
        "rule",
        game,
        "Facing by the counter, not by the log",
        "--by",
        "fed",
        "--on",
        lines_of(game) - 1,
    )

    referee("game", "next", game, "--to", "1.end-of-turn")
    referee("dice", "show-seed", game)
    referee("dice", "verify", game)
    referee("game", "replay", game)


if __name__ == "__main__":
    main()
