"""The one place where JSON is held against a JSON Schema. Schemas are the package's own, never fetched."""

from __future__ import annotations

import json
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from referee.core.errors import BadInput
from referee.core.naming import names_like

_SUFFIX = ".schema.json"


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
    """Raises BadInput, with the JSON pointer of the first fault, if data does not fit a schema."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from referencing import Registry

    # An empty registry: a reference to anywhere else is an error, never a download.
    schema = read_schema(name)
    validator = Draft202012Validator(schema, registry=Registry())
    error = best_match(validator.iter_errors(data))
    if error is not None:
        pointer = "/" + "/".join(str(part) for part in error.absolute_path)
        message = error.message if len(error.message) <= 160 else f"{error.message[:157]}..."
        hint = _nearest(error.instance, error.validator_value) if error.validator == "enum" else ""
        if hint and len(error.message) > 160:
            message = f"{error.instance!r} is none of the words that may stand there"[:160]
        wanted = schema["properties"].get("schema", {}).get("const")
        if wanted and isinstance(data, dict) and (given := data.get("schema")) != wanted:
            pointer, message = "/schema", f"is {str(given or 'missing')[:90]}, not {wanted}"
        raise BadInput(
            message, file=file, place=pointer, hint=hint or f"referee schema {name} shows what is allowed"
        )


def _nearest(value: object, allowed: list[object]) -> str:
    """The words that were allowed in place of one that was not, the nearest to it where there are such."""
    words = [word for word in allowed if isinstance(word, str)]
    if not isinstance(value, str) or not words:
        return ""
    close = get_close_matches(value.casefold(), words, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(close)}?" if close else f"one of {', '.join(words)}"
