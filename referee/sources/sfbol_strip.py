"""A play-by-play without the names and the chat in it, so that it can be sent to others: its shapes and figures stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from referee.core.errors import BadInput
from referee.core.frozen import frozen
from referee.core.naming import how_many
from referee.formats.files import as_utf8
from referee.formats.sfbol import (
    CHAT,
    Added,
    Allocated,
    Allocating,
    Destroyed,
    Fact,
    FieldActivated,
    Fired,
    Moved,
    Rolled,
    Turned,
    Unread,
    VolleySaid,
    fact_in,
    is_launched,
    speaker_in,
)
from referee.formats.sfbol_games import lines_of, read_play, text_of
from referee.sources.sfbol_haze import is_aside, is_chat, players_of
from referee.sources.sfbol_names import Names

LEFT_OUT = "(line left out)"
_UNIT = re.compile(r"[A-Z]{1,3}[0-9]{1,4}(?:\([0-9]{1,3}\))?(?:\.[0-9]{1,3}){1,3}")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_FIGURES = re.compile(r"[0-9]{3,}|[0-9]+(?:\.[0-9]+){2,}")
_BRACKETED = re.compile(r"[\[({]\s*([^\])}]{1,40})[\])}]")
_PARTS = re.compile(r"\w+")
_TOKEN = re.compile(r"\w+(?:['’]\w+)*")
VOCABULARY = frozenset(
    re.findall(
        "[a-z]+",
        """
    a activates added admin after allocated allocation ammo anti arc arming at b batteries battery beam been bolt
    boxes by c capacitor changed cloak cloaked cloaks control d damage damaged deactivates defined destroyed
    direction disruptor disruptors does drone drones drops e eccm ecm emergency end energy esg evasive expanding explodes f
    fa facing facings fades fast feed fh fighter finished fire fired fires firing for from fusion fusions fx g generator
    has have heavy hellbore hellbores het hex high hit hits impulse in internal is its l lab launch launched launches left
    lf life lock lost lr ls maneuver mega mine mines miss misses mode move moved moves n ne no nw of off on out
    overload overloaded phaser phasers photon photons plasma point points ppd probe proximity pseudo pts pulsed r
    ra radius raised raises range reinforcement reloads remaining repair repaired repairs rf rh right roll rolls
    rr rs rx s scatter se seeking shield shields ship shots shuttle side slipped slow speed sphere standard
    started starts stopped stops suicide support sw system tac target targets to torpedo torpedoes total tractor
    tractored tractors transported transporter transporters transports turn turned turns type under unit user
    using warp was weapon weapons weasel web wild with
    """,
    )
)
"""The words a stripped log may hold: those of the client's lines, as far as they are known, and of the game."""
RACES = frozenset(
    re.findall(
        "[a-z]+",
        """
    andromedan cadet federation gorn hydran isc klingon kzinti ldr lyran orion romulan seltorian tholian wyn
    base battle battlecruiser battleship bc bch ca carrier cc cl command cr cruiser cs cw cwl dd destroyer dn dnh
    dreadnought dw eagle ff freighter frigate heavy kr legacy light lr lw police rn snipe starbase
    war we
    """,
    )
)
"""Words of which classes of ships are called: without them nobody could tell what a stripped log was played with."""
_CLASS = re.compile(
    r"[A-Z]{2,3}|[Dd]-?[67]|(?i:andromedan|federation|gorn|hydran|klingon|kzinti|lyran|orion|romulan|tholian)"
)
"""How a word of a class looks in a ship's name: `CA`, `D7`, `Klingon`."""
_STAYS = VOCABULARY | RACES


@frozen
class Stripped:
    """A log without names and chat; how many names were replaced, lines of chat and other lines left out."""

    text: str
    names: int
    chat: int
    left_out: int


def stripped(data: bytes, file: str) -> Stripped:
    """A log with names replaced and chat left out. Raises BadInput where it is no text, or where a name would survive."""
    data = as_utf8(data)
    facts = [fact_in(number, text) for number, text in lines_of(data, file) if text]
    names = _names_in(facts)
    spoken_in = set(_chat_in(data, file))
    units = {fact.name for fact in facts if isinstance(fact, Added) and is_launched(fact)}
    units = {name for name in units if _UNIT.fullmatch(name)}
    tokens = {name: name for name in units} | _tokens(names, facts)
    end = next((end for end in ("\r\n", "\n", "\r") if end.encode() in data), "\n")
    chat = left_out = 0
    rows: list[str] = []
    spoken: set[str] = set()
    by_line = {fact.line: fact for fact in facts}
    for number, text in lines_of(data, file):
        fact = by_line.get(number)
        if fact is None:
            rows.append("")
            continue
        if isinstance(fact, Unread):
            if number in spoken_in:
                chat += 1
                spoken |= set(_words(text))
                rows.append(CHAT)
                continue
            bare = None if _is_talk(text) else _without(text, names, tokens)
            if bare is None or not isinstance(fact_in(number, bare), Unread):
                # What was not understood must not become something that was played.
                left_out += 1
                spoken |= set(_words(text))
                rows.append(LEFT_OUT)
                continue
            spoken |= {word for word in _words(text) if word not in VOCABULARY}
        else:
            bare = _without(text, _own_names(fact), tokens, known=True) or LEFT_OUT
        rows.append(bare)
    kept = end.join(rows) + (end if text_of(data).endswith("\n") else "")
    named = (word for name in names if name not in units for word in _words(name))
    _hold_clean(kept, {*spoken, *named}, file)
    return Stripped(kept, len(names), chat, left_out)


