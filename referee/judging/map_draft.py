"""A module map drafted from a save or log (`referee init map FILE`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.adjudicator.impulse_steps import step_like
from referee.formats.vassal.game import read_save
from referee.formats.vassal.mapdraft import draft_map
from referee.rulebooks.registry import load_ship
from referee.rulebooks.sfb.arming import may_mean, tube_of
from referee.sources.asked import Asked
from referee.sources.forms import form_rulebook, label_index
from referee.sources.inputs import InputBytes
from referee.sources.modules import module_beside
from referee.sources.saves import classes_of

if TYPE_CHECKING:
    from referee.formats.vassal.recognise import ShipOnTable


def drafted_map(source: InputBytes, asked: Asked) -> dict[str, Any]:
    """A module map drafted from a save or log, its `note` on what is unsure (`referee init map FILE`)."""
    if source.kind != "save":
        raise source.no("not a VASSAL save or log", "draft a map from a game")
    save = read_save(source.data, source.name, asked.encoding)

    def classes(ship: ShipOnTable) -> tuple[str, ...]:
        return tuple(found.id for found in classes_of(ship, None, save, asked))

    rulebook = form_rulebook(asked)
    known: dict[str, str] = {step: step.replace(" ", "-") for step in rulebook.table("step_labels")["steps"]}

    def step_of(name: str) -> str:
        return known.get(step_like(rulebook, name), "")

    def marks_meant(ship: ShipOnTable, line: str) -> tuple[str, ...]:
        """The marks of a ship's weapons that a row of line 10 may mean, where it names none of them."""
        chosen = next((load_ship(id) for id in classes(ship)), None)
        if chosen is None or tube_of(line, chosen):
            return ()
        return tuple(mount.id for mount in chosen.mounts if may_mean(line, mount))

    module, _ = module_beside(save, asked)
    labels = label_index(asked)
    return draft_map(save, module, classes, labels, step_of, tuple(known.values()), marks_meant)
