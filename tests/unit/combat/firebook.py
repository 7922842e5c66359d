"""The rulebooks with the rules of fire in them, whether they are registered there yet or not."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from referee.core.errors import BadInput
from referee.rulebooks import registry
from referee.rulebooks.base import Option, Rulebook, compose, rules_in
from referee.rulebooks.cadet import cloak as cadet_cloak
from referee.rulebooks.sfb import cloak, direct_fire, seekers, sensors

HERE = Path(__file__).parent
OPTIONS = (
    Option("volley_groups", "step", ("step", "impulse"), "FAST/volley", "what is one volley"),
    Option("fade_at_once", "false", ("true", "false"), "G13.0/turn", "a cloak paid anew fades out at once"),
    Option("fire_modes", "sources", ("sources", "captain"), "E1.3/mode", "overloads and proximity fuses"),
)
CADET_DROPPED = ("G13.0/fade", "G13.0/order")
MODULES = {
    "shot": ("direct_fire", "sensors", "cloak", "seekers"),
    "step": ("direct_fire",),
    "firing table": ("direct_fire",),
    "dice": ("direct_fire",),
    "outcome": ("direct_fire",),
    "range": ("sensors", "cloak"),
    "lock-on": ("sensors", "cloak"),
    "launch": ("sensors", "cloak", "seekers"),
    "seekers lost": ("sensors",),
    "cloak": ("cloak",),
    "cloak order": ("cloak",),
    "launch step": ("seekers",),
    "guidance": ("seekers",),
    "ship lost": ("seekers",),
    "seeker speed": ("seekers",),
    "seeker course": ("seekers",),
    "seeker move": ("seekers",),
    "seeker spent": ("seekers",),
    "warhead": ("seekers",),
    "roll": ("seekers",),
    "struck": ("seekers",),
    "volley group": ("seekers",),
    "volley origins": ("seekers",),
}
CADET_MODULES = {"cloak": ("cloak",), "cloak order": ("cloak",)}
PROCEDURES = {
    "fire step": direct_fire.step_of,
    "fire": direct_fire.resolve_shot,
    "fire energy": direct_fire.weapon_energy,
    "lock-on": sensors.lock_held,
    "seeker hit": seekers.seeker_hit,
    "cloak at": cloak.cloak_at,
    "cloak order": cloak.cloak_order,
}
load_packaged = registry.load_rulebook


@cache
def fire_rulebook(id: str) -> Rulebook:
    """A rulebook of the package with the rules, options, procedures and table of fire."""
    book = load_packaged(id)
    if "E1.5" not in book.rules:
        rules = compose(book.rules, rules_in(direct_fire, sensors, cloak, seekers), (), "sfb")
        if id == "sfb-cadet":
            rules = compose(rules, rules_in(cadet_cloak), CADET_DROPPED, id)
        book = replace(book, rules=rules)

    def table(name: str) -> object:
        try:
            return book.load_table(name)
        except BadInput:
            return json.loads((HERE / f"{name}.json").read_bytes())

    options = {option.name: option for option in OPTIONS} | dict(book.options)
    return replace(
        book, options=options, procedures={**PROCEDURES, **book.procedures}, load_table=table, _tables={}
    )
