"""Walks untrusted XML once: no DTD, no entities, UTF-8, bounded depth, elements and attributes."""

from __future__ import annotations

from typing import Protocol
from xml.parsers import expat

from referee.core.errors import BadInput
from referee.formats.limits import MAX_XLSX_PART, MAX_XML_ATTRIBUTES, MAX_XML_DEPTH, MAX_XML_ELEMENTS

# All parts together, since they are all held until the workbook is read.
MAX_XML_BYTES = 2 * MAX_XLSX_PART


class Watcher(Protocol):
    """What looks on while a document is walked; names carry their prefix."""

    def start(self, name: str, attributes: dict[str, str]) -> None: ...

    def end(self, name: str) -> None: ...

    def text(self, text: str) -> None: ...


class Silent:
    """Looks at nothing: for parts that must only be harmless."""

    __slots__ = ()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Nothing."""

    def end(self, name: str) -> None:
        """Nothing."""

    def text(self, text: str) -> None:
        """Nothing."""


class XmlScreen:
    """The bounds of one file: bytes and elements are counted over all its parts together."""

    __slots__ = ("_bytes", "_depth", "_elements", "_file", "_member")

    def __init__(self, file: str) -> None:
        self._file = file
        self._member = ""
        self._depth = 0
        self._elements = 0
        self._bytes = 0

    def walk(self, data: bytes, member: str, watcher: Watcher) -> None:
        """Show every element of a part to the watcher, or raise BadInput naming part and line."""
        self._member, self._depth = member, 0
        self._bytes += len(data)
        if self._bytes > MAX_XML_BYTES:
            raise self._bad(f"unpacks to more than {MAX_XML_BYTES} bytes with the parts before it")
        # Seen in plain bytes because the parser takes them for UTF-8, whatever they declare.
        for mark in (b"<!DOCTYPE", b"<!ENTITY"):
            if mark in data:
                raise self._bad("XML with a document type or entities is refused")
        parser = expat.ParserCreate("UTF-8")
        parser.buffer_text = True
        parser.XmlDeclHandler = self._declaration
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._doctype

        def start(name: str, attributes: dict[str, str]) -> None:
            self._enter(attributes)
            watcher.start(name, attributes)

        def end(name: str) -> None:
            self._depth -= 1
            watcher.end(name)

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = watcher.text
        try:
            # In one piece: expat before 2.6 takes quadratic time over a long token fed in pieces.
            parser.Parse(data, True)
        except expat.ExpatError as error:
            raise self._bad(f"damaged XML at line {error.lineno}") from None

    def _enter(self, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._elements += 1
        if self._depth > MAX_XML_DEPTH:
            raise self._bad(f"XML nested deeper than {MAX_XML_DEPTH}")
        if self._elements > MAX_XML_ELEMENTS:
            raise self._bad(f"more than {MAX_XML_ELEMENTS} XML elements")
        if len(attributes) > MAX_XML_ATTRIBUTES:
            raise self._bad(f"XML element with more than {MAX_XML_ATTRIBUTES} attributes")

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.lower() != "utf-8":
            raise self._bad("XML that is not UTF-8 is refused")

    def _doctype(self, *_: object) -> None:
        raise self._bad("XML with a document type or entities is refused")

    def _bad(self, reason: str) -> BadInput:
        return BadInput(reason, file=self._file, place=self._member)
