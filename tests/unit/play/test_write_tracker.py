"""`referee vassal write --game`: the turn tracker shows where the record stands, or why it does not."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from random import Random

import pytest

from referee.formats.vassal.container import write_save_bytes
from referee.formats.vassal.game import read_save
from referee.formats.vassal.module import read_module
from referee.formats.vassal.recognise import Clock, recognise
from tests.cli.conftest import Run
from tests.unit.formats.vassal.game_logs import STEPS, LogWriter, legal_game, module_bytes
from tests.unit.formats.vassal.vassal_saves import ESC
from tests.unit.judging.test_shared_saves import SAVES
from tests.unit.logs.test_logs_write import changed

WHO = ("--players", "ann,ben", "--dice", "seed", "--seed", "x", "--rulebook", "sfb-cadet")
PROPERTIES = ("Now;1", "Imp;1", "Part;Drift")


def clock(path: Path, module: Path) -> Clock:
    read = read_module(module.read_bytes(), module.name)
    return recognise(read_save(path.read_bytes(), path.name), read).clock


def begun(referee: Run, tmp_path: Path) -> tuple[Path, Path]:
    """A save of a game's start beside its module, and a record of it."""
    save, module = tmp_path / "game.vsav", tmp_path / "m.vmod"
    save.write_bytes(LogWriter(legal_game(Random(3))).finish())
    module.write_bytes(module_bytes())
    assert referee("game", "new", "g.jsonl", "--from", save, *WHO).code == 0
    return save, module


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("moment", "shows"),
    [
        ("2.energy-allocation", (2, 1, "Move")),
        ("2.sensor-lock-on", (2, 1, "Move")),
        ("2.4.move-ships", (2, 4, "Move")),
        ("2.4.resolve-seekers", (2, 4, "Seekers")),
        ("2.4.launch", (2, 4, "Launch")),
        ("2.5.end-of-impulse", (2, 5, "Fire")),
        ("2.end-of-turn", (2, 16, "Fire")),
        ("1.16.fire", (1, 16, "Fire")),
    ],
)
def test_the_tracker_shows_where_the_record_stands(
    referee: Run, tmp_path: Path, moment: str, shows: tuple[int, int, str]
) -> None:
    save, module = begun(referee, tmp_path)
    original, new = save.read_bytes(), tmp_path / "new.vsav"
    assert referee("game", "next", "g.jsonl", "--to", moment).code in (0, 1)
    ran = referee("vassal", "write", save, "-o", new, "--game", "g.jsonl")
    # This tracker has no step before or after the impulses: what it shows of them is only the nearest.
    turn, step = int(moment[0]), moment.rpartition(".")[2]
    nearest = "the turn tracker: turn {}, {}: it has no such step, the nearest is shown: impulse {}, {}\n"
    said = nearest.format(turn, step.replace("-", " "), *shows[1:]) if moment.count(".") == 1 else ""
    assert ran.code == 0 and said in ran.err and ran.err.count("turn tracker") == bool(said), ran.err
    sheets = [leaf for leaf in changed(save, new) if leaf.startswith("+/")]
    tracker, *chat = [leaf for leaf in changed(save, new) if leaf not in sheets]
    # The forms of turn 1 are begun while they can be; a later turn's hang on it, which is in no record.
    assert len(sheets) == (2 if shows[0] == 1 else 0)
    assert tracker == LogWriter(legal_game(Random(3))).tracker(*shows[:2], STEPS.index(shows[2]))
    assert chat and all(line.startswith("CHAT- referee") for line in chat)
    now = clock(new, module)
    assert (now.turn, now.impulse, now.step) == shows and save.read_bytes() == original
    # Begun again from what was written, a record stands there too, and writes nothing more.
    again = tmp_path / "again.vsav"
    ran = referee("vassal", "write", new, "-o", again, "--game", "g.jsonl")
    told = "" if shows[0] == 1 else "its form of turn 2: the form of {} for turn 1 is not in the record"
    assert ran.err.count("not written") == (2 if told else 0)
    assert all(told.format(name) in ran.err for name in ("CA Ship0", "D6 Ship1"))
    assert changed(new, again) == []


