"""One entry of a record taken back, or all after one as a single act."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.takenback import LASTING, taken_back
from referee.core.undoing import going, hinders_going_back, hinders_undo, is_idle
from referee.play.append import append
from referee.play.fallen_dice import SET_ASIDE, THROWN, dice_text, fallen, is_program_thrown
from referee.play.told_again import UNTOLD

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from referee.core.game import EntryLike
    from referee.play.game_file import Game

REMARKS = ("foul", "note")
"""Entries that go with what they are about, and are not counted by `--back`."""


@frozen
class Going:
    """What an undo takes back: one entry, or with `onward` all from it on, of which some stay. Orders that were
    sealed there are `released`: they stay in the record, and count no more; some of them were `shown`. So do dice that
    fell for what goes (`fallen`); of those that the program threw `thrown` tells whose they were, and their faces."""

    target: int
    onward: bool = False
    goes: tuple[EntryLike, ...] = ()
    stays: tuple[EntryLike, ...] = ()
    released: tuple[EntryLike, ...] = ()
    shown: tuple[EntryLike, ...] = ()
    fallen: tuple[EntryLike, ...] = ()
    thrown: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[tuple[str, tuple[EntryLike, ...]], ...]:
        """What becomes of which entries."""
        stays = tuple(e for e in self.stays if e not in self.fallen and e.type not in UNTOLD)
        no_more = tuple(sorted((*self.released, *self.fallen), key=lambda entry: entry.seq))
        return ("goes", self.goes), ("stays", stays), ("counts no more", no_more)

    @property
    def asks(self) -> tuple[str, ...]:
        """Why it takes the umpire's word, or that of all players: what they know, and dice they did not throw."""
        dice = f"dice that the program threw count no more: {'; '.join(self.thrown)}" if self.thrown else ""
        return tuple(filter(None, (self.known, dice)))

    @property
    def reason(self) -> str:
        """Why all the same, where nobody says it in words of his own."""
        return f"taken back, though {'it was shown' if self.known else 'its dice had fallen'}"

    @property
    def known(self) -> str:
        """What players know of each other's sealed orders and may choose anew; empty where they know nothing."""
        whose = dict.fromkeys(f"{seal.data['ship']}'s {_kind(seal)} (#{seal.seq})" for seal in self.shown)
        return f"{', '.join(whose)} shown already: others choose anew knowing that" if whose else ""

    @property
    def count(self) -> str:
        """How many entries go, and how many notes and rulings of those: they go with what they are about."""
        words = Counter(entry.type for entry in self.goes if entry.type in ("note", "ruling"))
        counts = [f"{number} {word}{'s' * (number > 1)}" for word, number in words.items()]
        among = f", {' and '.join(counts)} among them" if counts and len(self.goes) > 1 else ""
        return f"{len(self.goes)} entries{among}" if len(self.goes) != 1 else "1 entry"

    @property
    def summary(self) -> str:
        """What to say once it is done."""
        return (
            f"back to #{self.target - 1}: {self.count} taken back"
            if self.onward
            else f"#{self.target} is taken back"
        )


def said_once(target: int | None, to: int | None, back: int | None, last: bool) -> None:
    """Raises BadInput where what goes back is not given in one way."""
    ways = [target is not None, to is not None, back is not None, last]
    if ways.count(True) != 1:
        raise BadInput(
            "say what is taken back, in one way", hint="one of: an entry's number, --to N, --back K, --last"
        )


def what_goes(game: Game, target: int | None, to: int | None, back: int | None, given_up: str = "") -> Going:
    """What goes back: an entry, all after entry `to`, or the last `back` that count. `given_up` is the declaration of
    an open roll that is given up before. Raises BadInput where it cannot."""
    if target is None:
        return _going(game, _first(game, to, back), given_up)
    if hindrance := hinders_undo(game.entries, target):
        hint = f"--to {target - 1} takes back all from it on" if "rests on it" in hindrance else ""
        raise BadInput(hindrance, file=game.path, place=f"#{target}", hint=hint)
    return Going(target)


def take_back(path: str, going: Going, reason: str, who: Sequence[str]) -> Game:
    """The game after an undo that some agree to."""
    data: dict[str, Any] = {"reason": reason, "agreed_by": list(who)}
    if going.onward:
        data["onward"] = True
    return append(path, lambda _: [("undo", {"target": going.target, **data})])


