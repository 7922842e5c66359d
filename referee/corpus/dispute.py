"""A dispute of players becomes a case: five questions, and no case that holds names or more than one fault."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.naming import names_like
from referee.core.sheet import Sheet
from referee.corpus.answering import answer
from referee.formats.eaform import LabelIndex, form_on, read_form
from referee.formats.orders import format_orders, read_orders
from referee.formats.sheets import SUFFIXES, read_sheets
from referee.formats.sheets.layout import layout_of
from referee.judging.moments import SHIPS, SIDES, cuts, is_told, options_of, told_in
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_rulebook, load_ship
from referee.sources.asked import Asked
from referee.sources.forms import form_labels
from referee.sources.inputs import InputBytes
from referee.sources.settings import Settings

QUESTIONS = {
    "rule": "Which rule is it about (its number)?",
    "verdict": "Is it legal, illegal or cannot-tell, as you hold it?",
    "sentence": "What happens in it, in one sentence without names?",
    "ship": "Of which class is the ship of the form (cadet/federation-ca; - where it is no form)?",
    "at": "In which turn and impulse does it happen (2.5)?",
    "options": "What is played otherwise than usual (key=value; - for nothing)?",
}
"""Five are asked of a file: `ship` of a form or of orders, `at` of a game that is cut to the moment."""
VERDICTS = ("legal", "illegal", "cannot-tell")
NEUTRAL = (*SHIPS, *SIDES, "X", "Y", "Z", "Constellation", "Destruction", "Const", "Destr")
"""What ships and sides of a case may be called: whoever a name is of, it is nobody's here."""
ASKS_NOTHING = Asked(Settings())
LONGEST_SENTENCE = 120
_MOMENT = re.compile(r"([0-9]{1,3})\.([0-9]{1,2})")
_FIGURE = re.compile(r"[\d\s./,½¼¾+-]*")


@frozen
class Dispute:
    """A file with the answers to the five questions."""

    source: InputBytes
    rulebook: str
    rule: str
    verdict: str
    sentence: str
    ship: str
    options: str
    at: str = ""
    asked: Asked = ASKS_NOTHING
    """What is said of a game beside: the classes of its ships, its module."""


def questions_for(source: InputBytes) -> tuple[str, ...]:
    """The questions that are asked of a file, by their names."""
    return tuple(name for name in QUESTIONS if name != ("ship" if is_told(source) else "at"))


def case_of(dispute: Dispute) -> tuple[dict[str, Any], str]:
    """The case file, and what this program rules. Raises BadInput where it is no case of one fault without names."""
    if dispute.verdict not in VERDICTS:
        raise BadInput(f"no verdict {dispute.verdict!a}", hint=names_like(dispute.verdict, VERDICTS))
    if not dispute.sentence or len(dispute.sentence) > LONGEST_SENTENCE or "\n" in dispute.sentence:
        raise BadInput(f"the sentence is of 1 to {LONGEST_SENTENCE} characters", hint="--says TEXT")
    options = _options(dispute.options)
    if is_told(dispute.source):
        rulebook, asked, given = _of_moment(dispute, options)
    else:
        rulebook, asked, given = _of_file(dispute, options)
    input, options = asked["input"], asked["options"]
    _one_fault(dispute, given["findings"])
    findings = [{"key": dispute.rule, "severity": "error"}] if dispute.verdict == "illegal" else []
    case = {
        "id": f"dispute/{rulebook.id}/{dispute.rule}/1",
        "says": dispute.sentence,
        "kind": "undecided" if dispute.verdict == "cannot-tell" else dispute.verdict,
        "options": options,
        "input": input,
        "expected": {"verdict": dispute.verdict, **({"findings": findings} if findings else {})},
        "flags": [
            f"input:{next(iter(input))}",
            *(f"option:{name}={value}" for name, value in options.items()),
        ],
        "status": {},
    }
    document = {
        "schema": "referee/corpus-cases/1",
        "rulebook": rulebook.id,
        "rule": dispute.rule,
        "title": rulebook.rules[dispute.rule].title,
        "chapter": re.split(r"[.\-/]", dispute.rule)[0],
        "numbered": 1,
        "cases": [case],
    }
    return document, given["verdict"]


