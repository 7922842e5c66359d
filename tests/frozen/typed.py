"""What `referee fire` and `referee check` say of fire and of forms in every format, frozen as one line each: how it ended,
the rules that were broken, and a digest of every byte that was printed."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import xlsxwriter

from referee.cli.main import run
from referee.formats.vassal.container import write_save_bytes
from referee.rulebooks.registry import load_ship, ship_ids
from tests.unit.formats.sheets import conftest as workbooks
from tests.unit.formats.vassal import vassal_saves as saves

TYPED = Path(__file__).parent / "typed.jsonl"
FIRES, FORMS = 300, 60
SFB = tuple(id for id in sorted(ship_ids()) if not id.startswith("trek/"))
LINES = {
    "Warp Power": "1", "Impulse Power": "2", "Reactor Power": "3", "Total Power": "4", "Batteries Available": "5",
    "Batteries Discharged": "6", "Life Support": "7", "Fire Control": "8", "Phaser Capacitor": "9:held",
    "Recharge": "9", "PhasFired": "9:fired", "Photon A": "10:PHOT/A", "Shields": "11", "Movement": "14",
    "Total Used": "20", "Used in turn": "21", "Hopes": "",
}  # fmt: skip
"""Rows of the generated forms, and the lines they are; one is none."""
CELLS = ("", "", "0", "1", "1", "2", "2", "3", "4", "5/2", "8", "12", "16", "30", "0.5")
Rows = list[list[str]]


# -- fire --------------------------------------------------------------------------------


def fire_of(random: Random) -> list[str]:
    """The options of a broadside, or of one weapon, as somebody may type them; not all of them go together."""
    some = [
        (["--turn", str(random.randint(1, 4)), "--impulse", str(random.randint(1, 16))], 0.7),
        (["--last-fired", "none"], 0.5),
        (["--lock-on"], 0.3),
        (["--no-lock-on"], 0.2),
        (["--scanner", str(random.randint(0, 9))], 0.2),
        (["--target-cloak", random.choice(("cloaked", "fading-in:2", "fading-out:1"))], 0.2),
        (["--shield", str(random.randint(1, 6))], 0.3),
        (["--mode", random.choice(("overload", "proximity", "standard"))], 0.1),
        (["--volley"], 0.4),
        (["--option", "reinforcement=true", "--reinforcement", "2,1"], 0.1),
        (["--json"], 0.5),
    ]
    chosen = [part for options, odds in some if random.random() < odds for part in options]
    if random.random() < 0.3:
        weapon = random.choice(("phaser-1", "phaser-2", "photon", "disruptor", "plasma-f", "drone", "fusion"))
        target = random.choice(
            ([], ["--target", random.choice(SFB)], ["--target", "drone", "--target-damage", "2"])
        )
        return ["--weapon", weapon, "--range", str(random.randint(0, 42)), *target, *chosen]
    ship, target = load_ship(random.choice(SFB)), random.choice((*SFB, "drone"))
    marks = [mount.id for mount in ship.mounts] or ["PH-1/A"]
    named = ",".join(random.sample(marks, min(len(marks), random.randint(1, 4))))
    options = ["--weapons", random.choice((named, named, "all")), "--target", target, *chosen]
    column, row = random.randint(5, 12), random.randint(8, 20)
    if random.random() < 0.8:
        options += ["--at", f"{column:02}{row:02}{random.choice('ABCDEF')}"]
        there = column + random.randint(-4, 4), row + random.randint(-6, 6)
        options += ["--target-at", f"{there[0]:02}{there[1]:02}{random.choice('ABCDEF')}"]
    else:
        options += ["--range", str(random.randint(0, 30))]
    options += random.choice(([], ["--paid"], ["--paid"], ["--form", "fed.csv"], ["--state", "state.json"]))
    options += ["--battery", f"{random.choice((1, 2, 9))} for {marks[0]}"] if random.random() < 0.2 else []
    return [ship.id, *options]


def declared(random: Random) -> str:
    """A file of some fire declared for one step."""
    ships = random.sample(SFB, 3)
    entries: list[dict[str, Any]] = []
    for _ in range(random.randint(2, 4)):
        ship, target = random.sample(ships, 2)
        marks = [mount.id for mount in load_ship(ship).mounts] or ["PH-1/A"]
        entry: dict[str, Any] = {"ship": ship, "target_ship": target, "weapons": random.sample(marks, 1)}
        entry |= {"turn": 2, "impulse": 5, "range": random.randint(0, 12), "paid": random.random() < 0.5}
        entry |= {"shield": random.randint(1, 6)} if random.random() < 0.7 else {}
        entry |= {"battery": f"1 for {marks[0]}"} if random.random() < 0.3 else {}
        entry |= {"last_fired": "none"} if random.random() < 0.5 else {}
        entries.append(entry)
    return json.dumps(entries)


def fires() -> Iterator[str]:
    """Fire of all kinds."""
    state = {"schema": "referee/ship-state/1", "ship": "cadet/federation-ca", "destroyed": ["WARP-L/1"]}
    Path("state.json").write_text(json.dumps(state))
    Path("fed.csv").write_text("\n".join(map(",".join, rows_of(Random(3), "cadet/federation-ca"))))
    for seed in range(FIRES):
        random = Random(f"fire {seed}")
        yield in_line(f"fire {seed}", ["fire", *fire_of(random), "--seed", str(seed)])
    for seed in range(FIRES // 4):
        random = Random(f"step {seed}")
        Path("step.json").write_text(declared(random))
        more = ["--volley"] if random.random() < 0.5 else ["--json"]
        yield in_line(f"step {seed}", ["fire", "--declarations", "step.json", "--seed", str(seed), *more])


# -- forms -------------------------------------------------------------------------------


def rows_of(random: Random, ship: str) -> Rows:
    """The rows of a form of any figures: some turns only begun, some cells blank, a row that is none."""
    turns = random.randint(1, 4)
    begun = random.randint(0, turns) if random.random() < 0.4 else turns
    known = load_ship(ship)
    power = {"Warp Power": known.warp, "Impulse Power": 4, "Reactor Power": 2}
    rows = [["Ship", ship, *[""] * (turns - 1)], ["Turn", *map(str, range(1, turns + 1))]]
    for label in LINES:
        if random.random() < 0.7 and (label != "Hopes" or random.random() < 0.2):
            known_at_start = label in power or label.startswith("Batteries A")
            cells = [random.choice(CELLS) if turn < begun or known_at_start else "" for turn in range(turns)]
            if label in power and random.random() < 0.7:
                cells = [str(power[label])] * turns
            rows.append([label, *cells])
    return rows


def in_json(rows: Rows) -> bytes:
    turns = [
        {
            "turn": n,
            "lines": {
                LINES[label]: cells[n - 1] for label, *cells in rows[2:] if LINES[label] and cells[n - 1]
            },
        }
        for n in range(1, len(rows[1]))
    ]
    return json.dumps({"schema": "referee/energy-allocation/1", "ship": rows[0][1], "turns": turns}).encode()


def in_xlsx(rows: Rows) -> bytes:
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        book.set_properties({"created": datetime(2000, 1, 1)})
        for name in ("One", "Two"):
            sheet = book.add_worksheet(name)
            for n, cells in enumerate(rows):
                sheet.write_row(n, 0, cells)
    return out.getvalue()


def in_ods(rows: Rows) -> bytes:
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    inside = "".join(
        f"<table:table-row>{''.join(map(cell.format, cells))}</table:table-row>" for cells in rows
    )
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    body = f'<office:body><office:spreadsheet><table:table table:name="A">{inside}</table:table></office:spreadsheet></office:body>'
    content = f"<office:document-content {names}>{body}</office:document-content>"
    return workbooks.pack({"mimetype": workbooks.ODS_KIND, "content.xml": content})


def in_save(rows: Rows) -> bytes:
    """Two ships that hold the same form, and one whose table is none."""
    cells = ",".join(cell for row in rows for cell in row)
    table = (f"table;{len(rows)};{len(rows[0])};Show Data", cells)
    pieces = [
        saves.piece_text("9", [("table;2;2;Show Data", "Hopes,1,Fears,5")], "SSD CA Three", "SSD;100;0")
    ]
    for n, name in enumerate(("CA One", "CA Two")):
        pieces.append(saves.piece_text(str(2 * n + 1), [("rotate;6", "0")], name, "Space;0;0"))
        pieces.append(saves.piece_text(str(2 * n + 2), [table], f"SSD {name}", f"SSD;{300 * n};0"))
    return write_save_bytes(saves.game_text(*pieces), key=7)


FORMATS: dict[str, Callable[[Rows], bytes]] = {
    "csv": lambda rows: "\n".join(map(",".join, rows)).encode(),
    "json": in_json, "xlsx": in_xlsx, "ods": in_ods, "vsav": in_save,
}  # fmt: skip


def forms() -> Iterator[str]:
    """Forms of any figures, in every format."""
    for seed in range(FORMS):
        for suffix, written in FORMATS.items():
            random = Random(f"form {seed}")
            ship = random.choice(SFB)
            Path(f"form.{suffix}").write_bytes(written(rows_of(random, ship)))
            named = ["--ship", f"CA One={ship}"] if suffix == "vsav" else []
            options = [*named, *(["--option", "previous_speed=8"] if seed % 2 else [])]
            yield in_line(f"{suffix} {seed}", ["check", f"form.{suffix}", *options, "--json"])


# -- as lines ----------------------------------------------------------------------------


def printed(arguments: list[str]) -> tuple[int, bytes, bytes]:
    """How a command ends, and what it prints."""
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8"),
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8"),
    )
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = out, err
    try:
        with patch.dict(os.environ, COLUMNS="1000"):
            code = run(arguments)
    finally:
        sys.stdout, sys.stderr = before
    out.flush(), err.flush()
    return code, out.buffer.getvalue(), err.buffer.getvalue()  # type: ignore[attr-defined]


def in_line(name: str, arguments: list[str]) -> str:
    """A command as one line of JSON."""
    code, out, err = printed(arguments)
    line: dict[str, Any] = {"typed": name, "exit": code}
    if "--json" in arguments and out:
        line["found"] = [f"{found['severity']} {found['rule']}" for found in json.loads(out)["findings"]]
    else:
        first = 2 if out.startswith(b"ILLEGAL") else 0
        line["found"] = (out or err).decode().splitlines()[first : first + 1]
    line["digest"] = hashlib.sha256(out + b"\0" + err).hexdigest()[:16]
    return json.dumps(line, ensure_ascii=False)


def lines() -> Iterator[str]:
    """All lines as the program speaks now."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        environment = {name: value for name, value in os.environ.items() if name.startswith("REFEREE_")}
        assert not environment, environment
        yield from fires()
        yield from forms()
