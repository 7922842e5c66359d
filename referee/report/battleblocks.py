"""The report on a battle in blocks: what stands in it, in which words and order. Text, Markdown and HTML only draw them."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.battle import (
    LEAD_MEANS,
    Battle,
    DiceFell,
    Sentence,
    TurnTold,
    gunnery_of,
    turning_points,
    when_text,
    who_did_what,
)
from referee.core.combat import rolls_that_hit
from referee.core.finding import Finding
from referee.core.naming import how_many
from referee.core.place_words import LEFT, place_text
from referee.report.blocks import Block, Facts, Line, Lines, Part, Plain, Sheets, Text, TextTable
from referee.report.documents import as_text
from referee.report.gametext import FAIRNESS, victory_line

_TOGETHER = frozenset(("move", "seeker", "said"))
"""Kinds of sentences that run on in one paragraph."""


_OF_SSDS = frozenset(("end", "turns", "shots", "damage"))
"""Parts that add up what ships with an SSD did: a rulebook with a table of its own tells that in its own story."""


def parts_of(battle: Battle) -> tuple[Part, ...]:
    """The report, part by part."""
    parts = (
        Part("game", "The game", tuple(_game(battle))),
        Part("end", "How it stands" if battle.now else "How it ended", tuple(_end(battle))),
        Part("turns", "Turning points", tuple(_turning(battle))),
        Part("story", "What happened", tuple(_own_story(battle)), tuple(_turns(battle))),
        Part("shots", "Every shot", tuple(_shots(battle))),
        Part("damage", "Who did what to whom", tuple(_damage(battle))),
        Part("dice", "The dice", tuple(_dice(battle))),
        Part("law", "Fouls, rulings, findings", tuple(_law(battle))),
        Part("back", "Taken back", tuple(_back(battle))),
        Part("unchecked", "Not checked or not known", tuple(_unchecked(battle))),
        Part("heads", "Heads, and how to check all this", tuple(_heads(battle))),
    )
    return parts if battle.document is None else tuple(part for part in parts if part.id not in _OF_SSDS)


def result_line(battle: Battle) -> str:
    """How the game ended, in a line."""
    if battle.victory is not None:
        sentence = victory_line(battle.victory)
        return f"{sentence[0].upper()}{sentence[1:]}."
    if battle.document is not None:
        return "Who has won is the players' to say."
    return "It is of no scenario of the book, so who has won is the players' to say."


def _game(battle: Battle) -> Iterator[Block]:
    facts = [(name, _meaning(name, value)) for name, value in battle.facts]
    if battle.side:
        facts.insert(
            0,
            (
                "Told to",
                f"{battle.side}: only what this side knows"
                if battle.document
                else f"{battle.side}: nothing in this record is hidden from a side",
            ),
        )
    yield Facts(tuple(facts))


def _meaning(name: str, value: str) -> str:
    return f"{value}: {FAIRNESS[value]}" if name == "Dice" and value in FAIRNESS else value


def _end(battle: Battle) -> Iterator[Block]:
    if not (battle.turns and battle.turns[-1].ships):
        yield Text(result_line(battle))
    else:
        rows = []
        for ship in battle.turns[-1].ships:
            state, known = ship.state, battle.classes.get(ship.name)
            shields = boxes = "not told"
            if state is not None and known is not None:
                shields = " ".join(
                    f"#{n} {state.shields.get(n, 0)}/{whole}" for n, whole in sorted(known.shields.items())
                )
                boxes = (
                    f"{len(state.destroyed)} of {sum(len(known.box_ids(system)) for system in known.systems)}"
                )
            fate = (
                "destroyed"
                if state is not None and state.dead
                else LEFT
                if ship.left_map
                else place_text(ship.position or "") or "not on the map"
            )
            fate += f", {ship.hidden}" if ship.hidden else ""
            rows.append((ship.name, ship.player, fate, shields, boxes))
        yield TextTable(
            ("Ship", "Side", "Where" if battle.now else "At the end", "Shields left", "Boxes lost"),
            tuple(rows),
            frozenset((1, 2, 3)),
        )


def _turning(battle: Battle) -> Iterator[Block]:
    points = turning_points(battle.volleys, battle.leads)
    if not points:
        struck = "no volley took a shield down or went through one"
        yield Text(f"None: {struck if battle.volleys else 'no recorded damage struck a ship'}.")
        return
    yield Lines(
        tuple(
            Line(when_text(point.turn, point.impulse), point.text, point.place, "point") for point in points
        )
    )
    yield Text(LEAD_MEANS, soft=True)


def _own_story(battle: Battle) -> Iterator[Block]:
    if battle.document is not None:
        yield Plain(as_text(battle.document).rstrip())
    elif not battle.turns:
        yield Text("Nothing: no turn was played.")


def _turns(battle: Battle) -> Iterator[Part]:
    before: TurnTold | None = None
    for turn in battle.turns:
        lines = tuple(_story_lines(turn))
        blocks: list[Block] = [Lines(lines)] if lines else [Text("Nothing is recorded about it.")]
        if turn.turn and any(ship.state is not None for ship in turn.ships):
            now = battle.now if turn is battle.turns[-1] else ""
            blocks.append(Sheets(turn, before, f"now, {now}" if now else f"at the end of turn {turn.turn}"))
        if turn.head and not (battle.now and turn is battle.turns[-1]):
            blocks.append(Text(f"Head at its end: {turn.head}", soft=True))
        yield Part(
            f"t{turn.turn}", f"Turn {turn.turn}" if turn.turn else "Before the first turn", tuple(blocks)
        )
        before = turn


def _story_lines(turn: TurnTold) -> Iterator[Line]:
    """The sentences of a turn; moves of an impulse run on in one line."""
    begun = False
    for moment in turn.moments:
        begun = begun or moment.impulse is not None
        when = when_text(turn.turn, moment.impulse) if turn.turn else ""
        when += " end" if begun and moment.impulse is None else ""
        together: list[Sentence] = []
        for sentence in moment.sentences:
            if together and (sentence.kind not in _TOGETHER or sentence.kind == "said"):
                yield _one_line(when, together)
                together = []
            if sentence.kind in _TOGETHER:
                together.append(sentence)
            else:
                yield _one_line(when, [sentence])
        if together:
            yield _one_line(when, together)


def _one_line(when: str, sentences: list[Sentence]) -> Line:
    first, last = sentences[0].place, sentences[-1].place
    place = first if first == last else f"{first} to {last}"
    return Line(when, " ".join(sentence.text for sentence in sentences), place, sentences[0].kind)


def _shots(battle: Battle) -> Iterator[Block]:
    if not battle.shots:
        if battle.broadsides:
            table = tuple(
                (
                    when_text(broadside.turn, broadside.impulse),
                    broadside.summary,
                    str(broadside.fell),
                    f"{sum(points * chance for points, chance in broadside.chances.items()):.1f}",
                )
                for broadside in battle.broadsides
            )
            yield TextTable(("When", "Fire", "Points", "Fair dice"), table, frozenset((1,)))
            yield Text(
                "This source gives points by ship and step. Fair dice: what they score in the mean.",
                soft=True,
            )
        else:
            yield Text("This source does not tell them apart." if battle.untold else "No fire was declared.")
        return
    rows = tuple(
        (
            when_text(shot.turn, shot.impulse),
            f"{shot.ship} {shot.weapon}",
            shot.target,
            "?"
            if shot.range is None
            else str(shot.range) + (f" ({shot.effective})" if shot.effective != shot.range else ""),
            rolls_that_hit(shot.needed) or "-",
            "-" if shot.die is None else str(shot.die),
            "?" if shot.hit is None else str(shot.damage),
            "-" if shot.average is None else f"{float(shot.average):.1f}",
            shot.outcome,
            shot.place,
        )
        for shot in battle.shots
    )
    heads = ("When", "Weapon", "At", "Range", "Needs", "Die", "Points", "Fair dice", "Outcome", "Entry")
    yield TextTable(heads, rows, frozenset((1, 2, 8, 9)))
    yield Text(
        "Range: hexes, in brackets what the rules count them as. Fair dice: the mean of this shot.", soft=True
    )


def _damage(battle: Battle) -> Iterator[Block]:
    done = who_did_what(battle.volleys)
    if not done:
        yield Text("No damage to a ship is recorded.")
    else:
        rows = [
            tuple(
                map(
                    str,
                    (d.by, d.target, d.volleys, d.points, d.reinforced, d.shielded, d.armored, d.internals),
                )
            )
            for d in done
        ]
        total = [
            sum(column)
            for column in zip(
                *((d.volleys, d.points, d.reinforced, d.shielded, d.armored, d.internals) for d in done),
                strict=True,
            )
        ]
        rows.append(("All", "", *map(str, total)))
        heads = ("By", "To", "Volleys", "Points", "Reinforcement", "Shields", "Armor", "Inside")
        yield TextTable(heads, tuple(rows), frozenset((1,)))
    if battle.seeker_hits:
        yield Lines(
            tuple(
                Line(when_text(hit.turn, hit.impulse), hit.text, hit.place, "shot")
                for hit in battle.seeker_hits
            )
        )
    if shots := gunnery_of(battle.shots):
        yield TextTable(
            ("Ship", "Side", "Shots", "Hits", "Points", "Fair dice"),
            tuple(
                (
                    g.ship,
                    g.player,
                    str(g.shots),
                    str(g.hits),
                    str(g.points),
                    "?" if g.average is None else f"{float(g.average):.1f}",
                )
                for g in shots
            ),
            frozenset((1,)),
        )
        yield Text(
            "Fair dice: what these shots score in the mean, at their ranges. Points at seekers are in it.",
            soft=True,
        )


def _dice(battle: Battle) -> Iterator[Block]:
    if not battle.dice:
        yield Text("No dice are recorded.")
        return
    for fell in battle.dice:
        who = fell.player or "All together"
        yield Text(
            f"{who}: {how_many(fell.dice, 'die', 'dice')} of {fell.sides} sides, mean {float(fell.mean):.2f} (fair: {(fell.sides + 1) / 2:.1f}). {_unusual(fell)}"
        )
        if fell.sides <= 12:
            yield TextTable(
                ("Face", "Fell", "Fair dice", "95 games of 100"),
                tuple(
                    (str(f.face), str(f.count), f"{float(f.expected):.1f}", f"{f.low} to {f.high}")
                    for f in fell.faces
                ),
                bars=tuple((float(f.count), float(f.expected)) for f in fell.faces),
            )
    yield Text(
        "A die of fire is counted to whose ship fired, one of damage to whose ship was struck; those taken back or thrown"
        " again are in it, those typed in wrongly are not. Of many tables some look unusual by chance alone: one in twenty"
        " is below 5 percent.",
        soft=True,
    )


def _unusual(fell: DiceFell) -> str:
    test = "counted out" if fell.exact else "by chi-square"
    word = fell.word
    return f"{word[0].upper()}{word[1:]} (as uneven as this or more: {fell.p:.1%} of fair games, {test})."


def finding_text(finding: Finding) -> str:
    """A finding in a line."""
    parts = [f"{finding.severity.value} [{finding.key}] {_of(finding)}"]
    parts += [f"expected {finding.expected}"] if finding.expected else []
    parts += [f"found {finding.found}"] if finding.found else []
    return "; ".join(parts)


def _of(finding: Finding) -> str:
    return f"{finding.subject}: {finding.message}" if finding.subject else finding.message


def _law(battle: Battle) -> Iterator[Block]:
    if battle.rulings:
        yield Text("Rulings:")
        yield Lines(
            tuple(
                Line(
                    "",
                    f"{ruling.by} rules{f' on {ruling.about}' if ruling.about else ''}: {ruling.text}",
                    ruling.place,
                    "ruling",
                )
                for ruling in battle.rulings
            )
        )
    if battle.fouls:
        yield Text("Fouls that the record holds:")
        yield Lines(
            tuple(
                Line(
                    when_text(foul.turn, foul.impulse),
                    f"{foul.player} [{foul.rule}]: {foul.text}",
                    foul.place,
                    "foul",
                )
                for foul in battle.fouls
            )
        )
    fouls = {(foul.rule, foul.turn, foul.text) for foul in battle.fouls}
    beside = [
        finding for finding in battle.findings if (finding.key, finding.turn, _of(finding)) not in fouls
    ]
    if beside:
        yield Text("What judging finds beside them:" if battle.fouls else "What judging finds:")
        yield Lines(
            tuple(
                Line(
                    when_text(finding.turn, finding.impulse),
                    finding_text(finding),
                    str(finding.location).replace("\\", "/").rpartition("/")[2],
                    finding.severity.value,
                )
                for finding in beside
            )
        )
    elif not battle.verdict:
        yield Text("The file was not judged.")
    elif not battle.fouls:
        yield Text("Nothing is against the rules that were checked.")


def _back(battle: Battle) -> Iterator[Block]:
    if not battle.retractions:
        yield Text("Nothing was taken back." if not battle.untold else "Nothing recorded was taken back.")
        return
    rows = []
    for retraction in battle.retractions:
        leave = f"agreed by {', '.join(retraction.agreed)}" if retraction.agreed else "taken back alone"
        sentence = f"{retraction.reason} ({leave}); gone: {'; '.join(retraction.gone) or 'nothing'}"
        rows.append(Line("", sentence, retraction.place, "undo"))
    yield Lines(tuple(rows))


def _unchecked(battle: Battle) -> Iterator[Block]:
    if not battle.not_checked and not battle.untold:
        yield Text("Every rule that applies was checked.")
    if battle.untold:
        yield Text("Not in this source:")
        yield Lines(tuple(Line("", gap) for gap in battle.untold))
    if battle.not_checked:
        yield Text("Not checked:")
        yield Lines(
            tuple(
                Line("", f"[{item.key}] {f'{item.subject}: ' if item.subject else ''}{item.reason}")
                for item in battle.not_checked
            )
        )


def _heads(battle: Battle) -> Iterator[Block]:
    if not battle.head:
        yield Text("This file has no head code: only a game record has.")
        return
    heads = [
        (f"End of turn {turn.turn}" if turn.turn else "Before the first turn", turn.head)
        for turn in battle.turns[: -1 if battle.now else None]
    ]
    yield Facts((*heads, ("Now", battle.head)))
    if battle.verify:
        yield Text("Compare the last head with the one you noted, and work everything out again:")
        yield Plain("\n".join(battle.verify))
