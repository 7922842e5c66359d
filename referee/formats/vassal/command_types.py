"""The commands VASSAL writes, one dataclass each, read from and written back to their text.

A player's stored id is the player's password. It is kept only as `Secret`, and the texts that may
hold one have no repr.
"""

from __future__ import annotations

from dataclasses import field

from referee.core.frozen import frozen


@frozen
class Secret:
    """A player's stored id: it can be compared and written back, not shown."""

    _text: str = field(repr=False)

    def __repr__(self) -> str:
        return "Secret(...)"

    def reveal(self) -> str:
        """The id itself, for writing it back into a save."""
        return self._text


@frozen
class Null:
    """An empty command."""


@frozen
class BeginSave:
    """Clears the game."""


@frozen
class EndSave:
    """Starts the game."""


@frozen
class AddPiece:
    """Puts a piece into the game; `type` and `state` are its trait chains."""

    id: str
    type: str = field(repr=False)
    state: str = field(repr=False)
    extra: tuple[str, ...] = field(default=(), repr=False)


@frozen
class RemovePiece:
    """Takes a piece out of the game."""

    id: str


@frozen
class ChangePiece:
    """Replaces the whole state of a piece."""

    id: str
    state: str = field(repr=False)
    old_state: str | None = field(default=None, repr=False)
    extra: tuple[str, ...] = field(default=(), repr=False)


@frozen
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


@frozen
class Chat:
    """A line of chat, as sent."""

    text: str


@frozen
class LogStep:
    """One logged command; None for the word `null`, which does nothing."""

    logged: Leaf | None


@frozen
class Undo:
    """Begins (true) or ends (false) the commands that take something back."""

    begins: bool


@frozen
class PlacedBoard:
    """A board of a map: its place counts boards, not pixels."""

    name: str
    reversed: bool
    column: int
    row: int


@frozen
class Boards:
    """The boards chosen for a map."""

    map: str
    boards: tuple[PlacedBoard, ...]


@frozen
class PlayerSeat:
    """A player takes a side."""

    id: Secret
    name: str
    side: str
    extra: tuple[str, ...] = field(default=(), repr=False)


@frozen
class PlayerLeft:
    """A player gives up the side."""

    id: Secret


@frozen
class SharedNotes:
    """Scenario notes or, when `public`, the notes everybody may write."""

    public: bool
    text: str


@frozen
class PrivateNotes:
    """Notes of one player; not for others."""

    owner: Secret
    text: str = field(repr=False)


@frozen
class SecretNote:
    """A note that its owner may reveal later."""

    name: str
    owner: Secret
    hidden: bool
    text: str = field(repr=False)
    rest: tuple[str, ...] = field(default=(), repr=False)


@frozen
class Turn:
    """The state of a turn tracker, still encoded."""

    tracker: str
    state: str


@frozen
class MutableProperty:
    """A changed property; container None in early versions."""

    name: str
    old: str
    new: str
    container: str | None = None


@frozen
class GlobalProperty:
    """The saved value of a property."""

    name: str
    value: str
    container: str | None = None


@frozen
class Extension:
    """An extension (or plugin) in use."""

    name: str
    version: str
    plugin: bool = False


@frozen
class SetupStack:
    """At-start stacks have been dealt."""

    text: str = ""


@frozen
class Unmask:
    """Players who allow others to unmask their pieces."""

    players: tuple[Secret, ...]


@frozen
class ShowResults:
    """Faces a graphic dice button shows."""

    button: str
    values: tuple[str, ...]


@frozen
class Sound:
    """A sound to play."""

    name: str


@frozen
class Unknown:
    """A command of a module's own classes, kept as it is."""

    raw: str = field(repr=False)


Leaf = (
    Null | BeginSave | EndSave | AddPiece | RemovePiece | ChangePiece | MovePiece | Chat | LogStep | Undo
    | Boards | PlayerSeat | PlayerLeft | SharedNotes | PrivateNotes | SecretNote | Turn | MutableProperty
    | GlobalProperty | Extension | SetupStack | Unmask | ShowResults | Sound | Unknown
)  # fmt: skip
