"""One harness under atheris, in a process of its own: `python -m fuzz.child NAME FOLDER SECONDS`.

What it finds goes on being looked for: of each place that errs the shortest input is kept under `tests/fuzzed/NAME`.
"""

from __future__ import annotations

import hashlib
import sys
import time
import traceback
from pathlib import Path

import atheris

atheris.instrument_imports(include=["referee"]).__enter__()  # what is imported later is watched too

from fuzz.harness import KEPT, ROOT, Harness, harness, play  # noqa: E402

SLOWEST, HANGS, MOST_MEMORY, LONGEST = 10, 120, 2048, 65536
"""Seconds of the processor one input may take, seconds of the clock (a busy machine does not decide), MiB, its bytes."""


WORDS = ROOT / "fuzz" / "words"


class Slow(Exception):
    """An input took too long."""


class Finds:
    """The places that erred, and the shortest input of each."""

    def __init__(self, name: str, one: Harness) -> None:
        self._folder, self._one = KEPT / name, one
        self._shortest: dict[str, int] = {}

    def __call__(self, data: bytes, loading: bool = False) -> None:
        """Plays an input, and keeps it where it errs or, unless modules are loaded for it, takes long."""
        begun = time.process_time()
        try:
            play(self._one, data)
            if not loading and (took := time.process_time() - begun) > SLOWEST:
                raise Slow(f"{took:.0f} seconds")
        except Exception as fault:
            self._keep(data, fault)

    def _keep(self, data: bytes, fault: Exception) -> None:
        frames = [at for at in traceback.extract_tb(fault.__traceback__) if at.filename.startswith(str(ROOT))]
        file = Path(frames[-1].filename).relative_to(ROOT).as_posix()
        place = f"{type(fault).__name__} {file}:{frames[-1].lineno}"
        if len(data) >= self._shortest.get(place, LONGEST + 1):
            return
        if place not in self._shortest:
            sys.stderr.write(f"FOUND {place}: {str(fault)[:200]!a}\n")
        self._shortest[place] = len(data)
        self._folder.mkdir(parents=True, exist_ok=True)
        known = hashlib.sha256(place.encode()).hexdigest()[:12]
        (self._folder / f"{type(fault).__name__}-{known}").write_bytes(data)


def main() -> None:
    """Fuzzes one harness for some seconds."""
    name, folder, seconds = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    one = harness(name)
    begun, reached = folder / "seeds", folder / "reached"
    for place in (begun, reached, KEPT / name):
        place.mkdir(parents=True, exist_ok=True)
    finds = Finds(name, one)
    for seed in one.seeds():
        finds(seed, loading=True)  # every module is instrumented as it is first needed, which takes seconds
        (begun / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    options = (
        *(
            f"-max_total_time={seconds}",
            f"-timeout={HANGS}",
            f"-report_slow_units={HANGS}",
            f"-rss_limit_mb={MOST_MEMORY}",
        ),
        *(
            f"-max_len={LONGEST}",
            f"-artifact_prefix={KEPT / name}/",
            f"-dict={WORDS / name}",
            "-print_final_stats=1",
        ),
    )
    atheris.Setup([sys.argv[0], *options, str(reached), str(begun)], finds)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
