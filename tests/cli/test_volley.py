"""`referee volley` and `referee roll`: the examples of the book hit by hit, dice, choices, states."""

from __future__ import annotations

from collections.abc import Callable
from json import dumps, loads
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

pytestmark = pytest.mark.net

Holds = Callable[[Any], None]
D7_DICE = "6 7 9 2 7 4 10 7 8 11 7 6 3 8 5 7 8 4 5 10 12 7 9 7 2"
# Roll by roll the cell and the system of the 25 hits on a D7.
D7_HITS = [
    ("6A", "forward_hull"), ("7B", "forward_hull"), ("9A", "left_warp"), ("2A", "bridge"), ("7B", "forward_hull"),
    ("4A", "phaser"), ("10A", "phaser"), ("7B", "forward_hull"), ("8A", "aft_hull"), ("11A", "torpedo"),
    ("7C", "battery"), ("6B", "impulse"), ("3A", "drone"), ("8A", "aft_hull"), ("5A", "right_warp"),
    ("7C", "battery"), ("8A", "aft_hull"), ("4B", "transporter"), ("5B", "aft_hull"), ("10B", "tractor"),
    ("12A", "aux_control"), ("7C", "battery"), ("9E", "lab"), ("7E", "shuttle"), ("2B", "security"),
]  # fmt: skip
D6_DICE = "2 6 5 3 4 2 5 1 3 1 3 1 3"
# ... and of the 13 hits on the cadet D6: the boxes its owner picks.
D6_HITS = [
    ("2A", "hull", "forward_hull/1"), ("6A", "other", "lab/1"), ("5A", "weapon", "PH-2/D"), ("3A", "engine", "impulse/1"),
    ("4A", "other", "shuttle/1"), ("2A", "hull", "forward_hull/2"), ("5A", "weapon", "DRN/1"), ("1A", "hull", "aft_hull/1"),
    ("3A", "engine", "impulse/2"), ("1A", "hull", "aft_hull/2"), ("3A", "engine", "left_warp/1"),
    ("1B", "engine", "right_warp/1"), ("3A", "engine", "right_warp/2"),
]  # fmt: skip
D6_PICKS = {
    "2": "lab",
    "3": "PH-2/D",
    "5": "shuttle",
    "7": "drone",
    "8": "aft_hull",
    "11": "left_warp",
    "12": "right_warp",
    "13": "right_warp",
}


def test_the_25_hits_on_a_d7(program: Run, own_folder: Path, holds: Holds) -> None:
    Path("picks.json").write_text('{"6": "PH-2/5", "7": "PH-2/4"}')
    order = (
        "volley",
        "standard/klingon-d7",
        "--damage",
        "55",
        "--shield",
        "1",
        "--dice",
        D7_DICE,
        "--choose",
        "picks.json",
    )
    ran = program(*order, "--json")
    holds(ran.json)
    assert (
        ran.code == 0
        and ran.json["internals"] == 25
        and ran.json["wasted"] == 0
        and not ran.json["destroyed"]
    )
    assert ran.json["shield"] == {"number": 1, "before": 30, "after": 0}
    assert [(hit["cell"], hit["system"]) for hit in ran.json["hits"]] == D7_HITS
    assert [hit["roll"] for hit in ran.json["hits"]] == list(map(int, D7_DICE.split()))
    assert [hit["n"] for hit in ran.json["hits"]] == list(range(1, 26))
    assert [ran.json["hits"][n]["box"] for n in (5, 6)] == ["PH-2/5", "PH-2/4"]
    assert ran.json["hits"][24]["result"] == "flag_bridge"
    assert ran.json["dice"]["rolls"] == list(map(int, D7_DICE.split()))
    table = program(*order)
    assert table.code == 0 and table.err == ""
    rows = [
        line.split() for line in table.out.splitlines() if line.split()[:1] and line.split()[0].isdecimal()
    ]
    assert [row[2] for row in rows] == [cell for cell, _ in D7_HITS]


