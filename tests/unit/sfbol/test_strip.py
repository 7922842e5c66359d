"""A log that is to be sent in has no name and no chat left, and is judged as before."""

from __future__ import annotations

import re

import pytest

from referee.core.errors import BadInput
from referee.formats import sfbol_strip
from referee.formats.sfbol_strip import RACES, VOCABULARY, stripped
from tests.unit.sfbol.judged_play import duel, errors, judged, written

SPEEDS = ({"Kharg": 8, "Sabre": 12}, {"Kharg": 16, "Sabre": 20})
ACTS = {(1, 16): ("Kharg: fire PH-2/1, PH-2/2 at Sabre", "Kharg: launch DRN/1 at Sabre")}
CHAT = [
    "<Carol Danvers> my phone is 555 0199, call Zachary",
    "Skylark: you moved your ship to the wrong hex, Xavier",
    "Bob says: secretplan fire all phasers",
    "Mallory: hello from Quimper",
    "Perpetua waves and thinks about Winchester dinners tonight",
]
SECRETS = (
    *(
        "Kharg",
        "IKV",
        "1017 Kharg",
        "Sabre",
        "USS",
        "Skylark",
        "Bob",
        "Carol",
        "Danvers",
        "phone",
        "0199",
        "Zachary",
    ),
    *("Xavier", "wrong", "secretplan", "Mallory", "Quimper", "Perpetua", "Winchester", "dinners", "tonight"),
)


def log() -> list[str]:
    lines = written(duel(SPEEDS, ACTS), own_names=False)
    lines[12:12] = CHAT
    lines[40:40] = [
        "IKV Kharg does a High Energy Turn to facing C",
        "USS Sabre tractors IKV 1017 Kharg at range 1",
    ]
    return lines


def test_no_name_and_no_chat_survives() -> None:
    clean = stripped("\n".join(log()).encode(), "x")
    for secret in SECRETS:
        assert not re.search(rf"(?i)(?<![a-z0-9]){re.escape(secret)}(?![a-z0-9])", clean.text), secret
    assert clean.chat == 4 and clean.left_out == 1
    words = {word.casefold() for word in re.findall(r"[^\W\d_]+", clean.text)}
    assert words <= VOCABULARY | RACES | {"word", "chat", "line", "out", "left"}, words - VOCABULARY


def test_shapes_figures_and_lines_stay() -> None:
    lines = log()
    clean = stripped("\n".join(lines).encode(), "x").text.split("\n")
    assert len(clean) == len(lines)
    for before, after in zip(lines, clean, strict=True):
        if before not in CHAT:
            # A number in a name is part of the name.
            assert re.findall(r"\d+", before.replace("1017", "")) == re.findall(r"(?<![N\d])\d+", after), (
                before,
                after,
            )
    assert any(re.fullmatch(r"(N\d+ )+does a High Energy Turn to facing C", line) for line in clean)
    assert any(re.fullmatch(r"N\d+ N\d+ tractors (N\d+ )+at range 1", line) for line in clean)


def test_what_is_stripped_is_judged_as_before() -> None:
    lines = written(duel(SPEEDS, ACTS))
    n = lines.index("Impulse 1.12:")
    lines[n + 1], lines[n + 2] = lines[n + 2], lines[n + 1]
    ships = {"Kharg": "standard/klingon-d7", "Sabre": "standard/federation-ca"}
    clean = stripped("\n".join(lines).encode(), "x").text.split("\n")
    names = [line.partition(" (Type")[0] for line in clean[:2]]
    told = [f"{name}={id}" for name, id in zip(names, ships.values(), strict=True)]
    assert errors(judged(clean, *told)) == errors(judged(lines)) != set()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_stay_and_letters_of_other_alphabets_go(end: str) -> None:
    text = end.join(["Impulse 1.1:", "Klär Ö has moved to 1012", "Ωmega says: ψ", "Klär Ö zaps Ωmega"]) + end
    clean = stripped(text.encode(), "x")
    assert clean.text.isascii() and clean.text.count(end) == 4 and clean.chat == 1


def test_it_writes_nothing_where_a_word_of_a_name_would_survive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sfbol_strip, "_called", lambda name, tokens: name)
    with pytest.raises(BadInput, match="would survive"):
        stripped("\n".join(log()).encode(), "x")


def test_a_stripped_log_tells_the_classes_and_is_judged_as_before() -> None:
    from tests.unit.sfbol.test_games import FIRE, SET_UP

    lines = [*SET_UP, "<Carol> hello", FIRE[0], "Kharg fires 1 Disruptors at Sabre", *FIRE[1:]]
    lines.insert(
        4, "AS1.1.1 (Type:Federation Admin Shuttle) has been added at 2010, AS1.1.1 was launched by Sabre"
    )
    clean = stripped("\n".join(lines).encode(), "x")
    assert "Federation CA" in clean.text and "1 Disruptors at" in clean.text and "AS1.1.1" in clean.text
    was, now = judged(lines), judged(clean.text.encode())
    assert [(one.key, one.location.line) for one in now.findings] == [
        (one.key, one.location.line) for one in was.findings
    ]
    assert was.verdict == now.verdict
