"""A whole game as one page that works without a network: map, SSDs and log beside each other, every finding on a slider.

Every text passes `safe_line` and jinja2's escaping, or JSON whose `<` is escaped; the one script is named by its hash.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment

from referee import __version__
from referee.core.finding import Finding, Severity
from referee.core.naming import how_many
from referee.core.positions import PlayedGame, Position, UnitShown
from referee.core.safe import safe_line
from referee.core.ship import ShipClass
from referee.core.state import new_state
from referee.report.boardsvg import MapPicture, board_svg, units_in
from referee.report.documents import happened
from referee.report.hexdraw import HALF, SIDE
from referee.report.mapsvg import SEEKERS
from referee.report.ssdnarrow import narrow_ssd_svg
from referee.report.ssdsvg import STYLE as SSD_STYLE
from referee.report.ssdsvg import SsdMarks
from referee.report.volleytext import power_told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Template

_PAGES = Path(__file__).parent / "pages"
_VERDICTS = {"legal": "Legal", "illegal": "Illegal", "cannot-tell": "Cannot tell"}
_GRAVEST = (Severity.ERROR, Severity.UNDECIDED, Severity.WARNING, Severity.NOTE)

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-HASH'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}: a replay</title>
<style>STYLE</style>
</head>
<body>
<header>
<h1>{{ title }}</h1>
{% if word %}<span class="verdict {{ verdict }}">{{ word }}</span>{% endif %}
<span class="soft">{{ summary }}</span>
</header>
<nav class="desk" aria-label="Replay">
<p class="now" id="now">{{ end }}</p>
<div class="row">
<button id="first" aria-label="to the beginning">|◀</button>
<button id="back" aria-label="one step back">◀</button>
<button id="play">Play</button>
<button id="next" aria-label="one step on">▶</button>
<button id="last" aria-label="to the end">▶|</button>
<div class="track">
<div class="marks" aria-hidden="true">
{% for mark in marks %}
<a href="#m{{ mark.n }}" data-go="{{ mark.n }}" tabindex="-1" class="{{ mark.severity }}" style="left: {{ mark.at }}%" title="{{ mark.told }}"></a>
{% endfor %}
</div>
<input type="range" id="slider" min="0" max="{{ rows|length - 1 }}" value="{{ rows|length - 1 }}" aria-label="moment of the game">
</div>
<button id="finding" title="to the next finding"{% if not marks %} disabled{% endif %}>Finding</button>
</div>
<p class="soft keys">Keys: ← → step, Home and End, space plays, n and p next and previous finding.</p>
<div id="live" class="soft" aria-live="polite" style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)"></div>
</nav>
<main{% if not sheets %} class="bare"{% endif %}>
<section class="chart" aria-label="Map"><div class="board" tabindex="0" role="region" aria-label="Map, scrolls">{{ board|safe }}</div>
<p class="soft withscript">Dashed: the way of this turn.{% if sheets %} Thick edge: a shield struck in this turn.{% endif %}{% if seekers %} {{ seekers }}{% endif %}</p></section>
{% if sheets %}
<section class="ssds" aria-label="Ships">
{% for sheet in sheets %}
<div class="sheet" data-ship="{{ sheet.n }}" tabindex="0" role="region" aria-label="SSD of {{ sheet.name }}">{{ sheet.svg|safe }}</div>
{% endfor %}
</section>
{% endif %}
<section class="log" aria-label="Log">
<h2>{{ findings_line }}</h2>
{% for f in loose if f.severity != "note" %}
<div class="finding {{ f.severity }}"><b>{{ f.severity }}</b> <code>{{ f.key }}</code> {{ f.told }}</div>
{% endfor %}
<ol id="log" tabindex="0" aria-label="What happened">
{% for row in rows %}
<li id="m{{ row.n }}" data-n="{{ row.n }}"{% if row.turn %} class="turn"{% endif %}><a class="at" href="#m{{ row.n }}" data-go="{{ row.n }}">{{ row.when }}</a>
<span{% if row.back %} class="back"{% endif %}>{{ row.text }}</span> <span class="soft">{{ row.step }} {{ row.place }}</span>
{%- for f in row.findings %}
<span class="finding {{ f.severity }}"><b>{{ f.severity }}</b> <code>{{ f.key }}</code> {{ f.told }}</span>
{%- endfor %}</li>
{% endfor %}
</ol>
{% for f in loose if f.severity == "note" %}
<div class="finding {{ f.severity }}"><b>{{ f.severity }}</b> <code>{{ f.key }}</code> {{ f.told }}</div>
{% endfor %}
{% if not_checked %}
<details><summary>Not checked: {{ not_checked|length }}</summary>
<ul>{% for item in not_checked %}<li><code>{{ item.key }}</code> {{ item.told }}</li>{% endfor %}</ul></details>
{% endif %}
<p class="soft">referee {{ version }}{% if head %}; head {{ head }}{% endif %}; from {{ file }}</p>
</section>
</main>
<script type="application/json" id="game">DATA</script>
<script>SCRIPT</script>
</body>
</html>
"""