def test_the_13_hits_on_a_d6(referee: Run, d6_shield_8: Path, holds: Holds) -> None:
    Path("picks.json").write_text(dumps(D6_PICKS))
    ran = referee(
        "volley", "cadet/klingon-d6", "--state", d6_shield_8, "--damage", "21", "--shield", "1", "--dice", D6_DICE,
        "--choose", "picks.json", "--json", "--state-out", "after.json",
    )  # fmt: skip
    holds(ran.json)
    assert (
        ran.code == 0
        and ran.json["shield"] == {"number": 1, "before": 8, "after": 0}
        and ran.json["internals"] == 13
    )
    assert [(hit["cell"], hit["result"], hit["box"]) for hit in ran.json["hits"]] == [
        # In 12 no hull is left, so the hit moves one column on.
        (cell, result, box)
        for cell, result, box in D6_HITS
    ]
    assert loads(Path("after.json").read_text())["shields"]["2"] == 10


def test_two_volleys_in_a_row(referee: Run, own_folder: Path, holds: Holds) -> None:
    shot = ("volley", "standard/federation-ca", "--seed", "first", "--damage", "45", "--shield", "3")
    first = referee(*shot, "--state-out", "after.json", "--json").json
    left = loads(Path("after.json").read_text())
    holds(left)
    assert (
        left == first["state"] and left["shields"]["3"] == 0 and len(left["destroyed"]) == first["internals"]
    )
    second = referee(
        "volley", "standard/federation-ca", "--seed", "second", "--damage", "10", "--shield", "3",
        "--state", "after.json", "--state-out", "later.json", "--json",
    ).json  # fmt: skip
    assert second["shield"]["before"] == 0 and second["internals"] == 10
    later = loads(Path("later.json").read_text())
    assert set(left["destroyed"]) < set(later["destroyed"])
    assert len(later["destroyed"]) == len(left["destroyed"]) + 10 - second["wasted"]


def test_a_state_goes_back_into_its_own_file(referee: Run, own_folder: Path) -> None:
    shot = (
        "volley",
        "cadet/klingon-d6",
        "--damage",
        "3",
        "--shield",
        "2",
        "--seed",
        "x",
        "--state-out",
        "now.json",
    )
    assert referee(*shot).code == 0
    assert referee(*shot, "--state", "now.json").code == 0
    assert loads(Path("now.json").read_text())["shields"]["2"] == 6


@pytest.mark.parametrize(
    "name",
    [
        "state.json",
        "picks.json",
    ],
)
def test_the_result_never_replaces_an_input(referee: Run, own_folder: Path, name: str) -> None:
    referee(
        "volley",
        "cadet/klingon-d6",
        "--damage",
        "3",
        "--shield",
        "2",
        "--seed",
        "x",
        "--state-out",
        "state.json",
    )
    Path("picks.json").write_text("{}")
    before = Path(name).read_bytes()
    ran = referee(
        "volley", "cadet/klingon-d6", "--damage", "3", "--shield", "2", "--state", "state.json", "--choose", "picks.json",
        "-o", name,
    )  # fmt: skip
    assert ran.code == 2 and Path(name).read_bytes() == before


@pytest.mark.parametrize(
    ("dice", "says"),
    [
        ("2 2", "too few"),
        ("2 2 2 2", "left over"),
        ("2 2 7", "cannot be rolled"),
        ("2 two 2", "two"),
        ("2 -2 2", "-2"),
        ("", "is given nothing"),
    ],
)
def test_wrong_dice(referee: Run, dice: str, says: str) -> None:
    ran = referee("volley", "cadet/klingon-d6", "--internals", "3", "--dice", dice)
    assert (ran.code, ran.out) == (2, "") and says in ran.err and ran.err.count("\n") == 1


