"""A VASSAL server of our own for tests, which follows the protocol as it was recorded; and players made of plain sockets.

`Server` knows no network: it takes lines of its clients and gives lines for them. `Listening` puts it on the loopback.
"""

from __future__ import annotations

import contextlib
import select
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.formats.vassal.sequence import decode, encode
from referee.room.packing import packed, unpacked
from referee.room.properties import read_properties, write_properties

MAIN = "Main Room"


@dataclass
class Client:
    """A connection as the server knows it."""

    number: int
    id: str = ""
    module: str = ""
    room: str = ""
    info: str = ""


@dataclass
class Server:
    """The server: rooms as they were created, players as they came in."""

    clients: dict[int, Client] = field(default_factory=dict)
    rooms: dict[str, list[Client]] = field(default_factory=lambda: {MAIN: []})
    owners: dict[str, str] = field(default_factory=dict)
    locked: set[str] = field(default_factory=set)
    out: list[tuple[int, str]] = field(default_factory=list)

    def opened(self, number: int) -> None:
        self.clients[number] = Client(number)

    def closed(self, number: int) -> None:
        client = self.clients.pop(number, None)
        if client is not None and client.room:
            self._take_out(client)
            self._tell_all(client.module)

    def line(self, number: int, line: str) -> bool:
        """Takes a line; False where the server closes the connection."""
        client = self.clients[number]
        word, _, rest = line.partition("\t")
        if word == "!BYE":
            self.closed(number)
            return False
        if word == "REG":
            client.id, path, client.info = decode(rest, "\t")
            client.module, room = decode(path, "/")
            self._move(client, room)
        elif word == "JOIN":
            path, _, password = rest.partition("\t")
            room = decode(path, "/")[1]
            if room in self.locked and password != self.owners.get(room):
                return True
            self._move(client, room)
        elif word == "FWD":
            path, message = decode(rest, "\t")[:2]
            self._forward(decode(path, "/"), message)
        elif word == "STATS":
            client.info = decode(rest, "\t")[0]
            self._tell_all(client.module)
        elif word == "ROOM_INFO":
            for room, said in read_properties(rest).items():
                (self.locked.add if read_properties(said).get("locked") == "true" else self.locked.discard)(
                    room
                )
            self._tell_all(client.module)
        elif word == "KICK":
            self._kick(client, rest)
        return True

    def _kick(self, client: Client, id: str) -> None:
        if self.owners.get(client.room) == client.id:
            for other in list(self.rooms[client.room]):
                if other.id == id:
                    self._move(other, MAIN)

    def _move(self, client: Client, room: str) -> None:
        if client.room:
            self._take_out(client)
        client.room = room
        self.rooms.setdefault(room, []).append(client)
        if room != MAIN:
            self.owners.setdefault(room, client.id)
        self._tell_all(client.module)

    def _take_out(self, client: Client) -> None:
        there = self.rooms[client.room]
        there.remove(client)
        first = next(iter(self.rooms))
        if not there and client.room != MAIN:
            del self.rooms[client.room]
            self.owners.pop(client.room, None)
            self.locked.discard(client.room)
        elif self.owners.get(client.room) == client.id and client.room != first:
            self.owners[client.room] = there[0].id

    def _forward(self, path: list[str], message: str) -> None:
        module, room, *who = path
        for client in self.clients.values():
            if client.module != module or not client.room or room not in ("*", client.room):
                continue
            if not who or who[0] == client.id or (who[0][:1] == "~" and who[0][1:] != client.id):
                self.out.append((client.number, message))

    def _tell_all(self, module: str) -> None:
        rows = [
            encode((encode((module, room, c.id), "/"), f"{c.info}|ip=127.0.0.1"), "=")
            for room, there in self.rooms.items()
            for c in there
            if c.module == module
        ]
        said = {
            room: write_properties({"owner": owner} | ({"locked": "true"} if room in self.locked else {}))
            for room, owner in self.owners.items()
        }
        for client in list(self.clients.values()):
            if client.module == module and client.room:
                self.out.append((client.number, "LIST\t" + encode(rows, "\t")))
                self.out.append((client.number, "ROOM_INFO\t" + write_properties(said)))


