"""A volley as text and as a picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace

import pytest

from referee.core.volley import Hit, VolleyOrder, VolleyResult
from referee.report.paint import Paint
from referee.report.volleysvg import volley_svg
from referee.report.volleytext import (
    SystemLoss,
    losses,
    power_left,
    repeat_flags,
    volley_table,
    weapons_lost,
)

ROLLS = (6, 5, 3, 3, 1, 2)
SVG = "{http://www.w3.org/2000/svg}"


def _table(
    result: VolleyResult, source: str = "seed duel", rolls: tuple[int, ...] = ROLLS, colour: bool = False
) -> str:
    return volley_table(
        result, dice_source=source, rolls=rolls, paint=Paint(colour), rulebook_title="Cadet game"
    )


def _by_policy(volley: VolleyResult) -> VolleyResult:
    """The volley by fast allocation: no rolls, the rule in place of the cell."""
    hits = tuple(replace(hit, roll=None, cell=f"FAST-{min(hit.n, 4)}", note="") for hit in volley.hits[:4])
    return replace(volley, hits=hits, internals=4, destroyed=False)


def test_golden_text(volley: VolleyResult, golden: Callable[[str, str], None]) -> None:
    golden("volley.txt", _table(volley))


def test_golden_fast(volley: VolleyResult, golden: Callable[[str, str], None]) -> None:
    golden("volley-fast.txt", _table(_by_policy(volley), "seed duel", ()))


def test_golden_svg(volley: VolleyResult, golden: Callable[[str, str], None]) -> None:
    golden("volley.svg", volley_svg(volley, rulebook_title="Cadet game", dice_source="seed duel"))


def test_fits_eighty_columns(volley: VolleyResult) -> None:
    long = replace(volley, hits=(replace(volley.hits[1], note="; ".join(["no lab", "no cargo"] * 20)),))
    for result in (volley, long):
        assert max(map(len, _table(result).splitlines())) < 80


def test_colour_changes_no_letter(volley: VolleyResult) -> None:
    assert re.sub(r"\x1b\[[0-9]+m", "", _table(volley, colour=True)) == _table(volley)


def test_all_absorbed(volley: VolleyResult) -> None:
    text = _table(
        replace(
            volley, order=VolleyOrder(5, shield=1), shield_after=6, hits=(), internals=0, destroyed=False
        ),
        rolls=(),
    )
    assert "11 → 6" in text
    assert "██████░░░░░" in text
    assert "Boxes lost" not in text
    assert "No dice were rolled" in text


def test_inside_has_no_shield(volley: VolleyResult) -> None:
    order = VolleyOrder(6, internal=True)
    text = _table(replace(volley, order=order, shield_before=None, shield_after=None, reinforcement=0))
    assert "6 points inside" in text
    assert "→" not in text


def test_losses_and_power(volley: VolleyResult) -> None:
    assert losses(volley)[0] == SystemLoss("forward_hull", 1, 1, 2)
    assert weapons_lost(volley) == ("PH-1/A",)
    assert power_left(volley.ship, volley.state) == {"warp": 7, "impulse": 1, "apr": 1}


@pytest.mark.parametrize(
    ("source", "flags"),
    [
        ("seed duel", "--seed duel"),
        ("seed a b'c", "--seed 'a b'\"'\"'c'"),
        ("scripted", '--dice "6 7"'),
        ("physical", '--dice "6 7"'),
        ("seed \x1b[31m", '--dice "6 7"'),
    ],
)
def test_how_to_repeat(source: str, flags: str) -> None:
    assert repeat_flags(source, (6, 7)) == flags


def _hostile(volley: VolleyResult, hostile: str) -> VolleyResult:
    hit = Hit(1, 6, hostile, hostile, hostile, hostile, hostile)
    ship = replace(volley.ship, name=hostile, id=hostile)
    return replace(volley, ship=ship, hits=(hit,), chooser=hostile)


def test_hostile_text_is_spelt_out(volley: VolleyResult, hostile: str) -> None:
    told = _table(_hostile(volley, hostile), hostile)
    drawn = volley_svg(_hostile(volley, hostile), rulebook_title=hostile, dice_source=hostile)
    for text in (told, drawn):
        assert not any(sign in text for sign in ("\x1b", "\u202e", "\x9b", "\x00"))
    assert "<script" not in drawn
    ET.fromstring(drawn)


def test_picture_crosses_each_lost_box(volley: VolleyResult) -> None:
    root = ET.fromstring(volley_svg(volley))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert "PH-1/A: hit 2" in titles
    assert "apr/1" in titles
    taken = [
        str(title).startswith("shield")
        for title in titles
        if ": hit " in str(title) or "lost now" in str(title)
    ]
    assert (taken.count(False), taken.count(True)) == (5, 11)
    assert sum(path.get("class") == "nowcross" for path in root.iter(f"{SVG}path")) == 16
    assert "DESTROYED" in [text.text for text in root.iter(f"{SVG}text")]


def test_picture_marks_what_was_lost_before(volley: VolleyResult) -> None:
    state = replace(volley.state, destroyed=volley.state.destroyed | {"apr/1"})
    root = ET.fromstring(volley_svg(replace(volley, state=state)))
    assert "apr/1: lost" in [title.text for title in root.iter(f"{SVG}title")]
