"""Finds rulebooks, ships and tables in the package, and composes the rulebook asked for.

A rulebook is a folder here with a `rulebook.json` that can be read without running any of its
code. The folder's module says what is not its parent's. `MODULES` says in which of its modules the rules on
each subject are, and `PROCEDURES` where its ways of doing things are (`module:name`). `DROPPED` are rules of its
parent that it does without. `NAMED` are the keys of the rules that others refer to by name, and `LINES` the lines of
its energy form. A small one may hold its rules themselves in `RULES`.

An installed package brings a rulebook as such a folder: its entry point in the group `referee.rulebooks` has
the rulebook's id as its name and the folder's module as its value. Packages are looked up only for an id that
is not known here, and to list them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Container, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.core.errors import BadInput
from referee.core.forms import FormLines
from referee.core.naming import folded
from referee.core.once import Same
from referee.core.ship import OWN_SHEETS, ShipClass, ship_from_json
from referee.rulebooks.base import NamedRules, Option, Rule, Rulebook, RuleTable, compose, nearest, rules_in

if TYPE_CHECKING:
    import hashlib

    from referee.core.confirmed import Numbers
    from referee.core.scenario import Scenario

HERE = Path(__file__).parent
PACKAGES = "referee.rulebooks"
"""The group of the entry points of packages that bring rulebooks."""


_CONFIRMED: ContextVar[Mapping[str, Same[Numbers]]] = ContextVar("confirmed")


def use_confirmed(ships: Mapping[str, Numbers]) -> None:
    """From now on these ships have the numbers that the holder of their SSD confirmed, and no others have."""
    if ships != confirmed_ships():
        _CONFIRMED.set({id: Same(numbers) for id, numbers in ships.items()})


def confirmed_ships() -> dict[str, Numbers]:
    """The numbers confirmed, by ship."""
    return {id: numbers.held for id, numbers in _CONFIRMED.get({}).items()}


def _names_in(folder: str) -> list[str]:
    """The names of what lies in a folder, sorted; none where there is no such folder."""
    # Every command that names a ship comes here: a glob takes ten times as long.
    return sorted(each.name for each in os.scandir(folder)) if Path(folder).is_dir() else []


def _read(path: Path) -> Any:
    return json.loads(path.read_bytes())


@cache
def descriptors() -> Mapping[str, Mapping[str, Any]]:
    """Every rulebook's descriptor by id, with the folder it stands in."""
    found = {}
    for name in _names_in(str(HERE)):
        if (path := HERE / name / "rulebook.json").is_file():
            descriptor = _read(path)
            found[descriptor["id"]] = {**descriptor, "folder": name}
    return found


def rulebook_ids() -> tuple[str, ...]:
    """The rulebooks that can be played by; a parent shared by others is not one of them."""
    return tuple(id for id, descriptor in descriptors().items() if not descriptor.get("abstract"))


@cache
def installed_rulebooks() -> Mapping[str, str]:
    """The rulebooks that installed packages bring, by id, each with its module."""
    from importlib.metadata import entry_points  # 40 ms, for few

    return {point.name: point.value for point in entry_points(group=PACKAGES)}


def is_rulebook(id: str) -> bool:
    """Is there a rulebook of this id, here or in an installed package?"""
    return id in rulebook_ids() or (bool(id) and id in installed_rulebooks())


@cache
def descriptor_of(id: str) -> Mapping[str, Any]:
    """A rulebook's descriptor. Raises BadInput where there is none, or a package has none that fits."""
    if id in descriptors():
        return descriptors()[id]
    if id not in installed_rulebooks():
        raise BadInput(f"no rulebook {id}", hint=nearest(id, rulebook_ids()))
    folder = folder_of(id)
    try:
        descriptor: dict[str, Any] = _read(folder / "rulebook.json")
    except (OSError, ValueError) as error:
        raise BadInput(f"the package of rulebook {id} has no rulebook.json ({error})") from None
    if descriptor.get("id") != id:
        raise BadInput(f"the package of rulebook {id} holds {descriptor.get('id')}", file=str(folder))
    return {**descriptor, "folder": folder.name}


@cache
def folder_of(id: str) -> Path:
    """Where a rulebook's folder is; a package is found without running it."""
    if id in descriptors():
        return HERE / str(descriptors()[id]["folder"])

    spec = find_spec(installed_rulebooks()[id])
    where = spec.submodule_search_locations if spec else None
    if not where:
        raise BadInput(f"the package of rulebook {id} is not there: {installed_rulebooks()[id]}")
    return Path(where[0])


