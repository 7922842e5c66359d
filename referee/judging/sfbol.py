"""A play-by-play of the closed online client, judged: each game in it on the one table."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.adjudicator.speeds_fitting import settled
from referee.adjudicator.table import GameTable
from referee.core.account import Account, Event
from referee.core.errors import BadInput, IntegrityFailure
from referee.core.finding import (
    NOTHING_KNOWN,
    Finding,
    NotChecked,
    Perhaps,
    Report,
    Severity,
    merge_reports,
    unless_nothing_judged,
)
from referee.core.forms import EnergyForm
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.formats.sfbol_games import GamePart, read_game
from referee.judging.processes import cores, deaf, processes
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked, note
from referee.sources.inputs import InputBytes
from referee.sources.sfbol import GameTold, game_told, parts_asked
from referee.sources.sfbol_forms import forms_given, hold_forms
from referee.sources.sfbol_names import hold_ships_named
from referee.sources.sfbol_targets import hold_targets

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

MOST_REFUSED = 20
"""Lines that contradict the game before it is taken for no game at all."""
MAY_GO_ON = Perhaps("the log ends in this impulse, in which the other has not moved so far")
_MAY_FAIL = ("order", "taken", "form")
SHARED = 256 * 1024
"""Bytes of a log from which on more processes than one are worth starting."""
ROWS_EACH, AHEAD = 48, 2
"""Rows of games for each process, at most; and those that wait for a process of the others, the one it judges among them."""


@frozen
class GameJudged:
    """One game, judged: the report, and of what it told the ships, without its account."""

    report: Report
    game: GameTold


Job = tuple[GamePart, Mapping[str, EnergyForm]]
"""A game to be judged, and the forms that are given of it."""
Judge = Callable[[GamePart, Mapping[str, EnergyForm]], GameJudged]


@frozen
class Sharing:
    """Processes that share the work with this one: `workers` are all of them. A row of games has so much text at least."""

    executor: Executor
    workers: int
    row: int


def judge_play(source: InputBytes, asked: Asked) -> Report:
    """The report on all games of a log. Forms that are given beside it are of its last game."""
    given = forms_given(asked)
    with _others(source, asked) as others:
        judge = partial(_judged, file=source.name, asked=asked)
        games = _games(parts_asked(source.data, source.name, asked), judge, given, others)
    judged = [outcome for _, outcome in games]
    hold_ships_named(
        asked,
        [outcome.game.meant for outcome in judged],
        [outcome.game.names for outcome in judged],
        source.name,
    )
    hold_forms(given, judged[-1].game.classes, source.name)
    hold_targets(asked, [outcome.game.launched for outcome in judged], source.name)
    reports = []
    for number, (part, outcome) in enumerate(games, 1):
        reports.append(_told_apart(outcome.game, part, number, len(games), source.name))
        reports.append(_from_line(outcome.report, part.first - outcome.game.first))
    return merge_reports(reports)


@contextmanager
def _others(source: InputBytes, asked: Asked) -> Iterator[Sharing | None]:
    """The processes that share a file with this one, where it is large and seems to hold several games; they begin at
    once, on the games that are found while it is taken apart here."""
    data, workers = source.data, 1
    if len(data) >= SHARED and data.find(b"Impulse 1.", max(0, data.find(b"Impulse 2."))) > 0:
        workers = asked.workers or cores()
    if workers < 2:
        yield None
        return
    with processes(workers - 1) as executor:
        with deaf():
            begun = [executor.submit(_row_judged, [], _nothing) for _ in range(workers - 1)]
        yield Sharing(executor, workers, len(data) // (workers * ROWS_EACH))
        for future in begun:
            future.cancel()


def _games(
    parts: Iterator[GamePart], judge: Judge, forms: Mapping[str, EnergyForm], others: Sharing | None
) -> list[tuple[GamePart, GameJudged]]:
    """Each game judged, with its text; one that stands there again is judged once."""
    rows: list[tuple[GamePart, int]] = []
    """Each game, and its number among the games judged."""

    def jobs() -> Iterator[Job]:
        known: dict[tuple[str, bool], int] = {}
        part = next(parts, None)
        while part is not None:
            after = next(parts, None)
            key = part.text, after is None
            if is_new := key not in known:
                known[key] = len(known)
            rows.append((part, known[key]))
            if is_new:
                yield part, {} if after else forms
            part = after

    found = _row_judged(jobs(), judge) if others is None else _shared(jobs(), judge, others)
    return [(part, found[n]) for part, n in rows]


def _row_judged(jobs: Iterable[Job], judge: Judge) -> list[GameJudged]:
    return [judge(part, forms) for part, forms in jobs]


def _nothing(part: GamePart, forms: Mapping[str, EnergyForm]) -> GameJudged:
    raise AssertionError("no game is judged so")


def _shared(jobs: Iterable[Job], judge: Judge, others: Sharing) -> list[GameJudged]:
    """Games judged by several processes, this one among them: the others take rows of games from the front as soon as
    they are read, and it takes them from the back once all are. Raises what is raised of the first game of which anything
    is."""
    rows: list[list[Job]] = []
    found: dict[int, list[GameJudged] | Exception] = {}
    waiting: list[Future[list[GameJudged]]] = []

    def hand_out(last: int) -> None:
        most = AHEAD * (others.workers - 1)
        while len(waiting) < last and sum(not future.done() for future in waiting) < most:
            with deaf():
                waiting.append(others.executor.submit(_row_judged, rows[len(waiting)], judge))

    for row in _rows(jobs, others.row):
        rows.append(row)
        hand_out(len(rows))
    last = len(rows)
    while len(waiting) < last:
        hand_out(last)
        if len(waiting) < last:
            last -= 1
            try:
                found[last] = _row_judged(rows[last], judge)
            except Exception as error:
                found[last] = error
    judged: list[GameJudged] = []
    for n in range(len(rows)):
        outcomes = waiting[n].result() if n < len(waiting) else found[n]
        if isinstance(outcomes, Exception):
            raise outcomes
        judged += outcomes
    return judged


def _rows(jobs: Iterable[Job], size: int) -> Iterator[list[Job]]:
    """Games in rows of about as much text: enough of them that all processes end together."""
    row: list[Job] = []
    length = 0
    for job in jobs:
        row.append(job)
        length += len(job[0].text)
        if length >= size:
            yield row
            row, length = [], 0
    if row:
        yield row


def _judged(part: GamePart, forms: Mapping[str, EnergyForm], file: str, asked: Asked) -> GameJudged:
    game = game_told(read_game(part, file), file, asked, forms)
    place = Location(file, line=game.first)
    read, without = _read(game), replace(game, account=None, rulebook=None)
    if game.account is None or game.rulebook is None:
        return GameJudged(unless_nothing_judged(read, NOTHING_KNOWN, place), without)
    account, table, refused = _on_the_table(game.account, game.rulebook)
    if game.speeds_open and (forms or _errs_in(table, account, game.speeds_open)):
        account = settled(game.rulebook, load_ship, account, game.speeds_open)
        _, table, refused = _on_the_table(account, game.rulebook)
    report = merge_reports([read, refused, table.report(), Report(tuple(table.if_it_ends(MAY_GO_ON)))])
    if not game.turns:
        report = unless_nothing_judged(report, "no impulse is played in it", place)
    return GameJudged(report, without)


def _read(game: GameTold) -> Report:
    """What is said of a game's lines as they are read."""
    untold = game.account.coverage.seekers if game.account is not None else ""
    key = game.rulebook.named.seekers if game.rulebook is not None else ""
    return Report(game.findings, not_checked=(NotChecked(key, untold),) if untold and key else ())


