"""`referee fire`: one weapon at a range, one ship's broadside, or all fire declared for a step."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from referee.cli.settings import Settings
    from referee.core.combat import Declaration, Shot, Unit
    from referee.core.ship import ShipClass
    from referee.core.state import ShipState

FORMATS = ("full", "json")
MOST_SHOTS = 10_000
BOUNDS = {"range": (0, 10_000), "scanner": (0, 99), "turn": (1, 9_999), "impulse": (1, 99), "shield": (1, 6)}
ENTRY = {
    "firer": str, "ship": str, "at": str, "state": str, "cloak": str, "form": str,
    "target": str, "target_ship": str, "target_at": str, "target_state": str, "target_cloak": str,
    "weapons": (list, str), "range": int, "turn": int, "impulse": int, "last_fired": (dict, str),
    "paid": bool, "lock_on": bool, "scanner": int, "mode": str, "shield": int,
}  # fmt: skip
"""What one entry of a declarations file may say: the same as the options of a broadside."""


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("fire")(fire)


def fire(
    ship: Annotated[str, typer.Argument(help="The ship that fires: an id, a name, or a ship file.")] = "",
    weapon: Annotated[str, typer.Option(help="One weapon type alone, such as phaser-1.")] = "",
    range: Annotated[int | None, typer.Option(help="True range in hexes, where no hexes are given.")] = None,
    times: Annotated[int, typer.Option(help="How many such weapons fire (with --weapon).")] = 1,
    at: Annotated[str, typer.Option(help="Where the ship is and faces: 0915C.")] = "",
    target: Annotated[str, typer.Option(help="The ship that is fired at.")] = "",
    target_at: Annotated[str, typer.Option(help="Where the target is and faces: 1114D.")] = "",
    weapons: Annotated[str, typer.Option(help="What fires: PH-1A,PHOT-B, or all.")] = "",
    turn: Annotated[int | None, typer.Option(help="The turn.")] = None,
    impulse: Annotated[int | None, typer.Option(help="The impulse.")] = None,
    last_fired: Annotated[
        list[str] | None, typer.Option(help="Turn and impulse a weapon last fired: PH-1A@1.16; or none.")
    ] = None,
    paid: Annotated[bool, typer.Option("--paid", help="All energy was paid.")] = False,
    form: Annotated[str, typer.Option(help="The firing ship's energy form; it says what was paid.")] = "",
    state: Annotated[str, typer.Option(help="The firing ship's state (JSON).")] = "",
    target_state: Annotated[str, typer.Option(help="The target's state (JSON).")] = "",
    lock_on: Annotated[bool | None, typer.Option("--lock-on/--no-lock-on", help="Is lock-on held?")] = None,
    scanner: Annotated[int | None, typer.Option(help="Scanner factor, instead of the ship's own.")] = None,
    cloak: Annotated[str, typer.Option(help="The firing ship's cloak, as --target-cloak.")] = "",
    target_cloak: Annotated[str, typer.Option(help="cloaked, fading-out:2 or fading-in:3.")] = "",
    mode: Annotated[str, typer.Option(help="standard, or a way of fire_modes=captain.")] = "standard",
    shield: Annotated[int | None, typer.Option(help="The shield struck, on a corner of two.")] = None,
    declarations: Annotated[str, typer.Option(help="All fire of a step (JSON).")] = "",
    volley: Annotated[bool, typer.Option("--volley", help="Resolve the damage on the target.")] = False,
    reinforcement: Annotated[str, typer.Option(help="The target's general and specific, as G,S.")] = "0,0",
    choose: Annotated[str, typer.Option(help="Who picks boxes: a policy, or ask.")] = "protect-weapons",
    dice: Annotated[str, typer.Option(help="Rolls made at the table, in order.")] = "",
    seed: Annotated[str, typer.Option(help="Practice dice from this text.")] = "",
    ask: Annotated[bool, typer.Option("--ask", help="Ask for every roll.")] = False,
    data: Annotated[str, typer.Option(help="A folder with your own ships, crews and charts (JSON).")] = "",
    rulebook: Annotated[str, typer.Option(help="Judge by this rulebook instead of the ship's.")] = "",
    option: Annotated[list[str] | None, typer.Option(help="A choice about the rules, as key=value.")] = None,
    house: Annotated[str, typer.Option(help="A house-rules file (TOML).")] = "",
    format: Annotated[str, typer.Option(help="full or json.")] = "",
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    output: Annotated[str, typer.Option("-o", "--output", help="Write the result here.")] = "",
    color: Annotated[str, typer.Option(help="auto, always or never.")] = "",
) -> None:
    """Fire weapons: what the rules say of each shot, then the dice, the damage, and its volley."""
    from referee.adjudicator.fire import apply_volleys, check_shots, reinforced, resolve_shots, volleys_of
    from referee.cli.dicecup import chosen_dice, must_be_used_up
    from referee.cli.output import chosen_format, write_output
    from referee.cli.ownway import Shown, own_way, refuse_unless_own
    from referee.cli.settings import read_settings
    from referee.core.errors import BadInput
    from referee.core.finding import Verdict

    settings = read_settings(rulebook, option, house, color)
    if way := own_way("fire", settings, ship):
        places = {"weapons": weapons, "at": at, "target_at": target_at, "shield": shield, "lock_on": lock_on}
        others = {"weapon": weapon, "range": range, "turn": turn, "impulse": impulse, "scanner": scanner}
        others |= {
            "last_fired": str(last_fired or ""),
            "paid": paid,
            "form": form,
            "cloak": cloak,
            "mode": mode,
        }
        others |= {"target_cloak": target_cloak, "declarations": declarations, "times": times}
        left = {"mode": "standard", "times": 1}
        asked = {name: value for name, value in others.items() if value != left.get(name)}
        files = {"ship": ship, "target": target, "state": state, "target_state": target_state}
        files |= {"choose": choose.removeprefix("protect-weapons")}
        way.tell(places | asked, files, chosen_dice(dice, seed, ask), Shown(format, json, output, data))
        return
    refuse_unless_own("fire", data=data)
    kind = chosen_format("json" if json else format, output, FORMATS)
    if sum(map(bool, (ship, weapon, declarations))) != 1:
        hint = "--weapon TYPE --range N, or SHIP --weapons LIST --target SHIP2, or --declarations FILE"
        raise BadInput("say what fires", hint=hint)
    entry = {
        "ship": ship, "at": at, "state": state, "cloak": cloak, "form": form,
        "target": target, "target_at": target_at, "target_state": target_state, "target_cloak": target_cloak,
        "weapons": weapons, "range": range, "turn": turn, "impulse": impulse,
        "last_fired": _last_fired(last_fired or []), "paid": paid or None, "lock_on": lock_on,
        "scanner": scanner, "mode": mode, "shield": shield,
    }  # fmt: skip
    said = {name: value for name, value in entry.items() if value not in (None, "", {})}
    table = _Table(settings)
    if weapon:
        declaration = table.alone(weapon, times, said)
    elif declarations:
        declaration = table.declared(_entries(declarations), declarations)
    else:
        declaration = table.declared([{**said, "target_ship": target}], "")
    book = table.book
    report = check_shots(book, declaration)
    cup = chosen_dice(dice, seed, ask)
    if report.verdict is Verdict.ILLEGAL:
        write_output(_render((), (), (), report, cup, book, kind, settings.colour, bool(output)), output)
        raise typer.Exit(1)
    results = resolve_shots(book, declaration, cup)
    known = all(result.shield for result in results if result.damage)
    volleys = volleys_of(book, results) if known or volley else ()
    volleys = reinforced(volleys, reinforcement)
    chooser = _chooser(choose, seed)
    struck = apply_volleys(book, volleys, table.targets(), cup, chooser) if volley else ()
    must_be_used_up(cup, None)
    text = _render(results, volleys, struck, report, cup, book, kind, settings.colour, bool(output))
    write_output(text, output, [path for path in (declarations, state, target_state, form) if path])


def _last_fired(said: list[str]) -> dict[str, str] | str:
    """`PH-1A@1.16` as an entry has it; `none` for every weapon."""
    from referee.core.errors import BadInput

    if said == ["none"]:
        return "none"
    parts = [each.partition("@") for each in said]
    if not all(between for _, between, _ in parts):
        raise BadInput(f"--last-fired {' '.join(said)}", hint="write PH-1A@1.16, or none")
    return {weapon: when for weapon, _, when in parts}


def _entries(path: str) -> list[Mapping[str, Any]]:
    """The entries of a declarations file. Raises BadInput, with its place, for anything else."""
    from referee.cli.inputs import read_input
    from referee.core.errors import BadInput
    from referee.formats.strictjson import load_json
    from referee.rulebooks.base import nearest

    data = load_json(read_input(path).data, path)
    if not isinstance(data, list) or not data:
        raise BadInput("is not a list of shots", file=path, hint='[{"ship": ..., "weapons": [...], ...}]')
    for n, entry in enumerate(data):
        if not isinstance(entry, dict):
            raise BadInput("is not an object", file=path, place=f"/{n}")
        for name, value in entry.items():
            place = f"/{n}/{name}"
            if name not in ENTRY:
                raise BadInput(f"unknown {name}", file=path, place=place, hint=nearest(name, ENTRY))
            wrong_bool = isinstance(value, bool) and ENTRY[name] is not bool
            if wrong_bool or not isinstance(value, ENTRY[name]):  # type: ignore[arg-type]
                raise BadInput(f"{name} is of the wrong kind", file=path, place=place)
    return data


class _Table:
    """The units in play and the shots between them, put together from what was said."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._units: dict[str, Unit] = {}
        self._book: Any = None

    @property
    def book(self) -> Any:
        """The rulebook in force: the one asked for, else that of the first ship."""
        if self._book is None:
            from referee.cli.settings import rulebook_in_force

            ships = [unit.ship for unit in self._units.values() if unit.ship]
            own = ships[0].rulebook if ships else "sfb-standard"
            self._book = rulebook_in_force(self._settings.rulebook or own, self._settings)
        return self._book

    def targets(self) -> dict[str, tuple[ShipClass, ShipState]]:
        """The ships that can be damaged, by name."""
        units = self._units.items()
        return {name: (unit.ship, unit.state) for name, unit in units if unit.ship and unit.state}

    def alone(self, weapon: str, times: int, said: Mapping[str, Any]) -> Declaration:
        """So many weapons of a type at a range; of who fires them nothing is known."""
        from referee.adjudicator.fire import weapon_type
        from referee.core.combat import Declaration, Shot, Unit, parse_cloak
        from referee.core.errors import BadInput

        if "range" not in said:
            raise BadInput("say at which range", hint="--range N")
        if ours := {"at", "cloak", "form", "last_fired", "state", "target_at", "weapons"} & set(said):
            raise BadInput(
                f"--weapon goes without {', '.join(sorted(ours))}", hint="name the ship that fires"
            )
        target = Unit(cloak=_read(said.get("target_cloak", ""), parse_cloak))
        if "target" in said:
            target = self._units[self._unit({**said, "target_ship": said["target"]}, "target", "target_", "")]
        type = weapon_type(self.book, weapon)
        if not 1 <= times <= MOST_SHOTS:
            raise BadInput(f"--times {times}", hint=f"1 to {MOST_SHOTS}")
        shot = Shot(
            weapon=type,
            type=type,
            firer=Unit(),
            target=target,
            energy="paid",
            fire_control="paid",
            last_fired=None,
            **_plain(said),
        )
        return Declaration((shot,) * times)

    def declared(self, entries: list[Mapping[str, Any]], file: str) -> Declaration:
        """All shots of the entries, in their order."""
        from referee.core.combat import Declaration

        sides = []
        for n, entry in enumerate(entries):
            with _located(file, n):
                firer = self._unit(entry, "firer", "", "")
                sides.append((firer, self._unit(entry, "target", "target_", firer)))
        shots: list[Shot] = []
        capacitors: dict[str, Any] = {}
        for n, (entry, (firer, target)) in enumerate(zip(entries, sides, strict=True)):
            with _located(file, n):
                more, capacitor = self._shots(entry, firer, target)
                self._known(target, entry)
            shots += more
            capacitors |= {firer: capacitor} if capacitor is not None else {}
        return Declaration(tuple(shots), tuple(capacitors.items()))

    def _known(self, target: str, entry: Mapping[str, Any]) -> None:
        """Raises BadInput, with the names most like it, for a target of which nothing at all is said."""
        from referee.core.errors import BadInput

        unit = self._units[target]
        if unit.ship is None and unit.hex is None and "range" not in entry:
            raise BadInput(f"nothing is said of {target}", hint=self._called_like(target))

    def _called_like(self, name: str) -> str:
        """The declared ships with a name like this one."""
        from difflib import get_close_matches

        known = [each for each, unit in self._units.items() if each != name and unit.ship]
        near = get_close_matches(name, known, n=2, cutoff=0.6)
        return f"did you mean {' or '.join(near)}?" if near else ""

    def _unit(self, entry: Mapping[str, Any], role: str, prefix: str, firer: str) -> str:
        """Puts a unit of an entry on the table, or adds to what is known of it; gives its name."""
        from dataclasses import replace

        from referee.cli.shipfiles import find_ship
        from referee.cli.states import whole_or_read
        from referee.core.combat import Unit, parse_cloak
        from referee.core.errors import BadInput
        from referee.core.hexgrid import parse_position

        said: str = entry.get(f"{prefix}ship", "")
        ship = find_ship(said, self._settings.rulebook) if said else None
        name: str = entry.get(role, "")
        if ship and name in ("", said):
            name = f"{ship.name} (target)" if ship.name == firer else ship.name
        if not name:
            raise BadInput(f"which ship is the {role} is not said", hint=f"name it: {prefix}ship")
        unit = self._units.get(name, Unit(name))
        if ship and unit.ship and unit.ship.id != ship.id:
            raise BadInput(f"{name} is a {unit.ship.id} and a {ship.id}", hint="give each ship its own name")
        if ship and (unit.ship is None or entry.get(f"{prefix}state")):
            unit = replace(unit, ship=ship, state=whole_or_read(entry.get(f"{prefix}state", ""), ship))
        if said_at := entry.get(f"{prefix}at", ""):
            hex, facing = _read(said_at, parse_position)
            if unit.hex not in (None, hex) or unit.facing not in (None, facing):
                raise BadInput(f"{name} is at {unit.hex}{unit.facing or ''} and at {said_at}")
            unit = replace(unit, hex=hex, facing=facing)
        if hidden := entry.get(f"{prefix}cloak", ""):
            unit = replace(unit, cloak=_read(hidden, parse_cloak))
        self._units[name] = unit
        return name

    def _shots(self, entry: Mapping[str, Any], firer: str, target: str) -> tuple[list[Shot], Any]:
        from referee.adjudicator.fire import weapons_named
        from referee.core.combat import NOT_KNOWN, Shot, parse_moment
        from referee.core.errors import BadInput
        from referee.core.naming import folded

        unit = self._units[firer]
        if unit.ship is None:
            hint = self._called_like(firer) or 'say "ship": "cadet/federation-ca"'
            raise BadInput(f"which class {firer} is of is not said", hint=hint)
        energy = self._energy(entry, unit.ship)
        fired = entry.get("last_fired", {})
        times = {folded(name): str(when) for name, when in fired.items()} if isinstance(fired, dict) else {}
        shots = []
        names = entry.get("weapons", "")
        for mount in weapons_named(
            self.book, unit.ship, names.split(",") if isinstance(names, str) else names
        ):
            paid = energy.tubes.get(mount.id, NOT_KNOWN) if energy else NOT_KNOWN
            when = times.pop(folded(mount.id), "none" if fired == "none" else "")
            shots.append(
                Shot(
                    weapon=mount.id,
                    type=mount.type,
                    firer=unit,
                    target=self._units[target],
                    mount=mount,
                    impulses=int(self.book.option("impulses")),
                    energy="paid" if entry.get("paid") else paid,
                    fire_control=energy.fire_control
                    if energy
                    else "paid"
                    if entry.get("paid")
                    else NOT_KNOWN,
                    last_fired=_read(when, parse_moment)
                    if when not in ("", "none")
                    else None
                    if when
                    else NOT_KNOWN,
                    **_plain(entry),
                )
            )
        if times:
            raise BadInput(
                f"last fired: {', '.join(times)} does not fire here", hint="name a weapon that fires"
            )
        return shots, energy.capacitor if energy and not entry.get("paid") else None

    def _energy(self, entry: Mapping[str, Any], ship: ShipClass) -> Any:
        """What the ship's form gives for fire, None without a form."""
        if not entry.get("form"):
            return None
        from referee.adjudicator.fire import fire_energy
        from referee.cli.inputs import read_input
        from referee.cli.judging import Asked, read_forms
        from referee.formats.eaform import read_json_form

        source = read_input(entry["form"])
        asked = Asked(self._settings, ships=(ship.id,))
        is_json = source.kind == "json"
        one = read_json_form(source.data, source.name) if is_json else read_forms(source, asked)[0]
        turn = entry.get("turn", one.allocations[-1].turn if one.allocations else 1)
        return fire_energy(self.book, ship, one, turn)


