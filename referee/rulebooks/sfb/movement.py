"""Movement: one hex dead ahead on each impulse called, in order, at a speed one may have (B2.0, C1.0).

Turning is `referee.rulebooks.sfb.turning`; what the rules look at is `referee.rulebooks.sfb.motion`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise

from referee.core.finding import Finding, NotChecked, Severity
from referee.core.naming import how_many
from referee.core.play import ShipInPlay
from referee.rulebooks.base import check
from referee.rulebooks.sfb.acceleration import slower
from referee.rulebooks.sfb.motion import (
    ImpulseFacts,
    MoveFacts,
    Rating,
    SequenceFacts,
    SpeedFacts,
)

Findings = Iterator[Finding | NotChecked]
MOVE_STEP = "move ships"
STEP_OF = {"Advance": MOVE_STEP, "Cloak": "cloak", "Uncloak": "cloak", "Launch": "launch", "Fire": "fire"}
"""The step of the impulse an order is carried out in; `hit` may follow seekers or fire."""


@check("B2.0/markers", "Turns and impulses follow each other", on="sequence", rests_on=("turns",))
def sequence(facts: SequenceFacts) -> Findings:
    """A turn is a row of impulses, each played once and in order; then the next turn begins.

    Legal: turn 1, impulses 1 to 8, turn 2. Illegal: impulse 5, then impulse 4; impulse 9 of 8; turn 1,
    then turn 3. Fix: write what happened in the order in which it happened.
    """
    of = facts.movement.of
    turn = facts.turn or 0
    if facts.verb == "TurnBegins" and (turn < 1 or (facts.last_turn and turn != facts.last_turn + 1)):
        yield facts.error(
            f"turn {turn} after turn {facts.last_turn}" if facts.last_turn else f"turn {turn}",
            expected=f"turn {facts.last_turn + 1}",
            found=f"turn {turn}",
            fix="turns follow each other",
        )
    if facts.verb != "ImpulseBegins" or facts.impulse is None:
        return
    if not 1 <= facts.impulse <= of:
        charts = facts.movement.rulebook.options["impulses"].values
        longer = [chart for chart in charts if of < facts.impulse <= int(chart)]
        yield facts.error(
            f"impulse {facts.impulse} of a turn of {of}",
            expected=f"1 to {of}",
            found=str(facts.impulse),
            fix=("begin the next turn" if facts.impulse > 0 else "impulses begin with 1")
            + (f", or write `impulses {longer[0]}` at the head if the chart is longer" if longer else ""),
        )
    elif facts.impulse <= facts.last_impulse:
        yield facts.error(
            f"impulse {facts.impulse} after impulse {facts.last_impulse}",
            expected=f"impulse {facts.last_impulse + 1}" if facts.last_impulse < of else "the next turn",
            found=f"impulse {facts.impulse}",
            fix="impulses follow each other; after the last a turn begins",
        )


@check("B2.0/orders", "A ship's orders in the order of steps", on="sequence")
def steps(facts: SequenceFacts) -> Findings:
    """In each impulse ships move, then cloaks are announced, seekers launched, weapons fired; a step
    once passed does not come back. Speed is set before the first impulse.

    Legal: ahead, then fire. Illegal: fire, then ahead in the same impulse; a new speed in impulse 4.
    Fix: give the order in its step, or in the next impulse.
    """
    if facts.verb == "SetSpeed" and facts.impulse:
        yield facts.error(
            f"speed set in impulse {facts.impulse}",
            expected="before impulse 1",
            found=f"impulse {facts.impulse}",
            fix="set the speed under `turn`, before its first impulse",
        )
    elif facts.step and not facts.impulse:
        yield facts.error(
            f"`{facts.step}` outside an impulse",
            expected="in an impulse",
            fix="write `impulse N` above it",
        )
    elif facts.step and facts.done and _rank(facts, facts.step) < _rank(facts, facts.done):
        yield facts.error(
            f"`{facts.step}` after `{facts.done}` in impulse {facts.impulse}",
            expected=f"{facts.step}, then {facts.done}",
            found=f"{facts.done}, then {facts.step}",
            fix="a step does not come back: give the order in its step, or in the next impulse",
        )


def _rank(facts: SequenceFacts, step: str) -> int:
    return facts.movement.steps.index(step)


@check("C1.1", "One adjacent hex", on="move", passes="plain")
def one_hex(facts: MoveFacts) -> Findings:
    """A move enters one adjacent hex; no unit moves more than one hex in an impulse or skips one.

    Legal: 1702 to 1701. Illegal: 1702 to 1700; two moves in one impulse. Fix: one hex at a time.
    """
    move = facts.move
    if facts.again:
        yield facts.error(
            f"a second move in impulse {facts.impulse}: {move.from_hex} to {move.to_hex}",
            expected="one hex an impulse",
            found="two moves",
            fix="take the second move back",
        )
    if facts.distance > 1:
        yield facts.error(
            f"{move.from_hex} to {move.to_hex} is {how_many(facts.distance, 'hex', 'hexes')}",
            expected="an adjacent hex",
            found=how_many(facts.distance, "hex", "hexes"),
            fix="enter the hex dead ahead",
        )
    elif not facts.distance and facts.sixths in (0, None):
        yield facts.error(
            f"a move that stays in {move.to_hex}",
            expected="an adjacent hex",
            found=str(move.to_hex),
            fix="enter the hex dead ahead",
        )


@check("C1.1/continues", "A move begins where the last one ended", on="move", passes="plain")
def continues(facts: MoveFacts) -> Findings:
    """A unit moves from the hex it is in, facing as it was left; it is not moved or turned in between.

    Legal: ends in 0915 facing C, moves from 0915 facing C. Illegal: moves from 0914. Fix: put it back.
    """
    unit, move = facts.before, facts.move
    if unit.hex is not None and unit.hex != move.from_hex:
        yield facts.error(
            f"moves from {move.from_hex}, but was last in {unit.hex}",
            expected=str(unit.hex),
            found=str(move.from_hex),
            fix=f"begin in {unit.hex}",
        )
    if unit.facing and move.facing_before and unit.facing != move.facing_before:
        yield facts.error(
            f"faces {move.facing_before} before its move, but was left facing {unit.facing}",
            expected=unit.facing,
            found=move.facing_before,
            fix="turn only as it moves (C3.1)",
        )


@check("C1.2", "Dead ahead", on="move", passes="plain", rests_on=("facing",))
def dead_ahead(facts: MoveFacts) -> Findings:
    """A unit faces one of six hexes, A up the map and then clockwise, and enters the one it faces.

    Legal: from 2201 facing C to 2302. Illegal: from 2201 facing C to 2301, or backwards to 2102.
    Fix: enter the hex the bow points to.
    """
    if facts.distance != 1 or facts.move.slipped:
        return
    move = facts.move
    if move.facing_after is None:
        yield facts.unknown("its facing is not known")
    elif not facts.ahead_of_new and not (facts.sixths and facts.ahead_of_old):
        ahead = move.from_hex.step(move.facing_after)
        back = move.from_hex.step(move.facing_after, -1) == move.to_hex
        yield facts.error(
            f"from {move.from_hex} facing {move.facing_after} {'backwards ' if back else ''}to {move.to_hex}",
            expected=str(ahead),
            found=str(move.to_hex),
            fix=f"enter {ahead}",
        )


@check("C1.3", "Order of movement", on="impulse", passes="plain", rests_on=("places", "order of moves"))
def order_of_movement(facts: ImpulseFacts) -> Findings:
    """In an impulse ships move before shuttles, and these before seeking weapons; in each, the slower
    first; at one speed, the worse turn mode first. Moves both written secretly beforehand need no order.
    Who moves before his turn breaks the rule, not the one he did not wait for.

    Whether two turn modes equal at this speed but not at all speeds are a tie, the book does not say.
    Legal: speed 8, then speed 12. Illegal: speed 12, then speed 8. Fix: let the slower move first.
    """
    if len(facts.moves) + len(facts.waiting) < 2:
        return
    rows = groupby((move for move in facts.moves if not move.again), _at_once)
    # Counters dragged in one step of a log moved at once.
    made = [move for _, row in rows for move in sorted(row, key=_in_turn)]
    for first, second in pairwise(made):
        for outcome in _out_of_turn(facts, first, second.before, second.rating, "moved before"):
            yield from _put_right(facts, first, second, outcome)
    early: list[Finding] = []
    for unit, rating in facts.waiting_rated if made else ():
        for outcome in _out_of_turn(facts, made[-1], unit, rating, "moves before"):
            if isinstance(outcome, NotChecked):
                yield outcome
            else:
                early.append(outcome)
    yield from sorted(early, key=lambda found: found.severity is not Severity.ERROR)[:1]


def _put_right(
    facts: ImpulseFacts, first: MoveFacts, second: MoveFacts, outcome: Finding | NotChecked
) -> Findings:
    """What is said of a unit having moved before another, where the other's counter may have been dragged before
    and put right after: nothing then, but that it chose another hex knowing the first one's move."""
    made = (first.location.step or 0, *(drag.step for drag in first.move.drags))
    before = [drag for drag in second.move.drags if any(drag.step < step < drag.until for step in made)]
    if isinstance(outcome, NotChecked) or not before:
        yield outcome
    elif any(drag.anew for drag in before):
        yield facts.undecided(
            f"moved to {second.move.to_hex} after {first.subject} had moved; its counter was dragged elsewhere "
            f"before, in step {before[0].step}",
            subject=second.subject,
            location=second.location,
            expected=f"its move, then that of {first.subject}",
            found=f"another move once {first.subject} had moved",
            fix=f"agree on it: {first.subject} may choose anew",
        )


