"""Saves and logs judged as they are written: what is found in them now and was not before, and what no longer is."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Protocol

from referee.core.errors import BadInput, RefereeError
from referee.core.finding import Finding, Report
from referee.core.naming import how_many
from referee.sources.inputs import InputBytes, read_input
from referee.watching.beside import Fault
from referee.watching.folder import MOST_FILES, Stamp, look_into

INTERVAL = 0.2
"""Seconds between two looks into the folder."""
PATIENCE = 1.5
"""Seconds after which a file that cannot be read is no longer one that somebody is still writing."""
GRACE = 2.0
"""Seconds after which a file that is gone was not renamed, nor about to be written again."""
COARSE = 3.0
"""Seconds after which a file system that counts time in steps of two seconds tells two writes apart."""

MANY = 200
"""Findings of one file that are printed one by one; a hostile file may hold a hundred thousand."""


class Listener(Protocol):
    """Who is told what the watch sees."""

    def finding(self, finding: Finding, *, gone: bool) -> None:
        """Something is found that was not found before, or no longer is."""
        ...

    def judged(self, path: str, report: Report, new: int, gone: int) -> None:
        """A file was judged: so many findings are new, so many gone."""
        ...

    def line(self, text: str) -> None:
        """What became of a file."""
        ...

    def fault(self, text: str) -> None:
        """Why a file, a page or a record is not what it should be."""
        ...


@dataclass
class FileWatched:
    """A file as it was judged last: what is found in it, and when it was looked at. `failed` is what was said of it
    when it could not be judged."""

    stamp: Stamp | None = None
    since: float = 0.0
    waits: bool = True
    again_at: float | None = None
    digest: str = ""
    judged: bool = False
    failed: str = ""
    findings: Counter[Finding] = field(default_factory=Counter)
    gone_since: float | None = None


Judge = Callable[[InputBytes], Report]
Keep = Callable[[InputBytes], Iterable[str]]
"""Writes what lies beside a log, and yields what there is to say of it."""


class Watch:
    """One folder, looked into again and again. Each `step` judges one file at most: what is written meanwhile is
    judged next, before what has lain there longer."""

    def __init__(
        self,
        folder: str,
        judge: Judge,
        listener: Listener,
        *,
        keep: Keep | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.folder, self.judge, self.listener, self.keep, self.clock = folder, judge, listener, keep, clock
        self.files: dict[str, FileWatched] = {}
        self._unkept: dict[str, InputBytes] = {}
        """Logs whose page and record are older than they."""
        self._unseen = ""
        self._too_many = False
        self._swept = True
        self._looked = False
        found, _ = look_into(folder)
        self._begun_with = set(found)
        newest = max(found, key=lambda path: found[path].written, default="")
        self._begun_with.discard(newest)

    def step(self) -> bool:
        """Looks into the folder once and does what is due first; False where there is nothing to do."""
        now = self.clock()
        try:
            found, left_out = look_into(self.folder)
        except BadInput as error:
            if self._unseen != error.reason:
                self._unseen = error.reason
                self.listener.fault(f"{error}; it is looked for again")
            return False
        if self._unseen:
            self._unseen = ""
            self.listener.line(f"{self.folder}: is there again")
        self._count(left_out)
        self._notice(found, now)
        self._looked = True
        due = [path for path in found if self._is_due(self.files[path], now)]
        if due:
            self._read(max(due, key=lambda path: found[path].written), now)
            self._swept = False
            return True
        for path in [path for path in self.files if path not in found]:
            self._let_go(path, now)
        if self._unkept:
            path, source = self._unkept.popitem()
            self._keep_beside(source)
            return True
        if not self._swept:
            gc.collect()  # nobody waits now
            self._swept = True
        return False

    @property
    def rests(self) -> bool:
        """Is all judged that was there at the last look?"""
        waits = (file.waits or not (file.judged or file.failed) for file in self.files.values())
        return self._looked and not self._unkept and not any(waits)

    # -- what changed ----------------------------------------------------------------------

    def _count(self, left_out: int) -> None:
        """Says once that there are more files than are followed."""
        if left_out and not self._too_many:
            more = how_many(left_out, "save or log", "saves and logs")
            self.listener.fault(f"{self.folder}: {more} more than {MOST_FILES}: they are not followed")
        self._too_many = bool(left_out)

    def _notice(self, found: dict[str, Stamp], now: float) -> None:
        """Takes down when each file was first seen as it is now."""
        for path, stamp in found.items():
            file = self.files.setdefault(path, FileWatched())
            file.gone_since = None
            if file.stamp != stamp:
                file.stamp, file.since, file.waits = stamp, now, True
        for path, file in self.files.items():
            if path not in found and file.gone_since is None:
                file.gone_since, file.waits, file.again_at = now, False, None

    @staticmethod
    def _is_due(file: FileWatched, now: float) -> bool:
        return file.waits or (file.again_at is not None and now >= file.again_at)

    def _let_go(self, path: str, now: float) -> None:
        """Forgets a file that is gone for good, and says so of one that was judged."""
        file = self.files[path]
        if file.gone_since is not None and now - file.gone_since >= GRACE:
            del self.files[path]
            self._unkept.pop(path, None)
            if file.judged or file.failed:
                self.listener.line(f"{path}: is no longer there")

    # -- one file --------------------------------------------------------------------------

    def _read(self, path: str, now: float) -> None:
        """Reads a file that was written, and judges it where it is another than before."""
        file = self.files[path]
        file.waits, file.again_at = False, None
        try:
            source = read_input(path)
            digest = source.sha256
            if digest == file.digest:
                return
            self._take_over(path, digest)
            report = self.judge(source)
        except BadInput as error:
            self._failed(path, str(error), now)
        except RefereeError as error:
            self._failed(path, str(error), now, patient=False)
        except MemoryError:
            self._failed(path, f"{path}: needs more memory than a file may take", now, patient=False)
        except RecursionError:
            self._failed(path, f"{path}: is nested too deeply to be judged", now, patient=False)
        except Exception as error:  # the next file is judged whatever this one holds
            fault = f"{path}: internal error ({type(error).__name__}: {error}); please report it"
            self._failed(path, fault, now, patient=False)
        else:
            if now - file.since < COARSE:
                file.again_at = file.since + COARSE
            self._judged(path, digest, report)
            if source.kind == "save" and path not in self._begun_with:
                self._unkept[path] = source
            self._begun_with.discard(path)

    def _take_over(self, path: str, digest: str) -> None:
        """A file under a new name has what was found under the old one."""
        file = self.files[path]
        if file.digest:
            return
        for old, other in self.files.items():
            if other.gone_since is not None and other.digest == digest:
                file.findings, file.judged = other.findings, other.judged
                del self.files[old]
                self._unkept.pop(old, None)
                self.listener.line(f"{path}: was {old}")
                return

    def _failed(self, path: str, reason: str, now: float, *, patient: bool = True) -> None:
        """A file that cannot be judged: said once, and not while somebody may still be writing it. What was found in
        it before still stands."""
        file = self.files[path]
        if patient and now - file.since < PATIENCE:
            file.again_at = now + INTERVAL
        elif file.failed != reason:
            file.failed = reason
            self.listener.fault(reason)

    def _judged(self, path: str, digest: str, report: Report) -> None:
        """Tells what is new in a file, and what is gone."""
        file = self.files[path]
        now = Counter(map(_anywhere, report.findings))
        fresh, gone = now - file.findings, file.findings - now
        shown = list(_of(report.findings, fresh))
        for finding in shown[:MANY]:
            self.listener.finding(finding, gone=False)
        lost = [
            replace(missing, location=replace(missing.location, file=path)) for missing in gone.elements()
        ]
        for finding in lost[:MANY]:
            self.listener.finding(finding, gone=True)
        if (unsaid := max(len(shown) - MANY, 0) + max(len(lost) - MANY, 0)) > 0:
            self.listener.line(f"{path}: {unsaid} more, new or gone: referee check lists them")
        self.listener.judged(path, report, len(shown), len(lost))
        file.findings, file.digest, file.judged, file.failed = now, digest, True, ""

    def _keep_beside(self, source: InputBytes) -> None:
        """Brings what lies beside a log up to date; what goes wrong there is a line, and the watch goes on."""
        if self.keep is None:
            return
        try:
            for news in self.keep(source):
                (self.listener.fault if isinstance(news, Fault) else self.listener.line)(news)
        except RefereeError as error:
            self.listener.fault(str(error))
        except (Exception, MemoryError) as error:
            name = type(error).__name__
            self.listener.fault(f"{source.name}: what lies beside it is not up to date ({name}: {error})")


def _anywhere(finding: Finding) -> Finding:
    """A finding whatever its file is called."""
    return replace(finding, location=replace(finding.location, file=""))


def _of(findings: Iterable[Finding], wanted: Counter[Finding]) -> Iterator[Finding]:
    """Those of the findings that are wanted, in their order."""
    left = wanted.copy()
    for finding in findings:
        about = _anywhere(finding)
        if left[about] > 0:
            left[about] -= 1
            yield finding


def follow(watch: Watch, sleep: Callable[[float], None], ends: Callable[[], bool] = lambda: False) -> None:
    """Follows the folder until it is interrupted. A folder that takes long to look into, as over a network, is looked
    into less often."""
    while not ends():
        began = watch.clock()
        with suppress(BlockingIOError):
            if watch.step():
                continue
        sleep(max(INTERVAL, min(2 * (watch.clock() - began), 1.0)))
