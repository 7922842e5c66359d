"""Counts the cases of every rule into the package, and writes docs/coverage: `python -m tests.write_coverage`."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

from referee.report.coveragetext import coverage_markdown
from referee.rulebooks.coverage import coverage_json
from referee.rulebooks.registry import folder_of, load_rulebook, rulebook_ids
from tests.casefile import all_cases, cases_kept_elsewhere

COMMAND = "python -m tests.write_coverage"
ROOT = Path(__file__).resolve().parents[1]
LEGAL = {"legal", "noted", "warned", "resolves"}
ILLEGAL = {"illegal", "refused", "wrong", "switched-off"}
CANNOT_TELL = {"undecided", "unknown"}


def counted(rulebook: str) -> dict[str, list[int]]:
    """For each rule how many cases are legal, illegal, and not to be told."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for case in all_cases():
        if case.rulebook == rulebook:
            kinds[case.rule][case.kind] += 1
    for played_by, rule, kind in cases_kept_elsewhere():
        if played_by == rulebook:
            kinds[rule][kind] += 1
    known = LEGAL | ILLEGAL | CANNOT_TELL
    if strange := {kind for each in kinds.values() for kind in each} - known:
        raise ValueError(f"no such kinds of cases: {', '.join(sorted(strange))}")
    return {
        rule: [sum(kinds[rule][kind] for kind in group) for group in (LEGAL, ILLEGAL, CANNOT_TELL)]
        for rule in sorted(kinds)
    }


def counts_file(rulebook: str) -> Path:
    """Where the counts of a rulebook are packaged."""
    return folder_of(rulebook) / "cases.json"


def counts_text(rulebook: str) -> str:
    """The file of counts: a line a rule, so that changes to different rules do not meet."""
    rows = ",\n".join(
        f"    {json.dumps(rule)}: {json.dumps(count)}" for rule, count in counted(rulebook).items()
    )
    head = f'  "schema": "referee/case-counts/1",\n  "rulebook": {json.dumps(rulebook)},\n'
    return "{\n" + head + '  "cases": {\n' + rows + "\n  }\n}\n"


def page_file(rulebook: str) -> Path:
    """Where the page of a rulebook is."""
    return ROOT / "docs" / "coverage" / f"{rulebook}.md"


def page_text(rulebook: str) -> str:
    """The page of a rulebook."""
    return coverage_markdown(coverage_json(load_rulebook(rulebook)), COMMAND)


def main() -> None:
    """Writes the counts of every rulebook, then the pages that show them."""
    for id in rulebook_ids():
        counts_file(id).write_text(counts_text(id), encoding="utf-8")
    for id in rulebook_ids():
        page_file(id).parent.mkdir(exist_ok=True)
        page_file(id).write_text(page_text(id), encoding="utf-8")


if __name__ == "__main__":
    main()
