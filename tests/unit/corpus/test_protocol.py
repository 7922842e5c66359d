"""Other programs at the other end: slow, broken, chatty, and one in another language; and what is made of it."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
import time
from pathlib import Path

import pytest

from referee.core.errors import BadInput
from referee.corpus.agreement import disagreement, fits
from referee.corpus.published import Published, corpus_folder, own_cases, published
from referee.corpus.running import MOST_STARTS, CorpusRun, run_cases, statement
from referee.formats.schemas import hold_against
from referee.report.compliance import compliance_text
from tests.node import needs_node

CASES = [case for case in published("sfb-cadet", "E1.2") if case.rule == "E1.2"]
START = """
import json, sys
def say(**what): print(json.dumps(what), flush=True)
"""
BEGIN = """
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        say(type="started", protocol=1, program="odd", version="0")
    elif message["type"] == "dialect":
        say(type="dialect", rulebook=message["rulebook"], known=True)
    elif message["type"] == "stop":
        break
    else:
"""


@pytest.fixture
def odd(tmp_path: Path) -> str:
    """Where a program of a test is written."""
    return str(tmp_path / "odd.py")


def ran(
    file: str, on_run: str, *, head: str = START + BEGIN, seconds: float = 5, cases: int = 3
) -> CorpusRun:
    """Some cases on a program that answers each as it is said."""
    Path(file).write_text(head + textwrap.indent(textwrap.dedent(on_run), " " * 8), encoding="utf-8")
    return run_cases(CASES[:cases], f"{sys.executable} {file}", seconds=seconds)


def outcomes(run: CorpusRun) -> list[tuple[str, str]]:
    return [(each.outcome, each.why) for each in run.outcomes]


@pytest.mark.long
def test_our_own_program_passes_through_the_same_protocol() -> None:
    run = run_cases(published())
    assert run.complies and {outcome for outcome, _ in outcomes(run)} == {"passed"}


def test_a_program_is_told_no_answer() -> None:
    for case in published():
        assert set(case.asked()) <= {"id", "rulebook", "rule", "options", "input", "claim"}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("on_run", "outcome", "why"),
    [
        ('say(type="skipped", id=message["id"], reason="not yet")', "skipped", "not yet"),
        ('say(type="errored", id=message["id"], reason="a fault")', "errored", "a fault"),
        ('say(type="answer", id="another", verdict="legal")', "errored", "'another'"),
        ('say(type="perhaps", id=message["id"])', "errored", "'perhaps'"),
        ('print("no json", flush=True)', "errored", "no JSON"),
        ('print("[1]", flush=True)', "errored", "no object"),
        ('print("[" * 100000, flush=True)', "errored", "no JSON"),
        ("sys.exit(1)", "errored", "ended"),
        ('say(type="answer", id=message["id"], verdict="maybe")', "failed", "not maybe"),
        ('say(type="answer", id=message["id"], verdict="illegal", findings=7, values=3)', "failed", ""),
        ('say(type="answer", id=message["id"], verdict="illegal", findings=["x", None, {}])', "failed", ""),
    ],
)
def test_odd_answers(odd: str, on_run: str, outcome: str, why: str) -> None:
    run = ran(odd, on_run)
    assert not run.complies
    assert all(found == outcome and why in said for found, said in outcomes(run)), outcomes(run)


def test_a_program_that_hangs_is_not_waited_for(odd: str) -> None:
    run = ran(odd, "import time; time.sleep(600)", seconds=0.5, cases=1)
    assert outcomes(run) == [("errored", "no answer in 0.5 seconds")]


def test_an_endless_line_is_too_long(odd: str) -> None:
    run = ran(odd, 'print("x" * 3_000_000, flush=True)', cases=1)
    assert outcomes(run) == [("errored", "the answer is too long")]


def test_one_case_that_kills_a_program_is_that_one_alone(odd: str) -> None:
    on_run = """
    if message["id"].endswith("/1"): sys.exit(1)
    say(type="skipped", id=message["id"], reason="later")
    """
    assert [outcome for outcome, _ in outcomes(ran(odd, on_run))] == ["errored", "skipped", "skipped"]


@pytest.mark.parametrize("stray", ['print("debug")', 'say(type="skipped", id="another", reason="")'])
def test_a_stray_line_spoils_its_own_case_alone(odd: str, stray: str) -> None:
    on_run = f"""
    if message["id"].endswith("/1"): {stray}
    say(type="skipped", id=message["id"], reason="later")
    """
    assert [outcome for outcome, _ in outcomes(ran(odd, on_run))] == ["errored", "skipped", "skipped"]


def test_the_last_words_of_a_program_that_ends_are_shown(odd: str) -> None:
    """Who writes an adapter sees why it died."""
    run = ran(odd, 'sys.stderr.write("x" * 3_000_000 + "\\n"); sys.exit("no turn mode \\x1b[2J")', cases=1)
    assert outcomes(run) == [("errored", "the program has ended: 'no turn mode \\x1b[2J'")]


def test_a_program_that_starts_only_once_keeps_what_it_answered(odd: str) -> None:
    once = f"""
    import pathlib
    if message["id"].endswith("/2"): pathlib.Path({odd!r}).write_text("sys.exit()"); sys.exit(1)
    say(type="skipped", id=message["id"], reason="later")
    """
    found = outcomes(ran(odd, once))
    assert [outcome for outcome, _ in found] == ["skipped", "errored", "errored"]
    assert "does not start" in found[2][1]


@pytest.mark.skipif(not shutil.which("sh"), reason="no shell is here")
def test_what_a_program_started_ends_with_it(odd: str) -> None:
    """A script that starts the adapter: the adapter itself hangs, and is not waited for either."""
    Path(odd).write_text(START + BEGIN + "        import time; time.sleep(600)\n")
    script = Path(odd).with_suffix(".sh")
    script.write_text(f"{sys.executable} {odd}\ntrue\n")
    begun = time.monotonic()
    run = run_cases(CASES[:1], f"sh {script}", seconds=1)
    assert outcomes(run) == [("errored", "no answer in 1 seconds")]
    assert time.monotonic() - begun < 300, "it was waited for"


def test_a_program_that_dies_on_each_case_is_not_started_for_ever(odd: str) -> None:
    Path(odd).write_text(START + BEGIN + "        sys.exit(1)\n")
    run = run_cases(
        list(published("sfb-cadet", "D1")) + CASES + list(published("sfb-cadet", "D2")),
        f"{sys.executable} {odd}",
    )
    whys = [why for _, why in outcomes(run)]
    assert whys.count("the program has ended") == MOST_STARTS and "too often" in whys[-1]


def test_an_unknown_dialect_is_skipped(odd: str) -> None:
    Path(odd).write_text((START + BEGIN).replace("known=True", "known=False") + "        sys.exit(1)\n")
    run = run_cases(CASES, f"{sys.executable} {odd}")
    assert set(outcomes(run)) == {("skipped", "it does not know sfb-cadet")} and not run.complies


@pytest.mark.parametrize(
    "program", ["print('hello')", "import time; time.sleep(600)", "say(type='started')", ""]
)
def test_a_program_that_does_not_start(odd: str, program: str) -> None:
    Path(odd).write_text(START + program)
    with pytest.raises(BadInput):
        run_cases(CASES, f"{sys.executable} {odd}", seconds=1)


def test_no_such_program() -> None:
    with pytest.raises(BadInput, match="cannot be started"):
        run_cases(CASES, "no-such-program-anywhere")


@needs_node
def test_a_program_in_another_language_answers_turn_modes() -> None:
    run = run_cases(published(), f"node {corpus_folder() / 'adapters' / 'moves.mjs'}")
    passed = {each.case.rule for each in run.outcomes if each.outcome == "passed"}
    assert run.complies and {"C3.2", "C3.3", "C3.4", "C1.4"} <= passed
    assert all(why for outcome, why in outcomes(run) if outcome == "skipped")


# -- agreement and statement -------------------------------------------------------------


def test_agreement() -> None:
    assert fits({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2, "c": 3}], "d": 4})
    assert not fits([1], [1, 2]) and not fits({"a": 1}, {}) and not fits(True, 1) and not fits(1, True)
    told = {"verdict": "illegal", "findings": [{"key": "E1.2", "turn": "2"}]}
    expected = {"verdict": "illegal", "findings": [{"key": "E1.2", "turn": 2}]}
    assert disagreement(expected, told) == 'of the finding E1.2 turn is 2, not "2"'
    told["findings"].append({"key": "E1.2", "turn": 3})
    assert disagreement(expected, told) == "a finding is missing: key E1.2, turn 2"
    assert not disagreement(expected, {"verdict": "illegal", "findings": [{"key": "E1.2"}]})
    assert disagreement(expected, {"verdict": "illegal", "findings": [{"key": "E1.2", "turn": 3}]})
    assert disagreement(expected, {"verdict": "illegal", "findings": []})


def test_the_statement(odd: str) -> None:
    run = ran(odd, 'say(type="answer", id=message["id"], verdict="legal")')
    told = statement(run)
    hold_against(told, "compliance", "statement")
    assert told["counts"] == {"passed": 2, "failed": 1, "skipped": 0, "errored": 0} and not told["complies"]
    text = compliance_text(told)
    assert "failed  sfb-cadet/E1.2/2  one phaser twice: the verdict is illegal, not legal" in text
    told["program"]["name"] = "<script>\x1b[2J"
    assert "\x1b" not in compliance_text(told)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    source = corpus_folder() / "sfb-cadet" / "E1.2.json"
    assert [case.id for case in own_cases(str(source))] == [case.id for case in CASES]
    bad = tmp_path / "bad.json"
    for text in ("", "[]", json.dumps({**json.loads(source.read_bytes()), "cases": []})):
        bad.write_text(text)
        with pytest.raises(BadInput):
            list(own_cases(str(bad)))
    with pytest.raises(BadInput):
        list(own_cases(str(tmp_path / "none.json")))


def test_a_chapter_is_not_another_that_begins_like_it() -> None:
    rules = {case.rule for case in published("", "C1")}
    assert "C1.1" in rules and not {rule for rule in rules if rule.startswith("C1") and rule[2:3].isdigit()}
    assert {case.rule for case in published("trek", "trek-7")} == {"trek-7"}
    with pytest.raises(BadInput):
        list(published("", "Q9"))


def test_published_is_a_plain_case() -> None:
    assert isinstance(CASES[0], Published) and CASES[0].chapter == "E1"
