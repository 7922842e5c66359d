"""The orders in the chat of a log: who gives them, which stand, and what of them goes on the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.errors import BadInput
from referee.core.orders import Fire, Launch, OrderProblem
from referee.formats.vassal.game import read_save
from referee.formats.vassal.module import read_module
from referee.formats.vassal.spoken import TypedLine
from referee.logs.fire import order_of, orders_told, phasers_fired
from referee.logs.reading import LogRead, read_game
from referee.logs.ship_under_audit import ShipUnderAudit, shuttle_named, weapons_of
from referee.rulebooks.registry import load_rulebook
from referee.sources.asked import Asked
from referee.sources.settings import Settings
from tests.logtable import LogTable
from tests.unit.formats.vassal.game_logs import module_bytes

SHIPS = "Const  cadet/federation-ca  4030D  speed 0\nDestr  cadet/klingon-d6  4034A  speed 0"
ASKED = ("Const=cadet/federation-ca", "Destr=cadet/klingon-d6")


def read(lines: str, folder: Path) -> LogRead:
    path = folder / "generated.vmod"
    path.write_bytes(module_bytes())
    save = read_save(LogTable(SHIPS, {}).played(f"impulse 3\nstep fire\n{lines}"), "game.vlog")
    assert read_module(path.read_bytes(), path.name)
    return read_game(save, Asked(Settings(), module=str(path), ships=ASKED))


@pytest.fixture(scope="module")
def ships(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ShipUnderAudit]:
    game = read("Ann: hello", tmp_path_factory.mktemp("log"))
    return {ship.ship.name: ship for ship in game.judged}


def test_an_order_is_for_the_ship_of_its_player(tmp_path: Path) -> None:
    (heard,) = read("Ann: !fire PH-1/A at Destr", tmp_path).orders.heard
    assert heard.order == Fire("Const", ("PH-1/A",), "Destr", location=heard.place)
    assert (heard.when.turn, heard.when.impulse) == (1, 3)


def test_an_order_for_the_ship_of_another_player_does_not_stand(tmp_path: Path) -> None:
    orders = read("Ann: !Destr: fire PH-1/A at Const", tmp_path).orders
    assert not orders.has(Fire) and len(orders.findings) == 1


def test_an_order_that_is_undone_is_not_heard(tmp_path: Path) -> None:
    orders = read("Ann: !fire PH-1/A at Destr\nAnn: !undo", tmp_path).orders
    assert not orders.has(Fire)
    assert [type(undone.order) for undone in orders.undone] == [Fire]


def test_with_nothing_to_undo_the_undo_is_not_understood(tmp_path: Path) -> None:
    (finding,) = read("Ann: !undo", tmp_path).orders.findings
    assert "Const has nothing to undo in this impulse" in finding.message


def test_fire_goes_on_the_table_with_firer_and_target_as_they_stood(tmp_path: Path) -> None:
    game = read("Ann: !fire PH-1/A at Destr", tmp_path)
    told = orders_told(game.logged, list(game.judged), game.orders)
    ((kind, data, _, when),) = told.events
    declared = data["declared"]
    assert (kind, when.turn, when.impulse) == ("fire", 1, 3)
    assert [mount.id for mount in declared.mounts] == ["PH-1/A"]
    assert (str(declared.firer.hex), str(declared.target.hex)) == ("4030", "4034")


def test_fire_with_a_weapon_the_ship_does_not_have_is_a_finding_and_no_fire(tmp_path: Path) -> None:
    game = read("Ann: !fire PH-1/Z at Destr", tmp_path)
    told = orders_told(game.logged, list(game.judged), game.orders)
    assert not told.events and len(told.remarks.findings) == 1


def test_phasers_are_counted_by_the_turn_they_fire_in(tmp_path: Path) -> None:
    game = read("Ann: !fire PH-1/A, PH-1/B at Destr\nAnn: !fire photon A at Destr", tmp_path)
    const, destr = game.judged
    assert phasers_fired(game.orders, const) == {1: 2}
    assert phasers_fired(game.orders, destr) == {}


def test_a_line_is_read_for_the_ship_that_speaks(ships: dict[str, ShipUnderAudit]) -> None:
    spoken = order_of(TypedLine("Ann", "!fire PH-1/A at Destr"), "Const", ships, ())
    assert isinstance(spoken, Fire) and spoken.ship == "Const"
    assert isinstance(order_of(TypedLine("Ann", "!fire at will"), "Const", ships, ()), OrderProblem)


def test_a_shuttle_is_known_by_its_name_and_by_its_mark() -> None:
    standard = load_rulebook("sfb-standard")
    by_name, by_mark = shuttle_named(standard, "suicide shuttle"), shuttle_named(standard, "SS2")
    assert by_name is not None and by_mark is not None
    assert by_mark.id == "SS/2"
    assert shuttle_named(standard, "PH-1/A") is None


def test_the_weapons_of_an_order_are_those_of_its_ship(ships: dict[str, ShipUnderAudit]) -> None:
    fire = Fire("Const", ("PH-1/A", "PH-1/B"), "Destr")
    assert [mount.id for mount in weapons_of(fire, ships["Const"])] == ["PH-1/A", "PH-1/B"]
    with pytest.raises(BadInput, match="drone"):
        weapons_of(Launch("Const", "drone rack A", "Destr"), ships["Const"])
