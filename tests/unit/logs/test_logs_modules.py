"""The module a save or log is read with: the one beside it, and one that is another's is told so."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from referee.formats.vassal.container import write_zip
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import NAME, LogWriter, module_bytes
from tests.unit.logs.test_logs import CA, D6, begun, duel_game, impulse


def module(**swapped: str) -> bytes:
    """The module of the generated logs with parts of its text swapped for others."""
    with zipfile.ZipFile(io.BytesIO(module_bytes())) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    for old, new in {"name": NAME, "version": 'version="1"', "map": '"Space"', "board": '"Sector"'}.items():
        if old in swapped:
            texts = {name: text.replace(new, swapped[old]) for name, text in texts.items()}
    return write_zip({name: text.encode() for name, text in texts.items()})


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A log in which the cruiser turns about and goes on."""
    writer = begun()
    impulse(writer, 1, 1, (CA, 2))
    impulse(writer, 1, 2, (D6, 0), (CA, 0))
    path = tmp_path / "game.vlog"
    path.write_bytes(writer.finish())
    return path


def on_module(ran: Ran) -> list[tuple[str, str]]:
    return [(f["severity"], f["message"]) for f in ran.findings() if f["key"] == "NOTE/module"]


def check(referee: Run, game: Path, data: bytes, *options: Any) -> Ran:
    named = game.parent / "named"
    named.mkdir(exist_ok=True)
    (named / "m.vmod").write_bytes(data)
    return referee("check", game, "--json", "--module", named / "m.vmod", *options)


def test_the_module_of_another_game_is_told_and_nothing_is_legal_by_it(referee: Run, game: Path) -> None:
    ran = check(referee, game, module(name="Other Game", map='"Galaxy"'))
    (found,) = on_module(ran)
    assert found == (
        "undecided",
        f"m.vmod is the module Other Game 1, the file is of {NAME} 1; it has no map Space",
    )
    assert ran.json["verdict"] == "cannot-tell"


def test_a_module_without_the_board_that_was_played_on(referee: Run, game: Path) -> None:
    (found,) = on_module(check(referee, game, module(board='"Other"')))
    assert found == ("undecided", f"m.vmod is the module {NAME} 1; it has no board Sector on Space")


def test_a_module_that_is_only_called_otherwise_is_used(referee: Run, game: Path) -> None:
    ran = check(referee, game, module(name="Other Game"))
    assert on_module(ran) == [("warning", f"m.vmod is the module Other Game 1, the file is of {NAME} 1")]
    assert "C3.1" in {f["rule"] for f in ran.findings("error")}


def test_another_version_of_the_module_is_a_note(referee: Run, game: Path) -> None:
    ran = check(referee, game, module(version='version="2.5"'))
    assert on_module(ran) == [("note", f"m.vmod is the module {NAME} 2.5, the file is of {NAME} 1")]
    assert on_module(check(referee, game, module_bytes())) == []


def test_show_and_a_game_taken_from_a_log_tell_it_too(referee: Run, game: Path, tmp_path: Path) -> None:
    check(referee, game, module(name="Other Game", map='"Galaxy"'))
    other = tmp_path / "named" / "m.vmod"
    assert "m.vmod is the module Other Game 1" in referee("show", game, "--module", other).err
    taken = referee("game", "new", tmp_path / "g.jsonl", "--from", game, "--module", other)
    assert taken.code == 0 and "not taken: m.vmod is the module Other Game 1" in taken.out


def test_a_save_is_read_with_the_module_beside_it_where_a_map_names_its_tracker(
    referee: Run, game: Path, tmp_path: Path
) -> None:
    save = tmp_path / "game.vsav"
    save.write_bytes(LogWriter(duel_game(), filled=(1,)).finish())
    (tmp_path / "m.vmod").write_bytes(module_bytes())
    draft = referee("init", "map", save, "-o", tmp_path / "map.json")
    assert draft.code == 0
    says = json.loads((tmp_path / "map.json").read_text())
    assert says["tracker"]["name"] == "Turn" and "--module" not in says["note"]
    ran = referee("check", save, "--map", tmp_path / "map.json", "--json")
    messages = [f["message"] for f in ran.findings("note")]
    assert "turns are named by m.vmod, which lies beside it" in messages
    assert not [text for text in messages if "needs --module" in text]
