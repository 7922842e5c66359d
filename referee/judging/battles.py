"""From a file to the battle it holds, to be told: what happened, what it adds up to, and what a judge asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.adjudicator.setup import scenario_of
from referee.adjudicator.standing import standing_of
from referee.core.battle import (
    Battle,
    DiceFell,
    FoulSaid,
    ImpulseTold,
    Retraction,
    Ruled,
    Sentence,
    ShipThen,
    TurnTold,
)
from referee.core.entry_words import chat_text
from referee.core.errors import BadInput
from referee.core.finding import NotChecked
from referee.core.naming import how_many
from referee.judging.battle_sums import damage_marked, dice_of_counts, dice_told
from referee.judging.files import judge_file
from referee.play.fallen_dice import as_counted
from referee.record.stats import dice_stats
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes

if TYPE_CHECKING:
    from referee.core.finding import Report
    from referee.core.positions import PlayedGame, Position
    from referee.play.game_file import Game

NO_DICE = "dice: none of six sides are in it"
NO_AUTHOR = "which shot did which damage, and whose it was: damage is reported as it is marked on the ships"
NO_DAMAGE = "damage: none is marked on a ship whose class is known"
NO_RECORD = "who won, house rules, times, signatures: only a record holds them"


def battle_in(source: InputBytes, asked: Asked, side: str = "") -> Battle:
    """The battle in a file; of one with secrets what a side knows. Raises BadInput for a file that holds none, and as
    `check` does for a record that does not hold."""
    if source.is_record:
        return _of_record(source, asked, side)
    if side:
        raise BadInput("nothing in it is secret to one side", file=source.name, hint="leave --as out")
    from referee.judging.played_games import played_game

    return battle_of_positions(played_game(source, asked))


# -- a record ----------------------------------------------------------------------------


def _of_record(source: InputBytes, asked: Asked, side: str) -> Battle:
    from referee.play.game_file import open_game

    game = open_game(source.name)
    own = game.state.own
    if side and own is None and side not in (*game.state.players, game.state.umpire):
        raise BadInput(f"{side} does not play in this game", file=source.name, hint=_sides(game))
    document = None if own is None else own.document(side)
    report = judge_file(source, replace(asked, side=side if own is not None else ""))
    return battle_of_game(game, report, side) if own is None else _own_told(game, report, side, document)


def _sides(game: Game) -> str:
    return f"there are {', '.join(game.state.players)}"


def battle_of_game(game: Game, report: Report, side: str = "") -> Battle:
    """A game of ships with an SSD. Its record is open to all who play: a side is told the same as all."""
    from referee.judging.battle_story import Story

    story, state, stands = Story(game), game.state, standing_of(game.state)
    impulse = "" if state.impulse is None else f", impulse {state.impulse}"
    return Battle(
        title=_title(game),
        file=game.path,
        facts=tuple(_facts(game)),
        turns=tuple(story.turns),
        classes=game.ship_classes,
        victory=stands,
        now="" if stands is not None and stands.over else f"turn {state.turn}{impulse}",
        verdict=report.verdict.value,
        shots=tuple(story.shots),
        volleys=tuple(story.volleys),
        seeker_hits=tuple(story.seeker_hits),
        dice=dice_fell(game),
        leads=tuple(story.leads),
        findings=report.findings,
        not_checked=(*report.not_checked, *_ruled_alone(game), *_unsure_figures(game)),
        fouls=tuple(_fouls(game)),
        rulings=tuple(_rulings(game)),
        retractions=tuple(story.retractions),
        untold=("what is sealed and was never shown",)
        if any(not s.revealed for s in game.state.in_force)
        else (),
        verify=_verify(game),
        head=game.head,
        side=side,
    )


def _own_told(game: Game, report: Report, side: str, document: object) -> Battle:
    """A game on a rulebook's own table, in that rulebook's words. A side is told the dice that it may know, and neither
    fouls nor rulings, which may speak of what it must not."""
    from referee.play.self_kept_table import told_rolls

    assert isinstance(document, Mapping)
    about = {"", side, *document["state"]["vessels"]}
    rolls = told_rolls(game, side) if side else None
    return Battle(
        title=_title(game),
        file=game.path,
        facts=tuple(_facts(game, ships=not side)),
        turns=(),
        verdict=report.verdict.value,
        dice=dice_fell(game, rolls),
        findings=report.findings,
        not_checked=tuple(item for item in report.not_checked if not side or item.subject in about),
        fouls=() if side else tuple(_fouls(game)),
        rulings=() if side else tuple(_rulings(game)),
        retractions=() if side else tuple(_retractions(game)),
        untold=("fouls, rulings, what was taken back, and rolls of the other side",) if side else (),
        document=document,
        verify=() if side else _verify(game),
        head=game.head,
        side=side,
    )


def _title(game: Game) -> str:
    return str(game.state.genesis.get("title") or "A game")


def _verify(game: Game) -> tuple[str, ...]:
    name = game.path.replace("\\", "/").rpartition("/")[2]
    return (f"referee record verify {name}", f"referee dice verify {name}", f"referee check {name}")


def _facts(game: Game, *, ships: bool = True) -> Iterator[tuple[str, str]]:
    """What a judge of a tournament asks for."""
    genesis, entries = game.state.genesis, game.entries
    yield "Players", ", ".join(game.state.players)
    yield "Umpire", game.state.umpire or "none"
    if ships:
        for entry in entries:
            if entry.type == "ship" and entry.seq not in game.state.undone:
                yield "Ship", _entered(entry.data)
    yield "BPV", "not known: the ship data hold none"
    scenario = scenario_of(genesis)
    yield "Scenario", f"{scenario.id}: {scenario.title}" if scenario else "none of the book's"
    yield "Rulebook", f"{game.rulebook.title} ({genesis['rulebook']})"
    options = ", ".join(f"{name} = {value}" for name, value in genesis.get("options", {}).items())
    yield "Options", options or "as the rulebook has them"
    yield "House rules", _house(genesis.get("house"))
    yield "Dice", game.state.dice_mode
    if (taken := genesis.get("from")) is not None:
        yield "Begun from", f"{taken['file']} (entries 1 to {taken['lines']} were played elsewhere)"
    yield "Begun, last entry", f"{entries[0].ts}, {entries[-1].ts} (as the players' clocks say)"
    yield "Entries", str(len(entries))
    yield "Rule data", f"{genesis['ruleset']}" + (f"; {game.other_rules}" if game.other_rules else "")
    yield "Written with", str(genesis["tool"])
    yield "Signed", _signed(game)


def _entered(data: object) -> str:
    assert isinstance(data, Mapping)
    of = f" ({data['player']})" if data.get("player") else ""
    at = f", at {data['at']}" if data.get("at") else ""
    speed = f", speed {data['speed']}" if data.get("speed") not in (None, "") else ""
    robot = ", a robot" if data.get("robot") else ""
    return f"{data['ship']}: {data.get('class', '')}{of}{at}{speed}{robot}"


def _house(house: object) -> str:
    if not isinstance(house, Mapping):
        return "none"
    off = [f"{rule} is off" for rule in house.get("off", ())]
    return (
        ", ".join([*off, *(f"{rule} counts as {weight}" for rule, weight in house.get("severity", ()))])
        or "none"
    )


def _signed(game: Game) -> str:
    if "signers" not in game.state.genesis:
        return "no: the record does not prove who said what"
    counts: dict[str, int] = {}
    for entry in game.entries:
        for name in entry.sigs:
            counts[name] = counts.get(name, 0) + 1
    return (
        ", ".join(f"{name} signed {how_many(counts[name], 'entry', 'entries')}" for name in sorted(counts))
        or "by nobody yet"
    )


def _fouls(game: Game) -> Iterator[FoulSaid]:
    for foul in game.state.fouls:
        yield FoulSaid(
            f"#{foul.seq}", foul.key or foul.rule, foul.player, foul.charge, foul.turn, foul.impulse
        )


def _rulings(game: Game) -> Iterator[Ruled]:
    for seq, _ in game.state.rulings:
        data = game.entries[seq].data
        about = f"#{data['target']}" if "target" in data else ""
        by = str(data["by"])
        yield Ruled(f"#{seq}", by, chat_text(game.entries[seq]).removeprefix(f"{by}: "), about)


def _ruled_alone(game: Game) -> Iterator[NotChecked]:
    """What is marked by a ruling, so that no rule was asked; of where a ship stands by one judging says it."""
    named = game.rulebook.named
    for seq, _ in game.state.rulings:
        data = game.entries[seq].data
        for ship in dict.fromkeys(str(event["ship"]) for event in data.get("events", ())):
            yield NotChecked(named.volley, f"what is marked on it by ruling #{seq}", ship)


def _unsure_figures(game: Game) -> Iterator[NotChecked]:
    """The figures of the ships' classes that no source confirms."""
    for name, ship in game.state.ships.items():
        figures = game.ship_class(ship).sources.items()
        if unsure := [path for path, figure in figures if figure.status == "provisional"]:
            of = ", ".join(dict.fromkeys(path.partition("/")[0] for path in unsure))
            many = how_many(len(unsure), "figure")
            reason = f"{many} of its class rest on no source ({of}): the printed SSD decides"
            yield NotChecked("SHIP/provisional", reason, name)


