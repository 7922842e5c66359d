"""A mistake is answered in a line, with what is there and the command that takes it; what is written is said, and what
people go on with is not written over."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest

from referee.formats.vassal.container import encode_saved_game
from tests.cli.conftest import Run

SHIP = "cadet/federation-ca"
ORDERS = """rulebook sfb-cadet
impulses 16
ship Constellation = cadet/federation-ca at 2801E speed 16
ship Destruction = cadet/klingon-d6 at 0216B speed 16
turn 1
  Constellation: speed 13
"""
TAKEN = "is an orders file, no game record; referee game new GAME --from o.txt begins a record with it"
PICTURE = "is a PNG picture"
BEGIN_FIRST = (
    "--ship NAME=CLASS:alice@2801E (each ship), or init game, begins a record; referee game apply GAME FILE"
)


@pytest.fixture
def here(duel: Path, own_folder: Path) -> Path:
    """A folder with an orders file, a form, a ship, a save, and files that are nothing."""
    for name in ("constellation.csv", "constellation.json", "my-ship.json", "duel.vsav"):
        shutil.copy(duel / name, name)
    Path("o.txt").write_text(ORDERS)
    Path("het.txt").write_text(ORDERS + "  Constellation: HET\n  Constellation: turn left\nimpulse 17\n")
    Path("late.txt").write_text(ORDERS + "impulse 17\n  Constellation: ahead\n")
    Path("row.csv").write_text(f"Ship,{SHIP}\nTurn,1\nWarp Power,16\nFhoton A,2\nTotal Power,16\n")
    Path("disruptor.csv").write_text("Ship,cadet/klingon-d6\nTurn,1\nWarp Power,16\nDisruptor A,3\n")
    for name, ship in (("rap", "my/rap"), ("fed", "cadet/fedration-ca")):
        Path(f"{name}.csv").write_text(f"Ship,{ship}\nTurn,1\nWarp Power,16\n")
    Path("alone.txt").write_text("turn 1\nConstellation: ahead\n")
    Path("sides.txt").write_text(
        "".join(
            f"{line} side {n}\n" if line.startswith("ship") else f"{line}\n"
            for n, line in enumerate(ORDERS.split("\n"))
        ).replace("turn 1", "ship Dakota = cadet/freighter at 1405A side Neutral\nturn 1")
    )
    Path("head.csv").write_text("# mine\nship,damage,shield,reinforcement\n")
    Path("row.b").write_text(f"# mine\nship,damage,shield,reinforcement\n{SHIP},9,1,0\n")
    Path("none.txt").write_text(ORDERS.partition("turn")[0])
    Path("house.toml").write_text('extends = "sfb-cadet"\n')
    Path("page.md").write_text("# A page\n")
    Path("state.json").write_text('{"schema": "referee/ship-state/1"}\n')
    Path("choices.json").write_text('{"1": "lab"}\n')
    Path("b.jsonl").write_text("{}\n")
    Path("e.csv").touch()
    Path("b.json").write_text("{}\n")
    for name in ("p.png", "p.jsonl"):
        Path(name).write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    with ZipFile("other.vsav", "w") as other:
        other.writestr("savedGame", encode_saved_game("begin_save\x1bend_save", 3))
    return own_folder


@pytest.mark.parametrize(
    ("line", "said"),
    [
        # no record
        *((line, TAKEN) for line in (
            "game status o.txt", "game say o.txt 'Constellation: ahead'", "game next o.txt", "table o.txt --plain",
            "table --plain o.txt", "game status --json o.txt", "game replay o.txt", "game chat o.txt", "record verify o.txt", "record recover o.txt", "dice verify o.txt",
            "dice throw o.txt", "seal --game o.txt constellation.csv", "reveal --game o.txt --ship Constellation",
            "volley Constellation --damage 3 --shield 1 --game o.txt", "roll 2d6 --game o.txt",
            "check constellation.csv --game o.txt",
        )),
        ("game status duel.vsav", "is a VASSAL save or log, no game record; referee game new GAME --from duel.vsav"),
        ("game status b.json", "is JSON that names no schema of ours, no game record; referee check"),
        ("game status p.png", "is no game record: it is a PNG picture; `referee game new`"),
        *((f"{line} p.jsonl", PICTURE) for line in ("game status", "check", "table --plain", "record verify")),
        *((f"{line} b.jsonl", "{} is no game record") for line in ("game status", "check", "table --plain")),
        ("table --plain none", "none: no such file; referee game new none begins one"),
        ("table --plain page.md", "is a page of text, no game record; `referee game new` begins a record"),
        ("game new --from o.txt", "who plays is not given in it; --players alice,bob"),
        ("game new --players a", "the record to begin is not named; referee game new duel.jsonl"),
        ("check page.md", "is a page of text: nothing in it is judged; forms (csv, xlsx, json)"),
        ("check house.toml", "is a file of house rules or settings: nothing in it is judged; house rules are named"),
        ("check house.toml", "referee check FORM --house house.toml"),
        ("table none.jsonl", "none.jsonl: no such file; referee game new none.jsonl begins one"),
        ("record verify", "no game is named, and there is no record here"),
        ("seal constellation.csv", "no game is named, and there is no record here"),
        # orders of a game under way
        *((f"{line} alone.txt", BEGIN_FIRST) for line in (
            "game status", "game new g.jsonl --players a,b --from", "game report", "map", "replay", "check",
        )),
        ("game apply g.jsonl alone.txt", "referee game new g.jsonl begins one (--players alice,bob --ship NAME="),
        ("game new g.jsonl --players alice,bob --from sides.txt", 'Dakota is not known; --player "Neutral=alice", or =bob'),
        ("map", "no game is named, and there is no record here"),
        # of another kind
        *((f"{line} p.png", PICTURE) for line in ("check", "show", "map", "replay", "vassal dump", "form next", "ship check")),
        ("check e.csv", "is empty; forms (csv, xlsx, json), orders (txt)"),
        ("check b.json", "/schema: is missing; of an energy form it is referee/energy-allocation/1"),
        (f"volley {SHIP} --internals 1 --state b.json", "is missing, not referee/ship-state/1"),
        (f"volley {SHIP} --internals 1 --state constellation.json", "energy-allocation/1, not referee/ship-state/1"),
        (f"volley {SHIP} --internals 1 --state duel.vsav", "is a zip archive, as saves and workbooks are; JSON is wanted"),
        ("check constellation.csv --house p.png", PICTURE),
        ("map b.json", "is JSON that names no schema of ours, no game to look at; a save, a log, a record, or"),
        ("form next o.txt", "is an orders file, no energy form; referee check o.txt"),
        ("game new g.jsonl --players a --from constellation.csv", "is text, no game to go on from; --from takes"),
        ("game new g.jsonl --players a --from het.txt", "line 7: no order 'het': high-energy turns are not played"),
        ("init ship 'Kahless Fist'", "call it kahless-fist"),
        ("init ship rap.json", "call it rap; .json is put behind it"),
        ("check rap.csv", "no ship my/rap; with its own file: --ship my-ship.json\n"),
        ("check fed.csv", "no ship cadet/fedration-ca; did you mean cadet/federation-ca or"),
        ("ship list xyzzy", "no ship is called like xyzzy"),
        # batches
        ("volley --batch e.csv", "is empty; a batch is a header row of ship, damage,"),
        ("volley --batch head.csv", "has no volleys; a batch is a header row"),
        ("volley --batch row.b", "row.b: line 3: reinforcement 0; general and specific"),
        (f"volley {SHIP} --internals 2 --repeat 9 -o v.svg", f"referee odds {SHIP}, with the same points, -o v.svg draws"),
        # dice, impulses, rules
        ("fire --weapon photon --range 4 --dice '6 6 6'", "--dice: 2 dice left over of 3; 1 is wanted"),
        ("fire --weapon photon --range 4 --dice '6 6'", "1 die left over of 2; 1 is wanted"),
        (f"volley {SHIP} --internals 2 --dice '6 7'", "each roll here is 1d6: 1 to 6"),
        ("explain xyzzy", "no word like it; such as: referee explain turn mode"),
        ("game undo g.jsonl", 'try `referee game undo game.jsonl --last --reason "a slip"'),
        # what is written
        (f"volley {SHIP} --internals 2 -o nodir/v.svg", "nodir/v.svg: there is no folder nodir; make it first"),
        ("check *.nope", "no file of a game matches this; looked for .csv"),
        ("check constellation.csv -o x.xlsx", "no .xlsx is written here; -o x.json or"),
        (f"volley {SHIP} --internals 2 -o v.csv", "-o v.json or v.svg or v.txt"),
        ("replay o.txt -o x.svg", "-o x.html"),
        ("map o.txt -o x.html", "-o x.svg"),
        ("schema ship -o x.csv", "-o x.json"),
        (f"volley {SHIP} --internals 2 --state-out g.jsonl", "-o g.json"),
        ("check constellation.csv -o my-ship.json", "is JSON (referee/ship/1): it is not written over"),
        ("game report o.txt -o o.txt", "is one of the inputs"),
        ("check constellation.csv -o state.json", "is JSON (referee/ship-state/1): it is not written over"),
        ("show constellation.csv --json -o choices.json", "is JSON that names no schema of ours: it is not written"),
        ("show constellation.csv -o house.toml", "no .toml is written here"),
        ("check constellation.csv -o o.txt", "is an orders file: it is not written over"),
        *((line, "is there already; choose another name, or --force (-f)") for line in (
            "init ship my-ship", f"init form {SHIP} -o constellation.csv", "init game --scenario 4 o.txt",
            f"form blank {SHIP} -o constellation.csv", "form next constellation.json -o constellation.csv",
            "init map duel.vsav -o my-ship.json", "robot --scenario 4 --seed x -o o.txt",
        )),
    ],
)  # fmt: skip
def test_a_mistake_names_what_comes_next(referee: Run, here: Path, line: str, said: str) -> None:
    before = {path.name: path.read_bytes() for path in here.iterdir()}
    ran = referee(*shlex.split(line))
    assert ran.code == 2 and ran.out == "" and ran.err.count("\n") == 1 and said in ran.err, ran
    assert {path.name: path.read_bytes() for path in here.iterdir()} == before


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("check het.txt", "no order 'het': high-energy turns are not played here"),
        ("check het.txt", "write NAME: left"),
        ("check het.txt", "impulse 17 of a turn of 16"),
        ("check late.txt", "ILLEGAL: 1 error;"),
        ("check row.csv", "did you mean PHOT/A? no line of the energy form"),
        ("check disruptor.csv", "3 points to DISR/A, which takes 2"),
        ("explain 14", "B3.0-14 "),
        ("check none.txt", 'fix: write them below "turn 1": "Constellation: speed 12"; referee game new'),
        ("check other.vsav", "a save of an unnamed module; no energy form and no ship"),
        ("check other.vsav", 'fix: referee show other.vsav lists what is in it; --ship "NAME=CLASS"'),
        ("explain how do phasers work", "more: referee explain E2.4\n"),
    ],
)
def test_an_answer_says_what_to_do_instead(referee: Run, here: Path, line: str, said: str) -> None:
    ran = referee(*line.split())
    assert said in " ".join(ran.out.split()) + "\n" and ran.err == "", ran


def test_a_watch_says_what_mends(referee: Run, here: Path) -> None:
    Path("w").mkdir()
    shutil.copy("duel.vsav", "w")
    first = referee("watch", "w", "--once", "--only-judge").out.splitlines()[0]
    assert first.endswith("; fix: write 20 on line 20 Total Power Used (B24), the sum of lines 7 to 19")


def test_a_rule_is_listed_once_and_those_of_the_game_here_lead(referee: Run, here: Path) -> None:
    keys = [line.split()[0] for line in referee("explain", "14").out.splitlines() if line][:-1]
    assert len(keys) == len(set(keys)) and keys[-1] == "trek-14" != keys[0]
    Path("referee.toml").write_text('rulebook = "trek"\n')
    assert referee("config", "trust", "referee.toml").code == 0
    assert referee("explain", "3").out.startswith("trek-3 ")


def test_what_is_written_is_said_after_the_result(referee: Run, here: Path) -> None:
    roll = ("volley", SHIP, "--internals", "2", "--seed", "a")
    table = referee(*roll).out
    for name in ("v.svg", "v.txt", "v.json"):
        ran = referee(*roll, "-o", name)
        assert (ran.code, ran.out, ran.err) == (0, table, f"wrote {name}\n") and Path(name).exists()
    assert (quiet := referee(*roll, "--json", "-o", "v.json")).out == "" and quiet.err == "wrote v.json\n"
    referee("robot", "--scenario", "4", "--seed", "x", "-o", "r.jsonl")
    for line, told in (
        ("game report r.jsonl -o r.html", "played by robots: The game is over, Klingon has won"),
        ("replay r.jsonl -o s.html", "sfb-cadet; "),
        ("corpus run --rule C1.4 -o c.txt", "It complies with all 38 cases"),
    ):
        ran = referee(*line.split())
        assert told in ran.out and ran.out.count("\n") == 1 and ran.err.startswith("wrote "), ran
    forced = referee("form", "blank", SHIP, "-o", "constellation.csv", "-f")
    assert (forced.code, forced.err) == (0, "wrote constellation.csv\n")


def test_a_game_goes_on_from_an_orders_file_and_is_taken_unnamed(referee: Run, here: Path) -> None:
    Path("o.txt").rename("g.txt")
    begun = referee("game", "new", "--from", "g.txt", "--players", "a,b")
    assert "g.secrets: your keys; keep this folder, and send it to nobody\n" in begun.out
    assert "your keys" in referee("game", "join", "g.jsonl", "--as", "b").out
    het = referee("game", "say", "HET", "--as", "a").err
    assert het == "referee: no order 'het': high-energy turns are not played here\n"
    again = referee("game", "new", "g.jsonl", "--players", "a").err
    assert "choose another name; referee game status g.jsonl shows it" in again
    assert begun.code == 0 and "its orders; referee game apply g.jsonl g.txt plays them" in begun.out
    status = referee("game", "status").out
    assert "Destruction (cadet/klingon-d6, b) at 0216B, speed 16" in status and "impulses=16" in status
    said = referee("game", "say", "impulse 17", "--as", "a").err
    assert said == "referee: impulse 17: no impulse 17 in a turn; 1 to 16\n"
    for drawn in ("map", "replay"):
        assert "Destruction" in referee(drawn).out
    assert "no step 17 in turn 1; impulses are 1 to 16" in referee("game", "next", "--to", "1.17").err
    for line in ("record verify", "record head", "dice verify", "dice stats"):
        assert referee(*line.split()).code == 0, line
    assert "no energy form of Constellation" in referee("reveal", "--ship", "Constellation").err
    assert "g.jsonl" in referee("table", "none.jsonl", "--plain").err
    kept = Path("g.jsonl").read_bytes()
    assert referee("form", "blank", SHIP, "-o", "g.jsonl", "-f").code == 2
    assert referee("check", "g.jsonl", "-o", "g.jsonl").code == 2 and Path("g.jsonl").read_bytes() == kept


def test_a_page_is_not_poured_on_a_terminal(
    referee: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.cli.output.SafeStream.isatty", lambda _: True, raising=False)
    for drawn, name in (("replay", "game.html"), ("map", "game.svg")):
        ran = referee(drawn, "o.txt")
        assert (ran.code, ran.out) == (2, "") and f"-o {name}, and open that in a browser" in ran.err


def test_all_bad_rows_of_a_batch_are_told(referee: Run, here: Path) -> None:
    rows = [f"{SHIP},9,1", "nobody,9,1", f"{SHIP},x,1", f"{SHIP},9,"]
    Path("b.csv").write_text("\n".join(["ship,damage,shield", "# bad ones", *rows]))
    ran = referee("volley", "--batch", "b.csv")
    assert ran.code == 2 and ran.out == "" and [line.split(": ")[2] for line in ran.err.splitlines()] == [
        "line 4", "line 5", "line 6",
    ]  # fmt: skip
    Path("b.csv").write_text("ship,damage,shield\n" + f"{SHIP},x,1\n" * 60)
    assert referee("volley", "--batch", "b.csv").err.endswith(
        "line 51: damage x is no whole number\nreferee: and 10 more\n"
    )


def test_many_volleys_end_with_a_tally_and_say_what_was_lost(referee: Run, own_folder: Path) -> None:
    roll = ("volley", SHIP, "--internals", "8", "--repeat", "4", "--seed", "a")
    volleys = referee(*roll, "--json").json["volleys"]
    lost = sum(volley["lost"].get("lab", 0) for volley in volleys)
    assert all(sum(volley["lost"].values()) == 8 for volley in volleys) and lost
    *_, blank, mean, boxes = referee(*roll).out.splitlines()
    assert (blank, mean) == ("", "4 volleys: mean 8.00 internals; destroyed 0 times")
    assert boxes.startswith("mean boxes lost: ") and f"lab {lost / 4:.2f}" in boxes


def test_chat_is_shown_as_vassal_shows_it() -> None:
    from referee.report.savetext import save_text

    assert "| <Ann> - hello" in save_text({"kind": "save", "chat": ["&lt;Ann&gt; - hello"]})
