"""What the referee says in the room's chat: lines that VASSAL shows as they are meant, and nothing in them acts."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from referee.core.safe import safe_line

LONGEST = 400
"""Characters of a line of chat, so that whatever is escaped in it, it still travels plain."""
MOST_LINES = 12
"""Lines of one answer."""
LAST_LINES = 4
"""Lines at the end of an answer that are always said."""


def chat_commands(name: str, lines: Iterator[str] | tuple[str, ...] | list[str]) -> str:
    """The commands that say some lines in chat, behind each other; empty for none. Of many lines the last, where the
    head code stands, are said whatever is left out. What goes on a line begins with dots: words of a player's that are
    repeated never begin a line of the referee's."""
    rows: list[str] = []
    for line in lines:
        first, *others = wrap(safe_line(line, 4 * LONGEST), LONGEST, break_long_words=True) or [""]
        rows += [first, *(f"... {part}" for part in others)]
    if len(rows) > MOST_LINES:
        begin = MOST_LINES - LAST_LINES - 1
        more = f"... {len(rows) - MOST_LINES + 1} more lines are in the record"
        rows = [*rows[:begin], more, *rows[-LAST_LINES:]]
    return "\x1b".join(chat_command(name, row) for row in rows)


def chat_command(name: str, line: str) -> str:
    """The command that says one line: a report, which begins with `*`, so that no line of it reads as one that a
    player typed, gives an order or rolls dice."""
    return f"CHAT* {as_shown(name)}: {as_shown(line)}"


def as_shown(text: str) -> str:
    """A text as VASSAL shows it letter by letter: no character of it is markup, ends a line or rolls dice."""
    plain = safe_line(text, 4 * LONGEST).replace("\\", "/")
    # Stars around a figure are how a dice button reports; ESC and TAB are spelt out by then.
    plain = plain.replace("**", "x").replace("*", "x")
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