def is_replay(beginning: str) -> bool:
    """Does a page begin as those do that are written here?"""
    return beginning.startswith("<!DOCTYPE html>") and ": a replay</title>" in beginning


def summary_of(game: PlayedGame) -> str:
    """The rules of a game, how many steps it has, and how many errors, in a line."""
    errors = sum(finding.severity is Severity.ERROR for finding in _found(game))
    judged = how_many(errors, "error") if game.verdict else "not judged"
    return f"{safe_line(game.rulebook)}; {how_many(len(game.positions), 'step')}; {judged}"


def _found(game: PlayedGame) -> list[Finding]:
    return [finding for position in game.positions for finding in position.findings] + list(game.findings)


def replay_html(game: PlayedGame) -> str:
    """The page of a game. The same game gives the same bytes."""
    board = board_svg(game)
    units = units_in(game)
    rows = [_row(n, position, game) for n, position in enumerate(game.positions)]
    findings = _found(game)
    page = _template().render(
        title=safe_line(game.title, 120),
        verdict=game.verdict,
        word=_VERDICTS.get(game.verdict, ""),
        summary=summary_of(game),
        end=_moment(game.positions[-1]) if game.positions else "",
        marks=_marks(game),
        board=board.svg,
        seekers=f"{SEEKERS.capitalize()}." if any(unit.kind == "seeker" for unit in units) else "",
        sheets=[
            {"n": n, "name": safe_line(unit.name, 80), "svg": _sheet(game, unit)}
            for n, unit in enumerate(units)
            if unit.name in game.classes
        ],
        findings_line=f"Log, and {how_many(len(findings), 'finding')}",
        loose=[_as_row(finding) for finding in game.findings],
        rows=rows,
        not_checked=[
            {"key": item.key, "told": safe_line(f"{item.subject} {item.reason}".strip(), 300)}
            for item in game.not_checked
        ],
        version=__version__,
        head=game.head,
        file=safe_line(game.file.replace("\\", "/").rpartition("/")[2], 120),
    )
    data = json.dumps(_data(game, units, board), separators=(",", ":"), ensure_ascii=True).replace(
        "<", "\\u003c"
    )
    return page.replace("DATA</script>", f"{data}</script>", 1)


@cache
def _template() -> Template:
    script = (_PAGES / "replay.js").read_text(encoding="utf-8")
    style = (_PAGES / "replay.css").read_text(encoding="utf-8") + SSD_STYLE
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = _PAGE.replace("HASH", digest)
    raw = {
        "SCRIPT</script>": f"{{% raw %}}{script}{{% endraw %}}</script>",
        "STYLE<": f"{{% raw %}}{style}{{% endraw %}}<",
    }
    for place, text in raw.items():
        page = page.replace(place, text, 1)
    return Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    ).from_string(page)


def _moment(position: Position) -> str:
    """The moment as the page tells it where no script runs: it shows the end of the game."""
    words = ": ".join(part for part in (position.step, _words(position)) if part)
    return safe_line(f"At the end, {position.when}: {words}", 200)


def _words(position: Position) -> str:
    """What happened; of a turn or an impulse that begins in no step, that."""
    event = happened(position)
    if event or position.step:
        return event
    return f"turn {position.turn}" if position.impulse is None else f"impulse {position.impulse}"


def _row(n: int, position: Position, game: PlayedGame) -> dict[str, Any]:
    before = game.positions[n - 1].turn if n else 0
    return {
        "n": n,
        "when": position.when,
        "step": safe_line(position.step, 40),
        "text": _words(position),
        "place": safe_line(position.place, 40),
        "back": position.taken_back,
        "turn": position.turn != before,
        "findings": [_as_row(finding) for finding in position.findings],
    }


