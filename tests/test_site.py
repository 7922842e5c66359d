"""The site of docs: every page is in its navigation, every rule on its pages, a broken link is found, and its search works
from a disk."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.rulebooks.coverage import coverage_json
from referee.rulebooks.registry import load_rulebook, rulebook_ids
from tests.browser import CHROMIUM, chromium
from tests.check_site import faults
from tests.conftest import ROOT
from tests.write_site import write

BUILT = ROOT / "build" / "site"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as `.ci/site` has them written."""
    folder = tmp_path_factory.mktemp("site") / "pages"
    write(folder)
    return folder


def named(nav: Any) -> Iterator[str]:
    """The pages a navigation names."""
    if isinstance(nav, str):
        yield nav
    for each in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from named(each)


def test_every_page_is_in_the_navigation(pages: Path) -> None:
    nav = set(named(tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]))
    assert {page for page in nav if not (pages / page).is_file()} == set()
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - nav == set()


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_numbered_rule_is_on_a_page_with_its_words_and_examples(pages: Path, rulebook: str) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (pages / "rules").glob(f"{rulebook}-*.md"))
    document = coverage_json(load_rulebook(rulebook))
    rules = [*document["further"], *(rule for entry in document["rules"] for rule in entry["rules"])]
    assert len(rules) > 50
    for rule in rules:
        assert f"### {rule['title']} (`{rule['key']}`)" in text, rule["key"]
    assert text.count("**Legal:**") > 20 and text.count("**Illegal:**") > 20
    assert "*Legal:*" in text


def test_an_illegal_form_is_shown_with_what_is_found(pages: Path) -> None:
    text = (pages / "rules" / "sfb-cadet-energy.md").read_text(encoding="utf-8")
    assert (
        "Finding at B11: 25 points spent, 22 available with batteries: over by 3. Fix: cut 3 points, for example"
        in text
    )


def test_a_broken_link_and_another_host_are_found(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        '<a href="gone.html">a</a><a href="#nowhere">b</a><a href="https://vassalengine.org">c</a>'
        '<img src="https://example.org/a.png"><a href="other.html#here">d</a>',
        encoding="utf-8",
    )
    (tmp_path / "other.html").write_text('<h1 id="here">x</h1>', encoding="utf-8")
    (tmp_path / "a.css").write_text("@font-face { src: url(https://example.org/f.woff) }", encoding="utf-8")
    assert sorted(faults(tmp_path)) == [
        "a.css takes https://example.org/f.woff from another host",
        "index.html takes https://example.org/a.png from another host",
        "index.html: #nowhere: no such heading",
        "index.html: gone.html: no such file",
    ]


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
@pytest.mark.skipif(not (BUILT / "index.html").exists(), reason="the site is not built here (.ci/site)")
def test_search_works_without_a_server_and_nothing_leaves_the_disk(tmp_path: Path) -> None:
    with chromium(tmp_path) as page:
        for wide in (1280, 390):
            page.open(BUILT / "index.html", wide=wide)
            assert page.run("document.documentElement.scrollWidth <= innerWidth")
            page.run("document.querySelector('.md-search__button').click()")
            time.sleep(0.5)
            page.call("Input.insertText", text="acceleration")
            until = time.monotonic() + 20
            while (not (found := page.run(RESULTS)) or "B3.0-14" not in found) and time.monotonic() < until:
                time.sleep(0.1)
            assert "B3.0-14/acceleration" in found
            assert [each for each in page.asked if not each.startswith(("file:", "data:"))] == []
            assert page.said == []


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
@pytest.mark.skipif(not (BUILT / "index.html").exists(), reason="the site is not built here (.ci/site)")
def test_commands_and_the_words_behind_them_are_seen_without_scrolling(tmp_path: Path) -> None:
    with chromium(tmp_path) as page:
        for name in ("mail", "trek", "vassal", "umpire"):
            for wide in (1280, 390):
                page.open(BUILT / f"{name}.html", wide=wide)
                assert page.run("document.querySelectorAll('.language-sh code').length") > 0
                assert page.run(CUT_OFF) == [], (name, wide)


CUT_OFF = """[...document.querySelectorAll('.language-sh code, .language-sh pre')]
    .filter(block => block.scrollWidth > block.clientWidth + 1).map(block => block.textContent)"""
"""Blocks of commands that have to be scrolled sideways."""

RESULTS = (
    "[...document.querySelectorAll('*')].map(e => e.shadowRoot ? e.shadowRoot.textContent : '').join(' ')"
)
"""What the box of the search shows."""
