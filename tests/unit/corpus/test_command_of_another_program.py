"""The command of another program, as it is typed on Windows and elsewhere."""

from __future__ import annotations

import pytest

from referee.core.errors import BadInput
from referee.corpus.partner import words_of


def test_a_backslash_parts_folders_on_windows_and_escapes_elsewhere() -> None:
    typed = r'"C:\Program Files\node.exe" C:\games\moves.mjs'
    assert words_of(typed, escape="") == [r"C:\Program Files\node.exe", r"C:\games\moves.mjs"]
    assert words_of(r"node my\ moves.mjs 'a # b'", escape="\\") == ["node", "my moves.mjs", "a # b"]


def test_a_quote_that_is_left_open_is_named() -> None:
    with pytest.raises(BadInput, match="no closing quotation"):
        words_of("node 'moves.mjs")
