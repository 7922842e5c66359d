"""The keys that dice are made of, mode by mode. `referee.core.dice` turns a key into faces.

A key must be unknown to those it could tempt until its roll is declared, and nothing a player
writes in the record may enter it: only secrets committed to before, and the roll's number.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping, Sequence

from referee.core.dice import die, seed_key, stream
from referee.core.errors import BadInput, IntegrityFailure
from referee.core.frozen import frozen
from referee.record.canonical import canonical, check_text
from referee.record.chain import Data
from referee.record.limits import DEFAULT_CHAIN, MAX_CHAIN, MAX_DICE
from referee.record.machine import random_bytes

MODES = {
    "peer": "keys of both players; nobody can look ahead, nobody can choose",
    "umpire": "the umpire's key; the umpire could look ahead",
    "solo": "a key on the operator's machine; the operator could have looked ahead",
    "physical": "dice thrown by hand and typed in",
    "seed": "NOT FAIR: practice only, everybody can look ahead",
}

Random = Callable[[int], bytes]

_LINK = b"referee.chain.v1\n"
_BOUND = b"referee.peerkey.v2\n"
_BOND = b"referee.keybond.v1\n"
_UMPIRE = b"referee.dicekey.v1\n"
_COMMITMENT = b"referee.umpire.v1\n"
_NONCE = b"referee.nonce.v1\n"


def new_game_id(random: Random = random_bytes) -> str:
    """A game's id: 128 random bits in hex."""
    return random(16).hex()


def new_secret(random: Random = random_bytes) -> str:
    """An umpire's seed, a player's nonce or the far end of a chain: 256 random bits in hex."""
    return random(32).hex()


def link(key: str, steps: int = 1) -> str:
    """The key so many steps nearer to the anchor."""
    value = _bytes(key)
    for _ in range(steps):
        value = hashlib.sha256(_LINK + value).digest()
    return value.hex()


def leads(start: str, end: str, steps: int) -> bool:
    """Is `end` one of the `steps` keys that follow `start` in its chain?"""
    value, wanted = _bytes(start), _bytes(end)
    for _ in range(steps):
        value = hashlib.sha256(_LINK + value).digest()
        if value == wanted:
            return True
    return False


@frozen
class KeyChain:
    """A player's secret keys: the far end, and how many rolls it lasts. Link 0 is the public anchor."""

    end: str
    length: int = DEFAULT_CHAIN

    def __post_init__(self) -> None:
        _bytes(self.end)
        if not 1 <= self.length <= MAX_CHAIN:
            raise BadInput(f"a chain of {self.length} keys", hint=f"1 to {MAX_CHAIN}")

    def key(self, roll: int) -> str:
        """The key of roll 1 to `length`; 0 gives the anchor. Raises BadInput beyond."""
        if not 0 <= roll <= self.length:
            raise BadInput(f"the key chain ends at roll {self.length}")
        return link(self.end, self.length - roll)

    @property
    def anchor(self) -> str:
        """What is made public before the first roll."""
        return self.key(0)


def new_chain(length: int = DEFAULT_CHAIN, random: Random = random_bytes) -> KeyChain:
    """A key chain with a random end."""
    return KeyChain(new_secret(random), length)


def check_key(key: str, roll: int, known: str, known_roll: int) -> None:
    """Raises IntegrityFailure unless the key of `roll` leads to the known key of an earlier roll."""
    if roll <= known_roll or not hmac.compare_digest(link(key, roll - known_roll), known):
        raise IntegrityFailure(f"the key does not lead to the key of roll {known_roll}")


def bound_key(game: str, roll: int, declaration: str, keys: Mapping[str, str]) -> bytes:
    """K of one roll: of the game, the roll's number, its declaration, and the keys that were given for it."""
    value = {"declaration": declaration, "game": game, "players": dict(keys), "roll": roll}
    return hashlib.sha256(_BOUND + canonical(value)).digest()


