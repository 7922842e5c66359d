"""Where units of a play-by-play stood: hexes are told, facings often only by how a unit went on."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from referee.core.finding import SURE, Certainty, Finding, Perhaps, Severity
from referee.core.frozen import frozen
from referee.core.gameorders import way_between
from referee.core.hexgrid import FACINGS, Hex, hex_at, true_range
from referee.core.location import Location
from referee.core.naming import how_many
from referee.core.orders import Way
from referee.formats.sfbol import Added, Fact, ImpulseBegun, Moved, Turned, Unread
from referee.sources.asked import note
from referee.sources.sfbol_names import Names
from referee.sources.sfbol_untold import Stand, courses_between, turned_to

Row = tuple[int, int, Added | Moved | Turned | Unread]
"""Turn, impulse and what is told of a unit's place then; after a line that may be of it, or that is not understood,
neither its hex nor its facing is known."""
SLIPPED = "side-slipped"
TAKEN_BACK = "taken back"


class Leg(NamedTuple):
    """Where a unit came to stand by a line, and how: `put`, `moved`, `turned`, `side-slipped`, or `taken back` where a
    later line of its impulse puts that right."""

    hex: Hex
    facing: str
    how: str
    sure: Certainty = SURE
    instead_of: int = 0
    """The line of the first move of its impulse, which this one puts right; 0 where there is none."""
    lost: tuple[Stand, ...] = ()
    """Where it came to before this, by moves of which there is no line."""
    turned_from: str = ""
    """How it faced before a turn of which there is no line; empty where there is none."""
    misplaced: Hex | None = None
    """The hex its line names, where no move leads, and from which none leads on."""


@frozen
class Grid:
    """How the hexes of a log lie: as on the map, or with the odd columns lower, read one column on. `fits` of the
    `moves` it tells are one hex so, `otherwise` by the other reading."""

    shift: int = 0
    moves: int = 0
    fits: int = 0
    otherwise: int = 0

    def hex(self, fact: Added | Moved) -> Hex:
        """The hex a line names."""
        return hex_at(fact.column + self.shift, fact.row)


_new = tuple.__new__


def impulses_of(facts: Iterable[Fact]) -> list[tuple[ImpulseBegun, list[Fact]]]:
    """The impulses of a game, each with what is told of it. What stands before the first is set-up."""
    rows: list[tuple[ImpulseBegun, list[Fact]]] = []
    happened: list[Fact] = []
    last = 0, 0
    for fact in facts:
        if type(fact) is not ImpulseBegun:
            happened.append(fact)
        elif (now := fact[1:]) != last:
            happened, last = [], now
            rows.append((fact, happened))
    return rows


def courses_of(facts: Iterable[Fact], names: Names) -> dict[str, list[Row]]:
    """What is told of each ship's places, in its order."""
    rows: dict[str, list[Row]] = {name: [] for name in names.ships}
    turn = impulse = 0
    for fact in facts:
        if type(fact) is ImpulseBegun:
            _, turn, impulse = fact
        elif isinstance(fact, (Moved, Turned, Added)):
            named = fact.name if isinstance(fact, Added) else fact.ship
            if named in rows:
                rows[named].append((turn, impulse, fact))
                continue
            fits = names.means(named)
            if len(fits) > 1:
                for name in fits:
                    rows[name].append((turn, impulse, Unread(fact.line, "")))
            elif fits and fits[0] in rows:
                rows[fits[0]].append((turn, impulse, fact))
        elif isinstance(fact, Unread):
            for name in names.may_have_moved(fact.text):
                rows[name].append((turn, impulse, fact))
    return rows


