"""A check report as people read it: each finding with its place, what was expected, how to fix it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from fractions import Fraction

from referee.core.energy import show_energy
from referee.core.finding import Finding, Report, Severity, ShipTurn, TurnLedger, Verdict
from referee.core.naming import how_many
from referee.core.safe import safe_line
from referee.report.paint import Paint

_COLOUR = {
    Severity.ERROR: "red",
    Severity.UNDECIDED: "magenta",
    Severity.WARNING: "yellow",
    Severity.NOTE: "cyan",
}
_VERDICT = {
    Verdict.LEGAL: ("green", "LEGAL"),
    Verdict.ILLEGAL: ("red", "ILLEGAL"),
    Verdict.CANNOT_TELL: ("magenta", "CANNOT TELL"),
}


def concise(report: Report, paint: Paint) -> str:
    """One line a finding, and one for the verdict."""
    lines = [headline(finding, paint) for finding in report.findings]
    return "\n".join([*lines, _verdict(report, paint)]) + "\n"


def full(report: Report, paint: Paint) -> str:
    """Findings with what was expected and found, the energy ledgers, what was not checked, the verdict."""
    blocks: list[str] = []
    blocks += ["\n".join(_ships(report))] if report.ships else []
    blocks += ["\n".join(_finding(finding, paint)) for finding in report.findings]
    blocks += ["\n".join(_ledgers(report.ledgers, paint))] if report.ledgers else []
    blocks += ["\n".join(_turns(report.turns, paint))] if report.turns else []
    blocks += ["\n".join(_not_checked(report, paint))] if report.not_checked else []
    blocks.append(_verdict(report, paint))
    return "\n\n".join(blocks) + "\n"


def findings_text(findings: Iterable[Finding], paint: Paint, brief: Container[str] = ()) -> str:
    """Findings alone, with what was expected and found. What a ship breaks in impulse after impulse is one line,
    and so are findings by rules that are told in `brief`."""
    alike: dict[object, list[Finding]] = {}
    for finding in findings:
        about = finding.key, finding.severity, finding.subject, finding.turn
        alike.setdefault(about if finding.impulse is not None else finding, []).append(finding)
    rows = (_alike(row, paint, brief) for row in alike.values())
    text = ""
    for row in rows:
        apart = "\n\n" if "\n" in row or "\n" in text.rpartition("\n\n")[2] else "\n"
        text += f"{apart if text else ''}{row}"
    return text


def _alike(row: Sequence[Finding], paint: Paint, brief: Container[str]) -> str:
    """Findings that differ in their impulse alone."""
    first = row[0]
    later = sorted({finding.impulse for finding in row if finding.impulse is not None} - {first.impulse})
    if later:
        impulses = ", ".join(map(str, later))
        return f"{headline(first, paint)}; so too on impulse{'s' * (len(later) > 1)} {impulses}"
    if first.key in brief:
        return headline(first, paint)
    return "\n\n".join("\n".join(_finding(finding, paint)) for finding in row)


def _ships(report: Report) -> Iterator[str]:
    for ship in dict.fromkeys(tuple(ship.items()) for ship in report.ships):
        facts = dict(ship)
        name, id = safe_line(facts["name"]), facts.get("ship", "")
        known = f"{facts.get('class', id)} ({id})" if id else "of a class that is not known"
        shown = "" if name in (id, facts.get("class")) else f"{name}: "
        yield f"{shown}{known}, judged by {facts['rulebook']}"


def headline(finding: Finding, paint: Paint) -> str:
    """One line on a finding: its place, how grave it is, its rule, its ship and what it says."""
    where = safe_line(finding.where)
    severity = paint(finding.severity.value, _COLOUR[finding.severity])
    house = f" (house rule: {safe_line(finding.house_rule)})" if finding.house_rule else ""
    subject = f"{safe_line(finding.subject)}: " if finding.subject else ""
    key = paint(f"[{finding.key}]", "bold")
    return f"{where}  {severity} {key} {subject}{safe_line(finding.dated)}{house}".strip()


def _finding(finding: Finding, paint: Paint) -> Iterator[str]:
    yield headline(finding, paint)
    facts = [
        f"{name} {safe_line(value)}"
        for name, value in (("expected", finding.expected), ("found", finding.found))
        if value
    ]
    if facts:
        yield "   " + "   ".join(facts)
    if finding.fix:
        yield f"   fix: {safe_line(finding.fix)}"
    if finding.data_status:
        yield f"   rests on a number that is {finding.data_status}: the printed SSD or chart decides"
    if finding.severity is Severity.ERROR:
        yield paint(f"   more: referee explain {finding.key}", "dim")


def _ledgers(ledgers: tuple[TurnLedger, ...], paint: Paint) -> Iterator[str]:
    yield paint("Energy", "bold")
    for ledger in ledgers:
        there = _sources(ledger.available)
        yield f"  {safe_line(ledger.ship)}, turn {ledger.turn}: {there or 'nothing available'}"
        width = max((len(safe_line(line.named)) for line in ledger.lines), default=0)
        for line in ledger.lines:
            amount = show_energy(Fraction(line.amount))
            yield f"    {safe_line(line.named):<{width}} {amount:>4}  from {_sources(line.sources)}"
        left = _sources(ledger.left)
        carried = ", ".join(f"{name} {show_energy(Fraction(n))}" for name, n in ledger.carried.items())
        over = f"; over by {show_energy(ledger.over)}" if ledger.over else ""
        yield f"    left: {left or 'nothing'}{over}; to the next turn: {carried}"


def _turns(turns: tuple[ShipTurn, ...], paint: Paint) -> Iterator[str]:
    """A log by ship and turn."""
    yield paint("By ship and turn", "bold")
    for turn in turns:
        yield f"  {safe_line(turn.ship)}, turn {turn.turn}: " + "; ".join(_did(turn))


def _did(turn: ShipTurn) -> Iterator[str]:
    yield f"speed {turn.speed}" if turn.speed is not None else "speed not known"
    if turn.hexes is not None:
        turned = f", {_count(turn.turned or 0, 'turn')}" if turn.turned is not None else ""
        yield f"{_count(turn.hexes, 'hex', 'hexes')}{turned}"
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
        yield _count(turn.findings, "finding")


def _count(number: int, noun: str, many: str = "") -> str:
    return f"{number} {noun if number == 1 else many or noun + 's'}"


def _sources(amounts: object) -> str:
    assert isinstance(amounts, dict)
    return ", ".join(f"{source} {show_energy(Fraction(amount))}" for source, amount in amounts.items())


def _not_checked(report: Report, paint: Paint) -> Iterator[str]:
    yield paint("Not checked", "bold")
    for item in report.not_checked:
        subject = f"{safe_line(item.subject)}: " if item.subject else ""
        yield f"  [{item.key}] {subject}{safe_line(item.reason)}"


def _verdict(report: Report, paint: Paint) -> str:
    colour, word = _VERDICT[report.verdict]
    counts = [(severity, sum(f.severity is severity for f in report.findings)) for severity in Severity]
    found = ", ".join(
        f"{count} {severity.value}{'s' if count > 1 and severity is not Severity.UNDECIDED else ''}"
        for severity, count in counts
        if count
    )
    return f"{paint(word, colour)}: {found or 'nothing against the rules'}; {how_many(len(report.checked), 'rule')} checked"
