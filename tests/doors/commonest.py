"""The 25 commonest violations, and a game for each in which it is committed at every door.

They are counted in the frozen findings (`tests/net/found`): a key counts once for each game, log or file in
which it is an error, and a tenth for each form of random figures, of which most are against many rules at once. Of keys
that count alike the first by name comes first.
"""

from __future__ import annotations

from fractions import Fraction

from tests.doors.games import (
    CONTROL,
    HEAD,
    KZINTI,
    NEAR,
    NO_BOXES,
    NO_SPEEDS,
    ORDERS_HAVE_NO_FORMS,
    SLOW_AND_FAST,
    STANDARD,
    STILL,
    Excuse,
    instead,
    lost,
)
from tests.doors.played import Played, Thrown, Told
from tests.net.gamefiles import found as outcomes

COUNTED = (
    *("battles", "wars", "odd-wars", "flights", "moves", "odd-moves", "cancelled-fire"),
    *("orders", "records", "robots", "forms"),
)
MOST, A_FORM = 25, Fraction(1, 10)
QUIET = f"{NEAR}{STILL}impulse 3\n"
NOTHING: dict[str, int] = {}
SHOTS = f"{NEAR}{STILL}Destr: fire PH-2/A, PH-2/B at Const\nimpulse 3\n"
SHOTS_PAID = {("Const", 1): NOTHING, ("Destr", 1): {"Phasrecharge": 3}}
OF_SPEED = f"{HEAD}turn 1\nConst: speed 9\nDestr: speed 0\nimpulse 2\nConst: ahead\nimpulse 3\n"
ROMULAN = f"{HEAD.replace('klingon-d6', 'romulan-kr')}{STILL}impulse 3\n"
DIES = f"{KZINTI.replace('2030A', '2014D')}{SLOW_AND_FAST}Destr: ahead\nDestr: hit 200 on 1\nimpulse 4\nConst: ahead\n"


def paid(const: dict[str, int], destr: dict[str, int] = NOTHING, text: str = QUIET) -> Played:
    """A game in which each ship has a form of turn 1."""
    return Played(text, {("Const", 1): const, ("Destr", 1): destr})


COMMONEST: dict[str, str] = {
    "C1.4/missed": "one did not move",
    "D4.1": "other boxes marked than struck",
    "C3.2": "turns too early",
    "C1.1": "two moves in an impulse",
    "E1.1": "a die not thrown",
    "C1.3": "out of turn",
    "B3.0-14/track": "too great an acceleration",
    "D4.22": "a sum misread",
    "B3.0-5": "more charged batteries than there are",
    "E2.4": "a phaser misread",
    "C1.4": "where the chart calls no move",
    "C1.4/limit": "a speed above the chart's",
    "B3.0-20": "more spent than there is",
    "G13.0/cost": "too little for the cloak",
    "B3.0-7": "no life support",
    "B3.0-6": "more batteries in allocation than there are",
    "F2.0": "a drone off its course",
    "B3.0-16": "full batteries recharged",
    "B3.0-21": "more batteries used in the turn than there are",
    "B3.0-2": "more impulse power than boxes",
    "B3.0-3": "more reactor power than boxes",
    "E1.2/energy": "a heavy weapon not armed",
    "B2.0": "fire before all have moved",
    "H6.2": "a capacitor overfilled",
    "D2.2": "fire out of arc",
}
"""The game for each of the 25."""

