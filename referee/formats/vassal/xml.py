"""Small hardened XML reading: no document types, no entities, bounded size; UTF-8 only. And the two small entries that
say which module, versions and comment a file has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.formats.limits import (
    MAX_METADATA_ELEMENTS,
    MAX_XML_ATTRIBUTES,
    MAX_XML_DEPTH,
    MAX_XML_ELEMENTS,
)

if TYPE_CHECKING:
    from lxml.etree import _Element

_DECLARED = (b"encoding='utf-8'", b'encoding="utf-8"')


def parse_xml(
    data: bytes,
    file: str,
    place: str,
    *,
    max_elements: int = MAX_XML_ELEMENTS,
    max_attributes: int = MAX_XML_ATTRIBUTES,
) -> _Element:
    """The root element; BadInput names the entry, and the line where it is known."""
    _screen(data, file, place)

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        dtd_validation=False,
        remove_pis=True,
        remove_comments=True,
        encoding="utf-8",
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line = f"{place} line {error.lineno}" if error.lineno else place
        raise BadInput("is not well-formed XML", file=file, place=line) from None
    if root.getroottree().docinfo.doctype:  # type: ignore[union-attr]
        raise BadInput("XML with a document type is refused", file=file, place=place)
    _bound(root, file, place, max_elements, max_attributes)
    return root


def _screen(data: bytes, file: str, place: str) -> None:
    """Refuses by the bytes alone what the parser must not even see."""
    for mark in (b"<!DOCTYPE", b"<!ENTITY"):
        if mark in data or mark.lower() in data.lower():
            raise BadInput("XML with a document type or entities is refused", file=file, place=place)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput("XML is not UTF-8", file=file, place=f"{place} byte {error.start}") from None
    head = data[:200].lower()
    if b"\0" in data:
        raise BadInput("XML holds a NUL character", file=file, place=place)
    if head.startswith(b"<?xml") and b"encoding" in head.split(b"?>")[0]:
        declaration = head.split(b"?>")[0].replace(b" ", b"")
        if not any(declared in declaration for declared in _DECLARED):
            raise BadInput("XML is not UTF-8", file=file, place=place)
    # A first guess by bytes, before a tree is built from millions of empty elements.
    if data.count(b"<") > 3 * MAX_XML_ELEMENTS:
        raise BadInput(f"XML with more than {MAX_XML_ELEMENTS} elements", file=file, place=place)


def _bound(root: _Element, file: str, place: str, max_elements: int, max_attributes: int) -> None:
    count = 0
    level = [root]
    for _ in range(MAX_XML_DEPTH):
        if not level:
            return
        count += len(level)
        if count > max_elements:
            raise BadInput(f"XML with more than {max_elements} elements", file=file, place=place)
        for element in level:
            if len(element.attrib) > max_attributes:
                reason = f"XML element with more than {max_attributes} attributes"
                raise BadInput(reason, file=file, place=f"{place} line {element.sourceline}")
        level = [child for element in level for child in element]
    if level:
        raise BadInput(f"XML nested deeper than {MAX_XML_DEPTH} levels", file=file, place=place)


# -- which module, versions and comment a file has ------------------------------------------


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
