"""Refusing a key never pays: over all outcomes, for 2 to 6 players and any coalition without who declared."""

from __future__ import annotations

import itertools
from fractions import Fraction
from hashlib import sha256
from typing import Any

import pytest
from recordcases import NOW, chained, genesis

from referee.record import diceledger
from referee.record.chain import Entry, make_entry
from referee.record.dicekeys import KeyChain, bond, bound_key, throw_all
from referee.record.diceledger import DiceLedger
from referee.record.recompute import recompute
from referee.record.rolls import DiceFault

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank")
DECLARER = "alice"
ORDER = [{"for": "PH-1/A", "count": 1, "sides": 6}]
FACES = {2: 6, 3: 4, 4: 3, 5: 2, 6: 2}
"""So many different keys each player may hold, for a die of as many sides."""


def chain_of(player: str, variant: int) -> KeyChain:
    return KeyChain(sha256(f"{player} {variant}".encode()).hexdigest(), 4)


CHAINS = {(player, variant): chain_of(player, variant) for player in NAMES for variant in range(6)}
VALUE = {chain.key(1): variant for (_, variant), chain in CHAINS.items()}


class Table:
    """A game of peer dice in memory, one roll declared."""

    def __init__(self, variants: dict[str, int]) -> None:
        self.chains = {player: CHAINS[player, variant] for player, variant in variants.items()}
        anchors = {player: chain.anchor for player, chain in self.chains.items()}
        first = genesis(fold=2, players=list(variants), dice={"mode": "peer", "anchors": anchors})
        declare = ("declare", {"roll": 1, "who": DECLARER, "order": ORDER})
        self.entries = chained([declare], first)
        self.declared = self.entries[1]
        self.ledger = DiceLedger()
        for entry in self.entries:
            self.ledger.apply(entry)

    def add(self, kind: str, **data: Any) -> Entry:
        """Another line; raises DiceFault where the ledger has something against it."""
        said = {"roll": 1, "declaration": self.declared.hash, **data}
        self.entries.append(make_entry(self.entries[-1].hash, len(self.entries), kind, said, NOW))
        self.ledger.apply(self.entries[-1])
        return self.entries[-1]

    def key(self, player: str, refused: tuple[str, ...] = ()) -> None:
        chain, game = self.chains[player], self.ledger.game
        bound = bond(game, 1, player, self.declared.hash, refused if player == DECLARER else (), chain.key(2))
        self.add("key", player=player, key=chain.key(1), bond=bound)

    def refuse(self, player: str, by: str, **more: Any) -> None:
        self.add("forfeit_roll", refuser=player, by=by, **more)

    def play(self, refused: tuple[str, ...]) -> None:
        """All give their keys, who declared last, but for those who refuse."""
        for player in self.ledger.players[1:]:
            if player in refused:
                self.refuse(player, by=DECLARER)
            else:
                self.key(player)
        self.key(DECLARER, refused)


