"""Commands find the rules of fire too."""

from __future__ import annotations

import pytest

from referee.rulebooks import registry
from tests.unit.combat.firebook import fire_rulebook, load_packaged


@pytest.fixture(autouse=True)
def rules_of_fire(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rulebooks as they are with the rules of fire."""
    monkeypatch.setattr(
        registry,
        "load_rulebook",
        lambda id: fire_rulebook(id) if id.startswith("sfb-") else load_packaged(id),
    )
