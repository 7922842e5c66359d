"""The program's way in and out: arguments to a command, failures to one line and an exit code."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from errno import EINVAL
from os.path import lexists

from referee import __version__

TYPE_CHECKING = False  # `typing` itself would cost --version 10 ms
if TYPE_CHECKING:
    from typing import Any

    from referee.core.errors import Refused


def main() -> None:
    """Runs the command line and exits with a code scripts can trust."""
    arguments = sys.argv[1:]
    if sys.stdout is None or sys.stderr is None:
        raise SystemExit(2)  # Nobody would hear the answer, and nobody the complaint.
    _speak_utf8()
    # What a command reads it keeps until it has answered: looking for rubbish after every 700 objects finds none,
    # and takes a quarter of the time of a long log.
    gc.set_threshold(1_000_000)
    _bound_memory(arguments)
    code = run(arguments)
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        if not _was_left(error):
            code = _complain(f"standard output: cannot be written ({error.strerror})", 2)
    _hush()
    gc.freeze()  # Nor does the interpreter look for any as it ends.
    raise SystemExit(code)


_LINE = 300
"""Letters of a complaint at most."""
CONFIRMED = "confirmed-ships.json"
"""The ships' numbers that players confirmed in this folder: `referee.sources.confirmed` reads them."""

READERS = ("check", "show", "volley", "fire", "form", "vassal", "ship", "seal", "reveal", "hex", "watch")
"""The commands that read a player's file, and need little memory for it."""


def _speak_utf8() -> None:
    """What is written is UTF-8, as every report says of itself; an encoding that the user asked for stays, and what
    it has no sign for is spelled out. Windows has cp1252 for all that is no terminal."""
    streams: list[Any] = [sys.stdout, sys.stderr]
    for stream in streams:
        if (stream.encoding or "").replace("-", "").lower() != "utf8":
            encoding = stream.encoding if "PYTHONIOENCODING" in os.environ else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def _bound_memory(arguments: list[str]) -> None:
    """A net below the bounds on files: what a file makes a reader ask for beyond it is refused, and the
    machine it runs on does not come to a stand."""
    if not arguments or arguments[0] not in READERS:
        return
    try:
        import resource
    except ImportError:
        return  # Windows has no such limit.
    from referee.formats.limits import MEMORY_NET

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    bounds = [bound for bound in (soft, hard, MEMORY_NET) if bound != resource.RLIM_INFINITY]
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (min(bounds), hard))


def _was_left(error: OSError) -> bool:
    """Has whoever read our output had enough? Windows says EINVAL where others say EPIPE."""
    return sys.platform == "win32" and error.errno == EINVAL and not error.filename


def _hush() -> None:
    """Keeps the interpreter from complaining again about output that could not be written: what is left of it goes
    nowhere."""
    try:
        sys.stdout.close()
    except OSError:
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.close(nowhere)
        sys.stdout = None


def run(arguments: list[str]) -> int:
    """Runs one command and returns its exit code."""
    if arguments in (["--version"], ["version"]):
        return _version()
    from referee.core.errors import NoRecord, RefereeError, Refused

    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    try:
        return _dispatch(arguments)
    except Refused as refused:
        return _refuse(refused)
    except RefereeError as error:
        if debug:
            raise
        if isinstance(error, NoRecord):
            from referee.sources.default_game import record_wanted

            error = record_wanted(error)
        for each in (*error.others, error):
            _complain(str(each), error.exit_code, each.hint)
        return error.exit_code
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except MemoryError:
        if debug:
            raise
        return _complain("needs more memory than there is, or than a file may take; give it fewer files", 2)
    except BrokenPipeError:
        # Whoever read our output has had enough; that is no failure.
        sys.stderr.close()
        return 0
    except OSError as error:
        if debug:
            raise
        if _was_left(error):
            return 0
        return _complain(f"standard output or a file: {error.strerror or error}", 2)
    except Exception as error:
        if debug:
            raise
        return _usage(error, arguments) or _complain(
            f"internal error ({type(error).__name__}: {error}); please report it, with --debug for details",
            70,
        )