@pytest.mark.parametrize(
    ("moment", "at"), [("1.4.launch", "turn 1, impulse 4"), ("1.sensor-lock-on", "turn 1, sensor lock on")]
)
def test_a_save_without_a_tracker_does_not_tell_the_time(
    referee: Run, tmp_path: Path, moment: str, at: str
) -> None:
    save, _ = begun(referee, tmp_path)
    whole = read_save(save.read_bytes(), "game.vsav")
    texts = [text for text in LogWriter(legal_game(Random(3))).start().split(ESC) if text[:4] != "TURN"]
    assert len(whole.turn_leaves) == 1
    save.write_bytes(write_save_bytes(ESC.join(texts), key=9))
    assert referee("game", "next", "g.jsonl", "--to", moment).code in (0, 1)
    ran = referee("vassal", "write", save, "-o", tmp_path / "new.vsav", "--game", "g.jsonl")
    told = [line for line in ran.err.splitlines() if "turn tracker" in line]
    said = f"not written: the time: the record is at {at}, and there is no turn tracker in the save"
    assert ran.code == 0 and told == [said]


@pytest.mark.parametrize(
    ("name", "to"),
    [
        ("p01_setup", "2.7.fire"),
        ("p02_midgame", "3.7.fire"),
        ("p08_damage_boxes", "3.7.fire"),
        ("p13_key00", "3.7.fire"),
    ],
)
def test_the_tracker_of_the_engines_saves(referee: Run, tmp_path: Path, name: str, to: str) -> None:
    if not (SAVES / "duel").is_dir():
        pytest.skip("the shared saves are not here")
    source, module = tmp_path / "start.vsav", tmp_path / "duel.vmod"
    source.write_bytes((SAVES / "duel" / f"{name}.vsav").read_bytes())
    module.write_bytes((SAVES / "duel" / "duel.vmod").read_bytes())
    assert referee("game", "new", "g.jsonl", "--from", source, "--alone").code == 0
    assert referee("game", "next", "g.jsonl", "--to", to).code == 0
    new = tmp_path / "new.vsav"
    ran = referee("vassal", "write", source, "-o", new, "--game", "g.jsonl")
    assert ran.code == 0 and "turn tracker" not in ran.err, ran.err
    leaves = [leaf for leaf in changed(source, new) if not leaf.startswith("CHAT- referee")]
    assert [leaf[:4] for leaf in leaves if not leaf.startswith("+/")] == ["TURN"]
    now = clock(new, module)
    assert now.moment == (int(to[0]), 7) and now.step and "fire" in now.step.lower()


def test_a_tracker_of_other_impulses_stays(referee: Run, tmp_path: Path) -> None:
    save, _ = begun(referee, tmp_path)
    data = read_save(save.read_bytes(), save.name)
    assert data.turn_leaves
    begin = ("--from", save, *WHO, "--option", "impulses=32")
    assert referee("game", "new", "h.jsonl", *begin).code == 0
    assert referee("game", "next", "h.jsonl", "--to", "2.4.fire").code in (0, 1)
    ran = referee("vassal", "write", save, "-o", tmp_path / "new.vsav", "--game", "h.jsonl")
    assert ran.code == 0 and "it counts 16 impulses a turn, the record 32" in ran.err
    written = read_save((tmp_path / "new.vsav").read_bytes(), "new.vsav")
    assert written.turn_leaves == data.turn_leaves