def last_act(game: Game) -> int:
    """The entry that the last act begins with: what was played last, or a note or a ruling by itself that came after it,
    or orders that were sealed and shown and of which nothing was entered. Raises BadInput where nothing is left to take back, and where the last act was to seal orders."""
    played = last_played(game)
    last = next(
        (e for e in reversed(going(game.entries, _begun(game))) if e.type not in ("foul", "undo")), None
    )
    at = 0 if last is None else last.seq
    hidden = [seal for seal in game.state.in_force if seal.turn == game.state.turn and not seal.fields]
    if sealed := [seal for seal in hidden if seal.seq > at]:
        seal = max(sealed, key=lambda each: each.seq)
        what = "form" if seal.kind == "eaf" else seal.kind
        past = f"; `u to {played - 1}` goes back past that" if played else ""
        anew = f"`secret {seal.ship}{' FILE' * (what == 'form')}` seals anew{past}"
        raise BadInput(f"{seal.ship}'s {what} (#{seal.seq}) stays sealed: {anew}")
    opened = {e.data["seal"] for e in game.entries[at + 1 :] if e.type == "reveal"}
    shown = [seal.seq for seal in game.state.in_force if seal.hash in opened]
    if shown and min(shown) > (played or 0):
        return min(shown)
    if last is not None and _is_by_itself(last, played):
        return last.seq
    if played is None:
        raise BadInput("there is nothing to take back")
    return played


def _begun(game: Game) -> int:
    """The first entry after the game's first step."""
    return 1 + next((entry.seq for entry in game.entries if entry.type == "step"), 0)


def _is_by_itself(entry: EntryLike, played: int | None) -> bool:
    """Is it a note, or a ruling on nothing of what was played last, with which it would go?"""
    if entry.type == "note":
        text = entry.data["text"]
        return "by" in entry.data and not THROWN.fullmatch(text) and not SET_ASIDE.fullmatch(text)
    beside = played is not None and entry.data.get("target", 0) >= played
    return entry.type == "ruling" and "place" not in entry.data and not beside


def last_played(game: Game) -> int | None:
    """The first entry of the last thing played: an order, a step, or fire with its dice and damage. None where
    nothing is left to undo."""
    others = (*REMARKS, "ruling", "undo")
    left = [e for e in going(game.entries, _begun(game)) if e.type not in others or "place" in e.data]
    if not left:
        return None
    target = _origin(game, left[-1].seq)
    standing = {entry.seq: entry for entry in left}
    target = _flown(standing, target)
    steps = [entry for entry in going(game.entries, 1) if entry.type == "step" and entry.seq < target]
    # The step that an order went on to, within its impulse, goes with it.
    while (
        target - 1 in standing
        and len(steps) > 1
        and steps[-1].seq == target - 1
        and game.entries[target].type != "step"
    ):
        now, before = steps[-1].data, steps[-2].data
        if (now["turn"], now.get("impulse")) != (before["turn"], before.get("impulse")):
            break
        target = steps.pop().seq
    return target


def with_its_dice(game: Game, target: int) -> int:
    """The first entry that goes where all from `target` on is meant to: what dice did does not go without the fire or
    the volley they were thrown for. They decide nothing any more, and what they were thrown for would be forgotten."""
    first, before = target, target + 1
    while first < before:
        before = first
        rolls = [game.state.rolls[n] for e in going(game.entries, before) for n in e.data.get("rolls", ())]
        thrown_for = [roll.fire or (roll.volley,) for roll in rolls if roll.fire or roll.volley is not None]
        first = min([before, *(number for numbers in thrown_for for number in numbers if number is not None)])
    return first


def _flown(standing: Mapping[int, EntryLike], target: int) -> int:
    """The first entry of a step on: seekers that flew and struck on the way go with it."""
    last = standing.get(target)
    if last is None or not (last.type == "step" or _flies(last)):
        return target
    seq, flew = target, _flies(last)
    while (before := standing.get(seq - 1)) is not None:
        if not _flies(before) and not (flew and before.type == "step"):
            break
        seq, flew = seq - 1, _flies(before)
        if not flew:
            target = seq
    return target


