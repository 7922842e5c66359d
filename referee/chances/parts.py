"""Parts of a sample: some chunks done here, others elsewhere, and all of them put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

from referee.chances.comparison import Comparison
from referee.chances.exact import Weights
from referee.chances.result import Arrival, OddsAsked, Result
from referee.chances.sampling import CHUNK, MOST_VOLLEYS, Job, Products
from referee.core.errors import BadInput

SCHEMA = "referee/odds-part/1"
ALGORITHM = "referee-odds-1"
MAX_PLAIN = 2**53 - 1
_AGAIN = "make it again with --chunks a:b -o PART"


@dataclass(frozen=True, slots=True)
class SamplePart:
    """What some chunks of a job gave, for one ship or for two that are compared. `work` is a hash of the
    tables it was done by."""

    answer: Result | Comparison
    work: str
    seed: str
    volleys: int
    chunks: tuple[tuple[int, int], ...]

    @property
    def ships(self) -> tuple[Result, ...]:
        """The odds of each ship."""
        answer = self.answer
        return (answer.first, answer.second) if isinstance(answer, Comparison) else (answer,)

    @property
    def products(self) -> Products:
        """What compared ships have left, multiplied."""
        return self.answer.products if isinstance(self.answer, Comparison) else ()

    @property
    def missing(self) -> int:
        """How many chunks of the sample are not in it."""
        return self._whole - sum(stop - start for start, stop in self.chunks)

    @property
    def chunk_list(self) -> str:
        """The chunks in it where some are missing, as `0, 2-4 of 6`; empty where none is."""
        if not self.missing:
            return ""
        runs: list[list[int]] = []
        for start, stop in sorted(self.chunks):
            if runs and runs[-1][1] == start:
                runs[-1][1] = stop
            else:
                runs.append([start, stop])
        shown = (f"{start}-{stop - 1}" if stop - start > 1 else str(start) for start, stop in runs)
        return f"{', '.join(shown)} of {self._whole}"

    @property
    def _whole(self) -> int:
        return -(-self.volleys // CHUNK)


def part_of(answer: Result | Comparison, job: Job, span: tuple[int, int]) -> SamplePart:
    """A span of chunks as a part."""
    # The names of the classes of a plan are in the hash: with others, parts made before could not be merged.
    return SamplePart(answer, sha256(repr(job.plans).encode()).hexdigest(), job.seed, job.volleys, (span,))


def part_document(part: SamplePart) -> dict[str, Any]:
    """A part as plain data."""
    return {
        "schema": SCHEMA,
        "algorithm": ALGORITHM,
        "work": part.work,
        "seed": part.seed,
        "volleys": part.volleys,
        "chunks": [list(span) for span in part.chunks],
        "ships": [
            {
                "method": result.method,
                "facts": _plain(asdict(result.facts)),
                "weights": [_plain(asdict(weights)) for weights in result.weights],
            }
            for result in part.ships
        ],
        "products": _plain(dict(part.products)),
    }


def require_part(data: Any, file: str) -> None:
    """Raises BadInput for a document that does not say it is a part."""
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise not_a_part(file)


def not_a_part(file: str, place: str = "", why: str = "") -> BadInput:
    """The error for a file that is none."""
    hint = "write one with --chunks a:b -o PART"
    return BadInput(f"is not a part of a sample{why}", file=file, place=place, hint=hint)


def read_part(data: Any, file: str) -> SamplePart:
    """A part from plain data that fits its schema. Raises BadInput for what is not one, or does not add up."""
    try:
        require_part(data, file)
        if data["algorithm"] != ALGORITHM:
            raise BadInput(f"is drawn by {data['algorithm']}, not {ALGORITHM}", file=file, hint=_AGAIN)
        seed, work, volleys = data["seed"], data["work"], data["volleys"]
        if not (isinstance(seed, str) and seed and isinstance(work, str) and type(volleys) is int):
            raise TypeError
        spans = tuple(_span(span, volleys, file) for span in data["chunks"])
        ships = tuple(_ship(ship, seed, file) for ship in data["ships"])
        products = tuple((str(name), _number(value)) for name, value in data["products"].items())
        if len(ships) not in (1, 2) or not any(ship.seed for ship in ships):
            raise TypeError
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise not_a_part(file) from None
    counted = sum(min(stop * CHUNK, volleys) - start * CHUNK for start, stop in spans)
    for total in {weights.total for ship in ships if ship.seed for weights in ship.weights} - {counted}:
        raise BadInput(f"counts {total} volleys where its chunks hold {counted}", file=file, hint=_AGAIN)
    answer = ships[0] if len(ships) == 1 else Comparison(ships[0], ships[1], products)
    return SamplePart(answer, work, seed, volleys, spans)


def merge_parts(parts: Sequence[tuple[str, SamplePart]]) -> SamplePart:
    """All parts together. Raises BadInput for parts of different samples, or a chunk counted twice."""
    name, first = parts[0]
    for file, part in parts:
        for what, ours, theirs in (
            ("seed", first.seed, part.seed),
            ("number of volleys", first.volleys, part.volleys),
            ("ship or volley", _asked(first), _asked(part)),
        ):
            if ours != theirs:
                raise BadInput(
                    f"is of another {what} than {name}", file=file, hint="merge parts of one sample"
                )
    held = sorted((*span, place) for place, (_, part) in enumerate(parts) for span in part.chunks)
    for (_, end, place), (start, _, next_place) in pairwise(held):
        if start < end:
            early, late = sorted((place, next_place))
            raise BadInput(
                f"chunk {start} is in {parts[early][0]} already", file=parts[late][0], hint="leave one out"
            )
    ships = list(first.ships)
    products = dict(first.products)
    for _, part in parts[1:]:
        ships = [
            ship.merge(more) if ship.seed else ship for ship, more in zip(ships, part.ships, strict=True)
        ]
        products = {system: value + products[system] for system, value in part.products}
    whole = replace(first, chunks=tuple((start, stop) for start, stop, _ in held))
    ships = [replace(ship, chunks=whole.chunk_list) if ship.seed else ship for ship in ships]
    answer = ships[0] if len(ships) == 1 else Comparison(ships[0], ships[1], tuple(products.items()))
    return replace(whole, answer=answer)


def _asked(part: SamplePart) -> object:
    """What the ships of a part answer: with what is exact, for that is no matter of chunks."""
    ships = [(ship.facts, None if ship.seed else ship.weights) for ship in part.ships]
    return part.work, ships, {system for system, _ in part.products}


def _span(data: Any, volleys: int, file: str) -> tuple[int, int]:
    start, stop = map(_number, data)
    if not (1 <= volleys <= MOST_VOLLEYS and start < stop <= -(-volleys // CHUNK)):
        raise BadInput(f"holds chunks {start}:{stop} of {volleys} volleys", file=file, hint=_AGAIN)
    return start, stop


def _plain(value: Any) -> Any:
    """The same with numbers too great for every reader of JSON as text: rolls of many weapons."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, int) and value > MAX_PLAIN else value


