"""`referee game report`: one battle as a page, Markdown, text and JSON."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from referee.play.append import append
from referee.play.desk import Desk
from referee.play.game_file import open_game
from tests.cli.conftest import Run
from tests.conftest import ROOT

CADET = ROOT / "examples" / "games" / "cadet-duel.jsonl"
SOLO = ROOT / "examples" / "games" / "solo-duel.jsonl"
TREK = ROOT / "examples" / "games" / "trek-duel.jsonl"
GOLDEN = Path(__file__).parent / "golden"
WRITES = os.environ.get("REFEREE_WRITE_GOLDEN") == "1"
"""Are the golden texts written anew?"""
NAME = "<img src=x onerror=alert(1)>|`[a](http://x)` \u202e"


class Page(HTMLParser):
    """The tags of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def small(referee: Run, title: str = "A small game") -> str:
    """A game of two impulses with fire, a foul, a ruling and a move taken back."""
    ships = ("--ship", "One=cadet/federation-ca:a@1010D/8", "--ship", "Two=cadet/klingon-d6:b@1013A/8")
    for said in (
        (
            "game",
            "new",
            "g.jsonl",
            "--players",
            "a,b",
            "--umpire",
            "judge",
            "--dice",
            "seed",
            "--seed",
            "small",
            "--title",
            title,
            *ships,
        ),
        ("game", "say", "g.jsonl", "impulse 2", "One: ahead", "Two: ahead", "--force"),
        (
            "game",
            "say",
            "g.jsonl",
            "One: fire PH-1/A, PHOT/A at Two",
            "Two: fire PH-2/A, DISR/A at One",
            "--force",
        ),
        ("game", "resolve", "g.jsonl"),
        ("game", "say", "g.jsonl", "impulse 4", "One: left", "--force"),
        ("game", "undo", "g.jsonl", "--last", "--reason", "ahead was meant", "--agreed", "a,b"),
        ("game", "say", "g.jsonl", "One: ahead", "--force"),
        ("game", "rule", "g.jsonl", "the photon stands", "--by", "judge", "--on", "9"),
    ):
        ran = referee(*said)
        assert ran.code == 0, (said, ran.err)
    return "g.jsonl"


def same(text: str) -> str:
    """A report without what differs from day to day."""
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME", text)
    text = re.sub(r"#(\d+) (?:[A-Z2-7]{4}-){6}[A-Z2-7]{2}", r"#\1 HEAD", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "DIGEST", text)
    return re.sub(r"referee \d[\w.]*", "referee VERSION", text)


@pytest.mark.parametrize("suffix", ["txt", "md"])
def test_a_small_game_is_told_word_for_word(referee: Run, suffix: str) -> None:
    small(referee)
    assert referee("game", "report", "g.jsonl", "-o", f"r.{suffix}").code == 0
    golden, text = GOLDEN / f"small-game.{suffix}", same(Path(f"r.{suffix}").read_text(encoding="utf-8"))
    if WRITES:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_standard_output_is_the_text(referee: Run) -> None:
    small(referee)
    assert referee("game", "report", "g.jsonl", "-o", "r.txt").code == 0
    assert referee("game", "report", "g.jsonl").out == Path("r.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [CADET, SOLO, TREK], ids=lambda path: path.stem)
def test_json_fits_its_schema(referee: Run, holds: Callable[[Any], None], path: Path) -> None:
    document = referee("game", "report", path, "--json").json
    holds(document)
    assert document["schema"] == "referee/battle-report/1" and document["facts"]
    assert document == referee("game", "report", path, "--format", "json").json


@pytest.mark.parametrize("path", [CADET, SOLO, TREK], ids=lambda path: path.stem)
def test_the_page_asks_nothing_of_anybody(referee: Run, path: Path) -> None:
    assert referee("game", "report", path, "-o", "r.html").code == 0
    text = Path("r.html").read_text(encoding="utf-8")
    page = Page(text)
    assert not [tag for tag, _ in page.tags if tag in ("script", "img", "link", "iframe", "object", "form")]
    assert not [attrs for _, attrs in page.tags if any(name.startswith("on") for name in attrs)]
    assert all(str(attrs["href"]).startswith("#") for tag, attrs in page.tags if tag == "a")
    assert "default-src 'none'; style-src 'unsafe-inline'" in text and 'lang="en"' in text
    ids = [str(attrs["id"]) for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids)) and {str(a["href"])[1:] for t, a in page.tags if t == "a"} <= set(ids)
    assert referee("game", "report", path, "--format", "html").out == text


