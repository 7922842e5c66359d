"""Rulings, notes and seals at a desk: what was written by itself goes back by itself, at any moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.play.desk import Desk
from tests.conftest import ROOT
from tests.unit.play.test_desk import begun, without_forms


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return begun(tmp_path, "--umpire", "uma")


@pytest.mark.parametrize("kind", ["note", "rule"])
def test_a_word_at_energy_allocation_is_taken_back_and_brought_back(desk: Desk, kind: str) -> None:
    assert getattr(desk, kind)("wrong").entered
    seq = desk.count - 1
    assert [entry.seq for entry in desk.going().goes] == [seq]
    assert desk.undo().entered and seq in desk.game.state.undone
    assert desk.undo().error == "there is nothing to take back"
    assert desk.redo().entered and seq not in desk.game.state.undone


@pytest.mark.parametrize("kind", ["note", "rule"])
def test_a_word_after_an_act_goes_back_by_itself(desk: Desk, kind: str) -> None:
    desk.say("c s 16")
    act = desk.count - 1
    assert getattr(desk, kind)("wrong").entered
    assert [entry.seq for entry in desk.going().goes] == [act + 1]
    assert desk.undo().entered and desk.last_act == act


def test_the_ruling_on_what_stands_goes_with_it(desk: Desk) -> None:
    desk.say("c s 16; w s 16")
    desk.next()
    count = desk.count
    desk.say("c f ph1a w")
    assert desk.let_stand("agreed").entered
    assert desk.game.entries[-1].type == "ruling" and desk.last_act == count


def test_the_note_on_dice_goes_with_them(desk: Desk) -> None:
    without_forms(desk)
    desk.say("c f ph1a,b w")
    fire = desk.last_act
    desk.next()
    assert desk.faces("3t").entered
    assert desk.last_act == fire


def test_what_is_sealed_is_sealed_anew(desk: Desk) -> None:
    form = ROOT / "examples" / "by_mail" / "constellation.csv"
    sealed = desk.seal_form("Constellation", str(form))
    assert sealed.entered, desk.unseen
    seq = desk.count - 1
    error = desk.undo().error
    assert error == f"Constellation's form (#{seq}) stays sealed: `secret Constellation FILE` seals anew"
    assert desk.seal_form("Constellation", str(form)).entered
    assert desk.game.state.sealed("Constellation", 1, "eaf").revision == 2  # type: ignore[union-attr]
    desk.note("wrong")
    assert [entry.type for entry in desk.going().goes] == ["note"]
