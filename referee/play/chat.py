"""A record as lines to paste into VASSAL's chat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from referee.core.entry_words import chat_text, kind_of, reveal_text
from referee.core.errors import BadInput
from referee.core.game import LOCK_ON
from referee.core.gameorders import order_said
from referee.core.orders import Fire, Hit, ImpulseBegins, Seal, SetSpeed, TurnBegins
from referee.core.safe import safe_line
from referee.core.seals import seal_text
from referee.formats.orderfiles import MAX_ORDERS_LINE
from referee.formats.orderlines import parse_chat_order
from referee.formats.orders import format_order
from referee.play.told_again import told_in_order

if TYPE_CHECKING:
    from referee.core.game import Roll
    from referee.core.orders import Order
    from referee.play.game_file import Game
    from referee.record.chain import Entry


def chat_lines(game: Game, since: int = -1) -> Iterator[str]:
    """The entries after one as lines of chat, and the head code. Raises BadInput for an entry there is not."""
    if not -1 <= since < len(game.entries):
        raise BadInput(f"no entry #{since}", file=game.path, hint=f"0 to {len(game.entries) - 1}")
    names = tuple(_names(game.entries))
    stood: tuple[int, int | None] = (0, None)
    declared: dict[int, Mapping[str, Any]] = {}
    outcomes = {entry.seq: words for entry, words in told_in_order(game) if words and entry.type != "result"}
    void = _given_up(game.state.rolls.values())
    for entry in game.entries:
        undone = entry.seq in game.state.undone
        orders = [] if undone or entry.seq in void else list(_orders(entry, stood, names))
        if entry.type == "step" and not undone:
            stood = entry.data["turn"], entry.data.get("impulse")
        if entry.type == "declare":
            declared[entry.data["roll"]] = entry.data
        if entry.seq <= since:
            continue
        lines = [line for order in orders for line in _spoken(order, names)]
        in_words = not orders or len(lines) < len(orders)
        yield from _not_as_orders(entry, game, outcomes, undone=undone) if in_words else lines
        if not undone and not (in_words and entry.type == "form"):
            yield from _numbered(entry, _besides(entry))
        if entry.type in ("result", "forfeit_roll") and "dice" in entry.data and not undone:
            yield from _locked(entry.data, declared, game.state.rolls, names)
    yield f"head {game.head}"


def _given_up(rolls: Iterable[Roll]) -> set[int]:
    """The volleys all of whose dice were void or do not count: they did nothing."""
    standing: dict[int, bool] = {}
    for roll in rolls:
        if roll.volley is not None:
            counts = roll.status not in ("void", "reroll")
            standing[roll.volley] = standing.get(roll.volley, False) or counts
    return {seq for seq, counts in standing.items() if not counts}


def _names(entries: Sequence[Entry]) -> Iterator[str]:
    """The ships and seekers that orders may name."""
    for entry in entries:
        if entry.type == "ship" and "ship" in entry.data:
            yield str(entry.data["ship"])
        if entry.type == "drone":
            yield str(entry.data["name"])
        if "launch" in entry.data:
            yield str(entry.data["launch"]["name"])


def _orders(entry: Entry, stood: tuple[int, int | None], names: tuple[str, ...]) -> Iterator[Order]:
    """What an entry says in the order language."""
    data = entry.data
    if entry.type == "order" and (order := order_said(data) or _hit(data, names)):
        yield order
    elif entry.type == "form" and "speed" in data:
        yield SetSpeed(data["ship"], data["speed"])
    elif entry.type == "seal":
        yield Seal(data["ship"], data["digest"])
    elif entry.type == "step":
        turn, impulse = data["turn"], data.get("impulse")
        if turn != stood[0]:
            yield TurnBegins(turn)
        if impulse is not None and (turn, impulse) != stood:
            yield ImpulseBegins(impulse)


def _hit(data: Mapping[str, Any], names: tuple[str, ...]) -> Hit | None:
    """The damage a volley was ordered for, on which shield."""
    if "volley" not in data:
        return None
    volley = data["volley"]
    order = parse_chat_order(f"!{data['text'][0]}", "", names)
    same = isinstance(order, Hit) and (order.ship, order.points, order.shield) == (
        volley["ship"], volley["points"], volley.get("shield"),
    )  # fmt: skip
    return order if isinstance(order, Hit) and same else None


def _besides(entry: Entry) -> str:
    """What an entry says that its order has no words for."""
    data = entry.data
    if entry.type == "form":
        return f"form: {chat_text(entry)}"
    if "launch" in data:
        return f"launch: {data['launch']['name']}, facing {data['launch']['facing']}"
    if "volley" in data:
        volley = data["volley"]
        parts = [f"{volley[kind]} {kind} reinforcement" for kind in ("general", "specific") if volley[kind]]
        parts += [f"{hit.replace('_', ' ')}: {box}" for hit, box in volley["picks"].items()]
        return f"volley: {', '.join(parts)}" if parts else ""
    if entry.type == "seal" and data["kind"] != "eaf":
        return f"seal: {seal_text(data['kind'], data['ship'], data['turn'], data.get('impulse'))}"
    return ""


def _locked(
    data: Mapping[str, Any],
    declared: Mapping[int, Mapping[str, Any]],
    rolls: Mapping[int, Roll],
    names: tuple[str, ...],
) -> Iterator[str]:
    """What a roll for lock-on came to, as an audit of chat reads it."""
    from referee.logs.lock_on import lock_read

    declaration = declared.get(data["roll"], {})
    if declaration.get("purpose") != LOCK_ON or rolls[data["roll"]].status == "reroll":
        return
    for target, group in zip(declaration["targets"], data["dice"], strict=True):
        ship, roll = declaration["ship"], sum(group["faces"])
        line = f"!{ship}: lock on {target} {roll}"
        if line == safe_line(line) and lock_read(line, "", names) == (ship, target, roll):
            yield line


def _spoken(order: Order, names: tuple[str, ...]) -> Iterator[str]:
    """Lines of chat that give an order; none where no line would be read as just that order."""
    line = f"!{format_order(order).strip()}"
    if isinstance(order, Fire) and len(line) > MAX_ORDERS_LINE and len(order.weapons) > 1:
        half = len(order.weapons) // 2
        for weapons in (order.weapons[:half], order.weapons[half:]):
            yield from _spoken(replace(order, weapons=weapons), names)
    elif line == safe_line(line) and parse_chat_order(line, "", names) == order:
        yield line


def _not_as_orders(
    entry: Entry, game: Game, outcomes: Mapping[int, Sequence[str]], *, undone: bool
) -> Iterator[str]:
    """An entry told, in lines that are no orders: each begins with its number."""
    if entry.type in ("key", "step") and not undone:
        return
    shown = "" if undone else "; ".join(outcomes.get(entry.seq) or ())
    if entry.type == "reveal" and not shown and (seal := game.state.seals.get(entry.data["seal"])):
        shown = reveal_text(seal, entry.data)
    back = " (taken back)" if undone else ""
    yield from _numbered(entry, f"{kind_of(entry)}{back}: {shown or chat_text(entry)}".rstrip(": "))


def _numbered(entry: Entry, text: str) -> Iterator[str]:
    """A text in lines of chat that are no orders."""
    for line in wrap(safe_line(text, len(text) + 1), MAX_ORDERS_LINE - 20, break_long_words=True):
        yield f"#{entry.seq} {line}"
