"""What a rulebook is: numbered rules, options, tables and ships, composed from a parent.

A rule is a small pure function registered under its number. A check looks at facts and yields
findings; a resolution takes part in working something out. What the function looks at is named by
`on`; the adjudicator hands it that and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from referee.core.errors import BadInput
from referee.core.finding import Finding, NotChecked, Severity, rule_number
from referee.core.forms import FormLines
from referee.core.frozen import frozen
from referee.core.naming import most_like
from referee.core.ship import ShipClass

if TYPE_CHECKING:
    from referee.core.gap import Fact
    from referee.rulebooks.offered import Offered

Kind = Literal["check", "resolve"]
MOST_KEPT = 64
"""Choices of options for which a rulebook is kept."""
Function = TypeVar("Function", bound=Callable[..., Any])


@frozen
class Rule:
    """One rule: its key (the book's number, with a slug where several checks share it), its title,
    what it is applied to, the function, and the rulebook or house file that put it there."""

    key: str
    title: str
    kind: Kind
    on: str
    decide: Callable[..., Any]
    origin: str = ""
    severity: str = ""
    passes: str = ""
    """What it finds nothing against, whatever else is the case; where a game is plainly so it is not asked. What it leaves
    open of a plain shot hangs on its ship's class, the weapon and the range, and names nothing but them."""
    rests_on: tuple[Fact, ...] = ()
    """The kinds of fact that decide it, where they are others than those of all rules on its subject."""

    @property
    def number(self) -> str:
        """The book's number."""
        return rule_number(self.key)

    def as_grave_as(self, severity: str, origin: str = "") -> Rule:
        """The rule as grave as players agreed, in a house file if that is its origin."""
        return replace(self, severity=severity, origin=origin or self.origin)

    def signed(self, item: Finding | NotChecked, chain: tuple[str, ...]) -> Finding | NotChecked:
        """What the rule found, with its key and, if it is none of a rulebook's `chain` but a house rule, whose."""
        if isinstance(item, NotChecked):
            return NotChecked(self.key, item.reason, item.subject)
        # A big file is full of findings: each is made anew once, and without `replace`.
        return Finding(
            self.key,
            Severity(self.severity) if self.severity else item.severity,
            item.message,
            item.subject,
            item.turn,
            item.impulse,
            item.location,
            item.expected,
            item.found,
            item.fix,
            item.data_status,
            self.origin if self.origin not in chain else "",
            item.line,
        )

    @property
    def text(self) -> str:
        """The rule in our words: the docstring of its function."""
        return self.decide.__doc__ or ""


def _mark(
    kind: Kind, key: str, title: str, on: str, passes: str = "", rests_on: tuple[Fact, ...] = ()
) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        rule = Rule(key, title, kind, on, function, passes=passes, rests_on=rests_on)
        function.__dict__.setdefault("rules", []).append(rule)
        return function

    return register


def check(
    key: str, title: str, *, on: str, passes: str = "", rests_on: tuple[Fact, ...] = ()
) -> Callable[[Function], Function]:
    """Registers a function that yields the findings of one rule."""
    return _mark("check", key, title, on, passes, rests_on)


def resolves(key: str, title: str, *, on: str) -> Callable[[Function], Function]:
    """Registers a function that works out one step of a result."""
    return _mark("resolve", key, title, on)


def rules_in(*modules: Any) -> tuple[Rule, ...]:
    """The rules registered in some modules, in the order they are written there."""
    return tuple(
        rule
        for module in modules
        for function in vars(module).values()
        if getattr(function, "__module__", None) == module.__name__
        for rule in getattr(function, "__dict__", {}).get("rules", ())
    )


@frozen
class Option:
    """A choice players may make about the rules: its default, its values, and the rule it is about."""

    name: str
    default: str
    values: tuple[str, ...]
    rule: str
    means: str

    def takes(self, value: str) -> bool:
        """Is this one of the option's values?"""
        if self.values == ("number",):
            return value.isascii() and value.isdigit() and len(value) <= 3
        if self.values == ("hexes",):
            corners = value.split("-")
            return len(corners) == 2 and all(map(_is_hex, corners)) and corners[0] <= corners[1]
        return value in self.values

    def accept(self, value: str) -> str:
        """The value, if the option takes it. Raises BadInput otherwise."""
        if not self.takes(value):
            allowed = {"number": "a whole number", "hexes": "the first hex and the last, as 0101-2817"}
            takes = " or ".join(allowed.get(value, value) for value in self.values)
            raise BadInput(f"option {self.name}={value} is not possible", hint=f"it takes {takes}")
        return value


def _is_hex(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) == 4


class RuleTable(Mapping[str, Rule]):
    """A rulebook's rules by key, in the order of the book; those on one subject are loaded by themselves."""

    def __init__(self, load: Callable[[str | None], Mapping[str, Rule]]) -> None:
        self._load = load
        self._all: Mapping[str, Rule] | None = None
        self._on: dict[tuple[str, Kind | None], tuple[Rule, ...]] = {}

    def on(self, subject: str, kind: Kind | None = None) -> tuple[Rule, ...]:
        """The rules applied to a subject, all or those of a kind."""
        found = self._on.get((subject, kind))
        if found is None:
            if kind is None:
                rules = self._load(subject) if self._all is None else self._all
                found = tuple(rule for rule in rules.values() if rule.on == subject)
            else:
                found = tuple(rule for rule in self.on(subject) if rule.kind == kind)
            self._on[subject, kind] = found
        return found

    def _everything(self) -> Mapping[str, Rule]:
        if self._all is None:
            self._all = self._load(None)
        return self._all

    def __getitem__(self, key: str) -> Rule:
        return self._everything()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._everything())

    def __len__(self) -> int:
        return len(self._everything())


