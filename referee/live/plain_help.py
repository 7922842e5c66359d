"""What the table line by line understands, told in its help."""

from __future__ import annotations

HELP = (
    "SHIP a, l, r   a ship goes ahead, left, right; without SHIP the one that moves now",
    "SHIP f PH1A,B TARGET [on 2]   fire; also: la (launch), s 13 (speed), c (cloak), u (uncloak), b 1 PH1A (battery),",
    "               h (hold fire), lo TARGET (lock on), hit 7 on 1, le (leave the map)",
    ".              the only thing that may be done; in a terminal Enter does it too",
    "n              next: dice that are due (it throws them, or asks for them: type them, or t), the next impulse, turn",
    "join           players whose part of the dice is awaited (peer, solo, umpire) sit at this table, and join",
    "robot [SHIP]   a robot does what it has to do now: its move, its fire; its player may fly it, too",
    "f [SHIP]       what may be fired, with the odds",
    "who            the moment, who moves and who then, what is awaited of whom, which ways are legal, the head code",
    "ships [SHIP]   where ships are, when they may turn, their shields, what may fire at whom, and why the rest may not",
    "map            where each ship stands, how far it is from each other, and off which of its shields",
    "ssd [SHIP]     a ship's boxes in words: of each system how many are left",
    "3 4 6          dice as they fell, where they are asked for; t: the program throws them; 34t: those, and it throws",
    "               the rest; again: forget those typed; where none are yet, the last are typed anew",
    "dice typed     dice are typed in from now on; dice program: thrown by the program; t: those asked for now only",
    "stand [RULING] enter what was refused, with its foul and your ruling; x: leave it",
    "why            its player alone reads why what he sealed last was refused: the others look away",
    "accept SHIP 1512B [RULING]   accept what happened: the ship stands there on the table, by your ruling: that is its",
    "               move, where it is called and has not moved; accept SHIP 1512B to move [RULING]: it has still to move",
    "u [to N]       leave what was refused; else list what an undo of the last act, or of all after entry N, takes back:",
    "               y takes it back, n or any other line does not; redo; back: the last entries; of boxes the last one chosen",
    "choose SHIP    its boxes, drawn; choose SHIP ask: its owner is asked for each box that is hit, and types its number;",
    "               or by a rule: protect-weapons, protect-power, spread",
    "secret SHIP    what follows on the next line is sealed, unseen; secret SHIP FILE: a form; o (open): all that is",
    "               sealed is shown, moves and fire are entered",
    "form FILE [SHIP]   file an energy form openly; clock [MINUTES]: begin the clock for forms; clock 0 stops it",
    "rulings, note TEXT, rule TEXT, explain RULE or WORDS, head, h (all that happened), ? (help), ? fire (one word), quit",
    "i, v, k, g, e, c, d, q are the keys of the screen: ships, map, note, rule, form, clock, dice, quit; x RULE explains",
)
