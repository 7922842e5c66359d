"""Fire is put together once where its dice tell whose they are, and then comes to the same as when it is gone through twice."""

from __future__ import annotations

import pytest

import referee.sources.sfbol_volleys as sfbol_volleys
from referee.formats.sfbol_games import parts_of, read_game
from referee.sources.sfbol_names import Names
from tests.unit.adjudicator.test_plain_fire import fought


@pytest.mark.parametrize("seed", range(30))
def test_fire_gone_through_once(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = fought(seed)
    if seed % 3 == 2:
        # A player called as a ship, and one whose dice may be of several.
        lines = [
            line.replace("Skylark", "Sabre").replace("Bob Rolls", "Ann Rolls", seed % 2) for line in lines
        ]
    if seed % 3 == 1:
        lines = [line for n, line in enumerate(lines) if " Rolls " not in line or n % 4]
    (part,) = parts_of("\n".join(lines).encode(), "a.log")
    facts = read_game(part, "a.log").facts
    once = sfbol_volleys.fire_of(facts, Names(facts, "a.log"), "a.log", lambda *_: False)
    before = sfbol_volleys._Table.play

    def unclear(table: sfbol_volleys._Table, facts: object) -> None:
        before(table, facts)  # type: ignore[arg-type]
        table.unclear = True

    monkeypatch.setattr(sfbol_volleys._Table, "play", unclear)
    twice = sfbol_volleys.fire_of(facts, Names(facts, "a.log"), "a.log", lambda *_: False)
    assert (once.blocks, once.shield, once.throwers, once.odd) == (
        twice.blocks,
        twice.shield,
        twice.throwers,
        twice.odd,
    )
    assert [vars(volley) for volley in once.silent.values()] == [
        vars(volley) for volley in twice.silent.values()
    ]
