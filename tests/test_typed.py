"""Fire and forms in every format are answered to the byte as they were; a change is written down and read.

`python -m tests.frozen.write` writes it anew.
"""

from __future__ import annotations

import pytest

from tests.frozen import typed


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REFEREE_RULEBOOK", "REFEREE_COLOR", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


def test_fire_and_forms_are_answered_as_before() -> None:
    stood = typed.TYPED.read_text(encoding="utf-8").splitlines()
    now = list(typed.lines())
    assert len(now) == len(stood)
    difference = "\n".join(f"- {was}\n+ {line}" for was, line in zip(stood, now, strict=True) if was != line)
    assert not difference, difference
