"""From any file to the report on it: whoever can judge its kind is asked to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.core.account import STANDING
from referee.core.errors import BadInput, IntegrityFailure, NothingToJudge
from referee.core.finding import (
    NOTHING_JUDGED,
    NOTHING_KNOWN,
    Finding,
    InputFile,
    NotChecked,
    Report,
    Severity,
    merge_reports,
    unless_nothing_judged,
)
from referee.core.location import Location
from referee.core.naming import how_many
from referee.judging.forms import judge_form
from referee.rulebooks.registry import load_ship, own_documents
from referee.sources.asked import Asked, note
from referee.sources.forms import label_index, read_forms
from referee.sources.inputs import READ, InputBytes
from referee.sources.settings import rulebook_in_force

if TYPE_CHECKING:
    from referee.adjudicator.table import GameTable
    from referee.core.orders import OrdersFile
    from referee.formats.sheets.labels import LabelIndex
    from referee.logs.standing import Standing
    from referee.play.game_file import Game


def must_be_asked_of(source: InputBytes, asked: Asked) -> None:
    """Raises BadInput for an option that is not for files of this kind."""
    if asked.state and source.kind != "workbook" and source.kind not in ("json", "text"):
        raise BadInput("shows its ships' states itself", file=source.name, hint="--state is for forms")
    if asked.start and source.kind != "save":
        raise BadInput("needs no start position", file=source.name, hint="--start is for VASSAL logs")
    if asked.side and not source.is_record:
        raise BadInput("is no record", file=source.name, hint="check --as is for records with secrets")
    if (asked.forms or asked.targets) and not (source.kind == "text" and _is_play(source)):
        option = "--form SHIP=FILE" if asked.forms else "--target SEEKER=SHIP"
        beside = "with no form beside it" if asked.forms else "by what it tells itself"
        hint = f"{option} is for logs of the online client"
        raise BadInput(f"is judged {beside}", file=source.name, hint=hint)


def judge_file(source: InputBytes, asked: Asked, standing: Standing | None = None) -> Report:
    """The report on one file. Of a VASSAL log that goes on, what is `standing` since it was judged last is not worked
    out again. Raises BadInput for what cannot be read or judged."""
    must_be_asked_of(source, asked)
    if asked.game:
        from referee.play.form_check import judge_forms

        report = judge_forms(source, asked)
    elif source.kind == "save":
        from referee.judging.saves import judge_save

        report = judge_save(source, asked, standing)
    elif source.kind == "module":
        raise NothingToJudge(
            "is a module: there is nothing in it to judge", file=source.name, hint="use referee show"
        )
    elif source.suffix == ".toml" or (source.suffix == ".md" and source.what == "a page of text"):
        houses = f"house rules are named beside a form: referee check FORM --house {source.name}"
        takes = houses if source.suffix == ".toml" else READ
        raise NothingToJudge(f"is {source.what}: nothing in it is judged", file=source.name, hint=takes)
    elif source.kind == "json" and source.is_record:
        report = _judge_record(source, asked.side)
    elif source.kind == "json":
        report = _judge_json(source, asked)
    elif source.kind == "text" and _is_play(source):
        from referee.judging.sfbol import judge_play

        report = judge_play(source, asked)
    elif source.kind == "text" and (orders := _orders(source)) is not None:
        report = _judge_orders(orders, asked)
    else:
        labels = None
        if asked.map:
            from referee.sources.saves import labels_of, map_of, with_map

            module_map = map_of(asked)
            asked = with_map(asked, module_map)
            labels = labels_of(asked, module_map)
        forms = read_forms(source, asked, labels)
        report = merge_reports([judge_form(form, asked) for form in forms])
        report = replace(
            report, findings=(*report.findings, *_saved_formulas(source, labels or label_index(asked)))
        )
    return reported(report, source, asked)


def reported(report: Report, source: InputBytes, asked: Asked) -> Report:
    """The report on a file as it is given out: undecided where nothing could be judged, with the file named."""
    if not report.checked:
        why = "no turn of an energy form in it is filled in" if report.ships else NOTHING_KNOWN
        report = unless_nothing_judged(report, why, Location(source.name))
    findings = (
        found if found.location.file else replace(found, location=found.location.within(file=source.name))
        for found in report.findings
    )
    return replace(
        report,
        findings=tuple(findings),
        ledgers=tuple(replace(ledger, file=source.name) for ledger in report.ledgers),
        inputs=(InputFile(source.name, source.sha256 if asked.digests else ""),),
    )


_PLAY = ("form", "order", "events", "reveal", "declare", "result", "taken")
"""The entries of a record that are play."""


def _judge_json(source: InputBytes, asked: Asked) -> Report:
    from referee.formats.strictjson import load_json

    try:
        data = load_json(source.data, source.name)
    except BadInput as error:
        if error.reason.startswith("is not JSON"):
            error.hint = READ
        raise
    kind = str(data.get("schema", "")) if isinstance(data, dict) else ""
    if kind.startswith("referee/ship/"):
        from referee.judging.ships import judge_ship

        return judge_ship(source, asked.settings)
    if kind in own_documents():
        from referee.judging.own_documents import judge_own

        return judge_own(source, kind, asked.settings, asked.data)
    if kind.startswith("referee/") and not kind.startswith("referee/energy-allocation/"):
        raise NothingToJudge(f"is {kind}: there is nothing in it to judge", file=source.name, place="/schema")
    if command := _helps(data):
        hint = f"referee {command} takes it"
        raise NothingToJudge(
            "stands beside another file: nothing in it is judged", file=source.name, hint=hint
        )
    if not isinstance(data, dict):
        raise NothingToJudge(f"is {source.what}: nothing in it is judged", file=source.name, hint=READ)
    return judge_form(read_forms(source, asked)[0], asked)


def _helps(data: object) -> str:
    """The command that takes JSON which names no schema: choices of boxes, hit by hit, or fire declared."""
    if isinstance(data, dict) and data and all(hit.isdecimal() for hit in data):
        return "volley --choose"
    declared = (
        isinstance(data, list) and data and all(isinstance(item, dict) and "weapons" in item for item in data)
    )
    return "fire --declarations" if declared else ""


def _judge_record(source: InputBytes, side: str = "") -> Report:
    """A game record: verified, its dice and volleys worked out again, its play judged; its fouls as findings.
    Of one with secrets a side is told what is found of its own."""
    from referee.judging.thrown_again import (
        thrown_again,  # Only a record tells what its dice were thrown for.
    )
    from referee.play.audit import held, judged, proved
    from referee.play.game_file import game_in
    from referee.play.self_kept_table import own_report

    game = game_in(source)
    if game.state.own is not None:
        held(source.name, game.entries)
        proved(source.name, game.entries)
        report = _if_played(game, own_report(game, _fouls(game, source.name)), source.name)
        return _as_told(game, report, side) if side else report
    if side:
        hint = "leave --as out"
        raise BadInput("nothing in it is secret to one side", file=source.name, hint=hint)
    table, wrong = judged(game)
    for line, reason in wrong:
        raise IntegrityFailure(reason, file=source.name, place=f"line {line}")
    proved(source.name, game.entries)
    report = table.report()
    on_forms = _on_forms(game)
    fouls = [
        found
        for found in _as_all_shown(_fouls(game, source.name), on_forms)
        if not _waited_in_vain(found, table)
    ]
    named = table.rulebook.named
    fouled = {(foul.rule, foul.subject, foul.turn, foul.impulse) for foul in fouls}
    # What is an error has its foul, but in records older than the rule; the rest is said as it was found.
    others = tuple(
        found
        for found in report.findings
        if found.severity is not Severity.ERROR
        or (
            found.rule in named.later and (found.rule, found.subject, found.turn, found.impulse) not in fouled
        )
    )
    others += tuple(found for found in on_forms.findings if found.severity is not Severity.ERROR)
    others += tuple(thrown_again(game, source.name))
    checked = dict.fromkeys((*report.checked, named.sequence, *on_forms.checked))
    not_checked = (*report.not_checked, *on_forms.not_checked)
    report = replace(report, findings=(*fouls, *others), checked=tuple(checked), ledgers=on_forms.ledgers)
    report = replace(report, not_checked=tuple(dict.fromkeys(not_checked)))
    return _if_played(game, report, source.name)


def _waited_in_vain(foul: Finding, table: GameTable) -> bool:
    """Is it the foul of a ship that moved before another, which then did not move at all in that impulse? The
    other's is the fault (C1.4)."""
    about = foul.key, foul.subject, foul.turn, foul.impulse
    found = {(finding.key, finding.subject, finding.turn, finding.impulse) for _, finding in table.found}
    return foul.key == table.rulebook.named.order_of_movement and about not in found


