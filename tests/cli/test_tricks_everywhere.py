"""Each trick of a cheating player at every table: 2, 3 and 4 players, with an umpire and without, by all dice.

The tricks are written by a writer of the cheat's own, and each beside its honest twin, which must hold: so no trick
is refused for what is wrong with the table. They are held against what `dice verify`, `record verify` and `record
sync` ask; the doors themselves are tested trick by trick elsewhere. One table of each trick is in every run, all in
`-m long`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import chdir
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from referee.cli.main import run
from referee.core.errors import IntegrityFailure, RefereeError
from referee.play.audit import held, proved
from referee.play.claims import claims
from referee.record.reading import read
from tests.conftest import ROOT
from tests.unit.play.cheat import Data, Writer, canon, chain_key, digest, secret_of, thrown

NAMES = ("alice", "bob", "carol", "dave")
CLASSES = ("cadet/federation-ca", "cadet/klingon-d6", "cadet/klingon-d6", "cadet/federation-ca")
PLACES = ("1510A", "1506D", "2506D", "2510A")
MODES = ("peer", "umpire", "solo", "physical")
DICE = ((3, 6), (2, 6))
DUEL = ROOT / "examples" / "trek" / "duel.json"


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays, and by which dice."""

    count: int
    umpire: bool
    mode: str

    def __str__(self) -> str:
        return f"{self.count} players, {self.mode} dice, {'an' if self.umpire else 'no'} umpire"

    @property
    def players(self) -> tuple[str, ...]:
        return NAMES[: self.count]

    @property
    def judge(self) -> str:
        """Whose word a cheat would like to have: the umpire's, or the last player's."""
        return "una" if self.umpire else self.players[-1]

    @property
    def agreed(self) -> list[str]:
        return ["una"] if self.umpire else list(self.players)


TABLES = [Table(count, umpire, mode) for mode in MODES for count in (2, 3, 4) for umpire in (False, True)]


# -- where a trick cannot be played ------------------------------------------------------------

NO_TABLE = "who throws umpire dice is the umpire: such a game is not begun without one"
NO_KEYS = "nobody gives a key for a roll: the dice come from one seed, or are typed in"
NO_SEED = "nobody keeps a seed: the dice come from keys of all, or are typed in"
NO_CHAINS = "there are no key chains"
NO_UMPIRE = "it is the umpire's word that is forged"
NO_THIRD = "it takes one who gave his key beside the two"
KEPT_BY_ONE = "who keeps a game alone only notes the foul (docs/record.md)"

NEVER: dict[tuple[int, str], str] = {
    (4, "umpire"): NO_KEYS,
    (4, "solo"): NO_KEYS,
    (4, "physical"): NO_KEYS,
    (5, "umpire"): NO_KEYS,
    (5, "solo"): NO_KEYS,
    (5, "physical"): NO_KEYS,
    (6, "peer"): NO_SEED,
    (6, "physical"): NO_SEED,
}
"""Rows of which nothing can be played by some dice, and why; single tricks say in `TRICKS` what they need."""


def not_there(trick: Trick, table: Table) -> str:
    """Why a trick cannot be played at a table, or an empty text."""
    if table.mode == "umpire" and not table.umpire:
        return NO_TABLE
    return next((reason for holds, reason in trick.needs if not holds(table)), "")


def keys_of_all(table: Table) -> bool:
    return table.mode == "peer"


def a_seed(table: Table) -> bool:
    return table.mode in ("umpire", "solo")


def an_umpire(table: Table) -> bool:
    return table.umpire


def a_third(table: Table) -> bool:
    return table.count > 2


def many_keepers(table: Table) -> bool:
    return table.mode != "solo"


# -- tables, each begun once -------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where the tables stand."""
    _folder.append(tmp_path_factory.mktemp("tables"))
    yield
    begun.cache_clear()


_folder: list[Path] = []


def said(*arguments: str) -> None:
    assert run(list(arguments)) == 0, arguments


