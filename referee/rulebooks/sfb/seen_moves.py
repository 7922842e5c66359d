"""What counters of ships show, held against the rules of movement (B2.0, C1.1, C1.4, C3.1, C3.2)."""

from __future__ import annotations

from referee.core.finding import About, Finding, Severity
from referee.core.naming import how_many
from referee.rulebooks.base import Rulebook

TURN, TURN_MODE, CONTINUES, MISSED = "C3.1", "C3.2", "C1.1/continues", "C1.4/missed"
HEX_BY_HEX, AHEAD, CALLED = "C1.1", "C1.2", "C1.4"
_UNSEEN = "unseen as in sight"


def _against(rulebook: Rulebook, key: str, about: About, message: str, **details: str) -> Finding | None:
    """The finding of a rule, where the book has it, as severe as the rule is in this game."""
    rule = rulebook.rules.get(key)
    if rule is None:
        return None
    severity = Severity(rule.severity) if rule.severity else Severity.ERROR
    return about.finding(rule.key, severity, message, **details)


def turned_early(
    rulebook: Rulebook, about: About, facings: tuple[str, str], moved: int | None
) -> Finding | None:
    """A ship that turned in an impulse in which it did not move, though it `moved` in a later one of the turn; None
    where turning in its move is no rule of the book."""
    then = f"; it moved on impulse {moved}" if moved else ""
    return _against(
        rulebook,
        TURN,
        about,
        f"turns from {facings[0]} to {facings[1]} without moving{then}",
        expected="a turn, then a hex",
        found="a turn on the spot",
        fix="turn on the impulse that calls the ship to move",
    )


def turned_back(
    rulebook: Rulebook, about: About, facings: tuple[str, str], later: str, fought: str
) -> Finding | None:
    """A ship that turned in an impulse in which it did not move, and back `later`, with what was `fought` between;
    None where turning in its move is no rule of the book."""
    return _against(
        rulebook,
        TURN,
        about,
        f"turns from {facings[0]} to {facings[1]} without moving, and back in {later}, after {fought}",
        expected=f"facing {facings[0]} until its next move",
        found=f"facing {facings[1]}",
        fix="turn on the impulse that calls the ship to move",
    )


def misfaced(rulebook: Rulebook, about: About, facings: tuple[str, str], hex: str) -> Finding | None:
    """A ship that is said to face otherwise in a hex than its move leaves it; None where turning in its move is no rule
    of the book."""
    return _against(
        rulebook,
        TURN,
        about,
        f"is said to face {facings[1]} in {hex}, and its move leaves it facing {facings[0]}",
        expected=f"facing {facings[0]}",
        found=f"facing {facings[1]}",
        fix="turn as it moves, before it enters the next hex",
    )


def move_untold(rulebook: Rulebook, about: About, speed: int, shown: str) -> Finding | None:
    """A ship that is called and of which no move is told, though it moved as is `shown`."""
    return _against(
        rulebook,
        MISSED,
        about,
        f"does not move on impulse {about.impulse}, which calls speed {speed}; {shown}",
        expected="one hex",
        found="no line of a move",
        fix="ask both players how it moved, and write the line",
    )


def out_of_place(rulebook: Rulebook, about: About, called: int, speed: int) -> Finding | None:
    """A ship that moves in another impulse than the one that is `called`, in which it does not."""
    return _against(
        rulebook,
        CALLED,
        about,
        f"moves on impulse {about.impulse}, and not on impulse {called}, which calls speed {speed}",
        expected=f"a move on impulse {called}",
        found=f"a move on impulse {about.impulse}",
        fix=f"move on impulse {called}; where only the line stands out of place, ask both players",
    )


def turn_untold(
    rulebook: Rulebook, about: About, hexes: tuple[str, str], facings: tuple[str, str]
) -> Finding | None:
    """A ship that goes ahead from one hex to another that is not ahead of it, and on as if it had turned; None where
    moving straight ahead is no rule of the book."""
    return _against(
        rulebook,
        AHEAD,
        about,
        f"from {hexes[0]} facing {facings[0]} to {hexes[1]}, and on facing {facings[1]}: no line tells that it turned",
        expected=f"a turn to {facings[1]}",
        found="a move straight ahead",
        fix="ask both players whether it turned, and write the line",
    )


