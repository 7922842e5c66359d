"""What players type and read, as text: each file of `said/` is a folder's evening, played again and compared word for word.

A line behind `$` is done; below it stands what came of it: two spaces before what is printed, `! ` before what is complained
of, `(exit 1)` where it did not end well; what ends with 2 and no result leaves all files as they are. Besides `referee …` (also `referee … < FILE`) there are

    $ copy examples/duel.txt [NAME]     a file of this folder, or else of this project, is laid into the folder
    $ mkdir NAME                        a folder is made
    $ write NAME                        the lines behind `| ` are its text
    $ save NAME                         they are the text of a save, packed as VASSAL packs it
    $ zip NAME                          they are the members of a zip, each behind its name: `== buildFile.xml`
    $ lay logs: GAME                    the files of a game of `games/logs.jsonl.xz` are laid into the folder
    $ folder NAME                       the evening goes on in a new folder
    $ append NAME                       a record is put in its chain again, unsigned, with the entries `| TYPE {…}` behind it:
                                        "#5" there is the hash of entry 5
    $ replace NAME: this => that        in a file's text; it must be there
    $ cat NAME                          its text is printed
    $ python                            the lines behind `| ` are a program that imports referee
    $ keys 80x24 duel.jsonl             the lines behind `| ` are typed at the screen of `referee table`, on a terminal of so
                                        many columns and rows: letters and <enter>, <tab>; <look> prints what is new on the screen, <colours> what is not plain
    $ forge duel.jsonl [3]              what `game status` says to each of the lines behind `| `, entries that a cheat writes
                                        behind the record, or behind its first lines: `type {data}`
    $ tab odds standard/kl              what the shell offers for the word that is begun

Lines behind `#` are remarks. `python -m tests.net.write` writes down what is said now: read the difference like code.
"""

from __future__ import annotations

import io
import os
import shlex
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from referee.record.machine import given
from tests.net.command import Ran, command
from tests.net.forging import chained_again, forged
from tests.net.gamefiles import ROOT, WHEN, bytes_of, games
from tests.net.screen import typed

SAID = Path(__file__).parent / "said"


@dataclass
class Step:
    """What is done, with the lines that belong to it; and remarks, which are steps in which nothing is done."""

    done: str
    given: list[str] = field(default_factory=list)


def steps(text: str) -> list[Step]:
    """The steps of a transcript, without what came of them."""
    found: list[Step] = []
    for line in text.splitlines():
        if line.startswith(("$ ", "#")):
            found.append(Step(line))
        elif line.startswith("|"):
            found[-1].given.append(line[2:])
    return found


def played(path: Path) -> str:
    """The transcript as it comes out now, played in an empty folder."""
    lines: list[str] = []
    chance = Random(path.stem)
    with (
        TemporaryDirectory() as folder,
        chdir(folder),
        given(Random(path.stem).randbytes, WHEN),
        patch("secrets.token_hex", lambda count: chance.randbytes(count).hex()),
        patch.dict(os.environ, {"REFEREE_HOME": f"{folder}/.home", "COLUMNS": "80", "LINES": "24"}),
    ):
        for step in steps(path.read_text(encoding="utf-8")):
            lines += [step.done, *(f"| {line}".rstrip() for line in step.given)]
            if step.done.startswith("$ "):
                lines += (line.replace(os.path.realpath(folder), "FOLDER") for line in _done(step))
    return "".join(f"{line}\n" for line in lines)


def _done(step: Step) -> Iterator[str]:
    what, _, rest = step.done[2:].partition(" ")
    text = "".join(f"{line}\n" for line in step.given)
    match what:
        case "referee":
            asked, _, file = rest.partition(" < ")
            stdin = Path(file).read_bytes() if file else b""
            before = _files()
            ran = command(*shlex.split(asked), stdin=stdin)
            failed = ran.code == 2 and not ran.out
            assert not failed or _files() == before, f"{step.done} fails, and files are others"
            yield from _printed(ran)
        case "copy":
            source, *name = rest.split()
            found = source if Path(source).exists() else ROOT / source
            shutil.copy(found, _new(name[0] if name else Path(source).name))
        case "mkdir":
            Path(rest).mkdir(parents=True)
        case "write":
            _new(rest).write_text(text, encoding="utf-8")
        case "save":
            _new(rest).write_bytes(bytes_of({"vassal": text}))
        case "zip":
            with zipfile.ZipFile(rest, "w") as archive:
                for member in text.split("== ")[1:]:
                    name, content = member.removesuffix("\n").split("\n", 1)
                    archive.writestr(zipfile.ZipInfo(name), content)
        case "folder":
            evening = Path(os.environ["REFEREE_HOME"]).parent / rest
            evening.mkdir()
            os.chdir(evening)
        case "lay":
            for name, file in _game(*rest.split(": ", 1)).items():
                Path(name).write_bytes(bytes_of(file))
        case "append":
            chained_again(Path(rest), step.given)
        case "replace":
            name, change = rest.split(": ", 1)
            old, new = change.split(" => ")
            stood = Path(name).read_text(encoding="utf-8")
            assert old in stood, f"{old!r} is not in {name}"
            Path(name).write_text(stood.replace(old, new), encoding="utf-8")
        case "cat":
            yield from _lines("  ", Path(rest).read_text(encoding="utf-8"))
        case "python":
            with redirect_stdout(io.StringIO()) as out:
                exec(compile(text, "python", "exec"), {})
            yield from _lines("  ", out.getvalue())
        case "forge":
            record, *kept = rest.split()
            yield from forged(record, step.given, *map(int, kept))
        case "keys":
            yield from typed(rest, "".join(step.given))
        case "tab":
            asked = {"_REFEREE_COMPLETE": "complete_zsh", "_TYPER_COMPLETE_ARGS": f"referee {rest}"}
            with patch.dict(os.environ, asked):
                yield from _printed(command())
        case _:
            raise AssertionError(f"nobody can do {step.done}")


@cache
def _laid(kind: str) -> dict[str, Any]:
    return {game["game"]: game["does"] for game in games(kind)}


def _game(kind: str, name: str) -> dict[str, Any]:
    return {name: file for step in _laid(kind)[name] if isinstance(step, dict) for name, file in step.items()}


def _new(name: str) -> Path:
    """A file to be written, in its folder."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _files() -> dict[Path, bytes]:
    """All files of the folder, but those that are hidden."""
    return {path: path.read_bytes() for path in Path().rglob("[!.]*") if path.is_file()}


def _printed(ran: Ran) -> Iterator[str]:
    yield from _lines("  ", ran.out)
    yield from _lines("! ", ran.err)
    if ran.code:
        yield f"(exit {ran.code})"


def _lines(mark: str, text: str) -> Iterator[str]:
    yield from ((mark + line).rstrip() for line in text.splitlines())
