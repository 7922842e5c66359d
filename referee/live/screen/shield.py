"""What is sealed at one screen: the others look away, it is typed, and nothing of it is left on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.core.finding import Severity
from referee.live.desk_text import shot_lines
from referee.live.screen.panels import Panel
from referee.live.screen.prompt import Prompt, completions, files
from referee.live.screen.styled import Line, line, wrapped

if TYPE_CHECKING:
    from referee.live.screen.held import TableHeld


class Shield(Panel):
    """A shield over the screen while a ship's form, move or fire is sealed."""

    covers = True

    def __init__(self, page: TableHeld, ship: str) -> None:
        super().__init__(page)
        self._ship = ship
        self._prompt: Prompt | None = None
        self._error = ""
        self._refused = False
        """Is what was typed against the rules, and waits for the umpire's word?"""

    @property
    def asks_keys(self) -> bool:  # type: ignore[override]
        """Not while it is typed."""
        return self._prompt is None

    @property
    def hint(self) -> str:  # type: ignore[override]
        """What the keys do now."""
        if self._refused:
            return "s let it stand: a foul when it is opened   Enter another   Esc leaves"
        if self._prompt is None:
            return "Enter begins   Tab another ship   Esc leaves"
        return "Enter seals   Tab completes   Esc leaves, and nothing is sealed"

    def rows(self, width: int, height: int) -> list[Line]:
        """A screen that says who looks away, then what is typed."""
        sight = self.page.desk.sight
        ship = sight.ship(self._ship)
        if self._prompt is None:
            waits = [
                row
                for player, what in sight.awaited
                for row in wrapped(line((f"  {player}: {self.page.desk.here(what)}", "dim")), width, 4)
            ]
            return [
                line(),
                line((f"  {ship.player} seals for {ship.name}", "bold")),
                line(),
                line("  All others look away from the screen now."),
                line(f"  {ship.player} sits at the keyboard and presses Enter."),
                line(),
                *waits,
            ][:height]
        form = sight.impulse is None
        moves = "a move: a, l, r; or " if self._ship in sight.movers else ""
        fires = f"{moves}fire: f PH1A,B TARGET; several with ; between; h: none"
        over = "the moves and the fire of this impulse are over: n goes on"
        say = "the file of the energy form" if form else fires if sight.fires else over
        made = [
            line((f"  {ship.name}, unseen by all but {ship.player}", "bold")),
            line((f"  {say}", "dim")),
            line(),
            (("  ", ""), *self._prompt.row()),
            line((f"  {' '.join(self._prompt.offers()[:8])}", "dim")),
        ]
        if self._error:
            made += wrapped(line(("  not sealed: ", "bad"), self._error), width, 4)
        if not form and sight.fires:
            where = "once all have moved; from where it stands now it would be:" if sight.movers else "now:"
            made += [line(), line((f"  may fire {where}", "dim"))]
            for shot in shot_lines(self.page.desk.shots(self._ship), self.page.desk.sight.ship(self._ship)):
                made += wrapped(line(("    ", ""), shot), width, 6)
        return made[:height]

    def press(self, key: str, letter: str) -> None:
        """Begins, types, seals, or leaves."""
        if key == "escape":
            self.page.desk.take_back()
            self.page.close()
            self.page.tell("nothing was sealed")
        elif self._refused:
            self._decide(key, letter)
        elif self._prompt is None:
            if key == "enter":
                self._begin()
            elif key == "tab":
                names = [ship.name for ship in self.page.desk.sight.ships if not ship.gone]
                self._ship = names[(names.index(self._ship) + 1) % len(names)]
        elif key == "enter":
            self._prompt.done(self._prompt.text)
        else:
            self._prompt.press(key, letter)

    def _begin(self) -> None:
        self._prompt = Prompt(">", self._seal, complete=self._offers)

    def _decide(self, key: str, letter: str) -> None:
        """Lets a form stand that is against the rules, once a ruling is said or `Enter` says that none is, or takes
        another: the key that opened the shield is the same."""
        if letter == "s":
            self.page.ask("your ruling (Enter: stands as it was played)", self._stand)
        elif key == "enter":
            self.page.desk.take_back()
            self._refused, self._error = False, ""
            self._begin()

    def _stand(self, ruling: str) -> None:
        answer = self.page.desk.let_stand(ruling.strip())
        self.page.close()
        self.page.did(answer)

    def put(self, text: str) -> None:
        """A text that is pasted."""
        if self._prompt is not None:
            self._prompt.put(text)

    def _offers(self, text: str) -> list[str]:
        sight = self.page.desk.sight
        return files(text) if sight.impulse is None else completions(sight, text, self._ship)

    def _seal(self, text: str) -> None:
        desk = self.page.desk
        order = text.strip()
        if not order:
            return
        form = desk.sight.impulse is None
        answer = desk.seal_form(self._ship, order) if form else desk.seal(self._ship, order)
        unseen = desk.unseen
        if answer.error:
            self._error = unseen.error
            return
        if answer.pending:
            self._refused = True
            against = [finding for finding in unseen.findings if finding.severity is not Severity.NOTE]
            rules = (f"[{finding.rule}] {finding.message}" for finding in against)
            self._error = "; ".join((*unseen.lines, *rules))
            return
        self.page.close()
        self.page.did(answer)
