"""The commands VASSAL writes, one dataclass each, read from and written back to their text.

A player's stored id is the player's password. It is kept only as `Secret`, and the texts that may
hold one have no repr.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Secret:
    """A player's stored id: it can be compared and written back, not shown."""

    _text: str = field(repr=False)

    def __repr__(self) -> str:
        return "Secret(...)"

    def reveal(self) -> str:
        """The id itself, for writing it back into a save."""
        return self._text


@dataclass(frozen=True, slots=True)
class Null:
    """An empty command."""


@dataclass(frozen=True, slots=True)
class BeginSave:
    """Clears the game."""


@dataclass(frozen=True, slots=True)
class EndSave:
    """Starts the game."""


@dataclass(frozen=True, slots=True)
class AddPiece:
    """Puts a piece into the game; `type` and `state` are its trait chains."""

    id: str
    type: str = field(repr=False)
    state: str = field(repr=False)
    extra: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class RemovePiece:
    """Takes a piece out of the game."""

    id: str


@dataclass(frozen=True, slots=True)
class ChangePiece:
    """Replaces the whole state of a piece."""

    id: str
    state: str = field(repr=False)
    old_state: str | None = field(default=None, repr=False)
    extra: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class MovePiece:
    """Moves a piece or stack; maps and pieces it lies under may be `null`."""

    id: str
    map: str
    x: int
    y: int
    under: str
    old_map: str
    old_x: int
    old_y: int
    old_under: str
    player: Secret | None = None
    extra: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Chat:
    """A line of chat, as sent."""

    text: str


@dataclass(frozen=True, slots=True)
class LogStep:
    """One logged command; None for the word `null`, which does nothing."""

    logged: Leaf | None


@dataclass(frozen=True, slots=True)
class Undo:
    """Begins (true) or ends (false) the commands that take something back."""

    begins: bool


@dataclass(frozen=True, slots=True)
class PlacedBoard:
    """A board of a map: its place counts boards, not pixels."""

    name: str
    reversed: bool
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Boards:
    """The boards chosen for a map."""

    map: str
    boards: tuple[PlacedBoard, ...]


@dataclass(frozen=True, slots=True)
class PlayerSeat:
    """A player takes a side."""

    id: Secret
    name: str
    side: str
    extra: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player gives up the side."""

    id: Secret


@dataclass(frozen=True, slots=True)
class SharedNotes:
    """Scenario notes or, when `public`, the notes everybody may write."""

    public: bool
    text: str


@dataclass(frozen=True, slots=True)
class PrivateNotes:
    """Notes of one player; not for others."""

    owner: Secret
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SecretNote:
    """A note that its owner may reveal later."""

    name: str
    owner: Secret
    hidden: bool
    text: str = field(repr=False)
    rest: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Turn:
    """The state of a turn tracker, still encoded."""

    tracker: str
    state: str


@dataclass(frozen=True, slots=True)
class MutableProperty:
    """A changed property; container None in early versions."""

    name: str
    old: str
    new: str
    container: str | None = None


@dataclass(frozen=True, slots=True)
class GlobalProperty:
    """The saved value of a property."""

    name: str
    value: str
    container: str | None = None


@dataclass(frozen=True, slots=True)
class Extension:
    """An extension (or plugin) in use."""

    name: str
    version: str
    plugin: bool = False


@dataclass(frozen=True, slots=True)
class SetupStack:
    """At-start stacks have been dealt."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Unmask:
    """Players who allow others to unmask their pieces."""

    players: tuple[Secret, ...]


@dataclass(frozen=True, slots=True)
class ShowResults:
    """Faces a graphic dice button shows."""

    button: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound to play."""

    name: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A command of a module's own classes, kept as it is."""

    raw: str = field(repr=False)


Leaf = (
    Null | BeginSave | EndSave | AddPiece | RemovePiece | ChangePiece | MovePiece | Chat | LogStep | Undo
    | Boards | PlayerSeat | PlayerLeft | SharedNotes | PrivateNotes | SecretNote | Turn | MutableProperty
    | GlobalProperty | Extension | SetupStack | Unmask | ShowResults | Sound | Unknown
)  # fmt: skip
