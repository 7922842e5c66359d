"""`referee form next`: one row a weapon whatever it was called, and of a record what was played."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from json import dumps
from pathlib import Path

import pytest

from referee.adjudicator.record_forms import allocation_from, turn_to_come
from referee.core.account import PROPOSED
from referee.core.combat import Moment
from referee.core.finding import Severity
from referee.core.game import ShipInGame
from referee.core.location import Location
from referee.core.play import ShipInPlay
from referee.core.state import new_state
from referee.formats.eaform import LabelIndex
from referee.formats.sheets.labels import fold
from referee.play.blank_form import blank_form
from referee.play.forms import on_form
from referee.rulebooks.registry import load_rulebook, load_ship, ship_ids
from referee.sources.asked import form_labels
from tests.cli.conftest import Run
from tests.conftest import ROOT

POWER = ("Warp Engines", "Impulse Power", "Reactor Power", "Total Power")
HEAD = "Turn,1,2\nWarp Power,16,16\nImpulse Power,2,2\nReactor Power,2,2\nTotal Power,20,20\n"


def sheet(text: str) -> dict[str, list[str]]:
    """The rows of a form by their labels, of which there may be only one each."""
    rows = [row for row in csv.reader(StringIO(text)) if row]
    assert len({row[0] for row in rows}) == len(rows), text
    return {row[0]: row[1:] for row in rows}


def begun_rows(rows: Mapping[str, list[str]], turn: int) -> dict[str, str]:
    """Batteries and capacitor of a turn."""
    return {"5": rows["Batteries Available"][turn - 1], "9:held": rows["Phaser Capacitor"][turn - 1]}


def begun(text: str, turn: int) -> dict[str, str]:
    """The same of a form as text."""
    return begun_rows(sheet(text), turn)


@pytest.mark.parametrize(
    ("ship", "called", "row"),
    [
        ("cadet/romulan-kr", "Plasma A", "PL-S A"),
        ("cadet/romulan-kr", "Plasma Torp b", "PL-S B"),
        ("cadet/romulan-kr", "Plasma Type S A", "PL-S A"),
        ("cadet/romulan-kr", "Torpedo A", "PL-S A"),
        ("cadet/federation-ca", "Photon A", "PHOT A"),
        ("cadet/federation-ca", "Torpedo B", "PHOT B"),
        ("cadet/federation-ca", "Heavy Weapon A", "PHOT A"),
        ("cadet/klingon-d6", "Disrupter A", "DISR A"),
        ("cadet/klingon-d6", "HW B", "DISR B"),
    ],
)
def test_a_weapon_has_one_row_whatever_it_was_called(referee: Run, ship: str, called: str, row: str) -> None:
    Path("f.csv").write_text(f"{HEAD}{called},2,2\nMovement,0,0\n", encoding="utf-8")
    ran = referee("form", "next", "f.csv", "--ship", ship, "-o", "n.csv")
    assert ran.code == 0, ran
    rows = sheet(Path("n.csv").read_text(encoding="utf-8"))
    assert rows[row][:3] == ["2", "2", ""]
    again = sheet(referee("form", "next", "n.csv").out)
    assert list(again) == list(rows) and again[row][:2] == ["2", "2"]


def test_a_line_without_its_weapon_keeps_its_row(referee: Run) -> None:
    Path("f.csv").write_text(f"{HEAD}Torpedoes,4,4\nMovement,0,0\n", encoding="utf-8")
    ran = referee("form", "next", "f.csv", "--ship", "cadet/federation-ca")
    assert sheet(ran.out)["Heavy Weapons"][:2] == ["4", "4"]


def test_energy_of_one_weapon_in_two_rows_stays_where_it_is(referee: Run) -> None:
    Path("f.csv").write_text(f"{HEAD}Photon A,2,2\nTorp A,2,\nMovement,0,0\n", encoding="utf-8")
    rows = sheet(referee("form", "next", "f.csv", "--ship", "cadet/federation-ca").out)
    assert rows["PHOT A"][:2] == ["2", "2"] and rows["TORP A"][:2] == ["2", ""]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("id", ship_ids())
def test_every_row_is_read_back_as_what_it_was(id: str) -> None:
    """Every line that a label means, and every weapon by every name, is one row that means the same."""
    ship = load_ship(id)
    book = load_rulebook(ship.rulebook)
    labels = form_labels(book)
    index = LabelIndex(labels)
    heavy = [mount for mount in ship.mounts if book.table("weapons")["weapons"][mount.type].get("arming")]
    lines = {*labels.lines, *(f"13:{n}" for n in range(1, 7))}
    for mount in heavy:
        kinds = {mount.id.partition("/")[0], "TORP"} | ({"PL"} if mount.id.startswith("PL-") else set())
        alike = [m for m in ship.mounts if m.mark == mount.mark and m.system not in ("phaser", "drone")]
        for kind in kinds if len(alike) == 1 else {mount.id.partition("/")[0]}:
            for spelling in labels.weapons[kind]:
                line = index.line(f"{spelling} {mount.mark}")
                assert line is not None, spelling
                written = blank_form(ship, book, {line: {1: Fraction(2)}}, last=2)
                rows = [row.label for row in written.rows]
                assert len(set(map(fold, rows))) == len(rows), (spelling, rows)
                told = [row.label for row in written.rows if row.figures]
                assert told == [mount.id.replace("/", " ")], spelling
    for line in lines:
        written = blank_form(ship, book, {line: {1: Fraction(2)}}, last=2)
        assert [index.line(row.label) for row in written.rows if row.figures] == [line]


def state(*destroyed: str, **charged: str) -> str:
    """A file with what is left of a cadet cruiser."""
    says = {
        "schema": "referee/ship-state/1",
        "ship": "cadet/federation-ca",
        "destroyed": destroyed,
        **charged,
    }
    Path("s.json").write_text(dumps(says), encoding="utf-8")
    return "s.json"


def test_what_carries_over_fits_into_what_is_left(referee: Run) -> None:
    Path("f.csv").write_text(f"{HEAD}Phasers,3,\nMovement,0,0\n", encoding="utf-8")
    fed = ("--ship", "cadet/federation-ca")
    assert begun(referee("form", "next", "f.csv", *fed).out, 3) == {"5": "2", "9:held": "3"}
    left = state("battery/1", "PH-1/A", "left_warp/1", "apr/1", "apr/2")
    rows = sheet(referee("form", "next", "f.csv", *fed, "--state", left).out)
    assert begun_rows(rows, 3) == {"5": "1", "9:held": "2"}
    assert [rows[label][2] for label in POWER] == ["15", "2", "0", "17"]


def test_a_blank_form_has_what_the_state_says_is_charged(referee: Run) -> None:
    out = referee("form", "blank", "cadet/federation-ca", "--state", state(batteries="1", capacitor="2")).out
    assert begun(out, 1) == {"5": "1", "9:held": "2"}
    assert begun(referee("form", "blank", "cadet/federation-ca").out, 1) == {"5": "2", "9:held": ""}


# -- of a record -------------------------------------------------------------------------


def in_game(
    forms: Mapping[int, Mapping[str, int]],
    lost: Mapping[int, tuple[str, ...]],
    fired: Mapping[int, tuple[str, ...]] | None = None,
) -> ShipInGame:
    """A cadet cruiser with forms filed, boxes lost when a turn began, and weapons fired in turns."""
    ship = load_ship("cadet/federation-ca")
    data = {turn: _filed(lines) for turn, lines in forms.items()}
    begun = {turn: replace(new_state(ship), destroyed=frozenset(boxes)) for turn, boxes in lost.items()}
    shots = tuple((Moment(turn, 1), mark) for turn, marks in (fired or {}).items() for mark in marks)
    unit = ShipInPlay("Con", ship.id, None, None)
    return ShipInGame("Con", "alice", begun[max(begun)], unit, data, begun, shots)


def _filed(lines: Mapping[str, int]) -> dict[str, dict[str, str]]:
    return {
        f"line_{n}": {"line": line, "amount": str(amount)} for n, (line, amount) in enumerate(lines.items())
    }


def to_come(ship: ShipInGame, turn: int) -> dict[str, Fraction]:
    return turn_to_come(load_rulebook("sfb-cadet"), load_ship("cadet/federation-ca"), ship, turn)


def test_damage_of_earlier_turns_is_followed_through_all_of_them() -> None:
    """A battery and a phaser are lost in turn 1; what is used of the rest in turn 2 is not there in turn 3."""
    lost = ("battery/1", "PH-1/A", "left_warp/1", "left_warp/2")
    ship = in_game(
        {1: {"9": 3, "14": 8}, 2: {"14": 19}},
        {1: (), 2: lost, 3: (*lost, "apr/1")},
        {2: ("PH-1/B", "PH-1/C")},
    )
    assert to_come(ship, 2) == {"1": 14, "2": 2, "3": 2, "5": 1, "9:held": 2}
    assert to_come(ship, 3) == {"1": 14, "2": 2, "3": 1, "5": 0, "9:held": 0}


def test_a_held_torpedo_is_lost_with_its_tube() -> None:
    arming = {"10:PHOT/A": 2, "10:PHOT/B": 2}
    ship = in_game({1: arming, 2: arming}, {1: (), 2: (), 3: ("PHOT/A",)})
    held = {"10:PHOT/A": 1, "10:PHOT/B": 1}
    form = allocation_from(_filed(held), 3, Location())
    judged = on_form(load_rulebook("sfb-cadet"), ship, PROPOSED, "", form=form).findings
    assert [finding.key for finding in judged if finding.severity is Severity.ERROR] == ["B3.0-10"]
    form = allocation_from(_filed({"10:PHOT/B": 1}), 3, Location())
    judged = on_form(load_rulebook("sfb-cadet"), ship, PROPOSED, "", form=form).findings
    assert not [finding for finding in judged if finding.severity is Severity.ERROR]


def test_a_battery_used_after_another_was_lost_is_used_up() -> None:
    """The form of turn 3 may not spend it once more."""
    lost = ("battery/1",)
    ship = in_game({1: {"14": 8}, 2: {"6": 1, "14": 21}}, {1: (), 2: lost, 3: lost})
    form = allocation_from(_filed({"5": 1, "6": 1, "14": 16, "9": 3, "10:PHOT/A": 2}), 3, Location())
    judged = on_form(load_rulebook("sfb-cadet"), ship, PROPOSED, "", form=form).findings
    assert "B3.0-5" in [finding.key for finding in judged if finding.severity is Severity.ERROR]


def test_what_phasers_of_a_record_fired_is_written_down(referee: Run) -> None:
    """And the form so begun is legal as it stands."""
    for name, id in (("c", "cadet/federation-ca"), ("w", "cadet/klingon-d6")):
        Path(f"{name}.csv").write_text(f"Ship,{id}\n{HEAD}Phasers,3,\nMovement,0,0\n", encoding="utf-8")
    new = ("game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "seed", "--seed", "x")
    con, war = "Con=cadet/federation-ca:alice@1404D/0", "War=cadet/klingon-d6:bob@1407A/0"
    steps = (
        (*new, "--ship", con, "--ship", war),
        ("game", "apply", "g.jsonl", "c.csv", "--ship", "Con", "--as", "alice"),
        ("game", "apply", "g.jsonl", "w.csv", "--ship", "War", "--as", "bob"),
        ("game", "say", "g.jsonl", "impulse 1", "Con: fire PH-1/A, PH-1/B at War", "--as", "alice"),
        ("game", "resolve", "g.jsonl", "--as", "alice"),
        ("game", "say", "g.jsonl", "turn 2", "--as", "alice"),
    )
    for step in steps:
        ran = referee(*step)
        assert ran.code == 0, ran
    assert referee("form", "next", "g.jsonl", "--ship", "Con", "-o", "n.csv").code == 0
    rows = sheet(Path("n.csv").read_text(encoding="utf-8"))
    assert rows["Phasers Fired"][:2] == ["2", ""] and begun_rows(rows, 2) == {"5": "2", "9:held": "1"}
    judged = referee("check", "n.csv", "--json")
    assert judged.code == 0 and "H6.1" not in {finding["key"] for finding in judged.json["findings"]}


def test_a_turn_that_was_only_begun_keeps_no_old_total(referee: Run) -> None:
    """The saved 0 of a total stays in no CSV: the player fills the turn in, and it would be wrong."""
    Path("f.csv").write_text(
        "Ship,cadet/federation-ca\nTurn,1,2\nWarp Engines,16,16\nImpulse Power,2,2\nReactor Power,2,2\n"
        "Total Power,20,0\nPhasers,2,\nMovement,12,\nTotal Power Used,14,0\n",
        encoding="utf-8",
    )
    ran = referee("form", "next", "f.csv")
    rows = sheet(ran.out)
    assert ran.code == 0 and rows["Total Power"][:4] == ["20", "20", "20", ""]
    assert rows["Total Power Used"][:4] == ["14", "", "", ""]


def test_the_next_form_of_a_save_is_written_by_the_command_the_hint_names(referee: Run) -> None:
    ran = referee("form", "next", ROOT / "examples" / "duel" / "duel.vsav", "-o", "next.csv")
    assert ran.code == 2 and "referee vassal write SAVE -o NEW --next-form all" in ran.err