def _package_of(id: str) -> str:
    """The module of a rulebook's folder."""
    here = descriptors().get(id)
    return f"referee.rulebooks.{here['folder']}" if here else installed_rulebooks()[id]


@cache
def _installed_ships() -> Mapping[str, Path]:
    """The ships of installed rulebooks by id, with their files."""
    folders = [folder_of(id) for id in installed_rulebooks()]
    return {
        f"{folder.name}/{path.stem}": path
        for folder in folders
        for path in sorted(folder.glob("ships/*.json"))
    }


def _chain(id: str) -> list[Mapping[str, Any]]:
    """A rulebook's descriptor and those of its parents, nearest first."""
    chain: list[Mapping[str, Any]] = []
    wanted: str | None = id
    while wanted:
        chain.append(descriptor_of(wanted))
        wanted = chain[-1].get("extends")
    return chain


def _table_loader(folders: list[Path]) -> Callable[[str], Mapping[str, Any]]:
    def load(name: str) -> Mapping[str, Any]:
        for folder in folders:
            path = folder / "tables" / f"{name}.json"
            if path.is_file():
                table: Mapping[str, Any] = _read(path)
                return table
        raise BadInput(f"no table {name} in {', '.join(folder.name for folder in folders)}")

    return load


@cache
def load_rulebook(id: str) -> Rulebook:
    """The rulebook in its default options. Raises BadInput for an unknown id."""
    chain = _chain(id)
    options: dict[str, Option] = {}
    procedures: dict[str, Callable[..., Any] | str] = {}
    named, lines = NamedRules(), FormLines()
    for descriptor in reversed(chain):
        package = _package_of(descriptor["id"])
        module = import_module(package)
        named, lines = getattr(module, "NAMED", named), getattr(module, "LINES", lines)
        for name, found in getattr(module, "PROCEDURES", {}).items():
            procedures[name] = f"{package}.{found}" if isinstance(found, str) else found
        for option in descriptor.get("options", ()):
            options[option["name"]] = Option(
                option["name"],
                option["default"],
                tuple(option["values"]),
                option["rule"],
                option["means"],
            )
    folders = [folder_of(descriptor["id"]) for descriptor in chain]
    load_table = _table_loader(folders)
    return Rulebook(
        id=id,
        title=chain[0]["title"],
        descriptor=_merged(chain),
        rules=RuleTable(partial(_rules, id)),
        options=options,
        values={},
        procedures=procedures,
        load_table=load_table,
        load_ship=load_ship,
        chain=tuple(descriptor["id"] for descriptor in chain),
        named=named,
        lines=replace(lines, titles=_titles(lines, load_table)) if lines.power else lines,
    )


def _titles(lines: FormLines, load_table: Callable[[str], Mapping[str, Any]]) -> dict[str, str]:
    """What the rows of a form are called: the first label of each line, and of a row for one shield."""
    labels = load_table("form_labels")
    first = {line: spellings[0] for line, spellings in labels["lines"].items() if spellings}
    return {**first, lines.reinforcement_specific: labels["shields"][0]}


def _rules(id: str, subject: str | None) -> dict[str, Rule]:
    """The rules of a rulebook and its parents: all, or at least those on a subject."""
    rules: dict[str, Rule] = {}
    for descriptor in reversed(_chain(id)):
        package = import_module(_package_of(descriptor["id"]))
        added: tuple[Rule, ...] = getattr(package, "RULES", ())
        subjects: Mapping[str, tuple[str, ...]] = getattr(package, "MODULES", {})
        names = subjects.get(subject, ()) if subject else (name for on in subjects.values() for name in on)
        modules = [import_module(f"{package.__name__}.{name}") for name in dict.fromkeys(names)]
        rules = compose(
            rules, (*added, *rules_in(*modules)), getattr(package, "DROPPED", ()), descriptor["id"]
        )
    return rules


