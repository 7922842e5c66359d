"""TOML from strangers: what takes the parser long is refused before it, what reads like it is not."""

from __future__ import annotations

import pytest

from referee.core.errors import BadInput
from referee.formats.limits import MAX_TOML_DIGITS, MAX_TOML_DOTS, MAX_TOML_FILE
from referee.formats.stricttoml import load_toml

DOTTED = ".".join("a" * 20_000)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{DOTTED} = 1", "dots"),
        (f"[{DOTTED}]", "dots"),
        (" . ".join(['"a"'] * 10_000) + " = 1", "dots"),
        (f'# "\n{DOTTED} = 1 # "', "dots"),
        (f"# '''\n{DOTTED} = 1\n# '''", "dots"),
        (f'a = """\nb"""\n{DOTTED} = 1', "line 3: more than 16 dots"),
        ("a = " + "9" * 5_000, "digits"),
        ("a = 0x" + "f" * 5_000, "digits"),
        ("a = 1." + "9" * 5_000, "digits"),
        ("a = [\n" + "9" * 5_000 + "]", "line 2"),
        ("a = " + "[" * 5_000, "is not TOML"),
        ("a = 1979-99-99", "is not TOML"),
        ("a = \xff", "is not TOML"),
        ("#" * (MAX_TOML_FILE + 1), "larger than"),
    ],
)
def test_what_takes_long_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadInput) as refused:
        load_toml(text.encode("latin-1"), "house.toml")
    assert reason in str(refused.value) and str(refused.value).startswith("house.toml: ")


def test_texts_and_comments_hold_what_they_like() -> None:
    text = f"""
        # {"." * 200} {"9" * 200}
        title = "{"." * 200} \\" {"9" * 200}"
        other = '{"." * 200}'
        long = \"\"\"{"9" * 200}
        {"." * 200}\"\"\"
        off = ["B3.0-20", "B3.0-14/acceleration"]
        [severity]
        "B3.0-20" = "note"
        {".".join("a" * (MAX_TOML_DOTS + 1))} = {"9" * MAX_TOML_DIGITS}
    """
    read = load_toml(text.encode(), "house.toml")
    assert read["title"] == "." * 200 + ' " ' + "9" * 200 and read["severity"]["B3.0-20"] == "note"
