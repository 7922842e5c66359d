"""`referee.check`, `referee.read` and `referee.verify`."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path as Folder

from referee.api.asking import Names, Options, names_in, settings_for
from referee.core.finding import Report
from referee.core.forms import EnergyForm
from referee.core.orders import OrdersFile
from referee.core.ship import ShipClass
from referee.formats.orderfiles import is_orders, is_play
from referee.formats.orders import read_orders
from referee.formats.sfbol_games import PlayedGame, read_play
from referee.formats.strictjson import load_json
from referee.formats.vassal.game import Save, read_save
from referee.formats.vassal.module import Module, read_module
from referee.judging.files import judge_file
from referee.judging.folders import files_meant, of_all
from referee.judging.parallel_check import judged
from referee.record.chain import Entry
from referee.record.headcode import parse_head
from referee.record.reading import Verified
from referee.record.reading import read as read_record
from referee.record.reading import verify as verified
from referee.rulebooks.registry import load_ship
from referee.sources.asked import Asked
from referee.sources.confirmed import use_folder
from referee.sources.forms import read_forms
from referee.sources.inputs import read_input
from referee.sources.ship_files import read_ship

Path = str | PathLike[str]
Contents = (
    tuple[EnergyForm, ...]
    | OrdersFile
    | Save
    | Module
    | ShipClass
    | tuple[Entry, ...]
    | tuple[PlayedGame, ...]
)
"""What a file can hold: energy forms, orders, a VASSAL save or log, a module, a ship, the entries of a record, the games
of an online client's log."""


def check(
    path: Path,
    *,
    rulebook: str = "",
    ship: Names = (),
    option: Options | None = None,
    house: str = "",
    state: Path = "",
    game: Path = "",
    module: Path = "",
    map: Path = "",
    form: Names = (),
) -> Report:
    """The report on a file of any kind: its verdict, its findings, what was not checked; on a folder, one on all files of
    games in it, each of which `files` has.

    Raises BadInput for a file that cannot be read, IntegrityFailure for a record that does not verify.

    >>> report = check("examples/duel/constellation.csv")
    >>> report.verdict.value
    'illegal'
    >>> report.findings[0].rule, report.findings[0].location.cell
    ('B3.0-20', 'B14')
    """
    asked = Asked(
        settings_for(rulebook, option, house),
        names_in(ship),
        state=fspath(state),
        module=fspath(module),
        map=fspath(map),
        game=fspath(game),
        forms=names_in(form),
    )
    name = fspath(path)
    if Folder(name).is_dir():
        files, others, _ = files_meant([name], "")
        return of_all(zip(files, judged(files, asked), strict=True), (), others)[0]
    return judge_file(read_input(name), asked)


def read(path: Path, *, ship: Names = (), rulebook: str = "") -> Contents:
    """What a file holds, read but not judged. Raises BadInput for one that cannot be read."""
    use_folder()
    source = read_input(fspath(path))
    if source.kind == "save":
        return read_save(source.data, source.name)
    if source.kind == "module":
        return read_module(source.data, source.name)
    if source.kind == "json":
        if source.is_record:
            return tuple(read_record(source.name))
        data = load_json(source.data, source.name)
        kind = str(data.get("schema", "")) if isinstance(data, dict) else ""
        if kind.startswith("referee/ship/"):
            return read_ship(source)
    if source.kind == "text" and is_play(source.data):
        return tuple(read_play(source.data, source.name))
    if source.kind == "text" and is_orders(source.data):
        return read_orders(source.data, source.name, load_ship)
    return read_forms(source, Asked(settings_for(rulebook), names_in(ship)))


def verify(path: Path, *, head: str = "") -> Verified:
    """Checks every line of a record's chain, and with `head`, a head code given before, that nobody rewrote or
    cut it since. Raises IntegrityFailure, TornTail or BadInput."""
    return verified(path, parse_head(head) if head else None)
