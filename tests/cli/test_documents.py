"""Every command of the README and of the pages in docs runs as it stands there, and every picture is what its command draws."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from random import Random

import pytest

from tests.cli.conftest import Ran, Run
from tests.conftest import ROOT
from tests.unit.formats.vassal.game_logs import legal_game, module_bytes, write_log
from tests.unit.sources.sfbol_judged import duel, written

PAGES = sorted(["README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))])
NOT_RUN = re.compile(r"<!-- (?:setup-command|test-command|not run: .+) -->\n$")
BLOCK = re.compile(r"^ *```sh\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
WITHOUT = {
    "docs/record.md",
    "docs/api.md",
    "docs/sfbol.md",
    "docs/index.md",
    "docs/glossary.md",
}
"""Pages without such blocks (a format, doctests, lists of pages and words), and one whose own test runs them."""


def blocks(page: str) -> list[str]:
    """The blocks of commands of a page that are run."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [match[1] for match in BLOCK.finditer(text) if not NOT_RUN.search(text[: match.start()])]


def fenced(page: str, begins: str) -> str:
    """The text of a block of a page that is a file."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return next(part for part in text.split("```") if part.lstrip("json\n").startswith(begins)).lstrip(
        "json\n"
    )


@pytest.fixture
def folder(own_folder: Path) -> Path:
    """A player's folder with all files that the pages name."""
    for name, source in {
        "duel.vsav": "examples/duel/duel.vsav",
        "game.vsav": "examples/duel/duel.vsav",
        "constellation.csv": "examples/duel/constellation.csv",
        "destruction.xlsx": "examples/duel/destruction.xlsx",
        "form.csv": "examples/by_mail/constellation.csv",
        "ann.csv": "examples/by_mail/constellation.csv",
        "ben.csv": "examples/by_mail/destruction.csv",
        "examples/duel/constellation.csv": "examples/duel/constellation.csv",
        "examples/trek/duel.json": "examples/trek/duel.json",
    }.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes((ROOT / source).read_bytes())
    log = write_log(legal_game(Random(3), ships=2, turns=2)).data
    for name in ("game", "first", "second"):
        Path(f"{name}.vlog").write_bytes(log)
    Path("game.vmod").write_bytes(module_bytes())
    Path("volleys.csv").write_text(
        "ship,damage,shield,reinforcement,seed,label\ncadet/klingon-d6,30,1,,a,first\n", encoding="utf-8"
    )
    Path("GAME.log").write_text("\n".join(written(duel([{"Kharg": 8, "Sabre": 8}]))) + "\n", encoding="utf-8")
    Path("step.json").write_text(fenced("docs/volleys.md", '[{"firer"'), encoding="utf-8")
    Path("orders.txt").write_text(fenced("docs/orders.md", "rulebook sfb-cadet"), encoding="utf-8")
    return own_folder


def run(referee: Run, line: str) -> Ran:
    """One line of a block, its output where it says so."""
    words = shlex.split(line, comments=True)
    into = words.index(">") if ">" in words else len(words)
    asked = [
        word
        for part in words[1:into]
        for word in (sorted(map(str, Path().glob(part))) if "*" in part else [part])
    ]
    ran = referee(*asked, stdin=b"1\n" * 20 if "ask" in asked else b"")
    if into < len(words):
        Path(words[into + 1]).write_text(ran.out, encoding="utf-8")
    return ran


@pytest.mark.parametrize("page", sorted(set(PAGES) - WITHOUT))
def test_the_commands_of_a_page_run_as_they_stand_there(referee: Run, folder: Path, page: str) -> None:
    lines = [line for block in blocks(page) for line in block.splitlines() if line.strip()]
    assert lines and {line.split()[0] for line in lines} == {"referee"}
    if page in ("docs/forms.md", "docs/pictures.md", "docs/report.md"):
        Path("duel.jsonl").write_bytes((ROOT / "examples" / "games" / "cadet-duel.jsonl").read_bytes())
    for line in lines:
        if "--record duel.jsonl" in line or "game new duel.jsonl" in line:
            Path("duel.jsonl").unlink(missing_ok=True)
        ran = run(referee, line)
        assert ran.code in (0, 1), (line, ran.err)
        assert ran.code == 0 or line.split()[1] == "check", (line, ran.err)


def test_a_picture_of_the_pages_is_what_its_command_draws(referee: Run) -> None:
    drawn = {
        "ssd.svg": ["show", "cadet/federation-ca", "--svg"],
        "map.svg": [
            "map",
            ROOT / "examples/games/cadet-duel.jsonl",
            "--at",
            "2.8",
            "--weapon",
            "Constellation PH-1/A",
        ],
        "volley.svg": [
            "volley",
            "standard/klingon-d7",
            "--damage",
            "45",
            "--shield",
            "1",
            "--seed",
            "duel",
            "-o",
        ],
    }
    for name, arguments in drawn.items():
        if arguments[-1] == "-o":
            assert referee(*arguments, "volley.svg").code == 0
            picture = Path("volley.svg").read_text(encoding="utf-8")
        else:
            picture = referee(*arguments).out
        assert picture == (ROOT / "docs" / "pictures" / name).read_text(encoding="utf-8"), name


def test_every_link_of_the_pages_leads_somewhere() -> None:
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            assert target.startswith("https://") or (ROOT / page).parent.joinpath(target).exists(), (
                page,
                target,
            )


def test_installing_is_not_mute_and_windows_has_its_lines() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"<!-- (?:setup|test)-command -->\n```sh\n(.+)\n```\n\nWindows.*: `(.+)`\n", text)
    assert len(commands) == 2
    for unix, windows in commands:
        assert "-q" not in unix.split() and "&&" not in windows, "PowerShell 5 knows no &&"
        plain = unix.replace("python3 -m venv", "py -m venv").replace(" &&", ";").replace("bin/", "Scripts\\")
        assert windows.replace("/", "\\") == plain.replace("/", "\\")
    assert "two minutes" in text and "pytest -n 2 tests/test_cases.py`" in text


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= 6144
