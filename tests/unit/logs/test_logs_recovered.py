"""What a log tells again after a command that could not be read: places, displays, the time; then it is judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.commands import Command
from tests.cli.conftest import Ran
from tests.unit.formats.vassal.game_logs import LogWriter, Play
from tests.unit.logs.test_logs import CA, D6, Check, begun, check, duel_game, impulse

__all__ = ["check"]


def judged(ran: Ran) -> list[tuple[str, str, str, Any]]:
    """Errors, and what is undecided but for the steps that could not be read."""
    assert ran.err == ""
    return [
        (f["severity"], f["key"], f["subject"], f["location"].get("step"))
        for f in ran.findings("error", "undecided")
        if f["key"] != "NOTE/unread"
    ]


def unread(ran: Ran) -> list[int]:
    return [f["location"]["step"] for f in ran.findings() if f["key"] == "NOTE/unread"]


def spoil(writer: LogWriter, step: int, old: str, new: str) -> None:
    """Writes a command of a step in another way."""
    whole = writer.steps[step - 1]
    parts = [Command(text.replace(old, new, 1)) for text in (whole.text, *(sub.text for sub in whole.subs))]
    writer.steps[step - 1] = Command(parts[0].text, tuple(parts[1:]))


def unread_move(writer: LogWriter, step: int) -> None:
    spoil(writer, step, "Space/", "Space/abc")


def test_only_the_ship_of_the_command_is_in_doubt(check: Check) -> None:
    writer = begun(duel_game(d6=8))
    impulse(writer, 1, 1, (CA, 0))
    _, spoilt = impulse(writer, 1, 2, (D6, 0), (CA, 0))
    unread_move(writer, spoilt)
    extra, _ = impulse(writer, 1, 3, (D6, 0), (CA, 0))
    ran = check(writer)
    assert unread(ran) == [spoilt]
    assert judged(ran) == [("error", "C1.4", D6, extra)]


def test_a_ship_that_is_not_seen_again_stays_in_doubt(check: Check) -> None:
    writer = begun(duel_game(d6=8))
    impulse(writer, 1, 1, (CA, 0))
    _, spoilt = impulse(writer, 1, 2, (D6, 0), (CA, 0))
    unread_move(writer, spoilt)
    impulse(writer, 1, 3)
    impulse(writer, 1, 4, (D6, 0))
    ran = check(writer)
    found = judged(ran)
    assert found and {row[:3] for row in found} == {("undecided", "C1.4/missed", CA)}


def test_a_move_that_was_against_the_rules_is_found_though_it_was_not_read(check: Check) -> None:
    """Two hexes, as the next move shows: what the unread command did is not held against the ship."""
    writer = begun(duel_game(d6=8))
    impulse(writer, 1, 1, (CA, 0))
    writer.play(Play(D6, 1, 2, 0, 0))
    hex, facing = writer.where[CA]
    spoilt = writer.log(writer.move_leaf(CA, hex, Hex(hex.column, hex.row + 2)))
    writer.where[CA] = Hex(hex.column, hex.row + 2), facing
    impulse(writer, 1, 2)
    unread_move(writer, spoilt)
    impulse(writer, 1, 3, (CA, 0))
    assert judged(check(writer)) == [("undecided", "C1.1", CA, spoilt)]


def test_a_turn_after_too_few_hexes_that_are_known(check: Check) -> None:
    """Straight hexes are counted again from where the ship is seen; what went before them is not known."""

    def log(straight: int) -> tuple[LogWriter, int, int]:
        writer = begun(duel_game(d6=8))
        impulse(writer, 1, 1, (CA, 1))
        hex, facing = writer.where[CA]
        astray = hex.step("A")
        spoilt = writer.log(writer.move_leaf(CA, hex, astray))
        writer.where[CA] = astray, facing
        impulse(writer, 1, 2, (D6, 0))
        unread_move(writer, spoilt)
        for number in range(3, 3 + straight):
            impulse(writer, 1, number, *(((D6, 0),) if number % 2 == 0 else ()), (CA, 0))
        number = 3 + straight
        rows = impulse(writer, 1, number, *(((D6, 0),) if number % 2 == 0 else ()), (CA, 1))
        after = number + 1
        early = impulse(writer, 1, after, *(((D6, 0),) if after % 2 == 0 else ()), (CA, 1))
        return writer, rows[-1], early[-1]

    for straight in (0, 1, 2, 3):
        writer, first, second = log(straight)
        ran = check(writer)
        errors = [row for row in judged(ran) if row[0] == "error"]
        # The first turn is not known to be early; the one right after it is.
        assert [(key, step) for _, key, _, step in errors] == [("C3.2", second - 1)], (straight, first)
        unknown = [r for r in ran.json["not_checked"] if r["rule"] == "C3.2" and r.get("subject") == CA]
        assert bool(unknown) is (straight < 2)


@pytest.mark.parametrize("told", [True, False])
def test_a_tracker_that_tells_the_time_again(check: Check, told: bool) -> None:
    writer = begun(duel_game(d6=8))
    impulse(writer, 1, 1, (CA, 0))
    impulse(writer, 1, 2, (D6, 0), (CA, 0))
    step = len(writer.steps)
    spoil(writer, step, "TURNTurnTracker0\t", "TURNTurnTracker0\tgarbage")
    impulse(writer, 1, 3, (CA, 0))
    impulse(writer, 1, 4, (D6, 0), (CA, 0))
    if not told:
        for later in range(step + 1, len(writer.steps) + 1):
            spoil(writer, later, "TURNTurnTracker0\t", "TURNTurnTracker0\tgarbage")
    extra, _ = impulse(writer, 1, 5, (D6, 0), (CA, 0))
    if not told:
        spoil(writer, len(writer.steps), "TURNTurnTracker0\t", "TURNTurnTracker0\tgarbage")
    ran = check(writer)
    errors = [row for row in judged(ran) if row[0] == "error"]
    assert errors == ([("error", "C1.4", D6, extra)] if told else [])


# -- displays ----------------------------------------------------------------------------


def marked(writer: LogWriter, shield: int, count: int) -> int:
    old = writer.display_states(D6)
    writer.shields[D6][shield - 1] -= count
    return writer.log(writer.change(f"{writer.ids[D6]}9", old, writer.display_states(D6)))


def hit(writer: LogWriter, text: str) -> int:
    return writer.log(lv.Chat(f"<Ben> - !hit {text}"))


@pytest.mark.parametrize("count", [3, 2, 4])
def test_marks_after_marks_that_could_not_be_read(check: Check, count: int) -> None:
    writer = begun(duel_game(ca=8, d6=8))
    hit(writer, "5 on 2")
    spoilt = marked(writer, 2, 5)
    spoil(writer, spoilt, f"D/{writer.ids[D6]}9/", f"D/{writer.ids[D6]}9/?/?/")
    impulse(writer, 1, 1)
    hit(writer, "3 on 2")
    step = marked(writer, 2, count)
    ran = check(writer)
    assert unread(ran) == [spoilt]
    assert judged(ran) == ([] if count == 3 else [("error", "D4.1", D6, step)])


def test_marks_that_nobody_sees_again_are_in_doubt(check: Check) -> None:
    writer = begun(duel_game(ca=8, d6=8))
    hit(writer, "5 on 2")
    first = marked(writer, 2, 4)
    spoilt = marked(writer, 2, 1)
    spoil(writer, spoilt, f"D/{writer.ids[D6]}9/", f"D/{writer.ids[D6]}9/?/?/")
    assert judged(check(writer)) == [("undecided", "D4.1", D6, first)]


def test_a_form_that_could_not_be_read_and_is_seen_again(check: Check) -> None:
    writer = LogWriter(duel_game(ca=8, d6=8))
    for name in writer.game.ships:
        spoilt = writer.form(name, 1)
    spoil(writer, spoilt, f"D/{writer.ids[D6]}9/", f"D/{writer.ids[D6]}9/?/?/")
    impulse(writer, 1, 1)
    impulse(writer, 1, 2, (CA, 0), (D6, 0))
    alone = judged(check(writer))
    marked(writer, 2, 0)
    ran = check(writer)
    assert judged(ran) == [] and ("C1.4", "the speed is not known") not in {
        (item["rule"], item["reason"]) for item in ran.json["not_checked"]
    }
    assert all(severity == "undecided" for severity, *_ in alone)


# -- fire --------------------------------------------------------------------------------


def shot_after(astray: Hex, *, seen_again: bool) -> tuple[LogWriter, int]:
    """A cruiser is behind the battlecruiser's back, is moved in a step that cannot be read, and fires ahead."""
    game = duel_game(ca=8, d6=8)
    ships = {CA: replace(game.ships[CA], facing="A"), D6: game.ships[D6]}
    writer = begun(replace(game, ships=ships))
    hex, facing = writer.where[CA]
    spoilt = writer.log(writer.move_leaf(CA, hex, astray))
    writer.where[CA] = astray, facing
    shot = writer.log(lv.Chat(f"<Ann> - !{CA}: fire PH-1C at {D6}"))
    impulse(writer, 1, 1)
    if seen_again:
        impulse(writer, 1, 2, (CA, 0), (D6, 0))
    unread_move(writer, spoilt)
    return writer, shot


IN_FRONT, BEHIND = Hex(40, 55), Hex(40, 40)


@pytest.mark.parametrize(
    ("astray", "seen_again", "errors"),
    [(IN_FRONT, False, []), (BEHIND, False, []), (IN_FRONT, True, []), (BEHIND, True, ["D2.2"])],
)
def test_fire_is_judged_from_where_a_ship_is_known_to_stand(
    check: Check, astray: Hex, seen_again: bool, errors: list[str]
) -> None:
    """The next move that can be read tells where the ship was before it."""
    writer, shot = shot_after(astray, seen_again=seen_again)
    ran = check(writer)
    assert [key for severity, key, _, step in judged(ran) if severity == "error" and step == shot] == errors
    assert ("D2.2" in {item["rule"] for item in ran.json["not_checked"]}) is not seen_again
