"""What is chosen anew, knowing what another had sealed and shown, before the game went back past it."""

from __future__ import annotations

from typing import Any

from referee.adjudicator.chosen_anew import chosen_anew, form_lines
from referee.core.frozen import replace
from referee.core.seals import Seal

ANN = Seal("a", 9, "moves", 1, "Con", "ann", 1, 2, {"line_1": "ahead"}, frozenset(("line_1",)), True)
ANN = replace(ANN, shown_in=11, gone_back=True)
BEN = replace(ANN, hash="b", seq=10, ship="Des", player="ben", shown={"line_1": "left"}, shown_in=12)


def found(*seals: Seal, standing: tuple[Seal, ...] = (), did: Any = ("right",), seq: int = 20) -> list[str]:
    known = chosen_anew(
        seals,
        standing,
        lambda seal: list(seal.shown.values()),
        lambda seal: None if did is None else (seq, did if seal.ship == "Des" else ("ahead",)),
    )
    return [anew.seal.ship for anew in known]


def test_another_move_than_was_shown_is_found() -> None:
    assert found(ANN, BEN) == ["Des"]


def test_the_same_move_and_none_are_not() -> None:
    assert found(ANN, BEN, did=("left",)) == [] and found(ANN, BEN, did=None) == []


def test_what_was_never_shown_may_be_another() -> None:
    hidden = replace(BEN, shown={}, fields=frozenset(), revealed=False, shown_in=0)
    assert found(ANN, hidden, did=("left",)) == ["Des"]


def test_who_knows_nothing_of_others_chooses_freely() -> None:
    assert found(BEN) == [] and found(replace(ANN, player="ben"), BEN) == []
    assert found(replace(ANN, impulse=3), BEN) == []


def test_what_stands_and_was_shown_before_the_game_went_back_is_known() -> None:
    assert found(BEN, standing=(ANN,)) == ["Des"]
    assert found(BEN, standing=(replace(ANN, gone_back=False),)) == [], "it was shown after that"


def test_what_was_chosen_before_another_was_shown_is_free() -> None:
    assert found(ANN, BEN, seq=10) == []
    late = replace(BEN, hash="c", seq=15, shown={"line_1": "right"}, shown_in=16)
    assert found(replace(ANN, shown_in=17), replace(BEN, shown={}, revealed=False), late) == [], (
        "as it was last sealed"
    )
    assert found(ANN, BEN, late) == ["Des"], "what it sealed then was chosen knowing it"


def test_the_lines_of_a_form_that_hold_nothing_do_not_count() -> None:
    form = {
        "a": {"line": "14", "amount": "12"},
        "b": {"line": "9", "amount": "0"},
        "c": {"line": "1", "amount": ""},
    }
    assert form_lines(form) == ("line 14: 12",)
