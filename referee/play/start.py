"""The first entries of a game record, all of them tried before a byte is written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee import __version__
from referee.core.errors import BadInput, IntegrityFailure
from referee.core.frozen import frozen
from referee.play.own_ships import own_terms

if TYPE_CHECKING:
    from referee.core.account import Account
    from referee.core.finding import Finding
    from referee.play.game_file import Game, NewEntry
    from referee.record.chain import Entry
    from referee.rulebooks.base import Rulebook
    from referee.sources.settings import House, Settings


@frozen
class Terms:
    """What a game is begun with."""

    path: str
    players: list[str]
    dice: str
    umpire: str
    seed: str
    title: str
    alone: bool
    setup: Mapping[str, Any] = field(default_factory=dict)
    data: str = ""
    setup_file: str = ""
    scenario: str = ""
    drones: tuple[Mapping[str, Any], ...] = ()
    robots: tuple[str, ...] = ()


@frozen
class Begun:
    """A game that is begun: its rulebook, what its entries come to, of which the first is written, and what of a file
    they do not hold."""

    rulebook: Rulebook
    game: Game
    left_out: tuple[str, ...] = ()


def begin(terms: Terms, settings: Settings, ships: list[str], taken: Source | None = None) -> Begun:
    """Begins the record with its genesis; ships are said, or with all that happened so far in a file.

    Raises BadInput, and writes nothing, unless the entries all hold together.
    """
    from referee.play.confirmed import confirmed_terms
    from referee.play.game_file import game_of, now
    from referee.play.rulebook import rulebook_of
    from referee.record import journal
    from referee.record.dicekeys import new_game_id, new_secret, self_test
    from referee.record.entrytypes import check_shapes
    from referee.record.names import check_names
    from referee.record.secretfiles import secrets_folder, write_secret
    from referee.record.signatures import first_names
    from referee.record.signing import new_signing_key, public_part
    from referee.record.signkeys import save_key

    self_test()
    if Path(terms.path).exists():
        stays = "a record is never overwritten; choose another name"
        shows = f"; referee game status {terms.path} shows it" if terms.path.endswith(".jsonl") else ""
        raise BadInput("already exists", file=terms.path, hint=stays + shows)
    _must_be_names(terms)
    game_id, secret = new_game_id(), new_secret()
    genesis = _genesis(terms, settings, game_id, secret)
    signing = {name: new_signing_key() for name in first_names(genesis)}
    genesis["signers"] = {name: public_part(private) for name, private in signing.items()}
    rulebook = rulebook_of(genesis)
    left_out: tuple[str, ...] = ()
    if taken is None:
        new: list[NewEntry] = [("ship", data) for data in _ships(terms, ships, rulebook)]
        new += [("drone", dict(drone)) for drone in terms.drones]
        new += [*_set_up(terms, rulebook), *_first_step(rulebook)]
    else:
        genesis, new, left_out = entries_taken(taken, genesis, rulebook)
    classes = [str(data.get("class")) for kind, data in new if kind == "ship"]
    genesis |= confirmed_terms(rulebook.id, classes) | own_terms(classes)
    when = now()
    entries = chained(genesis, new, when)
    check_shapes(entries)
    try:
        game = game_of(terms.path, entries)
        _must_be_playable(game, terms)
        check_names(entries)
    except IntegrityFailure as error:
        raise BadInput(error.reason, hint="nothing was begun") from None
    folder = secrets_folder(terms.path)
    if terms.dice in ("umpire", "solo"):
        set_aside(folder, "dice-seed.json")
        write_secret(folder, "dice-seed.json", {"game": game_id, "seed": secret})
    for name, private in signing.items():
        save_key(folder, game_id, name, private)
    journal.create(terms.path, genesis, when)
    return Begun(rulebook, game, left_out)


def _must_be_names(terms: Terms) -> None:
    """Raises BadInput, with names that would do, for players or an umpire that a record cannot name."""
    from referee.record.canonical import KEY

    for option, names in (("--players", terms.players), ("--umpire", [terms.umpire] if terms.umpire else [])):
        if all(KEY.fullmatch(name) for name in names):
            continue
        wrong = next(name for name in names if not KEY.fullmatch(name))
        spelled = [re.sub("[^a-z0-9_]+", "_", name.casefold()).strip("_")[:32] for name in names]
        hint = f"{option} {','.join(spelled)}" if all(spelled) else f"{option} alice,bob"
        raise BadInput(f"{wrong[:40]!a} is no player's name: a-z, 0-9 and _, at most 32 of them", hint=hint)
    if len(set(terms.players)) < len(terms.players):
        twice = next(name for name in terms.players if terms.players.count(name) > 1)
        raise BadInput(f"{twice} is named twice", hint=f"--players {','.join(dict.fromkeys(terms.players))}")


def chained(genesis: dict[str, Any], new: Sequence[NewEntry], when: str) -> list[Entry]:
    """The entries of a record that begins at this time, each chained to the one before it."""
    from referee.record.chain import ZERO_HASH, make_entry

    entries, prev = [], ZERO_HASH
    for seq, (kind, data) in enumerate([("genesis", genesis), *new]):
        entries.append(make_entry(prev, seq, kind, data, when))
        prev = entries[-1].hash
    return entries


def entries_taken(
    source: Source, genesis: dict[str, Any], rulebook: Rulebook
) -> tuple[dict[str, Any], list[NewEntry], tuple[str, ...]]:
    """The first entry, which names the file, the entries it makes, and what they do not hold."""
    from referee.adjudicator.table import GameTable
    from referee.core.account import Account, Event
    from referee.core.takenover import untold_of
    from referee.play.takeover import ship_entries, take_over
    from referee.record.limits import MAX_INT
    from referee.rulebooks.registry import load_ship

    named: dict[str, Any] = {"file": Path(source.file).name, "sha256": source.sha256}
    shown = source.account
    if not shown.coverage.ways:
        return _entries_of_account(source, genesis, named, rulebook)
    start = shown.since
    # What was done in the impulse in whose midst the file begins is not known: the first that it tells is the next.
    begun = start.impulse or 1
    named |= {"turn": start.turn or 1, "impulse": begun if not shown.coverage.start or begun > 1 else 2}
    ships = ship_entries(shown, source.players)
    while_taken = genesis | {"from": {**named, "lines": MAX_INT}}
    entries = [("genesis", while_taken), *ships]
    account = Account(
        tuple(Event(seq, kind, data) for seq, (kind, data) in enumerate(entries)), file=source.file
    )
    taken = take_over(GameTable(rulebook, load_ship, account), shown, source.players)
    new = [*ships, *taken.entries]
    genesis |= {"from": {**named, "lines": len(new)}}
    untold = untold_of(genesis)
    return genesis, new, (*source.left_out, *taken.left_out, *((untold,) if untold else ()))


def _entries_of_account(
    source: Source, genesis: dict[str, Any], named: dict[str, Any], rulebook: Rulebook
) -> tuple[dict[str, Any], list[NewEntry], tuple[str, ...]]:
    """The first entry of a game that an account tells, and the entries it makes."""
    from referee.core.takenover import untold_of
    from referee.play.play_taken import entries_of
    from referee.record.limits import MAX_INT

    account = source.account
    begun = account.genesis["from"]
    named |= {"turn": begun["turn"], "impulse": begun["impulse"]}
    begun_at = genesis | {"from": {**named, "lines": MAX_INT}}
    new = entries_of(account, begun_at, source.players, rulebook, source.errors)
    genesis |= {"from": {**named, "lines": len(new)}}
    untold = untold_of(genesis)
    coverage = account.coverage
    lacks = (why for why in (coverage.energy, coverage.damage, coverage.steps, coverage.seekers) if why)
    return genesis, new, (*source.left_out, *lacks, *((untold,) if untold else ()))


def _genesis(terms: Terms, settings: Settings, game_id: str, secret: str) -> dict[str, Any]:
    """The first entry: what never changes in the game. Options of files and environment are written down."""
    from referee.core.gamefold import FOLD_VERSION
    from referee.rulebooks.registry import load_rulebook, ruleset_digest

    rulebook = load_rulebook(settings.rulebook or "sfb-cadet")
    genesis: dict[str, Any] = {
        "format": 1,
        "game": game_id,
        "ruleset": ruleset_digest(rulebook.id),
        "rulebook": rulebook.id,
        "players": terms.players,
        "dice": _dice_terms(terms, game_id, secret),
        "fold": FOLD_VERSION,
        "tool": f"referee {__version__}",
    }
    options = {**settings.house.options, **terms.setup.get("options", {}), **settings.options}
    optional = {
        "umpire": terms.umpire,
        "title": terms.title,
        "scenario": terms.scenario,
        "options": options,
        "house": _house(settings.house),
    }
    return genesis | {name: value for name, value in optional.items() if value} | _own_terms(terms, rulebook)


def _own_terms(terms: Terms, rulebook: Rulebook) -> dict[str, Any]:
    """What a rulebook with a table of its own keeps in the first entry: obstacles, an owner's data."""
    from referee.play.self_kept_setup import documents_of

    if not rulebook.has("game_fold"):
        if terms.setup or terms.data:
            option = "--setup" if terms.setup else "--data"
            raise BadInput(f"{option} with {rulebook.id}", hint="its ships are named with --ship")
        return {}
    terms_told = {"obstacles": list(terms.setup.get("obstacles", ())), "documents": documents_of(terms.data)}
    return {name: value for name, value in terms_told.items() if value}


