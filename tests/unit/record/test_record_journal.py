"""What is acknowledged is on the disk; whatever kills the writer, the record verifies or is recovered."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from recordcases import NOW, begun, genesis, lines, note, written

from referee.core.errors import BadInput, IntegrityFailure, RecordInUse, RefereeError, TornTail
from referee.record import reading, recordfile
from referee.record.chain import ChainFault, Entry, LineCheck
from referee.record.copies import Fork, compare, sync
from referee.record.journal import Tail, append, append_lines, create
from referee.record.reading import read, read_lines, verify
from referee.record.recovery import recover
from tests.conftest import mostly_long

KILLS = 300
ROOT = Path(__file__).parents[3]


def texts(path: Path) -> list[str]:
    return [entry.data["text"] for entry in read(path)[1:]]


def test_a_batch_is_appended_after_the_tail_it_was_made_for(tmp_path: Path) -> None:
    path = begun(tmp_path / "game.jsonl")
    head = verify(path).head

    def build(tail: Tail) -> list[tuple[str, dict[str, object]]]:
        assert tail.head == head
        return [note(f"after {tail.seq}, {len(list(tail.entries()))} entries"), note("and another")]

    first, second = append(path, build, NOW)
    assert (first.seq, second.seq, second.prev) == (1, 2, first.hash)
    assert texts(path) == ["after 0, 1 entries", "and another"]
    assert append(path, lambda _: [], NOW) == []
    assert verify(path).hash == second.hash


def test_what_was_verified_is_compared_and_all_else_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun(tmp_path / "game.jsonl")
    append(path, lambda _: [note(f"{number}") for number in range(20)], NOW)
    before = read(path)
    checked: list[int] = []

    class Counted(LineCheck):
        def quick(self, line: bytes, seq: int, prev: str, value: object = None) -> dict[str, object] | None:
            checked.append(seq)
            return super().quick(line, seq, prev, value)

    monkeypatch.setattr(reading, "LineCheck", Counted)
    assert read(path) == before and checked == []
    append(path, lambda tail: [note(f"after {len(tail.entries())}")], NOW)
    assert [entry.seq for entry in read(path)[len(before) :]] == checked == [21]
    assert verify(path).lines == 22 and checked[1:] == list(range(22))  # verifying takes nothing for granted
    whole = path.read_bytes()
    for at in range(0, len(whole), 7):
        read(path)
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(RefereeError):
            read(path)
        with pytest.raises(RefereeError):
            append(path, lambda tail: [note(f"after {len(tail.entries())}")], NOW)
        path.write_bytes(whole)
    cut = b"".join(whole.splitlines(keepends=True)[:5])
    path.write_bytes(cut)
    assert read(path) == before[:5]
    path.write_bytes(cut + cut.splitlines(keepends=True)[-1])
    with pytest.raises(ChainFault, match="entry 4 again"):
        read(path)


def test_a_record_is_private_and_never_overwritten(tmp_path: Path) -> None:
    path = begun(tmp_path / "game.jsonl")
    assert path.stat().st_mode & 0o777 == 0o600
    before = path.read_bytes()
    with pytest.raises(BadInput, match="already exists"):
        create(path, genesis(), NOW)
    assert path.read_bytes() == before


def test_a_failing_build_or_a_bad_entry_leaves_the_record_as_it_was(tmp_path: Path) -> None:
    path = begun(tmp_path / "game.jsonl")
    before = path.read_bytes()
    bad: list[tuple[str, dict[str, object]]] = [
        ("nonsense", {}), ("note", {}), ("note", {"text": 1}), ("note", {"text": "a\nb"}),
        ("note", {"text": "a", "more": 1}), ("genesis", genesis()), ("note", {"text": "x" * (1 << 18)}),
    ]  # fmt: skip
    for entry in bad:
        with pytest.raises(BadInput):
            append(path, lambda _, entry=entry: [note("good"), entry], NOW)  # type: ignore[misc]
    with pytest.raises(ZeroDivisionError):
        append(path, lambda _: [note(str(1 // 0))], NOW)
    assert path.read_bytes() == before


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    path = begun(tmp_path / "game.jsonl")
    link, fifo = tmp_path / "link.jsonl", tmp_path / "fifo.jsonl"
    link.symlink_to(path)
    os.mkfifo(fifo)
    dangling = tmp_path / "dangling.jsonl"
    dangling.symlink_to(tmp_path / "nowhere")
    cases = [
        (link, "symbolic link"),
        (fifo, "regular file"),
        (tmp_path, "folder"),
        (Path("/dev/zero"), "regular"),
    ]
    for odd, reason in cases:
        for attempt in (verify, read, recover, lambda p: append(p, lambda _: [note("x")], NOW)):
            with pytest.raises(BadInput, match=reason):
                attempt(odd)
    for odd in (link, fifo, dangling, tmp_path):
        with pytest.raises(BadInput):
            create(odd, genesis(), NOW)
    assert not (tmp_path / "nowhere").exists()
    with pytest.raises(BadInput, match="no such file"):
        append(tmp_path / "absent.jsonl", lambda _: [note("x")], NOW)
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    for attempt in (verify, read, read_lines, lambda p: append(p, lambda _: [note("x")], NOW)):
        with pytest.raises(BadInput, match="holds no entry"):
            attempt(empty)


def test_a_writer_waits_and_then_gives_up(tmp_path: Path) -> None:
    path = begun(tmp_path / "game.jsonl")
    with recordfile.locked(str(path), os.O_RDWR):
        start = time.monotonic()
        with pytest.raises(RecordInUse):
            append(path, lambda _: [note("x")], NOW, seconds=0.1)
        assert 0.05 < time.monotonic() - start < 2
    append(path, lambda _: [note("x")], NOW)


def test_a_record_replaced_while_waiting_is_opened_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun(tmp_path / "game.jsonl")
    fresh = written(tmp_path / "fresh.jsonl", 5)
    original = recordfile.lock

    def replaced(descriptor: int, file: str, **options: object) -> bool:
        if fresh.exists():
            fresh.replace(path)
        return original(descriptor, file, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(recordfile, "lock", replaced)
    (entry,) = append(path, lambda _: [note("x")], NOW)
    assert entry.seq == 5
    assert verify(path).lines == 6


def test_a_full_disk_leaves_the_record_as_it_was(tmp_path: Path) -> None:
    path = begun(tmp_path / "game.jsonl")
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 500, hard))
    try:
        with pytest.raises(BadInput, match="nothing was recorded"):
            append(path, lambda _: [note("x" * 1000)], NOW)
        assert path.read_bytes() == before
        append(path, lambda _: [note("short")], NOW)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
        with pytest.raises(BadInput, match="nothing was recorded"):
            create(tmp_path / "new.jsonl", genesis(), NOW)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not (tmp_path / "new.jsonl").exists()
    assert texts(path) == ["short"]


def test_a_failed_sync_is_not_tried_again_and_not_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun(tmp_path / "game.jsonl")
    before = path.read_bytes()
    calls: list[int] = []

    def fails_once(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == 1:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(recordfile.os, "fdatasync", fails_once)
    monkeypatch.setattr(recordfile.os, "fsync", fails_once)
    with pytest.raises(BadInput, match="storage error, entry not confirmed"):
        append(path, lambda _: [note("x")], NOW)
    assert path.read_bytes() == before


def test_an_interrupted_write_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = begun(tmp_path / "game.jsonl")
    before = path.read_bytes()
    real = os.write

    def interrupted(descriptor: int, data: bytes) -> int:
        if len(data) > 50:
            return real(descriptor, bytes(data)[:50])
        raise KeyboardInterrupt

    monkeypatch.setattr(recordfile.os, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        append(path, lambda _: [note("x")], NOW)
    assert path.read_bytes() == before


def test_truncation_at_every_byte_of_the_last_entry_recovers_to_the_entry_before(tmp_path: Path) -> None:
    path = written(tmp_path / "game.jsonl", 20)
    whole = path.read_bytes()
    last = len(lines(read(path))[-1])
    for left in range(1, last):
        cut = whole[: len(whole) - last + left]
        path.write_bytes(cut)
        with pytest.raises(TornTail):
            verify(path)
        with pytest.raises(TornTail):
            append(path, lambda _: [note("x")], NOW)
        assert path.read_bytes() == cut
        done = recover(path)
        assert (done.lines, done.bytes_aside) == (19, left)
        assert done.aside is not None
        assert Path(done.aside).read_bytes() == cut[-left:]
        assert path.read_bytes() == whole[: len(whole) - last]
        Path(done.aside).unlink()
    assert recover(path).aside is None


def test_recovery_keeps_earlier_tails_and_repairs_nothing_else(tmp_path: Path) -> None:
    path = written(tmp_path / "game.jsonl", 5)
    for number in (1, 2):
        with path.open("ab") as file:
            file.write(b'{"data"')
        assert recover(path).aside == f"{path}.torn-{number}"
    damaged = path.read_bytes().replace(b"remark 2", b"remark 7")
    path.write_bytes(damaged + b"{")
    with pytest.raises(ChainFault):
        recover(path)
    assert path.read_bytes() == damaged + b"{"


def test_a_tail_of_zeros_is_torn_and_one_zero_byte_is_not(tmp_path: Path) -> None:
    path = written(tmp_path / "game.jsonl", 5)
    whole = path.read_bytes()
    for tail in (b"\0" * 4096, b"\0" * 100 + b'"type":"note"}\n'):
        path.write_bytes(whole + tail)
        with pytest.raises(TornTail):
            verify(path)
        assert recover(path).lines == 5
        assert path.read_bytes() == whole
    path.write_bytes(whole[:-10] + b"\0" + whole[-9:])
    with pytest.raises(ChainFault):
        verify(path)
    path.write_bytes(b"\0\0\n" + whole)
    with pytest.raises(IntegrityFailure):
        verify(path)


def test_a_damaged_last_line_is_never_appended_to(tmp_path: Path) -> None:
    path = written(tmp_path / "game.jsonl", 5)
    path.write_bytes(path.read_bytes().replace(b"remark 4", b"remark 7"))
    before = path.read_bytes()
    with pytest.raises(ChainFault, match="line 5"):
        append(path, lambda _: [note("x")], NOW)
    assert path.read_bytes() == before


def test_long_last_lines_are_found(tmp_path: Path) -> None:
    path = begun(tmp_path / "game.jsonl")
    for length in (3_700, 3_800, 3_900, 4_000, 200_000, 261_500, 10):
        append(path, lambda _, length=length: [note("x" * length)], NOW)  # type: ignore[misc]
    assert verify(path).lines == 8


def appending_child(path: Path, pipe: int, run: int) -> None:
    """Appends until killed; each acknowledgement goes down the pipe when `append` has returned."""
    number = 0
    while True:
        text = f"{run}.{number}"
        # Now and then a long batch, which takes more than one moment to write.
        extra = [note("x" * 60_000)] * 3 if number % 5 == 3 else []
        append(path, lambda _, text=text, extra=extra: [*extra, note(text)], NOW)  # type: ignore[misc]
        os.write(pipe, f"{text}\n".encode())
        number += 1


def killed_run(path: Path, run: int, chance: random.Random) -> list[str]:
    """What a child acknowledged before SIGKILL, which comes some moment after some acknowledgement."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            appending_child(path, writing, run)
        finally:
            os._exit(1)
    os.close(writing)
    acks, wanted, start = b"", chance.choice([*range(12), 3, 3, 8, 8]), time.monotonic()
    while acks.count(b"\n") < wanted:
        acks += os.read(reading, 4096)
    # However fast the disk: anywhere within the next few appends.
    time.sleep(chance.uniform(0, 3) * (time.monotonic() - start + 0.001) / max(1, wanted))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the child ended by itself"
    with os.fdopen(reading, "rb") as pipe:
        return [ack.decode() for ack in (acks + pipe.read()).split(b"\n")[:-1]]


