"""Samples: the same integers however the work is divided, parts, precision, comparisons, a cluster."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from json import dumps, loads
from statistics import mean, stdev

import numpy as np
import pytest

from referee.chances.comparison import compare, comparison_of, joint_job
from referee.chances.forecast import Forecast, Sampling, volleys_of
from referee.chances.kernel import _below
from referee.chances.parts import SamplePart, merge_parts, part_document, part_of, read_part
from referee.chances.planes import rolls_of, stream_of
from referee.chances.result import Result
from referee.chances.sampling import CHUNK, Job, run_chunks, sample
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
    parts = []
    for start, stop in reversed(list(pairwise(cuts))):
        result = forecast.result_of(job, sample(job, span=(start, stop)).ships[0])
        document = loads(dumps(part_document(part_of(result, job, (start, stop)))))
        parts.append((f"{start}:{stop}", read_part(document, f"{start}:{stop}")))
    merged = merge_parts(parts)
    assert isinstance(merged.answer, Result)
    assert merged.answer.digest() == whole
    assert not merged.missing


def _part(forecast: Forecast, seed: str = "a", span: tuple[int, int] = (0, 1)) -> SamplePart:
    job = forecast.job(Sampling(seed, 2 * CHUNK))
    return part_of(forecast.result_of(job, run_chunks(job, *span).ships[0]), job, span)


def test_parts_that_do_not_fit(forecast: Forecast) -> None:
    one = _part(forecast)
    with pytest.raises(BadInput, match="b: chunk 0 is in a already"):
        merge_parts([("a", one), ("b", one)])
    with pytest.raises(BadInput, match="another seed"):
        merge_parts([("a", one), ("b", _part(forecast, "b", (1, 2)))])
    other = Forecast(inquiry("standard/klingon-d6", 12))
    with pytest.raises(BadInput, match="another ship or volley"):
        merge_parts([("a", one), ("b", _part(other, "a", (1, 2)))])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("fault", ["schema", "facts", "left", "total", "negative", "chunks", "seed", "list"])
def test_broken_parts(forecast: Forecast, fault: str) -> None:
    document = loads(dumps(part_document(_part(forecast))))
    weights = document["ships"][0]["weights"][0]
    match fault:
        case "schema":
            document["schema"] = "referee/odds/1"
        case "facts":
            del document["ships"][0]["facts"]["policy"]
        case "left":
            weights["left"][0][0] += 1
        case "total":
            weights["total"] = 7
        case "negative":
            weights["left"][0][:2] = [-1, weights["left"][0][1] + 1]
        case "chunks":
            document["chunks"] = [[0, 9]]
        case "seed":
            document["seed"] = 5
        case "list":
            document = [document]
    with pytest.raises(BadInput):
        read_part(document, "part.json")


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
@pytest.mark.parametrize(
    "cuts", mostly_long([((0, 3),), ((0, 1, 3),), ((0, 1, 2, 3),)], lambda cuts: len(cuts) == 3)
)
def test_a_comparison_in_parts(cuts: tuple[int, ...]) -> None:
    """Chunks of two ships put together are the comparison made in one go, down to its errors."""
    first, second = (Forecast(inquiry(f"standard/{ship}", 40)) for ship in ("romulan-kr", "federation-ca"))
    sampling = Sampling("a", 2 * CHUNK + 77)
    job = joint_job(first, second, sampling)
    parts = []
    for span in pairwise(cuts):
        found = comparison_of(first, second, job, sample(job, span=span))
        parts.append((str(span), read_part(loads(dumps(part_document(part_of(found, job, span)))), "part")))
    merged = merge_parts(parts).answer
    assert merged == (whole := compare(first, second, sampling, "sampled"))
    assert merged.differences == whole.differences


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


def test_span_outside(forecast: Forecast) -> None:
    job: Job = replace(forecast.job(Sampling("a", 10)))
    with pytest.raises(BadInput, match="a part of 0:1"):
        sample(job, span=(1, 2))
