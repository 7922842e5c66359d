"""Legal games whose counters and displays are swapped, copied and put back as they are played stay clean, and a
jump among such steps is found."""

from __future__ import annotations

from random import Random

from hypothesis import given

from referee.core.hexgrid import Hex
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import join_chain
from tests.property.test_logs_properties import Audit, any_game, audit, errors, few, seeds, show
from tests.unit.formats.vassal.game_logs import Game, LogWriter, Play, true_range, write_log

__all__ = ["audit"]
EDGE = 40  # hexes from the middle of the map from which a jump would lead off it


class Swapper(LogWriter):
    """A log in which pieces are now and then swapped for others, copied, or removed and put back."""

    random: Random
    jump: tuple[str, int] | None = None
    jumps = False

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.fresh = 42

    def play(self, play: Play) -> tuple[int | None, int]:
        if self.random.random() < 0.3:
            self.random.choice((self._swap, self._swap_display, self._copy, self._put_back))(play.ship)
        if self.jumps and not self.jump and self.random.random() < 0.2:
            self._jump(play.ship)
        return super().play(play)

    def _id(self) -> str:
        self.fresh += 1
        return f"99{self.fresh:04d}"

    def _counter(self, name: str, id: str, at: tuple[Hex, str] | None = None) -> lv.AddPiece:
        return lv.AddPiece(
            id, join_chain(self.counter_types(name)), join_chain(self.counter_states(name, at))
        )

    def _display(self, name: str, id: str) -> lv.AddPiece:
        return lv.AddPiece(id, join_chain(self.display_types(name)), join_chain(self.display_states(name)))

    def _swap(self, name: str, at: tuple[Hex, str] | None = None) -> int:
        """Both pieces get other ids, the counter's in a step of its own."""
        old, new = self.ids[name], self._id()
        leaves = [self._counter(name, new, at), lv.RemovePiece(old)]
        step = self.log(*(leaves if self.random.random() < 0.5 else reversed(leaves)))
        self.log(self._display(name, f"{new}9"), lv.RemovePiece(f"{old}9"))
        self.ids[name] = new
        return step

    def _swap_display(self, name: str) -> None:
        """A swap that is undone."""
        old, new = f"{self.ids[name]}9", self._id()
        self.log(self._display(name, new), lv.RemovePiece(old))
        self.log(lv.Undo(True), self._display(name, old), lv.RemovePiece(new), lv.Undo(False))

    def _copy(self, name: str) -> None:
        new = self._id()
        self.log(self._counter(name, new))
        gone = lv.RemovePiece(new)
        self.log(*((lv.Undo(True), gone, lv.Undo(False)) if self.random.random() < 0.5 else (gone,)))

    def _put_back(self, name: str) -> None:
        id = self.ids[name]
        self.log(lv.RemovePiece(id))
        back = self._counter(name, id)
        self.log(*((lv.Undo(True), back, lv.Undo(False)) if self.random.random() < 0.5 else (back,)))

    def _jump(self, name: str) -> None:
        """A counter swapped for one that lies elsewhere, whence it goes on."""
        hex, facing = self.where[name]
        there = next(
            (far for way in "ABCDEF" if true_range(far := hex.step(way, 5), Hex(45, 45)) < EDGE), None
        )
        if there is not None:
            self.jump = name, self._swap(name, (there, facing))
            self.where[name] = there, facing


def swapping(seed: int, *, jumps: bool = False) -> tuple[type[Swapper], Game]:
    kind = type("Seeded", (Swapper,), {"random": Random(seed + 1), "jumps": jumps})
    return kind, any_game(Random(seed))


@given(seeds)
@few
def test_a_legal_game_of_swapped_pieces_is_clean(audit: Audit, seed: int) -> None:
    by, game = swapping(seed)
    report = audit(write_log(game, by=by))
    grave = [f for f in report.findings if f.severity.value in ("error", "undecided")]
    assert [f for f in grave if f.key != "NOTE/unsure"] == [], show(report)
    assert {ship["name"] for ship in report.ships} == set(game.ships)
    lost = {item.reason for item in report.not_checked if item.key in ("B3.0", "C1.0", "C1.4")}
    assert lost == set(), lost


@given(seeds)
@few
def test_a_jump_among_swapped_pieces_is_found(audit: Audit, seed: int) -> None:
    by, game = swapping(seed, jumps=True)
    made: list[Swapper] = []

    class Kept(by):  # type: ignore[misc, valid-type]
        def __init__(self, game: Game) -> None:
            super().__init__(game)
            made.append(self)

    report = audit(write_log(game, by=Kept))
    if made[0].jump:
        name, step = made[0].jump
        assert errors(report, "C1.1", name, step), show(report)