def subsets(players: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [some for size in range(len(players) + 1) for some in itertools.combinations(players, size)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_refusing_never_pays_any_coalition_without_who_declared(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the coalition knows (here all keys but the declarer's), whoever of it refuses, and whatever a
    face is worth to it: it gets what a throw is worth, no more.

    The hash of the keys is put as a sum of them, so that all outcomes can be gone through: what counts is
    which keys go into it, and that is the ledger's.
    """
    faces = FACES[count]
    monkeypatch.setattr(
        diceledger,
        "bound_key",
        lambda game, roll, declared, keys: bytes([sum(map(VALUE.__getitem__, keys.values())) % faces]),
    )
    players = NAMES[:count]
    others = players[1:]
    fell: dict[tuple[tuple[int, ...], tuple[str, ...]], list[int]] = {}
    for variants in itertools.product(range(faces), repeat=count):
        for refused in subsets(others):
            table = Table(dict(zip(players, variants, strict=True)))
            table.play(refused)
            fell.setdefault((variants[1:], refused), []).append(table.ledger.key_now()[0])
    worths = [set(some) for size in range(faces + 1) for some in itertools.combinations(range(faces), size)]
    for coalition in subsets(others):
        for worth in worths:
            thrown = Fraction(len(worth), faces)
            for view in itertools.product(range(faces), repeat=count - 1):
                best = max(
                    Fraction(sum(face in worth for face in fell[view, refused]), faces)
                    for refused in subsets(coalition)
                )
                assert best == thrown, (coalition, worth, view)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_nobody_refuses_who_could_know_the_dice(count: int) -> None:
    """Until the declarer's key is in nothing can be thrown, and from then on nobody is left out or comes in."""
    players = NAMES[:count]
    for refused in subsets(players[1:]):
        table = Table(dict.fromkeys(players, 0))
        for player in players[1:]:
            with pytest.raises(DiceFault, match="waits for"):
                table.ledger.key_now()
            with pytest.raises(DiceFault, match="must give the key last"):
                early = Table(dict.fromkeys(players, 0))
                early.key(DECLARER)
            if player in refused:
                table.refuse(player, by=DECLARER)
            else:
                table.key(player)
        table.key(DECLARER, refused)
        given = {player: table.chains[player].key(1) for player in players if player not in refused}
        bound = bound_key(table.ledger.game, 1, table.declared.hash, given)
        assert table.ledger.key_now() == bound
        result = table.add("result", dice=throw_all(table.ledger.key_now(), 1, ORDER))
        assert recompute(table.entries).mismatches == () and result.data["dice"][0]["faces"]
        for player in players:
            by = next(name for name in players if name != player)
            with pytest.raises(DiceFault):
                Table.refuse(table, player, by, agreed_by=list(players))


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_who_declared_and_knows_the_dice_gets_none_without_all_who_gave_a_key(count: int) -> None:
    """Nobody against whom the roll was can be overruled by friends of who declared it."""
    players = NAMES[:count]
    for refused in subsets(players[1:]):
        given = [player for player in players[1:] if player not in refused]
        due = given or list(players[1:])
        for agreed in (due, *([name for name in players if name != left_out] for left_out in due)):
            for kind in ("forfeit_roll", "void"):
                table = Table(dict.fromkeys(players, 0))
                for player in players[1:]:
                    if player in refused:
                        table.refuse(player, by=DECLARER)
                    else:
                        table.key(player)
                said = {"refuser": DECLARER, "by": players[1]} if kind == "forfeit_roll" else {"reason": "x"}
                if set(due) <= set(agreed):
                    table.add(kind, **said, agreed_by=list(agreed))
                    assert table.ledger.open_roll is None and not table.ledger.rolls[1].dice
                    continue
                with pytest.raises(DiceFault, match="has not agreed"):
                    table.add(kind, **said, agreed_by=list(agreed))


def test_a_bond_is_checked_with_the_next_key_even_over_rolls_between() -> None:
    """Of who declared it also binds whose keys were left out."""
    for said in ((), ("carol",), ("bob",)):
        table = Table(dict.fromkeys(NAMES[:3], 0))
        table.refuse("bob", by="carol")
        table.key("carol")
        table.key(DECLARER, said)
        table.add("result", dice=throw_all(table.ledger.key_now(), 1, ORDER))
        assert recompute(table.entries).mismatches == ()
        news = [(entry.type, entry.data) for entry in table.entries[1:]]
        news.append(("declare", {"roll": 2, "who": "bob", "order": ORDER}))
        entries = chained(news, table.entries[0].data)
        void = {"roll": 2, "declaration": entries[-1].hash, "reason": "x", "agreed_by": ["bob"]}
        news += [("void", void), ("declare", {"roll": 3, "who": "bob", "order": ORDER})]
        entries = chained(news, table.entries[0].data)
        key = {"roll": 3, "player": DECLARER, "declaration": entries[-1].hash, "bond": "0" * 64}
        news.append(("key", key | {"key": table.chains[DECLARER].key(3)}))
        mismatches = recompute(chained(news, table.entries[0].data)).mismatches
        if said == ("bob",):
            assert mismatches == ()
            continue
        (found,) = mismatches
        assert (found.kind, found.line) == ("key", len(news) + 1)
        assert "the key of alice for roll 1 was not given for the declaration in line 2" in found.reason
