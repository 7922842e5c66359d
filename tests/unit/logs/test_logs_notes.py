"""Secret notes of a log, the log by ship and turn, and several logs of one game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.core.finding import Finding, LoggedGame, Report, Severity
from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.spoken import moment_named
from referee.logs.same_game import played_twice
from referee.logs.summary import _counted
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import FED, KLINGON, Game, LogWriter, Placed, Play, module_bytes

CA, D6 = "CA Ship0", "D6 Ship1"
Check = Callable[..., Ran]


def begun(*shields: int) -> LogWriter:
    """A log of two ships at speed 8 whose forms of turn 1 are filled in; the shields of the second."""
    ships = {CA: Placed(FED, Hex(40, 30), "D", 8), D6: Placed(KLINGON, Hex(40, 50), "A", 8)}
    writer = LogWriter(Game(ships, 2, {(n, t): 8 for n in ships for t in (1, 2)}, ()))
    if shields:
        writer.shields[D6] = list(shields)
        writer._start = writer.start()
    for name in ships:
        writer.form(name, 1)
        writer.write(name, 1, {"Phasrecharge": "3", "Total Used": "11"})
    return writer


def impulses(writer: LogWriter, turn: int, first: int, last: int) -> None:
    for number in range(first, last + 1):
        for name in (CA, D6) if number % 2 == 0 else ():
            writer.play(Play(name, turn, number, 0, 0))
        following = (turn, number + 1) if number < 16 else (turn + 1, 1)
        writer.advance((turn, number, 0), (*following, 0))


@pytest.fixture
def check(referee: Run, tmp_path: Path) -> Check:
    def once(*writers: LogWriter, options: tuple[str, ...] = ("--json",)) -> Ran:
        vmod = tmp_path / "other.vmod"
        vmod.write_bytes(module_bytes())
        paths = [tmp_path / f"{'abc'[n]}.vlog" for n in range(len(writers))]
        for path, writer in zip(paths, writers, strict=True):
            path.write_bytes(writer.finish())
        return referee("check", *paths, "--option", "previous_speed=8", "--module", vmod, *options)

    return once


def told(ran: Ran) -> list[tuple[str, str, Any]]:
    assert ran.err == ""
    return [(f["severity"], f["key"], f["location"].get("step")) for f in ran.findings()]


# -- secret notes ------------------------------------------------------------------------


def note(writer: LogWriter, text: str, *, hidden: bool, name: str = "Orders T1 I5") -> int:
    return writer.log(lv.SecretNote(name, lv.Secret(f"secret-{CA}"), hidden, text, ("1", "Ann")))


def test_a_note_shown_with_another_text(check: Check) -> None:
    writer = begun()
    note(writer, "my-secret-plan", hidden=True)
    impulses(writer, 1, 1, 4)
    shown = note(writer, "another-plan", hidden=False)
    ran = check(writer)
    assert told(ran) == [("undecided", "NOTE/seal-changed", shown)]
    assert ran.json["verdict"] == "cannot-tell"
    assert "my-secret-plan" not in ran.out and "another-plan" not in ran.out and "secret-" not in ran.out


def test_a_note_changed_in_secret(check: Check) -> None:
    writer = begun()
    note(writer, "one", hidden=True)
    early = note(writer, "two", hidden=True)
    impulses(writer, 1, 1, 5)
    late = note(writer, "three", hidden=True)
    note(writer, "three", hidden=False)
    found = told(check(writer))
    assert ("note", "NOTE/seal-changed", early) in found and ("undecided", "NOTE/seal-changed", late) in found


def sealed_and_shown(*texts: str, name: str = "Orders T1 I5") -> tuple[LogWriter, int]:
    """A note sealed in the third impulse and shown in the fifth; the step it was shown in."""
    writer = begun()
    impulses(writer, 1, 1, 3)
    note(writer, "\n".join(texts), hidden=True, name=name)
    impulses(writer, 1, 4, 4)
    return writer, note(writer, "\n".join(texts), hidden=False, name=name)


@pytest.mark.parametrize("order", ["!fire PHOT-A at D6 Ship1", "fire PHOT-A at D6 Ship1"])
def test_an_order_in_a_note_is_judged_when_it_is_shown(check: Check, order: str) -> None:
    writer, shown = sealed_and_shown(order)
    impulses(writer, 1, 5, 6)
    ran = check(writer)
    errors = [(f["subject"], f["rule"], f["location"]["step"]) for f in ran.findings("error")]
    assert errors == [(f"{CA} PHOT/A", "E1.2", shown)]
    (row,) = (row for row in ran.json["turns"] if row["ship"] == CA)
    assert row["fired"] == [{"weapon": "PHOT/A", "impulse": 5}]


def test_what_is_no_order_in_a_note_is_named_as_not_judged(check: Check) -> None:
    writer, _ = sealed_and_shown("launch both if he turns", "good luck")
    impulses(writer, 1, 5, 6)
    ran = check(writer)
    assert told(ran) == [] and "good luck" not in ran.out
    assert ("Ann", UNREAD) in [(item.get("subject"), item["reason"]) for item in ran.json["not_checked"]]


UNREAD = "what the secret note Orders T1 I5 says is judged only where it is an order"


def test_the_results_of_an_order_in_a_note_are_held_against_the_table(check: Check) -> None:
    writer, _ = sealed_and_shown("!fire PH-1A at D6 Ship1")
    rolled(writer, 6)
    claimed = writer.log(lv.Chat("<Ann> - PH-1A hits for 9 points"))
    impulses(writer, 1, 5, 6)
    assert ("error", "E2.4", claimed) in told(check(writer))


def test_an_order_said_again_in_chat_is_one_order(check: Check) -> None:
    writer, _ = sealed_and_shown("!fire PH-1A, PH-1B at D6 Ship1")
    for weapon in ("PH-1/B", "PH-1/A"):
        writer.log(lv.Chat(f"<Ann> - !fire {weapon} at D6 Ship1"))
    impulses(writer, 1, 5, 6)
    ran = check(writer)
    assert told(ran) == []
    (row,) = (row for row in ran.json["turns"] if row["ship"] == CA)
    assert len(row["fired"]) == 2


@pytest.mark.parametrize("late", [False, True])
def test_fire_that_is_not_what_was_sealed(check: Check, late: bool) -> None:
    """The note is held against the fire of the impulse it names, also where it is shown later."""
    writer = begun()
    note(writer, "fire PH-1A at D6 Ship1", hidden=True)
    impulses(writer, 1, 1, 4)
    if not late:
        note(writer, "fire PH-1A at D6 Ship1", hidden=False)
    said = writer.log(lv.Chat("<Ann> - !fire PH-1A, PH-1B at D6 Ship1"))
    impulses(writer, 1, 5, 6)
    if late:
        note(writer, "fire PH-1A at D6 Ship1", hidden=False)
    ran = check(writer)
    (found,) = (f for f in ran.findings() if f["key"] == "NOTE/not-as-sealed")
    assert (found["severity"], found["subject"], found["location"]["step"]) == ("undecided", CA, said)
    assert (found["expected"], found["found"]) == ("PH-1/A at D6 Ship1", "PH-1/A, PH-1/B at D6 Ship1")
    (row,) = (row for row in ran.json["turns"] if row["ship"] == CA)
    assert len(row["fired"]) == 2 and ran.json["verdict"] == "cannot-tell"


def in_steps(writer: LogWriter, number: int, did: dict[int, Callable[[], Any]]) -> None:
    """An impulse of turn 1 step by step: the ships that move do so first, and in each step what is done in it."""
    for step in range(4):
        if step == 0 and number % 2 == 0:
            for name in (CA, D6):
                writer.play(Play(name, 1, number, 0, 0))
        did.get(step, int)()
        writer.advance((1, number, step), (1, number, step + 1) if step < 3 else (1, number + 1, 0))


@pytest.mark.parametrize("step", [0, 1, 3])
def test_a_sealed_move_is_none_itself(check: Check, step: int) -> None:
    """It is shown after the move, in whichever step, also where chat says it too."""
    writer = begun()
    impulses(writer, 1, 1, 3)
    order = f"{CA}: ahead"
    note(writer, order, hidden=True, name="T1 I4")
    did = {step: lambda: note(writer, order, hidden=False, name="T1 I4")}
    if step == 1:
        writer.log(lv.Chat(f"<Ann> - !{order}"))
    in_steps(writer, 4, did)
    impulses(writer, 1, 5, 6)
    ran = check(writer)
    assert [row for row in told(ran) if row[1] != "B2.0" or row[0] == "error"] == []
    assert ran.json["verdict"] == "legal"


@pytest.mark.parametrize("shown_in", [3, 4, 6])
def test_a_sealed_move_that_was_not_kept(check: Check, shown_in: int) -> None:
    """The note is held against the move of the impulse it names, shown before it or after."""
    writer = begun()
    order = f"{CA}: left"
    note(writer, order, hidden=True, name="T1 I4")
    impulses(writer, 1, 1, shown_in - 1)
    shown = note(writer, order, hidden=False, name="T1 I4")
    impulses(writer, 1, shown_in, 7)
    ran = check(writer)
    (found,) = (f for f in ran.findings() if f["key"].startswith("NOTE/not-as"))
    assert (found["key"], found["severity"], found["subject"]) == ("NOTE/not-as-sealed", "undecided", CA)
    assert (found["impulse"], found["location"]["step"]) == (4, shown)
    assert (found["expected"], found["found"]) == ("left", "ahead") and "umpire decides" in found["fix"]
    assert ran.json["verdict"] == "cannot-tell"


@pytest.mark.parametrize("order", ["fire PH-1A at D6 Ship1", "!fire PH-1A at D6 Ship1"])
@pytest.mark.parametrize(("number", "step"), [(3, 3), (5, 0), (5, 1), (6, 0), (6, 3)])
def test_what_was_sealed_and_not_done_is_no_shot(check: Check, order: str, number: int, step: int) -> None:
    writer = begun()
    impulses(writer, 1, 1, 2)
    note(writer, order, hidden=True)
    at: list[int] = []
    for n in range(3, 8):
        did = {step: lambda: at.append(note(writer, order, hidden=False))} if n == number else {}
        in_steps(writer, n, did)
    ran = check(writer)
    (found,) = (f for f in ran.findings() if f["severity"] in ("error", "undecided"))
    assert (found["key"], found["impulse"], found["location"]["step"]) == ("NOTE/not-as-sealed", 5, *at)
    assert (found["expected"], found["found"]) == ("PH-1/A at D6 Ship1", "nothing")
    assert all(row["fired"] == [] for row in ran.json["turns"]) and ran.json["verdict"] == "cannot-tell"


def test_a_note_shown_in_the_fire_step_declares(check: Check) -> None:
    writer = begun()
    impulses(writer, 1, 1, 4)
    note(writer, "fire PH-1A at D6 Ship1", hidden=True)
    in_steps(writer, 5, {3: lambda: note(writer, "fire PH-1A at D6 Ship1", hidden=False)})
    impulses(writer, 1, 6, 7)
    ran = check(writer)
    assert told(ran) == []
    (row,) = (row for row in ran.json["turns"] if row["ship"] == CA)
    assert row["fired"] == [{"weapon": "PH-1/A", "impulse": 5}]


def test_fire_of_another_impulse_does_not_keep_a_note(check: Check) -> None:
    """Sealed for impulse 5, shown and fired in impulse 6: one shot, and what was sealed was not done."""
    writer = begun()
    note(writer, "fire PH-1A at D6 Ship1", hidden=True)
    impulses(writer, 1, 1, 5)
    note(writer, "fire PH-1A at D6 Ship1", hidden=False)
    writer.log(lv.Chat("<Ann> - !fire PH-1A at D6 Ship1"))
    impulses(writer, 1, 6, 7)
    ran = check(writer)
    assert [key for severity, key, _ in told(ran) if severity == "undecided"] == ["NOTE/not-as-sealed"]
    (row,) = (row for row in ran.json["turns"] if row["ship"] == CA)
    assert row["fired"] == [{"weapon": "PH-1/A", "impulse": 6}]


@pytest.mark.parametrize("said", [True, False])
def test_a_cloak_that_was_sealed(check: Check, said: bool) -> None:
    writer = begun()
    note(writer, f"!{CA}: cloak", hidden=True)
    impulses(writer, 1, 1, 4)
    if said:
        writer.log(lv.Chat(f"<Ann> - !{CA}: cloak"))
    impulses(writer, 1, 5, 5)
    note(writer, f"!{CA}: cloak", hidden=False)
    impulses(writer, 1, 6, 7)
    kept = [f for f in check(writer).findings() if f["key"] == "NOTE/not-as-sealed"]
    assert [(f["expected"], f["found"]) for f in kept] == ([] if said else [("cloak", "nothing")])


@pytest.mark.parametrize("name", ["T1 I8", "T1 I2"])
def test_a_note_about_what_is_not_in_the_log(check: Check, name: str) -> None:
    writer = begun()
    writer.at = (1, 3, 0)
    writer._start = writer.start()
    note(writer, "fire PH-1A at D6 Ship1", hidden=True, name=name)
    impulses(writer, 1, 3, 4)
    note(writer, "fire PH-1A at D6 Ship1", hidden=False, name=name)
    impulses(writer, 1, 5, 6)
    ran = check(writer)
    assert [key for severity, key, _ in told(ran) if severity == "undecided"] == []
    assert all(row["fired"] == [] for row in ran.json["turns"])
    assert any(
        f"the secret note {name} has is for turn 1" in item["reason"] for item in ran.json["not_checked"]
    )


def test_a_change_of_sealed_orders_is_undecided(check: Check) -> None:
    """Overwritten in the impulse it names, before it is shown; the change of prose stays a note."""
    writer = begun()
    impulses(writer, 1, 1, 2)
    note(writer, "fire PH-1A at D6 Ship1", hidden=True)
    impulses(writer, 1, 3, 4)
    changed = note(writer, "fire PH-1B at D6 Ship1", hidden=True)
    note(writer, "fire PH-1B at D6 Ship1", hidden=False)
    impulses(writer, 1, 5, 6)
    ran = check(writer)
    assert told(ran) == [("undecided", "NOTE/seal-changed", changed)]
    assert ran.json["verdict"] == "cannot-tell" and "umpire decides" in ran.findings()[0]["fix"]


def test_a_change_of_prose_is_a_note(check: Check) -> None:
    writer = begun()
    note(writer, "I fear him. If he closes, fire PH-1A at D6 Ship1", hidden=True)
    changed = note(writer, "I fear him no more", hidden=True)
    impulses(writer, 1, 1, 4)
    note(writer, "I fear him no more", hidden=False)
    impulses(writer, 1, 5, 6)
    assert told(check(writer)) == [("note", "NOTE/seal-changed", changed)]


@pytest.mark.parametrize(
    ("first", "other", "moment", "severity"),
    [
        ("fire PH-1A at D6 Ship1", "fire PH-1B at D6 Ship1", "T1 I5", "undecided"),
        ("fire PH-1A at D6 Ship1", "fire PH-1B at D6 Ship1", "T1 I4", "undecided"),
        ("fire PH-1A at D6 Ship1", "he will not see it coming", "T1 I5", "undecided"),
        ("I fear him", "fire PH-1B at D6 Ship1", "T1 I5", "note"),
    ],
)
def test_a_note_withheld_for_another(
    check: Check, first: str, other: str, moment: str, severity: str
) -> None:
    """Withheld past the impulse it names, while another with orders for it is written later and shown."""
    writer = begun()
    impulses(writer, 1, 1, 3)
    kept = note(writer, first, hidden=True, name="T1 I5")
    impulses(writer, 1, 4, 4)
    note(writer, other, hidden=True, name=f"{moment} b")
    note(writer, other, hidden=False, name=f"{moment} b")
    impulses(writer, 1, 5, 6)
    ran = check(writer)
    (found,) = (f for f in ran.findings() if f["key"] == "NOTE/seal-kept")
    assert (found["severity"], found["location"]["step"]) == (severity, kept)
    assert ("umpire decides" in found["fix"]) == (severity == "undecided") and "PH-1A" not in ran.out


def test_a_note_on_the_turn_is_not_withheld_for_one_of_another_kind(check: Check) -> None:
    """The energy of a turn stays sealed while its fire is shown."""
    writer = begun()
    for name, text in {"EA turn 1": "speed 8", "Turn 1 fire": "fire PH-1A at D6 Ship1"}.items():
        note(writer, text, hidden=True, name=name)
    note(writer, "fire PH-1A at D6 Ship1", hidden=False, name="Turn 1 fire")
    impulses(writer, 1, 1, 16)
    impulses(writer, 2, 1, 1)
    kept = [severity for severity, key, _ in told(check(writer)) if key == "NOTE/seal-kept"]
    assert kept == ["note"]


@pytest.mark.parametrize(
    ("name", "text", "until", "severity"),
    [
        ("T1 I5", "fire PH-1A at D6 Ship1", (1, 6), "undecided"),
        ("Turn 1", "fire PH-1A at D6 Ship1", (2, 1), "undecided"),
        ("Turn 1", "speed 8\nfire PH-1A at D6 Ship1", (2, 1), "undecided"),
        # What it names is not over, it names nothing, or what it has may stay sealed.
        ("T1 I5", "fire PH-1A at D6 Ship1", (1, 4), "note"),
        ("Turn 1", "fire PH-1A at D6 Ship1", (1, 16), "note"),
        ("Plan", "fire PH-1A at D6 Ship1", (2, 1), "note"),
        ("EA turn 1", "speed 8", (2, 1), "note"),
        ("Turn 1", "I fear him", (2, 1), "note"),
    ],
)
def test_a_note_never_shown_though_its_moment_is_over(
    check: Check, name: str, text: str, until: tuple[int, int], severity: str
) -> None:
    writer = begun()
    kept = note(writer, text, hidden=True, name=name)
    impulses(writer, 1, 1, 16 if until[0] == 2 else until[1] - 1)
    if until[0] == 2:
        impulses(writer, 2, 1, until[1])
    ran = check(writer)
    assert [f for f in told(ran) if f[1] == "NOTE/seal-kept"] == [(severity, "NOTE/seal-kept", kept)]
    assert ran.json["verdict"] == ("cannot-tell" if severity == "undecided" else "legal")
    assert "PH-1" not in ran.out


def test_a_note_nobody_played_against_stays_a_note(check: Check) -> None:
    """Where only one ship moved in the turn, nothing was withheld from anybody."""
    writer = begun()
    note(writer, "fire PH-1A at D6 Ship1", hidden=True, name="T1 I5")
    for number in range(1, 7):
        writer.advance((1, number, 0), (1, number + 1, 0))
    assert ("note", "NOTE/seal-kept") in [f[:2] for f in told(check(writer))]


@pytest.mark.parametrize("name", ["Turn 1", "Plan"])
@pytest.mark.parametrize("later", [0, 1, 3])
def test_fire_said_before_its_note_on_the_turn_is_shown_is_one_shot(
    check: Check, name: str, later: int
) -> None:
    """A note that names a turn alone, or nothing: said in chat first, shown later in the turn."""
    writer = begun()
    note(writer, "fire PH-1A at D6 Ship1", hidden=True, name=name)
    impulses(writer, 1, 1, 4)
    writer.log(lv.Chat("<Ann> - !fire PH-1A at D6 Ship1"))
    impulses(writer, 1, 5, 4 + later)
    note(writer, "fire PH-1A at D6 Ship1", hidden=False, name=name)
    impulses(writer, 1, 5 + later, 9)
    ran = check(writer)
    (row,) = (row for row in ran.json["turns"] if row["ship"] == CA)
    assert len(row["fired"]) == 1 and ran.json["verdict"] == "legal", ran.out


def test_fire_of_the_turn_with_other_weapons_than_its_note_is_another(check: Check) -> None:
    writer = begun()
    note(writer, "fire PH-1A at D6 Ship1", hidden=True, name="Turn 1")
    impulses(writer, 1, 1, 4)
    writer.log(lv.Chat("<Ann> - !fire PH-1B at D6 Ship1"))
    impulses(writer, 1, 5, 6)
    note(writer, "fire PH-1A at D6 Ship1", hidden=False, name="Turn 1")
    impulses(writer, 1, 7, 8)
    ran = check(writer)
    (row,) = (row for row in ran.json["turns"] if row["ship"] == CA)
    assert len(row["fired"]) == 2 and ran.json["verdict"] == "legal"


def test_fire_of_the_turn_at_another_than_its_note_has_is_undecided(check: Check) -> None:
    """Of what the note has, a weapon was said to be fired and another not."""
    writer = begun()
    note(writer, "fire PH-1A, PH-1B at D6 Ship1", hidden=True, name="Turn 1")
    impulses(writer, 1, 1, 4)
    said = writer.log(lv.Chat("<Ann> - !fire PH-1A, PH-1C at D6 Ship1"))
    impulses(writer, 1, 5, 6)
    note(writer, "fire PH-1A, PH-1B at D6 Ship1", hidden=False, name="Turn 1")
    impulses(writer, 1, 7, 8)
    ran = check(writer)
    (found,) = (f for f in ran.findings() if f["key"] == "NOTE/not-as-sealed")
    assert (found["severity"], found["location"]["step"]) == ("undecided", said)
    assert (found["expected"], found["found"]) == ("PH-1/A, PH-1/B at D6 Ship1", "PH-1/A at D6 Ship1")
    (row,) = (row for row in ran.json["turns"] if row["ship"] == CA)
    assert len(row["fired"]) == 2


def test_a_note_on_a_turn_shown_in_the_next_fires_nothing(check: Check) -> None:
    writer = begun()
    note(writer, "fire PH-1A at D6 Ship1", hidden=True, name="Turn 1")
    impulses(writer, 1, 1, 16)
    shown = note(writer, "fire PH-1A at D6 Ship1", hidden=False, name="Turn 1")
    impulses(writer, 2, 1, 2)
    ran = check(writer)
    assert ("undecided", "NOTE/not-as-sealed", shown) in told(ran)
    assert not any(row["fired"] for row in ran.json["turns"])


def test_a_note_is_shown_once(check: Check) -> None:
    writer, _ = sealed_and_shown("!fire PH-1A at D6 Ship1")
    note(writer, "!fire PH-1A at D6 Ship1", hidden=False)
    impulses(writer, 1, 5, 6)
    assert told(check(writer)) == []


def test_a_note_whose_owner_is_told_by_his_name(check: Check) -> None:
    writer = begun()
    for hidden in (True, False):
        text = "!fire PHOT-A at D6 Ship1"
        shown = writer.log(lv.SecretNote("Turn 1", lv.Secret("nobody"), hidden, text, ("1", "Ann")))
    impulses(writer, 1, 1, 2)
    assert ("error", "E1.2/energy", shown) in told(check(writer))


def test_orders_in_a_note_of_the_other_players_ship(check: Check) -> None:
    writer, shown = sealed_and_shown("!D6 Ship1: fire PH-1A at CA Ship0")
    impulses(writer, 1, 5, 6)
    assert told(check(writer)) == [("undecided", "NOTE/order", shown)]


def test_a_note_never_shown_and_one_about_no_turn(check: Check) -> None:
    writer = begun()
    kept = note(writer, "two", hidden=True, name="EA turn 1")
    vague = note(writer, "two", hidden=True, name="Plan")
    impulses(writer, 1, 1, 2)
    ran = check(writer)
    assert told(ran) == [("note", "NOTE/seal-kept", kept), ("note", "NOTE/seal-kept", vague)]
    assert [item["reason"] for item in ran.json["not_checked"] if item["rule"] == "B2.0"] == [
        "which turn the secret note Plan decides is not known: name it in its title"
    ]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("EA turn 3", (3, None)),
        ("T2 I5: launch", (2, 5)),
        ("Turn 12, impulse 30", (12, 30)),
        ("t1.i4", (1, 4)),
        ("Plan", (None, None)),
        ("PHOT-1 fit 3", (None, None)),
    ],
)
def test_the_moment_a_note_names(text: str, moment: tuple[int | None, int | None]) -> None:
    assert moment_named(text) == moment


# -- by ship and turn --------------------------------------------------------------------


def test_a_log_by_ship_and_turn(check: Check, holds: Callable[[Any], None]) -> None:
    writer = begun(16, 12, 8, 7, 8, 12)
    impulses(writer, 1, 1, 3)
    writer.log(lv.Chat("<Ann> - !fire PH-1A,PH-1B at D6 Ship1"))
    old = writer.display_states(D6)
    writer.shields[D6][0] -= 2
    writer.left[D6]["Warp L"] -= 1
    writer.log(writer.change(f"{writer.ids[D6]}9", old, writer.display_states(D6)))
    impulses(writer, 1, 4, 16)
    writer.form(CA, 2)
    impulses(writer, 2, 1, 1)
    ran = check(writer)
    holds(ran.json)
    (first, second, struck) = ran.json["turns"]
    assert (first["ship"], first["turn"], first["speed"], first["hexes"], first["turned"]) == (CA, 1, 8, 8, 0)
    assert (first["energy_spent"], first["energy_available"]) == ("11", "22")
    assert first["fired"] == [{"weapon": "PH-1/A", "impulse": 4}, {"weapon": "PH-1/B", "impulse": 4}]
    assert (second["ship"], second["turn"], second["hexes"]) == (CA, 2, 0)
    assert (struck["ship"], struck["shields_lost"], struck["boxes_lost"]) == (D6, {"1": 2}, {"left_warp": 1})
    events = [(e["step"], e["kind"], e["who"], e["what"]) for e in ran.json["events"]]
    assert events == sorted(events, key=lambda event: event[0])
    kinds = {kind: (who, what) for _, kind, who, what in reversed(events)}
    assert kinds["move"] == (CA, "4030D to 4031D") and kinds["form"][1] == "filed its form of turn 1: speed 8"
    assert kinds["order"] == (CA, "fire PH-1/A, PH-1/B at D6 Ship1")
    assert kinds["marks"] == (D6, "2 points on #1: 16 to 14, 1 inside: left warp")
    assert len([kind for _, kind, _, _ in events if kind == "move"]) == 16
    text = check(writer, options=()).out
    assert (
        "By ship and turn\n  CA Ship0, turn 1: speed 8; 8 hexes, 0 turns; energy 11 of 22; fired PH-1/A"
        in text
    )
    assert "damage marked: 2 on shield 1, 1 left warp" in text


def test_findings_on_weapons_are_their_ships(check: Check) -> None:
    """A photon that is not armed, fired twice, and a phaser that cannot bear; none of it is the other's."""
    writer = begun()
    impulses(writer, 1, 1, 3)
    writer.log(lv.Chat("<Ann> - !fire PHOT-A, PH-1A at D6 Ship1"))
    impulses(writer, 1, 4, 4)
    writer.log(lv.Chat("<Ann> - !fire PH-1A at D6 Ship1"))
    impulses(writer, 1, 5, 6)
    ran = check(writer)
    about = [f["subject"] for f in ran.findings("error")]
    assert about and set(about) == {f"{CA} PHOT/A", f"{CA} PH-1/A"}
    counts = {turn["ship"]: turn["findings"] for turn in ran.json["turns"]}
    assert counts == {CA: len(about), D6: 0}


