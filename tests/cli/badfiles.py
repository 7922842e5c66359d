"""Files that no honest program writes, each with the place a refusal must name."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from tests.conftest import ROOT

DUEL = ROOT / "examples" / "duel"
MIB = 1 << 20
Build = Callable[[], bytes]


@cache
def entries() -> dict[str, bytes]:
    """The entries of a good save."""
    with zipfile.ZipFile(DUEL / "duel.vsav") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@cache
def plain() -> str:
    """The text of a good save."""
    stored = entries()["savedGame"]
    key = int(stored[5:7], 16)
    return bytes(byte ^ key for byte in bytes.fromhex(stored[7:].decode())).decode()


def save(**changed: bytes) -> bytes:
    """The good save with some entries changed."""
    return zipped({**entries(), **changed})


def text(changed: str) -> bytes:
    """A save of another text."""
    return save(savedGame=b"!VCSK07" + bytes(byte ^ 7 for byte in changed.encode()).hex().encode())


def zipped(parts: dict[str, bytes]) -> bytes:
    """A zip as Python writes it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def lying_size() -> bytes:
    """An entry that says it is 100 bytes and unpacks to 256 MiB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join(packer.compress(bytes(MIB)) for _ in range(256)) + packer.flush()
    return one_entry(packed, 100)


def honest_bomb(size: int) -> bytes:
    """An entry that unpacks to as much as it says."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join(packer.compress(b"0" * MIB) for _ in range(size // MIB)) + packer.flush()
    return one_entry(packed, size)


def one_entry(packed: bytes, size: int, *, flags: int = 0, name: bytes = b"savedGame") -> bytes:
    """A zip of one deflated entry with sizes of our choosing."""
    common = struct.pack("<3HL3L2H", 20, flags, 8, 0x210000, 0, len(packed), size, len(name), 0)
    body = b"PK\x03\x04" + common + name + packed
    directory = b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<3H2L", 0, 0, 0, 0, 0) + name
    return body + directory + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(directory), len(body), 0)


def quoted_overlap() -> bytes:
    """Two directory entries over the same bytes."""
    good = zipped({"savedGame": entries()["savedGame"]})
    start = good.index(b"PK\x01\x02")
    end = good.index(b"PK\x05\x06")
    record = good[start:end].replace(b"savedGame", b"savedata_")
    directory = good[start:end] + record
    return (
        good[:start]
        + directory
        + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 2, 2, len(directory), start, 0)
    )


