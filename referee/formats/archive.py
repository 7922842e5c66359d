"""A ZIP reader for files from strangers: strict about shape, counts what it unpacks, writes nothing.

The central directory is the authority; a local header that disagrees with it refuses the archive,
so that no two programs can see two different files in it.
"""

from __future__ import annotations

import re
import stat
import struct
import zlib

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.formats.limits import MAX_ENTRY_NAME, MAX_RATIO, RATIO_FREE

_END = struct.Struct("<4s4H2LH")
_CENTRAL = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_SATURATED = 0xFFFFFFFF
_ENCRYPTED = 0x0001 | 0x0040 | 0x2000
_DESCRIPTOR = 0x0008
_UTF8 = 0x0800
_STORED, _DEFLATED = 0, 8
_UNIX = 3
_NARROW = re.compile(r"[A-Za-z0-9_\[\].\-]+(?:/[A-Za-z0-9_\[\].\-]+)*/?")


@frozen
class ArchivedFile:
    """One file of the archive, as the central directory declares it."""

    name: str
    method: int
    crc: int
    packed: int
    size: int
    header: int
    start: int
    end: int


class Archive:
    """The entries of a ZIP held in memory; building it checks the whole directory.

    With `narrow_names` only files whose name is plain ASCII are there, and no two are equal ignoring case. Without it
    names may hold spaces and other letters, and names equal but for case are refused when read.
    """

    __slots__ = ("_data", "_entries", "_folded", "file")

    def __init__(self, data: bytes, file: str, *, max_entries: int, narrow_names: bool) -> None:
        self.file = file
        self._data = data
        self._entries: dict[str, ArchivedFile] = {}
        self._folded: dict[str, int] = {}
        count, directory, end = self._end_record(max_entries)
        entries = self._directory(count, directory, end, narrow_names)
        self._refuse_overlaps(entries, directory)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the files, in directory order; folder entries are left out."""
        return tuple(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def read(self, name: str, limit: int) -> bytes:
        """The unpacked bytes of one file, checked against its declared size and CRC."""
        entry = self._entries.get(name)
        if entry is None:
            raise self._bad(f"has no entry {name!r}")
        if self._folded[name.casefold()] > 1:
            raise self._bad("entry present twice under names equal ignoring case", name)
        if entry.size > limit:
            raise self._bad(f"unpacks to more than {limit} bytes", name)
        if entry.size > RATIO_FREE and entry.size > MAX_RATIO * entry.packed:
            raise self._bad(f"packed more than {MAX_RATIO} times: looks like a zip bomb", name)
        packed = self._data[entry.start : entry.end]
        data = packed if entry.method == _STORED else self._inflate(entry, packed)
        if len(data) != entry.size:
            raise self._bad("unpacked size differs from the declared one", name)
        if zlib.crc32(data) != entry.crc:
            raise self._bad("checksum does not match: damaged or altered", name)
        return data

    def peek(self, name: str, size: int) -> bytes:
        """At most the first `size` unpacked bytes of a file, unchecked: enough for an image's header."""
        entry = self._entries[name]
        packed = self._data[entry.start : min(entry.end, entry.start + size + 1024)]
        if entry.method == _STORED:
            return packed[:size]
        try:
            return zlib.decompressobj(-15).decompress(packed, size)
        except zlib.error:
            raise self._bad("compressed data is damaged", name) from None

    def _inflate(self, entry: ArchivedFile, packed: bytes) -> bytes:
        stream = zlib.decompressobj(-15)
        try:
            # One byte more than declared is enough to see a lie without unpacking it.
            data = stream.decompress(packed, entry.size + 1)
        except zlib.error:
            raise self._bad("compressed data is damaged", entry.name) from None
        if len(data) == entry.size and not stream.eof and not stream.unconsumed_tail:
            raise self._bad("compressed data is cut short", entry.name)
        if stream.unused_data:
            raise self._bad("bytes after the end of the compressed data", entry.name)
        return data

    def _end_record(self, max_entries: int) -> tuple[int, int, int]:
        end = len(self._data) - _END.size
        if end < 0 or not self._data.startswith(b"PK"):
            raise self._bad("is not a zip archive")
        mark, disk, directory_disk, here, count, size, directory, comment = _END.unpack_from(self._data, end)
        if mark != b"PK\x05\x06" or comment:
            raise self._bad("zip end record is not at the very end: cut short, or something is appended")
        if disk or directory_disk or here != count:
            raise self._bad("zip archive in several parts")
        if count == 0xFFFF or _SATURATED in (size, directory):
            raise self._bad("zip64 archives are not read")
        if count > max_entries:
            raise self._bad(f"zip archive with more than {max_entries} entries")
        if directory + size != end:
            raise self._bad("zip directory does not end where the end record starts")
        return count, directory, end

    def _directory(self, count: int, at: int, end: int, narrow: bool) -> list[ArchivedFile]:
        entries = []
        for _ in range(count):
            if at + _CENTRAL.size > end:
                raise self._bad("zip directory is cut short")
            fields = _CENTRAL.unpack_from(self._data, at)
            names_at = at + _CENTRAL.size
            at = names_at + fields[10] + fields[11] + fields[12]
            if fields[0] != b"PK\x01\x02" or at > end:
                raise self._bad("zip directory is damaged")
            raw_name = self._data[names_at : names_at + fields[10]]
            entry = self._entry(fields, raw_name)
            entries.append(entry)
            self._keep(entry, narrow)
        if at != end:
            raise self._bad("zip directory holds more than its entries")
        return entries

    def _entry(self, fields: tuple[int, ...], raw_name: bytes) -> ArchivedFile:
        _, made_by, _, flags, method, _, _, crc, packed, size, _, _, _, disk, _, attributes, offset = fields
        name = self._name(raw_name, flags)
        if flags & _ENCRYPTED:
            raise self._bad("entry is encrypted", name)
        if method not in (_STORED, _DEFLATED):
            raise self._bad(f"unknown compression method {method}", name)
        if disk:
            raise self._bad("zip archive in several parts")
        if _SATURATED in (packed, size, offset):
            raise self._bad("zip64 archives are not read", name)
        if method == _STORED and packed != size:
            raise self._bad("stored entry with two different sizes", name)
        self._refuse_irregular(name, made_by >> 8, attributes, size)
        start = self._local(offset, raw_name, name, (flags, method, crc, packed, size))
        return ArchivedFile(name, method, crc, packed, size, offset, start, start + packed)

    def _name(self, raw: bytes, flags: int) -> str:
        if not raw or len(raw) > MAX_ENTRY_NAME:
            raise self._bad("entry name is empty or too long")
        try:
            name = raw.decode("utf-8")
        except UnicodeDecodeError:
            if flags & _UTF8:
                raise self._bad("entry name is not UTF-8") from None
            name = raw.decode("cp437")
        if any(ord(c) < 32 or ord(c) == 127 for c in name):
            raise self._bad("entry name holds a control character")
        parts = name.replace("\\", "/").split("/")
        if ".." in parts or parts[0] == "" or parts[0].endswith(":"):
            raise self._bad("entry name points outside the archive", name)
        return name

    def _refuse_irregular(self, name: str, system: int, attributes: int, size: int) -> None:
        kind = stat.S_IFMT(attributes >> 16) if system == _UNIX else 0
        folder = name.endswith("/")
        if folder and size:
            raise self._bad("folder entry with content", name)
        if kind not in (0, stat.S_IFDIR if folder else stat.S_IFREG):
            raise self._bad("entry is not a regular file", name)

    def _local(self, offset: int, raw_name: bytes, name: str, declared: tuple[int, ...]) -> int:
        """Where the packed bytes start, once the local header agrees with the directory."""
        flags, method, crc, packed, size = declared
        if offset + _LOCAL.size > len(self._data):
            raise self._bad("entry starts outside the archive", name)
        header: tuple[bytes, int, int, int, int, int, int, int, int, int, int]
        header = _LOCAL.unpack_from(self._data, offset)
        names_at = offset + _LOCAL.size
        if header[0] != b"PK\x03\x04":
            raise self._bad("is damaged: no entry where the directory says", name)
        if self._data[names_at : names_at + header[9]] != raw_name:
            raise self._bad("entry has another name than the directory says", name)
        if header[3] != method or (header[2] ^ flags) & (_ENCRYPTED | _DESCRIPTOR):
            raise self._bad("entry and directory disagree about its packing", name)
        sizes = (crc, packed, size)
        # Sizes written after the data (Java does so) are zero in the local header.
        if header[6:9] != sizes and not (flags & _DESCRIPTOR and header[6:9] == (0, 0, 0)):
            raise self._bad("entry and directory disagree about its size", name)
        return names_at + header[9] + header[10]

    def _keep(self, entry: ArchivedFile, narrow: bool) -> None:
        if narrow and not _NARROW.fullmatch(entry.name):
            return
        folded = entry.name.casefold()
        if entry.name in self._entries or (narrow and folded in self._folded):
            raise self._bad("entry present twice", entry.name)
        self._folded[folded] = self._folded.get(folded, 0) + 1
        if not entry.name.endswith("/"):
            self._entries[entry.name] = entry

    def _refuse_overlaps(self, entries: list[ArchivedFile], directory: int) -> None:
        free = 0
        for entry in sorted(entries, key=lambda entry: entry.header):
            if free == 0 and entry.header:
                raise self._bad("something stands before the first entry")
            if entry.header < free or entry.end > directory:
                raise self._bad("entries overlap", entry.name)
            free = entry.end
        if not entries and directory:
            raise self._bad("something stands before the zip directory")

    def _bad(self, reason: str, place: str = "") -> BadInput:
        return BadInput(reason, file=self.file, place=place)
