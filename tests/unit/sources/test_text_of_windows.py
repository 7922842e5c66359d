"""Text that Windows saved as `Unicode`, or with a mark before it, is read as any other."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from referee.core.errors import BadInput
from referee.formats.files import as_utf8
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings
from tests.unit.sources.sfbol_judged import duel, written

FORM = Path(__file__).parents[3] / "examples/duel/constellation.csv"
DUEL = duel(({"Kharg": 8, "Sabre": 12}, {"Kharg": 8, "Sabre": 12}))
ORDERS = (
    "rulebook sfb-cadet\nimpulses 16\nship A = cadet/federation-ca at 2020A speed 8\nturn 1\nA: speed 9\n"
)
SAVED = {
    "UTF-16": (codecs.BOM_UTF16_LE, "utf-16-le"),
    "UTF-16, high byte first": (codecs.BOM_UTF16_BE, "utf-16-be"),
    "UTF-8 with a mark": (codecs.BOM_UTF8, "utf-8"),
}


@pytest.mark.parametrize("saved", SAVED)
@pytest.mark.parametrize("kind", ["form.csv", "orders.txt", "play.log"])
def test_text_is_read_however_it_was_saved(kind: str, saved: str, tmp_path: Path) -> None:
    text = {
        "form.csv": FORM.read_text(encoding="utf-8"),
        "orders.txt": ORDERS,
        "play.log": "\r\n".join(written(DUEL)) + "\r\n",
    }[kind]
    reports = []
    for name, (mark, encoding) in {"as it is": (b"", "utf-8"), saved: SAVED[saved]}.items():
        (tmp_path / name).mkdir()
        path = tmp_path / name / kind
        path.write_bytes(mark + text.encode(encoding))
        reports.append(judge_file(read_input(str(path)), Asked(Settings())))
    plain, other = ([(f.key, f.severity, f.message) for f in report.findings] for report in reports)
    assert plain == other
    assert reports[0].verdict == reports[1].verdict != "cannot-tell"


def test_a_character_that_is_cut_is_no_reason_to_refuse_the_rest() -> None:
    assert as_utf8(codecs.BOM_UTF16_LE + "Bob".encode("utf-16-le") + b"x") == "Bob\ufffd".encode()


@pytest.mark.parametrize("kind", ["form.csv", "orders.txt", "orders.orders"])
@pytest.mark.parametrize(
    "rest", [b"", "Turn,1\nWarp Power,16\n".encode("utf-16-le"), ORDERS.encode("utf-16-le")]
)
def test_a_form_or_orders_that_end_in_half_a_character_are_refused(
    kind: str, rest: bytes, tmp_path: Path
) -> None:
    path = tmp_path / kind
    path.write_bytes(codecs.BOM_UTF16_LE + rest + b"\xff")
    with pytest.raises(BadInput, match="UTF-16"):
        judge_file(read_input(str(path)), Asked(Settings()))


def test_text_without_its_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    path.write_bytes("Impulse 1.1:\n".encode("utf-16-le"))
    with pytest.raises(BadInput):
        judge_file(read_input(str(path)), Asked(Settings()))
