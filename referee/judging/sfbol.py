"""A play-by-play of the closed online client, judged: each game in it on the one table."""

from __future__ import annotations

from referee.adjudicator.table import GameTable
from referee.core.finding import (
    NOTHING_KNOWN,
    Report,
    merge_reports,
    unless_nothing_judged,
)
from referee.core.location import Location
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked, note
from referee.sources.inputs import InputBytes
from referee.sources.sfbol import Forms, GameTold, games_told


def judge_play(source: InputBytes, asked: Asked) -> Report:
    """The report on all games of a log."""
    forms: Forms = {}
    reports = []
    games = list(games_told(source.data, source.name, asked, forms))
    for number, game in enumerate(games, 1):
        reports.append(_told_apart(game, number, len(games), source.name))
        reports.append(_judged(game, source.name))
    return merge_reports(reports)


def _told_apart(game: GameTold, number: int, of: int, file: str) -> Report:
    if of == 1:
        return Report()
    told = f"game {number} of {of}: lines {game.first} to {game.last}"
    return Report((note("game", told, "", location=Location(file, line=game.first)),))


def _judged(game: GameTold, file: str) -> Report:
    place = Location(file, line=game.first)
    said = Report(game.findings)
    if game.account is None or game.rulebook is None:
        return unless_nothing_judged(said, NOTHING_KNOWN, place)
    table = GameTable(game.rulebook, load_ship, game.account)
    report = table.report()
    return merge_reports([said, report])
