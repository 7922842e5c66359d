"""Module maps: what they say overrides names and labels, in a save and in a log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from json import dumps
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.errors import BadInput
from referee.core.finding import Report, Severity, Verdict
from referee.core.hexgrid import Hex
from referee.formats.modulemap import ModuleMap, read_module_map
from referee.formats.vassal.game import Save, read_save
from referee.formats.vassal.mapdraft import draft_map
from referee.formats.vassal.mapfit import misfits
from referee.formats.vassal.marks import boxes_marked
from referee.formats.vassal.module import read_module
from referee.formats.vassal.recognise import Clock, read_clock, read_properties, ships_among, told_where
from referee.formats.vassal.traits import Layer
from referee.formats.vassal.turns import TurnLevel, TurnState
from referee.logs.audit import judge_log
from referee.sources.asked import Asked
from referee.sources.forms import label_index
from referee.sources.saves import labels_of, map_of, map_remarks, with_map
from referee.sources.settings import Settings
from tests.unit.formats.vassal.game_logs import NAME, LogWriter, legal_game, module_bytes, write_log
from tests.unit.formats.vassal.vassal_saves import piece_text

Make = Callable[..., Save]
LABELS = label_index(Asked(Settings()))


def mapped(**parts: Any) -> ModuleMap:
    said = {"schema": "referee/module-map/1", "module": {"name": NAME}, **parts}
    return read_module_map(dumps(said).encode(), "map.json")


def test_what_does_not_fit_the_schema_is_refused() -> None:
    with pytest.raises(BadInput, match="is no module map"):
        read_module_map(b"{}", "map.json")
    with pytest.raises(BadInput) as refused:
        mapped(impulses=7)
    assert "/impulses" in str(refused.value)


def test_pieces_are_what_the_map_says(make_save: Make) -> None:
    table = [("table;2;2;Data", "Turn,1,Warp Power,5")]
    save = make_save(
        piece_text("1", [("mark;Kind", "ship")], "Alpha (token)"),
        piece_text("2", table, "Alpha sheet"),
        piece_text("3", [("rotate;6", "0")], "Arrow"),
        piece_text("4", table, "Beta sheet"),
    )
    says = mapped(
        pieces={
            "counter": {"markers": {"Kind": "ship"}},
            "ssd": {"suffix": " sheet", "has_table": True},
            "ignore": [{"names": ["Beta sheet"]}],
        },
        pairing={"by": "name", "counter_suffix": " (token)", "ssd_suffix": " sheet"},
    )
    ships = ships_among(save.pieces, "f", says)
    assert [(s.counter and s.counter.id, s.ssd and s.ssd.id) for s in ships] == [("1", "2")]
    alone = ships_among(save.pieces, "f")
    assert "3" in {s.counter.id for s in alone if s.counter}


def test_pairs_by_list_and_by_marker(make_save: Make) -> None:
    save = make_save(
        piece_text("1", [("rotate;6", "0"), ("mark;No", "7")], "One"),
        piece_text("2", [("table;1;1;Data", "Turn"), ("mark;No", "8")], "SSD One"),
        piece_text("3", [("table;1;1;Data", "Turn"), ("mark;No", "7")], "SSD Two"),
    )

    def pair(**parts: Any) -> list[str | None]:
        ships = ships_among(save.pieces, "f", mapped(**parts))
        return [s.ssd.id if s.ssd else None for s in ships if s.counter]

    assert pair() == ["2"]
    assert pair(pairing={"by": "marker", "marker": "No"}) == ["3"]
    listed = [{"counter": "One", "ssd": "SSD Two", "ship": "cadet/kzinti"}]
    assert pair(ships=listed) == ["3"]
    assert pair(pairing={"by": "list"}) == [None]


@pytest.mark.parametrize(
    ("said", "trait", "wanted"),
    [
        ({"trait": "rotate", "name": "Heading", "letters": "DEFABC"}, "rotate;6;;;;;;;Heading", "F"),
        ({"trait": "rotate", "name": "Heading", "states": 12}, "rotate;12;;;;;;;Heading", "B"),
        ({"trait": "property", "name": "Bow", "states_to_facing": {"2": "E"}}, "PROP;Bow;;", "E"),
        ({"trait": "rotate", "name": "Other"}, "rotate;6;;;;;;;Heading", None),
    ],
)
def test_facings(make_save: Make, said: dict[str, Any], trait: str, wanted: str | None) -> None:
    save = make_save(piece_text("1", [(trait, "2")], "One"))
    facing = mapped(facing=said).facing
    assert facing is not None
    assert facing.of(save.pieces[0], turned=False) == wanted
    if wanted:
        opposite = "ABCDEF"[("ABCDEF".index(wanted) + 3) % 6]
        assert facing.of(save.pieces[0], turned=True) == opposite


def test_hexes_and_tracker() -> None:
    says = mapped(hexes={"label": "RRCC", "prefix": "Hex "}, tracker={"levels": {"impulse": "Phase"}})
    assert says.hex("Hex 0917") == Hex(17, 9) and says.hex("space") is None
    levels = (TurnLevel("counter", 4, "Round"), TurnLevel("list", 2, "Phase"), TurnLevel("list", 0, "Part"))
    clock = read_clock(TurnState("T", levels), says)
    assert (clock.turn, clock.impulse, clock.step_number) == (4, 3, 1)


def test_labels_and_what_holds_at_the_start(make_save: Make) -> None:
    says = mapped(
        rulebook="sfb-cadet",
        impulses=8,
        start={"speed": 6},
        form={"trait": "table", "rows": {"Zoom": "14", "Humour": "ignored", "Boom A": "10:PHOT/A"}},
    )
    asked = with_map(Asked(Settings(options={"impulses": "16"})), says)
    assert asked.settings.rulebook == "sfb-cadet"
    assert asked.settings.options == {"impulses": "16", "previous_speed": "6"}
    labels = labels_of(asked, says)
    assert (labels.line("zoom"), labels.line("Boom A"), labels.line("Movement")) == ("14", "10:PHOT/A", "14")
    assert labels.is_ignored("Humour")


def test_what_a_map_says_of_a_label_goes_before_the_usual() -> None:
    rows = {"Movement": "15", "Photon A": "ignored", "notes": "14", "Tractor": "ignored", "Sh 2": "13:3"}
    labels = labels_of(Asked(Settings()), mapped(form={"trait": "table", "rows": rows}))
    assert [labels.line(label) for label in ("14. MOVEMENT", "Notes", "Sh-2")] == ["15", "14", "13:3"]
    assert labels.line("Photon A") is labels.line("Tractor") is None
    assert labels.is_ignored("Photon A") and labels.is_ignored("tractor") and not labels.is_ignored("Notes")
    assert labels.line("Photon B") == "10:PHOT/B"


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"form": {"trait": "table", "rows": {"--": "14"}}}, "without a letter"),
        ({"form": {"trait": "table", "rows": {"Go": "14", "GO": "15"}}}, "GO is line 15, and 14"),
        (
            {
                "form": {"trait": "table", "rows": {"Go": "14"}},
                "ships": [{"counter": "A", "ship": "cadet/klingon-d6", "rows": {"Go": "15"}}],
            },
            "/ships/0/rows/Go: Go is line 15, and 14 at /form/rows/Go",
        ),
    ],
)
def test_labels_of_a_map_that_mean_nothing_or_two_lines(parts: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput) as caught:
        mapped(**parts)
    assert words in str(caught.value)


def audited(says: ModuleMap, tmp_path: Path) -> Report:
    module = tmp_path / "m.vmod"
    module.write_bytes(module_bytes())
    save = read_save(write_log(legal_game(Random(8), ships=2, turns=1)).data, "game.vlog")
    return judge_log(save, with_map(Asked(Settings(), module=str(module)), says), says)


def test_a_log_by_its_map(tmp_path: Path) -> None:
    ships = [
        {"counter": "CA Ship0", "ship": "cadet/federation-ca"},
        {"counter": "D6 Ship1", "ship": "cadet/klingon-d6"},
    ]
    right = mapped(facing={"trait": "rotate", "name": "Heading"}, ships=ships, start={"speed": 8})
    assert audited(right, tmp_path).findings == ()
    wrong = mapped(facing={"trait": "rotate", "name": "Heading", "letters": "DEFABC"}, ships=ships)
    assert "C1.2" in {finding.rule for finding in audited(wrong, tmp_path).findings}


def test_a_map_for_another_module_is_named(make_save: Make) -> None:
    save = read_save(write_log(legal_game(Random(8))).data, "game.vlog")
    assert list(map_remarks(mapped(), save)) == []
    other = mapped(module={"name": "Chess"})
    assert [finding.message for finding in map_remarks(other, save)] == [
        f"the map is for module Chess, this is {NAME}",
    ]


def test_a_draft_says_what_was_recognised_and_reads_back() -> None:
    save = read_save(write_log(legal_game(Random(8), ships=2)).data, "game.vlog")
    module = read_module(module_bytes(), "m.vmod")
    classes = {"CA Ship0": ("cadet/federation-ca",), "D6 Ship1": ("cadet/klingon-d6", "standard/klingon-d6")}
    draft = draft_map(save, module, lambda ship: classes[ship.name], LABELS)
    says = read_module_map(dumps(draft).encode(), "map.json")
    assert (says.module, says.impulses) == (NAME, 16)
    assert [(s.counter, s.ssd, s.ship) for s in says.ships] == [
        ("CA Ship0", "SSD CA Ship0", "cadet/federation-ca"),
        ("D6 Ship1", "SSD D6 Ship1", "cadet/klingon-d6"),
    ]
    assert says.levels == {"turn": "Turn", "impulse": "Impulse", "step": "Step"}
    assert "D6 Ship1 may be cadet/klingon-d6 or standard/klingon-d6" in draft["note"]
    bare = draft_map(save, None, lambda ship: (), LABELS)
    assert "CA Ship0 is not known" in bare["note"] and "--module" in bare["note"]
    read_module_map(dumps(bare).encode(), "map.json")


def test_a_draft_lists_counters_of_one_name_once() -> None:
    """A map knows counters by their names: one listed twice would be refused by check."""
    save = read_save(write_log(legal_game(Random(8), ships=3)).data, "game.vlog")
    twins = tuple(replace(p, basic_name="CA Ship0") if p.basic_name == "CA Ship2" else p for p in save.pieces)
    save = replace(save, pieces=twins)
    draft = draft_map(save, None, lambda ship: ("cadet/federation-ca",), LABELS)
    says = read_module_map(dumps(draft).encode(), "map.json")
    assert [ship.counter for ship in says.ships] == ["CA Ship0", "D6 Ship1"]
    assert "more than one counter is called CA Ship0" in draft["note"]
    assert [misfit for misfit in misfits(says, save, save.pieces, None) if "/ships" in misfit.pointer] == []


# -- names that match nothing ------------------------------------------------------------

SHIPS = [
    {"counter": "CA Ship0", "ssd": "SSD CA Ship0", "ship": "cadet/federation-ca"},
    {"counter": "D6 Ship1", "ssd": "SSD D6 Ship1", "ship": "cadet/klingon-d6"},
]
TICKS = {"as": "sheet", "counts": "left"}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("parts", "pointer", "there"),
    [
        ({"maps": {"space": ["Space", "Spcae"]}}, "/maps/space/1", "Space, SSD"),
        ({"maps": {"space": ["Space"], "ssd": ["Ssd"]}}, "/maps/ssd/0", "Space, SSD"),
        ({"pieces": {"counter": {"markers": {"Kind": "ship"}}}}, "/pieces/counter", "CA Ship0"),
        ({"pieces": {"ssd": {"prefix": "Sheet "}}}, "/pieces/ssd", "SSD CA Ship0"),
        ({"facing": {"trait": "rotate", "name": "Haeding"}}, "/facing/name", "Heading"),
        ({"facing": {"trait": "property", "name": "Bow"}}, "/facing/name", "Speed"),
        ({"facing": {"trait": "marker", "name": "Type"}}, "/facing", "CA, D6"),
        ({"pairing": {"by": "marker", "marker": "ShpId"}}, "/pairing/marker", "ShipId"),
        ({"identify": {"type_marker": "Tpye"}}, "/identify/type_marker", "Type"),
        ({"identify": {"side_marker": "Side"}}, "/identify/side_marker", "Race"),
        ({"ships": [{**ship, "counter": "X"} for ship in SHIPS]}, "/ships/0/counter", "CA Ship0"),
        ({"ships": [SHIPS[0], {**SHIPS[1], "ssd": "SSD"}]}, "/ships/1/ssd", "SSD D6 Ship1"),
        ({"form": {"trait": "table", "title": "Energy"}}, "/form/title", "Show Data"),
        ({"form": {"trait": "table", "label_column": 2}}, "/form/label_column", "figures"),
        ({"form": {"trait": "table", "label_column": 99}}, "/form/label_column", "nothing"),
        ({"form": {"trait": "table", "header_row": 1}}, "/form/header_row", "other figures"),
        ({"form": {"trait": "table", "header_row": 99}}, "/form/header_row", "nothing"),
        ({"ships": [*SHIPS, SHIPS[0]]}, "/ships/2/counter", "CA Ship0"),
        ({"tracker": {"name": "Clock"}}, "/tracker/name", "Turn"),
        ({"tracker": {"levels": {"impulse": "Impluse"}}}, "/tracker/levels/impulse", "Impulse"),
        ({"tracker": {"properties": {"turn": "TurnNo"}}}, "/tracker/properties/turn", "none"),
        ({"damage": [{**TICKS, "names": {"Wrap L": "left_warp"}}]}, "/damage/0", "Warp L"),
        ({"damage": [{**TICKS, "title": "Harm"}]}, "/damage/0", "none"),
        ({"shields": {"as": "sheet", "names": {"Sheild 1": "1"}}}, "/shields", "Shield 1"),
        ({"damage": [{"as": "markers", "names": {"Hit": "left_warp"}}]}, "/damage/0", "none"),
        ({"speed": {"as": "property", "name": "Sped"}}, "/speed/name", "Speed"),
        ({"speed": {"as": "marker", "name": "Sped"}}, "/speed/name", "ShipId"),
    ],
)
def test_a_name_that_matches_nothing_is_blamed_on_the_map(
    parts: dict[str, Any], pointer: str, there: str, tmp_path: Path
) -> None:
    report = audited(mapped(**parts), tmp_path)
    blamed = [f for f in report.findings if f.key == "NOTE/map" and f.location.pointer == pointer]
    assert blamed and blamed[0].severity is Severity.UNDECIDED, report.findings
    assert blamed[0].location.file == "map.json" and there in blamed[0].fix
    assert report.verdict is not Verdict.LEGAL


def test_rows_that_no_form_has_are_noted(tmp_path: Path) -> None:
    rows = {"Nope": "14", "20. movement": "14"}
    report = audited(mapped(ships=SHIPS, form={"trait": "table", "rows": rows}), tmp_path)
    assert [(f.location.pointer, f.severity) for f in report.findings if f.key == "NOTE/map"] == [
        ("/form/rows/Nope", Severity.NOTE)
    ]


def test_a_level_that_no_layer_has_destroys_nothing_and_is_blamed_on_the_map(make_save: Make) -> None:
    bare = make_save(piece_text("1", [], "SSD")).pieces[0]
    display = replace(bare, layers=tuple(Layer(f"Warp L {n}", n, True, levels=2) for n in (1, 2)))
    for level, boxes in ((9, {}), (2, {"Warp L": (1, 2)})):
        way = mapped(damage=[{"as": "layers", "destroyed_level": level}]).damage
        assert boxes_marked(display, way) == boxes


def test_boxes_that_no_ship_has_are_refused(tmp_path: Path) -> None:
    damage = [{"as": "layers", "destroyed_level": 2, "names": {"Warp L 1": "banana"}}]
    said = {"schema": "referee/module-map/1", "module": {"name": NAME}, "damage": damage}
    (tmp_path / "m.json").write_text(dumps(said))
    with pytest.raises(BadInput, match="/damage/0/names/Warp L 1: no boxes banana"):
        map_of(Asked(Settings(), map=str(tmp_path / "m.json")))
    damage[0]["names"] = {"a": "left_warp", "b": "phaser-1", "c": "PHOT/A", "d": "photon", "e": "lab"}
    (tmp_path / "m.json").write_text(dumps(said))
    assert map_of(Asked(Settings(), map=str(tmp_path / "m.json")))


@pytest.mark.parametrize("headings", [("1", "2"), ("I", "II"), ("Turn 1", "Turn 2")])
def test_a_row_of_headings_that_a_map_tells(headings: tuple[str, ...]) -> None:
    says = mapped(form={"trait": "table", "header_row": 1})
    rows = (("Captain", "", "7"), ("Round", *headings), ("Warp", "15", "16"), ("Movement", "8", "12"))
    assert told_where(rows, says) == (0, 1)


def test_letters_of_a_facing_are_all_six() -> None:
    with pytest.raises(BadInput, match="/facing/letters"):
        mapped(facing={"trait": "rotate", "name": "Heading", "letters": "AAAAAA"})
    assert mapped(facing={"trait": "rotate", "name": "Heading", "letters": "DEFABC"}).facing


def test_a_map_for_another_version_says_which(tmp_path: Path) -> None:
    save = read_save(write_log(legal_game(Random(8), ships=2, turns=1)).data, "game.vlog")
    name = save.module.name if save.module else ""
    said = {"schema": "referee/module-map/1", "module": {"name": name, "versions": ["9.9", "9.8"]}}
    says = read_module_map(dumps(said).encode(), "map.json")
    (told,) = (f.message for f in map_remarks(says, save) if "the map is for" in f.message)
    assert f"for module {name} 9.9 or 9.8, this is version" in told


def test_a_tracker_named_in_a_map_is_told_only_by_the_module() -> None:
    save = read_save(write_log(legal_game(Random(8), ships=2, turns=1)).data, "game.vlog")
    says = mapped(tracker={"name": "Clock"})
    assert any("needs --module" in f.message for f in map_remarks(says, save))
    module = read_module(module_bytes(), "m.vmod")
    assert not any("needs --module" in f.message for f in map_remarks(says, save, module=module))


def test_what_is_in_another_game_of_the_module_is_only_noted(tmp_path: Path) -> None:
    absent = {"counter": "Third", "ship": "cadet/kzinti"}
    names = {"Warp L": "left_warp", "Plasma/S": "plasma-s"}
    report = audited(mapped(ships=[*SHIPS, absent], damage=[{**TICKS, "names": names}]), tmp_path)
    noted = [(f.location.pointer, f.severity) for f in report.findings if f.key == "NOTE/map"]
    assert noted == [
        ("/ships/2/counter", Severity.NOTE),
        ("/damage/0/names/Plasma~1S", Severity.NOTE),
    ]


# -- damage, shields, speed and the clock as a map says ----------------------------------


def seen(save: Save, **parts: Any) -> tuple[dict[str, Any], dict[int, Any]]:
    (ship,) = ships_among(save.pieces, "f", mapped(**parts))
    return dict(ship.boxes_left), dict(ship.shields)


def test_damage_by_the_map(make_save: Make) -> None:
    display = piece_text(
        "1",
        [
            ("table;1;1;Data", "Turn"),
            ("emb2;;;;;;;;;;;;;;;true;-,-;a.png,b.png;Engine 1", "2"),
            ("propertysheet;6Gun~6Shield 1~1Text;Harm;;2", "3/8~4/9~7"),
            ("PROP;Hull;true,0,31,false;;x", "5"),
        ],
        "SSD One",
    )
    save = make_save(display)
    assert seen(
        save, damage=[{"as": "sheet", "title": "Harm", "counts": "lost", "names": {"Gun": "phaser-1"}}]
    ) == (
        {"phaser-1": (5, 8)},
        {1: (4, 9)},
    )
    lost = {"as": "properties", "counts": "lost", "names": {"Hull": "forward_hull"}}
    assert seen(save, damage=[lost])[0] == {"forward_hull": (26, 31)}
    text = {"as": "sheet", "counts": "lost", "names": {"Text": "aft_hull"}}
    assert seen(save, damage=[text, lost])[0] == {"aft_hull": (-7, None), "forward_hull": (26, 31)}
    shields = {"as": "sheet", "counts": "lost", "names": {"Gun": "2"}}
    assert seen(save, shields=shields)[1] == {2: (5, 8)}


def test_markers_that_lie_on_a_display(make_save: Make) -> None:
    def at(name: str, x: int, id: str) -> str:
        return piece_text(id, [], name, f"SSD;{x};0")

    save = make_save(
        at("SSD One", 0, "1"), at("SSD Two", 900, "2"),
        at("Hit W", 40, "3"), at("Hit W", 60, "4"), at("Hit W", 860, "5"), at("Hit W", 450, "6"),
    )  # fmt: skip
    says = mapped(damage=[{"as": "markers", "names": {"Hit W": "left_warp"}, "within": 200}])
    assert [dict(ship.boxes_left) for ship in ships_among(save.pieces, "f", says)] == [
        {"left_warp": (-2, None)},
        {"left_warp": (-1, None)},
    ]


def test_the_state_such_counts_show() -> None:
    from referee.rulebooks.registry import load_rulebook, load_ship
    from referee.sources.ssd_display import seen_state

    ship, labels = load_ship("cadet/klingon-d6"), load_rulebook("sfb-cadet").table("box_labels")
    boxes = {"left_warp": (-2, None), "phaser-2": (3, None), "DISR/B": (0, 1), "impulse/2": (0, 1)}
    state = seen_state(ship, boxes, {}, labels).state
    phasers = [mount.id for mount in ship.mounts if mount.type == "phaser-2"]
    lost = len(phasers) - 3
    assert state.destroyed == {
        "left_warp/1", "left_warp/2", "DISR/B", "impulse/2", *phasers[:lost]
    }  # fmt: skip


def test_a_clock_of_global_properties() -> None:
    says = mapped(tracker={"properties": {"turn": "T", "impulse": "I"}})
    assert read_properties(Clock(), {"T": "3", "I": "7"}, says).moment == (3, 7)
    assert read_properties(Clock(1, 2), {"I": "x"}, says) == Clock(1, None)
    assert read_properties(Clock(1, 2), {}, mapped()).moment == (1, 2)


def test_ways_of_showing_damage_that_other_files_use_are_only_noted(tmp_path: Path) -> None:
    """A map for a module whose displays differ: here boxes are on sheets, nowhere on layers."""
    ways = [{"as": "layers", "destroyed_level": 2}, TICKS, {"as": "markers", "names": {"Hit": "apr"}}]
    report = audited(mapped(damage=ways), tmp_path)
    noted = [(f.location.pointer, f.severity) for f in report.findings if f.key == "NOTE/map"]
    assert noted == [("/damage/2", Severity.NOTE)]
    assert report.verdict is Verdict.LEGAL


@pytest.mark.parametrize("shown", ["sheet", "layers", "properties"])
def test_damage_is_drafted_as_it_is_read_without_a_map(shown: str) -> None:
    game = legal_game(Random(8), ships=2)
    writer = LogWriter(game, shown=shown)
    for name in game.ships:
        writer.left[name]["Warp L"] = 5
    writer._start = writer.start()
    save = read_save(writer.finish(), "game.vlog")
    draft = draft_map(save, None, lambda ship: (), LABELS)
    ways = [way["as"] for way in draft["damage"]]
    assert ways == (
        ["sheet"]
        if shown == "sheet"
        else ["layers", "sheet"]
        if shown == "layers"
        else ["sheet", "properties"]
    )
    says = read_module_map(dumps(draft).encode(), "map.json")
    with_it, without = (ships_among(save.pieces, "f", told) for told in (says, None))
    assert [(s.boxes_left, s.shields) for s in with_it] == [(s.boxes_left, s.shields) for s in without]
    assert dict(with_it[0].boxes_left)["Warp L"] == (5, 8)