def _at_once(move: MoveFacts) -> object:
    """The step of a log a move was made in; itself where it was made in none."""
    return id(move) if move.location.step is None else move.location.step


def _in_turn(move: MoveFacts) -> Rating:
    """What moves that were made at once are told in order by; those of which it is not known come first."""
    return move.rating or Rating(0, 0, 0, 0)


def _out_of_turn(
    facts: ImpulseFacts, first: MoveFacts, later: ShipInPlay, late: Rating | None, verb: str
) -> Findings:
    """What is against a unit having moved before another."""
    early = first.rating
    if early is None or late is None:
        yield NotChecked(
            "", "a speed or turn mode is not known, so neither is who moves first", first.subject
        )
    elif not (early <= late or (first.before.sealed and later.sealed)):
        say = facts.error if early[:3] > late[:3] else facts.undecided
        why = (
            "ships, shuttles, seekers"
            if early.kind != late.kind
            else "the slower first"
            if early.speed != late.speed
            else "the worse turn mode first"
        )
        yield say(
            f"{verb} {later.name}",
            subject=first.subject,
            location=first.location,
            expected=f"{later.name}, then {first.subject}: {why}",
            found=f"{first.subject}, then {later.name}",
            fix=f"move {later.name} first, or seal both moves",
        )


@check("C1.3/sealed", "Moves at the same time are sealed", on="impulse", passes="plain")
def sealed_on_ties(facts: ImpulseFacts) -> Findings:
    """Where speed, turn mode and size are the same, the owners write their moves secretly and reveal them.

    Legal: both seal, then both move. Undecided: two cruisers of a class at one speed move unsealed, or one
    moves before the other has sealed. Fix: `seal CODE` for each, before the moves. Players who never move
    unsealed, or always do, say so in a house file: this rule as an error, or off.
    """
    if len(facts.moves) + len(facts.waiting) < 2:
        return
    by_rating: dict[Rating, list[MoveFacts]] = {}
    for made in facts.moves:
        rating = made.rating if not made.again else None
        if rating is not None:
            by_rating.setdefault(rating, []).append(made)
    for rating, tied in by_rating.items():
        others = [unit for unit, theirs in facts.waiting_rated if theirs == rating]
        if len(tied) + len(others) < 2:
            continue
        units = [*(made.before for made in tied), *others]
        owners = {made.before.side or (made.ship.race if made.ship else "") for made in tied}
        owners |= {unit.side for unit in others}
        unsealed = [unit.name for unit in units if not unit.sealed]
        if not unsealed:
            continue
        names = " and ".join(unit.name for unit in units)
        if len(owners) < 2 and any(owners):
            if not all(unit.side for unit in units):
                yield NotChecked("", f"{names} are taken as one owner's; say `side` where they are not")
        elif facts.seals_shown:
            # Who moves before the other has sealed gives him what he was not to know.
            open_moves = [made for made in tied if not made.before.sealed] or tied
            yield facts.undecided(
                f"{names} move at the same time: same speed, same turn mode",
                subject=open_moves[0].subject,
                location=open_moves[0].location,
                expected="both moves sealed, then revealed",
                found=f"no sealed order of {', '.join(unsealed)}",
                fix="give `seal CODE` for each before the moves (in a record: referee seal --kind moves)",
            )
        else:
            yield NotChecked("", f"{names} move at the same time; sealed orders are not seen here")