def _version() -> int:
    """The one answer that needs nothing else of the program."""
    try:
        sys.stdout.write(f"referee {__version__}\n")
    except BrokenPipeError:
        return 0
    except OSError as error:
        return _complain(f"standard output: cannot be written ({error.strerror})", 2)
    return 0


def _dispatch(arguments: list[str]) -> int:
    from contextvars import copy_context

    from referee.cli.app import command_for
    from referee.cli.output import safe_streams

    if arguments[:1] in (["game"], ["table"], ["record"], ["dice"]):
        from referee.sources.default_game import with_game

        arguments = with_game(arguments)

    def command() -> Any:
        there = lexists(CONFIRMED) or "referee.sources.confirmed" in sys.modules
        if there and {"--help", "-h"}.isdisjoint(arguments):
            from referee.sources.confirmed import use_folder

            use_folder()
        try:
            return command_for(arguments).main(args=arguments, prog_name="referee", standalone_mode=False)
        except SystemExit as ended:  # Typer ends with 1, which is "illegal" here, where nobody reads on.
            if isinstance(ended.__context__, BrokenPipeError):
                raise ended.__context__ from None
            raise

    with safe_streams():
        result = copy_context().run(command)  # Who listens to play listens to this command alone.
    return result if isinstance(result, int) else 0


def _usage(error: Exception, arguments: list[str]) -> int:
    """The exit code of a usage error, said; 0 for any other error."""
    import typer
    from typer.exceptions import TyperException

    if isinstance(error, typer.Abort):
        return _complain("interrupted", 130)
    if isinstance(error, TyperException):
        from referee.cli.gone import instead_of

        gone, instead = instead_of(arguments)
        if gone:
            return _complain(f"`referee {gone}` is gone; {instead}", 2)
        if context := getattr(error, "ctx", None):
            from referee.cli.helptext import name_values

            name_values(context.command)
        message = error.format_message().rstrip(".")
        if type(error).__name__ == "NoArgsIsHelpError":
            sys.stderr.write(f"{message}\n")
            return 2
        from referee.cli.app import like_named
        from referee.cli.helptext import examples

        named = next((argument for argument in arguments if not argument.startswith("-")), "")
        command = _command_of(error)
        given = examples().get(command.strip(), ())[:1] if message.startswith("Missing option") else ()
        row = like_named(named)[:3] or given or (f"{command}--help",)
        tries = " or ".join(f"`referee {command}`" for command in row)
        return _complain(f"{message[:1].lower()}{message[1:]}; try {tries}", 2)
    return 0


def _command_of(error: Exception) -> str:
    """The words of the command an error of usage is about, each with a space behind it: `game say `."""
    context = getattr(error, "ctx", None)
    path = str(getattr(context, "command_path", "")).split()[1:]
    return "".join(f"{word} " for word in path if word.isascii() and word.replace("-", "").isalnum())


def _refuse(refused: Refused) -> int:
    """Says what became of orders that were refused, unless it is said already."""
    from referee.core.safe import safe_text

    if not refused.announced:
        sys.stderr.write(f"{safe_text(refused.reason)}\n")
    return refused.exit_code


def _complain(message: str, code: int, hint: str = "") -> int:
    """Says what is wrong in one line. A long one is cut in its reason: the hint it ends with is what helps."""
    from referee.cli.output import read_on
    from referee.core.safe import safe_line

    line = safe_line(message, _LINE + 1)
    if len(line) > _LINE and hint and message.endswith(f"; {hint}"):
        end = safe_line(hint, _LINE // 2)
        line = f"{safe_line(message.removesuffix(f'; {hint}'), _LINE - 2 - len(end))}; {end}"
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    sys.stderr.write(read_on(sys.stderr, f"referee: {safe_line(line, _LINE)}\n"))
    return code
