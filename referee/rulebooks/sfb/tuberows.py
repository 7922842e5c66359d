"""Which heavy weapon a row of line 10 means, and of which it is not known what the form gives them."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.forms import EnergyAllocation
from referee.core.naming import tube_named
from referee.core.ship import Mount, ShipClass


def tube_of(line: str, ship: ShipClass) -> str | None:
    """The ship's weapon a line 10 entry means: by its mark, or by the letter where that is enough."""
    if not line.startswith("10:"):
        return None
    mount = ship.mount(line[3:]) or tube_named(line[3:], ship.mounts)
    return mount.id if mount else None


def unread_tubes(form: EnergyAllocation, ship: ShipClass) -> Iterator[tuple[str, str]]:
    """The weapons of which it is not known what a turn gives them, by their marks, and why: their row could not be
    read, or the row of some weapon could not be told from theirs."""
    rows = (*form.entries, *form.unread, *form.blanks)
    named = {line: tube_of(line, ship) for line in rows if line[:3] == "10:"}
    strays = [
        line for line, tube in named.items() if tube is None and (line in form.unread or form.amount(line))
    ]
    shared = "10" in form.unread or ("10" in form.entries and bool(form.amount("10")))
    if form.is_whole and not strays and not shared:
        return
    for mount in ship.mounts:
        line = next((line for line, tube in named.items() if tube == mount.id), f"10:{mount.id}")
        if line in form.entries:
            continue
        if line in form.unread:
            yield mount.id, form.why_unknown(line)
        elif meant := next((stray for stray in strays if may_mean(stray, mount)), ""):
            yield mount.id, f"{meant[3:]} may be {mount.id}"
        elif shared:
            yield mount.id, f"{form.named('10')} may be for {mount.id}"
        elif line not in named and (why := form.why_unknown(line)):
            yield mount.id, why


def may_mean(line: str, mount: Mount) -> bool:
    """May a row that names no weapon of the ship mean this one: `Disruptor 1` of weapons that have letters?"""
    kind, _, mark = line.removeprefix("10:").partition("/")
    if (
        not (mark and mount.mark)
        or mark.isdigit() == mount.mark.isdigit()
        or mount.system in ("phaser", "drone")
    ):
        return False
    prefix = mount.id.partition("/")[0]
    return kind in ("TORP", prefix) or prefix.startswith(f"{kind}-")
