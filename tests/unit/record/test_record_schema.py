"""The schemas are the table of entry types, and accept what the program writes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from recordcases import GAME, RULES, chained, genesis, note
from test_record_dice import CHEATS, PEER, Game

from referee.core.errors import BadInput
from referee.record.chain import entry_line
from referee.record.entrytypes import FIELDS, TYPES, check_shape, check_shapes, entry_schema
from referee.record.seals import opening_secret, reveal_all, reveal_fields, seal_orders

jsonschema = pytest.importorskip("jsonschema")

SCHEMAS = Path(__file__).parents[3] / "schemas"


@cache
def schema(name: str) -> Any:
    """What validates a document; the schema itself is looked through once."""
    loaded = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(loaded)
    return jsonschema.Draft202012Validator(loaded)


def test_the_entry_schema_is_the_table_of_types() -> None:
    assert schema("record-entry").schema == json.loads(json.dumps(entry_schema()))
    kinds = {
        kind for known in TYPES.values() for kind in (*known.required.values(), *known.optional.values())
    }
    assert kinds == set(FIELDS)


@pytest.mark.parametrize("cheat", [None, *CHEATS])
def test_entries_of_every_dice_game_validate(cheat: str | None) -> None:
    game = Game(dice=PEER)
    game.roll(1)
    if cheat:
        game = Game(dice=PEER)
        CHEATS[cheat][1](game, game.declare(1))
    validator = schema("record-entry")
    for entry in game.entries:
        validator.validate(json.loads(entry_line(entry)))
    check_shapes(game.entries)


@pytest.mark.parametrize("entry_type", TYPES)
def test_schema_and_shape_check_agree_on_missing_and_odd_fields(entry_type: str) -> None:
    known = TYPES[entry_type]
    examples: dict[str, Any] = {
        "text": "x", "texts": ["x"], "hash": "ab" * 32, "game": "ab" * 16, "kind": "eaf", "player": "alice",
        "players": ["alice"], "number": 0, "roll": 1, "yes": True, "object": {}, "list": [],
        "groups": [{"for": "x", "count": 1, "sides": 6}], "faces": [{"count": 1, "sides": 6, "faces": [3]}],
    }  # fmt: skip
    wrong: dict[str, list[Any]] = {
        "text": [1, None], "texts": ["x", [1]], "hash": ["AB" * 32, "ab"], "game": ["ab"], "kind": ["E"],
        "player": ["A", ""], "players": ["alice", ["A"]], "number": [-1, "1", True, 2**53], "roll": [0],
        "yes": [False, 1], "object": [[]], "list": [{}], "toward": ["both"],
        "groups": [[{"for": "x", "count": 0, "sides": 6}], [{"count": 1, "sides": 6}], [{"for": 1, "count": 1, "sides": 6}]],
        "faces": [[{"count": 1, "sides": 6}], [{"count": 1, "sides": 1, "faces": [1]}]],
    }  # fmt: skip
    validator = schema("record-entry")
    data = {name: examples[kind] for name, kind in {**known.required, **known.optional}.items()}

    def accepted(data: dict[str, Any]) -> bool:
        line = json.loads(entry_line(chained([("note", {"text": "x"})])[1]))
        by_schema = validator.is_valid({**line, "type": entry_type, "data": data})
        try:
            check_shape(entry_type, data)
        except BadInput:
            assert not by_schema, data
            return False
        assert by_schema, data
        return True

    assert accepted(data)
    assert accepted({name: data[name] for name in known.required})
    assert accepted({**data, "surplus": 1}) == known.open
    for name in known.required:
        assert not accepted({other: value for other, value in data.items() if other != name})
    for name, kind in {**known.required, **known.optional}.items():
        for value in wrong[kind]:
            assert not accepted({**data, name: value})


def test_odd_records_have_no_shape() -> None:
    check_shapes(chained([note("x")]))
    with pytest.raises(BadInput, match="line 2"):
        check_shapes(chained([("teleport", {})]))
    with pytest.raises(BadInput, match="line 2: genesis is the first"):
        check_shapes(chained([("genesis", genesis())]))
    with pytest.raises(BadInput, match="format 2"):
        check_shapes(chained([], genesis(format=2)))


def test_seals_validate() -> None:
    validator = schema("seal")
    for per_field in (False, True):
        opening = seal_orders(
            {"l1": "16", "l2": 2}, kind="eaf", game=GAME, ruleset=RULES, turn=1, player="alice", ship="CA",
            per_field=per_field,
        )  # fmt: skip
        seal = chained([("seal", opening.seal_data)])[1]
        validator.validate(opening_secret(opening))
        validator.validate(opening.seal_data)
        validator.validate(reveal_all(opening, seal))
        if per_field:
            validator.validate(reveal_fields(opening, seal, ["l2"]))
    assert not validator.is_valid({})
    assert not validator.is_valid({**opening.seal_data, "form": {}})