def _merged(chain: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    merged: dict[str, Any] = {}
    for descriptor in reversed(chain):
        merged |= {key: value for key, value in descriptor.items() if key != "abstract"}
    return merged


@cache
def ship_ids() -> tuple[str, ...]:
    """The packaged ships by id, such as `standard/klingon-d7`."""
    return tuple(
        f"{folder}/{name.removesuffix('.json')}"
        for folder in _names_in(str(HERE))
        for name in _names_in(f"{HERE}/{folder}/ships")
        if name.endswith(".json")
    )


@cache
def own_ships() -> Mapping[str, str]:
    """Ships whose data sheet is not an SSD but their rulebook's own, by id, with that rulebook's."""
    return {
        f"{descriptor['folder']}/{name}": id
        for id, descriptor in descriptors().items()
        for name in descriptor.get("ships", ())
    }


@cache
def own_documents() -> Mapping[str, str]:
    """Kinds of JSON file that one rulebook alone has, by the schema they name, with its id."""
    return {
        schema: id for id, descriptor in descriptors().items() for schema in descriptor.get("documents", ())
    }


@cache
def weapon_systems(rulebook: str) -> Mapping[str, str]:
    """The system each weapon type's boxes belong to, by the rulebook's weapons table."""
    folders = [folder_of(descriptor["id"]) for descriptor in _chain(rulebook)]
    weapons = _table_loader(folders)("weapons")["weapons"]
    return {type: weapon["system"] for type, weapon in weapons.items()}


def load_ship(id: str) -> ShipClass:
    """A packaged ship. Raises BadInput, with the nearest ids, for an unknown one."""
    return _load_ship(ship_id(id), _CONFIRMED.get({}).get(ship_id(id)))


@cache
def ship_id(id: str) -> str:
    """The id of a packaged ship as it is spelled. Raises BadInput, with the nearest ids, for an unknown one."""
    if id not in ship_ids() and id not in OWN_SHEETS:
        match = [known for known in ship_ids() if folded(known) == folded(id)]
        if id in own_ships():
            raise BadInput(f"{id} is a ship of {own_ships()[id]}, without SSD or energy form")
        if len(match) != 1 and id not in _installed_ships():
            raise BadInput(f"no ship {id}", hint=_nearest_ships(id))
        id = match[0] if len(match) == 1 else id
    return id


@cache
def _load_ship(id: str, confirmed: Same[Numbers] | None) -> ShipClass:
    data = _sheet_with(id, confirmed)
    return ship_from_json(data, weapon_systems(data["rulebook"]))


def _nearest_ships(id: str) -> str:
    if id.endswith(".json"):
        return f"a ship of your own: referee game new GAME --ship NAME={id}:PLAYER@2801E (each ship)"
    known = (*ship_ids(), *own_ships())
    close = [ship for ship in known if folded(id) and folded(id) in folded(ship)] or _ships_like(id, known)
    return "did you mean " + " or ".join(close[:3]) + "?" if close else nearest(id, known)


def _ships_like(id: str, known: tuple[str, ...]) -> list[str]:
    """The ships whose id, name in it or last word is like a mistyped one: `D77` is like klingon-d7."""
    called: dict[str, list[str]] = {}
    for ship in known:
        tail = ship.partition("/")[2]
        for word in dict.fromkeys(map(folded, (ship, tail, tail.rpartition("-")[2]))):
            called.setdefault(word, []).append(ship)
    close = get_close_matches(folded(id), called, n=3, cutoff=0.6)
    return list(dict.fromkeys(ship for word in close for ship in called[word]))


_RULES_NOTHING = ("referee/case-counts/1", "referee/rule-list/1", "referee/scenario/1")
"""Kinds of documents in a rulebook's folder that no ruling rests on: a test case more does not make other rules of it."""
_WORDS = frozenset(
    ["schema", "title", "note", "source", "sources", "status", "means", "summary", "differs", "aliases"]
)
"""The parts of a document that tell about its figures, and rule nothing."""


def ruleset_digest(id: str, classes: Container[str] = ()) -> str:
    """The hex SHA-256 of the figures a rulebook rules by, and of the version of its rulings (`rulings` in its
    descriptor, raised by hand when a ruling changes): of it and its parents, with the numbers that were confirmed of
    the ships of some `classes`. Names and places of files, sources and notes change nothing."""
    digest = _digest_of(id).copy()
    if confirmed := {ship: numbers for ship, numbers in confirmed_ships().items() if ship in classes}:
        digest.update(b"confirmed " + json.dumps(confirmed, sort_keys=True, separators=(",", ":")).encode())
    return digest.hexdigest()


@cache
def _digest_of(id: str) -> hashlib._Hash:
    """That of the files alone, as this process rules by them: `load_rulebook` reads them once, too."""
    import hashlib

    digest = hashlib.sha256(b"referee.ruleset.v2\n")
    for descriptor in reversed(_chain(id)):
        for figures in sorted(_figures_below(folder_of(descriptor["id"]))):
            digest.update(figures.encode() + b"\n")
    return digest


def _figures_below(folder: Path) -> Iterator[str]:
    """The figures of each document below a rulebook's folder."""
    for path in folder.rglob("*.json"):
        document = json.loads(path.read_bytes())
        if document.get("schema") not in _RULES_NOTHING and not document.get("reading_aid"):
            yield json.dumps(_figures(document), sort_keys=True, separators=(",", ":"))


def _figures(value: object) -> object:
    """A document without its words."""
    if isinstance(value, dict):
        return {name: _figures(part) for name, part in value.items() if name not in _WORDS}
    return [_figures(part) for part in value] if isinstance(value, list) else value


def ships_called(names: tuple[str, ...], rulebook: str = "") -> tuple[ShipClass, ...]:
    """The packaged ships that counters or forms with these names may be, likeliest first.

    A name may be an id, a class name or an alias, or the race or type alone; every name is held
    against every ship, and only ships that best fit are given.
    """
    wanted = {folded(name) for name in names if folded(name)}
    words = {folded(word) for name in names for word in name.replace("-", " ").split()} | wanted
    called = {id: names_of_ship(id) for id in ship_ids()}
    fits = {
        id: _fit(known, wanted, words) for id, known in called.items() if rulebook in ("", known.rulebook)
    }
    best = max(fits.values(), default=0)
    return tuple(load_ship(id) for id, fit in fits.items() if best and fit == best)


class ShipNames(NamedTuple):
    """What a packaged ship is called: its id and names, race, type and aliases, all folded."""

    rulebook: str
    whole: frozenset[str]
    race: str
    type: str
    aliases: frozenset[str]


@cache
def names_of_ship(id: str) -> ShipNames:
    """What a packaged ship is called."""
    sheet = packaged_sheet(id)
    whole = sheet["id"], sheet["id"].partition("/")[2], sheet["name"]
    return ShipNames(
        sheet["rulebook"],
        frozenset(map(folded, whole)),
        folded(sheet.get("race", "")),
        folded(sheet.get("type", "")) if sheet.get("type") else "",
        frozenset(map(folded, sheet.get("aliases", ()))),
    )


def _fit(ship: ShipNames, wanted: set[str], words: set[str]) -> int:
    """How well names fit a ship: its id or name, else race and type together, else an alias alone."""
    if wanted & ship.whole:
        return 8
    race = ship.race in words
    kind = bool(ship.type) and ship.type in words
    alias = not wanted.isdisjoint(ship.aliases)
    return 4 * (race and kind) + 2 * (race and alias) + alias


def read_ship_json(id: str) -> Mapping[str, Any]:
    """The JSON of a packaged ship, with the numbers that were confirmed."""
    return _sheet_with(id, _CONFIRMED.get({}).get(id))


def _sheet_with(id: str, confirmed: Same[Numbers] | None) -> Mapping[str, Any]:
    sheet = packaged_sheet(id)
    if confirmed is None:
        return sheet
    from referee.core.confirmed import with_confirmed

    return with_confirmed(sheet, confirmed.held)


@cache
def packaged_sheet(id: str) -> Mapping[str, Any]:
    """The JSON of a packaged ship as it is in its file, or of a player's own in a game."""
    if id in OWN_SHEETS:
        return OWN_SHEETS[id]
    folder, _, name = id.partition("/")
    path = HERE / folder / "ships" / f"{name}.json"
    data: Mapping[str, Any] = _read(path if id in ship_ids() else _installed_ships()[id])
    return data


@cache
def scenario_ids() -> tuple[str, ...]:
    """The packaged scenarios by number."""
    return tuple(sorted(path.stem for path in HERE.glob("*/scenarios/*.json")))


@cache
def load_scenario(id: str) -> Scenario:
    """A packaged scenario. Raises BadInput, with all there are, for an unknown one."""
    from referee.core.scenario import scenario_from_json

    for path in HERE.glob("*/scenarios/*.json"):
        if path.stem == id.strip().removeprefix("#"):
            return scenario_from_json(_read(path))
    raise BadInput(f"no scenario {id}", hint=f"there are {', '.join(scenario_ids())}")
