"""A check report as Markdown, to paste into a forum or a mail.

What players wrote is escaped, so that it shows as they typed it and makes no link, picture, table
cell or tag. Errors come first; of file names only the last part is shown. An `@` is shown as `＠`: a
ship's name must not call anybody.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

from referee.core.energy import show_energy
from referee.core.finding import Finding, Report, Severity, TurnLedger, Verdict
from referee.core.safe import safe_line
from referee.report.checktext import by_verdict, file_rows, tally

_VERDICT = {
    Verdict.LEGAL: "Legal",
    Verdict.ILLEGAL: "Illegal",
    Verdict.CANNOT_TELL: "Cannot tell",
}
_ORDER = (Severity.ERROR, Severity.UNDECIDED, Severity.WARNING, Severity.NOTE)
_MARKUP = re.compile(r"[\\`*\[\]<>|~&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_LINK = re.compile(r"(?i)(?<=https)(?=:)|(?<=http)(?=:)|(?<=ftp)(?=:)|(?<=mailto)(?=:)|(?<=www)(?=\.)")


def render(report: Report) -> str:
    """The verdict, a table of several files, one of findings, what was not checked, and the energy, folded away."""
    blocks = [_verdict(report)]
    if len(rows := file_rows(report)) > 1:
        cells = (" | ".join((literal(Path(row[0]).name), *map(literal, row[1:]))) for row in rows)
        heads = ("| File | Ship | Verdict | Errors |", "|---|---|---|---|")
        blocks += ["\n".join((*heads, *(f"| {row} |" for row in cells))), f"{by_verdict(report)}."]
    if report.findings:
        blocks.append("\n".join(_findings(report)))
    if report.not_checked:
        blocks.append("\n".join(_not_checked(report)))
    if report.ledgers:
        blocks.append("\n".join(_ledgers(report.ledgers)))
    blocks.append(_signature(report))
    return "\n\n".join(blocks) + "\n"


def literal(text: str) -> str:
    """Text in which Markdown and HTML see nothing but letters."""
    shown = _MARKUP.sub(lambda match: "\\" + match[0], safe_line(text)).replace("@", "＠")
    return _LINK.sub(r"\\", shown)


def _verdict(report: Report) -> str:
    ships = "; ".join(_ship(ship) for ship in report.ships)
    of = f" {ships}:" if ships else ""
    return f"**{_VERDICT[report.verdict]}:**{of} {tally(report)}."


def _ship(ship: Mapping[str, str]) -> str:
    return f"{literal(ship.get('name', ''))} ({literal(ship.get('ship', ''))})"


def _findings(report: Report) -> Iterator[str]:
    yield "| What | Where | Rule | Fix |"
    yield "|---|---|---|---|"
    for finding in sorted(report.findings, key=lambda finding: _ORDER.index(finding.severity)):
        cells = (_what(finding), _where(finding), literal(finding.key), literal(finding.fix))
        yield f"| {' | '.join(cells)} |"


def _where(finding: Finding) -> str:
    place = str(finding.location.within(file=_file_name(finding.location.file)))
    turn = f"turn {finding.turn}" if finding.turn is not None else ""
    return ", ".join(
        part for part in (literal(place), literal(finding.line), literal(finding.subject), turn) if part
    )


def _file_name(file: str) -> str:
    """A file's name without its folders: they are nobody else's business."""
    return file.replace("\\", "/").rpartition("/")[2]


def _what(finding: Finding) -> str:
    pairs = (("expected", finding.expected), ("found", finding.found))
    facts = ", ".join(f"{name} {literal(value)}" for name, value in pairs if value)
    house = f" (house rule: {literal(finding.house_rule)})" if finding.house_rule else ""
    rests = f"; rests on a number that is {literal(finding.data_status)}" if finding.data_status else ""
    mark = "**" if finding.severity is Severity.ERROR else ""
    message = literal(finding.message) + (f" ({facts})" if facts else "")
    return f"{mark}{finding.severity.value}{mark}: {message}{house}{rests}"


def _not_checked(report: Report) -> Iterator[str]:
    yield "Not checked:"
    yield ""
    for item in report.not_checked:
        subject = f"{literal(item.subject)}: " if item.subject else ""
        yield f"- {literal(item.key)} {subject}{literal(item.reason)}"


def _ledgers(ledgers: tuple[TurnLedger, ...]) -> Iterator[str]:
    yield "<details>"
    yield "<summary>Where the energy went</summary>"
    for ledger in ledgers:
        yield ""
        there = _amounts(ledger.available) or "nothing"
        yield f"Energy of {literal(ledger.ship)}, turn {ledger.turn}: {there}"
        yield ""
        yield "| Line | Energy | From |"
        yield "|---|---:|---|"
        for line in ledger.lines:
            amount = show_energy(Fraction(line.amount))
            yield f"| {literal(line.named.removeprefix('line '))} | {amount} | {_amounts(line.sources)} |"
        yield f"| left | | {_amounts(ledger.left) or 'nothing'} |"
        yield f"| to the next turn | | {_amounts(ledger.carried) or 'nothing'} |"
    yield ""
    yield "</details>"


def _amounts(amounts: Mapping[str, str]) -> str:
    return ", ".join(f"{literal(name)} {show_energy(Fraction(amount))}" for name, amount in amounts.items())


def _signature(report: Report) -> str:
    options = ", ".join(f"{literal(name)}={literal(value)}" for name, value in report.options.items())
    rulebook = f"Rulebook {literal(report.rulebook)}" if report.rulebook else "No rulebook"
    files = "".join(f"; {literal(_file_name(item.file))} sha256 {item.sha256[:16]}" for item in report.inputs)
    return f"{rulebook}{f', options {options}' if options else ''}{files}."
