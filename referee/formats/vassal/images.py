"""Width and height from the first bytes of an image: boards are as large as their picture."""

from __future__ import annotations

import struct

from referee.formats.vassal.grid import Size

# JPEG frame headers, which alone hold the size; C4, C8 and CC are tables.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_MOST = 65_535  # pixels


def image_size(head: bytes) -> Size | None:
    """The size of a PNG, GIF or JPEG, or None when it is not known."""
    if head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        return _sane(*struct.unpack(">2L", head[16:24]))
    if head[:6] in (b"GIF87a", b"GIF89a") and len(head) >= 10:
        return _sane(*struct.unpack("<2H", head[6:10]))
    if head.startswith(b"\xff\xd8"):
        return _jpeg_size(head)
    return None


def _jpeg_size(head: bytes) -> Size | None:
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if marker in _FRAMES:
            height, width = struct.unpack(">2H", head[at + 5 : at + 9])
            return _sane(width, height)
        at += 2 + int(struct.unpack(">H", head[at + 2 : at + 4])[0])
    return None


def _sane(width: int, height: int) -> Size | None:
    return Size(width, height) if 0 < width <= _MOST and 0 < height <= _MOST else None
