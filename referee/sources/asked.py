"""What the player asked of a file, and one form judged: its rows read, its ship and rulebook found."""

from __future__ import annotations

from typing import Any

from referee.core.finding import Finding, Severity
from referee.core.frozen import frozen
from referee.sources.settings import Settings


@frozen
class Asked:
    """What the player said about the files: their ships, states, encoding, module, module map and folder of own data.
    `start` is the turn and impulse a log starts in. `game` is the record a form is of, and `forms` are those beside a
    play-by-play.

    `digests` says whether the report names the files by their hashes, as only programs want, and `pictures` whether
    it has what is drawn beside its findings.
    """

    settings: Settings
    ships: tuple[str, ...] = ()
    state: str = ""
    encoding: str | None = None
    module: str = ""
    digests: bool = True
    map: str = ""
    data: str = ""
    start: tuple[int, int | None] | None = None
    side: str = ""
    game: str = ""
    forms: tuple[str, ...] = ()
    pictures: bool = False
    targets: tuple[str, ...] = ()
    """What seekers of a play-by-play go after, as `SEEKER=SHIP`."""
    part: int = 0
    """Which game of a play-by-play of several is meant; 0 is each."""
    workers: int = 0
    """Processes that may share one file; 0 is as many as pay."""


def note(key: str, message: str, subject: str, **parts: Any) -> Finding:
    """A note of the reader's own, not of a rule."""
    return Finding(key=f"NOTE/{key}", severity=Severity.NOTE, message=message, subject=subject, **parts)
