"""Sealed orders through the command line: sealed, kept, shown, judged; and every way to cheat with them."""

from __future__ import annotations

import re
from dataclasses import replace
from json import dumps, loads
from pathlib import Path

import pytest

from referee.record.reading import read
from tests.cli.conftest import Ran, Run
from tests.unit.play.test_game_forging import BY_MAIL, SHIPS, begin, forge

FORM_A, FORM_B = BY_MAIL / "constellation.csv", BY_MAIL / "destruction.csv"


def sealed_secrets() -> list[str]:
    """What lies in the folder of secrets besides the signing keys."""
    names = [path.name for path in Path("g.secrets").iterdir()]
    return [name for name in names if not name.startswith("sign-")]


@pytest.fixture
def game(referee: Run) -> Path:
    """A game in its energy allocation."""
    return begin(referee)


def sealed(referee: Run, game: Path, ship: str = "A", *more: str) -> Ran:
    """A form sealed for a ship."""
    ran = referee("seal", FORM_A if ship == "A" else FORM_B, "--game", game, "--ship", ship, *more)
    assert ran.code == 0 and f"sealed: energy form of {ship} for turn 1" in ran.out, ran
    return ran


def test_who_has_not_sealed_is_said(referee: Run, game: Path) -> None:
    waits = referee("game", "status", game).out
    assert "awaited from alice: energy form of A" in waits and "awaited from bob: energy form of B" in waits
    sealed(referee, game)
    waits = referee("game", "status", game).out
    assert (
        "awaited from alice" not in waits
        and "awaited from bob: energy form of B" in waits
        and "A: energy form of turn 1 sealed" in waits
    )
    sealed(referee, game, "B")
    waits = referee("game", "status", game, "--json").json["awaited"]
    assert waits == [
        {
            "player": "alice",
            "what": 'the speed of A for turn 1, as its form pays for it (game say "A: speed N")',
        },
        {
            "player": "bob",
            "what": 'the speed of B for turn 1, as its form pays for it (game say "B: speed N")',
        },
    ]
    assert referee("game", "next", game, "--to", "1.end-of-turn").code == 0
    waits = referee("game", "status", game, "--json").json["awaited"]
    assert waits == [
        {"player": "alice", "what": "reveal of A's form of turn 1"},
        {"player": "bob", "what": "reveal of B's form of turn 1"},
    ]
    # A form of a turn before is shown by its number, which is said.
    assert referee("game", "next", game, "--to", "2.energy-allocation").code == 0
    late = referee("reveal", "--game", game, "--ship", "A")
    assert late.code == 2 and late.err.endswith("no energy form of A for turn 2 is sealed; --turn 1\n"), (
        late.err
    )
    assert referee("reveal", "--game", game, "--ship", "A", "--turn", "1").code == 0
    # What is never shown stays on the list.
    assert referee("game", "next", game, "--to", "3.1.fire").code == 0
    assert "awaited from bob: reveal of B's form of turn 1" in referee("game", "status", game).out


def test_the_record_holds_a_digest_and_nothing_of_the_form(referee: Run, game: Path) -> None:
    out = sealed(referee, game).out
    assert "g.secrets/1-a-eaf-1.json" in out and "keep it safe and secret" in out
    entry = read(game)[-1]
    assert set(entry.data) == {"v", "digest", "game", "kind", "turn", "player", "ship", "seq"}
    assert Path("g.secrets/1-a-eaf-1.json").stat().st_mode & 0o777 == 0o600