def _number(value: Any) -> int:
    number = int(value) if isinstance(value, str) and value.isascii() and len(value) <= 400 else value
    if type(number) is not int or number < 0:
        raise TypeError
    return number


def _ship(data: Mapping[str, Any], seed: str, file: str) -> Result:
    facts = _facts(data["facts"])
    weights = tuple(_weights(row, facts, file) for row in data["weights"])
    if len(weights) != len(facts.points) or not weights:
        raise TypeError
    return Result(facts, weights, {"sampled": seed, "exact": ""}[data["method"]])


def _facts(data: Mapping[str, Any]) -> OddsAsked:
    values = {field.name: _frozen(data[field.name]) for field in fields(OddsAsked)}
    values["arrivals"] = tuple(
        Arrival(**{name: _number(value) for name, value in arrival.items()}) for arrival in data["arrivals"]
    )
    return OddsAsked(**values)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def _weights(data: Mapping[str, Any], facts: OddsAsked, file: str) -> Weights:
    left = tuple(tuple(map(_number, row)) for row in data["left"])
    weights = Weights(_number(data["total"]), left, _number(data["destroyed"]))
    if [len(row) - 1 for row in weights.left] != [start for _, start in facts.quantities]:
        raise TypeError
    if any(sum(row) != weights.total for row in weights.left) or weights.destroyed > weights.total:
        raise BadInput("its counts do not add up", file=file, hint=_AGAIN)
    return weights
