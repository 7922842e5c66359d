"""From a file to the report on it: reads, finds the ship and the rulebook, has the adjudicator judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from referee.cli.inputs import InputBytes
from referee.cli.settings import Settings, rulebook_in_force
from referee.core.errors import BadInput
from referee.core.finding import Finding, InputFile, Report, Severity, merge_reports
from referee.core.forms import EnergyForm, FormLabels
from referee.core.frozen import frozen
from referee.core.ship import ShipClass

if TYPE_CHECKING:
    from referee.cli.game.file import Game
    from referee.core.orders import OrdersFile
    from referee.formats.sheets.labels import LabelIndex


@frozen
class Asked:
    """What the player said about the files: their ships, states, encoding, module, module map and folder of
    own data, the turn and impulse a log starts in; and whether the report names them by their hashes, as only
    programs want."""

    settings: Settings
    ships: tuple[str, ...] = ()
    state: str = ""
    encoding: str | None = None
    module: str = ""
    digests: bool = True
    map: str = ""
    data: str = ""
    start: tuple[int, int | None] | None = None
    side: str = ""


def judge_file(source: InputBytes, asked: Asked) -> Report:
    """The report on one file. Raises BadInput for what cannot be read or judged."""
    if asked.state and source.kind != "workbook" and source.kind not in ("json", "text"):
        raise BadInput("shows its ships' states itself", file=source.name, hint="--state is for forms")
    if asked.start and source.kind != "save":
        raise BadInput("has no start to be told", file=source.name, hint="--start is for VASSAL logs")
    if asked.side and source.suffix != ".jsonl":
        raise BadInput("is no record", file=source.name, hint="check --as is for records with secrets")
    if source.kind == "save":
        from referee.cli.saves import judge_save

        report = judge_save(source, asked)
    elif source.kind == "module":
        raise BadInput(
            "is a module: there is nothing in it to judge", file=source.name, hint="use referee show"
        )
    elif source.kind == "json" and source.suffix == ".jsonl":
        report = _judge_record(source, asked.side)
    elif source.kind == "json":
        report = _judge_json(source, asked)
    elif source.kind == "text" and (orders := _orders(source)) is not None:
        report = _judge_orders(orders, asked)
    else:
        report = merge_reports([judge_form(form, asked) for form in read_forms(source, asked)])
        report = replace(report, findings=(*report.findings, *_saved_formulas(source)))
    return replace(report, inputs=(InputFile(source.name, source.sha256 if asked.digests else ""),))


def _judge_json(source: InputBytes, asked: Asked) -> Report:
    from referee.formats.strictjson import load_json
    from referee.rulebooks.registry import own_documents

    data = load_json(source.data, source.name)
    kind = str(data.get("schema", "")) if isinstance(data, dict) else ""
    if kind.startswith("referee/ship/"):
        from referee.cli.shipfiles import judge_ship

        return judge_ship(source, asked.settings)
    if kind in own_documents():
        from referee.cli.ownway import judge_own

        return judge_own(source, kind, asked.settings, asked.data)
    if kind.startswith("referee/") and not kind.startswith("referee/energy-allocation/"):
        raise BadInput(f"is {kind}: there is nothing in it to judge", file=source.name, place="/schema")
    from referee.formats.eaform import read_json_form

    return judge_form(read_json_form(source.data, source.name), asked)


def _judge_record(source: InputBytes, side: str = "") -> Report:
    """A game record: verified, its dice and volleys worked out again, its play judged; its fouls as findings.
    Of one with secrets a side is told what is found of its own."""
    from referee.cli.game.audit import wrong_on
    from referee.cli.game.file import held, open_game
    from referee.cli.game.own import own_report
    from referee.cli.game.play import table_of
    from referee.core.errors import IntegrityFailure

    game = open_game(source.name)
    if game.state.own is not None:
        held(source.name, game.entries)
        report = own_report(game, _fouls(game, source.name))
        return _as_told(game, report, side) if side else report
    if side:
        hint = "leave --as out"
        raise BadInput("nothing in it is told to one side only", file=source.name, hint=hint)
    table = table_of(game)
    for line, reason in wrong_on(table, game):
        raise IntegrityFailure(reason, file=source.name, place=f"line {line}")
    report = table.report()
    # What is an error has its foul; the rest is said as it was found.
    said = tuple(finding for finding in report.findings if finding.severity is not Severity.ERROR)
    checked = dict.fromkeys((*report.checked, "B2.0", *_form_rules(game)))
    return replace(report, findings=(*_fouls(game, source.name), *said), checked=tuple(checked))


def _as_told(game: Game, report: Report, side: str) -> Report:
    """What of a report on a record is about a side or its ships. Raises BadInput for a side there is not."""
    own = game.state.own
    assert own is not None
    about = {side, *own.document(side)["state"]["vessels"]}
    return replace(report, findings=tuple(found for found in report.findings if found.subject in about))


def _fouls(game: Game, file: str) -> tuple[Finding, ...]:
    """The fouls of a record as findings."""
    from referee.core.location import Location

    return tuple(
        Finding(
            key=foul.rule or "NOTE",
            severity=Severity.ERROR,
            message=foul.reason,
            subject=foul.subject or foul.player,
            turn=foul.turn,
            impulse=foul.impulse,
            location=Location(file=file, record_line=foul.seq + 1),
            fix="a foul stands until the umpire rules on it",
        )
        for foul in game.state.fouls
    )


def _form_rules(game: Any) -> Iterator[str]:
    """The rules on energy, where the record holds a form."""
    if any(ship.forms for ship in game.state.ships.values()):
        yield from (rule.key for rule in game.rulebook.rules_on("allocation", "check"))


def _orders(source: InputBytes) -> OrdersFile | None:
    """The orders in a text file; None for a file of another kind."""
    from referee.formats.orders import is_orders, read_orders
    from referee.rulebooks.registry import load_ship

    text = source.data.decode("utf-8", "replace")
    return read_orders(source.data, source.name, load_ship) if is_orders(text) else None


def _judge_orders(orders: OrdersFile, asked: Asked) -> Report:
    from referee.adjudicator.orderfire import judge_orders
    from referee.rulebooks.registry import load_ship

    id = asked.settings.rulebook or orders.rulebook
    if not id:
        raise BadInput("the orders do not say by which rulebook", hint="rulebook sfb-cadet, or --rulebook")
    book = rulebook_in_force(id, asked.settings, lenient=True)
    return judge_orders(book, orders, load_ship)


def form_labels(rulebook: Any) -> FormLabels:
    """How a rulebook's form rows may be labelled. Raises BadInput for one without energy forms."""
    if "open turn" not in rulebook.procedures:
        raise BadInput(f"{rulebook.id} has no energy forms", hint="leave --rulebook out")
    table = rulebook.table("form_labels")
    return FormLabels(
        lines={line: tuple(spellings) for line, spellings in table["lines"].items()},
        weapons={weapon: tuple(spellings) for weapon, spellings in table["weapons"].items()},
        shields=tuple(table["shields"]),
        ship=tuple(table["ship"]),
        turn=tuple(table["turn"]),
        ignored=tuple(table["ignored"]),
        blanks=tuple(table["blanks"]),
    )


