"""Fire and launches of a record as they are judged."""

from __future__ import annotations

from referee.adjudicator.record_fire import RecordFire
from referee.core.combat import Moment
from referee.core.game import FireOrdered, GameState
from referee.core.location import Location
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.adjudicator.recorded import D6, FED, SPEEDS, entries, state, step

BOOK = load_rulebook("sfb-cadet").with_options({"impulses": "16"})
FACING = (("A", FED, "1510A"), ("B", D6, "1506D"))
BEHIND = (("A", FED, "1506A"), ("B", D6, "1510A"))


def game(ships: tuple[tuple[str, str, str], ...] = FACING) -> GameState:
    return state(entries(*SPEEDS, step(2, "fire"), ships=ships))


def fire(*weapons: str, ship: str = "A", target: str = "B", seq: int = 8) -> FireOrdered:
    return FireOrdered(seq, ship, weapons, target, Moment(1, 2))


def keys(record_fire: RecordFire, order: FireOrdered, now: GameState) -> list[str]:
    return [
        one.key
        for one in record_fire.order(order.seq, order, now, Location(record_line=order.seq + 1)).findings
        if one.severity == "error"
    ]


def test_a_shot_by_the_rules_is_kept_with_its_report() -> None:
    record_fire, now = RecordFire(BOOK, load_ship), game()
    assert keys(record_fire, fire("PH-1/A"), now) == [] and len(record_fire.reports) == 1
    assert not record_fire.breaks(fire("PH-1/A"), now)


def test_a_target_out_of_arc() -> None:
    now = game(BEHIND)
    assert keys(RecordFire(BOOK, load_ship), fire("PHOT/A"), now) != []
    assert RecordFire(BOOK, load_ship).breaks(fire("PHOT/A"), now)


def test_a_weapon_fires_once() -> None:
    record_fire, now = RecordFire(BOOK, load_ship), game()
    assert keys(record_fire, fire("PH-1/A"), now) == []
    assert keys(record_fire, fire("PH-1/A", seq=9), now) == ["E2.23"]


def test_a_finding_is_at_the_line_of_its_order() -> None:
    record_fire = RecordFire(BOOK, load_ship)
    report = record_fire.order(8, fire("PHOT/A"), game(BEHIND), Location("game.jsonl", record_line=9))
    assert {one.location.record_line for one in report.findings if one.severity == "error"} == {9}


def test_what_a_ship_launches() -> None:
    record_fire, now = RecordFire(BOOK, load_ship), game()
    launch = record_fire.launch(8, fire("PH-2/A", ship="B", target="A"), now, Location(record_line=9))
    assert [one.key for one in launch.findings] == ["D1.3/launch"]
    assert record_fire.reports == [launch], "what could not be asked of it is told too"
