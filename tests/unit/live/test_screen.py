"""The screen of a live table: a whole game by key presses, the same as line by line; what each key shows and does."""

from __future__ import annotations

import asyncio
import io
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import run
from referee.live.plain import PlainTable
from referee.live.screen.app import TableScreen
from referee.live.screen.page import TablePage
from referee.live.screen.prompt import completions
from referee.live.screen.styled import plain, width_of
from referee.play.desk import Desk
from referee.record.reading import read
from tests.conftest import mostly_long
from tests.unit.live.keys import SCENARIO as LINES
from tests.unit.live.keys import keys_of, pressed, typed
from tests.unit.play.test_typed_here import COMMAND

HERE = Path(__file__).parent
GAME = "duel.jsonl"
NEW = ["init", "game", "--scenario", "4", "--record", GAME, "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]  # fmt: skip
HASHES = ("declaration", "result", "game", "signers")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    # The pilot sleeps so long after each key; what it waits for is done far sooner.
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 0.002)
    monkeypatch.setattr("textual._wait.SLEEP_IDLE", 0.001)
    begin(tmp_path)
    yield tmp_path


def begin(folder: Path) -> None:
    (folder / GAME).unlink(missing_ok=True)
    shutil.rmtree(folder / "duel.secrets", ignore_errors=True)
    shutil.copy(HERE / "dakota.csv", folder)
    assert run(NEW) == 0


def entries() -> list[tuple[str, dict[str, Any]]]:
    """The entries of the game, but for what is another in every game."""
    return [
        (entry.type, {name: "" if name in HASHES else value for name, value in entry.data.items()})
        for entry in read(GAME)
    ]


def by_lines() -> list[tuple[str, dict[str, Any]]]:
    said = io.StringIO("".join(f"{line}\n" for line in LINES))
    PlainTable(Desk(GAME), said, io.StringIO()).run()
    return entries()


async def piloted(lines: list[str], size: tuple[int, int]) -> None:
    app = TableScreen(Desk(GAME))
    async with app.run_test(size=size) as pilot:
        for line in lines:
            await pilot.press(*keys_of(app.page, line))


@pytest.mark.parametrize("size", mostly_long([((80, 24),), ((120, 40),)], lambda size: size == (80, 24)))
def test_scenario_4_for_three_turns_by_keys_is_the_game_of_the_plain_table(
    size: tuple[int, int], folder: Path
) -> None:
    wanted = by_lines()
    begin(folder)
    asyncio.run(piloted(LINES, size))
    assert entries() == wanted


# -- what each key shows and does --------------------------------------------------------


def duel(
    *more: str, at: tuple[str, str] = ("1012A", "1010D"), names: tuple[str, str] = ("Saratoga", "War")
) -> TablePage:
    """Two ships at speed 16, in the first impulse; both move in the second."""
    Path(GAME).unlink(missing_ok=True)
    ships = (f"{names[0]}=cadet/federation-ca:ann@{at[0]}/16", f"{names[1]}=cadet/klingon-d6:bob@{at[1]}/16")
    given = [part for ship in ships for part in ("--ship", ship)]
    dice = more or ("--dice", "seed", "--seed", "s")
    assert run(["game", "new", GAME, "--players", "ann,bob", "--umpire", "uma", *dice, *given]) == 0
    page = TablePage(Desk(GAME))
    for name in names:
        assert page.desk.say(f"{name}: speed 16").entered
    page.press("n", "n")
    return page


def shown(page: TablePage, width: int = 80, height: int = 24) -> str:
    rows = page.rows(width, height)
    assert len(rows) == height
    return "\n".join(plain(row) for row in rows)


def types(page: TablePage, text: str) -> None:
    pressed(page, typed(text))


def test_all_that_must_be_in_sight_is() -> None:
    page = duel(at=("1030A", "1010D"))
    told = shown(page)
    sight = page.desk.sight
    assert "turn 1  impulse 1 of 16  move ships" in told and sight.head in told
    assert "Saratoga moves, then War" in told and "a ahead   l left   r right" in told
    assert "▸ Saratoga 1030A  speed 16  may turn" in told and "#1 15/15" in told
    assert "fires    PH-1/A,B,C" in told and "not      PH-2/C,D" in told


