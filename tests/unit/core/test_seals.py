"""Sealed orders by hash, turn, ship and kind, and which of them stand."""

from __future__ import annotations

from dataclasses import replace

from referee.core.seals import Seal, Seals

FIRST = Seal("a", 3, "moves", 1, "Destr", "bob", 1)
AGAIN = replace(FIRST, hash="b", seq=5, revision=2)
LATER = replace(FIRST, hash="c", seq=6, impulse=4, revision=1)
OTHER = replace(FIRST, hash="d", seq=7, ship="Const")


def sealed(*row: Seal) -> Seals:
    seals = Seals()
    for seal in row:
        seals = seals.having(seal)
    return seals


def test_seals_are_found_by_hash_turn_ship_and_kind() -> None:
    seals = sealed(FIRST, AGAIN, OTHER, replace(OTHER, hash="e", seq=8, turn=2))
    assert [seal.hash for seal in seals] == ["a", "b", "d", "e"]
    assert len(seals) == 4 and seals[1] is AGAIN and seals[:1] == (FIRST,)
    assert seals.get("b") is AGAIN and seals.get("x") is None and seals.known("d") is OTHER
    assert [seal.hash for seal in seals.of_turn(1)] == ["a", "b", "d"] and seals.of_turn(9) == []
    assert seals.about(1, "Destr", "moves") == [FIRST, AGAIN] and seals.about(1, "Destr", "eaf") == []


def test_what_is_shown_takes_the_place_of_the_seal_and_changes_no_earlier_row() -> None:
    before = sealed(FIRST, OTHER)
    after = before.having(replace(FIRST, revealed=True))
    assert [seal.revealed for seal in after] == [True, False] and len(after.of_turn(1)) == 2
    assert not any(seal.revealed for seal in before) and before == sealed(FIRST, OTHER) != after


def test_a_seal_is_replaced_by_the_last_whose_span_overlaps() -> None:
    seals = sealed(FIRST, AGAIN, LATER, OTHER)
    assert seals.replacing(FIRST) is LATER
    assert seals.replacing(LATER) is None and seals.replacing(OTHER) is None
