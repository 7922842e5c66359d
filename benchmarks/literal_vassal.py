"""A plain reading of VASSAL's format, character by character as the engine's Java does it.

The yardstick for `referee.formats.vassal`: the same depth (commands, pieces, traits and their
fields), no deliberate slowness, no shortcuts. Run with a save to compare both:

    python benchmarks/literal_vassal.py SAVE [--rounds N]
"""

from __future__ import annotations

import argparse
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

ESC = "\x1b"


def deobfuscate(stored: bytes) -> str:
    """Hex pairs one at a time, each against the key."""
    if stored[:5] != b"!VCSK":
        return stored.decode("utf-8")
    key = int(stored[5:7], 16)
    plain = bytearray()
    for at in range(7, len(stored), 2):
        plain.append(int(stored[at : at + 2], 16) ^ key)
    return plain.decode("utf-8")


class Decoder:
    """SequenceEncoder.Decoder: one token at a time, one character at a time."""

    def __init__(self, text: str, delimiter: str) -> None:
        self.text: str | None = text
        self.delimiter = delimiter
        self.start = 0

    def has_more(self) -> bool:
        return self.text is not None

    def next(self) -> str:
        text = self.text
        if text is None:
            raise StopIteration
        token = ""
        at = self.start
        while at < len(text):
            if text[at] == self.delimiter:
                if at > 0 and text[at - 1] == "\\":
                    token = token[:-1] + self.delimiter
                    at += 1
                    continue
                self.start = at + 1
                return unquote(token)
            token += text[at]
            at += 1
        self.text = None
        return unquote(token)

    def rest(self) -> list[str]:
        tokens = []
        while self.has_more():
            tokens.append(self.next())
        return tokens


def unquote(token: str) -> str:
    if len(token) > 1 and token[0] == "'" and token[-1] == "'":
        return token[1:-1]
    return token


def decode_commands(text: str, leaves: list[object]) -> None:
    """GameModule.decode: split on ESC, decode every part again."""
    parts = Decoder(text, ESC)
    first = parts.next()
    if first == text:
        leaves.append(decode_leaf(first))
        return
    decode_commands(first, leaves)
    while parts.has_more():
        decode_commands(parts.next(), leaves)


def decode_leaf(text: str) -> object:
    if text.startswith("+/"):
        tokens = Decoder(text[2:], "/").rest()
        return ("AddPiece", tokens[0], decode_piece(tokens[1], tokens[2]))
    if text.startswith("-/"):
        return ("RemovePiece", text[2:])
    if text.startswith("D/"):
        return ("ChangePiece", *Decoder(text[2:], "/").rest())
    if text.startswith("M/"):
        return ("MovePiece", *Decoder(text[2:], "/").rest())
    if text.startswith("CHAT"):
        return ("Chat", text[4:])
    if text.startswith("LOG\t"):
        return ("Log", decode_leaf(text[4:]))
    if (
        text.startswith(("PLAYER\t", "MutableProperty\t", "EXT\t", "UNDO\t", "UNMASK\t"))
        or "BoardPicker\t" in text
    ):
        return tuple(Decoder(text, "\t").rest())
    if text.startswith("GlobalProperty\t"):
        return tuple(Decoder(text, ";").rest())
    if text.startswith("TURN"):
        return ("Turn", *Decoder(text[4:], "\t").rest())
    return text


def decode_piece(type_text: str, state_text: str) -> list[object]:
    """Decorator: own type and state, then the inner piece's, recursively."""
    if type_text.startswith(("piece;", "deck;")) or "\t" not in type_text:
        return [decode_trait(type_text, state_text)]
    types, states = Decoder(type_text, "\t"), Decoder(state_text, "\t")
    own_type, own_state = types.next(), states.next()
    if not types.has_more():
        return [decode_trait(type_text, state_text)]
    inner = decode_piece(types.next(), states.next() if states.has_more() else "")
    return [decode_trait(own_type, own_state), *inner]


def decode_trait(type_text: str, state: str) -> object:
    kind = type_text.split(";")[0]
    reader = READERS.get(kind)
    return (kind, reader(type_text, state)) if reader else (kind, type_text, state)


def fields_of(type_text: str) -> list[str]:
    return Decoder(type_text, ";").rest()[1:]


def piece(type_text: str, state: str) -> object:
    return fields_of(type_text), Decoder(state, ";").rest()


def marker(type_text: str, state: str) -> object:
    return Decoder(type_text[5:], ",").rest(), Decoder(state, ",").rest()


def layer(type_text: str, state: str) -> object:
    fields = fields_of(type_text)
    images = Decoder(fields[15], ",").rest() if len(fields) > 15 else []
    names = Decoder(fields[16], ",").rest() if len(fields) > 16 else []
    return fields, images, names, Decoder(state, ";").rest()[0]


def table(type_text: str, state: str) -> object:
    fields = fields_of(type_text)
    cells = Decoder(state, ",").rest()
    width = int(fields[1])
    return fields, [cells[at : at + width] for at in range(0, len(cells), width)]


def sheet(type_text: str, state: str) -> object:
    fields = fields_of(type_text)
    return fields, Decoder(fields[0], "~").rest(), Decoder(state, "~").rest()


def dynamic(type_text: str, state: str) -> object:
    fields = fields_of(type_text)
    return fields, Decoder(fields[1], ",").rest() if len(fields) > 1 else [], state


def plain(type_text: str, state: str) -> object:
    return fields_of(type_text), state


READERS: dict[str, Callable[[str, str], object]] = {
    "piece": piece, "stack": piece, "deck": piece, "obs": piece, "footprint": piece,
    "mark": marker, "emb2": layer, "table": table, "propertysheet": sheet, "PROP": dynamic,
    "rotate": plain, "label": plain, "hide": plain, "restrict": plain, "immob": plain,
    "markmoved": plain, "prototype": plain,
}  # fmt: skip


def read_literally(path: Path) -> list[object]:
    """A save, decoded by the book."""
    with zipfile.ZipFile(path) as archive:
        text = deobfuscate(archive.read("savedGame"))
    leaves: list[object] = []
    decode_commands(text, leaves)
    return leaves


def main() -> None:
    from referee.formats.vassal import traits
    from referee.formats.vassal.game import read_save
    from referee.formats.vassal.traits import view

    def read_fast(path: Path) -> object:
        traits._split.cache_clear()  # each round starts cold, as a command does
        save = read_save(path.read_bytes(), path.name, reveal=True)
        return [view(trait) for chain in save._chains.values() for trait in chain]

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("save", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    best = {}
    for name, read in (("literal", read_literally), ("referee", read_fast)):
        times = []
        for _ in range(options.rounds):
            begun = time.perf_counter()
            read(options.save)
            times.append(time.perf_counter() - begun)
        best[name] = min(times)
        tracemalloc.start()
        read(options.save)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        print(f"{name}: best {best[name]:.3f} s of {options.rounds}, peak {peak / 2**20:.1f} MiB of objects")
    print(f"{best['literal'] / best['referee']:.1f} times faster")


if __name__ == "__main__":
    main()
