"""Volleys: where they come from, who chooses, and what cannot be resolved at all."""

from __future__ import annotations

import pytest

from referee.adjudicator.policies import POLICIES, POLICY_NAMES, Listed, Policy, RandomChoice, policy
from referee.adjudicator.ship_check import check_ship
from referee.adjudicator.volley import origin_of, resolve, volley_order
from referee.core.arcs import direction_offset
from referee.core.dice import ScriptedDice, seeded_dice
from referee.core.errors import BadInput
from referee.core.finding import Severity
from referee.core.hexgrid import DIRECTIONS
from referee.core.location import Location
from referee.core.state import ShipState, new_state
from referee.core.volley import Choice
from referee.rulebooks.registry import load_rulebook, load_ship, ship_ids
from referee.rulebooks.sfb.damage import IllegalChoice

D7 = load_ship("standard/klingon-d7")
CRUISER = load_ship("standard/federation-ca")
STANDARD = load_rulebook("sfb-standard")
SPREAD = Policy("spread")


def test_d4_321_direction() -> None:
    order = volley_order(10, directions=((None, "0719>0619A"),))
    assert (order.shield, order.origins) == (2, ((10, DIRECTIONS[1]),))


def test_directions_are_rows_sectors_or_hexes() -> None:
    assert origin_of("row:D") == DIRECTIONS[3]
    assert origin_of("LF") == direction_offset("LF")
    assert origin_of("1015>0915C") == DIRECTIONS[0]
    for refused in ("ahead", "0719>0619", ">", "0719>", "FX"):
        with pytest.raises(BadInput):
            origin_of(refused)


def test_a_shield_alone_means_its_hex_row() -> None:
    assert volley_order(5, shield=4).origins == ((5, DIRECTIONS[3]),)
    assert volley_order(5, internal=True, shield=3).shield is None


def test_a_direction_on_a_corner_strikes_neither_for_sure() -> None:
    with pytest.raises(BadInput, match="#1 or #2"):
        volley_order(5, directions=((None, "RF"),))
    assert volley_order(5, shield=1, directions=((None, "RF"),)).shield == 1
    with pytest.raises(BadInput, match="none in particular"):
        volley_order(5, directions=((None, "0619>0619A"),))


def test_several_firers_account_for_all_points_most_damage_first() -> None:
    order = volley_order(30, directions=((10, "row:A"), (20, "RF")), shield=1)
    assert [points for points, _ in order.origins] == [20, 10]
    with pytest.raises(BadInput, match="account for 25 of 30"):
        volley_order(30, directions=((10, "row:A"), (15, "RF")), shield=1)


def test_a_direction_strikes_the_shield_that_faces_it() -> None:
    for directions in (((None, "row:D"),), ((None, "0719>0619A"),), ((20, "row:A"), (10, "row:C"))):
        with pytest.raises(BadInput, match="strikes shield"):
            volley_order(30, shield=1, directions=directions)


@pytest.mark.parametrize("shield", [0, 7])
def test_there_are_six_shields(shield: int) -> None:
    with pytest.raises(BadInput, match="numbered 1 to 6"):
        volley_order(5, shield=shield)


def test_d4_34_the_shield_takes_the_heaviest_fire_first() -> None:
    """Of 30 from port and 10 from starboard a shield of 30 stops the 30: the phaser hit is from starboard,
    where no left phaser bears."""
    order = volley_order(40, shield=1, directions=((10, "RF"), (30, "LF")))
    state = ShipState(CRUISER.id, dict(CRUISER.shields), frozenset({f"PH-1/{n}" for n in (1, 2, 5, 6)}))
    dice = ScriptedDice([4] + [6] * 9)
    first = resolve(STANDARD, CRUISER, state, order, dice, SPREAD).hits[0]
    assert first.cell == "4B"


@pytest.mark.parametrize("name", POLICIES)
def test_policies_choose_what_is_offered(name: str) -> None:
    boxes = ("lab/1", "PH-2/1", "DISR/A", "left_warp/1", "right_warp/1", "battery/1")
    choice = Choice(1, "other", boxes, D7, new_state(D7))
    assert Policy(name).choose(choice) in boxes
    assert policy(name, seeded_dice("x")).name == name


