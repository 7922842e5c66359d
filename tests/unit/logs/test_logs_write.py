"""`referee vassal write`: a new file with what was asked for changed, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.formats.vassal import command_types as lv
from referee.formats.vassal.commands import decode_command
from referee.formats.vassal.container import open_save
from tests.cli.conftest import Run

SSD = "SSD Constellation"


def leaves(path: Path) -> list[str]:
    return list(decode_command(open_save(path.read_bytes(), path.name).text).walk())


def changed(old: Path, new: Path) -> list[str]:
    """What is in the new file and not in the old, leaf by leaf; all else must be the same."""
    before, after = leaves(old), leaves(new)
    assert len(before) <= len(after)
    differing = [b for a, b in zip(before, after, strict=False) if a != b]
    return [*differing, *after[len(before) :]]


def test_nothing_asked_for_changes_nothing(referee: Run, duel: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.vsav"
    assert referee("vassal", "write", duel / "duel.vsav", "-o", new).code == 0
    assert changed(duel / "duel.vsav", new) == []
    old, now = (open_save(p.read_bytes(), p.name) for p in (duel / "duel.vsav", new))
    assert (old.save_data, old.module_data, old.text) == (now.save_data, now.module_data, now.text)


def test_a_cell_and_a_line_of_chat(referee: Run, duel: Path, tmp_path: Path) -> None:
    new, original = tmp_path / "new.vsav", (duel / "duel.vsav").read_bytes()
    ran = referee(
        "vassal", "write", duel / "duel.vsav", "-o", new, "--cell", f"{SSD}:B24=20", "--say", "- ruling: 20"
    )
    assert (ran.code, ran.out, ran.complaints) == (0, "", "")
    assert (duel / "duel.vsav").read_bytes() == original
    piece, chat = changed(duel / "duel.vsav", new)
    assert piece.startswith("+/") and chat == "CHAT- ruling: 20"
    found = referee("check", new, "--json").findings()
    assert not [f for f in found if f["location"].get("cell") == "B24"]


def test_a_line_of_chat_in_a_log(referee: Run, tmp_path: Path) -> None:
    from random import Random

    from tests.unit.formats.vassal.game_logs import legal_game, write_log

    log, new = tmp_path / "game.vlog", tmp_path / "new.vlog"
    written = write_log(legal_game(Random(1)))
    log.write_bytes(written.data)
    assert referee("vassal", "write", log, "-o", new, "--say", "- checked to here").code == 0
    assert changed(log, new) == ["LOG\tCHAT- checked to here"]
    dump = referee("vassal", "dump", new).json
    assert len(dump["steps"]) == written.steps + 1 and dump["chat"][-1] == "- checked to here"
    refused = referee("vassal", "write", log, "-o", new, "--cell", "SSD CA Ship0:B2=1")
    assert refused.code == 2 and "is a log" in refused.complaints


@pytest.mark.parametrize(
    ("option", "said", "reason"),
    [
        ("--cell", f"{SSD}:B24=7\\", "cannot store"),
        ("--cell", f"{SSD}:Z99=7", "has no row 99"),
        ("--cell", f"{SSD}:24B=7", "24B is no cell"),
        ("--cell", "SSD Constelation:B2=7", f"did you mean {SSD}"),
        ("--cell", "B2", "write PIECE:NAME=VALUE"),
        ("--cell", "SSD Foo:B2=7", "there are "),
        ("--cell", f"{SSD.lower()}:B2=7", f"did you mean {SSD}"),
        ("--layer", f"{SSD}:Warp=x", "level x"),
        ("--layer", f"{SSD}:No such=2", "has no layer"),
        ("--field", f"{SSD}:No such=2", "has no field"),
        ("--property", f"{SSD}:No such=2", "has no property"),
        ("--say", "two\nlines", "line break"),
        ("--say", "ends with \\", "cannot store the chat line"),
    ],
)
def test_what_cannot_be_written_is_refused(
    referee: Run, duel: Path, tmp_path: Path, option: str, said: str, reason: str
) -> None:
    new = tmp_path / "new.vsav"
    ran = referee("vassal", "write", duel / "duel.vsav", "-o", new, option, said)
    assert ran.code == 2 and reason in ran.complaints and not new.exists(), ran.complaints


@pytest.mark.parametrize(
    ("first", "again", "what"),
    [
        (("--cell", "SSD CA Ship0:B2=1"), ("--cell", "SSD CA Ship0:b2=2"), "cell b2 of SSD CA Ship0"),
        (
            ("--property", "CA Ship0:Speed=1"),
            ("--property", "CA Ship0:Speed=2"),
            "property Speed of CA Ship0",
        ),
        (("--label", "CA Ship0=x"), ("--label", "CA Ship0=y"), "the label of CA Ship0"),
    ],
)
def test_nothing_is_written_twice(
    referee: Run, tmp_path: Path, first: tuple[str, ...], again: tuple[str, ...], what: str
) -> None:
    new = tmp_path / "new.vsav"
    ran = referee("vassal", "write", game(tmp_path), "-o", new, *first, *again)
    assert ran.code == 2 and f"{what} is written twice" in ran.complaints and not new.exists()
    assert referee("vassal", "write", game(tmp_path), "-o", new, *first).code == 0


@pytest.mark.parametrize(("value", "code"), [("31", 0), ("32", 2), ("-1", 2), ("0", 0)])
def test_a_property_keeps_to_the_bounds_it_has(referee: Run, tmp_path: Path, value: str, code: int) -> None:
    new = tmp_path / "new.vsav"
    ran = referee("vassal", "write", game(tmp_path), "-o", new, "--property", f"CA Ship0:Speed={value}")
    assert ran.code == code and ("Speed goes from 0 to 31" in ran.complaints) == bool(code)


def game(folder: Path) -> Path:
    """A save of two ships."""
    from random import Random

    from tests.unit.formats.vassal.game_logs import LogWriter, legal_game

    path = folder / "game.vsav"
    path.write_bytes(LogWriter(legal_game(Random(1))).finish())
    return path


def test_no_line_is_run_into_one_that_ends_with_a_backslash(referee: Run, tmp_path: Path) -> None:
    """As VASSAL may have stored one: what is added after it would become part of it."""
    from random import Random

    from tests.unit.formats.vassal.game_logs import LogWriter, legal_game

    writer = LogWriter(legal_game(Random(1)))
    writer.log(lv.Chat("&lt;Ann&gt; - wait \\"))
    log, new = tmp_path / "game.vlog", tmp_path / "new.vlog"
    log.write_bytes(writer.finish())
    ran = referee("vassal", "write", log, "-o", new, "--say", "second")
    assert ran.code == 2 and "its last line ends with a backslash" in ran.complaints and not new.exists()
    assert referee("vassal", "write", log, "-o", new).code == 0 and changed(log, new) == []


def test_the_input_is_never_written_over(referee: Run, duel: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.vsav"
    copy.write_bytes((duel / "duel.vsav").read_bytes())
    assert referee("vassal", "write", copy, "-o", copy, "--say", "x").code == 2
    assert copy.read_bytes() == (duel / "duel.vsav").read_bytes()
