"""Recomputes every roll of a record from the record alone: what `dice verify` prints."""

from __future__ import annotations

from collections.abc import Iterable

from referee.record.chain import Entry
from referee.record.diceledger import DiceLedger
from referee.record.rolls import DiceFault, DiceReport, Mismatch


def recompute(entries: Iterable[Entry], *, seed: str | None = None) -> DiceReport:
    """Follows all dice of a record and recomputes each roll whose keys are known; `seed` is the umpire's, before it
    is in the record."""
    ledger = DiceLedger(seed=seed)
    mismatches: list[Mismatch] = []
    for entry in entries:
        try:
            ledger.apply(entry)
        except DiceFault as fault:
            mismatches.append(Mismatch(entry.line_number, fault.roll, fault.kind, fault.reason))
    rolls = tuple(ledger.rolls[number] for number in sorted(ledger.rolls))
    resolved = [roll for roll in rolls if roll.status == "resolved"]
    bad = {mismatch.roll for mismatch in mismatches}
    return DiceReport(
        ledger.mode,
        rolls,
        tuple(mismatches),
        tuple(roll.number for roll in resolved if roll.recomputed),
        tuple(
            roll.number
            for roll in resolved
            if not roll.recomputed and roll.source != "physical" and roll.number not in bad
        ),
        tuple(roll.number for roll in resolved if roll.typed),
    )