def _chat_in(data: bytes, file: str) -> Iterator[int]:
    """The lines that are chat in the game they stand in."""
    for game in read_play(data, file):
        names = Names(game.facts, file)
        players = players_of(game.facts, names)
        for fact in game.facts:
            if isinstance(fact, Unread) and (is_chat(fact, players) or is_aside(fact, names)):
                yield fact.line


def _own_names(fact: Fact) -> tuple[str, ...]:
    """The names a line of a known shape holds."""
    if isinstance(fact, Added):
        return tuple(name for name in (fact.name, fact.launcher) if name)
    if isinstance(fact, Fired | VolleySaid):
        return fact.ship, fact.target
    if isinstance(fact, Rolled):
        return (fact.name,)
    if isinstance(fact, Moved | Turned | Allocating | Allocated | FieldActivated | Destroyed):
        return (fact.ship,)
    return ()


def _names_in(facts: Iterable[Fact]) -> tuple[str, ...]:
    found = dict.fromkeys(name for fact in facts for name in _own_names(fact))
    return tuple(sorted(found, key=len, reverse=True))


def _tokens(names: Iterable[str], facts: Iterable[Fact]) -> dict[str, str]:
    """What stands for each word of the names: words that are left out of a name in some lines stay left out, and those
    of a class stay in the names of ships."""
    words = dict.fromkeys(word.casefold() for name in names for word in name.split())
    ships = {fact.name for fact in facts if isinstance(fact, Added)}
    of_class = {
        word.casefold(): word
        for name in ships
        for word in name.split()
        if _CLASS.fullmatch(word) and (word[-1].isdigit() or word.casefold() in RACES)
    }
    return {word: of_class.get(word, f"N{n}") for n, word in enumerate(words, 1)}


def _is_talk(text: str) -> bool:
    """Does somebody seem to speak of whom nothing shows that he plays, or a program for talk, `[Bob] hello` or `*** Bob
    has joined`? Whether it is about the game nobody can tell, of a stripped log either."""
    bracketed = _BRACKETED.match(text)
    who = bracketed[1] if bracketed else speaker_in(text)[0]
    return text.startswith("**") or not set(_words(who)) <= VOCABULARY


def _without(text: str, names: Iterable[str], tokens: Mapping[str, str], known: bool = False) -> str | None:
    """A line with its names replaced and every word left out that is not one of the game; None where too few are."""
    parts: list[str] = []
    rest = text
    own = [name for name in names if name in text]
    if not known:
        # A name's number may stand alone: `1017` of `IKV 1017 Kharg`.
        own += [word for word in dict.fromkeys(text.split()) if len(word) > 2 and _is_number(word, tokens)]
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in own)) if own else None
    at = 0
    for match in pattern.finditer(rest) if pattern else ():
        parts += [_worded(rest[at : match.start()]), _called(match[0], tokens)]
        at = match.end()
    parts.append(_worded(rest[at:]))
    replaced = "".join(parts)
    words = replaced.replace("'", " ").split()
    strange = sum(word.startswith("word") for word in words)
    if known or not strange:
        return replaced
    # Beside a word that is none of the game a longer figure may be anything: a telephone's number, an address.
    return None if strange * 2 > len(words) else _FIGURES.sub(lambda found: _noughts(found[0]), replaced)


def _noughts(figure: str) -> str:
    return "".join("0" if letter.isdigit() else letter for letter in figure)


def _is_number(word: str, tokens: Mapping[str, str]) -> bool:
    """Is a word of a name one with a number, that figures of the game are not replaced for?"""
    return tokens.get(word.casefold(), word) != word and any(letter.isdigit() for letter in word)


def _called(name: str, tokens: Mapping[str, str]) -> str:
    if tokens.get(name) == name:
        return name
    return " ".join(tokens[word.casefold()] for word in name.split())


def _worded(text: str) -> str:
    """A text in which only words of the game stand."""
    plain = "".join(
        character if " " <= character <= "~" or character.isalpha() else "?" for character in text
    )
    return _TOKEN.sub(lambda word: word[0] if _STAYS.issuperset(_words(word[0])) else "word", plain)


def _words(text: str) -> Iterator[str]:
    return (word[0].casefold() for word in _WORD.finditer(text))


def _hold_clean(text: str, secret: set[str], file: str) -> None:
    """Raises BadInput where a word of a name or of chat is in what would be sent, but for words of the game."""
    there = {part.casefold() for part in _PARTS.findall(text)}
    there |= {word for part in there for word in _words(part)}
    left = {word for word in secret if len(word) > 1} & there - VOCABULARY - RACES - {
        "word",
        "chat",
        "line",
        "out",
    }
    if left:
        hint = "nothing was written; please report it"
        raise BadInput(f"{how_many(len(left), 'word')} of names or chat would survive", file=file, hint=hint)