@cache
def begun(table: Table, state: str) -> Path:
    """The record of a table with everybody's secrets beside it: `new`, all `seated`, `moving` (impulse 1, all but B
    have moved), with a seal of Alice's fire before it (`sealed`), or a combat of Trek after its first acts."""
    path = _folder[-1] / f"{table}-{state}".replace(" ", "").replace(",", "-") / "g.jsonl"
    path.parent.mkdir(parents=True)
    if state not in ("new", "trek"):
        before = begun(table, {"seated": "new", "moving": "seated", "sealed": "seated"}[state])
        shutil.copy(before, path)
        shutil.copytree(before.with_suffix(".secrets"), path.with_suffix(".secrets"))
    with chdir(path.parent):
        _STATES[state](table, path)
    return path


def _new(table: Table, path: Path) -> None:
    ships = [
        part
        for ship, of, name, place in zip("ABCD", CLASSES, table.players, PLACES, strict=False)
        for part in ("--ship", f"{ship}={of}:{name}@{place}/16")
    ]
    terms = ("--option", "previous_speed=16", "--option", "other_lines=true")
    said("game", "new", "g.jsonl", "--players", ",".join(table.players), *_terms(table), *terms, *ships)


def _terms(table: Table) -> list[str]:
    return ["--dice", table.mode, *(["--umpire", "una"] if table.umpire else [])]


def _seated(table: Table, path: Path) -> None:
    keeper = read(path)[0].data["dice"].get("operator", "")
    for name in table.players if table.mode != "physical" else ():
        if name != keeper:
            said("game", "join", "g.jsonl", "--as", name)


def _moving(table: Table, path: Path) -> None:
    ships = "ABCD"[: table.count]
    speeds = [f"{ship}: speed 16" for ship in ships]
    said("game", "say", "g.jsonl", *speeds, "impulse 1", *(f"{s}: ahead" for s in ships if s != "B"))


def _sealed(table: Table, path: Path) -> None:
    writer = copy_of(path)
    writer.seal("A", "alice", "fire", "fire PH-1A at B")
    writer.save(path)
    _moving(table, path)


def _trek(table: Table, path: Path) -> None:
    data = json.loads(DUEL.read_bytes()) | {"turns": []}
    del data["dice"]
    for ship, name in zip(data["ships"], table.players, strict=False):
        ship["side"] = name
    Path("setup.json").write_text(json.dumps(data))
    terms = ("--rulebook", "trek", "--players", ",".join(table.players), "--setup", "setup.json")
    said("game", "new", "g.jsonl", *terms, *_terms(table))
    _seated(table, path)
    names = [ship["name"] for ship in data["ships"]]
    acts = [{"act": "turn", "order": names}, {"act": "round"}]
    Path("acts.json").write_text(json.dumps({"schema": "referee/trek-orders/1", "acts": acts}))
    said("game", "apply", "g.jsonl", "acts.json")


_STATES = {"new": _new, "seated": _seated, "moving": _moving, "sealed": _sealed, "trek": _trek}


def copy_of(path: Path) -> Writer:
    return Writer(path, secrets=path.with_suffix(".secrets"))


def key(writer: Writer, player: str, roll: int) -> str:
    return chain_key(writer.secrets, player, roll)


def give(writer: Writer, table: Table, declared: str, *players: str, **more: Any) -> dict[str, str]:
    """Keys of roll 1 for what they are asked for."""
    given = {name: key(writer, name, 1) for name in players}
    for name in players:
        writer.key(1, name, declared, given[name], key(writer, name, 2), **(more if name == "alice" else {}))
    return given


def best() -> list[Data]:
    return [
        {"for": f"die {n}", "count": count, "sides": sides, "faces": [sides] * count}
        for n, (count, sides) in enumerate(DICE)
    ]


# -- the tricks --------------------------------------------------------------------------------

Played = Callable[[Writer, Table, bool], None]


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick of a row of the table: what is written behind a record, bent or honestly, and what is said of it."""

    row: int
    state: str
    play: Played
    reason: str
    needs: tuple[tuple[Callable[[Table], bool], str], ...] = ()
    before: bool = False
    """Is it the reason that an honest game was refused for, and nobody's trick?"""


POWER = {"1": 16, "2": 2, "3": 2, "4": 20, "5": 2}
SPENT = POWER | {"6": 2, "14": 16, "19": 6, "20": 22}
RECHARGED = POWER | {"5": 0, "14": 16, "16": 2, "19": 2, "20": 20}


