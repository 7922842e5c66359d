"""Seals as a game's status tells them: which orders, how far they are shown, and when they were made."""

from __future__ import annotations

from typing import Any

from referee.core.game import GameState
from referee.core.seals import Seal, kind_text


def seal_json(seal: Seal) -> dict[str, Any]:
    """A seal as JSON."""
    turn, impulse, step = seal.sealed_at
    moment = {"turn": turn, "impulse": impulse, "step": step}
    return {
        "ship": seal.ship,
        "turn": seal.turn,
        "kind": seal.kind,
        "player": seal.player,
        "revision": seal.revision,
        "revealed": seal.revealed,
        **({} if seal.impulse is None else {"impulse": seal.impulse}),
        "sealed_at": {name: value for name, value in moment.items() if value not in (None, "")},
        "entry": seal.seq,
    }


def seal_line(seal: Seal, state: GameState) -> str:
    """A seal in a line; of several for the same orders also when it was made, and which one replaced it."""
    again = f" (revision {seal.revision})" if seal.revision > 1 else ""
    how = (
        "revealed" if seal.revealed else f"sealed, {len(seal.shown)} lines shown" if seal.shown else "sealed"
    )
    line = f"{kind_text(seal.kind)} of {_when(seal.turn, seal.impulse)} {how}{again}"
    last = state.replaces(seal)
    if last is None and all(state.replaces(other) is not seal for other in _alike(seal, state)):
        return line
    turn, impulse, step = seal.sealed_at
    line += f"; made in {_when(turn, impulse)}{f', {step}' if step else ''} (#{seal.seq})"
    if last is None:
        return line
    return (
        line + f"; replaced by {f'revision {last.revision}' if last.about == seal.about else f'#{last.seq}'}"
    )


def _alike(seal: Seal, state: GameState) -> list[Seal]:
    return state.seals.about(seal.turn, seal.ship, seal.kind)


def _when(turn: int, impulse: int | None) -> str:
    return f"turn {turn}" + (f", impulse {impulse}" if impulse is not None else "")
