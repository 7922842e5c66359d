"""Every published case, a test for each rule; and every worked example of the sources is one of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.net.command import command
from tests.net.corpuscases import answer, cases, contents, disagreement

pytestmark = pytest.mark.net
FILES = [listed["file"] for listed in contents()["files"]]
VECTORS = json.loads(Path(__file__).parents[1].joinpath("worked_examples.json").read_bytes())


@pytest.mark.parametrize("file", FILES)
def test_each_case_of_a_rule_is_answered_as_it_says(file: str) -> None:
    wrong = [
        f"{case['id']}: {case['says']}: {why}"
        for case in cases(file)
        if (why := disagreement(case, answer(case)))
    ]
    assert not wrong, "\n".join(wrong)


def test_the_command_passes_all_of_them() -> None:
    ran = command("corpus", "run", "--json")
    assert ran.code == 0 and ran.json["counts"]["passed"] == contents()["cases"] > 2000, ran.out


@pytest.mark.parametrize(
    "other", [{"verdict": "legal"}, {"verdict": "illegal", "findings": [{"key": "C3.2"}]}]
)
def test_another_answer_is_wrong(other: object) -> None:
    wrong = [case for case in cases("sfb-cadet/E1.2.json") if disagreement(case, other)]
    assert wrong


@pytest.mark.parametrize("example", [vector["id"] for vector in VECTORS])
def test_a_worked_example_is_a_case(example: str) -> None:
    assert example in {case.get("example") for file in FILES for case in cases(file)}
