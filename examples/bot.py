"""A chat bot in sixty lines. Talk to it on standard input; in Discord or Matrix call `answer(line)` for each message.

!volley standard/klingon-d7 22 on 1     !odds cadet/klingon-d6 9 inside     !fire photon at 5     !check duel.vsav
"""

import re
import sys
from pathlib import Path

import referee

VOLLEY = re.compile(r"(?P<ship>\S+) (?P<points>\d{1,4}) (?:on (?P<shield>[1-6])|inside)")
FIRE = re.compile(r"(?P<weapon>\S+) at (?P<range>\d{1,3})")
HELP = "!volley SHIP POINTS on SHIELD | inside, !odds (the same), !fire WEAPON at RANGE, !check FILE"


def struck(words: str) -> dict[str, object]:
    """What strikes a ship, as `referee.volley` and `referee.odds` take it."""
    said = VOLLEY.fullmatch(words)
    if not said:
        raise referee.BadInput(f"not understood: {words}", hint=HELP)
    points = int(said["points"])
    where = {"damage": points, "shield": int(said["shield"])} if said["shield"] else {"internals": points}
    return {"ship": said["ship"], **where}


def answer(line: str) -> str:
    """What the bot says to a line; nothing to one that is not for it."""
    if not line.startswith("!"):
        return ""
    command, _, words = line[1:].strip().partition(" ")
    try:
        if command == "volley":
            volley = referee.volley(**struck(words))
            lost = ", ".join(f"{count} {system}" for system, count in volley.lost.items())
            return f"{volley.internals} internals: {lost or 'nothing lost'} (seed {volley.seed})"
        if command == "odds":
            systems = referee.odds(**struck(words)).systems.items()
            means = [
                f"{name} {float(count.mean_lost):.1f}" for name, count in systems if count.mean_lost >= 0.05
            ]
            return "likely lost: " + ", ".join(means)
        if command == "fire" and (said := FIRE.fullmatch(words)):
            fire = referee.fire(weapon=said["weapon"], range=int(said["range"]))
            if fire.is_illegal:
                return f"illegal: {fire.report.findings[0].message} ({fire.report.findings[0].rule})"
            (shot,) = fire.results
            return f"{shot.weapon}: {shot.damage} points" if shot.damage else f"{shot.weapon}: a miss"
        if command == "check":
            report = referee.check(Path(words).name)  # of the bot's own folder, no other
            errors = [f"{found.location} {found.rule}: {found.message}" for found in report.findings]
            return "\n".join([report.verdict.value, *errors[:5]])
    except referee.BadInput as error:
        return str(error)
    return HELP


if __name__ == "__main__":
    for line in sys.stdin:
        print(answer(line.rstrip("\n")))
