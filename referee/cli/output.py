"""Where a result goes: standard output, through which nothing hidden passes, or a file. A file never replaces an input,
nor one that people go on with. That it is written is said on standard error, after the result."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from json import dumps
from pathlib import Path
from typing import Annotated, Any, TextIO, cast

import typer

from referee.core.errors import BadInput
from referee.core.once import pattern
from referee.core.safe import safe_line, safe_text

_BY_SUFFIX = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
    ".svg": "svg",
    ".txt": "full",
    ".log": "full",
    ".toml": "toml",
}
Force = Annotated[
    bool, typer.Option("--force", "-f", help="Replace the new file where there is one already.")
]
_BEGUN = pattern(
    r"JSON \(referee/(?:ship|ship-state|confirmed-ships|energy-allocation|module-map"
    r"|trek-(?:ship|crew|charts|state|combat))/"
)
"""JSON that people go on with, as they do with all that names no schema; all else of ours is a report."""

_NOT_MADE = {".png": "svg", ".jpg": "svg", ".jpeg": "svg", ".gif": "svg", ".webp": "svg", ".pdf": "html"}
"""Files that are not written here, and what is: a browser makes the one of the other."""


def must_be_writable_as(output: str, *forms: str, named: bool = False) -> None:
    """Raises BadInput for a file whose suffix promises something else than is written, such as a picture of pixels, or,
    where the format is not `named`, than one of these; for one in no folder, and for a page or picture on a terminal."""
    path = Path(output)
    suffix = path.suffix.lower()
    if not output and {*forms} <= {"svg", "html"} and sys.stdout.isatty():
        raise BadInput(
            f"{forms[0].upper()} is nothing for a terminal",
            hint=f"-o game.{forms[0]}, and open that in a browser",
        )
    if output not in ("", "-") and not path.parent.is_dir():
        raise BadInput(
            f"there is no folder {path.parent}", file=output, hint="make it first, or choose another -o"
        )
    if output in ("", "-") or not suffix:
        return
    written: dict[str, str] = {}
    for known, form in _BY_SUFFIX.items():
        if form in forms or (form == "full" and "text" in forms):
            written.setdefault(form, known)
    if instead := _NOT_MADE.get(suffix):
        other = written.get(instead) or written.get("html") or written.get("svg") or ".txt"
        made = "print it to PDF" if suffix == ".pdf" else "save or screenshot it"
        raise BadInput(
            f"{suffix[1:].upper()} is not written",
            file=output,
            hint=f"-o {Path(output).with_suffix(other).name}, open that in a browser and {made}",
        )
    if _BY_SUFFIX.get(suffix) not in written and not named:
        stem = Path(output).stem
        hint = f"-o {' or '.join(f'{stem}{known}' for known in written.values())}"
        raise BadInput(f"no {suffix} is written here", file=output, hint=hint)


def chosen_format(asked: str, output: str, known: tuple[str, ...]) -> str:
    """The format asked for, else that of the output's suffix, else the first. Raises BadInput."""
    if asked and asked not in known:
        from referee.rulebooks.base import nearest

        raise BadInput(f"no format {asked}", hint=nearest(asked, known))
    must_be_writable_as(output, *known, named=bool(asked))
    found = _BY_SUFFIX.get(Path(output).suffix.lower())
    return asked or (found if found in known else known[0])


def one_format(asked: str, **flags: bool) -> str:
    """The format asked for by name or by a flag such as `--json`. Raises BadInput for two of them."""
    named = dict.fromkeys([*([asked] if asked else []), *(name for name, given in flags.items() if given)])
    if len(named) > 1:
        raise BadInput(f"two formats, {' and '.join(named)}", hint="ask for one after the other")
    return next(iter(named), "")


def json_text(document: Any) -> str:
    """A document as JSON that people may read too."""
    return dumps(document, indent=2, ensure_ascii=False) + "\n"


def write_output(
    content: str | bytes,
    output: str,
    inputs: Iterable[str] = (),
    *,
    new: bool | None = None,
    instead_of: str = "",
    line: str = "",
) -> None:
    """Prints what is safe to show, or writes a file whole or not at all and says so. Raises BadInput where it would
    replace an input, or one that people go on with: any file where it is `new`, and a record always. What is JSON
    of the schema `instead_of` may make way. Of a file one `line` is printed."""
    to_file = output not in ("", "-")
    if isinstance(content, str) and not to_file:
        content = safe_text(content, painted=True)
    encoding = "utf-8" if to_file else sys.stdout.encoding or "utf-8"
    data = content.encode(encoding, "backslashreplace") if isinstance(content, str) else content
    sys.stdout.flush()
    if not to_file:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    from referee.formats.files import hold_apart, write_file

    hold_apart(output, inputs, new=bool(new))
    _hold_from(output, instead_of, forced=new is False)
    write_file(Path(output), data)
    if line:
        write_output(f"{line}\n", "")
    say_wrote(output)


def write_told(content: str, output: str = "", inputs: Iterable[str] = (), line: str = "") -> None:
    """As `write_output`, of what people read and do not copy: at a terminal its lines fit, and of a file one `line` is
    printed."""
    to_file = output not in ("", "-")
    write_output(
        content if to_file else read_on(sys.stdout, content), output, inputs, line=safe_line(line, 300)
    )


def say_wrote(output: str) -> None:
    """Says that a file is written, on standard error: standard output is the result's."""
    typer.echo(f"wrote {output}", err=True)


def _hold_from(output: str, instead_of: str, *, forced: bool) -> None:
    """Raises BadInput where a report would replace a file that people go on with, and for a record always."""
    from referee.sources.inputs import read_input

    try:
        there = read_input(output)
    except BadInput:
        return  # Nothing is there, or nothing that is read.
    if forced and there.what != "a game record":
        return
    report = there.what.startswith("JSON (") and not _BEGUN.match(there.what)
    report = report or there.what == f"JSON ({instead_of})"
    report = report or (
        there.what.startswith("JSON") and output.lower().endswith(".jsonl")
    )  # A record is none of these.
    table = output.lower().endswith((".csv", ".tsv"))  # No report is one.
    if not report and (table or "text" not in there.what):
        raise BadInput(f"is {there.what}: it is not written over", file=output, hint="choose another -o")


def write_result(
    rendered: Callable[[str, bool], str], form: str, asked: str, output: str, inputs: Iterable[str] = ()
) -> None:
    """Writes a result in a format. Of one that goes to a file, what people read is printed too, unless a format is
    `asked` for by its name."""
    to_file = output not in ("", "-")
    if to_file and not asked:
        write_told(rendered("full", False))
    write_told(rendered(form, to_file), output, inputs)


def read_on(stream: TextIO, text: str) -> str:
    """A text as a stream shows it: at a terminal its lines fit, unless programs read it."""
    if not stream.isatty() or text.lstrip()[:1] in ("{", "[", "<"):
        return text
    from referee.report.paint import fitted

    return fitted(text)


class SafeStream:
    """A stream that lets nothing hidden through, whoever writes to it: names, notes and files' names are
    their players' to choose. What is written to its `beneath` or `buffer` passes it by."""

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        """Writes lines as `safe_text` has them."""
        return self.beneath.write(read_on(self.beneath, safe_text(text)))

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