def test_policies_protect_what_they_say() -> None:
    state = new_state(D7)
    assert (
        Policy("protect-weapons").choose(Choice(1, "", ("DISR/A", "left_warp/1"), D7, state)) == "left_warp/1"
    )
    assert Policy("protect-power").choose(Choice(1, "", ("DISR/A", "left_warp/1"), D7, state)) == "DISR/A"
    assert Policy("spread").choose(Choice(1, "", ("DISR/A", "left_warp/1"), D7, state)) == "left_warp/1"
    uneven = ShipState(D7.id, {}, frozenset({"left_warp/1"}))
    assert (
        Policy("protect-weapons").choose(Choice(1, "", ("left_warp/2", "right_warp/1"), D7, uneven))
        == "right_warp/1"
    )


def test_random_choices_use_dice_of_their_own() -> None:
    choice = Choice(1, "", ("lab/1", "lab/2", "lab/3"), D7, new_state(D7))
    picks = [RandomChoice(ScriptedDice([n])).choose(choice) for n in (1, 2, 3)]
    assert picks == ["lab/1", "lab/2", "lab/3"]
    assert "random" in POLICY_NAMES
    with pytest.raises(BadInput, match="no policy kind"):
        policy("kind", seeded_dice("x"))


def test_a_list_of_choices_names_boxes_or_systems() -> None:
    choice = Choice(3, "other", ("lab/2", "battery/1", "battery/2"), D7, new_state(D7))
    listed = Listed({3: "battery"}, SPREAD)
    assert listed.choose(choice) == "battery/1"
    assert listed.used == {3}
    assert Listed({3: "battery/2"}, SPREAD).choose(choice) == "battery/2"
    assert Listed({3: "bridge/1"}, SPREAD).choose(choice) == "bridge/1"
    assert Listed({}, SPREAD).choose(choice) in choice.boxes


@pytest.mark.parametrize("id", [id for id in ship_ids() if not load_ship(id).boxes.get("excess")])
def test_a_ship_whose_ssd_is_not_known_cannot_be_damaged(id: str) -> None:
    ship = load_ship(id)
    with pytest.raises(BadInput, match="cannot be damaged"):
        resolve(
            load_rulebook(ship.rulebook),
            ship,
            new_state(ship),
            volley_order(5, internal=True),
            ScriptedDice([]),
            SPREAD,
        )


def test_a_ship_that_is_gone_cannot_be_damaged() -> None:
    gone = ShipState(D7.id, dict(D7.shields), dead=True)
    with pytest.raises(BadInput, match="destroyed already"):
        resolve(STANDARD, D7, gone, volley_order(5, shield=1), ScriptedDice([]), SPREAD)


def test_nothing_strikes() -> None:
    result = resolve(STANDARD, D7, new_state(D7), volley_order(0, shield=1), ScriptedDice([]), SPREAD)
    assert (result.hits, result.events, result.wasted, result.state) == ((), (), 0, new_state(D7))


NEEDED = {
    "sfb-cadet": {"D4.221", "D4.222", "D4.223", "D4.4", "FAST-4", "FAST-5"},
    "sfb-standard": {"D4.221", "D4.222", "D4.223", "D4.4"},
}
"""The rules without which a volley cannot be resolved."""


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("id", "key"),
    [(id, key) for id in NEEDED for key, rule in load_rulebook(id).rules.items() if rule.kind == "resolve"],
)
def test_any_rule_can_be_switched_off(id: str, key: str) -> None:
    """A house rule may drop any rule; a volley is then resolved without it, or refused in a line."""
    ship = load_ship("cadet/klingon-d6" if id == "sfb-cadet" else "standard/klingon-d7")
    options = {"damage": "fast"} if key.startswith("FAST-") else {}
    book = load_rulebook(id).with_options(options).without([key])
    order = volley_order(400, internal=True, directions=((None, "row:A"),))
    if key not in NEEDED[id]:
        assert resolve(book, ship, new_state(ship), order, seeded_dice(key), SPREAD).internals
        return
    with pytest.raises(BadInput, match=r"switched off|no rule says") as refusal:
        resolve(book, ship, new_state(ship), order, seeded_dice(key), SPREAD)
    assert not isinstance(refusal.value, IllegalChoice)
    assert refusal.value.exit_code == 2


