"""A record told entry by entry: sentences, shots with their dice, volleys with what they cost, and who leads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from referee.adjudicator.fire import resolve_shots, scores
from referee.adjudicator.record_shots import cloaks_of, effect_of, shots_of, with_sensors_as_now
from referee.adjudicator.record_volley import marks_of, resolve_said
from referee.core.battle import ImpulseTold, Lead, Retraction, Sentence, ShipThen, TurnTold
from referee.core.entry_words import chat_text
from referee.core.errors import RefereeError
from referee.core.fire_words import SeekerHit, ShotFired, VolleyTaken, shot_fired, volley_taken
from referee.core.frozen import replace
from referee.core.gamefold import GameFold
from referee.core.order_text import order_text
from referee.core.place_words import place_text
from referee.core.seals import kind_text
from referee.core.takenback import LASTING
from referee.judging.battle_sums import note_lead
from referee.play.fallen_dice import SET_ASIDE, dice_text, fallen
from referee.play.hand import TypedFaces
from referee.play.shots_told import form_words
from referee.record.headcode import head_code
from referee.rulebooks.base import Rulebook
from referee.rulebooks.registry import load_ship

if TYPE_CHECKING:
    from referee.core.combat import Shot, ShotResult
    from referee.core.game import FireOrdered, GameState
    from referee.play.game_file import Game
    from referee.record.chain import Entry

Data = Mapping[str, Any]
_WAYS = {"ahead": "goes ahead to", "left": "turns left to", "right": "turns right to"}
_UNTOLD = frozenset(("signer", "nonce", "anchor", "key", "declare", "confirm", "dice_seed", "umpire_ack"))
"""Entries that keep dice and seals honest: they are no part of the story."""
_KINDS = {
    "form": "form",
    "reveal": "form",
    "seal": "seal",
    "umpire_reject": "seal",
    "taken": "order",
    "note": "note",
}
_DICE = frozenset(("void", "forfeit_roll", "reroll"))


class Story:
    """The story of a game's record; `turns`, `shots`, `volleys` and the rest are filled as it is read."""

    def __init__(self, game: Game) -> None:
        self.game, self.rulebook = game, game.rulebook
        self.turns: list[TurnTold] = []
        self.shots: list[ShotFired] = []
        self.volleys: list[VolleyTaken] = []
        self.seeker_hits: list[SeekerHit] = []
        self.leads: list[Lead] = []
        self.retractions: list[Retraction] = []
        self._faces: dict[int, Sequence[Data]] = {}
        self._picks: dict[int, Data] = {}
        self._struck_by: dict[tuple[int, int], tuple[str, ...]] = {}
        self._moments: list[tuple[int | None, list[Sentence]]] = []
        self._read()

    def _read(self) -> None:
        entries = self.game.entries
        fold = GameFold(entries, load_ship)
        before, last = fold.state, entries[0]
        self._taken_back = fold.taken_back
        self._resolved = _resolved(entries, self.game.state)
        for entry in entries[1:]:
            gone = entry.seq in fold.taken_back
            fold.take(entry)
            after = fold.state
            if after.turn != before.turn:
                self._close(before, last)
            if not gone:
                for sentence in self._sentences(entry, before, after):
                    self._say(after.impulse, sentence)
                self._trace_due(entry, before, after)
            before, last = after, entry
        self._close(before, last)

    def _say(self, impulse: int | None, sentence: Sentence) -> None:
        if not self._moments or self._moments[-1][0] != impulse:
            self._moments.append((impulse, []))
        self._moments[-1][1].append(sentence)

    def _close(self, state: GameState, last: Entry) -> None:
        """A turn is over: its moments, and the ships as they are now. A turn that the game came back to goes on."""
        moments = tuple(ImpulseTold(impulse, tuple(sentences)) for impulse, sentences in self._moments)
        self._moments = []
        if self.turns and self.turns[-1].turn == state.turn:
            moments = self.turns.pop().moments + moments
        ships = tuple(ships_of(self.rulebook, state))
        self.turns.append(
            TurnTold(state.turn, moments, ships, head_code(last.seq, last.hash), f"#{last.seq}")
        )

    # -- sentences -----------------------------------------------------------------------

    def _sentences(self, entry: Entry, before: GameState, after: GameState) -> Iterable[Sentence]:
        """What an entry tells, in sentences."""
        place, data = f"#{entry.seq}", entry.data
        if entry.type in _UNTOLD or entry.type == "step":
            return
        if entry.type in ("result", "forfeit_roll") and "dice" in data:
            self._faces[data["roll"]] = data["dice"]
            self._picks[data["roll"]] = data.get("picks", {})
        if entry.type == "order":
            yield from self._order(entry, after)
        elif entry.type == "events" and "rolls" in data:
            yield from self._effect(entry, before, after)
        elif entry.type == "result":
            roll = before.rolls.get(data["roll"])
            if roll is not None and roll.volley is None and not roll.fire:
                dice = chat_text(entry).partition(": ")[2]
                does = "throws" if "entered_by" in data else "rolls"
                purpose = roll.purpose or "no purpose named"
                yield Sentence("dice", _full(f"{roll.who} {does} for {purpose}: {dice}"), place)
        elif entry.type == "undo":
            yield Sentence("undo", _full(self._undo(entry)), place)
        elif entry.type == "ruling":
            about = f" on #{data['target']}" if "target" in data else ""
            yield Sentence(
                "ruling", _full(f"{data['by']} rules{about}: {chat_text(entry).partition(': ')[2]}"), place
            )
        elif entry.type == "foul":
            yield Sentence("foul", _full(f"Foul: {chat_text(entry)}"), place)
        elif form := form_words(replace(self.game, state=before), entry):
            yield Sentence("form", _full(form), place)
        elif entry.type == "reveal" and (seal := before.seals.get(data["seal"])) is not None:
            shown = f"The {kind_text(seal.kind)} of {seal.ship} for turn {seal.turn} are shown."
            yield Sentence("form", shown, place)
        else:
            if entry.type == "note" and SET_ASIDE.fullmatch(str(data["text"])):
                gone = (str(data["text"]),)
                self.retractions.append(Retraction(place, "dice typed in anew", (str(data["by"]),), gone))
            kind = "dice" if entry.type in _DICE else _KINDS.get(entry.type, entry.type)
            if text := chat_text(entry):
                yield Sentence(kind, _full(text), place)

    def _order(self, entry: Entry, after: GameState) -> Iterable[Sentence]:
        place, data = f"#{entry.seq}", entry.data
        if "move" in data or "seeker" in data:
            yield Sentence("move" if "move" in data else "seeker", _moved(data, after), place)
        elif ("fire" in data or "volley" in data) and entry.seq in self._resolved:
            return  # What came of it is told where its dice fell.
        else:
            kind = "launch" if "launch" in data else "seeker" if "strike" in data else "order"
            yield Sentence(kind, _full(chat_text(entry)), place)

    def _undo(self, entry: Entry) -> str:
        data = entry.data
        target = self.game.entries[data["target"]]
        lost = self.game.entries[target.seq : entry.seq if "onward" in data else target.seq + 1]
        # What was shown stays known, and dice stay rolled: they count no more.
        dice = {each.seq for each in fallen(self.game, target.seq, entry.seq)} if "onward" in data else set()
        shown = {each.data["seal"] for each in lost if each.type == "reveal"}
        stays = LASTING - {"seal"}
        left = (e for e in lost if e.type not in stays or e.seq in dice | self._taken_back.shown)
        gone = tuple(
            f"#{undone.seq} {text}{self._taken_back.told_of(undone, shown)}"
            for undone in left
            if (text := dice_text(self.game, undone) if undone.seq in dice else _gone_text(undone))
        )
        by = tuple(map(str, data.get("agreed_by", ())))
        self.retractions.append(Retraction(f"#{entry.seq}", str(data["reason"]), by, gone))
        what = f"#{target.seq} ({_gone_text(target) or target.type})"
        return f"Taken back: {what}{' and all after it' * ('onward' in data)}: {data['reason']}"

    # -- fire and damage -----------------------------------------------------------------

    def _effect(self, entry: Entry, before: GameState, after: GameState) -> Iterable[Sentence]:
        """What dice did: the shots of a step, or the volley they marked."""
        number = entry.data["rolls"][0]
        roll = before.rolls[number]
        if roll.volley is not None:
            volley = self._volley(entry, roll.volley, number, before, after)
            self.volleys.append(volley)
            self._count_lead(entry, after)
            yield Sentence("volley", _full(volley.text), volley.place)
        elif roll.fire:
            orders = [order for order in before.fire if order.seq in roll.fire]
            shots = self._shots(entry, orders, number, before)
            self.shots += shots
            yield from (Sentence("shot", _full(shot.text), shot.place) for shot in shots)
            for hit in entry.data.get("seekers_hit", ()):
                by = _firers(shots, hit["seeker"])
                seeker_hit = SeekerHit(
                    after.turn, after.impulse, hit["seeker"], hit["points"], hit["gone"], by, f"#{entry.seq}"
                )
                self.seeker_hits.append(seeker_hit)
                yield Sentence("shot", _full(seeker_hit.text), seeker_hit.place)

    def _shots(
        self, entry: Entry, orders: Sequence[FireOrdered], roll: int, state: GameState
    ) -> list[ShotFired]:
        """The shots of an entry. They are resolved anew with its dice where today's rules give the damage of the
        record. Else they are as the record tells them: firer, weapon, target and die."""
        groups = self._faces.get(roll, ())
        for then in (state, with_sensors_as_now(state)):
            try:
                shots = shots_of(self.rulebook, load_ship, then, orders)
                hand = TypedFaces([face for group in groups for face in group["faces"]])
                results = resolve_shots(self.rulebook, shots, hand)
                effect = effect_of(self.rulebook, then, shots, results)
            except RefereeError:
                continue
            if all(effect.get(part) == entry.data.get(part) for part in ("events", "volleys", "seekers_hit")):
                return [
                    self._shot(entry, shot, result, state)
                    for shot, result in zip(shots, results, strict=True)
                ]
        return self._as_recorded(entry, orders, groups, state)

    def _shot(self, entry: Entry, shot: Shot, result: ShotResult, state: GameState) -> ShotFired:
        player = state.ships[result.firer].player
        average = _average(self.rulebook, shot)
        fired = shot_fired(
            result,
            on_ship=result.target in state.ships,
            player=player,
            place=f"#{entry.seq}",
            average=average,
        )
        return replace(fired, turn=state.turn, impulse=state.impulse)

    def _as_recorded(
        self, entry: Entry, orders: Sequence[FireOrdered], groups: Sequence[Data], state: GameState
    ) -> list[ShotFired]:
        fired = [(order, weapon) for order in orders for weapon in order.weapons]
        faces: list[int | None] = [sum(group["faces"]) for group in groups]
        faces += [None] * (len(fired) - len(faces))
        return [
            ShotFired(
                state.turn,
                state.impulse,
                order.ship,
                state.ships[order.ship].player,
                weapon,
                order.target,
                f"#{entry.seq}",
                die,
            )
            for (order, weapon), die in zip(fired, faces, strict=False)
        ]

    def _volley(
        self, entry: Entry, number: int, roll: int, before: GameState, after: GameState
    ) -> VolleyTaken:
        """The volley that an entry marks: what it cost is the record's word; the roll of each box is worked out, and told
        where that gives the same."""
        ordered = self.game.entries[number].data["volley"]
        taken = volley_taken(ordered, entry.data["events"], before.ships[ordered["ship"]].state.shields)
        lost = before.rolls[roll].status == "forfeit" and roll not in self._faces
        known = load_ship(after.ships[taken.target].state.ship)
        boxes = [box for box, _ in taken.boxes]
        return replace(
            taken,
            turn=after.turn,
            impulse=after.impulse,
            place=f"#{entry.seq}",
            by=self._struck_by.get(tuple(ordered["of"]), ()) if "of" in ordered else (),
            internals=0 if lost else taken.internals,
            boxes=tuple(zip(boxes, self._rolls(entry, ordered, roll, before, boxes), strict=True)),
            weapons=tuple(box for box in boxes if known.mount(box) is not None),
        )

    def _rolls(
        self, entry: Entry, ordered: Data, roll: int, state: GameState, boxes: Sequence[str]
    ) -> Sequence[int | None]:
        """The roll that picked each box."""
        hand = TypedFaces([face for group in self._faces.get(roll, ()) for face in group["faces"]])
        try:
            chosen = {**ordered, "picks": {**ordered["picks"], **self._picks.get(roll, {})}}
            result = resolve_said(self.rulebook, load_ship, state, chosen, hand)
        except RefereeError:
            return [None] * len(boxes)
        if marks_of(ordered, result) != list(entry.data["events"]):
            return [None] * len(boxes)
        rolls = {hit.box: hit.roll for hit in result.hits}
        return [rolls.get(box) for box in boxes]

    def _trace_due(self, entry: Entry, before: GameState, after: GameState) -> None:
        """Remembers whose points each volley that is due is made of."""
        had = {(due.seq, due.n): due.points for due in before.due}
        for due in after.due:
            key = (due.seq, due.n)
            if had.get(key) == due.points:
                continue
            by = self._strikers(entry, due.ship, due.shield, before)
            self._struck_by[key] = tuple(dict.fromkeys((*self._struck_by.get(key, ()), *by)))

    def _strikers(self, entry: Entry, target: str, shield: int, before: GameState) -> tuple[str, ...]:
        if "strike" in entry.data:
            names = entry.data["strike"]["seekers"]
            seekers = [before.seekers[name] for name in names if before.seekers[name].target == target]
            return tuple(dict.fromkeys(seeker.owner or seeker.name for seeker in seekers))
        place = f"#{entry.seq}"
        here = [shot for shot in self.shots if shot.place == place and shot.target == target]
        scored = [shot for shot in here if shot.damage and shot.shield == shield]
        return tuple(dict.fromkeys(shot.ship for shot in scored or here))

    def _count_lead(self, entry: Entry, state: GameState) -> None:
        """Who leads now: kept where it is somebody else than before."""
        rows = [(ship.player, load_ship(ship.state.ship), ship) for ship in state.ships.values()]
        stand = [(side, ship.name, known, ship.state) for side, known, ship in rows]
        note_lead(self.leads, stand, state.turn, state.impulse, f"#{entry.seq}")


