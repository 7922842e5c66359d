"""Displays that show of a box what cannot be read, or cannot be: named, and taken as they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.formats.vassal.container import write_save_bytes
from referee.formats.vassal.sequence import decode, encode
from tests.cli.conftest import Ran, Run
from tests.unit.formats.vassal.game_logs import MODULE_DATA, Game, LogWriter
from tests.unit.logs.test_logs_marks import BACK, CA, D6, errors, hit, logged, odd
from tests.unit.logs.test_logs_notes import Check, check, impulses

__all__ = ["check"]
UNREAD = "NOTE/mark-unread"


class Scribbler(LogWriter):
    """A log in which anything may be written for the boxes of the Klingon's sheet or properties."""

    scribbled: dict[str, str]

    def __init__(self, game: Game, **rest: Any) -> None:
        self.scribbled = {}
        super().__init__(game, **rest)

    def display_states(self, name: str) -> list[str]:
        states = super().display_states(name)
        if name != D6:
            return states
        boxes = [box for box, _ in self.game.ships[name].cls.boxes]
        if self.shown == "properties":
            return [
                states[0],
                self._sheet(states[1], []),
                *(self.scribbled.get(box, state) for box, state in zip(boxes, states[2:], strict=False)),
                *states[2 + len(boxes) :],
            ]
        return [states[0], self._sheet(states[1], boxes), *states[2:]]

    def _sheet(self, state: str, boxes: list[str]) -> str:
        labels = [*boxes, *(f"Shield {n}" for n in range(1, 7))]
        fields = zip(labels, decode(state, "~"), strict=True)
        return encode([self.scribbled.get(label, text) for label, text in fields], "~")


def duel(shown: str = "sheet") -> Scribbler:
    plain = logged()
    writer = Scribbler(plain.game, shown=shown)
    writer.shields[D6] = [16, 12, 8, 7, 8, 12]
    writer._start = writer.start()
    for name in (CA, D6):
        writer.form(name, 1)
    return writer


def scribble(writer: Scribbler, **texts: str) -> int:
    """Writes texts for boxes: `Shield_1="dead"`; an empty one lets the number stand."""
    old = writer.display_states(D6)
    writer.scribbled |= {label.replace("_", " "): text for label, text in texts.items()}
    writer.scribbled = {label: text for label, text in writer.scribbled.items() if text}
    return writer.log(writer.change(f"{writer.ids[D6]}9", old, writer.display_states(D6)))


def unread(ran: Ran) -> list[tuple[int | None, str]]:
    assert ran.err == ""
    return [
        (f["location"].get("step"), f["message"]) for f in ran.findings("undecided") if f["key"] == UNREAD
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("dead/16", "cannot be read: its display shows dead/16; taken as 16 of 16"),
        ("", "cannot be read: its display shows nothing; taken as 16 of 16"),
        ("20/16", "cannot be: its display shows 20/16; taken as 16 of 16"),
        ("-4/16", "cannot be: its display shows -4/16; taken as 0 of 16"),
        ("30/40", "cannot be: its display shows 30 of 40; taken as 16 of 16"),
    ],
)
def test_a_shield_that_cannot_be_read(check: Check, text: str, says: str) -> None:
    writer = duel()
    impulses(writer, 1, 1, 3)
    step = scribble(writer, Shield_1=text or " ")
    impulses(writer, 1, 4, 6)
    ran = check(writer)
    assert unread(ran) == [(step, f"what is left of shield 1 {says}")]
    assert errors(ran) == [] and ran.json["verdict"] == "cannot-tell"


@pytest.mark.parametrize(("text", "shown"), [("dead", "dead"), ("-3", "-3"), ("99", "99")])
def test_a_property_that_cannot_be_read(check: Check, text: str, shown: str) -> None:
    writer = duel("properties")
    impulses(writer, 1, 1, 3)
    step = scribble(writer, Warp_L=text)
    impulses(writer, 1, 4, 6)
    ((found, message),) = unread(check(writer))
    assert found == step and f"its display shows {shown}; taken as" in message


@pytest.mark.parametrize(("plays", "said"), [("true", False), ("false", True)])
def test_reinforcement_shown_as_boxes(check: Check, plays: str, said: bool) -> None:
    writer = duel()
    writer.write(D6, 1, {"Gen Reinf": "4", "Total Used": "15" if plays == "true" else "11"})
    impulses(writer, 1, 1, 3)
    step = scribble(writer, Shield_1="18/18")
    hit(writer, 3)
    scribble(writer, Shield_1="15/18")
    impulses(writer, 1, 4, 6)
    ran = check(writer, options=("--json", "--option", f"reinforcement={plays}"))
    assert [found for found, _ in unread(ran)] == ([step] if said else [])
    assert errors(ran) == ([] if plays == "true" else [("D4.1", step + 2, "3", "1")])


