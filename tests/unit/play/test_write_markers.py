"""`referee vassal write` on displays whose damage is shown by markers that lie on them."""

from __future__ import annotations

from json import dumps
from pathlib import Path

import pytest

from referee.formats.vassal.container import write_save_bytes
from referee.formats.vassal.game import Save, read_save
from tests.cli.conftest import Run
from tests.unit.formats.vassal.vassal_saves import game_text, piece_text
from tests.unit.logs.test_logs_write import leaves

TABLE = [("table;2;2;Show Data", "Turn,1,Warp Power,5")]
SHIPS = ("--ship", "One=cadet/federation-ca", "--ship", "Two=cadet/klingon-d6")


def hit(id: str, x: int, y: int, name: str = "Hit W") -> str:
    return piece_text(id, [("mark;Kind", "hit \\ '7'/8")], name, f"SSD;{x};{y}")


def save_with(folder: Path, *marks: str) -> Path:
    text = game_text(
        piece_text("1", [("rotate;6", "0")], "One", "Space;0;0"),
        piece_text("2", TABLE, "SSD One", "SSD;100;0"),
        piece_text("3", [("rotate;6", "0")], "Two", "Space;9;9"),
        piece_text("4", TABLE, "SSD Two", "SSD;900;0"),
        *marks,
    )
    save, map = folder / "game.vsav", folder / "map.json"
    save.write_bytes(write_save_bytes(text, key=7))
    says = {"as": "markers", "names": {"Hit W": "left_warp", "Hit B": "bridge"}, "within": 200}
    map.write_text(dumps({"schema": "referee/module-map/1", "module": {"name": "Any"}, "damage": [says]}))
    return save


def write(referee: Run, folder: Path, lost: list[str], ship: str = "One") -> tuple[str, Save]:
    chosen = "cadet/federation-ca" if ship == "One" else "cadet/klingon-d6"
    state = {"schema": "referee/ship-state/1", "ship": chosen, "destroyed": lost}
    (folder / "state.json").write_text(dumps(state))
    new = folder / "new.vsav"
    asked = ("--state", f"{ship}={folder / 'state.json'}", "--map", folder / "map.json", *SHIPS, "--force")
    ran = referee("vassal", "write", folder / "game.vsav", "-o", new, *asked)
    assert ran.code == 0, ran.complaints
    return ran.complaints, read_save(new.read_bytes(), "new.vsav")


def lying(save: Save) -> list[tuple[int, int]]:
    return [(p.x, p.y) for p in save.pieces if p.basic_name == "Hit W"]


WARP = [f"left_warp/{n}" for n in range(1, 5)]


@pytest.mark.parametrize("stacked", [False, True])
def test_markers_are_laid_and_taken_up(referee: Run, tmp_path: Path, stacked: bool) -> None:
    """Copies of one that lies there, each in a stack of its own where that is; then off again."""
    stack = ["+/20/stack/SSD;120;5;9;@@0"] if stacked else []
    source = save_with(tmp_path, hit("9", 120, 5), *stack)
    original = source.read_bytes()
    told, after = write(referee, tmp_path, WARP[:3])
    assert told == "" and source.read_bytes() == original
    spots = lying(after)
    assert len(spots) == len(set(spots)) == 3 and all(abs(x - 100) <= 200 for x, _ in spots)
    marks = [piece for piece in after.pieces if piece.basic_name == "Hit W"]
    assert {tuple(mark.markers.items()) for mark in marks} == {(("Kind", "hit \\ '7'/8"),)}
    stacks = {p.id: p.members for p in after.pieces if p.kind == "stack"}
    assert all((stacks.get(mark.stack or "") == (mark.id,)) == stacked for mark in marks)
    assert len(stacks) == (3 if stacked else 0)
    # All that was there is there, in its order; what came is told from it by ids of its own.
    old, new = leaves(source), leaves(tmp_path / "new.vsav")
    assert [leaf for leaf in new if leaf in old] == old
    assert len({piece.id for piece in after.pieces}) == len(after.pieces)
    (tmp_path / "new.vsav").rename(source)
    told, again = write(referee, tmp_path, WARP[:3])
    assert told == "" and lying(again) == spots and leaves(tmp_path / "new.vsav") == leaves(source)
    told, again = write(referee, tmp_path, WARP[:1])
    assert "2 boxes of left_warp shown whole again" in told and len(lying(again)) == 1
    told, again = write(referee, tmp_path, [])
    assert lying(again) == [] and [p for p in again.pieces if p.kind == "stack"] == []


def test_a_marker_that_lies_aside_is_copied(referee: Run, tmp_path: Path) -> None:
    save_with(tmp_path, hit("9", 4000, 4000))
    told, after = write(referee, tmp_path, WARP, "Two")
    # A D6 has more warp boxes than four; nobody else's display gets them.
    assert told == "" and len(lying(after)) == 5
    assert sum(abs(x - 900) <= 200 for x, _ in lying(after)) == 4


def test_one_of_several_in_a_stack_is_taken_up(referee: Run, tmp_path: Path) -> None:
    save_with(tmp_path, hit("9", 120, 5), hit("10", 120, 5), "+/20/stack/SSD;120;5;9;10;@@0")
    _, after = write(referee, tmp_path, WARP[:1])
    (mark,) = (piece for piece in after.pieces if piece.basic_name == "Hit W")
    assert [p.members for p in after.pieces if p.kind == "stack"] == [(mark.id,)]


def test_without_a_marker_to_copy_it_is_said(referee: Run, tmp_path: Path) -> None:
    save_with(tmp_path, hit("9", 120, 5))
    told, after = write(referee, tmp_path, ["bridge/1", *WARP[:2]])
    assert told == (
        "not written: One: 1 box of bridge: no marker of it lies in the save, to be copied; lay one down\n"
    )
    assert len(lying(after)) == 2
