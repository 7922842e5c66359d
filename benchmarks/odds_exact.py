"""Exact odds of the standard chart at 12, 15, 18 and 20 points, for three ships: seconds and memory with arrays,
beside a dictionary's answer, which must be the same, and icepool's time for as many points as it does in reason.

    python benchmarks/odds_exact.py [POINTS ...]        # 12 15 18 20 unless said; the dictionary takes minutes at 20

Each answer is a process of its own. Leaves with 1 if an answer differs, if 12 points take a second, or if 20 take
15 seconds or 1.5 GB. Seconds are of the processor, so that a busy machine does not decide.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

SHIPS = ("klingon-d7", "federation-ca", "gorn-ca")
MOST_SECONDS = {12: 1.0, 20: 15.0}
MOST_MEGABYTES = 1536
ICEPOOL_POINTS = (6, 8)


def answer(ship: str, points: int, arrays: bool) -> dict:
    """Seconds, memory and a digest of one answer, by a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", ship, str(points), "arrays" if arrays else "dictionary"],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def one(ship: str, points: int, way: str) -> None:
    """Prints the answer of this process."""
    import hashlib
    import resource

    from odds_speed import forecast_of

    from referee.chances import weights

    if way == "dictionary":
        weights.ARRAYS_FROM = weights.DICTIONARY = 1 << 62
    start = time.process_time()
    found = forecast_of(f"standard/{ship}", points).exact(1 << 62)
    seconds = time.process_time() - start
    digest = hashlib.sha256(repr(found.weights).encode()).hexdigest()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({"seconds": seconds, "peak": peak, "digest": digest}))


def against_icepool(points: int) -> bool:
    """Icepool's time and ours, and whether both say the same."""
    from odds_agreement import icepool_standard
    from odds_speed import forecast_of, timed

    theirs_seconds, theirs = timed(lambda: icepool_standard("klingon-d7", points))
    ours_seconds, ours = timed(lambda: forecast_of("standard/klingon-d7", points).exact())
    same = all(
        count.chance_lost(n) == theirs.get(system, {0: 1}).get(n, 0)
        for system, count in ours.systems.items()
        for n in range(count.start + 1)
    )
    print(
        f"icepool, klingon-d7, {points:2} points: {theirs_seconds:7.2f} s, ours {ours_seconds:.2f} s, equal: {same}"
    )
    return same


def main() -> None:
    """All of it."""
    points = [int(word) for word in sys.argv[1:]] or [12, 15, 18, 20]
    good = True
    print(f"{'ship':16}{'points':>7}{'arrays':>10}{'peak':>10}{'dictionary':>12}{'equal':>7}")
    for ship in SHIPS:
        for n in points:
            ours, theirs = answer(ship, n, True), answer(ship, n, False)
            same = ours["digest"] == theirs["digest"]
            within = ours["seconds"] < MOST_SECONDS.get(n, 1e9) and ours["peak"] < MOST_MEGABYTES
            good = good and same and within
            times = f"{ours['seconds']:8.2f} s{ours['peak']:7} MB{theirs['seconds']:10.1f} s"
            print(f"{ship:16}{n:7}{times}{same!s:>7}{'' if within else '  MISS'}", flush=True)
    agreed = [against_icepool(n) for n in ICEPOOL_POINTS]
    raise SystemExit(not (good and all(agreed)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    else:
        main()
