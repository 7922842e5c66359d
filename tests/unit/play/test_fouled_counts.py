"""What was fired or launched against a rule counts all the same, and what follows says so."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run

HEAD = """rulebook sfb-standard
impulses 32
ship A = standard/federation-ca at 0101D speed 0
ship K = standard/klingon-d7 at 0105A speed 0
turn 1
A: speed 0
K: speed 0
"""
TURN_2 = "turn 2\nA: speed 0\nK: speed 0\n"


def told(referee: Run, orders: str, rule: str) -> list[str]:
    Path("orders.txt").write_text(HEAD + orders)
    ran = referee("check", "orders.txt", "--json")
    return [found["message"] for found in ran.findings("error") if found["rule"] == rule]


def test_a_shot_after_one_that_was_itself_against_a_rule(referee: Run) -> None:
    fire = "K: fire DISR/A at A\n"
    early = f"impulse 20\n{fire}impulse 30\n{fire}{TURN_2}impulse 1\n{fire}"
    (twice,) = told(referee, early, "E3.23")
    assert "turn 1, impulse 20 already" in twice and "itself" not in twice
    (gap,) = told(referee, early, "E1.5")
    assert gap.startswith("it fired 3 impulses ago, on turn 1, impulse 30")
    assert "that shot was itself against E3.23, and counts as fired" in gap


def test_a_shot_after_one_that_was_legal(referee: Run) -> None:
    fire = "K: fire DISR/A at A\n"
    (gap,) = told(referee, f"impulse 30\n{fire}{TURN_2}impulse 1\n{fire}", "E1.5")
    assert gap == "it fired 3 impulses ago, on turn 1, impulse 30"


def test_a_launch_after_one_that_was_itself_against_a_rule(referee: Run) -> None:
    launch = "K: launch DRN/{} at A\n"
    launches = "".join(f"impulse {8 * n}\n{launch.format(1 + n % 2)}" for n in (1, 2, 3))
    second, third = told(referee, launches, "FD4.21")
    assert "counted" not in second
    assert "(counted too: DRN/1 in impulse 16, itself against FD4.21)" in third


def test_in_a_record_forced_fire_counts_and_is_named(referee: Run) -> None:
    ships = ("--ship", "A=standard/federation-ca:a@0101D/8", "--ship", "K=standard/klingon-d7:b@0105A/8")
    assert referee("game", "new", "g.jsonl", "--players", "a,b", *ships, "--alone").code == 0
    for impulse, arm in ((20, "PH-2/1"), (30, "PH-2/1")):
        said = (f"impulse {impulse}", f"K: fire {arm} at A")
        assert referee("game", "say", "g.jsonl", *said, "--force").code == 0
        assert referee("game", "resolve", "g.jsonl", "--force").code == 0
    ran = referee("game", "say", "g.jsonl", "turn 2", "impulse 1", "K: fire PH-2/1 at A")
    assert ran.code == 1 and "that shot was itself against E2.23" in ran.err


def test_an_orders_file_is_not_sent_to_the_options_of_another_command(referee: Run) -> None:
    Path("orders.txt").write_text(f"{HEAD}impulse 3\nK: fire DISR/A at A\n")
    rows = referee("check", "orders.txt", "--json").json["not_checked"]
    told = [row["reason"] for row in rows if row["rule"] == "E1.2"]
    assert told == ["whether it was paid for is not known: no energy form"]
