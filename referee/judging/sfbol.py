"""A play-by-play of the closed online client, judged: each game in it on the one table."""

from __future__ import annotations

from collections.abc import Iterable

from referee.adjudicator.check import as_filled_in, check_form
from referee.adjudicator.table import GameTable
from referee.core.errors import BadInput
from referee.core.finding import NOTHING_KNOWN, Report, merge_reports, unless_nothing_judged
from referee.core.forms import EnergyForm
from referee.core.location import Location
from referee.core.naming import folded, most_like
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked, note
from referee.sources.forms import must_be_readable, read_forms
from referee.sources.inputs import InputBytes, read_input
from referee.sources.sfbol import Forms, GameTold, games_told


def judge_play(source: InputBytes, asked: Asked) -> Report:
    """The report on all games of a log. Forms that are given beside it are of its last game."""
    given = dict(_forms_given(asked))
    games = list(games_told(source.data, source.name, asked, _columns(given)))
    _hold_forms(given, games, source.name)
    reports = []
    for number, game in enumerate(games, 1):
        reports.append(_told_apart(game, number, len(games), source.name))
        reports.append(_judged(game, source.name))
    reports += _forms_judged(given, games[-1])
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
    report = merge_reports([said, table.report()])
    if not game.turns:
        why = "no impulse is played in it"
        return unless_nothing_judged(report, why, place)
    return report


# -- forms beside it -----------------------------------------------------------------------


def _forms_given(asked: Asked) -> Iterable[tuple[str, EnergyForm]]:
    """The forms given with `--form SHIP=FILE`, by the ship's name as it was written. Raises BadInput."""
    for said in asked.forms:
        name, equals, path = said.partition("=")
        if not equals or not name.strip() or not path:
            raise BadInput(f"--form {said[:60]}", hint='write --form "Kharg=form.csv"')
        forms = read_forms(read_input(path), asked)
        if len(forms) != 1:
            raise BadInput(f"has {len(forms)} forms", file=path, hint="give one ship's form in a file")
        must_be_readable(forms[0])
        yield name.strip(), forms[0]


def _columns(given: dict[str, EnergyForm]) -> Forms:
    return {name: form.allocations for name, form in given.items()}


def _hold_forms(given: dict[str, EnergyForm], games: list[GameTold], file: str) -> None:
    """Raises BadInput for a form of a ship that is not in the log, or that may be several."""
    for name in given:
        if any(_ship_meant(name, game) for game in games):
            continue
        there = list(dict.fromkeys(name for game in games for name in game.classes))
        near = most_like(name, there) or there[:12]
        raise BadInput(f"--form {name[:60]}: no ship of known class is called so", file=file, hint=", ".join(near))


def _ship_meant(name: str, game: GameTold) -> str:
    exact = [known for known in game.classes if folded(known) == folded(name)]
    words = frozenset(name.casefold().split())
    fits = exact or [known for known in game.classes if words <= frozenset(known.casefold().split())]
    return fits[0] if len(fits) == 1 else ""


def _forms_judged(given: dict[str, EnergyForm], game: GameTold) -> Iterable[Report]:
    for name, form in given.items():
        ship = _ship_meant(name, game)
        if ship and game.rulebook is not None:
            report = check_form(game.rulebook, load_ship(game.classes[ship]), form, subject=ship)
            yield as_filled_in(report, form, form.allocations, ship)