def test_a_number_that_cannot_be_is_held_against_the_fire(check: Check) -> None:
    writer = duel()
    impulses(writer, 1, 1, 3)
    hit(writer, 14)
    step = scribble(writer, Shield_1="20/16")
    impulses(writer, 1, 4, 6)
    assert errors(check(writer)) == [("D4.1", step, "14", "0")]


def test_lost_boxes_that_are_left_out(check: Check) -> None:
    """A display may show no more boxes than are left: 4 of 4 where there were 16 are 12 lost."""
    writer = duel()
    impulses(writer, 1, 1, 3)
    hit(writer, 12)
    scribble(writer, Shield_1="4/4")
    impulses(writer, 1, 4, 5)
    hit(writer, 2)
    wrong = scribble(writer, Shield_1="3/3")
    impulses(writer, 1, 6, 6)
    ran = check(writer)
    assert unread(ran) == [] and errors(ran) == [("D4.1", wrong, "2", "1")]


def test_what_cannot_be_is_said_once(check: Check) -> None:
    writer = duel()
    impulses(writer, 1, 1, 3)
    step = scribble(writer, Shield_1="30/40")
    scribble(writer, Shield_1="29/40")
    scribble(writer, Shield_1="28/40")
    impulses(writer, 1, 4, 6)
    assert [found for found, _ in unread(check(writer))] == [step]


def test_a_mark_that_can_be_read_again_is_held_against_what_was_there_before(check: Check) -> None:
    def log(left: int) -> tuple[Scribbler, int]:
        writer = duel()
        impulses(writer, 1, 1, 3)
        hit(writer, 14)
        scribble(writer, Shield_1="dead/16")
        writer.shields[D6][0] = left
        step = scribble(writer, Shield_1="")
        impulses(writer, 1, 4, 6)
        return writer, step

    right, _ = log(2)
    assert errors(check(right)) == []
    wrong, step = log(4)
    assert errors(check(wrong)) == [("D4.1", step, "14", "12")]


def test_what_cannot_be_read_is_no_repair(check: Check) -> None:
    writer = duel()
    impulses(writer, 1, 1, 3)
    hit(writer, 14)
    scribble(writer, Shield_1="2/16")
    impulses(writer, 1, 4, 5)
    step = scribble(writer, Shield_1="dead/16")
    impulses(writer, 1, 6, 7)
    assert odd(check(writer)) == [("undecided", UNREAD, step)]
    back = scribble(writer, Shield_1="9/16")
    impulses(writer, 1, 8, 8)
    assert errors(check(writer)) == [(BACK, back, "0", "7")]


def test_a_form_is_held_against_what_could_be_read_last(check: Check) -> None:
    writer = duel()
    impulses(writer, 1, 1, 3)
    hit(writer, 20)
    scribble(writer, Shield_1="0/16", Warp_L="4/8")
    impulses(writer, 1, 4, 16)
    scribble(writer, Warp_L="some")
    writer.form(CA, 2)
    form = writer.form(D6, 2)
    impulses(writer, 2, 1, 3)
    assert errors(check(writer)) == [("B3.0-1", form, "≤ 12", "16")]


def test_what_never_could_be_read_says_nothing_of_power(check: Check) -> None:
    writer = duel()
    writer.scribbled["Warp L"] = "some"
    writer.steps.clear()
    writer._start = writer.start()
    for name in (CA, D6):
        writer.form(name, 1)
    writer.write(D6, 1, {"Warp Power": "11", "Total Power": "15"})
    impulses(writer, 1, 1, 4)
    named = ("--json", "--ship", f"{D6}=cadet/klingon-d6")
    ran = check(writer, options=named)
    assert unread(ran) == [(None, "what is left of Warp L cannot be read: its display shows some")]
    assert errors(ran) == []


def test_a_display_put_in_order_before_play(check: Check) -> None:
    writer = duel()
    writer.scribbled["Warp L"] = "some"
    writer.steps.clear()
    writer._start = writer.start()
    scribble(writer, Warp_L="")
    for name in (CA, D6):
        writer.form(name, 1)
    impulses(writer, 1, 1, 4)
    assert odd(check(writer)) == []


def test_a_save(referee: Run, tmp_path: Path) -> None:
    writer = duel()
    writer.scribbled |= {"Warp L": "dead/8", "Warp R": "-3/8"}
    path = tmp_path / "game.vsav"
    path.write_bytes(write_save_bytes(writer.start(), key=7, module_data=MODULE_DATA))
    ran = referee("check", path, "--json", "--ship", f"{D6}=cadet/klingon-d6", "--option", "previous_speed=8")
    assert unread(ran) == [
        (None, "what is left of Warp L cannot be read: its display shows dead/8"),
        (None, "what is left of Warp R cannot be: its display shows -3/8"),
    ]
    assert ran.json["verdict"] == "cannot-tell" and "SSD" not in ran.out.replace("SSD D6", "")
