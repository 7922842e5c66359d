"""A play-by-play of the closed online client, game by game: what each tells, and what it does not.

Lines tell places, fire, dice and damage. Speeds, the racks of launches and the ends of flights they do not: what can be
concluded is concluded here, with how sure it is, and the rest is said not to be told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import islice
from typing import TYPE_CHECKING

from referee.core.account import Account
from referee.core.errors import BadInput
from referee.core.finding import Finding
from referee.core.frozen import frozen
from referee.formats.sfbol import ImpulseBegun, all_of
from referee.formats.sfbol_games import GamePart, PlayedGame, parts_of, read_game
from referee.sources.asked import Asked
from referee.sources.sfbol_account import Forms, Telling
from referee.sources.sfbol_clock import in_order
from referee.sources.sfbol_forms import forms_given, hold_forms, ship_meant
from referee.sources.sfbol_names import Names, hold_ships_named, ships_meant
from referee.sources.sfbol_ships import ShipsKnown
from referee.sources.sfbol_targets import hold_targets, targets_given
from referee.sources.sfbol_unread import outside, unread_lines

if TYPE_CHECKING:
    from referee.rulebooks.base import Rulebook


@frozen
class GameTold:
    """One game of a log: its lines, what is said of them, and its account if any ship of it is known here."""

    first: int
    last: int
    findings: tuple[Finding, ...]
    account: Account | None = None
    rulebook: Rulebook | None = None
    classes: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    lines: int = 0
    turns: int = 0
    meant: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The ships that each name of a `--ship NAME=CLASS` may mean."""
    throwers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Who threw the dice of each ship, where nobody else's they can have been."""
    launched: tuple[str, ...] = ()
    """What was launched in it."""
    speeds_open: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The speeds a ship may have in a turn of which not all is told, by the event that says one of them."""


def parts_asked(data: bytes, file: str, asked: Asked) -> Iterator[GamePart]:
    """The games of a log, or the one that `--part` names. Raises BadInput where it has fewer."""
    parts = parts_of(data, file)
    if not asked.part:
        return parts
    named = list(islice(parts, asked.part - 1, asked.part))
    if not named:
        raise BadInput(f"has no game {asked.part}", file=file, hint=f"referee show {file} lists its games")
    return iter(named)


def games_told(data: bytes, file: str, asked: Asked) -> list[GameTold]:
    """The games of a log; forms given beside it are of the last. Raises BadInput for what cannot be read, and for
    `--ship` and `--form` of a ship it has not."""
    forms = forms_given(asked)
    played = [read_game(part, file) for part in parts_asked(data, file, asked)]
    games = [game_told(game, file, asked, forms if game is played[-1] else None) for game in played]
    hold_ships_named(asked, [game.meant for game in games], [game.names for game in games], file)
    hold_forms(forms, games[-1].classes, file)
    hold_targets(asked, [game.launched for game in games], file)
    return games


def game_told(game: PlayedGame, file: str, asked: Asked, forms: Forms | None = None) -> GameTold:
    """One game of a log; `forms` are those given beside it, by the ships' names as the player writes them."""
    names = Names(game.facts, file)
    known = ShipsKnown(game, names, file, asked)
    findings = [*known.findings, *unread_lines(game.facts, names, file), *outside(game.facts, names, file)]
    telling, targets = None, targets_given(asked, names)
    if known.rulebook is not None:
        given = ((ship_meant(named, known.classes), form) for named, form in (forms or {}).items())
        filed = {ship: form for ship, form in given if ship}
        facts, clock = in_order(game.facts, known.rulebook, known.classes, names, file)
        out_of_order = tuple(finding.location.line or 0 for finding in clock)
        game, findings = game._replace(facts=facts, out_of_order=out_of_order), [*findings, *clock]
        telling = Telling(game, names, file, known.rulebook, known.classes, filed, targets)
        findings += telling.findings
    return GameTold(
        game.first,
        game.last,
        tuple(findings),
        telling.account if telling else None,
        known.rulebook,
        {name: ship.id for name, ship in known.classes.items()},
        tuple(names.ships),
        game.lines,
        max([begun.turn for begun in all_of(game.facts, ImpulseBegun)], default=0),
        ships_meant(asked, names),
        telling.fire.throwers if telling else {},
        tuple(names.launched),
        telling.speeds_open if telling else {},
    )
