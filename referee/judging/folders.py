"""The files that are meant by a folder, and by a pattern that no shell has written out; one report on many files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def files_meant(given: Sequence[str], output: str) -> tuple[list[str], list[str], list[str]]:
    """The files of a game, those called otherwise, and the folders in a folder. What is hidden and the output are left
    out. Raises BadInput where nothing else is given and no file is of a game: beside others
    it is judged, and cannot be read."""
    files: list[str] = []
    others: list[str] = []
    folders: list[str] = []
    for name in given:
        path = Path(name)
        try:
            is_folder = name != "-" and path.is_dir()
            if not is_folder and (not set("*?[") & set(name) or path.exists()):
                files.append(name)
                continue
            inside = [
                each for each in (path.iterdir() if is_folder else _matching(path)) if _is_seen(each, output)
            ]
            seen = sorted(str(each) for each in inside if each.is_file())
            within = sorted(str(each) for each in inside if is_folder and each.is_dir())
        except OSError as error:
            raise BadInput(f"cannot be looked into ({error.strerror})", file=name) from None
        meant = [each for each in seen if each.lower().endswith(SUFFIXES)]
        if not meant and len(given) > 1:
            meant = [name]
        elif not meant:
            checks = " and ".join(f"referee check {each}" for each in within[:3])
            hint = f"there are folders in it: {checks}" if checks else f"looked for {', '.join(SUFFIXES)}"
            why = "no file of a game is in this folder" if is_folder else "no file of a game matches this"
            raise BadInput(why, file=name, hint=hint)
        files += meant
        others += [each for each in seen if each not in meant]
        folders += within
    return files, others, folders


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


def _matching(path: Path) -> Iterable[Path]:
    """What a pattern matches outside hidden folders; `**` is any folder, and at its end all that is in them."""
    signs = next(n for n, part in enumerate(path.parts) if set("*?[") & set(part))
    base = Path(*path.parts[:signs])
    wanted = "/".join([*path.parts[signs:], *(["*"] if path.name == "**" else [])])
    found = base.glob(wanted)
    return (each for each in found if not any(part.startswith(".") for part in each.relative_to(base).parts))


def _is_seen(path: Path, output: str) -> bool:
    return path.name[0] not in ".~" and path.resolve() != Path(output or "-").resolve()
