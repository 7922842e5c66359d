"""The games that are judged at every door: what is wrong in each, and where a door has an excuse to say otherwise."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from referee.rulebooks.registry import load_ship
from tests.doors.played import Played, Told
from tests.unit.formats.vassal.chat_logs import boxes_of

HEAD = """rulebook sfb-cadet
impulses 16
ship Const = cadet/federation-ca at 2020A speed 8
ship Destr = cadet/klingon-d6 at 2030A speed 8
"""
KZINTI = HEAD.replace("klingon-d6", "kzinti")
EDGE = HEAD.replace("impulses 16", "impulses 16\noption map=0505-4030").replace("2030A", "2005A")
STILL = "turn 1\nConst: speed 0\nDestr: speed 0\nimpulse 2\n"
SLOW_AND_FAST = "turn 1\nConst: speed 4\nDestr: speed 8\nimpulse 2\n"

STANDARD = "rulebook sfb-standard\nimpulses 32\n"
NEAR = HEAD.replace("2030A", "2014D")
CONTROL = {"Life Support": 1, "Fire Control": 1, "Shields": 2}
UNPAID: dict[tuple[str, int], dict[str, int]] = {("Const", 1): {}, ("Destr", 1): {}}
REINFORCED = NEAR.replace("impulses 16", "impulses 16\noption reinforcement=true")
CORNER = HEAD.replace("2020A", "1506C").replace("2030A", "1607A")
DRONE_NEAR = KZINTI.replace("2030A", "2010D")
ROMULAN = (
    f"{STANDARD}ship Const = standard/federation-ca at 2020A speed 8\n"
    "ship Destr = standard/romulan-kr at 2010D speed 8\n"
)
CLOAKED = {("Const", 1): CONTROL, ("Destr", 1): {**CONTROL, "Cloak": 20, "Phasrecharge": 3}}
DYING = "Destr: launch {0} at Const\nimpulse 3\nDestr {0} t1: ahead\nDestr: hit 200 on 1\nimpulse 4\n"


def lost(id: str) -> dict[str, int]:
    """What is marked of a cadet ship that is destroyed: all but its bridge (D4.3), and shield 1."""
    ship = load_ship(id)
    return {**{box: n for box, n in boxes_of(ship) if box != "bridge"}, "1": ship.shields[1]}


RACKS = "".join(f"Destr: launch DRN/{n} at Const\n" for n in range(1, 5))
FLIGHTS = "".join(
    f"impulse {impulse}\n" + "".join(f"Destr DRN/{n} t1: ahead\n" for n in range(1, 5))
    for impulse in range(17, 33)
)
FAR_DRONES = (
    f"{STANDARD}ship Const = standard/federation-ca at 3001A speed 0\n"
    "ship Destr = standard/kzinti-cs at 3030A speed 0\n"
    f"turn 1\nConst: speed 0\nDestr: speed 0\nimpulse 16\n{RACKS}{FLIGHTS}turn 2\nConst: speed 0\nDestr: speed 0\n"
    "impulse 1\n" + "".join(f"Destr DRN/{n} t1: ahead\n" for n in range(1, 5))
)

GAMES: dict[str, tuple[Played, set[Told]]] = {
    "by the rules": (
        Played(f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 4\nConst: ahead\nDestr: ahead\nimpulse 5\n"),
        set(),
    ),
    "out of turn": (
        Played(f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 4\nDestr: ahead\nConst: ahead\nimpulse 5\n"),
        {("error", "C1.3", "Destr", 1, 4)},
    ),
    "fire before all have moved": (
        Played(
            f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 4\nDestr: fire PH-2/A at Const\nConst: ahead\n"
            "Destr: ahead\nimpulse 5\n"
        ),
        {("error", "B2.0", "Destr", 1, 4)},
    ),
    "fire before the other has moved": (
        Played(
            f"{HEAD}{SLOW_AND_FAST}Const: fire PH-1/A at Destr\nDestr: ahead\nimpulse 4\nConst: ahead\n"
            "Destr: ahead\nimpulse 5\n"
        ),
        {("error", "B2.0", "Const", 1, 2)},
    ),
    "fire, then its own move": (
        Played(f"{HEAD}{SLOW_AND_FAST}Destr: fire PH-2/A at Const\nDestr: ahead\nimpulse 3\n"),
        {("error", "B2.0", "Destr", 1, 2)},
    ),
    "one did not move": (
        Played(
            f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 4\nDestr: ahead\nimpulse 6\nDestr: ahead\n"
            "impulse 8\nConst: ahead\nDestr: ahead\nimpulse 9\n"
        ),
        {("error", "C1.4/missed", "Const", 1, 4)},
    ),
    "one did not move, and the other fires": (
        Played(
            f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 4\nDestr: ahead\nDestr: fire PH-2/A at Const\n"
            "impulse 8\nConst: ahead\nDestr: ahead\nimpulse 9\n"
        ),
        {("error", "C1.4/missed", "Const", 1, 4), ("error", "C1.4/missed", "Destr", 1, 6)},
    ),
    "a drone before its ship": (
        Played(
            f"{KZINTI}turn 1\nConst: speed 0\nDestr: speed 8\nimpulse 2\nDestr: ahead\n"
            "Destr: launch DRN/1 at Const\nimpulse 3\nDestr DRN/1 t1: ahead\nimpulse 4\n"
            "Destr DRN/1 t1: ahead\nDestr: ahead\nimpulse 5\nDestr DRN/1 t1: ahead\n"
        ),
        {("error", "B2.0", "Destr DRN/1 t1", 1, 4)},
    ),
    "a speed above what is paid": (
        Played(
            f"{HEAD}turn 1\nConst: speed 4\nDestr: speed 16\nimpulse 1\nDestr: ahead\nimpulse 2\nDestr: ahead\n"
            "impulse 3\nDestr: ahead\nimpulse 4\nConst: ahead\nDestr: ahead\n",
            {("Const", 1): {"Movement": 4}, ("Destr", 1): {"Movement": 8}},
        ),
        {("error", "B3.0-14/said", "Destr", 1, None)},
    ),
    "a speed below what is paid": (
        Played(
            f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 4\nConst: ahead\nDestr: ahead\nimpulse 6\nDestr: ahead\n"
            "impulse 8\nConst: ahead\nDestr: ahead\nimpulse 9\n",
            {("Const", 1): {"Movement": 8}, ("Destr", 1): {"Movement": 8}},
        ),
        {("error", "B3.0-14/said", "Const", 1, None)},
    ),
    "a speed far below what is paid": (
        Played(
            f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 4\nConst: ahead\nDestr: ahead\nimpulse 6\nDestr: ahead\n"
            "impulse 8\nConst: ahead\nDestr: ahead\nimpulse 9\n",
            {("Const", 1): {"Movement": 12}, ("Destr", 1): {"Movement": 8}},
        ),
        {("error", "B3.0-14/said", "Const", 1, None)},
    ),
    "no speed, and one is paid for": (
        Played(
            f"{HEAD}{SLOW_AND_FAST.replace('speed 4', 'speed 0')}Destr: ahead\nimpulse 4\nDestr: ahead\nimpulse 5\n",
            {("Const", 1): {"Movement": 4}, ("Destr", 1): {"Movement": 8}},
        ),
        {("error", "B3.0-14/said", "Const", 1, None)},
    ),
    "another speed than it says": (
        Played(
            f"{HEAD}turn 1\nConst: speed 12\nDestr: speed 0\nimpulse 2\nConst: ahead\nimpulse 4\nConst: ahead\n"
            "impulse 5\n",
            {("Const", 1): {"Movement": 8}, ("Destr", 1): {}},
        ),
        {("error", "B3.0-14/said", "Const", 1, None), ("error", "C1.4/missed", "Const", 1, 3)},
    ),
    "where the chart calls no move": (
        Played(f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nimpulse 3\nDestr: ahead\n"),
        {("error", "C1.4", "Destr", 1, 3)},
    ),
    "two moves in an impulse": (
        Played(f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nDestr: ahead\nimpulse 3\n"),
        {("error", "C1.1", "Destr", 1, 2)},
    ),
    "turns too early": (
        Played(
            f"{HEAD}turn 1\nConst: speed 4\nDestr: speed 12\nimpulse 2\nDestr: left\nimpulse 3\nDestr: left\n"
            "impulse 4\nConst: ahead\nDestr: ahead\n"
        ),
        {("error", "C3.2", "Destr", 1, 3)},
    ),
    "too great an acceleration": (
        Played(
            f"{HEAD}turn 1\nConst: speed 0\nDestr: speed 9\nimpulse 2\nDestr: ahead\n".replace(
                "speed 8", "speed 0"
            )
        ),
        {("error", "B3.0-14/track", "Destr", 1, None)},
    ),
    "a speed set late": (
        Played(f"{HEAD}{SLOW_AND_FAST}Destr: ahead\nDestr: speed 12\n"),
        {("error", "B2.0/orders", "Destr", 1, 2)},
    ),
    "back over the edge of the map": (
        Played(
            f"{EDGE}turn 1\nConst: speed 0\nDestr: speed 8\nimpulse 2\nDestr: leave the map\nimpulse 4\nDestr: ahead\n"
        ),
        {("note", "MAP", "Destr", 1, 2), ("error", "MAP", "Destr", 1, 4)},
    ),
    "a weapon in two impulses running": (
        Played(f"{HEAD}{STILL}Destr: fire DISR/A at Const\nimpulse 3\nDestr: fire DISR/A at Const\n"),
        {("error", "E3.23", "Destr DISR/A", 1, 3)},
    ),
    "a gun launched": (
        Played(f"{HEAD}{STILL}Destr: launch PH-2/A at Const\nimpulse 3\n"),
        {("error", "D1.3/launch", "Destr PH-2/A", 1, 2)},
    ),
    "two drones of a rack": (
        Played(
            f"{KZINTI}{STILL}Destr: launch DRN/1 at Const\nimpulse 3\nDestr DRN/1 t1: ahead\n"
            "Destr: launch DRN/1 at Const\n"
        ),
        {("error", "FD4.21", "Destr DRN/1", 1, 3)},
    ),
    "a drone off its course": (
        Played(
            f"{KZINTI}{STILL}Destr: launch DRN/1 at Const\nimpulse 3\nDestr DRN/1 t1: left\nimpulse 4\n"
            "Destr DRN/1 t1: right\n"
        ),
        {("error", "F2.0", "Destr DRN/1 t1", 1, 3)},
    ),
    "a launch before its ship's move": (
        Played(
            f"{KZINTI}{SLOW_AND_FAST}Destr: launch DRN/1 at Const\nDestr: ahead\nimpulse 3\nDestr DRN/1 t1: ahead\n"
        ),
        {("error", "B2.0", "Destr", 1, 2)},
    ),
    "more drones than sensors control": (
        Played(f"{FAR_DRONES}{RACKS}"),
        {("error", "D6.132", "Destr", 2, 1)},
    ),
    "a drone fired": (
        Played(f"{KZINTI}{STILL}Destr: fire DRN/1 at Const\nimpulse 3\n"),
        {("error", "D1.3", "Destr DRN/1", 1, 2)},
    ),
    "over the edge of the map": (
        Played(f"{EDGE}turn 1\nConst: speed 0\nDestr: speed 8\nimpulse 2\nDestr: leave the map\nimpulse 3\n"),
        {("note", "MAP", "Destr", 1, 2)},
    ),
    "another shield": (
        Played(f"{HEAD}{STILL}Destr: fire PH-2/A at Const on 1\nimpulse 3\n"),
        {("error", "E1.4", "Destr", 1, 2)},
    ),
    "fire by the rules": (
        Played(
            f"{NEAR}{STILL}Destr: fire DISR/A, PH-2/A at Const\nConst: fire PH-1/A at Destr\nimpulse 3\n",
            {("Const", 1): {"Phasrecharge": 3}, ("Destr", 1): {"Phasrecharge": 3, "Disr A": 2}},
        ),
        set(),
    ),
    "fire out of arc": (
        Played(f"{HEAD.replace('2030A', '2010A')}{STILL}Destr: fire DISR/A at Const\nimpulse 3\n"),
        {("error", "D2.2", "Destr DISR/A", 1, 2)},
    ),
    "fire out of range": (
        Played(f"{HEAD.replace('2030A', '2048A')}{STILL}Destr: fire DISR/A at Const\nimpulse 3\n"),
        {("error", "E3.0/range", "Destr DISR/A", 1, 2)},
    ),
    "a weapon twice in a turn": (
        Played(
            f"{NEAR}{STILL}Destr: fire DISR/A at Const\nimpulse 9\nDestr: fire DISR/A at Const\nimpulse 10\n"
        ),
        {("error", "E3.23", "Destr DISR/A", 1, 9)},
    ),
    "a weapon twice within a quarter of a turn": (
        Played(
            f"{NEAR}{STILL.replace('impulse 2', 'impulse 16')}Destr: fire DISR/A at Const\n"
            f"{STILL.replace('turn 1', 'turn 2').replace('impulse 2', 'impulse 3')}Destr: fire DISR/A at Const\n"
            "impulse 4\n"
        ),
        {("error", "E1.5", "Destr DISR/A", 2, 3)},
    ),
    "phasers beyond the capacitor": (
        Played(
            f"{NEAR}{STILL}Const: fire PH-1/A, PH-1/B, PH-1/C at Destr\nimpulse 3\n",
            {("Const", 1): {"BttyUsedEA": 2, "Phasrecharge": 1, "Photon A": 2}, ("Destr", 1): {}},
        ),
        {("note", "B3.0-6", "Const", 1, None), ("error", "E2.21", "Const", 1, 2)},
    ),
    "a battery in the turn": (
        Played(
            f"{NEAR}{STILL}Const: battery 1 for PH-1/C\nConst: fire PH-1/A, PH-1/B, PH-1/C at Destr\nimpulse 3\n",
            {("Const", 1): {"Phasrecharge": 2}, ("Destr", 1): {}},
        ),
        set(),
    ),
    "more batteries in the turn than there are": (
        Played(f"{NEAR}{STILL}Const: battery 3 for PH-1/A\nimpulse 3\n", UNPAID),
        {("error", "B3.0-21/ordered", "Const", 1, 2)},
    ),
    "batteries in the turn that allocation took": (
        Played(
            f"{NEAR}{STILL}Const: battery 2 for PH-1/A, PH-1/B\nimpulse 3\n",
            {("Const", 1): {"BttyUsedEA": 1}, ("Destr", 1): {}},
        ),
        {("note", "B3.0-6", "Const", 1, None), ("error", "B3.0-21/ordered", "Const", 1, 2)},
    ),
    "a heavy weapon not armed": (
        Played(
            f"{NEAR}{STILL}Destr: fire DISR/A at Const\nimpulse 3\n",
            {("Const", 1): {}, ("Destr", 1): {"Disr B": 2}},
        ),
        {("error", "E1.2/energy", "Destr DISR/A", 1, 2)},
    ),
    "a launch without lock-on": (
        Played(
            f"{STANDARD}ship Const = standard/federation-ca at 2020A speed 8\n"
            f"ship Destr = standard/kzinti-cs at 2008D speed 8\n{STILL}Destr: launch DRN/1 at Const\n"
            "impulse 3\nDestr DRN/1 t1: ahead\n",
            {("Const", 1): CONTROL, ("Destr", 1): {"Life Support": 1, "Shields": 2}},
        ),
        {("note", "B3.0-8", "Destr", 1, None), ("error", "D6.121", "Destr DRN/1", 1, 2)},
    ),
    "a drone goes with its ship": (
        Played(
            f"{DRONE_NEAR}{STILL}{DYING.format('DRN/1')}impulse 5\n", struck={"Destr": lost("cadet/kzinti")}
        ),
        set(),
    ),
    "a drone flies on without its ship": (
        Played(
            f"{DRONE_NEAR}{STILL}{DYING.format('DRN/1')}Destr DRN/1 t1: ahead\nimpulse 5\n",
            struck={"Destr": lost("cadet/kzinti")},
        ),
        {("error", "F2.0", "Destr DRN/1 t1", 1, 4)},
    ),
    "plasma flies on without its ship": (
        Played(
            f"{HEAD.replace('klingon-d6', 'gorn')}{STILL}{DYING.format('PL-G/A')}Destr PL-G/A t1: ahead\n",
            struck={"Destr": lost("cadet/gorn")},
        ),
        set(),
    ),
    "a shield said on a corner": (
        Played(f"{CORNER}{STILL}Destr: fire PH-2/A at Const on 1\nimpulse 3\n"),
        set(),
    ),
    "no shield said on a corner": (
        Played(f"{CORNER}{STILL}Destr: fire PH-2/A at Const\nimpulse 3\n"),
        set(),
    ),
    "another shield said on a corner": (
        Played(f"{CORNER}{STILL}Destr: fire PH-2/A at Const on 4\nimpulse 3\n"),
        {("error", "E1.4", "Destr", 1, 2)},
    ),
    "general reinforcement and a hit": (
        Played(
            f"{REINFORCED}{STILL}Const: hit 10 on 1\nimpulse 3\n",
            {("Const", 1): {"Gen Reinf": 4}, ("Destr", 1): {}},
            {"Const": {"1": 8}},
        ),
        set(),
    ),
    "reinforcement of the shield that is hit": (
        Played(
            f"{REINFORCED}{STILL}Const: hit 10 on 1\nimpulse 3\n",
            {("Const", 1): {"Shield Reinforcement 1": 4}, ("Destr", 1): {}},
            {"Const": {"1": 6}},
        ),
        set(),
    ),
    "reinforcement that is wasted": (
        Played(f"{REINFORCED}{STILL}impulse 3\n", {("Const", 1): {"Gen Reinf": 3}, ("Destr", 1): {}}),
        {("warning", "B3.0-12", "Const", 1, None)},
    ),
    "reinforcement of no shield in particular": (
        Played(f"{REINFORCED}{STILL}impulse 3\n", {("Const", 1): {"Spec Reinf": 4}, ("Destr", 1): {}}),
        {("undecided", "B3.0-13", "Const", 1, None)},
    ),
    "a cloak, then fire": (
        Played(f"{ROMULAN}{STILL}Destr: cloak\nimpulse 3\nDestr: fire PH-1/1 at Const\nimpulse 4\n", CLOAKED),
        {("error", "G13.0/fire", "Destr PH-1/1", 1, 3)},
    ),
    "fire while cloaked": (
        Played(
            f"{ROMULAN}{STILL}Destr: cloak\nimpulse 10\nDestr: fire PH-1/1 at Const\nimpulse 11\n", CLOAKED
        ),
        {("error", "G13.0/fire", "Destr PH-1/1", 1, 10)},
    ),
    "a cadet ship cloaks in the turn": (
        Played(
            f"{HEAD.replace('klingon-d6', 'romulan-kr')}{STILL}Destr: cloak\nimpulse 3\n",
            {("Const", 1): {}, ("Destr", 1): {"Cloak": 8}},
        ),
        {("error", "G13.0/announce", "Destr", 1, 2)},
    ),
    "more spent than there is": (
        Played(f"{REINFORCED}{STILL}impulse 3\n", {("Const", 1): {"Gen Reinf": 24}, ("Destr", 1): {}}),
        {("error", "B3.0-20", "Const", 1, None)},
    ),
    "a wrong sum on line 20": (
        Played(
            f"{NEAR}{STILL}impulse 3\n",
            {("Const", 1): {"Phasrecharge": 3, "Total Used": 5}, ("Destr", 1): {}},
        ),
        {("error", "B3.0-20/sum", "Const", 1, None)},
    ),
    "more batteries in allocation than there are": (
        Played(
            f"{REINFORCED}{STILL}impulse 3\n",
            {("Const", 1): {"BttyUsedEA": 3, "Gen Reinf": 22}, ("Destr", 1): {}},
        ),
        {("error", "B3.0-6", "Const", 1, None)},
    ),
    "a move after its impulse": (
        Played(
            f"{HEAD}{SLOW_AND_FAST}impulse 3\nDestr: ahead\nimpulse 4\nConst: ahead\nDestr: ahead\nimpulse 5\n"
        ),
        {("error", "C1.4", "Destr", 1, 3), ("error", "C1.4/missed", "Destr", 1, 2)},
    ),
    "a turn passed over": (
        Played(f"{NEAR}{STILL}turn 3\nConst: speed 0\nDestr: speed 0\n"),
        {("error", "B2.0/markers", "", 3, None)},
    ),
}


@dataclass(frozen=True)
class Excuse:
    """Why a door says something else of a game: what it does not find, what it finds instead or beside it, or the
    words by which it does not take the game at all."""

    why: str
    lacks: Set[Told] = frozenset()
    adds: Set[Told] = frozenset()
    refuses: str = ""


def instead(why: str, found: Told, expected: Told) -> Excuse:
    """A door finds something in place of what is expected."""
    return Excuse(why, {expected}, {found})


ORDERS_HAVE_NO_FORMS = "an orders file has no forms, and a form beside it is judged by itself"
IN_ITS_OWN_ORDER = "an orders file has no steps: the order of its lines is judged, under the same number"
IN_ITS_STEP = "a record has its own clock: orders are held against its step, under the same number"
NO_BOXES = "an orders file has no boxes: it says what it takes a hit to have done, which the others show"
NO_SPEEDS = "the online client tells no speeds: they are what the moves of a turn come to"
NO_LINES = "the online client has no line for it, or none is known"
SHIELD_DECIDES = "dice are not thrown before the shield is known, which damage needs"

ASIDE: dict[tuple[str, str], str] = {
    (
        "log",
        "B3.0/filed",
    ): "a log says of ships that move that it lacks their forms; games here mostly have none",
    **{
        (
            door,
            "NOTE/unsure",
        ): "the numbers of a ship are not verified: it is told where its form or display is read"
        for door in ("orders", "log", "play")
    },
    ("play", "NOTE/hexes"): "how the online client counts its hexes is inferred from the moves",
    **{
        (
            door,
            "NOTE/begun",
        ): "a file with a form in which nothing is spent may only be begun; one that is filed is not"
        for door in ("orders", "play")
    },
    ("play", "NOTE/speed-untold"): "the online client tells no speeds, and the moves may fit none",
    **{
        (
            door,
            "NOTE/unexplained-volley",
        ): "what struck a ship is asked for where its fire has to be told before"
        for door in ("record", "play")
    },
}
"""What a door finds beside what is played, by door and key, and why the others do not."""

EXCUSED: dict[tuple[str, str], Excuse] = {
    **{
        (name, "orders"): Excuse(ORDERS_HAVE_NO_FORMS, {("error", "B3.0-14/said", "Const", 1, None)})
        for name in (
            "a speed below what is paid",
            "a speed far below what is paid",
            "no speed, and one is paid for",
            "another speed than it says",
        )
    },
    **{
        (name, "play"): Excuse(
            "a play-by-play names the shield with the damage, and not with the shot",
            {("error", "E1.4", "Destr", 1, 2)},
            {("error", "E1.4/stated", "Destr", 1, 2)},
        )
        for name in ("another shield", "another shield said on a corner")
    },
    ("a move after its impulse", "play"): Excuse(
        "in a play-by-play the line alone may stand out of its place: one finding says both",
        {("error", "C1.4/missed", "Destr", 1, 2)},
    ),
    ("another speed than it says", "log"): Excuse(
        "a log shows forms and moves: what is said, and neither paid for nor moved, is a warning",
        {("error", "B3.0-14/said", "Const", 1, None), ("error", "C1.4/missed", "Const", 1, 3)},
        {("warning", "B3.0-14/said", "Const", 1, None)},
    ),
    ("a speed above what is paid", "orders"): Excuse(
        ORDERS_HAVE_NO_FORMS, {("error", "B3.0-14/said", "Destr", 1, None)}
    ),
    ("phasers beyond the capacitor", "orders"): Excuse(
        ORDERS_HAVE_NO_FORMS, {("error", "E2.21", "Const", 1, 2)}
    ),
    ("batteries in the turn that allocation took", "orders"): Excuse(
        ORDERS_HAVE_NO_FORMS, {("error", "B3.0-21/ordered", "Const", 1, 2)}
    ),
    ("a heavy weapon not armed", "orders"): Excuse(
        ORDERS_HAVE_NO_FORMS, {("error", "E1.2/energy", "Destr DISR/A", 1, 2)}
    ),
    ("a launch without lock-on", "orders"): Excuse(
        ORDERS_HAVE_NO_FORMS, {("error", "D6.121", "Destr DRN/1", 1, 2)}
    ),
    ("fire, then its own move", "orders"): instead(
        IN_ITS_OWN_ORDER, ("error", "B2.0/orders", "Destr", 1, 2), ("error", "B2.0", "Destr", 1, 2)
    ),
    ("a launch before its ship's move", "orders"): instead(
        IN_ITS_OWN_ORDER, ("error", "B2.0/orders", "Destr", 1, 2), ("error", "B2.0", "Destr", 1, 2)
    ),
    ("a speed set late", "record"): instead(
        IN_ITS_STEP, ("error", "B2.0", "Destr", 1, 2), ("error", "B2.0/orders", "Destr", 1, 2)
    ),
    ("a turn passed over", "record"): instead(
        f"{IN_ITS_STEP}; a foul names the player who goes on",
        ("error", "B2.0/order", "const", 3, None),
        ("error", "B2.0/markers", "", 3, None),
    ),
    ("a drone goes with its ship", "orders"): Excuse(
        NO_BOXES, adds={("note", "D4.4", "Destr", 1, 3), ("note", "F2.0", "Destr DRN/1 t1", 1, 3)}
    ),
    ("a drone flies on without its ship", "orders"): Excuse(
        NO_BOXES, adds={("note", "D4.4", "Destr", 1, 3), ("note", "F2.0", "Destr DRN/1 t1", 1, 3)}
    ),
    ("a drone flies on without its ship", "record"): Excuse(
        "a record takes the drone off itself: there is none to move", refuses="is not on the map any more"
    ),
    ("a drone flies on without its ship", "log"): instead(
        "the point beyond the last box, which destroys a ship (D4.4), is not marked on a display: the log is in doubt",
        ("undecided", "D4.41", "Destr DRN/1 t1", 1, 4),
        ("error", "F2.0", "Destr DRN/1 t1", 1, 4),
    ),
    ("a drone flies on without its ship", "play"): instead(
        "a log of the online client tells the flight and its ship's end, and the rule on both is named",
        ("error", "D4.41", "Destr DRN/1 t1", 1, 4),
        ("error", "F2.0", "Destr DRN/1 t1", 1, 4),
    ),
    ("plasma flies on without its ship", "orders"): Excuse(NO_BOXES, adds={("note", "D4.4", "Destr", 1, 3)}),
    ("no shield said on a corner", "record"): Excuse(
        SHIELD_DECIDES, refuses="say which: fire PH-2/A at Const on 1"
    ),
    ("too great an acceleration", "play"): Excuse(
        f"{NO_SPEEDS}; the speed at set-up is taken as that of the turn, where the moves bear it out",
        {("error", "B3.0-14/track", "Destr", 1, None)},
    ),
    ("a speed set late", "play"): Excuse(NO_SPEEDS, {("error", "B2.0/orders", "Destr", 1, 2)}),
    ("a gun launched", "play"): Excuse(
        f"{NO_LINES}: what is put on the map may be a shuttle",
        {("error", "D1.3/launch", "Destr PH-2/A", 1, 2)},
        {("undecided", "NOTE/flights", "Destr", None, None), ("note", "NOTE/outside", "", None, None)},
    ),
    ("two drones of a rack", "play"): Excuse(
        "the online client does not tell which rack a drone leaves: the other may have come from another",
        {("error", "FD4.21", "Destr DRN/1", 1, 3)},
    ),
    ("a battery in the turn", "play"): Excuse(
        f"{NO_LINES}: that batteries may have fed the phasers is noted",
        adds={("note", "E2.21", "Const", 1, 2)},
    ),
    ("more batteries in the turn than there are", "play"): Excuse(
        NO_LINES, {("error", "B3.0-21/ordered", "Const", 1, 2)}
    ),
    ("batteries in the turn that allocation took", "play"): Excuse(
        NO_LINES, {("error", "B3.0-21/ordered", "Const", 1, 2)}
    ),
    ("a cloak, then fire", "play"): Excuse(NO_LINES, {("error", "G13.0/fire", "Destr PH-1/1", 1, 3)}),
    ("fire while cloaked", "play"): Excuse(NO_LINES, {("error", "G13.0/fire", "Destr PH-1/1", 1, 10)}),
    ("a cadet ship cloaks in the turn", "play"): Excuse(
        NO_LINES, {("error", "G13.0/announce", "Destr", 1, 2)}
    ),
    ("a turn passed over", "play"): Excuse(
        "a turn without an impulse in which anything is told is no line of the log",
        {("error", "B2.0/markers", "", 3, None)},
    ),
}
"""By game and door, where a door rightly says something else."""
