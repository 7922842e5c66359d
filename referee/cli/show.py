"""`referee show`: what is in a file, for people."""

from __future__ import annotations

import sys
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.options import AsJson, DataFolder, Encoding, Output, StdinName, Targets
from referee.cli.output import chosen_format, json_text, one_format, write_output
from referee.core.errors import BadInput
from referee.core.state import new_state
from referee.sources.default_game import named_or_only
from referee.sources.inputs import read_input

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.sources.asked import Asked
    from referee.sources.inputs import InputBytes

FORMATS = ("full", "json", "svg", "ssd", "html")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("show")(show)


def show(
    what: Annotated[
        str,
        typer.Argument(help="A save, log, module, form, ship, record, combat; the only record here."),
    ] = "",
    module: Annotated[str, typer.Option(help="The VASSAL module, if it does not lie beside.")] = "",
    step: Annotated[int | None, typer.Option(help="A log as it stood after this step.")] = None,
    ship: Annotated[
        list[str] | None, typer.Option(help="The form's ship, if it does not say; in a log NAME=CLASS.")
    ] = None,
    map: Annotated[str, typer.Option(help="A module map: what names in a log mean, or in a picture.")] = "",
    beside: Annotated[
        list[str] | None, typer.Option("--form", help="SHIP=FILE: its energy form, beside an online log.")
    ] = None,
    targets: Targets = None,
    side: Annotated[str, typer.Option("--as", help="A combat or a record as this side knows it.")] = "",
    rulebook: Annotated[str, typer.Option(help="A ship of this rulebook.")] = "",
    data: DataFolder = "",
    encoding: Encoding = "",
    json: AsJson = False,
    svg: Annotated[bool, typer.Option("--svg", help="The ships drawn as on their SSDs.")] = False,
    ssd: Annotated[bool, typer.Option("--ssd", help="The same in the terminal.")] = False,
    html: Annotated[bool, typer.Option("--html", help="A page: the SSDs, and what is in it.")] = False,
    output: Output = "",
    stdin_name: StdinName = "-",
) -> None:
    """Show what is in a save, log, module or energy form, or a ship's data sheet."""
    from referee.judging.ships_shown import is_client_log
    from referee.sources.asked import Asked
    from referee.sources.settings import Settings

    what = named_or_only(what)
    form = chosen_format(one_format("", json=json, svg=svg, ssd=ssd, html=html), output, FORMATS)
    asked = Asked(
        Settings(),
        tuple(ship or ()),
        encoding=encoding or None,
        module=module,
        map=map,
        forms=tuple(beside or ()),
        targets=tuple(targets or ()),
    )
    if form in ("svg", "ssd"):
        if side or data:
            wrong = "--as" if side else "--data"
            raise BadInput(
                f"{wrong} with a picture", hint="ships are drawn as all see them, after one --step"
            )
        write_output(_drawn(what, asked, rulebook, step, stdin_name, form, output), output, [what])
        return
    words = "full" if form == "html" else form
    options = {"--form": beside, "--target": targets, "--map": map}
    if what != "-" and not Path(what).exists():
        if side:
            raise BadInput(f"--as {side} for a ship", hint="--as is for combats")
        _only_for_play(what, options)
        text = ship_sheet(what, words, rulebook, data)
    else:
        source = read_input(what, stdin_name)
        if not is_client_log(source):
            _only_for_play(
                what, options | ({"--map": ""} if form == "html" and source.kind == "save" else {})
            )
        if step is not None:
            text = _step(source, module, encoding, words, step)
        elif source.is_record:
            from referee.cli.game_status import status_said
            from referee.play.game_file import game_in

            text = status_said(game_in(source), side, words)
        else:
            own = _own(source, side, rulebook, data, words)
            text = own or _file(source, asked, words)
    if form == "html":
        from referee.judging.ships_shown import ships_beside
        from referee.report.showhtml import show_html

        open_ = what != "-" and not side
        title = Path(what).name if Path(what).exists() else what
        text = show_html(title, text, ships_beside(what, asked, rulebook, step) if open_ else ())
    write_output(text, output, [what])


def _only_for_play(name: str, options: Mapping[str, object]) -> None:
    """Raises BadInput for what is said of a log of the online client, and this is none."""
    if wrong := next((option for option, given in options.items() if given), ""):
        raise BadInput(f"{wrong} without such a log", file=name, hint="it is for logs of the online client")


