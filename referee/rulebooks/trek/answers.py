"""How this rulebook answers the verbs of the command line: a volley, fire, odds, a file to judge or show.

Each takes the rulebook, an owner's documents (file name and JSON that fits its schema), and what was
said on the command line by name; each gives a JSON document, and what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from referee.core.dice import Dice, ScriptedDice, seeded_dice
from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Report, Severity
from referee.core.hexgrid import FACINGS, Hex, parse_position
from referee.core.location import Location
from referee.core.naming import folded
from referee.rulebooks.base import Rulebook, nearest
from referee.rulebooks.trek import events as e
from referee.rulebooks.trek.acts.fire import absorb
from referee.rulebooks.trek.acts.location import locate
from referee.rulebooks.trek.chartcheck import check_charts
from referee.rulebooks.trek.charts import OUTPOST_CHART, STANDARD_CHART
from referee.rulebooks.trek.combatfile import CombatFile, in_force, read_combat
from referee.rulebooks.trek.facts import Action, Enrolled
from referee.rulebooks.trek.located import location_odds
from referee.rulebooks.trek.play import Play
from referee.rulebooks.trek.ships import TrekShip, plain_id, ship_from_json
from referee.rulebooks.trek.shipyard import SHIP_SCHEMA, Library, fleet_json, library
from referee.rulebooks.trek.shooting import through
from referee.rulebooks.trek.spoken import weapons_said
from referee.rulebooks.trek.state import CombatState, Vessel
from referee.rulebooks.trek.turns import NoDice, declare, play_combat, rate_crews
from referee.rulebooks.trek.vesselfile import vessel_at, vessel_file
from referee.rulebooks.trek.views import entry_json, findings_for, homebrew, side_json

Owned = Sequence[tuple[str, Mapping[str, Any]]]
KINDS = ("beam", "missile", "plasma")
MOST_POINTS = 1000
BOW = 2
"""The shield a ship's bow is behind."""
STRUCK_AT = Hex(50, 50)
FIRER = "the firer"
COMBAT, ANSWERS = "referee/trek-combat/1", "referee/trek-answers/1"
CHART_RULES = ("trek-19", "trek-46", "trek-55", "trek-66")


class Answer(NamedTuple):
    """A JSON document, and what was found against the rules."""

    document: dict[str, Any]
    findings: Sequence[Finding] = ()


# -- ships -----------------------------------------------------------------------------------


def ship_sheets(rulebook: Rulebook, owned: Owned) -> dict[str, Mapping[str, Any]]:
    """Every ship's JSON by its whole id, the packaged ones and an owner's, whose win."""
    own = [data for _, data in owned if data["schema"] == SHIP_SCHEMA]
    sheets = {plain_id(data["id"]): data for data in (*fleet_json(rulebook).values(), *own)}
    whole = {id: f"{rulebook.descriptor['folder']}/{id}" for id in sheets}
    return {whole[id]: {**data, "id": whole[id]} for id, data in sheets.items()}


def whole_id(rulebook: Rulebook, ship: TrekShip) -> str:
    """A ship's id as other rulebooks' are: `trek/lancer`."""
    return f"{rulebook.descriptor['folder']}/{ship.id}"


def ship_class(rulebook: Rulebook, shelf: Library, named: str | Mapping[str, Any]) -> TrekShip:
    """The ship of an id, a name, or a ship file's JSON. Raises BadInput, with the nearest, for an unknown one."""
    if not isinstance(named, str):
        return ship_from_json(named, shelf.charts.stress)
    id = plain_id(named)
    if id in shelf.ships:
        return shelf.ships[id]
    called = [ship for ship in shelf.ships.values() if folded(ship.name) == folded(named)]
    if len(called) != 1:
        raise BadInput(f"no ship {named} in {rulebook.id}", hint=nearest(id, shelf.ships))
    return called[0]


# -- volley, fire, odds ----------------------------------------------------------------------


