"""One form is filed, the other stays on paper: the desk says what the rules say, and awaits it."""

from __future__ import annotations

from pathlib import Path

from referee.cli.main import run
from referee.play.desk import Desk
from tests.conftest import ROOT

FORM = str(ROOT / "examples" / "by_mail" / "constellation.csv")


def test_a_form_on_paper_is_awaited_once_another_is_in(tmp_path: Path) -> None:
    path = str(tmp_path / "game.jsonl")
    ships = ["Constellation=cadet/federation-ca:ann@1010D/16", "Destruction=cadet/klingon-d6:ben@1014A/16"]
    given = [part for ship in ships for part in ("--ship", ship)]
    new = ["game", "new", path, "--players", "ann,ben", "--umpire", "ump", "--dice", "physical"]
    assert run([*new, *given]) == 0
    desk = Desk(path)
    assert desk.say("d s 13").entered
    assert "energy forms to come: Constellation (ann)" in desk.whose
    assert desk.file_form(FORM, "c").entered
    assert "energy forms to come: Destruction (ben)" in desk.whose and "go on" not in desk.whose
    assert not desk.sight.all_said
    answer = desk.next()
    assert answer.pending and [finding.rule for finding in answer.findings] == ["B2.0"]


def test_forms_that_all_stay_on_paper_are_not_awaited(tmp_path: Path) -> None:
    from tests.unit.play.test_desk import begun

    desk = begun(tmp_path, "--umpire", "uma")
    desk.say("c s 16; w s 16")
    assert desk.whose == "all speeds are said, for forms on paper: go on"
    assert desk.next().entered
