"""The record of a log that is still being written: taken from it anew each time, until somebody plays on in it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput, IntegrityFailure
from referee.formats.files import write_file
from referee.play.append import append_begun, signed_here
from referee.play.game_file import Game, game_of, open_game
from referee.play.rulebook import rulebook_of
from referee.play.start import Terms, chained, entries_taken
from referee.play.taken import begin_from, source_taken
from referee.record.chain import entry_line
from referee.record.entrytypes import check_shapes
from referee.record.machine import now
from referee.record.names import check_names
from referee.record.recordfile import locked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.sources.asked import Asked
    from referee.sources.inputs import InputBytes


def kept_record(path: str, source: InputBytes, asked: Asked, who: Sequence[str]) -> str:
    """Begins the record of a log, or brings it up to date; what there is to say of it, nothing where it is of another
    log. Raises BadInput where it is not known who plays, or where somebody has played on in it."""
    if not Path(path).exists():
        begun = begin_from(source.name, Terms(path, [], "solo", "", "", "", False), asked, who)
        append_begun(path, begun)
        left = f"; {len(begun.left_out)} things of the log are not in it" if begun.left_out else ""
        return f"{path}: its record{left}"
    size = Path(path).stat().st_size
    game = open_game(path)
    taken = game.state.genesis.get("from")
    if taken is None or taken["file"] != Path(source.name).name:
        raise BadInput(f"is no record of {source.name} and stays as it is", file=path, hint="--game NAME")
    if taken["sha256"] == source.sha256:
        return ""
    if len(game.entries) - 1 > taken["lines"]:
        hint = "referee game new --from begins another"
        raise BadInput("is played on: what is new in the log is not taken into it", file=path, hint=hint)
    _take_anew(path, game, size, source, asked, who)
    return ""


def _take_anew(
    path: str, game: Game, size: int, source: InputBytes, asked: Asked, who: Sequence[str]
) -> None:
    """Writes a record anew, with its name, its players and their keys, and all that the log shows now."""
    game.must_have_its_rules()
    genesis: dict[str, Any] = {name: value for name, value in game.entries[0].data.items() if name != "from"}
    settings = replace(asked.settings, rulebook=genesis["rulebook"], options=dict(genesis.get("options", {})))
    _, _, shown = source_taken(source, list(genesis["players"]), replace(asked, settings=settings), who)
    genesis, new, _ = entries_taken(shown, genesis, rulebook_of(genesis))
    entries = chained(genesis, new, now())
    check_shapes(entries)
    try:
        game_of(path, entries)
        check_names(entries)
    except IntegrityFailure as error:
        raise BadInput(error.reason, file=path, hint="it stays as it was") from None
    sigs = signed_here(path, entries, 1, {}) if "signers" in genesis else {}
    lines = b"".join(entry_line(replace(entry, sigs=sigs.get(entry.hash, entry.sigs))) for entry in entries)
    # Whoever appends meanwhile waits for the lock, and then opens the file that has the name.
    with locked(path, os.O_RDWR) as descriptor:
        if os.fstat(descriptor).st_size != size:
            raise BadInput("was written to meanwhile and stays as it is", file=path)
        write_file(Path(path), lines)