def _flies(entry: EntryLike) -> bool:
    """Is it the order of a seeker, which the rules fly?"""
    return entry.type == "order" and bool({"seeker", "strike"} & set(entry.data))


def _origin(game: Game, seq: int) -> int:
    """The first entry of what an entry of dice came from: the fire they were thrown for, else itself."""
    entry = game.entries[seq]
    first = seq
    for number in entry.data.get("rolls", ()) if entry.type == "events" else ():
        roll = game.state.rolls[number]
        first = min([first, *roll.fire])
        if roll.volley is not None:
            first = min(first, _origin(game, roll.volley))
    due = entry.data.get("volley", {}).get("of") if entry.type == "order" else None
    return min(first, _origin(game, due[0])) if due and due[0] < seq else first


def agreed_by(game: Game, who: list[str], going: Going) -> list[str]:
    """Who agrees; who plays alone need not say so, and steps after which nothing was done any player takes back alone.
    Raises BadInput where somebody has not."""
    players = game.state.players
    who = who or (list(players) if len(players) == 1 else [])
    if is_idle(game.entries, going.target, onward=going.onward):
        if not {*players, game.state.umpire}.intersection(who):
            hint = f"--agreed {players[0]}, or whoever takes it back"
            raise BadInput("who takes it back is not given", file=game.path, hint=hint)
        return who
    missing = [name for name in players if name not in who]
    if missing and game.state.umpire not in who:
        hint = f"--agreed {','.join(players)}"
        raise BadInput(f"{missing[0]} has not agreed", file=game.path, hint=hint)
    return who


def _first(game: Game, to: int | None, back: int | None) -> int:
    """The first entry that goes: that after entry `to`, or that of the last `back` that count. Raises BadInput."""
    if to is not None:
        if not 0 <= to < len(game.entries) - 1:
            raise BadInput(
                f"nothing comes after entry #{to}", file=game.path, hint=f"0 to {len(game.entries) - 2}"
            )
        return to + 1
    assert back is not None
    counted = [entry.seq for entry in going(game.entries, 1) if entry.type not in REMARKS]
    if not 0 < back <= len(counted):
        raise BadInput(f"--back {back}", file=game.path, hint=f"1 to {len(counted)}")
    return counted[-back]


def _going(game: Game, target: int, given_up: str = "") -> Going:
    """The entries that an undo back to an entry takes away, and those that stay. Raises BadInput."""
    goes = going(game.entries, target)
    stayed = taken_back(game.entries).stayed
    stays = [e for e in game.entries[target:] if e.type in LASTING and e.seq not in stayed]
    if hindrance := hinders_going_back(game.entries, target, given_up):
        named = ", ".join(f"#{entry.seq} {entry.type}" for entry in stays[:8])
        hint = f"dice and seals stay: {named}" if stays and not goes else ""
        raise BadInput(hindrance, file=game.path, place=f"#{target}", hint=hint)
    released = tuple(entry for entry in stays if entry.type == "seal")
    opened = {entry.data["seal"] for entry in game.entries[target:] if entry.type == "reveal"}
    seals = (e for e in game.entries[:target] if e.type == "seal" and e.seq not in stayed)
    shown = tuple(e for e in (*seals, *released) if e.hash in opened and _tells_another(e, released))
    dice = tuple(entry for entry in fallen(game, target) if entry.seq not in stayed)
    return Going(
        target,
        True,
        tuple(goes),
        tuple(e for e in stays if e not in released),
        released,
        _to_others(game, shown),
        dice,
        tuple(dice_text(game, entry) for entry in dice if is_program_thrown(game, entry.data["roll"])),
    )


def _tells_another(seal: EntryLike, released: Iterable[EntryLike]) -> bool:
    """Do orders that were sealed count no more, or may another choose anew, knowing them, what counts no more?"""
    about = seal.data["turn"], seal.data["kind"]
    others = (e for e in released if e.data["player"] != seal.data["player"])
    return seal in released or any((e.data["turn"], e.data["kind"]) == about for e in others)


def _to_others(game: Game, shown: tuple[EntryLike, ...]) -> tuple[EntryLike, ...]:
    """Sealed orders that were shown, where there is another player to whom they were."""
    return shown if len(game.state.players) > 1 else ()


def _kind(seal: EntryLike) -> str:
    return "form" if seal.data["kind"] == "eaf" else str(seal.data["kind"])
