"""What can go wrong, as a person should be told it: one line, file and place, reason, hint."""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` itself would cost --version 10 ms
if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.core.finding import Finding
    from referee.core.state import ShipState


class RefereeError(Exception):
    """A failure with one line for people and an exit code for scripts.

    `str(error)` is `file: place: reason; hint`, absent parts left out. `others` are wrong in the same file.
    """

    exit_code = 70
    others: Sequence[RefereeError] = ()

    def __init__(self, reason: str, *, file: str = "", place: str = "", hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.file = file
        self.place = place
        self.hint = hint

    def __str__(self) -> str:
        line = ": ".join(part for part in (self.file, self.place, self.reason) if part)
        return f"{line}; {self.hint}" if self.hint else line

    def at(self, *, file: str = "", place: str = "") -> RefereeError:
        """The same error with the file or place filled in where it was unknown."""
        self.file = self.file or file
        self.place = self.place or place
        return self


class BadInput(RefereeError):
    """An input that cannot be read, or wrong usage: exit 2."""

    exit_code = 2


class NothingToJudge(BadInput):
    """A file of a kind that is known, and that no rule is about."""


class NoRecord(BadInput):
    """A game record is wanted, and the file is none, or not there."""


class AnswerAwaited(BadInput):
    """What goes on waits for a player's choice: the owner of `ship` is asked."""

    def __init__(self, ship: str, question: str, hint: str) -> None:
        super().__init__(f"{ship} is asked: {question}", hint=hint)
        self.ship = ship


class BoxAwaited(AnswerAwaited):
    """Which box hit `n` of a volley costs is its owner's to say: one of `boxes` (D4.223). `state` is what the volley
    has left of the ship so far."""

    def __init__(self, ship: str, n: int, result: str, boxes: Sequence[str], state: ShipState) -> None:
        choice = "  ".join(f"{number} {box}" for number, box in enumerate(boxes, 1))
        super().__init__(ship, f"hit {n}, {result.replace('_', ' ')}: which box", choice)
        self.n = n
        self.boxes = tuple(boxes)
        self.state = state


class Refused(RefereeError):
    """What was not recorded, for it is against the rules or others have to agree first: exit 1. `findings` are what
    stands against it; `announced` where the reason was said already."""

    exit_code = 1

    def __init__(self, reason: str, findings: Sequence[Finding] = (), *, announced: bool = False) -> None:
        super().__init__(reason)
        self.findings = tuple(findings)
        self.announced = announced

    def __str__(self) -> str:
        return "; ".join((*(f"{found.rule} {found.message}" for found in self.findings), self.reason))


class InternalFault(RefereeError):
    """A fault of referee's own with one file among many: exit 70, the others are judged all the same."""


class IntegrityFailure(RefereeError):
    """A record, seal or dice roll that does not verify: exit 3."""

    exit_code = 3


class TornTail(RefereeError):
    """A record whose last line was never finished; `recover` sets it aside: exit 4."""

    exit_code = 4


class RecordInUse(RefereeError):
    """Another program holds the record: exit 75."""

    exit_code = 75
