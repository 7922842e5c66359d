"""Tells what happened to a broken record by looking at the lines behind the first bad one."""

from __future__ import annotations

from referee.core.errors import RefereeError, TornTail
from referee.record.chain import ChainFault, Entry, read_alone

# A power cut may leave zeros where the last blocks were not written. One zero alone is a flipped
# byte; no line of a record holds any.
_UNWRITTEN = b"\0\0"


def diagnose(fault: ChainFault, rest: bytes, seq: int, prev: str) -> RefereeError:
    """The fault of the first line of `rest`, named better where later lines tell more.

    Entry `seq`, following hash `prev`, was due there. A TornTail if the bytes were never all
    written and no entry stands behind them.
    """
    lines = rest.split(b"\n")
    tail = lines.pop()
    later = [_entry(line, fault.line + 1 + offset) for offset, line in enumerate(lines[1:])]
    if _UNWRITTEN in rest and fault.kind == "unreadable" and not any(later):
        return TornTail(
            f"was never fully written ({len(rest)} bytes)",
            place=f"line {fault.line}",
            hint="`referee record recover` sets it aside",
        )
    for offset, entry in enumerate(later, 1):
        if entry is not None and entry.seq == seq and entry.prev == prev:
            return _displaced(fault, offset, seq)
    if fault.kind == "missing" and (first := _entry(lines[0], fault.line)):
        return _missing(fault, first, seq)
    if fault.kind == "rewritten":
        fault.hint = "this line or the one before was replaced"
    elif fault.kind == "repeated":
        fault.hint = "this line or an earlier one was put in"
    elif not later and not tail:
        fault.hint = fault.hint or "it is the last line"
    return fault


def _displaced(fault: ChainFault, offset: int, seq: int) -> ChainFault:
    """The entry that is due stands further on: lines before it were put in, or lines changed places."""
    stands = fault.line + offset
    if offset == 1 and fault.kind != "missing":
        reason = f"was put in: line {stands} continues line {fault.line - 1}"
        return ChainFault("inserted", fault.line, reason)
    return ChainFault(
        "moved", fault.line, f"is not entry {seq}, which stands in line {stands}", "lines changed places"
    )


def _missing(fault: ChainFault, first: Entry, seq: int) -> ChainFault:
    last = first.seq - 1
    gone = f"entry {seq} is" if seq == last else f"entries {seq} to {last} are"
    return ChainFault("missing", fault.line, f"holds entry {first.seq}: {gone} missing before it")


def _entry(line: bytes, number: int) -> Entry | None:
    try:
        return read_alone(line, number)
    except ChainFault:
        return None
