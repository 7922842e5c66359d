"""`@frozen` classes behave as `@dataclass(frozen=True, slots=True)` ones: each test is held by both."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from referee.core.forms import EnergyAllocation, Figure
from referee.core.frozen import frozen, maker, whole
from referee.core.location import Location

Decorator = Callable[[type], type]
STANDARD: Decorator = dataclass(frozen=True, slots=True)


def shapes(made: Decorator) -> SimpleNamespace:
    """The same classes by one decorator or the other."""

    @made
    class Point:
        """A place."""

        count: ClassVar[int] = 7
        x: int
        y: int = 2

        @property
        def sum(self) -> int:
            return self.x + self.y

        @classmethod
        def at(cls, x: int) -> Any:
            return cls(x)

        @staticmethod
        def unit() -> str:
            return "hex"

    @made
    class Bag:
        name: str
        items: list[int] = field(default_factory=list)
        note: str = field(default="", compare=False)
        secret: str = field(default="", repr=False)
        size: int = field(default=3, metadata={"unit": "points"})

    @made
    class Empty:
        pass

    @made
    class Deep(Point):
        z: int = 3
        y: int = 20

    @made
    class Deeper(Deep):
        pass

    @made
    class Named:
        name: str

        def __repr__(self) -> str:
            return f"<{self.name}>"

    @made
    class Checked:
        n: int

        def __post_init__(self) -> None:
            if self.n < 0:
                raise ValueError("negative")

    @made
    class Plain(Named):
        more: int = 0

    class Loose(Point):
        """Not decorated itself."""

    return SimpleNamespace(**{name: value for name, value in locals().items() if isinstance(value, type)})


OURS, THEIRS = shapes(frozen), shapes(STANDARD)
BOTH = pytest.mark.parametrize("made", [OURS, THEIRS], ids=["frozen", "dataclass"])
NAMES = sorted(vars(THEIRS))


@frozen
class OurPair:
    left: Any
    right: Any = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TheirPair:
    left: Any
    right: Any = field(default=None, compare=False)


PAIRS = pytest.mark.parametrize("pair", [OurPair, TheirPair])


# -- making ------------------------------------------------------------------------------


@BOTH
def test_init_takes_positions_names_and_defaults(made: SimpleNamespace) -> None:
    assert [(p.x, p.y) for p in (made.Point(1), made.Point(1, 5), made.Point(y=4, x=3))] == [
        (1, 2),
        (1, 5),
        (3, 4),
    ]
    assert made.Empty() == made.Empty()
    for wrong in (made.Point, lambda: made.Point(1, 2, 3), lambda: made.Point(1, z=3), lambda: made.Empty(1)):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.parametrize("name", NAMES)
def test_the_same_parameters_by_name_and_order(name: str) -> None:
    ours, theirs = (inspect.signature(getattr(made, name).__init__).parameters for made in (OURS, THEIRS))
    assert list(ours) == list(theirs)
    assert [p.kind for p in ours.values()] == [p.kind for p in theirs.values()]
    assert [p.default is p.empty for p in ours.values()] == [p.default is p.empty for p in theirs.values()]


@BOTH
def test_a_default_factory_makes_each_its_own(made: SimpleNamespace) -> None:
    first, second = made.Bag("a"), made.Bag("a")
    first.items.append(1)
    assert (first.items, second.items, made.Bag("a", [9]).items) == ([1], [], [9])
    assert made.Bag("a", items=[]).items == []


@BOTH
def test_post_init_is_run(made: SimpleNamespace) -> None:
    assert made.Checked(1).n == 1
    for refused in (lambda: made.Checked(-1), lambda: replace(made.Checked(1), n=-1)):
        with pytest.raises(ValueError, match="negative"):
            refused()


@BOTH
def test_what_else_a_class_has_stays(made: SimpleNamespace) -> None:
    point = made.Point.at(3)
    assert (point.sum, made.Point.count, point.count, made.Point.unit()) == (5, 7, 7, "hex")
    assert made.Point.__doc__ == "A place."
    assert made.Point.__module__ == __name__
    assert made.Point.__name__ == "Point"
    assert made.Point.__qualname__.endswith("shapes.<locals>.Point")


@BOTH
def test_there_are_slots_and_no_dictionary(made: SimpleNamespace) -> None:
    assert made.Point.__slots__ == ("x", "y")
    assert made.Deep.__slots__ == ("z",)
    assert made.Deeper.__slots__ == made.Empty.__slots__ == ()
    for instance in (made.Point(1), made.Deep(1), made.Bag("a"), made.Empty()):
        assert not hasattr(instance, "__dict__")


# -- frozenness --------------------------------------------------------------------------


@BOTH
def test_nothing_can_be_set_or_deleted(made: SimpleNamespace) -> None:
    for point in (made.Point(1), made.Deep(1)):
        with pytest.raises(FrozenInstanceError):
            point.x = 2
        with pytest.raises(FrozenInstanceError):
            del point.x
        with pytest.raises((FrozenInstanceError, TypeError)):
            point.colour = "red"
        assert point.x == 1
    with pytest.raises((AttributeError, TypeError)):
        made.Point(1).sum = 4


# -- comparing ---------------------------------------------------------------------------


@BOTH
def test_equal_if_of_one_class_and_of_equal_fields(made: SimpleNamespace) -> None:
    assert made.Point(1) == made.Point(1, 2)
    assert made.Point(1) != made.Point(2)
    assert made.Point(1) != (1, 2)
    assert made.Point(1, 2) != made.Deep(1, 2)
    assert made.Point(1, 2) != made.Loose(1, 2)
    assert made.Loose(1, 2) == made.Loose(1, 2)
    assert made.Point(1).__eq__((1, 2)) is NotImplemented
    assert (made.Point(1) == AlwaysEqual()) is True


class AlwaysEqual:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


@BOTH
def test_a_field_may_be_left_out_of_comparing(made: SimpleNamespace) -> None:
    assert made.Bag("a", note="one") == made.Bag("a", note="two")
    assert made.Bag("a", secret="one") != made.Bag("a", secret="two")


def test_not_a_number_equals_itself_as_in_tuples() -> None:
    """So it is in dataclasses before Python 3.13."""
    made, nan = shapes(frozen), float("nan")
    assert made.Point(nan) == made.Point(nan)
    assert made.Point(nan) != made.Point(float("nan"))


@BOTH
def test_equal_ones_hash_alike(made: SimpleNamespace) -> None:
    assert len({made.Point(1), made.Point(1, 2), made.Point(2)}) == 2
    assert hash(made.Point(1)) == hash(made.Point(1, 2)) == hash((1, 2))
    with pytest.raises(TypeError, match="unhashable"):
        hash(made.Bag("a"))


@PAIRS
def test_a_field_left_out_of_comparing_is_left_out_of_the_hash(pair: Any) -> None:
    assert hash(pair(1, [])) == hash(pair(1, "other"))


@BOTH
def test_there_is_no_order(made: SimpleNamespace) -> None:
    with pytest.raises(TypeError):
        made.Point(1) < made.Point(2)  # noqa: B015


# -- showing -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make",
    [
        lambda made: made.Point(1),
        lambda made: made.Bag("a", secret="s", note="n"),
        lambda made: made.Empty(),
        lambda made: made.Deep(1),
        lambda made: made.Named("n"),
        lambda made: made.Plain("n"),
        lambda made: made.Loose(1),
        lambda made: made.Point(made.Point("x")),
    ],
)
def test_both_show_the_same(make: Any) -> None:
    assert repr(make(OURS)) == repr(make(THEIRS))


# -- taking apart ------------------------------------------------------------------------


@BOTH
def test_replace_changes_some_and_keeps_the_rest(made: SimpleNamespace) -> None:
    bag = made.Bag("a", [1], "n", "s", 5)
    changed = replace(bag, name="b")
    assert (changed.name, changed.items, changed.note, changed.secret, changed.size) == (
        "b",
        [1],
        "n",
        "s",
        5,
    )
    assert changed.items is bag.items
    assert type(replace(made.Deep(1), z=9)) is made.Deep
    assert type(replace(made.Loose(1), x=9)) is made.Loose
    with pytest.raises(TypeError):
        replace(bag, colour="red")


@pytest.mark.parametrize("name", NAMES)
def test_fields_are_the_same(name: str) -> None:
    def told(cls: type) -> list[Any]:
        return [
            (
                f.name,
                f.type,
                f.default,
                f.default_factory,
                f.init,
                f.repr,
                f.compare,
                f.hash,
                dict(f.metadata),
            )
            for f in fields(cls)
        ]

    ours, theirs = getattr(OURS, name), getattr(THEIRS, name)
    assert told(ours) == told(theirs)
    assert told(ours) == told(theirs), "asked again"
    assert dataclasses.is_dataclass(ours)


def test_fields_of_a_class_do_not_depend_on_who_was_asked_first() -> None:
    for order in (("Deep", "Point"), ("Point", "Deep")):
        made = shapes(frozen)
        names = {name: [f.name for f in fields(getattr(made, name))] for name in order}
        assert names == {"Deep": ["x", "y", "z"], "Point": ["x", "y"]}
        assert [f.default for f in fields(made.Point)][1] == 2
        assert [f.default for f in fields(made.Deep)][1] == 20
        assert [f.name for f in fields(made.Deeper(1))] == ["x", "y", "z"]


@BOTH
def test_as_tuple_and_dictionary(made: SimpleNamespace) -> None:
    assert dataclasses.astuple(made.Deep(1)) == (1, 20, 3)
    assert dataclasses.asdict(made.Bag("a", [1])) == {
        "name": "a",
        "items": [1],
        "note": "",
        "secret": "",
        "size": 3,
    }


@PAIRS
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickled_and_back(pair: Any, protocol: int) -> None:
    whole = pair(pair(1, "inner"), {"a": [Fraction(1, 2)]})
    back = pickle.loads(pickle.dumps(whole, protocol))
    assert back == whole
    assert (back.right, back.left.right, type(back)) == (whole.right, "inner", pair)


@PAIRS
def test_copied(pair: Any) -> None:
    whole = pair([1], [2])
    shallow, deep = copy.copy(whole), copy.deepcopy(whole)
    assert shallow == deep == whole
    assert (shallow.left is whole.left, shallow.right is whole.right) == (True, True)
    assert (deep.left is whole.left, deep.right == [2]) == (False, True)


@BOTH
def test_matched_by_place_and_by_name(made: SimpleNamespace) -> None:
    assert made.Point.__match_args__ == ("x", "y")
    assert made.Deep.__match_args__ == ("x", "y", "z")
    assert made.Empty.__match_args__ == ()
    match made.Deep(1):
        case made.Deep(x, y, z=depth):
            assert (x, y, depth) == (1, 20, 3)
        case _:
            pytest.fail("not matched")
    match made.Deep(1):
        case made.Point(x):
            assert x == 1
        case _:
            pytest.fail("not matched as its base")


# -- inheriting --------------------------------------------------------------------------


@BOTH
def test_inherited_fields_come_first_in_their_old_places(made: SimpleNamespace) -> None:
    deep = made.Deep(1, z=4)
    assert (deep.x, deep.y, deep.z) == (1, 20, 4)
    assert made.Deep(1, 2, 3).sum == 3
    assert made.Deeper(1, 2, 3).z == 3
    assert isinstance(made.Deeper(1), made.Point)
    assert made.Deep.count == 7
    assert made.Loose(1).sum == 3


@BOTH
def test_two_bases(made: SimpleNamespace) -> None:
    decorate = frozen if made is OURS else STANDARD

    class Marker:
        __slots__ = ()

        def mark(self) -> str:
            return "marked"

    @decorate
    class Both(made.Point, Marker):  # type: ignore[name-defined,misc]
        w: int = 0

    assert (Both(1, w=5).mark(), Both(1, 2, 5).w, [f.name for f in fields(Both)]) == (
        "marked",
        5,
        ["x", "y", "w"],
    )


def _inherited_post_init(made: Decorator) -> None:
    @made
    class Base:
        n: int

        def __post_init__(self) -> None:
            if self.n < 0:
                raise ValueError("negative")

    @made
    class Child(Base):
        m: int = 0

    with pytest.raises(ValueError, match="negative"):
        Child(-1)


def _own_equality(made: Decorator) -> None:
    @made
    class Folded:  # noqa: PLW1641
        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Folded) and self.name.casefold() == other.name.casefold()

    assert Folded("A") == Folded("a")
    assert hash(Folded("A")) == hash(("A",))


def _own_init(made: Decorator) -> None:
    @made
    class Doubled:
        n: int

        def __init__(self, n: int) -> None:
            object.__setattr__(self, "n", 2 * n)

    assert Doubled(2).n == 4


def _not_in_init(made: Decorator) -> None:
    @made
    class Derived:
        n: int
        twice: int = field(init=False, default=8)

    assert Derived(4).twice == 8
    with pytest.raises(TypeError):
        Derived(4, 9)


def _own_hash_flag(made: Decorator) -> None:
    @made
    class Listing:
        name: str
        items: list[int] = field(hash=False)

    assert hash(Listing("a", [1])) == hash(Listing("a", [2]))


def _mutable_default(made: Decorator) -> None:
    with pytest.raises(ValueError, match="mutable default"):

        @made
        class Shared:
            items: list[int] = []  # noqa: RUF012


def _standard_base(made: Decorator) -> None:
    @dataclass(frozen=True, slots=True)
    class Base:
        a: int

    @made
    class Child(Base):
        b: int

    assert (Child(1, 2).a, Child(1, 2).b) == (1, 2)


def _deleting_says_so(made: Decorator) -> None:
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del shapes(made).Point(1).x


def _repr_of_a_circle(made: Decorator) -> None:
    @made
    class Knot:
        held: list[Any]

    knot = Knot([])
    knot.held.append(knot)
    assert "..." in repr(knot)


def _default_first(made: Decorator) -> None:
    with pytest.raises(TypeError, match="default"):

        @made
        class Backwards:
            first: int = 1
            second: int


def _factories_of_their_own(made: Decorator) -> None:
    @made
    class Lists:
        one: list[int] = field(default_factory=list)
        many: int = 3

    @made
    class Sets:
        one: set[int] = field(default_factory=set)
        many: int = 4

    assert (Lists(), Sets(), Lists([1], 2), Sets(many=0).one) == (
        Lists([], 3),
        Sets(set(), 4),
        Lists([1], 2),
        set(),
    )
    with pytest.raises(TypeError, match="'few'"):
        Sets(few=1)


FINER = (
    _repr_of_a_circle, _inherited_post_init, _own_equality, _mutable_default, _deleting_says_so, _default_first,
    _factories_of_their_own,
)  # fmt: skip
"""What a dataclass does besides, and `@frozen` too."""

REFUSED = (_own_init, _not_in_init, _own_hash_flag, _standard_base)
"""What a dataclass does and `@frozen` does not: it says so where the class is defined."""


@pytest.mark.parametrize("held", (*FINER, *REFUSED))
def test_finer_points_of_a_dataclass(held: Callable[[Decorator], None]) -> None:
    held(STANDARD)


@pytest.mark.parametrize("held", FINER)
def test_finer_points(held: Callable[[Decorator], None]) -> None:
    held(frozen)


@pytest.mark.parametrize("held", REFUSED)
def test_what_is_not_done_is_refused(held: Callable[[Decorator], None]) -> None:
    with pytest.raises(TypeError, match="use a dataclass"):
        held(frozen)


# -- in use ------------------------------------------------------------------------------


def test_the_classes_in_use_can_be_replaced_and_pickled() -> None:
    place = Location("form", cell="B2")
    column = EnergyAllocation(1, {"14": Figure(Fraction(8), place)}, place)
    assert pickle.loads(pickle.dumps(column)) == column
    assert replace(column, turn=2).entries is column.entries


def test_its_own_replace_is_that_of_dataclasses() -> None:
    from referee.core.frozen import replace as changed

    place = Location("form", cell="B2")
    assert changed(place, cell="C3") == replace(place, cell="C3") == Location("form", cell="C3")
    assert changed(place) == place and changed(place) is not place
    with pytest.raises(TypeError):
        changed(place, colour="red")

    @dataclass(frozen=True)
    class Other:
        a: int
        b: int = 2

    assert changed(Other(1), b=3) == Other(1, 3)


def test_what_a_maker_makes_is_what_calling_the_class_makes() -> None:
    make = maker(Location)
    made, called = make("a.log", line=7), Location("a.log", line=7)
    assert type(made) is Location and made == called and hash(made) == hash(called)
    assert pickle.loads(pickle.dumps(made)) == replace(made, line=7) == called
    with pytest.raises(FrozenInstanceError):
        made.line = 8  # type: ignore[misc]


def test_what_is_made_of_all_fields_is_what_calling_the_class_makes() -> None:
    @frozen
    class Held:
        rows: list[int] = field(default_factory=list)
        n: int = 1

    @frozen
    class More(Held):
        more: int = 2

    @frozen
    class Even:
        n: int

        def __post_init__(self) -> None:
            if self.n % 2:
                raise ValueError("odd")

    assert whole(Held)([1], 2) == Held([1], 2) == replace(Held([1]), n=2)
    assert type(whole(More)([1], 2, 3)) is More and whole(More)([1], 2, 3) == More([1], 2, 3)
    with pytest.raises(ValueError, match="odd"):
        whole(Even)(3)
    with pytest.raises(TypeError):
        whole(Held)([1])


def test_a_maker_is_for_plain_fields_alone() -> None:
    @frozen
    class Held:
        rows: list[int] = field(default_factory=list)

    with pytest.raises(TypeError, match="Held is made by calling it"):
        maker(Held)
