"""What is said of commands, in the words that are typed at a desk: nothing is named there that cannot be typed there."""

from __future__ import annotations

import re

_WORDS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"\(game join\)", "(`join`)"),
        (r"\((game say|dice enter)\)", ""),
        (r"\((game resolve|dice confirm)\)", "(`n`)"),
        (r"\(dice throw\)", "(`t`)"),
        (r"\((?:referee )?reveal\)", "(`o`)"),
        (r"\(referee game apply, or reveal\)", "(`form FILE SHIP`, or `o`)"),
        (
            r"to go on without it: referee game next RECORD --to \S+",
            "to go on without it: `n`, and let it stand",
        ),
        (r"referee game next (?:RECORD )?--to [^\s,]+, then referee game resolve", "then `n`"),
        (r"referee game resolve(?: (?:RECORD|GAME))?; referee game status says.*", "`n` carries it out"),
        (r"referee game resolve(?: (?:RECORD|GAME))?", "`n`"),
        (r"referee game status(?: RECORD)?", "`ships`"),
        (r"referee game say RECORD help", "`?`"),
        (r"referee game undo(?: RECORD)?", "`u`"),
        (r"referee game lock RECORD (\S.*)", "SHIP: lock on TARGET"),
        (r"`game say` and `game resolve`", "an order and `n`"),
        (r"referee reveal, referee game apply", "`o`, `form FILE SHIP`"),
        (r"referee reveal --game .*", "`o`"),
        (r"referee seal RECORD", "`secret SHIP`"),
        (r"in a record: referee seal --kind moves", "`secret SHIP`"),
        (r"the lines that game status names", "the lines that are awaited"),
        (r"referee dice enter GAME FACES --as \S+: ", "type "),
        (r"referee dice throw", "`t`"),
        (r"throw its dice, or give it up with `dice void`, first", "its dice come first"),
        (r"they are all typed in: dice enter GAME", "they are typed in as they fell"),
        (r": referee dice key \S+ --as \S+", ", then `n`"),
        (r"take the undo back, or referee dice reroll \S+ \S+", "`redo` takes the undo back"),
        (r"--to (\S+) takes back all from it on", r"`u to \1` takes back all from it on"),
        (r" \(game next --to [^)]*\)", " (`n`)"),
        (r"game status says", "`ships` says"),
        (r"(`referee record \w+`)", r"leave the table, then \1"),
    )
)
_NAMES = "check dice explain fire form game init join log odds record replay reveal robot schema seal ship show table umpire volley watch"
_COMMAND = rf"referee (?:{'|'.join(_NAMES.split())})\b|\b(?:game|dice) (?:say|next|resolve|join|status|undo|apply|enter|throw|confirm|void|reroll|key|forfeit)\b|(?<![\w-])--?[a-z]"
_UNTYPED = re.compile(_COMMAND)
_ASIDE = re.compile(rf" \([^()]*(?:{_COMMAND})[^()]*\)")
_LEFT = re.compile(r"leave the table, then `[^`]*`")


def typed_here(text: str) -> str:
    """A reason, hint or fix in the words of a desk. What only a command can do is left out, but for what is done to a
    record that is broken, once the table is left."""
    if not _UNTYPED.search(text):
        return text
    for pattern, words in _WORDS:
        text = pattern.sub(words, text)
    text = _ASIDE.sub("", text)
    parts = [part for part in text.split("; ") if not _UNTYPED.search(_LEFT.sub("", part))]
    return re.sub(r" +(?=[ ;:,.]|$)", "", "; ".join(parts))
