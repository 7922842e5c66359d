"""What a watch prints: lines for people, or JSON, a line each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from referee.core.naming import how_many
from referee.core.safe import safe_line
from referee.report.checkjson import finding_json
from referee.report.checktext import headline, line_mended

if TYPE_CHECKING:
    from referee.core.finding import Finding, Report
    from referee.report.paint import Paint

Say = Callable[[str], None]
SCHEMA = "referee/watch/1"


def judged_line(path: str, report: Report, new: int, gone: int) -> str:
    """What a file has come to."""
    changes = [f"{new} new"] if new else []
    changes += [f"{gone} gone"] if gone else []
    counted = how_many(len(report.findings), "finding") if report.findings else "nothing found"
    verdict = report.verdict.value.replace("-", " ").upper()
    return f"{path}: {verdict}, {counted}" + (f" ({', '.join(changes)})" if changes else "")


class FindingsPrinted:
    """A line for each thing that is seen; what could not be done goes to `warn`."""

    def __init__(self, paint: Paint, say: Say, warn: Say) -> None:
        self._paint, self._say, self._warn = paint, say, warn

    def finding(self, finding: Finding, *, gone: bool) -> None:
        """A finding that is new, or gone."""
        self._say(f"gone: {headline(finding, self._paint)}" if gone else line_mended(finding, self._paint))

    def judged(self, path: str, report: Report, new: int, gone: int) -> None:
        """A file was judged."""
        self.line(judged_line(path, report, new, gone))

    def line(self, text: str) -> None:
        """What became of a file."""
        self._say(safe_line(text))

    def fault(self, text: str) -> None:
        """What could not be done."""
        self._warn(f"referee: {safe_line(text, 300)}")


class AsJson:
    """A JSON object for each thing that is seen, a line each; `event` says what it is: `finding`, `judged`, `line`,
    `fault`."""

    def __init__(self, say: Say) -> None:
        self._say = say

    def finding(self, finding: Finding, *, gone: bool) -> None:
        """A finding that is new, or gone."""
        self._tell("finding", gone=gone, finding=finding_json(finding))

    def judged(self, path: str, report: Report, new: int, gone: int) -> None:
        """A file was judged."""
        counts = {"findings": len(report.findings), "new": new, "gone": gone}
        self._tell("judged", file=path, verdict=report.verdict.value, **counts)

    def line(self, text: str) -> None:
        """What became of a file."""
        self._tell("line", text=text)

    def fault(self, text: str) -> None:
        """What could not be done."""
        self._tell("fault", text=text)

    def _tell(self, event: str, **facts: Any) -> None:
        self._say(json.dumps({"schema": SCHEMA, "event": event, **facts}, ensure_ascii=True))