def test_an_impulse_of_two_ships_is_three_keys_and_a_broadside_seven() -> None:
    page = duel(at=("1030A", "1010D"))
    pressed(page, "aan")
    assert page.desk.sight.impulse == 2
    page = duel()
    pressed(page, "aaaa")
    pressed(page, "f")
    assert "1 [ ] PH-" in shown(page) and "may fire" in shown(page)
    pressed(page, ("1", "2", "3", "enter", "n"))
    told = shown(page)
    assert "Saratoga PH-1/A at War: range" in told and "die" in told


def test_a_page_of_a_panel_is_left_by_escape_and_changes_nothing() -> None:
    page = duel()
    before = Path(GAME).read_bytes()
    table = shown(page)
    for key in "f?ivbux:":
        page.press(key, key)
        assert shown(page) != table, key
        page.press("escape", "")
        page.press("escape", "")
        assert shown(page) == table, key
    assert Path(GAME).read_bytes() == before


def test_what_is_against_the_rules_waits_and_may_stand_with_a_ruling() -> None:
    page = duel(at=("1030A", "1010D"))
    before = len(read(GAME))
    pressed(page, "n")
    told = shown(page)
    assert "not entered" in told and "[C1.4] Saratoga does not move" in told and "fix:" in told
    for key in ("n", "a", "enter"):
        page.press(key, key if len(key) == 1 else "")
    assert len(read(GAME)) == before
    pressed(page, ("s", *typed("both agree"), "enter"))
    assert [entry.type for entry in read(GAME)][-1] == "ruling" and page.desk.sight.impulse == 2
    assert "ruling" in shown(page) and "both agree" in shown(page)


def test_a_refusal_takes_the_keys_it_needs() -> None:
    """`?` shows the keys and `e` the rule, and the refusal is there again; `:` takes another order; `u` leaves it."""
    page = duel(at=("1030A", "1010D"))
    before = len(read(GAME))
    pressed(page, "n")
    for key in "?e":
        page.press(key, key)
        assert ("keys" if key == "?" else "explain C1.4") in shown(page)
        page.press("escape")
        assert "against the rules, and not entered" in shown(page) and page.desk.pending
    types(page, ":note they argue")
    page.press("enter")
    assert page.desk.pending and "against the rules" in shown(page)
    types(page, ":explain C1.3")
    page.press("enter")
    page.press("escape")
    assert "against the rules" in shown(page)
    page.press("u", "u")
    told = shown(page)
    assert not page.desk.pending and "nothing of it was entered" in told and "not entered:" not in told
    assert len(read(GAME)) == before + 1
    pressed(page, "n")
    types(page, ":sar a")
    page.press("enter")
    assert page.panel is None and page.desk.mover == "War"


def test_a_roll_asked_for_too_early_is_given_up_by_an_undo_that_lists_what_goes() -> None:
    page = duel("--dice", "physical")
    pressed(page, "aaaa")
    pressed(page, ("f", "1", "enter", "n", "u"))
    assert "takes back to before" in shown(page) and "cannot go back" not in shown(page)
    page.press("enter")
    assert page.desk.game.dice.open_roll is None


def test_dice_and_the_throw_of_the_rest_are_typed_in_one_line() -> None:
    page = duel("--dice", "physical")
    pressed(page, "aaaa")
    pressed(page, ("f", "1", "2", "3", "enter", "n"))
    pressed(page, ("3", "4", "t", "enter"))
    assert "die 3" in shown(page) and page.desk.game.dice.rolls[1].confirmed


def test_undo_to_an_entry_lists_what_goes_first() -> None:
    page = duel(at=("1030A", "1010D"))
    to = len(read(GAME)) - 1
    pressed(page, "aan")
    before = len(read(GAME))
    types(page, f":u to {to}")
    page.press("enter")
    assert shown(page).count("- #") == 3 and len(read(GAME)) == before
    page.press("enter")
    assert page.desk.mover == "Saratoga" and page.desk.sight.impulse == 1


def test_undo_shows_what_goes_and_goes_to_any_moment_and_back() -> None:
    page = duel(at=("1030A", "1010D"))
    pressed(page, "aan")
    pressed(page, "u")
    assert "▸- " in shown(page) and "takes back to before" in shown(page)
    pressed(page, ("down", "down"))
    assert shown(page).count("- #") == 3
    pressed(page, ("enter",))
    assert page.desk.mover == "Saratoga" and page.desk.sight.impulse == 1
    pressed(page, "U")
    assert page.desk.sight.impulse == 2