@pytest.mark.parametrize("kills", [20, pytest.param(KILLS, marks=pytest.mark.long)])
def test_no_acknowledged_entry_is_lost_when_the_writer_is_killed(tmp_path: Path, kills: int) -> None:
    chance = random.Random(20261120)
    acknowledged: list[str] = []
    torn = total = 0
    path = tmp_path / "unset"
    for run in range(kills):
        if run % 20 == 0:
            path = begun(tmp_path / f"game{run}.jsonl")
            acknowledged = []
        acknowledged += killed_run(path, run, chance)
        try:
            verify(path)
        except TornTail:
            torn += 1
            assert recover(path).aside is not None
            verify(path)
        if run % 20 == 19:
            found = set(texts(path))
            assert acknowledged
            assert not [text for text in acknowledged if text not in found]
            total += len(acknowledged)
    print(f"{kills} kills, {total} acknowledged entries, {torn} torn tails")  # noqa: T201


WRITER = """
import sys
from referee.record.journal import append
path, who, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
for number in range(count):
    (entry,) = append(path, lambda tail: [("note", {"text": f"{who}.{number}"})], "2026-11-20T15:00:00Z")
    print(entry.seq, entry.data["text"], flush=True)
"""


def writer(path: Path, who: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), str(who), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def test_four_processes_appending_lose_and_mix_nothing(tmp_path: Path) -> None:
    path = begun(tmp_path / "game.jsonl")
    writers = [writer(path, who, 200) for who in range(4)]
    acks = [line.split() for process in writers for line in process.communicate(timeout=60)[0].splitlines()]
    entries = read(path)
    assert len(entries) == 801
    assert len(acks) == len({seq for seq, _ in acks}) == 800
    assert all(entries[int(seq)].data["text"] == text for seq, text in acks)


