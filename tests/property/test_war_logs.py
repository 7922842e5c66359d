"""Wars of several turns fought by the rules and logged are audited clean; one thing spoilt is found at its step."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.core.finding import Report, Severity
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from tests.conftest import examples, mostly_long
from tests.property.test_logs_properties import any_game, show
from tests.unit.formats.vassal.game_logs import legal_game, module_bytes, write_log
from tests.unit.formats.vassal.odd_dice import CHEATS, TOLD
from tests.unit.formats.vassal.odd_logs import OddWriter, VeilWriter
from tests.unit.formats.vassal.war_logs import DOUBTS, SPOILS, war

Audit = Callable[[bytes], Report]
FIRST = {"far": 31, "near": 34, "gap": 5}
"""Seeds of wars in which what is rare happens."""
ENOUGH = mostly_long([1, 3], lambda enough: enough == 1)


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    path = tmp_path_factory.mktemp("module") / "generated.vmod"
    path.write_bytes(module_bytes())
    asked = Asked(Settings(), module=str(path), digests=False)
    return lambda data: judge_file(InputBytes("game.vlog", data, "save"), asked)


@given(st.integers(0, 2**32))
@examples(20)
def test_a_legal_war_is_clean(audit: Audit, seed: int) -> None:
    fought = war(Random(seed))
    assert fought is not None
    report = audit(fought.data)
    assert [f for f in report.findings if f.severity is not Severity.NOTE] == [], show(report)
    assert not [item for item in report.not_checked if item.key.startswith(("D4", "E"))], report.not_checked


@given(st.integers(0, 2**32))
@example(61)  # marks of three volleys out of turn
@example(217)  # a slip, the other's die, and more fire of the same player's
@example(1181)  # marks that settle whose die it was, after more fire
@example(1316)  # a slip that would do for the shots of both players
@example(1369)  # a die for fun before the fire, whose dice are lent
@example(3062)  # a die for fun of the other player, who lends one later
@example(2042)  # the other's dice missed: nothing is told or marked of them
@examples(40, derandomize=True)  # one in some thousands is beyond telling
def test_an_odd_war_is_clean(audit: Audit, seed: int) -> None:
    """Fought by the rules at a table that talks, rolls by slip, for fun and for each other, and marks late; what is
    marked out of turn, and dice that are not the shots', are warned of."""
    fought = war(Random(seed), odd=True)
    assert fought is not None
    report = audit(fought.data)
    told = {f.key for f in report.findings if f.severity is not Severity.NOTE}
    assert told <= {"NOTE/marked-late", *TOLD}, show(report)


@given(st.integers(0, 2**32))
@example(2419)  # a ship that circled, undone in part where it stood before
@examples(20)
def test_odd_moves_are_clean(audit: Audit, seed: int) -> None:
    random = Random(seed)
    game = any_game(random)
    OddWriter.random = random
    report = audit(write_log(game, by=OddWriter).data)
    assert [f for f in report.findings if f.severity is not Severity.NOTE] == [], show(report)
    assert not [item for item in report.not_checked if item.key == "C1.4"], report.not_checked


@given(st.integers(0, 2**32))
@example(33)  # a ship seen again as the first in its turn
@example(378)  # a move put right, the ship hidden, and moved on unseen before a faster one
@example(34)  # a move put right, and the ship hidden and moved on before it is seen
@examples(20)
def test_veiled_moves_are_free_of_errors(audit: Audit, seed: int) -> None:
    """Ships masked and hidden between their moves, and moves put right an impulse late: no error, nor a doubt."""
    random = Random(seed)
    game = any_game(random)
    VeilWriter.random = random
    report = audit(write_log(game, by=VeilWriter).data)
    told = {f.key for f in report.findings if f.severity is not Severity.NOTE}
    assert told <= {"NOTE/put-right-late"}, show(report)
    assert not any(f.severity is Severity.UNDECIDED for f in report.findings), show(report)


@given(st.integers(0, 2**32))
@examples(20)
def test_a_jump_out_of_sight_is_found(audit: Audit, seed: int) -> None:
    random = Random(seed)
    game = legal_game(random, ships=random.randint(1, 3), turns=1)
    writers: list[VeilWriter] = []

    class Cheat(VeilWriter):
        spoil = True

        def finish(self) -> bytes:
            writers.append(self)
            return super().finish()

    Cheat.random = random
    report = audit(write_log(game, by=Cheat).data)
    errors = [(f.key, f.subject, f.location.step) for f in report.findings if f.severity is Severity.ERROR]
    (writer,) = writers
    found = [("C1.1/continues", writer.spoilt, writer.wrong)] if writer.spoilt else []
    assert errors == found, show(report)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("enough", ENOUGH)
@pytest.mark.parametrize(
    ("spoil", "odd"), [*((spoil, False) for spoil in SPOILS), *((spoil, True) for spoil in CHEATS)]
)
def test_what_is_spoilt_is_found(audit: Audit, spoil: str, odd: bool, enough: int) -> None:
    """The more so where a die is chosen at a table that slips with dice all the time."""
    found = 0
    for seed in range(FIRST.get(spoil, 0), 200):
        fought = war(Random(seed), spoil, odd=odd)
        if fought is None:
            continue
        report = audit(fought.data)
        errors = [f for f in report.findings if f.severity is Severity.ERROR]
        about = (f for f in errors if f.rule.startswith(fought.rules) and f.subject in fought.subjects)
        assert any(f.location.step == fought.wrong for f in about), f"seed {seed}\n{show(report)}"
        assert {f.location.step for f in errors} == {fought.wrong}, f"seed {seed}\n{show(report)}"
        found += 1
        if found == enough:
            return
    assert found, "nothing was spoilt"


@pytest.mark.parametrize("enough", ENOUGH)
@pytest.mark.parametrize("doubt", DOUBTS)
def test_what_is_doubtful_is_told(audit: Audit, doubt: str, enough: int) -> None:
    told = 0
    for seed in range(200):
        fought = war(Random(seed), doubt)
        if fought is None:
            continue
        report = audit(fought.data)
        steps = [f.location.step for f in report.findings if f.key == DOUBTS[doubt]]
        assert steps == [fought.wrong], f"seed {seed}\n{show(report)}"
        assert not any(f.severity is Severity.ERROR for f in report.findings), f"seed {seed}\n{show(report)}"
        told += 1
        if told == enough:
            return
    assert told, "nothing was done"