def test_legal_illegal_and_not_matching_are_three_answers(referee: Run, game: Path, own_folder: Path) -> None:
    (own_folder / "bad.csv").write_text(FORM_B.read_text().replace("Phasrecharge,4", "Phasrecharge,9"))
    ran = referee("seal", "bad.csv", "--game", game, "--ship", "B")
    assert ran.code == 1 and not sealed_secrets()
    sealed(referee, game)
    assert referee("seal", "bad.csv", "--game", game, "--ship", "B", "--force").code == 0
    legal = referee("reveal", "--game", game, "--ship", "A")
    assert (
        legal.code == 0 and "matches the seal in line 5" in legal.out and "line 14 Movement: 13" in legal.out
    )
    # Another form under the same nonce.
    path = Path("g.secrets/1-b-eaf-1.json")
    whole = loads(path.read_text())
    for change in (
        lambda o: o["body"]["form"]["line_9"].update(amount="4"),
        lambda o: o["body"].update(turn=2),
        lambda o: o["body"].update(player="alice"),
        lambda o: o["body"].update(ruleset="0" * 64),
        lambda o: o.update(nonce="0" * 64),
    ):
        other = loads(dumps(whole))
        change(other)
        (own_folder / "other.json").write_text(dumps(other))
        before = game.read_bytes()
        ran = referee("reveal", "--game", game, "--ship", "B", "--secret", "other.json")
        assert (
            ran.code == 3
            and ran.out == ""
            and "does not match the seal" in ran.err
            and game.read_bytes() == before
        )
    illegal = referee("reveal", "--game", game, "--ship", "B")
    assert (
        illegal.code == 1
        and "matches the seal in line 6" in illegal.out
        and "matches the seal, but the form is illegal" in illegal.err
    )
    kinds = [entry.type for entry in read(game)]
    # The forms are shown before the impulses: the speeds they pay for are said with them.
    assert kinds[6:9] == ["reveal", "order", "reveal"] and set(kinds[9:]) == {"foul", "order"}
    assert referee("dice", "verify", game).code == 0
    assert referee("reveal", "--game", game, "--ship", "B").code == 2  # once is enough
    assert referee("check", game).code == 1


def test_line_by_line(referee: Run, game: Path, own_folder: Path) -> None:
    sealed(referee, game, "A", "--per-field")
    ran = referee("reveal", "--game", game, "--ship", "A", "--line", "line_14")
    assert (
        ran.code == 0
        and "(1 of 10 lines)" in ran.out
        and "line 14 Movement: 13" in ran.out
        and "line 9" not in ran.out
    )
    status = referee("game", "status", game).out
    assert "sealed, 1 lines shown" in status
    # The speed is known now: no other form may be sealed.
    ran = referee("seal", FORM_A, "--game", game, "--ship", "A")
    assert ran.code == 2 and "anew after A's were shown" in ran.err and len(sealed_secrets()) == 1
    assert referee("reveal", "--game", game, "--ship", "A", "--line", "line_99").code == 2
    assert referee("reveal", "--game", game, "--ship", "A").code == 0
    assert [ship["forms"] for ship in referee("game", "status", game, "--json").json["ships"]] == [[1], []]
    sealed(referee, game, "B")
    ran = referee("reveal", "--game", game, "--ship", "B", "--line", "line_14")
    assert ran.code == 2 and "as a whole" in ran.err


def test_an_illegal_form_shown_piece_by_piece_is_judged_with_the_last(
    referee: Run, game: Path, own_folder: Path
) -> None:
    (own_folder / "bad.json").write_text(
        dumps(
            {
                "schema": "referee/energy-allocation/1",
                "ship": "A",
                "turns": [{"turn": 1, "lines": {"9": "9", "14": "1"}}],
            }
        )
    )
    ran = referee("seal", "bad.json", "--game", game, "--ship", "A", "--per-field", "--force")
    assert ran.code == 0, ran
    assert referee("reveal", "--game", game, "--ship", "A", "--line", "line_14").code == 0
    assert referee("reveal", "--game", game, "--ship", "A", "--line", "line_9").code == 1
    assert referee("dice", "verify", game).code == 0


