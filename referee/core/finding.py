"""What referee observed, rule by rule, and the verdict that follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.core.energy import show_energy
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.safe import safe_line

if TYPE_CHECKING:
    from referee.core.beside import Beside


class Severity(StrEnum):
    """How much a finding weighs; only an error makes something illegal."""

    ERROR = "error"
    UNDECIDED = "undecided"
    WARNING = "warning"
    NOTE = "note"

    def counted(self, many: int) -> str:
        """So many findings of it, in words."""
        return f"{many} {self.value}{'s' * (many > 1 and self is not Severity.UNDECIDED)}"


class Verdict(StrEnum):
    """The three answers a referee can give."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    CANNOT_TELL = "cannot-tell"

    @property
    def words(self) -> str:
        """It as people say it."""
        return self.value.replace("-", " ")


@frozen
class Sure:
    """The source says so in so many words."""

    why: str = ""


@frozen
class Perhaps:
    """The source can be read so, and otherwise: what is wrong by this reading is undecided."""

    why: str


@frozen
class Unknown:
    """The source has it, and it could not be read: nothing is held against what was not read."""

    why: str


Certainty = Sure | Perhaps | Unknown
SURE = Sure()


def rule_number(key: str) -> str:
    """The book's number of a rule key: `B3.0-14/acceleration` is `B3.0-14`."""
    return key.partition("/")[0]


@frozen
class Finding:
    """One observation: which rule, how grave, about whom and when, where, and how to fix it."""

    key: str
    severity: Severity
    message: str
    subject: str = ""
    turn: int | None = None
    impulse: int | None = None
    location: Location = field(default_factory=Location)
    expected: str = ""
    found: str = ""
    fix: str = ""
    data_status: str = ""
    house_rule: str = ""
    line: str = ""
    """The line of an energy form it is about, as people look for it: `line 14 Movement`."""

    @property
    def rule(self) -> str:
        """The book's number."""
        return rule_number(self.key)

    @property
    def where(self) -> str:
        """Its place, and the line of the form that stands there: `form.csv:C16 line 14 Movement`."""
        return " ".join(filter(None, (str(self.location), self.line)))

    @property
    def dated(self) -> str:
        """The message with its turn before it, where it does not begin with that."""
        turn = f"turn {self.turn}, "
        return self.message if self.turn is None or self.message.startswith(turn) else turn + self.message

    def __str__(self) -> str:
        about = f"{self.subject}: " if self.subject else ""
        fix = f"; fix: {self.fix}" if self.fix else ""
        return safe_line(f"{self.severity.value} [{self.key}] {about}{self.dated}{fix}", 400)


def timeless(text: str, finding: Finding) -> str:
    """What a finding says, without its turn and impulse."""
    return text.removeprefix(f"turn {finding.turn}, ").replace(f"impulse {finding.impulse}", "the impulse")


