"""Messages of the room as they travel: long ones, and those with a line break, as `!ZIP!` and a zip in base64."""

from __future__ import annotations

import base64
import binascii
import struct
import zlib

from referee.core.errors import BadInput
from referee.formats.limits import MAX_SAVED_GAME
from referee.formats.vassal.container import write_zip

ZIPPED = "!ZIP!"
LONGEST_PLAIN = 1000
"""UTF-16 units of a message that VASSAL still sends as it is."""
_ENTRY = "Dummy"
_LOCAL = struct.Struct("<4s5H3L2H")
_SIZES_BEHIND = 0x08
_DEFLATED, _STORED = 8, 0


def packed(message: str) -> str:
    """A message as it is sent."""
    units = len(message.encode("utf-16-le", "surrogatepass")) // 2
    if units <= LONGEST_PLAIN and "\n" not in message and "\r" not in message:
        return message
    return ZIPPED + base64.b64encode(write_zip({_ENTRY: message.encode("utf-8")})).decode("ascii")


def unpacked(sent: str, most: int = MAX_SAVED_GAME) -> str:
    """The message that was sent. Raises BadInput for a zip that is broken, or holds more than `most` bytes; no more
    than that is ever unpacked."""
    if not sent.startswith(ZIPPED):
        return sent
    try:
        data = base64.b64decode(sent[len(ZIPPED) :], validate=True)
    except (binascii.Error, ValueError):
        raise BadInput("a zipped message that is not base64") from None
    return _first_entry(data, most)


def _first_entry(data: bytes, most: int) -> str:
    """The text of the first entry: VASSAL reads a stream, where its sizes may stand behind it."""
    if len(data) < _LOCAL.size:
        raise BadInput("a zipped message that is cut short")
    mark, _, flags, method, _, _, crc, size, _, name, extra = _LOCAL.unpack_from(data)
    if (
        mark != b"PK\x03\x04"
        or flags & ~(_SIZES_BEHIND | 0x0800 | 0x0006)
        or method not in (_STORED, _DEFLATED)
    ):
        raise BadInput("a zipped message that is no zip as VASSAL writes it")
    body = data[_LOCAL.size + name + extra :]
    if method == _STORED:
        if flags & _SIZES_BEHIND or size > len(body):
            raise BadInput("a zipped message that is cut short")
        plain = body[:size]
    else:
        plain, crc = _inflated(body, most, crc if not flags & _SIZES_BEHIND else None)
    if len(plain) > most:
        raise BadInput(f"a zipped message that unpacks to more than {most} bytes")
    if zlib.crc32(plain) != crc:
        raise BadInput("a zipped message whose checksum is wrong")
    try:
        return plain.decode("utf-8")
    except UnicodeDecodeError:
        raise BadInput("a zipped message that is not UTF-8") from None


def _inflated(body: bytes, most: int, crc: int | None) -> tuple[bytes, int]:
    """What is deflated, and the checksum it should have, which may stand behind it."""
    stream = zlib.decompressobj(-15)
    try:
        plain = stream.decompress(body, most + 1)
    except zlib.error:
        raise BadInput("a zipped message that is damaged") from None
    if len(plain) > most:
        raise BadInput(f"a zipped message that unpacks to more than {most} bytes")
    if not stream.eof:
        raise BadInput("a zipped message that is cut short")
    if crc is not None:
        return plain, crc
    behind = stream.unused_data.removeprefix(b"PK\x07\x08")
    if len(behind) < 4:
        raise BadInput("a zipped message that is cut short")
    return plain, int(struct.unpack_from("<L", behind)[0])
