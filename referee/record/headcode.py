"""Head codes: what one player pastes into chat so that the other can tell a rewritten record."""

from __future__ import annotations

import base64
import hmac
import re

from referee.core.errors import BadInput, IntegrityFailure
from referee.core.frozen import frozen

# 130 bits: with 60, whoever writes the record could prepare two entries of one code in minutes.
_CODE_LENGTH = 26
_GROUP = 4
_CODE = re.compile(r"(?:#\s*([0-9]{1,15})\s+)?([A-Z2-7](?:[ -]?[A-Z2-7]){25})", re.IGNORECASE)
_HEX = re.compile(r"(?:#\s*([0-9]{1,15})\s+)?([0-9a-f]{64})", re.IGNORECASE)


@frozen
class HeadClaim:
    """A head somebody noted: an entry's number, where given, and the code or the full hash."""

    seq: int | None
    code: str  # 26 base32 characters, no groups
    full: str = ""  # 64 hex digits, where the full hash was given

    def fits(self, entry_hash: str) -> bool:
        """Whether an entry's hash is the one claimed."""
        if self.full:
            return hmac.compare_digest(self.full, entry_hash)
        return hmac.compare_digest(self.code, _letters(entry_hash))

    def __str__(self) -> str:
        code = _grouped(self.code)
        return code if self.seq is None else f"#{self.seq} {code}"


def head_code(seq: int, entry_hash: str) -> str:
    """`#128 K3QF-7M2A-...`: the entry's number and the first 130 bits of its hash in base32."""
    return f"#{seq} {_grouped(_letters(entry_hash))}"


def parse_head(text: str) -> HeadClaim:
    """A head code or 64 hex digits, each with or without `#N` before it. Raises BadInput."""
    stripped = " ".join(text.split())
    if match := _HEX.fullmatch(stripped):
        full = match[2].lower()
        return HeadClaim(_number(match[1]), _letters(full), full)
    if match := _CODE.fullmatch(stripped):
        return HeadClaim(_number(match[1]), re.sub("[ -]", "", match[2]).upper())
    raise BadInput(f"{stripped[:60]!a} is not a head code", hint="give `#128 K3QF-7M2A-...` or 64 hex digits")


def check_head(claim: HeadClaim, hashes: list[str], file: str = "") -> int:
    """The number of the entry the claim names, in a record with these entry hashes.

    Raises IntegrityFailure when the record is shorter than the claim, or holds another entry there.
    """
    if claim.seq is None:
        for seq, entry_hash in enumerate(hashes):
            if claim.fits(entry_hash):
                return seq
        raise IntegrityFailure(
            f"no entry has the head {claim}", file=file, hint="the record was rewritten or cut"
        )
    if claim.seq >= len(hashes):
        raise IntegrityFailure(
            f"ends with entry {len(hashes) - 1}, before the head #{claim.seq}",
            file=file,
            hint="its tail was cut, or it is an old copy",
        )
    if not claim.fits(hashes[claim.seq]):
        raise IntegrityFailure(
            f"entry {claim.seq} is not the one of the head {claim}",
            file=file,
            place=f"line {claim.seq + 1}",
            hint="the record was rewritten at or before this line",
        )
    return claim.seq


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def _letters(entry_hash: str) -> str:
    return base64.b32encode(bytes.fromhex(entry_hash)[:17]).decode()[:_CODE_LENGTH]


def _grouped(code: str) -> str:
    return "-".join(code[start : start + _GROUP] for start in range(0, _CODE_LENGTH, _GROUP))
