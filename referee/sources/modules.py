"""Which VASSAL module names the hexes and the turns of a save or log: the one named, else the one beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.finding import Finding, Severity
from referee.core.location import Location
from referee.sources.asked import Asked, note
from referee.sources.inputs import read_input

if TYPE_CHECKING:
    from referee.formats.vassal.game import Save
    from referee.formats.vassal.module import Module


def module_of(asked: Asked) -> Module | None:
    """The module named with `--module`."""
    if not asked.module:
        return None
    from referee.formats.vassal.module import read_module

    source = read_input(asked.module)
    return read_module(source.data, source.name)


def module_beside(save: Save, asked: Asked) -> tuple[Module | None, tuple[Finding, ...]]:
    """The module named, and whether it is the wrong one; else the only one beside the file if it is the file's,
    and that it was used."""
    if asked.module or save.file.startswith("-"):
        module = module_of(asked)
        return module, tuple(module_remarks(module, save)) if module else ()
    beside = sorted(Path(save.file).parent.glob("*.vmod"))[:2] if Path(save.file).is_file() else []
    wanted = save.module.name if save.module else ""
    if len(beside) > 1:
        names = " nor ".join(path.name for path in beside)
        return None, (_note(f"neither {names} beside it is used: --module says which", save),)
    if not beside or not wanted:
        return None, ()
    try:
        module = module_of(replace(asked, module=str(beside[0])))
    except BadInput:
        return None, ()
    if module is None or module.name != wanted:
        return None, ()
    what = "hexes" if save.kind == "log" else "turns"
    return module, (_note(f"{what} are named by {beside[0].name}, which lies beside it", save),)


def module_remarks(module: Module, save: Save) -> Iterator[Finding]:
    """What tells that a module is not that of a save or log: undecided where it has none of its maps, or not
    their boards, a warning where it is called otherwise, a note where it is another version."""
    stored = save.module
    name, version = (stored.name, stored.version) if stored else ("", "")
    lacks = _lacking(module, save)
    other = bool(name and module.name and name != module.name)
    older = bool(version and module.version and version != module.version)
    if not (lacks or other or older):
        return
    here = f"{module.name or module.file} {module.version}".strip()
    its = f", the file is of {name} {version}".rstrip() if other or older else ""
    severity = Severity.UNDECIDED if lacks else Severity.WARNING if other else Severity.NOTE
    yield Finding(
        "NOTE/module",
        severity,
        f"{Path(module.file).name} is the module {here}{its}" + (f"; it has no {lacks}" if lacks else ""),
        location=Location(save.file),
        fix="" if severity is Severity.NOTE else f"give --module the file of {name or 'its own module'}",
    )


def _lacking(module: Module, save: Save) -> str:
    """A map of the file's counters, or a board on one, that a module does not have; nothing where it has one of
    the maps and all boards on it."""
    lying = {piece.map for piece in save.pieces if piece.map and piece.facings}
    known = {name for name in lying if module.map(name)}
    if lying and not known:
        return f"map {min(lying)}"
    for chosen in save.boards:
        there = module.map(chosen.map)
        boards = {board.name for board in there.boards} if there else set()
        for board in chosen.boards if chosen.map in known else ():
            if board.name not in boards:
                return f"board {board.name} on {chosen.map}"
    return ""


def _note(message: str, save: Save) -> Finding:
    return note("module", message, "", location=Location(save.file))
