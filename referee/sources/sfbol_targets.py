"""What the seekers of a play-by-play go after: a log does not tell it. The player may, with `--target SEEKER=SHIP`;
else the only other ship is taken, or the one that was struck where the flight ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.core.errors import BadInput
from referee.core.finding import SURE, Certainty, Perhaps
from referee.core.hexgrid import true_range
from referee.core.naming import folded, most_like
from referee.formats.sfbol import Fact, ImpulseBegun
from referee.sources.asked import Asked
from referee.sources.sfbol_course import Leg
from referee.sources.sfbol_names import Names
from referee.sources.sfbol_volleys import Block

Rows = Sequence[tuple[ImpulseBegun, Sequence[Fact]]]


def targets_given(asked: Asked, names: Names) -> dict[str, str]:
    """The ships that seekers of a game go after as the player says, by the seekers' names. Raises BadInput for a ship it
    has not, or that may be several."""
    given: dict[str, str] = {}
    for target in asked.targets:
        name, equals, ship = (part.strip() for part in target.partition("="))
        if not equals or not name or not ship:
            raise BadInput(f"--target {target[:60]}", hint='write --target "D001(1).2.11=Sabre"')
        seeker = next((unit for unit in names.launched if folded(unit) == folded(name)), "")
        if not seeker:
            continue
        fits = [unit for unit in names.means(ship) if unit in names.ships]
        if len(fits) != 1:
            reason = f"may be {' or '.join(fits[:6])}" if fits else "no such ship in its game"
            raise BadInput(
                f"--target {target[:60]}: {reason}", hint=f"there are {', '.join(list(names.ships)[:12])}"
            )
        if given.get(seeker, fits[0]) != fits[0]:
            raise BadInput(
                f"--target {target[:60]}: it goes after {given[seeker]} already", hint="give one target"
            )
        given[seeker] = fits[0]
    return given


def hold_targets(asked: Asked, launched: Sequence[Sequence[str]], file: str) -> None:
    """Raises BadInput where `--target` names a seeker that no game has."""
    there = list(dict.fromkeys(name for names in launched for name in names))
    for target in asked.targets:
        name = target.partition("=")[0].strip()
        if not any(folded(unit) == folded(name) for unit in there):
            near = most_like(name, there) or there[:12]
            reason = f"--target {target[:60]}: nothing is launched that is called so"
            raise BadInput(reason, file=file, hint=f"there are {', '.join(near)}" if near else "")


def struck_at_end(
    places: Mapping[int, Leg],
    last: int,
    owner: str,
    rows: Rows,
    blocks: Mapping[int, Block],
    ships: Mapping[str, Mapping[int, Leg]],
) -> tuple[str, Certainty]:
    """The ship a seeker went after by the damage stated in the impulse of its `last` line: of one ship in its hex, or
    beside it, and of no fire. No ship where it is not so clear."""
    row = next((row for begun, row in reversed(rows) if begun.line <= last), ())
    until = row[-1].line if row else last
    end = places[max(places)].hex
    struck: dict[str, int] = {}
    for fact in row:
        block = blocks.get(fact.line)
        if block is None or block.is_of_fire or block.ship == owner or block.ship not in ships:
            continue
        stood = [leg for line, leg in ships[block.ship].items() if line <= until]
        if stood and true_range(stood[-1].hex, end) <= 1:
            struck.setdefault(block.ship, fact.line)
    if len(struck) != 1:
        return "", SURE
    ((ship, line),) = struck.items()
    return ship, Perhaps(f"it is taken to go after {ship}, which is struck in line {line} where it ended")
