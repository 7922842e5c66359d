"""What a rulebook offers besides rules, with types: others ask for it as `rulebook.offers`, a rulebook's folder says
in `PROCEDURES` which of its functions, classes and modules it is.

What a rulebook makes for itself (a turn's energy, what a turn leaves, the facts of a rule) is handed back to it as it
was got; only what others read of it has types here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, Protocol

from referee.core.bought_energy import BatteryOrder, Reinforcement
from referee.core.combat import (
    CloakHistory,
    CloakState,
    Declaration,
    LockAttempt,
    Moment,
    Seeker,
    SeekerMove,
    Shot,
    ShotResult,
    Unit,
)
from referee.core.dice import Dice
from referee.core.events import Event
from referee.core.finding import Finding, NotChecked, Report, Severity, TurnLedger
from referee.core.forms import EnergyAllocation
from referee.core.hexgrid import Hex, Offset
from referee.core.impulses import ImpulseChart
from referee.core.location import Location
from referee.core.play import Move, ShipInPlay
from referee.core.ship import ShipClass
from referee.core.state import ShipState
from referee.core.volley import Chooser, VolleyOrder, VolleyResult
from referee.rulebooks.seen import Own, RulebookType, SeenDamage, SeenFire, SeenFlights, SeenMoves

Facts = object
"""What rules on one subject look at."""
Step = tuple[int, int | None, str]
"""Turn, impulse (None outside the impulses) and step."""
Data = Mapping[str, Any]
Sheets = Sequence[tuple[str, Data]]
"""Documents of a player's own, with the files they are from."""


class Left(Protocol):
    """What a turn's energy leaves to the next."""

    @property
    def turn(self) -> int | None: ...
    @property
    def speed(self) -> Fraction | None: ...
    @property
    def batteries(self) -> tuple[Fraction, ...]: ...
    @property
    def seen(self) -> Mapping[str, Fraction]: ...
    @property
    def unread(self) -> Mapping[str, str]: ...


class Energy(Protocol):
    """A turn's energy: its form, what there is, and what batteries have left."""

    @property
    def form(self) -> EnergyAllocation: ...
    @property
    def ship(self) -> ShipClass: ...
    @property
    def batteries(self) -> Fraction: ...
    @property
    def charge_before(self) -> Fraction: ...
    @property
    def batteries_known_left(self) -> Fraction | None: ...
    def power(self, source: str) -> Fraction: ...


class Tally(Protocol):
    """Hexes moved straight ahead towards the next turn; `exact` is False where it may be more."""

    @property
    def hexes(self) -> int: ...
    @property
    def exact(self) -> bool: ...


class Movement(Protocol):
    """The rules of movement on their impulse chart."""

    @property
    def of(self) -> int: ...
    @property
    def chart(self) -> ImpulseChart: ...
    @property
    def speeds(self) -> frozenset[int]: ...
    @property
    def steps(self) -> tuple[str, ...]: ...
    @property
    def map(self) -> str: ...
    def has_left(self, hex: Hex) -> bool: ...
    def called_status(self, speed: Any) -> str: ...
    def limit(self, kind: str) -> int: ...
    def fastest_after(self, speed: Any) -> Any: ...
    def called(self, ship: ShipInPlay, impulse: int | None) -> bool | None: ...
    def plain(self, unit: ShipInPlay, move: Move, impulse: int | None) -> bool: ...
    def may_turn(self, ship: ShipClass | None, unit: ShipInPlay) -> bool: ...
    def turn_mode(self, ship: ShipClass | None, speed: Any) -> int | None: ...
    def count(self, ship: ShipClass | None, unit: ShipInPlay) -> Tally: ...
    def rating(self, ship: ShipClass | None, unit: ShipInPlay) -> Any: ...


class AimedShot(Protocol):
    """A shot with the facts of its step."""

    @property
    def shot(self) -> Shot: ...
    @property
    def effective_range(self) -> int | None: ...
    @property
    def seeking(self) -> bool: ...


class FireStep(Protocol):
    """The shots declared for one step."""

    @property
    def aims(self) -> Sequence[AimedShot]: ...


