"""Parts of a sample: some chunks done here, others elsewhere, and all of them put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import reduce
from hashlib import sha256
from typing import Any

from referee.core.errors import BadInput
from referee.odds.exact import Weights
from referee.odds.result import Arrival, Facts, Result
from referee.odds.sampling import CHUNK, Job

SCHEMA = "referee/odds-part/1"
ALGORITHM = "referee-odds-1"


@dataclass(frozen=True, slots=True)
class Part:
    """What some chunks of a job gave. `work` is a hash of the tables it was done by."""

    result: Result
    work: str
    volleys: int
    chunks: tuple[tuple[int, int], ...]


def part_of(result: Result, job: Job, span: tuple[int, int]) -> Part:
    """A span of chunks as a part."""
    return Part(result, sha256(repr(job.plans).encode()).hexdigest(), job.volleys, (span,))


def part_document(part: Part) -> dict[str, Any]:
    """A part as plain data."""
    return {
        "schema": SCHEMA,
        "algorithm": ALGORITHM,
        "work": part.work,
        "seed": part.result.seed,
        "volleys": part.volleys,
        "chunks": [list(span) for span in part.chunks],
        "facts": asdict(part.result.facts),
        "weights": [asdict(weights) for weights in part.result.weights],
    }


def read_part(data: Any, file: str) -> Part:
    """A part from plain data. Raises BadInput for anything that is not one, or does not add up."""
    try:
        if data["schema"] != SCHEMA or data["algorithm"] != ALGORITHM:
            raise BadInput(f"is not a part of odds ({SCHEMA}, {ALGORITHM})", file=file)
        facts = _facts(data["facts"])
        weights = tuple(_weights(one, facts, file) for one in data["weights"])
        seed, work, volleys = data["seed"], data["work"], data["volleys"]
        spans = tuple((int(start), int(stop)) for start, stop in data["chunks"])
        if not (isinstance(seed, str) and seed and isinstance(work, str) and type(volleys) is int):
            raise TypeError
        if len(weights) != len(facts.points):
            raise TypeError
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise BadInput(
            "is not a part of odds", file=file, hint="make one with --chunks a:b -o PART"
        ) from None
    counted = sum(min(stop * CHUNK, volleys) - start * CHUNK for start, stop in spans)
    if any(one.total != counted for one in weights):
        raise BadInput(f"counts {weights[0].total} volleys where its chunks hold {counted}", file=file)
    return Part(Result(facts, weights, seed), work, volleys, spans)


def merge_parts(parts: Sequence[tuple[str, Part]]) -> Result:
    """All parts together. Raises BadInput for parts of different samples, or a chunk counted twice."""
    name, first = parts[0]
    seen: dict[int, str] = {}
    for file, part in parts:
        for what, ours, theirs in (
            ("seed", first.result.seed, part.result.seed),
            ("number of volleys", first.volleys, part.volleys),
            ("ship or volley", (first.result.facts, first.work), (part.result.facts, part.work)),
        ):
            if ours != theirs:
                raise BadInput(
                    f"is of another {what} than {name}", file=file, hint="merge parts of one sample"
                )
        for start, stop in part.chunks:
            for chunk in range(start, stop):
                if chunk in seen:
                    raise BadInput(
                        f"chunk {chunk} is in {seen[chunk]} already", file=file, hint="leave one out"
                    )
                seen[chunk] = file
    return reduce(lambda a, b: a.merge(b), (part.result for _, part in parts))


def missing_chunks(parts: Sequence[tuple[str, Part]]) -> int:
    """How many chunks of the sample no part holds."""
    held = sum(stop - start for _, part in parts for start, stop in part.chunks)
    return -(-parts[0][1].volleys // CHUNK) - held


def _facts(data: Any) -> Facts:
    values = {field.name: _frozen(data[field.name]) for field in fields(Facts)}
    kinds = {"damage": int, "internals": int, "reinforcement": int}
    for name, value in values.items():
        wanted = kinds.get(name, str if isinstance(value, str) else tuple)
        if not (isinstance(value, wanted) or (name == "shield" and value is None)):
            raise TypeError
    values["arrivals"] = tuple(Arrival(**arrival) for arrival in data["arrivals"])
    return Facts(**values)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def _weights(data: Any, facts: Facts, file: str) -> Weights:
    weights = Weights(data["total"], _frozen(data["left"]), data["destroyed"])
    numbers = [weights.total, weights.destroyed, *(n for row in weights.left for n in row)]
    if any(type(number) is not int or number < 0 for number in numbers):
        raise TypeError
    if [len(row) - 1 for row in weights.left] != [start for _, start in facts.quantities]:
        raise TypeError
    if any(sum(row) != weights.total for row in weights.left) or weights.destroyed > weights.total:
        raise BadInput("its counts do not add up", file=file, hint="make it again with --chunks a:b -o PART")
    return weights
