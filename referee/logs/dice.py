"""Dice of a log: paired with the shots they were rolled for, taken back, or rolled over again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from referee.adjudicator.rolled_fire import Row, came_through
from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.once import pattern
from referee.core.orders import Fire
from referee.core.play import When
from referee.formats.vassal.gathered import Logged, LoggedRoll
from referee.formats.vassal.module import DiceButton, Module
from referee.formats.vassal.spoken import ButtonRoll
from referee.logs.dice_owners import Need, Throw, in_words
from referee.logs.fire import Undone
from referee.logs.lock_on import LockSaid
from referee.logs.spoken_results import Statement
from referee.rulebooks.base import Rulebook

_KIND = pattern(r"(?i)(?<![0-9a-z])([1-9][0-9]?)?d([1-9][0-9]{0,2})(?![0-9a-z])")
_FACE = pattern(r"[0-9]+")


_MANY = 12  # steps named one by one

Spare = Mapping[int, Sequence[Throw]]
"""The dice rolled after each row of fire that no shot waited for."""
Dice = Mapping[tuple[int, int], int]
"""The dice of shots, by the number of their row and their place in it."""


@frozen
class Paired:
    """Shots and their dice. `dice` has the total of each shot, by the row it was declared in and its place there.
    `spare` are the dice rolled after a row that no shot waited for. `again` are those rolled for shots whose first
    die was taken back. `otherwise` has the total of a shot if it was another player who rolled for it. `asides` are
    the throws that were not taken for a shot of another player that waited then, each with that shot. `lent` are
    those that were."""

    dice: Mapping[tuple[int, int], int]
    spare: Mapping[int, tuple[Throw, ...]]
    again: Mapping[int, tuple[Throw, ...]] = field(default_factory=dict)
    otherwise: Mapping[tuple[int, int], int] = field(default_factory=dict)
    asides: tuple[tuple[Throw, Need], ...] = ()
    lent: tuple[tuple[Throw, Need], ...] = ()
    findings: tuple[Finding, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()


def throws_of(logged: Logged, module: Module | None, but: frozenset[int]) -> tuple[Throw, ...]:
    """All dice rolled, those that were undone too, but for the steps `but` these."""
    buttons = {button.name: button for button in module.dice} if module else {}
    return tuple(_throw(rolled, buttons) for rolled in logged.rolled if rolled.step not in but)


def _throw(rolled: LoggedRoll, buttons: Mapping[str, DiceButton]) -> Throw:
    faces = tuple(int(face) for face in _FACE.findall(rolled.roll.faces))
    count, sides, plus = len(faces), None, 0
    if button := buttons.get(rolled.roll.button):
        count, sides, plus = button.dice, button.sides, button.plus
    elif match := _KIND.search(rolled.roll.button):
        count, sides = int(match[1] or 1), int(match[2])
    if faces and (len(faces) > count or 1 < len(faces) < count):
        count = len(faces)  # the button was set to other dice than its name says
    when = When(rolled.clock.turn, rolled.clock.impulse)
    whole = faces if len(faces) == count else ()
    void = (
        not faces
        or (sides is not None and not count <= sum(faces) - count * plus <= count * sides)
        or any(face - plus < 1 or (sides is not None and face - plus > sides) for face in whole)
        or two_readings(rolled.roll)
    )
    shown = () if void else whole
    by, undone = rolled.roll.player, rolled.taken_back
    return Throw(rolled.step, when, count or 1, sides, shown, sum(faces), by, void, undone)


def two_readings(roll: ButtonRoll) -> bool:
    """Does chat say other faces than the button's property?"""
    in_chat, shown = (tuple(map(int, _FACE.findall(text))) for text in (roll.chat_faces, roll.faces))
    return (
        bool(in_chat)
        and in_chat != shown
        and not (1 in (len(in_chat), len(shown)) and sum(in_chat) == sum(shown))
    )


def by_rows(dice: Dice, count: int) -> list[dict[int, int]]:
    """The dice of each of so many rows, by the place of their shot."""
    found: list[dict[int, int]] = [{} for _ in range(count)]
    for (number, place), total in dice.items():
        found[number][place] = total
    return found


def without_dice(rulebook: Rulebook) -> Paired:
    """Shots for which no dice can be told: none fell, or no rule says which are rolled."""
    rules = rulebook.rules_on("dice")
    reason = "no dice are in the log" if rules else "no rule says which dice are rolled"
    return Paired({}, {}, not_checked=(NotChecked(rulebook.named.dice, reason),))


def for_no_fire(rulebook: Rulebook, throws: Iterable[Throw]) -> Iterator[NotChecked]:
    """Dice that belong to no fire known here."""
    steps = [str(throw.step) for throw in throws]
    if steps:
        more = f" and {len(steps) - _MANY} more" if len(steps) > _MANY else ""
        reason = f"the dice of steps {', '.join(steps[:_MANY])}{more} are for no fire declared"
        yield NotChecked(rulebook.named.dice, reason)


def statements_of(logged: Logged) -> list[Statement]:
    """Lines of chat that may tell what fire came to."""
    return [
        Statement(
            chat_line.step,
            When(chat_line.clock.turn, chat_line.clock.impulse),
            chat_line.line.player,
            chat_line.line.text,
        )
        for chat_line in logged.chat_lines
    ]


