"""Sealed orders: nothing can be guessed, changed, copied or moved; each failure has its own answer."""

from __future__ import annotations

import copy
import hashlib
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordcases import GAME, RULES, chained, genesis

from referee.core.errors import BadInput, IntegrityFailure
from referee.record import sealtree, umpirebox
from referee.record.canonical import canonical, packed
from referee.record.chain import Entry
from referee.record.seals import (
    Opening,
    SealLedger,
    load_opening,
    opening_from,
    opening_secret,
    reveal_all,
    reveal_fields,
    save_opening,
    seal_orders,
)
from referee.record.secretfiles import read_secret, secrets_folder, slug, write_secret

FORM: dict[str, Any] = {"l1": "16", "l9": "5/2", "l10": packed({"PHOT/A": 2}), "l19": "3"}


def orders(**changes: Any) -> Opening:
    given: dict[str, Any] = {
        "kind": "eaf", "game": GAME, "ruleset": RULES, "turn": 3, "player": "alice", "ship": "CA Enterprise",
    }  # fmt: skip
    form = changes.pop("form", FORM)
    return seal_orders(form, **given | changes)


def sealed(*openings: Opening) -> tuple[SealLedger, list[Entry]]:
    entries = chained([("seal", opening.seal_data) for opening in openings])
    ledger = SealLedger()
    for entry in entries:
        ledger.apply(entry)
    return ledger, entries[1:]


def test_the_digest_is_as_the_format_says() -> None:
    opening = orders(random=lambda count: b"\x07" * count)
    body = {
        "v": 1, "kind": "eaf", "game": GAME, "ruleset": RULES, "turn": 3, "player": "alice",
        "ship": "CA Enterprise", "seq": 1, "form": FORM,
    }  # fmt: skip
    preimage = b"referee.commit.v1\n" + canonical({"body": body, "nonce": "07" * 32})
    assert opening.digest == hashlib.sha256(preimage).hexdigest()
    assert opening.seal_data == {
        "v": 1, "digest": opening.digest, "kind": "eaf", "game": GAME, "turn": 3, "player": "alice",
        "ship": "CA Enterprise", "seq": 1,
    }  # fmt: skip


def test_equal_forms_have_unequal_digests() -> None:
    assert orders().digest != orders().digest
    assert orders(per_field=True).digest != orders(per_field=True).digest


@pytest.mark.parametrize("per_field", [False, True])
@pytest.mark.parametrize("impulse", [0, 12])
def test_a_true_reveal_is_accepted(tmp_path: Path, per_field: bool, impulse: int) -> None:
    opening = orders(per_field=per_field, impulse=impulse, kind="fire")
    path = save_opening(tmp_path / "duel.secrets", opening)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.name == ("3-12-ca-enterprise-fire-1.json" if impulse else "3-ca-enterprise-fire-1.json")
    assert load_opening(path) == opening
    with pytest.raises(BadInput, match="already exists"):
        save_opening(tmp_path / "duel.secrets", opening)
    ledger, (seal,) = sealed(opening)
    shown = ledger.check_reveal(reveal_all(opening, seal))
    assert (shown.form, shown.complete, shown.ship, shown.turn) == (FORM, True, "CA Enterprise", 3)
    assert shown.seal == seal


def test_nothing_of_the_form_is_in_the_record() -> None:
    for opening in (orders(), orders(per_field=True)):
        data = opening.seal_data
        assert set(data) == {"v", "digest", "kind", "game", "turn", "player", "ship", "seq"}


@pytest.mark.parametrize("per_field", [False, True])
def test_a_changed_reveal_does_not_match(per_field: bool) -> None:
    opening = orders(per_field=per_field)
    ledger, (seal,) = sealed(opening)
    changes: list[tuple[str, Any]] = [
        ("turn", 4), ("player", "bob"), ("ship", "CA Kongo"), ("seq", 2), ("ruleset", "ee" * 32), ("kind", "moves"),
        ("game", "00" * 16),
    ]  # fmt: skip
    for name, value in changes:
        data = copy.deepcopy(reveal_all(opening, seal))
        data["body"][name] = value
        with pytest.raises(IntegrityFailure, match="does not match the seal in line 2"):
            ledger.check_reveal(data)
    data = copy.deepcopy(reveal_all(opening, seal))
    if per_field:
        data["shown"][0]["value"] = "17"
        message = "the value shown for 'l1' is not the one sealed"
    else:
        data["body"]["form"]["l1"] = "17"
        message = "does not match the seal in line 2"
    with pytest.raises(IntegrityFailure, match=message):
        ledger.check_reveal(data)


