"""Where an umpire who knew only the guide and the screen stumbled: each place as it is now."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.core.takenback import undone_by
from referee.live.screen.page import TablePage
from referee.live.screen.ships import ships_in
from referee.live.screen.styled import plain
from referee.play.desk import Desk
from referee.record.reading import read
from tests.unit.live.keys import pressed, typed

GAME = "duel.jsonl"
SHIPS = ("Saratoga=cadet/federation-ca:ann@1012A/16", "War=cadet/klingon-d6:bob@1010D/16")
SIX = (
    *("Constellation=cadet/federation-ca:ann@1010D/16", "Hood=cadet/federation-ca:ann@1210D/16"),
    *("War=cadet/klingon-d6:bob@1018A/16", "Destruction=cadet/klingon-d6:bob@1218A/16"),
    *("Praetor=cadet/romulan-kr:cleo@1414A/16", "Decius=cadet/romulan-kr:cleo@1416A/16"),
)
CLOAKED = "Ship,Decius\nTurn,1\nWarp Engines,16\nImpulse Power,2\nReactor Power,2\nTotal Power,20\nBatteries Available,2\nPhasers,3\nMovement,8\nCloak,8\nTotal Power Used,19\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def begun(*ships: str, players: str = "ann,bob") -> TablePage:
    given = [part for ship in ships for part in ("--ship", ship)]
    new = ["game", "new", GAME, "--players", players, "--umpire", "uma", "--dice", "physical", *given]
    assert run(new) == 0
    return TablePage(Desk(GAME))


def duel(saratoga: str = "1014D", war: str = "1024A") -> TablePage:
    """Two ships head on, in the first impulse, in which both are to move."""
    page = begun(f"Saratoga=cadet/federation-ca:ann@{saratoga}/16", f"War=cadet/klingon-d6:bob@{war}/16")
    assert page.desk.say("Saratoga: speed 16\nWar: speed 16").entered
    pressed(page, "n")
    assert page.desk.mover == "Saratoga"
    return page


def near(saratoga: str = "1014D", war: str = "1024A") -> TablePage:
    """Both have moved, and are 8 hexes apart: fire may be declared."""
    page = duel(saratoga, war)
    pressed(page, "aa")
    assert page.desk.sight.fires and not page.desk.mover
    return page


def shown(page: TablePage, width: int = 80, height: int = 24) -> str:
    return "\n".join(plain(row) for row in page.rows(width, height))


# -- dice typed in wrongly ---------------------------------------------------------------


def fired(page: TablePage, die: str = "5") -> None:
    pressed(page, ("f", "1", "enter", "n", *die, "enter"))


def test_a_die_typed_in_wrongly_is_typed_anew_and_nobody_declares_again() -> None:
    page = near()
    fired(page)
    before = page.desk.sight.ship("War").shields
    assert "die 5" in shown(page)
    pressed(page, ("u", "d"))
    assert "dice 1 are typed in anew" in shown(page) and page.desk.asks
    pressed(page, ("1", "enter"))
    assert "die 1" in shown(page) and page.desk.sight.ship("War").shields != before
    undo = [entry for entry in read(GAME) if entry.type == "undo"]
    assert [entry.data["reason"] for entry in undo] == ["dice typed in wrongly"]


def test_dice_are_not_typed_anew_where_somebody_did_something_since() -> None:
    page = near()
    assert page.desk.forget_faces().error.startswith("no dice were typed in")
    fired(page)
    pressed(page, "na")
    known = len(read(GAME))
    assert "something was done since the dice" in page.desk.forget_faces().error
    assert len(read(GAME)) == known


def test_dice_are_typed_anew_though_the_game_went_on() -> None:
    page = near()
    fired(page)
    pressed(page, ("n", "u", "d"))
    assert page.desk.asks and page.desk.sight.impulse == 1


def noted() -> list[str]:
    """The notes and rulings that stand."""
    entries = read(GAME)
    gone = undone_by(entries)
    return [e.data["text"] for e in entries if e.type in ("note", "ruling") and e.seq not in gone]


def test_dice_typed_in_part_and_thrown_in_part_are_typed_anew() -> None:
    page = near()
    pressed(page, ("f", "1", "2", "enter", "n"))
    assert page.desk.faces("6t").entered and noted() == ["dice 1: thrown by the program (1 of 2 dice)"]
    assert page.desk.forget_faces().lines == ("dice 1 are typed in anew",)
    assert page.desk.asks and not noted()


def test_dice_that_the_program_threw_are_not_typed_anew() -> None:
    page = near()
    pressed(page, ("f", "1", "2", "enter", "n"))
    assert page.desk.faces("t").entered
    known = len(read(GAME))
    assert page.desk.forget_faces().error.startswith("no dice were typed in")
    assert len(read(GAME)) == known


def test_notes_and_rulings_hinder_no_dice_from_being_typed_anew_and_stay() -> None:
    page = near()
    pressed(page, ("f", "1", "enter", "n"))
    said = ["the table is wet", "the die stood on its edge", "it counts"]
    assert page.desk.note(said[0]).entered and page.desk.faces("5").entered
    told = len(read(GAME)) - 1
    assert page.desk.note(said[1]).entered and page.desk.rule(said[2], on=told).entered
    assert page.desk.forget_faces().lines == ("dice 1 are typed in anew",)
    assert page.desk.asks and noted() == said
    assert "target" not in read(GAME)[-2].data, "what the ruling was on went back"
    assert page.desk.faces("1").entered


def test_a_ruling_that_puts_a_ship_elsewhere_is_something_done_since_the_dice() -> None:
    page = near()
    fired(page)
    assert page.desk.accept("War", "1030A").entered
    known = len(read(GAME))
    assert "something was done since the dice" in page.desk.forget_faces().error
    assert len(read(GAME)) == known


def test_what_was_done_since_the_dice_and_taken_back_does_not_hinder() -> None:
    page = near()
    fired(page)
    pressed(page, "na")
    assert page.desk.forget_faces().error and page.desk.undo().entered
    assert page.desk.forget_faces().lines == ("dice 1 are typed in anew",)


def struck() -> TablePage:
    """Fire at 2 hexes has scored, and its damage dice are asked for."""
    page = near("1014D", "1018A")
    assert page.desk.say("Saratoga f ph1a,ph1b,phota,photb War").pending and page.desk.let_stand().entered
    assert page.desk.next().entered and page.desk.faces("1111").entered
    assert "points inside" in page.desk.asks
    return page


def test_before_a_damage_die_is_typed_the_dice_of_the_fire_are_typed_anew() -> None:
    page = struck()
    pressed(page, ("u", "d"))
    assert "dice 1 are typed in anew" in shown(page) and "Saratoga PH-1/A at War" in page.desk.asks
    assert page.desk.forget_faces().error.startswith("no dice were typed in")
    assert page.desk.faces("6666").entered and "points inside" not in page.desk.asks


def test_damage_dice_typed_in_so_far_are_set_aside_before_those_of_the_fire() -> None:
    page = struck()
    assert not page.desk.faces("3").error
    known = len(read(GAME))
    assert page.desk.forget_faces().lines == ("3 set aside: type the dice anew",)
    assert [entry.data["text"] for entry in read(GAME)[known:]] == ["dice 2: 3 typed in and set aside"]
    assert "points inside" in page.desk.asks


def test_how_boxes_are_given_up_holds_from_the_next_volley_on_where_one_is_rolled() -> None:
    page = struck()
    assert page.desk.choose("War", "ask").lines == (
        "War: its owner is asked for each box, from the next volley on",
    )
    assert page.desk.choose("Saratoga", "ask").lines == ("Saratoga: its owner is asked for each box",)


def test_enter_behind_digits_that_nobody_asked_for_does_not_go_on() -> None:
    page = near()
    before = len(read(GAME))
    pressed(page, ("3", "4", "enter"))
    assert len(read(GAME)) == before and "Enter again goes on" in shown(page)
    pressed(page, ("enter",))
    assert len(read(GAME)) > before


def test_what_dice_did_does_not_go_back_without_the_fire_they_were_thrown_for() -> None:
    page = near()
    fired(page, "1")
    entries = read(GAME)
    fire = next(entry.seq for entry in entries if "fire" in entry.data)
    hit = next(entry.seq for entry in entries if "of" in entry.data.get("volley", {}))
    told = next(entry.seq for entry in entries if entry.type == "events")
    assert page.desk.going(told - 1).target == fire, "else the fire is declared, rolled, and does nothing"
    assert page.desk.going(len(entries) - 2).target == hit, "the volley alone is rolled again"
    page.desk.undo(len(entries) - 2)
    assert "the volley" in page.desk.whose and page.desk.next().entered


def test_the_list_of_what_goes_leaves_out_what_was_taken_back_before() -> None:
    page = duel()
    pressed(page, ("a", "u", "enter", "u"))
    told = shown(page)
    assert "Enter takes back to before #" in told and "undo: takes back" not in told


# -- fire --------------------------------------------------------------------------------


def test_what_is_chosen_for_one_ship_is_kept_while_another_is_looked_at() -> None:
    page = near()
    pressed(page, ("f", "1", "tab", "1"))
    assert "chosen for Saratoga: 1" in shown(page) and "hits  points" in shown(page)
    pressed(page, ("enter",))
    assert [order.ship for order in page.desk.unrolled] == ["Saratoga", "War"]


def test_a_target_on_a_corner_is_asked_for_its_shield() -> None:
    page = near("1806A", "1006A")
    shots = page.desk.shots("Saratoga")
    corner = next(n for n, shot in enumerate(shots) if " or " in shot.shield)
    asked = shots[corner].shield.removeprefix("#")[0]
    pressed(page, ("f", str(corner + 1), "enter"))
    assert "which shield?" in shown(page)
    pressed(page, ("9", "enter"))
    assert "9 is not 2 or 3" in shown(page) and "which shield?" in shown(page) and not page.desk.unrolled
    assert "either may be struck [E1.4]: agree, or the umpire says whose choice it is" in shown(page)
    pressed(page, (asked, "enter"))
    assert len(page.desk.unrolled) == 1


def test_fire_is_not_opened_where_nobody_fires() -> None:
    page = begun(*SHIPS)
    pressed(page, "f")
    assert page.panel is None and "nobody fires outside the impulses" in shown(page)


def test_a_key_that_means_nothing_says_why() -> None:
    page = begun(*SHIPS)
    pressed(page, "a")
    assert "nobody moves in energy allocation: energy forms to come" in shown(page)
    page.say("s s 8\nw s 8")
    pressed(page, ("n", "*"))
    assert "nobody moves in impulse 1: " in shown(page)
    pressed(page, ("n", "*", "a"))
    assert "all have moved in impulse 2: " in shown(page)
    pressed(page, "3")
    assert "no dice are asked for: f chooses" in shown(page)
    pressed(page, ("f", "z"))
    assert "z chooses nothing: " in shown(page)


def test_a_drone_is_launched_before_fire_and_not_among_what_fires() -> None:
    page = near()
    war = page.desk.sight.ship("War")
    assert war.may_launch == ("DRN/1",) and "DRN/1" not in war.may_fire
    assert "launches DRN/1" in shown(page) and "launch, before fire: War" in page.desk.whose
    pressed(page, ("f", "1", "enter"))
    assert not page.desk.sight.ship("War").may_launch
    refused = page.desk.say("w la drn1 s")
    assert "is over in this impulse: in the next one" in refused.findings[0].fix
    page.desk.take_back()
    pressed(page, "n")
    why = {weapon.why for weapon in page.desk.sight.ship("War").weapons}
    assert "fire is over in this impulse" in why and not page.desk.sight.fires


# -- in sight ----------------------------------------------------------------------------


def test_six_ships_have_their_weapons_and_players_in_sight_and_who_is_cloaked(folder: Path) -> None:
    page = begun(*SIX, players="ann,bob,cleo")
    (folder / "decius.csv").write_text(CLOAKED, encoding="utf-8")
    assert page.desk.file_form("decius.csv", "Decius").entered
    assert page.desk.say("\n".join(f"{one.partition('=')[0]}: speed 16" for one in SIX[:-1])).entered
    pressed(page, "n")
    assert page.desk.let_stand("the others' forms stay on paper").entered
    page = TablePage(Desk(GAME))
    told = shown(page)
    assert "Decius 1416A  speed 8  may turn  cloaked  cleo" in told
    assert all(f"{name.partition('=')[0]} " in told for name in SIX) and told.count(" fires ") >= 6
    assert "fired while cloaked [G13.0]" in told
    least = "\n".join(plain(row) for row in ships_in(page.desk.sight, 80, 6))
    assert "cloaked " in least


def test_what_is_open_shows_the_ships_it_is_about() -> None:
    page = begun(*SIX, players="ann,bob,cleo")
    page.desk.say("\n".join(f"{one.partition('=')[0]}: speed 16" for one in SIX))
    pressed(page, ("n", *"aaaaaa", "f", "tab", "tab"))
    told = shown(page).splitlines()
    assert any(row.startswith("  War ") for row in told) and any(
        row.startswith("War may fire") for row in told
    )


def test_speeds_said_for_forms_on_paper_are_not_awaited() -> None:
    page = begun(*SHIPS)
    assert "energy forms to come: Saratoga (ann), War (bob)" in shown(
        page
    ) and "0-9 Saratoga's speed, on paper" in shown(page)
    page.desk.say("Saratoga: speed 16")
    assert page.desk.whose == "energy forms to come: War (bob)"
    page.desk.say("War: speed 16")
    assert page.desk.whose == "all speeds are said, for forms on paper: go on" and "n goes on" in shown(page)


def test_where_no_way_is_legal_it_is_said_what_may_be_done() -> None:
    assert "nothing is legal" not in shown(duel())
    page = begun_at_the_edge()
    assert "nothing is legal: u takes back, :le leaves the map" in shown(page)


def begun_at_the_edge() -> TablePage:
    Path(GAME).unlink()
    shutil.rmtree("duel.secrets", ignore_errors=True)
    new = ["init", "game", "--scenario", "4", "--record", GAME, "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]  # fmt: skip
    assert run(new) == 0
    page = TablePage(Desk(GAME))
    page.desk.say("Constellation: speed 16\nWar: speed 16")
    pressed(page, "narna")
    assert page.desk.mover == "War"
    return page


# -- what is typed -----------------------------------------------------------------------


def test_an_order_that_was_typed_comes_back() -> None:
    page = duel()
    pressed(page, ("colon", *typed("nonsense"), "enter", "colon", "up"))
    assert page.prompt is not None and page.prompt.text == "nonsense"
    pressed(page, ("down",))
    assert page.prompt.text == ""


def test_a_prompt_says_what_is_typed_behind_it() -> None:
    page = begun(*SHIPS)
    for key, told in (
        ("w", "SHIP 1512B"),
        ("c", "minutes"),
        ("e", "the file of the form"),
        ("x", "turn mode"),
    ):
        pressed(page, key)
        assert told in shown(page).splitlines()[-1]
        pressed(page, ("escape",))


def test_the_clock_takes_minutes_and_runs_only_while_forms_are_awaited() -> None:
    page = begun(*SHIPS)
    pressed(page, ("c", "7", "enter"))
    assert page.desk.clock_told.startswith(("7:0", "6:5"))
    pressed(page, ("c", "0", "enter"))
    assert not page.desk.clock_told and "the clock is stopped" in shown(page)
    page = duel_again()
    pressed(page, ("c", "5", "enter"))
    assert "no form is awaited now" in shown(page)


def duel_again() -> TablePage:
    Path(GAME).unlink()
    shutil.rmtree("duel.secrets", ignore_errors=True)
    return duel()


def test_a_rule_by_its_own_number_is_told_though_others_begin_with_it() -> None:
    page = duel()
    told = page.desk.explain("B2.0").lines
    assert any("Energy is allocated in its own phase" in row for row in told)
    assert "B2.0/order  Steps in their order" in told


def test_explain_is_offered_only_where_a_rule_is_named() -> None:
    page = begun(*SHIPS)
    pressed(page, "n")
    assert "e explain" not in shown(page)
    pressed(page, "e")
    assert "no rule of the book" in shown(page)
    pressed(page, ("escape",))
    page.desk.say("Saratoga: speed 16\nWar: speed 16")
    pressed(page, "nf1")
    pressed(page, ("enter",))
    assert "e explain the rule" in shown(page)


def test_what_is_against_a_sealed_form_is_told_without_the_notes_on_it(folder: Path) -> None:
    page = begun(*SIX, players="ann,bob,cleo")
    (folder / "decius.csv").write_text(
        CLOAKED.replace("Total Power Used,19", "Total Power Used,20"), encoding="utf-8"
    )
    pressed(page, ("s", *["tab"] * 5, "enter", *typed("decius.csv"), "enter"))
    told = shown(page)
    assert "not sealed: [B3.0-20] total used 20" in told and "not verified" not in told


def test_a_note_is_told_once(folder: Path) -> None:
    page = begun(*SIX, players="ann,bob,cleo")
    (folder / "decius.csv").write_text(CLOAKED, encoding="utf-8")
    for name in ("Decius", "Praetor"):
        page.did(page.desk.file_form("decius.csv", name))
    assert sum("not verified" in plain(row) for row in page._lines) == 1


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_whole_turn_of_six_ships_by_few_keys_with_all_in_sight(size: tuple[int, int]) -> None:
    page = begun(*SIX, players="ann,bob,cleo")
    speeds = zip((one.partition("=")[0] for one in SIX), (13, 13, 12, 12, 13, 8), strict=True)
    assert page.desk.say("\n".join(f"{name}: speed {speed}" for name, speed in speeds)).entered
    pressed(page, "n")
    most = 0
    while (impulse := page.desk.sight.impulse) is not None:
        keys = 0
        while page.desk.sight.impulse == impulse:
            told = shown(page, *size)
            assert all(f" {name.partition('=')[0]} " in told for name in SIX), told
            assert told.count("fires ") >= 6 and "more ships" not in told, told
            pressed(page, "a" if page.desk.mover else "n")
            if page.desk.pending:  # On the edge of the map.
                page.press("escape")
                pressed(page, "r")
            keys += 1
        most = max(most, keys)
    assert page.desk.sight.step == "end of turn" and most <= 7
