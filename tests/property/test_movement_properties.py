"""No legal track is called illegal, no single mutation of one is called legal; what is written reads back.

The tracks are made by rules written down again here: the chart by its formula, turn modes by looking
through the brackets, counts by hand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.core.finding import Report, Verdict
from referee.core.hexgrid import FACINGS, Hex
from referee.core.orders import (
    Advance,
    Cloak,
    Fire,
    Help,
    Hit,
    ImpulseBegins,
    Launch,
    Order,
    OrdersFile,
    Placement,
    Seal,
    SetSpeed,
    Status,
    TurnBegins,
    Uncloak,
    Undo,
)
from referee.core.play import Move, When
from referee.corpus.movement import Mover, judge_moves
from referee.formats.orderlines import parse_chat_order
from referee.formats.orders import format_orders, parse_orders
from referee.rulebooks.registry import load_ship
from tests.unit.rulebooks.sfb.movement_book import judged

GAMES = {
    "sfb-cadet": (("cadet/federation-ca", "cadet/klingon-d6", "cadet/kzinti"), (8, 16), 8),
    "sfb-standard": (("standard/klingon-d7", "standard/federation-ca", "standard/orion-lr"), (16, 32), 10),
}
BRACKETS = {
    "AA": ((1, 8, 1), (9, 16, 2), (17, 24, 3), (25, 32, 4)),
    "B": ((1, 5, 1), (6, 10, 2), (11, 15, 3), (16, 21, 4), (22, 28, 5), (29, 32, 6)),
    "D": ((1, 4, 1), (5, 8, 2), (9, 12, 3), (13, 17, 4), (18, 24, 5), (25, 32, 6)),
}


def needs(class_id: str, speed: int) -> int:
    mode = load_ship(class_id).turn_mode
    chart = BRACKETS[mode] if isinstance(mode, str) else mode
    return next(hexes for low, high, hexes in chart if low <= max(1, speed) <= high)


@dataclass(frozen=True)
class Step:
    """One line of a track: whose move, when, how, and how many hexes were counted before it."""

    ship: str
    turn: int
    impulse: int
    way: str
    count: int
    need: int


@dataclass(frozen=True)
class Game:
    """A track, legal until it is mutated."""

    rulebook: str
    of: int
    ships: dict[str, tuple[str, str, int]]
    speeds: dict[tuple[str, int], int]
    steps: tuple[Step, ...]
    turns: int
    grows: int

    def text(self) -> str:
        lines = [f"rulebook {self.rulebook}", f"impulses {self.of}"]
        lines += [
            f"ship {name} = {cls} at {at} speed {speed} side {name}"
            for name, (cls, at, speed) in self.ships.items()
        ]
        for turn in range(1, self.turns + 1):
            lines.append(f"turn {turn}")
            lines += [f"  {name}: speed {self.speeds[name, turn]}" for name in self.ships]
            for impulse in range(1, self.of + 1):
                lines.append(f"impulse {impulse}")
                now = [step for step in self.steps if (step.turn, step.impulse) == (turn, impulse)]
                lines += [f"  {step.ship}: {step.way}" for step in now]
        return "\n".join([*lines, ""])


def legal_game(random: Random) -> Game:
    rulebook = random.choice(sorted(GAMES))
    classes, charts, grows = GAMES[rulebook]
    of = random.choice(charts)
    most = 31 if of == 32 else of
    ships = {
        name: (
            cls,
            f"{random.randint(20, 60)}{random.randint(20, 60)}{random.choice(FACINGS)}",
            random.randint(1, most),
        )
        for name, cls in zip(("Ann", "Bob", "Cy"), random.sample(classes, random.randint(1, 3)), strict=False)
    }
    turns = random.randint(1, 2)
    speeds: dict[tuple[str, int], int] = {}
    counts: dict[str, int | None] = dict.fromkeys(ships)
    steps = []
    for turn in range(1, turns + 1):
        for name, (_, _, speed) in ships.items():
            before = speeds.get((name, turn - 1), speed)
            limit = before + grows if rulebook == "sfb-cadet" else max(2 * before, before + grows)
            speeds[name, turn] = random.randint(1, min(most, limit))
            if turn == 1:
                counts[name] = needs(ships[name][0], speeds[name, 1])
        order = sorted(
            ships,
            key=lambda n: (
                speeds[n, turn],
                -needs(ships[n][0], speeds[n, turn]),
                -sum(needs(ships[n][0], s) for s in range(1, of + 1)),
            ),
        )
        for impulse in range(1, of + 1):
            for name in order:
                speed = speeds[name, turn]
                if impulse * speed // of == (impulse - 1) * speed // of:
                    continue
                need, count = needs(ships[name][0], speed), counts[name] or 0
                way = random.choice(("ahead", "left", "right")) if count >= need else "ahead"
                steps.append(Step(name, turn, impulse, way, count, need))
                counts[name] = count + 1 if way == "ahead" else 1
    return Game(rulebook, of, ships, speeds, tuple(steps), turns, grows)


def show(report: Report) -> str:
    return "\n".join(
        f"{f.severity} {f.key} {f.turn}.{f.impulse} {f.subject}: {f.message}" for f in report.findings
    )


seeds = st.integers(0, 2**32)


@given(seeds)
@settings(deadline=None)
def test_no_legal_track_is_called_illegal(seed: int) -> None:
    report = judged(legal_game(Random(seed)).text())
    assert report.verdict is Verdict.LEGAL, show(report)


@given(seeds)
@settings(deadline=None)
def test_a_turn_too_early_is_illegal(seed: int) -> None:
    random = Random(seed)
    game = legal_game(random)
    early = [n for n, step in enumerate(game.steps) if step.count < step.need]
    if early:
        n = random.choice(early)
        steps = list(game.steps)
        steps[n] = replace(steps[n], way=random.choice(("left", "right")))
        report = judged(replace(game, steps=tuple(steps)).text())
        assert report.verdict is Verdict.ILLEGAL
        assert any(f.rule == "C3.2" and f.impulse == steps[n].impulse for f in report.findings), show(report)


@given(seeds)
@settings(deadline=None)
def test_an_extra_hex_is_illegal(seed: int) -> None:
    random = Random(seed)
    game = legal_game(random)
    name, turn, impulse = (
        random.choice(sorted(game.ships)),
        random.randint(1, game.turns),
        random.randint(1, game.of),
    )
    extra = Step(name, turn, impulse, "ahead", 0, 0)
    place = random.randint(0, len(game.steps))
    steps = (*game.steps[:place], extra, *game.steps[place:])
    report = judged(replace(game, steps=steps).text())
    assert report.verdict is Verdict.ILLEGAL, show(report)
    assert any(f.rule in ("C1.1", "C1.4") and f.impulse == impulse for f in report.findings), show(report)


@given(seeds)
@settings(deadline=None)
def test_a_skipped_impulse_is_not_legal(seed: int) -> None:
    random = Random(seed)
    game = legal_game(random)
    n = random.randrange(len(game.steps))
    gone = game.steps[n]
    rest = (*game.steps[:n], *game.steps[n + 1 :])
    over = f"turn {game.turns + 1}\n"  # Till then it may yet move.
    report = judged(replace(game, steps=rest).text() + over)
    moves_still = any(step.ship == gone.ship for step in rest)
    assert report.verdict is (Verdict.ILLEGAL if moves_still else Verdict.CANNOT_TELL), show(report)
    assert any(
        f.rule == "C1.4" and f.impulse == gone.impulse and f.subject == gone.ship for f in report.findings
    )


@given(seeds)
@settings(deadline=None)
def test_more_acceleration_than_allowed_is_illegal(seed: int) -> None:
    random = Random(seed)
    game = legal_game(random)
    name, turn = random.choice(sorted(game.ships)), random.randint(1, game.turns)
    before = game.speeds.get((name, turn - 1), game.ships[name][2])
    limit = before + game.grows if game.rulebook == "sfb-cadet" else max(2 * before, before + game.grows)
    speeds = {**game.speeds, (name, turn): limit + random.randint(1, 5)}
    report = judged(replace(game, speeds=speeds).text())
    assert report.verdict is Verdict.ILLEGAL
    assert any(f.rule == "B3.0-14" and f.turn == turn and f.subject == name for f in report.findings), show(
        report
    )


@given(seeds)
@settings(deadline=None)
def test_a_wrong_heading_is_illegal(seed: int) -> None:
    """Moves as a log has them, one of which enters another hex, or turns after it moved, or jumps."""
    from tests.unit.rulebooks.sfb.movement_book import book

    random = Random(seed)
    game = legal_game(random)
    where = {name: (Hex(int(at[:2]), int(at[2:4])), at[4]) for name, (_, at, _) in game.ships.items()}
    moves = []
    for step in game.steps:
        here, facing = where[step.ship]
        after = FACINGS[(FACINGS.index(facing) + {"ahead": 0, "right": 1, "left": 5}[step.way]) % 6]
        where[step.ship] = here.step(after), after
        when = When(step.turn, step.impulse)
        moves.append(Move(step.ship, when, here, here.step(after), facing, after))
    movers = [
        Mover(name, load_ship(cls), {t: game.speeds[name, t] for t in range(1, game.turns + 1)}, before, name)
        for name, (cls, _, before) in game.ships.items()
    ]
    rules = book(game.rulebook).with_options({"impulses": str(game.of)})
    assert judge_moves(rules, movers, moves).verdict is Verdict.LEGAL
    n = random.randrange(len(moves))
    move = moves[n]
    kind = random.choice(("hex", "jump", "stays", "late turn", "120"))
    if kind == "hex":
        wrong = [f for f in FACINGS if f != move.facing_after]
        bad = replace(move, to_hex=move.from_hex.step(random.choice(wrong)))
    elif kind == "jump":
        bad = replace(move, to_hex=move.to_hex.step(move.facing_after or "A"))
    elif kind == "stays":
        bad = replace(move, to_hex=move.from_hex)
    elif kind == "late turn":
        side = FACINGS[(FACINGS.index(move.facing_before or "A") + random.choice((1, 5))) % 6]
        bad = replace(move, to_hex=move.from_hex.step(move.facing_before or "A"), facing_after=side)
    else:
        side = FACINGS[(FACINGS.index(move.facing_before or "A") + random.choice((2, 3, 4))) % 6]
        bad = replace(move, to_hex=move.from_hex.step(side), facing_after=side)
    report = judge_moves(rules, movers, [*moves[:n], bad, *moves[n + 1 :]])
    assert report.verdict is Verdict.ILLEGAL, (kind, show(report))


def one_ship(ways: dict[int, str], speed: int = 8, of: int = 8) -> str:
    """A cadet cruiser that comes in at speed 4: how it moves on each impulse given."""
    lines = "".join(f"impulse {n}\n" + (f" X: {ways[n]}\n" if n in ways else "") for n in range(1, of + 1))
    return f"impulses {of}\nship X = cadet/federation-ca at 2020A speed 4\nturn 1\n X: speed {speed}\n{lines}"


EVERY = dict.fromkeys(range(1, 9), "ahead")
FOUR = dict.fromkeys((2, 4, 6, 8), "ahead")


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (one_ship({**EVERY, 1: "right", 2: "right"}), ("C3.2",)),
        (one_ship({**FOUR, 3: "ahead"}, 4), ("C1.4",)),
        (one_ship({n: way for n, way in FOUR.items() if n != 4}, 4), ("C1.4/missed",)),
        (one_ship(dict.fromkeys(range(1, 17), "ahead"), 16, 16), ("B3.0-14/track",)),
    ],
    ids=["turn early", "extra hex", "skipped impulse", "over-acceleration"],
)
def test_a_mutation_is_found_by_its_own_rule_and_by_no_other(text: str, rules: tuple[str, ...]) -> None:
    """What the properties above lean on: without the rule the same track is legal, so that they can fail."""
    assert judged(text).verdict is Verdict.ILLEGAL
    rest = judged(text, without=rules)
    assert rest.verdict is Verdict.LEGAL, show(rest)


words = (
    st.text("abcXYZ019 '-", min_size=1, max_size=20)
    .map(lambda t: " ".join(t.split()))
    .filter(lambda t: any(c.isalnum() for c in t) and not t.casefold().startswith("at "))
)
names = st.lists(
    words, min_size=1, max_size=4, unique_by=lambda t: "".join(c for c in t.casefold() if c.isalnum())
)
places = st.builds(Hex, st.integers(1, 99), st.integers(1, 99))
small = st.integers(0, 9999)


@st.composite
def orders_files(draw: st.DrawFn) -> OrdersFile:
    ships = draw(names)
    ship = st.sampled_from(ships)
    weapon = st.sampled_from(("PH-1/A", "PHOT/B", "DRN/1", "DISR/C"))
    facing = st.sampled_from(FACINGS)
    directions = st.sampled_from(("", "LF", "RR", "row:A", "row:F", "0915"))
    one: st.SearchStrategy[Order] = st.one_of(
        st.builds(TurnBegins, small),
        st.builds(ImpulseBegins, small),
        st.builds(SetSpeed, ship, small),
        st.builds(Advance, ship, st.sampled_from(("ahead", "left", "right"))),
        st.builds(Fire, ship, st.lists(weapon, min_size=1, max_size=3).map(tuple), ship),
        st.builds(Launch, ship, weapon, ship),
        st.builds(Hit, ship, small, st.integers(1, 6), directions),
        st.builds(Seal, ship, st.text("ABC012-", min_size=1, max_size=9)),
        *(st.builds(kind, ship) for kind in (Cloak, Uncloak, Undo, Status, Help)),
    )
    placed = [
        Placement(
            name,
            draw(st.sampled_from(("cadet/gorn", "standard/klingon-d7"))),
            draw(places),
            draw(facing),
            draw(st.none() | small),
            draw(st.sampled_from(("", "Red", "The Blue Side"))),
        )
        for name in ships
    ]
    options = draw(st.sampled_from(((), (("previous_speed", "8"),))))
    return OrdersFile(
        draw(st.sampled_from(("", "sfb-cadet"))),
        draw(st.none() | small),
        options,
        tuple(placed),
        tuple(draw(st.lists(one, max_size=8))),
    )


@given(orders_files())
@settings(deadline=None)
def test_what_is_written_reads_back(orders: OrdersFile) -> None:
    read = parse_orders(format_orders(orders), "o")
    assert not read.problems, (format_orders(orders), read.problems)
    assert read == orders


@given(st.text(max_size=200))
@settings(deadline=None)
def test_any_text_is_read_without_a_fault(text: str) -> None:
    orders = parse_orders(text, "o", load_ship)
    for problem in orders.problems:
        assert problem.location.line
    parse_chat_order("!" + text, "X", ("X", "Y"))
