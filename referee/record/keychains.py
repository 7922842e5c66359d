"""A player's own side of peer dice: the secret chain, and one key for one declaration, once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from referee.core.errors import BadInput, IntegrityFailure
from referee.core.frozen import frozen
from referee.record.chain import Data, Entry
from referee.record.dicekeys import KeyChain, bond
from referee.record.diceledger import DiceLedger
from referee.record.rolls import DeclaredRoll, DiceFault
from referee.record.secretfiles import read_secret, write_secret

_KEY_LINE = re.compile(
    r"key ([a-z0-9_]{1,32}) ([1-9][0-9]{0,6}) ([0-9a-f]{64}) for ([0-9a-f]{64})(?: bond ([0-9a-f]{64}))?"
)


@frozen
class KeyLine:
    """One player's key for one roll, with the hash of the declaration it answers."""

    player: str
    roll: int
    key: str
    declaration: str
    bond: str = ""

    def __str__(self) -> str:
        line = f"key {self.player} {self.roll} {self.key} for {self.declaration}"
        return line + (f" bond {self.bond}" if self.bond else "")

    @property
    def data(self) -> Data:
        """The data of the `key` entry."""
        return {
            "player": self.player,
            "roll": self.roll,
            "key": self.key,
            "declaration": self.declaration,
            **({"bond": self.bond} if self.bond else {}),
        }


def parse_key_line(text: str) -> KeyLine:
    """The key in a line such as `str(KeyLine)` writes for chat or mail. Raises BadInput."""
    match = _KEY_LINE.fullmatch(" ".join(text.split()))
    if not match:
        raise BadInput("is not a key line", hint="`key PLAYER ROLL KEY for DECLARATION bond BOND`")
    return KeyLine(match[1], int(match[2]), match[3], match[4], match[5] or "")


def save_chain(folder: Path, player: str, chain: KeyChain) -> Path:
    """Writes a player's chain to the folder of secrets, once. Raises as `write_secret`."""
    secret = {"chain": chain.end, "length": chain.length, "player": player}
    return write_secret(folder, f"chain-{player}.json", secret)


def load_chain(folder: Path, player: str) -> KeyChain:
    """The chain that `save_chain` wrote. Raises BadInput."""
    path = folder / f"chain-{player}.json"
    secret = read_secret(path)
    end, length = secret.get("chain"), secret.get("length")
    if secret.get("player") != player or not isinstance(end, str) or type(length) is not int:
        raise BadInput(f"is not the key chain of {player}", file=str(path))
    return KeyChain(end, length)


def answer(folder: Path, player: str, entries: Iterable[Entry]) -> KeyLine:
    """The player's key for the roll that is open at the end of these entries.

    The entries must be free of dice faults: a key for a roll out of turn would give away others.
    What was answered is on the disk before this returns, so that a changed record with another
    declaration of the same number is refused: both are IntegrityFailure. The same declaration is
    answered again with the same key. Raises BadInput when no key is due from the player.
    """
    ledger, roll = _open_roll(entries, player)
    chain = load_chain(folder, player)
    refused = sorted(roll.refused) if player == roll.who else []
    bound = bond(ledger.game, roll.number, player, roll.declaration, refused, chain.key(roll.number + 1))
    line = KeyLine(player, roll.number, chain.key(roll.number), roll.declaration, bound)
    name = f"answered-{player}-{roll.number}.json"
    path = folder / name
    answered = {"declaration": roll.declaration, "player": player, "roll": roll.number}
    answered |= {"refused": refused} if refused else {}
    if not path.exists():
        write_secret(folder, name, answered)
    elif (known := read_secret(path)) and any(
        known.get(part) != answered.get(part) for part in ("declaration", "refused")
    ):
        raise IntegrityFailure(
            f"roll {roll.number} was declared otherwise when you gave your key",
            file=str(path),
            hint="somebody changed the record; compare heads",
        )
    return line


def _open_roll(entries: Iterable[Entry], player: str) -> tuple[DiceLedger, DeclaredRoll]:
    ledger = DiceLedger()
    for entry in entries:
        try:
            ledger.apply(entry)
        except DiceFault as fault:
            raise fault.at(place=f"line {entry.line_number}") from None
    roll = ledger.open_roll
    if roll is None or roll.source != "peer" or player not in ledger.players:
        raise BadInput(f"no roll waits for a key of {player}")
    if player in roll.refused:
        raise BadInput(f"the record says that {player} kept back the key of roll {roll.number}")
    others = [name for name in ledger.waiting_for() if name != player]
    if player == roll.who and others:
        raise BadInput(
            f"{player} declared roll {roll.number} and gives the key last", hint=f"wait for {others[0]}"
        )
    return ledger, roll
