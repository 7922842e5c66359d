"""`referee check`: exit codes, streams, formats, selection, several files, settings and where they come from."""

from __future__ import annotations

from collections.abc import Callable
from json import loads
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

pytestmark = pytest.mark.net

Holds = Callable[[Any], None]
FORMATS = ("full", "concise", "json", "jsonl", "markdown", "html")
LEGAL = "Ship,cadet/federation-ca\nTurn,1\nMovement,8\nPhasers,2\n"
ILLEGAL = "Ship,cadet/federation-ca\nTurn,1\nMovement,18\n"
UNDECIDED = "Ship,cadet/federation-ca\nTurn,1\nMovement,8\nMovement,9\n"


@pytest.fixture
def forms(own_folder: Path) -> Path:
    """A legal form, an illegal one, one that can be read two ways, and one that cannot be read."""
    for name, text in (
        ("legal", LEGAL),
        ("illegal", ILLEGAL),
        ("undecided", UNDECIDED),
        ("broken", "Turn,1\nMovement,NaN\n"),
    ):
        (own_folder / f"{name}.csv").write_text(text)
    return own_folder


@pytest.mark.parametrize(
    ("files", "options", "code", "verdict"),
    [
        (["legal.csv"], [], 0, "legal"),
        (["illegal.csv"], [], 1, "illegal"),
        (["undecided.csv"], [], 0, "cannot-tell"),
        (["undecided.csv"], ["--strict"], 1, "cannot-tell"),
        (["legal.csv"], ["--strict"], 0, "legal"),
        (["legal.csv", "illegal.csv"], [], 1, "illegal"),
        (["undecided.csv", "legal.csv"], [], 0, "cannot-tell"),
        (["legal.csv", "broken.csv"], [], 2, "legal"),
        (["illegal.csv", "broken.csv"], [], 2, "illegal"),
    ],
)
def test_exit_codes(
    referee: Run, forms: Path, holds: Holds, files: list[str], options: list[str], code: int, verdict: str
) -> None:
    ran = referee("check", *files, "--json", *options)
    assert (ran.code, ran.json["verdict"]) == (code, verdict)
    holds(ran.json)
    assert [item["file"] for item in ran.json["inputs"]] == [name for name in files if name != "broken.csv"]
    if "broken.csv" in files:
        assert ran.err.startswith("referee: broken.csv: ") and ran.err.count("\n") == 1
    else:
        assert ran.err == ""


def test_only_broken_files_are_no_verdict(referee: Run, forms: Path) -> None:
    ran = referee("check", "broken.csv")
    assert (ran.code, ran.out) == (2, "") and ran.err.count("\n") == 1
    ran = referee("check", "broken.csv", "no-such.csv")
    assert ran.code == 2 and ran.err == "" and ran.out.count("UNREADABLE: ") == 2
    assert ran.out.startswith("CANNOT TELL: ") and ran.out.endswith("\n2 unreadable\n")


def test_as_a_process(program: Run, forms: Path) -> None:
    assert program("check", "illegal.csv").code == 1
    ran = program("check", "-", "--stdin-name", "typed.csv", stdin=ILLEGAL.encode())
    assert ran.code == 1 and "typed.csv › B3" in ran.out and ran.err == ""
    broken = program("check", "broken.csv")
    assert (broken.code, broken.out) == (2, "") and "Traceback" not in broken.err


@pytest.mark.parametrize("name", ["duel.vsav", "constellation.csv", "constellation.json", "destruction.xlsx"])
def test_standard_input_is_read_by_what_it_is(referee: Run, duel: Path, name: str) -> None:
    by_name = referee("check", duel / name, "--json")
    stdin = referee("check", "-", "--stdin-name", name, "--json", stdin=(duel / name).read_bytes())
    assert stdin.code == by_name.code == 1
    assert [f["key"] for f in stdin.findings()] == [f["key"] for f in by_name.findings()]
    nameless = referee("check", "-", "--json", stdin=(duel / name).read_bytes())
    assert nameless.code == 1 and nameless.json["inputs"][0]["file"] == "-"


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_says_the_same(referee: Run, duel: Path, holds: Holds, form: str) -> None:
    ran = referee("check", duel / "duel.vsav", "--format", form)
    assert ran.code == 1 and ran.err == ""
    assert "\x1b" not in ran.out
    if form == "json":
        holds(ran.json)
    elif form == "jsonl":
        assert len([f for f in map(loads, ran.out.splitlines()) if f.get("severity") == "error"]) == 8
    else:
        for key in (
            "B3.0-20/sum",
            "E4.21",
            "H6.1",
            "B3.0-14/acceleration",
            "B3.0-6",
            "B3.0-5",
            "E3.2",
            "B3.0-1",
        ):
            assert key in ran.out, key


