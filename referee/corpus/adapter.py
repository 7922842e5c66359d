"""Our own program at the other end of the protocol: `python -m referee.corpus.adapter` reads a line, answers a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from referee import __version__
from referee.core.errors import BadInput
from referee.corpus.answering import SORTS, answer
from referee.rulebooks.registry import rulebook_ids

PROTOCOL = 1


def answers(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The answer to each message, until `stop`."""
    for line in lines:
        message = json.loads(line)
        match message["type"]:
            case "start":
                yield {
                    "type": "started",
                    "protocol": PROTOCOL,
                    "program": "referee",
                    "version": __version__,
                    "inputs": sorted(SORTS),
                }
            case "dialect":
                known = message["rulebook"] in rulebook_ids()
                yield {"type": "dialect", "rulebook": message["rulebook"], "known": known}
            case "run":
                yield _run(message)
            case "stop":
                return
            case other:
                yield {"type": "errored", "reason": f"no message {other}"}


def _run(case: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"type": "answer", "id": case["id"], **answer(case)}
    except BadInput as error:
        return {"type": "errored", "id": case["id"], "reason": str(error)}
    except Exception as error:  # a fault of ours fails one case, and is said in it
        return {"type": "errored", "id": case["id"], "reason": f"{type(error).__name__}: {error}"}


def _plain(value: object) -> object:
    if isinstance(value, Fraction):
        return str(value)
    return list(value) if isinstance(value, tuple | set | frozenset) else str(value)


def main() -> None:
    """Answers on standard output what is asked on standard input."""
    for reply in answers(sys.stdin):
        sys.stdout.write(json.dumps(reply, default=_plain, ensure_ascii=False) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
