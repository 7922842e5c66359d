"""Checks the built site: `python -m tests.check_site build/site`. Every link inside leads to a page and a heading that
are there, and no page takes anything from another host."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import html

FETCHED = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "link": "href",
}
"""What a browser fetches by itself, and where the address stands. An `a` only leads somewhere."""
NOT_FETCHED = {"canonical", "alternate", "next", "prev", "edit"}


def faults(site: Path) -> Iterator[str]:
    """What is wrong with the site, page by page."""
    pages = {page.resolve(): html.fromstring(page.read_bytes()) for page in sorted(site.rglob("*.html"))}
    if not pages:
        yield f"{site} holds no page"
    for page, tree in pages.items():
        name = page.relative_to(site.resolve())
        for element in tree.iter():
            if not isinstance(element.tag, str):
                continue
            if element.tag in FETCHED and element.get("rel") not in NOT_FETCHED:
                address = element.get(FETCHED[element.tag], "")
                if urlsplit(address).netloc:
                    yield f"{name} takes {address} from another host"
            for attribute in ("href", "src"):
                address = element.get(attribute)
                if address and name.name != "404.html" and (fault := leads_nowhere(address, page, pages)):
                    yield f"{name}: {address}: {fault}"
    for style in sorted(site.rglob("*.css")):
        for address in re.findall(
            r"(?:url\(|@import )[\"']?((?:https?:)?//[^\"')]+)", style.read_text("utf-8")
        ):
            yield f"{style.relative_to(site)} takes {address} from another host"


def leads_nowhere(address: str, page: Path, pages: dict[Path, html.HtmlElement]) -> str:
    """Why a link inside the site leads nowhere; empty where it does, or leaves the site."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return ""
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return "no such file"
    anchor = unquote(parts.fragment)
    if anchor and target in pages and not pages[target].xpath("//*[@id=$id or @name=$id]", id=anchor):
        return "no such heading"
    return ""


if __name__ == "__main__":
    found = list(faults(Path(sys.argv[1])))
    sys.stderr.write("".join(f"{fault}\n" for fault in found))
    sys.exit(bool(found))
