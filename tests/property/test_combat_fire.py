"""Fire over all that can be declared: ranges that only grow, dice in order, damage that is never lost."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from referee.adjudicator.fire import check_shots, resolve_shots, volleys_of
from referee.core.combat import CloakHistory, CloakState, Declaration, Moment, Seeker, Shot, ShotResult, Unit
from referee.core.dice import seeded_dice
from referee.core.hexgrid import FACINGS, Hex, true_range
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.rulebooks.sfb.cloak import cloak_at
from referee.rulebooks.sfb.seekers import seeker_course
from referee.rulebooks.sfb.sensors import Aim

BOOKS = st.sampled_from(["sfb-cadet", "sfb-standard"]).map(load_rulebook)
STANDARD = load_rulebook("sfb-standard")
WHOLE = [CloakState("fading-in", n) for n in (4, 3, 2, 1)] + [CloakState("cloaked")]
"""Cloaks by what they add to the range of a ship with lock-on until it is lost, least first."""
hexes = st.builds(Hex, st.integers(1, 40), st.integers(1, 30))
facings = st.sampled_from(FACINGS)
PHASERS = ("phaser-1", "phaser-2", "phaser-3", "phaser-g", "phaser-4")
DIRECT = (*PHASERS, "photon", "disruptor")


def bare(type: str, range: int, **more: Any) -> Shot:
    target = Unit("target", cloak=more.pop("cloak", CloakState()))
    return Shot(type, type, Unit("firer"), target, range=range, energy="paid", last_fired=None, **more)


def effective(book: Rulebook, range: int, **more: Any) -> int:
    shot = bare("phaser-1", range, **more)
    found = Aim(shot, book, Declaration((shot,))).effective_range
    assert found is not None
    return found


@given(BOOKS, st.integers(0, 200), st.integers(0, 9), st.sampled_from([True, False]), st.integers(0, 4))
def test_effective_range_only_grows(
    book: Rulebook, range: int, scanner: int, lock: bool, hidden: int
) -> None:
    seen: dict[str, Any] = {"scanner": scanner, "lock_on": lock}
    here = effective(book, range, **seen)
    assert here >= range
    assert effective(book, range + 1, **seen) > here
    assert effective(book, range, scanner=scanner + 1, lock_on=lock) == here + 1
    assert effective(book, range, scanner=scanner, lock_on=False) >= here
    cloaked = effective(book, range, cloak=WHOLE[hidden], **seen)
    assert cloaked > effective(book, range, scanner=scanner)
    if hidden:
        assert cloaked > effective(book, range, cloak=WHOLE[hidden - 1], **seen)


@given(BOOKS, st.integers(0, 60), st.integers(0, 9), st.sampled_from([True, False]))
def test_a_cloaked_target_is_doubled_once(book: Rulebook, range: int, scanner: int, lock: bool) -> None:
    at = effective(book, range, scanner=scanner, lock_on=lock, cloak=CloakState("cloaked"))
    assert at == 2 * range + scanner + 5


@given(st.sampled_from(PHASERS), st.integers(0, 110), st.integers(1, 6))
def test_phasers_fade_with_range_and_die(type: str, range: int, die: int) -> None:
    def damage(range: int, die: int) -> int:
        return result_of(bare(type, range), die).damage

    assert damage(range, die) >= damage(range + 1, die)
    assert die == 6 or damage(range, die) >= damage(range, die + 1)


def result_of(shot: Shot, die: int) -> ShotResult:
    from referee.core.dice import ScriptedDice

    return resolve_shots(STANDARD, [shot], ScriptedDice([die]))[0]


shots = st.lists(st.tuples(st.sampled_from(DIRECT), st.integers(2, 30)), min_size=1, max_size=12)


@given(shots, shots, st.text(max_size=8))
def test_later_shots_do_not_touch_earlier_dice(
    first: list[tuple[str, int]], more: list[tuple[str, int]], seed: str
) -> None:
    alone = resolve_shots(STANDARD, [bare(*said) for said in first], seeded_dice(seed))
    together = resolve_shots(STANDARD, [bare(*said) for said in [*first, *more]], seeded_dice(seed))
    assert together[: len(alone)] == alone


fire = st.lists(
    st.tuples(
        st.sampled_from("PQR"), st.sampled_from("XY"), hexes, st.sampled_from(DIRECT), st.integers(1, 3)
    ),
    min_size=1,
    max_size=15,
)


@given(fire, hexes, facings, st.sampled_from(["step", "impulse"]), st.text(max_size=6))
def test_no_damage_is_lost_between_shots_and_volleys(
    said: list[tuple[str, str, Hex, str, int]], at: Hex, facing: str, groups: str, seed: str
) -> None:
    book = STANDARD.with_options({"volley_groups": groups})
    declared = []
    for firer, target, hex, type, impulse in said:
        assume(hex != at and 2 <= true_range(hex, at) <= 30)
        one = Unit(firer, hex=hex, facing="A"), Unit(target, hex=at, facing=facing)
        declared.append(Shot(type, type, *one, turn=1, impulse=impulse, energy="paid", last_fired=None))
    results = resolve_shots(book, declared, seeded_dice(seed))
    struck = [result for result in results if len(result.shields) == 1]
    volleys = volleys_of(book, struck)
    assert sum(volley.order.points for volley in volleys) == sum(result.damage for result in struck)
    assert all(volley.order.points > 0 for volley in volleys)
    keys = [(volley.target, volley.order.shield, volley.impulse, volley.step) for volley in volleys]
    assert len(keys) == len(set(keys))
    for volley in volleys:
        points = [part for part, _ in volley.order.origins]
        assert sum(points) == volley.order.points and points == sorted(points, reverse=True)


@given(
    st.sampled_from([8, 16, 32]), st.integers(1, 3), st.integers(0, 31), st.integers(1, 2), st.integers(0, 31)
)
def test_the_gap_counts_impulses_one_by_one(impulses: int, t1: int, i1: int, later: int, i2: int) -> None:
    i1, t2, i2 = i1 % impulses + 1, t1 + later, i2 % impulses + 1
    shot = bare("phaser-1", 1, turn=t2, impulse=i2, impulses=impulses)
    from dataclasses import replace

    report = check_shots(STANDARD, [replace(shot, last_fired=Moment(t1, i1))])
    between = 0
    turn, impulse = t1, i1
    while (turn, impulse) != (t2, i2):
        between += 1
        turn, impulse = (turn, impulse + 1) if impulse < impulses else (turn + 1, 1)
    assert any(finding.key == "E1.5" for finding in report.findings) == (between < impulses // 4)


@given(hexes, facings, hexes)
def test_a_seeker_arrives(start: Hex, facing: str, target: Hex) -> None:
    seeker = Seeker("A", "drone", "firer", "target", start, facing, Moment(1, 1))
    far = true_range(start, target)
    for _ in range(far + 8):
        if seeker.hex == target:
            break
        moves = seeker_course(seeker, target, STANDARD)
        assert all(true_range(seeker.hex, hex) == 1 for hex, _ in moves)
        hex, way = moves[0]
        seeker = Seeker("A", "drone", "firer", "target", hex, way, Moment(1, 1))
    assert seeker.hex == target


announcements = st.lists(
    st.tuples(
        st.builds(Moment, st.integers(1, 3), st.integers(1, 16)), st.sampled_from(["cloak", "uncloak"])
    ),
    max_size=6,
)


@given(announcements, st.frozensets(st.integers(1, 3)), st.booleans(), st.sampled_from(["true", "false"]))
def test_a_cloak_never_leaps(orders: Any, paid: frozenset[int], cloaked: bool, at_once: str) -> None:
    """Impulse by impulse a fade counts up to four; nothing goes from visible to cloaked without one."""
    book = STANDARD.with_options({"fade_at_once": at_once})
    history = CloakHistory("ship", 16, paid, tuple(orders), cloaked)
    before = CloakState("cloaked") if cloaked else CloakState()
    for turn in (1, 2, 3):
        for impulse in range(1, 17):
            now = cloak_at(book, history, Moment(turn, impulse))
            if now.impulse > 1:
                assert now == CloakState(before.phase, before.impulse + 1)
            elif now.phase == "cloaked":
                assert before in (CloakState("cloaked"), CloakState("fading-out", 4))
            elif now.phase == "visible":
                assert before in (CloakState(), CloakState("fading-in", 4))
            elif now.phase == "fading-out":
                assert turn in paid
            before = now


@given(facings, hexes, hexes)
def test_arc_findings_agree_with_the_ship(facing: str, at: Hex, target: Hex) -> None:
    """No weapon of a ship is out of arc for one rule and not judged by the other."""
    from referee.core.arcs import bears

    ship = load_ship("standard/klingon-d7")
    for mount in ship.mounts:
        unit = Unit("D7", ship, hex=at, facing=facing)
        shot = Shot(
            mount.id,
            mount.type,
            unit,
            Unit("target", hex=target),
            mount=mount,
            energy="paid",
            last_fired=None,
        )
        report = check_shots(STANDARD, Declaration((shot,)))
        against = [finding.key for finding in report.findings if finding.key in ("D2.1", "D2.2")]
        offset = shot.offset
        assert offset is not None
        assert len(against) == (mount.type != "drone" and not bears(mount.arc, offset))