class Listening:
    """The server on the loopback, in a thread of its own; `split` bytes go out at a time, 0 all at once."""

    def __init__(self, split: int = 0) -> None:
        self.server, self._split = Server(), split
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]
        self._over = threading.Event()
        self._wires: dict[socket.socket, tuple[int, bytearray]] = {}
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self._thread.join(5)
        for wire in (*self._wires, self._door):
            wire.close()

    def drop_all(self) -> None:
        """Every connection breaks."""
        for wire in list(self._wires):
            with contextlib.suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)

    def _run(self) -> None:
        number = 0
        while not self._over.is_set():
            ready, _, _ = select.select([self._door, *self._wires], [], [], 0.02)
            for wire in ready:
                if wire is self._door:
                    number += 1
                    new, _ = self._door.accept()
                    new.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self._wires[new] = number, bytearray()
                    self.server.opened(number)
                else:
                    self._read(wire)
            self._send()

    def _read(self, wire: socket.socket) -> None:
        number, held = self._wires[wire]
        try:
            data = wire.recv(1 << 16)
        except OSError:
            data = b""
        held += data
        *lines, rest = bytes(held).split(b"\n")
        held[:] = rest
        for line in lines:
            if not self.server.line(number, line.decode()):
                data = b""
                break
        if not data:
            del self._wires[wire]
            wire.close()
            self.server.closed(number)

    def _send(self) -> None:
        out, self.server.out = self.server.out, []
        by_number = {number: wire for wire, (number, _) in self._wires.items()}
        for number, line in out:
            wire, data = by_number.get(number), f"{line}\n".encode()
            size = self._split or len(data)
            for at in range(0, len(data) if wire else 0, size):
                with contextlib.suppress(OSError):
                    assert wire is not None
                    wire.sendall(data[at : at + size])


class Player:
    """A player's client: he registers, joins a room, speaks and listens."""

    def __init__(self, port: int, module: str, name: str, room: str = "Duel") -> None:
        self.module, self.name, self.room = module, name, room
        self.id = f"secret-{name}.1"
        self._wire = socket.create_connection(("127.0.0.1", port), 5)
        self._wire.settimeout(5)
        self._held = b""
        self.heard: list[str] = []
        self.send(
            "REG\t"
            + encode((self.id, f"{module}/{MAIN}", write_properties({"name": name, "id": self.id})), "\t")
        )
        self.send(f"JOIN\t{module}/{room}")

    def send(self, line: str) -> None:
        self._wire.sendall(f"{line}\n".encode())

    def tells_room(self, message: str) -> None:
        self.send("FWD\t" + encode((f"{self.module}/{self.room}/~{self.id}", packed(message)), "\t"))

    def tells(self, id: str, message: str) -> None:
        self.send("FWD\t" + encode((f"{self.module}/*/{id}", packed(message)), "\t"))

    def says(self, text: str) -> None:
        self.tells_room(f"CHAT&lt;{self.name}&gt; - {text}")

    def lines(self, seconds: float) -> Iterator[str]:
        """What comes, until nothing has come for so long."""
        while True:
            while b"\n" in self._held:
                line, _, self._held = self._held.partition(b"\n")
                yield unpacked(line.decode())
            if not select.select([self._wire], [], [], seconds)[0]:
                return
            data = self._wire.recv(1 << 16)
            if not data:
                return
            self._held += data

    def awaits(self, words: str, seconds: float = 10.0) -> str:
        """The next message that holds some words."""
        for line in self.lines(seconds):
            self.heard.append(line)
            if words in line:
                return line
        raise AssertionError(f"{words} did not come; last: {self.heard[-5:]}")

    def leaves(self) -> None:
        self.send("!BYE")
        self._wire.close()