def grid_of(courses: Iterable[Sequence[Row]]) -> Grid:
    """The reading under which moves are one hex each; that of the map where both are as good."""
    moves, fits = 0, [0, 0]
    for rows in courses:
        before: tuple[int, int] | None = None
        for _, _, fact in rows:
            if isinstance(fact, Moved):
                now = fact.column, fact.row
                if before is not None:
                    moves += 1
                    fitting = beside(now[0] - before[0], now[1] - before[1], before[0] % 2)
                    fits[0] += fitting[0]
                    fits[1] += fitting[1]
                before = now
            elif isinstance(fact, Added):
                before = fact.column, fact.row
            elif isinstance(fact, Unread):
                before = None
    if fits[1] > fits[0] + 1 and fits[1] * 10 > moves * 9:
        return Grid(1, moves, fits[1], fits[0])
    return Grid(0, moves, fits[0], fits[1])


@lru_cache(maxsize=1 << 10)
def beside(columns: int, rows: int, odd: int) -> tuple[bool, bool]:
    """Is a hex so many columns and rows from one in an odd or even column beside it, or the same, by each reading?"""
    first, second = ((Hex(2 - odd + shift, 0), Hex(2 - odd + columns + shift, rows)) for shift in (0, 1))
    return true_range(*first) <= 1, true_range(*second) <= 1


def reading_told(grid: Grid, file: str, line: int) -> list[Finding]:
    """A note on how the hexes of a log are read, where any move tells."""
    if not grid.moves:
        return []
    how = "with even columns half a hex lower, as on the map"
    if grid.shift:
        how = "with odd columns half a hex lower, so that columns here are one higher than in the log"
    sentence = f"hexes are read {how}: {grid.fits} of {grid.moves} moves are one hex so, {grid.otherwise} the other way"
    return [note("hexes", sentence, "", location=Location(file, line=line))]


def legs_of(rows: Sequence[Row], grid: Grid, misfaced: dict[int, str], far: list[int]) -> dict[int, Leg]:
    """A unit's places, by the line that tells each. A facing that no later move bears out, where its own move leaves it
    otherwise, is one of `misfaced`, by its line. The lines of moves that lead farther than a hex are `far`."""
    legs: dict[int, Leg] = {}
    here: Hex | None = None
    facing, pending, shift = "", "", grid.shift
    begun: tuple[Hex | None, str] = None, ""
    of_turn = of_impulse = 0
    made: list[int] = []
    first = 0
    for n, (turn, impulse, fact) in enumerate(rows):
        if impulse != of_impulse or turn != of_turn:
            begun, of_turn, of_impulse, made, first = (here, facing), turn, impulse, [], 0
        if type(fact) is Moved and not made:
            line, _, column, row, stated, how = fact
            hex = hex_at(column + shift, row)
            if stated or pending or not facing or how != "moved":
                was, before = facing, facing
                facing = stated or _facing(how, facing, pending, here, hex)
                turns = (
                    stated and (stated != before or how == "turned") and here is not None and how != SLIPPED
                )
                if turns and here is not None and here.step(stated) != hex:
                    left = _left_facing(before, here, hex)
                    if (
                        left
                        and left != stated
                        and not _bears_out(rows, n, grid, hex, stated, left)
                        and _true_place(rows, n, grid, (here, before), (hex, stated)) in (None, (hex, left))
                    ):
                        misfaced[line], facing = stated, left
            else:
                was = facing
            if (
                here is None
                or not was
                or way_of(hex.column - here.column, hex.row - here.row, here.column % 2, was, facing)
            ):
                legs[line] = _new(Leg, (hex, facing, how, SURE, first, (), "", None))
            else:
                legs[line] = leg = _strange(rows, n, grid, (here, was), (hex, facing), pending)
                if leg.misplaced is None and not leg.lost and true_range(here, hex) > 1:
                    far.append(line)
                hex, facing = leg.hex, leg.facing
            made.append(line)
            here, pending = hex, ""
            continue
        if isinstance(fact, Unread):
            here, facing, pending = None, "", ""
            begun, made = (None, ""), []
            continue
        if isinstance(fact, Moved) and begun[0] is not None:
            back = _puts_right(begun[0], begun[1], (here, facing), grid.hex(fact), fact.facing)
            if back is not None:
                taken = Leg(begun[0], begun[1], TAKEN_BACK)
                legs |= dict.fromkeys(made, taken)
                first, made, (here, facing) = first or made[0], [], begun
                if back:
                    legs[fact.line], pending = taken, ""
                    continue
        if isinstance(fact, Turned):
            if _goes_on(rows, n, turn, impulse):
                pending = fact.facing
                continue
            if here is not None:
                legs[fact.line] = leg = _turned(here, fact.facing, _next_hex(rows, n, grid))
                here = leg.hex
                made.append(fact.line)
            facing, pending = fact.facing, ""
            continue
        hex = grid.hex(fact)
        if isinstance(fact, Added):
            facing = fact.facing or facing
            legs[fact.line] = Leg(hex, facing, "put")
        else:
            if here is not None and true_range(here, hex) > 1:
                far.append(fact.line)
            facing = fact.facing or _facing(fact.how, facing, pending, here, hex)
            legs[fact.line] = Leg(hex, facing, fact.how, instead_of=first)
            made.append(fact.line)
        here, pending = hex, ""
    return legs