def test_names_are_text_everywhere(referee: Run) -> None:
    small(referee, NAME)
    assert referee("game", "rule", "g.jsonl", NAME, "--by", "judge").code == 0
    for suffix in ("html", "md", "txt", "json"):
        assert referee("game", "report", "g.jsonl", "-o", f"r.{suffix}").code == 0
        text = Path(f"r.{suffix}").read_text(encoding="utf-8")
        assert "\u202e" not in text
        if suffix == "html":
            assert "<img" not in text and "&lt;img" in text
        if suffix == "md":
            assert "<img" not in text.replace("\\<img", "") and "](http" not in text.replace("\\](", "")


def test_what_stands_by_a_ruling_is_said_and_counts_as_not_checked(referee: Run) -> None:
    path = small(referee)
    assert Desk(path).accept("Two", "1015B", "both had agreed").entered
    mark = {"event": "box_destroyed", "box": "lab/1", "ship": "One"}
    ruling = {"by": "judge", "text": "the pen slipped", "events": [mark]}
    append(path, lambda _: [("ruling", ruling)])
    at = len(open_game(path).entries) - 2
    told = " ".join(referee("game", "report", path).out.split())
    assert f"judge rules: Two stands at 1015B, its move of the impulse: both had agreed (#{at})" in told
    assert f"judge rules: the pen slipped: lab/1 (#{at + 1})" in told
    assert "Every rule that applies was checked" not in told
    assert f"[C1.0] Two: it stands at 1015B by the ruling #{at}: how it came there is not judged" in told
    assert f"[D4.22] One: what is marked on it by ruling #{at + 1}" in told


def test_figures_that_no_source_confirms_are_named(referee: Run) -> None:
    told = " ".join(referee("game", "report", small(referee)).out.split())
    assert "Every rule that applies was checked" not in told
    assert (
        "[SHIP/provisional] One: 18 figures of its class rest on no source (mounts, shields, boxes)" in told
    )


def test_every_turn_has_its_ssds_folded(referee: Run) -> None:
    text = referee("game", "report", CADET, "--format", "html").out
    assert text.count("SSDs at the end of turn") == 2 and text.count("<svg") == 6
    assert "SSDs now, turn 3" in text and "How it stands" in text and "How it ended" not in text
    assert text.count("<details><summary>SSDs") == 3 and text.count("<style>") == 1
    assert re.findall(r"power \d+, speed (\d+)", text) == ["12", "14", "8", "10", "8", "8"]


def test_a_volley_that_only_weakens_a_shield_is_not_told_as_none(referee: Run) -> None:
    ships = ("--ship", "One=cadet/federation-ca:a@1010D/8", "--ship", "Two=cadet/klingon-d6:b@1013A/8")
    begin = ("game", "new", "w.jsonl", "--players", "a,b", "--dice", "seed", "--seed", "s")
    assert referee(*begin, *ships).code == 0
    assert referee("game", "say", "w.jsonl", "impulse 1", "One: hit 3 on 1", "--force").code == 0
    referee("game", "resolve", "w.jsonl")
    told = referee("game", "report", "w.jsonl").out
    assert "no recorded damage" not in told
    assert "no volley took a shield down or went through one" in told


def test_what_is_no_game_is_said_in_a_line(referee: Run) -> None:
    Path("form.csv").write_bytes((ROOT / "examples" / "duel" / "constellation.csv").read_bytes())
    for said in (("form.csv",), ("none.jsonl",), (CADET, "--as", "nobody"), (CADET, "--format", "pdf")):
        ran = referee("game", "report", *said)
        assert ran.code == 2 and not ran.out and len(ran.err.strip().splitlines()) <= 2, said