GAMES: dict[str, tuple[Played, set[Told]]] = {
    "other boxes marked than struck": (
        Played(SHOTS, SHOTS_PAID, thrown=Thrown((1, 2), marked=3)),
        {("error", "D4.1", "Const", 1, 2)},
    ),
    "a die not thrown": (
        Played(SHOTS, SHOTS_PAID, thrown=Thrown((1,))),
        {("error", "E1.1", "Destr", 1, 2)},
    ),
    "a sum misread": (
        Played(SHOTS, SHOTS_PAID, thrown=Thrown((1, 2), total=11)),
        {("error", "D4.22", "Destr", 1, 2)},
    ),
    "a phaser misread": (
        Played(SHOTS, SHOTS_PAID, thrown=Thrown((1, 2), "PH-2/A hits for 6 points")),
        {("error", "E2.4", "Destr", 1, 2)},
    ),
    "more charged batteries than there are": (
        paid({"Btty Avail": 3, "Phasrecharge": 1}),
        {("error", "B3.0-5", "Const", 1, None)},
    ),
    "a speed above the chart's": (
        Played(
            f"{HEAD.replace('speed 8', 'speed 16')}{STILL.replace('Destr: speed 0', 'Destr: speed 20')}impulse 3\n"
        ),
        {("error", "C1.4/limit", "Destr", 1, None)},
    ),
    "too little for the cloak": (
        paid({}, {"Cloak": 4}, ROMULAN.replace("romulan-kr", "romulan-we")),
        {("error", "G13.0/cost", "Destr", 1, None)},
    ),
    "no life support": (
        paid(
            {"Fire Control": 1, "Shields": 2},
            CONTROL,
            f"{STANDARD}ship Const = standard/federation-ca at 2020A speed 8\n"
            f"ship Destr = standard/kzinti-cs at 2008D speed 8\n{STILL}impulse 3\n",
        ),
        {("error", "B3.0-7", "Const", 1, None)},
    ),
    "full batteries recharged": (
        paid({"BttyRecharge": 2, "Phasrecharge": 1}),
        {("error", "B3.0-16", "Const", 1, None)},
    ),
    "more batteries used in the turn than there are": (
        paid({"BttyUsedInTurn": 3, "Phasrecharge": 1}),
        {("error", "B3.0-21", "Const", 1, None)},
    ),
    "more warp power than boxes": (
        paid({"Warp Power": 18, "Total Power": 22, "Phasrecharge": 1}),
        {("error", "B3.0-1", "Const", 1, None)},
    ),
    "more impulse power than boxes": (
        paid({"Impulse Power": 3, "Total Power": 21, "Phasrecharge": 1}),
        {("error", "B3.0-2", "Const", 1, None)},
    ),
    "more reactor power than boxes": (
        paid({"Atomic Power": 3, "Total Power": 21, "Phasrecharge": 1}),
        {("error", "B3.0-3", "Const", 1, None)},
    ),
    "more phasers fired than charged": (
        paid({"Phasrecharge": 1, "PhasFired": 4}),
        {("error", "H6.1", "Const", 1, None)},
    ),
    "phasers fired by batteries that line 21 does not name": (
        paid({"Phasrecharge": 1, "PhasFired": 3}),
        {("note", "H6.1", "Const", 1, None)},
    ),
    "a capacitor overfilled": (
        paid({"Phasrecharge": 5}),
        {("error", "H6.2", "Const", 1, None)},
    ),
    "a capacitor that holds more than it can": (
        paid({"Phas Cap": 4}),
        {("error", "H6.3", "Const", 1, None)},
    ),
    "too much for a disruptor": (paid({}, {"Disr A": 3}), {("error", "E3.2", "Destr", 1, None)}),
    "too much for a photon torpedo": (paid({"Photon A": 3}), {("error", "E4.21", "Const", 1, None)}),
    "too much for a plasma torpedo": (
        paid({}, {"PL-S A": 3}, ROMULAN),
        {("error", "FP1.2", "Destr", 1, None)},
    ),
    "a speed that warp does not pay": (
        paid({"Warp Power": 7, "Total Power": 11, "Movement": 9}, text=OF_SPEED),
        {("error", "B3.0-1", "Const", 1, None), ("error", "B3.0-14", "Const", 1, None)},
    ),
    "too great an acceleration, on its form": (
        paid({"Movement": 9}, text=OF_SPEED.replace("speed 8", "speed 0")),
        {
            ("error", "B3.0-14/acceleration", "Const", 1, None),
            ("error", "B3.0-14/track", "Const", 1, None),
        },
    ),
    "phasers that draw on batteries": (
        paid(
            {"Phasrecharge": 2},
            text=f"{NEAR}{STILL}Const: fire PH-1/A, PH-1/B, PH-1/C at Destr\nimpulse 3\n",
        ),
        {("note", "E2.21", "Const", 1, 2)},
    ),
    "a destroyed ship moves": (
        Played(f"{DIES}Destr: ahead\nimpulse 5\n", struck={"Destr": lost("cadet/kzinti")}),
        {("error", "D4.41", "Destr", 1, 4)},
    ),
    "a destroyed ship fires": (
        Played(f"{DIES}Destr: fire PH-1/A at Const\nimpulse 5\n", struck={"Destr": lost("cadet/kzinti")}),
        {("error", "D4.41", "Destr", 1, 4)},
    ),
}
"""Games of these and of what is like them: those of `tests/doors/games.py` have the others."""