@frozen
class NamedRules:
    """The rules that the game around a rulebook refers to, by what they are about and never by their numbers: their
    keys, and those of chapters where no one rule is meant; empty where the rulebook has no such rule."""

    chapters: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Of what is named here and is no rule by itself the title, and what it means."""

    energy: str = ""
    """Energy allocation, as a chapter."""
    sequence: str = ""
    """Each thing in its step of the sequence of play."""
    forms_due: str = ""
    """A turn is not played without forms."""
    turns_in_order: str = ""
    """Turns and impulses follow each other."""
    steps_in_order: str = ""
    """Steps are not passed over."""
    movement: str = ""
    """Movement, as a chapter."""
    order_of_movement: str = ""
    """Who moves before whom."""
    called: str = ""
    """The impulses that call a ship to move."""
    move_missed: str = ""
    """A called ship moves."""
    on_turns: str = ""
    """What the keys of all rules on how a ship turns begin with."""

    fire: str = ""
    """Direct fire, as a chapter."""
    dice: str = ""
    """A die for each weapon."""
    sealed: Mapping[str, str] = field(default_factory=dict)
    """What is sealed is what is done, by the kind of what is sealed: `moves` and `fire`."""
    declared_once: str = ""
    """A weapon is declared once."""
    firing_tables: str = ""
    """What a weapon scores."""
    shield_struck: str = ""
    """Fire strikes the shield that faces it, whatever was said."""
    overfired: tuple[str, ...] = ()
    """The rules that a ship breaks whose phasers fire more points than they have."""
    capacitor: str = ""
    """The charge of the capacitor."""

    absorbed: str = ""
    """Shields absorb before the inside."""
    volley: str = ""
    """What strikes one shield in one impulse is one volley."""
    owner_picks: str = ""
    """The owner picks the box."""
    destroyed: str = ""
    """Excess damage destroys a ship."""
    lost_with_guide: str = ""
    """Drones die with the ship that guides them."""

    lock_on: str = ""
    """Lock-on by sensor rating."""
    lost_with_lock: str = ""
    """Drones are lost with lock-on."""
    lock_on_tried: str = ""
    """Lock-on is tried while drones are out."""
    controlled: str = ""
    """Sensors control so many drones."""
    later: frozenset[str] = frozenset()
    """Rules that records were not held against from the beginning."""

    seekers: str = ""
    """How seekers move."""
    seeker_course: str = ""
    """A seeker follows its target."""
    seeker_destroyed: str = ""
    """Points that destroy a drone."""
    seeker_endurance: str = ""
    """How far a seeker goes."""

    cloak: str = ""
    """The cloak, as a chapter."""
    cloak_paid: str = ""
    """The cloak is paid for."""
    fades: tuple[str, ...] = ()
    """The rules by which a ship that fades is harder to hit."""

    rests_on: Mapping[str, tuple[Fact, ...]] = field(default_factory=dict)
    """What the rules on a subject rest on, where they do not say it themselves."""


@dataclass(frozen=True)
class Rulebook:
    """A rule system in force: rules by key, options with their values, tables and ships as data.

    `procedures` are the system's ways of doing what the adjudicator asks for (`open_turn`,
    `carry_over`, `volley`), or where they are (`module:name`, or a module that has
    several); a rule system without energy forms
    simply has none of that name. They are asked for as `offers.open_turn`, with their types.
    `named` are the rules that are referred to by what they are about, `lines` the lines of its energy form.
    """

    id: str
    title: str
    descriptor: Mapping[str, Any]
    rules: Mapping[str, Rule]
    options: Mapping[str, Option]
    values: Mapping[str, str]
    procedures: Mapping[str, Callable[..., Any] | str]
    load_table: Callable[[str], Mapping[str, Any]]
    load_ship: Callable[[str], ShipClass]
    chain: tuple[str, ...] = ()
    named: NamedRules = field(default_factory=NamedRules)
    lines: FormLines = field(default_factory=FormLines)
    _tables: dict[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)
    _by_options: dict[tuple[tuple[str, str], ...], Rulebook] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """Itself with options set, as it was asked for: what is worked out for one game then serves the next."""

    def table(self, name: str) -> Mapping[str, Any]:
        """A table of the book by its file name, this rulebook's own or its parent's."""
        if name not in self._tables:
            self._tables[name] = self.load_table(name)
        return self._tables[name]

    @property
    def lock_on_sides(self) -> int:
        """Sides of the die rolled for lock-on."""
        return int(self.table("combat")["lock_on"]["die"].partition("d")[2])

    def option(self, name: str) -> str:
        """The value in force of an option; empty where an option without default was not set."""
        return self.values.get(name, self.options[name].default)

    @cached_property
    def chosen(self) -> Mapping[str, str]:
        """The options that have a value, each with it."""
        return {name: value for name in self.options if (value := self.option(name))}

    def allows(self, name: str) -> bool:
        """Is a true-or-false option on?"""
        return self.option(name) == "true"

    def rules_on(self, subject: str, kind: Kind | None = None) -> tuple[Rule, ...]:
        """The rules applied to a subject, in the order of the book."""
        if isinstance(self.rules, RuleTable):
            return self.rules.on(subject, kind)
        on = (rule for rule in self.rules.values() if rule.on == subject)
        return tuple(rule for rule in on if kind in (None, rule.kind))

    def rests_on(self, key: str) -> tuple[Fact, ...]:
        """The kinds of fact that decide the rule of a key."""
        rule = self.rules.get(key)
        return () if rule is None else rule.rests_on or self.named.rests_on.get(rule.on, ())

    @cached_property
    def offers(self) -> Offered[Rulebook]:
        """What the system does besides judging by its rules. Asking for what it has not raises BadInput."""
        return cast("Offered[Rulebook]", _Offers(self))

    def has(self, *names: str) -> bool:
        """Does the system offer all of these?"""
        return all(name in self.procedures for name in names)

    def procedure(self, name: str) -> Any:
        """The system's way of doing something. Raises BadInput if it has none."""
        name = name.replace(" ", "_").replace("-", "_")
        if name not in self.procedures:
            raise BadInput(f"{self.id} has no {name}", hint="choose another rulebook with --rulebook")
        procedure = self.procedures[name]
        if isinstance(procedure, str):
            return _found(procedure)
        return procedure

    def with_options(self, values: Mapping[str, str]) -> Rulebook:
        """The rulebook with some options set. Raises BadInput for an unknown name or value."""
        asked = tuple(values.items())
        if asked not in self._by_options:
            for name, value in asked:
                if name not in self.options:
                    raise BadInput(f"{self.id} has no option {name}", hint=nearest(name, self.options))
                self.options[name].accept(value)
            if len(self._by_options) >= MOST_KEPT:
                self._by_options.clear()
            values = {**self.values, **values}
            self._by_options[asked] = replace(self, values=values, _tables=self._tables)
        return self._by_options[asked]

    def without(self, keys: Iterable[str]) -> Rulebook:
        """The rulebook with some rules switched off. Raises BadInput for an unknown rule."""
        rules = dict(self.rules)
        for key in keys:
            gone = [known for known in rules if key in (known, rule_number(known))]
            if not gone:
                raise BadInput(f"{self.id} has no rule {key}", hint=nearest(key, self.rules))
            for known in gone:
                del rules[known]
        return replace(self, rules=rules)


