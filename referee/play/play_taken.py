"""A game taken from a play-by-play of the online client: its account as entries of a record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.adjudicator.record_forms import allocation_from
from referee.adjudicator.speeds_fitting import settled
from referee.adjudicator.table import GameTable
from referee.core.account import BESIDE_ORDERS, PROPOSED, STATED, Account, Event
from referee.core.errors import BadInput
from referee.core.finding import Finding, Severity, Unknown
from referee.core.game import at_fault, foul_data
from referee.core.gameorders import order_said
from referee.core.location import Location
from referee.core.naming import folded
from referee.core.orders import in_words
from referee.play.forms import on_form
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.sfbol import GameTold, games_told

NewEntry = tuple[str, dict[str, Any]]


def one_game(source: InputBytes, asked: Asked) -> GameTold:
    """The one game of a log. Raises BadInput for a log of several, or of no ship known here."""
    games = list(games_told(source.data, source.name, asked))
    if len(games) > 1:
        raise BadInput(f"holds {len(games)} games", file=source.name, hint="say which: --part 1")
    if games[0].account is None or games[0].rulebook is None:
        why = next(
            (
                f"{finding.subject}: {finding.message}"
                for finding in games[0].findings
                if finding.key == "NOTE/ship"
            ),
            "",
        )
        hint = '--ship "NAME=CLASS" says which; referee show lists what is in it'
        raise BadInput(f"no ship known here is in it{f': {why}' if why else ''}", file=source.name, hint=hint)
    return replace(
        games[0], account=settled(games[0].rulebook, load_ship, games[0].account, games[0].speeds_open)
    )


def entries_of(
    account: Account,
    genesis: Mapping[str, Any],
    players: Mapping[str, str],
    rulebook: Rulebook,
    errors: Iterable[Finding] = (),
) -> list[NewEntry]:
    """The entries an account makes after the first, each with the fouls of what it breaks, then those of other `errors`
    of ships; `players` are those of the ships, `genesis` the record's own first entry."""
    first = Event(0, "genesis", genesis)
    table = GameTable(rulebook, load_ship, Account((first,), account.coverage, account.file))
    new: list[NewEntry] = []
    moved_to: dict[int, int] = {}
    known = {
        event.data["player"]: players[event.data["ship"]] for event in account.events if event.type == "ship"
    }
    for event in account.events[1:]:
        if event.type in BESIDE_ORDERS:
            stated = _at_entries(event, moved_to)
            if stated is not None:
                new += _fouls_of(table, table.take(stated), table.state.players[0], len(new))
            continue
        if isinstance(event.sure, Unknown) and "fire" in event.data:
            continue  # A shot that no rule here allows, nor forbids.
        data = _in_record(event, known, moved_to)
        moved_to[event.seq] = len(new) + 1
        for kind, entry in _with_fouls(table, replace(event, data=data), len(new) + 1):
            new.append((kind, entry))
    new += _fouls_of(table, errors, table.state.players[0], len(new))
    return new


def errors_beside(game: GameTold) -> Iterator[Finding]:
    """The errors found as a log was read, each about a ship: what dice show is about the ship whose player threw them."""
    for finding in game.findings:
        ships = [ship for ship in game.classes if finding.subject in (ship, *game.throwers.get(ship, ()))]
        if finding.severity is Severity.ERROR and len(ships) == 1:
            yield replace(finding, subject=ships[0])


def _at_entries(event: Event, moved_to: Mapping[int, int]) -> Event | None:
    """What is stated, of shots by the places of their entries in the record; nothing where one of them is not in it."""
    data = dict(event.data)
    fired = {seq for seq, *_ in data.get("shots", ())} | ({data["fire"]} if "fire" in data else set())
    if event.type != STATED or not fired <= moved_to.keys():
        return None
    if "shots" in data:
        data["shots"] = [(moved_to[seq], *rest) for seq, *rest in data["shots"]]
    if "fire" in data:
        data["fire"] = moved_to[data["fire"]]
    return replace(event, data=data)


def _in_record(event: Event, players: Mapping[str, str], moved_to: Mapping[int, int]) -> dict[str, Any]:
    """What a record holds of an event: its player, its words, and its entries by their places in the record."""
    data = dict(event.data)
    if "player" in data:
        data["player"] = players.get(data["player"], data["player"])
    if "fire" in data and event.type == "taken":
        data["fire"] = [moved_to[seq] for seq in data["fire"] if seq in moved_to]
    if event.type == "order":
        data["text"] = [words_of(event)]
    return data


def words_of(event: Event) -> str:
    """What an event says, in words; nothing of a step."""
    data = event.data
    if event.type == "ship":
        return f"{data['ship']} is {data['class']}"
    if event.type != "order":
        return str(data.get("text", ""))
    order = order_said(data)
    place = data.get("place", {})
    line = f" (line {event.at.line})" if event.at.line else ""
    put = f"put in {place['to']}" if place.get("to") else "out of sight"
    return in_words(order) if order else f"{place.get('ship', '')}: {put}{line}"


def _with_fouls(table: GameTable, event: Event, seq: int) -> Iterator[NewEntry]:
    player = str(event.data.get("player", "")) or table.state.players[0]
    filed = _of_the_form(table, event.data) if event.type == "form" else []
    found = table.take(replace(event, seq=seq, at=Location(table.file, record_line=seq + 1)))
    yield event.type, dict(event.data)
    rules = {finding.rule for finding in found}
    yield from _fouls_of(table, [*found, *(each for each in filed if each.rule not in rules)], player, seq)


def _fouls_of(table: GameTable, found: Iterable[Finding], player: str, seq: int) -> Iterator[NewEntry]:
    """The entries for the errors found, after the entry of a number."""
    for finding in found:
        if finding.severity is Severity.ERROR:
            seq += 1
            foul = foul_data(finding, at_fault(table.state.ships, finding, player))
            table.take(Event(seq, "foul", foul))
            yield "foul", foul


def _of_the_form(table: GameTable, data: Mapping[str, Any]) -> Sequence[Finding]:
    """What the rules of energy say against a form that is filed."""
    ship = table.state.ships[data["ship"]]
    allocation = allocation_from(data["form"], data["turn"], Location())
    return on_form(table.rulebook, ship, PROPOSED, "", form=allocation).findings


def owners(game: GameTold, players: Sequence[str], who: Sequence[str], path: str) -> dict[str, str]:
    """Who plays each ship: as is said with `--player`, else as its dice tell. Raises BadInput where it is not known."""
    seated: dict[str, str] = {}
    for given in who:
        name, equals, player = given.rpartition("=")
        fits = [ship for ship in game.classes if folded(ship) == folded(name)]
        fits = fits or [
            ship for ship in game.classes if set(name.casefold().split()) <= set(ship.casefold().split())
        ]
        if not equals or player not in players or len(fits) != 1:
            ships = ", ".join(game.classes)
            raise BadInput(
                f"--player {given[:60]}",
                hint=f'write "SHIP=PLAYER"; ships are {ships}; players {", ".join(players)}',
            )
        seated[fits[0]] = player
    for ship in game.classes:
        throws = [
            player
            for player in players
            if any(folded(known) == player for known in game.throwers.get(ship, ()))
        ]
        if ship not in seated and len(players) == 1:
            seated[ship] = players[0]
        elif ship not in seated and len(throws) == 1:
            seated[ship] = throws[0]
        elif ship not in seated:
            hint = f'--player "{ship}={" or ".join(players)}"'
            raise BadInput(f"who plays {ship} is not known", file=path, hint=hint)
    return seated
