"""The program's way in and out: arguments to a command, failures to one line and an exit code."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line and exits with a code scripts can trust."""
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["version"]):
        from referee import __version__

        sys.stdout.write(f"referee {__version__}\n")
        raise SystemExit(0)
    raise SystemExit(run(arguments))


def run(arguments: list[str]) -> int:
    """Runs one command and returns its exit code."""
    from referee.core.errors import RefereeError

    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    try:
        return _dispatch(arguments)
    except RefereeError as error:
        if debug:
            raise
        return _complain(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except BrokenPipeError:
        # Whoever read our output has had enough; that is no failure.
        sys.stderr.close()
        return 0
    except Exception as error:
        if debug:
            raise
        return _usage(error) or _complain(
            f"internal error ({type(error).__name__}: {error}); please report it, with --debug for details",
            70,
        )


def _dispatch(arguments: list[str]) -> int:
    from referee.cli.app import command_for

    result = command_for(arguments).main(args=arguments, prog_name="referee", standalone_mode=False)
    return result if isinstance(result, int) else 0


def _usage(error: Exception) -> int:
    """The exit code of a usage error, said; 0 for any other error."""
    import typer
    from typer.exceptions import TyperException

    if isinstance(error, typer.Abort):
        return _complain("interrupted", 130)
    if isinstance(error, TyperException):
        message = error.format_message().rstrip(".")
        if not message:
            return 2
        return _complain(f"{message[:1].lower()}{message[1:]}; try `referee --help`", 2)
    return 0


def _complain(message: str, code: int) -> int:
    from referee.report.safe import safe_line

    sys.stdout.flush()
    sys.stderr.write(f"referee: {safe_line(message, 300)}\n")
    return code