def volley(
    rulebook: Rulebook,
    owned: Owned,
    dice: Dice,
    ship: str | Mapping[str, Any],
    damage: int | None = None,
    internals: int | None = None,
    shield: int | None = None,
    kind: str = "beam",
    state: Mapping[str, Any] | None = None,
    choose: Mapping[str, Any] | None = None,
) -> Answer:
    """Damage on a shield, what it absorbs, and where the rest goes; `choose` are the owner's answers."""
    points = _points(damage, internals)
    if shield is None:
        raise BadInput("say which shield is struck", hint="--shield 2 is the bow")
    _bounds(points, shield, kind)
    shelf = library(rulebook, owned)
    struck = vessel_at(
        ship_class(rulebook, shelf, ship), "target", (STRUCK_AT, FACINGS[0]), shelf.charts, state
    )
    across = STRUCK_AT.step(FACINGS[(shield - BOW) % len(FACINGS)])
    firer = replace(struck, name=FIRER, side=FIRER, hex=across)
    play = _table(rulebook, shelf, dice, (struck, firer), _answers(choose), struck.name)
    _rated(play, struck.name, state)
    play.emit(49, e.Struck(struck.name, FIRER, kind, shield, points))
    absorbed = 0 if damage is None else absorb(play, struck.name, shield, points)
    inside = through(play.charts, points, absorbed)
    if inside:
        locate(play, FIRER, struck.name, kind, shield, inside)
    cost = sum(
        (entry.event.power for entry in play.log if isinstance(entry.event, e.Absorbed)),
        start=0 * struck.left,
    )
    figures = {"damage": points, "kind": kind, "internals": inside}
    figures["shield"] = {"number": shield, "absorbed": absorbed, "power": str(cost)}
    return _answer("trek-volley", play, struck, figures)


def fire(
    rulebook: Rulebook,
    owned: Owned,
    dice: Dice,
    ship: str | Mapping[str, Any],
    target: str | Mapping[str, Any],
    weapons: str,
    at: str,
    target_at: str,
    state: Mapping[str, Any] | None = None,
    target_state: Mapping[str, Any] | None = None,
    lock_on: bool = False,
    shield: int | None = None,
    choose: Mapping[str, Any] | None = None,
) -> Answer:
    """One fire action of a ship at another: judged, and if the rules allow it resolved to its end."""
    shelf = library(rulebook, owned)
    firer = vessel_at(ship_class(rulebook, shelf, ship), "firer", _place(at, "--at"), shelf.charts, state)
    aimed_at = vessel_at(
        ship_class(rulebook, shelf, target),
        "target",
        _place(target_at, "--target-at"),
        shelf.charts,
        target_state,
    )
    if aimed_at.name == firer.name:
        aimed_at = replace(aimed_at, name=f"{aimed_at.name} (target)")
    if lock_on:
        firer = replace(firer, lock=aimed_at.name)
    corner = [{"corner": shield}] if shield else []
    play = _table(rulebook, shelf, dice, (firer, aimed_at), [*corner, *_answers(choose)], aimed_at.name)
    action = {"do": "fire", "at": aimed_at.name, "weapons": weapons_said(weapons)}
    for vessel, given in ((firer, state), (aimed_at, target_state)):
        _rated(play, vessel.name, given)
    declare(play, firer.name, Action("fire", action))
    shots = _shots(play, firer)
    figures = {
        "target": whole_id(rulebook, aimed_at.ship),
        "shots": shots,
        "damage": sum(shot["damage"] for shot in shots),
    }
    return _answer(
        "trek-fire", play, aimed_at, {**figures, "firer": vessel_file(play.vessel(firer.name))}, firer
    )


def _shots(play: Play, firer: Vessel) -> list[dict[str, Any]]:
    """Each shot as the log tells it: range, number needed, die, and what it did."""
    shots: list[dict[str, Any]] = []
    for entry in play.log:
        event = entry.event
        if isinstance(event, e.Aimed):
            weapon = firer.ship.weapon(event.weapon)
            kind = weapon.kind if weapon else ""
            distance = {"true": event.range, "effective": event.range}
            shots.append({"weapon": event.weapon, "type": kind, "range": distance, "roll": event.roll})
            shots[-1] |= {"needed": event.needed, "hit": event.roll <= event.needed, "damage": 0}
        elif isinstance(event, e.Struck):
            shots[-1] |= {"damage": event.points, "shield": event.shield}
        elif isinstance(event, e.Absorbed) and shots:
            shots[-1]["absorbed"] = event.points
    return shots


