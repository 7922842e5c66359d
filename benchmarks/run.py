"""Every figure of speed the project promises, as ratios measured in this run.

    python benchmarks/run.py [--quick]

Exit code 1 when a target is missed. See README.md here for what is compared with what.
"""

from __future__ import annotations

import argparse
import platform

import decode
import startup


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, rougher figures")
    quick = parser.parse_args().quick
    print(f"Python {platform.python_version()} on {platform.system()} {platform.machine()}\n")
    met = startup.report(startup.measure(7 if quick else 21))
    print()
    met &= decode.compare(3 if quick else 7)
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    main()