def test_no_key_beside_next_destroys() -> None:
    """B, M, H and J stand beside N; nothing they do enters anything by itself."""
    page = duel()
    before = Path(GAME).read_bytes()
    for key in "bmhjBMHJ ":
        page.press(key, key)
        page.press("escape", "")
    assert Path(GAME).read_bytes() == before


def test_what_is_sealed_leaves_nothing_on_the_screen_and_is_opened_together() -> None:
    page = duel(at=("1030A", "1010D"))
    for ship, way in (("Saratoga", "left"), ("War", "right")):
        types(page, f":secret {ship}")
        page.press("enter")
        told = shown(page)
        assert "look away" in told and "turn 1" not in told
        page.press("enter")
        types(page, way)
        assert way in shown(page)
        page.press("enter")
        for size in ((80, 24), (120, 40)):
            assert f"{ship}: {way}" not in shown(page, *size) and f"> {way}" not in shown(page, *size)
            assert f"sealed: moves of {ship}" in shown(page, *size)
    page.press("o", "o")
    assert "opened: moves of Saratoga: left" in shown(page) and "order: War: right" in shown(page)


def test_a_form_is_not_opened_before_all_are_in() -> None:
    Path(GAME).unlink()
    ships = (
        "--ship",
        "Saratoga=cadet/federation-ca:ann@1010D/16",
        "--ship",
        "War=cadet/klingon-d6:bob@1030A/16",
    )
    new_game = ["game", "new", GAME, "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]
    assert run([*new_game, *ships]) == 0
    page = TablePage(Desk(GAME))
    assert page.desk.seal_form("Saratoga", "dakota.csv").entered
    page.press("o", "o")
    assert "the form is still to come of War" in shown(page) and "opened:" not in shown(page)
    page.press("escape", "")
    assert [entry.type for entry in read(GAME)][-1] == "seal"


def formed() -> TablePage:
    """Two ships of two players whose forms are to be sealed, one of them bad."""
    Path(GAME).unlink()
    ships = ("Saratoga=cadet/federation-ca:ann@1010D/16", "Boston=cadet/federation-ca:bob@1030A/16")
    new_game = ["game", "new", GAME, "--players", "ann,bob", "--umpire", "uma", "--dice", "physical"]
    assert run([*new_game, *(part for ship in ships for part in ("--ship", ship))]) == 0
    good = Path("dakota.csv").read_text(encoding="utf-8")
    Path("bad.csv").write_text(good.replace("Movement,13", "Movement,14"), encoding="utf-8")
    return TablePage(Desk(GAME))


def test_an_illegal_sealed_form_may_stand_and_is_a_foul_once_it_is_opened() -> None:
    page = formed()
    pressed(page, ("s", "enter", *typed("bad.csv"), "enter"))
    assert "not sealed" in shown(page) and "s let it stand" in shown(page)
    assert [entry.type for entry in read(GAME)][-1] != "seal"
    pressed(page, "s")
    assert [entry.type for entry in read(GAME)][-1] != "seal", (
        "the key that opens the shield alone lets nothing stand"
    )
    pressed(page, ("enter",))
    assert [entry.type for entry in read(GAME)][-2:] == ["seal", "ruling"]
    assert page.desk.seal_form("Boston", "dakota.csv").entered
    assert "all forms are in: `o` opens them" in shown(page)
    page.press("n", "n")
    assert "still sealed: the form of Saratoga, Boston" in shown(page)
    page.press("escape")
    page.press("o", "o")
    assert any(foul.rule.startswith("E4.23") for foul in page.desk.game.state.fouls)


def test_a_form_that_was_refused_may_be_replaced_behind_the_shield() -> None:
    page = formed()
    pressed(page, ("s", "enter", *typed("bad.csv"), "enter", "enter"))
    pressed(page, (*["backspace"] * 7, *typed("dakota.csv"), "enter"))
    assert [entry.type for entry in read(GAME)][-1] == "seal" and not page.desk.pending


def test_what_is_against_a_sealed_form_is_shown_behind_the_shield_alone() -> None:
    page = formed()
    pressed(page, (":", *typed("secret sar bad.csv"), "enter"))
    assert "was not sealed" in shown(page) and "E4.23" not in shown(page)
    pressed(page, ("escape", "s", "enter", *typed("bad.csv"), "enter"))
    assert "E4.23" in shown(page)
    pressed(page, ("s", "enter"))
    assert "E4.23" not in shown(page)


def test_the_shield_takes_files_by_tab_and_another_from_the_start() -> None:
    page = formed()
    pressed(page, ("s", "enter", *typed("ba"), "tab", "enter", "enter", *typed("dak"), "tab", "enter"))
    assert [entry.type for entry in read(GAME)][-1] == "seal"


def test_who_has_still_to_seal_his_fire_comes_next() -> None:
    page = duel(at=("1016A", "1010D"))
    pressed(page, "aa")
    pressed(page, ("s", "enter", *typed("f ph1a war"), "enter", "s"))
    assert "bob seals for War" in shown(page)


def test_an_illegal_sealed_move_hinders_nobody_else() -> None:
    page = duel(at=("1030A", "1010D"))
    pressed(page, "aan")
    pressed(page, "ll")
    pressed(page, "n")  # Both have turned: neither may turn again now.
    assert page.desk.seal("Saratoga", "left").pending and page.desk.let_stand().entered
    assert page.desk.seal("War", "ahead").entered
    page.press("o", "o")
    told = shown(page)
    assert "not entered: Saratoga: left" in told and "order: War: ahead" in told
    assert page.desk.sight.movers == ("Saratoga",)
    page.press("escape")
    assert "opened: moves of Saratoga: left" in shown(page)
    assert "not entered: Saratoga: left" in shown(page)
    page.press("o", "o")  # What was opened and not entered comes again.
    pressed(page, ("s", *typed("both had seen it"), "enter"))
    assert [entry.type for entry in read(GAME)][-1] == "ruling" and not page.desk.sight.movers


def test_dice_are_typed_or_thrown_and_those_typed_may_be_set_aside() -> None:
    page = duel("--dice", "physical")
    pressed(page, "aaaa")
    pressed(page, ("f", "1", "2", "enter", "n"))
    assert "dice  1d6 for Saratoga PH-1/A at War" in shown(page)
    pressed(page, ("6", "enter"))
    types(page, ":again")
    page.press("enter")
    assert "6 set aside" in shown(page)
    pressed(page, ("1", "enter", "t"))
    assert "Saratoga PH-1/A at War: range" in shown(page) and "die 1: hit" in shown(page)


def test_the_owner_says_how_boxes_are_given_up_with_the_boxes_drawn() -> None:
    page = duel()
    page.press("b", "b")
    assert "left warp □" in shown(page) and "protect-weapons" in shown(page)
    page.press("2", "2")
    assert page.desk.choice_of("Saratoga") == "protect-power"


def test_the_owner_is_asked_for_a_box_with_the_boxes_drawn() -> None:
    page = duel("--dice", "physical", "--option", "damage=fast", at=("1020A", "1010D"))
    pressed(page, "aa")
    assert page.desk.choose("War", "ask").entered
    assert page.desk.say("War: hit 20 on 1").entered
    told = shown(page)
    assert told.count("which box?") == 1 and "left warp □" in told and "1-9 the box" in told
    pressed(page, ("1", "enter"))
    told = shown(page)
    assert "not entered" not in told and "hit 1 costs PH-2/A" in told and "hit 2, warp" in told
    assert "#1  0/16" in told and "PH-2/A×" in told
    pressed(page, "u")
    told = shown(page)
    assert "taken back: PH-2/A is not the box" in told and "hit 1, " in told and "PH-2/A×" not in told


def test_names_that_mean_harm_are_shown_as_text() -> None:
    page = duel(names=("[bold]Red[/bold]", "W[/]r"))
    page.add(["from elsewhere: \u202edlrow\x1b[2J\x07"])
    for size in ((80, 24), (120, 40)):
        told = shown(page, *size)
        assert "[bold]Red[/bold]" in told and "W[/]r" in told
        assert "from elsewhere: \\u202edlrow\\x1b[2J\\x07" in told
    types(page, ":note [red]x[/red]")
    page.press("enter")
    assert "noted: [red]x[/red]" in shown(page)


def test_a_window_that_is_too_small_says_so() -> None:
    page = duel()
    assert shown(page, 59, 24).startswith("the table needs 60 × 20; this window is 59 × 24")
    assert shown(page, 20, 3)
    assert "impulse 1" in shown(page)


def test_no_key_counts_in_a_window_that_is_too_small_to_read_what_it_does() -> None:
    page = duel()
    before = page.desk.count
    assert "only q counts: it leaves" in shown(page, 60, 15)
    for key in ("a", "enter", "n", "s", ":"):
        page.press(key, key if len(key) == 1 else "")
    page.put("c a")
    assert page.desk.count == before and page.prompt is None and page.panel is None
    shown(page)
    page.press("a", "a")
    assert page.desk.count == before + 1
    shown(page, 60, 15)
    page.press("q", "q")
    assert page.done


def test_all_that_happened_is_read_from_its_end() -> None:
    page = duel()
    page.add([f"line {n}" for n in range(60)])
    page.press("h", "h")
    assert "line 59" in shown(page) and "line 30" not in shown(page)
    page.press("pageup")
    assert "line 30" in shown(page)


def test_how_a_robot_is_played_is_said(folder: Path) -> None:
    begin(folder)
    page = TablePage(Desk(GAME))
    assert ":robot plays" in shown(page)
    for text in (":robot", ":c s 10"):
        types(page, text)
        page.press("enter")
    pressed(page, "nn")
    for _ in range(4):
        if page.desk.mover == "War":
            break
        page.press("a", "a")
        page.press("n", "n")
    assert ":robot plays it" in shown(page)
    types(page, ":robot")
    page.press("enter")
    assert page.desk.mover != "War"


def test_a_ship_beyond_the_edge_of_the_map_is_named_beside_it() -> None:
    page = duel(at=("1003A", "1001A"))
    for _ in range(3):
        pressed(page, "aan")
    told = shown(page, 120, 40)
    assert "Saratoga off the map, beyond 1001, facing A" in told
    assert "War off the map, 3 hexes beyond 1001, facing" in told


def test_who_may_still_declare_is_said() -> None:
    page = duel()
    pressed(page, "aa")
    assert "may still fire: Saratoga, War" in shown(page)
    pressed(page, ("f", "1", "enter"))
    assert (
        "fire declared: Saratoga at War; `n` goes on to the dice, when all have fired; may still fire: War"
        in " ".join(shown(page).split())
    )


def test_what_happened_stands_on_a_screen_that_comes_back_as_it_stood() -> None:
    page = duel()
    pressed(page, "aa")
    pressed(page, ("f", "1", "enter", "n"))
    stood = [plain(each) for each in page._lines]
    again = [plain(each) for each in TablePage(Desk(GAME))._lines]
    assert any(": range " in told for told in stood) and again[-4:] == stood[-4:]


def test_what_happened_is_accepted_behind_w_as_one_entry() -> None:
    page = duel()
    before = page.desk.count
    page.press("w", "w")
    types(page, "war 1214E both had agreed")
    page.press("enter")
    assert page.desk.count == before + 1
    assert "War stands at 1214E, its move of the impulse: both had agreed" in shown(
        page
    ) and "War 1214E" in shown(page)


def test_where_no_ship_can_stand_is_not_accepted() -> None:
    page = duel()
    before = page.desk.count
    page.press("w", "w")
    types(page, "war 1214 both had agreed")
    page.press("enter")
    assert page.desk.count == before and "lacks a facing" in shown(page)


def test_a_typed_line_may_order_several_ships() -> None:
    page = duel(at=("1030A", "1010D"))
    assert page.desk.sight.movers == ("Saratoga", "War")
    types(page, ":sar a; war a")
    page.press("enter")
    assert page.desk.mover == "" and "War 1011D" in shown(page)
    before = page.desk.count
    types(page, ":sar h; zork a")
    page.press("enter")
    assert page.desk.count == before


def test_words_are_completed_from_what_is_on_the_table() -> None:
    page = duel()
    sight = page.desk.sight
    assert completions(sight, "sar") == ["Saratoga"]
    assert completions(sight, "sar f ph") == [f"PH-1/{letter}" for letter in "ABC"] + ["PHOT/A", "PHOT/B"]
    assert "1010D" in completions(sight, "accept war 1010")
    assert completions(sight, "sar s 1") == []
    assert completions(sight, "sar la p") == [] and completions(sight, "war la d") == ["DRN/1"]
    types(page, ":sar fi")
    page.press("tab")
    assert ": sar fire" in shown(page)


def test_what_others_write_is_shown() -> None:
    page = duel(at=("1030A", "1010D"))
    assert run(["game", "say", GAME, "Saratoga: ahead"]) == 0
    page.look_again()
    assert "Saratoga: ahead" in shown(page) and "War moves" in shown(page)


def test_many_ships_are_all_in_sight() -> None:
    Path(GAME).unlink(missing_ok=True)
    ships = [f"Ship{n}=cadet/federation-ca:{'ann' if n % 2 else 'bob'}@{10 + n}20A/8" for n in range(12)]
    given = [part for ship in ships for part in ("--ship", ship)]
    assert run(["game", "new", GAME, "--players", "ann,bob", "--dice", "physical", *given]) == 0
    page = TablePage(Desk(GAME))
    told = shown(page)
    assert all(f"Ship{n} " in told for n in range(12)) and "? keys" in told
    assert "Ship11" in shown(page, 120, 40)


def test_a_rule_is_explained_without_leaving() -> None:
    page = duel()
    types(page, "xC1.3")
    page.press("enter")
    assert "explain C1.3" in shown(page) and "turn 1  impulse 1" in shown(page)
    page.press("escape")
    assert "explain" not in shown(page)


def test_an_order_of_a_ship_that_begins_as_undo_does_is_no_undo() -> None:
    page = duel(names=("Uhlan", "War"))
    pressed(page, ("colon", *typed("u a"), "enter"))
    assert page.panel is None and page.desk.mover == "War"


def test_what_was_taken_back_is_marked_among_what_happened() -> None:
    page = duel()
    pressed(page, "a")
    pressed(page, ("u", "enter", "l", "h"))
    told = [row.rstrip() for row in shown(page).splitlines()]
    assert "order: Saratoga: ahead  (taken back)" in told and "order: Saratoga: left" in told
    pressed(page, ("escape", "u", "enter", "U", "h"))
    assert "order: Saratoga: left" in [row.rstrip() for row in shown(page).splitlines()]


def test_no_page_names_a_command_that_cannot_be_typed_there(folder: Path) -> None:
    pages = []
    begin(folder)
    page = TablePage(Desk(GAME))
    for keys in (
        ("colon", *typed("c s 13"), "enter"),
        ("s", "enter", "escape"),
        "n",
        "n",
        "aa",
        ("f", "1", "enter"),
        "n",
    ):
        pressed(page, keys)
        for look in ("s", "i", "h"):
            page.press(look, look)
            pages.append(shown(page, 120, 40))
            page.press("escape")
    named = [text for text in pages if COMMAND.search(text)]
    assert not named, named[0]


def test_q_asks_once() -> None:
    page = duel()
    page.press("q", "q")
    assert not page.done and "q again leaves" in shown(page)
    page.press("q", "q")
    assert page.done


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "keys", ["", "f12", "u", "?", "i", "v", "b", ":sar f ph", "n", "xturn mode\r", "s", "s\rf"]
)
def test_every_page_fills_every_window_just_so(keys: str) -> None:
    page = duel(at=("1030A", "1010D"))
    for key in keys:
        page.press("enter" if key == "\r" else key, "" if key == "\r" else key)
    for width, height in (
        (60, 20),
        (80, 24),
        (81, 25),
        (99, 31),
        (111, 40),
        (112, 32),
        (120, 40),
        (113, 33),
        (160, 50),
        (300, 90),
    ):
        rows = page.rows(width, height)
        assert len(rows) == height
        assert {width_of(row) for row in rows} == {width}, (width, height)


def test_a_record_that_goes_away_is_said_and_the_screen_stays(folder: Path) -> None:
    page = duel(at=("1030A", "1010D"))
    kept = Path(GAME).read_bytes()
    Path(GAME).unlink()
    page.look_again()
    assert "duel.jsonl" in shown(page)
    page.press("a", "a")
    assert "duel.jsonl" in shown(page) and not page.done
    Path(GAME).write_bytes(kept)
    page.press("a", "a")
    assert page.desk.mover == "War"