def _strange(rows: Sequence[Row], n: int, grid: Grid, was: Stand, now: Stand, pending: str) -> Leg:
    """A place where no move leads from the one before: lines may be lost of moves between, or of the turn."""
    turn, impulse, fact = rows[n]
    assert isinstance(fact, Moved)
    hex, facing = now
    plain = Leg(hex, facing, fact.how)
    if fact.how == SLIPPED or not on_a_map(hex):
        return plain
    place = _true_place(rows, n, grid, was, now)
    if place is not None and place[0] != hex:
        wrong = Perhaps(f"line {fact.line} has it in {hex}, where no move leads")
        return plain._replace(hex=place[0], facing=place[1], sure=wrong, misplaced=hex)
    before = n - 1
    while before > 0 and isinstance(rows[before][2], Turned) and rows[before][:2] == (turn, impulse):
        before -= 1
    if true_range(was[0], hex) > 1 and before >= 0 and _between(rows[before][:2], (turn, impulse)):
        courses = courses_between(was, hex, fact.how, fact.facing or pending)
        course = next((course for course in courses if _may_go_on(rows, n, grid, *course[-1])), None)
        if course is None:
            return (
                plain
                if fact.facing or pending
                else plain._replace(facing=_goes_on_facing(rows, n, grid, *now))
            )
        return plain._replace(facing=course[-1][1], lost=course[:-1])
    turned = turned_to(was[1], toward(was[0], hex)) if fact.how == "moved" and facing == was[1] else ""
    if turned and _bears_out(rows, n, grid, hex, turned, facing):
        return plain._replace(facing=turned, sure=Perhaps("no line tells its turn"), turned_from=was[1])
    return plain


def _true_place(rows: Sequence[Row], n: int, grid: Grid, was: Stand, now: Stand) -> Stand | None:
    """The place one move away from which a unit makes its next move. None where that goes on from the place its line
    names, or no such place is known."""
    after = rows[n + 1][2] if n + 1 < len(rows) else None
    if not isinstance(after, Moved) or _leads(after, *now, to := grid.hex(after)):
        return None
    courses = courses_between(was, to, after.how, after.facing)
    return courses[0][0] if courses and len(courses[0]) == 2 else None


def _goes_on_facing(rows: Sequence[Row], n: int, grid: Grid, hex: Hex, facing: str) -> str:
    """How a unit that came from far faces, by its next move straight ahead; as before where none tells."""
    after = rows[n + 1][2] if n + 1 < len(rows) else None
    straight = isinstance(after, Moved) and after.how == "moved" and not after.facing
    return (toward(hex, grid.hex(after)) if straight and isinstance(after, Moved) else "") or facing


def _leads(move: Moved, start: Hex, facing: str, to: Hex) -> bool:
    """May a unit that faces so have made a move, turning where the letter says so?"""
    if move.how == "moved" and move.facing not in ("", facing):
        return toward(start, to) == move.facing and _sides_off(facing, move.facing) == 1
    return _goes_so(move, start, facing, to)