def test_nothing_is_written_when_the_dice_are_wrong(referee: Run, own_folder: Path) -> None:
    ran = referee(
        "volley",
        "cadet/klingon-d6",
        "--internals",
        "3",
        "--dice",
        "2 2",
        "--state-out",
        "s.json",
        "-o",
        "v.json",
    )
    assert ran.code == 2 and list(own_folder.iterdir()) == []


def test_the_same_seed_rolls_the_same_dice(referee: Run, program: Run) -> None:
    order = ("volley", "standard/klingon-d7", "--internals", "20", "--seed", "kahless", "--json")
    assert referee(*order).json == program(*order).json
    assert referee(*order).json["hits"] != referee(*order[:-2], "someone else", "--json").json["hits"]
    drawn = referee("volley", "standard/klingon-d7", "--internals", "20", "--json").json
    name, _, seed = drawn["dice"]["source"].partition(" ")
    assert name == "seed"
    again = referee("volley", "standard/klingon-d7", "--internals", "20", "--seed", seed, "--json").json
    assert again["hits"] == drawn["hits"]


def test_random_choices_follow_the_seed_shown(referee: Run) -> None:
    order = ("volley", "standard/klingon-d7", "--internals", "30", "--choose", "random", "--json")
    drawn = referee(*order).json
    again = referee(*order, "--seed", drawn["dice"]["source"].removeprefix("seed ")).json
    assert again["hits"] == drawn["hits"]


@pytest.mark.parametrize("policy", ["protect-weapons", "protect-power", "spread", "random"])
def test_every_policy(referee: Run, holds: Holds, policy: str) -> None:
    order = (
        "volley",
        "standard/klingon-d7",
        "--internals",
        "40",
        "--seed",
        "s",
        "--choose",
        policy,
        "--json",
    )
    ran = referee(*order)
    holds(ran.json)
    assert ran.code == 0 and ran.json["policy"] == policy and len(ran.json["hits"]) == 40
    boxes = [hit["box"] for hit in ran.json["hits"] if hit.get("box")]
    assert len(boxes) == len(set(boxes))
    assert referee(*order).json == ran.json


def test_the_policies_differ(referee: Run) -> None:
    def lost(policy: str) -> list[str]:
        order = (
            "volley",
            "cadet/klingon-d6",
            "--internals",
            "12",
            "--dice",
            "5 5 5 3 3 3 4 4 4 1 2 6",
            "--json",
        )
        return [hit["box"] for hit in referee(*order, "--choose", policy).json["hits"]]

    assert lost("protect-weapons") != lost("spread")


@pytest.mark.parametrize(
    ("picks", "code", "says"),
    [
        ('{"1": "lab"}', 1, "[D4."), ('{"1": "forward_hull/9"}', 1, "[D4."), ('{"1": "PH-2/A"}', 1, "[D4."),
        ('{"2": "aft_hull"}', 2, "hits 2"), ('["aft_hull"]', 2, "object"), ('{"one": "aft_hull"}', 2, "/one"),
        ('{"1": 3}', 2, "/1"), ("{", 2, "picks.json"),
    ],
)  # fmt: skip
def test_choices_that_are_not_possible(referee: Run, picks: str, code: int, says: str) -> None:
    Path("picks.json").write_text(picks)
    ran = referee("volley", "cadet/klingon-d6", "--internals", "1", "--dice", "2", "--choose", "picks.json")
    assert (ran.code, ran.out) == (code, "") and says in ran.err and ran.err.count("\n") == 1


def test_an_unknown_policy(referee: Run) -> None:
    ran = referee(
        "volley", "cadet/klingon-d6", "--internals", "1", "--dice", "2", "--choose", "protect-nothing"
    )
    assert (ran.code, ran.out) == (2, "") and "protect-weapons" in ran.err