@check("C1.4", "Only on called impulses", on="move", passes="plain")
def only_when_called(facts: MoveFacts) -> Findings:
    """A unit moves on the impulses the chart calls for its speed, and on no other.

    Legal: speed 4 of 8 on impulse 2. Illegal: speed 4 of 8 on impulse 3. Fix: take the move back.
    """
    unit = facts.before
    called = facts.movement.called(unit, facts.impulse)
    if called is None:
        if unit.speed is not None and facts.impulse is not None:
            yield facts.unknown(f"the chart of {facts.movement.of} impulses has no speed {unit.speed}")
        else:
            missing = "the speed" if unit.speed is None else "the impulse"
            yield facts.unknown(f"{missing} is not known")
    elif not called and (facts.impulse or 0) <= facts.movement.of:  # An impulse there is not has its finding.
        on = facts.movement.chart.called(int(unit.speed or 0))
        later = next((n for n in on if n > (facts.impulse or 0)), None)
        yield facts.error(
            f"moves on impulse {facts.impulse}, which does not call speed {unit.speed}",
            expected=f"no move before impulse {later}" if later else "no move more this turn",
            found=f"a move to {facts.move.to_hex}",
            fix=f"move on {', '.join(map(str, on))}" if on else "a ship of speed 0 does not move",
            data_status=facts.movement.called_status(unit.speed),
        )


