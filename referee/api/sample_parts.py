"""Odds in parts: some chunks of a sample written down, and parts read and put together."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from referee.core.errors import BadInput
from referee.sources.inputs import read_input

if TYPE_CHECKING:
    from referee.chances.forecast import Forecast, Sampling


def part_of_chunks(forecasts: list[Forecast], how: Sampling, chunks: str, output: str) -> dict[str, Any]:
    """The document of some chunks."""
    from referee.chances.comparison import comparison_of, joint_job
    from referee.chances.parts import part_document, part_of
    from referee.chances.sampling import sample

    first, colon, last = chunks.partition(":")
    numbers = all(part.isascii() and part.isdecimal() and len(part) < 15 for part in (first, last))
    if not colon or not numbers:
        raise BadInput(f"--chunks {chunks}", hint="first and last, the last not included, as 0:8")
    if not output:
        raise BadInput("where the part is written to", hint="-o PART")
    span = (int(first), int(last))
    forecast, *others = forecasts
    job = joint_job(forecast, others[0], how) if others else forecast.job(how)
    found = sample(job, how.executor, how.workers, span, how.progress)
    if others:
        return part_document(part_of(comparison_of(forecast, others[0], job, found), job, span))
    return part_document(part_of(forecast.result_of(job, found.ships[0]), job, span))


def merged(files: list[str]) -> tuple[dict[str, Any], list[str]]:
    """The odds that parts make together, and the files they were in."""
    from referee.chances.comparison import Comparison
    from referee.chances.document import comparison_document, odds_document
    from referee.chances.parts import merge_parts, not_a_part, read_part, require_part
    from referee.formats.schemas import hold_against
    from referee.formats.strictjson import load_json

    parts = []
    for file in files:
        source = read_input(file)
        try:
            data = load_json(source.data, source.name)
        except BadInput as error:
            raise not_a_part(error.file, error.place, f" ({error.reason})") from None
        require_part(data, source.name)
        hold_against(data, "odds-part", source.name)
        parts.append((source.name, read_part(data, source.name)))
    whole = merge_parts(parts)
    answer = whole.answer
    document = comparison_document(answer) if isinstance(answer, Comparison) else odds_document(answer)
    if whole.missing:
        chunks = f"{whole.missing} chunk{'s' * (whole.missing > 1)} of this sample"
        verb = "are" if whole.missing > 1 else "is"
        sys.stderr.write(f"referee: {chunks} {verb} in none of these parts\n")
    return document, files


def again(document: dict[str, Any]) -> str:
    """The options that make the same volleys again; empty where an earlier chunk than the last is missing."""
    from shlex import quote

    ships = (document, document.get("comparison", {}).get("other", {}))
    sampled = next((ship for ship in ships if ship.get("method") == "sampled"), None)
    if sampled is None:
        return ""
    # Chunks are said, as `0-3 of 9`, where some are missing: those from the first on are a sample too.
    chunks = sampled.get("chunks", "0 ")
    if "," in chunks or not chunks.startswith(("0 ", "0-")):
        return ""
    return f"--seed {quote(sampled['seed'])} --volleys {sampled['volleys']}"
