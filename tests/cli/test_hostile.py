"""Inputs from an adversary: one line, exit 2, at once, in little memory, nothing written, nothing fetched."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from json import dumps, loads
from pathlib import Path
from typing import Any

import pytest

from tests.cli import badfiles
from tests.cli.conftest import Run, hearing_ctrl_c
from tests.conftest import ROOT

pytestmark = pytest.mark.net

# The program in a process of its own: an address space of 1 GiB, no sockets, peak memory told at the end.
PROBE = """
import atexit, os, resource, signal, socket, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
def no_socket(*_, **__):
    raise AssertionError("a socket was opened")
socket.socket = socket.create_connection = socket.getaddrinfo = no_socket
def tell(where):
    used = resource.getrusage(resource.RUSAGE_SELF)
    try:
        peak = next(int(l.split()[1]) for l in open("/proc/self/status") if l.startswith("VmHWM"))
    except OSError:
        peak = used.ru_maxrss
    open(where, "w").write(f"{peak} {used.ru_utime + used.ru_stime}")
from referee.cli.main import main
"""
ONCE = f"""{PROBE}
atexit.register(tell, sys.argv[1])
sys.argv[:] = sys.argv[1:]
main()
"""
# The same again and again: the program is loaded once, and each run is a process forked from that one, as new as if
# it had been started. A line names the folder, the file to tell in, and what is asked.
MANY = f"""{PROBE}
import json
from referee.cli.main import run
sys.stdout = open(os.devnull, "w")
run(["check", sys.argv[1]])
sys.stdout = sys.__stdout__
for line in sys.stdin:
    folder, told, *asked = json.loads(line)
    if child := os.fork():
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    signal.alarm(20)
    os.chdir(folder)
    for number, name in enumerate(("/dev/null", told + ".out", told + ".err")):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
    sys.stdin = open(0)
    sys.argv[:] = ["referee", *asked]
    code = 1
    try:
        main()
    except SystemExit as left:
        code = left.code
    finally:
        tell(told)
        os._exit(code)
