"""How fast what people look at is drawn, how large it is, and how fast the replay page steps in a browser.

    python benchmarks/seen_speed.py

A map of 60 ships is drawn; a log of twenty turns becomes a page, which is opened in Chromium and stepped through
400 moments. Exit code 1 when a target is missed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT)]

from referee.core.hexgrid import Hex  # noqa: E402
from referee.core.positions import PlayedGame, Position, UnitShown  # noqa: E402
from referee.judging.played_games import played_game  # noqa: E402
from referee.report.mapsvg import MapMarks, map_svg  # noqa: E402
from referee.report.replayhtml import replay_html  # noqa: E402
from referee.sources.asked import Asked  # noqa: E402
from referee.sources.inputs import InputBytes  # noqa: E402
from referee.sources.settings import Settings  # noqa: E402
from tests.browser import CHROMIUM, chromium  # noqa: E402
from tests.unit.formats.vassal import game_logs  # noqa: E402

MAP_SECONDS, MAP_BYTES = 1.0, 2_000_000
PAGE_BYTES, PAINT_MS, STEP_MS = 2_000_000, 300.0, 16.0
MOMENTS = 400
_STEPS = """(async () => {
  const slider = document.getElementById("slider"), took = [];
  slider.value = "0";
  slider.dispatchEvent(new Event("input"));
  for (let n = 1; n <= Math.min(MOMENTS, Number(slider.max)); n += 1) {
    const begun = performance.now();
    slider.value = String(n);
    slider.dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect();
    took.push(performance.now() - begun);
    if (n % 20 === 0) await new Promise(requestAnimationFrame);
  }
  return took;
})()"""


def sixty() -> Position:
    """Sixty ships on a board as large as a picture shows."""
    random = Random(60)
    units = (
        UnitShown(
            f"Ship {n} of the line",
            "ship",
            Hex(random.randint(2, 58), random.randint(2, 58)),
            "ABCDEF"[n % 6],
            "ab"[n % 2],
        )
        for n in range(60)
    )
    return Position(1, 1, "fire", "", "", tuple(units))


def twenty_turns(module: Path) -> PlayedGame:
    """A log of twenty turns, as it is looked at."""
    game_logs.COLUMNS = 23  # the sheets of a longer game than the tests play
    log = game_logs.write_log(game_logs.legal_game(Random(20), ships=4, turns=20)).data
    return played_game(InputBytes("game.vlog", log, "save"), Asked(Settings(), module=str(module)))


def told(what: str, found: float, most: float, unit: str) -> bool:
    """Says a figure beside its target; whether it is met."""
    met = found <= most
    print(f"{what:<44} {found:>12,.1f} {unit}  at most {most:,.0f}  {'met' if met else 'MISSED'}")
    return met


def main() -> None:
    position = sixty()
    ways = {unit.name: [unit.hex, unit.hex.step("A")] for unit in position.units if unit.hex}
    begun = perf_counter()
    picture = map_svg(position, "sixty ships", MapMarks(ways))
    met = told("a map of 60 ships: ms", 1000 * (perf_counter() - begun), 1000 * MAP_SECONDS, "ms")
    met &= told("its size", len(picture), MAP_BYTES, "bytes")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        module = Path(folder) / "game.vmod"
        module.write_bytes(game_logs.module_bytes())
        game = twenty_turns(module)
        page = Path(folder) / "game.html"
        page.write_text(replay_html(game), encoding="utf-8")
        print(f"a game of {game.positions[-1].turn} turns, {len(game.positions)} moments")
        met &= told("its page", page.stat().st_size, PAGE_BYTES, "bytes")
        if CHROMIUM is None:
            print("no Chromium here: paint and steps are not measured")
        else:
            met &= in_browser(page, Path(folder) / "profile")
    raise SystemExit(0 if met else 1)


def in_browser(path: Path, profile: Path) -> bool:
    """First paint, and steps; medians of several openings."""
    paints, steps = [], []
    with chromium(profile) as browser:
        for _ in range(5):
            browser.open(path)
            browser.run("new Promise(done => setTimeout(done, 300))")
            paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
            paints.append(float(browser.run(paint)))
        steps = [float(one) for one in browser.run(_STEPS.replace("MOMENTS", str(MOMENTS)))]
    met = told("first paint, median of 5 openings", median(paints), PAINT_MS, "ms")
    met &= told(f"a step, median of {len(steps)}", median(steps), STEP_MS, "ms")
    met &= told("a step, slowest but five in a hundred", sorted(steps)[int(0.95 * len(steps))], STEP_MS, "ms")
    print(f"{'the slowest step':<44} {max(steps):>12,.1f} ms  (of a machine that does other things too)")
    return met


if __name__ == "__main__":
    main()
