"""`referee rulebook` and `referee explain`: the rules, in our words."""

from __future__ import annotations

from typing import Annotated, Any

import typer


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group = typer.Typer(help="The rule systems there are, and what is in them.", no_args_is_help=True)
    group.command("list")(rulebook_list)
    group.command("show")(rulebook_show)
    app.add_typer(group, name="rulebook")
    app.command("explain")(explain)


def complete_rulebook(incomplete: str) -> list[str]:
    """Rulebook ids for the shell."""
    from referee.rulebooks.registry import rulebook_ids

    return [id for id in rulebook_ids() if id.startswith(incomplete)]


def complete_rule(incomplete: str) -> list[str]:
    """Rule numbers for the shell."""
    from referee.rulebooks.registry import load_rulebook, rulebook_ids

    keys = {key for id in rulebook_ids() for key in load_rulebook(id).rules} | _meanings().keys()
    return sorted(key for key in keys if key.startswith(incomplete))


def rulebook_list(json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False) -> None:
    """List the rulebooks."""
    from json import dumps

    from referee.rulebooks.registry import descriptor_of, installed_rulebooks, rulebook_ids

    books = [descriptor_of(id) for id in (*rulebook_ids(), *sorted(installed_rulebooks()))]
    if json:
        rows = [
            {name: book.get(name, "") for name in ("id", "title", "summary", "differs")} for book in books
        ]
        typer.echo(dumps({"schema": "referee/rulebook-list/1", "rulebooks": rows}, indent=2))
        return
    for book in books:
        typer.echo(f"{book['id']:<14} {book['title']}\n{'':<14} {book.get('summary', '')}")


def rulebook_show(
    id: Annotated[str, typer.Argument(help="A rulebook id.", autocompletion=complete_rulebook)],
    house: Annotated[str, typer.Option(help="With a house-rules file (TOML).")] = "",
    coverage: Annotated[
        bool,
        typer.Option("--coverage", help="Every numbered rule of the book: how it is judged, or why not."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show a rulebook's options and rules, and who put each there; or what it judges of its book."""
    from json import dumps

    from referee.sources.settings import read_settings, rulebook_in_force

    book = rulebook_in_force(id, read_settings(house=house), lenient=True)
    if coverage:
        from referee.cli.coverage import show_coverage

        show_coverage(book, json)
        return
    if json:
        typer.echo(dumps(_book_json(book), indent=2, ensure_ascii=False))
        return
    typer.echo(
        f"{book.id}: {book.title}\n{book.descriptor.get('differs', '')}\n\nOptions (--option name=value)"
    )
    for option in book.options.values():
        value = book.option(option.name) or "not set"
        takes = "a number" if option.values == ("number",) else " | ".join(option.values)
        typer.echo(f"  {option.name:<20} {value:<10} [{option.rule}] {option.means} ({takes})")
    typer.echo("\nRules")
    for rule in book.rules.values():
        origin = f"  ({rule.origin})" if rule.origin != book.id else ""
        typer.echo(f"  {rule.key:<24} {rule.kind:<9} {rule.title}{origin}")


def _book_json(book: Any) -> dict[str, Any]:
    return {
        "schema": "referee/rulebook-in-force/1",
        "id": book.id,
        "title": book.title,
        "options": [
            {
                "name": option.name,
                "value": book.option(option.name),
                "default": option.default,
                "values": list(option.values),
                "rule": option.rule,
                "means": option.means,
            }
            for option in book.options.values()
        ],
        "rules": [
            {
                "key": rule.key,
                "rule": rule.number,
                "title": rule.title,
                "kind": rule.kind,
                "from": rule.origin,
            }
            for rule in book.rules.values()
        ],
    }


def explain(
    rule: Annotated[
        str, typer.Argument(help="A rule number or its beginning.", autocompletion=complete_rule)
    ] = "",
    rulebook: Annotated[str, typer.Option(help="Only of this rulebook.")] = "",
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Explain a rule, or a finding of no rule (NOTE/begun): what it says in our words, examples, how to mend."""
    from inspect import cleandoc
    from json import dumps

    from referee.core.errors import BadInput
    from referee.rulebooks.base import nearest
    from referee.rulebooks.registry import load_rulebook, rulebook_ids

    books = [load_rulebook(id) for id in ([rulebook] if rulebook else rulebook_ids())]
    found = _matching(rule, books)
    named = [] if found else _named_in_the_book(rule, books)
    remarks = [] if rulebook else _remarks(rule)
    found += remarks
    if not found and not named:
        keys = {key for book in books for key in book.rules} | _meanings().keys()
        raise BadInput(f"no rule {rule}", hint=nearest(rule, keys))
    exact = named or [
        item for item in found if rule.casefold() in (item[0].key.casefold(), item[0].number.casefold())
    ]
    if json:
        rows = [
            {
                "key": item.key,
                "rule": item.number,
                "title": item.title,
                "rulebooks": ids,
                "text": cleandoc(item.text),
            }
            for item, ids in (exact or found)
        ]
        typer.echo(dumps({"schema": "referee/explanation/1", "rules": rows}, indent=2, ensure_ascii=False))
        return
    if exact:
        blocks = [f"{_headed(item, ids)}\n\n{cleandoc(item.text)}" for item, ids in exact]
        typer.echo("\n\n".join(blocks))
        if not named or not remarks:
            return
        typer.echo("\nFindings of no rule")
    for item, ids in found:
        typer.echo(_headed(item, ids, 24))


def _headed(item: Any, ids: list[str], width: int = 0) -> str:
    """Key and title of a rule, and the rulebooks that have it."""
    of = f"  ({', '.join(ids)})" if ids else ""
    return f"{item.key:<{width}} {item.title}{of}" if width else f"{item.key}  {item.title}{of}"


def _meanings() -> dict[str, tuple[str, str]]:
    """What keys of no rule mean: of findings on a file, and of the chapters that rulebooks name."""
    from referee.report.remarks import REMARKS
    from referee.rulebooks.registry import load_rulebook, rulebook_ids

    named = (load_rulebook(id).named.chapters for id in rulebook_ids())
    return {key: said for chapters in named for key, said in chapters.items()} | REMARKS


def _remarks(key: str) -> list[tuple[Any, list[str]]]:
    """What findings of no rule mean whose key begins as asked."""
    from types import SimpleNamespace

    from referee.core.finding import rule_number

    wanted = key.casefold()
    return [
        (SimpleNamespace(key=key, number=rule_number(key), title=title, text=text), [])
        for key, (title, text) in _meanings().items()
        if key.casefold().startswith(wanted)
    ]


def _matching(rule: str, books: list[Any]) -> list[tuple[Any, list[str]]]:
    """Rules whose key begins as asked, each with the rulebooks that have it in the same form."""
    found: dict[tuple[str, int], tuple[Any, list[str]]] = {}
    for book in books:
        for item in book.rules.values():
            if item.key.casefold().startswith(rule.casefold()):
                found.setdefault((item.key, id(item.decide)), (item, []))[1].append(book.id)
    return list(found.values())


def _named_in_the_book(name: str, books: list[Any]) -> list[tuple[Any, list[str]]]:
    """The rules that carry what the book gives a name and no number: STACKING, NOTE."""
    from referee.rulebooks.coverage import coverage_of

    keys = {
        carried.rule.key
        for book in books
        for covered in coverage_of(book).numbered
        if name.casefold() in [part.strip().casefold() for part in covered.book.split(",")]
        for carried in covered.rules
    }
    return [found for found in _matching("", books) if found[0].key in keys]
