"""A play-by-play of the closed online client, judged: each game in it on the one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from referee.adjudicator.check import as_filled_in, check_form
from referee.adjudicator.table import GameTable
from referee.core.account import Account, Event
from referee.core.errors import BadInput, IntegrityFailure
from referee.core.finding import (
    NOTHING_KNOWN,
    Finding,
    Report,
    Severity,
    merge_reports,
    unless_nothing_judged,
)
from referee.core.forms import EnergyForm
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.formats.sfbol import GamePart, parts_of, read_game
from referee.judging.processes import cores, deaf, processes
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked, note
from referee.sources.inputs import InputBytes
from referee.sources.sfbol import GameTold, game_told
from referee.sources.sfbol_forms import forms_given, hold_forms, ship_meant
from referee.sources.sfbol_names import hold_ships_named
from referee.sources.sfbol_targets import hold_targets

MOST_REFUSED = 20
"""Lines that contradict the game before it is taken for no game at all."""
_MAY_FAIL = ("order", "taken", "form")
SHARED = 256 * 1024
"""Characters of different games from which on more processes than one are worth starting."""


@frozen
class GameJudged:
    """One game, judged: the report, and of what it told the ships, without its account."""

    report: Report
    told: GameTold


def judge_play(source: InputBytes, asked: Asked) -> Report:
    """The report on all games of a log. Forms that are given beside it are of its last game."""
    given = forms_given(asked)
    parts = list(parts_of(source.data, source.name))
    judged = _games(parts, source.name, asked, given)
    hold_ships_named(
        asked, [one.told.meant for one in judged], [one.told.names for one in judged], source.name
    )
    hold_forms(given, judged[-1].told.classes, source.name)
    hold_targets(asked, [one.told.launched for one in judged], source.name)
    reports = []
    for number, (part, one) in enumerate(zip(parts, judged, strict=True), 1):
        reports.append(_told_apart(one.told, part, number, len(parts), source.name))
        reports.append(_from_line(one.report, part.first - one.told.first))
    return merge_reports(reports)


def _games(
    parts: Sequence[GamePart], file: str, asked: Asked, forms: Mapping[str, EnergyForm]
) -> list[GameJudged]:
    """Each game judged; one that stands there again is judged once. Many are shared by several processes."""
    last = parts[-1]
    distinct: dict[tuple[str, bool], GamePart] = {}
    for part in parts:
        distinct.setdefault((part.text, part is last), part)
    size = sum(len(part.text) for part in distinct.values())
    judge = partial(_judged, file=file, asked=asked)
    workers = min(cores(), len(distinct)) if size >= SHARED else 1
    jobs = [(part, forms if last_one else {}) for (_, last_one), part in distinct.items()]
    if workers < 2:
        found = [judge(part, own) for part, own in jobs]
    else:
        with processes(workers) as executor:
            with deaf():
                waiting = [executor.submit(judge, part, own) for part, own in jobs]
            found = [one.result() for one in waiting]
    by_text = dict(zip(distinct, found, strict=True))
    return [by_text[part.text, part is last] for part in parts]


def _judged(part: GamePart, forms: Mapping[str, EnergyForm], file: str, asked: Asked) -> GameJudged:
    columns = {name: form.allocations for name, form in forms.items()}
    game = game_told(read_game(part, file), file, asked, columns)
    place = Location(file, line=game.first)
    said, without = Report(game.findings), replace(game, account=None, rulebook=None)
    if game.account is None or game.rulebook is None:
        return GameJudged(unless_nothing_judged(said, NOTHING_KNOWN, place), without)
    table, refused = _on_the_table(game.account, game.rulebook)
    reports = [said, refused, table.report()]
    for name, form in forms.items():
        if ship := ship_meant(name, game.classes):
            judged = check_form(game.rulebook, load_ship(game.classes[ship]), form, subject=ship)
            reports.append(as_filled_in(game.rulebook, judged, form, form.allocations, ship))
    report = merge_reports(reports)
    if not game.turns:
        report = unless_nothing_judged(report, "no impulse is played in it", place)
    return GameJudged(report, without)


def _on_the_table(account: Account, book: Rulebook) -> tuple[GameTable, Report]:
    """The game on the table, and what is said of lines that contradict the game so far and cannot be taken: a thing
    that is there twice, or acts when it is gone. Raises as the table where there are too many."""
    refused: list[Finding] = []
    while True:
        try:
            return GameTable(book, load_ship, account), Report(tuple(refused))
        except (BadInput, IntegrityFailure) as error:
            seq = int(error.place.removeprefix("line ")) - 1 if error.place.startswith("line ") else 0
            event = next(
                (one for one in account.events[1:] if one.seq == seq and one.type in _MAY_FAIL), None
            )
            if event is None or len(refused) >= MOST_REFUSED:
                raise BadInput(error.reason, file=account.file, hint="the log contradicts itself") from None
            told = f"this cannot happen as the game stands, and is not judged: {error.reason}"
            refused.append(Finding("NOTE/contradiction", Severity.UNDECIDED, told, location=event.at))
            account = replace(account, events=tuple(_but_for(account.events, seq)))


def _but_for(events: Iterable[Event], seq: int) -> Iterator[Event]:
    """Events without one of them, nor what is said of it."""
    for event in events:
        data = event.data
        if event.seq == seq or seq in (data.get("fire"), *(shot[0] for shot in data.get("shots", ()))):
            continue
        if event.type == "taken" and seq in data.get("fire", ()):
            data = {**data, "fire": [one for one in data["fire"] if one != seq]}
            event = replace(event, data=data)  # noqa: PLW2901
        yield event


def _told_apart(game: GameTold, part: GamePart, number: int, of: int, file: str) -> Report:
    if of == 1:
        return Report()
    told = f"game {number} of {of}: lines {part.first} to {part.first + game.last - game.first}"
    return Report((note("game", told, "", location=Location(file, line=part.first)),))


def _from_line(report: Report, lines: int) -> Report:
    """A report with its findings so many lines further down."""
    if not lines:
        return report
    return replace(report, findings=tuple(_moved_down(found, lines) for found in report.findings))


def _moved_down(found: Finding, lines: int) -> Finding:
    line = found.location.line
    return found if line is None else replace(found, location=found.location.within(line=line + lines))