def misplaced(rulebook: Rulebook, about: About, hexes: tuple[str, str, str], far: int) -> Finding | None:
    """A ship that is told to move from one hex to another, so `far` off, and goes on from a third one."""
    start, hex, expected = hexes
    how = f"is {how_many(far, 'hex', 'hexes')}" if far != 1 else "is no move straight ahead, nor a turn"
    return _against(
        rulebook,
        AHEAD if far == 1 else HEX_BY_HEX,
        about,
        f"{start} to {hex} {how}; its next move goes on from {expected}",
        expected=expected,
        found=hex,
        fix=f"ask both players: it may have moved to {expected}",
    )


def came_back(rulebook: Rulebook, about: About, left: int) -> Finding | None:
    """A ship that comes back to the hexes of the map it had left in plain sight, or was removed from, in a step."""
    return _against(
        rulebook,
        CONTINUES,
        about,
        f"comes back from nowhere: it was taken off the hexes of the map in step {left}",
        expected="a move from where it stood",
        found="a counter put down",
        fix="move from hex to hex; a ship that left the map is out of the game",
    )


# -- out of sight ------------------------------------------------------------------------


def _back(
    rulebook: Rulebook, key: str, about: About, here: str, message: str, expected: str, *, sure: bool
) -> Finding | None:
    if key not in rulebook.rules:
        return None
    severity = Severity.ERROR if sure else Severity.UNDECIDED
    fix = f"move hex by hex, {_UNSEEN}"
    message = f"comes back in {here}, {message}"
    return about.finding(key, severity, message, expected=expected, found=here, fix=fix)


def back_too_far(
    rulebook: Rulebook,
    about: About,
    here: str,
    expected: str,
    went: str,
    hexes: tuple[int, int],
    *,
    sure: bool,
) -> Finding | None:
    """A ship that comes back out of sight farther from where it went than it was called for: `hexes` are both."""
    far, most = (how_many(each, "hex", "hexes") for each in hexes)
    message = f"{far} from where {went}, and called for {most}"
    return _back(rulebook, CONTINUES, about, here, message, expected, sure=sure)


def back_unmoved(
    rulebook: Rulebook, about: About, here: str, expected: str, went: str, impulse: int, *, sure: bool
) -> Finding | None:
    """A ship that comes back where it went out of sight, though an impulse called for a hex."""
    message = f"where {went}, and impulse {impulse} called for a hex"
    return _back(rulebook, MISSED, about, here, message, expected, sure=sure)


def back_astray(
    rulebook: Rulebook, about: About, here: str, expected: str, went: str, called: int
) -> Finding | None:
    """A ship that comes back where only turns that ships seldom make lead."""
    message = f"where {how_many(called, 'hex', 'hexes')} from where {went} do not lead"
    return _back(rulebook, CONTINUES, about, here, message, expected, sure=False)


def back_turned(about: About, here: str, there: str, called: int, need: int, *, sure: bool) -> Finding:
    """A ship that turned out of sight before its turn mode let it."""
    return about.finding(
        TURN_MODE,
        Severity.ERROR if sure else Severity.UNDECIDED,
        f"comes back in {here}, where {how_many(called, 'hex', 'hexes')} from {there} lead only with turns sooner than "
        "its turn mode lets it",
        expected=f"{how_many(need, 'hex', 'hexes')} straight ahead between two turns",
        found="fewer",
        fix=f"turn as the turn mode lets you, {_UNSEEN}",
    )


def judges_turns(rulebook: Rulebook) -> bool:
    """Is there a rule on how far a ship goes between two turns?"""
    return TURN_MODE in rulebook.rules


# -- turns and speeds ------------------------------------------------------------------------------


def turn_ran_through(about: About, last: int) -> Finding:
    """A turn that the clock only ran through, after one that was played by forms: no ship has a form of it, or does
    anything in it."""
    return about.finding(
        "B2.0/markers",
        Severity.UNDECIDED,
        f"no ship has a form of turn {about.turn} or does anything in it, and turn {last} was played by forms",
        expected=f"turn {about.turn} played",
        found="a clock that ran through it",
        fix="play the turn; where all agreed to pass it over the umpire decides",
    )


def speed_changed(rulebook: Rulebook, about: About, speed: int, standing: int) -> Finding | None:
    """A speed that is set when ships move, another than the one that stands for the turn; None where the order of
    orders is no rule of the book."""
    key = "B2.0/orders"
    if key not in rulebook.rules:
        return None
    return about.finding(
        key,
        Severity.ERROR,
        f"speed set to {speed} in impulse {about.impulse}; it is {standing} in this turn",
        expected="before impulse 1",
        found=f"impulse {about.impulse}",
        fix="say the speed before ships move; it stands for the turn",
    )
