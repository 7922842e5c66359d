"""A log that is to be sent in has no name and no chat left, and is judged as before."""

from __future__ import annotations

import re

import pytest

from referee.core.errors import BadInput
from referee.sources import sfbol_strip
from referee.sources.sfbol_strip import RACES, VOCABULARY, stripped
from tests.unit.sources.sfbol_judged import duel, errors, judged, written

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


def test_words_of_a_class_stay_in_a_ship_s_name_and_no_others_do() -> None:
    put = "(Type:User-Defined Ship) has been added at 2020, direction A, speed 8"
    lines = [f"D7 Kharg {put}", f"KR War Eagle {put}", f"Gorn CA Snipe {put}", "Impulse 1.1:"]
    lines += ["D7 Kharg has moved to 2019", "Kharg D7 Bob Rolls 1d6: 3"]
    clean = stripped("\n".join(lines).encode(), "x").text.split("\n")
    (kharg,) = re.fullmatch(r"D7 (N\d+) \(.*", clean[0]).groups()  # type: ignore[union-attr]
    assert clean[4] == f"D7 {kharg} has moved to 2019" and clean[5].startswith(f"{kharg} D7 N")
    assert re.fullmatch(r"KR N\d N\d \(.*", clean[1]) and re.fullmatch(r"Gorn CA N\d \(.*", clean[2])
    assert "taken to be standard/klingon-d7" in judged(clean).findings[0].message


@pytest.mark.parametrize(
    ("line", "clean"),
    [
        ("1017 raises 30 shields at range 10", "N2 raises 30 shields at range 10"),
        ("IKV 1017 Kharg raises 10 shields", "N1 N2 N3 raises 10 shields"),
        ("Bob_77 raises shield 3 by 2 points", "word raises shield 3 by 2 points"),
        ("shield 3 of Kharg1017 is down by 2 points", "shield 3 of word is word by 2 points"),
        ("KHARG's shield 3 hit by 10 points", "word shield 3 hit by 10 points"),
        ("shield 3 hit by K\u200bharg at range 10", "shield 3 hit by word?word at range 10"),
        ("AB12.3 has moved to 1012", "N4 has moved to 1012"),
    ],
)
def test_a_name_that_stands_otherwise_in_a_line_goes(line: str, clean: str) -> None:
    """A number of its own, its letters in another case or within a word; figures of the game stay."""
    lines = ["IKV 1017 Kharg has moved to 1012", line]
    assert stripped("\n".join(lines).encode(), "x").text.split("\n")[1] == clean


def test_it_writes_nothing_where_a_word_of_a_name_would_survive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sfbol_strip, "_called", lambda name, tokens: name)
    with pytest.raises(BadInput, match="would survive"):
        stripped("\n".join(log()).encode(), "x")


def test_a_stripped_log_tells_the_classes_and_is_judged_as_before() -> None:
    from tests.unit.sources.test_sfbol_games import FIRE, SET_UP

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


ORDERS_OF_A_STRANGER = [
    "Carol: Kharg has moved to 1212",
    "Dave: Phaser 3 fires",
    "[Zachary] hit shield 3 for 0171555",
]


@pytest.mark.parametrize("line", ORDERS_OF_A_STRANGER)
def test_what_may_matter_is_not_made_chat(line: str) -> None:
    """What leaves a game undecided leaves its stripped log undecided."""
    lines = written(duel(SPEEDS, ACTS), own_names=False)
    lines.insert(12, line)
    assert "NOTE/unread" in {finding.key for finding in judged(lines).findings}
    clean = stripped("\n".join(lines).encode(), "x")
    assert (clean.chat, clean.text.split("\n")[12]) == (0, "(line left out)")
    assert "NOTE/unread" in {finding.key for finding in judged(clean.text.encode()).findings}


@pytest.mark.parametrize(
    "line",
    [
        "[Peter] call 0171 555 since 19:30",
        "(Peter) I live at 12 High Street",
        "*** Hans has joined from 192.168.1.17",
        "{Hans} 4711",
        "range 4711 of Zachary and fire at 192.168.1.17 on turn 3",
    ],
)
def test_figures_of_talk_do_not_survive(line: str) -> None:
    """A telephone's number, an address: longer figures beside words that are none of the game."""
    lines = written(duel(SPEEDS, ACTS), own_names=False)
    lines.insert(12, line)
    clean = stripped("\n".join(lines).encode(), "x").text.split("\n")[12]
    assert not re.search("4711|0171|555|192|168|High Street", clean), clean
