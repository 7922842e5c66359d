"""`referee vassal write` on every real save and log there is: the text with the change put back is the old."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from referee.formats.vassal.commands import Command, decode_command, encode_command
from referee.formats.vassal.container import open_save
from referee.formats.vassal.game import Save, read_save
from tests.cli.conftest import Run
from tests.unit.judging.test_shared_saves import SAVES

FILES = sorted(p for p in SAVES.rglob("*") if p.suffix in (".vsav", ".sav", ".vlog", ".log"))
TOLD = "Ünit, 7;8|9~'x' / \\ (½) \"q\""
"""A text with every delimiter VASSAL knows, and a backslash that does not end it."""

EACH = pytest.mark.parametrize(
    "path", FILES or [None], ids=lambda p: f"{p.parent.name}-{p.name}" if p else "absent"
)


def new_name(path: Path) -> str:
    return "new.vlog" if path.suffix in (".log", ".vlog") else "new.vsav"


def encoding(path: Path) -> list[str]:
    return ["--encoding", "cp1252"] if path.parent.name == "vassal-tour" else []


def text(path: Path, encoding: list[str]) -> str:
    return open_save(path.read_bytes(), path.name, *encoding[1:]).text


def put_back(old: Command, new: Command, changed: list[tuple[str, str]]) -> Command:
    """The new command tree with the leaves of the old; those that differ are told. What was added goes."""
    if old.text != new.text:
        changed.append((old.text, new.text))
    assert (old.nested is None) == (new.nested is None) and len(old.subs) <= len(new.subs)
    nested = put_back(old.nested, new.nested, changed) if old.nested and new.nested else None
    subs = tuple(put_back(a, b, changed) for a, b in zip(old.subs, new.subs, strict=False))
    return Command(old.text, subs, nested)


def same_but_for(path: Path, new: Path, read_as: list[str]) -> list[tuple[str, str]]:
    """The leaves that differ, before and after; all else must be the same to the byte."""
    before, after = text(path, read_as), text(new, [])
    changed: list[tuple[str, str]] = []
    assert encode_command(put_back(decode_command(before), decode_command(after), changed)) == before
    files = [{n: z.read(n) for n in z.namelist() if n != "savedGame"} for z in map(ZipFile, (path, new))]
    assert files[0] == files[1]
    return changed


def cells(save: Save) -> list[tuple[str, str]]:
    """Up to three cells of each table there is, the first, the last and one between, by piece."""
    found = []
    for piece in save.pieces:
        if piece.kind == "piece" and piece.tables and piece.tables[0].rows and not piece.masked:
            rows = piece.tables[0].rows
            places = {(0, 0), (len(rows) // 2, 1), (len(rows) - 1, len(rows[-1]) - 1)}
            found += [(piece.id, f"{chr(65 + c)}{r + 1}") for r, c in sorted(places) if c < len(rows[r])]
    return found


@pytest.mark.one_in(3)
@EACH
def test_a_note_is_all_that_changes(referee: Run, tmp_path: Path, path: Path | None) -> None:
    if path is None:
        pytest.skip("the shared saves are not here")
    original, new = path.read_bytes(), tmp_path / new_name(path)
    save = read_save(original, path.name, *encoding(path)[1:])
    has_notes = "PNOTES\t" in text(path, encoding(path))
    ran = referee("vassal", "write", path, "-o", new, "--note", TOLD, *encoding(path))
    assert path.read_bytes() == original
    if save.kind == "log" or not has_notes:
        wanted = "is a log" if save.kind == "log" else "has no public notes"
        assert ran.code == 2 and wanted in ran.err and not new.exists()
        return
    assert ran.code == 0, ran.err
    changed = same_but_for(path, new, encoding(path))
    assert changed and all(a.startswith("PNOTES\t") and b.startswith("PNOTES\t") for a, b in changed)
    notes = [note.text for note in read_save(new.read_bytes(), new.name).notes if note.kind == "public"]
    before = [note.text for note in save.notes if note.kind == "public"]
    assert notes == [f"{before[0]}\n{TOLD}" if before else TOLD]


@pytest.mark.one_in(3)
@EACH
def test_cells_are_all_that_changes(referee: Run, tmp_path: Path, path: Path | None) -> None:
    if path is None:
        pytest.skip("the shared saves are not here")
    original, new = path.read_bytes(), tmp_path / new_name(path)
    save = read_save(original, path.name, *encoding(path)[1:])
    wanted = cells(save) if save.kind == "save" else []
    asked = [part for piece, cell in wanted for part in ("--cell", f"{piece}:{cell}={TOLD}")]
    ran = referee("vassal", "write", path, "-o", new, *asked, *encoding(path))
    assert ran.code == 0 and path.read_bytes() == original, ran.err
    changed = same_but_for(path, new, encoding(path))
    assert len(changed) == len({piece for piece, _ in wanted})
    after = read_save(new.read_bytes(), new.name)
    for piece in save.pieces:
        found = after.piece(piece.id)
        assert found is not None
        told = {cell for id, cell in wanted if id == piece.id}
        for table, now in zip(piece.tables, found.tables, strict=True):
            for r, (old_row, new_row) in enumerate(zip(table.rows, now.rows, strict=True)):
                for c, (was, shown) in enumerate(zip(old_row, new_row, strict=True)):
                    assert shown == (TOLD if f"{chr(65 + c)}{r + 1}" in told else was)
    # What piece a cell is of is told apart by its traits: none but the table is another.
    for id, chain in save._chains.items():
        pairs = list(zip(chain, after._chains[id], strict=True))
        differing = [one.type.partition(";")[0] for one, other in pairs if one != other]
        assert differing == (["table"] if id in dict(wanted) else [])