def forms(order: tuple[int, int]) -> Played:
    """Two forms that discharge the same batteries, or one that does, shown in some order."""

    def play(writer: Writer, table: Table, bent: bool) -> None:
        shown: dict[int, Data] = {}
        for turn, lines in ((1, SPENT), (2, SPENT if bent else RECHARGED)):
            if turn > 1:
                writer.add(
                    "step", turn=turn, step="energy allocation", player="alice", agreed_by=table.agreed
                )
            for ship, player in list(zip("ABCD", table.players, strict=False))[::-1]:
                said = {f"line_{line}": {"line": line, "amount": str(n)} for line, n in lines.items()}
                shown[turn] = writer.seal(ship, player, "eaf", said, turn=turn)[1]
        for turn in order:
            writer.add("reveal", **shown[turn])

    return play


def past_a_called_move(writer: Writer, table: Table, bent: bool) -> None:
    agreed = {} if bent else {"agreed_by": ["bob"]}
    writer.add("step", turn=1, impulse=2, step="move ships", player="alice", **agreed)
    writer.add("foul", **MISSED)


MISSED = {
    "player": "bob", "reason": "does not move", "rule": "C1.4", "key": "C1.4/missed", "subject": "B",
    "turn": 1, "impulse": 1,
}  # fmt: skip


def foul_of(**other: Any) -> Played:
    """A foul that blames another ship, or one too many."""

    def play(writer: Writer, table: Table, bent: bool) -> None:
        writer.add("step", turn=1, impulse=2, step="move ships", player="alice", agreed_by=["bob"])
        writer.add("foul", **MISSED)
        if bent:
            writer.add("foul", **MISSED | other)

    return play


def sealed_anew(kind: str, **when: Any) -> Played:
    """Honestly before anything it binds has begun; bent after."""

    def play(writer: Writer, table: Table, bent: bool) -> None:
        if bent:
            writer.seal(
                "A", "alice", kind, "hold fire", **({"seq": 2} if kind == "fire" and not when else {}), **when
            )

    return play


def sealed_anew_in_time(writer: Writer, table: Table, bent: bool) -> None:
    """Nothing has begun, until another shows his."""
    writer.seal("A", "alice", "fire", "fire PH-1A at B")
    if bent:
        writer.add("reveal", **writer.seal("B", "bob", "fire", "fire PH-1A at A")[1])
    writer.seal("A", "alice", "fire", "hold fire", seq=2)


def friend_names_faces(refuser: str, by: str) -> Played:
    def play(writer: Writer, table: Table, bent: bool) -> None:
        declared = writer.declare(1, "alice", DICE)
        given = [name for name in table.players if name not in ("alice", refuser)]
        held_by = give(writer, table, declared, *given)
        last = by if by in table.players else "alice"
        more = {"agreed_by": given} if refuser == "alice" else {}
        faces = {"toward": "max", "dice": best()} if bent else {}
        if refuser == "alice" and not bent:
            writer.add("void", roll=1, declaration=declared, reason="no answer", **more)
            return
        writer.add("forfeit_roll", roll=1, declaration=declared, refuser=refuser, by=last, **more, **faces)
        if refuser != "alice":
            held_by |= give(writer, table, declared, "alice", refused=[refuser])
            writer.result(1, declared, writer.dice(1, declared, held_by, DICE))

    return play


def refused_when_known(writer: Writer, table: Table, bent: bool) -> None:
    """A key that is in is said to be kept back, when the declarer's has told the dice."""
    declared = writer.declare(1, "alice", DICE)
    held_by = give(writer, table, declared, *table.players[1:], "alice")
    if bent:
        writer.add("forfeit_roll", roll=1, declaration=declared, refuser="bob", by="alice")
    writer.result(1, declared, writer.dice(1, declared, held_by, DICE))


def without_one_who_gave(kind: str) -> Played:
    """Friends of who declared would rid her of a throw."""

    def play(writer: Writer, table: Table, bent: bool) -> None:
        declared = writer.declare(1, "alice", DICE)
        give(writer, table, declared, *table.players[1:])
        friends = [name for name in table.players if name not in (("alice", "carol") if bent else ("alice",))]
        # Nobody can say what is no better than a throw for nothing in particular: such a roll is given up.
        done = kind if bent else "void"
        more = {"reason": "unlucky"} if done == "void" else {"refuser": "alice", "by": "bob"}
        writer.add(done, roll=1, declaration=declared, agreed_by=friends, **more)

    return play