def file_name(document: dict[str, Any]) -> str:
    """What the file of a case is called unless it is said."""
    return f"dispute-{document['rule'].replace('/', '-')}.json"


def _of_file(dispute: Dispute, options: dict[str, str]) -> tuple[Rulebook, dict[str, Any], dict[str, Any]]:
    """A form or an orders file: the rulebook, what is asked, the answer."""
    form = dispute.ship not in ("", "-")
    house = dispute.rulebook or (load_ship(dispute.ship).rulebook if form else "")
    input, named = _form(dispute, load_rulebook(house)) if form else _orders(dispute)
    rulebook = load_rulebook(named or house or "sfb-cadet")
    asked = _asked(rulebook, dispute, options, input)
    return rulebook, asked, answer(asked)


def _of_moment(dispute: Dispute, options: dict[str, str]) -> tuple[Rulebook, dict[str, Any], dict[str, Any]]:
    """A game cut to the moment: the shortest cut that is ruled as the whole game is. Raises BadInput where none is."""
    found = _MOMENT.fullmatch(dispute.at)
    if found is None:
        raise BadInput(f"{dispute.at!a} is no moment", hint="--at TURN.IMPULSE, such as 2.5")
    moment = int(found[1]), int(found[2])
    game = told_in(dispute.source, dispute.asked)
    _nameless(dispute.sentence, game.names)
    ruled, other = game.ruled(dispute.rule, moment), ""
    for text in cuts(game, moment, dispute.source.name):
        input = {"orders": {"lines": text.splitlines(), "goes_on": True}}
        asked = _asked(game.rulebook, dispute, options_of(game.rulebook) | options, input)
        given = answer(asked)
        if given["verdict"] == ruled:
            return game.rulebook, asked, given
        other = given["verdict"]
    raise BadInput(
        f"the whole game is ruled {ruled} by {dispute.rule} in {dispute.at}, its orders alone {other}",
        file=dispute.source.name,
        hint="it hangs on what orders do not say, such as forms, dice, boxes lost: write it as a form or as orders",
    )


def _nameless(sentence: str, names: Iterable[str]) -> None:
    """Raises BadInput for a sentence that holds a name of the file."""
    for name in names:
        if name not in NEUTRAL and re.search(rf"\b{re.escape(name)}\b", sentence, re.IGNORECASE):
            raise BadInput(
                f"the sentence holds a name: {name!a}", hint=f"the ships are {', '.join(SHIPS[:3])}"
            )


def _asked(rulebook: Rulebook, dispute: Dispute, options: dict[str, str], input: Any) -> dict[str, Any]:
    if dispute.rule not in rulebook.rules:
        raise BadInput(
            f"{rulebook.id} has no rule {dispute.rule!a}", hint=names_like(dispute.rule, rulebook.rules)
        )
    return {"rulebook": rulebook.id, "rule": dispute.rule, "options": options, "input": input}


def _options(text: str) -> dict[str, str]:
    options = {}
    for word in [] if text == "-" else text.split():
        name, equals, value = word.partition("=")
        if not equals:
            raise BadInput(f"{word!a} is no option", hint="key=value, or - for nothing")
        options[name] = value
    return options


def _one_fault(dispute: Dispute, findings: list[dict[str, Any]]) -> None:
    """Raises BadInput for other faults than the one, or for several of it."""
    errors = [found for found in findings if found["severity"] == "error"]
    others = sorted({found["key"] for found in errors} - {dispute.rule})
    if others:
        raise BadInput(
            f"more than the one fault: {', '.join(others)} {'has' if len(others) == 1 else 'have'} something against "
            "it too",
            file=dispute.source.name,
            hint="put the rest right, and leave the one in question",
        )
    if len(errors) > 1:
        raise BadInput(
            f"more than the one fault: {dispute.rule} has {len(errors)}",
            file=dispute.source.name,
            hint="cut it to the moment in question",
        )