def _if_played(game: Game, report: Report, file: str) -> Report:
    """The report on a record; where nothing is played in it, that nothing could be judged."""
    if any(entry.type in _PLAY for entry in game.entries):
        return report
    why = "no form is filed, no order given and no die thrown in it"
    return unless_nothing_judged(replace(report, checked=()), why, Location(file))


def _on_forms(game: Game) -> Report:
    """The report of the rules on energy on all shown forms of a record, each finding at the line that filed or showed
    its form."""
    from referee.adjudicator.standing import has_forms
    from referee.play.forms import on_form

    seals = {seal.hash: seal for seal in game.state.seals if seal.kind == "eaf"}
    lines: dict[tuple[str, int | None], int] = {}
    for entry in game.entries:
        if entry.type == "form":
            lines[entry.data["ship"], entry.data["turn"]] = entry.seq + 1
        elif entry.type == "reveal" and (seal := seals.get(entry.data["seal"])) is not None:
            lines[seal.ship, seal.turn] = entry.seq + 1
    ships = [ship for ship in game.state.ships.values() if ship.forms]
    report = merge_reports([on_form(game.rulebook, ship, STANDING, game.path) for ship in ships])
    if not ships and has_forms(game.state):
        none = NotChecked(game.rulebook.named.energy, "no energy form is filed or shown in it")
        report = replace(report, not_checked=(none,))
    found = (
        replace(each, location=each.location.within(record_line=lines.get((each.subject, each.turn))))
        for each in report.findings
    )
    return replace(report, findings=tuple(found))