def _between(before: tuple[int, int], now: tuple[int, int]) -> bool:
    """May an impulse lie between two moments?"""
    return now[0] > before[0] or now[1] > before[1] + 1


def _may_go_on(rows: Sequence[Row], n: int, grid: Grid, hex: Hex, facing: str) -> bool:
    """May a unit that stands so have made the next move that is told of it?"""
    after = rows[n + 1][2] if n + 1 < len(rows) else None
    if not isinstance(after, Moved) or true_range(hex, to := grid.hex(after)) != 1:
        return True
    return _goes_so(after, hex, facing, to) or bool(after.facing)


def _left_facing(facing: str, here: Hex, hex: Hex) -> str:
    """How a move leaves a unit facing: the way it goes, ahead or to one side; nothing where it cannot have gone so."""
    went = toward(here, hex)
    return went if went and facing and _sides_off(facing, went) <= 1 else ""


def _sides_off(facing: str, other: str) -> int:
    between = (FACINGS.index(facing) - FACINGS.index(other)) % 6
    return min(between, 6 - between)


def _bears_out(rows: Sequence[Row], n: int, grid: Grid, hex: Hex, stated: str, left: str) -> bool:
    """Does a unit's next move go on from the facing that is stated, and not from the one its move leaves it in?"""
    after = rows[n + 1][2] if n + 1 < len(rows) else None
    if not isinstance(after, Moved):
        return False
    to = grid.hex(after)
    return _goes_so(after, hex, stated, to) and not _goes_so(after, hex, left, to)


def _goes_so(move: Moved, start: Hex, facing: str, to: Hex) -> bool:
    """May a unit that faces so have made a move?"""
    went = toward(start, to)
    if move.how == "turned":
        return bool(went) and _sides_off(facing, went) == 1 and move.facing in ("", went)
    if move.how == SLIPPED:
        return bool(went) and _sides_off(facing, went) == 1 and move.facing in ("", facing)
    return went == facing and move.facing in ("", facing)


def _puts_right(start: Hex, facing: str, now: tuple[Hex | None, str], hex: Hex, stated: str) -> bool | None:
    """Does a second move of an impulse put the first one right? True where it goes back to where the unit stood, False
    where it makes another move of one hex from there; None where it goes on from the first, or says it once more."""
    if hex == start:
        return True if stated in ("", facing) else None
    if hex == now[0] and stated in ("", now[1]):
        return None
    return False if true_range(start, hex) == 1 else None


def put_in_time(legs: dict[int, Leg], others: Container[int]) -> list[tuple[int, int]]:
    """The moves of a unit that put earlier ones of their impulse right: the first line of each, and that which counts
    (0: none does). Where `others` moved between, its move counts as made when it was made first."""
    found = [(leg.instead_of, line) for line, leg in legs.items() if leg.instead_of]
    for first, line in found:
        if any(between in others for between in range(first + 1, line)):
            legs[first], legs[line] = legs[line], legs[first]
    replaced = {line for first, last in found for line in range(first, last + 1)}
    back = [line for line, leg in legs.items() if leg.how == TAKEN_BACK and line not in replaced]
    return sorted([*found, *((line, 0) for line in back)])


def moves_in(legs: Mapping[int, Leg]) -> list[int]:
    """The lines of a unit's legs in which it moves, and is not put somewhere or goes back."""
    return [line for line, leg in legs.items() if leg.how not in ("put", TAKEN_BACK)]


