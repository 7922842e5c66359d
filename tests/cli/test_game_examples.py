"""The recorded example games: fixed bytes, one head, one state, for ever; and the scripts that play them anew."""

from __future__ import annotations

import hashlib
import json
import os
import runpy
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT, mostly_long

pytestmark = pytest.mark.net
DUEL = ROOT / "examples" / "games" / "solo-duel.jsonl"
HEAD = "#38 U37C-464L-GNQW-ZP34-IOWO-HREL-CS"
STATE = "51a066052e85a0bca17c76d90f547123"


def read(path: Path) -> list[Any]:
    """The entries of a record."""
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_the_record_is_whole_and_its_state_is_what_it_was(referee: Run) -> None:
    before = DUEL.read_bytes()
    assert referee("record", "verify", DUEL, "--head", HEAD).code == 0
    replayed = referee("game", "replay", DUEL)
    assert replayed.code == 0 and replayed.out.splitlines()[-1] == f"state {STATE}"
    assert referee("game", "replay", DUEL, "--json").json["state_hash"] == STATE
    assert referee("game", "status", DUEL).code == 0 and referee("game", "report", DUEL).code == 0
    ran = referee("dice", "verify", DUEL)
    assert ran.code == 0 and "6 rolls, 6 recomputed, 0 wrong (solo dice)" in ran.out
    assert referee("check", DUEL).code == 0
    assert DUEL.read_bytes() == before


def test_a_copy_taken_in_entry_by_entry_comes_to_the_same_state(referee: Run) -> None:
    lines = DUEL.read_bytes().splitlines(keepends=True)
    Path("mine.jsonl").write_bytes(b"".join(lines[:7]))
    for upto in (12, 19, 27, len(lines)):
        Path("theirs.jsonl").write_bytes(b"".join(lines[:upto]))
        assert referee("record", "sync", "mine.jsonl", "theirs.jsonl").code == 0
        shown = referee("game", "replay", DUEL, "--to", str(upto - 1)).out.splitlines()[-1]
        assert referee("game", "replay", "mine.jsonl").out.splitlines()[-1] == shown
    assert Path("mine.jsonl").read_bytes() == DUEL.read_bytes() and shown == f"state {STATE}"