class ShipsOffer(Protocol[RulebookType]):
    """What a rulebook for ships with an SSD offers."""

    def known_damage(
        self,
        at_start: ShipState,
        at_end: ShipState | None = None,
        exact_start: bool = False,
        settled: bool = False,
    ) -> Own: ...

    # energy
    def energy_allocation(
        self, ship: ShipClass, rulebook: RulebookType, known: Own, first: int
    ) -> tuple[Left, Own]: ...
    def open_turn(
        self,
        ship: ShipClass,
        rulebook: RulebookType,
        form: EnergyAllocation,
        before: Own,
        known: Own,
        subject: str,
        last: bool,
    ) -> Energy: ...
    def carry_over(self, turn: Own) -> Left: ...
    def shields_unpaid(self, rulebook: RulebookType, allocation: EnergyAllocation) -> bool: ...
    def ledger(self, turn: Own, after: Own) -> TurnLedger: ...
    def reinforcement(self, rulebook: RulebookType, lines: Mapping[str, Fraction]) -> Reinforcement: ...
    def battery_order(self, rulebook: RulebookType, order: BatteryOrder) -> Facts: ...
    def fire_energy(self, turn: Own) -> tuple[dict[str, Any], Fraction | None, Any]: ...
    def mended(
        self,
        rulebook: RulebookType,
        ship: str = "",
        turn: int | None = None,
        impulse: int | None = None,
        shields: Any = None,
        inside: Any = None,
        paid: Any = None,
        inside_paid: Any = None,
    ) -> Facts: ...
    def boxes_mended(self, rulebook: RulebookType, paid: Fraction | int) -> int: ...

    # damage
    def volley(
        self,
        rulebook: RulebookType,
        ship: ShipClass,
        state: ShipState,
        order: VolleyOrder,
        dice: Dice,
        chooser: Chooser,
    ) -> VolleyResult: ...
    def systems_open(
        self, rulebook: RulebookType, ship: ShipClass, state: ShipState, order: VolleyOrder
    ) -> frozenset[str]: ...
    def points_stopped(
        self, rulebook: RulebookType, ship: ShipClass, state: ShipState, order: VolleyOrder
    ) -> tuple[int, int, int]: ...
    def points_taken(self, events: Iterable[Event]) -> tuple[int, int, int]: ...
    def volley_shown(
        self,
        rulebook: RulebookType,
        ship: str,
        turn: int,
        impulse: int | None,
        entry: int,
        shield: int,
        points: int,
        rolled: tuple[int, int, int],
        by_form: tuple[int, int, int],
        shields_paid: bool = True,
        told: bool = False,
    ) -> Facts: ...

    # the sequence of play
    def first_moment(self, rulebook: RulebookType) -> Step: ...
    def next_moment(self, rulebook: RulebookType, now: Step) -> Step: ...
    def moments(self, rulebook: RulebookType, turn: int) -> list[Step]: ...
    def timed(
        self,
        rulebook: RulebookType,
        kind: str,
        now: Step,
        subject: str = "",
        turn: int | None = None,
        early: Severity | None = None,
    ) -> Facts: ...
    def progress(
        self,
        rulebook: RulebookType,
        before: Step,
        after: Step,
        owed: Any = (),
        unresolved: Any = (),
        skipped: Any = (),
        unsaid: Any = (),
        passed: Any = (),
        filed: bool = False,
        robots: tuple[str, ...] = (),
    ) -> Facts: ...
    def step_of(self, verb: str) -> str: ...
    def form_anew(
        self,
        rulebook: RulebookType,
        ship: str,
        turn: int,
        known: tuple[str, ...],
        filed: tuple[str, ...],
        sealed: tuple[str, ...] | None = None,
    ) -> Facts: ...
    def sealed_move(
        self, rulebook: RulebookType, ship: str, turn: int, impulse: int, sealed: str, made: str
    ) -> Facts: ...
    def sealed_fire(
        self,
        rulebook: RulebookType,
        ship: str,
        turn: int,
        impulse: int,
        sealed: tuple[str, ...],
        fired: tuple[str, ...],
        over: bool = False,
    ) -> Facts: ...
    def speed_said(
        self,
        rulebook: RulebookType,
        ship: str,
        turn: int,
        said: int,
        paid: int,
        how: str = "said",
        kept: bool = True,
    ) -> Facts: ...
    def turn_played(
        self, rulebook: RulebookType, ship: str, turn: int, did: tuple[str, ...] = (), filed: bool = False
    ) -> Facts: ...
    def scenario_speed(
        self, rulebook: RulebookType, ship: str, turn: int, said: int, fixed: int
    ) -> Facts: ...
    @property
    def scenario_shot(self) -> Callable[..., Facts]: ...

    # movement
    def movement(self, rulebook: RulebookType) -> Movement: ...
    def move_facts(
        self,
        movement: Own,
        subject: str,
        turn: int | None,
        impulse: int | None,
        location: Location,
        ship: ShipClass | None,
        before: ShipInPlay,
        move: Move,
        again: bool = False,
    ) -> Facts: ...
    @property
    def impulse_facts(self) -> Callable[..., Facts]: ...
    def speed_facts(
        self,
        movement: Own,
        subject: str,
        turn: int | None,
        impulse: int | None,
        location: Location,
        ship: ShipClass | None,
        unit: ShipInPlay,
        previous: Any,
    ) -> Facts: ...
    def sequence_facts(
        self,
        movement: Own,
        subject: str,
        turn: int | None,
        impulse: int | None,
        location: Location,
        verb: str,
        step: str = "",
        done: str = "",
        last_turn: int = 0,
        last_impulse: int = 0,
    ) -> Facts: ...
    def hex_named(self, rulebook: RulebookType, subject: str, what: str, hex: Hex) -> Facts: ...

    # fire and seekers
    def fire_step(self, rulebook: RulebookType, declaration: Declaration) -> FireStep: ...
    def fire(self, aim: Own, roll: int) -> ShotResult: ...
    def rested(self, rulebook: RulebookType, type: str, last: Moment | None, now: Moment) -> bool: ...
    def points_stated(
        self, rulebook: RulebookType, type: str, reach: int, roll: int, mode: str, dice: tuple[int, ...]
    ) -> int | None: ...
    def lock_on(
        self, rulebook: RulebookType, attempt: LockAttempt, held: bool | None = None
    ) -> bool | None: ...
    @property
    def range_shown(self) -> Callable[..., Facts]: ...
    @property
    def range_stated(self) -> Callable[..., Facts]: ...
    @property
    def damage_stated(self) -> Callable[..., Facts]: ...
    @property
    def shields_stated(self) -> Callable[..., Facts]: ...
    def seeker_hit(
        self, rulebook: RulebookType, seeker: Seeker, target: Unit, came_from: Hex | None, moment: Moment
    ) -> ShotResult: ...
    def seeker_moved(self, move: SeekerMove, rulebook: RulebookType) -> Facts: ...
    def seeker_turns(
        self, rulebook: RulebookType, type: str, straight: int, offset: Offset
    ) -> tuple[int, ...]: ...
    def warhead_left(self, rulebook: RulebookType, seeker: Seeker) -> int: ...
    def cloak_at(self, rulebook: RulebookType, history: CloakHistory, moment: Moment) -> CloakState: ...
    def cloak_order(
        self,
        rulebook: RulebookType,
        history: CloakHistory,
        moment: Moment,
        order: Literal["cloak", "uncloak"],
        ship: ShipClass | None = None,
    ) -> Facts: ...
    @property
    def robot_facts(self) -> Callable[..., Any]: ...

    # what is seen
    def shields_astray(self, rulebook: RulebookType, declaration: Declaration) -> tuple[Finding, ...]: ...
    def shields_untold(self, rulebook: RulebookType, declaration: Declaration) -> tuple[NotChecked, ...]: ...
    @property
    def seen_fire(self) -> SeenFire: ...
    @property
    def seen_flights(self) -> SeenFlights: ...
    @property
    def seen_moves(self) -> SeenMoves[RulebookType]: ...
    @property
    def seen_damage(self) -> SeenDamage: ...


