"""Answers that were wrong once: each has a case with its right value, and those still wrong are on a list.

`wrong/*.toml` holds the cases; `known_wrong.toml` those that are wrong today, each with the issue that puts it right. The list is
strict both ways: a case on it that passes must leave it, and it only gets shorter.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from tests.net.command import Ran, command
from tests.net.gamefiles import bytes_of

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LONGEST = 39
"""How many answers were wrong when the list was begun; it only gets shorter."""

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for path in sorted((HERE / "wrong").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
}
KNOWN_WRONG: dict[str, int] = tomllib.loads((HERE / "known_wrong.toml").read_text(encoding="utf-8"))


def differences(case: dict[str, Any], folder: Path) -> list[str]:
    """What is not as the case has it, after its commands ran in a folder; the last of them is the one asked."""
    for name in case.get("inputs", ()):
        source = HERE / "wrong" / "inputs" / name
        shutil.copy(source if source.exists() else ROOT / name, folder / Path(name).name)
    for name, text in case.get("files", {}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes.fromhex(text["hex"]) if isinstance(text, dict) else text.encode())
    for name, pieces in case.get("pieces", {}).items():
        (folder / name).write_bytes(_save_of(pieces))
    *before, asked = [command(*shlex.split(line)) for line in case["run"]]
    stopped = [
        f"{line}: exit {ran.code}: {ran.err}"
        for line, ran in zip(case["run"], before, strict=False)
        if ran.code > 1
    ]
    return stopped + [line for line in _found(case, asked, folder) if line]


def _save_of(pieces: int) -> bytes:
    """A save of so many counters."""
    counter = "+/{0}/translate;Forward;38,130;0;48;false;0;0;0;0;ahead\tpiece;;;ship.png;Counter {0}/\tnull;Space;1;1;0"
    return bytes_of({"vassal": "\x1b".join(["begin_save", *map(counter.format, range(pieces)), "end_save"])})


def _megabytes(line: str) -> float:
    """The most memory that a command holds, run as a program of its own; it must end well."""
    program = subprocess.Popen(
        [sys.executable, "-m", "referee", *shlex.split(line)], stdout=subprocess.DEVNULL
    )
    _, ended, usage = os.wait4(program.pid, 0)
    assert ended == 0, f"{line}: {ended}"
    return usage.ru_maxrss / 1024


def _found(case: dict[str, Any], ran: Ran, folder: Path) -> list[str]:
    said = ran.out + ran.err
    wrong = (
        [f"exit {ran.code}, not {case['exit']}: {ran.err.strip()[:300]}"] if ran.code != case["exit"] else []
    )
    wrong += [f"not said: {words}" for words in case.get("words", ()) if not re.search(words, said)]
    wrong += [f"said: {words}" for words in case.get("not_words", ()) if re.search(words, said)]
    if len(said.splitlines()) > case.get("lines", 10_000):
        wrong.append(f"{len(said.splitlines())} lines, more than {case['lines']}")
    if (most := case.get("megabytes")) and (held := _megabytes(case["run"][-1])) > most:
        wrong.append(f"{held:.0f} MB, more than {most}")
    for name, text in case.get("written", {}).items():
        path = folder / name
        if not path.exists() or not re.search(text, path.read_bytes().decode("utf-8", "replace")):
            wrong.append(f"{name} does not hold {text}")
    wrong += [f"{name} is there" for name in case.get("not_written", ()) if (folder / name).exists()]
    if not case.keys() & {"verdict", "findings", "errors"}:
        return wrong
    if not ran.out.startswith("{"):
        return [*wrong, f"no report: {said[:300]}"]
    report = ran.json
    if case.get("verdict", report["verdict"]) != report["verdict"]:
        wrong.append(f"verdict {report['verdict']}, not {case['verdict']}")
    findings = report["findings"]
    told = [f"{f['severity']} {f['key']}: {f.get('message', '')}" for f in findings]
    for wanted in case.get("findings", ()):
        if not any(_fits(finding, wanted) for finding in findings):
            wrong.append(f"no finding {wanted} among {told}")
    errors = [f for f in findings if f["severity"] == "error"]
    if "errors" in case and len(errors) != case["errors"]:
        wrong.append(f"{len(errors)} errors, not {case['errors']}: {told}")
    return wrong


def _fits(finding: dict[str, Any], wanted: dict[str, Any]) -> bool:
    flat = {**finding, **finding.get("location", {})}
    return all(
        re.search(value, str(flat.get(name, "")))
        if name == "message"
        else fnmatch(str(flat.get(name, "")), str(value))
        for name, value in wanted.items()
    )


@pytest.mark.net
@pytest.mark.parametrize("id", CASES)
def test_an_answer_is_right_or_known_to_be_wrong(
    id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = differences(CASES[id], tmp_path)
    if id in KNOWN_WRONG:
        assert wrong, f"{id} is right now: take it off known_wrong.toml"
    else:
        assert not wrong, "\n".join(wrong)


@pytest.mark.net
def test_the_list_of_wrong_answers_only_gets_shorter() -> None:
    assert len(KNOWN_WRONG) <= LONGEST and KNOWN_WRONG.keys() <= CASES.keys()
