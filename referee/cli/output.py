"""Where a report goes: standard output, or a new file that never replaces an input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from referee.core.errors import BadInput

_BY_SUFFIX = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".sarif": "sarif",
    ".xml": "junit",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
    ".svg": "svg",
    ".txt": "full",
}


def chosen_format(asked: str, output: str, known: tuple[str, ...]) -> str:
    """The format asked for, else that of the output's suffix, else the first. Raises BadInput."""
    if not asked and output:
        asked = _BY_SUFFIX.get(Path(output).suffix.lower(), "")
    if asked and asked not in known:
        from referee.rulebooks.base import nearest

        raise BadInput(f"no format {asked}", hint=nearest(asked, known))
    return asked or known[0]


def one_format(asked: str, **flags: bool) -> str:
    """The format asked for by name or by a flag such as `--json`. Raises BadInput for two of them."""
    named = dict.fromkeys([*([asked] if asked else []), *(name for name, given in flags.items() if given)])
    if len(named) > 1:
        raise BadInput(f"two formats, {' and '.join(named)}", hint="ask for one after the other")
    return next(iter(named), "")


def write_output(content: str | bytes, output: str, inputs: Iterable[str] = ()) -> None:
    """Prints what is safe to show, or writes a file whole or not at all. Raises BadInput if it would replace
    an input."""
    to_file = output not in ("", "-")
    if isinstance(content, str) and not to_file:
        from referee.report.safe import safe_text

        content = safe_text(content, painted=True)
    data = content.encode("utf-8") if isinstance(content, str) else content
    if not to_file:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    hold_apart(output, inputs)
    write_file(Path(output), data)


def hold_apart(output: str, inputs: Iterable[str], *, new: bool = False) -> None:
    """Raises BadInput for an output that is one of the inputs, by this name or another, and with `new` for
    one that is there already."""
    there = os.path.exists
    for path in inputs:
        if path != "-" and there(output) and there(path) and os.path.samefile(path, output):  # noqa: PTH121
            raise BadInput(
                "is one of the inputs and is not written over", file=output, hint="choose another -o"
            )
    if new and os.path.lexists(output):
        raise BadInput(
            "is there already", file=output, hint="choose another name with -o, or --force to replace it"
        )


def write_file(path: Path, data: bytes) -> None:
    """Writes a file beside its place and puts it there in one step: whole or not at all. Raises BadInput if
    it cannot."""
    import secrets
    from contextlib import suppress

    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(path)
    except OSError as error:
        raise BadInput(f"cannot be written ({error.strerror})", file=str(path)) from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def new_file(path: str, text: str, quiet: bool = False) -> None:
    """Writes a file that was not there before, and says so unless it is to be quiet."""
    from pathlib import Path

    import typer

    from referee.core.errors import BadInput

    if Path(path).exists():
        raise BadInput("is there already", file=path, hint="choose another name with -o")
    write_file(Path(path), text.encode())
    if not quiet:
        typer.echo(f"wrote {path}")
