"""`referee rulebook` and `referee explain`: the rules, in our words."""

from __future__ import annotations

import re
from inspect import cleandoc
from json import dumps
from typing import Annotated, Any

import typer

from referee.cli.options import Json
from referee.report.paint import fitted
from referee.rulebooks.registry import descriptor_of, installed_rulebooks, rulebook_ids


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="The rule systems there are, and what is in them.", no_args_is_help=True)
    group.command("list")(rulebook_list)
    group.command("show")(rulebook_show)
    app.add_typer(group, name="rulebook")
    app.command("explain")(explain)


def rulebook_list(json: Json = False) -> None:
    """List the rulebooks."""
    rulebooks = [descriptor_of(id) for id in (*rulebook_ids(), *sorted(installed_rulebooks()))]
    if json:
        rows = [
            {name: rulebook.get(name, "") for name in ("id", "title", "summary", "differs")}
            for rulebook in rulebooks
        ]
        typer.echo(dumps({"schema": "referee/rulebook-list/1", "rulebooks": rows}, indent=2))
        return
    wide = max(len(rulebook["id"]) for rulebook in rulebooks) + 2
    typer.echo(f"{'Id':<{wide}}Game, and what it is like")
    for rulebook in rulebooks:
        typer.echo(f"{rulebook['id']:<{wide}}{rulebook['title']}\n{'':<{wide}}{rulebook.get('summary', '')}")
    typer.echo("\n--rulebook ID judges by one; referee rulebook show ID lists its options and rules")


def rulebook_show(
    id: Annotated[str, typer.Argument(help="A rulebook id.")],
    house: Annotated[str, typer.Option(help="With a house-rules file (TOML).")] = "",
    coverage: Annotated[
        bool,
        typer.Option("--coverage", help="Every numbered rule of the book: how it is judged, or why not."),
    ] = False,
    json: Json = False,
) -> None:
    """Show a rulebook's options and rules, and who put each there; or what it judges of its book."""
    from referee.sources.settings import read_settings, rulebook_in_force

    rulebook = rulebook_in_force(id, read_settings(house=house), lenient=True)
    if coverage:
        from referee.cli.coverage import show_coverage

        show_coverage(rulebook, json)
        return
    if json:
        typer.echo(dumps(_rulebook_json(rulebook), indent=2, ensure_ascii=False))
        return
    typer.echo(
        f"{rulebook.id}: {rulebook.title}\n{rulebook.descriptor.get('differs', '')}\n\nOptions (--option name=value)"
    )
    for option in rulebook.options.values():
        value = rulebook.option(option.name) or "not set"
        takes = "a number" if option.values == ("number",) else " | ".join(option.values)
        typer.echo(f"  {option.name:<20} {value:<10} [{option.rule}] {option.means} ({takes})")
    typer.echo("\nRules")
    for rule in rulebook.rules.values():
        origin = f"  ({rule.origin})" if rule.origin != rulebook.id else ""
        typer.echo(f"  {rule.key:<24} {rule.kind:<9} {rule.title}{origin}")


def _rulebook_json(rulebook: Any) -> dict[str, Any]:
    return {
        "schema": "referee/rulebook-in-force/1",
        "id": rulebook.id,
        "title": rulebook.title,
        "options": [
            {
                "name": option.name,
                "value": rulebook.option(option.name),
                "default": option.default,
                "values": list(option.values),
                "rule": option.rule,
                "means": option.means,
            }
            for option in rulebook.options.values()
        ],
        "rules": [
            {
                "key": rule.key,
                "rule": rule.number,
                "title": rule.title,
                "kind": rule.kind,
                "from": rule.origin,
            }
            for rule in rulebook.rules.values()
        ],
    }


def explain(
    rule: Annotated[
        list[str] | None, typer.Argument(help="A rule's number or its beginning, or words: turn mode.")
    ] = None,
    rulebook: Annotated[str, typer.Option(help="Only of this rulebook.")] = "",
    json: Json = False,
) -> None:
    """Explain a rule, or a note that belongs to no rule (NOTE/begun): what it means, examples, what to do. Words find rules."""
    from referee.api.explaining import explained

    explanation = explained(" ".join(rule or ()).strip(), rulebook)
    for aside in explanation.asides:
        typer.echo(f"referee: {aside}", err=True)
    if json:
        rows = [
            {
                "key": item.key,
                "rule": item.number,
                "title": item.title,
                "rulebooks": ids,
                "text": cleandoc(item.text),
            }
            for item, ids in (explanation.exact or explanation.listed)
        ]
        typer.echo(dumps({"schema": "referee/explanation/1", "rules": rows}, indent=2, ensure_ascii=False))
        return
    blocks = [f"{_headed(item, ids)}\n\n{_prose(item.text)}" for item, ids in explanation.exact]
    blocks += ["Notes that belong to no rule"] if explanation.exact and explanation.listed else []
    if blocks:
        typer.echo("\n\n".join(blocks))
    once: dict[tuple[str, str], tuple[Any, list[str]]] = {}
    for item, ids in explanation.listed:
        once.setdefault((item.key, item.title), (item, []))[1].extend(ids)
    for item, ids in once.values():
        typer.echo(_headed(item, ids, 24))
    if explanation.by_words:
        typer.echo(f"\nmore: referee explain {explanation.listed[0][0].key}")


def _prose(text: str) -> str:
    """What a docstring says; what goes on in small letters is one line, as long as the window has room for it."""
    return fitted(re.sub(r"\n(?=[a-z`(])", " ", cleandoc(text)))


def _headed(item: Any, ids: list[str], width: int = 0) -> str:
    """Key and title of a rule, and the rulebooks that have it."""
    of = f"  ({', '.join(ids)})" if ids else ""
    return f"{item.key:<{width}} {item.title}{of}" if width else f"{item.key}  {item.title}{of}"
