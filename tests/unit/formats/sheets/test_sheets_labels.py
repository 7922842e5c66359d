from __future__ import annotations

import pytest

from referee.core.forms import FormLabels
from referee.formats.eaform import LabelIndex
from referee.rulebooks.sfb import LINES

CONTRACT = {
    "1": ["Warp Power", "Warp Engines", "1. Warp engines", "  warp-POWER "],
    "2": ["Impulse Power", "2 Impulse Power"],
    "3": ["Atomic Power", "Reactor Power", "APR Power", "3) reactor"],
    "4": ["Total Power", "Total Power available"],
    "5": ["Btty Avail", "BttyAvail", "Batt Avail", "Battery Available", "Batteries Available"],
    "6": ["BttyUsedEA", "Batteries Discharged"],
    "7": ["Life Support", "7. LIFE SUPPORT"],
    "8": ["Fire Control", "Active Fire Control", "AFC"],
    "9": ["Charge Phasers", "Phasrecharge", "Phaser Recharge", "9. Charge PHASERS"],
    "9:held": ["Phas Cap"],
    "9:fired": ["PhasFired", "Phas Fired"],
    "11": ["Shields", "Activate Shields"],
    "12": ["General Reinforcement", "Gen Reinf"],
    "13": ["Spec Reinf", "Shield Reinforcement", "13. REINFORCE SHIELDS"],
    "13:2": ["Shield Reinforcement 2", "Shield Reinf #2", "Shield 2 Reinforcement", "Shield 2"],
    "13:3": ["Spec Reinf 3", "SpecReinf3"],
    "13:4": ["Shield #4"],
    "14": [
        "Movement",
        "14 MOVEMENT",
        "14.MOVEMENT",
        "Line 14: Movement",
        "line 14 - movement",
        "14",
        "L14",
        "Line 14",
        "Movement (warp)",
    ],
    "15": ["Dam Con", "Damage Control", "DamCon"],
    "16": ["BttyRecharge", "Battery Recharge", "Recharge Batteries"],
    "17": ["Tractor"],
    "18": ["Transporter"],
    "19:ecm": ["ECM"],
    "19:eccm": ["ECCM"],
    "19:cloak": ["Cloak", "19A Cloak", "19A. Cloak"],
    "20": ["Total Used", "Total Power Used"],
    "21": ["BttyUsedInTurn"],
    "10:PHOT/A": ["Photon A", "PHOT-A", "photon a", "10. Photon A", "Photon (A)", "PHOT/A", "PhotonA"],
    "10:TORP/A": ["Torp A", "Torpedo A"],
    "10:DISR/B": ["Disr B", "DISR/B", "Disruptor B"],
    "10:DISR/1": ["Disr 1"],
    "10:PL/A": ["Plasma A"],
    "10:PL-S/A": ["PL-S A", "PL-S/A", "Plasma-S A", "pls a"],
}


@pytest.mark.parametrize(
    ("line", "label"), [(key, label) for key, group in CONTRACT.items() for label in group]
)
def test_spellings(index: LabelIndex, line: str, label: str) -> None:
    assert index.line(label) == line


@pytest.mark.parametrize(
    "label", ["", "Banana", "Photon", "PL-S", "Photon AB", "Shield 7", "22", "Shield 2 3", "Phaser 1"]
)
def test_unknown(index: LabelIndex, label: str) -> None:
    assert index.line(label) is None


def test_plural_is_no_tube(index: LabelIndex) -> None:
    assert index.line("Torps") == "10"
    assert index.line("Disrs") is None


@pytest.mark.parametrize(
    ("heading", "turn"),
    [
        ("1", 1), ("Turn 1", 1), ("T1", 1), ("turn 01", 1), ("TURN #12", 12), ("t 3", 3), ("Turn No. 4", 4),
        ("12", 12), ("", None), ("Notes", None), ("0", None), ("1.5", None), ("-1", None), ("Turn", None),
        ("1234", None), ("Turn 1 of 5", None), ("１", None), ("x1", None), ("1st", None),
    ],
)  # fmt: skip
def test_headings(index: LabelIndex, heading: str, turn: int | None) -> None:
    assert index.turn_number(heading) == turn


def test_blanks_and_ignored(index: LabelIndex) -> None:
    assert all(index.is_blank(text) for text in ("", " ", "x", "X", "-", "n/a", "N/A "))
    assert not index.is_blank("0")
    assert index.is_ignored("Notes") and not index.is_ignored("Movement")


def test_a_spelling_for_two_lines_is_a_mistake_in_the_data() -> None:
    with pytest.raises(ValueError, match="warp"):
        LabelIndex(FormLabels(lines={"1": ("Warp",), "2": ("warp",)}, weapons={}, form=LINES))
    with pytest.raises(ValueError, match="empty"):
        LabelIndex(FormLabels(lines={"1": ("--",)}, weapons={}, form=LINES))