@check(
    "C1.4/missed", "On every called impulse", on="impulse", passes="plain", rests_on=("places", "moves made")
)
def missed(facts: ImpulseFacts) -> Findings:
    """A unit moves on every impulse the chart calls for its speed; it cannot stay behind.

    Legal: speed 4 of 8 on impulses 2, 4, 6 and 8. Illegal: no move on impulse 4. Fix: move it.
    """
    for _, unit in facts.ships:
        if unit.name in facts.moved or not facts.movement.called(unit, facts.impulse):
            continue
        if unit.hex is not None and facts.movement.has_left(unit.hex):
            continue
        absent = unit.name in facts.absent
        say = facts.undecided if absent else facts.error
        yield say(
            f"{'no move of it is given; impulse' if absent else 'does not move on impulse'} {facts.impulse}"
            f"{' calls' if absent else ', which calls'} speed {unit.speed}",
            subject=unit.name,
            expected="one hex",
            found="no move",
            fix=f"`{unit.name}: ahead` (or left, right) in impulse {facts.impulse}",
            data_status=facts.movement.called_status(unit.speed),
        )


@check("MAP", "The edge of the map", on="move", passes="plain")
def edge_of_the_map(facts: MoveFacts) -> Findings:
    """In a game on a map (option `map`, as the scenarios have it) a ship that leaves it has disengaged: it is
    out of the game, takes no more damage and does not come back.

    Legal: a ship moves over the edge, which is noted. Illegal: it comes back, or moves on beyond it.
    Fix: take the move back.
    """
    before, after = facts.move.from_hex, facts.move.to_hex
    if facts.movement.has_left(before):
        came = "moves on" if facts.movement.has_left(after) else "comes back"
        yield facts.error(
            f"{came} after it has left the map",
            expected="no move",
            found=f"a move to {after}",
            fix="take the move back: a ship that leaves the map has disengaged",
        )
    elif facts.movement.has_left(after):
        yield facts.finding(Severity.NOTE, "leaves the map: it has disengaged", found=str(after))


@check("C1.4/limit", "Greatest speed of the chart", on="turn")
def greatest_speed(facts: SpeedFacts) -> Findings:
    """No unit moves faster than its chart calls: 8, 16 or 31 hexes a turn of 8, 16 or 32 impulses.

    Legal: speed 16 on 16 impulses. Illegal: speed 17. Fix: slow down.
    """
    limit = facts.movement.limit(facts.unit.kind)
    if facts.unit.speed is not None and facts.unit.speed > limit:
        yield facts.error(
            f"speed {facts.unit.speed} on a chart of {facts.movement.of} impulses",
            expected=f"≤ {limit}",
            found=str(facts.unit.speed),
            fix=f"move no faster than {limit}",
        )


@check("B3.0-14/track", "Acceleration from turn to turn", on="turn", rests_on=("form",))
def acceleration(facts: SpeedFacts) -> Findings:
    """Speed grows from one turn to the next by no more than the game allows: in the cadet game by 8, in the
    standard game to twice the speed before or by 10, whichever is more. It may fall freely.

    Energy forms are judged by B3.0-14/acceleration; this judges the speeds of a track.
    Legal: 5, then 13. Illegal: 5, then 14 in the cadet game. Fix: slow down.
    """
    before, speed = facts.previous, facts.unit.speed
    if before is None:
        yield facts.unknown(
            "the speed of the turn before is not known; give it with --option previous_speed=N"
        )
    elif speed is not None and speed > (limit := facts.movement.fastest_after(before)):
        yield facts.error(
            f"speed {speed} after {before}",
            expected=f"≤ {limit}",
            found=str(speed),
            fix=slower(facts.rulebook, before),
        )


def step_of(verb: str) -> str:
    """The step of the impulse in which an order of a kind (`Fire`) is carried out; empty for others."""
    return STEP_OF.get(verb, "")
