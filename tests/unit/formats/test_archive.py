"""Every shape of zip that is refused, and the ones real programs write."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable

import pytest

from referee.core.errors import BadInput
from referee.formats.archive import Archive

Edit = Callable[[bytearray], None]


def entry(
    name: bytes, content: bytes, *, method: int = 8, flags: int = 0, size: int | None = None,
    crc: int | None = None, made_by: int = 20, attributes: int = 0, local_name: bytes | None = None,
    local_method: int | None = None, descriptor: bool = False,
) -> dict[str, object]:  # fmt: skip
    return locals()


def build(*entries: dict[str, object], comment: bytes = b"", prefix: bytes = b"") -> bytes:
    """A zip with any lie one likes."""
    body, directory = prefix, b""
    for e in entries:
        content: bytes = e["content"]  # type: ignore[assignment]
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(content) + packer.flush() if e["method"] == 8 else content
        size = len(content) if e["size"] is None else e["size"]
        crc = zlib.crc32(content) if e["crc"] is None else e["crc"]
        flags = int(e["flags"]) | (8 if e["descriptor"] else 0)  # type: ignore[call-overload]
        name: bytes = e["name"]  # type: ignore[assignment]
        local_name = e["local_name"] or name
        local_method = e["method"] if e["local_method"] is None else e["local_method"]
        sizes = (0, 0, 0) if e["descriptor"] else (crc, len(packed), size)
        offset = len(body)
        body += struct.pack(
            "<4s5H3L2H", b"PK\x03\x04", 20, flags, local_method, 0, 33, *sizes, len(local_name), 0
        )  # type: ignore[arg-type]
        body += local_name + packed  # type: ignore[operator]
        if e["descriptor"]:
            body += struct.pack("<4s3L", b"PK\x07\x08", crc, len(packed), size)
        directory += struct.pack(
            "<4s6H3L5H2L", b"PK\x01\x02", e["made_by"], 20, flags, e["method"], 0, 33, crc, len(packed), size,
            len(name), 0, 0, 0, 0, e["attributes"], offset,
        ) + name  # fmt: skip
    count = len(entries)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), len(comment))
    return body + directory + end + comment


def opened(data: bytes, *, narrow: bool = True, most: int = 32) -> Archive:
    return Archive(data, "game.vsav", max_entries=most, narrow_names=narrow)


def refused(data: bytes, reason: str, *, narrow: bool = True, most: int = 32) -> None:
    with pytest.raises(BadInput, match=reason) as caught:
        archive = opened(data, narrow=narrow, most=most)
        for name in archive.names:
            archive.read(name, 1 << 22)
    assert caught.value.exit_code == 2
    assert str(caught.value).startswith("game.vsav: ")
    assert "\n" not in str(caught.value)


GOOD = entry(b"savedGame", b"begin_save and more")


def test_plain_archives_are_read() -> None:
    folder = entry(b"images/", b"", method=0)
    archive = opened(build(GOOD, folder, entry(b"images/a.png", b"x", method=0)))
    assert archive.names == ("savedGame", "images/a.png")
    assert archive.read("savedGame", 100) == b"begin_save and more"
    assert "savedGame" in archive
    assert "images/" not in archive
    assert archive.peek("savedGame", 5) == b"begin"


def test_sizes_after_the_data_as_java_writes_them() -> None:
    archive = opened(
        build(entry(b"savedGame", b"abc" * 100, descriptor=True), GOOD | {"name": b"b", "descriptor": True})
    )
    assert archive.read("savedGame", 300) == b"abc" * 100
    assert archive.read("b", 300) == b"begin_save and more"


def test_what_other_programs_write_is_read() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as writer:
        writer.writestr("[Content_Types].xml", "<a/>")
        writer.writestr("xl/worksheets/sheet1.xml", "<b/>")
        writer.mkdir("Configurations2/")
    assert opened(buffer.getvalue()).read("xl/worksheets/sheet1.xml", 10) == b"<b/>"
    spaced = build(entry("images/Käpt'n Blue.png".encode(), b"x", flags=0x800), entry(b"A.png", b"1"))
    assert opened(spaced, narrow=False).names == ("images/Käpt'n Blue.png", "A.png")
    old = build(entry(b"images/K\x84pt.png", b"x"))
    assert opened(old, narrow=False).names == ("images/Käpt.png",)


def test_names_equal_but_for_case_in_a_module() -> None:
    archive = opened(build(entry(b"a.png", b"1"), entry(b"A.png", b"2"), GOOD), narrow=False)
    assert archive.read("savedGame", 100)
    with pytest.raises(BadInput, match="twice"):
        archive.read("a.png", 100)


@pytest.mark.parametrize("strange", [entry(b"saved Game", b"x"), entry("Gäme".encode(), b"x", flags=0x800)])
def test_a_strange_name_is_not_read_and_hides_nothing_else(strange: dict) -> None:  # type: ignore[type-arg]
    archive = opened(build(GOOD, strange))
    assert archive.names == ("savedGame",) and archive.read("savedGame", 100)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a zip"),
        (b"hello, I am no archive at all, but long enough", "not a zip"),
        (build(GOOD)[:-3], "very end"),
        (build(GOOD) + b"\0", "very end"),
        (build(GOOD, comment=b"hi"), "very end"),
        (build(GOOD, prefix=b"MZ junk"), "not a zip|before the first"),
        (build(GOOD, prefix=b"PK\x03\x04 two archives in one"), "before the first"),
        (build(GOOD, GOOD), "twice"),
        (build(GOOD, entry(b"SAVEDGAME", b"x")), "twice"),
        (build(entry(b"../savedGame", b"x")), "outside"),
        (build(entry(b"a/../b", b"x")), "outside"),
        (build(entry(b"/etc/passwd", b"x")), "outside"),
        (build(entry(b"C:/x", b"x")), "outside"),
        (build(entry(b"saved\0Game", b"x")), "control character"),
        (build(entry(b"saved\xff", b"x", flags=0x800)), "not UTF-8"),
        (build(entry(b"", b"x")), "empty or too long"),
        (build(entry(b"n" * 600, b"x")), "empty or too long"),
        (build(GOOD | {"flags": 1}), "encrypted"),
        (build(GOOD | {"flags": 0x40}), "encrypted"),
        (build(GOOD | {"method": 12, "local_method": 12}), "compression method 12"),
        (build(GOOD | {"local_method": 0}), "disagree about its packing"),
        (build(GOOD | {"local_name": b"otherGame"}), "another name"),
        (build(GOOD | {"size": 0xFFFFFFFF}), "zip64"),
        (build(GOOD | {"made_by": 3 << 8, "attributes": 0o120777 << 16}), "regular file"),
        (build(GOOD | {"made_by": 3 << 8, "attributes": 0o010644 << 16}), "regular file"),
        (build(entry(b"folder/", b"x")), "folder entry with content"),
        (build(GOOD | {"crc": 1}), "checksum"),
        (build(GOOD | {"size": 5}), "unpacked size differs"),
        (build(GOOD | {"size": 50}), "unpacked size differs|cut short"),
        (build(GOOD | {"method": 0, "local_method": 0, "size": 50}), "two different sizes"),
        (build(entry(b"savedGame", b"0" * (3 << 20))), "zip bomb"),
    ],
)  # fmt: skip
def test_refused(data: bytes, reason: str) -> None:
    refused(data, reason)


def _with(data: bytes, at: int, fmt: str, *values: int) -> bytes:
    changed = bytearray(data)
    struct.pack_into(fmt, changed, at if at >= 0 else len(data) + at, *values)
    return bytes(changed)


def test_refused_end_records() -> None:
    good = build(GOOD)
    refused(_with(good, -18, "<H", 1), "several parts")
    refused(_with(good, -16, "<H", 1), "several parts")
    refused(_with(good, -14, "<H", 2), "several parts")
    refused(_with(good, -14, "<2H", 0xFFFF, 0xFFFF), "zip64")
    refused(_with(good, -6, "<L", 0xFFFFFFFF), "zip64")
    refused(_with(good, -6, "<L", 1), "does not end where")
    refused(_with(good, -14, "<2H", 2, 2), "cut short|damaged")
    refused(build(GOOD, entry(b"b", b"x"), entry(b"c", b"y")), "more than 2 entries", most=2)


def test_refused_offsets_and_overlaps() -> None:
    good = build(GOOD, entry(b"other.name", b"x" * 40, method=0))
    directory = good.index(b"PK\x01\x02")
    second = good.index(b"PK\x01\x02", directory + 4)
    refused(_with(good, second + 42, "<L", 0), "another name")
    refused(_with(good, directory + 42, "<L", len(good)), "outside the archive")
    refused(_with(good, directory + 42, "<L", 7), "no entry where")
    # The second entry's data holds a third entry of its own, quoted inside it.
    inner = build(entry(b"inner", b"abc", method=0))[:-22]
    inner = inner[: inner.index(b"PK\x01\x02")]
    data = build(entry(b"outer", inner, method=0), entry(b"inner", b"abc", method=0))
    at = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 4)
    refused(_with(data, at + 42, "<L", 30 + len(b"outer")), "overlap")


def test_cut_at_every_length() -> None:
    good = build(GOOD, entry(b"savedata", b"<data/>"))
    for length in range(len(good)):
        with pytest.raises(BadInput):
            opened(good[:length])


def test_an_entry_larger_than_asked_for_is_not_unpacked() -> None:
    archive = opened(build(GOOD))
    with pytest.raises(BadInput, match="more than 10 bytes"):
        archive.read("savedGame", 10)
    with pytest.raises(BadInput, match="has no entry"):
        archive.read("absent", 10)


def test_damaged_data() -> None:
    data = bytearray(build(GOOD))
    at = data.index(b"savedGame") + 9
    data[at : at + 4] = b"\xff\xff\xff\xff"
    refused(bytes(data), "damaged|checksum|cut short|differs")
