"""Changes to a save, made on its text: everything not changed stays byte for byte the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from referee.core.errors import BadInput
from referee.core.naming import names_like
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import Trait, split_chain, state_text, type_text
from referee.formats.vassal.commands import Command, decode_command, encode_command, encode_leaf, parse_leaf
from referee.formats.vassal.container import SavedGame, write_save_bytes
from referee.formats.vassal.game import Save
from referee.formats.vassal.sequence import decode, encode, lossy
from referee.formats.vassal.traits import (
    DynamicProperty,
    Facing,
    Label,
    Layer,
    PropertySheet,
    Spreadsheet,
    view,
)

_FORBIDDEN = "\x1b\x00"
_KEY = 0x5A  # any byte will do


_CELL = re.compile(r"([A-Za-z]{1,3})([1-9][0-9]{0,4})")


def piece_named(save: Save, name: str) -> str:
    """The id of the piece of a name or id. Raises BadInput for none, and for several of one name."""
    if save.piece(name):
        return name
    found = [piece for piece in save.pieces if piece.kind == "piece" and piece.basic_name == name]
    if len(found) == 1:
        return found[0].id
    if found:
        ids = ", ".join(piece.id for piece in found[:4])
        raise BadInput(f"{len(found)} pieces are called {name[:60]}", file=save.file, hint=f"by id: {ids}")
    names = sorted({piece.basic_name for piece in save.pieces if piece.basic_name})
    raise BadInput(f"no piece {name[:60]}", file=save.file, hint=names_like(name[:60], names))


def cell_place(name: str) -> tuple[int, int]:
    """Row and column, from 0, of a cell such as `B4`. Raises BadInput for anything else."""
    match = _CELL.fullmatch(name)
    if match is None:
        raise BadInput(f"{name[:20]} is no cell", hint="write a letter and a row, as B4")
    column = 0
    for letter in match[1].upper():
        column = column * 26 + ord(letter) - 64
    return int(match[2]) - 1, column - 1


def _is_tick_count(text: str) -> bool:
    left, slash, most = text.partition("/")
    digits = left.isascii() and left.isdecimal() and most.isascii() and most.isdecimal()
    return bool(slash and digits and len(text) < 12 and int(left) <= int(most))


def _tracker_in(text: str) -> str:
    """The tracker whose state a command stores, or nothing."""
    leaf = parse_leaf(text) if text.startswith("TURN") else None
    return leaf.tracker if isinstance(leaf, lv.Turn) else ""


def _piece_in(text: str) -> str:
    """The id of the piece that a command puts into the game, or nothing."""
    leaf = parse_leaf(text) if text.startswith("+/") else None
    return leaf.id if isinstance(leaf, lv.AddPiece) else ""


def _property_in(leaf: lv.Leaf) -> str:
    return leaf.name if isinstance(leaf, lv.GlobalProperty | lv.MutableProperty) else ""


class Draft:
    """A save being changed; `text` is the saved game with the changes made so far."""

    def __init__(self, save: Save) -> None:
        self._save = save
        self._states: dict[str, tuple[Trait, ...]] = {}
        self._chat: list[str] = []
        self._notes: list[str] = []
        self._turns: dict[str, str] = {}
        self._globals: dict[str, str] = {}
        self._laid: dict[str, list[str]] = {}
        self._taken: set[str] = set()
        # VASSAL counts milliseconds; a number of more digits than these is never one of ours.
        ids = (p.id for p in save.pieces if p.id.isascii() and p.id.isdecimal() and len(p.id) < 19)
        self._ids = max(map(int, ids), default=0)

    @property
    def changed(self) -> Mapping[str, tuple[Trait, ...]]:
        """The traits of the pieces that were changed, by id."""
        return self._states

    def set_cell(self, piece: str, row: int, column: int, text: str, table: int = 0) -> None:
        """Writes a cell of one of the piece's tables, the outermost first; rows and columns count from 0."""
        before = iter(range(table))

        def wanted(item: object) -> bool:
            return isinstance(item, Spreadsheet) and next(before, None) is None

        def write(table: object, trait: Trait) -> str:
            assert isinstance(table, Spreadsheet)
            if not (0 <= row < len(table.rows) and 0 <= column < len(table.rows[row])):
                raise self._bad(piece, f"its table has no row {row + 1}, column {column + 1}")
            cells = decode(trait.state, ",")
            cells += [""] * (row * len(table.rows[row]) + column + 1 - len(cells))
            cells[row * len(table.rows[row]) + column] = self._safe(text, ",", piece)
            return encode(cells, ",")

        self._rewrite(piece, Spreadsheet, wanted, write, "table")

    def set_field(self, piece: str, name: str, text: str) -> None:
        """Writes a field of a property sheet; tick fields take `value/maximum`."""

        def write(sheet: object, trait: Trait) -> str:
            assert isinstance(sheet, PropertySheet)
            values = decode(trait.state, "~")
            values += [""] * (len(sheet.fields) - len(values))
            index = next(i for i, item in enumerate(sheet.fields) if item.name == name)
            if sheet.fields[index].ticks and not _is_tick_count(text):
                raise self._bad(piece, f"field {name} takes boxes of how many, as 5/8, not {text[:20]}")
            if "|" in text:
                raise self._bad(piece, f"field {name}: VASSAL shows | as a line break", "write it without")
            values[index] = self._safe(text, "~", piece).replace("\n", "|")
            return encode(values, "~")

        def has_field(sheet: object) -> bool:
            return isinstance(sheet, PropertySheet) and any(item.name == name for item in sheet.fields)

        self._rewrite(piece, PropertySheet, has_field, write, f"field {name}")

    def set_layer(self, piece: str, name: str, level: int, active: bool = True) -> None:
        """Shows a level, from 1, of a layer."""
        levels = max((layer.levels for layer in map(view, self._chain(piece)) if isinstance(layer, Layer) and layer.name == name), default=0)  # fmt: skip
        if levels and not 1 <= level <= levels:
            raise self._bad(piece, f"layer {name} has levels 1 to {levels}, none {level}")
        state = str(level if active else -level)
        self._rewrite(
            piece, Layer, lambda layer: isinstance(layer, Layer) and layer.name == name,
            lambda layer, trait: encode([state, *decode(trait.state, ";")[1:]], ";"),
            f"layer {name}",
        )  # fmt: skip

    def set_property(self, piece: str, name: str, value: str) -> None:
        """Sets a dynamic property, a number within the bounds it has."""
        text = self._safe(value, "\t", piece)

        def number(item: object, trait: Trait) -> str:
            assert isinstance(item, DynamicProperty)
            if item.numeric and not re.fullmatch("-?[0-9]{1,9}", text):
                raise self._bad(piece, f"property {name} is a number, not {text[:20]}")
            least, most = item.least, item.most
            bound = item.numeric and least is not None and most is not None and least < most
            if bound and not least <= int(text) <= most:  # type: ignore[operator]
                raise self._bad(piece, f"property {name} goes from {least} to {most}, not to {text}")
            return text

        self._rewrite(
            piece, DynamicProperty, lambda item: isinstance(item, DynamicProperty) and item.name == name,
            number, f"property {name}",
        )  # fmt: skip

    def set_label(self, piece: str, text: str) -> None:
        """Writes the piece's outermost label."""
        label = self._safe(text, "\t", piece)
        if text != text.strip():
            raise self._bad(piece, "VASSAL drops the blanks around a label", "write it without them")
        self._rewrite(piece, Label, lambda item: True, lambda item, trait: label, "label")

    def set_facing(self, piece: str, index: int) -> None:
        """Turns the piece to a step of its outermost rotation, from 0."""
        self._rewrite(
            piece, Facing, lambda item: isinstance(item, Facing) and 0 <= index < item.of,
            lambda item, trait: str(index), f"facing {index}",
        )  # fmt: skip

    def place(self, piece: str, map_name: str, x: int, y: int) -> None:
        """Puts a piece, and the stack it is alone in, at map pixels."""
        found = self._save.piece(piece)
        stack = self._save.piece(found.stack) if found and found.stack else None
        if stack and len(stack.members) > 1:
            raise self._bad(piece, "it is in a stack with others")
        for identity in (piece, *([stack.id] if stack else [])):
            chain = self._chain(identity)
            tokens = [map_name, str(x), str(y), *decode(chain[-1].state, ";")[3:]]
            self._change(identity, (*chain[:-1], replace(chain[-1], state=encode(tokens, ";"))))

    def lay(self, like: str, map_name: str, x: int, y: int) -> None:
        """Lays a copy of a piece at map pixels, in a stack of its own where the piece is in one."""
        found = self._save.piece(like)
        self._hold(like)
        chain, new = self._chain(like), self._new_id()
        tokens = [map_name, str(x), str(y), *decode(chain[-1].state, ";")[3:4], "0"]
        made = (*chain[:-1], replace(chain[-1], state=encode(tokens, ";")))
        row = self._laid.setdefault(like, [])
        row.append(encode_leaf(lv.AddPiece(new, type_text(made), state_text(made))))
        if found and found.stack:
            stack = self._chain(found.stack)
            layer = [token for token in decode(stack[-1].state, ";")[3:] if token.startswith("@@")]
            state = encode([map_name, str(x), str(y), new, *layer], ";")
            row.append(encode_leaf(lv.AddPiece(self._new_id(), type_text(stack), state)))

    def take_up(self, piece: str) -> None:
        """Takes a piece out of the save, and the stack it is alone in."""
        found = self._save.piece(piece)
        self._chain(piece)
        self._taken.add(piece)
        if found is None or not found.stack:
            return
        chain = self._chain(found.stack)
        left = [token for token in decode(chain[-1].state, ";") if token != piece]
        self._change(found.stack, (*chain[:-1], replace(chain[-1], state=encode(left, ";"))))
        stack = self._save.piece(found.stack)
        if stack and stack.kind == "stack" and self._taken.issuperset(stack.members):
            self._taken.add(stack.id)

    def _new_id(self) -> str:
        self._ids += 1
        return str(self._ids)

    def set_tracker(self, tracker: str, state: str) -> None:
        """Gives a turn tracker another state, as VASSAL encodes it."""
        stored = [text for text in self._save._root.walk() if _tracker_in(text) == tracker]
        if len(stored) != 1 or encode_leaf(parse_leaf(stored[0])) != stored[0]:
            reason = "is stored more than once" if len(stored) > 1 else "is not stored as VASSAL writes it"
            raise BadInput(f"turn tracker {tracker[:40]} {reason}", file=self._save.file)
        self._turns[tracker] = state

    def set_global(self, name: str, value: str) -> None:
        """Gives a global property another value."""
        stored = [leaf for leaf in map(parse_leaf, self._save._root.walk()) if _property_in(leaf) == name]
        if len(stored) != 1:
            reason = "is stored more than once" if stored else "is not stored in it"
            raise BadInput(f"global property {name[:40]} {reason}", file=self._save.file)
        self._globals[name] = self._safe(value, ";", "")

    def note(self, text: str) -> None:
        """Adds a line to the notes that everybody may read and write."""
        if any(c in text for c in _FORBIDDEN):
            raise BadInput("a note holds a control character", file=self._save.file)
        if any(lossy(line, "|") or line.endswith("\\") for line in text.split("\n")):
            reason = f"VASSAL cannot store the note {text[:40]!a} so that it is read back"
            raise BadInput(reason, file=self._save.file)
        if not any(isinstance(leaf, lv.SharedNotes) and leaf.public for leaf in self._leaves()):
            raise BadInput("has no public notes", file=self._save.file, hint="open its notes window once")
        self._notes.append(text)

    def _leaves(self) -> Iterator[lv.Leaf]:
        return (parse_leaf(text) for text in self._save._root.walk() if text.startswith("PNOTES\t"))

    def say(self, text: str) -> None:
        """Adds a line of chat at the end: a step of a log, a message on loading a save."""
        if "\n" in text or any(c in text for c in _FORBIDDEN):
            raise BadInput("a chat line holds a line break or control character", file=self._save.file)
        if text.endswith("\\"):
            reason = f"VASSAL cannot store the chat line {text[-40:]!a} so that it is read back"
            raise BadInput(reason, file=self._save.file, hint="end it with anything but a backslash")
        self._chat.append(text)

    @property
    def text(self) -> str:
        """The saved game as VASSAL text."""
        return encode_command(self._whole())

    def _whole(self) -> Command:
        root = self._rebuilt(self._save._root)
        prefix = "LOG\tCHAT" if self._save.kind == "log" else "CHAT"
        added = tuple(Command(prefix + line) for line in self._chat)
        return replace(root, subs=root.subs + added)

    def write(self, stored: SavedGame) -> bytes:
        """The whole file, as released versions of VASSAL write it; `stored` is what the save was read from."""
        whole = self._whole()
        text = encode_command(whole)
        if decode_command(text) != whole:
            last = next(reversed(list(self._save._root.walk())), "")
            ends = "; its last line ends with a backslash, which runs into what follows" * last.endswith("\\")
            raise BadInput(f"cannot be written so that it is read back{ends}", file=self._save.file)
        key = stored.key if stored.key is not None else _KEY
        return write_save_bytes(text, key=key, save_data=stored.save_data, module_data=stored.module_data)

    def _rebuilt(self, command: Command) -> Command:
        text = command.text
        if text.startswith("+/"):
            leaf = parse_leaf(text)
            if isinstance(leaf, lv.AddPiece) and leaf.id in self._states:
                text = encode_leaf(replace(leaf, state=state_text(self._states[leaf.id])))
        elif (tracker := _tracker_in(text)) in self._turns:
            text = encode_leaf(lv.Turn(tracker, self._turns[tracker]))
        elif text.startswith("GlobalProperty\t") and self._globals:
            leaf = parse_leaf(text)
            if isinstance(leaf, lv.GlobalProperty) and leaf.name in self._globals:
                text = encode_leaf(replace(leaf, value=self._globals[leaf.name]))
        elif text.startswith("PNOTES\t") and self._notes:
            leaf = parse_leaf(text)
            assert isinstance(leaf, lv.SharedNotes)
            lines = [*([leaf.text] if leaf.text else []), *self._notes]
            changed = replace(leaf, text="\n".join(lines))
            text = encode_leaf(changed)
            if parse_leaf(text) != changed:
                reason = "its notes have a line that ends with a backslash, which runs into the next"
                raise BadInput(reason, file=self._save.file)
        nested = self._rebuilt(command.nested) if command.nested else None
        if not (self._laid or self._taken):
            return Command(text, tuple(map(self._rebuilt, command.subs)), nested)
        own = _piece_in(command.text)
        text = "" if own in self._taken else text
        subs = list(self._beside(own)) if command.subs else []
        for sub in command.subs:
            id = "" if sub.subs or sub.nested else _piece_in(sub.text)
            subs += [] if id in self._taken else [self._rebuilt(sub)]
            subs += self._beside(id)
        return Command(text, tuple(subs), nested)

    def _beside(self, piece: str) -> Iterator[Command]:
        """The commands that put the copies of a piece into the game."""
        return map(Command, self._laid.get(piece, ()))

    def _rewrite(
        self,
        piece: str,
        kind: type,
        wanted: Callable[[object], bool],
        write: Callable[[object, Trait], str],
        what: str,
    ) -> None:
        chain = list(self._chain(piece))
        for index, trait in enumerate(chain):
            found = view(trait)
            if isinstance(found, kind) and wanted(found):
                chain[index] = replace(trait, state=write(found, trait))
                self._change(piece, tuple(chain))
                return
        names = [name for item in map(view, chain) if isinstance(item, kind) for name in _names_in(item)]
        like = names_like(what.partition(" ")[2][:60], names) if names else ""
        raise self._bad(piece, f"has no {what}", like)

    def _chain(self, piece: str) -> tuple[Trait, ...]:
        chains: Mapping[str, tuple[Trait, ...]] = self._save._chains
        if piece not in chains:
            raise self._bad(piece, "is not in this save")
        return self._states.get(piece, chains[piece])

    def _change(self, piece: str, chain: tuple[Trait, ...]) -> None:
        """Gives a piece's traits other states. Raises BadInput where those not changed would not stay as they are."""
        self._hold(piece)
        self._states[piece] = chain

    def _hold(self, piece: str) -> None:
        """Raises BadInput for a piece whose traits are not stored as VASSAL writes them: written anew they would
        be others."""
        if piece in self._states:
            return
        traits = self._save._chains[piece]
        for text in filter(lambda text: _piece_in(text) == piece, self._save._root.walk()):
            leaf = parse_leaf(text)
            assert isinstance(leaf, lv.AddPiece)
            if encode_leaf(replace(leaf, state=state_text(traits))) == text:
                continue
            lacking = len(traits) - len(split_chain(leaf.state, len(traits)))
            if lacking > 0:
                reason = f"{lacking} of its {len(traits)} traits have no state: a label or other text of it that ends with a backslash runs into what follows"
                raise self._bad(piece, reason, "write that text again in VASSAL, with another ending")
            raise self._bad(piece, "it is not stored as VASSAL writes it, so that not all of it would stay")

    def _safe(self, text: str, delimiter: str, piece: str) -> str:
        if any(c in text for c in _FORBIDDEN):
            raise self._bad(piece, "the new text holds a control character")
        if lossy(text, delimiter) or text.endswith("\\"):
            raise self._bad(piece, f"VASSAL cannot store {text[:40]!a} so that it is read back")
        return text

    def _bad(self, piece: str, reason: str, hint: str = "") -> BadInput:
        return BadInput(reason, file=self._save.file, place=f"piece {piece[:40]}", hint=hint)


def _names_in(item: object) -> tuple[str, ...]:
    """The names by which a trait is written: its fields, or its own."""
    if isinstance(item, PropertySheet):
        return tuple(field.name for field in item.fields)
    return (item.name,) if isinstance(item, Layer | DynamicProperty) else ()
