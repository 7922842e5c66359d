"""New entries of a record: held to account before a byte is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from referee.core.errors import AnswerAwaited, BadInput, IntegrityFailure, Refused
from referee.play.game_file import Game, NewEntry, game_of
from referee.play.telling import head_said, telling
from referee.record.chain import entry_line, make_entry, signed
from referee.record.entrytypes import check_shape
from referee.record.machine import now
from referee.record.reading import read
from referee.record.rolls import DiceFault
from referee.record.secretfiles import secrets_folder

if TYPE_CHECKING:
    from referee.play.start import Begun
    from referee.record.chain import Entry


def append(
    path: str,
    build: Callable[[Game], Sequence[NewEntry]],
    given: Mapping[str, str] | None = None,
    *,
    by_hand: bool = False,
) -> Game:
    """Appends what `build` makes of the game under the record's lock; the game after it, on the disk.

    Everything new is held against the dice, the seals and the fold before a byte is written, and signed with
    the keys kept beside the record; `given` are signatures that came with what it holds. What others must
    still agree to is proposed in a copy, and the command ends. A game is played on by its own rules only. With
    `by_hand` the dice that are declared are thrown on the table and typed in, whatever the game's are.
    """
    from referee.record import journal

    when = now()
    after: list[Game] = []
    sigs: dict[str, Mapping[str, str]] = {}

    def checked(tail: Any) -> Sequence[NewEntry]:
        game = game_of(path, tail.entries())
        game.must_have_its_rules()
        new = list(build(game))
        new = _by_hand(game, new) if by_hand else new
        after.append(_with_new(game, new, when))
        if "signers" in game.state.genesis:
            sigs.update(signed_here(path, after[-1].entries, len(game.entries), given or {}))
        return new

    journal.append(path, checked, when, sigs=sigs)
    return after[-1]


def append_begun(path: str, begun: Begun) -> Game:
    """Appends all other entries of a game that is begun to its first, signed with the keys kept beside the record; the
    game, on the disk. They were held together when it was begun."""
    from referee.record import journal

    game = begun.game
    game.must_have_its_rules()
    first, *new = game.entries
    sigs = signed_here(path, game.entries, 1, {}) if "signers" in game.state.genesis else {}
    made = [signed(entry, sigs.get(entry.hash, {})) for entry in new]
    journal.append_lines(path, first.hash, [line[:-1] for _, line in made])
    return replace(game, entries=[first, *(entry for entry, _ in made)])


def signed_here(
    path: str, entries: Sequence[Entry], known: int, given: Mapping[str, str]
) -> dict[str, Mapping[str, str]]:
    """The signatures of the entries from one on. Raises BadInput where somebody else has to say one himself;
    proposes them, and ends the command, where others have to agree."""
    from referee.record.signatures import followed
    from referee.record.signing import holds, message_of
    from referee.record.signkeys import Pen, not_here

    pen = Pen(secrets_folder(path), followed(entries[:known]), given)
    sigs: dict[str, Mapping[str, str]] = {}
    for entry in entries[known:]:
        sigs[entry.hash] = made = pen.sign(entry)
        for name in set(given) & set(made):
            if not holds(pen.signers.keys[name], message_of(entry, pen.signers.game), given[name]):
                raise IntegrityFailure(f"the signature of {name} does not hold", file=path)
    if pen.sole:
        raise not_here(pen.sole).at(file=path)
    if pen.missing:
        propose(
            path,
            [replace(entry, sigs=sigs.get(entry.hash, entry.sigs)) for entry in entries],
            sorted(pen.missing),
        )
    return sigs


def propose(path: str, entries: Sequence[Entry], missing: Iterable[str]) -> NoReturn:
    """Writes a copy of the record with entries that others still have to sign, says so, and raises Refused:
    nothing is recorded until they have."""
    from referee.formats.files import hold_apart, write_file

    file = str(Path(path).with_suffix(".proposed.jsonl"))
    hold_apart(file, [path])
    write_file(Path(file), b"".join(map(entry_line, entries)))
    names = list(missing)
    sign = f"{', '.join(names)} {'signs' if len(names) == 1 else 'sign'}"
    reason = f"nothing is recorded until {sign}: send {file}"
    telling().line(reason)
    telling().line(f"whoever agrees runs: referee record sync GAME {Path(file).name} --agree")
    raise Refused(reason, announced=True)


def _by_hand(game: Game, new: Sequence[NewEntry]) -> list[NewEntry]:
    """The entries with every roll declared as one thrown by hand. Raises BadInput where nobody could confirm it."""
    state = game.state
    if len(state.players) < 2 and not state.umpire:
        hint = "leave --by-hand out, or play with an umpire"
        raise BadInput("typed dice need somebody else to confirm them", file=game.path, hint=hint)
    mark = {} if state.dice_mode == "physical" else {"physical": True}
    return [(kind, data | mark if kind == "declare" else data) for kind, data in new]


def _with_new(game: Game, new: Sequence[NewEntry], when: str) -> Game:
    """The game with new entries. What the record could not hold is refused as wrong usage; keys, faces
    and orders that do not fit what was committed to stay what they are, an IntegrityFailure."""
    from referee.play.dice import cannot_be_resolved
    from referee.record.anchors import check_anchors
    from referee.record.names import check_names

    last = game.entries[-1]
    prev, seq = last.hash, last.seq + 1
    entries = list(game.entries)
    for kind, data in new:
        check_shape(kind, data)
        entries.append(make_entry(prev, seq, kind, data, when))
        prev, seq = entries[-1].hash, seq + 1
        if "volley" in data and (reason := cannot_be_resolved(game, data["volley"])):
            raise BadInput(reason, file=game.path, hint="nothing was recorded")
    try:
        after = game_of(game.path, entries)
        if any(kind in ("ship", "drone") or "launch" in data for kind, data in new):
            check_names(entries)
        if any(kind == "anchor" for kind, _ in new):
            check_anchors(entries)
        return after
    except IntegrityFailure as error:
        forged = error.kind in ("key", "faces") if isinstance(error, DiceFault) else "match" in error.reason
        if forged:
            raise
        raise BadInput(error.reason, file=game.path, hint="nothing was recorded") from None


def thrown(path: str, faces: list[int] | None = None, by: str = "", *, head: bool = True) -> Game:
    """Throws the open roll of a record and says what fell, with the head unless others say it; shown only
    when it is on the disk."""
    from referee.play.dice import throw
    from referee.play.shots_told import told_of

    before: list[Game] = []

    def build(game: Game) -> Any:
        before.append(game)
        return throw(game, faces, by)

    try:
        game = append(path, build)
    except AnswerAwaited as asked:
        game = game_of(path, read(path))
        telling().line(f"awaited: {asked.reason}? ({asked.hint})")
        return game
    for line in told_of(before[-1], game.entries[len(before[-1].entries) :]):
        telling().line(line)
    if head:
        telling().line(head_said(game.head))
    return game
