"""Secret notes of a log as sealed declarations: written before what they decide, shown when it is decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace

from referee.core.finding import Finding, NotChecked, Severity
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.play import When
from referee.rulebooks.base import NamedRules

_KEPT_SECRET = frozenset({"setspeed"})
"""The kinds of orders that a player need not show when they are carried out."""
_STANDS = "what was sealed stands; the umpire decides"


@frozen
class NoteSeen:
    """A secret note as it was in a step; `about` is the turn, and perhaps the impulse, it names, `orders` are
    the kinds of orders in it, none where it is prose."""

    step: int
    when: When
    name: str
    owner: str
    hidden: bool
    about: When
    text: str = field(repr=False)
    orders: frozenset[str] = frozenset()


@frozen
class AimedOrder:
    """An order to fire weapons at a target, to launch at it, or to cloak. It was given in chat, or in the secret
    `note` of a name for the moment `about`. `in_step` is false where the tracker tells that it was given in another
    step than one for it."""

    ship: str
    order: str
    when: When
    aims: frozenset[tuple[str, str]]
    place: Location
    note: str = ""
    about: When = When()
    in_step: bool = True

    @property
    def named(self) -> bool:
        """Does its note name the impulse it is about?"""
        return self.about.turn is not None and self.about.impulse is not None

    @property
    def declares(self) -> bool:
        """Was it shown where it is done, so that showing it says it? A note on a whole turn may be done at any time
        of it."""
        if not self.named:
            return self.about.turn is None or self.when.turn in (None, self.about.turn)
        now = self.when in (self.about, When(self.about.turn)) or self.when.turn is None
        return now and self.in_step

    def is_that_of(self, sealed: AimedOrder) -> bool:
        """Is this, said in chat, what a note has? It is of the ship and of the kind, and of the impulse the note
        names. Where that names a turn alone, or nothing, it is of the turn, said by the time the note is shown, and
        with a weapon the note has too: a weapon is not fired twice in a turn, so both are one shot."""
        if (self.note, self.ship, self.order) != ("", sealed.ship, sealed.order):
            return False
        if sealed.named or self.when == sealed.when:
            return self.when == (sealed.about if sealed.named else sealed.when)
        turn = sealed.when.turn if sealed.about.turn is None else sealed.about.turn
        if self.when.turn is None or self.when.turn != turn or _over(sealed.when, self.when):
            return False
        return not sealed.aims or bool(self.weapons & sealed.weapons)

    @property
    def weapons(self) -> frozenset[str]:
        """The weapons it is of."""
        return frozenset(weapon for weapon, _ in self.aims)


@frozen
class Held:
    """Orders of secret notes held against chat: which of them are none of their own, by their place in the
    row, and what was found."""

    dropped: frozenset[int]
    found: tuple[Finding | NotChecked, ...]


def held_to_notes(named: NamedRules, aimed: Sequence[AimedOrder], start: When, end: When) -> Held:
    """Orders of secret notes held against those of chat, in a log from `start` to `end`. What chat says too is
    one order; what was sealed for an impulse and neither said in it nor shown where it is done was not done."""
    sealed: dict[tuple[str, str, str], list[int]] = {}
    for index, order in enumerate(aimed):
        if order.note:
            sealed.setdefault((order.note, order.ship, order.order), []).append(index)
    dropped: set[int] = set()
    found: list[Finding | NotChecked] = []
    for places in sealed.values():
        row = [aimed[n] for n in places]
        in_chat = [order for order in aimed if any(order.is_that_of(note) for note in row)]
        if in_chat:
            dropped.update(places)
            found += _otherwise(row, in_chat)
        elif not all(order.declares for order in row):
            dropped.update(places)
            found.append(_not_done(named, row, start, end))
    return Held(frozenset(dropped), tuple(found))


def _not_done(
    named: NamedRules, sealed: Sequence[AimedOrder], start: When, end: When
) -> Finding | NotChecked:
    """What is said of orders sealed for an impulse in which nothing of the kind was ordered."""
    first = sealed[0]
    about = first.about
    if _over(about, start) or not _over(about, end):
        when = f"turn {about.turn}" + (f", impulse {about.impulse}" if first.named else "")
        reason = f"what the secret note {first.note} has is for {when}, which is not over or not in the log"
        return NotChecked(named.sequence, reason, first.ship)
    did = {"fire": "fired nothing", "launch": "launched nothing"}.get(first.order, f"did not {first.order}")
    aims = sorted({aim for order in sealed for aim in order.aims})
    return Finding(
        "NOTE/not-as-sealed",
        Severity.UNDECIDED,
        f"it {did} in the {'impulse' if first.named else 'turn'} for which the secret note {first.note} has it",
        first.ship,
        about.turn,
        about.impulse,
        first.place,
        expected=_listed(aims) or first.order,
        found="nothing",
        fix=_STANDS,
    )


def _otherwise(sealed: Sequence[AimedOrder], in_chat: Sequence[AimedOrder]) -> Iterator[Finding]:
    """A finding where chat has other weapons or targets than a note; of a note on a whole turn, chat may have other
    weapons as well."""
    meant, done = (sorted({aim for order in row for aim in order.aims}) for row in (sealed, in_chat))
    if not all(order.named or order.when in {other.when for other in in_chat} for order in sealed):
        weapons = frozenset[str]().union(*(order.weapons for order in sealed))
        done = [aim for aim in done if aim[0] in weapons]
    if meant == done:
        return
    first = next((order for order in in_chat if not order.aims <= set(meant)), in_chat[0])
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
        fix=_STANDS,
    )


def _listed(aims: Iterable[tuple[str, str]]) -> str:
    by_target: dict[str, list[str]] = {}
    for weapon, target in aims:
        by_target.setdefault(target, []).append(weapon)
    return "; ".join(f"{', '.join(weapons)} at {target}" for target, weapons in by_target.items())


def judge_notes(
    named: NamedRules,
    notes: Iterable[NoteSeen],
    end: When,
    file: str,
    played: Callable[[When], bool] = lambda about: False,
) -> Iterator[Finding | NotChecked]:
    """Findings on all secret notes; what a hidden one says is told to nobody. `played` says whether more than one
    ship moved or was given orders in the turn that a note names.

    A note that is never shown stays a note where it may rightly stay sealed. It may where it names no turn, where the
    turn or impulse it names is not over, and where nobody else played there. It may where it has no orders but for
    speed, which a form keeps secret too. (What prose means nobody can tell without reading it.) Else what was sealed
    there cannot be compared with what was done. That is undecided, whether or not another note was shown in its
    place.
    """
    rows: dict[tuple[str, str], list[NoteSeen]] = {}
    for note in notes:
        rows.setdefault((note.owner, note.name), []).append(note)
    for row in rows.values():
        yield from _judge(named, row, rows.values(), end, file, played)


def _judge(
    named: NamedRules,
    row: Sequence[NoteSeen],
    rows: Iterable[Sequence[NoteSeen]],
    end: When,
    file: str,
    played: Callable[[When], bool],
) -> Iterator[Finding | NotChecked]:
    first = row[0]
    if not first.hidden:
        return  # a secret note that was never secret
    shown = next((note for note in row if not note.hidden), None)
    about = next((note.about for note in row if note.about.turn is not None), first.about)
    if about.turn is None:
        reason = f"which turn the secret note {first.name} decides is not known: name it in its title"
        yield NotChecked(named.sequence, reason, first.owner)
    elif _begun(about, first.when) and first.step:
        yield _found(
            "sealed-late", Severity.WARNING, "was written when what it decides had begun", first, file
        )
    sealed = first
    for note in row[1:]:
        if note.text != sealed.text:
            begun = about.turn is None or _begun(about, note.when)
            how = "shown with another text than it was sealed with" if not note.hidden else "changed"
            decides = begun or not note.hidden or sealed.orders or note.orders
            severity = Severity.UNDECIDED if decides else Severity.NOTE
            late = " when what it decides had begun" if begun and about.turn is not None else ""
            yield _found("seal-changed", severity, f"was {how}{late}", note, file)
            sealed = note
        if note is shown:
            break
    if shown is None:
        over = about.turn is not None and _over(about, end)
        what = "was never shown" + (", and what it decides is over" if over else "")
        other = next((late[0] for late in rows if over and _replaces(late, row, about)), None)
        declared = any(note.orders - _KEPT_SECRET for note in row)
        if other is not None:
            what = f"{what}; {other.name} was written for the same and shown"
            found = _found("seal-kept", Severity.UNDECIDED, what, row[-1], file)
            yield replace(found, fix="show it; what was sealed first stands, the umpire decides")
        elif over and declared and played(about):
            found = _found("seal-kept", Severity.UNDECIDED, what, row[-1], file)
            yield replace(found, fix=f"{found.fix}; the umpire decides")
        else:
            yield _found("seal-kept", Severity.NOTE, what, row[-1], file)
    elif about.turn is not None and _over(about, shown.when):
        yield _found("shown-late", Severity.WARNING, "was shown when what it decides was over", shown, file)


def _replaces(late: Sequence[NoteSeen], row: Sequence[NoteSeen], about: When) -> bool:
    """Was a note of the same player, with orders for the same, written after another and shown? Notes on a whole
    turn are for the same where they have orders of one kind."""
    shown = next((note for note in late if not note.hidden), None)
    meant = frozenset[str]().union(*(note.orders for note in row))
    if shown is None or (shown.owner, shown.about) != (row[0].owner, about) or late[0].step <= row[0].step:
        return False
    return bool(shown.orders & meant if about.impulse is None else shown.orders and meant)


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
        "seal-kept": "show it, so that it can be compared with what was done",
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
