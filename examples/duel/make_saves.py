"""Writes the files of this duel: two VASSAL saves, one with planted errors, and the same forms alone.

    python examples/duel/make_saves.py [FOLDER]

Two cadet ships, three turns. `FORMS` is what a careful pair of players would have written down;
`PLANTED` is what went wrong. EXPECTED.md lists what the referee says to it.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from fractions import Fraction
from pathlib import Path

from referee.formats.sheets.writeform import BlankForm, FormRow
from referee.formats.sheets.writexlsx import blank_form_xlsx
from referee.formats.vassal.chain import join_chain
from referee.formats.vassal.commands import Command, encode_command
from referee.formats.vassal.container import write_save_bytes
from referee.formats.vassal.sequence import encode

TURNS = 11  # columns on the module's sheet, of which three are filled in

# The rows of the generic sheet: also lines that cadet ships have no use for.
ROWS = (
    "Warp Power", "Impulse Power", "Atomic Power", "Total Power", "Btty Avail", "BttyUsedEA", "BttyRecharge",
    "Life Support", "Fire Control", "Phas Cap", "Phasrecharge", "PhasFired", "Photon A", "Photon B",
    "Disr A", "Disr B", "Shields", "Gen Reinf", "Movement", "ECM", "ECCM", "Dam Con", "Total Used", "BttyUsedInTurn",
)  # fmt: skip

Form = dict[str, tuple[str, str, str]]

CONSTELLATION: Form = {
    "Warp Power": ("16", "16", "16"),
    "Impulse Power": ("2", "2", "2"),
    "Atomic Power": ("2", "2", "2"),
    "Total Power": ("20", "20", "20"),
    "Btty Avail": ("2", "2", "2"),
    "Phas Cap": ("0", "1", "2"),
    "Phasrecharge": ("3", "2", "1"),
    "PhasFired": ("2", "1", ""),
    "Photon A": ("2", "2", "1"),
    "Photon B": ("2", "2", "2"),
    "Movement": ("13", "4", "12"),
    "Total Used": ("20", "10", "16"),
}
DESTRUCTION: Form = {
    "Warp Power": ("16", "16", "15"),
    "Impulse Power": ("2", "2", "2"),
    "Atomic Power": ("2", "2", "2"),
    "Total Power": ("20", "20", "19"),
    "Btty Avail": ("2", "0", "1"),
    "BttyUsedEA": ("2", "", ""),
    "BttyRecharge": ("", "2", ""),
    "Phas Cap": ("0", "2", "2"),
    "Phasrecharge": ("4", "2", "2"),
    "PhasFired": ("2", "2", ""),
    "Disr A": ("2", "2", "2"),
    "Disr B": ("2", "2", "2"),
    "Movement": ("14", "12", "13"),
    "Total Used": ("22", "20", "19"),
    "BttyUsedInTurn": ("", "1", ""),
}
FORMS = {"Constellation": CONSTELLATION, "Destruction": DESTRUCTION}

# Each slip of the pen: ship, turn, what was written instead. Some drag the total along with them.
PLANTED = {
    "Constellation": (
        (1, {"Total Used": "19"}),
        (2, {"Phas Cap": "2"}),
        (2, {"Photon B": "1", "Total Used": "9"}),
        (3, {"Movement": "13", "Total Used": "17"}),
    ),
    "Destruction": (
        (1, {"BttyUsedEA": ""}),
        (2, {"Btty Avail": "2"}),
        (2, {"Disr A": "1", "Total Used": "19"}),
        (3, {"Warp Power": "16", "Total Power": "20"}),
    ),
}

# What the displays show when turn 3 begins: boxes left of boxes printed. The D6 has lost one warp box.
BOXES = {
    "Constellation": {
        "Warp L": "8/8", "Warp R": "8/8", "Impulse": "2/2", "APR": "2/2", "Battery": "2/2", "PH-1": "3/3",
        "Photon": "2/2", "F Hull": "6/6", "A Hull": "2/2", "Bridge": "1/1", "Lab": "4/4", "Excess": "3/3",
        "Shield 1": "9/15", "Shield 2": "12/12", "Shield 3": "10/10", "Shield 4": "10/10", "Shield 5": "10/10",
        "Shield 6": "7/12",
    },
    "Destruction": {
        "Warp L": "7/8", "Warp R": "8/8", "Impulse": "2/2", "APR": "2/2", "Battery": "2/2", "PH-2": "4/4",
        "Disr": "2/2", "Drone": "1/1", "F Hull": "1/2", "A Hull": "2/2", "Bridge": "1/1", "Excess": "2/2",
        "Shield 1": "0/16", "Shield 2": "12/12", "Shield 3": "8/8", "Shield 4": "7/7", "Shield 5": "8/8",
        "Shield 6": "12/12",
    },
}  # fmt: skip

# Counter and display: race, type, id, side; place and heading of the counter; place of the display.
SHIPS = {
    "Constellation": (("Federation", "CA", "NCC-1017"), (837, 604, 3), (100, 100)),
    "Destruction": (("Klingon", "D6", "IKS-D6"), (837, 904, 0), (620, 100)),
}
CHAT = (
    "*** 2d6 = 3,5 *** <Ann>",
    "<Ann> - photon B is not ready, phasers only",
    "<Ben> - one box of left warp and one of forward hull then",
    "* Turn 3, impulse 1 *",
)


def with_errors(ship: str) -> Form:
    """A ship's form as its player wrote it."""
    form = dict(FORMS[ship])
    for turn, cells in PLANTED[ship]:
        for label, text in cells.items():
            column = list(form[label])
            column[turn - 1] = text
            form[label] = (column[0], column[1], column[2])
    return form


