"""How right and how fast odds are: against the resolver, a plain script, icepool, and a bare Typer program;
one run, one table.

    python benchmarks/odds_speed.py [repetitions]

Every ratio is of medians taken in turns within this run, so that a busy machine slows both sides.
Leaves with 1 if a figure that must be reached is not.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]

import naive_volley  # noqa: E402
from odds_agreement import icepool_die, icepool_states, our_states, report  # noqa: E402

POINTS, SHIP = 25, "klingon-d7"
NAIVE_VOLLEYS = 15_000
SAMPLED = 1 << 22
PARALLEL = 1 << 24
HELLO = "import typer\napp = typer.Typer()\n\n\n@app.command()\ndef hello(name: str = 'you'):\n    print('hello', name)\n\n\napp()\n"
PROGRAM = (
    "import sys\nif __name__ == '__main__':\n    from referee.cli import app\n"
    "    app.COMMANDS.setdefault('odds', 'odds')\n    from referee.cli.main import run\n"
    "    raise SystemExit(run(sys.argv[1:]))\n"
)


def timed(work, *arguments):
    """Seconds a call takes, and what it returns."""
    start = time.perf_counter()
    answer = work(*arguments)
    return time.perf_counter() - start, answer


def in_turns(repetitions, *works):
    """Median seconds of several pieces of work, done in turns."""
    taken = [[] for _ in works]
    for _ in range(repetitions):
        for seconds, work in zip(taken, works, strict=True):
            seconds.append(timed(work)[0])
    return [median(seconds) for seconds in taken]


def forecast_of(ship, points):
    """Odds of points inside a whole ship, struck from ahead on the standard chart."""
    from referee.adjudicator.volley import volley_order
    from referee.chances.forecast import Forecast, Inquiry
    from referee.core.state import new_state
    from referee.rulebooks.registry import load_rulebook, load_ship

    struck = load_ship(ship)
    order = volley_order(points, internal=True, directions=((None, "row:A"),))
    return Forecast(Inquiry(load_rulebook(struck.rulebook), struck, new_state(struck), order))


def spin(turns):
    """Work that nothing can share: one core busy."""
    total = 0
    for n in range(turns):
        total += n & 7
    return total


def against_script(repetitions):
    """The kernel and the plain script; first that both have the same means."""
    from referee.chances.sampling import Job, run_chunks

    job = forecast_of(f"standard/{SHIP}", POINTS).job(_sampling(SAMPLED))
    forecast = forecast_of(f"standard/{SHIP}", POINTS)
    found = forecast.result_of(job, run_chunks(job, 0, job.chunks).ships[0])
    means, _, _ = naive_volley.simulate(SHIP, POINTS, NAIVE_VOLLEYS, 7)
    worst = max(
        abs(means.get(name, 0) - float(count.mean_lost)) / (count.deviation / NAIVE_VOLLEYS**0.5)
        for name, count in found.systems.items()
        if count.deviation
    )
    say("same means as the script", f"worst |z| {worst:.1f}", worst < 5)
    assert isinstance(job, Job)
    naive, kernel = in_turns(
        repetitions,
        lambda: naive_volley.simulate(SHIP, POINTS, NAIVE_VOLLEYS, 7),
        lambda: run_chunks(job, 0, job.chunks),
    )
    ratio = (SAMPLED / kernel) / (NAIVE_VOLLEYS / naive)
    told = f"{SAMPLED / kernel / 1e6:.1f} M/s against {NAIVE_VOLLEYS / naive / 1e3:.0f} k/s: {ratio:.0f} x"
    say("sampled, 25 points, one thread (200 x, goal 350 x)", told, ratio >= 200)


def _sampling(volleys):
    from referee.chances.forecast import Sampling

    return Sampling("benchmark", volleys)


def two_workers(repetitions):
    """Two processes against one, beside two that only spin."""
    from referee.chances.sampling import run_chunks, sample
    from referee.chances.workers import local_executor

    job = forecast_of(f"standard/{SHIP}", POINTS).job(_sampling(PARALLEL))
    turns = 12_000_000
    with local_executor(2) as pool:
        list(pool.map(spin, [1000, 1000]))
        sample(job, pool, 2, (0, 4))
        one, two, spin_one, spin_two = in_turns(
            repetitions,
            lambda: run_chunks(job, 0, job.chunks),
            lambda: sample(job, pool, 2),
            lambda: spin(2 * turns),
            lambda: list(pool.map(spin, [turns, turns])),
        )
    told = f"{one / two:.2f} x, spin control {spin_one / spin_two:.2f} x"
    # Where even spinning gains less, the cores are somebody else's, and nothing can be told.
    reached = one / two >= 1.7 or (None if spin_one / spin_two < 1.8 else False)
    say("two workers (1.7 x where spin shows 1.8 x)", told, reached)


def exact_times(repetitions):
    """Exact answers, everything from the ship's file on included."""
    from referee.chances.forecast import Forecast

    assert Forecast
    cadet, standard = in_turns(
        repetitions,
        lambda: forecast_of("cadet/federation-ca", 25).exact(),
        lambda: forecast_of("standard/klingon-d7", 10).exact(),
    )
    say("cadet exact, 25 points (50 ms)", f"{cadet * 1e3:.0f} ms", cadet < 0.05)
    say("standard exact, 10 points (1 s)", f"{standard * 1e3:.0f} ms", standard < 1)


