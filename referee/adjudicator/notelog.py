"""Secret notes of a log as sealed declarations: written before what they decide, shown when it is decided."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.play import When

Moment = tuple[int, int]


@frozen
class NoteSeen:
    """A secret note as it was in a step; `about` is the turn, and perhaps the impulse, it names."""

    step: int
    when: When
    name: str
    owner: str
    hidden: bool
    about: When
    text: str = field(repr=False)


@frozen
class Aimed:
    """Weapons ordered to fire at a target, or launched at it: in chat, or in the secret `note` of a name,
    which decides what happens in `about`."""

    ship: str
    order: str
    when: When
    aims: frozenset[tuple[str, str]]
    place: Location
    note: str = ""
    about: When = When()


def held_to_notes(aimed: Sequence[Aimed]) -> tuple[frozenset[int], tuple[Finding, ...]]:
    """Which of the orders of secret notes were said in chat too, by their place in the row, and findings on
    what was said otherwise than it was sealed."""
    sealed: dict[tuple[str, str, str], list[int]] = {}
    for index, one in enumerate(aimed):
        if one.note:
            sealed.setdefault((one.note, one.ship, one.order), []).append(index)
    repeated: set[int] = set()
    findings: list[Finding] = []
    for (_, ship, order), row in sealed.items():
        moments = {(when.turn, when.impulse) for n in row for when in (aimed[n].when, aimed[n].about)}
        said = [
            one
            for one in aimed
            if (one.note, one.ship, one.order) == ("", ship, order)
            and (one.when.turn, one.when.impulse) in moments
        ]
        if said:
            repeated.update(row)
            findings += _otherwise([aimed[n] for n in row], said)
    return frozenset(repeated), tuple(findings)


def _otherwise(sealed: Sequence[Aimed], said: Sequence[Aimed]) -> Iterator[Finding]:
    """A finding where chat has other weapons or targets than a note."""
    meant, done = (sorted({aim for one in row for aim in one.aims}) for row in (sealed, said))
    if meant == done:
        return
    first = next((one for one in said if not one.aims <= set(meant)), said[0])
    yield Finding(
        "NOTE/not-as-sealed",
        Severity.UNDECIDED,
        f"what it {'launched' if first.order == 'launch' else 'fired'} is not what the secret note"
        f" {sealed[0].note} has",
        first.ship,
        first.when.turn,
        first.when.impulse,
        first.place,
        expected=_listed(meant),
        found=_listed(done),
        fix="what was sealed stands; the umpire decides",
    )


def _listed(aims: Iterable[tuple[str, str]]) -> str:
    by_target: dict[str, list[str]] = {}
    for weapon, target in aims:
        by_target.setdefault(target, []).append(weapon)
    return "; ".join(f"{', '.join(weapons)} at {target}" for target, weapons in by_target.items())


def judge_notes(notes: Iterable[NoteSeen], end: When, file: str) -> Iterator[Finding | NotChecked]:
    """Findings on all secret notes; what a hidden one says is told to nobody."""
    rows: dict[tuple[str, str], list[NoteSeen]] = {}
    for note in notes:
        rows.setdefault((note.owner, note.name), []).append(note)
    for row in rows.values():
        yield from _judge(row, end, file)


def _judge(row: Sequence[NoteSeen], end: When, file: str) -> Iterator[Finding | NotChecked]:
    first = row[0]
    if not first.hidden:
        return  # a secret note that was never secret
    shown = next((note for note in row if not note.hidden), None)
    about = next((note.about for note in row if note.about.turn is not None), first.about)
    if about.turn is None:
        reason = f"which turn the secret note {first.name} decides is not known: name it in its title"
        yield NotChecked("B2.0", reason, first.owner)
    elif _begun(about, first.when) and first.step:
        yield _found(
            "sealed-late", Severity.WARNING, "was written when what it decides had begun", first, file
        )
    sealed = first
    for note in row[1:]:
        if note.text != sealed.text:
            begun = about.turn is None or _begun(about, note.when)
            how = "shown with another text than it was sealed with" if not note.hidden else "changed"
            severity = Severity.UNDECIDED if begun or not note.hidden else Severity.NOTE
            late = " when what it decides had begun" if begun and about.turn is not None else ""
            yield _found("seal-changed", severity, f"was {how}{late}", note, file)
            sealed = note
        if note is shown:
            break
    if shown is None:
        yield _found("seal-kept", Severity.NOTE, _kept(about, end), row[-1], file)
    elif about.turn is not None and _over(about, shown.when):
        yield _found("shown-late", Severity.WARNING, "was shown when what it decides was over", shown, file)


def _kept(about: When, end: When) -> str:
    over = about.turn is not None and _over(about, end)
    return "was never shown" + (", and what it decides is over" if over else "")


def _begun(about: When, now: When) -> bool:
    """Has what a note decides begun? A turn begins to be played with the second impulse, or the first move."""
    if about.turn is None or now.turn is None:
        return False
    return (now.turn, now.impulse or 1) > (about.turn, about.impulse or 1)


def _over(about: When, now: When) -> bool:
    """Is the impulse a note names over, or the turn where it names none?"""
    if about.turn is None or now.turn is None:
        return False
    if about.impulse is None or now.impulse is None:
        return now.turn > about.turn
    return (now.turn, now.impulse) > (about.turn, about.impulse)


def _found(key: str, severity: Severity, what: str, note: NoteSeen, file: str) -> Finding:
    fix = {
        "sealed-late": "seal before it is decided",
        "seal-changed": "what was sealed stands; the umpire decides",
        "shown-late": "show it when it is decided",
        "seal-kept": "show it, so that it can be held against what was done",
    }[key]
    return Finding(
        f"NOTE/{key}",
        severity,
        f"the secret note {note.name} {what}",
        note.owner,
        note.when.turn,
        note.when.impulse,
        Location(file, step=note.step or None),
        fix=fix,
    )