def test_a_copied_digest_or_another_games_seal_is_refused() -> None:
    opening = orders()
    stolen = {**opening.seal_data, "player": "bob", "ship": "D6"}
    with pytest.raises(IntegrityFailure, match="copy of the digest in line 2"):
        sealed_data(opening.seal_data, stolen)
    for change in ({"game": "00" * 16}, {"player": "carol"}, {"v": 3}, {"seq": 2}):
        with pytest.raises(IntegrityFailure):
            sealed_data({**opening.seal_data, **change})


def sealed_data(*seals: dict[str, Any]) -> SealLedger:
    ledger = SealLedger()
    for entry in chained([("seal", data) for data in seals]):
        ledger.apply(entry)
    return ledger


def test_a_seal_whose_body_tells_another_story_is_told_apart() -> None:
    """The digest fits, what it was filed under does not: not the same answer as a wrong digest."""
    opening = orders(turn=2)
    data = {**opening.seal_data, "turn": 3}
    ledger = SealLedger()
    entries = chained([("seal", data)])
    for entry in entries:
        ledger.apply(entry)
    with pytest.raises(IntegrityFailure, match="matches the seal in line 2, but its turn is another"):
        ledger.check_reveal(reveal_all(opening, entries[1]))
    other_rules = orders(ruleset="ee" * 32)
    ledger, (seal,) = sealed(other_rules)
    with pytest.raises(IntegrityFailure, match="sealed for other rules"):
        ledger.check_reveal(reveal_all(other_rules, seal))


def test_a_later_revision_counts() -> None:
    first, second = orders(), orders(seq=2, form={"l1": "15"})
    ledger, seals = sealed(first, second)
    assert ledger.next_revision(3, "alice", "CA Enterprise", "eaf") == 3
    with pytest.raises(IntegrityFailure, match="in line 2 was replaced by the one in line 3"):
        ledger.check_reveal(reveal_all(first, seals[0]))
    assert ledger.check_reveal(reveal_all(second, seals[1])).form == {"l1": "15"}


def test_who_has_not_sealed() -> None:
    ledger, _ = sealed(orders())
    ships = [("alice", "CA Enterprise"), ("bob", "D6")]
    assert ledger.missing(3, "eaf", ships) == [("bob", "D6")]
    assert ledger.missing(4, "eaf", ships) == ships


def test_single_fields_are_shown_and_proved() -> None:
    opening = orders(per_field=True)
    ledger, (seal,) = sealed(opening)
    data = reveal_fields(opening, seal, ["l19"])
    shown = ledger.check_reveal(data)
    assert (shown.form, shown.complete) == ({"l19": "3"}, False)
    assert "5/2" not in str(data)
    with pytest.raises(BadInput, match="has no field"):
        reveal_fields(opening, seal, ["l99"])
    with pytest.raises(BadInput, match="sealed as a whole"):
        reveal_fields(orders(), seal, ["l19"])


def test_no_form_holds_two_values_of_one_field() -> None:
    """A tree made with a field twice would let its owner choose later: the names tell."""
    fields = ["ecm", "ecm"]
    leaves = [sealtree.leaf("ecm", value, "00" * 16) for value in ("3", "5")]
    honest = orders(per_field=True)
    head = {name: value for name, value in honest.body.items() if name != "form"}
    root = sealtree.root(leaves).hex()
    preimage = canonical({"fields": fields, "head": head, "root": root})
    digest = hashlib.sha256(b"referee.commit.v2\n" + preimage).hexdigest()
    entries = chained([("seal", {**honest.seal_data, "digest": digest})])
    ledger = SealLedger()
    for entry in entries:
        ledger.apply(entry)
    shown = {"field": "ecm", "value": "3", "salt": "00" * 16, "path": [leaves[1].hex()]}
    data = {"v": 2, "seal": entries[1].hash, "body": head, "fields": fields, "root": root, "shown": [shown]}
    with pytest.raises(IntegrityFailure, match="not in order"):
        ledger.check_reveal(data)


@given(st.integers(1, 40), st.data())
def test_every_leaf_is_proved_in_its_place_and_no_other(count: int, data: st.DataObject) -> None:
    leaves = [sealtree.leaf(f"f{number}", number, "00" * 16) for number in range(count)]
    top = sealtree.root(leaves)
    index = data.draw(st.integers(0, count - 1))
    other = data.draw(st.integers(0, count - 1))
    siblings = sealtree.path(leaves, index)
    assert sealtree.root_from(leaves[index], index, count, siblings) == top
    if other != index:
        assert sealtree.root_from(leaves[index], other, count, siblings) != top
        assert sealtree.root_from(leaves[other], index, count, siblings) != top
    assert sealtree.root_from(leaves[index], index, count, [*siblings, top]) is None
    if siblings:
        assert sealtree.root_from(leaves[index], index, count, siblings[:-1]) is None


