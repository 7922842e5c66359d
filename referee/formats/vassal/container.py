"""VASSAL files as zip archives, and the obfuscation of the saved game inside."""

from __future__ import annotations

import binascii
import codecs
import lzma
import struct
import zlib
from collections.abc import Mapping
from dataclasses import field

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.formats.archive import Archive
from referee.formats.limits import (
    MAX_METADATA,
    MAX_MODULE_ENTRIES,
    MAX_SAVE_ENTRIES,
    MAX_SAVED_GAME,
)

SUFFIXES = (".vsav", ".vlog", ".sav", ".log")
SAVED_GAME = "savedGame"
SAVE_DATA = "savedata"
MODULE_DATA = "moduledata"
BUILD_FILES = ("buildFile.xml", "buildFile")

_HEX, _HEX_DEFLATED, _RAW_KEY = b"!VCSK", b"!VCSZ", b"VOBS"
_XZ, _XZ_KEYED = b"\xfd7zXZ\x00", b"!VOXZ"
_BEGIN, _END = "begin_save", "end_save"
_ZIP_EPOCH = (1 << 5 | 1) << 16  # 1980-01-01 00:00, the earliest a zip can say


@frozen
class SavedGame:
    """The text of a saved game and how it was stored.

    The text holds the players' passwords, so it has no repr.
    """

    text: str = field(repr=False)
    encoding: str
    header: str
    key: int | None
    save_data: bytes | None = field(repr=False)
    module_data: bytes | None = field(repr=False)


def open_save(data: bytes, file: str, encoding: str | None = None) -> SavedGame:
    """The saved game of a save or log; `encoding` replaces UTF-8 for very old ones."""
    archive = Archive(data, file, max_entries=MAX_SAVE_ENTRIES, narrow_names=True)
    if SAVED_GAME not in archive:
        raise BadInput(
            f"is no VASSAL save: it has no entry {SAVED_GAME}", file=file, hint=_not_a_save(archive)
        )
    stored = archive.read(SAVED_GAME, MAX_SAVED_GAME)
    plain, header, key = reveal(stored, file)
    text = _decode_text(plain, file, encoding)
    _check_frame(text, file)
    metadata = [archive.read(n, MAX_METADATA) if n in archive else None for n in (SAVE_DATA, MODULE_DATA)]
    return SavedGame(text, encoding or "utf-8", header, key, metadata[0], metadata[1])


def _not_a_save(archive: Archive) -> str:
    """What an archive without a saved game is, and how to come to one."""
    if any(name in archive for name in BUILD_FILES):
        return "this is a module"
    inner = next((name for name in archive.names if name.endswith(f"/{SAVED_GAME}")), "")
    folder = inner.removesuffix(SAVED_GAME)
    if inner:
        return f"it lies in {folder}: unpack {folder}, and pack what is in it without the folder"
    return "it is a zip archive of another kind; File > Save Game of VASSAL writes a save"


def open_module(data: bytes, file: str) -> tuple[Archive, str]:
    """The archive of a module and the name of its build file."""
    archive = Archive(data, file, max_entries=MAX_MODULE_ENTRIES, narrow_names=False)
    for name in BUILD_FILES:
        if name in archive:
            return archive, name
    hint = "this is a save or log" if SAVED_GAME in archive else ""
    raise BadInput("is no VASSAL module: it has no buildFile.xml or buildFile", file=file, hint=hint)


def reveal(stored: bytes, file: str) -> tuple[bytes, str, int | None]:
    """The plain bytes of a savedGame entry, the name of its header, its key byte."""
    if stored.startswith(_HEX):
        key, plain = _unhex(stored, file)
        return plain, "!VCSK", key
    if stored.startswith(_HEX_DEFLATED):
        key, packed = _unhex(stored, file)
        return _inflate(packed, file), "!VCSZ", key
    if stored.startswith(_RAW_KEY):
        if len(stored) == len(_RAW_KEY):
            raise _bad("is cut short after its header", file)
        key = stored[len(_RAW_KEY)]
        return _xor(stored[len(_RAW_KEY) + 1 :], key), "VOBS", key
    if stored.startswith(_XZ):
        return _unxz(stored, file), "XZ", None
    if stored.startswith(_XZ_KEYED):
        return _reveal_keyed_xz(stored, file)
    if stored.startswith(_BEGIN.encode()):
        return stored, "none", None
    raise _bad("has an unknown header and is not plain text either", file)


def encode_saved_game(text: str, key: int) -> bytes:
    """A savedGame entry as released VASSAL versions write it; `key` is 0 to 255."""
    return b"!VCSK%02x" % key + binascii.hexlify(_xor(text.encode("utf-8"), key))