def on_dice(rows: tuple[Row, ...], paired: Paired, stated: Report, rulebook: object, file: str) -> Report:
    """Findings on dice and shots, with those on results that were `stated`."""
    assert isinstance(rulebook, Rulebook)
    findings = (*paired.findings, *_again(rows, paired, rulebook, file), *stated.findings)
    of_nothing = for_no_fire(rulebook, _of_nothing(rows, paired, rulebook))
    lacking = (*paired.not_checked, *of_nothing, *stated.not_checked)
    checked = (rulebook.named.dice,) if paired.dice else ()
    return Report(findings, checked, tuple(dict.fromkeys(lacking)))


def _of_nothing(rows: tuple[Row, ...], paired: Paired, rulebook: object) -> Iterator[Throw]:
    """Dice rolled in later impulses than fire that did no damage inside: no chart waits for them."""
    assert isinstance(rulebook, Rulebook)
    for number, row in enumerate(rows):
        later = [throw for throw in paired.spare.get(number, ()) if throw.when != row.declared[0].when]
        if later and all(points == 0 for points in came_through(rulebook, row).values()):
            yield from later


def _again(rows: tuple[Row, ...], paired: Paired, rulebook: object, file: str) -> Iterator[Finding]:
    """Warnings on dice rolled again for shots whose first die was taken back, and on those rolled by whoever fired
    when every shot had its die and nothing came through."""
    assert isinstance(rulebook, Rulebook)
    why = (
        "was rolled when every shot of the impulse had its die",
        "say what a die is for; the first one stands",
    )
    undone = (
        "was rolled for a shot whose first die had been undone",
        "dice stand as they fell: the first one counts",
    )
    for number, row in enumerate(rows):
        found = [(throw, *undone) for throw in paired.again.get(number, ())]
        spare = paired.spare.get(number, ())
        if spare and all(points == 0 for points in came_through(rulebook, row).values()):
            speakers = {declared.speaker for declared in row.declared} | {""}
            now = (throw for throw in spare if throw.when == row.declared[0].when)
            found += [(throw, *why) for throw in now if throw.count == 1 and throw.player in speakers]
        for throw, what, fix in found:
            firer, place = row.declared[0].firer.name, Location(file, step=throw.step)
            told_of = warning(
                "dice-again", f"{in_words(throw)} {what}", firer, place, fix=fix, turn=throw.when.turn
            )
            yield replace(told_of, impulse=throw.when.impulse)


# -- taken back --------------------------------------------------------------------------


def taken_back(logged: Logged, undone: Iterable[Undone]) -> Iterator[Finding]:
    """Warnings on dice that were taken back, on moves and orders taken back after dice had been rolled, and on
    a clock put back behind dice."""
    for cancelled in undone:
        yield from _undone_over_dice(cancelled, logged)
    for rolled in logged.rolled:
        if rolled.taken_back is not None:
            yield warning(
                "dice-taken-back",
                f"the roll of {rolled.roll.button} = {rolled.roll.faces} in step {rolled.step} was undone",
                rolled.roll.player,
                Location(logged.file, step=rolled.taken_back),
            )
    for back in logged.taken_back:
        between = [r for r in logged.rolled if back.first < r.step < back.step and r.taken_back is None]
        if between:
            yield warning(
                "undo-over-dice",
                f"the move of step {back.first} was taken back after dice were rolled in step {between[0].step}",
                "",
                Location(logged.file, step=back.step),
            )
    for again in logged.went_back:
        turn, impulse = again.after.turn, again.after.impulse
        over = [
            r
            for r in logged.rolled
            if r.step < again.step
            and r.clock.moment
            and again.after.moment
            and r.clock.moment >= again.after.moment
        ]
        if over:
            yield warning(
                "played-again",
                f"the clock is put back to turn {turn}, impulse {impulse}; dice were rolled since (step {over[0].step})",
                "",
                Location(logged.file, step=again.step),
                turn=turn,
            )


def _undone_over_dice(cancelled: Undone, logged: Logged) -> Iterator[Finding]:
    """A warning on a shot, or a try for lock-on, that was taken back in chat when its dice had fallen."""
    order, sentence = cancelled.order, cancelled.sentence
    if not isinstance(order, Fire | LockSaid):
        return
    lock = isinstance(order, LockSaid)
    fell = next(
        (
            rolled.step
            for rolled in logged.rolled
            if sentence.step < rolled.step < cancelled.undo.step
            and rolled.taken_back is None
            and rolled.roll.player in ("", sentence.line.player)
        ),
        None,
    )
    if fell is None and not (isinstance(order, LockSaid) and order.roll is not None):
        return
    yield warning(
        "undo-over-dice",
        f"{'the try for lock-on' if lock else 'the fire'} of step {sentence.step} was taken back when its die "
        + (f"had fallen in step {fell}" if fell else "had been told"),
        order.ship,
        Location(logged.file, piece=order.ship, step=cancelled.undo.step),
        turn=cancelled.undo.clock.turn,
    )


def warning(
    key: str,
    message: str,
    subject: str,
    place: Location,
    *,
    fix: str = "dice stand as they fell",
    turn: int | None = None,
) -> Finding:
    """A warning of the reader's own, not of a rule."""
    return Finding(f"NOTE/{key}", Severity.WARNING, message, subject, turn, location=place, fix=fix)
