"""Energy: sources pay exactly what lines take, and the rules agree with a search through all ways to pay."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypothesis import assume, given
from hypothesis import strategies as st

from referee.adjudicator.check import check_form
from referee.core.energy import parse_energy, show_energy
from referee.core.finding import Severity, TurnLedger
from referee.core.forms import EnergyAllocation, EnergyForm, Figure
from referee.core.location import Location
from referee.core.ship import ShipClass
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.rulebooks.sfb.arming import readings, starting_tubes
from tests.conftest import examples

SOME = examples(120, derandomize=True)
PLACE = Location("form")
CADET = load_rulebook("sfb-cadet").with_options({"reinforcement": "true"})
STANDARD = load_rulebook("sfb-standard")
FEDERATION = load_ship("cadet/federation-ca")
SHIPS = [
    load_ship(id) for id in ("cadet/federation-ca", "cadet/klingon-d6", "cadet/romulan-kr", "cadet/orion")
]
FLEET = [load_ship(id) for id in ("standard/federation-ca", "standard/klingon-d7", "standard/romulan-we")]
POINTS = st.builds(Fraction, st.integers(0, 24), st.sampled_from([1, 1, 1, 2, 3]))
PAYING = ("B3.0-14", "B3.0-20", "E4.23")


def form_of(*turns: dict[str, Fraction]) -> EnergyForm:
    """A form whose n-th turn has these lines."""
    allocations = tuple(
        EnergyAllocation(n, {line: Figure(amount, PLACE) for line, amount in lines.items()}, PLACE)
        for n, lines in enumerate(turns, 1)
    )
    return EnergyForm(None, allocations, PLACE)


def lines_of(ship: ShipClass) -> list[str]:
    tubes = [f"10:{mount.id}" for mount in ship.mounts if mount.system == "torpedo"]
    fixed = [
        "1",
        "2",
        "3",
        "5",
        "6",
        "7",
        "8",
        "9",
        "9:held",
        "9:fired",
        "11",
        "12",
        "13:1",
        "14",
        "16",
        "21",
    ]
    return [*fixed, *tubes, "19:cloak"]


@st.composite
def any_forms(draw: st.DrawFn) -> tuple[ShipClass, EnergyForm]:
    ship = draw(st.sampled_from(SHIPS + FLEET))
    columns = st.dictionaries(st.sampled_from(lines_of(ship)), POINTS, max_size=10)
    return ship, form_of(*draw(st.lists(columns, min_size=1, max_size=4)))


def amounts(shown: object) -> dict[str, Fraction]:
    return {source: Fraction(amount) for source, amount in dict(shown).items()}  # type: ignore[call-overload]


def conserves(ledger: TurnLedger) -> None:
    available, left = amounts(ledger.available), amounts(ledger.left)
    paid: dict[str, Fraction] = {}
    for line in ledger.lines:
        parts = amounts(line.sources)
        assert sum(parts.values()) == Fraction(line.amount), line
        assert all(part > 0 for part in parts.values())
        for source, part in parts.items():
            paid[source] = paid.get(source, Fraction(0)) + part
    for source in ("warp", "impulse", "apr", "battery"):
        assert available.get(source, 0) == paid.get(source, 0) + left.get(source, 0), source
        assert left.get(source, 0) >= 0
    assert set(paid) <= {"warp", "impulse", "apr", "battery", "unpaid"}


@SOME
@given(any_forms())
def test_the_ledger_conserves_energy(ship_and_form: tuple[ShipClass, EnergyForm]) -> None:
    ship, form = ship_and_form
    book = CADET if ship.rulebook == "sfb-cadet" else STANDARD
    report = check_form(book, ship, form)
    assert len(report.ledgers) == len(form.allocations)
    for ledger in report.ledgers:
        conserves(ledger)


@SOME
@given(any_forms())
def test_what_is_carried_stays_within_the_ship(ship_and_form: tuple[ShipClass, EnergyForm]) -> None:
    ship, form = ship_and_form
    book = CADET if ship.rulebook == "sfb-cadet" else STANDARD
    phasers = {
        "phaser-1": Fraction(1),
        "phaser-2": Fraction(1),
        "phaser-g": Fraction(1),
        "phaser-3": Fraction(1, 2),
    }
    capacity = sum((phasers[mount.type] for mount in ship.mounts if mount.system == "phaser"), Fraction(0))
    for ledger in check_form(book, ship, form).ledgers:
        carried = amounts(ledger.carried)
        assert 0 <= carried.get("batteries", 0) <= ship.boxes["battery"]
        assert carried.get("capacitor", 0) >= 0
        # A ship with mounts of which nobody knows what they hold may have more phasers than are told.
        unknown = any(part.startswith("mounts/") for part in ship.missing)
        assert unknown or carried.get("capacitor", 0) <= capacity


@SOME
@given(any_forms())
def test_judging_twice_says_the_same(ship_and_form: tuple[ShipClass, EnergyForm]) -> None:
    ship, form = ship_and_form
    book = CADET if ship.rulebook == "sfb-cadet" else STANDARD
    assert check_form(book, ship, form) == check_form(book, ship, form)


# -- who can pay for what ----------------------------------------------------------------


def payable(sources: dict[str, int], arming: list[int], movement: int, other: list[int]) -> bool:
    """Is there any way to pay? Every split of every line over the sources is tried, a point at a time."""
    from functools import cache

    lines = (
        [("arming", amount) for amount in arming] + [("movement", movement)] + [("other", n) for n in other]
    )

    @cache
    def search(n: int, warp: int, impulse: int, apr: int, battery: int) -> bool:
        if n == len(lines):
            return True
        use, amount = lines[n]
        for w, i, a in product(
            range(min(warp, amount) + 1), range(min(impulse, amount) + 1), range(min(apr, amount) + 1)
        ):
            b = amount - w - i - a
            if not 0 <= b <= battery:
                continue
            if use == "arming" and (i or a or b):
                continue
            if use == "movement" and (i > 1 or a or b):
                continue
            if search(n + 1, warp - w, impulse - i, apr - a, battery - b):
                return True
        return False

    return search(0, sources["warp"], sources["impulse"], sources["apr"], sources["battery"])


@SOME
@given(
    st.fixed_dictionaries(
        {
            "warp": st.integers(0, 7),
            "impulse": st.integers(0, 2),
            "apr": st.integers(0, 2),
            "battery": st.integers(0, 2),
        }
    ),
    st.lists(st.just(2), max_size=2),
    st.integers(0, 9),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_an_allocation_is_refused_only_if_there_is_no_way_to_pay_it(
    sources: dict[str, int], arming: list[int], movement: int, phasers: int, shield: int
) -> None:
    lines = {"1": sources["warp"], "2": sources["impulse"], "3": sources["apr"], "5": sources["battery"]}
    lines |= {f"10:PHOT/{mark}": amount for mark, amount in zip("AB", arming, strict=False)}
    lines |= {"14": movement, "9": phasers, "13:1": shield}
    report = check_form(CADET, FEDERATION, form_of({line: Fraction(n) for line, n in lines.items()}))
    refused = {f.key for f in report.findings if f.severity is Severity.ERROR} & set(PAYING)
    assert bool(refused) != payable(sources, arming, movement, [phasers, shield])
    unpaid = any("unpaid" in line.sources for ledger in report.ledgers for line in ledger.lines)
    assert unpaid == bool(refused)


@SOME
@given(
    st.integers(3, 9),
    st.integers(0, 2),
    st.integers(0, 2),
    st.lists(st.integers(1, 2), min_size=2, max_size=2),
    st.integers(0, 9),
)
def test_held_torpedoes_are_paid_from_anywhere(
    warp: int, impulse: int, apr: int, third_turn: list[int], movement: int
) -> None:
    """On the turn after arming 1 holds a tube, from any source, and 2 begins anew, from warp."""
    assume(
        movement <= 8
    )  # A ship that stood still accelerates to that: what is over it is told of the speed.
    armed = {"14": 0, "10:PHOT/A": 2, "10:PHOT/B": 2}
    now = {"1": warp, "2": impulse, "3": apr, "5": 0, "14": movement}
    now |= {f"10:PHOT/{mark}": amount for mark, amount in zip("AB", third_turn, strict=True)}
    turns = [{line: Fraction(n) for line, n in turn.items()} for turn in (armed, armed, now)]
    report = check_form(CADET, FEDERATION, form_of(*turns))
    refused = {f.key for f in report.findings if f.severity is Severity.ERROR and f.turn == 3} & set(PAYING)
    sources = {"warp": warp, "impulse": impulse, "apr": apr, "battery": 0}
    arming = [amount for amount in third_turn if amount == 2]
    holding = [amount for amount in third_turn if amount == 1]
    assert bool(refused) != payable(sources, arming, movement, holding)


# -- arming over turns -------------------------------------------------------------------

KINDS = {
    "photon": {"kind": "photon", "steps": ["2", "2"], "hold": "1"},
    "plasma-s": {"kind": "steps", "steps": ["2", "2", "4"], "hold": "2"},
    "plasma-r": {"kind": "steps", "steps": ["2", "2", "5"], "hold": None},
    "plasma-f": {"kind": "steps", "steps": ["1", "1", "3"], "hold": "0"},
    "disruptor": {"kind": "same-turn", "amount": "2", "hold": None},
}


def some_history_explains(kind: str, paid: list[int]) -> bool:
    """Is there any course of events (firing, holding, letting go) under which each amount is right?

    The tube is followed one event at a time: after a payment an armed one may be fired or kept.
    """
    arming = KINDS[kind]
    if arming["kind"] == "same-turn":
        return all(amount in (0, 2) for amount in paid)
    steps = [int(step) for step in arming["steps"]]  # type: ignore[attr-defined]
    hold = None if arming["hold"] is None else int(str(arming["hold"]))

    def possible(turn: int, done: int) -> bool:
        """`done` steps are in the tube; all of them means armed."""
        if turn == len(paid):
            return True
        amount, ways = paid[turn], set()
        if done == len(steps):
            if amount == hold:
                ways |= {done, 0}  # held; kept, or fired later in the turn
            if amount == 0:
                ways.add(0)  # let go, or fired before
            if amount == steps[0]:
                ways.add(1)  # fired in the turn before, begun anew
        elif amount == 0:
            ways.add(0)  # idle, or lost
        if done < len(steps) and amount == steps[done]:
            ways.add(done + 1)
            if done + 1 == len(steps):
                ways.add(0)  # fired on the turn it was armed
        return any(possible(turn + 1, way) for way in ways)

    return possible(0, 0)


@SOME
@given(st.sampled_from(sorted(KINDS)), st.lists(st.integers(0, 5), min_size=1, max_size=7))
def test_a_payment_is_refused_only_if_no_history_explains_it(kind: str, paid: list[int]) -> None:
    tubes, refused = starting_tubes(KINDS[kind], None, fresh=True), False
    for amount in paid:
        outcomes = readings(KINDS[kind], tubes, Fraction(amount))
        refused = refused or not outcomes
        tubes = frozenset(outcome.tube for outcome in outcomes)
    assert refused != some_history_explains(kind, paid)


@SOME
@given(st.lists(st.sampled_from([0, 0, 1, 2, 2, 2, 3]), min_size=1, max_size=7))
def test_the_photon_rules_agree_with_the_histories(paid: list[int]) -> None:
    """The first amount without a history is an error of E4.21 or E4.22, and nothing before it is."""
    wrong = next((n for n in range(1, len(paid) + 1) if not some_history_explains("photon", paid[:n])), None)
    form = form_of(*({"10:PHOT/A": Fraction(amount), "14": Fraction(8)} for amount in paid))
    errors = [f for f in check_form(CADET, FEDERATION, form).findings if f.severity is Severity.ERROR]
    turns = [f.turn for f in errors if f.key in ("E4.21", "E4.22")]
    assert (min(turns) if turns else None) == wrong
    assert {f.key for f in errors} <= {"E4.21", "E4.22"}


@SOME
@given(st.integers(0, 9999), st.integers(1, 999))
def test_energy_shown_is_energy_read(top: int, bottom: int) -> None:
    amount = Fraction(top, bottom)
    assume(len(str(int(amount))) <= 6)
    shown = show_energy(amount)
    assert parse_energy(shown) == amount
    assert parse_energy(str(amount)) == amount
