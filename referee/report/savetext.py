"""A VASSAL save, log or module for people, from its dump."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

from referee.core.safe import safe_line
from referee.report.paint import fitted

_MOST_PIECES = 60
_MOST_LINES = 30


def save_text(dump: Mapping[str, Any]) -> str:
    """What a player wants to know of a save or log: game, players, turn, pieces, sheets, chat."""
    return fitted("\n".join(_save_lines(dump))) + "\n"


def _save_lines(dump: Mapping[str, Any]) -> Iterator[str]:
    module = dump.get("module") or {}
    yield f"{dump['kind']} of {_text(module.get('name')) or 'an unnamed module'} {_text(module.get('version'))}".rstrip()
    yield f"  written by VASSAL {_text(dump.get('vassal_version')) or '(unknown)'}, {_text(dump.get('encoding'))}"
    if dump.get("named_by"):
        yield f"  hexes and levels of the turn are named by {_text(dump['named_by'])}"
    if dump.get("description"):
        yield f"  {_text(dump['description'])}"
    for player in dump.get("players", ()):
        yield f"  player {_text(player.get('name'))}: {_text(player.get('side')) or 'no side'}"
    if dump.get("turn"):
        yield f"  turn: {_levels(dump['turn'])}"
    pieces = [piece for piece in dump.get("pieces", ()) if piece.get("kind") == "piece"]
    decks = {deck["id"]: deck for deck in dump.get("pieces", ()) if deck.get("kind") == "deck"}
    shown = sorted(pieces, key=lambda piece: not _tells_much(piece))
    yield f"\nPieces ({len(pieces)})"
    for piece in shown[:_MOST_PIECES]:
        yield f"  {_piece(piece, decks)}"
        yield from _sheets(piece)
        yield from _fields(piece)
    if len(shown) > _MOST_PIECES:
        yield f"  and {len(shown) - _MOST_PIECES} more: referee vassal dump has them all"
    notes = [note for note in dump.get("notes", ()) if note.get("text")]
    yield from _listed("Notes", [f"| {_note(note)}" for note in notes])
    yield from _listed("Chat", [f"| {_text(unescape(str(line)))}" for line in dump.get("chat", ())])
    steps = dump.get("steps", ())
    yield from _listed(f"Steps ({len(steps)})", [_step(step) for step in steps])
    if dump.get("unknown"):
        yield f"\n{len(dump['unknown'])} commands of the module's own are kept as they are"


def _text(value: object) -> str:
    return safe_line(str(value)) if value not in (None, "") else ""


def _levels(turn: object) -> str:
    if not isinstance(turn, Mapping):
        return _text(turn)
    levels = turn.get("levels", turn)
    pairs = levels.items() if isinstance(levels, Mapping) else ()
    return ", ".join(
        f"{_text(name)} {_text(value)}" for name, value in pairs if not isinstance(value, Mapping)
    )


def _tells_much(piece: Mapping[str, Any]) -> bool:
    return bool(piece.get("tables") or piece.get("facing"))


def _piece(piece: Mapping[str, Any], decks: Mapping[str, Mapping[str, Any]]) -> str:
    deck = decks.get(str(piece.get("stack")), {})
    place = _text(deck.get("name")) or _text(piece.get("location")) or f"{piece.get('x')},{piece.get('y')}"
    nameless = "(hidden)" if piece.get("hidden") or piece.get("masked") else "(no name)"
    parts = [f"{_text(piece.get('name')) or nameless} at {_text(piece.get('map')) or 'no map'} {place}"]
    facing = piece.get("facing")
    if facing:
        # Counted from 1, as VASSAL's own properties of a piece count them.
        step = f"{facing.get('index', 0) + 1} of {facing.get('of')} ({facing.get('degrees')} degrees)"
        parts.append(f"facing {step if facing.get('of', 0) > 1 else step.partition('(')[2].rstrip(')')}")
    parts += [f"{_text(name)}={_text(value)}" for name, value in (piece.get("markers") or {}).items()]
    return ", ".join(parts)


def _note(note: Mapping[str, Any]) -> str:
    who = _text(note.get("title")) or _text(note.get("kind"))
    return f"{who}: {_text(note.get('text'))}"


def _sheets(piece: Mapping[str, Any]) -> Iterator[str]:
    for table in piece.get("tables", ()):
        rows = [row for row in table.get("rows", ()) if any(cell.strip() for cell in row[1:])]
        if len(rows) > 1:
            yield f"    {_text(table.get('title'))}:"
            width = max(len(row[0]) for row in rows)
            used = max(index for row in rows[1:] or rows for index, cell in enumerate(row) if cell.strip())
            for row in rows[:_MOST_LINES]:
                cells = "".join(f" {_text(cell):>6}" for cell in row[1 : used + 1])
                yield f"      {_text(row[0]):<{min(width, 40)}}{cells}"


def _fields(piece: Mapping[str, Any]) -> Iterator[str]:
    for sheet in piece.get("sheets", ()):
        fields = [f"{_text(name)} {_text(value)}" for name, value in sheet.get("fields", {}).items() if value]
        if fields:
            yield f"    {_text(sheet.get('title')) or 'sheet'}: {safe_line(', '.join(fields))}"


def _step(step: Mapping[str, Any]) -> str:
    kinds = [str(command.get("kind")) for command in step.get("commands", ())]
    return f"{step.get('n')}: {', '.join(dict.fromkeys(kinds))}"


def _listed(title: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f"\n{title}"
        yield from (f"  {line}" for line in lines[:_MOST_LINES])
        if len(lines) > _MOST_LINES:
            yield f"  and {len(lines) - _MOST_LINES} more"


def module_text(dump: Mapping[str, Any]) -> str:
    """What a module defines, as far as a referee uses it."""
    module = dump.get("module") or {}
    lines = [f"module {_text(module.get('name'))} {_text(module.get('version'))}"]
    lines.append(f"  for VASSAL {_text(dump.get('vassal_version')) or '(unknown)'}")
    for game_map in dump.get("maps", ()):
        boards = [_text(board.get("name")) for board in game_map.get("boards", ())]
        lines.append(f"  map {_text(game_map.get('name'))}: {', '.join(boards) or 'no boards'}")
    return "\n".join(lines) + "\n"