def test_a_second_thought_before_anything_is_shown(referee: Run, game: Path) -> None:
    sealed(referee, game)
    assert "revision 2" in sealed(referee, game).out
    assert Path("g.secrets/1-a-eaf-1.json").exists() and Path("g.secrets/1-a-eaf-2.json").exists()
    ran = referee("reveal", "--game", game, "--ship", "A", "--secret", "g.secrets/1-a-eaf-1.json")
    assert ran.code == 3
    sealed(referee, game, "B")
    assert referee("reveal", "--game", game, "--ship", "B").code == 0
    # Bob has shown his: Alice changes hers no more.
    ran = referee("seal", FORM_A, "--game", game, "--ship", "A")
    assert ran.code == 2 and "anew after B's were shown" in ran.err
    assert referee("reveal", "--game", game, "--ship", "A").code == 0
    assert "(revision 2)" in referee("game", "status", game).out


def test_only_the_owner_seals(referee: Run, game: Path) -> None:
    for command in (
        ("seal", FORM_B, "--ship", "B"),
        ("seal", "--ship", "B", "--kind", "moves", "--order", "left"),
    ):
        ran = referee(*command, "--game", game, "--as", "alice")
        assert ran.code == 2 and "alice does not play B" in ran.err and not sealed_secrets()
    assert referee("reveal", "--game", game, "--ship", "B").code == 2


def test_a_reveal_of_what_another_sealed(referee: Run, game: Path) -> None:
    sealed(referee, game)
    sealed(referee, game, "B")
    secret = loads(Path("g.secrets/1-a-eaf-1.json").read_text())
    mine, theirs = (entry for entry in read(game) if entry.type == "seal")
    forged = forge(
        game, ("reveal", {"v": 1, "seal": theirs.hash, "body": secret["body"], "nonce": secret["nonce"]})
    )
    ran = referee("game", "status", forged)
    assert ran.code == 3 and "does not match the seal" in ran.err
    copied = {**mine.data, "player": "bob", "ship": "B", "seq": 2}
    ran = referee("game", "status", forge(game, ("seal", copied)))
    assert ran.code == 3 and "copy of the digest" in ran.err


def test_orders_in_words(referee: Run, game: Path, own_folder: Path) -> None:
    assert referee("game", "next", game, "--to", "1.9.move-ships").code == 0
    moves = ("seal", "--game", game, "--kind", "moves", "--impulse", "9")
    assert referee(*moves, "--ship", "A", "--order", "left", "--order", "ahead").code == 0
    (own_folder / "orders.txt").write_text("B: right\n\n  then ahead \n")
    assert referee(*moves, "orders.txt", "--ship", "B").code == 0
    status = referee("game", "status", game).out
    assert (
        "moves of turn 1, impulse 9 sealed" in status and "awaited from alice: reveal of A's moves" in status
    )
    for wrong in (
        ("--ship", "A"),
        ("--order", "left"),
        ("orders.txt", "--ship", "A", "--order", "x"),
        ("none.txt", "--ship", "A"),
        ("--ship", "C", "--order", "x"),
    ):
        assert referee(*moves, *wrong).code == 2, wrong
    early = ("seal", "--game", game, "--kind", "moves", "--ship", "A", "--order", "x", "--impulse")
    assert referee(*early, "8").code == 2 and referee(*early, "-1").code == 2
    assert referee("seal", "--game", game, "--kind", "Moves!", "--ship", "A", "--order", "x").code == 2
    reveal = ("reveal", "--game", game, "--kind", "moves", "--impulse", "9", "--ship")
    shown = referee(*reveal, "B")
    assert shown.code == 0 and "| line_2: then ahead" in shown.out
    ran = referee(*moves, "--ship", "A", "--order", "right")
    assert ran.code == 2 and "anew after B's were shown" in ran.err
    assert referee(*reveal, "A").code == 0
    assert referee("reveal", "--game", game, "--kind", "moves", "--ship", "A").code == 2


def test_an_energy_form_is_for_the_whole_turn(referee: Run, game: Path) -> None:
    ran = referee("seal", FORM_A, "--game", game, "--ship", "A", "--impulse", "3")
    assert ran.code == 2 and "whole turn" in ran.err and not sealed_secrets()


