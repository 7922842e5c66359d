"""Writes the published cases anew from the case files of the tests: `python -m tests.write_corpus`."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from referee.core.ship import ShipClass
from referee.corpus.agreement import disagreement
from referee.corpus.answering import answer
from referee.rulebooks.coverage import coverage_of, excuses
from referee.rulebooks.registry import load_rulebook, load_ship, rulebook_ids, ship_ids
from tests.casefile import file_of
from tests.corpus_drafts import ANOTHER_RULE, Draft, drafts
from tests.unit.rulebooks.trek import trekcases

VERSION = "1.1.0"
"""Raised by hand: the last number for new cases, the middle one where a case is put right, the first where the form
of the files changes."""
FASTEST = 32
COMMAND = "python -m tests.write_corpus"
ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "corpus"
VECTORS = json.loads((ROOT / "tests" / "worked_examples.json").read_bytes())
FURTHER = (
    *("D4.5-cadet-fire", "FD4.21-racks", "D4.351-gorn", "B3.0-note-movement", "E3.2-not-held", "H6.1-thrice"),
    *("B3.0-15-rating", "ROBOT-3-left", "ROBOT-8-turns", "ROBOT-9-photons", "FAST-3-halt", "D2.1-centreline"),
)
"""What else the sources work out in passing."""
LEAST = ("verified", "single-source", "provisional")
NAMED = {vector["id"] for vector in VECTORS} | set(FURTHER)
"""The worked examples of the starship battle games: a case's name begins with the one it is, `E1.5-8: the last impulse
of 8`."""
EXAMPLES = NAMED | {case.says["vector"] for case in trekcases.all_cases() if "vector" in case.says}
"""All worked examples of the sources; a case of Trek says which it is in a line of its own."""


def corpus_texts() -> dict[Path, str]:
    """Every file of the corpus that is written, with its text. Raises ValueError where a case is not what comes out."""
    kept: dict[tuple[str, str], list[Draft]] = defaultdict(list)
    left_out: Counter[str] = Counter()
    wrong = []
    for draft in drafts():
        is_held = draft.left_out in ("", ANOTHER_RULE)
        if is_held and (why := disagreement(draft.expected, answer(draft.asked))):
            wrong.append(f"{draft.rulebook} {draft.rule} {draft.kind}: {draft.says}: {why}")
        elif draft.left_out:
            left_out[draft.left_out] += 1
        else:
            kept[draft.rulebook, draft.rule].append(draft)
    if wrong:
        raise ValueError("\n".join(wrong))
    texts, files = {}, []
    for (rulebook, rule), mine in sorted(kept.items()):
        path = CORPUS / rulebook / f"{file_of(rule).removesuffix('.toml')}.json"
        document = _document(rulebook, rule, mine, _before(path))
        texts[path] = _text(document)
        counts = Counter(case["expected"]["verdict"] for case in document["cases"])
        told = {name: document[name] for name in ("rulebook", "rule", "chapter")}
        files.append(
            {"file": path.relative_to(CORPUS).as_posix(), **told, "cases": dict(sorted(counts.items()))}
        )
    head = {
        "schema": "referee/corpus/1",
        "version": VERSION,
        "cases": sum(sum(file["cases"].values()) for file in files),
        "facts": sum(
            "input:facts" in case["flags"] for text in texts.values() for case in json.loads(text)["cases"]
        ),
        "excused": {id: _excused(id, files) for id in rulebook_ids()},
        "left_out": dict(sorted(left_out.items())),
        "files": files,
    }
    texts[CORPUS / "corpus.json"] = _lines(head, "files")
    texts[CORPUS / "ships.json"] = _lines({"schema": "referee/corpus-ships/1", "ships": _ships()}, "ships")
    return texts


def _ships() -> list[dict[str, Any]]:
    """What is on the SSDs of the ships of the cases, without where each number is from."""
    ships = []
    for id in ship_ids():
        ship = load_ship(id)
        movement = load_rulebook(ship.rulebook).offers.movement(load_rulebook(ship.rulebook))
        ships.append(
            {
                "id": id,
                "rulebook": ship.rulebook,
                "shields": {str(number): boxes for number, boxes in ship.shields.items()},
                "boxes": dict(ship.boxes),
                "mounts": [{"id": mount.id, "type": mount.type, "arc": mount.arc} for mount in ship.mounts],
                "turn_mode": _spans([movement.turn_mode(ship, speed) for speed in range(1, FASTEST + 1)]),
            }
        )
    return ships


def _spans(needed: list[int | None]) -> list[list[int]]:
    """Hexes needed at each speed from 1, as rows of speed from, speed to, hexes."""
    spans: list[list[int]] = []
    for speed, hexes in enumerate(needed, 1):
        if hexes is None:
            continue
        if spans and spans[-1][1:] == [speed - 1, hexes]:
            spans[-1][1] = speed
        else:
            spans.append([speed, speed, hexes])
    return spans


def _before(path: Path) -> Mapping[str, Any]:
    """The file as it was: an id, once given, stays with its case."""
    return json.loads(path.read_bytes()) if path.is_file() else {"numbered": 0, "cases": []}


def _document(rulebook: str, rule: str, mine: list[Draft], before: Mapping[str, Any]) -> dict[str, Any]:
    known = {(case["says"], case["kind"]): case["id"] for case in before["cases"]}
    numbered, cases = before["numbered"], []
    for draft in mine:
        example, says = _example(draft.says)
        example = example or draft.example
        id = known.get((says, draft.kind))
        if id is None:
            numbered += 1
            id = f"{rulebook}/{rule}/{numbered}"
        cases.append(
            {
                "id": id,
                "says": says,
                **({"example": example} if example else {}),
                "kind": draft.kind,
                **({"options": draft.options} if draft.options else {}),
                "input": draft.input,
                **({"claim": draft.claim} if draft.claim else {}),
                "expected": draft.expected,
                "flags": flags_of(draft),
                "status": status_of(draft),
            }
        )
    if len({case["id"] for case in cases}) < len(cases):
        raise ValueError(f"{rulebook}/{rule}: two cases are of one name and kind")
    return {
        "schema": "referee/corpus-cases/1",
        "rulebook": rulebook,
        "rule": rule,
        "title": load_rulebook(rulebook).rules[rule].title,
        "chapter": chapter_of(rulebook, rule),
        "numbered": numbered,
        "cases": sorted(cases, key=lambda case: int(case["id"].rpartition("/")[2])),
    }


def _example(name: str) -> tuple[str, str]:
    example, colon, says = name.partition(": ")
    return (example, says) if colon and example in NAMED else ("", name)


@cache
def _parts(rulebook: str) -> dict[str, str]:
    numbered = coverage_of(load_rulebook(rulebook)).numbered
    return {carried.rule.key: covered.part for covered in reversed(numbered) for carried in covered.rules}


def chapter_of(rulebook: str, rule: str) -> str:
    """The chapter of a rule: `E1`, `FAST`; of a book without chapters the part it stands in."""
    if rulebook == "trek":
        return _parts(rulebook).get(rule, "further")
    return re.split(r"[.\-/]", rule)[0]


def flags_of(draft: Draft) -> list[str]:
    """What a program needs to play the case: the sort of input, options that are not the usual, open questions."""
    flags = [f"input:{next(iter(draft.input))}"]
    flags += [f"option:{name}={value}" for name, value in sorted(draft.options.items())]
    flags += ["claim"] if draft.claim else []
    flags += [f"issue:{issue['number']}" for issue in open_issues() if _is_of(issue, draft)]
    return flags


@cache
def open_issues() -> list[Any]:
    """What the sources leave open; `corpus/issues.json` is written by hand."""
    issues: list[Any] = json.loads((CORPUS / "issues.json").read_bytes())["issues"]
    return issues


def _is_of(issue: Mapping[str, Any], draft: Draft) -> bool:
    return draft.rulebook in issue["rulebooks"] and draft.rule in issue["rules"]


# -- how sure the numbers are ------------------------------------------------------------


def status_of(draft: Draft) -> dict[str, str]:
    """The numbers a case leans on, and how sure each is."""
    if draft.rulebook == "trek":
        return _trek_status(draft.rule)
    ships, types = set(), set()
    for name, value in _facts(draft.input):
        if isinstance(value, str) and value.startswith(("cadet/", "standard/")):
            ships.add(value.split()[0])
        elif isinstance(value, str) and name == "type":
            types.add(value)
    for line in _order_lines(draft.input):
        ships |= set(re.findall(r"\b(?:cadet|standard)/[\w-]+", line))
    sections = ("figures", "boxes", "shields", "mounts") if "volley" in draft.input else ("figures", "mounts")
    found = {
        f"{ship} {section}": _of_section(load_ship(ship), section) for ship in ships for section in sections
    }
    weapons = load_rulebook(draft.rulebook).table("weapons")["weapons"]
    found |= {f"weapon {type}": weapons[type]["status"] for type in types if type in weapons}
    return dict(sorted(found.items()))


def _of_section(ship: ShipClass, section: str) -> str:
    return ship.status_of(*(path for path in ship.sources if path.partition("/")[0] == section))


def _facts(value: Any, name: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return [each for key, inside in value.items() for each in _facts(inside, key)]
    if isinstance(value, list | tuple):
        return [each for inside in value for each in _facts(inside, name)]
    return [(name, value)]


def _order_lines(input: Mapping[str, Any]) -> list[str]:
    return [line for said in input.values() if isinstance(said, Mapping) for line in said.get("lines", ())]


@cache
def _trek_status(rule: str) -> dict[str, str]:
    """The tables of the rulebook that name the rule's number as theirs; charts and ships are homebrew throughout."""
    number = rule.partition("/")[0]
    folder = ROOT / "referee" / "rulebooks" / "trek" / "tables"
    tables = {path.stem: json.loads(path.read_bytes()) for path in sorted(folder.glob("*.json"))}
    mine = {f"table {name}": table["status"] for name, table in tables.items() if table.get("rule") == number}
    return {"ships and charts": "homebrew", **mine}


# -- gate and text -----------------------------------------------------------------------


def _excused(rulebook: str, files: list[dict[str, Any]]) -> dict[str, str]:
    """The rules without a legal case or without an illegal one, each with the reason."""
    legal, illegal, open_ = (
        {file["rule"] for file in files if file["rulebook"] == rulebook and file["cases"].get(verdict)}
        for verdict in ("legal", "illegal", "cannot-tell")
    )
    kept = {
        (file["rulebook"], file["rule"])
        for file in files
        if file["cases"].get("legal") and len(file["cases"]) > 1
    }
    ours = excuses(rulebook)
    reasons = {}
    for key, rule in load_rulebook(rulebook).rules.items():
        if key in legal and key in illegal:
            continue
        elsewhere = [
            id
            for id in rulebook_ids()
            if id != rulebook
            and (id, key) in kept
            and load_rulebook(id).rules[key].decide is rule.decide
            and not (key in legal and key in open_)
        ]
        if key in ours:
            reasons[key] = ours[key]
        elif elsewhere:
            reasons[key] = f"played as in {elsewhere[0]}, where its cases are"
        elif key in legal and key in open_:
            reasons[key] = "it refuses nothing: what speaks against it leaves open who is right"
        else:
            reasons[key] = ""
    return dict(sorted(reasons.items()))


def _text(document: Mapping[str, Any]) -> str:
    """A file of cases: a line for each part of a case, so that a change to one is seen as that."""
    head = {name: value for name, value in document.items() if name != "cases"}
    parts = [f"  {_json(name)}: {_json(value)}" for name, value in head.items()]
    cases = [
        "    {\n"
        + ",\n".join(f"      {_json(name)}: {_json(value)}" for name, value in case.items())
        + "\n    }"
        for case in document["cases"]
    ]
    return "{\n" + ",\n".join(parts) + ',\n  "cases": [\n' + ",\n".join(cases) + "\n  ]\n}\n"


def _lines(document: Mapping[str, Any], long: str) -> str:
    parts = [
        f"  {_json(name)}: {_json(value)}"
        if not isinstance(value, dict | list)
        else f"  {_json(name)}: "
        + (
            _rows(value)
            if name == long
            else json.dumps(value, indent=2, ensure_ascii=False).replace("\n", "\n  ")
        )
        for name, value in document.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _rows(rows: list[Any]) -> str:
    return "[\n" + ",\n".join(f"    {_json(row)}" for row in rows) + "\n  ]"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def main() -> None:
    """Writes every file; a rule's file that nothing is left of goes."""
    texts = corpus_texts()
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for path in CORPUS.glob("*/*.json"):
        if path not in texts:
            path.unlink()


if __name__ == "__main__":
    main()
