"""The one door of this room to the network: a socket that carries lines between a server and a sitting."""

from __future__ import annotations

import secrets
import select
import socket
import time
from collections.abc import Callable

from referee.core.errors import BadInput
from referee.room.framing import Garbage, Lines
from referee.room.session import Session
from referee.room.sitting import Sitting

CONNECT_WITHIN = 10.0
"""Seconds in which a server has to take a connection."""
_CHUNK = 64 * 1024
_MOST_WAITING = 64 * 1024 * 1024
"""Bytes that may wait to be sent to a server that does not read."""
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0
_TICK = 0.25
_SETTLED = 30.0
"""Seconds after which a stay counts as one that went well."""


def split_address(text: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`, or `[::1]:PORT`. Raises BadInput."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if host.startswith("[") else host
    if not colon or not host or not (port.isascii() and port.isdecimal() and 0 < int(port[:6]) < 65536):
        raise BadInput(f"{text[:80]} is no HOST:PORT", hint="such as localhost:5050")
    return host, int(port)


def unique_id(now: Callable[[], float] = time.time) -> str:
    """An id that no other client has."""
    return f"referee-{secrets.token_hex(8)}.{int(now() * 1000)}"


def sit(
    address: tuple[str, int],
    sitting_for: Callable[[], Sitting],
    log: Callable[[str], None],
    tries: int = 0,
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Sits in a room until it is ended, and comes back when the connection is lost: after a second, then after twice
    as long each time. Raises BadInput after `tries` in a row that came to nothing; 0 is for ever."""
    host, port = address
    failed = 0
    while True:
        began = time.monotonic()
        try:
            why = _stay(address, sitting_for())
        except OSError as error:
            why = error.strerror or str(error) or type(error).__name__
        failed = 0 if time.monotonic() - began > _SETTLED else failed + 1
        if tries and failed >= tries:
            raise BadInput(
                why, file=f"{host}:{port}", hint="is a VASSAL server there, and is the port right?"
            )
        pause = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** max(0, failed - 1))
        log(f"{host}:{port}: {why}; again in {pause:.0f} seconds")
        wait(pause)


def _stay(address: tuple[str, int], sitting: Sitting) -> str:
    """One stay, from connecting to its end; gives why it ended."""
    with socket.create_connection(address, CONNECT_WITHIN) as wire:
        wire.setblocking(False)
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        stay = Stay(wire, sitting)
        try:
            return stay.run()
        except KeyboardInterrupt:
            stay.sign_off()
            raise
        finally:
            sitting.save()


class Stay:
    """A connection and the sitting on it."""

    def __init__(self, wire: socket.socket, sitting: Sitting) -> None:
        self._wire, self._sitting = wire, sitting
        self._session: Session = sitting.session
        self._lines = Lines()
        self._waiting = bytearray()

    def run(self) -> str:
        """Carries lines until the stay is over; gives why it is."""
        self._session.begin(time.monotonic())
        ticked = 0.0
        while True:
            why = self._flush()
            readable, _, _ = select.select(
                [self._wire], [self._wire] if self._waiting else [], [], 0 if why else _TICK
            )
            if not why and readable:
                why = self._read()
            now = time.monotonic()
            if not why and now - ticked >= _TICK:
                ticked = now
                why = self._sitting.tick(now)
            if why:
                self._flush()
                return why

    def sign_off(self) -> None:
        """Says goodbye, as far as the server still listens."""
        self._sitting.leave(time.monotonic())
        until = time.monotonic() + 2
        while not self._flush() and self._waiting and time.monotonic() < until:
            select.select([], [self._wire], [], 0.1)

    def _read(self) -> str:
        try:
            data = self._wire.recv(_CHUNK)
        except BlockingIOError:
            return ""
        if not data:
            return "the server closed the connection"
        for line in self._lines.feed(data):
            if isinstance(line, Garbage):
                self._sitting.odd(line.what)
                continue
            if why := self._sitting.hear(line, time.monotonic()):
                return why
            if self._session.out and (why := self._flush()):
                return why  # an answer leaves before the next line is read
        return ""

    def _flush(self) -> str:
        """Sends what is to be sent, as far as it goes; gives why it cannot."""
        out, self._session.out = self._session.out, []
        for line in out:
            self._waiting += line.encode("utf-8", "replace") + b"\n"
        if len(self._waiting) > _MOST_WAITING:
            return "the server does not read what is sent to it"
        while self._waiting:
            try:
                sent = self._wire.send(self._waiting)
            except BlockingIOError:
                return ""
            del self._waiting[:sent]
        return ""
