"""Rows that are only added to share what they hold in common."""

from __future__ import annotations

from operator import itemgetter

import pytest

from referee.core.rows import PART, ByNumber

Pair = tuple[int, str]


def of(count: int) -> ByNumber[Pair]:
    row: ByNumber[Pair] = ByNumber(itemgetter(0))
    for n in range(count):
        row.put((3 * n, f"{n}"))
    return row


@pytest.mark.parametrize("count", [0, 1, PART - 1, PART, PART + 1, 5 * PART + 2])
def test_what_is_put_is_found_by_its_number_and_in_its_order(count: int) -> None:
    row = of(count)
    assert list(row.row()) == [(3 * n, f"{n}") for n in range(count)]
    assert all(row[3 * n] == (3 * n, f"{n}") for n in range(count))
    assert not any(n in row for n in (-1, 1, 3 * PART + 1, 3 * count))
    assert row.get(3 * count) is None
    with pytest.raises(KeyError):
        row[3 * count]


def test_several_at_once_come_to_the_same_as_one_by_one() -> None:
    row = of(PART - 3)
    row.add([(3 * n, f"{n}") for n in range(PART - 3, 3 * PART)])
    row.add([])
    assert row.row() == of(3 * PART).row()
    assert row[3 * PART] == (3 * PART, f"{PART}")


def test_one_is_put_in_the_place_of_that_with_its_number() -> None:
    row = of(2 * PART)
    before = row.row()
    row.put((3 * 5, "another"))
    assert row[15] == (15, "another") and len(row.row()) == 2 * PART
    assert before[5] == (15, "5")


def test_a_fork_goes_its_own_way_and_shares_all_but_the_end() -> None:
    row = of(2 * PART + 1)
    fork = row.fork()
    fork.put((1000, "fork"))
    row.put((1001, "row"))
    assert 1000 in fork and 1001 not in fork
    assert 1001 in row and 1000 not in row
    assert fork.row()._parts[0] is row.row()._parts[0]


def test_what_stands_behind_a_row_is_none_of_it() -> None:
    row = of(PART)
    assert list(row.row((7, "behind")))[-1] == (7, "behind")
    assert 7 not in row
