"""For any text: what is written is read back, and nothing but BadInput comes out of nonsense."""

from __future__ import annotations

import contextlib

from hypothesis import given
from hypothesis import strategies as st

from referee.core.errors import BadInput
from referee.formats.archive import Archive
from referee.formats.strictjson import load_json
from referee.formats.vassal.chain import join_chain, pair_traits, split_chain
from referee.formats.vassal.commands import Command, decode_command, encode_command, encode_leaf, parse_leaf
from referee.formats.vassal.container import open_save, write_save_bytes
from referee.formats.vassal.dump import dump
from referee.formats.vassal.game import read_save
from referee.formats.vassal.sequence import decode, encode, lossy
from referee.formats.vassal.traits import view
from tests.conftest import examples

ESC = "\x1b"
DELIMITERS = st.sampled_from("\t;,/|~:\x1b")
TEXT = st.text(st.sampled_from("\\'\t;,/|~ab1é½\x1b"), max_size=12)
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
# A token that ends in a backslash swallows what follows; VASSAL cannot write it, nor can anybody.
SAFE = TEXT.filter(lambda text: not text.endswith("\\"))


@given(st.lists(TEXT, min_size=1), DELIMITERS)
def test_lists_without_lossy_tokens_come_back(tokens: list[str], delimiter: str) -> None:
    if not any(lossy(token, delimiter) for token in tokens):
        assert decode(encode(tokens, delimiter), delimiter) == tokens


@given(TEXT, DELIMITERS)
def test_decoding_never_fails(text: str, delimiter: str) -> None:
    assert decode(text, delimiter)


@given(st.lists(SAFE, min_size=1, max_size=8))
def test_chains_come_back(tokens: list[str]) -> None:
    count = len(tokens)
    assert split_chain(join_chain(tokens), count) == tokens


def _literal(text: str, count: int) -> list[str]:
    tokens = []
    while len(tokens) < count - 1 and len(parts := decode(text, "\t")) > 1:
        tokens.append(parts[0])
        text = parts[1]
    return [*tokens, text]


@given(st.text(st.sampled_from("\\\t'ab"), max_size=20), st.integers(1, 6))
def test_chains_are_split_as_level_by_level(text: str, count: int) -> None:
    assert split_chain(text, count) == _literal(text, count)


LEAVES = st.text(st.characters(exclude_characters="\x1b", exclude_categories=["Cs"]), max_size=20).filter(
    lambda text: not text.endswith("\\") and not text.startswith(("'", "\\"))
)
TREES = st.recursive(
    LEAVES.map(Command),
    lambda inner: st.builds(Command, LEAVES, st.lists(inner, min_size=1, max_size=4).map(tuple)),
    max_leaves=12,
)


@given(TREES)
def test_command_trees_come_back(tree: Command) -> None:
    assert decode_command(encode_command(tree)) == tree


@given(ANY, st.integers(0, 255), st.one_of(st.none(), st.binary(max_size=50)))
def test_saves_come_back(text: str, key: int, metadata: bytes | None) -> None:
    whole = f"begin_save{ESC}CHAT{text}{ESC}end_save"
    data = write_save_bytes(whole, key=key, module_data=metadata)
    saved = open_save(data, "x.vsav")
    assert (saved.text, saved.key, saved.module_data) == (whole, key, metadata)


@given(
    st.sampled_from(["+/", "D/", "M/", "-/", "CHAT", "LOG\t", "PLAYER\t", "TURN", "SNOTE\t", "NOTES\t"]), TEXT
)
def test_any_leaf_is_understood_or_kept(prefix: str, rest: str) -> None:
    encode_leaf(parse_leaf(prefix + rest))


KINDS = st.sampled_from(
    [
        "rotate",
        "emb2",
        "emb",
        "mark",
        "label",
        "table",
        "propertysheet",
        "PROP",
        "obs",
        "hide",
        "restrict",
        "footprint",
        "immob",
        "piece",
        "stack",
        "deck",
    ]
)
TRAITS = st.lists(st.tuples(KINDS, TEXT, TEXT), min_size=1, max_size=4)


@given(TRAITS)
@examples(200)
def test_any_trait_is_read(traits: list[tuple[str, str, str]]) -> None:
    types = join_chain([f"{kind};{fields}" for kind, fields, _ in traits])
    states = join_chain([state for _, _, state in traits])
    for trait in pair_traits(types, states):
        view(trait)
    text = ESC.join(("begin_save", "+/" + encode(("1", types, states), "/"), "end_save"))
    with contextlib.suppress(BadInput):
        dump(read_save(write_save_bytes(text, key=0), "x.vsav"))


@given(st.binary(max_size=200), st.integers(0, 400), st.binary(max_size=3))
def test_damaged_archives_are_refused_or_read(tail: bytes, at: int, patch: bytes) -> None:
    data = write_save_bytes(f"begin_save{ESC}end_save", key=1, save_data=tail)
    broken = data[:at] + patch + data[at + len(patch) :]
    with contextlib.suppress(BadInput):
        archive = Archive(broken, "x", max_entries=32, narrow_names=True)
        for name in archive.names:
            archive.read(name, 1000)
    with contextlib.suppress(BadInput):
        read_save(broken, "x.vsav")


@given(st.binary(max_size=60) | ANY.map(str.encode))
def test_json_is_refused_or_read(data: bytes) -> None:
    with contextlib.suppress(BadInput):
        load_json(data, "x.json")