def _set_up(terms: Terms, rulebook: Rulebook) -> list[NewEntry]:
    """The ships of a setup file."""
    from referee.play.self_kept_setup import ships_of_setup

    return ships_of_setup(terms.setup, terms.players, rulebook.descriptor["folder"]) if terms.setup else []


def _must_be_playable(game: Game, terms: Terms) -> None:
    """Raises BadInput where a rulebook with a table of its own has an error against one of the ships."""
    from referee.core.finding import Severity
    from referee.play.self_kept_table import fold_of

    if game.state.own is None:
        return
    names = [ship["name"] for ship in terms.setup.get("ships", ())]
    for found in fold_of(game).unfit(game.state.own):
        if found.severity is Severity.ERROR:
            place = f"/ships/{names.index(found.subject)}" if found.subject in names else ""
            reason = f"{found.subject}: {found.message} ({found.rule})"
            raise BadInput(reason, file=terms.setup_file, place=place, hint=found.fix or "nothing was begun")


def _first_step(rulebook: Rulebook) -> list[NewEntry]:
    """Where play begins; a rulebook with a table of its own begins when its first turn is begun."""
    if not rulebook.has("first_moment"):
        return []
    turn, _, step = rulebook.offers.first_moment(rulebook)
    return [("step", {"turn": turn, "step": step})]