def xml(declaration: str = "", inside: str = "<version>1</version>") -> bytes:
    """Metadata with something in it."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{declaration}<data version="1">{inside}</data>'.encode()


LAUGHS = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
EXTERNAL = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'

SAVES: dict[str, tuple[Build, str]] = {
    "not-a-zip": (lambda: b"Dear referee,\nhere is my save.\n", "zip"),
    "a-bare-PK": (lambda: b"PK", "zip"),
    "nothing-but-zeros": (lambda: bytes(4096), "zip"),
    "lying-size": (lying_size, "savedGame"),
    "honest-bomb": (lambda: honest_bomb(31 * MIB), "savedGame"),
    "too-large-inside": (lambda: honest_bomb(64 * MIB), "savedGame"),
    "too-large-a-file": (lambda: b"PK\x03\x04" + bytes(33 * MIB), "MiB"),
    "encrypted": (lambda: one_entry(b"\x03\x00", 0, flags=1), "savedGame"),
    "name-outside": (lambda: one_entry(b"\x03\x00", 0, name=b"../savedGame"), "outside"),
    "name-absolute": (lambda: one_entry(b"\x03\x00", 0, name=b"/savedGame"), "outside"),
    "name-with-nul": (lambda: one_entry(b"\x03\x00", 0, name=b"savedGame\x00x"), "control"),
    "quoted-overlap": (quoted_overlap, "savedata_"),
    "prefix": (lambda: b"PK\x03\x04 and more" + save(), ""),
    "appended": (lambda: save() + b"more", "zip"),
    "two-archives": (lambda: save() + save(), "zip"),
    "same-name-twice": (lambda: zipped({"savedGame": entries()["savedGame"], "savedgame": b"x"}), "twice"),
    "no-saved-game": (lambda: zipped({"savedata": xml()}), "savedGame"),
    "many-entries": (lambda: zipped({"savedGame": b"x", **{f"n{n}": b"" for n in range(40)}}), "entries"),
    "empty-game": (lambda: save(savedGame=b""), "savedGame"),
    "wrong-header": (lambda: save(savedGame=b"!VXSK00" + entries()["savedGame"][7:]), "savedGame"),
    "header-only": (lambda: save(savedGame=b"!VCSK"), "savedGame"),
    "odd-hex": (lambda: save(savedGame=entries()["savedGame"][:-1]), "savedGame"),
    "spaced-hex": (
        lambda: save(savedGame=entries()["savedGame"][:7] + b" " * 2 + entries()["savedGame"][7:]),
        "savedGame",
    ),
    "not-hex": (lambda: save(savedGame=b"!VCSK00zz"), "savedGame"),
    "wrong-key": (lambda: save(savedGame=b"!VCSKff" + entries()["savedGame"][7:]), "savedGame"),
    "cut-deflate": (
        lambda: save(savedGame=b"!VCSZ00" + zlib.compress(b"begin_save")[:-6].hex().encode()),
        "savedGame",
    ),
    "deflate-bomb": (
        lambda: save(savedGame=b"!VCSZ00" + zlib.compress(bytes(256 * MIB), 9).hex().encode()),
        "savedGame",
    ),
    "no-end": (lambda: text(plain().replace("end_save", "end_sale")), "savedGame"),
    "end-in-a-name-only": (lambda: text("begin_save\x1bCHATend_save"), "savedGame"),
    "not-utf-8": (
        lambda: save(savedGame=b"!VCSK00" + b"begin_save\x1bCHAT\xff\xfe\x1bend_save".hex().encode()),
        "byte",
    ),
    "half-a-surrogate": (
        lambda: save(savedGame=b"!VCSK00" + b"begin_save\x1bCHAT\xed\xa0\x80\x1bend_save".hex().encode()),
        "savedGame",
    ),
    "deep-commands": (lambda: text(_nested(80)), "savedGame"),
    "broken-xml": (lambda: save(savedata=b"<data><version>1"), "savedata"),
    "wrong-root": (lambda: save(savedata=b"<html/>"), "savedata"),
    "doctype": (lambda: save(savedata=xml("<!DOCTYPE data>\n")), "savedata"),
    "entities": (lambda: save(savedata=xml(LAUGHS, "<version>&b;</version>")), "savedata"),
    "external-entity": (lambda: save(moduledata=xml(EXTERNAL, "<name>&x;</name>")), "moduledata"),
    "external-dtd": (
        lambda: save(savedata=xml('<!DOCTYPE data SYSTEM "http://127.0.0.1:9/x.dtd">\n')),
        "savedata",
    ),
    "deep-xml": (lambda: save(savedata=xml("", "<a>" * 400 + "</a>" * 400)), "savedata"),
    "wide-xml": (lambda: save(savedata=xml("", "<a/>" * 20_000)), "savedata"),
    "large-xml": (lambda: save(savedata=xml("", "<version>" + "a" * MIB + "</version>")), "savedata"),
    "utf-16-xml": (
        lambda: save(savedata='<?xml version="1.0"?><data version="1"/>'.encode("utf-16")),
        "savedata",
    ),
    "many-pieces": (
        lambda: text(
            "begin_save\x1b" + "\x1b".join(f"+/{n}/piece;;;;p/M;0;0" for n in range(60_000)) + "\x1bend_save"
        ),
        "pieces",
    ),
    "huge-command": (lambda: text("begin_save\x1bCHAT" + "x" * (2 * MIB) + "\x1bend_save"), "savedGame"),
    "many-commands": (lambda: text("begin_save\x1b" + "a\x1b" * 600_000 + "end_save"), "savedGame"),
}


def _nested(depth: int) -> str:
    text = "end_save"
    for _ in range(depth):
        text = "\x1b" + text.replace("\x1b", "\\\x1b")
        if len(text) > 4 * MIB:
            break
    return "begin_save\x1b" + "\\\x1b" * 20 + text + "\x1bend_save"


def _form(cell: str, ship: str = "cadet/federation-ca") -> bytes:
    return f"Ship,{ship}\nTurn,1\nMovement,{cell}\n".encode()


CSV: dict[str, tuple[Build, str]] = {
    "nan": (lambda: _form("NaN"), "B3"),
    "infinity": (lambda: _form("inf"), "B3"),
    "minus-infinity": (lambda: _form("-Infinity"), "B3"),
    "1e400": (lambda: _form("1e400"), "B3"),
    "huge-integer": (lambda: _form("9" * 4000), "B3"),
    "too-long-a-field": (lambda: _form("9" * 5000), ""),
    "negative": (lambda: _form("-3"), "B3"),
    "nonsense": (lambda: _form("lots"), "B3"),
    "roman-digits": (lambda: _form("Ⅻ"), "B3"),
    "underscore": (lambda: _form("1_0"), "B3"),
    "divided-by-nothing": (lambda: _form("1/0"), "B3"),
    "formula": (lambda: _form("=1+1"), "B3"),
    "many-columns": (lambda: b"Turn," + b"," * 1_000_000 + b"\nMovement,3\n", "line 1"),
    "million-columns-small": (lambda: b"," * 1_000_000 + b"\n", "line 1"),
    "many-rows": (lambda: b"Turn,1\n" + b"Movement,3\n" * 3000, "rows"),
    "too-large-a-file": (lambda: b"Turn,1\n" + b"x" * (2 * MIB), ""),
    "not-utf-8": (lambda: b"Turn,1\nMovement,\xff\n", ""),
    "control-character": (lambda: b"Turn,1\nMove\x1b[31mment,3\n", "line 2"),
    "nul": (lambda: b"Turn,1\nMovement,\x003\n", "line 2"),
    "open-quote": (lambda: b'Turn,1\nMovement,"3\n', "line"),
    "no-turns": (lambda: b"hello\nworld\n", ""),
    "no-ship": (lambda: b"Turn,1\nMovement,3\n", "--ship"),
    "unknown-ship": (lambda: _form("3", "cadet/deathstar"), "deathstar"),
    "utf-16": (lambda: "Turn,1\nMovement,3\n".encode("utf-16"), ""),
    "a-picture": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, ""),
}


def _json(figure: str) -> bytes:
    lines = f'{{"turn": 1, "lines": {{"14": {figure}}}}}'
    return f'{{"schema": "referee/energy-allocation/1", "ship": "cadet/federation-ca", "turns": [{lines}]}}'.encode()


TOML: dict[str, tuple[Build, str]] = {
    "dotted-key": (lambda: b".".join([b"a"] * 20_000) + b" = 1", "line 1"),
    "dotted-table": (lambda: b"[" + b".".join([b"a"] * 20_000) + b"]", "line 1"),
    "many-digits": (lambda: b"[options]\nprevious_speed = " + b"9" * 5_000, "line 2"),
    "many-hex-digits": (lambda: b"[options]\nprevious_speed = 0x" + b"f" * 5_000, "line 2"),
    "deep": (lambda: b"off = " + b"[" * 20_000 + b"]" * 20_000, "TOML"),
    "large": (lambda: b"#" * 100_000, "larger than"),
}


JSON: dict[str, tuple[Build, str]] = {
    "nan": (lambda: _json("NaN"), ""),
    "infinity": (lambda: _json("-Infinity"), ""),
    "1e400": (lambda: _json("1e400"), ""),
    "exponent": (lambda: _json("1e2"), ""),
    "huge-integer": (lambda: _json("9" * 5000), ""),
    "over-2-to-53": (lambda: _json(str(2**53 + 1)), ""),
    "negative": (lambda: _json("-3"), "/turns/0/lines/14"),
    "true": (lambda: _json("true"), "/turns/0/lines/14"),
    "null": (lambda: _json("null"), "/turns/0/lines/14"),
    "text-nan": (lambda: _json('"nan"'), "/turns/0/lines/14"),
    "nested-figure": (lambda: _json("[3]"), "/turns/0/lines/14"),
    "deep": (lambda: b"[" * 100_000 + b"]" * 100_000, ""),
    "deep-objects": (lambda: b'{"a":' * 50_000 + b"1" + b"}" * 50_000, ""),
    "duplicate-keys": (
        lambda: b'{"schema": "referee/energy-allocation/1", "ship": "a", "ship": "b", "turns": []}',
        "ship",
    ),
    "lone-surrogate": (lambda: _json('"\\ud800"'), ""),
    "unknown-field": (
        lambda: b'{"schema": "referee/energy-allocation/1", "ship": "a", "turns": [], "x": 1}',
        "x",
    ),
    "wrong-schema": (lambda: b'{"schema": "referee/volley/1", "ship": "a", "turns": []}', ""),
    "no-schema": (lambda: b"{}", ""),
    "a-list": (lambda: b"[]", ""),
    "a-number": (lambda: b"3", ""),
    "cut-short": (lambda: _json("3")[:-4], ""),
    "trailing": (lambda: _json("3") + b"{}", ""),
    "not-utf-8": (lambda: b'{"schema": "\xff"}', ""),
    "utf-16": (lambda: _json("3").decode().encode("utf-16"), ""),
    "too-large": (lambda: b'{"a": "' + b"x" * (2 * MIB) + b'"}', ""),
    "many-turns-deep-line": (lambda: _json('{"PHOT/A": {"x": 1}}'), "/turns/0/lines/14"),
}


def _ship(**changed: object) -> bytes:
    return json.dumps({**json.loads((DUEL / "my-ship.json").read_bytes()), **changed}).encode()


SHIPS: dict[str, tuple[Build, str]] = {
    "remote-ref": (lambda: _ship(boxes={"$ref": "http://127.0.0.1:9/evil.json"}), "boxes"),
    "remote-schema": (lambda: _ship(**{"$schema": "http://127.0.0.1:9/evil.json"}), "$schema"),
    "remote-ref-at-the-top": (lambda: _ship(**{"$ref": "file:///etc/passwd"}), "$ref"),
    "minus-boxes": (
        lambda: _ship(shields={"1": {"value": -1, "source": ["x"], "status": "verified"}}),
        "shields",
    ),
    "huge-boxes": (
        lambda: _ship(shields={"1": {"value": 10**15, "source": ["x"], "status": "verified"}}),
        "shields",
    ),
    "endless-name": (lambda: _ship(name="x" * 900_000), "name"),
    "unknown-rulebook": (lambda: _ship(rulebook="sfb-captain"), "rulebook"),
    "slow-pattern": (lambda: _ship(id="a/" + "a" * 50_000 + "!"), "id"),
}


@cache
def _workbook() -> dict[str, bytes]:
    with zipfile.ZipFile(DUEL / "destruction.xlsx") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def book(**changed: bytes) -> bytes:
    """The example workbook with its sheet changed."""
    parts = dict(_workbook())
    if "sheet" in changed:
        parts["xl/worksheets/sheet1.xml"] = changed["sheet"]
    if "strings" in changed:
        parts["xl/sharedStrings.xml"] = changed["strings"]
    return zipped(parts)


def _cell(inside: str, attributes: str = "") -> bytes:
    """The sheet with the figure in B3 replaced."""
    sheet = _workbook()["xl/worksheets/sheet1.xml"].decode()
    start = sheet.index('<c r="B3"')
    end = sheet.index("</c>", start) + 4
    return (sheet[:start] + f'<c r="B3"{attributes}>{inside}</c>' + sheet[end:]).encode()


def _first(prefix: str) -> bytes:
    sheet = _workbook()["xl/worksheets/sheet1.xml"].decode()
    return sheet.replace("<worksheet ", prefix + "<worksheet ", 1).encode()


BOOKS: dict[str, tuple[Build, str]] = {
    "not-a-zip": (lambda: b"Turn,1\n", "zip"),
    "cut-short": (lambda: book()[:-40], ""),
    "formula-without-value": (lambda: book(sheet=_cell("<f>8+8</f>")), "B3"),
    "formula-with-empty-value": (lambda: book(sheet=_cell("<f>8+8</f><v></v>")), "B3"),
    "error-value": (lambda: book(sheet=_cell("<v>#DIV/0!</v>", ' t="e"')), "B3"),
    "nan": (lambda: book(sheet=_cell("<v>NaN</v>")), ""),
    "1e400": (lambda: book(sheet=_cell("<v>1e400</v>")), ""),
    "negative": (lambda: book(sheet=_cell("<v>-3</v>")), "B3"),
    "nonsense": (lambda: book(sheet=_cell("<is><t>lots</t></is>", ' t="inlineStr"')), "B3"),
    "doctype": (lambda: book(sheet=_first("<!DOCTYPE worksheet>")), "sheet1.xml"),
    "entities": (lambda: book(sheet=_first(LAUGHS.replace("DOCTYPE d", "DOCTYPE worksheet"))), "sheet1.xml"),
    "external-entity": (
        lambda: book(strings=EXTERNAL.encode() + b"<sst><si><t>&x;</t></si></sst>"),
        "sharedStrings.xml",
    ),
    "broken-xml": (lambda: book(sheet=_workbook()["xl/worksheets/sheet1.xml"][:-60]), "sheet1.xml"),
    "many-digits": (lambda: book(sheet=_cell("<v>" + "1" * 4_000 + "</v>")), "B3"),
    "far-cell": (lambda: book(sheet=_cell("<v>1</v>").replace(b'r="B3"', b'r="XFD1048576"')), ""),
    "bomb": (lambda: book(sheet=b"<worksheet>" + b" " * (64 * MIB) + b"</worksheet>"), "sheet1.xml"),
    "deep-xml": (lambda: book(sheet=b"<a>" * 5000 + b"</a>" * 5000), "sheet1.xml"),
    "no-workbook": (lambda: zipped({"readme.txt": b"hello"}), ""),
    "sheet-outside": (lambda: zipped({**_workbook(), "../evil.xml": b"<a/>"}), "outside"),
}

ODS_HEAD = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
)


def _ods(rows: str, before: str = "") -> bytes:
    tail = "</office:spreadsheet></office:body></office:document-content>"
    content = f'<?xml version="1.0" encoding="UTF-8"?>{before}{ODS_HEAD}<table:table table:name="S">{rows}</table:table>{tail}'
    return zipped(
        {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": content.encode()}
    )


def _row(cells: str) -> str:
    return f"<table:table-row>{cells}</table:table-row>"


def _figure(value: str, kind: str = "float") -> str:
    return f'<table:table-cell office:value-type="{kind}" office:value="{value}"/>'


ODS: dict[str, tuple[Build, str]] = {
    "repeated-cells": (
        lambda: _ods(
            '<table:table-row><table:table-cell table:number-columns-repeated="1000000000"><text:p>x</text:p></table:table-cell></table:table-row>'
        ),
        "",
    ),
    "repeated-rows": (
        lambda: _ods(
            '<table:table-row table:number-rows-repeated="1000000000"><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>'
        ),
        "",
    ),
    "many-zeros": (lambda: _ods(_row(_figure("0" * 200_000))), "S:A1"),
    "many-zeros-in-a-text": (lambda: _ods(_row(_figure("0" * 200_000, "string"))), "S:A1"),
    "many-digits-that-end-in-none": (lambda: _ods(_row(_figure("1" * 200_000 + "x"))), "S:A1"),
    "doctype": (lambda: _ods("", "<!DOCTYPE x>"), "content.xml"),
    "no-content": (lambda: zipped({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}), ""),
}


def cases() -> Iterator[tuple[str, str, Build, str]]:
    """Every bad file: what it is called, its name, how it is made, and what the refusal must mention."""
    tables = (
        ("vsav", SAVES),
        ("csv", CSV),
        ("json", JSON),
        ("ship.json", SHIPS),
        ("xlsx", BOOKS),
        ("ods", ODS),
    )
    for suffix, table in tables:
        for name, (build, place) in table.items():
            yield f"{suffix}-{name}", f"{name}.{suffix}", build, place


def truncations() -> Iterator[tuple[str, int]]:
    """Cuts through the good files."""
    for name in ("duel.vsav", "destruction.xlsx"):
        size = Path(DUEL / name).stat().st_size
        for cut in (1, 4, 30, size // 4, size // 2, size - 200, size - 22, size - 1):
            yield name, cut
