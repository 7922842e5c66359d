"""Case files: what a rule says, in forms, volleys and dice that a player could have sent in.

A file `cases/<cadet|standard|sfb>/<chapter>/<rule>.toml` names its rule and holds its cases; those of
`sfb` are played by both rulebooks. A case's `kind` is

- `legal`: the rule has nothing against the form (`only = true`: nor has any other rule);
- `illegal`: the rule has the findings of `expect` against it, at those cells;
- `undecided`: the form can be read in two ways, and the rule says so;
- `noted`: the form is legal as far as the rule goes, and the rule says something about it;
- `unknown`: the rule says that it cannot judge;
- `resolves`: the volley comes out as `hits` and `result` say;
- `wrong`: somebody says the volley came out so, and it did not;
- `refused`: the owner's choice is refused, by this rule or by the one in `by`;
- `switched-off`: the same volley without the rule comes out as said here, and so differently.

Rules of movement and of fire have cases in forms of their own, which the modules that play them
describe; `cases_kept_elsewhere` counts them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.core.finding import Report
from referee.core.forms import EnergyForm
from referee.core.ship import ShipClass
from referee.corpus.forms import form_from, report_on
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook

__all__ = ["form_from"]

CASES = Path(__file__).parent / "cases"
RULEBOOKS = {"cadet": ("sfb-cadet",), "standard": ("sfb-standard",), "sfb": ("sfb-cadet", "sfb-standard")}
FORM_KINDS = ("legal", "illegal", "undecided", "noted", "unknown")
VOLLEY_KINDS = ("resolves", "wrong", "refused", "switched-off")
FACTS = {
    *("name", "kind", "ship", "options", "state", "after", "note"),
    *("form", "facts", "expect", "only"),
    *(
        "damage",
        "internals",
        "shield",
        "reinforcement",
        "direction",
        "dice",
        "choose",
        "hits",
        "result",
        "by",
    ),
}


@dataclass(frozen=True)
class Case:
    """One case of one rule, played by one rulebook."""

    rulebook: str
    rule: str
    name: str
    kind: str
    says: dict[str, Any] = field(repr=False)
    path: Path = field(repr=False)

    @property
    def id(self) -> str:
        """What pytest calls the case."""
        return f"{self.rulebook}:{self.rule}:{self.kind}: {self.name}"


def file_of(rule: str) -> str:
    """The name of a rule's case file."""
    return f"{rule.replace('/', '-')}.toml"


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of a file, once for each rulebook that plays them. Raises ValueError for a misspelling."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    rule = data["rule"]
    if path.name != file_of(rule) or not rule.startswith(path.parent.name):
        raise ValueError(f"{path} holds cases of {rule}")
    for case in data["case"]:
        if unknown := set(case) - FACTS:
            raise ValueError(f"{path}: {case['name']}: no such line: {', '.join(sorted(unknown))}")
        if case["kind"] not in (*FORM_KINDS, *VOLLEY_KINDS):
            raise ValueError(f"{path}: {case['name']}: no kind {case['kind']}")
        for rulebook in RULEBOOKS[path.parent.parent.name]:
            yield Case(rulebook, rule, case["name"], case["kind"], case, path)


def all_cases() -> list[Case]:
    """Every case of forms and volleys, in the order of the files."""
    paths = sorted(path for folder in RULEBOOKS for path in CASES.glob(f"{folder}/*/*.toml"))
    return [case for path in paths for case in read_cases(path)]


# -- cases in other forms ----------------------------------------------------------------


def cases_kept_elsewhere() -> Iterator[tuple[str, str, str]]:
    """Rulebook, rule and kind of each case that a test module of its own plays.

    Shots and seekers stand under `cases/sfb/*/shots`, moves, the robot and what is no rule of one chapter under
    `unit/rulebooks/sfb/cases`, the cases of Trek under `cases/trek`. Modules of their own play every file there.
    """
    for rulebook, rule, case, _ in written_elsewhere():
        yield rulebook, rule, case["kind"]


def written_elsewhere() -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """Rulebook and rule of each of those cases, the case as it is written, and its file."""
    places = ("cases/sfb/*/shots/*.toml", "cases/trek/**/*.toml", "unit/rulebooks/*/cases/**/*.toml")
    for path in sorted(path for place in places for path in CASES.parent.glob(place)):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        if "rule" in data and path.name != file_of(data["rule"]):
            raise ValueError(f"{path} holds cases of {data['rule']}")
        for case in data.get("case", ()):
            rule = case.get("rule", data.get("rule"))
            for rulebook in (
                ("trek",) if "trek" in path.relative_to(CASES.parent).parts else _played_by(case, data)
            ):
                yield rulebook, rule, case, data


def _played_by(case: dict[str, Any], data: dict[str, Any]) -> tuple[str, ...]:
    """The rulebooks of a case in another form: those it names, else all of its game. One of movement
    names at most one, in its orders; it counts for each in which the rule is the same function."""
    if not {"orders", "moves"} & set(case):
        return tuple(case.get("rulebooks", data.get("rulebooks", RULEBOOKS["sfb"])))
    orders = next((line for line in case.get("orders", "").splitlines() if line.startswith("rulebook ")), "")
    named = orders.partition(" ")[2].strip() or case.get("rulebook", "sfb-cadet")
    mine = load_rulebook(named).rules.get(data["rule"])
    others = (id for id in RULEBOOKS["sfb"] if id != named)
    return (named, *(id for id in others if mine and _decides_alike(id, data["rule"], mine.decide)))


def _decides_alike(rulebook: str, rule: str, decide: Any) -> bool:
    theirs = load_rulebook(rulebook).rules.get(rule)
    return theirs is not None and theirs.decide is decide


def book_of(case: Case) -> Rulebook:
    """The rulebook of a case in its options."""
    options = {name: str(value).lower() for name, value in case.says.get("options", {}).items()}
    return load_rulebook(case.rulebook).with_options(options)


def judge(case: Case) -> Report:
    """The report on the form of a case."""
    return report_on(book_of(case), case.says)


def turns_of(book: Rulebook, ship: ShipClass, form: EnergyForm, known: Any = None) -> Iterator[Any]:
    """The facts of each turn of a form, as the rules are given them."""
    before, known = book.offers.energy_allocation(ship, book, known, form.allocations[0].turn)
    for allocation in form.allocations:
        last = allocation is form.allocations[-1]
        turn = book.offers.open_turn(ship, book, allocation, before, known, ship.name, last)
        yield turn
        before = book.offers.carry_over(turn)