def _house(house: House) -> dict[str, Any]:
    """House rules other than options, as the record holds them."""
    off, severity = list(house.off), [[key, value] for key, value in sorted(house.severity.items())]
    return {"off": off, "severity": severity} if off or severity else {}


def _dice_terms(terms: Terms, game_id: str, secret: str) -> dict[str, Any]:
    """What the first entry says about dice."""
    from referee.record.dicekeys import seed_commitment
    from referee.rulebooks.base import nearest

    if terms.dice not in MODES:
        raise BadInput(f"no dice {terms.dice}", hint=nearest(terms.dice, MODES))
    if bool(terms.seed) != (terms.dice == "seed"):
        raise BadInput("practice dice and their text go together", hint="--dice seed --seed TEXT")
    if terms.umpire in terms.players:
        raise BadInput(f"{terms.umpire} plays and cannot be the umpire")
    if terms.alone and terms.dice != "solo":
        raise BadInput(f"--alone with {terms.dice} dice", hint="it is for --dice solo")
    if terms.dice == "seed":
        return {"mode": terms.dice, "text": terms.seed}
    if terms.dice == "umpire":
        if not terms.umpire:
            raise BadInput("umpire dice need an umpire who does not play", hint="--umpire NAME")
        commitment = seed_commitment(game_id, terms.umpire, secret)
        return {"mode": terms.dice, "commitment": commitment, "umpire": terms.umpire}
    if terms.dice == "solo":
        known = {"mode": terms.dice, "commitment": seed_commitment(game_id, "", secret)}
        by_himself = terms.alone or (len(terms.players) < 2 and not terms.umpire)
        return known | ({"alone": True} if by_himself else {"operator": terms.umpire or terms.players[0]})
    if terms.dice == "physical" and len(terms.players) < 2 and not terms.umpire:
        raise BadInput("typed dice need somebody else to confirm them", hint="--dice solo, or --umpire NAME")
    return {"mode": terms.dice}


def _ships(terms: Terms, ships: list[str], rulebook: Rulebook) -> list[dict[str, Any]]:
    """The `ship` entries of the ships said, robots among them marked. Raises BadInput for a robot that is none."""
    from referee.rulebooks.base import nearest

    if terms.robots and not rulebook.has("movement"):
        raise BadInput(f"--robot with {rulebook.id}", hint="it has no Robot Opponent")
    entries = [_ship_data(given, terms.players, rulebook) for given in ships]
    names = [str(entry["ship"]) for entry in entries]
    for name in terms.robots:
        if name not in names:
            raise BadInput(f"no ship {name} to be a robot", hint=nearest(name, names))
    return [entry | ({"robot": True} if entry["ship"] in terms.robots else {}) for entry in entries]


