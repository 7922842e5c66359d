"""Lines added to an orders file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.formats.files import read_bytes, write_file
from referee.formats.orderfiles import MAX_ORDERS_FILE

if TYPE_CHECKING:
    from referee.sources.inputs import InputBytes


def added_to(source: InputBytes, text: str) -> None:
    """Puts lines at the end of a file: a new file, whole, in its place. Raises BadInput where that is not the file
    that was read any more."""
    if source.name == "-":
        raise BadInput("standard input cannot be written to", hint="name a file, or leave --play out")
    end = "\r\n" if b"\r\n" in source.data else "\n"
    more = text.replace("\n", end).encode()
    whole = source.data + (b"" if source.data.endswith(b"\n") else end.encode()) + more
    if len(whole) > MAX_ORDERS_FILE:
        raise BadInput(f"would be larger than {MAX_ORDERS_FILE} bytes", file=source.name)
    if read_bytes(source.name, MAX_ORDERS_FILE) != source.data:
        raise BadInput("was changed meanwhile", file=source.name, hint="try again; nothing was written")
    write_file(Path(source.name), whole)
