"""Where the real files are, and the texts of small saves made by hand."""

from __future__ import annotations

from pathlib import Path

from referee.formats.vassal.chain import join_chain
from referee.formats.vassal.sequence import encode

SHARED = Path(__file__).resolve().parents[4].parent / "shared" / "vassal"
SAVES = sorted(p for p in (SHARED / "saves").rglob("*") if p.suffix in (".vsav", ".vlog", ".sav", ".log"))
DUEL = sorted((SHARED / "saves" / "duel").glob("*.truth.json"))
ESC = "\x1b"


def piece_text(
    identity: str, traits: list[tuple[str, str]], name: str = "CA Test", place: str = "Space;100;200"
) -> str:
    """An AddPiece command with these traits around a plain piece."""
    types = join_chain([t for t, _ in traits] + [f"piece;;;a.png;{name}"])
    states = join_chain([s for _, s in traits] + [f"{place};1;0"])
    return "+/" + encode((identity, types, states), "/")


def game_text(*commands: str) -> str:
    return ESC.join(("begin_save", *commands, "end_save"))