def _as_all_shown(fouls: tuple[Finding, ...], on_forms: Report) -> Iterator[Finding]:
    """The fouls of a record, those of energy forms as all forms shown make them: whichever was shown first, each
    is named once, and none that a form shown later explains."""
    rules = set(on_forms.checked)
    now: dict[tuple[str, str, int | None], list[Finding]] = {}
    for finding in on_forms.findings:
        if finding.severity is Severity.ERROR:
            now.setdefault((finding.key, finding.subject, finding.turn), []).append(finding)
    for foul in fouls:
        if foul.key not in rules:
            yield foul
        for finding in now.pop((foul.key, foul.subject, foul.turn), ()):
            yield replace(finding, location=foul.location, fix=foul.fix)


def _as_told(game: Game, report: Report, side: str) -> Report:
    """What of a report on a record is about a side or its ships. Raises BadInput for a side there is not."""
    own = game.state.own
    assert own is not None
    about = {side, *own.document(side)["state"]["vessels"]}
    findings = (found for found in report.findings if found.subject in about or found.key == NOTHING_JUDGED)
    own_ships = tuple(ship for ship in report.ships if ship["name"] in about)
    return replace(report, findings=tuple(findings), ships=own_ships)


def _fouls(game: Game, file: str) -> tuple[Finding, ...]:
    """The fouls of a record as findings."""
    return tuple(
        Finding(
            key=foul.key or "NOTE",
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


def _is_play(source: InputBytes) -> bool:
    from referee.formats.orderfiles import is_play

    return is_play(source.data)


def _orders(source: InputBytes) -> OrdersFile | None:
    """The orders in a text file; None for a file of another kind."""
    from referee.formats.orderfiles import is_orders

    if not is_orders(source.data):
        return None
    from referee.formats.orders import read_orders

    return read_orders(source.data, source.name, load_ship)


def _judge_orders(orders: OrdersFile, asked: Asked) -> Report:
    from referee.core.orders import ImpulseBegins, TurnBegins
    from referee.formats.orderfiles import no_ship
    from referee.judging.orders import judge_orders

    if not orders.rulebook and not orders.ships:
        raise no_ship(orders.location.file)
    id = asked.settings.rulebook or orders.rulebook
    if not id:
        raise BadInput("the orders name no rulebook", hint="rulebook sfb-cadet, or --rulebook")
    rulebook = rulebook_in_force(id, asked.settings, lenient=True)
    report = judge_orders(rulebook, orders, load_ship)
    if any(not isinstance(order, TurnBegins | ImpulseBegins) for order in orders.orders):
        return report
    why = "there is no order in it"
    fix = f'write them below "turn 1": "{orders.ships[0].ship}: speed 12"' if orders.ships else ""
    fix += f"; referee game new --from {orders.location.file} begins a game with its ships" if fix else ""
    return unless_nothing_judged(replace(report, checked=()), why, orders.location, fix)


def _saved_formulas(source: InputBytes, labels: LabelIndex) -> Iterator[Finding]:
    """Notes on figures that are the saved values of a workbook's formulas: they are used as saved. The totals of a form
    that this program wrote need none."""
    if source.kind != "workbook":
        return
    from referee.formats.sheets import WorkbookSheet, read_sheets
    from referee.formats.sheets.ownform import is_own_workbook, players_formulas

    own = is_own_workbook(source.data, source.name)
    for sheet in read_sheets(source.data, source.name, source.suffix):
        if not isinstance(sheet, WorkbookSheet):
            continue
        if cells := players_formulas(sheet, labels) if own else sheet.formulas:
            yield note(
                "formulas",
                f"{how_many(len(cells), 'cell is a formula', 'cells are formulas')}; saved values are judged",
                "",
                location=sheet.at(*min(cells)),
            )
