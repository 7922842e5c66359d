"""A log by ship and turn: speed, moves, energy, fire, damage, findings; and what tells its game from others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from referee.adjudicator.repairs import Marking
from referee.core.energy import energy_total, parse_energy
from referee.core.finding import LoggedGame, Report, Severity, ShipTurn, TurnLedger
from referee.core.hexgrid import FACINGS, true_range
from referee.core.play import Move
from referee.core.ship import ShipClass
from referee.formats.vassal.game import Save
from referee.formats.vassal.gathered import Logged
from referee.formats.vassal.moves import Moves
from referee.logs.fire import FireInLog
from referee.logs.ship_under_audit import ShipUnderAudit

if TYPE_CHECKING:
    from referee.logs.speeds import SpeedTold

_ByTurn = dict[tuple[str, int | None], list["Move"]]
Moment = tuple[int, int]
_COUNTED = (Severity.ERROR, Severity.UNDECIDED, Severity.WARNING)


def game_logged(save: Save, logged: Logged, moves: Moves | None, made: MovesMade | None = None) -> LoggedGame:
    """What tells a log's game from others, its dice and its moves impulse by impulse; those `made` before stand."""
    dice: dict[tuple[int, int], tuple[str, ...]] = {}
    steps: dict[tuple[int, int], int] = {}
    for rolled in logged.rolled:
        moment = rolled.clock.moment
        if moment is not None and rolled.taken_back is None:
            dice[moment] = (*dice.get(moment, ()), f"{rolled.roll.button} = {rolled.roll.faces}")
            steps.setdefault(moment, rolled.step)
    ways, moved = (made or MovesMade()).of(moves.moves if moves else ())
    counters = frozenset(ship.counter.id for ship in logged.ships if ship.counter)
    players = frozenset(player.name for player in save.players if not player.observes)
    return LoggedGame(
        logged.file, counters, players, logged.start.moment, logged.end.moment, dice, steps, ways, moved
    )


class MovesMade:
    """The moves of a log by impulse, as they were told last: only impulses whose moves have changed are told anew."""

    def __init__(self) -> None:
        self._moves: Sequence[Move] = ()
        self._ways: dict[Moment, tuple[str, ...]] = {}
        self._first: dict[Moment, int] = {}

    def of(self, moves: Sequence[Move]) -> tuple[dict[Moment, tuple[str, ...]], dict[Moment, int]]:
        """The moves of each impulse in words, and the step of the first of them."""
        before = self._moves
        same = next(
            (n for n, (old, new) in enumerate(zip(before, moves, strict=False)) if old is not new), None
        )
        same = min(len(before), len(moves)) if same is None else same
        others = (*before[same:], *moves[same:])
        changed = {(move.when.turn, move.when.impulse) for move in others}
        ways = {moment: row for moment, row in self._ways.items() if moment not in changed}
        first = {moment: step for moment, step in self._first.items() if moment not in changed}
        in_words: dict[Moment, list[str]] = {}
        for move in moves:
            turn, impulse = move.when.turn, move.when.impulse
            if (turn, impulse) in changed and turn is not None and impulse is not None:
                way = f"{move.ship} {move.from_hex} to {move.to_hex}{move.facing_after or ''}"
                in_words.setdefault((turn, impulse), []).append(way)
                first.setdefault((turn, impulse), move.location.step or 0)
        ways |= {moment: tuple(sorted(row)) for moment, row in in_words.items()}
        self._moves, self._ways, self._first = moves, ways, first
        return ways, first


def by_ship_and_turn(
    logged: Logged,
    judged: Sequence[ShipUnderAudit],
    moves: Moves | None,
    speeds: Iterable[SpeedTold],
    fired: FireInLog,
    marks: Mapping[str, tuple[Marking, ...]],
    report: Report,
) -> tuple[ShipTurn, ...]:
    """Every turn that was played of every ship that is known; `moves` is None where hexes have no names."""
    last = logged.end.turn or 0
    by_turn = _by_turn(moves)
    did = _turns_of(by_turn, fired)
    stated = {(speed.ship, speed.turn): speed.speed for speed in speeds}
    ledgers = {(ledger.ship, ledger.turn): ledger for ledger in reversed(report.ledgers)}
    found = _counted(report, [audited.ship.name for audited in judged])
    rows = []
    for audited in judged:
        name = audited.ship.name
        paid = {energy.turn: energy.speed for energy in audited.energy if energy.speed is not None}
        fell = {mark.when.turn for mark in marks.get(name, ())}
        played = {turn for turn in {*paid, *fell, *did.get(name, ())} if turn is not None}
        played |= {turn for ship, turn in stated if ship == name}
        for turn in sorted(turn for turn in played if (logged.start.turn or 1) <= turn <= last):
            row = ShipTurn(
                logged.file,
                name,
                turn,
                paid.get(turn, stated.get((name, turn))),
                *_moves(None if by_turn is None else by_turn.get((name, turn), ())),
                *_energy(ledgers.get((name, turn))),
                *_fire(name, turn, fired),
                *_damage(turn, marks.get(name, ()), audited.chosen),
                found[name, turn],
            )
            rows.append(row)
    return tuple(rows)


