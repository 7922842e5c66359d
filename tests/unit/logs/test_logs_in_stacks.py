"""A log whose counters do not say where they are, for their stacks do, is judged like its twin that says it twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.formats.vassal import command_types as lv
from referee.formats.vassal.commands import Command, decode_command, encode_command, encode_leaf, parse_leaf
from referee.formats.vassal.container import open_save, write_save_bytes
from tests.cli.conftest import Run
from tests.unit.formats.vassal.game_logs import LogWriter, module_bytes, pixels
from tests.unit.logs.test_logs import CA, D6, DUEL, duel_game, impulse


class InStacks(LogWriter):
    """Every counter is in a stack from the start, as the engine writes it."""

    def start(self) -> str:
        text = super().start()
        stacks = []
        for n, (name, id) in enumerate(self.ids.items()):
            x, y = pixels(reversed=self.game.reversed)[str(self.where[name][0])]
            stacks.append(encode_leaf(lv.AddPiece(f"15{n:09d}", "stack", f"Space;{x};{y};{id};@@1")))
        return text.replace("\x1bend_save", "".join(f"\x1b{stack}" for stack in stacks) + "\x1bend_save")


def without_maps(data: bytes) -> bytes:
    """The twin of a log in which no state of a counter says where it is, as most real ones; its stacks do."""
    stored = open_save(data, "game.vlog")
    root = decode_command(stored.text)
    piled = {
        member
        for text in root.walk()
        if isinstance(leaf := parse_leaf(text.removeprefix("LOG\t")), lv.AddPiece) and leaf.type == "stack"
        for member in leaf.state.split(";")[3:]
    }

    def nowhere(state: str | None) -> str | None:
        return state and state.replace("\tSpace;", "\tnull;")

    def changed(text: str) -> str:
        log = "LOG\t" if text.startswith("LOG\t") else ""
        leaf = parse_leaf(text.removeprefix(log))
        match leaf:
            case lv.AddPiece() if leaf.id in piled and leaf.type != "stack":
                return log + encode_leaf(lv.AddPiece(leaf.id, leaf.type, nowhere(leaf.state) or ""))
            case lv.ChangePiece() if leaf.id in piled:
                new, old = nowhere(leaf.state) or "", nowhere(leaf.old_state)
                return log + encode_leaf(lv.ChangePiece(leaf.id, new, old))
        return text

    def twin(command: Command) -> Command:
        nested = command.nested and twin(command.nested)
        return Command(changed(command.text), tuple(map(twin, command.subs)), nested)

    text = encode_command(twin(root))
    return write_save_bytes(text, key=9, save_data=stored.save_data, module_data=stored.module_data)


def judged(referee: Run, folder: Path, data: bytes, module: Path) -> Any:
    folder.mkdir()
    path = folder / "game.vlog"
    path.write_bytes(data)
    ran = referee("check", path, "--module", module, "--json")
    report = ran.json
    for finding in report["findings"]:
        finding.get("location", {}).pop("file", None)
    return {part: report[part] for part in ("verdict", "findings", "checked", "not_checked")}


def test_a_game_without_maps_is_judged_like_its_twin(referee: Run, tmp_path: Path) -> None:
    writer = InStacks(duel_game())
    for name in (CA, D6):
        writer.form(name, 1)
    for number in range(1, 9):
        # The cruiser turns in each impulse, before its turn mode lets it.
        plays = [(CA, 1)] + ([(D6, 0)] if number % 2 == 0 else [])
        impulse(writer, 1, number, *plays)
    data, module = writer.finish(), tmp_path / "m.vmod"
    module.write_bytes(module_bytes())
    twins = [
        judged(referee, tmp_path / name, log, module)
        for name, log in (("a", data), ("b", without_maps(data)))
    ]
    assert twins[0] == twins[1]
    assert any(finding["severity"] == "error" for finding in twins[0]["findings"])


@pytest.mark.skipif(not DUEL.is_dir(), reason="no ../shared beside this checkout")
@pytest.mark.parametrize("name", ["p04_legal_turn", "p05_turn_mode", "p06_undo", "p07_dice_chat"])
def test_a_real_log_without_maps_is_judged_like_its_twin(referee: Run, tmp_path: Path, name: str) -> None:
    data = (DUEL / f"{name}.vlog").read_bytes()
    assert without_maps(data) != data
    twins = [
        judged(referee, tmp_path / n, log, DUEL / "duel.vmod")
        for n, log in (("a", data), ("b", without_maps(data)))
    ]
    assert twins[0] == twins[1]
