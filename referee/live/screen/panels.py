"""What opens over the table: what an undo takes back, what is against the rules, pages to read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from referee.core.errors import RefereeError
from referee.live.desk_text import finding_lines, is_act, pending_told
from referee.live.screen.ssd import ssd_lines
from referee.live.screen.styled import Line, line, wrapped

if TYPE_CHECKING:
    from referee.live.screen.held import TableHeld
    from referee.play.acting import Answer

SIGNS = "123456789abcdefghijklmnopqrstuvwxyz"
"""What chooses the rows of a list."""
POLICIES = (
    ("protect-weapons", "weapons are given up last"),
    ("protect-power", "engines and reactors are given up last"),
    ("spread", "from whatever the ship has most of"),
    ("ask", "its owner is asked for each box that is hit"),
)


_ACTS = 10_000  # entries that an undo can go back
Row = TypeVar("Row")


class Panel(ABC):
    """Something open over the table, which takes the keys until it is closed."""

    asks_keys = True
    """Does `?` show the keys? Not where letters are typed."""
    covers = False
    """Does it hide the whole table?"""
    hint = "Esc leaves"
    ships = 4
    """Rows that the ships keep above it, at least."""

    def __init__(self, page: TableHeld) -> None:
        self.page = page
        self._first = 0
        """The first row in sight of what is scrolled."""
        self._height = 10

    @property
    def about(self) -> tuple[str, ...]:
        """The ships it is about: they stand first where there is not room for all."""
        return ()

    @abstractmethod
    def rows(self, width: int, height: int) -> list[Line]:
        """What it shows, in so many rows at most."""

    def press(self, key: str, letter: str) -> None:
        """A key."""
        if key in ("escape", "q"):
            self.page.close()

    def _in_sight(self, rows: Sequence[Row], height: int) -> tuple[Sequence[Row], int]:
        """The part of some rows that is in sight, and how many are below it."""
        self._height = max(height, 1)
        self._first = min(self._first, max(len(rows) - self._height, 0))
        below = max(len(rows) - self._first - self._height, 0)
        return rows[self._first : self._first + self._height], below

    def _scrolls(self, key: str) -> bool:
        """Does a key scroll? Then it has."""
        by = {"down": 1, "up": -1, "pagedown": self._height, "pageup": -self._height}.get(key, 0)
        self._first = max(self._first + by, 0)
        return bool(by)


def window(rows: Sequence[Row], cursor: int, height: int) -> tuple[int, Sequence[Row]]:
    """The part of a list that goes in, with the row of the cursor in it, and where it begins."""
    first = max(min(cursor - height // 2, len(rows) - height), 0)
    return first, rows[first : first + height]


class Pages(Panel):
    """A text to be read, which scrolls."""

    hint = "↑ ↓ scroll   Esc back to the table"
    ships = 2

    def __init__(
        self,
        page: TableHeld,
        title: str,
        lines: Callable[[int], Sequence[Line]],
        under: Panel | None = None,
        covers: bool = False,
        at_end: bool = False,
    ) -> None:
        super().__init__(page)
        self.covers = covers
        self._at_end = at_end
        self.under = under
        """What it was opened over."""
        self.title = title
        self._lines = lines

    def rows(self, width: int, height: int) -> list[Line]:
        """The part of the text that is in sight."""
        rows = [row for each in self._lines(width) for row in wrapped(each, width)]
        if self._at_end:
            self._at_end, self._first = False, len(rows)
        listed, below = self._in_sight(rows, height - 1)
        more = f"   {below} more lines: ↓" if below else ""
        return [line((self.title, "bold"), (more, "dim")), *listed]

    def press(self, key: str, letter: str) -> None:
        """Scrolls, or closes."""
        if key in ("escape", "enter", "q"):
            self.page.close()
        else:
            self._scrolls({"j": "down", "k": "up", "space": "pagedown"}.get(key, key))


class Against(Panel):
    """What is against the rules, and is not entered until the umpire says so."""

    def __init__(self, page: TableHeld, answer: Answer) -> None:
        super().__init__(page)
        self._answer = answer
        self._rules = list(dict.fromkeys(finding.key for finding in answer.findings))
        explains = "e explain the rule   " if self._rules else ""
        self.hint = f"s let it stand   Esc or u leave it   {explains}: order   ? keys"
        subjects = " ".join(finding.subject for finding in answer.findings)
        self._about = tuple(ship.name for ship in page.desk.sight.ships if ship.name in subjects)

    @property
    def about(self) -> tuple[str, ...]:
        """The ships that something is against."""
        return self._about

    def rows(self, width: int, height: int) -> list[Line]:
        """Each finding with its rule and how to put it right."""
        why = "against the rules, and not entered" if self._answer.findings else "not done yet"
        made = wrapped(line((f"{why}: ", "bad"), (pending_told(self._answer.pending), "bold")), width)
        for text in self._answer.lines:
            made += wrapped(line(("  ", ""), text), width)
        for finding in self._answer.findings:
            first, *fixes = finding_lines(finding)
            made += wrapped(line((first, "warn")), width)
            for fix in fixes:
                made += wrapped(line((fix, "good")), width, 7)
        listed, below = self._in_sight(made, height)
        if not below:
            return list(listed)
        # The row that says so stands where the last would.
        return [*listed[:-1], line((f"{below + 1} more lines: ↓", "dim"))]

    def press(self, key: str, letter: str) -> None:
        """Lets it stand, leaves it, or scrolls."""
        if self._scrolls(key):
            return
        if letter == "s":
            self.page.ask(self.page.desk.word_asked, self._stand)
        elif key == "escape" or letter in ("x", "u"):
            self.page.leave()
        elif letter == ":":
            self.page.order()
        elif letter == "e":
            self._explain()
        else:
            self.page.tell("not entered: s lets it stand, Esc leaves it", "warn")

    @property
    def lines(self) -> tuple[str, ...]:
        """What happened before it was refused, and the order that was."""
        pending = self._answer.pending
        return (*self._answer.lines, *(() if is_act(pending) else (f"not entered: {pending_told(pending)}",)))

    def _explain(self) -> None:
        texts = [text for rule in self._rules for text in (*self.page.desk.explain(rule).lines, "")]
        if texts:
            self.page.read(f"explain {', '.join(self._rules)}", lambda width: [line(text) for text in texts])
        else:
            self.page.tell(
                "it is said above what is to be done; no rule of the book stands behind it", "warn"
            )

    def _stand(self, ruling: str) -> None:
        self.page.add(self._answer.lines)
        answer = self.page.desk.let_stand(ruling.strip())
        self.page.close()
        self.page.did(answer)


class Undo(Panel):
    """What an undo takes back; the cursor says to where."""

    hint = "Enter takes back what is marked   ↑ ↓ less or more   d dice anew   Esc leaves it"

    def __init__(self, page: TableHeld, first: int) -> None:
        super().__init__(page)
        # What an undo took back is gone already: that undo is nothing more to take back.
        self._acts = [entry for entry in page.desk.acts(_ACTS) if entry.type != "undo"]
        self._lines = [page.desk.act_told(entry) for entry in self._acts]
        self._at = next((n for n, entry in enumerate(self._acts) if entry.seq <= first), 0)

    def rows(self, width: int, height: int) -> list[Line]:
        """The last entries, the newest first, and which of them go."""
        goes, heading = self._goes()
        above, _ = window(self._acts, self._at, height - 1)
        hidden = f"; {above} above: ↑" if above else ""
        made = wrapped(line((f"{heading}{hidden}", "bold")), width)
        first, listed = window(self._acts, self._at, height - len(made))
        rows: list[Line] = []
        marked = 0
        for n, entry in enumerate(listed, first):
            cursor = ("▸" if n == self._at else " ", "good")
            look = "warn" if entry.seq in goes else ""
            sign = ("- " if look else "  ", "bad")
            rows += wrapped(line(cursor, sign, (self._lines[n], look)), width, 10)
            marked = len(rows) if n == self._at else marked
        # Where long orders take more rows those above the marked one go first.
        _, shown = window(rows, max(marked - 1, 0), height - len(made))
        return [*made, *shown]

    def _goes(self) -> tuple[frozenset[int], str]:
        if not self._acts:
            return frozenset(), "there is nothing to take back"
        to = self._acts[self._at].seq
        try:
            going = self.page.desk.going(to=to - 1)
        except RefereeError as error:
            return frozenset(), f"cannot go back to before #{to}: {error}"
        heading = f"Enter takes back to before #{going.target}: {going.count}"
        heading += "".join(f"; {reason}" for reason in going.asks)
        asked = self.page.desk.asked_of_all
        heading += f"; {asked} Enter: all agree" if asked and not going.asks else ""
        return frozenset(entry.seq for entry in going.goes), heading

    def press(self, key: str, letter: str) -> None:
        """Says to where, and does it."""
        if key == "down":
            self._at = min(self._at + 1, len(self._acts) - 1)
        elif key == "up":
            self._at = max(self._at - 1, 0)
        elif key == "pagedown":
            self._at = min(self._at + 10, len(self._acts) - 1)
        elif key == "pageup":
            self._at = max(self._at - 10, 0)
        elif key == "enter" and self._acts:
            to = self._acts[self._at].seq
            self.page.close()
            self.page.did(self.page.desk.undo(to - 1))
        elif letter == "d":
            self.page.close()
            self.page.did(self.page.desk.forget_faces())
        elif key == "escape":
            self.page.close()


class Boxes(Panel):
    """How a ship gives up its boxes where its owner may choose, with the boxes drawn."""

    hint = "1 to 4 choose   Tab another ship   Esc leaves"

    def __init__(self, page: TableHeld, ship: str) -> None:
        super().__init__(page)
        self._ship = ship

    def rows(self, width: int, height: int) -> list[Line]:
        """The ways, and the SSD."""
        ship, shown = self.page.desk.ssd(self._ship)
        now = self.page.desk.choice_of(self._ship)
        made = [
            line(
                "where the owner of ",
                (self._ship, "bold"),
                " may choose the box that is hit, it is given up so:",
            )
        ]
        for n, (name, why) in enumerate(POLICIES, 1):
            look = "good" if name == now else ""
            made.append(
                line(
                    (f"  {n} ", "bold"),
                    (f"{name:<17}", look),
                    (why, "dim"),
                    ("   as now" if look else "", "good"),
                )
            )
        return [*made, *ssd_lines(self._ship, shown, ship.state, width)][:height]

    def press(self, key: str, letter: str) -> None:
        """Chooses, or goes on to another ship."""
        ships = [ship.name for ship in self.page.desk.sight.ships]
        if letter and (n := SIGNS.find(letter)) in range(len(POLICIES)):
            self.page.close()
            self.page.did(self.page.desk.choose(self._ship, POLICIES[n][0]))
        elif key == "tab":
            self._ship = ships[(ships.index(self._ship) + 1) % len(ships)]
        elif key == "escape":
            self.page.close()
