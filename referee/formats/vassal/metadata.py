"""The two small XML entries that say which module, versions and comment a file has."""

from __future__ import annotations

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.formats.limits import MAX_METADATA_ELEMENTS
from referee.formats.vassal.xml import parse_xml


@frozen
class Metadata:
    """What a `savedata` or `moduledata` entry says; absent parts are empty."""

    version: str = ""
    vassal_version: str = ""
    name: str = ""
    description: str = ""
    saved: str = ""


_TAGS = {
    "version": "version",
    "VassalVersion": "vassal_version",
    "name": "name",
    "description": "description",
    "dateSaved": "saved",
}


def read_metadata(data: bytes | None, file: str, entry: str) -> Metadata | None:
    """The metadata, or None for a file without; broken metadata is BadInput."""
    if data is None:
        return None
    root = parse_xml(data, file, entry, max_elements=MAX_METADATA_ELEMENTS)
    if root.tag != "data":
        raise BadInput("metadata does not start with <data>", file=file, place=entry)
    found: dict[str, str] = {}
    for child in root:
        # Translations repeat an element with a lang attribute; the plain one is the original.
        part = _TAGS.get(str(child.tag))
        if part and part not in found and child.get("lang") is None:
            found[part] = (child.text or "").strip()
    return Metadata(**found)
