"""A folder followed to its end: what is asked is held before the first look."""

from __future__ import annotations

import time

from referee.core.finding import Report
from referee.judging.files import judge_file
from referee.logs.standing import Standing
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes
from referee.sources.saves import map_of
from referee.watching.beside import FilesBeside
from referee.watching.folder import SUFFIXES, look_into
from referee.watching.watch import Listener, Watch, follow


def session(
    folder: str,
    asked: Asked,
    listener: Listener,
    players: tuple[str, ...] = (),
    record: str = "",
    *,
    only_judge: bool = False,
    once: bool = False,
) -> None:
    """Follows a folder until it is interrupted, or `once` until all of it is judged. Raises BadInput for a folder, module or map that cannot be read."""
    map_of(asked)
    keep = None if only_judge else FilesBeside(asked, players, record).keep
    watch = Watch(folder, Judge(asked), listener, keep=keep)
    if not look_into(folder)[0]:
        *names, last = SUFFIXES
        taken = f"files called {', '.join(names)} or {last} are judged"
        listener.line(f"{folder}: no save or log is in it; {taken}, all else is for referee check")
    if not once:
        listener.line(f"watching {folder}; Ctrl-C ends it")
    follow(watch, time.sleep, lambda: once and watch.rests)


GAMES = 4
"""The number of logs, judged last, whose judgement is kept to go on from."""


class Judge:
    """Judges files one after another; a log that goes on by what stands of it since it was judged last."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self._standing: dict[str, Standing] = {}

    def __call__(self, source: InputBytes) -> Report:
        standing = self._standing.pop(source.name, None) or Standing()
        report = judge_file(source, self.asked, standing)
        # Only what was judged to its end stands.
        self._standing[source.name] = standing
        if len(self._standing) > GAMES:
            del self._standing[next(iter(self._standing))]
        return report