"""


@pytest.fixture(scope="module", autouse=True)
def forking() -> Iterator[None]:
    """The program that is loaded once for all probes of a worker."""
    command, env = (
        [sys.executable, "-c", MANY, str(ROOT / "examples" / "duel" / "constellation.csv")],
        {**os.environ, "PYTHONPATH": str(ROOT)},
    )
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
    ) as server:
        _FORKING.append(server)
        yield
        _FORKING.clear()
        assert server.stdin
        server.stdin.close()


_FORKING: list[subprocess.Popen[str]] = []


@dataclass(frozen=True)
class Probed:
    """What a run left behind: code, streams, peak memory in KiB, processor seconds."""

    code: int
    out: str
    err: str
    peak: int
    seconds: float


def probe(folder: Path, *arguments: str | Path, stdin: bytes = b"") -> Probed:
    told = folder.parent / f"{folder.name}.told"
    asked = [str(argument) for argument in arguments]
    if stdin or "-" in asked:
        done = subprocess.run(
            [sys.executable, "-c", ONCE, told, *asked],
            input=stdin, capture_output=True, timeout=20, check=False, cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        code, out, err = done.returncode, done.stdout, done.stderr
    else:
        (server,) = _FORKING
        assert server.stdin and server.stdout
        server.stdin.write(f"{dumps([str(folder), str(told), *asked])}\n")
        server.stdin.flush()
        code = int(server.stdout.readline())
        out, err = (Path(f"{told}.{stream}").read_bytes() for stream in ("out", "err"))
    peak, seconds = told.read_text().split()
    return Probed(code, out.decode(), err.decode(), int(peak), float(seconds))


def refused(ran: Probed, name: str, place: str) -> None:
    """One line naming file and place, and nothing else, in time and in bounds."""
    assert ran.code == 2, (ran.code, ran.out[:300], ran.err[:600])
    assert ran.out == ""
    assert ran.err.endswith("\n") and ran.err.count("\n") == 1, ran.err[:600]
    assert ran.err.startswith("referee: ") and name in ran.err and place in ran.err, ran.err
    assert len(ran.err.rstrip("\n")) <= len("referee: ") + 300
    assert "Traceback" not in ran.err and "internal error" not in ran.err
    assert not [c for c in ran.err if not c.isprintable() and c != "\n"]
    # Processor time: two tests beside this one do not make the file slower to read.
    assert ran.seconds < 2, ran.seconds
    assert ran.peak < 200 * 1024, ran.peak


CASES = list(badfiles.cases())


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("name", "build", "place"),
    [
        pytest.param(
            name,
            build,
            place,
            id=id,
        )
        for id, name, build, place in CASES
    ],
)
def test_bad_files(own_folder: Path, name: str, build: badfiles.Build, place: str) -> None:
    (own_folder / name).write_bytes(build())
    command = ("ship", "check") if name.endswith(".ship.json") else ("check",)
    ran = probe(own_folder, *command, name)
    refused(ran, name, place)
    assert [path.name for path in own_folder.iterdir()] == [name]


@pytest.mark.parametrize("name", badfiles.TOML)
def test_bad_settings_and_house_rules(own_folder: Path, duel: Path, name: str) -> None:
    build, place = badfiles.TOML[name]
    for file, more in (("house.toml", ("--house", "house.toml")), ("referee.toml", ())):
        (own_folder / file).write_bytes(build())
        refused(probe(own_folder, "check", str(duel / "constellation.csv"), *more), file, place)
        (own_folder / file).unlink()


@pytest.mark.parametrize(("name", "cut"), list(badfiles.truncations()))
def test_cut_short(referee: Run, own_folder: Path, duel: Path, name: str, cut: int) -> None:
    short = own_folder / f"cut{Path(name).suffix}"
    short.write_bytes((duel / name).read_bytes()[:cut])
    ran = referee("check", short.name)
    refused(Probed(ran.code, ran.out, ran.err, 0, 0), short.name, "")
    for command in (("show",), ("vassal", "dump")):
        if name.endswith(".vsav"):
            again = referee(*command, short.name)
            assert (again.code, again.out) == (2, "") and again.err.count("\n") == 1


PATHS = {
    "fifo": os.mkfifo,
    "symlink": lambda path: path.symlink_to(ROOT / "examples" / "duel" / "duel.vsav"),
    "broken-symlink": lambda path: path.symlink_to("nowhere.vsav"),
    "folder": lambda path: path.mkdir(),
    "empty": lambda path: path.touch(),
    "device": lambda path: path.symlink_to("/dev/zero"),
    "missing": lambda path: None,
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", PATHS)
@pytest.mark.parametrize("suffix", ["vsav", "csv", "json", "xlsx"])
def test_things_that_are_no_files(own_folder: Path, kind: str, suffix: str) -> None:
    path = own_folder / f"thing.{suffix}"
    PATHS[kind](path)
    refused(probe(own_folder, "check", path.name), path.name, "")


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/stdin", "/proc/self/mem", "/"])
def test_devices(own_folder: Path, path: str) -> None:
    refused(probe(own_folder, "check", path, stdin=b"Turn,1\n"), path, "")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "command",
    [("show",), ("vassal", "dump"), ("form", "next"), ("ship", "check"), ("volley", "--internals", "1")],
)
@pytest.mark.parametrize("kind", ["fifo", "device", "folder", "empty"])
def test_no_command_waits_for_such_a_thing(own_folder: Path, command: tuple[str, ...], kind: str) -> None:
    path = own_folder / "thing.json"
    PATHS[kind](path)
    ran = probe(own_folder, *command, path.name)
    assert ran.code == 2 and ran.out == "" and ran.err.count("\n") == 1 and "thing.json" in ran.err, ran.err
    assert ran.seconds < 2 and ran.peak < 200 * 1024


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    "options",
    [
        ("check", "form.csv", "--house", "thing"), ("check", "form.csv", "--state", "thing"),
        ("check", "form.csv", "--ship", "thing"), ("check", "duel.vsav", "--module", "thing"),
        ("volley", "cadet/klingon-d6", "--internals", "1", "--state", "thing"),
        ("volley", "cadet/klingon-d6", "--internals", "1", "--dice", "2", "--choose", "./thing"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["fifo", "folder", "device", "garbage"])
def test_other_inputs_are_held_to_the_same(
    own_folder: Path, duel: Path, options: tuple[str, ...], kind: str
) -> None:
    (own_folder / "form.csv").write_text("Ship,cadet/federation-ca\nTurn,1\nMovement,8\n")
    (own_folder / "duel.vsav").write_bytes((duel / "duel.vsav").read_bytes())
    if kind == "garbage":
        (own_folder / "thing").write_bytes(b"\x00\xff[[[[garbage" * 100)
    else:
        PATHS[kind](own_folder / "thing")
    refused(probe(own_folder, *options), "thing", "")


def test_standard_input_is_bounded(own_folder: Path) -> None:
    refused(probe(own_folder, "check", "-", stdin=bytes(33 << 20)), "-", "MiB")
    refused(probe(own_folder, "check", "-", "--stdin-name", "x.vsav", stdin=b"garbage"), "x.vsav", "")
    refused(probe(own_folder, "check", "-"), "-", "empty")


# No ESC: in a save it parts the commands. The others are control, bidi and zero-width characters and markup.
EVIL = "\x9d0;owned\x07\x9b31m\x9b2J\u202e\u2066[link=http://x]\x08\x7f\u200b<script>alert(1)</script>|`*"


def test_control_and_markup_characters_are_shown_not_obeyed(own_folder: Path) -> None:
    named = f"Con{EVIL.replace('/', '')}stellation"
    text = badfiles.plain().replace("photon B is not ready", EVIL).replace("CA Constellation", f"CA {named}")
    text = text.replace("Cadet duel", f"\x1b]0;owned\x07{EVIL}")
    (own_folder / "evil.vsav").write_bytes(badfiles.text(text))
    for options in (("check",), ("show",), ("check", "--format", "concise"), ("check", "--color", "always")):
        ran = probe(own_folder, *options, "evil.vsav")
        assert ran.code == (0 if options == ("show",) else 1) and ran.err == "", ran.err
        # With colours asked for, only the program's own colours are let through.
        plain = re.sub(r"\x1b\[[0-9;]*m", "", ran.out) if "always" in options else ran.out
        assert not {c for c in plain if not c.isprintable() and c != "\n"}, options
    shown = probe(own_folder, "show", "evil.vsav").out
    assert "\\x9d0;owned\\x07" in shown and "\\u202e" in shown
    for form in ("html", "markdown"):
        ran = probe(own_folder, "check", "evil.vsav", "--format", form)
        assert ran.code == 1 and ran.err == ""
        assert not {c for c in ran.out if (ord(c) < 32 and c != "\n") or ord(c) in range(127, 160)}, form
        assert "\u202e" not in ran.out, form
        assert "<script>" not in ran.out, form
    dump = probe(own_folder, "vassal", "dump", "evil.vsav")
    assert dump.code == 0 and dump.out.isascii()
    assert any(EVIL in line for line in loads(dump.out)["chat"])


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_on_a_terminal_is_escaped(own_folder: Path, form: str) -> None:
    text = badfiles.plain().replace("CA Constellation", f"CA Con{EVIL.replace('/', '')}stellation")
    (own_folder / "evil.vsav").write_bytes(badfiles.text(text))
    ran = probe(own_folder, "check", "evil.vsav", "--format", form)
    assert ran.code == 1 and not {c for c in ran.out if not c.isprintable() and c != "\n"}


def test_names_in_forms_are_shown_not_obeyed(own_folder: Path) -> None:
    label = "\u202eEvil[/]label\u2066"
    (own_folder / "form.csv").write_text(f"Ship,cadet/federation-ca\nTurn,1\n{label},3\nMovement,30\n")
    ran = probe(own_folder, "check", "form.csv")
    assert ran.code == 1 and "\\u202e" in ran.out
    assert not {c for c in ran.out + ran.err if not c.isprintable() and c != "\n"}
    form = '{"schema": "referee/energy-allocation/1", "ship": "\\u001b[31m\\u202e", "turns": [{"turn": 1, "lines": {}}]}'
    (own_folder / "form.json").write_text(form)
    refused(probe(own_folder, "check", "form.json"), "form.json", "")


def test_file_names_are_shown_not_obeyed(own_folder: Path) -> None:
    refused(probe(own_folder, "check", "no\x1b[31m\nsuch\u202e.csv"), "no\\x1b[31m", "")


def test_a_table_too_large_to_read_is_said(own_folder: Path) -> None:
    text = badfiles.plain().replace("table;25;12;", "table;99999;99999;")
    (own_folder / "large.vsav").write_bytes(badfiles.text(text))
    ran = probe(own_folder, "check", "large.vsav")
    assert ran.code in (0, 2) and ran.seconds < 2 and ran.peak < 200 * 1024
    assert "no energy form" in ran.out or ran.code == 2


def test_a_wall_clock_for_the_worst(own_folder: Path) -> None:
    """The largest save that is still read: in bounds as well."""
    pieces = "\x1b".join(f"+/{n}/piece;;;;p{n}/M;{n};0;0;0;" for n in range(45_000))
    (own_folder / "large.vsav").write_bytes(badfiles.text(f"begin_save\x1b{pieces}\x1bend_save"))
    ran = probe(own_folder, "check", "large.vsav")
    assert ran.code in (0, 2) and "Traceback" not in ran.err
    assert ran.peak < 200 * 1024, ran.peak
    assert ran.seconds < 4, ran.seconds


FORM = "Ship,{ship}\nTurn,1\nMovement,3\n"


@pytest.mark.parametrize("ship", ["thing.json", "./thing.json", "thing", "/etc/hostname", "../thing.json"])
def test_a_form_opens_no_other_file(own_folder: Path, duel: Path, ship: str) -> None:
    """What a stranger's form names is a ship of the package, or nothing."""
    for place in ("thing.json", "thing", "../thing.json"):
        (own_folder / place).write_bytes((duel / "my-ship.json").read_bytes())
    (own_folder / "form.csv").write_text(FORM.format(ship=ship))
    ran = probe(own_folder, "check", "form.csv")
    refused(ran, "form.csv", "no ship")