def _resolved(entries: Sequence[Entry], state: GameState) -> frozenset[int]:
    """The orders of fire and volleys of which the dice have done their work, and the work stands."""
    done: set[int] = set()
    for roll in state.rolls.values():
        if roll.applied is not None:
            done |= {*roll.fire, *(() if roll.volley is None else (roll.volley,))}
    return frozenset(done)


def _full(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _gone_text(entry: Entry) -> str:
    return order_text(entry.data) if entry.type == "order" else chat_text(entry)


def _moved(data: Data, after: GameState) -> str:
    """A ship or seeker that moved a hex, and where it is now."""
    if "move" in data:
        name, way = data["move"]["ship"], data["move"]["way"]
        to = after.ships[name].position
    else:
        name, way = data["seeker"]["name"], data["seeker"]["way"]
        seeker = after.seekers.get(name)
        to = f"{seeker.hex}{seeker.facing}" if seeker is not None else ""
    sentence = f"{name} {_WAYS.get(way, way)} {place_text(to or '')}".rstrip()
    return f"{sentence.replace(' to off the map', ' off the map')}."


def _firers(shots: Iterable[ShotFired], target: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(shot.ship for shot in shots if shot.target == target and shot.damage != 0))


def _average(rulebook: Rulebook, shot: Shot) -> Fraction | None:
    """The points that fair dice score with a shot in the mean."""
    try:
        (count, sides), by_total = scores(rulebook, shot)
    except RefereeError:
        return None
    ways = {0: 1}
    for _ in range(count):
        more: dict[int, int] = {}
        for total, number in ways.items():
            for face in range(1, sides + 1):
                more[total + face] = more.get(total + face, 0) + number
        ways = more
    return Fraction(sum(number * by_total[total] for total, number in ways.items()), sides**count)


def ships_of(rulebook: Rulebook, state: GameState) -> Iterable[ShipThen]:
    """The ships of a game as they stand."""
    cloaks = cloaks_of(rulebook, state)
    for ship in state.ships.values():
        speed = "" if ship.unit.speed is None else str(ship.unit.speed)
        cloak = cloaks.get(ship.name)
        yield ShipThen(
            ship.name,
            ship.player,
            ship.state.ship,
            ship.position,
            speed,
            ship.state,
            state.has_left(ship),
            "" if cloak is None else cloak.phase.replace("-", " "),
        )
