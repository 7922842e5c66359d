"""A player's signature: Ed25519 over the hash of an entry. The library is loaded when it is first used."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from referee.core.errors import IntegrityFailure
from referee.record.canonical import canonical
from referee.record.chain import Entry
from referee.record.machine import random_bytes

PUBLIC = re.compile("[0-9a-f]{64}")
_SIGN = b"referee.sign.v1\n"
_SIGN_KEY = b"referee.signkey.v1\n"
_FIELD = 2**255 - 19
# The y of the eight points of low order: under such a key some signature holds for any entry at all.
_LOW = {
    0,
    1,
    _FIELD - 1,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7,
}


def new_signing_key() -> str:
    """The private part of a new key, 256 random bits in hex."""
    return random_bytes(32).hex()


def public_part(private: str) -> str:
    """The public part of a key, in hex."""
    return bytes(_private(private).public_key().public_bytes_raw()).hex()


def sign(private: str, message: bytes) -> str:
    """The signature of a message, in hex."""
    return bytes(_private(private).sign(message)).hex()


def holds(public: str, message: bytes, signature: str) -> bool:
    """Whether a signature is that of a public key over a message."""
    invalid, key = _public(public)
    try:
        key.verify(bytes.fromhex(signature), message)
    except (invalid, ValueError):
        return False
    return True


def check_public(public: object) -> None:
    """Raises IntegrityFailure unless this is a public key that only one person can sign for."""
    if not isinstance(public, str) or not PUBLIC.fullmatch(public):
        raise IntegrityFailure("a signing key is not 64 hex digits")
    y = int.from_bytes(bytes.fromhex(public), "little") % 2**255
    if y in _LOW or y >= _FIELD:
        raise IntegrityFailure("a signing key that anybody can sign for")


def message_of(entry: Entry, game: str) -> bytes:
    """What is signed of an entry: its hash, which holds all before it. Of a `key`, which may come through chat
    before its line is known, what it says: the declaration it names holds all before it."""
    if entry.type == "key":
        return key_message(entry.data, game)
    return _SIGN + bytes.fromhex(entry.hash)


def key_message(data: dict[str, Any], game: str) -> bytes:
    """What is signed of a player's key for a roll."""
    return _SIGN_KEY + canonical({**data, "game": game})


@lru_cache(64)
def _private(private: str) -> Any:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))


@lru_cache(64)
def _public(public: str) -> tuple[type[Exception], Any]:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return InvalidSignature, Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
