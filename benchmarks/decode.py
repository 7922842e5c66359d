"""How fast a large save is decoded, against a literal transcription of the format, and in how much memory.

    python benchmarks/decode.py [--rounds N] [SAVE]

Each decoding runs in a fresh process and is timed there from the first byte read to the last field
understood; imports are not counted. Both readers go to the same depth: commands, pieces, traits and
the fields of their definitions and states.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).parent.parent
WARSAW = ROOT.parent / "shared" / "vassal" / "saves" / "malifaux" / "Warsaw_Uprising_Updated.vsav"

TIMES_FASTER = 4.0
MOST_MEMORY = 100.0  # MB


def literally(path: Path) -> tuple[Callable[[], object], Callable[[object], tuple[int, int]]]:
    """The yardstick, and how to count what it read: pieces and traits."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    from literal_vassal import read_literally

    def count(leaves: object) -> tuple[int, int]:
        assert isinstance(leaves, list)
        pieces = [leaf for leaf in leaves if isinstance(leaf, tuple) and leaf[0] == "AddPiece"]
        return len(pieces), sum(len(piece[2]) for piece in pieces)

    return lambda: read_literally(path), count


def by_referee(path: Path) -> tuple[Callable[[], object], Callable[[object], tuple[int, int]]]:
    """The project's reader, and how to count what it read."""
    from referee.formats.vassal.game import read_save
    from referee.formats.vassal.traits import view

    def read() -> object:
        save = read_save(path.read_bytes(), path.name, reveal=True)
        return save, [view(trait) for chain in save._chains.values() for trait in chain]

    def count(found: object) -> tuple[int, int]:
        assert isinstance(found, tuple)
        return len(found[0]._chains), len(found[1])

    return read, count


READERS = {"literal": literally, "referee": by_referee}


def peak_memory() -> float:
    """The most memory this process has had, in MB; not that of the process it was forked from."""
    try:
        status = Path("/proc/self/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1000
    except (OSError, StopIteration):
        return (
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            / (1 if sys.platform != "darwin" else 1000)
            / 1000
        )


def decode_once(reader: str, path: Path) -> None:
    """One decoding in this process: prints seconds, peak MB, pieces and traits."""
    read, count = READERS[reader](path)
    begun = perf_counter()
    found = read()
    taken = perf_counter() - begun
    print(taken, peak_memory(), *count(found))


def once(reader: str, path: Path) -> tuple[float, float, tuple[str, ...]]:
    """One decoding in a process of its own: seconds, peak MB, what was counted."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", reader, str(path)],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    taken, peak, *counted = done.stdout.split()
    return float(taken), float(peak), tuple(counted)


def generated(folder: Path) -> Path:
    """A save about as large as the real one: some hundred pieces of many layers."""
    sys.path.insert(0, str(ROOT))
    from referee.formats.vassal.chain import join_chain
    from referee.formats.vassal.commands import Command, encode_command
    from referee.formats.vassal.container import write_save_bytes
    from referee.formats.vassal.sequence import encode

    layer = "emb2;Activate;2;A;Increase;2;];Decrease;2;[;Reset;R;1;false;0;0;a{0}.png,b{0}.png,c{0}.png,d{0}.png;One,Two,Three,Four;true;Layer {0};;;false;;1;1;false;65,130;93,130;91,130;a layer"
    pieces = []
    for number in range(620):
        types = [layer.format(n) for n in range(8)]
        types += [
            "rotate;6;93,130;91,130;Right;Left;;;Heading;facing",
            "mark;Race,Type,ShipId",
            "PROP;Speed;true,0,31,false;;plotted speed",
        ]
        states = ["1"] * 8 + ["3", f"Federation,CA,{number}", "12"]
        types.append(f"piece;;;ship.png;Ship {number}")
        states.append(f"Space;{number};{number};{number};2;OldMap;Space;OldX;{number}")
        pieces.append(Command("+/" + encode([str(number), join_chain(types), join_chain(states)], "/")))
    tree = Command("begin_save", (Command(""), Command("", tuple(pieces)), Command("end_save")))
    path = folder / "generated.vsav"
    path.write_bytes(write_save_bytes(encode_command(tree), key=0x5A))
    return path


def measure(path: Path, rounds: int) -> dict[str, list[tuple[float, float, tuple[str, ...]]]]:
    """Every decoding, by reader, one of each in turn."""
    taken: dict[str, list[tuple[float, float, tuple[str, ...]]]] = {name: [] for name in READERS}
    for _ in range(rounds):
        for name in READERS:
            taken[name].append(once(name, path))
    return taken


def report(path: Path, taken: dict[str, list[tuple[float, float, tuple[str, ...]]]]) -> bool:
    """Prints medians, the ratio and the peak; whether every target is met."""
    counts = {name: runs[0][2] for name, runs in taken.items()}
    pieces, traits = counts["referee"]
    print(f"decode of {path.name}: {pieces} pieces, {traits} traits")
    if counts["literal"] != counts["referee"]:
        print(f"  the two readers do not agree: {counts}")
        return False
    for name, runs in taken.items():
        seconds = [run[0] for run in runs]
        figures = "".join(
            f" {1000 * value:7.1f} ms" for value in (median(seconds), min(seconds), max(seconds))
        )
        print(f"  {name:<10}{figures}   peak {max(run[1] for run in runs):5.1f} MB")
    ratio = median(run[0] for run in taken["literal"]) / median(run[0] for run in taken["referee"])
    peak = max(run[1] for run in taken["referee"])
    fast, small = ratio >= TIMES_FASTER, peak < MOST_MEMORY
    print(f"  {ratio:.1f} times faster, target ≥ {TIMES_FASTER:.0f}: {'met' if fast else 'MISSED'}")
    print(f"  peak {peak:.1f} MB, target < {MOST_MEMORY:.0f}: {'met' if small else 'MISSED'}")
    return fast and small


def compare(rounds: int, save: Path | None = None) -> bool:
    """Measures and reports on a save, the real one where it is there."""
    with tempfile.TemporaryDirectory() as folder:
        path = save or (WARSAW if WARSAW.exists() else generated(Path(folder)))
        return report(path, measure(path, rounds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("save", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--one", choices=sorted(READERS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        decode_once(options.one, options.save)
        return
    raise SystemExit(0 if compare(options.rounds, options.save) else 1)


if __name__ == "__main__":
    main()
