"""What players type and read is as it was, word for word."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest

from tests.net.transcripts import SAID, played

pytestmark = [pytest.mark.net, pytest.mark.usefixtures("own_folder")]


@pytest.mark.parametrize("path", sorted(SAID.glob("*.txt")), ids=lambda path: path.stem)
def test_a_transcript_is_played_word_for_word(path: Path) -> None:
    stood, now = path.read_text(encoding="utf-8"), played(path)
    difference = "\n".join(unified_diff(stood.splitlines(), now.splitlines(), "stood", "now", lineterm=""))
    assert stood == now, difference