def _by_turn(moves: Moves | None) -> _ByTurn | None:
    """The moves by ship and turn."""
    if moves is None:
        return None
    made: _ByTurn = {}
    for move in moves.moves:
        made.setdefault((move.ship, move.when.turn), []).append(move)
    return made


def _turns_of(moves: _ByTurn | None, fired: FireInLog) -> dict[str, set[int | None]]:
    """The turns in which each ship moved, fired or launched."""
    did: dict[str, set[int | None]] = {}
    for ship, turn in moves or ():
        did.setdefault(ship, set()).add(turn)
    fire = (order for row, _ in fired.rows for order in row)
    for order in (*fire, *fired.launched):
        did.setdefault(order.firer.name, set()).add(order.when.turn)
    return did


def _moves(moves: Iterable[Move] | None) -> tuple[int | None, int | None]:
    """The hexes moved and the sixths of a circle turned; None where hexes have no names."""
    if moves is None:
        return None, None
    hexes = turned = 0
    for move in moves:
        hexes += true_range(move.from_hex, move.to_hex)
        if move.facing_before and move.facing_after and move.facing_before != move.facing_after:
            sixths = (FACINGS.index(move.facing_after) - FACINGS.index(move.facing_before)) % 6
            turned += min(sixths, 6 - sixths)
    return hexes, turned


def _energy(ledger: TurnLedger | None) -> tuple[str | None, str | None]:
    """The energy spent and the energy there was, where a form tells."""
    if ledger is None:
        return None, None
    spent = energy_total([parse_energy(line.amount) for line in ledger.lines])
    return str(spent), str(energy_total(map(parse_energy, ledger.available.values())))


_Weapons = tuple[tuple[str, int | None], ...]


def _fire(name: str, turn: int, fired: FireInLog) -> tuple[_Weapons, _Weapons]:
    """The weapons fired and launched, each with its impulse."""
    shots = [
        (shot.weapon, shot.impulse)
        for _, declaration in fired.rows
        for shot in declaration.shots
        if (shot.firer.name, shot.turn) == (name, turn)
    ]
    launched = [
        (mount.id, declared.when.impulse)
        for declared in fired.launched
        for mount in declared.mounts
        if (declared.firer.name, declared.when.turn) == (name, turn)
    ]
    return tuple(shots), tuple(launched)


def _damage(
    turn: int, marks: Iterable[Marking], ship: ShipClass
) -> tuple[Mapping[int, int], Mapping[str, int]]:
    """The boxes of shields and systems marked in the turn, less what was taken off again."""
    own = [mark for mark in marks if mark.when.turn == turn]
    if not own:
        return {}, {}
    before, after = own[0].before, own[-1].after
    lost = {n: left - after.shields.get(n, 0) for n, left in sorted(before.shields.items())}
    boxes = Counter(
        mount.system if (mount := ship.mount(box)) else box.partition("/")[0]
        for box in sorted(after.destroyed - before.destroyed)
    )
    return {n: count for n, count in lost.items() if count > 0}, boxes


def _counted(report: Report, ships: Iterable[str]) -> Counter[tuple[str, int | None]]:
    """The findings by ship and turn; one about a weapon, as `CA Meridian PHOT/A`, is its ship's."""
    names = sorted(ships, key=len, reverse=True)
    owner = {
        subject: next((name for name in names if f"{subject} ".startswith(f"{name} ")), subject)
        for subject in {finding.subject for finding in report.findings}
    }
    return Counter(
        (owner[finding.subject], finding.turn) for finding in report.findings if finding.severity in _COUNTED
    )
