"""`referee show --svg`: the ships of a class, a save and a record drawn as on their SSDs."""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from tests.cli.conftest import Run

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def titles(picture: str) -> list[str]:
    drawn = etree.fromstring(picture.encode())
    return [str(text.text) for text in drawn.iter(f"{SVG}text") if text.get("class") == "title"]


def test_a_class_is_drawn_to_standard_output(referee: Run) -> None:
    ran = referee("show", "cadet/federation-ca", "--svg")
    assert ran.code == 0 and titles(ran.out) == ["Federation cadet cruiser"]


def test_the_ships_of_a_save_and_of_a_record_are_drawn_into_a_file(referee: Run, own_folder: Path) -> None:
    for name in ("duel/duel.vsav", "games/cadet-duel.jsonl"):
        out = own_folder / f"{Path(name).stem}.svg"
        assert referee("show", ROOT / "examples" / name, "-o", out).code == 0
        names = [name.split()[-1] for name in titles(out.read_text(encoding="utf-8"))]
        assert names == ["Constellation", "Destruction"]


def test_what_has_no_ships_is_refused_in_one_line(referee: Run) -> None:
    form = referee("show", ROOT / "examples" / "duel" / "constellation.csv", "--svg")
    assert form.code == 2 and "has no ships to draw" in form.err
    steps = referee("show", ROOT / "examples" / "duel" / "duel.vsav", "--svg", "--step", "3")
    assert steps.code == 2 and "has no steps" in steps.err
    both = referee("show", "cadet/federation-ca", "--svg", "--json")
    assert both.code == 2 and "two formats" in both.err
