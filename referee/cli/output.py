"""Where a report goes: standard output, through which nothing hidden passes, or a new file that never replaces an
input."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, cast

import typer

from referee.core.errors import BadInput
from referee.core.safe import safe_text

_BY_SUFFIX = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
    ".svg": "svg",
    ".txt": "full",
}


_NOT_MADE = {".png": "svg", ".jpg": "svg", ".jpeg": "svg", ".gif": "svg", ".webp": "svg", ".pdf": "html"}
"""Files that are not written here, and what is: a browser makes the one of the other."""


def must_be_writable_as(output: str, *forms: str) -> None:
    """Raises BadInput for a file whose suffix promises something else than what is written: a picture of pixels, PDF."""
    suffix = Path(output).suffix.lower()
    if output in ("", "-") or (instead := _NOT_MADE.get(suffix)) is None:
        return
    form = instead if instead in forms else forms[0]
    named = Path(output).with_suffix(f".{form}").name
    made = "print it to PDF" if suffix == ".pdf" else "save or screenshot it"
    raise BadInput(
        f"{suffix[1:].upper()} is not written",
        file=output,
        hint=f"-o {named}, open that in a browser and {made}",
    )


def chosen_format(asked: str, output: str, known: tuple[str, ...]) -> str:
    """The format asked for, else that of the output's suffix, else the first. Raises BadInput."""
    must_be_writable_as(output, *(form for form in known if form in ("svg", "html")), "txt")
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
        content = safe_text(content, painted=True)
    encoding = "utf-8" if to_file else sys.stdout.encoding or "utf-8"
    data = content.encode(encoding, "backslashreplace") if isinstance(content, str) else content
    if not to_file:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    from referee.formats.files import hold_apart, write_file

    hold_apart(output, inputs)
    write_file(Path(output), data)
    if sys.stderr.isatty():
        print(f"wrote {output}", file=sys.stderr)  # noqa: T201  A person at a terminal sees that it worked.


def new_file(path: str, text: str, quiet: bool = False) -> None:
    """Writes a file that was not there before, and says so unless it is to be quiet."""
    from referee.formats.files import write_file

    if Path(path).exists():
        raise BadInput("is there already", file=path, hint="choose another name with -o")
    write_file(Path(path), text.encode())
    if not quiet:
        typer.echo(f"wrote {path}")


class SafeStream:
    """A stream that lets nothing hidden through, whoever writes to it: names, notes and files' names are
    their players' to choose. What is written to its `beneath` or `buffer` passes it by."""

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        """Writes lines as `safe_text` has them."""
        return self.beneath.write(safe_text(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.beneath, name)


@contextmanager
def safe_streams() -> Iterator[None]:
    """Whatever is printed inside is printed through a `SafeStream`."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = cast("TextIO", SafeStream(out)), cast("TextIO", SafeStream(err))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err
