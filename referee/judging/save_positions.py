"""A VASSAL save, or a log after a step, as it is looked at: one position."""

from __future__ import annotations

from referee.core.errors import BadInput
from referee.core.positions import PlayedGame, Position, UnitShown
from referee.judging.files import judge_file
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes


def save_played(source: InputBytes, asked: Asked, step: int | None) -> PlayedGame:
    """The position a save holds; of a log that after a step, by default the last. Raises BadInput where no ship is known."""
    from referee.formats.vassal.game import read_save
    from referee.formats.vassal.replay import state_at
    from referee.play.save_taken import save_shown
    from referee.sources.modules import module_beside
    from referee.sources.saves import map_of, with_map
    from referee.sources.ships import Reading

    save = read_save(source.data, source.name, asked.encoding)
    if step is not None and save.kind != "log":
        raise BadInput("has no steps", file=source.name, hint="--step is for VASSAL logs")
    says = map_of(asked)
    module, _ = module_beside(save, asked)
    if save.kind == "log":
        step = len(save.steps) if step is None else step
        save = state_at(save, step, module)
    report = judge_file(source, asked) if step is None else None
    shown, settings = save_shown(Reading(save, with_map(asked, says), says, module))
    if not shown.ships:
        raise BadInput(
            "has no ship whose class is known", file=source.name, hint='--ship "NAME=CLASS" names one'
        )
    units = tuple(
        UnitShown(ship.name, "ship", ship.hex, ship.facing, " ".join(ship.sides[:1]), state=ship.shown)
        for ship in shown.ships
    )
    place = "" if step is None else f"step {step}"
    found = report.findings if report else ()
    told = "as saved" if report else "as it stood after this step, not judged"
    position = Position(shown.end.turn or 0, shown.end.impulse, shown.step, told, place, units, found)
    return PlayedGame(
        title=source.name.rpartition("/")[2],
        file=source.name,
        rulebook=settings.rulebook,
        positions=(position,),
        classes={ship.name: ship.ship for ship in shown.ships},
        verdict=report.verdict.value if report else "",
        not_checked=report.not_checked if report else (),
    )