class Stubborn:
    """Always wants the same box, and remembers of what he was asked."""

    name = "stubborn"

    def __init__(self, box: str) -> None:
        self._box = box
        self.asked: list[tuple[str, ...]] = []

    def choose(self, choice: Choice) -> str:
        self.asked.append(choice.boxes)
        return self._box


def test_d4_223_the_owner_is_asked_for_a_single_box_too() -> None:
    """Of a whole track only the best box may go; a wish for another is refused, not passed over."""
    state = ShipState(CRUISER.id, dict(CRUISER.shields), frozenset(CRUISER.box_ids("bridge")))
    owner = Stubborn("sensor/6")
    with pytest.raises(
        IllegalChoice, match=r"^\[D4\.33\] hit 1 \(sensor\): sensor/6 cannot be marked"
    ) as refusal:
        resolve(STANDARD, CRUISER, state, volley_order(1, internal=True), ScriptedDice([2]), owner)
    assert (refusal.value.rule, refusal.value.exit_code) == ("D4.33", 1)
    assert owner.asked == [("sensor/1",)]


ENTRIES = STANDARD.table("damage_chart")["entries"]
ROWS = STANDARD.table("damage_chart")["rows"]
DAMAGEABLE = [s for s in map(load_ship, ship_ids()) if s.rulebook == STANDARD.id and s.boxes.get("excess")]


def only_by(entry: str) -> tuple[int, str]:
    """A roll and a system that this roll takes first by that entry."""
    for roll, row in ROWS.items():
        earlier: set[str] = set()
        for cell in row:
            takes = ENTRIES[cell["entry"]]["takes"][0]
            if cell["entry"] == entry and set(takes) - earlier:
                return int(roll), next(system for system in takes if system not in earlier)
            earlier.update(system for group in ENTRIES[cell["entry"]]["takes"] for system in group)
    raise AssertionError(f"{entry} never comes first")


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry != "excess"])
def test_a_refused_box_cites_the_rule_of_the_entry(entry: str) -> None:
    """Of the entry's own rule, and of the owner's choice where the chart names none."""
    roll, system = only_by(entry)
    ship = next(ship for ship in DAMAGEABLE if ship.box_ids(system))
    others = [other for other in ship.systems if other not in (system, "excess")]
    gone = frozenset(box for other in others for box in ship.box_ids(other))
    owner, order = Stubborn("excess/1"), volley_order(1, internal=True)
    with pytest.raises(IllegalChoice) as refusal:
        resolve(STANDARD, ship, ShipState(ship.id, {}, gone), order, ScriptedDice([roll]), owner)
    assert refusal.value.rule == ENTRIES[entry].get("rule", "D4.223")


@pytest.mark.parametrize(
    ("picked", "rule"), [("", "FAST-1"), ("PH-2/A", "FAST-2"), ("PH-2/A left_warp/1", "FAST-4")]
)
def test_a_refused_box_of_fast_allocation_cites_the_point(picked: str, rule: str) -> None:
    ship = load_ship("cadet/klingon-d6")
    book = load_rulebook("sfb-cadet").with_options({"damage": "fast"})
    wishes = dict(enumerate([*picked.split(), "bridge/1"], 1))
    with pytest.raises(IllegalChoice) as refusal:
        resolve(
            book,
            ship,
            new_state(ship),
            volley_order(9, internal=True),
            ScriptedDice([]),
            Listed(wishes, SPREAD),
        )
    assert refusal.value.rule == rule


def test_d4_3_has_one_rule() -> None:
    """That no category holds the bridge is the rule of the categories itself."""
    assert [key for key in load_rulebook("sfb-cadet").rules if key.partition("/")[0] == "D4.3"] == ["D4.3"]


@pytest.mark.parametrize("id", ship_ids())
def test_packaged_ships_have_no_fault(id: str) -> None:
    ship = load_ship(id)
    findings = list(check_ship(ship, load_rulebook(ship.rulebook), Location(id)))
    assert not [finding for finding in findings if finding.severity is Severity.ERROR]