NO_DICE = "an orders file has no dice"
OWN_DICE = "a record throws its dice itself, reads the tables and marks the boxes: none of it can be stated otherwise"
NO_RESULTS = "the online client states what all shots of a volley come to, and is held to that"
AS_FORM = "the speed a form pays for is judged with the form, under the number of the form"
DEAD = "a record takes no order of a ship that is destroyed, forced or not"

EXCUSED: dict[tuple[str, str], Excuse] = {
    **{
        (name, door): Excuse(why, expected)
        for name, (game, expected) in GAMES.items()
        for door, why in (("orders", NO_DICE), ("record", OWN_DICE))
        if game.thrown is not None
    },
    ("other boxes marked than struck", "play"): instead(
        "the online client states how much of a shield is left, and shows no display",
        ("error", "D4.1/stated", "Const", 1, 2),
        ("error", "D4.1", "Const", 1, 2),
    ),
    ("a die not thrown", "play"): Excuse(
        "a line of the online client may be lost: points by too few dice are undecided",
        {("error", "E1.1", "Destr", 1, 2)},
    ),
    ("a sum misread", "play"): instead(
        NO_RESULTS, ("error", "E2.4/stated", "Destr", 1, 2), ("error", "D4.22", "Destr", 1, 2)
    ),
    ("a phaser misread", "play"): Excuse(NO_RESULTS, {("error", "E2.4", "Destr", 1, 2)}),
    **{
        ("a speed that warp does not pay", door): instead(
            "of boxes that are left neither a form by itself nor the online client tells",
            ("note", "B3.0-1", "Const", 1, None),
            ("error", "B3.0-1", "Const", 1, None),
        )
        for door in ("orders", "play")
    },
    ("too great an acceleration, on its form", "log"): Excuse(
        AS_FORM, {("error", "B3.0-14/track", "Const", 1, None)}
    ),
    ("too great an acceleration, on its form", "play"): Excuse(
        NO_SPEEDS, {("error", "B3.0-14/track", "Const", 1, None)}
    ),
    ("phasers that draw on batteries", "orders"): Excuse(
        ORDERS_HAVE_NO_FORMS, {("note", "E2.21", "Const", 1, 2)}
    ),
    ("phasers that draw on batteries", "log"): instead(
        "a log says it at the form, whose line 21 is to be written: it is of the turn",
        ("note", "E2.21", "Const", 1, None),
        ("note", "E2.21", "Const", 1, 2),
    ),
    **{
        (name, door): excuse
        for name in ("a destroyed ship moves", "a destroyed ship fires")
        for door, excuse in (
            ("orders", Excuse(NO_BOXES, adds={("note", "D4.4", "Destr", 1, 2)})),
            ("record", Excuse(DEAD, refuses="Destr is destroyed already")),
        )
    },
    ("a destroyed ship fires", "log"): Excuse(
        "a display shows that the weapon is destroyed besides",
        adds={("error", "E2.24", "Destr PH-1/A", 1, 4)},
    ),
}
"""By game and door, where a door rightly says something else of these."""


def counted() -> list[str]:
    """The commonest violations in the frozen findings."""
    weighed: dict[str, Fraction] = {}
    for game in (game for kind in COUNTED for game in outcomes(kind)):
        weight = A_FORM if game["game"].startswith("form ") else Fraction(1)
        reports = game.get("runs", [game])
        for key in {
            found[0]
            for report in reports
            if "findings" in report
            for found in report["findings"]
            if found[1] == "error"
        }:
            weighed[key] = weighed.get(key, Fraction(0)) + weight
    return sorted(weighed, key=lambda key: (-weighed[key], key))[:MOST]
