"""Follows the dice of a record entry by entry: the state after them, or the fault of one.

declare < keys < result, numbers without a gap, one roll open at a time, keys only for the
declaration they answer, faces as the keys give them.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Sequence
from typing import Any

from referee.core.errors import IntegrityFailure, RefereeError
from referee.core.forked import Forked
from referee.core.frozen import replace
from referee.record.chain import Data, Entry
from referee.record.dicekeys import (
    MODES,
    bound_key,
    check_key,
    nonce_of_text,
    practice_key,
    seed_commitment,
    throw_all,
    umpire_key,
)
from referee.record.entrytypes import check_shape
from referee.record.keptback import (
    check_agreed,
    check_bond,
    check_kept,
    check_last_kept,
    only_last_missing,
)
from referee.record.limits import MAX_DICE
from referee.record.rolls import DeclaredRoll, DiceFault
from referee.record.seedkeeper import check_operator, nonce_givers

DICE_TYPES = frozenset(
    [
        "genesis",
        "anchor",
        "nonce",
        "declare",
        "key",
        "result",
        "confirm",
        "void",
        "forfeit_roll",
        "reroll",
        "dice_seed",
    ]
)


class DiceLedger(Forked):
    """The state of the dice after some entries; `apply` moves it on or raises DiceFault."""

    def __init__(self, *, seed: str | None = None) -> None:
        self.game = ""
        self.mode = ""
        self.umpire = ""
        self.ruling_umpire = ""
        self.players: tuple[str, ...] = ()
        self.rolls: dict[int, DeclaredRoll] = {}
        self.next_roll = 1
        self.open_roll: DeclaredRoll | None = None
        self.chain_heads: dict[str, tuple[int, str]] = {}  # player: roll, key known to all
        self.bonds: dict[str, tuple[DeclaredRoll, str]] = {}  # player: the roll of the last key, its bond
        self.nonces: dict[str, str] = {}
        self.seed_shown = False
        self._dice: Data = {}
        self._seed = seed
        self._allowed_rerolls: set[int] = set()

    def apply(self, entry: Entry) -> None:
        """Takes in an entry; types that are not about dice are passed over. Raises DiceFault.

        After a fault the ledger has gone on as well as it can, so that later entries still tell.
        """
        if entry.type not in DICE_TYPES:
            return
        try:
            check_shape(entry.type, entry.data)
        except RefereeError as error:
            raise DiceFault("shape", error.reason) from None
        self.take(entry)

    def take(self, entry: Entry) -> None:
        """As `apply`, for an entry about dice whose shape was held already."""
        step: Callable[[Entry, Data], None] = getattr(self, f"_{entry.type}")
        step(entry, entry.data)

    def waiting_for(self) -> tuple[str, ...]:
        """Players whose key, nonce or anchor is due now; who declared comes last."""
        if self.open_roll is not None and self.open_roll.source == "peer":
            given = {*dict(self.open_roll.keys), *self.open_roll.refused}
            missing = [player for player in self.players if player not in given]
            return tuple(sorted(missing, key=lambda player: player == self.open_roll_who()))
        if self.rolls or self.mode not in ("peer", "umpire", "solo"):
            return ()
        if self.mode == "peer":
            return tuple(player for player in self.players if player not in self.chain_heads)
        return tuple(player for player in self._givers if player not in self.nonces)

    def open_roll_who(self) -> str:
        """Who declared the open roll, or an empty text."""
        return self.open_roll.who if self.open_roll else ""

    def key_now(self) -> bytes:
        """K of the open roll, for dice thrown on demand. Raises DiceFault when a key is missing."""
        roll = self._open(self.next_roll - 1)
        key = self._key_of(roll)
        if key is None:
            raise DiceFault(
                "order", f"roll {roll.number} waits for {', '.join(self.waiting_for())}", roll.number
            )
        return key

    # One method for each type of entry.

    def _genesis(self, _: Entry, data: Data) -> None:
        self.game, self.players, self._dice = data["game"], tuple(data["players"]), data["dice"]
        self.mode, self.umpire = str(self._dice.get("mode")), str(self._dice.get("umpire", ""))
        named = str(data.get("umpire", "") or self.umpire)
        self.ruling_umpire = "" if named in self.players else named
        if self.mode not in MODES:
            raise DiceFault("mode", f"{self.mode[:20]!a} is no mode of dice")
        if not self.players or len(set(self.players)) != len(self.players):
            raise DiceFault("player", "no players, or one named twice")
        if self.mode == "umpire" and (not self.umpire or self.umpire in self.players):
            raise DiceFault("player", "umpire dice need an umpire who does not play")
        if self.mode in ("umpire", "solo") and not _is_hash(self._dice.get("commitment")):
            raise DiceFault("shape", f"{self.mode} dice without the commitment to a seed")
        if self.mode == "solo":
            check_operator(self._dice, self.players, named)
        if self.mode == "seed" and not isinstance(self._dice.get("text"), str):
            raise DiceFault("shape", "seed dice without their text")
        anchors = self._dice.get("anchors", {})
        if self.mode == "peer" and isinstance(anchors, dict):
            for player, anchor in anchors.items():
                self._take_anchor(player, anchor)

    @property
    def operator(self) -> str:
        """Who keeps the seed of solo dice, or an empty text."""
        return str(self._dice.get("operator", ""))

    @property
    def alone(self) -> bool:
        """Do solo dice come from the seed by itself, one person playing all sides?"""
        return self.mode == "solo" and "alone" in self._dice

    @property
    def _givers(self) -> tuple[str, ...]:
        """Who gives a nonce: whoever knows the seed does not, he could choose it by the dice it makes."""
        if self.mode != "solo":
            return self.players
        return nonce_givers(self._dice, self.players)

    def _anchor(self, _: Entry, data: Data) -> None:
        self._in_mode("peer")
        self._take_anchor(data["player"], data["anchor"])

    def _take_anchor(self, player: str, anchor: Any) -> None:
        self._before_first_roll(player, player in self.chain_heads)
        if not _is_hash(anchor):
            raise DiceFault("shape", f"the anchor of {player} is no hash")
        if any(anchor == known for _, known in self.chain_heads.values()):
            raise DiceFault("repeat", f"the anchor of {player} is another player's")
        self.chain_heads[player] = (0, anchor)

    def _nonce(self, _: Entry, data: Data) -> None:
        self._in_mode("umpire", "solo")
        player, nonce = data["player"], data["nonce"]
        if player in self.players and player not in self._givers:
            raise DiceFault("player", f"{player} knows the seed of the dice and gives no nonce")
        self._before_first_roll(player, player in self.nonces)
        if nonce in self.nonces.values():
            raise DiceFault("repeat", f"the nonce of {player} is another player's")
        self.nonces[player] = nonce
        if "text" in data and nonce_of_text(data["text"]) != nonce:
            raise DiceFault("key", f"the nonce of {player} is not made of the text")

    def _declare(self, entry: Entry, data: Data) -> None:
        number, order = data["roll"], data["order"]
        physical = self.mode == "physical" or "physical" in data
        if number != self.next_roll:
            # Not taken in: a number far ahead would make the key chains endless.
            raise DiceFault("index", f"roll {number} declared where {self.next_roll} is next", number)
        self.next_roll += 1
        early = self._not_ready(number)
        again = data.get("reroll_of")
        self.open_roll = self.rolls[number] = DeclaredRoll(
            number,
            data["who"],
            entry.hash,
            entry.line_number,
            "physical" if physical else self.mode,
            tuple(order),
            "open" in data,
        )
        if early:
            raise early
        if data["who"] not in (*self.players, self.umpire):
            raise DiceFault("player", f"{data['who']} is no player", number)
        labels = [group["for"] for group in order]
        if len(set(labels)) != len(labels) or (not order) != ("open" in data):
            raise DiceFault("shape", "dice named twice, or neither dice nor open", number)
        if sum(group["count"] for group in order) > MAX_DICE:
            raise DiceFault("shape", f"more than {MAX_DICE} dice", number)
        if again is not None and again not in self._allowed_rerolls:
            raise DiceFault("agreement", f"a second roll for roll {again} is not agreed", number)
        self._allowed_rerolls.discard(again or 0)

    def _not_ready(self, number: int) -> DiceFault | None:
        if self.seed_shown:
            return DiceFault("order", "the seed is known to all: no more rolls", number)
        if self.open_roll is not None:
            return DiceFault("order", f"roll {self.open_roll.number} is still open", number)
        if waiting := self.waiting_for():
            return DiceFault(
                "order", f"no {'anchor' if self.mode == 'peer' else 'nonce'} of {waiting[0]} yet", number
            )
        last = self.rolls.get(number - 1)
        if last and last.typed and not last.confirmed:
            return DiceFault(
                "order", f"the typed dice of roll {last.number} are not confirmed (dice confirm)", number
            )
        return None

    def _key(self, _: Entry, data: Data) -> None:
        roll = self._answering(data)
        player, number = data["player"], roll.number
        if roll.source != "peer":
            raise DiceFault("mode", "a key for dice that need none", number)
        if player not in self.players:
            raise DiceFault("player", f"{player} is no player", number)
        if player in dict(roll.keys):
            raise DiceFault("repeat", f"{player} gave a key for roll {number} before", number)
        if player not in self.chain_heads:
            raise DiceFault("key", f"{player} has no anchor", number)
        known_roll, known = self.chain_heads[player]
        try:
            check_key(data["key"], number, known, known_roll)
        except IntegrityFailure as error:
            raise DiceFault("key", f"{player}: {error.reason}", number) from None
        if player in roll.refused:
            raise DiceFault("order", f"{player} kept the key of roll {number} back", number)
        early = player == roll.who and self.waiting_for() != (player,)
        before = self.bonds.get(player)
        self.chain_heads[player] = (number, data["key"])
        self._update(replace(roll, keys=(*roll.keys, (player, data["key"]))))
        self.bonds[player] = (roll, data.get("bond", ""))
        if early:
            raise DiceFault("order", f"{player} declared roll {number} and must give the key last", number)
        if "bond" not in data:
            raise DiceFault("shape", f"the key of {player} is bound to no declaration", number)
        if before is not None:
            check_bond(self.game, player, before, number, data["key"])

    def _result(self, entry: Entry, data: Data) -> None:
        roll = self._answering(data)
        number, by = roll.number, data.get("entered_by", "")
        done = replace(
            roll,
            status="resolved",
            dice=tuple(data["dice"]),
            result=entry.hash,
            entered_by=by,
            picks=tuple(data.get("picks", {}).items()),
        )
        self._close(done)
        if done.typed != bool(by):
            raise DiceFault("shape", "typed dice name who entered them, others name nobody", number)
        if by and by not in (*self.players, self.ruling_umpire):
            raise DiceFault("player", f"{by} is no player", number)
        self._as_declared(roll, data["dice"])
        self._recompute(done)

    def _confirm(self, _: Entry, data: Data) -> None:
        roll, by = self._known(data["roll"]), data["by"]
        if not roll.typed or data["result"] != roll.result:
            raise DiceFault("order", f"roll {roll.number} has no such typed dice", roll.number)
        if roll.confirmed:
            raise DiceFault("repeat", f"roll {roll.number} was confirmed before", roll.number)
        self._update(replace(roll, confirmed=True))
        # The word of an umpire is that of all: what he typed in he may confirm himself.
        others = [player for player in self.players if player != roll.entered_by]
        if by not in (*others, self.ruling_umpire):
            raise DiceFault("player", f"{by} cannot confirm dice entered by {roll.entered_by}", roll.number)

    def _void(self, _: Entry, data: Data) -> None:
        roll = self._answering(data)
        self._close(replace(roll, status="void"))
        agreed = set(data["agreed_by"])
        if only_last_missing(roll, self.players):
            # Whoever keeps back the last key has no say in it.
            check_agreed(roll, agreed, self.players)
            return
        # While no key is out nobody knows the dice: whoever declared may take it back alone.
        alone = roll.source == "peer" and not (roll.keys or roll.refused) and roll.who in agreed
        if not alone:
            self._agreed(agreed, roll.number)

    def _forfeit_roll(self, entry: Entry, data: Data) -> None:
        roll = self._answering(data)
        done = replace(roll, status="forfeited", result=entry.hash)
        if data["refuser"] == roll.who:
            self._close(done)
            check_last_kept(roll, data, self.players)
        else:
            self._update(replace(roll, refused=(*roll.refused, data["refuser"])))
            check_kept(roll, data, self.players)

    def _reroll(self, _: Entry, data: Data) -> None:
        roll = self._known(data["roll"])
        if roll.status not in ("resolved", "forfeited") or roll.rerolled:
            raise DiceFault("order", f"roll {roll.number} has no result to set aside", roll.number)
        self._update(replace(roll, rerolled=True))
        self._agreed(set(data["agreed_by"]), roll.number)
        self._allowed_rerolls.add(roll.number)

    def _dice_seed(self, _: Entry, data: Data) -> None:
        self._in_mode("umpire", "solo")
        if self.open_roll is not None:
            raise DiceFault("order", f"roll {self.open_roll.number} is still open")
        self.seed_shown = True
        found = seed_commitment(self.game, self.umpire, data["seed"]).encode()
        if not hmac.compare_digest(found, str(self._dice.get("commitment")).encode()):
            raise DiceFault("key", "the seed is not the one committed to")
        self._seed = data["seed"]
        wrong = [roll.number for roll in list(self.rolls.values()) if not self._fits(roll)]
        if wrong:
            numbers = ", ".join(map(str, wrong[:10]))
            raise DiceFault("faces", f"the seed gives other dice for roll {numbers}", wrong[0])

    # What the methods above share.

    def _in_mode(self, *modes: str) -> None:
        if self.mode not in modes:
            raise DiceFault("mode", f"not with {self.mode} dice")

    def _before_first_roll(self, player: str, again: bool) -> None:
        if player not in self.players:
            raise DiceFault("player", f"{player} is no player")
        if again:
            raise DiceFault("repeat", f"{player} has given one before")
        if self.rolls:
            raise DiceFault("order", "after the first roll")

    def _open(self, number: int) -> DeclaredRoll:
        if self.open_roll is None or self.open_roll.number != number:
            raise DiceFault("index", f"roll {number} is not open", number)
        return self.open_roll

    def _known(self, number: int) -> DeclaredRoll:
        if number not in self.rolls:
            raise DiceFault("index", f"roll {number} was never declared", number)
        return self.rolls[number]

    def _answering(self, data: Data) -> DeclaredRoll:
        roll = self._open(data["roll"])
        if data["declaration"] != roll.declaration:
            raise DiceFault(
                "key", f"answers another declaration than the one in line {roll.line}", roll.number
            )
        return roll

    def _agreed(self, agreed: set[str], number: int) -> None:
        if self.mode == "umpire" and self.umpire in agreed:
            return
        if missing := [player for player in self.players if player not in agreed]:
            raise DiceFault("agreement", f"{missing[0]} has not agreed", number)

    def _update(self, roll: DeclaredRoll) -> None:
        self.rolls[roll.number] = roll
        if self.open_roll is not None and self.open_roll.number == roll.number:
            self.open_roll = roll

    def _close(self, roll: DeclaredRoll) -> None:
        self.rolls[roll.number] = roll
        self.open_roll = None

    def _as_declared(self, roll: DeclaredRoll, dice: Sequence[Data]) -> None:
        if roll.open:
            return
        thrown = [{key: group.get(key) for key in ("for", "count", "sides")} for group in dice]
        if thrown != [dict(group) for group in roll.order]:
            raise DiceFault("faces", "not the dice declared, or in another order", roll.number)

    def _key_of(self, roll: DeclaredRoll) -> bytes | None:
        if roll.source == "seed" and isinstance(text := self._dice.get("text"), str):
            return practice_key(text)
        if roll.source == "peer":
            keys = dict(roll.keys)
            if len(keys) + len(roll.refused) < len(self.players):
                return None
            return bound_key(self.game, roll.number, roll.declaration, keys)
        if roll.source in ("umpire", "solo") and self._seed is not None:
            return umpire_key(self.game, self._seed, self.nonces)
        return None

    def _recompute(self, roll: DeclaredRoll) -> None:
        if roll.faceless:
            self._update(replace(roll, recomputed=True))
            return
        if roll.source == "peer" and len(roll.keys) + len(roll.refused) < len(self.players):
            raise DiceFault("order", "a result before all keys", roll.number)
        if not self._fits(roll):
            raise DiceFault("faces", "the keys give other faces", roll.number)

    def _fits(self, roll: DeclaredRoll) -> bool:
        """Whether the faces are those of the keys, or cannot be computed (yet)."""
        if roll.status != "resolved" or (key := self._key_of(roll)) is None:
            return True
        try:
            if throw_all(key, roll.number, roll.dice) != list(roll.dice):
                return False
        except RefereeError:
            return False
        self._update(replace(roll, recomputed=True))
        return True


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None