def test_a_ship_is_not_counted_the_findings_of_its_namesake() -> None:
    found = [("CA One", 1), ("CA One (2) PH-1/A", 1), ("CA One (2)", 2), ("CA Onerous PH-1/A", 1)]
    report = Report(tuple(Finding("X", Severity.ERROR, "", subject, turn) for subject, turn in found))
    counts = _counted(report, ["CA One", "CA One (2)", "CA Onerous"])
    assert counts == {("CA One", 1): 1, ("CA One (2)", 1): 1, ("CA One (2)", 2): 1, ("CA Onerous", 1): 1}


# -- several logs of one game ------------------------------------------------------------


def rolled(writer: LogWriter, face: int) -> int:
    return writer.log(
        lv.Chat(f"*** 1d6 = {face} *** <Ann>"), lv.MutableProperty("1d6_result", "1", str(face), "Module")
    )


def fought(*faces: int) -> tuple[LogWriter, int]:
    writer = begun()
    impulses(writer, 1, 1, 2)
    writer.log(lv.Chat("<Ann> - !fire PH-1A at D6 Ship1"))
    step = rolled(writer, faces[0])
    impulses(writer, 1, 3, 4)
    return writer, step


def test_a_turn_played_again_with_other_dice(check: Check) -> None:
    one, at = fought(6)
    other, again = fought(1)
    ran = check(one, other)
    assert told(ran) == [("warning", "NOTE/played-twice", again)]
    finding = ran.findings()[0]
    assert finding["location"]["file"].endswith("b.vlog") and f"a.vlog too (step {at})" in finding["message"]
    assert (finding["expected"], finding["found"]) == ("1d6 = 6", "1d6 = 1")


