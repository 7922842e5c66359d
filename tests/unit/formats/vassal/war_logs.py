"""Wars of several turns written as VASSAL logs: ships move, arm, charge and fire at each other; one thing spoilt.

Who may fire what is worked out here from the energy written, arcs told hex by hex, ranges and impulses; what a
shot does by the rules of fire, which have cases of their own. Shields take all of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from referee.adjudicator.fire import resolve_shots
from referee.core.arcs import bears
from referee.core.combat import Shot, Unit
from referee.core.dice import ScriptedDice
from referee.core.hexgrid import relative_offset, struck_shields, true_range
from referee.core.ship import Mount, ShipClass
from referee.formats.vassal import command_types as lv
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.formats.vassal.game_logs import FED, KLINGON, STEPS, Class, Game, LogWriter, legal_game
from tests.unit.formats.vassal.odd_dice import CHEATS, PLAYERS, Hands, other
from tests.unit.formats.vassal.odd_logs import OddWriter

SPOILS = (
    "arc", "far", "near", "unpaid", "uncharged", "half-armed", "twice", "gap", "fewer", "more", "other-shield",
    "other-ship", *CHEATS,
)  # fmt: skip
DOUBTS = {
    "die-undone": "NOTE/dice-taken-back", "fire-undone": "NOTE/undo-over-dice",
    "move-undone": "NOTE/undo-over-dice", "late-figure": "NOTE/changed-later",
    "die-before": "NOTE/dice-first", "die-of-other": "NOTE/dice-aside",
}  # fmt: skip
"""Things done that are no error of a rule but told, and the key of what tells them."""
RULES: dict[str, tuple[str, ...]] = {
    "arc": ("D2.1", "D2.2"), "far": ("E3.0",), "near": ("E4.0",), "unpaid": ("E1.2",), "uncharged": ("E2.21",),
    "half-armed": ("E1.2",), "twice": ("E2.23", "E3.23"), "gap": ("E1.5",), "fewer": ("D4.1",), "more": ("D4.1",),
    "other-shield": ("D4.1",), "other-ship": ("D4.1",), **CHEATS,
}  # fmt: skip
ROWS = {"PHOT/A": "Photon A", "PHOT/B": "Photon B", "DISR/A": "Disr A", "DISR/B": "Disr B"}
CLASSES = {"CA": "cadet/federation-ca", "D6": "cadet/klingon-d6"}
QUARTER = 4
FAR = 22


_Volley = tuple[str, str, list[Mount], list[int], int, int]
"""Who fires at whom with what, its dice, the points they come to and the shield they strike."""


@dataclass(frozen=True)
class Fought:
    """A war as a log, the step of what is wrong in it, the rules it may be against, and whose it is: the weapon's
    or the ship's."""

    data: bytes
    wrong: int = 0
    rules: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()


def war(random: Random, spoil: str = "", *, odd: bool = False) -> Fought | None:
    """A legal war, or one with a thing spoilt; None where nothing in it can be spoilt so. An `odd` one is fought
    by the rules, and logged as players do who talk, answer late, roll late and mark late and in bits."""
    fought = _War(random, spoil, odd=odd).fought()
    return fought if bool(fought.wrong) == bool(spoil) else None


def _armed(cls: Class) -> Class:
    ship = load_ship(CLASSES[cls.type])
    boxes: list[tuple[str, int]] = []
    for system in ship.systems:
        marks = ship.box_ids(system)
        boxes += [(mark, 1) for mark in marks] if ship.mount(marks[0]) else [(system, len(marks))]
    return replace(cls, boxes=tuple(boxes))


