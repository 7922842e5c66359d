"""Modules whose counters have the energy form and the boxes on themselves, and logs without forms or a clock."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from tests.unit.formats.vassal.game_logs import (
    FED,
    KLINGON,
    NAME,
    Game,
    LogWriter,
    Placed,
    keeps_to_map,
    legal_game,
    write_log,
)
from tests.unit.logs.test_logs_marks import errors
from tests.unit.logs.test_logs_notes import Check, check

__all__ = ["check"]

CA, D6 = "CA Ship0", "D6 Ship1"
SHEET = ["propertysheet;6Crew;Crew;;2;;;;80,130;desc"]


class OnCounter(LogWriter):
    """A log whose counters are their own displays."""

    def counter_types(self, name: str) -> list[str]:
        return [*self.display_types(name)[:2], *super().counter_types(name)]

    def counter_states(self, name: str, at: tuple[Hex, str] | None = None) -> list[str]:
        return [*self.display_states(name)[:2], *super().counter_states(name, at)]

    def start(self) -> str:
        displays = tuple(f"+/{id}9/" for id in self.ids.values())
        return "\x1b".join(part for part in super().start().split("\x1b") if not part.startswith(displays))

    def change(self, id: str, old: list[str], new: list[str]) -> lv.ChangePiece:
        names = {f"{id}9": name for name, id in self.ids.items()}
        if id not in names:
            return super().change(id, old, new)
        rest = super().counter_states(names[id])
        return super().change(id[:-1], [*old[:2], *rest], [*new[:2], *rest])


class WithCrew(LogWriter):
    """A log whose counters have a small sheet beside the display of the ship."""

    def counter_types(self, name: str) -> list[str]:
        return [*SHEET, *super().counter_types(name)]

    def counter_states(self, name: str, at: tuple[Hex, str] | None = None) -> list[str]:
        return ["5/5", *super().counter_states(name, at)]


def duel(by: type[LogWriter] = OnCounter) -> LogWriter:
    ships = {CA: Placed(FED, Hex(40, 30), "D", 8), D6: Placed(KLINGON, Hex(40, 50), "A", 8)}
    writer = by(Game(ships, 1, dict.fromkeys(((CA, 1), (D6, 1)), 8), ()))
    writer.shields[D6] = [16, 12, 8, 7, 8, 12]
    writer._start = writer.start()
    for name in ships:
        writer.form(name, 1)
    return writer


def go(writer: LogWriter, name: str, there: Hex) -> int:
    here, facing = writer.where[name]
    writer.where[name] = there, facing
    return writer.log(writer.move_leaf(name, here, there))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("by", [OnCounter, WithCrew])
@pytest.mark.parametrize("seed", range(4))
def test_legal_games_are_clean_and_judged(check: Check, by: type[LogWriter], seed: int) -> None:
    game = legal_game(Random(seed), turns=2)
    if not keeps_to_map(game):
        return
    written = write_log(game, by=by)

    class Given(LogWriter):
        def finish(self) -> bytes:
            return written.data

    ran = check(Given(game))
    assert [f for f in ran.findings() if f["severity"] != "note" and "previous" not in f["message"]] == []
    assert {turn["ship"] for turn in ran.json["turns"]} == set(game.ships)
    moved = {(name, turn): game.speeds[name, turn] for name in game.ships for turn in (1, 2)}
    assert {(turn["ship"], turn["turn"]): turn["hexes"] for turn in ran.json["turns"]} == moved


def test_a_leap_is_found(check: Check) -> None:
    writer = duel()
    writer.advance((1, 1, 0), (1, 2, 0))
    leap = go(writer, CA, Hex(40, 43))
    assert ("C1.1", leap, "an adjacent hex", "13 hexes") in errors(check(writer))


def test_a_map_that_lists_the_counters_is_heeded(check: Check) -> None:
    ships = [{"counter": CA, "ship": "cadet/federation-ca"}, {"counter": D6, "ship": "cadet/klingon-d6"}]
    said = {"schema": "referee/module-map/1", "module": {"name": NAME}, "ships": ships}
    Path("map.json").write_text(json.dumps(said))
    writer = duel()
    writer.advance((1, 1, 0), (1, 2, 0))
    leap = go(writer, CA, Hex(40, 43))
    assert ("C1.1", leap) in [
        row[:2] for row in errors(check(writer, options=("--json", "--map", "map.json")))
    ]


@pytest.mark.parametrize("left", [12, 11])
def test_marks_on_the_counter_are_held_against_fire(check: Check, left: int) -> None:
    writer = duel()
    writer.log(lv.Chat("<Ben> - !hit 4 on 1"))
    old = writer.display_states(D6)
    writer.shields[D6][0] = left
    step = writer.log(writer.change(f"{writer.ids[D6]}9", old, writer.display_states(D6)))
    assert errors(check(writer)) == ([] if left == 12 else [("D4.1", step, "4", "5")])


# -- neither forms nor a clock -----------------------------------------------------------


def formless() -> LogWriter:
    writer = duel()
    writer.steps.clear()
    for name in (CA, D6):
        writer.cells[name] = writer._blank()
    writer._start = writer.start()
    return writer


NAMED = ("--json", "--ship", f"{CA}=cadet/federation-ca", "--ship", f"{D6}=cadet/klingon-d6")


def not_judged(check: Check, writer: LogWriter) -> list[str]:
    found = check(writer, options=NAMED).json["not_checked"]
    return [item["reason"] for item in found if item["rule"] == "C1.0"]


def test_moves_hex_by_hex_are_judged_without_forms_or_a_clock(check: Check) -> None:
    writer = formless()
    go(writer, CA, Hex(40, 31))
    go(writer, CA, Hex(40, 32))
    assert not_judged(check, writer) == []
    assert "C1.2" in check(writer, options=NAMED).json["checked"]


def test_what_is_put_in_place_is_said_to_be(check: Check) -> None:
    writer = formless()
    go(writer, CA, Hex(40, 31))
    go(writer, CA, Hex(42, 40))
    (told,) = not_judged(check, writer)
    assert told.startswith(f"{CA} moved before a form was filled in or the clock went on")
