"""A check report as people read it: each finding with its place, what was expected, how to fix it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from os.path import commonpath, relpath
from pathlib import Path

from referee.core.beside import FormPart, all_beside
from referee.core.energy import show_energy
from referee.core.finding import Finding, LogEvent, Report, Severity, ShipTurn, TurnLedger, joined, timeless
from referee.core.frozen import replace
from referee.core.location import Location
from referee.core.naming import how_many
from referee.core.safe import safe_line
from referee.report.paint import Paint, fitted, window

_COLOUR = {
    Severity.ERROR: "red",
    Severity.UNDECIDED: "magenta",
    Severity.WARNING: "yellow",
    Severity.NOTE: "cyan",
}
_WORDS = {"legal": "green", "illegal": "red", "cannot tell": "magenta", "unreadable": "red"}
"""Verdicts as they are said, with their colours."""
_LONG = 1000
"""Signs that the places of one finding may take."""
_LISTED = 20
"""Names that one line lists."""
_CELL = re.compile(r" \([A-Z]{1,3}[0-9]+\)")


def concise(report: Report, paint: Paint) -> str:
    """One line a finding with what mends it, and one for the verdict."""
    lines = [line_mended(finding, paint) for finding in report.findings]
    return "\n".join([*lines, last_line(report, paint)]) + "\n"


def line_mended(finding: Finding, paint: Paint) -> str:
    """One line on a finding, with what mends it."""
    return headline(finding, paint) + (f"; fix: {safe_line(finding.fix)}" if finding.fix else "")


def summary(report: Report, paint: Paint) -> str:
    """A row a file, and how many are legal."""
    return fitted("\n".join([*_table(report, paint), "", by_verdict(report)])) + "\n"


def full(report: Report, paint: Paint, *, energy: bool = False) -> str:
    """The verdict, a table of many files, the findings with their rows, what was not checked, the verdict. The energy
    ledgers are shown on request, or where they explain a finding."""
    blocks: list[Iterable[str]] = [[_verdict(report, paint)]]
    if len(report.files) > 1:
        blocks.append(_table(report, paint))
    else:
        blocks.append([*_ships(report), *_passed_by(report, _folder(report))])
    unshown = [] if energy else list(report.ledgers)  # Each is shown once.
    events = {Location(event.file, step=event.step): event for event in report.events}
    block = partial(_block, unshown, events, all_beside(report.beside).forms, paint)
    gravest = sorted(
        report.findings, key=lambda found: (found.location.file, [*Severity].index(found.severity))
    )
    blocks += map(block, _equal(gravest))
    if energy and report.ledgers:
        blocks.append([paint("Energy", "bold"), *_ledgers(report.ledgers)])
    blocks += [_turns(report.turns, paint)] if report.turns else []
    blocks += [_not_checked(report, paint)] if report.not_checked else []
    if wrong := next((found for found in report.findings if found.severity is Severity.ERROR), None):
        blocks.append([paint(f"more: referee explain {wrong.key}", "dim")])
    blocks.append([last_line(report, paint)])
    return fitted("\n\n".join(filter(None, map("\n".join, blocks)))) + "\n"


def _equal(findings: Iterable[Finding]) -> Iterable[list[Finding]]:
    """Findings that say the same, whenever and wherever, of whichever copy of a form."""
    equal: dict[object, list[Finding]] = {}
    for found in findings:
        words = (_CELL.sub("", timeless(text, found)) for text in (found.message, *_facts(found)))
        equal.setdefault((found.key, found.severity, *words), []).append(found)
    return equal.values()


def _block(
    ledgers: list[TurnLedger],
    events: Mapping[Location, LogEvent],
    rows: Mapping[Location, FormPart],
    paint: Paint,
    equal: Sequence[Finding],
) -> Iterator[str]:
    """What is found, where, the row itself, what was expected, what mends it, and the ledger that explains it; the first
    of several, and where the others are."""
    first = equal[0]
    message, facts = first.dated, list(_facts(first))
    if len({(found.turn, found.impulse) for found in equal}) > 1:
        message, facts = timeless(first.message, first), [timeless(fact, first) for fact in facts]
    if len(equal) > 1:
        message, *facts = (_CELL.sub("", text) for text in (message, *facts))
    yield _sentence(_joined(equal), message, paint)
    place = first.location
    line = f", {first.line}" if first.line and place not in rows else ""
    yield from (f"   {safe_line(where + line, _LONG)}" for where in _places(equal))
    if part := rows.get(place):
        parts = (rows.get(found.location) for found in equal)
        yield from _row(part, {other.column for other in parts if other and _is_beside(part, other)})
    elif event := events.get(Location(place.file, step=place.step)):
        yield f"      {safe_line(event.who)}: {safe_line(event.what)}"
    yield from (f"   {fact}" for fact in facts)
    if first.severity is Severity.ERROR:
        about = {(place.file, found.subject, found.turn) for found in equal}
        there = [each for each in ledgers if (each.file, each.ship, each.turn) in about]
        there = [each for each in there if first.key in each.explains]
        yield from _ledgers(there)
        ledgers[:] = (each for each in ledgers if each not in there)


def _joined(equal: Sequence[Finding]) -> Finding:
    """The first of several, of all whom they are about."""
    return replace(equal[0], subject=", ".join(dict.fromkeys(found.subject for found in equal)))


def _places(equal: Sequence[Finding]) -> Iterable[str]:
    """Where they are, a line for each sheet; when and of whom, where that differs."""
    by_sheet: dict[str, dict[str, None]] = {}
    moments = {(found.turn, found.impulse) for found in equal}
    subjects = {found.subject for found in equal}
    for found in equal:
        when = (("turn", found.turn), ("impulse", found.impulse)) if len(moments) > 1 else ()
        differs = [found.subject] if len(subjects) > 1 else []
        differs += [f"{name} {n}" for name, n in when if n is not None]
        sheet, between, cell = found.location.way.rpartition(" › ")
        place = f"{cell} ({', '.join(differs)})" if differs else cell
        by_sheet.setdefault(sheet + between, {})[place] = None
    return (sheet + ", ".join(places) for sheet, places in by_sheet.items())


def _is_beside(part: FormPart, other: FormPart) -> bool:
    """Is the cell of another place in the row that is shown?"""
    return (other.heads, other.rows[other.row]) == (part.heads, part.rows[part.row])


def _row(part: FormPart, columns: Container[int]) -> Iterator[str]:
    """A row of a form under its turns, the cells in question in brackets; or a line of a text."""
    row, at = part.rows[part.row], part.column + 1
    if len(row.cells) == 1:
        yield f"      {safe_line(row.cells[0])}"
        return
    labels = 2 if row.place else 1
    most = max(window() // 2, 30)
    cells = [safe_line(cell, most if n < labels else 30) for n, cell in enumerate((row.line, *row.cells))]
    cells = [f"[{cell or ' '}]" if n - 1 in columns else cell for n, cell in enumerate(cells)]
    filled = max(n for n, cell in enumerate(cells) if cell) + 1
    heads = ["", *(safe_line(head, 30) for head in part.heads)]
    width = [max(map(len, column)) for column in zip(heads, cells, strict=True)]
    # The labels first, then what is near the cell: as much as there is room for.
    kept = sorted(range(filled), key=lambda n: abs(n - at) if n >= labels else 0)
    while sum(width[n] + 2 for n in kept) > window() - 6:
        kept.pop()
    for texts in (heads, cells):
        shown = (f"{texts[n]:{'<' if n < labels else '>'}{width[n]}}" for n in sorted(kept))
        if any(texts):
            yield f"      {'  '.join(shown)}".rstrip()


def _table(report: Report, paint: Paint) -> Iterator[str]:
    """A row a file: its verdict, its errors and whose it is; of one that cannot be read, why. Their folder is said once."""
    folder = _folder(report)
    if folder:
        yield f"{safe_line(folder, _LONG)}:"
    rows = [(_within(folder, file), *rest) for file, *rest in file_rows(report)]
    wide = max(len(name) for name, *_ in (("file",), *rows) if len(name) <= window() // 2)
    yield paint(f"{'file':<{wide}}  {'verdict':<11}  errors  ship", "bold")
    for name, ships, verdict, errors in rows:
        word = verdict.upper()
        cells = f"{word}: {errors}" if verdict == "unreadable" else f"{word:<11}  {errors:>6}  {ships}"
        yield f"{name:<{wide}}  {safe_line(cells, 300).replace(word, paint(word, _WORDS[verdict]), 1)}"
    yield from _passed_by(report, folder)


def _folder(report: Report) -> str:
    """The folder that all files of a report are in; empty where it is the one we are in, or there is none."""
    files = (*(judged.file for judged in report.files), *report.passed_by)
    folders = {Path(file).parent for file in files}
    return commonpath(folders) if len({folder.anchor for folder in folders}) == 1 else ""


def _within(folder: str, file: str) -> str:
    return safe_line(relpath(file, folder) if folder else file, _LONG)


def _passed_by(report: Report, folder: str) -> Iterator[str]:
    """The files of the folders that are of no game, and the folders in them."""
    if others := report.passed_by:
        names = _listed(_within(folder, file) for file in others)
        yield f"passed by, {how_many(len(others), 'file')} of no game: {names}"
    if inside := report.folders:
        names = _listed(_within(folder, name) for name in inside)
        yield f"folders not looked into: {names} (referee check {safe_line(inside[0], _LONG)})"


def _listed(names: Iterable[str]) -> str:
    known = list(names)
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    return ", ".join(known[:_LISTED]) + more


def last_line(report: Report, paint: Paint) -> str:
    """The verdict, or how many files have which."""
    return by_verdict(report) if len(report.files) > 1 else _verdict(report, paint)


def file_rows(report: Report) -> list[tuple[str, str, str, str]]:
    """A row for each file: its name, whose it is, its verdict, and its errors, or why it cannot be read."""
    return [
        (file.file, ", ".join(its.named_ships), its.verdict.words, str(its.counts[Severity.ERROR]))
        if (its := file.report)
        else (file.file, "", "unreadable", file.error)
        for file in report.files
    ]


def by_verdict(report: Report) -> str:
    """How many files are legal, illegal and neither: `20 legal, 10 illegal, 1 unreadable`."""
    given = Counter(verdict for _, _, verdict, _ in file_rows(report))
    return ", ".join(f"{given[word]} {word}" for word in _WORDS if given[word])


def findings_text(findings: Iterable[Finding], paint: Paint, brief: Container[str] = ()) -> str:
    """Findings alone, as `check` says them. What a ship breaks in impulse after impulse is one line, and so are those
    by rules that are told in `brief`."""
    rows: list[str] = []
    known = [*findings]
    for found in joined(known):
        if found.key in brief or found not in known:
            rows.append(headline(found, paint))
        else:
            rows += _block([], {}, {}, paint, [found])
    return fitted("\n".join(rows))


def _ships(report: Report) -> Iterator[str]:
    for ship in dict.fromkeys(tuple(ship.items()) for ship in report.ships):
        facts = dict(ship)
        name, id = safe_line(facts["name"]), facts.get("ship", "")
        known = f"{facts.get('class', id)} ({id})" if id else "of a class that is not known"
        shown = "" if name in (id, facts.get("class")) else f"{name}: "
        yield f"{shown}{known}, judged by {facts['rulebook']}"


def headline(finding: Finding, paint: Paint) -> str:
    """One line on a finding: its place, how grave it is, its rule, its ship and what it says."""
    return f"{safe_line(finding.where)}  {_sentence(finding, finding.dated, paint)}".strip()


def _sentence(finding: Finding, message: str, paint: Paint) -> str:
    severity = paint(finding.severity.value, _COLOUR[finding.severity])
    house = f" (house rule: {safe_line(finding.house_rule)})" if finding.house_rule else ""
    subject = f"{safe_line(finding.subject)}: " if finding.subject else ""
    key = paint(f"[{finding.key}]", "bold")
    return f"{severity} {key} {subject}{safe_line(message)}{house}"


def _facts(finding: Finding) -> Iterator[str]:
    facts = [
        f"{name} {safe_line(value)}"
        for name, value in (("expected", finding.expected), ("found", finding.found))
        if value
    ]
    if facts:
        yield "   ".join(facts)
    if finding.fix:
        yield f"fix: {safe_line(finding.fix)}"
    if finding.data_status:
        yield f"rests on a number that is {finding.data_status}: the printed SSD or chart decides"


def _ledgers(ledgers: Iterable[TurnLedger]) -> Iterator[str]:
    for ledger in ledgers:
        there = _sources(ledger.available)
        yield f"  {safe_line(ledger.ship)}, turn {ledger.turn}: {there or 'nothing available'}"
        width = max((len(safe_line(line.named)) for line in ledger.lines), default=0)
        for line in ledger.lines:
            amount = show_energy(Fraction(line.amount))
            yield f"    {safe_line(line.named):<{width}} {amount:>4}  from {_sources(line.sources)}"
        left = _sources(ledger.left)
        carried = ", ".join(f"{name} {show_energy(Fraction(n))}" for name, n in ledger.carried.items())
        over = f"; {ledger.shortage}" if ledger.shortage else ""
        yield f"    left: {left or 'nothing'}{over}; to the next turn: {carried}"


def _turns(turns: tuple[ShipTurn, ...], paint: Paint) -> Iterator[str]:
    """A log by ship and turn."""
    yield paint("By ship and turn", "bold")
    for turn in turns:
        yield f"  {safe_line(turn.ship)}, turn {turn.turn}: " + "; ".join(_did(turn))


def _did(turn: ShipTurn) -> Iterator[str]:
    yield f"speed {turn.speed}" if turn.speed is not None else "speed not known"
    if turn.hexes is not None:
        turned = f", {how_many(turn.turned or 0, 'turn')}" if turn.turned is not None else ""
        yield f"{how_many(turn.hexes, 'hex', 'hexes')}{turned}"
    if turn.energy_spent is not None and turn.energy_available is not None:
        yield f"energy {show_energy(Fraction(turn.energy_spent))} of {show_energy(Fraction(turn.energy_available))}"
    for verb, weapons in (("fired", turn.fired), ("launched", turn.launched)):
        if weapons:
            yield f"{verb} " + ", ".join(
                safe_line(weapon) + (f" (impulse {impulse})" if impulse is not None else "")
                for weapon, impulse in weapons
            )
    lost = [f"{count} on shield {number}" for number, count in turn.shields_lost.items()]
    lost += [f"{count} {system.replace('_', ' ')}" for system, count in turn.boxes_lost.items()]
    if lost:
        yield "damage marked: " + ", ".join(lost)
    if turn.findings:
        yield how_many(turn.findings, "finding")


def _sources(amounts: Mapping[str, str]) -> str:
    return ", ".join(f"{source} {show_energy(Fraction(amount))}" for source, amount in amounts.items())


def _not_checked(report: Report, paint: Paint) -> Iterator[str]:
    yield paint("Not checked", "bold")
    alike: dict[tuple[str, str], list[str]] = {}
    for item in report.not_checked:
        alike.setdefault((item.key, item.reason), []).append(safe_line(item.subject))
    by_reason: dict[str, list[str]] = {}
    for (key, reason), subjects in alike.items():
        of = f"{'; '.join(subjects)}: " if any(subjects) else ""
        by_reason.setdefault(of + safe_line(reason), []).append(key)
    yield from (f"  [{', '.join(keys)}] {why}" for why, keys in by_reason.items())


def _verdict(report: Report, paint: Paint) -> str:
    words = report.verdict.words
    unread = sum(file.report is None for file in report.files)
    more = f"; {how_many(unread, 'file')} unreadable" if unread else ""
    return f"{paint(words.upper(), _WORDS[words])}: {tally(report)}{more}"


def tally(report: Report) -> str:
    """How much was found, and how many rules were asked."""
    found = ", ".join(weight.counted(count) for weight, count in report.counts.items() if count)
    return f"{found or 'nothing against the rules'}; {how_many(len(report.checked), 'rule')} checked"