def put_right(ships: Mapping[str, dict[int, Leg]], file: str) -> list[Finding]:
    """Notes on moves that a later line of the impulse takes back or puts right. The move that stands in the end is
    the one judged."""
    found: list[Finding] = []
    if not any(leg.instead_of or leg.how == TAKEN_BACK for legs in ships.values() for leg in legs.values()):
        return found
    moved = {name: moves_in(legs) for name, legs in ships.items()}
    for name, legs in ships.items():
        others: set[int] = set().union(*(lines for other, lines in moved.items() if other != name))
        back: list[int] = []
        for first, line in put_in_time(legs, others):
            if not line:
                back.append(first)
                continue
            sentence = f"its move of line {line} is taken to correct that of line {first}, and is judged in its place"
            place, fix = Location(file, line=line), "ask both players"
            found.append(
                Finding("NOTE/corrected", Severity.UNDECIDED, sentence, name, location=place, fix=fix)
            )
        if back:
            sentence = f"{how_many(len(back), 'line')} in which it goes back to where it stood in the same impulse, and what it takes back, are not judged"
            found.append(note("corrected", sentence, name, location=Location(file, line=back[0])))
    return found


def on_a_map(hex: Hex) -> bool:
    """Has some map this hex? Columns and rows begin with 01, and have two digits."""
    return 0 < hex.column < 100 and 0 < hex.row < 100


@lru_cache(maxsize=1 << 10)
def way_of(columns: int, rows: int, odd: int, facing: str, faces: str) -> Way | None:
    """The way of moving that leads so many columns and rows on, from an odd or even column, and from a facing to another;
    None where none does."""
    return way_between((Hex(2 - odd, 0), facing), (Hex(2 - odd + columns, rows), faces))


def toward(start: Hex, end: Hex) -> str:
    """The facing that leads from a hex to the next one; nothing where none does."""
    return _toward(end.column - start.column, end.row - start.row, start.column % 2)


@lru_cache(maxsize=1 << 10)
def _toward(columns: int, rows: int, odd: int) -> str:
    start, end = Hex(2 - odd, 0), Hex(2 - odd + columns, rows)
    return next((facing for facing in FACINGS if start.leads_to(facing, end)), "")


def is_slip(was: tuple[Hex, str], hex: Hex) -> bool:
    """Does a sideslip lead a unit to a hex: one of the two beside the one ahead?"""
    ahead = FACINGS.index(was[1]) if was[1] else None
    return ahead is not None and hex in [was[0].step(FACINGS[(ahead + side) % 6]) for side in (-1, 1)]


def _facing(how: str, facing: str, pending: str, here: Hex | None, hex: Hex) -> str:
    """How a unit faces after a move that does not say so: as before, straight ahead. Where that is not known, or it
    turned, by the way it went."""
    if pending:
        return pending
    if how == SLIPPED or (how == "moved" and facing):
        return facing
    return (toward(here, hex) if here is not None else "") or facing


def _goes_on(rows: Sequence[Row], n: int, turn: int, impulse: int) -> bool:
    """Is a turn whose hex is not known followed by a move of its impulse? Then they are one."""
    after = rows[n + 1] if n + 1 < len(rows) else None
    return after is not None and isinstance(after[2], Moved) and after[:2] == (turn, impulse)


def _next_hex(rows: Sequence[Row], n: int, grid: Grid) -> Hex | None:
    after = rows[n + 1][2] if n + 1 < len(rows) else None
    return grid.hex(after) if isinstance(after, Moved) else None


def _turned(here: Hex, facing: str, after: Hex | None) -> Leg:
    """A turn of which no hex is told: a unit turns, then enters the hex ahead, if where it is seen next bears that
    out."""
    ahead = here.step(facing)
    if after is None:
        return Leg(ahead, facing, "turned", Perhaps("where it stands after its turn is not known"))
    if true_range(ahead, after) == 1:
        if true_range(here, after) > 1:
            return Leg(ahead, facing, "turned")
        return Leg(
            ahead, facing, "turned", Perhaps("only its next move shows where it stands after its turn")
        )
    if after == ahead:
        return Leg(
            here, facing, "turned", Perhaps("it turns, and enters the hex ahead only in a later impulse")
        )
    return Leg(ahead, facing, "turned", Perhaps("where it stands after its turn is not known"))
