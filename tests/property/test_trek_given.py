"""Whatever is given to a rule that works something out: a value, or one line and exit 2; never a fault."""

from __future__ import annotations

import json
from contextlib import redirect_stderr, redirect_stdout
from inspect import Parameter, signature
from io import StringIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.cli.main import run
from referee.core.errors import BadInput
from referee.rulebooks.registry import load_rulebook
from referee.rulebooks.trek.shipyard import library
from referee.rulebooks.trek.working import work_out, worked_from
from tests.conftest import examples
from tests.unit.rulebooks.trek.trekcases import all_cases

BOOK = load_rulebook("trek")
CHARTS = library(BOOK).charts
RULES = {key: rule for key, rule in BOOK.rules.items() if rule.kind == "resolve"}
HOSTILE = (
    *(
        "",
        "0",
        "-1",
        "-7",
        "00",
        "-0",
        "1",
        "2",
        "3",
        "7",
        "10",
        "11",
        "100",
        "101",
        "9999",
        "10000",
        "9" * 5000,
    ),
    *("1/0", "0/0", "1/2", "-1/2", "1/", "/", "1/1/1", "0.5", "1.5", "-0.0", "1e9", "1e999999999", "1e-400"),
    *(
        "NaN",
        "nan",
        "Infinity",
        "-Infinity",
        "inf",
        "null",
        "None",
        "true",
        "false",
        "yes",
        "[]",
        "{}",
        "[[]]",
    ),
    *(
        "7,3,4",
        "9,7",
        ",",
        "1,,2",
        "[7,3,4]",
        "[0]",
        "[-1]",
        "[null]",
        '["A"]',
        '[["A"],["B","C"]]',
        "[[1],2]",
    ),
    *('{"A":1}', '{"A":[60,41]}', '{"A":[]}', '{"7":1,"8":2}', '{"-1":-1}', '{"":null}', '{"x":{"y":[]}}'),
    *("cat", "plasma", "beam", "fire", "table", "up", "0505A", "0505", "1510", "charts", "self", "shield 3"),
    *(
        "\x00",
        "a\nb",
        "\x1b[2J",
        "é",
        "٣",
        "²",
        "\udcff",
        "=",
        "a=b",
        '"\\ud800"',
        "[" * 3000,
        "x" * 3000,
        "'",
    ),
)
"""Nothing, negative, huge, text, lists and tables of every kind, what is no number, and no text either."""


def worked(*arguments: str) -> tuple[int, str, str]:
    """What `referee trek work` says."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(["trek", "work", *arguments])
    return code, out.getvalue(), err.getvalue()


def holds(*arguments: str) -> int:
    """A value as JSON and nothing else, or one line of reason and exit 2."""
    code, out, err = worked("--json", "--", *arguments)
    if code == 0:
        assert err == ""
        json.loads(out, parse_constant=pytest.fail)
        assert worked("--", *arguments)[0] == 0
    else:
        assert code == 2 and out == "" and err.count("\n") == 1, (arguments, err)
        assert err.removesuffix("\n").isprintable() and len(err) < 1000, (arguments, err)
    return code


def refused(key: str, *given: str) -> bool:
    """The same without the command line: is there no value? A fault of any other kind is raised."""
    try:
        result = work_out(BOOK, CHARTS, key, worked_from(given))
    except BadInput as error:
        assert str(error).isprintable() and len(str(error)) < 1000, (key, given)
        return True
    json.dumps(result, allow_nan=False).encode("ascii")
    return False


def names(key: str) -> list[str]:
    return [name for name in signature(RULES[key].decide).parameters if name != "charts"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("key", RULES)
def test_one_hostile_value_among_good_ones(key: str) -> None:
    good = next(case.says["given"] for case in all_cases() if case.rule == key and case.kind == "resolves")
    said = {name: f"{name}={json.dumps(value)}" for name, value in good.items()}
    assert not refused(key, *said.values())
    for name in names(key):
        others = [text for other, text in said.items() if other != name]
        needed = signature(RULES[key].decide).parameters[name].default is Parameter.empty
        assert refused(key, *others) == needed
        assert refused(key, *others, f"{name}=", f"{name}=")
        assert [value for value in HOSTILE if refused(key, *others, f"{name}={value}")]
    assert refused(key, *said.values(), "=1") and refused(key, *said.values(), "x")


@st.composite
def asked(draw: st.DrawFn) -> list[str]:
    """A rule with some of its names, one perhaps unknown, each with anything."""
    key = draw(st.sampled_from(sorted(RULES)))
    value = st.one_of(
        st.sampled_from(HOSTILE),
        st.integers(-20, 120).map(str),
        st.fractions().map(str),
        st.lists(st.integers(0, 12), max_size=5).map(lambda dice: ",".join(map(str, dice))),
        st.text(max_size=8),
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4)),
            lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=3), part, max_size=3),
            max_leaves=6,
        ).map(json.dumps),
    )
    said = [f"{name}={draw(value)}" for name in names(key) if draw(st.integers(0, 9))]
    return [
        key,
        *said,
        *([f"{draw(st.text(max_size=4))}={draw(value)}"] if not draw(st.integers(0, 9)) else []),
    ]


@given(asked())
@example(["trek-65", "rolls=7,3,4", "points=9"])
@example(["trek-62", "superstructure=0", "damage=3", "mult=2"])
@example(["\x1b[2J\n"])
@examples(300)
def test_anything_given_to_any_rule(arguments: list[str]) -> None:
    holds(*arguments)
