"""Fire that is ordered and taken back in chat, in any order and many words, is judged by what was fired at last."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.finding import Report, Severity
from referee.formats.vassal import command_types as lv
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings
from tests.conftest import examples
from tests.unit.formats.vassal.game_logs import module_bytes
from tests.unit.logs.test_logs_oddly_legal import CA, D6, IDS, Table

WEAPONS = ("PH-1/A", "PH-1/B", "PH-1/C")
LAST = ("cancel that", "Never mind, out of arc", "scratch that", "oops, cancel the last one", "!cancel")
NAMED = ("cancel {}", "Cancel my {} shot, sorry", "!cancel {}", "forget {}")
ALL = ("cancel all", "scratch all fire", "cancel the phasers")
POINTS = 5
"""What a phaser-1 scores at range 4 with a 2."""


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("module") / "generated.vmod"
    path.write_bytes(module_bytes())
    return str(path)


def audit(table: Table, module: str) -> Report:
    named = tuple(f"{name}={IDS[name[:2]]}" for name in (CA, D6))
    asked = Asked(Settings(options={"previous_speed": "8"}), ships=named, module=module, digests=False)
    return judge_file(InputBytes("game.vlog", table.finish(), "save"), asked)


def say(table: Table, text: str) -> None:
    table.log(lv.Chat(f"&lt;Ann&gt; - {text}"))


def impulse(table: Table, random: Random, free: list[str]) -> list[str]:
    """Some of the weapons that are free are ordered to fire and taken back; those that fired, in their order."""
    rolled: list[str] = []
    waiting: list[list[str]] = []

    def roll() -> None:
        fired = [one for group in waiting for one in group]
        if fired and random.random() < 0.2:
            table.roll(CA, *(2 for _ in fired))
        else:
            for _ in fired:
                table.roll(CA, 2)
        rolled.extend(fired)
        waiting.clear()

    for _ in range(random.randint(1, 6)):
        ordered = [one for group in waiting for one in group]
        left = [one for one in free if one not in (*ordered, *rolled)]
        act = random.choice(["fire", "fire", "last", "named", "all", "roll"])
        if act == "fire" and left:
            group = random.sample(left, random.randint(1, min(2, len(left))))
            waiting.append(group)
            table.say(CA, f"fire {', '.join(group)} at {D6}")
        elif act == "last" and waiting:
            waiting.pop()
            say(table, random.choice(LAST))
        elif act == "all" and waiting:
            waiting.clear()
            say(table, random.choice(ALL))
        elif act == "named" and ordered:
            weapon = random.choice(ordered)
            name = random.choice((weapon, weapon.replace("/", ""), weapon.casefold()))
            say(table, random.choice(NAMED).format(name))
            waiting = [kept for group in waiting if (kept := [one for one in group if one != weapon])]
        elif act == "roll":
            roll()
        elif random.random() < 0.5:
            say(table, random.choice(("hm", "what is the range?", "I could cancel my trip")))
    roll()
    if rolled:
        table.mark(D6, {1: POINTS * len(rolled)})
    return rolled


@given(st.integers(0, 2**32))
@examples(60)
def test_what_was_taken_back_is_free_to_fire(module: str, seed: int) -> None:
    random, table = Random(seed), Table()
    free = list(WEAPONS)
    for _ in range(4):
        for fired in impulse(table, random, free):
            free.remove(fired)
        table.next()
    report = audit(table, module)
    wrong = [f for f in report.findings if f.severity is not Severity.NOTE]
    assert wrong == [], "\n".join(f"{f.severity} {f.key} {f.location}: {f.message}" for f in report.findings)


@given(st.integers(0, 2**32))
@examples(20)
def test_what_was_rolled_for_is_fired(module: str, seed: int) -> None:
    """A weapon that is taken back after its die, and fired again, has fired twice."""
    random, table = Random(seed), Table()
    weapon = random.choice(WEAPONS)
    table.say(CA, f"fire {weapon} at {D6}")
    table.roll(CA, 6)
    say(table, random.choice((*LAST, *ALL, NAMED[0].format(weapon))))
    if random.random() < 0.5:
        table.next()
    table.say(CA, f"fire {weapon} at {D6}")
    table.roll(CA, 1)
    errors = [f.key for f in audit(table, module).findings if f.severity is Severity.ERROR]
    assert {"E1.2", "E2.23"} & set(errors), errors