def write_save_bytes(
    text: str, *, key: int, save_data: bytes | None = None, module_data: bytes | None = None
) -> bytes:
    """A whole save or log; the same input always gives the same bytes."""
    entries = {SAVED_GAME: encode_saved_game(text, key)}
    for name, content in ((SAVE_DATA, save_data), (MODULE_DATA, module_data)):
        if content is not None:
            entries[name] = content
    return write_zip(entries)


def write_zip(entries: Mapping[str, bytes]) -> bytes:
    """A zip of deflated entries, all dated 1980-01-01, in the order given."""
    body, directory = b"", b""
    for name, content in entries.items():
        raw = name.encode("ascii")
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(content) + packer.flush()
        common = struct.pack(
            "<3HL3L2H", 20, 0, 8, _ZIP_EPOCH, zlib.crc32(content), len(packed), len(content), len(raw), 0
        )
        directory += struct.pack("<4sH", b"PK\x01\x02", 20) + common
        directory += struct.pack("<3H2L", 0, 0, 0, 0, len(body)) + raw
        body += b"PK\x03\x04" + common + raw + packed
    count = len(entries)
    return (
        body
        + directory
        + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), 0)
    )


def _unhex(stored: bytes, file: str) -> tuple[int, bytes]:
    try:
        raw = binascii.unhexlify(stored[len(_HEX) :])
    except (binascii.Error, ValueError):
        odd = len(stored) % 2 == 0
        raise _bad(
            "has an odd number of hex digits" if odd else "holds something else than hex digits", file
        ) from None
    if not raw:
        raise _bad("is cut short after its header", file)
    return raw[0], _xor(raw[1:], raw[0])


def _xor(data: bytes, key: int) -> bytes:
    return data.translate(bytes([value ^ key for value in range(256)])) if key else data


def _inflate(packed: bytes, file: str) -> bytes:
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(packed, MAX_SAVED_GAME + 1)
    except zlib.error:
        raise _bad("compressed text is damaged", file) from None
    if len(plain) > MAX_SAVED_GAME:
        raise _bad("unpacks to more than allowed", file)
    if not stream.eof:
        raise _bad("compressed text is cut short", file)
    return plain


def _unxz(packed: bytes, file: str) -> bytes:
    stream = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=128 << 20)
    try:
        plain = stream.decompress(packed, MAX_SAVED_GAME + 1)
    except lzma.LZMAError:
        raise _bad("compressed text is damaged", file) from None
    if len(plain) > MAX_SAVED_GAME:
        raise _bad("unpacks to more than allowed", file)
    if not stream.eof or stream.unused_data:
        raise _bad("compressed text is cut short or has something behind it", file)
    return plain


def _reveal_keyed_xz(stored: bytes, file: str) -> tuple[bytes, str, int | None]:
    """Header, key byte, then XZ data; no released engine writes it, so both orders are tried."""
    if len(stored) <= len(_XZ_KEYED) + 1:
        raise _bad("is cut short after its header", file)
    key, rest = stored[len(_XZ_KEYED)], stored[len(_XZ_KEYED) + 1 :]
    if rest.startswith(_XZ):
        plain = _unxz(rest, file)
        return (plain if plain.startswith(_BEGIN.encode()) else _xor(plain, key)), "!VOXZ", key
    return _unxz(_xor(rest, key), file), "!VOXZ", key


def _decode_text(plain: bytes, file: str, encoding: str | None) -> str:
    name = _known_encoding(encoding, file) if encoding else "utf-8"
    try:
        text = plain.decode(name)
    except (UnicodeDecodeError, UnicodeError) as error:
        place = f"{SAVED_GAME} byte {getattr(error, 'start', 0)}"
        hint = "name the player's encoding with --encoding, such as cp1252" if encoding is None else ""
        raise BadInput(f"text is not {name.upper()}", file=file, place=place, hint=hint) from None
    # Python reads no such half out of UTF-8.
    if name != "utf-8" and any("\ud800" <= c <= "\udfff" for c in set(text)):
        raise _bad("text holds half of a surrogate pair", file)
    return text


def _known_encoding(encoding: str, file: str) -> str:
    try:
        info = codecs.lookup(encoding)
    except (LookupError, ValueError):
        raise BadInput(f"unknown encoding {encoding!r}", file=file, hint="such as utf-8 or cp1252") from None
    # Text encodings only: `rot13`, `zlib` and the like are codecs too, and some of them unpack.
    if not getattr(info, "_is_text_encoding", True) or info.name in (
        "unicode_escape",
        "raw-unicode-escape",
        "idna",
    ):
        raise BadInput(f"{encoding!r} is not a text encoding", file=file)
    return info.name


def _check_frame(text: str, file: str) -> None:
    if not text.startswith(_BEGIN):
        raise _bad(f"does not start with {_BEGIN}", file, "the key or the encoding may be wrong")
    if _END not in text:
        raise _bad(f"has no {_END}: cut short", file)


def _bad(reason: str, file: str, hint: str = "") -> BadInput:
    return BadInput(reason, file=file, place=SAVED_GAME, hint=hint)
