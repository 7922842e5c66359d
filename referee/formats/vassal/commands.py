"""The command stream: a tree quoted with ESC, whose leaves are commands.

The tree keeps each leaf's text, so writing an unchanged tree gives the same bytes; leaves are
understood only when asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import field

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.formats.limits import MAX_COMMAND, MAX_COMMAND_DEPTH, MAX_COMMANDS
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.sequence import decode, encode

ESC = "\x1b"
_DIGITS = 9
_BOARDS = re.compile(r"([^\t]*?)BoardPicker(?:\t|$)")


LOGGED, NOTHING_LOGGED = "LOG\t", "null"
"""What wraps a command that a log holds, and what stands for none."""


@frozen
class Command:
    """A leaf's text and the commands that follow from it.

    `nested` stands in for the text where the first element was itself a tree.
    """

    text: str = field(repr=False)
    subs: tuple[Command, ...] = ()
    nested: Command | None = None

    def walk(self) -> Iterator[str]:
        """All leaf texts in the order VASSAL executes them."""
        if self.nested is None:
            yield self.text
        else:
            yield from self.nested.walk()
        for sub in self.subs:
            if sub.subs or sub.nested:
                yield from sub.walk()
            else:
                yield sub.text

    def leaves(self) -> Iterator[lv.Leaf]:
        """All leaves, understood, in the order VASSAL executes them."""
        return map(parse_leaf, self.walk())


def decode_command(text: str, file: str = "") -> Command:
    """The tree in a command string; BadInput beyond the limits on number, size and depth."""
    room = [MAX_COMMANDS]
    return _decode(text, 0, room, file)


def _decode(text: str, depth: int, room: list[int], file: str) -> Command:
    if ESC not in text and not (len(text) > 1 and text[0] == "'" == text[-1]):
        return _leaf(text, room, file)
    if depth > MAX_COMMAND_DEPTH:
        raise BadInput(
            f"commands nested deeper than {MAX_COMMAND_DEPTH} levels", file=file, place="savedGame"
        )
    tokens = decode(text, ESC)
    # Let go of each text as it is taken apart, or a deep tree holds a copy for every level.
    del text
    tokens.reverse()
    first = tokens.pop()
    head, nested = first, None
    if ESC in first or not tokens:
        head, nested = "", _decode(first, depth + 1, room, file)
    else:
        _check(first, room, file)
    del first
    subs: list[Command] = []
    while tokens:
        if ESC in tokens[-1] or tokens[-1][:1] == "'":
            subs.append(_decode(tokens.pop(), depth + 1, room, file))
        else:
            subs.append(_leaf(tokens.pop(), room, file))
    return Command(head, tuple(subs), nested)


def _leaf(text: str, room: list[int], file: str) -> Command:
    _check(text, room, file)
    return Command(text)


def _check(text: str, room: list[int], file: str) -> None:
    """Raises BadInput for a command that is too long, or one too many."""
    if len(text) > MAX_COMMAND:
        raise BadInput("a command longer than allowed", file=file, place="savedGame")
    room[0] -= 1
    if room[0] < 0:
        raise BadInput(f"more than {MAX_COMMANDS} commands", file=file, place="savedGame")


def encode_command(command: Command) -> str:
    """The command string of a tree."""
    head = command.text if command.nested is None else encode_command(command.nested)
    if not command.subs:
        return head
    return encode([head, *map(encode_command, command.subs)], ESC)


def parse_leaf(text: str) -> lv.Leaf:
    """The command in one leaf's text; what is not understood is `Unknown`."""
    if not text:
        return lv.Null()
    if parser := _OF_PIECES.get(text[:2]):
        return _parse(parser, text)
    if text.startswith("CHAT"):
        return lv.Chat(text[4:])
    word, tab, rest = text.partition("\t")
    if not tab and word in _WORDS:
        return _WORDS[word]
    if tab and word in _TABBED:
        return _parse(_TABBED[word], rest, text)
    if text.startswith("TURN"):
        return _parse(_turn, text)
    if "BoardPicker" in word:
        return _parse(_boards, text)
    return lv.Unknown(text)


def _parse(parser: Callable[[str], lv.Leaf], text: str, raw: str | None = None) -> lv.Leaf:
    try:
        return parser(text)
    except (ValueError, IndexError):
        return lv.Unknown(text if raw is None else raw)


def _int(text: str) -> int:
    """A number of nine digits at most, which `int` alone would read of more texts."""
    digits = text[1:] if text[:1] == "-" else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS):
        raise ValueError
    return int(text)


