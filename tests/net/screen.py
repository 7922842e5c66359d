"""Keys typed at the screen of `referee table`: Textual shows it on no terminal, and its lines are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any
from unittest.mock import patch

from textual.app import App
from textual.events import Key, Paste
from textual.keys import _character_to_key

from tests.net.command import command


def typed(said: str, keys: str) -> Iterator[str]:
    """The rows that are new where `<look>` stands among the keys, and what is printed when the screen is left."""
    size, game = said.split(" ", 1)
    columns, rows = map(int, size.split("x"))
    seen: list[str] = []
    screen: list[str] = []
    run = App.run

    async def press(pilot: Any) -> None:
        app = pilot.app
        await pilot.pause()
        for pasted, name, letter in re.findall(r"<paste ([^>]*)>|<([a-z+]+)>|(.)", keys):
            if pasted:
                app.on_paste(Paste(pasted))
            elif name in ("look", "colours"):
                await pilot.pause()
                strips = app.screen._compositor.render_strips()
                stood, screen[:] = list(screen), [strip.text.rstrip() for strip in strips]
                seen.append(f"  ┌{'─' * (columns - 1)}")
                if name == "look":
                    seen.extend(f"  {row}" for row, old in zip_longest(screen, stood) if row != old)
                else:
                    parts = (part for strip in strips for part in strip if str(part.style) != "none")
                    seen.extend(
                        f"  {part.style}: {part.text.strip()}" for part in parts if part.text.strip(" ─│")
                    )
            elif not app._exit:
                app.on_key(Key(name or _character_to_key(letter), letter or {"space": " "}.get(name)))
        if not app._exit:
            app.exit()

    def headless(app: Any, **_: Any) -> None:
        run(app, headless=True, size=(columns, rows), auto_pilot=press)

    with patch.object(App, "run", headless):
        ran = command("table", *game.split(), terminal=True)
    yield from seen
    yield from (f"  {line}".rstrip() for line in ran.out.splitlines())
    yield from (f"! {line}".rstrip() for line in ran.err.splitlines())
    if ran.code:
        yield f"(exit {ran.code})"