@pytest.fixture
def no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network drive on which everybody gets the lock."""
    monkeypatch.setattr(recordfile, "lock", lambda *_, **__: True)
    monkeypatch.setattr(recordfile, "unlock", lambda _: None)


@pytest.mark.usefixtures("no_locks")
def test_where_locks_do_nothing_an_entry_made_for_another_tail_is_not_written(tmp_path: Path) -> None:
    path = begun(tmp_path / "game.jsonl")

    def build(tail: Tail) -> list[tuple[str, dict[str, object]]]:
        append(path, lambda _: [note("theirs")], NOW)
        return [note("ours")]

    with pytest.raises(RecordInUse, match="locks do nothing"):
        append(path, build, NOW)
    assert texts(path) == ["theirs"]


@pytest.mark.usefixtures("no_locks")
def test_where_locks_do_nothing_the_later_of_two_entries_is_taken_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, theirs = begun(tmp_path / "game.jsonl"), begun(tmp_path / "theirs.jsonl")
    append(theirs, lambda _: [note("theirs, which is longer")], NOW)
    line = theirs.read_bytes()[path.stat().st_size :]
    write = os.write

    def later(descriptor: int, data: bytes) -> int:
        monkeypatch.setattr(recordfile.os, "write", write)
        with path.open("ab") as other:
            other.write(line)
        return write(descriptor, data)

    monkeypatch.setattr(recordfile.os, "write", later)
    with pytest.raises(RecordInUse, match="nothing was recorded"):
        append(path, lambda _: [note("ours")], NOW)
    assert path.read_bytes() == theirs.read_bytes()
    assert texts(path) == ["theirs, which is longer"]


@pytest.mark.usefixtures("no_locks")
def test_an_entry_that_is_written_over_is_not_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, theirs = begun(tmp_path / "game.jsonl"), begun(tmp_path / "theirs.jsonl")
    append(theirs, lambda _: [note("them")], NOW)
    monkeypatch.setattr(recordfile.os, "fdatasync", lambda _: path.write_bytes(theirs.read_bytes()))
    with pytest.raises(BadInput, match="not confirmed"):
        append(path, lambda _: [note("ours")], NOW)
    assert path.read_bytes() == theirs.read_bytes()


@pytest.mark.parametrize("kills", mostly_long([3, 12], lambda kills: kills == 3))
def test_whole_programs_killed_lose_nothing(tmp_path: Path, kills: int) -> None:
    chance = random.Random(3)
    path = begun(tmp_path / "game.jsonl")
    acknowledged: list[str] = []
    for run in range(kills):
        process = writer(path, run, 1_000_000)
        assert process.stdout is not None
        acknowledged.append(process.stdout.readline().split()[1])
        time.sleep(chance.uniform(0, 0.02))
        process.kill()
        rest, _ = process.communicate()
        acknowledged += [line.split()[1] for line in rest.splitlines() if len(line.split()) == 2]
        recover(path)
    assert set(acknowledged) <= set(texts(path))


def test_a_reader_beside_a_writer_never_sees_half_a_line(tmp_path: Path) -> None:
    path = begun(tmp_path / "game.jsonl")
    process = writer(path, 0, 300)
    counts = []
    while process.poll() is None:
        counts.append(verify(path).lines)
    process.communicate()
    assert counts == sorted(counts)
    assert verify(path).lines == 301


def test_copies(tmp_path: Path) -> None:
    ours, theirs = written(tmp_path / "ours.jsonl", 10), tmp_path / "theirs.jsonl"
    theirs.write_bytes(ours.read_bytes())
    assert compare(ours, theirs).state == "same"
    append(theirs, lambda _: [note("one"), note("two")], NOW)
    assert compare(ours, theirs).state == "behind"
    assert compare(theirs, ours).state == "ahead"

    def refuse(_: object) -> Sequence[Entry]:
        raise IntegrityFailure("no")

    with pytest.raises(IntegrityFailure):
        sync(ours, theirs, refuse)
    assert verify(ours).lines == 10
    shown: list[int] = []

    def look(entries: Sequence[Entry]) -> Sequence[Entry]:
        shown.append(len(entries))
        return entries

    before = sync(ours, theirs, look)
    assert (before.state, before.common, shown) == ("behind", 10, [12])
    assert ours.read_bytes() == theirs.read_bytes()

    append(ours, lambda _: [note("mine")], NOW)
    append(theirs, lambda _: [note("theirs")], NOW)
    kept = ours.read_bytes()
    with pytest.raises(Fork) as caught:
        sync(ours, theirs)
    assert caught.value.line == 13
    assert b"mine" in caught.value.ours
    assert b'"theirs"' in caught.value.theirs
    assert ours.read_bytes() == kept
    with pytest.raises(BadInput, match="grew"):
        append_lines(ours, "0" * 64, [b"x"])
    theirs.write_bytes(theirs.read_bytes()[:-1])
    with pytest.raises(TornTail):
        sync(ours, theirs)
