"""A VASSAL log judged as a game: what the modules beside find in its forms and in what was done, as one report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.adjudicator.repairs import Unpaid
from referee.core.finding import Finding, NotChecked, Report, merge_reports, unless_nothing_judged
from referee.core.frozen import frozen
from referee.core.location import Location
from referee.core.orders import Fire, Launch
from referee.formats.modulemap import ModuleMap
from referee.formats.vassal.game import Save
from referee.formats.vassal.spoken import reads_as_order
from referee.logs.dice import on_dice, taken_back
from referee.logs.forms import ShipForm, forms_played, ship_forms, turns_played
from referee.logs.moves import judge_moves, judge_ordered, moves_seen, placed_for_fire
from referee.logs.owners import Owners, drags_by_others, hands_not_told
from referee.logs.played import PlayedLog, played
from referee.logs.reading import LogRead, pieces_not_understood, read_game
from referee.logs.steps import judge_in_steps
from referee.logs.summary import by_ship_and_turn, game_logged
from referee.sources.asked import Asked
from referee.sources.saves import which_ship

if TYPE_CHECKING:
    from referee.logs.standing import Standing


@frozen
class GameInLog:
    """The game of a log: what is read of it, its ships with their energy, and what was done with them."""

    read: LogRead
    forms: list[ShipForm]
    played: PlayedLog
    standing: Standing | None = None


def judge_log(
    save: Save, asked: Asked, module_map: ModuleMap | None = None, standing: Standing | None = None
) -> Report:
    """The report on a whole log; a map says what the module's names mean. Of a log that goes on, what is `standing`
    since it was judged last is not worked out again."""
    return judge_game(game_of(read_game(save, asked, module_map), standing))


def judge_game(game: GameInLog) -> Report:
    """The report on the game of a log."""
    report = _judge(game)
    if game.read.judged and not report.checked:
        why = "its ships have no energy form that is filled in, and none is seen to move or fire"
        return unless_nothing_judged(report, why, Location(game.read.save.file))
    return report


def game_of(read: LogRead, standing: Standing | None = None, *, for_record: bool = False) -> GameInLog:
    """The game of a log that was read. What was taken off a display for nothing is lost to forms and fire after that as
    well. What is read `for_record` is not judged but for what tells how the game went."""
    forms = ship_forms(read, read.judged, standing)
    done = played(read, (ship.audited for ship in forms), standing, for_record=for_record)
    unpaid = {name: row for name, row in done.damage.unpaid.items() if row}
    if not unpaid:
        return GameInLog(read, forms, done, standing)
    lost = [replace(audited, unpaid=unpaid.get(audited.ship.name, ())) for audited in read.judged]
    forms, before = ship_forms(read, lost, standing), forms
    ships = [form.audited for form in forms]
    paid = all(audited.energy == form.audited.energy for audited, form in zip(ships, before, strict=True))
    if paid and not _fires_after(read, unpaid):
        return GameInLog(read, forms, replace(done, ships=ships), standing)
    return GameInLog(read, forms, played(read, ships, standing, for_record=for_record), standing)


def _fires_after(read: LogRead, unpaid: Mapping[str, Sequence[Unpaid]]) -> bool:
    """Does a ship fire or launch anything, or is it aimed at, after damage was taken off its display for nothing?"""
    since = {name: min(lost.step for lost in row) for name, row in unpaid.items()}
    return any(
        heard.sentence.step > since.get(name, heard.sentence.step)
        for heard in read.orders.of(Fire, Launch)
        if isinstance(heard.order, Fire | Launch)
        for name in (heard.order.ship, heard.order.target)
    )


def _judge(game: GameInLog) -> Report:
    """What is found in a game, and all of it by ship and turn."""
    read, done = game.read, game.played
    save, logged, judged, marks = read.save, read.logged, done.ships, done.marks
    reports = [*_on_reading(read), *forms_played(read, game.forms, done), *_on_play(read, done)]
    report = merge_reports(reports)
    report = report if done.table is None else done.table.as_sure(report)
    hexes = done.moves if read.module is not None else None
    made = game.standing.moves if game.standing else None
    turns = by_ship_and_turn(logged, judged, hexes, done.speeds, done.fired, marks, report)
    report = replace(report, turns=turns, logs=(game_logged(save, logged, hexes, made),))
    if not read.asked.digests:
        return report
    from referee.logs.log_events import events_of

    ships = ((ship.audited, ship.form) for ship in game.forms)
    return replace(report, events=events_of(logged, ships, done.moves, read.orders, marks))


def _on_reading(read: LogRead) -> Iterator[Report]:
    """What is found in the log as it is read: of its module and map, and of ships and pieces that are not known."""
    yield Report(findings=read.remarks)
    for seen in read.ships:
        if seen.copy:
            reason = f"{seen.copy}: its moves are not judged"
            yield Report(not_checked=(NotChecked(read.named.movement, reason, seen.ship.name),))
        elif seen.chosen is None and not seen.alone:
            yield Report(findings=(which_ship(seen.ship, seen.classes, Location(read.save.file)),))
    yield pieces_not_understood(read)


def _on_play(read: LogRead, done: PlayedLog) -> Iterator[Report]:
    """What is found in what was done with the ships."""
    save, logged, module, orders = read.save, read.logged, read.module, read.orders
    judged, moves, speeds, fired = done.ships, done.moves, done.speeds, done.fired
    yield fired.batteries
    named = module is not None
    yield judge_moves(logged, judged, done.table, done.others, read.asked, moves, named=named)
    seen = (*moves.moves, *moves_seen(logged, read.strangers)) if module else ()
    ordered = judge_ordered(seen, orders, logged) if module else ()
    on_speeds = done.table.course.on_speeds if done.table else ()
    yield Report((*on_speeds, *ordered))
    yield turns_played(done.table, logged, judged, moves, speeds, fired)
    of_hands = (
        *taken_back(logged, orders.undone),
        *_on_rolls(read),
        *drags_by_others(logged, Owners(save.players, {ship.ship.name: ship for ship in judged})),
        *_on_talk(read, done),
        *placed_for_fire(logged, orders),
        *_on_turns_in_place(read, done),
    )
    yield Report(of_hands, (), tuple(hands_not_told(logged, save.players)))
    if (volleys := done.volleys) is not None:
        yield on_dice(volleys.rows, volleys.paired, volleys.on_results, judged[0].rulebook, logged.file)
        yield volleys.flown.report
        yield volleys.damage.report
        yield Report(tuple(_after_end(done)))
    yield fired.report
    flew = (move for followed in done.flown.followed for move in followed.flight.in_sight)
    yield judge_in_steps(logged, judged, orders, (*moves.moves, *flew), module, done.seekers)
    yield from _seldom(read, done)


# -- what few logs have: its modules are not loaded for others ----------------------------------


def _after_end(done: PlayedLog) -> Iterable[Finding]:
    """What is found in what ships did when they were destroyed."""
    if done.table is None or not (any(done.damage.strikes.values()) and any(done.marks.values())):
        return ()
    from referee.logs.after_end import judge_after_end

    return judge_after_end(
        done.table, done.ships, done.marks, done.damage.strikes, done.moves.moves, done.fired
    )


def _on_rolls(read: LogRead) -> Iterable[Finding]:
    """Findings on rolls whose chat and button differ, and on typed lines that look like rolls."""
    if not read.logged.rolled and not read.logged.imitated:
        return ()
    from referee.logs.rolls import judge_rolls

    return judge_rolls(read.logged, read.module, read.save.players)


def _on_talk(read: LogRead, done: PlayedLog) -> Iterable[Finding]:
    """What is found in talk that reads as orders."""
    if not any(reads_as_order(chat_line.line.text) for chat_line in read.logged.chat_lines):
        return ()
    from referee.logs.orders_without_prefix import without_prefix

    return without_prefix(read.logged, done.ships, read.save.players)


def _on_turns_in_place(read: LogRead, done: PlayedLog) -> Iterable[Finding]:
    """What is found in turns that were turned back."""
    if not done.moves.turned_in_place:
        return ()
    from referee.logs.turned_in_place import judge_turned_in_place

    return judge_turned_in_place(done.table, read.logged, done.moves, read.orders)


def _seldom(read: LogRead, done: PlayedLog) -> Iterator[Report]:
    """What is found in a clock that goes from turn to turn, in secret notes, and in steps that could not be read."""
    logged = read.logged
    if logged.turns_shown:
        from referee.logs.skipped_turns import turns_passed

        yield turns_passed(done.table, logged, done.ships)
    if logged.noted or logged.private:
        from referee.logs.notes import judge_secrets

        yield judge_secrets(read.named, logged, read.save, done.ships)
    if logged.unread:
        from referee.logs.unreadable_steps import unread_steps

        yield Report(tuple(unread_steps(logged)))
