"""Tries a sample of mutants of the rule functions on the cases: `python -m tests.mutation --sample 1500 --seed 1`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import Mutant, all_mutants, sample
from tests.mutation.trial import Check, NotClean, Verdict, touched_by, tried
from tests.net.corpuscases import Case, answer, cases, contents, disagreement
from tests.net.gamefiles import FROZEN, Game, found, games, line_of

EXCUSED = Path(__file__).parent / "excused.toml"
ROOT = Path(__file__).resolve().parents[2]
TESTS = (
    "tests/net/test_wrong.py",
    *(f"tests/net/test_{what}.py" for what in ("doors", "log_cases", "worked_examples")),
    *(
        f"tests/cli/test_{what}.py"
        for what in ("check", "game_examples", "regressions", "trek_verbs", "volley", "volleys")
    ),
)
"""The tests that count besides the corpus and the frozen games: of the net, and nothing else."""
OF_EACH_KIND = 8
"""The frozen games of each kind that are played, of forms all; they come after all cases and tests."""
KINDS = {"equivalent", "unreachable", "words"}
"""The kinds of excuses: no answer can differ; no facts that a player can give come there; it is only read by people, in a
way that the leaving out of messages does not see."""


@dataclass
class Row:
    """The figures of a chapter."""

    mutants: int = 0
    corpus: int = 0
    tests: int = 0
    frozen: int = 0
    stopped: int = 0
    excused: int = 0
    survived: int = 0

    def counts(self, kind: str) -> None:
        """One more mutant of a kind."""
        self.mutants += 1
        setattr(self, kind, getattr(self, kind) + 1)


def excused() -> dict[str, dict[str, str]]:
    """The mutants that may survive, by id, each with the reason."""
    rows = tomllib.loads(EXCUSED.read_text(encoding="utf-8")).get("excused", [])
    return {row["id"]: row for row in rows}


def figures(verdicts: Iterable[Verdict], excuses: Iterable[str]) -> dict[str, Row]:
    """The figures by chapter, and of all."""
    rows: dict[str, Row] = defaultdict(Row)
    known = set(excuses)
    for verdict in verdicts:
        kind = verdict.by or ("excused" if verdict.mutant.id in known else "survived")
        rows[verdict.mutant.chapter].counts(kind)
        rows["all"].counts(kind)
    return dict(sorted(rows.items(), key=lambda row: (row[0] == "all", row[0])))


def table(rows: dict[str, Row]) -> str:
    """The figures as text."""
    names = [each.name for each in fields(Row)]
    lines = [f"{'chapter':30}" + "".join(f"{name:>10}" for name in names)]
    for chapter, row in rows.items():
        lines.append(f"{chapter:30}" + "".join(f"{getattr(row, name):10}" for name in names))
    return "\n".join(lines)


class Runner:
    """Takes the tests that pytest collects, and runs them on mutants instead of once."""

    def __init__(self, asked: argparse.Namespace, chosen: list[Mutant]) -> None:
        self.asked = asked
        self.chosen = chosen
        self.verdicts: list[Verdict] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of running each test once."""
        if session.testsfailed:
            raise pytest.UsageError("a test file cannot be read")
        checks = [*_corpus(), *_tests(session), *_frozen()] if self.asked.all else list(_tests(session))
        try:
            touched = touched_by(checks)
        except NotClean as error:
            raise pytest.UsageError(str(error)) from None
        print(f"{len(touched)} cases and tests, {len(self.chosen)} mutants", file=sys.stderr, flush=True)
        start = time.monotonic()
        print(f"run once in {sum(each.seconds for each in touched):.0f} s", file=sys.stderr, flush=True)
        for n, verdict in enumerate(tried(self.chosen, touched), 1):
            self.verdicts.append(verdict)
            if not verdict.by and self.asked.verbose:
                print(_line(verdict), file=sys.stderr, flush=True)
            if n % 20 == 0:
                print(f"{n} in {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
        return True


def _corpus() -> Iterator[Check]:
    for listed in contents()["files"]:
        for case in cases(listed["file"]):
            yield Check(case["id"], "corpus", partial(_disagrees, case))


def _disagrees(case: Case) -> str:
    return disagreement(case, answer(case))


def _frozen() -> Iterator[Check]:
    """Some of each kind of the frozen games, and all forms of them, which take no time."""
    for file in (file for file in FROZEN if file != "shared"):
        played: Counter[str] = Counter()
        for game, stood in zip(games(file), found(file), strict=True):
            kind = game["game"].rpartition(" ")[0]
            played[kind] += 1
            if played[kind] <= OF_EACH_KIND or file == "forms":
                yield Check(game["game"], "frozen", partial(_differs, game, stood))


def _differs(game: Game, stood: Game) -> str:
    return "" if line_of(game) == stood else "another outcome"


def _tests(session: pytest.Session) -> Iterator[Check]:
    for item in session.items:
        if not getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            yield Check(item.nodeid, "tests", partial(_fails, item))


def _fails(item: pytest.Item) -> str:
    """Runs a test by itself, with what it needs set up and taken down again."""
    # What pytest does for each test, but for telling it to anybody.
    for report in runtestprotocol(item, log=False, nextitem=None):
        if report.failed:
            return str(report.longrepr)
    return ""


def _line(verdict: Verdict) -> str:
    mutant = verdict.mutant
    return f"{mutant.place} {mutant.key[1]} [{mutant.id}]\n    was {mutant.was}\n    now {mutant.now}"


def _json(asked: argparse.Namespace, verdicts: list[Verdict], rows: dict[str, Row]) -> dict[str, Any]:
    known = excused()
    return {
        "sample": len(verdicts),
        "seed": asked.seed,
        "chapters": {chapter: vars(row) for chapter, row in rows.items()},
        "survivors": [
            {
                "id": verdict.mutant.id,
                "place": verdict.mutant.place,
                "function": verdict.mutant.key[1],
                "chapter": verdict.mutant.chapter,
                "was": verdict.mutant.was,
                "now": verdict.mutant.now,
                "excused": known.get(verdict.mutant.id, {}).get("why", ""),
            }
            for verdict in verdicts
            if not verdict.by
        ],
    }


def _asked(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--sample", type=int, default=1500, help="how many mutants, of all there are")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws others")
    parser.add_argument(
        "--allow", type=float, default=5.0, help="how many of a hundred may survive unexcused"
    )
    parser.add_argument("--of", default="", help="only mutants of files or functions with this in their name")
    parser.add_argument("--mutant", action="append", default=[], help="only this one, by its id")
    parser.add_argument("--against", action="append", default=[], help="only these tests, no cases")
    parser.add_argument("--survivors", default="", help="only those that survived, by an earlier --json")
    parser.add_argument("--json", default="", help="a file for the figures and survivors")
    parser.add_argument("--verbose", action="store_true", help="show survivors as they are found")
    asked = parser.parse_args(arguments)
    asked.all = not asked.against
    return asked


def _chosen(asked: argparse.Namespace) -> list[Mutant]:
    mutants = all_mutants(asked.of)
    if not mutants:
        raise SystemExit(f"no mutant of {asked.of}")
    if asked.survivors:
        rows = json.loads(Path(asked.survivors).read_bytes())["survivors"]
        return [mutants[row["id"]] for row in rows if row["id"] in mutants]
    if asked.mutant:
        if unknown := [id for id in asked.mutant if id not in mutants]:
            raise SystemExit(f"no mutant {', '.join(unknown)}")
        return [mutants[id] for id in asked.mutant]
    return sample(mutants.values(), asked.seed, asked.sample)


def main(arguments: list[str] | None = None) -> int:
    """Says the figures by chapter and who survived; 1 where too many did, or a check fails with no change made."""
    asked = _asked(arguments)
    os.chdir(ROOT)
    runner = Runner(asked, _chosen(asked))
    options = ["-o", "addopts=", "-m", "not long", "-p", "no:cacheprovider", "-s", "-qq", "--no-summary"]
    code = pytest.main([*options, *(asked.against or TESTS)], plugins=[runner])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) or not runner.verdicts:
        return 1
    known = excused()
    rows = figures(runner.verdicts, known)
    for verdict in runner.verdicts:
        if not verdict.by and verdict.mutant.id not in known:
            print(_line(verdict))
    print(table(rows))
    if asked.json:
        text = json.dumps(_json(asked, runner.verdicts, rows), indent=2, ensure_ascii=False)
        Path(asked.json).write_text(text + "\n", encoding="utf-8")
    share = 100 * rows["all"].survived / rows["all"].mutants
    print(f"{share:.1f} % survive and are not excused; at most {asked.allow:g} % may")
    return int(share > asked.allow)


if __name__ == "__main__":
    sys.exit(main())
