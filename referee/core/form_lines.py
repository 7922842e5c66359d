"""The lines of an energy allocation form, by what they are for; a rulebook says which of its form they are."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.frozen import frozen


@frozen
class FormLines:
    """The keys of a form's lines in an allocation; empty where the form has no such line."""

    warp: str = ""
    impulse: str = ""
    reactors: str = ""
    power: str = ""
    """The sum of these three."""
    batteries: str = ""
    """What batteries hold as the turn begins."""
    discharged: str = ""
    """What allocation takes out of them."""
    phasers: str = ""
    """What charges the capacitor."""
    capacitor_held: str = ""
    phasers_fired: str = ""
    heavy_weapons: str = ""
    """The line of weapons that are armed, whose parts are tubes."""
    shields: str = ""
    reinforcement_general: str = ""
    reinforcement_specific: str = ""
    """Reinforcement of shields, each a part."""
    movement: str = ""
    speed: str = ""
    """The speed that stands beside its cost."""
    shield_repair: str = ""
    other: str = ""
    """What has no line of its own; its parts have names."""
    cloak: str = ""
    ecm: str = ""
    eccm: str = ""
    damage_control: str = ""
    """Damage control inside the ship."""
    spent: str = ""
    """All that was allocated."""
    used_in_turn: str = ""
    """What batteries gave after the allocation."""

    def tube(self, part: str) -> str:
        """The line of one weapon, by its mark."""
        return part_of(self.heavy_weapons, part)

    def reinforced(self, shield: int | str) -> str:
        """The line of one shield's reinforcement."""
        return part_of(self.reinforcement_specific, str(shield))

    @property
    def sources(self) -> tuple[str, ...]:
        """The lines of power."""
        return self.warp, self.impulse, self.reactors

    @property
    def known_at_start(self) -> frozenset[str]:
        """What is known as a turn begins: power, batteries, what the capacitor holds."""
        return frozenset((*self.sources, self.power, self.batteries, self.capacitor_held))

    @property
    def sums(self) -> frozenset[str]:
        """Lines that sheets work out: at 0 they do not show that anybody filled them in."""
        return frozenset((self.power, self.spent, self.used_in_turn))

    @property
    def written_in_turn(self) -> frozenset[str]:
        """What is written down while the turn is played."""
        return frozenset((self.phasers_fired, self.used_in_turn))

    @property
    def reinforcement(self) -> tuple[str, ...]:
        """The lines that reinforce shields."""
        return self.reinforcement_general, self.reinforcement_specific


def part_of(line: str, part: str) -> str:
    """The key of a part of a line."""
    return f"{line}:{part}"


def number_of(line: str) -> str:
    """The line that a part is of."""
    return line.partition(":")[0]


def parts_among(lines: Iterable[str], line: str) -> list[str]:
    """Of some keys those of a line's parts."""
    return [one for one in lines if one.startswith(f"{line}:")]
