"""The files that are meant by a folder, and by a pattern that no shell has written out; one report on many files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from referee.core.errors import BadInput, NothingToJudge, RefereeError
from referee.core.finding import FileJudged, Report, merge_reports, unless_nothing_judged
from referee.core.frozen import replace
from referee.core.location import Location
from referee.formats.sheets import SUFFIXES as SHEETS
from referee.judging.forms import select_findings

Names = tuple[str, ...]
SUFFIXES = (*SHEETS, ".json", ".jsonl", ".txt", ".log", ".vsav", ".vlog", ".sav")
"""What files of a game are called."""


def files_meant(given: Iterable[str], output: str) -> tuple[list[str], list[str]]:
    """The files, those of a folder or a pattern by name; and what in the folders is called otherwise. Hidden files, the
    output and folders within are left out. Raises BadInput for a folder without files of a game."""
    files: list[str] = []
    others: list[str] = []
    for name in given:
        path = Path(name)
        try:
            if name != "-" and path.is_dir():
                inside = _seen(path.iterdir(), output)
                meant = [each for each in inside if each.lower().endswith(SUFFIXES)]
                if not meant:
                    hint = f"looked for {', '.join(SUFFIXES)}"
                    raise BadInput("no file of a game is in this folder", file=name, hint=hint)
                files += meant
                others += [each for each in inside if each not in meant]
            elif any(sign in path.name for sign in "*?[") and not path.exists():
                files += _seen(path.parent.glob(path.name), output) or [name]
            else:
                files.append(name)
        except OSError as error:
            raise BadInput(f"cannot be looked into ({error.strerror})", file=name) from None
    return files, others


def of_all(
    judged: Iterable[tuple[str, Report | RefereeError]],
    named: Iterable[str],
    others: Iterable[str],
    selected: Names = (),
    ignored: Names = (),
) -> tuple[Report, list[RefereeError]]:
    """One report on all files, with what each came to, and why some cannot be judged. What nobody `named` and is of no
    game is passed by, as the `others` are."""
    files: list[FileJudged] = []
    failures: list[RefereeError] = []
    others, first = list(others), ""
    for path, outcome in judged:
        first = first or path
        if isinstance(outcome, NothingToJudge) and path not in named:
            others.append(path)
        elif isinstance(outcome, RefereeError):
            failures.append(outcome)
            files.append(FileJudged(outcome.file, error=str(outcome).removeprefix(f"{outcome.file}: ")))
        else:
            report = select_findings(outcome, selected, ignored)
            files.append(FileJudged(report.inputs[0].file, report))
    reports = [file.report for file in files if file.report]
    if not reports:
        reports.append(unless_nothing_judged(Report(), "no file could be read", Location(first)))
    merged = replace(merge_reports(reports), files=tuple(files), passed_by=tuple(others))
    if len(merged.logs) > 1:
        from referee.logs.same_game import played_twice

        twice = select_findings(Report(tuple(played_twice(merged.logs))), selected, ignored)
        merged = replace(merged, findings=(*merged.findings, *twice.findings))
    return merged, failures


def _seen(paths: Iterable[Path], output: str) -> list[str]:
    seen = (path for path in paths if path.is_file() and path.name[0] not in ".~")
    return sorted(str(path) for path in seen if path.resolve() != Path(output or "-").resolve())
