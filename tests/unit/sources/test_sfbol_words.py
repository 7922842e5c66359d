"""Words that are no play, texts that are no log, and files as other programs save them."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.errors import BadInput
from referee.core.finding import Report
from referee.formats.sfbol_times import without_times
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings
from tests.unit.sources.sfbol_judged import errors, judged, said
from tests.unit.sources.test_sfbol_violations import FORM, base


def check(path: Path, data: bytes) -> Report:
    path.write_bytes(data)
    return judge_file(read_input(str(path)), Asked(Settings()))


def told(report: Report) -> list[tuple[str, str, str, int | None]]:
    return [(one.key, str(one.severity), one.message, one.location.line) for one in report.findings]


@pytest.mark.parametrize(
    "time",
    [
        "[12:31:05] ",
        "12:31:05 ",
        "2026-08-01 12:31:05 ",
        "[8/1/2026 9:31 PM] ",
        "(12:31) - ",
        "\t12:31:05.250: ",
    ],
)
def test_times_before_the_lines_are_read_past(time: str, tmp_path: Path) -> None:
    plain = check(tmp_path / "a.log", "".join(f"{line}\n" for line in base()).encode())
    timed = check(tmp_path / "b.log", "".join(f"{time}{line}\n" for line in base()).encode())
    assert told(timed) == told(plain) and timed.verdict == "legal"


def test_a_time_in_a_few_lines_of_chat_is_none_of_the_log() -> None:
    text = b"".join(f"{line}\n".encode() for line in [*base()[:15], "12:30 I must go"])
    assert without_times(text) is text


def test_text_that_begins_with_a_bracket_is_no_json(tmp_path: Path) -> None:
    assert read_input(_saved(tmp_path, b"[Bob] hello\nImpulse 1.1:\n")).kind == "text"
    for data in (b'[{"a": 1}]', b"[1, 2", b"[", b" {}", b"[ true]", b'["a"]', b"[-1.5e3]", b"[]"):
        assert read_input(_saved(tmp_path, data)).kind == "json"


def _saved(folder: Path, data: bytes) -> str:
    path = folder / "x.txt"
    path.write_bytes(data)
    return str(path)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["a.log", "form.csv", "orders.txt"])
def test_utf_16_without_its_mark_is_named(name: str, encoding: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="UTF-16 without the mark"):
        check(tmp_path / name, "Impulse 1.1:\n".encode(encoding))


@pytest.mark.parametrize("text", ["<Bob> hello\n", "Bob: hello\n", "hello\n"])
def test_a_log_without_play_is_not_taken_for_a_form(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no line that the online client writes"):
        check(tmp_path / "SFB_Game.log", text.encode())


@pytest.mark.parametrize(
    "line",
    [
        "Kharg has moved to 1012",
        "Kharg fires Phaser-2 #1 (FX) at Sabre (Range: 4)",
        "Skylark Rolls 1d6: 6, 1",
        "Allocation of damage for: Kharg",
    ],
)
def test_a_piece_of_a_log_is_one_though_chat_before_it_looks_like_an_order(line: str, tmp_path: Path) -> None:
    report = check(tmp_path / "a.log", f"Bob: speed 12 would be fun\n{line}\n".encode())
    assert report.verdict == "cannot-tell" and any(one.key == "NOTE/unread" for one in report.findings)


def test_a_second_form_of_a_ship_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "kharg.csv"
    path.write_text("".join(f"{row},{amount}\n" for row, amount in FORM.items()))
    for other in ("Kharg", "ikv kharg", "IKV 1017 Kharg"):
        with pytest.raises(BadInput, match=r"--form .* already"):
            judged(base(), forms=[f"Kharg={path}", f"{other}={path}"])


@pytest.mark.parametrize("line", ["Carol: hello there", "Carol: good luck to both", "Ben says: a fine game"])
def test_what_somebody_else_says_is_chat_if_it_has_no_word_of_the_game(line: str) -> None:
    lines = base()
    report = judged([*lines[:50], line, *lines[50:]])
    assert report.verdict == "legal" and said(report, "NOTE/chat")


@pytest.mark.parametrize(
    "line",
    [
        "Carol: Kharg decelerates",
        "Tractor: none",
        "Carol: speed 12",
        "Internal: crew lost",
        "Sabre: hello",
        "Result: 3",
    ],
)
def test_what_may_be_of_the_game_is_named(line: str) -> None:
    lines = base()
    report = judged([*lines[:50], line, *lines[50:]])
    assert report.verdict == "cannot-tell" and said(report, "NOTE/unread") and not errors(report)


DRONE = "D1 (Type:Klingon Drone) has been added at 2012"


@pytest.mark.parametrize(
    ("launch", "why"),
    [
        (f"{DRONE}, D1 was launched by Klaa", "no one ship is called Klaa"),
        (f"{DRONE}, direction A, speed 8", "who launched it is not told"),
    ],
)
def test_a_launch_by_no_ship_of_the_game_makes_none(launch: str, why: str) -> None:
    report = judged([*base(), launch])
    (found,) = said(report, "NOTE/flights")
    assert why in found.message and report.verdict == "cannot-tell" and not said(report, "NOTE/ship")


def test_two_units_of_one_name_are_named_and_nothing_of_them_is_sure() -> None:
    lines = base()
    n = lines.index("Impulse 1.12:")
    for at, other in (
        (1, lines[0].replace("2030", "2530")),
        (1, lines[0].replace("Klingon D7", "Federation CA")),
        (n, lines[0].replace("2030", "2530")),
    ):
        report = judged([*lines[:at], other, *lines[at:]])
        (found,) = said(report, "NOTE/name")
        assert found.location.line == at + 1 and "two units" in found.message
        assert report.verdict == "cannot-tell" and not errors(report)


def test_another_arc_than_that_of_the_class_is_named() -> None:
    report = judged([line.replace("(FX)", "(FA)") for line in base()])
    assert report.verdict == "cannot-tell" and not errors(report)
    assert [one.location.line for one in said(report, "NOTE/weapon")] == [34, 35]


def test_who_does_not_move_in_the_impulse_in_which_a_log_ends_may_do_so() -> None:
    lines = base()
    n = lines.index("Impulse 1.8:") + 1
    slower, faster = lines[n], lines[n + 1]
    cut = judged([*lines[:n], faster])
    assert [(one.severity, one.location.line) for one in said(cut, "C1.3")] == [("undecided", n + 1)]
    assert not errors(cut)
    assert errors(judged([*lines[:n], faster, slower])) == {("C1.3", n + 1)}
    assert {key for key, _ in errors(judged([*lines[:n], faster, "Impulse 1.9:"]))} == {"C1.4/missed"}
