"""A dispute becomes a case by five answers, and is refused where it holds names or more than one fault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import xlsxwriter

from referee.core.errors import BadInput
from referee.corpus.dispute import Dispute, case_of
from referee.formats.schemas import hold_against
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings
from tests.cli.conftest import Ran, Run, own_folder, referee
from tests.unit.room.games import told, write_module
from tests.unit.sources.sfbol_judged import duel, written

__all__ = ["own_folder", "referee"]

TURNED_TWICE = """# Bob's game
impulses 8
ship One = cadet/federation-ca at 0111A speed 8
turn 1
impulse 1
  One: right
impulse 2
  One: right
"""
FORM = "Ship,Constellation\nTurn,1\nWarp Power,17\nMovement,8\n"
NO_FORM = ("--ship", "-", "--option", "-")


def added(referee: Run, text: str, *more: str, name: str = "two.txt") -> Ran:
    """What `corpus add` makes of a file."""
    Path(name).write_text(text, encoding="utf-8")
    return referee("corpus", "add", name, "--says", "two turns in a row", "-o", "case.json", *more)


def test_orders_become_a_case_that_runs(referee: Run, own_folder: Path) -> None:
    ran = added(referee, TURNED_TWICE, "--rule", "C3.2", "--verdict", "illegal", *NO_FORM)
    assert ran.code == 0, ran
    document = json.loads(Path("case.json").read_bytes())
    hold_against(document, "corpus-cases", "case.json")
    assert "Bob" not in json.dumps(document)
    again = referee("corpus", "run", "--cases", "case.json", "--json")
    assert again.code == 0 and again.json["counts"]["passed"] == 1


def test_a_form_becomes_a_case_without_its_ships_name(referee: Run, own_folder: Path) -> None:
    more = (
        "--rule",
        "B3.0-1",
        "--verdict",
        "illegal",
        "--ship",
        "cadet/federation-ca",
        "--option",
        "previous_speed=8",
    )
    assert added(referee, FORM, *more, name="form.csv").code == 0
    case = json.loads(Path("case.json").read_bytes())["cases"][0]
    assert case["input"]["form"]["rows"] == [["Turn", "1"], ["Warp Power", "17"], ["Movement", "8"]]
    assert case["options"] == {"previous_speed": "8"}


def test_a_ruling_that_is_not_ours_is_a_case_all_the_same(referee: Run, own_folder: Path) -> None:
    ran = added(referee, TURNED_TWICE, "--rule", "C3.2", "--verdict", "legal", *NO_FORM)
    assert ran.code == 1 and "you hold it legal; this program rules it illegal" in ran.out
    assert referee("corpus", "run", "--cases", "case.json").code == 1


@pytest.mark.parametrize(
    ("text", "rule", "why"),
    [
        (TURNED_TWICE.replace("One", "Bob"), "C3.2", "holds a name: 'Bob'"),
        (TURNED_TWICE.replace("speed 8", "speed 8 side Alice"), "C3.2", "holds a name: 'Alice'"),
        (TURNED_TWICE, "C1.1", "more than the one fault: C3.2"),
        (TURNED_TWICE + "impulse 3\n  One: right\n", "C3.2", "more than the one fault: C3.2 has 2"),
        (TURNED_TWICE + "hello there\n", "C3.2", "line 9"),
        (TURNED_TWICE, "Q9.9", "has no rule 'Q9.9'"),
    ],
)
def test_what_is_no_case_is_refused(referee: Run, own_folder: Path, text: str, rule: str, why: str) -> None:
    ran = added(referee, text, "--rule", rule, "--verdict", "illegal", *NO_FORM)
    assert ran.code == 2 and why in ran.err and not Path("case.json").exists(), ran


@pytest.mark.parametrize("row", ["Captain Bob,3\n", "Life Support,Bob\n"])
def test_a_form_with_a_name_in_it_is_refused(referee: Run, own_folder: Path, row: str) -> None:
    more = ("--rule", "B3.0-1", "--verdict", "illegal", "--ship", "cadet/federation-ca", "--option", "-")
    ran = added(referee, FORM + row, *more, name="form.csv")
    assert ran.code == 2 and "Bob" in ran.err and not Path("case.json").exists(), ran


FORM_OF_FED = ("--rule", "B3.0-1", "--verdict", "illegal", "--ship", "cadet/federation-ca", "--option", "-")


LONGER = FORM + "Impulse Power,2\nReactor Power,2\n"


def workbook(name: str, **sheets: str) -> None:
    """A workbook with the cells of a CSV on each sheet."""
    book = xlsxwriter.Workbook(name)
    for title, text in sheets.items():
        sheet = book.add_worksheet(title)
        for number, line in enumerate(text.splitlines()):
            for column, cell in enumerate(line.split(",")):
                sheet.write(number, column, int(cell) if cell.isdigit() else cell)
    book.close()


@pytest.mark.parametrize("of", ["semicolons", "UTF-16", "a remark's column", "xlsx"])
def test_a_form_is_read_as_check_reads_it(referee: Run, own_folder: Path, of: str) -> None:
    """Spreadsheets of players: what `check` takes becomes a case too, without remarks beside the figures."""
    name, text = "form.csv", LONGER
    if of == "xlsx":
        name = "form.xlsx"
        workbook(name, Energy=LONGER, Dice="Ann,6\nBob,3\n")
    elif of == "UTF-16":
        Path(name).write_bytes(text.encode("utf-16"))
    elif of == "semicolons":
        Path(name).write_text(text.replace(",", ";"))
    else:
        Path(name).write_text(text.replace("Turn,1", "Turn,1,Notes").replace("Power,17", "Power,17,Bob!"))
    ran = referee("corpus", "add", name, "--says", "seventeen", "-o", "case.json", *FORM_OF_FED)
    assert ran.code == 0, ran
    case = json.loads(Path("case.json").read_bytes())["cases"][0]
    assert case["input"]["form"]["rows"][:3] == [["Turn", "1"], ["Warp Power", "17"], ["Movement", "8"]]
    assert referee("corpus", "run", "--cases", "case.json").code == 0


def test_the_name_on_a_form_stands_not_in_the_sentence(referee: Run, own_folder: Path) -> None:
    Path("form.csv").write_text(FORM.replace("Constellation", "Kharg"))
    ran = referee(
        "corpus", "add", "form.csv", "--says", "the kharg overspends", "-o", "case.json", *FORM_OF_FED
    )
    assert ran.code == 2 and "holds a name: 'Kharg'" in ran.err and not Path("case.json").exists()


def test_a_workbook_of_two_forms_is_no_single_case(referee: Run, own_folder: Path) -> None:
    workbook("forms.xlsx", Fed=LONGER, Klingon=LONGER)
    ran = referee("corpus", "add", "forms.xlsx", "--says", "seventeen", "-o", "case.json", *FORM_OF_FED)
    assert ran.code == 2 and "2 forms" in ran.err and not Path("case.json").exists()


# -- games cut to the moment -------------------------------------------------------------

SEEN = """
Ann: !Const: speed 8
Ben: !Destr: speed 8
impulse 2
Const ahead
Destr ahead
impulse 4
Const right
Destr ahead
impulse 6
Const right
Destr ahead
"""
ROOT = Path(__file__).resolve().parents[3]
RECORD = str(ROOT / "examples" / "games" / "cadet-duel.jsonl")


def lines_in(file: str) -> list[str]:
    """The orders that a case file holds."""
    lines: list[str] = json.loads(Path(file).read_bytes())["cases"][0]["input"]["orders"]["lines"]
    return lines


def of_game(referee: Run, file: str, *more: str, says: str = "as it was played") -> Ran:
    """What `corpus add` makes of a game."""
    return referee("corpus", "add", file, "--says", says, "--option", "-", "-o", "case.json", *more)


def test_a_log_of_vassal_is_cut_to_the_moment(referee: Run, own_folder: Path) -> None:
    game = told(SEEN)
    Path("duel.vlog").write_bytes(game.log)
    ships = [part for name in game.named for part in ("--ship", name)]
    more = ("--module", write_module(own_folder), "--rulebook", "sfb-cadet", *ships)
    ran = of_game(referee, "duel.vlog", "--rule", "C3.2", "--verdict", "illegal", "--at", "1.6", *more)
    assert ran.code == 0 and "this program rules it illegal" in ran.out, ran
    lines = lines_in("case.json")
    assert lines[2:4] == ["ship One = cadet/federation-ca at 2010D", "ship Two = cadet/klingon-d6 at 2020A"]
    assert lines[-3:] == ["impulse 6", "  One: right", "  Two: ahead"]
    text = Path("case.json").read_text("utf-8")
    assert not any(name in text for name in ("Const", "Destr", "Ann", "Ben"))
    hold_against(json.loads(text), "corpus-cases", "case.json")
    assert referee("corpus", "run", "--cases", "case.json").code == 0


def test_a_record_is_cut_to_the_turn_of_the_moment(referee: Run, own_folder: Path) -> None:
    ran = of_game(referee, RECORD, "--rule", "C3.2", "--verdict", "legal", "--at", "3.5")
    assert ran.code == 0, ran
    lines = lines_in("case.json")
    assert lines.count("turn 1") == 1 and "turn 2" not in lines and "impulse 6" not in lines
    assert lines[2].startswith("ship One = ") and lines[2].endswith("side Red")
    case = json.loads(Path("case.json").read_bytes())["cases"][0]
    assert case["options"] == {"map": "0101-2817"}
    assert "Constellation" not in Path("case.json").read_text("utf-8")


def test_a_log_of_the_online_client_is_cut(referee: Run, own_folder: Path) -> None:
    Path("play.log").write_text(
        "\n".join(written(duel(({"Kharg": 8, "Sabre": 12},), last=8))) + "\n", "utf-8"
    )
    ran = of_game(referee, "play.log", "--rule", "C3.2", "--verdict", "legal", "--at", "1.4")
    assert ran.code == 0, ran
    assert lines_in("case.json")[-4:] == ["impulse 3", "  Two: ahead", "impulse 4", "  One: ahead"]


@pytest.mark.parametrize(
    ("rule", "at", "says", "why"),
    [
        ("C3.2", "9.1", "ahead", "nothing is ordered in turn 9"),
        ("C3.2", "soon", "ahead", "no moment"),
        ("C3.2", "1.4", "kli goes ahead", "holds a name: 'kli'"),
    ],
)
def test_a_game_that_makes_no_case_is_refused(
    referee: Run, own_folder: Path, rule: str, at: str, says: str, why: str
) -> None:
    ran = of_game(referee, RECORD, "--rule", rule, "--verdict", "legal", "--at", at, says=says)
    assert ran.code == 2 and why in ran.err and not Path("case.json").exists(), ran


def test_what_hangs_on_a_form_is_refused(referee: Run, own_folder: Path) -> None:
    orders = duel(({"Kharg": 8, "Sabre": 12},), {(1, 8): ("Sabre: fire PHOT/A at Kharg",)}, last=8)
    Path("play.log").write_text("\n".join(written(orders)) + "\n", "utf-8")
    Path("sabre.csv").write_text("Turn,1\nWarp Power,30\nLife Support,1\nMovement,12\n", "utf-8")
    told_of = judge_file(read_input("play.log"), Asked(Settings(), forms=("Sabre=sabre.csv",)))
    assert told_of.checked
    source = read_input("play.log")
    asked = Asked(Settings(), forms=("Sabre=sabre.csv",))
    dispute = Dispute(source, "", "E1.2/energy", "illegal", "unpaid fire", "-", "-", "1.8", asked)
    with pytest.raises(BadInput, match="hangs on what orders do not say"):
        case_of(dispute)


def test_a_save_is_no_game(referee: Run, own_folder: Path) -> None:
    save = str(ROOT / "examples" / "duel" / "duel.vsav")
    ran = of_game(referee, save, "--rule", "C3.2", "--verdict", "legal", "--at", "1.4")
    assert ran.code == 2 and "nothing happens in it" in ran.err


def test_an_answer_that_is_missing_is_asked_for_by_name(referee: Run, own_folder: Path) -> None:
    ran = added(referee, TURNED_TWICE, "--verdict", "illegal", *NO_FORM)
    assert ran.code == 2 and "--rule" in ran.err


def test_run_says_what_is_open(referee: Run, own_folder: Path) -> None:
    ran = referee("corpus", "run", "--rule", "E1.2", "-o", "statement.html")
    assert ran.code == 0 and "complies with all" in Path("statement.html").read_text("utf-8")
    assert referee("corpus", "run", "--rule", "Q9").code == 2
    assert referee("corpus", "run", "--adapter", "no-such-program-here", "--rule", "E1.2").code == 2
