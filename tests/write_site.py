"""Writes the pages of the documentation site into a folder: `python -m tests.write_site build/pages`.

They are those of docs, and a page for each part of a rulebook: what each rule checks, in its own words, with a legal
and an illegal example from its cases, and the numbers that are still in doubt.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from itertools import groupby
from pathlib import Path
from typing import Any

from referee.rulebooks.base import Rulebook
from referee.rulebooks.coverage import coverage_json
from referee.rulebooks.registry import folder_of, load_rulebook, load_ship, rulebook_ids, ship_ids
from tests.casefile import all_cases, judge, written_elsewhere
from tests.write_coverage import ILLEGAL, LEGAL

ROOT = Path(__file__).resolve().parents[1]
SURE = ("verified", "single-source", "printed")
UNSAID = {"name", "kind", "rule", "only", "note", "form", "orders", "ship", "by", "expect", "rulebooks"}
Example = dict[str, Any]


def examples() -> dict[tuple[str, str], dict[bool, Example]]:
    """By rulebook and rule: its first legal and its first illegal case."""
    found: dict[tuple[str, str], dict[bool, Example]] = defaultdict(dict)
    for case in all_cases():
        if case.kind in LEGAL | ILLEGAL:
            said = {**case.says, "case": case}
            found[case.rulebook, case.rule].setdefault(case.kind in LEGAL, said)
    for rulebook, rule, written, data in written_elsewhere():
        if written["kind"] in LEGAL | ILLEGAL:
            said = {**data.get("given", {}), **written}
            found[rulebook, rule].setdefault(written["kind"] in LEGAL, said)
    return found


def value_text(value: Any) -> str:
    """A value of a case as TOML writes it."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {value_text(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(value_text, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def found_in(said: Example) -> Iterator[str]:
    """What the rule finds against the form of an example."""
    case = said.get("case")
    if case is None or "form" not in said:
        return
    for finding in judge(case).findings:
        if finding.key == case.rule:
            place = f" at {finding.location.cell}" if finding.location.cell else ""
            fix = f" Fix: {finding.fix}." if finding.fix else ""
            yield f"Finding{place}: {finding.message}.{fix}"
            return


def example_text(word: str, said: Example) -> Iterator[str]:
    """An example as a player would write it."""
    yield f"**{word}:** {said['name']}" + (f", with `{said['ship']}`" if "ship" in said else "")
    yield ""
    for name in ("form", "orders"):
        if name in said:
            yield from ("```text", str(said[name]).strip("\n"), "```", "")
    rest = {key: value for key, value in said.items() if key not in UNSAID | {"case"}}
    if rest:
        yield from ("```toml", *(f"{key} = {value_text(value)}" for key, value in rest.items()), "```", "")
    if word == "Illegal":
        yield from (line for text in found_in(said) for line in (text, ""))


def words_of(text: str) -> str:
    """A rule's own words, with the examples in them on lines of their own."""
    text = cleandoc(text)
    text = re.sub(r"\s+(?=(?:Legal|Illegal|Fix|To note|To warn of|Undecided|Not decided): )", "\n\n", text)
    return re.sub(r"\b(Legal|Illegal|Fix|To note|To warn of|Undecided|Not decided): ", r"*\1:* ", text)


def file_name(rulebook: str, part: str) -> str:
    """The page of a part of a rulebook."""
    return f"{rulebook}-{re.sub(r'[^a-z0-9]+', '-', part.lower()).strip('-')}.md"


def rule_text(book: Rulebook, key: str, shown: Mapping[bool, Example]) -> Iterator[str]:
    """One registered rule: its words and its examples."""
    rule = book.rules[key]
    yield from (f"### {rule.title} (`{key}`)", "", words_of(rule.text), "")
    for legal, word in ((True, "Legal"), (False, "Illegal")):
        if legal in shown:
            yield from example_text(word, shown[legal])