def _drawn(
    what: str, asked: Asked, rulebook: str, step: int | None, stdin_name: str, form: str, output: str
) -> str:
    """The SSDs of the ships in a file, or of a class, as a picture or as text."""
    from referee.judging.ships_shown import ships_shown

    shown = ships_shown(what, asked, rulebook, step, stdin_name)
    if form == "svg":
        from referee.report.ssdsvg import SsdMarks, ssd_svg

        return ssd_svg([(found, state, name, SsdMarks()) for found, state, name in shown])

    from referee.report.paint import Paint, paint_for
    from referee.report.ssdtext import ssd_text

    return ssd_text(shown, Paint(False) if output else paint_for(sys.stdout, ""))


def _own(source: InputBytes, side: str, rulebook: str, data: str, form: str) -> str:
    """A file that one rulebook alone has, or a report with a reading for people; empty for any other."""
    from referee.cli.rulebook_verbs import show_own
    from referee.report.documents import as_text, has_text
    from referee.rulebooks.registry import own_documents
    from referee.sources.own_documents import own_document_of, schema_of
    from referee.sources.settings import read_settings

    schema = schema_of(source)
    if schema in own_documents():
        document = show_own(source, schema, side, read_settings(rulebook), data)
    elif side:
        raise BadInput("has no sides", file=source.name, hint="--as is for combats")
    elif has_text(schema):
        document = own_document_of(source)
    else:
        return ""
    return json_text(document) if form == "json" else as_text(document)


def ship_sheet(name: str, form: str, rulebook: str = "", data: str = "") -> str:
    """The data sheet of a ship that is named, or its JSON. Raises BadInput where it is none or several."""
    from referee.report.shiptext import ship_card
    from referee.rulebooks.registry import read_ship_json
    from referee.sources.own_documents import own_sheet
    from referee.sources.ship_files import find_ship

    if own := own_sheet(name, rulebook, data):
        from referee.report.documents import as_text

        return json_text(own) if form == "json" else as_text(own)
    try:
        found = find_ship(name, rulebook)
    except BadInput as error:
        raise BadInput(f"no such file, and {error.reason}", file=name, hint=error.hint) from None
    if form == "json":
        return json_text(read_ship_json(found.id))
    return ship_card(found, new_state(found)) + "\n"


def _file(source: InputBytes, asked: Asked, form: str) -> str:
    if source.kind in ("save", "module"):
        from referee.cli.vassal import dumped
        from referee.report.savetext import module_text, save_text

        data = dumped(source, asked.module, asked.encoding, beside=True)
        if form == "json":
            return dumps({"schema": "referee/vassal-dump/1", **data}, indent=2) + "\n"
        return module_text(data) if data["kind"] == "module" else save_text(data)
    if source.kind == "json" and _is_ship(source):
        from referee.report.shiptext import ship_card
        from referee.sources.ship_files import read_ship

        found = read_ship(source)
        return source.data.decode() if form == "json" else ship_card(found, new_state(found)) + "\n"
    return _play(source, asked, form) or _forms(source, asked, form)


def _play(source: InputBytes, asked: Asked, form: str) -> str:
    """What is in a log of the online client, where the ships of an orders file stand; nothing for any other file."""
    from referee.formats.orderfiles import is_orders
    from referee.judging.ships_shown import is_client_log

    play = is_client_log(source)
    if source.kind != "text" or not (play or is_orders(source.data)):
        return ""
    if play:
        from referee.report.playtext import play_text
        from referee.sources.sfbol_contents import contents

        found = contents(source, asked)
        return json_text(found) if form == "json" else play_text(found)
    from referee.judging.played_games import played_game
    from referee.report.positiontext import position_text

    if form == "json":
        raise BadInput("orders are shown in words", file=source.name, hint="referee check --json judges them")
    return position_text(played_game(source, asked))


def _step(source: InputBytes, module: str, encoding: str, form: str, step: int) -> str:
    """A log after one step. Raises BadInput for what is no log."""
    from referee.cli.vassal import dumped
    from referee.report.savetext import save_text

    if source.kind != "save":
        raise BadInput("has no steps", file=source.name, hint="--step is for VASSAL logs")
    data = dumped(source, module, encoding or None, step, beside=True)
    if form == "json":
        return dumps({"schema": "referee/vassal-dump/1", **data}, indent=2) + "\n"
    return save_text(data)


def _is_ship(source: InputBytes) -> bool:
    from referee.formats.strictjson import load_json

    data = load_json(source.data, source.name)
    return isinstance(data, dict) and str(data.get("schema", "")).startswith("referee/ship/")


def _forms(source: InputBytes, asked: Asked, form: str) -> str:
    from referee.report.formtext import form_json, form_text
    from referee.sources.forms import form_rulebook, read_forms

    forms, lines = read_forms(source, asked), form_rulebook(asked).lines
    if form == "json":
        documents = [form_json(item, lines) for item in forms]
        return json_text(documents[0] if len(documents) == 1 else documents)
    return "\n".join(form_text(item, lines) for item in forms)