def label(signed: bool) -> Played:
    """Keys that were given for one declaration stand behind another: with the signing keys or without."""

    def play(writer: Writer, table: Table, bent: bool) -> None:
        true = copy_of(writer.secrets.with_suffix(".jsonl"))
        declared = true.declare(1, "alice", DICE)
        give(true, table, declared, *table.players[1:])
        bonds = {line["data"]["player"]: line["data"]["bond"] for line in true.lines if line["type"] == "key"}
        other = ((5, 6),)
        again = writer.declare(1, "alice", other, "the great battle")
        for name in table.players[1:]:
            if not bent:
                give(writer, table, again, name)
                continue
            writer.held = None if signed else ("alice",)
            writer.add(
                "key", roll=1, player=name, declaration=again, key=key(writer, name, 1), bond=bonds[name]
            )
        writer.held = None
        give(writer, table, again, "alice")
        every = {name: key(writer, name, 1) for name in table.players}
        writer.result(1, again, writer.dice(1, again, every, other))
        if bent and not signed:
            return
        # The next key of each says what the last was given for.
        second = writer.declare(2, "alice", DICE)
        every = {name: key(writer, name, 2) for name in table.players}
        for name in (*table.players[1:], "alice"):
            writer.key(2, name, second, every[name], key(writer, name, 3))
        writer.result(2, second, writer.dice(2, second, every, DICE))

    return play


def from_the_seed(writer: Writer, sixes: bool) -> tuple[str, list[Data]]:
    """A roll as the seed gives it, or of sixes."""
    dice = writer.genesis["dice"]
    seed = secret_of(writer.secrets / "dice-seed.json")["seed"]
    given = {
        line["data"]["player"]: line["data"]["nonce"] for line in writer.lines if line["type"] == "nonce"
    }
    k = digest("dicekey.v1", {"game": writer.genesis["game"], "umpire": seed, "players": given})
    assert dice["mode"] in ("umpire", "solo")
    honest = thrown(bytes.fromhex(k), 1, DICE)
    # The seed may give sixes itself: what is bent is then fives.
    bent = (
        best() if best() != honest else [{**group, "faces": [5 for _ in group["faces"]]} for group in honest]
    )
    return writer.declare(1, "alice", DICE), bent if sixes else honest


def keeper_gives_a_nonce(writer: Writer, table: Table, bent: bool) -> None:
    if bent:
        writer.add("nonce", player=writer.genesis["dice"].get("operator", "una"), nonce="a" * 64)
    declared, dice = from_the_seed(writer, False)
    writer.result(1, declared, dice)
    writer.add("dice_seed", seed=secret_of(writer.secrets / "dice-seed.json")["seed"])


def nonce_given_late(writer: Writer, table: Table, bent: bool) -> None:
    """The honest have all given theirs; the last is taken out and given behind the first roll."""
    if bent:
        at = max(n for n, line in enumerate(writer.lines) if line["type"] == "nonce")
        late = writer.lines[at]["data"]
        after, writer.lines = writer.lines[at + 1 :], writer.lines[:at]
        for line in after:
            writer.add(line["type"], **line["data"])
    declared, dice = from_the_seed(writer, False)
    writer.result(1, declared, dice)
    if bent:
        writer.add("nonce", **late)


def other_faces(signed: bool) -> Played:
    """Sixes: by who keeps the seed, found when he shows it; by another, without his signature."""

    def play(writer: Writer, table: Table, bent: bool) -> None:
        declared, dice = from_the_seed(writer, bent)
        writer.held = None if signed or not bent else [name for name in NAMES if name != keeper_of(writer)]
        writer.result(1, declared, dice)
        writer.held = None
        if bent and not signed:
            return
        writer.add("dice_seed", seed=secret_of(writer.secrets / "dice-seed.json")["seed"])

    return play


def keeper_of(writer: Writer) -> str:
    return str(writer.genesis["dice"].get("operator") or writer.genesis["dice"].get("umpire", "una"))


