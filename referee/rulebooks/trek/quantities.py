"""What the numbers of a rule may be: its functions name these types, and what is given is held to them.

A type says nothing when a combat is played, where checks and schemas have spoken before. Numbers of the
book are named, not repeated: `Span(0, "percent_base")` ends at what the tables call `percent_base`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any

from referee.core.frozen import frozen
from referee.rulebooks.base import Rulebook
from referee.rulebooks.trek.charts import Charts

MOST = 9999
"""The largest number any of the rulebook's files may hold."""


@frozen
class AtHand:
    """What is at hand when a value is held to its type: rulebook, tables, and all values of the rule."""

    rulebook: Rulebook
    charts: Charts
    values: Mapping[str, Any]


@frozen
class Span:
    """A number from `least` to `most`; a name stands for a number of the tables."""

    least: int
    most: int | str = MOST

    def takes(self, value: Any, asked: AtHand) -> str:
        """What is possible, if the value is not."""
        most = asked.charts.n(self.most) if isinstance(self.most, str) else self.most
        return "" if self.least <= value <= most else f"{self.least} to {most}"


@frozen
class Positive:
    """More than nothing."""

    def takes(self, value: Fraction, asked: AtHand) -> str:
        """What is possible, if the value is not."""
        return "" if 0 < value <= MOST else f"more than 0, to {MOST}"


@frozen
class DiceShown:
    """What dice may show: one, or as many as the tables call `count`, together."""

    sides: str
    count: str = ""
    nought: int = 0
    """What a 0 on the die counts."""

    def takes(self, value: int, asked: AtHand) -> str:
        """What is possible, if the value is not."""
        count = asked.charts.n(self.count) if self.count else 1
        most = count * asked.charts.n(self.sides)
        return "" if count <= value <= most else f"{count} to {most}"


@frozen
class OneOf:
    """One of some values."""

    values: tuple[Any, ...]

    def takes(self, value: Any, asked: AtHand) -> str:
        """What is possible, if the value is not."""
        return "" if value in self.values else " or ".join(map(str, self.values))


@frozen
class OptionValue:
    """A value of one of the rulebook's options."""

    option: str

    def takes(self, value: str, asked: AtHand) -> str:
        """What is possible, if the value is not."""
        option = asked.rulebook.options[self.option]
        return "" if option.takes(value) else " or ".join(option.values)


@frozen
class In:
    """A name that a table of the charts has; empty where the rule has no use for one."""

    table: str

    def takes(self, value: str, asked: AtHand) -> str:
        """What is possible, if the value is not."""
        names = getattr(asked.charts, self.table)
        return "" if value in names else " or ".join(names)


@frozen
class Within:
    """No more than another value of the rule, or than that so many times over."""

    other: str
    times: str = ""

    def takes(self, value: Any, asked: AtHand) -> str:
        """What is possible, if the value is not."""
        times = asked.charts.n(self.times) if self.times else 1
        most = asked.values[self.other] * times
        return "" if value <= most else f"at most {most}, with {self.other}={asked.values[self.other]}"


@frozen
class ChartedFor:
    """A chart that has the level which is read: that of `level`, or one less after a roll that was made."""

    level: str
    made: str
    less: str

    def takes(self, value: Mapping[int, int], asked: AtHand) -> str:
        """What is possible, if the value is not."""
        made = asked.values[self.made]
        level = asked.values[self.level] - (asked.charts.n(self.less) if made else 0)
        return "" if level <= 0 or level in value else f"a chart that has {self.level} {level}"


@frozen
class Filled:
    """A list with something in it."""

    def takes(self, value: list[Any], asked: AtHand) -> str:
        """What is possible, if the value is not."""
        return "" if value else "one at least"


Points = Annotated[int, Span(0)]
"""Damage, power, superstructure, hexes, levels: counted from nothing."""
Some = Annotated[int, Span(1)]
"""Counted from one."""
Signed = Annotated[int, Span(-MOST)]
"""What may be below nothing too."""
Power = Annotated[str | Fraction, Span(0)]
"""Power, which has fractions."""
Ratio = Annotated[str | Fraction, Positive()]
"""What a point costs."""
Percent = Annotated[int, Span(0, "percent_base")]
Skill = Annotated[int, Span(0, 200)]
"""A skill, as high as a crew file may have it."""
Warp = Annotated[int, Span(0, 99)]
Shield = Annotated[int, Span(1, 6)]
Round = Annotated[int, Span(1, "rounds")]
D10 = Annotated[int, DiceShown("table_die", nought=10)]
"""A D10, whose 0 is its highest."""
D100 = Annotated[int, DiceShown("skill_die")]
CrewDice = Annotated[int, DiceShown("table_die", "npc_dice")]
Action = Annotated[str, In("actions")]
Kind = Annotated[str, OneOf(("beam", "laser", "missile", "plasma"))]
