"""VASSAL's formatted texts: `$name$` filled from the properties of a piece, its map and the game.

A name is looked for as VASSAL does: in the traits from the outermost in, in the piece itself, then on its map,
then in the module. A name that is found nowhere stays as it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from referee.formats.vassal import traits as tr
from referee.formats.vassal.sequence import decode

Globals = Mapping[tuple[str, str], str]
"""Values of the game's properties by container and name: the container is `Module`, a map or a zone."""
NO_GLOBALS: Globals = MappingProxyType({})
_DEEPEST = 8  # labels that name each other


class Properties:
    """The properties of a piece as its labels see them; `views` are its traits, outermost first."""

    def __init__(
        self, views: Sequence[tr.View | None], basic: Mapping[str, str], map: str | None, known: Globals
    ) -> None:
        self._views, self._basic, self._map, self._known = views, basic, map, known
        self._deep = 0

    def get(self, name: str) -> str | None:
        """The value under a name; None where there is none."""
        for view in self._views:
            if (value := self._in(view, name)) is not None:
                return value
        for place in (self._basic.get(name), self._known.get((self._map or "", name))):
            if place is not None:
                return place
        return self._known.get(("Module", name))

    def filled(self, text: str, given: Mapping[str, str] = MappingProxyType({})) -> str:
        """A text with each `$name$` replaced; those `given` come first."""
        if "$" not in text or self._deep >= _DEEPEST:
            return text
        self._deep += 1
        tokens = decode(text, "$")
        parts = [
            # Every second token is a name, but for a last one that no `$` closes.
            self._value(token, given) if n % 2 and n < len(tokens) - 1 and token else token
            for n, token in enumerate(tokens)
        ]
        self._deep -= 1
        return "".join(parts)

    def _value(self, name: str, given: Mapping[str, str]) -> str:
        value = given.get(name)
        value = self.get(name) if value is None else value
        return f"${name}$" if value is None else value

    def _in(self, view: tr.View | None, name: str) -> str | None:
        """What one trait says under a name."""
        match view:
            case tr.DynamicProperty():
                return view.value if view.name == name else None
            case tr.Markers():
                return next((value for marker, value in view.values if marker == name), None)
            case tr.Label():
                return self.filled(view.text) if view.property == name else None
            case tr.PropertySheet():
                return next((item.value for item in view.fields if item.name == name), None)
            case tr.Facing() if name.startswith(view.name):
                values = {"_Facing": str(view.index + 1), "_Degrees": str(int(view.degrees))}
            case tr.Layer() if name.startswith(view.name):
                values = {
                    "_Level": str(view.level if view.active else -view.level),
                    "_Name": view.level_name.strip("+") if view.active else "",
                    "_Active": str(view.active).lower(),
                }
            case _:
                return None
        return values.get(name.removeprefix(view.name))


def is_formatted(views: Iterable[tr.View | None]) -> bool:
    """May what the labels of a piece show change with something else than the piece's own traits?"""
    labels = [view for view in views if isinstance(view, tr.Label)]
    return any("$" in label.text or _names_more(label.name_format) for label in labels)


def _names_more(name_format: str) -> bool:
    return "$" in name_format.replace("$pieceName$", "").replace("$PieceName$", "").replace("$label$", "")


def shown_name(views: Sequence[tr.View | None], name: str, known: Properties) -> str:
    """A piece's name after labels and layers changed it, from the inside out."""
    for found in reversed(views):
        if isinstance(found, tr.Label) and found.text:
            label = known.filled(found.text, {"PieceName": name})
            given = {"pieceName": name, "PieceName": name, "label": label}
            name = known.filled(found.name_format, given)
        elif isinstance(found, tr.Layer) and found.active and found.level_name:
            name = _with_level(found.level_name, name)
    return name


def _with_level(level_name: str, name: str) -> str:
    """A level name replaces the name, or with a `+` at one end is added to it."""
    first, *more = decode(level_name, "+")
    if not more:
        return first
    return first + name if first else name + more[0]