def test_the_independent_checker_agrees() -> None:
    checker = ROOT / "examples" / "check_dice.py"
    done = subprocess.run(
        [sys.executable, str(checker), str(DUEL)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and done.stdout.count("good") == 6


class Script:
    """A script of the examples. Its commands run in this process; in the long run as the programs they are."""

    def __init__(self, referee: Run, monkeypatch: pytest.MonkeyPatch, as_programs: bool) -> None:
        self.referee, self.monkeypatch, self.as_programs = referee, monkeypatch, as_programs
        self.printed = ""

    def play(self, name: str, folder: Path) -> str:
        """What its commands print."""
        path = ROOT / "examples" / "games" / name
        if self.as_programs:
            environment = {**os.environ, "PYTHONPATH": str(ROOT), "REFEREE": f"{sys.executable} -m referee"}
            command = [sys.executable, str(path), str(folder)]
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
            assert done.returncode == 0, done.stdout[-2000:] + done.stderr
            return done.stdout
        self.monkeypatch.setattr(subprocess, "run", self.command)
        self.monkeypatch.setattr(sys, "argv", [name, str(folder)])
        runpy.run_path(str(path), run_name="__main__")
        self.monkeypatch.undo()
        return self.printed

    def command(self, arguments: list[str], check: bool, **_: Any) -> subprocess.CompletedProcess[str]:
        assert arguments[0] == "referee"
        ran = self.referee(*arguments[1:])
        self.printed += ran.out
        assert ran.code == 0 or not check, ran
        return subprocess.CompletedProcess(arguments, ran.code, ran.out, ran.err)


@pytest.fixture(params=mostly_long([False, True], lambda as_programs: not as_programs))
def script(request: pytest.FixtureRequest, referee: Run, monkeypatch: pytest.MonkeyPatch) -> Script:
    return Script(referee, monkeypatch, request.param)


def test_the_script_plays_the_same_moves(script: Script, own_folder: Path) -> None:
    script.play("make_solo_duel.py", own_folder)
    again, before = read(own_folder / "solo-duel.jsonl"), read(DUEL)
    # Who plays alone gives no nonce any more; the record of before holds one of each side.
    assert [entry["type"] for entry in again] == [
        entry["type"] for entry in before if entry["type"] != "nonce"
    ]
    assert again[-1]["hash"] != before[-1]["hash"]


CADET = ROOT / "examples" / "games" / "cadet-duel.jsonl"
"""Three turns of scenario 5. Its head and state are in the file beside it, which the script writes too."""


def test_the_cadet_duel_is_whole_legal_and_comes_to_its_state(referee: Run) -> None:
    before = CADET.read_bytes()
    head, state = CADET.with_suffix(".txt").read_text().splitlines()
    assert referee("record", "verify", CADET, "--head", head.removeprefix("head ")).code == 0
    assert referee("game", "replay", CADET).out.splitlines()[-1] == state
    assert f"state {referee('game', 'replay', CADET, '--json').json['state_hash']}" == state
    checked = referee("check", CADET, "--json")
    assert checked.code == 0 and checked.json["verdict"] == "legal" and not checked.findings("error")
    assert not checked.json["not_checked"], "every form is shown, in whatever order"
    rolls = len(referee("game", "status", CADET, "--json").json["rolls"])
    ran = referee("dice", "verify", CADET)
    assert ran.code == 0 and f"{rolls} rolls, {rolls} recomputed, 0 wrong (solo dice)" in ran.out
    assert CADET.read_bytes() == before


def kinds_played(path: Path) -> set[str]:
    return {kind for entry in read(path) if entry["type"] == "order" for kind in entry["data"]}


def test_the_cadet_duel_shows_a_whole_game(referee: Run) -> None:
    """Sealed, moved, fired, damaged: in three turns, by both."""
    entries = read(CADET)
    state = referee("game", "status", CADET, "--json").json
    assert state["turn"] >= 3 and state["step"] == "end of turn" and not state["awaited"]
    assert all(seal["revealed"] for seal in state["seals"]) and len(state["seals"]) >= 6
    assert not state["fouls"] and len(state["undone"]) == 1
    assert {"speed", "move", "fire", "launch", "seeker", "strike", "volley"} <= kinds_played(CADET)
    for ship in state["ships"]:
        assert ship["state"]["destroyed"] and ship["power"] < 20
        forms = [
            {line["line"]: int(line["amount"]) for line in entry["data"]["body"]["form"].values()}
            for entry in entries
            if entry["type"] == "reveal" and entry["data"]["body"]["ship"] == ship["name"]
        ]
        assert len(forms) >= 3 and forms[0]["4"] == 20 > forms[2]["4"]


def chained(entry: dict[str, Any]) -> bytes:
    """The line of an entry, with the hash that docs/record.md says."""
    plain = {name: entry[name] for name in ("data", "prev", "seq", "ts", "type")}
    digest = hashlib.sha256(b"referee.log.v1\n" + _canonical(plain)).hexdigest()
    return _canonical(plain | {"hash": digest}) + b"\n"


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def unsigned(entries: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[bytes]]:
    """The record as nobody had signed it: what it says is held to the rules, not to its signatures."""
    lines: list[bytes] = []
    plain: list[dict[str, Any]] = []
    renamed: dict[str, str] = {}
    for entry in entries:
        text = _canonical({name: entry[name] for name in entry if name not in ("sigs", "hash")}).decode()
        for old, new in renamed.items():
            text = text.replace(old, new)
        made = json.loads(text)
        made["data"].pop("signers", None)
        lines.append(chained(made))
        renamed[entry["hash"]] = json.loads(lines[-1])["hash"]
        plain.append(json.loads(lines[-1]))
    return plain, lines


def part(data: dict[str, Any], kind: str) -> dict[str, Any] | None:
    """What an entry says of a kind: the order of it, or the first of the volleys its dice made."""
    said = data.get(kind)
    first = (said or [None])[0] if isinstance(said, list) else said
    return first if isinstance(first, dict) else None


def changed(kind: str, where: dict[str, object], to: dict[str, object]) -> tuple[Path, str]:
    """The record up to the first entry of a kind, which says something else; and its line."""
    entries, lines = unsigned(read(CADET))
    fits = (
        e["seq"]
        for e in entries
        if (said := part(e["data"], kind)) and where.items() <= {**e["data"], **said}.items()
    )
    seq = next(fits)
    data = deepcopy(entries[seq]["data"])
    said = part(data, kind)
    assert said is not None
    said.update(to)
    line = chained(entries[seq] | {"data": data})
    Path("mine.jsonl").write_bytes(b"".join(lines[:seq]))
    Path("forged.jsonl").write_bytes(b"".join([*lines[:seq], line]))
    return Path("forged.jsonl"), f"line {seq + 1}"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("kind", "where", "to", "reason"),
    [
        ("speed", {"ship": "Constellation"}, {"speed": 30}, "breaks B3.0-14"),
        ("move", {"ship": "Constellation", "turn": 2, "impulse": 12}, {"way": "left"}, "breaks C3"),
        ("fire", {"ship": "Constellation", "impulse": 16}, {"weapons": ["PH-1/B"]}, "breaks D2"),
        ("launch", {"turn": 1}, {"type": "plasma-s"}, "launches nothing"),
        ("launch", {"turn": 1}, {"name": "Destruction"}, "there is a Destruction already"),
        ("seeker", {"turn": 1, "impulse": 14}, {"way": "right"}, "breaks F2.0"),
        ("strike", {}, {"volleys": []}, "not what the seekers do"),
        ("volleys", {}, {"points": 99}, "not what roll"),
        ("volley", {}, {"points": 1}, "another volley than the one due"),
        ("volley", {}, {"specific": 1}, "other reinforcement than the form"),
    ],
)
def test_one_part_of_the_duel_changed_is_refused_at_its_line(
    referee: Run, kind: str, where: dict[str, object], to: dict[str, object], reason: str
) -> None:
    forged, line = changed(kind, where, to)
    for command in (("check", forged), ("record", "sync", "mine.jsonl", forged)):
        ran = referee(*command)
        assert ran.code in (2, 3) and ran.err.count("\n") == 1, (command, ran)
        assert reason in ran.err and line in ran.err, (command, ran)


def test_the_script_plays_the_cadet_duel_again(script: Script, own_folder: Path) -> None:
    printed = script.play("make_cadet_duel.py", own_folder)
    assert "LEGAL" in printed and " 0 wrong (solo dice)" in printed
    again = own_folder / "cadet-duel.jsonl"
    head = again.with_suffix(".txt").read_text().splitlines()[0].removeprefix("head ")
    assert script.referee("record", "verify", again, "--head", head).code == 0
    assert {"speed", "move", "fire", "launch", "seeker", "volley"} <= kinds_played(again)
    assert read(again)[-1]["hash"] != read(CADET)[-1]["hash"]