def _as_row(finding: Finding) -> dict[str, str]:
    parts = [f"{finding.subject}: {finding.message}" if finding.subject else finding.message]
    parts += [f"expected {finding.expected}"] if finding.expected else []
    parts += [f"found {finding.found}"] if finding.found else []
    parts += [f"fix: {finding.fix}"] if finding.fix else []
    return {"severity": finding.severity.value, "key": finding.key, "told": safe_line("; ".join(parts), 500)}


def _marks(game: PlayedGame) -> list[dict[str, Any]]:
    """Where on the slider a finding stands, the gravest of a moment."""
    last = max(1, len(game.positions) - 1)
    marks = []
    for n, position in enumerate(game.positions):
        if position.findings:
            worst = min(position.findings, key=lambda finding: _GRAVEST.index(finding.severity))
            title = safe_line(f"{position.when} {worst.key}: {worst.message}", 160)
            marks.append(
                {"n": n, "severity": worst.severity.value, "at": f"{100 * n / last:.2f}", "told": title}
            )
    return marks


def _sheet(game: PlayedGame, unit: UnitShown) -> str:
    """A ship's SSD as it is in the end, for readers without script."""
    end = next((shown.state for shown in game.positions[-1].units if shown.name == unit.name), None)
    known = game.classes[unit.name]
    return narrow_ssd_svg(known, end or unit.state or new_state(known), unit.name, SsdMarks())


def _data(game: PlayedGame, units: tuple[UnitShown, ...], board: MapPicture) -> dict[str, Any]:
    """What the script needs: of every moment what is told of it, and what it changes for which unit."""
    moments: list[dict[str, Any]] = []
    before: dict[str, UnitShown] = {}
    for position in game.positions:
        now = {unit.name: unit for unit in position.units}
        changes = {}
        for n, unit in enumerate(units):
            if change := _change(before.get(unit.name, _NOWHERE), now.get(unit.name, _NOWHERE), game.classes):
                changes[str(n)] = change
        found = ". ".join(
            f"{finding.severity.value} {finding.key}: {finding.message}" for finding in position.findings
        )
        moments.append(
            {
                "when": position.when,
                "step": safe_line(position.step, 40),
                "text": _words(position),
                "place": safe_line(position.place, 40),
                **({"back": 1} if position.taken_back else {}),
                **({"found": safe_line(found, 400)} if found else {}),
                "u": changes,
            }
        )
        before = now
    begun = [_begun(unit, game.classes) for unit in units]
    return {
        "grid": {"side": SIDE, "half": HALF, "dx": board.dx, "dy": board.dy},
        "units": [
            {"name": safe_line(unit.name, 80), **whole} for unit, whole in zip(units, begun, strict=True)
        ],
        "moments": moments,
    }


def _begun(unit: UnitShown, classes: Mapping[str, ShipClass]) -> dict[str, Any]:
    """A unit's shields and power before the game says more of it."""
    if (known := classes.get(unit.name)) is None:
        return {"shields": {}, "power": ""}
    return {"shields": dict(known.shields), "power": power_told(known, new_state(known))}


_NOWHERE = UnitShown("", "ship")


def _change(before: UnitShown, now: UnitShown, classes: Mapping[str, ShipClass]) -> dict[str, Any]:
    """What is different of a unit; nothing where nothing is."""
    change: dict[str, Any] = {} if before.at == now.at else {"at": now.at}
    if before.speed != now.speed:
        change["speed"] = now.speed
    then, state = before.state, now.state
    if state is None or state is then:
        return change
    gone = then.destroyed if then is not None else frozenset()
    if known := classes.get(now.name):
        power = power_told(known, state)
        if then is None or power != power_told(known, then):
            change["power"] = power
    if lost := sorted(state.destroyed - gone):
        change["lost"] = lost
    if back := sorted(gone - state.destroyed):
        change["back"] = back
    old = then.shields if then is not None else {}
    if shields := {str(n): left for n, left in state.shields.items() if old.get(n) != left}:
        change["shields"] = shields
    if state.dead != (then is not None and then.dead):
        change["dead"] = state.dead
    return change
