"""What the worked examples that concern fire say in passing; the examples are in `tests/worked_examples.json`."""

from __future__ import annotations

from referee.adjudicator.fire import resolve_shots, volleys_of
from referee.core.dice import ScriptedDice
from referee.rulebooks.registry import load_rulebook
from tests.unit.rulebooks.sfb.firecases import shot_of

BOOK = load_rulebook("sfb-standard")


def test_the_shots_of_source_000_make_one_volley() -> None:
    """8 photon and 13 phaser points from range 3: one volley of 21 on shield 1."""
    fed = {
        "ship": "cadet/federation-ca",
        "at": "0915D",
        "target_at": "0918A",
        "target_ship": "cadet/klingon-d6",
    }
    shots = [shot_of({**fed, "weapon": weapon}) for weapon in ("PHOT-A", "PH-1A", "PH-1B", "PH-1C")]
    results = resolve_shots(load_rulebook("sfb-cadet"), shots, ScriptedDice([4, 1, 3, 6]))
    assert [result.damage for result in results] == [8, 6, 4, 3]
    (volley,) = volleys_of(load_rulebook("sfb-cadet"), results)
    assert (volley.order.points, volley.order.shield) == (21, 1)