@pytest.mark.parametrize(
    ("name", "starts"),
    [
        ("out.json", '{\n  "schema"'), ("out.jsonl", '{"rule"'),
        ("out.md", "**Illegal"), ("out.html", "<!DOCTYPE html>"), ("out.txt", "ILLEGAL: 8"), ("out", "ILLEGAL: 8"),
    ],
)  # fmt: skip
def test_the_format_follows_the_suffix(
    referee: Run, duel: Path, own_folder: Path, name: str, starts: str
) -> None:
    ran = referee("check", duel / "duel.vsav", "-o", name)
    assert (ran.code, ran.out, ran.err) == (1, "ILLEGAL: 8 errors; 27 rules checked\n", f"wrote {name}\n")
    assert (own_folder / name).read_text().startswith(starts)
    said = referee("check", duel / "duel.vsav", "-o", name, "--format", "concise")
    assert (
        said.code == 1
        and "B24 line 20 Total Power Used  error" in (own_folder / name).read_text().splitlines()[0]
    )


def test_an_input_is_never_written_over(referee: Run, forms: Path) -> None:
    (forms / "link.csv").symlink_to("illegal.csv")
    (forms / "hard.csv").hardlink_to(forms / "illegal.csv")
    for target in ("illegal.csv", "./illegal.csv", "link.csv", "hard.csv"):
        ran = referee("check", "legal.csv", "illegal.csv", "-o", target, "--format", "json")
        assert ran.code == 2 and ran.out == "" and "not written over" in ran.err, target
    assert (forms / "illegal.csv").read_text() == ILLEGAL
    assert not list(forms.glob(".*.part"))


def test_a_place_that_cannot_be_written(referee: Run, forms: Path) -> None:
    ran = referee("check", "legal.csv", "-o", "no/such/folder.json")
    assert (ran.code, ran.out) == (2, "") and ran.err.count("\n") == 1
    assert not list(forms.glob(".*"))


def test_select_and_ignore(referee: Run, duel: Path) -> None:
    def keys(*options: str) -> list[str]:
        return [f["key"] for f in referee("check", duel / "duel.vsav", "--json", *options).findings()]

    assert keys("--select", "E4.21") == ["E4.21"]
    assert keys("--select", "E", "--select", "H6") == ["E4.21", "H6.1", "E3.2"]
    assert "B3.0-20/sum" not in keys("--ignore", "B3.0-20") and len(keys("--ignore", "B3.0-20")) == 7
    assert keys("--select", "B3.0", "--ignore", "B3.0-1") == ["B3.0-20/sum", "B3.0-6", "B3.0-5"]
    legal = referee("check", duel / "duel.vsav", "--json", "--select", "FP1.2")
    assert legal.code == 0 and legal.json["verdict"] == "legal" and legal.json["checked"] == ["FP1.2"]


def test_the_ship_may_be_said(referee: Run, own_folder: Path) -> None:
    (own_folder / "form.csv").write_text("Turn,1\nMovement,8\n")
    ran = referee("check", "form.csv")
    assert ran.code == 2 and "--ship" in ran.err
    assert (
        referee("check", "form.csv", "--ship", "cadet/klingon-d6", "--json").json["rulebook"] == "sfb-cadet"
    )
    assert referee("check", "form.csv", "--ship", "Klingon D7", "--json").json["rulebook"] == "sfb-standard"
    assert referee("check", "form.csv", "--ship", "cadet/klingon-d66").code == 2


def test_a_ship_in_a_save_may_be_said_to_be_another(referee: Run, duel: Path) -> None:
    plain = referee("check", duel / "duel-corrected.vsav", "--json").json
    said = referee(
        "check", duel / "duel-corrected.vsav", "--json", "--ship", "D6 Destruction=standard/klingon-d7"
    ).json
    assert [ship["ship"] for ship in plain["ships"]] == ["cadet/federation-ca", "cadet/klingon-d6"]
    assert [ship["ship"] for ship in said["ships"]] == ["cadet/federation-ca", "standard/klingon-d7"]
    wrong = referee("check", duel / "duel-corrected.vsav", "--ship", "Nobody=cadet/klingon-d6")
    assert wrong.code == 2 and "D6 Destruction" in wrong.err


def test_a_state_bounds_the_first_turn(referee: Run, own_folder: Path, duel: Path) -> None:
    (own_folder / "d7.csv").write_text("Ship,standard/klingon-d7\nTurn,1\nWarp Engines,30\nLife Support,1\n")
    assert referee("check", "d7.csv").code == 0
    ran = referee("check", "d7.csv", "--state", duel / "state.json", "--json")
    assert ran.code == 1 and [f["key"] for f in ran.findings("error")] == ["B3.0-1"]
    assert ran.findings("error")[0]["expected"].endswith("28")


@pytest.mark.parametrize("options", [("--state", "no-such.json"), ("--color", "purple")])
def test_no_option_is_passed_over(referee: Run, duel: Path, options: tuple[str, str]) -> None:
    assert referee("check", duel / "duel.vsav", *options).code == 2