def joined(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings, what is broken in impulse after impulse of a turn, or by several ships, as one of them."""
    alike: dict[tuple[object, ...], list[Finding]] = {}
    for found in findings:
        facts = (timeless(text, found) for text in (found.message, found.expected, found.found, found.fix))
        alike.setdefault((found.key, found.severity, found.turn, *facts), []).append(found)
    turns = len({about[2] for about in alike}) > 1
    return tuple(_of_equal(equal, turns) if len(equal) > 1 else equal[0] for equal in alike.values())


def _of_equal(equal: Sequence[Finding], turns: bool) -> Finding:
    first, later = equal[0], [*dict.fromkeys(found.impulse or 0 for found in equal)][1:]
    run = later and later[-1] - later[0] == len(later) - 1 > 1
    when = f"{later[0]} to {later[-1]}" if run else ", ".join(map(str, later))
    return replace(
        first,
        subject=", ".join(dict.fromkeys(found.subject for found in equal)),
        message=(first.dated if turns else first.message)
        + f"; so too on impulse{'s' * (len(later) > 1)} {when}" * bool(later),
        fix=timeless(first.fix, first).replace("the impulse", "each impulse"),
    )


@frozen
class About:
    """Whom a finding is about, when and where it was seen."""

    subject: str
    turn: int | None = None
    impulse: int | None = None
    location: Location = field(default_factory=Location)

    def finding(
        self,
        key: str,
        severity: Severity,
        message: str,
        *,
        expected: str = "",
        found: str = "",
        fix: str = "",
    ) -> Finding:
        """The finding of a rule on it."""
        return Finding(
            key, severity, message, self.subject, self.turn, self.impulse, self.location, expected, found, fix
        )


@frozen
class NotChecked:
    """A rule that could not be judged, and the fact that was missing."""

    key: str
    reason: str
    subject: str = ""


@frozen
class LedgerLine:
    """Where the energy of one form line came from, in energy points by source."""

    line: str
    amount: str
    sources: Mapping[str, str]
    name: str = ""
    """What its row is called: `Movement`."""
    cell: str = ""

    @property
    def named(self) -> str:
        """The line as people look for it: `line 14 Movement (C16)`."""
        number, _, part = self.line.partition(":")
        numbered = " ".join(
            filter(None, (number if number.isdigit() or not self.name else "", self.name or part))
        )
        return f"line {numbered}" + (f" ({self.cell})" if self.cell else "")


@frozen
class TurnLedger:
    """One ship's energy in one turn: what was there, where it went, what was left unused."""

    ship: str
    turn: int
    available: Mapping[str, str]
    lines: tuple[LedgerLine, ...]
    left: Mapping[str, str]
    carried: Mapping[str, str]
    explains: tuple[str, ...] = ()
    """The rules on what may be spent: with it one sees why they are broken."""
    file: str = ""

    @property
    def over(self) -> Fraction:
        """The points that are spent beyond all there are."""
        spent = sum((Fraction(line.amount) for line in self.lines), Fraction(0))
        return max(spent - sum(map(Fraction, self.available.values())), Fraction(0))

    @property
    def shortage(self) -> str:
        """What nothing pays for, in words: the points over all there are, or those that warp alone lacks."""
        unpaid = sum((Fraction(line.sources.get("unpaid", 0)) for line in self.lines), Fraction(0))
        if unpaid > self.over:
            return f"warp short by {show_energy(unpaid)}"
        return f"over by {show_energy(self.over)}" if self.over else ""


@frozen
class ShipTurn:
    """What a ship did in a turn of a log, and what was found on it; None is not known.

    Energy is in points; `fired` and `launched` are weapons with their impulse, damage is boxes marked:
    of shields by number, inside by system.
    """

    file: str
    ship: str
    turn: int
    speed: int | None = None
    hexes: int | None = None
    turned: int | None = None
    energy_spent: str | None = None
    energy_available: str | None = None
    fired: tuple[tuple[str, int | None], ...] = ()
    launched: tuple[tuple[str, int | None], ...] = ()
    shields_lost: Mapping[int, int] = field(default_factory=dict)
    boxes_lost: Mapping[str, int] = field(default_factory=dict)
    findings: int = 0


@frozen
class LogEvent:
    """Something that happened in a step of a log: to which ship, or by which player, and what; None of when
    is not known."""

    step: int
    turn: int | None
    impulse: int | None
    kind: str
    who: str
    what: str
    file: str = ""


@frozen
class LoggedGame:
    """What tells a log's game from others, the dice of each impulse with the step of the first, and its `moves`
    with theirs, `moved`; `start`
    and `end` are the moments it tells of. Counters and players are known by their names for it."""

    file: str
    counters: frozenset[str]
    players: frozenset[str]
    start: tuple[int, int] | None
    end: tuple[int, int] | None
    dice: Mapping[tuple[int, int], tuple[str, ...]]
    steps: Mapping[tuple[int, int], int]
    moves: Mapping[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    moved: Mapping[tuple[int, int], int] = field(default_factory=dict)


@frozen
class InputFile:
    """A file that was judged, named by what its bytes hash to."""

    file: str
    sha256: str


_MOST_SHOWN = 5


@frozen
class FileJudged:
    """What one of several files came to: its report, or why it cannot be read."""

    file: str
    report: Report | None = None
    error: str = ""


@frozen
class Report:
    """All that was found in a set of inputs, all rules that were judged, and all that were not."""

    findings: tuple[Finding, ...] = ()
    checked: tuple[str, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    ledgers: tuple[TurnLedger, ...] = ()
    inputs: tuple[InputFile, ...] = ()
    rulebook: str = ""
    ships: tuple[Mapping[str, str], ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    turns: tuple[ShipTurn, ...] = ()
    logs: tuple[LoggedGame, ...] = ()
    events: tuple[LogEvent, ...] = ()
    beside: tuple[Beside, ...] = ()
    """What a report to look at shows beside its words, by file."""
    files: tuple[FileJudged, ...] = ()
    passed_by: tuple[str, ...] = ()
    """Files of the folders that are of no game."""
    folders: tuple[str, ...] = ()
    """Folders in these that were not looked into."""

    @property
    def verdict(self) -> Verdict:
        """Illegal if anything is an error, else cannot-tell if anything is undecided, else legal."""
        severities = {finding.severity for finding in self.findings}
        if Severity.ERROR in severities:
            return Verdict.ILLEGAL
        return Verdict.CANNOT_TELL if Severity.UNDECIDED in severities else Verdict.LEGAL

    @property
    def counts(self) -> Mapping[Severity, int]:
        """How many findings there are of each weight, the gravest first."""
        return {weight: sum(found.severity is weight for found in self.findings) for weight in Severity}

    @property
    def named_ships(self) -> tuple[str, ...]:
        """What its ships are called."""
        return tuple(dict.fromkeys(ship["name"] for ship in self.ships))

    def __str__(self) -> str:
        """The verdict, and the first findings."""
        found = self.findings
        counted = Counter(finding.severity for finding in found)
        counts = ", ".join(weight.counted(many) for weight, many in counted.items())
        more = [f"and {len(found) - _MOST_SHOWN} more: .findings"] if len(found) > _MOST_SHOWN else []
        return "\n".join(
            (
                f"{self.verdict.words.upper()}: {counts or 'nothing against the rules'}",
                *map(str, found[:_MOST_SHOWN]),
                *more,
            )
        )


NOTHING_JUDGED = "NOTE/nothing-judged"
NOTHING_KNOWN = "no energy form and no ship of a known rulebook in it"


def unless_nothing_judged(report: Report, why: str, place: Location, fix: str = "") -> Report:
    """The report as it is where it says anything about what is legal; where nothing could be judged, undecided."""
    if report.verdict is not Verdict.LEGAL:
        return report
    message = f"nothing could be judged: {why}"
    found = Finding(NOTHING_JUDGED, Severity.UNDECIDED, message, location=place, fix=fix)
    return replace(report, findings=(*report.findings, found))


_ONCE = ("checked", "not_checked", "inputs")
_JOINED = ("findings", "ledgers", "ships", "turns", "logs", "events", "beside")


def merge_reports(reports: list[Report]) -> Report:
    """One report over many inputs, in their order; a rule judged anywhere counts as checked."""
    rulebooks = dict.fromkeys(report.rulebook for report in reports if report.rulebook)
    options = {name: value for report in reports for name, value in report.options.items()}
    of_all = {
        name: [each for report in reports for each in getattr(report, name)] for name in _ONCE + _JOINED
    }
    parts = {name: tuple(dict.fromkeys(each) if name in _ONCE else each) for name, each in of_all.items()}
    return Report(rulebook=", ".join(rulebooks), options=options, **parts)
