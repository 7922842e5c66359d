"""What a file or a ship holds as one page: its ships as on their SSDs, then the same words as in the terminal.

Every text passes `safe_text` and is escaped; SSDs escape their own. No script, nothing loaded from elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from referee import __version__
from referee.core.safe import safe_line, safe_text
from referee.report.ssdnarrow import narrow_ssd_svg
from referee.report.ssdsvg import STYLE, SsdMarks
from referee.report.ssdtext import Ship

_PAGES = Path(__file__).parent / "pages"
_OWN = """
.ssds { display: flex; flex-wrap: wrap; gap: .8rem; margin: 1rem 0; } .ssds figure { flex: 1 1 17rem; max-width: 24rem; margin: 0; break-inside: avoid; }
.ssds svg { width: 100%; height: auto; display: block; } pre { overflow-x: auto; font: .875rem/1.45 ui-monospace, monospace; }
:focus-visible { outline: 3px solid var(--note); outline-offset: 1px; } @media print { pre { white-space: pre-wrap; } }
"""


def show_html(title: str, text: str, ships: Sequence[Ship]) -> str:
    """The page. The same text and ships give the same bytes."""
    style = (_PAGES / "check.css").read_text(encoding="utf-8") + STYLE + _OWN
    name = escape(safe_line(title))
    drawn = "".join(f"<figure>{narrow_ssd_svg(*ship, SsdMarks())}</figure>\n" for ship in ships)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{style}</style>\n</head>\n<body>\n<header><h1>{name}</h1></header>\n<main>\n"
        + (f'<section class="ssds" aria-label="Ships">\n{drawn}</section>\n' if drawn else "")
        + f'<pre tabindex="0" role="region" aria-label="What is in it">{escape(safe_text(text))}</pre>\n</main>\n'
        f'<footer class="small soft"><p>referee {__version__}</p></footer>\n</body>\n</html>\n'
    )
