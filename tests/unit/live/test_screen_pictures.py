"""The pictures of the umpire's guide are what the screen shows."""

from __future__ import annotations

import pytest

from referee.live.screen.keys import KEYS
from tests.conftest import ROOT
from tests.unit.live.pictures import FOLDER, pictures
from tests.write_picture import words_in

GUIDE = (ROOT / "docs" / "umpire.md").read_text(encoding="utf-8")


def test_the_pictures_are_what_the_screen_shows() -> None:
    drawn = pictures()
    there = {name: (FOLDER / name).read_text(encoding="utf-8") for name in drawn}
    stale = [name for name, svg in drawn.items() if words_in(there[name]) != words_in(svg)]
    assert not stale, "python -m tests.unit.live.pictures"
    assert all(f"pictures/{name}" in GUIDE for name in drawn)


@pytest.mark.parametrize("keys", [keys for keys, _ in KEYS])
def test_every_key_is_in_the_guide(keys: str) -> None:
    assert all(f"`{key}`" in GUIDE for key in keys.split() if key != "0-9")