class OwnTableOffers(Protocol[RulebookType]):
    """What a rulebook with documents, answers and a table of its own offers."""

    def ship_sheets(self, rulebook: RulebookType, owned: Sheets) -> dict[str, Data]: ...
    def check_document(
        self, rulebook: RulebookType, owned: Sheets, data: Data, file: str, chosen: Data
    ) -> Report: ...
    def show_document(
        self, rulebook: RulebookType, owned: Sheets, data: Data, file: str, side: str, chosen: Data
    ) -> Any: ...
    def play(
        self,
        rulebook: RulebookType,
        owned: Sheets,
        data: Data,
        file: str,
        chosen: Data,
        dice_for: Callable[[Any], Dice],
    ) -> tuple[Any, Any]: ...
    def work_out(self, rulebook: RulebookType, owned: Sheets, key: str, given: Data) -> Any: ...
    @property
    def answer_volley(self) -> Callable[..., Any]: ...
    @property
    def answer_fire(self) -> Callable[..., Any]: ...
    @property
    def answer_odds(self) -> Callable[..., Any]: ...
    def game_fold(self, rulebook: RulebookType, genesis: Data) -> Any: ...


class Offered(ShipsOffer[RulebookType], OwnTableOffers[RulebookType], Protocol[RulebookType]):
    """All that is asked for. Asking for what a rulebook has not raises BadInput, which names it."""