# A class may be a file: C:\\ships\\raider.json.
_SHIP = re.compile(r"([^=]{1,60})=(.{1,500}?):([a-z0-9_]{1,32})(?:@([^/]{1,20}))?(?:/([0-9]{1,2}))?")


def _ship_data(given: str, players: list[str], rulebook: Rulebook) -> dict[str, Any]:
    """A `ship` entry from `NAME=CLASS:PLAYER[@2801E][/SPEED]`."""
    from referee.sources.ship_files import ship_for_game

    match = _SHIP.fullmatch(given)
    if not match:
        raise BadInput(f"--ship {given}", hint='write "Constellation=cadet/federation-ca:alice@2801E/16"')
    name, wanted, player, place, speed = match.groups()
    if player not in players:
        raise BadInput(f"{player} is no player", hint=f"players are {', '.join(players)}")
    at = _stands(rulebook, name.strip(), place) if place else ""
    if rulebook.has("game_fold"):
        from referee.play.self_kept_setup import ship_entry

        parts = {"ship": name.strip(), "class": wanted, "player": player, "at": at, "speed": speed}
        return ship_entry({part: text for part, text in parts.items() if text}, rulebook)
    found = ship_for_game(wanted, rulebook.id)
    data = {"ship": name.strip(), "class": found.id, "player": player}
    data |= {"at": at} if at else {}
    return data | ({"speed": speed} if speed else {})


def rulebook_of_ships(ships: list[str]) -> str:
    """The rulebook of the ships named with `--ship`; empty where their names do not tell. Raises BadInput where
    they are of several: somebody has to choose."""
    from referee.rulebooks.registry import own_ships
    from referee.sources.ship_files import find_ship

    rulebooks: dict[str, str] = {}
    for ship in ships:
        match = _SHIP.fullmatch(ship)
        wanted = match[2] if match else ""
        try:
            rulebooks.setdefault(own_ships().get(wanted) or find_ship(wanted).rulebook, ship)
        except BadInput:
            continue  # said with its reason when the ship is entered, by the rulebook of the others
    if len(rulebooks) > 1:
        both = " and ".join(f"{ship} ({id})" for id, ship in rulebooks.items())
        raise BadInput(f"ships of several rulebooks: {both}", hint=f"--rulebook {' or '.join(rulebooks)}")
    return next(iter(rulebooks), "")


def _stands(rulebook: Rulebook, name: str, place: str) -> str:
    """Where a ship begins, `2801E`. Raises BadInput for what is no hex and facing, or a hex beyond the map."""
    from referee.core.finding import Finding
    from referee.core.hexgrid import parse_map_position

    try:
        hex, facing = parse_map_position(place)
    except ValueError as error:
        raise BadInput(f"{name}: {error}", hint="write a hex and a facing, as @2801E") from None
    if facing is None:
        raise BadInput(f"{name}: {place} has no facing", hint=f"write @{hex}A, or whichever way it faces")
    for rule in rulebook.rules_on("hex named", "check"):
        for found in rule.decide(rulebook.offers.hex_named(rulebook, name, "is placed in", hex)):
            if isinstance(found, Finding):
                raise BadInput(f"{name} {found.message} ({rule.number})", hint=found.fix or found.expected)
    return f"{hex}{facing}"


def stale_answers(folder: Path, player: str) -> list[str]:
    """What a player answered in an earlier game of the same name."""
    return [path.name for path in sorted(folder.glob(f"answered-{player}-*.json"))]


def set_aside(folder: Path, *names: str) -> None:
    """Moves secrets that no record holds (any more) out of the way; nothing is deleted."""
    for name in names:
        path = folder / name
        if not path.exists():
            continue
        aside = (path.with_name(f"{name}.unused-{number}") for number in range(1, 1000))
        free = next((candidate for candidate in aside if not candidate.exists()), None)
        if free is None:
            raise BadInput("has too many unused copies beside it", file=str(path))
        path.rename(free)


MODES = ("peer", "umpire", "solo", "physical", "seed")


@frozen
class Source:
    """The file a game is taken from, its account, who plays its ships, what of it is left out, and its errors."""

    file: str
    sha256: str
    account: Account
    players: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    errors: tuple[Finding, ...] = ()
    """What is against the rules in it, and in no event of its account."""