def read_forms(source: InputBytes, asked: Asked) -> tuple[EnergyForm, ...]:
    """The forms of a CSV file or a workbook, each sheet one ship's."""
    from referee.formats.eaform import read_forms as forms_of
    from referee.formats.sheets import read_sheets

    return forms_of(read_sheets(source.data, source.name, source.suffix), label_index(asked))


def _saved_formulas(source: InputBytes) -> Iterator[Finding]:
    """Notes on figures that are the saved values of a workbook's formulas: they are used as saved."""
    if source.kind != "workbook":
        return
    from referee.formats.sheets import WorkbookSheet, read_sheets

    for sheet in read_sheets(source.data, source.name, source.suffix):
        if isinstance(sheet, WorkbookSheet) and sheet.formulas:
            yield note(
                "formulas",
                f"{len(sheet.formulas)} cells are formulas; their saved values are judged",
                "",
                location=sheet.at(*min(sheet.formulas)),
            )


def label_index(asked: Asked) -> LabelIndex:
    """The row labels of the rulebook asked for, or of those SFB rulebooks share, ready for reading."""
    return _label_index(asked.settings.rulebook or "sfb")


@lru_cache(maxsize=8)
def _label_index(rulebook: str) -> LabelIndex:
    from referee.formats.sheets.labels import LabelIndex
    from referee.rulebooks.registry import load_rulebook

    return LabelIndex(form_labels(load_rulebook(rulebook)))


def judge_form(form: EnergyForm, asked: Asked) -> Report:
    """A form that stands by itself: its ship named on it or by `--ship`."""
    from referee.adjudicator.check import check_form

    unreadable = [problem for problem in form.problems if problem.kind == "unreadable"]
    if unreadable:
        first, more = unreadable[0], len(unreadable) - 1
        place = first.location.cell or first.location.pointer or ""
        also = f" (and {more} more cells)" if more else ""
        raise BadInput(
            f"{first.text!r}: {first.reason}{also}",
            file=form.place.file,
            place=f"{form.place.sheet}:{place}" if form.place.sheet else place,
            hint="write energy as 3, 2.5, 2 1/2, 2½ or 5/2",
        )
    ship = ship_of_form(form, asked)
    book = rulebook_in_force(asked.settings.rulebook or ship.rulebook, asked.settings, lenient=True)
    known = None
    if asked.state:
        from referee.cli.states import known_from_state

        known = known_from_state(asked.state, ship, book)
    return check_form(book, ship, form, known=known)


def ship_of_form(form: EnergyForm, asked: Asked) -> ShipClass:
    """The ship class of a form. Raises BadInput where neither the form nor the player says."""
    from referee.cli.shipfiles import known_ship, ship_asked_for

    named = [name for name in asked.ships if "=" not in name]
    if named:
        return ship_asked_for(named[0], asked.settings.rulebook)
    if not form.ship:
        raise BadInput(
            "the form does not say which ship it is for",
            file=form.place.file,
            hint="add a Ship row, or name it with --ship cadet/federation-ca",
        )
    return known_ship(form.ship, asked.settings.rulebook, file=form.place.file)


def select_findings(report: Report, select: Iterable[str], ignore: Iterable[str]) -> Report:
    """The report with only findings of some rules, or without those of others, by prefix of the key."""
    wanted, unwanted = tuple(select), tuple(ignore)

    def kept(key: str) -> bool:
        return (not wanted or key.startswith(wanted)) and not (unwanted and key.startswith(unwanted))

    return replace(
        report,
        findings=tuple(finding for finding in report.findings if kept(finding.key)),
        checked=tuple(key for key in report.checked if kept(key)),
        not_checked=tuple(item for item in report.not_checked if kept(item.key)),
    )


def note(key: str, message: str, subject: str, **parts: Any) -> Finding:
    """A note of the reader's own, not of a rule."""
    return Finding(key=f"NOTE/{key}", severity=Severity.NOTE, message=message, subject=subject, **parts)
