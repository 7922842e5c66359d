"""Battles written as VASSAL logs: fire said, dice rolled, results told, damage marked; one thing spoilt.

What a shot does is worked out by the rules of fire, which have cases of their own; where the points then go is
done here by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from referee.adjudicator.fire import resolve_shots
from referee.adjudicator.volley import resolve
from referee.core.combat import Shot, ShotResult, Unit
from referee.core.dice import ScriptedDice
from referee.core.hexgrid import DIRECTIONS, Hex
from referee.core.ship import ShipClass
from referee.core.state import new_state
from referee.core.volley import Choice, VolleyOrder
from referee.formats.vassal import command_types as lv
from referee.rulebooks.registry import load_rulebook, load_ship
from tests.unit.formats.vassal.game_logs import (
    BIG_FED,
    BIG_KLINGON,
    FED,
    KLINGON,
    STEPS,
    Class,
    Game,
    LogWriter,
    Placed,
    Play,
    called,
)

FIRER, TARGET = "CA Ship0", "D6 Ship1"
SPOILS = (
    "die-missing", "die-extra", "die-kind", "said-damage", "said-hit", "hit-points", "hit-shield", "total",
    "fire-early", "mark-shield", "mark-fewer", "mark-more", "mark-inside", "mark-system", "mark-closed",
    "taken-off",
)  # fmt: skip


@dataclass(frozen=True)
class Fought:
    """A battle as a log, and the step of what is wrong in it."""

    data: bytes
    wrong: int
    rule: str
    subject: str


@dataclass(frozen=True)
class Side:
    """How one kind of battle is fought: rulebook, classes, weapons fired, dice of the chart."""

    rulebook: str
    ships: tuple[str, str]
    classes: tuple[Class, Class]
    weapons: tuple[str, ...]
    answers: tuple[str, ...]
    target: str


CADET = Side(
    "sfb-cadet", ("cadet/federation-ca", "cadet/klingon-d6"), (FED, KLINGON),
    ("PH-1/A", "PH-1/B", "PH-1/C"), ("PH-2/A", "PH-2/B", "DISR/A"), "D6 Ship1",
)  # fmt: skip
STANDARD = Side(
    "sfb-standard", ("standard/federation-ca", "standard/klingon-d7"), (BIG_FED, BIG_KLINGON),
    ("PH-1/1", "PH-1/2", "PH-1/3", "PH-1/5"), ("PH-2/1", "PH-2/2", "DISR/A"), "D7 Ship1",
)  # fmt: skip


class _Owner:
    """Picks at random, and remembers what was offered."""

    name = "at random"

    def __init__(self, random: Random) -> None:
        self.random = random

    def choose(self, choice: Choice) -> str:
        return self.random.choice(choice.boxes)


class _Rolled:
    """Dice that remember what they showed, face by face."""

    source = "at random"

    def __init__(self, random: Random) -> None:
        self.random = random
        self.thrown: list[tuple[int, ...]] = []

    def roll(self, count: int, sides: int) -> int:
        self.thrown.append(tuple(self.random.randint(1, sides) for _ in range(count)))
        return sum(self.thrown[-1])


def battle(random: Random, side: Side, spoil: str = "") -> Fought | None:
    """A legal battle of one turn, or one with a thing spoilt; None where the dice leave nothing to spoil."""
    return _Battle(random, side, spoil).fought()


class _Battle:
    def __init__(self, random: Random, side: Side, spoil: str) -> None:
        self.random, self.side, self.spoil = random, side, spoil
        self.rulebook = load_rulebook(side.rulebook)
        self.firer, self.target = (load_ship(id) for id in side.ships)
        self.name = side.target
        apart = random.randint(8, 14)
        at = {FIRER: Hex(40, 30), self.name: Hex(40, 30 + apart)}
        full = [self._boxes(ship) for ship in (self.firer, self.target)]
        classes = [replace(cls, boxes=tuple(boxes)) for cls, boxes in zip(side.classes, full, strict=True)]
        ships = {
            FIRER: Placed(classes[0], at[FIRER], "D", 8),
            self.name: Placed(classes[1], at[self.name], "A", 8),
        }
        paid = {"Phasrecharge": str(len(side.weapons)), "Phas Cap": "0"}
        disruptor = {FIRER: 0, self.name: 2}
        self.speeds = {(FIRER, 1): random.randint(1, 4), (self.name, 1): random.randint(1, 4)}
        written = {}
        for n, cls in ((FIRER, classes[0]), (self.name, classes[1])):
            total = self.speeds[n, 1] + len(side.weapons) + sum(cls.housekeeping) + disruptor[n]
            written[n, 1] = {**paid, "Disr A": str(disruptor[n] or ""), "Total Used": str(total)}
        self.game = Game(ships, 1, self.speeds, (), written)
        self.writer = LogWriter(self.game, shown=random.choice(("sheet", "layers", "properties")))
        self.wrong, self.rule, self.subject = 0, "", FIRER

    def _boxes(self, ship: ShipClass) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        for system in ship.systems:
            boxes = ship.box_ids(system)
            if system in ("phaser", "torpedo", "drone"):
                found += [(box, 1) for box in boxes]
            elif boxes:
                found.append((system, len(boxes)))
        return found

    # -- the turn

    def fought(self) -> Fought | None:
        writer, random = self.writer, self.random
        writer.shields[self.name] = [self.target.shields[n] for n in range(1, 7)]
        writer.shields[FIRER] = [self.firer.shields[n] for n in range(1, 7)]
        low = random.randint(0, 3)
        writer.shields[self.name][0] = low
        writer._start = writer.start()
        self.whole = list(writer.shields[self.name]), dict(writer.left[self.name])
        for name in self.game.ships:
            writer.form(name, 1)
        of = self.game.impulses
        at = random.randint(2, of - 1)
        answered = random.randint(at, of) if random.random() < 0.7 else 0
        for impulse in range(1, of + 1):
            for name in sorted(self.game.ships, key=lambda name: (self.speeds[name, 1], -self.needs(name))):
                if called(self.speeds[name, 1], impulse, of):
                    writer.play(Play(name, 1, impulse, 0, 0))
            early = random.randint(0, len(STEPS) - 3) if self.spoil == "fire-early" else len(STEPS) - 1
            for step in range(len(STEPS)):
                if impulse == at and step == early and not self._fire(impulse, low):
                    return None
                if step < len(STEPS) - 1:
                    writer.advance((1, impulse, step), (1, impulse, step + 1))
            if impulse == answered:
                self._answer(impulse)
            if self.spoil == "taken-off" and impulse == of:
                self._take_off()
            following = (1, impulse + 1) if impulse < of else (2, 1)
            writer.advance((1, impulse, len(STEPS) - 1), (*following, 0))
        return Fought(writer.finish(), self.wrong, self.rule, self.subject)

    def needs(self, name: str) -> int:
        cls = self.game.ships[name].cls
        return cls.needs(self.speeds[name, 1]) * 1000 + sum(cls.needs(s) for s in range(1, cls.impulses + 1))

    def say(self, text: str, player: str = "Ann") -> int:
        return self.writer.log(lv.Chat(f"&lt;{player}&gt; - {text}"))

    def throw(self, faces: Sequence[int], sides: int = 6, player: str = "Ann") -> int:
        button = f"{len(faces)}d{sides}"
        shown = ",".join(map(str, faces))
        return self.writer.log(
            lv.Chat(f"*** {button} = {shown} *** <{player}>"),
            lv.MutableProperty(f"{button}_result", "1", shown, "Module"),
        )

    def spoils(self, kind: str, step: int, rule: str, subject: str = FIRER) -> None:
        if kind == self.spoil:
            self.wrong, self.rule, self.subject = step, rule, subject

    def _fire(self, impulse: int, low: int) -> bool:
        random, spoil = self.random, self.spoil
        marks = random.sample(self.side.weapons, random.randint(1, len(self.side.weapons)))
        if spoil == "die-missing" and len(marks) < 2:
            return False
        said = self.say(f"!fire {', '.join(marks)} at {self.name}")
        self.spoils("fire-early", said, "B2.0")
        dice = [random.randint(1, 6) for _ in marks]
        results = resolve_shots(self.rulebook, self._shots(marks, impulse), ScriptedDice(dice))
        self._roll(dice, said)
        self._tell(results)
        points = sum(result.damage for result in results)
        if spoil in ("hit-points", "hit-shield", "") and points:
            wrong = points + (spoil == "hit-points")
            shield = 2 if spoil == "hit-shield" else 1
            step = self.say(f"!hit {wrong} on {shield}", "Ben")
            self.spoils(spoil, step, "D4.22", self.name)
        marked = self._damage(points, low)
        return marked and (not spoil or bool(self.wrong) or (spoil == "taken-off" and points > 0))

    def _answer(self, impulse: int) -> None:
        """The other ship fires back with a weapon it has left, at a shield that holds."""
        left = [mark for mark in self.side.answers if self.writer.left[self.name][mark]]
        if self.writer.where[FIRER][0] == self.writer.where[self.name][0]:
            left = [mark for mark in left if mark.startswith("PH")]  # E3.0: no disruptor at range 0
        if not left:
            return
        mark, face = self.random.choice(left), self.random.randint(1, 6)
        self.say(f"!fire {mark} at {FIRER}", "Ben")
        self.throw([face], player="Ben")
        (result,) = resolve_shots(
            self.rulebook, self._shots([mark], impulse, back=True), ScriptedDice([face])
        )
        if self.random.random() < 0.5:
            self.say(f"{mark} hits for {result.damage}" if result.hit else f"{mark} misses", "Ben")
        if result.damage:
            old = self.writer.display_states(FIRER)
            self.writer.shields[FIRER][0] -= result.damage
            new = self.writer.display_states(FIRER)
            self.writer.log(self.writer.change(f"{self.writer.ids[FIRER]}9", old, new))

    def _shots(self, marks: list[str], impulse: int, *, back: bool = False) -> list[Shot]:
        (hex, facing), (there, bow) = self.writer.where[FIRER], self.writer.where[self.name]
        firer, target = (
            Unit(FIRER, self.firer, None, hex, facing),
            Unit(self.name, self.target, None, there, bow),
        )
        if back:
            firer, target = target, firer
        assert firer.ship
        mounts = [firer.ship.mount(mark) for mark in marks]
        return [Shot(m.id, m.type, firer, target, 1, impulse, mount=m) for m in mounts if m]

    def _roll(self, dice: list[int], said: int) -> None:
        if self.spoil == "die-missing":
            dice = dice[:-1]
            self.spoils("die-missing", said, "E1.1")
        if self.spoil == "die-extra":
            self.spoils("die-extra", self.throw([*dice, 3]), "E1.1")
        elif self.spoil == "die-kind":
            self.spoils("die-kind", self.throw([min(face, 4) for face in dice], 10), "E1.1")
        elif self.random.random() < 0.5:
            self.throw(dice)
        else:
            for face in dice:
                self.throw([face])

    def _tell(self, results: Sequence[ShotResult]) -> None:
        if self.spoil in ("die-missing", "die-kind"):
            return
        for result in results:
            hit, damage, weapon = result.hit, result.damage, result.weapon
            if self.spoil == "said-damage" and not self.wrong:
                self.spoils("said-damage", self.say(f"{weapon} hits for {damage + 1} points"), "E2.4")
            elif self.spoil == "said-hit" and not self.wrong:
                line = f"{weapon} misses" if hit else f"{weapon} hits"
                self.spoils("said-hit", self.say(line), "E2.4")
            elif self.random.random() < 0.6:
                self.say(f"{weapon} hits for {damage}" if hit else f"{weapon} missed, a pity")
        total = sum(result.damage for result in results)
        if self.spoil == "total":
            self.spoils("total", self.say(f"total {total + 2}"), "D4.22")
        elif self.random.random() < 0.5:
            self.say(f"That is {total} points in total")

    # -- the damage

    def _damage(self, points: int, low: int) -> bool:
        if self.spoil in ("die-missing", "die-kind"):
            return True
        writer, name, spoil = self.writer, self.name, self.spoil
        inside = max(0, points - low)
        scored = self._score(inside)
        shield = min(points, low)
        if spoil == "mark-shield":
            step = self._mark_shield(2, 1)
            self.spoils(spoil, step, "D4.1", name)
        if shield and spoil != "mark-shield":
            slip = not spoil and writer.shields[name][0] > shield and self.random.random() < 0.3
            self._mark_shield(1, shield + slip)
            if slip:
                self._mark_shield(1, -1)
        if spoil == "mark-inside" and low and points:
            # As if the shield had not been there.
            writer.shields[name][0] += shield
            step = self._mark_boxes(["left_warp"] * points) if points <= 8 else 0
            self.spoils(spoil, step, "D4.1", name)
            return bool(step)
        boxes = [self._label(box) for box in scored]
        if spoil == "mark-fewer" and boxes:
            boxes = boxes[1:]
            step = self._mark_boxes(boxes) if boxes else 0
            self.spoils(spoil, step, "D4.1", name)
            return bool(step)
        if spoil == "mark-more":
            free = [box for box in writer.left[name] if writer.left[name][box] > boxes.count(box)]
            step = self._mark_boxes([*boxes, self.random.choice(free)])
            self.spoils(spoil, step, "D4.1", name)
        elif spoil == "mark-system" and boxes:
            return self._other_system(boxes)
        elif spoil == "mark-closed" and boxes:
            return self._closed(boxes)
        elif boxes:
            self._mark_boxes(boxes)
        return True

    def _score(self, inside: int) -> list[str]:
        """The boxes an owner picks; the dice of the chart are rolled in the log, one by one or together."""
        rolled = _Rolled(self.random)
        state = new_state(self.target)
        order = VolleyOrder(inside, internal=True, origins=((inside, DIRECTIONS[0]),)) if inside else None
        if order is None:
            return []
        result = resolve(self.rulebook, self.target, state, order, rolled, _Owner(self.random))
        for faces in rolled.thrown:
            self.throw(faces, player="Ben")
        return [hit.box for hit in result.hits]

    def _label(self, box: str) -> str:
        return box if self.target.mount(box) else box.partition("/")[0]

    def _change(self) -> int:
        name = self.name
        old, self._old = self._old, []
        return self.writer.log(
            self.writer.change(f"{self.writer.ids[name]}9", old, self.writer.display_states(name))
        )

    def _mark_shield(self, shield: int, count: int) -> int:
        self._old = self.writer.display_states(self.name)
        self.writer.shields[self.name][shield - 1] -= count
        return self._change()

    def _mark_boxes(self, labels: list[str]) -> int:
        """One step, or one a box; the last step."""
        step = 0
        together = self.random.random() < 0.5
        self._old = self.writer.display_states(self.name)
        for label in labels:
            self.writer.left[self.name][label] -= 1
            if not together:
                step = self._change()
                self._old = self.writer.display_states(self.name)
        return self._change() if together else step

    def _take_off(self) -> None:
        """The display comes to show the ship as it was before the fire, in a later impulse."""
        self._old = self.writer.display_states(self.name)
        self.writer.shields[self.name], self.writer.left[self.name] = self.whole
        self.spoils("taken-off", self._change(), "B3.0-15", self.name)

    def _system(self, label: str) -> str:
        mount = self.target.mount(label)
        return mount.system if mount else label

    def _other_system(self, boxes: list[str]) -> bool:
        """A battery in place of a weapon: no roll leaves that choice."""
        if self._system(boxes[0]) not in ("phaser", "torpedo"):
            return False
        step = self._mark_boxes([*boxes[1:], "battery"])
        self.spoils("mark-system", step, "D4.223", self.name)
        return True

    def _closed(self, boxes: list[str]) -> bool:
        """The bridge, which the cadet chart spares."""
        if self.side is not CADET:
            return False
        step = self._mark_boxes([*boxes[1:], "bridge"])
        self.spoils("mark-closed", step, "D4.223", self.name)
        return True
