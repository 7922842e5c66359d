"""`referee odds` says what it counted, and refuses what it would otherwise drop."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from referee.chances import forecast as forecasting
from tests.cli.conftest import Run
from tests.conftest import mostly_long

pytest.importorskip("numpy")
D7 = ("odds", "standard/klingon-d7")
EAGLE = ("odds", "standard/romulan-we", "--internals", "9")
SAMPLE = (*D7, "--internals", "6", "--volleys", "7e5", "--seed", "league")


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
