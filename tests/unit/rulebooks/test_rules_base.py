"""How rulebooks are put together: registering, composing, switching off, options, near misses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.adjudicator.check import check_form
from referee.core.errors import BadInput
from referee.core.finding import Severity
from referee.rulebooks.base import Option, Rule, Rulebook, check, compose, nearest, resolves, rules_in
from referee.rulebooks.registry import (
    descriptors,
    load_rulebook,
    load_ship,
    rulebook_ids,
    ship_ids,
    ships_called,
)
from tests.casefile import form_from


def rule(key: str, origin: str = "") -> Rule:
    return Rule(key, key, "check", "allocation", lambda turn: [], origin)


def test_compose_drops_replaces_and_adds() -> None:
    parent = compose({}, [rule("B3.0-9"), rule("B3.0-14"), rule("D4.3")], (), "old")
    child = compose(parent, [rule("D4.3"), rule("D4.321")], ["B3.0-9"], "new")
    assert {key: entry.origin for key, entry in child.items()} == {
        "B3.0-14": "old",
        "D4.3": "new",
        "D4.321": "new",
    }
    assert set(parent) == {"B3.0-9", "B3.0-14", "D4.3"}


def test_rules_stand_in_the_order_of_the_book() -> None:
    keys = ["B3.0/unused", "B3.0-4", "B3.0-14", "B3.0-14/acceleration", "D4.31", "D4.321", "D4.33", "E3.2"]
    assert list(compose({}, map(rule, reversed(keys)), (), "")) == keys


def test_one_function_may_bear_several_rules() -> None:
    @check("X1", "one", on="thing")
    @resolves("X2", "two", on="other")
    def decide() -> None:
        """Says nothing."""

    class Module:
        pass

    Module.__name__ = __name__
    Module.decide = staticmethod(decide)  # type: ignore[attr-defined]
    found = rules_in(type("M", (), {"__name__": __name__, "decide": decide})())
    assert found == ()
    module = __import__("types").ModuleType(__name__)
    module.decide = decide  # type: ignore[attr-defined]
    assert [(rule.key, rule.kind, rule.text) for rule in rules_in(module)] == [
        ("X2", "resolve", "Says nothing."),
        ("X1", "check", "Says nothing."),
    ]


@pytest.mark.parametrize(
    ("id", "key"),
    [(id, key) for id in rulebook_ids() for key in load_rulebook(id).rules],
)
def test_every_rule_says_what_it_is(id: str, key: str) -> None:
    """`explain` prints the docstring: the rule, then a legal and an illegal example."""
    book = load_rulebook(id)
    entry = book.rules[key]
    assert entry.key == key
    assert entry.title
    assert entry.origin in book.chain
    assert "Legal:" in entry.text
    against = (
        "llegal:",
        "Illegal (",
        "Undecided:",
        "To note:",
        "To warn of:",
        "Never illegal",
        "No program can",
    )
    assert any(word in entry.text for word in against)


@pytest.mark.parametrize("id", rulebook_ids())
def test_options_name_rules_and_take_their_defaults(id: str) -> None:
    book = load_rulebook(id)
    for name, option in book.options.items():
        assert option.default == "" or option.accept(option.default) == option.default
        assert book.option(name) == option.default
        assert option.means


def test_options_are_set_and_refused() -> None:
    book = load_rulebook("sfb-standard")
    changed = book.with_options({"acceleration": "literal"}).with_options({"previous_speed": "12"})
    assert (changed.option("acceleration"), changed.option("previous_speed")) == ("literal", "12")
    assert book.option("acceleration") == "captain"
    assert book.allows("reinforcement")
    assert not book.with_options({"reinforcement": "false"}).allows("reinforcement")
    with pytest.raises(BadInput, match=r"no option accelaration; did you mean acceleration"):
        book.with_options({"accelaration": "literal"})
    for name, value in (
        ("acceleration", "warp"),
        ("previous_speed", "fast"),
        ("previous_speed", "-1"),
        ("previous_speed", "٣"),
    ):
        with pytest.raises(BadInput, match="is not possible"):
            book.with_options({name: value})
    assert Option("n", "1", ("number",), "R", "m").accept("031") == "031"


def test_rules_are_switched_off_by_key_or_number() -> None:
    book = load_rulebook("sfb-cadet")
    assert set(book.rules) - set(book.without(["B3.0-14/acceleration"]).rules) == {"B3.0-14/acceleration"}
    numbered = {key for key in book.rules if key.partition("/")[0] == "B3.0-14"}
    assert numbered > {"B3.0-14", "B3.0-14/acceleration"}
    assert set(book.rules) - set(book.without(["B3.0-14"]).rules) == numbered
    with pytest.raises(BadInput, match=r"has no rule D4\.332"):
        load_rulebook("sfb-standard").without(["D4.332"])


def test_procedures_and_tables_are_asked_for_by_name() -> None:
    book = load_rulebook("sfb-cadet")
    assert callable(book.offers.volley)
    with pytest.raises(BadInput, match="sfb-cadet has no seance"):
        _ = book.offers.seance  # type: ignore[attr-defined]
    assert book.table("damage_chart")["dice"] == "1d6"
    assert load_rulebook("sfb-standard").table("damage_chart")["dice"] == "2d6"
    with pytest.raises(BadInput, match="no table dragons"):
        book.table("dragons")


def test_the_nearest_name_is_suggested() -> None:
    assert nearest("reinforcment", ["reinforcement", "impulses"]) == "did you mean reinforcement?"
    assert nearest("d4.31", ["D4.31", "H6.1"]).startswith("did you mean D4.31")
    assert nearest("zzz", ["b", "a"]) == "known: a, b"
    assert nearest("zzz", []) == ""


def test_rulebooks_and_ships_are_found() -> None:
    assert {"sfb-cadet", "sfb-standard"} <= set(rulebook_ids())
    assert "sfb" in descriptors()
    assert "sfb" not in rulebook_ids()
    with pytest.raises(BadInput, match="no rulebook sfb-cadett; did you mean sfb-cadet"):
        load_rulebook("sfb-cadett")
    assert load_ship("Cadet/Federation CA").id == "cadet/federation-ca"
    with pytest.raises(BadInput, match="standard/klingon-d7"):
        load_ship("klingon-d7")
    assert all(load_ship(id).rulebook in rulebook_ids() for id in ship_ids())


def test_ships_answer_to_their_names() -> None:
    assert [ship.id for ship in ships_called(("standard/klingon-d7",))] == ["standard/klingon-d7"]
    assert [ship.id for ship in ships_called(("Klingon D7",), "sfb-standard")] == ["standard/klingon-d7"]
    assert ships_called(("Borg Cube",)) == ()


# -- a severity of the house -------------------------------------------------------------


@pytest.mark.parametrize("severity", list(Severity))
def test_a_severity_of_the_house_is_that_of_every_finding(severity: Severity) -> None:
    """Errors, warnings and notes of the rule alike; what it cannot judge stays so."""
    book = load_rulebook("sfb-standard")
    said = []
    for rulebook in (book, with_severity(book, "B3.0-1", severity)):
        form = form_from("Turn,1,2,3\nWarp Power,31,20,30\nLife Support,1,1,1\nMovement,8,8,8", rulebook)
        report = check_form(rulebook, load_ship("standard/klingon-d7"), form)
        said.append([finding for finding in report.findings if finding.key == "B3.0-1"])
    before, after = said
    assert {finding.severity for finding in before} == {Severity.ERROR, Severity.NOTE, Severity.UNDECIDED}
    assert {(finding.severity, finding.house_rule) for finding in after} == {(severity, "house")}
    assert [finding.message for finding in after] == [finding.message for finding in before]


def test_a_severity_of_the_house_leaves_what_is_not_judged() -> None:
    book = with_severity(load_rulebook("sfb-standard"), "B3.0-1", Severity.WARNING)
    form = form_from("Turn,1\nWarp Power,20\nLife Support,1\nMovement,8", book)
    report = check_form(book, load_ship("standard/gorn-bc"), form)
    assert "B3.0-1" in {item.key for item in report.not_checked}
    assert "B3.0-1" not in {finding.key for finding in report.findings}


def with_severity(book: Rulebook, key: str, severity: Severity) -> Rulebook:
    """The rulebook as a house file's `[severity]` changes it."""
    changed = replace(book.rules[key], severity=severity.value, origin="house")
    return replace(book, rules={**book.rules, key: changed})
