"""From a file to the game it holds, to be looked at position by position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.errors import BadInput

if TYPE_CHECKING:
    from referee.core.positions import PlayedGame
    from referee.sources.asked import Asked
    from referee.sources.inputs import InputBytes


def is_game(source: InputBytes, asked: Asked) -> bool:
    """Is a file a game with more than one position: a log, a record, an orders file?"""
    if source.kind == "save":
        from referee.formats.vassal.game import read_save

        return read_save(source.data, source.name, asked.encoding).kind == "log"
    from referee.formats.orderfiles import is_orders, is_play

    return source.is_record or (source.kind == "text" and (is_play(source.data) or is_orders(source.data)))


def played_game(source: InputBytes, asked: Asked, step: int | None = None) -> PlayedGame:
    """The game in a file; of a log every step, or those up to one. Raises BadInput for a file that holds none."""
    if asked.side and not source.is_record:
        raise BadInput("is no record", file=source.name, hint="--as is for records with secrets")
    if asked.forms or asked.targets:
        from referee.judging.files import must_be_asked_of

        must_be_asked_of(source, asked)
    if source.kind == "save":
        from referee.formats.vassal.game import read_save

        save = read_save(source.data, source.name, asked.encoding)
        if save.kind == "log":
            from referee.judging.log_positions import log_played

            return log_played(source, asked, save, step)
        if step is None:
            from referee.judging.save_positions import save_played

            return save_played(source, asked, save)
    if step is not None:
        raise BadInput("has no steps", file=source.name, hint="--step is for VASSAL logs")
    if source.is_record:
        from referee.judging.record_positions import record_played

        return record_played(source, asked)
    from referee.formats.orderfiles import is_orders, is_play

    if source.kind == "text" and is_play(source.data):
        from referee.judging.play_positions import play_played

        return play_played(source, asked)
    if source.kind == "text" and is_orders(source.data):
        from referee.judging.orders_positions import orders_played

        return orders_played(source, asked)
    hint = "a save, a log, a record, or an orders file that begins with its ships"
    raise source.no("no game to look at", hint)