def bond(game: str, roll: int, player: str, declaration: str, refused: Sequence[str], after: str) -> str:
    """What binds a player's key to the declaration it was given for: nobody else can make it, for it takes
    `after`, the key of the next roll. Of who declared it also binds whose keys were `refused`."""
    value = {
        "declaration": declaration,
        "game": game,
        "player": player,
        "refused": sorted(refused),
        "roll": roll,
    }
    return hmac.digest(_bytes(after), _BOND + canonical(value), "sha256").hex()


def umpire_key(game: str, seed: str, nonces: Mapping[str, str]) -> bytes:
    """K of a whole game: of the umpire's seed and every player's nonce."""
    value = {"game": game, "players": dict(nonces), "umpire": seed}
    return hashlib.sha256(_UMPIRE + canonical(value)).digest()


def seed_commitment(game: str, umpire: str, seed: str) -> str:
    """What the umpire makes public before any nonce is known."""
    value = {"game": game, "seed": seed, "umpire": umpire}
    return hashlib.sha256(_COMMITMENT + canonical(value)).hexdigest()


def nonce_of_text(text: str) -> str:
    """The nonce made of what a player types at the table."""
    check_text(text)
    return hashlib.sha256(_NONCE + text.encode()).hexdigest()


def practice_key(text: str) -> bytes:
    """K of a seed text."""
    return seed_key(text)


class VolleyDice:
    """The dice of one roll, thrown on demand or as declared; remembers every face.

    Has the shape of `referee.core.dice.Dice`.
    """

    def __init__(self, key: bytes, roll_index: int, source: str) -> None:
        self.source = source
        self.groups: list[Data] = []
        self._bytes = stream(key, roll_index)
        self._thrown = 0

    def roll(self, count: int, sides: int) -> int:
        """The sum of the next dice. Raises BadInput beyond 10,000 dice or for odd dice."""
        return sum(self.throw(count, sides))

    def throw(self, count: int, sides: int, label: str | None = None) -> list[int]:
        """The faces of the next dice. Raises as `roll`."""
        if count < 1 or not 2 <= sides <= 256 or self._thrown + count > MAX_DICE:
            raise BadInput(f"{count}d{sides} cannot be rolled", hint=f"{MAX_DICE} dice, 2 to 256 sides")
        self._thrown += count
        faces = [die(self._bytes, sides) for _ in range(count)]
        group: Data = {"count": count, "sides": sides, "faces": faces}
        self.groups.append(group if label is None else {"for": label, **group})
        return faces


def throw_all(key: bytes, roll: int, order: Sequence[Data]) -> list[Data]:
    """The dice of a declared roll, group by group in the declared order."""
    dice = VolleyDice(key, roll, "")
    for group in order:
        dice.throw(group["count"], group["sides"], group.get("for"))
    return dice.groups


def _bytes(key: str) -> bytes:
    try:
        value = bytes.fromhex(key)
    except ValueError:
        value = b""
    if len(value) != 32 or value.hex() != key:
        raise BadInput(f"{key[:20]!a} is not a key", hint="64 lower-case hex digits")
    return value


_KNOWN_KEY = "46d302999dda645064a394035049339f8aff855998f27c0049cbdde454b8e19e"
_KNOWN_ROLLS = (
    (0, 6, [4, 5, 3, 6, 4, 5, 1, 4]),
    (1, 6, [1, 1, 6, 3, 5, 5, 4, 6]),
    (2, 6, [4, 4, 1, 1, 1, 2, 4, 3]),
    (3, 10, [4, 10, 1, 8, 4, 6, 8, 7]),
    (4, 100, [27, 81, 27, 3, 91, 34]),
)


def self_test() -> None:
    """Recomputes the known answers; a command that makes dice runs this first (0.1 ms).

    Raises IntegrityFailure if this installation would make other dice than everybody else's.
    """
    key = umpire_key("G1", bytes(range(32)).hex(), {"alice": "aa" * 32, "bob": "bb" * 32})
    good = key.hex() == _KNOWN_KEY and all(
        VolleyDice(key, roll, "").throw(len(faces), sides) == faces for roll, sides, faces in _KNOWN_ROLLS
    )
    if not good:
        raise IntegrityFailure("the dice self-test fails", hint="this installation is broken: roll no dice")
