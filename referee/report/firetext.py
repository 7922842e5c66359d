"""Fire as players read it, and as JSON by `schemas/fire.schema.json`: every shot, and the volleys they make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.core.combat import ShotResult, VolleyAt, rolls_that_hit
from referee.core.finding import Report
from referee.core.safe import safe_line
from referee.report.checkjson import finding_json
from referee.report.paint import Paint
from referee.report.volleytext import repeat_flags

SCHEMA = "referee/fire/1"
_HEADS = ("weapon", "type", "at", "range", "counts as", "die", "needs", "result", "damage")
_RIGHT = {"range", "counts as", "die", "needs", "damage"}


def fire_table(
    results: Sequence[ShotResult],
    volleys: Sequence[VolleyAt],
    report: Report,
    *,
    title: str,
    hits: Sequence[Mapping[str, Any]] = (),
    dice_source: str,
    rolls: Sequence[int],
    paint: Paint,
) -> str:
    """The shots in columns, what they come to, what was taken for granted, and the dice."""
    firers = {result.firer for result in results if result.firer}
    targets = {result.target for result in results}
    who = paint(f"{safe_line(firers.pop())} fires", "bold") if len(firers) == 1 else "Fire"
    if len(targets) == 1 and (target := targets.pop()):
        who += f" at {safe_line(target)}"
    lines = [f"{who}{paint(f', by {safe_line(title)}', 'dim')}", *_rows(results, paint)]
    total = sum(result.damage for result in results)
    lines += ["", paint(f"Damage: {total}", "bold"), *_volley_lines(volleys), *_seeker_lines(hits)]
    lines += [f"  {line}" for line in _notes(results, report)]
    again = repeat_flags(dice_source, rolls)
    if rolls:
        count = f"{len(rolls)} roll{'s' * (len(rolls) != 1)}"
        lines.append(paint(f"Dice: {safe_line(dice_source)}; {count}; the same again with {again}", "dim"))
    return "\n".join(lines) + "\n"


def _rows(results: Sequence[ShotResult], paint: Paint) -> Iterator[str]:
    firers = len({result.firer for result in results}) > 1
    rows = [_row(result, firers) for result in results]
    several = len({result.target for result in results}) > 1
    shown = [n for n, head in enumerate(_HEADS) if head != "at" or several]
    widths = [max(len(row[n]) for row in [_HEADS, *rows]) for n in range(len(_HEADS))]

    def columns(row: Sequence[str]) -> str:
        cells = (f"{row[n]:>{widths[n]}}" if _HEADS[n] in _RIGHT else f"{row[n]:<{widths[n]}}" for n in shown)
        return "  " + "  ".join(cells).rstrip()

    yield paint(columns(_HEADS), "dim")
    yield from (columns(row) for row in rows)


def _row(result: ShotResult, firers: bool) -> tuple[str, ...]:
    who = f"{result.firer} " if firers and result.firer else ""
    return (
        safe_line(f"{who}{result.weapon}"),
        "" if result.type == result.weapon else safe_line(result.type),
        safe_line(result.target),
        str(result.true_range),
        "-" if result.effective_range == result.true_range else str(result.effective_range),
        "-" if result.roll is None else str(result.roll),
        rolls_that_hit(result.needed) or "-",
        "hit" if result.hit else "miss" if result.needed is not None else "nothing",
        str(result.damage),
    )


def _volley_lines(volleys: Sequence[VolleyAt]) -> Iterator[str]:
    for volley in volleys:
        firers = ", ".join(filter(None, volley.firers))
        by = f", from {safe_line(firers)}" if len(volley.firers) > 1 else ""
        target = f"{safe_line(volley.target)}, " if volley.target else ""
        yield f"  {target}shield {volley.order.shield}: {volley.order.points} in one volley{by}"


def _seeker_lines(hits: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for hit in hits:
        fate = "destroyed" if hit["gone"] else "flies on"
        yield f"  {safe_line(hit['seeker'])}: {hit['points']} scored on it, {fate}"


def _notes(results: Sequence[ShotResult], report: Report) -> Iterator[str]:
    for finding in report.findings:
        yield f"{finding.severity} [{finding.key}] {safe_line(finding.subject)}: {safe_line(finding.message)}"
    reasons: dict[tuple[str, str], list[str]] = {}
    for item in report.not_checked:
        reasons.setdefault((item.key, item.reason), []).append(item.subject)
    for (key, reason), subjects in reasons.items():
        yield f"not checked [{key}] {safe_line(', '.join(subjects))}: {safe_line(reason)}"
    leaning = sorted({f"{result.type} ({result.data_status})" for result in results if result.data_status})
    if leaning:
        yield f"rests on unsure numbers: {safe_line(', '.join(leaning))}; the SSD on the table decides"


def shot_json(result: ShotResult) -> dict[str, Any]:
    """One shot."""
    parts: dict[str, Any] = {
        "firer": result.firer or None,
        "weapon": result.weapon,
        "type": result.type,
        "target": result.target or None,
        "range": {"true": result.true_range, "effective": result.effective_range},
        "roll": result.roll,
        "needed": result.needed,
        "hit": result.hit,
        "damage": result.damage,
        "shields": list(result.shields) or None,
        "assumed": list(result.assumed) or None,
        "data_status": result.data_status or None,
    }
    always = ("roll", "needed")
    return {name: value for name, value in parts.items() if value is not None or name in always}


def fire_json(
    results: Sequence[ShotResult],
    volleys: Sequence[VolleyAt],
    struck: Sequence[Mapping[str, Any]],
    report: Report,
    *,
    hits: Sequence[Mapping[str, Any]] = (),
    dice_source: str,
    rolls: Sequence[int],
) -> dict[str, Any]:
    """Everything. `struck` are the resolved volleys as JSON; `volley` is the only one, where there is one. `hits` is
    what was done to seekers."""
    shields = {volley.order.shield for volley in volleys} or {
        result.shield for result in results if result.shield
    }
    return {
        "schema": SCHEMA,
        "verdict": report.verdict.value,
        "rulebook": report.rulebook,
        "shots": [shot_json(result) for result in results],
        "damage": sum(result.damage for result in results),
        "shield": next(iter(shields)) if len(shields) == 1 else None,
        "volley": struck[0] if len(struck) == 1 else None,
        "volleys": [_volley_json(volley) for volley in volleys],
        "struck": list(struck),
        **({"seekers_hit": [dict(hit) for hit in hits]} if hits else {}),
        "findings": [finding_json(finding) for finding in report.findings],
        "checked": list(report.checked),
        "not_checked": [
            {"rule": item.key, "reason": item.reason} | ({"subject": item.subject} if item.subject else {})
            for item in report.not_checked
        ],
        "dice": {"source": dice_source, "rolls": list(rolls)},
    }


def _volley_json(volley: VolleyAt) -> dict[str, Any]:
    return {
        "target": volley.target,
        "shield": volley.order.shield,
        "damage": volley.order.points,
        "step": volley.step,
        "firers": list(volley.firers),
    }
