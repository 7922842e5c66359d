"""What is typed behind `:`: orders of the language, and the words for everything else that a table does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.naming import folded
from referee.live.help_on import help_on
from referee.live.read_out import box_lines, map_words, ruling_lines, who_lines
from referee.live.screen.keys import KEYS, ORDERS
from referee.live.screen.styled import line
from referee.play.dice_at_table import is_dice
from referee.play.short_orders import begins_order, ship_meant
from referee.play.standing_elsewhere import accept_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from referee.live.screen.held import TableHeld


def spoken(page: TableHeld, text: str) -> None:
    """Does what a line says."""
    order = text.strip()
    word, _, rest = order.partition(" ")
    rest = rest.strip()
    if not order:
        return
    try:
        if page.desk.box is not None and folded(order) in {folded(box) for box in page.desk.box.boxes}:
            page.did(page.desk.pick(order))
        elif is_dice(order):
            page.did(page.desk.faces(order))
        elif (act := _WORDS.get(word.casefold())) is not None and _fits(page, word.casefold(), rest):
            act(page, rest)
        elif word.casefold() in _NEED_MORE:
            page.tell(f"{word} needs more: {_NEED_MORE[word.casefold()]}", "warn")
        else:
            page.say(order)
    except BadInput as error:
        page.tell(f"not understood: {page.desk.why(error)}", "bad")


def _fits(page: TableHeld, word: str, rest: str) -> bool:
    """Is a word of the table's meant, and no order of a ship that begins alike: `f ph1a w`, `s 13`?"""
    if word in _NEED_MORE:
        return bool(rest)
    if word == "u" and begins_order(page.desk.game.state, word, rest):
        return False
    return not rest or word in _WITH_MORE or (word == "f" and bool(_ship(page, rest)))


def _read(page: TableHeld, title: str, lines: Iterable[str]) -> None:
    rows = [line(each) for each in lines]
    page.read(title, lambda width: rows)


def _boxes(page: TableHeld, rest: str) -> None:
    names = [_named(page, rest)] if rest else [ship.name for ship in page.desk.sight.ships]
    ships = ((name, *page.desk.ssd(name)) for name in names)
    _read(page, "boxes", (row for name, ship, shown in ships for row in box_lines(name, shown, ship.state)))


def _ship(page: TableHeld, text: str) -> str:
    return (ship_meant(page.desk.game.state, text) or "") if text else ""


def _named(page: TableHeld, text: str) -> str:
    ship = _ship(page, text)
    if not ship:
        raise BadInput(f"no ship {text}".strip())
    return ship


def _explain(page: TableHeld, rest: str) -> None:
    answer = page.desk.explain(rest)
    if answer.error:
        page.did(answer)
    else:
        page.read(f"explain {rest}", lambda width: [line(each) for each in answer.lines])


def _undo(page: TableHeld, rest: str) -> None:
    number = rest.removeprefix("to").strip().removeprefix("#")
    if not rest:
        page.undo()
    elif number.isascii() and number.isdecimal():
        page.undo(int(number))
    else:
        raise BadInput(f"u {rest}", hint="u, or u to N")


def _accept(page: TableHeld, rest: str) -> None:
    # `w` has said the word already.
    page.did(page.desk.accept(*accept_parts(rest.removeprefix("accept "))))


def _form(page: TableHeld, rest: str) -> None:
    file, _, ship = rest.partition(" ")
    page.did(page.desk.file_form(file, ship.strip()))


def _clock(page: TableHeld, rest: str) -> None:
    page.tell(page.desk.set_clock(rest))


def _dice(page: TableHeld, rest: str) -> None:
    if not rest:
        raise BadInput("dice", hint="dice typed, or dice program")
    page.tell(page.desk.dice_are(rest))


def _secret(page: TableHeld, rest: str) -> None:
    name, _, file = rest.partition(" ")
    if file:
        page.did(page.desk.seal_form(_named(page, name), file.strip()))
    else:
        page.seal(_named(page, rest))


def _help(page: TableHeld, rest: str) -> None:
    if rest:
        _read(page, f"help on {rest}", help_on(rest, (f"{key}   {what}" for key, what in (*KEYS, *ORDERS))))
    else:
        page.help()


def _choose(page: TableHeld, rest: str) -> None:
    ship, _, policy = rest.rpartition(" ")
    page.did(page.desk.choose(_named(page, ship.strip()), policy))


_WORDS: dict[str, Callable[[TableHeld, str], None]] = {
    "n": lambda page, rest: page.did(page.desk.next()),
    "next": lambda page, rest: page.did(page.desk.next()),
    "u": _undo,
    "undo": _undo,
    "redo": lambda page, rest: page.did(page.desk.redo()),
    "t": lambda page, rest: page.did(page.desk.throw()),
    "throw": lambda page, rest: page.did(page.desk.throw()),
    "again": lambda page, rest: page.did(page.desk.forget_faces()),
    "dice": _dice,
    "accept": _accept,
    "note": lambda page, rest: page.did(page.desk.note(rest)),
    "rule": lambda page, rest: page.did(page.desk.rule(rest)),
    "explain": _explain,
    "form": _form,
    "clock": _clock,
    "secret": _secret,
    "o": lambda page, rest: page.did(page.desk.open_all()),
    "open": lambda page, rest: page.did(page.desk.open_all()),
    "choose": _choose,
    "robot": lambda page, rest: page.did(page.desk.robot(rest)),
    "join": lambda page, rest: page.did(page.desk.join_all()),
    "ships": lambda page, rest: page.ships(),
    "status": lambda page, rest: page.ships(),
    "stand": lambda page, rest: page.did(page.desk.let_stand(rest)),
    "why": lambda page, rest: page.tell(
        "s, Enter and what is to be sealed: its player alone reads it", "warn"
    ),
    "h": lambda page, rest: page.happened(),
    "d": lambda page, rest: page.tell(page.desk.dice_are()),
    "x": lambda page, rest: _explain(page, rest) if rest else page.leave(),
    "who": lambda page, rest: _read(page, "who is awaited", who_lines(page.desk)),
    "map": lambda page, rest: _read(page, "the map in words", map_words(page.desk.sight)),
    "ssd": _boxes,
    "rulings": lambda page, rest: _read(page, "rulings and fouls", ruling_lines(page.desk)),
    "head": lambda page, rest: page.tell(f"head {page.desk.sight.head}"),
    "back": _undo,
    "f": lambda page, rest: page.fire(_ship(page, rest)),
    "?": _help,
    "help": _help,
    "quit": lambda page, rest: page.quit(),
    "exit": lambda page, rest: page.quit(),
}
_WITH_MORE = frozenset(("?", "help", "u", "undo", "dice", "clock", "robot", "stand", "ssd", "x"))
_NEED_MORE = {
    "note": "note TEXT",
    "rule": "rule TEXT",
    "explain": "explain RULE, by its number or in words: explain turn mode",
    "form": "form FILE [SHIP]",
    "accept": "accept SHIP 1512B [RULING]",
    "secret": "secret SHIP",
    "choose": "choose SHIP protect-weapons, protect-power, spread or ask",
}
