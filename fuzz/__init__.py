"""Files and messages from strangers, made by a machine that looks which code each one reaches (atheris, libFuzzer).

Each harness is a module of this folder: `take` reads and judges one input, `seeds` are those to begin with, `AIMS` the
code whose lines are counted. `python -m fuzz` runs them; `tests/test_fuzzed.py` plays what was found, without atheris.
"""
