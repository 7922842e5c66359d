"""A ship file, judged: what is wrong, missing or unsure in it."""

from __future__ import annotations

from referee.adjudicator.ship_check import check_ship
from referee.core.finding import Finding, Report, Severity
from referee.core.location import Location
from referee.rulebooks import registry
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from referee.sources.ship_files import read_ship, ship_data


def judge_ship(source: InputBytes, settings: Settings) -> Report:
    """What is wrong, missing or unsure in a ship file."""
    data = ship_data(source)
    ship = read_ship(source)
    findings = list(check_ship(ship, registry.load_rulebook(ship.rulebook), Location(file=source.name)))
    known = registry.ship_ids()
    if ship.id in known and data != registry.read_ship_json(ship.id):
        findings.append(
            Finding(
                key="SHIP/id",
                severity=Severity.NOTE,
                message=f"{ship.id} is also a ship of the package, with other numbers",
                subject=ship.name,
                location=Location(file=source.name, pointer="/id"),
                fix="give your ship an id of its own",
            )
        )
    return Report(
        findings=tuple(findings),
        checked=("SHIP",),
        rulebook=ship.rulebook,
        ships=({"name": ship.name, "ship": ship.id, "rulebook": ship.rulebook},),
    )
