"""`check FORM --game RECORD`: forms judged on the ships of a record, and nothing recorded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from referee.adjudicator.record_forms import not_to_be_filed
from referee.core.account import TRIED
from referee.core.errors import BadInput
from referee.core.finding import NotChecked, merge_reports
from referee.formats.orderfiles import is_orders
from referee.play.forms import on_form, ship_meant
from referee.play.game_file import open_game
from referee.play.moving_on import ordering_in
from referee.sources.asked import note
from referee.sources.forms import must_be_readable, read_forms
from referee.sources.saves import labels_of, map_of, with_map

if TYPE_CHECKING:
    from referee.core.finding import Finding, Report
    from referee.core.forms import EnergyAllocation, EnergyForm
    from referee.core.game import ShipInGame
    from referee.play.game_file import Game
    from referee.sources.asked import Asked
    from referee.sources.inputs import InputBytes


def judge_forms(source: InputBytes, asked: Asked) -> Report:
    """The report on a file of forms as those of ships of a game: by its rules, on the ships as they are in its
    record, and with what was said and done in the turn. Nothing is recorded. Raises BadInput."""
    game = open_game(asked.game)
    game.must_have_its_rules()
    if game.state.own is not None:
        raise BadInput("has no energy forms", file=asked.game, hint="check the file without --game")
    ship = next((name for name in asked.ships if "=" not in name), "")
    reports, strange = [], []
    for form in _forms_in(game, source, asked):
        target = ship_meant(game, form, ship)
        if target is None:
            reason = f"{form.ship or 'a form that names no ship'} is none of this game, or several of it"
            strange.append(NotChecked(game.rulebook.named.energy, reason, form.ship or ""))
            continue
        must_be_readable(form)
        reports.append(_in_game(game, target, form))
    if not reports:
        hint = f"--ship {' or '.join(game.state.ships)}"
        raise BadInput("has no form for a ship of this game", file=source.name, hint=hint)
    merged = merge_reports(reports)
    return replace(merged, not_checked=(*merged.not_checked, *strange))


def _forms_in(game: Game, source: InputBytes, asked: Asked) -> tuple[EnergyForm, ...]:
    """The forms of a file, read by the rulebook of a game. Raises BadInput for a file of another kind."""
    text = source.data.decode("utf-8", "replace") if source.kind == "text" else ""
    if source.kind in ("save", "module") or source.is_record or is_orders(text):
        hint = "orders: referee game say or apply, which judge them first"
        raise BadInput("is no energy form: --game is for forms", file=source.name, hint=hint)
    asked = replace(asked, settings=replace(asked.settings, rulebook=game.rulebook.id))
    if source.kind == "json":
        return read_forms(source, asked)
    module_map = map_of(asked)
    return read_forms(source, asked, labels_of(with_map(asked, module_map), module_map))


def _in_game(game: Game, ship: ShipInGame, form: EnergyForm) -> Report:
    """The report on one ship's form."""
    now = game.state.turn
    report = on_form(game.rulebook, ship, TRIED, form.place.file, form=form, now=now)
    found = list(report.findings)
    for allocation in form.allocations:
        if allocation.turn in ship.forms:
            found += _other_than_filed(ship, allocation)
        elif allocation.turn == now:
            found += _with_what_was_done(game, ship, allocation)
        else:
            message = f"the game is in turn {now}: judged on what is left of {ship.name} now"
            found.append(note("turn", message, ship.name, turn=allocation.turn, location=allocation.place))
    return replace(report, findings=tuple(found))


def _other_than_filed(ship: ShipInGame, allocation: EnergyAllocation) -> list[Finding]:
    """A note where the record holds another form of a turn."""
    if allocation.fields == ship.forms[allocation.turn]:
        return []
    message = f"the record holds another form of turn {allocation.turn}, and that one counts"
    return [note("filed", message, ship.name, turn=allocation.turn, location=allocation.place)]


def _with_what_was_done(game: Game, ship: ShipInGame, allocation: EnergyAllocation) -> list[Finding]:
    """What was said and done in the turn that a form would not bear out, were it filed now."""
    if game.state.sealed(ship.name, allocation.turn, "eaf") is not None:
        return []
    if not_to_be_filed(game.rulebook.lines, game.ship_class(ship), allocation):
        return []  # what is not known is told already
    ordering = ordering_in(game, "")
    form = allocation.fields
    ordering.add("form", {"ship": ship.name, "turn": allocation.turn, "player": ship.player, "form": form})
    return [replace(finding, location=allocation.place) for finding in ordering.findings]
