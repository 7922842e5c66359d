"""Appends only what verification will accept: dice and seals are followed under the lock."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

from referee.core.errors import IntegrityFailure
from referee.core.frozen import frozen
from referee.record.chain import Data, Entry, make_entry
from referee.record.dicekeys import self_test
from referee.record.diceledger import DiceLedger
from referee.record.journal import NewEntry, Tail, append
from referee.record.reading import Name
from referee.record.rolls import DeclaredRoll, DiceFault
from referee.record.seals import SealLedger


@frozen
class RecordStanding:
    """How the game's dice and seals stand at the end of the record, while its lock is held."""

    tail: Tail
    entries: tuple[Entry, ...]
    dice: DiceLedger
    seals: SealLedger


def append_guarded(
    path: Name,
    build: Callable[[RecordStanding], Sequence[NewEntry]],
    now: str,
    *,
    seed: str | None = None,
) -> list[Entry]:
    """Appends what `build` makes of the standing, if dice and seals allow it; as `journal.append`.

    Raises DiceFault or IntegrityFailure for a new entry that `dice verify` or a reveal's check would
    refuse; nothing is written then. Faults already in the record are left to verification.
    """

    def checked(tail: Tail) -> Sequence[NewEntry]:
        entries = tuple(tail.entries())
        dice, seals = DiceLedger(seed=seed), SealLedger()
        for entry in entries:
            with contextlib.suppress(IntegrityFailure):
                dice.apply(entry)
            with contextlib.suppress(IntegrityFailure):
                seals.apply(entry)
        new = list(build(RecordStanding(tail, entries, dice, seals)))
        prev, seq = tail.hash, tail.seq + 1
        for entry_type, data in new:
            entry = make_entry(prev, seq, entry_type, data, now)
            dice.apply(entry)
            seals.apply(entry)
            prev, seq = entry.hash, seq + 1
        return new

    return append(path, checked, now)


def declare_roll(path: Name, who: str, order: Sequence[Data], now: str, **fields: object) -> Entry:
    """Declares the next roll; its number and hash are in the entry returned. Raises as `append_guarded`.

    `fields` are the optional ones of `declare`: weapons, targets, ship, purpose, physical, ...
    """

    def build(standing: RecordStanding) -> Sequence[NewEntry]:
        data: Data = {"roll": standing.dice.next_roll, "who": who, "order": list(order), **fields}
        return [("declare", data)]

    return append_guarded(path, build, now)[0]


def record_result(path: Name, now: str, *, seed: str | None = None) -> DeclaredRoll:
    """Throws the open roll's dice and records them; they may be shown once this returns.

    Raises DiceFault while a key is missing, for an open-ended roll, or when the self-test fails.
    """
    self_test()
    made: list[DeclaredRoll] = []

    def build(standing: RecordStanding) -> Sequence[NewEntry]:
        roll = standing.dice.open_roll
        if roll is None:
            raise DiceFault("order", "no roll is open")
        data: Data = {
            "roll": roll.number,
            "declaration": roll.declaration,
            "dice": standing.dice.dice_now(),
        }
        made.append(roll)
        return [("result", data)]

    (entry,) = append_guarded(path, build, now, seed=seed)
    return _with_dice(made[0], entry)


def _with_dice(roll: DeclaredRoll, entry: Entry) -> DeclaredRoll:
    return DeclaredRoll(
        roll.number, roll.who, roll.declaration, roll.line, roll.source, roll.order, roll.open, roll.keys,
        "resolved", tuple(entry.data["dice"]), entry.hash, entry.line_number,
    )  # fmt: skip
