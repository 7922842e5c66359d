"""A game by mail: a record written again and again into the save that was written last shows what it shows
written in one go, whatever was begun, fired or lost between."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from csv import reader
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO, StringIO, TextIOWrapper
from json import loads
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from referee.cli.main import run
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.rulebooks.sfb import LINES as FORM_LINES
from tests.conftest import examples
from tests.unit.play.test_write_again import BOXES
from tests.unit.play.test_write_back import on_sheet, table
from tests.unit.play.test_write_round_trip import save_of

FEW = examples(3, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
TURNS = 3
LINES = {
    label: line
    for line, labels in load_rulebook("sfb-standard").table("form_labels")["lines"].items()
    for label in labels
}


def said(*arguments: str | Path) -> tuple[int, str, str]:
    """Exit code and what the program printed; what is against the rules is no reason to stop."""
    with redirect_stdout(TextIOWrapper(BytesIO())) as out, redirect_stderr(StringIO()) as err:
        code = run([str(one) for one in arguments])
        out.flush()
    assert code in (0, 1), (arguments, err.getvalue())
    return code, bytes(out.buffer.getvalue()).decode(), err.getvalue()  # type: ignore[attr-defined]


@dataclass
class Mail:
    """A game of two ships at one table, its record in a folder."""

    folder: Path
    rulebook: str
    dice: Random

    def begin(self) -> None:
        self.record = self.folder / "game.jsonl"
        self.ships = {
            "Constellation": ("ann", f"{self.rulebook}/federation-ca", "1010A/0"),
            "Destruction": (
                "ben",
                f"{self.rulebook}/klingon-{'d6' if self.rulebook == 'cadet' else 'd7'}",
                "1008D/0",
            ),
        }
        placed = [f"{name}={ship}:{player}@{at}" for name, (player, ship, at) in self.ships.items()]
        self.classes = [
            part for name, (_, ship, _) in self.ships.items() for part in ("--ship", f"{name}={ship}")
        ]
        options = [part for one in placed for part in ("--ship", one)]
        said("game", "new", self.record, "--players", "ann,ben", "--dice", "seed", "--seed", "mail",
             "--rulebook", f"sfb-{self.rulebook}", *options)  # fmt: skip

    def sessions(self) -> Iterator[None]:
        """Plays some of the game, and pauses."""
        for turn in range(1, TURNS + 1):
            said("game", "next", self.record, "--to", f"{turn}.energy-allocation")
            yield
            for name in self.ships:
                self.file(name, turn)
                if self.dice.random() < 0.4:
                    yield
            for impulse in sorted(self.dice.sample(range(1, 16), 2)):
                said("game", "next", self.record, "--to", f"{turn}.{impulse}.fire")
                self.strike()
                yield
        said("game", "next", self.record, "--to", f"{TURNS + 1}.energy-allocation")
        yield

    def file(self, name: str, turn: int) -> None:
        """Files a legal form: what `form next` begins, some of it left out, and its energy spent."""
        player, ship, _ = self.ships[name]
        form = self.folder / "form.csv"
        form.unlink(missing_ok=True)
        said("form", "next", self.record, "--ship", name, "-o", form)
        rows = list(reader(StringIO(form.read_text())))
        column = rows[1].index(str(turn))
        begun = {row[0]: row[column] for row in rows[2:]}
        known = {LINES[label]: Fraction(text or 0) for label, text in begun.items() if label in LINES}
        left = known["1"] + known["2"] + known["3"]
        spent: dict[str, Fraction] = {}
        if known["5"] >= 1 and self.dice.random() < 0.5:
            # From a battery into what is reinforced, or kept for later in the turn.
            spent["Batteries Discharged"] = Fraction(1)
            left += 1
        elif known["5"] >= 1 and self.dice.random() < 0.5:
            spent["BttyUsedInTurn"] = Fraction(1)
        lost = next(one["state"]["destroyed"] for one in self.status()["ships"] if one["name"] == name)
        phasers = sum(m.system == "phaser" and m.id not in lost for m in load_ship(ship).mounts)
        wanted = {"Life Support": 1, "Fire Control": 1, "Shields": 2, "Movement": 0}
        for label, points in {**wanted, "Phasers": phasers - known["9:held"]}.items():
            if label in begun:
                spent[label] = max(Fraction(0), min(Fraction(points), left))
                left -= spent[label]
        for label in begun:
            if label[:4] == "DISR" and left >= 2 and self.dice.random() < 0.5:
                spent[label], left = Fraction(2), left - 2
        if "General Shield Reinforcement" in begun:
            spent["General Shield Reinforcement"], left = left // 1, left % 1
        leaves = {
            label for label in begun if LINES.get(label) in ("4", "5", "9:held") and self.dice.random() < 0.3
        }
        leaves |= {label for label in begun if LINES.get(label) == "20"}
        lines = {label: text for label, text in {**begun, **spent}.items() if label not in leaves}
        told = {"Ship": ship, "Turn": turn, **lines}
        form.write_text("".join(f"{label},{text}\n" for label, text in told.items()))
        said("game", "apply", self.record, form, "--ship", name, "--as", player)

    def status(self) -> Any:
        return loads(said("game", "status", self.record, "--json")[1])

    def strike(self) -> None:
        """Fires phasers as far as that is legal, and brings damage upon a ship."""
        name, other = self.dice.sample(list(self.ships), 2)
        if any(one["state"].get("dead") for one in self.status()["ships"]):
            return
        phasers = [m.id for m in load_ship(self.ships[name][1]).mounts if m.system == "phaser"]
        for phaser in self.dice.sample(phasers, 2):
            said("game", "say", self.record, f"{name}: fire {phaser} at {other}", "--as", self.ships[name][0])
        said("game", "resolve", self.record)
        if self.dice.random() < 0.6:
            shield, points = self.dice.randint(1, 6), self.dice.choice((3, 10, 18))
            said("volley", other, "--game", self.record, "--as", self.ships[other][0], "--shield", str(shield),
                 "--damage", str(points), "--force")  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("rulebook", ["cadet", "standard"])
@FEW
@given(st.integers(0, 2**32))
def test_written_again_is_written_in_one_go(tmp_path: Path, rulebook: str, seed: int) -> None:
    for old in tmp_path.rglob("*"):
        if old.is_file():
            old.unlink()
    mail = Mail(tmp_path, rulebook, Random(seed))
    mail.begin()
    first, last = save_of(tmp_path / "first.vsav", BOXES), tmp_path / "last.vsav"
    last.write_bytes(first.read_bytes())
    for _ in mail.sessions():
        then, once = tmp_path / "then.vsav", tmp_path / "once.vsav"
        then.write_bytes(last.read_bytes())
        told = [
            said("vassal", "write", source, "-o", new, "--game", mail.record, "--force", *mail.classes)[
                2
            ].splitlines()
            for source, new in ((then, last), (first, once))
        ]
        lacking = [[line for line in lines if line.startswith("not written")] for lines in told]
        assert lacking[0] == lacking[1] and not any(" holds " in line for line in lacking[0])
        for ship in mail.ships:
            for turn in range(1, TURNS + 2):
                assert_alike(on_sheet(last, ship, turn), on_sheet(once, ship, turn))
            shown, at_once = (table(path).ship(ship).ship for path in (last, once))
            assert (shown.boxes_left, shown.shields) == (at_once.boxes_left, at_once.shields)
        assert errors(mail, last) == errors(mail, once) == []


def assert_alike(last: dict[str, str], once: dict[str, str]) -> None:
    """What was begun of a turn stays where its form does not tell it; all else is the same."""
    added = last.keys() - once.keys()
    assert (
        added <= FORM_LINES.known_at_start
        and {line: text for line, text in last.items() if line not in added} == once
    )


def errors(mail: Mail, save: Path) -> list[tuple[str, ...]]:
    found = loads(said("check", save, "--json", *mail.classes)[1])["findings"]
    return [(one["key"], one["subject"], one["message"]) for one in found if one["severity"] == "error"]
