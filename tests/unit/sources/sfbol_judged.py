"""Logs of the online client for tests: written from orders, judged in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.finding import Finding, Report
from referee.formats.orders import parse_orders
from referee.judging.files import judge_file
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from tests.unit.sources.sfbol_written import Style, Written

LABELS = {"Kharg": "IKV 1017 Kharg", "Sabre": "USS Sabre"}
SHORT = {"Kharg": "IKV Kharg"}
PLAYERS = {"Kharg": "Skylark", "Sabre": "Bob"}


def duel(
    speeds: Sequence[Mapping[str, int]],
    acts: Mapping[tuple[int, int], Sequence[str]] = {},
    *,
    at: Mapping[str, str] = {"Kharg": "2030A", "Sabre": "2010D"},
    ways: Mapping[tuple[int, int, str], str] = {},
    classes: Mapping[str, str] = {"Kharg": "standard/klingon-d7", "Sabre": "standard/federation-ca"},
    last: int = 32,
) -> str:
    """The orders of a duel: whole turns at some speeds, in which each ship moves when the chart calls it, the slower
    first, and goes ahead unless told; what else is done comes after the moves of its impulse."""
    from referee.rulebooks.registry import load_rulebook

    book = load_rulebook("sfb-standard")
    chart = book.offers.movement(book).chart
    rows = ["rulebook sfb-standard", "impulses 32"]
    rows += [f"ship {name} = {id} at {at[name]} speed {speeds[0][name]}" for name, id in classes.items()]
    for turn, of in enumerate(speeds, 1):
        rows += [f"turn {turn}", *(f"{name}: speed {speed}" for name, speed in of.items())]
        for impulse in range(1, (last if turn == len(speeds) else 32) + 1):
            rows.append(f"impulse {impulse}")
            for name in sorted(of, key=lambda one: of[one]):
                if chart.calls(of[name], impulse):
                    rows.append(f"{name}: {ways.get((turn, impulse, name), 'ahead')}")
            rows += acts.get((turn, impulse), ())
    return "\n".join(rows) + "\n"


def written(orders: str, **style: object) -> list[str]:
    """The lines of a log of some orders."""
    told = {"labels": LABELS, "short": SHORT, "players": PLAYERS, "every_impulse": True, **style}
    return Written(parse_orders(orders, "game.txt", load_ship), Style(**told)).write()  # type: ignore[arg-type]


def judged(
    lines: Sequence[str] | bytes,
    *ships: str,
    name: str = "SFB_Game.log",
    forms: Sequence[str] = (),
    rulebook: str = "",
    **options: str,
) -> Report:
    """The report on a log."""
    data = lines if isinstance(lines, bytes) else "".join(f"{line}\n" for line in lines).encode()
    asked = Asked(Settings(rulebook, options), tuple(ships), forms=tuple(forms))
    return judge_file(InputBytes(name, data, "text"), asked)


def errors(report: Report) -> set[tuple[str, int | None]]:
    """The errors of a report: key and line."""
    return {(one.key, one.location.line) for one in report.findings if one.severity == "error"}


def said(report: Report, key: str) -> list[Finding]:
    """The findings of a key."""
    return [one for one in report.findings if one.key == key]


def line_of(lines: Sequence[str], begins: str, after: int = 0) -> int:
    """The number of the first line, beyond some, that begins so."""
    return next(n for n, line in enumerate(lines, 1) if n > after and line.startswith(begins))