def spoken_for(kind: str) -> Played:
    """An entry in the name of the umpire or the last player, who signs it only if it is honest."""

    def play(writer: Writer, table: Table, bent: bool) -> None:
        cheat = "alice" if kind == "confirm" else "bob"
        victim = "una" if table.umpire else next(n for n in table.players[::-1] if n != cheat)
        everybody = list(table.players)
        seq, said = len(writer.lines), None
        if kind == "undo":
            writer.add("ruling", by=table.judge, text="north is up")
            agreed = ["una"] if table.umpire else everybody
            said = {"target": seq, "reason": "agreed", "agreed_by": agreed}
        elif kind == "ruling":
            said = {"by": victim, "text": "the ship of alice is lost"}
        elif kind == "void":
            declared = writer.declare(1, "alice", DICE)
            victim = next(n for n in table.players[::-1] if n != "bob")
            said = {"roll": 1, "declaration": declared, "reason": "unlucky", "agreed_by": everybody}
        elif kind == "confirm":
            physical = {} if table.mode == "physical" else {"physical": True}
            order = [{"for": "die 0", "count": 2, "sides": 6}]
            declared = writer.add("declare", roll=1, who="alice", order=order, purpose="table", **physical)
            faces = [{**order[0], "faces": [6, 6]}]
            result = writer.result(1, declared, faces, entered_by="alice")
            said = {"roll": 1, "by": victim, "result": result}
        else:
            seal, _ = writer.seal("A", "alice", "fire", "hold fire")
            said = {"seal": seal, "digest": writer.lines[-1]["data"]["digest"], "by": "una"}
            said |= {"reason": "no"} if kind == "umpire_reject" else {}
        writer.held = [name for name in (*NAMES, "una") if name != victim] if bent else None
        writer.add(kind, **said)

    return play


def confirms_himself(writer: Writer, table: Table, bent: bool) -> None:
    """Typed dice, by whatever the game throws: who typed them in is not the one who confirms them."""
    spoken_for("confirm")(writer, table, False)
    if bent:
        data = writer.lines.pop()["data"]
        writer.add("confirm", **data | {"by": "alice"})


LIKE: dict[str, tuple[str, str, str]] = {
    "one Cyrillic letter": ("Zoroc", "Z\u043eroc", "mixes scripts"),
    "all Cyrillic": ("Copa", "\u0421\u043e\u0440\u0430", "looks like"),
    "full width": ("Zoroc", "Zoro\uff43", "looks like"),
    "zero width": ("Zoroc", "Zo\u200broc", "cannot be seen"),
    "no-break space": ("Zo roc", "Zo\u00a0roc", "cannot be seen|looks like"),
    "turned": ("Zoroc", "\u202eZoroc", "cannot be seen"),
    "trailing blank": ("Zoroc", "Zoroc ", "ends with a blank"),
}


def looks_alike(how: str) -> Played:
    """A second ship by a name that is not known from the first's."""

    def play(writer: Writer, table: Table, bent: bool) -> None:
        name, like, _ = LIKE[how]
        for ship in (name, like) if bent else (name,):
            writer.add(
                "ship", ship=ship, **{"class": "cadet/klingon-d6"}, player="bob", at="0101D", speed="8"
            )

    return play


def player_looks_alike(writer: Writer, table: Table, bent: bool) -> None:
    if bent:
        genesis = json.loads(canon(writer.genesis).decode().replace('"bob"', '"a1ice"'))
        writer.lines = []
        writer.add("genesis", **genesis)


def anchors_of_one_chain(writer: Writer, table: Table, bent: bool) -> None:
    """Bob's anchor is the next link of Alice's: he knows her keys, or she his."""
    anchor = {name: sha256(name.encode()).hexdigest() for name in table.players}
    if bent:
        anchor["bob"] = sha256(b"referee.chain.v1\n" + bytes.fromhex(anchor["alice"])).hexdigest()
    for name in table.players:
        writer.add("anchor", player=name, anchor=anchor[name], length=100)


def nothing(writer: Writer, table: Table, bent: bool) -> None:
    """An honest game."""


PEER = ((keys_of_all, NO_KEYS),)
SEED = ((a_seed, NO_SEED),)
ASKED = ((many_keepers, KEPT_BY_ONE),)

