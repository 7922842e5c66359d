"""What a report to look at shows beside its findings: a form's rows around the cell, the ship a volley struck, dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.core.beside import Beside, Broadside, ShipStruck
from referee.core.errors import BadInput
from referee.core.finding import Finding, Report
from referee.core.location import Location
from referee.core.positions import PlayedGame, Position
from referee.judging.files import judge_file, must_be_asked_of
from referee.judging.played_games import is_game, played_game
from referee.judging.rows import form_parts
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes

_OF_COMBAT = ("D", "E", "F", "G13", "FD", "FP", "FAST", "NOTE/unexplained")
"""The rules of which a finding is about fire, damage or what comes of it: what the next marks of the impulse show."""
_OF_MOVEMENT = ("C", "MAP", "STACKING")


def judged_with_pictures(source: InputBytes, asked: Asked) -> Report:
    """The report on a file with what stands beside its findings. A game is judged once, as it is looked at. Raises as
    `judge_file`."""
    must_be_asked_of(source, asked)
    game = _played(source, asked)
    report = judge_file(source, asked) if game is None or game.report is None else game.report
    return replace(report, beside=(_beside(source, asked, report, game),))


def _beside(source: InputBytes, asked: Asked, report: Report, game: PlayedGame | None) -> Beside:
    forms = dict(form_parts(source, asked, report))
    if game is None:
        return Beside(forms)
    ships = {place: struck for place, struck in _struck(game, report) if struck}
    fire = {
        finding.location: fired
        for finding in report.findings
        if (fired := tuple(broadside for broadside in game.fire if _bears_on(broadside, finding)))
    }
    return Beside(forms, ships, fire, game.dice)


def _played(source: InputBytes, asked: Asked) -> PlayedGame | None:
    """The game in a file, position by position; of what is no game, or has no ship that can be drawn, none: its report
    says what is wrong with it, and has no pictures."""
    if asked.game or not is_game(source, asked):
        return None
    try:
        return played_game(source, asked)
    except BadInput:
        return None


# -- the ships that were struck ----------------------------------------------------------


def _struck(game: PlayedGame, report: Report) -> Iterator[tuple[Location, tuple[ShipStruck, ...]]]:
    positions = game.positions
    for n, position in enumerate(positions):
        for finding in position.findings:
            first = _marked_at(positions, n) if finding.key.startswith(_OF_COMBAT) else n
            low, high = _run_of_marks(positions, first)
            after = positions[high]
            moment = f"{after.when} {after.place}: {after.happened}"
            if high > low + 1:
                moment = f"{after.when}: what was marked from {positions[low + 1].place} to {after.place}"
            yield finding.location, tuple(_hit(game, positions[low], after, moment))


def _marked_at(positions: Sequence[Position], n: int) -> int:
    """The position in which what happened at `n` was first marked, in the same impulse; else `n` itself."""
    for k in range(n, len(positions)):
        if positions[k].when != positions[n].when:
            break
        if _marks(positions, k):
            return k
    return n


def _run_of_marks(positions: Sequence[Position], n: int) -> tuple[int, int]:
    """From before to after the marks that stand beside each other on the same ships: a volley is marked box by box."""
    struck = _marks(positions, n)
    low = high = n
    while struck and low > 1 and _marks(positions, low - 1) == struck:
        low -= 1
    while struck and high + 1 < len(positions) and _marks(positions, high + 1) == struck:
        high += 1
    return max(0, low - 1), high


def _marks(positions: Sequence[Position], n: int) -> frozenset[str]:
    """The ships whose boxes are others than before a position, in the same impulse."""
    if not n or positions[n].when != positions[n - 1].when:
        return frozenset()
    before = {unit.name: unit.state for unit in positions[n - 1].units}
    return frozenset(
        unit.name
        for unit in positions[n].units
        if (then := before.get(unit.name)) is not None
        and unit.state is not None
        and (then.destroyed, then.shields) != (unit.state.destroyed, unit.state.shields)
    )


def _hit(game: PlayedGame, before: Position, after: Position, moment: str) -> Iterator[ShipStruck]:
    stood = {unit.name: unit.state for unit in before.units}
    for unit in after.units:
        then, now, known = stood.get(unit.name), unit.state, game.classes.get(unit.name)
        if then is None or now is None or known is None or then == now:
            continue
        boxes = now.destroyed - then.destroyed
        shields = {
            number: left - now.shields.get(number, 0)
            for number, left in then.shields.items()
            if left > now.shields.get(number, 0)
        }
        if boxes or shields:
            yield ShipStruck(unit.name, known, now, frozenset(boxes), shields, moment)


def _bears_on(fired: Broadside, finding: Finding) -> bool:
    """Is fire of the impulse of a finding, by or at the ship it is about? A finding on movement is not about fire."""
    about = finding.subject
    if finding.key.startswith(_OF_MOVEMENT) and not finding.key.endswith("/fire"):
        return False
    named = about in (fired.firer, fired.target) or about.startswith(f"{fired.firer} ") or not about
    return (fired.turn, fired.impulse) == (finding.turn, finding.impulse) and named
