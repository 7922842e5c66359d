"""Frozen behaviour: what was found in some thousands of generated games, logs and forms, as one line each.

`python -m tests.frozen.write` writes the lines anew; the difference is read like code.
"""