def _errs_in(table: GameTable, account: Account, open_: Container[int]) -> bool:
    """Is anything amiss in a turn of which several speeds fit what is told?"""
    turns = {event.data["turn"] for event in account.events if event.seq in open_}
    amiss = (Severity.ERROR, Severity.UNDECIDED)
    found = [finding for _, finding in table.found if finding.severity in amiss]
    return any(finding.turn in turns for finding in (*found, *(lapsed for _, lapsed in table.lapsed)))


def _on_the_table(account: Account, rulebook: Rulebook) -> tuple[Account, GameTable, Report]:
    """The game on the table, and what is said of lines that contradict the game so far and cannot be taken: a thing
    that is there twice, or acts when it is gone; the account is without these. Raises as the table where there are too
    many."""
    refused: list[Finding] = []
    while True:
        try:
            return account, GameTable(rulebook, load_ship, account), Report(tuple(refused))
        except (BadInput, IntegrityFailure) as error:
            seq = int(error.place.removeprefix("line ")) - 1 if error.place.startswith("line ") else 0
            event = next(
                (
                    happened
                    for happened in account.events[1:]
                    if happened.seq == seq and happened.type in _MAY_FAIL
                ),
                None,
            )
            if event is None or len(refused) >= MOST_REFUSED:
                raise BadInput(error.reason, file=account.file, hint="the log contradicts itself") from None
            message = f"this cannot happen as the game stands, and is not judged: {error.reason}"
            refused.append(Finding("NOTE/contradiction", Severity.UNDECIDED, message, location=event.at))
            account = replace(account, events=tuple(_but_for(account.events, seq)))


def _but_for(events: Iterable[Event], seq: int) -> Iterator[Event]:
    """Events without one of them, nor what is said of it; without a launch, nor the flight."""
    gone = ""
    for event in events:
        data = event.data
        if event.seq == seq:
            gone = data.get("launch", {}).get("name", "")
        if gone and gone in _flying(data):
            continue
        if event.seq == seq or seq in (data.get("fire"), *(shot[0] for shot in data.get("shots", ()))):
            continue
        if event.type == "taken" and seq in data.get("fire", ()):
            data = {**data, "fire": [fired for fired in data["fire"] if fired != seq]}
            event = replace(event, data=data)  # noqa: PLW2901
        yield event


def _flying(data: Mapping[str, Any]) -> tuple[str, ...]:
    """The seekers an event is about."""
    named = (data.get("seeker", {}).get("name"), data.get("place", {}).get("ship"), data.get("name"))
    return (*filter(None, named), *data.get("seekers", ()))


def _told_apart(game: GameTold, part: GamePart, number: int, of: int, file: str) -> Report:
    if of == 1:
        return Report()
    message = f"game {number} of {of}: lines {part.first} to {part.first + game.last - game.first}"
    return Report((note("game", message, "", location=Location(file, line=part.first)),))


def _from_line(report: Report, lines: int) -> Report:
    """A report with its findings so many lines further down."""
    if not lines:
        return report
    return replace(report, findings=tuple(_moved_down(found, lines) for found in report.findings))


def _moved_down(found: Finding, lines: int) -> Finding:
    line = found.location.line
    return found if line is None else replace(found, location=found.location.within(line=line + lines))