def test_colour(referee: Run, program: Run, duel: Path) -> None:
    file = duel / "duel.vsav"
    assert "\x1b[" not in referee("check", file).out
    assert "\x1b[" in referee("check", file, "--color", "always").out
    assert "\x1b[" not in referee("check", file, "--color", "never").out
    assert "\x1b[" not in program("check", file, NO_COLOR="1").out
    assert "\x1b[" in program("check", file, "--color", "always", NO_COLOR="1").out
    referee("check", file, "--color", "always", "-o", "report.txt")
    assert "\x1b" not in Path("report.txt").read_text()


def test_options(referee: Run, forms: Path) -> None:
    ran = referee("check", "legal.csv", "--option", "previous_sped=8")
    assert ran.code == 2 and "previous_speed" in ran.err
    assert referee("check", "legal.csv", "--option", "previous_speed=fast").code == 2
    assert referee("check", "legal.csv", "--option", "previous_speed").code == 2
    assert referee("check", "legal.csv", "--rulebook", "sfb-cadett").code == 2
    assert referee("check", "legal.csv", "--option", "previous_speed=0").code == 0
    (forms / "fast.csv").write_text(LEGAL.replace("8", "9"))
    assert referee("check", "fast.csv", "--option", "previous_speed=0").code == 1


def test_settings_and_their_order(referee: Run, forms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def setting(*_: object) -> dict[str, tuple[str, str]]:
        return {
            row["name"]: (row["value"], row["from"]) for row in referee("config", "--json").json["settings"]
        }

    assert setting()["rulebook"][1] == "default"
    (forms / "referee.toml").write_text('rulebook = "sfb-standard"\n[options]\nprevious_speed = 3\n')
    referee("config", "trust", "referee.toml")
    assert setting()["rulebook"] == ("sfb-standard", "referee.toml")
    assert setting()["option previous_speed"] == ("3", "referee.toml")
    (forms / "referee.toml").write_text('rulebook = "trek"\n')
    assert setting()["rulebook"][1] == "default", "a changed file is trusted no more"
    monkeypatch.setenv("REFEREE_RULEBOOK", "sfb-cadet")
    monkeypatch.setenv("REFEREE_OPTION_PREVIOUS_SPEED", "5")
    assert setting()["rulebook"] == ("sfb-cadet", "REFEREE_RULEBOOK")
    assert setting()["option previous_speed"] == ("5", "REFEREE_OPTION_PREVIOUS_SPEED")
    assert "previous_speed" in referee("config").out
    (forms / "fast.csv").write_text(LEGAL.replace("8", "14"))
    assert referee("check", "fast.csv").code == 1
    assert referee("check", "fast.csv", "--option", "previous_speed=6").code == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rulebok = 'x'\n", "rulebok"), ("= broken\n", "TOML"), ("[options]\nprevios_speed = 3\n", "previous_speed"),
        ("options = 3\n", "options"),
    ],
)  # fmt: skip
def test_a_broken_settings_file_is_one_line(referee: Run, forms: Path, text: str, says: str) -> None:
    (forms / "referee.toml").write_text(text)
    referee("config", "trust", "referee.toml")
    ran = referee("check", "legal.csv")
    assert (ran.code, ran.out) == (2, "") and ran.err.count("\n") == 1 and says in ran.err


@pytest.mark.parametrize(
    "text",
    [
        'extends = "sfb-cadet"\noff = ["Z9.9"]\n', 'extends = "sfb-cadet"\noff = "B3.0-6"\n',
        'extends = "sfb-cadet"\n[severity]\n"B3.0-6" = "fatal"\n', 'extends = "sfb-cadet"\n[options]\nnothing = 1\n',
        'extends = "sfb-kadet"\n', 'wrong = 1\n',
    ],
)  # fmt: skip
def test_a_broken_house_file_is_one_line(referee: Run, forms: Path, text: str) -> None:
    (forms / "house.toml").write_text(text)
    ran = referee("check", "legal.csv", "--house", "house.toml")
    assert (ran.code, ran.out) == (2, "") and ran.err.count("\n") == 1, ran.err


def test_reading_leaves_the_folder_alone(referee: Run, forms: Path, duel: Path) -> None:
    before = sorted(forms.iterdir())
    referee("check", "legal.csv", "illegal.csv", duel / "duel.vsav")
    referee("show", duel / "duel.vsav")
    referee("vassal", "dump", duel / "duel.vsav")
    assert sorted(forms.iterdir()) == before


def test_the_orders_of_one_turn_are_orders_and_no_form(referee: Run) -> None:
    turn = Path(__file__).parents[2] / "examples" / "games" / "cadet-duel" / "turn-1.txt"
    Path("turn-1.txt").write_bytes(turn.read_bytes())
    ran = referee("check", "turn-1.txt")
    assert ran.code == 2 and ran.err.count("\n") == 1
    assert "these are orders of a game under way" in ran.err and "referee game apply GAME FILE" in ran.err