def test_a_log_and_what_follows_it_are_no_replay(check: Check) -> None:
    one, _ = fought(6)
    assert told(check(one, fought(6)[0])) == []
    later = LogWriter(one.game, at=(1, 5, 0), filled=(1,))
    rolled(later, 2)
    assert [f for f in told(check(one, later)) if f[1] == "NOTE/played-twice"] == []


def test_games_of_others_and_logs_cut_short() -> None:
    def log(file: str, faces: tuple[str, ...], **parts: Any) -> LoggedGame:
        known: dict[str, Any] = {
            "counters": frozenset("1"),
            "players": frozenset({"Ann"}),
            "start": (1, 1),
            "end": (1, 9),
        }
        return LoggedGame(file, **{**known, **parts}, dice={(1, 5): faces}, steps={(1, 5): 7})

    one, other = log("a", ("3", "4")), log("b", ("3", "5"))
    assert [f.location.file for f in played_twice([one, other])] == ["b"]
    assert not list(played_twice([one, log("b", ("3", "5"), counters=frozenset("2"))]))
    assert not list(played_twice([one, log("b", ("3", "5"), players=frozenset({"Cy"}))]))
    assert not list(played_twice([log("a", ("3",), end=(1, 5)), other]))
    assert list(played_twice([log("a", ("4",), end=(1, 5)), other]))
    assert not list(played_twice([log("a", ("4",), end=(1, 5)), log("b", ("3", "5"), start=(1, 5))]))