class _Offers:
    """The procedures of a rulebook as attributes; each is loaded when it is asked for first."""

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = self.__dict__[name] = self._rulebook.procedure(name)
        return found


@cache
def _found(where: str) -> Any:
    """What a procedure given as `module:name` is, or as a module."""
    module, _, attribute = where.partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def compose(
    parent: Mapping[str, Rule], added: Iterable[Rule], dropped: Iterable[str], origin: str
) -> dict[str, Rule]:
    """A rule table: the parent's, less what is dropped, with rules added or replaced by key."""
    rules = {key: rule for key, rule in parent.items() if key not in set(dropped)}
    for rule in added:
        rules[rule.key] = replace(rule, origin=origin)
    return dict(sorted(rules.items(), key=lambda item: _in_book_order(item[0])))


def _in_book_order(key: str) -> list[tuple[int, str]]:
    """Sorts `B3.0-9` before `B3.0-14` and `D4.31` before `D4.321`: chapters as decimals, parts as numbers."""
    number, _, slug = key.partition("/")
    chapter, _, part = number.partition("-")
    return [(0, chapter), (int(part), "") if part.isdigit() else (0, part), (1, slug)]


def nearest(name: str, names: Iterable[str]) -> str:
    """A hint with the known names closest to a mistyped one."""
    known = list(names)
    if close := most_like(name, known):
        return f"did you mean {' or '.join(close)}?"
    more = f" and {len(known) - 12} more" if len(known) > 12 else ""
    return f"known: {', '.join(sorted(known)[:12])}{more}" if known else ""
