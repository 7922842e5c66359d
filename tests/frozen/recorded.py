"""Records whose energy forms are filed, sealed, shown in time or late, taken back and chosen anew, frozen as one line each:
how every command ended, which rules were broken, the head of the record, and a digest of all that was printed and written."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from random import Random
from time import struct_time
from typing import Any
from unittest.mock import patch

from referee.record import dicekeys, seals, signing
from referee.record.reading import read
from referee.rulebooks.registry import load_ship
from tests.frozen.typed import printed

RECORDED = Path(__file__).parent / "recorded.jsonl"
GAMES = 60
SHIPS = (
    "cadet/federation-ca", "cadet/klingon-d6", "standard/federation-ca", "standard/klingon-d7", "standard/romulan-kr",
)  # fmt: skip
OWNERS = {"A": "alice", "B": "bob"}
WHEN = struct_time((2026, 1, 1, 12, 0, 0, 3, 1, 0))


@contextmanager
def by_seed(random: Random) -> Iterator[None]:
    """Keys, seals and the number of a game come from a seed, and no time goes by: the same game has the same bytes."""
    with ExitStack() as held:
        for drawn in (dicekeys.new_game_id, dicekeys.new_secret, dicekeys.new_chain, seals.seal_orders):
            for part in ("__defaults__", "__kwdefaults__"):
                if stood := getattr(drawn, part):
                    new = _drawn_from(random, stood)
                    held.enter_context(patch.object(drawn, part, new))
        held.enter_context(patch.object(signing.secrets, "token_hex", lambda n=32: random.randbytes(n).hex()))
        held.enter_context(patch("time.gmtime", lambda *_: WHEN))
        yield


def _drawn_from(random: Random, stood: Any) -> Any:
    """The defaults of a function with its source of random bytes put in the place of the machine's."""
    if isinstance(stood, dict):
        return {name: random.randbytes if callable(each) else each for name, each in stood.items()}
    return tuple(random.randbytes if callable(each) else each for each in stood)