@pytest.mark.parametrize(
    "odd",
    [
        {}, {"v": 1, "seal": "00" * 32}, {"v": 3}, {"v": 1, "body": {}, "nonce": "00" * 32},
        {"v": 2, "body": {}, "fields": [], "root": "00" * 32, "shown": []},
        {"v": 2, "body": {}, "fields": ["a"], "root": "00" * 32, "shown": [{}]},
        {"v": 2, "body": {}, "fields": ["a"], "root": "00" * 32,
         "shown": [{"field": "a", "value": 1, "salt": "0", "path": ["x"]}]},
        {"v": 1, "body": {"form": {}}, "nonce": 5}, {"v": 1, "body": [], "nonce": "00" * 32},
    ],
)  # fmt: skip
def test_odd_reveals_are_refused(odd: dict[str, Any]) -> None:
    ledger, (seal,) = sealed(orders())
    with pytest.raises((BadInput, IntegrityFailure)):
        ledger.check_reveal({"seal": seal.hash, **odd})


def test_odd_forms_and_files_are_refused(tmp_path: Path) -> None:
    for bad in ({"PHOT/A": 1}, {"l1": 1.5}, {"l1": "a\nb"}):
        with pytest.raises(BadInput):
            orders(form=bad)
        with pytest.raises(BadInput):
            orders(form=bad, per_field=True)
    for changes in ({"kind": "E A F"}, {"player": "Alice!"}, {"seq": 0}, {"game": "x"}):
        with pytest.raises(BadInput):
            orders(**changes)
    with pytest.raises(BadInput):
        orders(form={}, per_field=True)
    for secret in (
        {},
        {"body": {}},
        {"body": orders().body},
        {"body": orders(per_field=True).body, "salts": []},
    ):
        with pytest.raises(BadInput, match="does not open a seal"):
            opening_from(secret)
    for name in ("../x.json", "a.txt", "", "A.json"):
        with pytest.raises(BadInput, match="not a name"):
            write_secret(tmp_path, name, {})
    (tmp_path / "bad.json").write_text("[]")
    with pytest.raises(BadInput, match="not an object"):
        read_secret(tmp_path / "bad.json")
    (tmp_path / "link.json").symlink_to(tmp_path / "bad.json")
    with pytest.raises(BadInput, match="symbolic link"):
        read_secret(tmp_path / "link.json")
    with pytest.raises(BadInput, match="already exists"):
        write_secret(tmp_path, "link.json", {})
    assert slug("../../CA Enterprise") == "ca-enterprise"
    assert slug("///") == "x"
    assert secrets_folder("a/duel.jsonl") == Path("a/duel.secrets")


def test_an_umpires_answer_names_the_digest() -> None:
    opening = orders()
    ledger, (seal,) = sealed(opening)
    entries = chained([("seal", opening.seal_data)])
    good = {"seal": seal.hash, "digest": opening.digest, "by": "carol"}
    assert ledger.apply(chained([("umpire_ack", good)])[1]) is None
    with pytest.raises(IntegrityFailure, match="another digest"):
        ledger.apply(chained([("umpire_ack", {**good, "digest": "00" * 32})])[1])
    assert entries[1] == seal


def test_orders_boxed_for_an_umpire() -> None:
    pytest.importorskip("pyrage")
    identity, recipient = umpirebox.new_identity()
    for opening in (orders(), orders(per_field=True)):
        box = umpirebox.box_opening(opening, recipient)
        assert b"CA Enterprise" not in box
        assert umpirebox.unbox_opening(box, identity) == opening
        _, (seal,) = sealed(opening)
        assert umpirebox.unbox_opening(box, identity).digest == seal.data["digest"]
    stranger, _ = umpirebox.new_identity()
    with pytest.raises(BadInput, match="cannot be decrypted"):
        umpirebox.unbox_opening(box, stranger)
    with pytest.raises(BadInput, match="no age recipient"):
        umpirebox.box_opening(orders(), "age1nonsense")


def test_without_pyrage_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyrage", None)
    with pytest.raises(BadInput, match=r"needs pyrage.*referee\[age\]"):
        umpirebox.box_opening(orders(), "age1x")


def test_openings_are_written_as_they_are_read() -> None:
    for opening in (orders(), orders(per_field=True)):
        assert opening_from(opening_secret(opening)) == opening
    assert genesis()["game"] == GAME
