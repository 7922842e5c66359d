"""What findings mean that no rule of a book gives: those on a file, a log, a record or a ship's data sheet.

`referee explain` prints them by their keys, as it prints the rules.
"""

from __future__ import annotations

REMARKS: dict[str, tuple[str, str]] = {
    "NOTE/begun": (
        "A form that is only begun",
        "None of the turn's spending is filled in, so there is nothing to judge. No verdict follows from it.\n"
        "Fix: fill in what the ship spends; write 0 where it spends nothing.",
    ),
    "NOTE/boxes": (
        "Other boxes than the ship known here has",
        "The display shows more or fewer boxes of a kind than the ship of that class has here. The class may be "
        "another one, or the display may name its boxes otherwise.\nFix: name the class with --ship NAME=CLASS, or "
        "the boxes in the damage part of a map.",
    ),
    "NOTE/cells": (
        "Cells that are shifted",
        "A cell of a table ends with a backslash. VASSAL then reads it and the next cell as one, so all cells behind it "
        "stand one place too early.\nFix: write the cell again without the backslash, and look at those behind it.",
    ),
    "NOTE/changed-later": (
        "A figure changed after movement had begun",
        "Energy is allocated before a turn's movement. The first figure is judged. Where it was blank before this is a "
        "warning, where it was another figure it is undecided.",
    ),
    "NOTE/chat": (
        "Lines of chat in a log",
        "Lines of a log of the online client in which somebody speaks: `<Bob> well shot`, or a name that throws dice and a colon. They are not read, and do not matter.",
    ),
    "NOTE/class": (
        "A class told only by its type",
        "A log of the online client names a ship's type, as `D7`, and no race. One class of the rulebook is of this type, and is "
        "taken. Where several are, the ship is not judged until --ship NAME=CLASS says which.",
    ),
    "NOTE/clock": (
        "An impulse that cannot come next",
        "A log names an impulse that a turn of this game does not have, or one that is over. What stands under it is taken as of the impulse before.\nFix: say the chart with --option impulses=32.",
    ),
    "NOTE/clock-put-on": (
        "A clock put on to a later turn",
        "At the end of the log the turn tracker goes on over more than one turn, and nothing is done after that.",
    ),
    "NOTE/contradiction": (
        "A line that contradicts the game so far",
        "A log says of something that is gone, or there already, that it acts or comes. The line is left out and the rest is judged.",
    ),
    "NOTE/destroyed": (
        "A ship that acts after its end",
        "A log says that a ship is destroyed, and later that it moves, fires or is damaged. These lines are not judged.",
    ),
    "NOTE/corrected": (
        "A corrected move",
        "A log of the online client tells two moves of a ship in one impulse, and the second begins where the first one "
        "did: a player put his move right. The last one is judged. That he goes back is held against nobody.",
    ),
    "NOTE/dice-again": (
        "More dice than the shot needs",
        "A player rolled for a shot that has its dice, or whose first die had been undone. Dice stand as they fell: the "
        "first count.",
    ),
    "NOTE/dice-aside": (
        "A roll that is set aside",
        "A roll fits no shot that was declared, or more dice fell than the shots need. It is not used.\n"
        "Fix: say what a die is for.",
    ),
    "NOTE/dice-by-other": (
        "Dice rolled by another player",
        "The dice of a shot were rolled by somebody else than its ship's player. They count.",
    ),
    "NOTE/dice-by-stranger": (
        "Dice rolled by somebody who does not play",
        "The player named by the roll has no side in this game.",
    ),
    "NOTE/dice-first": (
        "Dice before the shot is declared",
        "A die fell before the fire it is for was declared, so it could be chosen by what it shows. Which die counts is "
        "not certain.\nFix: declare the fire, then roll.",
    ),
    "NOTE/dice-taken-back": (
        "A roll that was undone",
        "VASSAL's undo took a roll back. Dice that have fallen count.",
    ),
    "NOTE/dice-untold": (
        "Fire without its dice",
        "A log of the online client tells a shot, and neither dice nor damage that are of it. What it came to is not known.",
    ),
    "NOTE/dice-whose": (
        "Dice that may be those of another shot",
        "The dice can be given to the shots in more than one way, and what is found depends on it.",
    ),
    "NOTE/die": (
        "Dice that no such dice can show",
        "A roll shows a number its dice do not have, or more or fewer dice than its button throws.",
    ),
    "NOTE/dragged-by-other": (
        "A counter moved by another player",
        "Somebody else than the player of the ship moved its counter. The move counts.",
    ),
    "NOTE/filed": (
        "A form that is filed already",
        "The record holds another form of this ship for this turn, and that one counts. The file's is judged as if it "
        "were filed.",
    ),
    "NOTE/filled-late": (
        "A form filled in after movement had begun",
        "The whole form of a turn was written when movement had begun. Energy is allocated first.",
    ),
    "NOTE/flights": (
        "Flights that are not followed",
        "The log does not tell what a seeker goes after, where there are several ships it may; or the ship known here launches nothing of the kind. The launch counts, the flight is not judged.",
    ),
    "NOTE/form": (
        "A form that cannot be read",
        "A table holds lines of an energy form, and its layout is not known: no row names the turns, or the labels stand "
        "beside each other.\nFix: head the columns Turn, 1, 2, 3, or say in the form part of a map where they are.",
    ),
    "NOTE/formulas": (
        "Figures that are formulas",
        "The values that the workbook saved for its formulas are judged. They are those of the last time it was saved "
        "by a spreadsheet program.",
    ),
    "NOTE/game": (
        "Several games in one log",
        "A turn number that goes back begins another game, and so does an impulse of the same turn that is over, after "
        "ships are put on the map or energy is allocated. Each is judged by itself; `--part N` of `map`, `replay` "
        "and `game new` takes one of them. Where another game may begin and nothing shows it, what follows is undecided.",
    ),
    "NOTE/given-twice": (
        "A line that is given twice",
        "Two rows of the form mean the same line, and which of them is meant is not known.\nFix: keep one.",
    ),
    "NOTE/heading": (
        "A column that cannot be taken as a turn",
        "There are figures below a heading that is no turn, or below one that is there twice.",
    ),
    "NOTE/hex": (
        "A hex that is on no map",
        "A log puts a ship in a hex whose column or row is 00. Where it stands is not known until the next line of it.",
    ),
    "NOTE/hexes": (
        "How the hexes of a log are read",
        "Whether even or odd columns lie half a hex lower is not known. The reading used is the one that makes each move one hex.",
    ),
    "NOTE/impulse": (
        "An impulse that there is not",
        "Lines of a log name an impulse that no game has. What follows them is taken to be of the impulse before.",
    ),
    "NOTE/map": (
        "A module map that does not fit the file",
        "The map names something that the file does not have, or is for another module or version. What it says of "
        "that has no effect.",
    ),
    "NOTE/map-unread": (
        "Fields of a display that the map leaves out",
        "The map says which fields show damage, and this one is not among them. It is not read.",
    ),
    "NOTE/mark-taken-back": (
        "A mark of damage that was taken off again",
        "A box was marked and later shown as whole, and no repair explains that. Where it may have been marked by "
        "mistake this is a note.",
    ),
    "NOTE/mark-unread": (
        "A mark of damage that cannot be read",
        "A field or layer of the display shows nothing that is a number of boxes. What is left there is not known.",
    ),
    "NOTE/marked-late": (
        "Damage marked out of turn",
        "The damage of several volleys was marked together or in another order. All of it is marked.",
    ),
    "NOTE/module": (
        "Which module names the hexes",
        "Says which module beside the file is used, or why none is. --module names one.",
    ),
    "NOTE/name": (
        "A name that two ships may have",
        "The online client leaves words of a ship's name out, and what is left fits several ships. What these lines tell is not judged, nor where these ships are until they are named again.",
    ),
    "NOTE/no-order": (
        "A line that reads as an order and is talk",
        "In chat an order begins with a mark, `!` unless a map says another. This line does not and is not taken as one.",
    ),
    "NOTE/not-as-ordered": (
        "A move that is not as it was ordered",
        "The ship's player said another way than the counter went. The counter's way is judged.",
    ),
    "NOTE/not-as-sealed": (
        "Something done that is not as it was sealed",
        "What a ship did is not what its sealed order says. What was sealed stands; the umpire decides.",
    ),
    "NOTE/nothing-judged": (
        "Nothing could be judged",
        "The file holds no energy form, ship or order of a known rulebook, or all of it is empty. Such a file is not "
        "legal: it is not known.\nFix: fill in a form; name ships with --ship NAME=CLASS; say with --map what the "
        "module's names mean.",
    ),
    "NOTE/order": (
        "An order that is not understood",
        "A line is meant as an order and cannot be read as one, or names what is not there. It is not followed.",
    ),
    "NOTE/order-by-stranger": (
        "An order of somebody without a ship",
        "The player who wrote the order plays no ship that is known, and it names none. It is not followed.\n"
        "Fix: name the ship it is for.",
    ),
    "NOTE/order-taken-back": (
        "An order that was taken back",
        "Its player or VASSAL's undo took an order back. Where that came too late for it, this is a warning.",
    ),
    "NOTE/outside": (
        "Outside the rulebooks here",
        "The log has things that none of the rulebooks here has, such as sideslips or expanding spheres. They are counted, and not judged by themselves.",
    ),
    "NOTE/placed-for-fire": (
        "A counter put elsewhere while fire was declared",
        "A counter stood in a hex only while fire was declared and was taken away again. The fire is judged from where "
        "it truly stood.",
    ),
    "NOTE/played-again": (
        "An impulse played again after dice",
        "The clock was put back before an impulse in which dice had been rolled. Dice that have fallen count.",
    ),
    "NOTE/played-twice": (
        "An impulse that was played twice",
        "Two logs of one game tell the same impulse, with other dice or moves. Which of them counts is for the players "
        "to say.",
    ),
    "NOTE/put-away": (
        "A seeker's counter put away",
        "The counter of a seeker that struck or was destroyed was put aside. That is no move.",
    ),
    "NOTE/put-right": (
        "A counter dragged to a wrong hex and corrected",
        "Two drags in one impulse lead to a hex dead ahead. They are judged as one move.",
    ),
    "NOTE/put-right-late": (
        "A counter corrected in a later impulse",
        "A wrong drag was put right when its impulse was over. Both are judged as one move.\n"
        "Fix: correct a counter in its own impulse.",
    ),
    "NOTE/roll-only-said": (
        "A roll that is only in chat",
        "Chat reports a roll, and the button's result was not set, as a press of it does. It may have been typed.",
    ),
    "NOTE/seal-changed": (
        "A sealed order that was changed",
        "A secret note was rewritten after it had been sealed. What was sealed first stands.",
    ),
    "NOTE/seal-kept": (
        "A sealed order that was not shown",
        "A secret note was never shown, so it cannot be compared with what was done. It counts as not sealed.",
    ),
    "NOTE/sealed": (
        "Something sealed that is not shown or not understood",
        "What was sealed was not shown in time, or cannot be compared with what was done. It is undecided until then.",
    ),
    "NOTE/sealed-late": (
        "An order sealed too late",
        "A secret note was written when what it decides was already known.\nFix: seal before it is decided.",
    ),
    "NOTE/seeker": (
        "A seeker that cannot have come there",
        "A log puts a seeker where no move of it leads, or launches it in another hex than its ship's.",
    ),
    "NOTE/set-up": (
        "The set-up",
        "In a log: counters that were put in place before play began. In a record: a ship, weapon or speed that is not "
        "as the scenario has it.",
    ),
    "NOTE/ship": (
        "A ship whose class is not known",
        "The names on its counter, display and form fit no class, or several.\nFix: say --ship NAME=CLASS.",
    ),
    "NOTE/settings": (
        "Settings of the folder",
        "A file found in the folder bends the rules: it counts where the command names it, or once it is trusted "
        "(referee config trust FILE).",
    ),
    "NOTE/ship-file": (
        "A ship read from a file beside the form",
        "No ship of the program is called as on the form, but one of a file in its folder is.\n"
        "Fix: for another one say --ship FILE.",
    ),
    "NOTE/shown-late": (
        "A sealed order shown too late",
        "A secret note was shown when what it decides was over.\nFix: show it when it is decided.",
    ),
    "NOTE/speed-untold": (
        "A speed that the moves do not tell",
        "A log of the online client tells no speeds: they are what the moves of a turn come to. These fit no one speed, "
        "so that the calls of the impulse chart are not judged in that turn.\nFix: give the ship's energy form with --form.",
    ),
    "NOTE/start": (
        "A start that is not used",
        "The log's own tracker tells when it begins, so that what --start says is not used.",
    ),
    "NOTE/sum": (
        "Damage that does not add up",
        "The damage by shield and the total that a log states are not the same.",
    ),
    "NOTE/taken-back": (
        "A move that was taken back",
        "A counter was put back where it was, by VASSAL's undo or by hand in the same impulse. It did not move.",
    ),
    "NOTE/thrown-again": (
        "Dice that were thrown again",
        "What dice had been thrown for was taken back, and done again in the same impulse: the dice that fell first are "
        "shown, with who agreed to it. Of dice that the program had thrown this is a warning, of dice that were typed in a note.",
    ),
    "NOTE/turn": (
        "A form for another turn",
        "The form is of a turn that the record does not play now. It is judged on what is left of the ship now.",
    ),
    "NOTE/two-rolls": (
        "Chat and button tell different dice",
        "The report in chat and the result the button set are not the same. Which of them fell is undecided.",
    ),
    "NOTE/typed-roll": (
        "A typed line that looks like a roll",
        "A player typed a line that reads like the report of dice. It is none.",
    ),
    "NOTE/undo-over-dice": (
        "Something taken back after dice",
        "A move or an order was taken back after dice had been rolled: by then more was known than before.",
    ),
    "NOTE/unexplained-hit": (
        "A hit that no fire explains",
        "A ship is marked or reported as damaged, and no known fire or strike in the impulse explains it.",
    ),
    "NOTE/unexplained-volley": (
        "A volley that no fire explains",
        "The record marks damage on a ship for which no shot, strike or order stands.",
    ),
    "NOTE/unknown-label": (
        "A row that is no line of the form",
        "The row's label is not known. It is not judged; where figures stand in it the form is undecided.\n"
        "Fix: say in a map file, under form.rows, which line it is (referee init map drafts one).",
    ),
    "NOTE/unmapped": (
        "Pieces whose meaning is not known",
        "Counters or displays that are no ship, seeker or mark known here. They are not judged.\n"
        "Fix: referee init map drafts a map that says what they are.",
    ),
    "NOTE/unread": (
        "A step or line that could not be read",
        "A command of the log is damaged or unknown. What it may have changed is undecided until it is seen again. Of a "
        "log of the online client: lines of a shape that is not known here; what stands there may matter.",
    ),
    "NOTE/two-meanings": (
        "A row that can mean two lines of the form",
        "The row's words fit two lines, or a weapon the ship calls otherwise: which one is meant is not guessed, and what "
        "hangs on it is not judged.\nFix: call the row as the form does, or write the map's row that the finding names.",
    ),
    "NOTE/unreadable": (
        "A cell that cannot be read as energy",
        "The figure is not known, and what depends on it is not judged.\nFix: write energy as 3, 2.5, 2 1/2, 2½ or 5/2.",
    ),
    "NOTE/unsure": (
        "Numbers of the ship that are not verified",
        "What was found rests on numbers of the ship that only one source has, or none. The printed SSD decides.",
    ),
    "NOTE/volleys": (
        "Volleys without their weapons",
        "A log tells how many weapons of a kind fire, and not which, or other numbers of them than it tells weapon by "
        "weapon. Their arcs and rates are not judged.",
    ),
    "NOTE/weapon": (
        "A weapon the ship known here does not have",
        "A log names a weapon by a number or letter that the ship of this class has not. That fire is not judged.\nFix: name the class with --ship NAME=CLASS.",
    ),
    "NOTE/which-box": (
        "Lost boxes that are not named",
        "The display counts weapons and does not say which are lost. Those used the longest ago are taken.",
    ),
    "SHIP/arc": (
        "A firing arc that does not exist",
        "An arc is sectors and hex rows: LF+RF, FX, 360 or row:D.",
    ),
    "SHIP/id": (
        "A ship with the id of one known here",
        "Its numbers are others.\nFix: give your ship its own id.",
    ),
    "SHIP/missing": (
        "Missing numbers of a ship",
        "What depends on them is not judged.\nFix: take them from the SSD.",
    ),
    "SHIP/mount": ("Two weapons with one mark", "Each weapon has its own mark.\nFix: mark one otherwise."),
    "SHIP/provisional": ("Provisional numbers of a ship", "No source says them; the printed SSD decides."),
    "SHIP/shields": ("A ship without six shields", "A ship has the shields 1 to 6."),
    "SHIP/track": (
        "A track that is out of order",
        "The numbers of a sensor, scanner or damage control track go one way to its end.",
    ),
    "SHIP/type": (
        "An unknown weapon type",
        "The rulebook has no weapon of that type.\nFix: name one it has.",
    ),
}
"""Title and meaning by key."""
