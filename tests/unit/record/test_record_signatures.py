"""Signed lines: their bytes, their hash without the signatures, and who has to sign what."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from recordcases import NOW, genesis

from referee.core.errors import IntegrityFailure, RefereeError
from referee.record.chain import ZERO_HASH, Entry, LineCheck, entry_line, make_entry, read_alone, signed
from referee.record.entrytypes import TYPES
from referee.record.names import looks, unfit
from referee.record.reading import read, verify
from referee.record.signatures import AUTHORS, NOBODYS, Signers, followed, verify_signatures
from referee.record.signing import holds, key_message, message_of, new_signing_key, public_part, sign

KEYS = {name: f"{number:02x}" * 32 for number, name in enumerate(("alice", "bob"), 1)}


def begun() -> list[Entry]:
    data = genesis(fold=2) | {
        "players": list(KEYS),
        "signers": {name: public_part(key) for name, key in KEYS.items()},
    }
    return [make_entry(ZERO_HASH, 0, "genesis", data, NOW)]


def said(entries: list[Entry], kind: str, data: dict[str, Any], *names: str) -> list[Entry]:
    """The entries with one more, signed by these."""
    entry = make_entry(entries[-1].hash, len(entries), kind, data, NOW)
    message = message_of(entry, entries[0].data["game"])
    return [
        *entries,
        signed(entry, {name: sign(KEYS[name], message) for name in names})[0] if names else entry,
    ]


def played() -> list[Entry]:
    entries = said(begun(), "ruling", {"by": "bob", "text": "north is up"}, "bob")
    entries = said(
        entries, "undo", {"target": 1, "reason": "x", "agreed_by": ["bob", "alice"]}, "bob", "alice"
    )
    entries = said(entries, "step", {"turn": 2})
    key = {"roll": 1, "player": "alice", "declaration": "ab" * 32, "key": "cd" * 32}
    return said(entries, "key", key, "alice")


def test_every_type_of_entry_says_who_signs_it() -> None:
    assert set(AUTHORS) | NOBODYS == set(TYPES) and not set(AUTHORS) & NOBODYS
    for kind, parts in AUTHORS.items():
        assert set(parts) <= {**TYPES[kind].required, **TYPES[kind].optional}.keys() or TYPES[kind].open


def test_the_library_signs_as_rfc_8032_says() -> None:
    private = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    signature = (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd"
        "25bf5f0595bbe24655141438e7a100b"
    )
    assert public_part(private) == public and sign(private, b"") == signature
    assert holds(public, b"", signature) and not holds(public, b"x", signature)
    assert not holds(public, b"", signature[:-2] + "1b")


def test_the_hash_leaves_the_signatures_out() -> None:
    plain = said(begun(), "ruling", {"by": "bob", "text": "north is up"})[-1]
    assert plain.hash == played()[1].hash and b"sigs" not in entry_line(plain)
    line = entry_line(played()[2])
    assert json.dumps(json.loads(line), sort_keys=True, separators=(",", ":")).encode() + b"\n" == line
    assert list(json.loads(line)["sigs"]) == ["alice", "bob"]


def test_the_quick_check_and_the_slow_one_say_the_same() -> None:
    """Of signed lines as they are, and of each with a byte changed, put in or taken out."""
    dice = random.Random(7)
    for entry in played():
        line = entry_line(entry)[:-1]
        quick = LineCheck().quick(line, entry.seq, entry.prev)
        assert quick is not None and quick.get("sigs", {}) == dict(entry.sigs) == dict(
            read_alone(line, 1).sigs
        )
        for _ in range(400):
            at = dice.randrange(len(line))
            other = dice.choice([b"", bytes([dice.randrange(32, 127)]), line[at : at + 1] + b'"'])
            wrong = line[:at] + other + line[at + 1 :]
            found = LineCheck().quick(wrong, entry.seq, entry.prev)
            if found is not None:
                slow = read_alone(wrong, 1)
                assert (slow.hash, slow.data, dict(slow.sigs)) == (
                    found["hash"],
                    found["data"],
                    found.get("sigs", {}),
                )


def test_signatures_out_of_order_or_twice() -> None:
    entry = played()[2]
    line = entry_line(entry)[:-1].decode()
    (one, first), (two, second) = entry.sigs.items()
    for sigs in (f'"{two}":"{second}","{one}":"{first}"', f'"{one}":"{first}","{one}":"{first}"'):
        wrong = line.replace(f'"{one}":"{first}","{two}":"{second}"', sigs).encode()
        assert wrong != line.encode() and LineCheck().quick(wrong, entry.seq, entry.prev) is None
        with pytest.raises(IntegrityFailure):
            read_alone(wrong, 1)


@pytest.mark.parametrize(
    "sigs", ["{}", "[]", "null", '"ab"', '{"alice":1}', '{"ALICE":"0"}', '{"alice":"0"}', "7"]
)
def test_what_is_no_signature(sigs: str) -> None:
    """Nor capital digits, nor blanks between them, though they spell the same bytes."""
    entry = played()[1]
    line = entry_line(entry)[:-1].decode()
    ((name, sig),) = entry.sigs.items()
    field = f'{{"{name}":"{sig}"}}'
    odd = [sig.upper(), sig[:-2] + "  ", sig[:2] + " " + sig[3:], sig + "00", sig[2:]]
    for other in (sigs, *(field.replace(sig, text) for text in odd)):
        wrong = line.replace(field, other).encode()
        assert wrong != line.encode() and LineCheck().quick(wrong, entry.seq, entry.prev) is None
        with pytest.raises(IntegrityFailure):
            read_alone(wrong, 1)


def test_every_changed_byte_of_a_signed_record_is_found(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    whole = b"".join(map(entry_line, played()))
    path.write_bytes(whole)
    assert verify_signatures(read(path)).signed and verify(path).lines == 5
    for at in range(0, len(whole), 3):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with pytest.raises(RefereeError):
            verify_signatures(read(path))


def test_a_signature_is_of_one_place_in_one_game() -> None:
    entries = played()
    ruling, sigs = {"by": "bob", "text": "north is up"}, entries[1].sigs
    again = signed(make_entry(entries[-1].hash, len(entries), "ruling", ruling, NOW), sigs)[0]
    with pytest.raises(IntegrityFailure, match="does not hold"):
        verify_signatures([*entries, again])
    assert key_message({"roll": 1}, "ab" * 16) != key_message({"roll": 1}, "cd" * 16)


def test_keys_as_they_are_followed_are_keys_as_they_are_checked() -> None:
    entries = played()
    checked = Signers()
    for entry in entries:
        checked.check(entry)
    assert (followed(entries).keys, followed(entries).used) == (checked.keys, checked.used)
    assert not followed(entries).may_join("bob") and followed(entries[:1]).may_join("bob")
    own = {"player": "bob", "signer": public_part(new_signing_key())}
    with pytest.raises(IntegrityFailure, match="bob has a signing key already"):
        followed([*entries, make_entry(entries[-1].hash, 5, "signer", own, NOW)])


@pytest.mark.parametrize(("mode", "part"), [("umpire", "umpire"), ("solo", "operator")])
def test_who_keeps_the_seed_signs_what_comes_from_it(mode: str, part: str) -> None:
    data = begun()[0].data | {"dice": {"mode": mode, part: "alice"}}
    entries = [make_entry(ZERO_HASH, 0, "genesis", data, NOW)]
    thrown = {"roll": 1, "declaration": "ab" * 32, "dice": [{"count": 1, "sides": 6, "faces": [6]}]}
    for kind, faces, names in (
        ("result", thrown, ("alice",)),
        ("result", thrown | {"entered_by": "bob"}, ("bob",)),
        ("result", thrown | {"dice": []}, ()),
        ("dice_seed", {"seed": "ab" * 32}, ("alice",)),
    ):
        verify_signatures(said(entries, kind, faces, *names))
        with pytest.raises(IntegrityFailure):
            verify_signatures(said(entries, kind, faces, "alice" if names == ("bob",) else "bob"))


def test_names_and_what_they_look_like() -> None:
    assert (
        looks("Kang") & looks("KANG") and looks("ABC1") & looks("abcl") and looks("Kodam") & looks("Kodarn")
    )
    assert not looks("Kang") & looks("Kong")
    assert not unfit("K'Vort #2") and not unfit("Étoile") and "scripts" in unfit("Kаng")
