"""Reads TOML from strangers: screened first for what takes the parser long or more memory than a file may."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from referee.core.errors import BadInput
from referee.formats.files import as_text
from referee.formats.limits import MAX_TOML_DIGITS, MAX_TOML_DOTS, MAX_TOML_FILE

# Comments and texts, in the order in which they are met: what stands in them names and counts nothing.
_QUIET = re.compile(
    r'#[^\n]*|"""(?:[^\\]|\\.)*?"""|'
    r"'''.*?'''|"
    r'"(?:[^"\\\n]|\\.)*"|'
    r"'[^'\n]*'",
    re.DOTALL,
)
_LONG_NUMBER = re.compile(f"[0-9_]{{{MAX_TOML_DIGITS + 1}}}|0[xob][0-9a-fA-F_]{{{MAX_TOML_DIGITS + 1}}}")


def load_toml(data: bytes, file: str) -> dict[str, Any]:
    """The tables in TOML bytes. Raises BadInput with the line where they cannot be read."""
    if len(data) > MAX_TOML_FILE:
        raise BadInput(f"larger than {MAX_TOML_FILE} bytes", file=file)
    try:
        text = as_text(data, file, "it is not TOML")
        _screen(text, file)
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"is not TOML ({error})", file=file) from None


def _screen(text: str, file: str) -> None:
    """The parser keeps every beginning of a dotted key, and for a number of thousands of digits Python has
    an error that is none of TOML's."""
    for number, line in enumerate(_QUIET.sub(_lines_of, text).split("\n"), 1):
        if line.count(".") > MAX_TOML_DOTS:
            raise BadInput(f"more than {MAX_TOML_DOTS} dots", file=file, place=f"line {number}")
        if _LONG_NUMBER.search(line):
            raise BadInput(
                f"a number of more than {MAX_TOML_DIGITS} digits", file=file, place=f"line {number}"
            )


def _lines_of(text: re.Match[str]) -> str:
    """As many lines, with nothing in them."""
    return "\n" * text[0].count("\n")