def test_properties_that_hold_the_time_are_written(referee: Run, tmp_path: Path) -> None:
    """A module without a tracker counts in global properties, as a map says."""
    from referee.formats.vassal.container import open_save, write_save_bytes

    save, _ = begun(referee, tmp_path)
    stored = open_save(save.read_bytes(), save.name)
    held = "\x1b".join(f"GlobalProperty\t;{one};Module" for one in PROPERTIES)
    start, _, end = stored.text.rpartition("TURNTurnTracker0\t")
    text = f"{start}{held}\x1b{end.partition(chr(27))[2]}"
    save.write_bytes(write_save_bytes(text, key=9, module_data=stored.module_data))
    said = {
        "schema": "referee/module-map/1",
        "module": {"name": "Generated Duel"},
        "tracker": {
            "properties": {"turn": "Now", "impulse": "Imp", "step": "Part"},
            "steps": {"Drift": "move-ships", "Shoot": "fire"},
        },
    }
    (tmp_path / "map.json").write_text(dumps(said))
    assert referee("game", "next", "g.jsonl", "--to", "2.4.fire").code in (0, 1)
    new = tmp_path / "new.vsav"
    ran = referee("vassal", "write", save, "-o", new, "--game", "g.jsonl", "--map", "map.json")
    assert ran.code == 0 and "turn tracker" not in ran.err, ran.err
    values = {one.name: one.value for one in read_save(new.read_bytes(), new.name).properties}
    assert values == {"Now": "2", "Imp": "4", "Part": "Shoot"}
    assert [leaf[:14] for leaf in changed(save, new)[:3]] == ["GlobalProperty"] * 3
    # What a step is called that the map does not name is not known: nothing of it is written.
    del said["tracker"]["steps"]  # type: ignore[attr-defined]
    (tmp_path / "bare.json").write_text(dumps(said))
    ran = referee("vassal", "write", save, "-o", new, "--game", "g.jsonl", "--map", "bare.json", "--force")
    assert ran.code == 0 and "what its step fire is called is not known" in ran.err
    assert {one.value for one in read_save(new.read_bytes(), new.name).properties} == {"1", "Drift"}


# -- the new file ----------------------------------------------------------------------------


def test_a_file_that_is_there_is_replaced_only_when_told_so(referee: Run, duel: Path, tmp_path: Path) -> None:
    there = tmp_path / "there.vsav"
    there.write_bytes(b"somebody's game")
    asked = ("vassal", "write", duel / "duel.vsav", "-o", there, "--say", "- x")
    ran = referee(*asked)
    assert ran.code == 2 and "is there already" in ran.err and "--force" in ran.err
    assert there.read_bytes() == b"somebody's game"
    assert referee(*asked, "--force").code == 0
    assert changed(duel / "duel.vsav", there) == ["CHAT- x"]
    assert [path.name for path in tmp_path.iterdir()] == ["there.vsav"]


@pytest.mark.parametrize("way", ["same", "hard link", "link"])
def test_the_input_is_never_replaced_by_any_name(referee: Run, duel: Path, tmp_path: Path, way: str) -> None:
    copy, other = tmp_path / "copy.vsav", tmp_path / "other.vsav"
    copy.write_bytes((duel / "duel.vsav").read_bytes())
    if way == "hard link":
        other.hardlink_to(copy)
    elif way == "link":
        other.symlink_to(copy)
    output = copy if way == "same" else other
    ran = referee("vassal", "write", copy, "-o", output, "--say", "- x", "--force")
    assert ran.code == 2 and "is one of the inputs" in ran.err
    assert copy.read_bytes() == (duel / "duel.vsav").read_bytes()


def test_a_write_that_fails_leaves_everything_as_it_was(
    referee: Run, duel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "there.vsav"
    there.write_bytes(b"somebody's game")
    original = (duel / "duel.vsav").read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    ran = referee("vassal", "write", duel / "duel.vsav", "-o", there, "--say", "- x", "--force")
    assert ran.code == 2 and "cannot be written" in ran.err
    assert there.read_bytes() == b"somebody's game" and (duel / "duel.vsav").read_bytes() == original
    assert [path.name for path in tmp_path.iterdir()] == ["there.vsav"]
