"""What is chosen anew, knowing what another had sealed and shown, before the game went back past it."""

from __future__ import annotations

from typing import Any

from referee.adjudicator.chosen_anew import chosen_anew
from referee.core.frozen import replace
from referee.core.seals import Seal

KEYS = {"moves": "C1.3/kept", "fire": "E1.1/kept"}
ANN = Seal("a", 9, "moves", 1, "Con", "ann", 1, 2, {"line_1": "ahead"}, frozenset(("line_1",)), True)
BEN = replace(ANN, hash="b", seq=10, ship="Des", player="ben", shown={"line_1": "left"})


def found(*seals: Seal, did: Any = ("right",)) -> list[str]:
    known = chosen_anew(
        seals,
        KEYS,
        lambda seal: list(seal.shown.values()),
        lambda seal: did if seal.ship == "Des" else ("ahead",),
    )
    return [finding.subject for finding in known]


def test_another_move_than_was_shown_is_found() -> None:
    assert found(ANN, BEN) == ["Des"]


def test_the_same_move_and_none_are_not() -> None:
    assert found(ANN, BEN, did=("left",)) == [] and found(ANN, BEN, did=None) == []


def test_what_was_never_shown_may_be_another() -> None:
    hidden = replace(BEN, shown={}, fields=frozenset(), revealed=False)
    assert found(ANN, hidden, did=("left",)) == ["Des"]


def test_who_knows_nothing_of_others_chooses_freely() -> None:
    assert found(BEN) == [] and found(replace(ANN, player="ben"), BEN) == []
    assert found(replace(ANN, impulse=3), BEN) == []
