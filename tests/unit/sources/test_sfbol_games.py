"""Logs of the online client as games: names, classes, dice, what is told apart and what is not known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.core.errors import BadInput
from referee.sources.asked import Asked
from referee.sources.settings import Settings
from referee.sources.sfbol import games_told
from tests.cli.conftest import Run, own_folder, referee
from tests.unit.sources.sfbol_judged import duel, errors, judged, line_of, said, written

__all__ = ["own_folder", "referee"]
SPEEDS = ({"Kharg": 8, "Sabre": 12}, {"Kharg": 16, "Sabre": 20})
ACTS = {
    (1, 16): ("Kharg: fire PH-2/1, PH-2/2 at Sabre", "Sabre: fire PH-1/1, PH-1/2, PH-1/3 at Kharg"),
    (1, 24): ("Kharg: fire DISR/A, DISR/B at Sabre", "Sabre: fire PHOT/A, PHOT/B at Kharg"),
}


def base() -> list[str]:
    return written(duel(SPEEDS, ACTS))


# -- ships ---------------------------------------------------------------------------------


def test_words_left_out_of_a_name_mean_the_ship_whose_label_has_them_all() -> None:
    lines = base()
    assert any(line.startswith("IKV Kharg") for line in lines) and any(
        "IKV 1017 Kharg" in line for line in lines
    )
    assert judged(lines).verdict == "legal"


def test_a_name_that_two_ships_may_have_is_undecided_and_nothing_is_guessed() -> None:
    lines = [
        line.replace("IKV 1017 Kharg", "CW 705 Marauder").replace("USS Sabre", "CW 706 Raider")
        for line in base()
    ]
    lines = [line.replace("IKV Kharg", "CW Marauder") for line in lines]
    assert judged(lines).verdict == "legal"
    n = line_of(lines, "CW", lines.index("Impulse 1.12:"))
    lines[n - 1] = lines[n - 1].replace("CW Marauder", "CW").replace("CW 705 Marauder", "CW")
    report = judged(lines)
    (found,) = said(report, "NOTE/name")
    assert (
        found.severity == "undecided"
        and found.location.line == n
        and "CW 705 Marauder or CW 706 Raider" in found.message
    )
    assert not errors(report) and report.verdict == "cannot-tell"


def test_an_exact_label_wins_over_one_that_has_more_words() -> None:
    lines = [line.replace("IKV 1017 Kharg", "Kharg").replace("IKV Kharg", "Kharg") for line in base()]
    lines = [line.replace("USS Sabre", "Kharg Killer") for line in lines]
    assert judged(lines).verdict == "legal"


def test_a_class_is_told_by_the_player_a_map_or_the_name(tmp_path: Path) -> None:
    lines = [line.replace("(Type:Klingon D7)", "(Type:User-Defined Ship)") for line in base()]
    report = judged(lines)
    (found,) = said(report, "NOTE/ship")
    assert found.severity == "undecided" and '--ship "IKV 1017 Kharg=' in found.fix
    assert report.verdict == "cannot-tell"
    assert judged(lines, "Kharg=standard/klingon-d7").verdict == "legal"
    assert judged(lines, "ikv 1017 kharg=standard/klingon-d7").verdict == "legal"
    named = [
        line.replace("IKV 1017 Kharg", "Klingon D7 Kharg").replace("IKV Kharg", "D7 Kharg") for line in lines
    ]
    assert judged(named).verdict == "legal"
    says = {"schema": "referee/module-map/1", "module": {"name": "SFBOL"}}
    path = tmp_path / "sfbol.json"
    path.write_text(
        json.dumps({**says, "identify": {"classes": {"User-Defined Ship": "standard/klingon-d7"}}})
    )
    from referee.judging.files import judge_file
    from referee.sources.inputs import InputBytes

    source = InputBytes("a.log", "\n".join(lines).encode(), "text")
    assert judge_file(source, Asked(Settings(), map=str(path))).verdict == "legal"


def test_a_ship_that_is_not_there_or_may_be_several_is_refused() -> None:
    with pytest.raises(BadInput, match="no ship Klaa in it"):
        judged(base(), "Klaa=standard/klingon-d7")
    with pytest.raises(BadInput, match="no ship standard/nowhere"):
        judged(base(), "Kharg=standard/nowhere")
    lines = [
        line.replace("IKV 1017 Kharg", "CW 7 A").replace("IKV Kharg", "7 A").replace("USS Sabre", "CW 8")
        for line in base()
    ]
    with pytest.raises(BadInput, match="may be CW 7 A or CW 8"):
        judged(lines, "CW=standard/klingon-d7")


def test_shields_that_are_not_the_class_s_put_the_class_in_doubt() -> None:
    lines = base()
    n = line_of(lines, "Remaining Shield")
    lines[n - 1] = "Remaining Shield: 24/24/24/24/24/24"
    report = judged(lines)
    assert any("is it that class?" in one.message for one in said(report, "NOTE/ship"))
    assert ("D4.1/stated", n) not in errors(report)


# -- several games, and files as they come -------------------------------------------------


def test_games_in_one_file_are_told_apart_and_judged_each() -> None:
    first, second = base(), base()
    n = line_of(second, "IKV", second.index("Impulse 1.32:"))
    second[n - 1] = "IKV Kharg has moved to 2021"
    report = judged([*first, *second])
    assert [one.message for one in said(report, "NOTE/game")] == [
        f"game 1 of 2: lines 1 to {len(first)}",
        f"game 2 of 2: lines {len(first) + 1} to {len(first) + len(second)}",
    ]
    assert ("C1.1", len(first) + n) in errors(report) and all(
        line > len(first) for _, line in errors(report) if line
    )


def test_the_same_game_twice_has_its_findings_at_both_places() -> None:
    lines = base()
    lines[line_of(lines, "Remaining Shield") - 1] = "Remaining Shield: 1/24/20/20/20/24"
    once = {line for _, line in errors(judged(lines)) if line}
    assert {line for _, line in errors(judged([*lines, *lines])) if line} == once | {
        n + len(lines) for n in once
    }


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_latin_1_and_a_cut_last_line(end: str) -> None:
    lines = [line.replace("IKV 1017 Kharg", "IKV Ärger").replace("IKV Kharg", "Ärger") for line in base()]
    text = end.join(lines) + end
    for encoding in ("utf-8", "latin-1"):
        assert judged(text.encode(encoding)).verdict == "legal"
    report = judged((text + "Impulse 3.1:" + end + "Ärger has mov").encode("latin-1"))
    (cut,) = said(report, "NOTE/unread")
    assert (
        cut.severity == "undecided"
        and cut.location.line == len(lines) + 2
        and report.verdict == "cannot-tell"
    )


def test_lines_that_are_not_understood_are_counted_by_shape_and_chat_does_not_matter() -> None:
    lines = base()
    chat = ["<Carol> hello", "Skylark: my drone moves to your hex", "Bob says: fire!"]
    lines[20:20] = chat
    report = judged(lines)
    assert report.verdict == "legal" and said(report, "NOTE/chat")[0].message.startswith("3 lines")
    lines[30:30] = [
        "IKV Kharg tractors 3 drones",
        "USS Sabre tractors 12 drones",
        "USS Sabre does a High Energy Turn",
    ]
    report = judged(lines)
    shapes = [(one.message.partition(":")[0], one.location.line) for one in said(report, "NOTE/unread")]
    assert report.verdict == "cannot-tell"
    assert shapes == [
        ("2 lines not understood, and what stands there may matter", 31),
        ("1 line not understood, and what stands there may matter", 33),
    ]


# -- places, speeds and dice ---------------------------------------------------------------


def test_the_reading_of_the_hexes_is_the_one_under_which_moves_are_one_hex() -> None:
    """A ship that goes aside along a row of hexes: with the odd columns lower its moves are two hexes apart."""
    ways = {(1, 12, "Kharg"): "right"}
    lines = written(duel(SPEEDS, ways=ways), letters=1.0)
    assert "even columns half a hex lower" in said(judged(lines), "NOTE/hexes")[0].message
    other = []
    for line in lines:
        at = line.find(" has moved to ") + len(" has moved to ")
        at = line.find(" added at ") + len(" added at ") if " added at " in line else at
        at = line.find(" has turned to ") + len(" has turned to ") if " has turned to " in line else at
        if line[at : at + 4].isdigit():
            other.append(f"{line[:at]}{int(line[at : at + 2]) - 1:02d}{line[at + 2 :]}")
        else:
            other.append(line)
    report = judged(other)
    assert "odd columns half a hex lower" in said(report, "NOTE/hexes")[0].message
    assert not errors(report)


@pytest.mark.parametrize("compass", [0.0, 1.0])
def test_a_turn_of_which_no_hex_is_told_is_one_with_the_move_after_it(compass: float) -> None:
    ways = {(1, 12, "Kharg"): "right", (1, 32, "Kharg"): "left", (1, 16, "Sabre"): "left"}
    assert judged(written(duel(SPEEDS, ways=ways), turns_by_compass=compass)).verdict == "legal"


def test_a_turn_alone_is_borne_out_by_where_the_ship_is_seen_next() -> None:
    ways = {(1, 12, "Kharg"): "right"}
    lines = written(duel(SPEEDS, ways=ways), turns_by_compass=1.0)
    n = next(n for n, line in enumerate(lines) if "Kharg has turned" in line or "Kharg has changed" in line)
    del lines[n + 1]
    assert judged(lines).verdict == "legal"


def test_nothing_is_held_against_a_place_that_is_only_perhaps_right() -> None:
    """A turn that leads nowhere a ship is seen afterwards: neither its next move nor fire from there is an error."""
    lines = base()
    n = line_of(lines, "IKV", lines.index("Impulse 1.16:"))
    lines[n - 1] = "IKV Kharg has turned to S"
    found = errors(judged(lines))
    assert not found, found


def test_moves_that_fit_no_speed_are_undecided() -> None:
    lines = base()
    whole = lines.index("Impulse 2.1:")
    lines = [line for n, line in enumerate(lines) if not (n < whole and "Kharg has moved" in line and n % 2)]
    report = judged(lines)
    (found,) = said(report, "NOTE/speed-untold")
    assert found.severity == "undecided" and found.subject == "IKV 1017 Kharg" and found.turn == 1
    assert not any(one.key.startswith("C1.4") and one.turn == 1 for one in report.findings)


def test_dice_that_may_be_of_two_ships_decide_nothing() -> None:
    """Two volleys of two shots, and nobody is known to throw for either."""
    acts = {(1, 16): ("Kharg: fire PH-2/1, PH-2/2 at Sabre", "Sabre: fire PH-1/1, PH-1/2 at Kharg")}
    lines = written(duel(SPEEDS, acts), players={"Kharg": "Ann", "Sabre": "Ben"})
    fire = [
        n
        for n, line in enumerate(lines)
        if "fires" in line or "Rolls" in line or line.startswith(("Alloc", "Damage", "Remain"))
    ]
    rows = [lines[n] for n in fire]
    shots = [row for row in rows if "fires" in row]
    told = [row for row in rows if "Rolls" in row]
    block = [
        "Allocation of damage for: USS Sabre",
        "Damage: 5/0/0/0/0/0 (Total: 5)",
        "Remaining Shield: 25/24/20/20/20/24",
    ]
    lines[fire[0] : fire[-1] + 1] = [*shots, *told, *block]
    report = judged(lines)
    assert not errors(report)
    assert "is not known" in said(report, "NOTE/unexplained-volley")[0].message


def test_whose_dice_a_player_throws_is_learned_elsewhere_in_the_game() -> None:
    acts = {
        (1, 8): ("Kharg: fire DISR/A at Sabre",),
        (1, 12): ("Sabre: fire PHOT/A at Kharg",),
        (1, 16): ("Kharg: fire PH-2/1, PH-2/2 at Sabre", "Sabre: fire PH-1/1, PH-1/2 at Kharg"),
    }
    lines = written(duel(SPEEDS, acts))
    (game,) = games_told("\n".join(lines).encode(), "x", Asked(Settings()))
    assert game.throwers == {"IKV 1017 Kharg": ("Skylark",), "USS Sabre": ("Bob",)}


def test_what_the_rulebooks_do_not_have_is_named_once_with_its_count() -> None:
    lines = base()
    lines += ["IKV Kharg activates ESG radius 0 - 20 pts", "IKV Kharg ESG at radius 1"]
    (note,) = said(judged(lines), "NOTE/outside")
    assert note.severity == "note" and "expanding spheres (ESG): 2 in it" in note.message


def test_a_sideslip_is_said_to_be_one_and_is_no_error() -> None:
    lines = base()
    n = line_of(lines, "IKV", lines.index("Impulse 1.12:"))
    lines[n - 1] = "IKV Kharg has side-slipped to 1928"
    for k in range(n, len(lines)):
        if "Kharg has moved to 20" in lines[k]:
            row = int(lines[k].partition(" to 20")[2][:2])
            lines[k] = f"IKV Kharg has moved to 19{row + 1:02d}"
    report = judged(lines)
    (slip,) = [one for one in report.findings if one.location.line == n]
    assert (
        slip.key == "NOTE/outside" and slip.severity == "undecided" and "sideslips: 1 in it" in slip.message
    )
    assert "C1.2" not in {one.key for one in report.findings}


def test_a_sideslip_of_several_hexes_is_no_sideslip() -> None:
    lines = base()
    n = line_of(lines, "IKV", lines.index("Impulse 1.12:"))
    lines[n - 1] = "IKV Kharg has side-slipped to 1725"
    assert ("C1.1", n) in errors(judged(lines))
    # Nor is one astern.
    lines[n - 1] = "IKV Kharg has side-slipped to 1929"
    (astern,) = [one for one in judged(lines).findings if one.location.line == n and one.key == "C1.2"]
    assert astern.severity == "undecided"


def test_a_record_takes_a_sideslip_as_one(referee: Run) -> None:
    lines = [
        "Kharg (Type:Klingon D7) has been added at 2020, direction A, speed 8",
        "Sabre (Type:Federation CA) has been added at 2040, direction A, speed 0",
        "Impulse 1.4:",
        "Kharg has side-slipped to 2120",
        "Impulse 1.5:",
    ]
    Path("game.log").write_text("\n".join(lines) + "\n")
    new = ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x")
    assert referee(*new, "--players", "ann,ben", "--player", "Kharg=ann", "--player", "Sabre=ben").code == 0
    assert not referee("check", "game.jsonl", "--json").findings("error")


def test_a_turn_on_the_spot_may_be_one_of_the_captain_s_rules() -> None:
    lines = base()
    n = lines.index("Impulse 2.31:") + 1
    at = next(line for line in reversed(lines[:n]) if "Kharg has moved" in line).partition(" to ")[2][:4]
    lines[n:n] = [f"IKV Kharg has turned to {at}C"]
    lines = [line for k, line in enumerate(lines) if k <= n or "Kharg has moved" not in line]
    report = judged(lines)
    assert any("turns on the spot: 1 in it" in one.message for one in said(report, "NOTE/outside"))
    assert [one.severity for one in said(report, "C3.1")] == ["undecided"]


def test_nothing_is_held_against_a_ship_that_a_line_not_understood_may_have_moved() -> None:
    """Where it stands is not known until it is told again; nor is its speed of the turn."""
    lines = base()
    first = lines.index("Impulse 1.16:")
    for n in range(first, lines.index("Impulse 1.32:")):
        if "Kharg has moved" in lines[n]:
            lines[n] = f"{lines[n].partition(' to ')[0]} to 40100"
    report = judged(lines)
    assert not errors(report) and report.verdict == "cannot-tell"


def test_a_hex_that_is_on_no_map_leaves_the_ship_s_place_open() -> None:
    lines = base()
    n = line_of(lines, "IKV", lines.index("Impulse 1.12:"))
    lines[n - 1] = "IKV Kharg has moved to 0000"
    report = judged(lines)
    assert said(report, "NOTE/hex")[0].location.line == n
    assert report.verdict == "cannot-tell" and not errors(report)


def test_a_ship_destroyed_is_not_asked_for_its_moves() -> None:
    lines = base()
    n = lines.index("Impulse 2.9:")
    lines = [
        *lines[:n],
        "IKV Kharg has been destroyed",
        *(line for line in lines[n:] if "Kharg has" not in line),
    ]
    assert judged(lines).verdict == "legal"


@pytest.mark.long
def test_two_hundred_thousand_lines() -> None:
    lines: list[str] = []
    seed = 0
    while len(lines) < 200_000:
        lines += written(duel([{"Kharg": 8, "Sabre": 12}] * 3, ACTS), seed=seed)
        seed = (seed + 1) % 40
    report = judged(lines)
    assert not errors(report) and len(said(report, "NOTE/game")) > 500


def test_the_way_between_two_places_is_the_one_that_leads_there() -> None:
    from referee.core.gameorders import after, way_between
    from referee.core.hexgrid import FACINGS, Hex
    from referee.core.orders import WAYS

    start = Hex(20, 20)
    for facing in FACINGS:
        for way in WAYS:
            assert way_between((start, facing), after(start, facing, way)) == way
        assert way_between((start, facing), (start, facing)) is None
        assert way_between((start, facing), (start.step(facing, 2), facing)) is None
        behind = FACINGS[(FACINGS.index(facing) + 3) % 6]
        assert way_between((start, facing), (start.step(behind), behind)) is None


# -- what a log tells oddly ----------------------------------------------------------------

SET_UP = [
    "Kharg (Type:Klingon D7) has been added at 2020, direction A, speed 8",
    "Sabre (Type:Federation CA) has been added at 2010, direction D, speed 8",
]
MOVES = ["Impulse 1.4:", "Sabre has moved to 2011", "Kharg has moved to 2019"]
FIRE = [
    "Impulse 1.1:",
    "Kharg fires Phaser-2 #1 (FX) at Sabre (Range: 10)",
    "Skylark Rolls 1d6: 1",
    "Allocation of damage for: Sabre",
    "Damage: 2/0/0/0/0/0 (Total: 2)",
    "Remaining Shield: 28/24/20/20/20/24",
    "Impulse 1.2:",
]


def undecided(lines: list[str]) -> list[tuple[str, int | None]]:
    report = judged(lines)
    assert not errors(report), report.findings
    return [(one.key, one.location.line) for one in report.findings if one.severity == "undecided"]


def test_a_move_that_is_put_right_in_its_impulse_is_judged_as_it_stands() -> None:
    assert undecided([*SET_UP, *MOVES]) == []
    again = [*SET_UP, *MOVES, "Kharg has turned to 2120B", "Impulse 1.5:"]
    assert undecided(again) == [("NOTE/corrected", 6)]
    # Gone back, and moved again: what was taken back is held against nobody.
    back = [*SET_UP, *MOVES[:2], "Kharg has turned to 2120B", "Kharg has moved to 2020A", MOVES[2]]
    assert undecided([*back, "Impulse 1.5:"]) == [("NOTE/corrected", 7)]
    only_back = [*SET_UP, "Impulse 1.3:", "Kharg has moved to 2019", "Kharg has moved to 2020", *MOVES]
    report = judged(only_back)
    assert report.verdict == "legal" and said(report, "NOTE/corrected")[0].severity == "note"
    # Two hexes at once are no correction.
    on = judged([*SET_UP, *MOVES, "Kharg has moved to 2018"])
    assert errors(on) == {("C1.1", 6)}


def test_who_moves_between_a_move_and_its_correction_is_not_out_of_turn() -> None:
    fast = SET_UP[1].replace("speed 8", "speed 16")
    lines = [SET_UP[0], fast, "Impulse 1.2:", "Sabre has moved to 2011", "Impulse 1.4:"]
    lines += [
        "Kharg has moved to 2019",
        "Sabre has moved to 2012",
        "Kharg has turned to 2120B",
        "Impulse 1.5:",
    ]
    assert undecided(lines) == [("NOTE/corrected", 8)]


def test_a_log_that_begins_in_the_midst_of_a_turn_tells_no_speed_of_it() -> None:
    """What was moved before its first line is not known, and held against nobody."""
    lines = ["Impulse 3.16:", "Klingon D7 Kharg has moved to 2019A", "Federation CA Sabre has moved to 2011D"]
    lines += ["Impulse 3.20:", "Klingon D7 Kharg has moved to 2018", "Federation CA Sabre has moved to 2012"]
    assert undecided([*lines, "Impulse 3.21:"]) == []


def test_a_name_that_was_never_put_on_the_map_does_not_choose_the_rulebook() -> None:
    lines = [*SET_UP, *(line.replace("at Sabre", "at Gorn") for line in FIRE)]
    report = judged(lines)
    assert report.rulebook == "sfb-standard"
    assert [one.subject for one in said(report, "NOTE/ship")] == ["Gorn"]


@pytest.mark.parametrize(
    ("old", "new", "keys"),
    [
        ("1d6: 1", "2d6: 13", {"NOTE/die": 5, "E2.4/stated": 7}),
        ("1d6: 1", "2d6: 12", {"E2.4/stated": 7}),
        ("1d6: 1", "1d6: 1, 2", {"NOTE/unexplained-volley": 7}),
        ("Skylark Rolls", "Sabre Rolls", {"NOTE/unexplained-volley": 7}),
        (
            "fires Phaser-2 #1 (FX) at Sabre (Range: 10)",
            "fires 2 Phaser-2s at Sabre",
            {"NOTE/volleys": 4, "NOTE/unexplained-volley": 7},
        ),
    ],
)
def test_dice_that_cannot_be_are_undecided(old: str, new: str, keys: dict[str, int]) -> None:
    assert undecided([*SET_UP, *FIRE]) == []
    assert dict(undecided([*SET_UP, *(line.replace(old, new) for line in FIRE)])) == keys


@pytest.mark.parametrize("face", ["0", "7", "60"])
def test_a_die_that_shows_what_it_cannot_is_an_error(face: str) -> None:
    lines = [*SET_UP, *(line.replace("1d6: 1", f"1d6: {face}") for line in FIRE)]
    report = judged(lines)
    assert errors(report) == {("NOTE/die", 5)}
    assert [one.severity for one in said(report, "E2.4/stated")] == ["undecided"]
    cut = "\n".join(lines[: lines.index(f"Skylark Rolls 1d6: {face}") + 1])
    assert not errors(judged(cut.encode()))


def test_a_ship_that_fires_after_its_end_is_in_error() -> None:
    """In the impulse of its end it may still fire, for all fire is at once."""
    shot = ["Sabre fires Phaser-1 #1 (FH) at Kharg (Range: 10)", "Bob Rolls 1d6: 6"]
    end = [*SET_UP, *FIRE[:-1], "Sabre has been destroyed"]
    assert errors(judged([*end, "Impulse 1.2:", *shot, "Impulse 1.3:"])) == {("D4.41", 11)}
    assert errors(judged([*end, "Impulse 2.1:", *shot, "Impulse 2.2:"])) >= {("D4.41", 11)}
    assert dict(undecided([*end, *shot, "Impulse 1.2:"])) == {"NOTE/destroyed": 10}
    moves = ["Impulse 1.4:", "Sabre has moved to 2011", "Kharg has moved to 2019", "Impulse 1.5:", *shot]
    assert errors(judged([*end, *moves, "Impulse 1.6:"])) == {("D4.41", 11), ("D4.41", 14)}


@pytest.mark.parametrize("line", ["Sabre has been towed away", "the last move is restored"])
def test_a_line_that_is_not_understood_may_explain_that_a_ship_moves_after_its_end(line: str) -> None:
    end = [*SET_UP, *FIRE[:-1], "Sabre has been destroyed"]
    moves = ["Impulse 1.4:", "Sabre has moved to 2011", "Kharg has moved to 2019", "Impulse 1.5:"]
    assert errors(judged([*end, *moves])) == {("D4.41", 11)}
    assert errors(judged([*end, "Kharg has been towed away", *moves])) == {("D4.41", 12)}
    report = judged([*end, line, *moves])
    assert not errors(report)
    (found,) = said(report, "D4.41")
    assert found.severity == "undecided" and "is not understood" in found.message


def test_a_ship_that_moves_in_the_impulse_of_its_end_may_have_moved_before_it() -> None:
    end = [*SET_UP, "Impulse 1.4:", *FIRE[1:-1], "Sabre has been destroyed", "Sabre has moved to 2011"]
    report = judged([*end, "Impulse 1.5:"])
    assert "D4.41" not in {one.key for one in report.findings} and said(report, "NOTE/destroyed")


def test_dice_that_score_and_of_which_no_damage_is_stated_are_undecided() -> None:
    silent = [*SET_UP, *FIRE[:3], FIRE[-1]]
    assert undecided(silent) == [("E2.4/stated", 4)]
    missed = [line.replace("1d6: 1", "1d6: 6") for line in silent]
    assert undecided(missed) == []
    assert undecided([*SET_UP, *FIRE[:2], FIRE[-1]]) == [("NOTE/dice-untold", 4)]


def test_dice_that_are_thrown_once_more_are_undecided() -> None:
    twice = [*SET_UP, *FIRE[:3], "Skylark Rolls 1d6: 3", *FIRE[3:]]
    assert undecided(twice) == [("NOTE/dice-again", 6)]
    aside = judged([*SET_UP, "Impulse 1.1:", "Skylark Rolls 1d6: 3", *FIRE])
    assert aside.verdict == "legal" and said(aside, "NOTE/dice-aside")[0].severity == "note"


def test_a_summary_of_more_shots_than_are_told_by_mount_is_undecided() -> None:
    more = [*SET_UP, FIRE[0], "Kharg fires 2 Phaser-2s at Sabre", *FIRE[1:]]
    assert undecided(more) == [("NOTE/volleys", 4)]
    same = [line.replace("fires 2 Phaser-2s", "fires 1 Phaser-2s") for line in more]
    assert undecided(same) == []


def test_volleys_of_two_ships_strike_the_shields_that_face_them() -> None:
    both = [*SET_UP, "Klaa (Type:Klingon D6) has been added at 3010, direction E, speed 8", FIRE[0]]
    both += ["Kharg fires Disruptor #A (FA) at Sabre using Standard mode (Range: 10)", "Skylark Rolls 1d6: 1"]
    both += ["Klaa fires Disruptor #A (FA) at Sabre using Standard mode (Range: 10)", "Moth Rolls 1d6: 2"]
    both += [FIRE[3], "Damage: 3/0/0/0/3/0 (Total: 6)", "Remaining Shield: 27/24/20/20/17/24", "Impulse 1.2:"]
    assert judged(both).verdict == "legal"
    wrong = [line.replace("3/0/0/0/3/0", "3/0/3/0/0/0").replace("20/20/17", "17/20/20") for line in both]
    assert errors(judged(wrong)) == {("E1.4/stated", 10)}
    one = [
        line.replace("3/0/0/0/3/0", "6/0/0/0/0/0").replace("27/24/20/20/17", "24/24/20/20/20")
        for line in both
    ]
    assert errors(judged(one)) == {("E1.4/stated", 10)}


def test_a_target_that_moves_into_the_hex_of_a_drone_is_struck_by_it() -> None:
    lines = [SET_UP[0], SET_UP[1].replace("2010", "2017"), "Impulse 1.1:"]
    drone = "D001(1).1.1"
    lines += [f"{drone} (Type:Klingon Drone) has been added at 2020A, {drone} was launched by Kharg"]
    lines += ["Impulse 1.2:", f"{drone} has moved to 2019", "Impulse 1.3:", f"{drone} has moved to 2018"]
    lines += ["Impulse 1.4:", "Sabre has moved to 2018", "Kharg has moved to 2019", FIRE[3]]
    lines += ["Damage: 12/0/0/0/0/0 (Total: 12)", "Remaining Shield: 18/24/20/20/20/24", "Impulse 1.5:"]
    assert undecided(lines) == []


def test_a_name_with_the_words_of_the_lines_in_it_and_blanks_between() -> None:
    odd = [line.replace("Kharg", "K'T'inga has 9") for line in [*SET_UP, *FIRE]]
    assert judged(odd).verdict == "legal"
    wide = [
        line.replace(" has ", "  has\t").replace(" at ", "  at ").replace("Impulse ", "Impulse  ")
        for line in [*SET_UP, *FIRE]
    ]
    assert judged(wide).verdict == "legal"


def test_dice_of_a_volley_that_are_thrown_apart_are_put_together() -> None:
    lines = [*SET_UP, *FIRE[:2], "Kharg fires Disruptor #A (FA) at Sabre using Standard mode (Range: 10)"]
    lines += ["Skylark Rolls 1d6: 1", "Skylark Rolls 1d6: 1", FIRE[3]]
    lines += ["Damage: 5/0/0/0/0/0 (Total: 5)", "Remaining Shield: 25/24/20/20/20/24", "Impulse 1.2:"]
    assert judged(lines).verdict == "legal"
    assert errors(
        judged([line.replace("Total: 5", "Total: 6").replace("5/0/0", "6/0/0") for line in lines])
    ) >= {("E1.3/stated", 9)}


def test_damage_without_the_shields_left_counts_in_what_is_left_later() -> None:
    second = [line.replace("#1", "#2") for line in FIRE[1:5]]
    lines = [
        *SET_UP,
        *FIRE[:5],
        "Impulse 1.2:",
        *second,
        "Remaining Shield: 26/24/20/20/20/24",
        "Impulse 1.3:",
    ]
    assert judged(lines).verdict == "legal"
    n = line_of(lines, "Remaining")
    lines[n - 1] = "Remaining Shield: 25/24/20/20/20/24"
    assert errors(judged(lines)) == {("D4.1/stated", n)}
    # No reinforcement gives a shield more than it had.
    lines[n - 1] = "Remaining Shield: 29/24/20/20/20/24"
    assert errors(judged(lines)) == {("D4.1/stated", n)}


def test_a_ship_that_is_destroyed_unstruck_or_put_anew_is_undecided() -> None:
    assert undecided([*SET_UP, *MOVES, "Kharg has been destroyed", "Impulse 1.5:"]) == [("NOTE/destroyed", 6)]
    anew = [*SET_UP, *MOVES, SET_UP[0].replace("2020", "3030"), "Impulse 1.5:"]
    assert set(undecided(anew)) == {("NOTE/name", 6)}


# -- what no log tells -----------------------------------------------------------------------


def test_that_ships_of_one_speed_and_turn_mode_seal_their_moves_is_not_checked_and_said_once(
    referee: Run,
) -> None:
    both = dict.fromkeys(("Kharg", "Sabre"), "standard/klingon-d7")
    lines = written(duel(({"Kharg": 8, "Sabre": 8},), classes=both))
    report = judged(lines)
    assert report.verdict == "legal", report.findings
    (untold,) = [one for one in report.not_checked if one.key == "C1.3/sealed"]
    assert "sealed orders are not seen here (in 8 impulses)" in untold.reason
    Path("game.log").write_text("\n".join(lines) + "\n")
    new = ("game", "new", "game.jsonl", "--from", "game.log", "--dice", "seed", "--seed", "x")
    players = ("--player", "IKV 1017 Kharg=ann", "--player", "USS Sabre=ben")
    assert referee(*new, "--players", "ann,ben", *players).code == 0
    ran = referee("check", "game.jsonl")
    assert ran.code == 0 and "C1.3/sealed" in ran.out