def moved_in(way: int) -> LogWriter:
    """A log in whose fourth impulse the cruiser goes on, or turns; its turn mode lets it."""
    writer = begun()
    for number in range(1, 7):
        for name in (CA, D6) if number % 2 == 0 else ():
            writer.play(Play(name, 1, number, way if (name, number) == (CA, 4) else 0, 0))
        writer.advance((1, number, 0), (1, number + 1, 0))
    return writer


def test_other_moves_in_the_same_impulse(check: Check) -> None:
    ran = check(moved_in(0), moved_in(1))
    (found,) = (f for f in ran.findings() if f["key"] == "NOTE/played-twice")
    assert "turn 1, impulse 4, and 1 more" in found["message"] and "other moves" in found["message"]
    assert found["location"]["file"].endswith("b.vlog") and found["expected"] != found["found"]
    same = check(moved_in(1), moved_in(1)).findings()
    assert "NOTE/played-twice" not in {f["key"] for f in same}


def test_who_has_not_moved_yet_moved_no_other_way() -> None:
    def log(file: str, *ways: str, end: tuple[int, int] = (1, 9)) -> LoggedGame:
        known = frozenset("1"), frozenset({"Ann"}), (1, 1), end
        return LoggedGame(file, *known, {}, {}, {(1, 5): ways}, {(1, 5): 7})

    both = log("b", "CA 0101A to 0102A", "D6 0501A to 0502A")
    assert not list(played_twice([log("a", "CA 0101A to 0102A", end=(1, 5)), both]))
    assert list(played_twice([log("a", "CA 0101A to 0202B", end=(1, 5)), both]))
    assert list(played_twice([log("a", "CA 0101A to 0102A"), both]))


def test_private_notes_are_named_as_not_read(check: Check) -> None:
    writer = begun()
    writer.log(lv.PrivateNotes(lv.Secret("secret-Ann"), "my-own-plan"))
    ran = check(writer)
    assert "my-own-plan" not in ran.out
    assert "private notes of Ann are not read" in [item["reason"] for item in ran.json["not_checked"]]
