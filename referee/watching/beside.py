"""What lies beside a log that is watched: its replay as a page, and its game as a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from referee.core.errors import BadInput
from referee.formats.files import read_bytes, write_file
from referee.formats.limits import MAX_SAVED_GAME
from referee.judging.played_games import is_game, played_game
from referee.play.log_record import kept_record
from referee.report.replayhtml import is_replay, replay_html
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes

HEAD = 4096
"""Bytes of a page that tell whose it is."""


class Fault(str):
    """What there is to say where page or record could not be written."""

    __slots__ = ()


class FilesBeside:
    """The page and the record of each log; of one record where it is named."""

    def __init__(self, asked: Asked, players: Sequence[str] = (), record: str = "") -> None:
        self.asked, self.players, self.record = asked, players, record
        self._last_news: dict[str, str] = {}

    def keep(self, source: InputBytes) -> Iterator[str]:
        """Brings page and record of a log up to date, and yields what is new to say. A save is a position, and has
        neither."""
        if not is_game(source, self.asked):
            return
        path = Path(source.name).with_suffix(".html")
        for keep in (self._page, self._record):
            try:
                news = keep(source, path)
            except BadInput as error:
                news = Fault(error)
            if news and self._last_news.get(f"{keep.__name__} {source.name}") != news:
                self._last_news[f"{keep.__name__} {source.name}"] = news
                yield news

    def _page(self, source: InputBytes, path: Path) -> str:
        if path.is_symlink() or (path.exists() and not is_replay(_beginning(path))):
            raise BadInput(
                "is no replay page of this program and stays as it is",
                file=str(path),
                hint="give it another name",
            )
        write_file(path, replay_html(played_game(source, self.asked)).encode())
        return f"{path}: its replay"

    def _record(self, source: InputBytes, path: Path) -> str:
        return kept_record(self.record or str(path.with_suffix(".jsonl")), source, self.asked, self.players)


def _beginning(path: Path) -> str:
    """The beginning of a page. Raises BadInput for what is no file."""
    return read_bytes(path, 8 * MAX_SAVED_GAME)[:HEAD].decode("utf-8", "replace")