def test_a_name_too_long_for_a_file(own_folder: Path) -> None:
    (own_folder / "form.csv").write_text(FORM.format(ship="a" * 4000))
    refused(probe(own_folder, "check", "form.csv"), "form.csv", "no ship")
    for command in (("ship", "show"), ("show",), ("volley", "--internals", "1"), ("form", "blank")):
        ran = probe(own_folder, *command, "a" * 4000)
        assert ran.code == 2 and ran.out == "" and ran.err.count("\n") == 1


@pytest.mark.parametrize(("command", "bound"), [("check", 1 << 30), ("odds", None)])
def test_a_command_that_reads_a_file_has_a_bound_on_its_memory(command: str, bound: int | None) -> None:
    code = (
        "import resource, sys\nfrom referee.cli.main import main\n"
        f"sys.argv[1:] = [{command!r}, '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "sys.stderr.write(str(resource.getrlimit(resource.RLIMIT_AS)[0]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    before = resource.getrlimit(resource.RLIMIT_AS)[0]
    assert int(done.stderr) == (before if bound is None else bound)


def test_more_memory_than_there_is(referee: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr("referee.cli.app.command_for", full)
    ran = referee("show", "a.csv")
    assert ran.code == 2 and "memory" in ran.err and ran.err.count("\n") == 1


def test_a_reader_that_has_had_enough(own_folder: Path, duel: Path) -> None:
    command = f'{sys.executable} -m referee vassal dump {duel / "duel.vsav"} | head -c 10; echo " ${{PIPESTATUS[0]}}"'
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=20, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stderr == "" and done.stdout.split()[-1] == "0"


@pytest.mark.parametrize("here", [signal.default_int_handler, signal.SIG_IGN], ids=["heard", "ignored"])
def test_an_interruption_is_130(own_folder: Path, here: Any) -> None:
    before = signal.signal(signal.SIGINT, here)
    try:
        with hearing_ctrl_c():
            asking = subprocess.Popen(
                [sys.executable, "-m", "referee", "volley", "cadet/klingon-d6", "--internals", "1", "--ask"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)},
            )  # fmt: skip
    finally:
        signal.signal(signal.SIGINT, before)
    assert asking.stderr and asking.stderr.read(6) == b"roll 1"
    asking.send_signal(signal.SIGINT)
    out, err = asking.communicate(timeout=20)
    assert asking.returncode == 130 and out == b"" and b"Traceback" not in err


@pytest.mark.parametrize("redirect", ["> /dev/full", ">&-"])
@pytest.mark.parametrize("command", ["check DUEL", "--version"])
def test_output_that_goes_nowhere(own_folder: Path, duel: Path, redirect: str, command: str) -> None:
    command = command.replace("DUEL", str(duel / "duel.vsav"))
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m referee {command} {redirect}"], capture_output=True, text=True, timeout=20,
        check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode in (0, 1, 2) and "Traceback" not in done.stderr and done.stderr.count("\n") <= 1


def test_standard_input_that_is_closed(own_folder: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m referee check - <&-"], capture_output=True, text=True, timeout=20,
        check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode in (2, 70) and "Traceback" not in done.stderr and done.stderr.count("\n") == 1
