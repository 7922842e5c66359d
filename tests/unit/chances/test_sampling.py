"""Samples: the same integers however the work is divided, precision, comparisons, a cluster."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import pairwise
from statistics import mean, stdev

import numpy as np
import pytest

from referee.chances.comparison import compare
from referee.chances.forecast import Forecast, Sampling, volleys_of
from referee.chances.kernel import _below
from referee.chances.planes import rolls_of, stream_of
from referee.chances.sampling import CHUNK, run_chunks
from referee.chances.workers import cluster_executor, local_executor
from referee.core.errors import BadInput
from tests.conftest import mostly_long
from tests.unit.chances.volleys import inquiry

VOLLEYS = 5 * CHUNK + 1234


@pytest.fixture(scope="module")
def forecast() -> Forecast:
    return Forecast(inquiry("standard/klingon-d7", 12, shield=None, internal=True))


@pytest.fixture(scope="module")
def whole(forecast: Forecast) -> str:
    return forecast.sampled(Sampling("digest", VOLLEYS)).digest()


def _rolled(shares: tuple[int, ...]) -> str:
    """A digest of the first rolls of a chunk."""
    digest = sha256()
    rolls = rolls_of("golden", 1, shares)
    for _ in range(3):
        for row in next(rolls):
            digest.update(row.astype("<u8").tobytes())
    return digest.hexdigest()[:16]


def test_a_seed_always_means_the_same_dice() -> None:
    """Frozen: other numbers here would make old seeds mean something else under the same algorithm."""
    assert _rolled((1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)) == "8a8ccc59df78428c"
    assert _rolled((1,) * 6) == "bd50c9d2a41fee98"
    bounds = np.array([1, 2, 3, 7, 20, 15], np.uint64)
    assert _below(stream_of("golden", 0, 1), bounds).tolist() == [0, 1, 2, 4, 14, 14]


@pytest.mark.long
@pytest.mark.parametrize("workers", mostly_long([2, 4], lambda workers: workers == 2))
def test_workers_give_the_same_integers(forecast: Forecast, whole: str, workers: int) -> None:
    with local_executor(workers) as executor:
        found = forecast.sampled(Sampling("digest", VOLLEYS, executor=executor, workers=workers))
    assert found.digest() == whole


def test_any_executor_will_do(forecast: Forecast, whole: str) -> None:
    with ThreadPoolExecutor(3) as executor:
        assert forecast.sampled(Sampling("digest", VOLLEYS, executor=executor, workers=3)).digest() == whole


@pytest.mark.long
def test_a_cluster_gives_the_same_integers(forecast: Forecast, whole: str) -> None:
    """A real scheduler and two worker processes on this machine."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
        ) as cluster,
        cluster_executor(cluster.scheduler_address) as executor,
    ):
        found = forecast.sampled(Sampling("digest", VOLLEYS, executor=executor, workers=8))
    assert found.digest() == whole


@pytest.mark.one_in(2)
@pytest.mark.parametrize("cuts", [(0, 6), (0, 1, 6), (0, 2, 3, 5, 6), (0, 1, 2, 3, 4, 5, 6)])
def test_chunks_in_any_grouping(forecast: Forecast, whole: str, cuts: tuple[int, ...]) -> None:
    job = forecast.job(Sampling("digest", VOLLEYS))
    first, *more = (run_chunks(job, *span) for span in reversed(list(pairwise(cuts))))
    assert forecast.result_of(job, sum(more, first).ships[0]).digest() == whole


def test_precision(forecast: Forecast) -> None:
    """Sampling goes on until every mean is known well enough, and no sooner for more workers."""
    found = forecast.sampled(Sampling("a", precision=0.01))
    for count in found.systems.values():
        assert count.standard_error <= 0.01 * max(float(count.mean_lost), 0.05) * 1.001
    with ThreadPoolExecutor(2) as executor:
        again = forecast.sampled(Sampling("a", precision=0.01, executor=executor, workers=2))
    assert again.digest() == found.digest()
    with pytest.raises(BadInput, match=r"needs .* volleys"):
        forecast.sampled(Sampling("a", precision=1e-7))


def test_common_dice_make_a_comparison_sharp() -> None:
    """Two like ships with the same dice differ far less by chance than with dice of their own."""
    first, second = (Forecast(inquiry(f"standard/klingon-{ship}", 25)) for ship in ("d7", "d6"))
    found = compare(first, second, Sampling("a", CHUNK), "sampled")
    impulse = found.differences["impulse"]
    assert impulse.standard_error < impulse.independent_error / 20
    more = found.first.count("apr").mean_lost - found.second.count("apr").mean_lost
    assert found.differences["apr"].mean == pytest.approx(float(more))
    alone = second.sampled(Sampling("a", CHUNK))
    assert found.second.weights == alone.weights
    exact = compare(*(Forecast(inquiry(f"cadet/{ship}", 9)) for ship in ("gorn", "lyran")), Sampling("a"))  # type: ignore[call-arg]
    assert exact.first.method == "exact"
    assert exact.differences["phaser"].standard_error == 0
    with pytest.raises(BadInput, match="different damage charts"):
        compare(first, Forecast(inquiry("cadet/gorn", 9)), Sampling("a"))


def test_a_comparison_with_tracks_and_floors() -> None:
    """The spread of a difference is that of the differences: a ship compared with itself has none."""
    one = Forecast(inquiry("standard/klingon-d7", 30))
    same = compare(one, Forecast(inquiry("standard/klingon-d7", 30)), Sampling("a", CHUNK), "sampled")
    for difference in same.differences.values():
        assert difference.mean == 0
        assert difference.standard_error < 1e-6


@pytest.mark.long
def test_the_error_of_a_difference() -> None:
    """The error said is the spread of differences over many small samples."""
    first, second = (Forecast(inquiry(f"standard/{ship}", 25)) for ship in ("klingon-d7", "federation-ca"))
    found = [compare(first, second, Sampling(str(n), 256), "sampled").differences for n in range(40)]
    for name in ("phaser", "power", "sensor", "forward_hull", "shuttle"):
        spread = stdev(one[name].mean for one in found)
        said = mean(one[name].standard_error for one in found)
        assert 0.7 < spread / said < 1.4, name


def test_a_job_is_small_and_travels(forecast: Forecast) -> None:
    from pickle import dumps as pickled
    from pickle import loads as unpickled

    job = forecast.job(Sampling("a", 10))
    assert len(pickled(job)) < 40_000
    assert run_chunks(unpickled(pickled(job)), 0, 1) == run_chunks(job, 0, 1)


def test_a_last_chunk_in_part(forecast: Forecast) -> None:
    """Fewer volleys are the first of the same ones."""
    for volleys in (1, 63, 64, 65, 1000):
        found = forecast.sampled(Sampling("a", volleys))
        assert found.volleys == volleys
        assert all(sum(row) == volleys for row in found.weights[-1].left)


@pytest.mark.parametrize("text", ["0", "-1", "x", "1e99", "nan", "inf", "1e", "2.5"])
def test_impossible_numbers_of_volleys(text: str) -> None:
    with pytest.raises(BadInput):
        volleys_of(text)
    assert volleys_of("1e6") == volleys_of("1000000") == 1_000_000
