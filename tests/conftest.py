"""What every test may ask for: the examples, and the shared files where they lie beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"

# How long an example takes says how busy the machine is; speed is what benchmarks/ is for.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def duel() -> Path:
    """The folder of the example duel."""
    return ROOT / "examples" / "duel"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared folder; the test is skipped where it is not there."""
    if not SHARED.is_dir():
        pytest.skip("no ../shared beside this checkout")
    return SHARED
