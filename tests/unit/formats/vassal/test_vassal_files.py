"""Every real file: read, written back byte for byte, and no password shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.formats.files import read_bytes
from referee.formats.limits import MAX_SAVE_FILE
from referee.formats.vassal import command_types as lv
from referee.formats.vassal.chain import pair_traits, split_chain, state_text, type_text
from referee.formats.vassal.commands import decode_command, encode_command, encode_leaf, parse_leaf
from referee.formats.vassal.container import open_save, write_save_bytes
from referee.formats.vassal.dump import dump, dump_module
from referee.formats.vassal.edit import Draft
from referee.formats.vassal.game import read_save
from referee.formats.vassal.module import read_module
from referee.formats.vassal.recognise import recognise
from referee.formats.vassal.replay import replay
from referee.formats.vassal.sequence import decode


def _text(path: Path) -> str:
    return open_save(read_bytes(path, MAX_SAVE_FILE), path.name).text


def test_the_tree_is_written_back_byte_for_byte(save_path: Path) -> None:
    text = _text(save_path)
    assert encode_command(decode_command(text)) == text


def test_every_leaf_is_rebuilt_from_its_fields(save_path: Path) -> None:
    for raw in decode_command(_text(save_path)).walk():
        assert encode_leaf(parse_leaf(raw)) == raw


def _level_by_level(text: str) -> list[str]:
    tokens = []
    while not text.startswith(("piece;", "deck;")) and len(pair := decode(text, "\t")) > 1:
        tokens.append(pair[0])
        text = pair[1]
    return [*tokens, text]


@pytest.mark.one_in(3)
def test_trait_chains_are_rebuilt_and_split_as_the_engine_does(save_path: Path) -> None:
    for leaf in decode_command(_text(save_path)).leaves():
        inner: lv.Leaf | None = leaf
        while isinstance(inner, lv.LogStep):
            inner = inner.logged
        if isinstance(inner, lv.AddPiece):
            traits = pair_traits(inner.type, inner.state)
            assert (type_text(traits), state_text(traits)) == (inner.type, inner.state)
            assert split_chain(inner.type) == _level_by_level(inner.type)


@pytest.mark.one_in(3)
def test_a_rewritten_save_reads_the_same(save_path: Path) -> None:
    text = _text(save_path)
    again = open_save(write_save_bytes(text, key=0xA7), save_path.name)
    assert again.text == text
    save = read_save(save_path.read_bytes(), save_path.name)
    assert Draft(save).text == text


@pytest.mark.one_in(3)
def test_no_password_in_dump_or_repr(save_path: Path) -> None:
    data = save_path.read_bytes()
    save = read_save(data, save_path.name)
    names = {part for player in save.players for part in (player.name, player.side)}
    ids = {
        leaf.id.reveal()
        for leaf in decode_command(_text(save_path)).leaves()
        if isinstance(leaf, lv.PlayerSeat)
    }
    shown = json.dumps(dump(save), ensure_ascii=False) + repr(save) + repr(recognise(save))
    shown += repr(list(replay(save)))
    for secret in ids - names:
        # The id `a` of one real file stands in most words.
        assert len(secret) < 4 or secret not in shown


def test_unknown_commands_are_kept(shared: Path) -> None:
    save = read_save((shared / "saves" / "vasl" / "full.vlog").read_bytes(), "full.vlog")
    assert any(raw.startswith("bd\t") for raw in save.unknown)
    assert any(raw.startswith("INFO\t") for raw in save.unknown)


@pytest.mark.parametrize("name", ["duel/duel.vmod", "engine/reftest.vmod", "vassal-tour/tour.mod"])
def test_modules_are_read(shared: Path, name: str) -> None:
    module = read_module((shared / "saves" / name).read_bytes(), name)
    assert module.name
    assert module.maps
    shown = dump_module(module)
    assert shown["kind"] == "module"
    json.dumps(shown)


def test_old_places_are_named_as_the_old_engine_did(shared: Path) -> None:
    """Chat of the tour's log holds names its own engine gave to squares."""
    folder = shared / "saves" / "vassal-tour"
    module = read_module((folder / "tour.mod").read_bytes(), "tour.mod")
    save = read_save((folder / "tour.log").read_bytes(), "tour.log")
    steps = dump(save, module)["steps"]
    assert isinstance(steps, list)
    agreed = 0
    for step in steps:
        moves = [c["to"]["location"] for c in step["commands"] if c["kind"] == "MovePiece"]
        chats = [c["text"] for c in step["commands"] if c["kind"] == "Chat" and " -> " in c["text"]]
        if len(moves) == 1 and len(chats) == 1:
            assert chats[0].rstrip("* ").endswith(f"-> {moves[0]}"), (chats, moves)
            agreed += 1
    # Squares, zones, regions and hexes, with the boards changed twice on the way.
    assert agreed > 15
