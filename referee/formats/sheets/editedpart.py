"""A part of a workbook as a tree that is changed and stored again."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.formats.archive import Archive
from referee.formats.limits import MAX_XLSX_PART

if TYPE_CHECKING:
    from lxml.etree import _Element

Figures = Mapping[tuple[int, int], Fraction]
"""Figures by row and column, both from 0."""


def parsed(archive: Archive, part: str) -> _Element:
    """A part of a workbook as a tree, comments and all; no entity is resolved, nothing is fetched."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False)
    try:
        root = etree.fromstring(archive.read(part, MAX_XLSX_PART), parser)
    except etree.XMLSyntaxError:
        raise BadInput("is not well-formed XML", file=archive.file, place=part) from None
    if root.getroottree().docinfo.doctype:  # type: ignore[union-attr]
        raise BadInput("XML with a document type is refused", file=archive.file, place=part)
    return root


def unparsed(root: _Element) -> bytes:
    """A part as it is stored."""
    from lxml import etree

    text = etree.tostring(root.getroottree(), encoding="UTF-8")
    assert isinstance(text, bytes)
    head, body = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n', text
    return head + (body.partition(b"?>")[2].lstrip() if body.startswith(b"<?xml") else body)


def figure_text(figure: Fraction | float) -> str:
    """A figure as a workbook stores it."""
    return str(int(figure)) if figure == int(figure) else repr(float(figure))
