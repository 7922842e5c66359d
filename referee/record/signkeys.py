"""The signing keys kept beside a record: one file for each, of mode 0600, named by its public part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from referee.core.errors import BadInput, IntegrityFailure
from referee.core.frozen import frozen
from referee.record.canonical import canonical
from referee.record.chain import Data, Entry, signed
from referee.record.secretfiles import read_secret, write_private, write_secret
from referee.record.signatures import Signers, agreeing, followed, sayers
from referee.record.signing import PUBLIC, key_message, message_of, public_part, sign


def save_key(folder: Path, game: str, player: str, private: str) -> str:
    """Writes a new key to the folder of secrets; its public part."""
    public = public_part(private)
    write_secret(folder, _file_name(player, public), _secret(game, player, private))
    return public


def kept_key(folder: Path, player: str, public: str) -> str:
    """The private part of a player's key, or an empty text where it is not kept here. Raises BadInput for a
    file that is not that key."""
    path = folder / _file_name(player, public)
    return _read(path, player, public) if path.exists() else ""


def kept_names(folder: Path, keys: Mapping[str, str]) -> tuple[str, ...]:
    """Whose keys, of those that count now, are kept here."""
    return tuple(name for name, public in keys.items() if (folder / _file_name(name, public)).exists())


def export_key(folder: Path, signers: Signers, player: str, file: str) -> None:
    """Writes a player's key to a new private file. Raises BadInput where it is not kept here."""
    private = kept_key(folder, player, signers.keys[player])
    if not private:
        raise not_here(player)
    write_private(Path(file), canonical(_secret(signers.game, player, private)) + b"\n")


def import_key(folder: Path, signers: Signers, player: str, file: str) -> None:
    """Takes in a key that `export_key` wrote. Raises BadInput unless it is the player's, of this game."""
    private = _read(Path(file), player, signers.keys[player])
    if not kept_key(folder, player, signers.keys[player]):
        save_key(folder, signers.game, player, private)


def not_here(player: str) -> BadInput:
    """The error for an entry that somebody else must sign."""
    hint = f"{player} does this in a copy of the record with that key (game join, game key --import)"
    return BadInput(f"the signing key of {player} is not kept here", hint=hint)


class Pen:
    """Signs entries with the keys kept here, and remembers whose signature is still missing."""

    def __init__(self, folder: Path, signers: Signers, given: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.signers = signers
        self.given = given or {}
        self.missing: set[str] = set()
        self.sole = ""
        """Somebody who is missing for what he says himself, and does not only agree to."""
        self._keys: dict[tuple[str, str], str] = {}
        """The private parts that were looked for here, by name and public part."""

    def _key(self, name: str) -> str:
        """The private part of a name's key, or an empty text where it is not kept here."""
        key = name, self.signers.keys[name]
        if key not in self._keys:
            self._keys[key] = kept_key(self.folder, *key)
        return self._keys[key]

    def sign(self, entry: Entry, only: Sequence[str] | None = None) -> dict[str, str]:
        """The signatures of an entry that are due and can be made here, those it has already among them; of
        names outside `only` none is made. Raises IntegrityFailure for a given one that does not hold."""
        due = self.signers.follow(entry)
        sigs = {name: sig for name, sig in {**entry.sigs, **self.given}.items() if name in due}
        for name in due:
            if name in sigs:
                continue
            may = only is None or name in only
            private = self._key(name) if may else ""
            if private:
                sigs[name] = sign(private, message_of(entry, self.signers.game))
                continue
            self.missing.add(name)
            if name not in agreeing(entry.type, entry.data) or name in sayers(entry.type, entry.data):
                self.sole = self.sole or name
        return sigs


@frozen
class UnsignedEntry:
    """An entry that others propose, and who has not signed it yet."""

    entry: Entry
    names: Sequence[str]


def agreed_to(
    folder: Path, entries: Sequence[Entry], known: int, *, agree: bool
) -> tuple[list[Entry], list[UnsignedEntry], list[str]]:
    """Entries of another copy, each verified to be signed as it must be, but for what is agreed to in those from
    number `known` on. What is asked for there is given, and with `agree` signed here with the keys kept; then
    the names still missing are given too.

    What somebody says himself nobody agrees to for him. Raises IntegrityFailure, with its line, for a signature
    that is missing or does not hold.
    """
    signers, taken, asked, missing = Signers(), [], list[UnsignedEntry](), dict[str, None]()
    for entry in entries:
        try:
            absent = signers.check(entry, proposed=entry.seq >= known)
        except IntegrityFailure as error:
            raise error.at(place=f"line {entry.line_number}") from None
        asked += [UnsignedEntry(entry, absent)] if absent else []
        privates = {name: kept_key(folder, name, signers.keys[name]) for name in absent if agree}
        message = message_of(entry, signers.game)
        sigs = {name: sign(private, message) for name, private in privates.items() if private}
        missing |= dict.fromkeys(name for name, private in privates.items() if not private)
        taken.append(signed(entry, sigs)[0] if sigs else entry)
    return taken, asked, list(missing)


def signed_key(folder: Path, entries: Sequence[Entry], data: Data) -> str:
    """A player's signature of his key for a roll, for chat or mail; empty in a record of no signatures.
    Raises BadInput where his signing key is not kept here."""
    signers = followed(entries)
    if not signers.signed:
        return ""
    private = kept_key(folder, data["player"], signers.keys[data["player"]])
    if not private:
        raise not_here(data["player"])
    return sign(private, key_message(data, signers.game))


def _secret(game: str, player: str, private: str) -> Data:
    return {"game": game, "player": player, "signing_key": private}


def _read(path: Path, player: str, public: str) -> str:
    secret = read_secret(path)
    private = secret.get("signing_key")
    fits = isinstance(private, str) and PUBLIC.fullmatch(private) and public_part(private) == public
    if not fits or secret.get("player") != player:
        raise BadInput(f"is not the signing key that {player} has in this record", file=str(path))
    return str(private)


def _file_name(player: str, public: str) -> str:
    return f"sign-{player}-{public[:16]}.json"