class _War:
    def __init__(self, random: Random, spoil: str, *, odd: bool) -> None:
        self.random, self.spoil, self.odd = random, spoil, odd
        self.rulebook = load_rulebook("sfb-cadet")
        classes = (_armed(FED), _armed(KLINGON))
        game = legal_game(random, ships=random.randint(2, 3), turns=random.randint(2, 3), classes=classes)
        self.ships: dict[str, ShipClass] = {name: load_ship(CLASSES[name[:2]]) for name in game.ships}
        self.paid: dict[tuple[str, int], set[str]] = {}
        self.charge: Counter[str] = Counter()
        self.forms: dict[tuple[str, int], dict[str, str]] = {}
        self.charged: dict[tuple[str, int], int] = {}
        for turn in range(1, game.turns + 1):
            for name in game.ships:
                self._allocate(name, turn, game)
        self.game = replace(game, written=self.forms)
        OddWriter.random = random
        self.writer = (OddWriter if odd else LogWriter)(
            self.game, shown=random.choice(("sheet", "layers", "properties"))
        )
        for name, ship in self.ships.items():
            self.writer.shields[name] = [ship.shields[n] for n in range(1, 7)]
        self.writer._start = self.writer.start()
        self.hands = Hands(self.writer, random)
        self.fired: dict[tuple[str, str], tuple[int, int]] = {}
        self.lent = 0, 0
        self.late: list[Callable[[], None]] = []
        self.owed: list[tuple[int, str, Counter[int]]] = []
        self.wrong = 0
        self.subjects: tuple[str, ...] = ()

    # -- energy

    def _allocate(self, name: str, turn: int, game: Game) -> None:
        random, speed = self.random, game.speeds[name, turn]
        left = sum(game.ships[name].cls.power[:3]) - speed
        warp = 16 - speed
        figures: dict[str, str] = {}
        paid: set[str] = set()
        for mark, row in ROWS.items():
            if self.ships[name].mount(mark) is None:
                continue
            photon = mark.startswith("PHOT")
            if left >= 2 and (warp >= 2 or not photon) and random.random() < 0.7:
                figures[row], left, warp = "2", left - 2, warp - 2 * photon
                paid.add(mark)
        phasers = sum(mount.system == "phaser" for mount in self.ships[name].mounts)
        # What is left in the capacitor cannot be known before the turn is fought: it is filled once.
        charge = random.randint(0, min(phasers, left)) if turn == 1 or not self.charged.get((name, 1)) else 0
        if turn > 1 and any(self.charged.get((name, t)) for t in range(1, turn)):
            charge = 0
        if charge:
            figures["Phasrecharge"] = str(charge)
        if self.spoil == "uncharged":
            figures["BttyUsedInTurn"] = "0"  # a form that does not say so leaves it to the batteries
        self.charged[name, turn] = charge
        self.paid[name, turn] = paid
        figures["Total Used"] = str(speed + 2 * len(paid) + charge)
        self.forms[name, turn] = figures

    # -- the war

    def fought(self) -> Fought:
        writer, game = self.writer, self.game
        for turn in range(1, game.turns + 1):
            for name in game.ships:
                writer.form(name, turn)
                self.charge[name] += self.charged[name, turn]
            for impulse in range(1, game.impulses + 1):
                if self.odd and not self.late and self.random.random() < 0.1:
                    self.hands.initiative()
                for play in game.plays:
                    if (play.turn, play.impulse) == (turn, impulse):
                        writer.play(play)
                        if self.spoil == "move-undone" and not self.wrong and play.way == 0:
                            self._move_again(play.ship)
                last = len(STEPS) - 1
                for step in range(last):
                    writer.advance((turn, impulse, step), (turn, impulse, step + 1))
                self._settle(turn, impulse)
                plain = not self.odd or (self.spoil in CHEATS and not self.wrong)
                (self._step_of_fire if plain else self._odd_step)(turn, impulse)
                following = (turn, impulse + 1) if impulse < game.impulses else (turn + 1, 1)
                writer.advance((turn, impulse, last), (*following, 0))
        self._settle(game.turns + 1, 1)
        return Fought(writer.finish(), self.wrong, RULES.get(self.spoil, ()), self.subjects)

    def _settle(self, turn: int, impulse: int) -> None:
        """What was left over is done: dice of the impulse before, marks that are due by now."""
        for roll in self.late:
            roll()
        self.late.clear()
        now = turn * self.game.impulses + impulse
        for due, target, shields in self.owed:
            if due <= now or turn > self.game.turns:
                self._mark_in_bits(target, shields)
        self.owed = [one for one in self.owed if one[0] > now and turn <= self.game.turns]

    def _odd_step(self, turn: int, impulse: int) -> None:
        """Fire declared and answered one after the other, or all of it first; dice now or in the next impulse, rolled
        as players roll them; marks whenever."""
        random, hands = self.random, self.hands
        before = {name: list(self.writer.shields[name]) for name in self.game.ships}
        for _, target, shields in self.owed:
            for shield, points in shields.items():
                before[target][shield - 1] -= points
        tardy, first = random.random() < 0.2, random.random() < 0.4
        one_rolls = random.choice(PLAYERS) if random.random() < 0.1 else ""
        if not tardy and random.random() < 0.1:
            hands.plays_with_dice(random.choice(PLAYERS))
        told: list[_Volley] = []
        for name in self.game.ships:
            target = random.choice([other for other in self.game.ships if other != name])
            fire = self._fire(name, target, turn, impulse, before) if random.random() < 0.3 else None
            if fire is None:
                continue
            told.append(fire)
            if not first:
                self._odd_dice(fire, [], turn, impulse, tardy=tardy, one_rolls=one_rolls)
        if first and not one_rolls and not tardy and len({self._player(one[0]) for one in told}) == len(told):
            random.shuffle(told)  # each player rolls his own, whenever
        while first and told:
            self._odd_dice(told.pop(0), told, turn, impulse, tardy=tardy, one_rolls=one_rolls)

    def _odd_dice(
        self, fire: _Volley, rest: list[_Volley], turn: int, impulse: int, *, tardy: bool, one_rolls: str
    ) -> None:
        """The dice of a volley, and what is said and marked of it; the `rest` still wait for theirs."""
        random, hands, now = self.random, self.hands, turn * self.game.impulses + impulse
        name, target, marks, dice, points, shield = fire
        player, waiting = self._player(name), [self._player(one[0]) for one in rest]
        if tardy:
            self.late.append(partial(hands.volley, player, dice))
        elif one_rolls:
            hands.volley(one_rolls, dice)
        else:
            free = other(player) not in waiting and self.lent != (turn, impulse)
            way = hands.way(alone=player not in waiting, free=free)
            hands.fall(way, player, dice)
            if "lent" in way:
                self.lent = turn, impulse
            said = points and random.random() < 0.5
            if said and len(marks) == 1 and random.random() < 0.6:
                hands.says(player, f"{marks[0].id} hits for {points}")
            elif said:
                hands.says(player, f"that is {points} points in total")
        owed = Counter({shield: points})
        delay = random.choice((0, 0, 1, 2, 3)) if tardy or random.random() < 0.4 else 0
        if points and (delay or tardy):
            self.owed.append((now + max(delay, tardy), target, owed))
        elif points:
            self._mark_in_bits(target, owed)
            if not tardy and not one_rolls and not waiting and random.random() < 0.2:
                hands.plays_with_dice(random.choice(PLAYERS))

    def _mark_in_bits(self, target: str, shields: Counter[int]) -> int:
        """Marked at once, box by box, or with a slip that is mended at once; the last step of it."""
        step = 0
        for shield, count in shields.items():
            parts = {"whole": [count], "bits": [1] * count, "slip": [count + 1, -1]}
            way = self.random.choice(tuple(parts))
            if way == "slip" and self.writer.shields[target][shield - 1] <= count:
                way = "whole"
            for part in parts[way]:
                old = self.writer.display_states(target)
                self.writer.shields[target][shield - 1] -= part
                new = self.writer.display_states(target)
                step = self.writer.log(self.writer.change(f"{self.writer.ids[target]}9", old, new))
        return step

    def _step_of_fire(self, turn: int, impulse: int) -> None:
        """One ship or all fire at each other: declared first, then rolled, then marked."""
        random = self.random
        names = [name for name in self.game.ships if random.random() < self._eager(name, impulse)]
        before = {name: list(self.writer.shields[name]) for name in self.game.ships}
        told = []
        for name in names:
            target = random.choice([other for other in self.game.ships if other != name])
            if fire := self._fire(name, target, turn, impulse, before):
                told.append(fire)
        if self.spoil in CHEATS and len(told) == 1 and self._cheated(turn, impulse, told[0]):
            return
        if told and self.spoil in DOUBTS and not self.wrong and (len(told) == 1 or "other" not in self.spoil):
            self._doubtful(turn, impulse, told[0])
        for name, _, _, dice, *_ in told:
            self.hands.volley(self._player(name), dice)
        struck: dict[str, Counter[int]] = {}
        for name, target, _, _, points, shield in told:
            struck.setdefault(target, Counter())[shield] += points
            assert name in self.game.ships
        for target, shields in struck.items():
            self._mark(target, shields)

    def _eager(self, name: str, impulse: int) -> float:
        """How likely a ship is to fire; more where that gives what is to be spoilt."""
        if self.spoil == "gap" and not self.wrong:
            return 0.9 if impulse <= 3 or impulse > self.game.impulses - 3 else 0.05
        if self.spoil == "near" and not self.wrong:
            here = self.writer.where[name][0]
            return float(any(true_range(here, hex) == 1 for hex, _ in self.writer.where.values()))
        return 0.3

    def _fire(
        self, name: str, target: str, turn: int, impulse: int, before: dict[str, list[int]]
    ) -> _Volley | None:
        (hex, _), (there, bow) = self.writer.where[name], self.writer.where[target]
        if hex == there:
            return None
        facing_shields = struck_shields(relative_offset(there, bow, hex))
        marks = [mount for mount in self.ships[name].mounts if mount.system != "drone"]
        why = {mount.id: self._against(mount, name, target, turn, impulse) for mount in marks}
        legal = [mount for mount in marks if not why[mount.id]]
        phasers = int(self.charge[name])
        chosen: list[Mount] = []
        for mount in self.random.sample(legal, min(len(legal), self.random.randint(1, 3))):
            if mount.system != "phaser" or phasers > 0:
                phasers -= mount.system == "phaser"
                chosen.append(mount)
        spoilt = self._spoilt(marks, why, legal, int(self.charge[name]))
        if spoilt is not None:
            chosen = [spoilt]
        if not chosen:
            return None
        dice = [self.random.randint(1, 6) for _ in chosen]
        shield = self.random.choice(facing_shields)
        beyond = spoilt is not None and self.spoil in ("far", "near")
        points = 0 if beyond else self._points(chosen, dice, name, target, turn, impulse, shield)
        if points > before[target][shield - 1]:
            return None
        before[target][shield - 1] -= points
        on = f" on {shield}" if len(facing_shields) > 1 else ""
        early = self.spoil == "die-before" and not self.wrong
        if early:
            self.hands.rolls(self._player(name), self.hands.any(1))
        step = self._say(name, f"fire {', '.join(mount.id for mount in chosen)} at {target}{on}")
        if early:
            self.wrong = step
        if spoilt is not None:
            self.wrong, self.subjects = step, (name, f"{name} {spoilt.id}")
        for mount in chosen:
            self.fired[name, mount.id] = turn, impulse
            self.charge[name] -= mount.system == "phaser"
        return name, target, chosen, dice, points, shield

    def _against(self, mount: Mount, name: str, target: str, turn: int, impulse: int) -> set[str]:
        """All that is against a shot."""
        (hex, facing), (there, _) = self.writer.where[name], self.writer.where[target]
        found: set[str] = set()
        if not bears(mount.arc, relative_offset(hex, facing, there)):
            found.add("arc")
        reach = true_range(hex, there)
        if mount.type == "disruptor" and reach > FAR:
            found.add("far")
        if mount.type == "photon" and reach < 2:
            found.add("near")
        if mount.type == "photon" and reach > 30:
            found.add("beyond")
        if mount.type == "disruptor" and mount.id not in self.paid[name, turn]:
            found.add("unpaid")
        if mount.type == "photon":
            steps = [mount.id in self.paid.get((name, t), ()) for t in (turn - 1, turn)]
            # What was armed before the turn before is held or shot: only two payments running are sure.
            if not all(steps) or mount.id in self.paid.get((name, turn - 2), ()) or self._shot(name, mount):
                half = steps == [False, True] and not self._shot(name, mount)
                found.add("half-armed" if half else "unarmed")
        last = self.fired.get((name, mount.id))
        if last:
            if last[0] == turn:
                found.add("twice")
            elif (turn - last[0]) * self.game.impulses + impulse - last[1] < QUARTER:
                found.add("gap")
        return found

    def _shot(self, name: str, mount: Mount) -> bool:
        return (name, mount.id) in self.fired

    def _spoilt(
        self, marks: list[Mount], why: dict[str, set[str]], legal: list[Mount], phasers: int
    ) -> Mount | None:
        if self.wrong:
            return None
        if self.spoil == "uncharged":
            return next((m for m in legal if m.system == "phaser" and phasers <= 0), None)
        fits = [m for m in marks if why[m.id] == {self.spoil}]
        fits = [m for m in fits if m.system != "phaser" or phasers > 0]
        return fits[0] if fits else None

    def _points(
        self,
        marks: list[Mount],
        dice: list[int],
        name: str,
        target: str,
        turn: int,
        impulse: int,
        shield: int,
    ) -> int:
        units = []
        for ship in (name, target):
            hex, facing = self.writer.where[ship]
            units.append(Unit(ship, self.ships[ship], None, hex, facing))
        shots = [Shot(m.id, m.type, *units, turn, impulse, mount=m, shield=shield) for m in marks]  # type: ignore[call-arg]
        return sum(result.damage for result in resolve_shots(self.rulebook, shots, ScriptedDice(dice)))

    # -- as it is written

    def _player(self, name: str) -> str:
        return "Ann" if name.startswith("CA") else "Ben"

    def _say(self, name: str, text: str) -> int:
        spelt = self.random.choice((text, text.replace(", ", ","), text.capitalize(), text.replace("/", "")))
        said = self.random.choice((f"!{name}: {spelt}", f"! {name.lower()} :  {spelt}", f"!{name}:{spelt}"))
        return self.writer.log(lv.Chat(f"&lt;{self._player(name)}&gt; - {said}"))

    def _doubtful(self, turn: int, impulse: int, fire: _Volley) -> None:
        """Something is done that is to be told, before the dice of the first fire of a step fall; of dice that are
        undone, what they show is what the fire comes to."""
        name, target, marks, dice, *_ = fire
        hands, player = self.hands, self._player(name)
        if self.spoil == "die-undone":
            self.wrong = hands.rolls(player, dice, undone=True)
            dice[:] = hands.any(len(marks))
        elif self.spoil == "fire-undone":
            hands.rolls(player, [6 for _ in marks])
            self.wrong = self._say(name, "undo")
            self._say(name, f"fire {', '.join(mount.id for mount in marks)} at {target}")
        elif self.spoil == "die-of-other":
            self.wrong = hands.rolls(other(player), hands.any(len(marks)))
        elif self.spoil == "late-figure" and impulse > 1:
            self.wrong = self.writer.write(name, turn, {"Total Used": "1"})

    def _cheated(self, turn: int, impulse: int, fire: _Volley) -> bool:
        """Is the one shot of a step rolled for and marked by another die than counts, that suits better?"""
        name, target, marks, dice, points, shield = fire
        if self.wrong or len(marks) > 1:
            return False
        worth = {
            face: self._points(marks, [face], name, target, turn, impulse, shield) for face in range(1, 7)
        }
        left = self.writer.shields[target][shield - 1]
        suits = next((face for face in worth if points < worth[face] <= left), None)
        others = next((face for face in worth if suits and worth[face] not in (points, worth[suits])), None)
        if suits is None or (self.spoil == "neither's" and others is None):
            return False
        step = self.hands.cheats(self.spoil, self._player(name), dice[0], suits, others or 0)
        marked = self._mark_in_bits(target, Counter({shield: worth[suits]}))
        self.wrong, self.subjects = (step, (name,)) if step else (marked, (target,))
        return True

    def _move_again(self, ship: str) -> None:
        """A move is taken back when dice had fallen, and made again."""
        writer = self.writer
        hex, facing = writer.where[ship]
        before = hex.step(facing, -1)
        self.hands.rolls(self._player(ship), [6, 6, 6])
        back = writer.move_leaf(ship, hex, before)
        self.wrong = writer.log(lv.Undo(True), lv.Chat("* UNDO: a move"), back, lv.Undo(False))
        writer.log(writer.move_leaf(ship, before, hex))

    def _mark(self, target: str, shields: Counter[int]) -> None:
        points = {shield: count for shield, count in shields.items() if count}
        if not points:
            return
        spoil = self.spoil if not self.wrong else ""
        marked, name = dict(points), target
        shield = self.random.choice(sorted(points))
        if spoil == "fewer" and sum(points.values()) > 1:
            marked[shield] -= 1
        elif spoil == "more" and self.writer.shields[target][shield - 1] > points[shield]:
            marked[shield] += 1
        elif spoil == "other-shield" and len(points) == 1:
            marked = {shield % 6 + 1: 1}
        elif spoil == "other-ship" and len(points) == 1:
            name = self.random.choice([other for other in self.ships if other != target])
            marked = {1: points[shield]}
        else:
            spoil = ""
        if any(self.writer.shields[name][k - 1] < count for k, count in marked.items()):
            spoil, marked, name = "", dict(points), target
        step = 0
        for k, count in marked.items():
            if count:
                old = self.writer.display_states(name)
                self.writer.shields[name][k - 1] -= count
                step = self.writer.log(
                    self.writer.change(f"{self.writer.ids[name]}9", old, self.writer.display_states(name))
                )
        if spoil and step:
            self.wrong, self.subjects = step, (name,)
