"""`referee odds` says what it counted, and refuses what it would otherwise drop."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.chances import forecast as forecasting
from referee.chances.forecast import Forecast, Sampling
from referee.chances.replay import replay, trace_all
from tests.cli.conftest import Run
from tests.conftest import mostly_long
from tests.unit.chances.volleys import inquiry

pytest.importorskip("numpy")
D7 = ("odds", "standard/klingon-d7")
EAGLE = ("odds", "standard/romulan-we", "--internals", "9")
SAMPLE = (*D7, "--internals", "6", "--volleys", "7e5", "--seed", "league")


@pytest.fixture
def parts(referee: Run, own_folder: Path) -> None:
    """A sample of three chunks, each in a part: 0.json, 1.json, 2.json."""
    for chunk in range(3):
        span = f"{chunk}:{chunk + 1}"
        assert referee(*SAMPLE, "--chunks", span, "-o", own_folder / f"{chunk}.json").code == 0


@pytest.mark.usefixtures("parts")
def test_parts_with_a_gap_are_no_sample_of_a_seed(referee: Run, holds: Callable[[Any], None]) -> None:
    """Chunks 0 and 2 are not what `--volleys` draws; the text and the JSON say which are counted."""
    ran = referee("odds", "--merge", "2.json", "0.json")
    assert ran.err == "referee: 1 chunk of this sample is in none of these parts\n"
    assert "from 437,856 volleys (chunks 0, 2 of 3); owner's" in ran.out
    assert "again with" not in ran.out
    assert ran.out.endswith("Other chunks of this sample are missing.\n")
    document = referee("odds", "--merge", "2.json", "0.json", "--json").json
    holds(document)
    assert (document["volleys"], document["chunks"]) == (437_856, "0, 2 of 3")
    assert "(chunks 0, 2 of 3)" in referee("odds", "--merge", "0.json", "2.json", "--svg").out
    late = referee("odds", "--merge", "2.json")
    assert "(chunk 2 of 3)" in late.out and "again with" not in late.out
    assert late.err == "referee: 2 chunks of this sample are in none of these parts\n"


@pytest.mark.usefixtures("parts")
def test_the_first_chunks_are_a_sample_of_their_own(referee: Run) -> None:
    """What the text says makes the same volleys again does."""
    first = referee("odds", "--merge", "0.json", "1.json")
    assert "(chunks 0-1 of 3)" in first.out
    flags = first.out.rpartition("again with ")[2].split()
    again = referee(*D7, "--internals", "6", *flags, "--json").json
    merged = referee("odds", "--merge", "1.json", "0.json", "--json").json
    assert merged.pop("chunks") == "0-1 of 3"
    assert again == merged
    whole = referee("odds", "--merge", "0.json", "2.json", "1.json", "--json")
    assert "chunks" not in whole.json and not whole.err


@pytest.mark.usefixtures("parts")
def test_what_is_no_part_is_not_merged(referee: Run, own_folder: Path) -> None:
    (own_folder / "note.json").write_text('{"a": 1}')
    (own_folder / "list.json").write_text("[1]")
    (own_folder / "text.json").write_text("hello")
    assert referee(*D7, "--internals", "5", "--json", "-o", "odds.json").code == 0
    for name in ("note", "list", "text", "odds"):
        for files in ((f"{name}.json",), ("0.json", f"{name}.json")):
            ran = referee("odds", "--merge", *files)
            assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
            assert ran.err.startswith(f"referee: {name}.json: ") and "is not a part of a sample" in ran.err
            assert ran.err.endswith("; write one with --chunks a:b -o PART\n")


@pytest.mark.long
def test_a_random_owner_gives_any_of_like_boxes(referee: Run) -> None:
    """A replay draws which drone rack of the two is lost: the same each time, and not always the first."""
    asked = (*D7, "--internals", "25", "--volleys", "64", "--seed", "a", "--policy", "random", "--json")
    forecast = Forecast(inquiry("standard/klingon-d7", 25, policy="random", internal=True))
    first: Counter[str] = Counter()
    volleys = list(trace_all(forecast, forecast.job(Sampling("a", 64)), 0, tuple(range(64))))
    for number, traced in enumerate(volleys):
        hits = replay(forecast, traced).hits
        if number in (0, 5, 63):
            printed = referee(*asked, "--replay", str(number))
            assert [hit["box"] for hit in printed.json["hits"]] == [hit.box for hit in hits]
        lost = [hit.box for hit in hits if (hit.box or "").startswith("DRN/")]
        first[lost[0] if len(lost) == 1 else ""] += 1
    assert min(first["DRN/1"], first["DRN/2"]) > 3
    assert printed.out == referee(*asked, "--replay", "63").out


def test_an_exact_answer_says_what_decided_nothing(referee: Run) -> None:
    five = (*D7, "--internals", "5")
    plain = referee(*five)
    assert plain.err == ""
    for given, said in (
        (("--seed", "a"), "--seed"),
        (("--seed", "a", "--workers", "2"), "--seed and --workers"),
    ):
        ran = referee(*five, *given)
        assert ran.code == 0 and ran.out == plain.out
        assert ran.err == f"referee: the answer is exact, so {said} decided nothing\n"
    sampled = referee(*five, "--volleys", "1000", "--seed", "a")
    assert sampled.code == 0 and sampled.err == ""


@pytest.mark.parametrize("states", mostly_long([1_000, 200_000], lambda states: states < 200_000))
def test_too_many_states_are_said(
    referee: Run, holds: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch, states: int
) -> None:
    """Within twelve points, a random owner leads to more states than are tried unasked: fewer of them here."""
    assert forecasting._AUTO_BUDGET == 200_000
    monkeypatch.setattr(forecasting, "_AUTO_BUDGET", states)
    asked = (*D7, "--internals", "12", "--policy", "random")
    ran = referee(*asked, "--seed", "a")
    assert ran.code == 0 and f"an exact answer takes over {states:,} states" in ran.out
    document = referee(*asked, "--seed", "a", "--json").json
    holds(document)
    assert (document["method"], document["states_tried"]) == ("sampled", states)
    assert "states_tried" not in referee(*asked, "--volleys", "1000", "--json").json
    assert len(ran.out.splitlines()[4]) <= 84


def test_armor_is_before_internals_in_words_and_numbers(referee: Run, holds: Callable[[Any], None]) -> None:
    """Nine points past the shields of a War Eagle: five on armor, four inside."""
    assert ": 9 points past the shields\n" in referee(*EAGLE).out
    assert ": 9 points past the shields\n" in referee("volley", *EAGLE[1:], "--seed", "a").out
    assert "9 points past the shields, 4 internals" in referee(*EAGLE, "--svg").out
    document = referee(*EAGLE, "--curve", "--json").json
    holds(document)
    assert (document["damage"], document["internals"]) == (9, 4)
    assert [step["mean"]["armor"] for step in document["curve"]] == [5] * 5
    assert [step["standard_error"]["armor"] for step in document["curve"]] == [0] * 5
    assert document["curve"][-1]["mean"] == document["mean"]


INSIDE = ("standard/klingon-d7", "--internals", "5")
REFUSED = [
    *(((verb, *INSIDE, "--reinforcement", "2,3"), "--reinforcement with --internals") for verb in ("odds", "volley")),
    *(((verb, INSIDE[0], "--internals", "-1"), "referee: --internals -1; 0 to") for verb in ("odds", "volley")),
    *(((verb, INSIDE[0], "--damage", "-1", "--shield", "1"), "referee: --damage -1; 0 to") for verb in ("odds", "volley")),
    *(
        ((verb, INSIDE[0], "--damage", "50", "--direction", "20:row:B"), "account for 20 of 50 points")
        for verb in ("odds", "volley")
    ),
    ((*D7, "--fire", "", "--range", "4", "--shield", "1"), "--fire names no weapon"),
    ((*D7, "--fire", "", "--damage", "4", "--shield", "1"), "--fire names no weapon"),
    (
        (*D7, "--fire", "PH-1 x3", "--range", "4", "--shield", "1", "--direction", "9:row:A", "--direction", "9:LF"),
        "--fire from several directions",
    ),
    (("odds", "trek/lancer", "--damage", "12", "--kind", "plasma", "--internals", "5"), "--damage with --internals"),
    (("volley", "trek/lancer", "--damage", "12", "--shield", "2", "--internals", "5"), "--damage with --internals"),
    (("odds", "trek/lancer"), "how many points strike"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "told"), REFUSED)
def test_nothing_asked_is_dropped(referee: Run, arguments: tuple[str, ...], told: str) -> None:
    ran = referee(*arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert told in ran.err


def test_one_direction_may_say_its_points(referee: Run) -> None:
    """All of them, or none said: the same volley (D4.34)."""
    asked = ("volley", INSIDE[0], "--damage", "50", "--seed", "a", "--json")
    said = referee(*asked, "--direction", "50:row:B")
    assert said.code == 0 and json.loads(said.out) == referee(*asked, "--direction", "row:B").json


def test_two_ships_are_drawn_with_the_difference_of_what_they_lose(referee: Run) -> None:
    asked = (
        "odds",
        "cadet/klingon-d6",
        "--damage",
        "20",
        "--shield",
        "2",
        "--compare",
        "cadet/federation-ca",
    )
    picture = referee(*asked, "--svg").out
    document = json.loads(referee(*asked, "--json").out)
    bars = re.findall(
        r'<rect class="(first|other)"[^>]* width="([0-9.]+)" height="14"><title>([a-z ]+): ([-+0-9.]+)',
        picture,
    )
    assert bars and {name for _, _, name, _ in bars} >= {"bridge", "phaser"}
    for side, wide, name, told in bars:
        mean = document["comparison"]["difference"][name.replace(" ", "_")]["mean"]
        assert (
            f"{mean:+.2f}" == told
            and side == ("first" if mean > 0 else "other")
            and (float(wide) > 0) == bool(mean)
        )


def test_what_is_bad_never_has_the_colour_of_what_is_likely(referee: Run) -> None:
    for more in ((), ("--curve",)):
        picture = referee("odds", "cadet/klingon-d6", "--damage", "20", "--shield", "2", *more, "--svg").out
        style, _, drawn = picture.partition("</style>")
        red = {
            name for name, rule in re.findall(r"\.odds \.(\w+)[^{]*\{([^}]*)\}", style) if "#b3261e" in rule
        }
        assert red == {"destroyed"} and "#b3261e" not in drawn
