"""A file of any kind the referee reads: what it is, by its content, and its bytes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.once import pattern
from referee.formats.files import other_than_text, read_bytes

Kind = Literal["save", "module", "workbook", "json", "text"]
_BEGINS = 1 << 16  # bytes
READ = "forms (csv, xlsx, json), orders (txt), saves and logs (vsav, vlog) and records (jsonl) are read"
"""What is said where a file is of no kind that is read."""
_JSON = pattern(rb"\s*(?:\{|\[\s*(?:[\[\]{\"]|$|-?[0-9][0-9.eE+-]*\s*(?:[,\]]|$)|true\b|false\b|null\b))")
"""How JSON begins: text may begin with a bracket, too, as one around a time."""
_SCHEMA = pattern(rb'"schema"\s{0,9}:\s{0,9}"(referee/[a-z0-9/-]{1,60})"')
_WIDE_WITHOUT_MARK = pattern(rb"(?:[^\0]\0){4}|(?:\0[^\0]){4}")


@frozen
class InputBytes:
    """A file's bytes under the name it is reported by; `piped` ones came through standard input, and no file has them."""

    name: str
    data: bytes
    kind: Kind
    piped: bool = False

    @property
    def suffix(self) -> str:
        """The suffix of the name, in lower case: `.csv`."""
        return Path(self.name).suffix.lower()

    @property
    def is_record(self) -> bool:
        """Is it a game record: by its suffix, or where it was piped by its first line?"""
        return self.suffix == ".jsonl" or (
            self.piped and b'"type":"genesis"' in self.data.partition(b"\n")[0]
        )

    @property
    def what(self) -> str:
        """What it is, as a person would say."""
        if all(sign in self.data[:_BEGINS] for sign in (b'"prev":"', b'"hash":"')):
            return "a game record"
        if self.kind == "json":
            found = _SCHEMA.search(self.data)
            return f"JSON ({found[1].decode()})" if found else "JSON that names no schema of ours"
        if self.kind != "text":
            return {"save": "a VASSAL save or log", "module": "a VASSAL module"}.get(self.kind, "a workbook")
        if self.suffix == ".toml":
            return "a file of house rules or settings"
        from referee.formats.orderfiles import is_orders, is_play

        if is_play(self.data):
            return "a log of the online client"
        if is_orders(self.data):
            return "an orders file"
        from referee.sources.asked import is_form

        text = "a page of text" if self.suffix == ".md" else "text"
        return "an energy form" if is_form(self.data, self.name, self.suffix) else text

    @property
    def taken_by(self) -> str:
        """The command that takes it, as a hint; nothing where none does."""
        from referee.formats.orderfiles import places_ships

        if self.what == "an orders file" and not places_ships(self.data):
            return f"referee game apply GAME {self.name} plays it"
        judged = self.kind != "module" and "text" not in self.what and self.suffix != ".toml"
        return f"referee check {self.name} judges it" if judged else ""

    def no(self, wanted: str, hint: str) -> BadInput:
        """The error for a file of another kind than is wanted."""
        return BadInput(f"is {self.what}, {wanted}", file=self.name, hint=hint)

    def as_json(self, wanted: str, hint: str) -> object:
        """What it holds. Raises BadInput for a file of another kind than is wanted; the hint is for what nothing takes."""
        from referee.formats.strictjson import load_json

        if not self.what.startswith("JSON"):
            raise self.no(wanted, self.taken_by or hint)
        return load_json(self.data, self.name)

    @property
    def sha256(self) -> str:
        """The hex SHA-256 of the bytes."""
        import hashlib

        return hashlib.sha256(self.data).hexdigest()


def read_input(path: str, stdin_name: str = "-", read: str = READ) -> InputBytes:
    """A file, or standard input for `-`. Raises BadInput for what cannot be read."""
    from referee.formats.limits import MAX_MODULE_FILE, MAX_SAVE_FILE

    name = stdin_name if path == "-" else path
    suffix = Path(name).suffix.lower()
    limit = MAX_MODULE_FILE if suffix in (".vmod", ".mod", ".vmdx") else MAX_SAVE_FILE
    if path == "-":
        if sys.stdin is None:
            raise BadInput("standard input is closed", file=name)
        data = sys.stdin.buffer.read(limit + 1)
        if len(data) > limit:
            raise BadInput(f"is larger than {limit >> 20} MiB", file=name)
    else:
        data = read_bytes(path, limit)
    if not data:
        raise BadInput("is empty", file=name, hint=read)
    return InputBytes(name, data, _kind(data, name, suffix), piped=path == "-")


def _kind(data: bytes, name: str, suffix: str) -> Kind:
    if data.startswith(b"PK"):
        if suffix in (".vmod", ".mod", ".vmdx"):
            return "module"
        if suffix in (".xlsx", ".ods"):
            return "workbook"
        if suffix in (".vsav", ".vlog", ".sav", ".log"):
            return "save"
        return _kind_of_zip(data, name)
    if what := other_than_text(data):
        raise BadInput(f"is {what}", file=name, hint=READ)
    if suffix in (".vsav", ".vlog", ".vmod", ".vmdx", ".xlsx", ".ods"):
        kind = "VASSAL file" if suffix.startswith(".v") else f"{suffix[1:].upper()} workbook"
        raise BadInput(f"is not a {kind}: not a zip archive", file=name, hint="was it cut short, or renamed?")
    if _WIDE_WITHOUT_MARK.match(data):
        reason = "is UTF-16 without the mark that such text begins with"
        raise BadInput(reason, file=name, hint="save it as UTF-8")
    return "json" if suffix == ".json" or _JSON.match(data) else "text"


def _kind_of_zip(data: bytes, name: str) -> Kind:
    from referee.formats.archive import Archive
    from referee.formats.limits import MAX_MODULE_ENTRIES

    names = Archive(data, name, max_entries=MAX_MODULE_ENTRIES, narrow_names=False).names
    if "savedGame" in names:
        return "save"
    if "buildFile.xml" in names or "buildFile" in names:
        return "module"
    if "xl/workbook.xml" in names or "content.xml" in names:
        return "workbook"
    raise BadInput("is a zip archive of no kind known here", file=name, hint="a save, a module or a workbook")