def odds(
    rulebook: Rulebook,
    owned: Owned,
    damage: int | None = None,
    internals: int | None = None,
    shield: int = BOW - 1,
    kind: str = "beam",
    ship: str | Mapping[str, Any] = "",
) -> Answer:
    """Chance and mean points of every part that points coming through a shield may strike, exactly."""
    points = _points(damage, internals)
    _bounds(points, shield, kind)
    shelf = library(rulebook, owned)
    charts, chart = shelf.charts, STANDARD_CHART
    if ship:
        struck = ship_class(rulebook, shelf, ship)
        chart = OUTPOST_CHART if struck.outpost else charts.chart_for(struck.damage_chart)
    halve, halving = rulebook.option("half_location") == "damage", rulebook.option("halving")
    found = location_odds(charts, chart, shield, kind, points, halve=halve, halving=halving)
    parts = [
        {"part": row.part, "chance": str(row.chance), "mean": str(row.mean)} for row in found if row.chance
    ]
    own = chart == OUTPOST_CHART or not charts.is_homebrew(f"location {chart}")
    head = {"schema": "referee/trek-odds/1", "rulebook": rulebook.id, "chart": chart, "homebrew": not own}
    return Answer({**head, "shield": shield, "kind": kind, "points": points, "parts": parts})


def _points(damage: int | None, internals: int | None) -> int:
    """How many points strike, said in one way. Raises BadInput for both ways, or neither."""
    if damage is not None and internals is not None:
        raise BadInput("--damage with --internals", hint="say one")
    if damage is None and internals is None:
        raise BadInput("say how many points strike", hint="--damage N, or --internals N")
    return damage if damage is not None else internals or 0


def _bounds(points: int, shield: int, kind: str) -> None:
    if not 0 < points <= MOST_POINTS:
        raise BadInput(f"{points} points of damage", hint=f"1 to {MOST_POINTS}")
    if not 1 <= shield <= len(FACINGS):
        raise BadInput(f"shield {shield}", hint="a shield of 1 to 6")
    if kind not in KINDS:
        raise BadInput(f"no kind {kind}", hint=", ".join(KINDS))


def _place(text: str, option: str) -> tuple[Hex, str]:
    try:
        hex, facing = parse_position(text)
    except ValueError as error:
        raise BadInput(str(error), place=option) from None
    if facing is None:
        raise BadInput(f"{text} has no facing", place=option, hint="write 0915C")
    return hex, facing


def _table(
    rulebook: Rulebook,
    shelf: Library,
    dice: Dice,
    vessels: Iterable[Vessel],
    choose: Sequence[Mapping[str, Any]],
    owner: str,
) -> Play:
    """A round of some ships, with the answers one of them gives."""
    state = CombatState({vessel.name: vessel for vessel in vessels}, turn=1, round=1)
    play = Play(rulebook, shelf.charts, dice, state)
    play.replies = {owner: list(choose)}
    return play


