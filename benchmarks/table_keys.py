"""How many keys the screen of `referee table` takes: `python -m benchmarks.table_keys`.

Scenario 4 is played for three turns by the script of the tests, mistakes, quarrels and all, and its keys are counted by
impulse; then a legal impulse of two ships that go ahead, a broadside of four weapons with dice of the program, and a whole
turn of scenario 5, its forms on paper: both ships fire all that bears, and the dice are thrown by hand.
Exit code 1 means a target was missed.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from referee.cli.main import run
from referee.live.screen.page import TablePage
from referee.play.desk import Desk
from tests.unit.live.keys import SCENARIO, keys_of, pressed

GAME = "table.jsonl"
AHEAD, BROADSIDE, TURN = 3, 10, 60
HERE = Path(__file__).parent.parent / "tests" / "unit" / "live"


def begun(*arguments: str) -> TablePage:
    """The screen of a new game."""
    Path(GAME).unlink(missing_ok=True)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        assert run([*arguments]) == 0
    return TablePage(Desk(GAME))


def duel(*, near: bool) -> TablePage:
    """Two ships at speed 16, in the impulse in which both move."""
    at = ("1012A", "1010D") if near else ("1030A", "1010D")
    ships = (
        "--ship",
        f"Saratoga=cadet/federation-ca:ann@{at[0]}/16",
        "--ship",
        f"War=cadet/klingon-d6:bob@{at[1]}/16",
    )
    page = begun("game", "new", GAME, "--players", "ann,bob", "--dice", "seed", "--seed", "s", *ships)
    page.say("s s 16\nw s 16")
    page.press("n", "n")
    return page


def of_keys(page: TablePage, keys: Iterable[str]) -> int:
    """Presses keys, and counts them."""
    keys = list(keys)
    pressed(page, keys)
    return len(keys)


def scenario() -> Counter[str]:
    """The keys of three turns of scenario 4, by impulse."""
    shutil.copy(HERE / "dakota.csv", ".")
    page = begun(*("init", "game", "--scenario", "4", "--record", GAME, "--players", "ann,bob"), "--umpire", "uma", "--dice", "physical")  # fmt: skip
    counted: Counter[str] = Counter()
    for line in SCENARIO:
        sight = page.desk.sight
        when = f"{sight.turn}.{sight.impulse}" if sight.impulse else f"{sight.turn} {sight.step}"
        counted[when] += of_keys(page, keys_of(page, line))
    return counted


def whole_turn() -> int:
    """The keys of a turn of scenario 5 in which both ships go ahead and, when they have come to 8 hexes, fire."""
    new = ("init", "game", "--scenario", "5", "--record", GAME, "--players", "ann,bob", "--umpire", "uma")
    page = begun(*new, "--dice", "physical")
    keys = of_keys(page, ("1", "6", "enter", "1", "6", "enter", "n"))
    while page.desk.sight.turn == 1:
        keys += of_keys(page, ("*",) if page.desk.mover else ())
        if page.desk.sight.impulse == 10:
            keys += of_keys(page, ("f", "*", "tab", "*", "enter", "n"))
            keys += of_keys(page, (*"342516", "enter"))
            fired = {roll.number for roll in page.desk.game.state.rolls.values() if roll.fire}
            assert fired and not page.desk.asks
        keys += of_keys(page, ("n",))
    return keys


def main() -> None:
    met = True
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        counted = scenario()
        for when, keys in counted.items():
            print(f"{when:<24} {keys:3} keys")
        impulses = [keys for when, keys in counted.items() if "." in when]
        print(
            f"an impulse of scenario 4: median {median(impulses):g}, most {max(impulses)}; {sum(counted.values())} in all"
        )
        page = duel(near=False)
        keys = of_keys(page, ("*", "n"))
        assert page.desk.sight.impulse == 2
        met &= keys <= AHEAD
        print(f"a legal impulse of two ships that go ahead: {keys} keys, target ≤ {AHEAD}")
        page = duel(near=True)
        page.press("a", "a")
        page.press("a", "a")
        before = len(page.desk.game.state.rolls)
        keys = of_keys(page, ("f", "1", "2", "3", "4", "enter", "n"))
        assert len(page.desk.game.state.rolls) > before and page.desk.game.dice.open_roll is None
        met &= keys <= BROADSIDE
        print(f"a broadside of four weapons, dice of the program: {keys} keys, target ≤ {BROADSIDE}")
        keys = whole_turn()
        met &= keys <= TURN
        print(f"a turn of scenario 5, both ships fire: {keys} keys, target ≤ {TURN}")
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    main()