def test_questions_are_asked_on_the_error_stream(referee: Run) -> None:
    ran = referee(
        "volley",
        "cadet/klingon-d6",
        "--internals",
        "1",
        "--ask",
        "--choose",
        "ask",
        "--json",
        stdin=b"9\n2\n3\n",
    )
    assert ran.code == 0 and ran.json["hits"][0]["box"] == "aft_hull/1"
    assert "1d6" in ran.err and "aft_hull/1" in ran.err
    assert ran.json["dice"] == {"source": "physical", "rolls": [2]}
    short = referee("volley", "cadet/klingon-d6", "--internals", "2", "--ask", stdin=b"2\n")
    assert (short.code, short.out) == (2, "")


@pytest.mark.parametrize(
    ("given", "shield", "internals"),
    [("0,0", (16, 0), 14), ("4,3", (16, 0), 7), ("10,25", (16, 16), 0), ("0,29", (16, 15), 0)],
)
def test_reinforcement_takes_points_first(
    referee: Run, given: str, shield: tuple[int, int], internals: int
) -> None:
    ran = referee(
        "volley",
        "cadet/klingon-d6",
        "--damage",
        "30",
        "--shield",
        "1",
        "--reinforcement",
        given,
        "--option",
        "reinforcement=true",
        "--seed",
        "r",
        "--json",
    )
    assert (ran.json["shield"]["before"], ran.json["shield"]["after"]) == shield
    assert ran.json["internals"] == internals == len(ran.json["hits"])


def test_reinforcement_of_a_standard_ship_needs_no_option(referee: Run) -> None:
    ran = referee(
        "volley", "standard/klingon-d7", "--damage", "35", "--shield", "1", "--reinforcement", "4,3", "--json"
    )
    assert (ran.json["shield"]["after"], ran.json["internals"]) == (2, 0)


@pytest.mark.parametrize("given", ["3", "a,b", "-1,0", "1,2,3", ""])
def test_reinforcement_that_cannot_be_read(referee: Run, given: str) -> None:
    ran = referee("volley", "cadet/klingon-d6", "--damage", "30", "--shield", "1", "--reinforcement", given)
    assert (ran.code, ran.out) == (2, "")


def test_the_direction_decides_which_phasers_may_be_hit(referee: Run) -> None:
    def struck(*where: str) -> list[str]:
        options = [part for place in where for part in ("--direction", place)]
        ran = referee(
            "volley", "standard/klingon-d7", "--internals", "2", "--dice", "4 10", *options, "--json"
        )
        assert ran.code == 0, ran.err
        return [hit["box"] for hit in ran.json["hits"] if hit["system"] == "phaser"]

    from_left, from_right = struck("L"), struck("R")
    assert from_left and from_right and set(from_left).isdisjoint({"PH-2/8", "PH-2/9"})
    assert set(from_right).isdisjoint({"PH-2/6", "PH-2/7"})
    for where in ("row:A", "row:D", "LF+L", "0719>0819A"):
        referee("volley", "standard/klingon-d7", "--internals", "1", "--dice", "4", "--direction", where)
    ran = referee(
        "volley", "standard/klingon-d7", "--damage", "40", "--direction", "row:B", "--seed", "d", "--json"
    )
    assert ran.json["shield"]["number"] == 2
    assert referee("volley", "standard/klingon-d7", "--damage", "4", "--direction", "nowhere").code == 2
    assert (
        referee(
            "volley", "standard/klingon-d7", "--damage", "4", "--direction", "3:LF", "--direction", "3:R"
        ).code
        == 2
    )


