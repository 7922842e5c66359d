"""Written policies for the owner's choices (D4.223): whoever is not asked has said so beforehand.

Each policy is an order of preference. What it would give up first comes first; of equals, the box
first on the SSD.
"""

from __future__ import annotations

from collections.abc import Callable

from referee.core.dice import Dice
from referee.core.errors import BadInput
from referee.core.state import live_boxes
from referee.core.volley import Choice

Cost = Callable[[Choice, str], tuple[int, ...]]

# What a system is worth, least first. Weapons within a system by arc and type.
_WORTH_LESS = (
    *("center_hull", "forward_hull", "aft_hull", "cargo", "lab", "probe", "security", "flag_bridge"),
    *("shuttle", "transporter", "tractor", "damage_control", "scanner", "sensor"),
    *("emergency_bridge", "aux_control", "bridge"),
)
_WEAPONS = ("drone", "phaser", "other_weapon", "torpedo")
_WARP = ("left_warp", "right_warp", "center_warp")
_PROTECT_WEAPONS = ("excess", *_WORTH_LESS, "impulse", "apr", "battery", *_WARP, *_WEAPONS)
_PROTECT_POWER = (*_WORTH_LESS, *_WEAPONS, "excess", "battery", "apr", "impulse", *_WARP)
_WEAKEST_FIRST = ("phaser-3", "phaser-2", "phaser-g", "phaser-1", "phaser-4")


def _system(choice: Choice, box: str) -> str:
    mount = choice.ship.mount(box)
    return mount.system if mount else box.partition("/")[0]


def _weakness(choice: Choice, box: str) -> int:
    mount = choice.ship.mount(box)
    return _WEAKEST_FIRST.index(mount.type) if mount and mount.type in _WEAKEST_FIRST else 0


def _by_worth(worth: tuple[str, ...]) -> Cost:
    def cost(choice: Choice, box: str) -> tuple[int, ...]:
        system = _system(choice, box)
        rank = worth.index(system) if system in worth else 0
        # Of two engines the fuller one is hit, so that neither is lost early.
        left = len(live_boxes(choice.ship, choice.state, system)) if system.endswith("_warp") else 0
        engine = worth.index("left_warp") if system.endswith("_warp") else rank
        return engine, -left, _weakness(choice, box)

    return cost


def _spread(choice: Choice, box: str) -> tuple[int, ...]:
    system = _system(choice, box)
    return -len(live_boxes(choice.ship, choice.state, system)), _weakness(choice, box)


POLICIES: dict[str, Cost] = {
    "protect-weapons": _by_worth(_PROTECT_WEAPONS),
    "protect-power": _by_worth(_PROTECT_POWER),
    "spread": _spread,
}
"""The written policies by name: `spread` gives from whatever the ship has most of."""

POLICY_NAMES = (*POLICIES, "random")


class Policy:
    """Chooses by a written policy."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._cost = POLICIES[name]

    def choose(self, choice: Choice) -> str:
        """The box the policy gives up first."""
        return min(choice.boxes, key=lambda box: self._cost(choice, box))


class RandomChoice:
    """Chooses by dice of its own, so that the damage dice stay the same whoever chooses."""

    name = "random"

    def __init__(self, dice: Dice) -> None:
        self._dice = dice

    def choose(self, choice: Choice) -> str:
        """Any box the rules allow, each as likely."""
        sides = len(choice.boxes)
        return choice.boxes[self._dice.roll(1, sides) - 1 if sides > 1 else 0]


class Listed:
    """Chooses what a file says hit by hit, and by another chooser where it says nothing."""

    name = "file"

    def __init__(self, picks: dict[int, str], otherwise: Policy) -> None:
        self._picks = picks
        self._otherwise = otherwise
        self.used: set[int] = set()

    def choose(self, choice: Choice) -> str:
        """The box listed for this hit."""
        if choice.n not in self._picks:
            return self._otherwise.choose(choice)
        self.used.add(choice.n)
        return _meant(self._picks[choice.n], choice)


def _meant(name: str, choice: Choice) -> str:
    """A box named in full, or a system meaning its first allowed box (`phaser`, `lab`)."""
    if name in choice.boxes or choice.ship.mount(name) or "/" in name:
        return name
    return next((box for box in choice.boxes if _system(choice, box) == name), name)


def policy(name: str, dice: Dice) -> Policy | RandomChoice:
    """The chooser of a named policy. Raises BadInput for an unknown one."""
    if name == "random":
        return RandomChoice(dice)
    if name not in POLICIES:
        raise BadInput(f"no policy {name}", hint=f"choose {', '.join(POLICY_NAMES)}, ask, or a file")
    return Policy(name)
