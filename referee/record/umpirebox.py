"""Orders encrypted to an umpire who must see them now; the digest in the record stays what binds.

Needs the optional extra `age` (pyrage). Encryption is no commitment: the umpire's program opens
the box, recomputes the digest and records that it fits before the turn runs.
"""

from __future__ import annotations

import importlib
from typing import Any

from referee.core.errors import BadInput
from referee.record.canonical import canonical, parse_strict
from referee.record.limits import MAX_SECRET_FILE
from referee.record.seals import Opening, opening_from, opening_secret


def new_identity() -> tuple[str, str]:
    """A new umpire's secret identity and the public recipient that belongs to it."""
    identity = _pyrage().x25519.Identity.generate()
    return str(identity), str(identity.to_public())


def check_recipient(recipient: str) -> None:
    """Raises BadInput unless a text is a recipient that can be encrypted to."""
    pyrage = _pyrage()
    try:
        pyrage.x25519.Recipient.from_str(recipient)
    except Exception:
        hint = "age1 and 58 characters, as `referee umpire key` prints it"
        raise BadInput(f"--to-umpire {recipient[:24]} is no age recipient", hint=hint) from None


def identity_in(text: str) -> str:
    """The identity in a key file: its one line that is no comment, as age-keygen writes them too.
    Raises BadInput for none, or several."""
    lines = [line.strip() for line in text.splitlines()]
    found = [line for line in lines if line and not line.startswith("#")]
    if len(found) != 1:
        raise BadInput(
            "is not a key file", hint="one line, AGE-SECRET-KEY-1…; `referee umpire key` makes one"
        )
    return found[0]


def box_opening(opening: Opening, recipient: str) -> bytes:
    """The opening as an age file for one recipient. Raises BadInput."""
    check_recipient(recipient)
    pyrage = _pyrage()
    to = pyrage.x25519.Recipient.from_str(recipient)
    return bytes(pyrage.encrypt(canonical(opening_secret(opening)), [to]))


def unbox_opening(box: bytes, identity: str) -> Opening:
    """The opening in an age file. Raises BadInput when it cannot be decrypted or is none."""
    pyrage = _pyrage()
    if len(box) > MAX_SECRET_FILE:
        raise BadInput(f"larger than {MAX_SECRET_FILE} bytes")
    try:
        text = pyrage.decrypt(box, [pyrage.x25519.Identity.from_str(identity)]).decode()
    except Exception:
        raise BadInput("cannot be decrypted with this identity") from None
    try:
        secret = parse_strict(text)
    except ValueError as error:
        raise BadInput(f"the box holds no opening: it {error}") from None
    if not isinstance(secret, dict):
        raise BadInput("the box holds no opening")
    return opening_from(secret)


def _pyrage() -> Any:
    try:
        return importlib.import_module("pyrage")
    except ImportError:
        raise BadInput(
            "encrypting to an umpire needs pyrage",
            hint='`pip install "referee[age]"`, or send the secrets file privately',
        ) from None
