"""What pays for what in the forms of a record, in its report."""

from __future__ import annotations

from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import read_input
from referee.sources.settings import Settings
from tests.cli.conftest import Run
from tests.conftest import ROOT

RECORD = ROOT / "examples" / "games" / "cadet-duel.jsonl"


def test_the_report_on_a_record_shows_the_energy_of_every_form_as_it_was_played() -> None:
    ledgers = judge_file(read_input(str(RECORD)), Asked(Settings())).ledgers
    assert [(one.ship, one.turn) for one in ledgers] == [
        (ship, turn) for ship in ("Constellation", "Destruction") for turn in (1, 2, 3)
    ]
    first = ledgers[0]
    assert [one.named for one in first.lines] == [
        "line 9 Phasers", "line 10 PHOT A", "line 10 PHOT B", "line 14 Movement"
    ]  # fmt: skip
    # Three points were charged, and two phasers fired in turn 1.
    assert first.carried["capacitor"] == "1"


def test_text_json_and_page_of_it_say_so(referee: Run) -> None:
    told = referee("check", RECORD, "--energy").out
    assert "Constellation, turn 1: warp 16, impulse 2, apr 2, battery 2" in told
    assert "left: impulse 1, battery 2; to the next turn: batteries 2, capacitor 1, speed 12" in told
    assert len(referee("check", RECORD, "--json").json["ledgers"]) == 6
    assert "line 14 Movement" in referee("check", RECORD, "--format", "html").out


def test_a_sealed_form_tells_nothing_of_its_energy(referee: Run) -> None:
    ships = ("--ship", "Hood=cadet/federation-ca:alice@1010A/8", "--ship", "War=cadet/klingon-d6:bob@1510D/8")
    assert referee("game", "new", "duel.jsonl", "--players", "alice,bob", *ships, "--dice", "solo").code == 0
    form = ROOT / "examples" / "by_mail" / "constellation.csv"
    assert referee("seal", "--game", "duel.jsonl", form, "--as", "alice", "--ship", "Hood").code == 0
    assert "Energy" not in referee("check", "duel.jsonl", "--energy").out