def part_text(
    book: Rulebook, part: str, entries: list[Mapping[str, Any]], shown: Mapping[tuple[str, str], Any]
) -> str:
    """The page of a part: its numbers in order, each with the rules that carry it."""
    lines = [f"# {part}: {book.title}", ""]
    done: set[str] = set()
    for entry in entries:
        lines += [f"## {entry['number']}. {entry['title']}", ""]
        cases = entry["cases"]
        judged = f"*{entry['status']}*" + (
            f", {cases['legal']} legal and {cases['illegal']} illegal cases" if entry["rules"] else ""
        )
        lines += [f"{entry['book']}: {judged}.", ""]
        for name, word in (("why", "Why not"), ("kept", "Where"), ("left", "Not judged")):
            if name in entry:
                lines += [f"{word}: {entry[name]}.", ""]
        for rule in entry["rules"]:
            if rule["key"] in done:
                lines += [f"`{rule['key']}` carries this too; see above.", ""]
                continue
            done.add(rule["key"])
            lines += rule_text(book, rule["key"], shown.get((book.id, rule["key"]), {}))
            if "excused" in rule:
                lines += [f"No illegal case: {rule['excused']}.", ""]
    return "\n".join(lines)


def rulebook_pages(shown: Mapping[tuple[str, str], Any]) -> Iterator[tuple[str, str, str, str]]:
    """Rulebook title, part, file and text of every page of rules."""
    for id in rulebook_ids():
        book = load_rulebook(id)
        document = coverage_json(book)
        for part, group in groupby(document["rules"], key=lambda entry: entry["part"]):
            yield book.title, part, file_name(id, part), part_text(book, part, list(group), shown)
        if document["further"]:
            part = "Rules beyond the list"
            further = [{**entry, "status": "checked", "rules": [entry]} for entry in document["further"]]
            further = [{"number": "+", "book": "This program", **entry} for entry in further]
            yield book.title, part, file_name(id, part), part_text(book, part, further, shown)


def provisional_text() -> str:
    """The page of numbers that no two sources bear out."""
    lines = [
        "# Numbers still in doubt",
        "",
        "A number is *verified* where two independent sources, or the rules themselves, give it. Every other number "
        "has a doubt, and findings that rest on it are marked. Whoever holds the SSD settles it: "
        "`confirmed-ships.json` ([ships](../ships.md)).",
        "",
        "## Ships",
        "",
        "| ship | provisional | missing |",
        "|---|---|---|",
    ]
    for id in ship_ids():
        ship = load_ship(id)
        doubtful = [path for path, number in ship.sources.items() if number.status not in SURE]
        if doubtful or ship.missing:
            names = (", ".join(f"`{path}`" for path in paths) for paths in (doubtful, ship.missing))
            lines.append(f"| {ship.name} (`{id}`) | {' | '.join(names)} |")
    lines += ["", "## Tables", "", "| table | status | note |", "|---|---|---|"]
    for book in ("sfb", *rulebook_ids()):
        folder = folder_of(book) if book != "sfb" else folder_of("sfb-cadet").parent / "sfb"
        for path in sorted((folder / "tables").glob("*.json")):
            table = json.loads(path.read_text(encoding="utf-8"))
            if (status := table.get("status", SURE[0])) not in SURE:
                lines.append(
                    f"| {table.get('title', path.stem)} (`{path.stem}`) | {status} | {table.get('note', '')} |"
                )
    return "\n".join([*lines, ""])


def write(into: Path) -> None:
    """Writes all pages, in place of those of an earlier run."""
    if into.exists():
        shutil.rmtree(into)
    shutil.copytree(ROOT / "docs", into)
    rules = into / "rules"
    rules.mkdir()
    index = [
        "# Rules by number",
        "",
        "What each rule checks, in our words, with a legal and an illegal example from the tests. "
        "`referee explain NUMBER` prints the words; these tables show at a glance what is judged: "
        + ", ".join(f"[{load_rulebook(id).title}](../coverage/{id}.md)" for id in rulebook_ids())
        + ".",
    ]
    titles: list[str] = []
    for title, part, file, text in rulebook_pages(examples()):
        (rules / file).write_text(text, encoding="utf-8")
        if title not in titles:
            titles.append(title)
            index += ["", f"## {title}", ""]
        index.append(f"- [{part}]({file})")
    (rules / "index.md").write_text("\n".join([*index, ""]), encoding="utf-8")
    (rules / "provisional.md").write_text(provisional_text(), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
