"""Pieces made by hand: what masks and invisibility cover, names, notes, players, edits."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from referee.core.errors import BadInput
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.commands import parse_leaf
from referee.formats.vassal.container import write_save_bytes
from referee.formats.vassal.dump import dump
from referee.formats.vassal.edit import Draft
from referee.formats.vassal.game import Save, read_save
from referee.formats.vassal.pieces import Piece
from referee.formats.vassal.recognise import recognise
from referee.formats.vassal.replay import replay
from tests.unit.formats.vassal.vassal_saves import ESC, game_text, piece_text

Make = Callable[..., Save]
ALICE = "PLAYER\thunter2-secret\tAlice\tFederation"
BOB = "PLAYER\tbob-s3cret\tBob\tKlingon"
ROTATE = "rotate;6;93,130;91,130;R;L;;;Heading"
LABEL = "label;76,130;Label;10;;0,0,0;t;0;c;0;b;c;$pieceName$ ($label$)"
MASK = "obs;77,130;mask.png;Mask;B;Blip;player:;Peek"
SECRETS = "CA Hidden|Tholian|cloaked!|Sekrit|1111"


def _insides() -> list[tuple[str, str]]:
    return [
        ("mark;Race,ShipId", "Tholian,Sekrit"),
        ("PROP;Speed", "1111"),
        ("table;1;2;Data", "Move,cloaked!"),
        ("propertysheet;0Note;Sheet", "cloaked!"),
        ("emb2;;;;;;;;;;;;;;;;a,b;,+ Tholian;false;Sekrit", "2"),
    ]


def _only(save: Save) -> Piece:
    (piece,) = save.pieces
    return piece


@pytest.mark.parametrize(
    ("outside", "name", "masked", "hidden", "by"),
    [
        ([(MASK, "hunter2-secret;false|0")], "Blip", True, False, "Alice"),
        ([(MASK.replace("player:", "side:"), "Klingon;")], "Blip", True, False, "Klingon"),
        ([(MASK.replace("player:", "sides:A:B"), "sides:A:B;")], "Blip", True, False, "sides:A:B"),
        ([(MASK, "gone-player;")], "Blip", True, False, "a player not in this game"),
        ([("hide;73,130;Hide;;player:", "hunter2-secret")], "", False, True, "Alice"),
        ([("hide;73,130;Hide;;side:", "Klingon")], "", False, True, "Klingon"),
        ([(MASK, "hunter2-secret;"), ("hide;73;Hide;;side:", "Klingon")], "", True, True, "Klingon"),
    ],
)
def test_covered_pieces_keep_their_secrets(
    make_save: Make, outside: list[tuple[str, str]], name: str, masked: bool, hidden: bool, by: str
) -> None:
    command = piece_text("1", [*outside, *_insides()], "CA Hidden")
    save = make_save(ALICE, BOB, command)
    piece = _only(save)
    assert (piece.name, piece.basic_name, piece.masked, piece.hidden) == (name, name, masked, hidden)
    assert by in (piece.masked_by, piece.hidden_by)
    shown = json.dumps(dump(save)) + repr(save) + repr(recognise(save)) + repr(list(piece.traits))
    for secret in [*SECRETS.split("|"), "hunter2", "bob-s3cret", "gone-player"]:
        assert secret not in shown
    assert (piece.map, piece.x, piece.y) == ("Space", 100, 200)
    owner = _only(make_save(ALICE, BOB, command, reveal=True))
    assert owner.basic_name == "CA Hidden"
    assert owner.markers == {"Race": "Tholian", "ShipId": "Sekrit"}
    for secret in ("hunter2", "gone-player"):
        assert secret not in repr([trait.state for trait in owner.traits])


def test_traits_outside_a_mask_are_seen(make_save: Make) -> None:
    traits = [(ROTATE, "2"), (LABEL, "spd 9"), (MASK, "hunter2-secret;"), ("mark;Race", "Tholian")]
    piece = _only(make_save(ALICE, piece_text("1", traits)))
    assert piece.name == "Blip (spd 9)"
    assert piece.facing is not None
    assert (piece.facing.index, piece.facing.of, piece.facing.degrees) == (2, 6, 120)
    assert piece.markers == {}


def test_uncovered_pieces_are_open(make_save: Make) -> None:
    traits = [
        (MASK, "null;"),
        ("hide;73;H;;player:", "null"),
        ("restrict;Fed", "hunter2-secret"),
        *_insides(),
    ]
    save = make_save(ALICE, piece_text("1", traits, "D6 Open"))
    piece = _only(save)
    assert (piece.name, piece.masked, piece.hidden) == ("D6 Open Tholian", False, False)
    assert piece.properties == {"Speed": "1111"}
    assert [item.value for item in piece.sheets[0].fields] == ["cloaked!"]
    assert piece.layers[0].level == 2
    assert "hunter2" not in json.dumps(dump(save))


def test_free_rotation_turns_clockwise(make_save: Make) -> None:
    piece = _only(make_save(piece_text("1", [("rotate;1;90,130;Rotate;;;Free", "-45.5")])))
    assert piece.facing is not None
    assert (piece.facing.name, piece.facing.of, piece.facing.degrees) == ("Free", 1, 45.5)


def test_names_from_layers_and_labels(make_save: Make) -> None:
    layer = "emb2;;;;;;;;;;;;;;;;a,b,c;+ hit,Wreck of +,Debris;false;State"
    for state, name in (
        ("1", "CA hit"),
        ("2", "Wreck of CA"),
        ("3", "Debris"),
        ("-1", "CA"),
        ("1;", "CA hit"),
    ):
        assert _only(make_save(piece_text("1", [(layer, state)], "CA"))).name == name
    traits = [(LABEL, "$Speed$ of $Max$"), ("PROP;Speed", "5")]
    assert _only(make_save(piece_text("1", traits, "CA"))).name == "CA (5 of $Max$)"


def test_notes_name_owners_and_keep_private_text(make_save: Make) -> None:
    save = make_save(
        ALICE,
        "NOTES\tScenario 4|second line",
        "PNOTES\thello",
        "PNOTE\thunter2-secret\tmy private plan",
        "SNOTE\tPlan\thunter2-secret\ttrue\tattack at dawn\t123\th",
        "SNOTE\tShown\thunter2-secret\tfalse\topen text\t123\th",
    )
    notes = {(n.kind, n.title): (n.owner, n.text) for n in save.notes}
    assert notes == {
        ("scenario", ""): (None, "Scenario 4\nsecond line"),
        ("public", ""): (None, "hello"),
        ("private", ""): ("Alice", None),
        ("secret", "Plan"): ("Alice", None),
        ("secret", "Shown"): ("Alice", "open text"),
    }
    shown = json.dumps(dump(save)) + repr(save)
    for secret in ("hunter2", "my private plan", "attack at dawn"):
        assert secret not in shown


def test_ids_are_struck_out_of_free_text(make_save: Make) -> None:
    save = make_save(
        ALICE, BOB, "CHAT* hunter2-secret moved, hunter2-secretly *", "MOD\tbob-s3cret",
        "MutableProperty\tLast\t\thunter2-secret\tModule", piece_text("1", [("mark;By", "bob-s3cret")]),
        steps=("LOG\tM/1/Space/1/2/null/Space/0/0/null/hunter2-secret", "LOG\tCHATby bob-s3cret"), file="a.vlog",
    )  # fmt: skip
    assert save.chat == ("* [player id] moved, hunter2-secretly *", "by [player id]")
    assert save.unknown == ("MOD\t[player id]",)
    assert "s3cret" not in repr(save.steps)
    shown = json.dumps(dump(save))
    assert "bob-s3cret" not in shown
    assert "hunter2-secret," not in shown
    assert '"player": "Alice"' in shown


def test_secrets_cannot_be_printed_or_serialised() -> None:
    leaf = parse_leaf(ALICE)
    assert isinstance(leaf, lv.PlayerSeat)
    for text in (repr(leaf), str(leaf.id), f"{leaf.id}", f"{leaf}"):
        assert "hunter2" not in text
    with pytest.raises(TypeError):
        json.dumps(leaf.id)
    for text in ("PNOTE\thunter2\tx", "PYREMOVE\thunter2", "UNMASK\thunter2", "D/1/hunter2;/x", "X\thunter2"):
        assert "hunter2" not in repr(parse_leaf(text))


def test_players_join_once_and_may_leave(make_save: Make) -> None:
    save = make_save(
        ALICE, ALICE, BOB, "PYREMOVE\tbob-s3cret", "PLAYER\t\tGuest\t<observer>", "PLAYER\t\tOther\tX"
    )
    assert [(p.name, p.side, p.observes) for p in save.players] == [
        ("Alice", "Federation", False), ("Guest", "<observer>", True), ("Other", "X", False),
    ]  # fmt: skip


def test_list_and_counter_levels(make_save: Make) -> None:
    save = make_save("TURNTurnTracker0\t0|3;0;false;-1;2\\;0\\;0\\;true,true")
    assert save.turn is not None
    assert save.turn.shown() == {"level 1": "3", "level 2": "#3"}
    assert make_save("TURNx\tnonsense").turns == ()


def test_replay_of_stacks(make_save: Make) -> None:
    save = make_save(
        piece_text("1", []), piece_text("2", []), "+/9/stack/Space;100;200;1;2;@@0", file="a.vlog",
        steps=(
            "LOG\tM/9/Space/7/8/null/Space/100/200/null",
            "LOG\tM/1/Space/50/60/null/Space/7/8/null",
            "LOG\tM/1/Space/7/8/9/Space/50/60/null",
            "LOG\tUNDO\ttrue\\" + ESC + "LOG\t-/2\\" + ESC + "LOG\tUNDO\tfalse",
            "LOG\tnull",
        ),
    )  # fmt: skip
    moments = list(replay(save))
    assert [m.step.n for m in moments] == [1, 2, 3, 4, 5]
    assert [m.step.undo for m in moments] == [False, False, False, True, False]
    assert (moments[0].pieces["2"].x, moments[0].pieces["2"].stack) == (7, "9")
    assert (moments[1].pieces["1"].stack, moments[1].pieces["9"].members) == (None, ("2",))
    assert (moments[2].pieces["1"].stack, moments[2].pieces["9"].members) == ("9", ("2", "1"))
    assert "2" not in moments[3].pieces
    assert moments[3].pieces["9"].members == ("1",)
    assert moments[4].step.commands == ()


def test_edits_change_only_what_they_name(make_save: Make) -> None:
    traits = [
        (ROTATE, "0"), (LABEL, ""), ("table;2;2;Show Data", "Turn,1,Move,8"), ("PROP;Speed", "8"),
        ("propertysheet;6Warp L~1Log;Damage", "8/8~"), ("emb2;;;;;;;;;;;;;;;;a,b;;false;Box 1", "1;"),
    ]  # fmt: skip
    save = make_save(ALICE, piece_text("1", traits), "+/9/stack/Space;100;200;1;@@0")
    draft = Draft(save)
    before = draft.text
    draft.set_cell("1", 1, 1, "12, 'fast'/½")
    draft.set_field("1", "Warp L", "7/8")
    draft.set_field("1", "Log", "hit\ntwice")
    draft.set_layer("1", "Box 1", 2)
    draft.set_property("1", "Speed", "12")
    draft.set_label("1", "spd; 12")
    draft.set_facing("1", 3)
    draft.place("1", "Space", 5, 6)
    draft.say("<Alice> - done")
    data = write_save_bytes(draft.text, key=1)
    assert data == write_save_bytes(draft.text, key=1)
    again = read_save(data, "b.vsav")
    piece, stack = again.piece("1"), again.piece("9")
    assert piece is not None
    assert stack is not None
    assert piece.tables[0].rows == (("Turn", "1"), ("Move", "12, 'fast'/½"))
    assert [item.value for item in piece.sheets[0].fields] == ["7/8", "hit\ntwice"]
    assert piece.sheets[0].fields[0].ticks == (7, 8)
    assert (piece.layers[0].level, piece.properties["Speed"]) == (2, "12")
    assert piece.name == "CA Test (spd; 12)"
    assert piece.facing is not None
    assert piece.facing.index == 3
    assert (piece.x, piece.y, stack.x, stack.y) == (5, 6, 5, 6)
    assert again.chat == ("<Alice> - done",)
    assert Draft(save).text == before


def test_edits_that_cannot_be_read_back_are_refused(make_save: Make) -> None:
    save = make_save(piece_text("1", [("table;1;2;T", "a,b"), (ROTATE, "0")]))
    draft = Draft(save)
    for action, reason in (
        (lambda: draft.set_cell("1", 0, 0, "ends in \\"), "cannot store"),
        (lambda: draft.set_cell("1", 0, 0, "\x1b"), "control character"),
        (lambda: draft.set_cell("1", 0, 2, "x"), "no row 1, column 3"),
        (lambda: draft.set_cell("2", 0, 0, "x"), "not in this save"),
        (lambda: draft.set_facing("1", 6), "has no facing 6"),
        (lambda: draft.set_field("1", "X", "1"), "has no field X"),
        (lambda: draft.say("a\nb"), "line break"),
    ):
        with pytest.raises(BadInput, match=reason):
            action()


def test_ships_paired_by_marker_then_by_name(make_save: Make) -> None:
    def counter(identity: str, name: str, ship_id: str = "") -> str:
        marker = [("mark;ShipId,Race", f"{ship_id},Fed")] if ship_id else []
        return piece_text(identity, [(ROTATE, "0"), *marker], name)

    def display(identity: str, name: str, ship_id: str = "") -> str:
        marker = [("mark;ShipId,Race", f"{ship_id},Fed")] if ship_id else []
        return piece_text(
            identity, [("propertysheet;6Warp~6Shield #1;D", "3/4~5/6"), *marker], name, "SSD;1;1"
        )

    save = make_save(
        counter("1", "CA One", "A"), counter("2", "CA Two", "B"), counter("3", "Frigate Nimble"),
        counter("4", "Drone"), display("5", "Sheet of B", "B"), display("6", "SSD Two", "A"),
        display("7", "Nimble SSD"), display("8", "SSD - Lone Base"), piece_text("9", [], "Asteroid"),
    )  # fmt: skip
    pairs = {
        ship.name: (ship.counter and ship.counter.id, ship.ssd and ship.ssd.id)
        for ship in recognise(save).ships
    }
    assert pairs == {
        "CA One": ("1", "6"), "CA Two": ("2", "5"), "Frigate Nimble": ("3", "7"), "Drone": ("4", None),
        "Lone Base": (None, "8"),
    }  # fmt: skip
    ship = recognise(save).ships[0]
    assert (ship.boxes_left, ship.shields) == ({"Warp": (3, 4)}, {1: (5, 6)})
    assert recognise(make_save()).ships == ()


def test_layers_that_mark_hits(make_save: Make) -> None:
    one = "emb2;;;;;;;;;;;;;;;;hit;;false;{}"
    boxes = [(one.format(f"PH-1 {n}"), state) for n, state in ((1, "1"), (2, "-1"), (3, "-1"))]
    save = make_save(piece_text("1", boxes, "SSD Pip"))
    assert recognise(save).ships[0].boxes_left == {"PH-1": (2, 3)}


def test_old_spellings_of_an_empty_game() -> None:
    save = read_save(write_save_bytes(game_text(""), key=0), "empty.log")
    assert (save.kind, save.pieces, save.turn, save.metadata) == ("log", (), None, None)
    assert dump(save)["module"] == {"name": None, "version": None}
