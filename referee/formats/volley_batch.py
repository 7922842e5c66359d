"""A batch of volleys as a file has it: CSV with a header row, or JSON lines."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.naming import names_like
from referee.formats.limits import MAX_BATCH_FIELD, MAX_BATCH_FILE, MAX_BATCH_ROWS, MAX_NUMBER_DIGITS
from referee.formats.strictjson import load_json

FIELDS = ("ship", "damage", "internals", "shield", "reinforcement", "direction", "seed", "label")
_NUMBERS = ("damage", "internals", "shield")
BATCH = (
    f"a batch is a header row of {', '.join(FIELDS)}, then a volley a row; or JSON lines of the same names"
)


@frozen
class VolleyRow:
    """One volley of a batch, as `volley` takes it by its options; `line` is where it stands in the file."""

    line: int
    ship: str
    damage: int | None = None
    internals: int | None = None
    shield: int | None = None
    reinforcement: str = "0,0"
    direction: tuple[str, ...] = ()
    seed: str = ""
    label: str = ""


def read_batch(data: bytes, file: str) -> tuple[VolleyRow | BadInput, ...]:
    """The volleys of a file, in its order, and what is wrong with a row. Lines that begin with `#` are passed over. Raises
    BadInput for what is no batch."""
    if len(data) > MAX_BATCH_FILE:
        raise BadInput(f"is larger than {MAX_BATCH_FILE >> 20} MiB", file=file)
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise BadInput("is not UTF-8 text", file=file, place=f"byte {error.start}") from None
    lines = ["" if line.lstrip().startswith("#") else line for line in lines]
    first = next((line for line in lines if line.strip()), "")
    entries = _json_lines(lines, file) if first.lstrip().startswith("{") else _csv_rows(lines, file)
    rows: list[VolleyRow | BadInput] = []
    for line, fields in entries:
        if len(rows) >= MAX_BATCH_ROWS:
            raise BadInput(f"has more than {MAX_BATCH_ROWS} volleys", file=file, hint="share it over files")
        try:
            rows.append(_row(line, fields, file))
        except BadInput as error:
            rows.append(error)
    if not rows:
        raise BadInput("has no volleys", file=file, hint=BATCH)
    return tuple(rows)


def _json_lines(lines: list[str], file: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            value = load_json(line.encode(), file)
            if not isinstance(value, dict):
                raise BadInput("is not an object", file=file, place=f"line {number}")
            yield number, value


def _csv_rows(lines: list[str], file: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    separator = ";" if ";" in next(filter(None, lines), "") else ","
    reader = csv.reader(lines, delimiter=separator, strict=True)
    try:
        header = [name.strip().casefold() for name in next(filter(None, reader), [])]
        if "ship" not in header:
            raise BadInput("its first row names no column ship", file=file, place="line 1", hint=BATCH)
        for cells in reader:
            if any(cell.strip() for cell in cells):
                if len(cells) > len(header):
                    raise BadInput(
                        "has more cells than the header row", file=file, place=f"line {reader.line_num}"
                    )
                yield reader.line_num, dict(zip(header, (cell.strip() for cell in cells), strict=False))
    except csv.Error as error:
        raise BadInput(str(error), file=file, place=f"line {reader.line_num}") from None


def _row(line: int, fields: Mapping[str, object], file: str) -> VolleyRow:
    place = f"line {line}"
    values: dict[str, object] = {}
    for name, value in fields.items():
        if name not in FIELDS:
            raise BadInput(
                f"no column {name[:40]}", file=file, place=place, hint=names_like(name[:40], FIELDS)
            )
        if value in ("", None):
            continue
        values[name] = (
            _number(name, value, file, place) if name in _NUMBERS else _text(name, value, file, place)
        )
    if "ship" not in values:
        raise BadInput("names no ship", file=file, place=place)
    if "direction" in values:
        values["direction"] = tuple(str(values["direction"]).split())
    return VolleyRow(line, **values)  # type: ignore[arg-type]


def _number(name: str, value: object, file: str, place: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= MAX_NUMBER_DIGITS:
        return int(value)
    raise BadInput(f"{name} {str(value)[:40]} is no whole number", file=file, place=place)


def _text(name: str, value: object, file: str, place: str) -> str:
    text = value if isinstance(value, str) else str(value) if isinstance(value, int) else None
    if text is None or len(text) > MAX_BATCH_FIELD or not text.isprintable():
        raise BadInput(f"{name} is no short line of text", file=file, place=place)
    return text
