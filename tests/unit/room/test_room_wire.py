"""The wire of a VASSAL room: lines out of bytes, properties, zipped messages, the roster."""

from __future__ import annotations

import base64
import io
import zipfile
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.core.errors import BadInput
from referee.room.chatting import as_shown, chat_commands
from referee.room.framing import Garbage, Lines
from referee.room.packing import LONGEST_PLAIN, packed, unpacked
from referee.room.properties import read_properties, write_properties
from referee.room.wire import clients_in, rooms_in

SAID = "LIST\tm/Duel/a=x\n\nCHAT\u6f22 \U0001f680\nlast\n".encode()


@pytest.mark.parametrize("size", range(1, 12))
def test_lines_are_the_same_however_their_bytes_are_cut(size: int) -> None:
    lines = Lines()
    found = [line for at in range(0, len(SAID), size) for line in lines.feed(SAID[at : at + size])]
    assert found == ["LIST\tm/Duel/a=x", "", "CHAT\u6f22 \U0001f680", "last"]


def test_lines_cut_at_every_byte() -> None:
    for at in range(len(SAID) + 1):
        lines = Lines()
        assert [*lines.feed(SAID[:at]), *lines.feed(SAID[at:])] == SAID.decode().split("\n")[:-1]


def test_a_line_that_is_too_long_is_told_of_once_and_not_kept() -> None:
    lines = Lines(most=1000)
    found = [line for _ in range(1000) for line in lines.feed(b"x" * 100_000)]
    assert [type(line) for line in found] == [Garbage]
    assert sum(map(len, lines._parts)) == 0
    assert list(lines.feed(b"tail\nnext\n")) == ["next"]


def test_a_line_that_is_not_utf_8_is_told_of() -> None:
    assert [type(line) for line in Lines().feed(b"\xff\xfe\nok\n")] == [Garbage, str]


@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
        st.text(st.characters(exclude_categories=["Cs"])),
    )
)
@example({"a name": "\\", "b": ""})
def test_properties_are_read_back(properties: dict[str, str]) -> None:
    assert read_properties(write_properties(properties)) == properties


def test_properties_as_recorded() -> None:
    said = "away=false|profile=|ip=|name=Alice|id=u-alice.1|ip=127.0.0.1"
    assert read_properties(said)["ip"] == "127.0.0.1"
    assert rooms_in("ROOM_INFO\tDuel\\ B=owner\\=u.1\\|locked\\=true") is not None
    assert read_properties("# a comment|name : \\u6F22\\u5b57") == {"name": "\u6f22\u5b57"}


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=3000))
def test_messages_are_unpacked_as_they_were(text: str) -> None:
    sent = packed(text)
    assert "\n" not in sent
    assert unpacked(sent) == text or text.startswith("!ZIP!")


def test_long_messages_are_zipped_by_utf_16_units() -> None:
    assert packed("a" * LONGEST_PLAIN) == "a" * LONGEST_PLAIN
    assert packed("a" * (LONGEST_PLAIN + 1)).startswith("!ZIP!")
    assert packed("\U0001f680" * 501).startswith("!ZIP!")


def test_a_zip_with_its_sizes_behind_is_read() -> None:
    stream = io.BytesIO()

    class Streamed(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            return stream.write(bytes(data))  # type: ignore[call-overload]

    with zipfile.ZipFile(Streamed(), "w", zipfile.ZIP_DEFLATED) as out:  # type: ignore[arg-type]
        out.writestr("Dummy", "hello")
    assert unpacked("!ZIP!" + base64.b64encode(stream.getvalue()).decode()) == "hello"


def test_a_zip_bomb_is_never_unpacked() -> None:
    bomb = packed("a" * (40 * 1024 * 1024))
    with pytest.raises(BadInput, match="more than"):
        unpacked(bomb)
    with pytest.raises(BadInput):
        unpacked("!ZIP!" + base64.b64encode(b"PK\x03\x04" + zlib.compress(b"x" * 100)).decode())


@given(st.binary(max_size=200))
def test_no_zip_crashes(data: bytes) -> None:
    for sent in (base64.b64encode(data).decode(), data.decode("latin-1")):
        try:
            unpacked("!ZIP!" + sent)
        except BadInput:
            continue


def test_a_roster_is_read() -> None:
    (alice, bob) = (
        clients_in("LIST\tm/Main Room/a=name\\=Alice|id\\=a\tm/Duel/b=name\\=Bob\tother/Duel/c=name\\=C", "m")
        or ()
    )
    assert (alice.name, alice.room, bob.name, bob.room) == ("Alice", "Main Room", "Bob", "Duel")
    assert "a" not in repr(alice).replace("Main", "").replace("Duel", "") or "id" not in repr(alice)
    assert clients_in("ROOM_INFO\t", "m") is None


def test_what_is_said_is_shown_letter_by_letter() -> None:
    assert as_shown("1 < 2 & <b> \\") == "1 &lt; 2 &amp; &lt;b&gt; /"
    said = chat_commands("Referee", ["*** 1d6 = 6 *** <Ann>\x1bCHATx", "\u202eevil\u200b", "a\nb\tc"])
    for line in said.split("\x1b"):
        assert line.startswith("CHAT* Referee: ")
        assert not set(line) & set("\t\n\u202e\u200b")
        assert "***" not in line
    assert said.count("\x1b") == 2
    assert all(len(line) < LONGEST_PLAIN for line in chat_commands("R", ["x" * 9000]).split("\x1b"))
