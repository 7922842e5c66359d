"""Energy forms of a game, from the files of players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.errors import BadInput
from referee.core.naming import folded

if TYPE_CHECKING:
    from referee.cli.game.file import Game
    from referee.cli.inputs import InputBytes
    from referee.cli.judging import Asked
    from referee.core.finding import Finding, Report
    from referee.core.forms import EnergyAllocation, EnergyForm
    from referee.core.game import ShipInGame


def allocation_in(game: Game, file: str, ship: str) -> tuple[ShipInGame, EnergyAllocation]:
    """The ship of the game and the allocation of the current turn in a form's file. Raises BadInput."""
    from referee.cli.inputs import read_input
    from referee.cli.judging import Asked, read_forms
    from referee.cli.settings import Settings
    from referee.formats.eaform import read_json_form

    source = read_input(file)
    asked = Asked(Settings(rulebook=game.rulebook.id))
    forms = (
        (read_json_form(source.data, source.name),) if source.kind == "json" else read_forms(source, asked)
    )
    for form in forms:
        target = _target(game, form, ship)
        unreadable = [problem for problem in form.problems if problem.kind == "unreadable"]
        if unreadable:
            raise BadInput(
                f"{unreadable[0].text!r}: {unreadable[0].reason}",
                file=file,
                place=str(unreadable[0].location),
            )
        for allocation in form.allocations:
            if target is not None and allocation.turn == game.state.turn:
                return target, allocation
    raise BadInput(
        f"has no form of turn {game.state.turn} for a ship of this game",
        file=file,
        hint=f"--ship {' or '.join(game.state.ships)}",
    )


def judge_forms(source: InputBytes, asked: Asked) -> Report:
    """The report on a file of forms as those of ships of a game: by its rules, on the ships as they are in its
    record, and with what was said and done in the turn. Nothing is recorded. Raises BadInput."""
    from dataclasses import replace

    from referee.cli.game.file import open_game
    from referee.core.finding import NotChecked, merge_reports

    game = open_game(asked.game)
    game.must_have_its_rules()
    if game.state.own is not None:
        raise BadInput("has no energy forms", file=asked.game, hint="check the file without --game")
    ship = next((name for name in asked.ships if "=" not in name), "")
    reports, strange = [], []
    for form in _forms_in(game, source, asked):
        target = _target(game, form, ship)
        if target is None:
            told = f"{form.ship or 'a form that names no ship'} is none of this game, or several of it"
            strange.append(NotChecked("B3.0", told, form.ship or ""))
            continue
        _must_be_legible(form)
        reports.append(_in_game(game, target, form))
    if not reports:
        hint = f"--ship {' or '.join(game.state.ships)}"
        raise BadInput("has no form for a ship of this game", file=source.name, hint=hint)
    merged = merge_reports(reports)
    return replace(merged, not_checked=(*merged.not_checked, *strange))


def _forms_in(game: Game, source: InputBytes, asked: Asked) -> tuple[EnergyForm, ...]:
    """The forms of a file, read by the rulebook of a game. Raises BadInput for a file of another kind."""
    from dataclasses import replace

    from referee.cli.judging import read_forms
    from referee.cli.saves import labels_of, map_of, with_map
    from referee.formats.eaform import read_json_form
    from referee.formats.orders import is_orders

    text = source.data.decode("utf-8", "replace") if source.kind == "text" else ""
    if source.kind in ("save", "module") or source.suffix == ".jsonl" or is_orders(text):
        hint = "orders: referee game say or apply, which judge them first"
        raise BadInput("is no energy form: --game is for forms", file=source.name, hint=hint)
    if source.kind == "json":
        return (read_json_form(source.data, source.name),)
    asked = replace(asked, settings=replace(asked.settings, rulebook=game.rulebook.id))
    says = map_of(asked)
    return read_forms(source, asked, labels_of(with_map(asked, says), says))


def _must_be_legible(form: EnergyForm) -> None:
    """Raises BadInput for a cell that cannot be read as energy."""
    unreadable = next((problem for problem in form.problems if problem.kind == "unreadable"), None)
    if unreadable is not None:
        place = str(unreadable.location.within(file=""))
        raise BadInput(f"{unreadable.text!r}: {unreadable.reason}", file=form.place.file, place=place)


def _in_game(game: Game, ship: ShipInGame, form: EnergyForm) -> Report:
    """The report on one ship's form."""
    from dataclasses import replace

    from referee.adjudicator.gameforms import judge_in_game
    from referee.cli.judging import note

    report = judge_in_game(game.rulebook, game.ship_class(ship), ship, form)
    now, found = game.state.turn, list(report.findings)
    for allocation in form.allocations:
        if allocation.turn in ship.forms:
            found += _other_than_filed(ship, allocation)
        elif allocation.turn == now:
            found += _with_what_was_done(game, ship, allocation)
        else:
            told = f"the game is in turn {now}: judged on what is left of {ship.name} now"
            found.append(note("turn", told, ship.name, turn=allocation.turn, location=allocation.place))
    return replace(report, findings=tuple(found))


def _other_than_filed(ship: ShipInGame, allocation: EnergyAllocation) -> list[Finding]:
    """A note where the record holds another form of a turn."""
    from referee.adjudicator.gameforms import form_data
    from referee.cli.judging import note

    if form_data(allocation) == ship.forms[allocation.turn]:
        return []
    told = f"the record holds another form of turn {allocation.turn}, and that one counts"
    return [note("filed", told, ship.name, turn=allocation.turn, location=allocation.place)]


def _with_what_was_done(game: Game, ship: ShipInGame, allocation: EnergyAllocation) -> list[Finding]:
    """What was said and done in the turn that a form would not bear out, were it filed now."""
    from dataclasses import replace

    from referee.adjudicator.gameforms import form_data
    from referee.cli.game.play import ordering_in

    if game.state.sealed(ship.name, allocation.turn, "eaf") is not None:
        return []
    ordering = ordering_in(game, "")
    form = form_data(allocation)
    ordering.add("form", {"ship": ship.name, "turn": allocation.turn, "player": ship.player, "form": form})
    return [replace(finding, location=allocation.place) for finding in ordering.findings]


def _target(game: Game, form: EnergyForm, ship: str) -> ShipInGame | None:
    if ship:
        return game.state.ship(ship)
    said = folded(form.ship or "")
    by_name = [found for name, found in game.state.ships.items() if folded(name) == said]
    by_class = [found for found in game.state.ships.values() if folded(found.state.ship) == said]
    return (by_name or by_class)[0] if len(by_name or by_class) == 1 else None


def judge_turn(game: Game, ship: ShipInGame, allocation: EnergyAllocation) -> list[Finding]:
    """The findings on one turn's allocation, all earlier turns in the record taken with it."""
    from referee.adjudicator.gameforms import judge_turn as judge

    return judge(game.rulebook, game.ship_class(ship), ship, allocation)
