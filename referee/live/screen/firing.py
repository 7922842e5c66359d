"""Fire to be declared: the weapons of each ship that may fire, with their odds, and those that are chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.live.desk_text import decimal, percent
from referee.live.screen.panels import SIGNS, Panel, window
from referee.live.screen.ships import marks_told
from referee.live.screen.styled import Line, line, wrapped

if TYPE_CHECKING:
    from referee.live.screen.held import TableHeld
    from referee.play.sight import ShotSight

_COLUMNS = ("weapon", " hits", "points", "range", "needs", "shield", "at")
"""What the columns of the list of shots are."""
_LEFT_OUT = 4, 2, 5
"""The columns that go first where there is not room for all."""


class Fire(Panel):
    """The weapons of a ship that may fire, with their odds. What is chosen for each ship is kept while others are looked
    at, and declared together, ship by ship and in the order of the choice."""

    hint = "1-9 a-z choose  ↑ ↓ Space too  * all  Tab another ship  Enter declares  Esc no"

    def __init__(self, page: TableHeld, ship: str) -> None:
        super().__init__(page)
        self._ships: dict[str, tuple[ShotSight, ...]] = {}
        self._picked: dict[str, list[ShotSight]] = {}
        self._open(ship)

    def _open(self, ship: str) -> None:
        self._ship = ship
        if ship not in self._ships:
            self._ships[ship] = self.page.desk.shots(ship) if self.page.desk.sight.fires else ()
        self._shots = self._ships[ship]
        self._cursor = self._first = 0

    @property
    def _chosen(self) -> list[ShotSight]:
        return self._picked.setdefault(self._ship, [])

    @property
    def about(self) -> tuple[str, ...]:
        """The ship that fires, and those it may fire at."""
        return (self._ship, *dict.fromkeys(shot.target for shot in self._shots))

    def rows(self, width: int, height: int) -> list[Line]:
        """Each shot in a row, and what may not fire."""
        shots = self._table(width)
        below = [row for each in self._below() for row in wrapped(each, width)]
        names = [shots.pop(0)] if self._shots else []
        foot = wrapped(self._foot(), width)
        all = [*shots, *below]
        room = max(height - len(names) - 1 - len(foot), 1)
        first, _ = window(all, self._cursor, room)
        self._first += first
        listed, beneath = self._in_sight(all, room)
        above, self._first = self._first, self._first - first
        hidden = f"   {above} more above: ↑" if above else ""
        hidden += f"   {beneath} more below: PgDn" if beneath else ""
        title = line(
            (self._ship, "bold"), " may fire", ("" if self._shots else " nothing", "warn"), (hidden, "dim")
        )
        return [title, *names, *listed, *foot]

    @property
    def undeclared(self) -> str:
        """What is chosen and not declared, for all ships."""
        chosen = (f"{ship} {marks_told(s.mark for s in some)}" for ship, some in self._picked.items() if some)
        return ", ".join(chosen)

    @property
    def _unsure(self) -> dict[str, int]:
        """The weapons that take more turns to arm than the game has had, by what is known here."""
        weapons = self.page.desk.sight.ship(self._ship).weapons
        return {weapon.mark: weapon.arms for weapon in weapons if weapon.may and weapon.arms}

    def _table(self, width: int) -> list[Line]:
        """The columns' names and each shot in a row; the target is whole whatever its name."""
        cells = [_COLUMNS]
        for shot in self._shots:
            needs = f"{shot.dice} needs {shot.needs}" if shot.needs else f"{shot.dice} by table"
            odds = f"{percent(shot.hits):>5}", f"{decimal(shot.mean):>6}", str(shot.range)
            cells.append((shot.mark, *odds, needs, shot.shield, shot.target))
        wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
        kept = [*range(len(wide))]
        for column in _LEFT_OUT:
            if sum(wide[n] + 2 for n in kept) + 6 > width:
                kept.remove(column)
        names, *rows = ("  ".join(f"{row[n]:<{wide[n]}}" for n in kept).rstrip() for row in cells)
        return [line((f"        {names}", "dim")), *(self._row(n, row) for n, row in enumerate(rows))]

    def _row(self, n: int, text: str) -> Line:
        on = self._shots[n] in self._chosen
        return line(
            ("▸" if n == self._cursor else " ", "good"),
            (f" {SIGNS[n : n + 1] or ' '} ", "bold"),
            (
                "[x] " if on else "[?] " if self._shots[n].mark in self._unsure else "[ ] ",
                "good" if on else "",
            ),
            (text, "bold" if on else ""),
        )

    def _below(self) -> list[Line]:
        """How seekers are launched, and why the rest may not fire."""
        ship = self.page.desk.sight.ship(self._ship)
        rows: list[Line] = []
        if launched := ship.may_launch:
            order = f"{marks_told(launched)} is launched by an order, before fire:  : {ship.name} la {launched[0]} TARGET"
            rows.append(line((order, "dim")))
        if unsure := self._unsure:
            marks = f"{marks_told(unsure)}: {max(unsure.values())} turns of arming"
            rows.append(line((f"{marks}, so choose it now only where it was armed before", "warn")))
        reasons: dict[str, list[str]] = {}
        for weapon in ship.weapons:
            if not weapon.may:
                why = f"{weapon.why} [{weapon.rule}]" if weapon.rule else weapon.why
                reasons.setdefault(why, []).append(weapon.mark)
        return [*rows, *(line((f"not {marks_told(marks)}: {why}", "dim")) for why, marks in reasons.items())]

    def _foot(self) -> Line:
        """What is chosen, for this ship and for others."""
        total = sum(float(shot.mean) for shot in self._chosen)
        others = [
            f"{name}: {len(some)}" for name, some in self._picked.items() if some and name != self._ship
        ]
        return line(
            (
                f"{len(self._chosen)} chosen, {total:.1f} points to be expected",
                "bold" if self._chosen else "dim",
            ),
            (f"; chosen for {', '.join(others)}" if others else "", "bold"),
        )

    def press(self, key: str, letter: str) -> None:
        """Chooses, declares, or leaves."""
        if key == "escape":
            self.page.close()
        elif key == "enter":
            self._declare()
        elif key in ("tab", "shift+tab"):
            ships = [ship.name for ship in self.page.desk.sight.ships if not ship.gone]
            step = 1 if key == "tab" else -1
            self._open(ships[(ships.index(self._ship) + step) % len(ships)])
        elif key in ("up", "down") and self._shots:
            self._cursor = (self._cursor + (1 if key == "down" else -1)) % len(self._shots)
            self._first = 0
        elif self._scrolls(key):
            pass
        elif key == "space" and self._shots:
            self._choose(self._shots[self._cursor])
        elif letter == "*":
            for shot in self._shots:
                if shot.mark not in self._unsure and all(shot.mark != other.mark for other in self._chosen):
                    self._chosen.append(shot)
        elif letter and (n := SIGNS.find(letter)) != -1 and n < len(self._shots):
            self._choose(self._shots[n])
        elif letter:
            self.page.tell(f"{letter} chooses nothing: {len(self._shots)} shots are listed", "warn")

    def _choose(self, shot: ShotSight) -> None:
        if shot in self._chosen:
            self._chosen.remove(shot)
            return
        # One weapon fires at one target.
        self._picked[self._ship] = [other for other in self._chosen if other.mark != shot.mark]
        self._chosen.append(shot)

    def _declare(self) -> None:
        marks: dict[tuple[str, str, str], list[str]] = {}
        for ship, chosen in self._picked.items():
            for shot in chosen:
                marks.setdefault((ship, shot.target, shot.shield), []).append(shot.mark)
        if not marks:
            self.page.tell("choose weapons first, or Esc", "warn")
            return
        self._say(marks, [])

    def _say(self, marks: dict[tuple[str, str, str], list[str]], orders: list[str]) -> None:
        """Declares, once the shield is known of each target that is struck on a corner."""
        if len(orders) == len(marks):
            self.page.close()
            self.page.say("\n".join(orders))
            return
        (ship, target, shield), some = list(marks.items())[len(orders)]
        fire = f"{ship}: fire {', '.join(some)} at {target}"
        shields = shield.replace("#", "").split(" or ")
        if len(shields) == 1:
            self._say(marks, [*orders, fire])
            return

        rule = self.page.desk.game.rulebook.named.shield_struck
        hint = f"either may be struck [{rule}]: agree, or the umpire says whose choice it is"

        def on(text: str) -> None:
            if (number := text.strip().removeprefix("#")) in shields:
                self._say(marks, [*orders, f"{fire} on {number}"])
            else:
                self._say(marks, orders)
                self.page.tell(f"{text.strip() or 'nothing'} is not {' or '.join(shields)}", "warn")

        self.page.ask(f"{ship} strikes {target} on the corner of {shield}: which shield?", on, hint=hint)