@pytest.mark.parametrize(
    "options",
    [
        (), ("--damage", "3"), ("--damage", "3", "--internals", "3"), ("--damage", "-1", "--shield", "1"),
        ("--damage", "3", "--shield", "7"), ("--damage", "3", "--shield", "0"), ("--damage", "999999", "--shield", "1"),
        ("--damage", "many", "--shield", "1"), ("--damage", "3", "--shield", "1", "--seed", "a", "--dice", "3"),
        ("--internals", "1", "--format", "pdf"), ("--internals", "1", "--state", "none.json"),
    ],
)  # fmt: skip
def test_orders_that_make_no_sense(referee: Run, options: tuple[str, ...]) -> None:
    ran = referee("volley", "cadet/klingon-d6", *options)
    assert (ran.code, ran.out) == (2, "") and ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"schema": "referee/ship-state/1", "ship": "standard/klingon-d7"}', "standard/klingon-d7"),
        ('{"schema": "referee/ship-state/1", "ship": "cadet/klingon-d6", "destroyed": ["lab/2"]}', "lab/2"),
        (
            '{"schema": "referee/ship-state/1", "ship": "cadet/klingon-d6", "shields": {"1": 17}}',
            "/shields/1",
        ),
        ('{"schema": "referee/ship-state/1", "ship": "cadet/klingon-d6", "shields": {"1": -1}}', "shields"),
        ('{"ship": "cadet/klingon-d6"}', "schema"),
        ("[]", ""),
    ],
)
def test_states_that_do_not_fit(referee: Run, text: str, says: str) -> None:
    Path("state.json").write_text(text)
    ran = referee("volley", "cadet/klingon-d6", "--internals", "1", "--dice", "2", "--state", "state.json")
    assert (
        (ran.code, ran.out) == (2, "")
        and "state.json" in ran.err
        and says in ran.err
        and ran.err.count("\n") == 1
    )


def test_a_ship_dies_of_too_much(referee: Run, holds: Holds) -> None:
    ran = referee("volley", "cadet/klingon-d6", "--internals", "200", "--seed", "boom", "--json")
    holds(ran.json)
    assert ran.code == 0 and ran.json["destroyed"] is True
    assert (
        "destroyed"
        in referee("volley", "cadet/klingon-d6", "--internals", "200", "--seed", "boom").out.lower()
    )


def test_fast_damage_of_scenario_4(referee: Run, holds: Holds) -> None:
    ran = referee("volley", "cadet/klingon-d6", "--internals", "4", "--option", "damage=fast", "--json")
    holds(ran.json)
    assert ran.code == 0 and ran.json["dice"]["rolls"] == []
    assert ran.json["hits"][0]["system"] in ("phaser", "torpedo", "drone") and ran.json["hits"][1][
        "system"
    ].endswith("_warp")


def test_the_other_formats(referee: Run, own_folder: Path) -> None:
    svg = referee("volley", "cadet/klingon-d6", "--internals", "3", "--seed", "s", "--format", "svg")
    assert svg.code == 0 and svg.out.startswith("<svg ") and svg.out.rstrip().endswith("</svg>")
    assert referee("volley", "cadet/klingon-d6", "--internals", "3", "--seed", "s", "-o", "v.json").code == 0
    assert loads(Path("v.json").read_text())["internals"] == 3
    text = referee("volley", "cadet/klingon-d6", "--internals", "3", "--seed", "s")
    assert "\x1b[" not in text.out
    assert (
        "\x1b["
        in referee("volley", "cadet/klingon-d6", "--internals", "3", "--seed", "s", "--color", "always").out
    )


def test_a_ship_of_ones_own(referee: Run, duel: Path) -> None:
    ran = referee("volley", duel / "my-ship.json", "--internals", "3", "--dice", "6 7 8", "--json")
    assert ran.code == 0 and ran.json["ship"] == "my/my-ship"


def test_roll(referee: Run) -> None:
    ran = referee("roll", "2d6", "--seed", "table", "--times", "5", "--json")
    assert (
        ran.code == 0
        and len(ran.json["totals"]) == 5
        and all(2 <= total <= 12 for total in ran.json["totals"])
    )
    assert [sum(faces) for faces in ran.json["rolls"]] == ran.json["totals"]
    text = referee("roll", "2d6", "--seed", "table")
    assert text.out.startswith(f"2d6: {ran.json['totals'][0]}") and "seed table" in text.err
    for wrong in ("2x6", "0d6", "d", "999999999d6", "2d6+", "d1000000000", ""):
        assert referee("roll", wrong).code == 2, wrong
    assert referee("roll", "d6", "--times", "0").code == 2