def test_a_lost_secret(referee: Run, game: Path) -> None:
    sealed(referee, game)
    Path("g.secrets/1-a-eaf-1.json").rename("elsewhere.json")
    ran = referee("reveal", "--game", game, "--ship", "A")
    assert ran.code == 2 and "count as not filed" in ran.err and ran.err.count("\n") == 1
    Path("junk.json").write_text("{}")
    assert referee("reveal", "--game", game, "--ship", "A", "--secret", "junk.json").code == 2
    assert referee("reveal", "--game", game, "--ship", "A", "--secret", "elsewhere.json").code == 0


def test_a_secret_without_its_seal_is_not_in_the_way(referee: Run, game: Path) -> None:
    """The program was killed between the secret and the seal."""
    Path("g.secrets/1-a-eaf-1.json").write_text("stale")
    sealed(referee, game)
    assert Path("g.secrets/1-a-eaf-1.json.unused-1").read_text() == "stale"
    assert referee("reveal", "--game", game, "--ship", "A").code == 0


def test_sealing_to_an_umpire(referee: Run) -> None:
    pytest.importorskip("pyrage")
    from referee.record.umpirebox import new_identity, unbox_opening

    secret, public = new_identity()
    game = begin(referee, "g.jsonl", "--umpire", "una")
    sealed(referee, game, "A", "--to-umpire", public)
    opening = unbox_opening(Path("g.secrets/1-a-eaf-1.age").read_bytes(), secret)
    assert opening.digest == read(game)[-1].data["digest"]
    before = game.read_bytes()
    ran = referee("seal", FORM_B, "--game", game, "--ship", "B", "--to-umpire", "nobody")
    assert ran.code == 2 and game.read_bytes() == before
    assert referee("game", "new", "no.jsonl", "--players", "alice,bob", "--dice", "solo", *SHIPS).code == 0
    ran = referee("seal", FORM_A, "--game", "no.jsonl", "--ship", "A", "--to-umpire", public)
    assert ran.code == 2 and "has no umpire" in ran.err


@pytest.fixture
def umpired(referee: Run) -> tuple[Path, str]:
    """A game with an umpire who has a key, and the name of the key."""
    pytest.importorskip("pyrage")
    made = referee("umpire", "key", "-o", "umpire.key")
    assert made.code == 0 and Path("umpire.key").stat().st_mode & 0o777 == 0o600
    assert referee("umpire", "key", "-o", "umpire.key").code == 2
    return begin(referee, "g.jsonl", "--umpire", "una"), made.out.split("--to-umpire ")[1].strip()


def test_the_umpire_acknowledges_what_fits(referee: Run, umpired: tuple[Path, str]) -> None:
    game, public = umpired
    sealed(referee, game, "A", "--to-umpire", public)
    asked = ("--game", game, "--key", "umpire.key", "--ship", "A")
    ran = referee("umpire", "open", "g.secrets/1-a-eaf-1.age", *asked)
    assert ran.code == 0 and "acknowledged" in ran.out and "line 14" in ran.out, ran
    assert read(game)[-1].type == "umpire_ack"
    assert referee("dice", "verify", game).code == 0


