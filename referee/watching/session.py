"""A folder followed to its end: what is asked is held before the first look."""

from __future__ import annotations

import time
from functools import partial

from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.watching.beside import Beside
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
    from referee.sources.saves import map_of

    map_of(asked)
    keep = None if only_judge else Beside(asked, players, record).keep
    watch = Watch(folder, partial(judge_file, asked=asked), listener, keep=keep)
    if not once:
        listener.line(f"watching {folder}; Ctrl-C ends it")
    follow(watch, time.sleep, lambda: once and watch.rests)