@contextmanager
def _located(file: str, n: int) -> Iterator[None]:
    """Says of an error in which entry of which file it is."""
    from referee.core.errors import BadInput

    try:
        yield
    except BadInput as error:
        raise error.at(file=file, place=f"/{n}" if file else "") from None


def _plain(said: Mapping[str, Any]) -> dict[str, Any]:
    """What of an entry goes into a shot as it is, held within bounds."""
    from referee.core.errors import BadInput

    for name, (least, most) in BOUNDS.items():
        if not least <= said.get(name, least) <= most:
            raise BadInput(f"{name} {said[name]}", hint=f"{least} to {most}")
    kept = (*BOUNDS, "lock_on", "mode")
    return {name: said[name] for name in kept if name in said}


def _read(text: str, reader: Callable[[str], Any]) -> Any:
    """What a reader of the core makes of a text. Raises BadInput where it makes nothing of it."""
    from referee.core.errors import BadInput

    try:
        return reader(text)
    except ValueError as error:
        raise BadInput(str(error)) from None


def _chooser(choose: str, seed: str) -> Any:
    from referee.adjudicator.policies import policy
    from referee.cli.dicecup import AskOwner
    from referee.core.dice import seeded_dice

    return AskOwner() if choose == "ask" else policy(choose, seeded_dice(f"choices {seed}"))


def _render(
    results: Any,
    volleys: Any,
    struck: Any,
    report: Any,
    cup: Any,
    book: Any,
    kind: str,
    colour: str,
    to_file: bool,
) -> str:
    from referee.core.finding import Verdict
    from referee.report.firetext import fire_json, fire_table
    from referee.report.paint import Paint, paint_for

    if kind == "json":
        from json import dumps

        from referee.report.volleyjson import volley_json

        each = [
            {**volley_json(result, book.id, cup.source, cup.rolls), "target": volley.target}
            for volley, result in struck
        ]
        document = fire_json(results, volleys, each, report, dice_source=cup.source, rolls=cup.rolls)
        return dumps(document, indent=2, ensure_ascii=False) + "\n"
    paint = Paint(False) if to_file else paint_for(sys.stdout, colour)
    if report.verdict is Verdict.ILLEGAL:
        from referee.report.checktext import full

        return full(report, paint)
    from referee.report.volleytext import volley_table

    facts = {"dice_source": cup.source, "rolls": cup.rolls, "paint": paint}
    text = fire_table(results, volleys, report, title=book.title, **facts)
    tables = (volley_table(result, rulebook_title=book.title, **facts) for _, result in struck)
    return "\n".join([text, *tables])
