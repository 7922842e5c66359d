"""Games written down: the files of each and the commands it is asked by, a game a line, packed.

A line of `games/*.jsonl.xz` holds the name of a `game` and what it `does`, in order: an object writes files, a list runs a
command. A file is its text; or `vassal`, the text of a save that is packed as VASSAL packs it; or `base64`; or `like`, a file
that stands in `games/`; or `path`, one of the examples or of the shared files beside the checkout.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import lzma
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import chdir
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from referee.record.machine import given
from tests.net.command import Ran, command

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
GAMES = Path(__file__).parent / "games"
MODULE = GAMES / "generated.vmod"
"""The module of the logs."""
FOUND = Path(__file__).parent / "found"
FROZEN = (
    *("battles", "wars", "odd-wars", "flights", "moves", "odd-moves", "cancelled-fire", "taken"),
    *("orders", "records", "recorded", "robots", "forms", "form-files", "fire", "examples", "shared"),
)
"""The games whose outcome is frozen."""
WORDS = {"message", "fix", "reason", "line", "file", "title", "head"}
"""What a report says in words or by the name of a file, which may be said better at any time; and a head, which hangs on the
rules of the program."""
UNSTEADY = {"ruleset", "tool", "digest", "file"}
"""What in a record is of the program that wrote it, and where a file lies; the digest of a seal is of its rules too."""
WHEN = "2026-01-01T12:00:00Z"
_HIDING = bytes(byte ^ 77 for byte in range(256))
Game = dict[str, Any]


def games(kind: str) -> list[Game]:
    """The games of a file."""
    with lzma.open(GAMES / f"{kind}.jsonl.xz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def log_of(name: str) -> bytes:
    """The log of a game: `battle 0`, `odd war 3`."""
    kind = next(
        kind for kind in ("battles", "odd-wars", "wars") if name.startswith(kind.replace("-", " ")[:-1])
    )
    (game,) = (game for game in games(kind) if game["game"] == name)
    return bytes_of(game["does"][0]["game.vlog"])


def found(kind: str) -> list[Game]:
    """What came out of the games of a file, in their order."""
    lines = (FOUND / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def kept(kind: str, of: Iterable[Game]) -> None:
    """Writes the games of a file."""
    text = "".join(f"{json.dumps(game, ensure_ascii=False)}\n" for game in of)
    packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
    (GAMES / f"{kind}.jsonl.xz").write_bytes(packed)


def bytes_of(file: Any) -> bytes:
    """The bytes of a file of a game."""
    if isinstance(file, str):
        return file.encode()
    if "path" in file:
        return (ROOT / file["path"]).read_bytes()
    if "vassal" in file:
        return _packed(file)
    return (GAMES / file["like"]).read_bytes() if "like" in file else base64.b64decode(file["base64"])


def _packed(file: Any) -> bytes:
    """A save as VASSAL packs it: each byte changed by a key and spelled in hex, in a zip."""
    hidden = file["vassal"].encode().translate(_HIDING)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in {"savedGame": f"!VCSK4d{hidden.hex()}", **file.get("beside", {})}.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def play(game: Game) -> Iterator[tuple[list[str], Ran]]:
    """Each command of a game, played in this folder, with what it left behind."""
    with given(Random(game["game"]).randbytes, WHEN):
        for step in game["does"]:
            if isinstance(step, list):
                yield step, command(*step)
            else:
                for name, file in step.items():
                    Path(name).write_bytes(bytes_of(file))


def line_of(game: Game) -> Game:
    """What comes out of a game, played in a folder of its own."""
    with TemporaryDirectory() as folder, chdir(folder):
        runs = [said(arguments, ran) for arguments, ran in play(game)]
        records = {path.name: _entries(path) for path in sorted(Path().glob("*.jsonl"))}
    line: Game = {"game": game["game"]}
    if len(runs) == 1 and isinstance(runs[0], dict):
        return line | runs[0]
    return line | {"runs": runs} | ({"records": records} if records else {})


def _entries(record: Path) -> dict[str, Any]:
    """The entries of a record by type, its fouls by rule, and a digest of what is in them."""
    entries = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    fouls = Counter(one["data"].get("key", one["data"]["rule"]) for one in entries if one["type"] == "foul")
    types = Counter(one["type"] for one in entries)
    digest = _digest([one["data"] for one in entries])
    return {"types": dict(sorted(types.items())), "fouls": dict(sorted(fouls.items())), "digest": digest}


def report_line(report: Any) -> dict[str, Any]:
    """What is found in a report: no word of it, but each rule, place, figure and doubt, and a digest of its ledgers."""
    findings = [_finding(found) for found in report["findings"]]
    asked = sorted({f"{item['key']} {item.get('subject', '')}".strip() for item in report["not_checked"]})
    checked = len(report["checked"])
    line = {"verdict": report["verdict"], "findings": findings, "checked": checked, "not_checked": asked}
    return line | ({"ledgers": _digest(report["ledgers"])} if report.get("ledgers") else {})


def _finding(found: Any) -> list[Any]:
    """How sure its numbers are stands last, where it is said."""
    facts = (found.get(name) for name in ("turn", "impulse"))
    words = (found.get(name, "") for name in ("expected", "found"))
    place, sure = _place(found.get("location", {})), found.get("data_status")
    line = [found["key"], found["severity"], found.get("subject", ""), *facts, place, *words]
    return [*line, sure] if sure else line


def _digest(told: Any) -> str:
    text = json.dumps(_without(UNSTEADY, told), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _place(location: Any) -> str:
    parts = (location.get(name) for name in ("cell", "line", "step", "record_line", "pointer"))
    return " ".join(str(part) for part in parts if part)


def said(arguments: list[str], ran: Ran) -> Any:
    """What a command says, without its words: how it ended, and what it reports."""
    ended = f"{' '.join(arguments[:2]) if arguments[0] == 'game' else arguments[0]} {ran.code}"
    if "--json" not in arguments or not ran.out:
        return ended
    if arguments[0] == "check":
        return {"ended": ended, **report_line(ran.json)}
    return {"ended": ended, "told": _without(WORDS, ran.json)}


def _without(names: set[str], told: Any) -> Any:
    if isinstance(told, dict):
        return {name: _without(names, part) for name, part in told.items() if name not in names}
    return [_without(names, part) for part in told] if isinstance(told, list) else told