TRICKS: dict[str, Trick] = {
    "forms spend the same batteries, the later shown first": Trick(1, "seated", forms((2, 1)), "no foul is recorded"),
    "forms spend the same batteries, in order": Trick(1, "seated", forms((1, 2)), "no foul is recorded"),
    "a foul excuses a step past a called move": Trick(2, "moving", past_a_called_move, "moves on without bob", ASKED),
    "a foul blames another's ship": Trick(2, "moving", foul_of(subject="A", player="alice"), "with no cause in the record"),
    "a foul is invented": Trick(2, "moving", foul_of(rule="B2.0", key="B2.0/order"), "with no cause in the record"),
    "fire of the turn is sealed anew after moves": Trick(3, "sealed", sealed_anew("fire"), "after what it is for began"),
    "impulse 0 replaces a seal": Trick(3, "sealed", sealed_anew("fire", seq=2, impulse=0), "impulse 0"),
    "an impulse replaces the whole turn": Trick(3, "sealed", sealed_anew("fire", impulse=1), "the seal in line"),
    "fire is sealed anew after another's is shown": Trick(3, "seated", sealed_anew_in_time, "were shown"),
    "who declared keeps her key back, a friend names faces": Trick(4, "seated", friend_names_faces("alice", "bob"), "has no field 'dice'", PEER),
    "another keeps his back, the others name faces": Trick(4, "seated", friend_names_faces("bob", "carol"), "has no field 'dice'", PEER),
    "a key that is in is kept back": Trick(4, "seated", refused_when_known, "bob gave the key", PEER),
    "a roll is given up without one who gave his key": Trick(4, "seated", without_one_who_gave("void"), "carol has not agreed", (*PEER, (a_third, NO_THIRD))),
    "a roll is forfeited without one who gave his key": Trick(4, "seated", without_one_who_gave("forfeit_roll"), "carol has not agreed", (*PEER, (a_third, NO_THIRD))),
    "a key is labelled anew": Trick(5, "seated", label(False), "signature", PEER),
    "a key is labelled anew, with all signing keys": Trick(5, "seated", label(True), "was not given for the declaration", PEER),
    "who keeps the seed gives a nonce": Trick(6, "seated", keeper_gives_a_nonce, "gives no nonce|is no player", SEED),
    "a nonce behind the first roll": Trick(6, "seated", nonce_given_late, "no nonce of", SEED),
    "other faces than the seed's, by who keeps it": Trick(6, "seated", other_faces(True), "the seed gives other dice", SEED),
    "other faces than the seed's, by another": Trick(6, "seated", other_faces(False), "signature", SEED),
    **{
        f"a forged {kind}": Trick(7, "seated", spoken_for(kind), "without the signature of")
        for kind in ("ruling", "undo", "void", "confirm")
    },
    **{
        f"a forged {kind}": Trick(7, "seated", spoken_for(kind), "without the signature of", ((an_umpire, NO_UMPIRE),))
        for kind in ("umpire_ack", "umpire_reject")
    },
    "who types dice in confirms them": Trick(7, "seated", confirms_himself, "confirm"),
    **{
        f"a ship's name that looks like another: {how}": Trick(8, "new", looks_alike(how), LIKE[how][2])
        for how in LIKE
    },
    "a player's name that looks like another": Trick(8, "new", player_looks_alike, "looks like"),
    "anchors of one chain": Trick(8, "new", anchors_of_one_chain, "chain|anchor", ((keys_of_all, NO_CHAINS),)),
    "an honest combat of Trek is taken in": Trick(9, "trek", nothing, "", before=True),
}  # fmt: skip


def doors(path: Path) -> None:
    """What a copy must stand that is taken in, as `record sync` and `record verify` ask it."""
    entries = read(path)
    held(str(path), entries)
    proved(str(path), entries)
    if claims(str(path), entries, len(entries), ()):
        raise IntegrityFailure("claims")


def played(trick: Trick, table: Table, bent: bool, to: Path) -> Path:
    writer = copy_of(begun(table, trick.state))
    trick.play(writer, table, bent)
    return writer.save(to / ("bent.jsonl" if bent else "honest.jsonl"))


def is_refused(name: str, table: Table, to: Path) -> None:
    trick = TRICKS[name]
    doors(played(trick, table, False, to))
    if trick.before:
        entries = read(to / "honest.jsonl")
        assert any(type(entry.data.get("act")) is int for entry in entries)
        for known in range(1, len(entries)):
            claims(str(begun(table, trick.state)), entries, known, (*table.players, "una"))
        return
    with pytest.raises(RefereeError, match=trick.reason):
        doors(played(trick, table, True, to))