def against_icepool(repetitions, points):
    """The cadet chart with icepool: the same distribution of all that is left together, and its time."""
    from importlib.util import find_spec

    if not find_spec("icepool"):
        return say("icepool", "not installed, so not compared: pip install icepool", False)
    forecast = forecast_of("cadet/federation-ca", points)

    def pooled():
        return icepool_die(forecast, points)

    same = our_states(forecast) == icepool_states(forecast, points)
    theirs, ours = in_turns(
        3 * repetitions, pooled, lambda: forecast_of("cadet/federation-ca", points).exact()
    )
    told = f"{theirs * 1e3:.0f} ms against {ours * 1e3:.1f} ms: {theirs / ours:.0f} x, equal: {same}"
    return say(f"icepool, cadet, {points} points (10 x)", told, same and theirs / ours >= 10)


def memory():
    """The most memory of a process that samples a few volleys, and many."""
    code = (
        "import sys; sys.path[:0] = [{root!r}, {here!r}]\n"
        "from odds_speed import forecast_of, _sampling\nfrom referee.chances.sampling import run_chunks\nimport resource\n"
        "job = forecast_of('standard/klingon-d7', {points}).job(_sampling({volleys}))\n"
        "run_chunks(job, 0, job.chunks)\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)\n"
    )
    here = Path(__file__).parent
    used = []
    for points, volleys in ((25, 1 << 18), (25, 1 << 24), (100, 1 << 21)):
        script = code.format(root=str(here.parent), here=str(here), points=points, volleys=volleys)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        used.append(int(done.stdout))
    say("memory (100 MB)", " / ".join(f"{most} MB" for most in used), max(used) < 100)


def whole_process(repetitions):
    """`referee odds` of a million volleys as a process, against a Typer program that says hello."""
    root = str(Path(__file__).parent.parent)
    odds = ["odds", "standard/klingon-d7", "--internals", "25", "--volleys", "1000000", "--seed", "a"]

    def process(code, *arguments):
        def run():
            subprocess.run(
                [sys.executable, "-c", code, *arguments], check=True, capture_output=True, cwd=root
            )

        return run

    hello, ours = in_turns(2 * repetitions + 1, process(HELLO), process(PROGRAM, *odds))
    told = f"{ours * 1e3:.0f} ms against {hello * 1e3:.0f} ms: {ours / hello:.1f} x"
    say("whole process, a million volleys (12 x)", told, ours / hello <= 12)


FAILED = []


def say(what, told, reached):
    """A line of the table; `reached` is None where this machine cannot tell."""
    mark = "?   " if reached is None else "ok  " if reached else "MISS"
    print(f"{mark} {what:<52} {told}", flush=True)
    if reached is False:
        FAILED.append(what)


def main():
    """All of it."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"medians of {repetitions}; load {' '.join(Path('/proc/loadavg').read_text().split()[:3])}")
    report(say)
    against_script(repetitions)
    two_workers(repetitions)
    exact_times(repetitions)
    against_icepool(repetitions, 13)
    against_icepool(repetitions, 25)
    memory()
    whole_process(repetitions)
    print(f"this process at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
    raise SystemExit(bool(FAILED))


if __name__ == "__main__":
    main()