def sheet_rows(form: Form) -> list[list[str]]:
    """The sheet of a form: labels in the first column, turns in the first row."""
    head = ["Turn", *map(str, range(1, TURNS + 1))]
    return [head, *([label, *form.get(label, ("", "", ""))] + [""] * (TURNS - 3) for label in ROWS)]


def add_piece(identity: str, traits: list[tuple[str, str]]) -> Command:
    """A piece: its traits, outermost first, each a type and a state."""
    types, states = (join_chain(list(texts)) for texts in zip(*traits, strict=True))
    return Command("+/" + encode([identity, types, states], "/"))


def piece_itself(name: str, image: str, where: str) -> tuple[str, str]:
    """The innermost trait: name and picture, map and place."""
    return encode(["piece", "", "", image, name], ";"), f"{where};0;0;"


def counter(ship: str, number: int) -> list[Command]:
    """A ship's counter in space and the stack it stands in."""
    (race, kind, identity), (x, y, heading), _ = SHIPS[ship]
    name, place = f"{kind} {ship}", f"Space;{x};{y}"
    traits = [
        ("rotate;6;93,130;91,130;Rotate right;Rotate left;;;Heading;facing", str(heading)),
        ("mark;Race,Type,ShipId", encode([race, kind, identity], ",")),
        piece_itself(name, f"{race.lower()}.png", place),
    ]
    return [add_piece(f"10{number}", traits), Command(f"+/20{number}/stack/{place};10{number};@@0")]


def display(ship: str, form: Form, number: int) -> list[Command]:
    """A ship's SSD with its Show Data table, and the stack it stands in."""
    (race, _, identity), _, (x, y) = SHIPS[ship]
    rows, boxes, place = sheet_rows(form), BOXES[ship], f"SSD;{x};{y}"
    cells = [cell for row in rows for cell in row]
    traits = [
        (f"table;{len(rows)};{TURNS + 1};Show Data;83,130;energy allocation", encode(cells, ",")),
        (
            encode(["propertysheet", encode([f"6{label}" for label in boxes], "~"), "Damage", "", "2"], ";"),
            encode(boxes.values(), "~"),
        ),
        ("mark;Race,Type,ShipId", encode([race, "SSD", identity], ",")),
        piece_itself(f"SSD {ship}", "ssd.png", place),
    ]
    return [add_piece(f"30{number}", traits), Command(f"+/40{number}/stack/{place};30{number};@@0")]


def tracker(turn: int, impulse: int) -> str:
    """The turn tracker: turns without end, of 16 impulses, of four steps."""
    steps = encode(["0", "0", "0", "true,true,true,true"], ";")
    impulses = encode([str(impulse), "0", "true", "16", steps], ";")
    turns = encode([str(turn), "0", "false", "-1", impulses], ";")
    return "TURN" + encode(["TurnTracker0", encode(["0", turns], "|")], "\t")


