"""Many files judged by several processes; what is said of each comes in the order of the files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from referee.core.errors import BadInput, InternalFault, RefereeError
from referee.core.finding import Report
from referee.core.frozen import replace
from referee.judging.files import judge_file
from referee.judging.rows import with_rows
from referee.rulebooks.registry import confirmed_ships, use_confirmed
from referee.sources.asked import Asked
from referee.sources.inputs import InputBytes, read_input

if TYPE_CHECKING:
    from concurrent.futures import Executor

SHARED = 256 * 1024
"""Bytes beside the largest file from which on others are worth starting: half a second's work, about."""


def judged(
    files: Sequence[str],
    asked: Asked,
    stdin_name: str = "-",
    workers: int = 0,
    cluster: Executor | None = None,
) -> Iterator[Report | RefereeError]:
    """The report on each file, or why there is none; a fault of our own is raised where there is but one file.
    With 0 workers as many as pay; a `cluster` has workers of its own, on other machines."""
    if cluster is not None:
        yield from _by_cluster(files, replace(asked, workers=1), stdin_name, cluster)
        return
    if workers:
        from referee.judging.processes import MOST_WORKERS

        if not 0 < workers <= MOST_WORKERS:
            raise BadInput(f"{workers} workers", hint=f"1 to {MOST_WORKERS}, or 0 for as many as pay")
    # Processes that share the files do not share each of them once more.
    each, workers = workers, min(workers or _worth(files), len(files))
    asked = replace(asked, workers=each if workers < 2 else 1)
    judge = partial(_judged if len(files) < 2 else _one_of_many, asked=asked, stdin_name=stdin_name)
    # Standard input is here and nowhere else.
    if workers < 2 or "-" in files:
        yield from map(judge, files)
        return
    from referee.judging.processes import deaf, processes

    with processes(workers) as executor:
        with deaf():
            reports = [executor.submit(judge, path) for path in files]
        for report in reports:
            yield report.result()


def _by_cluster(
    files: Sequence[str], asked: Asked, stdin_name: str, cluster: Executor
) -> Iterator[Report | RefereeError]:
    """Files are read here and sent; records stay here, since they are read together with the files beside them."""
    from pickle import dumps

    outcomes: list[Callable[[], Report | RefereeError]] = []
    for path in files:
        try:
            source = read_input(path, stdin_name)
        except BadInput as error:
            outcomes.append(partial(RefereeError.at, error, file=path))
            continue
        if source.is_record:
            outcomes.append(partial(_one_of_many, path, asked, stdin_name))
        else:
            outcomes.append(cluster.submit(_sent, dumps((source, asked, confirmed_ships()))).result)
    for outcome in outcomes:
        yield outcome()


def _sent(packed: bytes) -> Report | RefereeError:
    """The report on a file whose bytes were sent here. They are packed, since Dask takes our value classes for
    those of `dataclasses`."""
    from pickle import loads

    source: InputBytes
    source, asked, confirmed = loads(packed)
    use_confirmed(confirmed)
    try:
        return _report_on(source, asked)
    except RefereeError as error:
        return error.at(file=source.name)
    except Exception as error:
        return _fault(source.name, error)


def _judged(path: str, asked: Asked, stdin_name: str) -> Report | BadInput:
    try:
        return _report_on(read_input(path, stdin_name), asked)
    except BadInput as error:
        error.at(file=path)
        return error


def _report_on(source: InputBytes, asked: Asked) -> Report:
    if asked.beside == "pictures":
        from referee.judging.beside import judged_with_pictures

        return judged_with_pictures(source, asked)
    report = judge_file(source, asked)
    return with_rows(source, asked, report) if asked.beside else report


def _one_of_many(path: str, asked: Asked, stdin_name: str) -> Report | RefereeError:
    """A fault with one file does not lose what is said of the others."""
    try:
        return _judged(path, asked, stdin_name)
    except RefereeError:
        raise
    except Exception as error:
        return _fault(path, error)


def _fault(path: str, error: Exception) -> InternalFault:
    name = f"internal error ({type(error).__name__}: {error})"
    return InternalFault(name, file=path, hint="please report it; check this file alone with --debug")


def _worth(files: Sequence[str]) -> int:
    """As many workers as there are cores; one for what is soon done."""
    sizes = sorted(_size(path) for path in files)
    if sum(sizes[:-1]) < SHARED:
        return 1
    from referee.judging.processes import cores

    return cores()


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except (OSError, ValueError):
        return 0