class Recorded:
    """A game that is played on a record by commands."""

    def __init__(self, seed: int) -> None:
        self.random = random = Random(f"recorded {seed}")
        self.book = random.choice(("cadet", "standard"))
        some = [ship for ship in SHIPS if ship.startswith(self.book)]
        self.classes = {name: random.choice(some) for name in OWNERS}
        self.turn, self.ended, self.found, self.digest = 1, [], [], hashlib.sha256()  # type: ignore[var-annotated]
        self.late: list[tuple[str, int]] = []
        """What is sealed and not shown yet."""
        self.kept: dict[tuple[str, int], dict[str, str]] = {}

    def run(self, *arguments: str) -> int:
        """A command: how it ended, and what it found."""
        code, out, err = printed(list(arguments))
        self.digest.update(json.dumps(arguments).encode() + out + b"\0" + err + b"\0")
        self.ended.append(f"{' '.join(arguments[:2]) if arguments[0] == 'game' else arguments[0]} {code}")
        if "--json" in arguments and arguments[0] == "check" and out:
            found = json.loads(out)["findings"]
            self.found.append(counted(f"{each['severity']} {each['key']}" for each in found))
        return code

    def begin(self) -> None:
        options = [f"previous_speed={self.random.choice((0, 8, 16))}"]
        options += ["other_lines=true"] if self.book == "cadet" else []
        places = {"A": "2010D", "B": "2015A"}
        self.run(
            "game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "recorded",
            *(part for name, id in self.classes.items() for part in ("--ship", f"{name}={id}:{OWNERS[name]}@{places[name]}/8")),
            *(part for option in options for part in ("--option", option)),
        )  # fmt: skip

    def lines_of(self, name: str) -> dict[str, str]:
        """A turn's lines as somebody may fill them in: mostly within the ship's power, and what is seldom right seldom."""
        random, ship = self.random, load_ship(self.classes[name])
        power = {"1": ship.warp, "2": len(ship.box_ids("impulse")), "3": len(ship.box_ids("apr"))}
        lines: dict[str, Any] = power | {
            "4": sum(power.values()),
            "7": 1,
            "8": 1,
            "11": random.choice((2, 2, 2, 1)),
        }
        spent: dict[str, Any] = {"14": random.choice((6, 8, 8, 10, 12))}
        some = {
            "9": random.choice((1, 2, 3)),
            "12": random.choice((1, 2)),
            "15": random.choice((1, 2, 4)),
            "16": 1,
            "19": 2,
        }
        spent |= {line: points for line, points in some.items() if random.random() < 0.3}
        tubes = [mount.id for mount in ship.mounts if mount.id.startswith(("PHOT", "DISR", "PL"))]
        spent |= {f"10:{tube}": random.choice((1, 2, 2)) for tube in tubes if random.random() < 0.3}
        lines |= spent | {"20": 2 + lines["11"] + sum(spent.values())}
        odd = {
            "2": 4, "5": random.randint(0, 5), "6": random.choice((1, 2, 9)), "9": "5/2", "9:fired": random.choice((1, 2)),
            "13:1": 2, "14": 30, "19:ecm": 2, "20": random.randint(12, 30), "21": random.choice((1, 2, 3)),
        }  # fmt: skip
        lines |= {line: amount for line, amount in odd.items() if random.random() < 0.12}
        return {line: str(amount) for line, amount in lines.items()}

    def written(self, name: str, turns: dict[int, dict[str, str]]) -> str:
        rows = [{"turn": turn, "lines": lines} for turn, lines in turns.items()]
        schema = "referee/energy-allocation/1"
        Path("form.json").write_text(json.dumps({"schema": schema, "ship": name, "turns": rows}))
        return "form.json"

    def check(self, name: str, turns: dict[int, dict[str, str]]) -> None:
        """A form that is tried on the ship of the record, and not recorded."""
        self.run("check", self.written(name, turns), "--game", "g.jsonl", "--ship", name, "--json")

    def allocate(self, name: str) -> None:
        """A ship's form of this turn: filed, sealed, chosen anew, or not filed at all."""
        random, lines = self.random, self.lines_of(name)
        if random.random() < 0.6:
            self.check(name, {self.turn: lines})
        if random.random() < 0.3:
            before = {self.turn - 1: self.lines_of(name)} if self.turn > 1 else {}
            self.check(name, before | {self.turn: lines, self.turn + 1: lines})
        way = random.choice(("filed", "filed", "sealed", "sealed", "apart", "anew", "refused", "none"))
        if way in ("filed", "anew", "refused"):
            options = () if way == "refused" else ("--force",)
            form = self.written(name, {self.turn: lines})
            self.run("game", "apply", "g.jsonl", form, "--ship", name, "--as", OWNERS[name], *options)
        elif way != "none":
            apart = ("--per-field",) if way == "apart" else ()
            self.seal(name, lines, *apart)
            if random.random() < 0.3:  # A seal that takes the place of the first.
                self.seal(name, self.lines_of(name), *apart)
        if way == "anew":
            filed = [entry.seq for entry in read(Path("g.jsonl")) if entry.type == "form"]
            for seq in filed[-1:]:
                why = ("--reason", "a slip", "--agreed", "alice,bob")
                self.run("game", "undo", "g.jsonl", str(seq), *why)
            form = self.written(name, {self.turn: self.lines_of(name)})
            self.run("game", "apply", "g.jsonl", form, "--ship", name, "--as", OWNERS[name], "--force")
        if random.random() < 0.4:
            self.check(name, {self.turn: lines})

    def seal(self, name: str, lines: dict[str, str], *options: str) -> None:
        form = self.written(name, {self.turn: lines})
        if self.run("seal", form, "--game", "g.jsonl", "--ship", name, "--force", *options) == 0:
            self.late.append((name, self.turn))

    def show(self, odds: float) -> None:
        """Some of what is sealed is shown, in any order."""
        self.random.shuffle(self.late)
        for name, turn in dict.fromkeys(self.late):
            if self.random.random() < odds:
                self.late = [each for each in self.late if each != (name, turn)]
                self.run("reveal", "--game", "g.jsonl", "--ship", name, "--turn", str(turn))

    def fight(self) -> None:
        """Some speeds and shots of the turn."""
        random = self.random
        for name in OWNERS:
            if random.random() < 0.5:
                self.run("game", "say", "g.jsonl", f"{name}: speed {random.choice((6, 8, 12))}", "--force")
        if random.random() < 0.5:
            self.run(
                "game",
                "next",
                "g.jsonl",
                "--to",
                f"{self.turn}.1.fire",
                "--as",
                "alice",
                "--force",
                "--agreed",
                "alice,bob",
            )
            name, other = random.choice((("A", "B"), ("B", "A")))
            marks = [mount.id for mount in load_ship(self.classes[name]).mounts]
            self.run("game", "say", "g.jsonl", f"{name}: fire {random.choice(marks)} at {other}", "--force")
            if random.random() < 0.3:
                self.run("game", "say", "g.jsonl", f"{name}: battery 1 for {marks[0]}", "--force")
            self.run("game", "resolve", "g.jsonl")

    def played(self) -> None:
        self.begin()
        for turn in range(1, self.random.randint(3, 5)):
            self.turn = turn
            if turn > 1:
                self.run(
                    "game",
                    "next",
                    "g.jsonl",
                    "--to",
                    f"{turn}",
                    "--as",
                    "alice",
                    "--force",
                    "--agreed",
                    "alice,bob",
                )
            for name in OWNERS:
                self.allocate(name)
            self.show(0.3)
            self.fight()
            self.show(0.3)
        self.show(0.8)
        self.run("check", "g.jsonl", "--json")
        self.run("dice", "verify", "g.jsonl")
        self.run("game", "status", "g.jsonl", "--json")
        self.run("form", "next", "g.jsonl", "--ship", "A")


def counted(row: Iterable[str]) -> dict[str, int]:
    """How often each is in a row."""
    return dict(sorted(Counter(row).items()))


def line(seed: int) -> str:
    """A game as one line of JSON."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        game = Recorded(seed)
        with by_seed(Random(seed)):
            game.played()
        record = Path("g.jsonl").read_bytes()
        game.digest.update(record)
        entries = read(Path("g.jsonl"))
        fouls = counted(
            entry.data.get("key", entry.data["rule"]) for entry in entries if entry.type == "foul"
        )
    told = {
        "recorded": seed, "ended": game.ended, "found": game.found, "fouls": fouls, "head": entries[-1].hash[:16],
        "digest": game.digest.hexdigest()[:16],
    }  # fmt: skip
    return json.dumps(told, ensure_ascii=False)


def lines() -> Iterator[str]:
    """All games as the program plays them now."""
    return map(line, range(GAMES))