# -- what is in the file -----------------------------------------------------------------


def _form(dispute: Dispute, rulebook: Rulebook) -> tuple[dict[str, Any], str]:
    """A form as its labels and turns; the row of the ship's own name goes, and what stands beside the turns."""
    source, labels = dispute.source, form_labels(rulebook)
    if source.suffix not in (*SUFFIXES, ""):
        raise BadInput("a case is of a form in a spreadsheet", file=source.name, hint="write it as CSV")
    index = LabelIndex(labels)
    sheet = _sheet_of(source, index)
    form = read_form(sheet, index)
    layout = layout_of(sheet, index)
    for problem in form.problems:
        place = problem.location.cell or ""
        raise BadInput(
            f"{problem.text!a} is neither a row of the form nor a figure",
            file=source.name,
            place=place,
            hint="take out names and remarks",
        )
    ship = {spelling.casefold() for spelling in labels.ship}
    header = sheet.rows[layout.header or 0]
    kept = [n for n, cell in enumerate(header) if n == layout.labels or any(map(str.isdigit, cell))]
    rows = []
    for number, row in enumerate(sheet.rows):
        label, *figures = ((row[n].strip() if n < len(row) else "") for n in kept)
        if label.casefold() in ship:
            _nameless(dispute.sentence, filter(None, figures))
            continue
        if not any((label, *figures)):
            continue
        for cell in figures:
            if not _FIGURE.fullmatch(re.sub(r"(?i)turn", "", cell) if number == layout.header else cell):
                raise BadInput(
                    f"{cell!a} is no figure",
                    file=source.name,
                    place=f"row {number + 1}",
                    hint="take out names and remarks",
                )
        rows.append([label, *figures])
    return {"form": {"ship": dispute.ship, "rows": rows}}, ""


def _sheet_of(source: InputBytes, index: LabelIndex) -> Sheet:
    """The one sheet with a form on it. Raises BadInput for several."""
    sheets = read_sheets(source.data, source.name, source.suffix)
    filled = [sheet for sheet in sheets if sheet.rows]
    forms = [sheet for sheet in filled if form_on(sheet, index)]
    if len(forms) > 1:
        raise BadInput(
            f"holds {len(forms)} forms, and a case is of one", file=source.name, hint="save its sheet as CSV"
        )
    return (forms or filled or list(sheets))[0]


def _orders(dispute: Dispute) -> tuple[dict[str, Any], str]:
    """An orders file as its lines, without remarks."""
    source = dispute.source
    if source.kind != "text":
        raise BadInput(
            "is neither a form nor an orders file",
            file=source.name,
            hint="write the moment as orders (docs/orders.md): where ships stand, their moves, the fire",
        )
    orders = read_orders(source.data, source.name, load_ship)
    for problem in orders.problems:
        raise BadInput(
            f"is not understood: {problem}", file=source.name, place=f"line {problem.location.line}"
        )
    named = [each.ship for each in orders.ships] + [each.name for each in orders.drones]
    named += [ship.side for ship in orders.ships if ship.side]
    named += [drone.side for drone in orders.drones if drone.side]
    for name in named:
        if name not in NEUTRAL and name not in _launched(orders.drones):
            raise BadInput(
                f"holds a name: {name!a}",
                file=source.name,
                hint=f"call them {', '.join(NEUTRAL[:4])}; sides Red, Blue",
            )
    lines = format_orders(orders).splitlines()
    return {"orders": {"lines": lines}}, orders.rulebook


def _launched(drones: Any) -> set[str]:
    """Names of drones that say whose they are and no more."""
    return {each.name for each in drones if each.name.partition(" ")[0] in NEUTRAL}
