"""The keys of the table's screen, and what may be typed behind `:`; for the screen's own help and for the guide."""

from __future__ import annotations

KEYS = (
    ("a  l  r", "the ship that moves now goes ahead, left, right"),
    ("*", "all that have still to move go ahead"),
    ("Enter", "the only thing that may be done, where there is one"),
    ("f", "fire: the weapons that may fire, with their odds; digits choose, Enter declares"),
    ("n", "next: dice that are due (type them, or t), the next impulse, the next turn"),
    ("0-9  t", "dice as they fell, or a speed, where they are asked for; t: the program throws the dice"),
    ("u  U", "undo the last die typed; else, with a list, what goes; d there: dice typed wrongly; U: redo"),
    (":", "any order of the language, short or long; Tab completes ships, weapons, hexes"),
    (
        "w",
        "a ship stands elsewhere on the table: SHIP 1512B WHY: that is its move; SHIP 1512B to move WHY: it has still to move",
    ),
    ("s  o", "seal behind a shield, the others look away; o: open all that is sealed"),
    ("e  c", "file an energy form openly; c: the clock for forms, where no ship begins with c"),
    ("b", "how the boxes of a ship are given up where its owner may choose"),
    ("k  g", "a note; g: a ruling"),
    ("x", "explain a rule, by its number, or a question in words"),
    ("i  v", "all ships with all their weapons; v: the map and the SSDs"),
    ("h", "all that happened, line by line"),
    ("d", "dice are typed in, or thrown by the program, from now on; t: those asked for now only"),
    ("?  q", "these keys; q twice: leave. Nothing is lost: all is in the record"),
)

ORDERS = (
    (
        "SHIP a, l, r",
        "ahead, left, right; SHIP is a name or its beginning; without it the ship that moves now",
    ),
    ("SHIP f PH1A,B TARGET", "fire; `on 2` behind it says the shield"),
    (
        "SHIP s 13",
        "speed; la: launch, c: cloak, u: uncloak, b 1 PH1A: battery, h: hold fire, lo: lock on, le: leave",
    ),
    ("? fire", "what to type for a word"),
    (
        "accept SHIP 1512B WHY",
        "the ship (or seeker) stands there, by your ruling: its move; 1512B to move: before its move; out: its player left",
    ),
    ("u to N", "takes back all after entry N; redo"),
    ("3 4 6   t   again", "dice; thrown by the program; those typed in, or typed in last, are typed anew"),
    ("form FILE SHIP", "an energy form, openly; secret SHIP: sealed; open: all that is sealed"),
    (
        "note, rule, explain",
        "with a text behind them; clock 5; dice typed; dice program; choose SHIP ask; robot; join; who, map, ssd: in words",
    ),
)