CASES = [(name, table) for name, trick in TRICKS.items() for table in TABLES if not not_there(trick, table)]
LIKELY = (Table(3, False, "peer"), Table(3, True, "umpire"), Table(3, True, "peer"))
ORDINARY = {name: next(table for table in LIKELY if (name, table) in CASES) for name in TRICKS}
"""The table of each trick that is in every run."""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", TRICKS)
def test_a_trick_at_one_table(name: str, tmp_path: Path) -> None:
    is_refused(name, ORDINARY[name], tmp_path)


@pytest.mark.long
@pytest.mark.parametrize(("name", "table"), [case for case in CASES if ORDINARY[case[0]] != case[1]], ids=str)
def test_a_trick_at_every_table(name: str, table: Table, tmp_path: Path) -> None:
    is_refused(name, table, tmp_path)


# -- what is played and what is not --------------------------------------------------------------


def test_every_row_is_played_or_it_is_said_why_not() -> None:
    for row in range(1, 10):
        for table in TABLES:
            reasons = [not_there(trick, table) for trick in TRICKS.values() if trick.row == row]
            if table.mode == "umpire" and not table.umpire:
                assert set(reasons) == {NO_TABLE}, (row, table)
            elif why := NEVER.get((row, table.mode)):
                assert set(reasons) == {why}, (row, table)
            else:
                assert "" in reasons, (row, table, reasons)


def stands(table: Table, to: Path, *entries: tuple[str, Data], state: str = "seated") -> bool:
    writer = copy_of(begun(table, state))
    for kind, data in entries:
        writer.add(kind, **data)
    try:
        doors(writer.save(to / "asked.jsonl"))
    except RefereeError:
        return False
    return True


KEY = {"roll": 1, "player": "bob", "declaration": "0" * 64, "key": "0" * 64, "bond": "0" * 64}
SAYS: dict[str, tuple[str, Data]] = {
    NO_KEYS: ("key", KEY),
    NO_SEED: ("nonce", {"player": "bob", "nonce": "a" * 64}),
    NO_CHAINS: ("anchor", {"player": "bob", "anchor": "a" * 64, "length": 100}),
    NO_UMPIRE: ("umpire_ack", {"seal": "0" * 64, "digest": "0" * 64, "by": "alice"}),
}
"""What a record would have to take where a trick is said not to exist."""


@pytest.mark.parametrize("reason", SAYS)
def test_what_is_said_not_to_be_there_is_not(reason: str, tmp_path: Path) -> None:
    missing = {
        t for trick in TRICKS.values() for t in TABLES if not_there(trick, t) == reason and t.count == 2
    }
    assert missing
    for table in missing:
        kind, data = SAYS[reason]
        if kind == "key":
            order = [{"for": "die 0", "count": 1, "sides": 6}]
            writer = copy_of(begun(table, "seated"))
            declared = writer.add("declare", roll=1, who="alice", order=order, purpose="table")
            doors(writer.save(tmp_path / "declared.jsonl"))
            writer.add(kind, **data | {"declaration": declared})
            with pytest.raises(RefereeError):
                doors(writer.save(tmp_path / "key.jsonl"))
        elif kind == "umpire_ack":
            writer = copy_of(begun(table, "seated"))
            seal, _ = writer.seal("A", "alice", "fire", "hold fire")
            doors(writer.save(tmp_path / "sealed.jsonl"))
            writer.add(kind, **data | {"seal": seal, "digest": writer.lines[-1]["data"]["digest"]})
            with pytest.raises(RefereeError):
                doors(writer.save(tmp_path / "ack.jsonl"))
        else:
            assert not stands(table, tmp_path, (kind, data), state="new"), table


def test_no_game_of_umpire_dice_is_begun_without_an_umpire(own_folder: Path) -> None:
    assert run(["game", "new", "g.jsonl", "--players", "alice,bob", "--dice", "umpire"]) == 2
    assert not Path("g.jsonl").exists()


def test_who_keeps_a_game_alone_only_notes_the_foul(tmp_path: Path) -> None:
    for table in (Table(2, False, "solo"), Table(3, True, "solo")):
        doors(played(TRICKS["a foul excuses a step past a called move"], table, True, tmp_path))