def _bool(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError
    return text == "true"


def _add_piece(text: str) -> lv.Leaf:
    tokens = decode(text[2:], "/")
    return lv.AddPiece(tokens[0], tokens[1], tokens[2], tuple(tokens[3:]))


def _change_piece(text: str) -> lv.Leaf:
    tokens = decode(text[2:], "/")
    return lv.ChangePiece(tokens[0], tokens[1], tokens[2] if len(tokens) > 2 else None, tuple(tokens[3:]))


def _remove_piece(text: str) -> lv.Leaf:
    return lv.RemovePiece(text[2:])


def _move_piece(text: str) -> lv.Leaf:
    t = decode(text[2:], "/")
    player = lv.Secret(t[9]) if len(t) > 9 else None
    return lv.MovePiece(
        t[0], t[1], _int(t[2]), _int(t[3]), t[4], t[5], _int(t[6]), _int(t[7]), t[8], player, tuple(t[10:])
    )


def _log(rest: str) -> lv.Leaf:
    return lv.LogStep(None if rest == NOTHING_LOGGED else parse_leaf(rest))


def _player(rest: str) -> lv.Leaf:
    tokens = decode(rest, "\t")
    return lv.PlayerSeat(lv.Secret(tokens[0]), tokens[1], tokens[2], tuple(tokens[3:]))


def _lines(text: str) -> str:
    return "\n".join(decode(text, "|"))


def _private_notes(rest: str) -> lv.Leaf:
    owner, text = decode(rest, "\t")
    return lv.PrivateNotes(lv.Secret(owner), _lines(text))


def _secret_note(rest: str) -> lv.Leaf:
    name, owner, hidden, text, *more = decode(rest, "\t")
    return lv.SecretNote(name, lv.Secret(owner), _bool(hidden), _lines(text), tuple(more))


def _turn(text: str) -> lv.Leaf:
    tracker, state = decode(text[4:], "\t")
    return lv.Turn(tracker, state)


def _mutable(rest: str) -> lv.Leaf:
    tokens = decode(rest, "\t")
    if len(tokens) not in (3, 4):
        raise ValueError
    return lv.MutableProperty(*tokens)


def _global(rest: str) -> lv.Leaf:
    # The prefix is the first element of the list, so the text goes on with its delimiter.
    empty, *tokens = decode(rest, ";")
    if empty or len(tokens) not in (2, 3):
        raise ValueError
    return lv.GlobalProperty(*tokens)


def _extension(rest: str) -> lv.Leaf:
    name, version = decode(rest, "\t")
    return lv.Extension(name, version)


def _plugin(rest: str) -> lv.Leaf:
    name, version = decode(rest, "\t")
    return lv.Extension(name, version, plugin=True)


def _unmask(rest: str) -> lv.Leaf:
    return lv.Unmask(tuple(lv.Secret(token) for token in decode(rest, "\t")))


def _results(rest: str) -> lv.Leaf:
    button, *values = decode(rest, "\t")
    return lv.ShowResults(button, tuple(values))


def _boards(text: str) -> lv.Leaf:
    match = _BOARDS.match(text)
    if not match:
        raise ValueError
    tokens = decode(text[match.end() :], "\t") if text[match.end() - 1] == "\t" else []
    if len(tokens) % 3:
        raise ValueError
    return lv.Boards(match[1], tuple(_board(*tokens[i : i + 3]) for i in range(0, len(tokens), 3)))


def _board(board: str, column: str, row: str) -> lv.PlacedBoard:
    name, *turned = decode(board, "/")
    if turned not in ([], ["rev"]):
        raise ValueError
    return lv.PlacedBoard(name, bool(turned), _int(column), _int(row))


_OF_PIECES: dict[str, Callable[[str], lv.Leaf]] = {
    "+/": _add_piece,
    "D/": _change_piece,
    "M/": _move_piece,
    "-/": _remove_piece,
}
_WORDS: dict[str, lv.Leaf] = {"begin_save": lv.BeginSave(), "end_save": lv.EndSave()}
_TABBED: dict[str, Callable[[str], lv.Leaf]] = {
    "LOG": _log,
    "UNDO": lambda rest: lv.Undo(_bool(rest)),
    "PLAYER": _player,
    "PYREMOVE": lambda rest: lv.PlayerLeft(lv.Secret(rest)),
    "NOTES": lambda rest: lv.SharedNotes(False, _lines(rest)),
    "PNOTES": lambda rest: lv.SharedNotes(True, _lines(rest)),
    "PNOTE": _private_notes,
    "SNOTE": _secret_note,
    "MutableProperty": _mutable,
    "GlobalProperty": _global,
    "EXT": _extension,
    "PLUGIN": _plugin,
    "SETUP_STACK": lv.SetupStack,
    "UNMASK": _unmask,
    "SHOW_RESULTS": _results,
    "AUDIO": lv.Sound,
}


def encode_leaf(leaf: lv.Leaf) -> str:
    """The text of a command, built from its fields alone."""
    match leaf:
        case lv.Null():
            return ""
        case lv.BeginSave():
            return "begin_save"
        case lv.EndSave():
            return "end_save"
        case lv.AddPiece():
            return "+/" + encode((leaf.id, leaf.type, leaf.state, *leaf.extra), "/")
        case lv.RemovePiece():
            return "-/" + leaf.id
        case lv.ChangePiece():
            old = () if leaf.old_state is None else (leaf.old_state,)
            return "D/" + encode((leaf.id, leaf.state, *old, *leaf.extra), "/")
        case lv.MovePiece():
            return "M/" + encode(_move_tokens(leaf), "/")
        case lv.Chat():
            return "CHAT" + leaf.text
        case lv.LogStep():
            return LOGGED + (NOTHING_LOGGED if leaf.logged is None else encode_leaf(leaf.logged))
        case lv.Unknown():
            return leaf.raw
        case lv.Boards():
            return f"{leaf.map}BoardPicker" + "".join("\t" + _board_text(board) for board in leaf.boards)
        case lv.Turn():
            return "TURN" + encode((leaf.tracker, leaf.state), "\t")
    return _encode_tabbed(leaf)


def _encode_tabbed(leaf: lv.Leaf) -> str:
    match leaf:
        case lv.Undo():
            return "UNDO\t" + ("true" if leaf.begins else "false")
        case lv.PlayerSeat():
            return "PLAYER\t" + encode((leaf.id.reveal(), leaf.name, leaf.side, *leaf.extra), "\t")
        case lv.PlayerLeft():
            return "PYREMOVE\t" + leaf.id.reveal()
        case lv.SharedNotes():
            return ("PNOTES\t" if leaf.public else "NOTES\t") + _line_text(leaf.text)
        case lv.PrivateNotes():
            return "PNOTE\t" + encode((leaf.owner.reveal(), _line_text(leaf.text)), "\t")
        case lv.SecretNote():
            hidden = "true" if leaf.hidden else "false"
            tokens = (leaf.name, leaf.owner.reveal(), hidden, _line_text(leaf.text), *leaf.rest)
            return "SNOTE\t" + encode(tokens, "\t")
        case lv.MutableProperty():
            tokens = (leaf.name, leaf.old, leaf.new)
            return "MutableProperty\t" + encode((*tokens, *_optional(leaf.container)), "\t")
        case lv.GlobalProperty():
            return encode(("GlobalProperty\t", leaf.name, leaf.value, *_optional(leaf.container)), ";")
        case lv.Extension():
            return ("PLUGIN\t" if leaf.plugin else "EXT\t") + encode((leaf.name, leaf.version), "\t")
        case lv.SetupStack():
            return "SETUP_STACK\t" + leaf.text
        case lv.Unmask():
            return "UNMASK\t" + encode([player.reveal() for player in leaf.players], "\t")
        case lv.ShowResults():
            return "SHOW_RESULTS\t" + encode((leaf.button, *leaf.values), "\t")
        case lv.Sound():
            return "AUDIO\t" + leaf.name
    raise TypeError(type(leaf).__name__)


def _move_tokens(leaf: lv.MovePiece) -> list[str]:
    to = [leaf.id, leaf.map, str(leaf.x), str(leaf.y), leaf.under]
    old = [leaf.old_map, str(leaf.old_x), str(leaf.old_y), leaf.old_under]
    player = [] if leaf.player is None else [leaf.player.reveal()]
    return [*to, *old, *player, *leaf.extra]


def _board_text(board: lv.PlacedBoard) -> str:
    name = encode((board.name, "rev") if board.reversed else (board.name,), "/")
    return encode((name, str(board.column), str(board.row)), "\t")


def _line_text(text: str) -> str:
    return encode(text.split("\n"), "|")


def _optional(text: str | None) -> tuple[str, ...]:
    return () if text is None else (text,)
