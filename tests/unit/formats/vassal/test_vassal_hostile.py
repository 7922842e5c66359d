"""Files made to break the reader: one line for people, exit 2, little time and memory."""

from __future__ import annotations

import io
import lzma
import os
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.core.errors import BadInput
from referee.formats.files import read_bytes
from referee.formats.vassal.container import encode_saved_game, open_save, write_save_bytes, write_zip
from referee.formats.vassal.dump import dump
from referee.formats.vassal.game import Save, read_save
from referee.formats.vassal.module import read_module
from tests.unit.formats.vassal.vassal_saves import ESC, game_text, piece_text

PLAIN = game_text(piece_text("1", [])).encode()


def refused(data: bytes, reason: str, *, file: str = "x.vsav", encoding: str | None = None) -> None:
    with pytest.raises(BadInput, match=reason) as caught:
        read_save(data, file, encoding)
    line = str(caught.value)
    assert line.startswith(file + ": ")
    assert "\n" not in line
    assert caught.value.exit_code == 2


def stored(content: bytes | str) -> bytes:
    """A zip that does not pack, so that the ratio does not save us."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as writer:
        writer.writestr("savedGame", content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "unknown header"),
        (b"just some text", "unknown header"),
        (b"!VCSK", "cut short after its header"),
        (b"!VCSK1", "odd number"),
        (b"!VCSK123", "odd number"),
        (b"!VCSKzz00", "something else than hex"),
        (b"!VCSK00 6 2", "something else than hex"),
        (b"!VCSK00" + "６２".encode(), "odd number|something else than hex"),
        (b"VOBS", "cut short after its header"),
        (b"!VCSZ00aabb", "damaged"),
        (b"\xfd7zXZ\x00junk", "damaged|cut short"),
        (b"!VOXZ", "cut short after its header"),
        (encode_saved_game("end_save", 3), "does not start with begin_save"),
        (encode_saved_game("begin_save", 3), "no end_save"),
        (encode_saved_game("begin_save" + ESC + "CHATend_save", 3), "no end_save command"),
        (b"VOBS\x05" + bytes(b ^ 6 for b in PLAIN), "does not start with begin_save|not UTF-8"),
        (b"begin_save\xff" + ESC.encode() + b"end_save", "byte 10: text is not UTF-8.*--encoding"),
        (b"!VCSK00" + b"begin_save\xc0\x80".hex().encode(), "not UTF-8"),
    ],
)  # fmt: skip
def test_refused_saved_games(content: bytes, reason: str) -> None:
    refused(write_zip({"savedGame": content}), reason)


def test_all_headers_are_read() -> None:
    key = 0x3C
    xor = bytes(b ^ key for b in PLAIN)
    for header, content in {
        "!VCSK": b"!VCSK3c" + xor.hex().upper().encode(),
        "VOBS": b"VOBS\x3c" + xor,
        "!VCSZ": b"!VCSZ3c" + bytes(b ^ key for b in zlib.compress(PLAIN)).hex().encode(),
        "XZ": lzma.compress(PLAIN),
        "!VOXZ": b"!VOXZ\x3c" + bytes(b ^ key for b in lzma.compress(PLAIN)),
        "none": PLAIN,
    }.items():
        saved = open_save(write_zip({"savedGame": content}), "x.vsav")
        assert (saved.header, saved.text) == (header, PLAIN.decode())
        assert "password" not in repr(saved)


def test_packed_text_is_bounded() -> None:
    bomb = b"begin_save" + b" " * (40 << 20)
    for content in (b"!VCSZ00" + zlib.compress(bomb).hex().encode(), lzma.compress(bomb)):
        refused(write_zip({"savedGame": content}), "unpacks to more than allowed")


def test_other_files() -> None:
    refused(b"PK", "not a zip")
    refused(b"\x7fELF" * 100, "not a zip")
    refused(write_zip({"savedgame": PLAIN}), "no entry savedGame")
    refused(write_zip({"buildFile.xml": b"<x/>"}), "no entry savedGame; this is a module")
    refused(write_zip({f"f{n}": b"" for n in range(33)}), "more than 32 entries")
    with pytest.raises(BadInput, match="this is a save or log"):
        read_module(write_zip({"savedGame": PLAIN}), "x.vmod")


def test_cut_at_many_lengths() -> None:
    data = write_save_bytes(PLAIN.decode(), key=9, save_data=b"<data/>", module_data=b"<data/>")
    for length in range(0, len(data), 3):
        refused(data[:length], "zip|very end|cut short")
    whole = encode_saved_game(PLAIN.decode(), 9)
    for length in range(0, len(whole), 5):
        with pytest.raises(BadInput):
            read_save(write_zip({"savedGame": whole[:length]}), "x.vsav")


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        (b"", "well-formed"),
        (b"<data>", "well-formed"),
        (b"<data><version>1</data>", "savedata line 1: is not well-formed"),
        (b"<other/>", "does not start with <data>"),
        (b"<!DOCTYPE data><data/>", "document type"),
        (b'<!DOCTYPE d [<!ENTITY a "x">]><data>&a;</data>', "document type"),
        (b'<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><data>&a;</data>', "document type"),
        (b"<data>&undefined;</data>", "well-formed"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?><data/>', "not UTF-8"),
        ('<?xml version="1.0" encoding="utf-16"?><data/>'.encode("utf-16"), "not UTF-8|NUL"),
        (b"<data>\xff</data>", "byte 6: XML is not UTF-8"),
        (b"<data>\0</data>", "NUL"),
        (b"<a>" * 40 + b"</a>" * 40, "deeper than 32"),
        (b"<data>" + b"<a/>" * 2001 + b"</data>", "more than 2000 elements"),
        (b"<data>" + b"<a/>" * 60_000 + b"</data>", "more than|zip|more than 262144"),
        (b"<data " + b" ".join(b'a%d="1"' % n for n in range(65)) + b"/>", "more than 64 attributes"),
    ],
)  # fmt: skip
def test_refused_metadata(xml: bytes, reason: str) -> None:
    refused(write_save_bytes(PLAIN.decode(), key=1, save_data=xml), reason)
    refused(
        write_save_bytes(PLAIN.decode(), key=1, module_data=xml), reason.replace("savedata", "moduledata")
    )


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        (b"<html/>", "does not start with a VASSAL game module"),
        (b"<!doctype html><html/>", "document type"),
        (b"<VASSAL.build.GameModule", "buildFile.xml line 1: is not well-formed"),
        (b"<VASSAL.build.GameModule>" + b"<a>" * 40 + b"</a>" * 40 + b"</VASSAL.build.GameModule>", "deeper"),
    ],
)
def test_refused_modules(xml: bytes, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        read_module(write_zip({"buildFile.xml": xml}), "x.vmod")


def test_modules_with_senseless_numbers_are_harmless() -> None:
    board = '<VASSAL.build.module.map.boardPicker.Board name="b" width="99999999999" height="1">'
    grid = '<VASSAL.build.module.map.boardPicker.board.HexGrid dx="0" dy="-1" x0="\u0661" y0="1e9"/>'
    xml = (
        '<VASSAL.build.GameModule><VASSAL.build.module.Map mapName="M"><VASSAL.build.module.map.BoardPicker>'
        f"{board}{grid}</VASSAL.build.module.map.boardPicker.Board></VASSAL.build.module.map.BoardPicker>"
        "</VASSAL.build.module.Map></VASSAL.build.GameModule>"
    )
    module = read_module(write_zip({"buildFile": xml.encode()}), "x.mod")
    layout = module.maps[0].layout(None)
    assert layout.name_at(5, 5) == "offboard"
    assert layout.find("0101") is None


def test_encoding_can_be_named() -> None:
    data = write_zip({"savedGame": game_text("CHATK\xe4se").encode("cp1252")})
    refused(data, "not UTF-8")
    save = read_save(data, "x.vsav", "cp1252")
    assert (save.chat, save.encoding) == (("Käse",), "cp1252")
    refused(data, "unknown encoding 'klingon'", encoding="klingon")
    refused(data, "not a text encoding", encoding="zlib")
    refused(data, "not a text encoding", encoding="rot13")


def test_control_characters_are_kept_as_data(make_save: Callable[..., Save]) -> None:
    text = piece_text("1", [], "CA \x9b31m\u202eevil\u0007")
    save = make_save("CHAT<a> - \x07\x9b31m\u202e", text)
    assert save.chat == ("<a> - \x07\x9b31m\u202e",)
    assert any("evil" in piece.basic_name for piece in save.pieces)
    dump(save)


def test_senseless_commands_are_kept_as_unknown(make_save: Callable[..., Save]) -> None:
    texts = (
        "+/1/piece", "D/", "M/1/2/x/y", "M/1/Space/１/2/null/Space/1/2/null", "PLAYER\tonly",
        "TURN", "TURNx\ty\tz", "UNDO\tmaybe", "SNOTE\ta", "MutableProperty\ta", "GlobalProperty\tx",
        "SpaceBoardPicker\tone\t1", "EXT\ta", "PNOTE\tx", "M/1/Space/99999999999999/2/null/S/1/2/null",
    )  # fmt: skip
    save = make_save(*texts)
    assert len(save.unknown) == len(texts)


def test_senseless_pieces_are_harmless(make_save: Callable[..., Save]) -> None:
    traits = [
        ("table;99999;99999;T", "x"), ("table;x;y;T", ""), ("table;2;2;T", "1,2,3,4,5"), ("rotate;6", "١"),
        ("rotate;0", "NaN"), ("rotate;1;;", "1e999"), ("emb2;", ""), ("emb2", "x"), ("propertysheet;", "~~"),
        ("propertysheet;x~\u0661Name~6T;S", "1~2~9/x"), ("mark;a,b,c", "1"), ("PROP;", ""), ("obs;", ""),
        ("hide;", ""), ("footprint;", "true;M;5;1,2;x"), ("restrict;a", ""), ("label;", "$x$ $"), ("", ""),
        ("unheard;of", "x;y"),
    ]  # fmt: skip
    save = make_save(piece_text("7", traits), "+/8/stack/", "+/9/deck;/null", "+/10//")
    piece = save.piece("7")
    assert piece is not None
    assert piece.name == "CA Test ($x$ )"  # VASSAL drops a lone $
    assert [len(table.rows) for table in piece.tables] == [0, 0, 2]
    assert [table.complete for table in piece.tables] == [False, False, False]
    dump(save)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("".join("\\" * n + ESC + "x" for n in range(70)), "nested deeper than 64"),
        (ESC * 500_001, "more than 500000 commands"),
        (ESC + "CHAT" + "x" * (1 << 20), "a command longer than allowed"),
        (ESC + ESC.join(f"PLAYER\tpassword{n}\tn\ts" for n in range(201)), "more than 200 players"),
        (ESC + "+/1/" + "".join("x" + "\\" * n + "\t" for n in range(1005)) + "p/x", "more than 1000 traits"),
        (ESC + ESC.join(f"+/{n}/stack/null;0;0" for n in range(50_001)), "more than 50000 pieces"),
    ],
)
def test_limits(text: str, reason: str) -> None:
    refused(stored("begin_save" + text + ESC + "end_save"), reason)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "command",
    [
        "+/1/" + "a\t" * 300_000 + "/" + "b\t" * 100_000,
        "+/1/" + "".join("x" + "\\" * n + "\t" for n in range(900)) + "'p" + "z" * 400_000 + "'/'x",
        "+/1/table;100;200;T\tpiece;;;a;b/" + "," * 500_000 + "\tM;1;2",
        "NOTES\t" + "|" * 1_000_000,
        "TURNx\t0|" + "\\;" * 300_000,
    ],
)
def test_long_commands_take_little_time(command: str) -> None:
    begun = time.process_time()
    try:
        read_save(stored(game_text(*[command] * 8)), "x.vsav")
    except BadInput as error:
        assert "too much text" in str(error)
    assert time.process_time() - begun < 5  # far above what it takes, for slow machines


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    file = tmp_path / "a.vsav"
    file.write_bytes(b"x" * 100)
    assert read_bytes(file, 100) == b"x" * 100
    link = tmp_path / "link.vsav"
    link.symlink_to(file)
    pipe = tmp_path / "pipe.vsav"
    os.mkfifo(pipe)
    for path, reason in (
        (link, "symbolic link"), (pipe, "not a regular file"), (tmp_path, "is a folder"),
        (tmp_path / "none", "no such file"), (Path("/dev/zero"), "not a regular file"),
        (tmp_path / ("n" * 300), "too long"), (file / "x", "no such file"),
    ):  # fmt: skip
        with pytest.raises(BadInput, match=reason):
            read_bytes(path, 100)
    with pytest.raises(BadInput, match="NUL"):
        read_bytes("a\0b", 100)
    with pytest.raises(BadInput, match="larger than 99 bytes"):
        read_bytes(file, 99)
