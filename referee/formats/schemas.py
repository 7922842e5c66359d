"""The one place where JSON is held against a JSON Schema. Schemas are the package's own, never fetched."""

from __future__ import annotations

import json
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from referee.core.errors import BadInput
from referee.core.naming import names_like

_SUFFIX = ".schema.json"
_LONGEST, _MOST = 160, 12
"""Letters of a fault, and faults of a file that are told."""


def schema_folder() -> Path:
    """Where the schemas are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).parent.parent
    inside = package / "schemas"
    return inside if inside.is_dir() else package.parent / "schemas"


def schema_names() -> tuple[str, ...]:
    """The schemas there are, such as `ship` and `energy-allocation`."""
    return tuple(sorted(path.name.removesuffix(_SUFFIX) for path in schema_folder().glob(f"*{_SUFFIX}")))


def read_schema(name: str) -> dict[str, Any]:
    """A schema by name. Raises BadInput for an unknown one."""
    if name not in schema_names():
        raise BadInput(f"no schema {name}", hint=names_like(name, schema_names()))
    schema: dict[str, Any] = json.loads((schema_folder() / f"{name}{_SUFFIX}").read_bytes())
    return schema


def hold_against(data: object, name: str, file: str) -> None:
    """Raises BadInput for what does not fit a schema: the gravest fault, with its JSON pointer and the others. What stands
    in a list is named by its id."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match, relevance
    from referencing import Registry

    # An empty registry: a reference to anywhere else is an error, never a download.
    schema = read_schema(name)
    wanted = schema["properties"].get("schema", {}).get("const")
    if wanted and isinstance(data, dict) and (given := data.get("schema")) != wanted:
        reason = f"is {str(given or 'missing')[:90]}, not {wanted}"
        raise BadInput(reason, file=file, place="/schema", hint=_allowed(name))
    found = sorted(Draft202012Validator(schema, registry=Registry()).iter_errors(data), key=relevance)
    if found:
        first, *others = (_fault(best_match([error]), data, name, file) for error in found[: -_MOST - 1 : -1])
        first.others = others
        raise first


def _fault(error: Any, data: Any, name: str, file: str) -> BadInput:
    """A fault in words: no pattern is shown, but what it is for."""
    place, hint, message = "", "", error.message
    for part in error.absolute_path:
        data = data[part]
        marked = data.get("id") if isinstance(part, int) and isinstance(data, dict) else None
        place = f"{marked}" if isinstance(marked, str) else f"{place}/{part}"
    if error.validator in ("enum", "pattern"):
        of = error.schema.get("description", "")
        hint = _nearest(error.instance, error.validator_value) if error.validator == "enum" else of
        message = f"{error.instance!r} cannot stand there" if hint else message
    elif error.validator == "required":
        message = f"{message.partition(' is a ')[0]} is missing"
    elif error.validator == "additionalProperties":
        known = error.schema.get("properties", {})
        unknown = next(key for key in error.instance if key not in known)
        message, hint = f"nothing is called {unknown!r} here", names_like(unknown, known)
    message = message if len(message) <= _LONGEST else f"{message[: _LONGEST - 3]}..."
    return BadInput(message, file=file, place=place or "/", hint=hint or _allowed(name))


def _allowed(name: str) -> str:
    return f"referee schema {name} shows what is allowed"


def _nearest(value: object, allowed: list[object]) -> str:
    """The words that were allowed in place of one that was not, the nearest to it where there are such."""
    words = [word for word in allowed if isinstance(word, str)]
    if not isinstance(value, str) or not words:
        return ""
    close = get_close_matches(value.casefold(), words, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(close)}?" if close else f"one of {', '.join(words)}"
