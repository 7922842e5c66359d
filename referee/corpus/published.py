"""The published cases, as they lie in `corpus/`: one file a rule, numbered issues, a version."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.naming import names_like
from referee.formats.schemas import hold_against


@frozen
class Published:
    """One case with where it stands."""

    id: str
    rulebook: str
    rule: str
    chapter: str
    sentence: str
    data: Any

    def asked(self) -> dict[str, Any]:
        """What a program is asked: the case without what is expected."""
        parts = {name: self.data[name] for name in ("options", "input", "claim") if name in self.data}
        return {"id": self.id, "rulebook": self.rulebook, "rule": self.rule, **parts}


def corpus_folder() -> Path:
    """Where the cases are: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).parent
    inside = here / "cases"
    return inside if inside.is_dir() else here.parents[1] / "corpus"


@cache
def contents() -> Any:
    """The list of contents: version, files, what is excused."""
    return json.loads((corpus_folder() / "corpus.json").read_bytes())


def published(rulebook: str = "", rule: str = "") -> Iterator[Published]:
    """The cases, of one rulebook and of the rules that begin so where these are said. Raises BadInput for none."""
    some = False
    for listed in contents()["files"]:
        if rulebook and listed["rulebook"] != rulebook:
            continue
        if rule and not _begins(listed["rule"], rule):
            continue
        file = json.loads((corpus_folder() / listed["file"]).read_bytes())
        for data in file["cases"]:
            some = True
            yield Published(data["id"], file["rulebook"], file["rule"], file["chapter"], data["says"], data)
    if not some:
        known = sorted({listed["rule"] for listed in contents()["files"]})
        raise BadInput(f"no cases of {rule or rulebook!a}", hint=names_like(rule, tuple(known)))


def _begins(rule: str, asked: str) -> bool:
    """Is this the rule that is asked for, or of its chapter? `E1` has E1.2 and not E10.1."""
    rest = rule.removeprefix(asked)
    return rule.startswith(asked) and (not rest or not (asked[-1].isdigit() and rest[0].isdigit()))


def own_cases(file: str, rulebook: str = "", rule: str = "") -> Iterator[Published]:
    """The cases of a file of a player's own. Raises BadInput for one that is no such file."""
    try:
        document = json.loads(Path(file).read_bytes())
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror})", file=file) from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"is no JSON ({error})", file=file) from None
    hold_against(document, "corpus-cases", file)
    if rulebook not in ("", document["rulebook"]) or (rule and not _begins(document["rule"], rule)):
        raise BadInput("has no such cases", file=file, hint="leave --rulebook and --rule out")
    for data in document["cases"]:
        yield Published(
            data["id"], document["rulebook"], document["rule"], document["chapter"], data["says"], data
        )
