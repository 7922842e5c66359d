"""What another copy says of, or for, whoever takes it in: refused by `record sync` unless he agrees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from referee.adjudicator.waiting_for import files_forms, unfiled
from referee.core.game import are_opponents, umpire_of
from referee.core.gamefold import states_before
from referee.play.rulebook import rulebook_of
from referee.record.secretfiles import read_secret, secrets_folder
from referee.record.signatures import KEYED, agreeing, followed, sayers
from referee.record.signkeys import kept_names
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.record.chain import Entry

Claim = tuple[int, str]
"""The number of a line, and what is against it."""


def claims(path: str, entries: Sequence[Entry], known: int, names: Sequence[str]) -> list[Claim]:
    """What a copy, of which the first `known` entries are had here, claims of players by these names."""
    new, signed = entries[known:], "signers" in entries[0].data
    found: list[Claim] = []
    for me in names:
        declared = {entry.hash for entry in entries[:known] if entry.data.get("who") == me}
        found += _said_for(me, _unprovoked_fouls(entries, known) if signed else new)
        found += _said_of(me, _answered(path, me) | declared, declared, new)
    if signed:
        found += _forms_passed_over(entries, known, names)
        found += _keys_taken(path, followed(entries[:known]).keys, new, names)
    return sorted(set(found))


def holders_of_keys(path: str, entries: Sequence[Entry]) -> Sequence[str]:
    """Whose keys lie beside a record: signing keys or, without signatures, a lone key chain. Nobody's where
    those of all players do: then there is nobody to be told apart."""
    folder, signers = secrets_folder(path), followed(entries)
    if signers.signed:
        kept = kept_names(folder, signers.keys)
        return kept if len(kept) < len(signers.keys) else ()
    chains = [found.stem.removeprefix("chain-") for found in folder.glob("chain-*.json")]
    return chains if len(chains) == 1 else ()


def _unprovoked_fouls(entries: Sequence[Entry], known: int) -> list[Entry]:
    """Fouls, which nobody signs, that stand behind nothing of the player they name."""
    found, before = [], entries[0]
    for entry in entries:
        if entry.type not in ("foul", "declare"):
            before = entry
        derived = before.type in ("reveal", "events")
        if entry.type == "foul" and entry.seq >= known and not derived:
            found += [entry] if entry.data["player"] not in sayers(before.type, before.data) else []
    return found


def _said_for(player: str, entries: Sequence[Entry]) -> Iterator[Claim]:
    """Entries that a player would have written, or agreed to, himself.

    A key proves by itself whose it is, and a ship or a drone is given by whoever begins the game.
    """
    for entry in entries:
        if entry.type in ("key", "ship", "drone"):
            continue
        named = {str(entry.data.get(part)) for part in ("player", "who", "by", "entered_by")}
        if player in named.union(map(str, entry.data.get("agreed_by", ())), agreeing(entry.type, entry.data)):
            yield (
                entry.line_number,
                f"{entry.type} in the name of {player}, whose own copy does not hold it",
            )


def _answered(path: str, player: str) -> set[str]:
    """The declarations that a player has given a key for, as his own folder of secrets holds them."""
    found = secrets_folder(path).glob(f"answered-{player}-*.json")
    return {str(read_secret(answer).get("declaration")) for answer in found}


def _said_of(
    player: str, answered: set[str], declared: set[str], entries: Sequence[Entry]
) -> Iterator[Claim]:
    """Ways round a player's key: to say that he kept it back, to type the dice in, or to give up a roll. The roll is
    one that he declared, or whose dice his key, shown in chat, has told."""
    for entry in entries:
        data = entry.data
        if entry.type == "forfeit_roll" and data["refuser"] == player:
            reason = f"says that {player} kept back the key of roll {data['roll']}"
        elif entry.type == "void" and data["declaration"] in answered and player not in data["agreed_by"]:
            who = (
                f"which {player} declared"
                if data["declaration"] in declared
                else f"for which {player} gave a key"
            )
            reason = f"gives up roll {data['roll']}, {who}, without {player}"
        elif entry.type == "declare" and "physical" in data and data["who"] != player:
            reason = f"lets {data['who']} type in the dice of roll {data['roll']}"
        else:
            continue
        yield entry.line_number, reason


def _forms_passed_over(entries: Sequence[Entry], known: int, names: Sequence[str]) -> Iterator[Claim]:
    """Steps past the energy allocation of a turn for which nobody has filed a form, by somebody else than the umpire: a form that
    comes later breaks a rule, and is a foul of whoever files it. Once a turn was played without forms they are not
    asked for again until there is one."""
    genesis = entries[0].data
    later = {entry.seq for entry in entries[known:] if entry.type == "step"}
    if not later or not names or not are_opponents(genesis):
        return
    umpire = umpire_of(genesis)
    steps = rulebook_of(genesis).descriptor["sequence_of_play"]["steps_of"].get("energy allocation", ())
    for entry, state in states_before(entries, load_ship, lambda entry: entry.seq in later):
        if state.step not in steps or (state.turn > 1 and not files_forms(state)):
            continue
        waited = unfiled(state)
        by = {entry.data.get("player", ""), *entry.data.get("agreed_by", ())}
        for me in names if not umpire or umpire not in by else ():
            ships = [ship for player, ship in waited if player == me]
            if ships and me not in by:
                reason = f"moves on past the energy form of {' and '.join(ships)}, which {me} has not filed"
                yield entry.seq + 1, reason


def _keys_taken(
    path: str, keys: Mapping[str, str], entries: Sequence[Entry], names: Sequence[str]
) -> Iterator[Claim]:
    """A signing key that takes the place of one kept here: whoever has it writes in that name from then on.

    Whoever began a game keeps everybody's first key, and others put their own in their places as they join; but
    not in the place of the last one kept here, and none by what the others agree to.
    """
    folder = secrets_folder(path)
    kept = set(kept_names(folder, keys))
    for entry in entries:
        if entry.type not in KEYED or "signer" not in entry.data:
            continue
        player, own = entry.data["player"], {entry.data["player"]: entry.data["signer"]}
        lost = player in kept and not kept_names(folder, own)
        if lost and (player in names or "agreed_by" in entry.data or kept == {player}):
            yield entry.line_number, f"puts another signing key in the place of that of {player}, kept here"
        if lost:
            kept.discard(player)