def save(forms: dict[str, Form]) -> bytes:
    """A save at the start of turn 3, laid out as VASSAL lays it out."""
    pieces = [command for n, ship in enumerate(SHIPS) for command in counter(ship, n)]
    pieces += [command for n, ship in enumerate(SHIPS) for command in display(ship, forms[ship], n)]
    leaves = [
        "PLAYER\t" + encode(["secret-of-ann", "Ann", "Federation"], "\t"),
        "PLAYER\t" + encode(["secret-of-ben", "Ben", "Klingon"], "\t"),
        encode(["GlobalProperty\t", "Scenario", "5", "Module"], ";"),
        tracker(turn=3, impulse=1),
        "NOTES\tCadet duel, scenario 5|Until one ship is destroyed or leaves the map",
        "PNOTES\tTurn 2: photon A held, both disruptors fired",
        "SETUP_STACK\t",
        "SpaceBoardPicker\tSector\t0\t0",
        "SSDBoardPicker\tDock\t0\t0",
        *(f"CHAT{line}" for line in CHAT),
    ]
    tree = Command(
        "begin_save", (Command(""), Command("", tuple(pieces)), *map(Command, leaves), Command("end_save"))
    )
    return write_save_bytes(
        encode_command(tree),
        key=0x5A,
        save_data=metadata(""),
        module_data=metadata("<name>Cadet Duel</name>"),
    )


def metadata(name: str) -> bytes:
    """The XML beside a saved game."""
    head = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<data version="1"><version>1.0</version>'
    version = "<VassalVersion>3.7.26</VassalVersion><dateSaved>1700000000000</dateSaved>"
    return f"{head}{version}<description>An example of referee</description>{name}</data>\n".encode()


def as_csv(ship: str, form: Form) -> bytes:
    """The form as a spreadsheet would export it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["Ship", ship_id(ship)])
    writer.writerows([row[:4] for row in sheet_rows(form) if any(row[1:])])
    return out.getvalue().encode()


def as_xlsx(ship: str, form: Form) -> bytes:
    """The form as a workbook, all figures typed in."""
    rows = [
        FormRow(label, {turn: Fraction(text) for turn, text in enumerate(cells, 1) if text})
        for label, cells in form.items()
    ]
    return blank_form_xlsx(BlankForm(ship_id(ship), (1, 2, 3), tuple(rows), title=ship))


def as_json(ship: str, form: Form) -> bytes:
    """The form in the referee's own format, by line of the form."""
    lines = {
        "Warp Power": "1", "Impulse Power": "2", "Atomic Power": "3", "Total Power": "4", "Btty Avail": "5",
        "Phas Cap": "9:held", "Phasrecharge": "9", "PhasFired": "9:fired", "Photon A": "10:PHOT/A",
        "Photon B": "10:PHOT/B", "Movement": "14", "Total Used": "20",
    }  # fmt: skip
    turns = [
        {"turn": n + 1, "lines": {line: form[label][n] for label, line in lines.items() if form[label][n]}}
        for n in range(3)
    ]
    document = {"schema": "referee/energy-allocation/1", "ship": ship_id(ship), "turns": turns}
    return (json.dumps(document, indent=1) + "\n").encode()


def ship_id(ship: str) -> str:
    """The ship class as the referee names it."""
    return {"Constellation": "cadet/federation-ca", "Destruction": "cadet/klingon-d6"}[ship]


def files() -> dict[str, bytes]:
    """Every file this script writes, by name."""
    planted = {ship: with_errors(ship) for ship in SHIPS}
    return {
        "duel.vsav": save(planted),
        "duel-corrected.vsav": save(FORMS),
        "constellation.csv": as_csv("Constellation", planted["Constellation"]),
        "constellation.json": as_json("Constellation", planted["Constellation"]),
        "destruction.xlsx": as_xlsx("Destruction", planted["Destruction"]),
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, content in files().items():
        (folder / name).write_bytes(content)
        print(f"wrote {folder / name}")