def test_the_umpire_rejects_what_does_not_fit(referee: Run, umpired: tuple[Path, str]) -> None:
    game, public = umpired
    sealed(referee, game, "A", "--to-umpire", public)
    sealed(referee, game, "B", "--to-umpire", public)
    box = "g.secrets/1-a-eaf-1.age"
    before = game.read_bytes()
    ran = referee("umpire", "open", box, "--game", game, "--key", "umpire.key", "--ship", "B")
    assert ran.code == 2 and "is for player alice, not bob" in ran.err and game.read_bytes() == before, ran
    # One who changed his form after sealing it.
    from referee.record.seals import load_opening
    from referee.record.umpirebox import box_opening

    opening = load_opening(Path("g.secrets/1-a-eaf-1.json"))
    changed = replace(opening, body={**opening.body, "form": {"14": {"line": "14", "amount": "1"}}})
    Path("changed.age").write_bytes(box_opening(changed, public))
    ran = referee("umpire", "open", "changed.age", "--game", game, "--key", "umpire.key", "--ship", "A")
    assert ran.code == 1 and "does not match the seal" in ran.out, ran
    assert read(game)[-1].type == "umpire_reject"
    assert "the umpire: rejected: does not match the seal" in referee("game", "status", game).out
    long = referee("umpire", "reject", "--game", game, "--ship", "A", "--reason", "x" * 301)
    assert long.code == 2
    by_hand = referee("umpire", "reject", "--game", game, "--ship", "A", "--reason", "empty box")
    assert by_hand.code == 1 and read(game)[-1].data["reason"] == "empty box"


def test_an_illegal_form_is_rejected_with_its_rule(referee: Run, umpired: tuple[Path, str]) -> None:
    game, public = umpired
    text = FORM_A.read_text().splitlines()
    wrong = [re.sub(r"^(Movement),[^,]*", r"\1,30", line) for line in text]
    assert wrong != text
    Path("wrong.csv").write_text("\n".join(wrong) + "\n")
    given = ("wrong.csv", "--game", game, "--ship", "A", "--force", "--to-umpire", public)
    assert referee("seal", *given).code == 0
    asked = ("--game", game, "--key", "umpire.key", "--ship", "A")
    ran = referee("umpire", "open", "g.secrets/1-a-eaf-1.age", *asked)
    assert ran.code == 1 and "rejected" in ran.out and "illegal: " in ran.out, ran


def test_a_box_that_the_key_does_not_open_is_not_recorded(referee: Run, umpired: tuple[Path, str]) -> None:
    game, public = umpired
    sealed(referee, game, "A", "--to-umpire", public)
    assert referee("umpire", "key", "-o", "other.key").code == 0
    before = game.read_bytes()
    asked = ("--game", game, "--key", "other.key", "--ship", "A")
    ran = referee("umpire", "open", "g.secrets/1-a-eaf-1.age", *asked)
    assert ran.code == 2 and "umpire reject" in ran.err and game.read_bytes() == before


def test_a_recipient_that_is_none_leaves_nothing_behind(referee: Run, umpired: tuple[Path, str]) -> None:
    game, _ = umpired
    ran = referee(
        "seal", "--game", game, BY_MAIL / "constellation.csv", "--ship", "A", "--to-umpire", "age1junk"
    )
    assert ran.code == 2 and "--to-umpire age1junk is no age recipient" in ran.err, ran
    assert not list(Path("g.secrets").glob("*eaf*"))


def test_a_key_file_may_have_comments_as_age_keygen_writes_them(
    referee: Run, umpired: tuple[Path, str]
) -> None:
    game, public = umpired
    sealed(referee, game, "A", "--to-umpire", public)
    key = Path("umpire.key").read_text()
    Path("commented.key").write_text(f"# created: today\n# public key: {public}\n{key}")
    box = "g.secrets/1-a-eaf-1.age"
    asked = ("umpire", "open", box, "--game", game, "--ship", "A", "--key")
    Path("empty.key").write_text("# nothing\n")
    assert "empty.key: is not a key file" in referee(*asked, "empty.key").err
    assert referee(*asked, "commented.key").code == 0
    assert referee(*asked, "commented.key").code == 2, "acknowledged twice"


def test_an_impulse_that_no_turn_has_is_not_sealed_for(referee: Run, umpired: tuple[Path, str]) -> None:
    game, _ = umpired
    ran = referee(
        "seal", "--game", game, "--ship", "A", "--kind", "moves", "--order", "ahead", "--impulse", "99"
    )
    assert ran.code == 2 and "no impulse 99 in a turn" in ran.err, ran