def _retractions(game: Game) -> Iterator[Retraction]:
    for entry in game.entries:
        if entry.type == "undo" and entry.seq not in game.state.undone:
            agreed = tuple(map(str, entry.data.get("agreed_by", ())))
            yield Retraction(
                f"#{entry.seq}", str(entry.data["reason"]), agreed, (f"#{entry.data['target']}",)
            )


def dice_fell(game: Game, only: set[int] | None = None) -> tuple[DiceFell, ...]:
    """The dice of a record beside fair ones: of each player, then of all who threw dice of a kind."""
    rolls = [roll for roll in game.dice.rolls.values() if only is None or roll.number in only]
    each = [replace(roll, source="") for roll in as_counted(game, rolls)]
    return dice_told(dice_stats(each), dice_stats([replace(roll, who="") for roll in each]))


# -- other sources -----------------------------------------------------------------------


def battle_of_positions(game: PlayedGame) -> Battle:
    """A game told as its positions show it: of a save, a log, an orders file, a log of the online client."""
    turns: list[tuple[int, list[Position]]] = []
    for position in game.positions:
        if not turns or turns[-1][0] != position.turn:
            turns.append((position.turn, []))
        turns[-1][1].append(position)
    ships = [unit for unit in game.positions[-1].units if unit.kind == "ship"] if game.positions else []
    facts = [
        ("Ship", f"{unit.name}: {_class(game, unit.name)}{f' ({unit.side})' if unit.side else ''}")
        for unit in ships
    ]
    volleys, leads = damage_marked(game)
    dice = dice_of_counts(game.dice)
    untold = [NO_AUTHOR if volleys else NO_DAMAGE, NO_RECORD]
    untold += [] if dice else [NO_DICE]
    placed = [finding for position in game.positions for finding in position.findings]
    return Battle(
        title=game.title,
        file=game.file,
        facts=(*facts, ("Rulebook", game.rulebook or "not told"), ("Signed", "no: the file is no record")),
        turns=tuple(_turn(turn, row) for turn, row in turns),
        classes=game.classes,
        verdict=game.verdict,
        findings=(*placed, *game.findings),
        not_checked=game.not_checked,
        volleys=volleys,
        leads=leads,
        broadsides=game.fire,
        dice=dice,
        untold=tuple(untold),
        head=game.head,
    )


def _class(game: PlayedGame, name: str) -> str:
    return game.classes[name].id if name in game.classes else "of a class that is not known"


def _turn(turn: int, positions: Iterable[Position]) -> TurnTold:
    row = list(positions)
    moments: list[tuple[int | None, list[Sentence]]] = []
    for position in row:
        if not moments or moments[-1][0] != position.impulse:
            moments.append((position.impulse, []))
        if position.happened:
            moments[-1][1].append(Sentence("said", position.happened, position.place))
    ships = tuple(
        ShipThen(unit.name, unit.side, unit.state.ship if unit.state else "", unit.at, unit.speed, unit.state)
        for unit in row[-1].units
        if unit.kind == "ship"
    )
    sequence = tuple(ImpulseTold(impulse, tuple(sentences)) for impulse, sentences in moments if sentences)
    return TurnTold(turn, sequence, ships, place=row[-1].place)
