"""The fire of one step on the one table: who fires at whom is told, and nothing of what was before."""

from __future__ import annotations

from fractions import Fraction

from referee.adjudicator.capacitor import battery_order
from referee.adjudicator.fire_in_step import FireInStep
from referee.adjudicator.fire_seen import fire_of
from referee.adjudicator.movement_seen import course_of
from referee.adjudicator.movement_told import StandingCourse
from referee.adjudicator.table import GameTable
from referee.core.account import Account
from referee.core.bought_energy import BatteryOrder
from referee.core.combat import Declaration, Shot, Unit
from referee.core.hexgrid import Hex
from referee.judging.fire_account import account_of
from referee.rulebooks.registry import load_rulebook, load_ship

BOOK = load_rulebook("sfb-cadet")
FED, D6 = load_ship("cadet/federation-ca"), load_ship("cadet/klingon-d6")
HOOD = Unit("Hood", FED, hex=Hex(9, 15), facing="A")
KHARG = Unit("Kharg", D6, hex=Hex(9, 12), facing="D")


def shot(mark: str, target: Unit = KHARG, turn: int = 2, impulse: int = 5) -> Shot:
    mount = FED.mount(mark)
    assert mount is not None
    paid = {"energy": "paid", "fire_control": "paid", "last_fired": None, "lock_on": True}
    return Shot(mark, mount.type, HOOD, target, turn, impulse, 32, mount, **paid)


def told(*shots: Shot, fed: tuple[BatteryOrder, ...] = (), capacitor: int | None = None) -> Account:
    charged = () if capacitor is None else (("Hood", Fraction(capacitor)),)
    declaration = Declaration(shots, charged, batteries=tuple((name, Fraction(0)) for name, _ in charged))
    return account_of(BOOK, declaration, (HOOD, KHARG), fed)


def errors(account: Account) -> list[str]:
    table = GameTable(BOOK, load_ship, account)
    (report,) = table.fire.reports
    assert report.findings == tuple(finding for _, finding in table.found) == table.report().findings
    return [finding.key for finding in report.findings if finding.severity == "error"]


def test_an_account_of_fire_tells_ships_a_moment_and_shots_and_no_moves() -> None:
    account = told(shot("PH-1/A"), shot("PHOT/A"))
    assert [event.type for event in account.events] == ["genesis", "ship", "ship", "step", *["order"] * 2]
    assert [ship["at"] for ship in account.ships] == ["0915A", "0912D"]
    assert isinstance(course_of(BOOK, load_ship, account), StandingCourse)
    assert isinstance(fire_of(BOOK, load_ship, account), FireInStep)
    table = GameTable(BOOK, load_ship, account)
    assert table.moment[:2] == (2, 5) and table.found == []
    assert str(table.state.ships["Hood"].unit.hex) == "0915"


def test_fire_by_the_rules_is_asked_of_all_of_them() -> None:
    table = GameTable(BOOK, load_ship, told(shot("PH-1/A"), shot("PHOT/A")))
    assert table.report().verdict == "legal" and "D2.2" in table.report().checked


def test_shots_of_a_step_are_judged_together() -> None:
    assert errors(told(shot("PH-1/A"), shot("PH-1/A"))) == ["E1.2"]
    behind = Unit("Kharg", D6, hex=Hex(9, 18), facing="A")
    assert errors(told(shot("PHOT/A", behind))) == ["D2.2"]


def test_phasers_fire_what_their_ship_has() -> None:
    assert errors(told(shot("PH-1/A"), shot("PH-1/B"), capacitor=2)) == []
    assert errors(told(shot("PH-1/A"), shot("PH-1/B"), capacitor=1)) == ["E2.21"]


def test_batteries_are_judged_after_the_fire() -> None:
    order = battery_order(BOOK, FED, "Hood", (2, 5), Fraction(9), ("PH-1/A",), Fraction(2))
    assert errors(told(shot("PH-1/A"), shot("PH-1/A"), fed=(order,))) == ["E1.2", "B3.0-21/ordered"]


def test_shots_of_several_moments_have_none_together() -> None:
    account = told(shot("PH-1/A", turn=1), shot("PH-1/B"))
    assert "step" not in [event.type for event in account.events]