def _answers(choose: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """The owner's answers, as a file of them has them."""
    if choose and choose["schema"] != ANSWERS:
        raise BadInput(f"is {choose['schema']}, no answers", place="--choose", hint=ANSWERS)
    return list(choose["answers"]) if choose else []


def _rated(play: Play, name: str, state: Mapping[str, Any] | None) -> None:
    """A crew that no state file tells of is rolled for (trek-5)."""
    if not (state and "crew" in state):
        rate_crews(play, (name,))


def _answer(
    schema: str, play: Play, struck: Vessel, figures: Mapping[str, Any], firer: Vessel | None = None
) -> Answer:
    left = play.replies.get(struck.name, [])
    if left:
        raise BadInput(
            f"answers that nothing asked for: {', '.join(kind for reply in left for kind in reply)}"
        )
    ships = [vessel for vessel in (struck, firer) if vessel]
    log = [entry_json(entry, n, umpire=False) for n, entry in enumerate(play.log, 1)]
    document = {
        "schema": f"referee/{schema}/1",
        "rulebook": play.rulebook.id,
        "ship": whole_id(play.rulebook, (firer or struck).ship),
        **figures,
        "homebrew": homebrew(play, [vessel.name for vessel in ships]),
        "log": log,
        "state": vessel_file(play.vessel(struck.name)),
        "destroyed": play.vessel(struck.name).out == "destroyed",
        "dice": {"source": play.dice.source, "rolls": list(getattr(play.dice, "rolls", []))},
    }
    return Answer(document, play.findings)


# -- files -----------------------------------------------------------------------------------


def check_document(
    rulebook: Rulebook, owned: Owned, data: Mapping[str, Any], file: str, chosen: Mapping[str, str]
) -> Report:
    """What is against the rules in a combat, a ship, a crew or a chart file."""
    kind = data["schema"].split("/")[1].removeprefix("trek-")
    if kind == "combat":
        play, _ = played(rulebook, owned, data, file, chosen, own_dice)
        return Report(
            findings=tuple(play.findings),
            checked=tuple(play.checked),
            not_checked=tuple(dict.fromkeys(play.not_checked)),
            rulebook=rulebook.id,
            ships=tuple(
                {"name": vessel.name, "ship": whole_id(rulebook, vessel.ship), "rulebook": rulebook.id}
                for vessel in play.state.vessels.values()
            ),
            options={name: play.rulebook.option(name) for name in play.rulebook.options},
        )
    if kind == "charts":
        return Report(tuple(check_charts(rulebook, data, file)), CHART_RULES, rulebook=rulebook.id)
    return (
        _check_crew(rulebook, owned, data, file)
        if kind == "crew"
        else _check_ship(rulebook, owned, data, file)
    )


def played(
    rulebook: Rulebook,
    owned: Owned,
    data: Mapping[str, Any],
    file: str,
    chosen: Mapping[str, str],
    dice_for: Callable[[CombatFile], Dice],
) -> tuple[Play, CombatFile]:
    """A combat file played to its end, or to where its dice end."""
    rulebook = in_force(rulebook, data, chosen)
    shelf = library(rulebook, owned)
    combat = read_combat(data, shelf.ships, shelf.crews, shelf.charts, file)
    return play_combat(rulebook, shelf.charts, combat, dice_for(combat)), combat


def own_dice(combat: CombatFile) -> Dice:
    """The dice a combat file brings along; none, where it brings none."""
    if combat.dice is not None:
        return ScriptedDice(combat.dice)
    return seeded_dice(combat.seed) if combat.seed else NoDice()


def _check_ship(rulebook: Rulebook, owned: Owned, data: Mapping[str, Any], file: str) -> Report:
    """A ship is entered as for a combat: every chart it names must be at hand (trek-6)."""
    shelf = library(rulebook, owned)
    ship = ship_from_json(data, shelf.charts.stress, file)
    vessel = vessel_at(ship, "", (STRUCK_AT, FACINGS[0]), shelf.charts)
    findings: list[Finding] = []
    missing: list[NotChecked] = []
    for rule in rulebook.rules_on("enrolled", "check"):
        for found in rule.decide(Enrolled(vessel, shelf.charts, rulebook, Location(file))):
            if isinstance(found, NotChecked):
                missing.append(replace(found, key=rule.key))
            else:
                findings.append(replace(found, key=rule.key))
    keys = tuple(rule.key for rule in rulebook.rules_on("enrolled", "check"))
    known = {"name": ship.name, "ship": whole_id(rulebook, ship), "rulebook": rulebook.id}
    return Report(tuple(findings), keys, tuple(missing), rulebook=rulebook.id, ships=(known,))


def _check_crew(rulebook: Rulebook, owned: Owned, data: Mapping[str, Any], file: str) -> Report:
    """A crew of characters has every skill the rules ask for (trek-2)."""
    skills, wanted = data.get("skills"), library(rulebook, owned).charts.skills
    missing = [name for name in wanted if name not in skills] if skills else []
    place = Location(file, pointer="/skills")
    message = f"skills missing: {', '.join(missing)}"
    found = [Finding("trek-2", Severity.ERROR, message, data["id"], location=place, fix="write their scores")]
    return Report(tuple(found if missing else ()), ("trek-2",), rulebook=rulebook.id)


def show_document(
    rulebook: Rulebook, owned: Owned, data: Mapping[str, Any], file: str, side: str, chosen: Mapping[str, str]
) -> Answer:
    """What is in a file; with `side`, a combat as that side knows it."""
    if not side:
        return Answer(dict(data))
    if data["schema"] != COMBAT:
        raise BadInput("has no sides", file=file, hint="--as is for combats")
    play, combat = played(rulebook, owned, data, file, chosen, own_dice)
    findings = findings_for(play.findings, play.state, side)
    return Answer(side_json(play, combat.title, side, (), ""), findings)
